//! Letters as guarded commands over state variables, without a trace around them.
//!
//! A *state variable* is a variable term that stands for the value of one place wherever it occurs;
//! a [`Command`] speaks of the state before it. What a command draws (inputs) are variables of its own.
//! Nothing here knows of C: [`effects`](super::effects) makes the commands of a program.
//!
//! | in FL | here |
//! |---|---|
//! | `Σ`, statements | letters, each with a [`Command`] |
//! | `pre(φ, s)` | [`System::pre`]; what the command draws is read existentially |
//! | `wp(φ, s)` | [`System::after`], to be read together with [`Command::condition`] |

use idiolect_smt::{Node, Sort, Substitution, TermId, Terms};
use rustc_hash::FxHashSet;

/// One thing that a command does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Runs go on only where this holds.
    Assume(TermId),
    /// Variables and their new values over the state before the step, all at once.
    Assign(Vec<(TermId, TermId)>),
}

impl Step {
    pub fn assign(variable: TermId, value: TermId) -> Self {
        Step::Assign(vec![(variable, value)])
    }
}

/// What a letter does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    pub steps: Vec<Step>,
    /// Variables that stand for any value, chosen anew whenever the command is run.
    pub drawn: Vec<TermId>,
    /// The command does what the statement does. Otherwise it may do more: what it cannot do, the
    /// statement cannot do either, and nothing else follows from it.
    pub is_exact: bool,
    /// Holds before the command where it can be run: all steps composed.
    condition: TermId,
    /// The changed variables, and their values after the command over the state before it.
    updates: Vec<(TermId, TermId)>,
    written: FxHashSet<TermId>,
}

impl Command {
    pub fn new(terms: &mut Terms, steps: Vec<Step>, drawn: Vec<TermId>, is_exact: bool) -> Self {
        let mut condition = terms.tt();
        let mut updates: Vec<(TermId, TermId)> = Vec::new();
        for step in &steps {
            let mut map = Substitution::default();
            map.terms.extend(updates.iter().copied());
            match step {
                &Step::Assume(assumed) => {
                    let now = terms.substitute(assumed, &mut map);
                    condition = terms.and(condition, now);
                }
                Step::Assign(list) => {
                    for &(variable, value) in list {
                        let value = terms.substitute(value, &mut map);
                        match updates.iter_mut().find(|u| u.0 == variable) {
                            Some(known) => known.1 = value,
                            None => updates.push((variable, value)),
                        }
                    }
                }
            }
        }
        updates.retain(|u| u.0 != u.1);
        let written = updates.iter().map(|u| u.0).collect();
        Self {
            steps,
            drawn,
            is_exact,
            condition,
            updates,
            written,
        }
    }

    pub fn condition(&self) -> TermId {
        self.condition
    }

    pub fn updates(&self) -> &[(TermId, TermId)] {
        &self.updates
    }

    pub fn writes(&self, variable: TermId) -> bool {
        self.written.contains(&variable)
    }
}

/// The letters and the pool that their terms are in.
#[derive(Default)]
pub struct System {
    pub terms: Terms,
    pub commands: Vec<Command>,
}

impl System {
    pub fn new() -> Self {
        Self {
            terms: Terms::new(),
            commands: Vec::new(),
        }
    }

    /// A letter that does these steps, which draw nothing unless it is in `drawn`.
    pub fn add(&mut self, steps: Vec<Step>, drawn: Vec<TermId>) -> usize {
        let command = Command::new(&mut self.terms, steps, drawn, true);
        self.commands.push(command);
        self.commands.len() - 1
    }

    /// `predicate`, which speaks of the state after the letter, over the state before it.
    pub fn after(&mut self, letter: usize, predicate: TermId) -> TermId {
        let mut map = Substitution::default();
        map.terms
            .extend(self.commands[letter].updates.iter().copied());
        self.terms.substitute(predicate, &mut map)
    }

    /// Holds where the letter can lead to a state of `predicate`. What the letter draws is renamed,
    /// and the new names come back; they and those of the predicate are to be read existentially.
    pub fn pre(&mut self, letter: usize, predicate: TermId) -> (TermId, Vec<TermId>) {
        let after = self.after(letter, predicate);
        let condition = self.commands[letter].condition;
        let all = self.terms.and(condition, after);
        let drawn = self.commands[letter].drawn.clone();
        if drawn.is_empty() {
            return (all, drawn);
        }
        let (mut map, mut fresh) = (Substitution::default(), Vec::new());
        for variable in drawn {
            let new = like(&mut self.terms, "drawn", variable);
            map.terms.insert(variable, new);
            fresh.push(new);
        }
        let all = self.terms.substitute(all, &mut map);
        let used = variables(&self.terms, all);
        fresh.retain(|v| used.contains(v));
        (all, fresh)
    }
}

/// A new variable of the sort of another.
pub fn like(terms: &mut Terms, name: &str, variable: TermId) -> TermId {
    match terms.sort(variable) {
        Sort::Bool => terms.bool_var(name),
        Sort::BitVec(width) => terms.bv_var(name, width),
    }
}

/// The variables of a term, as terms, ascending.
pub fn variables(terms: &Terms, term: TermId) -> Vec<TermId> {
    let (found, _) = terms.variables_of(&[term]);
    let mut list: Vec<TermId> = found.iter().map(|&v| terms.variable_term(v)).collect();
    list.sort_unstable();
    list
}

/// The parts of a conjunction, which is one of one part if it is nothing else.
pub fn conjuncts(terms: &Terms, term: TermId, parts: &mut Vec<TermId>) {
    let mut stack = vec![term];
    while let Some(top) = stack.pop() {
        match terms.node(top) {
            Node::Binary(idiolect_smt::BinaryOp::And, a, b) if terms.sort(top) == Sort::Bool => {
                stack.push(b);
                stack.push(a);
            }
            _ if terms.known_true(top) => {}
            _ if parts.contains(&top) => {}
            _ => parts.push(top),
        }
    }
}
