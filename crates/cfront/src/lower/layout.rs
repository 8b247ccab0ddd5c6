//! Where the fields of records lie, by the System V ABI for x86-64 and i386 as GCC has it.

use super::Lowerer;
use super::scope::Entry;
use super::types::LengthMode;
use crate::ast::{
    Alignment, Attribute, Declarator, Derivation, FieldDeclaration, Specifiers, TypeSpecifier,
};
use idiolect_base::{Diagnostic, Span};
use idiolect_ir::TypeId;
use idiolect_ir::ctype::{ArrayLength, BitField, CType, Field, RecordId, RecordLayout};
use idiolect_ir::memory::MAX_OBJECT_SIZE;

/// A field as seen from the outermost record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FoundField {
    pub ty: TypeId,
    pub offset: u64,
    pub bits: Option<BitField>,
}

/// Places fields one after the other.
struct Layout {
    is_union: bool,
    packed: bool,
    /// The largest alignment of a field, by `#pragma pack`.
    most: u64,
    fields: Vec<Field>,
    /// The first free bit.
    next: u64,
    /// The highest bit used by any field.
    size_bits: u64,
    align: u64,
}

impl Layout {
    fn start(&mut self) {
        if self.is_union {
            self.next = 0;
        }
    }

    fn finish(&mut self) {
        self.size_bits = self.size_bits.max(self.next);
    }

    fn field(&mut self, name: Option<String>, ty: TypeId, size: u64, align: u64) {
        self.start();
        self.next = self.next.next_multiple_of(align * 8);
        let offset = self.next / 8;
        self.next = self.next.saturating_add(size.saturating_mul(8));
        self.align = self.align.max(align);
        self.finish();
        self.fields.push(Field {
            name,
            ty,
            offset,
            bits: None,
        });
    }

    /// A bit-field must not cross a boundary of its declared type, unless packed; one of width 0
    /// only moves to the next such boundary. Unnamed ones do not align the record. Under
    /// `#pragma pack` any boundary may be crossed, and `packed` does not keep it from aligning
    /// the record.
    fn bit_field(&mut self, name: Option<String>, ty: TypeId, width: u8, size: u64, align: u64) {
        self.start();
        let (unit, boundary) = (size * 8, align * 8);
        if width == 0 {
            self.next = self.next.next_multiple_of(boundary);
            self.finish();
            return;
        }
        let is_limited = self.most != u64::MAX;
        let within = self.next % boundary;
        if !self.packed
            && !is_limited
            && (within + u64::from(width)).div_ceil(boundary) > unit / boundary
        {
            self.next = self.next.next_multiple_of(boundary);
        }
        let first = self.next;
        self.next += u64::from(width);
        self.finish();
        if name.is_none() {
            return;
        }
        if is_limited || !self.packed {
            self.align = self.align.max(align.min(self.most));
        }
        self.fields.push(Field {
            name,
            ty,
            offset: first / 8,
            bits: Some(BitField {
                offset: (first % 8) as u8,
                width,
            }),
        });
    }

    fn done(self, least_align: u64) -> RecordLayout {
        let align = self.align.max(least_align);
        RecordLayout {
            fields: self.fields,
            size: self.size_bits.div_ceil(8).next_multiple_of(align),
            align,
        }
    }
}

