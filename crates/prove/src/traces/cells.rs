//! Memory as variables: which objects there are, and into which cells their accesses cut them.
//!
//! An object is a global, or a memory local of one activation (by call string). Where a pointer is
//! known without a trace (an address, moved by constants or by one index; a register that is given
//! such an address in exactly one place), the access names cells. All accesses to an object together
//! cut it into cells that no access straddles; what this cannot do is *opaque*: its reads may be
//! anything, its writes leave nothing known.

use super::graph::{Context, Op, ProgramGraph};
use idiolect_ir::{
    Callee, ExprId, ExprKind, Function, GlobalId, LocalId, LocalStorage, Place, Program, StmtKind,
    TerminatorKind, Ty,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Object {
    Global(GlobalId),
    Local { context: usize, local: LocalId },
}

/// Where a known pointer points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    pub object: Object,
    pub offset: i64,
    /// An index of the expression's own activation and its scale.
    pub index: Option<(ExprId, u64)>,
}

/// Bytes of an object, at most 16.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    pub offset: u64,
    pub size: u64,
}

/// Accesses by an index reach at most this many cells; arrays with more are opaque.
const MAX_ELEMENTS: u64 = 64;
const MAX_CELL: u64 = 16;

/// A pointer register's value, where it is given one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Definition {
    Value { context: usize, value: ExprId },
    Other,
}

pub struct Cells<'a> {
    program: &'a Program,
    contexts: &'a [Context],
    definitions: FxHashMap<(usize, LocalId), Vec<Definition>>,
    /// By object, ascending and apart from each other. Opaque objects have none.
    cells: BTreeMap<Object, Vec<Extent>>,
}

impl<'a> Cells<'a> {
    pub fn new(program: &'a Program, graph: &'a ProgramGraph) -> Self {
        let mut this = Self {
            program,
            contexts: &graph.contexts,
            definitions: FxHashMap::default(),
            cells: BTreeMap::new(),
        };
        let mut seen: FxHashSet<Op> = FxHashSet::default();
        let mut ops: Vec<Op> = Vec::new();
        for edge in &graph.edges {
            ops.extend(edge.ops.iter().filter(|&&op| seen.insert(op)));
        }
        for &op in &ops {
            this.define(op);
        }
        let mut accesses: BTreeMap<Object, Option<Vec<Extent>>> = BTreeMap::new();
        for &op in &ops {
            this.note(op, &mut accesses);
        }
        for (object, list) in accesses {
            let cells = list.and_then(cut).unwrap_or_default();
            this.cells.insert(object, cells);
        }
        this
    }

