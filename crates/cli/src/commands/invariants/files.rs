//! The files that a user asked for.

use super::{FunctionFindings, InvariantsAnswer, show};
use crate::claim;
use crate::failure::CommandFailure;
use crate::output;
use idiolect_base::Span;
use idiolect_functional::Hint;
use idiolect_functional::acsl_contract;
use idiolect_functional::c_check;
use idiolect_functional::c_driver::{self, Called};
use idiolect_invariants::proof::{PointProof, Verdict};
use idiolect_invariants::session::{Learned, PointOutcome};
use idiolect_invariants::signature::{self, Parameter, signature};
use idiolect_quantified::acsl::{self, Annotation};
use idiolect_quantified::formula::Formula;
use idiolect_quantified::point::{Point, PointKind};
use idiolect_quantified::roles::Roles;
use serde_json::Value;

pub fn write(told: &InvariantsAnswer<'_>, value: &Value) -> Result<(), CommandFailure> {
    if let Some(path) = &told.args.acsl {
        output::write_whole(path, acsl(told).as_bytes())?;
    }
    if let Some(path) = &told.args.check {
        output::write_whole(path, check(told).as_bytes())?;
    }
    if let Some(path) = &told.args.dot {
        output::write_whole(path, dot(&value["points"][0]["automaton"]).as_bytes())?;
    }
    Ok(())
}

/// All points of which something was learned, with what is proved there.
fn learned<'t>(
    told: &'t InvariantsAnswer<'_>,
) -> Vec<(
    &'t FunctionFindings,
    &'t PointOutcome,
    &'t Learned,
    Option<&'t PointProof>,
)> {
    show::points(told)
        .filter_map(|(found, p, proof)| Some((found, p, p.learned.as_ref().ok()?, proof)))
        .collect()
}

/// The formula's conjuncts, those that are proved and the others. Who wants no proof gets them all.
fn split(
    told: &InvariantsAnswer<'_>,
    formula: &Formula,
    proof: Option<&PointProof>,
) -> (Formula, Formula) {
    let is_proved = |i: usize| {
        told.args.no_prove
            || proof.is_some_and(|p| {
                matches!(p.verdict, Verdict::Adequate | Verdict::Inductive)
                    && p.kept.get(i) == Some(&true)
            })
    };
    let (mut proved, mut open) = (Vec::new(), Vec::new());
    for (i, conjunct) in formula.conjuncts.iter().enumerate() {
        let list = if is_proved(i) { &mut proved } else { &mut open };
        list.push(conjunct.clone());
    }
    let of = |conjuncts| Formula { conjuncts };
    (of(proved), of(open))
}

/// What the answer says, and what it rests on, as a comment for the head of a file.
fn head(told: &InvariantsAnswer<'_>, what: &str) -> String {
    let conclusion = show::conclusion(told);
    format!(
        "/* {what}\n   {}\n{}*/\n",
        conclusion.text.replace("*/", "* /"),
        claim::in_comment(&conclusion.assumptions)
    )
}

