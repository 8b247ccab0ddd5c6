//! A parser as the target: which shapes of numbers does Rust's standard library read?
#![allow(clippy::print_stdout)]

use idiolect_automata::formats::regex::Regex;
use idiolect_automata::{Alphabet, Letter};
use idiolect_learn::{FnOracle, Learner, Ttt, WpMethod, learn};

const LETTERS: [&str; 5] = ["7", ".", "-", "e", " "];

fn reads(word: &[Letter]) -> bool {
    let text: String = word.iter().map(|a| LETTERS[a.index()]).collect();
    text.parse::<f64>().is_ok()
}

fn main() -> Result<(), idiolect_learn::RefineError> {
    let mut mq = FnOracle::new(reads);
    let mut learner = Ttt::new(LETTERS.len(), &mut mq)?;
    learn(
        &mut learner,
        &mut mq,
        &mut WpMethod::new(FnOracle::new(reads), 2),
    )?;
    let dfa = learner.hypothesis();
    println!("{} states", dfa.n_states());
    if let Some(regex) = Regex::from_dfa(dfa, 400) {
        println!("{}", regex.show(&Alphabet::new(LETTERS)));
    }
    Ok(())
}
