//! A function while it is built: blocks, expressions, locals, and the jumps that C's statements
//! may make.
//!
//! Expressions of the IR are pure, but C's are not: a value that was lowered and not yet used may
//! change under a later side effect. [`Body::stabilize`] saves such a value into a temporary at
//! the [`Position`] where it was computed, and only then; so nothing needs to be known beforehand
//! about the side effects of what follows.

use super::ends::Exit;
use super::fold;
use super::generic::Constness;
use crate::symbols::Symbol;
use idiolect_base::Span;
use idiolect_ir::{
    BlockId, Expr, ExprId, ExprKind, Local, LocalId, LocalKind, LocalStorage, Place, Stmt,
    StmtKind, Terminator, TerminatorKind, Ty, TypeId,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A block without or with its end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    pub stmts: Vec<Stmt>,
    pub terminator: Option<Terminator>,
}

/// A point between two statements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Position {
    pub block: BlockId,
    pub index: usize,
}

/// Where `break` and `continue` go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Targets {
    pub break_to: BlockId,
    pub continue_to: Option<BlockId>,
    /// How many scopes are around the statement that they leave.
    pub depth: usize,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub low: u128,
    pub high: u128,
    pub block: BlockId,
    pub span: Span,
}

/// A `switch` whose body is being lowered.
#[derive(Clone, Debug)]
pub(crate) struct Switch {
    /// Values that have a label.
    pub seen: FxHashSet<u128>,
    pub cases: Vec<Case>,
    pub default: Option<BlockId>,
    pub ty: TypeId,
}

#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub block: BlockId,
    pub defined: bool,
    /// Its first mention.
    pub span: Span,
    /// Its address is this number, if it is taken.
    pub address: Option<u32>,
    /// The block scopes around it.
    pub scopes: Vec<u32>,
}

#[derive(Debug)]
pub(crate) struct Body {
    pub exprs: Vec<Expr>,
    pub locals: Vec<Local>,
    /// By local: its address is taken, so it has to live in memory.
    pub addressed: Vec<bool>,
    /// Parameters that hold the address of a record, which never changes.
    pub record_parameters: Vec<LocalId>,
    /// Of variables that have any, for `_Generic`.
    pub constness: FxHashMap<LocalId, Constness>,
    pub blocks: Vec<Draft>,
    pub current: BlockId,
    /// Counts statements and block ends, to see whether something was emitted.
    pub emitted: u64,
    pub targets: Vec<Targets>,
    pub switches: Vec<Switch>,
    pub labels: FxHashMap<Symbol, Label>,
    /// Labels in the order in which their addresses were first taken.
    pub addressed_labels: Vec<Symbol>,
    /// Where computed `goto`s meet, and the local that holds the address to go to.
    pub dispatch: Option<(BlockId, LocalId, Span)>,
    /// The C type of the function; `None` outside functions.
    pub function: Option<TypeId>,
    pub name: String,
    pub return_type: Option<TypeId>,
    /// Holds the address to copy a returned record to.
    pub return_slot: Option<LocalId>,
    /// Holds the address of the variable arguments.
    pub variable_arguments: Option<LocalId>,
    pub n_temporaries: u32,
    pub scope_count: u32,
    /// `goto`s, until all labels are known.
    pub exits: Vec<Exit>,
    /// By local with the attribute `cleanup`: the call when its life ends.
    pub cleanups: FxHashMap<LocalId, StmtKind>,
    /// Variables and compound literals, which live as long as their blocks.
    pub scoped: Vec<LocalId>,
    /// Where a union has a pointer and may have been given an integer.
    pub punned: FxHashSet<ExprId>,
    /// Pointers that are compared with the address of an object.
    pub compared: Vec<(ExprId, super::ledger::Named, &'static str, Span)>,
}

impl Body {
    pub fn new() -> Self {
        Self {
            exprs: Vec::new(),
            locals: Vec::new(),
            addressed: Vec::new(),
            record_parameters: Vec::new(),
            constness: FxHashMap::default(),
            blocks: vec![Draft::default()],
            current: BlockId(0),
            emitted: 0,
            targets: Vec::new(),
            switches: Vec::new(),
            labels: FxHashMap::default(),
            addressed_labels: Vec::new(),
            dispatch: None,
            function: None,
            name: String::new(),
            return_type: None,
            return_slot: None,
            variable_arguments: None,
            n_temporaries: 0,
            scope_count: 0,
            exits: Vec::new(),
            cleanups: FxHashMap::default(),
            scoped: Vec::new(),
            punned: FxHashSet::default(),
            compared: Vec::new(),
        }
    }

