//! Declarations inside functions.

use super::Lowerer;
use super::generic::Constness;
use super::scope::Entry;
use super::types::LengthMode;
use crate::ast::{
    Attribute, Declaration, ExprKind, Ident, InitDeclarator, Initializer, Storage, TypeSpecifier,
};
use idiolect_base::Span;
use idiolect_ir::ctype::CType;
use idiolect_ir::memory::MAX_OBJECT_SIZE;
use idiolect_ir::{
    Callee, ExprKind as IrKind, Local, LocalId, LocalKind, LocalStorage, Place, StmtKind, Ty,
    TypeId,
};

impl<'a> Lowerer<'a> {
    pub fn local_declaration(&mut self, declaration: &'a Declaration) {
        if let Some(assertion) = &declaration.static_assert {
            self.static_assert(assertion);
            return;
        }
        let specifiers = &declaration.specifiers;
        let alone = declaration.declarators.is_empty();
        let base = self.specified_type(specifiers, alone);
        for declarator in &declaration.declarators {
            let Some(name) = declarator.declarator.name else {
                continue;
            };
            let is_auto_type = matches!(specifiers.ty, TypeSpecifier::AutoType);
            let base = match &declarator.initializer {
                Some(Initializer::Expr(expr)) if is_auto_type => self.unevaluated(|this| {
                    let value = this.rvalue(expr);
                    this.decay(value).ty
                }),
                _ => base,
            };
            let is_static = matches!(specifiers.storage, Some(Storage::Static | Storage::Extern));
            let mode = if is_static {
                LengthMode::Reject
            } else {
                LengthMode::Compute
            };
            let ty = self.declared_type(base, &declarator.declarator, mode);
            let constness = self.constness(specifiers, &declarator.declarator);
            if is_static && specifiers.qualifiers.is_volatile {
                self.volatile_object(name.span);
            }
            match specifiers.storage {
                Some(Storage::Typedef) => {
                    let align = self.written_alignment(specifiers, &declarator.declarator);
                    self.declare(
                        name.symbol,
                        Entry::Typedef {
                            ty,
                            is_const: constness.object,
                            align,
                        },
                    );
                }
                _ if matches!(self.types.get(ty), CType::Function(_)) => {
                    self.declare_function(name, ty, specifiers);
                }
                Some(Storage::Extern) => {
                    self.declare_object(name, ty, specifiers, declarator);
                }
                Some(Storage::Static) => {
                    self.static_local(name, ty, constness, specifiers, declarator)
                }
                _ => {
                    let align = self.written_alignment(specifiers, &declarator.declarator);
                    self.local_variable(name, ty, align, declarator);
                    self.remember_constness(name, constness);
                    let lists = [&specifiers.attributes, &declarator.declarator.attributes];
                    for attribute in lists.into_iter().flatten() {
                        if self.name(attribute.name.symbol) == "cleanup" {
                            self.clean_up(name, attribute);
                        }
                    }
                }
            }
        }
    }

    /// The function that is called with the address of the variable when its life ends.
    fn clean_up(&mut self, name: Ident, attribute: &Attribute) {
        let function = match attribute.arguments.first().map(|a| &a.kind) {
            Some(ExprKind::Ident(function)) => self.lookup(*function),
            _ => None,
        };
        let (Some(Entry::Local(local)), Some(Entry::Function { function, .. })) =
            (self.lookup(name.symbol), function)
        else {
            self.unmodelled("the attribute cleanup", name.span);
            return;
        };
        if !self.is_user_defined(function) {
            self.unmodelled(
                "the attribute cleanup with a function without a body",
                name.span,
            );
            return;
        }
        self.body.addressed[local.index()] = true;
        let address = (self.body).add(IrKind::LocalAddress(local), Ty::Ptr, name.span);
        let call = StmtKind::Call {
            dest: None,
            callee: Callee::Function(self.function_id(function)),
            args: vec![address],
        };
        self.body.cleanups.insert(local, call);
    }

    /// Of the local that this name stands for now.
    pub fn remember_constness(&mut self, name: Ident, constness: Constness) {
        if let Some(Entry::Local(local)) = self.lookup(name.symbol)
            && constness != Constness::default()
        {
            self.body.constness.insert(local, constness);
        }
    }

    fn scope_span(&mut self, name: Ident) -> Span {
        let end = self.scope().end.max(name.span.end);
        Span { end, ..name.span }
    }

