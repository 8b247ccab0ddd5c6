//! Places: variables, dereferences, elements, members, and what is read from and written to them.

use super::Lowerer;
use super::convert::Value;
use super::scope::Entry;
use crate::ast::{Expr, ExprKind, Ident, UnaryOp};
use idiolect_base::{Diagnostic, Span};
use idiolect_ir::ctype::{ArrayLength, BitField, CType};
use idiolect_ir::{
    BinaryOp, ConvertOp, ExprId, ExprKind as IrKind, LocalId, LocalStorage, Place, StmtKind, Ty,
    TypeId,
};

#[derive(Clone, Copy, Debug)]
pub(crate) enum LPlace {
    Register(LocalId),
    Memory(ExprId),
    Bits { address: ExprId, field: BitField },
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct LValue {
    pub place: LPlace,
    pub ty: TypeId,
}

/// The integer that holds all bits of a bit-field.
fn unit_of(field: BitField) -> Ty {
    Ty::Int((u16::from(field.offset) + u16::from(field.width)).div_ceil(8) as u8 * 8)
}

impl<'a> Lowerer<'a> {
    pub fn lvalue(&mut self, expr: &'a Expr) -> LValue {
        match &expr.kind {
            ExprKind::Ident(symbol) => {
                let ident = Ident {
                    symbol: *symbol,
                    span: expr.span,
                };
                self.variable(ident)
            }
            ExprKind::Unary(UnaryOp::Deref, inner) => {
                let pointer = self.rvalue(inner);
                self.dereference(pointer, expr.span)
            }
            ExprKind::Index(..) => {
                let address = self.element(expr);
                self.dereference(address, expr.span)
            }
            ExprKind::Member { base, field, arrow } => self.member(base, *field, *arrow, expr.span),
            ExprKind::CompoundLiteral(name, list) => self.compound_literal(name, list, expr.span),
            ExprKind::String { units, encoding } => {
                let (global, ty) = self.string_literal(units, *encoding, expr.span);
                let address = self
                    .body
                    .add(IrKind::GlobalAddress(global), Ty::Ptr, expr.span);
                LValue {
                    place: LPlace::Memory(address),
                    ty,
                }
            }
            ExprKind::Generic { control, arms } => match self.generic_arm(control, arms, expr.span)
            {
                Some(arm) => self.lvalue(arm),
                None => self.no_place(expr.span),
            },
            ExprKind::Choose(condition, a, b) => {
                let chosen = self.constant_int(condition).unwrap_or(0) != 0;
                self.lvalue(if chosen { a } else { b })
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.lvalue(second)
            }
            ExprKind::Unary(op @ (UnaryOp::Real | UnaryOp::Imag), inner) => {
                self.complex_part(*op, inner, expr.span)
            }
            _ => {
                let value = self.rvalue(expr);
                // A record that a call returned lies in a temporary.
                if self.types.scalar(value.ty).is_none() && !self.is_void(value.ty) {
                    return LValue {
                        place: LPlace::Memory(value.expr),
                        ty: value.ty,
                    };
                }
                // GCC once had casts as lvalues; to write to one is now an error there too.
                self.error(
                    "c::not-an-lvalue",
                    expr.span,
                    "this is not something to assign to",
                );
                let address = self.memory_temporary(value.ty, expr.span);
                LValue {
                    place: LPlace::Memory(address),
                    ty: value.ty,
                }
            }
        }
    }

    /// `__real__ z` and `__imag__ z`, which lie one behind the other.
    fn complex_part(&mut self, op: UnaryOp, inner: &'a Expr, span: Span) -> LValue {
        let whole = self.lvalue(inner);
        let (LPlace::Memory(address), Some(ty)) = (whole.place, self.complex_element(whole.ty))
        else {
            if op == UnaryOp::Imag {
                let message = "only a complex number has an imaginary part to assign to";
                self.error("c::not-an-lvalue", span, message);
            }
            return whole;
        };
        let size = self.types.size_of(ty).unwrap_or(0);
        let offset = if op == UnaryOp::Imag { size } else { 0 };
        let width = self.pointer_width();
        let place = LPlace::Memory(self.body.offset(address, offset, width, span));
        LValue { place, ty }
    }

    /// What stands for a place after an error.
    pub fn no_place(&mut self, span: Span) -> LValue {
        let address = self.memory_temporary(self.common.int, span);
        LValue {
            place: LPlace::Memory(address),
            ty: self.common.int,
        }
    }

