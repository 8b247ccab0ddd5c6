//! The outcome as text and as JSON.

use super::RepairArgs;
use crate::claim;
use crate::commands::localize::find::ErrorLookup;
use crate::commands::run::show as run_show;
use crate::named::named_inputs;
use crate::output::{self, Timing, counted};
use idiolect_base::Budget;
use idiolect_interp::{CompileOptions, Compiled, End, Recorder};
use idiolect_ir::{Program, Property};
use idiolect_localize::RunCase;
use idiolect_outcome::results::{
    BeforeAndAfter, HoldsFor, RepairResult, RepairRow, RepairStatistics, ReplacedLines, ShownRun,
};
use idiolect_outcome::{Conclusion, GuaranteeKind, Verdict as Claim};
use idiolect_repair::{Repair, RepairOutcome, RunDifference};
use serde_json::Value;
use std::fmt::Write as _;
use std::sync::Arc;

/// Everything that is told.
pub struct RepairAnswer<'a> {
    pub program: &'a Arc<Program>,
    pub properties: &'a [Property],
    pub args: &'a RepairArgs,
    /// The failing run, if no tests were given.
    pub error: Option<(Box<idiolect_interp::Outcome>, String)>,
    /// There is no failing run, or none is known.
    pub undecided: Option<ErrorLookup>,
    pub n_failing: usize,
    pub n_passing: usize,
    pub outcome: Option<RepairOutcome>,
    pub warnings: Vec<String>,
}

impl RepairAnswer<'_> {
    pub fn conclusion(&self) -> Conclusion {
        let mut ledger = claim::ledger(self.program);
        let checked = claim::checked(self.properties);
        let Some(outcome) = &self.outcome else {
            return match &self.undecided {
                Some(ErrorLookup::Proved(_)) => {
                    let text =
                        format!("No run has an error ({checked}). There is nothing to repair.");
                    Conclusion::new(Claim::NoError, GuaranteeKind::Proved, text, &ledger)
                }
                Some(ErrorLookup::Undecided(text)) => Conclusion::undecided(text, &ledger),
                Some(ErrorLookup::Nothing { unwind, doubt }) => {
                    if let Some(doubt) = doubt {
                        claim::add_doubt(&mut ledger, self.program, doubt);
                    }
                    ledger.add(claim::unwinding(*unwind));
                    let text = format!("No failing run was found ({checked}).");
                    Conclusion::new(Claim::Undecided, GuaranteeKind::Bounded, text, &ledger)
                }
                _ => {
                    let tests = counted(self.n_passing, "test");
                    let text = format!("All {tests} pass; there is nothing to repair.");
                    Conclusion::undecided(text, &ledger)
                }
            };
        };
        let tried = format!(
            "{} were tried, {} compiled",
            counted(outcome.n_candidates, "edit"),
            outcome.n_compiled
        );
        let Some(best) = outcome.repairs.first() else {
            let overfitted = match outcome.n_overfitted {
                0 => String::new(),
                n => format!(", {n} of which satisfy the failing run alone"),
            };
            if let Some(reason) = outcome.stopped {
                let text = format!("No repair was found so far: {reason}. {tried}{overfitted}.");
                return Conclusion::undecided(text, &ledger);
            }
            let text = format!("No repair was found: {tried}{overfitted}.");
            return Conclusion::new(Claim::None, GuaranteeKind::None, text, &ledger);
        };
        let n = outcome.repairs.len();
        let text = format!(
            "{} found ({tried}). The best {}.",
            counted(n, "repair"),
            holds_text(best, self.args.tests.is_some())
        );
        let kind = GuaranteeKind::Replayed;
        Conclusion::new(Claim::Repaired, kind, text, &ledger)
    }
}

/// What a repair is known to hold for, as a phrase.
fn holds_text(repair: &Repair, has_tests: bool) -> String {
    let holds = &repair.holds;
    if holds.is_only_run {
        return "makes the program's only run pass (overfitting is likely)".to_owned();
    }
    if holds.is_proved {
        return "is proved: no run has an error with it".to_owned();
    }
    let runs = if has_tests {
        format!(
            "satisfies all {}",
            counted(holds.failing + holds.passing, "test")
        )
    } else {
        "makes this run pass".to_owned()
    };
    let runs = match holds.at_known_fault {
        0 => runs,
        n => format!(
            "{runs} ({} more then end with the fault that was set aside)",
            n
        ),
    };
    match holds.all_runs_within {
        Some(n) => format!(
            "{runs} and holds for all runs within {}",
            counted(n, "unwinding")
        ),
        None if has_tests => {
            format!("{runs}; nothing else says whether it is right (overfitting is possible)")
        }
        None => format!("{runs}; only that is known of it (overfitting is likely)"),
    }
}

