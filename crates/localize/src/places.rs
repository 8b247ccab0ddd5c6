//! Where to look first: every place of the source with a score.
//!
//! A place counts if some value there, and nothing else changed, makes failing runs pass: a condition
//! or a returned value at every execution or at one, a constant at every one. Few values are tried;
//! then the value is solved for ([`solving`](crate::solving)), so that "no value passes" is known and
//! not guessed. Runs that pass and runs that fail give each place a second number, Ochiai's. Both
//! together are the score. A place that some failing run does not come to does not explain that run: what
//! speaks for it counts for the others alone. One at which no value makes any failing run pass is no suspect, whatever
//! other runs say.

use crate::case::{Case, CaseInputs, Judged, MAX_STEPS};
use crate::evidence::PlaceEvidence;
use crate::replaced::{EVERY, N_NUMBERS, replaceable};
use crate::sites::{SiteKind, Suspect, suspects};
use crate::solving::{Effort, Question, Solved, solve};
use idiolect_base::{Budget, Span, StopReason};
use idiolect_interp::{
    CompileOptions, Compiled, Effect, End, InputOrigin, InputRequest, InputSource, Machine,
    NoObserver, Observer, RunOptions, View,
};
use idiolect_ir::{FuncId, FunctionOrigin, InputKind, Location, Program, Property, Ty};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

pub use crate::sites::SiteKind as PlaceKind;

/// How much is done.
#[derive(Clone, Debug)]
pub struct PlacesConfig {
    /// Failing runs in which values are looked for; all of them count for the spectrum.
    pub max_failing: usize,
    /// Executions of a place that are replaced one at a time.
    pub max_executions: usize,
    /// Steps of the interpreter in all.
    pub steps: u64,
    /// Work of the solver in all: statements and terms.
    pub work: u64,
}

impl Default for PlacesConfig {
    fn default() -> Self {
        Self {
            max_failing: 4,
            max_executions: 8,
            steps: 40_000_000,
            work: 400_000,
        }
    }
}

/// A value with which a failing run passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PassingValue {
    pub number: i128,
    /// The only execution that has it, counted from 1; all have it if `None`.
    pub execution: Option<u64>,
    /// It was solved for.
    pub is_solved: bool,
}

/// A place of the source that may be at fault.
#[derive(Clone, Debug)]
pub struct SuspectPlace {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
    pub text: String,
    pub kind: SiteKind,
    /// From 0 to 1.
    pub score: f64,
    /// What the score is made of.
    pub evidence: PlaceEvidence,
    /// Ochiai's number, if there are runs that pass.
    pub spectrum: Option<f64>,
    pub value: Option<PassingValue>,
    /// Of all failing runs: numbers that every execution may have.
    pub numbers: Vec<i128>,
    /// Whether some value makes a failing run pass; `None` is not known.
    pub passes: Option<bool>,
    /// The part of the failing runs that come here.
    pub in_failing: f64,
    /// Failing runs that were looked at, and those that pass with some value.
    pub n_failing: usize,
    pub n_passing_with: usize,
    pub span: Span,
    pub location: Location,
}

/// What is known of all of them.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// Best first; without those at which no value passes.
    pub list: Vec<SuspectPlace>,
    /// Places at which no value makes any failing run pass.
    pub refuted: Vec<SuspectPlace>,
    pub n_refuted: usize,
    /// All suspects of the failing runs.
    pub n_suspects: usize,
    pub n_solved: usize,
    /// Runs that count as passing in the spectrum.
    pub n_passing_runs: usize,
    pub n_failing_runs: usize,
    /// Every line that some run comes to, in order: what spectrum-based rankings are computed from.
    pub lines: Vec<LineRuns>,
    pub stopped: Option<StopReason>,
}

/// How many runs come to a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineRuns {
    pub file: String,
    pub line: u32,
    pub failing: u32,
    pub passing: u32,
}

/// A line of the user's functions.
struct Line {
    runs: LineRuns,
    /// The run that is being counted comes to it.
    is_here: bool,
    /// Its first statement.
    at: Location,
    span: Span,
}

