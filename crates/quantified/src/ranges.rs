//! What holds of whole ranges of arrays, beside what automata say: helpers of proofs.
//!
//! A merge of two halves needs `k == i + j - half` and "nothing written so far is above what is
//! left of the other array". The first is arithmetic, which words do not have; the second relates
//! data of different arrays at different places, which the data of a word does not. So where a proof
//! with the learned formulas fails, these candidates are kept as long as no snapshot contradicts
//! them, and the proof drops what is not inductive as it does with everything else:
//!
//! * two positions are ordered: `i <= half`;
//! * a number is the sum of two others, perhaps less a third: `k == i + j - half`; a length is at least or at most
//!   such a sum: `n >= i + k`;
//! * between two positions an array is sorted, equal to another one, a heap, or a heap but for one
//!   element;
//! * between two positions no element is above those of an array between two others.
//!
//! A candidate that no snapshot gave a chance to fail says nothing, and is dropped.

use crate::formula::{
    Arrangement, Comparison, Conclusion, Conjunct, Constraint, DataTerm, ForAll, Orders, Relation,
    Sum, Term,
};
use crate::point::{Chain, Datum, Point, Role, Snapshot, Structure};
use idiolect_ir::{BinaryOp, ExprId, ExprKind, Program};

/// With more positions than this there are too many pairs of ranges.
const MAX_POSITIONS: usize = 8;

/// A range of an array: a field of the structure, and two positions by their number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Range {
    field: usize,
    from: usize,
    to: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Claim {
    /// Ascending, or descending.
    Sorted(Range, Orders),
    /// The same as another field.
    Equal(Range, usize),
    /// Nothing in the first one is above anything in the second one.
    Below(Range, Range),
    /// Parents from the first position on are not below their children before the second, or not
    /// above. All of them, or those on one side of a position.
    Heap(Range, Orders, Option<(usize, Orders)>),
    /// The parent of this position has its order with the children of it, before the end.
    Across(Range, Orders, usize),
}

#[derive(Clone, Debug)]
struct Candidate {
    claim: Claim,
    was_tried: bool,
}

/// Candidates about the arrays of one structure.
#[derive(Clone, Debug)]
struct OfArrays {
    structure: usize,
    positions: Vec<Term>,
    /// By position and position: the first is never above the second.
    at_most: Vec<bool>,
    list: Vec<Candidate>,
}

#[derive(Clone, Copy, Debug)]
struct SumCandidate {
    left: usize,
    plus: [usize; 2],
    minus: Option<usize>,
    /// A length that is not the sum may still be a bound of it.
    may_bound: bool,
    /// By how much the left side is larger: the least and the most that was seen.
    excess: Option<(i64, i64)>,
}

/// The candidates at a point.
#[derive(Clone, Debug)]
pub struct Ranges {
    arrays: Vec<OfArrays>,
    sums: Vec<SumCandidate>,
    n_snapshots: u64,
}