impl<'a> Lowerer<'a> {
    pub fn record_layout(
        &mut self,
        is_union: bool,
        declarations: &'a [FieldDeclaration],
        attributes: &'a [Attribute],
        most: Option<u64>,
    ) -> RecordLayout {
        let packed = self.has_attribute(attributes, "packed");
        let mut layout = Layout {
            is_union,
            packed,
            most: most.unwrap_or(u64::MAX),
            fields: Vec::new(),
            next: 0,
            size_bits: 0,
            align: 1,
        };
        for declaration in declarations {
            if let Some(assertion) = &declaration.static_assert {
                self.static_assert(assertion);
                continue;
            }
            let alone = declaration.declarators.is_empty();
            let base = self.specified_type(&declaration.specifiers, false);
            if alone {
                if matches!(self.types.get(base), CType::Record(_)) {
                    self.place(&mut layout, declaration, None, base, true, &[]);
                }
                continue;
            }
            for field in &declaration.declarators {
                let mode = if self.body.function.is_some() {
                    LengthMode::Compute
                } else {
                    LengthMode::Reject
                };
                let ty = self.declared_type(base, &field.declarator, mode);
                let ty = self.of_fixed_size(ty, field.declarator.span);
                let name = field
                    .declarator
                    .name
                    .map(|n| self.name(n.symbol).to_owned());
                match &field.width {
                    Some(width) => {
                        let width_value = self.constant_int(width).unwrap_or(1);
                        let size = self.types.size_of(ty).unwrap_or(4);
                        let most = match self.types.get(ty) {
                            CType::Bool => 1,
                            CType::Int(_) | CType::Enum(_) => size * 8,
                            _ => 0,
                        };
                        if width_value < 0 || width_value as u64 > most {
                            let message = format!(
                                "a bit-field of type `{}` cannot have {width_value} bits",
                                self.types.name(ty)
                            );
                            self.error("c::bit-field-width", width.span, message);
                            continue;
                        }
                        let own = self.has_attribute(&field.declarator.attributes, "packed")
                            || self.has_attribute(&declaration.specifiers.attributes, "packed");
                        let align = self.types.align_of(ty).unwrap_or(1);
                        layout.packed = packed || own;
                        layout.bit_field(name, ty, width_value as u8, size, align);
                        layout.packed = packed;
                    }
                    None => self.place(
                        &mut layout,
                        declaration,
                        name,
                        ty,
                        is_direct(&field.declarator),
                        &field.declarator.attributes,
                    ),
                }
            }
        }
        let least = self.attribute_alignment(attributes).unwrap_or(1);
        let layout = layout.done(least);
        if layout.size >= MAX_OBJECT_SIZE {
            let span = declarations
                .first()
                .map(|d| d.span)
                .unwrap_or(idiolect_base::Span::NOWHERE);
            self.error("c::record-size", span, "this record is too large");
            return RecordLayout { size: 1, ..layout };
        }
        layout
    }

    /// GNU C has members of variable length; a run gives up where the record is declared.
    fn of_fixed_size(&mut self, ty: TypeId, span: Span) -> TypeId {
        if !self.is_variable(ty) {
            return ty;
        }
        self.unmodelled("records with members of variable length", span);
        self.with_one_element(ty)
    }

    fn with_one_element(&mut self, ty: TypeId) -> TypeId {
        let CType::Array { element, length } = *self.types.get(ty) else {
            return ty;
        };
        let element = self.with_one_element(element);
        let length = match length {
            ArrayLength::Variable(_) => ArrayLength::Known(1),
            length => length,
        };
        self.types.intern(CType::Array { element, length })
    }

    fn place(
        &mut self,
        layout: &mut Layout,
        declaration: &'a FieldDeclaration,
        name: Option<String>,
        mut ty: TypeId,
        is_direct: bool,
        attributes: &'a [Attribute],
    ) {
        self.has_atomic_members |= self.specifies_atomic(&declaration.specifiers);
        let is_flexible = matches!(
            self.types.get(ty),
            CType::Array {
                length: ArrayLength::Unknown,
                ..
            }
        );
        let size = match self.types.size_of(ty) {
            Some(size) => size,
            None if is_flexible => 0,
            None => {
                let what = match &name {
                    Some(name) => format!("field `{name}`"),
                    None => "a field without a name".to_owned(),
                };
                let message = format!("{what} has the incomplete type `{}`", self.types.name(ty));
                let diagnostic = Diagnostic::error("c::incomplete-type", declaration.span, message)
                    .with_help("define the type before this record");
                self.diagnostics.push(diagnostic);
                // A record that holds itself would be searched for ever.
                ty = self.common.int;
                0
            }
        };
        let own = self.has_attribute(attributes, "packed")
            || self.has_attribute(&declaration.specifiers.attributes, "packed");
        let natural = self.types.align_of(ty).unwrap_or(1);
        let mut align = if layout.packed || own { 1 } else { natural };
        let written = [
            self.attribute_alignment(attributes).unwrap_or(1),
            self.specified_alignment(&declaration.specifiers, is_direct),
        ];
        for more in written {
            align = align.max(more);
        }
        let align = align.min(layout.most);
        layout.field(name, ty, size, align);
    }

