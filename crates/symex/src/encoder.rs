//! The whole program as guarded single assignments: functions inlined, loops unrolled, paths merged
//! where they meet. After E. Clarke, D. Kroening and F. Lerda, *A Tool for Checking ANSI-C Programs*
//! (2004).
//!
//! Where we differ: unwinding limits are assumptions and not part of the formula, a path's
//! condition is a tree (see [`crate::guard`]) and values are merged by the decision that tells the
//! paths apart, and a loop whose next round is certain does not count as unwound.

use crate::apart::{Apart, Places};
use crate::guard::{GuardId, Guards};
use crate::memory::{Memory, ObjectInfo, ObjectKind};
use crate::offset::Offsets;
use crate::order::Order;
use crate::path::KnownInputs;
use crate::pointer::{Addresses, ObjectNo};
use crate::prune::{Possible, Pruner};
use crate::record::{
    DecisionRecord, Encoding, EncodingStatistics, EndKind, EndRecord, EventRecord, InputRecord,
};
use crate::recorder::{Recorder, Written};
use crate::rerun::Rerun;
use crate::state::State;
use crate::variables::{Context, Variables};
use crate::walker::WalkDomain;
use idiolect_base::{Budget, StopReason, drop_aside, try_deep_stack};
use idiolect_ir::events::EventSite;
use idiolect_ir::{BlockId, FuncId, GlobalTarget, Location, Program};
use idiolect_smt::{Model, TermId, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// How a program is encoded.
#[derive(Clone, Debug)]
pub struct Config {
    /// The most unwindings that one may ask about.
    pub unwind: usize,
    /// Loops and recursions with a bound of their own: they are unwound so often whatever bound is
    /// asked about. Every round of theirs counts, also those that depend on no input.
    pub own_bounds: BTreeMap<UnwindSite, usize>,
    /// Every round of every loop counts, and every recursive call, in functions that are no models of
    /// the library: what a bound means then depends on runs alone, and not on what the encoder sees
    /// to be certain.
    pub count_certain: bool,
    /// Rounds of a loop, and recursive calls, that depend on no input and count as no unwinding.
    pub constant_unwindings: u32,
    /// Signed overflow ends a run.
    pub check_overflow: bool,
    /// An object becomes an array of the solver when an access has more places than this. Below it,
    /// looking at each place keeps what is constant constant; above it, that is too many terms (a
    /// loop of 1,000 rounds over 1,000 places: 4.5 million).
    pub array_elements: u32,
    /// The most places that one access with a symbolic offset may have in an object that cannot be
    /// an array.
    pub max_elements: u32,
    /// The same for an object whose size is not known.
    pub max_unsized_elements: u32,
    /// The most terms that are built; each takes 150 to 250 bytes, the solver's share not counted.
    pub max_terms: usize,
    /// What the letters of words are: letter `i` is an event of any of
    /// `letters[i]`, which no other letter has.
    pub letters: Vec<Vec<EventSite>>,
    /// Words have at most so many letters.
    pub max_word: usize,
    /// Conditions of branches hold only under an assumption, see [`Encoding::conditions`].
    pub relax_conditions: bool,
    /// An object that is an array of the solver and that nobody wrote is an array variable, and what
    /// is read from it an input. Otherwise every read draws a variable and stores it, which a model
    /// of one path can share with those of others, and which costs far more.
    pub unwritten_arrays: bool,
    /// A solver is asked whether a run has one more round of a loop before it is unrolled.
    pub asks_for_rounds: bool,
    /// At most so many states of a block that differ in where runs go are kept apart; with 1, all are merged.
    pub apart: usize,
}

/// What the unwindings of a loop or recursion were like, over all visits of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rounds {
    /// The most rounds of one visit that depend on no input and did not count.
    pub certain: u32,
    /// Some visit has rounds that count.
    pub is_counted: bool,
    /// The bound ends all runs of some visit: each of them goes round more often.
    pub is_cut: bool,
}

/// What is unwound.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnwindSite {
    /// The loop that is entered at this block.
    Loop { function: FuncId, head: BlockId },
    /// Activations of this function inside its own.
    Recursion(FuncId),
}

