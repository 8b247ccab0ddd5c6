//! Sets of values: up to one range of those with the top bit clear, and one of those with it set.
//!
//! So cut, a set is as good for unsigned numbers as for signed ones and for floats, whose order is that of their bits on
//! either side.

use crate::semantics::{apply_binary, apply_extract, apply_unary};
use crate::term::{BinaryOp, UnaryOp, mask};

/// From and to, without the top bit.
type Side = Option<(u128, u128)>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Values {
    /// Top bit clear.
    pub(crate) low: Side,
    /// Top bit set.
    pub(crate) high: Side,
}

/// The largest value without the top bit.
pub(crate) fn half(width: u32) -> u128 {
    if width <= 1 { 0 } else { mask(width - 1) }
}

fn join_sides(a: Side, b: Side) -> Side {
    match (a, b) {
        (Some((p, q)), Some((r, s))) => Some((p.min(r), q.max(s))),
        (side, None) | (None, side) => side,
    }
}

impl Values {
    pub(crate) fn all(width: u32) -> Self {
        let side = Some((0, half(width)));
        Self {
            low: side,
            high: side,
        }
    }

    pub(crate) fn one(value: u128, width: u32) -> Self {
        Self::range(value, value, width)
    }

    pub(crate) fn bools(may_be_false: bool, may_be_true: bool) -> Self {
        Self {
            low: may_be_false.then_some((0, 0)),
            high: may_be_true.then_some((0, 0)),
        }
    }

    /// The unsigned numbers from `from` to `to`.
    pub(crate) fn range(from: u128, to: u128, width: u32) -> Self {
        let half = half(width);
        let low = (from <= half).then(|| (from, to.min(half)));
        let high = (to > half).then(|| (from.max(half + 1) - half - 1, to - half - 1));
        Self { low, high }
    }

    /// The signed numbers from `from` to `to`, if the width has all of them.
    fn signed_range(from: i128, to: i128, width: u32) -> Self {
        let half = half(width) as i128;
        if width > 126 || from < -half - 1 || to > half {
            return Self::all(width);
        }
        let low = (to >= 0).then(|| (from.max(0) as u128, to as u128));
        let high = (from < 0).then(|| {
            let up = |x: i128| (x + half + 1) as u128;
            (up(from), up(to.min(-1)))
        });
        Self { low, high }
    }

    pub(crate) fn join(self, other: Self) -> Self {
        Self {
            low: join_sides(self.low, other.low),
            high: join_sides(self.high, other.high),
        }
    }

    pub(crate) fn is_true(self) -> bool {
        self.low.is_none()
    }

    pub(crate) fn is_false(self) -> bool {
        self.high.is_none()
    }

    /// The least and the largest, unsigned.
    pub(crate) fn bounds(self, width: u32) -> (u128, u128) {
        let top = half(width) + 1;
        match (self.low, self.high) {
            (Some((from, _)), Some((_, to))) => (from, top + to),
            (Some(own), None) => own,
            (None, Some((from, to))) => (top + from, top + to),
            // No value at all: nothing is true of it.
            (None, None) => (0, mask(width)),
        }
    }

    pub(crate) fn single(self, width: u32) -> Option<u128> {
        let (from, to) = self.bounds(width);
        (from == to).then_some(from)
    }

    /// The least and the largest, signed.
    fn signed_bounds(self, width: u32) -> (i128, i128) {
        let down = |x: u128| x as i128 - half(width) as i128 - 1;
        match (self.low, self.high) {
            (Some((_, to)), Some((from, _))) => (down(from), to as i128),
            (Some((from, to)), None) => (from as i128, to as i128),
            (None, Some((from, to))) => (down(from), down(to)),
            (None, None) => (down(0), half(width) as i128),
        }
    }

    /// How many values there are at most, as a power of two.
    pub(crate) fn size(self) -> u32 {
        let of = |side: Side| side.map_or(0, |(from, to)| 128 - (to - from).leading_zeros());
        match (self.low, self.high) {
            (Some(_), Some(_)) => of(self.low).max(of(self.high)) + 1,
            _ => of(self.low).max(of(self.high)),
        }
    }

    /// Two parts that have all values between them; `None` of one value.
    pub(crate) fn split(self) -> Option<(Self, Self)> {
        let none = Self {
            low: None,
            high: None,
        };
        let cut = |(from, to): (u128, u128)| {
            let middle = from + (to - from) / 2;
            (from < to).then_some(((from, middle), (middle + 1, to)))
        };
        match (self.low, self.high) {
            (Some(low), Some(high)) => Some((
                Self {
                    low: Some(low),
                    ..none
                },
                Self {
                    high: Some(high),
                    ..none
                },
            )),
            (Some(low), None) => {
                let (a, b) = cut(low)?;
                let part = |side| Self {
                    low: Some(side),
                    ..none
                };
                Some((part(a), part(b)))
            }
            (None, Some(high)) => {
                let (a, b) = cut(high)?;
                let part = |side| Self {
                    high: Some(side),
                    ..none
                };
                Some((part(a), part(b)))
            }
            (None, None) => None,
        }
    }

