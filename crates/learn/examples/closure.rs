//! A plain function as the target: which words over `(` and `)` are balanced up to depth 3?
#![allow(clippy::print_stdout)]

use idiolect_automata::formats::regex::Regex;
use idiolect_automata::{Alphabet, Letter};
use idiolect_learn::{FnOracle, KearnsVazirani, Learner, WpMethod, learn};

fn balanced(word: &[Letter]) -> bool {
    let mut depth = 0i32;
    let inside = word.iter().all(|a| {
        depth += if a.0 == 0 { 1 } else { -1 };
        (0..=3).contains(&depth)
    });
    inside && depth == 0
}

fn main() -> Result<(), idiolect_learn::RefineError> {
    let mut mq = FnOracle::new(balanced);
    let mut learner = KearnsVazirani::new(2, &mut mq)?;
    let mut eq = WpMethod::new(FnOracle::new(balanced), 1);
    let learned = learn(&mut learner, &mut mq, &mut eq)?;
    let dfa = learner.hypothesis();
    println!("{} states after {} rounds", dfa.n_states(), learned.rounds);
    if let Some(regex) = Regex::from_dfa(dfa, 200) {
        println!("{}", regex.show(&Alphabet::new(["(", ")"])));
    }
    Ok(())
}
