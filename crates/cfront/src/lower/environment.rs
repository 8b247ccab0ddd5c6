//! The environment: variables that a program asks for by a name in its text, each null or a string
//! of which the first bytes are inputs, the same for all who ask.

use super::Lowerer;
use super::convert::Value;
use super::link::External;
use crate::ast::Expr;
use idiolect_base::Span;
use idiolect_ir::{
    AssumptionKind, BinaryOp, Block, Callee, ExprId, ExprKind, Global, GlobalId, InputKind, Place,
    StmtKind, Terminator, TerminatorKind, Ty, TypeId,
};

/// The library's function that gives up where the program has changed its environment.
const UNCHANGED: &str = "__idiolect_unchanged_environment";

/// What the name of an entry of the environment's list begins with; its number and `]` follow.
const LISTED: &str = "environ[";

impl<'a> Lowerer<'a> {
    /// A call of `getenv`, if the name is a literal.
    pub fn environment_variable(
        &mut self,
        callee: &str,
        ret: TypeId,
        arguments: &'a [Expr],
        span: Span,
    ) -> Option<Value> {
        let is_getenv = matches!(callee, "getenv" | "secure_getenv");
        let [argument] = arguments else { return None };
        if !is_getenv || self.unevaluated > 0 || self.options.is_process {
            return None;
        }
        let name = super::intrinsics::literal_text(argument)?;
        let check = self.symbols.get(UNCHANGED)?;
        let (check, _) = self.library_function(check)?;
        let callee = Callee::Function(self.function_id(check));
        let (dest, args) = (None, Vec::new());
        self.body.emit(StmtKind::Call { dest, callee, args }, span);
        let global = self.variable_pointer(name, span);
        let kind = ExprKind::GlobalAddress(global);
        let address = self.body.add(kind, Ty::Ptr, span);
        let value = self.body.load(address, Ty::Ptr, span);
        Some(Value::new(value, ret))
    }

    /// Where the pointer to the value of a variable is.
    fn variable_pointer(&mut self, name: String, span: Span) -> GlobalId {
        if let Some((_, global)) = self.variables.iter().find(|(known, _)| *known == name) {
            return *global;
        }
        let ty = self.types.pointer_to(self.common.char_);
        let size = self.types.model.pointer_size();
        let global = GlobalId::new(self.globals.len());
        self.globals.push(Global {
            name: format!("%variable {name}"),
            ty,
            size,
            align: size,
            bytes: Vec::new(),
            relocations: Vec::new(),
            read_only: false,
            is_unwritten: false,
            is_library: true,
            function: None,
            span,
        });
        self.variables.push((name, global));
        global
    }

    /// Sets up the environment, in the start function.
    pub fn environment(&mut self, span: Span) {
        let length = u64::from(self.options.argument_length);
        for (name, global) in self.variables.clone() {
            let place = self.globals[global.index()].span;
            let kind = InputKind::Variable(name.clone());
            let is_set = self.input_value(kind, self.common.int, place);
            let string = self.input_string(length, place, |byte| InputKind::VariableByte {
                variable: name.clone(),
                byte,
            });
            let what = "the value of an environment variable";
            self.truncate_string(string, length, what, "--max-argument-length", place);
            let zero = self.int_value(0, self.common.int, place);
            let is_set = self
                .body
                .binary(BinaryOp::Ne, is_set.expr, zero.expr, place);
            let null = self.body.constant(0, Ty::Ptr, place);
            let value = self.body.select(is_set, string, null, place);
            let address = (self.body).add(ExprKind::GlobalAddress(global), Ty::Ptr, place);
            let ty = Ty::Ptr;
            self.body
                .assign(Place::Memory { address, ty }, value, place);
        }
        for name in ["environ", "__environ"] {
            let Some(symbol) = self.symbols.get(name) else {
                continue;
            };
            if let Some(External::Object(object)) = self.externals.get(&symbol).copied()
                && !self.objects[object.index()].is_defined
                && self.objects[object.index()].global.is_some()
            {
                let list = self.environment_list(span);
                let address = self.object_address(object, span);
                let ty = Ty::Ptr;
                self.body.assign(Place::Memory { address, ty }, list, span);
                self.objects[object.index()].is_defined = true;
            }
        }
    }

    /// In a program that never changes its environment, there is nothing to give up for.
    pub fn settle_environment(&mut self) {
        let id = |this: &Self, name: &str| {
            let symbol = this.symbols.get(name)?;
            match this.externals.get(&symbol)? {
                External::Function(f) => this.subprograms[f.index()].id,
                External::Object(_) => None,
            }
        };
        let changes = ["setenv", "putenv", "unsetenv", "clearenv"];
        let is_changed = changes.iter().any(|name| id(self, name).is_some());
        if !is_changed
            && let Some(check) = id(self, UNCHANGED)
            && let Some(Some(function)) = self.functions.get_mut(check.index())
        {
            function.exprs.clear();
            function.blocks = vec![Block {
                stmts: Vec::new(),
                terminator: Terminator {
                    kind: TerminatorKind::Return(None),
                    span: function.span,
                },
            }];
        }
    }

    /// The environment as a list of texts, of which the first are inputs. In a program that asks for variables by
    /// their names as well, there is one, and it is not looked at: the two would have to agree.
    pub fn environment_list(&mut self, span: Span) -> ExprId {
        if self.variables.is_empty() && !self.options.is_process {
            return self.listed_variables(span);
        }
        let text = "the list of environment variables is not looked at";
        let index = self.assume(AssumptionKind::Bound, text, span, None);
        let pointer = self.types.pointer_to(self.common.char_);
        let nothing = self.array_of(pointer, 0);
        let address = self.memory_temporary(nothing, span);
        let truth = self.body.constant(1, Ty::BOOL, span);
        self.truncate(address, truth, index, span);
        address
    }

    fn listed_variables(&mut self, span: Span) -> ExprId {
        let most = u64::from(self.options.argc_max);
        let length = u64::from(self.options.argument_length);
        let text = format!("only {most} variables of the environment's list are looked at");
        let more = self.assume(AssumptionKind::Bound, &text, span, Some("--max-argc"));
        let char_pointer = self.types.pointer_to(self.common.char_);
        let list = self.array_of(char_pointer, most + 1);
        let base = self.memory_temporary(list, span);
        let (width, size) = (self.pointer_width(), self.types.model.pointer_size());
        let null = self.body.constant(0, Ty::Ptr, span);
        let zero = self.int_value(0, self.common.int, span);
        let mut are_set = self.body.constant(1, Ty::BOOL, span);
        for i in 0..=most {
            let name = format!("{LISTED}{i}]");
            let is_set = self.input_value(InputKind::Variable(name.clone()), self.common.int, span);
            let is_set = self.body.binary(BinaryOp::Ne, is_set.expr, zero.expr, span);
            are_set = self.body.and(are_set, is_set, span);
            let string = if i < most {
                let string = self.input_string(length, span, |byte| InputKind::VariableByte {
                    variable: name.clone(),
                    byte,
                });
                let what = "a text of the environment's list";
                self.truncate_string(string, length, what, "--max-argument-length", span);
                string
            } else {
                self.string_beyond(more, span)
            };
            let address = self.body.offset(base, i * size, width, span);
            let value = self.body.select(are_set, string, null, span);
            let ty = Ty::Ptr;
            self.body.assign(Place::Memory { address, ty }, value, span);
        }
        self.truncate(base, are_set, more, span);
        base
    }
}
