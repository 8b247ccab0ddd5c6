//! From statements of the program model to the C statements that a user sees.
//!
//! * A value that the compiler keeps aside (`%3`) belongs to the C statement around it; where that is
//!   a condition, it is shown as a statement of its own, since a condition assigns nothing.
//! * What functions of our C library do belongs to the call in the user's file; so does what a
//!   function without a body returns.
//! * A call of a user's function that passes arguments is one statement, and giving its result to a
//!   variable is another.
//! * A static object that the trace reads has its declaration as a statement, before all others.
//!
//! A C statement is relevant if one of its assignments is, and unknown if none is and one is unknown:
//! changing the statement may change any of them.

use crate::decided::Decided;
use crate::relevance::{Blocking, Relevance};
use crate::wording::{assigned_text, local_of, value_of, with_name};
use idiolect_base::Span;
use idiolect_ir::{
    Callee, ExprKind, FunctionOrigin, GlobalId, InputKind, LocalId, LocalKind, Location, Place,
    Program, Stmt, StmtKind, TerminatorKind,
};
use idiolect_symex::rerun::{AssignedKind, Role, RunTrace, Statement};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AssignmentKind {
    Assign,
    /// An input, memory that nobody wrote, or what a function without a body returns.
    Havoc,
}

/// A constant that blocks the trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockingValue {
    /// As C writes it.
    pub text: String,
    /// If it is one integer.
    pub number: Option<i128>,
    /// In the run at hand; else in another run along the same trace.
    pub in_this_run: bool,
    /// Whether the run, done again with it, passes; see [`Blocking::passes`].
    pub passes: Option<bool>,
}

impl BlockingValue {
    /// What lets the run pass is worth more than what may. A pointer to nothing seldom says much.
    fn rank(&self) -> (u8, bool) {
        let passes = match self.passes {
            Some(true) => 2,
            None if self.number.is_some() => 1,
            _ => 0,
        };
        (passes, self.in_this_run)
    }
}

/// The value that is worth more, the first if there is no difference.
fn better(a: Option<BlockingValue>, b: Option<BlockingValue>) -> Option<BlockingValue> {
    match (&a, &b) {
        (Some(first), Some(second)) if second.rank() > first.rank() => b,
        (None, _) => b,
        _ => a,
    }
}

/// One statement of a trace.
#[derive(Clone, Debug)]
pub struct TraceStatement {
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// Empty for the declaration of a static object outside of functions.
    pub function: String,
    pub text: String,
    /// `None` for what assigns nothing.
    pub kind: Option<AssignmentKind>,
    /// `None` is unknown.
    pub relevant: Option<bool>,
    pub blocking: Option<BlockingValue>,
    /// What it assigned in the run, and to what, if that is one number.
    pub assigned: Option<(String, String)>,
    /// For a condition: how it came out.
    pub decision: Option<bool>,
    /// Calls of user functions that are open.
    pub depth: usize,
    /// Its place in the program model; the start for a static object.
    pub location: Location,
    /// Its statements in the trace of the model.
    pub parts: Vec<usize>,
}

impl TraceStatement {
    pub fn is_assigning(&self) -> bool {
        self.kind.is_some()
    }
}

/// A relevant statement of the source.
#[derive(Clone, Debug)]
pub struct RelevantStatement {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
    pub text: String,
    pub kind: AssignmentKind,
    pub blocking: Option<BlockingValue>,
    /// How often it is in the trace, and how often it is relevant there.
    pub occurrences: usize,
    pub n_relevant: usize,
    /// Statements of the trace after the last place where it is relevant.
    pub distance: usize,
}

