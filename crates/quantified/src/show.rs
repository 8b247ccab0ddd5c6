//! Formulas as mathematics.

use crate::formula::{
    Arrangement, Comparison, Conclusion, Conjunct, Constraint, DataTerm, ForAll, Formula, Orders,
    Relation, Term,
};
use crate::point::{ArraySize, Point, Structure};

/// The formula, one conjunct a line; `true` if there is none.
pub fn formula(point: &Point, formula: &Formula) -> String {
    let lines: Vec<String> = lines(point, formula);
    let said: Vec<&str> = (lines.iter().map(String::as_str))
        .filter(|l| !is_definition(l))
        .collect();
    if said.is_empty() {
        "true".to_owned()
    } else {
        said.join(" ∧\n")
    }
}

/// Whether a conjunct says what a number that was added for a sum is: its name does.
pub fn is_definition(line: &str) -> bool {
    line.split_once(" = ")
        .is_some_and(|(left, right)| left == right)
}

/// The conjuncts as text, without what joins them.
pub fn lines(point: &Point, formula: &Formula) -> Vec<String> {
    if formula.conjuncts.is_empty() {
        return vec!["true".to_owned()];
    }
    (formula.conjuncts.iter())
        .map(|c| conjunct(point, c))
        .collect()
}

pub fn conjunct(point: &Point, conjunct: &Conjunct) -> String {
    readable(&as_written(point, conjunct))
}

/// A name inside of a sum.
fn part(name: String) -> String {
    if name.contains(" - ") {
        format!("({name})")
    } else {
        name
    }
}

/// Variables have the names that ACSL has for them; a person reads `result` and `old(x)`.
pub fn readable(text: &str) -> String {
    let mut parts = text.split("\\at(");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str("old(");
        out.push_str(&part.replacen(", Pre)", ")", 1));
    }
    out.replace("\\result", "result").replace("\\old(", "old(")
}

fn as_written(point: &Point, conjunct: &Conjunct) -> String {
    match conjunct {
        Conjunct::OneOf(arrangements) => match arrangements.as_slice() {
            [] => "false".to_owned(),
            [only] => arrangement(point, only),
            _ => {
                let all: Vec<String> = arrangements
                    .iter()
                    .map(|a| format!("({})", arrangement(point, a)))
                    .collect();
                all.join(" ∨ ")
            }
        },
        Conjunct::ForAll(all) => for_all(point, all),
    }
}

fn arrangement(point: &Point, arrangement: &Arrangement) -> String {
    let mut parts = chains(point, &arrangement.constraints);
    parts.extend(comparisons(point, &arrangement.comparisons));
    if parts.is_empty() {
        "true".to_owned()
    } else {
        parts.join(" ∧ ")
    }
}

fn for_all(point: &Point, all: &ForAll) -> String {
    let names: Vec<String> = (0..all.over.len()).map(quantified_name).collect();
    let guard = chains(point, &all.guard).join(" ∧ ");
    let conclusion = match &all.conclusion {
        Conclusion::False => "false".to_owned(),
        Conclusion::All(list) if list.is_empty() => "true".to_owned(),
        Conclusion::All(list) => comparisons(point, list).join(" ∧ "),
    };
    match (names.is_empty(), guard.is_empty()) {
        (true, true) => conclusion,
        (true, false) => format!("{guard} ⇒ {conclusion}"),
        (false, true) => format!("∀ {}. {conclusion}", names.join(", ")),
        (false, false) => format!("∀ {}. {guard} ⇒ {conclusion}", names.join(", ")),
    }
}

/// Constraints with common ends as one chain: `0 ≤ y1 < i`, `head →* y1 →+ cur`.
fn chains(point: &Point, constraints: &[Constraint]) -> Vec<String> {
    let mut parts: Vec<(Term, String, Term)> = Vec::new();
    for c in constraints {
        let tail = format!(" {} {}", sign(c.relation), term(point, c.right));
        let can_follow = !matches!(c.relation, Relation::Apart);
        let is_cell = c.relation == Relation::ReachesStrictly && c.right == Term::Nil;
        if is_cell {
            let text = format!("{} ≠ nil", term(point, c.left));
            parts.push((Term::Nil, text, Term::Nil));
            continue;
        }
        if c.relation == Relation::Parent {
            let (left, right) = (term(point, c.left), term(point, c.right));
            let text = format!("{left} = ({right} - 1) / 2");
            parts.push((Term::Nil, text, Term::Nil));
            continue;
        }
        let attach = |p: &&mut (Term, String, Term)| can_follow && p.2 == c.left && !is_end(p.2);
        match parts.iter_mut().find(attach) {
            Some((_, text, last)) => {
                text.push_str(&tail);
                *last = c.right;
            }
            None => {
                // What follows `apart` starts anew: `a ∦ b → c` would read as one statement.
                let end = if can_follow { c.right } else { Term::Nil };
                parts.push((c.left, format!("{}{tail}", term(point, c.left)), end));
            }
        }
    }
    // Pieces that fit become one.
    let mut i = 0;
    while i < parts.len() {
        let (start, end) = (parts[i].0, parts[i].2);
        let fits = |&j: &usize| j != i && parts[j].0 == end && end != start && !is_end(end);
        match (0..parts.len()).find(fits) {
            Some(j) => {
                let (_, text, last) = parts.remove(j);
                let at = i - usize::from(j < i);
                let name = term(point, end);
                parts[at].1.push_str(&text[name.len()..]);
                parts[at].2 = last;
                i = 0;
            }
            None => i += 1,
        }
    }
    parts.into_iter().map(|(_, text, _)| text).collect()
}

