//! Declarations at file level, and how the units of a program become one: external names are
//! shared, static ones belong to their unit, the library gives what nobody else defines.

use super::Lowerer;
use super::generic::Constness;
use super::init::Part;
use super::other_names::OtherName;
use super::scope::{Entry, ObjectId, SubprogramId};
use super::types::LengthMode;
use crate::ast::{
    Declaration, Declarator, Derivation, FunctionDefinition, Ident, InitDeclarator, Item,
    Parameters, Specifiers, Storage,
};
use crate::symbols::Symbol;
use idiolect_base::{Diagnostic, Span};
use idiolect_ir::ctype::{ArrayLength, CType, FunctionType};
use idiolect_ir::memory::MAX_OBJECT_SIZE;
use idiolect_ir::{ExprId, ExprKind as IrKind, FuncId, Global, GlobalId, Ty, TypeId};

/// A variable of static lifetime.
pub(crate) struct Object<'a> {
    pub name: String,
    pub ty: TypeId,
    pub unit: usize,
    pub span: Span,
    /// Its initializer, until it has been evaluated.
    pub initializer: Option<&'a InitDeclarator>,
    pub has_value: bool,
    pub is_defined: bool,
    pub is_weak: bool,
    pub constness: Constness,
    pub align: u64,
    pub function: Option<String>,
    pub global: Option<GlobalId>,
    /// What of its initial value is not modelled; wherever it is named, a run gives up.
    pub doubt: Option<String>,
    /// Its declaration says that this is another name of something.
    pub other_name: Option<OtherName>,
    /// It is, and has the global of that.
    pub is_same: bool,
}

/// Before the name of a function that a monitor stands in for.
const MONITORED: &str = "__idiolect_spec_";

/// A function.
pub(crate) struct Subprogram<'a> {
    pub name: String,
    pub ty: TypeId,
    pub span: Span,
    pub definition: Option<Definition<'a>>,
    /// Runs before the entry function.
    pub is_constructor: bool,
    /// Runs after it.
    pub is_destructor: bool,
    pub id: Option<FuncId>,
    /// Which parameters are pointers to `const`.
    pub const_parameters: Vec<bool>,
    /// Its declaration says that this is another name of a function.
    pub other_name: Option<OtherName>,
    /// The function that it is, then.
    pub same_as: Option<SubprogramId>,
}

#[derive(Clone, Copy)]
pub(crate) struct Definition<'a> {
    pub ast: &'a FunctionDefinition,
    pub unit: usize,
    pub ty: TypeId,
    /// Another definition may take its place: `weak`, or `inline` without external linkage.
    pub yields: bool,
    /// Lowered only when something refers to it.
    pub on_demand: bool,
}

/// What an external name stands for in the whole program.
#[derive(Clone, Copy, Debug)]
pub(crate) enum External {
    Object(ObjectId),
    Function(SubprogramId),
}

impl<'a> Lowerer<'a> {
    /// Declares everything of the current unit.
    pub fn declare_unit(&mut self, items: &'a [Item]) {
        for item in items {
            match item {
                Item::Function(definition) => self.define_function(definition),
                Item::Declaration(declaration) => self.file_declaration(declaration),
                Item::Asm(_) => {}
            }
        }
    }

    fn file_declaration(&mut self, declaration: &'a Declaration) {
        if let Some(assertion) = &declaration.static_assert {
            self.static_assert(assertion);
            return;
        }
        let specifiers = &declaration.specifiers;
        let base = self.specified_type(specifiers, declaration.declarators.is_empty());
        for declarator in &declaration.declarators {
            let Some(name) = declarator.declarator.name else {
                continue;
            };
            let ty = self.declared_type(base, &declarator.declarator, LengthMode::Reject);
            if specifiers.storage == Some(Storage::Typedef) {
                let is_const = self.is_const(specifiers, &declarator.declarator);
                let align = self.written_alignment(specifiers, &declarator.declarator);
                self.declare(
                    name.symbol,
                    Entry::Typedef {
                        ty,
                        is_const,
                        align,
                    },
                );
            } else if matches!(self.types.get(ty), CType::Function(_)) {
                let function = self.declare_function(name, ty, specifiers);
                self.read_attributes(function, specifiers, &declarator.declarator);
            } else {
                if specifiers.qualifiers.is_volatile {
                    self.volatile_object(name.span);
                }
                self.declare_object(name, ty, specifiers, declarator);
            }
        }
    }