    fn variable(&mut self, ident: Ident) -> LValue {
        match self.lookup(ident.symbol) {
            Some(Entry::Local(local)) => self.local_lvalue(local, ident.span),
            Some(Entry::Object { object, ty }) => {
                self.named_in_doubt(object, ident.span);
                let address = self.object_address(object, ident.span);
                LValue {
                    place: LPlace::Memory(address),
                    ty,
                }
            }
            Some(Entry::Function { function, ty }) => {
                let address = self.function_address(function, ident.span);
                LValue {
                    place: LPlace::Memory(address),
                    ty,
                }
            }
            Some(Entry::Enumerator { .. }) => {
                let name = self.name(ident.symbol).to_owned();
                let message = format!("`{name}` is a constant, not a variable");
                self.error("c::not-an-lvalue", ident.span, message);
                self.no_place(ident.span)
            }
            Some(Entry::Typedef { .. }) => {
                let name = self.name(ident.symbol).to_owned();
                let message = format!("`{name}` is a type, not a value");
                self.error("c::not-a-value", ident.span, message);
                self.no_place(ident.span)
            }
            None => match self.predefined(ident) {
                Some(lvalue) => lvalue,
                None => {
                    self.undeclared(ident);
                    self.no_place(ident.span)
                }
            },
        }
    }

    /// `__func__`, and functions that the library has or the compiler knows.
    fn predefined(&mut self, ident: Ident) -> Option<LValue> {
        let name = self.name(ident.symbol);
        if matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            let units: Vec<u32> = self.body.name.bytes().map(u32::from).collect();
            let encoding = crate::ast::LiteralEncoding::Char;
            let (global, ty) = self.string_literal(&units, encoding, ident.span);
            let address = self
                .body
                .add(IrKind::GlobalAddress(global), Ty::Ptr, ident.span);
            return Some(LValue {
                place: LPlace::Memory(address),
                ty,
            });
        }
        let (function, ty) = self.library_function(ident.symbol)?;
        let address = self.function_address(function, ident.span);
        Some(LValue {
            place: LPlace::Memory(address),
            ty,
        })
    }

    pub fn local_lvalue(&mut self, local: LocalId, span: Span) -> LValue {
        let (ty, storage) = {
            let local = &self.body.locals[local.index()];
            (local.ty, local.storage)
        };
        let place = match storage {
            LocalStorage::Register(Ty::Ptr) if self.types.scalar(ty).is_none() => {
                LPlace::Memory(self.body.read(local, Ty::Ptr, span))
            }
            LocalStorage::Register(_) => LPlace::Register(local),
            LocalStorage::Memory { .. } | LocalStorage::Dynamic => {
                LPlace::Memory(self.body.add(IrKind::LocalAddress(local), Ty::Ptr, span))
            }
        };
        LValue { place, ty }
    }

    pub fn dereference(&mut self, pointer: Value, span: Span) -> LValue {
        let pointer = self.decay(pointer);
        match self.pointee(pointer.ty) {
            Some(ty) => LValue {
                place: LPlace::Memory(pointer.expr),
                ty,
            },
            None => {
                let message = format!(
                    "only pointers can be dereferenced, not `{}`",
                    self.types.name(pointer.ty)
                );
                self.error("c::not-a-pointer", span, message);
                self.no_place(span)
            }
        }
    }

    /// The address of `a[i]`; chains `a[i][j]…` are walked without recursion on the left.
    fn element(&mut self, expr: &'a Expr) -> Value {
        let ExprKind::Index(base, index) = &expr.kind else {
            return self.rvalue(expr);
        };
        let is_address = self.pointing_at.take() == Some(expr.span);
        let base_value = self.rvalue(base);
        let position = self.body.position();
        let before = self.body.emitted;
        let index_value = self.rvalue(index);
        let base_value = self.settled(base_value, position, before);
        let (pointer, index) = if self.pointee(base_value.ty).is_some() {
            (base_value, index_value)
        } else {
            (index_value, base_value)
        };
        let is_vector = self.is_unmodelled_type(pointer.ty) || self.is_unmodelled_type(index.ty);
        if is_vector || self.pointee(pointer.ty).is_none() || !self.is_integer(index.ty) {
            if is_vector {
                self.unmodelled("vector extensions", expr.span);
            } else {
                self.not_indexed(pointer, index, expr.span);
            }
            let place = self.no_place(expr.span);
            let LPlace::Memory(address) = place.place else {
                return self.dummy(self.common.void_pointer, expr.span);
            };
            let ty = self.types.pointer_to(place.ty);
            return Value::new(address, ty);
        }
        let address = self.pointer_step(pointer, index, false, expr.span);
        if is_address {
            return address;
        }
        self.within_member(base, (pointer, index), address, expr.span)
    }

