//! An obligation as a program: the code between two cuts, started in any state that satisfies the
//! claim at the first one, with an error wherever the claim at the second one is violated.
//!
//! The derived program's start function is the original function with a new first block. That block
//! makes the data, gives every variable any value, and assumes what is claimed; then it jumps to
//! where the segment starts. Jumps to a cut go to a block that looks at the state reached. Memory,
//! calls and pointers are so what the engines say they are, and a model is a run of a program.
//!
//! Hypotheses hang on switches and goals on a choice, all of them inputs: one encoding answers for
//! every set of conjuncts.
//!
//! *Arrays.* A universally quantified hypothesis is assumed at finitely many indices, which is sound
//! for any of them. The ones that matter are those that the goal and the code speak of, some of
//! which are known only after the code ran: for these there is a register with any value, the
//! hypothesis is assumed at it, and the place where the index is known assumes that the register
//! had that value (a *prophecy*, which excludes no run since the register was free). With the
//! indices named in the code and the claims, their neighbours and the ends of the array this is the
//! index set of A. Bradley, Z. Manna and H. Sipma, *What's Decidable About Arrays?* (2006).

use super::bound::{self, NoBound};
use super::builder::{Builder, Number};
use super::cells::{self, Known, Place};
use super::cuts::{Cuts, Touches};
use super::domain::Uses;
use super::indices::{Flow, Index, Value};
use super::state::{State, put_list};
use super::view::{Domain, Spot, View};
use crate::formula::{Conjunct, Formula};
use crate::point::{ArraySize, Binding, ListShape, Point, PointKind, Role, Structure};
use idiolect_ir::ctype::{FunctionType, RecordId};
use idiolect_ir::{
    BinaryOp, Block, BlockId, Builtin, CType, Callee, ErrorKind, ExprId, ExprKind, FuncId,
    Function, FunctionOrigin, InputId, LocalId, LocalKind, LocalStorage, Place as IrPlace, Program,
    Stmt, StmtKind, Terminator, TerminatorKind, Ty,
};

/// What is to be proved, all in one place.
pub(super) struct Task<'a> {
    pub program: &'a Program,
    pub function: &'a Function,
    pub points: Vec<&'a Point>,
    pub formulas: Vec<&'a Formula>,
    pub cuts: Cuts,
    /// No obligation is looked at with more cells than this.
    pub max_cells: usize,
}

/// What the value of an input means for the state at the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// The cell that a pointer of the point points to; null from the number of cells on.
    Pointer {
        variable: usize,
    },
    Number {
        variable: usize,
    },
    /// Whether a cell has a successor.
    Next {
        structure: usize,
        cell: usize,
    },
    Datum {
        structure: usize,
        cell: usize,
        field: usize,
    },
    /// An index that hypotheses are assumed at.
    Index {
        number: usize,
    },
    Element {
        structure: usize,
        field: usize,
        number: usize,
    },
}

/// What a goal is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Aim {
    /// That lists are lists, and arrays where they were.
    Shape,
    /// This conjunct of the claim.
    Conjunct(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Goal {
    /// The cut that it is claimed at.
    pub target: usize,
    pub aim: Aim,
    /// The block that is reached if it does not hold.
    pub error: BlockId,
}

/// An obligation as a program.
pub(super) struct Derived {
    pub program: Program,
    /// For each conjunct of the claim at the start: it is assumed where this is not 0.
    pub switches: Vec<InputId>,
    pub goals: Vec<Goal>,
    pub meanings: Vec<(InputId, Meaning)>,
    /// Blocks of the function are those from 1 on in the derived one; from here on they are ours.
    pub first_own: BlockId,
    /// Cells of each list structure at the start.
    pub n_cells: Vec<usize>,
}

struct Deriver<'a> {
    task: &'a Task<'a>,
    from: usize,
    segment: Vec<BlockId>,
    b: Builder,
    state: State,
    pools: Vec<Pool>,
    /// Quantified variables of goals: a choice among cells, or an index.
    skolems: Vec<LocalId>,
    skolem_indices: Vec<Number>,
    /// Indices of interest that are known at the start.
    known: Vec<Value>,
    prophecies: Vec<Prophecy>,
    /// Hypotheses are assumed at more indices than the code and the goals use.
    wide: bool,
    /// So many bits are enough for data.
    data_bits: Option<u8>,
    meanings: Vec<(InputId, Meaning)>,
}

/// Lists at the start: their structure, their cells, and where variables point.
type Made = (usize, cells::Cells, Vec<(usize, Place)>);

