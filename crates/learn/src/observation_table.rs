//! The observation table of L\* and its relatives.
//!
//! Cells are not stored: they are answers in the learner's [`AnswerTree`]. What the table keeps is
//! the *class* of each row, a number that equal rows share. A new column refines classes by
//! `(class, answer)`, a new row is folded through the columns in the same way, so rows are never
//! compared cell by cell.
//!
//! Where answers belong to steps (Mealy machines), the first columns are the letters, and a cell is
//! the answers to all letters of its column.

use crate::answer_tree::{AnswerId, NodeId, ROOT};
use crate::suffix::EMPTY;
use crate::{Machine, MembershipOracle, Notes, SuffixId, SuffixPool};
use idiolect_automata::{Letter, StateId};
use idiolect_base::{Bug, StopReason};
use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
struct Row {
    node: NodeId,
    /// Short rows are candidates for states; all their extensions by one letter are rows too.
    short: bool,
    /// The number of columns that `class` takes into account.
    filled: usize,
    class: u32,
}

/// A table, the hypothesis it gave last, and what its learner was told.
#[derive(Clone, Debug)]
pub struct ObservationTable<O, H> {
    pub(crate) notes: Notes<O>,
    pub(crate) suffixes: SuffixPool,
    columns: Vec<SuffixId>,
    rows: Vec<Row>,
    row_of: FxHashMap<NodeId, u32>,
    /// The class after one more column.
    refined: FxHashMap<(u32, AnswerId), u32>,
    pub(crate) hypothesis: H,
    /// The access word of each state of the hypothesis.
    pub(crate) access: Vec<NodeId>,
    up_to_date: bool,
}

impl<O: Clone + Eq, H: Machine<O>> ObservationTable<O, H> {
    /// Asks what a machine of one state needs, and conjectures that machine.
    pub fn new(
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        let mut notes = Notes::of::<H>(n_letters);
        if H::ANSWERS_STEPS {
            // What the rows of the letters need; the row of the empty word comes along.
            let letters = (0..n_letters).map(Letter::new);
            let pairs = letters
                .clone()
                .flat_map(|a| letters.clone().map(move |b| [a, b]));
            let answers = &mut notes.answers;
            let words: Vec<_> = pairs.map(|pair| answers.extend_by(ROOT, &pair)).collect();
            answers.ask(&words, mq)?;
        }
        let hypothesis = notes.first(mq)?;
        let mut suffixes = SuffixPool::default();
        let columns = if H::ANSWERS_STEPS {
            let letters = (0..n_letters).map(Letter::new);
            letters.map(|a| suffixes.prepend(a, EMPTY)).collect()
        } else {
            vec![EMPTY]
        };
        let mut table = Self {
            notes,
            suffixes,
            columns,
            rows: Vec::new(),
            row_of: FxHashMap::default(),
            refined: FxHashMap::default(),
            hypothesis,
            access: vec![ROOT],
            up_to_date: false,
        };
        table.add_short_row(ROOT);
        Ok(table)
    }

    /// Adds a column. Whether it was new.
    pub fn add_column(&mut self, suffix: SuffixId) -> bool {
        let new = !self.columns.contains(&suffix);
        if new {
            self.columns.push(suffix);
            self.up_to_date = false;
        }
        new
    }

    /// Adds a row that may become a state, with its extensions.
    pub fn add_short_row(&mut self, node: NodeId) {
        let row = self.row(node);
        if self.rows[row].short {
            return;
        }
        self.rows[row].short = true;
        self.up_to_date = false;
        for a in 0..self.notes.answers.n_letters() {
            let extension = self.notes.answers.extend(node, Letter::new(a));
            self.row(extension);
        }
    }

    /// Asks for all cells that are missing.
    pub fn fill(&mut self, mq: &mut dyn MembershipOracle<Answer = O>) -> Result<(), StopReason> {
        let answers = &mut self.notes.answers;
        let mut cells = Vec::new();
        for row in &self.rows {
            for &column in &self.columns[row.filled..] {
                cells.push(answers.extend_by_suffix(row.node, &self.suffixes, column));
            }
        }
        answers.ask(&cells, mq)?;
        let mut cell = cells.into_iter();
        for row in &mut self.rows {
            for node in cell.by_ref().take(self.columns.len() - row.filled) {
                let answer = answers.outcome(row.node, node);
                let answer = answer.ok_or(StopReason::Internal(Bug::NoAnswer))?;
                let fresh = self.refined.len() as u32 + 1;
                row.class = *self.refined.entry((row.class, answer)).or_insert(fresh);
            }
            row.filled = self.columns.len();
        }
        Ok(())
    }

