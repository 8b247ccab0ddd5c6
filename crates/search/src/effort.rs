//! Parts of a budget that do not depend on what others took from it.

use idiolect_base::Budget;

/// A conflict of a solver costs about as much as so many terms or statements.
pub const WORK_PER_CONFLICT: u64 = 50;

/// So many steps, with the deadline and the canceller of `budget` but not its steps: what is done
/// with it is the same whatever was done before.
pub fn part(budget: &Budget, steps: u64) -> Budget {
    let own = Budget::steps(steps).cancelled_by(budget.canceller());
    match budget.deadline() {
        Some(deadline) => own.until(deadline),
        None => own,
    }
}
