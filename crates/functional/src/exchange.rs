//! Where a function exchanges two elements of an array, for provers that do not find it out by themselves.

use super::ghost::{self, Store};
use super::{FunctionalFact, FunctionalFactKind};
use idiolect_base::Span;
use idiolect_invariants::proof::modified;
use idiolect_ir::graph::{Cfg, Loops};
use idiolect_ir::{
    BinaryOp, BlockId, ExprId, ExprKind, FuncId, Function, LocalId, LocalKind, Place, Program,
    StmtKind, Ty,
};

/// Behind a statement, an assertion in ACSL.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    pub first: Span,
    /// The statement behind which it holds.
    pub last: Span,
    pub assertion: String,
}

impl FunctionalFact {
    /// What helps to prove that elements are permuted: two writes that follow each other exchange what they
    /// overwrite. It is for the prover to confirm.
    pub fn hints(&self, program: &Program, id: FuncId) -> Vec<Hint> {
        let FunctionalFactKind::Permutation {
            array,
            size,
            by_rounds: true,
            is_exit: true,
            ..
        } = &self.kind
        else {
            return Vec::new();
        };
        let function = program.function(id);
        let Some(stores) = ghost::stores(function, &modified(function)) else {
            return Vec::new();
        };
        let loops = Loops::new(&Cfg::new(function));
        let is_of_array = |s: &&Store| function.local(s.array).name == *array;
        let stores: Vec<&Store> = stores.iter().filter(is_of_array).collect();
        let mut found = Vec::new();
        for pair in stores.windows(2) {
            let [one, other] = [pair[0], pair[1]];
            let (block, at) = one.at;
            if other.at.0 != block {
                continue;
            }
            let places = [one, other].map(|s| place(function, s.address));
            let [Some(i), Some(j)] = places else {
                continue;
            };
            let used = [i.1, j.1].concat();
            if (at..other.at.1).any(|s| assigns_one_of(function, block, s, &used)) {
                continue;
            }
            let since = if loops.innermost(block).is_some() {
                "LoopCurrent"
            } else {
                "Pre"
            };
            let span = |s: &Store| function.block(s.at.0).stmts[s.at.1].span;
            found.push(Hint {
                first: span(one),
                last: span(other),
                assertion: format!(
                    "idiolect_exchanged_{}{{{since}, Here}}({array}, {size}, {}, {})",
                    self.tag(),
                    i.0,
                    j.0
                ),
            });
        }
        found
    }
}

fn assigns_one_of(function: &Function, block: BlockId, at: usize, names: &[LocalId]) -> bool {
    matches!(function.block(block).stmts[at].kind,
        StmtKind::Assign { place: Place::Local(l), .. } if names.contains(&l))
}

/// The index of an element as C writes it, and the variables in it.
fn place(function: &Function, address: ExprId) -> Option<(String, Vec<LocalId>)> {
    let mut used = Vec::new();
    let text = match function.expr(address).kind {
        ExprKind::PtrAdd { index, .. } => written(function, index, &mut used)?,
        _ => "0".to_owned(),
    };
    Some((text, used))
}

fn written(function: &Function, expr: ExprId, used: &mut Vec<LocalId>) -> Option<String> {
    let expr = function.expr(expr);
    match expr.kind {
        ExprKind::Local(l) if function.local(l).kind != LocalKind::Temporary => {
            used.push(l);
            Some(function.local(l).name.clone())
        }
        ExprKind::Const(bits) => {
            let Ty::Int(width) = expr.ty else {
                return None;
            };
            let unused = 64 - u32::from(width.min(64));
            Some((((bits as u64) << unused) as i64 >> unused).to_string())
        }
        ExprKind::Convert(_, inner) => written(function, inner, used),
        ExprKind::Binary(op, left, right) => {
            let sign = match op {
                BinaryOp::Add { .. } => "+",
                BinaryOp::Sub { .. } => "-",
                _ => return None,
            };
            let (left, right) = (
                written(function, left, used)?,
                written(function, right, used)?,
            );
            let is_simple = right.chars().all(|c| c.is_alphanumeric() || c == '_');
            Some(if is_simple {
                format!("{left} {sign} {right}")
            } else {
                format!("{left} {sign} ({right})")
            })
        }
        _ => None,
    }
}
