//! The whole way from counted scenarios to a specification.
//!
//! *Question*: which protocol do these traces keep? *Method*: standardized scenarios, a passive
//! learner, the corer. *Guarantee*: none but that the specification summarizes the traces; common
//! behaviour is assumed to be correct. *Limits*: scenarios of a given size around given seeds, and
//! regular protocols.

use crate::core::{Removed, core, for_reading};
use crate::counts::CountedScenarios;
use crate::heat::{Heat, heat};
use crate::lives::{LifeRules, RuleConfig};
use crate::strings::Strings;
use crate::types::AttributeTypes;
use crate::vocabulary::ApiVocabulary;
use idiolect_automata::{Nfa, Pfsa};
use idiolect_learn::passive::{Agreement, PrefixTree, SkStrings, alergia, k_tails, rpni};

/// The learner of the probabilistic automaton.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PassiveLearner {
    /// Looks `k` letters ahead; states agree if each can produce the most probable strings of the
    /// other that together have the probability `agree`.
    SkStrings {
        k: usize,
        agree: f64,
    },
    KTails {
        k: usize,
    },
    /// Needs words that are *not* in the language to say no to a merge; traces have none.
    Rpni,
    Alergia {
        alpha: f64,
    },
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MiningConfig {
    pub learner: PassiveLearner,
    /// Edges that are taken with less than this probability are not part of the specification.
    pub cut: f64,
    /// When a rule about lives is believed.
    pub rules: RuleConfig,
}

impl Default for MiningConfig {
    fn default() -> Self {
        Self {
            learner: PassiveLearner::SkStrings { k: 2, agree: 0.5 },
            cut: 0.05,
            rules: RuleConfig::default(),
        }
    }
}

/// What was mined.
#[derive(Clone, Debug)]
pub struct Mined {
    pub types: AttributeTypes,
    pub strings: Strings,
    pub pfsa: Pfsa,
    pub heat: Heat,
    /// Over the alphabet of the strings.
    pub specification: Nfa,
    pub removed: Vec<Removed>,
    /// What programs keep to with each object.
    pub lives: LifeRules,
}

/// Mines a specification from counted scenarios.
pub fn mine(
    vocabulary: &ApiVocabulary,
    counts: &mut CountedScenarios,
    config: &MiningConfig,
) -> Mined {
    counts.settle_all(vocabulary);
    let types = counts.typing().types(vocabulary);
    let strings = Strings::new(vocabulary, &types, counts);
    let pfsa = learn(&strings, config.learner);
    let heat = heat(&pfsa);
    let lives = LifeRules::mine(&counts.lives, &config.rules);
    let core = core(&pfsa, &heat, config.cut, &strings);
    Mined {
        specification: for_reading(&core.nfa),
        removed: core.removed,
        types,
        strings,
        pfsa,
        heat,
        lives,
    }
}

fn learn(strings: &Strings, learner: PassiveLearner) -> Pfsa {
    let tree = PrefixTree::of_words(strings.alphabet.len(), &strings.strings);
    match learner {
        PassiveLearner::SkStrings { k, agree } => SkStrings {
            k,
            s: agree,
            agreement: Agreement::And,
        }
        .learn(&tree),
        PassiveLearner::KTails { k } => k_tails(&tree, k),
        PassiveLearner::Alergia { alpha } => alergia(&tree, alpha),
        PassiveLearner::Rpni => match rpni(&tree) {
            Ok(dfa) => {
                // The DFA with how often each transition was taken.
                let mut pfsa = Pfsa::new(strings.alphabet.len());
                for _ in dfa.states() {
                    pfsa.add_state(0.0);
                }
                pfsa.set_initial(dfa.initial());
                for (word, count) in &strings.strings {
                    let mut at = dfa.initial();
                    for &letter in word {
                        let to = dfa.step(at, letter);
                        pfsa.add_transition(at, letter, to, *count as f64);
                        at = to;
                    }
                    pfsa.add_final_weight(at, *count as f64);
                }
                pfsa
            }
            // Words without labels do not contradict each other.
            Err(_) => tree.to_pfsa(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{MiningConfig, PassiveLearner, mine};
    use crate::counts::CountedScenarios;
    use crate::testing::{FIGURE_2, count_text, socket};
    use idiolect_automata::Letter;

    /// A server with a number of connections, each with a number of rounds; `closes` says whether
    /// the connection is closed.
    fn server(rounds: &[usize], closes: bool) -> String {
        let mut text = "socket(return = 3)\nbind(so = 3)\nlisten(so = 3)\n".to_owned();
        for &n in rounds {
            text += "accept(so = 3, return = 4)\n";
            text += &"read(fd = 4)\nwrite(fd = 4)\n".repeat(n);
            text += if closes { "close(fd = 4)\n" } else { "" };
        }
        text + if closes {
            "close(fd = 3)\n--\n"
        } else {
            "--\n"
        }
    }

    #[test]
    fn the_socket_protocol_comes_out_of_many_runs() {
        let vocabulary = socket("accept(so, return)");
        let mut text: String = (0..40)
            .map(|i| server(&[1, 2, 3, 1 + i % 4], true))
            .collect();
        text += &server(&[2], false);
        let mut counts = count_text(&vocabulary, &text, 10);
        let mined = mine(&vocabulary, &mut counts, &MiningConfig::default());
        let accepts = |calls: &[&str]| {
            let letter = |call: &&str| -> Option<Letter> {
                let mut names = mined.strings.alphabet.names().iter();
                names.position(|n| n.starts_with(call)).map(Letter::new)
            };
            let word: Option<Vec<Letter>> = calls.iter().map(letter).collect();
            word.is_some_and(|word| mined.specification.accepts(&word))
        };
        assert!(accepts(&[
            "socket", "bind", "listen", "accept", "read", "write", "close"
        ]));
        assert!(accepts(&[
            "socket", "bind", "listen", "accept", "read", "read", "write", "write", "close"
        ]));
        // The one run that did not close its connection was too rare.
        assert!(!accepts(&[
            "socket", "bind", "listen", "accept", "read", "read", "write", "write"
        ]));
        assert!(!accepts(&[
            "socket", "bind", "accept", "read", "write", "close"
        ]));
        assert!(
            mined
                .removed
                .iter()
                .any(|r| r.edge.is_none() && r.scenarios == 1)
        );
        assert_eq!(mined.strings.total(), 161);
    }

    #[test]
    fn every_learner_accepts_what_it_was_given_without_a_cut() {
        let vocabulary = socket("accept(so, return)");
        for learner in [
            PassiveLearner::SkStrings { k: 2, agree: 0.5 },
            PassiveLearner::KTails { k: 1 },
            PassiveLearner::Rpni,
            PassiveLearner::Alergia { alpha: 0.05 },
        ] {
            let mut counts = count_text(&vocabulary, FIGURE_2, 10);
            let config = MiningConfig {
                learner,
                cut: 0.0,
                ..MiningConfig::default()
            };
            let mined = mine(&vocabulary, &mut counts, &config);
            for (word, _) in &mined.strings.strings {
                assert!(mined.specification.accepts(word), "{learner:?}");
            }
            assert!(mined.removed.is_empty());
        }
    }

    #[test]
    fn no_seed_is_no_specification() {
        let vocabulary = socket("accept(so, return)");
        let mined = mine(
            &vocabulary,
            &mut CountedScenarios::new(&vocabulary),
            &MiningConfig::default(),
        );
        assert_eq!(mined.strings.total(), 0);
    }
}
