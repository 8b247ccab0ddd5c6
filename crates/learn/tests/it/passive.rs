//! Passive learners against targets, definitions and each other.

use idiolect_automata::generate::{RandomDfa, random_mealy};
use idiolect_automata::{Dfa, Letter, Pfsa, Word};
use idiolect_base::Rng;
use idiolect_learn::passive::{
    Agreement, Contradictory, Order, PrefixTree, SkStrings, Tolerant, alergia, edsm, k_tails, rpni,
    rpni_by_frequency,
};
use proptest::prelude::*;

fn word(text: &str) -> Word {
    text.bytes().map(|b| Letter(u32::from(b - b'a'))).collect()
}

/// Words with lengths up to `longest`, chosen evenly, and whether the target accepts them.
fn sample(target: &Dfa, n_words: usize, longest: u64, seed: u64) -> Vec<(Word, bool)> {
    let mut rng = Rng::new(seed, 1);
    let k = target.n_letters() as u64;
    (0..n_words)
        .map(|_| {
            let length = rng.below(longest + 1);
            let word: Word = (0..length).map(|_| Letter(rng.below(k) as u32)).collect();
            let label = target.accepts(&word);
            (word, label)
        })
        .collect()
}

#[test]
fn edsm_finds_fifty_states_where_rpni_does_not() {
    let target = RandomDfa::new(50, 3).draw(&mut Rng::new(1, 0)).unwrap();
    let tree = PrefixTree::of_labeled(3, &sample(&target, 10_000, 40, 1));
    let found = edsm(&tree).unwrap();
    assert_eq!(found.n_states(), 50);
    assert!(found.is_equivalent(&target));
    assert!(!rpni(&tree).unwrap().is_equivalent(&target));
}

#[test]
fn both_find_twenty_states() {
    let target = RandomDfa::new(20, 2).draw(&mut Rng::new(3, 0)).unwrap();
    let tree = PrefixTree::of_labeled(2, &sample(&target, 10_000, 15, 3));
    for learner in [rpni, edsm] {
        let found = learner(&tree).unwrap();
        assert_eq!(found.n_states(), 20);
        assert!(found.is_equivalent(&target));
    }
}

#[test]
fn contradictory_words_are_refused() {
    let words = [(word("ab"), true), (word("ab"), false)];
    let tree = PrefixTree::of_labeled(2, &words);
    assert_eq!(rpni(&tree), Err(Contradictory));
    assert_eq!(edsm(&tree), Err(Contradictory));
}

#[test]
fn no_words_give_the_empty_language() {
    let tree = PrefixTree::of_labeled::<Word>(2, &[]);
    for learner in [rpni, edsm] {
        assert!(learner(&tree).unwrap().is_equivalent(&Dfa::none(2)));
    }
    assert_eq!(alergia(&tree, 0.05).n_states(), 1);
    assert_eq!(k_tails(&tree, 2).n_states(), 1);
}

