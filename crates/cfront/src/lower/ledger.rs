//! What a program rests on: assumptions, recorded where they are made.

use super::Lowerer;
use super::convert::Value;
use idiolect_base::Span;
use idiolect_ir::ctype::{CType, DataModel, IntKind};
use idiolect_ir::{
    Assumption, AssumptionKind, BinaryOp, Builtin, Callee, ExprId, ExprKind, FuncId, Function,
    Global, GlobalId, GlobalTarget, LocalKind, Place, Program, StmtKind, TerminatorKind, Ty,
    TypeId,
};

/// An object by its number, and whether it is a local one.
pub(super) type Named = (bool, u32);

const ORDER: &str = "objects lie in memory in the order in which they were made";
const ONCE: &str = "no object lies where one lay that is no more";
const APART: &str = "no object begins where another one ends";

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

    /// A constant does not fit into the integer that it becomes, and compilers disagree on what it is then.
    pub fn unfit_constant(&mut self, span: Span) {
        let text =
            "a floating-point constant that does not fit into an integer loses its upper bits";
        self.convention(text, span, None);
    }

    /// The same where a compiler computes it: those that we know take the nearest number.
    pub fn unfit_initializer(&mut self, span: Span) {
        let text = "a floating-point constant that does not fit into an integer becomes the nearest one in an initial value";
        self.convention(text, span, None);
    }

    /// Pointers are compared that may point to different objects.
    pub fn pointer_order(&mut self, a: ExprId, b: ExprId, span: Span) {
        let (first, second) = (self.object_of(a), self.object_of(b));
        let is_open = match (first, second) {
            (Some(first), Some(second)) => first != second,
            (None, None) => true,
            // A pointer that walks along the object stays in it; which ones do is known when the function is.
            (Some(object), None) => self.compared_later(b, object, ORDER, span),
            (None, Some(object)) => self.compared_later(a, object, ORDER, span),
        };
        if is_open {
            self.convention(ORDER, span, None);
        }
    }

    /// Keeps a comparison of a pointer with the address of an object until the end of the function.
    fn compared_later(
        &mut self,
        pointer: ExprId,
        object: Named,
        text: &'static str,
        span: Span,
    ) -> bool {
        if !self.is_library() && self.unevaluated == 0 {
            self.body.compared.push((pointer, object, text, span));
        }
        false
    }

    /// Comparisons of pointers with addresses of objects that they may not point into.
    pub fn settle_orders(&mut self) {
        for (pointer, object, text, span) in std::mem::take(&mut self.body.compared) {
            if !self.stays_in(pointer, object) {
                self.convention(text, span, None);
            }
        }
    }

    /// Whether a pointer is a variable that only ever moves along this object.
    fn stays_in(&self, pointer: ExprId, object: Named) -> bool {
        let ExprKind::Local(local) = self.body.exprs[self.pointer_base(pointer).index()].kind
        else {
            return false;
        };
        let is_parameter = self.body.locals[local.index()].kind == LocalKind::Parameter;
        let is_addressed = self.body.addressed.get(local.index());
        if is_parameter || is_addressed.is_some_and(|&a| a) {
            return false;
        }
        let stmts = self.body.blocks.iter().flat_map(|b| &b.stmts);
        stmts.into_iter().all(|stmt| match stmt.kind {
            StmtKind::Assign { place, value } if place == Place::Local(local) => {
                self.object_of(value) == Some(object)
                    || self.body.exprs[self.pointer_base(value).index()].kind
                        == ExprKind::Local(local)
            }
            StmtKind::Call { dest, .. } => dest != Some(Place::Local(local)),
            StmtKind::Havoc { place, .. } => place != Place::Local(local),
            _ => true,
        })
    }

    /// Pointers are compared for equality: one may be the end of an object and the beginning of the next, and both may
    /// point to literals of the same text.
    pub fn pointer_equality(&mut self, a: Value, b: Value, span: Span) {
        let is_null = |this: &Self, x: Value| this.body.const_bits(x.expr).is_some();
        if is_null(self, a) || is_null(self, b) {
            return;
        }
        let is_end = |this: &Self, x: Value| {
            matches!(
                this.body.exprs[x.expr.index()].kind,
                ExprKind::PtrAdd { .. }
            )
        };
        if is_end(self, a) || is_end(self, b) {
            let is_open = match (self.object_of(a.expr), self.object_of(b.expr)) {
                (Some(first), Some(second)) => first != second,
                (None, None) => !self.is_same_variable(a.expr, b.expr),
                (Some(object), None) => self.compared_later(b.expr, object, APART, span),
                (None, Some(object)) => self.compared_later(a.expr, object, APART, span),
            };
            if is_open {
                self.convention(APART, span, None);
            }
        }
        match (self.object_of(a.expr), self.object_of(b.expr)) {
            (None, None) if self.addresses_compared.is_none() => {
                let is_own = !self.is_library() && self.unevaluated == 0;
                self.addresses_compared = is_own.then_some((span, self.current));
            }
            // Of a local of another call, which may have lain here.
            (None, Some(object @ (true, _))) => {
                self.compared_later(a.expr, object, ONCE, span);
            }
            (Some(object @ (true, _)), None) => {
                self.compared_later(b.expr, object, ONCE, span);
            }
            _ => {}
        }
        let is_text = |this: &Self, x: Value| {
            let to = this.pointee(x.ty).map(|to| this.types.get(to).clone());
            matches!(to, Some(CType::Int(IntKind::Char)))
        };
        if self.texts_compared.is_none() && is_text(self, a) && is_text(self, b) {
            let is_own = !self.is_library() && self.unevaluated == 0;
            self.texts_compared = is_own.then_some((span, self.current));
        }
    }

    /// What was made of literals matters where addresses of texts are compared.
    pub fn settle_literals(&mut self) {
        if let Some((span, function)) = self.texts_compared
            && self.has_equal_literals
        {
            self.convention_in(function, "equal string literals are one object", span);
        }
    }

    /// Addresses that are compared may be of objects that are no more, where some end while others begin.
    pub fn settle_addresses(&mut self) {
        let Some((span, function)) = self.addresses_compared else {
            return;
        };
        let stays = |function: &Function| {
            let leaves = |value: ExprId| {
                matches!(
                    function.exprs[value.index()].kind,
                    ExprKind::LocalAddress(_)
                )
            };
            let mut stmts = function.blocks.iter().flat_map(|b| &b.stmts);
            !stmts.any(|stmt| match &stmt.kind {
                StmtKind::Assign { place, value } => place.address().is_some() && leaves(*value),
                StmtKind::Call { callee, .. } => {
                    matches!(callee, Callee::Builtin(Builtin::Free | Builtin::Realloc))
                }
                _ => false,
            })
        };
        if !self.functions.iter().flatten().all(stays) {
            self.convention_in(function, ONCE, span);
        }
    }

    /// Whoever asks for `errno` may want to know of `log(-1)`.
    pub fn settle_errno(&mut self) {
        if let Some((span, function)) = self.errno_used
            && self.has_math
        {
            let text = "functions of `math.h` leave `errno` as it is";
            self.convention_in(function, text, span);
        }
    }

    /// A convention of a function that was lowered before.
    fn convention_in(&mut self, function: Option<FuncId>, text: &str, span: Span) {
        self.ledger.push(Entry {
            assumption: Assumption {
                kind: AssumptionKind::Convention,
                text: text.to_owned(),
                span,
                option: None,
            },
            function,
        });
    }

    /// The distance of two objects that are named.
    pub fn pointer_distance(&mut self, a: ExprId, b: ExprId, span: Span) {
        if let (Some(a), Some(b)) = (self.object_of(a), self.object_of(b))
            && a != b
        {
            self.convention(ORDER, span, None);
        }
    }

    /// The object that an address names by itself.
    fn object_of(&self, at: ExprId) -> Option<Named> {
        match self.body.exprs[self.pointer_base(at).index()].kind {
            ExprKind::LocalAddress(local) => Some((true, local.0)),
            ExprKind::GlobalAddress(global) => Some((false, global.0)),
            _ => None,
        }
    }

    /// Whether both are the value of one variable, and what is added to it.
    fn is_same_variable(&self, a: ExprId, b: ExprId) -> bool {
        let of = |at: ExprId| match self.body.exprs[self.pointer_base(at).index()].kind {
            ExprKind::Local(local) => Some(local),
            _ => None,
        };
        of(a).is_some() && of(a) == of(b)
    }

    /// The address without what is added to it.
    fn pointer_base(&self, mut at: ExprId) -> ExprId {
        while let ExprKind::PtrAdd { base, .. } = self.body.exprs[at.index()].kind {
            at = base;
        }
        at
    }

    /// A pointer to numbers becomes one to numbers of another kind: compilers may take them to be apart.
    pub fn other_number(&mut self, pointer: Value, to: TypeId, span: Span) {
        let number = |this: &Self, pointer: TypeId| {
            let ty = this.types.scalar(this.pointee(pointer)?)?;
            (ty != Ty::Ptr && ty != Ty::Int(8)).then_some(ty)
        };
        if let (Some(from), Some(to)) = (number(self, pointer.ty), number(self, to))
            && from != to
        {
            let text =
                "memory is read as whatever type it is asked for, as with `-fno-strict-aliasing`";
            self.convention(text, span, None);
        }
    }

    /// The program looks at the address of an object as a number.
    pub fn address_as_number(&mut self, pointer: ExprId, span: Span) {
        if !matches!(self.body.exprs[pointer.index()].kind, ExprKind::Const(_)) {
            let text = "objects lie at addresses that idiolect chooses: multiples of 16";
            self.convention(text, span, None);
        }
    }

    /// On 32-bit machines compilers compute in the registers of the x87, which are wider, unless they are told otherwise.
    pub fn excess_precision(&mut self, ty: TypeId, span: Span) {
        let is_narrow = matches!(self.types.scalar(ty), Some(Ty::F32 | Ty::F64));
        if is_narrow && self.types.model == DataModel::Ilp32 {
            let text = "floating-point numbers are rounded to their type after each operation, as with `-msse2 -mfpmath=sse`";
            self.convention(text, span, None);
        }
    }

    /// An index may be beyond a row or a member, in the same object.
    pub fn index_beyond(&mut self, span: Span) {
        self.convention(
            idiolect_ir::INDEX_BEYOND,
            span,
            Some("--property assert,memory"),
        );
    }

    /// What a compiler may know and we do not say.
    pub fn known_to_compilers(&mut self, what: &str, span: Span) {
        let text = format!("`{what}` knows what is a constant in the text, and no more");
        self.convention(&text, span, None);
    }

    /// A pointer that is `restrict`, beside another one: what the function does if both point to one object is undefined.
    pub fn restricted(&mut self, name: &str, span: Span) {
        let text = format!("what `{name}` points to by `restrict` is used by no other pointer");
        self.convention(&text, span, None);
    }

    /// What the system may do to the program, of its own accord, once it has been asked for this.
    pub fn system_call(&mut self, name: &str, wanted: bool, span: Span) {
        if name == "__errno_location" && self.errno_used.is_none() && !self.is_library() {
            self.errno_used = Some((span, self.current));
        }
        let text = match name {
            "signal" | "sigaction" => "signals come only from `raise`",
            "setlocale" => "the locale is \"C\"",
            "isatty" => "standard streams and files are no terminals",
            "getppid" | "getuid" | "geteuid" | "getgid" | "getegid" => {
                "the process is one of user and group 1000, and its parent is process 1"
            }
            "getpagesize" => "a page of memory has 4096 bytes",
            "localtime" | "localtime_r" | "mktime" | "ctime" | "ctime_r" | "tzset" => {
                "the time zone is UTC"
            }
            "open" | "open64" | "creat" | "read" | "write" | "close" => {
                "`read`, `write` and `close` succeed on every descriptor, and a file is opened as number 3"
            }
            "fclose" | "fflush" if wanted => "`fflush` and `fclose` succeed",
            "printf" | "vprintf" | "fprintf" | "vfprintf" | "dprintf" | "puts" | "putchar"
            | "putc" | "fputs" | "fputc" | "fwrite" | "ferror"
                if wanted =>
            {
                "what is written to a stream arrives"
            }
            "qsort" => "`qsort` compares elements in the order of idiolect's own model",
            "fmin" | "fminf" | "fminl" | "fmax" | "fmaxf" | "fmaxl" => {
                "of two zeros, `fmin` and `fmax` give the second"
            }
            _ => match name.trim_end_matches(['f', 'l']) {
                "sin" | "cos" | "tan" | "asin" | "acos" | "atan" | "atan2" | "sinh" | "cosh"
                | "tanh" | "exp" | "exp2" | "log" | "log2" | "log10" | "pow" | "cbrt" | "hypot" => {
                    "functions that IEEE 754 does not define, such as `sin`, keep to their ranges"
                }
                _ => return,
            },
        };
        self.convention(text, span, None);
    }

    /// Nobody knows which blocks such a jump leaves.
    pub fn computed_goto_leaves(&mut self, span: Span) {
        if self.scopes.iter().skip(1).any(|s| !s.locals.is_empty()) {
            let text = "a computed `goto` stays in its block";
            self.convention(text, span, None);
        }
    }

    /// An object that the hardware or another process may change.
    pub fn volatile_object(&mut self, span: Span) {
        if !self.sources.in_system_header(span) {
            self.convention("only the program changes volatile objects", span, None);
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
        self.n_unmodelled += 1;
        if self.in_static_initializer && self.unevaluated == 0 && self.static_doubt.is_none() {
            self.static_doubt = Some(construct.to_owned());
        }
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
}

/// Variables that the entry function comes to have the values that they start with, which a caller may have changed.
pub(super) fn initial_values(program: &mut Program) {
    const SHOWN: usize = 4;
    let entry = program.function(program.entry);
    if entry.name == "main" {
        return;
    }
    let (_, reached) = reachable(program, program.entry);
    let is_state = |g: &Global| !g.is_library && !g.read_only && !g.is_unwritten;
    let all = program.globals.iter().zip(reached);
    let names: Vec<String> = all
        .filter(|(global, is_reached)| *is_reached && is_state(global))
        .map(|(global, _)| format!("`{}`", global.name))
        .collect();
    let values = match names.as_slice() {
        [] => return,
        [one] => format!("{one} has its initial value"),
        some if some.len() <= SHOWN => format!("{} have their initial values", some.join(", ")),
        many => {
            let (shown, more) = many.split_at(SHOWN);
            let (shown, more) = (shown.join(", "), more.len());
            format!("{shown} and {more} more have their initial values")
        }
    };
    let assumption = Assumption {
        kind: AssumptionKind::Contract,
        text: format!("{values} when `{}` is called", entry.name),
        span: entry.span,
        option: Some("--free-globals".to_owned()),
    };
    program.assumptions.push(assumption);
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
    reachable(program, program.start).0
}

/// Functions and variables that this function calls or whose address it can come to, directly or not.
fn reachable(program: &Program, from: FuncId) -> (Vec<bool>, Vec<bool>) {
    let mut functions = vec![false; program.functions.len()];
    let mut globals = vec![false; program.globals.len()];
    let mut open = vec![GlobalTarget::Function(from)];
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
    (functions, globals)
}
