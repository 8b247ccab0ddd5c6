//! What a function without loops does: its result and what it writes, as expressions over what its parameters and
//! their elements were.
//!
//! Each path is followed with terms. For each there are ghosts that are computed when the function is entered:
//! whether this path will be taken, and what it will return or write, and where. That the exit is so is proved
//! like all else.

use super::ghost::{self, Copy};
use super::{Attempt, FunctionalFact, FunctionalFactKind, array_of, comparison, index, scalar};
use crate::terms::{ParameterNames, ValueKind, ValueTerm};
use idiolect_invariants::proof::modified;
use idiolect_invariants::session::Outcome;
use idiolect_ir::{
    BlockId, CType, ExprId, ExprKind, Function, LocalId, LocalStorage, Place, Program, StmtKind,
    TerminatorKind, Ty, TypeId,
};
use idiolect_quantified::formula::{
    Arrangement, Conjunct, Constraint, DataTerm, Orders, Relation, Term,
};
use idiolect_quantified::point::{Binding, Point, PointKind};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Functions with more paths are not said to do this or that.
const MAX_PATHS: usize = 8;
/// At most so much is said of what a function leaves.
const MAX_FACTS: usize = 12;

/// One way through the function.
#[derive(Clone, Default)]
struct StraightPath {
    locals: BTreeMap<LocalId, Rc<ValueTerm>>,
    /// What decided it, and how.
    conditions: Vec<(Rc<ValueTerm>, bool)>,
    writes: Vec<PathWrite>,
    result: Option<Rc<ValueTerm>>,
}

#[derive(Clone, PartialEq)]
struct PathWrite {
    array: LocalId,
    index: Option<Rc<ValueTerm>>,
    value: Rc<ValueTerm>,
}

/// An attempt for each thing that a path leaves.
pub(super) fn attempts(program: &Program, outcome: &Outcome) -> Vec<Attempt> {
    let function = program.function(outcome.function);
    let Some(paths) = paths(program, function) else {
        return Vec::new();
    };
    let Some(at) = (outcome.points.iter()).position(|p| p.point.kind == PointKind::Exit) else {
        return Vec::new();
    };
    let one = Leaving {
        program,
        outcome,
        at,
        exit: &outcome.points[at].point,
    };
    let mut found = Vec::new();
    for left in lefts(&paths).into_iter().take(MAX_FACTS) {
        found.extend(match &left.write {
            Some(write) => one.written(&left.conditions, write),
            None => one.returned(&left.conditions, &left.value),
        });
    }
    found.extend(one.frames(&paths));
    found
}

/// What is left at the end where these conditions hold: something written, or the result.
#[derive(Clone, PartialEq)]
struct PathResult {
    conditions: Vec<(Rc<ValueTerm>, bool)>,
    write: Option<PathWrite>,
    value: Rc<ValueTerm>,
}

/// What all paths leave. What is left whichever way a condition is decided is said without it.
fn lefts(paths: &[StraightPath]) -> Vec<PathResult> {
    let mut all: Vec<PathResult> = Vec::new();
    for path in paths {
        let conditions = || path.conditions.clone();
        all.extend(path.last_writes().into_iter().map(|w| PathResult {
            conditions: conditions(),
            write: Some(w.clone()),
            value: w.value.clone(),
        }));
        all.extend(path.result.iter().map(|value| PathResult {
            conditions: conditions(),
            write: None,
            value: value.clone(),
        }));
    }
    'again: loop {
        for i in 0..all.len() {
            for j in i + 1..all.len() {
                let (one, other) = (&all[i], &all[j]);
                if one.write != other.write || one.value != other.value {
                    continue;
                }
                if let Some(conditions) = either(&one.conditions, &other.conditions) {
                    all[i].conditions = conditions;
                    all.remove(j);
                    continue 'again;
                }
            }
        }
        return all;
    }
}

/// Both, if they differ in how one condition is decided, and in nothing else.
fn either(
    one: &[(Rc<ValueTerm>, bool)],
    other: &[(Rc<ValueTerm>, bool)],
) -> Option<Vec<(Rc<ValueTerm>, bool)>> {
    let mut pairs = one.iter().zip(other).enumerate();
    let differs = pairs.find(|(_, (a, b))| a != b);
    let (at, (a, b)) = differs.filter(|_| one.len() == other.len())?;
    let is_same_rest = one[at + 1..] == other[at + 1..];
    (is_same_rest && a.0 == b.0).then(|| {
        let mut all = one.to_vec();
        all.remove(at);
        all
    })
}

