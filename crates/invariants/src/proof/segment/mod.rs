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

mod code;
mod end;
mod hypotheses;
mod measure;
mod start;

pub(super) use start::any_datum;

use super::bound::NoBound;
use super::builder::{Builder, Number};
use super::cuts::Cuts;
use super::indices::Value;
use super::state::State;
use crate::formula::Formula;
use crate::point::{ListShape, Point, Structure};
use idiolect_ir::ctype::{FunctionType, RecordId};
use idiolect_ir::{
    Block, BlockId, CType, ExprId, ExprKind, FuncId, Function, FunctionOrigin, InputId, LocalId,
    LocalKind, Program, Terminator, TerminatorKind, Ty,
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
