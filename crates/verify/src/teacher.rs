//! Who answers the learner: is there a run that takes exactly these decisions first?
//!
//! What is known is a tree of decisions: the prefixes of all runs that happened, and the sequences
//! that no run takes. A question that the tree does not answer goes to the symbolic engine; if there
//! is a run, it is run, and the tree has all its prefixes afterwards.

use idiolect_automata::{Letter, Word};
use idiolect_base::{Budget, StopReason};
use idiolect_interp::{Compiled, FixedInputs, ZeroInputs};
use idiolect_learn::MembershipOracle;
use idiolect_search::effort;
use idiolect_search::flips::{Effort, Flip, Flips};
use idiolect_search::runs::{Decision, Runner};
use idiolect_symex::EndKind;

/// Nodes of the tree, 8 bytes each. Beyond it, nothing new is kept.
const MAX_NODES: usize = 8_000_000;
/// What takes this place in the tree is not the number of a node.
const INFEASIBLE: u32 = u32::MAX;
/// Steps of a run that answers a question; decisions that it does not come to are not seen.
const RUN_STEPS: u64 = 100_000;

/// Who answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TeacherStatistics {
    /// Questions of the learner, the empty word not counted.
    pub questions: u64,
    /// Answered by what is known.
    pub by_tree: u64,
    /// Answered by the symbolic engine.
    pub by_solver: u64,
    /// Not decided within the limit for one question, and taken for infeasible.
    pub given_up: u64,
    /// What the questions to the symbolic engine cost: statements, terms, and conflicts with their
    /// weight.
    pub work: u64,
}

/// A tree of decisions.
#[derive(Clone, Debug)]
struct Tree {
    /// By node and outcome; 0 is unknown.
    next: Vec<[u32; 2]>,
}

impl Tree {
    fn new() -> Self {
        Self { next: vec![[0; 2]] }
    }

    /// The last node along these outcomes, which no refutation may cut short.
    fn grow(&mut self, outcomes: impl Iterator<Item = bool>) -> Option<usize> {
        let mut at = 0;
        for outcome in outcomes {
            let side = usize::from(outcome);
            match self.next[at][side] {
                0 => {
                    if self.next.len() >= MAX_NODES {
                        return None;
                    }
                    self.next[at][side] = self.next.len() as u32;
                    self.next.push([0; 2]);
                }
                // A run shows that it was wrong to give up.
                INFEASIBLE => return None,
                _ => {}
            }
            at = self.next[at][side] as usize;
        }
        Some(at)
    }

    fn refute(&mut self, outcomes: &[bool]) {
        // Where no run has come to the decision before, there is no place to write it down.
        let mut at = 0;
        let Some((&last, front)) = outcomes.split_last() else {
            return;
        };
        for &outcome in front {
            match self.next[at][usize::from(outcome)] {
                0 | INFEASIBLE => return,
                next => at = next as usize,
            }
        }
        if self.next[at][usize::from(last)] == 0 {
            self.next[at][usize::from(last)] = INFEASIBLE;
        }
    }

    fn find(&self, outcomes: impl Iterator<Item = bool>) -> Option<bool> {
        let mut at = 0;
        for outcome in outcomes {
            at = match self.next[at][usize::from(outcome)] {
                0 => return None,
                INFEASIBLE => return Some(false),
                next => next as usize,
            };
        }
        Some(true)
    }
}

/// Answers questions about the decisions of one program.
pub struct Teacher<'p> {
    flips: &'p Flips<'p>,
    runner: Runner<'p>,
    tree: Tree,
    budget: Budget,
    statistics: TeacherStatistics,
}

pub fn outcome(letter: Letter) -> bool {
    letter.0 != 0
}

pub fn outcomes(word: &[Letter]) -> Vec<bool> {
    word.iter().map(|&a| outcome(a)).collect()
}

pub fn letters(outcomes: impl IntoIterator<Item = bool>) -> Word {
    outcomes
        .into_iter()
        .map(idiolect_ir::decisions::letter)
        .collect()
}

impl<'p> Teacher<'p> {
    pub fn new(compiled: &'p Compiled, flips: &'p Flips<'p>, budget: &Budget) -> Self {
        Self {
            flips,
            runner: Runner::new(compiled, 10_000, &[]),
            tree: Tree::new(),
            budget: effort::part(budget, u64::MAX),
            statistics: TeacherStatistics::default(),
        }
    }

    pub fn statistics(&self) -> TeacherStatistics {
        self.statistics
    }

    /// A run took these decisions.
    pub fn saw(&mut self, decisions: &[Decision]) {
        self.tree.grow(decisions.iter().map(|d| d.taken));
    }

    fn asked(&mut self, decisions: &[bool]) -> Result<Flip, StopReason> {
        let asked = (self.flips).ask(decisions, Effort::Question, &self.budget)?;
        self.statistics.work += asked.work;
        Ok(asked.flip)
    }

    /// Inputs of a run that takes these decisions first, if there is one within the effort.
    pub fn inputs_of(&mut self, decisions: &[bool]) -> Result<Option<Vec<u128>>, StopReason> {
        Ok(match self.asked(decisions)? {
            Flip::Inputs(inputs) => Some(inputs.to_vec()),
            Flip::Infeasible(_) | Flip::Unknown => None,
        })
    }

    /// Inputs of a run that, without a decision beyond these, ends in a way that `wanted` picks.
    pub fn run_to(
        &mut self,
        decisions: &[bool],
        wanted: impl Fn(&EndKind) -> bool,
        effort: u64,
    ) -> Result<Option<Vec<u128>>, StopReason> {
        self.statistics.by_solver += 1;
        let own = effort::part(&self.budget, effort);
        let found = self.flips.run_to(decisions, wanted, &own);
        self.statistics.work += effort - own.steps_left();
        found
    }

    /// Whether some run takes these decisions first; `None` if nobody could tell.
    pub fn decide(&mut self, word: &[Letter]) -> Result<Option<bool>, StopReason> {
        if let Some(known) = self.tree.find(word.iter().map(|&a| outcome(a))) {
            self.statistics.by_tree += 1;
            return Ok(Some(known));
        }
        let decisions = outcomes(word);
        self.statistics.by_solver += 1;
        Ok(match self.asked(&decisions)? {
            Flip::Infeasible(n) => {
                self.tree.refute(&decisions[..n]);
                Some(false)
            }
            Flip::Unknown => None,
            Flip::Inputs(inputs) => {
                let mut source = FixedInputs::new(inputs.to_vec(), ZeroInputs);
                let run = self.runner.run(&mut source, RUN_STEPS, &self.budget)?;
                self.tree.grow(run.decisions.iter().map(|d| d.taken));
                self.tree.grow(decisions.into_iter());
                Some(true)
            }
        })
    }

    /// As [`decide`](Self::decide), for the learner: what nobody could tell is no. The guarantee
    /// does not depend on it, since sampled runs are looked at themselves.
    pub fn is_feasible(&mut self, word: &[Letter]) -> Result<bool, StopReason> {
        Ok(self.decide(word)?.unwrap_or_else(|| {
            self.statistics.given_up += 1;
            false
        }))
    }
}

impl MembershipOracle for Teacher<'_> {
    type Answer = bool;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<bool>, StopReason> {
        let asked = words.iter().filter(|w| !w.is_empty()).count();
        self.statistics.questions += asked as u64;
        words.iter().map(|word| self.is_feasible(word)).collect()
    }
}
