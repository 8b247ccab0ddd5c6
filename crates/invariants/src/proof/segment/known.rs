//! Whether the states that a segment starts in can be made.
//!
//! Pointers that the point does not speak of have any value there, and no such value points to
//! anything: each access faults. A proof from there on would be one about no run at all, so that
//! segments which read such a pointer prove nothing.

use super::Deriver;
use crate::proof::bound::NoBound;
use idiolect_ir::ctype::Field;
use idiolect_ir::graph::Cfg;
use idiolect_ir::{
    CType, Callee, ExprId, ExprKind, FunctionOrigin, GlobalId, LocalId, LocalStorage, Program,
    StmtKind, Ty, TypeId,
};
use idiolect_quantified::globals;
use idiolect_quantified::point::{Binding, ListShape, Point, PointKind, Role, Structure};
use idiolect_quantified::scope::Scope;

/// What the code of a segment reads.
#[derive(Default)]
struct Reads {
    locals: Vec<LocalId>,
    globals: Vec<GlobalId>,
    /// Pointers in memory, by how far behind another pointer they are, where that is constant.
    pointers: Vec<Option<u64>>,
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
        self.check_members(&reads)
    }

    /// Cells are made with data and the pointer to the next one. Other pointers in them have any
    /// value, too.
    fn check_members(&self, reads: &Reads) -> Result<(), NoBound> {
        let cuts = self.targets().into_iter().chain([self.from]);
        let points = cuts.filter_map(|cut| self.claim(cut));
        for structure in points.flat_map(|(point, _)| &point.structures) {
            let (links, other) = match structure {
                Structure::List(shape) => {
                    let Some(other) = other_pointer(self.task.program, shape) else {
                        continue;
                    };
                    let back = shape.back.as_ref().map(|b| b.1);
                    (back.into_iter().chain([shape.next_offset]).collect(), other)
                }
                Structure::Array(group) => match &group.fields[..] {
                    [field, ..] if field.member.is_some() => (Vec::new(), field.name.clone()),
                    _ => continue,
                },
            };
            let is_link = |at: &Option<u64>| at.is_some_and(|at| links.contains(&at));
            if !reads.pointers.iter().all(is_link) {
                return Err(NoBound::Pointer(other));
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
                    self.read_by_callees(&mut reads);
                }
            }
        }
        reads
    }

    /// A callee that is looked into may call any other: pointers that any function reads.
    fn read_by_callees(&self, reads: &mut Reads) {
        let program = self.task.program;
        let users = (program.function_ids().map(|id| program.function(id)))
            .filter(|f| f.origin == FunctionOrigin::User);
        for function in users {
            for kind in function.exprs.iter().filter(|e| e.ty == Ty::Ptr) {
                if let ExprKind::Load { address } = kind.kind {
                    reads.pointers.push(offset(function, address));
                }
            }
        }
    }
}

/// A member of a list's cells that has pointers, beside the one to the next cell.
fn other_pointer(program: &Program, shape: &ListShape) -> Option<String> {
    let layout = program.types.record(shape.record).layout.as_ref()?;
    let is_back = |f: &&Field| shape.back.as_ref().is_some_and(|b| b.1 == f.offset);
    let is_other =
        |f: &&Field| f.offset != shape.next_offset && !is_back(f) && has_pointers(program, f.ty);
    let other = layout.fields.iter().find(is_other)?;
    let name = other.name.as_deref().unwrap_or("a member");
    Some(format!("{}.{name}", shape.type_name))
}

/// How far behind a pointer an address is, where that is constant.
fn offset(function: &idiolect_ir::Function, address: ExprId) -> Option<u64> {
    match function.expr(address).kind {
        ExprKind::PtrAdd { index, scale, .. } => match function.expr(index).kind {
            ExprKind::Const(n) => u64::try_from(n).ok()?.checked_mul(scale),
            _ => None,
        },
        _ => Some(0),
    }
}

impl Reads {
    fn look_at(&mut self, program: &Program, function: &idiolect_ir::Function, expr: ExprId) {
        let kind = &function.expr(expr).kind;
        match *kind {
            ExprKind::Local(local) => self.locals.push(local),
            // Library models have their own; what they hold has its first value.
            ExprKind::GlobalAddress(g) if !program.global(g).is_library => self.globals.push(g),
            ExprKind::Load { address } if function.expr(expr).ty == Ty::Ptr => {
                self.pointers.push(offset(function, address));
            }
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
