//! The teacher of QDA §7: it knows the samples and nothing else.
//!
//! A word that is a sample is answered with its data formula; a proper beginning of one with the
//! set of variables read so far, which is what every state of a quantified data automaton knows
//! anyway (each variable is read once); any other word is outside. The seed leaves two things open,
//! and both decide what is found:
//!
//! * *Long words.* Inputs end at some length, so of longer words nothing is known. "Outside" would
//!   be learned as a property of the program. Here a word with more cells than inputs have is
//!   answered as the word with blanks taken out of its longest run of blanks.
//! * *Conjectures.* One is right when it gives every sample its formula (a weaker one would contain
//!   the samples too, but the teacher "insists on that formula": without it `a[y] ≠ key` for all
//!   `y < i` is lost) and has no other word of at most as many cells as inputs have, since all
//!   those that occur have been seen. Without the second part `prev->next == cur` is lost.

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
pub enum FormulaAnswer {
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
    answer: FormulaAnswer,
    /// By symbol, ascending.
    children: Vec<(Symbol, u32)>,
}

/// Formula words with a number of quantified variables, as a tree.
#[derive(Clone, Debug)]
pub struct Teacher {
    letters: Vec<Valued>,
    nodes: Vec<Node>,
    /// Words of at most so many cells have all been seen.
    n_cells: usize,
    /// Words asked for.
    pub n_asked: u64,
    pub n_words: u64,
}

impl Teacher {
    pub fn new(samples: &Samples, n_quantified: usize, n_cells: usize) -> Self {
        let words = formula_words(samples, n_quantified);
        let mut letters: Vec<Valued> = words.iter().flat_map(|(w, _)| w.iter().copied()).collect();
        letters.sort_unstable();
        letters.dedup();
        Self::from_words(letters, &words, n_cells)
    }

    /// A teacher for given words.
    ///
    /// # Panics
    /// If a word has a letter that is not among `letters`.
    pub fn from_words(
        letters: Vec<Valued>,
        words: &[(Vec<Valued>, DataFormula)],
        n_cells: usize,
    ) -> Self {
        let symbols: FxHashMap<Valued, Symbol> = (letters.iter().enumerate())
            .map(|(i, &l)| (l, Symbol::new(i)))
            .collect();
        let root = Node {
            answer: FormulaAnswer::Begun {
                variables: Letter::BLANK,
                quantified: 0,
            },
            children: Vec::new(),
        };
        let mut teacher = Teacher {
            letters,
            nodes: vec![root],
            n_cells,
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
            node.answer = FormulaAnswer::Sample(match node.answer {
                FormulaAnswer::Sample(known) => known.join(*formula),
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
                    answer: FormulaAnswer::Begun {
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

    fn node(&self, word: &[Symbol]) -> Option<usize> {
        word.iter().try_fold(0, |at, symbol| {
            let children = &self.nodes[at].children;
            let i = children.binary_search_by_key(symbol, |(s, _)| *s).ok()?;
            Some(children[i].1 as usize)
        })
    }

    fn cells(&self, word: &[Symbol]) -> usize {
        let is_cell = |s: &&Symbol| self.letters[s.index()].letter.is_cell();
        word.iter().filter(is_cell).count()
    }

    fn answer(&self, word: &[Symbol]) -> FormulaAnswer {
        if let Some(node) = self.node(word) {
            return self.nodes[node].answer;
        }
        let cells = self.cells(word);
        let blank = self.letters.binary_search(&Valued::BLANK).map(Symbol::new);
        let (true, Ok(blank)) = (cells > self.n_cells, blank) else {
            return FormulaAnswer::Outside;
        };
        let mut shorter = word.to_vec();
        for _ in self.n_cells..cells {
            // The end of the last of the longest runs.
            let mut run = 0;
            let mut longest = (0, 0);
            for (i, &symbol) in shorter.iter().enumerate() {
                run = if symbol == blank { run + 1 } else { 0 };
                longest = longest.max((run, i));
            }
            // A single blank is not taken out: with and without are different words.
            let (2.., at) = longest else {
                break;
            };
            shorter.remove(at);
        }
        match self.node(&shorter) {
            Some(node) => self.nodes[node].answer,
            None => FormulaAnswer::Outside,
        }
    }

    /// A word of few cells on which a conjecture is wrong: a least sample that has not its formula,
    /// or else a word that it should not have.
    fn wrong(&self, hypothesis: &Moore<FormulaAnswer>) -> Option<Counterexample<FormulaAnswer>> {
        let completions = completions(hypothesis);
        let mut too_much: Option<Word> = None;
        let mut level: Vec<(usize, StateId, Word)> = vec![(0, hypothesis.initial(), Vec::new())];
        while !level.is_empty() {
            let mut next = Vec::new();
            for (node, state, word) in level {
                let answer = self.nodes[node].answer;
                let output = *hypothesis.output(state);
                let is_wrong = match (answer, output) {
                    (FormulaAnswer::Sample(_), _) => answer != output,
                    _ => {
                        matches!(output, FormulaAnswer::Sample(_))
                            && self.cells(&word) <= self.n_cells
                    }
                };
                if is_wrong {
                    return Some(Counterexample { word, answer });
                }
                let mut children = self.nodes[node].children.iter().peekable();
                for symbol in hypothesis.letters() {
                    let to = hypothesis.step(state, symbol);
                    if let Some(&(_, child)) = children.next_if(|(s, _)| *s == symbol) {
                        let mut longer = word.clone();
                        longer.push(symbol);
                        next.push((child as usize, to, longer));
                        continue;
                    }
                    let Some(rest) = &completions[to.index()] else {
                        continue;
                    };
                    let mut longer = word.clone();
                    longer.push(symbol);
                    longer.extend(rest);
                    let is_less = too_much
                        .as_ref()
                        .is_none_or(|w| (longer.len(), &longer) < (w.len(), w));
                    if is_less && self.cells(&longer) <= self.n_cells {
                        too_much = Some(longer);
                    }
                }
            }
            level = next;
        }
        too_much.map(|word| Counterexample {
            word,
            answer: FormulaAnswer::Outside,
        })
    }
}

/// For each state a shortest word to one where samples end.
fn completions(machine: &Moore<FormulaAnswer>) -> Vec<Option<Word>> {
    let mut found: Vec<Option<Word>> = (machine.outputs().iter())
        .map(|o| matches!(o, FormulaAnswer::Sample(_)).then(Vec::new))
        .collect();
    let mut changed = true;
    while changed {
        changed = false;
        // By rounds, so that the words of one round have one length.
        let before = found.clone();
        for state in machine.states().filter(|q| before[q.index()].is_none()) {
            for symbol in machine.letters() {
                if let Some(rest) = &before[machine.step(state, symbol).index()] {
                    let mut word = vec![symbol];
                    word.extend(rest);
                    found[state.index()] = Some(word);
                    changed = true;
                    break;
                }
            }
        }
    }
    found
}

impl MembershipOracle for Teacher {
    type Answer = FormulaAnswer;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<FormulaAnswer>, StopReason> {
        self.n_asked += words.len() as u64;
        Ok(words.iter().map(|w| self.answer(w)).collect())
    }
}

impl EquivalenceOracle<FormulaAnswer> for &Teacher {
    fn compare(
        &mut self,
        hypothesis: &Moore<FormulaAnswer>,
    ) -> Result<EqAnswer<FormulaAnswer>, StopReason> {
        Ok(match self.wrong(hypothesis) {
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
