//! Formulas as ACSL, the annotation language of Frama-C, and where they go in a C file.
//!
//! Arrays need nothing but ACSL's own quantifiers. For lists a predicate `reaches` is defined by
//! the rule that a cell reaches itself and whatever its next cell reaches.

use crate::formula::{
    Arrangement, Comparison, Conclusion, Conjunct, Constraint, DataTerm, ForAll, Formula, Relation,
    Term,
};
use crate::point::{Point, PointKind, Structure};
use crate::show;

/// The clauses of a point, each with its keyword and its semicolon.
pub fn clauses(point: &Point, formula: &Formula) -> Vec<String> {
    let keyword = match point.kind {
        PointKind::Loop => "loop invariant",
        PointKind::Entry => "requires",
        PointKind::Exit => "ensures",
    };
    (formula.conjuncts.iter())
        .map(|c| format!("{keyword} {};", conjunct(point, c)))
        .collect()
}

/// The definitions that clauses about the lists of these points refer to, as one comment.
pub fn definitions<'p>(points: impl IntoIterator<Item = &'p Point>) -> Option<String> {
    let mut done: Vec<&str> = Vec::new();
    let mut text = String::new();
    for structure in points.into_iter().flat_map(|p| &p.structures) {
        let Structure::List(list) = structure else {
            continue;
        };
        if done.contains(&list.type_name.as_str()) {
            continue;
        }
        done.push(&list.type_name);
        let (name, ty, next) = (reaches(&list.type_name), &list.type_name, &list.next);
        text += &format!(
            "/*@ inductive {name}{{L}}({ty} *a, {ty} *b) {{\n  \
               @   case self{{L}}: \\forall {ty} *a; {name}(a, a);\n  \
               @   case next{{L}}: \\forall {ty} *a, *b;\n  \
               @     a != \\null && {name}(a->{next}, b) ==> {name}(a, b);\n  \
               @ }}\n  \
               @*/\n"
        );
    }
    (!text.is_empty()).then_some(text)
}

/// The predicate for a record type: `reaches_node` for `struct node`.
fn reaches(type_name: &str) -> String {
    let tag = type_name.rsplit(' ').next().unwrap_or("cell");
    let tag: String = (tag.chars())
        .filter(|c| c.is_ascii_alphanumeric() || *c == '_')
        .collect();
    format!("reaches_{tag}")
}

pub fn conjunct(point: &Point, conjunct: &Conjunct) -> String {
    match conjunct {
        Conjunct::OneOf(parts) => match parts.as_slice() {
            [] => "\\false".to_owned(),
            [only] => arrangement(point, only),
            _ => {
                let parts: Vec<String> = parts
                    .iter()
                    .map(|a| format!("({})", arrangement(point, a)))
                    .collect();
                parts.join(" || ")
            }
        },
        Conjunct::ForAll(all) => for_all(point, all),
    }
}

fn arrangement(point: &Point, arrangement: &Arrangement) -> String {
    let constraints = arrangement.constraints.iter();
    let constraints = constraints.map(|&c| constraint(point, &[], c));
    let comparisons = arrangement.comparisons.iter().map(|c| comparison(point, c));
    all_of(constraints.chain(comparisons).collect())
}

fn all_of(parts: Vec<String>) -> String {
    match parts.is_empty() {
        true => "\\true".to_owned(),
        false => parts.join(" && "),
    }
}

fn for_all(point: &Point, all: &ForAll) -> String {
    let conclusion = match &all.conclusion {
        Conclusion::False => "\\false".to_owned(),
        Conclusion::All(list) => all_of(list.iter().map(|c| comparison(point, c)).collect()),
    };
    let mut guard: Vec<String> = (all.guard.iter())
        .map(|&c| constraint(point, &all.over, c))
        .collect();
    let mut binders: Vec<String> = Vec::new();
    for (y, &structure) in all.over.iter().enumerate() {
        let name = show::quantified_name(y);
        match &point.structures[structure] {
            Structure::Array(_) => binders.push(format!("integer {name}")),
            Structure::List(list) => {
                binders.push(format!("{} *{name}", list.type_name));
                guard.insert(0, format!("{name} != \\null"));
            }
        }
    }
    let body = match guard.is_empty() {
        true => conclusion,
        false => format!("{} ==> {conclusion}", guard.join(" && ")),
    };
    let binders: String = binders.iter().map(|b| format!("\\forall {b}; ")).collect();
    format!("{binders}{body}")
}

