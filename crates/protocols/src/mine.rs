//! `idiolect mine`: the protocol that traces keep with an API.

mod merge;
mod parts;
mod review;
mod show;

pub use show::lives_json;

use super::traces::{self, Piece, StoredTrace, TraceFormatArgs};
use crate::args::{CommonArgs, output_file, refuse, up_to};
use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::looks;
use crate::output::{self, Timing};
use crate::progress::ProgressLine;
use clap::{Args, ValueEnum};
use idiolect_automata::formats::dot;
use idiolect_base::{Budget, Canceller, Place};
use idiolect_mine::trace::TraceFormat;
use idiolect_mine::{
    Api, ApiVocabulary, CountedScenarios, CountsError, Inferred, Mined, MinedSpecification,
    MiningConfig, PassiveLearner, RuleConfig, Seed, Summary, count_trace, in_parallel, infer, mine,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  idiolect mine server.trace --api socket --seed-call 'accept(so, return)'
  idiolect mine runs/*.trace --api stdio --spec stdio.spec --dot stdio.dot
  strace -f -ttt -o s.out ./server; idiolect mine s.out --format strace --api socket
  idiolect mine unknown.trace --infer --write-api my.toml

A trace has one call a line, `accept(so = 7, return = 8)`; `--` ends a run, `#` begins a comment.
API files that come with idiolect: socket, stdio, malloc, string, files, pthread, x11.

Beside the protocol around the seeds, `mine` says which rules the lives of objects keep, from the call
that makes one to the one that ends it. Every program has one vote.")]
pub struct MineArgs {
    /// Traces: text, JSON lines, or what strace or ltrace wrote; `-` reads standard input
    #[arg(required_unless_present_any = ["add_counts", "traces_from", "add_parts"], value_name = "TRACE")]
    traces: Vec<PathBuf>,

    /// More traces: a file with a path a line; `-` reads standard input
    #[arg(long, value_name = "LIST")]
    traces_from: Option<PathBuf>,

    /// Only these bytes of the one trace, as `--cuts` gives them
    #[arg(long, value_name = "A..B", conflicts_with_all = ["interactive", "traces_from"])]
    range: Option<String>,

    /// Print at most this many ranges of bytes into which the one trace can be cut, and nothing else
    #[arg(long, value_name = "N", conflicts_with_all = ["interactive", "infer", "traces_from"], value_parser = clap::value_parser!(u64).range(1..))]
    cuts: Option<u64>,

    /// The API: the name of one that comes with idiolect, or a file; repeat it to join several
    #[arg(long, value_name = "NAME|FILE")]
    api: Vec<String>,

    /// Propose from the traces which attributes define and use objects
    #[arg(long, conflicts_with = "api")]
    infer: bool,

    /// With `--infer`: write what was found in these traces, to be put together elsewhere, in two rounds;
    /// the second is given what the first found in all traces
    #[arg(long, value_name = "FILE", requires = "infer", value_parser = output_file())]
    write_part: Option<PathBuf>,

    /// With `--infer`: put together what `--write-part` wrote in one round
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "infer", conflicts_with = "add_counts")]
    add_parts: Vec<PathBuf>,

    /// Write the API that was used or proposed, as a file to be edited
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    write_api: Option<PathBuf>,

    /// The call around which scenarios are extracted, with attributes (default: the API's seeds)
    #[arg(long, value_name = "SKELETON")]
    seed_call: Vec<String>,

    #[command(flatten)]
    pub format: TraceFormatArgs,

    /// The most ancestors, and the most descendants, of a seed in a scenario
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = up_to(1_000_000))]
    size: usize,

    /// Edges taken with less than this probability are not part of the specification
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    cut: f64,

    /// The learner of the automaton
    #[arg(long, value_name = "NAME", default_value = "sk-strings")]
    learner: LearnerArg,

    /// How many letters sk-strings and k-tails look ahead
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = up_to(1000))]
    k: usize,

    /// The probability of the futures that states have to share (sk-strings)
    #[arg(long, value_name = "S", default_value_t = 0.5)]
    agree: f64,

    /// The significance of a difference (alergia)
    #[arg(long, value_name = "A", default_value_t = 0.05)]
    alpha: f64,

    /// A rule about objects needs at least this many programs (or runs, or objects) that show it
    #[arg(long, value_name = "N", default_value_t = RuleConfig::default().support)]
    rule_support: u64,

    /// A rule about objects needs this share of their votes
    #[arg(long, value_name = "P", default_value_t = RuleConfig::default().confidence)]
    rule_confidence: f64,

    /// Also list the scenario strings, the most frequent first
    #[arg(long)]
    strings: bool,

    /// Write how often each scenario was seen, to be added elsewhere; `-` is standard output
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    write_counts: Option<PathBuf>,

    /// Learn nothing, only count
    #[arg(long, requires = "write_counts", conflicts_with_all = ["interactive", "spec", "report"])]
    counts_only: bool,

    /// Add what `--write-counts` wrote with the same API, seeds and size, on this or another machine;
    /// `-` reads standard input
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "interactive")]
    add_counts: Vec<PathBuf>,

    /// Write the specification, for `idiolect check`
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    spec: Option<PathBuf>,

    /// Write the specification in DOT
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    dot: Option<PathBuf>,

    /// Write the specification as a drawing
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    svg: Option<PathBuf>,

    /// Write everything as one HTML page
    #[arg(long, value_name = "FILE.html", conflicts_with = "interactive", value_parser = output_file())]
    pub report: Option<PathBuf>,

    /// Go through the traces one by one and ask about those that do not fit
    #[arg(long)]
    interactive: bool,

    /// Write what was decided, a JSON object a line (with `--interactive`)
    #[arg(long, value_name = "FILE", requires = "interactive", value_parser = output_file())]
    log: Option<PathBuf>,

    /// How many traces are read at a time (default: one per core)
    #[arg(long, value_name = "N", value_parser = up_to(1024))]
    jobs: Option<usize>,

    #[command(flatten)]
    pub common: CommonArgs,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum LearnerArg {
    /// States merge if their likely futures of `--k` letters agree
    SkStrings,
    /// States merge if all their futures of `--k` letters agree
    KTails,
    /// As few states as the prefix tree allows; has no reason to keep any apart
    Rpni,
    /// States merge if their frequencies do not differ significantly
    Alergia,
}

impl LearnerArg {
    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or(String::new(), |v| v.get_name().to_owned())
    }
}

/// All that is known in the end.
struct Outcome<'a> {
    args: &'a MineArgs,
    api: Api,
    vocabulary: ApiVocabulary,
    inferred: Option<Inferred>,
    mined: Mined,
    counts: CountedScenarios,
    read: Read,
}

/// What reading all traces gave beside counts.
#[derive(Default)]
struct Read {
    warnings: Vec<String>,
    /// Whether some trace was not read to its end.
    stopped: bool,
}

impl Read {
    fn add(&mut self, name: &str, summary: &Summary) -> Result<(), CommandFailure> {
        self.warnings.extend(traces::judge(name, summary)?);
        self.stopped |= summary.stopped.is_some();
        Ok(())
    }
}

/// Mines a protocol.
pub fn run(args: &MineArgs, canceller: &Canceller) -> Result<Exit, CommandFailure> {
    let mut timing = Timing::start();
    check_numbers(args)?;
    let budget = args.common.budget(canceller);
    let mut paths = args.traces.clone();
    if let Some(list) = &args.traces_from {
        paths.extend(traces::listed(list)?);
    }
    let traces = StoredTrace::all(&paths)?;
    if let Some(n) = args.cuts {
        return cuts(&traces, n, args.format.of_traces());
    }
    if args.write_part.is_some() || !args.add_parts.is_empty() {
        return parts::run(args, &traces, &budget);
    }
    refuse(
        args.infer && args.range.is_some(),
        "what a part of a trace shows is no API",
        "add `--write-part FILE`, and put the parts together by `--add-parts`",
    )?;
    let (api, inferred) = api(args, &traces, &budget)?;
    let seeds = traces::seeds(&api, &args.seed_call)?;
    refuse(
        seeds.is_empty() && api.seeds.is_empty(),
        "the API has no seeds, and none was given",
        "name the call that scenarios are about, such as `--seed-call 'accept(so, return)'`",
    )?;
    if let Some(path) = &args.write_api {
        let mut api = api.clone();
        if !seeds.is_empty() {
            api.seeds.clone_from(&seeds);
        }
        output::write_whole(path, api.to_toml().as_bytes())?;
    }
    timing.phase("api");
    let vocabulary = ApiVocabulary::new(&api, &seeds);
    if args.interactive {
        return review::run(args, &api, &vocabulary, &traces, &budget);
    }
    let (mut counts, read) = count(args, &vocabulary, &traces, &budget)?;
    if let (Some(path), true) = (&args.write_counts, args.counts_only) {
        merge::run(args, &vocabulary, counts, path)?;
        for warning in &read.warnings {
            output::print_error(&format!("warning: {warning}\n"));
        }
        return Ok(if read.stopped {
            Exit::Undecided
        } else {
            Exit::Clean
        });
    }
    add_counts(args, &vocabulary, &mut counts)?;
    if let Some(path) = &args.write_counts {
        let text = counts.write(&vocabulary, args.size);
        output::write_whole(path, text.as_bytes())?;
    }
    timing.phase("extract");
    // Who names a seed wants to know about it.
    let is_silent = counts.lives.n_lives() == 0 || !args.seed_call.is_empty();
    if counts.total() == 0 && is_silent {
        return Err(no_scenario(&vocabulary, &traces, &read));
    }
    let mined = mine(&vocabulary, &mut counts, &config(args));
    timing.phase("learn");
    write_files(args, &api, &vocabulary, &mined)?;
    let outcome = Outcome {
        args,
        api,
        vocabulary,
        inferred,
        mined,
        counts,
        read,
    };
    let timing = (!args.common.no_timing).then_some(&timing);
    let value = show::to_json(&outcome, timing);
    if let Some(path) = &args.svg {
        traces::write_svg(path, &value["specification"])?;
    }
    if let Some(path) = &args.report {
        let title = traces::title("mine", &traces);
        traces::write_report(path, title.trim_end(), &value, &[], &[])?;
    }
    let format = args.format.chosen(&args.common);
    looks::answer(&args.common, format, &value, || show::to_text(&outcome));
    Ok(if outcome.read.stopped {
        Exit::Undecided
    } else {
        Exit::Clean
    })
}

fn check_numbers(args: &MineArgs) -> Result<(), CommandFailure> {
    let share = |p: f64| (0.0..=1.0).contains(&p);
    refuse(
        !share(args.cut) || !share(args.agree) || !share(args.rule_confidence),
        "`--cut`, `--agree` and `--rule-confidence` are probabilities",
        "choose numbers between 0 and 1, such as `--cut 0.05 --agree 0.5`",
    )?;
    refuse(
        !(args.alpha > 0.0 && args.alpha < 1.0),
        "`--alpha` has to lie strictly between 0 and 1",
        "for instance `--alpha 0.05`",
    )?;
    let to_output = args
        .write_counts
        .as_ref()
        .is_some_and(|path| path.as_os_str() == "-");
    refuse(
        to_output && !args.counts_only,
        "counts and what is learned from them cannot both be on standard output",
        "add `--counts-only`, or write the counts to a file",
    )?;
    refuse(
        (args.range.is_some() || args.cuts.is_some()) && args.traces.len() != 1,
        "`--range` and `--cuts` are about one trace",
        "name one trace",
    )?;
    refuse(
        args.interactive && args.common.json,
        "`--interactive` talks to a person",
        "leave out `--json`; `--log FILE` has what was decided",
    )
}

fn config(args: &MineArgs) -> MiningConfig {
    let (k, agree, alpha) = (args.k, args.agree, args.alpha);
    MiningConfig {
        learner: match args.learner {
            LearnerArg::SkStrings => PassiveLearner::SkStrings { k, agree },
            LearnerArg::KTails => PassiveLearner::KTails { k },
            LearnerArg::Rpni => PassiveLearner::Rpni,
            LearnerArg::Alergia => PassiveLearner::Alergia { alpha },
        },
        cut: args.cut,
        rules: RuleConfig {
            support: args.rule_support,
            confidence: args.rule_confidence,
        },
    }
}

/// The API that was named, or the one that the traces suggest.
fn api(
    args: &MineArgs,
    traces: &[StoredTrace],
    budget: &Budget,
) -> Result<(Api, Option<Inferred>), CommandFailure> {
    if !args.api.is_empty() {
        return Ok((traces::load_apis(&args.api)?, None));
    }
    refuse(
        !args.infer,
        "which calls define and use objects is not known",
        "name an API (`--api socket`, or a file), or let `--infer` propose one",
    )?;
    let progress = ProgressLine::start(&args.common, "inferring");
    progress.say(|| "which attributes define and use objects".to_owned());
    let mut failed = 0;
    let open = |i: usize| {
        failed = i;
        traces[i].open()
    };
    let inferred = infer(traces.len(), open, args.format.of_traces(), budget)
        .map_err(|source| traces[failed].cannot_read(source))?;
    let mut api = inferred.api.clone();
    for text in &args.seed_call {
        // A person's seed may name attributes in which no object was seen; that is said by `seeds`.
        if let Ok(seed) = Seed::parse(text)
            && api.check_seed(&seed).is_ok()
        {
            api.seeds.clear();
        }
    }
    Ok((api, Some(inferred)))
}

fn count(
    args: &MineArgs,
    vocabulary: &ApiVocabulary,
    traces: &[StoredTrace],
    budget: &Budget,
) -> Result<(CountedScenarios, Read), CommandFailure> {
    let progress = ProgressLine::start(&args.common, "extracting scenarios");
    let done = AtomicU64::new(0);
    let format: TraceFormat = args.format.of_traces();
    let shared = traces::Shared::new(budget);
    let pieces = match (&args.range, traces) {
        (Some(range), [trace]) => vec![Piece::of_range(trace, range, format)?],
        _ => Piece::all(traces, format)?,
    };
    let one = |piece: &Piece<'_>| {
        let budget = shared.budget();
        let counted = (piece.open())
            .and_then(|reader| {
                let name = piece.trace.name();
                count_trace(vocabulary, args.size, reader, piece.format, &name, &budget)
            })
            .map_err(|source| piece.trace.cannot_read(source));
        let n = done.fetch_add(1, Ordering::Relaxed) + 1;
        progress.count(n, Some(pieces.len() as u64), "pieces");
        counted
    };
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let results = in_parallel(&pieces, args.jobs.unwrap_or(cores), one);
    let mut merged = CountedScenarios::new(vocabulary);
    let mut read = Read::default();
    let mut results = pieces.iter().zip(results).peekable();
    let mut whole = Summary::default();
    while let Some((piece, result)) = results.next() {
        let (counts, summary) = result?;
        whole.append(summary);
        merged.merge(counts, vocabulary);
        let is_last = |(next, _): &(&Piece<'_>, _)| !std::ptr::eq(next.trace, piece.trace);
        if results.peek().is_none_or(is_last) {
            read.add(&piece.trace.name(), &std::mem::take(&mut whole))?;
        }
    }
    if merged.cut_closures > 0 {
        read.warnings.push(format!(
            "{} scenarios may lack calls that lie too far back",
            merged.cut_closures
        ));
    }
    Ok((merged, read))
}

/// Counts of other traces, which may have been made at the same time elsewhere.
fn add_counts(
    args: &MineArgs,
    vocabulary: &ApiVocabulary,
    counts: &mut CountedScenarios,
) -> Result<(), CommandFailure> {
    for path in &args.add_counts {
        let more = traces::opened(path)?;
        let more = CountedScenarios::read(more, vocabulary, args.size);
        counts.merge(more.map_err(|error| bad_counts(path, &error))?, vocabulary);
    }
    Ok(())
}

fn bad_counts(path: &Path, error: &CountsError) -> CommandFailure {
    CommandFailure::BadFile {
        code: "mine::bad-counts",
        message: error.to_string(),
        place: Some(Place {
            file: path.display().to_string(),
            line: error.line(),
            column: 1,
        }),
        help: "give a whole file that `idiolect mine --write-counts` wrote with the same API, \
               seeds and size"
            .to_owned(),
    }
}

/// Prints where a trace can be cut: where a run ends.
fn cuts(traces: &[StoredTrace], n: u64, format: TraceFormat) -> Result<Exit, CommandFailure> {
    let mut text = String::new();
    for trace in traces {
        let cuts = trace.cuts(n, format);
        let cuts = cuts.map_err(|source| trace.cannot_read(source))?;
        if n > 1 && cuts.len() == 1 {
            output::print_error(&format!(
                "warning: {} is one part: no run ends where it could be cut. A run as such is not cut: what a \
                 call means depends on the objects that are alive, so a part would wait for the one before it\n",
                trace.name()
            ));
        }
        for range in cuts {
            text.push_str(&format!("{}..{}\n", range.start, range.end));
        }
    }
    output::print(&text);
    Ok(Exit::Clean)
}

/// Nothing can be said about a protocol that no trace shows.
fn no_scenario(vocabulary: &ApiVocabulary, traces: &[StoredTrace], read: &Read) -> CommandFailure {
    let seeds: Vec<String> = vocabulary.seeds().iter().map(Seed::to_string).collect();
    let mut names: Vec<String> = traces.iter().map(StoredTrace::name).collect();
    if names.is_empty() {
        names.push("what was added".to_owned());
    }
    let mut help = "name a call that the traces have with `--seed-call`".to_owned();
    if let Some(warning) = read.warnings.first() {
        help = format!("{help}; {warning}");
    }
    CommandFailure::BadFile {
        code: "mine::no-scenario",
        message: format!(
            "{} has no call {}",
            names.join(", "),
            seeds.join(" and no call ")
        ),
        place: None,
        help,
    }
}

fn write_files(
    args: &MineArgs,
    api: &Api,
    vocabulary: &ApiVocabulary,
    mined: &Mined,
) -> Result<(), CommandFailure> {
    if let Some(path) = &args.spec {
        let spec = MinedSpecification::new(api, vocabulary, mined, args.size, args.cut);
        output::write_whole(path, spec.write().as_bytes())?;
    }
    if let Some(path) = &args.dot {
        let drawing = dot::write_nfa(&mined.specification, &mined.strings.alphabet);
        output::write_whole(path, drawing.as_bytes())?;
    }
    Ok(())
}
