//! `--engine both` and `--engine learn`: a model of the program's decisions with a guarantee, and
//! bounded model checking beside it.

use super::model_file;
use super::{Verdict, VerifyArgs, fault_warnings, property_option, replay_small};
use crate::args::output_file;
use crate::claim;
use crate::commands::run::show;
use crate::failure::CommandFailure;
use crate::output::counted;
use crate::progress::ProgressLine;
use clap::Args;
use clap::builder::PossibleValuesParser;
use idiolect_automata::formats::json::JsonAutomaton;
use idiolect_automata::{Alphabet, Dfa};
use idiolect_base::{Budget, Place};
use idiolect_ir::{AssumptionKind, Program, Property};
use idiolect_learn::LearnerKind;
use idiolect_outcome::results::{
    AskedEngine, CoverageRow, DecisionAnswers, EngineStatistics, InductionStatistics,
    LearningStatistics, PacNumbers, SharedWork, TeachingRound, TraceStatistics, VerifyResult,
};
use idiolect_outcome::{GuaranteeKind, Verdict as Claim};
use idiolect_symex::bmc::Unwinding;
use idiolect_verify::{
    Asked, Config, Doubt, Engine, FoundBy, Guarantee, Iteration, Monitor, MonitorError, Outcome,
    Progress as Step, Proof, Reused, Sample, Strategy, certify, fingerprint, monitor, run,
    run_again,
};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Args, Debug)]
#[command(next_help_heading = "Learning")]
pub struct VerifyLearnArgs {
    /// The error parameter: at most this share of batches may go beyond the model
    #[arg(
        long,
        value_name = "E",
        default_value_t = 0.1,
        allow_negative_numbers = true
    )]
    epsilon: f64,

    /// The confidence in that, near 1
    #[arg(
        long,
        value_name = "D",
        default_value_t = 0.9,
        allow_negative_numbers = true
    )]
    delta: f64,

    /// Runs of a batch
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    batch: u32,

    /// The learning algorithm
    #[arg(
        long,
        value_name = "NAME",
        default_value = "kv",
        value_parser = PossibleValuesParser::new(LearnerKind::ALL.map(LearnerKind::name))
    )]
    learner: String,

    /// How the runs of a batch are chosen: a random decision of the latest run turned round, the one
    /// nearest to code that the batch has not seen, the deepest one, or random inputs alone
    #[arg(
        long,
        value_name = "NAME",
        default_value = "rbs",
        value_parser = PossibleValuesParser::new(Strategy::ALL.map(Strategy::name))
    )]
    strategy: String,

    /// Consider at most this many decisions of a run
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    max_decisions: u32,

    /// Stop a run after this many statements
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..))]
    max_steps: u64,

    /// The part of the work that bounded model checking gets [default: a third]
    #[arg(long, value_name = "PART", default_value_t = 1.0 / 3.0, hide_default_value = true)]
    bmc_share: f64,

    /// More properties, one a line: `never 11 consecutive 1`, `after A, B within 10`, `never A`,
    /// `never A after B`, where A and B are labels or the decisions 0 and 1
    #[arg(long, value_name = "FILE")]
    monitor: Option<PathBuf>,

    /// Begin with a model of the same program; if it has no error, nothing is sampled
    #[arg(long, value_name = "FILE")]
    reuse: Option<PathBuf>,

    /// Print which engines were asked, for how long and what came of it, and after each question to the model
    /// how probable it still is that the next batch has an error
    #[arg(long)]
    budget_report: bool,

    /// Write the model as DOT
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    pub dot: Option<PathBuf>,

    /// Write the model as SVG
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    pub svg: Option<PathBuf>,
}

fn inside(name: &str, value: f64, example: &str) -> Result<(), CommandFailure> {
    if value > 0.0 && value < 1.0 {
        Ok(())
    } else {
        Err(CommandFailure::usage(
            format!("`--{name} {value}` is not between 0 and 1"),
            format!("sampling never reaches 0 or 1 themselves; for example `--{name} {example}`"),
        ))
    }
}

impl VerifyLearnArgs {
    /// Whether there are properties beside those of the program.
    pub fn has_monitor(&self) -> bool {
        self.monitor.is_some()
    }

