//! Bit-vector terms, and an incremental solver for them that is asked by assumption.
//!
//! Build terms in a [`Terms`] pool, which shares and rewrites them; assert what always holds in a
//! [`Solver`]; ask [`Solver::check`] what can hold together. An answer is a [`Model`] that was
//! evaluated on the question, a core of assumptions, or an honest [`StopReason`].
//!
//! There are bit vectors of 1 to 128 bits, Bools, and arrays of bit vectors. There are no quantifiers
//! except one alternation ([`exists_forall`]) and no integers without bounds; floats are bit vectors
//! ([`float`]). Nothing here knows of C.
//!
//! ```
//! use idiolect_base::Budget;
//! use idiolect_smt::{Outcome, Solver, Terms};
//! let mut t = Terms::new();
//! let (x, y) = (t.bv_var("x", 8), t.bv_var("y", 8));
//! let sum = t.add(x, y);
//! let wraps = t.ult(sum, x);
//! let small = { let c = t.bv(16, 8); t.ult(x, c) };
//! let mut solver = Solver::new();
//! solver.assert(&t, wraps);
//! let Outcome::Sat(model) = solver.check(&t, &[small], &Budget::unlimited()) else { panic!() };
//! assert!(model.eval(&t, x) + model.eval(&t, y) > 255);
//! ```
//!
//! [`StopReason`]: idiolect_base::StopReason

pub mod array;
#[cfg(feature = "batsat")]
pub mod batsat;
mod blast;
#[cfg(feature = "cadical")]
pub mod cadical;
pub mod dimacs;
mod door;
#[cfg(any(feature = "cadical", feature = "batsat"))]
pub mod exists_forall;
pub mod external;
mod facts;
pub mod float;
mod gates;
mod intervals;
pub mod listing;
mod model;
pub mod rewrite;
pub mod sat;
pub mod semantics;
mod session;
pub mod smtlib;
pub mod solver;
mod substitute;
mod term;
mod words;

pub use door::{Door, Sink};
pub use external::{ExternalError, ExternalSolver};
pub use facts::BitFacts;
pub use model::{ArrayValue, Evaluator, Model};
pub use rewrite::Rule;
pub use session::{OwnStatistics, Session, SessionStatistics};
pub use solver::{ModelCheck, Outcome, Solver, SolverStatistics};
pub use substitute::Substitution;
pub use term::{ArrayId, BinaryOp, MAX_WIDTH, Node, Sort, TermId, Terms, UnaryOp, VarId, mask};

/// CaDiCaL if it was built in, else batsat.
#[cfg(feature = "cadical")]
pub fn default_backend() -> Box<dyn sat::SatSolver> {
    Box::new(cadical::Cadical::new())
}

/// CaDiCaL if it was built in, else batsat.
#[cfg(all(feature = "batsat", not(feature = "cadical")))]
pub fn default_backend() -> Box<dyn sat::SatSolver> {
    Box::new(batsat::Batsat::new())
}

/// The same, set up for questions that are mostly answered by no.
#[cfg(feature = "cadical")]
fn refuting_backend() -> Box<dyn sat::SatSolver> {
    Box::new(cadical::Cadical::for_refuting())
}

#[cfg(all(feature = "batsat", not(feature = "cadical")))]
fn refuting_backend() -> Box<dyn sat::SatSolver> {
    default_backend()
}
