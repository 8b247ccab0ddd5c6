//! A round is one execution of a loop's back edge: the language at a bound depends on runs alone, not on
//! what the encoder sees to be certain.

use crate::common::{errors, program, session, words_up_to};
use idiolect_automata::Word;
use idiolect_base::{Budget, Rng};
use idiolect_explain::{Choice, EventVocabulary, LanguageTarget, Options, Replayer};
use idiolect_ir::callgraph::CallGraph;
use std::collections::BTreeSet;
use std::fmt::Write as _;

const MAX_LENGTH: usize = 7;

/// How the limit of a loop is written: as a number, or as an input that is assumed to be it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Limits {
    Constant,
    Assumed,
}

/// A program of loops, calls and branches on three inputs of one bit.
struct Generator {
    rng: Rng,
    limits: Limits,
    /// Runs with more rounds of a loop end without a word.
    cut: Option<usize>,
    text: String,
    n_loops: usize,
}

impl Generator {
    fn program(seed: u64, limits: Limits, cut: Option<usize>) -> String {
        let mut g = Generator {
            rng: Rng::new(seed, 7),
            limits,
            cut,
            text: String::new(),
            n_loops: 0,
        };
        for depth in [2, 2, 1] {
            g.statement(depth);
        }
        let body = std::mem::take(&mut g.text);
        let mut text = String::from(
            "int nondet(void); void assert(int); void assume(int);\n\
             void a(void) {} void b(void) {}\n\
             int i, j, k, x;\n\
             int deep(int n) { if (n > 0) { a(); return deep(n - 1); } b(); return 0; }\n\
             int main(void) {\n\
             i = nondet() & 1; j = nondet() & 1; k = nondet() & 1;\n",
        );
        for n in 0..g.n_loops {
            let _ = writeln!(text, "int l{n} = nondet();");
        }
        text + &body + "assert(x != 1);\nreturn 0;\n}\n"
    }

    fn statement(&mut self, depth: u32) {
        match self.rng.below(if depth == 0 { 3 } else { 6 }) {
            0 => self.text.push_str("a();\n"),
            1 => self.text.push_str("b();\n"),
            2 => self.text.push_str("x = x ^ i;\n"),
            3 => {
                let c = ["i", "j", "k"][self.rng.below(3) as usize];
                let _ = writeln!(self.text, "if ({c}) {{");
                self.statement(depth - 1);
                self.text.push_str("} else {\n");
                self.statement(depth - 1);
                self.text.push_str("}\n");
            }
            _ => self.repetition(depth),
        }
    }

    fn repetition(&mut self, depth: u32) {
        let n = self.n_loops;
        self.n_loops += 1;
        let limit = self.rng.below(4);
        let open = ["", " + i", " + (j & k)"][self.rng.below(3) as usize];
        let limit = match self.limits {
            Limits::Constant => format!("{limit}{open}"),
            Limits::Assumed => {
                let _ = writeln!(self.text, "assume(l{n} == {limit});");
                format!("l{n}{open}")
            }
        };
        let cut = match self.cut {
            Some(most) => format!(", r{n}++, assume(r{n} <= {most})"),
            None => String::new(),
        };
        let _ = writeln!(
            self.text,
            "for (int n{n} = 0, r{n} = 0; n{n} < {limit}; n{n}++{cut}) {{"
        );
        self.statement(depth - 1);
        if self.rng.below(4) == 0 {
            let _ = writeln!(self.text, "if (k && n{n} == 1) break;");
        }
        self.text.push_str("}\n");
    }
}

/// The short words of all runs, one after the other.
fn all_words(text: &str, is_error: bool) -> BTreeSet<String> {
    let program = program(text);
    let target = if is_error {
        errors(&program)
    } else {
        LanguageTarget::Program
    };
    let calls = CallGraph::new(&program);
    let vocabulary = EventVocabulary::new(&program, &calls, &target, &Choice::default()).unwrap();
    let replayer = Replayer::new(program, &vocabulary, &target, false);
    let mut words = BTreeSet::new();
    for n in 0..8u128 {
        let replay = replayer.run(&[n & 1, (n >> 1) & 1, (n >> 2) & 1]);
        if replay.is_wanted && replay.word.len() <= MAX_LENGTH {
            words.insert(vocabulary.alphabet().show(&replay.word as &Word));
        }
    }
    words
}

