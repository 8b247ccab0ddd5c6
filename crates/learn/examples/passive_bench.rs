//! Prints sizes and times of the passive learners on words of a random DFA.
//!
//! `passive_bench STATES LETTERS WORDS LONGEST SEED [FILE]` also writes the sample to a file: a line
//! for each word, 0 or 1 and then its letters.
#![allow(clippy::print_stdout)]

use idiolect_automata::{Letter, Word, generate::RandomDfa};
use idiolect_base::Rng;
use idiolect_learn::passive::{Agreement, PrefixTree, SkStrings, alergia, edsm, k_tails, rpni};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let usage = "usage: passive_bench STATES LETTERS WORDS LONGEST SEED [FILE]";
    let numbers: Vec<usize> = args
        .iter()
        .take(5)
        .map(|a| a.parse())
        .collect::<Result<_, _>>()?;
    let [n, k, n_words, longest, seed] = numbers.try_into().map_err(|_| usage)?;
    let target = RandomDfa::new(n, k)
        .draw(&mut Rng::new(seed as u64, 0))
        .ok_or("no such DFA")?;
    let mut rng = Rng::new(seed as u64, 1);
    let sample: Vec<(Word, bool)> = (0..n_words)
        .map(|_| {
            let length = rng.below(longest as u64 + 1);
            let word: Word = (0..length)
                .map(|_| Letter(rng.below(k as u64) as u32))
                .collect();
            let label = target.accepts(&word);
            (word, label)
        })
        .collect();
    if let Some(path) = args.get(5) {
        let mut text = String::new();
        for (word, label) in &sample {
            text += if *label { "1" } else { "0" };
            for a in word {
                text += &format!(" {}", a.index());
            }
            text.push('\n');
        }
        std::fs::write(path, text)?;
    }
    let start = Instant::now();
    let tree = PrefixTree::of_labeled(k, &sample);
    let built = start.elapsed().as_secs_f64();
    println!("prefix tree: {} nodes, {built:.4} s", tree.n_nodes());
    for (name, learner) in [("rpni", rpni as fn(&PrefixTree) -> _), ("edsm", edsm)] {
        let start = Instant::now();
        let dfa = learner(&tree)?;
        let seconds = start.elapsed().as_secs_f64();
        let exact = dfa.is_equivalent(&target);
        println!(
            "{name}: {} states, exact: {exact}, {seconds:.4} s",
            dfa.n_states()
        );
    }
    let words: Vec<(&Word, u64)> = sample
        .iter()
        .filter(|(_, l)| *l)
        .map(|(w, _)| (w, 1))
        .collect();
    let tree = PrefixTree::of_words(k, &words);
    let start = Instant::now();
    let pfsa = alergia(&tree, 0.05);
    println!(
        "alergia: {} states, {:.4} s",
        pfsa.n_states(),
        start.elapsed().as_secs_f64()
    );
    if n_words <= 1000 {
        let start = Instant::now();
        let pfsa = k_tails(&tree, 2);
        println!(
            "k-tails: {} states, {:.4} s",
            pfsa.n_states(),
            start.elapsed().as_secs_f64()
        );
        let start = Instant::now();
        let sk = SkStrings {
            k: 2,
            s: 0.5,
            agreement: Agreement::And,
        };
        let pfsa = sk.learn(&tree);
        println!(
            "sk-strings: {} states, {:.4} s",
            pfsa.n_states(),
            start.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
