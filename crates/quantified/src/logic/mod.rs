//! From elastic automata to formulas (QDA §6), written for people.
//!
//! The seed writes one implication for each simple path of the automaton, and "otherwise false".
//! Here each comparison gets the widest guards under which all paths promise it, so that equal and
//! subsumed paths merge by themselves: a path is a placement of variables, a guard a conjunction of
//! order constraints that covers some placements and excludes those where the comparison is not
//! promised. What holds of fewer quantified cells is said of those alone.

mod apf;
pub mod cover;
pub mod path;
mod shape;
mod trivial;

use crate::automaton::Qda;
use crate::formula::{
    Comparison, Conclusion, Conjunct, Constraint, DataTerm, ForAll, Formula, Orders, Relation, Term,
};
use crate::point::{ArraySize, Point, Role, Structure};
use crate::samples::Letter;
use crate::teacher::Valued;
use crate::vocabulary::{ComparedPair, DataFormula, Vocabulary};
use cover::{Bits, Table};
use path::PlacementPath;
use rustc_hash::FxHashMap;

/// More paths than this are not translated.
const MAX_PATHS: usize = 20_000;

/// What was learned with one number of quantified variables.
pub struct Level<'a> {
    pub vocabulary: &'a Vocabulary,
    /// Elastic.
    pub qda: &'a Qda,
}

/// An automaton has too many paths to be written as a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the automaton for {n_quantified} quantified variables has more than {MAX_PATHS} paths")]
pub struct TooManyPaths {
    pub n_quantified: usize,
}

/// The formula of what was learned with 0, 1, … quantified variables.
///
/// All words of at most `n_cells` cells that occur are known.
pub fn translate(
    point: &Point,
    levels: &[Level<'_>],
    n_cells: usize,
) -> Result<Formula, TooManyPaths> {
    let mut all: Vec<Vec<PlacementPath>> = Vec::new();
    for level in levels {
        let paths = level.qda.paths(MAX_PATHS).ok_or(TooManyPaths {
            n_quantified: level.vocabulary.n_quantified,
        })?;
        all.push(
            paths
                .iter()
                .map(|p| PlacementPath::of(point, level.qda, p))
                .collect(),
        );
    }
    let mut formula = Formula::default();
    if let Some(paths) = all.first() {
        formula.conjuncts.extend(shape::arrangements(point, paths));
    }
    for (k, level) in levels.iter().enumerate() {
        let translator = Translator {
            point,
            level,
            lower: &levels[..k],
            all: &all,
            n_cells,
        };
        formula.conjuncts.extend(translator.conjuncts());
    }
    apf::weaken(point, &mut formula);
    trivial::drop_trivial(point, &mut formula);
    Ok(formula)
}

struct Translator<'a> {
    point: &'a Point,
    level: &'a Level<'a>,
    lower: &'a [Level<'a>],
    /// The paths of each level up to this one, and beyond.
    all: &'a [Vec<PlacementPath>],
    n_cells: usize,
}

