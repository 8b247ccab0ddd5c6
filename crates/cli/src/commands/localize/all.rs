//! `--all-traces`: what is relevant in every error trace, as text and as JSON.

use super::LocalizeArgs;
use super::find::{self, replay};
use super::show::{self, value_number, with};
use crate::claim;
use crate::commands::run::show as run_show;
use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::looks;
use crate::output::{self, Timing, counted};
use crate::progress::ProgressLine;
use idiolect_base::{Budget, StopReason};
use idiolect_interp::{FixedInputs, Outcome as Run, ZeroInputs};
use idiolect_ir::{AssumptionKind as Kind, Program, Property};
use idiolect_localize::all_traces::graph::Cut;
use idiolect_localize::all_traces::{
    Config, Counts, Coverage, Gap, LocalizedTrace, Outcome, Phase, ProgramRelevance,
    SourceStatement, all_traces, trace_of_run,
};
use idiolect_localize::{BlockingValue, RelevantStatement, violates};
use idiolect_outcome::results::{
    AllTracesResult, AllTracesStatistics, FailedRun, SharedStatement, TraceRows,
};
use idiolect_outcome::{Assumption, AssumptionKind, Conclusion, GuaranteeKind, Verdict as Claim};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

type Found = Outcome<SourceStatement, LocalizedTrace>;

/// What program relevance promises, and what not.
const PROMISE: &str = "For every trace some constant in its place blocks it; that one constant \
                       blocks all of them is not promised.";

/// Abstract states that are made before traces are looked at: those of most state machines.
const ABSTRACT_STATES: u64 = 10_000;

/// Time that is left for a run that fails, if no trace is found.
const FOR_ONE_RUN: Duration = Duration::from_secs(4);

struct Told<'a> {
    program: &'a Program,
    properties: &'a [Property],
    args: &'a LocalizeArgs,
    found: Found,
    /// The runs of the traces.
    runs: Vec<Run>,
    /// What C leaves open and a promise rests on.
    chosen: Vec<Assumption>,
    warnings: Vec<String>,
}

pub fn run(
    args: &LocalizeArgs,
    program: &Arc<Program>,
    properties: &[Property],
    one_trace: &idiolect_localize::LocalizeConfig,
    warnings: Vec<String>,
    budget: &Budget,
    timing: &mut Timing,
) -> Result<Exit, CommandFailure> {
    let config = Config {
        max_traces: args.max_traces,
        abstract_states: ABSTRACT_STATES,
        ..Config::default()
    };
    let progress = ProgressLine::start(&args.common, "localize");
    let mut clock = Clock::new();
    let mut watch = |phase, counts: &Counts| {
        clock.enter(phase);
        let n = counts.iterations;
        progress.count_and_say(n, None, "traces", || {
            let danger = counts.danger;
            format!("{}, {danger} to a danger automaton", counted(n, "trace"))
        });
    };
    let own = budget.leaving(FOR_ONE_RUN);
    let mut found = all_traces(program, properties, &config, one_trace, &own, &mut watch);
    clock.enter(Phase::Program);
    timing.phase("all_traces");
    let is_partial = matches!(found.coverage, Coverage::Partial(_));
    if is_partial && found.traces.is_empty() && budget.look().is_ok() {
        // One trace is more than none.
        let unwind = args.unwind;
        let run = find::any(&args.common, unwind, program, properties, budget, &progress)?;
        if let find::ErrorLookup::Error { bits, .. } = run
            && let Some(trace) = trace_of_run(program, properties, &bits, one_trace, budget)
        {
            found.add(trace);
        }
        timing.phase("find");
    }
    drop(progress);
    timing.add("fault_localization", clock.seconds(Phase::Localize));
    timing.add("danger_automata", clock.seconds(Phase::Danger));
    timing.add("floyd_hoare", clock.seconds(Phase::Refute));
    let runs: Vec<Run> = (found.traces.iter())
        .map(|trace| {
            let mut inputs = FixedInputs::new(trace.detail.inputs.clone(), ZeroInputs);
            replay(program, properties, &mut inputs, &Budget::unlimited())
        })
        .collect();
    if let Some(other) = (runs.iter()).find(|r| !violates(&r.end, properties)) {
        return Err(CommandFailure::Disagreement {
            symbolic: "an error".to_owned(),
            concrete: run_show::what(program, &other.end),
            reproducer: None,
        });
    }
    let mut chosen = Vec::new();
    if found.traces.is_empty() && found.is_proved() {
        claim::attack(program, properties, &args.common, budget)?;
        chosen = claim::chosen(program, properties, (&args.input, &args.common), budget);
    }
    let told = Told {
        program,
        properties,
        args,
        found,
        runs,
        chosen,
        warnings,
    };
    let value = told.json((!args.common.no_timing).then_some(&*timing));
    if let Some(path) = &args.sarif {
        output::write_sarif(path, &value)?;
    }
    if let Some(path) = &args.report {
        let page = output::page("localize", &program.sources, &args.input.files, &value);
        output::write_whole(path, page.as_bytes())?;
    }
    let format = args.format.chosen(&args.common);
    looks::answer(&args.common, format, &value, || told.text());
    Ok(args.common.exit(&told.conclusion()))
}

