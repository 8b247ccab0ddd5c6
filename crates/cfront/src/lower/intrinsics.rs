//! Calls of the names in [`crate::builtins`].

use super::Lowerer;
use super::convert::Value;
use super::float;
use super::lvalue::{LPlace, LValue};
use crate::ast::{BinaryOp, Expr, ExprKind, Ident, UnaryOp};
use crate::builtins::{self, Intrinsic};
use idiolect_base::Span;
use idiolect_ir::ctype::{CType, FloatKind, IntKind};
use idiolect_ir::{
    AssumptionKind, BinaryOp as Ir, Builtin, Callee, ErrorKind, ExprId, FaultKind, InputKind, Mark,
    MarkId, MarkKind, Place, StmtKind, TerminatorKind, Ty, TypeId,
};

impl<'a> Lowerer<'a> {
    pub fn intrinsic_call(
        &mut self,
        intrinsic: Intrinsic,
        ident: Ident,
        declared: Option<TypeId>,
        arguments: &'a [Expr],
        span: Span,
        wanted: bool,
    ) -> Value {
        use Intrinsic as I;
        let int = self.common.int;
        let name = self.symbols.name(ident.symbol).to_owned();
        match intrinsic {
            I::Nondet => {
                self.effects(arguments);
                let ty = declared.unwrap_or_else(|| self.nondet_type(&name));
                if self.is_void(ty) {
                    return self.dummy(ty, span);
                }
                self.input_value(InputKind::Nondet(name), ty, span)
            }
            I::Assume => {
                if let Some((first, rest)) = arguments.split_first() {
                    let condition = self.condition(first);
                    self.effects(rest);
                    self.body.emit(StmtKind::Assume { condition }, span);
                }
                self.void(span)
            }
            I::ReachError => {
                self.effects(arguments);
                self.stop(TerminatorKind::Error(ErrorKind::ReachError), declared, span)
            }
            I::AssertFail => {
                let text = arguments.iter().find_map(literal_text).unwrap_or_default();
                self.effects(arguments);
                self.stop(
                    TerminatorKind::Error(ErrorKind::Assert(text)),
                    declared,
                    span,
                )
            }
            I::Assert => self.assertion(arguments, span),
            I::Abort => {
                self.effects(arguments);
                self.stop(TerminatorKind::Abort, declared, span)
            }
            I::Exit => self.exit_call(declared, arguments, span),
            I::Unreachable => self.stop(
                TerminatorKind::Fault(FaultKind::Unreachable),
                declared,
                span,
            ),
            I::Builtin(builtin, signature) => {
                self.plain_builtin(builtin, signature, declared, arguments, span, wanted)
            }
            I::Filling(builtin, signature) => {
                self.filling(builtin, signature, &name, declared, arguments, span, wanted)
            }
            I::WithList(builtin, signature) => {
                self.with_list(builtin, signature, arguments, span, wanted)
            }
            I::Math(function) => self.math(function, &name, arguments, span, wanted),
            I::Identity => self.identity(&name, arguments, span),
            I::ConstantP => self.constant_p(arguments, span),
            I::ObjectSize => self.object_size(arguments, span),
            I::Nothing => {
                self.effects(arguments);
                let ty = match &name[..] {
                    "__builtin_stack_save" => self.common.void_pointer,
                    _ => int,
                };
                self.dummy(ty, span)
            }
            I::StackAddress => self.stack_address(arguments, span),
            I::ClassifyType => {
                let class = arguments.first().map_or(0, |e| self.type_class(e));
                self.int_value(class, int, span)
            }
            I::Overflow(op) => self.overflow(op, arguments, false, span),
            I::OverflowPredicate(op) => self.overflow(op, arguments, true, span),
            I::VaStart => self.va_start(arguments, span),
            I::VaEnd => {
                self.effects(arguments);
                self.void(span)
            }
            I::VaCopy => self.va_copy(arguments, span),
            I::Learn => self.user_mark(arguments, span),
            I::Stdin => self.input_value(InputKind::Stdin, int, span),
            I::Environment(class) => {
                let what = arguments.first().and_then(literal_text).unwrap_or_default();
                let ty = self.class_type(class);
                self.input_value(InputKind::Environment(what), ty, span)
            }
            I::Effect => {
                let what = arguments.first().and_then(literal_text).unwrap_or_default();
                self.input_value(InputKind::Effect(what), int, span)
            }
            I::IsNan | I::IsInf | I::IsFinite | I::SignBit => {
                self.classify(intrinsic, arguments, span)
            }
            I::IsNormal => self.is_normal(arguments, span),
            I::FloatClass => self.float_class(arguments, span),
            I::FloatCompare(op) => self.float_compare(op, arguments, span),
            I::FloatConstant { nan, ty } => self.special_float(nan, ty, span),
            I::Atomic(atomic) => self.atomic(atomic, arguments, span),
            I::Setjmp => self.setjmp(arguments, span),
            I::Longjmp => self.longjmp(arguments, declared, span),
            I::Unmodelled(what) => {
                self.effects(arguments);
                self.unmodelled(what, span);
                self.dummy(declared.unwrap_or(int), span)
            }
        }
    }

