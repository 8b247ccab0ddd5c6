//! Another value at one place of the program: does a failing run pass with it? A few values are tried, then the
//! value is solved for.

use crate::case::{CaseInputs, JudgedCase, RunCase, machine};
use crate::initial::{is_constant, started_with};
use crate::places::{PassingValue, PlacesConfig};
use crate::replaced::{EVERY, N_NUMBERS, is_number, replaceable};
use crate::sites::{SiteKind, Suspect};
use crate::solving::{Effort, Question, Solved, solve, with_site};
use idiolect_base::{Budget, SourceMap, StopReason};
use idiolect_interp::{
    CompileOptions, Compiled, Effect, InputRequest, InputSource, Machine, NoObserver, Observer,
    View, naming,
};
use idiolect_ir::{BinaryOp, Expr, ExprKind, FunctionOrigin, Program, Property, Ty};
use idiolect_smt::Solver;
use idiolect_symex::path::PathExplorer;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A failing run, with what is known of it.
pub(crate) struct Failing<'a> {
    pub(crate) case: &'a RunCase,
    pub(crate) counts: Vec<u32>,
    pub(crate) last: Vec<u32>,
    pub(crate) assigned: FxHashMap<usize, u128>,
    pub(crate) steps: u64,
    /// It does not end.
    pub(crate) is_cut: bool,
    /// Numbers that it should have printed.
    pub(crate) wanted: Vec<i128>,
}

impl Failing<'_> {
    /// How near its end a statement was executed last, from 0 to 1.
    pub(crate) fn near(&self, at: usize) -> f64 {
        (f64::from(self.last[at]) / self.steps.max(1) as f64).min(1.0)
    }
}

/// A run with another value may take so many times more steps, and these more: most of those that take longer never
/// end. Fewer where the program's own assertions are what is asked: these are the servers.
const LONGER: u64 = 8;
const LONGER_PLAIN: u64 = 3;
const STEPS: u64 = 4_000;

fn longest(run: &Failing<'_>) -> u64 {
    let times = if run.case.is_plain() {
        LONGER_PLAIN
    } else {
        LONGER
    };
    times * run.steps + STEPS
}

/// Numbers of a program that are tried, as it compares something with them.
const MAX_COMPARED: usize = 10;

/// Numbers that the user's functions ask about with `==` or `!=`.
fn compared(program: &Program) -> Vec<i128> {
    let mut list: Vec<i128> = Vec::new();
    for function in &program.functions {
        if function.origin != FunctionOrigin::User {
            continue;
        }
        for expr in &function.exprs {
            if let ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, _, b) = expr.kind
                && let Expr {
                    kind: ExprKind::Const(bits),
                    ty,
                    ..
                } = *function.expr(b)
            {
                let number = as_signed(bits, ty, true);
                if list.len() < MAX_COMPARED && !list.contains(&number) {
                    list.push(number);
                }
            }
        }
    }
    list
}

/// Pointers that are tried at one place, and executions of it.
const MAX_ADDRESSES: usize = 8;
const MAX_POINTER_EXECUTIONS: usize = 4;

/// Keeps the pointers that a run assigns.
struct Addresses {
    list: Vec<(u128, String)>,
}

impl Observer for Addresses {
    const STATEMENTS: bool = true;

    fn after(&mut self, view: &View<'_>, effect: &Effect) {
        let (Effect::Assigned { value, .. } | Effect::Stored { value, .. }) = effect else {
            return;
        };
        let is_new = |a: &(u128, String)| a.0 != value.bits;
        if value.ty == Ty::Ptr && self.list.len() < MAX_ADDRESSES && self.list.iter().all(is_new) {
            let name = naming::value(view, None, *value);
            self.list.push((value.bits, name));
        }
    }
}

/// Questions to the solver about one value each, in all.
const MAX_SOLVED: usize = 60;

/// First the numbers that say what is replaced, then the run's own inputs.
pub(crate) struct Replaced<'a, S> {
    pub(crate) numbers: &'a [u128; N_NUMBERS],
    pub(crate) used: usize,
    pub(crate) rest: S,
}

