//! The bodies of functions.

use super::super::MAX_DEPTH;
use super::super::lexer::Token;
use super::super::words::{
    BINARY, BUILTINS, CONVERT, FAULTS, LOCAL_KINDS, UNARY, parse_ty, value_of,
};
use super::{ParseError, Parser};
use crate::expr::{BinaryOp, ConvertOp, Expr, ExprId, ExprKind, Ty};
use crate::program::{FuncId, Function, GlobalId, InputId, Local, LocalId, LocalStorage, MarkId};
use crate::property::FaultKind;
use crate::stmt::{
    Block, BlockId, Builtin, Callee, ErrorKind, Place, Stmt, StmtKind, Terminator, TerminatorKind,
};
use idiolect_base::Span;
use rustc_hash::FxHashMap;

/// Reads locals, `let`s and blocks up to the closing brace.
pub(super) fn parse_body(
    parser: &mut Parser<'_>,
    function: Function,
    params: &[(&str, u32)],
) -> Result<Function, ParseError> {
    let mut body = Body {
        parser,
        function,
        locals: FxHashMap::default(),
        lets: Vec::new(),
        largest_block: None,
    };
    body.locals()?;
    for &(handle, line) in params {
        let Some(&local) = body.locals.get(handle) else {
            return Err(ParseError::new(
                line,
                format!("parameter `{handle}` is declared nowhere"),
            ));
        };
        body.function.params.push(local);
    }
    while body.parser.accept_word("let") {
        body.parser.sign("!")?;
        let number: usize = body.parser.number("the number of the next `let`")?;
        if number != body.lets.len() {
            return body.parser.error(format!(
                "expected `!{}`, the next expression",
                body.lets.len()
            ));
        }
        body.parser.sign("=")?;
        let value = body.expr(0)?;
        body.lets.push(value);
    }
    while !body.parser.accept_sign("}") {
        body.block()?;
    }
    if let Some((block, line)) = body.largest_block
        && block.index() >= body.function.blocks.len()
    {
        return Err(ParseError::new(
            line,
            format!("there is no block `b{}`", block.0),
        ));
    }
    Ok(body.function)
}

struct Body<'p, 'a> {
    parser: &'p mut Parser<'a>,
    function: Function,
    locals: FxHashMap<String, LocalId>,
    lets: Vec<ExprId>,
    /// The largest block that a terminator mentions, and the line of that.
    largest_block: Option<(BlockId, u32)>,
}

impl Body<'_, '_> {
    fn locals(&mut self) -> Result<(), ParseError> {
        while let Some(Token::Word(word)) = self.parser.peek()
            && let Some(kind) = value_of(LOCAL_KINDS, word)
        {
            self.parser.at += 1;
            let line = self.parser.line();
            let (handle, name) = self.parser.introduction()?;
            let id = LocalId::new(self.function.locals.len());
            if self.locals.insert(handle, id).is_some() {
                return Err(ParseError::new(line, "this local is declared twice"));
            }
            self.parser.sign(":")?;
            let ty = self.parser.type_id()?;
            let storage = if self.parser.accept_word("dynamic") {
                LocalStorage::Dynamic
            } else if self.parser.accept_word("memory") {
                self.parser.keyword("size")?;
                let size = self.parser.number("a size")?;
                self.parser.keyword("align")?;
                LocalStorage::Memory {
                    size,
                    align: self.parser.number("an alignment")?,
                }
            } else {
                LocalStorage::Register(self.parser.scalar()?)
            };
            self.function.locals.push(Local {
                name,
                ty,
                kind,
                storage,
                span: Span::NOWHERE,
                scope: Span::NOWHERE,
            });
        }
        Ok(())
    }

    fn block(&mut self) -> Result<(), ParseError> {
        let index = self.function.blocks.len();
        self.parser.next_number("block", 'b', index)?;
        self.parser.sign(":")?;
        let mut stmts = Vec::new();
        let kind = loop {
            match self.step()? {
                Step::Stmt(kind) => stmts.push(Stmt {
                    kind,
                    span: Span::NOWHERE,
                }),
                Step::Terminator(kind) => break kind,
            }
        };
        self.function.blocks.push(Block {
            stmts,
            terminator: Terminator {
                kind,
                span: Span::NOWHERE,
            },
        });
        Ok(())
    }

