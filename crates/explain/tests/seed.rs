//! The examples of the seed, with its counts. The rows are those of our list of ground truths.

mod common;

use common::{errors, program, session, word, words_up_to};
use idiolect_automata::Trimmed;
use idiolect_base::Budget;
use idiolect_explain::{Choice, Laziness, Options, Promise, Session, Target};
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
    let marks = language.shown.marks();
    assert_eq!(marks.doomed, [false, true, true]);
    let f = word(&s, "f")[0];
    assert!(marks.dominating[f.index()]);
}

/// Beyond the seed: the exact promise finds that `assert f assert` is no word.
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

fn figure_10() -> String {
    without_includes(FIGURE_6).replace(
        "  f();\n}",
        "  if (argv[0] == (char *)1) exit(0);\n  f();\n}",
    )
}

/// A-PV-3: one conjecture more, a sink, and the same to look at.
#[test]
fn figure_10_needs_the_trap() {
    let budget = Budget::unlimited();
    // A branch that an input decides; the seed compares a pointer with a character.
    let text = figure_10().replace("argv[0] == (char *)1", "argc == 1");
    let program = program(&text);
    let target = errors(&program);
    let paper = Options {
        promise: Promise::Paper,
        ..options(4, 4)
    };
    let mut s = session(&program, &target, &Choice::default(), paper, &budget);
    let language = s.learn_at(4, 4);
    assert_eq!(language.stopped, None);
    assert_eq!(
        words_up_to(&s, &language.dfa, 4),
        ["f assert", "g g f assert"]
    );
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
        &Target::Program,
        &Choice::default(),
        options(2, 6),
        &budget,
    );
    let language = s.learn_at(2, 6);
    assert_eq!(words_up_to(&s, &language.dfa, 6), ["f1 g h1", "f2 g h2"]);
}
