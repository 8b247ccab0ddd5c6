//! Quantified data automata: partial, deterministic, a data formula at states where words end.
//!
//! Seed 002 §3–5. [`Qda::learn`] asks the teacher, [`Qda::elastic`] is the construction before
//! Theorem 3, and [`Qda::minimize`] gives the least automaton of Theorem 1.

use crate::teacher::{FormulaAnswer, Teacher, Valued};
use crate::vocabulary::DataFormula;
use idiolect_automata::{Letter as Symbol, Moore, StateId};
use idiolect_base::{Bug, StopReason};
use idiolect_learn::{Learner as _, LearnerKind, RefineError, learn};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A quantified data automaton. State 0 is initial; every state is on a path to an output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Qda {
    /// Ascending.
    pub letters: Vec<Valued>,
    /// For each state the formula of words that end there, if words do.
    pub outputs: Vec<Option<DataFormula>>,
    /// For each state the next state by position of the letter.
    pub steps: Vec<BTreeMap<usize, usize>>,
}

/// Counts of a learning run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Queries {
    pub membership: u64,
    pub equivalence: u64,
}

impl Qda {
    /// Learns an automaton that contains all samples of the teacher.
    pub fn learn(teacher: &mut Teacher, kind: LearnerKind) -> Result<(Qda, Queries), RefineError> {
        let start = teacher.n_asked;
        let n_letters = teacher.n_letters();
        if n_letters == 0 {
            let empty = Qda {
                letters: Vec::new(),
                outputs: vec![None],
                steps: vec![BTreeMap::new()],
            };
            return Ok((empty, Queries::default()));
        }
        let kind = if kind.learns_moore() {
            kind
        } else {
            LearnerKind::LStar
        };
        let samples = teacher.clone();
        let Some(mut learner) = kind.start_moore(n_letters, teacher)? else {
            return Err(RefineError::Stopped(StopReason::Internal(Bug::RuledOut)));
        };
        let learned = learn(&mut learner, teacher, &mut &samples)?;
        let queries = Queries {
            membership: teacher.n_asked - start,
            equivalence: learned.rounds as u64,
        };
        let qda = Qda::from_moore(samples.letters(), learner.hypothesis());
        Ok((qda, queries))
    }

    /// The part of a machine from which samples can be completed.
    pub fn from_moore(letters: &[Valued], machine: &Moore<FormulaAnswer>) -> Qda {
        let output = |q: StateId| match *machine.output(q) {
            FormulaAnswer::Sample(formula) => Some(formula),
            _ => None,
        };
        let step = |q: &StateId, a: usize| Some(machine.step(*q, Symbol::new(a)));
        build(letters, machine.initial(), |q| output(*q), step)
    }

    pub fn n_states(&self) -> usize {
        self.outputs.len()
    }

    fn blank(&self) -> Option<usize> {
        self.letters.binary_search(&Valued::BLANK).ok()
    }

    /// Whether every transition on the blank is a loop.
    pub fn is_elastic(&self) -> bool {
        let Some(blank) = self.blank() else {
            return true;
        };
        (self.steps.iter().enumerate()).all(|(q, row)| row.get(&blank).is_none_or(|&to| to == q))
    }

    /// Whether the blank can be read at a state.
    pub fn has_blank_loop(&self, state: usize) -> bool {
        self.blank()
            .is_some_and(|b| self.steps[state].get(&b) == Some(&state))
    }

    /// The least elastic automaton above this one (Theorem 3): sets of states closed under blanks,
    /// which loop on blanks and have the join of their formulas.
    pub fn elastic(&self) -> Qda {
        // A blank that leads nowhere forces nothing.
        let useful = build(
            &self.letters,
            0,
            |q| self.outputs[*q],
            |q, a| self.steps[*q].get(&a).copied(),
        );
        useful.closed()
    }

    fn closed(&self) -> Qda {
        let blank = self.blank();
        let close = |mut set: BTreeSet<usize>| {
            let Some(blank) = blank else {
                return set;
            };
            let mut todo: Vec<usize> = set.iter().copied().collect();
            while let Some(q) = todo.pop() {
                if let Some(&to) = self.steps[q].get(&blank)
                    && set.insert(to)
                {
                    todo.push(to);
                }
            }
            set
        };
        let output = |set: &BTreeSet<usize>| {
            (set.iter().filter_map(|&q| self.outputs[q])).reduce(DataFormula::join)
        };
        let step = |set: &BTreeSet<usize>, a: usize| {
            let next = || set.iter().filter_map(|&q| self.steps[q].get(&a).copied());
            if Some(a) == blank {
                return next().next().map(|_| set.clone());
            }
            let to: BTreeSet<usize> = next().collect();
            (!to.is_empty()).then(|| close(to))
        };
        build(&self.letters, close(BTreeSet::from([0])), output, step)
    }

