//! Verifies C files given on the command line, one line each: for looking at what is slow.
#![allow(clippy::print_stdout, reason = "an example prints")]

use idiolect_base::{Budget, SourceMap};
use idiolect_learn::LearnerKind;
use idiolect_verify::{Config, Strategy, Verdict, run};
use std::time::{Duration, Instant};

fn main() {
    let mut config = Config::default();
    let mut files = Vec::new();
    let mut seconds = 60;
    for arg in std::env::args().skip(1) {
        match arg.split_once('=') {
            Some(("seed", v)) => config.seed = v.parse().unwrap(),
            Some(("decisions", v)) => config.max_decisions = v.parse().unwrap(),
            Some(("steps", v)) => config.max_steps = v.parse().unwrap(),
            Some(("hunt", v)) => config.hunt = v.parse().unwrap(),
            Some(("bmc", v)) => config.bmc_least = v.parse().unwrap(),
            Some(("batch", v)) => config.batch = v.parse().unwrap(),
            Some(("seconds", v)) => seconds = v.parse().unwrap(),
            Some(("threads", v)) => config.threads = Some(v.parse().unwrap()),
            Some(("learner", v)) => config.learner = LearnerKind::from_name(v).unwrap(),
            Some(("strategy", v)) => config.strategy = Strategy::named(v).unwrap(),
            _ => files.push(arg),
        }
    }
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let mut sources = SourceMap::new();
        let id = sources.add(&file, text.into());
        let compiled = idiolect_cfront::compile(sources, &[id], &Default::default());
        let program = std::sync::Arc::new(compiled.program.unwrap());
        let start = Instant::now();
        let budget = Budget::unlimited().within(Duration::from_secs(seconds));
        let (mut last, mut phase, mut spent) = (Instant::now(), 0, [0.0; 4]);
        let outcome = run(&program, &config, &budget, &mut |p| {
            let now = Instant::now();
            spent[phase] += (now - last).as_secs_f64();
            last = now;
            phase = match p {
                idiolect_verify::Progress::Hunting { .. } => 0,
                idiolect_verify::Progress::Checking { .. } => 1,
                idiolect_verify::Progress::Learning { .. } => 2,
                idiolect_verify::Progress::Sampling { .. } => 3,
            };
        });
        spent[phase] += last.elapsed().as_secs_f64();
        println!(
            "hunt {:.2} bmc {:.2} learn {:.2} sample {:.2}",
            spent[0], spent[1], spent[2], spent[3]
        );
        if std::env::var("IT").is_ok() {
            for i in &outcome.iterations {
                println!("{i:?}");
            }
        }
        let name = file.rsplit('/').next().unwrap();
        let verdict = match &outcome.verdict {
            Verdict::Error { found_by, run } => format!("error {found_by:?} {:?}", run.inputs),
            Verdict::Proved(p) => format!("proved {p:?}"),
            Verdict::Pac(g) => format!("pac i={} q={}", g.question, g.batches),
            Verdict::Undecided(d) => format!("UNDECIDED {d:?}"),
        };
        let s = outcome.statistics;
        println!(
            "{name:50} {:6.2}s {verdict} | states {} mq {} (tree {} solver {} gave up {}) eq {} err {} pc {} samples {} cut {} | bmc {} at {} calls {} | learn {}",
            start.elapsed().as_secs_f64(),
            outcome.model.as_ref().map_or(0, |m| m.n_states()),
            s.membership.questions,
            s.membership.by_tree,
            s.membership.by_solver,
            s.membership.given_up,
            s.equivalence_questions,
            s.error_words_refuted,
            s.not_prefix_closed,
            s.samples,
            s.cut,
            s.bmc_work,
            s.bmc_unwind,
            s.bmc_solver_calls,
            s.learn_work,
        );
    }
}
