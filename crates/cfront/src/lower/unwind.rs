//! `setjmp` and `longjmp` as returns, for those who do not run a program but reason about it.
//!
//! A jump notes the number that its buffer holds and returns, function by function. After each call that may end like
//! this, a function looks whether somebody jumps, and if one of its own `setjmp`s has that number, goes on behind it.
//! Variables keep the values that they have at the time of the jump, as they do in runs. A number that nobody has any
//! more, because the function has returned or the buffer was never set, comes to the start function and is a fault.

use idiolect_base::Span;
use idiolect_ir::ctype::{FloatKind, IntKind};
use idiolect_ir::{
    BinaryOp, Block, BlockId, Builtin, CType, Callee, Expr, ExprId, ExprKind, FaultKind, FuncId,
    Function, Global, GlobalId, GlobalTarget, Local, LocalId, LocalKind, LocalStorage, Place,
    Program, Stmt, StmtKind, Terminator, TerminatorKind, Ty, TypeId, Types,
};

const NUMBER: Ty = Ty::Int(32);
/// What no buffer holds.
const NOBODY: u128 = 0xffff_ffff;

/// Rewrites all jumps of a program. One without jumps stays as it is.
pub(super) fn eliminate(program: &mut Program) {
    let jumps = Jumps::of(program);
    if !jumps.functions.contains(&true) {
        return;
    }
    let int = program.types.int(IntKind::Int);
    let mut global = |name: &str| {
        program.globals.push(Global {
            name: name.to_owned(),
            ty: int,
            size: 4,
            align: 4,
            bytes: Vec::new(),
            relocations: Vec::new(),
            read_only: false,
            is_unwritten: false,
            is_library: true,
            function: None,
            span: Span::NOWHERE,
        });
        GlobalId::new(program.globals.len() - 1)
    };
    let shared = Shared {
        target: global("%jump"),
        value: global("%jump value"),
        last: global("%last jump"),
        int,
    };
    for id in program.function_ids() {
        let function = &program.functions[id.index()];
        if jumps.functions[id.index()] || has(function, Builtin::Setjmp) {
            let mut rewriter = Rewriter {
                function: function.clone(),
                types: &mut program.types,
                jumps: &jumps,
                shared: &shared,
                sites: Vec::new(),
            };
            rewriter.rewrite(id == program.start);
            program.functions[id.index()] = rewriter.function;
        }
    }
}

/// Which calls may end with a jump.
struct Jumps {
    functions: Vec<bool>,
    pointers: bool,
}

impl Jumps {
    fn of(program: &Program) -> Self {
        let longjmp = |f: &Function| has(f, Builtin::Longjmp);
        let mut jumps = Self {
            functions: program.functions.iter().map(longjmp).collect(),
            pointers: false,
        };
        loop {
            let may = |f: &Function| stmts(f).any(|stmt| jumps.may(stmt));
            let next: Vec<bool> = (program.functions.iter().zip(&jumps.functions))
                .map(|(f, &is_known)| is_known || may(f))
                .collect();
            let is_jumping = |id: FuncId| next[id.index()] && is_address_taken(program, id);
            let pointers = program.function_ids().any(is_jumping);
            let is_done = next == jumps.functions && pointers == jumps.pointers;
            jumps = Self {
                functions: next,
                pointers,
            };
            if is_done {
                return jumps;
            }
        }
    }

    fn may(&self, stmt: &Stmt) -> bool {
        match stmt.kind {
            StmtKind::Call { callee, .. } => match callee {
                Callee::Function(id) => self.functions[id.index()],
                Callee::Pointer { .. } => self.pointers,
                Callee::Builtin(_) => false,
            },
            _ => false,
        }
    }
}

fn stmts(function: &Function) -> impl Iterator<Item = &Stmt> {
    function.blocks.iter().flat_map(|b| &b.stmts)
}

fn is_call_of(stmt: &Stmt, builtin: Builtin) -> bool {
    matches!(stmt.kind, StmtKind::Call { callee: Callee::Builtin(b), .. } if b == builtin)
}

