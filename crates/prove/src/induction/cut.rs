//! The program without cycles: every loop is cut at its head, every recursive call is a contract.
//!
//! A run that comes to a cut loop is at an *arrival*, where the invariant has to hold; then everything
//! that the loop may change takes any value, and the run goes on from a *hypothesis*, where the
//! invariant is assumed. A run that comes back to the head is at an arrival again, and ends. So the runs
//! of the cut program are the pieces of the program's runs between two heads, each from any state that
//! the invariant allows, and if no piece has an error and all arrivals satisfy the invariant, no run has
//! one. A recursive call likewise arrives at the function's entry, and goes on from its exit; the body
//! is a piece of its own, from a hypothesis at the entry to an arrival at the exit.
//!
//! Arrivals and hypotheses are *probes*: the values of the variables there are equated with inputs, by
//! which an encoding of the cut program knows them.

use super::effects::{Effects, Object, Pointers, Summaries};
use super::variable::{
    Base, Cells, Site, Variable, address_of, cell, live_registers, push, register,
};
use idiolect_ir::callgraph::CallGraph;
use idiolect_ir::ctype::{CType, FunctionType, IntKind};
use idiolect_ir::graph::{Cfg, Loops};
use idiolect_ir::{
    BinaryOp, Block, BlockId, Callee, ExprId, ExprKind, FuncId, Function, FunctionOrigin, Global,
    GlobalId, InputId, InputKind, InputSite, Local, LocalId, LocalKind, LocalStorage, Place,
    Program, Stmt, StmtKind, Terminator, TerminatorKind, Ty, TypeId,
};
use std::collections::{BTreeMap, BTreeSet};

/// Objects up to this size can be given any contents.
const MAX_OBJECT: u64 = 1 << 12;
/// More variables are not looked at in one place.
const MAX_VARIABLES: usize = 80;

/// Where something is claimed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PointKind {
    Loop(BlockId),
    /// Of a recursive function.
    Entry,
    /// Of a recursive function: of its parameters as they were at its entry, the result, and memory.
    Exit,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Point {
    pub function: FuncId,
    pub kind: PointKind,
    pub variables: Vec<Variable>,
    /// At an exit: the position of the result among the variables.
    pub result: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProbeKind {
    Arrival,
    Hypothesis,
}

/// The inputs that have the values of a point's variables, and one more that is drawn after them.
#[derive(Clone, Copy, Debug)]
pub struct Probe {
    pub point: usize,
    pub kind: ProbeKind,
    pub first: InputId,
    pub n: usize,
}

/// What a loop may change, as its function names it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Frame {
    pub registers: BTreeSet<LocalId>,
    pub cells: BTreeSet<(Base, u64, Ty)>,
    pub objects: BTreeSet<Base>,
    /// Through pointers that stay the same.
    pub through: Vec<(ExprId, Ty)>,
}

/// A loop that can be cut.
#[derive(Clone, Debug)]
pub struct CutLoop {
    pub function: FuncId,
    pub head: BlockId,
    pub blocks: Vec<BlockId>,
    pub frame: Frame,
}

pub struct Cut {
    pub program: Program,
    pub points: Vec<Point>,
    pub probes: Vec<Probe>,
}

/// What is known of a program before it is cut.
pub struct Plan {
    pub points: Vec<Point>,
    pub loops: Vec<(usize, CutLoop)>,
    pub recursive: Vec<Recursion>,
    /// Everything that runs change of globals.
    world: Frame,
}

/// A recursive function, and its points.
#[derive(Clone, Debug)]
pub struct Recursion {
    pub function: FuncId,
    pub entry: usize,
    pub exit: usize,
    pub frame: Frame,
}

/// Why there is nothing to cut, or it cannot be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    #[error("there is no loop or recursion that could be cut")]
    NoCycle,
    #[error("nobody can say what a loop or function changes in memory")]
    Effects,
    #[error("a recursive function has parameters that are no integers")]
    Parameters,
    #[error("what a loop writes is not followed byte by byte")]
    Bytes,
}