    fn exit_call(&mut self, declared: Option<TypeId>, arguments: &'a [Expr], span: Span) -> Value {
        let int = self.common.int;
        let status = match arguments.first() {
            Some(argument) => {
                let value = self.rvalue(argument);
                self.convert(value, int, span)
            }
            None => self.dummy(int, span),
        };
        self.stop(TerminatorKind::Exit(status.expr), declared, span)
    }

    /// `memcpy` and `memset`: what is filled is the result.
    #[allow(clippy::too_many_arguments)]
    fn filling(
        &mut self,
        builtin: Builtin,
        signature: &str,
        name: &str,
        declared: Option<TypeId>,
        arguments: &'a [Expr],
        span: Span,
        wanted: bool,
    ) -> Value {
        let mut values = self.builtin_arguments(signature, arguments, span);
        let ret = declared
            .filter(|&ty| self.pointee(ty).is_some())
            .unwrap_or(self.common.void_pointer);
        let to = values[0];
        let to = if wanted { self.body.save(to, ret) } else { to };
        values[0] = to;
        self.no_overlap(name, &values, span);
        self.builtin_call(builtin, values, self.common.void, span, false);
        Value::new(to, ret)
    }

    /// `vprintf` and its relatives: the last argument is a list.
    fn with_list(
        &mut self,
        builtin: Builtin,
        signature: &str,
        arguments: &'a [Expr],
        span: Span,
        wanted: bool,
    ) -> Value {
        let (given, list) = match arguments.split_last() {
            Some((list, given)) => (given, self.list_address(list)),
            None => (arguments, self.body.constant(0, Ty::Ptr, span)),
        };
        let slots = self.body.load(list, Ty::Ptr, span);
        let slots = self.body.save(slots, self.common.void_pointer);
        let mut values = self.builtin_arguments(signature, given, span);
        values.push(slots);
        self.builtin_call(builtin, values, self.common.int, span, wanted)
    }

    /// The first argument, after the effects of the others.
    fn identity(&mut self, name: &str, arguments: &'a [Expr], span: Span) -> Value {
        let Some((first, rest)) = arguments.split_first() else {
            return self.dummy(self.common.int, span);
        };
        let value = self.rvalue(first);
        let value = if name.starts_with("__builtin_expect") {
            let long = self.types.int(IntKind::Long);
            self.convert(value, long, span)
        } else {
            value
        };
        let position = self.body.position();
        let before = self.body.emitted;
        self.effects(rest);
        self.settled(value, position, before)
    }