/// Which statements runs come to.
struct Spectrum {
    /// By function and block: the number of its first statement.
    first: Vec<Vec<usize>>,
    /// By statement: its line's number in `lines`, if it is the user's.
    line_of: Vec<Option<u32>>,
    lines: Vec<Line>,
    failing: Vec<u32>,
    passing: Vec<u32>,
    n_failing: u32,
    n_passing: u32,
}

/// The statements of one run: how often, and when last.
struct Covered<'a> {
    first: &'a [Vec<usize>],
    counts: Vec<u32>,
    last: Vec<u32>,
    now: u32,
    /// What a statement assigned when it was executed last.
    assigned: FxHashMap<usize, u128>,
}

fn number_of(first: &[Vec<usize>], at: Location) -> usize {
    first[at.function.index()][at.block.index()] + at.index
}

impl Observer for Covered<'_> {
    const STATEMENTS: bool = true;

    fn before(&mut self, view: &View<'_>) -> ControlFlow<()> {
        let place = view.place();
        let number = self.first[place.function.index()][place.block.index()] + place.stmt as usize;
        self.counts[number] += 1;
        self.now += 1;
        self.last[number] = self.now;
        ControlFlow::Continue(())
    }

    fn after(&mut self, view: &View<'_>, effect: &Effect) {
        let value = match effect {
            Effect::Assigned { value, .. } | Effect::Stored { value, .. } => value,
            Effect::Result(value) => value,
            Effect::None => return,
        };
        let place = view.place();
        let number = self.first[place.function.index()][place.block.index()] + place.stmt as usize;
        self.assigned.insert(number, value.bits);
    }
}

impl Spectrum {
    fn new(program: &Program) -> Self {
        let mut n = 0;
        let mut first = Vec::new();
        for function in &program.functions {
            let mut own = Vec::with_capacity(function.blocks.len());
            for block in &function.blocks {
                own.push(n);
                n += block.stmts.len() + 1;
            }
            first.push(own);
        }
        let (line_of, lines) = lines_of(program, n);
        Self {
            first,
            line_of,
            lines,
            failing: vec![0; n],
            passing: vec![0; n],
            n_failing: 0,
            n_passing: 0,
        }
    }

    fn covered(&self) -> Covered<'_> {
        Covered {
            first: &self.first,
            counts: vec![0; self.failing.len()],
            last: vec![0; self.failing.len()],
            now: 0,
            assigned: FxHashMap::default(),
        }
    }

    fn add(&mut self, counts: &[u32], passes: bool) {
        let (list, n) = if passes {
            (&mut self.passing, &mut self.n_passing)
        } else {
            (&mut self.failing, &mut self.n_failing)
        };
        *n += 1;
        for (own, &count) in list.iter_mut().zip(counts) {
            *own += u32::from(count > 0);
        }
        for (line, _) in self.line_of.iter().zip(counts).filter(|(_, c)| **c > 0) {
            if let Some(line) = line {
                self.lines[*line as usize].is_here = true;
            }
        }
        for line in &mut self.lines {
            let n = u32::from(std::mem::take(&mut line.is_here));
            if passes {
                line.runs.passing += n
            } else {
                line.runs.failing += n
            }
        }
    }

    fn ochiai(&self, at: Location) -> f64 {
        let number = number_of(&self.first, at);
        self.ochiai_of(self.failing[number], self.passing[number])
    }

    fn part_of_failing(&self, failing: u32) -> f64 {
        f64::from(failing) / f64::from(self.n_failing.max(1))
    }

    fn ochiai_of(&self, failing: u32, passing: u32) -> f64 {
        let failing = f64::from(failing);
        let all = failing + f64::from(passing);
        let root = (f64::from(self.n_failing) * all).sqrt();
        if root > 0.0 { failing / root } else { 0.0 }
    }
}

