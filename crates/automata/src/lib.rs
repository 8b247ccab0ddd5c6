//! Finite automata: alphabets, words, DFA, NFA, Moore machines, weighted and pushdown automata,
//! and what one does with them.
//!
//! ```
//! use idiolect_automata::{Dfa, Letter};
//! // Words over {0, 1} with an odd number of 1s.
//! let odd = Dfa::from_fn(2, &[false, true], |q, a| if a.index() == 1 { 1 - q } else { q });
//! assert!(odd.accepts(&[Letter(1), Letter(0)]));
//! ```

mod alphabet;
mod backward;
mod boolean;
mod compare;
pub mod formats;
pub mod generate;
mod minimize;
mod moore;
mod nfa;
mod pda;
mod pda_search;
mod pfsa;
mod reach;
mod residual;
#[cfg(test)]
mod testing;
mod trim;
mod words;

pub use alphabet::{Alphabet, Letter, Word};
pub use moore::{Dfa, Moore, StateId};
pub use nfa::{Nfa, TooManyStates};
pub use pda::{Pda, PdaError, PdaTransition, StackSymbol};
pub use pfsa::{Pfsa, PfsaEdge};
pub use residual::residual_nfa;
pub use trim::{Marks, Trimmed};
pub use words::AcceptedWords;
