//! What is said of a run's statements against the interpreter: a program in which the statement
//! assigns the constant is run on the same inputs. Programs with arrays, structs, unions, bit-fields,
//! heap, pointers, calls through pointers and recursion, written at random.

use crate::common;
use crate::generated;

use common::program;
use generated::generate::{all_runs, generate};
use idiolect_base::Budget;
use idiolect_interp::{
    CompileOptions, Compiled, Decisions, End, FixedInputs, Machine, Outcome, RunOptions, ZeroInputs,
};
use idiolect_ir::{
    Expr, ExprId, ExprKind, Function, LocalStorage, Place, Program, StmtKind, TerminatorKind, Ty,
};
use idiolect_localize::{LocalizeConfig, Relevance, decide_run};
use idiolect_symex::EndKind;
use idiolect_symex::rerun::{AssignedKind, Role, RunTrace, Statement};
use std::sync::Arc;

type Ended = (End, (u32, u32, u32, u64), Vec<bool>);

/// Where a run faults, and after how many statements: the same place may be reached by another call.
fn place_of(outcome: &Outcome) -> (u32, u32, u32, u64) {
    match outcome.end {
        End::Fault(_) => {
            let place = outcome.place;
            (place.function.0, place.block.0, place.stmt, outcome.steps)
        }
        _ => (0, 0, 0, 0),
    }
}

fn run(program: Program, inputs: &[u128]) -> Ended {
    let compiled = Compiled::new(Arc::new(program), &CompileOptions::default());
    let mut decisions = Decisions::default();
    let outcome = Machine::new(&compiled, RunOptions::default()).run(
        &mut FixedInputs::new(inputs.to_vec(), ZeroInputs),
        &mut decisions,
        &Budget::steps(100_000),
    );
    let place = place_of(&outcome);
    (outcome.end, place, decisions.taken)
}

fn place_type(f: &Function, place: &Place) -> Ty {
    match *place {
        Place::Local(local) => match f.local(local).storage {
            LocalStorage::Register(ty) => ty,
            _ => Ty::Ptr,
        },
        Place::Memory { ty, .. } => ty,
        Place::Bits { width, .. } => Ty::Int(width),
    }
}

/// The program in which this statement assigns a constant; `None` if it is no plain assignment.
fn with_constant(program: &Program, statement: &Statement, bits: u128) -> Option<Program> {
    let at = statement.place;
    let StmtKind::Assign { place, .. } = at.stmt(program)?.kind else {
        return None;
    };
    let mut program = program.clone();
    let f = &mut program.functions[at.function.index()];
    let ty = place_type(f, &place);
    let value = ExprId::new(f.exprs.len());
    f.exprs.push(Expr {
        kind: ExprKind::Const(bits),
        ty,
        span: idiolect_base::Span::NOWHERE,
    });
    f.blocks[at.block.index()].stmts[at.index].kind = StmtKind::Assign { place, value };
    Some(program)
}

#[derive(Default, Debug)]
struct Seen {
    runs: usize,
    left_out: usize,
    blocked: usize,
    by_null: usize,
    not_blocked: usize,
    unknown: usize,
}

fn check_run(program: &Program, run_of: &generated::Run, seen: &mut Seen, about: &str) {
    let outcome = &run_of.outcome;
    let inputs: Vec<u128> = outcome.inputs.iter().map(|i| i.bits).collect();
    let budget = Budget::unlimited();
    let found = RunTrace::along(program, &run_of.decisions, &inputs, false, &budget);
    let trace = match found {
        Ok(trace) => trace,
        Err(_) => {
            seen.left_out += 1;
            return;
        }
    };
    seen.runs += 1;
    let about = &format!("{about}\ninputs {inputs:?}, {:?}", outcome.end);
    let agrees = match (&trace.end.0, &outcome.end) {
        (EndKind::Error(a), End::Error(b)) => a == b,
        (EndKind::Fault(a), End::Fault(b)) => *a == b.kind,
        (EndKind::Exit(_), End::Exit(_)) | (EndKind::Abort, End::Abort) => true,
        _ => false,
    };
    assert!(agrees, "{:?}: {about}", trace.end);
    let decided = decide_run(&trace, &LocalizeConfig::default(), &budget);
    assert!(decided.is_feasible(), "{about}");
    let last_draw = trace.statements.iter().rposition(|s| !s.drawn.is_empty());
    let is_same = |other: &Ended| {
        other.2 == run_of.decisions
            && other.1 == place_of(outcome)
            && end_agrees(&other.0, &outcome.end)
    };
    for (number, is_draw, answer) in decided.answers() {
        let statement = &trace.statements[number];
        let n_times = trace
            .statements
            .iter()
            .filter(|s| s.place == statement.place && s.role == Role::Plain)
            .count();
        let [assigned] = statement.assigned[..] else {
            continue;
        };
        if is_draw || n_times != 1 || statement.role != Role::Plain || !statement.drawn.is_empty() {
            continue;
        }
        let text = program
            .sources
            .statement_text(statement.place.span(program));
        match answer {
            Relevance::Relevant(blocking) if blocking.in_this_run => {
                let (kind, value, _) = blocking.values[0];
                let bits = match kind {
                    AssignedKind::Value => value,
                    AssignedKind::Pointer if value == 1 => 0,
                    AssignedKind::Pointer => continue,
                };
                let Some(changed) = with_constant(program, statement, bits) else {
                    continue;
                };
                seen.by_null += usize::from(kind == AssignedKind::Pointer);
                seen.blocked += 1;
                let now = run(changed, &inputs);
                assert!(!is_same(&now), "`{text}` with {value} in {about}");
            }
            Relevance::NotRelevant if last_draw < Some(number) => {
                let tried = match assigned.kind {
                    AssignedKind::Value => vec![0, 1, 3, 100, u128::MAX, assigned.value + 1],
                    AssignedKind::Pointer => vec![0],
                };
                for bits in tried {
                    let width = trace.terms.width(assigned.variable);
                    let bits = match assigned.kind {
                        AssignedKind::Value => bits & idiolect_smt::mask(width),
                        AssignedKind::Pointer => bits,
                    };
                    let Some(changed) = with_constant(program, statement, bits) else {
                        continue;
                    };
                    seen.not_blocked += 1;
                    let now = run(changed, &inputs);
                    assert!(is_same(&now), "`{text}` with {bits}: {now:?} in {about}");
                }
            }
            Relevance::Unknown(_) => seen.unknown += 1,
            _ => {}
        }
    }
}

