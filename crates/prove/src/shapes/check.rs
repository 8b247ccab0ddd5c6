//! The checker: a program for each piece, and bounded model checking of it.

use super::build::Piece;
use super::writer::Writer;
use super::{HeapShape, ShapeObject, ShapePlace};
use crate::induction::variable::constant;
use idiolect_base::{Budget, StopReason};
use idiolect_ir::callgraph::CallGraph;
use idiolect_ir::graph::{Cfg, Loops};
use idiolect_ir::{
    BinaryOp, BlockId, Builtin, Callee, ConvertOp, ExprId, ExprKind, Function, GlobalId,
    GlobalTarget, Program, Property, Stmt, StmtKind, TerminatorKind, Ty, verify,
};
use idiolect_symex::bmc::{BmcOutcome, Undecided, find_error};
use std::collections::BTreeSet;

/// Loops of functions that are still called are unrolled so often.
const UNWIND: usize = 8;

/// What comes of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ShapesChecked {
    /// By so many pieces of the program.
    Accepted {
        pieces: usize,
    },
    /// For this reason.
    Rejected(String),
    Stopped(StopReason),
}

type Refusal = &'static str;

/// Whether these shapes prove that no run of the program has an error, a fault, or comes to C that is not modelled. They
/// are about the function with which runs begin, and say what holds at the head of each of its loops.
pub fn check(
    program: &Program,
    shapes: &[HeapShape],
    properties: &[Property],
    budget: &Budget,
) -> ShapesChecked {
    let mut asked = properties.to_vec();
    if !asked.contains(&Property::Assert) {
        asked.push(Property::Assert);
    }
    let first = std::iter::once(None);
    for source in first.chain(shapes.iter().map(Some)) {
        if let Err(reason) = budget.spend(1_000) {
            return ShapesChecked::Stopped(reason);
        }
        let piece = match piece(program, source, shapes, properties) {
            Ok(piece) => piece,
            Err(why) => return ShapesChecked::Rejected(why.to_owned()),
        };
        if let Err(malformed) = verify(&piece) {
            return ShapesChecked::Rejected(format!("{malformed:?}"));
        }
        let why = match find_error(&piece, &asked, UNWIND, budget) {
            BmcOutcome::Proved { faults, .. } if faults.is_empty() => continue,
            BmcOutcome::Proved { .. } => "a fault is possible".to_owned(),
            BmcOutcome::Error { kind, .. } => format!("{kind:?}"),
            BmcOutcome::NoErrorUpTo { .. } => "a loop without shapes has no bound".to_owned(),
            BmcOutcome::Undecided(Undecided::Stopped(reason)) => {
                return ShapesChecked::Stopped(reason);
            }
            BmcOutcome::Undecided(why) => format!("{why:?}"),
        };
        return ShapesChecked::Rejected(why);
    }
    ShapesChecked::Accepted {
        pieces: shapes.len() + 1,
    }
}

