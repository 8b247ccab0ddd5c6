//! Automata over decisions: which decision vectors lead to an error in the control-flow graph.
//!
//! From *PAC Learning-Based Verification and Model Synthesis*: the error trace automaton B of
//! Definition 1, the error path automaton B_P of §9.2 and its finite over-approximation B_O of
//! §10. Letter 0 is the outcome 0 of a branch, letter 1 the outcome 1. All of them accept every
//! extension of an error vector: an error node reads all remaining letters.
//!
//! How a verifier uses them, for a learned automaton C of feasible vectors: first
//! `B_O ∩ C = ∅`, which is cheap and proves that C has no error vector; only if that fails
//! `B_P ∩ C`, whose shortest word is the candidate to check
//! ([`Pda::intersect_with`](idiolect_automata::Pda::intersect_with)).
//!
//! ```
//! use idiolect_ir::{decisions::ErrorPaths, callgraph::CallGraph, property, text::parse, Property};
//! use idiolect_automata::Letter;
//! let program = parse(r#"program lp64 start f entry f
//! type t0 = void
//! type t1 = fn() -> t0
//! fn f() : t1 user {
//! b0:
//!   branch true b1 b2
//! b1:
//!   error reach
//! b2:
//!   return
//! }"#).unwrap();
//! let errors = property::error_locations(&program, Property::Assert);
//! let paths = ErrorPaths::new(&program, &CallGraph::new(&program), program.start, &errors);
//! assert!(paths.exact().is_some_and(|b| b.accepts(&[Letter(1), Letter(0)])));
//! assert!(!paths.pushdown().accepts(&[Letter(0)]));
//! ```

use crate::callgraph::CallGraph;
use crate::locations::Location;
use crate::paths::{Acceptance, Labels, PathAutomaton};
use crate::program::{FuncId, FunctionOrigin, Program};
use crate::stmt::BlockId;
use idiolect_automata::{Letter, Nfa, Pda, StateId};

/// The letter of an outcome.
pub fn letter(outcome: bool) -> Letter {
    Letter(u32::from(outcome))
}

/// The functions whose branches are decisions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observed {
    /// All of them, models of libc and the start function too.
    All,
    /// Those of the user; in the others both outcomes are λ.
    User,
}

/// Every observed decision is a letter.
struct Decisions<'a> {
    program: &'a Program,
    observed: Observed,
}

impl Labels for Decisions<'_> {
    fn n_letters(&self) -> usize {
        2
    }

    fn decision(&self, function: FuncId, _: BlockId, outcome: bool) -> Option<Letter> {
        let counts = match self.observed {
            Observed::All => true,
            Observed::User => self.program.function(function).origin == FunctionOrigin::User,
        };
        counts.then(|| letter(outcome))
    }
}

/// The decision vectors of paths to errors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErrorPaths {
    paths: PathAutomaton,
}

impl ErrorPaths {
    /// Paths from `start` to one of the error locations; all branches are decisions.
    pub fn new(program: &Program, calls: &CallGraph, start: FuncId, errors: &[Location]) -> Self {
        Self::observing(program, calls, start, errors, Observed::All)
    }

    /// As [`new`](Self::new), with a choice of what counts as a decision.
    pub fn observing(
        program: &Program,
        calls: &CallGraph,
        start: FuncId,
        errors: &[Location],
        observed: Observed,
    ) -> Self {
        let labels = Decisions { program, observed };
        Self {
            paths: PathAutomaton::new(program, calls, start, &labels, Acceptance::Errors(errors)),
        }
    }

    /// B: exact, and finite because no path from the start calls a function; `None` if one does.
    pub fn exact(&self) -> Option<Nfa> {
        self.paths.is_finite().then(|| self.paths.without_stack())
    }

    /// B_P: exact.
    pub fn pushdown(&self) -> &Pda {
        self.paths.pda()
    }

    /// B_O: accepts all that B_P accepts, and maybe more.
    pub fn over_approximation(&self) -> Nfa {
        self.paths.without_stack()
    }

    /// The location that a state of any of the three stands for.
    pub fn location(&self, state: StateId) -> Option<Location> {
        self.paths.location(state)
    }
}

#[cfg(test)]
mod tests;
