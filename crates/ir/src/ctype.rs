//! C types, their sizes and their names. Types are hash-consed: equal types have equal ids, so
//! compatible types can be told by comparing numbers, except for incomplete arrays and functions
//! without a prototype.

use crate::expr::Ty;
use crate::program::LocalId;
use idiolect_base::index_type;
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

index_type!(
    /// A C type in [`Types`].
    TypeId
);
index_type!(
    /// A struct or union.
    RecordId
);
index_type!(EnumId);

/// The sizes of C types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DataModel {
    /// 64-bit `long` and pointers.
    #[default]
    Lp64,
    /// 32-bit `int`, `long` and pointers.
    Ilp32,
}

impl DataModel {
    pub fn pointer_size(self) -> u64 {
        match self {
            DataModel::Lp64 => 8,
            DataModel::Ilp32 => 4,
        }
    }

    /// The width of a pointer in bits.
    pub fn pointer_width(self) -> u8 {
        (self.pointer_size() * 8) as u8
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CType {
    Void,
    Bool,
    Int(IntKind),
    Float(FloatKind),
    Enum(EnumId),
    Pointer(TypeId),
    Array {
        element: TypeId,
        length: ArrayLength,
    },
    Function(FunctionType),
    Record(RecordId),
    /// `va_list`: an array of one opaque element, as on x86-64, so that functions take it by
    /// reference.
    VaList,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum IntKind {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

impl IntKind {
    pub fn is_signed(self) -> bool {
        use IntKind::*;
        matches!(self, Char | SChar | Short | Int | Long | LongLong | Int128)
    }

    pub fn size(self, model: DataModel) -> u64 {
        use IntKind::*;
        match self {
            Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 4,
            Long | ULong => model.pointer_size(),
            LongLong | ULongLong => 8,
            Int128 | UInt128 => 16,
        }
    }

    pub fn name(self) -> &'static str {
        use IntKind::*;
        match self {
            Char => "char",
            SChar => "signed char",
            UChar => "unsigned char",
            Short => "short",
            UShort => "unsigned short",
            Int => "int",
            UInt => "unsigned int",
            Long => "long",
            ULong => "unsigned long",
            LongLong => "long long",
            ULongLong => "unsigned long long",
            Int128 => "__int128",
            UInt128 => "unsigned __int128",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatKind {
    Float,
    Double,
    LongDouble,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLength {
    Known(u64),
    /// `[]`: incomplete, or a flexible member.
    Unknown,
    /// The number of elements is in this register local of the enclosing function.
    Variable(LocalId),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    pub ret: TypeId,
    pub params: Vec<TypeId>,
    pub variadic: bool,
    /// False for `f()`: then `params` says nothing.
    pub prototype: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    pub is_union: bool,
    pub tag: Option<String>,
    /// `None` while incomplete.
    pub layout: Option<RecordLayout>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordLayout {
    /// In order of declaration, anonymous members as one field without a name.
    pub fields: Vec<Field>,
    pub size: u64,
    pub align: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    pub name: Option<String>,
    pub ty: TypeId,
    /// In bytes. For a bit-field, of the first byte that holds one of its bits.
    pub offset: u64,
    pub bits: Option<BitField>,
}

/// Bits `offset..offset + width`, counted from the lowest bit of the byte at the field's offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitField {
    pub offset: u8,
    pub width: u8,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Enumeration {
    pub tag: Option<String>,
    pub underlying: IntKind,
    pub enumerators: Vec<(String, i128)>,
    pub complete: bool,
}

/// All types of a program.
#[derive(Clone, Debug)]
pub struct Types {
    pub model: DataModel,
    types: Vec<CType>,
    ids: FxHashMap<CType, TypeId>,
    records: Vec<Record>,
    enums: Vec<Enumeration>,
}

impl Types {
    pub fn new(model: DataModel) -> Self {
        Self {
            model,
            types: Vec::new(),
            ids: FxHashMap::default(),
            records: Vec::new(),
            enums: Vec::new(),
        }
    }

    pub fn intern(&mut self, ty: CType) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = TypeId::new(self.types.len());
        self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    pub fn int(&mut self, kind: IntKind) -> TypeId {
        self.intern(CType::Int(kind))
    }

    pub fn pointer_to(&mut self, to: TypeId) -> TypeId {
        self.intern(CType::Pointer(to))
    }

    pub fn get(&self, id: TypeId) -> &CType {
        &self.types[id.index()]
    }

    pub fn len(&self) -> usize {
        self.types.len()
    }

    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    pub fn add_record(&mut self, record: Record) -> RecordId {
        self.records.push(record);
        RecordId::new(self.records.len() - 1)
    }

    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.index()]
    }

    pub fn record_mut(&mut self, id: RecordId) -> &mut Record {
        &mut self.records[id.index()]
    }

    pub fn n_records(&self) -> usize {
        self.records.len()
    }

    pub fn add_enum(&mut self, enumeration: Enumeration) -> EnumId {
        self.enums.push(enumeration);
        EnumId::new(self.enums.len() - 1)
    }

    pub fn enumeration(&self, id: EnumId) -> &Enumeration {
        &self.enums[id.index()]
    }

    pub fn enumeration_mut(&mut self, id: EnumId) -> &mut Enumeration {
        &mut self.enums[id.index()]
    }

    pub fn n_enums(&self) -> usize {
        self.enums.len()
    }

    /// All types of another program beside these; the new name of each, by its old one.
    pub fn import(&mut self, other: &Types) -> Vec<TypeId> {
        let (n_records, n_enums) = (self.records.len(), self.enums.len());
        self.enums.extend(other.enums.iter().cloned());
        self.records.extend(other.records.iter().cloned());
        let mut names: Vec<TypeId> = Vec::with_capacity(other.types.len());
        for ty in &other.types {
            // A type stands behind those that it is made of.
            let known = |id: &TypeId| names[id.index()];
            let own = match ty {
                CType::Enum(id) => CType::Enum(EnumId::new(id.index() + n_enums)),
                CType::Record(id) => CType::Record(RecordId::new(id.index() + n_records)),
                CType::Pointer(to) => CType::Pointer(known(to)),
                CType::Array { element, length } => CType::Array {
                    element: known(element),
                    length: *length,
                },
                CType::Function(f) => CType::Function(FunctionType {
                    ret: known(&f.ret),
                    params: f.params.iter().map(known).collect(),
                    ..f.clone()
                }),
                plain => plain.clone(),
            };
            let id = self.intern(own);
            names.push(id);
        }
        for record in &mut self.records[n_records..] {
            for field in record.layout.iter_mut().flat_map(|l| &mut l.fields) {
                field.ty = names[field.ty.index()];
            }
        }
        names
    }

    /// Bytes, or `None` for incomplete, function and variable-length types.
    pub fn size_of(&self, id: TypeId) -> Option<u64> {
        Some(match self.get(id) {
            CType::Void | CType::Function(_) => return None,
            CType::Bool => 1,
            CType::Int(kind) => kind.size(self.model),
            CType::Float(kind) => self.float_size(*kind),
            CType::Enum(id) => self.enumeration(*id).underlying.size(self.model),
            CType::Pointer(_) => self.model.pointer_size(),
            CType::Array {
                element,
                length: ArrayLength::Known(n),
            } => self.size_of(*element)?.checked_mul(*n)?,
            CType::Array { .. } => return None,
            CType::Record(id) => self.record(*id).layout.as_ref()?.size,
            CType::VaList => 24,
        })
    }

    pub fn align_of(&self, id: TypeId) -> Option<u64> {
        Some(match self.get(id) {
            CType::Void | CType::Function(_) => 1,
            CType::Array { element, .. } => return self.align_of(*element),
            CType::Record(id) => self.record(*id).layout.as_ref()?.align,
            CType::VaList => 8,
            _ => {
                let size = self.size_of(id)?;
                match self.model {
                    // The System V ABI for i386 aligns at most to 4 bytes within records.
                    DataModel::Ilp32 => size.min(4),
                    DataModel::Lp64 => size,
                }
            }
        })
    }

    fn float_size(&self, kind: FloatKind) -> u64 {
        match (kind, self.model) {
            (FloatKind::Float, _) => 4,
            (FloatKind::Double, _) => 8,
            (FloatKind::LongDouble, DataModel::Lp64) => 16,
            (FloatKind::LongDouble, DataModel::Ilp32) => 12,
        }
    }

    /// What a register or a memory access of this type holds; `None` for aggregates and `void`.
    /// A `_Bool` is an `Int(8)` that is 0 or 1.
    pub fn scalar(&self, id: TypeId) -> Option<Ty> {
        Some(match self.get(id) {
            CType::Bool => Ty::Int(8),
            CType::Int(kind) => Ty::Int((kind.size(self.model) * 8) as u8),
            CType::Enum(id) => {
                Ty::Int((self.enumeration(*id).underlying.size(self.model) * 8) as u8)
            }
            CType::Float(FloatKind::Float) => Ty::F32,
            CType::Float(FloatKind::Double) => Ty::F64,
            CType::Float(FloatKind::LongDouble) => Ty::F80,
            CType::Pointer(_) => Ty::Ptr,
            CType::Void
            | CType::Function(_)
            | CType::Array { .. }
            | CType::Record(_)
            | CType::VaList => return None,
        })
    }

    /// Whether integers of this type are signed; `_Bool` and pointers are not.
    pub fn is_signed(&self, id: TypeId) -> bool {
        match self.get(id) {
            CType::Int(kind) => kind.is_signed(),
            CType::Enum(id) => self.enumeration(*id).underlying.is_signed(),
            _ => false,
        }
    }

    /// The bytes that a value of this scalar type takes in memory.
    pub fn scalar_size(&self, ty: Ty) -> u64 {
        match ty {
            Ty::Int(width) => u64::from(width).div_ceil(8),
            Ty::F32 => 4,
            Ty::F64 => 8,
            Ty::F80 => self.float_size(FloatKind::LongDouble),
            Ty::Ptr => self.model.pointer_size(),
        }
    }

    /// The type as C would write it without a name: `int (*)[3]`.
    pub fn name(&self, id: TypeId) -> String {
        self.declaration(id, "")
    }

    /// The type as C would write it around `name`: `int (*name)[3]`.
    pub fn declaration(&self, id: TypeId, name: &str) -> String {
        let spaced = |base: &str| match name {
            "" => base.to_owned(),
            _ if base.ends_with('*') => format!("{base}{name}"),
            _ => format!("{base} {name}"),
        };
        match self.get(id) {
            CType::Void => spaced("void"),
            CType::Bool => spaced("_Bool"),
            CType::Int(kind) => spaced(kind.name()),
            CType::Float(FloatKind::Float) => spaced("float"),
            CType::Float(FloatKind::Double) => spaced("double"),
            CType::Float(FloatKind::LongDouble) => spaced("long double"),
            CType::Enum(e) => spaced(&self.tagged("enum", self.enumeration(*e).tag.as_deref())),
            CType::Record(r) => {
                let record = self.record(*r);
                let keyword = if record.is_union { "union" } else { "struct" };
                spaced(&self.tagged(keyword, record.tag.as_deref()))
            }
            CType::VaList => spaced("va_list"),
            CType::Pointer(to) => {
                let star = format!("*{name}");
                match self.get(*to) {
                    CType::Array { .. } | CType::Function(_) => {
                        self.declaration(*to, &format!("({star})"))
                    }
                    _ => self.declaration(*to, &star),
                }
            }
            CType::Array { element, length } => {
                let length = match length {
                    ArrayLength::Known(n) => n.to_string(),
                    ArrayLength::Unknown => String::new(),
                    ArrayLength::Variable(_) => "*".to_owned(),
                };
                self.declaration(*element, &format!("{name}[{length}]"))
            }
            CType::Function(f) => {
                let mut text = format!("{name}(");
                for (i, &param) in f.params.iter().enumerate() {
                    let comma = if i > 0 { ", " } else { "" };
                    let _ = write!(text, "{comma}{}", self.name(param));
                }
                text.push_str(match (f.variadic, f.params.is_empty(), f.prototype) {
                    (true, true, _) => "...)",
                    (true, false, _) => ", ...)",
                    (false, true, true) => "void)",
                    _ => ")",
                });
                self.declaration(f.ret, &text)
            }
        }
    }

    fn tagged(&self, keyword: &str, tag: Option<&str>) -> String {
        format!("{keyword} {}", tag.unwrap_or("<anonymous>"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_written_as_c_writes_them() {
        let mut types = Types::new(DataModel::Lp64);
        let int = types.int(IntKind::Int);
        let pointer = types.pointer_to(int);
        let array = types.intern(CType::Array {
            element: pointer,
            length: ArrayLength::Known(3),
        });
        assert_eq!(types.declaration(array, "a"), "int *a[3]");
        let to_array = types.pointer_to(array);
        assert_eq!(types.declaration(to_array, "p"), "int *(*p)[3]");
        let function = types.intern(CType::Function(FunctionType {
            ret: pointer,
            params: vec![int, to_array],
            variadic: true,
            prototype: true,
        }));
        let callback = types.pointer_to(function);
        assert_eq!(
            types.declaration(callback, "f"),
            "int *(*f)(int, int *(*)[3], ...)"
        );
        assert_eq!(types.name(callback), "int *(*)(int, int *(*)[3], ...)");
    }

    #[test]
    fn equal_types_have_equal_ids() {
        let mut types = Types::new(DataModel::Ilp32);
        let a = types.int(IntKind::Long);
        let p = types.pointer_to(a);
        assert_eq!(types.pointer_to(a), p);
        assert_eq!((types.size_of(a), types.size_of(p)), (Some(4), Some(4)));
        assert_eq!(types.scalar(p), Some(Ty::Ptr));
    }
}
