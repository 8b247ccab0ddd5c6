//! Formulas as C functions that check them at run time.
//!
//! Each point gets a function that takes the variables of the point and returns 1 if its formula
//! holds of them and 0 otherwise. The text is to be included behind the declarations of the types.

use crate::FunctionalFact;
use idiolect_ir::Types;
use idiolect_quantified::c_terms::{self, Dialect};
use idiolect_quantified::formula::{Conjunct, ForAll, Formula, Relation, Term};
use idiolect_quantified::point::{Binding, Point, Structure, Variable};
use idiolect_quantified::show;
use std::fmt::Write as _;

const CHECK: Dialect = Dialect {
    truth: "1",
    falsity: "0",
    null: "0",
    name: c_name,
    reaches: |list| format!("idiolect_reaches_{}", c_terms::tag(&list.type_name)),
    apart: |list, left, right| {
        let tag = c_terms::tag(&list.type_name);
        format!("idiolect_apart_{tag}({left}, {right})")
    },
};

/// What the functions of these points share; to be written once, before them.
pub fn helpers<'p>(points: impl IntoIterator<Item = &'p Point>) -> String {
    let mut done: Vec<&str> = Vec::new();
    let mut text = "/* The formula that the last check found broken. */\n\
                    static const char *idiolect_broken;\n\n"
        .to_owned();
    for structure in points.into_iter().flat_map(|p| &p.structures) {
        let Structure::List(list) = structure else {
            continue;
        };
        if done.contains(&list.type_name.as_str()) {
            continue;
        }
        done.push(&list.type_name);
        let (suffix, ty, next) = (c_terms::tag(&list.type_name), &list.type_name, &list.next);
        let _ = write!(
            text,
            "/* Whether `b` can be reached from `a`. */\n\
             static int idiolect_reaches_{suffix}({ty} *a, {ty} *b)\n{{\n    \
                 while (a != 0 && a != b)\n        a = a->{next};\n    return a == b;\n}}\n\n\
             /* Whether two lists have no cell in common. */\n\
             static int idiolect_apart_{suffix}({ty} *a, {ty} *b)\n{{\n    \
                 for (; a != 0; a = a->{next})\n        \
                     if (idiolect_reaches_{suffix}(b, a))\n            return 0;\n    \
                 return 1;\n}}\n\n"
        );
    }
    text
}

/// The function that checks a formula.
pub fn function(
    types: &Types,
    point: &Point,
    formula: &Formula,
    facts: &[&FunctionalFact],
    name: &str,
) -> String {
    let mut parameters: Vec<String> = (point.variables.iter())
        .map(|v| {
            let ty = match types.get(v.ty) {
                idiolect_ir::CType::Array { element, .. } => {
                    return types.declaration(*element, &format!("*{}", c_name(v)));
                }
                _ => v.ty,
            };
            types.declaration(ty, &c_name(v))
        })
        .collect();
    if parameters.is_empty() {
        parameters.push("void".to_owned());
    }
    let mut text = format!("static int {name}({})\n{{\n", parameters.join(", "));
    for v in &point.variables {
        let _ = writeln!(text, "    (void)({});", c_name(v));
    }
    for conjunct in &formula.conjuncts {
        let _ = writeln!(text, "    {}", said(&show::conjunct(point, conjunct)));
        match conjunct {
            Conjunct::OneOf(parts) => {
                let one = |a| format!("({})", CHECK.arrangement(point, a));
                let parts: Vec<String> = parts.iter().map(one).collect();
                let condition = if parts.is_empty() {
                    "0".to_owned()
                } else {
                    parts.join(" || ")
                };
                let _ = writeln!(text, "    if (!({condition}))\n        return 0;");
            }
            Conjunct::ForAll(all) => for_all(point, all, &mut text),
        }
    }
    for fact in facts {
        if let Some(check) = fact.c_check() {
            let _ = write!(text, "    {}\n{check}", said(&fact.text()));
        }
    }
    text += "    idiolect_broken = 0;\n    return 1;\n}\n";
    text
}

/// Keeps what is checked next.
fn said(text: &str) -> String {
    format!("idiolect_broken = {text:?};")
}

/// The name of a variable as a parameter of the function.
pub fn c_name(v: &Variable) -> String {
    match v.binding {
        Binding::Result => "result".to_owned(),
        Binding::Behind(_) | Binding::BehindEntry(_) => {
            let mut name = v.name.trim_start_matches('*');
            let at = name.strip_prefix("\\at(").and_then(|n| n.split_once(','));
            if let Some((inner, _)) = at {
                name = inner.trim();
            }
            match v.binding {
                Binding::Behind(_) => format!("behind_{name}"),
                _ => format!("behind_{name}_at_entry"),
            }
        }
        _ => identifier(&v.name),
    }
}

/// A name as an identifier of C: `n_at_entry` for `\at(n, Pre)`, `n_plus_m` for a number that is no parameter of C.
pub fn identifier(name: &str) -> String {
    let mut parts = name.split("\\at(");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out += &part.replacen(", Pre)", "_at_entry", 1);
    }
    out.trim_start_matches('\\')
        .replace(" + ", "_plus_")
        .replace(" - ", "_minus_")
        .replace("->", "_")
        .replace('(', "_of_")
        .replace(')', "")
}

fn for_all(point: &Point, all: &ForAll, text: &mut String) {
    let mut indent = 1;
    let pad = |n: usize| "    ".repeat(n);
    for (y, &structure) in all.over.iter().enumerate() {
        let name = show::quantified_name(y);
        match &point.structures[structure] {
            Structure::Array(_) => {
                let size = CHECK.term(point, Term::Size(structure));
                let _ = writeln!(
                    text,
                    "{}for (long {name} = 0; {name} < {size}; {name}++)",
                    pad(indent)
                );
            }
            Structure::List(list) => {
                // From what reaches it: a variable of the program, or an earlier cell.
                let start = all.guard.iter().find_map(|c| {
                    let leads = matches!(
                        c.relation,
                        Relation::Reaches | Relation::ReachesStrictly | Relation::Next
                    );
                    let known = match c.left {
                        Term::Quantified(z) => z < y,
                        Term::Variable(_) => true,
                        _ => false,
                    };
                    (leads && known && c.right == Term::Quantified(y))
                        .then(|| CHECK.term(point, c.left))
                });
                let start = start.unwrap_or_else(|| "0".to_owned());
                let _ = writeln!(
                    text,
                    "{}for ({} *{name} = {start}; {name} != 0; {name} = {name}->{})",
                    pad(indent),
                    list.type_name,
                    list.next
                );
            }
        }
        indent += 1;
    }
    let guard: Vec<String> = (all.guard.iter())
        .map(|&c| CHECK.constraint(point, &all.over, c))
        .collect();
    let conclusion = CHECK.conclusion(point, &all.conclusion);
    let condition = if guard.is_empty() {
        format!("!({conclusion})")
    } else {
        format!("{} && !({conclusion})", guard.join(" && "))
    };
    let _ = writeln!(
        text,
        "{}if ({condition})\n{}return 0;",
        pad(indent),
        pad(indent + 1)
    );
}
