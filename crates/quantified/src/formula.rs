//! Universally quantified formulas about linear data structures, as plain data.
//!
//! A [`Formula`] is a conjunction. A [`Conjunct::OneOf`] says which arrangements of the program's
//! own pointers and indices occur (the "otherwise false" of QDA §6, with no quantifier); a
//! [`Conjunct::ForAll`] is `∀ y1 … yk. guard ⇒ conclusion`, where the guard orders cells and the
//! conclusion compares data. Guards use `→*`, `→+`, `≤` and `<` between quantified cells, never a
//! distance, so lists stay in the decidable fragment of STRAND and arrays, where guards are
//! weakened to `≤` (`logic/apf.rs`), in the array property fragment.

use crate::point::{Datum, Point, Snapshot};
use std::cmp::Ordering;

/// A cell, a position in an array, or null.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Term {
    /// The quantified variable of this number, from 0.
    Quantified(usize),
    /// A pointer or index of the point.
    Variable(usize),
    Nil,
    /// The first position of every array.
    Zero,
    /// The number of elements of this structure of the point.
    Size(usize),
    /// A position that is computed.
    Linear(Linear),
}

/// How two terms are placed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Relation {
    /// The same cell, the same number, or both null.
    Same,
    /// The right one comes immediately after the left one: `left->next == right`, where right may
    /// be null, or `left + 1 == right`.
    Next,
    /// `left →* right` in a list; null is reached from everywhere.
    Reaches,
    /// `left →+ right` in a list.
    ReachesStrictly,
    /// Two lists without a common cell. Null has no cell.
    Apart,
    /// Numbers.
    Less,
    /// Numbers.
    AtMost,
    /// Positions in a heap that lies in an array: `left == (right - 1) / 2`, where `right` is not
    /// below 1.
    Parent,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Constraint {
    pub left: Term,
    pub relation: Relation,
    pub right: Term,
}

/// An integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum DataTerm {
    /// The datum at a cell of this structure, which is not null and in range.
    At {
        structure: usize,
        cell: Term,
        field: usize,
    },
    /// A scalar of the point.
    Variable(usize),
    Constant(i64),
    /// A sum of numbers of the point, without overflow.
    Sum(Sum),
    Linear(Linear),
}

/// A number that is computed: the sum of its parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Linear {
    /// The position of a quantified variable, times a factor.
    pub quantified: Option<(usize, i64)>,
    /// A number of the point, times a factor.
    pub variable: Option<(usize, i64)>,
    /// The number of elements of this structure.
    pub size: Option<usize>,
    pub constant: i64,
    /// In a proof this wraps where the machine's integers do; else it is a whole number.
    pub wraps: bool,
}

impl Linear {
    /// As mathematics and C write it.
    pub fn text(&self, name: impl Fn(Term) -> String) -> String {
        let parts = [
            self.size.map(|s| (name(Term::Size(s)), 1)),
            self.variable
                .map(|(v, factor)| (name(Term::Variable(v)), factor)),
            self.quantified
                .map(|(y, factor)| (name(Term::Quantified(y)), factor)),
            (self.constant != 0).then(|| {
                (
                    self.constant.unsigned_abs().to_string(),
                    self.constant.signum(),
                )
            }),
        ];
        let mut text = String::new();
        for (part, factor) in parts.into_iter().flatten() {
            match (text.is_empty(), factor < 0) {
                (true, false) => {}
                (true, true) => text.push('-'),
                (false, false) => text.push_str(" + "),
                (false, true) => text.push_str(" - "),
            }
            match factor.unsigned_abs() {
                1 => text.push_str(&part),
                n => text.push_str(&format!("{n} * {part}")),
            }
        }
        if text.is_empty() {
            "0".to_owned()
        } else {
            text
        }
    }
}

/// `plus[0] + plus[1] - minus + constant`, where variables of the point are numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Sum {
    pub plus: [usize; 2],
    pub minus: Option<usize>,
    pub constant: i64,
}

impl Sum {
    /// The variables, each with the sign that it has.
    pub fn parts(&self) -> impl Iterator<Item = (usize, bool)> {
        let plus = self.plus.map(|v| (v, true)).into_iter();
        plus.chain(self.minus.map(|v| (v, false)))
    }

