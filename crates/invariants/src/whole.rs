//! Assertions of a whole program, where formulas about its arrays and lists are not enough for them: abstract states
//! ([`idiolect_prove::states`]) know cells that are linked one after the other, in whatever way and to whatever else.

use idiolect_base::Budget;
use idiolect_ir::{Program, Property};
use idiolect_prove::states;

/// Work without a time limit.
const WORK: u64 = 20_000_000;

/// If no run of the program has a failing assertion or leaves an object: the number of states that describe all
/// runs. At most a quarter of the time is for it.
pub fn holds(program: &Program, budget: &Budget) -> Option<u64> {
    let config = states::Config {
        properties: vec![Property::Assert],
        ..states::Config::default()
    };
    let own = match budget.deadline() {
        Some(_) => budget.half_the_time().half_the_time(),
        None => budget.share(WORK),
    };
    states::prove(program, &config, &own).result.ok()
}
