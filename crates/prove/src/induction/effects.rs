//! What code may change: registers, cells and whole objects.
//!
//! Pointers are followed by inclusion, without regard to the order of statements (L. O. Andersen,
//! *Program Analysis and Specialization for the C Programming Language*, 1994), objects as wholes, all
//! of the heap as one. A pointer whose target is not known may point anywhere, and code that writes
//! through it has no known effect.

use super::variable::{Base, fixed};
use idiolect_ir::callgraph::CallGraph;
use idiolect_ir::{
    Block, BlockId, Builtin, Callee, ConvertOp, ExprId, ExprKind, FuncId, Function, GlobalId,
    GlobalTarget, LocalId, Place, PrintfTarget, Program, StmtKind, TerminatorKind, Ty,
};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Object {
    Global(GlobalId),
    /// Of any activation.
    Local(FuncId, LocalId),
    Heap,
    /// Any of them, or none.
    Unknown,
}

type Objects = BTreeSet<Object>;

/// Where pointers may point.
#[derive(Default)]
pub struct Pointers {
    registers: BTreeMap<(FuncId, LocalId), Objects>,
    contents: BTreeMap<Object, Objects>,
    returned: BTreeMap<FuncId, Objects>,
    /// Pointers are made of integers, or kept in them.
    has_integers: bool,
    has_changed: bool,
}

impl Pointers {
    pub fn new(program: &Program, calls: &CallGraph) -> Self {
        let mut all = Self::default();
        for (i, global) in program.globals.iter().enumerate() {
            for relocation in &global.relocations {
                if let GlobalTarget::Global(to) = relocation.target {
                    let own = Object::Global(GlobalId::new(i));
                    all.contents
                        .entry(own)
                        .or_default()
                        .insert(Object::Global(to));
                }
            }
        }
        let reachable: Vec<FuncId> = (program.function_ids())
            .filter(|&f| calls.is_reachable(f))
            .collect();
        all.has_integers = reachable.iter().any(|&f| {
            let function = program.function(f);
            let is_mixed = |e: &idiolect_ir::Expr| match e.kind {
                ExprKind::Convert(ConvertOp::PtrToInt, _) => true,
                ExprKind::Convert(ConvertOp::IntToPtr, a) => {
                    !matches!(function.expr(a).kind, ExprKind::Const(_))
                }
                _ => false,
            };
            function.exprs.iter().any(is_mixed)
        });
        loop {
            all.has_changed = false;
            for &id in &reachable {
                let function = program.function(id);
                for block in function.block_ids() {
                    all.block(program, calls, id, block);
                }
            }
            if !all.has_changed {
                return all;
            }
        }
    }

    /// Whether the address of an object is kept anywhere. If not, only its own activation gets at it.
    pub fn escapes(&self, object: Object) -> bool {
        let sets = (self.registers.values())
            .chain(self.contents.values())
            .chain(self.returned.values());
        sets.into_iter().any(|s| s.contains(&object))
    }

    /// What an expression may point to.
    pub fn of(&self, function: &Function, id: FuncId, expr: ExprId) -> Objects {
        let e = function.expr(expr);
        match e.kind {
            ExprKind::Const(_) | ExprKind::FunctionAddress(_) => Objects::new(),
            ExprKind::Local(local) => {
                let known = self.registers.get(&(id, local));
                known.cloned().unwrap_or_default()
            }
            ExprKind::LocalAddress(local) => [Object::Local(id, local)].into(),
            ExprKind::GlobalAddress(global) => [Object::Global(global)].into(),
            ExprKind::Load { address } => {
                let mut found = Objects::new();
                for object in self.of(function, id, address) {
                    if object == Object::Unknown {
                        found.insert(Object::Unknown);
                    }
                    found.extend(self.contents.get(&object).into_iter().flatten());
                }
                if self.has_integers {
                    found.insert(Object::Unknown);
                }
                found
            }
            ExprKind::Select {
                then, otherwise, ..
            } => {
                let mut found = self.of(function, id, then);
                found.extend(self.of(function, id, otherwise));
                found
            }
            ExprKind::PtrAdd { base, .. } => self.of(function, id, base),
            ExprKind::Convert(ConvertOp::IntToPtr, a) => match function.expr(a).kind {
                ExprKind::Const(_) => Objects::new(),
                _ => [Object::Unknown].into(),
            },
            _ if e.ty == Ty::Ptr => [Object::Unknown].into(),
            _ => Objects::new(),
        }
    }

    fn join(&mut self, key: (FuncId, LocalId), from: Objects) {
        let own = self.registers.entry(key).or_default();
        let before = own.len();
        own.extend(from);
        self.has_changed |= own.len() > before;
    }