impl Default for Config {
    fn default() -> Self {
        Self {
            unwind: 4,
            own_bounds: BTreeMap::new(),
            count_certain: false,
            constant_unwindings: 120_000,
            check_overflow: false,
            array_elements: 256,
            max_elements: 4096,
            max_unsized_elements: 64,
            max_terms: 6_000_000,
            letters: Vec::new(),
            max_word: 0,
            relax_conditions: false,
            unwritten_arrays: false,
            asks_for_rounds: false,
            apart: 1,
        }
    }
}

/// A statement that made more terms than this looks at the clock itself: about 0.1 ms of work, while
/// a budget looks once in 256 statements.
const TERMS_PER_LOOK: usize = 200;
/// More guards than this are freed by a thread of its own; a path of a program has fewer.
const MANY_GUARDS: usize = 10_000;

/// Encodes all runs of a well-formed program up to the bound of the configuration.
///
/// One step of the budget is one statement, one place of an access with a symbolic offset, or one
/// new term.
pub fn encode(program: &Program, config: &Config, budget: &Budget) -> Result<Encoding, StopReason> {
    let pool = Pool::default();
    whole(encode_with(program, config, budget, pool, None))
}

fn whole((result, encoding): (Result<(), StopReason>, Encoding)) -> Result<Encoding, StopReason> {
    match result {
        Ok(()) => Ok(encoding),
        Err(reason) => {
            drop_aside(encoding);
            Err(reason)
        }
    }
}

/// Encodes the same program again, usually with a larger bound, on top of an earlier encoding.
///
/// All that both have in common, which is everything but what comes after a loop or recursion that
/// goes further now, are the same terms, with the same variables for inputs and unwindings. A solver
/// that was asked about the earlier encoding can be asked about this one and keeps what it has
/// learned.
pub fn encode_again(
    earlier: Encoding,
    program: &Program,
    config: &Config,
    budget: &Budget,
) -> Result<Encoding, StopReason> {
    let pool = Pool {
        terms: earlier.terms,
        variables: earlier.variables,
        possible: earlier.possible,
        places: earlier.places,
    };
    whole(encode_with(program, config, budget, pool, None))
}

/// What encodings may share.
#[derive(Default)]
pub(crate) struct Pool {
    pub(crate) terms: Terms,
    pub(crate) variables: Variables,
    pub(crate) possible: Possible,
    pub(crate) places: Places,
}

/// One path instead of all of them.
pub(crate) struct Script {
    /// How decisions come out, as far as given.
    pub(crate) decisions: Vec<bool>,
    /// How further ones come out; without it, the path is left where a further one comes.
    pub(crate) then: Option<Model>,
    /// The path is left where a decision with this number comes.
    pub(crate) max_decisions: usize,
    /// By number and width: the variables that stand for inputs, which are the same for all paths.
    pub(crate) variables: FxHashMap<(usize, u32), TermId>,
    /// Inputs that are no variables.
    pub(crate) given: Option<Box<dyn KnownInputs>>,
    /// The path is written down.
    pub(crate) recorder: Option<Recorder>,
    /// It is that of a run.
    pub(crate) rerun: Option<Rerun>,
}

/// Encodes into a pool that may have terms already. What was encoded comes back in any case.
pub(crate) fn encode_with(
    program: &Program,
    config: &Config,
    budget: &Budget,
    pool: Pool,
    script: Option<&mut Script>,
) -> (Result<(), StopReason>, Encoding) {
    let own = budget.clone();
    // Recursive calls nest on our own stack.
    let encoded = try_deep_stack(|| {
        let mut encoder = Encoder::new(program, config, own, pool, script);
        let result = encoder.run();
        let left = encoder.budget.steps_left();
        (result, encoder.finish(), left)
    });
    let (result, encoding, left) = encoded.unwrap_or_else(|_| {
        let nothing = Encoder::new(program, config, budget.clone(), Pool::default(), None);
        let left = budget.steps_left();
        (Err(StopReason::Memory), nothing.finish(), left)
    });
    let spent = budget.steps_left() - left.min(budget.steps_left());
    let _ = budget.spend(spent);
    (result, encoding)
}