impl Plan {
    pub fn new(program: &Program) -> Result<Self, Refused> {
        if idiolect_ir::checks::looks_at_bytes(program) {
            return Err(Refused::Bytes);
        }
        let calls = CallGraph::new(program);
        let pointers = Pointers::new(program, &calls);
        let summaries = Summaries::new(program, &calls, &pointers);
        let cells = Cells::new(program);
        let mut plan = Self {
            points: Vec::new(),
            loops: Vec::new(),
            recursive: Vec::new(),
            world: Frame::default(),
        };
        let ids: Vec<FuncId> = (program.function_ids())
            .filter(|&f| calls.is_reachable(f) && !program.function(f).blocks.is_empty())
            .collect();
        for &id in &ids {
            let function = program.function(id);
            let below = below(&calls, id);
            // Cells that this function and those it calls name.
            let mut named: BTreeMap<(Base, u64), u32> = cells.of[id.index()].clone();
            for f in &below {
                let globals = cells.of[f.index()].iter();
                named.extend(
                    globals
                        .filter(|((base, _), _)| matches!(base, Base::Global(_)))
                        .map(|(k, w)| (*k, *w)),
                );
            }
            if calls.is_recursive(id) {
                plan.recursion(program, &summaries, &pointers, &named, id)?;
            }
            let loops = Loops::new(&Cfg::new(function));
            if loops.all().is_empty() {
                continue;
            }
            let live = live_registers(function);
            for own in loops.all() {
                // What cannot be cut is unrolled.
                let &[head] = own.heads.as_slice() else {
                    continue;
                };
                if function.origin == FunctionOrigin::Library || head == Function::ENTRY {
                    continue;
                }
                let effects = summaries.of_blocks(program, &calls, &pointers, id, &own.blocks);
                let Some(frame) = frame_of(program, id, &own.blocks, &effects, &below, &pointers)
                else {
                    continue;
                };
                let mut variables: Vec<Variable> = Vec::new();
                for (i, is_live) in live[head.index()].iter().enumerate() {
                    if *is_live {
                        variables.extend(register(program, function, LocalId::new(i)));
                    }
                }
                for (&(base, offset), &width) in &named {
                    variables.extend(cell(program, function, base, offset, width));
                }
                variables.truncate(MAX_VARIABLES);
                let point = plan.points.len();
                plan.points.push(Point {
                    function: id,
                    kind: PointKind::Loop(head),
                    variables,
                    result: None,
                });
                let blocks = own.blocks.clone();
                plan.loops.push((
                    point,
                    CutLoop {
                        function: id,
                        head,
                        blocks,
                        frame,
                    },
                ));
            }
        }
        if plan.points.is_empty() {
            return Err(Refused::NoCycle);
        }
        let all = summaries.of(program.start);
        if !plan.recursive.is_empty() {
            plan.world = globals_of(all);
            let is_large = |base: &Base| match base {
                Base::Global(global) => program.global(*global).size > MAX_OBJECT,
                Base::Local(_) => true,
            };
            if all.is_unknown || plan.world.objects.iter().any(is_large) {
                return Err(Refused::Effects);
            }
        }
        Ok(plan)
    }

