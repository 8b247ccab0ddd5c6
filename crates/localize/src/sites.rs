//! The expressions of a program that may be at fault: conditions and the parts of `&&` and `||`,
//! returned values, constants, indices, and assigned values. What a program draws is never one.

use crate::replaced::Site;
use idiolect_base::Span;
use idiolect_ir::{
    BlockId, Callee, Expr, ExprId, ExprKind, FuncId, Function, FunctionOrigin, LocalKind,
    LocalStorage, Location, Place, Program, StmtKind, TerminatorKind, Ty,
};
use rustc_hash::FxHashSet;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SiteKind {
    Assign,
    Condition,
    Return,
    Constant,
    Index,
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

/// By function: whether it is called for assertions alone, and so says what is right.
fn only_asserted(program: &Program) -> Vec<bool> {
    let mut n_calls = vec![0; program.functions.len()];
    let mut n_asserted = vec![0; program.functions.len()];
    for function in &program.functions {
        for block in &function.blocks {
            let is_error = |b: BlockId| ends_in_error(program, function, b);
            let mut targets = block.terminator.kind.successors();
            let is_assertion = matches!(block.terminator.kind, TerminatorKind::Branch { .. })
                && targets.any(is_error);
            for stmt in &block.stmts {
                if let StmtKind::Call {
                    callee: Callee::Function(id),
                    dest,
                    ..
                } = &stmt.kind
                {
                    n_calls[id.index()] += 1;
                    n_asserted[id.index()] += usize::from(is_assertion && dest.is_some());
                }
            }
        }
    }
    let pairs = n_calls.into_iter().zip(n_asserted);
    pairs.map(|(all, own)| all > 0 && all == own).collect()
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
            Place::Bits { .. } => return,
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
        let is_number = match suspect.ty {
            Ty::Int(width) => width <= 64,
            _ => false,
        };
        if !is_number
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
