//! What comes out of a verification.

use crate::config::Strategy;
use crate::errors::TestCounts;
use crate::runs::Sample;
use crate::teacher::TeacherStatistics;
use idiolect_automata::Dfa;
use idiolect_base::StopReason;
use idiolect_ir::{BlockId, FuncId, Location};
use idiolect_learn::DfaLearner;
use idiolect_symex::Gap;
use idiolect_symex::bmc::FoundFault;

/// Who found an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoundBy {
    /// A word of the model that leads to an error, and a run takes it.
    Model,
    /// A sampled run.
    Sampling,
    Bmc,
}

impl FoundBy {
    pub fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Sampling => "sampling",
            Self::Bmc => "bmc",
        }
    }
}

/// How it was shown that no run has an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// Every run ends within so many unwindings, none with an error.
    Unwinding { unwind: usize },
    /// Every path was followed to its end.
    AllPaths { paths: u64 },
}

/// What is promised of a model.
#[derive(Clone, PartialEq, Debug)]
pub struct Guarantee {
    pub epsilon: f64,
    pub delta: f64,
    /// Paths of a batch.
    pub batch: usize,
    /// The equivalence question that was answered with yes.
    pub question: u32,
    /// Its batches, all of which the model accepts.
    pub batches: u64,
    pub strategy: Strategy,
    pub seed: u64,
    pub max_decisions: usize,
    pub max_steps: u64,
    pub distribution: String,
    /// A random word of the model, too, is one that no run takes with probability at most ε. Only
    /// where there was no error to look for.
    pub is_two_sided: bool,
}

/// Why there is neither an error nor a promise.
#[derive(Clone, PartialEq, Debug)]
pub enum Doubt {
    Stopped(StopReason),
    /// A run came to C that is not modelled, or to a bound, by its index in the program's assumptions.
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

#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// This run has been seen.
    Error {
        found_by: FoundBy,
        run: Box<Sample>,
    },
    Proved(Proof),
    Pac(Guarantee),
    Undecided(Doubt),
}

/// One equivalence question.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Iteration {
    pub question: u32,
    /// States of the conjecture, the rejecting one included.
    pub states: usize,
    /// q_i.
    pub batches_needed: u64,
    /// Batches that the conjecture accepted before one had a counterexample.
    pub accepted: u64,
    /// Batches of all questions so far; none had an error.
    pub batches: u64,
    /// With confidence δ, the next batch has an error with at most this probability.
    pub next_error: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    pub membership: TeacherStatistics,
    pub equivalence_questions: u64,
    /// Conjectures that were refined without an equivalence question.
    pub error_words_refuted: u64,
    pub not_prefix_closed: u64,
    pub model_words_refuted: u64,
    pub tests: TestCounts,
    /// Paths that were sampled and looked at.
    pub samples: u64,
    pub batches: u64,
    /// Runs with random inputs before.
    pub hunted: u64,
    /// Samples that were cut.
    pub cut: u64,
    /// Samples whose run had not ended when it was left.
    pub unfinished: u64,
    pub bmc_solver_calls: u64,
    /// The bound that bounded model checking has looked at last.
    pub bmc_unwind: usize,
    /// Work in statements, terms and conflicts.
    pub bmc_work: u64,
    pub learn_work: u64,
}

/// How often each outcome of a branch was seen in samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coverage {
    pub function: FuncId,
    pub block: BlockId,
    /// By outcome, 0 and 1.
    pub seen: [u64; 2],
}

#[derive(Debug)]
pub struct Outcome {
    pub verdict: Verdict,
    /// The last conjecture, if there was one.
    pub model: Option<Dfa>,
    /// Who learned it, to be saved.
    pub learner: Option<DfaLearner>,
    /// There is an assertion that control flow leads to.
    pub has_assertion: bool,
    pub iterations: Vec<Iteration>,
    pub coverage: Vec<Coverage>,
    pub statistics: Statistics,
}