pub(crate) struct Encoder<'p> {
    pub(crate) program: &'p Program,
    pub(crate) config: &'p Config,
    pub(crate) budget: Budget,
    pub(crate) terms: Terms,
    pub(crate) guards: Guards,
    pub(crate) addresses: Addresses,
    pub(crate) offsets: Offsets,
    pub(crate) infos: Vec<ObjectInfo>,
    /// Automatic objects of each open activation.
    pub(crate) created: Vec<Vec<ObjectNo>>,
    /// Conditions of the lazy operators around the expression at hand.
    pub(crate) lazies: Vec<TermId>,
    pub(crate) location: Location,
    /// Open activations, with the guard at their start.
    pub(crate) active: Vec<(FuncId, GuardId)>,
    pub(crate) orders: FxHashMap<FuncId, Rc<Order>>,
    pub(crate) unwind: Vec<TermId>,
    pub(crate) inputs: Vec<InputRecord>,
    pub(crate) input_positions: Vec<Vec<TermId>>,
    pub(crate) decisions: Vec<DecisionRecord>,
    events: Vec<EventRecord>,
    pub(crate) ends: Vec<EndRecord>,
    pub(crate) rounds: BTreeMap<UnwindSite, Rounds>,
    pub(crate) approximations: Vec<(TermId, TermId)>,
    conditions: Vec<(Location, TermId)>,
    letter_of: FxHashMap<EventSite, usize>,
    letters: Vec<Vec<TermId>>,
    pub(crate) statistics: EncodingStatistics,
    pub(crate) script: Option<&'p mut Script>,
    /// The path went on beyond what the script says.
    pub(crate) is_left: bool,
    n_fresh: usize,
    pub(crate) variables: Variables,
    pub(crate) context: Context,
    /// Variables drawn by the statement at hand.
    pub(crate) nth: u32,
    /// Terms that the budget has been charged for.
    n_charged: usize,
    /// Memory as the recorder left it.
    pub(crate) recorded: Memory,
    pub(crate) pruner: Option<Pruner>,
    /// As that, for loops that seem to go on for ever.
    pub(crate) doubter: Option<Pruner>,
    /// What an earlier encoding knows, if this one asks nobody.
    possible: Possible,
    /// States are kept apart.
    pub(crate) apart: Option<Apart>,
}

impl<'p> Encoder<'p> {
    fn new(
        program: &'p Program,
        config: &'p Config,
        budget: Budget,
        pool: Pool,
        script: Option<&'p mut Script>,
    ) -> Self {
        let Pool {
            mut terms,
            mut variables,
            possible,
            places,
        } = pool;
        let unwind = variables.unwind(&mut terms, config.unwind);
        let n_charged = terms.len();
        let guards = Guards::new(&mut terms);
        let mut letter_of: FxHashMap<EventSite, usize> = FxHashMap::default();
        for (letter, sites) in config.letters.iter().enumerate() {
            for &site in sites {
                letter_of.insert(site, letter);
            }
        }
        let (pruner, possible) = if config.asks_for_rounds {
            (Some(Pruner::new(possible, &budget)), Possible::default())
        } else {
            (None, possible)
        };
        let falsity = terms.ff();
        let letters = match config.letters.len() {
            0 => Vec::new(),
            n => vec![vec![falsity; n]; config.max_word],
        };
        Self {
            program,
            config,
            budget,
            terms,
            guards,
            addresses: Addresses::new(program.types.model),
            offsets: Offsets::default(),
            infos: Vec::new(),
            created: Vec::new(),
            lazies: Vec::new(),
            location: Location::entry(program.start),
            active: Vec::new(),
            orders: FxHashMap::default(),
            unwind,
            inputs: Vec::new(),
            input_positions: Vec::new(),
            decisions: Vec::new(),
            events: Vec::new(),
            ends: Vec::new(),
            rounds: BTreeMap::new(),
            approximations: Vec::new(),
            conditions: Vec::new(),
            letter_of,
            letters,
            statistics: EncodingStatistics::default(),
            script,
            is_left: false,
            n_fresh: 0,
            variables,
            context: Context::default(),
            nth: 0,
            n_charged,
            recorded: Memory::default(),
            pruner,
            doubter: None,
            possible,
            apart: (config.apart > 1).then(|| Apart::new(config.apart, places)),
        }
    }

