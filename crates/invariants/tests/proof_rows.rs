//! The rows of the seed's Table 1: what is learned is proved.

mod support;

use idiolect_base::Budget;
use idiolect_invariants::proof::{Claim, Config, prove};
use idiolect_invariants::{formula::Formula, show};

#[test]
fn table() {
    let only = std::env::var("ROW").ok();
    let verbose = only.is_some();
    let mut seen = Vec::new();
    for row in support::rows() {
        if only
            .as_ref()
            .is_some_and(|o| !row.example.contains(o.as_str()))
        {
            continue;
        }
        if seen.contains(&row.file) {
            continue;
        }
        seen.push(row.file.clone());
        let Ok(outcome) = std::panic::catch_unwind(|| row.learn()) else {
            println!("== {} not learned", row.example);
            continue;
        };
        let program = support::program(&row.text(), &row.function);
        let function = program.function_named(&row.function).unwrap();
        let empty = Formula::default();
        let claims: Vec<Claim<'_>> = outcome
            .points
            .iter()
            .map(|p| Claim {
                point: &p.point,
                formula: p.learned.as_ref().map_or(&empty, |l| &l.formula),
            })
            .collect();
        let start = std::time::Instant::now();
        let proof = prove(
            &program,
            function,
            &claims,
            &Config::default(),
            &Budget::unlimited().within(std::time::Duration::from_secs(60)),
        );
        println!(
            "== {} {:?} {:?}",
            row.example,
            start.elapsed(),
            proof.statistics
        );
        for (p, c) in proof.points.iter().zip(&claims) {
            println!(
                "  {:?} {:?} kept {} of {}",
                c.point.kind,
                p.verdict,
                p.kept.iter().filter(|k| **k).count(),
                p.kept.len(),
            );
            for f in &p.failures {
                let what = match &f.goal {
                    idiolect_invariants::proof::Goal::Conjunct(i) if f.to.is_some() => {
                        let claim = &claims[f.to.unwrap()];
                        show::conjunct(claim.point, &claim.formula.conjuncts[*i])
                    }
                    other => format!("{other:?}"),
                };
                println!("    {:?} -> {:?} run {}: {what}", f.from, f.to, f.is_run);
                if verbose {
                    let names: Vec<&str> = f.from.map_or(vec![], |p| {
                        claims[p]
                            .point
                            .variables
                            .iter()
                            .map(|v| v.name.as_str())
                            .collect()
                    });
                    println!(
                        "       {:?} {names:?} {:?}",
                        f.model.as_ref().map(|m| &m.values),
                        f.model.as_ref().map(|m| m
                            .chains
                            .iter()
                            .map(|c| &c.data)
                            .collect::<Vec<_>>())
                    );
                }
            }
            if verbose {
                for (k, l) in p.kept.iter().zip(show::lines(c.point, c.formula)) {
                    println!("    {} {l}", if *k { "+" } else { "-" });
                }
            }
        }
    }
}
