//! A running process that speaks in lines: `process COMMAND INPUT…`, by default a toggle in the shell.
#![allow(clippy::print_stdout)]

use idiolect_automata::Alphabet;
use idiolect_automata::formats::dot;
use idiolect_learn::sul::{LineProcess, RunCache, SulOracle, Voting};
use idiolect_learn::{LSharp, Learner, WpMethod, learn};
use std::cell::RefCell;

const TOGGLE: &str = "s=off; while read -r line; do case $line in RESET) s=off;; \
    press) if [ $s = off ]; then s=on; else s=off; fi; echo $s;; *) echo $s;; esac; done";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let command = args.next().unwrap_or_else(|| TOGGLE.to_owned());
    let mut inputs: Vec<String> = args.collect();
    if inputs.is_empty() {
        inputs = vec!["press".to_owned(), "look".to_owned()];
    }
    let alphabet = Alphabet::new(inputs);
    let process = LineProcess::new(command, alphabet.clone());
    let votes = Voting::new(SulOracle::new(process), 1);
    let system = RefCell::new(RunCache::new(votes, alphabet.len()));
    let learned = LSharp::for_mealy(alphabet.len(), &mut &system).map(|mut learner| {
        let end = learn(&mut learner, &mut &system, &mut WpMethod::new(&system, 1));
        (learner, end)
    });
    if let Some(error) = system.borrow().inner().inner().failure() {
        return Err(error.to_string().into());
    }
    if let Some(found) = system.borrow().contradiction() {
        return Err(format!("{:?} and {:?}", found.first, found.second).into());
    }
    let (learner, end) = learned?;
    end?;
    print!("{}", dot::write_mealy(learner.hypothesis(), &alphabet));
    Ok(())
}
