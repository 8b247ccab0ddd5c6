//! Whether the states that a segment starts in can be made.
//!
//! Pointers that the point does not speak of have any value there, and no such value points to
//! anything: each access faults. A proof from there on would be one about no run at all, so that
//! segments which read such a pointer prove nothing.

use super::Deriver;
use crate::globals;
use crate::point::{Binding, Point, PointKind, Role};
use crate::proof::bound::NoBound;
use crate::scope::Scope;
use idiolect_ir::graph::Cfg;
use idiolect_ir::{
    CType, Callee, ExprId, ExprKind, GlobalId, LocalId, LocalStorage, Program, StmtKind, Ty, TypeId,
};

/// What the code of a segment reads.
#[derive(Default)]
struct Reads {
    locals: Vec<LocalId>,
    globals: Vec<GlobalId>,
}

impl Deriver<'_> {
    pub(super) fn check_pointers(&self) -> Result<(), NoBound> {
        self.check_heads()?;
        let task = self.task;
        let reads = self.reads();
        let cut = task.cuts.list[self.from];
        let point = self.claim(self.from).map(|(point, _)| point);
        let scope = Scope::new(task.program, task.function, &Cfg::new(task.function));
        for (i, info) in task.function.locals.iter().enumerate() {
            let local = LocalId::new(i);
            let is_pointer = info.storage == LocalStorage::Register(Ty::Ptr);
            let is_read = reads.locals.contains(&local) && scope.is_read_later(cut.block, local);
            if is_pointer && is_read && !self.is_given(point, Binding::Local(local)) {
                return Err(NoBound::Pointer(info.name.clone()));
            }
        }
        for &global in &reads.globals {
            let info = task.program.global(global);
            let is_given = self.is_given(point, Binding::Global(global));
            if has_pointers(task.program, info.ty) && !info.read_only && !is_given {
                return Err(NoBound::Pointer(info.name.clone()));
            }
        }
        Ok(())
    }

    /// Whether pointers to heads of lists are where they were. States in which they point to links of
    /// cells cannot be made.
    fn check_heads(&self) -> Result<(), NoBound> {
        let cuts = self.targets().into_iter().chain([self.from]);
        for (point, _) in cuts.filter_map(|cut| self.claim(cut)) {
            let moves =
                |b: Binding| matches!(b, Binding::Behind(l) if self.state.modified[l.index()]);
            let is_moved = point.variables.iter().any(|v| moves(v.binding));
            if is_moved && point.kind != PointKind::Entry {
                return Err(NoBound::Link);
            }
        }
        Ok(())
    }

    /// Whether a pointer gets a value that the point speaks of.
    fn is_given(&self, point: Option<&Point>, pointer: Binding) -> bool {
        point.is_some_and(|point| {
            point.variables.iter().any(|v| {
                let is_pointer = matches!(v.role, Role::Pointer { .. } | Role::Base { .. });
                is_pointer && v.binding == pointer || self.state.pointer(v.binding) == Some(pointer)
            })
        })
    }

    fn reads(&self) -> Reads {
        let function = self.task.function;
        let mut reads = Reads::default();
        for &id in &self.segment {
            let block = function.block(id);
            let mut look = |e: ExprId| reads.look_at(self.task.program, function, e);
            for stmt in &block.stmts {
                stmt.kind.for_each_expr(&mut look);
            }
            block.terminator.kind.expr().into_iter().for_each(look);
            for stmt in &block.stmts {
                // What is described by a contract is not looked into.
                if let StmtKind::Call {
                    callee: Callee::Function(callee),
                    ..
                } = stmt.kind
                    && self.task.contract(&stmt.kind).is_none()
                {
                    (reads.globals).extend(globals::reached(self.task.program, callee));
                }
            }
        }
        reads
    }
}

impl Reads {
    fn look_at(&mut self, program: &Program, function: &idiolect_ir::Function, expr: ExprId) {
        let kind = &function.expr(expr).kind;
        match *kind {
            ExprKind::Local(local) => self.locals.push(local),
            // Library models have their own; what they hold has its first value.
            ExprKind::GlobalAddress(g) if !program.global(g).is_library => self.globals.push(g),
            _ => {}
        }
        kind.for_each_operand(|e| self.look_at(program, function, e));
    }
}

/// Whether there are pointers in a variable of this type.
fn has_pointers(program: &Program, ty: TypeId) -> bool {
    match *program.types.get(ty) {
        CType::Pointer(_) => true,
        CType::Array { element, .. } => has_pointers(program, element),
        CType::Record(record) => match &program.types.record(record).layout {
            Some(layout) => layout.fields.iter().any(|f| has_pointers(program, f.ty)),
            None => true,
        },
        _ => false,
    }
}