    fn step(&mut self) -> Result<Step, ParseError> {
        // A variable may be called like a keyword, so what follows decides.
        if matches!(self.parser.peek_second(), Some(Token::Sign(":=" | "["))) {
            let place = self.place()?;
            self.parser.sign(":=")?;
            let is_call = matches!(self.parser.peek(), Some(Token::Word("call")))
                && matches!(
                    self.parser.peek_second(),
                    Some(Token::Word(_) | Token::Sign("("))
                )
                && {
                    let at = self.parser.at;
                    self.parser.at += 1;
                    let same_line = self.parser.same_line();
                    self.parser.at = at;
                    same_line
                };
            if is_call {
                self.parser.at += 1;
                return self.call(Some(place)).map(Step::Stmt);
            }
            let value = self.expr(0)?;
            return Ok(Step::Stmt(StmtKind::Assign { place, value }));
        }
        let line = self.parser.line();
        let stmt = match self.parser.word("a statement")? {
            "havoc" => {
                let place = self.place()?;
                self.parser.keyword("from")?;
                let n = self.parser.n_inputs;
                let input = InputId(self.parser.numbered("input", 'i', n)?);
                StmtKind::Havoc { place, input }
            }
            "assume" => StmtKind::Assume {
                condition: self.expr(0)?,
            },
            "copy" => {
                let to = self.expr(0)?;
                self.parser.sign(",")?;
                let from = self.expr(0)?;
                self.parser.sign(",")?;
                let size = self.parser.number("a size")?;
                StmtKind::Copy { to, from, size }
            }
            "zero" => {
                let to = self.expr(0)?;
                self.parser.sign(",")?;
                let size = self.parser.number("a size")?;
                StmtKind::Zero { to, size }
            }
            "declare" => {
                let local = self.local()?;
                let size = if self.parser.accept_sign(",") {
                    Some(self.expr(0)?)
                } else {
                    None
                };
                StmtKind::Declare { local, size }
            }
            "end" => StmtKind::End {
                local: self.local()?,
            },
            "call" => self.call(None)?,
            "mark" => {
                let n = self.parser.n_marks;
                let mark = MarkId(self.parser.numbered("mark", 'm', n)?);
                let condition = if self.parser.same_line() && self.parser.accept_word("if") {
                    Some(self.expr(0)?)
                } else {
                    None
                };
                StmtKind::Mark { mark, condition }
            }
            word => return self.terminator(word, line).map(Step::Terminator),
        };
        Ok(Step::Stmt(stmt))
    }

    fn terminator(&mut self, word: &str, line: u32) -> Result<TerminatorKind, ParseError> {
        Ok(match word {
            "goto" => TerminatorKind::Goto(self.target()?),
            "branch" => TerminatorKind::Branch {
                condition: self.expr(0)?,
                then: self.target()?,
                otherwise: self.target()?,
            },
            "return" if self.parser.same_line() && !self.at_brace() => {
                TerminatorKind::Return(Some(self.expr(0)?))
            }
            "return" => TerminatorKind::Return(None),
            "exit" => TerminatorKind::Exit(self.expr(0)?),
            "abort" => TerminatorKind::Abort,
            "error" if self.parser.accept_word("reach") => {
                TerminatorKind::Error(ErrorKind::ReachError)
            }
            "error" => {
                self.parser.keyword("assert")?;
                TerminatorKind::Error(ErrorKind::Assert(self.parser.text("the assertion")?))
            }
            "trap" => {
                let n = self.parser.n_assumptions;
                TerminatorKind::Trap(self.parser.numbered("assumption", 'u', n)?)
            }
            "unreachable" => TerminatorKind::Fault(FaultKind::Unreachable),
            "fault" => TerminatorKind::Fault(self.parser.one_of("a fault", FAULTS)?),
            _ => {
                return Err(ParseError::new(
                    line,
                    format!("`{word}` starts no statement"),
                ));
            }
        })
    }

    fn at_brace(&self) -> bool {
        matches!(self.parser.peek(), Some(Token::Sign("}")))
    }

    fn target(&mut self) -> Result<BlockId, ParseError> {
        let line = self.parser.line();
        let block = BlockId(self.parser.numbered("block", 'b', u32::MAX as usize)?);
        if self
            .largest_block
            .is_none_or(|(largest, _)| block > largest)
        {
            self.largest_block = Some((block, line));
        }
        Ok(block)
    }

    fn local(&mut self) -> Result<LocalId, ParseError> {
        if let Some(Token::Word(handle)) = self.parser.peek()
            && let Some(&local) = self.locals.get(*handle)
        {
            self.parser.at += 1;
            return Ok(local);
        }
        self.parser.expected("a local variable")
    }

