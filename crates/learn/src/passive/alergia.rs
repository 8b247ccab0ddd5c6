//! ALERGIA: merges states whose frequencies do not differ significantly.
//!
//! R. C. Carrasco and J. Oncina, *Learning stochastic regular grammars by means of a state merging
//! method*, ICGI 1994. Two frequencies f₁/n₁ and f₂/n₂ differ when their distance is above the
//! Hoeffding bound √(½ ln(2/α)) (1/√n₁ + 1/√n₂); two states differ when the frequencies of ending
//! there or of some letter do, or some of their successors differ.

use super::merging::Merging;
use super::prefix_tree::{Node, PrefixTree};
use idiolect_automata::Pfsa;

/// A deterministic probabilistic automaton from weighted words.
///
/// `alpha`, between 0 and 1, is the risk taken in each comparison: a small one merges more. Values
/// outside are brought inside.
pub fn alergia(tree: &PrefixTree, alpha: f64) -> Pfsa {
    let alpha = if alpha.is_nan() {
        0.05
    } else {
        alpha.clamp(f64::MIN_POSITIVE, 1.0)
    };
    let scale = (0.5 * (2.0 / alpha).ln()).sqrt();
    let mut merging = Merging::new(tree, true);
    while let Some(&blue) = merging.blue.first() {
        let fits = (merging.red.iter().copied()).find(|&red| similar(&merging, red, blue, scale));
        match fits {
            Some(red) => {
                merging.fold_counts(red, blue);
                merging.commit();
            }
            None => merging.promote(blue),
        }
    }
    merging.to_pfsa()
}

fn similar(merging: &Merging<'_>, red: Node, blue: Node, scale: f64) -> bool {
    let mut stack = vec![(red, blue)];
    while let Some((x, y)) = stack.pop() {
        let (nx, ny) = (
            merging.came[x as usize] as f64,
            merging.came[y as usize] as f64,
        );
        if nx == 0.0 || ny == 0.0 {
            continue;
        }
        let bound = scale * (nx.sqrt().recip() + ny.sqrt().recip());
        // Nothing differs by more than 1, and below a state there are fewer words still.
        if bound >= 1.0 {
            continue;
        }
        let differ = |fx: u64, fy: u64| (fx as f64 / nx - fy as f64 / ny).abs() > bound;
        if differ(merging.ends[x as usize], merging.ends[y as usize]) {
            return false;
        }
        for b in merging.transitions(y) {
            let a = merging.transition(x, merging.letter(b));
            let taken = a.map_or(0, |a| merging.passes[a as usize]);
            if differ(taken, merging.passes[b as usize]) {
                return false;
            }
            if let Some(a) = a {
                stack.push((merging.state(a), merging.state(b)));
            }
        }
        for a in merging.transitions(x) {
            let missing = merging.transition(y, merging.letter(a)).is_none();
            if missing && differ(merging.passes[a as usize], 0) {
                return false;
            }
        }
    }
    true
}
