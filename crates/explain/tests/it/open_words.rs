//! Words that bounds do not decide, and the smallest automata that agree with all others; and that very many
//! words are compared at once.

use crate::common::{errors, program, session, words_up_to};
use idiolect_automata::{Dfa, Letter, Word};
use idiolect_base::{Budget, Rng};
use idiolect_explain::{Choice, LanguageTarget, LearnedLanguage, Options, Session};
use std::fmt::Write as _;

fn options(unwind: usize, word_length: usize, is_free_beyond: bool) -> Options {
    Options {
        max_unwind: unwind,
        max_word_length: word_length,
        is_free_beyond,
        ..Options::default()
    }
}

fn learned(
    text: &str,
    unwind: usize,
    length: usize,
    is_free: bool,
) -> (LearnedLanguage, Vec<String>) {
    let budget = Budget::unlimited();
    let program = program(text);
    let target = errors(&program);
    let choice = Choice::default();
    let mut s = session(
        &program,
        &target,
        &choice,
        options(unwind, length, is_free),
        &budget,
    );
    let language = s.learn_at(unwind, length);
    assert_eq!(s.disagreement(), None);
    assert_eq!(language.stopped, None);
    let alphabet = s.vocabulary().alphabet();
    let edges = (language.shown.edges())
        .map(|(from, a, to)| format!("{} {} {}", from.index(), alphabet.name(a), to.index()))
        .collect();
    (language, edges)
}

const AT_LEAST_TWO: &str = "
int nondet(void); void assert(int);
void a(void) {} void b(void) {}
int main(void) {
  int n = 0;
  while (nondet()) { a(); if (n < 2) n++; }
  b();
  assert(n < 2);
}";

/// `a a a* b assert`, whatever the bounds; strictly, the bound is counted.
#[test]
fn the_picture_does_not_change_with_the_bound() {
    let expected = ["0 a 1", "1 a 2", "2 a 2", "2 b 3", "3 assert 4"];
    for unwind in 3..=6 {
        let (free, edges) = learned(AT_LEAST_TWO, unwind, 9, true);
        assert_eq!(edges, expected, "bound {unwind}");
        let (strict, _) = learned(AT_LEAST_TWO, unwind, 9, false);
        assert_eq!(free.strict_states, Some(strict.shown.n_states()));
        assert!(strict.shown.n_states() > 5, "bound {unwind}");
    }
}

/// All runs are within the bounds: everything is decided, and nothing is free.
#[test]
fn complete_languages_stay_as_they_are() {
    let text = "
int nondet(void); void assert(int);
void a(void) {}
int main(void) {
  int n = nondet() & 3;
  for (int i = 0; i < n; i++) a();
  assert(n == 2);
}";
    let (free, edges) = learned(text, 4, 8, true);
    let (_, strict) = learned(text, 4, 8, false);
    assert!(free.is_complete);
    assert_eq!((free.strict_states, edges), (None, strict));
}

/// A program with loops that inputs end.
pub fn generated(seed: u64) -> String {
    let mut rng = Rng::new(seed, 3);
    let mut text = String::from(
        "int nondet(void); void assert(int); void exit(int);\n\
         void a(void) {} void b(void) {}\nint x;\nint main(void) {\n",
    );
    for _ in 0..1 + rng.below(2) {
        let _ = writeln!(text, "while (nondet()) {{");
        for _ in 0..1 + rng.below(2) {
            let call = ["a();", "b();", "if (nondet()) a(); else b();"][rng.below(3) as usize];
            let change =
                ["x = !x;", "if (x < 2) x++;", "x = x & nondet();", ""][rng.below(4) as usize];
            let _ = writeln!(text, "{call} {change}");
        }
        let leave = ["", "if (x > 1) exit(0);", "if (x == 1) break;"][rng.below(3) as usize];
        let _ = writeln!(text, "{leave}\n}}\n{}", ["b();", ""][rng.below(2) as usize]);
    }
    let condition = ["x != 1", "x < 2", "x == 0", "!x || nondet()"][rng.below(4) as usize];
    let _ = writeln!(text, "assert({condition});\nreturn 0;\n}}");
    text
}

fn all_words(n_letters: usize, max_length: usize) -> Vec<Word> {
    let mut words = vec![Word::new()];
    let mut from = 0;
    for _ in 0..max_length {
        let to = words.len();
        for i in from..to {
            for a in 0..n_letters {
                let mut longer = words[i].clone();
                longer.push(Letter::new(a));
                words.push(longer);
            }
        }
        from = to;
    }
    words
}

fn check_decided(s: &mut Session<'_>, strict: &LearnedLanguage, free: &Dfa, text: &str) -> usize {
    let n_letters = s.vocabulary().alphabet().len();
    let mut n_open = 0;
    for word in all_words(n_letters, strict.bounds.word_length) {
        let is_accepted = strict.dfa.accepts(&word);
        if free.accepts(&word) == is_accepted {
            continue;
        }
        let shown = s.vocabulary().alphabet().show(&word);
        assert!(!is_accepted, "`{shown}` has a run\n{text}");
        assert!(
            !s.is_decided(&word, &strict.bounds).unwrap(),
            "`{shown}` is decided\n{text}"
        );
        n_open += 1;
    }
    n_open
}

