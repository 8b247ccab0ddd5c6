//! The bodies of functions.

use super::super::MAX_DEPTH;
use super::super::names::{Handles, quoted};
use super::super::words::{BINARY, BUILTINS, CONVERT, FAULTS, UNARY, ty_word, word_of};
use super::{PrintOptions, Printer};
use crate::expr::{ConvertOp, ExprId, ExprKind, Ty};
use crate::program::{FuncId, Function, Program};
use crate::property::FaultKind;
use crate::stmt::{Builtin, Callee, ErrorKind, Place, StmtKind, TerminatorKind};
use std::fmt::Write as _;

/// Shared expressions of at least this many nodes are written once.
const LET_SIZE: u32 = 32;

/// Single statements and expressions of one function as text. Expressions that the text of the
/// whole function has in a `let` are shown by the name that they have there.
pub struct FunctionText<'a> {
    printer: Printer<'a>,
    id: FuncId,
    names: BodyNames,
}

impl<'a> FunctionText<'a> {
    /// For statements of this function. Takes time linear in the function, and once in the program
    /// if a statement needs it: make one for many.
    pub fn new(program: &'a Program, id: FuncId) -> Self {
        Self {
            printer: Printer::new(program, PrintOptions::default()),
            names: BodyNames::new(program.function(id)),
            id,
        }
    }

    pub fn program(&self) -> &'a Program {
        self.printer.program
    }

    pub fn function(&self) -> &'a Function {
        self.printer.program.function(self.id)
    }

    pub fn expr(&self, id: ExprId) -> String {
        let mut out = String::new();
        self.body().expr(&mut out, id);
        out
    }

    pub fn stmt(&self, kind: &StmtKind) -> String {
        let mut out = String::new();
        self.body().stmt(&mut out, kind);
        out
    }

    pub fn terminator(&self, kind: &TerminatorKind) -> String {
        let mut out = String::new();
        self.body().terminator(&mut out, kind);
        out
    }

    fn body(&self) -> BodyPrinter<'_> {
        BodyPrinter {
            printer: &self.printer,
            function: self.function(),
            names: &self.names,
        }
    }
}

/// How the text of a function calls its parts.
pub(super) struct BodyNames {
    pub locals: Handles,
    /// The number of the `let` of each expression that has one.
    pub named: Vec<Option<u32>>,
}

impl BodyNames {
    pub fn new(function: &Function) -> Self {
        Self {
            locals: Handles::new(function.locals.iter().map(|l| l.name.as_str())),
            named: named_exprs(function),
        }
    }
}

/// Writes the statements and expressions of one function.
pub(super) struct BodyPrinter<'a> {
    pub printer: &'a Printer<'a>,
    pub function: &'a Function,
    pub names: &'a BodyNames,
}