    pub fn is_library(&self) -> bool {
        self.units[self.unit].is_library
    }

    /// A function declaration at any level.
    pub fn declare_function(
        &mut self,
        name: Ident,
        ty: TypeId,
        specifiers: &'a Specifiers,
    ) -> SubprogramId {
        let is_static = specifiers.storage == Some(Storage::Static);
        // A declaration inside a function refers to the one at file level.
        let known = self.units[self.unit].scope.names.get(&name.symbol).copied();
        let function = match known {
            Some(Entry::Function { function, .. }) => function,
            Some(Entry::Object { .. }) if self.is_file_level() => {
                self.redeclared(name);
                self.new_subprogram(name, ty)
            }
            _ if is_static => self.new_subprogram(name, ty),
            _ => match self.externals.get(&name.symbol) {
                Some(External::Function(function)) => *function,
                _ => {
                    let function = self.new_subprogram(name, ty);
                    self.externals
                        .insert(name.symbol, External::Function(function));
                    function
                }
            },
        };
        let visible = match known {
            Some(Entry::Function { ty: old, .. }) => self.composite(old, ty),
            _ => ty,
        };
        let subprogram = &self.subprograms[function.index()];
        if subprogram.id.is_none() && subprogram.definition.is_none() {
            let ty = self.composite(subprogram.ty, visible);
            self.subprograms[function.index()].ty = ty;
        }
        let entry = Entry::Function {
            function,
            ty: visible,
        };
        self.declare(name.symbol, entry);
        if !self.is_file_level() && known.is_none() {
            self.units[self.unit].scope.names.insert(name.symbol, entry);
        }
        function
    }

    fn read_attributes(
        &mut self,
        function: SubprogramId,
        specifiers: &Specifiers,
        declarator: &Declarator,
    ) {
        for list in [&specifiers.attributes, &declarator.attributes] {
            let constructor = self.has_attribute(list, "constructor");
            let destructor = self.has_attribute(list, "destructor");
            let subprogram = &mut self.subprograms[function.index()];
            subprogram.is_constructor |= constructor;
            subprogram.is_destructor |= destructor;
        }
        let other_name = self.other_name(specifiers, declarator);
        let subprogram = &mut self.subprograms[function.index()];
        subprogram.other_name = other_name.or(subprogram.other_name.take());
        if let Some(Derivation::Function(Parameters::Prototype { parameters, .. })) =
            declarator.derivations.first()
        {
            let list = (parameters.iter())
                .map(|p| self.constness(&p.specifiers, &p.declarator).pointee)
                .collect();
            self.subprograms[function.index()].const_parameters = list;
        }
    }

    fn new_subprogram(&mut self, name: Ident, ty: TypeId) -> SubprogramId {
        self.subprograms.push(Subprogram {
            name: self.name(name.symbol).to_owned(),
            ty,
            span: name.span,
            definition: None,
            is_constructor: false,
            is_destructor: false,
            id: None,
            const_parameters: Vec::new(),
            other_name: None,
            same_as: None,
        });
        SubprogramId::new(self.subprograms.len() - 1)
    }

    /// The better of two function types for one function: with a prototype.
    fn composite(&self, old: TypeId, new: TypeId) -> TypeId {
        match (self.types.get(old), self.types.get(new)) {
            (CType::Function(a), CType::Function(b)) if a.prototype && !b.prototype => old,
            (
                CType::Array {
                    length: ArrayLength::Known(_),
                    ..
                },
                CType::Array {
                    length: ArrayLength::Unknown,
                    ..
                },
            ) => old,
            _ => new,
        }
    }

