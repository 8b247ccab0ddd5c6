//! The examples of FL: results A-FL-1 to A-FL-5, A-FL-13 and A-FL-14.

use crate::common;

use common::{on, program, relevant, shown};
use idiolect_localize::AssignmentKind;

/// The figures as they are in `examples/localize`, without what the preprocessor would do.
fn figure(text: &str) -> String {
    let body: Vec<&str> = text.lines().filter(|l| !l.starts_with('#')).collect();
    format!(
        "typedef _Bool bool; enum {{ false, true }}; void *malloc(unsigned long); \
         void __assert_fail(const char *, const char *, unsigned, const char *); \
         void check(int c) {{ if (!c) __assert_fail(\"c\", \"f\", 1, \"g\"); }}\n{}",
        body.join("\n").replace("assert(", "check(")
    )
}

fn figure1() -> String {
    figure(include_str!("../../../../examples/localize/figure1.c"))
}

fn figure2() -> String {
    figure(include_str!("../../../../examples/localize/figure2.c"))
}

fn without_call(list: Vec<String>) -> Vec<String> {
    // The assertion is a function here: its argument is one more assignment.
    list.into_iter().filter(|s| !s.contains("check")).collect()
}

#[test]
fn figure_1_only_the_counter() {
    assert_eq!(without_call(relevant(&figure1())), ["7: i = 1 <- 0"]);
}

#[test]
fn figure_2_both_traces() {
    let program = program(&figure2());
    let asked = on(&program, &[1]).unwrap();
    assert_eq!(
        without_call(shown(&asked)),
        [
            "9: i = 1 <- 0",
            "15: stop_on_request = false <- 1",
            "16: stop_requested = nondet_bool() <- 0"
        ]
    );
    let not_asked = on(&program, &[0]).unwrap();
    assert_eq!(
        without_call(shown(&not_asked)),
        ["9: i = 1 <- 0", "16: stop_requested = nondet_bool() <- 1"]
    );
    let havoc = |s: &&idiolect_localize::RelevantStatement| s.kind == AssignmentKind::Havoc;
    assert_eq!(not_asked.relevant.iter().filter(havoc).count(), 1);
}
