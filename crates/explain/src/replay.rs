//! Runs of the program on inputs that a solver found: nothing is believed before it has happened.

use crate::run_rounds::RoundCounter;
use crate::vocabulary::{EventVocabulary, LanguageTarget};
use idiolect_automata::{Letter, Word};
use idiolect_base::Budget;
use idiolect_interp::{
    CompileOptions, Compiled, DrawnInput, End, FixedInputs, InputRequest, InputSource, Listener,
    Machine, Observer, Outcome, Recorder, RunOptions, View, ZeroInputs,
};
use idiolect_ir::events::EventSite;
use idiolect_ir::{BlockId, FuncId, Location, MarkId, Program, Property};
use idiolect_symex::UnwindSite;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Far more than what a bounded run takes; a loop without events must not keep us.
const MAX_STEPS: u64 = 50_000_000;

/// Runs a program and listens to its events.
pub struct Replayer {
    compiled: Compiled,
    letters: FxHashMap<EventSite, Letter>,
    target: LanguageTarget,
    assert: Option<Letter>,
}

/// A run on given inputs.
#[derive(Clone, PartialEq, Debug)]
pub struct Replay {
    /// With the letter of the failing assertion, if it fails at one that is asked about.
    pub word: Word,
    /// Whether the run ends as the runs do whose language is learned.
    pub is_wanted: bool,
    pub outcome: Outcome,
}

impl Replayer {
    pub fn new(
        program: Arc<Program>,
        vocabulary: &EventVocabulary,
        target: &LanguageTarget,
        check_overflow: bool,
    ) -> Self {
        let mut letters = FxHashMap::default();
        for (i, event) in vocabulary.events().iter().enumerate() {
            for &site in &event.sites {
                letters.insert(site, Letter::new(i));
            }
        }
        Self {
            compiled: Compiled::new(program, &CompileOptions { check_overflow }),
            letters,
            target: target.clone(),
            assert: vocabulary.assert(),
        }
    }

    /// The run on these inputs; further ones are zero.
    pub fn run(&self, inputs: &[u128]) -> Replay {
        let mut listener = Listener::new(&self.letters);
        let outcome = self.machine_run(inputs, &mut listener);
        self.judge(listener.word, outcome)
    }

    /// The same, with the number of events before each input.
    pub(crate) fn run_with_positions(&self, inputs: &[u128], max_steps: u64) -> Positioned {
        let count = Cell::new(0);
        let mut listener = Counting {
            listener: Listener::new(&self.letters),
            count: &count,
        };
        let mut source = Positions {
            inputs: FixedInputs::new(inputs.to_vec(), ZeroInputs),
            count: &count,
            positions: Vec::new(),
        };
        let mut machine = Machine::new(&self.compiled, RunOptions::default());
        let outcome = machine.run(&mut source, &mut listener, &Budget::steps(max_steps));
        let replay = self.judge(listener.listener.word, outcome);
        Positioned {
            replay,
            positions: source.positions,
        }
    }

    /// A run on inputs of any source, of at most so many steps.
    pub fn run_on(&self, source: &mut dyn InputSource, budget: &Budget) -> Replay {
        let mut listener = Listener::new(&self.letters);
        let mut machine = Machine::new(&self.compiled, RunOptions::default());
        let outcome = machine.run(source, &mut listener, budget);
        self.judge(listener.word, outcome)
    }

    /// The most rounds of each loop in the run on these inputs.
    pub(crate) fn rounds(&self, program: &Program, inputs: &[u128]) -> BTreeMap<UnwindSite, usize> {
        let mut counter = RoundCounter::new(program);
        let _ = self.machine_run(inputs, &mut counter);
        counter.most
    }

    /// The same with every step.
    pub fn record(&self, inputs: &[u128]) -> (Replay, Recorder<true>) {
        let mut recorder = Recorder::default();
        let _ = self.machine_run(inputs, &mut recorder);
        (self.run(inputs), recorder)
    }

    fn machine_run(&self, inputs: &[u128], observer: &mut impl Observer) -> Outcome {
        Machine::new(&self.compiled, RunOptions::default()).run(
            &mut FixedInputs::new(inputs.to_vec(), ZeroInputs),
            observer,
            &Budget::steps(MAX_STEPS),
        )
    }

    fn judge(&self, mut word: Word, outcome: Outcome) -> Replay {
        let is_wanted = match &self.target {
            LanguageTarget::Program => matches!(outcome.end, End::Exit(_) | End::Abort),
            LanguageTarget::Error { places, properties } => {
                let at = Location {
                    function: outcome.place.function,
                    block: outcome.place.block,
                    index: outcome.place.stmt as usize,
                };
                let is_violated = match &outcome.end {
                    End::Error(_) => properties.contains(&Property::Assert),
                    End::Fault(fault) => fault.kind.violates(properties),
                    _ => false,
                };
                is_violated && places.contains(&at)
            }
        };
        if is_wanted {
            word.extend(self.assert);
        }
        Replay {
            word,
            is_wanted,
            outcome,
        }
    }
}

/// A run, and by input how many events came before it.
pub(crate) struct Positioned {
    pub(crate) replay: Replay,
    pub(crate) positions: Vec<usize>,
}

/// Listens, and says how many events there were.
struct Counting<'a> {
    listener: Listener<'a, Letter>,
    count: &'a Cell<usize>,
}

impl Counting<'_> {
    fn counted(&self, flow: ControlFlow<()>) -> ControlFlow<()> {
        self.count.set(self.listener.word.len());
        flow
    }
}

impl Observer for Counting<'_> {
    const DECISIONS: bool = true;
    const EVENTS: bool = true;

    fn decision(&mut self, function: FuncId, block: BlockId, taken: bool) -> ControlFlow<()> {
        let flow = self.listener.decision(function, block, taken);
        self.counted(flow)
    }

    fn entered(&mut self, view: &View<'_>) -> ControlFlow<()> {
        let flow = self.listener.entered(view);
        self.counted(flow)
    }

    fn marked(&mut self, view: &View<'_>, mark: MarkId) -> ControlFlow<()> {
        let flow = self.listener.marked(view, mark);
        self.counted(flow)
    }
}

/// Inputs that remember when they were read.
struct Positions<'a> {
    inputs: FixedInputs<ZeroInputs>,
    count: &'a Cell<usize>,
    positions: Vec<usize>,
}

impl InputSource for Positions<'_> {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        self.positions.push(self.count.get());
        self.inputs.next(request)
    }
}

impl Replay {
    /// The inputs that the run really used.
    pub fn inputs(&self) -> &[DrawnInput] {
        &self.outcome.inputs
    }
}