/// The cells of one record type.
struct Pool {
    record: RecordId,
    shape: ListShape,
    /// Cells at the start.
    n: usize,
    addresses: Vec<LocalId>,
    /// By cell: it was freed.
    freed: Vec<LocalId>,
    /// Results of calls that may be new cells.
    captured: Vec<LocalId>,
}

/// An index that is known later.
struct Prophecy {
    register: LocalId,
    number: Number,
    /// Before this statement of this block, or before its end.
    at: (BlockId, usize),
    index: ExprId,
}

/// The segment that starts at a cut. With `wide`, hypotheses about arrays are assumed at all indices
/// that may matter, else only at those that the code and the goals use.
pub(super) fn derive(task: &Task<'_>, from: usize, wide: bool) -> Result<Derived, NoBound> {
    let segment = task.cuts.segment(task.function, from);
    let mut deriver = Deriver::new(task, from, segment, wide);
    deriver.measure()?;
    deriver.measure_data();
    let switches = deriver.prologue();
    deriver.instrument();
    let goals = deriver.checks();
    Ok(deriver.finish(switches, goals))
}

/// A new register with any integer, or with any of so few bits.
pub(super) fn any_datum(
    b: &mut Builder,
    bits: Option<u8>,
    name: &str,
    ty: Ty,
    signed: bool,
) -> (ExprId, InputId) {
    let (Some(few), Ty::Int(width)) = (bits, ty) else {
        let (register, input) = b.any(name, ty);
        return (b.read(register), input);
    };
    // Inputs have whole bytes. The value is made of the few bits, so that solvers see no others,
    // and the byte says the same, so that models show it.
    let (register, input) = b.any(name, Ty::Int(8));
    let byte = Number {
        expr: b.read(register),
        width: 8,
        signed,
    };
    let kept = Number {
        expr: b.widened(byte, few),
        width: few,
        signed,
    };
    let again = b.widened(kept, 8);
    let same = b.binary(BinaryOp::Eq, again, byte.expr);
    b.assume(same);
    let value = b.widened(kept, width);
    (b.keep(value), input)
}

/// The code of the segment with a new first block, and a block for each cut. Blocks of the function
/// follow the first one in their order; those outside of the segment are empty.
fn skeleton(task: &Task<'_>, segment: &[BlockId]) -> Function {
    let mut function = task.function.clone();
    let n = function.blocks.len();
    let span = function.span;
    let own = |cut: usize| BlockId::new(1 + n + cut);
    let to = |block: BlockId| match task.cuts.at(block) {
        Some(cut) => own(cut),
        None => BlockId::new(block.index() + 1),
    };
    for block in &mut function.blocks {
        match &mut block.terminator.kind {
            TerminatorKind::Goto(next) => *next = to(*next),
            TerminatorKind::Branch {
                then, otherwise, ..
            } => {
                *then = to(*then);
                *otherwise = to(*otherwise);
            }
            _ => {}
        }
    }
    let empty = |function: &mut Function| {
        function.exprs.push(idiolect_ir::Expr {
            kind: ExprKind::Const(0),
            ty: Ty::Int(32),
            span,
        });
        Block {
            stmts: Vec::new(),
            terminator: Terminator {
                kind: TerminatorKind::Exit(ExprId::new(function.exprs.len() - 1)),
                span,
            },
        }
    };
    for block in task.function.block_ids() {
        if !segment.contains(&block) {
            function.blocks[block.index()] = empty(&mut function);
        }
    }
    let first = empty(&mut function);
    function.blocks.insert(0, first);
    for _ in 0..task.cuts.list.len() {
        let block = empty(&mut function);
        function.blocks.push(block);
    }
    for local in &mut function.locals {
        if local.kind == LocalKind::Parameter {
            local.kind = LocalKind::Variable;
        }
    }
    function.params.clear();
    function.ret = None;
    function.variadic = false;
    function.origin = FunctionOrigin::Synthetic;
    function.name = format!("%{}", task.function.name);
    function
}