    /// As mathematics and C write it.
    pub fn text(&self, name: impl Fn(usize) -> String) -> String {
        let mut text = format!("{} + {}", name(self.plus[0]), name(self.plus[1]));
        if let Some(v) = self.minus {
            text.push_str(&format!(" - {}", name(v)));
        }
        match self.constant {
            0 => {}
            c if c < 0 => text.push_str(&format!(" - {}", c.unsigned_abs())),
            c => text.push_str(&format!(" + {c}")),
        }
        text
    }
}

/// Which of less, equal, greater are possible: a set of orders, and an atom or the negation of an
/// atom over {=, <, ≤}. The join of two is their union.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Orders(pub u8);

impl Orders {
    pub const NONE: Orders = Orders(0);
    pub const LESS: Orders = Orders(1);
    pub const EQUAL: Orders = Orders(2);
    pub const GREATER: Orders = Orders(4);
    pub const AT_MOST: Orders = Orders(3);
    pub const AT_LEAST: Orders = Orders(6);
    pub const UNEQUAL: Orders = Orders(5);
    pub const ANY: Orders = Orders(7);

    pub fn of(left: i64, right: i64) -> Self {
        match left.cmp(&right) {
            Ordering::Less => Self::LESS,
            Ordering::Equal => Self::EQUAL,
            Ordering::Greater => Self::GREATER,
        }
    }

    pub fn allows(self, left: i64, right: i64) -> bool {
        self.0 & Self::of(left, right).0 != 0
    }

    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Orders(self.0 | other.0)
    }

    #[must_use]
    pub fn meet(self, other: Self) -> Self {
        Orders(self.0 & other.0)
    }

    /// Whether whatever this allows, the other one allows.
    pub fn implies(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The same set, seen from the right.
    #[must_use]
    pub fn flipped(self) -> Self {
        Orders(self.0 & 2 | (self.0 & 1) << 2 | self.0 >> 2)
    }

    /// As in mathematics; nothing for those that always or never hold.
    pub fn symbol(self) -> Option<&'static str> {
        Some(match self {
            Self::LESS => "<",
            Self::EQUAL => "=",
            Self::GREATER => ">",
            Self::AT_MOST => "≤",
            Self::AT_LEAST => "≥",
            Self::UNEQUAL => "≠",
            _ => return None,
        })
    }

    /// As in C.
    pub fn operator(self) -> Option<&'static str> {
        Some(match self {
            Self::LESS => "<",
            Self::EQUAL => "==",
            Self::GREATER => ">",
            Self::AT_MOST => "<=",
            Self::AT_LEAST => ">=",
            Self::UNEQUAL => "!=",
            _ => return None,
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Comparison {
    pub left: DataTerm,
    pub orders: Orders,
    pub right: DataTerm,
}

impl Comparison {
    /// The same with `<` or `≤` in place of `>` or `≥`.
    #[must_use]
    pub fn upright(self) -> Self {
        match self.orders {
            Orders::GREATER | Orders::AT_LEAST => Comparison {
                left: self.right,
                orders: self.orders.flipped(),
                right: self.left,
            },
            _ => self,
        }
    }
}

/// An arrangement of the program's variables, and what holds of scalars in it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Arrangement {
    pub constraints: Vec<Constraint>,
    pub comparisons: Vec<Comparison>,
}

/// `∀ y1 … yk. guard ⇒ conclusion`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ForAll {
    /// For each quantified variable the structure whose cells it ranges over: the cells of the
    /// lists that the point's variables reach, or the positions of the arrays.
    pub over: Vec<usize>,
    pub guard: Vec<Constraint>,
    pub conclusion: Conclusion,
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Conclusion {
    /// The guard never holds.
    False,
    All(Vec<Comparison>),
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Conjunct {
    /// At least one of these holds. They need not exclude each other.
    OneOf(Vec<Arrangement>),
    ForAll(ForAll),
}

/// A conjunction; the empty one is true.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Formula {
    pub conjuncts: Vec<Conjunct>,
}

/// Whether a conjunct at an exit says something of the data that a function leaves or returns, and not only where
/// its numbers are.
pub fn says_something(point: &Point, conjunct: &Conjunct) -> bool {
    let is_datum = |t: &DataTerm| matches!(t, DataTerm::At { .. });
    let is_about_data = |c: &Comparison| is_datum(&c.left) || is_datum(&c.right);
    let is_list = point.structures.iter().any(|s| s.is_list());
    match conjunct {
        Conjunct::OneOf(all) => {
            let says = |a: &Arrangement| {
                a.comparisons.iter().any(is_about_data) || is_list && !a.constraints.is_empty()
            };
            !all.is_empty() && all.iter().all(says)
        }
        Conjunct::ForAll(all) => match &all.conclusion {
            Conclusion::False => false,
            Conclusion::All(list) => list.iter().any(is_about_data),
        },
    }
}

/// What a term is in a snapshot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Spot {
    Nil,
    Cell { chain: usize, cell: usize },
    Number(i64),
}

