//! Conditions: one decision each, lazy where nothing has a side effect.
//!
//! `a && b` is first lowered with `b` in a block of its own. If that block stays empty, `b` has no
//! side effect and the two become one lazy expression; else the block is linked in and `a` is a
//! decision of its own. So no analysis of side effects is needed, and nothing is lowered twice.

use super::Lowerer;
use super::convert::Value;
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use idiolect_base::Span;
use idiolect_ir::{BlockId, ExprId, Place, Ty, TypeId};

/// A lowered condition.
enum Condition {
    /// One bit, and whether something was emitted for it.
    Value(ExprId),
    /// The control flow has already parted: these ends lead to either side.
    Flow { trues: Vec<Exit>, falses: Vec<Exit> },
}

/// One way out of a block that still goes nowhere.
#[derive(Clone, Copy)]
struct Exit {
    block: BlockId,
    which: Which,
    target: BlockId,
}

#[derive(Clone, Copy)]
enum Which {
    Then,
    Otherwise,
}

impl<'a> Lowerer<'a> {
    /// The truth of an expression as one bit.
    pub fn condition(&mut self, expr: &'a Expr) -> ExprId {
        match self.lower_condition(expr) {
            Condition::Value(bit) => bit,
            Condition::Flow { trues, falses } => {
                let temporary = self.body.temporary(Ty::BOOL, self.common.bool_, expr.span);
                let join = self.body.new_block();
                for (exits, bit) in [(trues, 1), (falses, 0)] {
                    let block = self.body.new_block();
                    self.patch(&exits, block);
                    self.body.start(block);
                    let value = self.body.constant(bit, Ty::BOOL, expr.span);
                    self.body.assign(Place::Local(temporary), value, expr.span);
                    self.body.goto(join, expr.span);
                }
                self.body.start(join);
                self.body.read(temporary, Ty::BOOL, expr.span)
            }
        }
    }

    /// Ends the current block: to `then` if the expression is not zero, else to `otherwise`.
    pub fn branch_on(&mut self, expr: &'a Expr, then: BlockId, otherwise: BlockId) {
        match self.lower_condition(expr) {
            Condition::Value(bit) => self.body.branch(bit, then, otherwise, expr.span),
            Condition::Flow { trues, falses } => {
                self.patch(&trues, then);
                self.patch(&falses, otherwise);
            }
        }
    }

    fn lower_condition(&mut self, expr: &'a Expr) -> Condition {
        match &expr.kind {
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => self.logical_chain(expr),
            ExprKind::Unary(UnaryOp::Not, inner) => match self.lower_condition(inner) {
                Condition::Value(bit) => Condition::Value(self.body.negate(bit, expr.span)),
                Condition::Flow { trues, falses } => Condition::Flow {
                    trues: falses,
                    falses: trues,
                },
            },
            _ => {
                let value = self.rvalue(expr);
                Condition::Value(self.truth(value, expr.span))
            }
        }
    }

