//! Words of events: membership by assumption, sets of words, automata.

use crate::common;

use common::program;
use idiolect_automata::{Dfa, Letter};
use idiolect_base::Budget;
use idiolect_ir::ctype::DataModel;
use idiolect_ir::events::events;
use idiolect_smt::{Outcome, Solver, TermId};
use idiolect_symex::events::Words;
use idiolect_symex::{Config, Encoding, EndKind, encode};

/// `a` while the input says so, then `b`, and an error if there were two or more `a`s and one `b`
/// more than the input's second bit asks for.
const PROGRAM: &str = "
extern int nondet(void); extern void reach_error(void);
void a(void) {} void b(void) {}
int main(void) {
  int n = 0;
  while (nondet()) { a(); n++; }
  if (nondet()) b(); else a();
  b();
  if (n >= 2 && nondet()) reach_error();
  return 0;
}";

fn encoding(max_word: usize) -> Encoding {
    let program = program(PROGRAM, DataModel::Lp64);
    let all = events(&program);
    let letters = ["a", "b"]
        .iter()
        .map(|name| all.iter().find(|e| e.name == *name).unwrap().sites.clone())
        .collect();
    let config = Config {
        unwind: max_word,
        letters,
        max_word,
        ..Config::default()
    };
    encode(&program, &config, &Budget::unlimited()).unwrap()
}

fn words_up_to(n: usize) -> Vec<Vec<Letter>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..n {
        let mut next = Vec::new();
        for word in &last {
            for letter in 0..2 {
                let mut longer = word.clone();
                longer.push(Letter::new(letter));
                next.push(longer);
            }
        }
        all.extend(next.iter().cloned());
        last = next;
    }
    all
}

/// What the program's error words are: `a^n (a|b) b` with `n >= 2`.
fn is_error_word(word: &[Letter]) -> bool {
    let Some((last, front)) = word.split_last() else {
        return false;
    };
    let Some((_, front)) = front.split_last() else {
        return false;
    };
    last.index() == 1 && front.len() >= 2 && front.iter().all(|l| l.index() == 0)
}

fn is_sat(solver: &mut Solver, encoding: &Encoding, assumptions: &[TermId]) -> bool {
    match solver.check(&encoding.terms, assumptions, &Budget::unlimited()) {
        Outcome::Sat(_) => true,
        Outcome::Unsat(_) => false,
        Outcome::Unknown(why) => panic!("{why}"),
    }
}

#[test]
fn membership_is_asked_by_assumption() {
    let mut encoding = encoding(6);
    let words = Words::new(&mut encoding, |kind| matches!(kind, EndKind::Error(_)));
    let bound = encoding.bound(6);
    let mut solver = Solver::new();
    let all = words_up_to(6);
    for word in &all {
        let mut assumptions = bound.clone();
        assumptions.extend(words.member(word).unwrap());
        let found = is_sat(&mut solver, &encoding, &assumptions);
        assert_eq!(found, is_error_word(word), "{word:?}");
    }
    assert!(words.member(&[Letter::new(0); 7]).is_none());
    // With fewer unwindings, the longer words are gone.
    let small = encoding.bound(2);
    for word in &all {
        let mut assumptions = small.clone();
        assumptions.extend(words.member(word).unwrap());
        let found = is_sat(&mut solver, &encoding, &assumptions);
        assert_eq!(found, is_error_word(word) && word.len() <= 4, "{word:?}");
    }
}

#[test]
fn sets_and_automata_are_asked_at_once() {
    let mut encoding = encoding(6);
    let words = Words::new(&mut encoding, |kind| matches!(kind, EndKind::Error(_)));
    let bound = encoding.bound(6);
    let mut solver = Solver::new();
    let letters = |text: &str| -> Vec<Letter> {
        text.bytes()
            .map(|c| Letter::new(usize::from(c - b'a')))
            .collect()
    };
    let none = words.any_of(
        &mut encoding,
        &[letters("ab"), letters("ba"), letters("abb")],
    );
    assert!(!is_sat(
        &mut solver,
        &encoding,
        &[&bound[..], &[none]].concat()
    ));
    let some = words.any_of(&mut encoding, &[letters("ab"), letters("aaab")]);
    assert!(is_sat(
        &mut solver,
        &encoding,
        &[&bound[..], &[some]].concat()
    ));
    // Two letters `a`, then any that end in `b`: more than the error words, and no error word less.
    let more = Dfa::from_fn(2, &[false, false, false, true], |state, letter| {
        match (state, letter.index()) {
            (0, 0) => 1,
            (1, 0) => 2,
            (2 | 3, 0) => 2,
            (2 | 3, 1) => 3,
            _ => 0,
        }
    });
    let (accepted, rejected) = words.run_of(&mut encoding, &more);
    assert!(is_sat(
        &mut solver,
        &encoding,
        &[&bound[..], &[accepted]].concat()
    ));
    assert!(!is_sat(
        &mut solver,
        &encoding,
        &[&bound[..], &[rejected]].concat()
    ));
    // Without the words that end in `bb`, `aabb` is missing.
    let less = Dfa::from_fn(
        2,
        &[false, false, false, true, false],
        |state, letter| match (state, letter.index()) {
            (0, 0) => 1,
            (1, 0) => 2,
            (2, 0) => 2,
            (2, 1) => 3,
            _ => 4,
        },
    );
    let (_, rejected) = words.run_of(&mut encoding, &less);
    let missing = words.any_of(&mut encoding, &[letters("aabb")]);
    let question = [&bound[..], &[rejected, missing]].concat();
    assert!(is_sat(&mut solver, &encoding, &question));
    let empty = Dfa::from_fn(2, &[false], |_, _| 0);
    let (accepted, rejected) = words.run_of(&mut encoding, &empty);
    assert!(!is_sat(
        &mut solver,
        &encoding,
        &[&bound[..], &[accepted]].concat()
    ));
    assert!(is_sat(
        &mut solver,
        &encoding,
        &[&bound[..], &[rejected]].concat()
    ));
}
