//! Two programs as one, to be compared: the old one runs, then the new one on the same inputs, and it is
//! an error if they are seen to do different things.
//!
//! Inputs are shared by where they come from: the n-th value of `__VERIFIER_nondet_int` is the same for
//! both, and so is the second byte of `argv[1]` (`inputs.rs`). Where a program exits, aborts or fails, it
//! returns to its start instead, so that the other one can run as well (`exits.rs`). What is printed is
//! compared as it comes (`outputs.rs`), and so are calls of functions without a body (`calls.rs`). Memory behind pointer parameters of the entry function is the same for both
//! before the call and compared after it (`behind.rs`), and so is what is returned (`returned.rs`, `pointers.rs`);
//! `compare.rs` puts all of it together.

mod align;
mod behind;
mod calls;
mod compare;
mod edit;
mod exits;
mod inputs;
mod leaves;
mod merge;
mod outputs;
mod pointers;
mod returned;
mod shape;
mod tape;
mod words;

use crate::ctype::IntKind;
use crate::events::EventSite;
use crate::expr::{ExprKind, Ty};
use crate::program::{Assumption, AssumptionKind, FuncId, Global, GlobalId, Program};
use crate::stmt::{Callee, StmtKind};
pub use align::{Signature, align, renamed, replace_names, signatures};
pub use inputs::{Channel, channel};
use rustc_hash::FxHashMap;
pub use shape::shape;

/// By the place of an event, the number of its letter; letters of the same number are the same for both programs.
pub type Letters = FxHashMap<EventSite, u32>;

/// What of two programs is compared.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Observed {
    /// How it ends, and with which status.
    pub result: bool,
    /// What it prints.
    pub stdout: bool,
    /// The final values of variables of the same name.
    pub globals: bool,
    /// The events of the old program and of the new one that are listened to.
    pub letters: [Letters; 2],
}

impl Observed {
    /// Whether words of events are compared.
    pub fn has_words(&self) -> bool {
        self.letters.iter().any(|letters| !letters.is_empty())
    }
}

/// Values that one place of inputs gives at most, and texts that are printed at most.
pub const MAX_VALUES: u64 = 64;

/// What the error of the combined program says.
pub const DIFFERENT: &str = "both versions do the same";

/// What the combined program prints of a difference stands between these.
pub const MARK: char = '\u{1}';

/// The name of what is printed, among what may differ.
pub const PRINTED: &str = "what is printed";

/// The name of calls of functions without a body, among what may differ.
pub const CALLED: &str = "calls of functions without a body";

/// The name of the events, among what may differ.
pub const EVENTS: &str = "the events";

/// Variables that the two programs and the driver share.
struct Shared {
    /// 0 while the program runs.
    ended: [GlobalId; 2],
    status: [GlobalId; 2],
    inputs: inputs::Queues,
    outputs: outputs::Log,
    calls: calls::Calls,
    words: words::ProductWords,
}

/// The combined program, and what of it is not compared.
pub struct Product {
    pub program: Program,
    /// What runs alone can compare.
    pub unseen: Vec<String>,
}

/// What is compared, and where it is.
struct Seen<'a> {
    observed: &'a Observed,
    starts: [FuncId; 2],
    /// The bits of the status that count.
    mask: u32,
    returned: Option<returned::Returned>,
    behind: Vec<behind::Kept>,
    globals: Pairs,
    /// Objects that are defined elsewhere have the same in them when the programs start.
    elsewhere: Vec<([GlobalId; 2], leaves::Leaf)>,
    /// What is said where memory behind pointers is not compared.
    bound: u32,
}

