//! The incremental solver over terms: assert once, ask many times under assumptions.
//!
//! Arrays are handled by lemmas on demand, see `solver/refine.rs`.

mod flow;
mod refine;

use idiolect_base::{Budget, StopReason};
use rustc_hash::FxHashMap;

use crate::blast::Blaster;
use crate::door::Door;
use crate::gates::Wire;
use crate::intervals::{Answer, Intervals};
use crate::model::{Evaluator, Model};
use crate::sat::{Lit, SatResult, SatSolver};
use crate::smtlib::{self, Script};
use crate::term::{Sort, TermId, Terms};

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
pub struct SolverStatistics {
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

pub struct Solver {
    sat: Box<dyn SatSolver>,
    pub(crate) blaster: Blaster,
    asserted: Vec<TermId>,
    clauses: Vec<Vec<TermId>>,
    /// So many of the assertions and of the clauses the SAT solver has; the others follow when
    /// somebody asks, within the budget of that question.
    translated: (usize, usize),
    check: ModelCheck,
    /// Assertions before these positions were seen to hold in some model already.
    checked: (usize, usize),
    literals: FxHashMap<TermId, Lit>,
    arrays: refine::Refinement,
    max_clauses: u64,
    solver_calls: u64,
    /// The latest question about floats, and how far intervals have come with it; nothing if they are of no use.
    intervals: Option<(Vec<TermId>, Option<Intervals>)>,
}

/// An answer, or what the SAT solver says.
enum Found {
    Sat(SatResult),
    Outcome(Outcome),
}

/// Conflicts before a question about floats is looked at by intervals; four times as many each time after that.
const FIRST_TURN: u64 = 500;
/// Work of intervals for each conflict.
const TURN_OF_INTERVALS: u64 = 4;

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

    /// The same, set up for many questions that each take little search, or are mostly answered by no.
    #[cfg(any(feature = "cadical", feature = "batsat"))]
    pub fn for_refuting() -> Self {
        Self::with_backend(crate::refuting_backend())
    }

    pub fn with_backend(sat: Box<dyn SatSolver>) -> Self {
        Self {
            sat,
            blaster: Blaster::default(),
            asserted: Vec::new(),
            clauses: Vec::new(),
            translated: (0, 0),
            check: if cfg!(debug_assertions) {
                ModelCheck::Everything
            } else {
                ModelCheck::WhatIsNew
            },
            checked: (0, 0),
            literals: FxHashMap::default(),
            arrays: refine::Refinement::default(),
            max_clauses: u64::MAX,
            solver_calls: 0,
            intervals: None,
        }
    }

    pub fn set_model_check(&mut self, check: ModelCheck) {
        self.check = check;
    }

    /// With more clauses than this, every question is answered by [`StopReason::Memory`]. A clause
    /// takes about 200 bytes with its terms and gates (785 MB were used for 3.9 million).
    pub fn set_max_clauses(&mut self, max_clauses: u64) {
        self.max_clauses = max_clauses;
    }

    /// Makes the Bool `term` hold for ever.
    pub fn assert(&mut self, terms: &Terms, term: TermId) {
        assert_eq!(terms.sort(term), Sort::Bool, "only a Bool can be asserted");
        self.asserted.push(term);
    }

    /// Makes one of the Bools hold for ever.
    pub fn add_clause(&mut self, terms: &Terms, clause: &[TermId]) {
        for &term in clause {
            assert_eq!(terms.sort(term), Sort::Bool, "a clause consists of Bools");
        }
        self.clauses.push(clause.to_vec());
    }

    /// Makes `term` hold whenever `activation`, usually a fresh Bool variable, is assumed. To retire
    /// what hangs on it, assert its negation.
    pub fn assert_if(&mut self, terms: &mut Terms, activation: TermId, term: TermId) {
        let off = terms.not(activation);
        self.add_clause(terms, &[off, term]);
    }

    /// Translates `term` now, so that a later question does not pay for it.
    pub fn prepare(
        &mut self,
        terms: &Terms,
        term: TermId,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        if terms.sort(term) == Sort::Bool {
            self.literal(terms, term, budget)?;
        } else {
            self.blaster.bits(terms, term, budget)?;
        }
        Ok(())
    }