    /// How many bytes there are behind a pointer: of a variable that is named, and of nothing else.
    fn object_size(&mut self, arguments: &'a [Expr], span: Span) -> Value {
        let kind = arguments.get(1).and_then(|e| self.constant_int_quietly(e));
        let named = arguments.first().map(|argument| match &argument.kind {
            ExprKind::Unary(UnaryOp::AddressOf, inner) => &**inner,
            _ => argument,
        });
        let is_address = (arguments.first())
            .is_some_and(|a| matches!(a.kind, ExprKind::Unary(UnaryOp::AddressOf, _)));
        let size = named
            .filter(|e| matches!(e.kind, ExprKind::Ident(_)))
            .and_then(|e| {
                let ty = self.lvalue_type(e);
                let is_array = matches!(self.types.get(ty), CType::Array { .. });
                (is_array || is_address).then(|| self.types.size_of(ty))?
            });
        let size = size.map_or_else(
            || {
                self.known_to_compilers("__builtin_object_size", span);
                if kind.unwrap_or(0) & 2 == 0 { -1 } else { 0 }
            },
            i128::from,
        );
        self.int_value(size, self.common.size, span)
    }

    fn constant_p(&mut self, arguments: &'a [Expr], span: Span) -> Value {
        let known = arguments.first().is_some_and(|argument| {
            matches!(argument.kind, ExprKind::String { .. })
                || self.constant_int_quietly(argument).is_some()
        });
        if !known {
            self.known_to_compilers("__builtin_constant_p", span);
        }
        self.int_value(i128::from(known), self.common.int, span)
    }

    fn va_copy(&mut self, arguments: &'a [Expr], span: Span) -> Value {
        if let [to, from, ..] = arguments {
            let address = self.list_address(to);
            let position = self.body.position();
            let before = self.body.emitted;
            let from = self.list_address(from);
            let pointer = Value::new(address, self.common.void_pointer);
            let address = self.settled(pointer, position, before).expr;
            let value = self.body.load(from, Ty::Ptr, span);
            let ty = Ty::Ptr;
            self.body.assign(Place::Memory { address, ty }, value, span);
        }
        self.void(span)
    }

    /// `Learn("…")`: a mark with this text, or with the text of the argument.
    fn user_mark(&mut self, arguments: &'a [Expr], span: Span) -> Value {
        let text = arguments.first().map_or(String::new(), |argument| {
            literal_text(argument)
                .unwrap_or_else(|| self.sources.slice(argument.span).trim().to_owned())
        });
        self.mark(MarkKind::User, text, None, span);
        self.void(span)
    }

    fn special_float(&mut self, nan: bool, ty: char, span: Span) -> Value {
        let kind = float_kind(ty);
        let ty = self.types.intern(CType::Float(kind));
        let scalar = self.types.scalar(ty).unwrap_or(Ty::F64);
        let value = if nan { f64::NAN } else { f64::INFINITY };
        let bits = float::from_f64(value, scalar);
        Value::new(self.body.constant(bits, scalar, span), ty)
    }

    pub(super) fn void(&mut self, span: Span) -> Value {
        self.dummy(self.common.void, span)
    }

    fn effects(&mut self, arguments: &'a [Expr]) {
        for argument in arguments {
            self.effect(argument);
        }
    }

    /// The run ends here.
    fn stop(&mut self, kind: TerminatorKind, declared: Option<TypeId>, span: Span) -> Value {
        self.body.terminate(kind, span);
        self.dummy(declared.unwrap_or(self.common.void), span)
    }

    /// Types that we can only move: complex numbers and vectors.
    pub fn is_unmodelled_type(&self, ty: TypeId) -> bool {
        self.complex_element(ty).is_some()
            || self
                .record_of(ty)
                .is_some_and(|record| self.types.record(record).tag.as_deref() == Some("<vector>"))
    }

    fn stack_address(&mut self, arguments: &'a [Expr], span: Span) -> Value {
        self.effects(arguments);
        if self.unevaluated == 0 {
            self.unmodelled("addresses of stack frames", span);
        }
        self.dummy(self.common.void_pointer, span)
    }

    /// What `__builtin_classify_type` gives in C, where small integers are promoted and arrays and functions
    /// are pointers.
    fn type_class(&mut self, expr: &'a Expr) -> i128 {
        let ty = self.type_of(expr);
        match *self.types.get(ty) {
            CType::Void => 0,
            CType::Bool | CType::Int(_) | CType::Enum(_) => 1,
            CType::Pointer(_) | CType::Array { .. } | CType::Function(_) | CType::VaList => 5,
            CType::Float(_) => 8,
            CType::Record(record) if self.types.record(record).is_union => 13,
            CType::Record(_) => 12,
        }
    }