    /// Makes rows short until every row is equal to a short one.
    pub fn close(&mut self, mq: &mut dyn MembershipOracle<Answer = O>) -> Result<(), StopReason> {
        loop {
            self.fill(mq)?;
            let mut represented = vec![false; self.refined.len() + 1];
            for row in self.rows.iter().filter(|r| r.short) {
                represented[row.class as usize] = true;
            }
            let mut missing = Vec::new();
            for row in &self.rows {
                if !std::mem::replace(&mut represented[row.class as usize], true) {
                    missing.push(row.node);
                }
            }
            if missing.is_empty() {
                return Ok(());
            }
            for node in missing {
                self.add_short_row(node);
            }
        }
    }

    /// A column that would tell two equal short rows apart: their extensions by a letter differ.
    pub fn inconsistency(&mut self) -> Option<SuffixId> {
        let mut first: FxHashMap<u32, NodeId> = FxHashMap::default();
        let mut found = None;
        'rows: for row in self.rows.iter().filter(|r| r.short) {
            let other = *first.entry(row.class).or_insert(row.node);
            if other == row.node {
                continue;
            }
            for a in (0..self.notes.answers.n_letters()).map(Letter::new) {
                let (x, y) = (self.successor(other, a), self.successor(row.node, a));
                if x.class != y.class {
                    found = Some((a, x.node, y.node));
                    break 'rows;
                }
            }
        }
        let (a, x, y) = found?;
        for column in self.columns.clone() {
            if self.cell(x, column) != self.cell(y, column) {
                return Some(self.suffixes.prepend(a, column));
            }
        }
        None
    }

    /// Whether the hypothesis is that of the table.
    pub fn is_up_to_date(&self) -> bool {
        self.up_to_date
    }

    /// Builds the hypothesis of a closed table: one state for each class of short rows.
    pub fn conjecture(&mut self) {
        let mut state_of: Vec<Option<StateId>> = vec![None; self.refined.len() + 1];
        let mut access = Vec::new();
        for row in self.rows.iter().filter(|r| r.short) {
            state_of[row.class as usize].get_or_insert_with(|| {
                access.push(row.node);
                StateId::new(access.len() - 1)
            });
        }
        let answers = &self.notes.answers;
        let hypothesis = H::of_node(answers, access[0]);
        let mut hypothesis = hypothesis.expect("what a state answers is known");
        for &node in &access[1..] {
            let known = hypothesis.add_node(answers, node);
            assert!(known, "what a state answers is known");
        }
        for (q, &node) in access.iter().enumerate() {
            for a in hypothesis.letters() {
                let target = state_of[self.successor(node, a).class as usize];
                let target = target.expect("every row of a closed table is equal to a short one");
                hypothesis.set_step(StateId::new(q), a, target);
            }
        }
        self.hypothesis = hypothesis;
        self.access = access;
        self.up_to_date = true;
    }

    fn row(&mut self, node: NodeId) -> usize {
        let rows = &mut self.rows;
        *self.row_of.entry(node).or_insert_with(|| {
            rows.push(Row {
                node,
                short: false,
                filled: 0,
                class: 0,
            });
            rows.len() as u32 - 1
        }) as usize
    }

    /// The row of a short row's extension.
    fn successor(&self, node: NodeId, letter: Letter) -> &Row {
        let child = self.notes.answers.child(node, letter);
        let child = child.expect("short rows have all their extensions");
        &self.rows[self.row_of[&child] as usize]
    }

    fn cell(&mut self, node: NodeId, column: SuffixId) -> Option<AnswerId> {
        let answers = &mut self.notes.answers;
        let end = answers.extend_by_suffix(node, &self.suffixes, column);
        answers.outcome(node, end)
    }
}
