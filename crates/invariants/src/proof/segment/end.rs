//! The blocks at the cuts that follow: an error wherever the claim there is violated.

use super::{Aim, Deriver, Goal};
use crate::proof::bound;
use crate::proof::cells::{self, Known, Place};
use crate::proof::contract::Side;
use crate::proof::state::{self, Find, put_list};
use crate::proof::view::{Spot, View};
use idiolect_ir::build::{Builder, Number};
use idiolect_ir::{
    BinaryOp, BlockId, Callee, ErrorKind, ExprId, Function, LocalId, StmtKind, TerminatorKind, Ty,
};
use idiolect_quantified::allocated;
use idiolect_quantified::formula::Conjunct;
use idiolect_quantified::point::{Binding, Role, Structure};

impl Deriver<'_> {
    pub(super) fn checks(&mut self) {
        // Registers that only some paths set are null on the others.
        self.b.go_on_in(Function::ENTRY);
        for i in 0..self.pools.len() {
            for j in 0..self.pools[i].captured.len() {
                let local = self.pools[i].captured[j];
                let null = self.b.null();
                self.b.assign(local, null);
            }
        }
        for block in self.state.blocks.clone() {
            let (null, falsity) = (self.b.null(), self.b.falsity());
            let zero = self.b.constant(0, Ty::Int(self.b.pointer_bits()));
            self.b.assign(block.address, null);
            self.b.assign(block.bytes, zero);
            self.b.assign(block.freed, falsity);
        }
        for target in self.targets() {
            if let Some(claim) = self.task.cuts.list[target].point {
                self.check(target, claim);
            }
        }
    }

    fn check(&mut self, target: usize, claim: usize) {
        let (point, _) = self.numbered(claim);
        let n = self.task.function.blocks.len();
        let block = BlockId::new(1 + n + target);
        self.b.go_on_in(block);
        self.fulfil((BlockId::new(n + target), 0));
        let mut view = self.state.look(&mut self.b, self.task.program, point);
        let arrays = self.arrays_stay(&view);
        let heads = self.heads_stay(&view);
        let lists = self.look_at_lists(&mut view, None);
        let shape = self.b.and(arrays, heads);
        let shape = self.b.and(shape, lists);
        let side = Side {
            cut: self.task.first_cut + target,
            claim,
        };
        self.ask(side, block, view, shape);
    }

    /// Puts the lists as they are now into a view of the function's own variables, or of what `find`
    /// finds. What comes back is whether they are lists.
    pub(super) fn look_at_lists(&mut self, view: &mut View<'_>, find: Option<&Find<'_>>) -> ExprId {
        let mut shape = self.b.truth();
        for i in 0..self.pools.len() {
            let Some(structure) = bound::structure_of(view.point, self.pools[i].record) else {
                continue;
            };
            let known = self.known(i);
            let (cells, is_lost) = cells::look(&mut self.b, &self.pools[i].shape, &known);
            let own = |b: &mut Builder, binding, ty| self.state.value(b, binding, ty);
            let find = find.unwrap_or(&own);
            let places = state::places(&mut self.b, view.point, structure, &known, find);
            put_list(&mut self.b, view, structure, cells, places);
            let is_list = self.is_list(view, structure, &is_lost);
            shape = self.b.and(shape, is_list);
        }
        self.b.keep(shape)
    }

    /// A branch to an error for each part of a claim that is chosen and does not hold of a view,
    /// which `block` looked at. Goes on in a new block.
    pub(super) fn ask(&mut self, at: Side, block: BlockId, mut view: View<'_>, shape: ExprId) {
        let (_, formula) = self.numbered(at.claim);
        let mut claims = vec![(Aim::Shape, shape)];
        for (i, conjunct) in formula.conjuncts.iter().enumerate() {
            let holds = match conjunct {
                Conjunct::ForAll(all) => {
                    let mut values: Vec<Spot> = Vec::new();
                    let mut condition = self.b.truth();
                    for (y, &structure) in all.over.iter().enumerate() {
                        let (spot, is_one) = self.skolem(&view, y, structure);
                        condition = self.b.and(condition, is_one);
                        values.push(spot);
                    }
                    view.for_values(&mut self.b, all, &values, condition)
                }
                Conjunct::OneOf(_) => view.holds(&mut self.b, conjunct, &[]),
            };
            claims.push((Aim::Conjunct(i), self.b.keep(holds)));
        }
        let look = self.goals.len();
        self.looking.push((block, look));
        // A model that violates one goal shows which others it violates.
        let mut shown = Vec::new();
        for &(_, holds) in &claims {
            let (register, input) = self.b.any("holds", Ty::Int(8));
            let truth = Number {
                expr: holds,
                width: 1,
                signed: false,
            };
            let (value, truth) = (self.b.read(register), self.b.widened(truth, 8));
            let same = self.b.binary(BinaryOp::Eq, value, truth);
            self.b.assume(same);
            shown.push(input);
        }
        let (choice, _) = self.b.any("goal", Ty::Int(16));
        for (i, (aim, holds)) in claims.into_iter().enumerate() {
            let number = self.b.constant(i as u128, Ty::Int(16));
            let choice = self.b.read(choice);
            let chosen = self.b.binary(BinaryOp::Eq, choice, number);
            let fails = self.b.not(holds);
            let condition = self.b.and(chosen, fails);
            let here = self.b.current();
            let error = self.b.start_block();
            self.b.end(TerminatorKind::Error(ErrorKind::ReachError));
            let next = self.b.start_block();
            self.b.go_on_in(here);
            self.b.end(TerminatorKind::Branch {
                condition,
                then: error,
                otherwise: next,
            });
            self.b.go_on_in(next);
            self.goals.push(Goal {
                target: at.cut,
                claim: at.claim,
                aim,
                error,
                shown: shown[i],
                look,
            });
        }
    }

    /// The value of a quantified variable of a goal, and whether it is one.
    fn skolem(&mut self, view: &View<'_>, y: usize, structure: usize) -> (Spot, ExprId) {
        let Some(cells) = &view.lists[structure] else {
            return match (view.is_list(structure), self.skolem_indices.get(y)) {
                (false, Some(&index)) => {
                    let inside = view.in_range(&mut self.b, structure, index);
                    (Spot::Number(index), inside)
                }
                _ => (Spot::Nothing, self.b.falsity()),
            };
        };
        let choice = self.b.read(self.skolems[y]);
        let mut at = Vec::new();
        let mut is_one = self.b.falsity();
        for cell in 0..cells.n() {
            let number = self.b.constant(cell as u128, Ty::Int(8));
            let here = self.b.binary(BinaryOp::Eq, choice, number);
            let here = self.b.keep(here);
            at.push(here);
            let visible = self.b.and(here, cells.visible[cell]);
            is_one = self.b.or(is_one, visible);
        }
        let place = Place {
            at,
            is_nil: self.b.falsity(),
        };
        let is_one = self.b.keep(is_one);
        (Spot::Pointer { structure, place }, is_one)
    }

    /// The cells that there may be now.
    pub(super) fn known(&mut self, pool: usize) -> Vec<Known> {
        let mut known: Vec<Known> = Vec::new();
        for cell in 0..self.pools[pool].addresses.len() {
            let address = self.b.read(self.pools[pool].addresses[cell]);
            let freed = self.b.read(self.pools[pool].freed[cell]);
            let alive = self.b.not(freed);
            let exists = self.b.keep(alive);
            known.push(Known { address, exists });
        }
        for i in 0..self.pools[pool].captured.len() {
            let address = self.b.read(self.pools[pool].captured[i]);
            let null = self.b.null();
            let mut is_old = self.b.same_pointer(address, null);
            for k in &known {
                let same = self.b.same_pointer(address, k.address);
                is_old = self.b.or(is_old, same);
            }
            let is_new = self.b.not(is_old);
            let exists = self.b.keep(is_new);
            known.push(Known { address, exists });
        }
        known
    }

    /// Whether what the point's variables reach are disjoint lists that end in null, and cells of doubly linked ones lead
    /// back.
    fn is_list(&mut self, view: &View<'_>, structure: usize, is_lost: &[ExprId]) -> ExprId {
        let Some(cells) = &view.lists[structure] else {
            return self.b.falsity();
        };
        let b = &mut self.b;
        let mut good = b.truth();
        for (spot, v) in view.variables.iter().zip(&view.point.variables) {
            if v.role != (Role::Pointer { structure }) {
                continue;
            }
            let Spot::Pointer { place, .. } = spot else {
                return b.falsity();
            };
            let mut somewhere = place.is_nil;
            for &at in &place.at {
                somewhere = b.or(somewhere, at);
            }
            good = b.and(good, somewhere);
        }
        let n = cells.n();
        for (i, &lost) in is_lost.iter().enumerate() {
            let mut bad = lost;
            for j in 0..n {
                // A way back: a cycle.
                let cycle = b.and(cells.after[i][j], cells.reach[j][i]);
                bad = b.or(bad, cycle);
                // Two cells before one.
                for k in 0..i {
                    let both = b.and(cells.after[i][j], cells.after[k][j]);
                    let shared = b.and(both, cells.visible[k]);
                    bad = b.or(bad, shared);
                }
            }
            let back = cells.leads_back(b, i);
            let not_back = b.not(back);
            let bad = b.or(bad, not_back);
            let bad = b.and(cells.visible[i], bad);
            let fine = b.not(bad);
            let both = b.and(good, fine);
            good = b.keep(both);
        }
        good
    }

    /// Whether pointers to heads of lists point to the variables that they pointed to at the start.
    fn heads_stay(&mut self, view: &View<'_>) -> ExprId {
        let mut good = self.b.truth();
        for v in &view.point.variables {
            let Some(pointer) = self.state.pointer(v.binding) else {
                continue;
            };
            let head = self.state.heads.iter().find(|h| h.0 == pointer).copied();
            let now = self.state.value(&mut self.b, pointer, Ty::Ptr);
            let (Some((_, head)), Some(now)) = (head, now) else {
                return self.b.falsity();
            };
            let head = self.b.read(head);
            let same = self.b.same_pointer(head, now);
            good = self.b.and(good, same);
        }
        self.b.keep(good)
    }

    /// Whether bases of arrays point to the arrays that they pointed to at the start, or to blocks that were allocated
    /// since then, none of which is freed, and lengths are those of the arrays.
    fn arrays_stay(&mut self, view: &View<'_>) -> ExprId {
        let types = &self.task.program.types;
        let mut good = self.b.truth();
        for v in &view.point.variables {
            let Role::Base { structure, field } = v.role else {
                continue;
            };
            if types.scalar(v.ty) != Some(Ty::Ptr) {
                continue; // An object, which is where it is and as large as it is.
            }
            if self.callees_free() {
                return self.b.falsity();
            }
            let binding = self.state.plain(v.binding);
            let array = self.state.arrays.iter().position(|a| a.0 == binding);
            let block = match v.binding {
                Binding::Local(l) => self.state.blocks.iter().find(|b| b.array == l).copied(),
                _ => None,
            };
            let (true, Some(base), Some(size)) = (
                array.is_some() || block.is_some(),
                view.bases[structure][field],
                view.sizes[structure],
            ) else {
                return self.b.falsity();
            };
            let mut either = self.b.falsity();
            if let Some(array) = array {
                let (_, start, capacity) = self.state.arrays[array];
                let full = self.b.equal(capacity, size);
                let there = self.is_at(start, self.state.freed[array], base);
                either = self.b.and(there, full);
            }
            if let (Some(block), Structure::Array(group)) =
                (block, &view.point.structures[structure])
            {
                let there = self.is_at(block.address, block.freed, base);
                let full = self.fills(block.bytes, size, group.fields[field].stride);
                let both = self.b.and(there, full);
                either = self.b.or(either, both);
            }
            good = self.b.and(good, either);
        }
        self.b.keep(good)
    }

    /// Whether something is freed in a function that is looked into, where nobody notes what.
    fn callees_free(&self) -> bool {
        let blocks = self.segment.iter().map(|&b| self.task.function.block(b));
        let mut stmts = blocks.flat_map(|b| &b.stmts);
        stmts.any(|s| match s.kind {
            StmtKind::Call {
                callee: callee @ Callee::Function(_),
                ..
            } => {
                self.task.contract(&s.kind).is_none()
                    && allocated::may_free(self.task.program, callee)
            }
            _ => false,
        })
    }

    /// Whether a pointer leads to a block that is not freed.
    fn is_at(&mut self, block: LocalId, freed: LocalId, pointer: ExprId) -> ExprId {
        let b = &mut self.b;
        let (address, freed, null) = (b.read(block), b.read(freed), b.null());
        let same = b.same_pointer(address, pointer);
        let is_null = b.same_pointer(address, null);
        let (is_block, is_live) = (b.not(is_null), b.not(freed));
        let there = b.and(same, is_block);
        b.and(there, is_live)
    }

    /// Whether so many elements of this size are all of a block: not negative, and none left out.
    fn fills(&mut self, bytes: LocalId, size: Number, stride: u64) -> ExprId {
        let b = &mut self.b;
        let (zero, most) = (b.number(0), b.number(i64::from(i32::MAX)));
        let from = b.at_most(zero, size);
        let to = b.at_most(size, most);
        let bits = b.pointer_bits();
        let wide = b.widened(size, bits);
        let stride = b.constant(u128::from(stride), Ty::Int(bits));
        let total = b.binary(BinaryOp::Mul { signed: false }, wide, stride);
        let bytes = b.read(bytes);
        let same = b.binary(BinaryOp::Eq, bytes, total);
        let range = b.and(from, to);
        b.and(range, same)
    }
}
