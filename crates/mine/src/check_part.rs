//! What checking a part of a trace found, and how parts are put together.

use crate::check::CheckedScenarios;
use crate::lives::LifeCheck;
use crate::source::Summary;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What was found in a trace, or in some bytes of it. Lines are counted from where it begins.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CheckPart {
    pub trace: String,
    /// Where it begins and ends, and how long the trace is; all of it if there is none.
    pub range: Option<[u64; 3]>,
    pub summary: Summary,
    pub checked: CheckedScenarios,
    pub lives: LifeCheck,
    /// Where in the source the calls of some lines are.
    pub places: BTreeMap<u64, String>,
}

/// Why parts do not make up whole traces.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum JoinError {
    #[error("bytes {start}..{end} of `{trace}` are in no part")]
    Missing { trace: String, start: u64, end: u64 },
    #[error("bytes {start}..{end} of `{trace}` are in two parts")]
    Twice { trace: String, start: u64, end: u64 },
}

impl CheckPart {
    /// Adds what was found in the part that follows.
    pub fn append(&mut self, next: Self) {
        let lines = self.summary.lines;
        self.checked.append(next.checked, lines);
        self.lives.append(next.lives, lines);
        self.summary.append(next.summary);
        let places = next.places.into_iter();
        self.places
            .extend(places.map(|(line, place)| (line.saturating_add(lines), place)));
    }

    fn start(&self) -> u64 {
        self.range.map_or(0, |[start, ..]| start)
    }

    fn end(&self) -> u64 {
        self.range.map_or(u64::MAX, |[_, end, _]| end)
    }
}

/// Parts in any order as whole traces, in the order of their names.
pub fn join_parts(mut parts: Vec<CheckPart>) -> Result<Vec<CheckPart>, JoinError> {
    parts.sort_by(|a, b| (&a.trace, a.start(), a.end()).cmp(&(&b.trace, b.start(), b.end())));
    let mut whole: Vec<CheckPart> = Vec::new();
    // Where the last one ends, and how long its trace is.
    let (mut at, mut length) = (0, 0);
    let check_end = |whole: &[CheckPart], at: u64, length: u64| match whole.last() {
        Some(last) if at < length => Err(JoinError::Missing {
            trace: last.trace.clone(),
            start: at,
            end: length,
        }),
        _ => Ok(()),
    };
    for part in parts {
        let is_same = whole.last().is_some_and(|last| last.trace == part.trace);
        if !is_same {
            check_end(&whole, at, length)?;
            at = 0;
        }
        let (trace, start, end) = (part.trace.clone(), part.start(), part.end());
        if start > at {
            return Err(JoinError::Missing {
                trace,
                start: at,
                end: start,
            });
        }
        if is_same && start < at {
            let end = end.min(at);
            return Err(JoinError::Twice { trace, start, end });
        }
        at = end;
        length = part.range.map_or(0, |[_, _, length]| length);
        match whole.last_mut() {
            Some(last) if is_same => last.append(part),
            _ => whole.push(part),
        }
    }
    check_end(&whole, at, length)?;
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use super::{CheckPart, JoinError, join_parts};

    fn part(trace: &str, range: Option<[u64; 3]>, runs: u64) -> CheckPart {
        let mut part = CheckPart {
            trace: trace.to_owned(),
            range,
            ..CheckPart::default()
        };
        part.summary.runs = runs;
        part.summary.lines = 10;
        part.places.insert(runs, format!("{trace}:{runs}"));
        part
    }

    #[test]
    fn parts_are_put_in_order_and_none_may_lack() {
        let parts = vec![
            part("b", Some([5, 9, 9]), 1),
            part("a", None, 2),
            part("b", Some([0, 5, 9]), 3),
        ];
        let whole = join_parts(parts.clone()).expect("all are there");
        let names: Vec<(&str, u64)> =
            (whole.iter().map(|w| (w.trace.as_str(), w.summary.runs))).collect();
        assert_eq!(names, [("a", 2), ("b", 4)]);
        let lines: Vec<u64> = whole[1].places.keys().copied().collect();
        assert_eq!(lines, [3, 11]);
        let missing = |trace: &str, start, end| {
            let trace = trace.to_owned();
            Err(JoinError::Missing { trace, start, end })
        };
        assert_eq!(join_parts(parts[..2].to_vec()), missing("b", 0, 5));
        assert_eq!(join_parts(parts[1..].to_vec()), missing("b", 5, 9));
        for twice in 0..3 {
            let mut more = parts.clone();
            more.push(parts[twice].clone());
            assert!(
                matches!(join_parts(more), Err(JoinError::Twice { .. })),
                "{twice}"
            );
        }
    }
}