    /// Complaints that need no program.
    pub fn check(&self) -> Result<(), CommandFailure> {
        inside("epsilon", self.epsilon, "0.1")?;
        inside("delta", self.delta, "0.9")?;
        inside("bmc-share", self.bmc_share, "0.5")
    }

    fn monitors(&self, program: &Program) -> Result<Vec<Monitor>, CommandFailure> {
        let Some(path) = &self.monitor else {
            return Ok(Vec::new());
        };
        let text = read(path)?;
        monitor::parse(&text, program).map_err(|error| {
            let line = match error {
                MonitorError::Syntax { line, .. }
                | MonitorError::NoLabel { line, .. }
                | MonitorError::Count { line } => line,
            };
            CommandFailure::BadFile {
                code: "verify::monitor",
                message: error.to_string(),
                place: Some(Place {
                    file: path.display().to_string(),
                    line: u32::try_from(line).unwrap_or(u32::MAX),
                    column: 1,
                }),
                help: "properties are `never 11 consecutive 1`, `after A, B within 10`, `never A` \
                       and `never A after B`; A and B are labels or the decisions 0 and 1"
                    .to_owned(),
            }
        })
    }
}

/// The text of a file.
pub fn read(path: &Path) -> Result<String, CommandFailure> {
    crate::reading::text(path, crate::reading::LARGE)
}

/// Looks for an error with the learned model, and without bounded model checking if it is not
/// wanted.
pub fn verify(
    args: &VerifyArgs,
    program: &Arc<Program>,
    properties: &[Property],
    with_bmc: bool,
    unwinding: Unwinding,
    budget: &Budget,
) -> Result<Verdict, CommandFailure> {
    let learn = &args.learn;
    let config = Config {
        properties: properties.to_vec(),
        engine: if with_bmc {
            Engine::Both
        } else {
            Engine::Learn
        },
        epsilon: learn.epsilon,
        delta: learn.delta,
        batch: learn.batch as usize,
        learner: LearnerKind::from_name(&learn.learner).unwrap_or(LearnerKind::KearnsVazirani),
        strategy: Strategy::named(&learn.strategy).unwrap_or(Strategy::RandomBranch),
        seed: args.common.seed,
        max_decisions: learn.max_decisions as usize,
        max_steps: learn.max_steps,
        bmc_share: learn.bmc_share,
        unwinding,
        grows: args.unwind.is_none(),
        monitors: learn.monitors(program)?,
        wants_model: args.input.saved_model().is_some()
            || learn.dot.is_some()
            || learn.svg.is_some(),
        ..Config::default()
    };
    let mark = fingerprint(program, properties.contains(&Property::Overflow));
    let reused = match &learn.reuse {
        Some(path) => Some(model_file::read_model(path, &mark)?),
        None => None,
    };
    let is_reused = reused.is_some();
    let progress = ProgressLine::start(&args.common, "verifying");
    let mut say = |step: Step| show_step(&progress, step);
    let outcome = match reused {
        Some((learner, guarantee)) => {
            let reused = Reused { learner, guarantee };
            run_again(program, &config, reused, budget, &mut say)
        }
        None => run(program, &config, budget, &mut say),
    };
    drop(progress);
    let mut verdict = judge(args, program, &config, &outcome, budget);
    if is_reused && verdict.claim == Claim::Pac && outcome.statistics.samples == 0 {
        let note = "the model was used again: 0 new samples";
        verdict.lines.push(note.to_owned());
    }
    if let Some(path) = args.input.saved_model() {
        let may = matches!(
            outcome.verdict,
            idiolect_verify::Verdict::Pac(_) | idiolect_verify::Verdict::Proved(_)
        );
        let promised = outcome.guarantee.as_ref().filter(|_| may);
        let parts = (promised, &outcome.learner, &outcome.model);
        match parts {
            (Some(guarantee), Some(learner), Some(model)) => {
                let automaton = automaton_json(model);
                model_file::write_model(path, &mark, guarantee, automaton, learner)?;
            }
            _ => verdict
                .warnings
                .push("no model was written: there is none with a guarantee".to_owned()),
        }
    }
    Ok(verdict)
}

