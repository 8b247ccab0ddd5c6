//! Calls of functions with loops, or of functions that call themselves, are proved by contracts. Those
//! of quick sort and merge sort are rows of the table (`proof_rows.rs`).

use crate::support;

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

const HALVES: &str = "static void fill(int a[], int n, int v) {
  int i;
  for (i = 0; i < n; i++) a[i] = v;
}
void f(int a[], int n, int key) {
  int half = n / 2;
  fill(a, half, key);
  fill(a + half, n - half, key);
}";

/// What lies outside of the part that a callee was given stays what it was, and nothing else does.
#[test]
fn callees_change_the_part_of_an_array_that_they_are_given() {
    check_with_helpers(
        HALVES,
        &[
            ("fill(a + half, n - half, key)", "fill(a, n - half, key)"),
            ("a[i] = v", "a[i] = 1"),
            ("fill(a + half, n - half, key)", "fill(a + half, n, key)"),
            (
                "fill(a + half, n - half, key)",
                "fill(a + half, n - half, key + 1)",
            ),
            ("fill(a, half, key)", "fill(a + 1, half, key)"),
            ("int half = n / 2", "int half = n / 2 + 1"),
            ("i < n", "i <= n"),
        ],
    );
}

/// A pointer into the array that is older than the call would see what was there before it.
#[test]
fn pointers_that_are_kept_across_a_call_are_a_doubt() {
    let text = "static void clear(int a[], int n) {
  int i;
  for (i = 0; i < n; i++) a[i] = 0;
}
int f(int a[], int n) {
  int *p = a;
  if (n < 1) return 0;
  clear(a, n);
  return *p;
}";
    let proof = prove_with_helpers(text, text);
    assert!(!is_adequate(&proof));
}

const REVERSE: &str = "static void reverse(int a[], int n) {
  int i = 0, j = n - 1, t;
  while (i < j) { t = a[i]; a[i] = a[j]; a[j] = t; i++; j--; }
}
void f(int a[], int n, int key) {
  int i;
  for (i = 0; i < n; i++) if (a[i] > key) a[i] = key;
  reverse(a, n);
}";

/// The callee only moves what is there: what was not above the key is not afterwards.
#[test]
fn callees_that_copy_keep_bounds() {
    check_with_helpers(
        REVERSE,
        &[
            ("a[j] = t", "a[j] = t + 1"),
            ("j = n - 1", "j = n"),
            ("a[i] = key", "a[i] = key + 1"),
        ],
    );
}

fn prove_with_helpers(learned_from: &str, proved_of: &str) -> Outcome {
    let config = |helpers: bool| session::Config {
        lengths: 0..=4,
        n_threads: 1,
        for_proof: true,
        helpers,
        ..session::Config::default()
    };
    let outcome = support::learn(learned_from, "f", &config(false)).expect("it runs");
    let program = support::program(proved_of, "f");
    let learn = |wish: refine::Wish<'_>| support::learn(learned_from, "f", &config(wish.helpers));
    let budget = Budget::unlimited();
    refine::prove(&program, outcome, &Config::default(), &budget, learn).proof
}

#[track_caller]
fn check_with_helpers(text: &str, wrong: &[(&str, &str)]) {
    let proof = prove_with_helpers(text, text);
    assert!(is_adequate(&proof), "{:?}", proof.points);
    for (from, to) in wrong {
        assert!(text.contains(from));
        let proof = prove_with_helpers(text, &text.replacen(from, to, 1));
        assert!(!is_adequate(&proof), "{from} -> {to}");
    }
}
