//! A Moore machine: the light that a crossing shows after some ticks and presses of its button.
#![allow(clippy::print_stdout)]

use idiolect_automata::formats::dot;
use idiolect_automata::{Alphabet, Letter};
use idiolect_learn::{FnOracle, Learner, Ttt, WpMethod, learn};

fn light(word: &[Letter]) -> &'static str {
    let (mut waiting, mut time) = (false, 0);
    for a in word {
        match (a.index(), time) {
            (1, 0) => waiting = true,
            (0, 0) if waiting => time = 1,
            (0, 1..=2) => time += 1,
            (0, 3) => (waiting, time) = (false, 0),
            _ => {}
        }
    }
    ["red", "yellow", "green", "yellow"][time]
}

fn main() -> Result<(), idiolect_learn::RefineError> {
    let alphabet = Alphabet::new(["tick", "press"]);
    let mut mq = FnOracle::new(light);
    let mut learner = Ttt::new(alphabet.len(), &mut mq)?;
    learn(
        &mut learner,
        &mut mq,
        &mut WpMethod::new(FnOracle::new(light), 1),
    )?;
    print!("{}", dot::write_moore(learner.hypothesis(), &alphabet));
    Ok(())
}
