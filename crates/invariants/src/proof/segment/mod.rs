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

mod array_call;
mod call;
mod code;
mod end;
mod hypotheses;
mod known;
mod measure;
mod start;

pub(super) use start::any_datum;

use super::bound::NoBound;
use super::contract::Contract;
use super::cuts::Cuts;
use super::indices::Value;
use super::state::State;
use idiolect_ir::build::{Builder, Number};
use idiolect_ir::ctype::{FunctionType, RecordId};
use idiolect_ir::{
    Block, BlockId, CType, Callee, ExprId, ExprKind, FuncId, Function, FunctionOrigin, InputId,
    LocalId, LocalKind, Program, StmtKind, Terminator, TerminatorKind, Ty,
};
use idiolect_quantified::formula::Formula;
use idiolect_quantified::point::{ListShape, Point, Structure};

/// What is to be proved of one function.
pub(super) struct Task<'a> {
    pub program: &'a Program,
    pub id: FuncId,
    pub function: &'a Function,
    /// Those of other functions, which may be called, are here, too.
    pub points: &'a [&'a Point],
    pub formulas: &'a [&'a Formula],
    pub contracts: &'a [Contract],
    pub cuts: Cuts,
    /// The number of the first cut; those of all functions are numbered through.
    pub first_cut: usize,
    /// No obligation is looked at with more cells than this.
    pub max_cells: usize,
}

impl<'a> Task<'a> {
    /// The points of the function itself.
    pub fn own_points(&self) -> Vec<&'a Point> {
        let own = self.points.iter().filter(|p| p.function == self.id);
        own.copied().collect()
    }

    /// The contract that a call is described by.
    pub fn contract(&self, kind: &StmtKind) -> Option<&'a Contract> {
        match kind {
            StmtKind::Call {
                callee: Callee::Function(id),
                ..
            } => self.contracts.iter().find(|c| c.function == *id),
            _ => None,
        }
    }
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
    /// The cut that it is claimed at, among those of all functions.
    pub target: usize,
    /// The claim there.
    pub claim: usize,
    pub aim: Aim,
    /// The block that is reached if it does not hold.
    pub error: BlockId,
    /// In a run that looks at the claim, this input is 0 if the goal does not hold.
    pub shown: InputId,
    /// Which look at a claim it belongs to, by the position of its first goal.
    pub look: usize,
}

/// An obligation as a program.
pub(super) struct Derived {
    pub program: Program,
    pub switches: Vec<Switch>,
    pub goals: Vec<Goal>,
    pub meanings: Vec<(InputId, Meaning)>,
    /// Blocks that look at a state, and the goal that it can be looked at. The code and its faults
    /// are in the other ones.
    pub looking: Vec<(BlockId, usize)>,
    /// The cuts whose claims are assumed: the start, and the exits of functions that are called.
    pub uses: Vec<usize>,
    /// Cells of each list structure at the start.
    pub n_cells: Vec<usize>,
    /// A pointer into an array may be kept across a call that changes it, in which case it is a use
    /// of freed memory.
    pub may_be_stale: bool,
}

/// A conjunct of a claim is assumed where this input is not 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Switch {
    pub claim: usize,
    pub conjunct: usize,
    pub input: InputId,
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
    /// The calls that are described by contracts.
    calls: Vec<&'a Contract>,
    switches: Vec<Switch>,
    goals: Vec<Goal>,
    looking: Vec<(BlockId, usize)>,
    /// Some call works on arrays.
    has_array_calls: bool,
    /// The indices that hypotheses are assumed at, as they were at the start.
    kept_indices: Vec<Number>,
    /// For each of these, where a call that copies found what it put there.
    sources: Vec<Number>,
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
    deriver.check_array_calls()?;
    deriver.check_pointers()?;
    deriver.measure()?;
    deriver.measure_data();
    deriver.prologue();
    deriver.instrument();
    deriver.checks();
    Ok(deriver.finish())
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
        let state = State::new(&mut b, task.function, &task.own_points());
        let stmts = segment
            .iter()
            .flat_map(|&id| &task.function.block(id).stmts);
        let calls = stmts.filter_map(|s| task.contract(&s.kind)).collect();
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
            calls,
            switches: Vec::new(),
            goals: Vec::new(),
            looking: Vec::new(),
            has_array_calls: false,
            kept_indices: Vec::new(),
            sources: Vec::new(),
        }
    }

    fn claim(&self, cut: usize) -> Option<(&'a Point, &'a Formula)> {
        Some(self.numbered(self.task.cuts.list[cut].point?))
    }

    fn numbered(&self, claim: usize) -> (&'a Point, &'a Formula) {
        (self.task.points[claim], self.task.formulas[claim])
    }

    /// What has to be shown on the way or at the end: claims at the next cuts, and at the entries of
    /// functions that are called.
    fn aims(&self) -> Vec<(&'a Point, &'a Formula)> {
        let ends = self.targets().into_iter().filter_map(|cut| self.claim(cut));
        let calls = self.calls.iter().map(|c| self.numbered(c.entry.claim));
        ends.chain(calls).collect()
    }

    fn targets(&self) -> Vec<usize> {
        self.task.cuts.targets(self.task.function, self.from)
    }

    fn finish(self) -> Derived {
        let may_be_stale = self.has_array_calls && self.keeps_pointers();
        let mut uses: Vec<usize> = self.calls.iter().map(|c| c.exit.cut).collect();
        uses.push(self.task.first_cut + self.from);
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
            switches: self.switches,
            goals: self.goals,
            meanings: self.meanings,
            looking: self.looking,
            uses,
            n_cells,
            may_be_stale,
        }
    }
}
