//! Word-level rewriting, applied by the constructors of [`Terms`] as a term is built.
//!
//! Every rule has a name in [`Rule`]. The test `rules` lists for each a left-hand side and what it
//! has to become, checks that the rule was the one that fired, and lets the solver prove on an
//! unsimplified pool, at several widths, that both are equal.
//!
//! Normal form: commutative operands ordered with constants last; Bool `or`, `xor` and all `<=`
//! expressed by `and`, `=` and `<`; subtraction of constants as addition; shifts by constants, and
//! masks of low bits, as extract, concat and extensions; concat associates to the right.

mod arith;
mod bits;
mod boolean;
mod compare;
mod ite;
mod sums;

use crate::term::{BinaryOp, Node, Sort, TermId, Terms, UnaryOp, mask};

macro_rules! rules {
    ($($name:ident,)*) => {
        /// A rewrite rule; see the test `rules` for what each does.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(usize)]
        pub enum Rule { $($name,)* }

        impl Rule {
            pub const ALL: &[Rule] = &[$(Rule::$name,)*];
            pub const COUNT: usize = Self::ALL.len();
        }
    };
}

rules! {
    KnownBits,
    NotNot, NotIteConst, NotNeg, NegNeg, NegSub, NegNot, NegIteConst,
    ExtendSame, ZextZext, SextSext, SextPositive, ExtendIteConst,
    AndSame, AndComplement, AndZero, AndOnes, AndConstConst, AndAbsorb, AndContradict, AndNotAnd,
    AndNotAndNot, AndKnown, AndLowMask,
    OrSame, OrComplement, OrZero, OrOnes, OrConstConst, OrAbsorb, OrAndAbsorb, OrKnown, OrBool,
    XorBool, XorSame, XorZero, XorOnes, XorConstConst, XorNot, XorCancel,
    AddZero, AddConstConst, AddConstUp, AddNeg, AddSelf, AddSubCancel, AddNot, AddIteConst,
    SubSame, SubZero, SubFromZero, SubConst, SubAddCancel, SubFromSum, SubNeg, SubConstUp,
    SubConstUpRight, AddCancel, SubCancel,
    MulZero, MulOne, MulMinusOne, MulPower, MulConstConst, MulDistribute, MulIteConst,
    UdivZero, UdivOne, UdivPower, UdivIteConst, UremZero, UremPower, UremSmall, UremIteConst,
    SdivOne, SdivMinusOne, SdivPositive, SremOne, SremPositive,
    ShiftZero, ShiftOfZero, ShlConst, LshrConst, AshrConst, AshrPositive,
    ConcatExtracts, ConcatExtractsThen, ConcatZero, ConcatAssoc, ConcatConstConst, ConcatZext,
    ExtractAll, ExtractExtract, ExtractConcatLow, ExtractConcatHigh, ExtractConcatAcross,
    ExtractExtendLow, ExtractExtendAcross, ExtractSextHigh, ExtractNot, ExtractBitwise,
    ExtractLowArith, ExtractIteConst,
    EqSame, EqBoolConst, EqNotNot, EqNot, EqIteConst, EqIteArm, EqIteIte, EqAddConst, EqAddCommon,
    EqAddSelf, EqSubZero, EqSubSelf, EqNegNeg, EqNegConst, EqNotConst, EqXorZero, EqXorConst,
    EqXorSelf, EqConcatConst, EqConcatConcat, EqExtend, EqExtendConst, EqMulOdd, EqSumCancel,
    UleAsUlt, SleAsSlt, CompareSame, UltOne, UltFromZero, UltMax, UltFromAlmostMax, UltExtend,
    UltExtendConst, CompareIteConst, SltSameSign, SltMin, SltMax, SltExtend, SltExtendConst,
    IteConst, IteSame, IteNot, IteTrueThen, IteFalseThen, IteTrueElse, IteFalseElse, IteCondArm,
    IteComplement, IteNestedThen, IteNestedElse, IteSharedThen, IteSharedElse, IteEq, IteBit,
    SelectConst, SelectHit, SelectMiss, SelectIte, SelectSymbolic, StoreStore, ArrayIteConst,
    ArrayIteSame,
}

