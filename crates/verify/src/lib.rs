//! Either an error with its run, or a regular model of a program's feasible decisions with a guarantee.
//!
//! **Question.** Does a run fail? If none is found: how sure may one be, and what does the program do?
//!
//! **Method.** Y.-F. Chen et al., *PAC Learning-Based Verification and Model Synthesis* (ICSE 2016):
//! a learner asks which decision vectors are feasible, its conjecture is tested for words that lead to
//! an error, and compared with the program by q_i batches of sampled paths.
//!
//! | paper | here |
//! |---|---|
//! | Mem, §6 | [`Teacher`]: a tree of what is known, then one path encoded and solved |
//! | batches, §5.1 | [`Sampler`]: batch n is a function of the seed and n |
//! | B, B_P, B_O, §7–10 | `errors.rs`, over `ir::decisions` |
//! | Figure 2 | [`run`] in `session.rs` |
//! | another property, monitors, §12 | [`run_again`], [`monitor`] |
//!
//! **Where we differ.** Before anything is learned, many short runs with random inputs are made, and if
//! the program has few paths all of them are followed; the one run of a program without inputs,
//! induction, trace abstraction and a few long runs come next (`portfolio.rs`); bounded model checking has a share of the work,
//! and no guarantee is given before it had it. A sampled vector that the conjecture rejects is cut to
//! its shortest rejected prefix (prefixes of feasible vectors are feasible), and a conjecture that is
//! not prefix-closed is refined without asking anybody.
//!
//! **Guarantee.** With confidence δ, a fresh batch of k runs, drawn like those that were looked at, has
//! a run that fails or that takes decisions the model lacks with probability at most ε. Runs are
//! compared with the model up to [`Config::max_decisions`], and followed for
//! [`Config::max_steps`] statements. [`Verdict::Proved`] is a proof.
//!
//! **Limits.** The tests of §4.2 are about assertions and monitors; faults (`memory`, `division`,
//! `overflow`) are looked for by runs, by following all paths and by bounded model checking. A run that
//! faults where no property asked, or comes to C that is not modelled, leaves the verdict undecided.
//! A membership query that the solver does not answer within its limit is taken for no, which
//! makes the model smaller and leaves the guarantee as it is: samples are looked at themselves.

mod batch;
mod config;
mod conjecture;
mod distance;
mod errors;
mod fingerprint;
mod outcome;
mod portfolio;
mod relate;
mod second;
mod session;
mod settle;
pub mod svcomp;
mod teacher;

pub use batch::{Batch, Plan, Sampler, distribution};
pub use config::{Config, Engine, Strategy};
pub use fingerprint::fingerprint;
pub use idiolect_search::{
    Decision, Doubt, Monitor, MonitorError, Proof, Runner, Sample, compile, monitor,
};
pub use outcome::{Asked, Coverage, FoundBy, Guarantee, Iteration, Outcome, Statistics, Verdict};
pub use relate::{Differing, Pair, Related, relate};
pub use second::{HeapCheck, Opinion, certify, heap_is_checked, second_opinion};
pub use session::{Progress, Reused, next_error, run, run_again};
pub use settle::{
    Occurrence, asks_for_large_objects, converts_out_of_range, find_error_or_proof,
    has_memory_faults, overflows,
};
pub use teacher::{Teacher, TeacherStatistics};