/// The lines of the user's functions, in order, and by statement its line.
fn lines_of(program: &Program, n: usize) -> (Vec<Option<u32>>, Vec<Line>) {
    let mut at: Vec<Option<(String, u32)>> = Vec::with_capacity(n);
    let mut first: BTreeMap<(String, u32), (Location, Span)> = BTreeMap::new();
    for (number, function) in program.functions.iter().enumerate() {
        let is_own = function.origin == FunctionOrigin::User;
        for block in function.block_ids() {
            let body = function.block(block);
            let spans = body.stmts.iter().map(|s| s.span);
            for (index, span) in spans.chain([body.terminator.span]).enumerate() {
                let place = is_own.then(|| program.sources.place(span)).flatten();
                let place = place.map(|p| (p.file, p.line));
                if let Some(place) = &place {
                    let location = Location {
                        function: FuncId::new(number),
                        block,
                        index,
                    };
                    first.entry(place.clone()).or_insert((location, span));
                }
                at.push(place);
            }
        }
    }
    let all: Vec<&(String, u32)> = first.keys().collect();
    let number = |p: &(String, u32)| all.binary_search(&p).ok().map(|i| i as u32);
    let line_of = at.iter().map(|p| p.as_ref().and_then(number)).collect();
    let lines = first.into_iter().map(|((file, line), (at, span))| Line {
        runs: LineRuns {
            file,
            line,
            failing: 0,
            passing: 0,
        },
        is_here: false,
        at,
        span,
    });
    (line_of, lines.collect())
}

/// A failing run, with what is known of it.
struct Failing<'a> {
    case: &'a Case,
    counts: Vec<u32>,
    last: Vec<u32>,
    assigned: FxHashMap<usize, u128>,
    /// In order of use, with what would be read of standard input after it.
    inputs: Vec<u128>,
    steps: u64,
    /// It does not end.
    is_cut: bool,
    /// Numbers that it should have printed.
    wanted: Vec<i128>,
}

impl Failing<'_> {
    /// How near its end a statement was executed last, from 0 to 1.
    fn near(&self, at: usize) -> f64 {
        (f64::from(self.last[at]) / self.steps.max(1) as f64).min(1.0)
    }
}

