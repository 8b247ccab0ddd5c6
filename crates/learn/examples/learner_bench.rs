//! Prints queries and time of each learner on one random DFA, or on one given as text.
//!
//! `learner_bench N K SEED [LEARNER…]`, or `learner_bench FILE [LEARNER…]` where the file has a
//! line `n k`, and then for each state a line with 0 or 1 (accepting) and its k successors.
//! `learner_bench --write FILE N K SEED [PERCENT]` writes such a file; so many states accept.
//!
//! Time spent on equivalence is apart from that of the learner and its membership queries. The
//! last line is the largest memory that the process had.
#![allow(clippy::print_stdout)]

use cpu_time::ThreadTime;
use idiolect_automata::{Dfa, Moore, generate::RandomDfa};
use idiolect_base::{Rng, StopReason};
use idiolect_learn::{
    Counting, DfaOracle, EqAnswer, EquivalenceOracle, Exact, LSharp, Learner, LearnerKind, learn,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    if (5..=6).contains(&args.len()) && args[0] == "--write" {
        let percent = args.get(5).map_or("50", String::as_str);
        let (n, k, seed) = (args[2].parse()?, args[3].parse()?, args[4].parse()?);
        let dfa = random_dfa(n, k, seed, percent.parse()?)?;
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
        random_dfa(n.parse()?, k.parse()?, seed.parse()?, 50.0)?
    } else {
        from_text(&std::fs::read_to_string(args.remove(0))?)?
    };
    println!("learner        queries    symbols  rounds  states    seconds  equivalence");
    for kind in LearnerKind::ALL {
        if !args.is_empty() && !args.iter().any(|a| a == kind.name()) {
            continue;
        }
        let start = ThreadTime::now();
        let mut mq = Counting::new(DfaOracle::new(&target));
        let mut learner = kind.start_dfa(target.n_letters(), &mut mq)?;
        run(kind.name(), &target, &mut learner, mq, start)?;
    }
    if args.is_empty() || args.iter().any(|a| a == "lsharp-words") {
        let start = ThreadTime::now();
        let mut mq = Counting::new(DfaOracle::new(&target));
        let mut learner = LSharp::with_traces(target.n_letters(), false, &mut mq)?;
        run("lsharp-words", &target, &mut learner, mq, start)?;
    }
    println!("peak memory {} MiB", peak_mib().unwrap_or(0));
    Ok(())
}

/// The largest memory that this process had, where the system says so.
fn peak_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib >> 10)
}

/// An equivalence oracle and the time it took.
struct Timed<E> {
    inner: E,
    seconds: f64,
}

impl<O, E: EquivalenceOracle<O>> EquivalenceOracle<O> for Timed<E> {
    fn compare(&mut self, hypothesis: &Moore<O>) -> Result<EqAnswer<O>, StopReason> {
        let start = ThreadTime::now();
        let answer = self.inner.compare(hypothesis);
        self.seconds += start.elapsed().as_secs_f64();
        answer
    }
}

fn run(
    name: &str,
    target: &Dfa,
    learner: &mut dyn Learner<bool>,
    mut mq: Counting<DfaOracle<'_>>,
    start: ThreadTime,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut eq = Timed {
        inner: Exact::new(target),
        seconds: 0.0,
    };
    let learned = learn(learner, &mut mq, &mut eq)?;
    let seconds = start.elapsed().as_secs_f64() - eq.seconds;
    println!(
        "{:<13} {:>8} {:>10} {:>7} {:>7} {:>10.6} {:>12.6}",
        name,
        mq.counts().queries,
        mq.counts().symbols,
        learned.rounds,
        learner.hypothesis().n_states(),
        seconds,
        eq.seconds
    );
    Ok(())
}

fn random_dfa(n: usize, k: usize, seed: u64, percent: f64) -> Result<Dfa, &'static str> {
    let kind = RandomDfa {
        acceptance: percent / 100.0,
        ..RandomDfa::new(n, k)
    };
    let dfa = kind.draw(&mut Rng::new(seed, 0));
    dfa.ok_or("no such DFA was found")
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