/// Seconds by phase.
struct Clock {
    last: Instant,
    phase: Phase,
    spent: BTreeMap<Phase, f64>,
}

impl Clock {
    fn new() -> Self {
        Self {
            last: Instant::now(),
            phase: Phase::Program,
            spent: BTreeMap::new(),
        }
    }

    fn enter(&mut self, phase: Phase) {
        let now = Instant::now();
        *self.spent.entry(self.phase).or_default() += (now - self.last).as_secs_f64();
        (self.last, self.phase) = (now, phase);
    }

    fn seconds(&self, phase: Phase) -> f64 {
        self.spent.get(&phase).copied().unwrap_or(0.0)
    }
}

fn statements(n: usize) -> String {
    match n {
        1 => "1 statement is".to_owned(),
        n => format!("{n} statements are"),
    }
}

fn traces(n: usize) -> String {
    match n {
        1 => "the one error trace that was found".to_owned(),
        n => format!("all {n} error traces that were found"),
    }
}

impl Told<'_> {
    /// How far the answer reaches, as a word and a sentence.
    fn reach(&self) -> (&'static str, String) {
        match &self.found.coverage {
            Coverage::EveryTrace => (
                "every-trace",
                "There is no other error trace: the answer covers all of them.".to_owned(),
            ),
            Coverage::EveryKind => (
                "every-kind",
                "The answer covers all error traces: every other one is accepted by the danger \
                 automaton of these."
                    .to_owned(),
            ),
            Coverage::Partial(gaps) => {
                let mut text = "There may be others".to_owned();
                for (i, gap) in gaps.iter().enumerate() {
                    text.push_str(if i == 0 { ": " } else { "; " });
                    text.push_str(&self.gap(gap));
                }
                text.push('.');
                ("best-so-far", text)
            }
        }
    }

    fn gap(&self, gap: &Gap) -> String {
        match gap {
            Gap::Budget(StopReason::Steps) => "the step limit was reached".to_owned(),
            Gap::Budget(reason) => reason.to_string(),
            Gap::MaxTraces => "as many were found as were asked for".to_owned(),
            Gap::Undecided(why) => format!("a trace could not be followed, because of {why}"),
            Gap::Cut(Cut::Recursion(function)) => format!(
                "calls of `{}` nest deeper than was looked at",
                self.program.function(*function).name
            ),
            Gap::Cut(Cut::Unmodelled(index)) => {
                let gap = self.program.assumptions.get(*index as usize);
                let text = gap.map_or("C that is not modelled", |gap| &gap.text);
                match gap.map(|gap| gap.kind) {
                    Some(Kind::Bound) => format!("runs may go beyond a bound: {text}"),
                    _ => format!("runs may reach {text}"),
                }
            }
            Gap::Cut(Cut::Fault(at)) => format!(
                "a run may end with a fault at {}, and nobody can say what it does after that",
                run_show::at(self.program, *at)
            ),
            Gap::Cut(Cut::UnknownCallee(at)) => format!(
                "it is not known what is called at {}",
                run_show::at(self.program, *at)
            ),
        }
    }

    fn conclusion(&self) -> Conclusion {
        let mut ledger = claim::ledger(self.program);
        ledger.extend(self.chosen.clone());
        if let Coverage::Partial(gaps) = &self.found.coverage {
            for gap in gaps {
                match gap {
                    Gap::Budget(reason) => ledger.stopped(*reason),
                    Gap::Cut(Cut::Unmodelled(index)) => {
                        ledger.add(claim::trap(self.program, *index));
                    }
                    Gap::Cut(Cut::Recursion(_)) => {
                        ledger.add(Assumption::new(AssumptionKind::Bound, self.gap(gap)))
                    }
                    _ => {}
                }
            }
        }
        let n_traces = self.found.traces.len();
        let n_relevant = self.found.relevant().count();
        let n_unknown = (self.found.statements.iter())
            .filter(|s| s.in_every.is_none())
            .count();
        let reach = self.reach().1;
        let is_partial = matches!(self.found.coverage, Coverage::Partial(_));
        if n_traces == 0 {
            if self.found.is_proved() {
                let text = format!(
                    "No run has an error ({}): every error trace is infeasible.",
                    claim::checked(self.properties)
                );
                return Conclusion::new(Claim::NoError, GuaranteeKind::Proved, text, &ledger);
            }
            let text = format!("No error trace was found. {reach}");
            return Conclusion::undecided(text, &ledger);
        }
        let unknown = match n_unknown {
            0 => String::new(),
            n => format!(" Of {n} more it is not known."),
        };
        let what = match (n_relevant, n_unknown) {
            (0, 0) => format!(
                "No simple fix exists: no statement is relevant in {}. {reach}",
                traces(n_traces)
            ),
            (n, _) => format!(
                "{} relevant in {}.{unknown} {reach} {PROMISE}",
                statements(n),
                traces(n_traces)
            ),
        };
        let (claim, kind) = match (n_relevant, is_partial) {
            (0, _) if n_unknown > 0 => return Conclusion::undecided(what, &ledger),
            (0, true) => (Claim::NoSimpleFix, GuaranteeKind::Replayed),
            (0, false) => (Claim::NoSimpleFix, GuaranteeKind::Exact),
            (_, true) => (Claim::Relevant, GuaranteeKind::Replayed),
            (_, false) => (Claim::Relevant, GuaranteeKind::Exact),
        };
        Conclusion::new(claim, kind, what, &ledger)
    }

    /// The statement as its traces have it, with the values that block them.
    fn seen<'t>(
        &'t self,
        own: &ProgramRelevance<SourceStatement>,
    ) -> (Option<&'t RelevantStatement>, Vec<&'t BlockingValue>) {
        let (mut first, mut values) = (None, Vec::<&BlockingValue>::new());
        for &number in &own.relevant_in {
            let localization = &self.found.traces[number].detail.localization;
            let statement = localization.relevant.iter().find(|r| {
                r.line == own.statement.line
                    && r.column == own.statement.column
                    && r.file == own.statement.file
                    && r.text == own.statement.text
            });
            first = first.or(statement);
            if let Some(value) = statement.and_then(|s| s.blocking.as_ref())
                && !values
                    .iter()
                    .any(|v| v.text == value.text && v.passes == value.passes)
            {
                values.push(value);
            }
        }
        (first, values)
    }

    /// Whether the statement is to be looked at first, as in one trace.
    fn is_first(&self, own: &ProgramRelevance<SourceStatement>) -> bool {
        let may_pass = |own: &ProgramRelevance<SourceStatement>| {
            let values = self.seen(own).1;
            values.is_empty() || values.iter().any(|v| v.passes != Some(false))
        };
        may_pass(own) || !self.found.relevant().any(may_pass)
    }

    fn n_statements(&self) -> usize {
        let all = (self.found.traces.iter()).flat_map(|t| &t.detail.localization.trace);
        let mut places: Vec<_> = all.map(|s| (&s.file, s.line, s.column, &s.text)).collect();
        places.sort_unstable();
        places.dedup();
        places.len()
    }

    fn statement(&self, own: &ProgramRelevance<SourceStatement>) -> SharedStatement {
        let (first, values) = self.seen(own);
        SharedStatement {
            file: own.statement.file.clone(),
            line: own.statement.line,
            column: own.statement.column,
            text: own.statement.text.clone(),
            relevant_in: own.relevant_in.len(),
            in_every_trace: own.in_every,
            distance: own.distance,
            function: first.map(|f| f.function.clone()),
            kind: first.map(|f| show::kind_name(f.kind)),
            blocking_value: first.map(|f| f.blocking.as_ref().map(value_number)),
            blocking_values: first.map(|_| values.iter().map(|&v| value_number(v)).collect()),
        }
    }

    fn json(&self, timing: Option<&Timing>) -> Value {
        let counts = &self.found.counts;
        let statistics = AllTracesStatistics {
            iterations: counts.iterations,
            error_traces: self.found.traces.len(),
            statements: self.n_statements(),
            relevant: self.found.relevant().count(),
            solver_calls: counts.solver_calls,
            letters: counts.letters,
            largest_remainder: counts.states,
            floyd_hoare_automata: counts.floyd_hoare,
            danger_automata: counts.danger,
            subtracted_alone: counts.alone,
        };
        let ranked = (self.found.statements.iter())
            .filter(|s| !s.relevant_in.is_empty() || s.in_every.is_none());
        let errors: Vec<FailedRun> = (self.runs.iter())
            .map(|run| run_show::failed_inputs(self.program, run))
            .collect();
        let result = AllTracesResult {
            coverage: self.reach().0,
            relevant: self.found.relevant().map(|s| self.statement(s)).collect(),
            ranking: ranked.map(|s| self.statement(s)).collect(),
            error: errors.first().cloned(),
            traces: (self.found.traces.iter().zip(&errors))
                .map(|(trace, error)| TraceRows {
                    error: Some(error.clone()),
                    ..show::trace_rows(&trace.detail.localization, &error.inputs)
                })
                .collect(),
        };
        output::answer_json(
            "localize",
            &self.conclusion(),
            statistics,
            &self.warnings,
            timing,
            result,
        )
    }

    fn text(&self) -> String {
        let mut text = looks::conclusion(&self.conclusion());
        let n_traces = self.found.traces.len();
        if !self.args.common.quiet && n_traces > 0 {
            let mut lines: BTreeMap<(&str, u32), Vec<(&str, String)>> = BTreeMap::new();
            let mut list: Vec<_> = self.found.relevant().collect();
            list.retain(|own| self.args.common.verbose || self.is_first(own));
            list.sort_by_key(|own| own.statement.column);
            for own in list {
                let place = (own.statement.file.as_str(), own.statement.line);
                let note = match self.seen(own).1[..] {
                    [] => "relevant".to_owned(),
                    [value] => with(value),
                    [a, b] => format!("blocked with {} or {}, by trace", a.text, b.text),
                    [a, b, ..] => format!("blocked with {}, {} …, by trace", a.text, b.text),
                };
                let list = lines.entry(place).or_default();
                list.push((&own.statement.text, note));
            }
            let marks = lines.into_iter().map(|(at, list)| (at, show::notes(&list)));
            let marks: BTreeMap<(&str, u32), String> = marks.collect();
            let failing: Vec<(String, u32)> = (self.runs.iter())
                .filter_map(|r| self.program.sources.place(r.place.span))
                .map(|p| (p.file, p.line))
                .collect();
            show::lines_text(self.program, &marks, &failing, &mut text);
            let hidden = (self.found.relevant()).filter(|r| !self.is_first(r));
            let lines: Vec<u32> = hidden.map(|r| r.statement.line).collect();
            if !lines.is_empty() && !self.args.common.verbose {
                text.push_str(&show::folded(lines.len(), "every trace", "its run", lines));
            }
        }
        let others: Vec<_> = (self.found.statements.iter())
            .filter(|s| s.in_every != Some(true) && !s.relevant_in.is_empty())
            .collect();
        if !others.is_empty() {
            let _ = writeln!(text, "relevant in some traces:");
            for own in others {
                let SourceStatement { line, text: c, .. } = &own.statement;
                let shown = format!("  {line:>7}  {c}");
                let n = own.relevant_in.len();
                let _ = writeln!(text, "{shown:<52}  <- in {n} of {n_traces}");
            }
        }
        let looked = counted(self.found.counts.iterations as usize, "trace");
        let _ = match n_traces {
            0 => writeln!(text, "{looked} looked at, none feasible"),
            n => writeln!(text, "{looked} looked at, {n} feasible:"),
        };
        for (number, (trace, run)) in self.found.traces.iter().zip(&self.runs).enumerate() {
            let statements = &trace.detail.localization.trace;
            let n = statements.iter().filter(|s| s.is_assigning()).count();
            let relevant = (statements.iter())
                .filter(|s| s.is_assigning() && s.relevant == Some(true))
                .count();
            let inputs = if run.inputs.is_empty() {
                String::new()
            } else {
                format!(
                    ", inputs {}",
                    run_show::inputs_text(self.program, &run.inputs)
                )
            };
            let _ = writeln!(
                text,
                "  {}: {}, at {}{inputs}; {relevant} of {n} assignments relevant",
                number + 1,
                run_show::what(self.program, &run.end),
                run_show::end_text(self.program, run),
            );
            if self.args.common.verbose {
                show::trace_text(&trace.detail.localization, false, &mut text);
            }
        }
        for warning in &self.warnings {
            let _ = writeln!(text, "warning: {warning}");
        }
        text
    }
}
