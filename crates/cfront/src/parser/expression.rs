//! Operators, from the comma down to postfix ones.

use super::{Parse, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, TypeName, UnaryOp};
use crate::lexer::{Tok, Token};
use idiolect_base::Span;

/// What may stand before an operand; innermost last.
enum Prefix {
    Unary(UnaryOp),
    Cast(Box<TypeName>),
    Sizeof,
    Alignof,
}

impl Parser<'_> {
    /// With commas.
    pub(super) fn expression(&mut self) -> Parse<Expr> {
        let mut left = self.assignment()?;
        let mut n = 0;
        while self.eat(Tok::Comma) {
            self.link(n)?;
            n += 1;
            let right = self.assignment()?;
            let span = left.span.to(right.span);
            left = Expr {
                kind: ExprKind::Comma(Box::new(left), Box::new(right)),
                span,
            };
        }
        Ok(left)
    }

    /// Without commas at the top.
    pub(super) fn assignment(&mut self) -> Parse<Expr> {
        let first = self.conditional()?;
        let Some(op) = assignment_operator(self.peek()) else {
            return Ok(first);
        };
        self.bump();
        // Assignments associate to the right: read `a = b = …` in a loop and fold from the end.
        let mut targets = vec![(first, op)];
        let mut value = loop {
            self.link(targets.len() as u32)?;
            let operand = self.conditional()?;
            match assignment_operator(self.peek()) {
                Some(op) => {
                    self.bump();
                    targets.push((operand, op));
                }
                None => break operand,
            }
        };
        while let Some((target, op)) = targets.pop() {
            let span = target.span.to(value.span);
            value = Expr {
                kind: ExprKind::Assign(op, Box::new(target), Box::new(value)),
                span,
            };
        }
        Ok(value)
    }

    /// `a ? b : c` and everything that binds tighter. Chains in the last operand are read in a
    /// loop, as those of `else if` are.
    pub(super) fn conditional(&mut self) -> Parse<Expr> {
        let first = self.binary(0)?;
        if self.peek() != Tok::Question {
            return Ok(first);
        }
        let mut arms = Vec::new();
        let mut condition = first;
        let mut value = loop {
            self.link(arms.len() as u32)?;
            self.bump();
            let then = if self.peek() == Tok::Colon {
                None
            } else {
                Some(Box::new(self.nested(Self::expression)?))
            };
            self.expect(Tok::Colon, "`:` of this `?`")?;
            arms.push((condition, then));
            let otherwise = self.binary(0)?;
            if self.peek() != Tok::Question {
                break otherwise;
            }
            condition = otherwise;
        };
        while let Some((condition, then)) = arms.pop() {
            let span = condition.span.to(value.span);
            value = Expr {
                kind: ExprKind::Conditional(Box::new(condition), then, Box::new(value)),
                span,
            };
        }
        Ok(value)
    }

    /// Operators of at least this precedence, by precedence climbing: chains of equal precedence
    /// are a loop, and the recursion is as deep as there are precedences.
    fn binary(&mut self, least: u8) -> Parse<Expr> {
        let mut left = self.prefixed()?;
        let mut n = 0;
        while let Some((op, precedence)) = binary_operator(self.peek()) {
            if precedence < least {
                break;
            }
            self.bump();
            self.link(n)?;
            n += 1;
            let right = self.binary(precedence + 1)?;
            let span = left.span.to(right.span);
            left = Expr {
                kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
                span,
            };
        }
        Ok(left)
    }

    /// Prefix operators, casts and `sizeof`, and their operand.
    fn prefixed(&mut self) -> Parse<Expr> {
        let mut prefixes: Vec<(Token, Prefix)> = Vec::new();
        let mut operand = loop {
            let token = self.token();
            let prefix = match token.kind {
                Tok::Plus => Prefix::Unary(UnaryOp::Plus),
                Tok::Minus => Prefix::Unary(UnaryOp::Minus),
                Tok::Tilde => Prefix::Unary(UnaryOp::BitNot),
                Tok::Bang => Prefix::Unary(UnaryOp::Not),
                Tok::Star => Prefix::Unary(UnaryOp::Deref),
                Tok::Amp => Prefix::Unary(UnaryOp::AddressOf),
                Tok::PlusPlus => Prefix::Unary(UnaryOp::PreIncrement),
                Tok::MinusMinus => Prefix::Unary(UnaryOp::PreDecrement),
                Tok::Real => Prefix::Unary(UnaryOp::Real),
                Tok::Imag => Prefix::Unary(UnaryOp::Imag),
                Tok::Extension => {
                    self.bump();
                    continue;
                }
                Tok::Sizeof | Tok::Alignof => match self.size_or_alignment(token.kind)? {
                    SizeOf::Value(expr) => break expr,
                    SizeOf::Operand(prefix) => {
                        self.link(prefixes.len() as u32)?;
                        prefixes.push((token, prefix));
                        continue;
                    }
                },
                Tok::Ident
                    if self.peek_at(1) == Tok::LParen
                        && self.is_contextual(token, self.contextual.alignof) =>
                {
                    match self.size_or_alignment(Tok::Alignof)? {
                        SizeOf::Value(expr) => break expr,
                        SizeOf::Operand(prefix) => {
                            prefixes.push((token, prefix));
                            continue;
                        }
                    }
                }
                Tok::LParen if self.starts_type_at(self.at + 1) => {
                    let (ty, open) = self.parenthesized_type()?;
                    if self.peek() == Tok::LBrace {
                        break self.compound_literal(ty, open)?;
                    }
                    self.link(prefixes.len() as u32)?;
                    prefixes.push((token, Prefix::Cast(Box::new(ty))));
                    continue;
                }
                _ => break self.postfixed()?,
            };
            self.bump();
            self.link(prefixes.len() as u32)?;
            prefixes.push((token, prefix));
        };
        while let Some((token, prefix)) = prefixes.pop() {
            let span = self.span(token).to(operand.span);
            let inner = Box::new(operand);
            operand = Expr {
                kind: match prefix {
                    Prefix::Unary(op) => ExprKind::Unary(op, inner),
                    Prefix::Cast(ty) => ExprKind::Cast(ty, inner),
                    Prefix::Sizeof => ExprKind::SizeofExpr(inner),
                    Prefix::Alignof => ExprKind::AlignofExpr(inner),
                },
                span,
            };
        }
        Ok(operand)
    }

    /// At `(` before a type name.
    pub(super) fn parenthesized_type(&mut self) -> Parse<(TypeName, Token)> {
        let open = self.bump();
        let ty = self.nested(Self::type_name)?;
        self.expect_close(open, Tok::RParen)?;
        Ok((ty, open))
    }

    /// At `{` behind `(type)`.
    fn compound_literal(&mut self, ty: TypeName, open: Token) -> Parse<Expr> {
        let list = self.nested(Self::initializer_list)?;
        let span = self.span(open).to(list.span);
        let literal = Expr {
            kind: ExprKind::CompoundLiteral(Box::new(ty), list),
            span,
        };
        self.postfixes(literal)
    }

    /// At `sizeof` or `_Alignof`.
    fn size_or_alignment(&mut self, kind: Tok) -> Parse<SizeOf> {
        let start = self.at;
        self.bump();
        if self.peek() == Tok::LParen && self.starts_type_at(self.at + 1) {
            let (ty, open) = self.parenthesized_type()?;
            if self.peek() != Tok::LBrace {
                let ty = Box::new(ty);
                return Ok(SizeOf::Value(Expr {
                    kind: match kind {
                        Tok::Sizeof => ExprKind::SizeofType(ty),
                        _ => ExprKind::AlignofType(ty),
                    },
                    span: self.span_from(start),
                }));
            }
            let operand = Box::new(self.compound_literal(ty, open)?);
            return Ok(SizeOf::Value(Expr {
                kind: match kind {
                    Tok::Sizeof => ExprKind::SizeofExpr(operand),
                    _ => ExprKind::AlignofExpr(operand),
                },
                span: self.span_from(start),
            }));
        }
        Ok(SizeOf::Operand(match kind {
            Tok::Sizeof => Prefix::Sizeof,
            _ => Prefix::Alignof,
        }))
    }

    fn postfixed(&mut self) -> Parse<Expr> {
        let primary = self.primary()?;
        self.postfixes(primary)
    }

    /// Calls, indices, members, `++` and `--` behind an operand.
    pub(super) fn postfixes(&mut self, mut base: Expr) -> Parse<Expr> {
        let mut n = 0;
        loop {
            let token = self.token();
            let kind = match token.kind {
                Tok::LParen => {
                    self.bump();
                    let arguments = self.nested(Self::arguments)?;
                    self.expect_close(token, Tok::RParen)?;
                    ExprKind::Call(Box::new(base), arguments)
                }
                Tok::LBracket => {
                    self.bump();
                    let index = self.nested(Self::expression)?;
                    self.expect_close(token, Tok::RBracket)?;
                    ExprKind::Index(Box::new(base), Box::new(index))
                }
                Tok::Dot | Tok::Arrow => {
                    self.bump();
                    ExprKind::Member {
                        base: Box::new(base),
                        field: self.identifier("the name of a field")?,
                        arrow: token.kind == Tok::Arrow,
                    }
                }
                Tok::PlusPlus => {
                    self.bump();
                    ExprKind::Unary(UnaryOp::PostIncrement, Box::new(base))
                }
                Tok::MinusMinus => {
                    self.bump();
                    ExprKind::Unary(UnaryOp::PostDecrement, Box::new(base))
                }
                _ => return Ok(base),
            };
            self.link(n)?;
            n += 1;
            base = Expr {
                span: expr_start(&kind).to(self.last_span()),
                kind,
            };
        }
    }

    fn last_span(&self) -> Span {
        self.span(self.tokens[self.at.saturating_sub(1)])
    }

    fn arguments(&mut self) -> Parse<Vec<Expr>> {
        let mut arguments = Vec::new();
        if self.peek() == Tok::RParen {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.assignment()?);
            if !self.eat(Tok::Comma) {
                return Ok(arguments);
            }
        }
    }
}

