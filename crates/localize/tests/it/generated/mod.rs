//! As much of `symex`'s tests as is needed here.

#[path = "../../../../symex/tests/it/common/generate.rs"]
pub mod generate;

use idiolect_interp::Outcome;

pub struct Run {
    pub outcome: Outcome,
    pub decisions: Vec<bool>,
}

impl Run {
    pub fn new(outcome: Outcome, decisions: Vec<bool>) -> Self {
        Self { outcome, decisions }
    }
}
