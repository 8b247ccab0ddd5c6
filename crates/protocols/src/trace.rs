//! `idiolect trace`: record the calls that a real program makes.

mod cache;
mod header;
mod program;
mod sites;

use super::traces;
use crate::args::{CommonArgs, output_file, refuse};
use crate::c_input::c_compiler;
use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::output::{self, Timing};
use crate::progress::ProgressLine;
use crate::sink;
use clap::{Args, ValueEnum};
use idiolect_base::{Canceller, Place};
use idiolect_mine::{
    Api, ApiVocabulary, Callers, Ends, Recorded, ShimConfig, TraceStyle, collect, shim,
};
use idiolect_outcome::results::{RecordedProcess, TraceCounts, TraceResult};
use idiolect_outcome::{Conclusion, GuaranteeKind, Ledger, Verdict};
use serde_json::Value;
use sites::DebugSites;
use std::fmt::Write as _;
use std::io::{BufWriter, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  idiolect trace --api socket -o server.trace -- ./server 8080
  idiolect trace --api files --api stdio --api socket -o all.trace -- ./server 8080
  idiolect trace --api stdio -- sort /etc/passwd | idiolect mine - --api stdio
  idiolect trace --api x11 --from all -o xterm.trace --stop-after 20 -- xterm
  idiolect trace --api-from zlib.h --only 'gz*' --write-api gz.toml -o gz.trace -- ./program

Works on dynamically linked programs of this machine, with their threads and children; each process
is a run of the trace. A line has the place of its call (`at = \"main.c:12\"`) where debug
information tells it. A program that a signal ended makes this command end with 128 and the signal,
as a shell does. Statically linked, setuid and most Go programs cannot be recorded this way:
use `strace -f -ttt` and `idiolect mine --format strace`.")]
pub struct TraceArgs {
    /// The API: the name of one that comes with idiolect, or a file; repeat it to record several
    #[arg(long, value_name = "NAME|FILE", required_unless_present = "api_from")]
    api: Vec<String>,

    /// Make the API from the functions that a C header declares
    #[arg(long, value_name = "HEADER", conflicts_with = "api")]
    api_from: Option<String>,

    /// The functions of the header, with `*` and `?`, separated by commas
    #[arg(
        long,
        value_name = "PATTERNS",
        value_delimiter = ',',
        requires = "api_from"
    )]
    only: Vec<String>,

    /// Also look for the header here
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,

    /// Write the API that was used, as a file to be edited
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    write_api: Option<PathBuf>,

    /// Write the trace here; without it, to standard output, and what the program prints goes to
    /// standard error
    #[arg(short, long, value_name = "OUT", value_parser = output_file())]
    output: Option<PathBuf>,

    /// Whose calls: `program` (the program's own), `all`, or those of a library, such as `libXt`
    /// (default: what the API says, else `program`)
    #[arg(long, value_name = "MODULE")]
    from: Option<String>,

    /// How the trace is written; JSON lines have process, thread and time
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: StyleArg,

    /// Cut strings after this many bytes
    #[arg(long, value_name = "N", default_value_t = 60)]
    string_length: usize,

    /// End the program after this time, which is no failure
    #[arg(long, value_name = "SECONDS")]
    stop_after: Option<f64>,

    /// The program and its arguments
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,

    #[command(flatten)]
    pub common: CommonArgs,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum StyleArg {
    /// `accept(so = 7, return = 8)`
    Text,
    /// `{"call":"accept","args":{"so":7},"return":8,"pid":1,"time":0.1}`
    Jsonl,
}

/// How the program ended.
enum Ended {
    Itself(ExitStatus),
    /// `--stop-after`, or Ctrl-C.
    Stopped,
    TimedOut,
}