impl StraightPath {
    /// What is there at the end.
    fn last_writes(&self) -> Vec<&PathWrite> {
        let is_last = |i: usize, w: &PathWrite| {
            let mut later = self.writes[i + 1..].iter();
            !later.any(|l| l.array == w.array && l.index == w.index)
        };
        let all = self.writes.iter().enumerate();
        all.filter(|(i, w)| is_last(*i, w))
            .map(|(_, w)| w)
            .collect()
    }
}

/// All ways through a function that calls nothing, loops nowhere, and writes only to what parameters point to.
fn paths(program: &Program, function: &Function) -> Option<Vec<StraightPath>> {
    let modified = modified(function);
    ghost::stores(function, &modified)?;
    let mut walk = PathWalk {
        program,
        function,
        modified,
        done: Vec::new(),
    };
    let mut start = StraightPath::default();
    for &p in &function.params {
        if let LocalStorage::Register(ty @ Ty::Int(_)) = function.local(p).storage {
            let kind = ValueKind::Parameter(p);
            start.locals.insert(p, Rc::new(ValueTerm { kind, ty }));
        }
    }
    walk.go(Function::ENTRY, start, 0)?;
    Some(walk.done)
}

struct PathWalk<'a> {
    program: &'a Program,
    function: &'a Function,
    modified: Vec<bool>,
    done: Vec<StraightPath>,
}

impl PathWalk<'_> {
    fn go(&mut self, block: BlockId, mut path: StraightPath, depth: usize) -> Option<()> {
        // A loop comes back.
        if depth > self.function.blocks.len() || self.done.len() >= MAX_PATHS {
            return None;
        }
        let code = self.function.block(block);
        for stmt in &code.stmts {
            match stmt.kind {
                StmtKind::Assign {
                    place: Place::Local(to),
                    value,
                } => match self.term(&path, value) {
                    Some(value) => {
                        path.locals.insert(to, value);
                    }
                    None => {
                        path.locals.remove(&to);
                    }
                },
                StmtKind::Assign {
                    place: Place::Memory { address, ty },
                    value,
                } => {
                    let value = self.term(&path, value)?;
                    let (array, index) = self.element(&path, address)?;
                    if value.ty != ty {
                        return None;
                    }
                    path.writes.push(PathWrite {
                        array,
                        index,
                        value,
                    });
                }
                StmtKind::Mark { .. } => {}
                _ => return None,
            }
        }
        match code.terminator.kind {
            TerminatorKind::Goto(to) => self.go(to, path, depth + 1),
            TerminatorKind::Branch {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.term(&path, condition)?;
                for (to, holds) in [(then, true), (otherwise, false)] {
                    let mut path = path.clone();
                    path.conditions.push((condition.clone(), holds));
                    self.go(to, path, depth + 1)?;
                }
                Some(())
            }
            TerminatorKind::Return(value) => {
                path.result = match value {
                    Some(value) => Some(self.term(&path, value)?),
                    None => None,
                };
                self.done.push(path);
                Some(())
            }
            _ => None,
        }
    }

    fn element(
        &self,
        path: &StraightPath,
        address: ExprId,
    ) -> Option<(LocalId, Option<Rc<ValueTerm>>)> {
        let element = ghost::element(self.function, &self.modified, address)?;
        let index = match element.index {
            Some(index) => Some(self.term(path, index)?),
            None => None,
        };
        Some((element.array, index))
    }

    fn term(&self, path: &StraightPath, expr: ExprId) -> Option<Rc<ValueTerm>> {
        let e = self.function.expr(expr);
        let term = |e: ExprId| self.term(path, e);
        let kind = match e.kind {
            _ if !matches!(e.ty, Ty::Int(..=64)) => return None,
            ExprKind::Const(bits) => ValueKind::Constant(bits),
            ExprKind::Local(l) => return path.locals.get(&l).cloned(),
            ExprKind::Load { address } => {
                let (array, index) = self.element(path, address)?;
                let mut before = path.writes.iter().rev().filter(|w| w.array == array);
                match before.next() {
                    Some(w) if w.index == index => return Some(w.value.clone()),
                    // What is at another place may be at this one.
                    Some(_) => return None,
                    None => {}
                }
                let CType::Pointer(to) = *self.program.types.get(self.function.local(array).ty)
                else {
                    return None;
                };
                let signed = self.program.types.is_signed(to);
                ValueKind::Element {
                    array,
                    index,
                    signed,
                }
            }
            ExprKind::Unary(op, inner) => ValueKind::Unary(op, term(inner)?),
            ExprKind::Binary(op, left, right) => ValueKind::Binary(op, term(left)?, term(right)?),
            ExprKind::Convert(op, inner) => ValueKind::Convert(op, term(inner)?),
            ExprKind::And(left, right) => ValueKind::And(term(left)?, term(right)?),
            ExprKind::Or(left, right) => ValueKind::Or(term(left)?, term(right)?),
            ExprKind::Select {
                condition,
                then,
                otherwise,
            } => ValueKind::Select(term(condition)?, term(then)?, term(otherwise)?),
            _ => return None,
        };
        Some(Rc::new(ValueTerm { kind, ty: e.ty }))
    }
}

