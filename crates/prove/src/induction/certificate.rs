//! A proof by induction, as one can show and check it.

use super::cut::PointKind;
use super::formula::Formula;
use super::variable::Variable;
use idiolect_ir::{FuncId, Location, Program};

/// What holds whenever runs come to a point: of a loop at its head, of a recursive function at its entry
/// or exit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    pub function: FuncId,
    pub kind: PointKind,
    /// Those of the point; formulas have them by their position.
    pub variables: Vec<Variable>,
    pub result: Option<usize>,
    /// All of these; none, and nothing is claimed.
    pub formulas: Vec<Formula>,
}

/// Claims that are inductive together and leave no room for an error. Every loop that was cut and every
/// recursive function has one, be it empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    pub claims: Vec<Claim>,
    /// Loops that are not cut are unrolled so often.
    pub unwind: usize,
    /// Recursive functions have parameters for the old values of globals.
    pub has_old_values: bool,
    /// Claims at loops, and assertions, follow from what holds in so many rounds before.
    pub rounds: usize,
}

impl Claim {
    pub fn names(&self) -> Vec<String> {
        self.variables.iter().map(|v| v.name.clone()).collect()
    }

    /// All of it in C, and in ACSL.
    pub fn texts(&self) -> Vec<String> {
        let names = self.names();
        self.formulas.iter().map(|f| f.text(&names)).collect()
    }

    /// One of its formulas as a C expression, if it has one and speaks of what C can name here.
    pub fn c_text(&self, formula: &Formula) -> Option<String> {
        if !self.is_readable(formula) {
            return None;
        }
        let readings: Vec<_> = self.variables.iter().map(|v| v.reading).collect();
        formula.c_text(&self.names(), &readings)
    }

    /// Every variable in it is one that a reader knows.
    pub fn is_readable(&self, formula: &Formula) -> bool {
        let mut all = true;
        formula.for_each_variable(&mut |v| all &= self.variables[v].is_named);
        all
    }

    /// Where a reader sees the point.
    pub fn location(&self) -> Location {
        match self.kind {
            PointKind::Loop(head) => Location::start_of(self.function, head),
            PointKind::Entry | PointKind::Exit => Location::entry(self.function),
        }
    }

    /// The line of the loop, or of the function.
    pub fn place(&self, program: &Program) -> Option<idiolect_base::Place> {
        match self.kind {
            PointKind::Loop(head) => {
                let all = idiolect_ir::loop_places::loop_places(program);
                let own = all
                    .into_iter()
                    .find(|l| l.function == self.function && l.heads.contains(&head));
                own.map(|l| l.start)
            }
            PointKind::Entry | PointKind::Exit => {
                program.sources.place(program.function(self.function).span)
            }
        }
    }
}
