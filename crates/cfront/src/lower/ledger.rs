//! What a program rests on: assumptions, recorded where they are made.

use super::Lowerer;
use idiolect_base::Span;
use idiolect_ir::{
    Assumption, AssumptionKind, BinaryOp, Builtin, Callee, ConvertOp, Expr, ExprId, ExprKind, FuncId,
    Function, FunctionOrigin, GlobalId, GlobalTarget, Program, StmtKind, TerminatorKind,
};

/// An assumption and the function in whose text it was made; `None` for the start function.
pub(super) struct Entry {
    pub assumption: Assumption,
    pub function: Option<FuncId>,
}

impl Lowerer<'_> {
    /// Records an assumption of the function that is being lowered; the same one at the same place is
    /// recorded once.
    pub fn assume(
        &mut self,
        kind: AssumptionKind,
        text: &str,
        span: Span,
        option: Option<&str>,
    ) -> u32 {
        let assumption = Assumption {
            kind,
            text: text.to_owned(),
            span,
            option: option.map(str::to_owned),
        };
        let function = self.current;
        let known =
            (self.ledger.iter()).position(|e| e.function == function && e.assumption == assumption);
        if let Some(index) = known {
            return index as u32;
        }
        self.ledger.push(Entry {
            assumption,
            function,
        });
        (self.ledger.len() - 1) as u32
    }

    /// C or the platform leaves it open, and we chose; only the user's own text matters.
    fn convention(&mut self, text: &str, span: Span, option: Option<&str>) {
        if !self.is_library() && self.unevaluated == 0 {
            self.assume(AssumptionKind::Convention, text, span, option);
        }
    }

    /// Two parts of an expression call functions, and C does not say which part comes first.
    pub fn evaluation_order(&mut self, text: &str, span: Span) {
        self.convention(text, span, None);
    }

    /// Pointers are compared that may point to different objects.
    pub fn pointer_order(&mut self, a: ExprId, b: ExprId, span: Span) {
        let object = |at: ExprId| object_of(&self.body.exprs, at);
        // A pointer that walks along a known object is taken to stay in it.
        let is_open = match (object(a), object(b)) {
            (Some(a), Some(b)) => a != b,
            (None, None) => true,
            _ => false,
        };
        if is_open {
            let text = "objects lie in memory in the order in which they were made";
            self.convention(text, span, None);
        }
    }

    /// A shift by an amount that may be too large.
    pub fn shift_amount(&mut self, amount: ExprId, span: Span) {
        let expr = &self.body.exprs[amount.index()];
        let width = u128::from(expr.ty.int_width().unwrap_or(32));
        let is_small = |at: ExprId| self.body.const_bits(at).is_some_and(|bits| bits < width);
        let is_known = is_small(amount)
            || matches!(expr.kind, ExprKind::Binary(BinaryOp::BitAnd, x, y)
                if is_small(x) || is_small(y));
        if !is_known && !self.options.shifts_are_checked {
            let text = "a shift by as many bits as there are, or more, is one modulo their number";
            self.convention(text, span, Some("--property shift"));
        }
    }

    /// C that we do not model: the run gives up here, the rest stays analysable.
    pub fn unmodelled(&mut self, construct: &str, span: Span) {
        let index = self.assume(AssumptionKind::Unmodelled, construct, span, None);
        self.body.terminate(TerminatorKind::Trap(index), span);
    }
}

/// Moves the ledger into the program: traps that are left, and what functions rest on that a run may
/// come to.
pub(super) fn settle(program: &mut Program, ledger: Vec<Entry>) {
    let reachable = reachable_functions(program);
    let mut is_reached = vec![false; ledger.len()];
    for_each_index(program, |index| {
        if let Some(slot) = is_reached.get_mut(*index as usize) {
            *slot = true;
        }
    });
    let mut number = vec![0; ledger.len()];
    for (i, entry) in ledger.into_iter().enumerate() {
        let is_kept = if entry.assumption.kind.is_reached() {
            is_reached[i]
        } else {
            entry.function.is_none_or(|f| reachable[f.index()])
        };
        if !is_kept {
            continue;
        }
        // One function without a body, called in many places, is one assumption.
        let known = (program.assumptions.iter()).position(|a| {
            !a.kind.is_reached()
                && a.kind == entry.assumption.kind
                && a.text == entry.assumption.text
        });
        number[i] = known.unwrap_or(program.assumptions.len()) as u32;
        if known.is_none() {
            program.assumptions.push(entry.assumption);
        }
    }
    for_each_index(program, |index| {
        *index = number.get(*index as usize).copied().unwrap_or(0);
    });
    let own: Vec<&Function> = (program.function_ids())
        .filter(|f| reachable[f.index()])
        .map(|f| program.function(f))
        .filter(|f| f.origin == FunctionOrigin::User)
        .collect();
    let mut found = Vec::new();
    found.extend(first_of(&own, ADDRESSES, address_as_number));
    for (names, text) in MODELS {
        found.extend(first_of(&own, text, |f| call_of(program, f, names)));
    }
    program.assumptions.extend(found);
}

