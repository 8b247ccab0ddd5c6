//! The outcome as text and as JSON.

use super::{FunctionFindings, InvariantsAnswer};
use crate::claim;
use crate::ends::source_line;
use crate::looks;
use crate::output::{self, Timing};
use idiolect_functional::FunctionalFact;
use idiolect_invariants::collect::Counted;
use idiolect_invariants::proof::{self, Failure, Goal, Verdict as Proof};
use idiolect_invariants::records;
use idiolect_invariants::session::{Learned, LearnedLevel, NotLearned, Outcome, PointOutcome};
use idiolect_invariants::signature::{Length, ParameterKind, inputs, most_elements, signature};
use idiolect_invariants::whole;
use idiolect_ir::{FuncId, Program};
use idiolect_outcome::results::{
    AssertionResult, Change, ConjunctResult, FactResult, FunctionResult, InvariantsResult,
    InvariantsStatistics, LearnedLevels, LearnedPoint, LeftOut, LevelStatistics, PointResult,
    ViolatingExample,
};
use idiolect_outcome::{
    Assumption, AssumptionKind, Conclusion, GuaranteeKind, Ledger, Verdict as Claim,
};
use idiolect_quantified::automaton::Qda;
use idiolect_quantified::formula::{Comparison, Orders};
use idiolect_quantified::globals;
use idiolect_quantified::point::{Point, PointKind};
use idiolect_quantified::roles::Roles;
use idiolect_quantified::samples::Letter;
use idiolect_quantified::teacher::Valued;
use idiolect_quantified::vocabulary::{DataFormula, Vocabulary};
use idiolect_quantified::{acsl, draw, show};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// What is promised, and what it rests on.
pub fn conclusion(told: &InvariantsAnswer<'_>) -> Conclusion {
    let learned = || points(told).filter(|(_, p, _)| p.learned.is_ok());
    let n_learned = learned().count();
    let n_runs: u64 = told.found.iter().map(|f| f.outcome.runs.n_runs).sum();
    let is_proved = |v: Proof| matches!(v, Proof::Adequate);
    let n_proved = learned()
        .filter(|(_, _, proof)| proof.is_some_and(|p| is_proved(p.verdict)))
        .count();
    let is_harness = told.found.iter().any(|f| f.is_harness);
    let mut ledger = Ledger::default();
    if is_harness {
        claim::add_program(&mut ledger, told.program)
    } else {
        claim::add_program_called(&mut ledger, told.program)
    }
    // Runs on lists and arrays that are built as the types suggest: so is what is proved.
    if n_learned > 0 {
        for found in told.found.iter().filter(|f| !f.is_harness) {
            ledger.extend(contract(
                found.program(told.program),
                found.outcome.function,
            ));
            ledger.extend(taken_for_granted(told.program, found));
        }
    }
    // A failing run overrules every proof.
    let fails = told.found.iter().any(|f| f.outcome.runs.errors.n > 0);
    let whole = told.whole.filter(|_| !fails);
    // Functions that are not called from `main` have assertions of their own.
    let is_open = told.found.iter().any(|f| {
        let function = f.outcome.function;
        let is_main = f.is_harness && told.program.function(function).name == "main";
        is_main && !whole::is_all_below(told.program, function)
    });
    if let (Some(reason), None) = (told.stopped, whole) {
        ledger.stopped(reason);
    }
    let (claim, kind, text) = match (n_learned, n_proved) {
        (0, _) if whole.is_some() => (Claim::Proved, GuaranteeKind::Proved, by_states(whole)),
        (0, _) => (
            Claim::None,
            GuaranteeKind::None,
            match told.stopped {
                Some(reason) => format!("Not finished: {reason}."),
                None => "Nothing was learned.".to_owned(),
            },
        ),
        (n, m) if n == m && !fails && !is_open => (
            Claim::Learned,
            GuaranteeKind::Proved,
            format!(
                "Proved for inputs of any length and value: {} hold{}, and {} enough for memory \
                 safety and all assertions{}. Learned from {}.",
                match n {
                    1 => "the formula".to_owned(),
                    _ => format!("the formulas at {n} points"),
                },
                if n == 1 { "s" } else { "" },
                if n == 1 { "is" } else { "are" },
                // Contracts of functions that call themselves speak of calls that return.
                if told.found.iter().any(|f| !f.outcome.for_proof.is_empty()) {
                    ", of every run that ends"
                } else {
                    ""
                },
                runs(n_runs),
            ),
        ),
        (n, m) if whole.is_some() => (
            Claim::Learned,
            GuaranteeKind::Proved,
            format!(
                "{} Learned from {}; formulas are proved at {m} of {n} points, as said at each.",
                by_states(whole),
                runs(n_runs)
            ),
        ),
        (_, 0) => (
            Claim::Learned,
            GuaranteeKind::Learned,
            format!("Learned from {}, not proved.", runs(n_runs)),
        ),
        (n, m) => (
            Claim::Learned,
            GuaranteeKind::Learned,
            format!(
                "Learned from {}; proved at {m} of {n} points, as said at each.",
                runs(n_runs)
            ),
        ),
    };
    Conclusion::new(claim, kind, text, &ledger)
}

