//! Formulas as ACSL, the annotation language of Frama-C, and where they go in a C file.
//!
//! Arrays need nothing but ACSL's own quantifiers. For lists a predicate `reaches` is defined by
//! the rule that a cell reaches itself and whatever its next cell reaches.

use crate::c_terms::{self, Dialect};
use crate::formula::{Conjunct, Constraint, ForAll, Formula, Orders, Term};
use crate::implied::least_order;
use crate::point::{ListShape, Point, PointKind, Structure};
use crate::show;

const ACSL: Dialect = Dialect {
    truth: "\\true",
    falsity: "\\false",
    null: "\\null",
    name: |v| {
        let is_composed = [" + ", " - "].iter().any(|sign| v.name.contains(sign));
        words(&if v.name.starts_with('*') || is_composed {
            format!("({})", v.name)
        } else {
            v.name.clone()
        })
    },
    reaches,
    apart: |list, left, right| {
        let (ty, reaches) = (&list.type_name, reaches(list));
        format!("(\\forall {ty} *z; {reaches}({left}, z) && {reaches}({right}, z) ==> z == \\null)")
    },
};

/// A name in ACSL's words: the size of a string is one more than its length.
pub fn words(text: &str) -> String {
    let mut parts = text.split("size(");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((string, rest)) => out += &format!("(strlen({string}) + 1){rest}"),
            None => out += part,
        }
    }
    out
}

/// The predicate for the cells of a list: `reaches_node` for `struct node`.
fn reaches(list: &ListShape) -> String {
    format!("reaches_{}", c_terms::tag(&list.type_name))
}

/// The clauses of a point, each with its keyword and its semicolon.
pub fn clauses(point: &Point, formula: &Formula) -> Vec<String> {
    let keyword = match point.kind {
        PointKind::Loop => "loop invariant",
        PointKind::Entry => "requires",
        PointKind::Exit => "ensures",
    };
    let known = known(formula);
    (formula.conjuncts.iter())
        .map(|c| format!("{keyword} {};", conjunct_with(point, c, &known)))
        .collect()
}

/// The size of a string is the one that it has when the function is entered, also where the function writes.
pub fn sizes_at_entry(kind: PointKind, clause: &str) -> String {
    let mut parts = clause.split("(strlen(");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out += &match (kind, part.split_once(" + 1)")) {
            (PointKind::Loop, Some((string, rest))) => {
                format!("\\at(strlen({string} + 1, Pre){rest}")
            }
            (PointKind::Exit, Some((string, rest))) => format!("\\old(strlen({string} + 1){rest}"),
            _ => format!("(strlen({part}"),
        };
    }
    out
}

/// What holds of numbers whatever the rest of the formula says.
fn known(formula: &Formula) -> Vec<Constraint> {
    let always = formula.conjuncts.iter().filter_map(|c| match c {
        Conjunct::OneOf(parts) => match parts.as_slice() {
            [only] => Some(&only.constraints),
            _ => None,
        },
        Conjunct::ForAll(_) => None,
    });
    always.flatten().copied().collect()
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
        let (name, ty, next) = (reaches(list), &list.type_name, &list.next);
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

pub fn conjunct(point: &Point, conjunct: &Conjunct) -> String {
    conjunct_with(point, conjunct, &[])
}

fn conjunct_with(point: &Point, conjunct: &Conjunct, known: &[Constraint]) -> String {
    match conjunct {
        Conjunct::OneOf(parts) => match parts.as_slice() {
            [] => "\\false".to_owned(),
            [only] => ACSL.arrangement(point, only),
            _ => {
                let parts: Vec<String> = parts
                    .iter()
                    .map(|a| format!("({})", ACSL.arrangement(point, a)))
                    .collect();
                parts.join(" || ")
            }
        },
        Conjunct::ForAll(all) => for_all(point, all, known),
    }
}

/// Whether the guard keeps a quantified position in its array from below and from above. Formulas are about
/// positions of arrays, and ACSL's integers are all that there are.
fn is_inside(all: &ForAll, y: usize, known: &[Constraint]) -> (bool, bool) {
    let known = [known, &all.guard].concat();
    let (place, size) = (Term::Quantified(y), Term::Size(all.over[y]));
    (
        least_order(&known, Term::Zero, place).is_some(),
        least_order(&known, place, size) == Some(Orders::LESS),
    )
}

fn for_all(point: &Point, all: &ForAll, known: &[Constraint]) -> String {
    let conclusion = ACSL.conclusion(point, &all.conclusion);
    let mut guard: Vec<String> = (all.guard.iter())
        .map(|&c| ACSL.constraint(point, &all.over, c))
        .collect();
    let mut binders: Vec<String> = Vec::new();
    for (y, &structure) in all.over.iter().enumerate() {
        let name = show::quantified_name(y);
        match &point.structures[structure] {
            Structure::Array(_) => {
                binders.push(format!("integer {name}"));
                let (is_low, is_high) = is_inside(all, y, known);
                if !is_high {
                    let size = ACSL.term(point, Term::Size(structure));
                    guard.insert(0, format!("{name} < {size}"));
                }
                if !is_low {
                    guard.insert(0, format!("0 <= {name}"));
                }
            }
            Structure::List(list) => {
                binders.push(format!("{} *{name}", list.type_name));
                guard.insert(0, format!("{name} != \\null"));
            }
        }
    }
    let body = if guard.is_empty() {
        conclusion
    } else {
        format!("{} ==> {conclusion}", guard.join(" && "))
    };
    let binders: String = binders.iter().map(|b| format!("\\forall {b}; ")).collect();
    format!("{binders}{body}")
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