/// Each relevant statement once: those with which the run passes first, then the nearest to the error.
pub(crate) fn relevant(trace: &[TraceStatement]) -> Vec<RelevantStatement> {
    let mut list: Vec<RelevantStatement> = Vec::new();
    let mut known: FxHashMap<(&str, u32, u32, &str), usize> = FxHashMap::default();
    for (i, statement) in trace.iter().enumerate() {
        let Some(kind) = statement.kind else { continue };
        let key = (
            statement.file.as_str(),
            statement.line,
            statement.column,
            statement.text.as_str(),
        );
        let number = *known.entry(key).or_insert_with(|| {
            list.push(RelevantStatement {
                file: statement.file.clone(),
                line: statement.line,
                column: statement.column,
                function: statement.function.clone(),
                text: statement.text.clone(),
                kind,
                blocking: None,
                occurrences: 0,
                n_relevant: 0,
                distance: 0,
            });
            list.len() - 1
        });
        let own = &mut list[number];
        own.occurrences += 1;
        own.kind = own.kind.max(kind);
        if statement.relevant == Some(true) {
            own.n_relevant += 1;
            own.distance = trace.len() - 1 - i;
            let is_better = |new: &BlockingValue| match &own.blocking {
                None => true,
                Some(old) => new.rank() > old.rank(),
            };
            if statement.blocking.as_ref().is_some_and(is_better) {
                own.blocking.clone_from(&statement.blocking);
            }
        }
    }
    list.retain(|s| s.n_relevant > 0);
    let may_pass = |s: &RelevantStatement| match s.blocking.as_ref().map(|b| b.passes) {
        Some(Some(passes)) => u8::from(passes) * 2,
        _ => 1,
    };
    list.sort_by_key(|s| (Reverse(may_pass(s)), s.distance));
    list
}

/// The C statements of a trace.
pub(crate) fn statements(
    program: &Program,
    trace: &RunTrace,
    decided: &Decided,
) -> Vec<TraceStatement> {
    let mut builder = Builder {
        program,
        list: Vec::new(),
        calls: Vec::new(),
        pending: Vec::new(),
    };
    let mut answers = decided.candidates.iter().zip(&decided.answers).peekable();
    for (number, statement) in trace.statements.iter().enumerate() {
        let mut own = Vec::new();
        while let Some((candidate, answer)) = answers.next_if(|(c, _)| c.statement == number) {
            own.push((candidate.is_draw, answer));
        }
        let is_read = match statement.role {
            Role::Global(_) => {
                let first = decided.graph.first[number] as usize;
                let items = decided.graph.items[first..].iter();
                let mut items = items.take_while(|i| i.statement == number);
                items.any(|i| !i.users.is_empty())
            }
            _ => true,
        };
        if is_read {
            builder.statement(number, statement, &own);
        }
    }
    let shown = |entry: Entry| (!entry.is_gone).then_some(entry.statement);
    builder.list.into_iter().filter_map(shown).collect()
}

struct Entry {
    statement: TraceStatement,
    span: Span,
    activation: u32,
    is_gone: bool,
}

/// An open call.
#[derive(Clone, Copy)]
struct Call {
    place: Location,
    entry: Option<usize>,
    is_user: bool,
}

struct Builder<'a> {
    program: &'a Program,
    list: Vec<Entry>,
    /// By depth, from 1: the call that opened it.
    calls: Vec<Call>,
    /// Values kept aside that wait for the statement around them.
    pending: Vec<usize>,
}

