//! What comes out of a verification.

use crate::config::Strategy;
use crate::errors::TestCounts;
use crate::teacher::TeacherStatistics;
use idiolect_automata::Dfa;
use idiolect_invariants::whole::KeptFormula;
use idiolect_ir::{BlockId, FuncId};
use idiolect_learn::DfaLearner;
use idiolect_prove::induction::Certificate;
use idiolect_search::{Doubt, Proof, Sample};

/// Who found an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoundBy {
    /// A word of the model that leads to an error, and a run takes it.
    Model,
    /// A sampled run.
    Sampling,
    /// A run on inputs made from those that came to something new.
    Guided,
    Bmc,
    /// A trace that trace abstraction could not refute.
    Traces,
}

impl FoundBy {
    pub fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Sampling => "sampling",
            Self::Guided => "guided",
            Self::Bmc => "bmc",
            Self::Traces => "traces",
        }
    }
}

/// What is promised of a model.
#[derive(Clone, PartialEq, Debug)]
pub struct Guarantee {
    pub epsilon: f64,
    pub delta: f64,
    /// Paths of a batch.
    pub batch: usize,
    /// The equivalence query that was answered with yes.
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

/// One equivalence query.
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
    /// Conjectures that were refined without an equivalence query.
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
    /// Traces that trace abstraction looked at, and its questions.
    pub traces: u64,
    /// Abstract states that were looked at.
    pub states: u64,
    pub trace_solver_calls: u64,
    pub induction: idiolect_prove::induction::Statistics,
}

/// An engine that was asked, in the order in which they were.
#[derive(Clone, PartialEq, Debug)]
pub struct Asked {
    pub engine: &'static str,
    pub seconds: f64,
    /// What it came to.
    pub said: String,
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
    /// A proof by induction, if that is how it was shown.
    pub certificate: Option<Certificate>,
    /// Formulas about all elements of arrays and lists, if that is how it was shown.
    pub formulas: Vec<KeptFormula>,
    /// What is promised of the model, whatever else was proved.
    pub guarantee: Option<Guarantee>,
    /// The last conjecture, if there was one.
    pub model: Option<Dfa>,
    /// Who learned it, to be saved.
    pub learner: Option<DfaLearner>,
    /// There is an assertion that control flow leads to.
    pub has_assertion: bool,
    pub iterations: Vec<Iteration>,
    pub asked: Vec<Asked>,
    pub coverage: Vec<Coverage>,
    pub statistics: Statistics,
}