    /// A variable for a value that the program does not determine.
    pub(crate) fn fresh(&mut self, name: &str, width: u32) -> TermId {
        let number = self.n_fresh;
        self.n_fresh += 1;
        let terms = &mut self.terms;
        match &mut self.script {
            None => {
                let (context, place) = (self.context, self.location);
                self.nth += 1;
                let what = (name, width);
                self.variables.at(terms, context, place, self.nth, what)
            }
            // Paths with the same beginning draw the same inputs there.
            Some(script) => *script
                .variables
                .entry((number, width))
                .or_insert_with(|| terms.bv_var(name, width)),
        }
    }

    pub(crate) fn n_decisions(&self) -> usize {
        self.decisions.len()
    }

    fn finish(mut self) -> Encoding {
        if self.guards.len() > MANY_GUARDS {
            drop_aside(self.guards);
        }
        self.statistics.objects = self.infos.len() as u64;
        let sizes = self.infos.iter().map(|info| (info.made, info.size));
        let sizes = sizes
            .filter(|&(_, size)| self.terms.as_const(size).is_none())
            .collect();
        let (first, end) = self.addresses.occupied(self.infos.len() as u32);
        Encoding {
            occupied: first..end,
            pointer_width: self.addresses.width() as u8,
            terms: self.terms,
            unwind: self.unwind,
            inputs: self.inputs,
            input_positions: self.input_positions,
            decisions: self.decisions,
            events: self.events,
            ends: self.ends,
            rounds: self.rounds,
            approximations: self.approximations,
            conditions: self.conditions,
            letters: self.letters,
            is_left: self.is_left,
            variables: self.variables,
            sizes,
            possible: self.pruner.map_or(self.possible, Pruner::into_possible),
            places: self.apart.map(|apart| apart.places).unwrap_or_default(),
            statistics: self.statistics,
        }
    }

    fn run(&mut self) -> Result<(), StopReason> {
        let mut position = Vec::new();
        if !self.config.letters.is_empty() || self.config.max_word > 0 {
            // One place beyond the longest word stands for all longer ones.
            position = vec![self.terms.ff(); self.config.max_word + 2];
            position[0] = self.terms.tt();
        }
        let mut s = State {
            guard: GuardId::ROOT,
            registers: Vec::new(),
            memory: Default::default(),
            position: Rc::new(position),
        };
        self.make_statics(&mut s)?;
        self.note_globals(&mut s);
        self.note_start(&s);
        self.call(&mut s, self.program.start, Vec::new())?;
        // The start function exits; if it does return, the program has ended all the same.
        if !s.is_dead() {
            let status = self.terms.bv(0, 32);
            let guard = self.guards.term(&mut self.terms, s.guard);
            self.record_end(&s, guard, EndKind::Exit(status));
        }
        Ok(())
    }

    fn make_statics(&mut self, s: &mut State) -> Result<(), StopReason> {
        let (truth, width) = (self.terms.tt(), self.addresses.width());
        let zero = self.terms.bv(0, width);
        let one = self.terms.bv(1, width);
        self.infos.push(ObjectInfo {
            kind: ObjectKind::Heap,
            size: zero,
            max_size: 0,
            is_read_only: true,
            initial: None,
            stride: 1,
            made: truth,
            truncated: None,
            is_forgotten: false,
        });
        for function in self.program.function_ids() {
            let info = ObjectInfo {
                kind: ObjectKind::Function(function),
                size: one,
                max_size: 1,
                is_read_only: true,
                initial: Some(Rc::from([])),
                stride: 1,
                made: truth,
                truncated: None,
                is_forgotten: false,
            };
            self.make_object(s, info);
        }
        let first = self.infos.len();
        for (i, global) in self.program.globals.iter().enumerate() {
            let info = ObjectInfo {
                kind: ObjectKind::Global(idiolect_ir::GlobalId::new(i)),
                size: self.terms.bv(u128::from(global.size), width),
                max_size: global.size,
                is_read_only: global.read_only,
                initial: (!global.is_unwritten).then(|| global.bytes.as_slice().into()),
                stride: self.stride_of(global.ty),
                made: truth,
                truncated: None,
                is_forgotten: false,
            };
            self.make_object(s, info);
            self.budget.spend(1)?;
        }
        for (i, global) in self.program.globals.iter().enumerate() {
            if global.relocations.is_empty() {
                continue;
            }
            let object = (first + i) as ObjectNo;
            let mut contents = s.memory.contents_mut(object);
            for relocation in &global.relocations {
                let target = match relocation.target {
                    GlobalTarget::Global(g) => first + g.index(),
                    GlobalTarget::Function(f) => 1 + f.index(),
                };
                let base = self.addresses.base(target as ObjectNo);
                let bits = base.wrapping_add(relocation.addend as u64);
                let value = self.terms.bv(u128::from(bits), width);
                let cell = crate::memory::Cell {
                    size: width / 8,
                    value,
                    unwritten: self.terms.ff(),
                };
                contents.put(&mut self.terms, relocation.offset as u32, cell);
            }
            s.memory.objects.insert(object, Rc::new(contents));
        }
        Ok(())
    }

