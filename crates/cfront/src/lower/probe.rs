//! Predicates at lines: events that a user asks for on the command line.

use super::Lowerer;
use crate::ast::{Expr, Item, StmtKind, TranslationUnit};
use idiolect_base::{Place, Span};
use idiolect_ir::MarkKind;

/// A probe with its parsed expression, and whether its line was met.
pub(crate) struct ActiveProbe<'a> {
    pub file: &'a str,
    pub line: u32,
    pub text: &'a str,
    pub expr: Option<&'a Expr>,
    pub is_placed: bool,
}

/// The text that a probe's expression is parsed in.
pub(crate) fn wrap(text: &str) -> String {
    wrap_as("--event", text)
}

/// The same for the text of another option.
pub(crate) fn wrap_as(option: &str, text: &str) -> String {
    // On a line of its own, so that a complaint shows nothing but the user's text.
    format!("void __probe(void) {{ (\n# 1 \"{option}\"\n{text}\n); }}")
}

/// The expression in the wrapped text.
pub(crate) fn unwrap(unit: &TranslationUnit) -> Option<&Expr> {
    let Some(Item::Function(function)) = unit.items.first() else {
        return None;
    };
    match function.body.statements.first().map(|s| &s.kind) {
        Some(StmtKind::Expr(expr)) => Some(expr),
        _ => None,
    }
}

impl Lowerer<'_> {
    /// Places the probes of the line on which a statement starts, each at the first statement.
    pub fn probe(&mut self, span: Span) {
        if self.probes.is_empty() || self.unevaluated > 0 || self.units[self.unit].is_library {
            return;
        }
        let Some(Place { file, line, .. }) = self.sources.place(span) else {
            return;
        };
        for i in 0..self.probes.len() {
            let probe = &self.probes[i];
            let same_file = probe.file == file
                || file.ends_with(probe.file)
                    && file[..file.len() - probe.file.len()].ends_with('/');
            if probe.is_placed || probe.line != line || !same_file {
                continue;
            }
            let name = format!("{}:{} {}", probe.file, probe.line, probe.text);
            let expr = probe.expr;
            self.probes[i].is_placed = true;
            if let Some(expr) = expr {
                let condition = self.condition(expr);
                self.mark(MarkKind::Predicate, name, Some(condition), span);
            }
        }
    }
}
