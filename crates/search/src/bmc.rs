//! Bounded model checking in slices, for a share of the work.

use crate::doubt::Doubt;
use crate::effort::{self, WORK_PER_CONFLICT};
use idiolect_base::{Budget, StopReason};
use idiolect_ir::{Program, Property};
use idiolect_smt::Session;
use idiolect_symex::bmc::{BmcOutcome, Deepening, Undecided, Unwinding};

/// The solver is not interrupted before it has done so much: it begins anew with much each time.
const LEAST: u64 = 100_000;
/// So many clauses cost as much as a statement.
const CLAUSES_PER_WORK: u64 = 4;
/// The bound grows so far where there is no time limit.
const GROWN_WITHOUT_LIMIT: usize = 128;

/// What a slice came to.
pub enum Checked {
    GoesOn,
    Proved {
        unwind: usize,
    },
    Error {
        inputs: Vec<u128>,
        is_approximate: bool,
    },
    /// No run has an error, but nothing is proved.
    Doubt(Doubt),
    /// Nothing can be proved, but there may be errors beyond the bound.
    Noted(Doubt),
}

/// The search by growing bounds.
pub struct ModelChecking<'p> {
    search: Deepening<'p>,
    session: Session,
    work: u64,
    reached: usize,
    is_over: bool,
    /// The largest bound that was asked for is not the last.
    grows: bool,
    /// Work to encode the next bound; doubled when it was not enough.
    allowance: u64,
    /// Solver calls of sessions before the present one.
    past_calls: u64,
}

impl<'p> ModelChecking<'p> {
    pub fn new(
        program: &'p Program,
        properties: &[Property],
        unwinding: &Unwinding,
        grows: bool,
    ) -> Self {
        Self {
            search: Deepening::new(program, properties, unwinding.clone()),
            session: Session::for_refuting(),
            work: 0,
            reached: 0,
            is_over: false,
            grows,
            allowance: 1 << 16,
            past_calls: 0,
        }
    }

    /// Work so far: statements and terms, and conflicts with their weight.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Nothing further can be found.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    pub fn bound(&self) -> usize {
        self.search.bound()
    }

    /// The largest bound without an error.
    pub fn reached(&self) -> usize {
        self.reached
    }

    pub fn solver_calls(&self) -> u64 {
        self.past_calls + self.session.statistics().solver_calls
    }

    /// Begins the bound anew, after a step that was cut by the clock.
    pub fn restart(&mut self) {
        self.past_calls += self.session.statistics().solver_calls;
        self.session = Session::for_refuting();
        self.search.restart();
    }

    fn clauses(&self) -> u64 {
        (self.session.statistics().own).map_or(0, |own| own.clauses)
    }

    /// Looks at one bound, or goes on with it. It may take a little more work than there is `left`: an
    /// encoding that is not finished is lost, while a solver goes on where it was.
    pub fn step(&mut self, left: u64, budget: &Budget) -> Result<Checked, StopReason> {
        self.allowance = self.allowance.max(left);
        let encoding = effort::part(budget, self.allowance);
        let most = left.max(LEAST) / WORK_PER_CONFLICT;
        let conflicts = effort::part(budget, most);
        let bound = self.search.bound();
        let before = self.clauses();
        let result = self.search.step(&mut self.session, &encoding, &conflicts);
        let encoded = self.allowance - encoding.steps_left();
        let solved = most - conflicts.steps_left();
        // What is large takes its time also without conflicts.
        let added = self.clauses().saturating_sub(before) / CLAUSES_PER_WORK;
        self.work += encoded + added + solved * WORK_PER_CONFLICT;
        match result {
            Ok(None) => {
                self.reached = bound;
                Ok(Checked::GoesOn)
            }
            Ok(Some(outcome)) => {
                let is_open = matches!(
                    outcome,
                    BmcOutcome::NoErrorUpTo { .. } | BmcOutcome::Undecided(Undecided::Trap { .. })
                );
                // Who gave no time limit wants an answer some time.
                let may_grow =
                    self.grows && (budget.deadline().is_some() || bound < GROWN_WITHOUT_LIMIT);
                self.is_over = !(is_open && may_grow && self.search.extend());
                Ok(self.judge(outcome))
            }
            // The next step asks the same solver again, which keeps what it has learned.
            Err(StopReason::Steps) if encoding.steps_left() > 0 => Ok(Checked::GoesOn),
            Err(StopReason::Steps) => {
                self.allowance = self.allowance.saturating_mul(2);
                self.restart();
                Ok(Checked::GoesOn)
            }
            // A larger allowance does not make memory.
            Err(StopReason::Memory) => {
                self.is_over = true;
                Ok(Checked::GoesOn)
            }
            Err(reason) => Err(reason),
        }
    }

    fn judge(&mut self, outcome: BmcOutcome) -> Checked {
        match outcome {
            BmcOutcome::Error {
                inputs,
                is_approximate,
                ..
            } => Checked::Error {
                inputs: inputs.iter().map(|i| i.bits).collect(),
                is_approximate,
            },
            BmcOutcome::Proved { unwind, faults } => {
                self.reached = unwind;
                match faults.into_iter().next() {
                    Some(fault) => Checked::Doubt(Doubt::FoundFault(fault)),
                    None => Checked::Proved { unwind },
                }
            }
            BmcOutcome::NoErrorUpTo { unwind, faults } => {
                self.reached = unwind;
                match faults.into_iter().next() {
                    Some(fault) => Checked::Noted(Doubt::FoundFault(fault)),
                    None => Checked::GoesOn,
                }
            }
            BmcOutcome::Undecided(Undecided::Stopped(reason)) => {
                Checked::Doubt(Doubt::Stopped(reason))
            }
            BmcOutcome::Undecided(Undecided::Trap { gap, place }) => {
                Checked::Noted(Doubt::Unmodelled { gap, place })
            }
            BmcOutcome::Undecided(Undecided::UnknownPointer { place }) => {
                Checked::Noted(Doubt::UnknownPointer { place })
            }
        }
    }
}
