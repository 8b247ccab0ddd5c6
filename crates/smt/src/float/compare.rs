//! Order and equality: NaN is related to nothing, and the two zeros are equal.

use super::definition::{FloatOp, defined};
use super::{Format, Mode, is_nan, is_negative, is_zero, magnitude};
use crate::term::{TermId, Terms};

fn ordered(t: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let (x, y) = (is_nan(t, format, a), is_nan(t, format, b));
    let either = t.or(x, y);
    t.not(either)
}

pub fn equal(t: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let term = equal_bits(t, format, a, b);
    defined(
        t,
        term,
        FloatOp::Equal,
        (format, Mode::NearestEven),
        &[a, b],
    )
}

fn equal_bits(t: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let ordered = ordered(t, format, a, b);
    let same = t.eq(a, b);
    let (x, y) = (is_zero(t, format, a), is_zero(t, format, b));
    let zeros = t.and(x, y);
    let either = t.or(same, zeros);
    t.and(ordered, either)
}

pub fn less(t: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let term = less_bits(t, format, a, b);
    defined(t, term, FloatOp::Less, (format, Mode::NearestEven), &[a, b])
}

fn less_bits(t: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let ordered = ordered(t, format, a, b);
    let (x, y) = (magnitude(t, format, a), magnitude(t, format, b));
    let (s, r) = (is_negative(t, format, a), is_negative(t, format, b));
    let (up, down) = (t.ult(x, y), t.ult(y, x));
    // Of different signs the negative one is less, unless both are zero.
    let (p, q) = (is_zero(t, format, a), is_zero(t, format, b));
    let zeros = t.and(p, q);
    let not_zeros = t.not(zeros);
    let of_negative = {
        let across = t.and(not_zeros, ordered);
        let along = t.and(down, ordered);
        t.ite(r, along, across)
    };
    let of_positive = {
        let positive = t.not(r);
        let along = t.and(up, ordered);
        t.and(positive, along)
    };
    t.ite(s, of_negative, of_positive)
}

pub fn less_or_equal(t: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let term = less_or_equal_bits(t, format, a, b);
    defined(
        t,
        term,
        FloatOp::LessOrEqual,
        (format, Mode::NearestEven),
        &[a, b],
    )
}

fn less_or_equal_bits(t: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    // The opposite of `b < a` where both are numbers.
    let ordered = ordered(t, format, a, b);
    let beyond = less(t, format, b, a);
    let within = t.not(beyond);
    t.and(ordered, within)
}
