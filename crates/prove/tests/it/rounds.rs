//! What follows from several rounds of a loop and not from one.

use crate::common::with_prelude;
use idiolect_base::Budget;
use idiolect_ir::Property;
use idiolect_prove::induction::check::{Checked, check};
use idiolect_prove::induction::{Certificate, Config, NotProved, prove};

fn proof(text: &str, rounds: &[usize]) -> Result<Certificate, NotProved> {
    let config = Config {
        rounds: rounds.to_vec(),
        ..Config::default()
    };
    prove(&with_prelude(text), &config, &Budget::unlimited()).result
}

/// The number of rounds that a proof takes.
fn rounds_of(text: &str) -> usize {
    match proof(text, &[1, 2, 3]) {
        Ok(certificate) => certificate.rounds,
        Err(why) => panic!("not proved: {why}\n{text}"),
    }
}

fn is_never_proved(text: &str) {
    for rounds in 1..=3 {
        assert!(proof(text, &[rounds]).is_err(), "{rounds} rounds: {text}");
    }
}

const TWO: &str = "int main(void) { unsigned p = 5, q = 5;
    while (__VERIFIER_nondet_int()) { p = q; q = __VERIFIER_nondet_uint() | 5; check((p & 5) == 5); }
    return 0; }";
const THREE: &str = "int main(void) { unsigned p = 5, q = 5, r = 5;
    while (__VERIFIER_nondet_int()) { p = q; q = r; r = __VERIFIER_nondet_uint() | 5; check((p & 5) == 5); }
    return 0; }";

#[test]
fn what_was_right_in_the_rounds_before_is_known() {
    assert_eq!(rounds_of(TWO), 2);
    assert_eq!(rounds_of(THREE), 3);
    assert!(proof(TWO, &[1]).is_err());
    assert!(proof(THREE, &[2]).is_err());
}

#[test]
fn the_checker_counts_rounds_by_itself() {
    for text in [TWO, THREE] {
        let program = with_prelude(text);
        let mut certificate = proof(text, &[1, 2, 3]).expect("a proof");
        let judge = |certificate: &Certificate| {
            check(
                &program,
                certificate,
                &[Property::Assert],
                &Budget::unlimited(),
            )
        };
        assert_eq!(judge(&certificate), Checked::Accepted);
        certificate.rounds += 1;
        assert_eq!(
            judge(&certificate),
            Checked::Accepted,
            "one more is enough, too"
        );
        certificate.rounds -= 2;
        assert!(matches!(judge(&certificate), Checked::Rejected(_)));
    }
}

#[test]
fn errors_of_the_first_rounds_are_found() {
    // The first round and the second: they have no others before them.
    for p in ["p = 5, q = 4, r = 5", "p = 5, q = 5, r = 4"] {
        is_never_proved(&THREE.replace("p = 5, q = 5, r = 5", p));
    }
    is_never_proved(&TWO.replace("p = 5, q = 5", "p = 5, q = 4"));
}

#[test]
fn errors_behind_a_loop_are_found() {
    let with_end = |check: &str| {
        THREE.replace(
            "    return 0;",
            &format!("    check({check});\n    return 0;"),
        )
    };
    // The last round was right, and nothing is known of the next.
    assert_eq!(rounds_of(&with_end("1")), 3);
    is_never_proved(&with_end("p == 5"));
    is_never_proved(&THREE.replace(
        "check((p & 5) == 5);",
        "if ((p & 5) != 5) break; if (r == 13) check(0);",
    ));
    is_never_proved(
        &THREE
            .replace("p = q;", "if (p == 7) goto out; p = q;")
            .replace(
                "    return 0; }",
                "    return 0; out: check(0); return 0; }",
            ),
    );
}

#[test]
fn loops_inside_are_left_and_entered() {
    let text = |last: &str| {
        format!(
            "unsigned p = 5, q = 5; void next(void) {{ p = q; q = __VERIFIER_nondet_uint() | 5; check((p & 5) == 5); }}
             int main(void) {{
               while (__VERIFIER_nondet_int()) {{
                 unsigned char i = 0;
                 while (i < 4) {{ next(); i++; {last} }}
                 check(i == 4);
               }}
               return 0; }}"
        )
    };
    assert_eq!(rounds_of(&text("")), 2);
    is_never_proved(&text("if (p == 7 && q == 15) i++;"));
    is_never_proved(&text("if (p == 7) q = 2;"));
    is_never_proved(&text("if (p == 7) break;"));
}

/// An error that takes more rounds than are looked at is not forgotten.
#[test]
fn a_late_error_is_not_proved_away() {
    for n in [2, 3, 4, 5, 7, 12, 40] {
        is_never_proved(&format!(
            "int main(void) {{ unsigned n = 0, x = 5;
               while (__VERIFIER_nondet_int()) {{ n++; x = __VERIFIER_nondet_uint() | 5; if (n == {n}) check((x & 2) == 0); }}
               return 0; }}"
        ));
    }
}

/// Blocks that cut a loop inside another belong to that one.
#[test]
fn a_loop_that_is_skipped_hides_no_error() {
    is_never_proved(
        "unsigned char a = 1; int main(void) { unsigned char n = __VERIFIER_nondet_uchar(); int b = 0;
         unsigned char c = 2; while (a <= 5) { if (c < a) { c = c * 2; } while (n > 5) { c = b; b--; }
         check(c != a); if (b < a) { b++; } else { a++; } a++; c--; } return 0; }",
    );
}
