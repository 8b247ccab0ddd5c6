//! A call that is described by a contract: what it needs is asked, what it may change is given any
//! value, what it promises is assumed. `contract.rs` says why this is all that a call does.

use super::Deriver;
use crate::proof::bound;
use crate::proof::cells::Known;
use crate::proof::contract::{self, Contract};
use crate::proof::state::look_without_arrays;
use crate::proof::view::View;
use idiolect_ir::build::Builder;
use idiolect_ir::ctype::RecordId;
use idiolect_ir::{
    BinaryOp, Builtin, Callee, ExprId, LocalId, Place as IrPlace, StmtKind, TerminatorKind, Ty,
};
use idiolect_quantified::point::{Binding, Variable};

impl Deriver<'_> {
    /// Goes on in a new block.
    pub(super) fn call(&mut self, contract: &Contract, dest: Option<IrPlace>, args: &[ExprId]) {
        let args: Vec<ExprId> = args.iter().map(|&a| self.b.keep(a)).collect();
        let program = self.task.program;
        let callee = program.function(contract.function);
        let argument = |local: LocalId| {
            let position = callee.params.iter().position(|&p| p == local)?;
            args.get(position).copied()
        };
        // What it needs.
        let here = self.b.current();
        let look = self.b.start_block();
        self.b.go_on_in(here);
        self.b.end(TerminatorKind::Goto(look));
        self.b.go_on_in(look);
        let (point, _) = self.numbered(contract.entry.claim);
        let find = |_: &mut Builder, binding: Binding, _: Ty| match binding {
            Binding::Local(l) | Binding::AtEntry(l) => argument(l),
            _ => None,
        };
        let mut view = look_without_arrays(&mut self.b, program, point, &find);
        let shape = self.look_at_lists(&mut view, Some(&find));
        let reached = self.reached(&view);
        self.ask(contract.entry, look, view, shape);
        // What it may change.
        for (pool, known, is_reached) in &reached {
            self.link_anew(*pool, known, is_reached, contract.writes_data);
        }
        let (point, formula) = self.numbered(contract.exit.claim);
        let result = point
            .variables
            .iter()
            .position(|v| v.binding == Binding::Result);
        let result = match (result, callee.ret) {
            (Some(v), Some(Ty::Ptr)) => {
                let record = contract::record_of(point, v);
                Some(self.any_reached(record, &reached))
            }
            (Some(v), Some(ty)) => {
                let Variable { name, signed, .. } = &point.variables[v];
                Some(self.any_datum(name, ty, *signed).0)
            }
            _ => None,
        };
        // What it promises.
        let find = |_: &mut Builder, binding: Binding, _: Ty| match binding {
            Binding::Local(l) | Binding::AtEntry(l) => argument(l),
            Binding::Result => result,
            Binding::Behind(_) | Binding::BehindEntry(_) | Binding::Global(_) => None,
        };
        let mut view = look_without_arrays(&mut self.b, program, point, &find);
        let shape = self.look_at_lists(&mut view, Some(&find));
        self.b.assume(shape);
        self.assume(&mut view, contract.exit.claim, formula);
        if let (Some(place), Some(value)) = (dest, result) {
            self.b.statement(StmtKind::Assign { place, value });
        }
    }

    /// For each pool the cells that there are, and which of them the variables of a view reach.
    fn reached(&mut self, view: &View<'_>) -> Vec<(usize, Vec<Known>, Vec<ExprId>)> {
        let mut found = Vec::new();
        for i in 0..self.pools.len() {
            let structure = bound::structure_of(view.point, self.pools[i].record);
            if let Some(cells) = structure.and_then(|s| view.lists[s].as_ref()) {
                let visible = cells.visible.clone();
                found.push((i, self.known(i), visible));
            }
        }
        found
    }

    /// Each cell that is reached is followed by another one that is, by nothing, or leads elsewhere.
    fn link_anew(
        &mut self,
        pool: usize,
        known: &[Known],
        is_reached: &[ExprId],
        writes_data: bool,
    ) {
        let shape = self.pools[pool].shape.clone();
        let size = self.b.program.types.record(shape.record).layout.as_ref();
        let size = size.map_or(0, |l| l.size);
        let size = self
            .b
            .constant(u128::from(size), Ty::Int(self.b.pointer_bits()));
        let elsewhere = self.b.malloc("elsewhere", size);
        for (i, cell) in known.iter().enumerate() {
            // Cells that may be no cells, on this path, are written elsewhere.
            let is_there = i < self.pools[pool].addresses.len() && !self.frees();
            let address = if is_there {
                cell.address
            } else {
                let elsewhere = self.b.read(elsewhere);
                let address = self.b.select(is_reached[i], cell.address, elsewhere);
                self.b.keep(address)
            };
            let write = |b: &mut Builder, offset: u64, ty: Ty, new: ExprId| {
                let at = b.field(address, offset);
                let old = b.load(at, ty);
                let value = if is_there {
                    b.select(is_reached[i], new, old)
                } else {
                    new
                };
                let value = b.keep(value);
                let at = b.field(address, offset);
                b.store(at, ty, value);
            };
            let null = self.b.null();
            let elsewhere = self.b.read(elsewhere);
            let next = one_of(&mut self.b, known, is_reached, null, elsewhere);
            write(&mut self.b, shape.next_offset, Ty::Ptr, next);
            if writes_data {
                for field in &shape.fields {
                    let (new, _) = self.any_datum("datum", field.ty, field.signed);
                    write(&mut self.b, field.offset, field.ty, new);
                }
            }
        }
    }

    fn frees(&self) -> bool {
        let stmts = self
            .segment
            .iter()
            .flat_map(|&b| &self.task.function.block(b).stmts);
        stmts.into_iter().any(|s| {
            matches!(
                s.kind,
                StmtKind::Call {
                    callee: Callee::Builtin(Builtin::Free),
                    ..
                }
            )
        })
    }

    /// Any cell of this type that is reached, or null.
    fn any_reached(
        &mut self,
        record: Option<RecordId>,
        reached: &[(usize, Vec<Known>, Vec<ExprId>)],
    ) -> ExprId {
        let null = self.b.null();
        let of_type = |r: &&(usize, _, _)| Some(self.pools[r.0].record) == record;
        match reached.iter().find(of_type) {
            Some((_, known, is_reached)) => one_of(&mut self.b, known, is_reached, null, null),
            None => null,
        }
    }
}

/// Any of the cells that are reached, or one of two other values.
fn one_of(
    b: &mut Builder,
    known: &[Known],
    is_reached: &[ExprId],
    last: ExprId,
    otherwise: ExprId,
) -> ExprId {
    let (choice, _) = b.any("link", Ty::Int(8));
    let choice = b.read(choice);
    let is = |b: &mut Builder, number: usize| {
        let number = b.constant(number as u128, Ty::Int(8));
        b.binary(BinaryOp::Eq, choice, number)
    };
    let is_last = is(b, known.len());
    let mut value = b.select(is_last, last, otherwise);
    for (i, cell) in known.iter().enumerate() {
        let chosen = is(b, i);
        let both = b.and(chosen, is_reached[i]);
        value = b.select(both, cell.address, value);
    }
    b.keep(value)
}
