//! Conditions that are turned round, joined with others, or made stronger; returned values.

use super::{EditKind, MAX_OTHERS, Walk, range};
use crate::spelling::{grouped, has_effects};
use idiolect_cfront::ast::{BinaryOp, Block, Expr, ExprKind, Stmt, StmtKind, UnaryOp};

impl Walk<'_> {
    /// What else a function could return.
    pub(super) fn returned(&mut self, e: &Expr) {
        if !self.is_open(e.span) {
            return;
        }
        let at = e.span.start as usize;
        let own = self.slice(e.span);
        let mut texts = self.scope.numbers_at(&self.function, at);
        texts.extend(["0".to_owned(), "1".to_owned(), "-1".to_owned()]);
        for text in texts.into_iter().filter(|t| t != own).take(12) {
            self.whole(EditKind::Return, 4, e.span, text);
        }
        for name in self
            .scope
            .numbers_at(&self.function, at)
            .into_iter()
            .take(4)
        {
            self.whole(EditKind::Return, 4, e.span, format!("{name} == 0"));
        }
        for (text, shown) in self.conditions.clone().into_iter().take(4) {
            self.whole_as(EditKind::Return, 4, e.span, text, Some(shown));
        }
        let is_number = matches!(e.kind, ExprKind::Int { .. });
        if !own.starts_with('!') && !is_number {
            self.made_of(EditKind::Negation, 3, e.span, |text| {
                format!("!{}", grouped(e, text(e.span)))
            });
        }
    }

    pub(super) fn condition(&mut self, e: &Expr) {
        // The other number is another edit.
        let is_plain = matches!(
            e.kind,
            ExprKind::Unary(UnaryOp::Not, _) | ExprKind::Int { .. }
        );
        if !is_plain {
            self.made_of(EditKind::Negation, 2, e.span, |text| {
                format!("!{}", grouped(e, text(e.span)))
            });
        }
        let own = self.slice(e.span);
        let others = self.conditions.clone();
        let others = others.iter().filter(|o| o.0 != own);
        for (other, shown) in others.take(MAX_OTHERS) {
            for join in ["&&", "||"] {
                let whole = |own: &str, other: &str| format!("({own} {join} {other})");
                let text = whole(&grouped(e, own), other);
                let shown = whole(&grouped(e, self.written(e.span)), shown);
                self.whole_as(EditKind::Condition, 5, e.span, text, Some(shown));
            }
        }
    }

    /// What else may have to hold: an answer of another function, or a variable on one side of a number that
    /// has a name.
    pub(super) fn also(&mut self, e: &Expr) {
        let own = grouped(e, self.slice(e.span));
        let written = grouped(e, self.written(e.span));
        let mut others: Vec<(u32, String, String)> = Vec::new();
        let asked = self.scope.asked_without_arguments(&self.function);
        for other in asked.into_iter().take(MAX_OTHERS) {
            others.push((5, format!("{other}()"), format!("{other}()")));
        }
        let at = e.span.start as usize;
        let numbers = self.scope.numbers_at(&self.function, at);
        let named = self.macros.iter().filter(|m| m.1.abs() > 2);
        for (name, number) in named.take(MAX_OTHERS) {
            for variable in numbers.iter().take(2 * MAX_OTHERS) {
                for op in ["<=", ">"] {
                    let text = |limit: &str| format!("({variable} {op} {limit})");
                    others.push((6, text(&number.to_string()), text(name)));
                }
            }
        }
        for (cost, other, shown) in others {
            let text = format!("({own} && {other})");
            let shown = format!("({written} && {shown})");
            self.whole_as(EditKind::Condition, cost, e.span, text, Some(shown));
        }
    }

    pub(super) fn collect_block(&mut self, block: &Block) {
        let (start, end) = range(block.span);
        // Numbers as they are written, each once.
        let tokens = self.aligned.tokens.iter();
        for token in tokens.filter(|t| start <= t.start && t.end <= end) {
            let text = &self.text[token.start..token.end];
            let is_number = text.starts_with(|c: char| c.is_ascii_digit() || c == '\'');
            let known = self.numbers.iter().any(|n| n == text);
            let is_own = self.aligned.original(token.start, token.end).is_some()
                && self.aligned.macro_of(token.start, token.end).is_none();
            if is_number && !known && is_own {
                self.numbers.push(text.to_owned());
            }
        }
        for stmt in &block.statements {
            self.collect(stmt);
        }
    }

    /// The comparisons of a statement, each once.
    pub(super) fn collect(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Block(b) => b.statements.iter().for_each(|s| self.collect(s)),
            StmtKind::Labeled { body, .. } | StmtKind::Switch { body, .. } => self.collect(body),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                if !self.is_error(then) {
                    self.collect_condition(condition);
                }
                self.collect(then);
                if let Some(otherwise) = otherwise {
                    self.collect(otherwise);
                }
            }
            StmtKind::While { condition, body } | StmtKind::DoWhile { condition, body } => {
                self.collect_condition(condition);
                self.collect(body);
            }
            StmtKind::For {
                condition, body, ..
            } => {
                if let Some(condition) = condition {
                    self.collect_condition(condition);
                }
                self.collect(body);
            }
            StmtKind::Expr(e) => self.collect_resets(e),
            _ => {}
        }
    }

    /// The variables that the statement sets to a number, as in `i = j = 0`.
    fn collect_resets(&mut self, mut e: &Expr) {
        let mut names = Vec::new();
        while let ExprKind::Assign(None, to, value) = &e.kind {
            if let ExprKind::Ident(symbol) = &to.kind {
                names.push(self.symbols.name(*symbol).to_owned());
            }
            e = value;
        }
        let (start, end) = range(e.span);
        if !matches!(e.kind, ExprKind::Int { .. }) || self.aligned.macro_of(start, end).is_some() {
            return;
        }
        let number = self.slice(e.span);
        for name in names {
            let text = format!("{name} = {number};");
            if !self.resets.contains(&text) {
                self.resets.push(text);
            }
        }
    }

    fn collect_condition(&mut self, e: &Expr) {
        if let ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) = &e.kind {
            self.collect_condition(a);
            self.collect_condition(b);
            return;
        }
        let is_pure = !has_effects(e);
        let (start, end) = range(e.span);
        let text = self.slice(e.span).to_owned();
        if is_pure
            && text.len() < 60
            && self.aligned.original(start, end).is_some()
            && !self.conditions.iter().any(|c| c.0 == text)
        {
            let written = self.written(e.span).to_owned();
            self.conditions.push((text, written));
        }
    }
}