impl<'a> Deriver<'a> {
    fn new(task: &'a Task<'a>, from: usize, segment: Vec<BlockId>, wide: bool) -> Self {
        let mut program = task.program.clone();
        for global in &mut program.globals {
            if !global.read_only {
                global.is_unwritten = true;
                global.bytes.clear();
                global.relocations.clear();
            }
        }
        let void = program.types.intern(CType::Void);
        let ty = program.types.intern(CType::Function(FunctionType {
            ret: void,
            params: Vec::new(),
            variadic: false,
            prototype: true,
        }));
        let mut function = skeleton(task, &segment);
        function.ty = ty;
        let mut b = Builder::new(program, function);
        let state = State::new(&mut b, task.function, &task.points);
        Deriver {
            task,
            from,
            segment,
            b,
            state,
            pools: Vec::new(),
            skolems: Vec::new(),
            skolem_indices: Vec::new(),
            known: Vec::new(),
            prophecies: Vec::new(),
            wide,
            data_bits: None,
            meanings: Vec::new(),
        }
    }

    fn claim(&self, cut: usize) -> Option<(&'a Point, &'a Formula)> {
        let point = self.task.cuts.list[cut].point?;
        Some((self.task.points[point], self.task.formulas[point]))
    }

    fn targets(&self) -> Vec<usize> {
        self.task.cuts.targets(self.task.function, self.from)
    }

    /// Decides how many cells there are.
    fn measure(&mut self) -> Result<(), NoBound> {
        let task = self.task;
        let targets = self.targets();
        let mut shapes: Vec<ListShape> = Vec::new();
        for cut in targets.iter().copied().chain([self.from]) {
            let Some((point, _)) = self.claim(cut) else {
                continue;
            };
            for structure in &point.structures {
                if let Structure::List(shape) = structure
                    && !shapes.iter().any(|s| s.record == shape.record)
                {
                    shapes.push(shape.clone());
                }
            }
        }
        if shapes.is_empty() {
            return Ok(());
        }
        let mut touches = Touches::new(task.program);
        let mut weights = rustc_hash::FxHashMap::default();
        for &block in &self.segment {
            let n = touches
                .of_block(task.function, block)
                .map_err(NoBound::Code)?;
            weights.insert(block, n);
        }
        let touched = (task.cuts).longest(task.function, &self.segment, |block| weights[&block]);
        let mut named = 0;
        if let Some((point, formula)) = self.claim(self.from) {
            named += bound::named_by_hypotheses(point, &formula.conjuncts)?;
        }
        for shape in shapes {
            let own = self
                .claim(self.from)
                .map_or(0, |(p, _)| bound::pointers(p, shape.record));
            let mut of_goal = 0;
            for &target in &targets {
                let Some((point, formula)) = self.claim(target) else {
                    continue;
                };
                for c in &formula.conjuncts {
                    let names =
                        bound::quantified(point, c, shape.record) + bound::with_next(c).len();
                    of_goal = of_goal.max(names);
                }
            }
            // Without a pointer to start from, no cell can be seen or touched.
            let n = match own {
                0 => 0,
                _ => own + touched + named + of_goal,
            };
            if n > task.max_cells {
                return Err(NoBound::TooMany(n));
            }
            self.pools.push(Pool {
                record: shape.record,
                shape,
                n,
                addresses: Vec::new(),
                freed: Vec::new(),
                captured: Vec::new(),
            });
        }
        Ok(())
    }

    /// Decides how many bits data has.
    fn measure_data(&mut self) {
        let task = self.task;
        let mut uses = Uses::new(task.program);
        for &block in &self.segment {
            uses.look_at(task.function, block);
        }
        let mut signs: Vec<bool> = Vec::new();
        let is_integer =
            |l: &&idiolect_ir::Local| matches!(l.storage, LocalStorage::Register(Ty::Int(_)));
        let mut n = uses.n_values;
        n += task.function.locals.iter().filter(is_integer).count() as u64;
        for cut in self.targets().into_iter().chain([self.from]) {
            let Some((point, formula)) = self.claim(cut) else {
                // Any value of any variable may come here.
                return;
            };
            if point.structures.iter().any(|s| !s.is_list()) {
                return;
            }
            for v in &point.variables {
                if matches!(task.program.types.scalar(v.ty), Some(Ty::Int(_))) {
                    signs.push(v.signed);
                    n += 1;
                }
            }
            for field in point.structures.iter().flat_map(|s| s.fields()) {
                signs.push(field.signed);
            }
            for c in bound::constants(formula) {
                uses.constant = uses.constant.max(c.unsigned_abs());
            }
        }
        for pool in &self.pools {
            // Cells at the start; new ones draw what was not written when it is read.
            n += (pool.n * pool.shape.fields.len()) as u64;
            n += uses.n_calls * pool.shape.fields.len() as u64;
        }
        if uses.is_arithmetic || signs.iter().any(|&s| s != signs[0]) {
            return;
        }
        let most = n + uses.constant;
        let bits = 65 - most.leading_zeros();
        // Fields of a byte hold values of 8 bits.
        if bits <= 8 {
            self.data_bits = Some(bits as u8);
        }
    }

