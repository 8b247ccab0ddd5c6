//! Every rewrite rule: it fires on its left-hand side, gives its right-hand side, and the solver
//! proves on an unsimplified pool that both are equal.

use crate::common;

use common::{Vars, read};
use idiolect_base::Budget;
use idiolect_smt::{Model, Rule, Solver, TermId, Terms};
use rustc_hash::FxHashMap;

use Rule::*;

/// Rule, left-hand side, right-hand side; see `common` for how to read them.
const CASES: &[(Rule, &str, &str)] = &[
    (KnownBits, "(ult (zext w+2 x) (concat 1:2 x))", "true"),
    (KnownBits, "(add 3 4)", "7"),
    // not and neg
    (NotNot, "(not (not x))", "x"),
    (NotNot, "(not (not p))", "p"),
    (NotIteConst, "(not (ite p 1 2))", "(ite p -2 -3)"),
    (NotNeg, "(not (neg x))", "(add x -1)"),
    (NegNeg, "(neg (neg x))", "x"),
    (NegSub, "(neg (sub x y))", "(sub y x)"),
    (NegNot, "(neg (not x))", "(add x 1)"),
    (NegIteConst, "(neg (ite p 1 2))", "(ite p -1 -2)"),
    // extensions
    (ExtendSame, "(zext w x)", "x"),
    (ExtendSame, "(sext w x)", "x"),
    (ZextZext, "(zext w+3 (zext w+1 x))", "(zext w+3 x)"),
    (SextSext, "(sext w+3 (sext w+1 x))", "(sext w+3 x)"),
    (SextPositive, "(sext w+3 (zext w+1 x))", "(zext w+3 x)"),
    (
        ExtendIteConst,
        "(zext 12 (ite p 5 -3))",
        "(ite p 5:12 253:12)",
    ),
    (
        ExtendIteConst,
        "(sext 12 (ite p 5 -3))",
        "(ite p 5:12 -3:12)",
    ),
    // and
    (AndSame, "(and x x)", "x"),
    (AndSame, "(and p p)", "p"),
    (AndComplement, "(and x (not x))", "0"),
    (AndComplement, "(and (not p) p)", "false"),
    (AndZero, "(and x 0)", "0"),
    (AndZero, "(and false p)", "false"),
    (AndOnes, "(and x -1)", "x"),
    (AndOnes, "(and p true)", "p"),
    (AndConstConst, "(and (and x 13) 7)", "(and x 5)"),
    (AndAbsorb, "(and x (and x y))", "(and x y)"),
    (AndAbsorb, "(and (and p q) q)", "(and p q)"),
    (AndContradict, "(and x (and (not x) y))", "0"),
    (AndContradict, "(and (and p (not q)) q)", "false"),
    (AndNotAnd, "(and x (not (and x y)))", "(and x (not y))"),
    (AndNotAnd, "(and p (not (and q p)))", "(and p (not q))"),
    (AndNotAndNot, "(and x (not (and (not x) y)))", "x"),
    (AndNotAndNot, "(and p (or p q))", "p"),
    (
        AndKnown,
        "(and (zext w+2 x) (concat 0:2 -1))",
        "(zext w+2 x)",
    ),
    (AndLowMask, "(and x 7)", "(zext w (extract 2 0 x))"),
    // or
    (OrSame, "(or x x)", "x"),
    (OrComplement, "(or x (not x))", "-1"),
    (OrComplement, "(or p (not p))", "true"),
    (OrZero, "(or x 0)", "x"),
    (OrZero, "(or p false)", "p"),
    (OrOnes, "(or x -1)", "-1"),
    (OrOnes, "(or p true)", "true"),
    (OrConstConst, "(or (or x 12) 5)", "(or x 13)"),
    (OrAbsorb, "(or x (or x y))", "(or x y)"),
    (OrAndAbsorb, "(or x (and x y))", "x"),
    (
        OrKnown,
        "(or (concat x 3:2) (concat 0 2:2))",
        "(concat x 3:2)",
    ),
    (OrBool, "(or p q)", "(not (and (not p) (not q)))"),
    // xor
    (XorBool, "(xor p q)", "(not (eq p q))"),
    (XorSame, "(xor x x)", "0"),
    (XorZero, "(xor x 0)", "x"),
    (XorOnes, "(xor x -1)", "(not x)"),
    (XorConstConst, "(xor (xor x 5) 6)", "(xor x 3)"),
    (XorNot, "(xor (not x) y)", "(not (xor x y))"),
    (XorNot, "(xor x (not x))", "-1"),
    (XorCancel, "(xor x (xor y x))", "y"),
    // add and sub
    (AddZero, "(add x 0)", "x"),
    (AddConstConst, "(add (add x 3) 4)", "(add x 7)"),
    (AddConstConst, "(add (add x 3) -3)", "x"),
    (AddConstUp, "(add (add x 3) y)", "(add (add x y) 3)"),
    (AddConstUp, "(add (add x 3) (add y 4))", "(add (add x y) 7)"),
    (AddNeg, "(add x (neg y))", "(sub x y)"),
    (AddNeg, "(add x (neg x))", "0"),
    (AddSelf, "(add x x)", "(shl x 1)"),
    (AddSubCancel, "(add (sub x y) y)", "x"),
    (AddSubCancel, "(add y (sub x y))", "x"),
    (AddNot, "(add x (not x))", "-1"),
    (AddIteConst, "(add (ite p 1 2) 5)", "(ite p 6 7)"),
    (SubSame, "(sub x x)", "0"),
    (SubZero, "(sub x 0)", "x"),
    (SubFromZero, "(sub 0 x)", "(neg x)"),
    (SubConst, "(sub x 5)", "(add x -5)"),
    (SubAddCancel, "(sub (add x y) y)", "x"),
    (SubAddCancel, "(sub (add x y) x)", "y"),
    (SubFromSum, "(sub x (add x y))", "(neg y)"),
    (SubFromSum, "(sub x (add y x))", "(neg y)"),
    (SubNeg, "(sub x (neg y))", "(add x y)"),
    (SubConstUp, "(sub (add x 5) y)", "(add (sub x y) 5)"),
    (SubConstUpRight, "(sub x (add y 5))", "(add (sub x y) -5)"),
    (AddCancel, "(add (add x y) (sub x y))", "(shl x 1)"),
    (AddCancel, "(add (sub x y) (sub y x))", "0"),
    (AddCancel, "(add (sub x y) (add y z))", "(add x z)"),
    (SubCancel, "(sub (add x y) (add x z))", "(sub y z)"),
    (SubCancel, "(sub (add (shl x 1) y) (add x (add x y)))", "0"),
    (SubCancel, "(sub (sub x y) (add x z))", "(sub (neg y) z)"),
    // mul and division
    (MulZero, "(mul x 0)", "0"),
    (MulOne, "(mul x 1)", "x"),
    (MulMinusOne, "(mul x -1)", "(neg x)"),
    (MulPower, "(mul x 8)", "(shl x 3)"),
    (MulConstConst, "(mul (mul x 3) 5)", "(mul x 15)"),
    (MulDistribute, "(mul (add x 3) 5)", "(add (mul x 5) 15)"),
    (MulIteConst, "(mul (ite p 3 4) 5)", "(ite p 15 20)"),
    (UdivZero, "(udiv x 0)", "-1"),
    (UdivOne, "(udiv x 1)", "x"),
    (UdivPower, "(udiv x 4)", "(lshr x 2)"),
    (UdivIteConst, "(udiv (ite p 13 7) 5)", "(ite p 2 1)"),
    (UremZero, "(urem x 0)", "x"),
    (UremPower, "(urem x 4)", "(and x 3)"),
    (UremIteConst, "(urem (ite p 13 7) 5)", "(ite p 3 2)"),
    (UremSmall, "(urem (and x 3) 5)", "(and x 3)"),
    (UremSmall, "(urem (urem x 5) 7)", "(urem x 5)"),
    (SdivOne, "(sdiv x 1)", "x"),
    (SdivMinusOne, "(sdiv x -1)", "(neg x)"),
    (
        SdivPositive,
        "(sdiv (zext w+1 x) (zext w+1 y))",
        "(udiv (zext w+1 x) (zext w+1 y))",
    ),
    (SremOne, "(srem x 1)", "0"),
    (SremOne, "(srem x -1)", "0"),
    (
        SremPositive,
        "(srem (zext w+1 x) (zext w+1 y))",
        "(urem (zext w+1 x) (zext w+1 y))",
    ),
    // shifts
    (ShiftZero, "(shl x 0)", "x"),
    (ShiftZero, "(ashr x 0)", "x"),
    (ShiftOfZero, "(shl 0 x)", "0"),
    (ShiftOfZero, "(lshr 0 x)", "0"),
    (ShlConst, "(shl x 3)", "(concat (extract w-4 0 x) 0:3)"),
    (ShlConst, "(shl x 100)", "0"),
    (LshrConst, "(lshr x 3)", "(zext w (extract w-1 3 x))"),
    (LshrConst, "(lshr x 100)", "0"),
    (AshrConst, "(ashr x 3)", "(sext w (extract w-1 3 x))"),
    (AshrConst, "(ashr x 100)", "(sext w (extract w-1 w-1 x))"),
    (
        AshrPositive,
        "(ashr (zext w+1 x) (zext w+1 y))",
        "(lshr (zext w+1 x) (zext w+1 y))",
    ),
    // concat
    (
        ConcatExtracts,
        "(concat (extract w-1 2 x) (extract 1 0 x))",
        "x",
    ),
    (
        ConcatExtracts,
        "(concat (extract 2 2 x) (extract 1 1 x))",
        "(extract 2 1 x)",
    ),
    (
        ConcatExtractsThen,
        "(concat (extract w-1 2 x) (concat (extract 1 0 x) y))",
        "(concat x y)",
    ),
    (ConcatZero, "(concat 0 x)", "(zext 2w x)"),
    (
        ConcatAssoc,
        "(concat (concat x y) z)",
        "(concat x (concat y z))",
    ),
    (
        ConcatConstConst,
        "(concat 3:2 (concat 5:3 x))",
        "(concat 29:5 x)",
    ),
    (
        ConcatZext,
        "(concat (zext w+1 x) y)",
        "(zext 17 (concat x y))",
    ),
    // extract
    (ExtractAll, "(extract w-1 0 x)", "x"),
    (
        ExtractExtract,
        "(extract 1 1 (extract 4 2 x))",
        "(extract 3 3 x)",
    ),
    (
        ExtractConcatLow,
        "(extract 1 0 (concat x y))",
        "(extract 1 0 y)",
    ),
    (
        ExtractConcatHigh,
        "(extract w+1 w (concat x y))",
        "(extract 1 0 x)",
    ),
    (
        ExtractConcatAcross,
        "(extract w w-1 (concat x y))",
        "(concat (extract 0 0 x) (extract w-1 w-1 y))",
    ),
    (
        ExtractExtendLow,
        "(extract 1 0 (sext w+2 x))",
        "(extract 1 0 x)",
    ),
    (
        ExtractExtendAcross,
        "(extract w 1 (sext w+2 x))",
        "(sext w (extract w-1 1 x))",
    ),
    (
        ExtractExtendAcross,
        "(extract w 1 (zext w+2 x))",
        "(zext w (extract w-1 1 x))",
    ),
    (
        ExtractSextHigh,
        "(extract w+2 w+1 (sext w+3 x))",
        "(sext 2 (extract w-1 w-1 x))",
    ),
    (ExtractNot, "(extract 1 0 (not x))", "(not (extract 1 0 x))"),
    (
        ExtractBitwise,
        "(extract 2 1 (and x y))",
        "(and (extract 2 1 x) (extract 2 1 y))",
    ),
    (
        ExtractBitwise,
        "(extract 2 1 (or x y))",
        "(or (extract 2 1 x) (extract 2 1 y))",
    ),
    (
        ExtractBitwise,
        "(extract 2 1 (xor x y))",
        "(xor (extract 2 1 x) (extract 2 1 y))",
    ),
    (
        ExtractLowArith,
        "(extract 2 0 (add x y))",
        "(add (extract 2 0 x) (extract 2 0 y))",
    ),
    (
        ExtractLowArith,
        "(extract 2 0 (sub x y))",
        "(sub (extract 2 0 x) (extract 2 0 y))",
    ),
    (
        ExtractLowArith,
        "(extract 2 0 (mul x y))",
        "(mul (extract 2 0 x) (extract 2 0 y))",
    ),
    (
        ExtractLowArith,
        "(extract 2 0 (neg x))",
        "(neg (extract 2 0 x))",
    ),
    (
        ExtractLowArith,
        "(extract w-1 0 (add (sext w+3 x) (sext w+3 y)))",
        "(add x y)",
    ),
    (
        ExtractIteConst,
        "(extract 2 1 (ite p x 5))",
        "(ite p (extract 2 1 x) 2:2)",
    ),
    // equality
    (EqSame, "(eq x x)", "true"),
    (EqBoolConst, "(eq p true)", "p"),
    (EqBoolConst, "(eq false p)", "(not p)"),
    (EqNotNot, "(eq (not x) (not y))", "(eq x y)"),
    (EqNotNot, "(eq (not p) (not q))", "(eq p q)"),
    (EqNot, "(eq (not p) q)", "(not (eq p q))"),
    (EqNot, "(eq x (not x))", "false"),
    (EqIteConst, "(eq (ite p 1 2) 1)", "p"),
    (EqIteConst, "(eq (ite p 1 2) 3)", "false"),
    (EqIteConst, "(eq (ite p 1 x) 1)", "(or p (eq x 1))"),
    (EqIteConst, "(eq (ite p x 1) 2)", "(and p (eq x 2))"),
    (EqIteArm, "(eq (ite p x y) x)", "(or p (eq x y))"),
    (EqIteArm, "(eq y (ite p x y))", "(or (not p) (eq x y))"),
    (EqIteIte, "(eq (ite p x y) (ite p x z))", "(or p (eq y z))"),
    (EqAddConst, "(eq (add x 3) 5)", "(eq x 2)"),
    (
        EqSumCancel,
        "(eq (add x (add y z)) (add z (add x y)))",
        "true",
    ),
    (EqSumCancel, "(eq (sub x y) (sub x z))", "(eq y z)"),
    (EqAddCommon, "(eq (add x y) (add x z))", "(eq y z)"),
    (EqAddCommon, "(eq (add x y) (add y z))", "(eq x z)"),
    (EqAddCommon, "(eq (add x z) (add y z))", "(eq x y)"),
    (EqAddCommon, "(eq (add x 3) (add y 3))", "(eq x y)"),
    (EqAddSelf, "(eq (add x y) x)", "(eq y 0)"),
    (EqAddSelf, "(eq y (add x y))", "(eq x 0)"),
    (EqSubZero, "(eq (sub x y) 0)", "(eq x y)"),
    (EqSubSelf, "(eq (sub x y) x)", "(eq y 0)"),
    (EqNegNeg, "(eq (neg x) (neg y))", "(eq x y)"),
    (EqNegConst, "(eq (neg x) 3)", "(eq x -3)"),
    (EqNotConst, "(eq (not x) 3)", "(eq x -4)"),
    (EqXorZero, "(eq (xor x y) 0)", "(eq x y)"),
    (EqXorConst, "(eq (xor x 5) 6)", "(eq x 3)"),
    (EqXorSelf, "(eq (xor x y) y)", "(eq x 0)"),
    (
        EqConcatConst,
        "(eq (concat x b) 7:w+1)",
        "(and (eq x 3) (eq b 1:1))",
    ),
    (
        EqConcatConcat,
        "(eq (concat x y) (concat y z))",
        "(and (eq x y) (eq y z))",
    ),
    (EqExtend, "(eq (zext w+1 x) (zext w+1 y))", "(eq x y)"),
    (EqExtend, "(eq (sext w+1 x) (sext w+1 y))", "(eq x y)"),
    (EqExtendConst, "(eq (zext 12 x) 5:12)", "(eq x 5)"),
    (EqExtendConst, "(eq (sext 12 x) -5:12)", "(eq x -5)"),
    (EqExtendConst, "(eq (sext 12 x) 2047:12)", "false"),
    (EqMulOdd, "(eq (mul x 3) 15)", "(eq x 5)"),
    (EqMulOdd, "(eq (mul x 5) 3)", "(eq x 103)"),
    // orders
    (UleAsUlt, "(ule x y)", "(not (ult y x))"),
    (SleAsSlt, "(sle x y)", "(not (slt y x))"),
    (CompareSame, "(ult x x)", "false"),
    (CompareSame, "(sle x x)", "true"),
    (UltOne, "(ult x 1)", "(eq x 0)"),
    (UltFromZero, "(ult 0 x)", "(not (eq x 0))"),
    (UltMax, "(ult x -1)", "(not (eq x -1))"),
    (UltFromAlmostMax, "(ult -2 x)", "(eq x -1)"),
    (UltExtend, "(ult (zext w+1 x) (zext w+1 y))", "(ult x y)"),
    (UltExtendConst, "(ult (zext 12 x) 5:12)", "(ult x 5)"),
    (UltExtendConst, "(ult 5:12 (zext 12 x))", "(ult 5 x)"),
    (CompareIteConst, "(ult (ite p 3 9) 5)", "p"),
    (
        CompareIteConst,
        "(ult 5 (ite p 3 x))",
        "(and (not p) (ult 5 x))",
    ),
    (CompareIteConst, "(slt (ite p -3 x) 0)", "(or p (slt x 0))"),
    (SltSameSign, "(slt (zext w+1 x) (zext w+1 y))", "(ult x y)"),
    (SltMin, "(slt x min)", "false"),
    (SltMin, "(slt min x)", "(not (eq x min))"),
    (SltMax, "(slt max x)", "false"),
    (SltMax, "(slt x max)", "(not (eq x max))"),
    (SltExtend, "(slt (sext w+2 x) (sext w+2 y))", "(slt x y)"),
    (SltExtendConst, "(slt (sext 12 x) 5:12)", "(slt x 5)"),
    (SltExtendConst, "(slt (sext 12 x) 500:12)", "true"),
    (SltExtendConst, "(slt (sext 12 x) -500:12)", "false"),
    (SltExtendConst, "(slt -5:12 (sext 12 x))", "(slt -5 x)"),
    (SltExtendConst, "(slt 500:12 (sext 12 x))", "false"),
    (SltExtendConst, "(slt -500:12 (sext 12 x))", "true"),
    // ite
    (IteConst, "(ite true x y)", "x"),
    (IteConst, "(ite false x y)", "y"),
    (IteSame, "(ite p x x)", "x"),
    (IteNot, "(ite (not p) x y)", "(ite p y x)"),
    (IteTrueThen, "(ite p true q)", "(or p q)"),
    (IteFalseThen, "(ite p false q)", "(and (not p) q)"),
    (IteTrueElse, "(ite p q true)", "(or (not p) q)"),
    (IteFalseElse, "(ite p q false)", "(and p q)"),
    (IteCondArm, "(ite p p q)", "(or p q)"),
    (IteCondArm, "(ite p q p)", "(and p q)"),
    (IteComplement, "(ite p (not q) q)", "(not (eq p q))"),
    (IteNestedThen, "(ite p (ite p x y) z)", "(ite p x z)"),
    (IteNestedElse, "(ite p x (ite p y z))", "(ite p x z)"),
    (
        IteSharedThen,
        "(ite p (ite q x y) y)",
        "(ite (and p q) x y)",
    ),
    (IteSharedElse, "(ite p x (ite q x y))", "(ite (or p q) x y)"),
    (IteEq, "(ite (eq x y) x y)", "y"),
    (IteEq, "(ite (eq x y) y x)", "x"),
    (IteBit, "(ite (eq b 1:1) 1:1 0:1)", "b"),
    (IteBit, "(ite (eq b 1:1) 0:1 1:1)", "(not b)"),
    (IteBit, "(ite (eq b 0:1) 0:1 1:1)", "b"),
    // arrays
    (SelectConst, "(select (const x) y)", "x"),
    (SelectHit, "(select (store (const x) y z) y)", "z"),
    (SelectMiss, "(select (store (const x) 1 y) 2)", "x"),
    (SelectMiss, "(select (store (const x) (add z 1) y) z)", "x"),
    (
        SelectSymbolic,
        "(select (store (const x) y z) z)",
        "(ite (eq y z) z x)",
    ),
    (
        SelectIte,
        "(select (arrays p (const x) (const y)) z)",
        "(ite p x y)",
    ),
    (
        StoreStore,
        "(select (store (store (const 0) x y) x z) y)",
        "(ite (eq x y) z 0)",
    ),
    (
        ArrayIteConst,
        "(select (arrays true (const x) (const y)) z)",
        "x",
    ),
    (
        ArrayIteSame,
        "(select (arrays p (const x) (const x)) z)",
        "x",
    ),
];