    pub fn unmodelled_value(&mut self, from: TypeId, to: TypeId, span: Span) -> Value {
        let is_complex = [from, to].map(|ty| self.complex_element(ty).is_some());
        let construct = if is_complex.contains(&true) {
            "complex numbers"
        } else {
            "vector extensions"
        };
        self.unmodelled(construct, span);
        self.dummy(to, span)
    }

    pub fn mark(&mut self, kind: MarkKind, name: String, condition: Option<ExprId>, span: Span) {
        self.marks.push(Mark { kind, name, span });
        let mark = MarkId::new(self.marks.len() - 1);
        self.body.emit(StmtKind::Mark { mark, condition }, span);
    }

    /// The type that the end of the name says.
    fn nondet_type(&mut self, name: &str) -> TypeId {
        let suffix = name.rsplit_once("nondet_").map_or("", |(_, s)| s);
        let kind = match suffix {
            "char" => IntKind::Char,
            "uchar" | "unsigned_char" | "u8" => IntKind::UChar,
            "short" => IntKind::Short,
            "ushort" | "unsigned_short" | "u16" => IntKind::UShort,
            "uint" | "unsigned" | "unsigned_int" | "u32" => IntKind::UInt,
            "long" | "loff_t" => IntKind::Long,
            "ulong" | "unsigned_long" | "sector_t" => IntKind::ULong,
            "longlong" => IntKind::LongLong,
            "ulonglong" | "u64" => IntKind::ULongLong,
            "int128" => IntKind::Int128,
            "uint128" => IntKind::UInt128,
            "bool" | "_Bool" => return self.common.bool_,
            "size_t" => return self.common.size,
            "pointer" | "ptr" => return self.common.void_pointer,
            "pchar" | "string" => return self.types.pointer_to(self.common.char_),
            "float" => return self.types.intern(CType::Float(FloatKind::Float)),
            "double" => return self.common.double,
            "void" => return self.common.void,
            _ => IntKind::Int,
        };
        self.types.int(kind)
    }

    fn assertion(&mut self, arguments: &'a [Expr], span: Span) -> Value {
        if let Some(argument) = arguments.first() {
            let text = self.sources.slice(argument.span).trim().to_owned();
            let (fine, fails) = (self.body.new_block(), self.body.new_block());
            self.branch_on(argument, fine, fails);
            self.body.start(fails);
            let kind = TerminatorKind::Error(ErrorKind::Assert(text));
            self.body.terminate(kind, span);
            self.body.start(fine);
        }
        self.void(span)
    }

    fn class_type(&mut self, class: char) -> TypeId {
        match class {
            'p' => self.common.void_pointer,
            'z' => self.types.int(IntKind::ULong),
            'l' => self.types.int(IntKind::Long),
            'u' => self.common.unsigned,
            'd' => self.common.double,
            'v' => self.common.void,
            _ => self.common.int,
        }
    }

    /// Arguments by class, from the last to the first; missing ones are 0.
    pub(super) fn builtin_arguments(
        &mut self,
        signature: &str,
        arguments: &'a [Expr],
        span: Span,
    ) -> Vec<ExprId> {
        let classes: Vec<char> = signature.chars().take_while(|&c| c != '>').collect();
        let is_variadic = classes.last() == Some(&'.');
        let fixed = classes.len() - usize::from(is_variadic);
        let mut lowered = Vec::new();
        for (i, argument) in arguments.iter().enumerate().rev() {
            let before = self.body.emitted;
            let value = self.rvalue(argument);
            if i >= fixed && !is_variadic {
                continue;
            }
            let value = match classes.get(i).filter(|_| i < fixed) {
                Some('z') => self.convert(value, self.common.size, argument.span),
                Some(&class) => {
                    let ty = self.class_type(class);
                    self.convert(value, ty, argument.span)
                }
                None => self.default_promote(value, argument.span),
            };
            self.settle_all(&mut lowered, before);
            let position = self.body.position();
            lowered.push((value, position));
        }
        lowered.reverse();
        let mut values: Vec<ExprId> = lowered.iter().map(|(v, _)| v.expr).collect();
        for &class in classes[..fixed].iter().skip(values.len()) {
            let ty = if class == 'z' {
                self.common.size
            } else {
                self.class_type(class)
            };
            let zero = self.dummy(ty, span);
            values.push(zero.expr);
        }
        values
    }

