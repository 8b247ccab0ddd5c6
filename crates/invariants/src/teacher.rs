//! The teacher of seed 002 §7: it knows the samples and nothing else.
//!
//! A word that is a sample is answered with its data formula; a proper beginning of one with the
//! set of variables read so far, which is what every state of a quantified data automaton knows
//! anyway (each variable is read once); any other word is outside. A conjecture is right when it
//! gives every sample its formula: a weaker one would contain the samples too, but the teacher
//! "insists on that formula", and without it `a[y] ≠ key` for all `y < i` is lost. The errata leave open how the seed answers beginnings: with "false" for
//! them the same automata come out after more questions.

use crate::samples::{Letter, Samples, for_each_choice};
use crate::vocabulary::DataFormula;
use idiolect_automata::{Letter as Symbol, Moore, StateId, Word};
use idiolect_base::StopReason;
use idiolect_learn::{Counterexample, EqAnswer, EquivalenceOracle, Guarantee, MembershipOracle};
use rustc_hash::FxHashMap;

/// A letter of a valuation word: variables of the program, and at most one quantified variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Valued {
    pub letter: Letter,
    pub quantified: Option<usize>,
}

impl Valued {
    pub const BLANK: Valued = Valued {
        letter: Letter::BLANK,
        quantified: None,
    };
}

/// What the teacher says of a word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Answer {
    /// Neither a sample nor the beginning of one.
    Outside,
    /// The beginning of a sample, with the variables read so far.
    Begun { variables: Letter, quantified: u8 },
    /// A sample with its data formula.
    Sample(DataFormula),
}

/// A node of the tree of samples.
#[derive(Clone, Debug)]
struct Node {
    answer: Answer,
    /// By symbol, ascending.
    children: Vec<(Symbol, u32)>,
}

/// Formula words with a number of quantified variables, as a tree.
#[derive(Clone, Debug)]
pub struct Teacher {
    letters: Vec<Valued>,
    nodes: Vec<Node>,
    /// Words asked for.
    pub n_asked: u64,
    pub n_words: u64,
}

impl Teacher {
    pub fn new(samples: &Samples, n_quantified: usize) -> Self {
        let words = formula_words(samples, n_quantified);
        let mut letters: Vec<Valued> = words.iter().flat_map(|(w, _)| w.iter().copied()).collect();
        letters.sort_unstable();
        letters.dedup();
        Self::from_words(letters, &words)
    }

    /// A teacher for given words.
    ///
    /// # Panics
    /// If a word has a letter that is not among `letters`.
    pub fn from_words(letters: Vec<Valued>, words: &[(Vec<Valued>, DataFormula)]) -> Self {
        let symbols: FxHashMap<Valued, Symbol> = (letters.iter().enumerate())
            .map(|(i, &l)| (l, Symbol::new(i)))
            .collect();
        let root = Node {
            answer: Answer::Begun {
                variables: Letter::BLANK,
                quantified: 0,
            },
            children: Vec::new(),
        };
        let mut teacher = Teacher {
            letters,
            nodes: vec![root],
            n_asked: 0,
            n_words: words.len() as u64,
        };
        for (word, formula) in words {
            let mut at = 0;
            let (mut variables, mut quantified) = (Letter::BLANK, 0);
            for valued in word {
                variables = variables.and(valued.letter);
                quantified |= valued.quantified.map_or(0, |y| 1 << y);
                at = teacher.child(at, symbols[valued], variables, quantified);
            }
            let node = &mut teacher.nodes[at];
            node.answer = Answer::Sample(match node.answer {
                Answer::Sample(known) => known.join(*formula),
                _ => *formula,
            });
        }
        teacher
    }

    fn child(&mut self, at: usize, symbol: Symbol, variables: Letter, quantified: u8) -> usize {
        let children = &self.nodes[at].children;
        match children.binary_search_by_key(&symbol, |(s, _)| *s) {
            Ok(i) => children[i].1 as usize,
            Err(i) => {
                let new = self.nodes.len();
                self.nodes[at].children.insert(i, (symbol, new as u32));
                self.nodes.push(Node {
                    answer: Answer::Begun {
                        variables,
                        quantified,
                    },
                    children: Vec::new(),
                });
                new
            }
        }
    }

    pub fn letters(&self) -> &[Valued] {
        &self.letters
    }

    pub fn n_letters(&self) -> usize {
        self.letters.len()
    }

    fn answer(&self, word: &[Symbol]) -> Answer {
        let mut at = 0;
        for symbol in word {
            let children = &self.nodes[at].children;
            match children.binary_search_by_key(symbol, |(s, _)| *s) {
                Ok(i) => at = children[i].1 as usize,
                Err(_) => return Answer::Outside,
            }
        }
        self.nodes[at].answer
    }

    /// The least sample that has not its formula in a conjecture.
    fn missing(&self, hypothesis: &Moore<Answer>) -> Option<Counterexample<Answer>> {
        let mut level: Vec<(usize, StateId, Word)> = vec![(0, hypothesis.initial(), Vec::new())];
        while !level.is_empty() {
            let mut next = Vec::new();
            for (node, state, word) in level {
                if let Answer::Sample(formula) = self.nodes[node].answer {
                    if *hypothesis.output(state) != Answer::Sample(formula) {
                        return Some(Counterexample {
                            word,
                            answer: Answer::Sample(formula),
                        });
                    }
                }
                for &(symbol, child) in &self.nodes[node].children {
                    let mut longer = word.clone();
                    longer.push(symbol);
                    next.push((child as usize, hypothesis.step(state, symbol), longer));
                }
            }
            level = next;
        }
        None
    }
}

impl MembershipOracle for Teacher {
    type Answer = Answer;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<Answer>, StopReason> {
        self.n_asked += words.len() as u64;
        Ok(words.iter().map(|w| self.answer(w)).collect())
    }
}

impl EquivalenceOracle<Answer> for &Teacher {
    fn compare(&mut self, hypothesis: &Moore<Answer>) -> Result<EqAnswer<Answer>, StopReason> {
        Ok(match self.missing(hypothesis) {
            Some(cex) => EqAnswer::Differs(cex),
            None => EqAnswer::Agrees(Guarantee::Tested {
                words: self.n_words,
            }),
        })
    }
}

/// The words of all samples with `n_quantified` quantified variables, in order.
pub fn formula_words(samples: &Samples, n_quantified: usize) -> Vec<(Vec<Valued>, DataFormula)> {
    let mut words = Vec::new();
    for (skeleton, entry) in samples.entries() {
        let cells: Vec<usize> = (0..skeleton.len())
            .filter(|&i| skeleton[i].is_cell())
            .collect();
        let mut formulas = entry.formulas[n_quantified].iter();
        for_each_choice(&cells, n_quantified, &mut |chosen| {
            let Some(&formula) = formulas.next() else {
                return;
            };
            let word = (skeleton.iter().enumerate())
                .map(|(i, &letter)| Valued {
                    letter,
                    quantified: chosen.iter().position(|&c| c == i),
                })
                .collect();
            words.push((word, formula));
        });
    }
    words
}