impl Translator<'_> {
    fn k(&self) -> usize {
        self.level.vocabulary.n_quantified
    }

    fn conjuncts(&self) -> Vec<Conjunct> {
        let mut paths = self.all[self.k()].clone();
        let n_present = paths.len();
        paths.extend(self.missing());
        let table = Table::new(self.atoms(), &paths);
        let present: Vec<usize> = (0..n_present).collect();
        let absent: Vec<usize> = (n_present..paths.len()).collect();
        // By guard, with what it promises.
        let mut found: Vec<(ForAll, usize)> = Vec::new();
        let anchors = |p: usize| self.anchors(&table, &paths[p]);
        for guard in table.cover(&absent, &[], &present, anchors) {
            let example = &paths[guard.covered[0]];
            let all = self.for_all(&table, &guard.bits, example, Conclusion::False);
            found.push((all, guard.covered.len()));
        }
        let facts = self.facts();
        for (i, pair) in self.level.vocabulary.pairs.iter().enumerate() {
            // Of numbers, first what holds in any placement.
            let always = match self.k() {
                0 => facts[i],
                _ => Orders::ANY,
            };
            if always != Orders::ANY {
                let comparison = Comparison {
                    left: pair.left,
                    orders: always,
                    right: pair.right,
                };
                let all = ForAll {
                    over: Vec::new(),
                    guard: Vec::new(),
                    conclusion: Conclusion::All(vec![comparison]),
                };
                found.push((all, n_present));
            }
            // What has been promised of each path so far.
            let mut promised: Vec<Orders> = (paths[..n_present].iter())
                .map(|p| {
                    self.promised_below(p, i)
                        .meet(self.placed(p, pair))
                        .meet(always)
                })
                .collect();
            let of = |p: usize| match paths[p].formula {
                Some(formula) => formula.orders(i),
                None => Orders::NONE,
            };
            let literals = [
                Orders::AT_MOST,
                Orders::AT_LEAST,
                Orders::UNEQUAL,
                Orders::EQUAL,
                Orders::LESS,
                Orders::GREATER,
            ];
            for orders in literals {
                // Paths about cells of other structures have no orders for this pair.
                let concerned = |p: &usize| of(*p) != Orders::NONE;
                let (holds, fails): (Vec<usize>, Vec<usize>) = (present.iter().copied())
                    .filter(concerned)
                    .partition(|&p| of(p).implies(orders));
                let fails: Vec<usize> = (fails.into_iter())
                    .chain(present.iter().copied().filter(|p| !concerned(p)))
                    .collect();
                let wanted: Vec<usize> = (holds.iter().copied())
                    .filter(|&p| !promised[p].implies(orders))
                    .collect();
                for guard in table.cover(&wanted, &holds, &fails, anchors) {
                    for &p in guard.covered.iter().filter(|&&p| p < n_present) {
                        promised[p] = promised[p].meet(orders);
                    }
                    let conclusion = Conclusion::All(vec![Comparison {
                        left: pair.left,
                        orders,
                        right: pair.right,
                    }]);
                    let example = &paths[guard.covered[0]];
                    let all = self.for_all(&table, &guard.bits, example, conclusion);
                    found.push((all, guard.covered.len()));
                }
            }
        }
        merge(found)
    }

    /// Constraints for guards, those that are dropped first in front.
    fn atoms(&self) -> Vec<Constraint> {
        let point = self.point;
        let mut variables: Vec<(Term, usize, bool)> = Vec::new();
        for (v, variable) in point
            .variables
            .iter()
            .enumerate()
            .take(Letter::MAX_VARIABLES)
        {
            match variable.role {
                Role::Pointer { structure } => {
                    variables.push((Term::Variable(v), structure, true));
                }
                Role::Index { structure } => variables.push((Term::Variable(v), structure, false)),
                _ => {}
            }
        }
        let ys: Vec<Term> = (0..self.k()).map(Term::Quantified).collect();
        let mut groups: [Vec<Constraint>; 5] = Default::default();
        let mut add = |group: usize, left: Term, relation: Relation, right: Term| {
            groups[group].push(Constraint {
                left,
                relation,
                right,
            });
        };
        use Relation::*;
        for (i, &(v, s, is_list)) in variables.iter().enumerate() {
            if is_list {
                add(1, v, Same, Term::Nil);
                add(1, v, ReachesStrictly, Term::Nil);
            } else {
                add(0, v, Less, Term::Zero);
                add(0, Term::Zero, AtMost, v);
                add(0, v, Less, Term::Size(s));
                add(0, Term::Size(s), AtMost, v);
            }
            for &(w, t, _) in &variables[i + 1..] {
                if s != t {
                    continue;
                }
                add(0, v, Same, w);
                for (a, b) in [(v, w), (w, v)] {
                    let (weak, strict) = relations(is_list);
                    add(0, a, strict, b);
                    add(0, a, weak, b);
                }
                if is_list {
                    add(0, v, Apart, w);
                }
            }
            for &y in &ys {
                add(2, y, Same, v);
                for (a, b) in [(v, y), (y, v)] {
                    let (weak, strict) = relations(is_list);
                    add(3, a, strict, b);
                    add(4, a, weak, b);
                }
            }
        }
        for (i, &y) in ys.iter().enumerate() {
            for &z in &ys[i + 1..] {
                for s in self.point.structures.iter().map(|s| s.is_list()) {
                    let (_, strict) = relations(s);
                    add(4, y, strict, z);
                }
            }
        }
        let mut atoms: Vec<Constraint> = Vec::new();
        for atom in groups.concat() {
            if !atoms.contains(&atom) {
                atoms.push(atom);
            }
        }
        atoms
    }

    /// Constraints that a guard has to keep so that quantified variables are read in this order,
    /// in alternatives: where the first one starts from.
    fn anchors(&self, table: &Table, path: &PlacementPath) -> Vec<Bits> {
        let mut kept = Bits::none(table.atoms.len());
        let find = |c: Constraint| table.atoms.iter().position(|&a| a == c);
        let k = self.k();
        for y in 1..k {
            if path.chain_of(y - 1) == path.chain_of(y) {
                let is_list = self.point.structures[path.structure(y)].is_list();
                let order = Constraint {
                    left: Term::Quantified(y - 1),
                    relation: relations(is_list).1,
                    right: Term::Quantified(y),
                };
                if let Some(i) = find(order) {
                    kept.set(i);
                }
            }
        }
        let mut alternatives = vec![kept];
        for y in 0..k {
            let follows = y > 0 && path.chain_of(y - 1) == path.chain_of(y);
            if follows || !self.point.structures[path.structure(y)].is_list() {
                continue;
            }
            let reaching: Vec<usize> = (self.point.pointers())
                .filter_map(|v| {
                    find(Constraint {
                        left: Term::Variable(v),
                        relation: Relation::Reaches,
                        right: Term::Quantified(y),
                    })
                })
                .filter(|&i| path.truth(table.atoms[i]).must)
                .collect();
            alternatives = (alternatives.iter())
                .flat_map(|bits| {
                    reaching.iter().map(|&i| {
                        let mut more = bits.clone();
                        more.set(i);
                        more
                    })
                })
                .collect();
        }
        alternatives
    }

    /// What the levels below promise of a path for a pair that does not speak of all of its
    /// quantified variables.
    fn promised_below(&self, path: &PlacementPath, pair: usize) -> Orders {
        let pair = self.level.vocabulary.pairs[pair];
        let mut used: Vec<usize> = [pair.left, pair.right]
            .into_iter()
            .filter_map(|t| match t {
                DataTerm::At {
                    cell: Term::Quantified(y),
                    ..
                } => Some(y),
                _ => None,
            })
            .collect();
        used.sort_unstable();
        used.dedup();
        if used.len() == self.k() {
            return Orders::ANY;
        }
        let Some(lower) = self.lower.get(used.len()) else {
            return Orders::ANY;
        };
        let word: Vec<Valued> = (path.letters.iter())
            .map(|l| Valued {
                letter: l.letter,
                quantified: l.quantified.and_then(|y| used.iter().position(|&u| u == y)),
            })
            .filter(|l| *l != Valued::BLANK)
            .collect();
        let rename = |term: DataTerm| match term {
            DataTerm::At {
                structure,
                cell: Term::Quantified(y),
                field,
            } => DataTerm::At {
                structure,
                cell: Term::Quantified(used.iter().position(|&u| u == y).unwrap_or(y)),
                field,
            },
            other => other,
        };
        let (left, right) = (rename(pair.left), rename(pair.right));
        let position =
            (lower.vocabulary.pairs.iter()).position(|p| p.left == left && p.right == right);
        match (position, formula_along(lower.qda, &word)) {
            (Some(i), Some(formula)) => formula.orders(i),
            _ => Orders::ANY,
        }
    }

    /// For each pair of numbers how they are ordered in all placements of the program's variables.
    fn facts(&self) -> Vec<Orders> {
        let numbers = self.lower.first().unwrap_or(self.level);
        let join = |i: usize| {
            let orders = self.all[0].iter().filter_map(|p| p.formula);
            (orders.map(|f| f.orders(i))).fold(Orders::NONE, Orders::join)
        };
        (0..numbers.vocabulary.pairs.len()).map(join).collect()
    }

    /// How two numbers of the program are ordered in all placements.
    fn fact(&self, left: DataTerm, right: DataTerm) -> Orders {
        let numbers = self.lower.first().unwrap_or(self.level);
        let facts = self.facts();
        let find = |a: DataTerm, b: DataTerm| {
            let pairs = &numbers.vocabulary.pairs;
            pairs.iter().position(|p| p.left == a && p.right == b)
        };
        match (find(left, right), find(right, left)) {
            (Some(i), _) => facts[i],
            (_, Some(i)) => facts[i].flipped(),
            _ => Orders::ANY,
        }
    }

    /// What the placement of indices says of a pair of numbers already.
    fn placed(&self, path: &PlacementPath, pair: &ComparedPair) -> Orders {
        let term = |t: DataTerm| match t {
            DataTerm::Variable(v) => match self.point.variables[v].role {
                Role::Index { .. } => Some(Term::Variable(v)),
                Role::Length { structure } => Some(Term::Size(structure)),
                _ => None,
            },
            DataTerm::Constant(0) => Some(Term::Zero),
            _ => None,
        };
        match (term(pair.left), term(pair.right)) {
            (Some(left), Some(right)) => match path.orders(left, right) {
                Orders::NONE => Orders::ANY,
                orders => orders,
            },
            _ => Orders::ANY,
        }
    }

    /// Placements of quantified variables that the arrangements of the program's variables allow,
    /// but that the automaton does not know.
    fn missing(&self) -> Vec<PlacementPath> {
        let k = self.k();
        if k == 0 {
            return Vec::new();
        }
        let mut missing = Vec::new();
        for path in &self.all[0] {
            let mut placed = Vec::new();
            place(path, k, 0, &mut Vec::new(), &mut Vec::new(), 0, &mut placed);
            for (letters, gaps) in placed {
                // Of structures that were too large to be seen nothing is known.
                let n_cells = letters.iter().filter(|l| l.letter.is_cell()).count();
                if n_cells > self.n_cells || formula_along(self.level.qda, &letters).is_some() {
                    continue;
                }
                // What fewer variables exclude need not be excluded again.
                let below = (0..k).any(|y| {
                    let fewer: Vec<Valued> = letters
                        .iter()
                        .map(|l| Valued {
                            letter: l.letter,
                            quantified: match l.quantified {
                                Some(z) if z == y => None,
                                Some(z) if z > y => Some(z - 1),
                                same => same,
                            },
                        })
                        .filter(|l| *l != Valued::BLANK)
                        .collect();
                    formula_along(self.lower[k - 1].qda, &fewer).is_none()
                });
                if !below {
                    missing.push(PlacementPath::new(self.point, letters, gaps, None));
                }
            }
        }
        missing
    }

    /// A guard as a quantified formula, with bounds where it has none, and with quantified
    /// variables that are variables of the program replaced by those.
    fn for_all(
        &self,
        table: &Table,
        bits: &Bits,
        example: &PlacementPath,
        conclusion: Conclusion,
    ) -> ForAll {
        let mut all = ForAll {
            over: (0..self.k()).map(|y| example.structure(y)).collect(),
            guard: table.constraints(bits),
            conclusion,
        };
        equate(&mut all.guard);
        relax(&mut all);
        self.bound(&mut all);
        self.name(&mut all);
        sort_guard(&mut all.guard);
        all
    }

    /// Gives positions in arrays their bounds, unless the guard has better ones.
    fn bound(&self, all: &mut ForAll) {
        let strictness = |c: &Constraint| match c.relation {
            Relation::Less => Some(true),
            Relation::AtMost | Relation::Same => Some(false),
            _ => None,
        };
        let mut extra = Vec::new();
        for (y, &structure) in all.over.iter().enumerate() {
            let Structure::Array(group) = &self.point.structures[structure] else {
                continue;
            };
            let y = Term::Quantified(y);
            let size = match group.size {
                ArraySize::Variable(v) => DataTerm::Variable(v),
                ArraySize::Constant(n) => DataTerm::Constant(n as i64),
            };
            // Another quantified variable passes its bound on; one of the program's variables does
            // if it is always in range itself.
            let below = all.guard.iter().any(|c| match (c.left, strictness(c)) {
                (Term::Quantified(_), Some(_)) => c.right == y,
                (Term::Variable(v), Some(strict)) if c.right == y => {
                    let needed = if strict {
                        Orders::ANY
                    } else {
                        Orders::AT_LEAST
                    };
                    let fact = self.fact(DataTerm::Variable(v), DataTerm::Constant(0));
                    fact.implies(needed.meet(Orders::AT_LEAST))
                }
                _ => false,
            });
            let above = all.guard.iter().any(|c| match (c.right, strictness(c)) {
                (Term::Quantified(_), Some(_)) => c.left == y,
                (Term::Variable(v), Some(strict)) if c.left == y => {
                    let needed = if strict {
                        Orders::AT_MOST
                    } else {
                        Orders::LESS
                    };
                    self.fact(DataTerm::Variable(v), size).implies(needed)
                }
                _ => false,
            });
            let same = |c: &Constraint| c.relation == Relation::Same && c.left == y;
            let is_named = all.guard.iter().any(same);
            if !below && !is_named {
                extra.push((Term::Zero, Relation::AtMost, y));
            }
            if !above && !is_named {
                extra.push((y, Relation::Less, Term::Size(structure)));
            }
        }
        all.guard
            .extend(extra.into_iter().map(|(left, relation, right)| Constraint {
                left,
                relation,
                right,
            }));
    }

    /// Replaces a quantified variable that is a variable of the program by that one, which is then
    /// said to be a cell.
    fn name(&self, all: &mut ForAll) {
        while let Some((y, v)) = all.guard.iter().find_map(|c| match (c.left, c.right) {
            (Term::Quantified(y), Term::Variable(v)) if c.relation == Relation::Same => {
                Some((y, v))
            }
            _ => None,
        }) {
            let structure = all.over.remove(y);
            let rename = |t: Term| match t {
                Term::Quantified(z) if z == y => Term::Variable(v),
                Term::Quantified(z) if z > y => Term::Quantified(z - 1),
                other => other,
            };
            for c in &mut all.guard {
                (c.left, c.right) = (rename(c.left), rename(c.right));
            }
            all.guard.retain(|c| c.left != c.right);
            if let Conclusion::All(list) = &mut all.conclusion {
                for term in list.iter_mut().flat_map(|c| [&mut c.left, &mut c.right]) {
                    if let DataTerm::At { cell, .. } = term {
                        *cell = rename(*cell);
                    }
                }
            }
            let v = Term::Variable(v);
            let mut is_cell = if self.point.structures[structure].is_list() {
                vec![(v, Relation::ReachesStrictly, Term::Nil)]
            } else {
                vec![
                    (Term::Zero, Relation::AtMost, v),
                    (v, Relation::Less, Term::Size(structure)),
                ]
            };
            // On all paths anyway?
            is_cell.retain(|&(left, relation, right)| {
                let c = Constraint {
                    left,
                    relation,
                    right,
                };
                !all.guard.contains(&c) && !self.all[0].iter().all(|p| p.truth(c).must)
            });
            all.guard.extend(
                is_cell
                    .into_iter()
                    .map(|(left, relation, right)| Constraint {
                        left,
                        relation,
                        right,
                    }),
            );
        }
    }
}