/// What abstract states show.
fn by_states(n: Option<u64>) -> String {
    format!(
        "All assertions hold and no access leaves its object: none of {} abstract states, which together \
         describe every run, is at an error.",
        n.unwrap_or(0)
    )
}

/// What the inputs of a function are taken to be, as its types and uses suggest.
fn contract(program: &Program, function: FuncId) -> Vec<Assumption> {
    let Ok(parameters) = signature(program, &Roles::new(program), function) else {
        return Vec::new();
    };
    let place = program.sources.place(program.function(function).span);
    let name = &program.function(function).name;
    let mut texts = Vec::new();
    let mut pointers = Vec::new();
    for record in records::opened_names(program, function) {
        texts.push(format!("`{record}` of `{name}` points to a record"));
        pointers.push(format!("`{record}`"));
    }
    for p in &parameters {
        match &p.kind {
            ParameterKind::List(shape) | ParameterKind::Head(shape) => {
                let back = match &shape.back {
                    Some((back, _)) => format!(
                        ", in which `{back}` leads from each cell to the one before it, and from the first to null"
                    ),
                    None => String::new(),
                };
                texts.push(format!(
                    "`{}` of `{name}` is a list without a cycle that ends in null{back}",
                    p.name
                ));
                pointers.push(format!("`{}`", p.name));
            }
            ParameterKind::Array { length, .. } => {
                let length = match length {
                    Length::Parameter(i) => format!("`{}`", parameters[*i].name),
                    Length::Known(n) => n.to_string(),
                };
                let within = match most_elements(&parameters, p) {
                    Some(_) => ", in less than 2 GiB",
                    None => "",
                };
                let what = if length == format!("`size({})`", p.name) {
                    format!("is a string: of its {length} elements the last one is 0, and no other")
                } else {
                    format!("has {length} elements that may be read and written")
                };
                texts.push(format!("`{}` of `{name}` {what}{within}", p.name));
                pointers.push(format!("`{}`", p.name));
            }
            ParameterKind::Cell { .. } => {
                texts.push(format!("`{}` of `{name}` points to a variable", p.name));
                pointers.push(format!("`{}`", p.name));
            }
            ParameterKind::Length { .. } if p.name.starts_with("size(") => {}
            ParameterKind::Length { .. } => {
                texts.push(format!("`{}` of `{name}` is not negative", p.name));
            }
            ParameterKind::Total { .. } => {
                texts.push(format!("`{}` of `{name}` does not overflow", p.name));
            }
            ParameterKind::Index { .. } | ParameterKind::Scalar { .. } => {}
        }
    }
    if pointers.len() > 1 {
        texts.push(format!(
            "{} of `{name}` do not overlap",
            pointers.join(" and ")
        ));
    }
    let globals = globals::reached(program, function).into_iter();
    let globals: Vec<String> = globals
        .map(|g| &program.global(g).name)
        // An array inside of a record is a part of that.
        .filter(|name| records::record_of(name).is_none())
        .map(|name| format!("`{name}`"))
        .collect();
    if !pointers.is_empty() && !globals.is_empty() {
        texts.push(format!(
            "what {} of `{name}` points to is apart from {} and what that points to",
            pointers.join(" or "),
            globals.join(" and ")
        ));
    }
    texts
        .into_iter()
        .map(|text| {
            let assumption = Assumption::new(AssumptionKind::Contract, text);
            match &place {
                Some(at) => assumption.at(at.file.clone(), at.line),
                None => assumption,
            }
        })
        .collect()
}