/// The first file with annotations; files that were included are left as they are.
fn acsl(told: &InvariantsAnswer<'_>) -> String {
    let sources = &told.program.sources;
    let points = learned(told);
    let Some(file) = (told.args.input.files.first()).map(|f| f.display().to_string()) else {
        return String::new();
    };
    let text = sources.original_text(&file).unwrap_or_default();
    let starts: Vec<usize> = std::iter::once(0)
        .chain(text.match_indices('\n').map(|(i, _)| i + 1))
        .collect();
    let offset = |span: Span| {
        let place = sources.place(span).filter(|p| p.file == file)?;
        let line = starts.get(place.line as usize - 1)?;
        let at = (line + place.column as usize).saturating_sub(1);
        Some(at.min(text.len()))
    };
    let mut annotations = Vec::new();
    let mut contracts: Vec<(usize, Vec<String>)> = Vec::new();
    for (found, p, learned, proof) in points {
        let Some(at) = offset(p.point.span) else {
            continue;
        };
        let (proved, open) = split(told, &learned.formula, proof);
        let mut clauses = acsl::clauses(&p.point, &proved);
        clauses.extend(more_clauses(told, found, p));
        for clause in &mut clauses {
            *clause = acsl::sizes_at_entry(p.point.kind, clause);
        }
        let not_for_acsl = (show::facts(found, p).into_iter()).filter(|f| f.acsl().is_none());
        annotations.extend(not_for_acsl.map(|f| Annotation {
            at: match p.point.kind {
                PointKind::Loop => at,
                _ => text[..at].rfind('\n').map_or(0, |n| n + 1),
            },
            text: format!("/* proved, beyond ACSL: {} */", f.text()),
        }));
        for fact in show::facts(found, p) {
            let hints = fact.hints(found.program(told.program), p.point.function);
            annotations.extend(hints.iter().filter_map(|h| hint(&text, h, &offset)));
        }
        let not_proved = acsl::clauses(&p.point, &open);
        let not_proved = not_proved.iter().map(|c| format!("/* not proved: {c} */"));
        if p.point.kind == PointKind::Loop {
            let at = acsl::loop_keyword(&text, at + 1).unwrap_or(at);
            annotations.extend(not_proved.map(|text| Annotation { at, text }));
            let text = acsl::comment(&clauses);
            annotations.extend(text.map(|text| Annotation { at, text }));
            continue;
        }
        // The contract goes in front of the whole declaration, which starts its line.
        let at = text[..at].rfind('\n').map_or(0, |n| n + 1);
        annotations.extend(not_proved.map(|text| Annotation { at, text }));
        match contracts.iter_mut().find(|(known, _)| *known == at) {
            Some((_, all)) => all.extend(clauses),
            None => contracts.push((at, clauses)),
        }
    }
    for (at, mut clauses) in contracts {
        // ACSL wants them in this order.
        clauses.sort_by_key(|c| match c.split_whitespace().next() {
            Some("requires") => 0,
            Some("assigns") => 1,
            _ => 2,
        });
        let text = acsl::comment(&clauses);
        annotations.extend(text.map(|text| Annotation { at, text }));
    }
    let all = (told.found.iter()).flat_map(|f| f.outcome.points.iter().map(|p| &p.point));
    let mut definitions = acsl::definitions(all).unwrap_or_default();
    for fact in told.found.iter().flat_map(|f| &f.facts) {
        if fact.acsl().is_some()
            && let Some(definition) = fact.acsl_definition()
            && !definitions.contains(&definition)
        {
            definitions += &definition;
        }
    }
    if let (Some(text), Some(first)) = (
        (!definitions.is_empty()).then_some(definitions),
        first_function(told, &file).and_then(|line| starts.get(line as usize - 1)),
    ) {
        annotations.insert(0, Annotation { at: *first, text });
    }
    merge_same(&mut annotations);
    // What is said of strings is in the words of Frama-C's own header.
    let is_string = |a: &Annotation| a.text.contains("strlen(");
    let header = if annotations.iter().any(is_string) {
        "#include <string.h>\n"
    } else {
        ""
    };
    head(told, "Annotated by idiolect.") + header + &acsl::annotate(&text, annotations)
}

/// An assertion behind a statement, on a line of its own.
fn hint(text: &str, hint: &Hint, offset: &impl Fn(Span) -> Option<usize>) -> Option<Annotation> {
    let (first, last) = (offset(hint.first)?, offset(hint.last)?);
    // Statements of their own, and not parts of one.
    if !text.get(first..last)?.contains(';') {
        return None;
    }
    let end = last + text[last..].find(';')? + 1;
    let line = text[..last].rfind('\n').map_or(0, |n| n + 1);
    let indent = text[line..last].len() - text[line..last].trim_start().len();
    let rest = text[end..].find('\n').map_or(text.len(), |n| end + n + 1);
    let (at, indent) = if text[end..rest].trim().is_empty() {
        (rest, &text[line..line + indent])
    } else {
        (end, "")
    };
    let text = format!("{indent}/*@ assert {}; */", hint.assertion);
    Some(Annotation { at, text })
}

/// What the annotation of a point needs beside its formula: contracts, frames, variants, and what the function does.
fn more_clauses(
    told: &InvariantsAnswer<'_>,
    found: &FunctionFindings,
    p: &PointOutcome,
) -> Vec<String> {
    let (program, id) = (found.program(told.program), p.point.function);
    let mut clauses = Vec::new();
    if !found.is_harness
        && let Ok(parameters) = signature(program, &Roles::new(program), id)
    {
        match p.point.kind {
            PointKind::Entry => {
                clauses.extend(acsl_contract::requires(program, id, &parameters));
                clauses.extend(acsl_contract::assigns(program, id, &parameters));
            }
            PointKind::Loop => {
                clauses.extend(acsl_contract::bases(&p.point));
                clauses.extend(acsl_contract::of_loop(
                    program,
                    id,
                    &parameters,
                    p.point.block,
                ));
            }
            PointKind::Exit => {}
        }
    }
    let keyword = match p.point.kind {
        PointKind::Loop => "loop invariant",
        _ => "ensures",
    };
    let facts = show::facts(found, p);
    let facts: Vec<String> = (facts.iter().filter_map(|f| f.acsl()))
        .map(|text| format!("{keyword} {text};"))
        .collect();
    // Invariants come before frames and variants.
    facts.into_iter().chain(clauses).collect()
}

/// Annotations at one place become one text, in their order.
fn merge_same(annotations: &mut Vec<Annotation>) {
    annotations.sort_by_key(|a| a.at);
    let mut merged: Vec<Annotation> = Vec::new();
    for a in annotations.drain(..) {
        match merged.last_mut() {
            Some(last) if last.at == a.at => {
                last.text = format!("{}\n{}", last.text.trim_end(), a.text);
            }
            _ => merged.push(a),
        }
    }
    *annotations = merged;
}

