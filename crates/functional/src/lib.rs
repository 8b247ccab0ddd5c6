//! What a function does, beyond what holds of every element: that something it found is there, that it leaves the
//! elements that there were, that it returns a sum or a number of elements.
//!
//! Each is an [`Attempt`]: a copy of the function with ghosts ([`ghost`]), and conjuncts about them that may hold at
//! its points. Runs tell which of them do not, and [`idiolect_invariants::proof`] proves what is left together with what it has
//! proved already. Where a copy may fault and the function may not, nothing is said.

pub mod acsl_contract;
pub mod c_check;
pub mod c_driver;
mod exchange;
mod fold;
mod ghost;
mod permutation;
mod position;
mod straight;
mod terms;
mod text;
mod witness;

pub use exchange::Hint;
pub use terms::ComputedText;

use idiolect_base::Budget;
use idiolect_invariants::assume::Assumption;
use idiolect_invariants::builder;
use idiolect_invariants::collect::Collector;
use idiolect_invariants::inputs::{self, InputSpace};
use idiolect_invariants::proof::{self, Goal, Verdict};
use idiolect_invariants::refine;
use idiolect_invariants::session::{Config, Outcome};
use idiolect_invariants::signature;
use idiolect_ir::{FuncId, LocalId, Place, Program, Stmt, StmtKind, Ty, TypeId};
use idiolect_quantified::formula::{Comparison, Conjunct, DataTerm, Orders};
use idiolect_quantified::instrument::Instrumented;
use idiolect_quantified::point::{ArraySize, Binding, Point, PointKind, Role, Structure, Variable};
use idiolect_quantified::roles::Roles;

/// The copies are run at most so often.
const MAX_RUNS: u128 = 8_000;

/// Something that a function does, or that holds at a loop of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionalFact {
    pub kind: FunctionalFactKind,
    /// The point that it holds at, by position.
    pub at: usize,
}