    fn plain_builtin(
        &mut self,
        builtin: Builtin,
        signature: &'static str,
        declared: Option<TypeId>,
        arguments: &'a [Expr],
        span: Span,
        wanted: bool,
    ) -> Value {
        // A second `0` argument of the prelude's own making.
        let values = self.builtin_arguments(signature, arguments, span);
        if matches!(
            builtin,
            Builtin::Malloc | Builtin::Calloc | Builtin::Realloc
        ) {
            return self.allocation(builtin, values, declared, span, wanted);
        }
        let class = signature.chars().last().unwrap_or('i');
        let ret = self.class_type(class);
        let ret = match declared {
            Some(ty) if self.types.scalar(ty) == self.types.scalar(ret) => ty,
            _ => ret,
        };
        let value = self.builtin_call(builtin, values, ret, span, wanted);
        match declared {
            Some(ty) if wanted && self.types.scalar(ty).is_some() => self.convert(value, ty, span),
            _ => value,
        }
    }

    /// `malloc` and its relatives, which succeed unless one wants them to fail.
    fn allocation(
        &mut self,
        builtin: Builtin,
        values: Vec<ExprId>,
        declared: Option<TypeId>,
        span: Span,
        wanted: bool,
    ) -> Value {
        let ret = declared
            .filter(|&ty| self.types.scalar(ty) == Some(Ty::Ptr))
            .unwrap_or(self.common.void_pointer);
        if !self.options.malloc_may_fail {
            if self.unevaluated == 0 {
                let text = "`malloc`, `calloc` and `realloc` succeed";
                let option = Some("--malloc-may-fail");
                self.assume(AssumptionKind::Convention, text, span, option);
            }
            let value = self.builtin_call(builtin, values, ret, span, wanted);
            return match declared {
                Some(ty) if wanted && self.types.scalar(ty).is_some() => {
                    self.convert(value, ty, span)
                }
                _ => value,
            };
        }
        let values: Vec<ExprId> = (values.into_iter())
            .map(|value| {
                let ty = match self.body.ty(value) {
                    Ty::Ptr => self.common.void_pointer,
                    _ => self.common.size,
                };
                self.body.save(value, ty)
            })
            .collect();
        let fails = self.choice(InputKind::Environment("malloc".to_owned()), span);
        let local = self.body.temporary(Ty::Ptr, ret, span);
        let (failed, made, after) = (
            self.body.new_block(),
            self.body.new_block(),
            self.body.new_block(),
        );
        self.body.branch(fails, failed, made, span);
        self.body.start(failed);
        let null = self.body.constant(0, Ty::Ptr, span);
        self.body.assign(Place::Local(local), null, span);
        self.body.goto(after, span);
        self.body.start(made);
        let dest = Some(Place::Local(local));
        let callee = Callee::Builtin(builtin);
        let args = values;
        self.body.emit(StmtKind::Call { dest, callee, args }, span);
        self.body.goto(after, span);
        self.body.start(after);
        let value = Value::new(self.body.read(local, Ty::Ptr, span), ret);
        match declared {
            Some(ty) if wanted && self.types.scalar(ty).is_some() => self.convert(value, ty, span),
            _ => value,
        }
    }

    fn math(
        &mut self,
        function: idiolect_ir::MathFunction,
        name: &str,
        arguments: &'a [Expr],
        span: Span,
        wanted: bool,
    ) -> Value {
        self.system_call(name, true, span);
        self.has_math |= !self.is_library();
        let signature = match function.arity() {
            1 => "d>d",
            2 => "dd>d",
            _ => "ddd>d",
        };
        let values = self.builtin_arguments(signature, arguments, span);
        let double = self.common.double;
        let value = self.builtin_call(Builtin::Math(function), values, double, span, wanted);
        let kind = float_kind(builtins::math_type(name));
        let ty = self.types.intern(CType::Float(kind));
        self.convert(value, ty, span)
    }

