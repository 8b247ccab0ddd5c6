//! Two versions of a program on the same inputs: do they do the same?
//!
//! First by running both, then as one program (`idiolect_ir::product`) whose only error is a difference: the
//! search for errors finds the inputs, and a proof that there is no error is one that the versions are
//! equivalent. What is found is run on each version by itself before it is believed.

use crate::settle::find_error_or_proof;
use idiolect_base::{Budget, Rng};
use idiolect_interp::{
    CompileOptions, Compiled, DrawnInput, End, FixedInputs, InputOrigin, InputRequest, InputSource,
    Machine, NoObserver, Outcome, RandomInputs, RunOptions, Spread, ZeroInputs,
};
use idiolect_ir::product::{Channel, Observed, Product, channel, product};
use idiolect_ir::{Program, Property};
use idiolect_search::{Doubt, FindOptions, Found, Proof};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// What is known of two versions.
#[derive(Debug)]
pub enum Related {
    /// They differ on these inputs.
    Different(Box<Pair>),
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
        unseen: Vec<&'static str>,
    },
}

/// The runs of both versions on the same inputs.
#[derive(Debug)]
pub struct Pair {
    pub old: Outcome,
    pub new: Outcome,
    /// The runs end and print alike; what the entry function returns or leaves in variables differs.
    pub only_variables: bool,
}

/// Pairs of runs with random inputs, and how long each may be.
const RUNS: u64 = 400;
const STEPS: u64 = 200_000;

/// Compares two versions.
pub fn relate(
    old: &Arc<Program>,
    new: &Arc<Program>,
    observed: Observed,
    seed: u64,
    budget: &Budget,
    say: &mut dyn FnMut(&str),
) -> Related {
    if idiolect_ir::text::print(old) == idiolect_ir::text::print(new) {
        return Related::Identical;
    }
    let compiled = [old, new].map(|p| Compiled::new(p.clone(), &CompileOptions::default()));
    say("running both");
    for i in 0..RUNS {
        let part = budget.share(2 * STEPS);
        if budget.look().is_err() {
            break;
        }
        let mut random = RandomInputs::new(Rng::new(seed, i), Spread::Mixed);
        let pair = both(&compiled, &mut random, BTreeMap::new(), &part);
        if differs(&pair, observed) {
            return Related::Different(Box::new(smaller(&compiled, pair, observed, budget)));
        }
    }
    say("both as one program");
    let Product { program, unseen } = product(old, new, observed);
    let combined = Arc::new(program);
    let options = FindOptions {
        properties: vec![Property::Assert],
        seed,
        ..FindOptions::default()
    };
    match find_error_or_proof(&combined, &options, budget, say) {
        Found::Error { run, .. } => {
            let queues = queues(&combined, run.inputs());
            let mut source = Shared {
                queues: queues.clone(),
                rest: ZeroInputs,
            };
            let mut pair = both(&compiled, &mut source, queues, budget);
            pair.only_variables = !differs(&pair, observed);
            let is_main = old.function(old.entry).name == "main";
            if pair.only_variables && !observed.globals && is_main {
                // Different values were printed as the same text.
                return Related::Unknown {
                    combined,
                    unwind: 0,
                    doubt: Some(Doubt::Unconfirmed),
                    unseen,
                };
            }
            Related::Different(Box::new(pair))
        }
        Found::Proved(proof) if unseen.is_empty() => Related::Equivalent(proof),
        Found::Proved(_) => Related::Unknown {
            combined,
            unwind: 0,
            doubt: None,
            unseen,
        },
        Found::Nothing { unwind, doubt } => Related::Unknown {
            combined,
            unwind,
            doubt,
            unseen,
        },
    }
}

/// Inputs by where they come from, then what another source gives.
struct Shared<S> {
    queues: BTreeMap<Channel, VecDeque<u128>>,
    rest: S,
}

impl<S: InputSource> InputSource for Shared<S> {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        let queue = request
            .kind()
            .and_then(|k| self.queues.get_mut(&channel(k)));
        match queue.and_then(VecDeque::pop_front) {
            Some(bits) => Some(bits),
            None => self.rest.next(request),
        }
    }
}

fn queues(program: &Program, inputs: &[DrawnInput]) -> BTreeMap<Channel, VecDeque<u128>> {
    let mut queues: BTreeMap<Channel, VecDeque<u128>> = BTreeMap::new();
    for input in inputs {
        if let InputOrigin::Site(id) = input.origin {
            let own = channel(&program.inputs[id.index()].kind);
            queues.entry(own).or_default().push_back(input.bits);
        }
    }
    queues
}

/// Runs the old version on these inputs, then the new one on the same; it may ask for more.
fn both(
    compiled: &[Compiled; 2],
    old: &mut dyn InputSource,
    more: BTreeMap<Channel, VecDeque<u128>>,
    budget: &Budget,
) -> Pair {
    let run = |i: usize, source: &mut dyn InputSource| {
        let options = RunOptions {
            max_steps: STEPS,
            ..RunOptions::default()
        };
        Machine::new(&compiled[i], options).run(source, &mut NoObserver, budget)
    };
    let old = run(0, old);
    let mut queues = queues(compiled[0].program(), &old.inputs);
    for (kind, values) in more {
        let own = queues.entry(kind).or_default();
        let used = own.len().min(values.len());
        own.extend(values.into_iter().skip(used));
    }
    let rest = ZeroInputs;
    let new = run(1, &mut Shared { queues, rest });
    Pair {
        old,
        new,
        only_variables: false,
    }
}

/// Whether what is observed of both runs is not the same. Nothing is said of runs that were cut.
fn differs(pair: &Pair, observed: Observed) -> bool {
    let is_cut = |end: &End| {
        matches!(
            end,
            End::Limit(_) | End::Trap(_) | End::AssumeEnded | End::InputsEnded | End::Stopped
        )
    };
    let (old, new) = (&pair.old, &pair.new);
    if is_cut(&old.end) || is_cut(&new.end) {
        return false;
    }
    let same_end = match (&old.end, &new.end) {
        (End::Exit(a), End::Exit(b)) => a & 0xff == b & 0xff,
        (End::Error(_), End::Error(_)) | (End::Abort, End::Abort) => true,
        (End::Fault(a), End::Fault(b)) => a.kind == b.kind,
        _ => false,
    };
    (observed.result && !same_end) || (observed.stdout && old.stdout != new.stdout)
}

/// Smaller inputs on which they differ as well.
fn smaller(compiled: &[Compiled; 2], pair: Pair, observed: Observed, budget: &Budget) -> Pair {
    let own = budget.share(20_000_000);
    let mut best = pair;
    let inputs = best.old.inputs.clone();
    idiolect_search::shrink(&inputs, &own, |bits| {
        let mut source = FixedInputs::new(bits.to_vec(), ZeroInputs);
        let tried = both(compiled, &mut source, BTreeMap::new(), &own);
        if !differs(&tried, observed) {
            return None;
        }
        let used = tried.old.inputs.clone();
        best = tried;
        Some(used)
    });
    best
}
