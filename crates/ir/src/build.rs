//! Writing IR by hand: a program with a new start function, and expressions that fold as they are
//! made.
//!
//! Conditions are combined strictly (`&` and `|` on one bit), since nothing in them can fault, and
//! are kept in registers, since engines evaluate an expression as often as it is mentioned.

use crate::ctype::IntKind;
use crate::{
    BinaryOp, Block, BlockId, Builtin, CType, Callee, ConvertOp, Expr, ExprId, ExprKind, Function,
    InputId, InputKind, InputSite, Local, LocalId, LocalKind, LocalStorage, Place, Program, Stmt,
    StmtKind, Terminator, TerminatorKind, Ty, TypeId, UnaryOp,
};
use idiolect_base::Span;

/// An integer, and how C reads it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    pub expr: ExprId,
    pub width: u8,
    pub signed: bool,
}

pub struct Builder {
    pub program: Program,
    /// The new start function.
    pub function: Function,
    /// Where statements go.
    block: BlockId,
    span: Span,
    truth: ExprId,
    falsity: ExprId,
    any_type: TypeId,
}

impl Builder {
    /// Goes on with a function that becomes the start function of the program.
    pub fn new(mut program: Program, mut function: Function) -> Self {
        let any_type = program.types.int(IntKind::UChar);
        let span = function.span;
        let mut constant = |bits| {
            function.exprs.push(Expr {
                kind: ExprKind::Const(bits),
                ty: Ty::BOOL,
                span,
            });
            ExprId::new(function.exprs.len() - 1)
        };
        let (truth, falsity) = (constant(1), constant(0));
        Builder {
            program,
            function,
            block: Function::ENTRY,
            span,
            truth,
            falsity,
            any_type,
        }
    }

    pub fn pointer_bits(&self) -> u8 {
        self.program.types.model.pointer_width()
    }

    // Blocks and statements.

    /// A block that ends the program; statements go there from now on.
    pub fn start_block(&mut self) -> BlockId {
        let status = self.constant(0, Ty::Int(32));
        self.function.blocks.push(Block {
            stmts: Vec::new(),
            terminator: Terminator {
                kind: TerminatorKind::Exit(status),
                span: self.span,
            },
        });
        self.block = BlockId::new(self.function.blocks.len() - 1);
        self.block
    }

    pub fn current(&self) -> BlockId {
        self.block
    }

    pub fn go_on_in(&mut self, block: BlockId) {
        self.block = block;
    }

    /// How the current block ends.
    pub fn end(&mut self, kind: TerminatorKind) {
        let block = self.block.index();
        self.function.blocks[block].terminator.kind = kind;
    }

    pub fn statement(&mut self, kind: StmtKind) {
        let stmt = self.stmt(kind);
        self.function.blocks[self.block.index()].stmts.push(stmt);
    }

    pub fn stmt(&self, kind: StmtKind) -> Stmt {
        Stmt {
            kind,
            span: self.span,
        }
    }

    pub fn assign(&mut self, local: LocalId, value: ExprId) {
        let place = Place::Local(local);
        self.statement(StmtKind::Assign { place, value });
    }

    pub fn store(&mut self, address: ExprId, ty: Ty, value: ExprId) {
        let place = Place::Memory { address, ty };
        self.statement(StmtKind::Assign { place, value });
    }

    pub fn assume(&mut self, condition: ExprId) {
        if condition != self.truth {
            self.statement(StmtKind::Assume { condition });
        }
    }

    pub fn register(&mut self, name: &str, ty: Ty) -> LocalId {
        self.function.locals.push(Local {
            name: format!("%{name}"),
            ty: self.any_type,
            kind: LocalKind::Temporary,
            storage: LocalStorage::Register(ty),
            span: self.span,
            scope: self.span,
        });
        LocalId::new(self.function.locals.len() - 1)
    }

    /// Gives a register any value at all.
    pub fn havoc(&mut self, local: LocalId, name: &str) -> InputId {
        let ty = match self.function.local(local).storage {
            LocalStorage::Register(ty) => ty,
            _ => Ty::Ptr,
        };
        let ty = self.type_of(ty);
        self.program.inputs.push(InputSite {
            kind: InputKind::Nondet(name.to_owned()),
            ty,
            span: self.span,
        });
        let input = InputId::new(self.program.inputs.len() - 1);
        let place = Place::Local(local);
        self.statement(StmtKind::Havoc { place, input });
        input
    }

