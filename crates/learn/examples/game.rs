//! A game: five stones, players take one or two in turn, who takes the last one wins. The learned
//! machine knows every position, and its states say which are the same.
#![allow(clippy::print_stdout)]

use idiolect_automata::{Alphabet, Letter};
use idiolect_learn::sul::{Sul, SulOracle};
use idiolect_learn::{KearnsVazirani, Learner, WpMethod, learn};

#[derive(Clone)]
struct Nim {
    stones: u32,
    second: bool,
}

impl Sul for Nim {
    type Output = &'static str;
    type Error = std::convert::Infallible;

    fn reset(&mut self) -> Result<(), Self::Error> {
        (self.stones, self.second) = (5, false);
        Ok(())
    }

    fn step(&mut self, input: Letter) -> Result<&'static str, Self::Error> {
        let taken = input.0 + 1;
        if taken > self.stones {
            return Ok("not allowed");
        }
        self.stones -= taken;
        self.second = !self.second;
        Ok(match (self.stones, self.second) {
            (0, true) => "the first player wins",
            (0, false) => "the second player wins",
            _ => "go on",
        })
    }
}

fn main() -> Result<(), idiolect_learn::RefineError> {
    let alphabet = Alphabet::new(["one", "two"]);
    let game = Nim {
        stones: 5,
        second: false,
    };
    let mut mq = SulOracle::new(game.clone());
    let mut learner = KearnsVazirani::for_mealy(2, &mut mq)?;
    learn(
        &mut learner,
        &mut mq,
        &mut WpMethod::new(SulOracle::new(game), 1),
    )?;
    let machine = learner.hypothesis();
    println!("{} positions are different", machine.n_states());
    for q in machine.states() {
        for a in machine.letters() {
            let (to, output) = (machine.step(q, a).index(), machine.output(q, a));
            println!("{} -- {} --> {to}: {output}", q.index(), alphabet.name(a));
        }
    }
    Ok(())
}
