//! Variables that say which of two cases it is, and what holds in each case.
//!
//! After `if (a[i] != b[i]) same = 0;` the arrays are equal so far *if `same` is not 0*. Data formulas
//! have no such case distinction. So for a variable that is only ever given constants, and these are 0
//! and something positive, the samples are kept once more for each case and learned from like all
//! samples; what a case teaches beyond what holds anyway is said with the case as its guard.

use crate::formula::{Arrangement, Conjunct, Constraint, Formula, Relation, Term};
use crate::implied;
use crate::point::{Binding, Datum, Point, Role, Snapshot};
use idiolect_ir::{ExprKind, Function, LocalId, Place, Program, StmtKind, Ty};

/// More flags than this are not looked at.
const MAX_FLAGS: usize = 3;

/// One of the two cases of a variable of a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Case {
    pub variable: usize,
    pub is_positive: bool,
}

impl Case {
    pub fn holds(self, snapshot: &Snapshot) -> bool {
        match snapshot.values.get(self.variable) {
            Some(&Datum::Number(n)) => (n > 0) == self.is_positive,
            _ => false,
        }
    }

    /// The case as a guard, and its opposite.
    fn constraints(self) -> [Constraint; 2] {
        let v = Term::Variable(self.variable);
        let positive = Constraint {
            left: Term::Zero,
            relation: Relation::Less,
            right: v,
        };
        let not_positive = Constraint {
            left: v,
            relation: Relation::AtMost,
            right: Term::Zero,
        };
        if self.is_positive {
            [positive, not_positive]
        } else {
            [not_positive, positive]
        }
    }
}

/// The cases to look at, two for each flag of the point.
pub fn cases(program: &Program, point: &Point) -> Vec<Case> {
    let function = program.function(point.function);
    let is_flag = |&v: &usize| match (point.variables[v].role, point.variables[v].binding) {
        (Role::Scalar, Binding::Local(local)) => is_flag(function, local),
        _ => false,
    };
    let flags = (0..point.variables.len()).filter(is_flag).take(MAX_FLAGS);
    let both = |variable| {
        [true, false].map(|is_positive| Case {
            variable,
            is_positive,
        })
    };
    flags.flat_map(both).collect()
}

/// Whether a local is only ever given constants, 0 and others, none of them negative.
fn is_flag(function: &Function, local: LocalId) -> bool {
    let (mut zero, mut positive) = (false, false);
    for stmt in function.blocks.iter().flat_map(|b| &b.stmts) {
        match stmt.kind {
            StmtKind::Assign { place, value } if place == Place::Local(local) => {
                let value = function.expr(value);
                match (&value.kind, value.ty) {
                    (ExprKind::Const(0), _) => zero = true,
                    (&ExprKind::Const(bits), Ty::Int(width)) if bits >> (width - 1) & 1 == 0 => {
                        positive = true;
                    }
                    _ => return false,
                }
            }
            StmtKind::Havoc { place, .. } if place == Place::Local(local) => return false,
            StmtKind::Call { dest, .. } if dest == Some(Place::Local(local)) => return false,
            _ => {}
        }
    }
    zero && positive
}

/// Adds to a formula what holds in one case, as far as it says more.
pub fn add(formula: &mut Formula, case: Case, of_case: Formula) {
    let [guard, opposite] = case.constraints();
    // Once for both cases.
    if case.is_positive {
        formula.conjuncts.push(Conjunct::OneOf(vec![Arrangement {
            constraints: vec![Constraint {
                left: Term::Zero,
                relation: Relation::AtMost,
                right: Term::Variable(case.variable),
            }],
            comparisons: Vec::new(),
        }]));
    }
    let n = formula.conjuncts.len();
    for mut conjunct in of_case.conjuncts {
        match &mut conjunct {
            Conjunct::ForAll(all) => all.guard.push(guard),
            Conjunct::OneOf(list) => list.push(Arrangement {
                constraints: vec![opposite],
                comparisons: Vec::new(),
            }),
        }
        formula.conjuncts.push(conjunct);
    }
    let kept = vec![true; formula.conjuncts.len()];
    let said = implied::worth_saying(&formula.conjuncts, &kept);
    let mut number = 0;
    formula.conjuncts.retain(|_| {
        number += 1;
        number <= n || said[number - 1]
    });
}