    fn literal(&mut self, terms: &Terms, term: TermId, budget: &Budget) -> Result<Lit, StopReason> {
        if let Some(&lit) = self.literals.get(&term) {
            return Ok(lit);
        }
        assert_eq!(terms.sort(term), Sort::Bool, "only a Bool can be assumed");
        let wire = self.blaster.wire(terms, term, budget)?;
        let lit = self.blaster.gates.require(&mut *self.sat, wire);
        self.emit(budget)?;
        self.literals.insert(term, lit);
        Ok(lit)
    }

    fn emit(&mut self, budget: &Budget) -> Result<(), StopReason> {
        self.blaster.gates.emit(&mut *self.sat, budget)
    }

    /// Gives the SAT solver what was asserted since the last question, and the literals of
    /// `assumptions`. When the budget ends, nothing is lost, and the next question goes on from there.
    pub(crate) fn translate(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<Vec<Lit>, StopReason> {
        while let Some(&term) = self.asserted.get(self.translated.0) {
            let wire = self.blaster.wire(terms, term, budget)?;
            self.blaster.gates.assert(&mut *self.sat, wire);
            self.translated.0 += 1;
            self.emit(budget)?;
        }
        while let Some(clause) = self.clauses.get(self.translated.1) {
            let wires: Vec<Wire> = clause
                .iter()
                .map(|&t| self.blaster.wire(terms, t, budget))
                .collect::<Result<_, _>>()?;
            self.blaster.gates.assert_clause(&mut *self.sat, &wires);
            self.translated.1 += 1;
            self.emit(budget)?;
        }
        let lits: Vec<Lit> = assumptions
            .iter()
            .map(|&t| self.literal(terms, t, budget))
            .collect::<Result<_, _>>()?;
        // An earlier question may have been interrupted here, too.
        self.emit(budget)?;
        Ok(lits)
    }

    /// Can all assertions and all assumptions hold together?
    ///
    /// One step of the budget is one conflict of the SAT solver; translation takes no steps, but
    /// looks at the clock and the canceller.
    pub fn check(&mut self, terms: &Terms, assumptions: &[TermId], budget: &Budget) -> Outcome {
        let Some(door) = Door::get() else {
            return self.check_here(terms, assumptions, budget);
        };
        let known = (self.asserted.as_slice(), self.clauses.as_slice());
        let outcome = match door.ask(terms, known, assumptions, budget) {
            Some(outcome) => {
                self.solver_calls += 1;
                outcome
            }
            None => self.check_here(terms, assumptions, budget),
        };
        door.note(|| self.script(terms, assumptions), &outcome);
        outcome
    }

    fn check_here(&mut self, terms: &Terms, assumptions: &[TermId], budget: &Budget) -> Outcome {
        match self.solve(terms, assumptions, budget) {
            Ok(outcome) => outcome,
            Err(reason) => Outcome::Unknown(reason),
        }
    }

    fn solve(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<Outcome, StopReason> {
        let lits = self.translate(terms, assumptions, budget)?;
        loop {
            if self.blaster.gates.n_clauses() > self.max_clauses {
                return Err(StopReason::Memory);
            }
            self.solver_calls += 1;
            let found = match self.solve_or_halve(terms, assumptions, &lits, budget)? {
                Found::Sat(found) => found,
                Found::Outcome(outcome) => return Ok(outcome),
            };
            match found {
                SatResult::Unknown(reason) => return Err(reason),
                SatResult::Unsat => {
                    let mut core: Vec<TermId> = Vec::new();
                    for (&term, &lit) in assumptions.iter().zip(&lits) {
                        if self.sat.failed(lit) && !core.contains(&term) {
                            core.push(term);
                        }
                    }
                    return Ok(Outcome::Unsat(core));
                }
                SatResult::Sat => {
                    let mut model = self.variables_of_model(terms);
                    if !self.blaster.reads().is_empty() && self.refine(terms, &mut model, budget)? {
                        continue;
                    }
                    self.evaluate_back(terms, assumptions, &model, budget)?;
                    return Ok(Outcome::Sat(model));
                }
            }
        }
    }

    /// Asks the SAT solver, and, in between, intervals, where the question is about floats and not easy.
    fn solve_or_halve(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        lits: &[Lit],
        budget: &Budget,
    ) -> Result<Found, StopReason> {
        if !terms.has_floats() {
            return Ok(Found::Sat(self.sat.solve(lits, budget)));
        }
        let mut turn = FIRST_TURN;
        loop {
            let part = budget.share(turn);
            let most = part.steps_left();
            let found = self.sat.solve(lits, &part);
            budget.spend(most - part.steps_left())?;
            if found != SatResult::Unknown(StopReason::Steps) || most < turn {
                return Ok(Found::Sat(found));
            }
            let Some(intervals) = self.intervals_of(terms, assumptions) else {
                return Ok(Found::Sat(self.sat.solve(lits, budget)));
            };
            match intervals.go(turn * TURN_OF_INTERVALS, budget)? {
                Answer::No => return Ok(Found::Outcome(Outcome::Unsat(assumptions.to_vec()))),
                Answer::Yes(model) if self.satisfies(terms, assumptions, &model, budget)? => {
                    return Ok(Found::Outcome(Outcome::Sat(model)));
                }
                Answer::Yes(_) | Answer::Hopeless => {
                    if let Some((_, intervals)) = &mut self.intervals {
                        *intervals = None;
                    }
                }
                Answer::Open => {}
            }
            turn *= 4;
        }
    }

    /// The question as intervals see it, as far as they have come with it; `None` if they are of no use.
    fn intervals_of(&mut self, terms: &Terms, assumptions: &[TermId]) -> Option<&mut Intervals> {
        let mut question = assumptions.to_vec();
        question.extend_from_slice(&self.asserted);
        let is_same = (self.intervals.as_ref()).is_some_and(|(of, _)| *of == question);
        if !is_same {
            let own = Intervals::new(terms, &question);
            self.intervals = Some((question, own));
        }
        self.intervals.as_mut().and_then(|(_, own)| own.as_mut())
    }

    /// Whether this is a model of everything.
    fn satisfies(
        &self,
        terms: &Terms,
        assumptions: &[TermId],
        model: &Model,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        let mut evaluator = Evaluator::new(terms, model);
        for &term in self.asserted.iter().chain(assumptions) {
            if evaluator.eval_within(term, budget)? == 0 {
                return Ok(false);
            }
        }
        for clause in &self.clauses {
            let mut any = false;
            for &term in clause {
                any = any || evaluator.eval_within(term, budget)? != 0;
            }
            if !any {
                return Ok(false);
            }
        }
        Ok(true)
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
        smtlib::script(
            terms,
            &self.asserted,
            &self.clauses,
            assumptions,
            Door::floats(),
        )
    }

    pub fn statistics(&self) -> SolverStatistics {
        let sat = self.sat.statistics();
        SolverStatistics {
            solver_calls: self.solver_calls,
            conflicts: sat.conflicts,
            decisions: sat.decisions,
            propagations: sat.propagations,
            variables: self.blaster.gates.n_variables(),
            clauses: self.blaster.gates.n_clauses(),
            gates: self.blaster.gates.len() as u64,
            array_lemmas: self.arrays.n_lemmas(),
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

    /// No model leaves before it was seen to satisfy the question.
    fn evaluate_back(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        model: &Model,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        let (first, first_clause) = match self.check {
            ModelCheck::Everything => (0, 0),
            ModelCheck::WhatIsNew => self.checked,
        };
        let mut evaluator = Evaluator::new(terms, model);
        let mut holds = |t: TermId| Ok(evaluator.eval_within(t, budget)? != 0);
        let mut all = true;
        for &term in self.asserted[first..].iter().chain(assumptions) {
            all &= holds(term)?;
        }
        for clause in &self.clauses[first_clause..] {
            let mut any = false;
            for &term in clause {
                any = any || holds(term)?;
            }
            all &= any;
        }
        assert!(all, "a model has to satisfy what it is a model of");
        self.checked = (self.asserted.len(), self.clauses.len());
        Ok(())
    }
}