fn relations(is_list: bool) -> (Relation, Relation) {
    if is_list {
        (Relation::Reaches, Relation::ReachesStrictly)
    } else {
        (Relation::AtMost, Relation::Less)
    }
}

/// The formula of a word of non-blank letters.
fn formula_along(qda: &Qda, letters: &[Valued]) -> Option<DataFormula> {
    qda.formula(letters)
}

/// Ways to put `left` more quantified variables behind position `at` of a path.
fn place(
    path: &PlacementPath,
    left: usize,
    at: usize,
    letters: &mut Vec<Valued>,
    gaps: &mut Vec<bool>,
    next: usize,
    found: &mut Vec<(Vec<Valued>, Vec<bool>)>,
) {
    // In the gap before this letter.
    if left > 0 && path.gaps[at] {
        letters.push(Valued {
            letter: Letter::BLANK,
            quantified: Some(next),
        });
        gaps.push(true);
        place(path, left - 1, at, letters, gaps, next + 1, found);
        letters.pop();
        gaps.pop();
    }
    let Some(&letter) = path.letters.get(at) else {
        if left == 0 {
            let mut all = gaps.clone();
            all.push(path.gaps[at]);
            found.push((letters.clone(), all));
        }
        return;
    };
    gaps.push(path.gaps[at]);
    letters.push(letter);
    place(path, left, at + 1, letters, gaps, next, found);
    if left > 0 && letter.letter.is_cell() {
        if let Some(last) = letters.last_mut() {
            last.quantified = Some(next);
        }
        place(path, left - 1, at + 1, letters, gaps, next + 1, found);
    }
    letters.pop();
    gaps.pop();
}

