//! How it was shown that no run fails, and why that could not be shown.

use crate::runs::Sample;
use idiolect_base::StopReason;
use idiolect_ir::Location;
use idiolect_symex::Gap;
use idiolect_symex::bmc::FoundFault;

/// How it was shown that no run has an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// Every run ends within so many unwindings, none with an error.
    Unwinding { unwind: usize },
    /// Every path was followed to its end.
    AllPaths { paths: u64 },
    /// The program takes no input, and its one run ends without an error.
    OnlyRun { steps: u64 },
    /// No error trace is feasible: so many were refuted, and all others for the same reasons.
    Traces { traces: u64 },
    /// All abstract states were looked at: so many, and none is at an error.
    States { states: u64 },
    /// So many invariants and contracts are inductive and leave no room for an error.
    Induction { facts: u64 },
    /// So many formulas about all elements of arrays and lists are inductive and leave no room for an error.
    Formulas { formulas: u64 },
}

impl Proof {
    /// How it was shown, in a word.
    pub fn method(self) -> &'static str {
        match self {
            Self::Unwinding { .. } => "unwound",
            Self::AllPaths { .. } => "all-paths",
            Self::OnlyRun { .. } => "only-run",
            Self::Traces { .. } => "trace-abstraction",
            Self::States { .. } => "abstract-states",
            Self::Induction { .. } => "induction",
            Self::Formulas { .. } => "invariants",
        }
    }

    /// Whether it also shows that every run ends.
    pub fn shows_ends(self) -> bool {
        matches!(
            self,
            Self::Unwinding { .. } | Self::AllPaths { .. } | Self::OnlyRun { .. }
        )
    }
}

/// Why there is neither an error nor a promise.
#[derive(Clone, PartialEq, Debug)]
pub enum Doubt {
    Stopped(StopReason),
    /// A run came to C that is not modelled, or to a bound, by its index in the program's
    /// assumptions.
    Trap {
        index: u32,
    },
    /// What was not modelled or looked at, as the symbolic engine says it.
    Unmodelled {
        gap: Gap,
        place: Location,
    },
    /// Runs use a pointer that names no object.
    UnknownPointer {
        place: Location,
    },
    /// A run ends with a fault that no property asked for, and may go on in reality.
    Fault(Box<Sample>),
    /// The same, seen by bounded model checking.
    FoundFault(FoundFault),
    /// A word leads to an error and is feasible, but its run does not show the error.
    Unconfirmed,
    /// The symbolic engine could not say within its limit whether this path leads to an error.
    HardPath {
        decisions: Vec<bool>,
    },
    /// A run took these decisions, which the symbolic engine had said no run takes, or had given up.
    Contradiction {
        decisions: Vec<bool>,
    },
    /// Two engines disagree about an error: our bug.
    Disagreement {
        inputs: Vec<u128>,
    },
    /// Assumptions stand before errors in too many ways.
    Assumptions,
    /// The model has a guarantee, but bounded model checking was not asked.
    NoModelChecking,
    /// Every sampled run was cut, so nobody knows what lies behind the cut.
    NoRunEnded,
}
