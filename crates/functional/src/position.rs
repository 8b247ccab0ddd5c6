//! Where a function puts the elements that an array had: `a[n - 1 - y]` is what `a[y]` was.
//!
//! A parameter `y` takes any value. Ghosts are the place `z` that the element at `y` may go to, and what `a[y]` was at
//! the entry. That `a[z]` is that at the exit is so proved of every `y`. Loops say up to where elements have been
//! moved and from where on they have not: for each index a bound of `y`.

use super::ghost::{self, Copy};
use super::{
    Attempt, FunctionalFact, FunctionalFactKind, Meant, array_of, comparison, index, name_of,
    scalar,
};
use idiolect_invariants::proof::modified;
use idiolect_invariants::session::Outcome;
use idiolect_ir::{
    BinaryOp, ConvertOp, ExprId, ExprKind, Function, LocalId, LocalStorage, Program, Ty,
};
use idiolect_quantified::formula::{
    Arrangement, Conjunct, Constraint, DataTerm, Linear, Orders, Relation, Sum, Term,
};
use idiolect_quantified::point::{ArraySize, Binding, Point, PointKind, Role, Structure};

/// Places and lengths are such numbers.
const NUMBER: Ty = Ty::Int(32);
/// At most so many indices of a loop are looked at.
const MAX_INDICES: usize = 4;

/// Where the element at `y` goes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    /// `n - 1 - y`
    Mirror,
    /// `y + 1` or `y - 1`
    Step(i64),
    /// `y + k` or `y - k`, for a parameter `k` that is not negative.
    By(LocalId, bool),
}

/// How `y` compares with an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bound {
    index: usize,
    /// `y` is on the left.
    is_below: bool,
    is_strict: bool,
}

impl Bound {
    /// What holds where this does not, for `y` as this variable.
    fn violated(self, y: usize) -> Constraint {
        let (small, large) = if self.is_below {
            (y, self.index)
        } else {
            (self.index, y)
        };
        Constraint {
            left: Term::Variable(large),
            relation: if self.is_strict {
                Relation::AtMost
            } else {
                Relation::Less
            },
            right: Term::Variable(small),
        }
    }

    /// As text, with `%y` for `y`.
    fn text(self, point: &Point) -> String {
        let name = name_of(point, self.index);
        let sign = if self.is_strict { "<" } else { "<=" };
        if self.is_below {
            format!("%y {sign} {name}")
        } else {
            format!("{name} {sign} %y")
        }
    }
}

/// Attempts for each array that the function writes to and each way to move its elements.
pub(super) fn attempts(program: &Program, outcome: &Outcome) -> Vec<Attempt> {
    let function = program.function(outcome.function);
    let modified = modified(function);
    let Some(stores) = ghost::stores(function, &modified) else {
        return Vec::new();
    };
    let mut arrays: Vec<LocalId> = stores.iter().map(|s| s.array).collect();
    arrays.sort_unstable();
    arrays.dedup();
    let mut targets = vec![Target::Mirror, Target::Step(1), Target::Step(-1)];
    let is_number = |l: &&LocalId| {
        function.local(**l).storage == LocalStorage::Register(NUMBER) && !modified[l.index()]
    };
    for &l in function.params.iter().filter(is_number) {
        targets.extend([Target::By(l, true), Target::By(l, false)]);
    }
    let mut found = Vec::new();
    for array in arrays {
        for &target in &targets {
            found.extend(attempt(program, outcome, array, target));
        }
    }
    found
}

/// The parameter that is the number of elements.
pub(super) fn length(point: &Point, structure: usize) -> Option<LocalId> {
    let Structure::Array(group) = &point.structures[structure] else {
        return None;
    };
    let ArraySize::Variable(v) = group.size else {
        return None;
    };
    match point.variables[v].binding {
        Binding::Local(l) | Binding::AtEntry(l) => Some(l),
        _ => None,
    }
}

/// A number as an index.
fn widened(copy: &mut Copy, value: ExprId) -> ExprId {
    match copy.wide() {
        NUMBER => value,
        wide => copy.expr(ExprKind::Convert(ConvertOp::SignExtend, value), wide),
    }
}