    fn store(&mut self, to: &Objects, what: &Objects) {
        for &object in to {
            let own = self.contents.entry(object).or_default();
            let before = own.len();
            own.extend(what.iter().copied());
            self.has_changed |= own.len() > before;
        }
    }

    fn put(&mut self, function: &Function, id: FuncId, place: &Place, what: Objects) {
        match *place {
            Place::Local(local) => self.join((id, local), what),
            Place::Memory {
                address,
                ty: Ty::Ptr,
            } => {
                let to = self.of(function, id, address);
                self.store(&to, &what);
            }
            _ => {}
        }
    }

    fn block(&mut self, program: &Program, calls: &CallGraph, id: FuncId, block: BlockId) {
        let function = program.function(id);
        let body = function.block(block);
        for (index, stmt) in body.stmts.iter().enumerate() {
            match &stmt.kind {
                StmtKind::Assign { place, value } if function.expr(*value).ty == Ty::Ptr => {
                    let what = self.of(function, id, *value);
                    self.put(function, id, place, what);
                }
                StmtKind::Havoc { place, .. } => {
                    let is_pointer = match *place {
                        Place::Local(l) => {
                            function.local(l).storage
                                == idiolect_ir::LocalStorage::Register(Ty::Ptr)
                        }
                        Place::Memory { ty, .. } => ty == Ty::Ptr,
                        Place::Bits { .. } => false,
                    };
                    if is_pointer {
                        self.put(function, id, place, [Object::Unknown].into());
                    }
                }
                StmtKind::Copy { to, from, .. } => self.copy(function, id, *to, *from),
                StmtKind::Call { dest, callee, args } => {
                    let result = match callee {
                        Callee::Builtin(builtin) => self.builtin(function, id, *builtin, args),
                        _ => {
                            let sites = calls.sites(id).iter();
                            let site = sites.clone().find(|s| s.block == block && s.index == index);
                            let callees = site.map_or(&[][..], |s| &s.callees);
                            let mut result = Objects::new();
                            for &f in callees {
                                let params = program.function(f).params.clone();
                                for (param, &arg) in params.into_iter().zip(args) {
                                    if function.expr(arg).ty == Ty::Ptr {
                                        let what = self.of(function, id, arg);
                                        self.join((f, param), what);
                                    }
                                }
                                result.extend(self.returned.get(&f).into_iter().flatten());
                            }
                            result
                        }
                    };
                    if let Some(dest) = dest {
                        self.put(function, id, dest, result);
                    }
                }
                _ => {}
            }
        }
        if let TerminatorKind::Return(Some(value)) = body.terminator.kind
            && function.expr(value).ty == Ty::Ptr
        {
            let what = self.of(function, id, value);
            let own = self.returned.entry(id).or_default();
            let before = own.len();
            own.extend(what);
            self.has_changed |= own.len() > before;
        }
    }

    fn copy(&mut self, function: &Function, id: FuncId, to: ExprId, from: ExprId) {
        let mut what = Objects::new();
        for object in self.of(function, id, from) {
            what.extend(self.contents.get(&object).into_iter().flatten());
        }
        let to = self.of(function, id, to);
        self.store(&to, &what);
    }

    fn builtin(
        &mut self,
        function: &Function,
        id: FuncId,
        builtin: Builtin,
        args: &[ExprId],
    ) -> Objects {
        match builtin {
            Builtin::Malloc | Builtin::Calloc | Builtin::Alloca | Builtin::Realloc => {
                [Object::Heap].into()
            }
            Builtin::Memmove => {
                if let [to, from, ..] = args {
                    self.copy(function, id, *to, *from);
                }
                Objects::new()
            }
            _ => Objects::new(),
        }
    }
}

/// What code changes in memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// Integers, floats and pointers at fixed offsets of objects.
    pub cells: BTreeSet<(Object, u64, Ty)>,
    /// Objects that change somewhere.
    pub objects: BTreeSet<Object>,
    /// Nobody can say what else: a write through a pointer that is not known, or memory is freed.
    pub is_unknown: bool,
}

impl Effects {
    fn join(&mut self, other: &Effects) {
        self.cells.extend(other.cells.iter().copied());
        self.objects.extend(other.objects.iter().copied());
        self.is_unknown |= other.is_unknown;
    }
}

/// The effects of functions, calls included.
pub struct Summaries {
    of: Vec<Effects>,
}