enum SizeOf {
    Value(Expr),
    /// An operand without parentheses around a type follows.
    Operand(Prefix),
}

/// The span of the operand that a postfix expression starts with.
fn expr_start(kind: &ExprKind) -> Span {
    match kind {
        ExprKind::Call(base, _) | ExprKind::Index(base, _) | ExprKind::Unary(_, base) => base.span,
        ExprKind::Member { base, .. } => base.span,
        _ => Span::NOWHERE,
    }
}

fn binary_operator(kind: Tok) -> Option<(BinaryOp, u8)> {
    Some(match kind {
        Tok::OrOr => (BinaryOp::Or, 1),
        Tok::AndAnd => (BinaryOp::And, 2),
        Tok::Pipe => (BinaryOp::BitOr, 3),
        Tok::Caret => (BinaryOp::BitXor, 4),
        Tok::Amp => (BinaryOp::BitAnd, 5),
        Tok::EqualEqual => (BinaryOp::Equal, 6),
        Tok::NotEqual => (BinaryOp::NotEqual, 6),
        Tok::Less => (BinaryOp::Less, 7),
        Tok::Greater => (BinaryOp::Greater, 7),
        Tok::LessEqual => (BinaryOp::LessEqual, 7),
        Tok::GreaterEqual => (BinaryOp::GreaterEqual, 7),
        Tok::Shl => (BinaryOp::Shl, 8),
        Tok::Shr => (BinaryOp::Shr, 8),
        Tok::Plus => (BinaryOp::Add, 9),
        Tok::Minus => (BinaryOp::Sub, 9),
        Tok::Star => (BinaryOp::Mul, 10),
        Tok::Slash => (BinaryOp::Div, 10),
        Tok::Percent => (BinaryOp::Rem, 10),
        _ => return None,
    })
}

fn assignment_operator(kind: Tok) -> Option<Option<BinaryOp>> {
    Some(match kind {
        Tok::Assign => None,
        Tok::AddAssign => Some(BinaryOp::Add),
        Tok::SubAssign => Some(BinaryOp::Sub),
        Tok::MulAssign => Some(BinaryOp::Mul),
        Tok::DivAssign => Some(BinaryOp::Div),
        Tok::RemAssign => Some(BinaryOp::Rem),
        Tok::ShlAssign => Some(BinaryOp::Shl),
        Tok::ShrAssign => Some(BinaryOp::Shr),
        Tok::AndAssign => Some(BinaryOp::BitAnd),
        Tok::OrAssign => Some(BinaryOp::BitOr),
        Tok::XorAssign => Some(BinaryOp::BitXor),
        _ => return None,
    })
}
