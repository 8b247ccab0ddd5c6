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

/// States of a block that are kept apart in the second encoding.
const APART: usize = 2_000;
/// Work before there is a second encoding.
const APART_AFTER: u64 = 40_000;
/// An encoding of a bound may take so much before it is begun anew with more.
const LEAST_ENCODING: u64 = 200_000;
/// An encoding has its turn for at least so much.
const TURN: u64 = 40_000;

/// The search by growing bounds.
///
/// There are two encodings of a program, one with all states merged where they meet, and one in which states that differ
/// in where a run goes stay apart: the first is small whatever the program is, the second easy for the solver where the
/// program walks over its input. Which is better is not known before, so they take turns, as soon as there is more to do
/// than a little.
pub struct ModelChecking<'p> {
    merged: Line<'p>,
    apart: Option<Line<'p>>,
    reached: usize,
    is_over: bool,
    /// The largest bound that was asked for is not the last.
    grows: bool,
}

/// One encoding with its solver.
struct Line<'p> {
    search: Deepening<'p>,
    session: Session,
    work: u64,
    /// Work to encode the next bound; doubled when it was not enough.
    allowance: u64,
    /// Solver calls of sessions before the present one.
    past_calls: u64,
    /// Nothing further can be found with it.
    is_over: bool,
}

/// What a step of a line came to, for a bound.
enum Stepped {
    GoesOn,
    Outcome { outcome: BmcOutcome, bound: usize },
}

impl<'p> Line<'p> {
    fn new(search: Deepening<'p>) -> Self {
        Self {
            search,
            session: Session::for_refuting(),
            work: 0,
            allowance: 1 << 16,
            past_calls: 0,
            is_over: false,
        }
    }

    fn restart(&mut self) {
        self.past_calls += self.session.statistics().solver_calls;
        self.session = Session::for_refuting();
        self.search.restart();
    }

    fn clauses(&self) -> u64 {
        (self.session.statistics().own).map_or(0, |own| own.clauses)
    }

    fn step(&mut self, left: u64, grows: bool, budget: &Budget) -> Result<Stepped, StopReason> {
        // What is not finished is lost, so no encoding gets all that is left at once.
        let most = (4 * self.work).max(LEAST_ENCODING);
        self.allowance = self.allowance.max(left.min(most));
        let encoding = effort::part(budget, self.allowance);
        let turn = left.min(self.work.max(TURN));
        let most = turn.max(LEAST) / WORK_PER_CONFLICT;
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
                let (unwind, faults) = (bound, Vec::new());
                let outcome = BmcOutcome::NoErrorUpTo { unwind, faults };
                Ok(Stepped::Outcome { outcome, bound })
            }
            Ok(Some(outcome)) => {
                let is_open = matches!(
                    outcome,
                    BmcOutcome::NoErrorUpTo { .. } | BmcOutcome::Undecided(Undecided::Trap { .. })
                );
                // Who gave no time limit wants an answer some time.
                let may_grow =
                    grows && (budget.deadline().is_some() || bound < GROWN_WITHOUT_LIMIT);
                self.is_over = !(is_open && may_grow && self.search.extend());
                Ok(Stepped::Outcome { outcome, bound })
            }
            // The next step asks the same solver again, which keeps what it has learned.
            Err(StopReason::Steps) if encoding.steps_left() > 0 => Ok(Stepped::GoesOn),
            Err(StopReason::Steps) => {
                self.allowance = self.allowance.saturating_mul(2);
                self.restart();
                Ok(Stepped::GoesOn)
            }
            // A larger allowance does not make memory.
            Err(StopReason::Memory) => {
                self.is_over = true;
                Ok(Stepped::GoesOn)
            }
            Err(reason) => {
                // What was asked is known all the same; an encoding that is not finished is lost.
                if !self.search.is_encoded() {
                    self.restart();
                }
                Err(reason)
            }
        }
    }
}

impl<'p> ModelChecking<'p> {
    pub fn new(
        program: &'p Program,
        properties: &[Property],
        unwinding: &Unwinding,
        grows: bool,
    ) -> Self {
        let search = || Deepening::new(program, properties, unwinding.clone());
        Self {
            merged: Line::new(search()),
            apart: Some(Line::new(search().apart(APART))),
            reached: 0,
            is_over: false,
            grows,
        }
    }

    /// Work so far: statements and terms, and conflicts with their weight.
    pub fn work(&self) -> u64 {
        self.merged.work + self.apart.as_ref().map_or(0, |line| line.work)
    }

    /// Nothing further can be found.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    pub fn bound(&self) -> usize {
        self.merged.search.bound()
    }

    /// The largest bound without an error.
    pub fn reached(&self) -> usize {
        self.reached
    }

    pub fn solver_calls(&self) -> u64 {
        let of = |line: &Line<'_>| line.past_calls + line.session.statistics().solver_calls;
        of(&self.merged) + self.apart.as_ref().map_or(0, of)
    }

    /// Looks at one bound, or goes on with it. It may take a little more work than there is `left`: an
    /// encoding that is not finished is lost, while a solver goes on where it was.
    pub fn step(&mut self, left: u64, budget: &Budget) -> Result<Checked, StopReason> {
        let line = match &mut self.apart {
            Some(apart)
                if !apart.is_over
                    && self.merged.work >= APART_AFTER
                    && (apart.work < self.merged.work || self.merged.is_over) =>
            {
                apart
            }
            _ => &mut self.merged,
        };
        let stepped = line.step(left, self.grows, budget)?;
        let is_last = line.is_over;
        // The two encodings are the same where nothing was kept apart.
        if let Some(apart) = &self.apart
            && (apart.search.is_encoded() && !apart.search.keeps_apart())
        {
            self.merged.past_calls += apart.session.statistics().solver_calls + apart.past_calls;
            self.merged.work += apart.work;
            self.apart = None;
        }
        match stepped {
            Stepped::GoesOn => {
                // One of them may have run out of memory.
                let is_over = self.apart.as_ref().is_none_or(|line| line.is_over);
                self.is_over = self.merged.is_over && is_over;
                Ok(Checked::GoesOn)
            }
            Stepped::Outcome { outcome, bound } => {
                self.is_over = is_last;
                self.reached = self.reached.max(bound);
                Ok(self.judge(outcome))
            }
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
                self.reached = self.reached.max(unwind);
                match faults.into_iter().next() {
                    Some(fault) => Checked::Doubt(Doubt::FoundFault(fault)),
                    None => Checked::Proved { unwind },
                }
            }
            BmcOutcome::NoErrorUpTo { unwind, faults } => {
                self.reached = self.reached.max(unwind);
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
