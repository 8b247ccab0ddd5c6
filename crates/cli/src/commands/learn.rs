//! `idiolect learn`: learn a given automaton by queries, to compare learners and to teach.

use crate::args::CommonArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use clap::Args;
use idiolect_base::Canceller;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct LearnArgs {
    target: PathBuf,
    #[command(flatten)]
    pub common: CommonArgs,
}
pub fn run(args: &LearnArgs, _canceller: &Canceller) -> Result<Exit, Failure> {
    Err(Failure::usage(format!("{}", args.target.display()), ""))
}
