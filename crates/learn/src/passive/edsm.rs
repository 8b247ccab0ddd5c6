//! EDSM: the merge with the most evidence.
//!
//! K. Lang, B. Pearlmutter and R. Price, *Results of the Abbadingo One DFA learning competition and
//! a new evidence-driven state merging algorithm*, ICGI 1998. The score of a merge is how many
//! times it merges two states that have the same label. A blue state that cannot be merged with
//! any red one is made red first.
//!
//! What speeds it up: two states that cannot be merged never can be later, as merges only add
//! labels; such pairs are remembered and not tried again.

use super::merging::{Contradictory, Merging, check_labels};
use super::prefix_tree::{Node, PrefixTree};
use idiolect_automata::Dfa;
use rustc_hash::FxHashSet;

/// A DFA that accepts the accepted words and rejects the rejected ones.
pub fn edsm(tree: &PrefixTree) -> Result<Dfa, Contradictory> {
    check_labels(tree)?;
    let mut merging = Merging::new(tree, false);
    let mut incompatible: FxHashSet<(Node, Node)> = FxHashSet::default();
    while !merging.blue.is_empty() {
        let mut best: Option<(u64, Node, Node)> = None;
        let mut unlike_all = None;
        let blues: Vec<Node> = merging.blue.iter().copied().collect();
        'blues: for &blue in &blues {
            let mut fits = false;
            for i in 0..merging.red.len() {
                let red = merging.red[i];
                if incompatible.contains(&(red, blue)) {
                    continue;
                }
                let score = merging.fold(red, blue);
                merging.undo();
                match score {
                    None => {
                        incompatible.insert((red, blue));
                    }
                    Some(score) => {
                        fits = true;
                        // The first of several best: shortest words win.
                        if best.is_none_or(|(s, ..)| score > s) {
                            best = Some((score, red, blue));
                        }
                    }
                }
            }
            if !fits {
                unlike_all = Some(blue);
                break 'blues;
            }
        }
        if let Some(blue) = unlike_all {
            merging.promote(blue);
        } else if let Some((_, red, blue)) = best {
            merging.fold(red, blue);
            merging.commit();
        }
    }
    Ok(merging.to_dfa())
}