    /// A new register with any value.
    pub fn any(&mut self, name: &str, ty: Ty) -> (LocalId, InputId) {
        let local = self.register(name, ty);
        let input = self.havoc(local, name);
        (local, input)
    }

    fn type_of(&mut self, ty: Ty) -> TypeId {
        let types = &mut self.program.types;
        let kind = match ty {
            Ty::Int(..=8) => IntKind::UChar,
            Ty::Int(..=16) => IntKind::UShort,
            Ty::Int(..=32) => IntKind::UInt,
            Ty::Int(..=64) => IntKind::ULongLong,
            Ty::Int(_) => IntKind::UInt128,
            Ty::Ptr => {
                let void = types.intern(CType::Void);
                return types.pointer_to(void);
            }
            Ty::F32 => return types.intern(CType::Float(crate::ctype::FloatKind::Float)),
            Ty::F64 => return types.intern(CType::Float(crate::ctype::FloatKind::Double)),
            Ty::F80 => {
                return types.intern(CType::Float(crate::ctype::FloatKind::LongDouble));
            }
        };
        types.int(kind)
    }

    /// A new object of the heap.
    pub fn malloc(&mut self, name: &str, size: ExprId) -> LocalId {
        let local = self.register(name, Ty::Ptr);
        self.statement(StmtKind::Call {
            dest: Some(Place::Local(local)),
            callee: Callee::Builtin(Builtin::Malloc),
            args: vec![size],
        });
        local
    }

    // Expressions.

    pub fn expr(&mut self, kind: ExprKind, ty: Ty) -> ExprId {
        let span = self.span;
        self.function.exprs.push(Expr { kind, ty, span });
        ExprId::new(self.function.exprs.len() - 1)
    }

    pub fn constant(&mut self, bits: u128, ty: Ty) -> ExprId {
        self.expr(ExprKind::Const(bits), ty)
    }

    pub fn null(&mut self) -> ExprId {
        self.constant(0, Ty::Ptr)
    }

    pub fn read(&mut self, local: LocalId) -> ExprId {
        match self.function.local(local).storage {
            LocalStorage::Register(ty) => self.expr(ExprKind::Local(local), ty),
            _ => self.expr(ExprKind::LocalAddress(local), Ty::Ptr),
        }
    }

    pub fn load(&mut self, address: ExprId, ty: Ty) -> ExprId {
        self.expr(ExprKind::Load { address }, ty)
    }

    /// An address `offset` bytes further on.
    pub fn field(&mut self, base: ExprId, offset: u64) -> ExprId {
        if offset == 0 {
            return base;
        }
        let ty = Ty::Int(self.pointer_bits());
        let index = self.constant(u128::from(offset), ty);
        let kind = ExprKind::PtrAdd {
            base,
            index,
            scale: 1,
        };
        self.expr(kind, Ty::Ptr)
    }

