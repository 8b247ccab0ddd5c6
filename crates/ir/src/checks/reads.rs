//! Checks of what an expression reads, by how much it shifts, and which numbers it makes integers of.

use super::{Writer, free_entry, is_users};
use crate::ctype::IntKind;
use crate::expr::{BinaryOp, ConvertOp, ExprId, ExprKind, Ty};
use crate::program::{Function, InputKind, LocalId, LocalKind, Program};
use crate::property::FaultKind;
use crate::stmt::{Block, BlockId, Builtin, Place, Stmt, StmtKind};
use idiolect_base::Span;
use std::collections::BTreeMap;

/// What is left to do for an expression, the last first.
enum Todo {
    /// Check the operands, then this.
    Visit(ExprId),
    Check(ExprId),
    /// Check an operand where the condition comes out so.
    When {
        condition: ExprId,
        holds: bool,
        operand: ExprId,
    },
    Join(BlockId),
}

/// What is checked.
#[derive(Clone, Copy, Default)]
pub(super) struct Wanted {
    pub shifts: bool,
    pub reads: bool,
    /// Numbers that do not fit into the integers that they become.
    pub conversions: bool,
}

struct Pass<'a> {
    writer: Writer<'a>,
    /// By expression: there is something to check in it.
    needs: Vec<bool>,
    /// The flags of registers that may be read before they are written.
    flags: BTreeMap<LocalId, LocalId>,
    wanted: Wanted,
    pointer_bytes: u64,
}

/// Whether there was anything to check.
pub(super) fn instrument(program: &mut Program, index: usize, mut wanted: Wanted) -> bool {
    let pointer_bytes = program.types.model.pointer_size();
    let pointer_width = program.types.model.pointer_width();
    let int = program.types.int(IntKind::Int);
    let function = &program.functions[index];
    let is_user = is_users(function);
    wanted.shifts &= is_user;
    wanted.conversions &= is_user;
    let open = if wanted.reads && is_user {
        uninitialised(program, function)
    } else {
        Vec::new()
    };
    let needs = needed(function, wanted, &open);
    if open.is_empty() && !needs.contains(&true) {
        return false;
    }
    let inputs: Vec<bool> = (program.inputs.iter())
        .map(|site| matches!(site.kind, InputKind::Uninitialized(_)))
        .collect();
    let function = &mut program.functions[index];
    if !open.is_empty() {
        free_entry(function);
    }
    let (writer, blocks) = Writer::start(function, pointer_width);
    let mut pass = Pass {
        writer,
        needs,
        flags: BTreeMap::new(),
        wanted,
        pointer_bytes,
    };
    for local in open {
        let name = format!("%written {}", pass.writer.function.local(local).name);
        let flag = pass.writer.register(int, name, Ty::BOOL);
        pass.flags.insert(local, flag);
        pass.set(flag, false, Span::NOWHERE);
    }
    pass.all(blocks, &inputs);
    pass.writer.finish();
    true
}

/// The variables that the front end gives an input because they may be read before they are written.
fn uninitialised(program: &Program, function: &Function) -> Vec<LocalId> {
    let mut open = Vec::new();
    for stmt in function.blocks.iter().flat_map(|b| &b.stmts) {
        if let StmtKind::Havoc {
            place: Place::Local(local),
            input,
        } = stmt.kind
            && matches!(
                program.inputs[input.index()].kind,
                InputKind::Uninitialized(_)
            )
            && function.local(local).kind == LocalKind::Variable
            && !open.contains(&local)
        {
            open.push(local);
        }
    }
    open
}

/// By expression, whether a check is wanted of it or of something in it.
fn needed(function: &Function, wanted: Wanted, open: &[LocalId]) -> Vec<bool> {
    let mut needs = vec![false; function.exprs.len()];
    for (i, expr) in function.exprs.iter().enumerate() {
        let mut found = match &expr.kind {
            ExprKind::Local(local) => open.contains(local),
            ExprKind::Load { address } => wanted.reads && may_be_unwritten(function, *address),
            ExprKind::Binary(op, _, amount) => {
                wanted.shifts && may_shift_too_far(function, *op, *amount)
            }
            ExprKind::Convert(ConvertOp::FloatToInt { .. }, _) => wanted.conversions,
            _ => false,
        };
        expr.kind
            .for_each_operand(|operand| found |= operand.index() < i && needs[operand.index()]);
        needs[i] = found;
    }
    needs
}

