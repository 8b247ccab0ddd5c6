//! Memory that no object of the model can have: a branch to a fault before whatever asks for it.

use super::Writer;
use crate::ctype::DataModel;
use crate::expr::{BinaryOp, ExprId, ExprKind};
use crate::memory::MAX_OBJECT_SIZE;
use crate::program::{Function, Program};
use crate::property::FaultKind;
use crate::stmt::{Builtin, Callee, Stmt, StmtKind};

/// No real allocator has so much: addresses have 47 bits.
const ADDRESS_SPACE: u64 = 1 << 47;

/// Makes a run fault where it asks for more memory in one piece than the model has, and a machine may have. Returns
/// whether any run might.
///
/// With pointers of 32 bits, the C library refuses what the model refuses.
pub fn large_objects(program: &mut Program) -> bool {
    if program.types.model == DataModel::Ilp32 {
        return false;
    }
    let pointer = (program.types.model.pointer_size() * 8) as u8;
    let mut is_any = false;
    for index in 0..program.functions.len() {
        let function = &mut program.functions[index];
        let asks = |stmt: &Stmt| !sizes(function, &stmt.kind).is_empty();
        if !function.blocks.iter().flat_map(|b| &b.stmts).any(asks) {
            continue;
        }
        is_any = true;
        instrument(function, pointer);
    }
    debug_assert_eq!(crate::verify(program), Ok(()));
    is_any
}

fn instrument(function: &mut Function, pointer: u8) {
    let (mut writer, old) = Writer::start(function, pointer);
    for (number, block) in old.into_iter().enumerate() {
        writer.current = crate::stmt::BlockId::new(number);
        for stmt in block.stmts {
            let span = stmt.span;
            let factors = sizes(writer.function, &stmt.kind);
            for &factor in &factors {
                require_small(&mut writer, factor, span);
            }
            if let [count, size] = factors[..] {
                let product = BinaryOp::Mul { signed: false };
                let product = writer.binary(product, count, size, span);
                require_small(&mut writer, product, span);
            }
            writer.push(stmt);
        }
        writer.end(block.terminator);
    }
    writer.finish();
}

/// The run goes on with a size that the model has, or that nobody has.
fn require_small(writer: &mut Writer<'_>, size: ExprId, span: idiolect_base::Span) {
    let ty = writer.function.expr(size).ty;
    let least = writer.constant(MAX_OBJECT_SIZE.into(), ty, span);
    let width = writer.constant((ADDRESS_SPACE - MAX_OBJECT_SIZE).into(), ty, span);
    let above = BinaryOp::Sub { signed: false };
    let above = writer.binary(above, size, least, span);
    let is_fine = writer.binary(BinaryOp::ULe, width, above, span);
    writer.require(is_fine, FaultKind::StackExhausted, span);
}

/// What the sizes of the object that a statement makes are multiplied from, if they are not small constants.
fn sizes(function: &Function, stmt: &StmtKind) -> Vec<ExprId> {
    let list = match stmt {
        StmtKind::Declare {
            size: Some(size), ..
        } => vec![*size],
        StmtKind::Call {
            callee: Callee::Builtin(builtin),
            args,
            ..
        } => match (builtin, &args[..]) {
            (Builtin::Malloc | Builtin::Alloca, [size]) => vec![*size],
            (Builtin::Calloc, [count, size]) => vec![*count, *size],
            (Builtin::Realloc, [_, size]) => vec![*size],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    let constant = |e: &ExprId| match function.expr(*e).kind {
        ExprKind::Const(bits) => Some(bits),
        _ => None,
    };
    let all: Option<Vec<u128>> = list.iter().map(constant).collect();
    let product = all.map(|all| all.iter().fold(1u128, |a, b| a.saturating_mul(*b)));
    match product {
        Some(small) if small < MAX_OBJECT_SIZE.into() => Vec::new(),
        _ => list,
    }
}
