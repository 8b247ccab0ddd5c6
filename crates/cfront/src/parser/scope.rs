//! Which names are typedefs at this point of the text: all that parsing C needs to know of names.

use crate::symbols::Symbol;

/// What a name is in the innermost scope that declares it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum NameKind {
    #[default]
    Undeclared,
    Typedef,
    /// A variable, function, parameter or enumerator.
    Other,
}

/// Lookup is one index; leaving a scope undoes what was declared in it.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    kinds: Vec<NameKind>,
    undo: Vec<(Symbol, NameKind)>,
    /// Lengths of `undo` at the start of each open scope.
    starts: Vec<usize>,
}

impl Scopes {
    pub(super) fn kind(&self, symbol: Symbol) -> NameKind {
        self.kinds.get(symbol.index()).copied().unwrap_or_default()
    }

    pub(super) fn declare(&mut self, symbol: Symbol, kind: NameKind) {
        let index = symbol.index();
        if self.kinds.len() <= index {
            self.kinds.resize(index + 1, NameKind::Undeclared);
        }
        if self.kinds[index] == kind {
            return;
        }
        if !self.starts.is_empty() {
            self.undo.push((symbol, self.kinds[index]));
        }
        self.kinds[index] = kind;
    }

    pub(super) fn enter(&mut self) {
        self.starts.push(self.undo.len());
    }

    pub(super) fn leave(&mut self) {
        let start = self.starts.pop().unwrap_or(0);
        while self.undo.len() > start {
            if let Some((symbol, kind)) = self.undo.pop() {
                self.kinds[symbol.index()] = kind;
            }
        }
    }

    /// All names that are typedefs here, in the order of their symbols.
    pub(super) fn typedefs(&self) -> impl Iterator<Item = Symbol> {
        self.kinds
            .iter()
            .enumerate()
            .filter(|(_, kind)| **kind == NameKind::Typedef)
            .map(|(index, _)| Symbol::new(index))
    }
}
