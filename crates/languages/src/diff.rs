//! `idiolect diff`: what a change gained and lost, as automata with runs, and inputs on which both versions do
//! different things.

mod contract;
mod functions;
mod git;
mod places;
mod relation;

use self::functions::Changes;
use self::git::VersionNames;
use self::relation::{Observe, RelatedVersions};
use super::explain::{
    LanguageArgs, automaton_json, automaton_text, check_agreement, errors_of, load_with_events,
    of_each_loop_in, session_of, show_learning, shrunk, witness_run,
};
use crate::args::{CArgs, CommonArgs, FormatArgs, output_file, refuse, up_to};
use crate::claim;
use crate::ends as run_show;
use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::looks;
use crate::output::{self, Timing, counted};
use crate::progress::ProgressLine;
use clap::Args;
use idiolect_automata::Alphabet;
use idiolect_base::{Budget, Canceller, StopReason};
use idiolect_explain::{BranchNames, Choice, Difference, LanguageTarget, Side};
use idiolect_ir::callgraph::CallGraph;
use idiolect_outcome::results::{
    DiffResult, DiffStatistics, LanguageDifference, SideStatistics, TraceStep,
};
use idiolect_outcome::{
    Assumption, AssumptionKind, Conclusion, GuaranteeKind, Ledger, Verdict as Claim,
};
use idiolect_report::{Page, SourceText};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  idiolect diff old.c new.c
  idiolect diff old.c new.c --errors --report diff.html
  idiolect diff old.c new.c --entry insert --observe result
  idiolect diff --git HEAD~1 HEAD -- parser.c lexer.c
  idiolect diff --git-merge main~1 ours theirs main -- parser.c
  idiolect diff --merge examples/explain/merge/base.c examples/explain/merge/a.c \\
                examples/explain/merge/b.c examples/explain/merge/merged.c

Every word that is shown was asked of both programs: some run of one has it, and no run of the
other within the bounds. Exit code 1 means that there is a difference.")]
pub struct DiffArgs {
    #[command(flatten)]
    pub input: CArgs,

    #[command(flatten)]
    learning: LanguageArgs,

    /// Compare the languages of errors instead of those of programs
    #[arg(long)]
    errors: bool,

    /// Four programs: where two branches started, both branches, and what came of merging them
    #[arg(long)]
    merge: bool,

    /// Take the versions from git: all files, and what they include, are those of the revision
    #[arg(long, num_args = 2, value_names = ["REV1", "REV2"], conflicts_with = "merge")]
    git: Option<Vec<String>>,

    /// A merge from git: four revisions, as the four programs of --merge
    #[arg(
        long,
        num_args = 4,
        value_names = ["BASE", "A", "B", "MERGED"],
        conflicts_with_all = ["git", "merge"]
    )]
    git_merge: Option<Vec<String>>,

    /// What of the two programs is compared, separated by commas; words alone with --merge and --errors
    /// [default: words,result,stdout; with --entry also globals, which callers see]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    observe: Vec<Observe>,

    /// One more file of each version, such as one that calls what is compared; repeatable
    #[arg(long, value_name = "FILE.c")]
    driver: Vec<PathBuf>,

    /// Show runs for at most this many words on each side
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = up_to(1_000_000))]
    witnesses: usize,

    /// Write one self-contained HTML page
    #[arg(long, value_name = "FILE.html", value_parser = output_file())]
    pub report: Option<PathBuf>,

    /// Write the differences as SARIF 2.1.0
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    sarif: Option<PathBuf>,

    #[command(flatten)]
    pub format: FormatArgs,

    #[command(flatten)]
    pub common: CommonArgs,
}

impl DiffArgs {
    /// Asks the preprocessor for what the events name.
    pub fn resolve(&mut self) -> Result<(), CommandFailure> {
        if self.observe.is_empty() {
            self.observe = vec![Observe::Words, Observe::Result, Observe::Stdout];
            self.observe
                .extend((self.input.entry != "main").then_some(Observe::Globals));
        }
        self.learning.resolve_macros(&self.input)
    }

