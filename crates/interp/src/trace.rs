//! A run written down for people: the user's statements in order, with what each changed.

use crate::naming;
use crate::observe::{Effect, Observer, View};
use crate::outcome::CodePlace;
use idiolect_ir::{
    BlockId, Callee, FuncId, FunctionOrigin, InputKind, LocalKind, MarkId, Place, Program,
    StmtKind, TerminatorKind,
};
use std::ops::ControlFlow;

/// One statement that ran.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    pub place: CodePlace,
    /// How many calls were open.
    pub depth: usize,
    /// What it changed, in order: a variable or a cell of memory, and its new value.
    pub changes: Vec<(String, String)>,
    /// The outcome of a branch.
    pub decision: Option<bool>,
}

/// An event of the run, in order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// A function of the user was entered.
    Entered(FuncId),
    Marked(MarkId),
}

/// Records decisions and events of a run, and its steps if asked. Steps inside of the library are
/// left out.
#[derive(Clone, Debug, Default)]
pub struct Recorder<const STEPS: bool> {
    pub steps: Vec<Step>,
    pub events: Vec<Event>,
    pub decisions: Vec<bool>,
}

impl<const STEPS: bool> Recorder<STEPS> {
    fn is_users(view: &View<'_>) -> bool {
        view.program().function(view.function()).origin == FunctionOrigin::User
    }
}

impl<const STEPS: bool> Observer for Recorder<STEPS> {
    const DECISIONS: bool = true;
    const EVENTS: bool = true;
    const STATEMENTS: bool = STEPS;

    fn decision(&mut self, function: FuncId, block: BlockId, taken: bool) -> ControlFlow<()> {
        self.decisions.push(taken);
        // The step was noted just before; library branches have none.
        if let Some(step) = self.steps.last_mut() {
            let place = step.place;
            if (place.function, place.block) == (function, block) && step.changes.is_empty() {
                step.decision = Some(taken);
            }
        }
        ControlFlow::Continue(())
    }

    fn entered(&mut self, view: &View<'_>) -> ControlFlow<()> {
        if Self::is_users(view) {
            self.events.push(Event::Entered(view.function()));
        }
        ControlFlow::Continue(())
    }

    fn marked(&mut self, _: &View<'_>, mark: MarkId) -> ControlFlow<()> {
        self.events.push(Event::Marked(mark));
        ControlFlow::Continue(())
    }

    fn before(&mut self, view: &View<'_>) -> ControlFlow<()> {
        let place = view.place();
        if Self::is_users(view) && !place.span.is_nowhere() && is_worth_a_line(view, &place) {
            self.steps.push(Step {
                place,
                depth: view.depth(),
                changes: Vec::new(),
                decision: None,
            });
        }
        ControlFlow::Continue(())
    }

    fn after(&mut self, view: &View<'_>, effect: &Effect) {
        if !Self::is_users(view) {
            return;
        }
        let program = view.program();
        let change = match *effect {
            Effect::None => None,
            Effect::Assigned { local, value } => {
                let local = program.function(view.function()).local(local);
                let shown = naming::value(view, Some(local.ty), value);
                match local.kind {
                    // What a call or an input gave before it went into a larger expression.
                    LocalKind::Temporary => Some((asked(program, &view.place()), shown)),
                    _ => Some((local.name.clone(), shown)),
                }
            }
            Effect::Stored { address, value } => view.pointee(address).map(|pointee| {
                let (name, ty) = naming::lvalue(program, &pointee);
                (name, naming::value(view, ty, value))
            }),
            Effect::Result(value) => Some(("return".to_owned(), naming::value(view, None, value))),
        };
        let place = view.place();
        let step = self
            .steps
            .iter_mut()
            .rev()
            .find(|s| s.depth <= view.depth());
        if let (Some(change), Some(step)) = (change, step)
            && (step.place.function, step.place.block, step.place.stmt)
                == (place.function, place.block, place.stmt)
        {
            step.changes.push(change);
        }
    }
}

/// What gave a value that has no name in the source: `f()` for a call of `f`.
fn asked(program: &Program, place: &CodePlace) -> String {
    let block = program.function(place.function).block(place.block);
    let stmt = block.stmts.get(place.stmt as usize);
    let name = match stmt.map(|stmt| &stmt.kind) {
        Some(StmtKind::Call {
            callee: Callee::Function(callee),
            ..
        }) => Some(&program.function(*callee).name),
        Some(StmtKind::Havoc { input, .. }) => match &program.inputs[input.index()].kind {
            InputKind::Nondet(name) | InputKind::External(name) | InputKind::Environment(name) => {
                Some(name)
            }
            _ => None,
        },
        _ => None,
    };
    name.map_or_else(|| "value".to_owned(), |name| format!("{name}()"))
}

/// Jumps, and steps that only move a value on its way, are the machine's business: what the user
/// wrote shows in the steps around them.
fn is_worth_a_line(view: &View<'_>, place: &CodePlace) -> bool {
    let function = view.program().function(place.function);
    let block = function.block(place.block);
    match block.stmts.get(place.stmt as usize).map(|stmt| &stmt.kind) {
        Some(StmtKind::Assign {
            place: Place::Local(local),
            ..
        }) => function.local(*local).kind != LocalKind::Temporary,
        Some(StmtKind::Declare { .. } | StmtKind::End { .. } | StmtKind::Mark { .. }) => false,
        Some(_) => true,
        None => !matches!(block.terminator.kind, TerminatorKind::Goto(_)),
    }
}
