use super::*;
use crate::locations::locations;
use crate::paths::reference::{accepts, words};
use crate::property::{Property, error_locations};
use crate::testing::{Shape, any_program_of};
use crate::text::parse;
use idiolect_base::{Budget, Rng};
use proptest::prelude::*;

const SMALL: Shape = Shape {
    max_functions: 3,
    max_blocks: 5,
    max_stmts: 3,
    max_depth: 1,
};

/// A small program and some of its locations: assertions and others.
fn any_case(seed: u64) -> (Program, Vec<Location>) {
    let program = any_program_of(seed, SMALL);
    let mut errors = error_locations(&program, Property::Assert);
    let mut rng = Rng::new(seed, 1);
    for function in program.function_ids() {
        errors.extend(locations(&program, function).filter(|_| rng.chance(1, 16)));
    }
    (program, errors)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Lemma 3: L(B) is the set of decisions of error paths, where there are no calls.
    /// Lemma 4: so is L(B_P), with calls. And B_O accepts at least that.
    #[test]
    fn automata_accept_the_decisions_of_error_paths(seed: u64, user_only: bool) {
        let (program, errors) = any_case(seed);
        let calls = CallGraph::new(&program);
        let observed = if user_only { Observed::User } else { Observed::All };
        let labels = Decisions { program: &program, observed };
        for start in program.function_ids() {
            let paths = ErrorPaths::observing(&program, &calls, start, &errors, observed);
            let exact = paths.exact();
            let loose = paths.over_approximation();
            for word in words(2, 5) {
                let acceptance = Acceptance::Errors(&errors);
                let expected = accepts(&program, &calls, start, &labels, acceptance, &word);
                prop_assert_eq!(
                    paths.pushdown().accepts(&word), expected,
                    "{:?} from {:?}\n{}", word, start, crate::text::print(&program)
                );
                if let Some(exact) = &exact {
                    prop_assert_eq!(exact.accepts(&word), expected, "{:?}", word);
                }
                prop_assert!(!expected || loose.accepts(&word), "{:?}", word);
            }
        }
    }
}

fn check(text: &str, member: &[&str], other: &[&str]) -> ErrorPaths {
    let program = parse(text).unwrap();
    let errors = error_locations(&program, Property::Assert);
    let paths = ErrorPaths::new(&program, &CallGraph::new(&program), program.start, &errors);
    let word = |w: &&str| -> Vec<Letter> { w.bytes().map(|b| letter(b == b'1')).collect() };
    for w in member {
        assert!(paths.pushdown().accepts(&word(w)), "{w} should be in");
    }
    for w in other {
        assert!(!paths.pushdown().accepts(&word(w)), "{w} should be out");
    }
    paths
}

#[test]
fn a_function_that_calls_nothing_has_a_finite_automaton() {
    let paths = check(
        r#"program lp64 start f entry f
type t0 = void
type t1 = fn() -> t0
fn f() : t1 synthetic {
b0:
  branch true b0 b1
b1:
  branch true b2 b3
b2:
  error reach
b3:
  return
}
"#,
        &["01", "1101", "010", "011"],
        &["", "0", "00", "11", "001"],
    );
    let exact = paths.exact().unwrap();
    assert!(exact.accepts(&[letter(false), letter(true)]));
    assert_eq!(exact.n_states(), 4);
}

/// As many 1s on the way down as there are 0s on the way up before the error: no finite automaton
/// can tell, and the one without a stack does not.
#[test]
fn recursion_is_matched() {
    let paths = check(
        r#"program lp64 start main entry main
type t0 = void
type t1 = fn() -> t0
fn main() : t1 synthetic {
b0:
  call f()
  error reach
}
fn f() : t1 user {
b0:
  branch true b1 b3
b1:
  call f()
  branch true b2 b3
b2:
  abort
b3:
  return
}
"#,
        &["0", "100", "11000", "110001"],
        &["", "1", "10", "110", "1100", "11001", "101"],
    );
    assert!(paths.exact().is_none());
    assert!(
        paths
            .over_approximation()
            .accepts(&[letter(true), letter(false)])
    );
    let shortest = paths.pushdown().shortest_accepted(&Budget::unlimited());
    assert_eq!(shortest, Ok(Some(vec![letter(false)])));
}
