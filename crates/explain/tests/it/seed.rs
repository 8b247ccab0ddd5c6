//! The examples of the paper, with its counts. Their numbers are those of docs/papers.md.

use crate::common;

use common::{errors, program, session, word, words_up_to};
use idiolect_automata::Trimmed;
use idiolect_base::Budget;
use idiolect_explain::{Choice, LanguageTarget, Laziness, Options, Promise, Session};
use idiolect_ir::Property;
use idiolect_ir::events::EventKind;

const FIGURE_6: &str = "
#include <assert.h>
void exit(int);
void g(int x) { if (x > 100) exit(0); }
void f() { assert(0); }
int main(int argc, char *argv[]) {
  for (int i = 0; i < argc; i++) g(i);
  f();
}";

const FIGURE_8: &str = "
void Learn(int id); void Learn_Assert(int c); int nondet_int(void);
void F(void) { Learn(3); }
void G(void) { Learn(6); }
void H(void) { Learn(2); }
int main(void) {
  int input = nondet_int();
  if (input >= 10) F();
  if (input >= 20) { F(); G(); }
  H();
  Learn_Assert(input < 20);
}";

fn without_includes(text: &str) -> String {
    text.replace("#include <assert.h>", "void assert(int);")
}

fn edges(session: &Session<'_>, shown: &Trimmed) -> Vec<String> {
    let alphabet = session.vocabulary().alphabet();
    shown
        .edges()
        .map(|(from, letter, to)| {
            format!("{} {} {}", from.index(), alphabet.name(letter), to.index())
        })
        .collect()
}

fn options(unwind: usize, word_length: usize) -> Options {
    Options {
        max_unwind: unwind,
        max_word_length: word_length,
        laziness: Laziness::Eager,
        ..Options::default()
    }
}

/// A-PV-1 and A-PV-2: twelve queries after the first three, and the displayed automaton.
#[test]
fn figure_6_takes_the_papers_queries() {
    let budget = Budget::unlimited();
    let program = program(&without_includes(FIGURE_6));
    let target = errors(&program);
    let paper = Options {
        promise: Promise::Paper,
        ..options(4, 4)
    };
    let mut s = session(&program, &target, &Choice::default(), paper, &budget);
    let language = s.learn_at(4, 4);
    assert_eq!(language.stopped, None);
    assert_eq!(language.dfa.n_states(), 3);
    let statistics = s.statistics();
    assert_eq!(statistics.membership_queries, 3 + 12);
    assert_eq!((statistics.empty_word, statistics.conjectures), (1, 2));
    assert_eq!(edges(&s, &language.shown), ["0 g 0", "0 f 1", "1 assert 2"]);
    // A-PV-14
    assert_eq!(language.doomed, [false, true, true]);
    let marks = language.shown.marks();
    let f = word(&s, "f")[0];
    assert!(marks.dominating[f.index()]);
}

/// Beyond the paper: the exact promise finds that `assert f assert` is no word.
#[test]
fn figure_6_exactly_looks_the_same() {
    let budget = Budget::unlimited();
    let program = program(&without_includes(FIGURE_6));
    let target = errors(&program);
    let mut s = session(
        &program,
        &target,
        &Choice::default(),
        options(4, 4),
        &budget,
    );
    let language = s.learn_at(4, 4);
    assert_eq!(language.dfa.n_states(), 4);
    assert_eq!(edges(&s, &language.shown), ["0 g 0", "0 f 1", "1 assert 2"]);
    // A-PV-4: beyond the bounds, it says too much.
    let long = format!("{} f assert", vec!["g"; 120].join(" "));
    assert!(language.dfa.accepts(&word(&s, &long)));
}

#[test]
fn figure_6_converges_by_itself() {
    let budget = Budget::unlimited();
    let program = program(&without_includes(FIGURE_6));
    let target = errors(&program);
    let mut s = session(
        &program,
        &target,
        &Choice::default(),
        Options::default(),
        &budget,
    );
    let language = s.learn_up_to();
    assert!(language.bounds.converged, "{language:?}");
    assert_eq!(edges(&s, &language.shown), ["0 g 0", "0 f 1", "1 assert 2"]);
}

