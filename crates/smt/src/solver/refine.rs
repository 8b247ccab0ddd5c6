//! Arrays by lemmas on demand, after Brummayer & Biere, *Lemmas on demand for the extensional theory
//! of arrays* (2009), without equality of arrays.
//!
//! A read is a free word for the SAT solver. In a candidate model each read `r = a[i]` is followed
//! down the writes of its array to the place where it ends: the write that it hits, a constant array,
//! or an array variable. If `r` differs from what is there, or from another read that ends at the same
//! place of the same variable, the lemma says: under the conditions of this path (the indices
//! that were equal or not, the conditions of the `ite`s passed), they are equal.
//!
//! | there | here |
//! |---|---|
//! | read propagated down along stores and ites | [`Walk`] |
//! | `ρ(a)`, the reads that arrived at `a` | `places`, for array variables only |
//! | path condition λ | `premise` |
//!
//! Where we differ: a lemma speaks of one path, there may be as many paths as writes, and a long path
//! makes a long lemma. So a read whose path is longer than [`MAX_STEPS`], or that broke a lemma
//! [`PATIENCE`] times, becomes a [`Flow`] (see there). There are finitely many reads, comparisons and
//! pairs of reads, so refinement ends.
//!
//! For 20 reads over 1000 writes, all at variable indices, lemmas for single writes did not end within
//! five minutes, expanding each read over all writes took 3.9 million clauses and 10 to 30 s; for the
//! clauses that flows take see `tests/it/arrays.rs`.

use idiolect_base::{Budget, StopReason};
use rustc_hash::FxHashMap;

use super::Solver;
use super::flow::{Comparison, Flow};
use crate::array::ArrayNode;
use crate::blast::Read;
use crate::gates::Wire;
use crate::model::{Evaluator, Model};
use crate::term::{TermId, Terms};
use crate::words;

/// So many path lemmas for a read, before it becomes a flow. A guess: each round is one more call of
/// the SAT solver, and larger values did not look better.
const PATIENCE: u32 = 3;

/// The longest path that a lemma speaks of.
const MAX_STEPS: usize = 16;

/// What was added so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Refinement {
    n_lemmas: u64,
    n_broken: FxHashMap<Read, u32>,
    flows: FxHashMap<Read, Flow>,
}

impl Refinement {
    pub(super) fn n_lemmas(&self) -> u64 {
        self.n_lemmas
    }
}

/// What had to be so for a read to pass, or to end here.
#[derive(Clone, Copy, Debug)]
enum Step {
    Same(TermId),
    Differ(TermId),
    Cond(TermId, bool),
}

/// Where a read ended.
enum End {
    Element(TermId),
    Base(u32),
}

/// The way of a read down to its end, in one candidate model.
struct Walk {
    read: Read,
    steps: Vec<Step>,
}

/// What is wrong with a read, and right instead.
enum Broken {
    /// It has to be equal to this element.
    Element(Walk, TermId),
    /// Two reads have to be equal.
    Pair(Walk, Walk),
    /// Its flow goes wrong here.
    Flow(Read, Vec<Comparison>),
}

/// What is to be said of a candidate model.
enum Check {
    Right,
    Broken(Vec<Broken>),
    Missing(Vec<Read>),
}

impl Walk {
    fn follow(
        terms: &Terms,
        evaluator: &mut Evaluator<'_>,
        read: Read,
        budget: &Budget,
    ) -> Result<(Self, End), StopReason> {
        let at = evaluator.eval_within(read.1, budget)?;
        let mut array = read.0;
        let mut steps = Vec::new();
        let end = loop {
            match terms.array_node(array) {
                ArrayNode::Var(variable) => break End::Base(variable),
                ArrayNode::Const(element, _) => break End::Element(element),
                ArrayNode::Store(below, i, element) => {
                    if evaluator.eval_within(i, budget)? == at {
                        steps.push(Step::Same(i));
                        break End::Element(element);
                    }
                    steps.push(Step::Differ(i));
                    array = below;
                }
                ArrayNode::Ite(c, a, b) => {
                    let holds = evaluator.eval_within(c, budget)? != 0;
                    steps.push(Step::Cond(c, holds));
                    array = if holds { a } else { b };
                }
            }
        };
        Ok((Self { read, steps }, end))
    }
}

