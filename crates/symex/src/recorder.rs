//! From the symbolic execution of one path to guarded commands (see [`crate::trace`]).
//!
//! After each statement, what it has changed is written down, and the state gets the variables of the
//! changed places instead of their values, so that the next statement speaks of variables again.
//! Pointers keep their values, because the encoder reads off them what they point to; whatever else
//! survives a statement as a term (the size of an object, an offset in a pointer) is given a variable
//! of its own that never changes. The guard is forgotten too: what a test has shown of a variable
//! does not hold any more when the variable has changed.

use crate::EndKind;
use crate::encoder::Encoder;
use crate::guard::GuardId;
use crate::memory::Cell;
use crate::pointer::ObjectNo;
use crate::record::InputRecord;
use crate::rerun::Role;
use crate::state::State;
use crate::trace::{Action, Extent, StatePlace, Step, Update};
use idiolect_ir::events::EventSite;
use idiolect_ir::{FuncId, Function, LocalId, LocalStorage, Location, Place, Stmt, StmtKind, Ty};
use idiolect_smt::{BinaryOp, Node, Sort, TermId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

#[derive(Clone, Debug)]
struct Frame {
    activation: u32,
    function: FuncId,
    /// As they were left.
    registers: Vec<TermId>,
    variables: Vec<Option<TermId>>,
}

/// A trace as far as it was followed.
#[derive(Clone)]
pub(crate) struct Recorder {
    pub(crate) steps: Vec<Step>,
    pub(crate) inputs: Vec<(usize, InputRecord)>,
    pub(crate) end: Option<(EndKind, Location)>,
    pub(crate) unsupported: Option<(String, Location)>,
    extent: Extent,
    /// The trace has ended or was left; what the callers do then is no part of it.
    is_done: bool,
    frames: Vec<Frame>,
    n_activations: u32,
    cells: FxHashMap<(ObjectNo, u32, u32), TermId>,
    /// Values kept aside since the last step: variable and value.
    kept: Vec<(TermId, TermId)>,
    n_inputs: usize,
    n_approximations: usize,
    n_ends: usize,
    role: Role,
}

impl std::fmt::Debug for Recorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recorder")
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}

/// What the statement at hand is known to write.
#[derive(Clone, Copy, Default)]
pub(crate) struct Written {
    /// A register, even if its value is the same.
    local: Option<LocalId>,
    /// Memory: whether pointers are written there.
    pointers: Option<bool>,
    /// Whether the statement is a step even if it changes nothing.
    is_step: bool,
}

impl Written {
    pub(crate) fn by(stmt: &Stmt) -> Self {
        let place = match &stmt.kind {
            StmtKind::Assign { place, .. } | StmtKind::Havoc { place, .. } => Some(place),
            StmtKind::Call { dest, .. } => dest.as_ref(),
            StmtKind::Copy { .. } | StmtKind::Zero { .. } => {
                return Self {
                    is_step: true,
                    ..Self::default()
                };
            }
            _ => None,
        };
        let mut written = Self {
            is_step: place.is_some(),
            ..Self::default()
        };
        match place {
            Some(&Place::Local(local)) => written.local = Some(local),
            Some(&Place::Memory { ty, .. }) => written.pointers = Some(ty == Ty::Ptr),
            Some(&Place::Bits { .. }) => written.pointers = Some(false),
            None => {}
        }
        written
    }
}

impl Recorder {
    pub(crate) fn new(extent: Extent) -> Self {
        Self {
            steps: Vec::new(),
            inputs: Vec::new(),
            end: None,
            unsupported: None,
            extent,
            is_done: false,
            frames: Vec::new(),
            n_activations: 0,
            cells: FxHashMap::default(),
            kept: Vec::new(),
            n_inputs: 0,
            n_approximations: 0,
            n_ends: 0,
            role: Role::Plain,
        }
    }
}

