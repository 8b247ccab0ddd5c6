//! What an encoding says: everything that can happen in a run, with the condition under which it
//! does, in the order in which a run would come to it.

use crate::apart::Places;
use crate::encoder::{Rounds, UnwindSite};
use crate::memory::ObjectKind;
use crate::prune::Possible;
use crate::variables::Variables;
use idiolect_base::{Budget, StopReason};
use idiolect_ir::events::EventSite;
use idiolect_ir::{
    AssumptionKind, BlockId, ErrorKind, FaultKind, FuncId, InputId, Location, Program, Ty,
};
use idiolect_smt::{Evaluator, Model, TermId, Terms};
use std::collections::BTreeMap;
use std::ops::Range;

/// Why a run needs a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InputOrigin {
    Site(InputId),
    /// Memory is read that nobody wrote.
    Unwritten {
        object: ObjectKind,
        offset: u32,
        size: u32,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputRecord {
    pub guard: TermId,
    pub origin: InputOrigin,
    pub ty: Ty,
    /// The bits.
    pub value: TermId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DecisionRecord {
    pub guard: TermId,
    /// Holds if the outcome is 1.
    pub taken: TermId,
    pub function: FuncId,
    pub block: BlockId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EventRecord {
    pub guard: TermId,
    pub site: EventSite,
}

/// Why a run is followed no further.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gap {
    /// [`Bound`](AssumptionKind::Bound) or [`Unmodelled`](AssumptionKind::Unmodelled).
    pub kind: AssumptionKind,
    /// What it is, in words.
    pub text: String,
    /// The index in [`Program::assumptions`], if it is one of the program and not of this engine.
    pub assumption: Option<u32>,
}

impl Gap {
    /// Something that this engine does not model.
    pub(crate) fn engine(text: &str) -> Self {
        Self {
            kind: AssumptionKind::Unmodelled,
            text: text.to_owned(),
            assumption: None,
        }
    }

    /// An assumption of the program that runs come to.
    pub(crate) fn assumption(program: &Program, index: u32) -> Self {
        let assumption = program.assumptions.get(index as usize);
        Self {
            kind: assumption.map_or(AssumptionKind::Unmodelled, |a| a.kind),
            text: assumption.map_or(String::new(), |a| a.text.clone()),
            assumption: Some(index),
        }
    }
}

impl std::fmt::Display for Gap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

/// How a run ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EndKind {
    Error(ErrorKind),
    Fault(FaultKind),
    /// With this status.
    Exit(TermId),
    Abort,
    /// An assumption does not hold.
    AssumeEnded,
    /// An automatic object of 2 GiB or more: no machine has a stack for it, and `interp` stops.
    OutOfMemory,
    /// C or a situation that is not modelled, or something beyond a bound.
    Trap(Gap),
    /// The unwinding with this number was not allowed, of this loop or recursion.
    Bound(u32, UnwindSite),
    /// A loop or recursion with a bound of its own has reached it.
    OwnBound(UnwindSite),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndRecord {
    pub guard: TermId,
    pub kind: EndKind,
    pub place: Location,
    /// One-hot: the number of events before; empty if nobody listens.
    pub position: Vec<TermId>,
}

/// A program up to a bound, as formulas.
pub struct Encoding {
    pub terms: Terms,
    /// `unwind[k]` allows back edge number `k + 1` of a loop in one visit of it, and the
    /// `k + 1`-st activation of a function inside its own.
    pub unwind: Vec<TermId>,
    pub inputs: Vec<InputRecord>,
    /// By input, one-hot: the number of events before it; empty if nobody listens.
    pub input_positions: Vec<Vec<TermId>>,
    pub decisions: Vec<DecisionRecord>,
    pub events: Vec<EventRecord>,
    pub ends: Vec<EndRecord>,
    /// By loop or recursion that was unwound: what its rounds were like.
    pub rounds: BTreeMap<UnwindSite, Rounds>,
    /// Values that a run computes and this encoding leaves open, such as the result of `printf`,
    /// each with the condition under which it is made. A model that depends on one may fail to
    /// be a run.
    pub approximations: Vec<(TermId, TermId)>,
    /// Where this encoding puts objects. Runs put them elsewhere, so an input with a value from here may
    /// be an address in a model and none in a run.
    pub(crate) occupied: Range<u64>,
    pub(crate) pointer_width: u8,
    /// With [`relax_conditions`](crate::Config::relax_conditions): by branch, the assumption that
    /// its condition is as written. A core of these names the branches that stand in the way.
    pub conditions: Vec<(Location, TermId)>,
    /// By position and letter: the condition under which the event there is this one.
    pub letters: Vec<Vec<TermId>>,
    /// One path was followed, and it goes on.
    pub(crate) is_left: bool,
    pub(crate) variables: Variables,
    /// Objects whose size depends on inputs: the condition under which they are made, and the size.
    pub(crate) sizes: Vec<(TermId, TermId)>,
    /// What is known of path conditions at rounds of loops.
    pub(crate) possible: Possible,
    /// What decides where runs go, if states were kept apart.
    pub(crate) places: Places,
    pub statistics: EncodingStatistics,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EncodingStatistics {
    /// Statements and terminators encoded.
    pub steps: u64,
    pub merges: u64,
    pub objects: u64,
    /// Calls that were inlined.
    pub calls: u64,
    /// States that were kept apart from others where they met.
    pub kept_apart: u64,
}

/// The value of an input in one run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputValue {
    pub origin: InputOrigin,
    pub ty: Ty,
    /// Zero-extended.
    pub bits: u128,
}

impl Encoding {
    /// Assumptions for at most `bound` unwindings. `bound` is at most the number of unwindings that
    /// the encoding was made for.
    pub fn bound(&mut self, bound: usize) -> Vec<TermId> {
        let mut list: Vec<TermId> = self.unwind[..bound.min(self.unwind.len())].to_vec();
        if let Some(&beyond) = self.unwind.get(bound) {
            list.push(self.terms.not(beyond));
        }
        list
    }

    /// The one assumption that no loop or recursion goes beyond `bound` unwindings; plain truth if
    /// the encoding itself goes no further.
    ///
    /// It is enough where one asks for a run: that a run exists does not depend on the literals of
    /// unwindings that it does not have. So a question refuted by a core without this literal is
    /// refuted for every bound up to that of the encoding, and one refuted with it for every smaller
    /// one. What [`bound`](Self::bound) adds are the unwindings that *are* allowed, which keeps a
    /// model from cutting a run short where one asks how a run goes on.
    pub fn bound_literal(&mut self, bound: usize) -> TermId {
        match self.unwind.get(bound) {
            Some(&beyond) => self.terms.not(beyond),
            None => self.terms.tt(),
        }
    }

    /// Holds in runs whose objects of symbolic size have at most so many bytes each. What is asked
    /// under it first gives runs that a machine has the memory for, where there are any.
    pub fn small_objects(&mut self, bytes: u64) -> TermId {
        let mut all = self.terms.tt();
        for i in 0..self.sizes.len() {
            let (made, size) = self.sizes[i];
            let width = self.terms.width(size);
            let most = self.terms.bv(u128::from(bytes), width);
            let is_large = self.terms.ult(most, size);
            let is_large = self.terms.and(made, is_large);
            let is_small = self.terms.not(is_large);
            all = self.terms.and(all, is_small);
        }
        all
    }

    /// The largest bound that can be asked about.
    pub fn max_bound(&self) -> usize {
        self.unwind.len()
    }

    /// Holds in runs that end in a way that `wanted` picks.
    pub fn any_end(&mut self, mut wanted: impl FnMut(&EndKind) -> bool) -> TermId {
        let picked: Vec<TermId> = self
            .ends
            .iter()
            .filter(|e| wanted(&e.kind))
            .map(|e| e.guard)
            .collect();
        self.terms.or_all(&picked)
    }

    /// The unwinding assertion's negation: some run wants to go beyond `bound`, or beyond a bound
    /// that a loop has of its own.
    pub fn exceeds(&mut self, bound: usize) -> TermId {
        self.any_end(|kind| match kind {
            EndKind::Bound(level, _) => *level as usize == bound,
            EndKind::OwnBound(_) => true,
            _ => false,
        })
    }

    /// The inputs of the run that a model describes, in the order in which the run uses them.
    pub fn inputs_of(&self, model: &Model) -> Vec<InputValue> {
        let mut evaluator = Evaluator::new(&self.terms, model);
        self.inputs
            .iter()
            .filter(|i| evaluator.eval_bool(i.guard))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|i| InputValue {
                origin: i.origin,
                ty: i.ty,
                bits: evaluator.eval(i.value),
            })
            .collect()
    }

    /// The decisions of the run that a model describes.
    pub fn decisions_of(&self, model: &Model) -> Vec<(FuncId, BlockId, bool)> {
        let mut evaluator = Evaluator::new(&self.terms, model);
        let mut list = Vec::new();
        for d in &self.decisions {
            if evaluator.eval_bool(d.guard) {
                list.push((d.function, d.block, evaluator.eval_bool(d.taken)));
            }
        }
        list
    }

    /// How the run that a model describes ends.
    pub fn end_of(&self, model: &Model) -> Option<&EndRecord> {
        let mut evaluator = Evaluator::new(&self.terms, model);
        self.ends.iter().find(|e| evaluator.eval_bool(e.guard))
    }

    /// Of the ends that `wanted` picks, the one of the run that a model describes.
    pub fn end_among(
        &self,
        model: &Model,
        mut wanted: impl FnMut(&EndKind) -> bool,
        budget: &Budget,
    ) -> Result<Option<&EndRecord>, StopReason> {
        let mut evaluator = Evaluator::new(&self.terms, model);
        for end in self.ends.iter().filter(|e| wanted(&e.kind)) {
            if evaluator.eval_within(end.guard, budget)? != 0 {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    /// Whether the run passes a value that the encoding leaves open, or takes an input that is an
    /// address here and need not be one there.
    pub fn is_approximate(&self, model: &Model) -> bool {
        let mut evaluator = Evaluator::new(&self.terms, model);
        let mut open = self.approximations.iter();
        open.any(|&(guard, _)| evaluator.eval_bool(guard))
            || self.inputs_of(model).iter().any(|input| {
                let may_be_address = match input.ty {
                    Ty::Int(width) => width >= self.pointer_width,
                    other => other == Ty::Ptr,
                };
                let bits = u64::try_from(input.bits);
                may_be_address && bits.is_ok_and(|bits| self.occupied.contains(&bits))
            })
    }
}
