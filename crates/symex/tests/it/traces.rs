//! Traces as guarded commands: what the transformers say of a decision vector is what all runs of
//! the program say.

use crate::common;

use common::generate::{all_runs, generate};
use common::program;
use idiolect_base::Budget;
use idiolect_ir::ctype::DataModel;
use idiolect_smt::{Model, Outcome, Solver, TermId, Terms};
use idiolect_symex::EndKind;
use idiolect_symex::trace::{Action, Extent, StatePlace, Trace, TraceError};
use std::collections::BTreeSet;

fn solve(terms: &Terms, question: &[TermId]) -> Outcome {
    Solver::new().check(terms, question, &Budget::unlimited())
}

fn along(text: &str, decisions: &[bool], extent: Extent) -> Result<Trace, TraceError> {
    let program = program(text, DataModel::Lp64);
    Trace::along(&program, decisions, extent, false, &Budget::unlimited())
}

/// Feasibility by each transformer; they have to agree.
fn feasible(trace: &mut Trace, about: &str) -> bool {
    let n = trace.steps.len();
    let (truth, falsity) = (trace.terms.tt(), trace.terms.ff());
    let pre = trace.pre(0..n, truth);
    let wp = trace.wp(0..n, falsity);
    let post = trace.sp(0..n, truth);
    let by_pre = solve(&trace.terms, &[pre]).is_sat();
    // Some run gets through exactly if not all of them end up where nothing holds.
    let not_wp = trace.terms.not(wp);
    assert_eq!(solve(&trace.terms, &[not_wp]).is_sat(), by_pre, "{about}");
    let by_post = solve(&trace.terms, &[post.condition]).is_sat();
    assert_eq!(by_post, by_pre, "{about}");
    // The middle of the trace is reached from the one side and left to the other.
    let half = n / 2;
    let rest = trace.pre(half..n, truth);
    let middle = trace.sp(0..half, truth);
    let (reached, _) = trace.predicate(&middle);
    let through = solve(&trace.terms, &[reached, rest]).is_sat();
    assert_eq!(through, by_pre, "{about}, step {half} of {n}");
    let formula = trace.formula();
    assert_eq!(formula.constraints.len(), n);
    let by_formula = match solve(&trace.terms, &formula.constraints) {
        Outcome::Sat(_) => true,
        Outcome::Unsat(core) => {
            assert!(!core.is_empty());
            assert!(!solve(&trace.terms, &core).is_sat(), "{about}");
            false
        }
        Outcome::Unknown(_) => panic!("no limit"),
    };
    assert_eq!(by_formula, by_pre, "{about}");
    by_pre
}

#[test]
fn transformers_agree_with_all_runs() {
    let (mut n_feasible, mut n_infeasible, mut n_left_out) = (0, 0, 0);
    for seed in 5000..5060 {
        let text = generate(seed);
        let program = program(&text, DataModel::Lp64);
        let Some(runs) = all_runs(&program) else {
            continue;
        };
        let mut asked: BTreeSet<Vec<bool>> = BTreeSet::new();
        for run in runs.iter().take(3) {
            let length = run.decisions.len();
            for n in [1, 2, length / 2, length.saturating_sub(1), length] {
                if n == 0 || n > length {
                    continue;
                }
                let mut other = run.decisions[..n].to_vec();
                asked.insert(other.clone());
                other[n - 1] = !other[n - 1];
                asked.insert(other);
            }
        }
        for decisions in &asked {
            let about = format!("seed {seed}: {decisions:?}\n{text}");
            let budget = Budget::unlimited();
            let found = Trace::along(&program, decisions, Extent::LastDecision, false, &budget);
            let mut trace = match found {
                Ok(trace) => trace,
                Err(TraceError::NotSupported { .. }) => {
                    n_left_out += 1;
                    continue;
                }
                Err(TraceError::Stopped(reason)) => panic!("{reason}"),
            };
            let expected = runs.iter().any(|r| r.decisions.starts_with(decisions));
            assert_eq!(feasible(&mut trace, &about), expected, "{about}");
            n_feasible += u32::from(expected);
            n_infeasible += u32::from(!expected);
        }
    }
    assert!(
        n_feasible > 150 && n_infeasible > 75,
        "{n_feasible} {n_infeasible}"
    );
    assert!(n_left_out * 10 < n_feasible, "{n_left_out} of {n_feasible}");
}

/// The example of the seed, Figure 1: which positions' new value would prevent the error.
const SWAP: &str = "
extern int nondet(void); extern void reach_error(void);
int twice(int x) { int y = x + x; return y; }
int main(void) { int a[4], i = 1, s = nondet(), d; a[0] = 3; a[i] = s; d = twice(a[i] + 1);
  i = i + 1; if (d == 8) { if (a[0] == i + 1) reach_error(); } return 0; }";

#[test]
fn a_trace_goes_through_calls_and_arrays() {
    let mut trace = along(SWAP, &[true, true], Extent::End).unwrap();
    assert!(
        matches!(trace.end, Some((EndKind::Error(_), _))),
        "{:?}",
        trace.end
    );
    let n = trace.steps.len();
    let truth = trace.terms.tt();
    let pre = trace.pre(0..n, truth);
    let Outcome::Sat(_) = solve(&trace.terms, &[pre]) else {
        panic!("the error is reachable");
    };
    let formula = trace.formula();
    let Outcome::Sat(model) = solve(&trace.terms, &formula.constraints) else {
        panic!("the same");
    };
    let inputs = formula.inputs_of(&trace.terms, &model);
    let values: Vec<u128> = inputs.iter().map(|i| i.bits).collect();
    // 2 (s + 1) is 8 also if the addition wraps.
    assert!(values == [3] || values == [3 + (1 << 31)], "{values:?}");
    // Another value of `d` alone would prevent the error; another one of `y` in the call too.
    let deepest = trace.steps.iter().map(|s| s.depth).max();
    let shallowest = trace.steps.iter().map(|s| s.depth).min();
    assert!(deepest > shallowest);
}

