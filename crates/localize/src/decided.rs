//! Algorithm 1 from a run to its answers.

use crate::graph::{Graph, ItemKind};
use crate::relevance::{self, Candidate, Config, Counts, Relevance};
use idiolect_base::Budget;
use idiolect_symex::rerun::RunTrace;

/// The relevance of everything that a run assigns.
pub struct Decided {
    pub(crate) graph: Graph,
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) answers: Vec<Relevance>,
    pub counts: Counts,
}

impl Decided {
    /// By assignment: the number of its statement, whether it is the reading of memory that
    /// nobody wrote, and the answer.
    pub fn answers(&self) -> impl Iterator<Item = (usize, bool, &Relevance)> {
        let pairs = self.candidates.iter().zip(&self.answers);
        pairs.map(|(c, answer)| (c.statement, c.is_draw, answer))
    }

    /// Whether every condition of the trace holds in the run, as it should.
    pub fn is_feasible(&self) -> bool {
        let mut items = self.graph.items.iter();
        items.all(|i| !matches!(i.kind, ItemKind::Check { .. }) || i.value != 0)
    }
}

/// Algorithm 1 on a run.
pub fn decide_run(trace: &RunTrace, config: &Config, budget: &Budget) -> Decided {
    let graph = Graph::new(trace);
    let candidates = relevance::candidates(trace, &graph);
    let (answers, counts) = relevance::decide(trace, &graph, &candidates, config, budget);
    Decided {
        graph,
        candidates,
        answers,
        counts,
    }
}
