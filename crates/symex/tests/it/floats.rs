//! Programs with `float` and `double`. Every error that is found is replayed by `interp`.

use crate::common;

use common::{program, verdict};
use idiolect_ir::Property;
use idiolect_ir::ctype::DataModel;

const PRELUDE: &str = "
extern int nondet(void);
extern unsigned char uchar(void);
extern float nondet_float(void);
extern double nondet_double(void);
extern void reach_error(void);
extern void __VERIFIER_assume(int);
double sqrt(double); double floor(double); double fmod(double, double); double fabs(double); double sin(double);
double exp(double);
static void check(int c) { if (!c) reach_error(); }
";

#[track_caller]
fn check(body: &str, expected: &str) {
    let text = format!("{PRELUDE}int main(void) {{ {body} return 0; }}");
    let program = program(&text, DataModel::Lp64);
    assert_eq!(
        verdict(&program, &[Property::Assert], 4),
        expected,
        "{body}"
    );
}

#[test]
fn order_has_nan_and_two_zeros() {
    check("double x = nondet_double(); check(x == x);", "error");
    check(
        "double x = nondet_double(); if (x == x) check(x <= x && !(x < x));",
        "proved",
    );
    check(
        "double x = nondet_double(); if (x < 0.5 || x >= 0.5) check(x == x); else check(x != x);",
        "proved",
    );
    check(
        "float x = nondet_float(); if (x == 0.0f) check(1.0f / x > 0.0f);",
        "error",
    );
    check(
        "float x = nondet_float(), y = nondet_float(); if (x < y) check(!(y < x) && x != y);",
        "proved",
    );
}

#[test]
fn sums_round() {
    check(
        "float x = nondet_float(); __VERIFIER_assume(x > 0.0f && x < 100.0f); check(x + 1.0f > x);",
        "proved",
    );
    check(
        "float x = nondet_float(); __VERIFIER_assume(x > 0.0f && x < 1e9f); check(x + 1.0f > x);",
        "error",
    );
    check(
        "double x = 0.1, y = 0.2; if (nondet()) x = 0.25; check(x + y != 0.3);",
        "proved",
    );
}

#[test]
fn conversions_go_both_ways() {
    check("int i = nondet(); check((int)(double)i == i);", "proved");
    check("int i = nondet(); check((int)(float)i == i);", "error");
    check(
        "int i = nondet(); double d = i; check(d >= -2147483648.0 && d <= 2147483647.0);",
        "proved",
    );
    check(
        "double d = nondet_double(); if (d >= 0.0 && d < 256.0) { unsigned char c = d; check(c <= d && d < c + 1); }",
        "proved",
    );
    check(
        "float f = nondet_float(); double d = f; check((float)d == f || f != f);",
        "proved",
    );
    check(
        "double d = nondet_double(); float f = d; check((double)f == d || d != d);",
        "error",
    );
}

#[test]
fn products_and_quotients() {
    check(
        "float x = nondet_float(); __VERIFIER_assume(x >= 1.0f && x <= 2.0f); float y = x * 0.5f; check(y >= 0.5f && y <= 1.0f && y + y == x);",
        "proved",
    );
    check(
        "double x = uchar(); double y = x / 4.0; check(y * 4.0 == x);",
        "proved",
    );
    check(
        "double x = uchar(); double y = x / 10.0; check(y * 10.0 == x);",
        "proved",
    );
    check("double x = uchar(); check(x * 0.1 == x / 10.0);", "error");
}

#[test]
fn functions_of_math() {
    // The difference of a tiny negative number and -1 rounds up to 1.
    check(
        "double x = nondet_double(); if (x > -1e6 && x < 1e6) check(x - floor(x) < 1.0);",
        "error",
    );
    check(
        "double x = uchar(); double r = sqrt(x); check(r * r <= x + 0.001 && r >= 0.0);",
        "proved",
    );
    check(
        "double x = nondet_double(); if (x > -1e6 && x < 1e6) { double r = floor(x); check(r <= x && x - r <= 1.0); }",
        "proved",
    );
    check(
        "double x = uchar(); check(fmod(x, 7.0) == (double)((int)x % 7));",
        "proved",
    );
    check(
        "double x = nondet_double(); if (x == x && x - x == 0.0) check(sin(x) <= 1.0 && exp(x) >= 0.0);",
        "proved",
    );
    check(
        "double x = nondet_double(); check(fabs(x) >= 0.0 || x != x);",
        "proved",
    );
}
