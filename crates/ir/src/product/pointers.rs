//! Where a pointer points to, told in a way that is the same for both programs.

use super::behind::objects;
use super::edit::Editor;
use crate::expr::{BinaryOp, ExprId, ExprKind, Ty};
use crate::program::{FuncId, Global, GlobalId, LocalId, Program};

/// What a pointer may point to that both programs have.
pub struct Targets {
    list: Vec<Target>,
}

struct Target {
    place: Place,
    /// In bytes.
    step: u64,
    n_steps: u64,
}

#[derive(Clone, Copy)]
enum Place {
    Local(LocalId),
    Global(GlobalId),
}

/// A pointer to something else, such as a block of the heap.
pub const ELSEWHERE: u128 = 0xffff;
/// Objects and places in them that are told apart.
const MOST_TARGETS: usize = 32;
const MOST_STEPS: u64 = 64;

/// For each program, the objects behind parameters and the variables of the same names, in the same order.
pub fn targets(program: &Program, starts: [FuncId; 2], n_old: usize) -> [Targets; 2] {
    let mut lists = [Vec::new(), Vec::new()];
    let [old, new] = starts.map(|start| objects(program, start));
    for object in &old {
        let Some(other) = new.iter().find(|other| other.name == object.name) else {
            continue;
        };
        for (list, object) in lists.iter_mut().zip([object, other]) {
            list.push(Target {
                place: Place::Local(object.local),
                step: object.element_size.max(1),
                n_steps: object.n.min(MOST_STEPS),
            });
        }
    }
    let is_own = |g: &&Global| !g.is_library && !g.read_only && g.function.is_none();
    let (olds, news) = program.globals.split_at(n_old);
    for (i, global) in olds.iter().enumerate().filter(|(_, g)| is_own(g)) {
        let mut others = news.iter().enumerate().filter(|(_, g)| is_own(g));
        let same = others.find(|(_, g)| g.name == global.name && g.size == global.size);
        let Some((j, _)) = same else {
            continue;
        };
        let element = match program.types.get(global.ty) {
            crate::ctype::CType::Array { element, .. } => *element,
            _ => global.ty,
        };
        let step = program.types.size_of(element).unwrap_or(1).max(1);
        for (list, id) in lists.iter_mut().zip([i, n_old + j]) {
            list.push(Target {
                place: Place::Global(GlobalId::new(id)),
                step,
                n_steps: (global.size / step).min(MOST_STEPS),
            });
        }
    }
    for list in &mut lists {
        list.truncate(MOST_TARGETS);
    }
    lists.map(|list| Targets { list })
}

impl Targets {
    /// A number that says where the pointer points: 0 for null, [`ELSEWHERE`] if nobody can say.
    pub fn class(&self, edit: &mut Editor<'_>, pointer: ExprId) -> ExprId {
        let word = Ty::Int(64);
        let mut class = edit.constant(ELSEWHERE, word);
        for (i, target) in self.list.iter().enumerate() {
            // One past the end is a place, too.
            for k in 0..=target.n_steps {
                let base = match target.place {
                    Place::Local(local) => edit.push(ExprKind::LocalAddress(local), Ty::Ptr),
                    Place::Global(global) => edit.address(global, 0),
                };
                let place = edit.offset(base, k * target.step);
                let is_there = edit.binary(BinaryOp::Eq, pointer, place, Ty::BOOL);
                let number = edit.constant((i as u128 + 1) << 8 | u128::from(k), word);
                class = edit.select(is_there, number, class);
            }
        }
        let null = edit.constant(0, Ty::Ptr);
        let is_null = edit.binary(BinaryOp::Eq, pointer, null, Ty::BOOL);
        let zero = edit.constant(0, word);
        edit.select(is_null, zero, class)
    }
}
