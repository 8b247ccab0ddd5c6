//! Trace abstraction ([`idiolect_prove::traces`]), with each error trace localized.

mod of_program;

#[cfg(test)]
mod tests;

pub use idiolect_prove::traces::*;
pub use of_program::{LocalizedTrace, SourceStatement, all_traces, trace_of_run};