    fn not_indexed(&mut self, pointer: Value, index: Value, span: Span) {
        let message = format!(
            "`{}` cannot be indexed by `{}`",
            self.types.name(pointer.ty),
            self.types.name(index.ty)
        );
        self.error("c::not-an-array", span, message);
    }

    /// Saves `value`, complete at `position`, if something was emitted since `before`.
    pub fn settled(&mut self, value: Value, position: super::body::Position, before: u64) -> Value {
        if self.body.emitted == before {
            return value;
        }
        Value {
            expr: self.body.stabilize(value.expr, value.ty, position),
            ..value
        }
    }

    /// `pointer + index` or `pointer - index`.
    pub fn pointer_step(&mut self, pointer: Value, index: Value, back: bool, span: Span) -> Value {
        let to = self.pointee(pointer.ty).unwrap_or(self.common.void);
        let wide = self.convert(index, self.common.difference, span);
        let mut index = wide.expr;
        if back {
            let op = idiolect_ir::UnaryOp::Neg { signed: false };
            index = self.body.unary(op, index, span);
        }
        let expr = match self.step_size(to, span) {
            Ok(size) => self.body.pointer_add(pointer.expr, index, size, span),
            Err(size) => {
                let op = BinaryOp::Mul { signed: false };
                let bytes = self.body.binary(op, index, size, span);
                self.body.pointer_add(pointer.expr, bytes, 1, span)
            }
        };
        Value::new(expr, pointer.ty)
    }

    /// The bytes that a pointer to this type moves by one step: a number, or an expression for
    /// variable lengths.
    pub fn step_size(&mut self, ty: TypeId, span: Span) -> Result<u64, ExprId> {
        if let Some(size) = self.types.size_of(ty) {
            return Ok(size);
        }
        match self.types.get(ty) {
            CType::Void | CType::Function(_) => Ok(1),
            CType::Array { .. } if self.is_variable(ty) => Err(self.runtime_size(ty, span)),
            _ => {
                let message = format!(
                    "the size of the incomplete type `{}` is needed here",
                    self.types.name(ty)
                );
                self.error("c::incomplete-type", span, message);
                Ok(1)
            }
        }
    }

