//! The SAT back end CaDiCaL, by Armin Biere and others, through `cadical-sys`.
//!
//! CaDiCaL reads `CADICAL_*` environment variables when a solver is made; the options that matter
//! here are set explicitly afterwards. Bounded variable addition (`factor`) has to stay off: with it,
//! variables would have to be declared to the solver before their first use.

use std::cell::Cell;
use std::rc::Rc;

use cadical_sys::{CaDiCal, Status, Terminator};
use idiolect_base::{Budget, StopReason};

use crate::sat::{Lit, SatResult, SatSolver, SatStatistics, settle};

pub struct Cadical {
    solver: CaDiCal,
    n_vars: i32,
}

impl Default for Cadical {
    fn default() -> Self {
        Self::new()
    }
}

impl Cadical {
    pub fn new() -> Self {
        let mut solver = CaDiCal::new();
        solver.set("factor", 0);
        solver.set("factorcheck", 0);
        Self { solver, n_vars: 0 }
    }

    /// For questions that are mostly answered by no, a few seconds each: the search restarts often
    /// all the time, and clauses are not made smaller between searches.
    pub fn for_refuting() -> Self {
        let mut own = Self::new();
        own.solver.set("stabilize", 0);
        own.solver.set("inprocessing", 0);
        own
    }
}

/// Looks at clock and canceller, and remembers why it said stop.
struct Watch {
    budget: Budget,
    reason: Rc<Cell<Option<StopReason>>>,
}

impl Terminator for Watch {
    fn terminated(&mut self) -> bool {
        if let Err(reason) = self.budget.look() {
            self.reason.set(Some(reason));
            return true;
        }
        false
    }
}

impl SatSolver for Cadical {
    fn new_var(&mut self) -> Lit {
        self.n_vars += 1;
        Lit::from_dimacs(self.n_vars)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        for lit in clause {
            self.solver.add(lit.dimacs());
        }
        self.solver.add(0);
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatResult {
        if let Err(reason) = budget.spend(1).and_then(|()| budget.look()) {
            return SatResult::Unknown(reason);
        }
        for lit in assumptions {
            self.solver.assume(lit.dimacs());
        }
        // A limit holds for one call; above the range of `i32` there is none.
        let limit = i32::try_from(budget.steps_left()).unwrap_or(-1);
        self.solver.limit("conflicts", limit);
        let reason = Rc::new(Cell::new(None));
        self.solver.connect_terminator(Watch {
            budget: budget.clone(),
            reason: Rc::clone(&reason),
        });
        let before = self.statistics().conflicts;
        let status = self.solver.solve();
        self.solver.disconnect_terminator();
        settle(budget, self.statistics().conflicts - before);
        match status {
            Status::SATISFIABLE => SatResult::Sat,
            Status::UNSATISFIABLE => SatResult::Unsat,
            Status::UNKNOWN => SatResult::Unknown(reason.get().unwrap_or(StopReason::Steps)),
        }
    }

    fn value(&mut self, lit: Lit) -> bool {
        self.solver.val(lit.dimacs()) > 0
    }

    fn failed(&mut self, lit: Lit) -> bool {
        self.solver.failed(lit.dimacs())
    }

    fn statistics(&self) -> SatStatistics {
        let read = |name| u64::try_from(self.solver.get_statistic_value(name)).unwrap_or(0);
        SatStatistics {
            conflicts: read("conflicts"),
            decisions: read("decisions"),
            propagations: read("propagations"),
        }
    }
}
