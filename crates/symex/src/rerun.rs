//! A run that happened, statement by statement, with room for *another value* of everything that is
//! assigned (FL, Definition 3.1: what if this statement had assigned a constant?).
//!
//! It is a [`trace`](crate::trace) with three differences.
//!
//! * The inputs are known, so every variable has the value that it had in the run beside its term.
//! * Every assignment has a variable that stands for the assigned value alone ([`Assigned`]), also
//!   one to a bit-field, or through a pointer to one of several cells.
//! * An assigned pointer comes with a choice: itself, null, or an address of no object. Nobody can
//!   say what a run would do with a pointer to some other object, since later statements rest on
//!   where it points; but both replacements end every access through it as a fault, exactly as in a
//!   real run, and they answer every comparison. Static objects get their first value by a
//!   statement of their own ([`Role::Global`]), before all others.
//!
//! An access with more than [`MAX_PLACES`] places, and a copy of a size that is not constant, are
//! taken to be where they were in the run. That is a [`Condition`] with `is_exact` unset: another
//! value that breaks it may still belong to a run along the same decisions, so it proves nothing.

use crate::EndKind;
use crate::encoder::{Config, Encoder, Pool, Script, encode_with};
use crate::memory::Cell;
use crate::pointer::Target;
use crate::record::InputOrigin;
use crate::recorder::Recorder;
use crate::state::State;
use crate::trace::{Extent, StatePlace, TraceError, Update};
use idiolect_base::Budget;
use idiolect_ir::ctype::{ArrayLength, DataModel};
use idiolect_ir::events::EventSite;
use idiolect_ir::{
    CType, Callee, FuncId, GlobalId, LocalStorage, Location, Place, Program, StmtKind, Ty, TypeId,
};
use idiolect_smt::{Evaluator, Model, Sort, Substitution, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// An access with more places than this is taken to be where it was in the run. Each place of a
/// write is one update.
pub const MAX_PLACES: u32 = 32;
/// Static objects with more scalars than this keep their first value as a constant.
const MAX_SCALARS: usize = 64;

/// What a statement is to its trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// What is written at its place.
    Plain,
    /// The call at its place gives the parameters their values.
    Entry,
    /// This static object has its first value.
    Global(GlobalId),
}

/// Something that was drawn: an input, or a value that is not modelled exactly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Drawn {
    pub variable: TermId,
    /// `None` for a value that is not modelled exactly, such as what `printf` returns.
    pub origin: Option<InputOrigin>,
    /// The run at hand drew it; otherwise only other runs along the trace may.
    pub in_this_run: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    pub term: TermId,
    /// A run along the trace has to fulfil it; see the module's text.
    pub is_exact: bool,
}

/// How the value of an [`Assigned`] is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AssignedKind {
    /// The bits themselves.
    Value,
    /// A choice: 0 as in the run, 1 null, others an address of no object.
    Pointer,
}

/// The address of no object that an assigned pointer may have instead of its own.
pub fn foreign_address(model: DataModel) -> u128 {
    match model {
        DataModel::Lp64 => u128::from(idiolect_ir::memory::address(0x7fff_fff0, 0)),
        DataModel::Ilp32 => 0xf800_0000,
    }
}

/// The value that a statement assigns, as one variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assigned {
    pub variable: TermId,
    pub kind: AssignedKind,
    /// In the run.
    pub value: u128,
    pub width: u32,
}

/// What one statement did: it drew, then defined, then went on where the conditions hold, then
/// updated. Drawn and defined variables never change.
#[derive(Clone, Debug)]
pub struct Statement {
    pub place: Location,
    pub role: Role,
    /// How the branch here came out.
    pub decision: Option<bool>,
    /// What happened here that a user may listen to.
    pub event: Option<EventSite>,
    pub depth: usize,
    pub activation: u32,
    pub drawn: Vec<Drawn>,
    pub definitions: Vec<(TermId, TermId)>,
    pub conditions: Vec<Condition>,
    /// All at once.
    pub updates: Vec<Update>,
    /// Defined or updated here. All of them together are what the statement assigns.
    pub assigned: Vec<Assigned>,
    /// Whether there is more that it assigns, which has no variable: pointers in a block of bytes.
    pub assigns_more: bool,
}

