//! Automata from given words.
//!
//! [`rpni`] and [`edsm`] learn a DFA from words that are in the language and words that are not,
//! [`Tolerant`] also from labels some of which are wrong, and a Mealy machine from input/output words,
//! [`alergia`], [`SkStrings`] and [`k_tails`] a probabilistic automaton from words alone.

mod alergia;
mod edsm;
mod merging;
mod prefix_tree;
mod rpni;
mod sk_strings;
mod string_classes;
mod tallies;

pub use alergia::alergia;
pub use edsm::edsm;
pub use merging::Contradictory;
pub use prefix_tree::PrefixTree;
pub use rpni::{rpni, rpni_by_frequency};
pub use sk_strings::{Agreement, SkStrings, k_tails};
pub use tallies::{Order, Tolerant};
