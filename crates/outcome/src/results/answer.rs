//! The parts that every outcome has.

use crate::{Assumption, Class, Conclusion, Verdict};
use serde::Serialize;

/// An outcome as JSON: what every command says, and what this one adds.
#[derive(Clone, Debug, Serialize)]
pub struct Answer<'a, N, S, T, R> {
    pub command: &'a str,
    pub version: &'a str,
    pub verdict: &'a str,
    pub guarantee: ClaimText<'a, N>,
    pub statistics: S,
    pub warnings: &'a [String],
    /// Times and memory; left out where two runs have to give the same bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timing: Option<T>,
    #[serde(flatten)]
    pub result: R,
}

/// What is promised.
#[derive(Clone, Debug, Serialize)]
pub struct ClaimText<'a, N> {
    pub kind: &'a str,
    pub text: &'a str,
    pub assumptions: &'a [Assumption],
    /// The colour of the badge.
    pub class: &'static str,
    /// What this kind of promise has beside its words.
    #[serde(flatten)]
    pub numbers: Option<N>,
}

impl<'a> ClaimText<'a, ()> {
    /// What a conclusion promises.
    pub fn of(conclusion: &'a Conclusion) -> Self {
        Self {
            kind: conclusion.kind.word(),
            text: &conclusion.text,
            assumptions: conclusion.assumptions.entries(),
            class: conclusion.class().word(),
            numbers: None,
        }
    }

    /// What is said where there is no ledger.
    pub fn plain(verdict: &str, kind: &'a str, text: &'a str) -> Self {
        Self {
            kind,
            text,
            assumptions: &[],
            class: class_word(verdict, kind),
            numbers: None,
        }
    }

    /// The same with numbers.
    pub fn with<N>(self, numbers: Option<N>) -> ClaimText<'a, N> {
        let Self {
            kind,
            text,
            assumptions,
            class,
            ..
        } = self;
        ClaimText {
            kind,
            text,
            assumptions,
            class,
            numbers,
        }
    }
}

/// How an outcome looks that is not concluded from a ledger: colours and lists go by this word.
pub fn class_word(verdict: &str, kind: &str) -> &'static str {
    let known = Verdict::ALL.into_iter().find(|v| v.word() == verdict);
    let is_finding = known.is_some_and(Verdict::is_finding) || verdict == "fault";
    let is_open = matches!(verdict, "undecided" | "none" | "limit" | "trap");
    let class = match kind {
        _ if is_finding => Class::Finding,
        "none" => Class::Nothing,
        // What is learned up to a size is a promise about that size.
        "bounded" if verdict != "learned" => Class::Nothing,
        _ if is_open => Class::Nothing,
        "pac" => Class::Bet,
        _ => Class::Promise,
    };
    class.word()
}
