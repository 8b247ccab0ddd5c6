//! What every SAT back end has to do, on every instance.

use std::time::Duration;

use idiolect_base::{Budget, Rng, StopReason};
use idiolect_smt::batsat::Batsat;
use idiolect_smt::cadical::Cadical;
use idiolect_smt::sat::{Lit, SatResult, SatSolver};

type Backend = (&'static str, fn() -> Box<dyn SatSolver>);

const BACKENDS: [Backend; 2] = [
    ("cadical", || Box::new(Cadical::new())),
    ("batsat", || Box::new(Batsat::new())),
];

/// `n + 1` pigeons, `n` holes, one literal `use_hole[h]` without which hole `h` is closed.
fn pigeons(sat: &mut dyn SatSolver, n: usize) -> Vec<Lit> {
    let open: Vec<Lit> = (0..n).map(|_| sat.new_var()).collect();
    let sits: Vec<Vec<Lit>> = (0..=n)
        .map(|_| (0..n).map(|_| sat.new_var()).collect())
        .collect();
    for (i, row) in sits.iter().enumerate() {
        sat.add_clause(row);
        for (h, &here) in row.iter().enumerate() {
            sat.add_clause(&[!here, open[h]]);
            for other in &sits[..i] {
                sat.add_clause(&[!here, !other[h]]);
            }
        }
    }
    open
}

#[test]
fn pigeons_do_not_fit() {
    for (name, make) in BACKENDS {
        for n in 1..=6 {
            let mut sat = make();
            let _ = pigeons(&mut *sat, n);
            assert_eq!(
                sat.solve(&[], &Budget::unlimited()),
                SatResult::Unsat,
                "{name}, {n}"
            );
            // And it stays so.
            assert_eq!(
                sat.solve(&[], &Budget::unlimited()),
                SatResult::Unsat,
                "{name}, {n}"
            );
        }
    }
}

#[test]
fn budgets_stop_the_search_and_leave_the_solver_usable() {
    for (name, make) in BACKENDS {
        let mut sat = make();
        let open = pigeons(&mut *sat, 11);
        let few = Budget::steps(50);
        assert_eq!(
            sat.solve(&[], &few),
            SatResult::Unknown(StopReason::Steps),
            "{name}"
        );
        assert_eq!(few.steps_left(), 0, "{name}");
        assert_eq!(
            sat.solve(&[], &few),
            SatResult::Unknown(StopReason::Steps),
            "{name}"
        );
        let short = Budget::unlimited().within(Duration::from_millis(50));
        let before = std::time::Instant::now();
        assert_eq!(
            sat.solve(&[], &short),
            SatResult::Unknown(StopReason::Time),
            "{name}"
        );
        assert!(before.elapsed() < Duration::from_millis(1000), "{name}");
        // All but one hole closed is easy.
        let closed: Vec<Lit> = open[1..].iter().map(|&l| !l).collect();
        assert_eq!(
            sat.solve(&closed, &Budget::unlimited()),
            SatResult::Unsat,
            "{name}"
        );
    }
}

struct Formula {
    n_vars: usize,
    clauses: Vec<Vec<i32>>,
}

impl Formula {
    fn random(rng: &mut Rng, n_vars: usize, n_clauses: usize) -> Self {
        let mut literal = || {
            let var = rng.below(n_vars as u64) as i32 + 1;
            if rng.chance(1, 2) { var } else { -var }
        };
        let clauses = (0..n_clauses)
            .map(|_| (0..3).map(|_| literal()).collect())
            .collect();
        Self { n_vars, clauses }
    }

    fn holds(&self, assignment: u32, assumptions: &[i32]) -> bool {
        let truth = |l: i32| (assignment >> (l.unsigned_abs() - 1) & 1 == 1) == (l > 0);
        assumptions.iter().all(|&l| truth(l))
            && self.clauses.iter().all(|c| c.iter().any(|&l| truth(l)))
    }

    fn satisfiable(&self, assumptions: &[i32]) -> bool {
        (0..1u32 << self.n_vars).any(|a| self.holds(a, assumptions))
    }
}

fn lits(numbers: &[i32]) -> Vec<Lit> {
    numbers.iter().map(|&n| Lit::from_dimacs(n)).collect()
}

#[test]
fn random_formulas_under_changing_assumptions_against_brute_force() {
    let mut n_sat = [0; 2];
    for seed in 0..150 {
        let mut rng = Rng::new(seed, 0);
        let formula = Formula::random(&mut rng, 10, 36);
        for (name, make) in BACKENDS {
            let mut rng = Rng::new(seed, 1);
            let mut sat = make();
            for i in 1..=formula.n_vars as i32 {
                assert_eq!(sat.new_var(), Lit::from_dimacs(i));
            }
            // Clauses come in portions, with questions between them.
            let mut so_far = Formula {
                n_vars: formula.n_vars,
                clauses: Vec::new(),
            };
            for portion in formula.clauses.chunks(12) {
                for clause in portion {
                    sat.add_clause(&lits(clause));
                    so_far.clauses.push(clause.clone());
                }
                for _ in 0..6 {
                    let n = rng.below(5);
                    let assumed: Vec<i32> = (0..n)
                        .map(|_| {
                            let var = rng.below(10) as i32 + 1;
                            if rng.chance(1, 2) { var } else { -var }
                        })
                        .collect();
                    let expected = so_far.satisfiable(&assumed);
                    n_sat[usize::from(expected)] += 1;
                    match sat.solve(&lits(&assumed), &Budget::unlimited()) {
                        SatResult::Sat => {
                            assert!(expected, "{name}, seed {seed}");
                            let model = (0..10).fold(0u32, |m, i| {
                                m | u32::from(sat.value(Lit::from_dimacs(i + 1))) << i
                            });
                            assert!(so_far.holds(model, &assumed), "{name}, seed {seed}");
                        }
                        SatResult::Unsat => {
                            assert!(!expected, "{name}, seed {seed}");
                            let core: Vec<i32> = assumed
                                .iter()
                                .copied()
                                .filter(|&l| sat.failed(Lit::from_dimacs(l)))
                                .collect();
                            assert!(!so_far.satisfiable(&core), "{name}, seed {seed}: {core:?}");
                        }
                        SatResult::Unknown(reason) => panic!("{name}: {reason}"),
                    }
                }
            }
        }
    }
    assert!(
        n_sat.iter().all(|&n| n > 500),
        "both answers occur: {n_sat:?}"
    );
}

#[test]
fn the_same_calls_give_the_same_models() {
    for (name, make) in BACKENDS {
        let run = || {
            let mut rng = Rng::new(7, 0);
            let formula = Formula::random(&mut rng, 150, 600);
            let mut sat = make();
            let vars: Vec<Lit> = (0..150).map(|_| sat.new_var()).collect();
            for clause in &formula.clauses {
                sat.add_clause(&lits(clause));
            }
            let mut seen = Vec::new();
            for i in 0..10 {
                let answer = sat.solve(&[vars[i]], &Budget::unlimited());
                if answer == SatResult::Sat {
                    seen.push(vars.iter().map(|&v| sat.value(v)).collect::<Vec<bool>>());
                }
            }
            (seen, sat.statistics())
        };
        assert_eq!(run(), run(), "{name}");
    }
}
