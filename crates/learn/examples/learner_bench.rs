//! Prints queries and time of each learner on one random DFA, or on one given as text.
//!
//! `learner_bench N K SEED [LEARNER…]`, or `learner_bench FILE [LEARNER…]` where the file has a
//! line `n k`, and then for each state a line with 0 or 1 (accepting) and its k successors.
//! `learner_bench --write FILE N K SEED` writes such a file.
#![allow(clippy::print_stdout)]

use idiolect_automata::{Dfa, Letter, StateId};
use idiolect_base::Rng;
use idiolect_learn::{Counting, DfaOracle, Exact, LSharp, Learner, LearnerKind, learn};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    if args.len() == 5 && args[0] == "--write" {
        let dfa = random_dfa(args[2].parse()?, args[3].parse()?, args[4].parse()?);
        std::fs::write(&args[1], to_text(&dfa))?;
        return Ok(());
    }
    let first = args
        .first()
        .ok_or("usage: learner_bench N K SEED [LEARNER…]")?;
    let target = if first.parse::<usize>().is_ok() {
        let rest = args.split_off(args.len().min(3));
        let numbers = std::mem::replace(&mut args, rest);
        let [n, k, seed] = numbers.as_slice() else {
            return Err("usage: learner_bench N K SEED [LEARNER…]".into());
        };
        random_dfa(n.parse()?, k.parse()?, seed.parse()?)
    } else {
        from_text(&std::fs::read_to_string(args.remove(0))?)?
    };
    println!("learner        queries    symbols  rounds  states   seconds");
    for kind in LearnerKind::ALL {
        if !args.is_empty() && !args.iter().any(|a| a == kind.name()) {
            continue;
        }
        let start = Instant::now();
        let mut mq = Counting::new(DfaOracle::new(&target));
        let Some(mut learner) = kind.start_moore(target.n_letters(), &mut mq)? else {
            continue;
        };
        run(kind.name(), &target, &mut learner, mq, start)?;
    }
    if args.is_empty() || args.iter().any(|a| a == "lsharp-words") {
        let start = Instant::now();
        let mut mq = Counting::new(DfaOracle::new(&target));
        let mut learner = LSharp::with_traces(target.n_letters(), false, &mut mq)?;
        run("lsharp-words", &target, &mut learner, mq, start)?;
    }
    Ok(())
}

fn run(
    name: &str,
    target: &Dfa,
    learner: &mut dyn Learner<bool>,
    mut mq: Counting<DfaOracle<'_>>,
    start: Instant,
) -> Result<(), Box<dyn std::error::Error>> {
    let learned = learn(learner, &mut mq, &mut Exact::new(target))?;
    println!(
        "{:<13} {:>8} {:>10} {:>7} {:>7} {:>9.4}",
        name,
        mq.counts().queries,
        mq.counts().symbols,
        learned.rounds,
        learner.hypothesis().n_states(),
        start.elapsed().as_secs_f64()
    );
    Ok(())
}

fn random_dfa(n: usize, k: usize, seed: u64) -> Dfa {
    let mut rng = Rng::new(seed, 0);
    let outputs: Vec<bool> = (0..n).map(|_| rng.chance(1, 2)).collect();
    let mut dfa = Dfa::from_fn(k, &outputs, |_, _| rng.below(n as u64) as usize);
    let mut free: Vec<(usize, usize)> = Vec::new();
    for q in 0..n {
        if q > 0 && !free.is_empty() {
            let (p, a) = free.swap_remove(rng.below(free.len() as u64) as usize);
            dfa.set_step(StateId::new(p), Letter::new(a), StateId::new(q));
        }
        free.extend((0..k).map(|a| (q, a)));
    }
    dfa
}

fn to_text(dfa: &Dfa) -> String {
    let mut text = format!("{} {}\n", dfa.n_states(), dfa.n_letters());
    for q in dfa.states() {
        text += &u8::from(dfa.is_accepting(q)).to_string();
        for a in dfa.letters() {
            text += &format!(" {}", dfa.step(q, a).index());
        }
        text.push('\n');
    }
    text
}

fn from_text(text: &str) -> Result<Dfa, Box<dyn std::error::Error>> {
    let mut rows = text.lines().map(|line| {
        let numbers: Result<Vec<usize>, _> = line.split_whitespace().map(str::parse).collect();
        numbers
    });
    let header = rows.next().ok_or("empty file")??;
    let [n, k] = header.as_slice() else {
        return Err("the first line is `n k`".into());
    };
    let rows: Vec<Vec<usize>> = rows.collect::<Result<_, _>>()?;
    if rows.len() != *n
        || rows
            .iter()
            .any(|r| r.len() != k + 1 || r[1..].iter().any(|q| q >= n))
    {
        return Err("one line for each state: 0 or 1, and its successors".into());
    }
    let outputs: Vec<bool> = rows.iter().map(|r| r[0] == 1).collect();
    Ok(Dfa::from_fn(*k, &outputs, |q, a| rows[q][a.index() + 1]))
}
