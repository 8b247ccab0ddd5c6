//! SMT-LIB 2.6 text for any question, so that another solver can be asked.
//!
//! Shared subterms become `define-fun`s, and so does whatever is nested too deeply to be read; the
//! text is thus linear in the number of terms. Each assumption gets a name of its own, which is what
//! `check-sat-assuming` wants.

use std::fmt::Write as _;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::array::ArrayNode;
use crate::substitute::{Item, operands, post_order};
use crate::term::{ArrayId, BinaryOp, Node, Sort, TermId, Terms, UnaryOp, VarId};

/// Nesting beyond this is cut by a definition.
const MAX_NESTING: u32 = 12;

/// A question in SMT-LIB's words.
#[derive(Clone, Debug)]
pub struct Script {
    /// `QF_BV` or `QF_ABV`.
    pub logic: &'static str,
    /// Declarations, definitions and assertions.
    pub preamble: String,
    /// The command that asks.
    pub check: String,
    /// The name of each assumption, in order.
    pub assumptions: Vec<String>,
    /// The name of each variable that occurs.
    pub variables: Vec<(VarId, String)>,
    /// For each read of an array variable that may matter: the variable, and the text of its index.
    pub reads: Vec<(ArrayId, String, String)>,
}

impl Script {
    /// The whole question as one text.
    pub fn text(&self) -> String {
        self.text_with("")
    }

    /// The same with `commands` after the logic, where information about a question belongs.
    pub fn text_with(&self, commands: &str) -> String {
        let (logic, preamble, check) = (self.logic, &self.preamble, &self.check);
        format!("(set-logic {logic})\n{commands}{preamble}{check}\n")
    }
}

/// The question whether `asserted`, `clauses` and `assumptions` can hold together.
pub fn script(
    terms: &Terms,
    asserted: &[TermId],
    clauses: &[Vec<TermId>],
    assumptions: &[TermId],
) -> Script {
    let mut roots = asserted.to_vec();
    roots.extend(clauses.iter().flatten());
    roots.extend(assumptions);
    let order = post_order(terms, &roots);
    let mut writer = Writer::new(terms);
    writer.count_uses(&order, &roots);
    let mut reads = Vec::new();
    for &item in &order {
        writer.introduce(item);
        if let Item::Term(term) = item
            && let Node::Select(array, index) = terms.node(term)
        {
            for base in base_arrays(terms, array) {
                reads.push((base, index));
            }
        }
    }
    for &term in asserted {
        let text = writer.term(term);
        let _ = writeln!(writer.out, "(assert {text})");
    }
    for clause in clauses {
        let words: Vec<String> = clause.iter().map(|&t| writer.term(t)).collect();
        let text = match &words[..] {
            [] => "false".to_owned(),
            [one] => one.clone(),
            many => format!("(or {})", many.join(" ")),
        };
        let _ = writeln!(writer.out, "(assert {text})");
    }
    let mut names = Vec::new();
    for (i, &term) in assumptions.iter().enumerate() {
        let name = format!("assume!{i}");
        let text = writer.term(term);
        let _ = writeln!(writer.out, "(declare-fun {name} () Bool)");
        let _ = writeln!(writer.out, "(assert (=> {name} {text}))");
        names.push(name);
    }
    let logic = if writer.has_arrays { "QF_ABV" } else { "QF_BV" };
    let mut seen = FxHashSet::default();
    reads.retain(|r| seen.insert(*r));
    let reads = reads
        .into_iter()
        .map(|(array, index)| (array, writer.array(array), writer.term(index)))
        .collect();
    Script {
        logic,
        preamble: writer.out,
        check: if names.is_empty() {
            "(check-sat)".to_owned()
        } else {
            format!("(check-sat-assuming ({}))", names.join(" "))
        },
        assumptions: names,
        variables: writer.variables,
        reads,
    }
}

/// The array variables a read of `array` may end at.
fn base_arrays(terms: &Terms, array: ArrayId) -> Vec<ArrayId> {
    let (mut found, mut seen, mut stack) = (Vec::new(), FxHashSet::default(), vec![array]);
    while let Some(array) = stack.pop() {
        if !seen.insert(array) {
            continue;
        }
        match terms.array_node(array) {
            ArrayNode::Var(_) => found.push(array),
            ArrayNode::Const(..) => {}
            ArrayNode::Store(below, ..) => stack.push(below),
            ArrayNode::Ite(_, a, b) => stack.extend([a, b]),
        }
    }
    found
}

struct Writer<'a> {
    terms: &'a Terms,
    out: String,
    uses: FxHashMap<TermId, u32>,
    /// The text by which a term is referred to, if it has been introduced.
    text: FxHashMap<TermId, (String, u32)>,
    arrays: FxHashMap<ArrayId, String>,
    variables: Vec<(VarId, String)>,
    taken: FxHashSet<String>,
    has_arrays: bool,
}

impl<'a> Writer<'a> {
    fn new(terms: &'a Terms) -> Self {
        Self {
            terms,
            out: String::new(),
            uses: FxHashMap::default(),
            text: FxHashMap::default(),
            arrays: FxHashMap::default(),
            variables: Vec::new(),
            taken: FxHashSet::default(),
            has_arrays: false,
        }
    }

    fn count_uses(&mut self, order: &[Item], roots: &[TermId]) {
        let mut count = |item| {
            if let Item::Term(term) = item {
                *self.uses.entry(term).or_insert(0) += 1;
            }
        };
        roots.iter().for_each(|&r| count(Item::Term(r)));
        for &item in order {
            operands(self.terms, item, &mut count);
        }
    }

