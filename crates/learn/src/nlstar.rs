//! NL\*: L\* for residual automata, which are nondeterministic and may be exponentially smaller.
//!
//! B. Bollig, P. Habermehl, C. Kern and M. Leucker, *Angluin-style learning of NFA*, IJCAI 2009.
//!
//! | paper | here |
//! |---|---|
//! | upper rows U, lower rows U·Σ \ U | `upper`, the other `rows` |
//! | row r ⊑ r' (covered) | [`Bits::is_covered_by`] |
//! | prime row | not the join of the rows it covers strictly |
//! | RFSA-closed, RFSA-consistent | `close`, `inconsistency` |
//! | all suffixes of a counterexample become columns | `refine` |
//!
//! At most n² rounds for a minimal DFA of n states.
//!
//! Where we differ: an equivalence oracle sees the minimal DFA of the residual automaton. The
//! automaton of an early, wrong hypothesis can have an exponentially larger DFA; beyond a limit
//! quadratic in the number of rows the hypothesis is the DFA of the table's rows instead. A
//! counterexample that adds no column, which the paper does not rule out, adds its prefixes as
//! upper rows.

use crate::answer_tree::{NodeId, ROOT};
use crate::suffix::EMPTY;
use crate::{Counterexample, Learner, MembershipOracle, Notes, RefineError, SuffixId, SuffixPool};
use idiolect_automata::{Dfa, Letter, Moore, Nfa, StateId};
use idiolect_base::{Bug, StopReason};
use rustc_hash::{FxHashMap, FxHashSet};

/// A row of cells.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    fn push(&mut self, bit: bool) {
        if self.len.is_multiple_of(64) {
            self.words.push(0);
        }
        if bit {
            self.words[self.len / 64] |= 1 << (self.len % 64);
        }
        self.len += 1;
    }

    fn get(&self, at: usize) -> bool {
        self.words[at / 64] >> (at % 64) & 1 == 1
    }

    fn is_covered_by(&self, other: &Self) -> bool {
        self.words
            .iter()
            .zip(&other.words)
            .all(|(a, b)| a & !b == 0)
    }

    fn join(&mut self, other: &Self) {
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            *a |= b;
        }
    }
}

/// The learner of Bollig, Habermehl, Kern and Leucker.
#[derive(Clone, Debug)]
pub struct NlStar {
    notes: Notes<bool>,
    suffixes: SuffixPool,
    columns: Vec<SuffixId>,
    rows: Vec<(NodeId, Bits)>,
    row_of: FxHashMap<NodeId, u32>,
    /// Upper rows in the order in which they were added; all their extensions are rows.
    upper: Vec<u32>,
    is_upper: FxHashSet<u32>,
    residual: Nfa,
    hypothesis: Dfa,
    up_to_date: bool,
}

impl NlStar {
    pub fn new(
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = bool>,
    ) -> Result<Self, StopReason> {
        let mut notes = Notes::new(n_letters);
        let answer = notes.answers.ask_one(ROOT, mq)?;
        let hypothesis = Dfa::new(n_letters, vec![*notes.answers.value(answer)]);
        let mut learner = Self {
            notes,
            suffixes: SuffixPool::default(),
            columns: vec![EMPTY],
            rows: Vec::new(),
            row_of: FxHashMap::default(),
            upper: Vec::new(),
            is_upper: FxHashSet::default(),
            residual: Nfa::new(n_letters),
            hypothesis,
            up_to_date: false,
        };
        learner.add_upper(ROOT);
        Ok(learner)
    }

    /// The residual automaton of the hypothesis: its states are the prime rows. Empty before the
    /// first [`complete`](Learner::complete).
    pub fn residual(&self) -> &Nfa {
        &self.residual
    }

    fn row(&mut self, node: NodeId) -> u32 {
        let rows = &mut self.rows;
        *self.row_of.entry(node).or_insert_with(|| {
            rows.push((node, Bits::default()));
            rows.len() as u32 - 1
        })
    }

