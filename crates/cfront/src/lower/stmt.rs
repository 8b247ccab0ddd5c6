//! Statements and the jumps between them.

use super::Lowerer;
use super::body::{Case, Label, Switch, Targets};
use super::convert::Value;
use super::ends::Exit;
use super::fold;
use super::types::LengthMode;
use crate::ast::{
    AsmStmt, Block, Expr, ExprKind, ForInit, FunctionDefinition, Ident, Label as AstLabel, Stmt,
    StmtKind,
};
use idiolect_base::{Diagnostic, Span};
use idiolect_ir::{BinaryOp, BlockId, ConvertOp, FaultKind, MarkKind, Place, TerminatorKind, Ty};

impl<'a> Lowerer<'a> {
    pub fn block(&mut self, block: &'a Block) {
        self.push_scope(block.span);
        for stmt in &block.statements {
            self.stmt(stmt);
        }
        self.end_scope(block.span);
    }

    /// GNU `({ … })`: its value is that of the last expression statement.
    pub fn statement_expression(&mut self, block: &'a Block, wanted: bool) -> Value {
        self.push_scope(block.span);
        let mut value = self.dummy(self.common.void, block.span);
        if let Some((last, firsts)) = block.statements.split_last() {
            for stmt in firsts {
                self.stmt(stmt);
            }
            value = self.last_value(last, wanted, value);
        }
        // A record is still read from where it is.
        if self.is_void(value.ty) || self.types.scalar(value.ty).is_some() {
            self.end_scope(block.span);
        } else {
            self.pop_scope();
        }
        value
    }

    fn last_value(&mut self, last: &'a Stmt, wanted: bool, value: Value) -> Value {
        match &last.kind {
            StmtKind::Expr(expr) if wanted => {
                self.probe(last.span);
                let value = self.rvalue(expr);
                if self.is_void(value.ty) {
                    return value;
                }
                // Variables of the block may be declared again before the value is used.
                let expr = self.body.save(value.expr, value.ty);
                Value {
                    expr,
                    bits: 0,
                    ..value
                }
            }
            StmtKind::Labeled { labels, body } => {
                self.labels(labels);
                self.last_value(body, wanted, value)
            }
            _ => {
                self.stmt(last);
                value
            }
        }
    }

