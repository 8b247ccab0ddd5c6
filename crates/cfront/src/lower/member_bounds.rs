//! Arrays inside records and inside arrays end where they end: an index that runs into the next member or the next row is a
//! memory error, although the object goes on there.
//!
//! The address of such an element is far outside of the object, so that an access is a fault like any
//! other. Where faults do not count, a run goes on in the object, which is listed. Arrays at the end of a record may be longer than they say, members of unions may be read as
//! one another, and `&x.a[4]` is no access: these are left alone.

use super::Lowerer;
use super::convert::Value;
use crate::ast::{Expr, ExprKind};
use idiolect_base::Span;
use idiolect_ir::ctype::{ArrayLength, CType};
use idiolect_ir::{BinaryOp, ExprId, Ty};

/// Bytes from an array to where no object is: more than one can have, aligned as anything can be.
const OUTSIDE: u64 = 0x7fff_0000;

impl<'a> Lowerer<'a> {
    /// The length of an array that is a row of another, or a member with others behind it.
    fn inner_length(&mut self, base: &'a Expr) -> Option<u64> {
        if self.unevaluated > 0 {
            return None;
        }
        if matches!(base.kind, ExprKind::Index(..)) {
            let row = self.unevaluated(|this| this.lvalue(base).ty);
            return match *self.types.get(row) {
                CType::Array {
                    length: ArrayLength::Known(length),
                    ..
                } if length > 0 => Some(length),
                _ => None,
            };
        }
        let ExprKind::Member {
            base: outer,
            field,
            arrow,
        } = &base.kind
        else {
            return None;
        };
        let outer = self.unevaluated(|this| {
            if *arrow {
                let pointer = this.rvalue(outer);
                this.pointee(pointer.ty)
            } else {
                Some(this.lvalue(outer).ty)
            }
        })?;
        let record = self.record_of(outer)?;
        let found = self.find_field(record, field.symbol)?;
        let CType::Array {
            length: ArrayLength::Known(length),
            ..
        } = *self.types.get(found.ty)
        else {
            return None;
        };
        let record = self.types.record(record);
        let fields = &record.layout.as_ref()?.fields;
        let is_last = !fields.iter().any(|f| f.offset > found.offset);
        (!record.is_union && !is_last && length > 0).then_some(length)
    }

    /// The address of an element, or one outside of everything if the index is not in the array.
    pub fn within_member(
        &mut self,
        base: &'a Expr,
        (pointer, index): (Value, Value),
        address: Value,
        span: Span,
    ) -> Value {
        let is_known = self.body.const_bits(index.expr);
        if !self.options.faults_count && (self.is_library() || is_known == Some(0)) {
            return address;
        }
        let Some(length) = self.inner_length(base) else {
            return address;
        };
        if !self.options.faults_count {
            // The object goes on there, and so does a run. Whether one comes there is asked before anything is promised.
            if is_known.is_none_or(|index| index >= u128::from(length)) {
                self.index_beyond(span);
            }
            return address;
        }
        let wide = self.convert(index, self.common.difference, span).expr;
        let width = self.pointer_width();
        let end = self.body.constant(u128::from(length), Ty::Int(width), span);
        let is_inside: ExprId = self.body.binary(BinaryOp::ULt, wide, end, span);
        if self.body.const_bits(is_inside) == Some(1) {
            return address;
        }
        let outside = self.body.offset(pointer.expr, OUTSIDE, width, span);
        let expr = (self.body).select(is_inside, address.expr, outside, span);
        Value { expr, ..address }
    }
}
