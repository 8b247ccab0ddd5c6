//! Ways to compare a hypothesis with the target.

mod exact;

pub use exact::Exact;