/// The program from its start, or from a shape, to the next heads of loops.
fn piece(
    program: &Program,
    source: Option<&HeapShape>,
    shapes: &[HeapShape],
    properties: &[Property],
) -> Result<Program, Refusal> {
    let mut program = program.clone();
    if !properties.contains(&Property::Assert) {
        // Errors that nobody asked about end a run, as they do otherwise.
        for block in program.functions.iter_mut().flat_map(|f| &mut f.blocks) {
            if matches!(block.terminator.kind, TerminatorKind::Error(_)) {
                block.terminator.kind = TerminatorKind::Abort;
            }
        }
    }
    if idiolect_ir::checks::looks_at_bytes(&program) {
        return Err("which bytes are written is not followed");
    }
    let id = program.start;
    let calls = CallGraph::new(&program);
    let others = program
        .function_ids()
        .filter(|&f| f != id && calls.is_reachable(f));
    let mut stmts = others
        .flat_map(|f| &program.function(f).blocks)
        .flat_map(|b| &b.stmts);
    if stmts.any(|s| changes_heap(&s.kind)) {
        return Err("blocks are allocated or freed in a function that is called");
    }
    if looks_at_addresses(program.function(id)) {
        return Err("addresses are looked at as numbers");
    }
    // What a shape says nothing of would be as in the text here, and anything where runs arrive.
    let named = named_globals(&program);
    let is_told = |shape: &HeapShape, g: &GlobalId| {
        let place = ShapePlace::Global(*g);
        program.global(*g).read_only || shape.objects.iter().any(|o| o.place == place)
    };
    if !shapes.iter().all(|s| named.iter().all(|g| is_told(s, g))) {
        return Err("a shape that says nothing of a global");
    }
    let is_whole = |o: &ShapeObject| match o.place {
        ShapePlace::Global(g) => (program.globals.get(g.index())).is_some_and(|g| g.size == o.size),
        ShapePlace::Local(_) | ShapePlace::Heap => true,
    };
    if !shapes.iter().flat_map(|s| &s.objects).all(is_whole) {
        return Err("a shape of another global");
    }
    let n_blocks = program.function(id).blocks.len();
    let n_locals = program.function(id).locals.len();
    let heads: Vec<BlockId> = {
        let mut heads: Vec<BlockId> = shapes.iter().map(|s| s.head).collect();
        heads.sort_unstable();
        heads.dedup();
        heads
    };
    if heads
        .iter()
        .any(|h| *h == Function::ENTRY || h.index() >= n_blocks)
    {
        return Err("a shape where no loop begins");
    }
    let mut piece = Piece::new(Writer::new(program, id));
    allocations(&mut piece, n_blocks)?;
    // The old first block moves, and the new one comes before the state.
    let entry = std::mem::take(&mut piece.writer.f().blocks[Function::ENTRY.index()].stmts);
    let terminator = piece.writer.f().blocks[0].terminator.clone();
    let moved = piece.writer.block();
    piece.writer.f().blocks[moved.index()].stmts = entry;
    piece.writer.f().blocks[moved.index()].terminator = terminator;
    let begin = piece.writer.block();
    piece.writer.at = begin;
    match source {
        None => piece.writer.goto(moved),
        Some(shape) => {
            piece
                .build(shape, n_locals)
                .ok_or("a shape that cannot be written")?;
            piece.writer.goto(shape.head);
        }
    }
    let n_built = piece.writer.f().blocks.len();
    frees(&mut piece, n_blocks, moved);
    // Every way to a head but from the state ends there.
    let n_split = piece.writer.f().blocks.len();
    let mut arrivals = Vec::new();
    for &head in &heads {
        let arrival = piece.writer.block();
        arrivals.push((head, arrival));
    }
    for b in (0..begin.index()).chain(n_built..n_split) {
        let change = |to: &mut BlockId| {
            if let Some(arrival) = arrivals.iter().find(|a| a.0 == *to) {
                *to = arrival.1;
            }
        };
        match &mut piece.writer.f().blocks[b].terminator.kind {
            TerminatorKind::Goto(to) => change(to),
            TerminatorKind::Branch {
                then, otherwise, ..
            } => {
                change(then);
                change(otherwise);
            }
            _ => {}
        }
    }
    let keeps_blocks = properties.contains(&Property::Leak);
    for (head, arrival) in arrivals {
        piece.writer.at = arrival;
        let targets: Vec<&HeapShape> = shapes.iter().filter(|s| s.head == head).collect();
        (piece.arrive(source, &targets, keeps_blocks)).ok_or("a shape that cannot be compared")?;
    }
    begin_with_none(&mut piece, begin);
    if !Loops::new(&Cfg::new(piece.writer.f())).all().is_empty() {
        return Err("a loop without shapes");
    }
    Ok(piece.writer.program)
}

/// Whether the order of objects in memory may matter, which is not that of a run here.
fn looks_at_addresses(function: &Function) -> bool {
    function.exprs.iter().any(|e| match e.kind {
        ExprKind::Binary(BinaryOp::ULt | BinaryOp::ULe, a, _) => function.expr(a).ty == Ty::Ptr,
        ExprKind::Convert(ConvertOp::PtrToInt, a) => {
            !matches!(function.expr(a).kind, ExprKind::Const(_))
        }
        _ => false,
    })
}

/// Globals that code or other globals name.
pub(crate) fn named_globals(program: &Program) -> BTreeSet<GlobalId> {
    let exprs = program.functions.iter().flat_map(|f| &f.exprs);
    let in_code = exprs.filter_map(|e| match e.kind {
        ExprKind::GlobalAddress(g) => Some(g),
        _ => None,
    });
    let relocations = program.globals.iter().flat_map(|g| &g.relocations);
    let in_data = relocations.filter_map(|r| match r.target {
        GlobalTarget::Global(g) => Some(g),
        GlobalTarget::Function(_) => None,
    });
    in_code.chain(in_data).collect()
}

fn changes_heap(kind: &StmtKind) -> bool {
    use Builtin::{Calloc, Free, Malloc, Realloc};
    matches!(
        kind,
        StmtKind::Call {
            callee: Callee::Builtin(Malloc | Calloc | Realloc | Free),
            ..
        }
    )
}

/// Every allocation is known from then on: in a piece of a run, each happens once at most.
fn allocations(piece: &mut Piece, n_blocks: usize) -> Result<(), Refusal> {
    for b in 0..n_blocks {
        let old = std::mem::take(&mut piece.writer.f().blocks[b].stmts);
        piece.writer.at = BlockId::new(b);
        for stmt in old {
            let StmtKind::Call {
                dest,
                callee: Callee::Builtin(builtin),
                args,
            } = &stmt.kind
            else {
                piece.writer.stmt(stmt.kind);
                continue;
            };
            match builtin {
                Builtin::Malloc | Builtin::Calloc => {
                    let sizes = args.iter().map(|&a| constant(piece.writer.f(), a));
                    let sizes: Option<Vec<i128>> = sizes.collect();
                    let size = sizes.map_or(-1, |s| s.iter().product());
                    let Ok(size) = u64::try_from(size) else {
                        return Err("a block whose size depends on the run");
                    };
                    let known = piece.knows(size);
                    let known = piece.known[known];
                    piece.writer.call(Some(known.block), *builtin, args.clone());
                    let no = piece.writer.constant(0, Ty::BOOL);
                    piece.writer.set(known.is_freed, no);
                    if let Some(place) = *dest {
                        let value = piece.writer.read(known.block);
                        piece.writer.stmt(StmtKind::Assign { place, value });
                    }
                }
                Builtin::Realloc | Builtin::Alloca | Builtin::Setjmp | Builtin::Longjmp => {
                    return Err("blocks change in a way that is not followed");
                }
                _ => piece.writer.stmt(stmt.kind),
            }
        }
    }
    Ok(())
}