/// Runs the program and records its calls.
pub fn run(args: &TraceArgs, canceller: &Canceller) -> Result<Exit, CommandFailure> {
    let mut timing = Timing::start();
    let api = match (&args.api[..], &args.api_from) {
        ([], Some(header)) => header::api(header, &args.only, &args.include)?,
        (names, _) => traces::load_apis(names)?,
    };
    if let Some(path) = &args.write_api {
        output::write_whole(path, api.to_toml().as_bytes())?;
        if args.command.is_empty() {
            output::print(&format!("API: {}\n", path.display()));
            return Ok(Exit::Clean);
        }
    }
    let Some((program, _)) = args.command.split_first() else {
        return Err(CommandFailure::usage(
            "there is no program to record",
            "name it behind `--`: `idiolect trace --api socket -- ./server`",
        ));
    };
    refuse(
        args.common.json && args.output.is_none(),
        "`--json` and the trace cannot both be on standard output",
        "write the trace to a file with `-o`",
    )?;
    let mut warnings = program::check(program)?;
    let folder = tempfile::Builder::new()
        .prefix("idiolect-trace-")
        .tempdir()
        .map_err(|source| CommandFailure::CannotWrite {
            path: std::env::temp_dir(),
            source,
        })?;
    let library = build(args, &api, folder.path())?;
    timing.phase("build");
    let (process, ended) = execute(args, &library, folder.path(), canceller)?;
    timing.phase("run");
    let ends = Ends {
        cut: cut_off(&ended).map(|how| (u64::from(process), how)),
    };
    let recorded = write_trace(args, &api, folder.path(), &ends)?;
    timing.phase("collect");
    warn(args, from(args, &api), &recorded, &mut warnings)?;
    let exit = match &ended {
        Ended::TimedOut => Exit::Undecided,
        Ended::Itself(status) => match status.signal() {
            Some(signal) => Exit::Signal(signal.clamp(0, 127) as u8),
            None => Exit::Clean,
        },
        Ended::Stopped => Exit::Clean,
    };
    if args.common.json {
        let timing = (!args.common.no_timing).then_some(&timing);
        output::print_json(&to_json(args, &recorded, &ended, &warnings, timing));
    } else {
        output::print_error(&to_text(args, &recorded, &ended, &warnings))
    }
    Ok(exit)
}

fn from<'a>(args: &'a TraceArgs, api: &'a Api) -> &'a str {
    let said = args.from.as_deref();
    said.or(api.from.as_deref()).unwrap_or("program")
}

/// What ended the program, unless it did so itself: the objects that it had then were not left behind
/// by mistake.
fn cut_off(ended: &Ended) -> Option<String> {
    match ended {
        Ended::Itself(status) => status.signal().map(|signal| format!("signal {signal}")),
        Ended::Stopped | Ended::TimedOut => Some("idiolect".to_owned()),
    }
}

/// Writes the recorder of the API and compiles it, unless the same one was compiled before.
fn build(args: &TraceArgs, api: &Api, folder: &Path) -> Result<PathBuf, CommandFailure> {
    let config = ShimConfig {
        from: match from(args, api) {
            "program" => Callers::Program,
            "all" => Callers::All,
            module => Callers::Module(module.to_owned()),
        },
        times: args.format == StyleArg::Jsonl,
        longest_string: args.string_length,
    };
    let name = args.api.first().or(args.api_from.as_ref());
    let name = name.map(String::as_str);
    let text = shim(api, &config).map_err(|e| traces::bad_api(name.unwrap_or(""), &e))?;
    let cc = c_compiler();
    let cached = cache::path(&text, &cc, &args.include);
    if let Some(library) = cached.as_ref().filter(|path| path.is_file()) {
        return Ok(library.clone());
    }
    let (source, library) = (folder.join("recorder.c"), folder.join("recorder.so"));
    output::write_whole(&source, text.as_bytes())?;
    let mut words = cc.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("cc"));
    command.args(words).args([
        "-shared",
        "-fPIC",
        "-O2",
        "-w",
        "-std=gnu11",
        "-U_FORTIFY_SOURCE",
        "-fno-builtin",
        "-fno-tree-loop-distribute-patterns",
        "-fno-stack-protector",
        "-fvisibility=default",
    ]);
    for folder in &args.include {
        command.arg("-I").arg(folder);
    }
    command.arg("-o").arg(&library).arg(&source);
    command.args(["-ldl", "-lpthread"]).stdin(Stdio::null());
    let result = command.output().map_err(|source| CommandFailure::BadFile {
        code: "trace::no-compiler",
        message: format!("cannot run the C compiler `{cc}`: {source}"),
        place: None,
        help: "recording needs a C compiler; `CC` names one".to_owned(),
    })?;
    if result.status.success() {
        return Ok(cached
            .and_then(|path| cache::keep(&library, path))
            .unwrap_or(library));
    }
    let said = String::from_utf8_lossy(&result.stderr);
    let first = said.lines().find(|line| line.contains("error"));
    let first = first.or(said.lines().next()).unwrap_or("");
    Err(CommandFailure::BadFile {
        code: "trace::cannot-compile",
        message: format!("the recorder does not compile: {first}"),
        place: name.map(|file| Place {
            file: file.to_owned(),
            line: 1,
            column: 1,
        }),
        help:
            "check `include`, `declare` and `extra` of this call; the headers of the API have to \
               be installed, and `-I DIR` says where else they are"
                .to_owned(),
    })
}

