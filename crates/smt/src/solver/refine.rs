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
//! Where we differ: a lemma speaks of one path, and there may be as many paths as writes, so a read
//! that broke a lemma [`PATIENCE`] times is expanded over all writes of its array at once. It then
//! equals a read of array variables, for which congruence of pairs is all there is to add. There are
//! finitely many reads, expansions and pairs, so refinement ends. For 20 reads over 1000
//! writes, all at variable indices, axioms for single writes did not end within five minutes; this
//! takes 10 to 30 s depending on how busy the machine is, with 3.9 million clauses. The patience is a
//! guess: each round is one more call of the SAT solver, and larger values did not look better.

use rustc_hash::FxHashMap;

use super::Solver;
use crate::array::ArrayNode;
use crate::blast::Read;
use crate::gates::Wire;
use crate::model::{Evaluator, Model};
use crate::term::{ArrayId, TermId, Terms};
use crate::words;

/// So many path lemmas for a read, before it is expanded.
const PATIENCE: u32 = 3;

/// What was added so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Refinement {
    n_lemmas: u64,
    n_broken: FxHashMap<Read, u32>,
    /// The words of expanded reads.
    expanded: FxHashMap<Read, Vec<Wire>>,
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

/// What a broken read has to be equal to.
enum Target {
    Element(TermId),
    Read(Walk),
}

/// What is to be said of a candidate model.
enum Check {
    Right,
    Broken(Vec<(Walk, Target)>),
    Missing(Vec<Read>),
}

impl Walk {
    fn follow(terms: &Terms, evaluator: &mut Evaluator<'_>, read: Read) -> (Self, End) {
        let at = evaluator.eval(read.1);
        let mut array = read.0;
        let mut steps = Vec::new();
        let end = loop {
            match terms.array_node(array) {
                ArrayNode::Var(variable) => break End::Base(variable),
                ArrayNode::Const(element, _) => break End::Element(element),
                ArrayNode::Store(below, i, element) => {
                    if evaluator.eval(i) == at {
                        steps.push(Step::Same(i));
                        break End::Element(element);
                    }
                    steps.push(Step::Differ(i));
                    array = below;
                }
                ArrayNode::Ite(c, a, b) => {
                    let holds = evaluator.eval_bool(c);
                    steps.push(Step::Cond(c, holds));
                    array = if holds { a } else { b };
                }
            }
        };
        (Self { read, steps }, end)
    }
}

impl Solver {
    /// Adds lemmas for what the candidate gets wrong about arrays; returns whether there was
    /// anything. If not, the arrays of the model are filled in.
    pub(super) fn refine(&mut self, terms: &Terms, model: &mut Model) -> bool {
        loop {
            // A read that only the index of another one mentions is new to us; it is free so far,
            // which does not change the candidate, but it has to be right as well.
            match self.find_broken(terms, model) {
                Check::Missing(reads) => {
                    for read in reads {
                        self.blaster.read_bits(terms, read);
                    }
                }
                Check::Right => return false,
                Check::Broken(broken) => {
                    for (walk, target) in broken {
                        self.add_lemma(terms, &walk, &target);
                    }
                    return true;
                }
            }
        }
    }

    fn find_broken(&mut self, terms: &Terms, model: &mut Model) -> Check {
        let reads: Vec<Read> = self.blaster.reads().to_vec();
        let mut values: FxHashMap<Read, u128> = FxHashMap::default();
        for &read in &reads {
            let bits = self.blaster.read_bits(terms, read);
            let value = self.word_value(&bits);
            values.insert(read, value);
        }
        let mut broken: Vec<(Walk, Target)> = Vec::new();
        // Reads of array variables by index value: the first one speaks for the others.
        let mut places: FxHashMap<(u32, u128), Read> = FxHashMap::default();
        let mut evaluator = Evaluator::with_reads(terms, model, &values);
        for &read in &reads {
            if self.arrays.expanded.contains_key(&read) {
                continue; // It is equal to what its bases say, and these are reads themselves.
            }
            let (walk, end) = Walk::follow(terms, &mut evaluator, read);
            match end {
                End::Element(element) => {
                    if evaluator.eval(element) != values[&read] {
                        broken.push((walk, Target::Element(element)));
                    }
                }
                End::Base(variable) => {
                    let place = (variable, evaluator.eval(read.1));
                    let first = *places.entry(place).or_insert(read);
                    if values[&first] != values[&read] {
                        let (other, _) = Walk::follow(terms, &mut evaluator, first);
                        broken.push((walk, Target::Read(other)));
                    }
                }
            }
        }
        if !evaluator.missing.is_empty() {
            return Check::Missing(evaluator.missing);
        }
        if !broken.is_empty() {
            return Check::Broken(broken);
        }
        let mut entries: Vec<((u32, u128), u128)> = places
            .into_iter()
            .map(|(place, read)| (place, values[&read]))
            .collect();
        entries.sort_unstable();
        for ((variable, index), value) in entries {
            model.array_mut(variable).entries.insert(index, value);
        }
        Check::Right
    }

