//! Terms for people: one line for each that is used more than once or nested too deeply to be read,
//! operands before those who use them.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use crate::array::ArrayNode;
use crate::substitute::{Item, operands, post_order};
use crate::term::{ArrayId, BinaryOp, Node, Sort, TermId, Terms, UnaryOp, VarId};

/// Nesting beyond this gets a line of its own.
const MAX_NESTING: u32 = 4;

/// The lines that define shared terms, and the text of each root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listing {
    pub definitions: String,
    pub roots: Vec<String>,
}

/// Lists `roots`. `name` may give a variable another name than its own; names should differ.
///
/// `t7: 32 = add(x, 1)` defines a term of 32 bits; `bool` is a truth value. Constants are decimal, and
/// negative if their highest bit is set.
pub fn listing(
    terms: &Terms,
    roots: &[TermId],
    name: &mut dyn FnMut(VarId) -> Option<String>,
) -> Listing {
    let order = post_order(terms, roots);
    let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
    for &item in &order {
        operands(terms, item, |operand| {
            if let Item::Term(term) = operand {
                *uses.entry(term).or_insert(0) += 1;
            }
        });
    }
    let mut text: FxHashMap<TermId, (String, u32)> = FxHashMap::default();
    let mut arrays: FxHashMap<ArrayId, String> = FxHashMap::default();
    let mut out = String::new();
    let mut n_defined = 0;
    for item in order {
        match item {
            Item::Term(term) => {
                let (mut line, nesting) = application(terms, term, &text, &arrays, name);
                let is_leaf = matches!(terms.node(term), Node::Const(_) | Node::Var(_));
                let shared = uses.get(&term).is_some_and(|&n| n > 1);
                let define = !is_leaf && (shared || nesting >= MAX_NESTING);
                if define {
                    n_defined += 1;
                    let sort = match terms.sort(term) {
                        Sort::Bool => "bool".to_owned(),
                        Sort::BitVec(width) => width.to_string(),
                    };
                    let _ = writeln!(out, "t{n_defined}: {sort} = {line}");
                    line = format!("t{n_defined}");
                }
                text.insert(term, (line, if define { 0 } else { nesting }));
            }
            Item::Array(array) => {
                let (index, element) = terms.array_sort(array);
                let line = match terms.array_node(array) {
                    ArrayNode::Var(v) => terms.array_name(v).to_owned(),
                    ArrayNode::Const(e, _) => format!("all({})", text[&e].0),
                    ArrayNode::Store(below, i, e) => {
                        format!("store({}, {}, {})", arrays[&below], text[&i].0, text[&e].0)
                    }
                    ArrayNode::Ite(c, a, b) => {
                        format!("ite({}, {}, {})", text[&c].0, arrays[&a], arrays[&b])
                    }
                };
                if let ArrayNode::Var(_) = terms.array_node(array) {
                    arrays.insert(array, line);
                    continue;
                }
                let _ = writeln!(out, "a{}: {index}->{element} = {line}", array.0);
                arrays.insert(array, format!("a{}", array.0));
            }
        }
    }
    Listing {
        definitions: out,
        roots: roots.iter().map(|r| text[r].0.clone()).collect(),
    }
}

/// The text of a term from those of its operands, and how deep it is nested.
fn application(
    terms: &Terms,
    term: TermId,
    text: &FxHashMap<TermId, (String, u32)>,
    arrays: &FxHashMap<ArrayId, String>,
    name: &mut dyn FnMut(VarId) -> Option<String>,
) -> (String, u32) {
    let t = |x: TermId| text[&x].0.as_str();
    let nesting = terms.children(term).map(|c| text[&c].1 + 1).max();
    let width = terms.width(term);
    let line = match terms.node(term) {
        Node::Const(value) => constant(value, terms.sort(term)),
        Node::Var(v) => name(v).unwrap_or_else(|| terms.variable_name(v).to_owned()),
        Node::Unary(UnaryOp::Not, a) => format!("not({})", t(a)),
        Node::Unary(UnaryOp::Neg, a) => format!("neg({})", t(a)),
        Node::Unary(UnaryOp::ZeroExtend, a) => format!("zext.{width}({})", t(a)),
        Node::Unary(UnaryOp::SignExtend, a) => format!("sext.{width}({})", t(a)),
        Node::Binary(op, a, b) => format!("{}({}, {})", operation(op), t(a), t(b)),
        Node::Ite(c, a, b) => format!("ite({}, {}, {})", t(c), t(a), t(b)),
        Node::Extract { hi, lo, arg } => format!("{}[{hi}:{lo}]", t(arg)),
        Node::Select(array, index) => format!("{}[{}]", arrays[&array], t(index)),
    };
    (line, nesting.unwrap_or(0))
}

/// Values whose top bit is set are mostly meant as negative numbers.
fn constant(value: u128, sort: Sort) -> String {
    match sort {
        Sort::Bool => (value != 0).to_string(),
        Sort::BitVec(width) if width >= 8 && value >> (width - 1) & 1 == 1 => {
            let shift = 128 - width;
            (((value << shift) as i128) >> shift).to_string()
        }
        Sort::BitVec(_) => value.to_string(),
    }
}

fn operation(op: BinaryOp) -> &'static str {
    use BinaryOp::*;
    match op {
        And => "and",
        Or => "or",
        Xor => "xor",
        Eq => "eq",
        Add => "add",
        Sub => "sub",
        Mul => "mul",
        Udiv => "udiv",
        Urem => "urem",
        Sdiv => "sdiv",
        Srem => "srem",
        Shl => "shl",
        Lshr => "lshr",
        Ashr => "ashr",
        Concat => "concat",
        Ult => "ult",
        Ule => "ule",
        Slt => "slt",
        Sle => "sle",
    }
}