    fn define_function(&mut self, ast: &'a FunctionDefinition) {
        let Some(name) = ast.declarator.name else {
            return;
        };
        let base = self.specified_type(&ast.specifiers, false);
        let ty = self.declared_type(base, &ast.declarator, LengthMode::Forget);
        if !matches!(self.types.get(ty), CType::Function(_)) {
            self.error("c::not-a-function", name.span, "this is not a function");
            return;
        }
        let function = self.declare_function(name, ty, &ast.specifiers);
        self.read_attributes(function, &ast.specifiers, &ast.declarator);
        let specifiers = &ast.specifiers;
        let is_weak = self.has_attribute(&specifiers.attributes, "weak")
            || self.has_attribute(&ast.declarator.attributes, "weak");
        let gnu_inline = self.has_attribute(&specifiers.attributes, "gnu_inline");
        let yields = is_weak
            || self.is_library()
            || specifiers.inline
                && specifiers.storage != Some(Storage::Static)
                && (specifiers.storage != Some(Storage::Extern) || gnu_inline);
        let is_local = specifiers.storage == Some(Storage::Static) || specifiers.inline;
        let on_demand = self.is_library() || is_local && self.sources.in_system_header(name.span);
        let definition = Definition {
            ast,
            unit: self.unit,
            ty,
            yields,
            on_demand,
        };
        let old = self.subprograms[function.index()].definition;
        match old {
            Some(old) if !old.yields && !yields => {
                let text = self.name(name.symbol).to_owned();
                let old_span = old.ast.declarator.name.map_or(old.ast.span, |n| n.span);
                self.defined_twice(&text, name.span, old_span);
            }
            Some(old) if !old.yields => {}
            Some(old) if yields && !self.units[old.unit].is_library => {}
            _ => {
                let subprogram = &mut self.subprograms[function.index()];
                subprogram.definition = Some(definition);
                subprogram.ty = ty;
                subprogram.span = name.span;
            }
        }
    }

    fn defined_twice(&mut self, name: &str, span: Span, old: Span) {
        let place = self.sources.place(old);
        let message = format!("`{name}` is defined twice");
        let mut diagnostic = Diagnostic::error("c::redefinition", span, message);
        if let Some(place) = place {
            diagnostic = diagnostic.with_help(format!("the other definition is at {place}"));
        }
        self.diagnostics.push(diagnostic);
    }

    fn redeclared(&mut self, name: Ident) {
        let text = self.name(name.symbol).to_owned();
        let message = format!("`{text}` is declared as something else before");
        self.error("c::redefinition", name.span, message);
    }

    /// A variable at file level, or `extern` in a function.
    pub fn declare_object(
        &mut self,
        name: Ident,
        ty: TypeId,
        specifiers: &'a Specifiers,
        declarator: &'a InitDeclarator,
    ) {
        let is_static = specifiers.storage == Some(Storage::Static);
        let is_definition = self.is_file_level()
            && (declarator.initializer.is_some() || specifiers.storage != Some(Storage::Extern));
        let known = self.units[self.unit].scope.names.get(&name.symbol).copied();
        let object = match known {
            Some(Entry::Object { object, .. }) => object,
            Some(Entry::Function { .. } | Entry::Enumerator { .. }) if self.is_file_level() => {
                self.redeclared(name);
                return;
            }
            _ if is_static => self.new_object(name, ty),
            _ => match self.externals.get(&name.symbol) {
                Some(External::Object(object)) => *object,
                _ => {
                    let object = self.new_object(name, ty);
                    self.externals.insert(name.symbol, External::Object(object));
                    object
                }
            },
        };
        let mut visible = match known {
            Some(Entry::Object { ty: old, .. }) => self.composite(old, ty),
            _ => ty,
        };
        // The initializer may refer to the object itself.
        self.declare(
            name.symbol,
            Entry::Object {
                object,
                ty: visible,
            },
        );
        let is_library = self.is_library();
        if let Some(other_name) = self.other_name(specifiers, &declarator.declarator) {
            self.objects[object.index()].other_name = Some(other_name);
        }
        self.has_thread_locals |= specifiers.thread_local && !is_library;
        if is_definition {
            let align = self.written_alignment(specifiers, &declarator.declarator);
            let constness = self.constness(specifiers, &declarator.declarator);
            let unit = self.unit;
            let is_weak = self.has_attribute(&specifiers.attributes, "weak")
                || self.has_attribute(&declarator.declarator.attributes, "weak");
            let old = &mut self.objects[object.index()];
            if is_library && old.is_defined && !self.units[old.unit].is_library {
                return;
            }
            let has_value = declarator.initializer.is_some();
            let old_span = old.span;
            let clash = has_value && old.has_value && !old.is_weak;
            if has_value || !old.has_value {
                old.unit = unit;
                old.span = name.span;
                old.ty = visible;
            }
            old.is_defined = true;
            old.align = old.align.max(align);
            old.constness = constness;
            old.is_weak = is_weak;
            if clash {
                let text = self.name(name.symbol).to_owned();
                self.defined_twice(&text, name.span, old_span);
                return;
            }
            if has_value {
                let old = &mut self.objects[object.index()];
                old.has_value = true;
                old.initializer = Some(declarator);
                let is_complete = self.types.size_of(visible).is_some();
                if !is_library || !is_complete {
                    visible = self.evaluate_object(object);
                }
            }
        }
        let entry = Entry::Object {
            object,
            ty: visible,
        };
        self.declare(name.symbol, entry);
    }