proptest! {
    /// Whatever the sample, the result agrees with it.
    #[test]
    fn rpni_and_edsm_agree_with_the_sample(
        words in proptest::collection::btree_map(
            proptest::collection::vec(0u32..3, 0..7), any::<bool>(), 0..40),
    ) {
        let words: Vec<(Word, bool)> = words
            .into_iter()
            .map(|(w, label)| (w.into_iter().map(Letter).collect(), label))
            .collect();
        let tree = PrefixTree::of_labeled(3, &words);
        for learner in [rpni, edsm] {
            let found = learner(&tree).unwrap();
            for (word, label) in &words {
                prop_assert_eq!(found.accepts(word), *label, "{:?}", word);
            }
        }
    }

    /// Merging keeps weights: as many words come out of the initial state, and every word of the
    /// sample can be produced.
    #[test]
    fn probabilistic_learners_keep_the_words(
        words in proptest::collection::vec(
            (proptest::collection::vec(0u32..3, 0..7), 1u64..5), 1..25),
        k in 1usize..4,
        percent in 1u32..=100,
    ) {
        let words: Vec<(Word, u64)> = words
            .into_iter()
            .map(|(w, n)| (w.into_iter().map(Letter).collect(), n))
            .collect();
        let tree = PrefixTree::of_words(3, &words);
        let mut learned = vec![alergia(&tree, 0.05), k_tails(&tree, k)];
        for agreement in [Agreement::And, Agreement::Or, Agreement::Lax, Agreement::Strict] {
            learned.push(SkStrings { k, s: f64::from(percent) / 100.0, agreement }.learn(&tree));
        }
        for (i, pfsa) in learned.iter().enumerate() {
            let ends: f64 = pfsa.states().map(|q| pfsa.final_weight(q)).sum();
            prop_assert_eq!(ends, tree.total_weight() as f64, "learner {}", i);
            for (word, _) in &words {
                prop_assert!(pfsa.word_probability(word) > 0.0, "learner {} on {:?}", i, word);
            }
        }
    }

    /// The result of k-tails has no two states with the same k-strings, by brute force.
    #[test]
    fn k_tails_merges_all_it_can(
        words in proptest::collection::vec(proptest::collection::vec(0u32..2, 0..6), 1..15),
        k in 1usize..4,
    ) {
        let words: Vec<(Word, u64)> =
            words.into_iter().map(|w| (w.into_iter().map(Letter).collect(), 1)).collect();
        let pfsa = k_tails(&PrefixTree::of_words(2, &words), k);
        let tails: Vec<_> = pfsa.states().map(|q| k_strings(&pfsa, q, k)).collect();
        for i in 0..tails.len() {
            for j in 0..i {
                prop_assert_ne!(&tails[i], &tails[j]);
            }
        }
    }
}

fn k_strings(
    pfsa: &Pfsa,
    state: idiolect_automata::StateId,
    k: usize,
) -> std::collections::BTreeSet<(Word, bool)> {
    let mut found = std::collections::BTreeSet::new();
    if k == 0 {
        found.insert((Word::new(), false));
        return found;
    }
    if pfsa.final_weight(state) > 0.0 {
        found.insert((Word::new(), true));
    }
    for edge in pfsa.edges(state) {
        for (rest, ended) in k_strings(pfsa, edge.to, k - 1) {
            let mut string = vec![edge.letter];
            string.extend(rest);
            found.insert((string, ended));
        }
    }
    found
}

/// With many letters each may be taken about as often in two states, and words end in one of them only.
#[test]
fn alergia_compares_how_often_words_end() {
    let letters = 10;
    let mut words: Vec<(Word, u64)> = Vec::new();
    // Nothing ends at once: ten letters, a tenth of the words each. After the first letter half of the
    // words end, and a twentieth goes on with each letter.
    for i in 1..letters {
        words.push((vec![Letter(i)], 1000));
    }
    words.push((vec![Letter(0)], 500));
    for i in 0..letters {
        words.push((vec![Letter(0), Letter(i)], 50));
    }
    let pfsa = alergia(&PrefixTree::of_words(letters as usize, &words), 0.05);
    assert_eq!(pfsa.word_probability(&[]), 0.0);
}

/// A deterministic automaton whose states differ in their frequencies is found again.
#[test]
fn alergia_finds_a_probabilistic_automaton() {
    // From 0: a (0.6) to 1, end (0.4). From 1: b (0.5) to 0, a (0.4) to 1, end (0.1).
    let mut rng = Rng::new(4, 0);
    let words: Vec<(Word, u64)> = (0..20_000)
        .map(|_| {
            let mut word = Word::new();
            let mut state = 0;
            loop {
                let x = rng.unit();
                match (state, x) {
                    (0, x) if x < 0.6 => (word.push(Letter(0)), state = 1).1,
                    (1, x) if x < 0.5 => (word.push(Letter(1)), state = 0).1,
                    (1, x) if x < 0.9 => word.push(Letter(0)),
                    _ => return (word, 1),
                }
            }
        })
        .collect();
    let pfsa = alergia(&PrefixTree::of_words(2, &words), 0.01);
    assert_eq!(pfsa.n_states(), 2);
    let q = pfsa.initial();
    assert!((pfsa.final_probability(q) - 0.4).abs() < 0.02);
    for edge in pfsa.edges(q) {
        assert_eq!(edge.letter, Letter(0));
        assert!((pfsa.probability(q, edge) - 0.6).abs() < 0.02);
    }
}

