//! Which assignments of a run, replaced by a constant, would have blocked its trace: Algorithm 1 of
//! FL, decided as Definition 3.1 says it.
//!
//! | there | here |
//! |---|---|
//! | trace of statements `st_1 … st_n` | the items of a [`Graph`], in order |
//! | assigning statement | [`Candidate`] |
//! | reachable states `R_i` | values of drawn variables: everything else is a term over them |
//! | bireachable `B_{i-1}` | the same, where all checks of the trace hold |
//! | coreachable `C_i` | the later checks, over the replaced value; those that do not read it, not even through others, hold anyway |
//! | Hoare triple `{B} havoc(x) {C}` is invalid | some drawn values and some `v` fulfil all checks of the trace, and no later draws fulfil the later checks with `v` |
//!
//! Three ways to an answer, the cheapest first:
//!
//! 1. No check reads the value, not even through others: not relevant.
//! 2. A few values are tried in the state of the run itself, along the readers of the value. A check
//!    that fails, and that reads nothing drawn later, blocks the trace whatever is drawn later.
//! 3. The solver is asked for any state and any value ([`asking`](crate::asking)).
//!
//! The third way splits the candidates into parts by their number alone. Each part has its own terms
//! and solvers and goes through its candidates in order, so that the answers, the values among them,
//! do not depend on how many parts run at a time.

use crate::asking::{Shared, Worker};
use crate::component::Components;
use crate::graph::{Graph, ItemNo};
use crate::trying::Trying;
use idiolect_base::{Budget, StopReason, spawn_deep};
use idiolect_smt::Terms;
use idiolect_symex::rerun::{AssignedKind, RunTrace};

/// How much work is done.
#[derive(Clone, Debug)]
pub struct LocalizeConfig {
    /// Parts that may run at a time. The answers do not depend on it.
    pub threads: usize,
    /// Statements that are done again with other values, for all of them together.
    pub steps: u64,
    /// Conflicts of the solver for one statement; then its relevance is unknown.
    pub conflicts: u64,
    /// Proposals for one statement, where something is drawn later.
    pub rounds: usize,
    /// Steps of the interpreter that show what becomes of the run with another value.
    pub reruns: u64,
}

impl Default for LocalizeConfig {
    fn default() -> Self {
        Self {
            threads: 1,
            steps: 30_000_000,
            conflicts: 20_000,
            rounds: 64,
            reruns: 300_000,
        }
    }
}

/// Something that could have been assigned another value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Candidate {
    pub(crate) statement: usize,
    pub(crate) items: Vec<ItemNo>,
    pub(crate) kinds: Vec<AssignedKind>,
    /// An input that was drawn because memory was read that nobody wrote.
    pub(crate) is_draw: bool,
    /// There is more that the statement assigns, of which nothing is known.
    pub(crate) assigns_more: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Relevance {
    Relevant(Blocking),
    NotRelevant,
    Unknown(RelevanceDoubt),
}

impl Relevance {
    /// As in the JSON outcome: `None` is unknown.
    pub fn known(&self) -> Option<bool> {
        match self {
            Relevance::Relevant(_) => Some(true),
            Relevance::NotRelevant => Some(false),
            Relevance::Unknown(_) => None,
        }
    }
}

/// Values that block the trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocking {
    /// By assigned variable.
    pub values: Vec<(AssignedKind, u128, u32)>,
    /// In the run at hand; else in another run along the same trace.
    pub in_this_run: bool,
    /// Whether the run, done again on the same inputs with these values, passes. `Some(false)` if it
    /// was done with other values too and fails with all of them; `None` if that is not known.
    pub passes: Option<bool>,
}

/// Why the relevance of a statement is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RelevanceDoubt {
    Stopped(StopReason),
    /// It depends on where a pointer points, or on a place in memory that was taken as it was.
    Memory,
    /// Too many proposals, each refuted by something drawn later.
    Rounds,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RelevanceCounts {
    /// Assignments of the run.
    pub candidates: usize,
    /// Settled because nothing reads the value.
    pub unread: usize,
    /// Settled by trying values.
    pub tried: usize,
    /// Settled by the solver or not at all.
    pub asked: usize,
    pub solver_calls: u64,
}