    fn recursion(
        &mut self,
        program: &Program,
        summaries: &Summaries,
        pointers: &Pointers,
        named: &BTreeMap<(Base, u64), u32>,
        id: FuncId,
    ) -> Result<(), Refused> {
        let function = program.function(id);
        let effects = summaries.of(id);
        // A cell of a local is one of the activation that writes it; an object may be anybody's.
        let is_foreign = |o: &Object| match o {
            Object::Local(..) => pointers.escapes(*o),
            Object::Heap | Object::Unknown => true,
            Object::Global(global) => program.global(*global).size > MAX_OBJECT,
        };
        if effects.is_unknown || effects.objects.iter().any(is_foreign) {
            return Err(Refused::Effects);
        }
        let mut parameters = Vec::new();
        for &param in &function.params {
            match register(program, function, param) {
                Some(variable) => parameters.push(variable),
                None => return Err(Refused::Parameters),
            }
        }
        let result = match function.ret {
            None => None,
            Some(Ty::Int(width @ (8 | 16 | 32 | 64))) => Some(Variable {
                name: "\\result".to_owned(),
                // The wrapper and the piece each have a register for it, after the parameters.
                site: Site::Register(LocalId::new(function.params.len())),
                reading: super::formula::Reading {
                    width: u32::from(width),
                    is_signed: match program.types.get(function.ty) {
                        CType::Function(f) => program.types.is_signed(f.ret),
                        _ => true,
                    },
                },
                is_named: true,
            }),
            Some(_) => return Err(Refused::Parameters),
        };
        // In the wrapper and in the piece, parameters are the first registers.
        for (i, parameter) in parameters.iter_mut().enumerate() {
            parameter.site = Site::Register(LocalId::new(i));
        }
        let globals: Vec<Variable> = (named.iter())
            .filter(|((base, _), _)| matches!(base, Base::Global(_)))
            .filter_map(|(&(base, offset), &width)| cell(program, function, base, offset, width))
            .take(MAX_VARIABLES)
            .collect();
        let mut entry_variables = parameters.clone();
        entry_variables.extend(globals.iter().cloned());
        let result_at = result.as_ref().map(|_| parameters.len());
        let mut exit_variables = parameters;
        exit_variables.extend(result);
        exit_variables.extend(globals);
        let entry = self.points.len();
        self.points.push(Point {
            function: id,
            kind: PointKind::Entry,
            variables: entry_variables,
            result: None,
        });
        self.points.push(Point {
            function: id,
            kind: PointKind::Exit,
            variables: exit_variables,
            result: result_at,
        });
        self.recursive.push(Recursion {
            function: id,
            entry,
            exit: entry + 1,
            frame: globals_of(effects),
        });
        Ok(())
    }

    /// The program with all of it cut, for induction over so many rounds of loops.
    pub fn cut(&self, program: &Program, rounds: usize) -> Cut {
        let mut cutter = Cutter::new(program, &self.points, rounds);
        if rounds > 1 {
            // What is added to a loop inside belongs to those around it.
            let mut loops: Vec<&(usize, CutLoop)> = self.loops.iter().collect();
            loops.sort_by_key(|l| l.1.blocks.len());
            for (point, own) in loops {
                cutter.cut_rounds(*point, own);
            }
        } else {
            for (point, own) in &self.loops {
                cutter.cut_loop(*point, own);
            }
        }
        let mut pieces = Vec::new();
        for own in &self.recursive {
            let piece = cutter.piece(own, &self.world);
            pieces.push(piece);
        }
        for own in &self.recursive {
            let wrapper = cutter.wrapper(own);
            cutter.redirect(own.function, wrapper, &pieces);
        }
        if !pieces.is_empty() {
            cutter.start(&pieces);
        }
        cutter.quiet_errors();
        Cut {
            program: cutter.program,
            points: self.points.clone(),
            probes: cutter.probes,
        }
    }
}

fn globals_of(effects: &Effects) -> Frame {
    let mut frame = Frame::default();
    for object in &effects.objects {
        if let Object::Global(global) = object {
            frame.objects.insert(Base::Global(*global));
        }
    }
    for &(object, offset, ty) in &effects.cells {
        if let Object::Global(global) = object {
            frame.cells.insert((Base::Global(global), offset, ty));
        }
    }
    frame
}

/// The functions that a function may call, at once or through others.
fn below(calls: &CallGraph, id: FuncId) -> BTreeSet<FuncId> {
    let mut found = BTreeSet::new();
    let mut todo = vec![id];
    while let Some(f) = todo.pop() {
        for callee in calls.callees(f) {
            if found.insert(callee) {
                todo.push(callee);
            }
        }
    }
    found
}

