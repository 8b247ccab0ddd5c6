//! Learning a running system: something that can be started anew and takes one input at a time.
//!
//! [`Sul`] is what a system has to offer. [`SulOracle`] answers a learner's words with it, and the
//! rest is layers around that oracle, each with one job:
//!
//! ```text
//! learner ─ RunCache ─ Voting ─ SulOracle ─ LineProcess | LineSocket | your own Sul
//! ```
//!
//! * [`Voting`] runs every word several times and takes what most runs say.
//! * [`RunCache`] remembers all runs, asks for no word twice, notices when the system contradicts
//!   itself, and can keep a file that survives the end of the process.
//!
//! ```
//! use idiolect_automata::Letter;
//! use idiolect_learn::sul::{RunCache, Sul, SulOracle};
//! use idiolect_learn::{KearnsVazirani, Learner, WpMethod, learn};
//! use std::cell::RefCell;
//!
//! /// A counter modulo 3 that says when it wraps.
//! struct Counter(u32);
//! impl Sul for Counter {
//!     type Output = &'static str;
//!     type Error = std::convert::Infallible;
//!     fn reset(&mut self) -> Result<(), Self::Error> {
//!         self.0 = 0;
//!         Ok(())
//!     }
//!     fn step(&mut self, input: Letter) -> Result<Self::Output, Self::Error> {
//!         let sum = self.0 + input.0;
//!         self.0 = sum % 3;
//!         Ok(if sum == 3 { "wrap" } else { "ok" })
//!     }
//! }
//!
//! let system = RefCell::new(RunCache::new(SulOracle::new(Counter(0)), 2));
//! let mut learner = KearnsVazirani::for_mealy(2, &mut &system)?;
//! learn(&mut learner, &mut &system, &mut WpMethod::new(&system, 2))?;
//! assert_eq!(learner.hypothesis().n_states(), 3);
//! # Ok::<(), idiolect_learn::RefineError>(())
//! ```

mod cache;
mod lines;
#[cfg(feature = "serde")]
mod log;
mod oracle;
mod voting;

pub use cache::{Contradiction, RunCache};
pub use lines::{LineError, LineProcess, LineSocket, Silence};
#[cfg(feature = "serde")]
pub use log::{LogError, RunLog};
pub use oracle::{MachineSul, SulCounts, SulOracle};
pub use voting::{Undecided, Voting};

use idiolect_automata::Letter;

/// A system under learning: it can be started anew, and answers every input with an output.
pub trait Sul {
    /// What it answers.
    type Output: Clone + Eq;
    /// What can go wrong on the way to an answer.
    type Error: std::error::Error;

    /// Starts anew: what comes after does not depend on what came before.
    fn reset(&mut self) -> Result<(), Self::Error>;

    /// Takes one input and gives its output.
    fn step(&mut self, input: Letter) -> Result<Self::Output, Self::Error>;
}

impl<S: Sul + ?Sized> Sul for &mut S {
    type Output = S::Output;
    type Error = S::Error;

    fn reset(&mut self) -> Result<(), Self::Error> {
        (**self).reset()
    }

    fn step(&mut self, input: Letter) -> Result<Self::Output, Self::Error> {
        (**self).step(input)
    }
}

impl<S: Sul + ?Sized> Sul for Box<S> {
    type Output = S::Output;
    type Error = S::Error;

    fn reset(&mut self) -> Result<(), Self::Error> {
        (**self).reset()
    }

    fn step(&mut self, input: Letter) -> Result<Self::Output, Self::Error> {
        (**self).step(input)
    }
}