/// Smallest automata agree with every decided word, are never larger, and what is decided at a bound is so
/// at larger ones.
#[test]
fn smallest_automata_agree_with_all_decided_words() {
    let budget = Budget::unlimited();
    let (mut n_smaller, mut n_open) = (0, 0);
    for seed in 0..60 {
        let text = generated(seed);
        let program = program(&text);
        let target = if seed % 3 == 0 {
            LanguageTarget::Program
        } else {
            errors(&program)
        };
        let choice = Choice::default();
        let mut s = session(&program, &target, &choice, options(2, 5, false), &budget);
        let strict = s.learn_at(2, 5);
        let mut f = session(&program, &target, &choice, options(2, 5, true), &budget);
        let free = f.learn_at(2, 5);
        assert_eq!((strict.stopped, free.stopped), (None, None));
        let sizes = (free.shown.n_states(), strict.shown.n_states());
        assert!(sizes.0 <= sizes.1, "{sizes:?}, seed {seed}\n{text}");
        n_smaller += usize::from(sizes.0 < sizes.1);
        n_open += check_decided(&mut s, &strict, &free.dfa, &text);
        // What nobody could have, nobody has with more rounds.
        let mut larger = session(&program, &target, &choice, options(4, 5, false), &budget);
        let more = larger.learn_at(4, 5);
        let n_letters = s.vocabulary().alphabet().len();
        for word in all_words(n_letters, 5) {
            if more.dfa.accepts(&word) && !strict.dfa.accepts(&word) {
                assert!(
                    !s.is_decided(&word, &strict.bounds).unwrap(),
                    "seed {seed}\n{text}"
                );
            }
        }
    }
    assert!(n_smaller > 10 && n_open > 50, "{n_smaller} {n_open}");
}

/// So many letters, any of them in each round.
fn any_letters(n: usize) -> String {
    let mut text = String::from("int nondet(void);\n");
    let mut calls = String::new();
    for i in 0..n {
        let _ = writeln!(text, "void f{i}(void) {{}}");
        let _ = writeln!(calls, "case {i}: f{i}(); break;");
    }
    text + "int main(void) { while (nondet()) switch (nondet()) {\n"
        + &calls
        + "default: return 0; } return 0; }\n"
}

/// 2^41 words, and 6^15: no promise is cut short, and the questions do not grow with the words.
#[test]
fn very_many_words_are_compared_at_once() {
    let budget = Budget::unlimited();
    for (n_letters, length) in [(2, 40), (6, 15)] {
        let program = program(&any_letters(n_letters));
        let choice = Choice::default();
        let target = LanguageTarget::Program;
        let mut s = session(
            &program,
            &target,
            &choice,
            options(length, length, false),
            &budget,
        );
        let language = s.learn_at(length, length);
        assert_eq!((language.stopped, s.disagreement()), (None, None));
        assert_eq!(language.checked_length, length);
        let calls = s.statistics().solver_calls;
        assert!(
            calls < 2_500,
            "{calls} solver calls for {n_letters} letters"
        );
        assert_eq!(words_up_to(&s, &language.dfa, 1).len(), 1 + n_letters);
    }
}

/// Words that have no run are found among very many that have one: the least comes first.
#[test]
fn a_word_without_a_run_is_found_among_very_many() {
    // After five times `a` in a row, no `b` comes: words of length 6 and more differ from `(a|b)*`.
    let text = "
int nondet(void);
void a(void) {} void b(void) {}
int main(void) {
  int n = 0;
  while (nondet()) {
    if (nondet() || n >= 9) { a(); n++; } else { b(); n = 0; }
  }
  return 0;
}";
    let budget = Budget::unlimited();
    let program = program(text);
    let choice = Choice::default();
    let mut s = session(
        &program,
        &LanguageTarget::Program,
        &choice,
        options(14, 14, false),
        &budget,
    );
    let language = s.learn_at(14, 14);
    assert_eq!((language.stopped, s.disagreement()), (None, None));
    assert_eq!(language.checked_length, 14);
    let a = s.vocabulary().read_word("a").unwrap()[0];
    let b = s.vocabulary().read_word("b").unwrap()[0];
    for n in 0..12 {
        for tail in 0..3usize {
            let mut word = vec![a; n];
            word.push(b);
            word.extend(vec![a; tail]);
            let word: Word = word.into_iter().take(14).collect();
            assert_eq!(language.dfa.accepts(&word), n < 9, "{n} {tail}");
        }
    }
}

/// Each letter alone is a word, and so is no letter: short words suggest that all words are. Bounds that grow by
/// themselves do not end there.
#[test]
fn bounds_grow_while_an_accepted_word_has_no_run() {
    let text = "
int nondet(void);
void a(void) {} void b(void) {} void c(void) {}
int main(void) {
  if (nondet()) a();
  if (nondet()) b();
  if (nondet()) c();
}";
    for is_free in [false, true] {
        let budget = Budget::unlimited();
        let program = program(text);
        let choice = Choice::default();
        let options = options(4, 12, is_free);
        let mut s = session(
            &program,
            &LanguageTarget::Program,
            &choice,
            options,
            &budget,
        );
        let language = s.learn_up_to();
        let words = ["ε", "a", "b", "c", "a b", "a c", "b c", "a b c"];
        assert_eq!(words_up_to(&s, &language.dfa, 12), words);
        assert!(language.bounds.converged);
    }
}

/// Any letters, of six: what more rounds could bring is open, and it is not taken for decided.
#[test]
fn open_words_are_told_from_decided_ones_all_at_once() {
    let budget = Budget::unlimited();
    let program = program(&any_letters(6));
    let choice = Choice::default();
    let mut s = session(
        &program,
        &LanguageTarget::Program,
        &choice,
        options(4, 12, true),
        &budget,
    );
    let language = s.learn_up_to();
    assert!(language.bounds.converged, "{:?}", language.bounds);
    assert_eq!(language.shown.n_states(), 1);
}