#[test]
fn another_value_is_asked_for_at_one_step() {
    let mut trace = along(SWAP, &[true, true], Extent::End).unwrap();
    let n = trace.steps.len();
    let truth = trace.terms.tt();
    let mut relevant = Vec::new();
    for j in 0..n {
        let Action::Assign(updates) = trace.steps[j].action.clone() else {
            continue;
        };
        let [update] = updates[..] else { continue };
        if update.is_followed {
            continue;
        }
        // Is there a value that no way to the error starts with? The prefix has no choice but `s`.
        let after = trace.pre(j + 1..n, truth);
        let blocked = trace.terms.not(after);
        let before = trace.sp(0..j, truth);
        let (reached, _) = trace.predicate(&before);
        let feasible = trace.pre(j..n, truth);
        let question = [reached, feasible];
        assert!(solve(&trace.terms, &question).is_sat());
        let fresh = trace
            .terms
            .bv_var("new", trace.terms.width(update.variable));
        let mut map = idiolect_smt::Substitution::default();
        map.terms.insert(update.variable, fresh);
        let blocked = trace.terms.substitute(blocked, &mut map);
        if solve(&trace.terms, &[reached, feasible, blocked]).is_sat() {
            relevant.push(update.place);
        }
    }
    let is_local = |p: &&StatePlace| matches!(p, StatePlace::Local { .. });
    assert!(
        relevant.iter().filter(is_local).count() >= 4,
        "{relevant:?}"
    );
    assert!(
        relevant
            .iter()
            .any(|p| matches!(p, StatePlace::Memory { offset: 0, .. }))
    );
}

#[test]
fn heap_and_loops_are_followed() {
    let text = "
extern int nondet(void); extern void reach_error(void); void *malloc(unsigned long);
struct n { struct n *next; int v; };
int main(void) { struct n *head = 0; int s = 0;
  for (int i = 0; i < 3; i++) { struct n *x = malloc(sizeof *x); x->next = head; x->v = nondet(); head = x; }
  while (head) { s += head->v; head = head->next; }
  if (s == 10) reach_error();
  return 0; }";
    let decisions = [true, true, true, false, true, true, true, false, true];
    let mut trace = along(text, &decisions, Extent::End).unwrap();
    assert!(matches!(trace.end, Some((EndKind::Error(_), _))));
    assert!(feasible(&mut trace, text));
    let formula = trace.formula();
    let Outcome::Sat(model) = solve(&trace.terms, &formula.constraints) else {
        panic!("three numbers may sum to ten");
    };
    let inputs = formula.inputs_of(&trace.terms, &model);
    let sum = inputs
        .iter()
        .fold(0u32, |s, i| s.wrapping_add(i.bits as u32));
    assert_eq!((inputs.len(), sum), (3, 10));
    // One round less of the second loop is no path.
    let short = [true, true, true, false, true, true, false];
    let mut trace = along(text, &short, Extent::LastDecision).unwrap();
    assert!(!feasible(&mut trace, text));
}

#[test]
fn a_core_names_the_statements_that_matter() {
    let text = "extern int nondet(void);
int main(void) { int x = 1, y = nondet(), z = 5; y = y * 3; if (x == 2) return z; return y; }";
    let mut trace = along(text, &[true], Extent::LastDecision).unwrap();
    let formula = trace.formula();
    let mut solver = Solver::new();
    let budget = Budget::unlimited();
    let Outcome::Unsat(core) = solver.check(&trace.terms, &formula.constraints, &budget) else {
        panic!("x is 1");
    };
    let core = solver.minimize_core(&trace.terms, &core, &budget);
    assert_eq!(core.len(), 2, "`x = 1` and `x == 2`");
}

#[test]
fn an_unknown_pointer_is_not_supported() {
    let text = "extern int *nondet(void); int main(void) { int *p = nondet(); if (*p) return 1; return 0; }";
    let found = along(text, &[true], Extent::LastDecision).map(|t| t.steps.len());
    assert!(
        matches!(found, Err(TraceError::NotSupported { .. })),
        "{found:?}"
    );
}

#[test]
fn a_model_of_the_precondition_is_a_run() {
    let text = "extern int nondet(void); extern void reach_error(void);
int twice(int x) { int y = x + x; return y; }
int main(void) { int s = nondet(), d = twice(s + 1); if (d == 8) reach_error(); return 0; }";
    let mut trace = along(text, &[true], Extent::End).unwrap();
    let n = trace.steps.len();
    let truth = trace.terms.tt();
    let pre = trace.pre(0..n, truth);
    let drawn: Vec<TermId> = trace.steps.iter().flat_map(|s| s.drawn.clone()).collect();
    let [input] = drawn[..] else {
        panic!("{drawn:?}");
    };
    let mut model = Model::new();
    model.set_term(&trace.terms, input, 3);
    assert!(model.eval_bool(&trace.terms, pre));
    model.set_term(&trace.terms, input, 4);
    assert!(!model.eval_bool(&trace.terms, pre));
}
