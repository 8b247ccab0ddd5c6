//! The paths of a whole program as a pushdown automaton over letters of one's choice.
//!
//! This is the construction of Y.-F. Chen, C. Hsieh, O. Lengál, T.-J. Lii, M.-H. Tsai, B.-Y. Wang
//! and F. Wang, *PAC Learning-Based Verification and Model Synthesis* (ICSE 2016), §9.2, with the
//! letters left open, so that [`decisions`](crate::decisions) and
//! [`structure`](crate::structure) are two uses of it.
//!
//! | paper | here |
//! |---|---|
//! | node `v` | [`PathAutomaton::location`] of a state |
//! | `v_i`, `v_r` | entry of a function; its blocks that end in a return |
//! | `V_e` | [`Acceptance`] |
//! | `(v, [λ; λ/v'], v_i(G_k))` | a call: pushes where it returns to |
//! | `(v_r(G_k), [λ; v'/λ], v')` | a return: pops it |
//!
//! Where we differ:
//! * A stretch of statements without calls, letters and errors is one node, so there are about as
//!   many states as blocks and calls.
//! * A function may have several returns; then an extra state is its `v_r`. A call through a pointer goes to every candidate of the
//!   [`CallGraph`]; if there is none, it is passed over, which may add paths but loses none.
//! * `exit`, `abort`, traps and faults end a path like a return from the start does. `assume` and
//!   faults do not cut paths: the automaton is about control flow alone.
//!
//! Without its stack ([`Pda::without_stack`](idiolect_automata::Pda::without_stack)) it is the
//! over-approximation B_O of §10: a return may go to any return point of the function.

use crate::callgraph::CallGraph;
use crate::locations::Location;
use crate::program::{FuncId, MarkId, Program};
use crate::stmt::{BlockId, StmtKind, TerminatorKind};
use idiolect_automata::{Letter, Nfa, Pda, StackSymbol, StateId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Which steps of a path are letters; all others are λ.
pub trait Labels {
    fn n_letters(&self) -> usize;

    /// The letter of the branch at the end of the block coming out like this.
    fn decision(&self, function: FuncId, block: BlockId, outcome: bool) -> Option<Letter>;

    /// The letter of a call that enters the function.
    fn entry(&self, _function: FuncId) -> Option<Letter> {
        None
    }

    /// The letter of a mark that happens.
    fn mark(&self, _mark: MarkId) -> Option<Letter> {
        None
    }
}

/// Which paths count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Acceptance<'a> {
    /// Those that reach one of these locations; whatever follows is read, as in Definition 1.
    Errors(&'a [Location]),
    /// Those that reach one of these locations and end there with this letter.
    ErrorsThen(&'a [Location], Letter),
    /// Those that end the program: by a return from the start, `exit` or `abort`.
    Ends,
    /// All, complete or not.
    Prefixes,
}

/// The paths from a start function on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathAutomaton {
    pda: Pda,
    locations: Vec<Option<Location>>,
}

impl PathAutomaton {
    /// The paths of a well-formed program from the entry of `start`, whose callers do not matter.
    pub fn new(
        program: &Program,
        calls: &CallGraph,
        start: FuncId,
        labels: &dyn Labels,
        acceptance: Acceptance<'_>,
    ) -> Self {
        Builder::new(program, calls, labels, acceptance).build(start)
    }

    pub fn pda(&self) -> &Pda {
        &self.pda
    }

    /// The finite automaton that forgets the stack and accepts at least as much.
    pub fn without_stack(&self) -> Nfa {
        self.pda.without_stack()
    }

    /// The location that a state stands for: the path is about to do what is there. `None` for
    /// states before the first and after the last location, and between a return and its return
    /// point.
    pub fn location(&self, state: StateId) -> Option<Location> {
        self.locations[state.index()]
    }

    /// Whether no path from the start calls a function, so that the automaton never uses its
    /// stack and is finite: then [`without_stack`](Self::without_stack) is exact.
    pub fn is_finite(&self) -> bool {
        self.pda.transitions().iter().all(|t| t.push.is_none())
    }
}

struct Builder<'a> {
    program: &'a Program,
    calls: &'a CallGraph,
    labels: &'a dyn Labels,
    acceptance: Acceptance<'a>,
    errors: BTreeSet<Location>,
    pda: Pda,
    locations: Vec<Option<Location>>,
    states: FxHashMap<Location, StateId>,
    todo: Vec<(Location, StateId)>,
    /// The states of each function's returns, and the states that its calls return to.
    returns: Vec<Vec<StateId>>,
    return_points: Vec<Vec<StateId>>,
    /// Where [`Acceptance::ErrorsThen`] ends.
    last: Option<StateId>,
}

impl<'a> Builder<'a> {
    fn new(
        program: &'a Program,
        calls: &'a CallGraph,
        labels: &'a dyn Labels,
        acceptance: Acceptance<'a>,
    ) -> Self {
        let errors = match acceptance {
            Acceptance::Errors(errors) | Acceptance::ErrorsThen(errors, _) => {
                errors.iter().copied().collect()
            }
            _ => BTreeSet::new(),
        };
        let n = program.functions.len();
        Self {
            program,
            calls,
            labels,
            acceptance,
            errors,
            pda: Pda::new(labels.n_letters()),
            locations: Vec::new(),
            states: FxHashMap::default(),
            todo: Vec::new(),
            returns: vec![Vec::new(); n],
            return_points: vec![Vec::new(); n],
            last: None,
        }
    }

