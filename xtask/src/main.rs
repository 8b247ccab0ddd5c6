//! `cargo xtask COMMAND`: the project's chores.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use clap::{Parser, Subcommand, ValueEnum};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use xtask::differential::Differential;
use xtask::mutants::Fate;
use xtask::published::Published;
use xtask::survey::What;
use xtask::verdicts::Judgement;
use xtask::{
    agree, corpus, csmith, deadline, dist, explain, gallery, growth, house, invariants, localize,
    mutants, newcomer, parts, publish, ratio, record, root, setup, spectrum, surface, survey,
    textbook, verdicts,
};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The project's chores")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install what the tests need beside Rust and a C compiler
    Setup,
    /// Set up, then run every test
    Test {
        /// Unit tests, and those of help, schema and architecture: nothing is installed
        #[arg(long)]
        fast: bool,
    },
    /// Check the crates for the registry: each feature alone, a dry run of publishing, semantic versioning
    Publish {
        /// Do not build what is packed
        #[arg(long)]
        quick: bool,
        /// The revision whose promises are kept, such as the tag of the last release
        #[arg(long, value_name = "REVISION")]
        since: Option<String>,
        /// Only write down what others may name, in `surface.txt` of each crate
        #[arg(long)]
        write_surface: bool,
    },
    /// Make what is shipped: a stripped binary in an archive, on wish a Debian package and a wheel
    Dist {
        /// Also a Debian package (by `cargo-deb`)
        #[arg(long)]
        deb: bool,
        /// Also a Python wheel (by maturin)
        #[arg(long)]
        wheel: bool,
        /// Also an image, by what there is of docker, podman and buildah
        #[arg(long)]
        docker: bool,
        /// Try each where nothing else is: a fresh folder without Rust on the path, a fresh Debian
        #[arg(long)]
        check: bool,
    },
    /// README from top to bottom, in a folder that has only what a fresh clone has
    Newcomer {
        /// This program instead of one that is built there; nothing is compiled then
        #[arg(long, value_name = "FILE")]
        binary: Option<PathBuf>,
    },
    /// Look at our own programs: is everything said about them that has to be said?
    Corpus {
        /// Only cases whose name (`faults/clamp`) contains this
        #[arg(long, default_value = "")]
        filter: String,
        /// Also those that take long
        #[arg(long)]
        slow: bool,
    },
    /// Faulty versions with tests: the wrong line among the first of `localize`, beside Ochiai with the same tests
    Spectrum(SpectrumArgs),
    /// Put hostile inputs and options to every command: does each end in time, with an answer?
    Deadline {
        /// Until the limit or the signal
        #[arg(long, default_value_t = 3)]
        seconds: u32,
        /// Only jobs whose name (`macro-bomb / verify`) contains this
        #[arg(long, default_value = "")]
        filter: String,
        /// Only every so many
        #[arg(long, default_value_t = 1)]
        stride: usize,
        #[arg(long, default_value_t = 2)]
        jobs: usize,
        /// A time limit, SIGTERM and Ctrl-C for each, and not one of them in turn
        #[arg(long)]
        all_ways: bool,
        /// Show also the jobs that are fine
        #[arg(long)]
        all: bool,
        /// This program instead of the release build
        #[arg(long)]
        binary: Option<PathBuf>,
    },
    /// Let every command speak about every program, and compare the answers
    Agree {
        /// Programs of these files and folders; without any, those of `corpus/`
        programs: Vec<PathBuf>,
        /// So many generated programs as well
        #[arg(long, default_value_t = 200)]
        generated: u64,
        /// Seed of the generated programs
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Seconds for each command
        #[arg(long, default_value_t = 5)]
        timeout: u32,
        #[arg(long, default_value_t = 1)]
        jobs: usize,
        /// Ask only every n-th program
        #[arg(long, default_value_t = 1)]
        every: usize,
        /// Of these, begin with this one (from 0)
        #[arg(long, default_value_t = 0)]
        from: usize,
        /// Only programs whose names say what is expected, as those of SV-COMP do, each once
        #[arg(long)]
        expected: bool,
        /// Ask only this command (`run`, `verify`, `verify --engine bmc`, `invariants`, `diff MUTANT`); repeatable
        #[arg(long = "command", value_name = "COMMAND")]
        only: Vec<String>,
        /// Write every program's answers here at once, and leave out what is there already
        #[arg(long, value_name = "FILE")]
        log: Option<PathBuf>,
        /// Ask this binary and not one built from these sources
        #[arg(long, value_name = "FILE")]
        binary: Option<PathBuf>,
        /// For every command, such as `--data-model ILP32`
        #[arg(last = true)]
        flags: Vec<String>,
    },
    /// Make deliberate mistakes, one at a time: do the tests notice?
    Mutants {
        /// Only those whose description contains this
        #[arg(long, default_value = "")]
        filter: String,
    },
    /// Compare the interpreter with the system compiler on random programs
    Csmith {
        /// How many programs
        #[arg(long, default_value_t = 1000)]
        count: u64,
        /// Csmith's seed of the first one
        #[arg(long, default_value_t = 1)]
        first: u64,
        /// Keep failing programs here
        #[arg(long, default_value = "target/csmith")]
        keep: PathBuf,
    },
    /// Compare proofs by induction with all inputs of generated programs
    Proofs {
        /// How many programs
        #[arg(long, default_value_t = 2000)]
        count: u64,
        /// The seed of the first one
        #[arg(long, default_value_t = 1000)]
        first: u64,
    },
    /// Run every program below a folder on random inputs: which are taken, and what is missing
    Survey {
        folder: PathBuf,
        #[arg(long, default_value_t = 100)]
        runs: u32,
        /// For the runs, such as `--data-model ILP32`
        #[arg(last = true)]
        flags: Vec<String>,
    },
    /// Verify every program below a folder whose name says the expected verdict
    Verdicts {
        folder: PathBuf,
        /// Only the programs of this CSV, whose last column is a path
        #[arg(long)]
        list: Option<PathBuf>,
        /// Seconds for each
        #[arg(long, default_value_t = 10)]
        timeout: u32,
        #[arg(long, default_value_t = 1)]
        jobs: usize,
        /// Show also the programs with the right verdict
        #[arg(long)]
        all: bool,
        /// For `verify`, such as `--unwind 8`
        #[arg(last = true)]
        flags: Vec<String>,
    },
    /// Print a table of a published method for our own programs, or for those of a folder
    Tables {
        what: Table,
        /// The programs; without it, our own
        folder: Option<PathBuf>,
        /// The same as the folder
        #[arg(long, value_name = "DIR", conflicts_with = "folder")]
        programs: Option<PathBuf>,
        /// For `localize`: only the programs of this CSV, whose last column is a path
        #[arg(long, alias = "list", value_name = "FILE")]
        manifest: Option<PathBuf>,
        /// For `localize`: every kind of error trace (Table 2), not one trace (Table 1)
        #[arg(long)]
        all_traces: bool,
        /// Seconds for each
        #[arg(long, default_value_t = 120)]
        timeout: u32,
        /// For `verify`: some parts alone: `seeds`, `1` to `4`, `speed`
        #[arg(long)]
        part: Vec<String>,
        /// For `verify`: seeds from 1 to this one
        #[arg(long, default_value_t = 3)]
        seeds: u64,
        /// For `textbook`: only functions whose name contains this
        #[arg(long, default_value = "")]
        filter: String,
        /// For `textbook` and `invariants`: this program instead of the release build
        #[arg(long, value_name = "FILE")]
        binary: Option<PathBuf>,
        /// For the command, such as `--data-model ILP32`
        #[arg(last = true)]
        flags: Vec<String>,
    },
    /// Keep what another task prints, in `record/NAME.txt` and where `docs/results.md` has a place for it
    Record {
        name: String,
        /// Such as `tables explain`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
        task: Vec<String>,
    },
    /// Mine a synthetic trace in parts, as a cluster would, and say what that costs
    Parts {
        /// The size of the trace, which is made for it and not kept
        #[arg(long, default_value_t = 200)]
        megabytes: u64,
        /// On two processors
        #[arg(long, default_value_t = 16)]
        parts: usize,
        /// For a tree of reducers
        #[arg(long, default_value_t = 1000)]
        many: usize,
        /// This program instead of the release build
        #[arg(long)]
        binary: Option<PathBuf>,
    },
    /// The house in numbers: crates, lines, long files and functions, names and words, and its limits
    House {
        /// Every row of every list
        #[arg(long)]
        all: bool,
    },
    /// A report of every kind, from the repository's own examples, and a page that lists them
    Gallery {
        #[arg(long, default_value = "target/gallery")]
        folder: PathBuf,
        /// Take README's picture as well, by Chromium
        #[arg(long)]
        picture: bool,
    },
    /// How sizes and times grow, as a plot
    Growth {
        /// Where `growth.svg` goes
        #[arg(long, default_value = "record")]
        folder: PathBuf,
    },
    /// Time ours and another tool on the same work, in one run
    Ratio {
        what: Subject,
        #[arg(long, default_value_t = 10)]
        repetitions: usize,
        /// For `cbmc`: where the programs are
        #[arg(long)]
        folder: Option<PathBuf>,
        /// For `cbmc`: a CSV whose last column is a path
        #[arg(long)]
        list: Option<PathBuf>,
        /// For `parsers`: a folder with fetched sources; repeatable
        #[arg(long)]
        source: Vec<PathBuf>,
        /// For `parsers`: seconds of the processor for each
        #[arg(long, default_value_t = 30)]
        seconds: u64,
        /// For `parsers`: this program instead of the release build
        #[arg(long)]
        binary: Option<PathBuf>,
    },
}

