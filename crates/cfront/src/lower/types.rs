//! From specifiers and declarators to types.

use super::Lowerer;
use super::scope::{Entry, Tag};
use crate::ast::{
    ArrayLength as AstLength, Attribute, Declarator, Derivation, EnumSpecifier, Expr, ExprKind,
    Ident, ParameterDeclaration, Parameters, RecordKind, RecordSpecifier, Specifiers, TypeName,
    TypeSpecifier,
};
use idiolect_base::{Diagnostic, Span};
use idiolect_ir::ctype::DataModel;
use idiolect_ir::ctype::{
    ArrayLength, CType, Enumeration, FloatKind, FunctionType, IntKind, Record,
};
use idiolect_ir::memory::MAX_OBJECT_SIZE;
use idiolect_ir::{Place, TypeId, Types};

/// Types that are asked for often.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Common {
    pub void: TypeId,
    pub bool_: TypeId,
    pub char_: TypeId,
    pub int: TypeId,
    pub unsigned: TypeId,
    pub double: TypeId,
    /// `size_t`
    pub size: TypeId,
    /// `ptrdiff_t`
    pub difference: TypeId,
    pub void_pointer: TypeId,
    pub va_list: TypeId,
}

impl Common {
    pub fn new(types: &mut Types) -> Self {
        let void = types.intern(CType::Void);
        let (size, difference) = match types.model {
            DataModel::Lp64 => (IntKind::ULong, IntKind::Long),
            DataModel::Ilp32 => (IntKind::UInt, IntKind::Int),
        };
        Self {
            void,
            bool_: types.intern(CType::Bool),
            char_: types.int(IntKind::Char),
            int: types.int(IntKind::Int),
            unsigned: types.int(IntKind::UInt),
            double: types.intern(CType::Float(FloatKind::Double)),
            size: types.int(size),
            difference: types.int(difference),
            void_pointer: types.pointer_to(void),
            va_list: types.intern(CType::VaList),
        }
    }
}

/// Before the name of the parts in the tag of a complex type.
const COMPLEX: &str = "_Complex ";

/// How lengths of arrays that are not constant are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LengthMode {
    /// Computed here, into a register.
    Compute,
    /// Unknown: in prototypes.
    Forget,
    /// An error: at file level and in records.
    Reject,
}

impl<'a> Lowerer<'a> {
    /// The type of specifiers alone. `alone` says that no declarator follows, so that `struct s;`
    /// declares a new `s`.
    pub fn specified_type(&mut self, specifiers: &'a Specifiers, alone: bool) -> TypeId {
        let ty = self.specifier(&specifiers.ty, alone, specifiers.span);
        self.attributed(ty, &specifiers.attributes, specifiers.span)
    }

    fn specifier(&mut self, specifier: &'a TypeSpecifier, alone: bool, span: Span) -> TypeId {
        use TypeSpecifier as S;
        let kind = match specifier {
            S::Void => return self.common.void,
            S::Bool => return self.common.bool_,
            S::Char => IntKind::Char,
            S::SignedChar => IntKind::SChar,
            S::UnsignedChar => IntKind::UChar,
            S::Short => IntKind::Short,
            S::UnsignedShort => IntKind::UShort,
            S::Int | S::ImplicitInt | S::Error => IntKind::Int,
            S::UnsignedInt => IntKind::UInt,
            S::Long => IntKind::Long,
            S::UnsignedLong => IntKind::ULong,
            S::LongLong => IntKind::LongLong,
            S::UnsignedLongLong => IntKind::ULongLong,
            S::Int128 => IntKind::Int128,
            S::UnsignedInt128 => IntKind::UInt128,
            S::Float => return self.types.intern(CType::Float(FloatKind::Float)),
            S::Double => return self.common.double,
            S::LongDouble | S::Float128 => {
                return self.types.intern(CType::Float(FloatKind::LongDouble));
            }
            S::Complex(element) => {
                let element = self.specifier(element, false, span);
                return self.complex(element);
            }
            S::Record(record) => return self.record_specifier(record, alone),
            S::Enum(specifier) => return self.enum_specifier(specifier),
            S::TypedefName(name) => return self.typedef_name(*name),
            S::TypeofExpr(expr) => return self.type_of(expr),
            S::TypeofType(name) | S::Atomic(name) => return self.type_name(name),
            // The declaration looks at its initializer; without one this is an `int`.
            S::AutoType => IntKind::Int,
            S::VaList => return self.common.va_list,
        };
        let _ = span;
        self.types.int(kind)
    }

