//! Results of QDA that can be reproduced exactly.

use crate::support;

use idiolect_base::Budget;
use idiolect_quantified::automaton::Qda;
use idiolect_quantified::formula::{
    Comparison, Conclusion, Conjunct, Constraint, DataTerm, Formula, Orders, Relation, Term,
};
use idiolect_quantified::point::{Chain, Datum, Point, Snapshot};
use idiolect_quantified::samples::Letter;
use idiolect_quantified::show;
use idiolect_quantified::teacher::Valued;
use idiolect_quantified::vocabulary::DataFormula;
use idiolect_smt::{Outcome, Solver, TermId, Terms};
use proptest::prelude::*;
use std::collections::BTreeMap;

const HEAD: Letter = Letter(1);
const I: Letter = Letter(2);

fn at(letter: Letter, quantified: Option<usize>) -> Valued {
    Valued { letter, quantified }
}

/// An automaton from its transitions and outputs.
fn qda(steps: &[(usize, Valued, usize)], outputs: &[(usize, DataFormula)]) -> Qda {
    let mut letters: Vec<Valued> = steps.iter().map(|(_, l, _)| *l).collect();
    letters.sort_unstable();
    letters.dedup();
    let n = 1 + steps.iter().map(|(a, _, b)| *a.max(b)).max().unwrap_or(0);
    let mut all = vec![BTreeMap::new(); n];
    for (from, letter, to) in steps {
        let a = letters.binary_search(letter).expect("it is a letter");
        all[*from].insert(a, *to);
    }
    let output = |q| outputs.iter().find(|(p, _)| *p == q).map(|(_, f)| *f);
    Qda {
        letters,
        outputs: (0..n).map(output).collect(),
        steps: all,
    }
}

/// `d(y1) ≤ d(y2)`, and no promise.
fn at_most() -> DataFormula {
    DataFormula::FALSE.with(0, Orders::AT_MOST)
}

fn anything() -> DataFormula {
    DataFormula::FALSE.with(0, Orders::ANY)
}

/// Eq. 1: neighbours up to `i` are ordered; the blank leads from `y1` to where nothing is promised.
/// Eq. 3: all cells up to `i` are ordered; the blank loops.
fn sorted_up_to_i(elastic: bool) -> Qda {
    let b = |y| at(Letter::BLANK, y);
    let mut steps = vec![
        // Before y1.
        (0, at(HEAD, None), 1),
        (0, at(HEAD, Some(0)), 2),
        (0, at(HEAD.and(I), None), 7),
        (0, at(HEAD.and(I), Some(0)), 8),
        (1, b(None), 1),
        (1, b(Some(0)), 2),
        (1, at(I, None), 7),
        (1, at(I, Some(0)), 8),
        // y1 was read, and y2 may come next.
        (2, b(Some(1)), 3),
        (2, at(I, Some(1)), 4),
        (2, at(I, None), 8),
        // Both are ordered if `i` comes.
        (3, b(None), 3),
        (3, at(I, None), 4),
        (4, b(None), 4),
        // y1 at or behind `i`.
        (7, b(None), 7),
        (7, b(Some(0)), 8),
        (8, b(None), 8),
        (8, b(Some(1)), 9),
        (9, b(None), 9),
    ];
    let outputs = [(4, at_most()), (9, anything())];
    if elastic {
        steps.push((2, b(None), 2))
    } else {
        // y2 is no neighbour.
        steps.extend([
            (2, b(None), 5),
            (5, b(None), 5),
            (5, b(Some(1)), 6),
            (5, at(I, Some(1)), 9),
            (5, at(I, None), 8),
            (6, b(None), 6),
            (6, at(I, None), 9),
        ]);
    }
    qda(&steps, &outputs)
}