    fn is_merge(&self) -> bool {
        self.merge || self.git_merge.is_some()
    }

    /// The revisions, if the programs come from git.
    fn revisions(&self) -> Option<&[String]> {
        self.git.as_deref().or(self.git_merge.as_deref())
    }
}

/// One comparison and what it is called.
struct Finding {
    kind: FindingKind,
    title: String,
    difference: Difference,
    /// The file that has the words, for commands that show their runs.
    side: usize,
}

/// What words are found to be.
#[derive(Clone, Copy, Debug)]
enum FindingKind {
    Gained,
    Lost,
    NotInA,
    NotInB,
    InNeither,
}

impl FindingKind {
    /// Its field of the outcome.
    fn field(self, result: &mut DiffResult) -> &mut Option<LanguageDifference> {
        match self {
            Self::Gained => &mut result.gained,
            Self::Lost => &mut result.lost,
            Self::NotInA => &mut result.not_in_a,
            Self::NotInB => &mut result.not_in_b,
            Self::InNeither => &mut result.in_neither,
        }
    }
}

/// Shows what a change or a merge gained and lost.
pub fn run(args: &DiffArgs, canceller: &Canceller) -> Result<Exit, CommandFailure> {
    let mut timing = Timing::start();
    let budget = args.common.budget(canceller);
    // Kept until the end, so that the files are there to be read.
    let scratch = tempfile::tempdir().map_err(|source| CommandFailure::CannotWrite {
        path: std::env::temp_dir(),
        source,
    })?;
    let mut inputs = inputs(args, scratch.path())?;
    contract::share(&mut inputs)?;
    let inputs = inputs;
    let progress = Rc::new(ProgressLine::start(&args.common, "diff"));
    let mut sides = Vec::new();
    let mut warnings = Vec::new();
    for (i, input) in inputs.iter().enumerate() {
        let whose = format!("program {} of {}", i + 1, inputs.len());
        progress.say(|| whose.clone());
        let learning = places::events_of(&args.learning, &inputs[0], input);
        let (side, mut more) = learn_side(args, &learning, input, &budget, &progress, &whose)?;
        warnings.append(&mut more);
        match side {
            Ok(side) => sides.push(side),
            Err(reason) => {
                return Ok(output::not_started(
                    "diff",
                    (&args.common, args.format.chosen(&args.common)),
                    reason,
                    &timing,
                ));
            }
        }
    }
    timing.phase("learn");
    let alphabet = sides.iter().fold(Alphabet::default(), |all, side| {
        all.unite(side.session.vocabulary().alphabet()).0
    });
    let findings = if args.observe.contains(&Observe::Words) {
        compare(args, &mut sides, &alphabet)
    } else {
        Vec::new()
    };
    let mut findings = findings;
    for finding in &mut findings {
        let session = &sides[finding.side].session;
        let witnesses = std::mem::take(&mut finding.difference.witnesses).into_iter();
        finding.difference.witnesses = witnesses.map(|w| shrunk(session, w, &budget)).collect();
    }
    timing.phase("compare");
    let relations = relations(args, &sides, &alphabet, &budget, &progress);
    timing.phase("relate");
    drop(progress);
    for side in &sides {
        check_agreement(&side.session)?;
    }
    warnings.extend(letters_of_one_side(args, &inputs, &sides));
    let changes = match sides.as_slice() {
        [old, new] => Changes::of(old.session.program(), new.session.program()),
        _ => Changes::default(),
    };
    // Of one program twice, nothing that is not known of it makes a difference.
    let is_identical = relations.iter().any(RelatedVersions::is_identical);
    let stopped = (sides.iter().filter_map(|s| s.language.stopped))
        .chain(findings.iter().filter_map(|f| f.difference.stopped))
        .find(|_| !is_identical);
    let mut doubts = Vec::new();
    let uncertain: &mut [Side<'_>] = if is_identical { &mut [] } else { &mut sides };
    for side in uncertain {
        let bounds = side.language.bounds;
        let program = Arc::clone(side.session.program());
        doubts.extend(claim::ledger(&program).entries().iter().cloned());
        for doubt in side.session.doubts(&bounds) {
            doubts.push(claim::of_language(&program, &doubt));
        }
        match side.session.fault(&bounds) {
            Some(Err(doubt)) => doubts.push(claim::of_language(&program, &doubt)),
            Some(Ok(end)) => {
                doubts.push(claim::ends_at_fault(
                    &program,
                    "within the bounds",
                    end.place,
                ));
            }
            None => {}
        }
    }
    let outcome = Outcome {
        doubts,
        inputs: &inputs,
        sides: &sides,
        findings: &findings,
        warnings: &warnings,
        stopped,
        relations,
        changes,
    };
    let names = VersionNames::new(args.revisions().unwrap_or_default(), scratch.path());
    let mut value = outcome.json(args, &timing);
    if let Some(path) = &args.sarif {
        let mut in_repository = value.clone();
        names.without_revisions().rename_in(&mut in_repository);
        output::write_sarif(path, &in_repository)?;
    }
    names.rename_in(&mut value);
    if let Some(path) = &args.report {
        output::write_whole(path, outcome.page(&value, &names).as_bytes())?;
    }
    let format = args.format.chosen(&args.common);
    looks::answer(&args.common, format, &value, || {
        names.rename(&outcome.text(args))
    });
    let exit = args.common.exit(&outcome.conclusion());
    output::leave(sides);
    Ok(exit)
}

/// Both versions on the same inputs. Words come last, where nothing else is seen to differ.
fn relations(
    args: &DiffArgs,
    sides: &[Side<'_>],
    alphabet: &Alphabet,
    budget: &Budget,
    progress: &ProgressLine,
) -> Vec<RelatedVersions> {
    let [old, new] = sides else {
        return Vec::new();
    };
    if args.errors {
        return Vec::new();
    }
    let mut say = |stage: &str| progress.say(|| stage.to_owned());
    let mut relate = |observed| {
        let [old, new] = [old, new].map(|side| side.session.program());
        RelatedVersions::of(old, new, observed, args.common.seed, budget, &mut say)
    };
    let mut list: Vec<RelatedVersions> = Vec::new();
    list.extend(relation::observed(&args.observe).map(&mut relate));
    let is_settled = list.iter().any(|r| r.is_different() || r.is_identical());
    if args.observe.contains(&Observe::Words) && !is_settled {
        let letters = [old, new].map(|side| side.session.vocabulary().letters_in(alphabet));
        list.push(relate(relation::words(letters)));
    }
    list
}

/// One input for each program: the files as given, or the versions of all files in git.
fn inputs(args: &DiffArgs, scratch: &Path) -> Result<Vec<CArgs>, CommandFailure> {
    let given = args.input.files.len();
    if let Some(revisions) = args.revisions() {
        return git::versions(&args.input, &args.driver, revisions, scratch);
    }
    let needed = if args.merge { 4 } else { 2 };
    refuse(
        given != needed,
        &match given {
            1 => format!("1 file was given, and {needed} are needed"),
            _ => format!("{given} files were given, and {needed} are needed"),
        },
        "see the examples of `idiolect diff --help`",
    )?;
    // A copy of a file is compiled as the file is.
    let flags = &args.input.build.flags_of;
    let known = |file: &PathBuf| {
        let own_name = |path: &&PathBuf| path.file_name() == file.file_name();
        let same = flags.keys().find(own_name).or_else(|| flags.keys().next());
        flags.get(same?).cloned()
    };
    let one = |file: PathBuf| {
        let mut input = args.input.with_file(file.clone());
        if !flags.contains_key(&file)
            && let Some(known) = known(&file)
        {
            input.build.flags_of.insert(file, known);
        }
        input.files.extend(args.driver.iter().cloned());
        input
    };
    Ok(args.input.files.iter().cloned().map(one).collect())
}

type Learned<'a> = (Result<Side<'a>, StopReason>, Vec<String>);

fn learn_side<'a>(
    args: &DiffArgs,
    learning: &LanguageArgs,
    input: &CArgs,
    budget: &'a Budget,
    progress: &Rc<ProgressLine>,
    whose: &str,
) -> Result<Learned<'a>, CommandFailure> {
    let loaded = load_with_events(input, learning)?;
    let warnings = loaded.warnings();
    let program = Arc::new(loaded.program);
    let calls = CallGraph::new(&program);
    let mut options = args.learning.options(input);
    // What two programs have is compared word by word: nothing is left open.
    options.is_free_beyond = false;
    let target = if args.errors {
        errors_of(&program, &options, None)?
    } else {
        LanguageTarget::Program
    };
    let choice = Choice {
        branches: BranchNames::Function,
        ..learning.choice()
    };
    let session = session_of(&program, &calls, &target, &choice, &options, budget)?;
    let side = session.map(|mut session| {
        let (progress, whose) = (Rc::clone(progress), format!("{whose}, "));
        session.on_progress(move |now| show_learning(&progress, &whose, now));
        // Two languages are compared at the same bounds; one that settled earlier says less.
        let (unwind, word_length) = if args.observe.contains(&Observe::Words) {
            (args.learning.fixed_bounds()).unwrap_or((options.max_unwind, options.max_word_length))
        } else {
            (0, 0)
        };
        let language = session.learn_at(unwind, word_length);
        session.on_progress(|_| {});
        Side { session, language }
    });
    Ok((side, warnings))
}