pub struct RunTrace {
    pub terms: Terms,
    pub statements: Vec<Statement>,
    pub end: (EndKind, Location),
    /// The value of every drawn and defined variable, and the last one of every other.
    pub values: Model,
}

/// What is known of the run, and written down of it so far.
#[derive(Clone, Debug)]
pub(crate) struct Rerun {
    inputs: std::vec::IntoIter<u128>,
    pub(crate) values: Model,
    pub(crate) statements: Vec<Statement>,
    /// Since the last statement.
    definitions: Vec<(TermId, TermId)>,
    assigned: Vec<Assigned>,
    drawn: Vec<Drawn>,
    decision: Option<bool>,
    event: Option<EventSite>,
    n_approximations: usize,
    /// Conditions that only hold where accesses are as they were.
    inexact: FxHashSet<TermId>,
    /// Terms that never change.
    fixed: FxHashSet<TermId>,
    /// Defined variables that are constant as long as every pointer is what it was.
    unchosen: FxHashMap<TermId, u128>,
}

impl RunTrace {
    /// What the run with these inputs does, which takes these decisions.
    pub fn along(
        program: &Program,
        decisions: &[bool],
        inputs: &[u128],
        check_overflow: bool,
        budget: &Budget,
    ) -> Result<Self, TraceError> {
        let config = Config {
            unwind: 0,
            check_overflow,
            constant_unwindings: u32::MAX,
            ..Config::default()
        };
        let given: Vec<u128> = inputs.to_vec();
        let mut script = Script {
            decisions: decisions.to_vec(),
            then: None,
            max_decisions: decisions.len(),
            variables: FxHashMap::default(),
            given: None,
            recorder: Some(Recorder::new(Extent::End)),
            rerun: Some(Rerun {
                inputs: given.into_iter(),
                values: Model::new(),
                statements: Vec::new(),
                definitions: Vec::new(),
                assigned: Vec::new(),
                drawn: Vec::new(),
                decision: None,
                event: None,
                n_approximations: 0,
                inexact: FxHashSet::default(),
                fixed: FxHashSet::default(),
                unchosen: FxHashMap::default(),
            }),
        };
        let (result, encoding) =
            encode_with(program, &config, budget, Pool::default(), Some(&mut script));
        result?;
        let nowhere = Location::entry(program.start);
        let lost = |place| TraceError::NotSupported {
            construct: "a run that cannot be followed symbolically".to_owned(),
            place,
        };
        let Some(recorder) = script.recorder else {
            return Err(lost(nowhere));
        };
        if let Some((construct, place)) = recorder.unsupported {
            return Err(TraceError::NotSupported { construct, place });
        }
        let (Some(rerun), Some(end)) = (script.rerun, recorder.end) else {
            return Err(lost(nowhere));
        };
        Ok(Self {
            terms: encoding.terms,
            statements: rerun.statements,
            end,
            values: rerun.values,
        })
    }
}