fn repair_row(told: &RepairAnswer<'_>, rank: usize, repair: &Repair) -> RepairRow {
    let holds = &repair.holds;
    let has_tests = told.args.tests.is_some();
    let with_tests = |n: usize| if has_tests { n } else { 0 };
    let (first_line, lines, text) = repair.replacement.clone();
    RepairRow {
        rank,
        file: repair.file.clone(),
        line: repair.line,
        kind: repair.kind.word(),
        before: repair.before.clone(),
        after: repair.after.clone(),
        patch: repair.patch.clone(),
        replacement: ReplacedLines {
            first_line,
            lines,
            text,
        },
        cost: repair.cost,
        score: (repair.score * 1e4).round() / 1e4,
        overfitting: repair.is_only_tested(),
        holds: holds_text(repair, has_tests),
        holds_for: HoldsFor {
            this_trace: true,
            failing_tests: with_tests(holds.failing),
            passing_tests: with_tests(holds.passing),
            near_runs: holds.passing - with_tests(holds.passing),
            refutations: holds.refutations,
            all_runs_within: holds.all_runs_within,
            proved: holds.is_proved,
        },
        failing_run: (repair.failing_run.as_ref()).map(|d| before_and_after(told, d)),
        differs_on: (repair.difference.as_ref()).map(|d| before_and_after(told, d)),
        run: None,
    }
}

fn before_and_after(told: &RepairAnswer<'_>, d: &RunDifference) -> BeforeAndAfter {
    BeforeAndAfter {
        inputs: run_show::input_numbers(&d.inputs),
        named_inputs: named_inputs(told.program, &d.inputs),
        old: d.old.clone(),
        new: d.new.clone(),
    }
}

/// For a page, which shows the first failing run as it is and with each repair: its steps. Where lines were added,
/// those of the page are others, and there is nothing to show.
pub fn with_runs(
    told: &RepairAnswer<'_>,
    case: &RunCase,
    result: &mut RepairResult,
    budget: &Budget,
) {
    let check_overflow = told.properties.contains(&Property::Overflow);
    let steps = |program: &Arc<Program>| {
        let compiled = Compiled::new(program.clone(), &CompileOptions { check_overflow });
        let mut recorder = Recorder::<true>::default();
        let run = case.run(&compiled, MAX_SHOWN_STEPS, &mut recorder, budget);
        ShownRun {
            trace: run_show::trace_steps(program, &recorder),
            inputs: run_show::input_numbers(&run.inputs),
            named_inputs: named_inputs(program, &run.inputs),
        }
    };
    result.before = Some(steps(told.program));
    let repairs = told.outcome.iter().flat_map(|o| &o.repairs);
    for (repair, shown) in repairs.zip(&mut result.repairs) {
        let (_, n_lines, text) = &repair.replacement;
        if text.lines().count() == *n_lines {
            shown.run = Some(steps(&repair.program));
        }
    }
}

/// Longer runs are not shown step by step.
const MAX_SHOWN_STEPS: u64 = 200_000;

/// What is told beside the conclusion.
pub fn result(told: &RepairAnswer<'_>) -> RepairResult {
    let repairs = told.outcome.iter().flat_map(|o| &o.repairs).enumerate();
    let error = told.error.as_ref();
    RepairResult {
        repairs: repairs.map(|(i, r)| repair_row(told, i + 1, r)).collect(),
        error: error.map(|(run, _)| run_show::failed_inputs(told.program, run)),
        before: None,
    }
}

/// The outcome as JSON.
pub fn json(told: &RepairAnswer<'_>, result: &RepairResult, timing: Option<&Timing>) -> Value {
    let empty = RepairOutcome::default();
    let outcome = told.outcome.as_ref().unwrap_or(&empty);
    let statistics = RepairStatistics {
        candidates: outcome.n_candidates,
        tried: outcome.n_tried,
        compiled: outcome.n_compiled,
        overfitted: outcome.n_overfitted,
        failing_tests: told.n_failing,
        passing_tests: told.n_passing,
    };
    let conclusion = told.conclusion();
    let warnings = &told.warnings;
    output::answer_json("repair", &conclusion, statistics, warnings, timing, result)
}

pub fn text(told: &RepairAnswer<'_>, applied: Option<&str>) -> String {
    let mut text = told.conclusion().to_text();
    if let Some((run, how)) = &told.error {
        let what = match &run.end {
            End::Exit(_) => String::new(),
            end => run_show::what(told.program, end),
        };
        let at = run_show::end_text(told.program, run);
        let _ = writeln!(text, "error: {what}, at {at}, {how}");
        if !run.inputs.is_empty() {
            let _ = writeln!(
                text,
                "inputs: {}",
                run_show::inputs_text(told.program, &run.inputs)
            );
        }
    }
    let empty = RepairOutcome::default();
    let outcome = told.outcome.as_ref().unwrap_or(&empty);
    for (i, repair) in outcome.repairs.iter().enumerate() {
        let holds = holds_text(repair, told.args.tests.is_some());
        let _ = writeln!(
            text,
            "\n{}. {}:{}  {}: {holds}",
            i + 1,
            repair.file,
            repair.line,
            repair.kind.word()
        );
        text.push_str(&repair.patch);
        if let Some(d) = &repair.failing_run {
            let _ = writeln!(text, "the failing run, before: {}; after: {}", d.old, d.new);
        }
        if let Some(d) = &repair.difference {
            let inputs = run_show::inputs_text(told.program, &d.inputs);
            let _ = writeln!(
                text,
                "other inputs on which it matters: {inputs} (before: {}; after: {})",
                d.old, d.new
            );
        }
    }
    if let Some(file) = applied {
        let _ = writeln!(text, "\n`{file}` was changed");
    }
    for warning in &told.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    text
}
