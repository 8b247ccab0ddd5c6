//! What of a project can be analysed: file by file, so that one that cannot be read is not the end.

use crate::args::{CommonArgs, OutputFormat};
use crate::build::BuildArgs;
use crate::build::database::WantedUnits;
use crate::c_input;
use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::looks;
use crate::output::{self, Timing, counted};
use crate::progress::ProgressLine;
use crate::render;
use idiolect_base::{Canceller, Diagnostic};
use idiolect_cfront::{MissingBodies, Options, compile};
use idiolect_ir::ctype::DataModel;
use idiolect_ir::{AssumptionKind, FunctionOrigin, Program, TerminatorKind};
use idiolect_outcome::results::{
    DoctorResult, DoctorStatistics, FileLine, MissingBody, UnmodelledConstruct, UnreadableFile,
};
use idiolect_outcome::{Conclusion, GuaranteeKind, Ledger, Verdict};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What was found in all files.
#[derive(Default)]
struct Survey {
    n_files: usize,
    /// Files that there was no time for.
    n_left_out: usize,
    /// Files that cannot be read, with the first complaint.
    unreadable: Vec<(String, String)>,
    n_functions: usize,
    /// Functions in which something is not modelled.
    n_trapped: usize,
    /// Places by construct.
    constructs: BTreeMap<String, BTreeSet<(String, u32)>>,
    /// Functions that are called and that the file does not define, with the first place.
    missing: BTreeMap<String, (String, u32)>,
    defined: BTreeSet<String>,
}

/// Reads every file by itself, and says what of it can be analysed.
pub fn run(
    build: &mut BuildArgs,
    files: &mut Vec<PathBuf>,
    (common, format): (&CommonArgs, OutputFormat),
    canceller: &Canceller,
) -> Result<Exit, CommandFailure> {
    let mut timing = Timing::start();
    let budget = common.budget(canceller);
    let data_model = build
        .read(files, WantedUnits::EveryFile)?
        .unwrap_or(DataModel::Lp64);
    let mut survey = Survey::default();
    let progress = ProgressLine::start(common, "reading");
    for (i, file) in files.iter().enumerate() {
        progress.count(i as u64, Some(files.len() as u64), "files");
        survey.n_files += 1;
        let seen = survey.look_at(file, build, data_model);
        match (seen, budget.look()) {
            (Err(CommandFailure::Stopped { .. }), _) | (_, Err(_)) if i + 1 < files.len() => {
                survey.n_left_out = files.len() - i - 1;
                break;
            }
            (seen, _) => seen?,
        }
    }
    drop(progress);
    timing.phase("read");
    let conclusion = survey.conclusion();
    if format != OutputFormat::Text {
        let outcome = survey.to_json((!common.no_timing).then_some(&timing));
        looks::answer(common, format, &outcome, String::new);
    } else if common.quiet {
        output::print(&conclusion.to_text());
    } else {
        output::print(&survey.to_text())
    }
    Ok(common.exit(&conclusion))
}

impl Survey {
    fn look_at(
        &mut self,
        file: &Path,
        build: &BuildArgs,
        data_model: DataModel,
    ) -> Result<(), CommandFailure> {
        let name = file.display().to_string();
        let files = [file.to_owned()];
        let (sources, ids) = match c_input::read_files(&files, build, data_model) {
            Ok(read) => read,
            Err(failure @ CommandFailure::Stopped { .. }) => return Err(failure),
            Err(failure) => {
                self.unreadable.push((name, failure.to_string()));
                return Ok(());
            }
        };
        let options = Options {
            data_model,
            any_entry: true,
            // Other files of the project define them.
            missing: MissingBodies::OnlyReturn,
            ..Options::default()
        };
        let lowered = compile(sources, &ids, &options);
        match (lowered.program, lowered.sources) {
            (Some(program), _) => self.count(&program),
            (None, sources) => {
                let error = lowered.diagnostics.iter().find(|d| d.is_error());
                // A file of data and declarations has nothing to start from, and nothing to complain about.
                if is_empty_file(&lowered.diagnostics) {
                    return Ok(());
                }
                let sources = sources.unwrap_or_default();
                let complaint = error.map_or(String::new(), |d| render::one_line(&sources, d));
                self.unreadable.push((name, complaint));
            }
        }
        Ok(())
    }

    fn count(&mut self, program: &Program) {
        for function in &program.functions {
            if function.origin != FunctionOrigin::User {
                continue;
            }
            self.defined.insert(function.name.clone());
            self.n_functions += 1;
            let is_trapped = (function.blocks.iter()).any(|block| {
                let TerminatorKind::Trap(index) = block.terminator.kind else {
                    return false;
                };
                let trap = program.assumptions.get(index as usize);
                trap.is_some_and(|a| a.kind == AssumptionKind::Unmodelled)
            });
            self.n_trapped += usize::from(is_trapped);
        }
        for assumption in &program.assumptions {
            let place = program.sources.place(assumption.span);
            let place = place.map_or((String::new(), 0), |p| (p.file, p.line));
            match assumption.kind {
                AssumptionKind::Unmodelled => {
                    let places = self.constructs.entry(assumption.text.clone());
                    places.or_default().insert(place);
                }
                AssumptionKind::MissingBody => {
                    let name = (assumption.text.split('`').nth(1)).unwrap_or(&assumption.text);
                    self.missing.entry(name.to_owned()).or_insert(place);
                }
                _ => {}
            }
        }
    }