fn attempt(
    program: &Program,
    outcome: &Outcome,
    array: LocalId,
    target: Target,
) -> Option<Attempt> {
    let id = outcome.function;
    let exit = (outcome.points.iter()).find(|p| p.point.kind == PointKind::Exit)?;
    let (structure, field) = array_of(&exit.point, array)?;
    let info = &exit.point.structures[structure].fields()[field];
    let (Ty::Int(_), None) = (info.ty, &info.member) else {
        return None;
    };
    let (element, scale) = super::element_of(program, id, array)?;
    let n = length(&exit.point, structure)?;
    let is_number = program.function(id).local(n).storage == LocalStorage::Register(NUMBER);
    if !is_number || target == Target::By(n, true) || target == Target::By(n, false) {
        return None;
    }
    let mut copy = Copy::new(program, id)?;
    let int = copy.int;
    let y = copy.parameter("%place", int);
    let z = copy.ghost("%to", int, 0);
    let was = copy.ghost("%was", element, 0);
    let n = copy.read(n);
    let to = place(&mut copy, target, y, n);
    copy.before((Function::ENTRY, 0), z, to);
    let at = copy.read(y);
    let old = element_at(&mut copy, (array, scale, info.ty), at, n);
    copy.before((Function::ENTRY, 0), was, old);
    let mut points: Vec<Point> = outcome.points.iter().map(|p| p.point.clone()).collect();
    let mut candidates = vec![Vec::new(); points.len()];
    let (mut goals, mut loops): (Vec<Meant>, Vec<Meant>) = (Vec::new(), Vec::new());
    for (p, point) in points.iter_mut().enumerate() {
        let Some((structure, field)) = array_of(point, array) else {
            continue;
        };
        if point.kind == PointKind::Entry {
            continue;
        }
        let at = point.variables.len();
        point.variables.push(index(y, "%place", int, structure));
        point.variables.push(index(z, "%to", int, structure));
        (point.variables).push(scalar(was, "%was", element, info.signed));
        if point.kind != PointKind::Exit {
            candidates[p].extend(definition(point, at, structure, target));
        }
        let texts = Texts::new(program, point, structure, target);
        let mut say = |conjunct: Conjunct, kind: FunctionalFactKind| {
            let place = (p, candidates[p].len());
            candidates[p].push(conjunct);
            let fact = FunctionalFact { kind, at: p };
            match point.kind {
                PointKind::Exit => goals.push((place, fact)),
                _ => loops.push((place, fact)),
            }
        };
        let guards = match point.kind {
            PointKind::Exit => vec![Vec::new()],
            _ => guards(point, at),
        };
        let is_exit = point.kind == PointKind::Exit;
        for guard in &guards {
            for is_moved in [true, false] {
                // What has been moved lies on one side, what has not perhaps between two.
                if is_exit && !is_moved || is_moved && guard.len() > 1 {
                    continue;
                }
                let said = holds(at, (structure, field), guard, is_moved);
                say(said, texts.fact(point, (structure, field), guard, is_moved));
            }
        }
        if !is_exit && target == Target::Mirror {
            for (i, j) in pairs(point, at) {
                say(mirrored(structure, i, j), texts.sum(point, i, j));
            }
        }
    }
    let mut attempt = Attempt::with_goals(copy.finish(), points, candidates, goals, loops)?;
    attempt.says_all = true;
    Some(attempt)
}

/// The place that the element at `y` goes to; -1 where it goes nowhere.
fn place(copy: &mut Copy, target: Target, y: LocalId, n: ExprId) -> ExprId {
    let at = copy.read(y);
    let (add, sub) = (
        BinaryOp::Add { signed: false },
        BinaryOp::Sub { signed: false },
    );
    match target {
        Target::Mirror => {
            let one = copy.constant(1, NUMBER);
            let last = copy.binary(sub, n, one);
            copy.binary(sub, last, at)
        }
        Target::Step(by) => {
            let by = copy.constant(by, NUMBER);
            copy.binary(add, at, by)
        }
        Target::By(k, is_up) => {
            let k = copy.read(k);
            let otherwise = copy.binary(if is_up { add } else { sub }, at, k);
            let zero = copy.constant(0, NUMBER);
            let condition = copy.binary(BinaryOp::SLt, k, zero);
            let then = copy.constant(-1, NUMBER);
            let kind = ExprKind::Select {
                condition,
                then,
                otherwise,
            };
            copy.expr(kind, NUMBER)
        }
    }
}