impl Encoder<'_> {
    fn take_recorder(&mut self) -> Option<Recorder> {
        self.script.as_mut()?.recorder.take()
    }

    fn put_recorder(&mut self, recorder: Recorder) {
        if let Some(script) = &mut self.script {
            script.recorder = Some(recorder);
        }
    }

    pub(crate) fn is_recording(&self) -> bool {
        self.script.as_ref().is_some_and(|s| s.recorder.is_some())
    }

    /// What cannot be put into a trace.
    pub(crate) fn not_recordable(&mut self, construct: &str) {
        let place = self.location;
        if let Some(recorder) = self.script.as_mut().and_then(|s| s.recorder.as_mut())
            && recorder.unsupported.is_none()
        {
            recorder.unsupported = Some((construct.to_owned(), place));
        }
    }

    /// The state before the first statement.
    pub(crate) fn note_start(&mut self, s: &State) {
        if self.is_recording() {
            self.recorded = s.memory.clone();
        }
    }

    /// A function was entered, and its parameters have their values.
    pub(crate) fn note_entry(&mut self, s: &mut State, id: FuncId, f: &Function) {
        let Some(mut r) = self.take_recorder() else {
            return;
        };
        let n = f.locals.len();
        // Nothing equals what is no value yet, except that the locals start as they are.
        let mut registers = s.registers.clone();
        registers.resize(n, TermId(0));
        r.frames.push(Frame {
            activation: r.n_activations,
            function: id,
            registers,
            variables: vec![None; n],
        });
        r.n_activations += 1;
        self.replaceable_parameters(s, f);
        let truth = self.terms.tt();
        self.note_event(EventSite::Entry(id), truth);
        r.role = Role::Entry;
        let is_step = !f.params.is_empty() || self.is_rerun();
        self.write_down(&mut r, s, &f.params, None, is_step);
        r.role = Role::Plain;
        self.put_recorder(r);
    }

    pub(crate) fn note_return(&mut self) {
        if let Some(recorder) = self.script.as_mut().and_then(|s| s.recorder.as_mut()) {
            recorder.frames.pop();
        }
    }

    /// A statement, a condition or a returned value was evaluated.
    pub(crate) fn note(&mut self, s: &mut State, written: Written) {
        let Some(mut r) = self.take_recorder() else {
            return;
        };
        let forced: Vec<LocalId> = written.local.into_iter().collect();
        self.write_down(&mut r, s, &forced, written.pointers, written.is_step);
        self.put_recorder(r);
    }

    /// Whether the trace stops at the decision that was just taken.
    pub(crate) fn stops_here(&self) -> bool {
        let Some(script) = &self.script else {
            return false;
        };
        let n_taken = self.n_decisions();
        script
            .recorder
            .as_ref()
            .is_some_and(|r| r.extent == Extent::LastDecision && n_taken >= script.decisions.len())
    }

    pub(crate) fn note_end(&mut self, kind: EndKind) {
        let place = self.location;
        if let Some(recorder) = self.script.as_mut().and_then(|s| s.recorder.as_mut()) {
            recorder.end = Some((kind, place));
            recorder.is_done = true;
        }
    }

    /// The trace goes no further.
    pub(crate) fn note_left(&mut self) {
        if let Some(recorder) = self.script.as_mut().and_then(|s| s.recorder.as_mut()) {
            recorder.is_done = true;
        }
    }

    /// A variable that keeps a value from now on; the value itself if nothing is recorded.
    pub(crate) fn kept(&mut self, value: TermId) -> TermId {
        if !self.is_recording() {
            return value;
        }
        if self.is_rerun() {
            return self.defined(value);
        }
        match self.terms.node(value) {
            // What was drawn never changes; state variables are never asked for here alone.
            Node::Const(_) => return value,
            Node::Var(_) if self.is_drawn(value) => return value,
            _ => {}
        }
        let variable = match self.terms.sort(value) {
            Sort::Bool => self.terms.bool_var("kept"),
            Sort::BitVec(width) => self.terms.bv_var("kept", width),
        };
        if let Some(recorder) = self.script.as_mut().and_then(|s| s.recorder.as_mut()) {
            recorder.kept.push((variable, value));
        }
        variable
    }

    fn is_drawn(&self, variable: TermId) -> bool {
        self.inputs.iter().any(|i| i.value == variable)
    }

    /// A pointer whose offset is kept.
    fn pinned(&mut self, r: &mut Recorder, pointer: TermId) -> TermId {
        if self.is_rerun() {
            return self.flattened(pointer);
        }
        let n = self.infos.len();
        let targets = self.addresses.targets(&mut self.terms, pointer, n);
        let points = targets.iter().any(|t| t.object != 0);
        match self.terms.node(pointer) {
            Node::Const(_) => pointer,
            Node::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) if points => {
                let left = self.addresses.targets(&mut self.terms, a, n);
                let (a, b) = if left.iter().any(|t| t.object != 0) {
                    (self.pinned(r, a), self.keep(r, b))
                } else {
                    (self.keep(r, a), self.pinned(r, b))
                };
                self.terms.binary(op, a, b)
            }
            Node::Ite(c, a, b) if points => {
                let c = self.keep(r, c);
                let (a, b) = (self.pinned(r, a), self.pinned(r, b));
                self.terms.ite(c, a, b)
            }
            _ => self.keep(r, pointer),
        }
    }

    /// As [`kept`](Self::kept), while the recorder is out.
    fn keep(&mut self, r: &mut Recorder, value: TermId) -> TermId {
        if self.is_rerun() {
            return self.defined(value);
        }
        self.put_recorder(std::mem::replace(r, Recorder::new(Extent::End)));
        let variable = self.kept(value);
        if let Some(own) = self.take_recorder() {
            *r = own;
        }
        variable
    }

    fn write_down(
        &mut self,
        r: &mut Recorder,
        s: &mut State,
        forced: &[LocalId],
        pointers: Option<bool>,
        is_step: bool,
    ) {
        if r.is_done {
            return;
        }
        if self.is_rerun() {
            return self.write_down_run(r, s, forced, pointers, is_step);
        }
        let mut updates = Vec::new();
        if !s.is_dead() {
            self.changed_registers(r, s, forced, &mut updates);
            self.changed_memory(r, s, pointers, &mut updates);
        }
        let mut conditions = Vec::new();
        for end in &self.ends[r.n_ends..] {
            if let EndKind::Trap(gap) = &end.kind
                && r.unsupported.is_none()
            {
                r.unsupported = Some((gap.text.clone(), end.place));
            }
        }
        if s.is_dead() {
            conditions.push(self.terms.ff());
            let last = self.ends[r.n_ends..].last();
            r.end = last.map(|e| (e.kind.clone(), e.place));
            r.is_done = true;
        } else {
            conditions = self.guards.literals(s.guard);
            s.guard = GuardId::ROOT;
        }
        r.n_ends = self.ends.len();
        let mut drawn: Vec<TermId> = Vec::new();
        let number = r.steps.len();
        for input in &self.inputs[r.n_inputs..] {
            drawn.push(input.value);
            r.inputs.push((number, *input));
        }
        r.n_inputs = self.inputs.len();
        drawn.extend(
            self.approximations[r.n_approximations..]
                .iter()
                .map(|a| a.1),
        );
        r.n_approximations = self.approximations.len();
        for (variable, value) in std::mem::take(&mut r.kept) {
            drawn.push(variable);
            let same = self.terms.eq(variable, value);
            conditions.insert(0, same);
        }
        let (place, depth) = (self.location, r.frames.len());
        let mut push = |action: Action, drawn: Vec<TermId>| {
            r.steps.push(Step {
                place,
                depth,
                action,
                drawn,
            });
        };
        for condition in conditions {
            push(Action::Assume(condition), std::mem::take(&mut drawn));
        }
        if is_step || !updates.is_empty() || !drawn.is_empty() {
            push(Action::Assign(updates), drawn);
        }
    }

    /// The same for a run, whose end is known by its values.
    fn write_down_run(
        &mut self,
        r: &mut Recorder,
        s: &mut State,
        forced: &[LocalId],
        pointers: Option<bool>,
        is_step: bool,
    ) {
        let (activation, depth) = (r.frames.last().map_or(0, |f| f.activation), r.frames.len());
        let first = r.n_ends;
        let ended = self.ends_in_run(first);
        r.n_ends = self.ends.len();
        if ended.is_some() || s.is_dead() {
            let conditions = match ended {
                Some(i) => {
                    let (kind, place) = (self.ends[i].kind.clone(), self.ends[i].place);
                    if let EndKind::Trap(gap) = &kind {
                        r.unsupported = Some((gap.text.clone(), place));
                    }
                    // Two divisions in one statement are one error.
                    let same = self.ends[first..].iter().filter(|e| e.kind == kind);
                    let guards: Vec<TermId> = same.map(|e| e.guard).collect();
                    r.end = Some((kind, place));
                    vec![self.terms.or_all(&guards)]
                }
                // The run goes on where the terms say that nothing can: no end is known.
                None => Vec::new(),
            };
            r.is_done = true;
            s.guard = GuardId::DEAD;
            self.note_unfinished();
            let at = (depth, activation);
            return self.write_statement(r.role, at, &conditions, Vec::new(), &[], true);
        }
        let mut updates = Vec::new();
        self.changed_registers(r, s, forced, &mut updates);
        self.changed_memory(r, s, pointers, &mut updates);
        let conditions = self.guards.literals(s.guard);
        s.guard = GuardId::ROOT;
        let replaced: Vec<TermId> = updates
            .iter()
            .filter(
                |u| matches!(u.place, StatePlace::Local { local, .. } if forced.contains(&local)),
            )
            .map(|u| u.variable)
            .collect();
        let at = (depth, activation);
        self.write_statement(r.role, at, &conditions, updates, &replaced, is_step);
    }

    fn changed_registers(
        &mut self,
        r: &mut Recorder,
        s: &mut State,
        forced: &[LocalId],
        updates: &mut Vec<Update>,
    ) {
        let Some(mut frame) = r.frames.pop() else {
            return;
        };
        let function = self.program.function(frame.function);
        for i in 0..s.registers.len().min(frame.registers.len()) {
            let local = LocalId::new(i);
            let value = s.registers[i];
            if value == frame.registers[i] && !forced.contains(&local) {
                continue;
            }
            let is_followed = match function.local(local).storage {
                LocalStorage::Register(ty) => ty == Ty::Ptr,
                // The address of a memory local.
                _ => {
                    frame.registers[i] = value;
                    continue;
                }
            };
            let variable = match frame.variables[i] {
                Some(variable) => variable,
                None => self.new_variable(value),
            };
            frame.variables[i] = Some(variable);
            let left = if is_followed {
                self.pinned(r, value)
            } else {
                variable
            };
            (frame.registers[i], s.registers[i]) = (left, left);
            updates.push(Update {
                place: StatePlace::Local {
                    activation: frame.activation,
                    function: frame.function,
                    local,
                },
                variable,
                value: if is_followed { left } else { value },
                is_followed,
            });
        }
        r.frames.push(frame);
    }

    fn new_variable(&mut self, value: TermId) -> TermId {
        match self.terms.sort(value) {
            Sort::Bool => self.terms.bool_var("state"),
            Sort::BitVec(width) => self.terms.bv_var("state", width),
        }
    }

    fn changed_memory(
        &mut self,
        r: &mut Recorder,
        s: &mut State,
        pointers: Option<bool>,
        updates: &mut Vec<Update>,
    ) {
        for object in s.memory.objects.differences(&self.recorded.objects) {
            let Some(contents) = s.memory.objects.get(object).cloned() else {
                continue;
            };
            if contents.large.is_some() && r.unsupported.is_none() {
                let construct = "a symbolic index into a large object".to_owned();
                r.unsupported = Some((construct, self.location));
            }
            let before = self.recorded.contents_mut(object);
            let mut after = (*contents).clone();
            for offset in contents.cells.differences(&before.cells) {
                let Some(&cell) = contents.cells.get(offset) else {
                    continue;
                };
                if self.terms.known_true(cell.unwritten) {
                    continue;
                }
                let unwritten = self.keep(r, cell.unwritten);
                let is_followed = self.holds_pointer(cell.value, pointers);
                let key = (object, offset, cell.size);
                let variable = match r.cells.get(&key) {
                    Some(&variable) => variable,
                    None => self.new_variable(cell.value),
                };
                r.cells.insert(key, variable);
                let left = if is_followed {
                    self.pinned(r, cell.value)
                } else {
                    variable
                };
                after.cells.insert(
                    offset,
                    Cell {
                        value: left,
                        unwritten,
                        ..cell
                    },
                );
                if cell.value == variable {
                    continue;
                }
                updates.push(Update {
                    place: StatePlace::Memory {
                        object,
                        kind: self.infos[object as usize].kind,
                        offset,
                        size: cell.size,
                    },
                    variable,
                    value: if is_followed { left } else { cell.value },
                    is_followed,
                });
            }
            s.memory.objects.insert(object, Rc::new(after));
        }
        for object in s.memory.dead.differences(&self.recorded.dead) {
            if let Some(&dead) = s.memory.dead.get(object) {
                let dead = self.keep(r, dead);
                s.memory.dead.insert(object, dead);
            }
        }
        self.recorded = s.memory.clone();
    }

    fn holds_pointer(&mut self, value: TermId, pointers: Option<bool>) -> bool {
        if self.terms.width(value) != self.addresses.width() || pointers == Some(false) {
            return false;
        }
        if pointers == Some(true) {
            return true;
        }
        let n = self.infos.len();
        let targets = self.addresses.targets(&mut self.terms, value, n);
        targets.iter().any(|t| t.object != 0)
    }
}
