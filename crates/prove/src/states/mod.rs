//! Proofs by exploring all abstract states.
//!
//! A state is where the run is, and for every variable and piece of memory a value: a constant, a
//! pointer into an object, or a *symbol*, an unknown value of which an interval and a few excluded
//! values are known, and which may be used in several places (`x + 1` and `x` share one). Where a
//! comparison is not decided, both answers are followed, each with what it says about the symbols.
//! States that are equal up to the names of symbols and objects are followed once. If no state is at an
//! error, a fault or C that is not modelled, no run is: each run is described by the states on its way.
//!
//! At home in control: flags, phases, locks, enumerations, state machines, lists that are built and
//! walked. A variable that takes many constants at one loop is an unknown there from then on, so that
//! counters do not make the search endless. Whatever is not understood ends the search without a proof.

mod both_ways;
mod canonical;
mod certificate;
mod chain;
mod evaluate;
mod integer;
mod memory;
pub mod paths;
mod shapes;
mod state;
mod step;
mod table;
mod value;

use crate::shapes::HeapShape;
use canonical::Canon;
pub use certificate::certificate;
pub use chain::Folding;
use idiolect_base::{Budget, StopReason};
use idiolect_ir::graph::{Cfg, Loops};
use idiolect_ir::live::Liveness;
use idiolect_ir::{BlockId, FuncId, LocalId, Program, Property};
use rustc_hash::{FxHashMap, FxHashSet};
pub use shapes::shapes;
use state::State;
use step::{Stepped, Work};
use table::Tables;

/// What is asked, and how far the search goes.
#[derive(Clone, Debug)]
pub struct Config {
    pub properties: Vec<Property>,
    /// States at places where paths meet.
    pub max_states: u64,
    /// Constants that a variable takes at one loop before it is an unknown there.
    pub max_constants: usize,
    /// Lists of any length.
    pub folding: Folding,
    /// Heap blocks of a state at a loop.
    pub max_blocks: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            properties: vec![Property::Assert],
            max_states: 300_000,
            max_constants: 24,
            folding: Folding::Never,
            max_blocks: usize::MAX,
        }
    }
}

/// Why there is no proof.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotProved {
    /// Perhaps no run takes the path.
    #[error("an abstract state is at an error")]
    Error,
    #[error("{0}")]
    GaveUp(&'static str),
    #[error("there are too many states")]
    States,
    #[error("{0}")]
    Stopped(StopReason),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// How many states there are, if none of them is at an error.
    pub result: Result<u64, NotProved>,
    pub states: u64,
    pub steps: u64,
}

/// Tries to show that no run has an error, a fault or comes to C that is not modelled.
///
/// Lists are followed block by block first. Where they grow, they become chains; first so that blocks with
/// different contents are kept apart.
pub fn prove(program: &Program, config: &Config, budget: &Budget) -> Outcome {
    let mut outcome = Outcome {
        result: Err(NotProved::States),
        states: 0,
        steps: 0,
    };
    for attempt in &attempts(config) {
        let mut explorer = Explorer::new(program, attempt, budget);
        outcome.result = explorer.explore();
        outcome.steps += explorer.steps;
        outcome.states = explorer.seen.len() as u64;
        // Only what has no end without chains may have one with them.
        let is_without = attempt.folding == Folding::Never && !explorer.has_many_blocks;
        let is_over = matches!(outcome.result, Ok(_) | Err(NotProved::Stopped(_)));
        if is_over || is_without {
            break;
        }
    }
    outcome
}

/// How it is tried, one after the other.
fn attempts(config: &Config) -> Vec<Config> {
    let few = |folding: Folding| Config {
        folding,
        max_blocks: config.max_blocks.min(MANY_BLOCKS),
        max_states: match folding {
            Folding::Never => config.max_states,
            _ => config.max_states.min(FOLDED_STATES),
        },
        max_constants: match folding {
            Folding::Never => config.max_constants,
            _ => config.max_constants.min(FOLDED_CONSTANTS),
        },
        ..config.clone()
    };
    let mut attempts = vec![config.clone()];
    if config.folding == Folding::Never {
        let few = [Folding::Never, Folding::Alike, Folding::Any].map(few);
        attempts.splice(0..0, few);
    }
    attempts
}

/// Lists of more blocks are made chains of.
const MANY_BLOCKS: usize = 8;
/// States and constants of an attempt with chains: one that goes well has few.
const FOLDED_STATES: u64 = 20_000;
const FOLDED_CONSTANTS: usize = 6;

/// Of one function: where paths meet, which of these places are loops, and what is still needed there.
struct Shape {
    meets: Vec<bool>,
    loops: Vec<bool>,
    live: Liveness,
}

struct Explorer<'a> {
    program: &'a Program,
    config: &'a Config,
    budget: &'a Budget,
    shapes: FxHashMap<FuncId, Shape>,
    seen: FxHashSet<u128>,
    /// Constants of a variable at a loop; `None` if there were too many.
    constants: FxHashMap<Slot, Option<Vec<u128>>>,
    tables: Tables,
    steps: u64,
    /// There were more heap blocks than are allowed.
    has_many_blocks: bool,
    recorder: Option<certificate::Recorder>,
    /// The states at the loops of the first function, if somebody wants them.
    drawn: Option<Vec<HeapShape>>,
}

/// A variable at a loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Slot {
    function: FuncId,
    block: BlockId,
    /// How deep the call is nested.
    depth: u32,
    what: SlotKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum SlotKind {
    Local(LocalId),
    /// An object by its canonical number, with the offset.
    Memory(u32, u64),
}

