//! Two versions of a program on the same inputs: do they do the same?
//!
//! First by running both, then as one program (`idiolect_ir::product`) whose only error is a difference: the
//! search for errors finds the inputs, and a proof that there is no error is one that the versions are
//! equivalent. What is found is run on each version by itself before it is believed.

use crate::settle::find_error_or_proof;
use idiolect_base::{Budget, Rng};
use idiolect_interp::{
    CompileOptions, Compiled, DrawnInput, End, FixedInputs, InputOrigin, InputRequest, InputSource,
    Listener, Machine, NoObserver, ObjectKind, Outcome, RandomInputs, RunOptions, Spread,
    Unwritten, ZeroInputs,
};
use idiolect_ir::product::{
    Channel, EVENTS, MARK, Observed, PRINTED, Product, Signature, align, channel, product, renamed,
};
use idiolect_ir::{BEHIND, Program, Property, Ty};
use idiolect_search::{Doubt, FindOptions, Found, Proof};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// What is known of two versions.
#[derive(Debug)]
pub enum Related {
    /// They differ on these inputs.
    Different(Box<Pair>),
    /// The entry functions take or return other things, so no call is one of both.
    OtherSignature(Signature),
    /// But for layout, comments and names of files they are one program.
    Identical,
    /// On every input both do the same.
    Equivalent(Proof),
    /// No difference was found.
    Unknown {
        /// Both as one: the doubt is about it.
        combined: Arc<Program>,
        /// Loops were unwound so often.
        unwind: usize,
        doubt: Option<Doubt>,
        /// What was compared in runs alone.
        unseen: Vec<String>,
    },
}

/// The runs of both versions on the same inputs.
#[derive(Debug)]
pub struct Pair {
    pub old: Outcome,
    pub new: Outcome,
    /// The numbers of the letters of both, where words are compared.
    pub words: [Vec<u32>; 2],
    /// The runs end and print alike; this differs.
    pub what: Option<Differing>,
}

/// Something that is not the same after both runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Differing {
    /// Such as `a[2]`.
    pub name: String,
    /// What it is in the old version and in the new one, where that is a number.
    pub values: Option<[String; 2]>,
}

/// Pairs of runs with random inputs, and how long each may be.
const RUNS: u64 = 400;
const STEPS: u64 = 200_000;

/// Both versions, ready to be run.
struct Versions<'a> {
    compiled: [Compiled; 2],
    observed: &'a Observed,
    /// The bits of the status that count.
    mask: i32,
}

/// Compares two versions.
pub fn relate(
    old: &Arc<Program>,
    new: &Arc<Program>,
    observed: &Observed,
    seed: u64,
    budget: &Budget,
    say: &mut dyn FnMut(&str),
) -> Related {
    if idiolect_ir::text::print(old) == idiolect_ir::text::print(new) {
        return Related::Identical;
    }
    let is_main = old.function(old.entry).name == "main";
    let new = match renamed(old, new) {
        _ if is_main => new.clone(),
        Some(names) if names.is_empty() => new.clone(),
        Some(names) => Arc::new(align(new, &names)),
        None => return Related::OtherSignature(signature(old, new)),
    };
    let versions = Versions {
        compiled: [old, &new].map(|p| Compiled::new(p.clone(), &CompileOptions::default())),
        observed,
        mask: if is_main { 0xff } else { -1 },
    };
    say("running both");
    for i in 0..RUNS {
        let part = budget.share(2 * STEPS);
        if budget.look().is_err() {
            break;
        }
        let random = RandomInputs::new(Rng::new(seed, i), Spread::Mixed);
        let pair = versions.both(Given::default(), random, &part);
        if versions.differs(&pair) {
            return Related::Different(Box::new(versions.smaller(pair, budget)));
        }
    }
    say("both as one program");
    let Product { program, unseen } = product(old, &new, observed);
    let combined = Arc::new(program);
    let options = FindOptions {
        properties: vec![Property::Assert],
        seed,
        ..FindOptions::default()
    };
    let (unwind, doubt) = match find_error_or_proof(&combined, &options, budget, say) {
        Found::Error { run, .. } => {
            let inputs = run.inputs().to_vec();
            match versions.confirmed(&combined, inputs, budget) {
                Some(pair) => return Related::Different(Box::new(pair)),
                // Different values were printed as the same text, or memory that nobody wrote was read.
                None => (0, Some(Doubt::Unconfirmed)),
            }
        }
        Found::Proved(proof) if unseen.is_empty() => return Related::Equivalent(proof),
        Found::Proved(_) => (0, None),
        Found::Nothing { unwind, doubt } => {
            // One version may fault where the other one does not.
            let inputs = match &doubt {
                Some(Doubt::Fault(sample)) => Some(sample.inputs.clone()),
                Some(Doubt::FoundFault(fault)) => {
                    Some(fault.inputs.iter().map(|input| input.bits).collect())
                }
                _ => None,
            };
            if let Some(pair) = inputs.and_then(|bits| versions.faulty(&combined, bits, budget)) {
                return Related::Different(Box::new(pair));
            }
            (unwind, doubt)
        }
    };
    Related::Unknown {
        combined,
        unwind,
        doubt,
        unseen,
    }
}