impl Encoder<'_> {
    fn rerun(&mut self) -> Option<&mut Rerun> {
        self.script.as_mut()?.rerun.as_mut()
    }

    pub(crate) fn is_rerun(&self) -> bool {
        self.script.as_ref().is_some_and(|s| s.rerun.is_some())
    }

    /// The value that a term has in the run, at this point.
    pub(crate) fn in_run(&self, term: TermId) -> Option<u128> {
        let values = &self.script.as_ref()?.rerun.as_ref()?.values;
        Some(Evaluator::new(&self.terms, values).eval(term))
    }

    pub(crate) fn set_in_run(&mut self, variable: TermId, value: u128) {
        if let Some(rerun) = self.script.as_mut().and_then(|s| s.rerun.as_mut()) {
            rerun.values.set_term(&self.terms, variable, value);
        }
    }

    pub(crate) fn note_decision(&mut self, outcome: bool) {
        if let Some(rerun) = self.rerun() {
            rerun.decision = Some(outcome);
        }
    }

    /// The event belongs to the next statement that is written down.
    pub(crate) fn note_event(&mut self, site: EventSite, condition: TermId) {
        if self.in_run(condition).is_some_and(|v| v != 0)
            && let Some(rerun) = self.rerun()
        {
            rerun.event = Some(site);
        }
    }

    /// An input was drawn.
    pub(crate) fn note_input(&mut self, variable: TermId, guard: TermId, origin: InputOrigin) {
        let Some(is_used) = self.in_run(guard) else {
            return;
        };
        if let Some(rerun) = self.rerun() {
            let value = match is_used {
                0 => 0,
                _ => rerun.inputs.next().unwrap_or(0),
            };
            rerun.drawn.push(Drawn {
                variable,
                origin: Some(origin),
                in_this_run: is_used != 0,
            });
            rerun.fixed.insert(variable);
            self.set_in_run(variable, value);
        }
    }

    /// A variable that is this term from now on.
    pub(crate) fn define(&mut self, value: TermId) -> TermId {
        let variable = match self.terms.sort(value) {
            Sort::Bool => self.terms.bool_var("defined"),
            Sort::BitVec(width) => self.terms.bv_var("defined", width),
        };
        let now = self.in_run(value).unwrap_or(0);
        let usual = self.unchosen(value);
        let constant = self.terms.as_const(usual);
        if let Some(rerun) = self.rerun() {
            rerun.definitions.push((variable, value));
            rerun.fixed.insert(variable);
            if let Some(constant) = constant {
                rerun.unchosen.insert(variable, constant);
            }
        }
        self.set_in_run(variable, now);
        variable
    }

    /// As [`define`](Self::define), unless the term cannot change anyway.
    pub(crate) fn defined(&mut self, value: TermId) -> TermId {
        let is_fixed = self.terms.as_const(value).is_some()
            || self.rerun().is_some_and(|r| r.fixed.contains(&value));
        if is_fixed { value } else { self.define(value) }
    }

    /// The term where every pointer is what it was.
    fn unchosen(&mut self, term: TermId) -> TermId {
        if self.terms.as_const(term).is_some() {
            return term;
        }
        let (variables, _) = self.terms.variables_of(&[term]);
        let mut map = Substitution::default();
        for variable in variables {
            let variable = self.terms.variable_term(variable);
            let known = self
                .rerun()
                .and_then(|r| r.unchosen.get(&variable).copied());
            if let Some(value) = known {
                let value = self.terms.constant(value, self.terms.sort(variable));
                map.terms.insert(variable, value);
            }
        }
        if map.terms.is_empty() {
            term
        } else {
            self.terms.substitute(term, &mut map)
        }
    }

    /// Whether the condition holds only where some pointer is not what it was.
    pub(crate) fn is_by_choice(&mut self, condition: TermId) -> bool {
        if !self.is_rerun() {
            return false;
        }
        let usual = self.unchosen(condition);
        self.terms.known_false(usual)
    }

    fn choose_pointer(&mut self, value: TermId) -> TermId {
        let zero = self.terms.bv(0, 2);
        let choice = self.define(zero);
        let width = self.addresses.width();
        let one = self.terms.bv(1, 2);
        let null = self.terms.bv(0, width);
        let foreign = foreign_address(self.program.types.model);
        let foreign = self.terms.bv(foreign, width);
        let as_it_was = self.terms.eq(choice, zero);
        let otherwise = self.terms.not(as_it_was);
        let is_null = self.terms.eq(choice, one);
        let other = self.terms.ite(is_null, null, foreign);
        if let Some(rerun) = self.rerun() {
            rerun.unchosen.insert(choice, 0);
            rerun.fixed.extend([as_it_was, otherwise, other]);
            rerun.assigned.push(Assigned {
                variable: choice,
                kind: AssignedKind::Pointer,
                value: 0,
                width: 2,
            });
        }
        self.terms.ite(as_it_was, value, other)
    }

    /// What is assigned to a place, with a variable of its own where the place has none.
    pub(crate) fn replaceable(
        &mut self,
        f: &idiolect_ir::Function,
        place: &Place,
        value: TermId,
    ) -> TermId {
        if !self.is_rerun() {
            return value;
        }
        let ty = match *place {
            Place::Local(local) => match f.local(local).storage {
                LocalStorage::Register(Ty::Ptr) => Ty::Ptr,
                // The register itself is the variable.
                _ => return value,
            },
            Place::Memory { ty, .. } => ty,
            Place::Bits { width, .. } => Ty::Int(width),
        };
        if ty == Ty::Ptr {
            return self.choose_pointer(value);
        }
        let now = self.in_run(value).unwrap_or(0);
        let variable = self.define(value);
        let width = self.terms.width(variable);
        if let Some(rerun) = self.rerun() {
            rerun.assigned.push(Assigned {
                variable,
                kind: AssignedKind::Value,
                value: now,
                width,
            });
        }
        variable
    }

    pub(crate) fn replaceable_parameters(&mut self, s: &mut State, f: &idiolect_ir::Function) {
        if !self.is_rerun() {
            return;
        }
        for &param in &f.params {
            if matches!(f.local(param).storage, LocalStorage::Register(Ty::Ptr)) {
                let value = s.registers[param.index()];
                s.registers[param.index()] = self.choose_pointer(value);
            }
        }
    }

    /// A pointer as a choice among few terms that never change.
    pub(crate) fn flattened(&mut self, pointer: TermId) -> TermId {
        let n = self.infos.len();
        let targets = self.addresses.targets(&mut self.terms, pointer, n);
        let width = self.addresses.width();
        let mut result: Option<TermId> = None;
        for t in targets.iter().rev() {
            let offset = self.defined(t.offset);
            let value = match t.object {
                0 => offset,
                object => {
                    let base = self.addresses.base(object);
                    let base = self.terms.bv(u128::from(base), width);
                    self.terms.add(base, offset)
                }
            };
            result = Some(match result {
                None => value,
                Some(other) => {
                    let condition = self.defined(t.condition);
                    self.terms.ite(condition, value, other)
                }
            });
        }
        result.unwrap_or(pointer)
    }

    /// The target at the offset that it has in the run, if there are too many to look at.
    pub(crate) fn as_in_run(&mut self, s: &mut State, t: Target, size: u64) -> Target {
        if !self.is_rerun() || self.terms.as_const(t.offset).is_some() || s.is_dead() {
            return t;
        }
        let (first, last, step) = self.places(t, size.min(1 << 30) as u32);
        if last < first + step * u128::from(MAX_PLACES) {
            return t;
        }
        let here = self.under_lazies(t.condition);
        let is_used = self.in_run(here).is_some_and(|v| v != 0);
        let value = if is_used {
            self.in_run(t.offset).unwrap_or(first)
        } else {
            first
        };
        let offset = self.terms.bv(value, self.terms.width(t.offset));
        self.assume_as_in_run(s, here, t.offset, offset);
        Target { offset, ..t }
    }

    /// A size that is the one of the run.
    pub(crate) fn size_as_in_run(&mut self, s: &mut State, size: TermId) -> TermId {
        if !self.is_rerun() || self.terms.as_const(size).is_some() || s.is_dead() {
            return size;
        }
        let value = self.in_run(size).unwrap_or(0);
        let constant = self.terms.bv(value, self.terms.width(size));
        let truth = self.terms.tt();
        let here = self.under_lazies(truth);
        self.assume_as_in_run(s, here, size, constant);
        constant
    }

    /// The condition does not hold in the run, and other runs in which it does are not modelled.
    pub(crate) fn holds_not_as_in_run(&mut self, s: &mut State, condition: TermId) -> bool {
        let here = self.under_lazies(condition);
        if !self.is_rerun() || self.in_run(here) != Some(0) {
            return false;
        }
        let never = self.terms.not(here);
        self.note_inexact(never);
        s.guard = self.guards.push(&mut self.terms, s.guard, never);
        true
    }

    fn assume_as_in_run(&mut self, s: &mut State, here: TermId, term: TermId, value: TermId) {
        let same = self.terms.eq(term, value);
        let elsewhere = self.terms.not(here);
        let literal = self.terms.or(elsewhere, same);
        self.note_inexact(literal);
        s.guard = self.guards.push(&mut self.terms, s.guard, literal);
    }

    /// Runs in which the literal does not hold are not modelled.
    pub(crate) fn note_inexact(&mut self, literal: TermId) {
        if let Some(rerun) = self.rerun() {
            rerun.inexact.insert(literal);
        }
    }

    /// Another function would have been another trace, so where the pointer points is a condition
    /// like any other.
    pub(crate) fn only_callee_of_run(&mut self, callees: &mut Vec<(TermId, FuncId)>) {
        if self.is_rerun() {
            callees.retain(|c| self.in_run(c.0).is_some_and(|v| v != 0));
        }
    }

    /// Static objects have their first values.
    pub(crate) fn note_globals(&mut self, s: &mut State) {
        if !self.is_rerun() {
            return;
        }
        for (i, global) in self.program.globals.iter().enumerate() {
            if global.is_library || global.read_only || global.is_unwritten {
                continue;
            }
            let mut scalars = Vec::new();
            if !scalars_of(self.program, global.ty, 0, &mut scalars) || scalars.is_empty() {
                continue;
            }
            let id = GlobalId::new(i);
            let object = self.global_object(id);
            let mut contents = s.memory.contents_mut(object);
            let before = contents.clone();
            for (offset, size, is_pointer) in scalars {
                let initial = Some(global.bytes.as_slice());
                let pieces = before.pieces(&mut self.terms, initial, offset, size);
                let list: Vec<TermId> = pieces.iter().map(|p| p.value).collect();
                let first = self.concat(&list);
                let falsity = self.terms.ff();
                let value = if is_pointer {
                    let value = self.choose_pointer(first);
                    self.flattened(value)
                } else {
                    let n = self.infos.len();
                    let targets = self.addresses.targets(&mut self.terms, first, n);
                    if targets.iter().any(|t| t.object != 0) {
                        continue;
                    }
                    let now = self.in_run(first).unwrap_or(0);
                    let variable = self.define(first);
                    if let Some(rerun) = self.rerun() {
                        rerun.assigned.push(Assigned {
                            variable,
                            kind: AssignedKind::Value,
                            value: now,
                            width: size * 8,
                        });
                    }
                    variable
                };
                let cell = Cell {
                    size,
                    value,
                    unwritten: falsity,
                };
                contents.put(&mut self.terms, offset, cell);
            }
            s.memory.objects.insert(object, Rc::new(contents));
            self.write_statement(Role::Global(id), (0, 0), &[], Vec::new(), &[], true);
        }
    }

    /// Puts what happened since the last statement into one.
    pub(crate) fn write_statement(
        &mut self,
        role: Role,
        (depth, activation): (usize, u32),
        conditions: &[TermId],
        updates: Vec<Update>,
        replaced: &[TermId],
        is_step: bool,
    ) {
        let place = self.location;
        let is_bulk = match place.stmt(self.program).map(|s| &s.kind) {
            Some(StmtKind::Copy { .. } | StmtKind::Zero { .. }) => true,
            Some(StmtKind::Call { callee, .. }) => matches!(callee, Callee::Builtin(_)),
            _ => false,
        };
        let new: Vec<u128> = updates
            .iter()
            .map(|u| self.in_run(u.value).unwrap_or(0))
            .collect();
        let Some(rerun) = self.script.as_mut().and_then(|s| s.rerun.as_mut()) else {
            return;
        };
        for &(_, variable) in &self.approximations[rerun.n_approximations..] {
            rerun.drawn.push(Drawn {
                variable,
                origin: None,
                in_this_run: true,
            });
        }
        rerun.n_approximations = self.approximations.len();
        let conditions: Vec<Condition> = conditions
            .iter()
            .map(|&term| Condition {
                term,
                is_exact: !rerun.inexact.contains(&term),
            })
            .collect();
        let mut assigned = std::mem::take(&mut rerun.assigned);
        let mut assigns_more = false;
        for (update, &value) in updates.iter().zip(&new) {
            rerun.values.set_term(&self.terms, update.variable, value);
            let is_memory = matches!(update.place, StatePlace::Memory { .. });
            let is_replaced = replaced.contains(&update.variable)
                || (is_bulk && is_memory && role == Role::Plain);
            if !is_replaced {
                continue;
            }
            if update.is_followed {
                // A register that holds a pointer has its choice already.
                assigns_more |= is_memory;
                continue;
            }
            assigned.push(Assigned {
                variable: update.variable,
                kind: AssignedKind::Value,
                value,
                width: self.terms.width(update.variable),
            });
        }
        let statement = Statement {
            place,
            role,
            decision: rerun.decision.take(),
            event: rerun.event.take(),
            depth,
            activation,
            drawn: std::mem::take(&mut rerun.drawn),
            definitions: std::mem::take(&mut rerun.definitions),
            conditions,
            updates,
            assigned,
            assigns_more,
        };
        let is_nothing = statement.decision.is_none()
            && statement.event.is_none()
            && statement.drawn.is_empty()
            && statement.definitions.is_empty()
            && statement.conditions.is_empty()
            && statement.updates.is_empty();
        if is_step || !is_nothing {
            rerun.statements.push(statement);
        }
    }

    /// What the statement at hand would assign it does not: the run ends in it.
    pub(crate) fn note_unfinished(&mut self) {
        if let Some(rerun) = self.rerun() {
            rerun.assigned.clear();
        }
    }

    /// The first of the ends from here on that the run comes to.
    pub(crate) fn ends_in_run(&mut self, first: usize) -> Option<usize> {
        (first..self.ends.len()).find(|&i| self.in_run(self.ends[i].guard).is_some_and(|v| v != 0))
    }
}

