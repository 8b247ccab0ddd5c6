//! Trying a few values in the state of the run itself, along the readers of the value.

use crate::graph::{Graph, ItemKind, ItemNo};
use crate::relevance::{Blocking, Candidate, LocalizeConfig, Relevance, RelevanceDoubt};
use idiolect_base::{Budget, StopReason};
use idiolect_smt::{Evaluator, Model, Terms, mask};
use idiolect_symex::rerun::AssignedKind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// A nicer value may take so many statements more than the first one that was found,
const PATIENCE: u64 = 100;
/// and all of them together this part of what is allowed.
const NICER: u64 = 8;
/// States with more differences from the run than this are not remembered.
const MAX_DIFFERENCES: usize = 3;
const MAX_MEMORY: usize = 1 << 20;

/// What becomes of a state that differs from the run in these values, of items before some point.
type Differences = Vec<(ItemNo, u128)>;

#[derive(Clone, Copy)]
struct Remembered {
    is_blocked: bool,
    /// The last draw that the answer rests on; it holds for values that are assigned after it.
    latest: Option<ItemNo>,
}

pub(crate) struct Trying<'a> {
    terms: &'a Terms,
    graph: &'a Graph,
    steps_left: u64,
    nicer_left: u64,
    known: FxHashMap<Differences, Remembered>,
}

/// Everything that reads the candidate's value, or reads what reads it, and leads to a check; in
/// order.
pub(crate) fn affected(graph: &Graph, candidate: &Candidate) -> Vec<ItemNo> {
    let mut seen: FxHashSet<ItemNo> = candidate.items.iter().copied().collect();
    let mut stack = candidate.items.clone();
    let mut list = Vec::new();
    while let Some(item) = stack.pop() {
        for &user in &graph.items[item as usize].users {
            if graph.items[user as usize].is_live && seen.insert(user) {
                stack.push(user);
                list.push(user);
            }
        }
    }
    list.sort_unstable();
    list
}

/// From this item on, what is drawn is drawn after the candidate's value was assigned.
pub(crate) fn later_draws(graph: &Graph, candidate: &Candidate) -> ItemNo {
    match (candidate.is_draw, candidate.items.first()) {
        (true, Some(&item)) => item + 1,
        _ => graph.first[candidate.statement],
    }
}

pub(crate) fn blocking(
    terms: &Terms,
    graph: &Graph,
    candidate: &Candidate,
    values: Vec<u128>,
    in_this_run: bool,
) -> Blocking {
    let widths = candidate
        .items
        .iter()
        .map(|&item| terms.width(graph.items[item as usize].subject));
    let with_kind = values.into_iter().zip(&candidate.kinds).zip(widths);
    Blocking {
        values: with_kind
            .map(|((value, &kind), width)| (kind, value, width))
            .collect(),
        in_this_run,
        passes: None,
    }
}

/// Values other than that of the run: those that most often do first, then those that a person
/// would rather read, from the given place on.
fn tries(kind: AssignedKind, width: u32, own: u128) -> Vec<u128> {
    let most = mask(width);
    match kind {
        AssignedKind::Pointer => vec![1, 2],
        AssignedKind::Value => vec![
            own.wrapping_add(1) & most,
            own.wrapping_sub(1) & most,
            most >> 1,
            ((most >> 1) + 1) & most,
            most,
            0,
            1,
            2 & most,
        ],
    }
}

const N_TRIES: usize = 8;

/// In the order in which a person would try them.
const PREFERRED: [usize; 2] = [5, 6];

impl<'a> Trying<'a> {
    pub(crate) fn new(terms: &'a Terms, graph: &'a Graph, config: &LocalizeConfig) -> Self {
        Self {
            terms,
            graph,
            steps_left: config.steps,
            nicer_left: config.steps / NICER,
            known: FxHashMap::default(),
        }
    }

