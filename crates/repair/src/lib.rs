//! From a failing run to a change of the source that makes it pass, checked.
//!
//! **Question.** Which small edit, in the program's own words, makes failing runs pass, and what else
//! does it keep?
//!
//! **Method.** The best places of `localize` get edits (`candidates.rs`): constants, solved for where
//! that is possible, operators, variables, conditions, guards. All of them stand in one program beside
//! the original (`meta.rs`), so that each is tried by a run. What makes the failing runs pass is
//! compiled on its own, from the text that is shown, and checked in rising cost: failing runs, passing
//! runs, all runs within bounds (`search`), proof (`verify`). A run that refutes one candidate is a
//! failing run for all others.
//!
//! **Guarantee.** [`RepairHolds`] says what was checked, no more: an edit for which only the given runs hold
//! may be wrong for all others.
//!
//! **Limits.** One edit at one place. Texts that macros make up are changed at the macro's definition,
//! if it is one number, or not at all.

mod candidates;
mod check;
mod definitions;
mod engine;
mod meta;
mod patch;
mod scope;
mod spelling;
mod tokens;

use idiolect_base::{Budget, SourceId, StopReason};
use idiolect_interp::{DrawnInput, End};
use idiolect_ir::{FaultKind, Program, Property};
use idiolect_localize::{Places, RunCase};
use std::sync::Arc;

pub use candidates::EditKind;
pub use engine::{rank_by_edits, repair};
pub use patch::{changed, replacement, unified};

/// A file of the program: its text, and what the preprocessor made of it.
#[derive(Clone, Debug)]
pub struct Unit {
    pub file: String,
    pub original: String,
    pub preprocessed: String,
    pub id: SourceId,
}

/// Compiles texts, which takes what the command line said.
pub trait FrontEnd {
    /// The program of these preprocessed texts, one for each unit; `None` if it is not C.
    fn compile(&self, texts: &[&str]) -> Option<Program>;
    /// The preprocessed text of a unit that has this text.
    fn preprocess(&self, unit: usize, text: &str) -> Option<String>;
}

/// How much is done.
#[derive(Clone, Debug)]
pub struct RepairConfig {
    pub properties: Vec<Property>,
    pub seed: u64,
    /// Edits that are tried.
    pub max_candidates: usize,
    /// Edits that are compiled on their own.
    pub max_compiled: usize,
    /// Repairs that are checked beyond the given runs, and told.
    pub max_repairs: usize,
    /// Repairs that a proof is tried for.
    pub max_proofs: usize,
    /// Lines that get edits, by their place in the ranking.
    pub max_lines: usize,
    /// Steps of one run.
    pub max_steps: u64,
}

impl Default for RepairConfig {
    fn default() -> Self {
        Self {
            properties: vec![Property::Assert],
            seed: 0,
            max_candidates: 4_000,
            max_compiled: 160,
            max_repairs: 10,
            max_proofs: 2,
            max_lines: 40,
            max_steps: 3_000_000,
        }
    }
}

/// What there is to repair.
pub struct RepairTask<'a> {
    pub program: &'a Arc<Program>,
    pub units: &'a [Unit],
    /// Runs that fail and have to pass.
    pub failing: Vec<RunCase>,
    /// Runs that pass and have to go on doing so.
    pub passing: Vec<RunCase>,
    pub places: &'a Places,
    /// Faults of their own: tests that end with them were set aside.
    pub known_faults: Vec<KnownFault>,
    /// The runs are tests of the user; else the program's own assertions say what is right.
    pub has_tests: bool,
}

/// A fault that is none of what is repaired: with a repair, runs may come to it that did not before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownFault {
    pub kind: FaultKind,
    /// A text that is compiled anew may have another name, but its functions have not.
    pub function: String,
    pub line: u32,
}

impl KnownFault {
    /// Where a run ended, if it is with a fault.
    pub fn of(program: &Program, outcome: &idiolect_interp::Outcome) -> Option<Self> {
        let End::Fault(fault) = &outcome.end else {
            return None;
        };
        let place = program.sources.place(outcome.place.span)?;
        Some(Self {
            kind: fault.kind,
            function: program.function(outcome.place.function).name.clone(),
            line: place.line,
        })
    }
}

/// What a repair is known to hold for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RepairHolds {
    /// Failing runs that pass with it, all of which were asked.
    pub failing: usize,
    /// Runs that passed and still do.
    pub passing: usize,
    /// Runs that passed and now end with a fault that was known before.
    pub at_known_fault: usize,
    /// Runs that refuted other candidates and pass with this one.
    pub refutations: usize,
    /// No run with so many unwindings of each loop violates a property.
    pub all_runs_within: Option<usize>,
    pub is_proved: bool,
    /// The program takes no input: there is no other run than the failing one.
    pub is_only_run: bool,
}

/// How old and new differ on some inputs, which are named as those of the old one.
#[derive(Clone, PartialEq, Debug)]
pub struct RunDifference {
    pub inputs: Vec<DrawnInput>,
    pub old: String,
    pub new: String,
}

/// An edit that makes every failing run pass and keeps those that pass.
#[derive(Clone, Debug)]
pub struct Repair {
    pub unit: usize,
    pub file: String,
    pub line: u32,
    pub kind: EditKind,
    /// The changed lines.
    pub before: String,
    pub after: String,
    /// The whole text of the file with the edit.
    pub text: String,
    /// The first changed line, how many of the old lines are, and the lines in their place.
    pub replacement: (usize, usize, String),
    pub patch: String,
    pub holds: RepairHolds,
    /// The size of the edit: 1 is the smallest.
    pub cost: u32,
    /// The score of its line.
    pub score: f64,
    /// The first failing run, before and after.
    pub failing_run: Option<RunDifference>,
    /// Inputs other than those of the failing runs on which it matters.
    pub difference: Option<RunDifference>,
    /// The program with the edit.
    pub program: Arc<Program>,
}

impl Repair {
    /// Only the given runs are known to be satisfied.
    pub fn is_only_tested(&self) -> bool {
        self.holds.is_only_run || !self.holds.is_proved && self.holds.all_runs_within.is_none()
    }
}

/// What came out.
#[derive(Clone, Debug, Default)]
pub struct RepairOutcome {
    /// Best first.
    pub repairs: Vec<Repair>,
    /// Edits that were found, tried, compiled.
    pub n_candidates: usize,
    pub n_tried: usize,
    pub n_compiled: usize,
    /// Edits that make the failing runs pass, but not the others.
    pub n_overfitted: usize,
    pub stopped: Option<StopReason>,
}

/// A part of a budget: steps of its own, the same clock.
pub(crate) fn part(budget: &Budget, steps: u64) -> Budget {
    let own = Budget::steps(steps).cancelled_by(budget.canceller());
    match budget.deadline() {
        Some(deadline) => own.until(deadline),
        None => own,
    }
}
