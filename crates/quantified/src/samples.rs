//! Snapshots as formula words, folded as they come.
//!
//! A snapshot's *skeleton* is its symbolic word without quantified variables: one letter for each
//! position, the set of pointers and indices there. For each skeleton and each choice of cells for
//! the quantified variables the samples hold one data formula, the join over all snapshots seen
//! (QDA §7). So memory grows with the number of different skeletons and not with the number
//! of snapshots.
//!
//! Words read, in this order: a letter for null with all null pointers (if there are lists); for
//! each group of arrays a letter for what lies below 0, the cells, and a letter for what lies at or
//! beyond the end; the cells of the lists, one list after the other.

use crate::affine::Affine;
use crate::flags::Case;
use crate::point::{Datum, Point, Role, Snapshot};
use crate::ranges::Ranges;
use crate::snapshot::NotAWord;
use crate::vocabulary::{DataFormula, Vocabulary};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The variables at a position, one bit each, and what kind of position it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Letter(pub u64);

impl Letter {
    /// No variable: the blank.
    pub const BLANK: Letter = Letter(0);
    /// Null.
    pub const NIL: Letter = Letter(1 << 63);
    /// Below the first cell of an array.
    pub const LE_ZERO: Letter = Letter(1 << 62);
    /// At or beyond the end of an array.
    pub const GEQ_SIZE: Letter = Letter(1 << 61);
    /// The first cell of a list that is not the first list: a word could not tell otherwise
    /// whether two lists follow each other or are one.
    pub const START: Letter = Letter(1 << 60);
    /// More variables than this have no letter.
    pub const MAX_VARIABLES: usize = 56;

    pub fn has(self, other: Letter) -> bool {
        self.0 & other.0 == other.0
    }

    #[must_use]
    pub fn and(self, other: Letter) -> Letter {
        Letter(self.0 | other.0)
    }

    pub fn of_variable(v: usize) -> Letter {
        Letter(1 << v)
    }

    /// Whether this position has data: it is neither null nor outside an array.
    pub fn is_cell(self) -> bool {
        self.0 & (Self::NIL.0 | Self::LE_ZERO.0 | Self::GEQ_SIZE.0) == 0
    }

    /// The variables at this position.
    pub fn variables(self) -> impl Iterator<Item = usize> {
        let bits = self.0 & ((1 << Self::MAX_VARIABLES) - 1);
        (0..Self::MAX_VARIABLES).filter(move |v| bits >> v & 1 == 1)
    }
}

/// What was seen of one skeleton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    pub n_snapshots: u64,
    /// For each number of quantified variables, for each choice of cells in ascending order.
    pub formulas: Vec<Vec<DataFormula>>,
}

/// Everything that was seen at a point.
#[derive(Clone, Debug)]
pub struct Samples {
    vocabularies: Vec<Vocabulary>,
    entries: FxHashMap<Box<[Letter]>, Entry>,
    pub n_snapshots: u64,
    /// Snapshots that are no words, by reason.
    pub not_words: BTreeMap<NotAWord, u64>,
    /// A few snapshots to show, with the number of the run they are from.
    pub examples: Vec<(u64, Snapshot)>,
    /// What holds of ranges of arrays, if somebody wants to know.
    pub ranges: Option<Ranges>,
    /// What holds of computed places and values, if somebody wants to know.
    pub affine: Option<Affine>,
    /// What was seen in each case of a flag, if somebody wants to know.
    pub cases: Vec<(Case, Samples)>,
    /// Scratch space.
    word: Vec<Letter>,
    cells: Vec<(usize, usize)>,
}

/// As many are kept to be shown.
const N_EXAMPLES: usize = 8;

impl Samples {
    pub fn new(point: &Point, constants: &[i64], max_quantified: usize) -> Self {
        Samples {
            vocabularies: (0..=max_quantified)
                .map(|k| Vocabulary::new(point, constants, k))
                .collect(),
            entries: FxHashMap::default(),
            n_snapshots: 0,
            not_words: BTreeMap::new(),
            examples: Vec::new(),
            ranges: None,
            affine: None,
            cases: Vec::new(),
            word: Vec::new(),
            cells: Vec::new(),
        }
    }

    pub fn vocabularies(&self) -> &[Vocabulary] {
        &self.vocabularies
    }

    /// Skeletons in ascending order, with what was seen of them.
    pub fn entries(&self) -> Vec<(&[Letter], &Entry)> {
        #[allow(clippy::iter_over_hash_type)] // Sorted below.
        let mut all: Vec<(&[Letter], &Entry)> =
            self.entries.iter().map(|(w, e)| (&**w, e)).collect();
        all.sort_unstable_by(|a, b| (a.0.len(), a.0).cmp(&(b.0.len(), b.0)));
        all
    }

    pub fn n_skeletons(&self) -> usize {
        self.entries.len()
    }