/// A-PV-3: one conjecture more, a sink, and the same to look at.
#[test]
fn figure_10_needs_the_trap() {
    let budget = Budget::unlimited();
    let exits = "  if (argc > 0 && argv[0][0] == '1') exit(0);\n  f();\n}";
    let text = without_includes(FIGURE_6).replace("  f();\n}", exits);
    let program = program(&text);
    let target = errors(&program);
    let paper = Options {
        promise: Promise::Paper,
        ..options(4, 4)
    };
    let mut s = session(&program, &target, &Choice::default(), paper, &budget);
    let language = s.learn_at(4, 4);
    assert_eq!(language.stopped, None);
    assert_eq!(s.statistics().conjectures, 3);
    assert_eq!(language.dfa.n_states(), 4);
    assert_eq!(edges(&s, &language.shown), ["0 g 0", "0 f 1", "1 assert 2"]);
}

fn marks() -> Choice {
    Choice {
        kinds: vec![EventKind::Mark],
        ..Choice::default()
    }
}

/// A-PV-5 and A-PV-6.
#[test]
fn figure_8_has_one_word() {
    let budget = Budget::unlimited();
    let program = program(FIGURE_8);
    let target = errors(&program);
    let mut s = session(&program, &target, &marks(), options(2, 6), &budget);
    let language = s.learn_at(2, 6);
    assert!(language.is_complete);
    assert_eq!(words_up_to(&s, &language.dfa, 6), ["3 3 6 2 assert"]);
    assert_eq!(language.shown.edges().count(), 5);
    // After the second `3` the input is at least 20; before it, runs may still end well.
    let doomed = [false, false, true, true, true, true];
    assert_eq!(language.doomed, doomed);
}

/// A-PV-8.
#[test]
fn calls_are_told_apart_by_their_callers() {
    let text = "
int nondet_int(void);
void h1(void) {} void h2(void) {} void g(int x) { if (x) h1(); else h2(); }
void f1(void) { g(1); } void f2(void) { g(0); }
int main(void) { if (nondet_int()) f1(); else f2(); return 0; }";
    let budget = Budget::unlimited();
    let program = program(text);
    let mut s = session(
        &program,
        &LanguageTarget::Program,
        &Choice::default(),
        options(2, 6),
        &budget,
    );
    let language = s.learn_at(2, 6);
    assert_eq!(words_up_to(&s, &language.dfa, 6), ["f1 g h1", "f2 g h2"]);
}

/// A-PV-9: what pre-checks answer costs no solver call.
#[test]
fn prechecks_do_not_ask_the_solver() {
    let budget = Budget::unlimited();
    let program = program(&without_includes(FIGURE_6));
    let target = errors(&program);
    let choice = Choice::default();
    let mut s = session(&program, &target, &choice, options(4, 4), &budget);
    let before = s.statistics().solver_calls;
    // No assertion at the end, two of them, and an order that the graph does not have.
    for text in [
        "f",
        "g g",
        "assert f assert",
        "f assert assert",
        "f g assert",
        "assert",
    ] {
        let word = word(&s, text);
        assert!(!s.is_member(&word).unwrap(), "{text}");
        assert_eq!(s.statistics().solver_calls, before, "{text}");
    }
    let word = word(&s, "g f assert");
    assert!(s.is_member(&word).unwrap());
    assert!(s.statistics().solver_calls > before);
}

/// A-PV-13: a refuted word is asked again with a larger bound only if the bound refuted it.
#[test]
fn refuted_words_are_kept_unless_the_bound_refuted_them() {
    let text = "
int nondet_int(void); void assert(int);
void a(void) {} void b(void) {} void c(void) {}
int main(void) {
  int x = nondet_int(), n = 0;
  while (nondet_int()) { a(); n++; }
  if (x > 0) b();
  if (x < 0) c();
  assert(n < 2);
}";
    let budget = Budget::unlimited();
    let program = program(text);
    let target = errors(&program);
    let choice = Choice::default();
    let mut s = session(&program, &target, &choice, options(4, 8), &budget);
    let (by_bound, by_data) = (word(&s, "a a assert"), word(&s, "b c assert"));
    s.set_unwind(1);
    assert!(!s.is_member(&by_bound).unwrap());
    assert!(!s.is_member(&by_data).unwrap());
    let before = s.statistics().solver_calls;
    s.set_unwind(3);
    assert!(s.is_member(&by_bound).unwrap());
    assert_eq!(s.statistics().solver_calls, before + 1);
    // `b` and `c` exclude each other whatever the bound: nobody is asked again.
    let before = s.statistics().solver_calls;
    assert!(!s.is_member(&by_data).unwrap());
    assert_eq!(s.statistics().solver_calls, before);
}

