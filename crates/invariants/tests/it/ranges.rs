//! Helpers of proofs: what holds of ranges of arrays.

use crate::support;

use idiolect_invariants::session::Config;
use idiolect_quantified::point::{Datum, PointKind, Snapshot};
use idiolect_quantified::ranges::Ranges;
use idiolect_quantified::show;

const MERGE: &str = "void f(int a[], int b[], int n, int i, int j) {
  while (i < n) { if (b[i] > 2 * a[j]) j++; i++; }
}";

/// All arrays of few elements, with two positions each.
fn snapshots() -> Vec<Snapshot> {
    let config = Config {
        lengths: 0..=0,
        ..Config::default()
    };
    let outcome = support::learn(MERGE, "f", &config).expect("it runs");
    let found = outcome
        .points
        .iter()
        .find(|p| p.point.kind == PointKind::Loop);
    let point = &found.expect("there is a loop").point;
    let position = |name: &str| point.variable_named(name).expect("it is there");
    let mut all = Vec::new();
    for n in 0..4usize {
        for code in 0..3i64.pow(2 * n as u32) {
            for (i, j) in (0..=n as i64).flat_map(|i| (0..=n as i64).map(move |j| (i, j))) {
                let mut values = vec![Datum::Base; point.variables.len()];
                values[position("n")] = Datum::Number(n as i64);
                values[position("i")] = Datum::Number(i);
                values[position("j")] = Datum::Number(j);
                let digit = |d: usize| code / 3i64.pow(d as u32) % 3;
                let chain = idiolect_quantified::point::Chain {
                    structure: 0,
                    n_cells: n,
                    data: (0..2 * n).map(digit).collect(),
                    unwritten: Vec::new(),
                };
                all.push(Snapshot {
                    chains: vec![chain],
                    values,
                });
            }
        }
    }
    all
}

fn point() -> idiolect_quantified::point::Point {
    let config = Config {
        lengths: 0..=0,
        ..Config::default()
    };
    let outcome = support::learn(MERGE, "f", &config).expect("it runs");
    let mut points = outcome.points.into_iter();
    let found = points.find(|p| p.point.kind == PointKind::Loop);
    found.expect("there is a loop").point
}

/// The helpers of the snapshots that a predicate wants, as text. What was seen is never contradicted,
/// and what a helper of one snapshot says is what it says as a formula.
fn helpers(wanted: impl Fn(&[i64], i64, i64) -> bool) -> Vec<String> {
    let point = point();
    let number = |s: &Snapshot, name: &str| match s.values
        [point.variable_named(name).expect("it is there")]
    {
        Datum::Number(n) => n,
        ref other => panic!("{other:?}"),
    };
    let mut seen = snapshots();
    seen.retain(|s| wanted(&s.chains[0].data, number(s, "i"), number(s, "j")));
    let mut all = Ranges::new(&point, true);
    let mut halves = [Ranges::new(&point, true), Ranges::new(&point, true)];
    for (k, s) in seen.iter().enumerate() {
        all.add(s);
        halves[k % 2].add(s);
    }
    let conjuncts = all.conjuncts();
    for s in &seen {
        for c in &conjuncts {
            let text = show::conjunct(&point, c);
            assert!(c.violation(&point, s).is_none(), "{text}: {s:?}");
        }
    }
    let [mut first, second] = halves;
    first.merge(second);
    assert_eq!(first.conjuncts(), conjuncts);
    conjuncts
        .iter()
        .map(|c| show::conjunct(&point, c))
        .collect()
}

#[test]
fn what_was_always_seen_is_a_helper() {
    let a = |data: &[i64]| data.iter().step_by(2).copied().collect::<Vec<_>>();
    let found = helpers(|data, i, j| {
        let head = &a(data)[..i.min(data.len() as i64 / 2) as usize];
        i <= j && head.is_sorted()
    });
    let sorted = "∀ y1, y2. 0 ≤ y1 ≤ y2 < i ⇒ a[y1] ≤ a[y2]";
    assert!(found.iter().any(|c| c == sorted), "{found:#?}");
    assert!(found.iter().any(|c| c == "i ≤ j"), "{found:#?}");
    assert!(!found.iter().any(|c| c.contains("b[")), "{found:#?}");
}

#[test]
fn heaps_and_other_arrays_are_seen() {
    let found = helpers(|data, i, j| {
        let n = data.len() / 2;
        let is_heap = (1..n).all(|c| data[2 * ((c - 1) / 2)] >= data[2 * c]);
        let is_below = (0..n).all(|x| (0..n).all(|y| data[2 * x] <= data[2 * y + 1]));
        is_heap && is_below && i + j == n as i64
    });
    let heap = "∀ y1, y2. y1 = (y2 - 1) / 2 ∧ 0 ≤ y1 ∧ y2 < n ⇒ a[y2] ≤ a[y1]";
    let below = "∀ y1, y2. 0 ≤ y1 < n ∧ 0 ≤ y2 < n ⇒ a[y1] ≤ b[y2]";
    for wanted in [heap, below, "n = i + j"] {
        assert!(found.iter().any(|c| c == wanted), "{wanted}: {found:#?}");
    }
}

#[test]
fn without_snapshots_there_are_no_helpers() {
    assert!(Ranges::new(&point(), true).conjuncts().is_empty());
}
