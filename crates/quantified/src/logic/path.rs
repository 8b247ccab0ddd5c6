//! A path through an elastic automaton, and what it says of the placement of variables.
//!
//! A path is a sequence of letters with optional blanks between them, so some questions about it
//! have the answer *maybe*: whether two cells are neighbours, how two indices beyond the end of an
//! array are ordered. A guard may be relied on where it *must* hold and has to be reckoned with
//! where it *may* hold.

use crate::automaton::{Qda, QdaPath};
use crate::formula::{Constraint, Orders, Relation, Term};
use crate::point::Point;
use crate::samples::Letter;
use crate::teacher::Valued;
use crate::vocabulary::DataFormula;

/// Where a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spot {
    Nil,
    /// A cell, by the position of its letter.
    Cell {
        chain: usize,
        position: usize,
    },
    /// Below the first cell of an array.
    Below {
        chain: usize,
    },
    /// At or beyond the end of an array.
    Beyond {
        chain: usize,
    },
}

/// A placement of the program's variables and of quantified variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlacementPath {
    pub letters: Vec<Valued>,
    /// Whether blanks may come before each letter, and after the last one.
    pub gaps: Vec<bool>,
    /// `None` for a placement that does not occur.
    pub formula: Option<DataFormula>,
    pub variables: Vec<Option<Spot>>,
    pub quantified: Vec<(usize, usize)>,
    /// Gaps have at least one cell, and are not only allowed.
    is_exact: bool,
    chains: Vec<ChainSpan>,
}

/// The letters of a chain: `first..end`, without those for outside an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ChainSpan {
    structure: usize,
    first: usize,
    end: usize,
}

/// Whether a constraint must, or may, hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Truth {
    pub must: bool,
    pub may: bool,
}

const YES: Truth = Truth {
    must: true,
    may: true,
};
const NO: Truth = Truth {
    must: false,
    may: false,
};
const MAYBE: Truth = Truth {
    must: false,
    may: true,
};

impl From<bool> for Truth {
    fn from(known: bool) -> Truth {
        if known { YES } else { NO }
    }
}

impl PlacementPath {
    pub fn of(point: &Point, qda: &Qda, path: &QdaPath) -> PlacementPath {
        let gaps = path.states.iter().map(|&q| qda.has_blank_loop(q)).collect();
        PlacementPath::new(point, path.letters.clone(), gaps, Some(path.formula))
    }

    pub fn new(
        point: &Point,
        letters: Vec<Valued>,
        gaps: Vec<bool>,
        formula: Option<DataFormula>,
    ) -> PlacementPath {
        let mut path = PlacementPath {
            variables: vec![None; point.variables.len()],
            quantified: Vec::new(),
            is_exact: false,
            chains: Vec::new(),
            letters,
            gaps,
            formula,
        };
        let arrays: Vec<usize> = (0..point.structures.len())
            .filter(|&s| !point.structures[s].is_list())
            .collect();
        let mut n_arrays = 0;
        let (mut in_array, mut in_list) = (false, false);
        for i in 0..path.letters.len() {
            let Valued { letter, quantified } = path.letters[i];
            let chain = path.chains.len();
            let spot = if letter.has(Letter::NIL) {
                Spot::Nil
            } else if letter.has(Letter::LE_ZERO) {
                path.chains.push(ChainSpan {
                    structure: arrays.get(n_arrays).copied().unwrap_or(0),
                    first: i + 1,
                    end: i + 1,
                });
                n_arrays += 1;
                in_array = true;
                Spot::Below { chain }
            } else if letter.has(Letter::GEQ_SIZE) {
                in_array = false;
                Spot::Beyond {
                    chain: chain.saturating_sub(1),
                }
            } else {
                // Outside arrays, a first cell starts a list.
                if !in_array && (!in_list || letter.has(Letter::START)) {
                    in_list = true;
                    let structure = letter.variables().find_map(|v| point.structure_of(v));
                    path.chains.push(ChainSpan {
                        structure: structure.unwrap_or(0),
                        first: i,
                        end: i,
                    });
                }
                let chain = path.chains.len() - 1;
                path.chains[chain].end = i + 1;
                Spot::Cell { chain, position: i }
            };
            for v in letter.variables() {
                path.variables[v] = Some(spot);
            }
            if let (Some(_), Spot::Cell { chain, position }) = (quantified, spot) {
                path.quantified.push((chain, position));
            }
        }
        path
    }

    /// The same placement with cells in all gaps.
    pub fn exactly(mut self) -> PlacementPath {
        self.is_exact = true;
        self
    }

    /// What is adjacent unless there are cells in this gap.
    fn adjacent(&self, gap: usize) -> Truth {
        match (self.gaps[gap], self.is_exact) {
            (false, _) => YES,
            (true, true) => NO,
            (true, false) => MAYBE,
        }
    }

    /// The structure whose cells a quantified variable ranges over.
    pub fn structure(&self, y: usize) -> usize {
        self.chains[self.quantified[y].0].structure
    }

    pub fn chain_of(&self, y: usize) -> usize {
        self.quantified[y].0
    }

    fn spot(&self, term: Term) -> Option<Spot> {
        match term {
            Term::Quantified(y) => {
                let &(chain, position) = self.quantified.get(y)?;
                Some(Spot::Cell { chain, position })
            }
            Term::Variable(v) => self.variables[v],
            Term::Nil => Some(Spot::Nil),
            Term::Zero | Term::Size(_) | Term::Linear(_) => None,
        }
    }

