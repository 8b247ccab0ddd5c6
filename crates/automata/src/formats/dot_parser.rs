//! The syntax of DOT: from text to nodes and edges.

use super::dot::{DotError, DotProblem, at};
use super::dot_lexer::{Lexer, Token, identifier, label};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

pub(super) struct Node<'a> {
    pub(super) name: Cow<'a, str>,
    /// With its escapes.
    pub(super) label: Option<&'a str>,
    pub(super) shape: Option<Cow<'a, str>>,
    pub(super) line: usize,
    pub(super) accepting: bool,
}

pub(super) struct Edge<'a> {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) label: Option<Cow<'a, str>>,
    /// Of a Mealy machine, where the label alone does not say it.
    pub(super) output: Option<Cow<'a, str>>,
    pub(super) line: usize,
}

/// The nodes of a file in the order in which they are first named, and its edges.
pub(super) fn parse(text: &str) -> Result<(Vec<Node<'_>>, Vec<Edge<'_>>), DotError> {
    let mut parser = Parser::new(text)?;
    parser.graph()?;
    Ok((parser.nodes, parser.edges))
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    token: Token<'a>,
    line: usize,
    nodes: Vec<Node<'a>>,
    edges: Vec<Edge<'a>>,
    index: NodeIndex<'a>,
    node_defaults: Attributes<'a>,
    edge_defaults: Attributes<'a>,
}

/// The attributes that matter here.
#[derive(Clone, Default)]
struct Attributes<'a> {
    label: Option<Token<'a>>,
    shape: Option<Token<'a>>,
    output: Option<Token<'a>>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Result<Self, DotError> {
        let mut parser = Self {
            lexer: Lexer::new(text),
            token: Token::End,
            line: 1,
            nodes: Vec::new(),
            edges: Vec::new(),
            index: NodeIndex::new(text.len()),
            node_defaults: Attributes::default(),
            edge_defaults: Attributes::default(),
        };
        parser.advance()?;
        Ok(parser)
    }

    fn advance(&mut self) -> Result<Token<'a>, DotError> {
        let before = self.token;
        let next = self.lexer.next();
        (self.token, self.line) = next.map_err(|(problem, line)| at(line, problem))?;
        Ok(before)
    }

    fn unexpected<T>(&self, expected: &'static str) -> Result<T, DotError> {
        let found = self.token.show();
        Err(at(self.line, DotProblem::Syntax { expected, found }))
    }

    fn accept(&mut self, sign: char) -> Result<bool, DotError> {
        let there = self.token == Token::Sign(sign);
        if there {
            self.advance()?;
        }
        Ok(there)
    }

    fn graph(&mut self) -> Result<(), DotError> {
        if self.token.is_keyword("strict") {
            self.advance()?;
        }
        if self.token.is_keyword("graph") {
            return Err(at(self.line, DotProblem::UndirectedGraph));
        }
        if !self.token.is_keyword("digraph") {
            return self.unexpected("`digraph`");
        }
        self.advance()?;
        if self.token != Token::Sign('{') {
            self.name("a name or `{`")?;
        }
        if !self.accept('{')? {
            return self.unexpected("`{`");
        }
        while !self.accept('}')? {
            self.statement()?;
            self.accept(';')?;
        }
        match self.token {
            Token::End => Ok(()),
            _ => self.unexpected("the end of the file"),
        }
    }

    /// A name, a number or a string.
    fn name(&mut self, expected: &'static str) -> Result<Token<'a>, DotError> {
        match self.token {
            Token::Name(_) | Token::Quoted(_) | Token::Html(_) => {
                let name = self.advance()?;
                // Joined strings occur in long labels only, never in automata.
                if self.token == Token::Sign('+') {
                    return self.unexpected("one string");
                }
                Ok(name)
            }
            _ => self.unexpected(expected),
        }
    }

    fn statement(&mut self) -> Result<(), DotError> {
        if self.accept(';')? {
            return Ok(());
        }
        if self.token == Token::Sign('{') || self.token.is_keyword("subgraph") {
            return Err(at(self.line, DotProblem::Subgraph));
        }
        let line = self.line;
        let is_defaults = ["graph", "node", "edge"].map(|word| self.token.is_keyword(word));
        let first = self.name("a node, an edge or `}`")?;
        if is_defaults.contains(&true) {
            let mut attributes = match is_defaults {
                [_, true, _] => self.node_defaults.clone(),
                [_, _, true] => self.edge_defaults.clone(),
                _ => Attributes::default(),
            };
            self.attributes(&mut attributes)?;
            match is_defaults {
                [_, true, _] => self.node_defaults = attributes,
                [_, _, true] => self.edge_defaults = attributes,
                _ => {}
            }
            return Ok(());
        }
        if self.accept('=')? {
            self.name("a value")?;
            return Ok(());
        }
        self.port()?;
        let mut chain = vec![self.node(first, line)];
        loop {
            match self.token {
                Token::Arrow => {}
                Token::Undirected => return Err(at(self.line, DotProblem::UndirectedGraph)),
                _ => break,
            }
            self.advance()?;
            if self.token == Token::Sign('{') || self.token.is_keyword("subgraph") {
                return Err(at(self.line, DotProblem::Subgraph));
            }
            let line = self.line;
            let next = self.name("the node that the edge leads to")?;
            self.port()?;
            chain.push(self.node(next, line));
        }
        if let [node] = chain[..] {
            let mut attributes = Attributes::default();
            self.attributes(&mut attributes)?;
            let node = &mut self.nodes[node];
            if let Some(shape) = attributes.shape {
                node.shape = Some(plain(shape));
            }
            node.label = attributes.label.map(raw).or(node.label);
            // The statement that describes a state is the line to name in a message.
            node.line = line;
        } else {
            let mut attributes = self.edge_defaults.clone();
            self.attributes(&mut attributes)?;
            let label = attributes.label.map(shown);
            let output = attributes.output.map(shown);
            for pair in chain.windows(2) {
                self.edges.push(Edge {
                    from: pair[0],
                    to: pair[1],
                    label: label.clone(),
                    output: output.clone(),
                    line,
                });
            }
        }
        Ok(())
    }

    /// `:port` or `:port:compass` after a node.
    fn port(&mut self) -> Result<(), DotError> {
        while self.accept(':')? {
            self.name("a port")?;
        }
        Ok(())
    }

    fn attributes(&mut self, attributes: &mut Attributes<'a>) -> Result<(), DotError> {
        while self.accept('[')? {
            while !self.accept(']')? {
                let key = self.name("an attribute or `]`")?;
                let value = if self.accept('=')? {
                    Some(self.name("a value")?)
                } else {
                    None
                };
                match &*plain(key) {
                    "label" => attributes.label = value,
                    "shape" => attributes.shape = value,
                    "output" => attributes.output = value,
                    _ => {}
                }
                if !self.accept(',')? {
                    self.accept(';')?;
                }
            }
        }
        Ok(())
    }

    fn node(&mut self, name: Token<'a>, line: usize) -> usize {
        let fresh = self.nodes.len();
        let name = plain(name);
        let id = self.index.get_or_insert(name.clone(), fresh);
        if id != fresh {
            return id;
        }
        self.nodes.push(Node {
            name,
            label: self.node_defaults.label.map(raw),
            shape: self.node_defaults.shape.map(plain),
            line,
            accepting: false,
        });
        fresh
    }
}

