//! `idiolect completions` and the manual page.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use clap::{Args, Command};

#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  idiolect completions bash > ~/.local/share/bash-completion/completions/idiolect"
)]
pub struct CompletionsArgs {
    shell: clap_complete::Shell,
}

pub fn completions(args: &CompletionsArgs, mut command: Command) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "idiolect", &mut script);
    output::print(&String::from_utf8_lossy(&script));
    Ok(Exit::Clean)
}

/// The manual page in roff, for `man -l -`.
pub fn manual(command: Command) -> Result<Exit, Failure> {
    let mut page = Vec::new();
    // Writing to a vector cannot fail.
    let _ = clap_mangen::Man::new(command).render(&mut page);
    output::print(&String::from_utf8_lossy(&page));
    Ok(Exit::Clean)
}