    /// The answer, if it can be given without a solver.
    pub(crate) fn relevance(
        &mut self,
        candidate: &Candidate,
        budget: &Budget,
    ) -> Result<Option<Relevance>, StopReason> {
        let graph = self.graph;
        let is_read = |&item: &ItemNo| graph.items[item as usize].is_live;
        if !candidate.items.iter().any(is_read) {
            // Elsewhere in memory it may be read, if accesses may be elsewhere.
            let is_in_memory = |&item: &ItemNo| graph.items[item as usize].reaches_memory;
            let is_open = graph.has_open_places && candidate.items.iter().any(is_in_memory);
            return Ok(Some(if candidate.assigns_more || is_open {
                Relevance::Unknown(RelevanceDoubt::Memory)
            } else {
                Relevance::NotRelevant
            }));
        }
        let lists = self.values(candidate);
        let preferred: Vec<Vec<u128>> = (PREFERRED.iter())
            .filter_map(|&i| self.values_of(candidate, i))
            .collect();
        let mut found = None;
        for values in lists {
            if self.is_blocked_by(candidate, &values, budget)? {
                found = Some(values);
                break;
            }
        }
        let Some(found) = found else {
            return Ok(None);
        };
        let nicer = preferred.into_iter().find(|values| {
            let own = budget.share(PATIENCE.min(self.nicer_left));
            let before = own.steps_left();
            let is_blocked = self.is_blocked_by(candidate, values, &own) == Ok(true);
            self.nicer_left -= before - own.steps_left();
            is_blocked
        });
        let values = nicer.unwrap_or(found);
        let own = blocking(self.terms, graph, candidate, values, true);
        Ok(Some(Relevance::Relevant(own)))
    }

    /// The values that are tried, in this order.
    pub(crate) fn values(&self, candidate: &Candidate) -> Vec<Vec<u128>> {
        (0..N_TRIES)
            .filter_map(|number| self.values_of(candidate, number))
            .collect()
    }

    fn values_of(&self, candidate: &Candidate, number: usize) -> Option<Vec<u128>> {
        let mut is_other = false;
        let mut values = Vec::with_capacity(candidate.items.len());
        for (&item, &kind) in candidate.items.iter().zip(&candidate.kinds) {
            let item = &self.graph.items[item as usize];
            let list = tries(kind, self.terms.width(item.subject), item.value);
            let value = list.get(number).copied().unwrap_or(item.value);
            is_other |= value != item.value;
            values.push(value);
        }
        is_other.then_some(values)
    }

    /// Whether these values block the trace from the state of the run, whatever is drawn later.
    pub(crate) fn is_blocked_by(
        &mut self,
        candidate: &Candidate,
        values: &[u128],
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        let mut walk = Walk {
            later: later_draws(self.graph, candidate),
            other: BTreeMap::new(),
            queue: BinaryHeap::new(),
            latest: None,
        };
        for (&item, &value) in candidate.items.iter().zip(values) {
            if value != self.graph.items[item as usize].value {
                walk.differs(self.graph, item, Some(value));
            }
        }
        let mut passed: Vec<Differences> = Vec::new();
        let mut is_blocked = false;
        let mut last = None;
        while let Some(Reverse(number)) = walk.queue.pop() {
            if last == Some(number) || candidate.items.contains(&number) {
                continue;
            }
            last = Some(number);
            walk.forget(self.graph, number);
            if let Some(mut key) = walk.key() {
                // The same differences earlier would have more readers still before them.
                key.push((number, u128::MAX));
                let known = self.known.get(&key).copied();
                if let Some(known) = known.filter(|k| k.latest < Some(walk.later)) {
                    is_blocked = known.is_blocked;
                    walk.latest = walk.latest.max(known.latest);
                    break;
                }
                passed.push(key);
            }
            budget.spend(1)?;
            self.steps_left = self.steps_left.checked_sub(1).ok_or(StopReason::Steps)?;
            match walk.step(self.terms, self.graph, number) {
                Next::GoOn => {}
                Next::End { blocked } => {
                    is_blocked = blocked;
                    break;
                }
            }
        }
        // What was open because of later draws may not be so for another candidate.
        if !walk.is_open() && self.known.len() + passed.len() < MAX_MEMORY {
            let answer = Remembered {
                is_blocked,
                latest: walk.latest,
            };
            self.known
                .extend(passed.into_iter().map(|key| (key, answer)));
        }
        Ok(is_blocked)
    }
}

enum Next {
    GoOn,
    End { blocked: bool },
}

