//! What may be true at a point: facts that runs suggest.

use super::cut::{Point, PointKind};
use super::fact::{Fact, Shape, gcd};
use super::formula::{Formula, Sum, power_of_two};
use super::variable::{Site, constant, fixed};
use idiolect_ir::{BinaryOp, ConvertOp, ExprId, ExprKind, FuncId, Function, Program, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

/// A variable with at most so many values in runs is looked at value by value.
const MAX_CASES: usize = 10;
/// Pairs of variables, conditions that facts depend on, and facts, of one point.
const MAX_PAIRS: usize = 120;
const MAX_GUARDS: usize = 24;
const MAX_GUARDED: usize = 700;
/// Variables in one affine relation.
const MAX_AFFINE: usize = 10;
const MAX_THRESHOLDS: usize = 400;
/// Larger values may have wrapped around.
const LARGE: i128 = 1 << 28;

/// The constants of a program, with their neighbours, ascending.
pub fn thresholds(program: &Program) -> Vec<i128> {
    let mut found: BTreeSet<i128> = [-1, 0, 1].into();
    for function in &program.functions {
        if function.origin == idiolect_ir::FunctionOrigin::Library {
            continue;
        }
        for (i, expr) in function.exprs.iter().enumerate() {
            if !matches!(expr.kind, ExprKind::Const(_)) {
                continue;
            }
            if let Some(value) = constant(function, ExprId::new(i)) {
                found.extend([value - 1, value, value + 1]);
                if value < 0
                    && let ExprKind::Const(bits) = expr.kind
                {
                    found.insert(bits as i128);
                }
            }
        }
    }
    let mut found: Vec<i128> = found.into_iter().collect();
    found.sort_by_key(|c| c.abs());
    found.truncate(MAX_THRESHOLDS);
    found.sort_unstable();
    found
}

/// Facts that hold in all of these states; without any, that no run comes here. They do not speak of idle
/// parameters.
pub fn candidates(
    program: &Program,
    point: &Point,
    states: &[Vec<i128>],
    idle: &BTreeSet<(FuncId, usize)>,
) -> Vec<Fact> {
    let n = point.variables.len();
    let Some(first) = states.first() else {
        return vec![Fact::new(None, Shape::Fixed(Formula::Any(Vec::new())))];
    };
    let mut facts = Vec::new();
    let values: Vec<BTreeSet<i128>> = (0..n)
        .map(|v| states.iter().map(|s| s[v]).collect())
        .collect();
    let is_idle = |v: usize| match (point.kind, point.variables[v].site) {
        (PointKind::Loop(_), _) => false,
        (_, Site::Register(at)) => idle.contains(&(point.function, at.index())),
        _ => false,
    };
    let looked_at: Vec<usize> = (0..n).filter(|&v| !is_idle(v)).collect();
    for &v in &looked_at {
        let own = &values[v];
        if own.len() <= MAX_CASES {
            facts.push(Fact::new(
                None,
                Shape::Values {
                    variable: v,
                    values: own.clone(),
                },
            ));
        }
        facts.extend(bounds(&[(1, v)], own, None));
        let distance = own
            .iter()
            .fold(0, |g, x| gcd(g, (x - first[v]).unsigned_abs()));
        if own.len() > 2 && distance > 1 && distance < 1 << 20 {
            facts.push(Fact::new(
                None,
                Shape::Remainder {
                    variable: v,
                    modulus: distance as u64,
                    rest: first[v].rem_euclid(distance as i128),
                },
            ));
        }
    }
    let related = related(program, point, &looked_at);
    for &(a, b) in related.iter().take(MAX_PAIRS) {
        for parts in [[(1, a), (-1, b)], [(1, a), (1, b)]] {
            let sums: BTreeSet<i128> = (states.iter())
                .map(|s| Sum::of(&parts, 0).value(s))
                .collect();
            facts.extend(bounds(&parts, &sums, None));
            facts.extend(remainder(&parts, &sums));
        }
    }
    let view = View {
        program,
        point,
        looked_at: &looked_at,
    };
    facts.extend(view.affine(states, None));
    facts.extend(view.guarded(states, &values, &related));
    facts
}

/// All sums have one remainder: parity of a difference, say.
fn remainder(parts: &[(i64, usize)], sums: &BTreeSet<i128>) -> Option<Fact> {
    let &first = sums.first().filter(|_| sums.len() > 2)?;
    let distance = sums
        .iter()
        .fold(0, |g, x| gcd(g, (x - first).unsigned_abs()));
    let modulus = u64::try_from(distance).ok()?;
    let rest = first.rem_euclid(i128::from(modulus.max(1)));
    let sum = Sum::of(parts, -rest);
    (2..1 << 20)
        .contains(&modulus)
        .then(|| Fact::new(None, Shape::Fixed(Formula::Multiple(sum, modulus))))
}

fn bounds(parts: &[(i64, usize)], values: &BTreeSet<i128>, guard: Option<&Formula>) -> Vec<Fact> {
    let (Some(&least), Some(&most)) = (values.first(), values.last()) else {
        return Vec::new();
    };
    let fact = |least, most| {
        let parts = parts.to_vec();
        Fact::new(guard.cloned(), Shape::Bounds { parts, least, most })
    };
    // One side may be lost without the other.
    if least == most {
        vec![
            fact(Some(least), None),
            fact(None, Some(most)),
            fact(Some(least), Some(most)),
        ]
    } else {
        vec![fact(Some(least), None), fact(None, Some(most))]
    }
}

/// The variable that an expression reads, whatever its width.
fn variable_of(point: &Point, function: &Function, expr: ExprId) -> Option<usize> {
    let site = match function.expr(expr).kind {
        ExprKind::Local(local) => {
            // At an entry and an exit, registers are parameters by their position.
            match point.kind {
                PointKind::Loop(_) => Site::Register(local),
                _ => {
                    let at = function.params.iter().position(|&p| p == local)?;
                    Site::Register(idiolect_ir::LocalId::new(at))
                }
            }
        }
        ExprKind::Load { address } => {
            let (base, offset) = fixed(function, address)?;
            let offset = u64::try_from(offset).ok()?;
            Site::Cell { base, offset }
        }
        ExprKind::Convert(
            ConvertOp::SignExtend | ConvertOp::ZeroExtend | ConvertOp::Truncate,
            inner,
        ) => return variable_of(point, function, inner),
        _ => return None,
    };
    point.variables.iter().position(|v| v.site == site)
}

fn variables_in(point: &Point, function: &Function, expr: ExprId, found: &mut BTreeSet<usize>) {
    if let Some(v) = variable_of(point, function, expr) {
        found.insert(v);
        return;
    }
    let kind = &function.expr(expr).kind;
    kind.for_each_operand(|e| variables_in(point, function, e, found));
}

/// Pairs of variables that occur in one statement or condition; all pairs if there are few variables.
fn related(program: &Program, point: &Point, looked_at: &[usize]) -> Vec<(usize, usize)> {
    let mut named = looked_at.to_vec();
    named.retain(|&v| point.variables[v].is_named);
    let mut pairs = BTreeSet::new();
    let function = program.function(point.function);
    let mut add = |found: &BTreeSet<usize>| {
        for &a in found {
            for &b in found {
                if a < b {
                    pairs.insert((a, b));
                }
            }
        }
    };
    for block in &function.blocks {
        for stmt in &block.stmts {
            let mut found = BTreeSet::new();
            stmt.kind
                .for_each_expr(|e| variables_in(point, function, e, &mut found));
            if let StmtKind::Assign {
                place: idiolect_ir::Place::Local(local),
                ..
            } = stmt.kind
            {
                let site = Site::Register(local);
                found.extend(point.variables.iter().position(|v| v.site == site));
            }
            add(&found);
        }
        if let Some(e) = block.terminator.kind.expr() {
            let mut found = BTreeSet::new();
            variables_in(point, function, e, &mut found);
            add(&found);
        }
    }
    let mut list: Vec<(usize, usize)> = pairs.into_iter().collect();
    list.retain(|(a, b)| looked_at.contains(a) && looked_at.contains(b));
    if named.len() <= 12 {
        for (i, &a) in named.iter().enumerate() {
            for &b in &named[i + 1..] {
                if !list.contains(&(a, b)) {
                    list.push((a, b));
                }
            }
        }
    }
    list
}

/// Conditions of the program that speak of variables of the point, each with its negation: comparisons
/// with constants.
fn conditions(program: &Program, point: &Point) -> Vec<Formula> {
    let function = program.function(point.function);
    let mut found = BTreeSet::new();
    for expr in &function.exprs {
        let ExprKind::Binary(op, a, b) = expr.kind else {
            continue;
        };
        let (variable, value, is_left) = match (
            variable_of(point, function, a),
            variable_of(point, function, b),
            constant(function, a),
            constant(function, b),
        ) {
            (Some(v), _, _, Some(c)) => (v, c, true),
            (_, Some(v), Some(c), _) => (v, c, false),
            _ => continue,
        };
        let at_most = |c: i128| Formula::AtMostZero(Sum::of(&[(1, variable)], -c));
        let formula = match (op, is_left) {
            (BinaryOp::SLt | BinaryOp::ULt, true) => at_most(value - 1),
            (BinaryOp::SLe | BinaryOp::ULe, true) => at_most(value),
            (BinaryOp::SLt | BinaryOp::ULt, false) => at_most(value),
            (BinaryOp::SLe | BinaryOp::ULe, false) => at_most(value - 1),
            (BinaryOp::Eq | BinaryOp::Ne, _) => Formula::Zero(Sum::of(&[(1, variable)], -value)),
            _ => continue,
        };
        found.insert(formula);
    }
    let mut list = Vec::new();
    for formula in found {
        list.push(formula.clone().negated());
        list.push(formula);
    }
    list
}

/// A point and the variables that facts speak of there.
struct View<'a> {
    program: &'a Program,
    point: &'a Point,
    looked_at: &'a [usize],
}

