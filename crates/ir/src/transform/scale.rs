//! Programs with large arrays, made small to be run.
//!
//! `int a[100000]` is no word that can be read, and no run that can be repeated for all small data. So
//! the program is copied with small arrays: each large size becomes a small one, in types, in objects,
//! and in every integer constant of the code that is the size or looks derived from it: `n ± 2`, `n / 2`
//! and its neighbours, and `n` times the size of an element. What is learned from runs of such copies,
//! for several small sizes at once, is a guess about the real program: formulas speak of sizes, not of
//! their values, and of constants by what they were before.
//!
//! **Nothing rests on the guess.** The real program is what formulas are proved of, and a proof does
//! not unroll loops. A constant that is equal to the size for another reason, or one that was not
//! recognized, leads to formulas that are too strong or too weak, and so to a failed proof.

use crate::ctype::{ArrayLength, TypeId, Types};
use crate::{CType, ExprKind, FunctionOrigin, LocalStorage, Program, StmtKind, Ty};

/// Which sizes become which.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scale {
    /// Large and small, ascending.
    sizes: Vec<(u64, u64)>,
}

impl Scale {
    /// The smallest of these sizes becomes `small`; the others stay larger, each by one.
    pub fn new(sizes: &[u64], small: u64) -> Self {
        let small = sizes.iter().zip(small..);
        Scale {
            sizes: small.map(|(&n, m)| (n, m)).collect(),
        }
    }

    /// What a number of the program becomes.
    pub fn number(&self, c: i64) -> i64 {
        let exact = self.sizes.iter().map(|&(n, m)| (n as i64, m as i64));
        let halves = self
            .sizes
            .iter()
            .map(|&(n, m)| (n as i64 / 2, m as i64 / 2));
        // Sizes before halves: another size may be half of this one.
        for (near, list) in [
            (0, exact.clone().collect::<Vec<_>>()),
            (2, exact.clone().collect()),
            (1, halves.collect()),
        ] {
            for (n, m) in list {
                if let Some(d) = c.checked_sub(n)
                    && d.unsigned_abs() <= near
                {
                    return m + d;
                }
            }
        }
        for (n, m) in exact {
            for bytes in [2, 4, 8] {
                if n.checked_mul(bytes) == Some(c) {
                    return m * bytes;
                }
            }
        }
        c
    }

    /// What the size of an array becomes.
    pub fn size(&self, n: u64) -> Option<u64> {
        let same = self.sizes.iter().find(|s| s.0 == n);
        same.map(|s| s.1)
    }

    /// The small program. Functions, blocks and locals keep their numbers.
    pub fn program(&self, program: &Program) -> Program {
        let mut copy = program.clone();
        for global in &mut copy.globals {
            if let Some((ty, size)) = self.object(&mut copy.types, global.ty) {
                global.ty = ty;
                global.size = size;
                global.bytes.truncate(size as usize);
                global
                    .relocations
                    .retain(|r| r.offset.saturating_add(16) <= size);
            }
        }
        for function in &mut copy.functions {
            if function.origin != FunctionOrigin::User {
                continue;
            }
            for local in &mut function.locals {
                if let LocalStorage::Memory { size, .. } = &mut local.storage
                    && let Some((ty, new)) = self.object(&mut copy.types, local.ty)
                {
                    local.ty = ty;
                    *size = new;
                }
            }
            for stmt in function.blocks.iter_mut().flat_map(|b| &mut b.stmts) {
                if let StmtKind::Zero { size, .. } | StmtKind::Copy { size, .. } = &mut stmt.kind {
                    *size = self.number(*size as i64).max(0) as u64;
                }
            }
            for expr in &mut function.exprs {
                if let (ExprKind::Const(bits), Ty::Int(width @ 8..=64)) = (&mut expr.kind, expr.ty)
                {
                    let shift = 64 - u32::from(width);
                    let value = ((*bits as u64) << shift) as i64 >> shift;
                    let new = self.number(value);
                    if new != value {
                        *bits = u128::from((new as u64) << shift >> shift);
                    }
                }
            }
        }
        copy
    }

    /// The type and the size of an array of integers that becomes smaller.
    fn object(&self, types: &mut Types, ty: TypeId) -> Option<(TypeId, u64)> {
        let CType::Array {
            element,
            length: ArrayLength::Known(n),
        } = *types.get(ty)
        else {
            return None;
        };
        let m = self.size(n)?;
        let is_integer = matches!(
            (types.get(element), types.scalar(element)),
            (
                CType::Int(_) | CType::Bool | CType::Enum(_),
                Some(Ty::Int(..=64))
            )
        );
        if !is_integer {
            return None;
        }
        let size = types.size_of(element)?.checked_mul(m)?;
        let ty = types.intern(CType::Array {
            element,
            length: ArrayLength::Known(m),
        });
        Some((ty, size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_near_a_size_follow_it() {
        let scale = Scale::new(&[100, 1000], 4);
        let numbers = [
            100, 99, 102, 103, 50, 49, 400, 1000, 998, 500, 8000, 42, 0, -1,
        ];
        let scaled = numbers.map(|c| scale.number(c));
        assert_eq!(scaled, [4, 3, 6, 103, 2, 1, 16, 5, 3, 2, 40, 42, 0, -1]);
    }
}