    /// Any integer, as far as it matters.
    fn any_datum(&mut self, name: &str, ty: Ty, signed: bool) -> (ExprId, InputId) {
        any_datum(&mut self.b, self.data_bits, name, ty, signed)
    }

    // The state at the start.

    fn prologue(&mut self) -> Vec<InputId> {
        let task = self.task;
        self.b.go_on_in(Function::ENTRY);
        self.choose_indices();
        self.havoc_registers();
        let mut switches = Vec::new();
        match self.claim(self.from) {
            Some((point, formula)) => {
                self.give_numbers(point);
                self.make_arrays(point);
                let made = self.make_lists(point);
                self.remember_entry(Some(point));
                let mut view = self.state.look(&mut self.b, task.program, point);
                for (structure, cells, places) in made {
                    let all: Vec<Place> = places.iter().map(|p| p.1.clone()).collect();
                    let canonical = cells.is_canonical(&mut self.b, &all);
                    self.b.assume(canonical);
                    put_list(&mut self.b, &mut view, structure, cells, places);
                }
                for size in view.sizes.clone().into_iter().flatten() {
                    let zero = self.b.number(0);
                    let fits = self.b.at_most(zero, size);
                    self.b.assume(fits);
                }
                switches = self.assume(&mut view, formula);
            }
            None => {
                // Pools without a point have no cells.
                for i in 0..self.pools.len() {
                    self.pools[i].n = 0;
                }
                self.remember_entry(None);
            }
        }
        let cut = task.cuts.list[self.from];
        let n = task.function.blocks.len();
        let start = match (cut.kind, task.cuts.at(cut.block)) {
            (PointKind::Entry, Some(head)) => BlockId::new(1 + n + head),
            _ => BlockId::new(cut.block.index() + 1),
        };
        self.b.end(TerminatorKind::Goto(start));
        switches
    }

    /// Any values for everything that the function may read before it writes it.
    fn havoc_registers(&mut self) {
        let is_entry = self.task.cuts.list[self.from].kind == PointKind::Entry;
        for i in 0..self.task.function.locals.len() {
            let local = LocalId::new(i);
            let info = self.task.function.local(local);
            let is_register = matches!(info.storage, LocalStorage::Register(_));
            if !is_register || (is_entry && info.kind != LocalKind::Parameter) {
                continue;
            }
            let name = info.name.clone();
            self.b.havoc(local, &name);
        }
    }

    /// What parameters were at entry, where the point does not say.
    fn remember_entry(&mut self, point: Option<&Point>) {
        let is_entry = self.task.cuts.list[self.from].kind == PointKind::Entry;
        let mut list: Vec<(LocalId, LocalId)> =
            self.state.at_entry.iter().map(|(&a, &b)| (a, b)).collect();
        list.sort_unstable();
        for (parameter, register) in list {
            let is_given = point.is_some_and(|p| {
                p.variables
                    .iter()
                    .any(|v| v.binding == Binding::AtEntry(parameter))
            });
            if is_entry || !self.state.modified[parameter.index()] {
                let value = self.b.read(parameter);
                self.b.assign(register, value);
            } else if !is_given {
                self.b.havoc(register, "entry");
            }
        }
    }

    fn give_numbers(&mut self, point: &Point) {
        for (variable, v) in point.variables.iter().enumerate() {
            if !matches!(
                v.role,
                Role::Index { .. } | Role::Length { .. } | Role::Scalar
            ) {
                continue;
            }
            if let Some(ty @ Ty::Int(_)) = self.task.program.types.scalar(v.ty) {
                let (value, input) = self.any_datum(&v.name, ty, v.signed);
                self.meanings.push((input, Meaning::Number { variable }));
                self.state.give(&mut self.b, v.binding, ty, value);
            }
        }
    }