#[derive(clap::Args)]
struct SpectrumArgs {
    /// A folder for each program, with `tests/` and `changed.txt` (the file of each faulty version and its wrong lines)
    folder: PathBuf,
    /// Only versions whose name (`tcas/v1`) contains this
    #[arg(long, default_value = "")]
    filter: String,
    /// Seconds for each
    #[arg(long, default_value_t = 60)]
    timeout: u32,
    /// This program instead of the release build
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Flags of `localize`
    #[arg(last = true)]
    flags: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Table {
    /// Guesses, saved solver calls and times of `explain`, eager and lazy
    Explain,
    /// Relevant statements and times of `localize`
    Localize,
    /// Tables 1 to 4 of the PAC study for `corpus/recursive`, every seed, and samples a second
    Verify,
    /// Automata and formulas of `invariants` for the programs of `corpus/linear`
    Invariants,
    /// What `invariants` proves of the functions of `corpus/linear/textbook`, and whether Frama-C/WP confirms it
    Textbook,
    /// Scenarios of the programs of `corpus/protocol`, and how a specification grows with them
    Mine,
}

#[derive(Clone, Copy, ValueEnum)]
enum Subject {
    /// The interpreter against `cc -O0` and CPython
    Interp,
    /// The learners against AALpy
    Learn,
    /// One encoding asked many times, against one for each question
    Symex,
    /// Learning on one encoding against one process for each question
    Explain,
    /// Time to verdict against CBMC, with `--folder` and `--list`
    Cbmc,
    /// Recording against strace, and how much a second is mined
    Mine,
    /// Fetched parsers with a few free bytes, with `--source`
    Parsers,
}

type Outcome = Result<bool, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let outcome = match Cli::parse().task {
        Task::Setup => Ok(set_up()),
        Task::Dist {
            deb,
            wheel,
            docker,
            check,
        } => dist::run(dist::Wanted {
            deb,
            wheel,
            docker,
            check,
        })
        .map(|_| true),
        Task::Newcomer { binary } => newcomer::walk(binary.as_deref()).map(|walk| {
            println!(
                "README: {} commands, {} transcripts, {} links are true; left out: {}",
                walk.commands.len(),
                walk.transcripts,
                walk.links,
                walk.left_out.join("; ")
            );
            true
        }),
        Task::Test { fast } => test(fast),
        Task::Publish {
            write_surface: true,
            ..
        } => write_surfaces(),
        Task::Publish { quick, since, .. } => check_publishing(quick, since.as_deref()),
        Task::Corpus { filter, slow } => run_corpus(&filter, slow),
        Task::Spectrum(args) => rank_faults(args),
        Task::Deadline {
            seconds,
            filter,
            stride,
            jobs,
            all_ways,
            all,
            binary,
        } => {
            let config = deadline::Config {
                seconds,
                filter,
                stride,
                jobs,
                all_ways,
            };
            run_deadline(binary, &config, all)
        }
        Task::Mutants { filter } => run_mutants(&filter),
        Task::Proofs { count, first } => run_proofs(first, count),
        Task::Csmith { count, first, keep } => run_csmith(first..first + count, &keep),
        Task::Survey {
            folder,
            runs,
            flags,
        } => run_survey(&folder, runs, &flags),
        Task::Agree {
            programs,
            generated,
            seed,
            timeout,
            jobs,
            every,
            from,
            expected,
            only,
            log,
            binary,
            flags,
        } => {
            let options = agree::Options {
                timeout,
                jobs,
                flags,
                only,
            };
            let work = || {
                let mut paths = programs_of(&programs, expected)?;
                // The same names each time, for the log.
                paths.extend(generate(&root().join("target/agree"), seed, generated)?);
                let chosen: Vec<PathBuf> =
                    paths.into_iter().skip(from).step_by(every.max(1)).collect();
                agree_on(chosen, log.as_deref(), binary, &options)
            };
            work()
        }
        Task::Verdicts {
            folder,
            list,
            timeout,
            jobs,
            all,
            flags,
        } => {
            let run = |tasks: &[verdicts::Task]| {
                let idiolect = release_binary()?;
                let cases = verdicts::judge_all(&idiolect, tasks, jobs, timeout, &flags);
                println!("{}", verdicts::table(&folder, &cases, all));
                let is_fine = |j| matches!(j, Judgement::Right | Judgement::Undecided);
                Ok(cases.iter().all(|c| is_fine(c.judgement)))
            };
            match verdicts::tasks(&folder, list.as_deref()) {
                Ok(tasks) => run(&tasks),
                Err(error) => Err(error.into()),
            }
        }
        Task::Tables {
            what: Table::Explain,
            ..
        } => print_table(),
        Task::Tables {
            what: Table::Mine, ..
        } => print_protocol(),
        Task::Tables {
            what: Table::Invariants,
            flags,
            binary,
            ..
        } => print_invariants(binary, &flags),
        Task::Tables {
            what: Table::Textbook,
            flags,
            filter,
            binary,
            ..
        } => print_textbook(binary, &flags, &filter),
        Task::Tables {
            what: Table::Localize,
            folder,
            programs,
            manifest,
            all_traces,
            timeout,
            flags,
            ..
        } => {
            let table = if all_traces {
                localize::table_of_all_traces
            } else {
                localize::table
            };
            let folder = folder.or(programs);
            print_localize(
                folder.as_deref(),
                manifest.as_deref(),
                timeout,
                &flags,
                table,
            )
        }
        Task::Tables {
            what: Table::Verify,
            folder,
            programs,
            part,
            seeds,
            timeout,
            ..
        } => {
            let folder = folder.or(programs).map(|f| f.display().to_string());
            let mut arguments: Vec<String> = folder.into_iter().chain(part).collect();
            arguments.extend(["--timeout".to_owned(), timeout.to_string()]);
            verify_tables(&arguments, seeds)
        }
        Task::Record { name, task } => record::run(&name, &task),
        Task::Parts {
            megabytes,
            parts,
            many,
            binary,
        } => binary
            .map_or_else(release_binary, Ok)
            .and_then(|idiolect| parts::run(&idiolect, megabytes, parts, many)),
        Task::House { all } => house::run(all),
        Task::Gallery { folder, picture } => release_binary().and_then(|idiolect| {
            if picture {
                gallery::picture(&idiolect, &root().join("docs/report.png"))?;
            }
            let list = gallery::make(&idiolect, &folder)?;
            println!("{}", list.display());
            Ok(true)
        }),
        Task::Growth { folder } => {
            release_binary().and_then(|idiolect| growth::run(&idiolect, &folder))
        }
        Task::Ratio {
            what: Subject::Cbmc,
            repetitions,
            folder: Some(folder),
            list: Some(list),
            ..
        } => release_binary()
            .and_then(|idiolect| ratio::cbmc::run(&idiolect, &folder, &list, repetitions)),
        Task::Ratio {
            what: Subject::Parsers,
            source,
            seconds,
            binary,
            ..
        } => binary
            .map_or_else(release_binary, Ok)
            .and_then(|idiolect| ratio::parsers::run(&idiolect, &source, seconds)),
        Task::Ratio {
            what, repetitions, ..
        } => run_ratio(what, repetitions),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn set_up() -> bool {
    let missing = setup::install_tools();
    for tool in &missing {
        eprintln!("missing: {tool}; the tests that need it will say that they are skipped");
    }
    let packages = setup::install_for_tests();
    packages && missing.is_empty() || std::env::var_os("CI").is_none()
}

/// The example looks at parts of a verification that no command shows.
fn verify_tables(arguments: &[String], seeds: u64) -> Outcome {
    let status = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--release", "-p", "idiolect-verify"])
        .args(["--example", "tables", "--"])
        .args(arguments)
        .args(["--seeds", &seeds.to_string()])
        .current_dir(root())
        .status()?;
    let published = [
        ("1", "verify-learners", "Published, Table 1: learners"),
        ("2", "verify-strategies", "Published, Table 2: strategies"),
        (
            "3",
            "verify-restarts",
            "Published, Table 3: when the error was found",
        ),
        (
            "4",
            "verify-quality",
            "Published, Table 4: batches of 1500 that a model accepts",
        ),
    ];
    for (part, name, title) in published {
        if arguments.iter().any(|a| a == part) {
            println!("{}", Published::read(name)?.text(title));
        }
    }
    Ok(status.success())
}

/// The test of `prove` that does it, with as many programs as are asked for.
fn run_proofs(first: u64, count: u64) -> Outcome {
    let status = Command::new(env!("CARGO"))
        .args(["test", "--release", "-p", "idiolect-prove", "--test", "it"])
        .arg("brute_force")
        .env("IDIOLECT_PROOFS", format!("{first} {count}"))
        .status()?;
    Ok(status.success())
}

fn test(fast: bool) -> Outcome {
    if fast {
        let from_outside = ["architecture::", "help::", "schema::"];
        let units = cargo(&[
            "test",
            "--workspace",
            "--exclude",
            "xtask",
            "--lib",
            "--bins",
        ])?;
        let it = ["test", "-p", "idiolect", "--test", "it", "--"];
        return Ok(units && cargo(&[&it[..], &from_outside[..]].concat())?);
    }
    if !set_up() {
        return Ok(false);
    }
    Ok(cargo(&["test", "--workspace"])? && check_publishing(true, None)?)
}

fn write_surfaces() -> Outcome {
    for package in publish::CRATES {
        std::fs::write(surface::file(package), surface::now(package)?)?;
    }
    Ok(true)
}

/// Says which promises since a revision are broken.
fn check_surfaces(revision: &str) -> Outcome {
    let mut all = true;
    for package in publish::CRATES {
        let old = surface::at(package, revision);
        let old = old.ok_or_else(|| format!("`{package}` has no surface at {revision}"))?;
        let broken = surface::broken(&old, &surface::now(package)?);
        let said = if broken.is_empty() {
            "ok    "
        } else {
            "FAILED"
        };
        println!("{said} surface of {package} since {revision}");
        for line in &broken {
            println!("       gone: {line}");
        }
        all &= broken.is_empty();
    }
    Ok(all)
}

fn check_publishing(quick: bool, since: Option<&str>) -> Outcome {
    let mut all = match since {
        Some(revision) => check_surfaces(revision)?,
        None => true,
    };
    // It knows more, and takes long to install.
    let since = since.filter(|_| publish::has_semver_checks());
    for mut step in publish::steps(quick, since) {
        let is_fine = step.command.status()?.success();
        println!(
            "{} {}",
            if is_fine { "ok    " } else { "FAILED" },
            step.name
        );
        all &= is_fine;
    }
    Ok(all)
}

fn run_corpus(filter: &str, with_slow: bool) -> Outcome {
    let cases = corpus::cases(&root().join("corpus"), filter)?;
    let reports = corpus::run(&release_binary()?, &cases, with_slow)?;
    println!("{}", corpus::table(&reports));
    Ok(!reports.is_empty() && reports.iter().all(corpus::Report::is_as_expected))
}

fn run_mutants(filter: &str) -> Outcome {
    let mutants = mutants::list(filter)?;
    let fates = mutants::run(&mutants, |mutant, fate| {
        println!("{fate:<16} {}", mutant.what)
    })?;
    let noticed = fates.iter().filter(|&&f| f != Fate::Survives).count();
    println!("{noticed} of {} mistakes are noticed", fates.len());
    Ok(noticed == fates.len())
}

fn run_deadline(binary: Option<PathBuf>, config: &deadline::Config, all: bool) -> Outcome {
    let idiolect = match binary {
        Some(path) => std::path::absolute(path)?,
        None => release_binary()?,
    };
    let folder = deadline::folder();
    let jobs = deadline::jobs(&folder, config)?;
    let reports = deadline::run(&idiolect, &jobs, config, &folder, |report| {
        if all || !report.faults.is_empty() {
            println!("{}", deadline::line(report));
        }
    });
    let wrong = reports.iter().filter(|r| !r.faults.is_empty()).count();
    println!(
        "{} of {} jobs end in time, with an answer",
        reports.len() - wrong,
        reports.len()
    );
    Ok(wrong == 0 && !reports.is_empty())
}

fn run_csmith(seeds: std::ops::Range<u64>, keep: &std::path::Path) -> Outcome {
    let differential = Differential::new(release_binary()?);
    let summary = csmith::compare(&differential, seeds, Some(keep))?;
    for failure in &summary.failures {
        println!("seed {}: {}", failure.seed, failure.what);
    }
    println!(
        "{} same, {} without a reference, {} differ",
        summary.same,
        summary.no_reference,
        summary.failures.len()
    );
    Ok(summary.failures.is_empty())
}

fn run_survey(folder: &std::path::Path, runs: u32, flags: &[String]) -> Outcome {
    let programs = survey::programs(folder)?;
    let cases = survey::survey(&release_binary()?, &programs, runs, flags);
    println!("{}", survey::table(folder, &cases));
    Ok(!cases.iter().any(|c| matches!(c.what, What::Broken(_))))
}

fn print_table() -> Outcome {
    println!("{}", explain::table(&release_binary()?)?);
    let title =
        "Published (Table 2): programs of which some of ours are likenesses, CBMC as the solver";
    println!("{}", Published::read("explain")?.text(title));
    Ok(true)
}

fn print_protocol() -> Outcome {
    let (tables, is_as_told) = xtask::protocol::tables(&release_binary()?)?;
    println!("{tables}");
    let title = "Published (Tables 1 and 2): programs that take the selection of X11";
    println!("{}", Published::read("mine")?.text(title));
    Ok(is_as_told)
}

fn print_invariants(binary: Option<PathBuf>, flags: &[String]) -> Outcome {
    let (table, is_complete) = invariants::table(&this_or_release(binary)?, flags)?;
    println!("{table}");
    Ok(is_complete)
}

fn print_textbook(binary: Option<PathBuf>, flags: &[String], filter: &str) -> Outcome {
    let (table, is_confirmed) = textbook::table(&this_or_release(binary)?, flags, filter)?;
    println!("{table}");
    Ok(is_confirmed)
}

fn this_or_release(binary: Option<PathBuf>) -> Result<PathBuf, Box<dyn std::error::Error>> {
    match binary {
        Some(binary) => Ok(std::path::absolute(binary)?),
        None => release_binary(),
    }
}

type LocalizeTable =
    fn(&std::path::Path, &[(String, xtask::verdicts::Task)], u32, &[String]) -> (String, bool);

fn print_localize(
    folder: Option<&std::path::Path>,
    list: Option<&std::path::Path>,
    timeout: u32,
    flags: &[String],
    table: LocalizeTable,
) -> Outcome {
    let idiolect = release_binary()?;
    let Some(folder) = folder else {
        let faults = localize::faults()?;
        let seen: std::io::Result<Vec<_>> = faults
            .iter()
            .map(|fault| localize::look_at(&idiolect, fault))
            .collect();
        println!("{}", localize::fault_table(&seen?));
        return Ok(true);
    };
    let tasks = localize::tasks(folder, list)?;
    let (table, is_done) = table(&idiolect, &tasks, timeout, flags);
    println!("{table}");
    Ok(is_done)
}

/// Prints as it goes, and the table at the end.
fn rank_faults(args: SpectrumArgs) -> Outcome {
    let idiolect = match args.binary {
        Some(binary) => binary,
        None => release_binary()?,
    };
    let mut all = Vec::new();
    for version in spectrum::versions(&args.folder, &args.filter)? {
        let ranks = spectrum::rank(&idiolect, &version, args.timeout, &args.flags)?;
        eprintln!("{}: {:?}, {:?}", version.name, ranks.ours, ranks.ochiai);
        all.push(ranks);
    }
    println!("{}", spectrum::table(&all));
    Ok(!all.is_empty())
}

fn run_ratio(what: Subject, repetitions: usize) -> Outcome {
    match what {
        Subject::Interp => ratio::interp::run(&release_binary()?, repetitions),
        Subject::Learn => ratio::learn::run(repetitions),
        Subject::Symex => ratio::symex::run(repetitions),
        Subject::Explain => {
            let pairs = explain::ratios(&release_binary()?, repetitions)?;
            println!("{}", ratio::table("one process per question", &pairs));
            Ok(true)
        }
        Subject::Cbmc => Err("`ratio cbmc` needs `--folder` and `--list`".into()),
        Subject::Mine => ratio::mine::run(&release_binary()?, repetitions),
        Subject::Parsers => Err("`ratio parsers` needs `--source`".into()),
    }
}

fn cargo(args: &[&str]) -> Outcome {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(args)
        .current_dir(root())
        .status()?;
    Ok(status.success())
}

/// Builds idiolect as users have it.
fn release_binary() -> Result<PathBuf, Box<dyn std::error::Error>> {
    if cargo(&["build", "--quiet", "--release", "--package", "idiolect"])? {
        Ok(root().join("target/release/idiolect"))
    } else {
        Err("idiolect does not build".into())
    }
}

/// Compares what all commands say; `true` if nothing is wrong.
/// The programs of these files and folders; without any, those of `corpus/`.
fn programs_of(given: &[PathBuf], expected: bool) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    let default = [root().join("corpus")];
    let chosen = if given.is_empty() {
        &default[..]
    } else {
        given
    };
    for path in chosen {
        if path.is_dir() && expected {
            let tasks = verdicts::tasks(path, None)?;
            paths.extend(tasks.into_iter().map(|t| t.path));
        } else if path.is_dir() {
            paths.extend(survey::programs(path)?);
        } else {
            paths.push(path.clone());
        }
    }
    Ok(paths)
}

fn generate(folder: &Path, seed: u64, count: u64) -> std::io::Result<Vec<PathBuf>> {
    std::fs::create_dir_all(folder)?;
    let mut paths = Vec::new();
    for i in 0..count {
        let path = folder.join(format!("generated-{seed}-{i}.c"));
        std::fs::write(&path, agree::program(seed, i))?;
        paths.push(path);
    }
    Ok(paths)
}

fn agree_on(
    programs: Vec<PathBuf>,
    log: Option<&Path>,
    binary: Option<PathBuf>,
    options: &agree::Options,
) -> Outcome {
    let idiolect = match binary {
        Some(binary) => binary,
        None => release_binary()?,
    };
    let (log, mut cases) = match log.map(agree::Log::open).transpose()? {
        Some((log, cases)) => (Some(log), cases),
        None => (None, Vec::new()),
    };
    let n_programs = programs.len();
    let open = agree::without(programs, &cases);
    let n_before = n_programs - open.len();
    let tell = |done: usize, case: &agree::Case| {
        eprint!("{}", case.troubles());
        if let Some(Err(error)) = log.as_ref().map(|log| log.add(case)) {
            eprintln!("the log cannot be written: {error}");
        }
        if done.is_multiple_of(20) {
            eprintln!("{} of {n_programs} programs", n_before + done);
        }
    };
    cases.extend(agree::compare_all(&idiolect, &open, options, &tell));
    println!("{}", agree::table(&cases));
    Ok(agree::is_clean(&cases))
}
