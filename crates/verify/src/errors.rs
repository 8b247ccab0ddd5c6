//! The two tests before an equivalence query (§4.2): has the conjecture a word that leads to an
//! error, and does a run take it?

use idiolect_automata::{Dfa, Nfa, Pda, PdaError, Word};
use idiolect_base::{Budget, StopReason};
use idiolect_ir::callgraph::CallGraph;
use idiolect_ir::decisions::ErrorPaths;
use idiolect_ir::{Location, Program, Property, property};
use idiolect_search::monitor::Monitor;

/// Decision vectors of paths to errors, or to violations of a monitor.
pub struct ErrorWords {
    /// B_O: cheap, and accepts at least what B_P does.
    over: Nfa,
    /// B_P.
    pushdown: Pda,
    /// Words of runs that end before they come to the error behind them, by an assumption.
    cleared: Vec<Word>,
}

/// How the last conjecture fared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TestCounts {
    /// Conjectures that B_O alone showed to be free of error words.
    pub by_over_approximation: u64,
    /// Conjectures that were compared with B_P.
    pub by_pushdown: u64,
}

/// The places of assertions and error calls that control flow leads to.
pub fn assertions(program: &Program, calls: &CallGraph) -> Vec<Location> {
    let mut all = property::error_locations(program, Property::Assert);
    all.retain(|l| calls.is_reachable(l.function));
    all
}

impl ErrorWords {
    /// Vectors of paths to these places.
    pub fn new(program: &Program, calls: &CallGraph, errors: &[Location]) -> Self {
        let paths = ErrorPaths::new(program, calls, program.start, errors);
        Self::of(paths.over_approximation(), paths.pushdown().clone())
    }

    /// Vectors of paths that violate the monitor.
    pub fn of_monitor(program: &Program, calls: &CallGraph, monitor: &Monitor) -> Self {
        let pushdown = monitor.violations(program, calls);
        Self::of(pushdown.without_stack(), pushdown)
    }

    fn of(over: Nfa, pushdown: Pda) -> Self {
        Self {
            over,
            pushdown,
            cleared: Vec::new(),
        }
    }

    /// No run that takes exactly this word comes to the error behind it.
    pub fn clear(&mut self, word: Word) {
        self.cleared.push(word);
    }

    pub fn n_cleared(&self) -> usize {
        self.cleared.len()
    }

    /// A shortest word of at most `longest` letters that the conjecture accepts and that leads to an
    /// error.
    pub fn in_conjecture(
        &self,
        conjecture: &Dfa,
        longest: usize,
        counts: &mut TestCounts,
        budget: &Budget,
    ) -> Result<Option<Word>, StopReason> {
        let without;
        let conjecture = if self.cleared.is_empty() {
            conjecture
        } else {
            let mut rest = conjecture.clone();
            for word in &self.cleared {
                rest = rest.difference(&Dfa::of_word(2, word)).minimize();
            }
            without = rest;
            &without
        };
        if self.over.intersection(conjecture).is_empty() {
            counts.by_over_approximation += 1;
            return Ok(None);
        }
        counts.by_pushdown += 1;
        match self.pushdown.intersect_with(conjecture, budget) {
            Ok(word) => Ok(word.filter(|w| w.len() <= longest)),
            // Longer than anybody looks.
            Err(PdaError::WitnessTooLong { .. }) => Ok(None),
            Err(PdaError::Stopped(reason)) => Err(reason),
        }
    }
}