    /// An array for each pointer that is the base of one. They do not overlap.
    fn make_arrays(&mut self, point: &Point) {
        let types = &self.task.program.types;
        for v in &point.variables {
            let Role::Base { structure, field } = v.role else {
                continue;
            };
            let Structure::Array(group) = &point.structures[structure] else {
                continue;
            };
            if types.scalar(v.ty) != Some(Ty::Ptr) {
                continue; // An object of the program.
            }
            let size = match group.size {
                ArraySize::Constant(n) => Some(self.b.number(n as i64)),
                ArraySize::Variable(n) => {
                    let n = &point.variables[n];
                    self.state.number(&mut self.b, self.task.program, n)
                }
            };
            let Some(size) = size else { continue };
            let capacity = self.b.register("size", Ty::Int(size.width));
            self.b.assign(capacity, size.expr);
            let size = Number {
                expr: self.b.read(capacity),
                ..size
            };
            let bits = self.b.pointer_bits();
            let wide = self.b.widened(size, bits);
            let bytes = types.scalar_size(group.fields[field].ty);
            let bytes = self.b.constant(u128::from(bytes), Ty::Int(bits));
            let total = self.b.binary(BinaryOp::Mul { signed: false }, wide, bytes);
            let array = self.b.malloc("array", total);
            let (address, null) = (self.b.read(array), self.b.null());
            // No object has 2 GiB or more; one with a negative number of elements would.
            let is_there = self.b.binary(BinaryOp::Ne, address, null);
            self.b.assume(is_there);
            self.state.give(&mut self.b, v.binding, Ty::Ptr, address);
            let binding = self.state.plain(v.binding);
            self.state.arrays.push((binding, array, size));
        }
    }

    fn make_lists(&mut self, point: &Point) -> Vec<Made> {
        let mut made = Vec::new();
        for i in 0..self.pools.len() {
            let (n, shape) = (self.pools[i].n, self.pools[i].shape.clone());
            let Some(structure) = bound::structure_of(point, shape.record) else {
                self.pools[i].n = 0;
                continue;
            };
            let (cells, next, data) = cells::make(&mut self.b, &shape, n, self.data_bits);
            for (cell, input) in next.into_iter().enumerate() {
                self.meanings
                    .push((input, Meaning::Next { structure, cell }));
            }
            for (cell, row) in data.into_iter().enumerate() {
                for (field, input) in row.into_iter().enumerate() {
                    let meaning = Meaning::Datum {
                        structure,
                        cell,
                        field,
                    };
                    self.meanings.push((input, meaning));
                }
            }
            let mut places = Vec::new();
            for (variable, v) in point.variables.iter().enumerate() {
                if v.role != (Role::Pointer { structure }) {
                    continue;
                }
                let (choice, input) = self.b.any(&v.name, Ty::Int(8));
                self.meanings.push((input, Meaning::Pointer { variable }));
                let choice = self.b.read(choice);
                let mut value = self.b.null();
                let mut at = Vec::new();
                for (cell, &address) in cells.addresses.iter().enumerate() {
                    let here = self.b.constant(cell as u128, Ty::Int(8));
                    let is_here = self.b.binary(BinaryOp::Eq, choice, here);
                    at.push(self.b.keep(is_here));
                    value = self.b.select(at[cell], address, value);
                }
                // Null is one number beyond the cells, and no other.
                let none = self.b.constant(n as u128, Ty::Int(8));
                let fits = self.b.binary(BinaryOp::ULe, choice, none);
                self.b.assume(fits);
                let is_nil = self.b.binary(BinaryOp::Eq, choice, none);
                let is_nil = self.b.keep(is_nil);
                places.push((variable, Place { at, is_nil }));
                self.state.give(&mut self.b, v.binding, Ty::Ptr, value);
            }
            self.pools[i].addresses = (cells.addresses.iter())
                .filter_map(|&e| match self.b.function.expr(e).kind {
                    ExprKind::Local(l) => Some(l),
                    _ => None,
                })
                .collect();
            for _ in 0..n {
                let freed = self.b.register("freed", Ty::BOOL);
                let falsity = self.b.falsity();
                self.b.assign(freed, falsity);
                self.pools[i].freed.push(freed);
            }
            made.push((structure, cells, places));
        }
        made
    }

    /// Registers for what goals quantify over and for indices that are known later.
    fn choose_indices(&mut self) {
        let targets = self.targets();
        let mut n = 0;
        for &target in &targets {
            for c in self.claim(target).map_or(&[][..], |(_, f)| &f.conjuncts) {
                if let Conjunct::ForAll(all) = c {
                    n = n.max(all.over.len());
                }
            }
        }
        for _ in 0..n {
            let (choice, _) = self.b.any("y", Ty::Int(8));
            self.skolems.push(choice);
        }
        let has_arrays = |p: &Point| p.structures.iter().any(|s| !s.is_list());
        let mut cuts = targets.iter().copied().chain([self.from]);
        if !cuts.any(|c| self.claim(c).is_some_and(|(p, _)| has_arrays(p))) {
            return;
        }
        let width = 32;
        for _ in 0..n {
            let (register, _) = self.b.any("y", Ty::Int(width));
            let expr = self.b.read(register);
            self.skolem_indices.push(Number {
                expr,
                width,
                signed: true,
            });
        }
        self.foresee_all(&targets);
    }

