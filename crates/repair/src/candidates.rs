//! Small edits in the program's own words: constants, operators, variables of the same type, guards.
//!
//! They are found in the syntax tree of the preprocessed text. Most change the value of an expression
//! and can be put beside the original in one program that holds them all ([`meta`](crate::meta)).

mod conditions;
mod missing;

use crate::scope::Scope;
use crate::spelling::{c_number, grouped, is_comparison, op_text, other_ops};
use crate::tokens::Aligned;
use idiolect_base::Span;
use idiolect_cfront::ast::{
    BinaryOp, Block, Declaration, Expr, ExprKind, ForInit, FunctionDefinition, Initializer, Stmt,
    StmtKind, Storage, UnaryOp,
};
use idiolect_cfront::symbols::Symbols;
use rustc_hash::{FxHashMap, FxHashSet};

/// What kind of change an edit is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EditKind {
    Constant,
    Operator,
    Variable,
    Negation,
    OffByOne,
    Operand,
    Condition,
    Call,
    Arguments,
    Return,
    Guard,
    Deletion,
    Missing,
}

impl EditKind {
    /// As in the JSON outcome.
    pub fn word(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Operator => "operator",
            Self::Variable => "variable",
            Self::Negation => "negation",
            Self::OffByOne => "off-by-one",
            Self::Operand => "operand",
            Self::Condition => "condition",
            Self::Call => "call",
            Self::Arguments => "arguments",
            Self::Return => "return",
            Self::Guard => "guard",
            Self::Deletion => "deletion",
            Self::Missing => "missing",
        }
    }
}

/// A range of the preprocessed text and what is put there.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Edit {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) text: String,
    /// What the user's text gets, if that is something else: the name of a macro.
    pub(crate) shown: Option<String>,
}

/// How the edit is put beside the original.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// The expression here may have this text instead.
    Value {
        start: usize,
        end: usize,
        text: String,
    },
    /// `{ if (…)` before the statement and `}` behind it: it is done only if this holds.
    Only {
        start: usize,
        end: usize,
        condition: String,
    },
    /// A statement is put here.
    Before {
        start: usize,
        end: usize,
        text: String,
    },
    /// A statement is put behind this one.
    Behind {
        start: usize,
        end: usize,
        text: String,
    },
    /// Done once, before anything else: what a static object starts with.
    Start {
        at: usize,
        /// In a function, where the program comes by often.
        is_local: bool,
        /// This `const` is left out, so that the object can be written.
        constant: Option<(usize, usize)>,
        text: String,
    },
    /// Each of these expressions has this text instead: a macro that is used there.
    Values(Vec<(usize, usize, String)>),
}

#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) kind: EditKind,
    pub(crate) edits: Vec<Edit>,
    /// The definition of this macro is changed to this text.
    pub(crate) definition: Option<(String, String)>,
    pub(crate) line: u32,
    pub(crate) cost: u32,
    pub(crate) form: Form,
}

/// What the walk knows.
pub(crate) struct Walk<'a> {
    pub(crate) text: &'a str,
    pub(crate) original: &'a str,
    pub(crate) aligned: &'a Aligned,
    pub(crate) symbols: &'a Symbols,
    pub(crate) scope: Scope<'a>,
    /// Macros of the file that are one number each.
    pub(crate) macros: &'a [(String, i128)],
    /// Lines that are worth an edit.
    pub(crate) lines: &'a FxHashSet<u32>,
    /// By line: numbers with which failing runs pass.
    pub(crate) solved: &'a FxHashMap<u32, Vec<i128>>,
    /// Numbers that the failing tests are about.
    pub(crate) given: Vec<i128>,
    pub(crate) list: Vec<Candidate>,
    /// Of the function at hand: comparisons, numbers, calls.
    /// As the compiler sees them and as they are written.
    conditions: Vec<(String, String)>,
    numbers: Vec<String>,
    /// Statements of it that set a variable to a number.
    resets: Vec<String>,
    function: String,
    /// The function draws inputs and asserts: a harness, in which little is to be repaired.
    penalty: u32,
    returns_value: bool,
    /// A `break` leaves a loop here, and no `switch`.
    in_loop: bool,
    /// The variable whose initial value is looked at.
    declared: Option<String>,
}