/// Whether an automaton accepts a list with these data and `i` at this cell: all valuations.
fn accepts(qda: &Qda, data: &[i64], i: usize) -> bool {
    (0..data.len()).all(|y1| {
        (y1 + 1..data.len()).all(|y2| {
            let word: Vec<Valued> = (0..data.len())
                .map(|c| {
                    let mut letter = if c == 0 { HEAD } else { Letter::BLANK };
                    if c == i {
                        letter = letter.and(I);
                    }
                    let y = match c {
                        _ if c == y1 => Some(0),
                        _ if c == y2 => Some(1),
                        _ => None,
                    };
                    at(letter, y)
                })
                .collect();
            let formula = qda.formula(&word);
            formula.is_some_and(|f| f.orders(0).allows(data[y1], data[y2]))
        })
    })
}

/// All lists of up to `n` data from `0..values`.
fn lists(n: usize, values: i64) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..n {
        last = (last.iter())
            .flat_map(|l| {
                (0..values).map(|v| {
                    let mut longer: Vec<i64> = l.clone();
                    longer.push(v);
                    longer
                })
            })
            .collect();
        all.extend(last.clone());
    }
    all
}

/// A-QDA-5: with the edge to q5 a loop on q2, the automaton is elastic and accepts the same lists.
/// Elastification itself works on valuation words, where a pair that is no pair of neighbours has
/// no promise; so its result loops on the blank behind `y1`, too, and is above both.
#[test]
fn neighbours_in_order_are_all_in_order() {
    let (near, all) = (sorted_up_to_i(false), sorted_up_to_i(true));
    assert!(!near.is_elastic() && all.is_elastic());
    let elastic = near.elastic();
    assert!(elastic.is_elastic());
    let mut n_accepted = 0;
    for data in lists(5, 3).into_iter().filter(|d| !d.is_empty()) {
        for i in 0..data.len() {
            let sorted = data[..=i].windows(2).all(|w| w[0] <= w[1]);
            assert_eq!(accepts(&near, &data, i), sorted, "{data:?} {i}");
            assert_eq!(accepts(&all, &data, i), sorted, "{data:?} {i}");
            assert!(!sorted || accepts(&elastic, &data, i), "{data:?} {i}");
            n_accepted += usize::from(sorted);
        }
    }
    assert!(n_accepted > 100);
}

/// A-QDA-6: the formula word of §4.
#[test]
fn the_formula_word_of_the_seed_is_accepted() {
    let word = [
        at(HEAD, Some(0)),
        Valued::BLANK,
        at(Letter::BLANK, Some(1)),
        at(I, None),
    ];
    assert_eq!(sorted_up_to_i(true).formula(&word), Some(at_most()));
}

fn find_row() -> (Point, idiolect_invariants::session::Learned) {
    let row = (support::rows().into_iter())
        .find(|r| r.example == "list-sorted-find" && r.section == "invariant")
        .expect("it is a row");
    let outcome = row.learn();
    let p = row.point(&outcome);
    (p.point.clone(), p.learned.clone().expect("it was learned"))
}

/// A-QDA-7: the path of Fig. 1.
#[test]
fn the_path_of_figure_1_has_its_formula() {
    let (point, learned) = find_row();
    let variable = |name: &str| Letter::of_variable(point.variable_named(name).expect("in scope"));
    let level = &learned.levels[2];
    let k = point.variable_named("k").expect("in scope");
    let key = |y| DataTerm::At {
        structure: 0,
        cell: Term::Quantified(y),
        field: 0,
    };
    for gaps in 0..8 {
        let mut word = vec![
            at(variable("cur").and(Letter::NIL), None),
            at(variable("head"), None),
        ];
        for (i, y) in [Some(0), Some(1), None].into_iter().enumerate() {
            if gaps >> i & 1 == 1 {
                word.push(Valued::BLANK);
            }
            if y.is_some() {
                word.push(at(Letter::BLANK, y));
            }
        }
        let formula = level.elastic.formula(&word).expect("it is a word");
        for (i, pair) in level.vocabulary.pairs.iter().enumerate() {
            let expected = match (pair.left, pair.right) {
                (l, r) if l == key(0) && r == key(1) => Orders::AT_MOST,
                (_, DataTerm::Variable(v)) if v == k => Orders::LESS,
                other => panic!("{other:?}"),
            };
            assert_eq!(formula.orders(i), expected);
        }
    }
}

