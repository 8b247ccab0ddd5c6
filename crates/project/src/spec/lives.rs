//! Objects that break a rule, as text and as JSON.

use idiolect_mine::{LifeBreak, LifeRule, LifeViolation, Specification};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Lines of a trace, and where in the source their calls are.
pub type Places = BTreeMap<u64, String>;

fn rule<'a>(spec: &'a Specification, violation: &LifeViolation) -> Option<&'a LifeRule> {
    spec.lives.rules.get(violation.rule)
}

fn voters(spec: &Specification) -> &'static str {
    match spec.lives.voters {
        idiolect_mine::Voters::Programs => "programs",
        idiolect_mine::Voters::Runs => "runs",
        idiolect_mine::Voters::Objects => "objects",
    }
}

/// `src/main.c:12` as a file and a line; what is no such place, such as `main+0x12`, is none.
fn source(place: Option<&String>) -> Value {
    let parts = place.and_then(|place| place.rsplit_once(':'));
    match parts.and_then(|(file, line)| Some((file, line.parse::<u64>().ok()?))) {
        Some((file, line)) => json!({ "file": file, "line": line }),
        None => Value::Null,
    }
}

pub fn violations_json(spec: &Specification, broken: &[(String, LifeViolation, Places)]) -> Value {
    let vocabulary = spec.vocabulary();
    let one = |(file, violation, places): &(String, LifeViolation, Places)| {
        let steps: Vec<&str> = (violation.life.iter())
            .map(|step| step.as_ref().map_or("…", |step| step.letter.as_str()))
            .collect();
        let lines: Vec<Value> = (violation.life.iter())
            .map(|step| json!(step.as_ref().map(|step| step.line)))
            .collect();
        let sites: Vec<Value> = (violation.life.iter())
            .map(|step| json!(step.as_ref().and_then(|step| places.get(&step.line))))
            .collect();
        let mut nearest: Vec<&str> = steps.clone();
        if violation.kind == LifeBreak::Forbidden {
            nearest.pop();
        }
        nearest.extend(violation.lacks.as_deref());
        let rule = rule(spec, violation);
        json!({
            "file": file,
            "line": violation.line,
            "at": places.get(&violation.line),
            "source": source(places.get(&violation.line)),
            "kind": violation.kind.name(),
            "seed": violation.letter,
            "object": violation.object,
            "what": violation.what,
            "rule": rule.map(|rule| rule.text(&vocabulary)),
            "support": rule.map(|rule| rule.support),
            "confidence": rule.map(|rule| rule.confidence),
            "scenario": steps,
            "scenario_lines": lines,
            "scenario_at": sites,
            "nearest": nearest,
            "missing": violation.lacks.iter().collect::<Vec<_>>(),
            "extra": match violation.kind {
                LifeBreak::Forbidden => vec![violation.letter.as_str()],
                _ => Vec::new(),
            },
        })
    };
    broken.iter().map(one).collect()
}

pub fn violation_text(
    spec: &Specification,
    file: &str,
    violation: &LifeViolation,
    places: &Places,
) -> String {
    let place = |line: u64| match places.get(&line) {
        Some(place) => format!("{place} (line {line})"),
        None => format!("line {line}"),
    };
    let mut text = match places.get(&violation.line) {
        Some(at) => format!("{at}: "),
        None => String::new(),
    };
    let _ = writeln!(
        text,
        "{file}:{}: {}: {}: {}",
        violation.line,
        violation.kind.name(),
        violation.object,
        violation.what
    );
    if let Some(rule) = rule(spec, violation) {
        let _ = writeln!(
            text,
            "  rule: {} ({:.0} % of {} {})",
            rule.text(&spec.vocabulary()),
            (rule.confidence * 100.0).floor(),
            rule.support,
            voters(spec),
        );
    }
    let last = violation.life.len().saturating_sub(1);
    for (at, step) in violation.life.iter().enumerate() {
        let is_wrong = at == last && violation.kind == LifeBreak::Forbidden;
        let mark = if is_wrong { '-' } else { ' ' };
        let _ = match step {
            Some(step) => writeln!(text, "  {mark} {} at {}", step.letter, place(step.line)),
            None => writeln!(text, "    …"),
        };
    }
    if let Some(lacks) = &violation.lacks {
        let _ = writeln!(text, "  + {lacks}");
    }
    text
}