fn constraint(point: &Point, over: &[usize], c: Constraint) -> String {
    let structure = |t: Term| match t {
        Term::Quantified(y) => over.get(y).copied(),
        Term::Variable(v) => point.structure_of(v),
        Term::Size(s) => Some(s),
        Term::Nil | Term::Zero => None,
    };
    let (left, right) = (term(point, c.left), term(point, c.right));
    let structure = structure(c.left).or_else(|| structure(c.right));
    let list = match structure.map(|s| &point.structures[s]) {
        Some(Structure::List(list)) => list,
        _ => {
            return match c.relation {
                Relation::Same => format!("{left} == {right}"),
                Relation::Next => format!("{left} + 1 == {right}"),
                Relation::AtMost => format!("{left} <= {right}"),
                _ => format!("{left} < {right}"),
            };
        }
    };
    let (reaches, next) = (reaches(&list.type_name), &list.next);
    let is_null = c.right == Term::Nil;
    match c.relation {
        Relation::Same => format!("{left} == {right}"),
        Relation::Next => format!("({left} != \\null && {left}->{next} == {right})"),
        Relation::Reaches => format!("{reaches}({left}, {right})"),
        Relation::ReachesStrictly if is_null => format!("{left} != \\null"),
        Relation::ReachesStrictly => {
            format!("({left} != \\null && {reaches}({left}->{next}, {right}))")
        }
        Relation::Apart => format!(
            "(\\forall {} *z; {reaches}({left}, z) && {reaches}({right}, z) ==> z == \\null)",
            list.type_name
        ),
        Relation::Less => format!("{left} < {right}"),
        Relation::AtMost => format!("{left} <= {right}"),
    }
}

fn term(point: &Point, t: Term) -> String {
    match t {
        Term::Nil => "\\null".to_owned(),
        _ => show::term(point, t),
    }
}

fn comparison(point: &Point, c: &Comparison) -> String {
    let data = |t: DataTerm| show::data_term(point, t);
    let c = c.upright();
    match c.orders.operator() {
        Some(operator) => format!("{} {operator} {}", data(c.left), data(c.right)),
        None if c.orders.0 == 0 => "\\false".to_owned(),
        None => "\\true".to_owned(),
    }
}

/// An annotation and the byte of the text in front of which it goes.
pub struct Annotation {
    pub at: usize,
    pub text: String,
}

/// Puts annotations into a text, each on lines of its own with the indentation of its place.
pub fn annotate(text: &str, mut annotations: Vec<Annotation>) -> String {
    annotations.sort_by_key(|a| a.at);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for a in annotations {
        let at = a.at.min(text.len());
        let line = text[..at].rfind('\n').map_or(0, |n| n + 1);
        let indent = text[line..at].len() - text[line..at].trim_start().len();
        let indent = &text[line..line + indent];
        let is_at_start = text[line..at].trim().is_empty();
        let from = if is_at_start { line } else { at };
        if from < done {
            continue;
        }
        out += &text[done..from];
        for annotation_line in a.text.lines() {
            if is_at_start {
                out += indent;
            }
            out += annotation_line;
            out.push('\n');
        }
        if !is_at_start {
            out += indent;
        }
        done = from;
    }
    out += &text[done..];
    out
}

/// Where the keyword of a loop is, given a place in its head: the last `for`, `while` or `do`
/// before it.
pub fn loop_keyword(text: &str, head: usize) -> Option<usize> {
    let head = head.min(text.len());
    let bytes = text.as_bytes();
    let is_word = |i: usize| {
        bytes
            .get(i)
            .is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
    };
    (0..head).rev().find(|&i| {
        if !text.is_char_boundary(i) {
            return false;
        }
        ["for", "while", "do"].iter().any(|keyword| {
            text[i..].starts_with(keyword)
                && !is_word(i + keyword.len())
                && (i == 0 || !is_word(i - 1))
        })
    })
}

/// A comment with these clauses.
pub fn comment(clauses: &[String]) -> Option<String> {
    let (first, rest) = clauses.split_first()?;
    let mut text = format!("/*@ {first}");
    for clause in rest {
        text += &format!("\n  @ {clause}");
    }
    Some(text + "\n  @*/")
}
