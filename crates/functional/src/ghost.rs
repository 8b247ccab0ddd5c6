//! A copy of a function with registers that the program never reads (*ghosts*): they remember or count something,
//! so that what a function does can be said with them.
//!
//! A ghost is only ever assigned by statements that are put between those of the program, and these assign nothing
//! else. What is proved of the copy is so proved of the function.

use idiolect_invariants::shapes;
use idiolect_ir::ctype::IntKind;
use idiolect_ir::{
    BinaryOp, BlockId, ConvertOp, Expr, ExprId, ExprKind, FuncId, Function, Local, LocalId,
    LocalKind, LocalStorage, Place, Program, Stmt, StmtKind, TerminatorKind, Ty, TypeId,
};

/// An element of an array that a pointer parameter points to, which nothing assigns to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Element {
    pub array: LocalId,
    /// Of pointer width; nothing for the first one.
    pub index: Option<ExprId>,
}

/// The element at an address, if it is written `a[i]`.
pub(super) fn element(function: &Function, modified: &[bool], address: ExprId) -> Option<Element> {
    let (base, index) = match function.expr(address).kind {
        ExprKind::PtrAdd { base, index, .. } => (base, Some(index)),
        _ => (address, None),
    };
    match function.expr(base).kind {
        ExprKind::Local(array) if function.params.contains(&array) && !modified[array.index()] => {
            Some(Element { array, index })
        }
        _ => None,
    }
}

/// The elements that an expression reads, in the order of the expression.
pub(super) fn loads(
    function: &Function,
    modified: &[bool],
    expr: ExprId,
) -> Vec<(ExprId, Element)> {
    let mut found = Vec::new();
    collect(function, modified, expr, &mut found);
    found
}

fn collect(
    function: &Function,
    modified: &[bool],
    expr: ExprId,
    found: &mut Vec<(ExprId, Element)>,
) {
    let kind = &function.expr(expr).kind;
    if let ExprKind::Load { address } = *kind
        && let Some(element) = element(function, modified, address)
    {
        found.push((expr, element));
    }
    kind.for_each_operand(|e| collect(function, modified, e, found));
}

/// A store to an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Store {
    pub at: (BlockId, usize),
    pub array: LocalId,
    pub address: ExprId,
    pub value: ExprId,
}

/// All writes to memory, if each of them is one to an element of an array that a parameter points to.
pub(super) fn stores(function: &Function, modified: &[bool]) -> Option<Vec<Store>> {
    let mut found = Vec::new();
    for block in function.block_ids() {
        for (i, stmt) in function.block(block).stmts.iter().enumerate() {
            match stmt.kind {
                StmtKind::Assign {
                    place: Place::Memory { address, .. },
                    value,
                } => found.push(Store {
                    at: (block, i),
                    array: element(function, modified, address)?.array,
                    address,
                    value,
                }),
                StmtKind::Assign {
                    place: Place::Local(_),
                    ..
                }
                | StmtKind::Assume { .. }
                | StmtKind::Mark { .. } => {}
                _ => return None,
            }
        }
    }
    Some(found)
}

/// The copy in the making. Statements are put in front of those of the original, by their places in it.
pub(super) struct Copy {
    pub program: Program,
    pub id: FuncId,
    pub function: Function,
    new: Vec<(BlockId, usize, Stmt)>,
    pub int: TypeId,
    pub long: TypeId,
}

impl Copy {
    /// Nothing if the first block is one that the function comes back to.
    pub fn new(program: &Program, id: FuncId) -> Option<Self> {
        let function = program.function(id).clone();
        let is_first = |b: BlockId| b == Function::ENTRY;
        let comes_back = (function.blocks.iter()).any(|b| match b.terminator.kind {
            TerminatorKind::Goto(to) => is_first(to),
            TerminatorKind::Branch {
                then, otherwise, ..
            } => is_first(then) || is_first(otherwise),
            _ => false,
        });
        if comes_back {
            return None;
        }
        let mut program = program.clone();
        let int = program.types.int(IntKind::Int);
        let long = program.types.int(IntKind::Long);
        Some(Copy {
            program,
            id,
            function,
            new: Vec::new(),
            int,
            long,
        })
    }

    /// The width of the type of indices.
    pub fn wide(&self) -> Ty {
        self.program.types.scalar(self.long).unwrap_or(Ty::Int(64))
    }

    /// A ghost with its first value.
    pub fn ghost(&mut self, name: &str, ty: TypeId, first: i64) -> LocalId {
        let register = self.program.types.scalar(ty).unwrap_or(Ty::Int(32));
        let span = self.function.span;
        self.function.locals.push(Local {
            name: name.to_owned(),
            ty,
            kind: LocalKind::Variable,
            storage: LocalStorage::Register(register),
            span,
            scope: span,
        });
        let ghost = LocalId::new(self.function.locals.len() - 1);
        let value = self.constant(first, register);
        self.before((Function::ENTRY, 0), ghost, value);
        ghost
    }

    /// One more parameter: any value, which is never changed.
    pub fn parameter(&mut self, name: &str, ty: TypeId) -> LocalId {
        let types = &mut self.program.types;
        shapes::add(&mut self.function, types, name.to_owned(), ty)
    }

    pub fn expr(&mut self, kind: ExprKind, ty: Ty) -> ExprId {
        let span = self.function.span;
        self.function.exprs.push(Expr { kind, ty, span });
        ExprId::new(self.function.exprs.len() - 1)
    }

    pub fn constant(&mut self, value: i64, ty: Ty) -> ExprId {
        let mask = match ty {
            Ty::Int(width @ 1..=127) => (1u128 << width) - 1,
            _ => u128::MAX,
        };
        self.expr(ExprKind::Const(value as i128 as u128 & mask), ty)
    }

    pub fn read(&mut self, local: LocalId) -> ExprId {
        let ty = match self.function.local(local).storage {
            LocalStorage::Register(ty) => ty,
            _ => Ty::Ptr,
        };
        self.expr(ExprKind::Local(local), ty)
    }

    pub fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        let ty = if op.is_comparison() {
            Ty::BOOL
        } else {
            self.function.expr(left).ty
        };
        self.expr(ExprKind::Binary(op, left, right), ty)
    }

    /// A condition as a number.
    pub fn as_number(&mut self, condition: ExprId, ty: Ty) -> ExprId {
        self.expr(ExprKind::Convert(ConvertOp::ZeroExtend, condition), ty)
    }

    /// Assigns to a ghost before a statement of the original, or before the end of its block.
    pub fn before(&mut self, at: (BlockId, usize), ghost: LocalId, value: ExprId) {
        let span = self.function.span;
        let kind = StmtKind::Assign {
            place: Place::Local(ghost),
            value,
        };
        self.new.push((at.0, at.1, Stmt { kind, span }));
    }

    /// The program with the copy in place of the original.
    pub fn finish(mut self) -> Program {
        for (b, block) in self.function.blocks.iter_mut().enumerate() {
            let id = BlockId::new(b);
            let old = std::mem::take(&mut block.stmts);
            let n = old.len();
            let mut old = old.into_iter();
            for i in 0..=n {
                let here = self.new.iter().filter(|(at, j, _)| *at == id && *j == i);
                block.stmts.extend(here.map(|(_, _, stmt)| stmt.clone()));
                block.stmts.extend(old.next());
            }
        }
        self.program.functions[self.id.index()] = self.function;
        shapes::pad_calls(&mut self.program, self.id);
        self.program
    }
}
