//! Runs with an expectation: what a user calls a test.

use idiolect_base::{Budget, StopReason};
use idiolect_interp::{
    Compiled, End, InputRequest, InputSource, Machine, Observer, Outcome, RunOptions,
};
use idiolect_ir::{InputKind, Property};

/// Where a run's inputs come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CaseInputs {
    /// These, in order of use; further ones are 0.
    List(Vec<u128>),
    /// A process with these arguments and this standard input; what the program calls inputs itself
    /// is the list.
    Process {
        arguments: Vec<Vec<u8>>,
        stdin: Vec<u8>,
        list: Vec<u128>,
    },
}

/// What a run has to come to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expected {
    /// All that it writes to standard output.
    pub stdout: Option<Vec<u8>>,
    /// The status that a shell sees.
    pub exit: Option<u8>,
    /// It has to fail: an assertion, an abort or a fault is what is wanted.
    pub is_failure: bool,
}

/// A run, and what it has to come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunCase {
    pub name: String,
    pub inputs: CaseInputs,
    pub expected: Expected,
}

/// Steps after which a run counts as one that does not end.
pub const MAX_STEPS: u64 = 2_000_000;

/// How a run of a case went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JudgedCase {
    Passes,
    Fails,
    /// It was cut, or came to C that is not modelled, or an assumption ended it.
    Open,
}

impl RunCase {
    /// The run on these inputs, which has to end without an error.
    pub fn of_inputs(inputs: Vec<u128>) -> Self {
        Self {
            name: "this run".to_owned(),
            inputs: CaseInputs::List(inputs),
            expected: Expected::default(),
        }
    }

    pub fn source(&self) -> CaseSource<'_> {
        CaseSource {
            inputs: &self.inputs,
            drawn: DrawnValues::default(),
        }
    }

    /// Whether passing is a matter of the decisions alone.
    pub fn is_plain(&self) -> bool {
        self.expected == Expected::default()
    }

    pub fn judge(&self, outcome: &Outcome, properties: &[Property]) -> JudgedCase {
        if self.expected.is_failure {
            return match outcome.end {
                End::Abort | End::Fault(_) | End::Error(_) => JudgedCase::Passes,
                End::Exit(_) => JudgedCase::Fails,
                _ => JudgedCase::Open,
            };
        }
        if crate::violates(&outcome.end, properties) {
            return JudgedCase::Fails;
        }
        match outcome.end {
            End::Exit(status) => {
                let has_status = |wanted: u8| status as u8 == wanted;
                let is_met = self.expected.exit.is_none_or(has_status)
                    && (self.expected.stdout.as_ref()).is_none_or(|s| *s == outcome.stdout);
                if is_met {
                    JudgedCase::Passes
                } else {
                    JudgedCase::Fails
                }
            }
            // A process that ends like this has failed, whatever was expected of it.
            End::Abort | End::Fault(_) | End::Error(_) => JudgedCase::Fails,
            // Who expects something of a run expects that it ends.
            End::Limit(StopReason::Steps | StopReason::Memory) if !self.is_plain() => {
                JudgedCase::Fails
            }
            End::AssumeEnded | End::Trap(_) | End::Limit(_) | End::InputsEnded | End::Stopped => {
                JudgedCase::Open
            }
        }
    }

    /// Does the run.
    pub fn run<O: Observer>(
        &self,
        compiled: &Compiled,
        max_steps: u64,
        observer: &mut O,
        budget: &Budget,
    ) -> Outcome {
        self.run_on(&mut machine(compiled, max_steps), observer, budget)
    }

    /// Does the run on a machine that may have done others.
    pub fn run_on<O: Observer>(
        &self,
        machine: &mut Machine<'_>,
        observer: &mut O,
        budget: &Budget,
    ) -> Outcome {
        machine.run(&mut self.source(), observer, budget)
    }
}

/// What cases run on: a new one is dear where runs are short.
pub fn machine(compiled: &Compiled, max_steps: u64) -> Machine<'_> {
    let options = RunOptions {
        max_steps,
        max_output: 1 << 20,
        ..RunOptions::default()
    };
    Machine::new(compiled, options)
}

/// How much of a case's inputs a run has drawn.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DrawnValues {
    used: usize,
    n_stdin: usize,
}

impl DrawnValues {
    /// The next input, which is of this kind unless unwritten memory is read.
    pub(crate) fn next(&mut self, inputs: &CaseInputs, kind: Option<&InputKind>) -> u128 {
        let list = match inputs {
            CaseInputs::List(list) => list,
            CaseInputs::Process {
                arguments,
                stdin,
                list,
            } => {
                let byte = |bytes: &[u8], i: u32| bytes.get(i as usize).copied().unwrap_or(0);
                match kind {
                    Some(InputKind::ArgumentCount) => return arguments.len() as u128 + 1,
                    Some(InputKind::ArgumentByte { argument, byte: i }) => {
                        let own = (*argument as usize).checked_sub(1);
                        let own = own.and_then(|a| arguments.get(a));
                        return own.map_or(0, |a| u128::from(byte(a, *i)));
                    }
                    Some(InputKind::Stdin) => {
                        let next = stdin.get(self.n_stdin).copied();
                        self.n_stdin += 1;
                        return next.map_or(u128::MAX, u128::from);
                    }
                    Some(
                        InputKind::Variable(_)
                        | InputKind::VariableByte { .. }
                        | InputKind::Effect(_),
                    ) => return 0,
                    _ => list,
                }
            }
        };
        let next = list.get(self.used).copied();
        self.used += 1;
        // As `ZeroInputs` has it.
        let after = if kind == Some(&InputKind::Stdin) {
            u128::MAX
        } else {
            0
        };
        next.unwrap_or(after)
    }
}

/// Gives the inputs of a case.
pub struct CaseSource<'a> {
    inputs: &'a CaseInputs,
    drawn: DrawnValues,
}

impl InputSource for CaseSource<'_> {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        Some(self.drawn.next(self.inputs, request.kind()))
    }
}
