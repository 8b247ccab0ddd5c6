//! Objects that break a rule, as text and as JSON.

use idiolect_mine::{LifeBreak, LifeRule, LifeStep, LifeViolation, MinedSpecification};
use idiolect_outcome::results::{BrokenLife, CallLine};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Lines of a trace, and where in the source their calls are.
pub type CallPlaces = BTreeMap<u64, String>;

fn rule<'a>(spec: &'a MinedSpecification, violation: &LifeViolation) -> Option<&'a LifeRule> {
    spec.lives.rules.get(violation.rule)
}

fn voters(spec: &MinedSpecification) -> &'static str {
    match spec.lives.voters {
        idiolect_mine::Voters::Programs => "programs",
        idiolect_mine::Voters::Runs => "runs",
        idiolect_mine::Voters::Objects => "objects",
    }
}

/// `src/main.c:12` as a file and a line; what is no such place, such as `main+0x12`, is none.
fn source(place: Option<&String>) -> Option<CallLine> {
    let (file, line) = place?.rsplit_once(':')?;
    Some(CallLine {
        file: file.to_owned(),
        line: line.parse().ok()?,
    })
}

/// Objects that break a rule, with the file and the places of their calls.
pub fn broken_lives(
    spec: &MinedSpecification,
    broken: &[(String, LifeViolation, CallPlaces)],
) -> Vec<BrokenLife> {
    let vocabulary = spec.vocabulary();
    let one = |(file, violation, places): &(String, LifeViolation, CallPlaces)| {
        let scenario: Vec<String> = (violation.life.iter())
            .map(|step| (step.as_ref()).map_or("…".to_owned(), |step| step.letter.clone()))
            .collect();
        let at = |step: &LifeStep| places.get(&step.line).cloned();
        let is_forbidden = violation.kind == LifeBreak::Forbidden;
        let mut nearest = scenario.clone();
        if is_forbidden {
            nearest.pop();
        }
        nearest.extend(violation.lacks.clone());
        let rule = rule(spec, violation);
        BrokenLife {
            file: file.clone(),
            line: violation.line,
            at: places.get(&violation.line).cloned(),
            source: source(places.get(&violation.line)),
            kind: violation.kind.name(),
            seed: violation.letter.clone(),
            object: violation.object.clone(),
            what: violation.what.clone(),
            rule: rule.map(|rule| rule.text(&vocabulary)),
            support: rule.map(|rule| rule.support),
            confidence: rule.map(|rule| rule.confidence),
            scenario,
            scenario_lines: (violation.life.iter())
                .map(|step| step.as_ref().map(|step| step.line))
                .collect(),
            scenario_at: (violation.life.iter())
                .map(|step| step.as_ref().and_then(at))
                .collect(),
            nearest,
            missing: violation.lacks.iter().cloned().collect(),
            extra: (is_forbidden.then(|| violation.letter.clone()))
                .into_iter()
                .collect(),
        }
    };
    broken.iter().map(one).collect()
}

/// A broken rule in words.
pub fn violation_text(
    spec: &MinedSpecification,
    file: &str,
    violation: &LifeViolation,
    places: &CallPlaces,
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
