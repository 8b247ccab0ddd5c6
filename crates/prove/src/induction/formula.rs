//! What is said at a point: linear relations of the variables there, over the integers.
//!
//! A sum is a sum of integers and never wraps around; a variable has the value that its C type reads
//! from its bits. Wrap-around is said by divisibility: `x + y = 5` modulo 2³² is `2³² | x + y - 5`.

use idiolect_ir::{BinaryOp, ConvertOp, Expr, ExprId, ExprKind, Function, Ty, UnaryOp};
use idiolect_smt::{TermId, Terms};
use std::fmt::Write as _;

/// How the bits of a variable are read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Reading {
    /// 1 to 64.
    pub width: u32,
    pub is_signed: bool,
}

impl Reading {
    pub fn value(self, bits: u128) -> i128 {
        let bits = bits & ((1 << self.width) - 1);
        if self.is_signed && bits >> (self.width - 1) & 1 == 1 {
            bits as i128 - (1 << self.width)
        } else {
            bits as i128
        }
    }

    pub fn least(self) -> i128 {
        if self.is_signed {
            -(1 << (self.width - 1))
        } else {
            0
        }
    }

    pub fn most(self) -> i128 {
        let bits = self.width - u32::from(self.is_signed);
        (1 << bits) - 1
    }
}

/// `constant` and the sum of `coefficient * variable`, variables by their position at the point, and of
/// `coefficient * 2 ^ variable`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Sum {
    pub parts: Vec<(i64, usize)>,
    pub powers: Vec<(i64, usize)>,
    pub constant: i128,
}

/// The largest exponent; 2 to the power of any other number counts as 0.
const MAX_EXPONENT: i128 = 62;

/// 2 to this power.
pub fn power_of_two(exponent: i128) -> i128 {
    if (0..=MAX_EXPONENT).contains(&exponent) {
        1 << exponent
    } else {
        0
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Formula {
    /// The sum is at most 0.
    AtMostZero(Sum),
    /// The sum is 0.
    Zero(Sum),
    /// The sum is a multiple of this number, which is at least 1.
    Multiple(Sum, u64),
    /// The sum is a multiple of 2 to the power of this number, at most 64.
    Wraps(Sum, u32),
    All(Vec<Formula>),
    Any(Vec<Formula>),
    Not(Box<Formula>),
}

impl Formula {
    /// What holds exactly where this does not. People do not read two negations in a row.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Formula::Not(inner) => *inner,
            other => Formula::Not(Box::new(other)),
        }
    }
}

/// The bits that hold an integer in two's complement.
fn bits_of(value: i128) -> u32 {
    129 - if value < 0 { !value } else { value }.leading_zeros()
}

impl Sum {
    pub fn of(parts: &[(i64, usize)], constant: i128) -> Self {
        Self {
            parts: parts.to_vec(),
            powers: Vec::new(),
            constant,
        }
    }

    pub fn value(&self, state: &[i128]) -> i128 {
        let part = |&(c, v): &(i64, usize)| i128::from(c).saturating_mul(state[v]);
        let power = |&(c, v): &(i64, usize)| i128::from(c).saturating_mul(power_of_two(state[v]));
        let all = (self.parts.iter().map(part)).chain(self.powers.iter().map(power));
        all.fold(self.constant, i128::saturating_add)
    }

    /// Bits in which the sum has room, with its constant and without it and with either sign;
    /// `None` if these are more than there are. What is added up on the way may wrap around.
    fn width(&self, readings: &[Reading]) -> Option<u32> {
        let (mut least, mut most) = (0i128, 0i128);
        let plain = (self.parts.iter()).map(|&(c, v)| (c, readings[v].least(), readings[v].most()));
        let power = |&(c, _): &(i64, usize)| (c, 0, power_of_two(MAX_EXPONENT));
        for (c, a, b) in plain.chain(self.powers.iter().map(power)) {
            let ends = [i128::from(c).checked_mul(a)?, i128::from(c).checked_mul(b)?];
            least = least.checked_add(ends[0].min(ends[1]))?;
            most = most.checked_add(ends[0].max(ends[1]))?;
        }
        let mut width = 4;
        for value in [
            least,
            most,
            least.checked_neg()?,
            most.checked_neg()?,
            least.checked_add(self.constant)?,
            most.checked_add(self.constant)?,
            self.constant,
            self.constant.checked_neg()?,
        ] {
            width = width.max(bits_of(value));
        }
        (width <= 127).then_some(width)
    }