fn compare(args: &DiffArgs, sides: &mut [Side<'_>], alphabet: &Alphabet) -> Vec<Finding> {
    let n = args.witnesses;
    match sides {
        [old, new] => vec![
            Finding {
                kind: FindingKind::Gained,
                title: "gained, in the new program only".into(),
                difference: new.without(&mut [old], alphabet, n),
                side: 1,
            },
            Finding {
                kind: FindingKind::Lost,
                title: "lost, in the old program only".into(),
                difference: old.without(&mut [new], alphabet, n),
                side: 0,
            },
        ],
        [_, a, b, merged] => vec![
            Finding {
                kind: FindingKind::NotInA,
                title: "merged, but not in A".into(),
                difference: merged.without(&mut [a], alphabet, n),
                side: 3,
            },
            Finding {
                kind: FindingKind::NotInB,
                title: "merged, but not in B".into(),
                difference: merged.without(&mut [b], alphabet, n),
                side: 3,
            },
            Finding {
                kind: FindingKind::InNeither,
                title: "merged, but in neither: nobody wrote this".into(),
                difference: merged.without(&mut [a, b], alphabet, n),
                side: 3,
            },
        ],
        _ => Vec::new(),
    }
}

/// Letters that not all programs have.
fn letters_of_one_side(args: &DiffArgs, inputs: &[CArgs], sides: &[Side<'_>]) -> Vec<String> {
    if args.is_merge() {
        return Vec::new();
    }
    let mut list = Vec::new();
    for (i, side) in sides.iter().enumerate() {
        let own = side.session.vocabulary().alphabet();
        let other = sides[1 - i.min(1)].session.vocabulary().alphabet();
        let only: Vec<&str> = (own.names().iter().map(String::as_str))
            .filter(|name| other.letter(name).is_none())
            .collect();
        if !only.is_empty() {
            let file = match args.revisions().and_then(|list| list.get(i)) {
                Some(revision) => format!("{revision}:{}", args.input.files[0].display()),
                None => inputs[i].files[0].display().to_string(),
            };
            let which = if i == 0 { "old" } else { "new" };
            list.push(format!(
                "only in the {which} program ({file}): {}",
                only.join(", ")
            ));
        }
    }
    list
}

struct Outcome<'a> {
    /// What the answer rests on.
    doubts: Vec<Assumption>,
    inputs: &'a [CArgs],
    sides: &'a [Side<'a>],
    findings: &'a [Finding],
    warnings: &'a [String],
    stopped: Option<StopReason>,
    /// What the runs of both do on the same inputs.
    relations: Vec<RelatedVersions>,
    changes: Changes,
}