    /// Indices that the code uses, and that variables are at the end.
    fn foresee_all(&mut self, targets: &[usize]) {
        let task = self.task;
        let segment = self.segment.clone();
        let flow = Flow::new(task.function, &task.cuts, self.from, &segment);
        let mut all = flow.in_code();
        for &target in targets {
            let Some((point, _)) = self.claim(target) else {
                continue;
            };
            for v in &point.variables {
                let Binding::Local(local) = v.binding else {
                    continue;
                };
                let info = task.function.local(local);
                let is_index = matches!(v.role, Role::Index { .. });
                if !is_index || !matches!(info.storage, LocalStorage::Register(_)) {
                    continue;
                }
                all.push(match flow.at_cut(target, local) {
                    Some(value) => Index::Known(value),
                    None => Index::Later {
                        at: (BlockId::new(task.function.blocks.len() + target), 0),
                        index: self.b.read(local),
                    },
                });
            }
        }
        for index in all {
            match index {
                Index::Known(value) => self.known.push(value),
                Index::Later { at, index } => self.foresee(index, at),
            }
        }
        self.known.sort_unstable();
        self.known.dedup();
    }

    /// A register for an index that is known later.
    fn foresee(&mut self, index: ExprId, at: (BlockId, usize)) {
        let Ty::Int(width) = self.b.function.expr(index).ty else {
            return;
        };
        let (register, _) = self.b.any("index", Ty::Int(width));
        let expr = self.b.read(register);
        let number = Number {
            expr,
            width,
            signed: true,
        };
        self.prophecies.push(Prophecy {
            register,
            number,
            at,
            index,
        });
    }

    /// The indices that hypotheses are assumed at.
    fn indices(&mut self, view: &View<'_>) -> Vec<Number> {
        let mut list: Vec<Number> = self.skolem_indices.clone();
        let mut known = self.known.clone();
        for v in &view.point.variables {
            if let (Role::Index { .. }, Binding::Local(local)) = (v.role, v.binding) {
                known.push(Value::Start(local, 0));
                if self.wide {
                    known.extend([-1, 1].map(|d| Value::Start(local, d)));
                }
            }
        }
        if self.wide {
            known.push(Value::Constant(0));
            for size in view.sizes.clone().into_iter().flatten() {
                list.push(self.b.moved(size, -1));
            }
        }
        known.sort_unstable();
        known.dedup();
        for value in known {
            match value {
                Value::Constant(c) => list.push(self.b.number(c)),
                Value::Start(local, distance) => {
                    let info = self.task.function.local(local);
                    let LocalStorage::Register(Ty::Int(width)) = info.storage else {
                        continue;
                    };
                    let number = Number {
                        expr: self.b.read(local),
                        width,
                        signed: self.task.program.types.is_signed(info.ty),
                    };
                    list.push(match distance {
                        0 => number,
                        _ => self.b.moved(number, distance),
                    });
                }
            }
        }
        list.extend(self.prophecies.iter().map(|p| p.number));
        list
    }

    /// Assumes what is claimed at the start, each conjunct if its switch is on.
    fn assume(&mut self, view: &mut View<'_>, formula: &Formula) -> Vec<InputId> {
        let has_arrays = view.point.structures.iter().any(|s| !s.is_list());
        let indices = match has_arrays {
            true => self.indices(view),
            false => Vec::new(),
        };
        if has_arrays {
            self.name_elements(view, &indices);
        }
        let domains: Vec<Domain> = (0..view.point.structures.len())
            .map(|s| self.everything(view, s, &indices))
            .collect();
        let mut switches = Vec::new();
        for conjunct in &formula.conjuncts {
            let (switch, input) = self.b.any("assume", Ty::Int(8));
            switches.push(input);
            let (switch, zero) = (self.b.read(switch), self.b.constant(0, Ty::Int(8)));
            let is_off = self.b.binary(BinaryOp::Eq, switch, zero);
            let instances = view.instances(&mut self.b, conjunct, &domains);
            let holds = self.b.all(instances);
            let either = self.b.or(is_off, holds);
            self.b.assume(either);
        }
        switches
    }