/// The simpler term for `op arg`, if a rule knows one.
pub(crate) fn unary(t: &mut Terms, op: UnaryOp, arg: TermId, sort: Sort) -> Option<TermId> {
    if matches!(t.node(arg), Node::Const(_)) {
        return None; // `build` folds it.
    }
    match op {
        UnaryOp::Not => boolean::not(t, arg),
        UnaryOp::Neg => arith::neg(t, arg),
        UnaryOp::ZeroExtend => bits::zext(t, arg, sort.width()),
        UnaryOp::SignExtend => bits::sext(t, arg, sort.width()),
    }
}

/// The simpler term for `a op b`; commutative operands are in order.
pub(crate) fn binary(
    t: &mut Terms,
    op: BinaryOp,
    a: TermId,
    b: TermId,
    sort: Sort,
) -> Option<TermId> {
    use BinaryOp::*;
    if t.as_const(a).is_some() && t.as_const(b).is_some() {
        return None; // `build` folds it.
    }
    match op {
        And => boolean::and(t, a, b, sort),
        Or => boolean::or(t, a, b, sort),
        Xor => boolean::xor(t, a, b, sort),
        Eq => compare::eq(t, a, b),
        Add => arith::add(t, a, b),
        Sub => arith::sub(t, a, b),
        Mul => arith::mul(t, a, b),
        Udiv => arith::udiv(t, a, b),
        Urem => arith::urem(t, a, b),
        Sdiv => arith::sdiv(t, a, b),
        Srem => arith::srem(t, a, b),
        Shl | Lshr | Ashr => bits::shift(t, op, a, b),
        Concat => bits::concat(t, a, b),
        Ule => {
            t.fire(Rule::UleAsUlt);
            let less = t.ult(b, a);
            Some(t.not(less))
        }
        Sle => {
            t.fire(Rule::SleAsSlt);
            let less = t.slt(b, a);
            Some(t.not(less))
        }
        Ult => compare::ult(t, a, b),
        Slt => compare::slt(t, a, b),
    }
}

pub(crate) use bits::extract;
pub(crate) use ite::ite;

// ---- patterns shared by the rules ------------------------------------------------------------------

pub(crate) fn as_unary(t: &Terms, term: TermId, op: UnaryOp) -> Option<TermId> {
    match t.node(term) {
        Node::Unary(o, a) if o == op => Some(a),
        _ => None,
    }
}

pub(crate) fn as_not(t: &Terms, term: TermId) -> Option<TermId> {
    as_unary(t, term, UnaryOp::Not)
}

pub(crate) fn as_binary(t: &Terms, term: TermId, op: BinaryOp) -> Option<(TermId, TermId)> {
    match t.node(term) {
        Node::Binary(o, a, b) if o == op => Some((a, b)),
        _ => None,
    }
}

/// `x op constant`, the constant being on the right as the normal form of commutative operators has it.
pub(crate) fn as_binary_const(t: &Terms, term: TermId, op: BinaryOp) -> Option<(TermId, u128)> {
    let (a, b) = as_binary(t, term, op)?;
    Some((a, t.as_const(b)?))
}

/// Whether `a` and `b` are visibly each other's complement.
pub(crate) fn complementary(t: &Terms, a: TermId, b: TermId) -> bool {
    as_not(t, a) == Some(b) || as_not(t, b) == Some(a)
}

/// `ite(c, constant, constant)`.
pub(crate) fn as_ite_consts(t: &Terms, term: TermId) -> Option<(TermId, u128, u128)> {
    match t.node(term) {
        Node::Ite(c, a, b) => Some((c, t.as_const(a)?, t.as_const(b)?)),
        _ => None,
    }
}

/// An ite with at least one constant arm.
pub(crate) fn as_ite_with_const(t: &Terms, term: TermId) -> Option<(TermId, TermId, TermId)> {
    match t.node(term) {
        Node::Ite(c, a, b) if t.as_const(a).is_some() || t.as_const(b).is_some() => Some((c, a, b)),
        _ => None,
    }
}

pub(crate) fn is_ones(value: u128, width: u32) -> bool {
    value == mask(width)
}