    pub(crate) fn global_object(&self, global: idiolect_ir::GlobalId) -> ObjectNo {
        (1 + self.program.functions.len() + global.index()) as ObjectNo
    }

    pub(crate) fn record_end(&mut self, s: &State, guard: TermId, kind: EndKind) {
        self.ends.push(EndRecord {
            guard,
            kind,
            place: self.location,
            position: (*s.position).clone(),
        });
    }

    /// All runs that are here end like this.
    pub(crate) fn end(&mut self, s: &mut State, kind: EndKind) {
        if self.is_recording() {
            self.note(s, Written::default());
            if !s.is_dead() {
                self.note_end(kind);
            }
            s.guard = GuardId::DEAD;
            return;
        }
        let truth = self.terms.tt();
        self.end_if(s, kind, truth);
    }

    /// An event happens where the condition holds.
    pub(crate) fn event(&mut self, s: &mut State, site: EventSite, condition: TermId) {
        if self.is_excluded(s, condition) {
            return;
        }
        let guard = self.guards.term(&mut self.terms, s.guard);
        let guard = self.terms.and(guard, condition);
        self.events.push(EventRecord { guard, site });
        let Some(&letter) = self.letter_of.get(&site) else {
            return;
        };
        for i in 0..self.letters.len() {
            let here = self.terms.and(guard, s.position[i]);
            let old = self.letters[i][letter];
            self.letters[i][letter] = self.terms.or(old, here);
        }
        let mut new = (*s.position).clone();
        let last = new.len() - 1;
        for (i, entry) in new.iter_mut().enumerate() {
            let before = match i {
                0 => self.terms.ff(),
                _ => s.position[i - 1],
            };
            let moved = if i == last {
                self.terms.or(before, s.position[i])
            } else {
                before
            };
            *entry = self.terms.ite(condition, moved, s.position[i]);
        }
        s.position = Rc::new(new);
    }

    /// A condition that comes out as it likes unless its branch is assumed to be as written. What
    /// is known without a solver stays known, so that loops end.
    pub(crate) fn relaxed(&mut self, taken: TermId) -> TermId {
        let is_known = self.terms.known_true(taken) || self.terms.known_false(taken);
        if !self.config.relax_conditions || is_known {
            return taken;
        }
        let here = self.location;
        let known = self.conditions.iter().find(|(at, _)| *at == here);
        let as_written = match known {
            Some(&(_, literal)) => literal,
            None => {
                let literal = self.terms.bool_var("as written");
                self.conditions.push((here, literal));
                literal
            }
        };
        let anything = self.terms.bool_var("anything");
        self.terms.ite(as_written, taken, anything)
    }

    pub(crate) fn step(&mut self) -> Result<(), StopReason> {
        self.statistics.steps += 1;
        self.nth = 0;
        self.charge(1)
    }

    /// Takes `n` steps of the budget, and one for each term that is new since the last time.
    pub(crate) fn charge(&mut self, n: u64) -> Result<(), StopReason> {
        // What a guard knows takes as much memory as a dozen terms.
        if self.terms.len() + 12 * self.guards.len() > self.config.max_terms {
            return Err(StopReason::Memory);
        }
        let new = self.terms.len() - self.n_charged;
        self.n_charged = self.terms.len();
        if new > TERMS_PER_LOOK {
            self.budget.look()?;
        }
        self.budget.spend(n + new as u64)
    }
}