fn show_step(progress: &ProgressLine, step: Step) {
    match step {
        Step::Hunting { runs } => progress.count_of("random inputs", runs, None, "runs"),
        Step::Checking { unwind } => {
            progress.say(|| format!("model checking with {}", counted(unwind, "unwinding")));
        }
        Step::Learning { states } => {
            progress.say(|| format!("a model of {}", counted(states as u64, "state")));
        }
        Step::Sampling {
            question,
            batches,
            of,
        } => progress.count_and_say(batches, Some(of), "batches", || {
            format!("question {question}: {batches} of {of} batches")
        }),
    }
}

fn alphabet() -> Alphabet {
    Alphabet::new(["0", "1"])
}

fn automaton_json(model: &Dfa) -> Value {
    let automaton = JsonAutomaton::from_dfa(model, &alphabet());
    serde_json::to_value(automaton).unwrap_or(Value::Null)
}

fn dot(model: &Dfa) -> String {
    idiolect_automata::formats::dot::write_trimmed(&model.trim(), &alphabet(), None)
}

/// The guarantee in words.
fn guarantee_text(outcome: &Outcome, guarantee: &Guarantee) -> String {
    let (what, nothing) = if outcome.has_assertion {
        ("fails or takes decisions that the model lacks", "")
    } else {
        (
            "takes decisions that the model lacks",
            " There is no assertion to check.",
        )
    };
    let other = if guarantee.is_two_sided {
        ", and so has a random word of the model no run"
    } else {
        ""
    };
    format!(
        "Not a proof: with confidence {}, a fresh batch of {} runs drawn like these has one that {what}, with \
         probability at most {}{other}.{nothing}",
        guarantee.delta, guarantee.batch, guarantee.epsilon,
    )
}

fn guarantee_lines(guarantee: &Guarantee, outcome: &Outcome) -> Vec<String> {
    let mut lines = vec![
        format!(
            "epsilon {}, delta {}, k = {} runs a batch, i = {} equivalence queries, q_i = {} \
             batches in the last one, strategy {}, seed {}",
            guarantee.epsilon,
            guarantee.delta,
            guarantee.batch,
            guarantee.question,
            guarantee.batches,
            guarantee.strategy.name(),
            guarantee.seed
        ),
        format!("distribution: {}", guarantee.distribution),
        format!(
            "cut: the first {} decisions of a run are compared with the model, and a run is \
             followed for at most {} statements",
            guarantee.max_decisions, guarantee.max_steps
        ),
    ];
    if outcome.statistics.unfinished > 0 {
        lines.push(format!(
            "beyond the cut: {} of {} sampled runs went on, and the guarantee does not speak of \
             what they did there",
            outcome.statistics.unfinished, outcome.statistics.samples
        ));
    }
    lines.extend(seen_lines(outcome));
    lines
}

/// What both engines saw, with or without a guarantee.
fn seen_lines(outcome: &Outcome) -> Vec<String> {
    let mut lines = Vec::new();
    let s = &outcome.statistics;
    match s.bmc_unwind {
        0 if s.bmc_work > 0 => {
            let note = "bounded model checking: no bound was finished within its share";
            lines.push(note.to_owned());
        }
        0 => {}
        n => lines.push(format!(
            "bounded model checking: no error within {}",
            counted(n, "unwinding")
        )),
    }
    if let Some(model) = &outcome.model {
        lines.push(format!(
            "model: {} states, {} membership queries",
            model.trim().n_states(),
            s.membership.questions
        ));
    }
    if s.membership.given_up > 0 {
        lines.push(format!(
            "{} membership queries were not decided and taken for infeasible; the guarantee does \
             not depend on them",
            s.membership.given_up
        ));
    }
    lines
}

/// The numbers of a guarantee, for the contract and for a model's file.
pub fn numbers(guarantee: &Guarantee) -> PacNumbers {
    PacNumbers {
        epsilon: guarantee.epsilon,
        delta: guarantee.delta,
        batch: guarantee.batch,
        strategy: guarantee.strategy.name(),
        seed: guarantee.seed,
        equivalence_queries: guarantee.question,
        samples_last: guarantee.batches,
        cut: guarantee.max_decisions,
        max_steps: guarantee.max_steps,
        distribution: guarantee.distribution.clone(),
        two_sided: guarantee.is_two_sided,
        samples_unfinished: None,
    }
}

