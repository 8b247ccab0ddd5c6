//! The rows of the paper's Table 1: what is learned is proved adequate.

use crate::support;

use idiolect_base::Budget;
use idiolect_invariants::proof::{self, Verdict};
use idiolect_invariants::refine::{self, Refined, Wish};
use idiolect_invariants::session;
use idiolect_quantified::show;

fn refined(row: &support::Row) -> Refined {
    let program = support::program(&row.text(), &row.function);
    let function = (program.function_named(&row.function)).expect("the function is there");
    let budget = Budget::unlimited();
    let learn = |wish: Wish<'_>| {
        let config = session::Config {
            for_proof: true,
            helpers: wish.helpers,
            ..row.config()
        };
        session::run_with(&program, function, &config, wish.more, &budget)
    };
    let first = learn(Wish::more(&[])).expect("it runs");
    let proof = proof::Config::default();
    refine::prove(&program, first, &proof, &budget, learn)
}

#[test]
fn what_is_learned_is_proved_adequate() {
    let (mut n, mut rounds) = (0, Vec::new());
    for row in support::rows() {
        let example = row.example.as_str();
        n += 1;
        let refined = refined(&row);
        let outcome = &refined.outcome;
        let points = outcome.points.iter().chain(&outcome.for_proof);
        for (p, found) in refined.proof.points.iter().zip(points) {
            let formula = &found.learned.as_ref().expect("it was learned").formula;
            let text = show::formula(&found.point, formula);
            assert_eq!(p.kept.len(), formula.conjuncts.len(), "{text}");
            let failures = &p.failures;
            assert_eq!(
                p.verdict,
                Verdict::Adequate,
                "{example}: {text} {failures:?}"
            );
        }
        rounds.push((row.example, refined.rounds));
    }
    assert_eq!(n, 28);
    // Two values are too few for what a cache with two fields looks like, and a merge sort of few
    // cells merges few arrangements.
    rounds.retain(|(_, n)| *n > 0);
    let refined: Vec<&str> = rounds.iter().map(|(example, _)| example.as_str()).collect();
    assert_eq!(refined, ["add_cachepage", "Glib sort (merge)"]);
}
