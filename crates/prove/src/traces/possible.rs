//! Traces that no abstract run takes, taken away at once.

use super::graph::{Op, ProgramGraph};
use super::language::{Edge, Subtrahend};
use crate::states::paths::{ErrorPaths, Reached};
use idiolect_base::{Budget, StopReason};

/// All words that take other decisions than abstract runs to an error do. The letters are those of the graph.
pub struct Impossible<'a> {
    pub paths: &'a ErrorPaths,
    pub graph: &'a ProgramGraph,
}

impl Impossible<'_> {
    /// Whether some abstract run to an error takes the letter's decisions, wherever it is.
    pub fn may_take(&self, letter: usize) -> bool {
        let ops = self.graph.edges[letter].ops.iter();
        ops.copied().all(|op| match op {
            Op::Decision { at, outcome, .. } => self.paths.may_take((at, outcome)),
            _ => true,
        })
    }
}

impl Subtrahend for Impossible<'_> {
    type State = Reached;

    fn start(&mut self) -> Reached {
        self.paths.start()
    }

    fn step(
        &mut self,
        state: &Reached,
        edge: Edge,
        budget: &Budget,
    ) -> Result<Option<Reached>, StopReason> {
        // Many abstract states are a step each.
        if state.len() > 64 {
            budget.look()?;
        }
        let mut now = state.clone();
        for op in &self.graph.edges[edge.letter].ops {
            if let Op::Decision { at, outcome, .. } = *op {
                now = self.paths.after(&now, (at, outcome));
            }
        }
        Ok((!now.is_empty()).then_some(now))
    }

    fn takes(&self, state: &Reached) -> bool {
        !self.paths.may_fail(state)
    }
}
