//! Automata over events: which words of events the control-flow graph allows.
//!
//! H. Chockler, P. Kesseli, D. Kroening and O. Strichman, *Learning the Language of Software
//! Errors* (JAIR 2020), §4.1 rejects words that are incompatible with the control-flow graph
//! before it asks a model checker; that answers most of their membership queries. Here the graph
//! is an automaton over the letters of the chosen events:
//!
//! * [`WordStructure::pushdown`] matches calls and returns, so it is the sharpest such check.
//!   A word that it rejects is no word of the program at any bound, so the answer can be kept when
//!   bounds grow.
//! * [`WordStructure::finite`] forgets the stack. It is the cheap first check, can be determinized,
//!   and, trimmed, tells which letters occur on paths to the error at all
//!   ([`WordStructure::letters_in_use`]); the others can be dropped from the alphabet.
//!
//! Acceptance decides which words are asked for: paths to an error, which end with the letter of
//! the failing assertion ([`Acceptance::ErrorsThen`]); complete runs ([`Acceptance::Ends`]); or all
//! beginnings of runs ([`Acceptance::Prefixes`]). We differ from the paper in that loops are not
//! unwound: the check is the same for all bounds.

use crate::callgraph::CallGraph;
use crate::events::{EventSite, ListenedEvent};
use crate::locations::Location;
use crate::paths::{Acceptance, Labels, PathAutomaton};
use crate::program::{FuncId, MarkId, Program};
use crate::stmt::BlockId;
use idiolect_automata::{Letter, Nfa, Pda, StateId};
use rustc_hash::FxHashMap;

/// What the control-flow graph says about words of events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WordStructure {
    paths: PathAutomaton,
}

impl WordStructure {
    /// The words of these events, from the entry of `start` on. Event number `i` is letter `i`;
    /// `n_letters` is larger than the number of events if there are letters for other things,
    /// such as the failing assertion.
    ///
    /// # Panics
    /// If there are fewer letters than events.
    pub fn new(
        program: &Program,
        calls: &CallGraph,
        start: FuncId,
        events: &[ListenedEvent],
        n_letters: usize,
        acceptance: Acceptance<'_>,
    ) -> Self {
        assert!(events.len() <= n_letters, "each event has a letter");
        let mut letters = FxHashMap::default();
        for (i, event) in events.iter().enumerate() {
            for &site in &event.sites {
                letters.insert(site, Letter::new(i));
            }
        }
        let labels = EventLabels { letters, n_letters };
        Self {
            paths: PathAutomaton::new(program, calls, start, &labels, acceptance),
        }
    }

    /// Calls matched with returns.
    pub fn pushdown(&self) -> &Pda {
        self.paths.pda()
    }

    /// Returns go to any return point; accepts at least as much.
    pub fn finite(&self) -> Nfa {
        self.paths.without_stack()
    }

    /// The location that a state of either stands for.
    pub fn location(&self, state: StateId) -> Option<Location> {
        self.paths.location(state)
    }

    /// The letters of words that [`finite`](Self::finite) accepts, ascending.
    pub fn letters_in_use(&self) -> Vec<Letter> {
        let mut letters: Vec<Letter> = self
            .finite()
            .trim()
            .transitions()
            .filter_map(|(_, letter, _)| letter)
            .collect();
        letters.sort_unstable();
        letters.dedup();
        letters
    }
}

struct EventLabels {
    letters: FxHashMap<EventSite, Letter>,
    n_letters: usize,
}

impl Labels for EventLabels {
    fn n_letters(&self) -> usize {
        self.n_letters
    }

    fn decision(&self, function: FuncId, block: BlockId, outcome: bool) -> Option<Letter> {
        let site = EventSite::Decision {
            function,
            block,
            outcome,
        };
        self.letters.get(&site).copied()
    }

    fn entry(&self, function: FuncId) -> Option<Letter> {
        self.letters.get(&EventSite::Entry(function)).copied()
    }

    fn mark(&self, mark: MarkId) -> Option<Letter> {
        self.letters.get(&EventSite::Mark(mark)).copied()
    }
}

#[cfg(test)]
mod tests;