    /// Makes a value readable in a model.
    fn show(&mut self, value: Number, meaning: Meaning) {
        let (register, input) = self.b.any("shown", Ty::Int(value.width));
        let shown = self.b.read(register);
        let same = self.b.binary(BinaryOp::Eq, shown, value.expr);
        self.b.assume(same);
        self.meanings.push((input, meaning));
    }

    /// Reads all elements of interest once, so that a model shows them.
    fn name_elements(&mut self, view: &mut View<'_>, indices: &[Number]) {
        for (number, &index) in indices.iter().enumerate() {
            self.show(index, Meaning::Index { number });
        }
        for structure in 0..view.point.structures.len() {
            if view.is_list(structure) {
                continue;
            }
            for field in 0..view.point.structures[structure].fields().len() {
                for (number, &index) in indices.iter().enumerate() {
                    let Some((value, _)) = view.element(&mut self.b, structure, field, index)
                    else {
                        continue;
                    };
                    let meaning = Meaning::Element {
                        structure,
                        field,
                        number,
                    };
                    self.show(value, meaning);
                }
            }
        }
    }

    /// All cells of a list, or all indices of interest.
    fn everything(&mut self, view: &View<'_>, structure: usize, indices: &[Number]) -> Domain {
        if let Some(cells) = &view.lists[structure] {
            let n = cells.n();
            let one = |i: usize| {
                let place = Place::cell(&self.b, n, i);
                (Spot::Pointer { structure, place }, cells.visible[i])
            };
            return (0..n).map(one).collect();
        }
        if view.is_list(structure) {
            return Vec::new();
        }
        let mut domain = Vec::new();
        for &index in indices {
            let inside = view.in_range(&mut self.b, structure, index);
            domain.push((Spot::Number(index), self.b.keep(inside)));
        }
        domain
    }

    // The code in between.

    /// Adds to the code what is needed to recognise cells and indices afterwards.
    fn instrument(&mut self) {
        for original in self.segment.clone() {
            let block = BlockId::new(original.index() + 1);
            let stmts = std::mem::take(&mut self.b.function.blocks[block.index()].stmts);
            self.b.go_on_in(block);
            for (position, stmt) in stmts.into_iter().enumerate() {
                self.fulfil((original, position));
                self.note_free(&stmt);
                let kind = stmt.kind.clone();
                self.b.function.blocks[block.index()].stmts.push(stmt);
                self.note_new(&kind);
            }
            let position = self.task.function.block(original).stmts.len();
            self.fulfil((original, position));
            if let TerminatorKind::Return(value) =
                self.task.function.block(original).terminator.kind
            {
                if let (Some(result), Some(value)) = (self.state.result, value) {
                    self.b.assign(result, value);
                }
                let n = self.task.function.blocks.len();
                let exit = BlockId::new(1 + n + self.task.cuts.exit());
                self.b.end(TerminatorKind::Goto(exit));
            }
        }
    }

    /// What was foreseen for this place becomes true.
    fn fulfil(&mut self, at: (BlockId, usize)) {
        for i in 0..self.prophecies.len() {
            let p = &self.prophecies[i];
            if p.at == at {
                let (register, index) = (p.register, p.index);
                let foreseen = self.b.read(register);
                let same = self.b.binary(BinaryOp::Eq, foreseen, index);
                self.b.assume(same);
            }
        }
    }

    fn note_free(&mut self, stmt: &Stmt) {
        let StmtKind::Call {
            callee: Callee::Builtin(Builtin::Free),
            args,
            ..
        } = &stmt.kind
        else {
            return;
        };
        for i in 0..self.pools.len() {
            for cell in 0..self.pools[i].freed.len() {
                let (freed, address) = (self.pools[i].freed[cell], self.pools[i].addresses[cell]);
                let address = self.b.read(address);
                let same = self.b.same_pointer(address, args[0]);
                let before = self.b.read(freed);
                let now = self.b.or(before, same);
                self.b.assign(freed, now);
            }
        }
    }

    /// The result of a call that may be a new cell is kept.
    fn note_new(&mut self, kind: &StmtKind) {
        let StmtKind::Call {
            dest: Some(IrPlace::Local(local)),
            callee,
            args,
        } = kind
        else {
            return;
        };
        for i in 0..self.pools.len() {
            if !self.may_make(*callee, args, self.pools[i].record) {
                continue;
            }
            let value = self.b.read(*local);
            let kept = self.b.register("new", Ty::Ptr);
            self.b.assign(kept, value);
            self.pools[i].captured.push(kept);
        }
    }