    fn typedef_name(&mut self, name: Ident) -> TypeId {
        match self.lookup(name.symbol) {
            Some(Entry::Typedef { ty, .. }) => ty,
            Some(_) => {
                let text = self.name(name.symbol).to_owned();
                self.error(
                    "c::not-a-type",
                    name.span,
                    format!("`{text}` is not a type"),
                );
                self.common.int
            }
            None => match self.name(name.symbol) {
                "__builtin_va_list" | "__gnuc_va_list" | "va_list" => self.common.va_list,
                _ => {
                    self.undeclared(name);
                    self.common.int
                }
            },
        }
    }

    /// Whether an object declared so may not be written to.
    pub fn is_const(&self, specifiers: &Specifiers, declarator: &Declarator) -> bool {
        for derivation in &declarator.derivations {
            match derivation {
                Derivation::Pointer(qualifiers) => return qualifiers.is_const,
                Derivation::Array { .. } => {}
                Derivation::Function(_) => return false,
            }
        }
        self.specifies_const(specifiers)
    }

    pub fn specifies_const(&self, specifiers: &Specifiers) -> bool {
        specifiers.qualifiers.is_const
            || match &specifiers.ty {
                TypeSpecifier::TypedefName(name) => {
                    matches!(
                        self.lookup(name.symbol),
                        Some(Entry::Typedef { is_const: true, .. })
                    )
                }
                _ => false,
            }
    }

    /// A type whose values we move but do not understand.
    fn opaque(&mut self, tag: &str, size: u64, align: u64) -> TypeId {
        let known = (0..self.types.n_records())
            .map(idiolect_ir::ctype::RecordId::new)
            .find(|&r| {
                let record = self.types.record(r);
                record.tag.as_deref() == Some(tag)
                    && record.layout.as_ref().is_some_and(|l| l.size == size)
            });
        let record = known.unwrap_or_else(|| {
            self.types.add_record(Record {
                is_union: false,
                tag: Some(tag.to_owned()),
                layout: Some(idiolect_ir::ctype::RecordLayout {
                    fields: Vec::new(),
                    size,
                    align,
                }),
            })
        });
        self.types.intern(CType::Record(record))
    }

    /// Two numbers of this type, the real part first.
    pub fn complex(&mut self, element: TypeId) -> TypeId {
        let tag = format!("{COMPLEX}{}", self.types.name(element));
        let size = self.types.size_of(element).unwrap_or(8);
        let align = self.types.align_of(element).unwrap_or(8);
        let ty = self.opaque(&tag, 2 * size, align);
        if let Some(record) = self.record_of(ty) {
            self.complex_elements.insert(record, element);
        }
        ty
    }

    /// What the parts of a complex number are.
    pub fn complex_element(&self, ty: TypeId) -> Option<TypeId> {
        self.complex_elements.get(&self.record_of(ty)?).copied()
    }

    /// Attributes that make another type: `mode` and `vector_size`.
    fn attributed(&mut self, ty: TypeId, attributes: &'a [Attribute], span: Span) -> TypeId {
        let mut ty = ty;
        for attribute in attributes {
            match self.name(attribute.name.symbol) {
                "mode" => ty = self.mode(ty, attribute),
                "vector_size" => {
                    let size = attribute
                        .arguments
                        .first()
                        .and_then(|e| self.constant_int(e));
                    let size = size.unwrap_or(16).clamp(1, 4096) as u64;
                    ty = self.opaque("<vector>", size, size.clamp(1, 16));
                }
                _ => {}
            }
        }
        let _ = span;
        ty
    }

    fn mode(&mut self, ty: TypeId, attribute: &Attribute) -> TypeId {
        let Some(ExprKind::Ident(mode)) = attribute.arguments.first().map(|e| &e.kind) else {
            return ty;
        };
        let signed = self.types.is_signed(ty);
        let kind = match self.name(*mode).trim_matches('_') {
            "QI" | "byte" => [IntKind::UChar, IntKind::SChar],
            "HI" => [IntKind::UShort, IntKind::Short],
            "SI" => [IntKind::UInt, IntKind::Int],
            "DI" => match self.types.model {
                DataModel::Lp64 => [IntKind::ULong, IntKind::Long],
                DataModel::Ilp32 => [IntKind::ULongLong, IntKind::LongLong],
            },
            "TI" => [IntKind::UInt128, IntKind::Int128],
            "word" | "pointer" => [IntKind::ULong, IntKind::Long],
            "SF" => return self.types.intern(CType::Float(FloatKind::Float)),
            "DF" => return self.common.double,
            "XF" | "TF" => return self.types.intern(CType::Float(FloatKind::LongDouble)),
            _ => return ty,
        };
        self.types.int(kind[usize::from(signed)])
    }

