//! Where no bound is to blame, the automaton has the words of all runs, also of those beyond the bounds.

use crate::brute_force::{all_runs, text_of};
use crate::common::{errors, program, session};
use crate::open_words::generated;
use idiolect_base::Budget;
use idiolect_explain::{Blame, Choice, LanguageTarget, LearnedLanguage, Options, Session};

fn options(unwind: usize, word_length: usize, is_free_beyond: bool) -> Options {
    Options {
        max_unwind: unwind,
        max_word_length: word_length,
        is_free_beyond,
        ..Options::default()
    }
}

fn blamed(session: &mut Session<'_>) -> (LearnedLanguage, Blame) {
    let language = session.learn_up_to();
    assert_eq!((language.stopped, session.disagreement()), (None, None));
    let blame = session.blame(&language.dfa).unwrap();
    (language, blame)
}

#[test]
fn no_run_has_a_word_that_no_bound_hides() {
    let budget = Budget::unlimited();
    let (mut n_none, mut n_beyond, mut n_missed) = (0, 0, 0);
    for seed in 0..400 {
        let text = text_of(seed);
        let program = program(&text);
        let target = match seed % 3 {
            0 => LanguageTarget::Program,
            _ => errors(&program),
        };
        let options = options(1 + seed as usize % 2, 3, seed % 4 < 2);
        let mut s = session(&program, &target, &Choice::default(), options, &budget);
        let (language, blame) = blamed(&mut s);
        let (wanted, _) = all_runs(&program, &target);
        let missed = wanted.iter().any(|word| !language.dfa.accepts(word));
        // A word within the bounds is missed where they did not settle; what is at stake is the rest.
        if !language.bounds.converged {
            continue;
        }
        assert!(!(blame.is_none() && missed), "seed {seed}\n{text}");
        n_none += usize::from(blame.is_none());
        n_beyond += usize::from(blame.is_none() && !language.is_complete);
        n_missed += usize::from(missed);
    }
    assert!(n_none >= 40, "{n_none} without blame");
    assert!(
        n_beyond >= 5,
        "{n_beyond} of them with runs beyond the bounds"
    );
    assert!(n_missed >= 20, "{n_missed} with a word beyond the bounds");
}

/// Loops that inputs end: runs of any length, tried at random.
#[test]
fn random_runs_of_any_length_have_no_other_word() {
    let budget = Budget::unlimited();
    let (mut n_beyond, mut n_blamed) = (0, 0);
    for seed in 0..120 {
        let text = generated(seed);
        let program = program(&text);
        let target = match seed % 3 {
            0 => LanguageTarget::Program,
            _ => errors(&program),
        };
        let mut s = session(
            &program,
            &target,
            &Choice::default(),
            options(3, 8, true),
            &budget,
        );
        let (language, blame) = blamed(&mut s);
        if !language.bounds.converged || language.is_complete {
            continue;
        }
        if blame.is_none() {
            let missed = s.attack(&language, 1, 200);
            assert!(missed.is_none(), "seed {seed}: {missed:?}\n{text}");
            n_beyond += 1;
        } else {
            n_blamed += 1;
        }
    }
    assert!(n_beyond >= 10, "{n_beyond} without blame");
    assert!(n_blamed >= 5, "{n_blamed} with blame");
}

#[test]
fn the_loop_that_hides_a_word_is_named() {
    let text = "
int nondet(void); void assert(int);
void a(void) {} void b(void) {}
int main(void) {
  int n = nondet() & 7, m = nondet() & 7;
  for (int i = 0; i < m; i++) if (nondet()) b(); else b();
  for (int i = 0; i < n; i++) a();
  assert(n < 6);
}";
    let budget = Budget::unlimited();
    let program = program(text);
    let choice = Choice::default();
    let target = errors(&program);
    // Of the failing runs with two rounds of the second loop there is none.
    let mut s = session(&program, &target, &choice, options(2, 12, true), &budget);
    let (language, blame) = blamed(&mut s);
    assert!(language.shown.is_empty());
    assert_eq!(blame.loops.len(), 2, "{blame:?}");
    // With as many rounds as there can be, nothing is hidden.
    let mut s = session(&program, &target, &choice, options(7, 15, true), &budget);
    let (language, blame) = blamed(&mut s);
    assert!(blame.is_none() && language.is_complete, "{blame:?}");
}