/// Others of one kind that are offered at one place.
const MAX_OTHERS: usize = 8;

/// Where a value stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Value,
    /// A number that may be one too many: an index, a bound, an argument, a result.
    Number,
    Condition,
    /// It is assigned to, or its address is taken.
    Place,
}

fn range(span: Span) -> (usize, usize) {
    (span.start as usize, span.end as usize)
}

fn is_specification(name: &str) -> bool {
    name.starts_with("__VERIFIER_")
        || name.starts_with("__assert")
        || name.starts_with("assume")
        || matches!(name, "assert" | "reach_error" | "abort" | "exit")
}

impl<'a> Walk<'a> {
    #[expect(clippy::too_many_arguments, reason = "made in one place")]
    pub(crate) fn new(
        text: &'a str,
        original: &'a str,
        aligned: &'a Aligned,
        symbols: &'a Symbols,
        scope: Scope<'a>,
        macros: &'a [(String, i128)],
        lines: &'a FxHashSet<u32>,
        solved: &'a FxHashMap<u32, Vec<i128>>,
    ) -> Self {
        Self {
            text,
            original,
            aligned,
            symbols,
            scope,
            macros,
            lines,
            solved,
            given: Vec::new(),
            list: Vec::new(),
            conditions: Vec::new(),
            numbers: Vec::new(),
            resets: Vec::new(),
            function: String::new(),
            penalty: 0,
            returns_value: false,
            in_loop: false,
            declared: None,
        }
    }