/// Whether the address is not simply one in a variable of static lifetime.
fn may_be_unwritten(function: &Function, mut address: ExprId) -> bool {
    loop {
        match function.expr(address).kind {
            ExprKind::GlobalAddress(_) => return false,
            ExprKind::PtrAdd { base, .. } => address = base,
            _ => return true,
        }
    }
}

fn may_shift_too_far(function: &Function, op: BinaryOp, amount: ExprId) -> bool {
    let is_shift = matches!(op, BinaryOp::Shl { .. } | BinaryOp::LShr | BinaryOp::AShr);
    let expr = function.expr(amount);
    let width = u128::from(expr.ty.int_width().unwrap_or(128));
    is_shift && !matches!(expr.kind, ExprKind::Const(bits) if bits < width)
}

impl Pass<'_> {
    fn all(&mut self, blocks: Vec<Block>, inputs: &[bool]) {
        for (i, block) in blocks.into_iter().enumerate() {
            self.writer.current = BlockId::new(i);
            for stmt in block.stmts {
                stmt.kind.for_each_expr(|e| self.check(e, stmt.span));
                self.statement(stmt, inputs);
            }
            if let Some(e) = block.terminator.kind.expr() {
                self.check(e, block.terminator.span);
            }
            self.writer.end(block.terminator);
        }
    }

    fn statement(&mut self, stmt: Stmt, inputs: &[bool]) {
        let span = stmt.span;
        let written = match stmt.kind {
            StmtKind::Assign {
                place: Place::Local(local),
                ..
            }
            | StmtKind::Call {
                dest: Some(Place::Local(local)),
                ..
            } => Some((local, true)),
            StmtKind::Havoc {
                place: Place::Local(local),
                input,
            } => Some((local, !inputs.get(input.index()).copied().unwrap_or(false))),
            _ => None,
        };
        self.writer.push(stmt);
        if let Some((local, is_written)) = written
            && let Some(&flag) = self.flags.get(&local)
        {
            self.set(flag, is_written, span);
        }
    }

    fn set(&mut self, flag: LocalId, value: bool, span: Span) {
        let value = self.writer.constant(u128::from(value), Ty::BOOL, span);
        let place = Place::Local(flag);
        self.writer.stmt(StmtKind::Assign { place, value }, span);
    }

    fn needs(&self, e: ExprId) -> bool {
        self.needs.get(e.index()).copied().unwrap_or(false)
    }

    /// Puts the checks of an expression here.
    fn check(&mut self, e: ExprId, span: Span) {
        let mut todo = vec![Todo::Visit(e)];
        while let Some(next) = todo.pop() {
            match next {
                Todo::Visit(e) if self.needs(e) => self.visit(e, &mut todo),
                Todo::Visit(_) => {}
                Todo::Check(e) => self.check_one(e, span),
                Todo::When {
                    condition,
                    holds,
                    operand,
                } => {
                    if !self.needs(operand) {
                        continue;
                    }
                    let (inside, behind) = (self.writer.block(span), self.writer.block(span));
                    let (then, otherwise) = if holds {
                        (inside, behind)
                    } else {
                        (behind, inside)
                    };
                    self.writer.branch(condition, then, otherwise, span);
                    self.writer.current = inside;
                    todo.push(Todo::Join(behind));
                    todo.push(Todo::Visit(operand));
                }
                Todo::Join(to) => self.writer.goto(to, span),
            }
        }
    }

    fn visit(&mut self, e: ExprId, todo: &mut Vec<Todo>) {
        let when = |condition, holds, operand| Todo::When {
            condition,
            holds,
            operand,
        };
        match self.writer.function.expr(e).kind {
            ExprKind::And(left, right) => {
                todo.push(when(left, true, right));
                todo.push(Todo::Visit(left));
            }
            ExprKind::Or(left, right) => {
                todo.push(when(left, false, right));
                todo.push(Todo::Visit(left));
            }
            ExprKind::Select {
                condition,
                then,
                otherwise,
            } => {
                todo.push(when(condition, false, otherwise));
                todo.push(when(condition, true, then));
                todo.push(Todo::Visit(condition));
            }
            ref kind => {
                todo.push(Todo::Check(e));
                let from = todo.len();
                kind.for_each_operand(|operand| todo.push(Todo::Visit(operand)));
                todo[from..].reverse();
            }
        }
    }

    fn check_one(&mut self, e: ExprId, span: Span) {
        let function = &*self.writer.function;
        let (kind, ty) = (function.expr(e).kind.clone(), function.expr(e).ty);
        match kind {
            ExprKind::Local(local) => {
                if let Some(&flag) = self.flags.get(&local) {
                    let flag = self.writer.read(flag, Ty::BOOL, span);
                    self.writer.require(flag, FaultKind::Uninitialised, span);
                }
            }
            ExprKind::Load { address }
                if self.wanted.reads && may_be_unwritten(function, address) =>
            {
                let size = match ty {
                    Ty::Int(width) => u64::from(width).div_ceil(8),
                    Ty::F32 => 4,
                    Ty::F64 => 8,
                    // What is beyond the ten bytes is padding.
                    Ty::F80 => 10,
                    Ty::Ptr => self.pointer_bytes,
                };
                let size_ty = self.writer.pointer;
                let size = self.writer.constant(size.into(), size_ty, span);
                let args = vec![address, size];
                self.writer.call(None, Builtin::CheckWritten, args, span);
            }
            ExprKind::Binary(op, value, amount)
                if self.wanted.shifts && may_shift_too_far(function, op, amount) =>
            {
                let width = function.expr(value).ty.int_width().unwrap_or(128);
                // The amount has been given the type of the value, and may have lost its upper bits.
                let amount = match function.expr(amount).kind {
                    ExprKind::Convert(ConvertOp::Truncate, whole) => whole,
                    _ => amount,
                };
                let ty = function.expr(amount).ty;
                let limit = self.writer.constant(width.into(), ty, span);
                let fits = self.writer.binary(BinaryOp::ULt, amount, limit, span);
                self.writer.require(fits, FaultKind::ShiftTooFar, span);
            }
            // A narrow integer is what is left of an int. Whether it has a sign is not known any more.
            ExprKind::Convert(ConvertOp::Truncate, whole)
                if self.wanted.conversions
                    && let ExprKind::Convert(ConvertOp::FloatToInt { .. }, value) =
                        function.expr(whole).kind =>
            {
                let width = ty.int_width().unwrap_or(128);
                let ty = function.expr(value).ty;
                let low = power_of_two(true, width - 1, ty);
                let low = self.writer.constant(low, ty, span);
                let high = self
                    .writer
                    .constant(power_of_two(false, width, ty), ty, span);
                let above = self.writer.binary(BinaryOp::FLe, low, value, span);
                self.writer.require(above, FaultKind::ShiftTooFar, span);
                let below = self.writer.binary(BinaryOp::FLt, value, high, span);
                self.writer.require(below, FaultKind::ShiftTooFar, span);
            }
            ExprKind::Convert(ConvertOp::FloatToInt { signed }, value)
                if self.wanted.conversions =>
            {
                let width = ty.int_width().unwrap_or(128);
                let ty = function.expr(value).ty;
                let (low, high) = if signed {
                    (power_of_two(true, width - 1, ty), width - 1)
                } else {
                    (power_of_two(true, 0, ty), width)
                };
                let high = power_of_two(false, high, ty);
                let (low, high) = (
                    self.writer.constant(low, ty, span),
                    self.writer.constant(high, ty, span),
                );
                // Minus one is no unsigned number, and the least signed one is one.
                let above = if signed { BinaryOp::FLe } else { BinaryOp::FLt };
                let above = self.writer.binary(above, low, value, span);
                self.writer.require(above, FaultKind::ShiftTooFar, span);
                let below = self.writer.binary(BinaryOp::FLt, value, high, span);
                self.writer.require(below, FaultKind::ShiftTooFar, span);
            }
            _ => {}
        }
    }
}

/// A power of two, or minus that, in this format.
fn power_of_two(negative: bool, exponent: u8, ty: Ty) -> u128 {
    let (bias, fraction, sign) = match ty {
        Ty::F32 => (127, 23, 31),
        Ty::F64 => (1023, 52, 63),
        // The leading one is written.
        _ => (16383, 64, 79),
    };
    let leading = if ty == Ty::F80 { 1u128 << 63 } else { 0 };
    let biased: u128 = bias + u128::from(exponent);
    (u128::from(negative) << sign) | (biased << fraction) | leading
}
