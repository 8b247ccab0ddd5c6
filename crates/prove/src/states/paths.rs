//! The decisions of abstract runs to an error, as an automaton.
//!
//! The same exploration as for a proof, but an error ends a path and not the search, and what is not understood
//! becomes a state from which everything is possible; so does what is left when the limit is reached. What
//! remains is an automaton over decisions: a run to an error takes decisions that it has. A sequence of decisions that it
//! has not is one that no run to an error takes.

use super::step::{self, Stepped, Work};
use super::{Config, Explorer, NotProved};
use idiolect_base::{Budget, StopReason};
use idiolect_ir::{Location, Program, TerminatorKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// A branch and how it goes.
pub type Decision = (Location, bool);

/// States by their numbers; 0 is the first.
#[derive(Clone, Debug, Default)]
pub struct ErrorPaths {
    /// Only those that lead to an error, or to where everything is possible; by state, ascending.
    edges: Vec<Vec<(Decision, u32)>>,
    /// States that are this one, too.
    also: Vec<Vec<u32>>,
    is_error: Vec<bool>,
    is_open: Vec<bool>,
    /// Whether an error can be reached; other states are not followed.
    is_live: Vec<bool>,
    /// All decisions of edges that are left, and whether some state that is left is open.
    decisions: FxHashSet<Decision>,
    has_open: bool,
}

/// The states after some decisions, ascending.
pub type Reached = Vec<u32>;

impl ErrorPaths {
    /// Explores the program.
    pub fn new(program: &Program, config: &Config, budget: &Budget) -> Result<Self, StopReason> {
        let mut explorer = Explorer::new(program, config, budget);
        let mut paths = Self::default();
        paths.state();
        let start = super::state::State::new(program, program.start);
        explorer.shape(program.start);
        let mut numbers: FxHashMap<u128, u32> = FxHashMap::default();
        let mut todo = vec![(Work::new(start), 0)];
        while let Some((work, at)) = todo.pop() {
            match budget.spend(4) {
                Ok(()) => {}
                Err(StopReason::Steps) => {
                    // What is left may do anything.
                    paths.is_open[at as usize] = true;
                    todo.iter().for_each(|w| paths.is_open[w.1 as usize] = true);
                    break;
                }
                Err(reason) => return Err(reason),
            }
            let end = work.terminator(program);
            if let Some((_, TerminatorKind::Error(_))) = end {
                paths.is_error[at as usize] = true;
                continue;
            }
            let stepped = match step::step(program, &config.properties, work) {
                Ok(stepped) => stepped,
                Err(_) => {
                    paths.is_open[at as usize] = true;
                    continue;
                }
            };
            match stepped {
                Stepped::Ended => {}
                Stepped::Fork(left, right) => todo.extend([(*right, at), (*left, at)]),
                Stepped::On(state) => {
                    let mut at = at;
                    if let Some((
                        here,
                        TerminatorKind::Branch {
                            then, otherwise, ..
                        },
                    )) = end
                    {
                        let next = paths.state();
                        for (outcome, to) in [(true, *then), (false, *otherwise)] {
                            if state.frame().block == to {
                                paths.edges[at as usize].push(((here, outcome), next));
                            }
                        }
                        at = next;
                    }
                    match explorer.met(state) {
                        Ok((hash, Some(state))) => {
                            numbers.extend(hash.map(|hash| (hash, at)));
                            todo.push((Work::new(state), at));
                        }
                        Ok((Some(hash), None)) => match numbers.get(&hash) {
                            Some(&known) if known != at => paths.also[at as usize].push(known),
                            Some(_) => {}
                            None => paths.is_open[at as usize] = true,
                        },
                        Ok((None, None)) => {}
                        Err(NotProved::Stopped(reason)) if reason != StopReason::Steps => {
                            return Err(reason);
                        }
                        Err(_) => paths.is_open[at as usize] = true,
                    }
                }
            }
        }
        paths.finish();
        Ok(paths)
    }

    pub fn n_states(&self) -> usize {
        self.edges.len()
    }

    /// Nothing is known: everything is possible from the first state on.
    pub fn is_trivial(&self) -> bool {
        self.start().iter().any(|&q| self.is_open[q as usize])
    }

    fn state(&mut self) -> u32 {
        self.edges.push(Vec::new());
        self.also.push(Vec::new());
        self.is_error.push(false);
        self.is_open.push(false);
        self.edges.len() as u32 - 1
    }

    /// Marks the states that lead to an error.
    fn finish(&mut self) {
        let n = self.n_states();
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); n];
        for q in 0..n {
            let next = self.edges[q].iter().map(|e| e.1);
            for to in next.chain(self.also[q].iter().copied()) {
                before[to as usize].push(q as u32);
            }
        }
        self.is_live = vec![false; n];
        let mut open: Vec<usize> = (0..n)
            .filter(|&q| self.is_error[q] || self.is_open[q])
            .collect();
        open.iter().for_each(|&q| self.is_live[q] = true);
        while let Some(q) = open.pop() {
            for &p in &before[q] {
                if !std::mem::replace(&mut self.is_live[p as usize], true) {
                    open.push(p as usize);
                }
            }
        }
        for q in 0..n {
            let is_live = &self.is_live;
            self.edges[q].retain(|e| is_live[e.1 as usize]);
            self.also[q].retain(|&to| is_live[to as usize]);
            self.edges[q].sort_unstable();
            self.edges[q].dedup();
            self.decisions.extend(self.edges[q].iter().map(|e| e.0));
        }
        self.has_open = (0..n).any(|q| self.is_open[q] && self.is_live[q]);
    }

    /// Before any decision.
    pub fn start(&self) -> Reached {
        self.closed(vec![0])
    }

    fn closed(&self, mut list: Vec<u32>) -> Reached {
        list.retain(|&q| self.is_live[q as usize]);
        list.sort_unstable();
        list.dedup();
        let mut seen: FxHashSet<u32> = list.iter().copied().collect();
        let mut open = list.clone();
        while let Some(q) = open.pop() {
            for &to in &self.also[q as usize] {
                if seen.insert(to) {
                    list.push(to);
                    open.push(to);
                }
            }
        }
        list.sort_unstable();
        list
    }

    /// After one more decision. Empty if no run to an error takes it.
    pub fn after(&self, reached: &Reached, decision: Decision) -> Reached {
        // Everything goes on to be possible.
        let open = reached.iter().copied().find(|&q| self.is_open[q as usize]);
        if let Some(open) = open {
            return vec![open];
        }
        let mut next = Vec::new();
        for &q in reached {
            let edges = self.edges[q as usize].iter();
            next.extend(edges.filter(|e| e.0 == decision).map(|e| e.1));
        }
        self.closed(next)
    }

    /// Whether a run to an error may take the decision somewhere.
    pub fn may_take(&self, decision: Decision) -> bool {
        self.has_open || self.decisions.contains(&decision)
    }

    /// Whether a run may be at an error now.
    pub fn may_fail(&self, reached: &Reached) -> bool {
        (reached.iter()).any(|&q| self.is_error[q as usize] || self.is_open[q as usize])
    }
}