    pub fn function(&self, context: usize) -> &'a Function {
        self.program.function(self.contexts[context].function)
    }

    pub fn contexts(&self) -> &'a [Context] {
        self.contexts
    }

    /// All objects that have cells, with them.
    pub fn objects(&self) -> impl Iterator<Item = (Object, &[Extent])> {
        self.cells.iter().map(|(&o, list)| (o, &list[..]))
    }

    /// The cells of an object; none if it is opaque or never accessed.
    pub fn of(&self, object: Object) -> &[Extent] {
        self.cells.get(&object).map_or(&[], |list| list)
    }

    pub fn size(&self, object: Object) -> u64 {
        match object {
            Object::Global(global) => self.program.global(global).size,
            Object::Local { context, local } => match self.function(context).local(local).storage {
                LocalStorage::Memory { size, .. } => size,
                _ => 0,
            },
        }
    }

    /// Where a pointer points to, whatever the trace.
    pub fn resolve(&self, context: usize, pointer: ExprId) -> Option<Target> {
        self.resolve_at(context, pointer, 0)
    }

    fn resolve_at(&self, context: usize, pointer: ExprId, nesting: u32) -> Option<Target> {
        if nesting > 64 {
            return None;
        }
        let function = self.function(context);
        let start = |object| {
            Some(Target {
                object,
                offset: 0,
                index: None,
            })
        };
        match function.expr(pointer).kind {
            ExprKind::GlobalAddress(global) => start(Object::Global(global)),
            ExprKind::LocalAddress(local) => match function.local(local).storage {
                LocalStorage::Memory { .. } => start(Object::Local { context, local }),
                _ => None,
            },
            ExprKind::PtrAdd { base, index, scale } => {
                let base = self.resolve_at(context, base, nesting + 1)?;
                if let ExprKind::Const(bits) = function.expr(index).kind {
                    let width = self.program.types.model.pointer_width();
                    let shift = 64 - u32::from(width);
                    let index = ((bits as u64) << shift) as i64 >> shift;
                    let moved = index.checked_mul(i64::try_from(scale).ok()?)?;
                    let offset = base.offset.checked_add(moved)?;
                    return Some(Target { offset, ..base });
                }
                (base.index.is_none() && scale > 0).then_some(Target {
                    index: Some((index, scale)),
                    ..base
                })
            }
            ExprKind::Local(local) => {
                let [definition] = self.definitions.get(&(context, local))?[..] else {
                    return None;
                };
                let Definition::Value { context: at, value } = definition else {
                    return None;
                };
                let target = self.resolve_at(at, value, nesting + 1)?;
                // What the index was then is not what it is now; and a local may be gone.
                let lives = match target.object {
                    Object::Global(_) => true,
                    Object::Local { context: owner, .. } => self.is_open(owner, context),
                };
                (target.index.is_none() && lives).then_some(target)
            }
            _ => None,
        }
    }

    /// Whether the activation `owner` is open while `context` is.
    fn is_open(&self, owner: usize, mut context: usize) -> bool {
        loop {
            if context == owner {
                return true;
            }
            match self.contexts[context].caller {
                Some((caller, _)) => context = caller,
                None => return false,
            }
        }
    }

    fn define(&mut self, op: Op) {
        let (program, contexts) = (self.program, self.contexts);
        let mut add = |context: usize, place: Option<Place>, definition: Definition| {
            if let Some(Place::Local(local)) = place {
                let list = self.definitions.entry((context, local)).or_default();
                if !list.contains(&definition) || definition == Definition::Other {
                    list.push(definition);
                }
            }
        };
        match op {
            Op::Stmt { context, at } => match at.stmt(program).map(|s| &s.kind) {
                Some(&StmtKind::Assign { place, value }) => {
                    add(context, Some(place), Definition::Value { context, value });
                }
                Some(&StmtKind::Havoc { place, .. }) => {
                    add(context, Some(place), Definition::Other);
                }
                Some(&StmtKind::Call { dest, .. }) => add(context, dest, Definition::Other),
                _ => {}
            },
            Op::Enter {
                context,
                at,
                callee,
            } => {
                if let Some(StmtKind::Call { args, .. }) = at.stmt(program).map(|s| &s.kind) {
                    let params = &program.function(contexts[callee].function).params;
                    for (&param, &value) in params.iter().zip(args) {
                        let definition = Definition::Value { context, value };
                        add(callee, Some(Place::Local(param)), definition);
                    }
                }
            }
            Op::Leave { context, .. } => {
                if let Some((caller, call)) = contexts[context].caller
                    && let Some(&StmtKind::Call { dest, .. }) = call.stmt(program).map(|s| &s.kind)
                {
                    add(caller, dest, Definition::Other);
                }
            }
            Op::Start | Op::Decision { .. } => {}
        }
    }

    /// Notes what an operation reads and writes.
    fn note(&self, op: Op, accesses: &mut BTreeMap<Object, Option<Vec<Extent>>>) {
        let mut note = |context: usize, pointer: ExprId, size: Option<u64>| {
            let Some(target) = self.resolve(context, pointer) else {
                return;
            };
            let list = accesses.entry(target.object).or_insert(Some(Vec::new()));
            let found = size.and_then(|size| self.extents(&target, size));
            match (list.as_mut(), found) {
                (Some(list), Some(found)) => list.extend(found),
                _ => *list = None,
            }
        };
        let mut loads = |context: usize, root: ExprId| {
            let function = self.function(context);
            let mut stack = vec![root];
            while let Some(id) = stack.pop() {
                let expr = function.expr(id);
                if let ExprKind::Load { address } = expr.kind {
                    note(context, address, self.size_of(expr.ty));
                }
                expr.kind.for_each_operand(|o| stack.push(o));
            }
        };
        match op {
            Op::Start => {}
            Op::Stmt { context, at } | Op::Enter { context, at, .. } => {
                let Some(stmt) = at.stmt(self.program) else {
                    return;
                };
                stmt.kind.for_each_expr(|e| loads(context, e));
                let place = match stmt.kind {
                    StmtKind::Assign { place, .. } | StmtKind::Havoc { place, .. } => Some(place),
                    StmtKind::Call { dest, callee, .. } => {
                        if let Callee::Builtin(_) = callee {
                            dest
                        } else {
                            None
                        }
                    }
                    _ => None,
                };
                self.note_place(context, place, &mut note);
            }
            Op::Decision { context, at, .. } => {
                let block = self.function(context).block(at.block);
                if let Some(e) = block.terminator.kind.expr() {
                    loads(context, e);
                }
            }
            Op::Leave { context, at } => {
                let block = self.function(context).block(at.block);
                if let TerminatorKind::Return(Some(value)) = block.terminator.kind {
                    loads(context, value);
                }
                if let Some((caller, call)) = self.contexts[context].caller
                    && let Some(&StmtKind::Call { dest, .. }) =
                        call.stmt(self.program).map(|s| &s.kind)
                {
                    self.note_place(caller, dest, &mut note);
                }
            }
        }
    }

    fn note_place(
        &self,
        context: usize,
        place: Option<Place>,
        note: &mut impl FnMut(usize, ExprId, Option<u64>),
    ) {
        match place {
            Some(Place::Memory { address, ty }) => note(context, address, self.size_of(ty)),
            Some(Place::Bits { address, unit, .. }) => note(context, address, self.size_of(unit)),
            Some(Place::Local(_)) | None => {}
        }
    }

    /// The bytes of a scalar in memory, for those that are as wide as their value.
    pub fn size_of(&self, ty: Ty) -> Option<u64> {
        match ty {
            Ty::F80 => None,
            Ty::Int(width) => Some(u64::from(width).div_ceil(8)),
            _ => Some(self.program.types.scalar_size(ty)),
        }
    }

    /// Every place in bounds that an access may mean; `None` if there are too many.
    pub fn extents(&self, target: &Target, size: u64) -> Option<Vec<Extent>> {
        let whole = self.size(target.object);
        let fits = |offset: i64| {
            let offset = u64::try_from(offset).ok()?;
            (offset.checked_add(size)? <= whole).then_some(Extent { offset, size })
        };
        let Some((_, scale)) = target.index else {
            return Some(fits(target.offset).into_iter().collect());
        };
        if whole / scale > MAX_ELEMENTS {
            return None;
        }
        let scale = scale as i64;
        let first = target.offset.rem_euclid(scale);
        let mut list = Vec::new();
        let mut offset = first;
        while (offset as u64) < whole {
            list.extend(fits(offset));
            offset += scale;
        }
        Some(list)
    }
}

/// Cells that no access straddles; `None` if one would be too large.
fn cut(mut accesses: Vec<Extent>) -> Option<Vec<Extent>> {
    accesses.sort_unstable_by_key(|e| (e.offset, e.size));
    let mut cells: Vec<Extent> = Vec::new();
    for access in accesses {
        match cells.last_mut() {
            Some(last) if access.offset < last.offset + last.size => {
                let end = (last.offset + last.size).max(access.offset + access.size);
                last.size = end - last.offset;
                if last.size > MAX_CELL {
                    return None;
                }
            }
            _ => cells.push(access),
        }
    }
    Some(cells)
}