/// A-QDA-8: the invariant printed in §7. Formulas only compare, so lists of up to four cells with
/// five values decide whether two with four names for cells are equivalent.
#[test]
fn the_invariant_of_list_sorted_find_is_the_printed_one() {
    let (point, learned) = find_row();
    let mut n_true = 0;
    for data in lists(4, 5) {
        for k in -1..=5 {
            for cur in 0..=data.len() {
                let chain = Chain {
                    structure: 0,
                    n_cells: data.len(),
                    data: data.clone(),
                    unwritten: Vec::new(),
                };
                let cell = |c: usize| {
                    if c < data.len() {
                        Datum::Cell { chain: 0, cell: c }
                    } else {
                        Datum::Nil
                    }
                };
                let values = (point.variables.iter())
                    .map(|v| match v.name.as_str() {
                        "head" => cell(0),
                        "cur" => cell(cur),
                        "k" => Datum::Number(k),
                        other => panic!("{other}"),
                    })
                    .collect();
                let snapshot = Snapshot {
                    chains: if data.is_empty() {
                        Vec::new()
                    } else {
                        vec![chain]
                    },
                    values,
                };
                let sorted = data.windows(2).all(|w| w[0] <= w[1]);
                let printed = !data.is_empty() && sorted && data[..cur].iter().all(|&d| d < k);
                let found = learned.formula.holds(&point, &snapshot);
                assert_eq!(found, printed, "{data:?} cur {cur} k {k}");
                n_true += usize::from(printed);
            }
        }
    }
    assert!(n_true > 500);
}

/// A-QDA-8 once more, with any data: a list of `n` cells, `cur` at one of them or null, and the
/// solver is asked for 32-bit data and a key of which one formula holds and not the other. Either
/// formula has four names for cells (`head`, `cur`, `y1`, `y2`), so five cells are enough.
#[test]
fn the_solver_finds_the_invariant_of_list_sorted_find_equivalent_to_the_printed_one() {
    let (point, learned) = find_row();
    let mut sorted_only = learned.formula.clone();
    let is_strict = |c: &Conjunct| !show::conjunct(&point, c).contains("y1->key < k");
    sorted_only.conjuncts.retain(is_strict);
    assert_eq!(
        sorted_only.conjuncts.len() + 1,
        learned.formula.conjuncts.len()
    );
    let mut tells_apart = false;
    for n in 0..=5 {
        for cur in 0..=n {
            let mut list = SymbolicList::new(&point, n, cur);
            let (found, printed) = (list.formula(&learned.formula), list.printed());
            assert!(!list.can_differ(found, printed), "{n} cells, cur {cur}");
            let weaker = list.formula(&sorted_only);
            tells_apart |= list.can_differ(weaker, printed);
        }
    }
    assert!(tells_apart, "without `y1->key < k` the solver finds a list");
}

/// One list with symbolic data. Positions are numbers, null is the number of cells: what relates
/// cells of one list compares these.
struct SymbolicList<'a> {
    point: &'a Point,
    n: usize,
    cur: usize,
    terms: Terms,
    data: Vec<TermId>,
    k: TermId,
}

impl<'a> SymbolicList<'a> {
    fn new(point: &'a Point, n: usize, cur: usize) -> Self {
        let mut terms = Terms::new();
        let data = (0..n).map(|i| terms.bv_var(&format!("d{i}"), 32)).collect();
        let k = terms.bv_var("k", 32);
        SymbolicList {
            point,
            n,
            cur,
            terms,
            data,
            k,
        }
    }

