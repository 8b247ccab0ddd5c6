//! Calls, by the calling convention of the IR.

use super::Lowerer;
use super::convert::Value;
use super::scope::{Entry, SubprogramId};
use crate::ast::{Expr, ExprKind, Ident, TypeName};
use crate::builtins;
use idiolect_base::Span;
use idiolect_ir::ctype::{CType, FunctionType};
use idiolect_ir::{
    Callee, ExprId, ExprKind as IrKind, InputKind, LocalStorage, Place, StmtKind, Ty, TypeId,
};

/// Bytes that each variable argument takes.
pub(crate) const SLOT: u64 = 16;

impl<'a> Lowerer<'a> {
    pub fn call(
        &mut self,
        callee: &'a Expr,
        arguments: &'a [Expr],
        span: Span,
        wanted: bool,
    ) -> Value {
        if let ExprKind::Ident(symbol) = callee.kind {
            let ident = Ident {
                symbol,
                span: callee.span,
            };
            match self.lookup(symbol) {
                Some(Entry::Function { function, ty }) => {
                    if let Some((symbol, function, ty)) = self.followed(function) {
                        let ident = Ident { symbol, ..ident };
                        return self.named_call(ident, function, ty, arguments, span, wanted);
                    }
                    let name = self.symbols.name(symbol);
                    if self.options.calls.is_empty() || !self.listens_to_result(name) {
                        return self.named_call(ident, function, ty, arguments, span, wanted);
                    }
                    let value = self.named_call(ident, function, ty, arguments, span, true);
                    self.result_events(name, value, span);
                    return value;
                }
                None => return self.undeclared_call(ident, arguments, span, wanted),
                _ => {}
            }
        }
        let target = self.rvalue(callee);
        let Some((ty, function)) = self.function_type_of(target.ty) else {
            let message = format!("`{}` is not a function", self.types.name(target.ty));
            self.error("c::not-a-function", callee.span, message);
            for argument in arguments {
                self.effect(argument);
            }
            return self.dummy(self.common.int, span);
        };
        let position = self.body.position();
        let before = self.body.emitted;
        let values = self.arguments(&function, arguments, span);
        let target = self.settled(target, position, before);
        let callee = Callee::Pointer {
            target: target.expr,
            ty,
        };
        self.finish_call(callee, &function, values, span, wanted)
    }

    fn named_call(
        &mut self,
        ident: Ident,
        function: SubprogramId,
        ty: TypeId,
        arguments: &'a [Expr],
        span: Span,
        wanted: bool,
    ) -> Value {
        let name = self.symbols.name(ident.symbol);
        let is_defined = self.is_user_defined(function);
        if let Some(intrinsic) = builtins::intrinsic(name)
            && (!is_defined || builtins::overrides_user(name))
            && !(self.can_run_threads() && builtins::is_of_process(name))
        {
            let ret = match self.types.get(ty) {
                CType::Function(f) => Some(f.ret),
                _ => None,
            };
            if Self::ends_the_run(name) {
                self.call_events(name, false, &[], span);
            }
            if builtins::prints(name) {
                self.system_call(name, wanted, span);
            }
            let value = self.intrinsic_call(intrinsic, ident, ret, arguments, span, wanted);
            if !Self::ends_the_run(name) {
                self.call_events(name, false, &[], span);
            }
            return value;
        }
        let Some((_, visible)) = self.function_type_of(ty) else {
            return self.dummy(self.common.int, span);
        };
        let signature = self.actual_signature(function, &visible);
        let is_known = self.subprograms[function.index()].definition.is_some();
        if visible.prototype || is_known {
            self.check_arity(ident, &signature, arguments.len(), span);
        }
        if !is_defined {
            let name = name.to_owned();
            self.system_call(&name, wanted, span);
        }
        let name = self.symbols.name(ident.symbol);
        if !is_defined
            && let Some(value) = self.environment_variable(name, signature.ret, arguments, span)
        {
            return value;
        }
        let values = self.arguments(&signature, arguments, span);
        if !is_known {
            let more = arguments.get(signature.params.len()..).unwrap_or(&[]);
            self.note_missing_call(function, &signature, &values, more);
        }
        self.call_events(name, is_defined, &values, span);
        let callee = Callee::Function(self.function_id(function));
        let value = self.finish_call(callee, &signature, values, span, wanted);
        if !visible.prototype || !wanted || value.ty == visible.ret {
            return value;
        }
        if self.is_void(value.ty) && self.types.scalar(visible.ret).is_some() {
            let name = format!("result of {}", self.name(ident.symbol));
            return self.input_value(InputKind::Uninitialized(name), visible.ret, span);
        }
        self.convert(value, visible.ret, span)
    }

