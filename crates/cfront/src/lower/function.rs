//! Bodies of functions: parameters, the body, and functions that have none.

use super::Lowerer;
use super::body::Body;
use super::link::Definition;
use super::scope::{Entry, SubprogramId};
use super::types::LengthMode;
use crate::ast::{
    ArrayLength, Declarator, Derivation, ExprKind, FunctionDefinition, Ident, Parameters,
};
use crate::builtins;
use idiolect_base::Span;
use idiolect_ir::ctype::{CType, FunctionType};
use idiolect_ir::{
    Function, FunctionOrigin, Local, LocalId, LocalKind, LocalStorage, StmtKind, TerminatorKind,
    Ty, TypeId,
};

impl<'a> Lowerer<'a> {
    /// Lowers everything that is referred to and was not lowered yet.
    pub fn lower_pending(&mut self) {
        while self.next_pending < self.pending.len() {
            let function = self.pending[self.next_pending];
            self.next_pending += 1;
            self.lower_function(function);
        }
    }

    fn lower_function(&mut self, function: SubprogramId) {
        let subprogram = &self.subprograms[function.index()];
        let Some(id) = subprogram.id else {
            return;
        };
        self.current = Some(id);
        let subprogram = &self.subprograms[function.index()];
        let lowered = match subprogram.definition {
            Some(definition) => {
                let name = subprogram.name.clone();
                self.in_unit(definition.unit, |this| this.defined(name, definition))
            }
            // What it can reach is known when everything else is.
            None => {
                self.undefined.push(function);
                self.current = None;
                return;
            }
        };
        self.current = None;
        self.functions[id.index()] = Some(lowered);
    }

    fn defined(&mut self, name: String, definition: Definition<'a>) -> Function {
        let ast = definition.ast;
        let span = ast.declarator.name.map_or(ast.span, |n| n.span);
        self.body = Body::new();
        self.body.name = name;
        self.body.function = Some(definition.ty);
        self.push_scope(ast.span);
        let signature = match self.types.get(definition.ty) {
            CType::Function(f) => f.clone(),
            _ => FunctionType {
                ret: self.common.int,
                params: Vec::new(),
                variadic: false,
                prototype: true,
            },
        };
        let mut params = self.begin_function(&signature, span);
        self.parameters(ast, &signature, &mut params);
        self.restricted_parameters(ast, &signature, span);
        if signature.variadic {
            let pointer = self.common.void_pointer;
            let local = self.hidden_parameter("%arguments", pointer, span);
            self.body.variable_arguments = Some(local);
            params.push(local);
        }
        for stmt in &ast.body.statements {
            self.stmt(stmt);
        }
        if self.body.is_open() {
            let end = Span {
                start: ast.body.span.end.saturating_sub(1),
                ..ast.body.span
            };
            self.return_nothing(end);
        }
        self.finish_labels();
        self.pop_scope();
        // What a system header brings is not the user's own either.
        let is_library =
            self.units[definition.unit].is_library || self.sources.in_system_header(span);
        let origin = if is_library {
            FunctionOrigin::Library
        } else {
            FunctionOrigin::User
        };
        self.finish_function(origin, definition.ty, &signature, params, span)
    }

    /// Says so where a function has a pointer that is `restrict`, and another one that may point to the same object.
    fn restricted_parameters(
        &mut self,
        ast: &'a FunctionDefinition,
        signature: &FunctionType,
        span: Span,
    ) {
        let pointers = signature
            .params
            .iter()
            .filter(|&&p| self.pointee(p).is_some());
        let has_others = pointers.count() > 1;
        let Some(Derivation::Function(Parameters::Prototype { parameters, .. })) =
            ast.declarator.derivations.first()
        else {
            return;
        };
        let is_restrict = |derivations: &[Derivation]| matches!(derivations.first(), Some(Derivation::Pointer(q)) if q.is_restrict);
        let found = parameters
            .iter()
            .any(|p| is_restrict(&p.declarator.derivations));
        if found && has_others {
            let name = self.body.name.clone();
            self.restricted(&name, span);
        }
    }