    fn term(&self, terms: &mut Terms, values: &[TermId], readings: &[Reading], w: u32) -> TermId {
        let mut sum = terms.bv(bits(self.constant, w), w);
        for &(c, v) in &self.parts {
            let value = fit(terms, values[v], readings[v], w);
            let factor = terms.bv(bits(i128::from(c), w), w);
            let product = terms.mul(factor, value);
            sum = terms.add(sum, product);
        }
        for &(c, v) in &self.powers {
            let value = power_term(terms, values[v], readings[v], w);
            let factor = terms.bv(bits(i128::from(c), w), w);
            let product = terms.mul(factor, value);
            sum = terms.add(sum, product);
        }
        sum
    }

    /// The sum without its constant, what it is compared with instead of zero, and whether both have the
    /// other sign: bounds of one sum on both sides, wherever they are, then share its bits.
    fn compared(
        &self,
        terms: &mut Terms,
        values: &[TermId],
        readings: &[Reading],
        w: u32,
    ) -> (TermId, TermId, bool) {
        let mut bare = self.clone();
        bare.constant = 0;
        let first = bare.parts.first().or(bare.powers.first());
        let is_turned = first.is_some_and(|p| p.0 < 0)
            && (bare.parts.iter().chain(&bare.powers)).all(|p| p.0 != i64::MIN);
        if is_turned {
            let all = bare.parts.iter_mut().chain(&mut bare.powers);
            all.for_each(|part| part.0 = -part.0);
        }
        let sign = if is_turned { 1 } else { -1 };
        let bound = terms.bv(bits(sign * self.constant, w), w);
        (bare.term(terms, values, readings, w), bound, is_turned)
    }

    /// The parts with their names.
    fn named(&self, names: &[String]) -> Vec<(i64, String)> {
        let plain = self.parts.iter().map(|&(c, v)| (c, names[v].clone()));
        // 1LL: the sum is one of integers, and `int` would end too soon.
        let power = |&(c, v): &(i64, usize)| (c, format!("(1LL << {})", names[v]));
        plain.chain(self.powers.iter().map(power)).collect()
    }

    /// The two sides of a relation, with what is subtracted on the right.
    fn sides(&self, names: &[String]) -> (String, String) {
        let named = self.named(names);
        let side = |sign: i128| {
            let mut text = String::new();
            for (c, name) in named.iter().filter(|p| i128::from(p.0) * sign > 0) {
                let plus = if text.is_empty() { "" } else { " + " };
                let c = i128::from(*c).abs();
                let _ = match c {
                    1 => write!(text, "{plus}{name}"),
                    _ => write!(text, "{plus}{c} * {name}"),
                };
            }
            let constant = self.constant * sign;
            if constant > 0 || text.is_empty() {
                let plus = if text.is_empty() { "" } else { " + " };
                let _ = write!(text, "{plus}{}", constant.max(0));
            }
            text
        };
        // A constant alone reads better on the right.
        let bare = || Sum {
            constant: 0,
            ..self.clone()
        };
        if named.iter().all(|p| p.0 > 0) && self.constant > 0 {
            return (bare().sides(names).0, format!("-{}", self.constant));
        }
        if named.iter().all(|p| p.0 < 0) && self.constant < 0 {
            return (self.constant.to_string(), bare().sides(names).1);
        }
        (side(1), side(-1))
    }
}

