//! Functions that are called and have no body.
//!
//! Such a function may return anything, write whatever it can reach and call back. What can be
//! modelled becomes its body: the objects behind its pointers and the program's global variables
//! become unwritten ([`Builtin::Forget`]), so that reading them is an input. For everything else (memory
//! with pointers in it, memory that nobody can name here, functions that it could call) there is an
//! input that says whether it happens, and a trap if it does. Pointers to `const` are not written
//! through.

use super::Lowerer;
use super::body::Body;
use super::link::External;
use super::scope::SubprogramId;
use crate::MissingBodies;
use crate::ast::{Expr, ExprKind as AstKind};
use crate::builtins;
use idiolect_base::{Diagnostic, Span};
use idiolect_ir::ctype::{CType, FunctionType};
use idiolect_ir::{
    AssumptionKind, BinaryOp, Builtin, Callee, ExprId, ExprKind, FuncId, Function, FunctionOrigin,
    Global, GlobalId, GlobalTarget, InputKind, LocalId, Place, StmtKind, TerminatorKind, Ty,
    TypeId,
};

/// Global variables of more bytes than this are not made inputs at every call.
const MOST_GLOBAL_BYTES: u64 = 1 << 14;

/// What a call passes to a function without a body.
pub(super) struct MissingCall {
    function: SubprogramId,
    arguments: Vec<Root>,
    /// No pointer is among the arguments that no parameter takes.
    is_complete: bool,
}

/// What an argument may point to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Root {
    /// No pointer, null, or a text.
    Nothing,
    /// A local variable without pointers.
    Local,
    /// A local variable with pointers in it.
    LocalWithPointers,
    Global(GlobalId),
    Function,
    Unknown,
}

/// Why a function without a body may do something that is not modelled.
#[derive(Default)]
struct Effects {
    reasons: Vec<String>,
}

impl Effects {
    fn add(&mut self, reason: impl Into<String>) {
        let reason = reason.into();
        if !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }
}

impl<'a> Lowerer<'a> {
    /// Notes a call of a function that has no body.
    pub fn note_missing_call(
        &mut self,
        function: SubprogramId,
        signature: &FunctionType,
        values: &[ExprId],
        more: &'a [Expr],
    ) {
        if self.unevaluated > 0 {
            return;
        }
        // Records are passed as copies, and those are nobody's.
        let arguments = (values.iter().zip(&signature.params))
            .map(|(&value, &ty)| match self.types.get(ty) {
                CType::Pointer(_) => self.root(value),
                _ => Root::Nothing,
            })
            .collect();
        let is_complete = more.iter().all(|argument| {
            matches!(argument.kind, AstKind::String { .. }) || {
                let ty = self.unevaluated(|this| this.rvalue(argument).ty);
                !self.has_pointers(ty)
            }
        });
        self.missing_calls.push(MissingCall {
            function,
            arguments,
            is_complete,
        });
    }

    fn root(&self, value: ExprId) -> Root {
        if self.body.ty(value) != Ty::Ptr {
            return Root::Nothing;
        }
        let mut at = value;
        loop {
            match self.body.exprs[at.index()].kind {
                ExprKind::PtrAdd { base, .. } => at = base,
                ExprKind::LocalAddress(local) => {
                    let ty = self.body.locals[local.index()].ty;
                    return if self.has_pointers(ty) {
                        Root::LocalWithPointers
                    } else {
                        Root::Local
                    };
                }
                ExprKind::GlobalAddress(global) => return Root::Global(global),
                ExprKind::FunctionAddress(_) => return Root::Function,
                _ if self.body.const_bits(at) == Some(0) => return Root::Nothing,
                _ => return Root::Unknown,
            }
        }
    }

