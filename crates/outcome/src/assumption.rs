//! What a promise rests on.

use idiolect_base::{Bug, StopReason};
use serde::Serialize;

/// Why an assumption is one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AssumptionKind {
    /// Runs that exist were not looked at because a size was limited.
    Bound,
    /// C that we do not model is reachable.
    Unmodelled,
    /// A function without a body was called.
    MissingBody,
    /// A precondition that the entry function relies on.
    Contract,
    /// C or the platform leaves it open, and we chose.
    Convention,
}

impl AssumptionKind {
    /// In the order in which they are shown: what forbids a proof comes first.
    pub const ALL: [Self; 5] = [
        Self::Bound,
        Self::Unmodelled,
        Self::MissingBody,
        Self::Contract,
        Self::Convention,
    ];

    /// The word in JSON and text.
    pub fn word(self) -> &'static str {
        match self {
            Self::Bound => "bound",
            Self::Unmodelled => "unmodelled",
            Self::MissingBody => "missing-body",
            Self::Contract => "contract",
            Self::Convention => "convention",
        }
    }

    /// Whether nothing is proved of a program while this is assumed.
    pub fn forbids_proof(self) -> bool {
        matches!(self, Self::Bound | Self::Unmodelled)
    }
}

/// One thing that a promise rests on, ready to be shown.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Assumption {
    pub kind: AssumptionKind,
    pub text: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    /// The switch that drops or changes it.
    pub option: Option<String>,
}

impl Assumption {
    /// An assumption without a place and an option.
    pub fn new(kind: AssumptionKind, text: impl Into<String>) -> Self {
        Self {
            kind,
            text: text.into(),
            file: None,
            line: None,
            option: None,
        }
    }

    /// The same, made at this line.
    #[must_use]
    pub fn at(mut self, file: impl Into<String>, line: u32) -> Self {
        self.file = Some(file.into());
        self.line = Some(line);
        self
    }

    /// The same with the option that changes it.
    #[must_use]
    pub fn with_option(mut self, option: impl Into<String>) -> Self {
        self.option = Some(option.into());
        self
    }

    /// One line for people: `bound: at most 3 arguments of main (--max-argc), at a.c:3`.
    pub fn line_text(&self) -> String {
        let mut text = format!("{}: {}", self.kind.word(), self.text);
        if let (Some(file), Some(line)) = (&self.file, self.line) {
            text.push_str(&format!(", at {file}:{line}"));
        }
        if let Some(option) = &self.option {
            text.push_str(&format!(" [{option}]"));
        }
        text
    }
}

/// Everything that an answer rests on, each thing once.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Ledger {
    entries: Vec<Assumption>,
    /// What went wrong on our side, if that is why there is no answer.
    #[serde(skip)]
    bug: Option<Bug>,
}

impl From<Assumption> for Ledger {
    fn from(assumption: Assumption) -> Self {
        let mut ledger = Self::default();
        ledger.add(assumption);
        ledger
    }
}

impl Ledger {
    /// Writes it down, unless it is there already.
    pub fn add(&mut self, assumption: Assumption) {
        if let Err(at) = self.entries.binary_search(&assumption) {
            self.entries.insert(at, assumption);
        }
    }

    /// Writes all of them down.
    pub fn extend(&mut self, assumptions: impl IntoIterator<Item = Assumption>) {
        for assumption in assumptions {
            self.add(assumption);
        }
    }

    /// In the order of their kinds, then of their texts.
    pub fn entries(&self) -> &[Assumption] {
        &self.entries
    }

    /// Whether there is one of this kind.
    pub fn has(&self, kind: AssumptionKind) -> bool {
        self.entries.iter().any(|a| a.kind == kind)
    }

    /// Whether nothing was assumed.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The work ended early for this reason. Only a bug of ours has to be remembered.
    pub fn stopped(&mut self, reason: StopReason) {
        if let StopReason::Internal(bug) = reason {
            self.bug = Some(bug);
        }
    }

    /// A bug of ours that was noticed, if one was.
    pub fn bug(&self) -> Option<Bug> {
        self.bug
    }
}