impl Builder<'_> {
    fn is_user(&self, place: Location) -> bool {
        self.program.function(place.function).origin == FunctionOrigin::User
    }

    fn statement(&mut self, number: usize, statement: &Statement, answers: &[(bool, &Relevance)]) {
        let place = statement.place;
        let is_entry = statement.role == Role::Entry;
        // An entry has the depth of the callee and the place of the caller.
        let depth = statement.depth.saturating_sub(usize::from(is_entry));
        if is_entry {
            self.calls.truncate(depth);
        }
        let own_entry = match statement.role {
            Role::Global(id) => {
                let global = self.program.global(id);
                let function = global.function.clone().unwrap_or_default();
                let key = (global.span, function, self.declaration(id));
                self.add(statement, key, Some(AssignmentKind::Assign), 0)
            }
            _ => self.user_statement(statement, depth),
        };
        if is_entry {
            let callee_is_user = match place.stmt(self.program).map(|s| &s.kind) {
                Some(StmtKind::Call {
                    callee: Callee::Function(id),
                    ..
                }) => self.program.function(*id).origin == FunctionOrigin::User,
                _ => true,
            };
            self.calls.push(Call {
                place,
                entry: own_entry,
                is_user: callee_is_user,
            });
        }
        if let Some(entry) = own_entry {
            self.list[entry].statement.parts.push(number);
            self.answer(entry, statement, answers);
        }
    }

    /// The entry that a statement belongs to.
    fn user_statement(&mut self, statement: &Statement, depth: usize) -> Option<usize> {
        let place = statement.place;
        if !self.is_user(place) {
            // The call in the user's file, if there is one.
            let mut open = self.calls[..depth.min(self.calls.len())].iter().rev();
            let call = open.find(|c| self.is_user(c.place));
            if let Some(call) = call {
                return call.entry;
            }
        }
        let stmt = place.stmt(self.program);
        let function = self.program.function(place.function);
        let is_entry = statement.role == Role::Entry;
        let (dest, kind) = match stmt.map(|s| &s.kind) {
            Some(StmtKind::Assign { place, .. }) => (Some(place), Some(AssignmentKind::Assign)),
            Some(StmtKind::Havoc { place, .. }) => (Some(place), Some(AssignmentKind::Havoc)),
            Some(StmtKind::Copy { .. } | StmtKind::Zero { .. }) => {
                (None, Some(AssignmentKind::Assign))
            }
            Some(StmtKind::Call { .. }) if is_entry => {
                let kind = (!statement.assigned.is_empty()).then_some(AssignmentKind::Assign);
                (None, kind)
            }
            Some(StmtKind::Call { dest, callee, .. }) => {
                // The result of a library function belongs to its call.
                if let Some(call) = self.calls.get(depth)
                    && call.place == place
                    && !call.is_user
                    && !matches!(callee, Callee::Builtin(_))
                    && let Some(entry) = call.entry
                {
                    let own = &mut self.list[entry].statement;
                    if dest.is_some() {
                        own.kind = own.kind.or(Some(AssignmentKind::Assign));
                    }
                    return Some(entry);
                }
                let assigns = dest.is_some() || !statement.assigned.is_empty();
                (dest.as_ref(), assigns.then_some(AssignmentKind::Assign))
            }
            _ => (None, None),
        };
        // The start function passes on what it has drawn; to a user that is one thing.
        let is_start = place.function == self.program.start;
        if is_entry && (is_start || !self.is_user(place) && statement.assigned.is_empty()) {
            return None;
        }
        if matches!(stmt.map(|s| &s.kind), Some(StmtKind::Mark { .. })) {
            return None;
        }
        let span = place.span(self.program);
        let mut name = String::new();
        let mut is_temporary = false;
        if let Some(local) = dest.and_then(|dest| local_of(function, dest)) {
            let local = function.local(local);
            is_temporary = local.kind == LocalKind::Temporary;
            if !is_temporary {
                name.clone_from(&local.name);
            }
        }
        self.program.sources.place(span)?;
        let user_depth = self.calls[..depth.min(self.calls.len())]
            .iter()
            .filter(|c| c.is_user)
            .count()
            // The start function and the entry function are open anyway.
            .saturating_sub(2);
        let is_call = matches!(stmt.map(|s| &s.kind), Some(StmtKind::Call { .. }));
        let mut text = with_name(self.program.sources.statement_text(span), &name, is_call);
        let mut function_name = function.name.clone();
        if let Some(parameter) = self.parameter(stmt) {
            is_temporary = false;
            text = parameter;
            function_name.clone_from(&self.program.function(self.program.entry).name);
        }
        let key = (span, function_name, text);
        let entry = self.add(statement, key, kind, user_depth)?;
        if stmt.is_none()
            && let TerminatorKind::Branch { condition, .. } =
                function.block(place.block).terminator.kind
        {
            let own = &mut self.list[entry].statement;
            let condition = function.expr(condition).span;
            if !condition.is_nowhere() {
                own.text = self.program.sources.statement_text(condition);
            }
        }
        if kind.is_some() && !is_entry && !is_start {
            self.adopt(entry, statement.activation, span);
        }
        if is_temporary {
            self.pending.push(entry);
        }
        Some(entry)
    }

    /// A static object as its line declares it, or by its name if the line declares others too.
    fn declaration(&self, id: GlobalId) -> String {
        let global = self.program.global(id);
        let sources = &self.program.sources;
        let at = sources.place(global.span).map(|p| (p.file, p.line));
        let is_beside = |other: &idiolect_ir::Global| {
            !other.is_library
                && !other.read_only
                && sources.place(other.span).map(|p| (p.file, p.line)) == at
        };
        let line = sources.line_text(global.span).unwrap_or("").trim();
        let n_beside = self.program.globals.iter().filter(|g| is_beside(g)).count();
        if line.is_empty() || n_beside > 1 {
            self.program.types.declaration(global.ty, &global.name)
        } else {
            line.to_owned()
        }
    }

    /// The parameter of the entry function that a statement makes up.
    fn parameter(&self, stmt: Option<&Stmt>) -> Option<String> {
        let Some(StmtKind::Havoc { input, .. }) = stmt.map(|s| &s.kind) else {
            return None;
        };
        let site = &self.program.inputs[input.index()];
        match &site.kind {
            InputKind::Parameter(name) => Some(self.program.types.declaration(site.ty, name)),
            InputKind::ArgumentCount => Some("int argc".to_owned()),
            _ => None,
        }
    }

    /// Values that were kept aside for this statement become part of it.
    fn adopt(&mut self, entry: usize, activation: u32, span: Span) {
        let mut kept = Vec::new();
        for &earlier in &self.pending {
            let other = &self.list[earlier];
            let is_inside = other.activation == activation
                && other.span.source == span.source
                && span.start <= other.span.start
                && other.span.end <= span.end;
            if !is_inside {
                kept.push(earlier);
                continue;
            }
            let other = other.statement.clone();
            self.list[earlier].is_gone = true;
            let own = &mut self.list[entry].statement;
            own.kind = own.kind.max(other.kind);
            own.parts.extend(other.parts);
            // Its own answers are still to come.
            own.relevant = either(own.relevant, other.relevant);
            own.blocking = better(own.blocking.take(), other.blocking);
        }
        self.pending = kept;
    }

    fn add(
        &mut self,
        statement: &Statement,
        (span, function, text): (Span, String, String),
        kind: Option<AssignmentKind>,
        depth: usize,
    ) -> Option<usize> {
        let at = self.program.sources.place(span)?;
        self.list.push(Entry {
            statement: TraceStatement {
                file: at.file,
                line: at.line,
                column: at.column,
                function,
                text,
                kind,
                // Nothing that it assigns is relevant, as long as nothing is said.
                relevant: Some(false),
                blocking: None,
                assigned: None,
                decision: statement.decision,
                depth,
                location: statement.place,
                parts: Vec::new(),
            },
            span,
            activation: statement.activation,
            is_gone: false,
        });
        Some(self.list.len() - 1)
    }

    fn is_temporary(&self, statement: &Statement, local: LocalId) -> bool {
        let function = self.program.function(statement.place.function);
        function.local(local).kind == LocalKind::Temporary
    }

    fn answer(&mut self, entry: usize, statement: &Statement, answers: &[(bool, &Relevance)]) {
        let mut ty = None;
        let place = statement
            .place
            .stmt(self.program)
            .and_then(|s| match &s.kind {
                StmtKind::Assign { place, .. } | StmtKind::Havoc { place, .. } => Some(place),
                StmtKind::Call { dest, .. } => dest.as_ref(),
                _ => None,
            });
        if statement.role == Role::Plain {
            let function = self.program.function(statement.place.function);
            let stored = match statement.place.stmt(self.program).map(|s| &s.kind) {
                Some(StmtKind::Assign { value, .. }) => match function.expr(*value).kind {
                    ExprKind::Local(local) => Some(local),
                    _ => None,
                },
                _ => None,
            };
            let local = place.and_then(|p| local_of(function, p)).or(stored);
            ty = local.map(|local| function.local(local).ty);
        }
        if let Role::Global(id) = statement.role {
            ty = Some(self.program.global(id).ty);
        }
        if let ([one], Role::Plain) = (&statement.assigned[..], statement.role)
            && one.kind == AssignedKind::Value
            && !matches!(place, Some(&Place::Local(l)) if self.is_temporary(statement, l))
        {
            let own = &mut self.list[entry].statement;
            let name = match place {
                Some(&Place::Local(local)) => {
                    let function = self.program.function(statement.place.function);
                    function.local(local).name.clone()
                }
                _ => assigned_text(&own.text),
            };
            let blocking = Blocking {
                values: vec![(one.kind, one.value, one.width)],
                in_this_run: true,
                passes: None,
            };
            if !name.is_empty() {
                own.assigned = Some((name, value_of(self.program, ty, &blocking).text));
            }
        }
        let draws_input = (statement.drawn.iter()).any(|d| d.in_this_run && d.origin.is_some());
        for &(is_draw, answer) in answers {
            let own = &mut self.list[entry].statement;
            let is_havoc = is_draw || (draws_input && !statement.assigned.is_empty());
            if own.kind.is_none() || is_havoc {
                own.kind = own.kind.max(Some(if is_havoc {
                    AssignmentKind::Havoc
                } else {
                    AssignmentKind::Assign
                }));
            }
            own.relevant = either(own.relevant, answer.known());
            if let Relevance::Relevant(blocking) = answer {
                let new = value_of(self.program, ty, blocking);
                // The last assignment of a statement is the one that a user sees.
                own.blocking = better(Some(new), own.blocking.take());
            }
        }
    }
}

/// Relevant if one is, unknown if one is unknown.
fn either(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}
