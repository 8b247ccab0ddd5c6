//! The rows of the seed's Table 1: what is learned is proved adequate.

mod support;

use idiolect_base::Budget;
use idiolect_invariants::inputs::Input;
use idiolect_invariants::proof::{self, Doubt, Goal, Verdict};
use idiolect_invariants::refine::{self, Refined};
use idiolect_invariants::{session, show};

/// Functions that call themselves or others with loops: there are no contracts yet.
const WITH_CALLS: [&str; 4] = [
    "list-quick-sort",
    "list-init-complex",
    "Glib sort (merge)",
    "GNU Coreutils sort",
];

fn refined(row: &support::Row) -> Refined {
    let program = support::program(&row.text(), &row.function);
    let function = (program.function_named(&row.function)).expect("the function is there");
    let budget = Budget::unlimited();
    let config = row.config();
    let learn = |more: &[Input]| session::run_with(&program, function, &config, more, &budget);
    let first = learn(&[]).expect("it runs");
    let proof = proof::Config::default();
    refine::prove(&program, first, &proof, &budget, learn)
}

#[test]
fn what_is_learned_is_proved_adequate() {
    let (mut n, mut rounds) = (0, Vec::new());
    for row in support::rows() {
        let example = row.example.as_str();
        if WITH_CALLS.contains(&example) {
            continue;
        }
        n += 1;
        let refined = refined(&row);
        for (p, found) in refined.proof.points.iter().zip(&refined.outcome.points) {
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
    assert_eq!(n, 24);
    // Two values are too few for what a cache with two fields looks like.
    rounds.retain(|(_, n)| *n > 0);
    assert_eq!(rounds, [("add_cachepage".to_owned(), 4)]);
}

#[test]
fn callees_with_loops_are_a_doubt() {
    for row in support::rows() {
        if row.example != "list-quick-sort" {
            continue;
        }
        let proof = refined(&row).proof;
        let failures = proof.points.iter().flat_map(|p| &p.failures);
        let doubts = failures.filter(|f| matches!(f.goal, Goal::Doubt(Doubt::Callee(_))));
        assert!(doubts.count() > 0);
        assert!(proof.points.iter().all(|p| p.verdict == Verdict::NotProved));
    }
}
