//! Are formulas at the points of a function true of all runs, and are they enough?
//!
//! Given what is claimed at a function's entry, loops and exit, each *segment* of code between two
//! of them becomes a program of its own ([`segment`]), which `symex` encodes and `smt` answers for:
//! from every state that satisfies the claim at its start, is the claim at its end satisfied
//! (initiation and consecution), does every assertion in it hold, and does every access stay in its
//! object? Where a conjunct fails, it is dropped, and everything that relied on it is asked again
//! (C. Flanagan and K. R. M. Leino, *Houdini, an Annotation Assistant for ESC/Java*, 2001), until
//! what remains is inductive.
//!
//! What is assumed beside the claim at the entry: arrays have the number of elements that their
//! length says, which is not negative and makes less than 2 GiB; arrays of different variables do
//! not overlap; the lists that variables reach are disjoint, end in null, and have cells of their
//! own; a parameter that points to the head of a list points to a variable of its own, and to none of
//! the list's links. At loops and at the exit this is proved like a conjunct.
//!
//! Functions with loops that are called, and functions that call themselves, are described by what is
//! claimed at their entry and exit ([`contract`]). What is proved holds whenever a point is reached;
//! that runs end is not proved.
//!
//! Doubt is never a proof: C that is not modelled, callees without a contract, a budget that ended,
//! and formulas that have no bound on the lists to look at leave a claim not proved.

mod bound;
mod cells;
mod contract;
mod countermodel;
mod cuts;
mod domain;
mod heap;
mod houdini;
mod indices;
mod question;
mod runs;
mod segment;
mod state;
mod view;

pub use contract::needed;
pub use state::modified;
pub(crate) use state::written;

use crate::calls;
use crate::inputs::Input;
use idiolect_base::{Budget, Span, StopReason};
use idiolect_ir::{FaultKind, FuncId, Program};
use idiolect_quantified::formula::Formula;
use idiolect_quantified::point::{Point, Snapshot};

/// What is claimed at a point.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    pub point: &'a Point,
    pub formula: &'a Formula,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// Lists are looked at with at most so many cells; an obligation that needs more is not proved.
    pub max_cells: usize,
    /// Loops in functions that are called are unwound so often.
    pub unwind: usize,
    /// Assume hypotheses about arrays at more indices where those that are mentioned do not do. What
    /// is proved without is proved; more may be provable with them.
    pub widen: bool,
    /// Do not go on with large questions once a run refutes something.
    pub stop_when_refuted: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            max_cells: 16,
            unwind: 2,
            widen: true,
            stop_when_refuted: false,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// What is kept of the claim is inductive, and with it all that was to be shown of the function
    /// is proved: assertions, memory safety, and the whole claim at the exit.
    Adequate,
    /// What is kept of the claim holds whenever the point is reached, but something else of the
    /// function is not proved.
    Inductive,
    /// Nothing of the claim is proved.
    NotProved,
    /// A run of the function violates the claim.
    Refuted,
}

/// What has to be shown of a segment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// This conjunct of the claim at its end.
    Conjunct(usize),
    /// That lists are lists at its end, and arrays where they were.
    Shape,
    /// No access leaves its object.
    Safety(FaultKind),
    Assertion,
    /// Nothing, but there is a doubt.
    Doubt(Doubt),
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Doubt {
    #[error("{0}")]
    Stopped(StopReason),
    #[error("{0} is not modelled")]
    Trap(String),
    #[error("a loop in a function that is called goes further than it was looked at")]
    Unwinding,
    #[error("`{0}` is called, which may touch any number of cells")]
    Callee(String),
    #[error("a function is called through a pointer, which may touch any number of cells")]
    PointerCall,
    #[error("a pointer into an array is kept across a call that changes the array")]
    Stale,
    #[error(
        "the formula is not elastic: it constrains the immediate successor of a quantified cell"
    )]
    Distance,
    #[error("a pointer moves from the head of a list to the links in its cells")]
    Link,
    #[error("what `{0}` points to is not known at the start of the obligation")]
    Pointer(String),
    #[error("lists of {0} cells would have to be looked at")]
    Cells(usize),
    #[error("the state at the start of the obligation is not known")]
    Start,
}

/// An obligation that was not met.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    pub goal: Goal,
    /// The claims between which it is, by position; nothing for loops without a claim.
    pub from: Option<usize>,
    pub to: Option<usize>,
    /// Where in the code, for what is not at a point.
    pub span: Option<Span>,
    /// A state at the start of the segment from which it fails.
    pub model: Option<Snapshot>,
    /// A run of the function from a state that satisfies the claim at its entry fails like this.
    pub is_run: bool,
    /// The input of that run, if one can be built.
    pub input: Option<Input>,
}

/// The proof of one claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PointProof {
    pub verdict: Verdict,
    /// For each conjunct whether it is kept.
    pub kept: Vec<bool>,
    /// Why conjuncts were dropped, in the order in which they were; and, for a verdict that is not
    /// adequate, what else fails.
    pub failures: Vec<Failure>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    pub segments: u64,
    pub solver_calls: u64,
    /// The most cells that lists of one kind were looked at with.
    pub cells: u64,
    pub terms: u64,
}

/// An assertion of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assertion {
    pub span: Span,
    /// It holds in every run that comes to it, and no run leaves an object on the way.
    pub is_proved: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// One for each claim.
    pub points: Vec<PointProof>,
    /// By their place in the text.
    pub assertions: Vec<Assertion>,
    pub statistics: Statistics,
    /// Large questions were left out, since something is refuted anyway.
    pub is_cut_short: bool,
}

/// Proves what can be proved of the claims, which are about points of this function, and of those
/// that it calls ([`needed`]).
pub fn prove(
    program: &Program,
    function: FuncId,
    claims: &[Claim<'_>],
    config: &Config,
    budget: &Budget,
) -> Outcome {
    let (program, _) = calls::split(program, function);
    houdini::prove(&program, function, claims, config, budget)
}
