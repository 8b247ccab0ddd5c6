//! What makes an answer uncertain: C that is not modelled, and faults.

use crate::session::{Bounds, ModelDoubt, Session, is_bound};
use idiolect_base::{Budget, StopReason};
use idiolect_interp::End;
use idiolect_smt::{Outcome, TermId};
use idiolect_symex::{EndKind, EndRecord};

/// Of a large encoding, so many ends are asked about at a time.
const ENDS_AT_A_TIME: usize = 16;
/// And whether one of them is a fault may take so many conflicts.
const FAULT_CONFLICTS: u64 = 10_000;

impl Session<'_> {
    /// What makes the answer uncertain: asked within the bounds that something is said of.
    pub fn doubts(&mut self, bounds: &Bounds) -> Vec<ModelDoubt> {
        let mut doubts = Vec::new();
        if !self.teacher.doubtful.is_empty() {
            doubts.push(ModelDoubt::Approximate);
        }
        // Where bounds have settled, the promise goes up to the largest ones.
        let unwind = if bounds.converged {
            self.options().max_unwind
        } else {
            bounds.unwind
        };
        let bounds = &Bounds { unwind, ..*bounds };
        let is_trap = |kind: &EndKind| matches!(kind, EndKind::Trap(gap) if !is_bound(gap));
        match self.reachable_run(bounds, is_trap) {
            Ok(Some((end, _))) => {
                if let EndKind::Trap(gap) = end.kind {
                    doubts.push(ModelDoubt::Trap(gap.text, end.place));
                }
            }
            Ok(None) => {}
            Err(reason) => doubts.push(ModelDoubt::Unsettled(reason)),
        }
        let mut known: Vec<String> = Vec::new();
        loop {
            let is_new = |kind: &EndKind| matches!(kind, EndKind::Trap(gap) if is_bound(gap) && !known.contains(&gap.text));
            let end = match self.reachable_run(bounds, is_new) {
                Ok(Some((end, _))) => end,
                Ok(None) => break,
                Err(reason) => {
                    doubts.push(ModelDoubt::Unsettled(reason));
                    break;
                }
            };
            if let EndKind::Trap(gap) = end.kind {
                known.push(gap.text.clone());
                doubts.push(ModelDoubt::Bound(gap.text, end.place));
            }
        }
        doubts
    }

    /// A fault within the bounds: runs end there, and what would come after is not in the language.
    /// It is replayed: one that the run does not have is a doubt.
    pub fn fault(&mut self, bounds: &Bounds) -> Option<Result<EndRecord, ModelDoubt>> {
        let is_fault = |kind: &EndKind| matches!(kind, EndKind::Fault(_));
        // That no run faults can be the hardest question of all, and words are those of runs up to a fault in any case.
        let budget = if self.teacher.is_expensive() {
            self.teacher.budget.share(FAULT_CONFLICTS)
        } else {
            self.teacher.budget.clone()
        };
        let (end, inputs) = match self.reachable_run_within(bounds, is_fault, &budget) {
            Ok(run) => run?,
            Err(reason) => return Some(Err(ModelDoubt::Unsettled(reason))),
        };
        let replay = self.teacher.replayer.run(&inputs);
        let is_confirmed = match (&end.kind, &replay.outcome.end) {
            (EndKind::Fault(kind), End::Fault(fault)) => *kind == fault.kind,
            _ => false,
        };
        Some(if is_confirmed {
            Ok(end)
        } else {
            Err(ModelDoubt::UnconfirmedFault(end.place))
        })
    }

    /// A run within the bounds that ends in a way that `wanted` picks, and its inputs.
    fn reachable_run(
        &mut self,
        bounds: &Bounds,
        wanted: impl Fn(&EndKind) -> bool,
    ) -> Result<Option<(EndRecord, Vec<u128>)>, StopReason> {
        let budget = self.teacher.budget;
        self.reachable_run_within(bounds, wanted, budget)
    }

    fn reachable_run_within(
        &mut self,
        bounds: &Bounds,
        wanted: impl Fn(&EndKind) -> bool,
        budget: &Budget,
    ) -> Result<Option<(EndRecord, Vec<u128>)>, StopReason> {
        // Of a large encoding, a few ends are asked about at a time, in the order of the program: that no run comes to
        // the earlier ones helps with the later ones.
        let size = if self.teacher.is_expensive() {
            ENDS_AT_A_TIME
        } else {
            usize::MAX
        };
        let symbolic = &mut self.teacher.symbolic;
        let ends = symbolic.encoding.ends.iter();
        let guards: Vec<TermId> = (ends.filter(|end| wanted(&end.kind)))
            .map(|end| end.guard)
            .collect();
        let bound = symbolic.encoding.bound(bounds.unwind);
        for part in guards.chunks(size) {
            let any = symbolic.any(part);
            if symbolic.is_known_false(any) {
                continue;
            }
            let question: Vec<TermId> = bound.iter().copied().chain([any]).collect();
            let model = match symbolic.ask(&question, budget) {
                Outcome::Sat(model) => model,
                Outcome::Unsat(_) => {
                    if part.len() < guards.len() {
                        symbolic.keep_refuted(&bound, part);
                    }
                    continue;
                }
                Outcome::Unknown(reason) => return Err(reason),
            };
            let end = symbolic.encoding.end_among(&model, &wanted, budget)?;
            let inputs = symbolic.encoding.inputs_of(&model);
            return Ok(end.map(|end| (end.clone(), inputs.iter().map(|i| i.bits).collect())));
        }
        Ok(None)
    }
}