    /// `__builtin_add_overflow(a, b, &r)`: exact in a wider type, then compared with what fits.
    fn overflow(&mut self, op: char, arguments: &'a [Expr], only_ask: bool, span: Span) -> Value {
        let int = self.common.int;
        let [a, b, result] = arguments else {
            self.error("c::argument-count", span, "three arguments are needed here");
            return self.dummy(int, span);
        };
        let mut values = Vec::new();
        for argument in [a, b, result] {
            let before = self.body.emitted;
            let value = self.rvalue(argument);
            self.settle_all(&mut values, before);
            let position = self.body.position();
            values.push((value, position));
        }
        let [a, b, target] = [values[0].0, values[1].0, values[2].0];
        let ty = if only_ask {
            Some(target.ty)
        } else {
            self.pointee(target.ty)
        };
        let Some((ty, width)) = ty.and_then(|ty| Some((ty, self.types.scalar(ty)?.int_width()?)))
        else {
            self.error("c::operand", span, "a pointer to an integer is needed here");
            return self.dummy(int, span);
        };
        let signed = self.types.is_signed(ty);
        // 128 bits hold sums and products of 64-bit operands of any sign, but for a product of
        // unsigned ones that does not fit 127 bits; its top bit is then part of the comparison.
        let wide_signed = self.types.is_signed(a.ty) || self.types.is_signed(b.ty) || op == '-';
        let wide = |this: &mut Self, v: Value| {
            let signed = this.types.is_signed(v.ty);
            this.body.resize(v.expr, signed, 128, span)
        };
        let (x, y) = (wide(self, a), wide(self, b));
        let ir = match op {
            '+' => Ir::Add { signed: false },
            '-' => Ir::Sub { signed: false },
            _ => Ir::Mul { signed: false },
        };
        let exact = self.body.binary(ir, x, y, span);
        let exact = self.body.save(exact, self.common.size);
        let narrow = self.body.resize(exact, false, width, span);
        let back = self.body.resize(narrow, signed, 128, span);
        let mut differs = self.body.binary(Ir::Ne, exact, back, span);
        if !wide_signed && signed {
            // An unsigned exact value that only looks negative.
            let zero = self.body.constant(0, Ty::Int(128), span);
            let negative = self.body.binary(Ir::SLt, exact, zero, span);
            differs = self.body.or(differs, negative, span);
        }
        if !only_ask {
            let place = Place::Memory {
                address: target.expr,
                ty: Ty::Int(width),
            };
            let differs_ty = self.common.bool_;
            differs = self.body.save(differs, differs_ty);
            self.body.assign(place, narrow, span);
        }
        let value = self.condition_value(differs, span);
        self.convert(value, self.common.bool_, span)
    }

    fn va_start(&mut self, arguments: &'a [Expr], span: Span) -> Value {
        let Some(list) = arguments.first() else {
            return self.void(span);
        };
        let address = self.list_address(list);
        match self.body.variable_arguments {
            Some(local) => {
                let value = self.body.read(local, Ty::Ptr, span);
                let ty = Ty::Ptr;
                self.body.assign(Place::Memory { address, ty }, value, span);
            }
            None => self.error(
                "c::va-start",
                span,
                "this function has no variable arguments",
            ),
        }
        self.void(span)
    }

