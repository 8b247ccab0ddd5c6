//! Inputs made from others: values changed, taken from the dictionary, put in, left out, moved, and two
//! lists joined.

use super::dictionary::Dictionary;
use idiolect_base::Rng;
use idiolect_interp::{DrawnInput, InputRequest, InputSource, RandomInputs, Spread};
use idiolect_ir::Ty;

/// No list becomes longer than this.
const MAX_INPUTS: usize = 4_096;

/// A list of values beside `base`, with parts of `other`.
pub(super) fn mutated(
    base: &[DrawnInput],
    other: &[DrawnInput],
    dictionary: &Dictionary,
    rng: &mut Rng,
) -> Vec<u128> {
    let mut list = base.to_vec();
    for _ in 0..1 + rng.below(4) {
        change(&mut list, other, dictionary, rng);
    }
    list.truncate(MAX_INPUTS);
    list.iter().map(|i| i.bits).collect()
}

fn change(
    list: &mut Vec<DrawnInput>,
    other: &[DrawnInput],
    dictionary: &Dictionary,
    rng: &mut Rng,
) {
    if list.is_empty() {
        list.extend_from_slice(other);
        return;
    }
    let n = list.len();
    let at = rng.below(n as u64) as usize;
    match rng.below(12) {
        0..3 => {
            if let Some(value) = dictionary.value(list[at].origin, list[at].ty, rng) {
                list[at].bits = value;
            }
        }
        3 => write_text(list, at, dictionary, rng),
        4 => {
            let delta = rng.below(9) as i128 - 4;
            list[at].bits = list[at].bits.wrapping_add(delta as u128);
        }
        5 => list[at].bits ^= 1 << rng.below(u64::from(width(list[at].ty))),
        6 => list[at].bits = interesting(list[at].ty, rng),
        7 => {
            // Another one like its neighbour, or from the dictionary.
            let mut new = list[at];
            if let Some(value) = dictionary.value(new.origin, new.ty, rng) {
                new.bits = value;
            }
            list.insert(at, new);
        }
        8 => {
            let many = 1 + rng.below(4).min(n as u64 - 1) as usize;
            list.drain(at..(at + many).min(n));
        }
        9 => {
            let many = (1 + rng.below(8) as usize).min(n - at);
            let part: Vec<DrawnInput> = list[at..at + many].to_vec();
            let to = rng.below(n as u64 + 1) as usize;
            list.splice(to..to, part);
        }
        10 if !other.is_empty() => {
            let from = rng.below(other.len() as u64) as usize;
            let many = (1 + rng.below(16) as usize).min(other.len() - from);
            let part = other[from..from + many].to_vec();
            let end = if rng.chance(1, 2) {
                (at + many).min(n)
            } else {
                at
            };
            list.splice(at..end, part);
        }
        _ => {
            let with = rng.below(n as u64) as usize;
            let (a, b) = (list[at].bits, list[with].bits);
            list[at].bits = b;
            list[with].bits = a;
        }
    }
}

/// Over what is there, or between.
fn write_text(list: &mut Vec<DrawnInput>, at: usize, dictionary: &Dictionary, rng: &mut Rng) {
    let inserts = rng.chance(1, 3);
    let Some(text) = dictionary.text(rng) else {
        return;
    };
    let template = list[at];
    for (i, &byte) in text.iter().enumerate() {
        let bits = u128::from(byte);
        if !inserts && at + i < list.len() {
            list[at + i].bits = bits;
        } else {
            list.insert(at + i, DrawnInput { bits, ..template });
        }
    }
}

fn width(ty: Ty) -> u8 {
    match ty {
        Ty::Int(width) => width,
        Ty::F32 => 32,
        Ty::F64 | Ty::Ptr => 64,
        Ty::F80 => 80,
    }
}

/// Zero, the ends of ranges, powers of two, and anything.
fn interesting(ty: Ty, rng: &mut Rng) -> u128 {
    let bits = u64::from(width(ty));
    match rng.below(6) {
        0 => 0,
        1 => u128::MAX,
        2 => 1 << rng.below(bits),
        3 => (1 << rng.below(bits)) - 1,
        4 => 32 + u128::from(rng.below(95)),
        _ => u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64()),
    }
}

/// What a run draws beyond its list: the dictionary's values for half of the inputs.
pub(super) struct Tail<'a> {
    dictionary: &'a Dictionary,
    rng: Rng,
    random: RandomInputs,
}

impl<'a> Tail<'a> {
    pub(super) fn new(dictionary: &'a Dictionary, rng: &mut Rng) -> Self {
        let (own, other) = (rng.next_u64(), rng.next_u64());
        Self {
            dictionary,
            rng: Rng::new(own, 0),
            random: RandomInputs::new(Rng::new(other, 0), Spread::Mixed),
        }
    }
}

impl InputSource for Tail<'_> {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        let drawn = self.random.next(request);
        if self.rng.chance(1, 2) {
            drawn
        } else {
            let value = self
                .dictionary
                .value(request.origin, request.ty, &mut self.rng);
            value.or(drawn)
        }
    }
}
