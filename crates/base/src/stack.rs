//! Room for recursion.
//!
//! Programs nest as deep as their authors like, and whoever walks them recurses as deep. A thread
//! with a large stack makes the limits generous; the system commits only pages that are touched.

use std::cell::Cell;
use std::io;
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Bytes of a deep stack.
const DEEP: usize = 1 << 30;
/// Less is still better than an ordinary stack, where the address space is limited.
const LESS: [usize; 2] = [1 << 28, 1 << 26];

thread_local! {
    static IS_DEEP: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread has a deep stack.
pub fn is_deep() -> bool {
    IS_DEEP.get()
}

/// Runs `work` on a thread with a deep stack, which may be this one, or says that there is none to
/// be had by giving it back. A panic goes on here.
pub fn try_deep_stack<R: Send, W: FnOnce() -> R + Send>(work: W) -> Result<R, W> {
    if is_deep() {
        Ok(work())
    } else {
        on_stack(DEEP, true, work)
    }
}

/// The same, on a smaller stack if need be; then [`is_deep`] says no.
pub fn deep_stack<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let mut waiting = match try_deep_stack(work) {
        Ok(result) => return result,
        Err(work) => work,
    };
    for size in LESS {
        waiting = match on_stack(size, false, waiting) {
            Ok(result) => return result,
            Err(work) => work,
        };
    }
    waiting()
}

/// A worker with a deep stack.
pub fn spawn_deep<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    Builder::new().stack_size(DEEP).spawn_scoped(scope, || {
        IS_DEEP.set(true);
        work()
    })
}

fn on_stack<R: Send, W: FnOnce() -> R + Send>(size: usize, deep: bool, work: W) -> Result<R, W> {
    let mut work = Some(work);
    let done = std::thread::scope(|scope| {
        let waiting = &mut work;
        let thread = Builder::new().stack_size(size);
        let spawned = thread.spawn_scoped(scope, move || {
            IS_DEEP.set(deep);
            waiting.take().map(|work| work())
        });
        match spawned.map(ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => None,
        }
    });
    match (done, work) {
        (Some(result), _) => Ok(result),
        (None, Some(work)) => Err(work),
        (None, None) => unreachable!("work that was taken has been done"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(n: u64) -> u64 {
        let room = std::hint::black_box([n; 64]);
        if n == 0 {
            0
        } else {
            depth(n - 1) + room[1].min(1)
        }
    }

    #[test]
    fn a_deep_stack_is_deep_and_shared() {
        let here = std::thread::current().id();
        let inner = || std::thread::current().id();
        let (outer, shared) = deep_stack(|| (std::thread::current().id(), deep_stack(inner)));
        assert!(outer != here && outer == shared);
        assert!(deep_stack(is_deep) && !is_deep());
        assert_eq!(deep_stack(|| depth(200_000)), 200_000);
    }

    #[test]
    fn workers_know_their_stack() {
        let deep = std::thread::scope(|scope| spawn_deep(scope, is_deep).map(|t| t.join().ok()));
        assert!(matches!(deep, Ok(Some(true))));
    }
}