    fn classify(&mut self, what: Intrinsic, arguments: &'a [Expr], span: Span) -> Value {
        let int = self.common.int;
        let Some(argument) = arguments.first() else {
            return self.dummy(int, span);
        };
        let value = self.rvalue(argument);
        let value = if self.is_float(value.ty) {
            value
        } else {
            self.convert(value, self.common.double, span)
        };
        let x = self.body.save(value.expr, value.ty);
        let ty = self.body.ty(x);
        let infinity = self
            .body
            .constant(float::from_f64(f64::INFINITY, ty), ty, span);
        let minus = self
            .body
            .constant(float::from_f64(f64::NEG_INFINITY, ty), ty, span);
        let bit = match what {
            Intrinsic::IsNan => self.body.binary(Ir::FNe, x, x, span),
            Intrinsic::IsInf => {
                let above = self.body.binary(Ir::FEq, x, infinity, span);
                let below = self.body.binary(Ir::FEq, x, minus, span);
                let (one, zero) = (1u128, 0u128);
                let one = self.body.constant(one, Ty::Int(32), span);
                let zero = self.body.constant(zero, Ty::Int(32), span);
                let minus_one = self.body.constant(u128::MAX, Ty::Int(32), span);
                let rest = self.body.select(below, minus_one, zero, span);
                let expr = self.body.select(above, one, rest, span);
                return Value::new(expr, int);
            }
            Intrinsic::IsFinite => {
                let above = self.body.binary(Ir::FLt, x, infinity, span);
                let below = self.body.binary(Ir::FLt, minus, x, span);
                self.body.and(above, below, span)
            }
            _ => {
                // The sign of a zero shows only in its bits.
                let ptr = self.memory_temporary(value.ty, span);
                self.store_at(ptr, value.ty, Value::new(x, value.ty), span);
                let last = match ty {
                    Ty::F32 => 3,
                    Ty::F64 => 7,
                    _ => 9,
                };
                let width = self.pointer_width();
                let at = self.body.offset(ptr, last, width, span);
                let byte = self.body.load(at, Ty::Int(8), span);
                let zero = self.body.constant(0, Ty::Int(8), span);
                self.body.binary(Ir::SLt, byte, zero, span)
            }
        };
        self.condition_value(bit, span)
    }

    /// A floating value, kept, so that it can be looked at several times.
    fn kept_float(&mut self, argument: &'a Expr, span: Span) -> ExprId {
        let value = self.rvalue(argument);
        let value = if self.is_float(value.ty) {
            value
        } else {
            self.convert(value, self.common.double, span)
        };
        self.body.save(value.expr, value.ty)
    }

    /// Whether `low <= |x| < high`, both given by their bits.
    fn is_between(&mut self, x: ExprId, low: u128, high: u128, span: Span) -> ExprId {
        let ty = self.body.ty(x);
        let sign = match ty {
            Ty::F32 => 1 << 31,
            Ty::F64 => 1 << 63,
            _ => 1 << 79,
        };
        let mut side = |sign: u128| {
            let low = self.body.constant(low | sign, ty, span);
            let high = self.body.constant(high | sign, ty, span);
            let (inner, outer) = if sign == 0 {
                (
                    self.body.binary(Ir::FLe, low, x, span),
                    self.body.binary(Ir::FLt, x, high, span),
                )
            } else {
                (
                    self.body.binary(Ir::FLe, x, low, span),
                    self.body.binary(Ir::FLt, high, x, span),
                )
            };
            self.body.and(inner, outer, span)
        };
        let (positive, negative) = (side(0), side(sign));
        self.body.or(positive, negative, span)
    }

    fn is_normal(&mut self, arguments: &'a [Expr], span: Span) -> Value {
        let Some(argument) = arguments.first() else {
            return self.dummy(self.common.int, span);
        };
        let x = self.kept_float(argument, span);
        let ty = self.body.ty(x);
        let infinity = float::from_f64(f64::INFINITY, ty);
        let bit = self.is_between(x, least_normal(ty), infinity, span);
        self.condition_value(bit, span)
    }

    /// One of the first five values: for NaN, infinities, normal and subnormal numbers, and zero.
    fn float_class(&mut self, arguments: &'a [Expr], span: Span) -> Value {
        let int = self.common.int;
        let [classes @ .., argument] = arguments else {
            return self.dummy(int, span);
        };
        if classes.len() != 5 {
            return self.dummy(int, span);
        }
        let mut values = Vec::new();
        for class in classes {
            let value = self.rvalue(class);
            let value = self.convert(value, int, span);
            values.push(self.body.save(value.expr, int));
        }
        let x = self.kept_float(argument, span);
        let ty = self.body.ty(x);
        let infinity = float::from_f64(f64::INFINITY, ty);
        let is_nan = self.body.binary(Ir::FNe, x, x, span);
        let is_normal = self.is_between(x, least_normal(ty), infinity, span);
        let zero = self.body.constant(0, ty, span);
        let is_zero = self.body.binary(Ir::FEq, x, zero, span);
        let is_subnormal = self.is_between(x, 1, least_normal(ty), span);
        let mut expr = values[1];
        for (condition, value) in [
            (is_subnormal, values[3]),
            (is_zero, values[4]),
            (is_normal, values[2]),
            (is_nan, values[0]),
        ] {
            expr = self.body.select(condition, value, expr, span);
        }
        Value::new(expr, int)
    }