/// Runs the program to its end, or to that of its time.
fn execute(
    args: &TraceArgs,
    library: &Path,
    folder: &Path,
    canceller: &Canceller,
) -> Result<(u32, Ended), CommandFailure> {
    let mut preload = library.as_os_str().to_owned();
    if let Some(others) = std::env::var_os("LD_PRELOAD").filter(|v| !v.is_empty()) {
        preload.push(":");
        preload.push(others);
    }
    let mut command = Command::new(&args.command[0]);
    command.args(&args.command[1..]);
    command.env("LD_PRELOAD", preload);
    command.env("IDIOLECT_TRACE_FOLDER", folder);
    if args.output.is_none() || args.common.json {
        command.stdout(std::io::stderr());
    }
    let mut child = command.spawn().map_err(|source| {
        CommandFailure::usage(
            format!("cannot run `{}`: {source}", args.command[0]),
            "check the name of the program and its permissions",
        )
    })?;
    let start = Instant::now();
    let stop_after = args.stop_after.filter(|s| s.is_finite() && *s >= 0.0);
    let stop_after = stop_after.map(Duration::from_secs_f64);
    let progress = ProgressLine::start(&args.common, "recording").ends_within(stop_after);
    progress.say(|| format!("`{}`", args.command.join(" ")));
    let is_past = |limit: Option<Duration>| limit.is_some_and(|limit| start.elapsed() >= limit);
    let lost = |source| CommandFailure::CannotRead {
        path: args.command[0].clone().into(),
        source,
    };
    let mut nap = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait().map_err(lost)? {
            return Ok((child.id(), Ended::Itself(status)));
        }
        let timed_out = is_past(args.common.timeout);
        if timed_out || is_past(stop_after) || canceller.is_cancelled() {
            end(&mut child);
            let ended = if timed_out {
                Ended::TimedOut
            } else {
                Ended::Stopped
            };
            return Ok((child.id(), ended));
        }
        std::thread::sleep(nap);
        nap = (nap * 2).min(Duration::from_millis(50));
    }
}

