//! What the ranked list says of runs that fail for different reasons.

use crate::common::program as compile;
use idiolect_base::Budget;
use idiolect_ir::Property;
use idiolect_localize::{Case, Places, PlacesConfig, places};

/// Two faults: one of two lines is right, and each failing run comes to one wrong line.
const TWO: &str = "void __VERIFIER_error(void); int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = 0;
  if (x > 20)
    y = x - 1;
  else if (x > 10)
    y = x + 2;
  else
    y = x + 1;
  if (y != x + 1)
    __VERIFIER_error();
  return 0;
}
";

fn found(failing: &[u128], passing: &[u128]) -> Places {
    let cases = |list: &[u128]| -> Vec<Case> {
        let inputs = list.iter().map(|&n| Case::of_inputs(vec![n]));
        inputs.collect()
    };
    places(
        &compile(TWO),
        &[Property::Assert],
        &cases(failing),
        &cases(passing),
        &PlacesConfig::default(),
        &Budget::unlimited(),
    )
}

#[test]
fn a_fault_that_some_failing_runs_do_not_come_to_is_listed() {
    let found = found(&[30, 31, 40, 15], &[1, 2, 3, 4, 5]);
    let place = |line: u32| found.list.iter().find(|p| p.line == line);
    let (often, seldom) = (place(6).expect("listed"), place(8).expect("listed"));
    assert_eq!((often.in_failing, seldom.in_failing), (0.75, 0.25));
    assert_eq!((often.passes, seldom.passes), (Some(true), Some(true)));
    // What explains more failing runs is better, and what no failing run comes to is not there.
    assert!(often.score > seldom.score);
    assert!(place(10).is_none());
}

#[test]
fn runs_that_do_not_come_to_a_place_are_not_asked_about_it() {
    let found = found(&[30, 15], &[]);
    for line in [6, 8] {
        let place = found.list.iter().find(|p| p.line == line).expect("listed");
        assert_eq!((place.n_failing, place.n_passing_with), (1, 1));
    }
    // Both come to the first condition, and neither passes with another value of it.
    let mut refuted = found.refuted.iter();
    let first = refuted.find(|p| p.line == 5).expect("refuted");
    assert_eq!((first.n_failing, first.in_failing), (2, 1.0));
}

#[test]
fn the_score_is_made_of_the_evidence() {
    let found = found(&[30, 31], &[1, 2]);
    for place in &found.list {
        assert_eq!(place.score, place.evidence.score());
        assert_eq!(place.evidence.edits, 0.0);
    }
    let mut better = found.list[0].evidence;
    better.edits = 1.0;
    assert!(better.score() > found.list[0].score);
}
