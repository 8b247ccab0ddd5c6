//! The start function: makes the entry function's arguments, calls it, exits with its result.
//!
//! `main` gets any number of arguments if it looks at them at all. The first strings, and the first
//! bytes of each, are inputs; what is beyond them exists and is not looked at, which the ledger says.
//! Any other entry function gets what `parameters` makes for it.

use super::Lowerer;
use super::body::Body;
use super::convert::Value;
use super::link::External;
use super::scope::SubprogramId;
use idiolect_base::nearest;
use idiolect_base::{Diagnostic, Span};
use idiolect_ir::ctype::{ArrayLength, CType, FunctionType};
use idiolect_ir::{
    AssumptionKind, BinaryOp, Builtin, Callee, ExprId, ExprKind, FuncId, FunctionOrigin, InputKind,
    Place, StmtKind, TerminatorKind, Ty, TypeId,
};

/// What the strings of `argv` are called in messages.
const ARGUMENT: &str = "each argument of `main`";

impl<'a> Lowerer<'a> {
    /// The entry function by its name, or a diagnostic with near names.
    pub fn find_entry(&mut self) -> Option<SubprogramId> {
        let name = self.options.entry.clone();
        let symbol = self.symbols.get(&name);
        let external = symbol.and_then(|s| match self.externals.get(&s) {
            Some(External::Function(function)) => Some(*function),
            _ => None,
        });
        let is_user = |this: &Self, function: &SubprogramId| {
            this.subprograms[function.index()]
                .definition
                .is_some_and(|d| !this.units[d.unit].is_library)
        };
        // A static function can be an entry too, if its name is unique enough to be found.
        let found = external.filter(|f| is_user(self, f)).or_else(|| {
            (0..self.subprograms.len())
                .map(SubprogramId::new)
                .find(|f| self.subprograms[f.index()].name == name && is_user(self, f))
        });
        let found = found.or_else(|| {
            let any = (0..self.subprograms.len()).map(SubprogramId::new);
            let mut any = any.filter(|f| is_user(self, f));
            any.next().filter(|_| self.options.any_entry)
        });
        if found.is_some() {
            return found;
        }
        let defined: Vec<&str> = self
            .subprograms
            .iter()
            .filter(|s| s.definition.is_some_and(|d| !self.units[d.unit].is_library))
            .map(|s| s.name.as_str())
            .collect();
        let help = match nearest(&name, defined.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if defined.is_empty() => "no function is defined at all".to_owned(),
            None => {
                let list: Vec<&str> = defined.iter().take(8).copied().collect();
                format!("choose one with --entry; defined are: {}", list.join(", "))
            }
        };
        let span = Span::new(idiolect_base::SourceId(0), 0, 0);
        let message = format!("there is no function `{name}` to start from");
        self.diagnostics
            .push(Diagnostic::error("c::no-entry", span, message).with_help(help));
        None
    }

    /// Builds the start function for a lowered entry function.
    pub fn start_function(&mut self, entry: FuncId) -> FuncId {
        let (ty, span, name) = match &self.functions[entry.index()] {
            Some(f) => (f.ty, f.span, f.name.clone()),
            None => (self.common.int, Span::NOWHERE, String::new()),
        };
        let signature = match self.types.get(ty) {
            CType::Function(f) => f.clone(),
            _ => FunctionType {
                ret: self.common.int,
                params: Vec::new(),
                variadic: false,
                prototype: true,
            },
        };
        self.body = Body::new();
        self.body.name = "__start".to_owned();
        let void = FunctionType {
            ret: self.common.void,
            params: Vec::new(),
            variadic: false,
            prototype: true,
        };
        let own_type = self.types.intern(CType::Function(void.clone()));
        self.body.function = Some(own_type);
        self.body.return_type = Some(self.common.void);
        self.environment(span);
        self.call_marked(true, span);
        let args = if name == "main" {
            self.main_arguments(entry, span)
        } else {
            if self.options.free_globals {
                self.free_globals(span);
            }
            self.entry_arguments(entry, span)
        };
        let scalar = self.types.scalar(signature.ret);
        let local = scalar.map(|ty| self.body.temporary(ty, signature.ret, span));
        let dest = local.map(Place::Local);
        let callee = Callee::Function(entry);
        self.body.emit(StmtKind::Call { dest, callee, args }, span);
        let status = match (local, scalar) {
            (Some(local), Some(ty)) if name == "main" || self.is_integer(signature.ret) => {
                let value = Value::new(self.body.read(local, ty, span), signature.ret);
                self.convert(value, self.common.int, span)
            }
            _ => self.dummy(self.common.int, span),
        };
        let status = Value::new(self.body.save(status.expr, status.ty), status.ty);
        self.call_marked(false, span);
        self.exit_with(status, span);
        let function =
            self.finish_function(FunctionOrigin::Synthetic, own_type, &void, Vec::new(), span);
        let id = FuncId::new(self.functions.len());
        self.functions.push(Some(function));
        self.function_of.push(None);
        id
    }