/// Asks the program to end, and ends it if it does not.
fn end(child: &mut Child) {
    // The standard library can only kill; a server may want to say good-bye.
    let script = format!("kill -TERM {}", child.id());
    let _ = Command::new("sh").args(["-c", &script]).status();
    for _ in 0..40 {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let _ = child.kill();
    let _ = child.wait();
}

fn write_trace(
    args: &TraceArgs,
    api: &Api,
    folder: &Path,
    ends: &Ends,
) -> Result<Recorded, CommandFailure> {
    let vocabulary = ApiVocabulary::new(api, &[]);
    let mut sites = DebugSites::new();
    let style = match args.format {
        StyleArg::Text => TraceStyle::Text,
        StyleArg::Jsonl => TraceStyle::JsonLines,
    };
    let path = args.output.clone().unwrap_or_else(|| "<stdout>".into());
    let cannot = |source| CommandFailure::CannotWrite {
        path: path.clone(),
        source,
    };
    if args.output.is_none() {
        let to = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
        return match collect(folder, style, &vocabulary, &mut sites, ends, to) {
            // `idiolect trace … | head` is not an error.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(Recorded::default()),
            result => result.map_err(cannot),
        };
    }
    // A trace may be larger than memory, so it is written while it is read.
    let mut file = sink::open(&path)?;
    let mut to = BufWriter::with_capacity(1 << 16, &mut file);
    let recorded =
        collect(folder, style, &vocabulary, &mut sites, ends, &mut to).map_err(cannot)?;
    to.flush().map_err(cannot)?;
    drop(to);
    file.finish(&path)?;
    Ok(recorded)
}

fn warn(
    args: &TraceArgs,
    from: &str,
    recorded: &Recorded,
    warnings: &mut Vec<String>,
) -> Result<(), CommandFailure> {
    if recorded.runs.is_empty() && args.output.is_some() {
        return Err(CommandFailure::BadFile {
            code: "trace::not-preloaded",
            message: format!("`{}` did not load the recorder", args.command[0]),
            place: None,
            help: "it may be static, setuid, or clear its environment; try `strace -f -ttt`"
                .to_owned(),
        });
    }
    let calls: u64 = recorded.runs.iter().map(|run| run.calls).sum();
    if calls == 0 && from == "program" {
        warnings.push(
            "no call was recorded; `--from all` also takes those that libraries make".to_owned(),
        );
    }
    if recorded.lost > 0 {
        warnings.push(format!("{} calls could not be written", recorded.lost));
    }
    if recorded.displaced > 0 {
        warnings.push(format!(
            "{} calls took very long and stand where they returned",
            recorded.displaced
        ));
    }
    let alive = (recorded.runs.iter())
        .filter(|run| Path::new(&format!("/proc/{}", run.process)).exists())
        .map(|run| run.process.to_string());
    let alive: Vec<String> = alive.collect();
    if !alive.is_empty() {
        warnings.push(format!(
            "still running, recorded up to now: process {}",
            alive.join(", ")
        ));
    }
    Ok(())
}

fn how(ended: &Ended) -> String {
    match ended {
        Ended::Itself(status) if status.success() => String::new(),
        Ended::Itself(status) => format!("; the program ended with {status}"),
        Ended::Stopped => "; the program was stopped".to_owned(),
        Ended::TimedOut => "; the program was stopped at the time-out".to_owned(),
    }
}

fn to_text(args: &TraceArgs, recorded: &Recorded, ended: &Ended, warnings: &[String]) -> String {
    let mut text = String::new();
    for warning in warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    if !args.common.quiet {
        let calls: u64 = recorded.runs.iter().map(|run| run.calls).sum();
        let runs = recorded.runs.iter().filter(|run| run.calls > 0).count();
        let plural = |n: u64, one: &str, many: &str| match n {
            1 => format!("1 {one}"),
            n => format!("{n} {many}"),
        };
        let _ = writeln!(
            text,
            "recorded {} in {}{}",
            plural(calls, "call", "calls"),
            plural(runs as u64, "process", "processes"),
            how(ended)
        );
    }
    text
}

fn to_json(
    args: &TraceArgs,
    recorded: &Recorded,
    ended: &Ended,
    warnings: &[String],
    timing: Option<&Timing>,
) -> Value {
    let calls: u64 = recorded.runs.iter().map(|run| run.calls).sum();
    let text = "These calls were made, in this order as far as threads let it be seen.";
    let verdict = match ended {
        Ended::TimedOut => Verdict::Undecided,
        _ => Verdict::Recorded,
    };
    let conclusion = Conclusion::new(verdict, GuaranteeKind::Recorded, text, &Ledger::default());
    let counts = TraceCounts {
        calls,
        lost: recorded.lost,
        unreturned: recorded.unreturned,
    };
    let runs = recorded.runs.iter().map(|run| RecordedProcess {
        pid: run.process,
        parent: run.parent,
        command: run.command.clone(),
        calls: run.calls,
    });
    let result = TraceResult {
        runs: runs.collect(),
        exit_code: match ended {
            Ended::Itself(status) => status.code(),
            _ => None,
        },
        ended: match ended {
            Ended::Itself(status) => status.to_string(),
            Ended::Stopped => "stopped".to_owned(),
            Ended::TimedOut => "timeout".to_owned(),
        },
        output: args.output.as_ref().map(|p| p.display().to_string()),
    };
    output::answer_json("trace", &conclusion, counts, warnings, timing, result)
}
