//! The start function: makes the entry function's arguments, calls it, exits with its result.
//!
//! `main` gets a number of arguments and strings that are inputs, if it looks at them at all. Any
//! other entry function gets inputs for scalars, null for pointers to functions, and for other
//! pointers a fresh object of unwritten bytes: one record, or eight elements of a simple type.

use super::Lowerer;
use super::body::Body;
use super::convert::Value;
use super::link::External;
use super::scope::SubprogramId;
use idiolect_base::nearest;
use idiolect_base::{Diagnostic, Span};
use idiolect_ir::ctype::{ArrayLength, CType, FunctionType};
use idiolect_ir::{
    BinaryOp, Callee, ExprId, ExprKind, FuncId, FunctionOrigin, InputKind, Place, StmtKind,
    TerminatorKind, Ty, TypeId,
};

/// Characters of each argument string, without the terminating 0.
pub(crate) const ARGUMENT_LENGTH: u64 = 8;
/// `argc` is at most this if nobody looks at the strings, which then cost nothing.
const MOST_WITHOUT_STRINGS: i128 = 127;
/// Elements behind a pointer parameter of a simple type.
const POINTER_ELEMENTS: u64 = 8;

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
        self.call_marked(true, span);
        let args = if name == "main" {
            self.main_arguments(entry, span)
        } else {
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

    /// Calls constructors (`before`) or destructors, in the order of the text.
    fn call_marked(&mut self, before: bool, span: Span) {
        for i in 0..self.subprograms.len() {
            let subprogram = &self.subprograms[i];
            let is_marked = match before {
                true => subprogram.is_constructor,
                false => subprogram.is_destructor,
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
    fn uses_parameter(&self, function: FuncId, n: usize) -> bool {
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

    fn parameter_types(&self, function: FuncId) -> Vec<(String, TypeId)> {
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
            let most = match uses_strings {
                true => i128::from(self.options.argc_max),
                false => MOST_WITHOUT_STRINGS,
            };
            let (zero, most) = (
                self.int_value(0, int, span),
                self.int_value(most, int, span),
            );
            let low = self.body.binary(BinaryOp::SLe, zero.expr, count.expr, span);
            let high = self.body.binary(BinaryOp::SLe, count.expr, most.expr, span);
            let condition = self.body.and(low, high, span);
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
                    // An empty environment.
                    let pointer = self.common.void_pointer;
                    let address = self.memory_temporary(pointer, span);
                    let null = self.dummy(pointer, span);
                    self.store_at(address, pointer, null, span);
                    Value::new(address, *ty)
                }
                _ => self.dummy(*ty, span),
            };
            args.push(value.expr);
        }
        args
    }

    /// `argv`: pointers to strings for the first `argc` places, null after them.
    fn argument_strings(&mut self, count: Value, span: Span) -> ExprId {
        let most = u64::from(self.options.argc_max);
        let char_ = self.common.char_;
        let char_pointer = self.types.pointer_to(char_);
        let string = self.array_of(char_, ARGUMENT_LENGTH + 1);
        let vector = self.array_of(char_pointer, most + 1);
        let width = self.pointer_width();
        let pointer_size = self.types.model.pointer_size();
        let base = self.memory_temporary(vector, span);
        let null = self.body.constant(0, Ty::Ptr, span);
        for i in 0..=most {
            let slot = self.body.offset(base, i * pointer_size, width, span);
            let mut value = null;
            if i < most {
                let text = self.memory_temporary(string, span);
                for k in 0..ARGUMENT_LENGTH {
                    let address = self.body.offset(text, k, width, span);
                    let place = Place::Memory {
                        address,
                        ty: Ty::Int(8),
                    };
                    self.havoc(place, InputKind::ArgumentByte, char_, span);
                }
                let address = self.body.offset(text, ARGUMENT_LENGTH, width, span);
                let zero = self.body.constant(0, Ty::Int(8), span);
                let ty = Ty::Int(8);
                self.body.assign(Place::Memory { address, ty }, zero, span);
                let index = self.int_value(i128::from(i), self.common.int, span);
                let given = self
                    .body
                    .binary(BinaryOp::SLt, index.expr, count.expr, span);
                value = self.body.select(given, text, null, span);
            }
            let place = Place::Memory {
                address: slot,
                ty: Ty::Ptr,
            };
            self.body.assign(place, value, span);
        }
        base
    }

    fn array_of(&mut self, element: TypeId, n: u64) -> TypeId {
        self.types.intern(CType::Array {
            element,
            length: ArrayLength::Known(n),
        })
    }

    fn entry_arguments(&mut self, entry: FuncId, span: Span) -> Vec<ExprId> {
        let types = self.parameter_types(entry);
        let mut args = Vec::new();
        for (name, ty) in types {
            let expr = match *self.types.get(ty) {
                // Also the hidden pointer to a returned record.
                CType::Pointer(to) => self.pointer_argument(to, span),
                _ if self.types.scalar(ty).is_some() => {
                    self.input_value(InputKind::Parameter(name), ty, span).expr
                }
                _ => self.memory_temporary(ty, span),
            };
            args.push(expr);
        }
        args
    }

    fn pointer_argument(&mut self, to: TypeId, span: Span) -> ExprId {
        let object = match self.types.get(to) {
            CType::Function(_) => return self.body.constant(0, Ty::Ptr, span),
            CType::Void => self.array_of(self.common.char_, POINTER_ELEMENTS),
            _ if self.types.size_of(to).is_none() => {
                self.array_of(self.common.char_, 8 * POINTER_ELEMENTS)
            }
            CType::Record(_) | CType::Array { .. } => to,
            _ => self.array_of(to, POINTER_ELEMENTS),
        };
        self.memory_temporary(object, span)
    }
}