impl Ranges {
    /// With `heaps`, arrays may be heaps.
    pub fn new(point: &Point, heaps: bool) -> Self {
        let mut arrays = Vec::new();
        for (structure, shape) in point.structures.iter().enumerate() {
            if let Structure::Array(group) = shape {
                arrays.push(OfArrays::new(point, structure, group.fields.len(), heaps));
            }
        }
        let sums = if arrays.is_empty() {
            Vec::new()
        } else {
            sums(point)
        };
        Ranges {
            arrays,
            sums,
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
        self.sums.retain_mut(|s| s.agrees(snapshot));
    }

    /// What neither one has seen contradicted.
    pub fn merge(&mut self, other: Ranges) {
        if other.n_snapshots == 0 {
            return;
        }
        if self.n_snapshots == 0 {
            *self = other;
            return;
        }
        self.n_snapshots += other.n_snapshots;
        for (own, theirs) in self.arrays.iter_mut().zip(other.arrays) {
            for (a, b) in own.at_most.iter_mut().zip(theirs.at_most) {
                *a &= b;
            }
            own.list.retain_mut(|c| {
                let same = theirs.list.iter().find(|t| t.claim == c.claim);
                c.was_tried |= same.is_some_and(|s| s.was_tried);
                same.is_some()
            });
        }
        self.sums.retain_mut(|s| {
            let same = |t: &&SumCandidate| (t.left, t.plus, t.minus) == (s.left, s.plus, s.minus);
            let excess = other.sums.iter().find(same).and_then(|t| t.excess);
            excess.is_some_and(|(least, most)| s.includes(least) && s.includes(most))
        });
    }

    /// What is left, as conjuncts.
    pub fn conjuncts(&self) -> Vec<Conjunct> {
        if self.n_snapshots == 0 {
            return Vec::new();
        }
        let mut found: Vec<Conjunct> = Vec::new();
        for of in &self.arrays {
            of.conjuncts(&mut found);
        }
        for s in &self.sums {
            let (least, most) = s.excess.unwrap_or_default();
            let (orders, constant) = if least == most {
                (Orders::EQUAL, least)
            } else if least >= 0 {
                (Orders::AT_LEAST, 0)
            } else {
                (Orders::AT_MOST, 0)
            };
            let comparison = Comparison {
                left: DataTerm::Variable(s.left),
                orders,
                right: DataTerm::Sum(Sum {
                    plus: s.plus,
                    minus: s.minus,
                    constant,
                }),
            };
            found.push(Conjunct::OneOf(vec![Arrangement {
                constraints: Vec::new(),
                comparisons: vec![comparison],
            }]));
        }
        found
    }
}

/// Whether some function that is looked at computes twice a number: a heap in an array has the
/// children of `i` at `2 * i + 1` and `2 * i + 2`.
pub fn may_be_heaps(program: &Program, points: &[Point]) -> bool {
    points.iter().any(|p| {
        let function = program.function(p.function);
        let is_two = |e: ExprId| match function.expr(e).kind {
            ExprKind::Const(bits) => bits == 2,
            _ => false,
        };
        function.exprs.iter().any(|e| match e.kind {
            ExprKind::Binary(BinaryOp::Mul { .. }, a, b) => is_two(a) || is_two(b),
            ExprKind::Binary(BinaryOp::Shl { .. }, ..) => true,
            _ => false,
        })
    })
}

/// Every equation of three or four positions once, and every bound of two.
fn sums(point: &Point) -> Vec<SumCandidate> {
    let is_position = |r: Role| matches!(r, Role::Index { .. } | Role::Length { .. });
    let all: Vec<usize> = (0..point.variables.len())
        .filter(|&v| is_position(point.variables[v].role))
        .collect();
    let is_length = |v: usize| matches!(point.variables[v].role, Role::Length { .. });
    let mut found = Vec::new();
    if all.len() > MAX_POSITIONS {
        return found;
    }
    for &left in &all {
        for (i, &a) in all.iter().enumerate() {
            for &b in &all[i + 1..] {
                if a == left || b == left {
                    continue;
                }
                let minus = all.iter().copied().map(Some).chain([None]);
                for minus in minus {
                    // `left + minus == a + b`: the smallest variable is on the left.
                    let is_new = match minus {
                        None => true,
                        Some(m) => m > left && m != a && m != b && left < a,
                    };
                    if is_new {
                        found.push(SumCandidate {
                            left,
                            plus: [a, b],
                            minus,
                            may_bound: minus.is_none() && is_length(left),
                            excess: None,
                        });
                    }
                }
            }
        }
    }
    found
}

impl SumCandidate {
    fn agrees(&mut self, snapshot: &Snapshot) -> bool {
        let value = |v: usize| match snapshot.values[v] {
            Datum::Number(n) => i128::from(n),
            _ => 0,
        };
        let mut rest = value(self.left) - value(self.plus[0]) - value(self.plus[1]);
        rest += self.minus.map_or(0, value);
        let Ok(rest) = i64::try_from(rest) else {
            return false;
        };
        self.includes(rest)
    }

    /// Whether something can still be said if the left side is also larger by this.
    fn includes(&mut self, rest: i64) -> bool {
        let (least, most) = self.excess.unwrap_or((rest, rest));
        let (least, most) = (least.min(rest), most.max(rest));
        self.excess = Some((least, most));
        least == most || self.may_bound && (least >= 0 || most <= 0)
    }
}

impl OfArrays {
    fn new(point: &Point, structure: usize, n_fields: usize, heaps: bool) -> Self {
        let mut positions = vec![Term::Zero];
        for (v, variable) in point.variables.iter().enumerate() {
            if matches!(variable.role, Role::Index { .. }) {
                positions.push(Term::Variable(v));
            }
        }
        positions.push(Term::Size(structure));
        let n = positions.len();
        let mut list = Vec::new();
        if n <= MAX_POSITIONS {
            list = claims(n, n_fields, heaps)
                .into_iter()
                .map(|claim| Candidate {
                    claim,
                    was_tried: false,
                })
                .collect();
        }
        OfArrays {
            structure,
            positions,
            at_most: vec![true; n * n],
            list,
        }
    }

