//! The checker does not believe what is not so.

use crate::common::{proof_of, with_prelude};
use idiolect_base::Budget;
use idiolect_ir::{Program, Property};
use idiolect_prove::induction::check::{Checked, check};
use idiolect_prove::induction::cut::{Plan, PointKind};
use idiolect_prove::induction::formula::{Formula, Sum};
use idiolect_prove::induction::{Certificate, Claim, samples};

const PROGRAMS: &[&str] = &[
    "int main(void) { int n = __VERIFIER_nondet_int(); int i = 0;
     if (n < 0) return 0;
     while (i < n) i++;
     check(i == n); return 0; }",
    "int main(void) { unsigned n = __VERIFIER_nondet_uint(), x = n, y = 0;
     while (x > 0) { x--; y++; }
     check(y == n); return 0; }",
    "int main(void) { unsigned x = 0;
     while (__VERIFIER_nondet_int()) x += 2;
     check(x % 2 == 0); return 0; }",
    "int main(void) { int state = 1, lock = 0;
     while (1) {
       if (state == 1) { check(lock == 0); lock = 1; state = 2; }
       else if (state == 2) { if (__VERIFIER_nondet_int()) state = 3; }
       else if (state == 3) { check(lock == 1); lock = 0; state = 1; }
       else check(0);
     } }",
    "int sum(int n, int m) { if (n <= 0) return m; return sum(n - 1, m + 1); }
     int main(void) { int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
     if (n < 0 || n > 1000000 || m < 0 || m > 1000000) return 0;
     check(sum(n, m) == n + m); return 0; }",
];

fn judge(program: &Program, certificate: &Certificate) -> Checked {
    check(
        program,
        certificate,
        &[Property::Assert],
        &Budget::unlimited(),
    )
}

/// Sums with another constant or coefficient.
fn mutants(formula: &Formula) -> Vec<Formula> {
    let sums = |sum: &Sum| -> Vec<Sum> {
        let mut list = Vec::new();
        for by in [-7, -1, 1, 7] {
            list.push(Sum::of(&sum.parts, sum.constant + by));
        }
        for i in 0..sum.parts.len() {
            let mut other = sum.clone();
            other.parts[i].0 = -other.parts[i].0;
            list.push(other);
        }
        list
    };
    let inside = |list: &[Formula], wrap: fn(Vec<Formula>) -> Formula| -> Vec<Formula> {
        let mut all = Vec::new();
        for (i, inner) in list.iter().enumerate() {
            for mutant in mutants(inner) {
                let mut other = list.to_vec();
                other[i] = mutant;
                all.push(wrap(other));
            }
        }
        all
    };
    match formula {
        Formula::AtMostZero(sum) => sums(sum).into_iter().map(Formula::AtMostZero).collect(),
        Formula::Zero(sum) => sums(sum).into_iter().map(Formula::Zero).collect(),
        Formula::Multiple(sum, by) => {
            let all = sums(sum).into_iter();
            all.map(|s| Formula::Multiple(s, *by)).collect()
        }
        Formula::Wraps(sum, power) => {
            let all = sums(sum).into_iter();
            all.map(|s| Formula::Wraps(s, *power)).collect()
        }
        Formula::All(list) => inside(list, Formula::All),
        Formula::Any(list) => inside(list, Formula::Any),
        Formula::Not(inner) => {
            let all = mutants(inner).into_iter();
            all.map(|m| Formula::Not(Box::new(m))).collect()
        }
    }
}

