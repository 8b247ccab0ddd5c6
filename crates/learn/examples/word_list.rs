//! A DFA from words that are in a language and words that are not.
#![allow(clippy::print_stdout)]

use idiolect_automata::formats::regex::Regex;
use idiolect_automata::formats::words;
use idiolect_learn::passive::{PrefixTree, edsm};

const WORDS: &str = "+\n+ open close\n+ open read close\n+ open read read close\n\
    + open close open close\n- open\n- close\n- read\n- open read\n- open open\n\
    - open close close\n- open close read\n";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (list, alphabet) = words::read(WORDS.as_bytes())?;
    let labeled: Vec<_> = (list.into_iter())
        .filter_map(|w| Some((w.word, w.label?)))
        .collect();
    let dfa = edsm(&PrefixTree::of_labeled(alphabet.len(), &labeled))?;
    println!("{} states from {} words", dfa.n_states(), labeled.len());
    if let Some(regex) = Regex::from_dfa(&dfa, 200) {
        println!("{}", regex.show(&alphabet));
    }
    Ok(())
}