/// 2 to the power of a value, as [`power_of_two`] has it, in so many bits.
fn power_term(terms: &mut Terms, value: TermId, reading: Reading, w: u32) -> TermId {
    // Wide enough for the exponent and the width, whatever the variable has.
    let wide = w.max(reading.width + 1).max(8);
    let exponent = fit(terms, value, reading, wide);
    let one = terms.bv(1, wide);
    let power = terms.shl(one, exponent);
    let most = terms.bv(MAX_EXPONENT as u128, wide);
    let fits = terms.ule(exponent, most);
    let zero = terms.bv(0, wide);
    // Bits that are shifted out of a narrow sum count as none, as they should.
    let power = terms.ite(fits, power, zero);
    if wide > w {
        terms.extract(w - 1, 0, power)
    } else {
        power
    }
}

fn bits(value: i128, width: u32) -> u128 {
    (value as u128) & idiolect_smt::mask(width)
}

fn fit(terms: &mut Terms, value: TermId, reading: Reading, width: u32) -> TermId {
    if width < reading.width {
        return terms.extract(width - 1, 0, value);
    }
    if reading.is_signed {
        terms.sext(value, width)
    } else {
        terms.zext(value, width)
    }
}

impl Formula {
    pub fn holds(&self, state: &[i128]) -> bool {
        match self {
            Self::AtMostZero(sum) => sum.value(state) <= 0,
            Self::Zero(sum) => sum.value(state) == 0,
            Self::Multiple(sum, by) => sum.value(state) % i128::from(*by) == 0,
            Self::Wraps(sum, power) => sum.value(state) % (1i128 << power) == 0,
            Self::All(list) => list.iter().all(|f| f.holds(state)),
            Self::Any(list) => list.iter().any(|f| f.holds(state)),
            Self::Not(inner) => !inner.holds(state),
        }
    }

    /// `None` if numbers are too large for it.
    pub fn term(
        &self,
        terms: &mut Terms,
        values: &[TermId],
        readings: &[Reading],
    ) -> Option<TermId> {
        Some(match self {
            Self::AtMostZero(sum) => {
                let w = sum.width(readings)?;
                let (value, bound, is_turned) = sum.compared(terms, values, readings, w);
                if is_turned {
                    terms.sle(bound, value)
                } else {
                    terms.sle(value, bound)
                }
            }
            Self::Zero(sum) => {
                let w = sum.width(readings)?;
                let (value, bound, _) = sum.compared(terms, values, readings, w);
                terms.eq(value, bound)
            }
            Self::Multiple(_, 1) => terms.bool(true),
            Self::Multiple(sum, by) if by.is_power_of_two() => {
                Self::Wraps(sum.clone(), by.ilog2()).term(terms, values, readings)?
            }
            Self::Multiple(sum, by) => {
                let w = sum.width(readings)?.max(bits_of(i128::from(*by)));
                let sum = sum.term(terms, values, readings, w);
                let by = terms.bv(u128::from(*by), w);
                let rest = terms.srem(sum, by);
                let zero = terms.bv(0, w);
                terms.eq(rest, zero)
            }
            Self::Wraps(sum, power) => {
                let sum = sum.term(terms, values, readings, *power);
                let zero = terms.bv(0, *power);
                terms.eq(sum, zero)
            }
            Self::All(list) => {
                let list: Option<Vec<TermId>> = (list.iter())
                    .map(|f| f.term(terms, values, readings))
                    .collect();
                terms.and_all(&list?)
            }
            Self::Any(list) => {
                let list: Option<Vec<TermId>> = (list.iter())
                    .map(|f| f.term(terms, values, readings))
                    .collect();
                terms.or_all(&list?)
            }
            Self::Not(inner) => {
                let inner = inner.term(terms, values, readings)?;
                terms.not(inner)
            }
        })
    }

    /// As an expression of a function, of type [`Ty::BOOL`]; `values` are its variables.
    pub fn expr(
        &self,
        function: &mut Function,
        values: &[ExprId],
        readings: &[Reading],
    ) -> Option<ExprId> {
        let mut build = Build {
            function,
            values,
            readings,
        };
        build.formula(self)
    }

