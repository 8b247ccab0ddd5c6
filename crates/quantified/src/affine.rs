//! What holds of elements whose places or values are computed: `a[j] == b[2 * j + 1]`, `b[y] == y + 42`.
//!
//! Words say which cell comes before which, and data formulas compare; neither counts. So where a program
//! that runs by itself is not proved with what automata say, these candidates are kept as long as no
//! snapshot contradicts them, and the proof drops what is not inductive:
//!
//! * a position is a multiple of another one, and a constant: `i == 2 * j + 1`;
//! * between two positions, elements of one array are those of another one, or of its own, at a place
//!   that the program computes somewhere: `a[y] == b[2 * y + 1]`, `a[y] == b[n - 1 - y]`;
//! * between two positions, elements are their index, a number of the program, or both, and a constant:
//!   `b[y] == y + 42`; or they are at least, or at most, their index.
//!
//! A candidate that no snapshot gave a chance to fail says nothing, and is dropped.

use crate::formula::{
    Arrangement, Comparison, Conclusion, Conjunct, Constraint, DataTerm, ForAll, Linear, Orders,
    Relation, Term,
};
use crate::point::{Chain, Datum, Point, Role, Snapshot, Structure};
use idiolect_ir::{BinaryOp, ConvertOp, ExprId, ExprKind, FuncId, Function, Program, Ty};

/// With more positions than this there are too many ranges.
const MAX_POSITIONS: usize = 6;
/// Factors beyond this are an accident.
const MAX_FACTOR: u64 = 16;

/// A place that the program computes from another one: `factor * y + constant`, and the size of the
/// array where it is counted from its end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Map {
    factor: i64,
    has_size: bool,
    constant: i64,
}