/// What the place is, where `y` is one; ghosts are not known at the start of a round otherwise.
fn definition(point: &Point, at: usize, structure: usize, target: Target) -> Option<Conjunct> {
    let (y, z) = (at, at + 1);
    let linear = |factor: i64, size: Option<usize>, constant: i64| Linear {
        variable: Some((y, factor)),
        size,
        constant,
        ..Linear::default()
    };
    let mut parts = outside(structure, y);
    let placed = match target {
        Target::Mirror => Ok(linear(-1, Some(structure), -1)),
        Target::Step(by) => Ok(linear(1, None, by)),
        Target::By(k, is_up) => {
            let same = |b: Binding| b == Binding::Local(k) || b == Binding::AtEntry(k);
            let k = point.variables.iter().position(|v| same(v.binding))?;
            parts.extend([
                less(Term::Variable(k), Term::Zero),
                less(Term::Variable(z), Term::Zero),
            ]);
            Err(if is_up { (z, [y, k]) } else { (y, [z, k]) })
        }
    };
    let mut all: Vec<Arrangement> = parts.into_iter().map(alone).collect();
    all.push(match placed {
        Ok(linear) => alone(Constraint {
            left: Term::Variable(z),
            relation: Relation::Same,
            right: Term::Linear(linear),
        }),
        Err((left, plus)) => Arrangement {
            constraints: Vec::new(),
            comparisons: vec![comparison(
                DataTerm::Variable(left),
                Orders::EQUAL,
                DataTerm::Sum(Sum {
                    plus,
                    minus: None,
                    constant: 0,
                }),
            )],
        },
    });
    Some(Conjunct::OneOf(all))
}

fn less(left: Term, right: Term) -> Constraint {
    Constraint {
        left,
        relation: Relation::Less,
        right,
    }
}

/// A variable is no place of the array.
fn outside(structure: usize, v: usize) -> Vec<Constraint> {
    let behind = Constraint {
        left: Term::Size(structure),
        relation: Relation::AtMost,
        right: Term::Variable(v),
    };
    vec![less(Term::Variable(v), Term::Zero), behind]
}

fn alone(constraint: Constraint) -> Arrangement {
    Arrangement {
        constraints: vec![constraint],
        comparisons: Vec::new(),
    }
}

/// The element at a place, or 0 if there is none.
pub(super) fn element_at(
    copy: &mut Copy,
    (array, scale, ty): (LocalId, u64, Ty),
    at: ExprId,
    n: ExprId,
) -> ExprId {
    let zero = copy.constant(0, NUMBER);
    let from = copy.binary(BinaryOp::SLe, zero, at);
    let to = copy.binary(BinaryOp::SLt, at, n);
    let index = widened(copy, at);
    let condition = copy.expr(ExprKind::And(from, to), Ty::BOOL);
    let base = copy.read(array);
    let address = copy.expr(ExprKind::PtrAdd { base, index, scale }, Ty::Ptr);
    let then = copy.expr(ExprKind::Load { address }, ty);
    let otherwise = copy.constant(0, ty);
    let kind = ExprKind::Select {
        condition,
        then,
        otherwise,
    };
    copy.expr(kind, ty)
}

/// Indices of a loop.
fn indices(point: &Point, before: usize) -> Vec<usize> {
    let is_index = |&v: &usize| matches!(point.variables[v].role, Role::Index { .. });
    (0..before).filter(is_index).take(MAX_INDICES).collect()
}

fn pairs(point: &Point, before: usize) -> Vec<(usize, usize)> {
    let all = indices(point, before);
    let mut found = Vec::new();
    for (k, &i) in all.iter().enumerate() {
        found.extend(all[k + 1..].iter().map(|&j| (i, j)));
    }
    found
}