    pub fn stmt(&mut self, stmt: &'a Stmt) {
        let span = stmt.span;
        if !matches!(stmt.kind, StmtKind::Block(_) | StmtKind::Labeled { .. }) {
            self.probe(span);
        }
        match &stmt.kind {
            StmtKind::Empty | StmtKind::Error => {}
            StmtKind::Expr(expr) => self.effect(expr),
            StmtKind::Declaration(declaration) => self.local_declaration(declaration),
            StmtKind::Block(block) => self.block(block),
            StmtKind::Labeled { labels, body } => {
                self.labels(labels);
                self.stmt(body);
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => self.if_stmt(condition, then, otherwise.as_deref(), span),
            StmtKind::Switch { value, body } => self.switch(value, body, span),
            StmtKind::While { condition, body } => self.while_stmt(condition, body, span),
            StmtKind::DoWhile { body, condition } => self.do_while(body, condition, span),
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => {
                self.push_scope(span);
                match init.as_deref() {
                    Some(ForInit::Declaration(declaration)) => self.local_declaration(declaration),
                    Some(ForInit::Expr(expr)) => self.effect(expr),
                    None => {}
                }
                self.for_loop(condition.as_ref(), step.as_ref(), body, span);
                self.end_scope(span);
            }
            StmtKind::Goto(label) => {
                let target = self.label(*label);
                let exit = Exit {
                    block: self.body.open(),
                    label: label.symbol,
                    span,
                    scopes: self.scopes_here(),
                };
                self.body.exits.push(exit);
                self.body.goto(target, span);
            }
            StmtKind::GotoComputed(target) => self.computed_goto(target, span),
            StmtKind::Continue => {
                let mut loops = self.body.targets.iter().rev();
                match loops.find_map(|t| t.continue_to.map(|to| (to, t.depth))) {
                    Some((target, depth)) => self.jump_out(target, depth, span),
                    None => self.error("c::continue", span, "`continue` outside a loop"),
                }
            }
            StmtKind::Break => match self.body.targets.last().map(|t| (t.break_to, t.depth)) {
                Some((target, depth)) => self.jump_out(target, depth, span),
                None => self.error("c::break", span, "`break` outside a loop or `switch`"),
            },
            StmtKind::Return(value) => self.return_stmt(value.as_ref(), span),
            StmtKind::Asm(asm) => self.asm(asm, span),
            StmtKind::NestedFunction(function) => self.nested_function(function),
        }
    }

    fn jump_out(&mut self, target: BlockId, depth: usize, span: Span) {
        if self.body.is_open() {
            self.leave(depth, span);
            self.body.goto(target, span);
        }
    }

    /// Where it is declared, the run gives up; its name stays known to the code after it.
    fn nested_function(&mut self, function: &'a FunctionDefinition) {
        self.unmodelled("nested functions", function.span);
        let Some(name) = function.declarator.name else {
            return;
        };
        let base = self.specified_type(&function.specifiers, false);
        let ty = self.declared_type(base, &function.declarator, LengthMode::Forget);
        self.declare_function(name, ty, &function.specifiers);
    }

    /// An empty template is a barrier: memory, and what is read and written at once, stays as it is, and an
    /// output in the same register as an input has its value. Anything else is beyond us.
    fn asm(&mut self, asm: &'a AsmStmt, span: Span) {
        if !asm.template.trim().is_empty() {
            self.unmodelled("inline assembly", span);
            return;
        }
        let mut is_moved = vec![false; asm.inputs.len()];
        let mut is_beyond_us = false;
        for (i, output) in asm.outputs.iter().enumerate() {
            let number = i.to_string();
            let name = output.name.map(|n| format!("[{}]", self.name(n.symbol)));
            let source = (asm.inputs.iter()).position(|input| {
                let constraint = input.constraint.trim_start_matches('%');
                constraint == number || Some(constraint) == name.as_deref()
            });
            if let Some(source) = source {
                is_moved[source] = true;
                self.assignment(None, &output.expr, &asm.inputs[source].expr, span, false);
                continue;
            }
            self.operand_effects(&output.expr);
            let stays = output.constraint.starts_with('+') || is_in_memory(&output.constraint);
            is_beyond_us |= !stays;
        }
        for (input, is_moved) in asm.inputs.iter().zip(is_moved) {
            if !is_moved {
                self.operand_effects(&input.expr);
            }
        }
        if is_beyond_us {
            self.unmodelled("inline assembly", span);
        }
    }

    /// What evaluating an operand does; a variable is only named.
    fn operand_effects(&mut self, operand: &'a Expr) {
        if !matches!(operand.kind, ExprKind::Ident(_)) {
            self.effect(operand);
        }
    }

    fn labels(&mut self, labels: &'a [AstLabel]) {
        for label in labels {
            match label {
                AstLabel::Named(name) => self.named_label(*name),
                AstLabel::Case { low, high, span } => self.case(low, high.as_ref(), *span),
                AstLabel::Default(span) => {
                    let block = self.label_block(*span);
                    match self.body.switches.last_mut() {
                        Some(switch) if switch.default.is_none() => switch.default = Some(block),
                        Some(_) => self.error("c::duplicate-case", *span, "a second `default`"),
                        None => self.error("c::case", *span, "`default` outside a `switch`"),
                    }
                }
            }
        }
    }

    /// A new block that control falls into.
    fn label_block(&mut self, span: Span) -> BlockId {
        let block = self.body.new_block();
        self.body.goto(block, span);
        self.body.start(block);
        block
    }

    fn label(&mut self, name: Ident) -> BlockId {
        if let Some(label) = self.body.labels.get(&name.symbol) {
            return label.block;
        }
        let block = self.body.new_block();
        let label = Label {
            block,
            defined: false,
            span: name.span,
            address: None,
            scopes: Vec::new(),
        };
        self.body.labels.insert(name.symbol, label);
        block
    }

    fn named_label(&mut self, name: Ident) {
        let block = self.label(name);
        let text = self.name(name.symbol).to_owned();
        let scopes = self.scopes.iter().skip(1).map(|s| s.id).collect();
        let already = match self.body.labels.get_mut(&name.symbol) {
            Some(label) if label.defined => true,
            Some(label) => {
                label.defined = true;
                label.scopes = scopes;
                false
            }
            None => false,
        };
        if already {
            let message = format!("label `{text}` is defined twice");
            self.error("c::redefinition", name.span, message);
            return;
        }
        self.body.goto(block, name.span);
        self.body.start(block);
        self.mark(MarkKind::Label, text, None, name.span);
    }

    /// The number that stands for the address of a label: 1 for the first whose address is taken.
    pub fn label_address(&mut self, name: Ident) -> u32 {
        self.label(name);
        let next = self.body.addressed_labels.len() as u32 + 1;
        let Some(label) = self.body.labels.get_mut(&name.symbol) else {
            return 0;
        };
        match label.address {
            Some(address) => address,
            None => {
                label.address = Some(next);
                self.body.addressed_labels.push(name.symbol);
                next
            }
        }
    }

    fn computed_goto(&mut self, target: &'a Expr, span: Span) {
        self.computed_goto_leaves(span);
        let value = self.rvalue(target);
        let value = self.convert(value, self.common.void_pointer, span);
        let number = Ty::Int(self.pointer_width());
        let (block, local, _) = match self.body.dispatch {
            Some(dispatch) => dispatch,
            None => {
                let block = self.body.new_block();
                let local = self.body.temporary(number, self.common.size, span);
                self.body.dispatch = Some((block, local, span));
                (block, local, span)
            }
        };
        // Labels are numbers, and tests of a number are a table where programs are run.
        let value = (self.body).convert(ConvertOp::PtrToInt, value.expr, number, span);
        self.body.assign(Place::Local(local), value, span);
        self.body.goto(block, span);
    }

    /// Fills in what can only be known at the end: where labels are, and where computed gotos go.
    pub fn finish_labels(&mut self) {
        self.finish_exits();
        if let Some((block, local, span)) = self.body.dispatch {
            self.body.start(block);
            let symbols = std::mem::take(&mut self.body.addressed_labels);
            for (i, symbol) in symbols.iter().enumerate() {
                let Some(target) = self.body.labels.get(symbol).map(|l| l.block) else {
                    continue;
                };
                let ty = Ty::Int(self.pointer_width());
                let value = self.body.read(local, ty, span);
                let number = self.body.constant(i as u128 + 1, ty, span);
                let condition = self.body.binary(BinaryOp::Eq, value, number, span);
                let next = self.body.new_block();
                self.body.branch(condition, target, next, span);
                self.body.start(next);
            }
            self.body
                .terminate(TerminatorKind::Fault(FaultKind::Unreachable), span);
        }
        let mut missing: Vec<_> = self
            .body
            .labels
            .iter()
            .filter(|(_, l)| !l.defined)
            .map(|(&symbol, l)| (l.span, symbol, l.block))
            .collect();
        missing.sort();
        for (span, symbol, block) in missing {
            self.body.start(block);
            self.body
                .terminate(TerminatorKind::Fault(FaultKind::Unreachable), span);
            let name = self.name(symbol).to_owned();
            let known = self
                .body
                .labels
                .iter()
                .filter(|(_, l)| l.defined)
                .map(|(&s, _)| self.symbols.name(s));
            let near = idiolect_base::nearest(&name, known);
            let message = format!("no label `{name}` in this function");
            let mut diagnostic = Diagnostic::error("c::unknown-label", span, message);
            if let Some(near) = near {
                diagnostic = diagnostic.with_help(format!("did you mean `{near}`?"));
            }
            self.diagnostics.push(diagnostic);
        }
    }

    fn if_stmt(
        &mut self,
        condition: &'a Expr,
        then: &'a Stmt,
        otherwise: Option<&'a Stmt>,
        span: Span,
    ) {
        let then_block = self.body.new_block();
        let otherwise_block = self.body.new_block();
        self.branch_on(condition, then_block, otherwise_block);
        self.body.start(then_block);
        self.stmt(then);
        let Some(otherwise) = otherwise else {
            self.body.goto(otherwise_block, span);
            self.body.start(otherwise_block);
            return;
        };
        let end = self.body.new_block();
        self.body.goto(end, span);
        self.body.start(otherwise_block);
        self.stmt(otherwise);
        self.body.goto(end, span);
        self.body.start(end);
    }

    fn looped(&mut self, body: &'a Stmt, break_to: BlockId, continue_to: BlockId) {
        self.body.targets.push(Targets {
            break_to,
            continue_to: Some(continue_to),
            depth: self.scopes.len(),
        });
        self.stmt(body);
        self.body.targets.pop();
    }

    fn while_stmt(&mut self, condition: &'a Expr, body: &'a Stmt, span: Span) {
        let head = self.label_block(span);
        let (inside, end) = (self.body.new_block(), self.body.new_block());
        self.branch_on(condition, inside, end);
        self.body.start(inside);
        self.looped(body, end, head);
        self.body.goto(head, span);
        self.body.start(end);
    }

    fn do_while(&mut self, body: &'a Stmt, condition: &'a Expr, span: Span) {
        let inside = self.label_block(span);
        let (check, end) = (self.body.new_block(), self.body.new_block());
        self.looped(body, end, check);
        self.body.goto(check, span);
        self.body.start(check);
        self.branch_on(condition, inside, end);
        self.body.start(end);
    }

    fn for_loop(
        &mut self,
        condition: Option<&'a Expr>,
        step: Option<&'a Expr>,
        body: &'a Stmt,
        span: Span,
    ) {
        let head = self.label_block(span);
        let end = self.body.new_block();
        if let Some(condition) = condition {
            let inside = self.body.new_block();
            self.branch_on(condition, inside, end);
            self.body.start(inside);
        }
        let next = if step.is_some() {
            self.body.new_block()
        } else {
            head
        };
        self.looped(body, end, next);
        self.body.goto(next, span);
        if let Some(step) = step {
            self.body.start(next);
            self.effect(step);
            self.body.goto(head, span);
        }
        self.body.start(end);
    }

    fn switch(&mut self, value: &'a Expr, body: &'a Stmt, span: Span) {
        let selector = self.rvalue(value);
        if !self.is_integer(selector.ty) {
            let message = format!("`switch` on a `{}`", self.types.name(selector.ty));
            self.error("c::switch", value.span, message);
        }
        let selector = self.promote(selector, value.span);
        let ty = selector.ty;
        let held = self.body.save(selector.expr, ty);
        let home = self.body.open();
        let end = self.body.new_block();
        self.body.switches.push(Switch {
            seen: rustc_hash::FxHashSet::default(),
            cases: Vec::new(),
            default: None,
            ty,
        });
        self.body.targets.push(Targets {
            break_to: end,
            continue_to: None,
            depth: self.scopes.len(),
        });
        let inside = self.body.new_block();
        self.body.start(inside);
        self.stmt(body);
        self.body.goto(end, span);
        self.body.targets.pop();
        let Some(switch) = self.body.switches.pop() else {
            return;
        };
        // The chain of decisions, in the order of the labels.
        self.body.start(home);
        let signed = self.types.is_signed(ty);
        for case in &switch.cases {
            let condition = self.case_condition(held, *case, signed);
            let next = self.body.new_block();
            self.body.branch(condition, case.block, next, case.span);
            self.body.start(next);
        }
        self.body.goto(switch.default.unwrap_or(end), span);
        self.body.start(end);
    }

    fn case_condition(
        &mut self,
        held: idiolect_ir::ExprId,
        case: Case,
        signed: bool,
    ) -> idiolect_ir::ExprId {
        let ty = self.body.ty(held);
        let low = self.body.constant(case.low, ty, case.span);
        if case.low == case.high {
            return self.body.binary(BinaryOp::Eq, held, low, case.span);
        }
        let high = self.body.constant(case.high, ty, case.span);
        let op = if signed { BinaryOp::SLe } else { BinaryOp::ULe };
        let above = self.body.binary(op, low, held, case.span);
        let below = self.body.binary(op, held, high, case.span);
        self.body.and(above, below, case.span)
    }

    fn case(&mut self, low: &'a Expr, high: Option<&'a Expr>, span: Span) {
        let block = self.label_block(span);
        let Some(ty) = self.body.switches.last().map(|s| s.ty) else {
            self.error("c::case", span, "`case` outside a `switch`");
            return;
        };
        let scalar = self.types.scalar(ty).unwrap_or(Ty::Int(32));
        let Some(low_value) = self.constant_int(low) else {
            return;
        };
        let high_value = match high {
            Some(high) => match self.constant_int(high) {
                Some(value) => value,
                None => return,
            },
            None => low_value,
        };
        if high_value < low_value {
            // GCC: an empty range.
            return;
        }
        let low_bits = fold::mask(low_value as u128, scalar);
        let high_bits = fold::mask(high_value as u128, scalar);
        let case = Case {
            low: low_bits,
            high: high_bits,
            block,
            span,
        };
        let is_single = low_bits == high_bits;
        let Some(switch) = self.body.switches.last_mut() else {
            return;
        };
        let is_new = !is_single || switch.seen.insert(low_bits);
        if is_new {
            switch.cases.push(case);
        } else {
            let message = format!("a second `case {low_value}`");
            self.error("c::duplicate-case", span, message);
        }
    }

    fn return_stmt(&mut self, value: Option<&'a Expr>, span: Span) {
        let ret = self.body.return_type.unwrap_or(self.common.void);
        let Some(expr) = value else {
            self.return_nothing(span);
            return;
        };
        if self.is_void(ret) {
            self.effect(expr);
            self.clean_up_all(span);
            self.body.terminate(TerminatorKind::Return(None), span);
            return;
        }
        let value = self.rvalue(expr);
        if self.is_void(value.ty) {
            self.return_nothing(span);
            return;
        }
        let value = self.convert(value, ret, expr.span);
        match self.body.return_slot {
            Some(slot) => {
                let to = self.body.read(slot, Ty::Ptr, span);
                let from = value.expr;
                if let Some(size) = self.types.size_of(ret).filter(|&s| s > 0) {
                    let copy = idiolect_ir::StmtKind::Copy { to, from, size };
                    self.body.emit(copy, span);
                }
                self.clean_up_all(span);
                self.body.terminate(TerminatorKind::Return(None), span);
            }
            None => {
                let position = self.body.position();
                let before = self.body.emitted;
                let value = if self.clean_up_all(span) {
                    self.settled(value, position, before)
                } else {
                    value
                };
                let kind = TerminatorKind::Return(Some(value.expr));
                self.body.terminate(kind, span);
            }
        }
    }

    /// Falls off the end, or returns without a value: the value is whatever was there.
    pub fn return_nothing(&mut self, span: Span) {
        self.clean_up_all(span);
        let ret = self.body.return_type.unwrap_or(self.common.void);
        let value = match self.types.scalar(ret) {
            None => None,
            Some(ty) if self.body.name == "main" => Some(self.body.constant(0, ty, span)),
            Some(_) => {
                let name = format!("result of {}", self.body.name);
                let kind = idiolect_ir::InputKind::Uninitialized(name);
                Some(self.input_value(kind, ret, span).expr)
            }
        };
        self.body.terminate(TerminatorKind::Return(value), span);
    }
}

/// Whether an operand of an `asm` with this constraint can only be in memory.
fn is_in_memory(constraint: &str) -> bool {
    let kinds = constraint.trim_start_matches(['=', '+', '&', '%']);
    kinds == "m" || kinds == "o"
}
