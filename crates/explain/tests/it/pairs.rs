//! Pairs of generated programs: the words that one has and the other has not, against all runs of both.

use crate::brute_force::{MAX_LENGTH, UNWIND, all_runs, text_of};
use crate::common::{errors, program, session};
use idiolect_automata::Alphabet;
use idiolect_base::{Budget, Rng};
use idiolect_explain::{
    Choice, Difference, EventVocabulary, LanguageTarget, Options, Session, Side,
};
use idiolect_ir::Program;
use idiolect_ir::callgraph::CallGraph;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The number of the first pair, and how many there are.
fn range() -> (u64, u64) {
    let given = std::env::var("IDIOLECT_PAIRS").unwrap_or_default();
    let mut numbers = given.split(' ').filter_map(|n| n.parse().ok());
    match (numbers.next(), numbers.next()) {
        (Some(first), Some(count)) => (first, count),
        _ => (0, 120),
    }
}

/// What a change makes of what.
const CHANGES: &[(&str, &str)] = &[
    (" < ", " != "),
    (" == ", " >= "),
    (" != ", " < "),
    (" >= ", " == "),
    ("y > 4", "y > 2"),
    ("y > 4", "1"),
    ("x + 1", "x - 1"),
    ("x * 2", "x * 3"),
    ("k & 1", "k"),
    ("exit(0)", "x = 1"),
    ("assume(0)", "exit(0)"),
    ("a();", "x = 1;"),
    ("b();", "a();"),
    ("x = 0", "x = 2"),
    ("y = 3", "y = 5"),
    ("assert(", "assert(1 || "),
];

/// A program, and the same with one to three places changed; now and then with none that matters.
fn pair(seed: u64) -> [String; 2] {
    let old = text_of(seed / 2);
    let mut rng = Rng::new(seed, 9);
    let mut new = old.clone();
    for _ in 0..1 + rng.below(3) {
        // `void a(void) {` is followed by what the function does.
        let body = new.find("void a(void)").unwrap_or(0) + "void a(void)".len();
        // Loops that count to a number keep doing so: otherwise they are unrolled for ever.
        let is_loop = |at: usize| {
            let line = new[..at].rfind('\n').map_or(0, |end| end + 1);
            new[line..].starts_with("for (")
        };
        let mut found: Vec<(usize, &str, &str)> = Vec::new();
        for &(from, to) in CHANGES {
            let here = new[body..].match_indices(from).map(|(at, _)| body + at);
            found.extend(here.filter(|&at| !is_loop(at)).map(|at| (at, from, to)));
        }
        if found.is_empty() {
            break;
        }
        let (at, from, to) = found[rng.below(found.len() as u64) as usize];
        new.replace_range(at..at + from.len(), to);
    }
    [old, new]
}

/// The words of all wanted runs, by their letters' names.
fn words_of(program: &Arc<Program>, target: &LanguageTarget) -> BTreeSet<Vec<String>> {
    let calls = CallGraph::new(program);
    let vocabulary = EventVocabulary::new(program, &calls, target, &Choice::default()).unwrap();
    let alphabet = vocabulary.alphabet();
    let (wanted, _) = all_runs(program, target);
    wanted
        .iter()
        .map(|word| word.iter().map(|&a| alphabet.name(a).to_owned()).collect())
        .collect()
}

fn side<'a>(program: &Arc<Program>, target: &LanguageTarget, budget: &'a Budget) -> Side<'a> {
    let options = Options {
        max_unwind: UNWIND,
        max_word_length: MAX_LENGTH,
        ..Options::default()
    };
    let mut session: Session<'a> = session(program, target, &Choice::default(), options, budget);
    let language = session.learn_at(UNWIND, MAX_LENGTH);
    assert_eq!((session.disagreement(), language.stopped), (None, None));
    Side { session, language }
}

fn shown(difference: &Difference) -> BTreeSet<Vec<String>> {
    let words = difference.shown.complete();
    words
        .accepted_words()
        .take_while(|word| word.len() <= MAX_LENGTH)
        .map(|word| {
            let names = word.iter().map(|&a| difference.alphabet.name(a).to_owned());
            names.collect()
        })
        .collect()
}

/// Up to the bounds, what is gained and what is lost are the differences of the words of all runs.
#[test]
fn words_are_gained_and_lost_as_all_runs_say() {
    let (first, count) = range();
    let budget = Budget::unlimited();
    let (mut n_same, mut n_gained, mut n_lost) = (0u64, 0u64, 0u64);
    for seed in first..first + count {
        let texts = pair(seed);
        let programs = [0, 1].map(|i| program(&texts[i]));
        let targets = [0, 1].map(|i| match seed % 3 {
            0 => errors(&programs[i]),
            _ => LanguageTarget::Program,
        });
        let words = [0, 1].map(|i| words_of(&programs[i], &targets[i]));
        let [mut old, mut new] = [0, 1].map(|i| side(&programs[i], &targets[i], &budget));
        let alphabet = [&old, &new].iter().fold(Alphabet::default(), |all, side| {
            all.unite(side.session.vocabulary().alphabet()).0
        });
        let gained = new.without(&mut [&mut old], &alphabet, 3);
        let lost = old.without(&mut [&mut new], &alphabet, 3);
        let only = |a: &BTreeSet<Vec<String>>, b: &BTreeSet<Vec<String>>| {
            let short = a.difference(b).filter(|word| word.len() <= MAX_LENGTH);
            short.cloned().collect::<BTreeSet<_>>()
        };
        let expected = [only(&words[1], &words[0]), only(&words[0], &words[1])];
        for (difference, expected) in [&gained, &lost].into_iter().zip(&expected) {
            assert_eq!(difference.stopped, None, "seed {seed}: {texts:?}");
            assert_eq!(&shown(difference), expected, "seed {seed}: {texts:?}");
            assert_eq!(difference.confirmed, expected.len(), "seed {seed}");
            assert_eq!(
                difference.witnesses.len(),
                expected.len().min(3),
                "seed {seed}"
            );
        }
        n_gained += u64::from(!expected[0].is_empty());
        n_lost += u64::from(!expected[1].is_empty());
        n_same += u64::from(expected.iter().all(BTreeSet::is_empty));
    }
    for (what, n) in [
        ("are the same", n_same),
        ("gain words", n_gained),
        ("lose words", n_lost),
    ] {
        assert!(10 * n >= count, "{n} of {count} pairs {what}");
    }
}