/// Names are those of variables at the point, as ACSL writes them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FunctionalFactKind {
    /// The elements are those that there were at the entry, in some order.
    Permutation {
        array: String,
        size: String,
        element: String,
        is_exit: bool,
        /// It holds at every loop as well, so that rounds exchange elements.
        by_rounds: bool,
    },
    /// What was at a place `%y` at the entry, where the guards hold, is at another one.
    Moved {
        array: String,
        size: String,
        guards: Vec<String>,
        to: String,
        is_exit: bool,
    },
    /// Two indices are as far from the first element as from the last.
    Opposite {
        one: String,
        other: String,
        size: String,
    },
    /// Some element has this value.
    Exists {
        array: String,
        size: String,
        value: String,
        unless: Option<Unless>,
    },
    /// The value is the sum over the elements up to a place.
    Total {
        array: String,
        to: String,
        value: String,
        summand: Summand,
        /// The type of elements.
        element: String,
        /// The sum is one modulo two to the power of this, and its type is this.
        wraps: Option<(u8, String)>,
    },
    /// In each list that is left, a cell's next one leads back to it, and the first one to nothing.
    LeadsBack { next: String, back: String },
    /// On the path that the guard tells, something is what is computed from what there was.
    Computed {
        guard: Option<ComputedText>,
        left: ComputedText,
        right: ComputedText,
        /// Arrays whose old elements are mentioned, and their sizes.
        arrays: Vec<(String, String)>,
        /// Pointers to single values that are mentioned as they were.
        cells: Vec<String>,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unless {
    /// There are no elements.
    Empty,
    /// This variable is 0.
    Zero(String),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Summand {
    Element,
    /// 1 for each element that compares so.
    If {
        orders: Orders,
        other: String,
    },
}

/// A conjunct, by the position of its point and among the candidates there, and what it means.
type Meant = ((usize, usize), FunctionalFact);

/// A copy of the function, and what may hold of it.
struct Attempt {
    program: Program,
    /// Those of the function, with ghosts.
    points: Vec<Point>,
    /// For each point.
    candidates: Vec<Vec<Conjunct>>,
    /// What is worth saying at the exit, the strongest first.
    goals: Vec<Meant>,
    /// What is worth saying at loops, what says more first.
    loops: Vec<Meant>,
    /// All of that is said, and not only what comes first.
    says_all: bool,
}

/// What the function does, as far as it is proved. Only what was proved to be memory-safe is looked at.
pub fn find(
    program: &Program,
    outcome: &Outcome,
    proof: &proof::Outcome,
    config: &Config,
    budget: &Budget,
) -> Vec<FunctionalFact> {
    let is_adequate = |p: &proof::PointProof| p.verdict == Verdict::Adequate;
    let is_whole = outcome.points.iter().all(|p| p.learned.is_ok());
    if !is_whole
        || !proof.points.iter().all(is_adequate)
        || !outcome.for_proof.is_empty()
        || !proof::needed(program, outcome.function).is_empty()
        || !outcome
            .points
            .iter()
            .any(|p| p.point.kind == PointKind::Exit)
    {
        return Vec::new();
    }
    let mut facts: Vec<FunctionalFact> = Vec::new();
    let mut attempts = permutation::attempts(program, outcome);
    attempts.extend(position::attempts(program, outcome));
    attempts.extend(witness::attempts(program, outcome));
    attempts.extend(fold::attempts(program, outcome));
    attempts.extend(straight::attempts(program, outcome));
    for attempt in attempts {
        if budget.look().is_err() {
            break;
        }
        for fact in attempt
            .settle(outcome, proof, config, budget)
            .unwrap_or_default()
        {
            if !facts.contains(&fact) {
                facts.push(fact);
            }
        }
    }
    facts.extend(links(program, outcome));
    facts.sort_by_key(|f| f.at);
    facts
}

/// That doubly linked lists which the function links anew are such lists again: a part of what is proved of the shape of
/// each point.
fn links(program: &Program, outcome: &Outcome) -> Vec<FunctionalFact> {
    let function = program.function(outcome.function);
    let is_link = |s: &Stmt| {
        let place = match &s.kind {
            StmtKind::Assign { place, .. } => place,
            _ => return false,
        };
        matches!(place, Place::Memory { ty: Ty::Ptr, .. })
    };
    let mut found = Vec::new();
    if !function.blocks.iter().flat_map(|b| &b.stmts).any(is_link) {
        return found;
    }
    for (at, p) in outcome.points.iter().enumerate() {
        for structure in p.point.structures.iter() {
            if let (PointKind::Exit, Structure::List(shape)) = (p.point.kind, structure)
                && let Some((back, _)) = &shape.back
            {
                let kind = FunctionalFactKind::LeadsBack {
                    next: shape.next.clone(),
                    back: back.clone(),
                };
                found.push(FunctionalFact { kind, at });
            }
        }
    }
    found
}

impl Attempt {
    /// Nothing if nothing is worth saying at the exit.
    fn with_goals(
        program: Program,
        points: Vec<Point>,
        candidates: Vec<Vec<Conjunct>>,
        goals: Vec<Meant>,
        loops: Vec<Meant>,
    ) -> Option<Self> {
        (!goals.is_empty()).then_some(Attempt {
            program,
            points,
            candidates,
            goals,
            loops,
            says_all: false,
        })
    }

    /// What is proved.
    fn settle(
        self,
        outcome: &Outcome,
        proof: &proof::Outcome,
        config: &Config,
        budget: &Budget,
    ) -> Option<Vec<FunctionalFact>> {
        let alive = self.sieve(outcome, config, budget)?;
        let is_alive = |at: &(usize, usize)| alive[at.0][at.1];
        if !self.goals.iter().any(|(at, _)| is_alive(at)) {
            return None;
        }
        let mut with = outcome.clone();
        // Where each candidate is in the formula of its point.
        let mut places: Vec<Vec<Option<usize>>> = Vec::new();
        for (p, of) in with.points.iter_mut().enumerate() {
            of.point = self.points[p].clone();
            let formula = &mut of.learned.as_mut().ok()?.formula;
            let kept = &proof.points[p].kept;
            let mut numbers = 0..formula.conjuncts.len();
            (formula.conjuncts)
                .retain(|_| numbers.next().is_some_and(|i| kept.get(i) == Some(&true)));
            let mut here = Vec::new();
            for (i, c) in self.candidates[p].iter().enumerate() {
                here.push(alive[p][i].then_some(formula.conjuncts.len()));
                if alive[p][i] {
                    formula.conjuncts.push(c.clone());
                }
            }
            places.push(here);
        }
        let proved = refine::prove_once(&self.program, &with, &proof::Config::default(), budget);
        let is_other = |g: &Goal| !matches!(g, Goal::Conjunct(_));
        let mut failures = proved.points.iter().flat_map(|p| &p.failures);
        if proved.is_cut_short || failures.any(|f| is_other(&f.goal) || f.is_run) {
            return None;
        }
        let is_proved = |at: &(usize, usize)| {
            let point = proved.points.get(at.0);
            let kept = places[at.0][at.1].and_then(|c| point.map(|p| p.kept.get(c) == Some(&true)));
            kept == Some(true)
                && point
                    .is_some_and(|p| matches!(p.verdict, Verdict::Adequate | Verdict::Inductive))
        };
        let goal = self.goals.iter().find(|(at, _)| is_proved(at))?;
        // The strongest one at each loop comes first.
        let mut facts: Vec<FunctionalFact> = Vec::new();
        for (at, fact) in &self.loops {
            let is_said =
                |f: &FunctionalFact| f.at == fact.at && (!self.says_all || f.says_more_than(fact));
            if is_proved(at) && !facts.iter().any(is_said) {
                facts.push(fact.clone());
            }
        }
        facts.push(goal.1.clone());
        // What does not hold at every loop is not what the others need.
        let holds_at_all = facts.len() > self.loops.len();
        for fact in &mut facts {
            if let FunctionalFactKind::Permutation { by_rounds, .. } = &mut fact.kind {
                *by_rounds = holds_at_all;
            }
        }
        facts.retain(|f| f.is_told());
        Some(facts)
    }

    /// Which candidates hold in all runs of small inputs. Nothing if the copy cannot be run.
    fn sieve(&self, outcome: &Outcome, config: &Config, budget: &Budget) -> Option<Vec<Vec<bool>>> {
        let roles = Roles::new(&self.program);
        let parameters = signature::inputs(&self.program, &roles, outcome.function).ok()?;
        let assumptions = Assumption::all(&config.assumptions, &parameters).ok()?;
        let fits = |&n: &u64| inputs::count(&parameters, 0..=n, outcome.values.len()) <= MAX_RUNS;
        let length = (0..=*config.lengths.end()).rev().find(fits)?;
        let space = InputSpace::new(&parameters, 0..=length, outcome.values.clone());
        let mut instrumented = Instrumented::new(&self.program, &self.points);
        let first = builder::start_with(&mut instrumented.program, outcome.function, &parameters);
        let collector = Collector::new(&self.points, &instrumented, &[], 0);
        let alive = collector.surviving(&space, first, &assumptions, &self.candidates, budget);
        alive.ok()
    }
}

/// The structure and the field of an array that a parameter points to.
fn array_of(point: &Point, array: LocalId) -> Option<(usize, usize)> {
    point
        .variables
        .iter()
        .find_map(|v| match (v.binding, v.role) {
            (Binding::Local(l), Role::Base { structure, field }) if l == array => {
                Some((structure, field))
            }
            _ => None,
        })
}

fn scalar(local: LocalId, name: &str, ty: TypeId, signed: bool) -> Variable {
    Variable {
        name: name.to_owned(),
        binding: Binding::Local(local),
        role: Role::Scalar,
        ty,
        signed,
    }
}

fn index(local: LocalId, name: &str, ty: TypeId, structure: usize) -> Variable {
    Variable {
        role: Role::Index { structure },
        ..scalar(local, name, ty, true)
    }
}

fn comparison(left: DataTerm, orders: Orders, right: DataTerm) -> Comparison {
    Comparison {
        left,
        orders,
        right,
    }
}

fn name_of(point: &Point, variable: usize) -> String {
    point.variables[variable].name.clone()
}

/// The array as ACSL and C name it.
fn array_name(point: &Point, structure: usize, field: usize) -> String {
    point.structures[structure].fields()[field].name.clone()
}

fn size_name(point: &Point, structure: usize) -> String {
    match &point.structures[structure] {
        Structure::Array(group) => match group.size {
            ArraySize::Variable(v) => name_of(point, v),
            ArraySize::Constant(n) => n.to_string(),
        },
        Structure::List(_) => "0".to_owned(),
    }
}

/// The type of the elements of an array that a parameter points to, and their size.
fn element_of(program: &Program, function: FuncId, array: LocalId) -> Option<(TypeId, u64)> {
    let ty = program.function(function).local(array).ty;
    let idiolect_ir::CType::Pointer(element) = *program.types.get(ty) else {
        return None;
    };
    Some((element, program.types.size_of(element)?))
}

/// The type of the elements of an array that a parameter points to, as C writes it.
fn element_name(program: &Program, point: &Point, array: LocalId) -> Option<String> {
    let (element, _) = element_of(program, point.function, array)?;
    let name = program.types.name(element);
    Some(name.trim_start_matches("const ").to_owned())
}