    fn add(&mut self, snapshot: &Snapshot, chain: &Chain) {
        let value = |t: Term| match t {
            Term::Variable(v) => match snapshot.values[v] {
                Datum::Number(n) => n,
                _ => 0,
            },
            Term::Size(_) => chain.n_cells as i64,
            _ => 0,
        };
        let at: Vec<i64> = self.positions.iter().map(|&t| value(t)).collect();
        for (i, &a) in at.iter().enumerate() {
            for (j, &b) in at.iter().enumerate() {
                self.at_most[i * at.len() + j] &= a <= b;
            }
        }
        let seen = Seen { at: &at, chain };
        self.list.retain_mut(|c| match seen.holds(c.claim) {
            None => true,
            Some(holds) => {
                c.was_tried = true;
                holds
            }
        });
    }

    fn conjuncts(&self, found: &mut Vec<Conjunct>) {
        let n = self.positions.len();
        let is_at_most = |a: usize, b: usize| self.at_most[a * n + b];
        let is_below = |a: usize, b: usize| is_at_most(a, b) && !is_at_most(b, a);
        for a in 0..n {
            for b in 0..n {
                // What follows from two others is left to them.
                let is_new = !(0..n).any(|c| is_below(a, c) && is_below(c, b));
                if a != b && is_at_most(a, b) && is_new && !(a == 0 && b + 1 == n) {
                    found.push(Conjunct::OneOf(vec![Arrangement {
                        constraints: vec![Constraint {
                            left: self.positions[a],
                            relation: Relation::AtMost,
                            right: self.positions[b],
                        }],
                        comparisons: Vec::new(),
                    }]));
                }
            }
        }
        let list: Vec<Claim> = (self.list.iter().filter(|c| c.was_tried))
            .map(|c| c.claim)
            .collect();
        for (i, &claim) in list.iter().enumerate() {
            // Of two that say the same the first one stays.
            let says_it = |j: usize| {
                j != i && self.implies(list[j], claim) && (j < i || !self.implies(claim, list[j]))
            };
            if !(0..list.len()).any(says_it) {
                found.push(Conjunct::ForAll(self.formula(claim)));
            }
        }
    }

    /// Whether one claim says all that another one does, with the order of positions that was always
    /// seen.
    fn implies(&self, claim: Claim, other: Claim) -> bool {
        let n = self.positions.len();
        let is_at_most = |a: usize, b: usize| self.at_most[a * n + b];
        let contains = |large: Range, small: Range| {
            large.field == small.field
                && is_at_most(large.from, small.from)
                && is_at_most(small.to, large.to)
        };
        match (claim, other) {
            (Claim::Sorted(a, orders), Claim::Sorted(b, o)) => orders == o && contains(a, b),
            (Claim::Sorted(a, Orders::AT_MOST), Claim::Below(b, c)) => {
                contains(a, b) && contains(a, c) && is_at_most(b.to, c.from)
            }
            (Claim::Sorted(a, orders), Claim::Heap(b, o, _) | Claim::Across(b, o, _)) => {
                orders == o && contains(a, b)
            }
            (Claim::Equal(a, f), Claim::Equal(b, g)) => f == g && contains(a, b),
            (Claim::Below(a, b), Claim::Below(c, d)) => contains(a, c) && contains(b, d),
            (Claim::Heap(a, orders, None), Claim::Heap(b, o, _))
            | (Claim::Heap(a, orders, None), Claim::Across(b, o, _)) => {
                orders == o && contains(a, b)
            }
            (Claim::Heap(a, orders, s), Claim::Heap(b, o, t)) => {
                s == t && orders == o && contains(a, b)
            }
            (Claim::Across(a, orders, s), Claim::Across(b, o, t)) => {
                s == t && orders == o && contains(a, b)
            }
            _ => false,
        }
    }

