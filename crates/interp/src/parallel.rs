//! Many runs of one program at once.

use crate::input::InputSource;
use crate::machine::{Compiled, Machine, RunOptions};
use crate::observe::Observer;
use crate::outcome::Outcome;
use idiolect_base::Budget;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs `0..n`, each with a source and an observer of its own, on all cores. Results come in the
/// order of the runs and do not depend on the number of cores. Each run may take as many steps as
/// the budget had in the beginning; deadline and canceller are those of the budget.
pub fn run_many<S, O>(
    compiled: &Compiled,
    options: RunOptions,
    n: usize,
    budget: &Budget,
    make: impl Fn(usize) -> (S, O) + Sync,
) -> Vec<(Outcome, O)>
where
    S: InputSource,
    O: Observer + Send,
{
    let n_threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let n_threads = n_threads.min(n.div_ceil(64)).max(1);
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(n));
    // Threads take small batches, so that one long run does not keep the others waiting.
    let batch = (n / (n_threads * 8)).clamp(1, 256);
    let steps = budget.steps_left();
    let work = |budget: Budget| {
        let mut machine = Machine::new(compiled, options);
        loop {
            let first = next.fetch_add(batch, Ordering::Relaxed);
            if first >= n {
                return;
            }
            let done: Vec<(usize, (Outcome, O))> = (first..n.min(first + batch))
                .map(|i| {
                    let (mut source, mut observer) = make(i);
                    let outcome = machine.run(&mut source, &mut observer, &budget.share(steps));
                    (i, (outcome, observer))
                })
                .collect();
            if let Ok(mut results) = results.lock() {
                results.extend(done);
            }
        }
    };
    if n_threads == 1 {
        work(budget.clone());
    } else {
        std::thread::scope(|scope| {
            for _ in 0..n_threads {
                let budget = budget.clone();
                scope.spawn(|| work(budget));
            }
        });
    }
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|(i, _)| *i);
    results.into_iter().map(|(_, result)| result).collect()
}