    fn may_make(&self, callee: Callee, args: &[ExprId], record: RecordId) -> bool {
        let types = &self.task.program.types;
        match callee {
            Callee::Builtin(Builtin::Malloc) => {
                let size = types
                    .record(record)
                    .layout
                    .as_ref()
                    .map(|l| u128::from(l.size));
                let constant = match self.b.function.expr(args[0]).kind {
                    ExprKind::Const(bits) => Some(bits),
                    _ => None,
                };
                size.is_some() && constant == size
            }
            Callee::Function(id) => {
                let CType::Function(ty) = types.get(self.task.program.function(id).ty) else {
                    return false;
                };
                match types.get(ty.ret) {
                    CType::Pointer(to) => *types.get(*to) == CType::Record(record),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    // The state at the end.

    fn checks(&mut self) -> Vec<Goal> {
        let mut goals = Vec::new();
        // Registers that only some paths set are null on the others.
        self.b.go_on_in(Function::ENTRY);
        for i in 0..self.pools.len() {
            for j in 0..self.pools[i].captured.len() {
                let local = self.pools[i].captured[j];
                let null = self.b.null();
                self.b.assign(local, null);
            }
        }
        for target in self.targets() {
            if self.claim(target).is_some() {
                self.check(target, &mut goals);
            }
        }
        goals
    }

    fn check(&mut self, target: usize, goals: &mut Vec<Goal>) {
        let Some((point, formula)) = self.claim(target) else {
            return;
        };
        let n = self.task.function.blocks.len();
        self.b.go_on_in(BlockId::new(1 + n + target));
        self.fulfil((BlockId::new(n + target), 0));
        let mut view = self.state.look(&mut self.b, self.task.program, point);
        let mut shape = self.arrays_stay(&view);
        for i in 0..self.pools.len() {
            let Some(structure) = bound::structure_of(point, self.pools[i].record) else {
                continue;
            };
            let known = self.known(i);
            let (cells, is_lost) = cells::look(&mut self.b, &self.pools[i].shape, &known);
            let places = (self.state).places(&mut self.b, &view, structure, &known);
            put_list(&mut self.b, &mut view, structure, cells, places);
            let is_list = self.is_list(&view, structure, &is_lost);
            shape = self.b.and(shape, is_list);
        }
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
        self.ask(target, claims, goals);
    }

    /// A branch to an error for each claim that is chosen and does not hold.
    fn ask(&mut self, target: usize, claims: Vec<(Aim, ExprId)>, goals: &mut Vec<Goal>) {
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
            goals.push(Goal { target, aim, error });
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
    fn known(&mut self, pool: usize) -> Vec<Known> {
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

    /// Whether what the point's variables reach are disjoint lists that end in null.
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
            let bad = b.and(cells.visible[i], bad);
            let fine = b.not(bad);
            let both = b.and(good, fine);
            good = b.keep(both);
        }
        good
    }

    /// Whether bases of arrays point to the arrays that they pointed to at the start, and lengths
    /// are those of the arrays.
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
            let binding = self.state.plain(v.binding);
            let array = self.state.arrays.iter().find(|a| a.0 == binding).copied();
            let (Some((_, array, capacity)), Some(base), Some(size)) =
                (array, view.bases[structure][field], view.sizes[structure])
            else {
                return self.b.falsity();
            };
            let address = self.b.read(array);
            let same = self.b.same_pointer(address, base);
            let full = self.b.equal(capacity, size);
            let both = self.b.and(same, full);
            good = self.b.and(good, both);
        }
        self.b.keep(good)
    }

    fn finish(self, switches: Vec<InputId>, goals: Vec<Goal>) -> Derived {
        let mut program = self.b.program;
        program.functions.push(self.b.function);
        program.start = FuncId::new(program.functions.len() - 1);
        let n_cells = match self.task.cuts.list[self.from].point {
            Some(p) => (self.task.points[p].structures.iter())
                .map(|s| match s {
                    Structure::List(shape) => {
                        let pool = self.pools.iter().find(|p| p.record == shape.record);
                        pool.map_or(0, |p| p.n)
                    }
                    Structure::Array(_) => 0,
                })
                .collect(),
            None => Vec::new(),
        };
        Derived {
            program,
            switches,
            goals,
            meanings: self.meanings,
            first_own: BlockId::new(1 + self.task.function.blocks.len()),
            n_cells,
        }
    }
}