    /// The largest alignment that `aligned` attributes ask for.
    pub fn attribute_alignment(&mut self, attributes: &'a [Attribute]) -> Option<u64> {
        let mut most = None;
        for attribute in attributes {
            if self.name(attribute.name.symbol) == "aligned" {
                let align = match attribute.arguments.first() {
                    Some(expr) => self.constant_int(expr).unwrap_or(1),
                    None => 16,
                };
                most = most.max(valid_alignment(align));
            }
        }
        most
    }

    /// The alignment that a declaration asks for, beyond that of its type.
    pub fn written_alignment(
        &mut self,
        specifiers: &'a Specifiers,
        declarator: &'a Declarator,
    ) -> u64 {
        let own = self
            .attribute_alignment(&declarator.attributes)
            .unwrap_or(1);
        own.max(self.specified_alignment(specifiers, is_direct(declarator)))
    }

    /// That of the specifiers; a typedef's counts only if the declarator is of its type.
    pub fn specified_alignment(&mut self, specifiers: &'a Specifiers, is_direct: bool) -> u64 {
        let typedef = match &specifiers.ty {
            TypeSpecifier::TypedefName(name) if is_direct => match self.lookup(name.symbol) {
                Some(Entry::Typedef { align, .. }) => align,
                _ => 1,
            },
            _ => 1,
        };
        let attribute = self.attribute_alignment(&specifiers.attributes);
        let alignas = self.alignas(&specifiers.alignas);
        typedef
            .max(attribute.unwrap_or(1))
            .max(alignas.unwrap_or(1))
    }

    pub fn alignas(&mut self, list: &'a [Alignment]) -> Option<u64> {
        let mut most = None;
        for alignment in list {
            let align = match alignment {
                Alignment::Type(name) => {
                    let ty = self.type_name(name);
                    i128::from(self.types.align_of(ty).unwrap_or(1))
                }
                Alignment::Expr(expr) => self.constant_int(expr).unwrap_or(1),
            };
            most = most.max(valid_alignment(align));
        }
        most
    }

    /// Finds a field by name, also in anonymous members.
    pub fn find_field(
        &mut self,
        record: RecordId,
        name: crate::symbols::Symbol,
    ) -> Option<FoundField> {
        if let Some(&found) = self.field_cache.get(&(record, name)) {
            return Some(found);
        }
        let found = self.search_field(record, self.symbols.name(name))?;
        self.field_cache.insert((record, name), found);
        Some(found)
    }

    fn search_field(&self, record: RecordId, name: &str) -> Option<FoundField> {
        let layout = self.types.record(record).layout.as_ref()?;
        for field in &layout.fields {
            match (&field.name, self.types.get(field.ty)) {
                (Some(own), _) if own == name => {
                    return Some(FoundField {
                        ty: field.ty,
                        offset: field.offset,
                        bits: field.bits,
                    });
                }
                (None, CType::Record(inner)) => {
                    if let Some(found) = self.search_field(*inner, name) {
                        return Some(FoundField {
                            offset: field.offset + found.offset,
                            ..found
                        });
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// All names that can follow the dot.
    pub fn field_names(&self, record: RecordId) -> Vec<String> {
        let mut names = Vec::new();
        if let Some(layout) = &self.types.record(record).layout {
            for field in &layout.fields {
                match (&field.name, self.types.get(field.ty)) {
                    (Some(name), _) => names.push(name.clone()),
                    (None, CType::Record(inner)) => names.extend(self.field_names(*inner)),
                    _ => {}
                }
            }
        }
        names
    }
}

fn valid_alignment(align: i128) -> Option<u64> {
    let align = u64::try_from(align).ok()?;
    (align.is_power_of_two() && align <= 1 << 28).then_some(align)
}

/// Whether the declared type is that of the specifiers, or an array of it.
fn is_direct(declarator: &Declarator) -> bool {
    let mut derivations = declarator.derivations.iter();
    derivations.all(|d| matches!(d, Derivation::Array { .. }))
}