/// A convention, where the first of these functions rests on it.
fn first_of(
    functions: &[&Function],
    text: &str,
    place: impl Fn(&Function) -> Option<Span>,
) -> Option<Assumption> {
    let span = functions.iter().find_map(|f| place(f))?;
    Some(Assumption {
        kind: AssumptionKind::Convention,
        text: text.to_owned(),
        span,
        option: None,
    })
}

/// Functions of the library whose models do what another library need not do.
const MODELS: &[(&[&str], &str)] = &[
    (
        &["signal", "sigaction"],
        "no signal comes from outside: handlers are called by `raise` alone",
    ),
    (
        &["qsort"],
        "`qsort` compares the elements in the order of idiolect's own, and other libraries in theirs",
    ),
];

/// Where a function calls one of the library's by these names.
fn call_of(program: &Program, function: &Function, names: &[&str]) -> Option<Span> {
    let stmts = function.blocks.iter().flat_map(|b| &b.stmts);
    let mut calls = stmts.filter(|stmt| match stmt.kind {
        StmtKind::Call {
            callee: Callee::Function(f),
            ..
        } => {
            let callee = program.function(f);
            callee.origin == FunctionOrigin::Library && names.contains(&callee.name.as_str())
        }
        _ => false,
    });
    calls.next().map(|stmt| stmt.span)
}

const ADDRESSES: &str = "an address as a number is the one that idiolect gives: objects lie in the order in which they \
     were made, and freed memory is not used again";

/// Where a function looks at the number that an address is, beyond whether it is null or that of another pointer.
fn address_as_number(function: &Function) -> Option<Span> {
    let number = |id: ExprId| match function.expr(id).kind {
        ExprKind::Convert(ConvertOp::PtrToInt, _) => true,
        // Two objects that are named.
        ExprKind::Binary(BinaryOp::PtrDiff, a, b) => {
            let objects = (object_of(&function.exprs, a), object_of(&function.exprs, b));
            matches!(objects, (Some(a), Some(b)) if a != b)
        }
        _ => false,
    };
    let is_null = |id: ExprId| matches!(function.expr(id).kind, ExprKind::Const(0));
    let mut found: Option<ExprId> = None;
    let mut used = |id: ExprId| {
        if found.is_none() && number(id) {
            found = Some(id);
        }
    };
    for expr in &function.exprs {
        match expr.kind {
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b)
                if (number(a) || is_null(a)) && (number(b) || is_null(b)) => {}
            ExprKind::Convert(ConvertOp::IntToPtr, _) => {}
            _ => expr.kind.for_each_operand(&mut used),
        }
    }
    for block in &function.blocks {
        for stmt in &block.stmts {
            stmt.kind.for_each_expr(&mut used);
        }
        block.terminator.kind.expr().into_iter().for_each(&mut used);
    }
    found.map(|id| function.expr(id).span)
}

/// The object that an address names by itself: whether it is a local one, and its number.
fn object_of(exprs: &[Expr], mut at: ExprId) -> Option<(bool, u32)> {
    loop {
        match exprs[at.index()].kind {
            ExprKind::PtrAdd { base, .. } => at = base,
            ExprKind::LocalAddress(local) => return Some((true, local.0)),
            ExprKind::GlobalAddress(global) => return Some((false, global.0)),
            _ => return None,
        }
    }
}

/// Every place of the program that names an assumption.
fn for_each_index(program: &mut Program, mut visit: impl FnMut(&mut u32)) {
    for function in &mut program.functions {
        for block in &mut function.blocks {
            for stmt in &mut block.stmts {
                if let StmtKind::Call {
                    callee: Callee::Builtin(Builtin::Truncate(index)),
                    ..
                } = &mut stmt.kind
                {
                    visit(index);
                }
            }
            if let TerminatorKind::Trap(index) = &mut block.terminator.kind {
                visit(index);
            }
        }
    }
}

/// Functions that the start function calls, or whose address it can come to, directly or not.
fn reachable_functions(program: &Program) -> Vec<bool> {
    let mut functions = vec![false; program.functions.len()];
    let mut globals = vec![false; program.globals.len()];
    let mut open = vec![GlobalTarget::Function(program.start)];
    while let Some(target) = open.pop() {
        match target {
            GlobalTarget::Function(id) => {
                if std::mem::replace(&mut functions[id.index()], true) {
                    continue;
                }
                let function = program.function(id);
                for expr in &function.exprs {
                    match expr.kind {
                        ExprKind::FunctionAddress(f) => open.push(GlobalTarget::Function(f)),
                        ExprKind::GlobalAddress(g) => open.push(GlobalTarget::Global(g)),
                        _ => {}
                    }
                }
                for stmt in function.blocks.iter().flat_map(|b| &b.stmts) {
                    if let StmtKind::Call {
                        callee: Callee::Function(f),
                        ..
                    } = stmt.kind
                    {
                        open.push(GlobalTarget::Function(f));
                    }
                }
            }
            GlobalTarget::Global(id) => {
                if !std::mem::replace(&mut globals[id.index()], true) {
                    let relocations = &program.global(GlobalId::new(id.index())).relocations;
                    open.extend(relocations.iter().map(|r| r.target));
                }
            }
        }
    }
    functions
}