    pub fn type_name(&mut self, name: &'a TypeName) -> TypeId {
        let base = self.specified_type(&name.specifiers, false);
        let mode = if self.body.function.is_some() {
            LengthMode::Compute
        } else {
            LengthMode::Reject
        };
        self.declared_type(base, &name.declarator, mode)
    }

    /// The type of a declarator on top of its specifiers' type.
    pub fn declared_type(
        &mut self,
        base: TypeId,
        declarator: &'a Declarator,
        mode: LengthMode,
    ) -> TypeId {
        let mut ty = base;
        for derivation in declarator.derivations.iter().rev() {
            ty = match derivation {
                Derivation::Pointer(_) => self.types.pointer_to(ty),
                Derivation::Array { length, .. } => {
                    self.array_type(ty, length, mode, declarator.span)
                }
                Derivation::Function(parameters) => {
                    self.function_type(ty, parameters, declarator.span)
                }
            };
        }
        self.attributed(ty, &declarator.attributes, declarator.span)
    }

    fn array_type(
        &mut self,
        element: TypeId,
        length: &'a AstLength,
        mode: LengthMode,
        span: Span,
    ) -> TypeId {
        let bad_element = match self.types.get(element) {
            CType::Void => Some("no elements of type `void`"),
            CType::Function(_) => Some("no functions as elements"),
            _ => None,
        };
        if let Some(why) = bad_element {
            self.error("c::array-element", span, format!("an array has {why}"));
            return element;
        }
        let length = match length {
            AstLength::Unknown | AstLength::Star => ArrayLength::Unknown,
            AstLength::Expr(expr) => self.array_length(expr, mode),
        };
        if let ArrayLength::Known(n) = length {
            let element_size = self.types.size_of(element).unwrap_or(1).max(1);
            if n.saturating_mul(element_size) >= MAX_OBJECT_SIZE {
                let message = format!("an array of {n} elements is too large");
                let diagnostic = Diagnostic::error("c::array-size", span, message)
                    .with_help("objects have less than 2 GiB");
                self.diagnostics.push(diagnostic);
                return self.types.intern(CType::Array {
                    element,
                    length: ArrayLength::Known(1),
                });
            }
        }
        self.types.intern(CType::Array { element, length })
    }

    fn array_length(&mut self, expr: &'a Expr, mode: LengthMode) -> ArrayLength {
        if mode != LengthMode::Compute || !self.is_runtime(expr) {
            let n_diagnostics = self.diagnostics.len();
            let value = self.constant_int_quietly(expr);
            if mode == LengthMode::Forget {
                // It may name parameters, which are not declared yet.
                self.diagnostics.truncate(n_diagnostics);
            }
            return match value {
                Some(n) if n >= 0 => ArrayLength::Known(n as u64),
                Some(n) => {
                    let message = format!("an array cannot have {n} elements");
                    self.error("c::array-size", expr.span, message);
                    ArrayLength::Known(1)
                }
                None if mode == LengthMode::Forget => ArrayLength::Unknown,
                None => {
                    self.error(
                        "c::array-length",
                        expr.span,
                        "the length of this array is not a constant",
                    );
                    ArrayLength::Known(1)
                }
            };
        }
        let value = self.rvalue(expr);
        let value = self.convert(value, self.common.difference, expr.span);
        let ty = self.body.ty(value.expr);
        let local = self.body.temporary(ty, self.common.difference, expr.span);
        self.body.assign(Place::Local(local), value.expr, expr.span);
        ArrayLength::Variable(local)
    }

    /// Whether the expression is not a constant.
    fn is_runtime(&mut self, expr: &'a Expr) -> bool {
        !matches!(expr.kind, ExprKind::Int { .. }) && self.constant_int_quietly(expr).is_none()
    }

