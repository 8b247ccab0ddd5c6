//! The rows of the seed's Table 1.

mod support;

use idiolect_invariants::show;

#[test]
fn table() {
    for row in support::rows() {
        let start = std::time::Instant::now();
        let outcome = row.learn();
        let time = start.elapsed();
        let p = row.point(&outcome);
        println!(
            "== {} {} ({} runs, {} snapshots, {} skeletons, {time:?})",
            row.example, row.section, outcome.runs.n_runs, p.n_snapshots, p.n_skeletons
        );
        if outcome.runs.faults.n + outcome.runs.errors.n + outcome.runs.traps.n > 0 {
            println!("{:?}", outcome.runs);
        }
        match &p.learned {
            Ok(learned) => {
                for l in &learned.levels {
                    print!(
                        " [{} states, {} elastic{}; {} mq {} eq {} words]",
                        l.qda.n_states(),
                        l.elastic.n_states(),
                        if l.elastified { "!" } else { "" },
                        l.queries.membership,
                        l.queries.equivalence,
                        l.n_words,
                    );
                }
                println!("\n{}", show::formula(&p.point, &learned.formula));
            }
            Err(reason) => println!("{reason}"),
        }
    }
}

#[test]
fn debug() {
    for row in support::rows()
        .into_iter()
        .filter(|r| r.example == "lookup_prev")
    {
        let outcome = row.learn();
        let p = row.point(&outcome);
        let l = &p.learned.as_ref().unwrap().levels[0];
        for path in l.elastic.paths(1000).unwrap() {
            for (q, a) in path.states.iter().zip(&path.letters) {
                print!(
                    "{}{:x} ",
                    if l.elastic.has_blank_loop(*q) {
                        "b* "
                    } else {
                        ""
                    },
                    a.letter.0
                );
            }
            println!(
                "{}",
                if l.elastic.has_blank_loop(*path.states.last().unwrap()) {
                    "b* "
                } else {
                    ""
                }
            );
        }
        for v in &p.point.variables {
            println!("{v:?}");
        }
    }
}