/// What is said of the exit.
struct Leaving<'a> {
    program: &'a Program,
    outcome: &'a Outcome,
    /// The position of the exit among the points.
    at: usize,
    exit: &'a Point,
}

/// A copy with ghosts, and the exit with variables for them.
struct ExitDraft {
    copy: Copy,
    exit: Point,
}

impl ExitDraft {
    /// A ghost that has this value from the start on, if the path is taken, and the position of its variable.
    fn ghost(&mut self, name: &str, ty: TypeId, signed: bool, value: ExprId) -> (LocalId, usize) {
        let ghost = self.copy.ghost(name, ty, 0);
        self.copy.before((Function::ENTRY, 0), ghost, value);
        self.exit.variables.push(scalar(ghost, name, ty, signed));
        (ghost, self.exit.variables.len() - 1)
    }
}

impl Leaving<'_> {
    fn function(&self) -> &Function {
        self.program.function(self.outcome.function)
    }

    fn names(&self) -> ParameterNames<'_> {
        ParameterNames {
            program: self.program,
            function: self.function(),
        }
    }

    /// A copy with a ghost that says whether the path is taken.
    fn draft(
        &self,
        conditions: &[(Rc<ValueTerm>, bool)],
    ) -> Option<(ExitDraft, ExprId, Arrangement)> {
        let copy = Copy::new(self.program, self.outcome.function)?;
        let mut draft = ExitDraft {
            copy,
            exit: self.exit.clone(),
        };
        let copy = &mut draft.copy;
        let mut is_taken = copy.constant(1, Ty::BOOL);
        for (condition, holds) in conditions {
            let mut part = condition.build(copy)?;
            if !holds {
                let not = ExprKind::Unary(idiolect_ir::UnaryOp::Not, part);
                part = copy.expr(not, Ty::BOOL);
            }
            is_taken = copy.expr(ExprKind::And(is_taken, part), Ty::BOOL);
        }
        let int = copy.int;
        let number = copy.as_number(is_taken, Ty::Int(32));
        let (_, taken) = draft.ghost("%taken", int, true, number);
        let not_taken = Arrangement {
            constraints: Vec::new(),
            comparisons: vec![comparison(
                DataTerm::Variable(taken),
                Orders::EQUAL,
                DataTerm::Constant(0),
            )],
        };
        Some((draft, is_taken, not_taken))
    }

    /// A ghost for a value of the path.
    fn expected(
        draft: &mut ExitDraft,
        is_taken: ExprId,
        name: &str,
        (ty, signed): (TypeId, bool),
        value: &ValueTerm,
    ) -> Option<usize> {
        let then = value.build(&mut draft.copy)?;
        let otherwise = draft.copy.constant(0, value.ty);
        let kind = ExprKind::Select {
            condition: is_taken,
            then,
            otherwise,
        };
        let value = draft.copy.expr(kind, value.ty);
        Some(draft.ghost(name, ty, signed, value).1)
    }

    fn finish(
        &self,
        draft: ExitDraft,
        parts: Vec<Arrangement>,
        kind: FunctionalFactKind,
    ) -> Attempt {
        let points = self.outcome.points.iter();
        let mut points: Vec<Point> = points.map(|p| p.point.clone()).collect();
        points[self.at] = draft.exit;
        let mut candidates = vec![Vec::new(); points.len()];
        candidates[self.at].push(Conjunct::OneOf(parts));
        let goal = ((self.at, 0), FunctionalFact { kind, at: self.at });
        Attempt {
            program: draft.copy.finish(),
            points,
            candidates,
            goals: vec![goal],
            loops: Vec::new(),
            says_all: false,
        }
    }

    fn returned(
        &self,
        conditions: &[(Rc<ValueTerm>, bool)],
        value: &Rc<ValueTerm>,
    ) -> Option<Attempt> {
        let is_result = |b: Binding| b == Binding::Result;
        let result = (self.exit.variables.iter()).position(|v| is_result(v.binding))?;
        let variable = &self.exit.variables[result];
        let (ty, signed) = (variable.ty, variable.signed);
        if self.program.types.scalar(ty) != Some(value.ty) || value.ty == Ty::BOOL {
            return None;
        }
        let (mut draft, is_taken, not_taken) = self.draft(conditions)?;
        let expected = Self::expected(&mut draft, is_taken, "%expected", (ty, signed), value)?;
        let parts = vec![not_taken, equal(DataTerm::Variable(result), expected)];
        let names = self.names();
        let kind = FunctionalFactKind::Computed {
            guard: names.guard(conditions)?,
            left: names.result(),
            right: names.value(value, signed)?,
            arrays: names.arrays(self.exit, conditions.iter().map(|c| &c.0).chain([value])),
            cells: names.cells(conditions.iter().map(|c| &c.0).chain([value])),
        };
        Some(self.finish(draft, parts, kind))
    }

    fn written(&self, conditions: &[(Rc<ValueTerm>, bool)], write: &PathWrite) -> Option<Attempt> {
        let names = self.names();
        let (mut draft, is_taken, not_taken) = self.draft(conditions)?;
        let (element, _) = super::element_of(self.program, self.outcome.function, write.array)?;
        let signed = self.program.types.is_signed(element);
        let (value, ty) = (&write.value, (element, signed));
        if self.program.types.scalar(element) != Some(value.ty) {
            return None;
        }
        let mut parts = vec![not_taken];
        let expected = Self::expected(&mut draft, is_taken, "%expected", ty, value)?;
        let mut used: Vec<&Rc<ValueTerm>> = conditions.iter().map(|c| &c.0).collect();
        used.push(value);
        let left = match array_of(self.exit, write.array) {
            Some((structure, field)) => {
                let zero = Rc::new(ValueTerm {
                    kind: ValueKind::Constant(0),
                    ty: draft.copy.wide(),
                });
                let place = write.index.clone().unwrap_or(zero);
                let then = place.build(&mut draft.copy)?;
                if draft.copy.function.expr(then).ty != draft.copy.wide() {
                    return None;
                }
                let otherwise = draft.copy.constant(-1, place.ty);
                let kind = ExprKind::Select {
                    condition: is_taken,
                    then,
                    otherwise,
                };
                let value = draft.copy.expr(kind, place.ty);
                let long = draft.copy.long;
                let ghost = draft.copy.ghost("%index", long, -1);
                draft.copy.before((Function::ENTRY, 0), ghost, value);
                let at = draft.exit.variables.len();
                let variable = index(ghost, "%index", long, structure);
                draft.exit.variables.push(variable);
                parts.extend(outside(structure, at));
                let cell = Term::Variable(at);
                let left = DataTerm::At {
                    structure,
                    cell,
                    field,
                };
                parts.push(equal(left, expected));
                if write.index.is_some() {
                    used.extend(write.index.as_ref());
                }
                names.element(write.array, &place)?
            }
            None if write.index.is_none() => {
                let is_it = |b: Binding| b == Binding::Behind(write.array);
                let cell = (self.exit.variables.iter()).position(|v| is_it(v.binding))?;
                parts.push(equal(DataTerm::Variable(cell), expected));
                names.cell(write.array)
            }
            None => return None,
        };
        let kind = FunctionalFactKind::Computed {
            guard: names.guard(conditions)?,
            left,
            right: names.value(value, signed)?,
            arrays: names.arrays(self.exit, used.iter().copied()),
            cells: names.cells(used.iter().copied()),
        };
        Some(self.finish(draft, parts, kind))
    }

    /// What is not written stays.
    fn frames(&self, paths: &[StraightPath]) -> Vec<Attempt> {
        let mut arrays: Vec<LocalId> = paths
            .iter()
            .flat_map(|p| p.writes.iter().map(|w| w.array))
            .collect();
        arrays.sort_unstable();
        arrays.dedup();
        arrays
            .into_iter()
            .filter_map(|a| self.frame(paths, a))
            .collect()
    }

    fn frame(&self, paths: &[StraightPath], array: LocalId) -> Option<Attempt> {
        let (structure, field) = array_of(self.exit, array)?;
        let (element, scale) = super::element_of(self.program, self.outcome.function, array)?;
        let ty = self.program.types.scalar(element)?;
        let n = super::position::length(self.exit, structure)?;
        if self.function().local(n).storage != LocalStorage::Register(Ty::Int(32)) {
            return None;
        }
        let copy = Copy::new(self.program, self.outcome.function)?;
        let mut draft = ExitDraft {
            copy,
            exit: self.exit.clone(),
        };
        let names = self.names();
        let int = draft.copy.int;
        let y = draft.copy.parameter("%place", int);
        let at = draft.exit.variables.len();
        draft
            .exit
            .variables
            .push(index(y, "%place", int, structure));
        let size = draft.copy.read(n);
        let place = draft.copy.read(y);
        let old = super::position::element_at(&mut draft.copy, (array, scale, ty), place, size);
        let signed = self.program.types.is_signed(element);
        let (_, was) = draft.ghost("%was", element, signed, old);
        let mut parts = outside(structure, at);
        let size = super::size_name(self.exit, structure);
        let mut guards = vec![format!("0 <= %y < {size}")];
        for path in paths {
            for write in path.writes.iter().filter(|w| w.array == array) {
                let place = write.index.as_ref()?;
                let text = format!("%y != {}", names.value(place, true)?.acsl);
                // What reads memory is not what it was.
                if text.contains("\\old") {
                    return None;
                }
                if guards.contains(&text) {
                    continue;
                }
                guards.push(text);
                // It is computed on every path.
                if !place.is_harmless() {
                    return None;
                }
                let value = place.build(&mut draft.copy)?;
                let long = draft.copy.long;
                let ghost = draft.copy.ghost("%written", long, -1);
                draft.copy.before((Function::ENTRY, 0), ghost, value);
                let w = draft.exit.variables.len();
                let variable = index(ghost, "%written", long, structure);
                draft.exit.variables.push(variable);
                parts.push(alone(Term::Variable(at), Relation::Same, Term::Variable(w)));
            }
        }
        let left = DataTerm::At {
            structure,
            cell: Term::Variable(at),
            field,
        };
        parts.push(equal(left, was));
        let kind = FunctionalFactKind::Moved {
            array: super::array_name(self.exit, structure, field),
            size,
            guards,
            to: "%y".to_owned(),
            is_exit: true,
        };
        Some(self.finish(draft, parts, kind))
    }
}

fn equal(left: DataTerm, right: usize) -> Arrangement {
    Arrangement {
        constraints: Vec::new(),
        comparisons: vec![comparison(left, Orders::EQUAL, DataTerm::Variable(right))],
    }
}

fn alone(left: Term, relation: Relation, right: Term) -> Arrangement {
    Arrangement {
        constraints: vec![Constraint {
            left,
            relation,
            right,
        }],
        comparisons: Vec::new(),
    }
}

/// A variable is no place of the array.
fn outside(structure: usize, v: usize) -> Vec<Arrangement> {
    let (at, size) = (Term::Variable(v), Term::Size(structure));
    vec![
        alone(at, Relation::Less, Term::Zero),
        alone(size, Relation::AtMost, at),
    ]
}
