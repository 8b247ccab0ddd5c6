//! What [`PathAutomaton`](super::PathAutomaton) should accept, computed for one word at a time
//! and in another way: over every single location, with a table that says at which positions of
//! the word a function entered at one position can return.

use super::{Acceptance, Labels};
use crate::callgraph::CallGraph;
use crate::locations::{Action, Location, edges_from};
use crate::program::{FuncId, Program};
use crate::stmt::{StmtKind, TerminatorKind};
use idiolect_automata::Letter;
use std::collections::{BTreeMap, BTreeSet};

type Summaries = BTreeMap<(FuncId, usize), BTreeSet<usize>>;

/// Whether the control-flow graph has a path of this word.
pub(crate) fn accepts(
    program: &Program,
    calls: &CallGraph,
    start: FuncId,
    labels: &dyn Labels,
    acceptance: Acceptance<'_>,
    word: &[Letter],
) -> bool {
    let reference = Reference {
        program,
        calls,
        labels,
        acceptance,
        word,
    };
    let mut returns = Summaries::new();
    loop {
        let mut entered = BTreeSet::from([(start, 0)]);
        let mut todo = vec![(start, 0)];
        let mut next = Summaries::new();
        let mut found = false;
        while let Some((function, from)) = todo.pop() {
            let explored = reference.explore(function, from, &returns);
            found |= explored.accepted;
            next.insert((function, from), explored.returns);
            for callee in explored.entered {
                if entered.insert(callee) {
                    todo.push(callee);
                }
            }
        }
        let is_end = acceptance == Acceptance::Ends
            && next
                .get(&(start, 0))
                .is_some_and(|r| r.contains(&word.len()));
        if found || is_end {
            return true;
        }
        if next == returns {
            return false;
        }
        returns = next;
    }
}

struct Reference<'a> {
    program: &'a Program,
    calls: &'a CallGraph,
    labels: &'a dyn Labels,
    acceptance: Acceptance<'a>,
    word: &'a [Letter],
}

#[derive(Default)]
struct Explored {
    accepted: bool,
    returns: BTreeSet<usize>,
    entered: BTreeSet<(FuncId, usize)>,
}

impl Reference<'_> {
    /// The position after reading this, if the word has it there.
    fn read(&self, letter: Option<Letter>, at: usize) -> Option<usize> {
        match letter {
            None => Some(at),
            Some(letter) => (self.word.get(at) == Some(&letter)).then_some(at + 1),
        }
    }

    fn explore(&self, function: FuncId, from: usize, returns: &Summaries) -> Explored {
        let mut explored = Explored::default();
        let mut seen = BTreeSet::new();
        let mut todo = vec![(Location::entry(function), from)];
        while let Some((location, at)) = todo.pop() {
            if !seen.insert((location, at)) {
                continue;
            }
            match self.acceptance {
                Acceptance::Errors(errors) if errors.contains(&location) => {
                    explored.accepted = true;
                    continue;
                }
                Acceptance::ErrorsThen(errors, letter) if errors.contains(&location) => {
                    explored.accepted |= self.word[at..] == [letter];
                }
                Acceptance::Prefixes => explored.accepted |= at == self.word.len(),
                _ => {}
            }
            let callees = self
                .calls
                .sites(function)
                .iter()
                .find(|s| (s.block, s.index) == (location.block, location.index))
                .map(|s| s.callees.clone())
                .unwrap_or_default();
            if !callees.is_empty() {
                for callee in callees {
                    if let Some(inside) = self.read(self.labels.entry(callee), at) {
                        explored.entered.insert((callee, inside));
                        for &after in returns.get(&(callee, inside)).into_iter().flatten() {
                            todo.push((location.next(), after));
                        }
                    }
                }
                continue;
            }
            for edge in edges_from(self.program, location) {
                let (letter, or_not) = match edge.action {
                    Action::Goto => (None, false),
                    Action::Decision { outcome, .. } => (
                        self.labels.decision(function, location.block, outcome),
                        false,
                    ),
                    Action::Stmt(stmt) => match stmt.kind {
                        StmtKind::Mark { mark, condition } => {
                            (self.labels.mark(mark), condition.is_some())
                        }
                        _ => (None, false),
                    },
                };
                todo.extend(self.read(letter, at).map(|at| (edge.to, at)));
                if or_not {
                    todo.push((edge.to, at));
                }
            }
            let block = self.program.function(function).block(location.block);
            if location.index == block.stmts.len() {
                match block.terminator.kind {
                    TerminatorKind::Return(_) => {
                        explored.returns.insert(at);
                    }
                    TerminatorKind::Exit(_) | TerminatorKind::Abort => {
                        explored.accepted |=
                            self.acceptance == Acceptance::Ends && at == self.word.len();
                    }
                    _ => {}
                }
            }
        }
        explored
    }
}

/// All words of at most this many letters.
pub(crate) fn words(n_letters: usize, max_length: usize) -> Vec<Vec<Letter>> {
    let mut all = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..max_length {
        let to = all.len();
        for i in from..to {
            for letter in 0..n_letters {
                let mut word = all[i].clone();
                word.push(Letter::new(letter));
                all.push(word);
            }
        }
        from = to;
    }
    all
}
