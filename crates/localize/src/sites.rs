//! The expressions of a program that may be at fault: conditions and the parts of `&&` and `||`,
//! returned values, constants, initial values, indices, sizes, and assigned values. What a program draws is never one.

use crate::replaced::Site;
use idiolect_base::Span;
use idiolect_ir::{
    BinaryOp, Block, BlockId, Builtin, Callee, Expr, ExprId, ExprKind, FuncId, Function,
    FunctionOrigin, LocalId, LocalKind, LocalStorage, Location, Place, Program, StmtKind,
    TerminatorKind, Ty, UnaryOp,
};
use rustc_hash::FxHashSet;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SiteKind {
    Assign,
    Condition,
    Return,
    Constant,
    Index,
    /// Of memory that is asked for, copied or filled.
    Size,
    /// Nothing of it can be replaced, but it may be superfluous, or lack a guard.
    Statement,
}

impl SiteKind {
    /// As in the JSON outcome.
    pub fn word(self) -> &'static str {
        match self {
            Self::Assign => "assign",
            Self::Condition => "condition",
            Self::Return => "return",
            Self::Constant => "constant",
            Self::Index => "index",
            Self::Size => "size",
            Self::Statement => "statement",
        }
    }
}

/// Something that could be otherwise.
#[derive(Clone, Debug)]
pub(crate) struct Suspect {
    pub(crate) site: Site,
    pub(crate) at: Location,
    pub(crate) kind: SiteKind,
    pub(crate) span: Span,
    pub(crate) ty: Ty,
    /// Of a constant.
    pub(crate) own: Option<u128>,
    /// C reads it as signed.
    pub(crate) is_signed: bool,
}

/// Functions that say what is right and have nothing to be repaired.
fn is_specification(name: &str) -> bool {
    name.starts_with("__VERIFIER_") || matches!(name, "assert" | "reach_error" | "assume")
}

/// All suspects of the user's functions, in order.
pub(crate) fn suspects(program: &Program) -> Vec<Suspect> {
    let mut list = Vec::new();
    let asked = only_asserted(program);
    for (number, function) in program.functions.iter().enumerate() {
        if function.origin != FunctionOrigin::User
            || is_specification(&function.name)
            || asked[number]
        {
            continue;
        }
        let mut collector = Collector {
            program,
            function,
            id: FuncId::new(number),
            seen: FxHashSet::default(),
            list: &mut list,
        };
        for block in function.block_ids() {
            collector.block(block);
        }
    }
    list
}

/// The functions of the user that say what is right, by name.
pub fn specification_functions(program: &Program) -> Vec<String> {
    let asked = only_asserted(program);
    let list = program.functions.iter().zip(asked);
    let own = list.filter(|(f, asked)| *asked || is_specification(&f.name));
    own.map(|(f, _)| f.name.clone()).collect()
}

/// By function: whether it is called for assertions alone, and so says what is right: its result is what an
/// assertion asks for, as in `assert(is_sorted(a))`. A function whose result is compared, as in `assert(f(x) == 3)`,
/// or that is asked about constants alone, as in `assert(is_prime(7))`, is what is tested.
fn only_asserted(program: &Program) -> Vec<bool> {
    let mut n_calls = vec![0; program.functions.len()];
    let mut n_asserted = vec![0; program.functions.len()];
    for function in &program.functions {
        for block in &function.blocks {
            let asserted = asserted(program, function, block);
            for stmt in &block.stmts {
                let StmtKind::Call {
                    callee: Callee::Function(id),
                    dest,
                    args,
                } = &stmt.kind
                else {
                    continue;
                };
                let is_constant =
                    |arg: &ExprId| matches!(function.expr(*arg).kind, ExprKind::Const(_));
                let is_vector = !args.is_empty() && args.iter().all(is_constant);
                let is_asked = matches!(dest, Some(Place::Local(l)) if asserted.contains(l));
                n_calls[id.index()] += 1;
                n_asserted[id.index()] += usize::from(is_asked && !is_vector);
            }
        }
    }
    let pairs = n_calls.into_iter().zip(n_asserted);
    pairs.map(|(all, own)| all > 0 && all == own).collect()
}