    /// A value in the middle.
    pub(crate) fn middle(self, width: u32) -> u128 {
        match (self.low, self.high) {
            (Some((from, to)), _) => from + (to - from) / 2,
            (None, Some((from, to))) => half(width) + 1 + from + (to - from) / 2,
            (None, None) => 0,
        }
    }
}

pub(crate) fn unary(op: UnaryOp, a: Values, from: u32, to: u32) -> Values {
    if let Some(a) = a.single(from) {
        return Values::one(apply_unary(op, a, from, to), to);
    }
    match op {
        UnaryOp::Not => {
            let turned = |side: Side| side.map(|(x, y)| (half(from) - y, half(from) - x));
            Values {
                low: turned(a.high),
                high: turned(a.low),
            }
        }
        UnaryOp::Neg => {
            let (x, y) = a.signed_bounds(from);
            Values::signed_range(-y, -x, to)
        }
        UnaryOp::ZeroExtend => {
            let (x, y) = a.bounds(from);
            Values::range(x, y, to)
        }
        UnaryOp::SignExtend => {
            let (x, y) = a.signed_bounds(from);
            Values::signed_range(x, y, to)
        }
    }
}

pub(crate) fn extract(hi: u32, lo: u32, a: Values, from: u32) -> Values {
    let width = hi - lo + 1;
    if let Some(a) = a.single(from) {
        return Values::one(apply_extract(hi, lo, a), width);
    }
    if lo == from - 1 {
        return Values::bools(a.low.is_some(), a.high.is_some());
    }
    // Without the top bit both sides are numbers of their own.
    let (x, y) = if hi < from - 1 {
        join_sides(a.low, a.high).unwrap_or((0, half(from)))
    } else {
        a.bounds(from)
    };
    if hi + 1 < 128 && (x >> (hi + 1)) != (y >> (hi + 1)) {
        return Values::all(width);
    }
    let cut = |v: u128| (v >> lo) & mask(width);
    Values::range(cut(x), cut(y), width)
}

pub(crate) fn binary(op: BinaryOp, a: Values, b: Values, (wa, wb, to): (u32, u32, u32)) -> Values {
    if let (Some(x), Some(y)) = (a.single(wa), b.single(wb)) {
        return Values::one(apply_binary(op, x, y, wa, wb), to);
    }
    let ((p, q), (r, s)) = (a.bounds(wa), b.bounds(wb));
    match op {
        BinaryOp::And if to == 1 => Values::bools(
            a.low.is_some() || b.low.is_some(),
            a.high.is_some() && b.high.is_some(),
        ),
        BinaryOp::Or if to == 1 => Values::bools(
            a.low.is_some() && b.low.is_some(),
            a.high.is_some() || b.high.is_some(),
        ),
        BinaryOp::And => Values::range(0, q.min(s), to),
        BinaryOp::Or => Values::range(p.max(r), filled(q | s), to),
        BinaryOp::Xor => {
            let top = half(to) + 1;
            match (a.single(wa), b.single(wb)) {
                (_, Some(y)) if y == top => turned(a),
                (Some(x), _) if x == top => turned(b),
                _ => Values::range(0, filled(q | s), to),
            }
        }
        BinaryOp::Eq => Values::bools(true, may_meet(a.low, b.low) || may_meet(a.high, b.high)),
        BinaryOp::Ult => Values::bools(q >= r, p < s),
        BinaryOp::Ule => Values::bools(q > r, p <= s),
        BinaryOp::Slt | BinaryOp::Sle if wa > 126 => Values::all(1),
        BinaryOp::Slt => {
            let ((p, q), (r, s)) = (a.signed_bounds(wa), b.signed_bounds(wb));
            Values::bools(q >= r, p < s)
        }
        BinaryOp::Sle => {
            let ((p, q), (r, s)) = (a.signed_bounds(wa), b.signed_bounds(wb));
            Values::bools(q > r, p <= s)
        }
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if wa <= 60 => arithmetic(op, a, b, wa),
        BinaryOp::Udiv if r > 0 => Values::range(p / s, q / r, to),
        BinaryOp::Urem if r > 0 => Values::range(0, q.min(s - 1), to),
        BinaryOp::Lshr if s < 128 => Values::range(p >> s, q >> r, to),
        BinaryOp::Concat => Values::range(p << wb | r, q << wb | s, to),
        _ => Values::all(to),
    }
}

