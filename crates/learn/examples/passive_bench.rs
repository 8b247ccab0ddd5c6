//! Prints sizes and times (that for the prefix tree included) of the passive learners on words of a
//! random DFA.
//!
//! `passive_bench STATES LETTERS WORDS LONGEST SEED [FILE]` also writes the sample to a file: a line
//! for each word, 0 or 1 and then its letters.
//!
//! `passive_bench TRAIN TEST` learns from the words of such a file and says how many of another it gets
//! right.
#![allow(clippy::print_stdout)]

use cpu_time::ThreadTime;
use idiolect_automata::{Letter, Pfsa, Word, generate::RandomDfa};
use idiolect_base::Rng;
use idiolect_learn::passive::{
    Agreement, PrefixTree, SkStrings, alergia, edsm, k_tails, rpni, rpni_by_frequency,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [train, test] = args.as_slice() {
        return accuracy(train, test);
    }
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
    println!("learner        states  exact    seconds");
    for (name, learner) in [("rpni", rpni as fn(&PrefixTree) -> _), ("edsm", edsm)] {
        let start = ThreadTime::now();
        let dfa = learner(&PrefixTree::of_labeled(k, &sample))?;
        let seconds = start.elapsed().as_secs_f64();
        let exact = dfa.is_equivalent(&target);
        println!(
            "{name:<13} {:>7}  {exact:<5} {seconds:>10.6}",
            dfa.n_states()
        );
    }
    let words: Vec<(&Word, u64)> = sample
        .iter()
        .filter(|(_, l)| *l)
        .map(|(w, _)| (w, 1))
        .collect();
    let sk = SkStrings {
        k: 2,
        s: 0.5,
        agreement: Agreement::And,
    };
    type Probabilistic<'a> = &'a dyn Fn(&PrefixTree) -> Pfsa;
    let learners: [(&str, Probabilistic<'_>); 3] = [
        ("alergia", &|tree| alergia(tree, 0.05)),
        ("k-tails", &|tree| k_tails(tree, 2)),
        ("sk-strings", &|tree| sk.learn(tree)),
    ];
    for (name, learner) in learners {
        // Random words have next to nothing in common, and what looks k letters ahead at each of
        // a million different states takes its time.
        if name != "alergia" && n_words > 1000 {
            continue;
        }
        let start = ThreadTime::now();
        let pfsa = learner(&PrefixTree::of_words(k, &words));
        let seconds = start.elapsed().as_secs_f64();
        println!("{name:<13} {:>7}  -     {seconds:>10.6}", pfsa.n_states());
    }
    Ok(())
}

/// The words of a file; letters are numbers.
fn read(path: &str) -> Result<Vec<(Word, bool)>, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(path)?;
    let word = |line: &str| -> Result<(Word, bool), std::num::ParseIntError> {
        let mut parts = line.split_whitespace();
        let label = parts.next() == Some("1");
        let word: Result<Word, _> = parts.map(|a| a.parse().map(Letter)).collect();
        Ok((word?, label))
    };
    Ok(text.lines().map(word).collect::<Result<_, _>>()?)
}

fn accuracy(train: &str, test: &str) -> Result<(), Box<dyn std::error::Error>> {
    let (train, test) = (read(train)?, read(test)?);
    let letters = train.iter().chain(&test).flat_map(|(word, _)| word);
    let k = letters.map(|a| a.index() + 1).max().unwrap_or(0);
    println!("learner        states  right    seconds");
    for name in ["rpni", "rpni-given", "edsm"] {
        let start = ThreadTime::now();
        let dfa = match name {
            "rpni" => rpni_by_frequency(k, &train)?,
            // With the letters in the order given, as it is published.
            "rpni-given" => rpni(&PrefixTree::of_labeled(k, &train))?,
            _ => edsm(&PrefixTree::of_labeled(k, &train))?,
        };
        let seconds = start.elapsed().as_secs_f64();
        let right = test
            .iter()
            .filter(|(word, label)| dfa.accepts(word) == *label);
        let right = right.count() as f64 / test.len().max(1) as f64;
        println!(
            "{name:<13} {:>7} {right:>6.4} {seconds:>10.6}",
            dfa.n_states()
        );
    }
    Ok(())
}