    fn add_upper(&mut self, node: NodeId) -> bool {
        let row = self.row(node);
        if !self.is_upper.insert(row) {
            return false;
        }
        self.upper.push(row);
        self.up_to_date = false;
        for a in 0..self.notes.answers.n_letters() {
            let extension = self.notes.answers.extend(node, Letter::new(a));
            self.row(extension);
        }
        true
    }

    fn add_column(&mut self, suffix: SuffixId) -> bool {
        let new = !self.columns.contains(&suffix);
        if new {
            self.columns.push(suffix);
            self.up_to_date = false;
        }
        new
    }

    fn fill(&mut self, mq: &mut dyn MembershipOracle<Answer = bool>) -> Result<(), StopReason> {
        let answers = &mut self.notes.answers;
        let mut cells = Vec::new();
        for (node, bits) in &self.rows {
            for &column in &self.columns[bits.len..] {
                cells.push(answers.extend_by_suffix(*node, &self.suffixes, column));
            }
        }
        answers.ask(&cells, mq)?;
        let mut cell = cells.into_iter();
        for (_, bits) in &mut self.rows {
            for node in cell.by_ref().take(self.columns.len() - bits.len) {
                let answer = answers
                    .answer(node)
                    .ok_or(StopReason::Internal(Bug::NoAnswer))?;
                bits.push(*answers.value(answer));
            }
        }
        Ok(())
    }

    /// The rows that are prime, each once: upper rows first.
    fn primes(&self) -> Vec<u32> {
        let lower = (0..self.rows.len() as u32).filter(|r| !self.is_upper.contains(r));
        let mut seen: FxHashSet<&Bits> = FxHashSet::default();
        let mut distinct = Vec::new();
        for row in self.upper.iter().copied().chain(lower) {
            if seen.insert(&self.rows[row as usize].1) {
                distinct.push(row);
            }
        }
        let is_prime = |&row: &u32| {
            let bits = &self.rows[row as usize].1;
            let mut joined = Bits {
                words: vec![0; bits.words.len()],
                len: bits.len,
            };
            for &other in &distinct {
                let other_bits = &self.rows[other as usize].1;
                if other != row && other_bits.is_covered_by(bits) {
                    joined.join(other_bits);
                }
            }
            joined != *bits
        };
        distinct.iter().copied().filter(is_prime).collect()
    }

    /// A column that shows that a row covers another but an extension does not.
    fn inconsistency(&mut self) -> Option<SuffixId> {
        let n_letters = self.notes.answers.n_letters();
        for &u in &self.upper {
            for &v in &self.upper {
                let (small, large) = (&self.rows[u as usize], &self.rows[v as usize]);
                if u == v || !small.1.is_covered_by(&large.1) {
                    continue;
                }
                for a in (0..n_letters).map(Letter::new) {
                    let (x, y) = (self.successor(small.0, a), self.successor(large.0, a));
                    if x.is_covered_by(y) {
                        continue;
                    }
                    let at = (0..self.columns.len()).find(|&i| x.get(i) && !y.get(i))?;
                    return Some(self.suffixes.prepend(a, self.columns[at]));
                }
            }
        }
        None
    }

    fn successor(&self, node: NodeId, letter: Letter) -> &Bits {
        let child = self.notes.answers.child(node, letter);
        let child = child.expect("upper rows have all their extensions");
        &self.rows[self.row_of[&child] as usize].1
    }

    /// The residual automaton of a closed and consistent table.
    fn residual_automaton(&self, primes: &[u32]) -> Nfa {
        let mut nfa = Nfa::new(self.notes.answers.n_letters());
        let bits = |row: u32| &self.rows[row as usize].1;
        for &row in primes {
            nfa.add_state(bits(row).get(0));
        }
        let initial = bits(self.row_of[&ROOT]);
        for (q, &row) in primes.iter().enumerate() {
            if bits(row).is_covered_by(initial) {
                nfa.add_initial(StateId::new(q));
            }
            for a in (0..nfa.n_letters()).map(Letter::new) {
                let next = self.successor(self.rows[row as usize].0, a);
                for (r, &other) in primes.iter().enumerate() {
                    if bits(other).is_covered_by(next) {
                        nfa.add_transition(StateId::new(q), Some(a), StateId::new(r));
                    }
                }
            }
        }
        nfa
    }