    /// `a && b && c…`, walked without recursion on the left.
    fn logical_chain(&mut self, expr: &'a Expr) -> Condition {
        let mut spine = Vec::new();
        let mut leftmost = expr;
        while let ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) =
            &leftmost.kind
        {
            spine.push((*op == BinaryOp::And, &**right, leftmost.span));
            leftmost = left;
        }
        let mut before = self.body.emitted;
        let mut left_span = leftmost.span;
        let mut left = self.lower_condition(leftmost);
        for (is_and, right, span) in spine.into_iter().rev() {
            let is_pure = self.body.emitted == before;
            left = self.logical(is_and, left, is_pure, right, left_span, span);
            // What was emitted so far belongs to branches already.
            if matches!(left, Condition::Flow { .. }) {
                before = self.body.emitted;
            }
            left_span = span;
        }
        left
    }

    fn logical(
        &mut self,
        is_and: bool,
        left: Condition,
        left_is_pure: bool,
        right: &'a Expr,
        left_span: Span,
        span: Span,
    ) -> Condition {
        let (mut trues, mut falses) = match left {
            Condition::Value(bit) => {
                // A constant left side decides whether the right side exists at all.
                if let Some(known) = self.body.const_bits(bit) {
                    if (known != 0) == is_and {
                        return self.lower_condition(right);
                    }
                    self.unevaluated(|this| this.lower_condition(right));
                    return Condition::Value(self.body.constant(known, Ty::BOOL, span));
                }
                let home = self.body.open();
                let before = self.body.emitted;
                let block = self.body.new_block();
                self.body.start(block);
                let lowered = self.lower_condition(right);
                if let (Condition::Value(right), true) = (&lowered, left_is_pure)
                    && self.body.emitted == before
                {
                    let right = *right;
                    self.body.start(home);
                    return Condition::Value(if is_and {
                        self.body.and(bit, right, span)
                    } else {
                        self.body.or(bit, right, span)
                    });
                }
                let after = self.body.current;
                self.body.start(home);
                let (mut trues, mut falses) = self.part(bit, left_span);
                let on = if is_and { &mut trues } else { &mut falses };
                let taken = std::mem::take(on);
                self.patch(&taken, block);
                self.body.start(after);
                let (more_trues, more_falses) = self.exits(lowered, right.span);
                trues.extend(more_trues);
                falses.extend(more_falses);
                return Condition::Flow { trues, falses };
            }
            Condition::Flow { trues, falses } => (trues, falses),
        };
        let block = self.body.new_block();
        let on = if is_and { &mut trues } else { &mut falses };
        let taken = std::mem::take(on);
        self.patch(&taken, block);
        self.body.start(block);
        let lowered = self.lower_condition(right);
        let (more_trues, more_falses) = self.exits(lowered, right.span);
        trues.extend(more_trues);
        falses.extend(more_falses);
        Condition::Flow { trues, falses }
    }

    fn exits(&mut self, condition: Condition, span: Span) -> (Vec<Exit>, Vec<Exit>) {
        match condition {
            Condition::Value(bit) => self.part(bit, span),
            Condition::Flow { trues, falses } => (trues, falses),
        }
    }

    /// Ends the current block with a decision whose sides are open still.
    fn part(&mut self, bit: ExprId, span: Span) -> (Vec<Exit>, Vec<Exit>) {
        let block = self.body.open();
        let (yes, no) = (self.body.new_block(), self.body.new_block());
        self.body.branch(bit, yes, no, span);
        let known = self.body.const_bits(bit);
        let exit = |which, target| Exit {
            block,
            which,
            target,
        };
        let trues = match known {
            Some(0) => Vec::new(),
            _ => vec![exit(Which::Then, yes)],
        };
        let falses = match known {
            Some(bits) if bits != 0 => Vec::new(),
            _ => vec![exit(Which::Otherwise, no)],
        };
        (trues, falses)
    }

    /// Leads open exits to `target`.
    fn patch(&mut self, exits: &[Exit], target: BlockId) {
        use idiolect_ir::TerminatorKind::*;
        for exit in exits {
            let Some(terminator) = &mut self.body.blocks[exit.block.index()].terminator else {
                continue;
            };
            match (&mut terminator.kind, exit.which) {
                (Branch { then, .. }, Which::Then) => *then = target,
                (Branch { otherwise, .. }, Which::Otherwise) => *otherwise = target,
                (Goto(to), _) if *to == exit.target => *to = target,
                _ => {}
            }
        }
    }

    /// `c ? a : b` and GNU's `a ?: b`.
    pub fn conditional(
        &mut self,
        condition: &'a Expr,
        then: Option<&'a Expr>,
        otherwise: &'a Expr,
        span: Span,
        wanted: bool,
    ) -> Value {
        let Some(then) = then else {
            return self.elvis(condition, otherwise, span);
        };
        let lowered = self.lower_condition(condition);
        if let Condition::Value(bit) = lowered
            && let Some(known) = self.body.const_bits(bit)
        {
            // The type still comes from both sides.
            let (chosen, other) = if known != 0 {
                (then, otherwise)
            } else {
                (otherwise, then)
            };
            let other = self.unevaluated(|this| this.rvalue(other));
            let other_null = Value {
                expr: self.body.constant(1, Ty::Int(32), span),
                ..other
            };
            let value = self.rvalue(chosen);
            let other = if self.body.exprs.len() > other.expr.index()
                && self.body.const_bits(other.expr) == Some(0)
            {
                other
            } else {
                other_null
            };
            let ty = self.conditional_type(value, other, span);
            return self.convert(value, ty, span);
        }
        let home = self.body.current;
        let before = self.body.emitted;
        let then_block = self.body.new_block();
        self.body.start(then_block);
        let a = self.arm(then, wanted);
        let then_end = self.body.position();
        let otherwise_block = self.body.new_block();
        self.body.start(otherwise_block);
        let b = self.arm(otherwise, wanted);
        let otherwise_end = self.body.position();
        let ty = self.conditional_type(a, b, span);
        let is_pure = self.body.emitted == before;
        if let (Condition::Value(bit), true) = (&lowered, is_pure) {
            let bit = *bit;
            // Conversions emit nothing for scalars, and records stay where they are.
            self.body.start(home);
            if self.is_void(ty) {
                return self.dummy(ty, span);
            }
            let a = self.convert(a, ty, span);
            let b = self.convert(b, ty, span);
            let expr = self.body.select(bit, a.expr, b.expr, span);
            return Value::new(expr, ty);
        }
        match lowered {
            Condition::Value(bit) => {
                self.body.start(home);
                self.body
                    .branch(bit, then_block, otherwise_block, condition.span);
            }
            Condition::Flow { trues, falses } => {
                self.patch(&trues, then_block);
                self.patch(&falses, otherwise_block);
            }
        }
        let ends = [(a, then_end.block), (b, otherwise_end.block)];
        self.join(ends, ty, span)
    }

    fn arm(&mut self, expr: &'a Expr, wanted: bool) -> Value {
        if wanted {
            return self.rvalue(expr);
        }
        let before = self.body.emitted;
        self.effect(expr);
        let _ = before;
        self.dummy(self.common.void, expr.span)
    }

    /// Brings the values at the ends of two blocks together in a new block.
    fn join(&mut self, ends: [(Value, BlockId); 2], ty: TypeId, span: Span) -> Value {
        let join = self.body.new_block();
        let is_void = self.is_void(ty);
        // Aggregates are joined by their addresses.
        let scalar = self.types.scalar(ty).unwrap_or(Ty::Ptr);
        let temporary = (!is_void).then(|| self.body.temporary(scalar, ty, span));
        for (value, block) in ends {
            self.body.start(block);
            if let Some(local) = temporary {
                let value = self.convert(value, ty, span);
                self.body.assign(Place::Local(local), value.expr, span);
            }
            self.body.goto(join, span);
        }
        self.body.start(join);
        match temporary {
            Some(local) => Value::new(self.body.read(local, scalar, span), ty),
            None => self.dummy(ty, span),
        }
    }

    fn elvis(&mut self, condition: &'a Expr, otherwise: &'a Expr, span: Span) -> Value {
        let value = self.rvalue(condition);
        let value = Value {
            expr: self.body.save(value.expr, value.ty),
            ..value
        };
        let bit = self.truth(value, condition.span);
        let home = self.body.open();
        let before = self.body.emitted;
        let block = self.body.new_block();
        self.body.start(block);
        let other = self.rvalue(otherwise);
        let end = self.body.position();
        let ty = self.conditional_type(value, other, span);
        if self.body.emitted == before {
            self.body.start(home);
            let a = self.convert(value, ty, span);
            let b = self.convert(other, ty, span);
            let expr = self.body.select(bit, a.expr, b.expr, span);
            return Value::new(expr, ty);
        }
        let then_block = self.body.new_block();
        self.body.start(home);
        self.body.branch(bit, then_block, block, condition.span);
        self.join([(value, then_block), (other, end.block)], ty, span)
    }
}
