//! Calls of functions with loops, or of functions that call themselves, are proved by contracts. Those
//! of quick sort and merge sort are rows of the table (`proof_rows.rs`).

mod support;

use idiolect_base::Budget;
use idiolect_invariants::proof::{Config, Doubt, Goal, Outcome, Verdict};
use idiolect_invariants::{refine, session};

const NODE: &str = "struct node { int key; struct node *next; };\n";

const CLEAR: &str = "static void clear(struct node *l) {
  struct node *c = l;
  while (c) { c->key = 0; c = c->next; }
}
struct node *f(struct node *head) { clear(head); return head; }";

const LAST: &str = "struct node *f(struct node *l) {
  if (l == 0 || l->next == 0) return l;
  return f(l->next);
}";

/// Learns from one program and proves it of another one that has the same places.
fn prove(learned_from: &str, proved_of: &str) -> Outcome {
    let text = |t: &str| format!("{NODE}{t}");
    let config = session::Config {
        lengths: 0..=4,
        n_threads: 1,
        for_proof: true,
        ..session::Config::default()
    };
    let outcome = support::learn(&text(learned_from), "f", &config).expect("it runs");
    let program = support::program(&text(proved_of), "f");
    let budget = Budget::unlimited();
    refine::prove_once(&program, &outcome, &Config::default(), &budget)
}

fn is_adequate(proof: &Outcome) -> bool {
    proof.points.iter().all(|p| p.verdict == Verdict::Adequate)
}

#[track_caller]
fn check(text: &str, wrong: &[(&str, &str)]) {
    let proof = prove(text, text);
    assert!(is_adequate(&proof), "{:?}", proof.points);
    for (from, to) in wrong {
        assert!(text.contains(from));
        let proof = prove(text, &text.replacen(from, to, 1));
        assert!(!is_adequate(&proof), "{from} -> {to}");
    }
}

/// The callee writes data, so that nothing of what it was is known afterwards.
#[test]
fn a_callee_that_writes_data_promises_what_it_wrote() {
    check(
        CLEAR,
        &[
            ("c->key = 0", "c->key = 1"),
            ("while (c)", "while (c && c->next)"),
            ("clear(head);", "clear(head ? head->next : 0);"),
        ],
    );
}

#[test]
fn a_function_that_calls_itself_is_proved_by_induction() {
    check(
        LAST,
        &[
            ("return f(l->next)", "return f(l)->next"),
            ("return l;", "return 0;"),
        ],
    );
}

/// Functions with globals may change anything: there is no contract for them.
#[test]
fn a_callee_with_globals_is_a_doubt() {
    let text = "int n;
static void clear(struct node *l) {
  struct node *c = l;
  while (c) { c->key = 0; n++; c = c->next; }
}
struct node *f(struct node *head) { clear(head); return head; }";
    let proof = prove(text, text);
    assert!(!is_adequate(&proof));
    let mut failures = proof.points.iter().flat_map(|p| &p.failures);
    assert!(
        failures.any(|f| matches!(&f.goal, Goal::Doubt(Doubt::Callee(name)) if name == "clear"))
    );
}