fn iteration_text(i: &Iteration, delta: f64) -> String {
    format!(
        "question {}: {} states, {} of {} batches accepted; after {} batches without an error, the \
         next one has an error with probability at most {:.4} (confidence {delta})",
        i.question, i.states, i.accepted, i.batches_needed, i.batches, i.next_error,
    )
}

/// Who was asked, for how long, and what came of it.
fn asked_text(asked: &Asked) -> String {
    let said = if asked.said.is_empty() {
        "nothing"
    } else {
        &asked.said
    };
    format!("{} ({:.2} s): {said}", asked.engine, asked.seconds)
}

fn teaching_round(i: &Iteration) -> TeachingRound {
    TeachingRound {
        question: i.question,
        states: i.states,
        batches_needed: i.batches_needed,
        accepted: i.accepted,
        batches: i.batches,
        next_error: i.next_error,
    }
}

fn statistics(outcome: &Outcome) -> LearningStatistics {
    let s = &outcome.statistics;
    LearningStatistics {
        membership_queries: s.membership.questions,
        answered_by: DecisionAnswers {
            tree: s.membership.by_tree,
            solver: s.membership.by_solver,
            given_up: s.membership.given_up,
        },
        equivalence_queries: s.equivalence_questions,
        error_words_refuted: s.error_words_refuted,
        over_approximation_sufficed: s.tests.by_over_approximation,
        pushdown_tests: s.tests.by_pushdown,
        model_words_refuted: s.model_words_refuted,
        samples: s.samples,
        batches: s.batches,
        samples_cut: s.cut,
        samples_unfinished: s.unfinished,
        random_runs: s.hunted,
        solver_calls: s.membership.by_solver + s.bmc_solver_calls,
        unwind: s.bmc_unwind,
        work: SharedWork {
            bmc: s.bmc_work,
            learn: s.learn_work,
        },
        engines: EngineStatistics {
            states: s.states,
            traces: TraceStatistics {
                traces: s.traces,
                solver_calls: s.trace_solver_calls,
            },
            induction: InductionStatistics {
                points: s.induction.points,
                states: s.induction.states,
                candidates: s.induction.candidates,
                solver_calls: s.induction.questions,
                facts: s.induction.facts,
            },
        },
    }
}

/// How often samples took each outcome of the branches they came to.
fn coverage(program: &Program, outcome: &Outcome) -> Vec<CoverageRow> {
    let rows = outcome.coverage.iter().map(|c| {
        let function = program.function(c.function);
        let span = function.block(c.block).terminator.span;
        CoverageRow {
            function: function.name.clone(),
            at: show::source_line(program, span),
            seen: c.seen,
        }
    });
    rows.collect()
}