    /// `head ≠ nil ∧ (∀ y1 y2. head →* y1 →* y2 ⇒ d(y1) ≤ d(y2)) ∧ ((cur = nil ∧ ∀ y1. d(y1) < k)
    /// ∨ (head →* cur ∧ ∀ y1. head →* y1 →+ cur ⇒ d(y1) < k))`
    fn printed(&mut self) -> TermId {
        let mut all = vec![self.terms.bool(self.n > 0)];
        for (y1, &d1) in self.data.iter().enumerate() {
            for &d2 in &self.data[y1..] {
                all.push(self.terms.sle(d1, d2));
            }
            if y1 < self.cur {
                all.push(self.terms.slt(d1, self.k));
            }
        }
        self.terms.and_all(&all)
    }

    fn can_differ(&self, a: TermId, b: TermId) -> bool {
        let mut terms = self.terms.clone();
        let differ = terms.ne(a, b);
        let outcome = Solver::new().check(&terms, &[differ], &Budget::unlimited());
        match outcome {
            Outcome::Sat(_) => true,
            Outcome::Unsat(_) => false,
            Outcome::Unknown(reason) => panic!("{reason}"),
        }
    }

    fn formula(&mut self, formula: &Formula) -> TermId {
        let mut all = Vec::new();
        for conjunct in &formula.conjuncts {
            match conjunct {
                Conjunct::OneOf(list) => {
                    let mut either = Vec::new();
                    for a in list {
                        let mut holds = vec![self.relate(&a.constraints, &[])];
                        holds.push(self.compare(&a.comparisons, &[]));
                        either.push(self.terms.and_all(&holds));
                    }
                    all.push(self.terms.or_all(&either));
                }
                Conjunct::ForAll(forall) => {
                    let k = forall.over.len() as u32;
                    for number in 0..self.n.pow(k) {
                        let ys: Vec<usize> =
                            (0..k).map(|i| number / self.n.pow(i) % self.n).collect();
                        let guard = self.relate(&forall.guard, &ys);
                        let conclusion = match &forall.conclusion {
                            Conclusion::False => self.terms.ff(),
                            Conclusion::All(list) => self.compare(list, &ys),
                        };
                        all.push(self.terms.implies(guard, conclusion));
                    }
                }
            }
        }
        self.terms.and_all(&all)
    }

    fn position(&self, term: Term, ys: &[usize]) -> usize {
        match term {
            Term::Nil => self.n,
            Term::Quantified(y) => ys[y],
            Term::Variable(v) => match self.point.variables[v].name.as_str() {
                "head" => 0,
                "cur" => self.cur,
                other => panic!("{other}"),
            },
            other => panic!("{other:?}"),
        }
    }

    fn relate(&mut self, constraints: &[Constraint], ys: &[usize]) -> TermId {
        let holds = constraints.iter().all(|c| {
            let (left, right) = (self.position(c.left, ys), self.position(c.right, ys));
            match c.relation {
                Relation::Same => left == right,
                Relation::Next => left + 1 == right,
                Relation::Reaches => left <= right,
                Relation::ReachesStrictly => left < right,
                other => panic!("{other:?}"),
            }
        });
        self.terms.bool(holds)
    }

    fn compare(&mut self, comparisons: &[Comparison], ys: &[usize]) -> TermId {
        let mut all = Vec::new();
        for c in comparisons.iter().map(|c| c.upright()) {
            let datum = |t: DataTerm| match t {
                DataTerm::At { cell, .. } => self.data[self.position(cell, ys)],
                DataTerm::Variable(_) => self.k,
                DataTerm::Constant(_) | DataTerm::Sum(_) | DataTerm::Linear(_) => {
                    panic!("{t:?}")
                }
            };
            let (left, right) = (datum(c.left), datum(c.right));
            all.push(match c.orders {
                Orders::LESS => self.terms.slt(left, right),
                Orders::AT_MOST => self.terms.sle(left, right),
                Orders::EQUAL => self.terms.eq(left, right),
                other => panic!("{other:?}"),
            });
        }
        self.terms.and_all(&all)
    }
}