/// What a proof assumes of callers because it held of all inputs, such as `0 ≤ m ≤ n` where `m` is taken for a place in
/// an array of `n` elements, or because it was asked for (`--assume`).
fn taken_for_granted(program: &Program, found: &FunctionFindings) -> Vec<Assumption> {
    let name = &program.function(found.outcome.function).name;
    let points = found.outcome.points.iter();
    let entries = points.filter(|p| found.proof.is_some() && p.point.kind == PointKind::Entry);
    let mut assumed = Vec::new();
    for p in entries {
        let conjuncts = p.learned.iter().flat_map(|l| &l.formula.conjuncts);
        let texts = conjuncts.map(|c| show::conjunct(&p.point, c));
        // What a string is has been said.
        for text in texts.filter(|t| !t.contains("size(")) {
            let text = format!("`{text}` when `{name}` is called");
            let assumption = Assumption::new(AssumptionKind::Contract, text);
            assumed.push(match program.sources.place(p.point.span) {
                Some(at) => assumption.at(at.file.clone(), at.line),
                None => assumption,
            });
        }
    }
    assumed
}

fn runs(n: u64) -> String {
    format!("{n} run{}", if n == 1 { "" } else { "s" })
}

/// Each point with what was found for its function and its own proof.
pub fn points<'t>(
    told: &'t InvariantsAnswer<'_>,
) -> impl Iterator<
    Item = (
        &'t FunctionFindings,
        &'t PointOutcome,
        Option<&'t proof::PointProof>,
    ),
> {
    told.found.iter().flat_map(|found| {
        let mut proofs = found.proof.iter().flat_map(|p| &p.points);
        found.outcome.points.iter().map(move |p| {
            let proof = match p.learned {
                Ok(_) => proofs.next(),
                Err(_) => None,
            };
            (found, p, proof)
        })
    })
}

/// What is proved at a point beside its formula.
pub fn facts<'t>(found: &'t FunctionFindings, point: &PointOutcome) -> Vec<&'t FunctionalFact> {
    let at = found
        .outcome
        .points
        .iter()
        .position(|p| std::ptr::eq(p, point));
    found.facts.iter().filter(|f| Some(f.at) == at).collect()
}

/// What an adequate proof shows of a function: memory safety always, assertions where there are some, and what
/// the function does where something is said at its exit of what it returns or leaves.
fn shown_of(found: &FunctionFindings) -> Option<(bool, Vec<String>)> {
    let proof = found.proof.as_ref()?;
    if found.outcome.runs.errors.n > 0
        || proof.points.is_empty()
        || !proof.points.iter().all(|p| p.verdict == Proof::Adequate)
    {
        return None;
    }
    let mut functional: Vec<String> = Vec::new();
    for p in found
        .outcome
        .points
        .iter()
        .filter(|p| p.point.kind == PointKind::Exit)
    {
        let conjuncts = p.learned.iter().flat_map(|l| &l.formula.conjuncts);
        let says = conjuncts.filter(|c| idiolect_quantified::formula::says_something(&p.point, c));
        functional.extend(says.map(|c| show::conjunct(&p.point, c)));
        functional.extend(facts(found, p).into_iter().map(FunctionalFact::text));
    }
    Some((!proof.assertions.is_empty(), functional))
}

