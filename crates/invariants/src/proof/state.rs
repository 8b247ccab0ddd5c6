//! Where the variables of points live in a derived program: reading them, and giving them values.

use super::cells::{Cells, Known, Place};
use super::view::{Spot, View};
use idiolect_ir::build::{Builder, Number};
use idiolect_ir::{
    ExprId, ExprKind, Function, LocalId, LocalStorage, Place as IrPlace, Program, StmtKind, Ty,
};
use idiolect_quantified::point::{ArraySize, Binding, Point, Role, Structure, Variable};
use rustc_hash::FxHashMap;

/// Registers that the derived function has beside those of the original.
pub(super) struct State {
    /// By parameter: what it was when the function was entered.
    pub at_entry: FxHashMap<LocalId, LocalId>,
    pub result: Option<LocalId>,
    /// Locals that the function gives a value somewhere.
    pub modified: Vec<bool>,
    /// Arrays that the segment starts with: what they hang on, where they are, how many elements.
    pub arrays: Vec<(Binding, LocalId, Number)>,
    /// By such an array: it was freed.
    pub freed: Vec<LocalId>,
    /// Blocks that the segment allocates for variables.
    pub blocks: Vec<NewBlock>,
    /// Variables that hold heads of lists: which pointer points there, where they are.
    pub heads: Vec<(Binding, LocalId)>,
}

/// A block that the code allocates for a variable: registers that are null, 0 and false until it does.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewBlock {
    pub array: LocalId,
    pub address: LocalId,
    pub bytes: LocalId,
    pub freed: LocalId,
}

impl State {
    pub fn new(b: &mut Builder, original: &Function, points: &[&Point]) -> Self {
        let mut at_entry = FxHashMap::default();
        for point in points {
            for v in &point.variables {
                if let Binding::AtEntry(l) | Binding::BehindEntry(l) = v.binding
                    && !at_entry.contains_key(&l)
                    && let LocalStorage::Register(ty) = original.local(l).storage
                {
                    at_entry.insert(l, b.register("entry", ty));
                }
            }
        }
        State {
            at_entry,
            result: original.ret.map(|ty| b.register("result", ty)),
            modified: modified(original),
            arrays: Vec::new(),
            freed: Vec::new(),
            blocks: Vec::new(),
            heads: Vec::new(),
        }
    }

    /// A parameter that is never assigned to is what it was at entry.
    pub fn plain(&self, binding: Binding) -> Binding {
        match binding {
            Binding::AtEntry(l) if !self.modified[l.index()] => Binding::Local(l),
            other => other,
        }
    }

    /// The value of a scalar variable now.
    pub fn value(&self, b: &mut Builder, binding: Binding, ty: Ty) -> Option<ExprId> {
        match binding {
            Binding::Local(l) => match b.function.local(l).storage {
                LocalStorage::Register(_) => Some(b.read(l)),
                LocalStorage::Memory { .. } => {
                    let address = b.read(l);
                    let value = b.load(address, ty);
                    Some(b.keep(value))
                }
                LocalStorage::Dynamic => None,
            },
            Binding::AtEntry(l) => {
                let l = *self.at_entry.get(&l)?;
                Some(b.read(l))
            }
            Binding::Behind(_) | Binding::BehindEntry(_) => {
                let address = self.pointer_to(b, binding)?;
                let value = b.load(address, ty);
                Some(b.keep(value))
            }
            Binding::Global(g) => {
                let address = b.expr(ExprKind::GlobalAddress(g), Ty::Ptr);
                let value = b.load(address, ty);
                Some(b.keep(value))
            }
            Binding::Result => {
                let l = self.result?;
                Some(b.read(l))
            }
        }
    }

    /// What holds the address of a variable behind a pointer.
    pub fn pointer(&self, binding: Binding) -> Option<Binding> {
        match binding {
            Binding::Behind(l) => Some(Binding::Local(l)),
            Binding::BehindEntry(l) => Some(self.plain(Binding::AtEntry(l))),
            _ => None,
        }
    }

    pub fn pointer_to(&self, b: &mut Builder, binding: Binding) -> Option<ExprId> {
        self.value(b, self.pointer(binding)?, Ty::Ptr)
    }

    pub fn give(&self, b: &mut Builder, binding: Binding, ty: Ty, value: ExprId) {
        match binding {
            Binding::Local(l) => match b.function.local(l).storage {
                LocalStorage::Register(_) => b.assign(l, value),
                LocalStorage::Memory { .. } => {
                    let address = b.read(l);
                    b.store(address, ty, value);
                }
                LocalStorage::Dynamic => {}
            },
            Binding::AtEntry(l) => {
                if let Some(&l) = self.at_entry.get(&l) {
                    b.assign(l, value);
                }
            }
            Binding::Behind(_) | Binding::BehindEntry(_) => {
                if let Some(address) = self.pointer_to(b, binding) {
                    b.store(address, ty, value);
                }
            }
            Binding::Global(g) => {
                let address = b.expr(ExprKind::GlobalAddress(g), Ty::Ptr);
                b.store(address, ty, value);
            }
            Binding::Result => {}
        }
    }

    /// The first element of an array: what a pointer holds, or where an object is.
    pub fn base(&self, b: &mut Builder, program: &Program, v: &Variable) -> Option<ExprId> {
        if program.types.scalar(v.ty) == Some(Ty::Ptr) {
            return self.value(b, v.binding, Ty::Ptr);
        }
        match v.binding {
            Binding::Local(l) => match b.function.local(l).storage {
                LocalStorage::Memory { .. } => Some(b.read(l)),
                _ => None,
            },
            Binding::Global(g) => Some(b.expr(ExprKind::GlobalAddress(g), Ty::Ptr)),
            _ => None,
        }
    }

