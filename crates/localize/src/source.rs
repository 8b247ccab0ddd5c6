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
use idiolect_base::Span;
use idiolect_ir::{
    CType, Callee, FunctionOrigin, LocalId, LocalKind, Location, Place, Program, StmtKind,
    TerminatorKind, TypeId,
};
use idiolect_symex::rerun::{AssignedKind, Role, RunTrace, Statement};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
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
    pub kind: Option<Kind>,
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
    pub kind: Kind,
    pub blocking: Option<BlockingValue>,
    /// How often it is in the trace, and how often it is relevant there.
    pub occurrences: usize,
    pub n_relevant: usize,
    /// Statements of the trace after the last place where it is relevant.
    pub distance: usize,
}

/// Each relevant statement once; the nearest to the error first.
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
                Some(old) => new.in_this_run && !old.in_this_run,
            };
            if statement.blocking.as_ref().is_some_and(is_better) {
                own.blocking.clone_from(&statement.blocking);
            }
        }
    }
    list.retain(|s| s.n_relevant > 0);
    list.sort_by_key(|s| s.distance);
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
                let key = (global.span, function, global.name.clone());
                self.add(statement, key, Some(Kind::Assign), 0)
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
            Some(StmtKind::Assign { place, .. }) => (Some(place), Some(Kind::Assign)),
            Some(StmtKind::Havoc { place, .. }) => (Some(place), Some(Kind::Havoc)),
            Some(StmtKind::Copy { .. } | StmtKind::Zero { .. }) => (None, Some(Kind::Assign)),
            Some(StmtKind::Call { .. }) if is_entry => {
                let kind = (!statement.assigned.is_empty()).then_some(Kind::Assign);
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
                        own.kind = own.kind.or(Some(Kind::Assign));
                    }
                    return Some(entry);
                }
                let assigns = dest.is_some() || !statement.assigned.is_empty();
                (dest.as_ref(), assigns.then_some(Kind::Assign))
            }
            _ => (None, None),
        };
        if is_entry && !self.is_user(place) && statement.assigned.is_empty() {
            return None;
        }
        if matches!(stmt.map(|s| &s.kind), Some(StmtKind::Mark { .. })) {
            return None;
        }
        let span = place.span(self.program);
        let mut name = String::new();
        let mut is_temporary = false;
        if let Some(&Place::Local(local)) = dest {
            let local = function.local(local);
            is_temporary = local.kind == LocalKind::Temporary;
            if !is_temporary && matches!(stmt.map(|s| &s.kind), Some(StmtKind::Call { .. })) {
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
        let key = (span, function.name.clone(), name);
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
        if kind.is_some() && !is_entry {
            self.adopt(entry, statement.activation, span);
        }
        if is_temporary {
            self.pending.push(entry);
        }
        Some(entry)
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
            own.blocking = own.blocking.take().or(other.blocking);
        }
        self.pending = kept;
    }

    fn add(
        &mut self,
        statement: &Statement,
        (span, function, name): (Span, String, String),
        kind: Option<Kind>,
        depth: usize,
    ) -> Option<usize> {
        let at = self.program.sources.place(span)?;
        let mut text = self.program.sources.statement_text(span);
        match statement.role {
            // The span of a declaration is its name.
            Role::Global(_) => {
                let line = self.program.sources.line_text(span).unwrap_or("").trim();
                if !line.is_empty() {
                    line.clone_into(&mut text);
                }
            }
            _ if !name.is_empty() && !text.starts_with(&name) => {
                text = format!("{name} = {text}");
            }
            _ => {}
        }
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
        if let (Some(&Place::Local(local)), Role::Plain) = (place, statement.role) {
            let function = self.program.function(statement.place.function);
            ty = Some(function.local(local).ty);
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
                own.kind = own.kind.max(Some(match is_havoc {
                    true => Kind::Havoc,
                    false => Kind::Assign,
                }));
            }
            own.relevant = either(own.relevant, answer.known());
            if let Relevance::Relevant(blocking) = answer {
                let new = value_of(self.program, ty, blocking);
                // The last assignment of a statement is the one that a user sees.
                own.blocking = Some(new);
            }
        }
    }
}

/// The left side of an assignment, as it is written.
fn assigned_text(text: &str) -> String {
    let Some((left, right)) = text.split_once('=') else {
        return String::new();
    };
    if right.starts_with('=') {
        return String::new();
    }
    let left = left.trim_end_matches(['+', '-', '*', '/', '%', '|', '&', '^', '<', '>']);
    left.trim().to_owned()
}

/// Relevant if one is, unknown if one is unknown.
fn either(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}

fn value_of(program: &Program, ty: Option<TypeId>, blocking: &Blocking) -> BlockingValue {
    let mut texts = Vec::new();
    let mut number = None;
    for &(kind, value, width) in &blocking.values {
        texts.push(match kind {
            AssignedKind::Pointer if value == 1 => "NULL".to_owned(),
            AssignedKind::Pointer if value == 0 => "the same".to_owned(),
            AssignedKind::Pointer => "another address".to_owned(),
            AssignedKind::Value => {
                let is_signed = width > 1 && is_signed(program, ty);
                let shift = 128 - width.min(128);
                let signed = match is_signed {
                    true => ((value << shift) as i128) >> shift,
                    false => value as i128,
                };
                number = Some(signed);
                signed.to_string()
            }
        });
    }
    let is_single = texts.len() == 1;
    texts.dedup();
    let text = match (is_single, &texts[..]) {
        (_, [one]) => one.clone(),
        _ => {
            let cut = texts.len() > 6;
            texts.truncate(6);
            let more = if cut { ", …" } else { "" };
            format!("{{{}{more}}}", texts.join(", "))
        }
    };
    BlockingValue {
        text,
        number: number.filter(|_| is_single),
        in_this_run: blocking.in_this_run,
    }
}

fn is_signed(program: &Program, ty: Option<TypeId>) -> bool {
    match ty.map(|ty| program.types.get(ty)) {
        Some(CType::Int(kind)) => kind.is_signed(),
        Some(CType::Bool) => false,
        Some(CType::Array { element, .. }) => is_signed(program, Some(*element)),
        _ => true,
    }
}