impl BodyPrinter<'_> {
    /// An expression where it is used: itself or the name of its `let`.
    fn expr(&self, out: &mut String, id: ExprId) {
        match self.names.named.get(id.index()) {
            Some(Some(number)) => {
                let _ = write!(out, "!{number}");
            }
            Some(None) => self.node(out, id),
            None => out.push('?'),
        }
    }

    /// An expression in full. Recursion is at most `MAX_DEPTH` deep because deeper operands are
    /// named; in a malformed function operands may have larger ids, where it stops.
    pub fn node(&self, out: &mut String, id: ExprId) {
        let expr = self.function.expr(id);
        let operand = |out: &mut String, operand: ExprId| {
            if operand < id {
                self.expr(out, operand);
            } else {
                out.push('?');
            }
        };
        let list = |out: &mut String, operands: &[ExprId]| {
            out.push('(');
            for (i, &o) in operands.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                operand(out, o);
            }
            out.push(')');
        };
        match expr.kind {
            ExprKind::Const(bits) => out.push_str(&constant(bits, expr.ty)),
            ExprKind::Local(local) => out.push_str(self.names.locals.get(local.index())),
            ExprKind::LocalAddress(local) => {
                out.push('&');
                out.push_str(self.names.locals.get(local.index()));
            }
            ExprKind::GlobalAddress(global) => {
                out.push('@');
                out.push_str(self.printer.globals().get(global.index()));
            }
            ExprKind::FunctionAddress(function) => {
                let name = self.printer.functions().get(function.index());
                let _ = write!(out, "&{name}()");
            }
            ExprKind::Load { address } => {
                let _ = write!(out, "load.{}", ty_word(expr.ty));
                list(out, &[address]);
            }
            ExprKind::Unary(op, a) => {
                out.push_str(word_of(UNARY, &op));
                list(out, &[a]);
            }
            ExprKind::Binary(op, a, b) => {
                out.push_str(word_of(BINARY, &op));
                list(out, &[a, b]);
            }
            ExprKind::Convert(op, a) => {
                out.push_str(word_of(CONVERT, &op));
                // The other pointer conversion has one target only.
                if op != ConvertOp::IntToPtr {
                    let _ = write!(out, ".{}", ty_word(expr.ty));
                }
                list(out, &[a]);
            }
            ExprKind::And(a, b) => {
                out.push_str("and");
                list(out, &[a, b]);
            }
            ExprKind::Or(a, b) => {
                out.push_str("or");
                list(out, &[a, b]);
            }
            ExprKind::Select {
                condition,
                then,
                otherwise,
            } => {
                out.push_str("select");
                list(out, &[condition, then, otherwise]);
            }
            ExprKind::PtrAdd { base, index, scale } => {
                out.push_str("ptradd(");
                operand(out, base);
                out.push_str(", ");
                operand(out, index);
                let _ = write!(out, ", {scale})");
            }
        }
    }

    fn place(&self, out: &mut String, place: Place) {
        match place {
            Place::Local(local) => out.push_str(self.names.locals.get(local.index())),
            Place::Memory { address, ty } => {
                let _ = write!(out, "mem.{}[", ty_word(ty));
                self.expr(out, address);
                out.push(']');
            }
            Place::Bits {
                address,
                unit,
                offset,
                width,
            } => {
                let _ = write!(out, "bits.{}[", ty_word(unit));
                self.expr(out, address);
                let _ = write!(out, ", {offset}, {width}]");
            }
        }
    }

    /// One statement, without a line break.
    pub fn stmt(&self, out: &mut String, kind: &StmtKind) {
        match kind {
            StmtKind::Assign { place, value } => {
                self.place(out, *place);
                out.push_str(" := ");
                self.expr(out, *value);
            }
            StmtKind::Havoc { place, input } => {
                out.push_str("havoc ");
                self.place(out, *place);
                let _ = write!(out, " from i{}", input.0);
            }
            StmtKind::Assume { condition } => {
                out.push_str("assume ");
                self.expr(out, *condition);
            }
            StmtKind::Copy { to, from, size } => {
                out.push_str("copy ");
                self.expr(out, *to);
                out.push_str(", ");
                self.expr(out, *from);
                let _ = write!(out, ", {size}");
            }
            StmtKind::Zero { to, size } => {
                out.push_str("zero ");
                self.expr(out, *to);
                let _ = write!(out, ", {size}");
            }
            StmtKind::Declare { local, size } => {
                out.push_str("declare ");
                out.push_str(self.names.locals.get(local.index()));
                if let Some(size) = size {
                    out.push_str(", ");
                    self.expr(out, *size);
                }
            }
            StmtKind::End { local } => {
                out.push_str("end ");
                out.push_str(self.names.locals.get(local.index()));
            }
            StmtKind::Call { dest, callee, args } => {
                if let Some(place) = dest {
                    self.place(out, *place);
                    out.push_str(" := ");
                }
                out.push_str("call ");
                match callee {
                    Callee::Function(id) => {
                        out.push_str(self.printer.functions().get(id.index()));
                    }
                    Callee::Pointer { target, ty } => {
                        out.push('(');
                        self.expr(out, *target);
                        let _ = write!(out, ": t{})", ty.0);
                    }
                    Callee::Builtin(builtin) => {
                        out.push_str("builtin ");
                        match builtin {
                            Builtin::Truncate(index) => {
                                let _ = write!(out, "truncate u{index} ");
                            }
                            _ => out.push_str(word_of(BUILTINS, builtin)),
                        }
                    }
                }
                out.push('(');
                for (i, &arg) in args.iter().enumerate() {
                    if i > 0 {
                        out.push_str(", ");
                    }
                    self.expr(out, arg);
                }
                out.push(')');
            }
            StmtKind::Mark { mark, condition } => {
                let _ = write!(out, "mark m{}", mark.0);
                if let Some(condition) = condition {
                    out.push_str(" if ");
                    self.expr(out, *condition);
                }
            }
        }
    }

    /// How a block ends, without a line break.
    pub fn terminator(&self, out: &mut String, kind: &TerminatorKind) {
        match kind {
            TerminatorKind::Goto(to) => {
                let _ = write!(out, "goto b{}", to.0);
            }
            TerminatorKind::Branch {
                condition,
                then,
                otherwise,
            } => {
                out.push_str("branch ");
                self.expr(out, *condition);
                let _ = write!(out, " b{} b{}", then.0, otherwise.0);
            }
            TerminatorKind::Return(None) => out.push_str("return"),
            TerminatorKind::Return(Some(value)) => {
                out.push_str("return ");
                self.expr(out, *value);
            }
            TerminatorKind::Exit(status) => {
                out.push_str("exit ");
                self.expr(out, *status);
            }
            TerminatorKind::Abort => out.push_str("abort"),
            TerminatorKind::Error(ErrorKind::Assert(text)) => {
                let _ = write!(out, "error assert {}", quoted(text.as_bytes()));
            }
            TerminatorKind::Error(ErrorKind::ReachError) => out.push_str("error reach"),
            TerminatorKind::Trap(index) => {
                let _ = write!(out, "trap u{index}");
            }
            TerminatorKind::Fault(FaultKind::Unreachable) => out.push_str("unreachable"),
            TerminatorKind::Fault(kind) => {
                let _ = write!(out, "fault {}", word_of(FAULTS, kind));
            }
        }
    }
}