fn is_end(term: Term) -> bool {
    matches!(term, Term::Nil | Term::Zero)
}

/// Comparisons with common ends as one chain: `0 ≤ i ≤ n`.
fn comparisons(point: &Point, list: &[Comparison]) -> Vec<String> {
    let mut parts: Vec<(DataTerm, String, DataTerm)> = Vec::new();
    for c in list.iter().map(|c| c.upright()) {
        let (Some(symbol), true) = (c.orders.symbol(), c.orders != Orders::UNEQUAL) else {
            parts.push((c.left, comparison(point, &c), DataTerm::Constant(i64::MIN)));
            continue;
        };
        let follows = |p: &&mut (DataTerm, String, DataTerm)| p.2 == c.left;
        let leads = |p: &&mut (DataTerm, String, DataTerm)| p.0 == c.right;
        let (left, right) = (data_term(point, c.left), data_term(point, c.right));
        if let Some(part) = parts.iter_mut().find(follows) {
            part.1.push_str(&format!(" {symbol} {right}"));
            part.2 = c.right;
        } else if let Some(part) = parts.iter_mut().find(leads) {
            part.1 = format!("{left} {symbol} {}", part.1);
            part.0 = c.left;
        } else {
            parts.push((c.left, format!("{left} {symbol} {right}"), c.right));
        }
    }
    parts.into_iter().map(|(_, text, _)| text).collect()
}

fn sign(relation: Relation) -> &'static str {
    match relation {
        Relation::Same => "=",
        Relation::Next => "→",
        Relation::Reaches => "→*",
        Relation::ReachesStrictly => "→+",
        Relation::Apart => "∦",
        Relation::Less => "<",
        Relation::AtMost => "≤",
        Relation::Parent => "is the parent of",
    }
}

pub fn quantified_name(y: usize) -> String {
    format!("y{}", y + 1)
}

pub fn term(point: &Point, term: Term) -> String {
    match term {
        Term::Quantified(y) => quantified_name(y),
        Term::Variable(v) => point.variables[v].name.clone(),
        Term::Nil => "nil".to_owned(),
        Term::Zero => "0".to_owned(),
        Term::Size(structure) => size(point, structure),
        Term::Linear(linear) => linear.text(|t| part(self::term(point, t))),
    }
}

/// The number of elements of a group of arrays.
pub fn size(point: &Point, structure: usize) -> String {
    match &point.structures[structure] {
        Structure::Array(array) => match array.size {
            ArraySize::Variable(v) => point.variables[v].name.clone(),
            ArraySize::Constant(n) => n.to_string(),
        },
        Structure::List(_) => "?".to_owned(),
    }
}

pub fn comparison(point: &Point, c: &Comparison) -> String {
    match c.orders.symbol() {
        Some(symbol) => format!(
            "{} {symbol} {}",
            data_term(point, c.left),
            data_term(point, c.right)
        ),
        None if c.orders.0 == 0 => "false".to_owned(),
        None => "true".to_owned(),
    }
}

pub fn data_term(point: &Point, data: DataTerm) -> String {
    match data {
        DataTerm::Constant(value) => value.to_string(),
        DataTerm::Variable(v) => point.variables[v].name.clone(),
        DataTerm::Sum(sum) => sum.text(|v| part(point.variables[v].name.clone())),
        DataTerm::Linear(linear) => linear.text(|t| part(term(point, t))),
        DataTerm::At {
            structure,
            cell,
            field,
        } => {
            let name = term(point, cell);
            match &point.structures[structure] {
                Structure::Array(array) => {
                    let field = &array.fields[field];
                    field.element(&field.name, &name)
                }
                Structure::List(list) => {
                    let field = &list.fields[field].name;
                    if name.starts_with('*') {
                        format!("({name})->{field}")
                    } else {
                        format!("{name}->{field}")
                    }
                }
            }
        }
    }
}
