//! What each command prints as JSON, as types: the keys are the names of these fields, and `docs/schema` says the same
//! for readers elsewhere. A key is added here, filled where the command knows it, and written into the schema.

mod answer;
mod explain;
mod invariants;
mod localize;
mod mine;
mod run;
mod verify;

pub use answer::*;
pub use explain::*;
pub use invariants::*;
pub use localize::*;
pub use mine::*;
pub use run::*;
pub use verify::*;