fn judge(
    args: &VerifyArgs,
    program: &Arc<Program>,
    config: &Config,
    outcome: &Outcome,
    budget: &Budget,
) -> Verdict {
    let mut verdict = Verdict {
        unwind: Some(outcome.statistics.bmc_unwind),
        statistics: Some(statistics(outcome)),
        dot: outcome.model.as_ref().map(dot),
        result: VerifyResult {
            model: (outcome.model.as_ref()).map_or(Value::Null, automaton_json),
            coverage: Some(coverage(program, outcome)),
            ..VerifyResult::default()
        },
        ..Verdict::of_bmc(Claim::Undecided, GuaranteeKind::None)
    };
    match &outcome.verdict {
        idiolect_verify::Verdict::Error { found_by, run } => {
            let (replayed, recorder) = replay_small(program, &config.properties, run, budget);
            let what = match run.violated {
                Some(i) => format!("monitor `{}` violated", config.monitors[i].text),
                None => show::what(program, &replayed.end),
            };
            let finder = match found_by {
                FoundBy::Bmc => "bounded model checking",
                FoundBy::Model => "a word of the model",
                FoundBy::Sampling => "sampling",
                FoundBy::Guided => "coverage-guided runs",
                FoundBy::Traces => "trace abstraction",
            };
            verdict.claim = Claim::Error;
            verdict.kind = GuaranteeKind::Replayed;
            verdict.guarantee = format!("{what}: this run was found by {finder} and replayed.");
            verdict.found_by = Some(found_by.name());
            verdict.violated = run.violated.map(|i| config.monitors[i].text.clone());
            verdict.error = Some((replayed, recorder));
        }
        idiolect_verify::Verdict::Proved(proof_kind) => {
            judge_proof(
                args,
                program,
                config,
                outcome,
                *proof_kind,
                budget,
                &mut verdict,
            );
        }
        idiolect_verify::Verdict::Pac(guarantee) => {
            verdict.claim = Claim::Pac;
            verdict.kind = GuaranteeKind::Pac;
            verdict.guarantee = guarantee_text(outcome, guarantee);
            verdict.numbers = Some(PacNumbers {
                samples_unfinished: Some(outcome.statistics.unfinished),
                ..numbers(guarantee)
            });
            verdict.lines = guarantee_lines(guarantee, outcome);
        }
        idiolect_verify::Verdict::Undecided(doubt) => {
            verdict.guarantee = doubt_text(program, outcome, doubt);
            claim::add_doubt(&mut verdict.reached, program, doubt);
            match doubt {
                Doubt::FoundFault(fault) => {
                    verdict.kind = GuaranteeKind::Bounded;
                    verdict.warnings = fault_warnings(program, std::slice::from_ref(fault));
                }
                Doubt::Fault(run) => verdict.warnings.push(sampled_fault(program, run)),
                Doubt::NoRunEnded => verdict.lines = seen_lines(outcome),
                _ => {}
            }
        }
    }
    if args.learn.budget_report {
        for asked in &outcome.asked {
            verdict.lines.push(asked_text(asked));
        }
        let asked = outcome.asked.iter().map(|a| AskedEngine {
            engine: a.engine,
            result: a.said.clone(),
        });
        verdict.result.engines = Some(asked.collect());
        for i in &outcome.iterations {
            verdict.lines.push(iteration_text(i, config.delta));
        }
        let rounds = outcome.iterations.iter().map(teaching_round);
        verdict.result.iterations = Some(rounds.collect());
    }
    verdict
}

/// What is said of a proof, with what it rests on and who checked it.
fn judge_proof(
    args: &VerifyArgs,
    program: &Arc<Program>,
    config: &Config,
    outcome: &Outcome,
    proof: Proof,
    budget: &Budget,
    verdict: &mut Verdict,
) {
    verdict.claim = Claim::Proved;
    verdict.kind = GuaranteeKind::Proved;
    let checked = super::checked(args, &config.properties);
    verdict.guarantee = proof_text(proof, &checked, &args.unwinding.remark());
    let wants_certificate = args.check_proof || args.witness.is_some();
    let found = if wants_certificate && outcome.certificate.is_none() {
        certify(program, &config.properties, config.seed, budget)
    } else {
        None
    };
    let certificate = outcome.certificate.as_ref().or(found.as_ref());
    let mut shown = super::proof::result(program, proof, certificate);
    verdict.certificate = certificate.cloned();
    if let Some(certificate) = certificate {
        verdict.lines = super::proof::lines(program, certificate);
    }
    for formula in super::proof::formulas(program, &outcome.formulas) {
        let (file, line) = (formula.at.file.as_deref(), formula.at.line);
        let place = file
            .zip(line)
            .map_or(String::new(), |(f, l)| format!("{f}:{l}: "));
        (verdict.lines).push(format!("{place}`main`: {}", formula.formula));
        shown.invariants.push(formula);
    }
    if args.check_proof {
        let again = super::proof::check_again(program, config, proof, certificate, budget);
        verdict.lines.push(again.text);
        if again.by.is_some() {
            shown.checked_by = again.by;
        }
        if !again.stands {
            verdict.claim = Claim::Undecided;
            verdict.kind = GuaranteeKind::None;
            verdict.guarantee = "A proof was found, and then refused.".to_owned();
        }
    }
    verdict.result.proof = Some(shown);
}