/// The numbers that say that this value is what the site with this number has, counted from 0.
pub(crate) fn told(number: usize, execution: Option<u64>, value: u128) -> [u128; N_NUMBERS] {
    let mut numbers = [0u128; N_NUMBERS];
    numbers[0] = number as u128 + 1;
    numbers[1] = u128::from(execution.unwrap_or(0));
    numbers[2] = match execution {
        None => 1 | 1 << EVERY,
        Some(_) => 1,
    };
    numbers[3] = value;
    numbers
}

impl<S: InputSource> InputSource for Replaced<'_, S> {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        if self.used < N_NUMBERS && is_number(request.kind()) {
            self.used += 1;
            return Some(self.numbers[self.used - 1]);
        }
        self.rest.next(request)
    }
}

/// The inputs of a run, and the pointers that it assigns, with names.
type Known = (CaseInputs, Vec<(u128, String)>);

/// Tries values, then solves for them.
pub(crate) struct Asking<'a> {
    /// The program without its text, which copies of it do not need.
    bare: Program,
    properties: &'a [Property],
    /// Runs the program in which every suspect can be replaced.
    machine: Machine<'a>,
    /// The same where `const` objects may be written.
    constants: Option<Machine<'a>>,
    is_done: &'a [bool],
    pub(crate) steps_left: u64,
    /// Of these, what the place that is asked about may take.
    share_left: u64,
    /// That was not enough.
    pub(crate) wants_more: bool,
    work_left: u64,
    max_executions: usize,
    budget: &'a Budget,
    pub(crate) n_solved: usize,
    /// The solver may be asked; else values are tried alone.
    pub(crate) may_solve: bool,
    /// A number with which another failing run passes.
    pub(crate) hint: Option<i128>,
    pub(crate) last: Option<PassingValue>,
    /// Of the run with these inputs: pointers that it assigns.
    addresses: Option<Known>,
    /// Numbers that the program compares something with.
    compared: Vec<i128>,
    /// Of the latest run: its steps, and how much it printed.
    effect: (u64, usize),
    pub(crate) stopped: Option<StopReason>,
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

/// The program in which every suspect can be replaced.
pub(crate) struct Replaceable {
    compiled: Compiled,
    /// The same where `const` objects may be written, if one of them is a suspect.
    constants: Option<Compiled>,
    /// Which of the suspects really can be replaced.
    is_done: Vec<bool>,
}

impl Replaceable {
    pub(crate) fn new(program: &Program, properties: &[Property], list: &[Suspect]) -> Self {
        let sites: Vec<_> = list.iter().map(|s| s.site).collect();
        let check_overflow = properties.contains(&Property::Overflow);
        let made = |has_constants| {
            let (copy, is_done) = replaceable(program, &sites, has_constants);
            debug_assert_eq!(idiolect_ir::verify(&copy), Ok(()));
            let compiled = Compiled::new(Arc::new(copy), &CompileOptions { check_overflow });
            (compiled, is_done)
        };
        let (compiled, mut is_done) = made(false);
        let has_constants = sites.iter().any(|&site| is_constant(program, site));
        let constants = has_constants.then(|| {
            let (compiled, all_done) = made(true);
            is_done = all_done;
            compiled
        });
        Self {
            compiled,
            constants,
            is_done,
        }
    }
}

impl<'a> Asking<'a> {
    pub(crate) fn new(
        program: &'a Arc<Program>,
        properties: &'a [Property],
        replaceable: &'a Replaceable,
        config: &PlacesConfig,
        budget: &'a Budget,
    ) -> Self {
        Self {
            bare: Program {
                sources: SourceMap::new(),
                ..Program::clone(program)
            },
            properties,
            machine: machine(&replaceable.compiled, 0),
            constants: (replaceable.constants.as_ref()).map(|compiled| machine(compiled, 0)),
            is_done: &replaceable.is_done,
            steps_left: config.steps,
            share_left: config.steps,
            wants_more: false,
            work_left: config.work,
            max_executions: config.max_executions,
            budget,
            n_solved: 0,
            may_solve: true,
            hint: None,
            last: None,
            addresses: None,
            compared: compared(program),
            effect: (0, 0),
            stopped: None,
        }
    }

