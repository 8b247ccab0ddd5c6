//! Specification mining: from traces of calls to the protocol that they keep with an API.
//!
//! After Glenn Ammons, Rastislav Bodík and James R. Larus, *Mining Specifications*, POPL 2002.
//!
//! ```text
//! trace ─► vocabulary ─► extract ─► counts ─► standardize ─► strings ─► learn ─► core ─► specification
//!   lines    interactions  scenarios  distinct   names, order                     heat, cut
//! ```
//!
//! A trace is read one line at a time ([`trace`]). An [`Api`] says which attributes of which calls
//! define and use objects. [`Extractor`] follows the flow of objects and collects the scenario
//! around each seed; [`CountedScenarios`] holds how often each distinct one was seen.
//!
//! Beside that, [`LifeCounter`] follows every object from the call that makes it to the one that ends
//! it, and [`LifeRules`] are what programs keep to with them.

pub mod api;
mod check;
mod check_part;
mod condition;
mod core;
mod counts;
mod counts_file;
mod counts_merge;
mod declaration;
mod extract;
mod heat;
mod infer;
mod inherited;
mod lives;
mod mining;
mod monitor;
mod nearest;
mod part_file;
mod pieces;
mod reaching;
mod recording;
mod review;
mod run;
mod scenario;
mod shim;
mod source;
mod specification;
mod standardize;
mod strings;
#[cfg(test)]
mod testing;
pub mod trace;
mod types;
mod value;
mod vocabulary;

pub use api::{Api, ApiError, Seed};
pub use check::{
    CheckConfig, CheckedScenarios, Checker, NearestLine, ScenarioLine, ScenarioViolation, Sieve,
};
pub use check_part::{CheckPart, JoinError, join_parts};
pub use core::{Core, Removed, core, for_reading};
pub use counts::CountedScenarios;
pub use counts_file::{CountsError, CountsReader, fingerprint};
pub use counts_merge::{MergeError, Scratch, merge_counts};
pub use extract::{Extractor, FoundScenario};
pub use heat::{Heat, heat};
pub use infer::{InferPart, Inferred, MixedRounds, infer};
pub use lives::{
    LifeAutomaton, LifeBreak, LifeCheck, LifeChecker, LifeCounter, LifeCounts, LifeRule, LifeRules,
    LifeStep, LifeViolation, RuleConfig, Template, Vote, Voters, life_automaton,
};
pub use mining::{Mined, MiningConfig, PassiveLearner, mine};
pub use monitor::{MonitorConfig, ProgramMonitor, for_process, for_program};
pub use nearest::{Edit, nearest};
pub use part_file::{PartError, fingerprint_of, read_part, write_part};
pub use pieces::{pieces, settle_format, tracer_pieces};
pub use reaching::Definitions;
pub use recording::{Ends, NoSites, Recorded, RecordedRun, Sites, TraceStyle, collect};
pub use review::{Question, ReviewConfig, ReviewDecision, ReviewEntry, Reviewed, review};
pub use run::{Flow, Run};
pub use scenario::{NOTHING, Scenario, Step, ValueNumber};
pub use shim::{Callers, ShimConfig, shim};
pub use source::{
    CallOrEnd, Summary, count_trace, for_each_item, for_each_run, in_parallel, places,
};
pub use specification::{MinedSpecification, SpecificationError};
pub use standardize::{Standardized, standardize};
pub use strings::{Strings, letters};
pub use types::{AttributeTypes, ObjectOrders, Typing};
pub use value::Value;
pub use vocabulary::{
    ApiVocabulary, AttributeId, CallOutcome, Interaction, KindId, Skeleton, Values,
};
