//! `idiolect learn`: learn a given automaton by queries, to compare learners and to teach.

use crate::args::CommonArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{self, Envelope, Timing};
use clap::{Args, ValueEnum};
use idiolect_automata::formats::dot::{self, Missing};
use idiolect_automata::formats::json::{self, JsonAutomaton};
use idiolect_automata::{Alphabet, Dfa};
use idiolect_base::{Canceller, Place};
use serde_json::json;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:
  idiolect learn examples/odd.dot
  idiolect learn examples/odd.dot --learner ttt --equivalence wp --json"
)]
pub struct LearnArgs {
    /// The automaton to learn, in DOT as LearnLib and AALpy write it, or in our JSON
    #[arg(value_name = "TARGET")]
    target: PathBuf,

    #[arg(long, value_name = "NAME", default_value = "kv")]
    learner: LearnerArg,

    #[command(flatten)]
    pub common: CommonArgs,
}