    /// A quoted symbol made from `name` that nothing else has.
    fn symbol(&mut self, name: &str, id: u32) -> String {
        let clean: String = name
            .chars()
            .map(|c| match c {
                '|' | '\\' => '_',
                c if c.is_ascii_graphic() => c,
                _ => '_',
            })
            .collect();
        // `!` marks names of ours, which are thereby kept apart from the user's.
        let clean = clean.replace('!', "_");
        let symbol = format!("|{clean}|");
        if !clean.is_empty() && self.taken.insert(symbol.clone()) {
            return symbol;
        }
        let symbol = format!("|{clean}!{id}|");
        self.taken.insert(symbol.clone());
        symbol
    }

    fn term(&self, term: TermId) -> String {
        self.text[&term].0.clone()
    }

    fn array(&self, array: ArrayId) -> String {
        self.arrays[&array].clone()
    }

    fn introduce(&mut self, item: Item) {
        match item {
            Item::Term(term) => self.introduce_term(term),
            Item::Array(array) => self.introduce_array(array),
        }
    }

    fn introduce_term(&mut self, term: TermId) {
        let t = self.terms;
        let sort = sort_text(t.sort(term));
        if let Node::Var(v) = t.node(term) {
            let name = self.symbol(t.variable_name(v), v.0);
            let _ = writeln!(self.out, "(declare-fun {name} () {sort})");
            self.variables.push((v, name.clone()));
            self.text.insert(term, (name, 0));
            return;
        }
        let nesting = t
            .children(term)
            .map(|c| self.text[&c].1 + 1)
            .max()
            .unwrap_or(0);
        let mut text = self.application(term);
        let is_leaf = matches!(t.node(term), Node::Const(_));
        let shared = self.uses.get(&term).is_some_and(|&n| n > 1);
        let define = !is_leaf && (shared || nesting >= MAX_NESTING);
        if define {
            let name = format!("t!{}", term.0);
            let _ = writeln!(self.out, "(define-fun {name} () {sort} {text})");
            text = name;
        }
        self.text
            .insert(term, (text, if define { 0 } else { nesting }));
    }

    fn application(&self, term: TermId) -> String {
        use BinaryOp::*;
        let t = self.terms;
        let is_bool = |x: TermId| t.sort(x) == Sort::Bool;
        match t.node(term) {
            Node::Var(_) => self.term(term),
            Node::Const(value) => constant_text(value, t.sort(term)),
            Node::Unary(op, a) => {
                let more = t.width(term) - t.width(a);
                let name = match op {
                    UnaryOp::Not if is_bool(a) => "not".to_owned(),
                    UnaryOp::Not => "bvnot".to_owned(),
                    UnaryOp::Neg => "bvneg".to_owned(),
                    UnaryOp::ZeroExtend => format!("(_ zero_extend {more})"),
                    UnaryOp::SignExtend => format!("(_ sign_extend {more})"),
                };
                format!("({name} {})", self.term(a))
            }
            Node::Binary(op, a, b) => {
                let name = match op {
                    And if is_bool(a) => "and",
                    Or if is_bool(a) => "or",
                    Xor if is_bool(a) => "xor",
                    And => "bvand",
                    Or => "bvor",
                    Xor => "bvxor",
                    Eq => "=",
                    Add => "bvadd",
                    Sub => "bvsub",
                    Mul => "bvmul",
                    Udiv => "bvudiv",
                    Urem => "bvurem",
                    Sdiv => "bvsdiv",
                    Srem => "bvsrem",
                    Shl => "bvshl",
                    Lshr => "bvlshr",
                    Ashr => "bvashr",
                    Concat => "concat",
                    Ult => "bvult",
                    Ule => "bvule",
                    Slt => "bvslt",
                    Sle => "bvsle",
                };
                format!("({name} {} {})", self.term(a), self.term(b))
            }
            Node::Ite(c, a, b) => {
                format!("(ite {} {} {})", self.term(c), self.term(a), self.term(b))
            }
            Node::Extract { hi, lo, arg } => {
                format!("((_ extract {hi} {lo}) {})", self.term(arg))
            }
            Node::Select(array, index) => {
                format!("(select {} {})", self.arrays[&array], self.term(index))
            }
        }
    }

    fn introduce_array(&mut self, array: ArrayId) {
        self.has_arrays = true;
        let t = self.terms;
        let (index, element) = t.array_sort(array);
        let sort = format!("(Array (_ BitVec {index}) (_ BitVec {element}))");
        let text = match t.array_node(array) {
            ArrayNode::Var(v) => {
                let name = self.symbol(t.array_name(v), v);
                let _ = writeln!(self.out, "(declare-fun {name} () {sort})");
                self.arrays.insert(array, name);
                return;
            }
            ArrayNode::Const(e, _) => format!("((as const {sort}) {})", self.term(e)),
            ArrayNode::Store(below, i, e) => {
                format!(
                    "(store {} {} {})",
                    self.arrays[&below],
                    self.term(i),
                    self.term(e)
                )
            }
            ArrayNode::Ite(c, a, b) => {
                format!(
                    "(ite {} {} {})",
                    self.term(c),
                    self.arrays[&a],
                    self.arrays[&b]
                )
            }
        };
        let name = format!("a!{}", array.0);
        let _ = writeln!(self.out, "(define-fun {name} () {sort} {text})");
        self.arrays.insert(array, name);
    }
}

fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::BitVec(width) => format!("(_ BitVec {width})"),
    }
}

fn constant_text(value: u128, sort: Sort) -> String {
    match sort {
        Sort::Bool => (value != 0).to_string(),
        Sort::BitVec(width) if width % 4 == 0 => {
            format!("#x{value:0digits$x}", digits = width as usize / 4)
        }
        Sort::BitVec(width) => format!("#b{value:0digits$b}", digits = width as usize),
    }
}