/// The nodes by name.
///
/// Programs write names such as `s17`. Those are looked up in a table instead of by their text,
/// which takes reading a random automaton of a million states from 3.3 s to 1.3 s.
struct NodeIndex<'a> {
    by_name: FxHashMap<Cow<'a, str>, usize>,
    /// What stands before the number, once such a name has been seen.
    prefix: Option<String>,
    /// Node numbers plus one, by the number in the name.
    by_number: Vec<u32>,
    /// Larger numbers are looked up by name. A file has more bytes than nodes.
    limit: usize,
}

impl<'a> NodeIndex<'a> {
    fn new(limit: usize) -> Self {
        Self {
            by_name: FxHashMap::default(),
            prefix: None,
            by_number: Vec::new(),
            limit,
        }
    }

    /// The node of this name, which is `fresh` if the name is new.
    fn get_or_insert(&mut self, name: Cow<'a, str>, fresh: usize) -> usize {
        if let Some(number) = self.number(&name) {
            if number >= self.by_number.len() {
                let doubled = (2 * number + 1).min(self.limit);
                self.by_number.resize(doubled.max(number + 1), 0);
            }
            let slot = &mut self.by_number[number];
            if *slot == 0 {
                *slot = fresh as u32 + 1;
            }
            return *slot as usize - 1;
        }
        match self.by_name.get(&name) {
            Some(&id) => id,
            None => {
                self.by_name.insert(name, fresh);
                fresh
            }
        }
    }

    /// The number of a name with the prefix; the same name always gets the same answer.
    fn number(&mut self, name: &str) -> Option<usize> {
        let bytes = name.as_bytes();
        let n_digits = bytes
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let (before, digits) = bytes.split_at(bytes.len() - n_digits);
        // Leading zeros would give two names the same number, and long numbers are too large.
        if n_digits == 0 || n_digits > 9 || (n_digits > 1 && digits[0] == b'0') {
            return None;
        }
        match &self.prefix {
            // The start marker often comes first and would waste the table.
            _ if before == b"__start" => return None,
            Some(prefix) if prefix.as_bytes() == before => {}
            Some(_) => return None,
            None => self.prefix = Some(name[..before.len()].to_owned()),
        }
        let number = digits
            .iter()
            .fold(0, |n, digit| 10 * n + usize::from(digit - b'0'));
        (number < self.limit).then_some(number)
    }
}

fn raw(token: Token<'_>) -> &str {
    match token {
        Token::Name(text) | Token::Quoted(text) | Token::Html(text) => text,
        _ => "",
    }
}

/// The token as an identifier.
fn plain(token: Token<'_>) -> Cow<'_, str> {
    match token {
        Token::Quoted(text) => identifier(text),
        other => Cow::Borrowed(raw(other)),
    }
}

/// The token as a label.
fn shown(token: Token<'_>) -> Cow<'_, str> {
    match token {
        Token::Quoted(text) => label(text),
        Token::Html(text) => Cow::Owned(html_text(text)),
        other => Cow::Borrowed(raw(other)),
    }
}

/// What an HTML label shows: its text without tags, a `<br/>` as a line break.
fn html_text(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        let Some((name, after)) = tag.split_once('>') else {
            rest = "";
            break;
        };
        let name = name.trim_end_matches('/').trim();
        if name.eq_ignore_ascii_case("br") {
            text.push('\n');
        }
        rest = after;
    }
    text.push_str(rest);
    for (entity, sign) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&amp;", "&"),
    ] {
        text = text.replace(entity, sign);
    }
    text
}