impl View<'_> {
    /// Facts that hold in some cases: for each value of a variable that has few, and on either side of the
    /// program's own comparisons.
    fn guarded(
        &self,
        states: &[Vec<i128>],
        values: &[BTreeSet<i128>],
        related: &[(usize, usize)],
    ) -> Vec<Fact> {
        let (program, point) = (self.program, self.point);
        let mut guards: Vec<(Formula, BTreeSet<usize>)> = Vec::new();
        for formula in conditions(program, point) {
            let mut own = BTreeSet::new();
            formula.for_each_variable(&mut |v| {
                own.insert(v);
            });
            guards.push((formula, own));
        }
        for &v in self.looked_at {
            let own = &values[v];
            if (2..=MAX_CASES).contains(&own.len()) {
                for &value in own {
                    let formula = Formula::Zero(Sum::of(&[(1, v)], -value));
                    if !guards.iter().any(|g| g.0 == formula) {
                        guards.push((formula, [v].into()));
                    }
                }
            }
        }
        guards.truncate(MAX_GUARDS.max(MAX_GUARDED / self.looked_at.len().max(1)));
        let mut facts = Vec::new();
        for (guard, own) in &guards {
            let chosen: Vec<Vec<i128>> =
                states.iter().filter(|s| guard.holds(s)).cloned().collect();
            if chosen.is_empty() {
                // Perhaps it is never so.
                let never = guard.clone().negated();
                facts.push(Fact::new(None, Shape::Fixed(never)));
                continue;
            }
            for &v in self.looked_at.iter().filter(|v| !own.contains(v)) {
                let here: BTreeSet<i128> = chosen.iter().map(|s| s[v]).collect();
                if here.len() < values[v].len() && here.len() <= MAX_CASES / 2 {
                    let shape = Shape::Values {
                        variable: v,
                        values: here.clone(),
                    };
                    facts.push(Fact::new(Some(guard.clone()), shape));
                }
                let is_narrower =
                    here.first() > values[v].first() || here.last() < values[v].last();
                if is_narrower {
                    facts.extend(bounds(&[(1, v)], &here, Some(guard)));
                }
            }
            if self.looked_at.len() <= 8 {
                for &(a, b) in related.iter().take(12) {
                    let parts = [(1, a), (-1, b)];
                    let sum = |s: &Vec<i128>| Sum::of(&parts, 0).value(s);
                    let all: BTreeSet<i128> = states.iter().map(sum).collect();
                    let here: BTreeSet<i128> = chosen.iter().map(sum).collect();
                    if here.first() > all.first() || here.last() < all.last() {
                        facts.extend(bounds(&parts, &here, Some(guard)));
                    }
                }
                facts.extend(self.affine(&chosen, Some(guard)));
            }
            if facts.len() > MAX_GUARDED {
                break;
            }
        }
        facts
    }

    /// Affine equations of the states, over the rational numbers and then modulo the width of the variables:
    /// those hold on when a sum wraps around.
    fn affine(&self, states: &[Vec<i128>], guard: Option<&Formula>) -> Vec<Fact> {
        let mut by_width: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for &v in self.looked_at {
            let variable = &self.point.variables[v];
            if variable.is_named {
                by_width.entry(variable.reading.width).or_default().push(v);
            }
        }
        let mut facts = Vec::new();
        for (width, mut own) in by_width {
            own.truncate(MAX_AFFINE);
            let is_small = |s: &&Vec<i128>| own.iter().all(|&v| s[v].abs() < LARGE);
            // What differs in other variables alone is one row.
            let rows: BTreeSet<Vec<i128>> = (states.iter().filter(is_small))
                .map(|s| own.iter().map(|&v| s[v]).chain([1]).collect())
                .collect();
            let rows = spread(rows.into_iter().collect());
            if rows.len() < 3 {
                continue;
            }
            for relation in kernel(rows, own.len() + 1) {
                let parts: Vec<(i64, usize)> = (own.iter().zip(&relation))
                    .filter(|(_, c)| **c != 0)
                    .filter_map(|(&v, &c)| Some((i64::try_from(c).ok()?, v)))
                    .collect();
                let is_plain = parts.iter().all(|p| p.0.abs() <= 1 << 16);
                if parts.is_empty() || !is_plain {
                    continue;
                }
                // What the guard says by itself.
                if parts.iter().all(|&(_, v)| fixes(guard, v)) {
                    continue;
                }
                let constant = relation.last().copied().unwrap_or(0);
                let wraps = Formula::Wraps(Sum::of(&parts, constant), width);
                facts.push(Fact::new(guard.cloned(), Shape::Fixed(wraps)));
            }
            facts.extend(exponential(&own, width, states, guard));
        }
        facts
    }
}