    /// From here on, one place is asked about, with at most so many steps.
    pub(crate) fn share(&mut self, steps: u64) {
        self.share_left = steps;
        self.wants_more = false;
    }

    /// Whether some value at the suspect makes the run pass; which one is left in `last`.
    pub(crate) fn passing(
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
        if suspect.ty == Ty::Ptr {
            return self.pointer((number, suspect), run, n_executions);
        }
        let values = self.values(suspect, run, at);
        let executions = self.executions(suspect.kind, n_executions);
        let mut n_open = 0;
        // Executions at which the value matters: not all of those that were tried come to the same.
        let mut matter = Vec::new();
        for &execution in &executions {
            let mut seen = None;
            for &value in &values {
                match self.run((number, suspect), run, execution, value) {
                    Some(JudgedCase::Passes) => {
                        self.keep(suspect, value as u128, execution, false);
                        return Solved::Passes(value as u128);
                    }
                    Some(_) => {}
                    None => n_open += 1,
                }
                if *seen.get_or_insert(self.effect) != self.effect {
                    matter.push(execution);
                }
            }
        }
        matter.dedup();
        // All values of a condition were tried.
        let is_every_execution = n_executions as usize <= self.max_executions;
        if suspect.ty == Ty::BOOL {
            return if n_open == 0 && is_every_execution && run.case.is_plain() {
                Solved::Never
            } else {
                Solved::Unknown
            };
        }
        // An unknown index or size makes all of memory unknown.
        let is_memory = matches!(suspect.kind, SiteKind::Index | SiteKind::Size);
        let is_solvable = self.may_solve && !run.is_cut && !is_memory;
        if is_solvable && run.case.is_plain() {
            self.solved((number, suspect), run, &executions, is_every_execution)
        } else if is_solvable {
            // That no value passes cannot be known where output is compared; a value that matters may.
            self.solved((number, suspect), run, &matter, false)
        } else {
            Solved::Unknown
        }
    }

    /// Null, and addresses that the run knows. Others may pass, too, so that "no pointer does" is never known.
    fn pointer(
        &mut self,
        suspect: (usize, &Suspect),
        run: &Failing<'_>,
        n_executions: u32,
    ) -> Solved {
        let executions = self.executions(SiteKind::Assign, n_executions);
        for &execution in executions.iter().take(MAX_POINTER_EXECUTIONS) {
            for (bits, name) in self.addresses(run) {
                if let Some(JudgedCase::Passes) = self.run(suspect, run, execution, bits as i128) {
                    self.last = Some(PassingValue {
                        number: bits as i128,
                        name: Some(name),
                        execution,
                        is_solved: false,
                    });
                    return Solved::Passes(bits);
                }
            }
        }
        Solved::Unknown
    }

    /// Null, and the first pointers that the run assigns, with their names.
    fn addresses(&mut self, run: &Failing<'_>) -> Vec<(u128, String)> {
        if self
            .addresses
            .as_ref()
            .is_none_or(|a| a.0 != run.case.inputs)
        {
            let mut seen = Addresses {
                list: vec![(0, "NULL".to_owned())],
            };
            let numbers = [0; N_NUMBERS];
            let mut source = Replaced {
                numbers: &numbers,
                used: 0,
                rest: run.case.source(),
            };
            self.machine.limit_steps(longest(run));
            self.machine.run(&mut source, &mut seen, self.budget);
            self.addresses = Some((run.case.inputs.clone(), seen.list));
        }
        self.addresses
            .as_ref()
            .map_or_else(Vec::new, |a| a.1.clone())
    }

    fn keep(&mut self, suspect: &Suspect, value: u128, execution: Option<u64>, is_solved: bool) {
        self.last = Some(PassingValue {
            number: as_signed(value, suspect.ty, suspect.is_signed),
            name: None,
            execution,
            is_solved,
        });
    }

