//! Algorithm 1 from a run to its answers.

use crate::graph::{Graph, ItemKind};
use crate::relevance::{self, Candidate, LocalizeConfig, Relevance, RelevanceCounts};
use idiolect_base::Budget;
use idiolect_ir::events::EventSite;
use idiolect_symex::rerun::RunTrace;

/// The relevance of everything that a run assigns.
pub struct Decided {
    pub(crate) graph: Graph,
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) answers: Vec<Relevance>,
    pub counts: RelevanceCounts,
}

impl Decided {
    /// By assignment: the number of its statement, whether it is the reading of memory that
    /// nobody wrote, and the answer.
    pub fn answers(&self) -> impl Iterator<Item = (usize, bool, &Relevance)> {
        let pairs = self.candidates.iter().zip(&self.answers);
        pairs.map(|(c, answer)| (c.statement, c.is_draw, answer))
    }

    /// The assignments before each of these events, since the event before it: how many are relevant,
    /// and how many there are. One more pair for those after the last event.
    pub fn between(
        &self,
        trace: &RunTrace,
        is_event: impl Fn(EventSite) -> bool,
    ) -> Vec<(usize, usize)> {
        let mut list = Vec::new();
        let mut own = (0, 0);
        let mut answers = self.answers().peekable();
        for (number, statement) in trace.statements.iter().enumerate() {
            while let Some((_, _, answer)) = answers.next_if(|a| a.0 == number) {
                own.0 += usize::from(answer.known() == Some(true));
                own.1 += 1;
            }
            if statement.event.is_some_and(&is_event) {
                list.push(std::mem::take(&mut own));
            }
        }
        list.push(own);
        list
    }

    /// Whether every condition of the trace holds in the run, as it should.
    pub fn is_feasible(&self) -> bool {
        let mut items = self.graph.items.iter();
        items.all(|i| !matches!(i.kind, ItemKind::Check { .. }) || i.value != 0)
    }
}

/// Algorithm 1 on a run.
pub fn decide_run(trace: &RunTrace, config: &LocalizeConfig, budget: &Budget) -> Decided {
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