    fn float_compare(&mut self, op: &str, arguments: &'a [Expr], span: Span) -> Value {
        let int = self.common.int;
        let [a, b] = arguments else {
            return self.dummy(int, span);
        };
        let a = self.rvalue(a);
        let position = self.body.position();
        let before = self.body.emitted;
        let b = self.rvalue(b);
        let a = self.settled(a, position, before);
        let ty = self.usual_type(a, b);
        let ty = if self.is_float(ty) {
            ty
        } else {
            self.common.double
        };
        let a = self.convert(a, ty, span);
        let b = self.convert(b, ty, span);
        let (x, y) = (a.expr, b.expr);
        let bit = match op {
            ">" => self.body.binary(Ir::FLt, y, x, span),
            ">=" => self.body.binary(Ir::FLe, y, x, span),
            "<" => self.body.binary(Ir::FLt, x, y, span),
            "<=" => self.body.binary(Ir::FLe, x, y, span),
            "<>" => {
                let less = self.body.binary(Ir::FLt, x, y, span);
                let more = self.body.binary(Ir::FLt, y, x, span);
                self.body.or(less, more, span)
            }
            _ => {
                let first = self.body.binary(Ir::FNe, x, x, span);
                let second = self.body.binary(Ir::FNe, y, y, span);
                self.body.or(first, second, span)
            }
        };
        self.condition_value(bit, span)
    }

    pub(super) fn saved(&mut self, value: Value) -> Value {
        let expr = self.body.save(value.expr, value.ty);
        Value { expr, ..value }
    }

    /// Gives the old value and whether it was the expected one.
    pub(super) fn compare_exchange(
        &mut self,
        place: LValue,
        expected: Option<LValue>,
        value: Option<Value>,
        desired: Value,
        span: Span,
    ) -> (Value, Value) {
        let old = self.read(place, span);
        let old = self.saved(old);
        let wanted = match (expected, value) {
            (Some(lvalue), _) => self.read(lvalue, span),
            (None, Some(value)) => value,
            (None, None) => self.dummy(place.ty, span),
        };
        let wanted = self.convert(wanted, place.ty, span);
        let hit = self.binary(BinaryOp::Equal, old, wanted, span);
        let hit = self.saved(hit);
        let bit = self.truth(hit, span);
        let desired = self.convert(desired, place.ty, span);
        let new = self.body.select(bit, desired.expr, old.expr, span);
        self.write(place, Value::new(new, place.ty), false, span);
        if let Some(lvalue) = expected {
            let before = self.read(lvalue, span);
            let before = self.convert(before, place.ty, span);
            let seen = self.body.select(bit, before.expr, old.expr, span);
            if let LPlace::Memory(address) = lvalue.place {
                self.store_at(address, lvalue.ty, Value::new(seen, place.ty), span);
            }
        }
        (old, hit)
    }
}

fn float_kind(class: char) -> FloatKind {
    match class {
        'f' => FloatKind::Float,
        'l' => FloatKind::LongDouble,
        _ => FloatKind::Double,
    }
}

/// The text of a string literal.
pub(crate) fn literal_text(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::String { units, .. } => {
            let bytes: Vec<u8> = units.iter().map(|&u| u as u8).collect();
            Some(String::from_utf8_lossy(&bytes).into_owned())
        }
        ExprKind::Cast(_, inner) => literal_text(inner),
        _ => None,
    }
}

/// The bits of the smallest positive normal number.
fn least_normal(ty: Ty) -> u128 {
    match ty {
        Ty::F32 => 1 << 23,
        Ty::F64 => 1 << 52,
        // The leading bit is stored.
        _ => 1 << 64 | 1 << 63,
    }
}