fn signature(old: &Program, new: &Program) -> Signature {
    let [a, b] = [old, new].map(|program| {
        let function = program.function(program.entry);
        program.types.declaration(function.ty, &function.name)
    });
    Signature {
        name: old.function(old.entry).name.clone(),
        old: a,
        new: b,
    }
}

/// Inputs by where they come from.
#[derive(Clone, Debug, Default)]
struct Given {
    queues: BTreeMap<Channel, VecDeque<u128>>,
    /// What was in memory that nobody wrote, by the name of the object.
    memory: BTreeMap<(String, u32), u8>,
}

impl Given {
    fn of(program: &Program, inputs: &[DrawnInput]) -> Self {
        let mut given = Self::default();
        for input in inputs {
            match input.origin {
                InputOrigin::Site(id) => {
                    let own = channel(&program.inputs[id.index()].kind);
                    given.queues.entry(own).or_default().push_back(input.bits);
                }
                InputOrigin::Unwritten(piece) => {
                    given.remember(program, piece, input.bits);
                }
            }
        }
        given
    }

    fn remember(&mut self, program: &Program, piece: Unwritten, bits: u128) {
        let Some(name) = shared_name(program, piece.object) else {
            return;
        };
        for i in 0..piece.size.min(16) {
            let byte = (bits >> (8 * i)) as u8;
            (self.memory.entry((name.to_owned(), piece.offset + i))).or_insert(byte);
        }
    }

    /// The others come after these.
    fn extend(&mut self, more: Self) {
        for (kind, values) in more.queues {
            let own = self.queues.entry(kind).or_default();
            let used = own.len().min(values.len());
            own.extend(values.into_iter().skip(used));
        }
        for (place, byte) in more.memory {
            self.memory.entry(place).or_insert(byte);
        }
    }
}

/// The name of an object that both versions have and that nobody wrote before they start.
fn shared_name(program: &Program, object: ObjectKind) -> Option<&str> {
    match object {
        ObjectKind::Local { function, local } => {
            let name = &program.function(function).local(local).name;
            name.starts_with(BEHIND).then_some(name)
        }
        ObjectKind::Global(g) => {
            let global = program.global(g);
            global.is_unwritten.then_some(&global.name)
        }
        _ => None,
    }
}

/// Inputs that are given, then what another source gives.
struct Shared<S> {
    given: Given,
    rest: S,
}

impl<S: InputSource> InputSource for Shared<S> {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        if let Some(kind) = request.kind() {
            let queue = self.given.queues.get_mut(&channel(kind));
            return match queue.and_then(VecDeque::pop_front) {
                Some(bits) => Some(bits),
                None => self.rest.next(request),
            };
        }
        let InputOrigin::Unwritten(piece) = request.origin else {
            return self.rest.next(request);
        };
        let name = shared_name(request.program, piece.object).map(str::to_owned);
        let Some(name) = name.filter(|_| request.ty != Ty::F80) else {
            return self.rest.next(request);
        };
        let known = |i: u32| {
            let place = (name.clone(), piece.offset + i);
            self.given.memory.get(&place).copied()
        };
        let bytes: Vec<Option<u8>> = (0..piece.size).map(known).collect();
        let mut bits = if bytes.iter().all(Option::is_some) {
            0
        } else {
            self.rest.next(request)?
        };
        for (i, byte) in bytes.into_iter().enumerate().take(16) {
            if let Some(byte) = byte {
                bits &= !(0xff << (8 * i));
                bits |= u128::from(byte) << (8 * i);
            }
        }
        self.given.remember(request.program, piece, bits);
        Some(bits)
    }
}

