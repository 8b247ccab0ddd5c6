//! What is learned and proved of `main` in preprocessed files, as `--harness` does it, a line for each.
//!
//! `cargo run --example harness -- [-v] [-q K] [-t SECONDS] FILE…`

#![allow(clippy::print_stdout)]

use idiolect_base::{Budget, SourceMap};
use idiolect_cfront::{Options, compile};
use idiolect_invariants::proof::{self, Verdict};
use idiolect_invariants::refine;
use idiolect_invariants::session::{Config, run_harness};
use idiolect_quantified::show;
use std::time::{Duration, Instant};

fn main() {
    let mut files = Vec::new();
    let (mut quantified, mut seconds) = (2, 10);
    let (mut verbose, mut at_once) = (false, false);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "-q" => quantified = args.next().and_then(|a| a.parse().ok()).unwrap_or(2),
            "-t" => seconds = args.next().and_then(|a| a.parse().ok()).unwrap_or(10),
            "-v" => verbose = true,
            // Everything at once, and no more.
            "-s" => at_once = true,
            _ => files.push(arg),
        }
    }
    for file in &files {
        let short = file.rsplit('/').next().unwrap_or(file);
        let Ok(text) = std::fs::read_to_string(file) else {
            println!("{short}: cannot be read");
            continue;
        };
        let mut sources = SourceMap::new();
        let id = sources.add(file, text);
        let options = Options {
            data_model: idiolect_ir::ctype::DataModel::Ilp32,
            ..Options::default()
        };
        let Some(program) = compile(sources, &[id], &options).program else {
            println!("{short}: does not compile");
            continue;
        };
        let Some(function) = program.function_named("main") else {
            continue;
        };
        let start = Instant::now();
        let budget = Budget::unlimited().within(Duration::from_secs(seconds));
        let mut config = Config {
            max_quantified: quantified,
            flags: at_once,
            ..Config::default()
        };
        let outcome = match run_harness(&program, function, &config, &budget) {
            Ok(outcome) => outcome,
            Err(error) => {
                println!("{short}: {error}");
                continue;
            }
        };
        let learned = start.elapsed();
        let proof_config = proof::Config::default();
        let found = if at_once {
            refine::Refined {
                proof: refine::prove_once(&program, &outcome, &proof_config, &budget),
                outcome,
                more: Vec::new(),
                rounds: 0,
            }
        } else {
            refine::prove_harness(&program, outcome, &proof_config, &budget, |wish| {
                config.helpers = wish.helpers;
                config.flags = wish.flags;
                config.max_quantified = quantified.min(wish.quantified);
                config.for_proof = true;
                run_harness(&program, function, &config, &budget)
            })
        };
        let all = &found.proof.points;
        let n = |v: Verdict| all.iter().filter(|p| p.verdict == v).count();
        let mut assertions = Vec::new();
        for a in &found.proof.assertions {
            let line = program.sources.place(a.span).map_or(0, |at| at.line);
            assertions.push(format!("{line}{}", if a.is_proved { "+" } else { "-" }));
        }
        println!(
            "{short}: assertions {}; {} adequate, {} inductive, {} not proved of {} learned, {} points; {} runs, {} errors, {} faults; {:.1} s, {:.1} s",
            assertions.join(" "),
            n(Verdict::Adequate),
            n(Verdict::Inductive),
            n(Verdict::NotProved),
            all.len(),
            found.outcome.points.len(),
            found.outcome.runs.n_runs,
            found.outcome.runs.errors.n,
            found.outcome.runs.faults.n,
            learned.as_secs_f64(),
            start.elapsed().as_secs_f64(),
        );
        if !verbose {
            continue;
        }
        let mut proofs = all.iter();
        for p in &found.outcome.points {
            let line = program.sources.place(p.point.span).map_or(0, |at| at.line);
            match &p.learned {
                Err(reason) => println!("  {:?} line {line}: {reason}", p.point.kind),
                Ok(learned) => {
                    let proof = proofs.next().expect("one for each");
                    println!("  {:?} line {line}: {:?}", p.point.kind, proof.verdict);
                    for (i, text) in show::lines(&p.point, &learned.formula).iter().enumerate() {
                        println!("    {} {text}", if proof.kept[i] { "+" } else { "-" });
                    }
                    for f in &proof.failures {
                        let at = f.span.and_then(|s| program.sources.place(s));
                        println!(
                            "    fails: {:?} from {:?} to {:?} at line {:?}",
                            f.goal,
                            f.from,
                            f.to,
                            at.map(|a| a.line)
                        );
                    }
                }
            }
        }
    }
}