    /// In C, as far as C's sums do not wrap around; so in ACSL it is exact.
    pub fn text(&self, names: &[String]) -> String {
        match self {
            Self::AtMostZero(sum) => {
                let (left, right) = sum.sides(names);
                format!("{left} <= {right}")
            }
            Self::Zero(sum) => {
                let (left, right) = sum.sides(names);
                format!("{left} == {right}")
            }
            Self::Multiple(sum, by) => format!("({}) % {by} == 0", sum_text(sum, names)),
            Self::Wraps(sum, power) => {
                format!("({}) % {} == 0", sum_text(sum, names), 1u128 << power)
            }
            Self::All(list) => joined(list, " && ", "1", names),
            Self::Any(list) => match list.split_last() {
                // An implication is written as one.
                Some((last, [Self::Not(condition)])) => {
                    format!("!({}) || {}", condition.text(names), last.inner_text(names))
                }
                _ => joined(list, " || ", "0", names),
            },
            Self::Not(inner) => format!("!({})", inner.text(names)),
        }
    }

    /// As a C expression that means the same: what might wrap around is computed in a wider type.
    /// `None` where C has no type wide enough for sure.
    pub fn c_text(&self, names: &[String], readings: &[Reading]) -> Option<String> {
        let wide: Vec<String> = (names.iter().zip(readings))
            .map(|(name, r)| match r.width {
                0..=32 => format!("(long long){name}"),
                _ => format!("(__int128){name}"),
            })
            .collect();
        let is_small = |sum: &Sum| {
            let part = |p: &(i64, usize)| p.0.abs() < 1 << 16;
            // C has no word for 2 to the power of a number that may be out of range.
            sum.powers.is_empty()
                && sum.parts.iter().all(part)
                && sum.constant.abs() < 1 << 62
                && sum.parts.len() < 64
        };
        let inner = |list: &[Formula], by: &str, empty: &str| {
            let list: Option<Vec<String>> = (list.iter())
                .map(|f| Some(format!("({})", f.c_text(names, readings)?)))
                .collect();
            let list = list?;
            Some(if list.is_empty() {
                empty.to_owned()
            } else {
                list.join(by)
            })
        };
        match self {
            Self::AtMostZero(sum) | Self::Zero(sum) | Self::Multiple(sum, _) if is_small(sum) => {
                Some(self.text(&wide))
            }
            Self::Wraps(sum, power) if is_small(sum) && *power <= 32 => {
                let bits = 1u64 << power;
                Some(format!("({}) % {bits} == 0", sum_text(sum, &wide)))
            }
            Self::All(list) => inner(list, " && ", "1"),
            Self::Any(list) => inner(list, " || ", "0"),
            Self::Not(inner) => Some(format!("!({})", inner.c_text(names, readings)?)),
            _ => None,
        }
    }

    fn inner_text(&self, names: &[String]) -> String {
        match self {
            Self::All(list) | Self::Any(list) if list.len() != 1 => {
                format!("({})", self.text(names))
            }
            _ => self.text(names),
        }
    }

    /// Whether it speaks of powers of two.
    pub fn has_powers(&self) -> bool {
        match self {
            Self::AtMostZero(sum)
            | Self::Zero(sum)
            | Self::Multiple(sum, _)
            | Self::Wraps(sum, _) => !sum.powers.is_empty(),
            Self::All(list) | Self::Any(list) => list.iter().any(Self::has_powers),
            Self::Not(inner) => inner.has_powers(),
        }
    }

    /// Calls `f` with every variable.
    pub fn for_each_variable(&self, f: &mut impl FnMut(usize)) {
        match self {
            Self::AtMostZero(sum)
            | Self::Zero(sum)
            | Self::Multiple(sum, _)
            | Self::Wraps(sum, _) => {
                let all = sum.parts.iter().chain(&sum.powers);
                all.for_each(|p| f(p.1));
            }
            Self::All(list) | Self::Any(list) => {
                list.iter().for_each(|inner| inner.for_each_variable(f));
            }
            Self::Not(inner) => inner.for_each_variable(f),
        }
    }
}