    /// The address of an element of an array.
    pub fn element(&mut self, base: ExprId, index: Number, size: u64) -> ExprId {
        let index = self.widened(index, self.pointer_bits());
        let kind = ExprKind::PtrAdd {
            base,
            index,
            scale: size,
        };
        self.expr(kind, Ty::Ptr)
    }

    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        let ty = if op.is_comparison() {
            Ty::BOOL
        } else {
            self.function.expr(a).ty
        };
        self.expr(ExprKind::Binary(op, a, b), ty)
    }

    pub fn select(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        if condition == self.truth {
            return then;
        }
        if condition == self.falsity {
            return otherwise;
        }
        let ty = self.function.expr(then).ty;
        let kind = ExprKind::Select {
            condition,
            then,
            otherwise,
        };
        self.expr(kind, ty)
    }

    /// The value of an integer in so many bits, which are enough for it.
    pub fn widened(&mut self, number: Number, width: u8) -> ExprId {
        if number.width == width {
            return number.expr;
        }
        let op = match (number.width > width, number.signed) {
            (true, _) => ConvertOp::Truncate,
            (false, true) => ConvertOp::SignExtend,
            (false, false) => ConvertOp::ZeroExtend,
        };
        self.expr(ExprKind::Convert(op, number.expr), Ty::Int(width))
    }

    /// A whole number. It has as few bits as it needs, so that comparing with it costs little.
    pub fn number(&mut self, value: i64) -> Number {
        let spare = if value < 0 {
            value.leading_ones()
        } else {
            value.leading_zeros()
        };
        let width = (65 - spare).max(8) as u8;
        let bits = (value as u64 as u128) & ((1u128 << width) - 1);
        Number {
            expr: self.constant(bits, Ty::Int(width)),
            width,
            signed: true,
        }
    }

    // Conditions.

    pub fn truth(&self) -> ExprId {
        self.truth
    }

    pub fn falsity(&self) -> ExprId {
        self.falsity
    }

    pub fn boolean(&self, value: bool) -> ExprId {
        if value { self.truth } else { self.falsity }
    }

    pub fn not(&mut self, a: ExprId) -> ExprId {
        if a == self.truth {
            return self.falsity;
        }
        if a == self.falsity {
            return self.truth;
        }
        self.expr(ExprKind::Unary(UnaryOp::Not, a), Ty::BOOL)
    }

    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if a == self.falsity || b == self.falsity {
            return self.falsity;
        }
        match (a == self.truth, b == self.truth) {
            (true, _) => b,
            (_, true) => a,
            _ => self.binary(BinaryOp::BitAnd, a, b),
        }
    }

    pub fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if a == self.truth || b == self.truth {
            return self.truth;
        }
        match (a == self.falsity, b == self.falsity) {
            (true, _) => b,
            (_, true) => a,
            _ => self.binary(BinaryOp::BitOr, a, b),
        }
    }

    pub fn implies(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let not = self.not(a);
        self.or(not, b)
    }

    /// The same value, kept in a register unless it is a constant or a register already.
    pub fn keep(&mut self, value: ExprId) -> ExprId {
        let Expr { kind, ty, .. } = self.function.expr(value).clone();
        if matches!(kind, ExprKind::Const(_) | ExprKind::Local(_)) {
            return value;
        }
        let local = self.register("k", ty);
        self.assign(local, value);
        self.read(local)
    }

    pub fn all(&mut self, list: impl IntoIterator<Item = ExprId>) -> ExprId {
        let mut result = self.truth;
        for item in list {
            result = self.and(result, item);
        }
        self.keep(result)
    }

    pub fn one_of(&mut self, list: impl IntoIterator<Item = ExprId>) -> ExprId {
        let mut result = self.falsity;
        for item in list {
            result = self.or(result, item);
        }
        self.keep(result)
    }

    pub fn same_pointer(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinaryOp::Eq, a, b)
    }

    fn common(&mut self, a: Number, b: Number, spare: u8) -> (ExprId, ExprId, bool) {
        if a.signed == b.signed && a.width == b.width && spare == 0 {
            return (a.expr, b.expr, a.signed);
        }
        let bits = |n: Number| n.width + u8::from(!n.signed);
        let width = bits(a).max(bits(b)) + spare;
        (self.widened(a, width), self.widened(b, width), true)
    }

    pub fn less(&mut self, a: Number, b: Number) -> ExprId {
        let (a, b, signed) = self.common(a, b, 0);
        self.binary(if signed { BinaryOp::SLt } else { BinaryOp::ULt }, a, b)
    }

    pub fn at_most(&mut self, a: Number, b: Number) -> ExprId {
        let (a, b, signed) = self.common(a, b, 0);
        self.binary(if signed { BinaryOp::SLe } else { BinaryOp::ULe }, a, b)
    }

    pub fn equal(&mut self, a: Number, b: Number) -> ExprId {
        let (a, b, _) = self.common(a, b, 0);
        self.binary(BinaryOp::Eq, a, b)
    }

    /// `a + 1 == b`, in numbers that do not wrap.
    pub fn follows(&mut self, a: Number, b: Number) -> ExprId {
        let (a, b, _) = self.common(a, b, 1);
        let ty = self.function.expr(a).ty;
        let one = self.constant(1, ty);
        let sum = self.binary(BinaryOp::Add { signed: false }, a, one);
        self.binary(BinaryOp::Eq, sum, b)
    }

    /// `a == (b - 1) / 2` and `b > 0`. Where `b > 0`, nothing wraps.
    pub fn is_parent(&mut self, a: Number, b: Number) -> ExprId {
        let spare = u8::from(a.signed != b.signed || !a.signed);
        let (a, b, _) = self.common(a, b, spare);
        let ty = self.function.expr(a).ty;
        let one = self.constant(1, ty);
        let below = self.binary(BinaryOp::Sub { signed: false }, b, one);
        let half = self.binary(BinaryOp::AShr, below, one);
        let same = self.binary(BinaryOp::Eq, a, half);
        let zero = self.constant(0, ty);
        let is_child = self.binary(BinaryOp::SLt, zero, b);
        self.and(same, is_child)
    }

    /// `(n - 1) / 2`, rounded down, where nothing wraps.
    pub fn parent(&mut self, n: Number) -> Number {
        let below = self.sum_of(&[(n, true)], -1);
        let one = self.constant(1, Ty::Int(below.width));
        let half = self.binary(BinaryOp::AShr, below.expr, one);
        let expr = self.keep(half);
        Number { expr, ..below }
    }

    /// `2 * n + d`, where nothing wraps.
    pub fn child(&mut self, n: Number, d: i64) -> Number {
        self.sum(&[(n, true), (n, true)], d)
    }

    /// A sum of numbers, each added or taken away, and a constant, as [`sum_of`](Self::sum_of).
    pub fn sum(&mut self, parts: &[(Number, bool)], constant: i64) -> Number {
        let sum = self.sum_of(parts, constant);
        let expr = self.keep(sum.expr);
        Number { expr, ..sum }
    }

    /// A sum as an expression, which has its value wherever it is used. Signed numbers of one width
    /// make a sum of this width, which wraps; others make one that does not. Adders of one width are
    /// what the solver's rewriting knows best: proofs with sums of more bits took ten times longer.
    pub fn sum_of(&mut self, parts: &[(Number, bool)], constant: i64) -> Number {
        let constant = self.number(constant);
        let width = match self.common_width(parts) {
            Some(width) => width,
            None => {
                let bits = |n: Number| n.width + u8::from(!n.signed);
                let width = parts.iter().map(|p| bits(p.0)).max().unwrap_or(8);
                // Each of so few summands doubles the range at most.
                width.max(constant.width) + parts.len() as u8 + 1
            }
        };
        let mut total = self.widened(constant, width);
        for &(number, is_plus) in parts {
            let number = self.widened(number, width);
            let op = if is_plus {
                BinaryOp::Add { signed: false }
            } else {
                BinaryOp::Sub { signed: false }
            };
            total = self.binary(op, total, number);
        }
        Number {
            expr: total,
            width,
            signed: true,
        }
    }

    /// The width of numbers that make a sum which wraps.
    fn common_width(&self, parts: &[(Number, bool)]) -> Option<u8> {
        let width = parts.first()?.0.width;
        let is_like = |p: &(Number, bool)| p.0.width == width && p.0.signed;
        (width >= 32 && parts.iter().all(is_like)).then_some(width)
    }

    /// Whether a sum of these, which may wrap, does not: all of them are small.
    pub fn is_exact(&mut self, parts: &[(Number, bool)], constant: i64) -> ExprId {
        let mut good = self.truth;
        let Some(width) = self.common_width(parts) else {
            return good;
        };
        // Arrays of 32-bit integers have less than 2^29 elements; there are at most three parts.
        let (most, little) = (1i64 << (width - 3).min(60), 1i64 << 16);
        if parts.len() > 3 || constant.unsigned_abs() > little as u64 {
            return self.falsity;
        }
        let (low, high) = (self.number(-little), self.number(most));
        for &(number, _) in parts {
            let above = self.at_most(low, number);
            let below = self.at_most(number, high);
            good = self.and(good, above);
            good = self.and(good, below);
        }
        good
    }

    /// The sum of numbers times factors, and a constant, in so many bits.
    pub fn linear(&mut self, parts: &[(Number, i64)], constant: i64, width: u8) -> Number {
        let mask = (1u128 << width) - 1;
        let mut total = self.constant(constant as u128 & mask, Ty::Int(width));
        for &(number, factor) in parts {
            let mut number = self.widened(number, width);
            if factor.unsigned_abs() != 1 {
                let by = self.constant(u128::from(factor.unsigned_abs()), Ty::Int(width));
                number = self.binary(BinaryOp::Mul { signed: false }, number, by);
            }
            let op = if factor < 0 {
                BinaryOp::Sub { signed: false }
            } else {
                BinaryOp::Add { signed: false }
            };
            total = self.binary(op, total, number);
        }
        Number {
            expr: self.keep(total),
            width,
            signed: true,
        }
    }

    /// `a + distance`, wrapping, in the width of `a`: an index that something may be said of.
    pub fn moved(&mut self, a: Number, distance: i64) -> Number {
        let mask = (1u128 << a.width) - 1;
        let by = self.constant(distance as u128 & mask, Ty::Int(a.width));
        let sum = self.binary(BinaryOp::Add { signed: false }, a.expr, by);
        let expr = self.keep(sum);
        Number { expr, ..a }
    }
}
