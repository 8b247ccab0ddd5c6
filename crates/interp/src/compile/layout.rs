//! Which variable is in which register.

use super::MAX_WINDOW_ARGS;
use crate::code::{Reg, Slot};
use idiolect_ir::{ExprId, ExprKind, Function, LocalStorage, Ty};

/// Registers for variables, and for them and constants together; the rest is for temporaries.
const MAX_NEAR: u32 = 186;
const MAX_HELD: u32 = 200;
const MAX_CONSTS: usize = 32;

#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// By local.
    pub(super) slots: Vec<Slot>,
    /// Registers that hold arguments when the function starts.
    pub(super) n_window_params: u32,
    /// Slots for arguments passed beside the window, in order.
    pub(super) extra_params: Vec<Slot>,
    pub(super) first_const: u32,
    pub(super) consts: Vec<(u64, Reg)>,
    pub(super) first_temp: u32,
    pub(super) n_far: u32,
}

/// How many registers a value takes.
pub(super) fn n_regs(ty: Ty) -> u32 {
    match ty {
        Ty::Int(65..) | Ty::F80 => 2,
        _ => 1,
    }
}

fn storage_regs(storage: LocalStorage) -> u32 {
    match storage {
        LocalStorage::Register(ty) => n_regs(ty),
        LocalStorage::Memory { .. } | LocalStorage::Dynamic => 1,
    }
}

impl Layout {
    pub(super) fn new(function: &Function, consts: &[u64]) -> Self {
        let mut slots: Vec<Option<Slot>> = vec![None; function.locals.len()];
        let mut next = 0;
        let mut rest = Vec::new();
        for &param in &function.params {
            let n = storage_regs(function.local(param).storage);
            if rest.is_empty() && (next + n) as usize <= MAX_WINDOW_ARGS {
                slots[param.index()] = Some(Slot::Near(next as Reg));
                next += n;
            } else {
                rest.push(param);
            }
        }
        let n_window_params = next;
        // The most used variables come first if there are too many.
        let mut uses = vec![0u32; function.locals.len()];
        // One expression stands for all uses of a variable in a function, so those that have it as a part count.
        let mut count = |id: ExprId| {
            if let ExprKind::Local(l) | ExprKind::LocalAddress(l) = function.expr(id).kind {
                uses[l.index()] += 1;
            }
        };
        for (i, expr) in function.exprs.iter().enumerate() {
            count(ExprId::new(i));
            expr.kind.for_each_operand(&mut count);
        }
        let mut order: Vec<usize> = (0..slots.len()).filter(|&i| slots[i].is_none()).collect();
        let total: u32 = order
            .iter()
            .map(|&i| storage_regs(function.locals[i].storage))
            .sum();
        if next + total > MAX_NEAR {
            order.sort_by_key(|&i| std::cmp::Reverse(uses[i]));
        }
        let mut n_far = 0;
        for i in order {
            let n = storage_regs(function.locals[i].storage);
            slots[i] = Some(if next + n <= MAX_NEAR {
                next += n;
                Slot::Near((next - n) as Reg)
            } else {
                n_far += n;
                Slot::Far(n_far - n)
            });
        }
        let slots: Vec<Slot> = slots.into_iter().flatten().collect();
        let mut extra_params = Vec::new();
        for param in rest {
            let n = storage_regs(function.local(param).storage);
            for i in 0..n {
                extra_params.push(match slots[param.index()] {
                    Slot::Near(reg) => Slot::Near(reg + i as Reg),
                    Slot::Far(slot) => Slot::Far(slot + i),
                });
            }
        }
        let first_const = next;
        let consts: Vec<(u64, Reg)> = consts
            .iter()
            .take(MAX_CONSTS.min((MAX_HELD - first_const) as usize))
            .enumerate()
            .map(|(i, &value)| (value, (first_const as usize + i) as Reg))
            .collect();
        Layout {
            slots,
            n_window_params,
            extra_params,
            first_const,
            first_temp: first_const + consts.len() as u32,
            consts,
            n_far,
        }
    }

    /// The register that holds a constant.
    pub(super) fn const_reg(&self, value: u64) -> Option<Reg> {
        let found = self.consts.iter().find(|(c, _)| *c == value);
        found.map(|&(_, reg)| reg)
    }
}

/// How deep the expressions of a function are nested.
pub(super) fn depth(function: &Function) -> u32 {
    // Operands usually come before the expressions that use them; where they do not, the number
    // of expressions in between is a bound.
    let mut depths = vec![1u32; function.exprs.len()];
    let mut deepest = 0;
    for (i, expr) in function.exprs.iter().enumerate() {
        let mut below = 0;
        let mut visit = |id: ExprId| {
            below = below.max(if id.index() < i {
                depths[id.index()]
            } else {
                function.exprs.len() as u32
            });
        };
        match expr.kind {
            ExprKind::Load { address: a } | ExprKind::Unary(_, a) | ExprKind::Convert(_, a) => {
                visit(a);
            }
            ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                visit(a);
                visit(b);
            }
            ExprKind::PtrAdd { base, index, .. } => {
                visit(base);
                visit(index);
            }
            ExprKind::Select {
                condition,
                then,
                otherwise,
            } => {
                visit(condition);
                visit(then);
                visit(otherwise);
            }
            ExprKind::Const(_)
            | ExprKind::Local(_)
            | ExprKind::LocalAddress(_)
            | ExprKind::GlobalAddress(_)
            | ExprKind::FunctionAddress(_) => {}
        }
        depths[i] = below.saturating_add(1);
        deepest = deepest.max(depths[i]);
    }
    deepest
}