    fn slice(&self, span: Span) -> &'a str {
        let (start, end) = range(span);
        self.text.get(start..end).unwrap_or("")
    }

    /// All edits in one function.
    pub(crate) fn function(&mut self, f: &FunctionDefinition, excluded: &[String]) {
        let Some(name) = &f.declarator.name else {
            return;
        };
        let name = self.symbols.name(name.symbol).to_owned();
        if is_specification(&name) || excluded.contains(&name) {
            return;
        }
        let body = self.slice(f.body.span);
        let draws = body.contains("__VERIFIER_nondet") || body.contains("nondet_");
        self.penalty = if draws && name == "main" { 3 } else { 0 };
        self.returns_value = !matches!(f.specifiers.ty, idiolect_cfront::ast::TypeSpecifier::Void);
        self.function = name;
        self.conditions.clear();
        self.numbers.clear();
        self.resets.clear();
        self.collect_block(&f.body);
        self.block(&f.body);
    }

    fn is_open(&self, span: Span) -> bool {
        let line = self.aligned.line_at(span.start as usize);
        line.is_some_and(|l| self.lines.contains(&l))
    }

    fn push(
        &mut self,
        kind: EditKind,
        cost: u32,
        edits: Vec<Edit>,
        definition: Option<(String, String)>,
        form: Form,
    ) {
        let Some(first) = edits.first() else { return };
        let Some(line) = self.aligned.line_at(first.start) else {
            return;
        };
        let is_own = |e: &Edit| self.aligned.original(e.start, e.end).is_some();
        if definition.is_none() && !edits.iter().all(is_own) {
            return;
        }
        self.list.push(Candidate {
            kind,
            edits,
            definition,
            line,
            cost: cost + self.penalty,
            form,
        });
    }

    /// The value of `node` is another if this part of it is replaced.
    fn value(&mut self, kind: EditKind, cost: u32, node: Span, edit: Edit) {
        let (start, end) = range(node);
        let mut text = self.slice(node).to_owned();
        if edit.start < start || edit.end > end {
            return;
        }
        text.replace_range(edit.start - start..edit.end - start, &edit.text);
        let form = Form::Value { start, end, text };
        self.push(kind, cost, vec![edit], None, form);
    }

    /// The whole expression is replaced.
    fn whole(&mut self, kind: EditKind, cost: u32, node: Span, text: String) {
        self.whole_as(kind, cost, node, text, None);
    }

    fn whole_as(
        &mut self,
        kind: EditKind,
        cost: u32,
        node: Span,
        text: String,
        shown: Option<String>,
    ) {
        let (start, end) = range(node);
        let edit = Edit {
            start,
            end,
            text,
            shown,
        };
        self.value(kind, cost, node, edit);
    }

    /// The whole expression is replaced by a text made of others, which stay as the user wrote them.
    fn made_of(
        &mut self,
        kind: EditKind,
        cost: u32,
        node: Span,
        make: impl Fn(&dyn Fn(Span) -> &'a str) -> String,
    ) {
        let text = make(&|span| self.slice(span));
        let shown = make(&|span| self.written(span));
        let shown = (shown != text).then_some(shown);
        self.whole_as(kind, cost, node, text, shown);
    }

    /// The same as the user wrote it.
    fn written(&self, span: Span) -> &'a str {
        let (start, end) = range(span);
        let own = self.aligned.original(start, end);
        let own = own.and_then(|(start, end)| self.original.get(start..end));
        own.unwrap_or_else(|| self.slice(span))
    }

    fn expr(&mut self, e: &Expr, context: Context) {
        if self.is_open(e.span) && context != Context::Place {
            self.alternatives(e, context);
        }
        self.children(e, context);
    }

    fn children(&mut self, e: &Expr, context: Context) {
        match &e.kind {
            ExprKind::Unary(op, a) => {
                let inner = match op {
                    UnaryOp::AddressOf
                    | UnaryOp::PreIncrement
                    | UnaryOp::PreDecrement
                    | UnaryOp::PostIncrement
                    | UnaryOp::PostDecrement => Context::Place,
                    UnaryOp::Not => Context::Condition,
                    _ => Context::Value,
                };
                self.expr(a, inner);
            }
            ExprKind::Binary(op, a, b) => {
                let inner = match op {
                    BinaryOp::And | BinaryOp::Or => Context::Condition,
                    op if is_comparison(*op) => Context::Number,
                    _ => Context::Value,
                };
                self.expr(a, inner);
                self.expr(b, inner);
            }
            ExprKind::Assign(_, a, b) => {
                self.expr(a, Context::Place);
                self.expr(b, Context::Number);
            }
            ExprKind::Conditional(c, a, b) => {
                self.expr(c, Context::Condition);
                if let Some(a) = a {
                    self.expr(a, Context::Value);
                }
                self.expr(b, Context::Value);
            }
            ExprKind::Comma(a, b) => {
                self.expr(a, Context::Value);
                self.expr(b, context);
            }
            ExprKind::Call(f, arguments) => {
                let is_spec = match &f.kind {
                    ExprKind::Ident(s) => is_specification(self.symbols.name(*s)),
                    _ => false,
                };
                if !is_spec {
                    for a in arguments {
                        self.expr(a, Context::Number);
                    }
                }
            }
            ExprKind::Index(a, i) => {
                self.expr(a, Context::Place);
                self.expr(i, Context::Number);
            }
            ExprKind::Member { base, arrow, .. } => {
                let inner = if *arrow {
                    Context::Value
                } else {
                    Context::Place
                };
                self.expr(base, inner);
            }
            ExprKind::Cast(_, a) => self.expr(a, context),
            _ => {}
        }
    }

    fn alternatives(&mut self, e: &Expr, context: Context) {
        match &e.kind {
            ExprKind::Int { value, .. } => self.number(e.span, *value as i128, true),
            ExprKind::Char { value, .. } => self.number(e.span, i128::from(*value), false),
            ExprKind::Ident(symbol) => {
                let name = self.symbols.name(*symbol).to_owned();
                self.variable(e.span, &name, context);
            }
            ExprKind::Binary(op, a, b) => self.binary(e.span, *op, a, b),
            ExprKind::Assign(op, a, b) => self.assignment(e.span, *op, a, b),
            ExprKind::Unary(op, a) => self.unary(e.span, *op, a),
            ExprKind::Call(f, arguments) => self.call(e.span, f, arguments),
            _ => {}
        }
        let is_leaf = matches!(
            e.kind,
            ExprKind::Int { .. } | ExprKind::Char { .. } | ExprKind::Assign(..)
        );
        if context == Context::Number && !is_leaf {
            // Next to a variable a 1 is forgotten more often than next to an element or a result.
            let cost = match e.kind {
                ExprKind::Index(..) | ExprKind::Call(..) => 3,
                _ => 2,
            };
            for step in ["+ 1", "- 1"] {
                self.made_of(EditKind::OffByOne, cost, e.span, |text| {
                    format!("{} {step}", grouped(e, text(e.span)))
                });
            }
        }
        let is_truth = match &e.kind {
            ExprKind::Binary(op, ..) => {
                matches!(op, BinaryOp::And | BinaryOp::Or) || is_comparison(*op)
            }
            _ => false,
        };
        if context == Context::Condition {
            self.condition(e);
        }
        if context == Context::Condition || is_truth {
            self.also(e);
        }
    }

    fn number(&mut self, span: Span, value: i128, is_int: bool) {
        let (start, end) = range(span);
        let line = self.aligned.line_at(start).unwrap_or(0);
        let mut numbers = vec![(value + 1, 1), (value - 1, 1)];
        if is_int {
            numbers.extend([(0, 2), (1, 2), (-value, 3)]);
        }
        let solved = self.solved.get(&line).into_iter().flatten();
        numbers.extend(solved.map(|&v| (v, 2)));
        if is_int && value.abs() > 2 {
            numbers.extend(self.given.iter().map(|&v| (v, 3)));
        }
        let mut seen = FxHashSet::default();
        seen.insert(value);
        if let Some((from, until)) = self.aligned.macro_of(start, end) {
            let name = &self.original[from..until];
            let is_known = self.macros.iter().any(|m| m.0 == name);
            for &(other, cost) in numbers.iter().filter(|_| is_known) {
                if seen.insert(other) {
                    self.definition(span, name, other, cost + 1);
                }
            }
            // Another name in its place.
            for (other, number) in self.macros.iter().filter(|m| m.0 != name).take(12) {
                let edit = Edit {
                    start,
                    end,
                    text: number.to_string(),
                    shown: Some(other.clone()),
                };
                self.value(EditKind::Constant, 2, span, edit);
            }
            return;
        }
        let mut texts: Vec<(String, u32)> = (numbers.into_iter())
            .filter(|n| seen.insert(n.0))
            .map(|(n, cost)| (c_number(n, is_int), cost))
            .collect();
        let own = self.slice(span);
        let others = self.numbers.iter().filter(|n| n.as_str() != own);
        texts.extend(others.take(MAX_OTHERS).map(|n| (n.clone(), 3)));
        let mut known = FxHashSet::default();
        for (text, cost) in texts {
            if known.insert(text.clone()) {
                self.whole(EditKind::Constant, cost, span, text);
            }
        }
    }

    /// The definition of a macro gets another number.
    fn definition(&mut self, span: Span, name: &str, number: i128, cost: u32) {
        let uses = self.aligned.uses_of(self.original, name);
        let text = number.to_string();
        let edits: Vec<Edit> = (uses.iter())
            .map(|t| Edit {
                start: t.start,
                end: t.end,
                text: text.clone(),
                shown: None,
            })
            .collect();
        let is_first = edits.first().is_some_and(|e| e.start == range(span).0)
            || !self.list.iter().any(|c| {
                c.definition
                    .as_ref()
                    .is_some_and(|d| d.0 == name && d.1 == text)
            });
        if is_first && !edits.is_empty() {
            let definition = Some((name.to_owned(), text));
            let uses = edits.iter().map(|e| (e.start, e.end, e.text.clone()));
            let form = Form::Values(uses.collect());
            self.push(EditKind::Constant, cost, edits, definition, form);
        }
    }

    fn variable(&mut self, span: Span, name: &str, context: Context) {
        let at = span.start as usize;
        let is_number = self.scope.numbers_at(&self.function, at);
        if context != Context::Place && is_number.iter().any(|n| n == name) {
            let asked = self.scope.asked_without_arguments(&self.function);
            for other in asked.into_iter().take(MAX_OTHERS) {
                self.whole(EditKind::Variable, 4, span, format!("{other}()"));
            }
        }
        // A variable has no value yet where it gets its first.
        let declared = self.declared.clone();
        let is_other = |other: &String| declared.as_ref() != Some(other);
        for other in self
            .scope
            .like(&self.function, name, at)
            .into_iter()
            .filter(is_other)
            .take(MAX_OTHERS)
        {
            self.whole(EditKind::Variable, 2, span, other);
        }
    }

    fn binary(&mut self, span: Span, op: BinaryOp, a: &Expr, b: &Expr) {
        let gap = a.span.end as usize..b.span.start as usize;
        let own = op_text(op);
        let between = self.text.get(gap.clone()).unwrap_or("");
        let Some(at) = between.find(own) else { return };
        let start = gap.start + at;
        for &(other, cost) in other_ops(op) {
            let edit = Edit {
                start,
                end: start + own.len(),
                text: other.to_owned(),
                shown: None,
            };
            self.value(EditKind::Operator, cost, span, edit);
        }
        let is_droppable = matches!(
            op,
            BinaryOp::And | BinaryOp::Or | BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul
        );
        if is_droppable {
            for kept in [a, b] {
                self.made_of(EditKind::Operand, 3, span, |text| {
                    grouped(kept, text(kept.span))
                });
            }
        }
        if matches!(op, BinaryOp::Sub | BinaryOp::Div | BinaryOp::Rem) {
            self.made_of(EditKind::Arguments, 3, span, |text| {
                format!("({} {own} {})", text(b.span), text(a.span))
            });
        }
    }

    fn assignment(&mut self, span: Span, op: Option<BinaryOp>, a: &Expr, b: &Expr) {
        let gap = a.span.end as usize..b.span.start as usize;
        let own = op.map_or("=".to_owned(), |op| format!("{}=", op_text(op)));
        let between = self.text.get(gap.clone()).unwrap_or("");
        let Some(at) = between.find(&own) else { return };
        let start = gap.start + at;
        let others: &[&str] = match op {
            Some(BinaryOp::Add) => &["-=", "="],
            Some(BinaryOp::Sub) => &["+=", "="],
            Some(BinaryOp::Mul) => &["+=", "/="],
            Some(BinaryOp::Div) => &["*="],
            None => &["+=", "-="],
            Some(_) => &[],
        };
        for other in others {
            let edit = Edit {
                start,
                end: start + own.len(),
                text: (*other).to_owned(),
                shown: None,
            };
            self.value(EditKind::Operator, 3, span, edit);
        }
        if let ExprKind::Ident(symbol) = &a.kind {
            let name = self.symbols.name(*symbol).to_owned();
            let at = a.span.start as usize;
            let others = self.scope.like(&self.function, &name, at);
            let (start, end) = range(a.span);
            for other in others.into_iter().take(MAX_OTHERS) {
                let edit = Edit {
                    start,
                    end,
                    text: other,
                    shown: None,
                };
                self.value(EditKind::Variable, 3, span, edit);
            }
        }
    }

    fn unary(&mut self, span: Span, op: UnaryOp, a: &Expr) {
        let mut with = |kind: EditKind, before: &str, after: &str| {
            self.made_of(kind, 2, span, |text| {
                format!("{before}{}{after}", text(a.span))
            });
        };
        match op {
            UnaryOp::Not => with(EditKind::Negation, "(", ")"),
            UnaryOp::Minus | UnaryOp::BitNot => with(EditKind::Operator, "(", ")"),
            UnaryOp::PostIncrement => {
                with(EditKind::Operator, "", "--");
                with(EditKind::Operator, "++", "");
            }
            UnaryOp::PostDecrement => {
                with(EditKind::Operator, "", "++");
                with(EditKind::Operator, "--", "");
            }
            UnaryOp::PreIncrement => {
                with(EditKind::Operator, "--", "");
                with(EditKind::Operator, "", "++");
            }
            UnaryOp::PreDecrement => {
                with(EditKind::Operator, "++", "");
                with(EditKind::Operator, "", "--");
            }
            _ => {}
        }
    }

    fn call(&mut self, span: Span, f: &Expr, arguments: &[Expr]) {
        let ExprKind::Ident(symbol) = &f.kind else {
            return;
        };
        let name = self.symbols.name(*symbol).to_owned();
        if is_specification(&name) {
            return;
        }
        let (start, end) = range(f.span);
        for other in self
            .scope
            .functions_like(&name)
            .into_iter()
            .take(MAX_OTHERS)
        {
            let edit = Edit {
                start,
                end,
                text: other,
                shown: None,
            };
            self.value(EditKind::Call, 3, span, edit);
        }
        for pair in 0..arguments.len().saturating_sub(1) {
            for other in pair + 1..arguments.len().min(pair + 3) {
                let (a, b) = (&arguments[pair], &arguments[other]);
                let (x, y) = (self.slice(a.span), self.slice(b.span));
                if x == y || !self.scope.same_parameters(&name, pair, other) {
                    continue;
                }
                let middle = &self.text[a.span.end as usize..b.span.start as usize];
                let (start, end) = (a.span.start as usize, b.span.end as usize);
                let edit = Edit {
                    start,
                    end,
                    text: format!("{y}{middle}{x}"),
                    shown: Some(format!(
                        "{}{middle}{}",
                        self.written(b.span),
                        self.written(a.span)
                    )),
                };
                self.value(EditKind::Arguments, 2, span, edit);
            }
        }
    }

    fn block(&mut self, block: &Block) {
        for stmt in &block.statements {
            self.left_behind(stmt, true);
            self.stmt(stmt);
        }
    }

    fn is_error(&self, stmt: &Stmt) -> bool {
        let text = self.slice(stmt.span);
        let text = text.trim_start_matches(['{', ' ', '\n', '\t']);
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
        is_specification(&text[..end.unwrap_or(text.len())]) || text.starts_with("ERROR:")
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(e) => {
                self.statement_edits(stmt, true);
                self.expr(e, Context::Value);
            }
            StmtKind::Declaration(d) => {
                self.static_values(d);
                self.declaration(d);
            }
            StmtKind::Block(b) => self.block(b),
            StmtKind::Labeled { body, .. } => self.body(body),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                if !self.is_error(then) {
                    self.guard(stmt);
                    self.expr(condition, Context::Condition);
                    self.body(then);
                }
                if let Some(otherwise) = otherwise {
                    self.body(otherwise);
                }
            }
            StmtKind::Switch { value, body } => {
                self.expr(value, Context::Value);
                self.body_of(body, false);
            }
            StmtKind::While { condition, body } => {
                self.guard(stmt);
                self.expr(condition, Context::Condition);
                self.body_of(body, true);
            }
            StmtKind::DoWhile { condition, body } => {
                self.body_of(body, true);
                self.expr(condition, Context::Condition);
            }
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => {
                self.guard(stmt);
                match init.as_deref() {
                    Some(ForInit::Expr(e)) => self.expr(e, Context::Value),
                    Some(ForInit::Declaration(d)) => self.declaration(d),
                    None => {}
                }
                if let Some(e) = condition {
                    self.expr(e, Context::Condition);
                }
                if let Some(e) = step {
                    self.expr(e, Context::Value);
                }
                self.body_of(body, true);
            }
            StmtKind::Return(Some(e)) => {
                self.guard(stmt);
                self.returned(e);
                self.expr(e, Context::Number);
            }
            StmtKind::Break | StmtKind::Continue => self.statement_edits(stmt, true),
            _ => {}
        }
    }

    fn declaration(&mut self, d: &Declaration) {
        let is_static = d.specifiers.storage == Some(Storage::Static);
        for declarator in &d.declarators {
            if let Some(Initializer::Expr(e)) = &declarator.initializer
                && !is_static
            {
                let name = declarator.declarator.name.as_ref();
                self.declared = name.map(|n| self.symbols.name(n.symbol).to_owned());
                self.expr(e, Context::Number);
                self.declared = None;
            }
        }
        self.sizes(d);
    }

    /// The statement may be left out, or done only if something holds.
    fn statement_edits(&mut self, stmt: &Stmt, can_go: bool) {
        if !self.is_open(stmt.span) || self.is_error(stmt) {
            return;
        }
        let (start, end) = range(stmt.span);
        let insert = |at: usize, text: &str| Edit {
            start: at,
            end: at,
            text: text.to_owned(),
            shown: None,
        };
        if can_go {
            let edit = Edit {
                start,
                end,
                text: ";".to_owned(),
                shown: None,
            };
            let form = Form::Only {
                start,
                end,
                condition: "0".to_owned(),
            };
            self.push(EditKind::Deletion, 5, vec![edit], None, form);
        }
        let conditions = self.conditions.clone();
        for (condition, shown) in conditions.iter().take(MAX_OTHERS) {
            if !self.scope.is_known(&self.function, condition, start) {
                continue;
            }
            let mut edit = insert(start, &format!("if ({condition}) "));
            edit.shown = Some(format!("if ({shown}) "));
            let form = Form::Only {
                start,
                end,
                condition: condition.clone(),
            };
            self.push(EditKind::Guard, 6, vec![edit], None, form);
        }
        self.guard(stmt);
    }

    /// Something may have to be left before it comes to this statement.
    fn guard(&mut self, stmt: &Stmt) {
        if !self.is_open(stmt.span) || self.is_error(stmt) {
            return;
        }
        let at = stmt.span.start as usize;
        let names = self.scope.numbers_at(&self.function, at);
        let mut conditions: Vec<String> = Vec::new();
        for name in names.iter().take(4) {
            conditions.push(format!("{name} == 0"));
            conditions.push(format!("{name} < 0"));
        }
        for name in self.scope.pointers_at(&self.function, at).iter().take(3) {
            conditions.push(format!("!{name}"));
        }
        let mut leaves: Vec<String> = vec![];
        if self.returns_value {
            leaves.extend(["return 0;", "return 1;", "return -1;"].map(str::to_owned));
            leaves.extend(names.iter().take(3).map(|n| format!("return {n};")));
        } else {
            leaves.push("return;".to_owned());
        }
        for condition in &conditions {
            for leave in &leaves {
                let text = format!("if ({condition}) {leave} ");
                let edit = Edit {
                    start: at,
                    end: at,
                    text: text.clone(),
                    shown: None,
                };
                let form = Form::Before {
                    start: at,
                    end: stmt.span.end as usize,
                    text: format!("if ({condition}) {leave}"),
                };
                self.push(EditKind::Guard, 7, vec![edit], None, form);
            }
        }
    }
}