fn adequate(found: &FunctionFindings) -> Option<String> {
    let (has_assertions, functional) = shown_of(found)?;
    let mut text = "memory-safe".to_owned();
    if has_assertions {
        text += ", assertions hold";
    }
    match functional.len() {
        0 if found.is_harness => {}
        0 => text += "; nothing is said of what it does",
        1 => text += "; functional: 1 formula at the exit",
        n => text += &format!("; functional: {n} formulas at the exit"),
    }
    Some(text)
}

/// The assertions of all functions.
fn assertions<'t>(told: &'t InvariantsAnswer<'_>) -> impl Iterator<Item = &'t proof::Assertion> {
    let proofs = told.found.iter().filter_map(|f| f.proof.as_ref());
    proofs.flat_map(|p| &p.assertions)
}

/// What there is to say about the runs of a function.
pub fn warnings(program: &Program, outcome: &Outcome) -> Vec<String> {
    let name = &program.function(outcome.function).name;
    let runs = &outcome.runs;
    let mut found = Vec::new();
    // Runs of a small copy say nothing about the program, proofs do.
    let copy = if outcome.made_small.is_empty() {
        ""
    } else {
        " with small arrays"
    };
    if !outcome.made_small.is_empty() {
        let sizes: Vec<String> = outcome.made_small.iter().map(u64::to_string).collect();
        found.push(format!(
            "arrays of {} elements were made small for the runs of `{name}`; what is proved is \
             proved of the program as it is",
            sizes.join(", ")
        ));
    }
    let say = |counted: &Counted, what: &str| {
        let first = counted.first.as_ref()?;
        let place = program.sources.place(first.span);
        let place = place.map_or(String::new(), |p| format!(" at {}:{}", p.file, p.line));
        // A program may have drawn a whole array before it failed.
        const MAX_SHOWN: usize = 16;
        let shown = first.inputs.iter().take(MAX_SHOWN);
        let mut inputs: Vec<String> = shown.map(i128::to_string).collect();
        if first.inputs.len() > MAX_SHOWN {
            inputs.push("…".to_owned());
        }
        Some(format!(
            "{} of {} runs of `{name}`{copy} {what}{place}, first with the inputs {}; what was seen \
             before counts",
            counted.n,
            runs.n_runs,
            inputs.join(",")
        ))
    };
    let said = [
        say(&runs.errors, "fail an assertion or abort"),
        say(&runs.faults, "end in a fault"),
        say(&runs.traps, "meet C that is not modelled"),
        say(&runs.unfinished, "take too long"),
    ];
    found.extend(said.into_iter().flatten());
    found
}

/// What was seen at a point and left out, since it is not proved.
fn open(found: &FunctionFindings, point: &PointOutcome) -> Vec<String> {
    let at = found
        .outcome
        .points
        .iter()
        .position(|p| std::ptr::eq(p, point));
    let here = found.open.iter().filter(|(p, _)| Some(*p) == at);
    here.map(|(_, c)| show::conjunct(&point.point, c)).collect()
}

pub fn text(told: &InvariantsAnswer<'_>) -> String {
    let mut text = looks::conclusion(&conclusion(told));
    for found in &told.found {
        let function = told.program.function(found.outcome.function);
        let away = found.outcome.runs.n_assumed_away;
        let away = match away {
            0 => String::new(),
            n => format!(", {n} inputs assumed away"),
        };
        let _ = writeln!(
            text,
            "\n`{}`: {}{away}",
            function.name,
            runs(found.outcome.runs.n_runs)
        );
        for (_, p, proof) in points(told).filter(|(f, _, _)| std::ptr::eq(*f, found)) {
            point_text(told, p, proof, &facts(found, p), &mut text);
            for line in open(found, p) {
                let _ = writeln!(text, "    {line}    (seen, not proved)");
            }
        }
        if let Some(adequate) = adequate(found) {
            let _ = writeln!(text, "  adequate: {adequate}");
        }
    }
    let is_harness = told.found.iter().any(|f| f.is_harness);
    for a in assertions(told).filter(|_| is_harness) {
        let place = told.program.sources.place(a.span);
        let place = place.map_or(String::new(), |p| format!("{}:{} ", p.file, p.line));
        let status = if a.is_proved { "proved" } else { "not proved" };
        let _ = writeln!(text, "  {place}assertion: {status}");
    }
    for (name, reason) in &told.left_out {
        let _ = writeln!(text, "\n`{name}` was left out: {reason}.");
    }
    for warning in &told.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    text
}

