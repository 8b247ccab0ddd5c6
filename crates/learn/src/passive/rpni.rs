//! RPNI: the first merge that does not contradict the sample.
//!
//! J. Oncina and P. García, *Identifying regular languages in polynomial time*, 1992. Blue states
//! are taken in length-lexicographic order of their words and merged with the first red state that
//! they can be merged with. Identifies the target in the limit; needs a sample with the right short
//! words, and goes wrong early without them, see [`edsm`](super::edsm()).

use super::merging::{Contradictory, Merging, check_labels};
use super::prefix_tree::PrefixTree;
use idiolect_automata::Dfa;

/// A DFA that accepts the accepted words and rejects the rejected ones.
pub fn rpni(tree: &PrefixTree) -> Result<Dfa, Contradictory> {
    check_labels(tree)?;
    let mut merging = Merging::new(tree, false);
    while let Some(&blue) = merging.blue.first() {
        let fits = (0..merging.red.len()).any(|i| {
            let fits = merging.fold(merging.red[i], blue).is_some();
            if !fits {
                merging.undo();
            }
            fits
        });
        match fits {
            true => merging.commit(),
            false => merging.promote(blue),
        }
    }
    Ok(merging.to_dfa())
}