    pub fn truth(&self, c: Constraint) -> Truth {
        use Relation::*;
        match c.relation {
            Less => self.ordered(c.left, c.right, Orders::LESS),
            AtMost => self.ordered(c.left, c.right, Orders::AT_MOST),
            Same if is_number(self, c.left) || is_number(self, c.right) => {
                self.ordered(c.left, c.right, Orders::EQUAL)
            }
            _ => match (self.spot(c.left), self.spot(c.right)) {
                (Some(left), Some(right)) => self.placed(c.relation, left, right),
                (Some(Spot::Cell { chain, position }), None) if c.relation == Next => {
                    // The last cell before the size.
                    match c.right {
                        Term::Size(_) => self.last(chain, position),
                        _ => NO,
                    }
                }
                _ => NO,
            },
        }
    }

    fn placed(&self, relation: Relation, left: Spot, right: Spot) -> Truth {
        use Relation::*;
        use Spot::*;
        match (relation, left, right) {
            (Same, _, _) => (left == right).into(),
            (Apart, Cell { chain: a, .. }, Cell { chain: b, .. }) => (a != b).into(),
            (Apart, Nil, _) | (Apart, _, Nil) => YES,
            (Reaches, Nil | Cell { .. }, Nil) | (ReachesStrictly, Cell { .. }, Nil) => YES,
            (
                Reaches | ReachesStrictly,
                Cell { chain, position },
                Cell {
                    chain: c,
                    position: p,
                },
            ) => (chain == c && (position < p || relation == Reaches && position == p)).into(),
            (Next, Cell { chain, position }, Nil) => self.last(chain, position),
            (
                Next,
                Cell { chain, position },
                Cell {
                    chain: c,
                    position: p,
                },
            ) => {
                if !(chain == c && position + 1 == p) {
                    NO
                } else {
                    self.adjacent(p)
                }
            }
            (Next, Cell { chain, position }, Beyond { .. }) => match self.last(chain, position) {
                NO => NO,
                _ => MAYBE,
            },
            _ => NO,
        }
    }

    /// Whether nothing comes after this position in its chain.
    fn last(&self, chain: usize, position: usize) -> Truth {
        let end = self.chains[chain].end;
        if position + 1 != end {
            NO
        } else {
            self.adjacent(end)
        }
    }

    fn ordered(&self, left: Term, right: Term, wanted: Orders) -> Truth {
        let possible = self.orders(left, right);
        Truth {
            must: possible != Orders::NONE && possible.implies(wanted),
            may: possible.meet(wanted) != Orders::NONE,
        }
    }

    /// How two positions of an array may be ordered; nothing if one is no position.
    pub fn orders(&self, left: Term, right: Term) -> Orders {
        if left == right {
            return Orders::EQUAL;
        }
        let size = |term: Term| match term {
            Term::Size(s) => self.chains.iter().position(|c| c.structure == s),
            _ => None,
        };
        use Spot::*;
        match (left, right) {
            (Term::Zero, Term::Size(_)) => match size(right) {
                Some(chain) => self.zero_against_end(chain),
                None => Orders::NONE,
            },
            (Term::Zero, _) => match self.spot(right) {
                Some(Below { .. }) => Orders::GREATER,
                Some(Beyond { chain }) => match self.zero_against_end(chain) {
                    Orders::LESS => Orders::LESS,
                    _ => Orders::AT_MOST,
                },
                Some(Cell { chain, position }) => {
                    let first = self.chains[chain].first;
                    if position != first {
                        Orders::LESS
                    } else if self.gaps[first] {
                        Orders::AT_MOST
                    } else {
                        Orders::EQUAL
                    }
                }
                _ => Orders::NONE,
            },
            (Term::Size(_), _) if self.spot(right).is_some() => match self.spot(right) {
                Some(Beyond { .. }) => Orders::AT_MOST,
                Some(Below { .. } | Cell { .. }) => Orders::GREATER,
                _ => Orders::NONE,
            },
            (_, Term::Zero | Term::Size(_)) => self.orders(right, left).flipped(),
            _ => match (self.spot(left), self.spot(right)) {
                (Some(Below { .. }), Some(Below { .. })) => Orders::ANY,
                (Some(Beyond { .. }), Some(Beyond { .. })) => Orders::ANY,
                (Some(Below { .. }), Some(Cell { .. } | Beyond { .. })) => Orders::LESS,
                (Some(Cell { .. } | Beyond { .. }), Some(Below { .. })) => Orders::GREATER,
                (Some(Cell { .. }), Some(Beyond { .. })) => Orders::LESS,
                (Some(Beyond { .. }), Some(Cell { .. })) => Orders::GREATER,
                (
                    Some(Cell { chain, position }),
                    Some(Cell {
                        chain: c,
                        position: p,
                    }),
                ) => {
                    if chain == c {
                        Orders::of(position as i64, p as i64)
                    } else {
                        Orders::NONE
                    }
                }
                _ => Orders::NONE,
            },
        }
    }

    fn zero_against_end(&self, chain: usize) -> Orders {
        let ChainSpan { first, end, .. } = self.chains[chain];
        match (first < end, self.gaps[first]) {
            (true, _) => Orders::LESS,
            (false, true) => Orders::AT_MOST,
            (false, false) => Orders::EQUAL,
        }
    }
}

fn is_number(path: &PlacementPath, term: Term) -> bool {
    match term {
        Term::Zero | Term::Size(_) => true,
        _ => matches!(
            path.spot(term),
            Some(Spot::Below { .. } | Spot::Beyond { .. })
        ),
    }
}
