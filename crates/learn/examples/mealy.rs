//! A Mealy machine by implementing `Sul`: a vending machine that gives change.
#![allow(clippy::print_stdout)]

use idiolect_automata::formats::dot;
use idiolect_automata::{Alphabet, Letter};
use idiolect_learn::sul::{RunCache, Sul, SulOracle};
use idiolect_learn::{LSharp, Learner, RandomWp, learn};
use std::cell::RefCell;

/// Coffee is 3; the machine takes coins of 1 and 2 and at most 4.
struct Vending {
    paid: u32,
}

impl Sul for Vending {
    type Output = String;
    type Error = std::convert::Infallible;

    fn reset(&mut self) -> Result<(), Self::Error> {
        self.paid = 0;
        Ok(())
    }

    fn step(&mut self, input: Letter) -> Result<String, Self::Error> {
        Ok(match input.0 {
            coin @ 0..=1 if self.paid + coin + 1 > 4 => "coin back".to_owned(),
            coin @ 0..=1 => {
                self.paid += coin + 1;
                "ok".to_owned()
            }
            _ if self.paid >= 3 => {
                let change = std::mem::take(&mut self.paid) - 3;
                format!("coffee and {change}")
            }
            _ => "pay more".to_owned(),
        })
    }
}

fn main() -> Result<(), idiolect_learn::RefineError> {
    let alphabet = Alphabet::new(["one", "two", "button"]);
    let system = RefCell::new(RunCache::new(SulOracle::new(Vending { paid: 0 }), 3));
    let mut learner = LSharp::for_mealy(3, &mut &system)?;
    let rng = idiolect_base::Rng::new(0, 0);
    learn(
        &mut learner,
        &mut &system,
        &mut RandomWp::new(&system, 1000, 4, rng),
    )?;
    print!("{}", dot::write_mealy(learner.hypothesis(), &alphabet));
    let counts = system.borrow().inner().counts();
    println!("// {} resets, {} steps", counts.resets, counts.steps);
    Ok(())
}
