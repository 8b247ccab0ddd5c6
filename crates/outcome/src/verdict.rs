//! The words of all verdicts and guarantees.

use serde::Serialize;

/// What a command says, in one word of the contract.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// `verify`: a failing run is shown.
    Error,
    Proved,
    Pac,
    /// Any command: nothing is promised.
    Undecided,
    /// `explain`: the language of failing runs.
    ErrorLanguage,
    /// `explain`, `localize`, `repair`: no run fails.
    NoError,
    ProgramLanguage,
    /// `explain --word`: some run has the word, or none has.
    Member,
    NotMember,
    Different,
    Same,
    /// `localize`: assignments that matter for a failing run.
    Relevant,
    NoSimpleFix,
    /// `repair`
    Repaired,
    /// `invariants`, `learn`: something was learned.
    Learned,
    /// `invariants`, `repair`: there is nothing.
    None,
    Mined,
    Satisfies,
    Violates,
    /// `trace`: calls were written down.
    Recorded,
    /// `doctor`: everything that it needs is there, or every file of a project can be read.
    Ready,
    Readable,
    PartlyReadable,
}

impl Verdict {
    pub const ALL: [Self; 23] = [
        Self::Error,
        Self::Proved,
        Self::Pac,
        Self::Undecided,
        Self::ErrorLanguage,
        Self::NoError,
        Self::ProgramLanguage,
        Self::Member,
        Self::NotMember,
        Self::Different,
        Self::Same,
        Self::Relevant,
        Self::NoSimpleFix,
        Self::Repaired,
        Self::Learned,
        Self::None,
        Self::Mined,
        Self::Satisfies,
        Self::Violates,
        Self::Recorded,
        Self::Ready,
        Self::Readable,
        Self::PartlyReadable,
    ];

    /// The word in JSON and text.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Proved => "proved",
            Self::Pac => "pac",
            Self::Undecided => "undecided",
            Self::ErrorLanguage => "error-language",
            Self::NoError => "no-error",
            Self::ProgramLanguage => "program-language",
            Self::Member => "member",
            Self::NotMember => "not-member",
            Self::Different => "different",
            Self::Same => "same",
            Self::Relevant => "relevant",
            Self::NoSimpleFix => "no-simple-fix",
            Self::Repaired => "repaired",
            Self::Learned => "learned",
            Self::None => "none",
            Self::Mined => "mined",
            Self::Satisfies => "satisfies",
            Self::Violates => "violates",
            Self::Recorded => "recorded",
            Self::Ready => "ready",
            Self::Readable => "readable",
            Self::PartlyReadable => "partly-readable",
        }
    }

    /// Whether something is shown that a person has to look at: a run, a difference, a violation.
    pub fn is_finding(self) -> bool {
        matches!(
            self,
            Self::Error
                | Self::ErrorLanguage
                | Self::Member
                | Self::Different
                | Self::Relevant
                | Self::NoSimpleFix
                | Self::Repaired
                | Self::Violates
        )
    }

    /// Whether it says that something is not known, whatever was looked at.
    pub fn promises_nothing(self) -> bool {
        matches!(self, Self::Undecided | Self::None | Self::PartlyReadable)
    }

    /// Whether it is claimed of all runs that none fails.
    pub fn is_about_all_runs(self) -> bool {
        matches!(self, Self::Proved | Self::NoError)
    }
}

/// In which sense a verdict is meant. Later ones promise more.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GuaranteeKind {
    /// Nothing is promised.
    None,
    /// Only runs up to a bound were looked at.
    Bounded,
    /// What is shown happened; nothing is said about anything else.
    Replayed,
    /// It happened, in this order.
    Recorded,
    /// It agrees with everything that was seen.
    Learned,
    /// Everything that was given was looked at; nothing is said about anything else.
    Checked,
    /// A bet with numbers: no proof.
    Pac,
    /// The words of runs are right; words without a run may be accepted.
    Paper,
    /// Exact within the printed bounds.
    Exact,
    /// Of all runs.
    Proved,
}

impl GuaranteeKind {
    pub const ALL: [Self; 10] = [
        Self::None,
        Self::Bounded,
        Self::Replayed,
        Self::Recorded,
        Self::Learned,
        Self::Checked,
        Self::Pac,
        Self::Paper,
        Self::Exact,
        Self::Proved,
    ];

    /// The word in JSON and text.
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Bounded => "bounded",
            Self::Replayed => "replayed",
            Self::Recorded => "recorded",
            Self::Learned => "learned",
            Self::Checked => "checked",
            Self::Pac => "pac",
            Self::Paper => "paper",
            Self::Exact => "exact",
            Self::Proved => "proved",
        }
    }
}