    /// Whether values of this type hold addresses.
    fn has_pointers(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            CType::Pointer(_) | CType::VaList => true,
            CType::Array { element, .. } => self.has_pointers(*element),
            CType::Record(id) => match &self.types.record(*id).layout {
                Some(layout) => layout.fields.iter().any(|f| self.has_pointers(f.ty)),
                None => true,
            },
            _ => false,
        }
    }

    /// Bodies for functions that have none, when everything else was lowered.
    pub fn lower_undefined(&mut self, entry: FuncId) {
        for function in std::mem::take(&mut self.undefined) {
            let Some(id) = self.subprograms[function.index()].id else {
                continue;
            };
            self.current = Some(id);
            let lowered = self.in_unit(0, |this| this.undefined(function, entry));
            self.current = None;
            self.functions[id.index()] = Some(lowered);
        }
    }

    fn undefined(&mut self, function: SubprogramId, entry: FuncId) -> Function {
        let subprogram = &self.subprograms[function.index()];
        let (name, ty, span) = (subprogram.name.clone(), subprogram.ty, subprogram.span);
        self.body = Body::new();
        self.body.name.clone_from(&name);
        self.body.function = Some(ty);
        let signature = match self.types.get(ty) {
            CType::Function(f) => f.clone(),
            _ => FunctionType {
                ret: self.common.int,
                params: Vec::new(),
                variadic: false,
                prototype: false,
            },
        };
        let mut params = self.begin_function(&signature, span);
        let n_hidden = params.len();
        for &ty in &signature.params {
            params.push(self.parameter(None, ty, span));
        }
        let is_known = self.native_body(&name, &signature, &params, span);
        if signature.variadic {
            let pointer = self.common.void_pointer;
            params.push(self.hidden_parameter("%arguments", pointer, span));
        }
        if !is_known {
            let named = (n_hidden, params.as_slice());
            self.missing_body(function, &signature, named, entry, span);
        }
        self.finish_function(FunctionOrigin::Synthetic, ty, &signature, params, span)
    }

    fn missing_body(
        &mut self,
        function: SubprogramId,
        signature: &FunctionType,
        (n_hidden, params): (usize, &[LocalId]),
        entry: FuncId,
        span: Span,
    ) {
        let name = self.subprograms[function.index()].name.clone();
        let is_harmless = builtins::is_harmless(&name);
        let only_returns = is_harmless || self.only_returns(&name);
        if !is_harmless {
            let message = format!("function `{name}` has no body, so its result is an input");
            let diagnostic = Diagnostic::warning("c::no-body", span, message)
                .with_help("give the file that defines it, or a model of it in C");
            self.diagnostics.push(diagnostic);
            self.list_missing(&name, span);
        }
        if !only_returns {
            let mut effects = Effects::default();
            self.forget_parameters(function, n_hidden, params, &mut effects, span);
            self.forget_globals(&mut effects, span);
            self.call_backs(entry, &mut effects);
            self.later_effects(function, &mut effects);
            if !effects.reasons.is_empty() {
                let what = format!(
                    "what `{name}` does without a body: {}",
                    effects.reasons.join(", ")
                );
                self.possible_trap(&name, &what, span);
            }
        }
        let value = match self.types.scalar(signature.ret) {
            Some(Ty::Ptr) if !only_returns => {
                Some(self.returned_pointer(&name, signature.ret, span))
            }
            Some(_) => {
                let kind = InputKind::External(name);
                Some(self.input_value(kind, signature.ret, span).expr)
            }
            None => None,
        };
        self.body.terminate(TerminatorKind::Return(value), span);
    }

    fn only_returns(&self, name: &str) -> bool {
        match &self.options.missing {
            MissingBodies::Anything { except } => except.iter().any(|e| e == name || e == "all"),
            MissingBodies::OnlyReturn => true,
        }
    }

    fn list_missing(&mut self, name: &str, span: Span) {
        let (text, option) = match &self.options.missing {
            MissingBodies::OnlyReturn => (
                format!("`{name}` has no body and only returns, by the convention of SV-COMP"),
                None,
            ),
            MissingBodies::Anything { .. } if self.only_returns(name) => (
                format!("`{name}` has no body and only returns"),
                Some(format!("--pure {name}")),
            ),
            MissingBodies::Anything { .. } => (
                format!(
                    "`{name}` has no body: it may return anything, write what it can reach and \
                     call back"
                ),
                Some(format!("--pure {name}")),
            ),
        };
        self.assume(AssumptionKind::MissingBody, &text, span, option.as_deref());
    }

    /// The objects behind its pointers.
    fn forget_parameters(
        &mut self,
        function: SubprogramId,
        n_hidden: usize,
        params: &[LocalId],
        effects: &mut Effects,
        span: Span,
    ) {
        let id = self.subprograms[function.index()].id;
        let is_addressed = id.is_some_and(|id| self.is_address_taken(id));
        let is_const = self.subprograms[function.index()].const_parameters.clone();
        for (i, &param) in params.iter().enumerate().skip(n_hidden) {
            let i = i - n_hidden;
            if is_const.get(i) == Some(&true) {
                continue;
            }
            let ty = self.body.locals[param.index()].ty;
            let is_pointer = matches!(self.types.get(ty), CType::Pointer(_));
            if !is_pointer {
                if self.has_pointers(ty) {
                    effects.add("it is given a record with pointers");
                }
                continue;
            }
            let mut roots: Vec<Root> = (self.missing_calls.iter())
                .filter(|call| call.function == function)
                .filter_map(|call| call.arguments.get(i).copied())
                .collect();
            if is_addressed {
                roots.push(Root::Unknown);
            }
            let mut can_forget = true;
            for root in roots {
                match root {
                    Root::Nothing | Root::Local => {}
                    Root::Global(g) if !self.global_has_pointers(g) => {}
                    Root::Function => effects.add("it may call the function that it is given"),
                    Root::LocalWithPointers | Root::Global(_) => {
                        can_forget = false;
                        effects.add("it may write pointers");
                    }
                    Root::Unknown => {
                        can_forget = false;
                        effects.add("it may write through a pointer");
                    }
                }
            }
            if can_forget {
                let pointer = self.body.read(param, Ty::Ptr, span);
                self.forget(pointer, span);
            }
        }
        let mut own = self.missing_calls.iter().filter(|c| c.function == function);
        if own.any(|call| !call.is_complete) {
            effects.add("it may write through arguments that its declaration does not name");
        }
    }

    fn forget(&mut self, pointer: ExprId, span: Span) {
        let callee = Callee::Builtin(Builtin::Forget);
        let (dest, args) = (None, vec![pointer]);
        self.body.emit(StmtKind::Call { dest, callee, args }, span);
    }

    fn global_has_pointers(&self, global: GlobalId) -> bool {
        let global = &self.globals[global.index()];
        self.has_pointers(global.ty) || !global.relocations.is_empty()
    }

    /// Global variables with a name outside their file, and those whose address some function without a
    /// body was given.
    fn forget_globals(&mut self, effects: &mut Effects, span: Span) {
        let mut reached = vec![false; self.globals.len()];
        #[allow(clippy::iter_over_hash_type)] // A set is filled, in whatever order.
        for external in self.externals.values() {
            if let External::Object(object) = external {
                let object = &self.objects[object.index()];
                let is_user = !self.units[object.unit].is_library;
                if let Some(global) = object.global
                    && is_user
                    && !object.constness.object
                {
                    reached[global.index()] = true;
                }
            }
        }
        for root in self.missing_calls.iter().flat_map(|call| &call.arguments) {
            if let Root::Global(global) = *root {
                reached[global.index()] = true;
            }
        }
        let names: Vec<bool> = (self.globals.iter())
            .map(|g| g.is_library || g.read_only || g.name.starts_with('%'))
            .collect();
        for i in 0..reached.len() {
            // Text literals have no name and are not to be written.
            if !reached[i] || names[i] || self.globals[i].name.is_empty() {
                continue;
            }
            let global = GlobalId::new(i);
            let size = (self.types.size_of(self.globals[i].ty)).unwrap_or(u64::MAX);
            if self.global_has_pointers(global) || size > MOST_GLOBAL_BYTES {
                let name = self.globals[i].name.clone();
                effects.add(format!("it may write `{name}`"));
                continue;
            }
            let address = (self.body).add(ExprKind::GlobalAddress(global), Ty::Ptr, span);
            self.forget(address, span);
        }
    }

    /// Functions that it can call because of their name or address, unless nobody would notice.
    fn call_backs(&mut self, entry: FuncId, effects: &mut Effects) {
        for i in 0..self.subprograms.len() {
            let subprogram = &self.subprograms[i];
            let (Some(id), Some(definition)) = (subprogram.id, subprogram.definition) else {
                continue;
            };
            if self.units[definition.unit].is_library || id == entry {
                continue;
            }
            let symbol = self.symbols.get(&subprogram.name);
            let is_external = symbol.and_then(|s| self.externals.get(&s)).is_some_and(
                |external| matches!(external, External::Function(f) if f.index() == i),
            );
            if (is_external || self.is_address_taken(id)) && self.is_noticed(id, &mut Vec::new()) {
                let name = subprogram.name.clone();
                effects.add(format!("it may call `{name}`"));
                return;
            }
        }
    }

    /// Whether a call of the function has an effect beside its result.
    fn is_noticed(&self, id: FuncId, open: &mut Vec<FuncId>) -> bool {
        if open.contains(&id) {
            return false;
        }
        let Some(Some(function)) = self.functions.get(id.index()) else {
            return true;
        };
        open.push(id);
        let is_own = |mut at: ExprId| loop {
            match function.expr(at).kind {
                ExprKind::PtrAdd { base, .. } => at = base,
                ExprKind::LocalAddress(_) => return true,
                _ => return false,
            }
        };
        let writes = |place: &Place| place.address().is_some_and(|address| !is_own(address));
        // Reading memory and computing may be faults; it depends on the property who cares.
        if self.options.faults_count && (function.exprs.iter()).any(|e| may_fault(&e.kind)) {
            return true;
        }
        for block in &function.blocks {
            for stmt in &block.stmts {
                let is_noticed = match &stmt.kind {
                    StmtKind::Assign { place, .. } | StmtKind::Havoc { place, .. } => writes(place),
                    StmtKind::Assume { .. } | StmtKind::Mark { .. } => true,
                    StmtKind::Copy { to, .. } | StmtKind::Zero { to, .. } => !is_own(*to),
                    StmtKind::Declare { .. } | StmtKind::End { .. } => false,
                    StmtKind::Call { dest, callee, .. } => {
                        dest.as_ref().is_some_and(writes)
                            || match *callee {
                                Callee::Function(f) => self.is_noticed(f, open),
                                Callee::Builtin(Builtin::Math(_)) => false,
                                Callee::Pointer { .. } | Callee::Builtin(_) => true,
                            }
                    }
                };
                if is_noticed {
                    return true;
                }
            }
            match block.terminator.kind {
                TerminatorKind::Goto(_)
                | TerminatorKind::Branch { .. }
                | TerminatorKind::Return(_) => {}
                _ => return true,
            }
        }
        false
    }

    /// What a function without a body was given, it or another one may write later.
    fn later_effects(&mut self, function: SubprogramId, effects: &mut Effects) {
        let is_kept = |root: &Root| matches!(root, Root::Local | Root::LocalWithPointers);
        let of_const = |call: &MissingCall, i: usize| {
            let list = &self.subprograms[call.function.index()].const_parameters;
            list.get(i) == Some(&true)
        };
        let n_giving = (self.missing_calls.iter())
            .filter(|call| !self.only_returns(&self.subprograms[call.function.index()].name))
            .filter(|call| {
                let mut roots = call.arguments.iter().enumerate();
                roots.any(|(i, root)| is_kept(root) && !of_const(call, i))
            });
        let givers: Vec<SubprogramId> = n_giving.map(|call| call.function).collect();
        // Called once, it writes what it is given then; there is nothing from before.
        let is_only_one = givers.len() == 1 && givers[0] == function;
        if !givers.is_empty() && !is_only_one {
            effects.add("it may write variables whose address was given away before");
        }
    }

    fn is_address_taken(&self, id: FuncId) -> bool {
        let in_code = self.functions.iter().flatten().any(|f| {
            f.exprs
                .iter()
                .any(|e| e.kind == ExprKind::FunctionAddress(id))
        });
        let is_target = |global: &Global| {
            let mut relocations = global.relocations.iter();
            relocations.any(|r| r.target == GlobalTarget::Function(id))
        };
        in_code || self.globals.iter().any(is_target)
    }

    /// If an input says so, something happens here that is not modelled.
    fn possible_trap(&mut self, name: &str, what: &str, span: Span) {
        let happens = self.choice(InputKind::Effect(name.to_owned()), span);
        let (trap, goes_on) = (self.body.new_block(), self.body.new_block());
        self.body.branch(happens, trap, goes_on, span);
        self.body.start(trap);
        self.unmodelled(what, span);
        self.body.start(goes_on);
    }

    /// A pointer to an object of its own, of which nothing is known.
    fn returned_pointer(&mut self, name: &str, ty: TypeId, span: Span) -> ExprId {
        let what = format!("a pointer that `{name}` returns, null or to memory of the program");
        self.possible_trap(name, &what, span);
        let element = self.pointee(ty).filter(|&to| !self.has_pointers(to));
        let object = match element.filter(|&to| self.types.size_of(to).is_some_and(|s| s > 0)) {
            Some(to) => self.array_of(to, 1),
            None => self.array_of(self.common.char_, 0),
        };
        let global = GlobalId::new(self.globals.len());
        let size = self.types.size_of(object).unwrap_or(0);
        let align = self.types.align_of(object).unwrap_or(1);
        self.globals.push(Global {
            name: format!("%result of {name}"),
            ty: object,
            size,
            align,
            bytes: Vec::new(),
            relocations: Vec::new(),
            read_only: false,
            is_unwritten: true,
            is_library: true,
            function: None,
            span,
        });
        let text = format!("the memory behind the pointer that `{name}` returns");
        let index = self.assume(AssumptionKind::Unmodelled, &text, span, None);
        let address = (self.body).add(ExprKind::GlobalAddress(global), Ty::Ptr, span);
        self.forget(address, span);
        let truth = self.body.constant(1, Ty::BOOL, span);
        self.truncate(address, truth, index, span);
        address
    }
}

fn may_fault(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Load { .. } => true,
        ExprKind::Binary(op, ..) => matches!(
            op,
            BinaryOp::UDiv
                | BinaryOp::SDiv
                | BinaryOp::URem
                | BinaryOp::SRem
                | BinaryOp::Add { signed: true }
                | BinaryOp::Sub { signed: true }
                | BinaryOp::Mul { signed: true }
                | BinaryOp::Shl { signed: true }
        ),
        _ => false,
    }
}