    /// A local in a register or in memory, by its type; registers that turn out to have their
    /// address taken move to memory when the function is complete.
    pub fn add_named_local(
        &mut self,
        name: Ident,
        ty: TypeId,
        kind: LocalKind,
        least_align: u64,
    ) -> LocalId {
        let scope = self.scope_span(name);
        let storage = match self.types.scalar(ty) {
            Some(scalar) => LocalStorage::Register(scalar),
            None if self.is_variable(ty) => LocalStorage::Dynamic,
            None => {
                let size = match self.types.size_of(ty) {
                    Some(size) => size,
                    None => {
                        let text = self.name(name.symbol).to_owned();
                        let message =
                            format!("`{text}` has the incomplete type `{}`", self.types.name(ty));
                        self.error("c::incomplete-type", name.span, message);
                        1
                    }
                };
                if size >= MAX_OBJECT_SIZE {
                    self.error("c::array-size", name.span, "this object is too large");
                }
                let align = self.types.align_of(ty).unwrap_or(1).max(least_align);
                LocalStorage::Memory { size, align }
            }
        };
        let text = self.name(name.symbol).to_owned();
        let local = self.body.add_local(Local {
            name: text,
            ty,
            kind,
            storage,
            span: name.span,
            scope,
        });
        self.scope().locals.push(local);
        self.body.scoped.push(local);
        local
    }

    fn local_variable(
        &mut self,
        name: Ident,
        ty: TypeId,
        align: u64,
        declarator: &'a InitDeclarator,
    ) {
        if self
            .scope()
            .names
            .get(&name.symbol)
            .is_some_and(|e| matches!(e, Entry::Local(_)))
        {
            let text = self.name(name.symbol).to_owned();
            let message = format!("`{text}` is declared twice in this block");
            self.error("c::redefinition", name.span, message);
        }
        if self.is_void(ty) {
            let text = self.name(name.symbol).to_owned();
            let message = format!("variable `{text}` of type `void`");
            self.error("c::incomplete-type", name.span, message);
            return;
        }
        let span = declarator.span;
        // A scalar is visible in its own initializer, an array gets its length from it.
        if self.types.scalar(ty).is_some() {
            let local = self.add_named_local(name, ty, LocalKind::Variable, align);
            self.declare(name.symbol, Entry::Local(local));
            self.body
                .emit(StmtKind::Declare { local, size: None }, name.span);
            if let Some(init) = &declarator.initializer {
                let value = self.scalar_initializer(ty, init, span);
                let lvalue = self.local_lvalue(local, name.span);
                self.write(lvalue, value, false, span);
            }
            return;
        }
        if self.is_variable(ty) {
            let local = self.add_named_local(name, ty, LocalKind::Variable, align);
            let size = self.runtime_size(ty, span);
            self.declare(name.symbol, Entry::Local(local));
            let size = Some(size);
            self.body.emit(StmtKind::Declare { local, size }, name.span);
            return;
        }
        // The initializer of an aggregate may name the aggregate itself.
        let is_open = self.types.size_of(ty).is_none();
        let (parts, complete) = match &declarator.initializer {
            Some(init) if is_open => self.parts(ty, init),
            _ => (Vec::new(), ty),
        };
        let local = self.add_named_local(name, complete, LocalKind::Variable, align);
        self.declare(name.symbol, Entry::Local(local));
        self.body
            .emit(StmtKind::Declare { local, size: None }, name.span);
        let Some(init) = &declarator.initializer else {
            return;
        };
        let parts = if is_open {
            parts
        } else {
            self.parts(ty, init).0
        };
        let address = self
            .body
            .add(IrKind::LocalAddress(local), Ty::Ptr, name.span);
        // `struct s x = other;`
        if let (Initializer::Expr(expr), CType::Record(_)) = (init, self.types.get(complete)) {
            let value = self.rvalue(expr);
            let value = self.convert(value, complete, expr.span);
            let size = self.types.size_of(complete).unwrap_or(0);
            if size > 0 {
                let from = value.expr;
                self.body.emit(
                    StmtKind::Copy {
                        to: address,
                        from,
                        size,
                    },
                    span,
                );
            }
            return;
        }
        self.initialize(address, complete, &parts, span);
    }

    /// Stores the incoming value of a parameter whose register has another type.
    pub fn assign_parameter(&mut self, local: LocalId, value: idiolect_ir::ExprId, span: Span) {
        self.body.assign(Place::Local(local), value, span);
    }
}
