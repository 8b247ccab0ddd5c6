//! Two programs as one, to be compared: the old one runs, then the new one on the same inputs, and it is
//! an error if they are seen to do different things.
//!
//! Inputs are shared by where they come from: the n-th value of `__VERIFIER_nondet_int` is the same for
//! both, and so is the second byte of `argv[1]` (`inputs.rs`). Where a program exits, aborts or fails, it
//! returns to its start instead, so that the other one can run as well (`exits.rs`). What is printed is
//! compared as it comes (`outputs.rs`).

mod edit;
mod exits;
mod inputs;
mod merge;
mod outputs;

use crate::ctype::{CType, IntKind};
use crate::expr::{BinaryOp, ExprId, ExprKind, Ty};
use crate::program::{
    Assumption, AssumptionKind, FuncId, Function, FunctionOrigin, Global, GlobalId, Program,
};
use crate::stmt::{Block, Callee, ErrorKind, StmtKind, TerminatorKind};
use edit::Editor;
pub use inputs::{Channel, channel};

/// What of two programs is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Observed {
    /// How it ends, and with which status.
    pub result: bool,
    /// What it prints.
    pub stdout: bool,
    /// The final values of variables of the same name.
    pub globals: bool,
}

/// Values that one place of inputs gives at most, and texts that are printed at most.
pub const MAX_VALUES: u64 = 64;

/// What the error of the combined program says.
pub const DIFFERENT: &str = "both versions do the same";

/// Variables that the two programs and the driver share.
struct Shared {
    /// 0 while the program runs.
    ended: [GlobalId; 2],
    status: [GlobalId; 2],
    inputs: inputs::Queues,
    outputs: outputs::Log,
}

/// The combined program, and what of it is not compared.
pub struct Product {
    pub program: Program,
    /// What runs alone can compare.
    pub unseen: Vec<&'static str>,
}