fn is_variable(terms: &Terms, read: &Read) -> bool {
    matches!(terms.array_node(read.0), ArrayNode::Var(_))
}

impl Solver {
    /// Adds lemmas for what the candidate gets wrong about arrays; returns whether there was
    /// anything. If not, the arrays of the model are filled in.
    pub(super) fn refine(
        &mut self,
        terms: &Terms,
        model: &mut Model,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        loop {
            // A read that only the index of another one mentions is new to us; it is free so far,
            // which does not change the candidate, but it has to be right as well.
            match self.find_broken(terms, model, budget)? {
                Check::Missing(reads) => {
                    for read in reads {
                        self.blaster.read_bits(terms, read);
                    }
                }
                Check::Right => return Ok(false),
                Check::Broken(broken) => {
                    let before = self.arrays.n_lemmas;
                    for one in broken {
                        self.add_lemma(terms, one, budget)?;
                    }
                    assert!(
                        self.arrays.n_lemmas > before,
                        "a wrong candidate has to be excluded"
                    );
                    return Ok(true);
                }
            }
        }
    }

    fn find_broken(
        &mut self,
        terms: &Terms,
        model: &mut Model,
        budget: &Budget,
    ) -> Result<Check, StopReason> {
        // Reads of array variables come first and speak for the others that end there. A flow's way
        // down to a variable ends in such a read, so that other flows need not be compared.
        let mut reads: Vec<Read> = self.blaster.reads().to_vec();
        reads.sort_by_key(|r| !is_variable(terms, r));
        let mut values: FxHashMap<Read, u128> = FxHashMap::default();
        for &read in &reads {
            let bits = self.blaster.read_bits(terms, read);
            let value = self.word_value(&bits);
            values.insert(read, value);
        }
        let mut broken: Vec<Broken> = Vec::new();
        // Reads of array variables by index value: the first one speaks for the others.
        let mut places: FxHashMap<(u32, u128), Read> = FxHashMap::default();
        let mut evaluator = Evaluator::with_reads(terms, model, &values);
        let flows = std::mem::take(&mut self.arrays.flows);
        let mut fault_of = |read: Read| -> Result<Option<Broken>, StopReason> {
            let (walk, end) = Walk::follow(terms, &mut evaluator, read, budget)?;
            let fault = match end {
                End::Element(element) => {
                    if evaluator.eval_within(element, budget)? == values[&read] {
                        return Ok(None);
                    }
                    Broken::Element(walk, element)
                }
                End::Base(variable) => {
                    let place = (variable, evaluator.eval_within(read.1, budget)?);
                    let first = *places.entry(place).or_insert(read);
                    if values[&first] == values[&read] {
                        return Ok(None);
                    }
                    let (other, _) = Walk::follow(terms, &mut evaluator, first, budget)?;
                    Broken::Pair(walk, other)
                }
            };
            Ok(Some(match flows.get(&read) {
                Some(flow) => Broken::Flow(read, flow.wrong(self, &mut evaluator, read)),
                None => fault,
            }))
        };
        let mut stopped = Ok(());
        for &read in &reads {
            match budget.look().and_then(|()| fault_of(read)) {
                Ok(fault) => broken.extend(fault),
                Err(reason) => {
                    stopped = Err(reason);
                    break;
                }
            }
        }
        self.arrays.flows = flows;
        stopped?;
        if !evaluator.missing.is_empty() {
            return Ok(Check::Missing(evaluator.missing));
        }
        if !broken.is_empty() {
            return Ok(Check::Broken(broken));
        }
        let mut entries: Vec<((u32, u128), u128)> = places
            .into_iter()
            .map(|(place, read)| (place, values[&read]))
            .collect();
        entries.sort_unstable();
        for ((variable, index), value) in entries {
            model.array_mut(variable).entries.insert(index, value);
        }
        Ok(Check::Right)
    }

