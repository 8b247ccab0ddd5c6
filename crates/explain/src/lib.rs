//! The language of an error: in which ways, in a user's own vocabulary of events, does a program
//! come to a failing assertion? And what does a program do, and what did a change change?
//!
//! A [`EventVocabulary`] says which events are letters. A [`Session`] encodes the program once and
//! answers a learner's questions with it, up to bounds on loops and on words. What comes out is a
//! [`LearnedLanguage`]: an automaton, and what is promised of it. After H. Chockler, P. Kesseli,
//! D. Kroening and O. Strichman, *Learning the Language of Software Errors* (JAIR 2020).
//!
//! What is not here: reading C (the caller does), and how a language is shown.

mod blame;
mod conjecture;
mod consistent;
mod difference;
mod doubts;
mod flow;
mod pieces;
mod question;
mod replay;
mod rounds;
mod run_rounds;
mod session;
mod sets;
mod strategy;
mod symbolic;
mod teacher;
mod undecided;
mod vocabulary;
mod witness;

pub use blame::Blame;
pub use conjecture::Promise;
pub use difference::{Difference, Side};
pub use question::{Blocked, Reason, WordAnswer};
pub use replay::{Replay, Replayer};
pub use rounds::LoopRounds;
pub use session::{
    Bounds, LanguageStatistics, Laziness, LearnedLanguage, LearningProgress, ModelDoubt, Options,
    Session,
};
pub use teacher::{AnsweredBy, Disagreement};
pub use vocabulary::{ASSERT, BranchNames, Choice, EventVocabulary, LanguageTarget, UnknownEvent};
pub use witness::WordWitness;