/// The line of the first function of a file.
fn first_function(told: &InvariantsAnswer<'_>, file: &str) -> Option<u32> {
    let sources = &told.program.sources;
    (told.program.functions.iter())
        .filter_map(|f| sources.place(f.span))
        .filter(|p| p.file == file)
        .map(|p| p.line)
        .min()
}

fn check(told: &InvariantsAnswer<'_>) -> String {
    let points = learned(told);
    let mut text = head(
        told,
        "Checks of what idiolect learned: include this behind the declarations of the types.\n   \
         Each function takes the variables of a point and returns 1 if its formula holds.",
    );
    text.push('\n');
    text += &c_check::helpers(points.iter().map(|(_, p, _, _)| &p.point));
    for (found, p, learned, proof) in points {
        let (proved, open) = split(told, &learned.formula, proof);
        for conjunct in &open.conjuncts {
            let formula = idiolect_quantified::show::conjunct(&p.point, conjunct);
            text += &format!("/* not proved, not checked: {formula} */\n");
        }
        let name = check_name(told, &p.point);
        let facts = show::facts(found, p);
        for fact in &facts {
            text += &fact.c_function(&name).unwrap_or_default();
        }
        text += &c_check::function(
            &found.program(told.program).types,
            &p.point,
            &proved,
            &facts,
            &name,
        );
        text.push('\n');
    }
    text + &driver(told)
}

/// A `main` that runs the checks of entries and exits on random inputs.
fn driver(told: &InvariantsAnswer<'_>) -> String {
    let looked_at = || told.found.iter().filter(|f| !f.is_harness);
    let parameters: Vec<Vec<Parameter>> = looked_at()
        .map(|f| {
            let program = f.program(told.program);
            let inputs = signature::inputs(program, &Roles::new(program), f.outcome.function);
            inputs.unwrap_or_default()
        })
        .collect();
    let called = looked_at().zip(&parameters).map(|(found, parameters)| {
        let of = |kind: PointKind| {
            let points = found.outcome.points.iter();
            let mut points = points.filter(|p| p.point.kind == kind && p.learned.is_ok());
            points.next()
        };
        let named = |p: &PointOutcome| check_name(told, &p.point);
        Called {
            program: found.program(told.program),
            function: found.outcome.function,
            parameters,
            entry: of(PointKind::Entry).map(|p| (&p.point, named(p))),
            exit: of(PointKind::Exit).map(|p| (&p.point, named(p))),
            facts: of(PointKind::Exit).map_or_else(Vec::new, |p| show::facts(found, p)),
        }
    });
    c_driver::driver(&called.collect::<Vec<_>>())
}

/// `check_sorted_find_loop_12`.
fn check_name(told: &InvariantsAnswer<'_>, point: &Point) -> String {
    let function = &told.program.function(point.function).name;
    match point.kind {
        PointKind::Entry => format!("check_{function}_entry"),
        PointKind::Exit => format!("check_{function}_exit"),
        PointKind::Loop => {
            let place = |p: &Point| told.program.sources.place(p.span);
            let at = place(point);
            let line = at.as_ref().map_or(0, |p| p.line);
            let all = told.found.iter().flat_map(|f| &f.outcome.points);
            let is_beside = |p: &Point| {
                let is_loop = p.kind == PointKind::Loop && p.function == point.function;
                is_loop && p.span != point.span && place(p).is_some_and(|p| p.line == line)
            };
            // Two loops of one line have names of their own.
            if all.into_iter().any(|p| is_beside(&p.point)) {
                let column = at.map_or(0, |p| p.column);
                return format!("check_{function}_loop_{line}_{column}");
            }
            format!("check_{function}_loop_{line}")
        }
    }
}

/// As LearnLib and AALpy write Moore machines.
fn dot(automaton: &Value) -> String {
    let text = |v: &Value| {
        v.as_str()
            .unwrap_or_default()
            .replace('\\', "\\\\")
            .replace('"', "\\\"")
    };
    let mut dot = String::from("digraph invariant {\n__start0 [label=\"\" shape=\"none\"];\n");
    for state in automaton["states"].as_array().into_iter().flatten() {
        dot += &format!(
            "s{0} [label=\"s{0}|{1}\" shape=\"record\"];\n",
            state["id"],
            record(&text(&state["output"]))
        );
    }
    for step in automaton["transitions"].as_array().into_iter().flatten() {
        dot += &format!(
            "s{} -> s{} [label=\"{}\"];\n",
            step["from"],
            step["to"],
            text(&step["letter"])
        );
    }
    dot + "__start0 -> s0;\n}\n"
}

/// Signs that mean something in a record's label.
fn record(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if "<>{}|".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
