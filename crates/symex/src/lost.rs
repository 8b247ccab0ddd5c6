//! Pointers whose targets cannot be read off their term.
//!
//! [`Addresses::targets`](crate::pointer::Addresses::targets) follows constants, choices and sums. A
//! pointer that was taken apart (copied byte by byte under different conditions, encrypted, kept in
//! an array of the solver) is a number to it. Such a number may well be the address of an object:
//! an access through it is not modelled then, and it is a fault only where no object can be meant.
//! Numbers that inputs alone determine are no addresses, as everywhere else.

use crate::encoder::Encoder;
use crate::pointer::Target;
use crate::state::State;
use crate::walker::WalkDomain;
use idiolect_ir::FaultKind;
use idiolect_smt::{BinaryOp, Node, TermId, Terms, UnaryOp};

const CONSTRUCT: &str = "a pointer that was taken apart";

/// How many terms are looked at before a number is taken for a possible address.
const MAX_VISITS: u32 = 256;
/// How many choices a value in parts is split into.
const MAX_CHOICES: u32 = 64;

impl Encoder<'_> {
    /// Runs in which a target without an object is used: a fault of this kind, or, where the number
    /// may be an address after all, not modelled.
    pub(crate) fn no_object(&mut self, s: &mut State, t: Target, kind: FaultKind) {
        if self.terms.as_const(t.offset).is_none() && self.may_be_address(t.offset) {
            let meant = self.in_objects(t.offset);
            let meant = self.terms.and(t.condition, meant);
            self.trap(s, CONSTRUCT, meant);
        }
        self.fault(s, kind, t.condition);
    }

    /// Whether the number has parts that may come from an address.
    fn may_be_address(&self, number: TermId) -> bool {
        let mut visits = MAX_VISITS;
        let low = self.addresses.lowest_bit();
        !is_number(&self.terms, number, 0, low, &mut visits)
    }

    /// Holds if the number lies where objects are.
    fn in_objects(&mut self, number: TermId) -> TermId {
        let width = self.addresses.width();
        let n = self.infos.len() as u32;
        let (from, to) = self.addresses.occupied(n);
        let first = self.terms.bv(u128::from(from), width);
        let distance = self.terms.sub(number, first);
        let extent = self.terms.bv(u128::from(to.wrapping_sub(from)), width);
        self.terms.ult(distance, extent)
    }

    /// Parts in ascending order as one pointer: where the same conditions choose them all, a choice
    /// of pointers instead of pointers made of choices.
    pub(crate) fn pointer_of_parts(&mut self, list: &[TermId]) -> Option<TermId> {
        let is_choice = |t: &Terms, part: TermId| matches!(t.node(part), Node::Ite(..));
        if !list.iter().any(|&part| is_choice(&self.terms, part)) {
            return None;
        }
        let mut choices = MAX_CHOICES;
        let whole = split(&mut self.terms, list, &mut choices)?;
        let n = self.infos.len();
        let targets = self.addresses.targets(&mut self.terms, whole, n);
        targets.iter().any(|t| t.object != 0).then_some(whole)
    }
}

fn split(terms: &mut Terms, list: &[TermId], choices: &mut u32) -> Option<TermId> {
    let condition = list.iter().find_map(|&part| match terms.node(part) {
        Node::Ite(condition, ..) => Some(condition),
        _ => None,
    });
    let Some(condition) = condition else {
        let (&first, rest) = list.split_first()?;
        let whole = rest
            .iter()
            .fold(first, |low, &high| terms.concat(high, low));
        // Parts that do not fit together are no pointer, and most words are made of such.
        let is_apart = matches!(terms.node(whole), Node::Binary(BinaryOp::Concat, ..));
        return (!is_apart).then_some(whole);
    };
    *choices = choices.checked_sub(1)?;
    let mut arm = |side: bool| {
        let own: Vec<TermId> = list
            .iter()
            .map(|&part| match terms.node(part) {
                Node::Ite(c, a, b) if c == condition => {
                    if side {
                        a
                    } else {
                        b
                    }
                }
                _ => part,
            })
            .collect();
        split(terms, &own, choices)
    };
    let (then, otherwise) = (arm(true)?, arm(false)?);
    Some(terms.ite(condition, then, otherwise))
}