    pub fn new_block(&mut self) -> BlockId {
        self.blocks.push(Draft::default());
        BlockId::new(self.blocks.len() - 1)
    }

    /// Statements go to `block` from now on.
    pub fn start(&mut self, block: BlockId) {
        self.current = block;
    }

    /// The block that takes the next statement. After a jump this is a block that nothing
    /// reaches.
    pub fn open(&mut self) -> BlockId {
        let current = self.current;
        if self.blocks[current.index()].terminator.is_none() {
            return current;
        }
        let dead = self.new_block();
        self.start(dead);
        dead
    }

    pub fn is_open(&self) -> bool {
        self.blocks[self.current.index()].terminator.is_none()
    }

    pub fn position(&mut self) -> Position {
        let block = self.open();
        Position {
            block,
            index: self.blocks[block.index()].stmts.len(),
        }
    }

    pub fn emit(&mut self, kind: StmtKind, span: Span) {
        let block = self.open();
        self.emitted += 1;
        self.blocks[block.index()].stmts.push(Stmt { kind, span });
    }

    pub fn assign(&mut self, place: Place, value: ExprId, span: Span) {
        self.emit(StmtKind::Assign { place, value }, span);
    }

    pub fn terminate(&mut self, kind: TerminatorKind, span: Span) {
        let block = self.open();
        self.emitted += 1;
        self.blocks[block.index()].terminator = Some(Terminator { kind, span });
    }

    /// Ends the current block with a jump, if it has no end yet.
    pub fn goto(&mut self, target: BlockId, span: Span) {
        if self.is_open() {
            self.terminate(TerminatorKind::Goto(target), span);
        }
    }

    /// Ends the current block with a decision, or with a jump if the condition is constant.
    pub fn branch(&mut self, condition: ExprId, then: BlockId, otherwise: BlockId, span: Span) {
        let kind = match self.exprs[condition.index()].kind {
            ExprKind::Const(0) => TerminatorKind::Goto(otherwise),
            ExprKind::Const(_) => TerminatorKind::Goto(then),
            _ => TerminatorKind::Branch {
                condition,
                then,
                otherwise,
            },
        };
        self.terminate(kind, span);
    }

    pub fn add_local(&mut self, local: Local) -> LocalId {
        self.locals.push(local);
        self.addressed.push(false);
        LocalId::new(self.locals.len() - 1)
    }

    /// A fresh register for something that C does not name.
    pub fn temporary(&mut self, ty: Ty, c_type: TypeId, span: Span) -> LocalId {
        self.unnamed(c_type, LocalStorage::Register(ty), span)
    }

    /// A fresh local for something that C does not name.
    pub fn unnamed(&mut self, ty: TypeId, storage: LocalStorage, span: Span) -> LocalId {
        let name = format!("%{}", self.n_temporaries);
        self.n_temporaries += 1;
        self.add_local(Local {
            name,
            ty,
            kind: LocalKind::Temporary,
            storage,
            span,
            scope: Span::NOWHERE,
        })
    }

    pub fn add(&mut self, kind: ExprKind, ty: Ty, span: Span) -> ExprId {
        self.exprs.push(Expr { kind, ty, span });
        ExprId::new(self.exprs.len() - 1)
    }

