//! Text to programs.
//!
//! [`parse`] checks the form and that every name means something. Whether the program makes sense
//! is for [`verify`](crate::verify()) to say.

mod body;
mod types;

use super::lexer::{Token, tokens};
use super::names::is_plain;
use super::words::{ASSUMPTION_KINDS, MARK_KINDS, MODELS, ORIGINS, Words, parse_ty, value_of};
use crate::ctype::{TypeId, Types};
use crate::expr::{ExprKind, Ty};
use crate::program::{
    Assumption, FuncId, Function, Global, GlobalId, GlobalTarget, InputKind, InputSite, Mark,
    Program, Relocation,
};
use crate::stmt::{Callee, StmtKind};
use idiolect_base::{SourceMap, Span};
use rustc_hash::FxHashMap;
use std::fmt;

/// Why a text is no program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// From 1.
    pub line: u32,
    pub message: String,
}

impl ParseError {
    pub(super) fn new(line: u32, message: impl Into<String>) -> Self {
        Self {
            line,
            message: message.into(),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Reads what [`print`](super::print()) writes. All spans are [`Span::NOWHERE`].
pub fn parse(text: impl AsRef<[u8]>) -> Result<Program, ParseError> {
    let mut parser = Parser {
        tokens: tokens(text.as_ref())?,
        at: 0,
        types: Types::new(Default::default()),
        functions: Mentions::default(),
        globals: Mentions::default(),
        n_inputs: 0,
        n_marks: 0,
        n_assumptions: 0,
    };
    parser.program()
}

/// Names that may be used before they are defined. Until all is read, the id of a function or
/// global is the order in which it was first mentioned.
#[derive(Default)]
struct Mentions {
    ids: FxHashMap<String, usize>,
    /// The line of the first mention, and the final id.
    all: Vec<(u32, Option<usize>)>,
}

impl Mentions {
    fn mention(&mut self, handle: &str, line: u32) -> usize {
        if let Some(&id) = self.ids.get(handle) {
            return id;
        }
        self.ids.insert(handle.to_owned(), self.all.len());
        self.all.push((line, None));
        self.all.len() - 1
    }

    fn define(&mut self, handle: &str, line: u32, id: usize) -> Result<(), ParseError> {
        let mention = self.mention(handle, line);
        match self.all[mention].1.replace(id) {
            None => Ok(()),
            Some(_) => Err(ParseError::new(
                line,
                format!("`{handle}` is defined twice"),
            )),
        }
    }

    /// The final ids by mention.
    fn finish(self, what: &str) -> Result<Vec<usize>, ParseError> {
        self.all
            .iter()
            .map(|&(line, id)| {
                id.ok_or_else(|| ParseError::new(line, format!("this {what} is defined nowhere")))
            })
            .collect()
    }
}

struct Parser<'a> {
    tokens: Vec<(Token<'a>, u32)>,
    at: usize,
    types: Types,
    functions: Mentions,
    globals: Mentions,
    n_inputs: usize,
    n_marks: usize,
    n_assumptions: usize,
}

impl<'a> Parser<'a> {
    fn line(&self) -> u32 {
        self.tokens
            .get(self.at)
            .or(self.tokens.last())
            .map_or(1, |t| t.1)
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError::new(self.line(), message))
    }

    fn peek(&self) -> Option<&Token<'a>> {
        self.tokens.get(self.at).map(|t| &t.0)
    }

    fn peek_second(&self) -> Option<&Token<'a>> {
        self.tokens.get(self.at + 1).map(|t| &t.0)
    }

    /// Whether the next token is on the line of the previous one.
    fn same_line(&self) -> bool {
        match (self.at.checked_sub(1), self.tokens.get(self.at)) {
            (Some(before), Some(next)) => self.tokens[before].1 == next.1,
            _ => false,
        }
    }