    fn function_type(&mut self, ret: TypeId, parameters: &'a Parameters, span: Span) -> TypeId {
        let ret = match self.types.get(ret) {
            CType::Array { .. } | CType::Function(_) => {
                self.error(
                    "c::return-type",
                    span,
                    "a function returns no arrays or functions",
                );
                self.common.int
            }
            _ => ret,
        };
        let function = match parameters {
            Parameters::Unspecified | Parameters::Names(_) => FunctionType {
                ret,
                params: Vec::new(),
                variadic: false,
                prototype: false,
            },
            Parameters::Prototype {
                parameters,
                variadic,
            } => {
                self.push_scope(span);
                let mut params = Vec::with_capacity(parameters.len());
                for parameter in parameters {
                    params.push(self.parameter_type(parameter, LengthMode::Forget));
                }
                self.pop_scope();
                if params == [self.common.void] {
                    params.clear();
                }
                FunctionType {
                    ret,
                    params,
                    variadic: *variadic,
                    prototype: true,
                }
            }
        };
        self.types.intern(CType::Function(function))
    }

    /// The type of a parameter after C's adjustments. Its name becomes visible to the parameters
    /// after it where it is a constant or a type, which it never is; so nothing is declared.
    pub fn parameter_type(
        &mut self,
        parameter: &'a ParameterDeclaration,
        mode: LengthMode,
    ) -> TypeId {
        let base = self.specified_type(&parameter.specifiers, false);
        let ty = self.declared_type_of_parameter(base, &parameter.declarator, mode);
        self.adjusted(ty)
    }

    /// As [`Lowerer::declared_type`], but the outermost length is of no matter.
    fn declared_type_of_parameter(
        &mut self,
        base: TypeId,
        declarator: &'a Declarator,
        mode: LengthMode,
    ) -> TypeId {
        let mut ty = base;
        for (i, derivation) in declarator.derivations.iter().enumerate().rev() {
            ty = match derivation {
                Derivation::Array { .. } if i == 0 => self.types.pointer_to(ty),
                Derivation::Pointer(_) => self.types.pointer_to(ty),
                Derivation::Array { length, .. } => {
                    self.array_type(ty, length, mode, declarator.span)
                }
                Derivation::Function(parameters) => {
                    self.function_type(ty, parameters, declarator.span)
                }
            };
        }
        self.attributed(ty, &declarator.attributes, declarator.span)
    }

    /// Parameters that are arrays, functions or `va_list`s are pointers.
    pub fn adjusted(&mut self, ty: TypeId) -> TypeId {
        match *self.types.get(ty) {
            CType::Array { element, .. } => self.types.pointer_to(element),
            CType::Function(_) | CType::VaList => self.types.pointer_to(ty),
            _ => ty,
        }
    }

    fn record_specifier(&mut self, specifier: &'a RecordSpecifier, alone: bool) -> TypeId {
        let is_union = specifier.kind == RecordKind::Union;
        let id = match specifier.tag {
            None => self.new_record(is_union, None),
            Some(tag) => {
                let found = if specifier.fields.is_some() || alone {
                    self.scope().tags.get(&tag.symbol).copied()
                } else {
                    self.lookup_tag(tag.symbol)
                };
                match found {
                    Some(Tag::Record(id)) if self.types.record(id).is_union == is_union => id,
                    Some(_) => {
                        let name = self.name(tag.symbol).to_owned();
                        let message = format!("`{name}` is the tag of another kind of type");
                        self.error("c::tag-kind", tag.span, message);
                        self.new_record(is_union, Some(name))
                    }
                    None => {
                        let name = self.name(tag.symbol).to_owned();
                        let id = self.new_record(is_union, Some(name));
                        self.scope().tags.insert(tag.symbol, Tag::Record(id));
                        id
                    }
                }
            }
        };
        if let Some(fields) = &specifier.fields {
            if self.types.record(id).layout.is_some() {
                let name = self.types.record(id).tag.clone().unwrap_or_default();
                let message = format!("`{name}` is defined twice");
                self.error("c::redefinition", specifier.span, message);
            } else {
                let most = self.packing.at(self.sources, specifier.span);
                let layout = self.record_layout(is_union, fields, &specifier.attributes, most);
                self.types.record_mut(id).layout = Some(layout);
            }
        }
        self.types.intern(CType::Record(id))
    }

    fn new_record(&mut self, is_union: bool, tag: Option<String>) -> idiolect_ir::ctype::RecordId {
        self.types.add_record(Record {
            is_union,
            tag,
            layout: None,
        })
    }