/// A snapshot with values for quantified variables.
struct Valuation<'a> {
    point: &'a Point,
    snapshot: &'a Snapshot,
    /// A chain and a cell of it for each quantified variable.
    quantified: Vec<(usize, usize)>,
}

/// The chain and the cell of each quantified variable.
pub type Assignment = Vec<(usize, usize)>;

impl Formula {
    pub fn holds(&self, point: &Point, snapshot: &Snapshot) -> bool {
        self.violation(point, snapshot).is_none()
    }

    /// The first conjunct that does not hold, with the values of its quantified variables.
    pub fn violation(&self, point: &Point, snapshot: &Snapshot) -> Option<(usize, Assignment)> {
        self.conjuncts
            .iter()
            .enumerate()
            .find_map(|(i, c)| c.violation(point, snapshot).map(|at| (i, at)))
    }
}

impl Conjunct {
    /// Values of the quantified variables for which this does not hold.
    pub fn violation(&self, point: &Point, snapshot: &Snapshot) -> Option<Assignment> {
        match self {
            Conjunct::OneOf(arrangements) => {
                let valuation = Valuation::new(point, snapshot);
                let holds = arrangements.iter().any(|a| valuation.arranged(a));
                (!holds).then(Vec::new)
            }
            Conjunct::ForAll(all) => {
                let mut valuation = Valuation::new(point, snapshot);
                violation(all, &mut valuation)
            }
        }
    }
}

