//! A question as clauses in the DIMACS format, for people who want to see it and for other SAT
//! solvers.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::rc::Rc;

use idiolect_base::{Budget, StopReason};
use rustc_hash::FxHashMap;

use crate::gates::Wire;
use crate::sat::{Lit, SatResult, SatSolver, SatStatistics};
use crate::solver::Solver;
use crate::term::{TermId, Terms};

/// A bit of a term among the clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bit {
    Constant(bool),
    Literal(Lit),
    /// The question does not depend on it.
    Absent,
}

/// Clauses that can be satisfied exactly if the assumptions they were made from can hold together.
///
/// The literal of an input has the input's value. The literal of any other term has only the
/// clauses that the question needs: where it must hold for the question, it implies the term, and
/// that is all.
#[derive(Clone, Debug, Default)]
pub struct Cnf {
    n_variables: i32,
    clauses: Vec<Vec<Lit>>,
    bits: FxHashMap<TermId, Vec<Bit>>,
}

impl Cnf {
    /// The clauses for `assumptions`, and where to find the terms of `named` among them.
    pub fn new(
        terms: &Terms,
        assumptions: &[TermId],
        named: &[TermId],
        budget: &Budget,
    ) -> Result<Self, StopReason> {
        let cnf = Rc::new(RefCell::new(Cnf::default()));
        let mut solver = Solver::with_backend(Box::new(Recorder(cnf.clone())));
        for lit in solver.translate_fully(terms, assumptions, budget)? {
            cnf.borrow_mut().clauses.push(vec![lit]);
        }
        let mut bits = FxHashMap::default();
        for &term in named {
            bits.insert(term, solver.bits_of(terms, term));
        }
        let mut cnf = cnf.take();
        cnf.bits = bits;
        Ok(cnf)
    }

    pub fn n_variables(&self) -> usize {
        self.n_variables as usize
    }

    pub fn clauses(&self) -> &[Vec<Lit>] {
        &self.clauses
    }

    /// The bits of a term that was named, bit 0 first.
    pub fn bits(&self, term: TermId) -> &[Bit] {
        self.bits.get(&term).map_or(&[], Vec::as_slice)
    }

    /// The clauses as text, without comments.
    pub fn text(&self) -> String {
        let mut text = format!("p cnf {} {}\n", self.n_variables, self.clauses.len());
        for clause in &self.clauses {
            for lit in clause {
                let _ = write!(text, "{} ", lit.dimacs());
            }
            text.push_str("0\n");
        }
        text
    }
}

/// Takes clauses and solves nothing.
struct Recorder(Rc<RefCell<Cnf>>);

impl SatSolver for Recorder {
    fn new_var(&mut self) -> Lit {
        let mut cnf = self.0.borrow_mut();
        cnf.n_variables += 1;
        Lit::from_dimacs(cnf.n_variables)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.0.borrow_mut().clauses.push(clause.to_vec());
    }

    fn solve(&mut self, _: &[Lit], _: &Budget) -> SatResult {
        SatResult::Unknown(StopReason::Steps)
    }

    fn value(&mut self, _: Lit) -> bool {
        false
    }

    fn failed(&mut self, _: Lit) -> bool {
        false
    }

    fn statistics(&self) -> SatStatistics {
        SatStatistics::default()
    }
}

impl Solver {
    /// The clauses of everything that the assumptions depend on, arrays included, and the literals
    /// to assume.
    fn translate_fully(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<Vec<Lit>, StopReason> {
        let lits = self.translate(terms, assumptions, budget)?;
        self.complete_arrays(terms, budget)?;
        Ok(lits)
    }

    /// What the clauses so far have of a term.
    fn bits_of(&self, terms: &Terms, term: TermId) -> Vec<Bit> {
        let Some(wires) = self.blaster.known_bits(terms, term) else {
            return vec![Bit::Absent; terms.width(term) as usize];
        };
        let bit = |&wire: &Wire| match wire {
            Wire::FALSE => Bit::Constant(false),
            Wire::TRUE => Bit::Constant(true),
            _ => match self.blaster.gates.input_literal(wire) {
                Some(lit) => Bit::Literal(lit),
                None => Bit::Absent,
            },
        };
        wires.iter().map(bit).collect()
    }
}