fn end_agrees(a: &End, b: &End) -> bool {
    match (a, b) {
        (End::Exit(_), End::Exit(_)) => true,
        (End::Fault(a), End::Fault(b)) => a.kind == b.kind,
        _ => a == b,
    }
}

#[test]
fn constants_do_what_is_said_of_them() {
    let mut seen = Seen::default();
    for seed in 9_000..9_150 {
        let text = generate(seed);
        let program = program(&text);
        let Some(runs) = all_runs(&program) else {
            continue;
        };
        for run in runs.iter().take(4) {
            check_run(&program, run, &mut seen, &format!("seed {seed}\n{text}"));
        }
    }
    assert!(
        seen.blocked > 400 && seen.by_null > 40 && seen.not_blocked > 2_000,
        "{seen:?}"
    );
    assert!(seen.left_out * 10 < seen.runs, "{seen:?}");
}

fn is_in_loop(program: &Program, at: idiolect_ir::Location) -> bool {
    let f = program.function(at.function);
    let next = |block: idiolect_ir::BlockId| match f.block(block).terminator.kind {
        TerminatorKind::Goto(to) => vec![to],
        TerminatorKind::Branch {
            then, otherwise, ..
        } => vec![then, otherwise],
        _ => Vec::new(),
    };
    let (mut seen, mut stack) = (vec![false; f.blocks.len()], next(at.block));
    while let Some(block) = stack.pop() {
        if !std::mem::replace(&mut seen[block.index()], true) {
            stack.extend(next(block));
        }
    }
    seen[at.block.index()]
}

/// What `localize` says of the run with another value, against a program with that constant.
#[test]
fn runs_pass_with_the_values_that_are_said_to_let_them_pass() {
    use idiolect_ir::Property;
    let properties = [
        Property::Assert,
        Property::Memory,
        Property::Free,
        Property::Division,
    ];
    let (mut passing, mut failing) = (0, 0);
    for seed in 9_000..9_120 {
        let text = generate(seed);
        let program = program(&text);
        let Some(runs) = all_runs(&program) else {
            continue;
        };
        for one in runs.iter().take(4) {
            let inputs: Vec<u128> = one.outcome.inputs.iter().map(|i| i.bits).collect();
            let (config, budget) = (LocalizeConfig::default(), Budget::unlimited());
            let found =
                idiolect_localize::localize(&program, &properties, &inputs, &config, &budget);
            let trace = idiolect_localize::follow(&program, &properties, &inputs, &budget);
            let (Ok(found), Ok(trace)) = (found, trace) else {
                continue;
            };
            for shown in &found.trace {
                let ([number], Some(value)) = (&shown.parts[..], &shown.blocking) else {
                    continue;
                };
                let statement = &trace.statements[*number];
                let is_here = |s: &&Statement| s.place == statement.place;
                let n_times = trace.statements.iter().filter(is_here).count();
                let ([assigned], 1) = (&statement.assigned[..], n_times) else {
                    continue;
                };
                // The constant is there every time, but only one execution was replaced.
                let is_main = statement.place.function == program.entry;
                if !is_main || is_in_loop(&program, statement.place) {
                    continue;
                }
                let (Some(number), Some(passes)) = (value.number, value.passes) else {
                    continue;
                };
                let bits = number as u128 & idiolect_smt::mask(assigned.width);
                let Some(changed) = with_constant(&program, statement, bits) else {
                    continue;
                };
                let (end, _, _) = run(changed, &inputs);
                let about = format!("`{}` with {bits}: {end:?} in {text}", shown.text);
                assert_eq!(matches!(end, End::Exit(_)), passes, "{about}");
                if passes { passing += 1 } else { failing += 1 }
            }
        }
    }
    assert!(passing > 50 && failing > 50, "{passing} and {failing}");
}