fn violation(all: &ForAll, valuation: &mut Valuation<'_>) -> Option<Assignment> {
    let next = valuation.quantified.len();
    let Some(&structure) = all.over.get(next) else {
        let guarded = all.guard.iter().all(|c| valuation.satisfies(*c));
        let holds = !guarded
            || match &all.conclusion {
                Conclusion::False => false,
                Conclusion::All(list) => list.iter().all(|c| valuation.compares(*c)),
            };
        return (!holds).then(|| valuation.quantified.clone());
    };
    for (chain, cells) in valuation.snapshot.chains.iter().enumerate() {
        if cells.structure != structure {
            continue;
        }
        for cell in 0..cells.n_cells {
            valuation.quantified.push((chain, cell));
            let found = violation(all, valuation);
            valuation.quantified.pop();
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

impl<'a> Valuation<'a> {
    fn new(point: &'a Point, snapshot: &'a Snapshot) -> Self {
        Valuation {
            point,
            snapshot,
            quantified: Vec::new(),
        }
    }

    fn arranged(&self, arrangement: &Arrangement) -> bool {
        (arrangement.constraints.iter()).all(|c| self.satisfies(*c))
            && arrangement.comparisons.iter().all(|c| self.compares(*c))
    }

    fn spot(&self, term: Term) -> Option<Spot> {
        Some(match term {
            Term::Nil => Spot::Nil,
            Term::Zero => Spot::Number(0),
            Term::Size(structure) => {
                let chains = &self.snapshot.chains;
                let array = chains.iter().find(|c| c.structure == structure)?;
                Spot::Number(array.n_cells as i64)
            }
            Term::Quantified(y) => {
                let (chain, cell) = *self.quantified.get(y)?;
                let structure = self.snapshot.chains[chain].structure;
                if self.point.structures[structure].is_list() {
                    Spot::Cell { chain, cell }
                } else {
                    Spot::Number(cell as i64)
                }
            }
            Term::Variable(v) => match *self.snapshot.values.get(v)? {
                Datum::Nil => Spot::Nil,
                Datum::Cell { chain, cell } => Spot::Cell { chain, cell },
                Datum::Number(n) => Spot::Number(n),
                Datum::Base => return None,
            },
            Term::Linear(linear) => Spot::Number(self.linear(linear)?),
        })
    }

    fn linear(&self, linear: Linear) -> Option<i64> {
        let parts = [
            linear
                .quantified
                .map(|(y, factor)| (Term::Quantified(y), factor)),
            linear
                .variable
                .map(|(v, factor)| (Term::Variable(v), factor)),
            linear.size.map(|s| (Term::Size(s), 1)),
        ];
        let mut total = linear.constant;
        for (term, factor) in parts.into_iter().flatten() {
            let Spot::Number(n) = self.spot(term)? else {
                return None;
            };
            total = total.checked_add(n.checked_mul(factor)?)?;
        }
        Some(total)
    }

    fn satisfies(&self, constraint: Constraint) -> bool {
        let (Some(left), Some(right)) = (self.spot(constraint.left), self.spot(constraint.right))
        else {
            return false;
        };
        use Relation::*;
        match (constraint.relation, left, right) {
            (Same, _, _) => left == right,
            (Next, Spot::Number(a), Spot::Number(b)) => a.checked_add(1) == Some(b),
            (Next, Spot::Cell { chain, cell }, Spot::Nil) => {
                cell + 1 == self.snapshot.chains[chain].n_cells
            }
            (Next, Spot::Cell { chain, cell }, Spot::Cell { chain: c, cell: d }) => {
                chain == c && cell + 1 == d
            }
            (Reaches, _, Spot::Nil) => !matches!(left, Spot::Number(_)),
            (ReachesStrictly, Spot::Cell { .. }, Spot::Nil) => true,
            (Reaches, Spot::Cell { chain, cell }, Spot::Cell { chain: c, cell: d }) => {
                chain == c && cell <= d
            }
            (ReachesStrictly, Spot::Cell { chain, cell }, Spot::Cell { chain: c, cell: d }) => {
                chain == c && cell < d
            }
            (Apart, Spot::Cell { chain, .. }, Spot::Cell { chain: c, .. }) => chain != c,
            (Apart, Spot::Nil, _) | (Apart, _, Spot::Nil) => true,
            (Less, Spot::Number(a), Spot::Number(b)) => a < b,
            (AtMost, Spot::Number(a), Spot::Number(b)) => a <= b,
            (Parent, Spot::Number(a), Spot::Number(b)) => b > 0 && a == (b - 1) / 2,
            _ => false,
        }
    }

    fn datum(&self, term: DataTerm) -> Option<i64> {
        match term {
            DataTerm::Constant(value) => Some(value),
            DataTerm::Variable(v) => match *self.snapshot.values.get(v)? {
                Datum::Number(n) => Some(n),
                _ => None,
            },
            DataTerm::At {
                structure,
                cell: Term::Linear(linear),
                field,
            } => {
                let chains = &self.snapshot.chains;
                let array = chains.iter().find(|c| c.structure == structure)?;
                let cell = usize::try_from(self.linear(linear)?).ok()?;
                if cell < array.n_cells {
                    array.datum(cell, field)
                } else {
                    None
                }
            }
            DataTerm::At { cell, field, .. } => {
                let (chain, cell) = self.cell(cell)?;
                self.snapshot.chains[chain].datum(cell, field)
            }
            DataTerm::Linear(linear) => self.linear(linear),
            DataTerm::Sum(sum) => {
                sum.parts().try_fold(sum.constant, |total, (v, is_plus)| {
                    match (*self.snapshot.values.get(v)?, is_plus) {
                        (Datum::Number(n), true) => total.checked_add(n),
                        (Datum::Number(n), false) => total.checked_sub(n),
                        _ => None,
                    }
                })
            }
        }
    }

    /// The chain and position of a term that is a cell.
    fn cell(&self, term: Term) -> Option<(usize, usize)> {
        match (term, self.spot(term)?) {
            (_, Spot::Cell { chain, cell }) => Some((chain, cell)),
            (Term::Quantified(y), _) => self.quantified.get(y).copied(),
            (Term::Variable(v), Spot::Number(n)) => {
                let structure = self.point.structure_of(v)?;
                let chains = &self.snapshot.chains;
                let chain = chains.iter().position(|c| c.structure == structure)?;
                let cell = usize::try_from(n).ok()?;
                (cell < chains[chain].n_cells).then_some((chain, cell))
            }
            _ => None,
        }
    }

    /// A comparison with a datum that is not there does not hold: guards see to it that it is.
    fn compares(&self, comparison: Comparison) -> bool {
        match (self.datum(comparison.left), self.datum(comparison.right)) {
            (Some(left), Some(right)) => comparison.orders.allows(left, right),
            _ => false,
        }
    }
}