/// What is freed is known to be so, and at the end it is known whether anything is left.
fn frees(piece: &mut Piece, n_blocks: usize, moved: BlockId) {
    let wanted = |s: &Stmt| match &s.kind {
        StmtKind::Call {
            callee: Callee::Builtin(builtin @ (Builtin::Free | Builtin::CheckLeaks)),
            args,
            ..
        } => Some((*builtin, args.first().copied())),
        _ => None,
    };
    // By block, how many statements have been seen to.
    let mut todo: Vec<(BlockId, usize)> = (1..n_blocks).map(|b| (BlockId::new(b), 0)).collect();
    todo.push((moved, 0));
    while let Some((block, skipped)) = todo.pop() {
        let own = &mut piece.writer.f().blocks[block.index()];
        let mut stmts = own.stmts.iter().enumerate().skip(skipped);
        let Some((at, call)) = stmts.find_map(|(at, s)| Some((at, wanted(s)?))) else {
            continue;
        };
        let rest = own.stmts.split_off(at);
        let terminator = own.terminator.clone();
        let tail = piece.writer.block();
        let own = &mut piece.writer.f().blocks[tail.index()];
        (own.stmts, own.terminator) = (rest, terminator);
        piece.writer.at = block;
        match call {
            (Builtin::Free, Some(pointer)) => piece.frees(pointer),
            _ => {
                let after = piece.writer.block();
                let own = &mut piece.writer.f().blocks[tail.index()];
                let (rest, terminator) = (own.stmts.split_off(1), own.terminator.clone());
                own.terminator.kind = TerminatorKind::Goto(after);
                let own = &mut piece.writer.f().blocks[after.index()];
                (own.stmts, own.terminator) = (rest, terminator);
                piece.goes_if_none_is_left(after);
                todo.push((after, 0));
            }
        }
        piece.writer.goto(tail);
        todo.push((tail, 1));
    }
}

impl Piece {
    /// A pointer is freed. A spare is many blocks, and cannot be freed as one.
    fn frees(&mut self, pointer: ExprId) {
        let writer = &mut self.writer;
        let freed = writer.keep(pointer);
        for known in &self.known {
            let (pointer, block) = (writer.read(freed), writer.read(known.block));
            let is_it = writer.binary(BinaryOp::Eq, pointer, block);
            let before = writer.read(known.is_freed);
            let now = writer.expr(ExprKind::Or(before, is_it), Ty::BOOL);
            writer.set(known.is_freed, now);
        }
        for end in self.spares.iter().flat_map(|s| s.ends) {
            let spare = self.known[end].block;
            let (pointer, spare) = (writer.read(freed), writer.read(spare));
            let null = writer.constant(0, Ty::Ptr);
            let is_other = writer.binary(BinaryOp::Ne, pointer, spare);
            let is_none = writer.binary(BinaryOp::Eq, spare, null);
            let is_fine = writer.expr(ExprKind::Or(is_none, is_other), Ty::BOOL);
            let wrong = writer.block();
            let here = std::mem::replace(&mut writer.at, wrong);
            writer.error("a block is freed that was not taken off its list");
            writer.at = here;
            writer.require(is_fine, wrong);
        }
    }

    /// Goes there if all blocks are freed. Others count as lost.
    fn goes_if_none_is_left(&mut self, there: BlockId) {
        let writer = &mut self.writer;
        let mut is_none_left = writer.constant(1, Ty::BOOL);
        for known in &self.known {
            let block = writer.read(known.block);
            let null = writer.constant(0, Ty::Ptr);
            let is_none = writer.binary(BinaryOp::Eq, block, null);
            let is_freed = writer.read(known.is_freed);
            let is_gone = writer.expr(ExprKind::Or(is_none, is_freed), Ty::BOOL);
            is_none_left = writer.expr(ExprKind::And(is_none_left, is_gone), Ty::BOOL);
        }
        let some = writer.block();
        writer.branch(is_none_left, there, some);
        writer.at = some;
    }
}

/// Before the state there are no blocks of ours.
fn begin_with_none(piece: &mut Piece, begin: BlockId) {
    piece.writer.at = Function::ENTRY;
    for known in piece.known.clone() {
        let null = piece.writer.constant(0, Ty::Ptr);
        piece.writer.set(known.block, null);
        let no = piece.writer.constant(0, Ty::BOOL);
        piece.writer.set(known.is_freed, no);
    }
    piece.writer.goto(begin);
}