    /// What the function really takes, which a declaration elsewhere may get wrong. Records keep
    /// the type that is visible at the call: each unit has its own.
    fn actual_signature(&mut self, function: SubprogramId, visible: &FunctionType) -> FunctionType {
        let mut actual = match self.definition_signature(function) {
            Some(signature) => signature,
            None => {
                let ty = self.subprograms[function.index()].ty;
                match self.function_type_of(ty) {
                    Some((_, signature)) => signature,
                    None => visible.clone(),
                }
            }
        };
        actual.prototype = true;
        if visible.prototype {
            for (param, &seen) in actual.params.iter_mut().zip(&visible.params) {
                if self.are_interchangeable(*param, seen) {
                    *param = seen;
                }
            }
            if self.are_interchangeable(actual.ret, visible.ret) {
                actual.ret = visible.ret;
            }
        }
        actual
    }

    /// Compatible, or records of the same size: the library has tags of its own.
    fn are_interchangeable(&self, a: TypeId, b: TypeId) -> bool {
        let both_records = self.record_of(a).is_some() && self.record_of(b).is_some();
        self.are_compatible(a, b) || both_records && self.types.size_of(a) == self.types.size_of(b)
    }

    fn undeclared_call(
        &mut self,
        ident: Ident,
        arguments: &'a [Expr],
        span: Span,
        wanted: bool,
    ) -> Value {
        let name = self.symbols.name(ident.symbol);
        if let Some(intrinsic) = builtins::intrinsic(name) {
            return self.intrinsic_call(intrinsic, ident, None, arguments, span, wanted);
        }
        let plain = name
            .strip_prefix("__builtin_")
            .and_then(|plain| self.symbols.get(plain));
        let found = self
            .library_function(ident.symbol)
            .or_else(|| self.library_function(plain?));
        let (function, ty) = match found {
            Some(found) => found,
            None => self.implicit_function(ident),
        };
        self.named_call(ident, function, ty, arguments, span, wanted)
    }

    fn check_arity(&mut self, ident: Ident, signature: &FunctionType, given: usize, span: Span) {
        let expected = signature.params.len();
        if given == expected || signature.variadic && given > expected {
            return;
        }
        let name = self.name(ident.symbol).to_owned();
        let message = format!("`{name}` takes {expected} arguments, but {given} are given");
        self.warning("c::argument-count", span, message);
    }

    /// Lowers arguments from the last to the first, as GCC does on x86, and converts them.
    ///
    /// The result has one expression for each parameter of the IR, without the slot for a
    /// returned record.
    fn arguments(
        &mut self,
        signature: &FunctionType,
        arguments: &'a [Expr],
        span: Span,
    ) -> Vec<ExprId> {
        let fixed = if signature.prototype {
            signature.params.len()
        } else {
            usize::MAX
        };
        self.unsequenced(arguments.iter(), span);
        let mut lowered = Vec::with_capacity(arguments.len());
        let start = self.n_calls;
        for (i, argument) in arguments.iter().enumerate().rev() {
            let before = self.body.emitted;
            let calls = self.n_calls;
            let value = self.rvalue(argument);
            if calls > start && self.n_calls > calls {
                self.evaluation_order("arguments are evaluated from the last to the first", span);
            }
            let value = if i >= fixed && !signature.variadic {
                // One too many: evaluated and dropped.
                continue;
            } else if signature.prototype && i < fixed {
                match self.transparent(value, signature.params[i], argument.span) {
                    Some(union) => union,
                    None => self.convert(value, signature.params[i], argument.span),
                }
            } else {
                self.default_promote(value, argument.span)
            };
            let value = self.argument_copy(value, argument.span);
            self.settle_all(&mut lowered, before);
            let position = self.body.position();
            lowered.push((value, position));
        }
        lowered.reverse();
        let values: Vec<Value> = lowered.into_iter().map(|(v, _)| v).collect();
        let mut out: Vec<ExprId> = values.iter().take(fixed).map(|v| v.expr).collect();
        if signature.prototype {
            for i in values.len()..signature.params.len() {
                out.push(self.missing_argument(signature.params[i], i, span));
            }
        }
        if signature.variadic {
            let rest = values.get(fixed..).unwrap_or(&[]);
            out.push(self.variable_arguments(rest, span));
        }
        out
    }

