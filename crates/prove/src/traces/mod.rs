//! Which assignments are relevant in all error traces of a program: trace abstraction.
//!
//! *Question.* Which statements, each replaced by a constant, would have blocked every error trace
//! (for each trace some constant; that no single one does is a limit of the notion, FL §1)?
//!
//! *Method* (FL, §4). The error traces that remain are an automaton, at first the program's
//! graph ([`graph`]). The shortest is taken. If it is infeasible, a Floyd–Hoare automaton
//! ([`floyd_hoare`]) of traces that are infeasible for the same reason is subtracted. If it is
//! feasible, it is localized, and the danger automaton of all that were found ([`by_location`]; [`danger`] has
//! the paper's own) is subtracted. Until nothing remains, or the budget ends.
//!
//! Before that, traces that no abstract run takes may be taken away ([`possible`]).
//!
//! *Guarantee.* [`Coverage`] says how far the answer reaches. A danger automaton also takes feasible
//! traces that nobody looked at. So when nothing remains and there are finitely and not too many
//! feasible traces, these are localized one by one after all, and only then the answer is said to
//! hold of every trace. Without any error trace, and with nothing remaining, the program is *proved*.
//!
//! *Limits.* Statements that cannot be followed without a trace are taken to do anything
//! ([`effects`]): a trace through them is decided by whoever localizes it, and subtracted alone. An
//! access through a pointer that is not known may fault in every round of a loop, so without an
//! assertion to lead there the search seldom ends.

pub mod by_location;
pub mod cells;
pub mod danger;
pub mod effects;
pub mod floyd_hoare;
pub mod graph;
pub mod language;
mod minimize;
pub mod possible;
pub mod prover;
mod search;
pub mod system;

pub use search::{Localizer, once_each, run};

use graph::Cut;
use idiolect_base::StopReason;
use idiolect_ir::Location;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Stop after this many feasible traces.
    pub max_traces: usize,
    /// Stop after looking at this many traces, feasible or not: the search need not end by itself.
    pub max_iterations: u64,
    /// A function may be nested in itself this many times.
    pub recursion: usize,
    /// Atoms of a Floyd–Hoare automaton that are no predicate of a position of its trace. More of them
    /// take more traces away, and leave a larger automaton of what remains.
    pub max_parts: usize,
    /// Questions to the solver for the danger automaton after each error trace; with more it may become larger.
    pub danger_questions: u64,
    /// Abstract states ([`states`](crate::states)) that are made to take away what none of them takes, before any
    /// trace is looked at.
    pub abstract_states: u64,
    /// When nothing remains: localize the feasible traces one by one if there are at most so many
    /// candidates.
    pub one_by_one: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            max_traces: 100,
            max_iterations: 2000,
            recursion: 2,
            max_parts: 24,
            danger_questions: 4000,
            abstract_states: 0,
            one_by_one: 64,
        }
    }
}

/// What the search is about to do; for those who show progress or measure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Phase {
    /// Builds the graph and its commands.
    Program,
    /// Asks whether the next trace is feasible.
    Judge,
    /// Subtracts a Floyd–Hoare automaton, or a trace alone.
    Refute,
    Localize,
    Danger,
}

/// Told before each phase.
pub type Watch<'w> = &'w mut dyn FnMut(Phase, &Counts);

/// What whoever localizes says of a trace; `K` is what they know statements by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judged<K, T> {
    /// It was run and fails, and here is what is relevant in it.
    Error {
        /// Its assigning statements in order, one that occurs again again.
        assigning: Vec<Assigning<K>>,
        /// Whatever else there is to show.
        detail: T,
    },
    Infeasible,
    /// Neither could be decided.
    Unknown(String),
}

/// A statement of a trace that assigns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assigning<K> {
    pub statement: K,
    /// `None` if it is not known.
    pub relevant: Option<bool>,
    /// Statements from here to the error.
    pub distance: usize,
}

/// A feasible error trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErrorTrace<K, T> {
    pub decisions: Vec<bool>,
    pub error: Location,
    /// By statement, each once: relevant if some occurrence in the trace is.
    pub assigning: Vec<Assigning<K>>,
    pub detail: T,
}

/// A statement that assigns, in the whole program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramRelevance<K> {
    pub statement: K,
    /// The traces in which it is relevant, by their numbers.
    pub relevant_in: Vec<usize>,
    /// Relevant in every trace found; `None` if that depends on what is not known.
    pub in_every: Option<bool>,
    /// Statements from its last occurrence to the error, in the trace where this is least.
    pub distance: usize,
}

/// How far the answer reaches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// Every feasible error trace was localized.
    EveryTrace,
    /// Every feasible error trace is in the danger automaton of those that were localized.
    EveryKind,
    /// There may be others.
    Partial(Vec<Gap>),
}

/// Why an answer does not reach all traces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Gap {
    Budget(StopReason),
    MaxTraces,
    /// Runs may get where they were not followed.
    Cut(Cut),
    /// A trace could be neither run nor refuted.
    Undecided(String),
}

/// Counts, the same for the same input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Traces that were looked at.
    pub iterations: u64,
    pub solver_calls: u64,
    pub letters: u64,
    /// The largest automaton of remaining traces.
    pub states: u64,
    /// How the traces went: by a Floyd–Hoare automaton, a danger automaton, alone.
    pub floyd_hoare: u64,
    pub danger: u64,
    pub alone: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome<K, T> {
    pub traces: Vec<ErrorTrace<K, T>>,
    /// Most often relevant first, then nearest to the error.
    pub statements: Vec<ProgramRelevance<K>>,
    pub coverage: Coverage,
    pub counts: Counts,
}

impl<K: Ord + Clone, T> Outcome<K, T> {
    /// One more trace, whoever found it.
    pub fn add(&mut self, trace: ErrorTrace<K, T>) {
        self.traces.push(trace);
        self.statements = search::rank(&self.traces);
    }
}

impl<K, T> Outcome<K, T> {
    /// The statements that are relevant in every trace that was found.
    pub fn relevant(&self) -> impl Iterator<Item = &ProgramRelevance<K>> {
        self.statements.iter().filter(|s| s.in_every == Some(true))
    }

    /// No run fails: there is no feasible error trace, and nothing was left out.
    pub fn is_proved(&self) -> bool {
        self.traces.is_empty() && !matches!(self.coverage, Coverage::Partial(_))
    }
}