    /// The result type, and the hidden parameter for a returned record.
    pub fn begin_function(&mut self, signature: &FunctionType, span: Span) -> Vec<LocalId> {
        self.body.return_type = Some(signature.ret);
        let mut params = Vec::new();
        if self.types.scalar(signature.ret).is_none() && !self.is_void(signature.ret) {
            let pointer = self.types.pointer_to(signature.ret);
            let local = self.hidden_parameter("%result", pointer, span);
            self.body.return_slot = Some(local);
            params.push(local);
        }
        params
    }

    pub fn hidden_parameter(&mut self, name: &str, ty: TypeId, span: Span) -> LocalId {
        self.body.add_local(Local {
            name: name.to_owned(),
            ty,
            kind: LocalKind::Parameter,
            storage: LocalStorage::Register(Ty::Ptr),
            span,
            scope: Span::NOWHERE,
        })
    }

    pub fn finish_function(
        &mut self,
        origin: FunctionOrigin,
        ty: TypeId,
        signature: &FunctionType,
        mut params: Vec<LocalId>,
        span: Span,
    ) -> Function {
        let blocks = self.finish_blocks(&mut params);
        let body = std::mem::replace(&mut self.body, Body::new());
        Function {
            name: body.name,
            origin,
            ty,
            params,
            ret: self.types.scalar(signature.ret),
            variadic: signature.variadic,
            locals: body.locals,
            exprs: body.exprs,
            blocks,
            span,
        }
    }

    fn parameters(
        &mut self,
        ast: &'a FunctionDefinition,
        signature: &FunctionType,
        params: &mut Vec<LocalId>,
    ) {
        match ast.declarator.derivations.first() {
            Some(Derivation::Function(Parameters::Prototype { parameters, .. })) => {
                for (i, parameter) in parameters.iter().enumerate() {
                    let Some(&prototype) = signature.params.get(i) else {
                        break;
                    };
                    // Lengths of arrays are computed now, from the parameters before; of the outermost one
                    // only what computing it does is of any matter.
                    self.length_effects(&parameter.declarator);
                    let ty = if self.needs_lengths(prototype) {
                        self.parameter_type(parameter, LengthMode::Compute)
                    } else {
                        prototype
                    };
                    let name = parameter.declarator.name;
                    params.push(self.parameter(name, ty, parameter.span));
                    if let Some(name) = name {
                        let constness =
                            self.constness(&parameter.specifiers, &parameter.declarator);
                        self.remember_constness(name, constness);
                    }
                }
            }
            Some(Derivation::Function(Parameters::Names(_))) => {
                for (declared, name) in self.old_style_types(ast) {
                    let arriving = self.promoted_argument(declared);
                    let local = self.parameter(Some(name), arriving, name.span);
                    params.push(local);
                    if arriving == declared {
                        continue;
                    }
                    // The variable has the declared type.
                    let variable = self.add_named_local(name, declared, LocalKind::Variable, 1);
                    self.declare(name.symbol, Entry::Local(variable));
                    let scalar = self.types.scalar(arriving).unwrap_or(Ty::Int(32));
                    let value = self.body.read(local, scalar, name.span);
                    let value = super::convert::Value::new(value, arriving);
                    let value = self.convert(value, declared, name.span);
                    self.body.emit(
                        StmtKind::Declare {
                            local: variable,
                            size: None,
                        },
                        name.span,
                    );
                    self.assign_parameter(variable, value.expr, name.span);
                }
            }
            _ => {}
        }
    }

    /// What computing the outermost length of a parameter does: `int f(int n, int a[n++])`. GCC does not
    /// compute it in an old-style definition.
    fn length_effects(&mut self, declarator: &'a Declarator) {
        if let Some(Derivation::Array { length, .. }) = declarator.derivations.first()
            && let ArrayLength::Expr(length) = length
            && !matches!(length.kind, ExprKind::Int { .. } | ExprKind::Ident(_))
        {
            self.effect(length);
        }
    }