    pub fn constant(&mut self, bits: u128, ty: Ty, span: Span) -> ExprId {
        self.add(ExprKind::Const(fold::mask(bits, ty)), ty, span)
    }

    pub fn read(&mut self, local: LocalId, ty: Ty, span: Span) -> ExprId {
        self.add(ExprKind::Local(local), ty, span)
    }

    pub fn load(&mut self, address: ExprId, ty: Ty, span: Span) -> ExprId {
        self.add(ExprKind::Load { address }, ty, span)
    }

    pub fn const_bits(&self, id: ExprId) -> Option<u128> {
        match self.exprs[id.index()].kind {
            ExprKind::Const(bits) => Some(bits),
            _ => None,
        }
    }

    pub fn ty(&self, id: ExprId) -> Ty {
        self.exprs[id.index()].ty
    }

    /// Whether no later statement can change the value. Looks only a few levels deep: a wrong
    /// "no" costs a temporary.
    pub fn is_stable(&self, id: ExprId) -> bool {
        self.stable_to(id, 6)
    }

    fn stable_to(&self, id: ExprId, depth: u32) -> bool {
        if depth == 0 {
            return false;
        }
        match self.exprs[id.index()].kind {
            ExprKind::Const(_)
            | ExprKind::LocalAddress(_)
            | ExprKind::GlobalAddress(_)
            | ExprKind::FunctionAddress(_) => true,
            ExprKind::Local(local) => {
                self.locals[local.index()].name.starts_with('%')
                    || self.record_parameters.contains(&local)
            }
            ExprKind::Convert(_, a) | ExprKind::Unary(_, a) => self.stable_to(a, depth - 1),
            ExprKind::PtrAdd { base, index, .. } => {
                self.stable_to(base, depth - 1) && self.stable_to(index, depth - 1)
            }
            _ => false,
        }
    }

    /// Saves a value that was complete at `position` into a temporary there, unless nothing can
    /// change it.
    ///
    /// Of several values to be saved, the latest comes first: positions before it stay right.
    pub fn stabilize(&mut self, id: ExprId, c_type: TypeId, position: Position) -> ExprId {
        if self.is_stable(id) {
            return id;
        }
        let Expr { ty, span, .. } = self.exprs[id.index()];
        let temporary = self.temporary(ty, c_type, span);
        let kind = StmtKind::Assign {
            place: Place::Local(temporary),
            value: id,
        };
        let stmts = &mut self.blocks[position.block.index()].stmts;
        stmts.insert(position.index.min(stmts.len()), Stmt { kind, span });
        self.emitted += 1;
        self.read(temporary, ty, span)
    }

    /// If `value` is the temporary that the last statement has just filled, lets that statement
    /// fill `place` instead: `x = f()` is one statement. Nothing else may use the value.
    ///
    /// A call may change what an address depends on, so that only inputs go to memory directly.
    pub fn retarget(&mut self, value: ExprId, place: Place, span: Span) -> bool {
        let ExprKind::Local(temporary) = self.exprs[value.index()].kind else {
            return false;
        };
        if !self.locals[temporary.index()].name.starts_with('%') {
            return false;
        }
        if !self.is_open() {
            return false;
        }
        let Some(last) = self.blocks[self.current.index()].stmts.last_mut() else {
            return false;
        };
        let from = Place::Local(temporary);
        match (&mut last.kind, place) {
            (StmtKind::Havoc { place: to, .. }, _) if *to == from => {
                *to = place;
                last.span = span;
                true
            }
            (
                StmtKind::Call {
                    dest: Some(dest), ..
                },
                Place::Local(_),
            ) if *dest == from => {
                *dest = place;
                true
            }
            _ => false,
        }
    }

    /// Saves a value into a temporary here and now.
    pub fn save(&mut self, id: ExprId, c_type: TypeId) -> ExprId {
        let position = self.position();
        self.stabilize(id, c_type, position)
    }
}