fn frame_of(
    program: &Program,
    id: FuncId,
    blocks: &[BlockId],
    effects: &Effects,
    below: &BTreeSet<FuncId>,
    pointers: &Pointers,
) -> Option<Frame> {
    if effects.is_unknown {
        return None;
    }
    let function = program.function(id);
    let mut frame = Frame::default();
    let mut stores = Vec::new();
    for &block in blocks {
        for stmt in &function.block(block).stmts {
            let place = match &stmt.kind {
                StmtKind::Assign { place, .. } | StmtKind::Havoc { place, .. } => Some(place),
                StmtKind::Call { dest, .. } => dest.as_ref(),
                _ => None,
            };
            match place {
                Some(&Place::Local(local)) => {
                    frame.registers.insert(local);
                }
                Some(&Place::Memory { address, ty }) => stores.push((address, ty)),
                _ => {}
            }
        }
    }
    // An object that nobody can name here changes only where this loop itself writes through a pointer
    // that stays the same.
    let is_recursive = below.contains(&id);
    let is_foreign = |object: Object| match object {
        Object::Global(_) => false,
        Object::Local(f, _) => {
            let is_only_here = f == id || below.contains(&f);
            pointers.escapes(object) && (is_recursive || !is_only_here)
        }
        Object::Heap | Object::Unknown => true,
    };
    for &object in &effects.objects {
        match object {
            Object::Global(global) if program.global(global).size <= MAX_OBJECT => {
                frame.objects.insert(Base::Global(global));
            }
            Object::Local(f, local) if f == id && !is_foreign(object) => {
                match function.local(local).storage {
                    LocalStorage::Memory { size, .. } if size <= MAX_OBJECT => {
                        frame.objects.insert(Base::Local(local));
                    }
                    _ => return None,
                }
            }
            _ if is_foreign(object) => {
                let mut own = stores
                    .iter()
                    .filter(|(a, _)| pointers.of(function, id, *a).contains(&object));
                let is_fixed =
                    own.all(|&(address, _)| is_same(function, address, &frame.registers));
                let is_here = blocks_write_only(program, id, blocks, pointers, object);
                if !is_fixed || !is_here {
                    return None;
                }
                for &(address, ty) in &stores {
                    if pointers.of(function, id, address).contains(&object)
                        && !frame.through.contains(&(address, ty))
                    {
                        frame.through.push((address, ty));
                    }
                }
            }
            // A local of a function that is called: it is a new one each time.
            Object::Local(..) => {}
            _ => return None,
        }
    }
    for &(object, offset, ty) in &effects.cells {
        match object {
            Object::Global(global) => {
                frame.cells.insert((Base::Global(global), offset, ty));
            }
            Object::Local(f, local) if f == id => {
                frame.cells.insert((Base::Local(local), offset, ty));
            }
            // Of the activation of a callee.
            Object::Local(..) => {}
            Object::Heap | Object::Unknown => return None,
        }
    }
    Some(frame)
}

/// Whether an expression has the same value while these registers change: it reads no memory.
fn is_same(function: &Function, expr: ExprId, changing: &BTreeSet<LocalId>) -> bool {
    let kind = &function.expr(expr).kind;
    let mut same = match kind {
        ExprKind::Local(local) => !changing.contains(local),
        ExprKind::Load { .. } => false,
        _ => true,
    };
    kind.for_each_operand(|e| same &= is_same(function, e, changing));
    same
}

/// Whether calls and built-ins in these blocks leave an object alone.
fn blocks_write_only(
    program: &Program,
    id: FuncId,
    blocks: &[BlockId],
    pointers: &Pointers,
    object: Object,
) -> bool {
    let function = program.function(id);
    blocks.iter().all(|&block| {
        function.block(block).stmts.iter().all(|s| match &s.kind {
            StmtKind::Copy { to, .. } | StmtKind::Zero { to, .. } => {
                !pointers.of(function, id, *to).contains(&object)
            }
            StmtKind::Assign { place, .. } | StmtKind::Havoc { place, .. } => {
                !matches!(place, Place::Bits { .. })
            }
            // Only where the callee writes none of it, which nobody asks here.
            StmtKind::Call { callee, .. } => matches!(callee, Callee::Builtin(_)),
            _ => true,
        })
    })
}

/// Writes the cut program.
pub(super) struct Cutter<'p> {
    pub(super) program: Program,
    points: &'p [Point],
    probes: Vec<Probe>,
    pub(super) rounds: usize,
    /// Blocks that were added to a loop, with one that they belong to.
    pub(super) added: Vec<(FuncId, BlockId, BlockId)>,
    /// In how many loops a round goes on that is known to be right.
    pub(super) quiet: Option<GlobalId>,
    pointer_width: u8,
    int: TypeId,
    /// A global of bytes that nobody wrote, to be copied from.
    anything: Option<GlobalId>,
}

impl<'p> Cutter<'p> {
    fn new(program: &Program, points: &'p [Point], rounds: usize) -> Self {
        let mut program = program.clone();
        let int = program.types.int(IntKind::Int);
        let pointer_width = program.types.model.pointer_width();
        Self {
            program,
            points,
            probes: Vec::new(),
            rounds,
            added: Vec::new(),
            quiet: None,
            pointer_width,
            int,
            anything: None,
        }
    }