fn has(function: &Function, builtin: Builtin) -> bool {
    stmts(function).any(|stmt| is_call_of(stmt, builtin))
}

fn is_address_taken(program: &Program, id: FuncId) -> bool {
    let mut exprs = program.functions.iter().flat_map(|f| &f.exprs);
    let mut relocations = program.globals.iter().flat_map(|g| &g.relocations);
    exprs.any(|e| e.kind == ExprKind::FunctionAddress(id))
        || relocations.any(|r| r.target == GlobalTarget::Function(id))
}

/// Variables of the whole program.
struct Shared {
    /// The number of the place that somebody jumps to, or 0.
    target: GlobalId,
    value: GlobalId,
    /// The last number that was given to a place.
    last: GlobalId,
    int: TypeId,
}

/// A `setjmp`: the variable that has its number in this call of the function, where its result goes, and the block
/// behind it.
#[derive(Clone, Copy)]
struct Site {
    number: LocalId,
    dest: Option<Place>,
    after: BlockId,
}

struct Rewriter<'a> {
    function: Function,
    types: &'a mut Types,
    jumps: &'a Jumps,
    shared: &'a Shared,
    sites: Vec<Site>,
}

impl Rewriter<'_> {
    fn rewrite(&mut self, is_start: bool) {
        let span = self.function.span;
        // The first block becomes one that nobody jumps to.
        let first = self.block(Vec::new(), TerminatorKind::Goto(Function::ENTRY), span);
        self.function.blocks.swap(0, first.index());
        for block in &mut self.function.blocks {
            retarget(&mut block.terminator.kind, first);
        }
        self.function.blocks[0].terminator.kind = TerminatorKind::Goto(first);
        let dispatch = self.block(Vec::new(), TerminatorKind::Goto(first), span);
        let mut at = 1;
        while at < self.function.blocks.len() {
            self.rewrite_block(BlockId::new(at), dispatch);
            at += 1;
        }
        self.dispatch(dispatch, is_start);
        for i in 0..self.sites.len() {
            let number = self.sites[i].number;
            let zero = self.constant(0, NUMBER, span);
            let stmt = assign(Place::Local(number), zero, span);
            self.function.blocks[0].stmts.push(stmt);
        }
    }

    /// Rewrites the first statement of a block that has to do with jumps; what follows is a block of its own.
    fn rewrite_block(&mut self, id: BlockId, dispatch: BlockId) {
        let concerns = |stmt: &Stmt| {
            let builtins = [Builtin::Setjmp, Builtin::Longjmp];
            builtins.iter().any(|&b| is_call_of(stmt, b)) || self.jumps.may(stmt)
        };
        let block = &mut self.function.blocks[id.index()];
        let Some(i) = block.stmts.iter().position(concerns) else {
            return;
        };
        let rest = block.stmts.split_off(i + 1);
        let Some(Stmt { kind, span }) = block.stmts.pop() else {
            return;
        };
        let StmtKind::Call { dest, callee, args } = kind else {
            return;
        };
        let goes_on = TerminatorKind::Goto(dispatch);
        let terminator = std::mem::replace(&mut block.terminator.kind, goes_on);
        let end = block.terminator.span;
        match (callee, args.as_slice()) {
            (Callee::Builtin(Builtin::Longjmp), &[buffer, value]) => {
                self.jump(id, buffer, value, span);
            }
            (Callee::Builtin(Builtin::Setjmp), &[buffer]) => {
                let after = self.block(rest, terminator, end);
                self.set(id, buffer, dest, after, span);
            }
            _ => {
                let result = dest.map(|place| (place, self.result_local(place, span)));
                let new_dest = result.map(|(_, local)| Place::Local(local));
                let mut rest = rest;
                if let Some((place, local)) = result {
                    let ty = self.place_ty(place);
                    let value = self.expr(ExprKind::Local(local), ty, span);
                    rest.insert(0, assign(place, value, span));
                }
                let after = self.block(rest, terminator, end);
                let call = StmtKind::Call {
                    dest: new_dest,
                    callee,
                    args,
                };
                self.push(id, Stmt { kind: call, span });
                let target = self.load(self.shared.target, span);
                let zero = self.constant(0, NUMBER, span);
                let condition = self.binary(BinaryOp::Eq, target, zero, Ty::BOOL, span);
                self.function.blocks[id.index()].terminator.kind = TerminatorKind::Branch {
                    condition,
                    then: after,
                    otherwise: dispatch,
                };
            }
        }
    }

    /// Notes where to go, and with which value. 0 would look as if `setjmp` returned for the first time.
    fn jump(&mut self, block: BlockId, buffer: ExprId, value: ExprId, span: Span) {
        let zero = self.constant(0, NUMBER, span);
        let (one, nobody) = (
            self.constant(1, NUMBER, span),
            self.constant(NOBODY, NUMBER, span),
        );
        let held = self.expr(ExprKind::Load { address: buffer }, NUMBER, span);
        let number = self.or_else(held, zero, nobody, span);
        let value = self.or_else(value, zero, one, span);
        // Nothing of the program lies between the two.
        let stmts = [(self.shared.value, value), (self.shared.target, number)];
        for (global, value) in stmts {
            let place = self.place(global, span);
            self.push(block, assign(place, value, span));
        }
    }

    fn or_else(&mut self, value: ExprId, zero: ExprId, otherwise: ExprId, span: Span) -> ExprId {
        let condition = self.binary(BinaryOp::Eq, value, zero, Ty::BOOL, span);
        let kind = ExprKind::Select {
            condition,
            then: otherwise,
            otherwise: value,
        };
        self.expr(kind, NUMBER, span)
    }

    fn set(
        &mut self,
        block: BlockId,
        buffer: ExprId,
        dest: Option<Place>,
        after: BlockId,
        span: Span,
    ) {
        let number = self.local(self.shared.int, NUMBER, span);
        let last = self.load(self.shared.last, span);
        let one = self.constant(1, NUMBER, span);
        let next = self.binary(BinaryOp::Add { signed: false }, last, one, NUMBER, span);
        self.push(block, assign(Place::Local(number), next, span));
        let value = self.expr(ExprKind::Local(number), NUMBER, span);
        let place = self.place(self.shared.last, span);
        self.push(block, assign(place, value, span));
        let place = Place::Memory {
            address: buffer,
            ty: NUMBER,
        };
        self.push(block, assign(place, value, span));
        if let Some(dest) = dest {
            let zero = self.constant(0, NUMBER, span);
            self.push(block, assign(dest, zero, span));
        }
        self.function.blocks[block.index()].terminator.kind = TerminatorKind::Goto(after);
        self.sites.push(Site {
            number,
            dest,
            after,
        });
    }

    /// Where everybody goes who jumps: behind the `setjmp` that has the number, or back to the caller.
    fn dispatch(&mut self, first: BlockId, is_start: bool) {
        let span = self.function.span;
        let mut at = first;
        for i in 0..self.sites.len() {
            let Site {
                number,
                dest,
                after,
            } = self.sites[i];
            let back = self.block(Vec::new(), TerminatorKind::Goto(after), span);
            let next = self.block(Vec::new(), TerminatorKind::Goto(after), span);
            if let Some(dest) = dest {
                let value = self.load(self.shared.value, span);
                self.push(back, assign(dest, value, span));
            }
            let zero = self.constant(0, NUMBER, span);
            let place = self.place(self.shared.target, span);
            self.push(back, assign(place, zero, span));
            let target = self.load(self.shared.target, span);
            let own = self.expr(ExprKind::Local(number), NUMBER, span);
            let condition = self.binary(BinaryOp::Eq, own, target, Ty::BOOL, span);
            self.function.blocks[at.index()].terminator.kind = TerminatorKind::Branch {
                condition,
                then: back,
                otherwise: next,
            };
            at = next;
        }
        let result = self.function.ret.map(|ty| self.constant(0, ty, span));
        self.function.blocks[at.index()].terminator.kind = if is_start {
            TerminatorKind::Fault(FaultKind::UseAfterReturn)
        } else {
            TerminatorKind::Return(result)
        };
    }

    /// A variable for the result of a call, which counts only if the call returns.
    fn result_local(&mut self, place: Place, span: Span) -> LocalId {
        let ty = self.place_ty(place);
        let c_type = match place {
            Place::Local(local) => self.function.local(local).ty,
            _ => self.c_type(ty),
        };
        self.local(c_type, ty, span)
    }

    fn place_ty(&self, place: Place) -> Ty {
        match place {
            Place::Local(local) => match self.function.local(local).storage {
                LocalStorage::Register(ty) => ty,
                _ => NUMBER,
            },
            Place::Memory { ty, .. } => ty,
            Place::Bits { width, .. } => Ty::Int(width),
        }
    }

    fn c_type(&mut self, ty: Ty) -> TypeId {
        let int = |kind| CType::Int(kind);
        let float = |kind| CType::Float(kind);
        let c_type = match ty {
            Ty::Int(0..=8) => int(IntKind::UChar),
            Ty::Int(9..=16) => int(IntKind::UShort),
            Ty::Int(17..=32) => int(IntKind::UInt),
            Ty::Int(_) => int(IntKind::ULongLong),
            Ty::F32 => float(FloatKind::Float),
            Ty::F64 => float(FloatKind::Double),
            Ty::F80 => float(FloatKind::LongDouble),
            Ty::Ptr => {
                let void = self.types.intern(CType::Void);
                CType::Pointer(void)
            }
        };
        self.types.intern(c_type)
    }

    fn local(&mut self, ty: TypeId, storage: Ty, span: Span) -> LocalId {
        let id = LocalId::new(self.function.locals.len());
        self.function.locals.push(Local {
            name: format!("%jump{}", id.index()),
            ty,
            kind: LocalKind::Temporary,
            storage: LocalStorage::Register(storage),
            span,
            scope: span,
        });
        id
    }

    fn block(&mut self, stmts: Vec<Stmt>, kind: TerminatorKind, span: Span) -> BlockId {
        let terminator = Terminator { kind, span };
        self.function.blocks.push(Block { stmts, terminator });
        BlockId::new(self.function.blocks.len() - 1)
    }

    fn push(&mut self, block: BlockId, stmt: Stmt) {
        self.function.blocks[block.index()].stmts.push(stmt);
    }

    fn expr(&mut self, kind: ExprKind, ty: Ty, span: Span) -> ExprId {
        self.function.exprs.push(Expr { kind, ty, span });
        ExprId::new(self.function.exprs.len() - 1)
    }

    fn constant(&mut self, bits: u128, ty: Ty, span: Span) -> ExprId {
        self.expr(ExprKind::Const(bits), ty, span)
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, ty: Ty, span: Span) -> ExprId {
        self.expr(ExprKind::Binary(op, a, b), ty, span)
    }

    fn place(&mut self, global: GlobalId, span: Span) -> Place {
        let address = self.expr(ExprKind::GlobalAddress(global), Ty::Ptr, span);
        Place::Memory {
            address,
            ty: NUMBER,
        }
    }

    fn load(&mut self, global: GlobalId, span: Span) -> ExprId {
        let address = self.expr(ExprKind::GlobalAddress(global), Ty::Ptr, span);
        self.expr(ExprKind::Load { address }, NUMBER, span)
    }
}

fn assign(place: Place, value: ExprId, span: Span) -> Stmt {
    let kind = StmtKind::Assign { place, value };
    Stmt { kind, span }
}

/// Whoever went to the first block goes to another one.
fn retarget(kind: &mut TerminatorKind, to: BlockId) {
    let moved = |at: BlockId| if at == Function::ENTRY { to } else { at };
    match kind {
        TerminatorKind::Goto(at) => *at = moved(*at),
        TerminatorKind::Branch {
            then, otherwise, ..
        } => {
            *then = moved(*then);
            *otherwise = moved(*otherwise);
        }
        _ => {}
    }
}