/// A-PV-12: agreement of two small automata is not the end if the language is still empty, or if
/// runs within the largest bounds have other words.
#[test]
fn bounds_grow_until_the_error_is_there() {
    let text = "
int nondet_int(void); void assert(int);
void a(void) {} void b(void) {}
int main(void) {
  int n = 0;
  while (nondet_int()) { a(); n++; }
  b();
  assert(n != 3);
}";
    let budget = Budget::unlimited();
    let program = program(text);
    let target = errors(&program);
    let mut s = session(
        &program,
        &target,
        &Choice::default(),
        Options::default(),
        &budget,
    );
    let language = s.learn_up_to();
    assert!(language.bounds.converged);
    assert!(language.bounds.unwind >= 3);
    assert_eq!(words_up_to(&s, &language.dfa, 12), ["a a a b assert"]);
}

/// Two hundred letters are no trouble.
#[test]
fn large_alphabets_work() {
    let mut text = String::from("int nondet_int(void); void assert(int);\n");
    let mut calls = String::new();
    for i in 0..200 {
        text += &format!("void f{i}(void) {{}}\n");
        calls += &format!("case {i}: f{i}(); break;\n");
    }
    text += &format!(
        "int main(void) {{ int x = nondet_int(); switch (x) {{ {calls} }} assert(x != 77); }}"
    );
    let budget = Budget::unlimited();
    let program = program(&text);
    let target = errors(&program);
    let mut s = session(
        &program,
        &target,
        &Choice::default(),
        Options::default(),
        &budget,
    );
    let language = s.learn_up_to();
    assert_eq!(s.vocabulary().alphabet().len(), 201);
    assert_eq!(words_up_to(&s, &language.dfa, 4), ["f77 assert"]);
}

/// A stop gives the best automaton so far.
#[test]
fn a_budget_that_ends_leaves_a_language() {
    let budget = Budget::steps(3_000);
    let program = program(&without_includes(FIGURE_6));
    let target = errors(&program);
    let calls = idiolect_ir::callgraph::CallGraph::new(&program);
    let choice = Choice::default();
    let vocabulary =
        idiolect_explain::EventVocabulary::new(&program, &calls, &target, &choice).unwrap();
    let options = Options::default();
    if let Ok(mut s) = Session::new(
        program.clone(),
        &calls,
        vocabulary,
        &target,
        options,
        &budget,
    ) {
        let language = s.learn_up_to();
        let is_done = language.stopped.is_none() && language.bounds.converged;
        assert!(is_done || language.stopped.is_some());
    }
}

/// Faults are errors of their own properties; what may fault need not.
#[test]
fn faults_have_a_language_too() {
    let text = "
int nondet_int(void);
int a[4];
void put(int i) { a[i] = 1; }
void skip(void) {}
int main(void) {
  int n = nondet_int();
  for (int i = 0; i < n && i < 6; i++) { if (i & 1) skip(); put(i); }
}";
    let budget = Budget::unlimited();
    let program = program(text);
    let target = LanguageTarget::errors(&program, &[Property::Memory]);
    let memory = Options {
        properties: vec![Property::Memory],
        ..options(6, 10)
    };
    let mut s = session(&program, &target, &Choice::default(), memory, &budget);
    let language = s.learn_at(6, 10);
    assert_eq!(language.stopped, None);
    let words = words_up_to(&s, &language.dfa, 10);
    assert_eq!(words, ["put skip put put skip put put assert"]);
}

/// Runs that go well need more rounds than runs that fail: nothing is certain at the start.
#[test]
fn doom_is_not_an_effect_of_small_bounds() {
    let text = "
int nondet_int(void); void assert(int);
int check(int *a) { for (int i = 0; i < 3; i++) if (a[i]) return 0; return 1; }
void late(void) {}
int main(void) {
  int a[3] = { nondet_int(), nondet_int(), nondet_int() };
  int ok = check(a);
  if (!ok) late();
  assert(ok);
}";
    let budget = Budget::unlimited();
    let program = program(text);
    let target = errors(&program);
    let choice = Choice::default();
    let mut s = session(&program, &target, &choice, Options::default(), &budget);
    let language = s.learn_up_to();
    assert_eq!(
        edges(&s, &language.shown),
        ["0 check 1", "1 late 2", "2 assert 3"]
    );
    assert_eq!(language.doomed, [false, false, true, true]);
    // With one round, runs that go well are not there at all; they go beyond the bound.
    let mut s = session(&program, &target, &choice, options(1, 4), &budget);
    assert_eq!(s.learn_at(1, 4).doomed, [false, false, true, true]);
}
