//! From a word to the inputs of a run that has it.
//!
//! Runs with known words are examples: what an input was, and what the word looked like around it. A
//! decision tree for each place where the program reads an input generalizes them to all words: "0 if
//! the word ends here, 1 if `a` comes next, else 2". Whether it is right is asked elsewhere (`sets.rs`);
//! here is only what is guessed.

use idiolect_automata::{Letter, Word};
use idiolect_symex::InputOrigin;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Inputs by place, each with a tree. What nobody has an example of is zero.
#[derive(Clone, Debug, Default)]
pub(crate) struct Strategy {
    sites: Vec<Site>,
}

#[derive(Clone, Debug)]
struct Site {
    origin: InputOrigin,
    examples: Vec<Example>,
    tree: Tree,
}

/// An input of a run with a known word.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    pub(crate) word: Rc<Word>,
    /// The input's number in the encoding.
    pub(crate) record: usize,
    /// How many events came before it.
    pub(crate) position: usize,
    pub(crate) value: u128,
}

/// What a tree asks about a word and an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Feature {
    /// The letter so far after the input: 0 is the next one, -1 the last one before.
    Letter(i32),
    Length,
    /// Which input of the unrolled program it is.
    Record,
}

/// Answers of [`Feature::Letter`] that are no letters.
pub(crate) const AFTER_THE_END: u32 = u32::MAX;
pub(crate) const BEFORE_THE_START: u32 = u32::MAX - 1;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Tree {
    Value(u128),
    Ask {
        feature: Feature,
        branches: Vec<(u32, Tree)>,
        /// For answers that no example has.
        otherwise: u128,
    },
}

impl Feature {
    fn answer(self, word: &[Letter], record: usize, position: usize) -> u32 {
        match self {
            Feature::Length => word.len() as u32,
            Feature::Record => record as u32,
            Feature::Letter(distance) => match position.checked_add_signed(distance as isize) {
                None => BEFORE_THE_START,
                Some(at) => word
                    .get(at)
                    .map_or(AFTER_THE_END, |letter| letter.index() as u32),
            },
        }
    }
}

impl Strategy {
    /// The tree of a place, if there are examples.
    pub(crate) fn tree(&self, origin: InputOrigin) -> Option<&Tree> {
        let mut sites = self.sites.iter();
        sites.find(|s| s.origin == origin).map(|s| &s.tree)
    }

    /// What the input should be.
    pub(crate) fn value(
        &self,
        origin: InputOrigin,
        word: &[Letter],
        record: usize,
        position: usize,
    ) -> u128 {
        let mut tree = self.tree(origin);
        loop {
            match tree {
                None => return 0,
                Some(&Tree::Value(value)) => return value,
                Some(Tree::Ask {
                    feature,
                    branches,
                    otherwise,
                }) => {
                    let answer = feature.answer(word, record, position);
                    match branches.iter().find(|b| b.0 == answer) {
                        Some((_, below)) => tree = Some(below),
                        None => return *otherwise,
                    }
                }
            }
        }
    }

    /// Learns from the inputs of one run.
    pub(crate) fn learn(&mut self, inputs: impl IntoIterator<Item = (InputOrigin, Example)>) {
        let mut changed = Vec::new();
        for (origin, example) in inputs {
            let known = self.sites.iter().position(|s| s.origin == origin);
            let at = known.unwrap_or_else(|| {
                self.sites.push(Site {
                    origin,
                    examples: Vec::new(),
                    tree: Tree::Value(0),
                });
                self.sites.len() - 1
            });
            let examples = &mut self.sites[at].examples;
            // What was learned of the same word before is forgotten.
            examples.retain(|e| e.record != example.record || e.word != example.word);
            examples.push(example);
            changed.push(at);
        }
        changed.sort_unstable();
        changed.dedup();
        for at in changed {
            let site = &mut self.sites[at];
            let all: Vec<&Example> = site.examples.iter().collect();
            let longest = all.iter().map(|e| e.word.len()).max().unwrap_or(0) as i32;
            site.tree = grow(&all, longest);
        }
    }
}

