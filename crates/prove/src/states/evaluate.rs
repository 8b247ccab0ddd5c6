//! Expressions in abstract states.

use super::integer::{self, mask, signed};
use super::memory::Object;
use super::state::{Frame, Operation, State};
use super::value::{Facts, Value, width};
use idiolect_ir::{
    BinaryOp, ConvertOp, ExprId, ExprKind, Function, Program, Property, Ty, UnaryOp,
};
use std::rc::Rc;

/// Why an expression has no value yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halt {
    /// A comparison may go either way; it has to be chosen.
    Choose,
    /// This is not possible.
    Impossible,
    GaveUp(&'static str),
}

/// Evaluates expressions of the last function. Choices are replayed in the order in which they come up.
pub struct Evaluator<'a> {
    pub program: &'a Program,
    pub properties: &'a [Property],
    pub state: State,
    pub choices: &'a [bool],
    used: usize,
    frame: Rc<Frame>,
    function: &'a Function,
}

impl<'a> Evaluator<'a> {
    pub fn new(
        program: &'a Program,
        properties: &'a [Property],
        state: State,
        choices: &'a [bool],
    ) -> Self {
        let frame = state.frames[state.frames.len() - 1].clone();
        let function = program.function(frame.function);
        Self {
            program,
            properties,
            state,
            choices,
            used: 0,
            frame,
            function,
        }
    }

    fn pointer_width(&self) -> u8 {
        self.program.types.model.pointer_width()
    }

    pub fn any(&mut self, ty: Ty) -> Value {
        let width = width(ty, self.pointer_width());
        self.state.symbol(Facts::any(width))
    }

    fn choose(&mut self) -> Result<bool, Halt> {
        let choice = self.choices.get(self.used).copied().ok_or(Halt::Choose)?;
        self.used += 1;
        Ok(choice)
    }

    pub fn value(&mut self, id: ExprId) -> Result<Value, Halt> {
        let expr = self.function.expr(id);
        let ty = expr.ty;
        let value = match expr.kind {
            ExprKind::Const(bits) => Value::Const(bits),
            ExprKind::Local(l) => match self.frame.locals[l.index()] {
                Some(value) => value,
                None => self.any(ty),
            },
            ExprKind::LocalAddress(l) => match self.frame.objects.get(&l) {
                Some(&object) => at(object, 0),
                None => return Err(Halt::GaveUp("an array that is not declared yet")),
            },
            ExprKind::GlobalAddress(g) => at(g.0, 0),
            ExprKind::FunctionAddress(f) => Value::Function(f),
            ExprKind::Load { address } => {
                let address = self.value(address)?;
                self.load(address, ty)?
            }
            ExprKind::Unary(op, a) => {
                let a = self.value(a)?;
                self.unary(op, a, ty)?
            }
            ExprKind::Binary(op, a, b) => {
                let operand = self.function.expr(a).ty;
                let ids = (a, b);
                let (a, b) = (self.value(a)?, self.value(b)?);
                match self.narrowed(op, ids, (a, b))? {
                    Some((a, b, operand)) => self.binary(op, a, b, operand, ty)?,
                    None => self.binary(op, a, b, operand, ty)?,
                }
            }
            ExprKind::Convert(op, a) => {
                let from = self.function.expr(a).ty;
                let a = self.value(a)?;
                self.convert(op, a, from, ty)
            }
            ExprKind::And(a, b) => {
                if self.truth(a)? {
                    Value::Const(self.truth(b)?.into())
                } else {
                    Value::Const(0)
                }
            }
            ExprKind::Or(a, b) => {
                if self.truth(a)? {
                    Value::Const(1)
                } else {
                    Value::Const(self.truth(b)?.into())
                }
            }
            ExprKind::Select {
                condition,
                then,
                otherwise,
            } => {
                if self.truth(condition)? {
                    self.value(then)?
                } else {
                    self.value(otherwise)?
                }
            }
            ExprKind::PtrAdd { base, index, scale } => {
                let base = self.value(base)?;
                let index = self.value(index)?;
                self.add(base, index, scale)?
            }
        };
        Ok(self.state.resolve(value))
    }