impl<'a> Explorer<'a> {
    fn new(program: &'a Program, config: &'a Config, budget: &'a Budget) -> Self {
        Self {
            program,
            config,
            budget,
            shapes: FxHashMap::default(),
            seen: FxHashSet::default(),
            constants: FxHashMap::default(),
            tables: Tables::default(),
            steps: 0,
            has_many_blocks: false,
            recorder: None,
            drawn: None,
        }
    }

    fn explore(&mut self) -> Result<u64, NotProved> {
        let program = self.program;
        let start = State::new(program, program.start);
        self.shape(program.start);
        let mut todo = vec![Work::new(start)];
        while let Some(work) = todo.pop() {
            self.steps += 1;
            self.budget.spend(4).map_err(NotProved::Stopped)?;
            let depth = work.depth();
            match step::step(program, &self.config.properties, work)? {
                Stepped::Ended => {}
                Stepped::On(state) if state.frames.len() > depth => {
                    match self.tabulated(&state)? {
                        Some(states) => todo.extend(states.into_iter().map(Work::new)),
                        None => self.go_on(state, &mut todo)?,
                    }
                }
                Stepped::Fork(left, right) => todo.extend([*right, *left]),
                Stepped::On(state) => self.go_on(state, &mut todo)?,
            }
        }
        // The first one is nowhere that paths meet.
        Ok((self.seen.len() as u64).max(1))
    }

    /// The state is followed, unless an equal one was where it is.
    fn go_on(&mut self, state: State, todo: &mut Vec<Work>) -> Result<(), NotProved> {
        let (_, state) = self.met(state)?;
        todo.extend(state.map(Work::new));
        Ok(())
    }

    /// The state, unless an equal one was where it is; and what equal ones have in common, where paths meet.
    fn met(&mut self, state: State) -> Result<(Option<u128>, Option<State>), NotProved> {
        let frame = state.frame();
        let at_start = frame.index == 0 && state.returned.is_none();
        let (function, block) = (frame.function, frame.block);
        if at_start && self.shape(function).meets[block.index()] {
            let (hash, state) = self.meet(state)?;
            return Ok((Some(hash), state));
        }
        Ok((None, Some(state)))
    }

    /// Where paths meet: nothing if an equal state was here before.
    fn meet(&mut self, mut state: State) -> Result<(u128, Option<State>), NotProved> {
        let functions: Vec<FuncId> = state.frames.iter().map(|f| f.function).collect();
        for function in functions {
            self.shape(function);
        }
        let frame = state.frame();
        let (function, block) = (frame.function, frame.block);
        if self.shapes[&function].loops[block.index()] {
            self.widen(&mut state, function, block);
            self.fold(&mut state)?;
        }
        let canon = self.canon(&state)?;
        // What is lost is gone before an equal state is looked for.
        state.keep(&canon);
        state.is_lost &= self.config.properties.contains(&Property::Leak);
        let hash = if state.is_lost {
            !canon.hash
        } else {
            canon.hash
        };
        if !self.seen.insert(hash) {
            return Ok((hash, None));
        }
        if self.seen.len() as u64 > self.config.max_states {
            return Err(NotProved::States);
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.saw(self.program, &state);
        }
        if self.shapes[&function].loops[block.index()] {
            self.draw(&state);
        }
        Ok((hash, Some(state)))
    }

    fn canon(&self, state: &State) -> Result<Canon, NotProved> {
        let canon = Canon::of(self.program, state, |f| &self.shapes[&f].live);
        self.budget
            .spend(canon.length / 8)
            .map_err(NotProved::Stopped)?;
        Ok(canon)
    }

    /// Lists become chains, and there may not be too many blocks.
    fn fold(&mut self, state: &mut State) -> Result<(), NotProved> {
        let has_blocks = chain::n_blocks(state) > 1;
        if has_blocks && self.config.folding != Folding::Never {
            state.forget_dead(|f| &self.shapes[&f].live);
            let canon = self.canon(state)?;
            state.keep(&canon);
            state.fold(self.program, self.config.folding);
        }
        if chain::n_blocks(state) > self.config.max_blocks {
            self.has_many_blocks = true;
            return Err(NotProved::States);
        }
        Ok(())
    }

    /// Variables that had many constants here become unknowns.
    fn widen(&mut self, state: &mut State, function: FuncId, block: BlockId) {
        let depth = state.frames.len() as u32;
        let most = self.config.max_constants;
        let constants = &mut self.constants;
        let mut is_wide = |what: SlotKind, constant: u128| {
            let slot = Slot {
                function,
                block,
                depth,
                what,
            };
            let known = constants.entry(slot).or_insert_with(|| Some(Vec::new()));
            let Some(list) = known else {
                return true;
            };
            if !list.contains(&constant) {
                list.push(constant);
            }
            if list.len() > most {
                *known = None;
            }
            known.is_none()
        };
        state.forget_constants(self.program, &mut is_wide);
    }

    fn shape(&mut self, function: FuncId) -> &Shape {
        let program = self.program;
        self.shapes.entry(function).or_insert_with(|| {
            let body = program.function(function);
            let cfg = Cfg::new(body);
            let loops = Loops::new(&cfg);
            let is_head = |b| loops.headed_by(b).is_some();
            let meets = |b| is_head(b) || cfg.predecessors(b).len() > 1;
            Shape {
                meets: body.block_ids().map(meets).collect(),
                loops: body.block_ids().map(is_head).collect(),
                live: Liveness::new(program, body),
            }
        })
    }
}