/// Ranks the places of the source by these runs. Runs that do not fail although they should are no
/// failing ones.
pub fn places(
    program: &Arc<Program>,
    properties: &[Property],
    failing: &[Case],
    passing: &[Case],
    config: &PlacesConfig,
    budget: &Budget,
) -> Places {
    let check_overflow = properties.contains(&Property::Overflow);
    let options = CompileOptions { check_overflow };
    let compiled = Compiled::new(program.clone(), &options);
    let mut spectrum = Spectrum::new(program);
    let mut runs: Vec<Failing<'_>> = Vec::new();
    let mut found = Places::default();
    // Steps of the longest run that ends.
    let mut typical = 0;
    for case in failing.iter().chain(passing) {
        let mut covered = spectrum.covered();
        let outcome = case.run(&compiled, MAX_STEPS, &mut covered, budget);
        let Covered {
            counts,
            last,
            assigned,
            ..
        } = covered;
        let judged = case.judge(&outcome, properties);
        if judged == Judged::Open {
            continue;
        }
        let is_cut = matches!(outcome.end, End::Limit(_));
        if !is_cut {
            typical = typical.max(outcome.steps);
        }
        spectrum.add(&counts, judged == Judged::Passes);
        if judged == Judged::Fails {
            runs.push(Failing {
                case,
                counts,
                last,
                assigned,
                inputs: pinned_inputs(program, case, &outcome),
                steps: outcome.steps,
                is_cut,
                wanted: case
                    .expected
                    .stdout
                    .as_deref()
                    .map_or_else(Vec::new, numbers),
            });
        }
        if let Err(reason) = budget.look() {
            found.stopped = Some(reason);
            break;
        }
    }
    found.n_failing_runs = spectrum.n_failing as usize;
    found.n_passing_runs = spectrum.n_passing as usize;
    let executed = |l: &LineRuns| l.failing + l.passing > 0;
    let lines = spectrum.lines.iter().map(|line| &line.runs);
    found.lines = lines.filter(|l| executed(l)).cloned().collect();
    // The shortest are the cheapest to do again.
    for run in runs.iter_mut().filter(|r| r.is_cut) {
        run.steps = typical.max(2_000);
    }
    runs.sort_by_key(|r| (r.is_cut, r.steps));
    let list = in_order(program, &spectrum, &runs);
    found.n_suspects = list.len();
    let mut asking = Asking::new(program, properties, &list, config, budget);
    let mut ranked = Vec::new();
    for (number, suspect) in list.iter().enumerate() {
        let at = number_of(&spectrum.first, suspect.at);
        let mut place = placed(program, suspect);
        place.in_failing = spectrum.part_of_failing(spectrum.failing[at]);
        // A place explains nothing of a run that does not come to it.
        let runs: Vec<&Failing<'_>> = (runs.iter().filter(|r| r.counts[at] > 0))
            .take(config.max_failing.max(1))
            .collect();
        place.n_failing = runs.len();
        let mut all_never = true;
        for (i, &run) in runs.iter().enumerate() {
            // If one is not helped by anything, the others are not asked.
            if i > 0 && place.passes == Some(false) {
                break;
            }
            asking.may_solve = i == 0;
            asking.hint = place.value.as_ref().map(|v| v.number);
            match asking.passing(number, suspect, run, run.counts[at], at) {
                Solved::Passes(_) => {
                    place.n_passing_with += 1;
                    all_never = false;
                    place.passes = Some(true);
                    let value = asking.last.take();
                    let every = value.as_ref().filter(|v| v.execution.is_none());
                    place.numbers.extend(every.map(|v| v.number));
                    place.value = place.value.or(value);
                }
                Solved::Never if i == 0 => place.passes = Some(false),
                Solved::Never => {}
                Solved::Unknown => all_never = false,
            }
        }
        if place.passes != Some(true) && all_never {
            place.passes = Some(false);
        }
        if place.passes == Some(false) {
            found.n_refuted += 1;
            found.refuted.push(place);
            continue;
        }
        let has_passing = spectrum.n_passing > 0;
        place.spectrum = has_passing.then(|| spectrum.ochiai(suspect.at));
        let near = runs.first().map_or(0.0, |r| r.near(at));
        ranked.push((place, near));
    }
    if failing.iter().any(|c| !c.is_plain()) {
        let others = statements(program, &spectrum, &runs, &ranked, &found.refuted);
        ranked.extend(others);
    }
    let best = (ranked.iter()).filter_map(|(place, _)| place.spectrum);
    let best = best.fold(0.0, f64::max);
    let ranked = ranked.into_iter().map(|(mut place, near)| {
        place.evidence = PlaceEvidence::new(&place, near, best);
        place.score = place.evidence.score();
        place
    });
    found.n_solved = asking.n_solved;
    found.stopped = found.stopped.or(asking.stopped);
    found.list = ranked.collect();
    found.sort();
    found
}