    /// A condition; both answers are looked at if it is not known.
    /// A number that was made wider is compared with a constant as it was before, so that something is known
    /// of it afterwards.
    fn narrowed(
        &mut self,
        op: BinaryOp,
        ids: (ExprId, ExprId),
        values: (Value, Value),
    ) -> Result<Option<(Value, Value, Ty)>, Halt> {
        let is_signed = matches!(
            op,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::SLt | BinaryOp::SLe
        );
        if !is_signed {
            return Ok(None);
        }
        let (wide, bits, is_left) = match values {
            (Value::Symbol { .. }, Value::Const(bits)) => (ids.0, bits, true),
            (Value::Const(bits), Value::Symbol { .. }) => (ids.1, bits, false),
            _ => return Ok(None),
        };
        let expr = self.function.expr(wide);
        let ExprKind::Convert(ConvertOp::SignExtend, inner) = expr.kind else {
            return Ok(None);
        };
        let (Ty::Int(from), Ty::Int(to)) = (self.function.expr(inner).ty, expr.ty) else {
            return Ok(None);
        };
        let number = integer::signed(bits, to);
        let narrow = number as u128 & integer::mask(from);
        if integer::signed(narrow, from) != number {
            return Ok(None);
        }
        let (inner, constant) = (self.value(inner)?, Value::Const(narrow));
        let (a, b) = if is_left {
            (inner, constant)
        } else {
            (constant, inner)
        };
        Ok(Some((a, b, Ty::Int(from))))
    }

    pub fn truth(&mut self, condition: ExprId) -> Result<bool, Halt> {
        let ty = self.function.expr(condition).ty;
        let value = self.value(condition)?;
        match value {
            Value::Const(bits) => Ok(bits != 0),
            value => {
                let answer = self.compare(BinaryOp::Ne, value, Value::Const(0), ty)?;
                Ok(answer)
            }
        }
    }

    fn compare(&mut self, op: BinaryOp, a: Value, b: Value, ty: Ty) -> Result<bool, Halt> {
        let (a, b) = (self.state.resolve(a), self.state.resolve(b));
        let width = width(ty, self.pointer_width());
        let is_number = |v| matches!(v, Value::Const(_) | Value::Symbol { .. });
        if !is_number(a) || !is_number(b) {
            return match self.compare_pointers(op, a, b) {
                Some(answer) => Ok(answer),
                None => self.choose(),
            };
        }
        if let Some(answer) = self.state.decide(op, a, b, width) {
            return Ok(answer);
        }
        let answer = self.choose()?;
        if self.state.assume(op, a, b, width, answer) {
            Ok(answer)
        } else {
            Err(Halt::Impossible)
        }
    }

