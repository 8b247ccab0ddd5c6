//! Circuits on words of wires, bit 0 first: ripple-carry adders, shift-and-add multipliers,
//! restoring dividers, barrel shifters, borrow-chain comparators.

use crate::gates::{Gates, Wire};

pub fn constant(value: u128, width: u32) -> Vec<Wire> {
    (0..width)
        .map(|i| Wire::constant(value >> i & 1 == 1))
        .collect()
}

/// The value, if all bits are constant.
fn as_constant(word: &[Wire]) -> Option<u128> {
    let mut value = 0;
    for (i, &bit) in word.iter().enumerate() {
        if !bit.is_constant() {
            return None;
        }
        value |= u128::from(bit == Wire::TRUE) << i;
    }
    Some(value)
}

fn invert(word: &[Wire]) -> Vec<Wire> {
    word.iter().map(|&w| !w).collect()
}

pub fn mux(g: &mut Gates, c: Wire, a: &[Wire], b: &[Wire]) -> Vec<Wire> {
    a.iter().zip(b).map(|(&x, &y)| g.mux(c, x, y)).collect()
}

pub fn equal(g: &mut Gates, a: &[Wire], b: &[Wire]) -> Wire {
    let mut all = Wire::TRUE;
    for (&x, &y) in a.iter().zip(b) {
        let differ = g.xor(x, y);
        all = g.and(all, !differ);
    }
    all
}

/// `a + b + carry`.
pub fn add(g: &mut Gates, a: &[Wire], b: &[Wire], mut carry: Wire) -> Vec<Wire> {
    let mut sum = Vec::with_capacity(a.len());
    for (&x, &y) in a.iter().zip(b) {
        sum.push(g.xor3(x, y, carry));
        carry = g.majority(x, y, carry);
    }
    sum
}

pub fn subtract(g: &mut Gates, a: &[Wire], b: &[Wire]) -> Vec<Wire> {
    add(g, a, &invert(b), Wire::TRUE)
}

pub fn negate(g: &mut Gates, a: &[Wire]) -> Vec<Wire> {
    let zero = vec![Wire::FALSE; a.len()];
    subtract(g, &zero, a)
}

/// `-a` if `c`, else `a`, with one adder: inverted and incremented together.
pub fn negate_if(g: &mut Gates, c: Wire, a: &[Wire]) -> Vec<Wire> {
    let flipped: Vec<Wire> = a.iter().map(|&w| g.xor(w, c)).collect();
    let zero = vec![Wire::FALSE; a.len()];
    add(g, &flipped, &zero, c)
}

/// `a < b`, or `a <= b` if `or_equal`: the borrow of `a - b`, from the low end.
pub fn less(g: &mut Gates, a: &[Wire], b: &[Wire], or_equal: Wire) -> Wire {
    a.iter()
        .zip(b)
        .fold(or_equal, |borrow, (&x, &y)| g.majority(!x, y, borrow))
}

/// Signed order is unsigned order with the sign bits inverted.
pub fn less_signed(g: &mut Gates, mut a: Vec<Wire>, mut b: Vec<Wire>, or_equal: Wire) -> Wire {
    let top = a.len() - 1;
    a[top] = !a[top];
    b[top] = !b[top];
    less(g, &a, &b, or_equal)
}

pub fn multiply(g: &mut Gates, a: &[Wire], b: &[Wire]) -> Vec<Wire> {
    if let Some(c) = as_constant(b) {
        return multiply_constant(g, a, c);
    }
    if let Some(c) = as_constant(a) {
        return multiply_constant(g, b, c);
    }
    // Rows of the factor with more constant bits vanish or become plain additions.
    let constants = |w: &[Wire]| w.iter().filter(|b| b.is_constant()).count();
    let (a, b) = if constants(a) > constants(b) {
        (b, a)
    } else {
        (a, b)
    };
    let width = a.len();
    let mut sum = vec![Wire::FALSE; width];
    for (i, &bit) in b.iter().enumerate() {
        if bit == Wire::FALSE {
            continue;
        }
        let row: Vec<Wire> = a[..width - i].iter().map(|&w| g.and(w, bit)).collect();
        let high = add(g, &sum[i..], &row, Wire::FALSE);
        sum.truncate(i);
        sum.extend(high);
    }
    sum
}

/// By the non-adjacent form of the constant, which has the fewest non-zero digits -1, 0, 1 of all
/// signed binary forms: a third of the width on average, where plain binary has half.
fn multiply_constant(g: &mut Gates, a: &[Wire], mut c: u128) -> Vec<Wire> {
    let width = a.len();
    let mut sum = vec![Wire::FALSE; width];
    let mut i = 0;
    while c != 0 && i < width {
        if c & 1 == 1 {
            let row = &a[..width - i];
            let high = if c & 3 == 3 {
                // Digit -1, and carry 1. The carry out of 128 bits does not matter.
                c = c.wrapping_add(1);
                if c == 0 {
                    // It was all ones: nothing is left above this digit.
                    let last = subtract(g, &sum[i..], row);
                    sum.truncate(i);
                    sum.extend(last);
                    break;
                }
                subtract(g, &sum[i..], row)
            } else {
                c &= !1;
                add(g, &sum[i..], row, Wire::FALSE)
            };
            sum.truncate(i);
            sum.extend(high);
        }
        c >>= 1;
        i += 1;
    }
    sum
}

/// Quotient and remainder by restoring division. A divisor of 0 is subtracted successfully every
/// time, so the quotient is all ones and the remainder the dividend, as SMT-LIB wants.
pub fn divide(g: &mut Gates, a: &[Wire], b: &[Wire]) -> (Vec<Wire>, Vec<Wire>) {
    let width = a.len();
    let mut quotient = vec![Wire::FALSE; width];
    // One bit more than the divisor: the remainder is below it, and is doubled first.
    let mut divisor = b.to_vec();
    divisor.push(Wire::FALSE);
    let mut rest = vec![Wire::FALSE; width + 1];
    for i in (0..width).rev() {
        rest.rotate_right(1);
        rest[0] = a[i];
        let fits = less(g, &divisor, &rest, Wire::TRUE);
        let reduced = subtract(g, &rest, &divisor);
        quotient[i] = fits;
        rest = mux(g, fits, &reduced, &rest);
        // The remainder is below the divisor again, or, if that is 0, what was shifted in so far.
        rest[width] = Wire::FALSE;
    }
    rest.truncate(width);
    (quotient, rest)
}

pub fn shift_left(g: &mut Gates, a: &[Wire], by: &[Wire]) -> Vec<Wire> {
    let reversed: Vec<Wire> = a.iter().rev().copied().collect();
    let mut shifted = shift_right(g, &reversed, by, Wire::FALSE);
    shifted.reverse();
    shifted
}

/// Shifts towards bit 0, filling with `fill`, which is also the answer if everything is shifted out.
pub fn shift_right(g: &mut Gates, a: &[Wire], by: &[Wire], fill: Wire) -> Vec<Wire> {
    let width = a.len();
    let mut word = a.to_vec();
    let mut too_far = Wire::FALSE;
    for (stage, &bit) in by.iter().enumerate() {
        if stage >= 32 || 1usize << stage >= width {
            too_far = g.or(too_far, bit);
            continue;
        }
        let distance = 1 << stage;
        word = (0..width)
            .map(|i| {
                let from = word.get(i + distance).copied().unwrap_or(fill);
                g.mux(bit, from, word[i])
            })
            .collect();
    }
    word.into_iter().map(|w| g.mux(too_far, fill, w)).collect()
}