/// The suspects that some failing run comes to, the likeliest first: the work may end before the last.
fn in_order(program: &Program, spectrum: &Spectrum, runs: &[Failing<'_>]) -> Vec<Suspect> {
    let mut list = suspects(program);
    let failing = |s: &Suspect| spectrum.failing[number_of(&spectrum.first, s.at)];
    list.retain(|s| failing(s) > 0);
    let last = |s: &Suspect| {
        let at = number_of(&spectrum.first, s.at);
        runs.first().map_or(0, |r| r.last[at])
    };
    if spectrum.n_passing > 0 {
        list.sort_by_key(|s| Reverse((spectrum.ochiai(s.at) * 1e6) as u64));
    } else {
        list.sort_by_key(|s| Reverse((failing(s), last(s))));
    }
    list
}

impl Places {
    /// The best first.
    pub fn sort(&mut self) {
        self.list.sort_by_key(|p| {
            (
                Reverse((p.score * 1e6) as u64),
                p.file.clone(),
                p.line,
                p.column,
            )
        });
    }
}

/// Lines that failing runs come to and that have nothing to be replaced.
fn statements(
    program: &Program,
    spectrum: &Spectrum,
    runs: &[Failing<'_>],
    ranked: &[(SuspectPlace, f64)],
    refuted: &[SuspectPlace],
) -> Vec<(SuspectPlace, f64)> {
    let asked = crate::sites::specification_functions(program);
    let mut list = Vec::new();
    for line in &spectrum.lines {
        let LineRuns {
            failing, passing, ..
        } = line.runs;
        let mut known = ranked.iter().map(|r| &r.0).chain(refuted);
        let is_known = |p: &SuspectPlace| p.line == line.runs.line && p.file == line.runs.file;
        let is_asked = asked.contains(&program.function(line.at.function).name);
        if failing == 0 || is_asked || known.any(is_known) {
            continue;
        }
        let mut place = place_of(program, line.at, line.span, SiteKind::Statement);
        place.in_failing = spectrum.part_of_failing(failing);
        let has_words = place.text.contains(|c: char| c.is_alphanumeric());
        if has_words {
            place.spectrum = Some(spectrum.ochiai_of(failing, passing));
            let at = number_of(&spectrum.first, line.at);
            let near = runs.iter().map(|r| r.near(at)).find(|near| *near > 0.0);
            list.push((place, near.unwrap_or(0.0)));
        }
    }
    list
}

fn placed(program: &Program, suspect: &Suspect) -> SuspectPlace {
    place_of(program, suspect.at, suspect.span, suspect.kind)
}

fn place_of(program: &Program, location: Location, span: Span, kind: SiteKind) -> SuspectPlace {
    let sources = &program.sources;
    let at = sources.place(span);
    let (file, line, column) = at.map_or_else(Default::default, |p| (p.file, p.line, p.column));
    let written = sources.slice(span);
    let line_text = sources.line_text(span).unwrap_or("");
    // As it is written, unless macros hide it.
    let text = if !written.is_empty() && line_text.contains(written) {
        written.to_owned()
    } else {
        sources.statement_text(span)
    };
    SuspectPlace {
        file,
        line,
        column,
        function: program.function(location.function).name.clone(),
        text: text.trim_end_matches(';').to_owned(),
        kind,
        score: 0.0,
        evidence: PlaceEvidence::default(),
        spectrum: None,
        value: None,
        numbers: Vec::new(),
        passes: None,
        in_failing: 0.0,
        n_failing: 0,
        n_passing_with: 0,
        span,
        location,
    }
}

/// All inputs of a run, and what is left of standard input.
fn pinned_inputs(program: &Program, case: &Case, outcome: &idiolect_interp::Outcome) -> Vec<u128> {
    let mut all: Vec<u128> = outcome.inputs.iter().map(|i| i.bits).collect();
    match &case.inputs {
        CaseInputs::List(list) => all.extend(list.iter().skip(all.len())),
        CaseInputs::Process { stdin, .. } => {
            let is_stdin = |origin: &InputOrigin| match origin {
                InputOrigin::Site(id) => {
                    matches!(program.inputs[id.index()].kind, InputKind::Stdin)
                }
                InputOrigin::Unwritten(_) => false,
            };
            let read = outcome.inputs.iter().filter(|i| is_stdin(&i.origin));
            let n_read = read.count();
            all.extend(stdin.iter().skip(n_read).map(|&b| u128::from(b)));
        }
    }
    all
}

/// The numbers in a text.
fn numbers(text: &[u8]) -> Vec<i128> {
    let text = String::from_utf8_lossy(text);
    let is_number = |c: char| c.is_ascii_digit() || c == '-';
    let words = text.split(|c| !is_number(c)).filter_map(|w| w.parse().ok());
    let mut list: Vec<i128> = words.take(64).collect();
    list.sort_unstable();
    list.dedup();
    list.truncate(8);
    list
}

/// Questions to the solver about one value each, in all.
const MAX_SOLVED: usize = 60;

/// First the numbers that say what is replaced, then the run's own inputs.
struct Replaced<'a, S> {
    numbers: &'a [u128; N_NUMBERS],
    used: usize,
    rest: S,
}

impl<S: InputSource> InputSource for Replaced<'_, S> {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        let is_own = self.used < N_NUMBERS
            && matches!(request.kind(), Some(InputKind::Parameter(name)) if name == "%replaced");
        if is_own {
            self.used += 1;
            return Some(self.numbers[self.used - 1]);
        }
        self.rest.next(request)
    }
}