    fn solved(
        &mut self,
        (number, suspect): (usize, &Suspect),
        run: &Failing<'_>,
        executions: &[Option<u64>],
        is_every_execution: bool,
    ) -> Solved {
        let mut answer = if is_every_execution {
            Solved::Never
        } else {
            Solved::Unknown
        };
        if executions.is_empty() {
            return answer;
        }
        let Some(copy) = with_site(&self.bare, suspect.site) else {
            return Solved::Unknown;
        };
        let is_constant = is_constant(&self.bare, suspect.site);
        let check_overflow = self.properties.contains(&Property::Overflow);
        let mut explorer = PathExplorer::new(&copy, check_overflow);
        let mut solver = Solver::new();
        for &execution in executions {
            if self.work_left == 0 || self.n_solved >= MAX_SOLVED {
                return Solved::Unknown;
            }
            self.n_solved += 1;
            let question = Question {
                case: run.case,
                number,
                execution,
            };
            let machine = match &mut self.constants {
                Some(machine) if is_constant => machine,
                _ => &mut self.machine,
            };
            let found = solve(
                (&copy, &mut explorer, &mut solver),
                machine,
                self.properties,
                question,
                Effort::default(),
                &mut self.work_left,
                self.budget,
            );
            match found {
                Ok(Solved::Passes(value))
                    if is_constant && !self.passes_with(suspect, value, run, longest(run)) =>
                {
                    answer = Solved::Unknown;
                }
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
    fn executions(&self, kind: SiteKind, n: u32) -> Vec<Option<u64>> {
        let n = u64::from(n);
        let mut list = vec![None];
        if kind == SiteKind::Constant || n == 1 {
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
        if !run.case.is_plain() {
            // On one side and on the other of whatever it is compared with.
            list.extend([1 << 30, -(1 << 30)]);
            list.extend(&self.compared);
        }
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
        (number, suspect): (usize, &Suspect),
        run: &Failing<'_>,
        execution: Option<u64>,
        value: i128,
    ) -> Option<JudgedCase> {
        let numbers = told(number, execution, value as u128);
        let most = longest(run).min(self.steps_left);
        let max_steps = most.min(self.share_left);
        self.wants_more |= max_steps < most;
        if max_steps == 0 {
            return None;
        }
        let is_constant = is_constant(&self.bare, suspect.site);
        let machine = match &mut self.constants {
            Some(machine) if is_constant => machine,
            _ => &mut self.machine,
        };
        machine.limit_steps(max_steps);
        let mut source = Replaced {
            numbers: &numbers,
            used: 0,
            rest: run.case.source(),
        };
        let outcome = machine.run(&mut source, &mut NoObserver, self.budget);
        self.steps_left = self.steps_left.saturating_sub(outcome.steps);
        self.share_left = self.share_left.saturating_sub(outcome.steps);
        self.effect = (outcome.steps, outcome.stdout.len());
        if let Err(reason) = self.budget.look() {
            self.stopped = Some(reason);
            return None;
        }
        match run.case.judge(&outcome, self.properties) {
            JudgedCase::Open => None,
            JudgedCase::Passes if is_constant => {
                let passes = self.passes_with(suspect, value as u128, run, max_steps);
                passes.then_some(JudgedCase::Passes)
            }
            judged => Some(judged),
        }
    }

    /// Whether the run passes if the object starts with this value and must not be written, as the program says.
    fn passes_with(&self, suspect: &Suspect, value: u128, run: &Failing<'_>, steps: u64) -> bool {
        let program = Arc::new(started_with(&self.bare, suspect, value));
        let check_overflow = self.properties.contains(&Property::Overflow);
        let compiled = Compiled::new(program, &CompileOptions { check_overflow });
        let outcome = run.case.run(&compiled, steps, &mut NoObserver, self.budget);
        run.case.judge(&outcome, self.properties) == JudgedCase::Passes
    }
}

/// The numbers in a text.
pub(crate) fn numbers(text: &[u8]) -> Vec<i128> {
    let text = String::from_utf8_lossy(text);
    let is_number = |c: char| c.is_ascii_digit() || c == '-';
    let words = text.split(|c| !is_number(c)).filter_map(|w| w.parse().ok());
    let mut list: Vec<i128> = words.take(64).collect();
    list.sort_unstable();
    list.dedup();
    list.truncate(8);
    list
}