/// One way through what reads a value.
struct Walk {
    later: ItemNo,
    /// What is not the same as in the run; nothing for what depends on later draws.
    other: BTreeMap<ItemNo, Option<u128>>,
    queue: BinaryHeap<Reverse<ItemNo>>,
    /// The last draw that mattered.
    latest: Option<ItemNo>,
}

impl Walk {
    fn differs(&mut self, graph: &Graph, item: ItemNo, value: Option<u128>) {
        self.other.insert(item, value);
        let users = graph.items[item as usize].users.iter().copied();
        let live = users.filter(|&u| graph.items[u as usize].is_live);
        self.queue.extend(live.map(Reverse));
    }

    /// Differences that nobody reads from here on do not matter any more.
    fn forget(&mut self, graph: &Graph, now: ItemNo) {
        if self.other.len() <= 4 * MAX_DIFFERENCES {
            self.other
                .retain(|&item, _| graph.items[item as usize].last_user >= Some(now));
        }
    }

    fn key(&self) -> Option<Differences> {
        if self.other.len() > MAX_DIFFERENCES {
            return None;
        }
        let pairs = self
            .other
            .iter()
            .map(|(&item, &value)| Some((item, value?)));
        pairs.collect()
    }

    fn is_open(&self) -> bool {
        self.latest >= Some(self.later)
    }

    fn step(&mut self, terms: &Terms, graph: &Graph, number: ItemNo) -> Next {
        let item = &graph.items[number as usize];
        let mut model = Model::new();
        let mut is_open = false;
        for &(variable, read) in &item.reads {
            let source = &graph.items[read as usize];
            let value = match self.other.get(&read) {
                Some(&value) => value,
                None => {
                    self.latest = self.latest.max(source.latest);
                    (source.latest < Some(self.later)).then_some(source.value)
                }
            };
            match value {
                Some(value) => model.set_term(terms, variable, value),
                None => is_open = true,
            }
        }
        let value = (!is_open).then(|| Evaluator::new(terms, &model).eval(item.term));
        match (item.kind, value) {
            (ItemKind::Check { is_exact: true }, Some(0)) => return Next::End { blocked: true },
            (ItemKind::Check { is_exact: false }, Some(0) | None) => {
                return Next::End { blocked: false };
            }
            (ItemKind::Check { .. }, _) => {}
            (_, Some(same)) if same == item.value && item.latest < Some(self.later) => {}
            _ => self.differs(graph, number, value),
        }
        Next::GoOn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{decide_run, follow};
    use idiolect_base::SourceMap;
    use idiolect_ir::Property;
    use std::sync::Arc;

    /// A-FL-5: in Figure 1, `i = 0` takes the branch that was not taken, and `i = 10` leaves the loop.
    #[test]
    fn both_zero_and_ten_block_figure_1_and_nothing_between_does() {
        let text = "void __VERIFIER_error(void); int main(void) { int p1 = 0, p2 = 0; int i = 1; \
                    while (i < 10) { if (i == 0) { p1 = 1; p2 = 1; } \
                    if (p1 == 0 || p2 == 0) __VERIFIER_error(); i = i + 1; } return 0; }";
        let mut sources = SourceMap::new();
        let id = sources.add("a.c", text.into());
        let options = idiolect_cfront::Options::default();
        let compiled = idiolect_cfront::compile(sources, &[id], &options);
        let program = Arc::new(compiled.program.expect("it compiles"));
        let (config, budget) = (LocalizeConfig::default(), Budget::unlimited());
        let trace = follow(&program, &[Property::Assert], &[], &budget).expect("it fails");
        let decided = decide_run(&trace, &config, &budget);
        let relevant = decided.answers.iter().map(|a| a.known() == Some(true));
        let numbers: Vec<usize> = relevant.enumerate().filter(|r| r.1).map(|r| r.0).collect();
        let [number] = numbers[..] else {
            panic!("one assignment is relevant, not {numbers:?}");
        };
        let candidate = &decided.candidates[number];
        let mut trying = Trying::new(&trace.terms, &decided.graph, &config);
        for value in 0..20 {
            let is_blocked = trying.is_blocked_by(candidate, &[value], &budget);
            assert_eq!(is_blocked, Ok(value == 0 || value >= 10), "{value}");
        }
    }
}