/// Rows that an equation is made from; if there are more, some from everywhere.
const MAX_ROWS: usize = 200;

fn spread(rows: Vec<Vec<i128>>) -> Vec<Vec<i128>> {
    let n = rows.len();
    let step = n.div_ceil(MAX_ROWS).max(1);
    rows.into_iter().step_by(step).collect()
}

/// Whether a condition says that this variable has one value.
fn fixes(guard: Option<&Formula>, variable: usize) -> bool {
    matches!(guard, Some(Formula::Zero(sum)) if sum.powers.is_empty()
        && matches!(sum.parts.as_slice(), [(1 | -1, v)] if *v == variable))
}

/// Variables that are looked at as exponents: their values, how many there are, and how many are taken.
const EXPONENTS: std::ops::RangeInclusive<i128> = 0..=40;
const MIN_EXPONENTS: usize = 4;
const MAX_POWERS: usize = 2;

/// Equations with powers of two, as recursion and loops that double have them.
fn exponential(
    own: &[usize],
    width: u32,
    states: &[Vec<i128>],
    guard: Option<&Formula>,
) -> Vec<Fact> {
    let is_small = |s: &&Vec<i128>| own.iter().all(|&v| s[v].abs() < LARGE);
    let states: Vec<&Vec<i128>> = states.iter().filter(is_small).collect();
    let values = |v: usize| -> BTreeSet<i128> { states.iter().map(|s| s[v]).collect() };
    // A variable that is always the same is a constant here.
    let own: Vec<usize> = own
        .iter()
        .copied()
        .filter(|&v| values(v).len() > 1)
        .collect();
    let is_exponent = |v: &usize| {
        let values = values(*v);
        values.len() >= MIN_EXPONENTS && values.iter().all(|x| EXPONENTS.contains(x))
    };
    let exponents: Vec<usize> = (own.iter().copied().filter(is_exponent))
        .take(MAX_POWERS)
        .collect();
    let n = own.len() + exponents.len() + 1;
    if exponents.is_empty() || own.len() > MAX_AFFINE - 2 {
        return Vec::new();
    }
    let row = |s: &&Vec<i128>| -> Vec<i128> {
        let plain = own.iter().map(|&v| s[v]);
        let powers = exponents.iter().map(|&v| power_of_two(s[v]));
        plain.chain(powers).chain([1]).collect()
    };
    let rows: BTreeSet<Vec<i128>> = states.iter().map(row).collect();
    if rows.len() < n {
        return Vec::new();
    }
    let mut facts = Vec::new();
    for relation in kernel(spread(rows.into_iter().collect()), n) {
        let part = |(&v, &c): (&usize, &i128)| {
            let c = i64::try_from(c).ok().filter(|c| c.abs() <= 1 << 16)?;
            Some((c, v))
        };
        let (plain, rest) = relation.split_at(own.len());
        let parts: Option<Vec<_>> = own.iter().zip(plain).map(part).collect();
        let powers: Option<Vec<_>> = exponents.iter().zip(rest).map(part).collect();
        let (Some(mut parts), Some(mut powers)) = (parts, powers) else {
            continue;
        };
        parts.retain(|p| p.0 != 0);
        powers.retain(|p| p.0 != 0);
        if parts.is_empty() || powers.is_empty() {
            continue;
        }
        let sum = Sum {
            parts,
            powers,
            constant: relation.last().copied().unwrap_or(0),
        };
        let wraps = Formula::Wraps(sum, width);
        facts.push(Fact::new(guard.cloned(), Shape::Fixed(wraps)));
    }
    facts
}