    /// The least automaton with the same formula words.
    pub fn minimize(&self) -> Qda {
        // Refinement by signatures: class, output and classes of successors.
        let mut class: Vec<usize> = vec![0; self.n_states()];
        let mut n_classes = 0;
        loop {
            type Signature<'a> = (usize, &'a Option<DataFormula>, Vec<(usize, usize)>);
            let mut known: FxHashMap<Signature<'_>, usize> = FxHashMap::default();
            let next: Vec<usize> = (0..self.n_states())
                .map(|q| {
                    let row = self.steps[q]
                        .iter()
                        .map(|(&a, &to)| (a, class[to]))
                        .collect();
                    let new = known.len();
                    *known
                        .entry((class[q], &self.outputs[q], row))
                        .or_insert(new)
                })
                .collect();
            let stable = known.len() == n_classes;
            n_classes = known.len();
            class = next;
            if stable {
                break;
            }
        }
        let mut of_class = vec![0; n_classes];
        for (q, &c) in class.iter().enumerate().rev() {
            of_class[c] = q;
        }
        let output = |c: &usize| self.outputs[of_class[*c]];
        let step = |c: &usize, a: usize| self.steps[of_class[*c]].get(&a).map(|&to| class[to]);
        build(&self.letters, class[0], output, step)
    }

    /// The formula of a word; `None` if it is outside.
    pub fn formula(&self, word: &[Valued]) -> Option<DataFormula> {
        let mut at = 0;
        for valued in word {
            let a = self.letters.binary_search(valued).ok()?;
            at = *self.steps[at].get(&a)?;
        }
        self.outputs[at]
    }

    /// Every path of non-blank letters to an output, in the order of the letters, unless there are
    /// more than `limit`.
    pub fn paths(&self, limit: usize) -> Option<Vec<QdaPath>> {
        let mut found = Vec::new();
        let mut path = QdaPath {
            states: vec![0],
            letters: Vec::new(),
            formula: DataFormula::FALSE,
        };
        self.extend(&mut path, &mut found, limit)?;
        Some(found)
    }

    fn extend(&self, path: &mut QdaPath, found: &mut Vec<QdaPath>, limit: usize) -> Option<()> {
        let state = *path.states.last()?;
        if let Some(formula) = self.outputs[state] {
            if found.len() == limit {
                return None;
            }
            path.formula = formula;
            found.push(path.clone());
        }
        for (&a, &to) in &self.steps[state] {
            // Each variable is read once, so that only blanks can lead back.
            if self.letters[a] == Valued::BLANK || path.states.contains(&to) {
                continue;
            }
            path.states.push(to);
            path.letters.push(self.letters[a]);
            self.extend(path, found, limit)?;
            path.states.pop();
            path.letters.pop();
        }
        Some(())
    }
}

/// A way through an automaton without blanks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QdaPath {
    /// One more than letters.
    pub states: Vec<usize>,
    pub letters: Vec<Valued>,
    pub formula: DataFormula,
}

/// The automaton of a step function, breadth first in the order of the letters, without states
/// from which no output is reached. The initial state stays in any case.
fn build<S: Clone + Eq + std::hash::Hash>(
    letters: &[Valued],
    initial: S,
    output: impl Fn(&S) -> Option<DataFormula>,
    step: impl Fn(&S, usize) -> Option<S>,
) -> Qda {
    let mut states = vec![initial.clone()];
    let mut number: FxHashMap<S, usize> = FxHashMap::from_iter([(initial, 0)]);
    let mut rows: Vec<Vec<(usize, usize)>> = Vec::new();
    let mut at = 0;
    while at < states.len() {
        let mut row = Vec::new();
        for a in 0..letters.len() {
            let Some(next) = step(&states[at], a) else {
                continue;
            };
            let new = states.len();
            let to = *number.entry(next.clone()).or_insert(new);
            if to == new {
                states.push(next);
            }
            row.push((a, to));
        }
        rows.push(row);
        at += 1;
    }
    let outputs: Vec<Option<DataFormula>> = states.iter().map(output).collect();
    let mut useful: Vec<bool> = outputs.iter().map(Option::is_some).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for q in (0..states.len()).rev() {
            if !useful[q] && rows[q].iter().any(|&(_, to)| useful[to]) {
                useful[q] = true;
                changed = true;
            }
        }
    }
    useful[0] = true;
    let mut new = vec![usize::MAX; states.len()];
    for (n, q) in (0..states.len()).filter(|&q| useful[q]).enumerate() {
        new[q] = n;
    }
    let kept = |q: &usize| useful[*q];
    Qda {
        letters: letters.to_vec(),
        outputs: (0..states.len()).filter(kept).map(|q| outputs[q]).collect(),
        steps: (0..states.len())
            .filter(kept)
            .map(|q| {
                let row = rows[q].iter().filter(|(_, to)| useful[*to]);
                row.map(|&(a, to)| (a, new[to])).collect()
            })
            .collect(),
    }
}