/// Tries values, then solves for them.
struct Asking<'a> {
    program: &'a Arc<Program>,
    properties: &'a [Property],
    compiled: Compiled,
    is_done: Vec<bool>,
    steps_left: u64,
    work_left: u64,
    max_executions: usize,
    budget: &'a Budget,
    n_solved: usize,
    /// The solver may be asked; else values are tried alone.
    may_solve: bool,
    /// A number with which another failing run passes.
    hint: Option<i128>,
    last: Option<PassingValue>,
    stopped: Option<StopReason>,
}

fn as_signed(bits: u128, ty: Ty, is_signed: bool) -> i128 {
    match ty {
        Ty::Int(width) if is_signed && width > 1 => {
            let shift = 128 - u32::from(width);
            ((bits << shift) as i128) >> shift
        }
        Ty::Int(width) => (bits & (u128::MAX >> (128 - u32::from(width)))) as i128,
        _ => bits as i128,
    }
}

impl<'a> Asking<'a> {
    fn new(
        program: &'a Arc<Program>,
        properties: &'a [Property],
        list: &[Suspect],
        config: &PlacesConfig,
        budget: &'a Budget,
    ) -> Self {
        let sites: Vec<_> = list.iter().map(|s| s.site).collect();
        let (copy, is_done) = replaceable(program, &sites);
        debug_assert_eq!(idiolect_ir::verify(&copy), Ok(()));
        let check_overflow = properties.contains(&Property::Overflow);
        Self {
            program,
            properties,
            compiled: Compiled::new(Arc::new(copy), &CompileOptions { check_overflow }),
            is_done,
            steps_left: config.steps,
            work_left: config.work,
            max_executions: config.max_executions,
            budget,
            n_solved: 0,
            may_solve: true,
            hint: None,
            last: None,
            stopped: None,
        }
    }

    /// Whether some value at the suspect makes the run pass; which one is left in `last`.
    fn passing(
        &mut self,
        number: usize,
        suspect: &Suspect,
        run: &Failing<'_>,
        n_executions: u32,
        at: usize,
    ) -> Solved {
        self.last = None;
        if !self.is_done[number] || self.stopped.is_some() {
            return Solved::Unknown;
        }
        let values = self.values(suspect, run, at);
        let executions = self.executions(suspect, n_executions);
        let mut n_open = 0;
        for &execution in &executions {
            for &value in &values {
                match self.run(number, run, execution, value) {
                    Some(Judged::Passes) => {
                        self.keep(suspect, value as u128, execution, false);
                        return Solved::Passes(value as u128);
                    }
                    Some(_) => {}
                    None => n_open += 1,
                }
            }
        }
        // All values of a condition were tried.
        let is_every_execution = n_executions as usize <= self.max_executions;
        if suspect.ty == Ty::BOOL {
            return if n_open == 0 && is_every_execution && run.case.is_plain() {
                Solved::Never
            } else {
                Solved::Unknown
            };
        }
        // An unknown index makes all of memory unknown.
        let is_solvable = self.may_solve && !run.is_cut && suspect.kind != SiteKind::Index;
        if is_solvable {
            self.solved(suspect, run, &executions, is_every_execution)
        } else {
            Solved::Unknown
        }
    }

    fn keep(&mut self, suspect: &Suspect, value: u128, execution: Option<u64>, is_solved: bool) {
        self.last = Some(PassingValue {
            number: as_signed(value, suspect.ty, suspect.is_signed),
            execution,
            is_solved,
        });
    }

