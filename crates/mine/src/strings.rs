//! Scenario strings: letters for standardized interactions, and how often each string was seen.

use crate::counts::CountedScenarios;
use crate::scenario::{NOTHING, Scenario, Step};
use crate::standardize::standardize;
use crate::types::AttributeTypes;
use crate::vocabulary::ApiVocabulary;
use idiolect_automata::{Alphabet, Word};
use std::collections::BTreeMap;

/// The distinct scenario strings, the most frequent first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strings {
    /// In the order of first appearance.
    pub alphabet: Alphabet,
    pub strings: Vec<(Word, u64)>,
}

impl Strings {
    /// Simplifies and standardizes all scenarios that were counted.
    pub fn new(
        vocabulary: &ApiVocabulary,
        types: &AttributeTypes,
        counts: &mut CountedScenarios,
    ) -> Self {
        let mut by_letters: BTreeMap<Vec<String>, u64> = BTreeMap::new();
        for (scenario, count) in counts.scenarios(vocabulary) {
            *by_letters
                .entry(letters(vocabulary, types, &scenario))
                .or_insert(0) += count;
        }
        let mut sorted: Vec<(Vec<String>, u64)> = by_letters.into_iter().collect();
        sorted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let mut alphabet = Alphabet::default();
        let word = |letters: &[String], alphabet: &mut Alphabet| -> Word {
            letters
                .iter()
                .map(|letter| alphabet.intern(letter))
                .collect()
        };
        let strings = (sorted.iter())
            .map(|(letters, count)| (word(letters, &mut alphabet), *count))
            .collect();
        Self { alphabet, strings }
    }

    pub fn total(&self) -> u64 {
        self.strings.iter().map(|(_, count)| count).sum()
    }
}

/// The string of a scenario that still has all its attributes.
pub fn letters(
    vocabulary: &ApiVocabulary,
    types: &AttributeTypes,
    scenario: &Scenario,
) -> Vec<String> {
    let simple = scenario.simplify(vocabulary, types);
    let standard = standardize(vocabulary, Some(types), &simple).scenario;
    let steps = standard.steps.iter();
    steps
        .map(|step| letter_name(vocabulary, types, step))
        .collect()
}

/// A standardized interaction as in Figure 12: `accept(so = x0:T0, return = x1:T0)`.
pub(crate) fn letter_name(
    vocabulary: &ApiVocabulary,
    types: &AttributeTypes,
    step: &Step,
) -> String {
    let names: Vec<String> = (vocabulary.attributes(step.skeleton).zip(&step.values))
        .map(|(attribute, value)| match (types.of(attribute), *value) {
            (_, NOTHING) => "null".to_owned(),
            (Some(kind), name) => format!("x{name}:T{kind}"),
            (None, name) => format!("x{name}"),
        })
        .collect();
    vocabulary.show(step.skeleton, &names)
}

#[cfg(test)]
mod tests {
    use super::Strings;
    use crate::testing::{FIGURE_2, count_text, socket};

    #[test]
    fn letters_of_figure_12_and_of_the_second_scenario() {
        let vocabulary = socket("accept(so, return)");
        let mut counts = count_text(&vocabulary, FIGURE_2, 10);
        let types = counts.typing().types(&vocabulary);
        let strings = Strings::new(&vocabulary, &types, &mut counts);
        let order = [
            "socket", "bind", "listen", "accept", "read", "write", "close",
        ];
        let short = |name: &str| {
            let at = order.iter().position(|call| name.starts_with(call));
            "ABCDEFG"
                .chars()
                .nth(at.expect("a known call"))
                .expect("a letter")
        };
        let shown: Vec<String> = (strings.strings.iter())
            .map(|(word, _)| {
                word.iter()
                    .map(|&a| short(strings.alphabet.name(a)))
                    .collect()
            })
            .collect();
        assert_eq!(shown, ["ABCDEEFFG", "ABCDEFG"]);
        assert_eq!(strings.alphabet.len(), 7);
    }
}