/// The four agreements on one pair of states, worked out by hand.
///
/// After `a` come b (4 of 8), c (3) and d (1); after `e` come b (3 of 8), c (4) and f (1). With
/// k = 1 the most probable strings for s = 0.8 are b, c after `a`, and c, b after `e`.
#[test]
fn agreements_differ_as_they_should() {
    let words = [
        ("ab", 4),
        ("ac", 3),
        ("ad", 1),
        ("eb", 3),
        ("ec", 4),
        ("ef", 1),
    ]
    .map(|(w, n)| (word(w), n));
    let tree = PrefixTree::of_words(6, &words);
    let merged = |agreement, s| {
        let pfsa = SkStrings { k: 1, s, agreement }.learn(&tree);
        let targets: Vec<_> = pfsa.edges(pfsa.initial()).iter().map(|e| e.to).collect();
        assert_eq!(targets.len(), 2);
        targets[0] == targets[1]
    };
    assert!(merged(Agreement::And, 0.8));
    assert!(merged(Agreement::Or, 0.8));
    assert!(!merged(Agreement::Lax, 0.8));
    assert!(!merged(Agreement::Strict, 0.8));
    // All strings: d and f are not shared.
    assert!(!merged(Agreement::And, 1.0));
    assert!(!merged(Agreement::Or, 1.0));

    let words = [("ab", 4), ("ac", 3), ("eb", 5), ("ec", 1), ("ed", 1)].map(|(w, n)| (word(w), n));
    let tree = PrefixTree::of_words(5, &words);
    let merged = |agreement, s| {
        let pfsa = SkStrings { k: 1, s, agreement }.learn(&tree);
        let edges = pfsa.edges(pfsa.initial());
        edges[0].to == edges[1].to
    };
    // `a` produces b and c; `e` produces them and d.
    assert!(merged(Agreement::Or, 1.0));
    assert!(!merged(Agreement::And, 1.0));
    // The most probable string is b for both, with different probabilities.
    assert!(merged(Agreement::Lax, 0.5));
    assert!(!merged(Agreement::Strict, 0.5));
}

/// A loop that is seen often enough is found by k-tails: all of a b a b a b.
#[test]
fn k_tails_closes_loops() {
    let words: Vec<(Word, u64)> = (0..8).map(|n| (word(&"ab".repeat(n)), 1)).collect();
    let pfsa = k_tails(&PrefixTree::of_words(2, &words), 2);
    for n in 0..20 {
        assert!(pfsa.word_probability(&word(&"ab".repeat(n))) > 0.0, "{n}");
    }
    assert_eq!(pfsa.word_probability(&word("aa")), 0.0);
    assert_eq!(pfsa.word_probability(&word("aba")), 0.0);
}

/// Turns round the labels of a share of the words, chosen evenly.
fn with_noise(words: &[(Word, bool)], percent: u64) -> Vec<(Word, bool)> {
    let mut rng = Rng::new(9, 9);
    let flip = |(word, label): &(Word, bool)| (word.clone(), *label != (rng.below(100) < percent));
    words.iter().map(flip).collect()
}

/// The share of words that a model gets right.
fn accuracy(model: &Dfa, words: &[(Word, bool)]) -> f64 {
    let right = words
        .iter()
        .filter(|(word, label)| model.accepts(word) == *label);
    right.count() as f64 / words.len() as f64
}

#[test]
fn labels_that_are_wrong_are_outvoted() {
    let target = RandomDfa::new(10, 2).draw(&mut Rng::new(3, 0)).unwrap();
    let train = with_noise(&sample(&target, 5_000, 12, 1), 5);
    let test = sample(&target, 2_000, 12, 2);
    let tolerant = Tolerant {
        order: Order::Best,
        noise: 0.05,
    };
    let tolerated = tolerant.dfa(2, &train).unwrap();
    let right = accuracy(&tolerated, &test);
    assert!(right > 0.97, "{right} with {} states", tolerated.n_states());
    // Who takes every label at its word has to keep states apart that are one, or fails at once.
    let strict = Tolerant {
        noise: 0.0,
        ..tolerant
    }
    .dfa(2, &train);
    let worse = |dfa: Dfa| dfa.n_states() > 5 * tolerated.n_states();
    assert!(strict.is_err() || strict.is_ok_and(worse));
    assert!(edsm(&PrefixTree::of_labeled(2, &train)).is_err());
}

