//! Tables of recursive functions: `fibonacci(40)` is looked up and not followed.
//!
//! A function that computes its result from its arguments alone, and calls itself, has one result for
//! constants. It is found by running it, each call of such a function inside being looked up in turn.
//! Where an argument is one of a few numbers, each of them is a state of its own.

use super::state::State;
use super::step::{self, Stepped, Work};
use super::value::{Value, width};
use super::{Explorer, NotProved};
use idiolect_ir::{
    BinaryOp, Callee, ExprKind, FuncId, Function, LocalStorage, Place, Program, StmtKind,
    TerminatorKind,
};
use rustc_hash::FxHashMap;

/// More entries in all are not made.
const MAX_ENTRIES: usize = 60_000;
/// Calls that wait for the result of another one.
const MAX_NESTED: u32 = 400;
/// Numbers that an argument may be to be split.
const MAX_SPLIT: i128 = 64;
/// Statements of one call, without those of calls in it.
const MAX_STEPS: u64 = 20_000;

#[derive(Default)]
pub struct Tables {
    /// Whether a function has a table.
    has: FxHashMap<FuncId, bool>,
    /// Results of calls; `None` if there is none to be had.
    results: FxHashMap<(FuncId, Vec<u128>), Option<Option<u128>>>,
}

/// The functions that this one calls, if it does nothing else than compute.
fn callees(body: &Function) -> Option<Vec<FuncId>> {
    let is_register = |l: &idiolect_ir::Local| matches!(l.storage, LocalStorage::Register(_));
    let computes = |e: &idiolect_ir::Expr| {
        !matches!(
            e.kind,
            ExprKind::Load { .. } | ExprKind::GlobalAddress(_) | ExprKind::LocalAddress(_)
        )
    };
    if !body.locals.iter().all(is_register) || !body.exprs.iter().all(computes) {
        return None;
    }
    let mut found = Vec::new();
    for block in &body.blocks {
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Assign {
                    place: Place::Local(_),
                    ..
                }
                | StmtKind::Declare { .. }
                | StmtKind::Mark { .. } => {}
                StmtKind::Call {
                    callee: Callee::Function(f),
                    dest: None | Some(Place::Local(_)),
                    ..
                } => found.push(*f),
                _ => return None,
            }
        }
        if matches!(
            block.terminator.kind,
            TerminatorKind::Exit(_) | TerminatorKind::Abort
        ) {
            return None;
        }
    }
    Some(found)
}

/// Whether the function and all that it calls only compute, and it calls itself.
fn is_tabular(program: &Program, function: FuncId) -> bool {
    let mut open = vec![function];
    let mut seen = vec![function];
    let mut is_recursive = false;
    while let Some(f) = open.pop() {
        let Some(called) = callees(program.function(f)) else {
            return false;
        };
        for callee in called {
            is_recursive |= callee == function;
            if !seen.contains(&callee) {
                seen.push(callee);
                open.push(callee);
            }
        }
    }
    is_recursive
}

/// The arguments of the last call of a state, with their widths.
fn arguments(program: &Program, state: &State) -> Option<Vec<(Value, u8)>> {
    let frame = state.frame();
    let body = program.function(frame.function);
    let own = body.params.iter().map(|&param| {
        let value = frame.locals[param.index()]?;
        let LocalStorage::Register(ty) = body.local(param).storage else {
            return None;
        };
        let width = width(ty, program.types.model.pointer_width());
        Some((state.resolve(value), width))
    });
    own.collect()
}

impl Explorer<'_> {
    /// The states in which a call has returned that has just begun, or in which its arguments are constants;
    /// nothing if it has to be followed.
    pub(super) fn tabulated(&mut self, state: &State) -> Result<Option<Vec<State>>, NotProved> {
        let program = self.program;
        let function = state.frame().function;
        let has = self.tables.has.entry(function);
        if !*has.or_insert_with(|| is_tabular(program, function)) {
            return Ok(None);
        }
        let mut open = vec![state.clone()];
        let mut done = Vec::new();
        let mut is_new = false;
        while let Some(state) = open.pop() {
            self.budget.spend(8).map_err(NotProved::Stopped)?;
            let Some(arguments) = arguments(program, &state) else {
                return Ok(None);
            };
            let first = arguments
                .iter()
                .find(|(value, _)| !matches!(value, Value::Const(_)));
            let Some(&(value, width)) = first else {
                let constants = arguments.iter().map(|(value, _)| match value {
                    Value::Const(bits) => *bits,
                    _ => 0,
                });
                let result = self.result(function, constants.collect(), 0)?;
                done.push(match result {
                    Some(result) => {
                        is_new = true;
                        returned(state, result)
                    }
                    None => state,
                });
                continue;
            };
            let (low, high) = state.range(value, width);
            let is_few = matches!(value, Value::Symbol { .. }) && high - low < MAX_SPLIT;
            if !is_few || done.len() + open.len() > MAX_ENTRIES {
                done.push(state);
                continue;
            }
            for number in (low..=high).rev() {
                let mut own = state.clone();
                let bits = super::integer::mask(width) & number as u128;
                if own.assume(BinaryOp::Eq, value, Value::Const(bits), width, true) {
                    is_new = true;
                    open.push(own);
                }
            }
        }
        Ok(is_new.then_some(done))
    }

    /// What the function returns for these constants, if that can be found out.
    fn result(
        &mut self,
        function: FuncId,
        constants: Vec<u128>,
        nested: u32,
    ) -> Result<Option<Option<u128>>, NotProved> {
        let key = (function, constants);
        if let Some(known) = self.tables.results.get(&key) {
            return Ok(*known);
        }
        if nested > MAX_NESTED || self.tables.results.len() >= MAX_ENTRIES {
            return Ok(None);
        }
        let found = self.computed(function, &key.1, nested)?;
        self.tables.results.insert(key, found);
        Ok(found)
    }

    fn computed(
        &mut self,
        function: FuncId,
        constants: &[u128],
        nested: u32,
    ) -> Result<Option<Option<u128>>, NotProved> {
        let program = self.program;
        let mut state = State::new(program, program.start);
        let values: Vec<Value> = constants.iter().map(|&bits| Value::Const(bits)).collect();
        state.enter(program, function, &values);
        for _ in 0..MAX_STEPS {
            self.steps += 1;
            self.budget.spend(4).map_err(NotProved::Stopped)?;
            let depth = state.frames.len();
            let next = step::step(program, &self.config.properties, Work::new(state));
            let Ok(Stepped::On(mut next)) = next else {
                return Ok(None);
            };
            if next.frames.len() > depth {
                let mut own = Vec::new();
                for (value, _) in arguments(program, &next).unwrap_or_default() {
                    let Value::Const(bits) = value else {
                        return Ok(None);
                    };
                    own.push(bits);
                }
                let n_wanted = program.function(next.frame().function).params.len();
                if own.len() != n_wanted {
                    return Ok(None);
                }
                let callee = next.frame().function;
                let Some(result) = self.result(callee, own, nested + 1)? else {
                    return Ok(None);
                };
                next = returned(next, result);
            }
            if next.frames.len() == 1 {
                return Ok(match next.returned.map(|r| r.map(|v| next.resolve(v))) {
                    Some(Some(Value::Const(bits))) => Some(Some(bits)),
                    Some(None) => Some(None),
                    _ => None,
                });
            }
            state = next;
        }
        Ok(None)
    }
}

/// The state after the last call of it.
fn returned(mut state: State, result: Option<u128>) -> State {
    state.leave();
    state.returned = Some(result.map(Value::Const));
    state
}