fn point_text(
    told: &InvariantsAnswer<'_>,
    p: &PointOutcome,
    proof: Option<&proof::PointProof>,
    facts: &[&FunctionalFact],
    text: &mut String,
) {
    let sources = &told.program.sources;
    let place = sources.place(p.point.span);
    let place = place.map_or(String::new(), |p| format!("{}:{} ", p.file, p.line));
    let what = match p.point.kind {
        PointKind::Entry => "at the entry".to_owned(),
        PointKind::Exit => "at the exit".to_owned(),
        PointKind::Loop => {
            let line = sources.line_text(p.point.span).unwrap_or_default();
            format!(
                "at each round of `{}`",
                line.trim().trim_end_matches('{').trim_end()
            )
        }
    };
    let learned = match &p.learned {
        Ok(learned) => learned,
        Err(reason) => {
            let _ = writeln!(text, "  {place}{what}: nothing is said, since {reason}");
            if let Some(help) = help(reason) {
                let _ = writeln!(text, "    help: {help}");
            }
            return;
        }
    };
    let status = proof.map_or("", |proof| match proof.verdict {
        Proof::Adequate => ", proved (adequate)",
        Proof::Inductive => ", proved (inductive)",
        Proof::NotProved => ", not proved",
        Proof::Refuted => ", refuted",
    });
    let _ = writeln!(
        text,
        "  {place}{what} (seen {} times){status}:",
        p.n_snapshots
    );
    let mut n_said = 0;
    let kept = |i: usize| proof.is_none_or(|proof| proof.kept.get(i) != Some(&false));
    for (i, line) in show::lines(&p.point, &learned.formula)
        .into_iter()
        .enumerate()
    {
        let note = if kept(i) {
            String::new()
        } else {
            match broken_by(told, p, proof, i).filter(|_| told.args.common.verbose) {
                Some(breaks) => format!("    (seen, not proved: {breaks})"),
                None => "    (seen, not proved)".to_owned(),
            }
        };
        // `true` says nothing where something else is said.
        let is_said = !learned.formula.conjuncts.is_empty() || facts.is_empty();
        if is_said && !show::is_definition(&line) {
            let _ = writeln!(text, "    {line}{note}");
            n_said += 1;
        }
    }
    if n_said == 0 && facts.is_empty() {
        let _ = writeln!(text, "    true");
    }
    for fact in facts {
        let _ = writeln!(text, "    {}", fact.text());
    }
    if let Some(proof) = proof
        && proof.verdict != Proof::Adequate
        && let Some(failure) = proof.failures.first()
    {
        let _ = writeln!(text, "    fails: {}", obligation(told, p, failure));
    }
    if told.args.common.verbose {
        for level in &learned.levels {
            let _ = writeln!(
                text,
                "    {} quantified: {} states{}, {} membership and {} equivalence queries, {} words",
                level.vocabulary.n_quantified,
                level.elastic.n_states(),
                if level.elastified {
                    ", made elastic"
                } else {
                    ""
                },
                level.queries.membership,
                level.queries.equivalence,
                level.n_words,
            );
        }
    }
}

/// What can be done where nothing was learned.
fn help(reason: &NotLearned) -> Option<&'static str> {
    match reason {
        NotLearned::NotReached => Some(
            "try a larger `--length`, other `--values` or another `--assume`; what only special inputs \
             reach needs a `main` that builds them, and `--harness`",
        ),
        _ => None,
    }
}