/// Whether no constant in the term has bits that, moved by `shift`, lie at `low` or above.
fn is_number(terms: &Terms, term: TermId, shift: i32, low: u32, visits: &mut u32) -> bool {
    let Some(left) = visits.checked_sub(1) else {
        return false;
    };
    *visits = left;
    let width = terms.width(term);
    let mut both = |a: TermId, b: TermId| {
        is_number(terms, a, shift, low, visits) && is_number(terms, b, shift, low, visits)
    };
    match terms.node(term) {
        Node::Var(_) => true,
        Node::Const(value) => is_small(value, width, shift, low),
        Node::Unary(UnaryOp::Not | UnaryOp::Neg | UnaryOp::ZeroExtend, a)
        | Node::Unary(UnaryOp::SignExtend, a) => is_number(terms, a, shift, low, visits),
        Node::Extract { lo, arg, .. } => is_number(terms, arg, shift - lo as i32, low, visits),
        Node::Ite(_, a, b) => both(a, b),
        Node::Binary(op, a, b) => match (op, terms.as_const(b)) {
            (BinaryOp::Concat, _) => {
                let above = shift + terms.width(b) as i32;
                is_number(terms, a, above, low, visits) && is_number(terms, b, shift, low, visits)
            }
            (BinaryOp::Shl, Some(by)) if by < 128 => {
                is_number(terms, a, shift + by as i32, low, visits)
            }
            (BinaryOp::Lshr | BinaryOp::Ashr, Some(by)) if by < 128 => {
                is_number(terms, a, shift - by as i32, low, visits)
            }
            // A mask only takes bits away.
            (BinaryOp::And, Some(_)) => is_number(terms, a, shift, low, visits),
            _ => both(a, b),
        },
        Node::Select(..) => false,
    }
}

fn is_small(value: u128, width: u32, shift: i32, low: u32) -> bool {
    let signed = idiolect_smt::semantics::to_signed(value, width);
    // Small negative numbers are no addresses either.
    let magnitude = if signed < 0 && shift == 0 {
        !(signed as u128)
    } else {
        value
    };
    let moved = match shift {
        0.. => magnitude
            .checked_shl(shift as u32)
            .filter(|m| m >> shift == magnitude),
        _ => Some(magnitude.checked_shr(shift.unsigned_abs()).unwrap_or(0)),
    };
    moved.is_some_and(|m| m >> low == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numeric(build: impl FnOnce(&mut Terms) -> TermId) -> bool {
        let mut t = Terms::new();
        let term = build(&mut t);
        let mut visits = MAX_VISITS;
        is_number(&t, term, 0, 31, &mut visits)
    }

    #[test]
    fn inputs_are_numbers_and_bytes_of_addresses_are_not() {
        assert!(numeric(|t| {
            let (x, four) = (t.bv_var("x", 64), t.bv(4, 64));
            t.add(x, four)
        }));
        assert!(numeric(|t| {
            let (x, minus) = (t.bv_var("x", 64), t.bv(u128::MAX, 64));
            t.add(x, minus)
        }));
        // The fifth byte is the object's number.
        assert!(!numeric(|t| {
            let c = t.bool_var("c");
            let (five, six) = (t.bv(5, 8), t.bv(6, 8));
            let object = t.ite(c, five, six);
            let high = t.zext(object, 32);
            let low = t.bv(0, 32);
            t.concat(high, low)
        }));
        assert!(!numeric(|t| {
            let (x, key) = (t.bv(7 << 32, 64), t.bv_var("key", 64));
            t.xor(x, key)
        }));
    }
}
