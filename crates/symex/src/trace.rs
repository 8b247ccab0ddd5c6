//! A trace as guarded commands, and the predicate transformers along it.
//!
//! A trace is what a run does along given decisions, through calls: a list of [`Step`]s that assume a
//! condition or give new values to variables. A *state variable* is a term that stands for the value
//! of one place, a local of one activation or a piece of memory, wherever it occurs; so the
//! terms of a step speak of the state before it. What is drawn on the way (inputs, and values that
//! are kept aside) are variables that never change.
//!
//! | in FL and elsewhere | here |
//! |---|---|
//! | `x := e` | [`Action::Assign`] with one [`Update`]; a statement that writes several places, or one of several, has more, all at once |
//! | `havoc(x)` | the same, with a drawn variable as value |
//! | `assume(c)` | [`Action::Assume`]: decisions, assumptions, and that no fault ends the run |
//! | `pre(c, st)`, some run from here gets to `c` | [`Trace::pre`], drawn variables read existentially |
//! | `wp(c, st)`, every run from here gets to `c` | [`Trace::wp`], drawn variables read universally |
//! | `sp(c, st)` | [`Trace::sp`] |
//! | trace formula | [`Trace::formula`] |
//!
//! # Limits
//!
//! Pointers are followed as far as they are known along the trace: to an object and an offset that may
//! be any term. So an update of a pointer has [`is_followed`](Update::is_followed): what comes
//! after it already rests on its value, and the transformers must not be asked what another value
//! would have done. An access through a pointer that is not known (an input, or an integer) is
//! [`TraceError::NotSupported`].

use crate::encoder::{Config, Pool, Script, encode_with};
use crate::memory::ObjectKind;
use crate::record::{EndKind, InputRecord, InputValue};
use crate::recorder::Recorder;
use idiolect_base::{Budget, StopReason};
use idiolect_ir::{FuncId, LocalId, Location, Program};
use idiolect_smt::{Evaluator, Model, Sort, Substitution, TermId, Terms};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// What a state variable stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StatePlace {
    /// A register local of the activation with this number; the start function's is 0.
    Local {
        activation: u32,
        function: FuncId,
        local: LocalId,
    },
    /// Bytes of the object with this number, in the order of making.
    Memory {
        object: u32,
        kind: ObjectKind,
        offset: u32,
        size: u32,
    },
}

/// A new value of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Update {
    pub place: StatePlace,
    pub variable: TermId,
    /// Over the state before the step.
    pub value: TermId,
    /// Later steps speak of the value itself and not of the variable.
    pub is_followed: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    Assume(TermId),
    /// All at once. Empty for a statement that changes nothing.
    Assign(Vec<Update>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    pub place: Location,
    /// Open activations.
    pub depth: usize,
    pub action: Action,
    /// Variables that come into being here.
    pub drawn: Vec<TermId>,
}

/// How far a trace goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Up to and with the last of the decisions.
    LastDecision,
    /// To the end of the run, or to a decision that was not given.
    End,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceError {
    Stopped(StopReason),
    NotSupported { construct: String, place: Location },
}

impl From<StopReason> for TraceError {
    fn from(reason: StopReason) -> Self {
        TraceError::Stopped(reason)
    }
}

pub struct Trace {
    pub terms: Terms,
    pub steps: Vec<Step>,
    /// How runs along the trace end, if it goes that far.
    pub end: Option<(EndKind, Location)>,
    /// Inputs by the step that draws them; the guards are over the state before it.
    inputs: Vec<(usize, InputRecord)>,
}

/// The state after some steps, in terms of that before them.
#[derive(Clone, Debug)]
pub struct Post {
    /// Holds of states before from which the steps can be taken.
    pub condition: TermId,
    /// By variable, in the order of their first change: its value after the steps.
    pub values: Vec<(TermId, TermId)>,
}

/// One constraint per step over variables of their own for every new value: all of them together
/// hold exactly in the runs along the trace, and a core of them names steps.
#[derive(Clone, Debug)]
pub struct TraceFormula {
    pub constraints: Vec<TermId>,
    inputs: Vec<InputRecord>,
}

impl TraceFormula {
    /// The inputs of the run that a model of the constraints describes, in the order of their use.
    pub fn inputs_of(&self, terms: &Terms, model: &Model) -> Vec<InputValue> {
        let mut evaluator = Evaluator::new(terms, model);
        let mut list = Vec::new();
        for input in &self.inputs {
            if evaluator.eval_bool(input.guard) {
                list.push(InputValue {
                    origin: input.origin,
                    ty: input.ty,
                    bits: evaluator.eval(input.value),
                });
            }
        }
        list
    }
}