/// What was to be shown and could not be.
fn obligation(told: &InvariantsAnswer<'_>, p: &PointOutcome, failure: &Failure) -> String {
    let of_function = |q: &PointOutcome| q.point.function == p.point.function;
    let claim = |number: usize| {
        let claims = points(told).filter(|(_, q, _)| of_function(q) && q.learned.is_ok());
        claims.map(|(_, q, _)| q).nth(number)
    };
    let what = match &failure.goal {
        Goal::Conjunct(i) => {
            // Of the claim where the obligation ends, which may be another one.
            let at = failure.to.and_then(claim);
            let conjunct = at.and_then(|q| {
                let learned = q.learned.as_ref().ok()?;
                let conjunct = learned.formula.conjuncts.get(*i)?;
                Some(show::conjunct(&q.point, conjunct))
            });
            conjunct.unwrap_or_else(|| "a conjunct".to_owned())
        }
        Goal::Shape => "lists stay lists".to_owned(),
        Goal::Safety(kind) => format!("memory safety ({kind:?})"),
        Goal::Assertion => "an assertion".to_owned(),
        Goal::Doubt(doubt) => doubt.to_string(),
    };
    let place = failure.span.and_then(|s| told.program.sources.place(s));
    let place = place.map_or(String::new(), |p| format!(" at {}:{}", p.file, p.line));
    let model = breaking(told, p, failure);
    let model = model.map_or(String::new(), |m| format!(", {m}"));
    format!("{what}{place}{model}")
}

/// The state from which an obligation fails, or the input if a run does.
fn breaking(told: &InvariantsAnswer<'_>, p: &PointOutcome, failure: &Failure) -> Option<String> {
    let of_function = |q: &PointOutcome| q.point.function == p.point.function;
    let found = told
        .found
        .iter()
        .find(|f| f.outcome.function == p.point.function)?;
    if let (Some(input), false) = (&failure.input, found.is_harness) {
        let program = found.program(told.program);
        let parameters = inputs(program, &Roles::new(program), found.outcome.function).ok()?;
        return Some(format!("with the input {}", input.describe(&parameters)));
    }
    // The model is a state of the claim that the obligation starts from.
    let model = failure.model.as_ref()?;
    let mut claims = points(told).filter(|(_, q, _)| of_function(q) && q.learned.is_ok());
    let (_, from, _) = claims.nth(failure.from?)?;
    Some(format!("from {}", draw::snapshot(&from.point, model)))
}

/// What breaks a conjunct that is not kept.
fn broken_by(
    told: &InvariantsAnswer<'_>,
    p: &PointOutcome,
    proof: Option<&proof::PointProof>,
    conjunct: usize,
) -> Option<String> {
    let failures = &proof?.failures;
    let of_function = |q: &PointOutcome| q.point.function == p.point.function;
    let mut claims = points(told).filter(|(_, q, _)| of_function(q) && q.learned.is_ok());
    let own = claims.position(|(_, q, _)| std::ptr::eq(q, p));
    let is_own = |f: &&Failure| f.goal == Goal::Conjunct(conjunct) && f.to == own;
    breaking(told, p, failures.iter().find(is_own)?)
}

pub fn json(told: &InvariantsAnswer<'_>, timing: &Timing) -> Value {
    let sum = |f: fn(&LearnedLevel) -> u64| -> u64 {
        (points(told).filter_map(|(_, p, _)| p.learned.as_ref().ok()))
            .flat_map(|l| l.levels.iter().map(f))
            .sum()
    };
    let solver_calls: u64 = (told.found.iter())
        .filter_map(|f| f.proof.as_ref())
        .map(|p| p.statistics.solver_calls)
        .sum();
    let statistics = InvariantsStatistics {
        runs: told.found.iter().map(|f| f.outcome.runs.n_runs).sum(),
        assumed_away: (told.found.iter())
            .map(|f| f.outcome.runs.n_assumed_away)
            .sum(),
        refuting_inputs: told.found.iter().map(|f| f.n_refuting).sum(),
        snapshots: points(told).map(|(_, p, _)| p.n_snapshots).sum(),
        membership_queries: sum(|l| l.queries.membership),
        equivalence_queries: sum(|l| l.queries.equivalence),
        solver_calls,
    };
    output::answer_json(
        "invariants",
        &conclusion(told),
        statistics,
        &told.warnings,
        (!told.args.common.no_timing).then_some(timing),
        result(told),
    )
}

