//! What is too much, and what is not.

use crate::support;

use idiolect_invariants::session::{Config, InvariantsError, NotLearned, Outcome};

const FIND: &str = "int find(int a[], int n, int key) {
  int i;
  for (i = 0; i < n; i++)
    if (a[i] == key) return i;
  return -1;
}";

fn found(length: u64, values: i64) -> Outcome {
    let config = Config {
        lengths: 0..=length,
        values: 0..=values,
        max_quantified: 1,
        ..Config::default()
    };
    support::learn(FIND, "find", &config).expect("it runs")
}

/// Everything that is kept of snapshots: skeletons, a formula for each of their words, examples.
fn kept(outcome: &Outcome) -> Vec<(usize, Vec<u64>, usize)> {
    let of = |p: &idiolect_invariants::session::PointOutcome| {
        let learned = p.learned.as_ref().expect("it was learned");
        let words = learned.levels.iter().map(|l| l.n_words).collect();
        (p.n_skeletons, words, p.examples.len())
    };
    outcome.points.iter().map(of).collect()
}

/// A million snapshots leave as little behind as a few thousand: what is kept grows with the number
/// of places that variables can be at, and not with the number of runs.
#[test]
fn a_million_snapshots_are_folded_as_they_come() {
    let n_snapshots = |outcome: &Outcome| outcome.points.iter().map(|p| p.n_snapshots).sum::<u64>();
    let (few, many) = (found(10, 1), found(10, 2));
    assert_eq!((n_snapshots(&few), n_snapshots(&many)), (16_354, 1_316_313));
    assert_eq!(kept(&few), kept(&many));
    // `i` at each of the 0 … 10 elements and behind the last one; one word without a quantified
    // cell, and one for each cell.
    let skeletons = (0..=10).map(|n: u64| n + 1).sum::<u64>();
    let words = (0..=10).map(|n: u64| (n + 1) * n).sum::<u64>();
    let at_loop = (skeletons as usize, vec![skeletons, words], 8);
    assert_eq!(kept(&many)[1], at_loop);
}

/// The estimate comes before anything is built, however large it is.
#[test]
fn values_that_explode_are_refused_with_an_estimate() {
    let refusal = |length: u64, values: i64| {
        let config = Config {
            lengths: 0..=length,
            values: 0..=values,
            ..Config::default()
        };
        support::learn(FIND, "find", &config).expect_err("it is refused")
    };
    let error = refusal(13, 2);
    assert_eq!(
        error.to_string(),
        "7174452 inputs would have to be run, and the limit is 2000000"
    );
    assert!(matches!(
        error,
        InvariantsError::TooManyInputs {
            count: 7_174_452,
            ..
        }
    ));
    assert_eq!(
        refusal(64, 60).to_string(),
        "more than 10^18 inputs would have to be run, and the limit is 2000000"
    );
    assert_eq!(
        refusal(u64::MAX, 0).to_string(),
        "structures of 18446744073709551615 cells are not read; at most 64 are"
    );
    // Many lists: as many combinations of lengths as there are atoms in a city.
    let lists: Vec<String> = (0..20).map(|i| format!("struct node *l{i}")).collect();
    let text = format!(
        "struct node {{ int key; struct node *next; }};\nvoid f({}) {{}}",
        lists.join(", ")
    );
    let error = support::learn(&text, "f", &Config::default()).expect_err("it is refused");
    assert!(
        matches!(error, InvariantsError::TooManyInputs { .. }),
        "{error}"
    );
}

#[test]
fn a_loop_that_no_run_reaches_is_said_to_be_one() {
    let text = "int f(int a[], int n) {
  int i, s = 0;
  if (n > 20)
    for (i = 0; i < n; i++) s += a[i];
  else
    for (i = 0; i < n; i++) s -= a[i];
  return s;
}";
    let config = Config {
        lengths: 0..=3,
        max_quantified: 1,
        ..Config::default()
    };
    let outcome = support::learn(text, "f", &config).expect("it runs");
    let reached: Vec<bool> = (outcome.points.iter())
        .map(|p| !matches!(p.learned, Err(NotLearned::NotReached)))
        .collect();
    assert_eq!(reached, [true, false, true, true]);
    let reason = outcome.points[1].learned.as_ref().expect_err("not reached");
    assert_eq!(reason.to_string(), "no run reaches it");
}

/// `(lo + hi) / 2` is right up to here and wrong for arrays that a 64-bit machine has: what a proof says of arrays
/// of any length it says of those below 2 GiB.
#[test]
fn arrays_have_less_than_two_gibibytes() {
    use idiolect_invariants::signature::{most_elements, signature};
    use idiolect_quantified::roles::Roles;
    for (element, expected) in [
        ("int", Some(536_870_911)),
        ("short", Some(1_073_741_823)),
        ("char", None),
    ] {
        let text = format!(
            "int f(const {element} *a, int n) {{ int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }}"
        );
        let program = crate::support::program(&text, "f");
        let function = program.function_named("f").expect("it is there");
        let parameters = signature(&program, &Roles::new(&program), function).expect("supported");
        let most = most_elements(&parameters, &parameters[0]);
        assert_eq!(most.map(|(_, most)| most), expected, "{element}");
    }
}