    /// The DFA whose states are the different rows. Upper rows are added until that is closed.
    fn row_automaton(
        &mut self,
        mq: &mut dyn MembershipOracle<Answer = bool>,
    ) -> Result<Dfa, StopReason> {
        loop {
            self.fill(mq)?;
            let mut state_of: FxHashMap<&Bits, usize> = FxHashMap::default();
            let mut access = Vec::new();
            for &row in &self.upper {
                let (node, bits) = &self.rows[row as usize];
                state_of.entry(bits).or_insert_with(|| {
                    access.push(*node);
                    access.len() - 1
                });
            }
            let missing = self.rows.iter().find(|(_, b)| !state_of.contains_key(b));
            if let Some(&(node, _)) = missing {
                self.add_upper(node);
                continue;
            }
            let outputs: Vec<bool> = access
                .iter()
                .map(|n| self.rows[self.row_of[n] as usize].1.get(0))
                .collect();
            let n_letters = self.notes.answers.n_letters();
            return Ok(Dfa::from_fn(n_letters, &outputs, |q, a| {
                state_of[self.successor(access[q], a)]
            }));
        }
    }

    /// Closes the table, makes it consistent and takes its hypothesis.
    fn conjecture(
        &mut self,
        mq: &mut dyn MembershipOracle<Answer = bool>,
    ) -> Result<(), StopReason> {
        loop {
            self.fill(mq)?;
            let primes = self.primes();
            if let Some(&row) = primes.iter().find(|r| !self.is_upper.contains(r)) {
                let node = self.rows[row as usize].0;
                self.add_upper(node);
                continue;
            }
            if let Some(column) = self.inconsistency() {
                self.add_column(column);
                continue;
            }
            let residual = self.residual_automaton(&primes);
            let limit = 64 + self.rows.len() * self.rows.len().min(100);
            self.hypothesis = match residual.determinize(limit) {
                Ok(dfa) => dfa.minimize(),
                Err(_) => self.row_automaton(mq)?.minimize(),
            };
            self.residual = residual;
            self.up_to_date = true;
            return Ok(());
        }
    }
}

impl Learner<bool> for NlStar {
    fn hypothesis(&self) -> &Moore<bool> {
        &self.hypothesis
    }

    fn complete(&mut self, mq: &mut dyn MembershipOracle<Answer = bool>) -> Result<(), StopReason> {
        loop {
            if !self.up_to_date {
                self.conjecture(mq)?;
            }
            let Some(cex) = self.notes.unlearned(&self.hypothesis) else {
                return Ok(());
            };
            let mut changed = false;
            let mut suffix = EMPTY;
            for &a in cex.word.iter().rev() {
                suffix = self.suffixes.prepend(a, suffix);
                changed |= self.add_column(suffix);
            }
            if changed {
                continue;
            }
            let mut node = ROOT;
            for &a in &cex.word {
                node = self.notes.answers.extend(node, a);
                changed |= self.add_upper(node);
            }
            if !changed {
                // Only an oracle that contradicts itself gets here.
                return Err(StopReason::Contradiction);
            }
        }
    }

    fn refine(
        &mut self,
        cex: &Counterexample<bool>,
        mq: &mut dyn MembershipOracle<Answer = bool>,
    ) -> Result<(), RefineError> {
        self.notes.admit(cex, &self.hypothesis)?;
        Ok(self.complete(mq)?)
    }

    fn notes(&self) -> &Notes<bool> {
        &self.notes
    }
}