impl Outcome<'_> {
    fn conclusion(&self) -> Conclusion {
        let mut ledger = Ledger::default();
        ledger.extend(self.doubts.iter().cloned());
        let options = self.sides[0].session.options();
        // Words beyond what was looked at on either side tell nothing.
        let length = (self.sides.iter())
            .map(|side| side.language.checked_length)
            .fold(options.max_word_length, usize::min);
        let within = format!(
            "{} and words of {}",
            of_each_loop_in(self.sides.iter().map(|s| &s.session), options.max_unwind),
            counted(length as u64, "letter")
        );
        let has_words = !self.findings.is_empty();
        let is_different = self.findings.iter().any(|f| f.difference.confirmed > 0);
        // Where every input gives both the same word, nothing depends on bounds.
        let same_words = !is_different && self.has_same_words();
        let is_bounded = !self.sides.iter().all(|side| side.language.is_complete);
        if has_words && is_bounded && !same_words {
            let bound = Assumption::new(AssumptionKind::Bound, within.clone());
            ledger.add(bound.with_option("--max-unwind, --max-word-length"));
        }
        let mut text = match (is_different, self.stopped) {
            (true, _) => format!(
                "Each word below has a run on one side and none on the other, within {within}."
            ),
            (false, None) => format!("Both have the same words, up to {within}."),
            (false, Some(_)) => "No difference was found so far.".to_owned(),
        };
        if let Some(reason) = self.stopped {
            ledger.stopped(reason);
            let _ = write!(text, " Not finished: {reason}.");
        }
        if !is_different
            && let Some(doubt) = ledger
                .entries()
                .iter()
                .find(|a| a.kind == AssumptionKind::Unmodelled)
        {
            text = format!(
                "No difference was found, but not everything is modelled: {}.",
                doubt.text
            );
        }
        let kind = match self.stopped {
            None => GuaranteeKind::Exact,
            Some(_) => GuaranteeKind::None,
        };
        if self.relations.is_empty() {
            let claim = if is_different {
                Claim::Different
            } else {
                Claim::Same
            };
            return Conclusion::new(claim, kind, text, &ledger);
        }
        let mut sentences: Vec<String> = Vec::new();
        if has_words && !same_words {
            sentences.push(text);
        }
        let mut is_doubted = false;
        for relation in &self.relations {
            let (more, doubted) = relation.say(&mut ledger);
            is_doubted |= doubted;
            if !sentences.contains(&more) {
                sentences.push(more);
            }
        }
        let text = sentences.join(" ");
        let related = self.relations.iter().find(|r| r.is_different());
        let is_equivalent = self.relations.iter().all(RelatedVersions::is_equivalent);
        let (claim, kind) = match (is_different, related) {
            (true, _) => (Claim::Different, kind),
            (false, Some(relation)) if !relation.is_replayed() => {
                (Claim::Different, GuaranteeKind::Exact)
            }
            (false, Some(_)) => (Claim::Different, GuaranteeKind::Replayed),
            (false, None) if is_doubted => (Claim::Undecided, GuaranteeKind::None),
            (false, None) if is_equivalent && (!has_words || same_words) => {
                (Claim::Same, GuaranteeKind::Proved)
            }
            (false, None) => (Claim::Same, kind),
        };
        Conclusion::new(claim, kind, text, &ledger)
    }

    /// Whether it is known of every input that both versions have the same word on it.
    fn has_same_words(&self) -> bool {
        let mut all = self.relations.iter();
        all.any(|r| r.is_identical() || (r.is_of_words() && r.is_equivalent()))
    }

    /// The word and the trace of each version on the inputs on which they differ.
    fn runs_of(&self, relation: &RelatedVersions) -> Vec<(Vec<String>, Vec<TraceStep>)> {
        (relation.runs().into_iter().zip(self.sides))
            .map(|(run, side)| {
                let bits: Vec<u128> = run.inputs.iter().map(|input| input.bits).collect();
                let (replay, recorder) = side.session.record(&bits);
                let alphabet = side.session.vocabulary().alphabet();
                let letters = replay.word.iter().map(|&a| alphabet.name(a).to_owned());
                let program = side.session.program();
                (letters.collect(), run_show::trace_steps(program, &recorder))
            })
            .collect()
    }

    fn json(&self, args: &DiffArgs, timing: &Timing) -> Value {
        let sides = (self.sides.iter().zip(self.inputs)).map(|(side, input)| {
            let statistics = side.session.statistics();
            SideStatistics {
                file: input.files[0].display().to_string(),
                states: side.language.shown.n_states(),
                membership_queries: statistics.membership_queries,
                solver_calls: statistics.solver_calls,
            }
        });
        output::answer_json(
            "diff",
            &self.conclusion(),
            DiffStatistics {
                sides: sides.collect(),
            },
            self.warnings,
            (!args.common.no_timing).then_some(timing),
            self.result(),
        )
    }

    fn result(&self) -> DiffResult {
        let mut result = DiffResult {
            functions: self.changes.to_result(),
            ..DiffResult::default()
        };
        for finding in self.findings {
            let difference = &finding.difference;
            let unmarked = vec![false; difference.shown.n_states()];
            let alphabet = &difference.alphabet;
            let program = self.sides[finding.side].session.program();
            let witnesses = difference.witnesses.iter();
            *finding.kind.field(&mut result) = Some(LanguageDifference {
                automaton: automaton_json(&difference.shown, &unmarked, alphabet),
                witnesses: witnesses
                    .map(|witness| witness_run(program, alphabet, witness))
                    .collect(),
            });
        }
        if !self.relations.is_empty() {
            let shown = self.relations.iter().filter(|r| r.is_replayed());
            let rows = shown.filter_map(|relation| relation.to_result(self.runs_of(relation)));
            result.different_for = Some(rows.collect());
        }
        result
    }

    fn text(&self, args: &DiffArgs) -> String {
        let mut text = looks::conclusion(&self.conclusion());
        for finding in self.findings {
            let difference = &finding.difference;
            if difference.confirmed == 0 {
                continue;
            }
            let _ = writeln!(text, "\n{}:", finding.title);
            let unmarked = vec![false; difference.shown.n_states()];
            let shown = automaton_text(
                &difference.shown,
                &unmarked,
                &difference.alphabet,
                None,
                args.common.verbose,
            );
            text.push_str(&shown);
            for witness in &difference.witnesses {
                let word = difference.alphabet.show(&witness.word);
                let input = &self.inputs[finding.side];
                let command = run_show::reproduce(input, witness.replay.inputs());
                let _ = if args.revisions().is_some() {
                    writeln!(text, "  {word}")
                } else {
                    writeln!(text, "  {word}\n      {command} --trace")
                };
            }
        }
        for relation in &self.relations {
            let words: Vec<String> = (self.runs_of(relation).iter())
                .map(|(word, _)| match word.as_slice() {
                    [] => "ε".to_owned(),
                    letters => letters.join(" "),
                })
                .collect();
            let has_commands = args.revisions().is_none();
            text.push_str(&relation.lines(self.inputs, &words, has_commands));
        }
        text.push_str(&self.changes.lines());
        for warning in self.warnings {
            let _ = writeln!(text, "note: {warning}");
        }
        if let Some(path) = &args.report {
            let _ = writeln!(text, "report: {}", crate::drawing::link(path));
        }
        text
    }

    fn page(&self, outcome: &Value, names: &VersionNames) -> String {
        let sources: Vec<SourceText> = (self.sides.iter().zip(self.inputs))
            .filter_map(|(side, input)| {
                let file = input.files[0].to_str()?;
                let text = side.session.program().sources.original_text(file)?;
                Some(SourceText {
                    file: names.rename(file),
                    text,
                })
            })
            .collect();
        let files: Vec<String> = (self.inputs.iter())
            .map(|input| names.rename(&input.files[0].display().to_string()))
            .collect();
        Page {
            title: &format!("diff {}", files.join(" ")),
            command: &output::command_line(),
            outcome,
            sources: &sources,
        }
        .to_html()
    }
}