    fn enum_specifier(&mut self, specifier: &'a EnumSpecifier) -> TypeId {
        let found = specifier.tag.and_then(|tag| {
            if specifier.enumerators.is_some() {
                self.scope().tags.get(&tag.symbol).copied()
            } else {
                self.lookup_tag(tag.symbol)
            }
        });
        let id = match found {
            Some(Tag::Enum(id)) => id,
            _ => {
                let tag = specifier.tag.map(|t| self.name(t.symbol).to_owned());
                let id = self.types.add_enum(Enumeration {
                    tag,
                    underlying: IntKind::UInt,
                    enumerators: Vec::new(),
                    complete: false,
                });
                if let Some(tag) = specifier.tag {
                    self.scope().tags.insert(tag.symbol, Tag::Enum(id));
                }
                id
            }
        };
        let ty = self.types.intern(CType::Enum(id));
        let fixed = specifier.underlying.as_ref().map(|name| {
            let underlying = self.type_name(name);
            match self.types.get(underlying) {
                CType::Int(kind) => *kind,
                _ => IntKind::Int,
            }
        });
        if let Some(kind) = fixed {
            self.types.enumeration_mut(id).underlying = kind;
        }
        if let Some(enumerators) = &specifier.enumerators {
            let packed = self.has_attribute(&specifier.attributes, "packed");
            let mut next = 0i128;
            let mut list = Vec::with_capacity(enumerators.len());
            for enumerator in enumerators {
                if let Some(value) = &enumerator.value {
                    next = self.constant_int(value).unwrap_or(next);
                }
                let symbol = enumerator.name.symbol;
                let fits = i32::try_from(next).is_ok();
                let entry_ty = if fits {
                    self.common.int
                } else {
                    self.wide_enumerator(next)
                };
                self.declare(
                    symbol,
                    Entry::Enumerator {
                        value: next,
                        ty: entry_ty,
                    },
                );
                list.push((self.name(symbol).to_owned(), next));
                next = next.wrapping_add(1);
            }
            let model = self.types.model;
            let underlying = fixed.unwrap_or_else(|| underlying_of(&list, packed, model));
            // Behind the brace, those that do not fit into an int have the type of the enumeration; with a type that is given, all have.
            let own = self.types.int(underlying);
            for (enumerator, &(_, value)) in enumerators.iter().zip(&list) {
                if fixed.is_some() || i32::try_from(value).is_err() {
                    self.declare(enumerator.name.symbol, Entry::Enumerator { value, ty: own });
                }
            }
            let enumeration = self.types.enumeration_mut(id);
            enumeration.underlying = underlying;
            enumeration.enumerators = list;
            enumeration.complete = true;
        }
        ty
    }

    fn wide_enumerator(&mut self, value: i128) -> TypeId {
        let kind = if u32::try_from(value).is_ok() {
            IntKind::UInt
        } else if i64::try_from(value).is_ok() {
            IntKind::LongLong
        } else {
            IntKind::ULongLong
        };
        let kind = match (kind, self.types.model) {
            (IntKind::LongLong, DataModel::Lp64) => IntKind::Long,
            (IntKind::ULongLong, DataModel::Lp64) => IntKind::ULong,
            _ => kind,
        };
        self.types.int(kind)
    }

    pub fn has_attribute(&self, attributes: &[Attribute], name: &str) -> bool {
        attributes.iter().any(|a| self.name(a.name.symbol) == name)
    }
}

/// The type that GCC picks: the first of these that holds every value.
fn underlying_of(values: &[(String, i128)], packed: bool, model: DataModel) -> IntKind {
    let low = values.iter().map(|v| v.1).min().unwrap_or(0);
    let high = values.iter().map(|v| v.1).max().unwrap_or(0);
    let small: &[(IntKind, i128, i128)] = &[
        (IntKind::UChar, 0, 0xff),
        (IntKind::SChar, -0x80, 0x7f),
        (IntKind::UShort, 0, 0xffff),
        (IntKind::Short, -0x8000, 0x7fff),
    ];
    let wide = match model {
        DataModel::Lp64 => [IntKind::Long, IntKind::ULong],
        DataModel::Ilp32 => [IntKind::LongLong, IntKind::ULongLong],
    };
    let usual: &[(IntKind, i128, i128)] = &[
        (IntKind::UInt, 0, u32::MAX as i128),
        (IntKind::Int, i32::MIN as i128, i32::MAX as i128),
        (wide[1], 0, u64::MAX as i128),
    ];
    let choices = if packed { small } else { &[] };
    let found = choices
        .iter()
        .chain(usual)
        .find(|c| c.1 <= low && high <= c.2);
    found.map_or(wide[0], |c| c.0)
}