/// The places that subscripts of a function are, if arrays have one of these sizes.
pub fn maps(program: &Program, function: FuncId, sizes: &[u64]) -> Vec<Map> {
    let function = program.function(function);
    let mut found = Vec::new();
    for expr in &function.exprs {
        let ExprKind::PtrAdd { index, .. } = expr.kind else {
            continue;
        };
        let Some((factor, constant)) = sum(function, index) else {
            continue;
        };
        let from_end = sizes.iter().map(|&n| constant.wrapping_sub(n as i64));
        let from_end = from_end.into_iter().find(|d| d.unsigned_abs() <= 2);
        let map = Map {
            factor,
            has_size: from_end.is_some(),
            constant: from_end.unwrap_or(constant),
        };
        let is_one = factor == 1 && map.constant == 0;
        if factor != 0
            && factor.unsigned_abs() <= MAX_FACTOR
            && map.constant.unsigned_abs() < 1 << 20
            && !is_one
        {
            found.push(map);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The number that a constant is.
pub fn signed(bits: u128, ty: Ty) -> Option<i64> {
    let width = ty.int_width().filter(|width| (1..=64).contains(width))?;
    let shift = 64 - u32::from(width);
    Some(((bits as u64) << shift) as i64 >> shift)
}

/// An expression as a multiple of one variable, and a constant. Which variable does not matter.
fn sum(function: &Function, expr: ExprId) -> Option<(i64, i64)> {
    let e = function.expr(expr);
    match e.kind {
        ExprKind::Const(bits) => Some((0, signed(bits, e.ty)?)),
        ExprKind::Local(_) => Some((1, 0)),
        ExprKind::Convert(
            ConvertOp::SignExtend | ConvertOp::ZeroExtend | ConvertOp::Truncate,
            inner,
        ) => sum(function, inner),
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (sum(function, a)?, sum(function, b)?);
            // One variable alone.
            let (factor, constant) = match op {
                BinaryOp::Add { .. } if a.0 == 0 || b.0 == 0 => {
                    (a.0.checked_add(b.0), a.1.checked_add(b.1))
                }
                BinaryOp::Sub { .. } if a.0 == 0 || b.0 == 0 => {
                    (a.0.checked_sub(b.0), a.1.checked_sub(b.1))
                }
                BinaryOp::Mul { .. } if a.0 == 0 => (a.1.checked_mul(b.0), a.1.checked_mul(b.1)),
                BinaryOp::Mul { .. } if b.0 == 0 => (b.1.checked_mul(a.0), b.1.checked_mul(a.1)),
                _ => return None,
            };
            Some((factor?, constant?))
        }
        _ => None,
    }
}

/// The candidates at a point.
#[derive(Clone, Debug)]
pub struct Affine {
    arrays: Vec<OfArrays>,
    multiples: Vec<Multiple>,
    n_snapshots: u64,
}

/// `left == factor * right + constant`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Multiple {
    left: usize,
    right: usize,
    /// The first values that were seen.
    first: Option<(i64, i64)>,
    found: Option<(i64, i64)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Claim {
    /// Equal to this field at another place.
    Mapped(usize, Map),
    /// Index (or not) and number of the point (or not), and a constant, which is known from the first
    /// element on.
    Valued(bool, Option<usize>),
    /// The index.
    Ordered(Orders),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Candidate {
    field: usize,
    /// Two positions by their number.
    from: usize,
    to: usize,
    claim: Claim,
    constant: Option<i64>,
    was_tried: bool,
}

#[derive(Clone, Debug)]
struct OfArrays {
    structure: usize,
    positions: Vec<Term>,
    list: Vec<Candidate>,
}

impl Affine {
    pub fn new(point: &Point, maps: &[Map]) -> Self {
        let mut arrays = Vec::new();
        for (structure, shape) in point.structures.iter().enumerate() {
            if let Structure::Array(group) = shape {
                arrays.push(OfArrays::new(point, structure, group.fields.len(), maps));
            }
        }
        let positions: Vec<usize> = (0..point.variables.len())
            .filter(|&v| matches!(point.variables[v].role, Role::Index { .. }))
            .collect();
        let mut multiples = Vec::new();
        for &left in &positions {
            for &right in positions.iter().filter(|&&r| r != left) {
                multiples.push(Multiple {
                    left,
                    right,
                    first: None,
                    found: None,
                });
            }
        }
        Affine {
            arrays,
            multiples,
            n_snapshots: 0,
        }
    }

    /// Drops what a snapshot contradicts.
    pub fn add(&mut self, snapshot: &Snapshot) {
        self.n_snapshots += 1;
        for of in &mut self.arrays {
            if let Some(chain) = snapshot.chain(of.structure) {
                of.add(snapshot, chain);
            }
        }
        self.multiples.retain_mut(|m| {
            let (left, right) = (number(snapshot, m.left), number(snapshot, m.right));
            m.agrees((left, right))
        });
    }

    /// What neither one has seen contradicted.
    pub fn merge(&mut self, other: Affine) {
        if other.n_snapshots == 0 {
            return;
        }
        if self.n_snapshots == 0 {
            *self = other;
            return;
        }
        self.n_snapshots += other.n_snapshots;
        for (own, theirs) in self.arrays.iter_mut().zip(other.arrays) {
            own.list.retain_mut(|c| {
                let same = |t: &&Candidate| {
                    (t.field, t.from, t.to, t.claim) == (c.field, c.from, c.to, c.claim)
                };
                let Some(t) = theirs.list.iter().find(same) else {
                    return false;
                };
                c.was_tried |= t.was_tried;
                let agrees =
                    c.constant.is_none() || t.constant.is_none() || c.constant == t.constant;
                c.constant = c.constant.or(t.constant);
                agrees
            });
        }
        self.multiples.retain_mut(|m| {
            let same = |t: &&Multiple| (t.left, t.right) == (m.left, m.right);
            match other.multiples.iter().find(same) {
                None => false,
                Some(t) => {
                    let agrees = t.first.is_none_or(|first| m.agrees(first));
                    let same = m.found.is_none() || t.found.is_none() || m.found == t.found;
                    if let (None, Some(found)) = (m.found, t.found) {
                        m.found = Some(found);
                        return agrees && same && m.first.is_none_or(|first| m.agrees(first));
                    }
                    agrees && same
                }
            }
        });
    }

    /// What is left, as conjuncts.
    pub fn conjuncts(&self) -> Vec<Conjunct> {
        let mut found = Vec::new();
        if self.n_snapshots == 0 {
            return found;
        }
        for m in &self.multiples {
            let Some((factor, constant)) = m.found else {
                continue;
            };
            let comparison = Comparison {
                left: DataTerm::Variable(m.left),
                orders: Orders::EQUAL,
                right: DataTerm::Linear(Linear {
                    variable: Some((m.right, factor)),
                    constant,
                    ..Linear::default()
                }),
            };
            found.push(Conjunct::OneOf(vec![Arrangement {
                constraints: Vec::new(),
                comparisons: vec![comparison],
            }]));
        }
        for of in &self.arrays {
            let tried = of.list.iter().filter(|c| c.was_tried);
            let tried: Vec<&Candidate> = tried.collect();
            let last = of.positions.len() - 1;
            for c in &tried {
                // What is said of the whole array is not said of a part of it.
                let says_it = |t: &&&Candidate| {
                    (t.from, t.to) == (0, last)
                        && (t.field, t.claim, t.constant) == (c.field, c.claim, c.constant)
                };
                if (c.from, c.to) == (0, last) || !tried.iter().any(|t| says_it(&t)) {
                    found.push(Conjunct::ForAll(of.formula(c)));
                }
            }
        }
        found
    }
}

fn number(snapshot: &Snapshot, v: usize) -> i64 {
    match snapshot.values.get(v) {
        Some(&Datum::Number(n)) => n,
        _ => 0,
    }
}

impl Multiple {
    fn agrees(&mut self, (left, right): (i64, i64)) -> bool {
        let Some((left0, right0)) = self.first else {
            self.first = Some((left, right));
            return true;
        };
        if self.found.is_none() && right == right0 {
            return left == left0;
        }
        let (factor, constant) = match self.found {
            Some(found) => found,
            None => {
                let (rise, run) = (left.wrapping_sub(left0), right.wrapping_sub(right0));
                if rise.checked_rem(run) != Some(0) {
                    return false;
                }
                let factor = rise / run;
                let constant = left0.wrapping_sub(factor.wrapping_mul(right0));
                // Equal numbers, and numbers that stay what they are, are known without us.
                if factor == 0 || factor.unsigned_abs() > MAX_FACTOR || (factor, constant) == (1, 0)
                {
                    return false;
                }
                *self.found.insert((factor, constant))
            }
        };
        factor.wrapping_mul(right).wrapping_add(constant) == left
    }
}

impl OfArrays {
    fn new(point: &Point, structure: usize, n_fields: usize, maps: &[Map]) -> Self {
        let mut positions = vec![Term::Zero];
        for (v, variable) in point.variables.iter().enumerate() {
            if variable.role == (Role::Index { structure }) {
                positions.push(Term::Variable(v));
            }
        }
        positions.push(Term::Size(structure));
        let mut claims = vec![Claim::Valued(true, None)];
        for v in point.scalars() {
            claims.extend([false, true].map(|has_index| Claim::Valued(has_index, Some(v))));
        }
        claims.extend([Orders::AT_LEAST, Orders::AT_MOST].map(Claim::Ordered));
        let mut list = Vec::new();
        let n = positions.len();
        if n <= MAX_POSITIONS {
            for field in 0..n_fields {
                let mapped = (0..n_fields).flat_map(|g| maps.iter().map(move |&m| (g, m)));
                let mapped = mapped.map(|(g, m)| Claim::Mapped(g, m));
                for claim in claims.iter().copied().chain(mapped) {
                    for from in 0..n - 1 {
                        let ends = (1..n).filter(|&to| to != from);
                        list.extend(ends.map(|to| Candidate {
                            field,
                            from,
                            to,
                            claim,
                            constant: None,
                            was_tried: false,
                        }));
                    }
                }
            }
        }
        OfArrays {
            structure,
            positions,
            list,
        }
    }

    fn add(&mut self, snapshot: &Snapshot, chain: &Chain) {
        let n = chain.n_cells as i64;
        let at = |t: Term| match t {
            Term::Variable(v) => number(snapshot, v),
            Term::Size(_) => n,
            _ => 0,
        };
        let at: Vec<i64> = self.positions.iter().map(|&t| at(t)).collect();
        self.list.retain_mut(|c| {
            let (from, to) = (at[c.from].clamp(0, n), at[c.to].clamp(0, n));
            (from..to).all(|y| c.agrees(snapshot, chain, y))
        });
    }

    /// The range as a guard.
    fn inside(&self, c: &Candidate) -> Vec<Constraint> {
        let y = Term::Quantified(0);
        let mut guard = vec![constraint(self.positions[c.from], Relation::AtMost, y)];
        guard.push(constraint(y, Relation::Less, self.positions[c.to]));
        guard
    }

    fn formula(&self, c: &Candidate) -> ForAll {
        let structure = self.structure;
        let y = Term::Quantified(0);
        let mut guard = self.inside(c);
        let (orders, right) = match c.claim {
            Claim::Mapped(field, map) => {
                let cell = Term::Linear(Linear {
                    quantified: Some((0, map.factor)),
                    size: map.has_size.then_some(structure),
                    constant: map.constant,
                    ..Linear::default()
                });
                guard.push(constraint(Term::Zero, Relation::AtMost, cell));
                guard.push(constraint(cell, Relation::Less, Term::Size(structure)));
                let at = DataTerm::At {
                    structure,
                    cell,
                    field,
                };
                (Orders::EQUAL, at)
            }
            Claim::Valued(has_index, variable) => {
                let value = Linear {
                    quantified: has_index.then_some((0, 1)),
                    variable: variable.map(|v| (v, 1)),
                    constant: c.constant.unwrap_or(0),
                    wraps: true,
                    ..Linear::default()
                };
                (Orders::EQUAL, DataTerm::Linear(value))
            }
            Claim::Ordered(orders) => {
                let index = Linear {
                    quantified: Some((0, 1)),
                    ..Linear::default()
                };
                (orders, DataTerm::Linear(index))
            }
        };
        let left = DataTerm::At {
            structure,
            cell: y,
            field: c.field,
        };
        ForAll {
            over: vec![structure],
            guard,
            conclusion: Conclusion::All(vec![Comparison {
                left,
                orders,
                right,
            }]),
        }
    }
}

impl Candidate {
    /// Whether it holds of an element. What was never written may be anything.
    fn agrees(&mut self, snapshot: &Snapshot, chain: &Chain, y: i64) -> bool {
        let datum = |cell: i64, field: usize| chain.datum(usize::try_from(cell).ok()?, field);
        let own = datum(y, self.field);
        match self.claim {
            Claim::Mapped(field, map) => {
                let n = chain.n_cells as i64;
                let size = if map.has_size { n } else { 0 };
                let place = map.factor * y + size + map.constant;
                if !(0..n).contains(&place) || (place == y && field == self.field) {
                    return true;
                }
                self.was_tried = true;
                own.is_some() && own == datum(place, field)
            }
            Claim::Valued(has_index, variable) => {
                self.was_tried = true;
                let index = if has_index { y } else { 0 };
                let other = variable.map_or(0, |v| number(snapshot, v));
                let rest = own.and_then(|o| o.checked_sub(index)?.checked_sub(other));
                rest.is_some_and(|rest| *self.constant.get_or_insert(rest) == rest)
            }
            Claim::Ordered(orders) => {
                self.was_tried = true;
                own.is_some_and(|own| orders.allows(own, y))
            }
        }
    }
}

fn constraint(left: Term, relation: Relation, right: Term) -> Constraint {
    Constraint {
        left,
        relation,
        right,
    }
}
