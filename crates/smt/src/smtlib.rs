//! SMT-LIB 2.6 text for any question, so that another solver can be asked.
//!
//! Shared subterms become `define-fun`s, and so does whatever is nested too deeply to be read; the
//! text is thus linear in the number of terms. Each assumption gets a name of its own, which is what
//! `check-sat-assuming` wants.

use std::fmt::Write as _;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::array::ArrayNode;
use crate::float::{Definition, FloatOp, Mode};
use crate::substitute::{Item, operands, post_order_by};
use crate::term::{ArrayId, BinaryOp, Node, Sort, TermId, Terms, UnaryOp, VarId};

/// How operations of floats are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FloatText {
    /// As the bits that they are made of: every solver for bit vectors reads it.
    #[default]
    Bits,
    /// Arithmetic and comparisons in SMT-LIB's theory `FloatingPoint`. Floats are bit vectors all the same, and a NaN has the bits that it
    /// has here, which the theory leaves open.
    Theory,
}

/// Nesting beyond this is cut by a definition.
const MAX_NESTING: u32 = 12;

/// A question in SMT-LIB's words.
#[derive(Clone, Debug)]
pub struct Script {
    /// `QF_BV`, with `A` for arrays and `FP` for floats.
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
    floats: FloatText,
) -> Script {
    let mut roots = asserted.to_vec();
    roots.extend(clauses.iter().flatten());
    roots.extend(assumptions);
    let mut writer = Writer::new(terms, floats);
    let order = post_order_by(&roots, |item, visit| writer.operands(item, visit));
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
    let logic = match (writer.has_arrays, writer.has_floats) {
        (false, false) => "QF_BV",
        (true, false) => "QF_ABV",
        (false, true) => "QF_BVFP",
        (true, true) => "QF_ABVFP",
    };
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
    floats: FloatText,
    has_floats: bool,
}

impl<'a> Writer<'a> {
    fn new(terms: &'a Terms, floats: FloatText) -> Self {
        Self {
            terms,
            floats,
            has_floats: false,
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
        let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut count = |item| {
            if let Item::Term(term) = item {
                *uses.entry(term).or_insert(0) += 1;
            }
        };
        roots.iter().for_each(|&r| count(Item::Term(r)));
        for &item in order {
            self.operands(item, &mut count);
        }
        self.uses = uses;
    }

    /// The operation that a term is written as, if not as its bits.
    fn float(&self, term: TermId) -> Option<(&'a Definition, &'static str)> {
        if self.floats == FloatText::Bits {
            return None;
        }
        let own = self.terms.float_definition(term)?;
        let name = match own.op {
            FloatOp::Add => "fp.add",
            FloatOp::Subtract => "fp.sub",
            FloatOp::Multiply => "fp.mul",
            FloatOp::Divide => "fp.div",
            FloatOp::SquareRoot => "fp.sqrt",
            FloatOp::Equal => "fp.eq",
            FloatOp::Less => "fp.lt",
            FloatOp::LessOrEqual => "fp.leq",
            FloatOp::IsNan => "fp.isNaN",
            FloatOp::IsInfinite => "fp.isInfinite",
            FloatOp::IsZero => "fp.isZero",
            // `fp.fma` of z3 4.8 rounds wrongly (3 exponent bits, precision 4: 0.46875 * 7.5 + 0.75 is 4.0 and not 4.5). The others are
            // cheaper as bits.
            _ => return None,
        };
        Some((own, name))
    }

    fn operands(&self, item: Item, visit: &mut dyn FnMut(Item)) {
        match item {
            Item::Term(term) if self.float(term).is_some() => {
                let own = self.float(term).map_or(&[][..], |own| own.0.operands());
                own.iter().for_each(|&t| visit(Item::Term(t)));
            }
            _ => operands(self.terms, item, visit),
        }
    }

    /// A comparison, or a declared value with what holds of it: the theory has no way back from a float to bits.
    fn introduce_float(&mut self, term: TermId, own: &Definition, name: &str) {
        self.has_floats = true;
        let (exponent, precision) = (own.format.exponent, own.format.precision);
        let to_fp = |text: &str| format!("((_ to_fp {exponent} {precision}) {text})");
        let bits: Vec<String> = own.operands().iter().map(|&t| self.term(t)).collect();
        let numbers: Vec<String> = bits.iter().map(|b| to_fp(b)).collect();
        let numbers = numbers.join(" ");
        let result = format!("t!{}", term.0);
        if self.terms.sort(term) == Sort::Bool {
            let _ = writeln!(self.out, "(define-fun {result} () Bool ({name} {numbers}))");
            self.text.insert(term, (result, 0));
            return;
        }
        let mode = match own.mode {
            Mode::NearestEven => "RNE",
            Mode::NearestAway => "RNA",
            Mode::TowardPositive => "RTP",
            Mode::TowardNegative => "RTN",
            Mode::TowardZero => "RTZ",
        };
        let sort = sort_text(self.terms.sort(term));
        let mut nan = constant_text(own.format.default_nan(), self.terms.sort(term));
        let quiet = constant_text(own.format.quiet_bit(), self.terms.sort(term));
        for b in bits.iter().rev() {
            nan = format!("(ite (fp.isNaN {}) (bvor {b} {quiet}) {nan})", to_fp(b));
        }
        let value = to_fp(&result);
        let _ = writeln!(self.out, "(declare-fun {result} () {sort})");
        let _ = writeln!(self.out, "(assert (= {value} ({name} {mode} {numbers})))");
        let _ = writeln!(
            self.out,
            "(assert (=> (fp.isNaN {value}) (= {result} {nan})))"
        );
        self.text.insert(term, (result, 0));
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
        if let Some((own, name)) = self.float(term) {
            return self.introduce_float(term, own, name);
        }
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
