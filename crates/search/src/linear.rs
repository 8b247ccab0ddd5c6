//! Conditions that are linear in two variables at a time, decided over the integers.
//!
//! The path of a program such as Euclid's by subtraction is a long list of comparisons of sums of two
//! inputs: `a - 3b > 2b - a`, `a - 5b == 0`. For a SAT solver that is a system of equations modulo
//! 2^32 and takes thousands of conflicts; for geometry it is a polygon that is cut a few dozen times.
//!
//! A bit vector is an integer modulo 2^w. While the region of values that are left is known, so are
//! the bounds of every sum, and with them how often it wraps round: mostly never, otherwise the cases
//! are told apart. Nothing is believed that was not proved (no case is left) or evaluated.

use crate::plane::{Form, NoPoint, Region};
use crate::ranges::RangeAnswer;
use crate::sums::{Cases, MAX_CASES, Reader, SumComparison, SumRelation, WrappedSum};
use idiolect_smt::{BinaryOp, Model, Node, TermId, Terms, VarId};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Cuts for one question.
const MAX_CUTS: u32 = 4_000;

/// One or two variables, and what is said of them.
struct Problem {
    variables: [Option<VarId>; 2],
    conditions: Vec<Cases>,
    cuts_left: u32,
}

/// What became of a problem.
enum Solved {
    Point(i128, i128),
    Never,
    Unknown,
}

/// The least number that bits can mean.
fn least(is_signed: bool, modulus: i128) -> i128 {
    if is_signed { -(modulus / 2) } else { 0 }
}

impl Problem {
    fn form(&self, sum: &WrappedSum) -> Option<Form> {
        let mut form = Form::constant(sum.constant);
        for (&v, &k) in &sum.parts {
            match self.variables {
                [Some(x), _] if x == v => form.a = k,
                [_, Some(y)] if y == v => form.b = k,
                _ => return None,
            }
        }
        Some(form)
    }

    /// What is left of the region where the comparison holds, as parts that have no point in common.
    /// `None` if that takes too many of them, or numbers that are too large.
    fn apply(&mut self, region: &Region, c: &SumComparison) -> Option<Vec<Region>> {
        let (left, right) = (self.form(&c.left)?, self.form(&c.right)?);
        let modulus = 1i128 << c.width;
        let mut parts = Vec::new();
        // How often a sum wraps round so that it lies between `low` and `low + 2^w - 1`.
        let wraps = |form: Form, low: i128| {
            let (least, most) = region.bounds(form)?;
            let first = (least - low).div_euclid(modulus);
            let last = (most - low).div_euclid(modulus);
            (last - first < MAX_CASES as i128).then_some(first..=last)
        };
        match c.relation {
            SumRelation::Equal => {
                let difference = left.minus(right)?;
                for n in wraps(difference, 0)? {
                    self.count()?;
                    parts.push(region.on(difference.minus(Form::constant(n * modulus))?)?);
                }
            }
            SumRelation::Different => {
                let difference = left.minus(right)?;
                for n in wraps(difference, 0)? {
                    self.count()?;
                    let above = difference.minus(Form::constant(n * modulus + 1))?;
                    let below = Form::constant((n + 1) * modulus - 1).minus(difference)?;
                    parts.push(region.cut(above)?.cut(below)?);
                }
            }
            SumRelation::Less {
                is_signed,
                is_strict,
            } => {
                let low = least(is_signed, modulus);
                let (left_wraps, right_wraps) = (wraps(left, low)?, wraps(right, low)?);
                for n in left_wraps.clone() {
                    for m in right_wraps.clone() {
                        self.count()?;
                        let mut part = region.clone();
                        let mut ends = Vec::with_capacity(2);
                        for (form, n, wraps) in [(left, n, &left_wraps), (right, m, &right_wraps)] {
                            let value = form.minus(Form::constant(n * modulus))?;
                            if wraps.start() != wraps.end() {
                                part = part.cut(value.minus(Form::constant(low))?)?;
                                let top = Form::constant(low + modulus - 1);
                                part = part.cut(top.minus(value)?)?;
                            }
                            ends.push(value);
                        }
                        let gap = Form::constant(i128::from(is_strict));
                        parts.push(part.cut(ends[1].minus(ends[0])?.minus(gap)?)?);
                    }
                }
            }
        }
        parts.retain(|part| *part != Region::Empty);
        (parts.len() <= MAX_CASES).then_some(parts)
    }

    fn count(&mut self) -> Option<()> {
        self.cuts_left = self.cuts_left.checked_sub(1)?;
        Some(())
    }

