//! Automata learning, active and passive.
//!
//! **Active**: a learner asks a [`MembershipOracle`] for words, in batches, and an
//! [`EquivalenceOracle`] for its hypotheses; [`learn`] drives any of them. Answers may be of any
//! type, and learners are written once for Moore (and so DFA) and Mealy machines, see [`Machine`].
//! What an equivalence oracle has shown travels as a [`Guarantee`].
//!
//! | learner | questions about n states, k letters | choose it |
//! |---|---|---|
//! | [`KearnsVazirani`], [`Ttt`] | fewest for an oracle that answers whole words | by default; TTT for long counterexamples |
//! | [`LSharp`] | fewest for an oracle that runs its target and so answers all prefixes | for black boxes |
//! | [`RivestSchapire`], [`LStarColumns`], [`LStar`] | about twice as many | for few equivalence queries |
//! | [`NlStar`] | more, but the residual automaton may be exponentially smaller | for reading |
//!
//! Oracles are wrapped, not extended: [`Counting`], [`Caching`] (with [`Pattern`]s and a file),
//! `Parallel` (feature `parallel`). A stop in the middle is not a failure: the learner keeps its hypothesis,
//! and the next call carries on. Learners are saved as what they were told (`Saved`, feature `serde`).
//! [`StartFrom`] learns what became of an earlier model.
//!
//! **Passive**: see [`passive`].
//!
//! **Running systems**: see [`sul`].
//!
//! *Not* for timed or register automata, or for systems that are not deterministic beyond a little
//! noise.
//!
//! ```
//! use idiolect_automata::Dfa;
//! use idiolect_learn::{DfaOracle, Exact, KearnsVazirani, Learner, learn};
//! // Words over {0, 1} with a number of 1s that is a multiple of three.
//! let target = Dfa::from_fn(2, &[true, false, false], |q, a| (q + a.index()) % 3);
//! let mut mq = DfaOracle::new(&target);
//! let mut learner = KearnsVazirani::new(2, &mut mq)?;
//! learn(&mut learner, &mut mq, &mut Exact::new(&target))?;
//! assert_eq!(learner.hypothesis().n_states(), 3);
//! # Ok::<(), idiolect_learn::RefineError>(())
//! ```

mod analysis;
pub mod answer_tree;
mod apartness;
#[cfg(feature = "serde")]
mod cache_file;
mod discrimination_tree;
mod equivalence;
mod interned;
mod kearns_vazirani;
mod kind;
mod learner;
mod lsharp;
mod lstar;
mod lstar_columns;
mod machine;
mod nlstar;
mod observation_table;
mod oracle;
pub mod passive;
mod pattern;
mod rivest_schapire;
#[cfg(feature = "serde")]
mod saved;
mod separators;
mod suffix;
pub mod sul;
mod ttt;
mod word_map;
mod wrapper;

pub use answer_tree::AnswerTree;
#[cfg(feature = "serde")]
pub use cache_file::{CacheFileError, read_answers, write_answers};
pub use equivalence::{
    Exact, PacSampling, RandomWalks, RandomWords, RandomWp, StartFrom, StateCover, WMethod,
    WordSource, WpMethod, pac_intro_samples, pac_samples,
};
pub use kearns_vazirani::KearnsVazirani;
pub use kind::{DfaLearner, LearnerKind, MachineLearner, MealyLearner, MooreLearner};
pub use learner::{Learned, Learner, Notes, RefineError, learn};
pub use lsharp::LSharp;
pub use lstar::LStar;
pub use lstar_columns::LStarColumns;
pub use machine::Machine;
pub use nlstar::NlStar;
pub use oracle::{
    Counterexample, EqAnswer, EquivalenceOracle, Guarantee, MembershipOracle, Stepped, Trace,
};
pub use pattern::{Pattern, Patterns};
pub use rivest_schapire::RivestSchapire;
#[cfg(feature = "serde")]
pub use saved::{RestoreError, Saved};
pub use suffix::{SuffixId, SuffixPool};
pub use ttt::Ttt;
pub use word_map::{Full, WordMap};
pub use wrapper::{
    CacheCounts, Caching, Counting, Counts, DfaOracle, FnOracle, MealyOracle, MooreOracle,
};
#[cfg(feature = "parallel")]
pub use wrapper::{Parallel, SharedOracle};