    fn compare_pointers(&self, op: BinaryOp, a: Value, b: Value) -> Option<bool> {
        let is_equal = match (a, b) {
            (Value::Function(f), Value::Function(g)) => Some(f == g),
            // An address that is outside of its object may be any number.
            (Value::Pointer { object, low, high }, Value::Const(0))
            | (Value::Const(0), Value::Pointer { object, low, high })
                if !self.is_inside(object, low, high) =>
            {
                None
            }
            (Value::Function(_) | Value::Pointer { .. }, Value::Const(0))
            | (Value::Const(0), Value::Function(_) | Value::Pointer { .. })
            | (Value::Function(_), Value::Pointer { .. })
            | (Value::Pointer { .. }, Value::Function(_)) => Some(false),
            (
                Value::Pointer { object, low, high },
                Value::Pointer {
                    object: other,
                    low: from,
                    high: to,
                },
            ) => {
                let live = |object| self.state.object(self.program, object);
                let (this, that) = (live(object)?, live(other)?);
                if object == other {
                    if low == high && from == to {
                        // An address that is outside may have wrapped around.
                        let is_inside = this.holds(low, high, 0) && this.holds(from, to, 0);
                        let is_order = !matches!(op, BinaryOp::Eq | BinaryOp::Ne);
                        if is_order && !is_inside {
                            return None;
                        }
                        return match op {
                            BinaryOp::Eq => Some(low == from),
                            BinaryOp::Ne => Some(low != from),
                            BinaryOp::ULt | BinaryOp::SLt => Some(low < from),
                            BinaryOp::ULe | BinaryOp::SLe => Some(low <= from),
                            _ => None,
                        };
                    }
                    (high < from || to < low).then_some(false)
                } else {
                    // The end of one may be the start of another.
                    (this.holds(low, high, 1) && that.holds(from, to, 1)).then_some(false)
                }
            }
            _ => None,
        };
        match op {
            BinaryOp::Eq => is_equal,
            BinaryOp::Ne => is_equal.map(|equal| !equal),
            _ => None,
        }
    }

    /// Whether these offsets are in an object or just behind it; where it is gone, whether they are its start.
    fn is_inside(&self, object: u32, low: i64, high: i64) -> bool {
        match self.state.object(self.program, object) {
            Some(object) => object.holds(low, high, 0),
            None => low == 0 && high == 0,
        }
    }

    /// The same operation on the same values has the same result.
    fn result(&mut self, operation: Operation, facts: Facts) -> Value {
        if let Some(known) = self.state.derived.get(&operation) {
            return *known;
        }
        let value = if facts.low == facts.high {
            Value::Const(facts.low as u128 & mask(facts.width))
        } else {
            self.state.symbol(facts)
        };
        self.state.derived.insert(operation, value);
        value
    }

    fn unary(&mut self, op: UnaryOp, a: Value, ty: Ty) -> Result<Value, Halt> {
        let width = width(ty, self.pointer_width());
        if let (Value::Const(bits), Ty::Int(_)) = (a, ty) {
            let least = 1u128 << (width.clamp(1, 128) - 1);
            if op == (UnaryOp::Neg { signed: true }) && bits == least {
                self.overflow()?;
            }
            if let Some(bits) = integer::unary(op, width, bits) {
                return Ok(Value::Const(bits));
            }
        }
        if op == (UnaryOp::Neg { signed: true })
            && self.state.range(a, width).0 == Facts::any(width).low
        {
            self.overflow()?;
        }
        let facts = match (op, ty) {
            (UnaryOp::Neg { .. }, Ty::Int(_)) => {
                let (low, high) = self.state.range(a, width);
                match (low.checked_neg(), high.checked_neg()) {
                    (Some(high), Some(low)) if high <= Facts::any(width).high => {
                        Facts::between(width, low, high)
                    }
                    _ => Facts::any(width),
                }
            }
            _ => Facts::any(width),
        };
        let tag = match op {
            UnaryOp::Neg { .. } => 1,
            UnaryOp::Not => 2,
            UnaryOp::FNeg => 3,
        };
        Ok(self.result(operation(tag, a, Value::Const(0), width), facts))
    }

