//! What each command prints as JSON, as types: the keys are the names of these fields, and `docs/schema` says the same
//! for readers elsewhere: a test makes that file from these types. A key is added here and filled where the command knows it.

mod answer;
mod check;
mod diagnostic;
mod diff;
mod doctor;
mod explain;
mod invariants;
mod learn;
mod localize;
mod mine;
mod repair;
mod run;
#[cfg(test)]
mod schema;
mod trace;
mod verify;

pub use answer::*;
pub use check::*;
pub use diagnostic::*;
pub use diff::*;
pub use doctor::*;
pub use explain::*;
pub use invariants::*;
pub use learn::*;
pub use localize::*;
pub use mine::*;
pub use repair::*;
pub use run::*;
pub use trace::*;
pub use verify::*;