    fn add_lemma(&mut self, terms: &Terms, walk: &Walk, target: &Target) {
        if self.loses_patience(terms, walk.read) {
            return;
        }
        let mut premise = self.premise(terms, walk);
        let word = match target {
            Target::Element(element) => self.blaster.bits(terms, *element),
            Target::Read(other) => {
                if self.loses_patience(terms, other.read) {
                    return;
                }
                let second = self.premise(terms, other);
                let same = self.same_index(terms, walk.read.1, other.read.1);
                let gates = &mut self.blaster.gates;
                premise = gates.and(premise, second);
                premise = gates.and(premise, same);
                self.blaster.read_bits(terms, other.read)
            }
        };
        self.equal_if(terms, premise, walk.read, &word);
    }

    /// Counts one more broken lemma of `read`, and expands it if it were too many.
    fn loses_patience(&mut self, terms: &Terms, read: Read) -> bool {
        if matches!(terms.array_node(read.0), ArrayNode::Var(_)) {
            return false; // Nothing to expand, and each pair is broken only once.
        }
        if self.arrays.expanded.contains_key(&read) {
            return true;
        }
        let n = self.arrays.n_broken.entry(read).or_insert(0);
        *n += 1;
        if *n <= PATIENCE {
            return false;
        }
        let word = self.expand(terms, read);
        self.equal_if(terms, Wire::TRUE, read, &word);
        self.arrays.expanded.insert(read, word);
        true
    }

    /// `premise` gives that `read` equals `word`.
    fn equal_if(&mut self, terms: &Terms, premise: Wire, read: Read, word: &[Wire]) {
        self.arrays.n_lemmas += 1;
        let bits = self.blaster.read_bits(terms, read);
        let gates = &mut self.blaster.gates;
        for (&a, &b) in bits.iter().zip(word) {
            gates.assert_clause(&mut *self.sat, &[!premise, !a, b]);
            gates.assert_clause(&mut *self.sat, &[!premise, a, !b]);
        }
    }

    fn premise(&mut self, terms: &Terms, walk: &Walk) -> Wire {
        let mut all = Wire::TRUE;
        for &step in &walk.steps {
            let wire = match step {
                Step::Same(i) => self.same_index(terms, walk.read.1, i),
                Step::Differ(i) => !self.same_index(terms, walk.read.1, i),
                Step::Cond(c, true) => self.blaster.wire(terms, c),
                Step::Cond(c, false) => !self.blaster.wire(terms, c),
            };
            all = self.blaster.gates.and(all, wire);
        }
        all
    }

    fn same_index(&mut self, terms: &Terms, i: TermId, j: TermId) -> Wire {
        let (i, j) = (self.blaster.bits(terms, i), self.blaster.bits(terms, j));
        words::equal(&mut self.blaster.gates, &i, &j)
    }

    /// The word that a read is, over all writes of its array down to reads of array variables.
    /// Keeps its own stack, and shares what reads of inner arrays have in common.
    fn expand(&mut self, terms: &Terms, read: Read) -> Vec<Wire> {
        let index = read.1;
        let mut done: FxHashMap<ArrayId, Vec<Wire>> = FxHashMap::default();
        let mut stack = vec![read.0];
        while let Some(&array) = stack.last() {
            if done.contains_key(&array) {
                stack.pop();
                continue;
            }
            let word = match terms.array_node(array) {
                ArrayNode::Var(_) => self.blaster.read_bits(terms, (array, index)),
                ArrayNode::Const(element, _) => self.blaster.bits(terms, element),
                ArrayNode::Store(below, i, element) => {
                    let Some(miss) = done.get(&below) else {
                        stack.push(below);
                        continue;
                    };
                    let same = self.same_index(terms, index, i);
                    let hit = self.blaster.bits(terms, element);
                    words::mux(&mut self.blaster.gates, same, &hit, miss)
                }
                ArrayNode::Ite(c, a, b) => {
                    let (Some(then), Some(otherwise)) = (done.get(&a), done.get(&b)) else {
                        stack.extend([a, b].into_iter().filter(|x| !done.contains_key(x)));
                        continue;
                    };
                    let c = self.blaster.wire(terms, c);
                    words::mux(&mut self.blaster.gates, c, then, otherwise)
                }
            };
            done.insert(array, word);
            stack.pop();
        }
        done.remove(&read.0).unwrap_or_default()
    }
}