    /// Whether this is a pointer to arrays whose length the prototype left open.
    fn needs_lengths(&self, ty: TypeId) -> bool {
        let mut ty = match self.pointee(ty) {
            Some(to) => to,
            None => return false,
        };
        loop {
            match self.types.get(ty) {
                CType::Array {
                    length: idiolect_ir::ctype::ArrayLength::Unknown,
                    ..
                } => return true,
                CType::Array { element, .. } => ty = *element,
                CType::Pointer(to) => ty = *to,
                _ => return false,
            }
        }
    }

    pub fn parameter(&mut self, name: Option<Ident>, ty: TypeId, span: Span) -> LocalId {
        let end = self.scope().end;
        let storage = LocalStorage::Register(self.types.scalar(ty).unwrap_or(Ty::Ptr));
        let local = Local {
            name: match name {
                Some(name) => self.name(name.symbol).to_owned(),
                None => format!("%parameter{}", self.body.locals.len()),
            },
            ty,
            kind: LocalKind::Parameter,
            storage,
            span: name.map_or(span, |n| n.span),
            scope: name.map_or(Span::NOWHERE, |n| Span { end, ..n.span }),
        };
        let local = self.body.add_local(local);
        if self.types.scalar(ty).is_none() {
            self.body.record_parameters.push(local);
        }
        if let Some(name) = name {
            if matches!(self.scope().names.get(&name.symbol), Some(Entry::Local(_))) {
                let text = self.name(name.symbol).to_owned();
                let message = format!("two parameters are named `{text}`");
                self.error("c::redefinition", name.span, message);
            }
            self.declare(name.symbol, Entry::Local(local));
        }
        local
    }

    /// The declared types of the parameters of an old-style definition; `int` if not declared.
    pub fn old_style_types(&mut self, ast: &'a FunctionDefinition) -> Vec<(TypeId, Ident)> {
        let Some(Derivation::Function(Parameters::Names(names))) =
            ast.declarator.derivations.first()
        else {
            return Vec::new();
        };
        let mut list: Vec<(TypeId, Ident)> =
            names.iter().map(|&name| (self.common.int, name)).collect();
        for declaration in &ast.kr_declarations {
            let base = self.specified_type(&declaration.specifiers, false);
            for declarator in &declaration.declarators {
                let Some(name) = declarator.declarator.name else {
                    continue;
                };
                let ty = self.declared_type(base, &declarator.declarator, LengthMode::Forget);
                let ty = self.adjusted(ty);
                if let Some(slot) = list.iter_mut().find(|(_, n)| n.symbol == name.symbol) {
                    slot.0 = ty;
                }
            }
        }
        list
    }

    /// A body for a name that the engines know and whose address is taken, such as `free`.
    pub fn native_body(
        &mut self,
        name: &str,
        signature: &FunctionType,
        params: &[LocalId],
        span: Span,
    ) -> bool {
        use builtins::Intrinsic as I;
        let (builtin, returns_first) = match builtins::intrinsic(name) {
            Some(I::Builtin(builtin, text)) if !text.contains(['.', '0']) => (builtin, false),
            Some(I::Filling(builtin, _)) => (builtin, true),
            Some(I::Math(function)) if builtins::math_type(name) == 'd' => {
                (idiolect_ir::Builtin::Math(function), false)
            }
            Some(I::Abort) => {
                self.body.terminate(TerminatorKind::Abort, span);
                return true;
            }
            _ => return false,
        };
        let args: Vec<_> = params
            .iter()
            .map(|&p| {
                let ty = self
                    .types
                    .scalar(self.body.locals[p.index()].ty)
                    .unwrap_or(Ty::Ptr);
                self.body.read(p, ty, span)
            })
            .collect();
        let first = args.first().copied();
        let ret = if returns_first {
            self.common.void
        } else {
            signature.ret
        };
        let value = self.builtin_call(builtin, args, ret, span, true);
        let value = if returns_first {
            first
        } else {
            Some(value.expr)
        };
        let value = value.filter(|_| !self.is_void(signature.ret));
        self.body.terminate(TerminatorKind::Return(value), span);
        true
    }
}
