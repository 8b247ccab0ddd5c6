//! Finite automata and what one does with them: deterministic and nondeterministic automata,
//! Moore and Mealy machines with any output, probabilistic and pushdown automata, and the formats
//! in which they are exchanged.
//!
//! | type | what | operations |
//! |---|---|---|
//! | [`Dfa`] | complete and deterministic, a [`Moore`] machine with output `bool` | Boolean operations, emptiness, words in order, counting, [`Trimmed`] form with dominating letters and doomed states |
//! | [`Moore`] | an output at every state | minimization, canonical form, isomorphism, equivalence with a least distinguishing word, access words, products |
//! | [`Mealy`] | an output at every transition | minimization, canonical form, isomorphism, equivalence with a least distinguishing word |
//! | [`Nfa`] | λ-moves, several initial states | determinization, reversal, union, intersection, [`residual_nfa`] |
//! | [`Pfsa`] | weights on transitions and ends | probabilities of words |
//! | [`Pda`] | a stack | shortest word in common with a [`Dfa`] |
//!
//! Letters and states are small numbers, [`Letter`] and [`StateId`]; an [`Alphabet`] names the
//! letters where people or files are concerned. Tables are flat, results do not depend on hash
//! order, and *least* always means length-lexicographically least: shorter first, then by letter.
//!
//! ```
//! use idiolect_automata::{Alphabet, Dfa, Letter};
//!
//! // Words over {g, f} with an odd number of f.
//! let alphabet = Alphabet::new(["g", "f"]);
//! let odd = Dfa::from_fn(2, &[false, true], |q, a| if a.index() == 1 { 1 - q } else { q });
//! assert!(odd.accepts(&[Letter(1), Letter(0)]));
//!
//! // Is every such word a word with some f? Yes. The other way around? No, and this is why.
//! let some = Dfa::from_fn(2, &[false, true], |q, a| q | a.index());
//! assert!(odd.is_subset(&some));
//! let word = some.difference(&odd).shortest_accepted().unwrap();
//! assert_eq!(alphabet.show(&word), "f f");
//! ```
//!
//! Not here: learning automata (the crate `idiolect-learn`), automata on infinite words, and
//! automata whose letters are predicates.
//!
//! # Panics
//!
//! Functions that take two automata expect alphabets of the same size, and functions that take a
//! state or a letter expect one of this automaton; a mistake there is a bug of the caller, and
//! panics. Whatever comes from a file is answered with an error instead.

mod alphabet;
mod backward;
mod boolean;
mod compare;
pub mod formats;
pub mod generate;
mod mealy;
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
pub use mealy::Mealy;
pub use moore::{Dfa, Moore, StateId};
pub use nfa::{Nfa, TooManyStates};
pub use pda::{Pda, PdaError, PdaTransition, StackSymbol};
pub use pfsa::{Pfsa, PfsaEdge};
pub use residual::residual_nfa;
pub use trim::{Marks, Trimmed};
pub use words::AcceptedWords;