pub(crate) fn candidates(trace: &RunTrace, graph: &Graph) -> Vec<Candidate> {
    let mut list = Vec::new();
    for (number, statement) in trace.statements.iter().enumerate() {
        for drawn in &statement.drawn {
            // What only other runs would read there is no assignment of this one.
            let is_unwritten = drawn.in_this_run
                && matches!(
                    drawn.origin,
                    Some(idiolect_symex::InputOrigin::Unwritten { .. })
                );
            if let (true, Some(item)) = (is_unwritten, graph.definition(number, drawn.variable)) {
                list.push(Candidate {
                    statement: number,
                    items: vec![item],
                    kinds: vec![AssignedKind::Value],
                    is_draw: true,
                    assigns_more: false,
                });
            }
        }
        let mut candidate = Candidate {
            statement: number,
            items: Vec::new(),
            kinds: Vec::new(),
            is_draw: false,
            assigns_more: statement.assigns_more,
        };
        for assigned in &statement.assigned {
            if let Some(item) = graph.definition(number, assigned.variable) {
                candidate.items.push(item);
                candidate.kinds.push(assigned.kind);
            }
        }
        if !candidate.items.is_empty() || candidate.assigns_more {
            list.push(candidate);
        }
    }
    list
}

/// The relevance of each candidate.
pub(crate) fn decide(
    trace: &RunTrace,
    graph: &Graph,
    candidates: &[Candidate],
    config: &LocalizeConfig,
    budget: &Budget,
) -> (Vec<Relevance>, RelevanceCounts) {
    let mut counts = RelevanceCounts {
        candidates: candidates.len(),
        ..RelevanceCounts::default()
    };
    let mut answers: Vec<Option<Relevance>> = vec![None; candidates.len()];
    let mut trying = Trying::new(&trace.terms, graph, config);
    // The last first, so that what is known of later values is of use for earlier ones.
    for (number, candidate) in candidates.iter().enumerate().rev() {
        let answer = match trying.relevance(candidate, budget) {
            Ok(answer) => answer,
            Err(reason) => Some(Relevance::Unknown(RelevanceDoubt::Stopped(reason))),
        };
        match &answer {
            Some(Relevance::NotRelevant) => counts.unread += 1,
            Some(Relevance::Relevant(_)) => counts.tried += 1,
            _ => counts.asked += 1,
        }
        answers[number] = answer;
    }
    let open: Vec<usize> = (0..answers.len())
        .filter(|&i| answers[i].is_none())
        .collect();
    if !open.is_empty() {
        let mut terms = trace.terms.clone();
        let over_draws = graph.over_draws(&mut terms);
        // A question may take longer than making a solver for it.
        let n_parts = open.len().div_ceil(3).min(8);
        let parts: Vec<&[usize]> = open.chunks(open.len().div_ceil(n_parts)).collect();
        let parts_of_trace = Components::new(&terms, graph, &over_draws);
        let shared = Shared {
            graph,
            candidates,
            over_draws: &over_draws,
            components: &parts_of_trace,
            config,
        };
        for (i, answer) in in_parts(&shared, &terms, &parts, budget, &mut counts) {
            answers[i] = Some(answer);
        }
    }
    // Whose worker could not be started.
    let unfinished = Relevance::Unknown(RelevanceDoubt::Stopped(StopReason::OutOfMemory));
    let answers = answers
        .into_iter()
        .map(|a| a.unwrap_or_else(|| unfinished.clone()));
    (answers.collect(), counts)
}

/// Works on the parts, `threads` of them at a time.
fn in_parts(
    shared: &Shared<'_>,
    terms: &Terms,
    parts: &[&[usize]],
    budget: &Budget,
    counts: &mut RelevanceCounts,
) -> Vec<(usize, Relevance)> {
    let mut answers = Vec::new();
    let threads = shared.config.threads.max(1);
    for group in parts.chunks(threads) {
        std::thread::scope(|scope| {
            let mut handles = Vec::new();
            for part in group {
                let (terms, budget) = (terms.clone(), budget.clone());
                let work = move || Worker::new(shared, terms).run(part, &budget);
                if let Ok(handle) = spawn_deep(scope, work) {
                    handles.push(handle);
                }
            }
            for handle in handles {
                match handle.join() {
                    Ok((list, n_calls)) => {
                        answers.extend(list);
                        counts.solver_calls += n_calls;
                    }
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
    }
    answers
}
