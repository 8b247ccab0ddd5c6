//! Prints queries, letters and time of each learner on a Mealy machine given as DOT.
//!
//! `mealy_bench FILE.dot [LEARNER…]`, or `mealy_bench --write FILE.dot N K OUTPUTS SEED` to write a
//! random machine. Time spent on equivalence is apart from that of the learner and its questions. Outputs are
//! numbered before learning, as the command does, which is part of the learner's time.
//!
//! `mealy_bench --orders N FILE.dot LEARNER` learns the machine N times, its letters in another order each time:
//! which of them comes first is chance, and moves the number of letters asked by ten percent.
#![allow(clippy::print_stdout)]

use cpu_time::ThreadTime;
use idiolect_automata::formats::dot;
use idiolect_automata::generate::random_mealy;
use idiolect_automata::{Alphabet, Letter, Mealy, StateId};
use idiolect_base::{Rng, StopReason};
use idiolect_learn::{
    Counting, EqAnswer, EquivalenceOracle, Exact, Learner, LearnerKind, MealyOracle, learn,
};

struct Timed<'a> {
    inner: Exact<'a, Mealy<Letter>>,
    seconds: f64,
}

impl EquivalenceOracle<Letter, Mealy<Letter>> for Timed<'_> {
    fn compare(&mut self, hypothesis: &Mealy<Letter>) -> Result<EqAnswer<Letter>, StopReason> {
        let start = ThreadTime::now();
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
    if let [orders, n, file, learner] = args.as_slice()
        && orders == "--orders"
    {
        return in_orders(n.parse()?, file, learner);
    }
    let (file, learners) = args.split_first().ok_or("usage: mealy_bench FILE.dot")?;
    let (target, alphabet) = dot::read_mealy(&std::fs::read(file)?)?;
    println!("learner        queries    symbols  rounds  states    seconds  equivalence");
    for kind in LearnerKind::ALL.into_iter().filter(|k| k.learns_moore()) {
        if !learners.is_empty() && !learners.iter().any(|a| a == kind.name()) {
            continue;
        }
        let start = ThreadTime::now();
        let mut outputs = Alphabet::default();
        let target = target.map_outputs(|output| outputs.intern(output));
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

/// Least, mean and most letters and the mean number of questions over so many orders of the letters.
fn in_orders(n: u64, file: &str, learner: &str) -> Result<(), Box<dyn std::error::Error>> {
    let (target, alphabet) = dot::read_mealy(&std::fs::read(file)?)?;
    let kind = (LearnerKind::ALL.into_iter()).find(|kind| kind.name() == learner);
    let kind = kind.ok_or("no such learner")?;
    let k = alphabet.len();
    let (mut symbols, mut queries) = (Vec::new(), 0);
    for seed in 0..n {
        let mut rng = Rng::new(seed, 0);
        let mut order: Vec<usize> = (0..k).collect();
        for i in (1..if seed == 0 { 0 } else { k }).rev() {
            order.swap(i, rng.below(i as u64 + 1) as usize);
        }
        let state = StateId::new;
        let mut machine = Mealy::from_fn(k, target.n_states(), |q, a: Letter| {
            let (q, a) = (state(q), Letter::new(order[a.index()]));
            (target.step(q, a).index(), target.output(q, a).clone())
        });
        machine.set_initial(target.initial());
        let mut mq = Counting::new(MealyOracle::new(&machine));
        let learner = kind.start_mealy(k, &mut mq)?;
        let mut learner = learner.ok_or("no form for Mealy machines")?;
        learn(&mut learner, &mut mq, &mut Exact::new(&machine))?;
        symbols.push(mq.counts().symbols);
        queries += mq.counts().queries;
    }
    let (least, most) = (symbols.iter().min(), symbols.iter().max());
    println!(
        "{learner} states {} letters {k}: symbols first {} least {} mean {:.1} most {} queries {:.1}",
        target.n_states(),
        symbols.first().unwrap_or(&0),
        least.unwrap_or(&0),
        symbols.iter().sum::<u64>() as f64 / n.max(1) as f64,
        most.unwrap_or(&0),
        queries as f64 / n.max(1) as f64,
    );
    Ok(())
}
