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
        let outcome = run(&program, &config, &budget, &mut |_| {});
        let name = file.rsplit('/').next().unwrap();
        let verdict = match &outcome.verdict {
            Verdict::Error { found_by, run } => format!("error {found_by:?} {:?}", run.inputs),
            Verdict::Proved(p) => format!("proved {p:?}"),
            Verdict::Pac(g) => format!("pac i={} q={}", g.question, g.batches),
            Verdict::Undecided(d) => format!("UNDECIDED {d:?}"),
        };
        let s = outcome.statistics;
        println!(
            "{name:50} {:6.2}s {verdict} | states {} mq {} (run {} trie {} solver {}) eq {} err {} pc {} samples {} cut {} | bmc {} at {} calls {} | learn {}",
            start.elapsed().as_secs_f64(),
            outcome.model.as_ref().map_or(0, |m| m.n_states()),
            s.membership.questions,
            s.membership.by_run,
            s.membership.by_trie,
            s.membership.solver_calls,
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
