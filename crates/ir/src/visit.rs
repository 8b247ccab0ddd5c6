//! Walking over the direct parts of expressions, statements and terminators.

use crate::expr::{ExprId, ExprKind};
use crate::stmt::{BlockId, Callee, Place, StmtKind, TerminatorKind};

impl ExprKind {
    /// Calls `f` on every expression that this one uses directly, in order.
    pub fn for_each_operand(&self, mut f: impl FnMut(ExprId)) {
        match *self {
            ExprKind::Const(_)
            | ExprKind::Local(_)
            | ExprKind::LocalAddress(_)
            | ExprKind::GlobalAddress(_)
            | ExprKind::FunctionAddress(_) => {}
            ExprKind::Load { address } => f(address),
            ExprKind::Unary(_, a) | ExprKind::Convert(_, a) => f(a),
            ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                f(a);
                f(b);
            }
            ExprKind::Select {
                condition,
                then,
                otherwise,
            } => {
                f(condition);
                f(then);
                f(otherwise);
            }
            ExprKind::PtrAdd { base, index, .. } => {
                f(base);
                f(index);
            }
        }
    }

    /// As [`for_each_operand`](Self::for_each_operand), to change them.
    pub fn for_each_operand_mut(&mut self, mut f: impl FnMut(&mut ExprId)) {
        match self {
            ExprKind::Load { address } => f(address),
            ExprKind::Unary(_, a) | ExprKind::Convert(_, a) => f(a),
            ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                f(a);
                f(b);
            }
            ExprKind::Select {
                condition,
                then,
                otherwise,
            } => {
                f(condition);
                f(then);
                f(otherwise);
            }
            ExprKind::PtrAdd { base, index, .. } => {
                f(base);
                f(index);
            }
            ExprKind::Const(_)
            | ExprKind::Local(_)
            | ExprKind::LocalAddress(_)
            | ExprKind::GlobalAddress(_)
            | ExprKind::FunctionAddress(_) => {}
        }
    }
}

impl Place {
    /// The expression that says where in memory the place is, unless it is a register.
    pub fn address(self) -> Option<ExprId> {
        match self {
            Place::Local(_) => None,
            Place::Memory { address, .. } | Place::Bits { address, .. } => Some(address),
        }
    }
}

impl StmtKind {
    /// Calls `f` on every expression that this statement uses directly: those of places first,
    /// then the others in order.
    pub fn for_each_expr(&self, mut f: impl FnMut(ExprId)) {
        match self {
            StmtKind::Assign { place, value } => {
                place.address().into_iter().for_each(&mut f);
                f(*value);
            }
            StmtKind::Havoc { place, .. } => place.address().into_iter().for_each(f),
            StmtKind::Assume { condition } => f(*condition),
            StmtKind::Copy { to, from, .. } => {
                f(*to);
                f(*from);
            }
            StmtKind::Zero { to, .. } => f(*to),
            StmtKind::Declare { size, .. } => size.iter().copied().for_each(f),
            StmtKind::End { .. } => {}
            StmtKind::Call { dest, callee, args } => {
                dest.and_then(Place::address).into_iter().for_each(&mut f);
                if let Callee::Pointer { target, .. } = callee {
                    f(*target);
                }
                args.iter().copied().for_each(f);
            }
            StmtKind::Mark { condition, .. } => condition.iter().copied().for_each(f),
        }
    }

    /// Calls `f` on every expression that this statement uses directly, in any order, to change
    /// them.
    pub fn for_each_expr_mut(&mut self, mut f: impl FnMut(&mut ExprId)) {
        let place = match self {
            StmtKind::Assign { place, value } => {
                f(value);
                Some(place)
            }
            StmtKind::Havoc { place, .. } => Some(place),
            StmtKind::Assume { condition } => {
                f(condition);
                None
            }
            StmtKind::Copy { to, from, .. } => {
                f(to);
                f(from);
                None
            }
            StmtKind::Zero { to, .. } => {
                f(to);
                None
            }
            StmtKind::Declare { size, .. } => {
                size.iter_mut().for_each(f);
                return;
            }
            StmtKind::End { .. } => return,
            StmtKind::Call { dest, callee, args } => {
                if let Callee::Pointer { target, .. } = callee {
                    f(target);
                }
                args.iter_mut().for_each(&mut f);
                dest.as_mut()
            }
            StmtKind::Mark { condition, .. } => {
                condition.iter_mut().for_each(f);
                return;
            }
        };
        if let Some(Place::Memory { address, .. } | Place::Bits { address, .. }) = place {
            f(address);
        }
    }
}

impl TerminatorKind {
    /// The expression that this terminator uses, if any.
    pub fn expr(&self) -> Option<ExprId> {
        match *self {
            TerminatorKind::Branch { condition, .. } => Some(condition),
            TerminatorKind::Return(value) => value,
            TerminatorKind::Exit(status) => Some(status),
            _ => None,
        }
    }

    /// The same, to change it.
    pub fn expr_mut(&mut self) -> Option<&mut ExprId> {
        match self {
            TerminatorKind::Branch { condition, .. } => Some(condition),
            TerminatorKind::Return(value) => value.as_mut(),
            TerminatorKind::Exit(status) => Some(status),
            _ => None,
        }
    }

    /// Where control may go from here: for a branch, first `then`, which is decision 1.
    pub fn successors(&self) -> impl Iterator<Item = BlockId> + use<> {
        let (first, second) = match *self {
            TerminatorKind::Goto(to) => (Some(to), None),
            TerminatorKind::Branch {
                then, otherwise, ..
            } => (Some(then), Some(otherwise)),
            _ => (None, None),
        };
        first.into_iter().chain(second)
    }
}