    pub(super) fn function(&mut self, id: FuncId) -> &mut Function {
        &mut self.program.functions[id.index()]
    }

    fn input(&mut self, id: FuncId) -> InputId {
        let span = self.program.function(id).span;
        // An input of no scalar type is one for places of all types.
        let ty = self.program.types.intern(CType::Void);
        self.program.inputs.push(InputSite {
            kind: InputKind::Nondet("any value".to_owned()),
            ty,
            span,
        });
        InputId::new(self.program.inputs.len() - 1)
    }

    pub(super) fn stmt(&self, id: FuncId, kind: StmtKind) -> Stmt {
        let span = self.program.function(id).span;
        Stmt { kind, span }
    }

    pub(super) fn local(&mut self, id: FuncId, ty: Ty) -> LocalId {
        let int = self.int;
        let function = self.function(id);
        let span = function.span;
        function.locals.push(Local {
            name: format!("%{}", function.locals.len()),
            ty: int,
            kind: LocalKind::Temporary,
            storage: LocalStorage::Register(ty),
            span,
            scope: span,
        });
        LocalId::new(function.locals.len() - 1)
    }

    pub(super) fn block(&mut self, id: FuncId, stmts: Vec<Stmt>, kind: TerminatorKind) -> BlockId {
        let function = self.function(id);
        let terminator = Terminator {
            kind,
            span: function.span,
        };
        function.blocks.push(Block { stmts, terminator });
        BlockId::new(function.blocks.len() - 1)
    }

    /// Statements that equate inputs with the variables of a point.
    pub(super) fn probe(&mut self, id: FuncId, point: usize, kind: ProbeKind) -> Vec<Stmt> {
        let points = self.points;
        let variables = &points[point].variables;
        let known = (self.probes.iter()).find(|p| p.point == point && p.kind == kind);
        let probe = match known {
            Some(probe) => *probe,
            None => {
                let first = InputId::new(self.program.inputs.len());
                for _ in 0..=variables.len() {
                    self.input(id);
                }
                let n = variables.len();
                let probe = Probe {
                    point,
                    kind,
                    first,
                    n,
                };
                self.probes.push(probe);
                probe
            }
        };
        let mut stmts = Vec::new();
        let mut all: Option<ExprId> = None;
        for (i, variable) in variables.iter().enumerate() {
            let shown = self.local(id, variable.ty());
            let input = InputId::new(probe.first.index() + i);
            let place = Place::Local(shown);
            stmts.push(self.stmt(id, StmtKind::Havoc { place, input }));
            let width = self.pointer_width;
            let function = self.function(id);
            let value = variable.read(function, width);
            let shown = push(function, ExprKind::Local(shown), variable.ty());
            let is_it = ExprKind::Binary(BinaryOp::Eq, shown, value);
            let is_it = push(function, is_it, Ty::BOOL);
            all = Some(match all {
                None => is_it,
                Some(before) => push(
                    function,
                    ExprKind::Binary(BinaryOp::BitAnd, before, is_it),
                    Ty::BOOL,
                ),
            });
        }
        if let Some(condition) = all {
            stmts.push(self.stmt(id, StmtKind::Assume { condition }));
        }
        let after = self.local(id, Ty::Int(8));
        let input = InputId::new(probe.first.index() + probe.n);
        let place = Place::Local(after);
        stmts.push(self.stmt(id, StmtKind::Havoc { place, input }));
        stmts
    }