    /// The parts of the region where the condition holds. They may overlap if it has several cases.
    fn parts(&mut self, region: &Region, cases: &Cases) -> Option<Vec<Region>> {
        let mut all = Vec::new();
        for case in cases {
            let mut parts = vec![region.clone()];
            for comparison in case {
                let mut next = Vec::new();
                for part in &parts {
                    next.extend(self.apply(part, comparison)?);
                }
                parts = next;
            }
            all.extend(parts);
            if all.len() > MAX_CASES {
                return None;
            }
        }
        Some(all)
    }

    fn holds_at(&self, point: (i128, i128), cases: &Cases) -> Option<bool> {
        let mut any = false;
        for case in cases {
            let mut all = true;
            for c in case {
                let left = self.form(&c.left)?.at(point.0, point.1)?;
                let right = self.form(&c.right)?.at(point.0, point.1)?;
                let modulus = 1i128 << c.width;
                let read = |n: i128, low: i128| (n - low).rem_euclid(modulus) + low;
                all &= match c.relation {
                    SumRelation::Equal => read(left - right, 0) == 0,
                    SumRelation::Different => read(left - right, 0) != 0,
                    SumRelation::Less {
                        is_signed,
                        is_strict,
                    } => {
                        let low = least(is_signed, modulus);
                        read(left, low) + i128::from(is_strict) <= read(right, low)
                    }
                };
            }
            any |= all;
        }
        Some(any)
    }

    fn solve(&mut self, mut region: Region, mut open: Vec<usize>) -> Solved {
        loop {
            let mut is_new = false;
            let mut rest = Vec::new();
            let mut least: Option<(usize, Vec<Region>)> = None;
            for &i in &open {
                let cases = std::mem::take(&mut self.conditions[i]);
                let parts = self.parts(&region, &cases);
                self.conditions[i] = cases;
                match parts {
                    None => rest.push(i),
                    Some(parts) => match parts.as_slice() {
                        [] => return Solved::Never,
                        [part] => {
                            is_new |= *part != region;
                            region = part.clone();
                        }
                        // It holds everywhere.
                        _ if parts.contains(&region) => {}
                        _ => {
                            rest.push(i);
                            if least.as_ref().is_none_or(|(_, l)| parts.len() < l.len()) {
                                least = Some((i, parts));
                            }
                        }
                    },
                }
            }
            open = rest;
            if is_new && !open.is_empty() {
                continue;
            }
            // Perhaps a point of the region does it, whatever the cases.
            match region.point() {
                Some(Err(NoPoint)) => return Solved::Never,
                Some(Ok(point)) => {
                    let all = (open.iter())
                        .all(|&i| self.holds_at(point, &self.conditions[i]) == Some(true));
                    if all {
                        return Solved::Point(point.0, point.1);
                    }
                }
                None if open.is_empty() => return Solved::Unknown,
                None => {}
            }
            let Some((which, parts)) = least else {
                return Solved::Unknown;
            };
            open.retain(|&i| i != which);
            let mut is_known = true;
            for part in parts {
                match self.solve(part, open.clone()) {
                    Solved::Never => {}
                    Solved::Unknown => is_known = false,
                    point => return point,
                }
                if self.cuts_left == 0 {
                    return Solved::Unknown;
                }
            }
            return if is_known {
                Solved::Never
            } else {
                Solved::Unknown
            };
        }
    }
}

/// Which variables are spoken of together.
struct Groups(BTreeMap<VarId, VarId>);

impl Groups {
    fn find(&mut self, v: VarId) -> VarId {
        let mut at = v;
        while let Some(&up) = self.0.get(&at)
            && up != at
        {
            at = up;
        }
        self.0.insert(v, at);
        at
    }

    fn join(&mut self, v: VarId, w: VarId) {
        let (v, w) = (self.find(v), self.find(w));
        self.0.insert(v.max(w), v.min(w));
    }
}