    /// The program's own variables take any values; pointers among them, too.
    fn free_globals(&mut self, span: Span) {
        for i in 0..self.objects.len() {
            let object = &self.objects[i];
            let is_own = !self.units[object.unit].is_library && !object.constness.object;
            let Some(global) = object.global.filter(|_| is_own) else {
                continue;
            };
            let (name, ty) = (object.name.clone(), object.ty);
            let address = (self.body).add(ExprKind::GlobalAddress(global), Ty::Ptr, span);
            let callee = Callee::Builtin(Builtin::Forget);
            let (dest, args) = (None, vec![address]);
            self.body.emit(StmtKind::Call { dest, callee, args }, span);
            let text = format!("`{name}` has any value when the function is called");
            self.assume(AssumptionKind::Contract, &text, span, None);
            self.fill_pointers(&name, address, ty, 1, span);
        }
    }

    /// Calls constructors (`before`) or destructors, in the order of the text.
    fn call_marked(&mut self, before: bool, span: Span) {
        for i in 0..self.subprograms.len() {
            let subprogram = &self.subprograms[i];
            let is_marked = if before {
                subprogram.is_constructor
            } else {
                subprogram.is_destructor
            };
            let Some(id) = self.subprograms[i].id else {
                continue;
            };
            let takes_nothing = self.functions[id.index()]
                .as_ref()
                .is_some_and(|f| f.params.is_empty());
            if is_marked && takes_nothing {
                let callee = Callee::Function(id);
                let args = Vec::new();
                let dest = None;
                self.body.emit(StmtKind::Call { dest, callee, args }, span);
            }
        }
    }

    /// Programs with `atexit` end by the library's `exit`, all others at once.
    fn exit_with(&mut self, status: Value, span: Span) {
        let used = |this: &Self, name: &str| {
            let symbol = this.symbols.get(name)?;
            match this.externals.get(&symbol)? {
                External::Function(f) => Some((*f, this.subprograms[f.index()].id)),
                External::Object(_) => None,
            }
        };
        let has_handlers = matches!(used(self, "atexit"), Some((_, Some(_))))
            || matches!(used(self, "on_exit"), Some((_, Some(_))));
        if has_handlers && let Some((exit, _)) = used(self, "exit") {
            let callee = Callee::Function(self.function_id(exit));
            let args = vec![status.expr];
            self.body.emit(
                StmtKind::Call {
                    dest: None,
                    callee,
                    args,
                },
                span,
            );
        }
        self.body.terminate(TerminatorKind::Exit(status.expr), span);
    }

    /// Whether the function reads its `n`-th parameter.
    pub fn uses_parameter(&self, function: FuncId, n: usize) -> bool {
        let Some(function) = &self.functions[function.index()] else {
            return false;
        };
        let Some(&param) = function.params.get(n) else {
            return false;
        };
        function
            .exprs
            .iter()
            .any(|e| e.kind == ExprKind::Local(param))
    }

    pub fn parameter_types(&self, function: FuncId) -> Vec<(String, TypeId)> {
        match &self.functions[function.index()] {
            Some(f) => f
                .params
                .iter()
                .map(|p| (f.locals[p.index()].name.clone(), f.locals[p.index()].ty))
                .collect(),
            None => Vec::new(),
        }
    }

    fn main_arguments(&mut self, entry: FuncId, span: Span) -> Vec<ExprId> {
        let types = self.parameter_types(entry);
        let int = self.common.int;
        let (uses_count, uses_strings) =
            (self.uses_parameter(entry, 0), self.uses_parameter(entry, 1));
        let mut args = Vec::new();
        let mut count = self.int_value(1, int, span);
        if uses_count || uses_strings {
            count = self.input_value(InputKind::ArgumentCount, int, span);
            let zero = self.int_value(0, int, span);
            let condition = self.body.binary(BinaryOp::SLe, zero.expr, count.expr, span);
            self.body.emit(StmtKind::Assume { condition }, span);
        }
        for (i, (_, ty)) in types.iter().enumerate() {
            let value = match i {
                0 => self.convert(count, *ty, span),
                1 if uses_strings => {
                    let address = self.argument_strings(count, span);
                    Value::new(address, *ty)
                }
                2 if self.uses_parameter(entry, 2) => {
                    let address = self.environment_list(span);
                    Value::new(address, *ty)
                }
                _ => self.dummy(*ty, span),
            };
            args.push(value.expr);
        }
        args
    }