/// The values kept aside in this block whose truth an assertion asks for.
fn asserted(program: &Program, function: &Function, block: &Block) -> Vec<LocalId> {
    let mut found = Vec::new();
    if let TerminatorKind::Branch {
        condition,
        then,
        otherwise,
    } = block.terminator.kind
        && [then, otherwise]
            .iter()
            .any(|&b| ends_in_error(program, function, b))
    {
        truths(function, condition, &mut found);
    }
    for stmt in &block.stmts {
        if let StmtKind::Call {
            callee: Callee::Function(id),
            args,
            ..
        } = &stmt.kind
            && is_specification(&program.function(*id).name)
        {
            for &arg in args {
                truths(function, arg, &mut found);
            }
        }
    }
    found.retain(|&l| function.local(l).kind == LocalKind::Temporary);
    found
}

/// The locals of which a condition asks nothing but whether they are true.
fn truths(function: &Function, id: ExprId, found: &mut Vec<LocalId>) {
    let is_zero = |id: ExprId| matches!(function.expr(id).kind, ExprKind::Const(0));
    match function.expr(id).kind {
        ExprKind::Local(local) => found.push(local),
        ExprKind::Convert(_, a) | ExprKind::Unary(UnaryOp::Not, a) => truths(function, a, found),
        ExprKind::Binary(BinaryOp::Ne | BinaryOp::Eq, a, b) if is_zero(b) => {
            truths(function, a, found);
        }
        ExprKind::And(a, b) | ExprKind::Or(a, b) => {
            truths(function, a, found);
            truths(function, b, found);
        }
        _ => {}
    }
}

/// Whether this block is nothing but the error: it ends with it, or calls who does.
fn ends_in_error(program: &Program, function: &Function, block: BlockId) -> bool {
    let own = function.block(block);
    let is_call = |kind: &StmtKind| match kind {
        StmtKind::Call {
            callee: Callee::Function(id),
            ..
        } => is_specification(&program.function(*id).name),
        _ => false,
    };
    matches!(own.terminator.kind, TerminatorKind::Error(_))
        || own.stmts.iter().any(|s| is_call(&s.kind))
}

/// Whether it takes the size of some memory.
fn is_sized(program: &Program, callee: &Callee) -> bool {
    match callee {
        Callee::Builtin(builtin) => matches!(
            builtin,
            Builtin::Malloc
                | Builtin::Calloc
                | Builtin::Realloc
                | Builtin::Alloca
                | Builtin::Memmove
                | Builtin::Memset
        ),
        Callee::Function(id) => {
            let function = program.function(*id);
            let name = function.name.as_str();
            function.origin == FunctionOrigin::Library
                && (name.ends_with("alloc") || name.starts_with("mem") || name.starts_with("strn"))
        }
        _ => false,
    }
}

struct Collector<'a> {
    program: &'a Program,
    function: &'a Function,
    id: FuncId,
    seen: FxHashSet<(Span, SiteKind)>,
    list: &'a mut Vec<Suspect>,
}