    /// Adds what was seen by `run`.
    pub fn add(&mut self, point: &Point, snapshot: &Snapshot, run: u64) {
        self.n_snapshots += 1;
        if let Some(ranges) = &mut self.ranges {
            ranges.add(snapshot);
        }
        if let Some(affine) = &mut self.affine {
            affine.add(snapshot);
        }
        for (case, samples) in &mut self.cases {
            if case.holds(snapshot) {
                samples.add(point, snapshot, run);
            }
        }
        skeleton(point, snapshot, &mut self.word, &mut self.cells);
        let n_cells = self.cells.len();
        if !self.entries.contains_key(self.word.as_slice()) {
            let formulas = (0..self.vocabularies.len())
                .map(|k| vec![DataFormula::FALSE; choices(n_cells, k)])
                .collect();
            let entry = Entry {
                n_snapshots: 0,
                formulas,
            };
            self.entries.insert(self.word.clone().into(), entry);
        }
        let Some(entry) = self.entries.get_mut(self.word.as_slice()) else {
            return;
        };
        entry.n_snapshots += 1;
        for (vocabulary, formulas) in self.vocabularies.iter().zip(&mut entry.formulas) {
            let mut next = formulas.iter_mut();
            for_each_choice(&self.cells, vocabulary.n_quantified, &mut |chosen| {
                if let Some(formula) = next.next() {
                    *formula = formula.join(vocabulary.formula(snapshot, chosen));
                }
            });
        }
        if (2..=6).contains(&n_cells) && self.examples.len() < N_EXAMPLES {
            let known = self.examples.iter().any(|(_, s)| s == snapshot);
            if !known {
                self.examples.push((run, snapshot.clone()));
            }
        }
    }

    pub fn add_failure(&mut self, reason: NotAWord) {
        self.n_snapshots += 1;
        *self.not_words.entry(reason).or_default() += 1;
    }

    /// Adds what another one has seen at the same point.
    pub fn merge(&mut self, other: Samples) {
        self.n_snapshots += other.n_snapshots;
        for (reason, n) in other.not_words {
            *self.not_words.entry(reason).or_default() += n;
        }
        #[allow(clippy::iter_over_hash_type)] // Joins commute.
        for (word, entry) in other.entries {
            match self.entries.get_mut(&word) {
                None => {
                    self.entries.insert(word, entry);
                }
                Some(own) => {
                    own.n_snapshots += entry.n_snapshots;
                    let pairs = own.formulas.iter_mut().zip(entry.formulas);
                    for (own, formula) in pairs.flat_map(|(a, b)| a.iter_mut().zip(b)) {
                        *own = own.join(formula);
                    }
                }
            }
        }
        if let (Some(own), Some(ranges)) = (&mut self.ranges, other.ranges) {
            own.merge(ranges);
        }
        if let (Some(own), Some(affine)) = (&mut self.affine, other.affine) {
            own.merge(affine);
        }
        for ((_, own), (_, theirs)) in self.cases.iter_mut().zip(other.cases) {
            own.merge(theirs);
        }
        self.examples.extend(other.examples);
        self.examples.sort_by_key(|(run, _)| *run);
        self.examples.truncate(N_EXAMPLES);
    }
}

/// How many ways there are to choose `k` of `n` cells.
fn choices(n: usize, k: usize) -> usize {
    (0..k).fold(1, |product, i| product * (n.saturating_sub(i)) / (i + 1))
}

/// Calls `f` with each choice of `k` cells, in lexicographic order.
pub fn for_each_choice<T: Copy>(cells: &[T], k: usize, f: &mut impl FnMut(&[T])) {
    fn go<T: Copy>(cells: &[T], k: usize, chosen: &mut Vec<T>, f: &mut impl FnMut(&[T])) {
        if k == 0 {
            f(chosen);
            return;
        }
        for i in 0..cells.len() {
            chosen.push(cells[i]);
            go(&cells[i + 1..], k - 1, chosen, f);
            chosen.pop();
        }
    }
    go(cells, k, &mut Vec::with_capacity(k), f);
}

/// The letters of a snapshot, and the chain and cell of each position that is one.
pub fn skeleton(
    point: &Point,
    snapshot: &Snapshot,
    word: &mut Vec<Letter>,
    cells: &mut Vec<(usize, usize)>,
) {
    word.clear();
    cells.clear();
    if point.structures.iter().any(|s| s.is_list()) {
        let null = point.pointers().take(Letter::MAX_VARIABLES);
        let null = null.filter(|&v| snapshot.values[v] == Datum::Nil);
        word.push(null.fold(Letter::NIL, |l, v| l.and(Letter::of_variable(v))));
    }
    let mut is_first_list = true;
    for (c, chain) in snapshot.chains.iter().enumerate() {
        let is_list = point.structures[chain.structure].is_list();
        let first = word.len() + usize::from(!is_list);
        if !is_list {
            word.push(Letter::LE_ZERO);
        }
        for cell in 0..chain.n_cells {
            word.push(Letter::BLANK);
            cells.push((c, cell));
        }
        if !is_list {
            word.push(Letter::GEQ_SIZE);
        } else if !std::mem::replace(&mut is_first_list, false) {
            word[first] = Letter::START;
        }
        for (v, value) in snapshot
            .values
            .iter()
            .enumerate()
            .take(Letter::MAX_VARIABLES)
        {
            let position = match (*value, point.variables[v].role) {
                (Datum::Cell { chain, cell }, _) if chain == c => first + cell,
                (Datum::Number(n), Role::Index { structure }) if structure == chain.structure => {
                    match usize::try_from(n) {
                        Err(_) => first - 1,
                        Ok(n) => first + n.min(chain.n_cells),
                    }
                }
                _ => continue,
            };
            word[position] = word[position].and(Letter::of_variable(v));
        }
    }
}
