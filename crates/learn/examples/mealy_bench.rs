//! Prints queries, letters and time of each learner on a Mealy machine given as DOT.
//!
//! `mealy_bench FILE.dot [LEARNER…]`, or `mealy_bench --write FILE.dot N K OUTPUTS SEED` to write a
//! random machine. Time spent on equivalence is apart from that of the learner and its questions.
#![allow(clippy::print_stdout)]

use idiolect_automata::formats::dot;
use idiolect_automata::generate::random_mealy;
use idiolect_automata::{Alphabet, Mealy};
use idiolect_base::{Rng, StopReason};
use idiolect_learn::{
    Counting, EqAnswer, EquivalenceOracle, Exact, Learner, LearnerKind, MealyOracle, learn,
};
use std::time::Instant;

struct Timed<'a> {
    inner: Exact<'a, Mealy<String>>,
    seconds: f64,
}

impl EquivalenceOracle<String, Mealy<String>> for Timed<'_> {
    fn compare(&mut self, hypothesis: &Mealy<String>) -> Result<EqAnswer<String>, StopReason> {
        let start = Instant::now();
        let answer = self.inner.compare(hypothesis);
        self.seconds += start.elapsed().as_secs_f64();
        answer
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [write, file, n, k, outputs, seed] = args.as_slice()
        && write == "--write"
    {
        let k = k.parse()?;
        let mut rng = Rng::new(seed.parse()?, 0);
        let machine = random_mealy(&mut rng, n.parse()?, k, outputs.parse()?);
        let machine = machine.ok_or("no such machine")?;
        std::fs::write(file, dot::write_mealy(&machine, &Alphabet::numbered(k)))?;
        return Ok(());
    }
    let (file, learners) = args.split_first().ok_or("usage: mealy_bench FILE.dot")?;
    let (target, alphabet) = dot::read_mealy(&std::fs::read(file)?)?;
    println!("learner        queries    symbols  rounds  states    seconds  equivalence");
    for kind in LearnerKind::ALL.into_iter().filter(|k| k.learns_moore()) {
        if !learners.is_empty() && !learners.iter().any(|a| a == kind.name()) {
            continue;
        }
        let start = Instant::now();
        let mut mq = Counting::new(MealyOracle::new(&target));
        let learner = kind.start_mealy(alphabet.len(), &mut mq)?;
        let mut learner = learner.ok_or("no form for Mealy machines")?;
        let mut eq = Timed {
            inner: Exact::new(&target),
            seconds: 0.0,
        };
        let learned = learn(&mut learner, &mut mq, &mut eq)?;
        println!(
            "{:<13} {:>8} {:>10} {:>7} {:>7} {:>10.6} {:>12.6}",
            kind.name(),
            mq.counts().queries,
            mq.counts().symbols,
            learned.rounds,
            learner.hypothesis().n_states(),
            start.elapsed().as_secs_f64() - eq.seconds,
            eq.seconds
        );
    }
    Ok(())
}