    fn new_object(&mut self, name: Ident, ty: TypeId) -> ObjectId {
        self.objects.push(Object {
            name: self.name(name.symbol).to_owned(),
            ty,
            unit: self.unit,
            span: name.span,
            initializer: None,
            has_value: false,
            is_defined: false,
            is_weak: false,
            constness: Constness::default(),
            align: 1,
            function: None,
            global: None,
            doubt: None,
            other_name: None,
            is_same: false,
        });
        ObjectId::new(self.objects.len() - 1)
    }

    /// `static` in a function.
    pub fn static_local(
        &mut self,
        name: Ident,
        ty: TypeId,
        constness: Constness,
        specifiers: &'a Specifiers,
        declarator: &'a InitDeclarator,
    ) {
        let object = self.new_object(name, ty);
        let align = self.written_alignment(specifiers, &declarator.declarator);
        let function = self.body.name.clone();
        let new = &mut self.objects[object.index()];
        new.is_defined = true;
        new.constness = constness;
        new.align = align;
        new.function = Some(function);
        self.declare(name.symbol, Entry::Object { object, ty });
        if declarator.initializer.is_some() {
            self.objects[object.index()].has_value = true;
            self.objects[object.index()].initializer = Some(declarator);
            let ty = self.evaluate_object(object);
            self.declare(name.symbol, Entry::Object { object, ty });
        }
        self.global_of(object);
    }

