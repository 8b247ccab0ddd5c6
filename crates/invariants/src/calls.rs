//! Calls whose contract a proof needs, where one follows upon another: places to cut a function at.
//!
//! What holds before such a call is learned like what holds at a loop. A proof is then asked of one
//! call at a time: the cells that two calls link anew at once have very many arrangements.

use crate::proof;
use idiolect_ir::transform::inline::inline;
use idiolect_ir::transform::reads_memory;
use idiolect_ir::{
    Block, BlockId, Callee, FuncId, Function, FunctionOrigin, LocalKind, Place, Program, Stmt,
    StmtKind, Terminator, TerminatorKind,
};

/// A block that starts with a call.
pub type Head = (FuncId, BlockId);

/// The program with a new block for each call where a block has several, and with `main` written out
/// ([`inline`]). Blocks keep their numbers, and the new ones come behind them.
pub fn split(program: &Program, function: FuncId) -> (Program, Vec<Head>) {
    let mut program = program.clone();
    if program.function(function).name == "main" {
        inline(&mut program, function);
    }
    let needed = proof::needed(&program, function);
    let mut all = needed.clone();
    all.push(function);
    all.sort_unstable();
    all.dedup();
    let mut heads = Vec::new();
    for id in all {
        let code = &mut program.functions[id.index()];
        if code.origin == FunctionOrigin::User {
            let before = code.blocks.len();
            split_function(code, &needed);
            heads.extend((before..code.blocks.len()).map(|b| (id, BlockId::new(b))));
        }
    }
    (program, heads)
}

fn is_call(kind: &StmtKind, of: &[FuncId]) -> bool {
    matches!(kind, StmtKind::Call { callee: Callee::Function(id), .. } if of.contains(id))
}

fn split_function(function: &mut Function, needed: &[FuncId]) {
    let mut block = 0;
    while block < function.blocks.len() {
        let stmts = &function.blocks[block].stmts;
        let calls: Vec<usize> = (0..stmts.len())
            .filter(|&i| is_call(&stmts[i].kind, needed))
            .collect();
        if let [first, second, ..] = calls[..] {
            let at = match start(function, BlockId::new(block), first) {
                0 => start(function, BlockId::new(block), second),
                at => at,
            };
            let next = BlockId::new(function.blocks.len());
            let here = &mut function.blocks[block];
            let rest = here.stmts.split_off(at);
            let goes_on = Terminator {
                kind: TerminatorKind::Goto(next),
                span: rest.first().map_or(here.terminator.span, |s| s.span),
            };
            let terminator = std::mem::replace(&mut here.terminator, goes_on);
            function.blocks.push(Block {
                stmts: rest,
                terminator,
            });
        }
        block += 1;
    }
}

/// Where the cut before a call comes: before what is computed for it from registers alone, such as
/// the address that its result goes to. Nobody could say at the cut what that is.
fn start(function: &Function, block: BlockId, call: usize) -> usize {
    let stmts = &function.block(block).stmts[..call];
    let is_pure = |s: &&Stmt| match s.kind {
        StmtKind::Assign {
            place: Place::Local(local),
            value,
        } => function.local(local).kind == LocalKind::Temporary && !reads_memory(function, value),
        _ => false,
    };
    call - stmts.iter().rev().take_while(is_pure).count()
}