    /// A pointer as an argument of a union of pointers: GNU's transparent unions, which glibc has for addresses of
    /// sockets.
    fn transparent(&mut self, value: Value, ty: TypeId, span: Span) -> Option<Value> {
        let CType::Record(id) = *self.types.get(ty) else {
            return None;
        };
        let record = self.types.record(id);
        let fields = &record.layout.as_ref()?.fields;
        let is_pointer = |ty: TypeId| matches!(self.types.get(ty), CType::Pointer(_));
        let all = !fields.is_empty() && fields.iter().all(|field| is_pointer(field.ty));
        let is_null = self.body.const_bits(value.expr) == Some(0);
        if !record.is_union || !all || !is_pointer(value.ty) && !is_null {
            return None;
        }
        let value = self.convert(value, self.common.void_pointer, span);
        let address = self.memory_temporary(ty, span);
        let place = Place::Memory {
            address,
            ty: Ty::Ptr,
        };
        self.body.assign(place, value.expr, span);
        Some(Value::new(address, ty))
    }

    /// Saves values that were lowered before something else was emitted. They were lowered one
    /// after the other, so the last one goes first.
    pub fn settle_all(&mut self, values: &mut [(Value, super::body::Position)], before: u64) {
        if self.body.emitted == before {
            return;
        }
        for (value, position) in values.iter_mut().rev() {
            value.expr = self.body.stabilize(value.expr, value.ty, *position);
        }
    }

    /// Records are passed as the address of a copy.
    fn argument_copy(&mut self, value: Value, span: Span) -> Value {
        if self.types.scalar(value.ty).is_some() || self.is_void(value.ty) {
            return value;
        }
        let address = self.memory_temporary(value.ty, span);
        if let Some(size) = self.types.size_of(value.ty).filter(|&s| s > 0) {
            let (to, from) = (address, value.expr);
            self.body.emit(StmtKind::Copy { to, from, size }, span);
        }
        Value::new(address, value.ty)
    }

    fn missing_argument(&mut self, ty: TypeId, index: usize, span: Span) -> ExprId {
        let name = format!("argument {}", index + 1);
        match self.types.scalar(ty) {
            Some(scalar) => {
                let local = self.body.temporary(scalar, ty, span);
                let place = Place::Local(local);
                self.havoc(place, InputKind::Uninitialized(name), ty, span);
                self.body.read(local, scalar, span)
            }
            None => self.memory_temporary(ty, span),
        }
    }

    /// An object with a slot for each variable argument; null if there are none.
    fn variable_arguments(&mut self, values: &[Value], span: Span) -> ExprId {
        if values.is_empty() {
            return self.body.constant(0, Ty::Ptr, span);
        }
        let size = SLOT * values.len() as u64;
        let array = self.types.intern(CType::Array {
            element: self.common.char_,
            length: idiolect_ir::ctype::ArrayLength::Known(size),
        });
        let storage = LocalStorage::Memory { size, align: 16 };
        let local = self.body.unnamed(array, storage, span);
        self.body
            .emit(StmtKind::Declare { local, size: None }, span);
        let base = self.body.add(IrKind::LocalAddress(local), Ty::Ptr, span);
        let width = self.pointer_width();
        for (i, value) in values.iter().enumerate() {
            let address = self.body.offset(base, SLOT * i as u64, width, span);
            // A record's slot has the address of its copy.
            let ty = self.types.scalar(value.ty).unwrap_or(Ty::Ptr);
            self.body
                .assign(Place::Memory { address, ty }, value.expr, span);
        }
        base
    }

