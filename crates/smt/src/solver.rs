//! The incremental solver over terms: assert once, ask many times under assumptions.
//!
//! Arrays by lemmas on demand, after Brummayer & Biere, *Lemmas on demand for the extensional theory
//! of arrays* (2009), without equality of arrays: a read is a free word until a candidate model
//! breaks one of its axioms, and then exactly that axiom is added for that read and the question is
//! asked again. Each axiom is added once, and there are finitely many for the arrays at hand, so this
//! ends. Reads of inner arrays that an axiom speaks of become reads themselves.
//!
//! | axiom | for a read `r = a[i]` |
//! |---|---|
//! | constant | `a` is everywhere `e`: `r = e` |
//! | hit, miss | `a` is `b` with `v` written at `j`: `i = j` gives `r = v`, else `r = b[i]` |
//! | ite | `a` is `b` if `c` else `d`: `c` gives `r = b[i]`, else `r = d[i]` |
//! | congruence | `a` is a variable, and `s = a[j]`: `i = j` gives `r = s` |

use idiolect_base::{Budget, StopReason};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::array::ArrayNode;
use crate::blast::{Blaster, Read};
use crate::gates::Wire;
use crate::model::{Evaluator, Model};
use crate::sat::{Lit, SatResult, SatSolver};
use crate::smtlib::{self, Script};
use crate::term::{Sort, TermId, Terms};
use crate::words;

/// The answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Satisfied by this model, which was evaluated on the question before it was handed out.
    Sat(Model),
    /// These assumptions cannot hold together; empty if there is no model at all.
    Unsat(Vec<TermId>),
    Unknown(StopReason),
}

impl Outcome {
    pub fn is_sat(&self) -> bool {
        matches!(self, Outcome::Sat(_))
    }

    pub fn is_unsat(&self) -> bool {
        matches!(self, Outcome::Unsat(_))
    }
}

/// What a solver has done since it was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Calls of the SAT solver.
    pub solver_calls: u64,
    pub conflicts: u64,
    pub decisions: u64,
    pub propagations: u64,
    pub variables: u64,
    pub clauses: u64,
    pub gates: u64,
    /// Array axioms that had to be added.
    pub array_lemmas: u64,
}

/// How much of the question a model is evaluated on before it is handed out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModelCheck {
    /// Every assertion and assumption. The default in debug builds.
    Everything,
    /// The assumptions, and the assertions since the last checked model. The default in release
    /// builds, where going through all assertions can cost more than the query did.
    WhatIsNew,
}

/// Which axiom was instantiated for which read; each is added once.
type Lemma = (Read, Option<TermId>);

pub struct Solver {
    sat: Box<dyn SatSolver>,
    blaster: Blaster,
    asserted: Vec<TermId>,
    clauses: Vec<Vec<TermId>>,
    check: ModelCheck,
    /// Assertions before these positions were seen to hold in some model already.
    checked: (usize, usize),
    literals: FxHashMap<TermId, Lit>,
    lemmas: FxHashSet<Lemma>,
    solver_calls: u64,
}

