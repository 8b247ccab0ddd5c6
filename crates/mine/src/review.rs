//! The expert's loop: one trace after the other is checked against what was mined so far, and a
//! person decides about those that do not fit.
//!
//! Section 6 of *Mining Specifications* (Ammons, Bodík, Larus; POPL 2002). The first trace is mined
//! and looked at. Each further one is verified: if it satisfies the specification, it joins the
//! training set at once. If not, its failing seeds are shown, and either the specification was too
//! narrow, so the trace joins and generalizes it, or there is a bug and the trace stays out.

use crate::Api;
use crate::check::{CheckConfig, Checker, ScenarioViolation};
use crate::counts::CountedScenarios;
use crate::extract::Extractor;
use crate::mining::{Mined, MiningConfig, mine};
use crate::specification::MinedSpecification;
use crate::vocabulary::{ApiVocabulary, Interaction};
use serde::{Deserialize, Serialize};

/// What the expert says about a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReviewDecision {
    /// The trace is correct; it joins the training set.
    Accept,
    /// It stays out, for this reason.
    Reject { reason: String },
    /// No further traces.
    Stop,
}

/// What the expert is asked about.
#[derive(Debug)]
pub enum Question<'a> {
    /// Is this specification, mined from the first trace alone, free of obvious mistakes?
    First { mined: &'a Mined },
    /// Are these seeds bugs?
    Failing {
        violations: &'a [ScenarioViolation],
        specification: &'a MinedSpecification,
    },
}

/// A line of the log, as in Table 2 of the paper.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReviewEntry {
    pub name: String,
    /// `None` for the first trace.
    pub verifies: Option<bool>,
    /// The lines of failing seeds.
    pub failing: Vec<u64>,
    pub accepted: bool,
    pub reason: String,
}

/// What came of the loop.
#[derive(Debug)]
pub struct Reviewed {
    pub log: Vec<ReviewEntry>,
    pub counts: CountedScenarios,
    /// The last specification; `None` if no trace was accepted.
    pub specification: Option<MinedSpecification>,
}

impl Reviewed {
    /// Traces that nobody had to look at.
    pub fn not_inspected(&self) -> usize {
        let verified = self.log.iter().filter(|entry| entry.verifies == Some(true));
        verified.count()
    }

    /// The log, a JSON object a line.
    pub fn write_log(&self) -> String {
        let lines = self.log.iter().map(|entry| {
            // Only maps with odd keys make this an error.
            serde_json::to_string(entry).unwrap_or_default() + "\n"
        });
        lines.collect()
    }
}

/// The settings of the loop.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ReviewConfig {
    pub size: usize,
    pub mining: MiningConfig,
    pub check: CheckConfig,
}

/// Goes through named traces, each a list of runs. `decide` is asked about the first trace and about
/// those that do not verify.
pub fn review(
    api: &Api,
    vocabulary: &ApiVocabulary,
    config: &ReviewConfig,
    traces: impl IntoIterator<Item = (String, Vec<Vec<Interaction>>)>,
    mut decide: impl FnMut(&str, &Question<'_>) -> ReviewDecision,
) -> Reviewed {
    let mut reviewed = Reviewed {
        log: Vec::new(),
        counts: CountedScenarios::new(vocabulary),
        specification: None,
    };
    for (name, runs) in traces {
        let mut counts = CountedScenarios::new(vocabulary);
        let mut extractor = Extractor::new(vocabulary, config.size);
        for run in &runs {
            for interaction in run {
                extractor.add(interaction.clone(), &mut counts);
            }
            extractor.end_run(&mut counts);
        }
        let mut violations = Vec::new();
        let (verifies, decision) = match &reviewed.specification {
            None => {
                let mined = mine(vocabulary, &mut counts.clone(), &config.mining);
                (None, decide(&name, &Question::First { mined: &mined }))
            }
            Some(specification) => {
                let mut checker = Checker::new(specification, config.check);
                for run in runs {
                    violations.extend(checker.check(run).violations);
                }
                let verifies = violations.is_empty();
                let question = Question::Failing {
                    violations: &violations,
                    specification,
                };
                let decision = if verifies {
                    ReviewDecision::Accept
                } else {
                    decide(&name, &question)
                };
                (Some(verifies), decision)
            }
        };
        let (accepted, reason) = match decision {
            ReviewDecision::Accept if verifies == Some(false) => (true, "too narrow".to_owned()),
            ReviewDecision::Accept => (true, String::new()),
            ReviewDecision::Reject { reason } => (false, reason),
            ReviewDecision::Stop => break,
        };
        if accepted {
            reviewed.counts.merge(counts, vocabulary);
            let mined = mine(vocabulary, &mut reviewed.counts, &config.mining);
            let cut = config.mining.cut;
            let specification = MinedSpecification::new(api, vocabulary, &mined, config.size, cut);
            reviewed.specification = Some(specification);
        }
        reviewed.log.push(ReviewEntry {
            name,
            verifies,
            failing: violations.iter().map(|v| v.line).collect(),
            accepted,
            reason,
        });
    }
    reviewed
}

#[cfg(test)]
mod tests {
    use super::{Question, ReviewConfig, ReviewDecision, review};
    use crate::api::Api;
    use crate::check::CheckConfig;
    use crate::mining::{MiningConfig, PassiveLearner};
    use crate::testing::{runs, vocabulary};

    #[test]
    fn the_loop_of_section_6() {
        let api = Api::shipped("stdio").expect("it is shipped");
        let vocabulary = vocabulary(&api, "fopen(return)");
        let line = |calls: &str| -> String {
            let line = |call: &str| match call {
                "fopen" => "fopen(return = 0x10)\n".to_owned(),
                other => format!("{other}(stream = 0x10)\n"),
            };
            calls.split(' ').map(line).collect()
        };
        let traces = [
            ("first", "fopen fgets fclose"),
            ("writer", "fopen fputs fclose"),
            ("same", "fopen fgets fclose"),
            ("leaks", "fopen fgets"),
            ("again", "fopen fputs fclose"),
        ];
        let traces = traces.map(|(name, calls)| (name.to_owned(), runs(&vocabulary, &line(calls))));
        let config = ReviewConfig {
            size: 10,
            mining: MiningConfig {
                learner: PassiveLearner::KTails { k: 3 },
                cut: 0.0,
                ..MiningConfig::default()
            },
            check: CheckConfig::default(),
        };
        let mut asked = Vec::new();
        let reviewed = review(&api, &vocabulary, &config, traces, |name, question| {
            asked.push(name.to_owned());
            match question {
                Question::First { mined } => {
                    assert_eq!(mined.strings.total(), 1);
                    ReviewDecision::Accept
                }
                Question::Failing { violations, .. } if name == "leaks" => {
                    assert_eq!(violations.len(), 1);
                    let reason = "bug".to_owned();
                    ReviewDecision::Reject { reason }
                }
                Question::Failing { .. } => ReviewDecision::Accept,
            }
        });
        assert_eq!(asked, ["first", "writer", "leaks"]);
        assert_eq!(reviewed.not_inspected(), 2);
        let log: Vec<(Option<bool>, bool, &str)> = (reviewed.log.iter())
            .map(|e| (e.verifies, e.accepted, e.reason.as_str()))
            .collect();
        let expected = [
            (None, true, ""),
            (Some(false), true, "too narrow"),
            (Some(true), true, ""),
            (Some(false), false, "bug"),
            (Some(true), true, ""),
        ];
        assert_eq!(log, expected);
        assert_eq!(reviewed.counts.total(), 4);
        assert_eq!(reviewed.write_log().lines().count(), 5);
    }
}