#[test]
fn letters_by_frequency_are_the_same_letters() {
    // Letter 2 is the frequent one, and what it does is not what letter 0 does.
    let target = Dfa::from_fn(3, &[true, false, false], |q, a| (q + a.index()) % 3);
    let mut words = sample(&target, 300, 6, 1);
    words.extend((0..8).map(|n| (vec![Letter(2); n], n % 3 == 0)));
    let found = rpni_by_frequency(3, &words).unwrap();
    assert!(found.is_equivalent(&target));
    let clash = [(word("a"), true), (word("a"), false)];
    assert_eq!(rpni_by_frequency(1, &clash).unwrap_err(), Contradictory);
    assert_eq!(rpni_by_frequency(2, &[]).unwrap().n_letters(), 2);
}

#[test]
fn without_noise_tolerance_costs_nothing() {
    let target = RandomDfa::new(20, 2).draw(&mut Rng::new(3, 0)).unwrap();
    let words = sample(&target, 5_000, 20, 1);
    for order in [Order::First, Order::Best] {
        let found = Tolerant { order, noise: 0.0 }.dfa(2, &words).unwrap();
        assert!(found.is_equivalent(&target), "{order:?}");
    }
}

#[test]
fn mealy_machines_are_found_from_input_output_words() {
    let mut rng = Rng::new(7, 0);
    let target = random_mealy(&mut rng, 12, 3, 3).unwrap();
    let words: Vec<(Word, Vec<u32>)> = (0..2_000)
        .map(|_| {
            let length = rng.below(16);
            let word: Word = (0..length).map(|_| Letter(rng.below(3) as u32)).collect();
            let outputs = target.outputs_of(&word).into_iter().copied().collect();
            (word, outputs)
        })
        .collect();
    for order in [Order::First, Order::Best] {
        let found = Tolerant { order, noise: 0.0 }
            .mealy(3, &words, &99)
            .unwrap();
        assert!(found.is_equivalent(&target), "{order:?}");
    }
    // A word that contradicts another is refused, unless there may be noise.
    let mut noisy = words.clone();
    let last = noisy.iter().position(|(word, _)| word.len() > 3).unwrap();
    let (word, mut outputs) = noisy[last].clone();
    outputs[0] = (outputs[0] + 1) % 3;
    noisy.push((word, outputs));
    let strict = Tolerant {
        order: Order::Best,
        noise: 0.0,
    };
    assert_eq!(strict.mealy(3, &noisy, &99).unwrap_err(), Contradictory);
    let found = Tolerant {
        noise: 0.01,
        ..strict
    }
    .mealy(3, &noisy, &99)
    .unwrap();
    assert!(found.is_equivalent(&target));
}

proptest! {
    // Whatever the words, the model without noise agrees with all of them.
    #[test]
    fn tallies_agree_with_what_was_seen(
        words in prop::collection::vec((prop::collection::vec(0u32..2, 0..6), any::<bool>()), 1..40),
    ) {
        let words: Vec<(Word, bool)> = words
            .into_iter()
            .map(|(word, label)| (word.into_iter().map(Letter).collect(), label))
            .collect();
        for order in [Order::First, Order::Best] {
            match (Tolerant { order, noise: 0.0 }).dfa(2, &words) {
                Ok(dfa) => prop_assert_eq!(accuracy(&dfa, &words), 1.0),
                Err(Contradictory) => {
                    let clash = words.iter().any(|(w, l)| words.contains(&(w.clone(), !l)));
                    prop_assert!(clash);
                }
            }
            let noisy = (Tolerant { order, noise: 0.2 }).dfa(2, &words);
            prop_assert!(noisy.is_ok());
        }
    }
}