/// The scalars of a type: offset, size, whether it is a pointer. False if it is not made of few
/// scalars that lie beside each other.
fn scalars_of(program: &Program, ty: TypeId, at: u64, list: &mut Vec<(u32, u32, bool)>) -> bool {
    let types = &program.types;
    match types.get(ty) {
        CType::Array {
            element,
            length: ArrayLength::Known(n),
        } => {
            let (element, n) = (*element, *n);
            let Some(size) = types.size_of(element) else {
                return false;
            };
            if n > MAX_SCALARS as u64 {
                return false;
            }
            (0..n).all(|i| scalars_of(program, element, at + i * size, list))
        }
        CType::Record(id) => {
            let record = types.record(*id);
            let Some(layout) = &record.layout else {
                return false;
            };
            !record.is_union
                && layout
                    .fields
                    .iter()
                    .all(|f| f.bits.is_none() && scalars_of(program, f.ty, at + f.offset, list))
        }
        CType::Bool | CType::Int(_) | CType::Enum(_) | CType::Pointer(_) => {
            let Some(size) = types.size_of(ty) else {
                return false;
            };
            let is_pointer = matches!(types.get(ty), CType::Pointer(_));
            list.push((at as u32, size as u32, is_pointer));
            list.len() <= MAX_SCALARS
        }
        _ => false,
    }
}