    fn finish_call(
        &mut self,
        callee: Callee,
        signature: &FunctionType,
        mut args: Vec<ExprId>,
        span: Span,
        wanted: bool,
    ) -> Value {
        self.n_calls += 1;
        let ret = signature.ret;
        let Some(scalar) = self.types.scalar(ret) else {
            if self.is_void(ret) {
                let dest = None;
                self.body.emit(StmtKind::Call { dest, callee, args }, span);
                return self.dummy(ret, span);
            }
            if self.types.size_of(ret).is_none() {
                let message = format!("`{}` is never defined", self.types.name(ret));
                self.error("c::incomplete-type", span, message);
            }
            let slot = self.memory_temporary(ret, span);
            args.insert(0, slot);
            let dest = None;
            self.body.emit(StmtKind::Call { dest, callee, args }, span);
            return Value::new(slot, ret);
        };
        let local = wanted.then(|| self.body.temporary(scalar, ret, span));
        let dest = local.map(Place::Local);
        self.body.emit(StmtKind::Call { dest, callee, args }, span);
        match local {
            Some(local) => Value::new(self.body.read(local, scalar, span), ret),
            None => self.dummy(ret, span),
        }
    }

    /// Variables of their own are not modelled.
    fn can_run_threads(&self) -> bool {
        self.options.is_process && !self.has_thread_locals
    }

    /// A call of something that the engines know.
    pub fn builtin_call(
        &mut self,
        builtin: idiolect_ir::Builtin,
        args: Vec<ExprId>,
        ret: TypeId,
        span: Span,
        wanted: bool,
    ) -> Value {
        let scalar = self.types.scalar(ret).filter(|_| wanted);
        let local = scalar.map(|ty| self.body.temporary(ty, ret, span));
        let callee = Callee::Builtin(builtin);
        let dest = local.map(Place::Local);
        self.body.emit(StmtKind::Call { dest, callee, args }, span);
        match (local, scalar) {
            (Some(local), Some(ty)) => Value::new(self.body.read(local, ty, span), ret),
            _ => self.dummy(ret, span),
        }
    }

    /// The place takes an input.
    pub fn havoc(&mut self, place: Place, kind: InputKind, ty: TypeId, span: Span) {
        let input = self.input(kind, ty, span);
        self.body.emit(StmtKind::Havoc { place, input }, span);
    }

    pub fn input(&mut self, kind: InputKind, ty: TypeId, span: Span) -> idiolect_ir::InputId {
        self.inputs.push(idiolect_ir::InputSite { kind, ty, span });
        idiolect_ir::InputId::new(self.inputs.len() - 1)
    }

    /// A fresh input as a value.
    pub fn input_value(&mut self, kind: InputKind, ty: TypeId, span: Span) -> Value {
        let Some(scalar) = self.types.scalar(ty) else {
            // A record of unwritten bytes, each of them an input when it is read.
            let address = self.memory_temporary(ty, span);
            return Value::new(address, ty);
        };
        let local = self.body.temporary(scalar, ty, span);
        self.havoc(Place::Local(local), kind, ty, span);
        let expr = self.body.read(local, scalar, span);
        if matches!(self.types.get(ty), CType::Bool) {
            // Whatever byte comes in, the value is 0 or 1.
            let bit = self.truth(Value::new(expr, ty), span);
            return Value::new(self.body.resize(bit, false, 8, span), ty);
        }
        Value::new(expr, ty)
    }

    /// The address of a `va_list`, given as an object or, for parameters, as a pointer to one.
    /// Generated sources have types of their own in its place, such as `struct __va_list_tag *`.
    pub fn list_address(&mut self, expr: &'a Expr) -> ExprId {
        let value = self.rvalue(expr);
        if self.pointee(value.ty).is_none() {
            let message = format!("`{}` is not a `va_list`", self.types.name(value.ty));
            self.error("c::va-list", expr.span, message);
            return self.body.constant(0, Ty::Ptr, expr.span);
        }
        value.expr
    }

    /// `va_arg`: takes the next slot.
    pub fn va_arg(&mut self, list: &'a Expr, name: &'a TypeName, span: Span) -> Value {
        let address = self.list_address(list);
        let ty = self.type_name(name);
        let address = self.body.save(address, self.common.void_pointer);
        let slot = self.body.load(address, Ty::Ptr, span);
        let slot = self.body.save(slot, self.common.void_pointer);
        let width = self.pointer_width();
        let next = self.body.offset(slot, SLOT, width, span);
        let place = Place::Memory {
            address,
            ty: Ty::Ptr,
        };
        self.body.assign(place, next, span);
        match self.types.scalar(ty) {
            Some(scalar) => Value::new(self.body.load(slot, scalar, span), ty),
            None => Value::new(self.body.load(slot, Ty::Ptr, span), ty),
        }
    }
}