    /// The integer that a variable is now.
    pub fn number(&self, b: &mut Builder, program: &Program, v: &Variable) -> Option<Number> {
        number(b, program, v, &|b, binding, ty| self.value(b, binding, ty))
    }

    /// The state as it is now, as far as numbers and arrays are concerned.
    pub fn look<'a>(&self, b: &mut Builder, program: &Program, point: &'a Point) -> View<'a> {
        let mut variables = vec![Spot::Nothing; point.variables.len()];
        let n = point.structures.len();
        let mut bases: Vec<Vec<Option<ExprId>>> = point
            .structures
            .iter()
            .map(|s| vec![None; s.fields().len()])
            .collect();
        for (spot, v) in variables.iter_mut().zip(&point.variables) {
            match v.role {
                Role::Index { .. } | Role::Length { .. } | Role::Scalar => {
                    if let Some(number) = self.number(b, program, v) {
                        *spot = Spot::Number(number);
                    }
                }
                Role::Base { structure, field } => {
                    if let Structure::Array(group) = &point.structures[structure] {
                        let base = self.base(b, program, v);
                        bases[structure][group.fields_of(field)].fill(base);
                    }
                }
                Role::Pointer { .. } => {}
            }
        }
        let mut sizes = vec![None; n];
        for (size, structure) in sizes.iter_mut().zip(&point.structures) {
            if let Structure::Array(group) = structure {
                *size = match group.size {
                    ArraySize::Constant(n) => Some(b.number(n as i64)),
                    ArraySize::Variable(v) => match variables.get(v) {
                        Some(Spot::Number(n)) => Some(*n),
                        _ => None,
                    },
                };
            }
        }
        View {
            point,
            variables,
            lists: (0..n).map(|_| None).collect(),
            sizes,
            bases,
            elements: FxHashMap::default(),
        }
    }
}

/// How the value of a variable is found.
pub(super) type Find<'f> = dyn Fn(&mut Builder, Binding, Ty) -> Option<ExprId> + 'f;

fn number(b: &mut Builder, program: &Program, v: &Variable, find: &Find<'_>) -> Option<Number> {
    let Some(ty @ Ty::Int(width)) = program.types.scalar(v.ty) else {
        return None;
    };
    Some(Number {
        expr: find(b, v.binding, ty)?,
        width,
        signed: v.signed,
    })
}

/// A state of lists and numbers alone, as a function that is called sees it.
pub(super) fn look_without_arrays<'a>(
    b: &mut Builder,
    program: &Program,
    point: &'a Point,
    find: &Find<'_>,
) -> View<'a> {
    let spot = |v: &Variable| match v.role {
        Role::Pointer { .. } => Spot::Nothing,
        _ => number(b, program, v, find).map_or(Spot::Nothing, Spot::Number),
    };
    let n = point.structures.len();
    View {
        point,
        variables: point.variables.iter().map(spot).collect(),
        lists: (0..n).map(|_| None).collect(),
        sizes: vec![None; n],
        bases: vec![Vec::new(); n],
        elements: FxHashMap::default(),
    }
}

/// Where the variables of a point that point to lists of one structure point to, among cells.
pub(super) fn places(
    b: &mut Builder,
    point: &Point,
    structure: usize,
    known: &[Known],
    find: &Find<'_>,
) -> Vec<(usize, Place)> {
    let mut places = Vec::new();
    for (i, v) in point.variables.iter().enumerate() {
        if v.role != (Role::Pointer { structure }) {
            continue;
        }
        let Some(value) = find(b, v.binding, Ty::Ptr) else {
            continue;
        };
        let null = b.null();
        let is_nil = b.same_pointer(value, null);
        let is_nil = b.keep(is_nil);
        let mut at = Vec::new();
        for cell in known {
            let same = b.same_pointer(value, cell.address);
            let same = b.and(same, cell.exists);
            at.push(b.keep(same));
        }
        places.push((i, Place { at, is_nil }));
    }
    places
}

/// Puts the lists of one structure into a view.
pub(super) fn put_list(
    b: &mut Builder,
    view: &mut View<'_>,
    structure: usize,
    mut cells: Cells,
    places: Vec<(usize, Place)>,
) {
    let all: Vec<Place> = places.iter().map(|p| p.1.clone()).collect();
    cells.see_from(b, &all);
    for (i, place) in places {
        view.variables[i] = Spot::Pointer { structure, place };
    }
    view.lists[structure] = Some(cells);
}

/// Locals that some statement gives a value.
pub fn modified(function: &Function) -> Vec<bool> {
    let mut modified = vec![false; function.locals.len()];
    for stmt in function.blocks.iter().flat_map(|b| &b.stmts) {
        if let Some(local) = written(&stmt.kind) {
            modified[local.index()] = true;
        }
    }
    modified
}

/// The register that a statement gives a value.
pub(crate) fn written(kind: &StmtKind) -> Option<LocalId> {
    match kind {
        StmtKind::Assign { place, .. } | StmtKind::Havoc { place, .. } => match place {
            IrPlace::Local(l) => Some(*l),
            _ => None,
        },
        StmtKind::Call {
            dest: Some(IrPlace::Local(l)),
            ..
        } => Some(*l),
        _ => None,
    }
}
