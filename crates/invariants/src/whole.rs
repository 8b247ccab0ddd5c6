//! Assertions of a whole program: by formulas about its arrays and lists, and where these are not enough, by abstract
//! states ([`idiolect_prove::states`]), which know cells that are linked one after the other, in whatever way and to
//! whatever else.

use crate::proof::{self, Verdict};
use crate::refine::{self, Wish};
use crate::session::{self, Config};
use idiolect_base::{Budget, Span};
use idiolect_ir::{
    Callee, ExprKind, FuncId, FunctionOrigin, GlobalTarget, Program, Property, StmtKind,
};
use idiolect_prove::states;
use idiolect_quantified::allocated;
use idiolect_quantified::point::PointKind;
use idiolect_quantified::{acsl, show};

/// Work without a time limit.
const WORK: u64 = 20_000_000;

/// If no run of the program has a failing assertion or leaves an object: the number of states that describe all
/// runs. At most a quarter of the time is for it.
pub fn holds(program: &Program, budget: &Budget) -> Option<u64> {
    let config = states::Config {
        properties: vec![Property::Assert],
        ..states::Config::default()
    };
    let own = match budget.deadline() {
        Some(_) => budget.half_the_time().half_the_time(),
        None => budget.share(WORK),
    };
    states::prove(program, &config, &own).result.ok()
}

/// Runs of the program, where nobody asked for more.
const RUNS: u64 = 10_000;

/// A formula that a proof rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptFormula {
    pub kind: PointKind,
    pub span: Span,
    /// As mathematics.
    pub text: String,
    /// As ACSL, without a keyword.
    pub acsl: String,
}

/// If formulas that are learned from runs of the program are inductive, and enough for all assertions and memory
/// safety: these formulas.
///
/// Everything has to happen in `main` and in what it calls by name.
pub fn by_formulas(program: &Program, budget: &Budget) -> Option<Vec<KeptFormula>> {
    let main = program
        .function_named("main")
        .filter(|&f| is_users(program, f))?;
    if !is_all_below(program, main) {
        return None;
    }
    let blocks = allocated::as_blocks(program);
    let program = blocks.as_ref().unwrap_or(program);
    let learn = |wish: &Wish<'_>, for_proof: bool| {
        let config = Config {
            max_quantified: Config::default().max_quantified.min(wish.quantified),
            max_runs: RUNS,
            n_threads: 1,
            for_proof,
            helpers: wish.helpers,
            flags: wish.flags,
            ..Config::default()
        };
        session::run_harness(program, main, &config, budget)
    };
    let first = learn(&Wish::more(&[]), false).ok()?;
    let sees_data = |p: &session::PointOutcome| !p.point.structures.is_empty();
    if first.runs.errors.n > 0 || !first.points.iter().any(sees_data) {
        return None;
    }
    let config = proof::Config::default();
    let refined = refine::prove_harness(program, first, &config, budget, |wish| learn(&wish, true));
    let proof = refined.proof;
    let is_adequate = refined.outcome.runs.errors.n == 0
        && !proof.points.is_empty()
        && (proof.points.iter()).all(|p| p.verdict == Verdict::Adequate)
        && !proof.assertions.is_empty()
        && proof.assertions.iter().all(|a| a.is_proved);
    is_adequate.then(|| kept(&refined.outcome, &proof))
}

fn kept(outcome: &session::Outcome, proof: &proof::Outcome) -> Vec<KeptFormula> {
    let points = outcome.points.iter().chain(&outcome.for_proof);
    let learned = points.filter_map(|p| Some((&p.point, p.learned.as_ref().ok()?)));
    let mut all = Vec::new();
    for ((point, learned), proved) in learned.zip(&proof.points) {
        let conjuncts = learned.formula.conjuncts.iter().zip(&proved.kept);
        all.extend(
            conjuncts
                .filter(|(_, is_kept)| **is_kept)
                .map(|(c, _)| KeptFormula {
                    kind: point.kind,
                    span: point.span,
                    text: show::conjunct(point, c),
                    acsl: acsl::conjunct(point, c),
                }),
        );
    }
    all
}

fn is_users(program: &Program, function: FuncId) -> bool {
    program.function(function).origin == FunctionOrigin::User
}

/// Whether the user's functions are called by `main` and those below it alone: none before it or after it, and none
/// through a pointer.
pub fn is_all_below(program: &Program, main: FuncId) -> bool {
    let start = program.function(program.start);
    let mut stmts = start.blocks.iter().flat_map(|b| &b.stmts);
    let is_other = |f: FuncId| f != main && is_users(program, f);
    let calls_other = stmts.any(
        |s| matches!(s.kind, StmtKind::Call { callee: Callee::Function(f), .. } if is_other(f)),
    );
    let mut exprs = program.functions.iter().flat_map(|f| &f.exprs);
    let is_pointed_to =
        exprs.any(|e| matches!(e.kind, ExprKind::FunctionAddress(f) if is_users(program, f)));
    let mut relocations = program.globals.iter().flat_map(|g| &g.relocations);
    let is_in_table =
        relocations.any(|r| matches!(r.target, GlobalTarget::Function(f) if is_users(program, f)));
    !calls_other && !is_pointed_to && !is_in_table
}
