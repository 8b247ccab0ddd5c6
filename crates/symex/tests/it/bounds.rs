//! Bounds are assumptions: one encoding answers for all smaller ones, and a larger one goes on from
//! what is there.

use crate::common;

use common::program;
use idiolect_base::Budget;
use idiolect_ir::Program;
use idiolect_ir::ctype::DataModel;
use idiolect_smt::{Outcome, Solver, TermId};
use idiolect_symex::{Config, Encoding, EndKind, UnwindSite, encode, encode_again};

/// The error needs the fourth round of the loop; `odd` is never reached at all.
const COUNTER: &str = "
extern int nondet(void); extern void reach_error(void); void odd(void) {}
int main(void) { int i = 0;
  while (nondet()) { i += 2; if (i == 8) reach_error(); if (i & 1) odd(); }
  return i; }";

/// One more call inside another for each unwinding.
const RECURSION: &str = "
extern int nondet(void); extern void reach_error(void);
int down(int n) { if (nondet()) return down(n + 1); return n; }
int main(void) { if (down(0) == 3) reach_error(); return 0; }";

fn config(unwind: usize) -> Config {
    Config {
        unwind,
        ..Config::default()
    }
}

fn encoded(text: &str, unwind: usize) -> (Program, Encoding) {
    let program = program(text, DataModel::Lp64);
    let encoding = encode(&program, &config(unwind), &Budget::unlimited()).unwrap();
    (program, encoding)
}

fn is_error(kind: &EndKind) -> bool {
    matches!(kind, EndKind::Error(_))
}

fn ask(solver: &mut Solver, encoding: &Encoding, question: &[TermId]) -> Outcome {
    solver.check(&encoding.terms, question, &Budget::unlimited())
}

#[track_caller]
fn check_first_bound(text: &str, first: usize) {
    let (_, mut encoding) = encoded(text, 8);
    let mut solver = Solver::new();
    let error = encoding.any_end(is_error);
    assert_eq!(encoding.max_bound(), 8);
    for bound in 0..=9 {
        let literal = encoding.bound_literal(bound);
        let answer = ask(&mut solver, &encoding, &[literal, error]);
        assert_eq!(answer.is_sat(), bound >= first, "bound {bound}");
        if let Outcome::Unsat(core) = answer {
            assert!(core.contains(&literal), "it is the bound that forbids it");
        }
        // The same with what is allowed said as well.
        let mut all = encoding.bound(bound);
        all.push(error);
        assert_eq!(ask(&mut solver, &encoding, &all).is_sat(), bound >= first);
    }
}

#[test]
fn a_literal_bounds_all_loops() {
    check_first_bound(COUNTER, 3);
}

#[test]
fn a_literal_bounds_recursion() {
    check_first_bound(RECURSION, 3);
}

#[test]
fn what_no_bound_allows_is_refuted_without_one() {
    let (program, mut encoding) = encoded(COUNTER, 8);
    let mut solver = Solver::new();
    let odd = program
        .function_ids()
        .find(|&f| program.function(f).name == "odd");
    let entered: Vec<TermId> = encoding
        .events
        .iter()
        .filter(|e| e.site == idiolect_ir::events::EventSite::Entry(odd.unwrap()))
        .map(|e| e.guard)
        .collect();
    let question = encoding.terms.or_all(&entered);
    let literal = encoding.bound_literal(5);
    let Outcome::Unsat(core) = ask(&mut solver, &encoding, &[literal, question]) else {
        panic!("even numbers only");
    };
    assert!(!core.contains(&literal), "{core:?}");
}

#[test]
fn a_larger_bound_goes_on_from_a_smaller_one() {
    for text in [COUNTER, RECURSION] {
        let budget = Budget::unlimited();
        let (program, mut encoding) = encoded(text, 1);
        let mut solver = Solver::new();
        let mut found = Vec::new();
        for unwind in [1, 2, 4, 8] {
            let inputs: Vec<TermId> = encoding.inputs.iter().map(|i| i.value).collect();
            let before = encoding.terms.len();
            encoding = encode_again(encoding, &program, &config(unwind), &budget).unwrap();
            let alone = encode(&program, &config(unwind), &budget).unwrap();
            assert_eq!(encoding.inputs.len(), alone.inputs.len());
            assert_eq!(encoding.ends.len(), alone.ends.len());
            // Every input that was there is there, as the same variable, and no term is made twice.
            let now: Vec<TermId> = encoding.inputs.iter().map(|i| i.value).collect();
            assert!(inputs.iter().all(|i| now.contains(i)));
            assert!(encoding.terms.len() <= before + alone.terms.len());
            if unwind == 1 {
                assert_eq!(encoding.terms.len(), before, "nothing is new");
            }
            let error = encoding.any_end(is_error);
            let mut question = encoding.bound(unwind);
            question.push(error);
            found.push(ask(&mut solver, &encoding, &question).is_sat());
        }
        assert_eq!(found, [false, false, true, true]);
    }
}

