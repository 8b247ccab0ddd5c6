//! Names and what they stand for.

use super::Lowerer;
use crate::ast::Ident;
use crate::symbols::Symbol;
use idiolect_base::nearest;
use idiolect_base::{Diagnostic, Span, index_type};
use idiolect_ir::ctype::{EnumId, RecordId};
use idiolect_ir::{LocalId, TypeId};
use rustc_hash::FxHashMap;

index_type!(
    /// A variable of static lifetime, whether or not the program uses it.
    ObjectId
);
index_type!(
    /// A function that was declared somewhere, whether or not the program uses it.
    SubprogramId
);

/// What an ordinary identifier stands for. Variables and functions have the type that is visible
/// here; another unit may see another one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entry {
    /// `align` is what `aligned` asks for, beyond the type's own; else 1.
    Typedef {
        ty: TypeId,
        is_const: bool,
        align: u64,
    },
    Enumerator {
        value: i128,
        ty: TypeId,
    },
    Object {
        object: ObjectId,
        ty: TypeId,
    },
    Function {
        function: SubprogramId,
        ty: TypeId,
    },
    Local(LocalId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    pub names: FxHashMap<Symbol, Entry>,
    pub tags: FxHashMap<Symbol, Tag>,
    /// Where the text of the scope ends.
    pub end: u32,
    /// Told apart from all others of the function.
    pub id: u32,
    /// What is declared here, and the literals of its expressions.
    pub locals: Vec<LocalId>,
}

impl Lowerer<'_> {
    pub fn push_scope(&mut self, span: Span) {
        let id = self.body.scope_count;
        self.body.scope_count += 1;
        self.scopes.push(Scope {
            end: span.end,
            id,
            ..Scope::default()
        });
    }

    pub fn pop_scope(&mut self) {
        self.scopes.pop();
    }

    pub fn scope(&mut self) -> &mut Scope {
        match self.scopes.last_mut() {
            Some(scope) => scope,
            None => &mut self.units[self.unit].scope,
        }
    }

    pub fn is_file_level(&self) -> bool {
        self.scopes.is_empty()
    }

    pub fn lookup(&self, name: Symbol) -> Option<Entry> {
        let inner = self.scopes.iter().rev().find_map(|s| s.names.get(&name));
        inner
            .or_else(|| self.units[self.unit].scope.names.get(&name))
            .copied()
    }

    pub fn lookup_tag(&self, name: Symbol) -> Option<Tag> {
        let inner = self.scopes.iter().rev().find_map(|s| s.tags.get(&name));
        inner
            .or_else(|| self.units[self.unit].scope.tags.get(&name))
            .copied()
    }

    pub fn declare(&mut self, name: Symbol, entry: Entry) {
        self.scope().names.insert(name, entry);
    }

    pub fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics
            .push(Diagnostic::error(code, span, message));
    }

    pub fn warning(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics
            .push(Diagnostic::warning(code, span, message));
    }

    pub fn name(&self, symbol: Symbol) -> &str {
        self.symbols.name(symbol)
    }

    /// Reports a name that nothing declares, once per function and name.
    pub fn undeclared(&mut self, ident: Ident) {
        if !self.reported.insert((self.body.name.clone(), ident.symbol)) {
            return;
        }
        let name = self.name(ident.symbol).to_owned();
        let visible = self
            .scopes
            .iter()
            .chain([&self.units[self.unit].scope])
            .flat_map(|s| s.names.keys().map(|&n| self.symbols.name(n)));
        let near = nearest(&name, visible);
        let mut diagnostic = Diagnostic::error(
            "c::undeclared",
            ident.span,
            format!("`{name}` is not declared"),
        );
        if let Some(help) = near {
            diagnostic = diagnostic.with_help(format!("did you mean `{help}`?"));
        }
        self.diagnostics.push(diagnostic);
    }
}