fn joined(list: &[Formula], by: &str, empty: &str, names: &[String]) -> String {
    if list.is_empty() {
        return empty.to_owned();
    }
    let list: Vec<String> = list.iter().map(|f| f.inner_text(names)).collect();
    list.join(by)
}

fn sum_text(sum: &Sum, names: &[String]) -> String {
    let mut text = String::new();
    for (c, name) in sum.named(names) {
        let sign = match (text.is_empty(), c < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        let _ = match c.unsigned_abs() {
            1 => write!(text, "{sign}{name}"),
            c => write!(text, "{sign}{c} * {name}"),
        };
    }
    if sum.constant != 0 || text.is_empty() {
        let sign = if sum.constant < 0 { " - " } else { " + " };
        let _ = write!(text, "{sign}{}", sum.constant.abs());
    }
    text
}

struct Build<'a> {
    function: &'a mut Function,
    values: &'a [ExprId],
    readings: &'a [Reading],
}

impl Build<'_> {
    fn push(&mut self, kind: ExprKind, ty: Ty) -> ExprId {
        let span = self.function.span;
        self.function.exprs.push(Expr { kind, ty, span });
        ExprId::new(self.function.exprs.len() - 1)
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, ty: Ty) -> ExprId {
        self.push(ExprKind::Binary(op, a, b), ty)
    }

    fn sum(&mut self, sum: &Sum, w: u32) -> ExprId {
        let ty = Ty::Int(w as u8);
        let mut all = self.push(ExprKind::Const(bits(sum.constant, w)), ty);
        for &(c, v) in &sum.parts {
            let (value, reading) = (self.values[v], self.readings[v]);
            let op = match (w.cmp(&reading.width), reading.is_signed) {
                (std::cmp::Ordering::Less, _) => Some(ConvertOp::Truncate),
                (std::cmp::Ordering::Equal, _) => None,
                (std::cmp::Ordering::Greater, true) => Some(ConvertOp::SignExtend),
                (std::cmp::Ordering::Greater, false) => Some(ConvertOp::ZeroExtend),
            };
            let value = match op {
                Some(op) => self.push(ExprKind::Convert(op, value), ty),
                None => value,
            };
            let factor = self.push(ExprKind::Const(bits(i128::from(c), w)), ty);
            let product = self.binary(BinaryOp::Mul { signed: false }, factor, value, ty);
            all = self.binary(BinaryOp::Add { signed: false }, all, product, ty);
        }
        for &(c, v) in &sum.powers {
            let value = self.power(self.values[v], self.readings[v], w);
            let factor = self.push(ExprKind::Const(bits(i128::from(c), w)), ty);
            let product = self.binary(BinaryOp::Mul { signed: false }, factor, value, ty);
            all = self.binary(BinaryOp::Add { signed: false }, all, product, ty);
        }
        all
    }

    /// As [`power_term`]. Shifts of the program model count modulo the width, so what is shifted too far is
    /// excluded before.
    fn power(&mut self, value: ExprId, reading: Reading, w: u32) -> ExprId {
        let wide = w.max(reading.width + 1).max(8);
        let ty = Ty::Int(wide as u8);
        let op = if reading.is_signed {
            ConvertOp::SignExtend
        } else {
            ConvertOp::ZeroExtend
        };
        let exponent = self.push(ExprKind::Convert(op, value), ty);
        let one = self.push(ExprKind::Const(1), ty);
        let shifted = self.binary(BinaryOp::Shl { signed: false }, one, exponent, ty);
        let most = (MAX_EXPONENT as u128).min(u128::from(wide) - 1);
        let most = self.push(ExprKind::Const(most), ty);
        let fits = self.binary(BinaryOp::ULe, exponent, most, Ty::BOOL);
        let zero = self.push(ExprKind::Const(0), ty);
        let kind = ExprKind::Select {
            condition: fits,
            then: shifted,
            otherwise: zero,
        };
        let power = self.push(kind, ty);
        if wide > w {
            self.push(
                ExprKind::Convert(ConvertOp::Truncate, power),
                Ty::Int(w as u8),
            )
        } else {
            power
        }
    }

    fn compared(&mut self, op: BinaryOp, a: ExprId, with: i128, w: u32) -> ExprId {
        let with = self.push(ExprKind::Const(bits(with, w)), Ty::Int(w as u8));
        self.binary(op, a, with, Ty::BOOL)
    }

    /// The sum without its constant, compared with what is left of zero: bounds of one sum share its bits.
    fn sum_compared(&mut self, op: BinaryOp, sum: &Sum) -> Option<ExprId> {
        let w = sum.width(self.readings)?;
        let mut bare = sum.clone();
        bare.constant = 0;
        let bare = self.sum(&bare, w);
        Some(self.compared(op, bare, -sum.constant, w))
    }

    fn formula(&mut self, formula: &Formula) -> Option<ExprId> {
        Some(match formula {
            Formula::AtMostZero(sum) => self.sum_compared(BinaryOp::SLe, sum)?,
            Formula::Zero(sum) => self.sum_compared(BinaryOp::Eq, sum)?,
            Formula::Multiple(sum, by) if *by > 1 && by.is_power_of_two() => {
                self.formula(&Formula::Wraps(sum.clone(), by.ilog2()))?
            }
            Formula::Multiple(sum, by) => {
                let w = sum.width(self.readings)?.max(bits_of(i128::from(*by)));
                let sum = self.sum(sum, w);
                let by = self.push(ExprKind::Const(u128::from(*by)), Ty::Int(w as u8));
                let rest = self.binary(BinaryOp::SRem, sum, by, Ty::Int(w as u8));
                self.compared(BinaryOp::Eq, rest, 0, w)
            }
            Formula::Wraps(sum, power) => {
                let sum = self.sum(sum, *power);
                self.compared(BinaryOp::Eq, sum, 0, *power)
            }
            Formula::All(list) => self.folded(list, BinaryOp::BitAnd, 1)?,
            Formula::Any(list) => self.folded(list, BinaryOp::BitOr, 0)?,
            Formula::Not(inner) => {
                let inner = self.formula(inner)?;
                self.push(ExprKind::Unary(UnaryOp::Not, inner), Ty::BOOL)
            }
        })
    }

    fn folded(&mut self, list: &[Formula], op: BinaryOp, empty: u128) -> Option<ExprId> {
        let mut all = self.push(ExprKind::Const(empty), Ty::BOOL);
        for inner in list {
            let inner = self.formula(inner)?;
            all = self.binary(op, all, inner, Ty::BOOL);
        }
        Some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use idiolect_smt::Model;
    use proptest::prelude::*;

    #[test]
    fn relations_are_written_with_what_is_subtracted_on_the_right() {
        let names = ["x".to_owned(), "y".to_owned()];
        let check = |formula: Formula, expected: &str| assert_eq!(formula.text(&names), expected);
        check(
            Formula::AtMostZero(Sum::of(&[(1, 0), (-1, 1)], -3)),
            "x <= y + 3",
        );
        check(Formula::AtMostZero(Sum::of(&[(1, 0)], -10)), "x <= 10");
        check(Formula::AtMostZero(Sum::of(&[(-1, 0)], 2)), "2 <= x");
        check(Formula::AtMostZero(Sum::of(&[(-1, 0)], -2)), "-2 <= x");
        check(Formula::AtMostZero(Sum::of(&[(1, 0)], 2)), "x <= -2");
        check(Formula::AtMostZero(Sum::of(&[(-1, 0)], 0)), "0 <= x");
        check(Formula::Zero(Sum::of(&[(2, 0), (-1, 1)], 0)), "2 * x == y");
        check(
            Formula::Wraps(Sum::of(&[(1, 0), (-2, 1)], 1), 32),
            "(x - 2 * y + 1) % 4294967296 == 0",
        );
    }

    /// Numbers at and near the ends of types.
    fn any_large() -> impl Strategy<Value = i128> {
        prop_oneof![
            -4i128..5,
            (0u32..65, -2i128..3).prop_map(|(k, d)| (1 << k) + d),
            (0u32..65, -2i128..3).prop_map(|(k, d)| d - (1 << k)),
        ]
    }

    fn any_sum() -> impl Strategy<Value = Sum> {
        let part = (-3i64..4, 0usize..2);
        let power = (-3i64..4, 0usize..2);
        (
            prop::collection::vec(part, 1..3),
            prop::collection::vec(power, 0..2),
            -9i128..10,
        )
            .prop_map(|(parts, powers, constant)| Sum {
                parts,
                powers,
                constant,
            })
    }

    fn any_formula() -> impl Strategy<Value = Formula> {
        let leaf = prop_oneof![
            any_sum().prop_map(Formula::AtMostZero),
            any_sum().prop_map(Formula::Zero),
            (any_sum(), 1u64..7).prop_map(|(s, m)| Formula::Multiple(s, m)),
            (any_sum(), 1u32..9).prop_map(|(s, p)| Formula::Wraps(s, p)),
        ];
        leaf.prop_recursive(2, 8, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Formula::All),
                prop::collection::vec(inner.clone(), 0..3).prop_map(Formula::Any),
                inner.prop_map(|f| Formula::Not(Box::new(f))),
            ]
        })
    }

    proptest! {
        /// The same at the ends of wide types, where a sum with too little room would wrap around.
        #[test]
        fn wide_sums_have_room(
            (narrow, wide) in ((-9i64..10), (-9i64..10)),
            large in -70000i64..70000,
            constant in any_large(),
            (kind, by) in (0u8..4, prop_oneof![1u64..40, (0u32..64).prop_map(|k| 1 << k), any::<u64>().prop_map(|b| b | 1)]),
            (a, b) in (any_large(), any_large()),
            is_signed in any::<bool>(),
        ) {
            let readings = [
                Reading { width: 32, is_signed },
                Reading { width: 64, is_signed: !is_signed },
            ];
            let bits = [a as u128 & idiolect_smt::mask(32), b as u128 & idiolect_smt::mask(64)];
            let state = [readings[0].value(bits[0]), readings[1].value(bits[1])];
            let sum = Sum::of(&[(narrow, 0), (wide, 1), (large, 0)], constant);
            // Near the value, too, where a comparison changes.
            let near = Sum { constant: sum.constant - sum.value(&state) + constant % 3, ..sum.clone() };
            for sum in [sum, near] {
                let formula = match kind {
                    0 => Formula::AtMostZero(sum),
                    1 => Formula::Zero(sum),
                    2 => Formula::Multiple(sum, by),
                    _ => Formula::Wraps(sum, 1 + (by % 64) as u32),
                };
                for mut terms in [Terms::new(), Terms::unsimplified()] {
                    let (x, y) = (terms.bv_var("x", 32), terms.bv_var("y", 64));
                    let term = formula.term(&mut terms, &[x, y], &readings).expect("it fits");
                    let mut model = Model::new();
                    model.set_term(&terms, x, bits[0]);
                    model.set_term(&terms, y, bits[1]);
                    prop_assert_eq!(model.eval_bool(&terms, term), formula.holds(&state));
                }
            }
        }

        /// A formula means the same to a run, to the solver, and as a term that nobody simplified.
        #[test]
        fn the_term_has_the_value_of_the_formula(
            formula in any_formula(),
            a in 0u128..256,
            b in 0u128..256,
        ) {
            let readings = [
                Reading { width: 8, is_signed: true },
                Reading { width: 8, is_signed: false },
            ];
            let state = [readings[0].value(a), readings[1].value(b)];
            for mut terms in [Terms::new(), Terms::unsimplified()] {
                let (x, y) = (terms.bv_var("x", 8), terms.bv_var("y", 8));
                let term = formula.term(&mut terms, &[x, y], &readings).expect("small numbers");
                let mut model = Model::new();
                model.set_term(&terms, x, a);
                model.set_term(&terms, y, b);
                prop_assert_eq!(model.eval_bool(&terms, term), formula.holds(&state));
            }
        }
    }
}
