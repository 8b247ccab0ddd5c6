//! RPNI: the first merge that does not contradict the sample.
//!
//! J. Oncina and P. García, *Identifying regular languages in polynomial time*, 1992. Blue states
//! are taken in length-lexicographic order of their words and merged with the first red state that
//! they can be merged with. Identifies the target in the limit; needs a sample with the right short
//! words, and goes wrong early without them, see [`edsm`](super::edsm()).

use super::merging::{Contradictory, Merging, check_labels};
use super::prefix_tree::PrefixTree;
use idiolect_automata::{Dfa, Letter, StateId, Word};

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
        if fits {
            merging.commit()
        } else {
            merging.promote(blue)
        }
    }
    Ok(merging.to_dfa())
}

/// The same, with the letters in the order of their frequency.
///
/// What RPNI promises holds for any fixed order of the letters; with a sample that is too small the order decides which
/// merges come first, and no merge is taken back. Those that come first are about words that begin with the first letters: if these
/// are the frequent ones, it is where the sample has most words that could speak against a merge.
pub fn rpni_by_frequency(n_letters: usize, words: &[(Word, bool)]) -> Result<Dfa, Contradictory> {
    let letters = words.iter().flat_map(|(word, _)| word);
    let k = letters.clone().map(|a| a.index() + 1).max().unwrap_or(0);
    let mut counts = vec![0u64; k.max(n_letters)];
    for letter in letters {
        counts[letter.index()] += 1;
    }
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by_key(|&a| std::cmp::Reverse(counts[a]));
    let mut rank = vec![Letter(0); order.len()];
    for (i, &a) in order.iter().enumerate() {
        rank[a] = Letter::new(i);
    }
    let renamed = |(word, label): &(Word, bool)| {
        let word: Word = word.iter().map(|a| rank[a.index()]).collect();
        (word, *label)
    };
    let renamed: Vec<(Word, bool)> = words.iter().map(renamed).collect();
    let found = rpni(&PrefixTree::of_labeled(rank.len(), &renamed))?;
    let step = |q: usize, a: Letter| found.step(StateId::new(q), rank[a.index()]).index();
    let mut dfa = Dfa::from_fn(rank.len(), found.outputs(), step);
    dfa.set_initial(found.initial());
    Ok(dfa.canonical())
}