    /// Statements after which all of the frame has any value.
    pub(super) fn havoc(&mut self, id: FuncId, frame: &Frame) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for &local in &frame.registers {
            let input = self.input(id);
            let place = Place::Local(local);
            stmts.push(self.stmt(id, StmtKind::Havoc { place, input }));
        }
        for &(address, ty) in &frame.through {
            let input = self.input(id);
            let place = Place::Memory { address, ty };
            stmts.push(self.stmt(id, StmtKind::Havoc { place, input }));
        }
        let width = self.pointer_width;
        for &(base, offset, ty) in &frame.cells {
            if frame.objects.contains(&base) {
                continue;
            }
            let input = self.input(id);
            let address = address_of(self.function(id), base, offset, width);
            let place = Place::Memory { address, ty };
            stmts.push(self.stmt(id, StmtKind::Havoc { place, input }));
        }
        for &base in &frame.objects {
            let size = match base {
                Base::Global(global) => self.program.global(global).size,
                Base::Local(local) => match self.program.function(id).local(local).storage {
                    LocalStorage::Memory { size, .. } => size,
                    _ => continue,
                },
            };
            let from = self.anything(id);
            let function = self.function(id);
            let to = address_of(function, base, 0, width);
            let from = push(function, ExprKind::GlobalAddress(from), Ty::Ptr);
            stmts.push(self.stmt(id, StmtKind::Copy { to, from, size }));
        }
        stmts
    }

    fn anything(&mut self, id: FuncId) -> GlobalId {
        if let Some(known) = self.anything {
            return known;
        }
        let span = self.program.function(id).span;
        let char = self.program.types.int(IntKind::UChar);
        self.program.globals.push(Global {
            name: "%anything".to_owned(),
            ty: char,
            size: MAX_OBJECT,
            align: 16,
            bytes: Vec::new(),
            relocations: Vec::new(),
            read_only: false,
            is_unwritten: true,
            is_library: true,
            function: None,
            span,
        });
        let id = GlobalId::new(self.program.globals.len() - 1);
        self.anything = Some(id);
        id
    }

    /// Nothing comes after this.
    pub(super) fn ending(&mut self, id: FuncId) -> Stmt {
        let condition = push(self.function(id), ExprKind::Const(0), Ty::BOOL);
        self.stmt(id, StmtKind::Assume { condition })
    }

    fn cut_loop(&mut self, point: usize, own: &CutLoop) {
        let id = own.function;
        let n_blocks = self.program.function(id).blocks.len();
        let mut before = self.probe(id, point, ProbeKind::Arrival);
        before.extend(self.havoc(id, &own.frame));
        before.extend(self.probe(id, point, ProbeKind::Hypothesis));
        let before = self.block(id, before, TerminatorKind::Goto(own.head));
        let mut after = self.probe(id, point, ProbeKind::Arrival);
        after.push(self.ending(id));
        let after = self.block(id, after, TerminatorKind::Abort);
        let function = self.function(id);
        for i in 0..n_blocks {
            let block = BlockId::new(i);
            let to = if own.blocks.binary_search(&block).is_ok() {
                after
            } else {
                before
            };
            redirect(&mut function.blocks[i].terminator.kind, own.head, to);
        }
    }

    /// A function without parameters of its own whose first registers are those of a contract.
    fn contract(&mut self, own: &Recursion, name: &str, has_params: bool) -> FuncId {
        let function = self.program.function(own.function).clone();
        let void = self.program.types.intern(CType::Void);
        let bare = self.program.types.intern(CType::Function(FunctionType {
            ret: void,
            params: Vec::new(),
            variadic: false,
            prototype: true,
        }));
        let mut new = Function {
            name: format!("{}%{name}", function.name),
            origin: FunctionOrigin::Synthetic,
            ty: if has_params { function.ty } else { bare },
            params: Vec::new(),
            ret: if has_params { function.ret } else { None },
            variadic: false,
            locals: Vec::new(),
            exprs: Vec::new(),
            blocks: Vec::new(),
            span: function.span,
        };
        for &param in &function.params {
            new.locals.push(function.local(param).clone());
            if has_params {
                new.params.push(LocalId::new(new.locals.len() - 1));
            }
        }
        self.program.functions.push(new);
        let id = FuncId::new(self.program.functions.len() - 1);
        if let Some(ty) = function.ret {
            self.local(id, ty);
        }
        id
    }

    /// What a call of the function does, as far as its contract tells.
    fn wrapper(&mut self, own: &Recursion) -> FuncId {
        let id = self.contract(own, "contract", true);
        let n_params = self.program.function(own.function).params.len();
        let mut stmts = self.probe(id, own.entry, ProbeKind::Arrival);
        let mut frame = own.frame.clone();
        let result = self.program.function(own.function).ret.map(|ty| {
            let result = LocalId::new(n_params);
            frame.registers.insert(result);
            push(self.function(id), ExprKind::Local(result), ty)
        });
        stmts.extend(self.havoc(id, &frame));
        stmts.extend(self.probe(id, own.exit, ProbeKind::Hypothesis));
        self.block(id, stmts, TerminatorKind::Return(result));
        id
    }

    /// The body of the function, from any state that its contract allows.
    fn piece(&mut self, own: &Recursion, world: &Frame) -> FuncId {
        let id = self.contract(own, "piece", false);
        let n_params = self.program.function(own.function).params.len();
        let mut frame = world.clone();
        frame.registers.extend((0..n_params).map(LocalId::new));
        let mut stmts = self.havoc(id, &frame);
        stmts.extend(self.probe(id, own.entry, ProbeKind::Hypothesis));
        let mut args = Vec::new();
        for i in 0..n_params {
            let param = LocalId::new(i);
            let LocalStorage::Register(ty) = self.program.function(id).local(param).storage else {
                continue;
            };
            args.push(push(self.function(id), ExprKind::Local(param), ty));
        }
        let ret = self.program.function(own.function).ret;
        let dest = ret.map(|_| Place::Local(LocalId::new(n_params)));
        let callee = Callee::Function(own.function);
        stmts.push(self.stmt(id, StmtKind::Call { dest, callee, args }));
        stmts.extend(self.probe(id, own.exit, ProbeKind::Arrival));
        stmts.push(self.ending(id));
        self.block(id, stmts, TerminatorKind::Abort);
        id
    }

    /// Calls of a function become calls of another, except in the pieces.
    fn redirect(&mut self, from: FuncId, to: FuncId, pieces: &[FuncId]) {
        for (i, function) in self.program.functions.iter_mut().enumerate() {
            if pieces.contains(&FuncId::new(i)) {
                continue;
            }
            for stmt in function.blocks.iter_mut().flat_map(|b| &mut b.stmts) {
                if let StmtKind::Call { callee, .. } = &mut stmt.kind
                    && *callee == Callee::Function(from)
                {
                    *callee = Callee::Function(to);
                }
            }
        }
    }

    /// A run is one of the program, or of one of the pieces.
    fn start(&mut self, pieces: &[FuncId]) {
        let old = self.program.start;
        let mut new = self.program.function(old).clone();
        new.name = "%start".to_owned();
        new.locals.clear();
        new.exprs.clear();
        new.blocks.clear();
        self.program.functions.push(new);
        let id = FuncId::new(self.program.functions.len() - 1);
        let which = self.local(id, Ty::Int(32));
        let input = self.input(id);
        // Blocks 2i and 2i + 1 ask whether it is piece i, and run it.
        for (i, &piece) in pieces.iter().enumerate() {
            let place = Place::Local(which);
            let mut stmts = Vec::new();
            if i == 0 {
                stmts.push(self.stmt(id, StmtKind::Havoc { place, input }));
            }
            let function = self.function(id);
            let is = push(function, ExprKind::Local(which), Ty::Int(32));
            let number = push(function, ExprKind::Const(i as u128 + 1), Ty::Int(32));
            let condition = ExprKind::Binary(BinaryOp::Eq, is, number);
            let condition = push(function, condition, Ty::BOOL);
            let branch = TerminatorKind::Branch {
                condition,
                then: BlockId::new(2 * i + 1),
                otherwise: BlockId::new(2 * i + 2),
            };
            self.block(id, stmts, branch);
            let call = self.call(id, piece);
            self.block(id, vec![call], TerminatorKind::Abort);
        }
        let call = self.call(id, old);
        self.block(id, vec![call], TerminatorKind::Abort);
        self.program.start = id;
    }

    fn call(&self, id: FuncId, callee: FuncId) -> Stmt {
        self.stmt(
            id,
            StmtKind::Call {
                dest: None,
                callee: Callee::Function(callee),
                args: Vec::new(),
            },
        )
    }
}

fn redirect(kind: &mut TerminatorKind, from: BlockId, to: BlockId) {
    let change = |block: &mut BlockId| {
        if *block == from {
            *block = to;
        }
    };
    match kind {
        TerminatorKind::Goto(block) => change(block),
        TerminatorKind::Branch {
            then, otherwise, ..
        } => {
            change(then);
            change(otherwise);
        }
        _ => {}
    }
}