/// The combined program.
pub fn product(old: &Program, new: &Program, observed: Observed) -> Product {
    let mut program = old.clone();
    let n_old = program.functions.len();
    let n_globals = program.globals.len();
    let new_start = merge::append(&mut program, new);
    let bound = program.assumptions.len() as u32;
    program.assumptions.push(Assumption {
        kind: AssumptionKind::Bound,
        text: format!("at most {MAX_VALUES} inputs of a kind, and as many texts that are printed"),
        span: idiolect_base::Span::NOWHERE,
        option: None,
    });
    let shared = Shared {
        ended: [
            variable(&mut program, "%ended_old", 4),
            variable(&mut program, "%ended_new", 4),
        ],
        status: [
            variable(&mut program, "%status_old", 4),
            variable(&mut program, "%status_new", 4),
        ],
        inputs: inputs::Queues::new(&mut program),
        outputs: outputs::Log::new(&mut program),
    };
    let mut unseen = Vec::new();
    let starts = [old.start, new_start];
    let returned = [
        variable(&mut program, "%returned_old", 16),
        variable(&mut program, "%returned_new", 16),
    ];
    if observed.result {
        for ((start, entry), slot) in starts
            .into_iter()
            .zip([old.entry, FuncId::new(n_old + new.entry.index())])
            .zip(returned)
        {
            unseen.extend(keep_returned(&mut program, start, entry, slot));
        }
    }
    let may_end = exits::may_end(&program);
    let reached = reached(&program, starts);
    for f in (0..program.functions.len()).filter(|&f| reached[f]) {
        let side = usize::from(f >= n_old);
        if observed.stdout {
            let all = (shared.outputs).instrument(&mut program, FuncId::new(f), side, bound);
            if !all {
                unseen.push("texts that are printed through pointers");
            }
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
    let pairs = match observed.globals {
        true => same_names(&program, n_globals, new),
        false => Vec::new(),
    };
    let is_main = old.function(old.entry).name == "main";
    let status = Status {
        mask: if is_main { 0xff } else { u32::MAX },
        returned: (!is_main).then_some(returned),
    };
    program.start = driver(&mut program, starts, &shared, observed, &status, &pairs);
    unseen.sort_unstable();
    unseen.dedup();
    Product { program, unseen }
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

/// How much of a result is compared.
struct Status {
    mask: u32,
    /// The values of an entry function that is not `main`.
    returned: Option<[GlobalId; 2]>,
}

/// Keeps what the entry function returns; what of it cannot be compared.
fn keep_returned(
    program: &mut Program,
    start: FuncId,
    entry: FuncId,
    slot: GlobalId,
) -> Vec<&'static str> {
    let mut unseen = Vec::new();
    let function = program.function(entry);
    if function.name == "main" {
        return unseen;
    }
    if let CType::Function(signature) = program.types.get(function.ty) {
        let is_pointer = |ty: &crate::ctype::TypeId| {
            matches!(
                program.types.get(*ty),
                CType::Pointer(_) | CType::Array { .. }
            )
        };
        if signature.params.iter().any(is_pointer) {
            unseen.push("memory behind pointer parameters");
        }
        let is_record = matches!(program.types.get(signature.ret), CType::Record(_));
        if is_record || is_pointer(&signature.ret) {
            unseen.push("a returned pointer or record");
        }
    }
    let pointer = program.types.model.pointer_width();
    let mut edit = Editor::new(&mut program.functions[start.index()], pointer);
    for block in 0..edit.function.blocks.len() {
        let stmts = &edit.function.blocks[block].stmts;
        let found = stmts.iter().enumerate().find_map(|(i, s)| match s.kind {
            StmtKind::Call {
                dest: Some(crate::stmt::Place::Local(l)),
                callee: Callee::Function(f),
                ..
            } if f == entry => Some((i, l, s.span)),
            _ => None,
        });
        let Some((index, local, span)) = found else {
            continue;
        };
        let crate::program::LocalStorage::Register(ty) = edit.function.local(local).storage else {
            continue;
        };
        if matches!(ty, Ty::Ptr | Ty::F80) {
            continue;
        }
        let value = edit.push(ExprKind::Local(local), ty);
        let kind = edit.store(slot, 0, ty, value);
        let stmts = &mut edit.function.blocks[block].stmts;
        stmts.insert(index + 1, crate::stmt::Stmt { kind, span });
    }
    unseen
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

/// Variables of the user that both programs have, with integers and floats in them.
fn same_names(
    program: &Program,
    n_old: usize,
    new: &Program,
) -> Vec<(GlobalId, GlobalId, Ty, u64)> {
    const MOST: u64 = 64;
    let is_own = |g: &&Global| !g.is_library && !g.read_only && g.function.is_none();
    let mut pairs = Vec::new();
    for (i, new_global) in new.globals.iter().enumerate().filter(|(_, g)| is_own(g)) {
        let mut all = program.globals[..n_old].iter().enumerate();
        let Some((j, _)) =
            all.find(|(_, g)| is_own(g) && g.name == new_global.name && g.size == new_global.size)
        else {
            continue;
        };
        let (old_id, new_id) = (GlobalId::new(j), GlobalId::new(n_old + i));
        let element = match program.types.get(program.global(new_id).ty) {
            CType::Array { element, .. } => *element,
            _ => program.global(new_id).ty,
        };
        let Some(ty @ (Ty::Int(_) | Ty::F32 | Ty::F64)) = program.types.scalar(element) else {
            continue;
        };
        let size = program.types.scalar_size(ty);
        for k in 0..(new_global.size / size.max(1)).min(MOST) {
            pairs.push((old_id, new_id, ty, k * size));
        }
    }
    pairs
}

/// Runs both, and compares.
fn driver(
    program: &mut Program,
    starts: [FuncId; 2],
    shared: &Shared,
    observed: Observed,
    status: &Status,
    pairs: &[(GlobalId, GlobalId, Ty, u64)],
) -> FuncId {
    let model = program.function(starts[0]).clone();
    let mut function = Function {
        name: "%compare".to_owned(),
        origin: FunctionOrigin::Synthetic,
        params: Vec::new(),
        locals: Vec::new(),
        exprs: Vec::new(),
        blocks: Vec::new(),
        ..model
    };
    let mut edit = Editor::new(&mut function, program.types.model.pointer_width());
    let mut same: Vec<ExprId> = Vec::new();
    if observed.result {
        for [a, b] in [shared.ended, shared.status] {
            let word = Ty::Int(32);
            let mask = edit.constant(status.mask.into(), word);
            let [a, b] = [a, b].map(|global| {
                let value = edit.load(global, 0, word);
                edit.binary(BinaryOp::BitAnd, value, mask, word)
            });
            same.push(edit.binary(BinaryOp::Eq, a, b, Ty::BOOL));
        }
        if let Some(returned) = status.returned {
            let [a, b] = returned.map(|global| edit.load(global, 0, Ty::Int(64)));
            same.push(edit.binary(BinaryOp::Eq, a, b, Ty::BOOL));
        }
    }
    if observed.stdout {
        same.extend(shared.outputs.same(&mut edit));
    }
    for &(a, b, ty, offset) in pairs {
        // Bits are compared, so that a number that is none is the same as itself.
        let bits = match ty {
            Ty::F32 => Ty::Int(32),
            Ty::F64 => Ty::Int(64),
            ty => ty,
        };
        let (a, b) = (edit.load(a, offset, bits), edit.load(b, offset, bits));
        same.push(edit.binary(BinaryOp::Eq, a, b, Ty::BOOL));
    }
    let mut all = edit.constant(1, Ty::BOOL);
    for part in same {
        all = edit.push(ExprKind::And(all, part), Ty::BOOL);
    }
    let zero = edit.constant(0, Ty::Int(32));
    let call = |f| StmtKind::Call {
        dest: None,
        callee: Callee::Function(f),
        args: Vec::new(),
    };
    let span = idiolect_base::Span::NOWHERE;
    let block = |stmts: Vec<StmtKind>, kind| Block {
        stmts: stmts
            .into_iter()
            .map(|kind| crate::stmt::Stmt { kind, span })
            .collect(),
        terminator: crate::stmt::Terminator { kind, span },
    };
    let ids = [1, 2].map(crate::stmt::BlockId::new);
    function.blocks = vec![
        block(
            vec![call(starts[0]), call(starts[1])],
            TerminatorKind::Branch {
                condition: all,
                then: ids[0],
                otherwise: ids[1],
            },
        ),
        block(Vec::new(), TerminatorKind::Exit(zero)),
        block(
            Vec::new(),
            TerminatorKind::Error(ErrorKind::Assert(DIFFERENT.to_owned())),
        ),
    ];
    program.functions.push(function);
    FuncId::new(program.functions.len() - 1)
}
