//! The only maker of a [`Replayed`]: a run of the interpreter that really fails.

use crate::effort;
use idiolect_base::Budget;
use idiolect_interp::{
    Compiled, DrawnInput, End, FixedInputs, Machine, NoObserver, Outcome, RunOptions, ZeroInputs,
};
use idiolect_ir::Property;

/// A run to an error may take far more steps than a sample.
const STEPS: u64 = 400_000_000;

/// A failing run that was seen. Nothing else may be shown as an error.
#[derive(Clone, PartialEq, Debug)]
pub struct Replayed {
    outcome: Outcome,
}

impl Replayed {
    /// How the run went.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    pub fn inputs(&self) -> &[DrawnInput] {
        &self.outcome.inputs
    }

    /// The bits of the inputs, in the order of use.
    pub fn bits(&self) -> Vec<u128> {
        self.outcome.inputs.iter().map(|i| i.bits).collect()
    }

    /// The same error: of the same kind at the same place.
    pub fn is_same_error(&self, other: &Outcome) -> bool {
        let is_same_end = match (&self.outcome.end, &other.end) {
            (End::Fault(a), End::Fault(b)) => a.kind == b.kind,
            (a, b) => a == b,
        };
        is_same_end
            && self.outcome.place.function == other.place.function
            && self.outcome.place.block == other.place.block
            && self.outcome.place.stmt == other.place.stmt
    }
}

/// Whether ending like this violates one of the properties.
pub fn violates(end: &End, properties: &[Property]) -> bool {
    match end {
        End::Error(_) => properties.contains(&Property::Assert),
        End::Fault(fault) => fault.kind.violates(properties),
        _ => false,
    }
}

/// Runs the program on these inputs, zeros after them. The run itself if it does not fail.
pub fn replay(
    compiled: &Compiled,
    properties: &[Property],
    inputs: Vec<u128>,
    budget: &Budget,
) -> Result<Replayed, Box<Outcome>> {
    replay_within(compiled, properties, inputs, STEPS, budget)
}

/// [`replay`], but for at most so many steps.
pub(crate) fn replay_within(
    compiled: &Compiled,
    properties: &[Property],
    inputs: Vec<u128>,
    steps: u64,
    budget: &Budget,
) -> Result<Replayed, Box<Outcome>> {
    let options = RunOptions {
        max_output: 1 << 16,
        ..RunOptions::default()
    };
    let mut machine = Machine::new(compiled, options);
    let own = effort::part(budget, steps);
    let mut source = FixedInputs::new(inputs, ZeroInputs);
    let outcome = machine.run(&mut source, &mut NoObserver, &own);
    if violates(&outcome.end, properties) {
        Ok(Replayed { outcome })
    } else {
        Err(Box::new(outcome))
    }
}