    fn solved(
        &mut self,
        suspect: &Suspect,
        run: &Failing<'_>,
        executions: &[Option<u64>],
        is_every_execution: bool,
    ) -> Solved {
        let mut answer = if is_every_execution {
            Solved::Never
        } else {
            Solved::Unknown
        };
        for &execution in executions {
            if self.work_left == 0 || self.n_solved >= MAX_SOLVED {
                return Solved::Unknown;
            }
            self.n_solved += 1;
            let question = Question {
                case: run.case,
                inputs: &run.inputs,
                site: suspect.site,
                execution,
            };
            let found = solve(
                self.program,
                self.properties,
                question,
                Effort::default(),
                &mut self.work_left,
                self.budget,
            );
            match found {
                Ok(Solved::Passes(value)) => {
                    self.keep(suspect, value, execution, true);
                    return Solved::Passes(value);
                }
                Ok(Solved::Never) => {}
                Ok(Solved::Unknown) => answer = Solved::Unknown,
                Err(reason) => {
                    self.stopped = Some(reason);
                    return Solved::Unknown;
                }
            }
        }
        answer
    }

    /// Which executions are replaced: a constant is the same at all of them.
    fn executions(&self, suspect: &Suspect, n: u32) -> Vec<Option<u64>> {
        let n = u64::from(n);
        let mut list = vec![None];
        if suspect.kind == SiteKind::Constant || n == 1 {
            return list;
        }
        let most = self.max_executions as u64;
        if n <= most {
            list.extend((1..=n).rev().map(Some))
        } else {
            let late = most - most / 3;
            list.extend((n - late + 1..=n).rev().map(Some));
            list.extend((1..=most / 3).map(Some));
        }
        list
    }

    fn values(&self, suspect: &Suspect, run: &Failing<'_>, at: usize) -> Vec<i128> {
        if suspect.ty == Ty::BOOL {
            return vec![0, 1];
        }
        let own = match suspect.kind {
            SiteKind::Assign | SiteKind::Return => run.assigned.get(&at).copied(),
            _ => suspect.own,
        };
        let own = own.map(|bits| as_signed(bits, suspect.ty, suspect.is_signed));
        let mut list: Vec<i128> = self.hint.into_iter().collect();
        if let Some(own) = own {
            list.extend([own + 1, own - 1]);
        }
        list.extend([0, 1, 2, -1, 10, 100]);
        list.extend(&run.wanted);
        if let Some(own) = own {
            list.extend([-own, own * 2]);
            list.retain(|v| *v != own);
        }
        let mut seen = rustc_hash::FxHashSet::default();
        list.retain(|v| seen.insert(*v));
        list
    }

    /// How the run goes with this value; `None` if that is not known.
    fn run(
        &mut self,
        number: usize,
        run: &Failing<'_>,
        execution: Option<u64>,
        value: i128,
    ) -> Option<Judged> {
        let mut numbers = [0u128; N_NUMBERS];
        numbers[0] = number as u128 + 1;
        numbers[1] = u128::from(execution.unwrap_or(0));
        numbers[2] = match execution {
            None => 1 | 1 << EVERY,
            Some(_) => 1,
        };
        numbers[3] = value as u128;
        let max_steps = (20 * run.steps + 20_000).min(self.steps_left);
        if max_steps == 0 {
            return None;
        }
        let options = RunOptions {
            max_steps,
            max_output: 1 << 20,
            ..RunOptions::default()
        };
        let mut source = Replaced {
            numbers: &numbers,
            used: 0,
            rest: run.case.source(),
        };
        let outcome =
            Machine::new(&self.compiled, options).run(&mut source, &mut NoObserver, self.budget);
        self.steps_left = self.steps_left.saturating_sub(outcome.steps);
        if let Err(reason) = self.budget.look() {
            self.stopped = Some(reason);
            return None;
        }
        match run.case.judge(&outcome, self.properties) {
            Judged::Open => None,
            judged => Some(judged),
        }
    }
}