/// Where two cells being the same makes the conclusion true, they need not be different: `→+`
/// becomes `→*` and `<` becomes `≤`, which reads better and is what the array property fragment has.
fn relax(all: &mut ForAll) {
    drop_implied_order(&mut all.guard);
    let Conclusion::All(list) = &all.conclusion else {
        return;
    };
    let harmless = |a: usize, b: usize| {
        list.iter().all(|c| match (c.left, c.right) {
            (
                DataTerm::At {
                    cell: Term::Quantified(y),
                    field,
                    ..
                },
                DataTerm::At {
                    cell: Term::Quantified(z),
                    field: g,
                    ..
                },
            ) => {
                field == g
                    && c.orders.meet(Orders::EQUAL) == Orders::EQUAL
                    && (y.min(z), y.max(z)) == (a.min(b), a.max(b))
            }
            _ => false,
        })
    };
    for c in &mut all.guard {
        if let (Term::Quantified(a), Term::Quantified(b)) = (c.left, c.right)
            && harmless(a, b)
        {
            c.relation = match c.relation {
                Relation::ReachesStrictly => Relation::Reaches,
                Relation::Less => Relation::AtMost,
                other => other,
            };
        }
    }
}

/// `v ≤ y ≤ v` is `y = v`.
fn equate(guard: &mut Vec<Constraint>) {
    let is_weak = |c: &Constraint| matches!(c.relation, Relation::AtMost | Relation::Reaches);
    while let Some((i, j)) = (0..guard.len()).find_map(|i| {
        let c = guard[i];
        let is_back =
            |d: &Constraint| d.left == c.right && d.right == c.left && d.relation == c.relation;
        (is_weak(&c) && matches!(c.left, Term::Quantified(_)))
            .then(|| guard.iter().position(is_back).map(|j| (i, j)))
            .flatten()
    }) {
        guard[i].relation = Relation::Same;
        guard.remove(j);
    }
}

