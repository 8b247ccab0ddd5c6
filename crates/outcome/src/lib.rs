//! What a command may claim, decided in one place for all of them.
//!
//! An analysis says what it found as a [`Verdict`] and in which sense as a [`GuaranteeKind`]. What it had to limit,
//! to choose or to leave out is in the [`Ledger`]. [`Conclusion::new`] puts the three together: a claim that
//! its ledger does not carry becomes a weaker one. Exit code, colour and SARIF level are functions of the
//! result ([`Conclusion::exit`], [`Class`]), so two commands that know the same say the same.
//!
//! ```
//! use idiolect_outcome::{Assumption, AssumptionKind, Conclusion, Exit, GuaranteeKind, Ledger, Verdict};
//! let mut ledger = Ledger::default();
//! let claim = |ledger: &Ledger| Conclusion::new(Verdict::Proved, GuaranteeKind::Proved, "No run fails.", ledger);
//! assert_eq!(claim(&ledger).exit(), Exit::Clean);
//! ledger.add(Assumption::new(AssumptionKind::Bound, "arguments have at most 8 bytes"));
//! assert_eq!(claim(&ledger).verdict, Verdict::Undecided);
//! assert_eq!(claim(&ledger).exit(), Exit::Undecided);
//! ```
//!
//! It never looks at a program, never prints, and knows no engine.

mod assumption;
mod conclusion;
mod exit;
pub mod results;
mod verdict;

pub use assumption::{Assumption, AssumptionKind, Ledger};
pub use conclusion::{Class, Conclusion};
pub use exit::{Exit, Requirement};
pub use verdict::{GuaranteeKind, Verdict};