/// Which expressions get a `let`, numbered in order.
///
/// The choice survives reading the text back. Only expressions that statements reach count. One
/// that is shared and large is named whatever its users are, so it still has its two uses; an
/// unnamed large one has one user, which by the same argument is written once; small ones may be
/// written several times, but size and depth are those of their terms and do not change.
fn named_exprs(function: &Function) -> Vec<Option<u32>> {
    let n = function.exprs.len();
    let mut uses = vec![0u32; n];
    let mut count = |id: ExprId| {
        if let Some(uses) = uses.get_mut(id.index()) {
            *uses = uses.saturating_add(1);
        }
    };
    for block in &function.blocks {
        for stmt in &block.stmts {
            stmt.kind.for_each_expr(&mut count);
        }
        block
            .terminator
            .kind
            .expr()
            .into_iter()
            .for_each(&mut count);
    }
    for i in (0..n).rev() {
        if uses[i] > 0 {
            function.exprs[i].kind.for_each_operand(|operand| {
                if operand.index() < i {
                    uses[operand.index()] = uses[operand.index()].saturating_add(1);
                }
            });
        }
    }
    let mut named = vec![None; n];
    // Size and depth of what is written where the expression is used.
    let mut extent = vec![(1u32, 1u32); n];
    let mut n_named = 0;
    for i in 0..n {
        if uses[i] == 0 {
            continue;
        }
        let (mut size, mut depth) = (1u32, 1u32);
        function.exprs[i].kind.for_each_operand(|operand| {
            if let Some(&(s, d)) = extent.get(operand.index()) {
                size = size.saturating_add(s);
                depth = depth.max(d + 1);
            }
        });
        if depth >= MAX_DEPTH || (uses[i] > 1 && size >= LET_SIZE) {
            named[i] = Some(n_named);
            n_named += 1;
        } else {
            extent[i] = (size, depth);
        }
    }
    named
}

fn constant(bits: u128, ty: Ty) -> String {
    match ty {
        Ty::BOOL if bits < 2 => if bits == 1 { "true" } else { "false" }.into(),
        Ty::Int(width @ 1..=128) => {
            let unused = 128 - u32::from(width);
            if bits.leading_zeros() < unused {
                return format!("{bits:#x}:i{width}");
            }
            let value = ((bits << unused) as i128) >> unused;
            format!("{value}:i{width}")
        }
        Ty::Ptr if bits == 0 => "null".into(),
        Ty::F32
            if let Ok(bits) = u32::try_from(bits)
                && f32::from_bits(bits).is_finite() =>
        {
            format!("{:?}:f32", f32::from_bits(bits))
        }
        Ty::F64
            if let Ok(bits) = u64::try_from(bits)
                && f64::from_bits(bits).is_finite() =>
        {
            format!("{:?}:f64", f64::from_bits(bits))
        }
        _ => format!("{bits:#x}:{}", ty_word(ty)),
    }
}