    fn place(&mut self) -> Result<Place, ParseError> {
        let is_memory = matches!(self.parser.peek_second(), Some(Token::Sign("[")));
        let Some(&Token::Word(word)) = self.parser.peek().filter(|_| is_memory) else {
            return self.local().map(Place::Local);
        };
        let Some(("mem" | "bits", ty)) = word.split_once('.') else {
            return self.parser.expected("`mem` or `bits` with a type");
        };
        let Some(ty) = parse_ty(ty) else {
            return self.parser.error(format!("there is no type `{ty}`"));
        };
        self.parser.at += 1;
        self.parser.sign("[")?;
        let address = self.expr(0)?;
        let place = if word.starts_with("mem") {
            Place::Memory { address, ty }
        } else {
            self.parser.sign(",")?;
            let offset = self.parser.number("the first bit")?;
            self.parser.sign(",")?;
            Place::Bits {
                address,
                unit: ty,
                offset,
                width: self.parser.number("a number of bits")?,
            }
        };
        self.parser.sign("]")?;
        Ok(place)
    }

    /// What follows `call`.
    fn call(&mut self, dest: Option<Place>) -> Result<StmtKind, ParseError> {
        let line = self.parser.line();
        let callee = if self.parser.accept_sign("(") {
            let target = self.expr(0)?;
            self.parser.sign(":")?;
            let ty = self.parser.type_id()?;
            self.parser.sign(")")?;
            Callee::Pointer { target, ty }
        } else {
            let handle = self.parser.word("a function")?;
            if handle == "builtin" && matches!(self.parser.peek(), Some(Token::Word(_))) {
                Callee::Builtin(if self.parser.accept_word("truncate") {
                    let n = self.parser.n_assumptions;
                    Builtin::Truncate(self.parser.numbered("assumption", 'u', n)?)
                } else {
                    self.parser.one_of("a builtin", BUILTINS)?
                })
            } else {
                Callee::Function(FuncId::new(self.parser.functions.mention(handle, line)))
            }
        };
        self.parser.sign("(")?;
        let mut args = Vec::new();
        while !self.parser.accept_sign(")") {
            args.push(self.expr(0)?);
            if !self.parser.accept_sign(",") {
                self.parser.sign(")")?;
                break;
            }
        }
        Ok(StmtKind::Call { dest, callee, args })
    }

    fn push(&mut self, kind: ExprKind, ty: Ty) -> ExprId {
        let id = ExprId::new(self.function.exprs.len());
        self.function.exprs.push(Expr {
            kind,
            ty,
            span: Span::NOWHERE,
        });
        id
    }

    fn ty(&self, id: ExprId) -> Ty {
        self.function.expr(id).ty
    }

    fn expr(&mut self, depth: u32) -> Result<ExprId, ParseError> {
        // `print` never goes beyond `MAX_DEPTH`; a person may go further, but not without end.
        if depth > 4 * MAX_DEPTH {
            return self.parser.error("nested too deeply; use `let`");
        }
        if matches!(self.parser.peek(), Some(Token::Number(_))) {
            return self.constant();
        }
        let line = self.parser.line();
        if self.parser.accept_sign("!") {
            let number: usize = self.parser.number("the number of a `let`")?;
            return match self.lets.get(number) {
                Some(&id) => Ok(id),
                None => Err(ParseError::new(line, format!("there is no `!{number}`"))),
            };
        }
        if self.parser.accept_sign("@") {
            let handle = self.parser.word("a global")?;
            let global = GlobalId::new(self.parser.globals.mention(handle, line));
            return Ok(self.push(ExprKind::GlobalAddress(global), Ty::Ptr));
        }
        if self.parser.accept_sign("&") {
            if matches!(self.parser.peek_second(), Some(Token::Sign("("))) {
                let handle = self.parser.word("a function")?;
                self.parser.sign("(")?;
                self.parser.sign(")")?;
                let function = FuncId::new(self.parser.functions.mention(handle, line));
                return Ok(self.push(ExprKind::FunctionAddress(function), Ty::Ptr));
            }
            let local = self.local()?;
            return Ok(self.push(ExprKind::LocalAddress(local), Ty::Ptr));
        }
        if !matches!(self.parser.peek_second(), Some(Token::Sign("("))) {
            return self.word();
        }
        let word = self.parser.word("an expression")?;
        self.parser.sign("(")?;
        let id = self.operation(word, line, depth + 1)?;
        self.parser.sign(")")?;
        Ok(id)
    }

