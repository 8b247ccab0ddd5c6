//! Who answers the learner: is there a run that takes exactly these decisions first?
//!
//! Runs that were sampled are known to exist and are kept as a tree of decisions; all other
//! questions go to the path explorer of `symex`, which keeps a tree of its own. Both are thrown away
//! when they grow too large, which costs time and changes no answer.

use crate::effort;
use crate::runs::Sample;
use idiolect_automata::{Letter, Word};
use idiolect_base::{Budget, StopReason};
use idiolect_ir::Program;
use idiolect_learn::MembershipOracle;
use idiolect_smt::{Evaluator, Outcome, Solver};
use idiolect_symex::EndKind;
use idiolect_symex::path::PathExplorer;

/// Nodes of the tree of sampled runs, 8 bytes each.
const MAX_SEEN: usize = 8_000_000;
/// Nodes of the path explorer; each has terms of its own.
const MAX_EXPLORED: u64 = 200_000;

/// Who answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TeacherStatistics {
    /// Questions of the learner, the empty word not counted.
    pub questions: u64,
    /// Answered by a sampled run.
    pub by_run: u64,
    /// Answered by the path explorer without its solver.
    pub by_trie: u64,
    pub solver_calls: u64,
}

/// A tree of decisions: the prefixes of sampled runs.
#[derive(Clone, Debug)]
struct SeenRuns {
    /// By node and outcome; 0 is none.
    next: Vec<[u32; 2]>,
}

impl SeenRuns {
    fn new() -> Self {
        Self { next: vec![[0; 2]] }
    }

    fn insert(&mut self, outcomes: impl Iterator<Item = bool>) {
        let mut at = 0;
        for outcome in outcomes {
            let side = usize::from(outcome);
            if self.next[at][side] == 0 {
                if self.next.len() >= MAX_SEEN {
                    return;
                }
                self.next[at][side] = self.next.len() as u32;
                self.next.push([0; 2]);
            }
            at = self.next[at][side] as usize;
        }
    }

    fn contains(&self, outcomes: impl Iterator<Item = bool>) -> bool {
        let mut at = 0;
        for outcome in outcomes {
            at = self.next[at][usize::from(outcome)] as usize;
            if at == 0 {
                return false;
            }
        }
        true
    }
}

/// Answers questions about the decisions of one program.
pub struct Teacher<'p> {
    program: &'p Program,
    check_overflow: bool,
    explorer: PathExplorer<'p>,
    seen: SeenRuns,
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
    pub fn new(program: &'p Program, check_overflow: bool, budget: &Budget) -> Self {
        Self {
            program,
            check_overflow,
            explorer: PathExplorer::new(program, check_overflow),
            seen: SeenRuns::new(),
            budget: effort::part(budget, u64::MAX),
            statistics: TeacherStatistics::default(),
        }
    }

    pub fn statistics(&self) -> TeacherStatistics {
        self.statistics
    }

    /// A run that happened.
    pub fn saw(&mut self, sample: &Sample) {
        self.seen.insert(sample.decisions.iter().map(|d| d.taken));
    }

    /// What was done so far: statements, terms and conflicts.
    pub fn spent(&self) -> u64 {
        u64::MAX - self.budget.steps_left()
    }

    fn make_room(&mut self) {
        if self.explorer.statistics().nodes > MAX_EXPLORED {
            self.explorer = PathExplorer::new(self.program, self.check_overflow);
        }
    }

    /// Inputs of a run that takes these decisions and then, without a further one, ends in a way
    /// that `wanted` picks.
    pub fn run_to(
        &mut self,
        decisions: &[bool],
        wanted: impl Fn(&EndKind) -> bool,
    ) -> Result<Option<Vec<u128>>, StopReason> {
        self.make_room();
        let path = self.explorer.path(decisions, &self.budget)?;
        for end in path.ends.iter().filter(|e| wanted(&e.kind)) {
            let mut solver = Solver::new();
            let terms = self.explorer.terms();
            if terms.known_false(end.guard) {
                continue;
            }
            self.statistics.solver_calls += 1;
            match solver.check(terms, &[path.condition, end.guard], &self.budget) {
                Outcome::Unsat(_) => {}
                Outcome::Unknown(reason) => return Err(reason),
                Outcome::Sat(model) => {
                    let mut evaluator = Evaluator::new(terms, &model);
                    let mut inputs = Vec::new();
                    for input in &path.inputs {
                        if evaluator.eval_bool(input.guard) {
                            inputs.push(evaluator.eval(input.value));
                        }
                    }
                    return Ok(Some(inputs));
                }
            }
        }
        Ok(None)
    }

    /// Whether some run takes these decisions first.
    pub fn is_feasible(&mut self, word: &[Letter]) -> Result<bool, StopReason> {
        if self.seen.contains(word.iter().map(|&a| outcome(a))) {
            self.statistics.by_run += 1;
            return Ok(true);
        }
        self.make_room();
        let before = self.explorer.statistics().solver_calls;
        let answer = self.explorer.feasible(&outcomes(word), &self.budget)?;
        match self.explorer.statistics().solver_calls - before {
            0 => self.statistics.by_trie += 1,
            n => self.statistics.solver_calls += n,
        }
        Ok(answer.is_some())
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