/// The combined program.
pub fn product(old: &Program, new: &Program, observed: &Observed) -> Product {
    let mut program = old.clone();
    let n_old = program.functions.len();
    let n_globals = program.globals.len();
    let new_start = merge::append(&mut program, new);
    let text = format!(
        "at most {MAX_VALUES} inputs of a kind, and as many values that are printed and events"
    );
    let bound = assume(&mut program, &text);
    let text = "memory behind pointers is compared for its first element";
    let bound_behind = assume(&mut program, text);
    let texts = outputs::Texts::of([old, new]);
    let shared = Shared {
        ended: ["old", "new"].map(|side| variable(&mut program, &format!("%ended_{side}"), 4)),
        status: ["old", "new"].map(|side| variable(&mut program, &format!("%status_{side}"), 4)),
        inputs: inputs::Queues::new(&mut program),
        outputs: outputs::Log::new(&mut program, texts),
        calls: calls::Calls::new(&mut program),
        words: words::ProductWords::new(&mut program, &observed.letters, n_old, old.marks.len()),
    };
    if observed.has_words() {
        for f in 0..program.functions.len() {
            let side = usize::from(f >= n_old);
            (shared.words).instrument(&mut program, FuncId::new(f), side, bound);
        }
    }
    let mut unseen = Vec::new();
    let starts = [old.start, new_start];
    let entries = [old.entry, FuncId::new(n_old + new.entry.index())];
    let targets = pointers::targets(&program, starts, n_globals);
    // Both are put right after the call.
    let returned = if observed.result {
        returned::keep(&mut program, starts, entries, &targets, &mut unseen)
    } else {
        None
    };
    let (kept, more) = behind::share(&mut program, starts, entries, &targets);
    let behind = if observed.result {
        unseen.extend(more);
        kept
    } else {
        Vec::new()
    };
    let may_end = exits::may_end(&program);
    let reached = reached(&program, starts);
    for f in (0..program.functions.len()).filter(|&f| reached[f]) {
        let side = usize::from(f >= n_old);
        if observed.stdout {
            let all = (shared.outputs).instrument(&mut program, FuncId::new(f), side, bound);
            if !all {
                unseen.push("texts that are printed through pointers".to_owned());
            }
        }
        if !starts.contains(&FuncId::new(f)) {
            let calls = &shared.calls;
            unseen.extend(calls.instrument(&mut program, FuncId::new(f), side, bound));
        }
        shared
            .inputs
            .instrument(&mut program, FuncId::new(f), side, bound);
        exits::instrument(
            &mut program,
            FuncId::new(f),
            &may_end,
            shared.ended[side],
            shared.status[side],
        );
    }
    let n_new = new.globals.len();
    let is_main = old.function(old.entry).name == "main";
    let seen = Seen {
        observed,
        starts,
        mask: if is_main { 0xff } else { u32::MAX },
        returned,
        behind,
        globals: if observed.globals {
            if !is_main {
                unseen.extend(of_one_version(&program, n_globals, n_new, &reached));
            }
            same_names(&program, n_globals, n_new, &mut unseen)
        } else {
            Vec::new()
        },
        elsewhere: defined_elsewhere(&program, n_globals, n_new),
        bound: bound_behind,
    };
    program.start = compare::driver(&mut program, &shared, &seen);
    unseen.sort_unstable();
    unseen.dedup();
    Product { program, unseen }
}

/// Adds a bound; its index.
fn assume(program: &mut Program, text: &str) -> u32 {
    program.assumptions.push(Assumption {
        kind: AssumptionKind::Bound,
        text: text.to_owned(),
        span: idiolect_base::Span::NOWHERE,
        option: None,
    });
    program.assumptions.len() as u32 - 1
}

/// Functions that may be called, directly or through a pointer.
fn reached(program: &Program, starts: [FuncId; 2]) -> Vec<bool> {
    let mut reached = vec![false; program.functions.len()];
    let mut open: Vec<FuncId> = starts.to_vec();
    for global in &program.globals {
        for relocation in &global.relocations {
            if let crate::program::GlobalTarget::Function(f) = relocation.target {
                open.push(f);
            }
        }
    }
    while let Some(f) = open.pop() {
        if std::mem::replace(&mut reached[f.index()], true) {
            continue;
        }
        let body = program.function(f);
        for expr in &body.exprs {
            if let ExprKind::FunctionAddress(g) = expr.kind {
                open.push(g);
            }
        }
        for stmt in body.blocks.iter().flat_map(|b| &b.stmts) {
            if let StmtKind::Call {
                callee: Callee::Function(g),
                ..
            } = stmt.kind
            {
                open.push(g);
            }
        }
    }
    reached
}

fn variable(program: &mut Program, name: &str, size: u64) -> GlobalId {
    let ty = program.types.int(IntKind::UChar);
    program.globals.push(Global {
        name: name.to_owned(),
        ty,
        size,
        align: 16,
        bytes: Vec::new(),
        relocations: Vec::new(),
        read_only: false,
        is_unwritten: false,
        is_library: true,
        function: None,
        span: idiolect_base::Span::NOWHERE,
    });
    GlobalId::new(program.globals.len() - 1)
}

