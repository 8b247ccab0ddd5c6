//! The SAT back end batsat, a MiniSat in Rust, by Masaki Hara and Simon Cruanes.

use std::cell::Cell;

use batsat::{Callbacks, ClauseKind, Solver, SolverInterface, SolverOpts, Var, lbool};
use idiolect_base::{Budget, StopReason};

use crate::sat::{Lit, SatResult, SatSolver, SatStatistics, settle};

/// Batsat asks `stop` at every decision; the clock is looked at once in so many.
const STOPS_PER_LOOK: u32 = 64;

pub struct Batsat {
    solver: Solver<Watch>,
}

#[derive(Default)]
struct Watch {
    budget: Option<Budget>,
    /// Learned clauses of this call: one for each conflict but those at the root.
    conflicts: u64,
    calls: Cell<u32>,
    reason: Cell<Option<StopReason>>,
}

impl Callbacks for Watch {
    fn on_new_clause(&mut self, _: &[batsat::Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            self.conflicts += 1;
        }
    }

    fn stop(&self) -> bool {
        if self.reason.get().is_some() {
            return true;
        }
        let Some(budget) = &self.budget else {
            return false;
        };
        if self.conflicts > budget.steps_left() {
            self.reason.set(Some(StopReason::Steps));
            return true;
        }
        self.calls.set(self.calls.get() + 1);
        if self.calls.get() >= STOPS_PER_LOOK {
            self.calls.set(0);
            self.reason.set(budget.look().err());
        }
        self.reason.get().is_some()
    }
}

impl Default for Batsat {
    fn default() -> Self {
        Self::new()
    }
}

impl Batsat {
    pub fn new() -> Self {
        Self {
            solver: Solver::new(SolverOpts::default(), Watch::default()),
        }
    }
}

fn convert(lit: Lit) -> batsat::Lit {
    batsat::Lit::new(Var::unsafe_from_idx(lit.variable()), !lit.is_negative())
}

impl SatSolver for Batsat {
    fn new_var(&mut self) -> Lit {
        let var = self.solver.new_var_default();
        Lit::from_dimacs(var.idx() as i32 + 1)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        let mut clause: Vec<_> = clause.iter().copied().map(convert).collect();
        self.solver.add_clause_reuse(&mut clause);
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatResult {
        if let Err(reason) = budget.spend(1).and_then(|()| budget.look()) {
            return SatResult::Unknown(reason);
        }
        *self.solver.cb_mut() = Watch {
            budget: Some(budget.clone()),
            ..Watch::default()
        };
        let assumptions: Vec<_> = assumptions.iter().copied().map(convert).collect();
        let before = self.solver.num_conflicts();
        let status = self.solver.solve_limited(&assumptions);
        settle(budget, self.solver.num_conflicts() - before);
        if status == lbool::TRUE {
            SatResult::Sat
        } else if status == lbool::FALSE {
            SatResult::Unsat
        } else {
            SatResult::Unknown(self.solver.cb().reason.get().unwrap_or(StopReason::Steps))
        }
    }

    fn value(&mut self, lit: Lit) -> bool {
        self.solver.value_lit(convert(lit)) == lbool::TRUE
    }

    fn failed(&mut self, lit: Lit) -> bool {
        // Batsat keeps the final conflict as a clause, so with the assumptions negated.
        self.solver.unsat_core_contains_lit(convert(!lit))
    }

    fn statistics(&self) -> SatStatistics {
        SatStatistics {
            conflicts: self.solver.num_conflicts(),
            decisions: self.solver.num_decisions(),
            propagations: self.solver.num_propagations(),
        }
    }
}