impl Summaries {
    pub fn new(program: &Program, calls: &CallGraph, pointers: &Pointers) -> Self {
        let mut all = Self {
            of: vec![Effects::default(); program.functions.len()],
        };
        // Callees come first; functions that call each other are looked at until nothing changes.
        for component in calls.components() {
            loop {
                let mut has_changed = false;
                for &id in component {
                    let function = program.function(id);
                    let blocks: Vec<BlockId> = function.block_ids().collect();
                    let now = all.of_blocks(program, calls, pointers, id, &blocks);
                    if now != all.of[id.index()] {
                        all.of[id.index()] = now;
                        has_changed = true;
                    }
                }
                if !has_changed {
                    break;
                }
            }
        }
        all
    }

    pub fn of(&self, function: FuncId) -> &Effects {
        &self.of[function.index()]
    }

    /// What these blocks of a function change, calls included.
    pub fn of_blocks(
        &self,
        program: &Program,
        calls: &CallGraph,
        pointers: &Pointers,
        id: FuncId,
        blocks: &[BlockId],
    ) -> Effects {
        let function = program.function(id);
        let mut all = Effects::default();
        for &block in blocks {
            let body: &Block = function.block(block);
            for (index, stmt) in body.stmts.iter().enumerate() {
                match &stmt.kind {
                    StmtKind::Assign { place, .. } | StmtKind::Havoc { place, .. } => {
                        write(&mut all, pointers, function, id, place);
                    }
                    StmtKind::Copy { to, .. } | StmtKind::Zero { to, .. } => {
                        write_object(&mut all, pointers, function, id, *to);
                    }
                    StmtKind::Declare { local, size } => {
                        all.objects.insert(Object::Local(id, *local));
                        all.is_unknown |= size.is_some();
                    }
                    StmtKind::End { local } => {
                        all.objects.insert(Object::Local(id, *local));
                    }
                    StmtKind::Call { dest, callee, args } => {
                        if let Some(dest) = dest {
                            write(&mut all, pointers, function, id, dest);
                        }
                        match callee {
                            Callee::Builtin(builtin) => {
                                built_in(&mut all, pointers, function, id, *builtin, args);
                            }
                            _ => {
                                let mut sites = calls.sites(id).iter();
                                let site = sites.find(|s| s.block == block && s.index == index);
                                let callees = site.map_or(&[][..], |s| &s.callees);
                                all.is_unknown |= callees.is_empty();
                                for f in callees {
                                    all.join(&self.of[f.index()]);
                                }
                            }
                        }
                    }
                    StmtKind::Assume { .. } | StmtKind::Mark { .. } => {}
                }
            }
        }
        all
    }
}

fn object(base: Base, id: FuncId) -> Object {
    match base {
        Base::Global(global) => Object::Global(global),
        Base::Local(local) => Object::Local(id, local),
    }
}

fn write(all: &mut Effects, pointers: &Pointers, function: &Function, id: FuncId, place: &Place) {
    let (address, ty) = match *place {
        Place::Local(_) => return,
        Place::Memory { address, ty } => (address, ty),
        Place::Bits { address, .. } => {
            return write_object(all, pointers, function, id, address);
        }
    };
    if let Some((base, offset)) = fixed(function, address)
        && let Ok(offset) = u64::try_from(offset)
    {
        all.cells.insert((object(base, id), offset, ty));
        return;
    }
    write_object(all, pointers, function, id, address);
}

fn write_object(
    all: &mut Effects,
    pointers: &Pointers,
    function: &Function,
    id: FuncId,
    address: ExprId,
) {
    for object in pointers.of(function, id, address) {
        if object == Object::Unknown {
            all.is_unknown = true;
        } else {
            all.objects.insert(object);
        }
    }
}

fn built_in(
    all: &mut Effects,
    pointers: &Pointers,
    function: &Function,
    id: FuncId,
    builtin: Builtin,
    args: &[ExprId],
) {
    let target = match builtin {
        Builtin::Free | Builtin::Realloc | Builtin::Host(_) => {
            all.is_unknown = true;
            return;
        }
        Builtin::Memmove | Builtin::Memset | Builtin::Forget => args.first(),
        Builtin::Printf(PrintfTarget::Buffer | PrintfTarget::BoundedBuffer)
        | Builtin::VPrintf(PrintfTarget::Buffer | PrintfTarget::BoundedBuffer) => args.first(),
        // Nobody follows `%n`: whoever encodes it gives up there.
        Builtin::Printf(_) | Builtin::VPrintf(_) => return,
        Builtin::ParseDouble => args.get(1),
        Builtin::Malloc
        | Builtin::Calloc
        | Builtin::Alloca
        | Builtin::Putchar
        | Builtin::CheckOverlap
        | Builtin::CheckWritten
        | Builtin::CheckLeaks
        | Builtin::Truncate(_)
        | Builtin::Setjmp
        | Builtin::Longjmp
        | Builtin::Math(_) => return,
    };
    if let Some(&to) = target {
        write_object(all, pointers, function, id, to);
    }
}