/// Decides whether the conditions can hold together, if they are about one or two variables at a
/// time, or if those of them that are contradict each other.
pub fn decide(terms: &Terms, conditions: &[TermId]) -> RangeAnswer {
    let mut reader = Reader::new(terms);
    let mut todo: Vec<TermId> = conditions.iter().rev().copied().collect();
    let mut done = FxHashSet::default();
    let mut all: Vec<Cases> = Vec::new();
    while let Some(term) = todo.pop() {
        if !done.insert(term) {
            continue;
        }
        if let Node::Binary(BinaryOp::And, a, b) = terms.node(term) {
            todo.extend([b, a]);
            continue;
        }
        match reader.cases(term, true, 40) {
            Some(cases) if cases.is_empty() => return RangeAnswer::Never,
            Some(cases) => all.push(cases),
            // It takes more than this, but the others may contradict each other.
            None => {}
        }
    }
    let mut groups = Groups(BTreeMap::new());
    for cases in &all {
        let mut names = variables_of(cases);
        if let Some(first) = names.next() {
            groups.find(first);
            names.for_each(|v| groups.join(first, v));
        }
    }
    let mut members: BTreeMap<VarId, Vec<VarId>> = BTreeMap::new();
    let names: Vec<VarId> = groups.0.keys().copied().collect();
    for v in names {
        members.entry(groups.find(v)).or_default().push(v);
    }
    let mut conditions_of: BTreeMap<VarId, Vec<Cases>> = BTreeMap::new();
    for cases in all {
        // Constants have been compared by the pool of terms already.
        let first = variables_of(&cases).next();
        if let Some(v) = first {
            conditions_of.entry(groups.find(v)).or_default().push(cases);
        }
    }
    let mut model = Model::new();
    for (first, conditions) in conditions_of {
        let members = &members[&first];
        let Some(region) = region_of(terms, members, &reader.votes) else {
            continue;
        };
        let open = (0..conditions.len()).collect();
        let mut problem = Problem {
            variables: [members.first().copied(), members.get(1).copied()],
            conditions,
            cuts_left: MAX_CUTS,
        };
        match problem.solve(region, open) {
            Solved::Never => return RangeAnswer::Never,
            Solved::Unknown => {}
            Solved::Point(x, y) => {
                for (&v, value) in members.iter().zip([x, y]) {
                    let width = terms.width(terms.variable_term(v));
                    model.set(v, value as u128 & idiolect_smt::mask(width));
                }
            }
        }
    }
    // Nothing is believed before it has been evaluated.
    if conditions.iter().all(|&c| model.eval_bool(terms, c)) {
        RangeAnswer::Holds(model)
    } else {
        RangeAnswer::Unknown
    }
}

fn variables_of(cases: &Cases) -> impl Iterator<Item = VarId> {
    (cases.iter().flatten())
        .flat_map(|c| c.left.parts.keys().chain(c.right.parts.keys()))
        .copied()
}

/// All values of one or two variables.
fn region_of(
    terms: &Terms,
    members: &[VarId],
    votes: &BTreeMap<VarId, [u32; 2]>,
) -> Option<Region> {
    let values = |v: VarId| {
        let width = terms.width(terms.variable_term(v));
        let [signed, unsigned] = votes.get(&v).copied().unwrap_or_default();
        if unsigned > signed {
            (0, (1i128 << width) - 1)
        } else {
            (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)
        }
    };
    match *members {
        [x] => {
            let (low, high) = values(x);
            Some(Region::interval(low, high))
        }
        [x, y] => Region::rectangle(values(x), values(y)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::all_values;
    use idiolect_base::Rng;

    #[test]
    fn answers_are_those_of_trying_all_values() {
        let sides = |t: &mut Terms, rng: &mut Rng, vars: [TermId; 2], _| {
            let mut side = || {
                let mut side = t.bv(u128::from(rng.below(16)), 4);
                for v in vars {
                    for _ in 0..rng.below(3) {
                        side = if rng.chance(1, 2) {
                            t.add(side, v)
                        } else {
                            t.sub(side, v)
                        };
                    }
                }
                side
            };
            (side(), side())
        };
        let found = all_values::compare(2_000, sides, decide);
        assert!(found.never > 200 && found.holds > 900, "{found:?}");
        assert!(found.unknown < 800, "{found:?}");
    }

    /// Euclid's algorithm by subtraction on the inputs of a random run, and the same with its last
    /// decision turned round, which the arithmetic of the run decides.
    #[test]
    fn long_paths_of_subtractions_are_decided() {
        for seed in 0..40 {
            let mut rng = Rng::new(seed, 1);
            let (mut m, mut n) = (1 + rng.below(5_000), 1 + rng.below(5_000));
            let mut t = Terms::new();
            let vars = [t.bv_var("x", 32), t.bv_var("y", 32)];
            let (mut a, mut b) = (vars[0], vars[1]);
            let zero = t.bv(0, 32);
            let mut all = t.tt();
            for v in vars {
                let positive = t.slt(zero, v);
                all = t.and(all, positive);
            }
            let mut steps = 0;
            while m != n && steps < 80 {
                steps += 1;
                let same = t.eq(a, b);
                let different = t.not(same);
                all = t.and(all, different);
                let greater = t.slt(b, a);
                if m > n {
                    all = t.and(all, greater);
                    (a, m) = (t.sub(a, b), m - n);
                } else {
                    let not = t.not(greater);
                    all = t.and(all, not);
                    (b, n) = (t.sub(b, a), n - m);
                }
            }
            assert!(
                matches!(decide(&t, &[all]), RangeAnswer::Holds(_)),
                "seed {seed}"
            );
            let same = t.eq(a, b);
            assert!(
                matches!(decide(&t, &[all, same]), RangeAnswer::Holds(_)),
                "seed {seed}"
            );
            let lost = t.sle(a, zero);
            assert_eq!(decide(&t, &[all, lost]), RangeAnswer::Never, "seed {seed}");
        }
    }
}