/// Examples by the answer to a question.
type Groups<'e> = BTreeMap<u32, Vec<&'e Example>>;

/// The value that most examples have; of several, the least.
fn majority(examples: &[&Example]) -> (u128, usize) {
    let mut counts: BTreeMap<u128, usize> = BTreeMap::new();
    for example in examples {
        *counts.entry(example.value).or_default() += 1;
    }
    let best = counts.into_iter().max_by_key(|&(value, n)| (n, !value));
    best.unwrap_or((0, 0))
}

/// The simplest tree, one question after the other, that agrees with the examples.
fn grow(examples: &[&Example], longest: i32) -> Tree {
    let (value, n_right) = majority(examples);
    if n_right == examples.len() {
        return Tree::Value(value);
    }
    // Near letters say most; in doubt, the earlier question is better.
    let near = [0, -1, 1, 2, -2, 3].map(Feature::Letter);
    let far = (4..=longest).chain(-longest..=-3).map(Feature::Letter);
    let features = near.into_iter().chain([Feature::Length]).chain(far);
    let mut best: Option<(usize, Feature, Groups<'_>)> = None;
    for feature in features.chain([Feature::Record]) {
        let mut groups: Groups<'_> = BTreeMap::new();
        for &example in examples {
            let answer = feature.answer(&example.word, example.record, example.position);
            groups.entry(answer).or_default().push(example);
        }
        if groups.len() < 2 {
            continue;
        }
        let n_wrong: usize = (groups.values())
            .map(|group| group.len() - majority(group).1)
            .sum();
        let cost = 2 * n_wrong + groups.len();
        if best.as_ref().is_none_or(|b| cost < b.0) {
            best = Some((cost, feature, groups));
        }
    }
    match best {
        None => Tree::Value(value),
        Some((_, feature, groups)) => Tree::Ask {
            feature,
            branches: (groups.into_iter())
                .map(|(answer, group)| (answer, grow(&group, longest)))
                .collect(),
            otherwise: value,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{Example, Strategy};
    use idiolect_automata::{Letter, Word};
    use idiolect_ir::InputId;
    use idiolect_symex::InputOrigin;
    use std::rc::Rc;

    fn word(text: &str) -> Rc<Word> {
        Rc::new(
            text.bytes()
                .map(|b| Letter::new((b - b'a') as usize))
                .collect(),
        )
    }

    /// What comes next decides, wherever it is: long words are not needed as examples.
    #[test]
    fn near_letters_generalize_to_longer_words() {
        let origin = InputOrigin::Site(InputId::new(0));
        let mut strategy = Strategy::default();
        for text in ["", "a", "b", "ab", "ba"] {
            let word = word(text);
            let value = |at: usize| word.get(at).map_or(0, |a| a.index() as u128 + 1);
            let examples = (0..=word.len()).map(|at| Example {
                word: word.clone(),
                record: at,
                position: at,
                value: value(at),
            });
            strategy.learn(examples.map(|e| (origin, e)));
        }
        let long = word("abbabbbbaaab");
        for (at, letter) in long.iter().enumerate() {
            let expected = letter.index() as u128 + 1;
            assert_eq!(strategy.value(origin, &long, at, at), expected, "{at}");
        }
        assert_eq!(strategy.value(origin, &long, 12, 12), 0);
    }

    /// A number that is read first and says how long the word is.
    #[test]
    fn lengths_are_learned() {
        let origin = InputOrigin::Site(InputId::new(0));
        let mut strategy = Strategy::default();
        for text in ["", "a", "ab", "aba", "b", "bb"] {
            let word = word(text);
            let value = word.len() as u128;
            let (record, position) = (0, 0);
            let example = Example {
                word,
                record,
                position,
                value,
            };
            strategy.learn([(origin, example)]);
        }
        assert_eq!(strategy.value(origin, &word("bab"), 0, 0), 3);
    }
}