#[cfg(any(feature = "cadical", feature = "batsat"))]
impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Solver {
    /// With the default back end.
    #[cfg(any(feature = "cadical", feature = "batsat"))]
    pub fn new() -> Self {
        Self::with_backend(crate::default_backend())
    }

    pub fn with_backend(sat: Box<dyn SatSolver>) -> Self {
        Self {
            sat,
            blaster: Blaster::default(),
            asserted: Vec::new(),
            clauses: Vec::new(),
            check: if cfg!(debug_assertions) {
                ModelCheck::Everything
            } else {
                ModelCheck::WhatIsNew
            },
            checked: (0, 0),
            literals: FxHashMap::default(),
            lemmas: FxHashSet::default(),
            solver_calls: 0,
        }
    }

    pub fn set_model_check(&mut self, check: ModelCheck) {
        self.check = check;
    }

    /// Makes the Bool `term` hold for ever.
    pub fn assert(&mut self, terms: &Terms, term: TermId) {
        assert_eq!(terms.sort(term), Sort::Bool, "only a Bool can be asserted");
        let wire = self.blaster.wire(terms, term);
        self.blaster.gates.assert(&mut *self.sat, wire);
        self.asserted.push(term);
    }

    /// Makes one of the Bools hold for ever.
    pub fn add_clause(&mut self, terms: &Terms, clause: &[TermId]) {
        let wires: Vec<Wire> = clause
            .iter()
            .map(|&t| {
                assert_eq!(terms.sort(t), Sort::Bool, "a clause consists of Bools");
                self.blaster.wire(terms, t)
            })
            .collect();
        self.blaster.gates.assert_clause(&mut *self.sat, &wires);
        self.clauses.push(clause.to_vec());
    }

    /// Makes `term` hold whenever `activation`, usually a fresh Bool variable, is assumed. To retire
    /// what hangs on it, assert its negation.
    pub fn assert_if(&mut self, terms: &mut Terms, activation: TermId, term: TermId) {
        let off = terms.not(activation);
        self.add_clause(terms, &[off, term]);
    }

    /// Translates `term` now, so that a later question does not pay for it.
    pub fn prepare(&mut self, terms: &Terms, term: TermId) {
        if terms.sort(term) == Sort::Bool {
            self.literal(terms, term);
        } else {
            self.blaster.bits(terms, term);
        }
    }

    fn literal(&mut self, terms: &Terms, term: TermId) -> Lit {
        if let Some(&lit) = self.literals.get(&term) {
            return lit;
        }
        assert_eq!(terms.sort(term), Sort::Bool, "only a Bool can be assumed");
        let wire = self.blaster.wire(terms, term);
        let lit = self.blaster.gates.require(&mut *self.sat, wire);
        self.literals.insert(term, lit);
        lit
    }

    /// Can all assertions and all assumptions hold together?
    ///
    /// One step of the budget is one conflict of the SAT solver.
    pub fn check(&mut self, terms: &Terms, assumptions: &[TermId], budget: &Budget) -> Outcome {
        let lits: Vec<Lit> = assumptions
            .iter()
            .map(|&t| self.literal(terms, t))
            .collect();
        loop {
            self.solver_calls += 1;
            match self.sat.solve(&lits, budget) {
                SatResult::Unknown(reason) => return Outcome::Unknown(reason),
                SatResult::Unsat => {
                    let mut core: Vec<TermId> = Vec::new();
                    for (&term, &lit) in assumptions.iter().zip(&lits) {
                        if self.sat.failed(lit) && !core.contains(&term) {
                            core.push(term);
                        }
                    }
                    return Outcome::Unsat(core);
                }
                SatResult::Sat => {
                    let mut model = self.variables_of_model(terms);
                    if !self.blaster.reads().is_empty() && self.refine(terms, &mut model) {
                        continue;
                    }
                    self.evaluate_back(terms, assumptions, &model);
                    return Outcome::Sat(model);
                }
            }
        }
    }

    /// A smallest part of `core` that still cannot hold, by leaving out one after the other. `core`
    /// itself has to be unsatisfiable. When the budget ends, what was reached so far is returned.
    pub fn minimize_core(
        &mut self,
        terms: &Terms,
        core: &[TermId],
        budget: &Budget,
    ) -> Vec<TermId> {
        let mut needed: Vec<TermId> = Vec::new();
        let mut rest: Vec<TermId> = core.to_vec();
        while let Some(candidate) = rest.pop() {
            let question: Vec<TermId> = needed.iter().chain(&rest).copied().collect();
            match self.check(terms, &question, budget) {
                // The new core may lack more than the candidate. What is needed stays needed.
                Outcome::Unsat(smaller) => rest.retain(|t| smaller.contains(t)),
                Outcome::Sat(_) => needed.push(candidate),
                Outcome::Unknown(_) => {
                    needed.push(candidate);
                    break;
                }
            }
        }
        core.iter()
            .copied()
            .filter(|t| needed.contains(t) || rest.contains(t))
            .collect()
    }

    /// What this solver would be asked, in SMT-LIB 2.
    pub fn script(&self, terms: &Terms, assumptions: &[TermId]) -> Script {
        smtlib::script(terms, &self.asserted, &self.clauses, assumptions)
    }

    pub fn statistics(&self) -> Statistics {
        let sat = self.sat.statistics();
        Statistics {
            solver_calls: self.solver_calls,
            conflicts: sat.conflicts,
            decisions: sat.decisions,
            propagations: sat.propagations,
            variables: self.blaster.gates.n_variables(),
            clauses: self.blaster.gates.n_clauses(),
            gates: self.blaster.gates.len() as u64,
            array_lemmas: self.lemmas.len() as u64,
        }
    }

    /// The value of a word of inputs in the SAT model. Bits the solver has never seen are 0.
    fn word_value(&mut self, bits: &[Wire]) -> u128 {
        let mut value = 0;
        for (i, &wire) in bits.iter().enumerate() {
            if let Some(lit) = self.blaster.gates.input_literal(wire)
                && self.sat.value(lit)
            {
                value |= 1 << i;
            }
        }
        value
    }

    fn variables_of_model(&mut self, terms: &Terms) -> Model {
        let mut model = Model::new();
        for i in 0..self.blaster.variables().len() {
            let variable = self.blaster.variables()[i];
            let term = terms.variable_term(variable);
            let Some(bits) = self.blaster.known_bits(terms, term) else {
                continue;
            };
            let bits = bits.to_vec();
            if bits
                .iter()
                .any(|&b| self.blaster.gates.input_literal(b).is_some())
            {
                let value = self.word_value(&bits);
                model.set(variable, value);
            }
        }
        model
    }

    /// Looks for axioms of reads that the candidate breaks and adds them; returns whether there were
    /// any. If not, the arrays of the model are filled in.
    fn refine(&mut self, terms: &Terms, model: &mut Model) -> bool {
        let reads: Vec<Read> = self.blaster.reads().to_vec();
        let mut values: FxHashMap<Read, u128> = FxHashMap::default();
        for &read in &reads {
            let bits = self.blaster.read_bits(terms, read);
            let value = self.word_value(&bits);
            values.insert(read, value);
        }
        let mut broken: Vec<Lemma> = Vec::new();
        {
            // Evaluates with reads as the free words they are for the SAT solver.
            let mut evaluator = Evaluator::with_reads(terms, model, &values);
            // Reads of array variables by index value: the first one speaks for the others.
            let mut places: FxHashMap<(u32, u128), Read> = FxHashMap::default();
            for &read in &reads {
                let (array, index) = read;
                let (at, value) = (evaluator.eval(index), values[&read]);
                match terms.array_node(array) {
                    ArrayNode::Var(variable) => {
                        let first = *places.entry((variable, at)).or_insert(read);
                        if values[&first] != value {
                            broken.push((read, Some(first.1)));
                        }
                    }
                    ArrayNode::Const(element, _) => {
                        if evaluator.eval(element) != value {
                            broken.push((read, None));
                        }
                    }
                    ArrayNode::Store(below, i, element) => {
                        let holds = if evaluator.eval(i) == at {
                            evaluator.eval(element) == value
                        } else {
                            values.get(&(below, index)) == Some(&value)
                        };
                        if !holds {
                            broken.push((read, None));
                        }
                    }
                    ArrayNode::Ite(c, then, otherwise) => {
                        let below = if evaluator.eval_bool(c) {
                            then
                        } else {
                            otherwise
                        };
                        if values.get(&(below, index)) != Some(&value) {
                            broken.push((read, None));
                        }
                    }
                }
            }
            if broken.is_empty() {
                let mut entries: Vec<((u32, u128), u128)> = places
                    .into_iter()
                    .map(|(place, read)| (place, values[&read]))
                    .collect();
                entries.sort_unstable();
                drop(evaluator);
                for ((variable, index), value) in entries {
                    model.array_mut(variable).entries.insert(index, value);
                }
                return false;
            }
        }
        for lemma in broken {
            self.add_lemma(terms, lemma);
        }
        true
    }

    fn add_lemma(&mut self, terms: &Terms, lemma: Lemma) {
        assert!(
            self.lemmas.insert(lemma),
            "an array axiom that is already there cannot be broken"
        );
        let ((array, index), other) = lemma;
        let read = self.blaster.read_bits(terms, (array, index));
        let equal = |solver: &mut Self, unless: Wire, word: Vec<Wire>| {
            for (&a, b) in read.iter().zip(word) {
                let g = &mut solver.blaster.gates;
                g.assert_clause(&mut *solver.sat, &[unless, !a, b]);
                g.assert_clause(&mut *solver.sat, &[unless, a, !b]);
            }
        };
        match terms.array_node(array) {
            ArrayNode::Var(_) => {
                let Some(other) = other else { return };
                let same = self.same_index(terms, index, other);
                let word = self.blaster.read_bits(terms, (array, other));
                equal(self, !same, word);
            }
            ArrayNode::Const(element, _) => {
                let word = self.blaster.bits(terms, element);
                equal(self, Wire::FALSE, word);
            }
            ArrayNode::Store(below, i, element) => {
                let same = self.same_index(terms, index, i);
                let (hit, miss) = (
                    self.blaster.bits(terms, element),
                    self.blaster.read_bits(terms, (below, index)),
                );
                equal(self, !same, hit);
                equal(self, same, miss);
            }
            ArrayNode::Ite(c, then, otherwise) => {
                let c = self.blaster.wire(terms, c);
                let (then, otherwise) = (
                    self.blaster.read_bits(terms, (then, index)),
                    self.blaster.read_bits(terms, (otherwise, index)),
                );
                equal(self, !c, then);
                equal(self, c, otherwise);
            }
        }
    }

    fn same_index(&mut self, terms: &Terms, i: TermId, j: TermId) -> Wire {
        let (i, j) = (self.blaster.bits(terms, i), self.blaster.bits(terms, j));
        words::equal(&mut self.blaster.gates, &i, &j)
    }

    /// No model leaves before it was seen to satisfy the question.
    fn evaluate_back(&mut self, terms: &Terms, assumptions: &[TermId], model: &Model) {
        let (first, first_clause) = match self.check {
            ModelCheck::Everything => (0, 0),
            ModelCheck::WhatIsNew => self.checked,
        };
        let mut evaluator = Evaluator::new(terms, model);
        let mut holds = |t: &TermId| evaluator.eval_bool(*t);
        let all = self.asserted[first..].iter().all(&mut holds)
            && assumptions.iter().all(&mut holds)
            && self.clauses[first_clause..]
                .iter()
                .all(|c| c.iter().any(&mut holds));
        assert!(all, "a model has to satisfy what it is a model of");
        self.checked = (self.asserted.len(), self.clauses.len());
    }
}