    fn build(mut self, start: FuncId) -> PathAutomaton {
        let entry = self.state(Location::entry(start));
        self.pda.set_initial(entry);
        let can_be_called = !self.calls.callers(start).is_empty();
        if self.acceptance == Acceptance::Ends && can_be_called {
            // Only the outermost return ends the program: mark the bottom of the stack.
            let (initial, last) = (self.extra_state(), self.extra_state());
            self.pda
                .add_transition(initial, None, None, Some(symbol(last)), entry);
            self.pda.set_initial(initial);
            self.pda.set_accepting(last, true);
            self.return_points[start.index()].push(last);
        }
        let returns_end = self.acceptance == Acceptance::Ends && !can_be_called;
        while let Some((location, state)) = self.todo.pop() {
            let is_end = returns_end && location.function == start;
            self.stretch(location, state, is_end);
        }
        for function in 0..self.returns.len() {
            self.link_returns(function);
        }
        PathAutomaton {
            pda: self.pda,
            locations: self.locations,
        }
    }

    /// The state of a location, made on first use.
    fn state(&mut self, location: Location) -> StateId {
        if let Some(&state) = self.states.get(&location) {
            return state;
        }
        let state = self.pda.add_state(self.acceptance == Acceptance::Prefixes);
        self.locations.push(Some(location));
        self.states.insert(location, state);
        self.todo.push((location, state));
        state
    }

    fn step(&mut self, from: StateId, letter: Option<Letter>, to: Location) {
        let to = self.state(to);
        self.pda.add_transition(from, letter, None, None, to);
    }

    /// What can be done from here up to the next location that has a state of its own.
    fn stretch(&mut self, location: Location, state: StateId, return_is_end: bool) {
        let function = location.function;
        let block = self.program.function(function).block(location.block);
        let mut here = location;
        loop {
            if self.errors.contains(&here) {
                if here != location {
                    self.step(state, None, here);
                    return;
                }
                self.error(state);
                if matches!(self.acceptance, Acceptance::Errors(_)) {
                    return;
                }
                // What may fault need not: the path goes on, too.
            }
            let Some(stmt) = block.stmts.get(here.index) else {
                break;
            };
            match &stmt.kind {
                StmtKind::Mark { mark, condition } => {
                    if let Some(letter) = self.labels.mark(*mark) {
                        self.step(state, Some(letter), here.next());
                        if condition.is_some() {
                            self.step(state, None, here.next());
                        }
                        return;
                    }
                }
                StmtKind::Call { .. } if self.call(here, state) => return,
                _ => {}
            }
            here = here.next();
        }
        let target = |block| Location::start_of(function, block);
        match block.terminator.kind {
            TerminatorKind::Goto(to) => self.step(state, None, target(to)),
            TerminatorKind::Branch {
                then, otherwise, ..
            } => {
                for (outcome, to) in [(true, then), (false, otherwise)] {
                    let letter = self.labels.decision(function, location.block, outcome);
                    self.step(state, letter, target(to));
                }
            }
            TerminatorKind::Return(_) => {
                self.returns[function.index()].push(state);
                if return_is_end {
                    self.pda.set_accepting(state, true);
                }
            }
            TerminatorKind::Exit(_) | TerminatorKind::Abort => {
                if self.acceptance == Acceptance::Ends {
                    self.pda.set_accepting(state, true);
                }
            }
            TerminatorKind::Error(_) | TerminatorKind::Trap(_) | TerminatorKind::Fault(_) => {}
        }
    }

    /// Lets the returns of a function pop any of its return points.
    fn link_returns(&mut self, function: usize) {
        let returns = std::mem::take(&mut self.returns[function]);
        let from = match returns[..] {
            [] => return,
            [only] => only,
            // One common exit makes transitions the sum and not the product of returns and calls.
            _ => {
                let exit = self.extra_state();
                for from in returns {
                    self.pda.add_transition(from, None, None, None, exit);
                }
                exit
            }
        };
        for to in std::mem::take(&mut self.return_points[function]) {
            self.pda
                .add_transition(from, None, Some(symbol(to)), None, to);
        }
    }

    /// A state that stands for no location.
    fn extra_state(&mut self) -> StateId {
        self.locations.push(None);
        self.pda.add_state(false)
    }

    /// Adds the transitions of a call of functions; false for a builtin, and for a call that is
    /// passed over.
    fn call(&mut self, at: Location, state: StateId) -> bool {
        let sites = self.calls.sites(at.function);
        let found = sites.binary_search_by_key(&(at.block, at.index), |s| (s.block, s.index));
        let Ok(site) = found else {
            return false;
        };
        let callees = &sites[site].callees;
        if callees.is_empty() {
            return false;
        }
        let back = self.state(at.next());
        for &callee in callees {
            let letter = self.labels.entry(callee);
            let entry = self.state(Location::entry(callee));
            self.pda
                .add_transition(state, letter, None, Some(symbol(back)), entry);
            self.return_points[callee.index()].push(back);
        }
        true
    }

    fn error(&mut self, state: StateId) {
        match self.acceptance {
            Acceptance::ErrorsThen(_, letter) => {
                let last = self.last.unwrap_or_else(|| self.extra_state());
                self.last = Some(last);
                self.pda.set_accepting(last, true);
                self.pda
                    .add_transition(state, Some(letter), None, None, last);
            }
            _ => {
                self.pda.set_accepting(state, true);
                for letter in (0..self.labels.n_letters()).map(Letter::new) {
                    self.pda
                        .add_transition(state, Some(letter), None, None, state);
                }
            }
        }
    }
}

/// As in the paper, the stack alphabet is the set of states.
fn symbol(state: StateId) -> StackSymbol {
    StackSymbol(state.0)
}

#[cfg(test)]
pub(crate) mod reference;