/// `y1 < y2` follows from `y1 < i` and `i ≤ y2`.
fn drop_implied_order(guard: &mut Vec<Constraint>) {
    let strictness = |relation: Relation| match relation {
        Relation::Less | Relation::ReachesStrictly => Some(true),
        Relation::AtMost | Relation::Reaches | Relation::Same => Some(false),
        _ => None,
    };
    let all = guard.clone();
    guard.retain(|c| {
        let (Term::Quantified(_), Term::Quantified(_)) = (c.left, c.right) else {
            return true;
        };
        let between = |first: &Constraint| {
            let Some(strict) = strictness(first.relation) else {
                return false;
            };
            matches!(first.right, Term::Variable(_))
                && first.left == c.left
                && all.iter().any(|second| {
                    second.left == first.right
                        && second.right == c.right
                        && strictness(second.relation).is_some_and(|s| s || strict)
                })
        };
        !all.iter().any(between)
    });
}

/// Constraints in an order in which they read as chains: from what reaches `y1` on.
fn sort_guard(guard: &mut [Constraint]) {
    let rank = |t: Term| match t {
        Term::Zero => 0,
        Term::Variable(_) => 1,
        Term::Quantified(_) | Term::Linear(_) => 2,
        Term::Size(_) => 3,
        Term::Nil => 4,
    };
    guard.sort_by_key(|c| {
        let y = |t: Term| match t {
            Term::Quantified(y) => y + 1,
            _ => 0,
        };
        let about = y(c.left).max(y(c.right));
        let leads = y(c.right) > y(c.left);
        (
            about == 0,
            y(c.left).min(y(c.right)),
            about,
            !leads,
            rank(c.left),
            rank(c.right),
            *c,
        )
    });
}

/// Conjuncts with the same guard become one; those that cover most come first.
fn merge(found: Vec<(ForAll, usize)>) -> Vec<Conjunct> {
    let mut position: FxHashMap<(Vec<usize>, Vec<Constraint>), usize> = FxHashMap::default();
    let mut merged: Vec<(ForAll, usize)> = Vec::new();
    for (all, n) in found {
        let key = (all.over.clone(), all.guard.clone());
        let new = merged.len();
        let at = *position.entry(key).or_insert(new);
        if at == new {
            merged.push((all, n));
            continue;
        }
        let (own, _) = &mut merged[at];
        match (&mut own.conclusion, all.conclusion) {
            (Conclusion::All(list), Conclusion::All(more)) => more.into_iter().for_each(|c| {
                match list
                    .iter_mut()
                    .find(|d| (d.left, d.right) == (c.left, c.right))
                {
                    Some(known) => known.orders = known.orders.meet(c.orders),
                    None => list.push(c),
                }
            }),
            (own, Conclusion::False) => *own = Conclusion::False,
            (Conclusion::False, _) => {}
        }
    }
    merged
        .into_iter()
        .map(|(all, _)| Conjunct::ForAll(all))
        .collect()
}
