//! A symbolic state: where a run may be, and what it has there.

use crate::guard::{GuardId, Guards};
use crate::memory::{Memory, ObjectInfo};
use idiolect_smt::{TermId, Terms};
use std::rc::Rc;

#[derive(Clone)]
pub(crate) struct State {
    pub(crate) guard: GuardId,
    /// By local of the running function: its value, or, for a memory local, its address.
    pub(crate) registers: Vec<TermId>,
    pub(crate) memory: Memory,
    /// One-hot: how many events there were so far. Empty if nobody listens.
    pub(crate) position: Rc<Vec<TermId>>,
}

impl State {
    pub(crate) fn is_dead(&self) -> bool {
        self.guard.is_dead()
    }

    /// The state of runs that are in either.
    pub(crate) fn merge(
        terms: &mut Terms,
        guards: &mut Guards,
        infos: &[ObjectInfo],
        a: State,
        b: State,
    ) -> State {
        if a.is_dead() {
            return b;
        }
        if b.is_dead() {
            return a;
        }
        let (guard, selector) = guards.join(terms, a.guard, b.guard);
        let merge_all = |terms: &mut Terms, mut x: Vec<TermId>, y: &[TermId]| {
            for (left, &right) in x.iter_mut().zip(y) {
                if *left != right {
                    *left = terms.ite(selector, *left, right);
                }
            }
            x
        };
        let registers = merge_all(terms, a.registers, &b.registers);
        let position = if Rc::ptr_eq(&a.position, &b.position) {
            a.position
        } else {
            Rc::new(merge_all(terms, (*a.position).clone(), &b.position))
        };
        let memory = Memory::merged(terms, infos, selector, &a.memory, &b.memory);
        State {
            guard,
            registers,
            memory,
            position,
        }
    }
}