/// A proof in a sentence.
fn proof_text(proof: Proof, checked: &str, remark: &str) -> String {
    match proof {
        Proof::Unwinding { unwind } => format!(
            "No run has an error ({checked}): every run ends within {} of each loop{}.",
            counted(unwind, "unwinding"),
            remark
        ),
        Proof::AllPaths { paths } => {
            format!(
                "No run has an error ({checked}): all {paths} paths were followed to their \
                 ends."
            )
        }
        Proof::OnlyRun { steps } => format!(
            "No run has an error ({checked}): the program takes no input, and its one run \
             ends after {}.",
            counted(steps, "step")
        ),
        Proof::Induction { facts } => format!(
            "No run has an error ({checked}), by induction over loops and recursion with \
             {}; a second checker has accepted the proof.",
            counted(facts, "invariant")
        ),
        Proof::Formulas { formulas } => format!(
            "No run has an error ({checked}), by induction over loops with {} about all elements of \
             arrays and lists.",
            counted(formulas, "formula")
        ),
        Proof::States { states } => format!(
            "No run has an error ({checked}): none of {}, which together describe every run, \
             is at one.",
            counted(states, "abstract state")
        ),
        Proof::Traces { traces } => format!(
            "No run has an error ({checked}): every error trace is infeasible ({} and those \
             like them).",
            counted(traces, "refuted trace")
        ),
    }
}

fn sampled_fault(program: &Program, run: &Sample) -> String {
    format!(
        "{}: {} ended a run there (inputs {})",
        show::place_text(program, &run.place),
        show::what(program, &run.end),
        show::first_values(&run.inputs)
    )
}

fn doubt_text(program: &Program, outcome: &Outcome, doubt: &Doubt) -> String {
    let word = |decisions: &[bool]| -> String {
        let text = decisions.iter().map(|&d| if d { '1' } else { '0' });
        text.take(200).collect()
    };
    match doubt {
        Doubt::Stopped(reason) => {
            let s = &outcome.statistics;
            format!(
                "Not finished: {reason}. No error in {}, nor within {}.",
                counted(s.samples + s.hunted, "sampled run"),
                counted(s.bmc_unwind, "unwinding")
            )
        }
        Doubt::Trap { index } => {
            let gap = program.assumptions.get(*index as usize);
            let text = gap.map_or("something", |gap| gap.text.as_str());
            let place = gap.and_then(|gap| program.sources.place(gap.span));
            let place = place.map_or(String::new(), |p| format!(", at {}:{}", p.file, p.line));
            match gap.map(|gap| gap.kind) {
                Some(AssumptionKind::Bound) => {
                    format!("No error was found, but a run went beyond a bound: {text}{place}.")
                }
                _ => format!(
                    "No error was found, but a run came to C that is not modelled: {text}{place}."
                ),
            }
        }
        Doubt::Unmodelled { gap, place } => {
            format!(
                "No error was found, but runs {}: {gap}, at {}.",
                crate::c_input::reach(gap.kind),
                show::at(program, *place)
            )
        }
        Doubt::UnknownPointer { place } => format!(
            "No error was found, but runs use a pointer that names no object, at {}.",
            show::at(program, *place)
        ),
        Doubt::Fault(run) => format!(
            "No error was found, but a run ended with {} at {}, and nobody can say what it does \
             after that.",
            show::what(program, &run.end),
            show::place_text(program, &run.place)
        ),
        Doubt::FoundFault(fault) => format!(
            "No run has an error before it ends, but a run may end with {} at {}, and nobody can \
             say what it does after that; `--property {}` makes it the error.",
            fault.kind,
            show::at(program, fault.place),
            property_option(fault.kind),
        ),
        Doubt::Unconfirmed => "A possible error was found, but it depends on a value that is not \
                               modelled exactly, and its run does not show it."
            .to_owned(),
        Doubt::HardPath { decisions } => format!(
            "No error was found, but nobody could say whether these decisions lead to one: {}.",
            word(decisions)
        ),
        Doubt::Contradiction { decisions } => format!(
            "No error was found, but the model excludes decisions that a run took: {}.",
            word(decisions)
        ),
        Doubt::Disagreement { inputs } => format!(
            "The symbolic engine says that these inputs lead to an error, and the run does not \
             ({inputs:?}): please report it."
        ),
        Doubt::Assumptions => "No error was found, but there are too many ways to assumptions \
                               that stand before errors."
            .to_owned(),
        Doubt::NoRunEnded => format!(
            "No error was found, but none of {} sampled runs came to its end before it was cut, so \
             nothing is promised.",
            outcome.statistics.samples
        ),
        Doubt::NoModelChecking => "A model was learned and no error found, but no guarantee is \
                                   given before bounded model checking had its share; `--engine \
                                   both` gives it."
            .to_owned(),
    }
}