    fn found(&self) -> String {
        match self.peek() {
            None => "the end".into(),
            Some(Token::Word(word) | Token::Number(word)) => format!("`{word}`"),
            Some(Token::Text(_)) => "a text in quotes".into(),
            Some(Token::Sign(sign)) => format!("`{sign}`"),
        }
    }

    fn expected<T>(&self, what: &str) -> Result<T, ParseError> {
        self.error(format!("expected {what}, found {}", self.found()))
    }

    fn accept_sign(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Sign(s)) if *s == sign);
        self.at += usize::from(found);
        found
    }

    fn sign(&mut self, sign: &str) -> Result<(), ParseError> {
        if self.accept_sign(sign) {
            Ok(())
        } else {
            self.expected(&format!("`{sign}`"))
        }
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Word(w)) if *w == word);
        self.at += usize::from(found);
        found
    }

    fn keyword(&mut self, word: &str) -> Result<(), ParseError> {
        if self.accept_word(word) {
            Ok(())
        } else {
            self.expected(&format!("`{word}`"))
        }
    }

    fn word(&mut self, what: &str) -> Result<&'a str, ParseError> {
        if let Some(&Token::Word(word)) = self.peek() {
            self.at += 1;
            return Ok(word);
        }
        self.expected(what)
    }

    fn one_of<T: Copy>(&mut self, what: &str, table: Words<T>) -> Result<T, ParseError> {
        if let Some(Token::Word(word)) = self.peek()
            && let Some(value) = value_of(table, word)
        {
            self.at += 1;
            return Ok(value);
        }
        self.expected(what)
    }

    /// A word of a letter and a number below `bound`.
    fn numbered(&mut self, what: &str, letter: char, bound: usize) -> Result<u32, ParseError> {
        if let Some(Token::Word(word)) = self.peek()
            && let Some(number) = word.strip_prefix(letter)
            && let Ok(number) = number.parse::<u32>()
        {
            if (number as usize) < bound {
                self.at += 1;
                return Ok(number);
            }
            return self.error(format!("there is no {what} `{word}`"));
        }
        self.expected(&format!("a {what} such as `{letter}0`"))
    }

    /// The introduction of entry number `index`.
    fn next_number(&mut self, what: &str, letter: char, index: usize) -> Result<(), ParseError> {
        let line = self.line();
        let number = self.numbered(what, letter, u32::MAX as usize)?;
        if number as usize == index {
            return Ok(());
        }
        Err(ParseError::new(
            line,
            format!("expected `{letter}{index}`, the next {what}"),
        ))
    }

    fn number<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, ParseError> {
        if let Some(Token::Number(text)) = self.peek()
            && let Ok(value) = text.parse()
        {
            self.at += 1;
            return Ok(value);
        }
        self.expected(what)
    }

    fn bytes(&mut self, what: &str) -> Result<Vec<u8>, ParseError> {
        if let Some((Token::Text(bytes), _)) = self.tokens.get_mut(self.at) {
            // Every text is read once.
            let bytes = std::mem::take(bytes);
            self.at += 1;
            return Ok(bytes);
        }
        self.expected(what)
    }

    fn text(&mut self, what: &str) -> Result<String, ParseError> {
        let line = self.line();
        String::from_utf8(self.bytes(what)?)
            .map_err(|_| ParseError::new(line, format!("{what} is not UTF-8")))
    }

    fn optional_text(&mut self, what: &str) -> Result<Option<String>, ParseError> {
        match self.peek() {
            Some(Token::Text(_)) => self.text(what).map(Some),
            _ => Ok(None),
        }
    }

    fn scalar(&mut self) -> Result<Ty, ParseError> {
        if let Some(Token::Word(word)) = self.peek()
            && let Some(ty) = parse_ty(word)
        {
            self.at += 1;
            return Ok(ty);
        }
        self.expected("a type such as `i32` or `ptr`")
    }

    fn type_id(&mut self) -> Result<TypeId, ParseError> {
        self.numbered("type", 't', self.types.len()).map(TypeId)
    }

    /// A handle where it is introduced: the handle and the name it stands for.
    fn introduction(&mut self) -> Result<(String, String), ParseError> {
        let handle = self.word("a name")?;
        let name = match self.optional_text("a name")? {
            Some(name) => name,
            None => {
                let name = handle.split('#').next().unwrap_or("");
                if !is_plain(name) {
                    return self.error(format!("`{handle}` needs a name in quotes"));
                }
                name.to_owned()
            }
        };
        Ok((handle.to_owned(), name))
    }

    fn program(&mut self) -> Result<Program, ParseError> {
        self.keyword("program")?;
        self.types.model = self.one_of("`lp64` or `ilp32`", MODELS)?;
        self.keyword("start")?;
        let line = self.line();
        let start = self.word("a function")?;
        let start = self.functions.mention(start, line);
        self.keyword("entry")?;
        let entry = self.word("a function")?;
        let entry = self.functions.mention(entry, line);
        self.ctypes()?;
        let mut globals = Vec::new();
        while self.accept_word("global") {
            let global = self.global(globals.len())?;
            globals.push(global);
        }
        let mut inputs = Vec::new();
        while self.accept_word("input") {
            self.next_number("input", 'i', inputs.len())?;
            inputs.push(self.input()?);
        }
        let mut marks = Vec::new();
        while self.accept_word("mark") {
            self.next_number("mark", 'm', marks.len())?;
            marks.push(Mark {
                kind: self.one_of("a kind of mark", MARK_KINDS)?,
                name: self.text("the name of the mark")?,
                span: Span::NOWHERE,
            });
        }
        let mut assumptions = Vec::new();
        while self.accept_word("assumption") {
            self.next_number("assumption", 'u', assumptions.len())?;
            let kind = self.one_of("a kind of assumption", ASSUMPTION_KINDS)?;
            let text = self.text("what is assumed")?;
            let option = if self.accept_word("option") {
                Some(self.text("an option")?)
            } else {
                None
            };
            assumptions.push(Assumption {
                kind,
                text,
                span: Span::NOWHERE,
                option,
            });
        }
        self.n_inputs = inputs.len();
        self.n_marks = marks.len();
        self.n_assumptions = assumptions.len();
        let mut functions = Vec::new();
        while self.accept_word("fn") {
            let function = self.function(functions.len())?;
            functions.push(function);
        }
        if self.peek().is_some() {
            return self.expected("`fn` or the end");
        }
        let function_ids = std::mem::take(&mut self.functions).finish("function")?;
        let global_ids = std::mem::take(&mut self.globals).finish("global")?;
        let mut program = Program {
            sources: SourceMap::new(),
            types: std::mem::replace(&mut self.types, Types::new(Default::default())),
            globals,
            functions,
            inputs,
            marks,
            assumptions,
            start: FuncId::new(start),
            entry: FuncId::new(entry),
        };
        renumber(&mut program, &function_ids, &global_ids);
        Ok(program)
    }

    fn global(&mut self, index: usize) -> Result<Global, ParseError> {
        let line = self.line();
        let (handle, name) = self.introduction()?;
        self.globals.define(&handle, line, index)?;
        self.sign(":")?;
        let ty = self.type_id()?;
        self.keyword("size")?;
        let size = self.number("a size")?;
        self.keyword("align")?;
        let mut global = Global {
            name,
            ty,
            size,
            align: self.number("an alignment")?,
            bytes: Vec::new(),
            relocations: Vec::new(),
            read_only: self.accept_word("readonly"),
            is_unwritten: self.accept_word("unwritten"),
            is_library: self.accept_word("library"),
            function: None,
            span: Span::NOWHERE,
        };
        if self.accept_word("in") {
            global.function = Some(self.text("the function of a static local")?);
        }
        if self.accept_word("bytes") {
            global.bytes = self.bytes("the initial bytes")?;
        }
        while self.accept_word("at") {
            let offset = self.number("an offset")?;
            let line = self.line();
            let target = if self.accept_sign("@") {
                let handle = self.word("a global")?;
                GlobalTarget::Global(GlobalId::new(self.globals.mention(handle, line)))
            } else {
                self.sign("&")?;
                let handle = self.word("a function")?;
                self.sign("(")?;
                self.sign(")")?;
                GlobalTarget::Function(FuncId::new(self.functions.mention(handle, line)))
            };
            let addend = if self.accept_word("plus") {
                self.number("an addend")?
            } else {
                0
            };
            global.relocations.push(Relocation {
                offset,
                target,
                addend,
            });
        }
        Ok(global)
    }

    fn input(&mut self) -> Result<InputSite, ParseError> {
        let line = self.line();
        let kind = match self.word("a kind of input")? {
            "stdin" => InputKind::Stdin,
            "argc" => InputKind::ArgumentCount,
            "argv" => InputKind::ArgumentByte {
                argument: self.number("an argument")?,
                byte: self.number("a byte")?,
            },
            "variable" => InputKind::Variable(self.text("a name")?),
            "value" => InputKind::VariableByte {
                variable: self.text("a name")?,
                byte: self.number("a byte")?,
            },
            "effect" => InputKind::Effect(self.text("a name")?),
            "nondet" => InputKind::Nondet(self.text("a name")?),
            "parameter" => InputKind::Parameter(self.text("a name")?),
            "uninitialized" => InputKind::Uninitialized(self.text("a name")?),
            "external" => InputKind::External(self.text("a name")?),
            "environment" => InputKind::Environment(self.text("a name")?),
            other => {
                return Err(ParseError::new(
                    line,
                    format!("there is no kind of input `{other}`"),
                ));
            }
        };
        self.sign(":")?;
        Ok(InputSite {
            kind,
            ty: self.type_id()?,
            span: Span::NOWHERE,
        })
    }

    fn function(&mut self, index: usize) -> Result<Function, ParseError> {
        let line = self.line();
        let (handle, name) = self.introduction()?;
        self.functions.define(&handle, line, index)?;
        self.sign("(")?;
        let mut params = Vec::new();
        while !self.accept_sign(")") {
            params.push((self.word("a parameter")?, self.line()));
            if !self.accept_sign(",") {
                self.sign(")")?;
                break;
            }
        }
        let ret = if self.accept_sign("->") {
            Some(self.scalar()?)
        } else {
            None
        };
        self.sign(":")?;
        let ty = self.type_id()?;
        let origin = self.one_of("`user`, `library` or `synthetic`", ORIGINS)?;
        let variadic = self.accept_word("variadic");
        self.sign("{")?;
        let function = Function {
            name,
            origin,
            ty,
            params: Vec::new(),
            ret,
            variadic,
            locals: Vec::new(),
            exprs: Vec::new(),
            blocks: Vec::new(),
            span: Span::NOWHERE,
        };
        body::parse_body(self, function, &params)
    }
}

/// Replaces the order of first mention by the final ids.
fn renumber(program: &mut Program, functions: &[usize], globals: &[usize]) {
    let function = |id: &mut FuncId| *id = FuncId::new(functions[id.index()]);
    let global = |id: &mut GlobalId| *id = GlobalId::new(globals[id.index()]);
    function(&mut program.start);
    function(&mut program.entry);
    for relocation in program.globals.iter_mut().flat_map(|g| &mut g.relocations) {
        match &mut relocation.target {
            GlobalTarget::Global(id) => global(id),
            GlobalTarget::Function(id) => function(id),
        }
    }
    for f in &mut program.functions {
        for expr in &mut f.exprs {
            match &mut expr.kind {
                ExprKind::GlobalAddress(id) => global(id),
                ExprKind::FunctionAddress(id) => function(id),
                _ => {}
            }
        }
        for stmt in f.blocks.iter_mut().flat_map(|b| &mut b.stmts) {
            if let StmtKind::Call {
                callee: Callee::Function(id),
                ..
            } = &mut stmt.kind
            {
                function(id);
            }
        }
    }
}