impl Versions<'_> {
    /// Runs the old version on these inputs and more, then the new one on the same; it may ask for others.
    fn both(&self, given: Given, rest: impl InputSource, budget: &Budget) -> Pair {
        let run = |i: usize, source: &mut dyn InputSource| {
            let options = RunOptions {
                max_steps: STEPS,
                ..RunOptions::default()
            };
            let mut listener = Listener::new(&self.observed.letters[i]);
            let mut machine = Machine::new(&self.compiled[i], options);
            let outcome = if self.observed.has_words() {
                machine.run(source, &mut listener, budget)
            } else {
                machine.run(source, &mut NoObserver, budget)
            };
            (outcome, listener.word)
        };
        let mut source = Shared {
            given: given.clone(),
            rest,
        };
        let (old, old_word) = run(0, &mut source);
        let mut used = Given::of(self.compiled[0].program(), &old.inputs);
        used.extend(given);
        let mut source = Shared {
            given: used,
            rest: ZeroInputs,
        };
        let (new, new_word) = run(1, &mut source);
        Pair {
            old,
            new,
            words: [old_word, new_word],
            what: None,
        }
    }

    /// Whether what is observed of both runs is not the same. Nothing is said of runs that were cut.
    fn differs(&self, pair: &Pair) -> bool {
        let (old, new) = (&pair.old, &pair.new);
        if is_cut(&old.end) || is_cut(&new.end) {
            return false;
        }
        let same_end = match (&old.end, &new.end) {
            (End::Exit(a), End::Exit(b)) => a & self.mask == b & self.mask,
            (End::Error(_), End::Error(_)) | (End::Abort, End::Abort) => true,
            (End::Fault(a), End::Fault(b)) => a.kind == b.kind,
            _ => false,
        };
        let observed = self.observed;
        let [old_word, new_word] = &pair.words;
        (observed.result && !same_end)
            || (observed.stdout && old.stdout != new.stdout)
            || old_word != new_word
    }

    /// Smaller inputs on which they differ as well.
    fn smaller(&self, pair: Pair, budget: &Budget) -> Pair {
        let own = budget.share(20_000_000);
        let compare = |bits: Vec<u128>, budget: &Budget| {
            let source = FixedInputs::new(bits, ZeroInputs);
            let tried = self.both(Given::default(), source, budget);
            self.differs(&tried).then_some(tried)
        };
        let inputs = &pair.old.inputs;
        let small = idiolect_search::shrink(self.compiled[0].program(), inputs, &own, |bits| {
            compare(bits.to_vec(), &own).map(|tried| tried.old.inputs)
        });
        // Not all that was tried was simpler.
        let small = small.iter().map(|input| input.bits).collect();
        compare(small, budget).unwrap_or(pair)
    }

    /// The runs of both on inputs on which the combined program says that they differ. What it says of more than
    /// ends and texts is taken from its own run, in which memory that belongs to neither starts with zeros.
    fn confirmed(
        &self,
        combined: &Arc<Program>,
        inputs: Vec<DrawnInput>,
        budget: &Budget,
    ) -> Option<Pair> {
        let compiled = Compiled::new(combined.clone(), &CompileOptions::default());
        let run = |given: Given, budget: &Budget| {
            let options = RunOptions {
                max_steps: 4 * STEPS,
                ..RunOptions::default()
            };
            let rest = ZeroInputs;
            let mut source = Shared { given, rest };
            Machine::new(&compiled, options).run(&mut source, &mut NoObserver, budget)
        };
        let check = |inputs: &[DrawnInput], budget: &Budget| {
            let given = Given::of(combined, inputs);
            let outcome = run(given.clone(), budget);
            let what = differing(&outcome)?;
            let mut pair = self.both(given, ZeroInputs, budget);
            if self.differs(&pair) {
                return Some((outcome, pair));
            }
            let is_over = |end: &End| matches!(end, End::Exit(_));
            let is_read = what.name == PRINTED || what.name == EVENTS;
            let is_seen = !is_read && is_over(&pair.old.end) && is_over(&pair.new.end);
            pair.what = Some(what);
            is_seen.then_some((outcome, pair))
        };
        let (first, best) = check(&inputs, budget)?;
        let own = budget.share(20_000_000);
        let small = idiolect_search::shrink(combined, &first.inputs, &own, |bits| {
            let source = FixedInputs::new(bits.to_vec(), ZeroInputs);
            let options = RunOptions {
                max_steps: 4 * STEPS,
                ..RunOptions::default()
            };
            let mut source = source;
            let tried = Machine::new(&compiled, options).run(&mut source, &mut NoObserver, &own);
            check(&tried.inputs, &own).map(|(outcome, _)| outcome.inputs)
        });
        // Not all that was tried was simpler.
        Some(check(&small, budget).map_or(best, |(_, pair)| pair))
    }

    /// The runs of both on inputs on which the combined program faults, if only one of them does.
    fn faulty(&self, combined: &Arc<Program>, bits: Vec<u128>, budget: &Budget) -> Option<Pair> {
        let compiled = Compiled::new(combined.clone(), &CompileOptions::default());
        let mut source = FixedInputs::new(bits, ZeroInputs);
        let outcome = Machine::new(&compiled, RunOptions::default()).run(
            &mut source,
            &mut NoObserver,
            budget,
        );
        let given = Given::of(combined, &outcome.inputs);
        let pair = self.both(given, ZeroInputs, budget);
        self.differs(&pair).then(|| self.smaller(pair, budget))
    }
}

fn is_cut(end: &End) -> bool {
    matches!(
        end,
        End::Limit(_) | End::Trap(_) | End::AssumeEnded | End::InputsEnded | End::Stopped
    )
}

/// What the combined program says of a difference, if its run ends with one.
fn differing(outcome: &Outcome) -> Option<Differing> {
    if !matches!(outcome.end, End::Error(_)) {
        return None;
    }
    let text = String::from_utf8_lossy(&outcome.stdout);
    let parts: Vec<&str> = text.rsplit(MARK).collect();
    // From the end: nothing, the new value, the old one, the name.
    let [_, new, old, name, ..] = parts.as_slice() else {
        let name = PRINTED.to_owned();
        return Some(Differing { name, values: None });
    };
    let values = (!old.is_empty()).then(|| [(*old).to_owned(), (*new).to_owned()]);
    Some(Differing {
        name: (*name).to_owned(),
        values,
    })
}