/// Every mutant that a run refutes has to be refused.
#[test]
fn mutated_invariants_are_refused() {
    let mut n_refused = 0;
    for text in PROGRAMS {
        let program = with_prelude(text);
        let proof = proof_of(&program).result.expect("a proof");
        assert_eq!(judge(&program, &proof), Checked::Accepted);
        let points = Plan::new(&program).expect("a cycle").points;
        let states =
            samples::collect(&program, &points, 5, &Budget::unlimited()).expect("no limit");
        for (c, claim) in proof.claims.iter().enumerate() {
            for (f, formula) in claim.formulas.iter().enumerate() {
                for mutant in mutants(formula) {
                    if states[c].iter().all(|s| mutant.holds(s)) {
                        continue;
                    }
                    let mut other = proof.clone();
                    other.claims[c].formulas[f] = mutant.clone();
                    let judged = judge(&program, &other);
                    assert!(
                        matches!(judged, Checked::Rejected(_)),
                        "{mutant:?} is {judged:?}"
                    );
                    n_refused += 1;
                }
            }
        }
    }
    assert!(n_refused >= 30, "{n_refused} mutants");
}

/// Claims that would prove anything, for programs that have an error.
#[test]
fn an_engine_that_lies_is_caught() {
    let wrong = [
        "int main(void) { int n = __VERIFIER_nondet_int(); int i = 0;
         while (i < n) i++;
         check(i != 1234567); return 0; }",
        "int g;
         void touch(int *p) { *p = 1; }
         int main(void) { int i; for (i = 0; i < 100000; i++) touch(&g);
         check(g == 0); return 0; }",
        "int depth;
         void down(int n) { depth++; if (n > 0) down(n - 1); }
         int main(void) { down(__VERIFIER_nondet_int()); check(depth <= 1000); return 0; }",
        "int a[8];
         int main(void) { int *p = a; int i;
         for (i = 0; i < 100000; i++) p[i % 8] = i;
         check(a[3] == 0); return 0; }",
    ];
    for text in wrong {
        let program = with_prelude(text);
        let points = Plan::new(&program).expect("a cycle").points;
        let never = Formula::Any(Vec::new());
        let states =
            samples::collect(&program, &points, 0, &Budget::unlimited()).expect("no limit");
        // Nothing; nothing is possible; everything is as it was at first; and no more than was seen.
        for lie in 0..4 {
            let claims = points.iter().zip(&states).map(|(p, states)| {
                let first = states.first();
                let as_first = |v: usize| {
                    let value = first.map_or(0, |s| s[v]);
                    Formula::Zero(Sum::of(&[(1, v)], -value))
                };
                let as_seen = |v: usize| {
                    let values = states.iter().map(|s| s[v]);
                    Formula::Any(
                        values
                            .map(|x| Formula::Zero(Sum::of(&[(1, v)], -x)))
                            .collect(),
                    )
                };
                let n = p.variables.len();
                let formulas = match lie {
                    0 => Vec::new(),
                    1 => vec![never.clone()],
                    2 => (0..n).map(as_first).collect(),
                    _ => (0..n).map(as_seen).collect(),
                };
                Claim {
                    function: p.function,
                    kind: p.kind,
                    variables: p.variables.clone(),
                    result: p.result,
                    formulas,
                }
            });
            let claims: Vec<Claim> = claims.collect();
            for rounds in 1..=3 {
                let certificate = Certificate {
                    claims: claims.clone(),
                    unwind: 8,
                    has_old_values: false,
                    rounds,
                };
                let judged = judge(&program, &certificate);
                assert!(
                    matches!(judged, Checked::Rejected(_)),
                    "lie {lie} about {text} with {rounds} rounds is {judged:?}"
                );
            }
        }
        // No claims at all: the loops are there.
        let nothing = Certificate {
            claims: Vec::new(),
            unwind: 2,
            has_old_values: false,
            rounds: 1,
        };
        assert!(matches!(judge(&program, &nothing), Checked::Rejected(_)));
    }
}

#[test]
fn a_claim_about_no_loop_is_refused() {
    let program = with_prelude(PROGRAMS[0]);
    let mut proof = proof_of(&program).result.expect("a proof");
    proof.claims[0].kind = PointKind::Loop(idiolect_ir::BlockId::new(99));
    assert!(matches!(judge(&program, &proof), Checked::Rejected(_)));
}