fn result(told: &InvariantsAnswer<'_>) -> InvariantsResult {
    let functions = told.found.iter().map(|found| {
        let shown = shown_of(found);
        FunctionResult {
            function: told.program.function(found.outcome.function).name.clone(),
            memory_safe: shown.is_some(),
            assertions_hold: shown.as_ref().map(|s| s.0).filter(|&has| has),
            functional: shown.map(|s| s.1).unwrap_or_default(),
        }
    });
    let assertions = assertions(told).map(|a| AssertionResult {
        at: source_line(told.program, a.span),
        proved: a.is_proved,
    });
    let left_out = told.left_out.iter().map(|(function, reason)| LeftOut {
        function: function.clone(),
        reason: reason.clone(),
    });
    InvariantsResult {
        points: points(told)
            .map(|(found, p, proof)| point_result(told, found, p, proof))
            .collect(),
        functions: functions.collect(),
        assertions: assertions.collect(),
        left_out: left_out.collect(),
    }
}

fn point_result(
    told: &InvariantsAnswer<'_>,
    found: &FunctionFindings,
    p: &PointOutcome,
    proof: Option<&proof::PointProof>,
) -> PointResult {
    let facts = facts(found, p).into_iter().map(|f| FactResult {
        kind: f.name(),
        text: f.text(),
        acsl: f.acsl(),
    });
    let learned = p.learned.as_ref();
    PointResult {
        function: told.program.function(p.point.function).name.clone(),
        kind: match p.point.kind {
            PointKind::Loop => "loop",
            PointKind::Entry => "entry",
            PointKind::Exit => "exit",
        },
        at: source_line(told.program, p.point.span),
        samples: p.n_snapshots,
        formula: (learned.ok()).map(|learned| show::formula(&p.point, &learned.formula)),
        reason: learned.err().map(|reason| reason.to_string()),
        learned: (learned.ok()).map(|learned| learned_point(told, p, learned, proof)),
        not_proved: open(found, p),
        facts: facts.collect(),
    }
}

fn learned_point(
    told: &InvariantsAnswer<'_>,
    p: &PointOutcome,
    learned: &Learned,
    proof: Option<&proof::PointProof>,
) -> LearnedPoint {
    let conjuncts = learned.formula.conjuncts.iter().enumerate();
    let conjuncts = conjuncts.map(|(i, c)| {
        let proved = proof.map(|proof| proof.kept.get(i).copied().unwrap_or(false));
        ConjunctResult {
            text: show::conjunct(&p.point, c),
            proved,
            broken: match proved {
                Some(false) => broken_by(told, p, proof, i),
                _ => None,
            },
        }
    });
    let violating = draw::violations(&p.point, &learned.formula, &p.examples);
    let violating = violating
        .iter()
        .take(6)
        .map(|(conjunct, s)| ViolatingExample {
            structure: draw::snapshot(&p.point, s),
            conjunct: show::conjunct(&p.point, &learned.formula.conjuncts[*conjunct]),
        });
    LearnedPoint {
        acsl: acsl::clauses(&p.point, &learned.formula).join("\n"),
        conjuncts: conjuncts.collect(),
        last: learned.levels.last().map(|level| LearnedLevels {
            automaton: automaton(&p.point, level),
            elastified: level.elastified,
            statistics: statistics(level),
            levels: learned.levels.iter().map(statistics).collect(),
        }),
        proof: match proof.map(|proof| proof.verdict) {
            Some(Proof::Adequate) => "adequate",
            Some(Proof::Inductive) => "inductive",
            Some(Proof::Refuted) => "refuted",
            Some(Proof::NotProved) | None => "not-proved",
        },
        obligation: match proof {
            Some(proof) if proof.verdict != Proof::Adequate => {
                proof.failures.first().map(|f| obligation(told, p, f))
            }
            Some(_) => None,
            None => Some("no proof was tried".to_owned()),
        },
        satisfying: (p.examples.iter().take(4))
            .map(|s| draw::snapshot(&p.point, s))
            .collect(),
        violating: violating.collect(),
        changes: (p.point.kind == PointKind::Exit).then(|| changes(told, p)),
    }
}