fn learned_words(text: &str, is_error: bool, unwind: usize) -> BTreeSet<String> {
    let budget = Budget::unlimited();
    let program = program(text);
    let target = if is_error {
        errors(&program)
    } else {
        LanguageTarget::Program
    };
    let options = Options {
        max_unwind: unwind,
        max_word_length: MAX_LENGTH,
        has_fixed_unwind: true,
        ..Options::default()
    };
    let mut s = session(&program, &target, &Choice::default(), options, &budget);
    let language = s.learn_at(unwind, MAX_LENGTH);
    assert_eq!(s.disagreement(), None, "{text}");
    assert_eq!(language.stopped, None, "{text}");
    words_up_to(&s, &language.dfa, MAX_LENGTH)
        .into_iter()
        .collect()
}

/// Programs with the same runs have the same language at every bound, and it is that of the runs with
/// so many rounds.
#[test]
fn programs_with_the_same_runs_have_the_same_language_at_every_bound() {
    let (mut n_empty, mut n_cut) = (0, 0);
    for seed in 0..100 {
        let is_error = seed % 2 == 0;
        let constant = Generator::program(seed, Limits::Constant, None);
        let assumed = Generator::program(seed, Limits::Assumed, None);
        let all = all_words(&constant, is_error);
        for unwind in 0..=4 {
            let cut = Generator::program(seed, Limits::Constant, Some(unwind));
            let expected = all_words(&cut, is_error);
            let of_constant = learned_words(&constant, is_error, unwind);
            let of_assumed = learned_words(&assumed, is_error, unwind);
            assert_eq!(
                of_constant, expected,
                "bound {unwind}, seed {seed}\n{constant}"
            );
            assert_eq!(
                of_assumed, expected,
                "bound {unwind}, seed {seed}\n{assumed}"
            );
            n_empty += usize::from(expected.is_empty());
            n_cut += usize::from(expected.len() < all.len() && !expected.is_empty());
        }
    }
    // The bounds matter, and they do not forbid everything.
    assert!(n_cut > 15 && n_empty < 300, "{n_cut} {n_empty}");
}

/// Bounds that grow by themselves leave constant loops alone, and say how often they go round.
#[test]
fn constant_loops_have_the_rounds_they_need() {
    let text = "
int nondet(void); void assert(int);
void a(void) {}
int t[1000];
int main(void) {
  for (int i = 0; i < 1000; i++) t[i] = i;
  while (nondet()) a();
  assert(t[999] != 999);
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
    let language = s.learn_at(2, 4);
    assert_eq!(
        words_up_to(&s, &language.dfa, 4),
        ["assert", "a assert", "a a assert"]
    );
    let rounds: Vec<usize> = s.loops_beyond(2).iter().map(|l| l.rounds).collect();
    assert_eq!(rounds, [1000]);
    assert!(s.loops_cut().is_empty());
    // A bound that the user fixes is what it says.
    let fixed = Options {
        has_fixed_unwind: true,
        ..Options::default()
    };
    let mut s = session(&program, &target, &Choice::default(), fixed, &budget);
    assert!(s.learn_at(2, 4).shown.is_empty());
    assert_eq!((s.loops_beyond(2).len(), s.loops_cut().len()), (0, 1));
}

/// A loop with certain visits and others has one bound for all of them.
#[test]
fn a_loop_has_one_bound_for_all_visits() {
    let text = "
int nondet(void); void assert(int);
void a(void) {}
void some(int n) { for (int i = 0; i < n; i++) a(); }
int main(void) {
  some(3);
  some(nondet());
  assert(0);
}";
    let budget = Budget::unlimited();
    let program = program(text);
    let target = errors(&program);
    let options = Options {
        max_unwind: 1,
        ..Options::default()
    };
    let mut s = session(&program, &target, &Choice::default(), options, &budget);
    let language = s.learn_at(1, 12);
    let own: Vec<usize> = s.loops_beyond(1).iter().map(|l| l.rounds).collect();
    assert_eq!(own, [4]);
    let lengths: Vec<usize> = (words_up_to(&s, &language.dfa, 12).iter())
        .map(|w| w.matches("a ").count())
        .collect();
    assert_eq!(lengths, [3, 4, 5, 6, 7]);
}

/// Past what the number can be, `m--` is certain to leave something: no run comes there, and the rounds are not unrolled.
#[test]
fn rounds_that_no_run_has_are_not_certain_ones() {
    let text = "
int nondet(void); void assert(int);
void a(void) {} void b(void) {}
int main(void) {
  int n = 0;
  while (nondet()) {
    int m = nondet() & 3;
    a();
    while (m--) b();
    n++;
  }
  assert(n == 0);
}";
    let budget = Budget::unlimited();
    let program = program(text);
    let target = errors(&program);
    let options = Options::default();
    let s = session(&program, &target, &Choice::default(), options, &budget);
    assert_eq!(s.loops_beyond(4), []);
    let n_terms = s.statistics().terms;
    assert!(n_terms < 50_000, "{n_terms} terms");
}
