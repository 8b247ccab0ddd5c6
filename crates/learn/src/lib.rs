//! Automata learning, active and passive.
//!
//! *Active*: a learner asks a [`MembershipOracle`] for words and an [`EquivalenceOracle`] for its
//! hypotheses; [`learn`] drives any of them. *Passive*: an automaton from given words.
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
mod discrimination_tree;
mod equivalence;
mod kearns_vazirani;
mod kind;
mod learner;
mod lsharp;
mod lstar;
mod lstar_columns;
mod observation_table;
mod oracle;
mod rivest_schapire;
mod suffix;
mod ttt;
mod wrapper;

pub use answer_tree::AnswerTree;
pub use equivalence::Exact;
pub use kearns_vazirani::KearnsVazirani;
pub use kind::{LearnerKind, MooreLearner};
pub use learner::{Learned, Learner, Notes, RefineError, learn};
pub use lsharp::LSharp;
pub use lstar::LStar;
pub use lstar_columns::LStarColumns;
pub use oracle::{Counterexample, EqAnswer, EquivalenceOracle, Guarantee, MembershipOracle, Trace};
pub use rivest_schapire::RivestSchapire;
pub use suffix::{SuffixId, SuffixPool};
pub use ttt::Ttt;
pub use wrapper::{Counting, Counts, DfaOracle, MooreOracle};
