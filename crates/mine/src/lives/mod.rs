//! The lives of objects: from the call that makes a descriptor, stream, block or mutex to the one
//! that ends it, or to the end of the run.
//!
//! *Question*: which rules do programs keep with each object of a kind, and which objects break
//! them? *Method*: every call on an object is an event of its life; a few templates of rules
//! ([`Template`]) are counted over all lives, by program ([`LifeCounts`]); those that enough programs
//! keep are the specification of the kind ([`LifeRules`]), and every event of every life is checked
//! by them ([`LifeChecker`]). *Guarantee*: none but that the rules summarize the traces. *Limits*:
//! a call that is not in the trace is not seen. Its traces are: a value that is made twice is two
//! objects, and a call that succeeds on an object of a validated kind shows that the object is there.

mod automaton;
mod check;
mod counts;
mod machine;
mod rules;
mod track;

pub use automaton::{LifeAutomaton, life_automaton};
pub use check::{LifeBreak, LifeCheck, LifeChecker, LifeStep, LifeViolation};
pub(crate) use counts::{Candidate, OfProgram, Tally};
pub use counts::{LifeCounter, LifeCounts, Vote};
pub(crate) use machine::{LifeMachine, Next};
pub(crate) use rules::RulesInFile;
pub use rules::{LifeRule, LifeRules, RuleConfig, Template, Voters};
pub(crate) use track::{Life, LifeEvent, Observer, Over, Seen, Tracker};

#[cfg(test)]
mod tests;
