//! Which assignments of an error trace, replaced by a constant, would have blocked it.

pub mod all_traces;