/// A basis of the vectors that are orthogonal to all rows, in integers without a common factor. Numbers
/// that become too large are given up.
fn kernel(mut rows: Vec<Vec<i128>>, n: usize) -> Vec<Vec<i128>> {
    let mut pivots: Vec<(usize, Vec<i128>)> = Vec::new();
    for row in &mut rows {
        for (column, pivot) in &pivots {
            if row[*column] != 0 && eliminate(row, pivot, *column).is_none() {
                return Vec::new();
            }
        }
        if let Some(column) = row.iter().position(|&x| x != 0) {
            reduce(row);
            let new = row.clone();
            for (_, other) in &mut pivots {
                if other[column] != 0 && eliminate(other, &new, column).is_none() {
                    return Vec::new();
                }
            }
            pivots.push((column, new));
            if pivots.len() == n {
                return Vec::new();
            }
        }
    }
    let is_pivot = |c: usize| pivots.iter().any(|p| p.0 == c);
    let mut found = Vec::new();
    for free in (0..n).filter(|&c| !is_pivot(c)) {
        // With this coordinate at `scale`, every pivot's coordinate is determined.
        let mut scale: i128 = 1;
        for (column, row) in &pivots {
            let own = row[*column].abs();
            let Some(all) = (scale / gcd(scale as u128, own as u128) as i128).checked_mul(own)
            else {
                return Vec::new();
            };
            if all > LARGE {
                return Vec::new();
            }
            scale = all;
        }
        let mut vector = vec![0; n];
        vector[free] = scale;
        for (column, row) in &pivots {
            let Some(product) = row[free].checked_mul(scale) else {
                return Vec::new();
            };
            vector[*column] = -(product / row[*column]);
        }
        reduce(&mut vector);
        found.push(vector);
    }
    found
}

fn reduce(row: &mut [i128]) {
    let all = row.iter().fold(0, |g, x| gcd(g, x.unsigned_abs()));
    if all > 1 {
        row.iter_mut().for_each(|x| *x /= all as i128);
    }
}

/// Takes so much of `pivot` away that the column is zero.
fn eliminate(row: &mut [i128], pivot: &[i128], column: usize) -> Option<()> {
    let (a, b) = (row[column], pivot[column]);
    for (x, y) in row.iter_mut().zip(pivot) {
        *x = x.checked_mul(b)?.checked_sub(y.checked_mul(a)?)?;
    }
    reduce(row);
    let is_small = row.iter().all(|x| x.abs() < 1 << 80);
    is_small.then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_has_what_all_rows_satisfy() {
        let rows: Vec<Vec<i128>> = (0..6).map(|i| vec![i, 3 * i + 2, i * i, 1]).collect();
        let found = kernel(rows.clone(), 4);
        assert_eq!(found.len(), 1);
        for row in &rows {
            let sum: i128 = row.iter().zip(&found[0]).map(|(a, b)| a * b).sum();
            assert_eq!(sum, 0);
        }
        assert!(found[0][2] == 0 && found[0][0].abs() == 3);
    }
}