    /// A signed overflow may happen.
    fn overflow(&self) -> Result<(), Halt> {
        if self.properties.contains(&Property::Overflow) {
            Err(Halt::GaveUp("a signed overflow may happen"))
        } else {
            Ok(())
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        a: Value,
        b: Value,
        operand: Ty,
        ty: Ty,
    ) -> Result<Value, Halt> {
        let w = width(operand, self.pointer_width());
        if op.is_comparison() && !operand.is_float() {
            return Ok(Value::Const(self.compare(op, a, b, operand)?.into()));
        }
        if op.is_comparison() {
            return Ok(Value::Const(self.choose()?.into()));
        }
        let (a, b) = (self.state.resolve(a), self.state.resolve(b));
        if op == BinaryOp::PtrDiff {
            return Ok(self.difference(a, b, ty));
        }
        if operand.is_float() {
            return Ok(self.any(ty));
        }
        if matches!(
            op,
            BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem
        ) {
            self.check_divisor(op, a, b, w)?;
        }
        if let (Value::Const(x), Value::Const(y)) = (a, b) {
            if integer::overflows(op, w, x, y) {
                self.overflow()?;
            }
            return match integer::binary(op, w, x, y) {
                Some(bits) => Ok(Value::Const(bits)),
                None => Err(Halt::GaveUp("a division faults")),
            };
        }
        let range = self.result_range(op, a, b, w);
        if range.is_none() && signed_op(op) {
            self.overflow()?;
        }
        match (op, a, b) {
            (BinaryOp::Add { .. }, Value::Symbol { id, add }, Value::Const(c))
            | (BinaryOp::Add { .. }, Value::Const(c), Value::Symbol { id, add }) => {
                let add = add.wrapping_add(c) & mask(w);
                return Ok(Value::Symbol { id, add });
            }
            (BinaryOp::Sub { .. }, Value::Symbol { id, add }, Value::Const(c)) => {
                let add = add.wrapping_sub(c) & mask(w);
                return Ok(Value::Symbol { id, add });
            }
            (
                BinaryOp::Sub { .. },
                Value::Symbol { id, add },
                Value::Symbol { id: other, add: c },
            ) if id == other => return Ok(Value::Const(add.wrapping_sub(c) & mask(w))),
            _ => {}
        }
        if let Some(value) = self.address(op, a, b, w) {
            return Ok(value);
        }
        let facts = match range {
            Some((low, high)) => Facts::between(w, low, high),
            None => Facts::any(w),
        };
        Ok(self.result(operation(tag(op), a, b, w), facts))
    }

    /// Sums with an address that was made an integer: a constant apart it is another place in or beside the object, as it is
    /// for pointers.
    fn address(&self, op: BinaryOp, a: Value, b: Value, w: u8) -> Option<Value> {
        let (pointer, number, is_less) = match (op, a, b) {
            (BinaryOp::Add { .. }, Value::Pointer { .. }, Value::Const(c)) => (a, c, false),
            (BinaryOp::Add { .. }, Value::Const(c), Value::Pointer { .. }) => (b, c, false),
            (BinaryOp::Sub { .. }, Value::Pointer { .. }, Value::Const(c)) => (a, c, true),
            _ => return None,
        };
        let Value::Pointer { object, low, high } = pointer else {
            return None;
        };
        if w != self.pointer_width() {
            return None;
        }
        let number = signed(number, w);
        let by = if is_less { -number } else { number };
        let moved = |offset: i64| {
            let sum = by + i128::from(offset);
            (sum.abs() < far(w)).then_some(sum as i64)
        };
        let (low, high) = (moved(low)?, moved(high)?);
        Some(Value::Pointer { object, low, high })
    }

    fn check_divisor(&self, op: BinaryOp, a: Value, b: Value, w: u8) -> Result<(), Halt> {
        let may_be = |value: Value, n: i128| {
            let bits = n as u128 & mask(w);
            self.state
                .decide(BinaryOp::Eq, value, Value::Const(bits), w)
                != Some(false)
        };
        let is_signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
        let least = Facts::any(w).low;
        if may_be(b, 0) || is_signed && may_be(b, -1) && may_be(a, least) {
            return Err(Halt::GaveUp("a division may fault"));
        }
        Ok(())
    }

    /// The numbers that a result can be, if it cannot wrap around.
    fn result_range(&self, op: BinaryOp, a: Value, b: Value, w: u8) -> Option<(i128, i128)> {
        let ((a, c), (b, d)) = (self.state.range(a, w), self.state.range(b, w));
        let any = Facts::any(w);
        let fitting = |low: i128, high: i128| {
            (low >= any.low && high <= any.high && low <= high).then_some((low, high))
        };
        match op {
            BinaryOp::Add { .. } => fitting(a.checked_add(b)?, c.checked_add(d)?),
            BinaryOp::Sub { .. } => fitting(a.checked_sub(d)?, c.checked_sub(b)?),
            BinaryOp::Mul { .. } => {
                let all = [
                    a.checked_mul(b)?,
                    a.checked_mul(d)?,
                    c.checked_mul(b)?,
                    c.checked_mul(d)?,
                ];
                fitting(*all.iter().min()?, *all.iter().max()?)
            }
            BinaryOp::BitAnd if b >= 0 => Some((0, d)),
            BinaryOp::BitAnd if a >= 0 => Some((0, c)),
            BinaryOp::URem if a >= 0 && b > 0 => Some((0, c.min(d - 1))),
            BinaryOp::SRem if b > 0 => Some((if a < 0 { 1 - d } else { 0 }, (d - 1).min(c.max(0)))),
            BinaryOp::UDiv | BinaryOp::SDiv if a >= 0 && b > 0 => Some((a / d, c / b)),
            BinaryOp::LShr | BinaryOp::AShr if a >= 0 => Some((0, c)),
            _ => None,
        }
    }

    fn difference(&mut self, a: Value, b: Value, ty: Ty) -> Value {
        if let (
            Value::Pointer { object, low, high },
            Value::Pointer {
                object: other,
                low: from,
                high: to,
            },
        ) = (a, b)
            && object == other
            && low == high
            && from == to
        {
            let bits = low.wrapping_sub(from) as u128 & mask(width(ty, self.pointer_width()));
            return Value::Const(bits);
        }
        self.any(ty)
    }

    fn convert(&mut self, op: ConvertOp, a: Value, from: Ty, to: Ty) -> Value {
        let a = self.state.resolve(a);
        let pointer = self.pointer_width();
        let (w, v) = (width(from, pointer), width(to, pointer));
        match (op, a) {
            (ConvertOp::PtrToInt | ConvertOp::IntToPtr, a) => return a,
            (ConvertOp::ZeroExtend, Value::Const(bits)) => return Value::Const(bits),
            (ConvertOp::SignExtend, Value::Const(bits)) => {
                return Value::Const(signed(bits, w) as u128 & mask(v));
            }
            (ConvertOp::Truncate, Value::Const(bits)) => return Value::Const(bits & mask(v)),
            _ => {}
        }
        let (low, high) = self.state.range(a, w);
        let (tag, facts) = match op {
            ConvertOp::ZeroExtend if low >= 0 => (10, Facts::between(v, low, high)),
            ConvertOp::ZeroExtend => (10, Facts::between(v, 0, mask(w.min(126)) as i128)),
            ConvertOp::SignExtend => (11, Facts::between(v, low, high)),
            ConvertOp::Truncate => {
                let any = Facts::any(v);
                if low >= any.low && high <= any.high {
                    (12, Facts::between(v, low, high))
                } else {
                    (12, any)
                }
            }
            _ => return self.any(to),
        };
        self.result(operation(tag, a, Value::Const(w.into()), v), facts)
    }

    fn add(&mut self, base: Value, index: Value, scale: u64) -> Result<Value, Halt> {
        let w = self.pointer_width();
        let (base, index) = (self.state.resolve(base), self.state.resolve(index));
        let (low, high) = self.state.range(index, w);
        match base {
            Value::Pointer {
                object,
                low: from,
                high: to,
            } => {
                let far = far(w);
                let scale = i128::from(scale);
                let by = |n: i128, offset: i64| {
                    let sum = n.checked_mul(scale)?.checked_add(offset.into())?;
                    (sum.abs() < far).then_some(sum as i64)
                };
                match (by(low, from), by(high, to)) {
                    (Some(low), Some(high)) => Ok(Value::Pointer { object, low, high }),
                    _ => Err(Halt::GaveUp("a pointer may leave its object")),
                }
            }
            Value::Const(_) | Value::Symbol { .. } => {
                let Value::Const(n) = index else {
                    return Ok(self.any(Ty::Ptr));
                };
                let by = n.wrapping_mul(scale.into()) & mask(w);
                Ok(match base {
                    Value::Const(bits) => Value::Const(bits.wrapping_add(by) & mask(w)),
                    Value::Symbol { id, add } => Value::Symbol {
                        id,
                        add: add.wrapping_add(by) & mask(w),
                    },
                    other => other,
                })
            }
            Value::Function(_) => Err(Halt::GaveUp("arithmetic on a function's address")),
        }
    }

    /// Who looks at a chain sees its first block, or the last.
    pub fn unfold(&mut self, object: u32) -> Result<(), Halt> {
        let is_chain = |o: &Rc<Object>| o.chain.is_some() || o.last_of.is_some();
        if self.state.objects.get(&object).is_some_and(is_chain) {
            let is_least = self.choose()?;
            self.state.unfold(object, is_least);
        }
        Ok(())
    }

    pub fn load(&mut self, address: Value, ty: Ty) -> Result<Value, Halt> {
        let Value::Pointer { object, low, high } = self.state.resolve(address) else {
            return Err(Halt::GaveUp("a pointer that names no object is read from"));
        };
        let n = size(ty, self.pointer_width());
        self.unfold(object)?;
        let Some(content) = self.state.object(self.program, object) else {
            return Err(Halt::GaveUp("an object is used after its life"));
        };
        if !content.holds(low, high, n) {
            return Err(Halt::GaveUp("an access may be out of bounds"));
        }
        if low != high || ty == Ty::F80 {
            return Ok(self.any(ty));
        }
        match content.read(self.program, low as u64, n) {
            Some(value) => Ok(self.state.resolve(value)),
            None => Ok(self.any(ty)),
        }
    }
}

/// Offsets that are farther from an object are not followed; two that are nearer are never the same address.
fn far(pointer_width: u8) -> i128 {
    1 << (pointer_width - 2).min(40)
}

/// A place in an object.
pub fn at(object: u32, offset: i64) -> Value {
    Value::Pointer {
        object,
        low: offset,
        high: offset,
    }
}

/// Bytes in memory.
pub fn size(ty: Ty, pointer: u8) -> u64 {
    match ty {
        Ty::F80 if pointer == 32 => 12,
        Ty::F80 => 16,
        ty => u64::from(width(ty, pointer)).div_ceil(8),
    }
}

fn signed_op(op: BinaryOp) -> bool {
    use BinaryOp::{Add, Mul, Shl, Sub};
    matches!(
        op,
        Add { signed: true } | Sub { signed: true } | Mul { signed: true } | Shl { signed: true }
    )
}

fn tag(op: BinaryOp) -> u32 {
    use BinaryOp::*;
    20 + match op {
        Add { .. } => 0,
        Sub { .. } => 1,
        Mul { .. } => 2,
        UDiv => 3,
        SDiv => 4,
        URem => 5,
        SRem => 6,
        Shl { .. } => 7,
        LShr => 8,
        AShr => 9,
        BitAnd => 10,
        BitOr => 11,
        BitXor => 12,
        _ => 13,
    }
}

fn operation(tag: u32, a: Value, b: Value, width: u8) -> Operation {
    let part = |value| match value {
        Value::Const(bits) => (0, bits),
        Value::Symbol { id, add } => (1 + u128::from(id), add),
        Value::Pointer { object, low, high } => (
            1 << 40 | u128::from(object),
            (low as u64 as u128) << 64 | high as u64 as u128,
        ),
        Value::Function(f) => (2 << 40 | u128::from(f.0), 0),
    };
    let ((a, b), (c, d)) = (part(a), part(b));
    (tag, [a, b, c, d], width)
}
