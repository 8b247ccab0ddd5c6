//! `idiolect completions` and the manual page.

use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::output;
use clap::{Args, Command};
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  idiolect completions bash > ~/.local/share/bash-completion/completions/idiolect"
)]
pub struct CompletionsArgs {
    shell: clap_complete::Shell,
}

/// Prints a completion script.
pub fn completions(args: &CompletionsArgs, mut command: Command) -> Result<Exit, CommandFailure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "idiolect", &mut script);
    output::print(&String::from_utf8_lossy(&script));
    Ok(Exit::Clean)
}

#[derive(Args, Debug)]
#[command(after_help = "Example:\n  idiolect man | man -l -")]
pub struct ManArgs {
    /// Write a page for each command into this folder, and print none
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// The manual page in roff, for `man -l -`; or all pages as files.
pub fn manual(args: &ManArgs, command: Command) -> Result<Exit, CommandFailure> {
    let mut page = Vec::new();
    if let Some(folder) = &args.dir {
        clap_mangen::generate_to(command, folder).map_err(|source| {
            CommandFailure::CannotWrite {
                path: folder.clone(),
                source,
            }
        })?;
        return Ok(Exit::Clean);
    }
    // Writing to a vector cannot fail.
    let _ = clap_mangen::Man::new(command).render(&mut page);
    output::print(&String::from_utf8_lossy(&page));
    Ok(Exit::Clean)
}