    fn add_lemma(
        &mut self,
        terms: &Terms,
        broken: Broken,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        let (walk, word, premise) = match broken {
            Broken::Flow(read, wrong) => {
                // Taken out and put back, since it is built with the rest of the solver.
                if let Some(mut flow) = self.arrays.flows.remove(&read) {
                    let n = self.correct_flow(terms, &mut flow, read, &wrong, budget);
                    self.arrays.flows.insert(read, flow);
                    self.arrays.n_lemmas += n?;
                }
                return Ok(());
            }
            Broken::Element(walk, element) => {
                if self.becomes_flow(terms, &walk, budget)? {
                    return Ok(());
                }
                let word = self.blaster.bits(terms, element, budget)?;
                (walk, word, Wire::TRUE)
            }
            Broken::Pair(walk, other) => {
                if self.becomes_flow(terms, &walk, budget)?
                    || self.becomes_flow(terms, &other, budget)?
                {
                    return Ok(());
                }
                let second = self.premise(terms, &other, budget)?;
                let same = self.same_index(terms, walk.read.1, other.read.1, budget)?;
                let premise = self.blaster.gates.and(second, same);
                (walk, self.blaster.read_bits(terms, other.read), premise)
            }
        };
        let own = self.premise(terms, &walk, budget)?;
        let premise = self.blaster.gates.and(premise, own);
        let read = self.blaster.read_bits(terms, walk.read);
        self.equal_if(premise, &read, &word);
        self.arrays.n_lemmas += 1;
        self.emit(budget)
    }

    /// Counts one more broken lemma of a read, and makes it a flow if that, or its path, is too much.
    fn becomes_flow(
        &mut self,
        terms: &Terms,
        walk: &Walk,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        let read = walk.read;
        if is_variable(terms, &read) {
            return Ok(false); // There is no way to go, and each pair is broken only once.
        }
        if self.arrays.flows.contains_key(&read) {
            return Ok(true);
        }
        let n = self.arrays.n_broken.entry(read).or_insert(0);
        *n += 1;
        if *n <= PATIENCE && walk.steps.len() <= MAX_STEPS {
            return Ok(false);
        }
        let flow = self.build_flow(terms, read, budget)?;
        self.arrays.flows.insert(read, flow);
        self.arrays.n_lemmas += 1;
        Ok(true)
    }

    fn premise(&mut self, terms: &Terms, walk: &Walk, budget: &Budget) -> Result<Wire, StopReason> {
        let mut all = Wire::TRUE;
        for &step in &walk.steps {
            let wire = match step {
                Step::Same(i) => self.same_index(terms, walk.read.1, i, budget)?,
                Step::Differ(i) => !self.same_index(terms, walk.read.1, i, budget)?,
                Step::Cond(c, true) => self.blaster.wire(terms, c, budget)?,
                Step::Cond(c, false) => !self.blaster.wire(terms, c, budget)?,
            };
            all = self.blaster.gates.and(all, wire);
        }
        Ok(all)
    }

    fn same_index(
        &mut self,
        terms: &Terms,
        i: TermId,
        j: TermId,
        budget: &Budget,
    ) -> Result<Wire, StopReason> {
        let i = self.blaster.bits(terms, i, budget)?;
        let j = self.blaster.bits(terms, j, budget)?;
        Ok(words::equal(&mut self.blaster.gates, &i, &j))
    }

    /// States everything about every read, so that the clauses alone decide the question.
    pub(crate) fn complete_arrays(
        &mut self,
        terms: &Terms,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        // Translation of indices and elements may bring new reads.
        let mut done = 0;
        while let Some(&read) = self.blaster.reads().get(done) {
            self.blaster.bits(terms, read.1, budget)?;
            if is_variable(terms, &read) {
                for i in 0..done {
                    let other = self.blaster.reads()[i];
                    if other.0 == read.0 {
                        let same = self.same_index(terms, read.1, other.1, budget)?;
                        let word = self.blaster.read_bits(terms, read);
                        let second = self.blaster.read_bits(terms, other);
                        self.equal_if(same, &word, &second);
                    }
                }
            } else {
                let mut flow = self.build_flow(terms, read, budget)?;
                self.complete_flow(terms, &mut flow, read, budget)?;
            }
            self.emit(budget)?;
            done += 1;
        }
        Ok(())
    }
}