impl Trace {
    /// What runs with these decisions do.
    pub fn along(
        program: &Program,
        decisions: &[bool],
        extent: Extent,
        check_overflow: bool,
        budget: &Budget,
    ) -> Result<Self, TraceError> {
        let config = Config {
            unwind: 0,
            check_overflow,
            constant_unwindings: u32::MAX,
            ..Config::default()
        };
        let mut script = Script {
            decisions: decisions.to_vec(),
            then: None,
            max_decisions: decisions.len(),
            variables: FxHashMap::default(),
            given: None,
            recorder: Some(Recorder::new(extent)),
            rerun: None,
        };
        let (result, encoding) =
            encode_with(program, &config, budget, Pool::default(), Some(&mut script));
        result?;
        let recorder = script.recorder.unwrap_or_else(|| Recorder::new(extent));
        if let Some((construct, place)) = recorder.unsupported {
            return Err(TraceError::NotSupported { construct, place });
        }
        Ok(Self {
            terms: encoding.terms,
            steps: recorder.steps,
            end: recorder.end,
            inputs: recorder.inputs,
        })
    }

    /// Holds in states from which the steps of the range can lead to one where `condition` holds,
    /// for some values of what the steps draw, which stay in it as variables.
    pub fn pre(&mut self, range: Range<usize>, condition: TermId) -> TermId {
        self.back(range, condition, |terms, assumed, after| {
            terms.and(assumed, after)
        })
    }

    /// Holds in states from which the steps of the range, if they can be taken, lead to one where
    /// `condition` holds, for all values of what the steps draw, which stay in it as variables.
    pub fn wp(&mut self, range: Range<usize>, condition: TermId) -> TermId {
        self.back(range, condition, |terms, assumed, after| {
            let otherwise = terms.not(assumed);
            terms.or(otherwise, after)
        })
    }

    fn back(
        &mut self,
        range: Range<usize>,
        condition: TermId,
        assume: fn(&mut Terms, TermId, TermId) -> TermId,
    ) -> TermId {
        let mut result = condition;
        for step in self.steps[range].iter().rev() {
            result = match &step.action {
                &Action::Assume(assumed) => assume(&mut self.terms, assumed, result),
                Action::Assign(updates) if updates.is_empty() => result,
                Action::Assign(updates) => {
                    let mut map = Substitution::default();
                    for update in updates {
                        map.terms.insert(update.variable, update.value);
                    }
                    self.terms.substitute(result, &mut map)
                }
            };
        }
        result
    }

    /// The strongest postcondition of `given` after the steps of the range, as a symbolic state: a
    /// condition on the state before and the values after.
    pub fn sp(&mut self, range: Range<usize>, given: TermId) -> Post {
        let mut post = Post {
            condition: given,
            values: Vec::new(),
        };
        let terms = &mut self.terms;
        for step in &self.steps[range] {
            let mut map = Substitution::default();
            map.terms.extend(post.values.iter().copied());
            match &step.action {
                &Action::Assume(assumed) => {
                    let now = terms.substitute(assumed, &mut map);
                    post.condition = terms.and(post.condition, now);
                }
                Action::Assign(updates) => {
                    let new: Vec<TermId> = updates
                        .iter()
                        .map(|u| terms.substitute(u.value, &mut map))
                        .collect();
                    for (update, value) in updates.iter().zip(new) {
                        let known = post.values.iter_mut().find(|v| v.0 == update.variable);
                        match known {
                            Some(entry) => entry.1 = value,
                            None => post.values.push((update.variable, value)),
                        }
                    }
                }
            }
        }
        post
    }

    /// A postcondition as a predicate on the state after; the values before are new variables, which
    /// come back with it and are to be read existentially, as what was drawn is.
    pub fn predicate(&mut self, post: &Post) -> (TermId, Vec<TermId>) {
        let terms = &mut self.terms;
        let mut map = Substitution::default();
        let mut old = Vec::new();
        for &(variable, _) in &post.values {
            let before = like(terms, "before", variable);
            map.terms.insert(variable, before);
            old.push(before);
        }
        let mut all = terms.substitute(post.condition, &mut map);
        for &(variable, value) in &post.values {
            let value = terms.substitute(value, &mut map);
            let same = terms.eq(variable, value);
            all = terms.and(all, same);
        }
        (all, old)
    }

    /// The trace formula.
    pub fn formula(&mut self) -> TraceFormula {
        let terms = &mut self.terms;
        let mut now: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut formula = TraceFormula {
            constraints: Vec::new(),
            inputs: Vec::new(),
        };
        let mut inputs = self.inputs.iter().peekable();
        for (number, step) in self.steps.iter().enumerate() {
            let mut map = Substitution::default();
            map.terms.clone_from(&now);
            while let Some((_, input)) = inputs.next_if(|i| i.0 <= number) {
                formula.inputs.push(InputRecord {
                    guard: terms.substitute(input.guard, &mut map),
                    ..*input
                });
            }
            let constraint = match &step.action {
                &Action::Assume(assumed) => terms.substitute(assumed, &mut map),
                Action::Assign(updates) => {
                    let mut all = terms.tt();
                    for update in updates {
                        let value = terms.substitute(update.value, &mut map);
                        let new = like(terms, "after", update.variable);
                        let same = terms.eq(new, value);
                        all = terms.and(all, same);
                        now.insert(update.variable, new);
                    }
                    all
                }
            };
            formula.constraints.push(constraint);
        }
        formula
    }
}

fn like(terms: &mut Terms, name: &str, variable: TermId) -> TermId {
    match terms.sort(variable) {
        Sort::Bool => terms.bool_var(name),
        Sort::BitVec(width) => terms.bv_var(name, width),
    }
}