/// Scalars of variables that both programs have.
type Pairs = Vec<([GlobalId; 2], leaves::Leaf, String)>;

/// Whether a variable of the user keeps something from one call to the next; `errno` is one for whoever calls.
fn is_state(global: &Global) -> bool {
    let is_seen = !global.is_library || global.name == "errno";
    is_seen && !global.read_only && !global.name.starts_with('%')
}

/// Whether a variable of the old program is this one of the new: of the same name, in the same function if in one.
fn are_one(old: &Global, new: &Global) -> bool {
    old.name == new.name && old.size == new.size && old.function == new.function
}

/// What a function keeps for its next call in one version and not in the other: one call is compared.
fn of_one_version(program: &Program, n_old: usize, n_new: usize, reached: &[bool]) -> Vec<String> {
    let mut is_used = vec![false; program.globals.len()];
    for (function, _) in program.functions.iter().zip(reached).filter(|(_, r)| **r) {
        for expr in &function.exprs {
            if let ExprKind::GlobalAddress(g) = expr.kind {
                is_used[g.index()] = true;
            }
        }
    }
    let (olds, news) = program.globals[..n_old + n_new].split_at(n_old);
    let is_alone = |i: usize, own: &Global, others: &[Global]| {
        let mut others = others.iter();
        is_used[i] && is_state(own) && !own.is_unwritten && !others.any(|o| are_one(own, o))
    };
    let left = (olds.iter().enumerate()).filter(|(i, own)| is_alone(*i, own, news));
    let right = (news.iter().enumerate()).filter(|(i, own)| is_alone(n_old + *i, own, olds));
    let all = left.chain(right);
    all.map(|(_, own)| format!("`{}`, which one version has", own.name))
        .collect()
}

/// Variables of the user that both programs have, with integers and floats in them; others cannot be seen.
fn same_names(program: &Program, n_old: usize, n_new: usize, unseen: &mut Vec<String>) -> Pairs {
    const MOST: usize = 64;
    let mut pairs = Vec::new();
    for i in n_old..n_old + n_new {
        let new = &program.globals[i];
        let mut all = program.globals[..n_old].iter().enumerate();
        let found = all.find(|(_, old)| is_state(old) && are_one(old, new));
        let Some((j, old)) = found.filter(|_| is_state(new)) else {
            continue;
        };
        let places = [GlobalId::new(j), GlobalId::new(i)];
        let lists = [old.ty, new.ty].map(|ty| leaves::leaves(&program.types, ty));
        let [Some(olds), Some(news)] = lists else {
            unseen.push(format!("`{}`", new.name));
            continue;
        };
        let is_same = olds.len() == news.len()
            && (olds.iter().zip(&news)).all(|(a, b)| a.offset == b.offset && a.ty == b.ty);
        if !is_same || olds.len() > MOST || olds.iter().any(|leaf| leaf.ty == Ty::Ptr) {
            unseen.push(format!("`{}`", new.name));
        }
        if !is_same {
            continue;
        }
        for leaf in olds
            .into_iter()
            .filter(|leaf| leaf.ty != Ty::Ptr)
            .take(MOST)
        {
            let name = format!("{}{}", new.name, leaf.name);
            pairs.push((places, leaf, name));
        }
    }
    pairs
}

/// Objects that are defined elsewhere, scalar by scalar.
fn defined_elsewhere(
    program: &Program,
    n_old: usize,
    n_new: usize,
) -> Vec<([GlobalId; 2], leaves::Leaf)> {
    let mut pairs = Vec::new();
    for i in n_old..n_old + n_new {
        let new = &program.globals[i];
        let mut all = program.globals[..n_old].iter().enumerate();
        let found = all.find(|(_, g)| g.is_unwritten && g.name == new.name && g.size == new.size);
        let Some((j, old)) = found.filter(|_| new.is_unwritten) else {
            continue;
        };
        let places = [GlobalId::new(j), GlobalId::new(i)];
        let list = leaves::leaves(&program.types, old.ty).unwrap_or_default();
        pairs.extend(list.into_iter().map(|leaf| (places, leaf)));
    }
    pairs
}
