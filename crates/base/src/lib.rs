//! What every other crate stands on: places in source text ([`Span`], [`SourceMap`]), typed
//! indices ([`index_type!`]), effort limits ([`Budget`], [`StopReason`]) and seeded randomness
//! ([`Rng`]).
//!
//! Nothing here knows about programs, automata or solvers.
//!
//! ```
//! use idiolect_base::{Budget, StopReason};
//! let budget = Budget::steps(2);
//! assert_eq!(budget.spend(2), Ok(()));
//! assert_eq!(budget.spend(1), Err(StopReason::Steps));
//! ```

mod aside;
mod budget;
mod diagnostic;
mod index;
mod near;
mod random;
mod source;
mod stack;

pub use aside::drop_aside;
pub use budget::{Budget, Bug, Canceller, StopReason};
pub use diagnostic::{Diagnostic, Severity};
pub use near::nearest;
pub use random::Rng;
pub use source::{Place, Source, SourceId, SourceMap, Span, parse_line_marker};
pub use stack::{deep_stack, is_deep, spawn_deep, try_deep_stack};