/// What some runs began with, and what they came to.
fn changes(told: &InvariantsAnswer<'_>, exit: &PointOutcome) -> Vec<Change> {
    let is_entry = |p: &&PointOutcome| {
        p.point.kind == PointKind::Entry && p.point.function == exit.point.function
    };
    let Some(entry) = points(told).map(|(_, p, _)| p).find(is_entry) else {
        return Vec::new();
    };
    let before = |run: &u64| {
        let at = entry.example_runs.iter().position(|own| own == run)?;
        Some(draw::snapshot(&entry.point, entry.examples.get(at)?))
    };
    (exit.example_runs.iter().zip(&exit.examples))
        .filter_map(|(run, after)| {
            Some(Change {
                before: before(run)?,
                after: draw::snapshot(&exit.point, after),
            })
        })
        .take(4)
        .collect()
}

fn statistics(level: &LearnedLevel) -> LevelStatistics {
    LevelStatistics {
        quantified: level.vocabulary.n_quantified,
        membership_queries: level.queries.membership,
        equivalence_queries: level.queries.equivalence,
        states: level.elastic.n_states(),
        states_learned: level.qda.n_states(),
        elastified: level.elastified,
        words: level.n_words,
    }
}

fn automaton(point: &Point, level: &LearnedLevel) -> Value {
    let qda: &Qda = &level.elastic;
    let names: Vec<String> = qda.letters.iter().map(|l| letter(point, *l)).collect();
    let states: Vec<Value> = (qda.outputs.iter().enumerate())
        .map(|(q, output)| {
            let text = match output {
                None => "-".to_owned(),
                Some(formula) => data_formula(point, &level.vocabulary, *formula),
            };
            json!({
                "id": q, "initial": q == 0, "accepting": output.is_some(), "output": text,
            })
        })
        .collect();
    let transitions: Vec<Value> = (qda.steps.iter().enumerate())
        .flat_map(|(q, row)| row.iter().map(move |(&a, &to)| (q, a, to)))
        .map(|(q, a, to)| json!({ "from": q, "to": to, "letter": names[a] }))
        .collect();
    json!({
        "kind": "moore", "alphabet": names, "states": states, "transitions": transitions,
    })
}

/// `(b, -)`, `({cur, nil}, y1)`.
fn letter(point: &Point, valued: Valued) -> String {
    let mut names: Vec<&str> = (valued.letter.variables())
        .map(|v| point.variables[v].name.as_str())
        .collect();
    for (mark, name) in [
        (Letter::NIL, "nil"),
        (Letter::LE_ZERO, "le_zero"),
        (Letter::GEQ_SIZE, "geq_size"),
        (Letter::START, "next list"),
    ] {
        if valued.letter.has(mark) {
            names.push(name);
        }
    }
    let first = match names.as_slice() {
        [] => "b".to_owned(),
        [one] => (*one).to_owned(),
        _ => format!("{{{}}}", names.join(", ")),
    };
    let second = valued
        .quantified
        .map_or("-".to_owned(), show::quantified_name);
    format!("({first}, {second})")
}

fn data_formula(point: &Point, vocabulary: &Vocabulary, formula: DataFormula) -> String {
    let parts: Vec<String> = (vocabulary.pairs.iter().enumerate())
        .filter_map(|(i, pair)| {
            let orders = formula.orders(i);
            (orders != Orders::ANY && orders != Orders::NONE).then(|| {
                let comparison = Comparison {
                    left: pair.left,
                    orders,
                    right: pair.right,
                };
                show::comparison(point, &comparison.upright())
            })
        })
        .collect();
    if parts.is_empty() {
        "true".to_owned()
    } else {
        parts.join(" ∧ ")
    }
}