    /// `from <= y`, `y < to`, and that `y` is a position of the array.
    fn inside(&self, y: usize, from: usize, to: usize) -> Vec<Constraint> {
        let (y, n) = (Term::Quantified(y), self.positions.len());
        let mut guard = Vec::new();
        if from != 0 && !self.at_most[from] {
            guard.push((Term::Zero, Relation::AtMost, y));
        }
        guard.push((self.positions[from], Relation::AtMost, y));
        guard.push((y, Relation::Less, self.positions[to]));
        if to + 1 != n && !self.at_most[to * n + n - 1] {
            guard.push((y, Relation::Less, self.positions[n - 1]));
        }
        guard.into_iter().map(constraint).collect()
    }

    fn formula(&self, claim: Claim) -> ForAll {
        let structure = self.structure;
        let at = |y: usize, field: usize| DataTerm::At {
            structure,
            cell: Term::Quantified(y),
            field,
        };
        let compare = |left, orders, right| {
            Conclusion::All(vec![
                Comparison {
                    left,
                    orders,
                    right,
                }
                .upright(),
            ])
        };
        let (y1, y2) = (Term::Quantified(0), Term::Quantified(1));
        match claim {
            Claim::Sorted(r, orders) => {
                let mut guard = self.inside(0, r.from, r.to);
                guard.retain(|c| c.left != y1);
                guard.push(constraint((y1, Relation::AtMost, y2)));
                let ends = self.inside(1, r.from, r.to);
                guard.extend(ends.into_iter().filter(|c| c.left == y2));
                ForAll {
                    over: vec![structure; 2],
                    guard,
                    conclusion: compare(at(0, r.field), orders, at(1, r.field)),
                }
            }
            Claim::Equal(r, other) => ForAll {
                over: vec![structure],
                guard: self.inside(0, r.from, r.to),
                conclusion: compare(at(0, r.field), Orders::EQUAL, at(0, other)),
            },
            Claim::Below(low, high) => {
                let mut guard = self.inside(0, low.from, low.to);
                guard.extend(self.inside(1, high.from, high.to));
                ForAll {
                    over: vec![structure; 2],
                    guard,
                    conclusion: compare(at(0, low.field), Orders::AT_MOST, at(1, high.field)),
                }
            }
            Claim::Heap(r, orders, side) => {
                let mut guard = vec![constraint((y1, Relation::Parent, y2))];
                guard.push(constraint((self.positions[r.from], Relation::AtMost, y1)));
                let ends = self.inside(1, 0, r.to);
                guard.extend(ends.into_iter().filter(|c| c.left == y2));
                guard.extend(side.map(|(h, side)| match side {
                    Orders::LESS => constraint((y1, Relation::Less, self.positions[h])),
                    _ => constraint((self.positions[h], Relation::Less, y1)),
                }));
                ForAll {
                    over: vec![structure; 2],
                    guard,
                    conclusion: compare(at(0, r.field), orders, at(1, r.field)),
                }
            }
            Claim::Across(r, orders, middle) => {
                let middle = self.positions[middle];
                let mut guard = vec![
                    constraint((y1, Relation::Parent, middle)),
                    constraint((middle, Relation::Parent, y2)),
                    constraint((self.positions[r.from], Relation::AtMost, y1)),
                ];
                let ends = self.inside(1, 0, r.to);
                guard.extend(ends.into_iter().filter(|c| c.left == y2));
                ForAll {
                    over: vec![structure; 2],
                    guard,
                    conclusion: compare(at(0, r.field), orders, at(1, r.field)),
                }
            }
        }
    }
}

fn constraint((left, relation, right): (Term, Relation, Term)) -> Constraint {
    Constraint {
        left,
        relation,
        right,
    }
}

fn claims(n: usize, n_fields: usize, heaps: bool) -> Vec<Claim> {
    let mut ranges = Vec::new();
    for field in 0..n_fields {
        for from in 0..n - 1 {
            for to in 1..n {
                if from != to {
                    ranges.push(Range { field, from, to });
                }
            }
        }
    }
    let mut found = Vec::new();
    for &r in &ranges {
        for orders in [Orders::AT_MOST, Orders::AT_LEAST] {
            found.push(Claim::Sorted(r, orders));
            if !heaps {
                continue;
            }
            found.push(Claim::Heap(r, orders, None));
            for position in 1..n - 1 {
                for side in [Orders::LESS, Orders::GREATER] {
                    found.push(Claim::Heap(r, orders, Some((position, side))));
                }
                found.push(Claim::Across(r, orders, position));
            }
        }
        for other in r.field + 1..n_fields {
            found.push(Claim::Equal(r, other));
        }
        for &high in &ranges {
            if high != r {
                found.push(Claim::Below(r, high));
            }
        }
    }
    found
}

/// An array at one moment, with the values of positions.
struct Seen<'a> {
    at: &'a [i64],
    chain: &'a Chain,
}