/// Small automata over the blank and two letters, with formulas of the lattice for one pair.
fn any_qda() -> impl Strategy<Value = Qda> {
    let n = 4usize;
    let step = prop::option::weighted(0.6, 0..n);
    let row = prop::collection::vec(step, 3);
    let output = prop::option::weighted(0.5, 1u8..8);
    (
        prop::collection::vec(row, n),
        prop::collection::vec(output, n),
    )
        .prop_map(|(rows, outputs)| {
            let letters = [Valued::BLANK, at(HEAD, None), at(I, None)];
            let mut steps = Vec::new();
            for (q, row) in rows.iter().enumerate() {
                for (a, to) in row.iter().enumerate() {
                    steps.extend(to.map(|to| (q, letters[a], to)));
                }
            }
            // The alphabet is the same for all.
            let mut automaton = qda(&steps, &[]);
            let missing: Vec<Valued> = (letters.iter().copied())
                .filter(|l| !automaton.letters.contains(l))
                .collect();
            if !missing.is_empty() {
                let all: Vec<_> = missing.iter().map(|&l| (0, l, 0)).collect();
                let more: Vec<_> = steps.iter().copied().chain(all).collect();
                automaton = qda(&more, &[]);
            }
            let formula = |o: &Option<u8>| o.map(|bits| DataFormula::FALSE.with(0, Orders(bits)));
            automaton.outputs = (0..automaton.steps.len())
                .map(|q| outputs.get(q).and_then(formula))
                .collect();
            automaton
        })
}

fn words(length: usize) -> Vec<Vec<Valued>> {
    let letters = [Valued::BLANK, at(HEAD, None), at(I, None)];
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..length {
        last = (last.iter())
            .flat_map(|w: &Vec<Valued>| {
                letters.map(|l| {
                    let mut longer = w.clone();
                    longer.push(l);
                    longer
                })
            })
            .collect();
        all.extend(last.clone());
    }
    all
}

fn implies(a: Option<DataFormula>, b: Option<DataFormula>) -> bool {
    a.unwrap_or(DataFormula::FALSE)
        .implies(b.unwrap_or(DataFormula::FALSE))
}

proptest! {
    /// A-QDA-9, Theorem 3: elastic, above the automaton, and below every elastic one above it.
    #[test]
    fn elastification_is_the_least_elastic_automaton_above(a in any_qda(), b in any_qda()) {
        let elastic = a.elastic();
        prop_assert!(elastic.is_elastic());
        let all = words(7);
        for word in &all {
            prop_assert!(implies(a.formula(word), elastic.formula(word)), "{:?}", word);
        }
        // An elastic automaton above `a`, by chance or by making it so: both at once. Its formula
        // is the join of those of an elastic automaton and of the elastification, so what has to
        // be shown is that the elastification is no weaker than what words force on it.
        let other = b.elastic();
        let above = all.iter().all(|w| implies(a.formula(w), other.formula(w)));
        if above {
            for word in words(5) {
                prop_assert!(implies(elastic.formula(&word), other.formula(&word)), "{:?}", word);
            }
        }
        // What words that differ in blanks alone force on an elastic automaton.
        let strip = |w: &[Valued]| -> Vec<Valued> {
            w.iter().copied().filter(|l| *l != Valued::BLANK).collect()
        };
        let mut forced: BTreeMap<Vec<Valued>, DataFormula> = BTreeMap::new();
        for word in &all {
            if let Some(formula) = a.formula(word) {
                let known = forced.entry(strip(word)).or_default();
                *known = known.join(formula);
            }
        }
        for word in words(3) {
            let bound = forced.get(&strip(&word)).copied();
            let found = elastic.formula(&word);
            // Up to three letters with blanks between them need words of more letters than were
            // looked at only if four states are gone through between any two.
            if strip(&word).len() <= 1 {
                prop_assert!(implies(found, bound), "{:?}: {:?} {:?}", word, found, bound);
            }
        }
        prop_assert_eq!(elastic.minimize().elastic().minimize(), elastic.minimize());
    }
}
