//! Encodings grow with the unrolled program, but for a logarithm no faster.

use crate::common;

use common::program;
use idiolect_base::Budget;
use idiolect_ir::ctype::DataModel;
use idiolect_symex::{Config, encode};

/// Terms of an encoding with `n` unwindings.
fn size(text: &str, n: usize) -> usize {
    let program = program(text, DataModel::Lp64);
    let config = Config {
        unwind: n,
        ..Config::default()
    };
    let encoding = encode(&program, &config, &Budget::unlimited()).unwrap();
    encoding.terms.len()
}

#[track_caller]
fn check_linear(text: &str, n: usize) {
    let (one, two, four) = (size(text, n), size(text, 2 * n), size(text, 4 * n));
    let (first, second) = (two - one, four - two);
    assert!(
        second <= 2 * first + first / 3,
        "{one} terms for {n}, {two} for {}, {four} for {}",
        2 * n,
        4 * n
    );
}

#[test]
fn a_loop_over_an_array_grows_linearly() {
    check_linear(
        "extern int nondet(void); int a[4000];
         int main(void) { int n = nondet(), s = 0;
         for (int i = 0; i < n; i++) { a[i] = nondet(); if (a[i] > 3) s += a[i]; }
         return s; }",
        200,
    );
}

#[test]
fn a_list_that_is_built_grows_linearly() {
    check_linear(
        "extern int nondet(void); void *malloc(unsigned long);
         struct n { struct n *next; int v; };
         int main(void) { struct n *head = 0; int k = 0;
         while (nondet()) { struct n *x = malloc(sizeof *x); x->next = head; x->v = k++; head = x; }
         return head != 0; }",
        100,
    );
}
