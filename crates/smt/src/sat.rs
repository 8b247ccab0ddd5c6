//! The narrow interface to a SAT solver. One file beside this one for each back end.

use idiolect_base::{Budget, StopReason};

/// A literal in the manner of DIMACS: the variable's number (from 1), negative if negated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lit(i32);

impl Lit {
    /// The literal with this DIMACS number, which is neither 0 nor the smallest `i32`.
    pub fn from_dimacs(number: i32) -> Self {
        assert!(number != 0 && number != i32::MIN, "not a literal: {number}");
        Self(number)
    }

    #[inline]
    pub fn dimacs(self) -> i32 {
        self.0
    }

    /// The variable, counted from 0.
    #[inline]
    pub fn variable(self) -> u32 {
        self.0.unsigned_abs() - 1
    }

    #[inline]
    pub fn is_negative(self) -> bool {
        self.0 < 0
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    #[inline]
    fn not(self) -> Lit {
        Lit(-self.0)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SatResult {
    Sat,
    Unsat,
    Unknown(StopReason),
}

/// What a SAT solver has done since it was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SatStatistics {
    pub conflicts: u64,
    pub decisions: u64,
    pub propagations: u64,
}

/// An incremental CDCL solver. Clauses stay for ever; assumptions hold for one call.
///
/// `solve` stops when `budget` says so: one step is one conflict, and the clock and the canceller
/// are looked at often enough to come back within 100 ms. It takes one step plus one for each
/// conflict from the budget. The same calls in the same order give the same answers and models, as
/// long as the clock and the canceller do not cut in.
pub trait SatSolver {
    fn new_var(&mut self) -> Lit;

    fn add_clause(&mut self, clause: &[Lit]);

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatResult;

    /// Whether `lit` holds in the model. Only directly after `solve` returned `Sat`.
    fn value(&mut self, lit: Lit) -> bool;

    /// Whether the assumption `lit` is in the core. Only directly after `solve` returned `Unsat`.
    fn failed(&mut self, lit: Lit) -> bool;

    fn statistics(&self) -> SatStatistics;
}

/// Takes the conflicts of one call from the budget; a budget that they exceed is used up. The answer
/// stands all the same.
pub(crate) fn settle(budget: &Budget, conflicts: u64) {
    let _ = budget.spend(conflicts.min(budget.steps_left()));
}