#[test]
fn making_terms_takes_steps() {
    let (program, encoding) = encoded(RECURSION, 100);
    let steps = encoding.terms.len() as u64;
    let short = Budget::steps(steps / 2);
    assert!(encode(&program, &config(100), &short).is_err());
    let enough = Budget::steps(4 * steps);
    assert!(encode(&program, &config(100), &enough).is_ok());
    assert!(enough.steps_left() <= 3 * steps);
}

#[test]
fn a_loop_may_have_a_bound_of_its_own() {
    let text = "extern int nondet(void); extern void reach_error(void);
int main(void) { int i = 0, k = 0; while (nondet()) i++; while (nondet()) k++;
  if (i == 6 && k == 2) reach_error(); return 0; }";
    let program = program(text, DataModel::Lp64);
    let main = program
        .function_ids()
        .find(|&f| program.function(f).name == "main")
        .unwrap();
    let cfg = idiolect_ir::graph::Cfg::new(program.function(main));
    let loops = idiolect_ir::graph::Loops::new(&cfg);
    let heads: Vec<UnwindSite> = program
        .function(main)
        .block_ids()
        .filter(|&b| loops.headed_by(b).is_some())
        .map(|head| UnwindSite::Loop {
            function: main,
            head,
        })
        .collect();
    let mut found = Vec::new();
    for (loop_number, bound) in [(0, 6), (0, 5), (1, 6)] {
        let config = Config {
            unwind: 2,
            own_bounds: [(heads[loop_number], bound)].into(),
            ..Config::default()
        };
        let mut encoding = encode(&program, &config, &Budget::unlimited()).unwrap();
        let mut solver = Solver::new();
        let mut question = encoding.bound(2);
        question.push(encoding.any_end(is_error));
        found.push(ask(&mut solver, &encoding, &question).is_sat());
        let beyond = encoding.exceeds(2);
        assert!(ask(&mut solver, &encoding, &[beyond]).is_sat());
    }
    assert_eq!(found, [true, false, false]);
}

/// A recursive parser of four bytes, as JSON has them.
const NESTED: &str = "
unsigned char __VERIFIER_nondet_uchar(void);
unsigned char text[4];
struct parser { unsigned at; int depth; } p;
int value(void) {
  if (p.at >= 4) return 0;
  if (text[p.at] == 91) {
    p.depth++;
    do {
      p.at++;
      if (!value()) return 0;
    } while (p.at < 4 && text[p.at] == 44);
    if (p.at >= 4 || text[p.at] != 93) return 0;
    p.at++;
    return 1;
  }
  p.at += 1 + (text[p.at] == 92);
  return 1;
}
int main(void) {
  for (int i = 0; i < 4; i++) text[i] = __VERIFIER_nondet_uchar();
  value();
  if (p.depth == LIMIT) __assert_fail(\"depth\", \"test.c\", 1, \"main\");
  return 0;
}";

#[test]
fn rounds_that_no_run_has_are_left_out_and_the_others_are_not() {
    let budget = Budget::unlimited();
    let asking = Config {
        unwind: 5,
        asks_for_rounds: true,
        ..Config::default()
    };
    let silent = Config {
        asks_for_rounds: false,
        ..asking.clone()
    };
    for limit in [3, 4, 5] {
        let text = NESTED.replace("LIMIT", &limit.to_string());
        let program = program(&text, DataModel::Lp64);
        let mut answers = Vec::new();
        let mut steps = Vec::new();
        for config in [&asking, &silent] {
            let mut encoding = encode(&program, config, &budget).unwrap();
            let mut solver = Solver::new();
            let questions = [
                encoding.any_end(|kind| matches!(kind, EndKind::Error(_))),
                encoding.exceeds(5),
                encoding.exceeds(2),
                encoding.any_end(|kind| matches!(kind, EndKind::Fault(_))),
                encoding.any_end(|kind| matches!(kind, EndKind::Exit(_))),
            ];
            let ask = |q: &TermId| solver.check(&encoding.terms, &[*q], &budget).is_sat();
            answers.push(questions.iter().map(ask).collect::<Vec<_>>());
            steps.push(encoding.statistics.steps);
        }
        assert_eq!(answers[0], answers[1], "{limit}");
        // Each bracket takes a byte.
        assert_eq!(answers[0][0], limit <= 4, "{limit}");
        assert!(steps[0] < steps[1], "{steps:?}");
    }
}
