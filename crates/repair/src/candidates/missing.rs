//! What may be missing or wrong beside expressions: a `break` behind a statement, the numbers that static objects start
//! with, the sizes of arrays.

use super::{Context, Edit, EditKind, Form, Walk, range};
use idiolect_base::Span;
use idiolect_cfront::ast::{
    ArrayLength, Block, Declaration, Derivation, Expr, ExprKind, Initializer, Item, Stmt, StmtKind,
    Storage, UnaryOp,
};

/// Numbers of one object that are looked at.
const MAX_NUMBERS: usize = 64;
/// Assignments of the function that are tried behind a statement.
const MAX_RESETS: usize = 4;

/// Where another number is written over what static objects start with.
#[derive(Clone, Copy)]
struct InitialPlace {
    at: usize,
    is_local: bool,
    constant: Option<(usize, usize)>,
}

impl Walk<'_> {
    /// A statement that belongs to another.
    pub(super) fn body(&mut self, stmt: &Stmt) {
        self.left_behind(stmt, false);
        self.stmt(stmt);
    }

    /// The same for what a loop or a `switch` repeats or chooses from.
    pub(super) fn body_of(&mut self, stmt: &Stmt, is_loop: bool) {
        let outer = std::mem::replace(&mut self.in_loop, is_loop);
        self.body(stmt);
        self.in_loop = outer;
    }

    /// The loop may have to be left behind this statement, or its next round begun, or a variable set again as elsewhere in the
    /// function.
    pub(super) fn left_behind(&mut self, stmt: &Stmt, is_in_block: bool) {
        let is_plain = matches!(stmt.kind, StmtKind::Expr(_));
        if !is_plain || !self.is_open(stmt.span) || self.is_error(stmt) {
            return;
        }
        let (start, end) = range(stmt.span);
        let mut texts: Vec<(String, u32)> = Vec::new();
        if self.in_loop {
            texts.extend(["break;", "continue;"].map(|leave| (leave.to_owned(), 5)));
        }
        let own = self.slice(stmt.span);
        let is_other = |text: &&String| {
            text.as_str() != own && self.scope.is_known(&self.function, text, start)
        };
        let resets = self.resets.iter().filter(is_other).take(MAX_RESETS);
        texts.extend(resets.map(|text| (text.clone(), 6)));
        let insert = |at: usize, text: &str| Edit {
            start: at,
            end: at,
            text: text.to_owned(),
            shown: None,
        };
        for (text, cost) in texts {
            let edits = if is_in_block {
                vec![insert(end, &format!(" {text}"))]
            } else {
                vec![insert(start, "{ "), insert(end, &format!(" {text} }}"))]
            };
            let form = Form::Behind { start, end, text };
            self.push(EditKind::Missing, cost, edits, None, form);
        }
    }

    /// The sizes of arrays that are declared in a function.
    pub(super) fn sizes(&mut self, d: &Declaration) {
        if d.specifiers.storage.is_some() {
            return;
        }
        for declarator in d.declarators.iter().filter(|d| d.initializer.is_none()) {
            for derivation in &declarator.declarator.derivations {
                if let Derivation::Array {
                    length: ArrayLength::Expr(length),
                    ..
                } = derivation
                {
                    self.expr(length, Context::Number);
                }
            }
        }
    }

    /// Static objects get other numbers, before `main` does anything.
    pub(crate) fn initial_values(&mut self, items: &[Item]) {
        let Some(main) = items.iter().find_map(|item| self.body_of_main(item)) else {
            return;
        };
        // Behind the brace.
        let at = main.span.start as usize + 1;
        for item in items {
            let Item::Declaration(d) = item else { continue };
            let is_other = matches!(
                d.specifiers.storage,
                Some(Storage::Typedef | Storage::Extern)
            );
            if !is_other {
                self.started(d, at, false);
            }
        }
    }

    /// So do those of a function, where they are declared.
    pub(crate) fn static_values(&mut self, d: &Declaration) {
        let end = d.span.end as usize;
        let is_whole = self.slice(d.span).ends_with(';');
        if d.specifiers.storage == Some(Storage::Static) && is_whole {
            self.started(d, end, true);
        }
    }

    /// Other numbers for what these objects start with; they are written there.
    fn started(&mut self, d: &Declaration, at: usize, is_local: bool) {
        let constant = if d.specifiers.qualifiers.is_const {
            let Some(range) = self.constant_of(d) else {
                return;
            };
            Some(range)
        } else {
            None
        };
        let start = InitialPlace {
            at,
            is_local,
            constant,
        };
        for declarator in &d.declarators {
            let Some(name) = &declarator.declarator.name else {
                continue;
            };
            let name = self.symbols.name(name.symbol).to_owned();
            // A list may be that of a record, whose members have names.
            let [Derivation::Array { .. }] = declarator.declarator.derivations[..] else {
                if let Some(Initializer::Expr(e)) = &declarator.initializer {
                    self.initial(&name, e, start);
                }
                continue;
            };
            let Some(Initializer::List(list)) = &declarator.initializer else {
                continue;
            };
            for (i, item) in list.items.iter().enumerate().take(MAX_NUMBERS) {
                if !item.designators.is_empty() {
                    break;
                }
                if let Initializer::Expr(e) = &item.value {
                    self.initial(&format!("{name}[{i}]"), e, start);
                }
            }
        }
    }

    /// Where `const` stands before the first name.
    fn constant_of(&self, d: &Declaration) -> Option<(usize, usize)> {
        const WORD: &str = "const";
        let first = d.declarators.first()?.span.start;
        let before = self.slice(Span {
            end: first,
            ..d.span
        });
        let is_letter = |c: char| c.is_alphanumeric() || c == '_';
        let is_alone = |&at: &usize| {
            let (left, right) = (&before[..at], &before[at + WORD.len()..]);
            !left.ends_with(is_letter) && !right.starts_with(is_letter)
        };
        let at = (before.match_indices(WORD).map(|m| m.0)).find(is_alone)?;
        let start = d.span.start as usize + at;
        Some((start, start + WORD.len()))
    }

    fn body_of_main<'i>(&self, item: &'i Item) -> Option<&'i Block> {
        let Item::Function(f) = item else { return None };
        let name = f.declarator.name.as_ref()?;
        (self.symbols.name(name.symbol) == "main").then_some(&f.body)
    }

    /// Other numbers for what is written here.
    fn initial(&mut self, object: &str, e: &Expr, at: InitialPlace) {
        if !self.is_open(e.span) {
            return;
        }
        let value = match &e.kind {
            ExprKind::Int { value, .. } => *value as i128,
            ExprKind::Unary(UnaryOp::Minus, inner) => match &inner.kind {
                ExprKind::Int { value, .. } => -(*value as i128),
                _ => return,
            },
            _ => return,
        };
        let (start, end) = range(e.span);
        if self.aligned.macro_of(start, end).is_some() {
            return;
        }
        let line = self.aligned.line_at(start).unwrap_or(0);
        let solved = self.solved.get(&line).cloned().unwrap_or_default();
        let mut numbers = vec![(value + 1, 1), (value - 1, 1)];
        numbers.extend([(0, 2), (1, 2), (-value, 3)]);
        numbers.extend(solved.iter().map(|&v| (v, 2)));
        let mut seen = vec![value];
        for (number, cost) in numbers {
            if seen.contains(&number) {
                continue;
            }
            seen.push(number);
            let edit = Edit {
                start,
                end,
                text: number.to_string(),
                shown: None,
            };
            let form = Form::Start {
                at: at.at,
                is_local: at.is_local,
                constant: at.constant,
                text: format!("{object} = {number};"),
            };
            self.push(EditKind::Constant, cost, vec![edit], None, form);
        }
    }
}
