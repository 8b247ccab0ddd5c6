//! Initializers: from nested lists with designators to a flat list of parts, then to the bytes of
//! a global or to assignments to a local.

use super::Lowerer;
use super::constant::Constant;
use super::convert::Value;
use super::lvalue::{LPlace, LValue};
use crate::ast::{
    Designator, Expr, ExprKind, Initializer, InitializerItem, InitializerList, LiteralEncoding,
    TypeName,
};
use idiolect_base::Span;
use idiolect_ir::ctype::{ArrayLength, BitField, CType};
use idiolect_ir::memory::MAX_OBJECT_SIZE;
use idiolect_ir::{ExprId, LocalStorage, Relocation, StmtKind, Ty, TypeId};
use std::collections::BTreeMap;

/// One part of an object and what it starts with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'a> {
    pub offset: u64,
    pub ty: TypeId,
    pub bits: Option<BitField>,
    pub value: PartValue<'a>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum PartValue<'a> {
    Expr(&'a Expr),
    /// An array of characters from a literal.
    String(&'a [u32], LiteralEncoding),
    /// `{}`: nothing but zeros, which take back what came before.
    Zero,
}

/// Parts in the order in which they take effect.
#[derive(Default)]
struct Parts<'a> {
    list: Vec<Part<'a>>,
    /// One more than the highest offset so far.
    highest: u64,
}

impl<'a> Parts<'a> {
    fn push(&mut self, part: Part<'a>) {
        self.highest = self.highest.max(part.offset + 1);
        self.list.push(part);
    }
}

/// Where in an aggregate the next item without designator goes.
#[derive(Clone, Copy)]
struct Slot {
    ty: TypeId,
    offset: u64,
    bits: Option<BitField>,
}

impl<'a> Lowerer<'a> {
    /// Flattens an initializer; gives the parts and the type, complete if it was `[]`.
    pub fn parts(&mut self, ty: TypeId, init: &'a Initializer) -> (Vec<Part<'a>>, TypeId) {
        let mut out = Parts::default();
        let slot = Slot {
            ty,
            offset: 0,
            bits: None,
        };
        let length = match init {
            Initializer::Expr(expr) => self.init_expr(slot, expr, &mut out),
            Initializer::List(list) => self.init_braced(slot, list, &mut out),
        };
        let ty = self.completed(ty, length);
        self.overridden(&out.list);
        (out.list, ty)
    }

    pub fn list_parts(&mut self, ty: TypeId, list: &'a InitializerList) -> (Vec<Part<'a>>, TypeId) {
        let mut out = Parts::default();
        let slot = Slot {
            ty,
            offset: 0,
            bits: None,
        };
        let length = self.init_braced(slot, list, &mut out);
        let ty = self.completed(ty, length);
        self.overridden(&out.list);
        (out.list, ty)
    }

    /// The type with this length, if it was an array of unknown length.
    fn completed(&mut self, ty: TypeId, length: u64) -> TypeId {
        match *self.types.get(ty) {
            CType::Array {
                element,
                length: ArrayLength::Unknown,
            } => self.types.intern(CType::Array {
                element,
                length: ArrayLength::Known(length),
            }),
            _ => ty,
        }
    }

    /// A single expression; gives the number of array elements that it has.
    fn init_expr(&mut self, slot: Slot, expr: &'a Expr, out: &mut Parts<'a>) -> u64 {
        if let Some((units, encoding)) = self.string_for(slot.ty, expr) {
            let ty = self.completed(slot.ty, units.len() as u64 + 1);
            out.push(Part {
                offset: slot.offset,
                ty,
                bits: None,
                value: PartValue::String(units, encoding),
            });
            return units.len() as u64 + 1;
        }
        // GNU: an array from a compound literal.
        if let (CType::Array { .. }, ExprKind::CompoundLiteral(_, list)) =
            (self.types.get(slot.ty), &expr.kind)
        {
            return self.init_braced(slot, list, out);
        }
        if matches!(self.types.get(slot.ty), CType::Array { .. }) {
            self.error(
                "c::initializer",
                expr.span,
                "an array starts with a list in braces or a string",
            );
            return 1;
        }
        out.push(Part {
            offset: slot.offset,
            ty: slot.ty,
            bits: slot.bits,
            value: PartValue::Expr(expr),
        });
        1
    }

    /// The literal, if it can fill an array of this type.
    fn string_for(&self, ty: TypeId, expr: &'a Expr) -> Option<(&'a [u32], LiteralEncoding)> {
        let ExprKind::String { units, encoding } = &expr.kind else {
            return None;
        };
        let CType::Array { element, .. } = self.types.get(ty) else {
            return None;
        };
        let size = match self.types.get(*element) {
            CType::Int(_) | CType::Enum(_) | CType::Bool => self.types.size_of(*element)?,
            _ => return None,
        };
        let unit = match encoding {
            LiteralEncoding::Char => 1,
            LiteralEncoding::Utf16 => 2,
            LiteralEncoding::Wide | LiteralEncoding::Utf32 => 4,
        };
        (size == unit).then_some((units, *encoding))
    }

    /// A list in braces for one object.
    fn init_braced(&mut self, slot: Slot, list: &'a InitializerList, out: &mut Parts<'a>) -> u64 {
        // `char s[] = {"text"}`, `int x = {1}`.
        if let [InitializerItem { designators, value }] = &list.items[..]
            && designators.is_empty()
        {
            match value {
                Initializer::Expr(expr) if self.string_for(slot.ty, expr).is_some() => {
                    return self.init_expr(slot, expr, out);
                }
                Initializer::Expr(expr) if !self.is_aggregate(slot.ty) => {
                    return self.init_expr(slot, expr, out);
                }
                Initializer::List(inner) if !self.is_aggregate(slot.ty) => {
                    return self.init_braced(slot, inner, out);
                }
                _ => {}
            }
        }
        if !self.is_aggregate(slot.ty) {
            match list.items.first() {
                None => out.push(Part {
                    offset: slot.offset,
                    ty: slot.ty,
                    bits: slot.bits,
                    value: PartValue::Zero,
                }),
                Some(item) => {
                    // More than one value for a scalar; the first counts.
                    if let Initializer::Expr(expr) = &item.value {
                        self.init_expr(slot, expr, out);
                    }
                }
            }
            return 0;
        }
        if out.highest > slot.offset {
            // A whole subobject: what earlier designators gave it is void.
            out.push(Part {
                offset: slot.offset,
                ty: slot.ty,
                bits: None,
                value: PartValue::Zero,
            });
        }
        let mut cursor = 0;
        self.init_items(slot, &list.items, &mut cursor, true, out)
    }

    fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(
            self.types.get(ty),
            CType::Array { .. } | CType::Record(_) | CType::VaList
        ) && !self.is_unmodelled_type(ty)
    }

    /// Fills the members of an aggregate from `items[*cursor..]`. Without braces of its own
    /// (`braced` false) it stops when it is full or at a designator. Gives the length reached.
    fn init_items(
        &mut self,
        slot: Slot,
        items: &'a [InitializerItem],
        cursor: &mut usize,
        braced: bool,
        out: &mut Parts<'a>,
    ) -> u64 {
        let mut next = 0u64;
        let mut longest = 0u64;
        let is_union = self
            .record_of(slot.ty)
            .is_some_and(|r| self.types.record(r).is_union);
        while *cursor < items.len() {
            let item = &items[*cursor];
            if !item.designators.is_empty() {
                if !braced {
                    break;
                }
                let Some(after) = self.init_designated(slot, item, items, cursor, out) else {
                    *cursor += 1;
                    continue;
                };
                next = after;
                longest = longest.max(next);
                continue;
            }
            let member = if is_union && next > 0 {
                None
            } else {
                self.member_slot(slot, next)
            };
            let Some(member) = member else {
                if !braced {
                    break;
                }
                // Excess elements: evaluated by no one, as compilers only warn.
                *cursor += 1;
                continue;
            };
            self.init_member(member, items, cursor, out);
            next += 1;
            longest = longest.max(next);
            if !braced && is_union {
                break;
            }
        }
        longest
    }

    /// The `n`-th member of an aggregate.
    fn member_slot(&self, slot: Slot, n: u64) -> Option<Slot> {
        match self.types.get(slot.ty) {
            CType::Array { element, length } => {
                if let ArrayLength::Known(length) = length
                    && n >= *length
                {
                    return None;
                }
                let size = self.types.size_of(*element)?;
                Some(Slot {
                    ty: *element,
                    offset: slot.offset.checked_add(n.checked_mul(size)?)?,
                    bits: None,
                })
            }
            CType::Record(record) => {
                let layout = self.types.record(*record).layout.as_ref()?;
                let field = layout.fields.get(n as usize)?;
                Some(Slot {
                    ty: field.ty,
                    offset: slot.offset + field.offset,
                    bits: field.bits,
                })
            }
            _ => None,
        }
    }

    /// One member from the item at the cursor, which may be a part of several items.
    fn init_member(
        &mut self,
        member: Slot,
        items: &'a [InitializerItem],
        cursor: &mut usize,
        out: &mut Parts<'a>,
    ) {
        match &items[*cursor].value {
            Initializer::List(list) => {
                *cursor += 1;
                self.init_braced(member, list, out);
            }
            Initializer::Expr(expr) => {
                let descend = self.is_aggregate(member.ty)
                    && self.string_for(member.ty, expr).is_none()
                    && !self.fills_whole(member.ty, expr);
                if descend {
                    let start = *cursor;
                    self.init_items(member, items, cursor, false, out);
                    // A member without members takes nothing.
                    if *cursor == start && self.member_slot(member, 0).is_some() {
                        *cursor += 1;
                    }
                } else {
                    *cursor += 1;
                    self.init_expr(member, expr, out);
                }
            }
        }
    }

    /// Whether an expression without braces is the value of a whole aggregate.
    fn fills_whole(&mut self, ty: TypeId, expr: &'a Expr) -> bool {
        if matches!(
            expr.kind,
            ExprKind::Int { .. } | ExprKind::Char { .. } | ExprKind::Float { .. }
        ) {
            return false;
        }
        if matches!(self.types.get(ty), CType::Array { .. }) {
            return matches!(expr.kind, ExprKind::CompoundLiteral(..));
        }
        let found = self.lvalue_type(expr);
        self.are_compatible(found, ty)
    }

    /// `[i].f = value`. Gives the position after the outermost designator.
    fn init_designated(
        &mut self,
        slot: Slot,
        item: &'a InitializerItem,
        items: &'a [InitializerItem],
        cursor: &mut usize,
        out: &mut Parts<'a>,
    ) -> Option<u64> {
        let (first, rest) = item.designators.split_first()?;
        let (low, high) = self.designated(slot, first)?;
        let start = *cursor;
        for n in low..=high {
            *cursor = start;
            let mut member = match (first, self.record_of(slot.ty)) {
                (Designator::Field(name), Some(record)) => {
                    let found = self.find_field(record, name.symbol)?;
                    Slot {
                        ty: found.ty,
                        offset: slot.offset + found.offset,
                        bits: found.bits,
                    }
                }
                _ => self.member_slot(slot, n)?,
            };
            let mut targets = Vec::new();
            self.descend(&mut member, rest, &mut targets)?;
            for target in targets {
                *cursor = start;
                self.init_member(target, items, cursor, out);
            }
        }
        // With `.a.b = 1, 2` the 2 goes to the member after b.
        if matches!(first, Designator::Field(_)) && !rest.is_empty() && *cursor < items.len() {
            self.continue_inside(slot, &item.designators, items, cursor, out);
        }
        Some(high + 1)
    }

    /// After a designator of several steps, items without one go on within its last aggregate.
    fn continue_inside(
        &mut self,
        slot: Slot,
        path: &'a [Designator],
        items: &'a [InitializerItem],
        cursor: &mut usize,
        out: &mut Parts<'a>,
    ) {
        for depth in (1..path.len()).rev() {
            let mut parent = slot;
            for step in &path[..depth] {
                let Some((_, high)) = self.designated(parent, step) else {
                    return;
                };
                match self.designated_slot(parent, step, high) {
                    Some(next) => parent = next,
                    None => return,
                }
            }
            let Some((_, last)) = self.designated(parent, &path[depth]) else {
                return;
            };
            let mut n = last + 1;
            while *cursor < items.len() && items[*cursor].designators.is_empty() {
                let is_union = self
                    .record_of(parent.ty)
                    .is_some_and(|r| self.types.record(r).is_union);
                let Some(member) = self.member_slot(parent, n).filter(|_| !is_union) else {
                    break;
                };
                self.init_member(member, items, cursor, out);
                n += 1;
            }
        }
    }

    fn designated_slot(&mut self, slot: Slot, step: &'a Designator, n: u64) -> Option<Slot> {
        match (step, self.record_of(slot.ty)) {
            (Designator::Field(name), Some(record)) => {
                let found = self.find_field(record, name.symbol)?;
                Some(Slot {
                    ty: found.ty,
                    offset: slot.offset + found.offset,
                    bits: found.bits,
                })
            }
            _ => self.member_slot(slot, n),
        }
    }

    /// All members that the remaining designators name, ranges giving several.
    fn descend(
        &mut self,
        slot: &mut Slot,
        rest: &'a [Designator],
        out: &mut Vec<Slot>,
    ) -> Option<()> {
        let Some((first, rest)) = rest.split_first() else {
            out.push(*slot);
            return Some(());
        };
        let (low, high) = self.designated(*slot, first)?;
        for n in low..=high {
            let mut member = self.designated_slot(*slot, first, n)?;
            self.descend(&mut member, rest, out)?;
        }
        Some(())
    }

    /// The positions that a designator names; a field gives the position of the member of the
    /// outermost record that has it.
    fn designated(&mut self, slot: Slot, designator: &'a Designator) -> Option<(u64, u64)> {
        match designator {
            Designator::Field(name) => {
                let Some(record) = self.record_of(slot.ty) else {
                    self.bad_member(slot.ty, *name);
                    return None;
                };
                let Some(found) = self.find_field(record, name.symbol) else {
                    self.bad_member(slot.ty, *name);
                    return None;
                };
                let text = self.name(name.symbol);
                let layout = self.types.record(record).layout.as_ref()?;
                let direct = layout
                    .fields
                    .iter()
                    .position(|f| f.name.as_deref() == Some(text));
                let around = || {
                    layout
                        .fields
                        .iter()
                        .rposition(|f| f.name.is_none() && f.offset <= found.offset)
                };
                let n = direct.or_else(around)? as u64;
                Some((n, n))
            }
            Designator::Index(index) => {
                let n = self.index(slot, index)?;
                Some((n, n))
            }
            Designator::Range(low, high) => {
                let (low, high_n) = (self.index(slot, low)?, self.index(slot, high)?);
                if low > high_n {
                    self.error("c::designator", high.span, "this range is empty");
                    return None;
                }
                Some((low, high_n))
            }
        }
    }

    fn index(&mut self, slot: Slot, expr: &'a Expr) -> Option<u64> {
        let n = self.constant_int(expr)?;
        let CType::Array { element, length } = *self.types.get(slot.ty) else {
            let message = format!("`{}` has no elements", self.types.name(slot.ty));
            self.error("c::designator", expr.span, message);
            return None;
        };
        let size = self.types.size_of(element).unwrap_or(1).max(1);
        let limit = match length {
            ArrayLength::Known(length) => length,
            _ => MAX_OBJECT_SIZE / size,
        };
        let found = u64::try_from(n).ok().filter(|&n| n < limit);
        if found.is_none() {
            let message = format!("the array has no element {n}");
            self.error("c::designator", expr.span, message);
        }
        found
    }

    /// The bytes and addresses of a global with this initial value.
    pub fn static_bytes(
        &mut self,
        ty: TypeId,
        parts: &[Part<'a>],
    ) -> (Vec<u8>, Vec<Relocation>, u64) {
        let mut bytes = Vec::new();
        let mut relocations: BTreeMap<u64, Relocation> = BTreeMap::new();
        let mut end = self.types.size_of(ty).unwrap_or(0);
        for part in parts {
            match part.value {
                PartValue::Zero => {
                    let size = self.types.size_of(part.ty).unwrap_or(0);
                    let stop = part.offset.saturating_add(size);
                    for byte in bytes
                        .iter_mut()
                        .take(stop as usize)
                        .skip(part.offset as usize)
                    {
                        *byte = 0;
                    }
                    relocations.retain(|&o, _| o < part.offset || o >= stop);
                }
                PartValue::String(units, encoding) => {
                    let literal = self.string_bytes(part.ty, units, encoding);
                    end = end.max(part.offset + literal.len() as u64);
                    put(&mut bytes, part.offset, &literal);
                }
                PartValue::Expr(expr) => self.static_part(part, expr, &mut bytes, &mut relocations),
            }
        }
        while bytes.last() == Some(&0) {
            bytes.pop();
        }
        end = end.max(bytes.len() as u64);
        if let Some((&offset, _)) = relocations.last_key_value() {
            end = end.max(offset + self.types.model.pointer_size());
        }
        (bytes, relocations.into_values().collect(), end)
    }

    fn static_part(
        &mut self,
        part: &Part<'a>,
        expr: &'a Expr,
        bytes: &mut Vec<u8>,
        relocations: &mut BTreeMap<u64, Relocation>,
    ) {
        let Some(scalar) = self.types.scalar(part.ty) else {
            // A record from a compound literal.
            if let ExprKind::CompoundLiteral(_, list) = &expr.kind {
                let (inner, _) = self.list_parts(part.ty, list);
                let (inner_bytes, inner_relocations, _) = self.static_bytes(part.ty, &inner);
                put(bytes, part.offset, &inner_bytes);
                for relocation in inner_relocations {
                    let offset = part.offset + relocation.offset;
                    relocations.insert(
                        offset,
                        Relocation {
                            offset,
                            ..relocation
                        },
                    );
                }
                return;
            }
            self.static_copy(part, expr, bytes, relocations);
            return;
        };
        let Some(value) = self.constant(expr, part.ty) else {
            return;
        };
        match (value, part.bits) {
            (Constant::Bits(value), Some(field)) => {
                let shift = u32::from(field.offset);
                let ones = if field.width >= 128 {
                    u128::MAX
                } else {
                    (1 << field.width) - 1
                };
                let n = (usize::from(field.offset) + usize::from(field.width)).div_ceil(8);
                let start = part.offset as usize;
                if bytes.len() < start + n {
                    bytes.resize(start + n, 0);
                }
                for (i, byte) in bytes[start..start + n].iter_mut().enumerate() {
                    let down = 8 * i as u32;
                    let at = |v: u128| ((v << shift) >> down) as u8;
                    *byte = *byte & !at(ones) | at(value & ones);
                }
            }
            (Constant::Bits(value), None) => {
                let size = self.types.scalar_size(scalar) as usize;
                relocations.remove(&part.offset);
                put(bytes, part.offset, &value.to_le_bytes()[..size.min(16)]);
            }
            (Constant::Address { target, addend }, None) => {
                let size = self.types.scalar_size(scalar);
                if size < self.types.model.pointer_size() {
                    self.error(
                        "c::not-constant",
                        expr.span,
                        "this type is too small for an address",
                    );
                    return;
                }
                let zeros = [0u8; 16];
                put(bytes, part.offset, &zeros[..size.min(16) as usize]);
                let relocation = Relocation {
                    offset: part.offset,
                    target,
                    addend,
                };
                relocations.insert(part.offset, relocation);
            }
            (Constant::Address { .. }, Some(_)) => {
                self.error(
                    "c::not-constant",
                    expr.span,
                    "a bit-field cannot hold an address",
                );
            }
        }
    }

    /// A record from another constant object.
    fn static_copy(
        &mut self,
        part: &Part<'a>,
        expr: &'a Expr,
        bytes: &mut Vec<u8>,
        relocations: &mut BTreeMap<u64, Relocation>,
    ) {
        let before = self.n_unmodelled;
        let (value, _) = self.detached(|this| {
            let value = this.rvalue(expr);
            this.convert(value, part.ty, expr.span)
        });
        if self.n_unmodelled != before {
            return;
        }
        let size = self.types.size_of(part.ty).unwrap_or(0);
        if let Some(Constant::Address {
            target: idiolect_ir::GlobalTarget::Global(global),
            addend: 0,
        }) = self.evaluate(value.expr, 64)
            && let Some(from) = self.globals.get(global.index())
            && from.size == size
            && !from.is_unwritten
        {
            let copy = from.bytes.clone();
            let moved: Vec<Relocation> = from.relocations.clone();
            put(bytes, part.offset, &copy);
            for relocation in moved {
                let offset = part.offset + relocation.offset;
                relocations.insert(
                    offset,
                    Relocation {
                        offset,
                        ..relocation
                    },
                );
            }
            return;
        }
        self.error(
            "c::not-constant",
            expr.span,
            "the initial value of a static object has to be a constant",
        );
    }

    /// The bytes of a literal in an array: cut to its length, with zeros up to it.
    fn string_bytes(&mut self, ty: TypeId, units: &[u32], encoding: LiteralEncoding) -> Vec<u8> {
        let size = match encoding {
            LiteralEncoding::Char => 1,
            LiteralEncoding::Utf16 => 2,
            LiteralEncoding::Wide | LiteralEncoding::Utf32 => 4,
        };
        let mut bytes = Vec::with_capacity((units.len() + 1) * size);
        for unit in units.iter().chain([&0]) {
            bytes.extend_from_slice(&unit.to_le_bytes()[..size]);
        }
        if let Some(whole) = self.types.size_of(ty) {
            bytes.truncate(whole as usize);
        }
        bytes
    }

    /// Initializes memory at an address: zeros first if parts are missing, then the parts.
    pub fn initialize(&mut self, address: ExprId, ty: TypeId, parts: &[Part<'a>], span: Span) {
        let size = self.types.size_of(ty).unwrap_or(0);
        if size > 0 && !self.covers(ty, parts) {
            self.body.emit(StmtKind::Zero { to: address, size }, span);
        }
        let pointer_width = self.pointer_width();
        for part in parts {
            let part_span = match part.value {
                PartValue::Expr(expr) => expr.span,
                _ => span,
            };
            let to = self
                .body
                .offset(address, part.offset, pointer_width, part_span);
            match part.value {
                PartValue::Zero => {
                    // Takes back earlier parts; at the start there are none.
                    let size = self.types.size_of(part.ty).unwrap_or(0);
                    if part.bits.is_none() && size > 0 {
                        self.body.emit(StmtKind::Zero { to, size }, span);
                    }
                }
                PartValue::String(units, encoding) => {
                    self.initialize_string(to, part.ty, units, encoding, span);
                }
                PartValue::Expr(expr) => {
                    let value = self.rvalue(expr);
                    let value = self.convert(value, part.ty, expr.span);
                    let place = match part.bits {
                        Some(field) => LPlace::Bits { address: to, field },
                        None => LPlace::Memory(to),
                    };
                    let lvalue = LValue { place, ty: part.ty };
                    self.write(lvalue, value, false, expr.span);
                }
            }
        }
    }

    /// A literal copied into an array: the literal itself, then zeros.
    fn initialize_string(
        &mut self,
        to: ExprId,
        ty: TypeId,
        units: &'a [u32],
        encoding: LiteralEncoding,
        span: Span,
    ) {
        let (global, literal_ty) = self.string_literal(units, encoding, span);
        let from = self
            .body
            .add(idiolect_ir::ExprKind::GlobalAddress(global), Ty::Ptr, span);
        let whole = self.types.size_of(ty).unwrap_or(0);
        let literal = self.types.size_of(literal_ty).unwrap_or(0);
        let size = literal.min(whole);
        if size > 0 {
            self.body.emit(StmtKind::Copy { to, from, size }, span);
        }
        if whole > size {
            let pointer_width = self.pointer_width();
            let to = self.body.offset(to, size, pointer_width, span);
            let size = whole - size;
            self.body.emit(StmtKind::Zero { to, size }, span);
        }
    }

    /// Whether the parts write every byte, so that no zeros are needed first.
    fn covers(&self, ty: TypeId, parts: &[Part<'a>]) -> bool {
        let whole = self.types.size_of(ty).unwrap_or(0);
        let mut next = 0;
        for part in parts {
            let size = match (part.bits, self.types.size_of(part.ty)) {
                (None, Some(size)) => size,
                _ => return false,
            };
            if part.offset != next || matches!(part.value, PartValue::Zero) {
                return false;
            }
            next += size;
        }
        next == whole
    }

    /// `(type){ … }`: in a function a fresh object each time, outside a static one.
    pub fn compound_literal(
        &mut self,
        name: &'a TypeName,
        list: &'a InitializerList,
        span: Span,
    ) -> LValue {
        let ty = self.type_name(name);
        let (parts, ty) = self.list_parts(ty, list);
        if self.unevaluated > 0 {
            // Only its type matters.
            let address = self.body.constant(0, Ty::Ptr, span);
            let place = LPlace::Memory(address);
            return LValue { place, ty };
        }
        if self.is_file_level() || self.in_static_initializer {
            let global = self.static_literal(ty, &parts, span);
            let address =
                self.body
                    .add(idiolect_ir::ExprKind::GlobalAddress(global), Ty::Ptr, span);
            return LValue {
                place: LPlace::Memory(address),
                ty,
            };
        }
        let address = self.literal_local(ty, span);
        if self.types.scalar(ty).is_some() && parts.is_empty() {
            let zero = self.dummy(ty, span);
            self.store_at(address, ty, zero, span);
        } else {
            self.initialize(address, ty, &parts, span);
        }
        LValue {
            place: LPlace::Memory(address),
            ty,
        }
    }

    fn literal_local(&mut self, ty: TypeId, span: Span) -> ExprId {
        let size = self.types.size_of(ty).unwrap_or(1);
        let align = self.types.align_of(ty).unwrap_or(1);
        let storage = LocalStorage::Memory { size, align };
        let local = self.body.unnamed(ty, storage, span);
        self.scope().locals.push(local);
        self.body.scoped.push(local);
        self.body
            .emit(StmtKind::Declare { local, size: None }, span);
        self.body
            .add(idiolect_ir::ExprKind::LocalAddress(local), Ty::Ptr, span)
    }

    fn static_literal(
        &mut self,
        ty: TypeId,
        parts: &[Part<'a>],
        span: Span,
    ) -> idiolect_ir::GlobalId {
        let (bytes, relocations, size) = self.static_bytes(ty, parts);
        let global = idiolect_ir::GlobalId::new(self.globals.len());
        self.globals.push(idiolect_ir::Global {
            name: format!(".literal{}", global.0),
            ty,
            size,
            align: self.types.align_of(ty).unwrap_or(1),
            bytes,
            relocations,
            read_only: false,
            is_unwritten: false,
            is_library: self.units[self.unit].is_library,
            function: None,
            span,
        });
        global
    }

    /// The value of a scalar initializer, with or without braces.
    pub fn scalar_initializer(&mut self, ty: TypeId, init: &'a Initializer, span: Span) -> Value {
        let mut init = init;
        loop {
            match init {
                Initializer::Expr(expr) => {
                    let value = self.rvalue(expr);
                    return self.convert(value, ty, expr.span);
                }
                Initializer::List(list) => match list.items.first() {
                    Some(item) => init = &item.value,
                    None => return self.dummy(ty, span),
                },
            }
        }
    }
}

fn put(bytes: &mut Vec<u8>, offset: u64, what: &[u8]) {
    let start = offset as usize;
    let end = start + what.len();
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    bytes[start..end].copy_from_slice(what);
}