    /// A variable or a constant that is a word.
    fn word(&mut self) -> Result<ExprId, ParseError> {
        let constant = match self.parser.peek() {
            Some(Token::Word("true")) => Some((1, Ty::BOOL)),
            Some(Token::Word("false")) => Some((0, Ty::BOOL)),
            Some(Token::Word("null")) => Some((0, Ty::Ptr)),
            Some(Token::Word(_)) => None,
            _ => return self.parser.expected("an expression"),
        };
        if let Some((bits, ty)) = constant {
            self.parser.at += 1;
            return Ok(self.push(ExprKind::Const(bits), ty));
        }
        let local = self.local()?;
        // In memory it is not an expression; let the verifier say that.
        let ty = match self.function.local(local).storage {
            LocalStorage::Register(ty) => ty,
            _ => Ty::Ptr,
        };
        Ok(self.push(ExprKind::Local(local), ty))
    }

    /// The operands between the parentheses after `word`.
    fn operation(&mut self, word: &str, line: u32, depth: u32) -> Result<ExprId, ParseError> {
        let first = self.expr(depth)?;
        if let Some(op) = value_of(UNARY, word) {
            let ty = self.ty(first);
            return Ok(self.push(ExprKind::Unary(op, first), ty));
        }
        if let Some(op) = value_of(BINARY, word) {
            let second = self.next(depth)?;
            let ty = match op {
                BinaryOp::PtrDiff => Ty::Int(self.parser.types.model.pointer_width()),
                _ if op.is_comparison() => Ty::BOOL,
                _ => self.ty(first),
            };
            return Ok(self.push(ExprKind::Binary(op, first, second), ty));
        }
        if let Some((op, ty)) = word.split_once('.')
            && let Some(ty) = parse_ty(ty)
        {
            if op == "load" {
                return Ok(self.push(ExprKind::Load { address: first }, ty));
            }
            if let Some(op) = value_of(CONVERT, op) {
                return Ok(self.push(ExprKind::Convert(op, first), ty));
            }
        }
        match word {
            "and" => {
                let second = self.next(depth)?;
                Ok(self.push(ExprKind::And(first, second), Ty::BOOL))
            }
            "or" => {
                let second = self.next(depth)?;
                Ok(self.push(ExprKind::Or(first, second), Ty::BOOL))
            }
            "itop" => Ok(self.push(ExprKind::Convert(ConvertOp::IntToPtr, first), Ty::Ptr)),
            "select" => {
                let then = self.next(depth)?;
                let otherwise = self.next(depth)?;
                let ty = self.ty(then);
                let kind = ExprKind::Select {
                    condition: first,
                    then,
                    otherwise,
                };
                Ok(self.push(kind, ty))
            }
            "ptradd" => {
                let index = self.next(depth)?;
                self.parser.sign(",")?;
                let scale = self.parser.number("a scale")?;
                let kind = ExprKind::PtrAdd {
                    base: first,
                    index,
                    scale,
                };
                Ok(self.push(kind, Ty::Ptr))
            }
            _ => Err(ParseError::new(
                line,
                format!("there is no operation `{word}`"),
            )),
        }
    }

    fn next(&mut self, depth: u32) -> Result<ExprId, ParseError> {
        self.parser.sign(",")?;
        self.expr(depth)
    }

    fn constant(&mut self) -> Result<ExprId, ParseError> {
        let Some(&Token::Number(text)) = self.parser.peek() else {
            return self.parser.expected("a number");
        };
        self.parser.at += 1;
        self.parser.sign(":")?;
        let ty = self.parser.scalar()?;
        let bits = match (text.strip_prefix("0x"), ty) {
            (Some(digits), _) => u128::from_str_radix(digits, 16).ok(),
            (None, Ty::Int(width)) => integer(text, width),
            (None, Ty::F32) => text.parse().ok().map(|x: f32| x.to_bits().into()),
            (None, Ty::F64) => text.parse().ok().map(|x: f64| x.to_bits().into()),
            _ => None,
        };
        match bits {
            Some(bits) => Ok(self.push(ExprKind::Const(bits), ty)),
            None => self
                .parser
                .error(format!("`{text}` is no constant of {ty:?}")),
        }
    }
}

enum Step {
    Stmt(StmtKind),
    Terminator(TerminatorKind),
}

/// The bits of a decimal number, signed or not, that fits the width.
fn integer(text: &str, width: u8) -> Option<u128> {
    let unused = 128 - u32::from(width);
    let bits = match text.strip_prefix('-') {
        None => text.parse::<u128>().ok()?,
        Some(_) => {
            let value: i128 = text.parse().ok()?;
            let bits = ((value as u128) << unused) >> unused;
            if ((bits << unused) as i128) >> unused != value {
                return None;
            }
            bits
        }
    };
    (bits.leading_zeros() >= unused).then_some(bits)
}