fn turned(a: Values) -> Values {
    Values {
        low: a.high,
        high: a.low,
    }
}

/// All bits below the highest one set.
fn filled(x: u128) -> u128 {
    if x == 0 {
        0
    } else {
        u128::MAX >> x.leading_zeros()
    }
}

fn may_meet(a: Side, b: Side) -> bool {
    matches!((a, b), (Some((p, q)), Some((r, s))) if p <= s && r <= q)
}

/// Exact where nothing wraps around, as signed or as unsigned numbers.
fn arithmetic(op: BinaryOp, a: Values, b: Values, width: u32) -> Values {
    let ends = |(p, q): (i128, i128), (r, s): (i128, i128)| match op {
        BinaryOp::Add => (p + r, q + s),
        BinaryOp::Sub => (p - s, q - r),
        _ => {
            let all = [p * r, p * s, q * r, q * s];
            let least = all.iter().copied().fold(i128::MAX, i128::min);
            (least, all.iter().copied().fold(i128::MIN, i128::max))
        }
    };
    let half = half(width) as i128;
    let (from, to) = ends(a.signed_bounds(width), b.signed_bounds(width));
    if from >= -half - 1 && to <= half {
        return Values::signed_range(from, to, width);
    }
    let unsigned = |(x, y): (u128, u128)| (x as i128, y as i128);
    let (from, to) = ends(unsigned(a.bounds(width)), unsigned(b.bounds(width)));
    if from >= 0 && to <= mask(width) as i128 {
        return Values::range(from as u128, to as u128, width);
    }
    Values::all(width)
}

/// The bounds as signed or as unsigned numbers.
pub(crate) fn integers(a: Values, width: u32, is_signed: bool) -> Option<(i128, i128)> {
    if width > 126 {
        return None;
    }
    Some(if is_signed {
        a.signed_bounds(width)
    } else {
        let (x, y) = a.bounds(width);
        (x as i128, y as i128)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semantics::to_signed;

    fn holds(a: Values, value: u128, width: u32) -> bool {
        let top = half(width) + 1;
        let inside = |side: Side, v: u128| side.is_some_and(|(x, y)| x <= v && v <= y);
        if value < top {
            inside(a.low, value)
        } else {
            inside(a.high, value - top)
        }
    }

    /// All sets of three bits, and all pairs of them.
    fn sets() -> Vec<Values> {
        let mut sides = vec![None];
        for x in 0..4 {
            for y in x..4 {
                sides.push(Some((x, y)));
            }
        }
        let mut list = Vec::new();
        for &low in &sides {
            for &high in &sides {
                if low.is_some() || high.is_some() {
                    list.push(Values { low, high });
                }
            }
        }
        list
    }

    #[test]
    fn sets_have_every_value_that_operations_give() {
        let width = 3;
        let all = sets();
        for &a in &all {
            let of_a: Vec<u128> = (0..8).filter(|&x| holds(a, x, width)).collect();
            for op in [UnaryOp::Not, UnaryOp::Neg] {
                let result = unary(op, a, width, width);
                (of_a.iter()).for_each(|&x| {
                    assert!(holds(result, apply_unary(op, x, width, width), width));
                });
            }
            for op in [UnaryOp::ZeroExtend, UnaryOp::SignExtend] {
                let result = unary(op, a, width, 5);
                (of_a.iter()).for_each(|&x| {
                    assert!(holds(result, apply_unary(op, x, width, 5), 5));
                });
            }
            for (hi, lo) in [(0, 0), (1, 0), (2, 0), (1, 1), (2, 1), (2, 2)] {
                let result = extract(hi, lo, a, width);
                let to = hi - lo + 1;
                (of_a.iter()).for_each(|&x| {
                    assert!(holds(result, apply_extract(hi, lo, x), to));
                });
            }
            for &b in &all {
                for op in BinaryOp::ALL {
                    let to = match op {
                        BinaryOp::Eq
                        | BinaryOp::Ult
                        | BinaryOp::Ule
                        | BinaryOp::Slt
                        | BinaryOp::Sle => 1,
                        BinaryOp::Concat => 6,
                        _ => width,
                    };
                    let result = binary(op, a, b, (width, width, to));
                    for &x in &of_a {
                        for y in (0..8).filter(|&y| holds(b, y, width)) {
                            let value = apply_binary(op, x, y, width, width);
                            assert!(holds(result, value, to), "{op:?} {a:?} {b:?}: {x} {y}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn signed_numbers_are_read_as_they_are() {
        let a = Values::range(0xfe, 0xff, 8);
        assert_eq!(integers(a, 8, true), Some((-2, -1)));
        assert_eq!(to_signed(0xfe, 8), -2);
    }
}