    /// Gives an object its initial bytes; returns its type, complete now.
    fn evaluate_object(&mut self, object: ObjectId) -> TypeId {
        let Some(declarator) = self.objects[object.index()].initializer.take() else {
            return self.objects[object.index()].ty;
        };
        let Some(init) = &declarator.initializer else {
            return self.objects[object.index()].ty;
        };
        let outer = std::mem::replace(&mut self.in_static_initializer, true);
        let outer_doubt = self.static_doubt.take();
        let (parts, ty): (Vec<Part<'a>>, TypeId) =
            self.parts(self.objects[object.index()].ty, init);
        self.objects[object.index()].ty = ty;
        let global = self.global_of(object);
        let (bytes, relocations, size) = self.static_bytes(ty, &parts);
        self.in_static_initializer = outer;
        self.objects[object.index()].doubt = std::mem::replace(&mut self.static_doubt, outer_doubt);
        let slot = &mut self.globals[global.index()];
        slot.bytes = bytes;
        slot.relocations = relocations;
        slot.size = size;
        slot.ty = ty;
        ty
    }

    /// The global of an object, made when it is first needed.
    pub fn global_of(&mut self, object: ObjectId) -> GlobalId {
        let known = &self.objects[object.index()];
        if let Some(global) = known.global {
            return global;
        }
        let global = GlobalId::new(self.globals.len());
        let slot = Global {
            name: known.name.clone(),
            ty: known.ty,
            size: 0,
            align: 1,
            bytes: Vec::new(),
            relocations: Vec::new(),
            read_only: false,
            is_unwritten: false,
            is_library: self.units[known.unit].is_library,
            function: known.function.clone(),
            span: known.span,
        };
        self.globals.push(slot);
        self.objects[object.index()].global = Some(global);
        if self.objects[object.index()].initializer.is_some() {
            self.in_unit(self.objects[object.index()].unit, |this| {
                this.evaluate_object(object);
            });
        }
        global
    }

    /// Runs `f` at file level of another unit, outside the current function.
    pub fn in_unit<R>(&mut self, unit: usize, f: impl FnOnce(&mut Self) -> R) -> R {
        let old_unit = std::mem::replace(&mut self.unit, unit);
        let scopes = std::mem::take(&mut self.scopes);
        let body = std::mem::replace(&mut self.body, super::body::Body::new());
        let unevaluated = std::mem::take(&mut self.unevaluated);
        let result = f(self);
        self.unit = old_unit;
        self.scopes = scopes;
        self.body = body;
        self.unevaluated = unevaluated;
        result
    }

    pub fn object_address(&mut self, object: ObjectId, span: Span) -> ExprId {
        let global = self.global_of(object);
        self.body.add(IrKind::GlobalAddress(global), Ty::Ptr, span)
    }

    /// The id of a function, which from now on is part of the program.
    pub fn function_id(&mut self, function: SubprogramId) -> FuncId {
        if self.unevaluated > 0 {
            // Dropped with the code around it.
            return FuncId(u32::MAX);
        }
        if let Some(target) = self.subprograms[function.index()].same_as {
            return self.function_id(target);
        }
        if let Some(id) = self.subprograms[function.index()].id {
            return id;
        }
        let id = FuncId::new(self.functions.len());
        self.functions.push(None);
        self.function_of.push(Some(function));
        self.subprograms[function.index()].id = Some(id);
        self.pending.push(function);
        id
    }

    pub fn function_address(&mut self, function: SubprogramId, span: Span) -> ExprId {
        let function = self.followed(function).map_or(function, |(_, own, _)| own);
        self.address_taken(function, span);
        let id = self.function_id(function);
        self.body.add(IrKind::FunctionAddress(id), Ty::Ptr, span)
    }

    /// Whoever has the address of a function may call it.
    pub fn address_taken(&mut self, function: SubprogramId, span: Span) {
        if !self.is_user_defined(function) {
            let name = self.subprograms[function.index()].name.clone();
            self.system_call(&name, true, span);
        }
    }

    /// What is called in place of a function of which a monitor follows the calls.
    pub fn followed(&self, function: SubprogramId) -> Option<(Symbol, SubprogramId, TypeId)> {
        if self.options.monitor.is_none() || self.is_library() {
            return None;
        }
        let external = |name: &str| {
            let symbol = self.symbols.get(name)?;
            match self.externals.get(&symbol)? {
                External::Function(function) => Some((symbol, *function)),
                External::Object(_) => None,
            }
        };
        let name = &self.subprograms[function.index()].name;
        external(name).filter(|(_, found)| *found == function)?;
        let (symbol, own) = external(&format!("{MONITORED}{name}"))?;
        let subprogram = &self.subprograms[own.index()];
        subprogram.definition?;
        Some((symbol, own, subprogram.ty))
    }

    pub fn is_user_defined(&self, function: SubprogramId) -> bool {
        // In the library, a known name always means what the engines know.
        !self.is_library()
            && self.subprograms[function.index()]
                .definition
                .is_some_and(|d| !self.units[d.unit].is_library)
    }

    /// The type in a function's definition, parameters of old style included.
    pub fn definition_signature(&mut self, function: SubprogramId) -> Option<FunctionType> {
        let definition = self.subprograms[function.index()].definition?;
        let CType::Function(ty) = self.types.get(definition.ty).clone() else {
            return None;
        };
        if ty.prototype {
            return Some(ty);
        }
        if let Some(known) = self.old_style.get(&function) {
            return Some(known.clone());
        }
        let params = self.in_unit(definition.unit, |this| this.old_style_types(definition.ast));
        let params = params
            .into_iter()
            .map(|(declared, _)| self.promoted_argument(declared));
        let signature = FunctionType {
            params: params.collect(),
            prototype: true,
            ..ty
        };
        self.old_style.insert(function, signature.clone());
        Some(signature)
    }

    /// The type that an argument of old style arrives in.
    pub fn promoted_argument(&mut self, ty: TypeId) -> TypeId {
        match self.types.get(ty) {
            CType::Float(idiolect_ir::ctype::FloatKind::Float) => self.common.double,
            _ => self.promoted_type(ty, 0),
        }
    }

    /// A function that only the library declares or defines.
    pub fn library_function(&mut self, symbol: Symbol) -> Option<(SubprogramId, TypeId)> {
        match self.externals.get(&symbol)? {
            External::Function(function) => {
                let function = *function;
                let subprogram = &self.subprograms[function.index()];
                subprogram.definition?;
                Some((function, subprogram.ty))
            }
            External::Object(_) => None,
        }
    }

    /// C89's `int f()` for a function that nothing declares.
    pub fn implicit_function(&mut self, name: Ident) -> (SubprogramId, TypeId) {
        let ty = self.types.intern(CType::Function(FunctionType {
            ret: self.common.int,
            params: Vec::new(),
            variadic: false,
            prototype: false,
        }));
        let function = match self.externals.get(&name.symbol) {
            Some(External::Function(function)) => *function,
            _ => {
                let function = self.new_subprogram(name, ty);
                self.externals
                    .insert(name.symbol, External::Function(function));
                function
            }
        };
        let text = self.name(name.symbol).to_owned();
        let message = format!("function `{text}` is called without a declaration");
        self.warning("c::implicit-function", name.span, message);
        let entry = Entry::Function { function, ty };
        self.units[self.unit].scope.names.insert(name.symbol, entry);
        (function, ty)
    }

    /// Fixes what is known only when all units were seen: sizes of tentative definitions, and
    /// variables that nobody defines.
    pub fn finish_objects(&mut self) {
        for i in 0..self.objects.len() {
            let object = &self.objects[i];
            let is_user = !self.units[object.unit].is_library;
            let is_used = object.global.is_some() || is_user && object.is_defined;
            if !is_used || object.is_same {
                continue;
            }
            let global = self.global_of(ObjectId::new(i));
            let object = &self.objects[i];
            let (mut ty, span) = (object.ty, object.span);
            // A tentative `int a[];` has one element.
            if let CType::Array {
                element,
                length: ArrayLength::Unknown,
            } = *self.types.get(ty)
                && object.is_defined
            {
                ty = self.types.intern(CType::Array {
                    element,
                    length: ArrayLength::Known(1),
                });
            }
            let size = self.types.size_of(ty);
            let align = self
                .types
                .align_of(ty)
                .unwrap_or(1)
                .max(self.objects[i].align);
            let object = &self.objects[i];
            let (is_defined, is_const) = (object.is_defined, object.constness.object);
            let name = object.name.clone();
            let slot = &mut self.globals[global.index()];
            slot.ty = ty;
            slot.align = align;
            slot.size = slot.size.max(size.unwrap_or(0));
            slot.read_only = is_const;
            if slot.size >= MAX_OBJECT_SIZE {
                slot.size = 1;
                self.error("c::array-size", span, format!("`{name}` is too large"));
            }
            if !is_defined {
                let slot = &mut self.globals[global.index()];
                slot.is_unwritten = true;
                slot.read_only = false;
                if size.is_none() {
                    // Nobody knows its size: a page.
                    slot.size = 4096;
                }
                let message =
                    format!("variable `{name}` is defined nowhere, so its value is an input");
                self.warning("c::no-definition", span, message);
            } else if size.is_none() {
                let message = format!("`{name}` has the incomplete type `{}`", self.types.name(ty));
                self.error("c::incomplete-type", span, message);
            }
        }
    }
}
