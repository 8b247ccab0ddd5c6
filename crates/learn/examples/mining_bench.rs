//! Times sk-strings and k-tails on words of a protocol, as traces of programs are: many words, few
//! of them different. `mining_bench WORDS DIFFERENT`.
#![allow(clippy::print_stdout)]

use idiolect_automata::{Letter, Word};
use idiolect_base::Rng;
use idiolect_learn::passive::{Agreement, PrefixTree, SkStrings, k_tails};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<u64> = std::env::args()
        .skip(1)
        .map(|a| a.parse())
        .collect::<Result<_, _>>()?;
    let [n_words, n_different] = args
        .try_into()
        .map_err(|_| "usage: mining_bench WORDS DIFFERENT")?;
    let mut rng = Rng::new(1, 0);
    let different: Vec<Word> = (0..n_different).map(|_| protocol_word(&mut rng)).collect();
    let words: Vec<(&Word, u64)> = (0..n_words)
        .map(|i| {
            (
                &different[(i % n_different.max(1)) as usize],
                1 + rng.below(3),
            )
        })
        .collect();
    let start = Instant::now();
    let tree = PrefixTree::of_words(20, &words);
    let seconds = start.elapsed().as_secs_f64();
    println!("prefix tree: {} nodes, {seconds:.4} s", tree.n_nodes());
    let start = Instant::now();
    let pfsa = k_tails(&tree, 2);
    let seconds = start.elapsed().as_secs_f64();
    println!("k-tails: {} states, {seconds:.4} s", pfsa.n_states());
    for agreement in [
        Agreement::And,
        Agreement::Or,
        Agreement::Lax,
        Agreement::Strict,
    ] {
        let start = Instant::now();
        let sk = SkStrings {
            k: 2,
            s: 0.5,
            agreement,
        };
        let pfsa = sk.learn(&tree);
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "sk-strings {agreement:?}: {} states, {seconds:.4} s",
            pfsa.n_states()
        );
    }
    Ok(())
}

/// Five to 25 letters of 20, three to choose from at each step.
fn protocol_word(rng: &mut Rng) -> Word {
    let mut state = 0;
    let mut word = Word::new();
    while word.len() < 5 || (word.len() < 25 && rng.below(10) > 0) {
        let letter = (state * 7 + rng.below(3) * 5) % 20;
        state = (state + letter + 1) % 9;
        word.push(Letter(letter as u32));
    }
    word
}