/// No bound, one, or one on each side; the weakest first.
fn guards(point: &Point, before: usize) -> Vec<Vec<Bound>> {
    let all = indices(point, before);
    let sided = |is_below: bool| -> Vec<Bound> {
        let bounds = all.iter().flat_map(|&index| {
            [false, true].map(|is_strict| Bound {
                index,
                is_below,
                is_strict,
            })
        });
        bounds.collect()
    };
    let (above, below) = (sided(false), sided(true));
    let mut found = vec![Vec::new()];
    found.extend(above.iter().chain(&below).map(|&b| vec![b]));
    for &low in &above {
        let others = below.iter().filter(|high| high.index != low.index);
        found.extend(others.map(|&high| vec![low, high]));
    }
    found
}

/// Where both places are in range and the guard holds, `a[z]`, or `a[y]`, is what `a[y]` was.
fn holds(
    at: usize,
    (structure, field): (usize, usize),
    guard: &[Bound],
    is_moved: bool,
) -> Conjunct {
    let cell = if is_moved { at + 1 } else { at };
    let mut parts = Vec::new();
    for v in [at, cell] {
        parts.extend(outside(structure, v));
    }
    parts.dedup();
    parts.extend(guard.iter().map(|b| b.violated(at)));
    let mut all: Vec<Arrangement> = parts.into_iter().map(alone).collect();
    all.push(Arrangement {
        constraints: Vec::new(),
        comparisons: vec![comparison(
            DataTerm::At {
                structure,
                cell: Term::Variable(cell),
                field,
            },
            Orders::EQUAL,
            DataTerm::Variable(at + 2),
        )],
    });
    Conjunct::OneOf(all)
}

/// `i + j = n - 1`
fn mirrored(structure: usize, i: usize, j: usize) -> Conjunct {
    let mirror = Linear {
        variable: Some((i, -1)),
        size: Some(structure),
        constant: -1,
        ..Linear::default()
    };
    Conjunct::OneOf(vec![Arrangement {
        constraints: vec![Constraint {
            left: Term::Variable(j),
            relation: Relation::Same,
            right: Term::Linear(mirror),
        }],
        comparisons: Vec::new(),
    }])
}

/// How places are written at a point.
struct Texts {
    to: String,
    /// For which `%y` there is such a place.
    range: Vec<String>,
    size: String,
}

impl Texts {
    fn new(program: &Program, point: &Point, structure: usize, target: Target) -> Self {
        let n = super::size_name(point, structure);
        let function = program.function(point.function);
        let (to, range) = match target {
            Target::Mirror => (format!("{n} - 1 - %y"), vec![format!("0 <= %y < {n}")]),
            Target::Step(1) => ("%y + 1".to_owned(), vec![format!("0 <= %y < {n} - 1")]),
            Target::Step(_) => ("%y - 1".to_owned(), vec![format!("1 <= %y < {n}")]),
            Target::By(k, is_up) => {
                let k = &function.local(k).name;
                let (to, range) = if is_up {
                    (format!("%y + {k}"), format!("0 <= %y < {n} - {k}"))
                } else {
                    (format!("%y - {k}"), format!("{k} <= %y < {n}"))
                };
                (to, vec![format!("0 <= {k}"), range])
            }
        };
        Self { to, range, size: n }
    }

    fn fact(
        &self,
        point: &Point,
        (structure, field): (usize, usize),
        guard: &[Bound],
        is_moved: bool,
    ) -> FunctionalFactKind {
        let mut guards = if is_moved {
            self.range.clone()
        } else {
            vec![format!("0 <= %y < {}", self.size)]
        };
        guards.extend(guard.iter().map(|b| b.text(point)));
        FunctionalFactKind::Moved {
            array: super::array_name(point, structure, field),
            size: self.size.clone(),
            guards,
            to: if is_moved {
                self.to.clone()
            } else {
                "%y".to_owned()
            },
            is_exit: point.kind == PointKind::Exit,
        }
    }

    fn sum(&self, point: &Point, i: usize, j: usize) -> FunctionalFactKind {
        FunctionalFactKind::Opposite {
            one: name_of(point, i),
            other: name_of(point, j),
            size: self.size.clone(),
        }
    }
}
