//! `idiolect doctor`: what is on this machine, what it is for, and how to get what is missing.

use crate::args::{CommonArgs, FormatArgs, OutputFormat};
use crate::build::BuildArgs;
use crate::c_input;
use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::looks;
use crate::output::{self, Timing};
use clap::Args;
use idiolect_base::Canceller;
use idiolect_outcome::results::{MachineResult, NoStatistics, ToolRow};
use idiolect_outcome::{Conclusion, GuaranteeKind, Ledger, Verdict};
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

    #[command(flatten)]
    pub format: FormatArgs,

    #[command(flatten)]
    pub common: CommonArgs,
}

struct Helper {
    program: String,
    version_flag: &'static str,
    purpose: &'static str,
    required: bool,
}

/// Says what was found on this machine, or in a project.
pub fn run(mut args: DoctorArgs, canceller: &Canceller) -> Result<Exit, CommandFailure> {
    let format = args.format.chosen(&args.common);
    if args.build.database.is_some() || !args.files.is_empty() {
        let (build, files) = (&mut args.build, &mut args.files);
        return idiolect_project::survey::run(build, files, (&args.common, format), canceller);
    }
    let mut timing = Timing::start();
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
    let tools = helpers.iter().map(|helper| ToolRow {
        name: helper.program.clone(),
        version: version_of(helper),
        purpose: helper.purpose,
        required: helper.required,
    });
    let result = MachineResult {
        tools: tools.collect(),
    };
    timing.phase("look");
    let conclusion = conclusion(&result);
    if format != OutputFormat::Text {
        let timing = (!args.common.no_timing).then_some(&timing);
        let value =
            output::answer_json("doctor", &conclusion, NoStatistics {}, &[], timing, &result);
        looks::answer(&args.common, format, &value, String::new);
    } else if args.common.quiet {
        output::print(&conclusion.to_text());
    } else {
        output::print(&text(&result));
    }
    Ok(args.common.exit(&conclusion))
}

fn conclusion(found: &MachineResult) -> Conclusion {
    let is_missing = |tool: &&ToolRow| tool.required && tool.version.is_none();
    let ledger = Ledger::default();
    match found.tools.iter().find(is_missing) {
        Some(tool) => {
            let text = format!("`{}` is missing: {NO_COMPILER}.", tool.name);
            Conclusion::undecided(text, &ledger)
        }
        None => {
            let text = "Everything that idiolect cannot do without is there.";
            Conclusion::new(Verdict::Ready, GuaranteeKind::Checked, text, &ledger)
        }
    }
}

/// What to do without the one tool that is needed.
const NO_COMPILER: &str = "install a C compiler, or give .i files";

fn text(found: &MachineResult) -> String {
    let mut text = format!("idiolect {}\n", env!("CARGO_PKG_VERSION"));
    for tool in &found.tools {
        let (mark, version) = match (&tool.version, tool.required) {
            (Some(version), _) => ("found  ", version.as_str()),
            (None, true) => ("MISSING", NO_COMPILER),
            (None, false) => ("absent ", "optional"),
        };
        let _ = writeln!(
            text,
            "  {mark}  {:<8} {version}\n           {:<8} {}",
            tool.name, "", tool.purpose
        );
    }
    text
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