    /// `argv`: pointers to strings for the first `argc` places, null after them. Of more arguments
    /// than are looked at, the first one is a pointer to a string of which no byte is, and the
    /// vector ends there.
    fn argument_strings(&mut self, count: Value, span: Span) -> ExprId {
        let most = u64::from(self.options.argc_max);
        let length = u64::from(self.options.argument_length);
        let char_pointer = self.types.pointer_to(self.common.char_);
        let vector = self.array_of(char_pointer, most + 1);
        let width = self.pointer_width();
        let pointer_size = self.types.model.pointer_size();
        let base = self.memory_temporary(vector, span);
        let null = self.body.constant(0, Ty::Ptr, span);
        let text = format!("only {most} arguments of `main` are looked at, its name among them");
        let bound = (AssumptionKind::Bound, Some("--max-argc"));
        let more = self.assume(bound.0, &text, span, bound.1);
        for i in 0..=most {
            let slot = self.body.offset(base, i * pointer_size, width, span);
            let string = if i < most {
                let string = self.input_string(length, span, |byte| InputKind::ArgumentByte {
                    argument: i as u32,
                    byte,
                });
                self.truncate_string(string, length, ARGUMENT, "--max-argument-length", span);
                string
            } else {
                self.string_beyond(more, span)
            };
            let index = self.int_value(i128::from(i), self.common.int, span);
            let given = self
                .body
                .binary(BinaryOp::SLt, index.expr, count.expr, span);
            let value = self.body.select(given, string, null, span);
            let place = Place::Memory {
                address: slot,
                ty: Ty::Ptr,
            };
            self.body.assign(place, value, span);
        }
        let index = self.int_value(i128::from(most), self.common.int, span);
        let are_more = self
            .body
            .binary(BinaryOp::SLt, index.expr, count.expr, span);
        self.truncate(base, are_more, more, span);
        base
    }

    /// A string of which no byte is looked at: whoever reads it goes beyond a bound.
    pub fn string_beyond(&mut self, bound: u32, span: Span) -> ExprId {
        let nothing = self.array_of(self.common.char_, 0);
        let string = self.memory_temporary(nothing, span);
        let truth = self.body.constant(1, Ty::BOOL, span);
        self.truncate(string, truth, bound, span);
        string
    }

    /// An object of so many bytes that are inputs.
    pub fn input_string(
        &mut self,
        length: u64,
        span: Span,
        kind: impl Fn(u32) -> InputKind,
    ) -> ExprId {
        let char_ = self.common.char_;
        let width = self.pointer_width();
        let array = self.array_of(char_, length);
        let text = self.memory_temporary(array, span);
        for k in 0..length {
            let address = self.body.offset(text, k, width, span);
            let ty = Ty::Int(8);
            self.havoc(Place::Memory { address, ty }, kind(k as u32), char_, span);
        }
        text
    }

    /// A string goes on beyond the bytes that are looked at unless one of them ends it.
    pub fn truncate_string(
        &mut self,
        string: ExprId,
        length: u64,
        what: &str,
        option: &str,
        span: Span,
    ) {
        let text = format!("only the first {length} bytes of {what} are looked at");
        let index = self.assume(AssumptionKind::Bound, &text, span, Some(option));
        let width = self.pointer_width();
        let zero = self.body.constant(0, Ty::Int(8), span);
        let mut goes_on = self.body.constant(1, Ty::BOOL, span);
        for k in 0..length {
            let address = self.body.offset(string, k, width, span);
            let byte = self.body.load(address, Ty::Int(8), span);
            let is_other = self.body.binary(BinaryOp::Ne, byte, zero, span);
            goes_on = self.body.and(goes_on, is_other, span);
        }
        self.truncate(string, goes_on, index, span);
    }

    /// If the condition holds, the object is only the first part of a larger one.
    pub fn truncate(&mut self, address: ExprId, condition: ExprId, index: u32, span: Span) {
        let callee = Callee::Builtin(Builtin::Truncate(index));
        let args = vec![address, condition];
        let dest = None;
        self.body.emit(StmtKind::Call { dest, callee, args }, span);
    }

    pub fn array_of(&mut self, element: TypeId, n: u64) -> TypeId {
        self.types.intern(CType::Array {
            element,
            length: ArrayLength::Known(n),
        })
    }
}