    /// Functions that no file of the project defines, nor our models of the C library.
    fn foreign(&self) -> impl Iterator<Item = (&String, &(String, u32))> {
        self.missing
            .iter()
            .filter(|(name, _)| !self.defined.contains(*name))
    }

    /// Constructs by how often they occur.
    fn by_count(&self) -> Vec<(&String, &BTreeSet<(String, u32)>)> {
        let mut list: Vec<_> = self.constructs.iter().collect();
        list.sort_by_key(|(_, places)| std::cmp::Reverse(places.len()));
        list
    }

    fn to_text(&self) -> String {
        let n_read = self.n_files - self.unreadable.len();
        let mut text = String::new();
        let _ = writeln!(
            text,
            "{}: {n_read} can be read, {} cannot",
            counted(self.n_files as u64, "file"),
            self.unreadable.len()
        );
        for (name, complaint) in &self.unreadable {
            let _ = writeln!(text, "  {name}: {complaint}");
        }
        if self.n_left_out > 0 {
            let more = counted(self.n_left_out as u64, "more file");
            let _ = writeln!(text, "not finished: {more} were not looked at");
        }
        let _ = writeln!(
            text,
            "{}, {} of them with something that is not modelled",
            counted(self.n_functions as u64, "function"),
            self.n_trapped
        );
        if !self.constructs.is_empty() {
            text.push_str("not modelled (a run that comes there ends undecided):\n");
        }
        for (construct, places) in self.by_count() {
            let shown: Vec<String> = places.iter().take(3).map(place_text).collect();
            let more = if places.len() > 3 { ", …" } else { "" };
            let _ = writeln!(
                text,
                "  {:>4}  {construct}: {}{more}",
                places.len(),
                shown.join(", ")
            );
        }
        let foreign: Vec<_> = self.foreign().collect();
        if !foreign.is_empty() {
            let _ = writeln!(
                text,
                "called and defined nowhere (each may return anything and write what it can reach): {}",
                foreign.len()
            );
        }
        for (name, place) in foreign {
            let _ = writeln!(text, "        {name}: {}", place_text(place));
        }
        text
    }

    fn conclusion(&self) -> Conclusion {
        let n_read = self.n_files - self.unreadable.len();
        let text = format!(
            "{}: {n_read} can be read, {} cannot.",
            counted(self.n_files as u64, "file"),
            self.unreadable.len()
        );
        if self.n_left_out > 0 {
            let text = format!(
                "{text} Not finished: {} were not looked at.",
                counted(self.n_left_out as u64, "more file")
            );
            return Conclusion::undecided(text, &Ledger::default());
        }
        let verdict = if self.unreadable.is_empty() {
            Verdict::Readable
        } else {
            Verdict::PartlyReadable
        };
        Conclusion::new(verdict, GuaranteeKind::Checked, text, &Ledger::default())
    }

    fn to_json(&self, timing: Option<&Timing>) -> Value {
        let line = |(file, line): &(String, u32)| FileLine {
            file: file.clone(),
            line: *line,
        };
        let constructs = self.by_count().into_iter();
        let unreadable = self.unreadable.iter();
        let missing = self.foreign();
        let result = DoctorResult {
            unreadable: unreadable
                .map(|(file, message)| UnreadableFile {
                    file: file.clone(),
                    message: message.clone(),
                })
                .collect(),
            unmodelled: constructs
                .map(|(construct, places)| UnmodelledConstruct {
                    construct: construct.clone(),
                    count: places.len(),
                    places: places.iter().map(line).collect(),
                })
                .collect(),
            missing_bodies: missing
                .map(|(name, place)| MissingBody {
                    function: name.clone(),
                    at: line(place),
                })
                .collect(),
        };
        let statistics = DoctorStatistics {
            files: self.n_files,
            unreadable: self.unreadable.len(),
            functions: self.n_functions,
            functions_with_traps: self.n_trapped,
        };
        let conclusion = self.conclusion();
        output::answer_json("doctor", &conclusion, statistics, &[], timing, result)
    }
}

fn place_text((file, line): &(String, u32)) -> String {
    format!("{file}:{line}")
}

/// The only complaint is that there is no function.
fn is_empty_file(diagnostics: &[Diagnostic]) -> bool {
    let mut errors = diagnostics.iter().filter(|d| d.is_error());
    errors.all(|d| d.code == "c::no-entry")
}
