//! Interned names: comparing and hashing an identifier is comparing a number.

use idiolect_base::index_type;
use rustc_hash::FxHashMap;
use std::sync::Arc;

index_type!(
    /// An interned identifier.
    Symbol
);

/// The names of all symbols of one program.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    names: Vec<Arc<str>>,
    by_name: FxHashMap<Arc<str>, Symbol>,
}

impl Symbols {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(&symbol) = self.by_name.get(name) {
            return symbol;
        }
        let symbol = Symbol::new(self.names.len());
        let name: Arc<str> = name.into();
        self.names.push(name.clone());
        self.by_name.insert(name, symbol);
        symbol
    }

    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.by_name.get(name).copied()
    }

    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.index()]
    }
}