impl Collector<'_> {
    fn block(&mut self, block: BlockId) {
        let own = self.function.block(block);
        for (index, stmt) in own.stmts.iter().enumerate() {
            let at = Location {
                function: self.id,
                block,
                index,
            };
            match &stmt.kind {
                StmtKind::Assign { place, value } => {
                    self.assigned(at, *place, *value, stmt.span);
                    self.parts(at, *value);
                    if let Some(address) = place.address() {
                        self.parts(at, address);
                    }
                }
                StmtKind::Call { args, dest, callee } => {
                    if let (Some(place), Callee::Function(id)) = (dest, callee) {
                        self.result(at, *place, *id, stmt.span);
                    }
                    for &arg in args {
                        self.parts(at, arg);
                    }
                    if is_sized(self.program, callee) {
                        self.sizes(at, args, stmt.span);
                    }
                }
                _ => {}
            }
        }
        let at = Location {
            function: self.id,
            block,
            index: own.stmts.len(),
        };
        match &own.terminator.kind {
            // What an assertion asks for is what is right.
            TerminatorKind::Branch {
                condition,
                then,
                otherwise,
            } if !self.is_error(*then) && !self.is_error(*otherwise) => {
                self.condition(at, *condition);
                self.parts(at, *condition);
            }
            TerminatorKind::Return(Some(value)) => {
                let expr = self.function.expr(*value).clone();
                let span = if expr.span.is_nowhere() {
                    own.terminator.span
                } else {
                    expr.span
                };
                self.add(at, *value, SiteKind::Return, span);
                self.parts(at, *value);
            }
            _ => {}
        }
    }

    fn is_error(&self, block: BlockId) -> bool {
        ends_in_error(self.program, self.function, block)
    }

    fn assigned(&mut self, at: Location, place: Place, value: ExprId, span: Span) {
        let (name_kind, ty) = match place {
            Place::Local(local) => {
                let local = self.function.local(local);
                let ty = match local.storage {
                    LocalStorage::Register(ty) => ty,
                    _ => return,
                };
                (Some(local.kind), ty)
            }
            Place::Memory { ty, .. } => (None, ty),
            Place::Bits { width, .. } => (None, Ty::Int(width)),
        };
        if name_kind == Some(LocalKind::Temporary) {
            // What is kept aside is a condition or a result of a call.
            if ty == Ty::BOOL {
                self.condition(at, value);
            }
            return;
        }
        let is_signed = self.signed(value);
        self.push(Suspect {
            site: Site::Assigned(at),
            at,
            kind: SiteKind::Assign,
            span,
            ty,
            own: None,
            is_signed,
        });
    }

    /// What a call gives to a variable, unless it is an input.
    fn result(&mut self, at: Location, place: Place, callee: FuncId, span: Span) {
        let callee = self.program.function(callee);
        let Place::Local(local) = place else { return };
        let local = self.function.local(local);
        let LocalStorage::Register(ty) = local.storage else {
            return;
        };
        if callee.origin == FunctionOrigin::Synthetic
            || is_specification(&callee.name)
            || local.kind == LocalKind::Temporary
        {
            return;
        }
        self.push(Suspect {
            site: Site::Assigned(at),
            at,
            kind: SiteKind::Assign,
            span,
            ty,
            own: None,
            is_signed: true,
        });
    }

    /// The numbers that are given to it.
    fn sizes(&mut self, at: Location, args: &[ExprId], call: Span) {
        for &arg in args {
            let expr = self.function.expr(arg);
            if matches!(expr.ty, Ty::Int(_)) && !matches!(expr.kind, ExprKind::Const(_)) {
                let span = if expr.span.is_nowhere() {
                    call
                } else {
                    expr.span
                };
                self.add(at, arg, SiteKind::Size, span);
            }
        }
    }

    fn signed(&self, value: ExprId) -> bool {
        !matches!(self.function.expr(value).ty, Ty::Int(1))
    }

    fn condition(&mut self, at: Location, id: ExprId) {
        let expr = self.function.expr(id).clone();
        if expr.ty != Ty::BOOL {
            return;
        }
        self.add(at, id, SiteKind::Condition, expr.span);
        match expr.kind {
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.condition(at, a);
                self.condition(at, b);
            }
            ExprKind::Unary(_, a) => self.condition(at, a),
            _ => {}
        }
    }

    /// Constants, indices and conditions within an expression.
    fn parts(&mut self, at: Location, id: ExprId) {
        let Expr { kind, span, .. } = self.function.expr(id).clone();
        match kind {
            ExprKind::Const(_) => self.add(at, id, SiteKind::Constant, span),
            ExprKind::PtrAdd { index, .. } => {
                let index_span = self.function.expr(index).span;
                if !matches!(self.function.expr(index).kind, ExprKind::Const(_)) {
                    self.add(at, index, SiteKind::Index, index_span);
                }
            }
            ExprKind::Select { condition, .. } => self.condition(at, condition),
            ExprKind::And(..) | ExprKind::Or(..) => self.condition(at, id),
            _ => {}
        }
        kind.for_each_operand(|operand| self.parts(at, operand));
    }

    fn add(&mut self, at: Location, id: ExprId, kind: SiteKind, span: Span) {
        let expr = self.function.expr(id);
        let own = match expr.kind {
            ExprKind::Const(bits) => Some(bits),
            _ => None,
        };
        // Offsets of members, null pointers and the 1 of `i++` are not written as numbers.
        let written = self.program.sources.slice(span);
        let is_number = |c: char| c.is_ascii_digit() || "'-+(".contains(c);
        if kind == SiteKind::Constant && !written.starts_with(is_number) {
            return;
        }
        self.push(Suspect {
            site: Site::Part(at, id),
            at,
            kind,
            span,
            ty: expr.ty,
            own,
            is_signed: expr.ty != Ty::BOOL,
        });
    }

    fn push(&mut self, suspect: Suspect) {
        let can_be_other = match suspect.ty {
            Ty::Int(width) => width <= 64,
            Ty::Ptr => matches!(suspect.kind, SiteKind::Assign | SiteKind::Return),
            _ => false,
        };
        if !can_be_other
            || suspect.span.is_nowhere()
            || self.program.sources.in_system_header(suspect.span)
            || self.program.sources.place(suspect.span).is_none()
            || !self.seen.insert((suspect.span, suspect.kind))
        {
            return;
        }
        self.list.push(suspect);
    }
}