    /// Whether the size is known only at run time.
    pub fn is_variable(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            CType::Array {
                length: ArrayLength::Variable(_),
                ..
            } => true,
            CType::Array { element, .. } => self.is_variable(*element),
            _ => false,
        }
    }

    /// The size of a type in bytes as an expression of pointer width.
    pub fn runtime_size(&mut self, ty: TypeId, span: Span) -> ExprId {
        let width = self.pointer_width();
        let (element, length) = match *self.types.get(ty) {
            CType::Array { element, length } => (element, length),
            _ => {
                let size = match self.step_size(ty, span) {
                    Ok(size) => size,
                    Err(expr) => return expr,
                };
                return self.body.constant(u128::from(size), Ty::Int(width), span);
            }
        };
        let element = self.runtime_size(element, span);
        let n = match length {
            ArrayLength::Known(n) => self.body.constant(u128::from(n), Ty::Int(width), span),
            ArrayLength::Unknown => self.body.constant(0, Ty::Int(width), span),
            ArrayLength::Variable(local) => self.body.read(local, Ty::Int(width), span),
        };
        self.body
            .binary(BinaryOp::Mul { signed: false }, n, element, span)
    }

    fn member(&mut self, base: &'a Expr, field: Ident, arrow: bool, span: Span) -> LValue {
        let (address, ty) = if arrow {
            let pointer = self.rvalue(base);
            let pointer = self.decay(pointer);
            match self.pointee(pointer.ty) {
                Some(to) => (pointer.expr, to),
                None => {
                    let message = format!(
                        "`->` needs a pointer to a record, not `{}`",
                        self.types.name(pointer.ty)
                    );
                    self.error("c::not-a-pointer", span, message);
                    return self.no_place(span);
                }
            }
        } else {
            let lvalue = self.lvalue(base);
            match lvalue.place {
                LPlace::Memory(address) => (address, lvalue.ty),
                _ => {
                    let message = format!("`{}` has no members", self.types.name(lvalue.ty));
                    self.error("c::not-a-record", span, message);
                    return self.no_place(span);
                }
            }
        };
        let Some(record) = self.record_of(ty) else {
            let message = format!("`{}` has no members", self.types.name(ty));
            let mut diagnostic = Diagnostic::error("c::not-a-record", span, message);
            if self.pointee(ty).is_some() {
                diagnostic = diagnostic.with_help("use `->` on a pointer");
            }
            self.diagnostics.push(diagnostic);
            return self.no_place(span);
        };
        let Some(found) = self.find_field(record, field.symbol) else {
            self.no_field(record, ty, field);
            return self.no_place(span);
        };
        let pointer_width = self.pointer_width();
        let address = self.body.offset(address, found.offset, pointer_width, span);
        let place = match found.bits {
            Some(field) => LPlace::Bits { address, field },
            None => LPlace::Memory(address),
        };
        if self.options.is_process && self.pointee(found.ty).is_some() && self.has_words(record) {
            self.body.punned.insert(address);
        }
        LValue {
            place,
            ty: found.ty,
        }
    }

    /// Whether this is a union in which an integer of a pointer's size may be written.
    fn has_words(&self, record: idiolect_ir::ctype::RecordId) -> bool {
        let record = self.types.record(record);
        let fields = record.layout.iter().flat_map(|l| &l.fields);
        record.is_union
            && fields.into_iter().any(|f| {
                let is_integer = matches!(self.types.get(f.ty), CType::Int(_));
                is_integer && self.types.size_of(f.ty) == Some(self.pointer_width() as u64 / 8)
            })
    }

    pub fn no_field(&mut self, record: idiolect_ir::ctype::RecordId, ty: TypeId, field: Ident) {
        let name = self.name(field.symbol).to_owned();
        let type_name = self.types.name(ty);
        if self.types.record(record).layout.is_none() {
            let message = format!("`{type_name}` is never defined, so it has no field `{name}`");
            self.error("c::incomplete-type", field.span, message);
            return;
        }
        let names = self.field_names(record);
        let help = match idiolect_base::nearest(&name, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("its fields are: {}", names.join(", ")),
        };
        let message = format!("`{type_name}` has no field `{name}`");
        self.diagnostics
            .push(Diagnostic::error("c::no-field", field.span, message).with_help(help));
    }

    /// The value of a place. Arrays and functions give their address.
    pub fn read(&mut self, lvalue: LValue, span: Span) -> Value {
        let Some(ty) = self.types.scalar(lvalue.ty) else {
            return match lvalue.place {
                LPlace::Memory(address) => {
                    let value = Value::new(address, lvalue.ty);
                    self.decay(value)
                }
                _ => self.dummy(lvalue.ty, span),
            };
        };
        match lvalue.place {
            LPlace::Register(local) => Value::new(self.body.read(local, ty, span), lvalue.ty),
            LPlace::Memory(address) if self.body.punned.contains(&address) && ty == Ty::Ptr => {
                // The integer may be an address, of which only a conversion knows the object.
                let word = Ty::Int(self.pointer_width());
                let bits = self.body.load(address, word, span);
                let expr = self.body.convert(ConvertOp::IntToPtr, bits, Ty::Ptr, span);
                Value::new(expr, lvalue.ty)
            }
            LPlace::Memory(address) => Value::new(self.body.load(address, ty, span), lvalue.ty),
            LPlace::Bits { address, field } => {
                let unit = self.body.load(address, unit_of(field), span);
                let expr = self.extract(unit, field, lvalue.ty, span);
                Value {
                    expr,
                    ty: lvalue.ty,
                    bits: field.width,
                }
            }
        }
    }

    /// The value of a bit-field in its unit.
    fn extract(&mut self, unit: ExprId, field: BitField, ty: TypeId, span: Span) -> ExprId {
        let unit_ty = self.body.ty(unit);
        let amount = self.body.constant(u128::from(field.offset), unit_ty, span);
        let shifted = self.body.binary(BinaryOp::LShr, unit, amount, span);
        let narrow = self.body.resize(shifted, false, field.width, span);
        self.widen_bits(narrow, ty, span)
    }

    /// `Int(width)` to the declared type of a bit-field.
    fn widen_bits(&mut self, narrow: ExprId, ty: TypeId, span: Span) -> ExprId {
        let width = self.types.scalar(ty).and_then(Ty::int_width).unwrap_or(32);
        let signed = self.types.is_signed(ty);
        self.body.resize(narrow, signed, width, span)
    }

    /// Writes a value that already has the type of the place. With `wanted`, gives the value that
    /// the place has then.
    pub fn write(&mut self, lvalue: LValue, value: Value, wanted: bool, span: Span) -> Value {
        let Some(ty) = self.types.scalar(lvalue.ty) else {
            return self.write_aggregate(lvalue, value, span);
        };
        match lvalue.place {
            LPlace::Register(local) => {
                if !self.body.retarget(value.expr, Place::Local(local), span) {
                    self.body.assign(Place::Local(local), value.expr, span);
                }
                if wanted {
                    Value::new(self.body.read(local, ty, span), lvalue.ty)
                } else {
                    value
                }
            }
            LPlace::Memory(address) => {
                let expr = if wanted {
                    self.body.save(value.expr, lvalue.ty)
                } else {
                    value.expr
                };
                let place = Place::Memory { address, ty };
                if wanted || !self.body.retarget(expr, place, span) {
                    self.body.assign(place, expr, span);
                }
                Value::new(expr, lvalue.ty)
            }
            LPlace::Bits { address, field } => {
                let place = Place::Bits {
                    address,
                    unit: unit_of(field),
                    offset: field.offset,
                    width: field.width,
                };
                let mut narrow = self.body.resize(value.expr, false, field.width, span);
                if wanted {
                    narrow = self.body.save(narrow, lvalue.ty);
                }
                self.body.assign(place, narrow, span);
                Value {
                    expr: self.widen_bits(narrow, lvalue.ty, span),
                    ty: lvalue.ty,
                    bits: field.width,
                }
            }
        }
    }

    fn write_aggregate(&mut self, lvalue: LValue, value: Value, span: Span) -> Value {
        let (LPlace::Memory(to), Some(size)) = (lvalue.place, self.types.size_of(lvalue.ty)) else {
            let message = format!("`{}` cannot be assigned", self.types.name(lvalue.ty));
            self.error("c::assignment", span, message);
            return value;
        };
        if matches!(
            self.types.get(lvalue.ty),
            CType::Array { .. } | CType::Function(_)
        ) {
            self.error(
                "c::assignment",
                span,
                "arrays and functions cannot be assigned",
            );
            return value;
        }
        if size > 0 {
            let from = value.expr;
            self.body.emit(StmtKind::Copy { to, from, size }, span);
        }
        Value::new(to, lvalue.ty)
    }

    /// Writes a value of any type to memory at an address.
    pub fn store_at(&mut self, address: ExprId, ty: TypeId, value: Value, span: Span) {
        let lvalue = LValue {
            place: LPlace::Memory(address),
            ty,
        };
        let value = self.convert(value, ty, span);
        self.write(lvalue, value, false, span);
    }

    /// A fresh object in memory; gives its address.
    pub fn memory_temporary(&mut self, ty: TypeId, span: Span) -> ExprId {
        let size = self.types.size_of(ty).unwrap_or(1);
        let align = self.types.align_of(ty).unwrap_or(1);
        let storage = LocalStorage::Memory { size, align };
        let local = self.body.unnamed(ty, storage, span);
        self.body
            .emit(StmtKind::Declare { local, size: None }, span);
        self.body.add(IrKind::LocalAddress(local), Ty::Ptr, span)
    }

    /// `&lvalue`.
    pub fn address_of(&mut self, lvalue: LValue, span: Span) -> Value {
        let ty = self.types.pointer_to(lvalue.ty);
        let expr = match lvalue.place {
            LPlace::Memory(address) => address,
            LPlace::Register(local) => {
                if self.unevaluated == 0 {
                    self.body.addressed[local.index()] = true;
                }
                self.body.add(IrKind::LocalAddress(local), Ty::Ptr, span)
            }
            LPlace::Bits { address, .. } => {
                self.error("c::bit-field-address", span, "a bit-field has no address");
                address
            }
        };
        Value::new(expr, ty)
    }
}
