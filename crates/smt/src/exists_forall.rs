//! Is there an `x` such that for all `y` the formula `phi(x, y)` holds?
//!
//! Counterexample-guided instantiation with two incremental solvers, after Solar-Lezama and others,
//! *Combinatorial sketching for finite programs* (2006): one proposes an `x` that is right for the
//! values of `y` seen so far, the other looks for a `y` for which it is wrong, and that `y` is added.
//! Each round rules out at least one `x` and brings a new `y`, so it ends; it may take as many rounds
//! as there are values, which is what the budget is for.
//!
//! | there | here |
//! |---|---|
//! | `x`, controls | every variable that is not in `forall`, arrays included |
//! | `y`, inputs | `forall` |
//! | `Q(x, y)` | `phi` |

use idiolect_base::{Budget, StopReason};
use rustc_hash::FxHashSet;

use crate::array::ArrayNode;
use crate::model::{Evaluator, Model};
use crate::solver::{Outcome, Solver};
use crate::substitute::Substitution;
use crate::term::{ArrayId, Node, TermId, Terms, VarId};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// These values make `phi` hold whatever the others are.
    Exists {
        witness: Model,
        rounds: usize,
    },
    /// For every choice there is a value of `forall` that makes `phi` false; these few refute all.
    None {
        refuted_by: Vec<Model>,
    },
    Unknown(StopReason),
}

/// Looks for values of all other variables of `phi` such that it holds for all values of the
/// variables `forall`. Arrays are chosen, never quantified over.
#[cfg(any(feature = "cadical", feature = "batsat"))]
pub fn exists_forall(terms: &mut Terms, phi: TermId, forall: &[TermId], budget: &Budget) -> Answer {
    let universal: FxHashSet<VarId> = forall
        .iter()
        .filter_map(|&t| match terms.node(t) {
            Node::Var(v) => Some(v),
            _ => None,
        })
        .collect();
    let (variables, arrays) = terms.variables_of(&[phi]);
    let chosen: Vec<VarId> = variables
        .iter()
        .copied()
        .filter(|v| !universal.contains(v))
        .collect();
    let inputs: Vec<VarId> = variables
        .into_iter()
        .filter(|v| universal.contains(v))
        .collect();

    let wrong = terms.not(phi);
    let mut proposer = Solver::new();
    let mut refuter = Solver::new();
    let mut refuted_by: Vec<Model> = Vec::new();
    // The first proposal has to be right for the inputs 0, which costs no refuter.
    let mut cex = Model::new();
    loop {
        let instance = instantiate(terms, phi, &inputs, &cex);
        refuted_by.push(cex);
        proposer.assert(terms, instance);
        let mut proposal = match proposer.check(terms, &[], budget) {
            Outcome::Sat(model) => model,
            Outcome::Unsat(_) => return Answer::None { refuted_by },
            Outcome::Unknown(reason) => return Answer::Unknown(reason),
        };
        // What the instances so far did not mention may still matter: it gets the value 0 here.
        for &v in &chosen {
            let value = proposal.get(v).unwrap_or(0);
            proposal.set(v, value);
        }
        // Scalars are fixed by assumption, which keeps the refuter's encoding and what it learned;
        // arrays are written into the formula.
        let goal = if arrays.is_empty() {
            wrong
        } else {
            with_arrays(terms, wrong, &arrays, &proposal)
        };
        let mut assumptions = vec![goal];
        for &v in &chosen {
            let variable = terms.variable_term(v);
            let value = proposal.get(v).unwrap_or(0);
            let value = terms.constant(value, terms.sort(variable));
            assumptions.push(terms.eq(variable, value));
        }
        match refuter.check(terms, &assumptions, budget) {
            Outcome::Sat(model) => {
                cex = Model::new();
                let mut evaluator = Evaluator::new(terms, &model);
                for &v in &inputs {
                    cex.set(v, evaluator.eval(terms.variable_term(v)));
                }
            }
            Outcome::Unsat(_) => {
                return Answer::Exists {
                    witness: proposal,
                    rounds: refuted_by.len(),
                };
            }
            Outcome::Unknown(reason) => return Answer::Unknown(reason),
        }
    }
}

/// `phi` with the values of `cex` for `inputs`.
fn instantiate(terms: &mut Terms, phi: TermId, inputs: &[VarId], cex: &Model) -> TermId {
    let mut map = Substitution::default();
    for &v in inputs {
        let variable = terms.variable_term(v);
        let sort = terms.sort(variable);
        let value = terms.constant(cex.get(v).unwrap_or(0), sort);
        map.terms.insert(variable, value);
    }
    terms.substitute(phi, &mut map)
}

/// `phi` with the contents that `model` gives to `arrays`.
fn with_arrays(terms: &mut Terms, phi: TermId, arrays: &[ArrayId], model: &Model) -> TermId {
    let mut map = Substitution::default();
    for &array in arrays {
        let ArrayNode::Var(variable) = terms.array_node(array) else {
            continue;
        };
        let (index_width, width) = terms.array_sort(array);
        let value = model.array(variable).cloned().unwrap_or_default();
        let default = terms.bv(value.default, width);
        let mut content = terms.array_const(default, index_width);
        for (&index, &element) in &value.entries {
            let (index, element) = (terms.bv(index, index_width), terms.bv(element, width));
            content = terms.store(content, index, element);
        }
        map.arrays.insert(array, content);
    }
    terms.substitute(phi, &mut map)
}