impl Seen<'_> {
    /// The elements of a range.
    fn cells(&self, r: Range) -> std::ops::Range<usize> {
        let n = self.chain.n_cells as i64;
        let (from, to) = (self.at[r.from].clamp(0, n), self.at[r.to].clamp(0, n));
        from as usize..to.max(from) as usize
    }

    /// Whether two data that are there are ordered like this.
    fn compare(&self, left: (usize, usize), orders: Orders, right: (usize, usize)) -> bool {
        let datum = |(cell, field)| self.chain.datum(cell, field);
        match (datum(left), datum(right)) {
            (Some(left), Some(right)) => orders.allows(left, right),
            _ => false,
        }
    }

    /// Nothing where nothing is said.
    fn holds(&self, claim: Claim) -> Option<bool> {
        match claim {
            Claim::Sorted(r, orders) => {
                let cells = self.cells(r);
                let mut pairs = cells.clone().zip(cells.clone().skip(1));
                // One element is sorted, if it is there.
                let is_there = |c: usize| self.chain.datum(c, r.field).is_some();
                let holds = pairs.all(|(a, b)| self.compare((a, r.field), orders, (b, r.field)))
                    && cells.clone().all(is_there);
                match cells.len() {
                    0 => None,
                    1 if holds => None,
                    _ => Some(holds),
                }
            }
            Claim::Equal(r, other) => {
                let mut cells = self.cells(r);
                (!cells.is_empty())
                    .then(|| cells.all(|c| self.compare((c, r.field), Orders::EQUAL, (c, other))))
            }
            Claim::Below(low, high) => {
                let (left, right) = (self.cells(low), self.cells(high));
                if left.is_empty() || right.is_empty() {
                    return None;
                }
                let (mut most, mut least) = (i64::MIN, i64::MAX);
                for c in left {
                    most = most.max(self.chain.datum(c, low.field).unwrap_or(i64::MAX));
                }
                for c in right {
                    least = least.min(self.chain.datum(c, high.field).unwrap_or(i64::MIN));
                }
                Some(most <= least)
            }
            Claim::Heap(r, orders, side) => {
                let is_on_side = |parent: usize| match side {
                    None => true,
                    Some((h, side)) => side.allows(parent as i64, self.at[h]),
                };
                self.edges(r, orders, is_on_side)
            }
            Claim::Across(r, orders, middle) => {
                let middle = usize::try_from(self.at[middle]).ok()?;
                let parent = middle.checked_sub(1)? / 2;
                if (parent as i64) < self.at[r.from] {
                    return None;
                }
                let end = self.at[r.to].min(self.chain.n_cells as i64);
                let children = [2 * middle + 1, 2 * middle + 2];
                let mut children = children
                    .into_iter()
                    .filter(|&c| (c as i64) < end)
                    .peekable();
                children.peek()?;
                Some(children.all(|c| self.compare((parent, r.field), orders, (c, r.field))))
            }
        }
    }

    /// Whether parents that are wanted are ordered with their children.
    fn edges(&self, r: Range, orders: Orders, wanted: impl Fn(usize) -> bool) -> Option<bool> {
        let end = self.at[r.to].min(self.chain.n_cells as i64);
        let mut found = None;
        for child in 1..usize::try_from(end).unwrap_or(0) {
            let parent = (child - 1) / 2;
            if (parent as i64) < self.at[r.from] || !wanted(parent) {
                continue;
            }
            if !self.compare((parent, r.field), orders, (child, r.field)) {
                return Some(false);
            }
            found = Some(true);
        }
        found
    }
}
