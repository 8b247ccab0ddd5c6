//! What a verification is asked to do.

use idiolect_ir::Property;
use idiolect_learn::LearnerKind;
use idiolect_search::monitor::Monitor;
use idiolect_symex::bmc::Unwinding;

/// How the next path of a batch is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Strategy {
    /// A decision of the latest path, chosen at random, is turned round (RBS).
    RandomBranch,
    /// The decision behind which a branch that the batch has not seen is nearest, at random among
    /// equals (CDS).
    ControlFlow,
    /// The deepest decision that was not turned round yet.
    DepthFirst,
    /// No solver: every path has new random inputs.
    RandomInput,
}

impl Strategy {
    pub const ALL: [Strategy; 4] = [
        Strategy::RandomBranch,
        Strategy::ControlFlow,
        Strategy::DepthFirst,
        Strategy::RandomInput,
    ];

    /// The name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::RandomBranch => "rbs",
            Self::ControlFlow => "cds",
            Self::DepthFirst => "dfs",
            Self::RandomInput => "random-input",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == name)
    }
}

/// Who looks for errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// The learned model and bounded model checking, in turns.
    Both,
    /// The learned model alone.
    Learn,
}

/// The parameters of one verification.
#[derive(Clone, Debug)]
pub struct Config {
    pub properties: Vec<Property>,
    pub engine: Engine,
    /// The error parameter ε.
    pub epsilon: f64,
    /// The confidence δ, near 1 as in the paper.
    pub delta: f64,
    /// The paths of a batch, k.
    pub batch: usize,
    pub learner: LearnerKind,
    pub strategy: Strategy,
    pub seed: u64,
    /// Vectors are cut after so many decisions.
    pub max_decisions: usize,
    /// Runs are cut after so many statements.
    pub max_steps: u64,
    /// Runs with random inputs before anything is learned.
    pub hunt: u64,
    /// The part of the work that bounded model checking gets.
    pub bmc_share: f64,
    /// The bounds of bounded model checking.
    pub unwinding: Unwinding,
    /// When the largest of these bounds has been looked at, go on with larger ones.
    pub grows: bool,
    /// Work that bounded model checking gets in any case before a guarantee is given: statements,
    /// terms and conflicts.
    pub bmc_least: u64,
    /// Work of learning and sampling after which we give up: statements, and questions with a weight.
    pub max_work: u64,
    /// Paths that are followed to their ends in the hope that these are all.
    pub max_paths: u64,
    /// Steps that each engine gets which proves something of runs of any length.
    pub proof_work: u64,
    /// Traces that trace abstraction looks at.
    pub proof_traces: u64,
    /// Further properties.
    pub monitors: Vec<Monitor>,
    /// A model is wanted even if the program is proved.
    pub wants_model: bool,
    /// All cores if `None`. The result does not depend on it.
    pub threads: Option<usize>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            properties: vec![Property::Assert],
            engine: Engine::Both,
            epsilon: 0.1,
            delta: 0.9,
            batch: 10,
            learner: LearnerKind::KearnsVazirani,
            strategy: Strategy::RandomBranch,
            seed: 0,
            max_decisions: 100,
            max_steps: 50_000,
            hunt: 30_000,
            bmc_share: 1.0 / 3.0,
            unwinding: 32.into(),
            grows: true,
            bmc_least: 800_000,
            max_work: 200_000_000,
            max_paths: 200,
            proof_work: 3_000_000,
            proof_traces: 120,
            monitors: Vec::new(),
            wants_model: false,
            threads: None,
        }
    }
}
