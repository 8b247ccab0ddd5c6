//! `idiolect doctor`: what is on this machine, what it is for, and how to get what is missing.

use crate::build::BuildArgs;
use crate::c_input;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use clap::Args;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  idiolect doctor && idiolect verify examples/sort.c
  idiolect doctor -p build                  what of a project can be analysed, and what is not modelled
  idiolect doctor src/*.c -I include        the same without a compilation database

Exits with 3 if something that idiolect cannot do without is missing, or if a file cannot be read.")]
pub struct DoctorArgs {
    /// Say what of these files can be analysed
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    build: BuildArgs,

    /// Print what was found in a project as one JSON object
    #[arg(long)]
    json: bool,
}

impl DoctorArgs {
    /// Whether the answer is one JSON object.
    pub fn wants_json(&self) -> bool {
        self.json
    }
}

struct Helper {
    program: String,
    version_flag: &'static str,
    purpose: &'static str,
    required: bool,
}

/// Says what was found on this machine, or in a project.
pub fn run(mut args: DoctorArgs) -> Result<Exit, Failure> {
    if args.build.database.is_some() || !args.files.is_empty() {
        return idiolect_project::survey::run(&mut args.build, &mut args.files, args.json);
    }
    let helper = |program: &str, version_flag, purpose| Helper {
        program: program.to_owned(),
        version_flag,
        purpose,
        required: false,
    };
    let helpers = [
        Helper {
            required: true,
            ..helper(
                &c_input::c_compiler(),
                "--version",
                "preprocesses .c files, compiles harnesses",
            )
        },
        helper(
            "strace",
            "--version",
            "records system calls of real programs",
        ),
        helper("git", "--version", "takes two revisions of a file apart"),
        helper("cbmc", "--version", "only for comparisons in benchmarks"),
    ];
    let mut text = format!("idiolect {}\n", env!("CARGO_PKG_VERSION"));
    let mut missing_required = false;
    for helper in &helpers {
        let found = version_of(helper);
        missing_required |= helper.required && found.is_none();
        let (mark, version) = match (&found, helper.required) {
            (Some(version), _) => ("found  ", version.as_str()),
            (None, true) => ("MISSING", "install a C compiler, or give .i files"),
            (None, false) => ("absent ", "optional"),
        };
        let _ = writeln!(
            text,
            "  {mark}  {:<8} {version}\n           {:<8} {}",
            helper.program, "", helper.purpose
        );
    }
    output::print(&text);
    Ok(if missing_required {
        Exit::Undecided
    } else {
        Exit::Clean
    })
}

fn version_of(helper: &Helper) -> Option<String> {
    let output = Command::new(&helper.program)
        .arg(helper.version_flag)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Some(text.lines().next().unwrap_or("").to_owned())
}