/// Asks an unsimplified solver for a model in which the two differ.
fn prove_equal(raw: &mut Terms, solver: &mut Solver, a: TermId, b: TermId) -> bool {
    let same = raw.eq(a, b);
    let differ = raw.not(same);
    solver
        .check(raw, &[differ], &Budget::unlimited())
        .is_unsat()
}

/// The width at which the rules have to fire; constants in the cases are meant for it.
const FULL_WIDTH: u32 = 8;

#[test]
fn each_rule_fires_gives_what_it_says_and_is_proved() {
    let mut wrong: Vec<String> = Vec::new();
    for &(rule, left, right) in CASES {
        for width in [1, 2, 3, 4, FULL_WIDTH] {
            let (mut t, mut raw) = (Terms::new(), Terms::unsimplified());
            let (v, raw_v) = (Vars::new(&mut t, width), Vars::new(&mut raw, width));
            let Some(simple) = read(&mut t, &v, left) else {
                assert_ne!(width, FULL_WIDTH, "{left} has to make sense");
                continue;
            };
            if width == FULL_WIDTH {
                if t.rule_count(rule) == 0 {
                    wrong.push(format!("{rule:?} does not fire on {left}"));
                }
                let expected = read(&mut t, &v, right).expect("the right-hand side makes sense");
                if simple != expected {
                    let (is, should) = (t.node(simple), t.node(expected));
                    wrong.push(format!("{rule:?}: {left} became {is:?}, not {should:?}"));
                }
            }
            let plain = read(&mut raw, &raw_v, left).expect("as in the other pool");
            let mut known: FxHashMap<TermId, TermId> =
                v.all().into_iter().zip(raw_v.all()).collect();
            let copy = raw.import(&t, simple, &mut known);
            if !prove_equal(&mut raw, &mut Solver::new(), plain, copy) {
                wrong.push(format!("{rule:?} is wrong at width {width}: {left}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_rule_is_without_a_case() {
    for rule in Rule::ALL {
        assert!(
            CASES.iter().any(|(r, ..)| r == rule),
            "{rule:?} has no case"
        );
    }
}

/// Rules that hold for some constants only: all constants and values of four bits.
#[test]
fn comparisons_with_constants_keep_their_meaning() {
    const WIDTH: u32 = 4;
    type Build = fn(&mut Terms, TermId, TermId) -> TermId;
    let operations: [(&str, Build); 6] = [
        ("mul", |t, x, k| t.mul(x, k)),
        ("add", |t, x, k| t.add(x, k)),
        ("and", |t, x, k| t.and(x, k)),
        ("udiv", |t, x, k| t.udiv(x, k)),
        ("urem", |t, x, k| t.urem(x, k)),
        ("shl", |t, x, k| t.shl(x, k)),
    ];
    let comparisons: [(&str, Build); 3] = [
        ("eq", |t, a, b| t.eq(a, b)),
        ("ult", |t, a, b| t.ult(a, b)),
        ("slt", |t, a, b| t.slt(a, b)),
    ];
    for (operation, build) in operations {
        for (comparison, compare) in comparisons {
            for k in 0..1 << WIDTH {
                for c in 0..1 << WIDTH {
                    let mut terms = [Terms::new(), Terms::unsimplified()];
                    let built = terms.each_mut().map(|t| {
                        let (x, k) = (t.bv_var("x", WIDTH), t.bv(k, WIDTH));
                        let (left, c) = (build(t, x, k), t.bv(c, WIDTH));
                        (x, compare(t, left, c))
                    });
                    for value in 0..1u128 << WIDTH {
                        let [simple, plain] = [0, 1].map(|i: usize| {
                            let (x, term) = built[i];
                            let mut model = Model::new();
                            model.set_term(&terms[i], x, value);
                            model.eval_bool(&terms[i], term)
                        });
                        assert_eq!(
                            simple, plain,
                            "({comparison} ({operation} x {k}) {c}) where x is {value}"
                        );
                    }
                }
            }
        }
    }
}
