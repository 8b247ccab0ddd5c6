//! Formulas about all elements of arrays prove programs with arrays that nobody unwinds, and no program that fails.

use crate::common::program;
use idiolect_base::Budget;
use idiolect_invariants::whole::by_formulas;

/// How many formulas show that the program does not fail, if they do.
fn proved(text: &str) -> Option<usize> {
    by_formulas(&program(text), &Budget::unlimited()).map(|kept| kept.len())
}

#[test]
fn arrays_that_are_filled_and_looked_at_are_proved() {
    for text in [
        "int a[100000]; int main(void) { int i; for (i = 0; i < 100000; i++) a[i] = 42;
         for (i = 0; i < 100000; i++) if (a[i] != 42) reach_error(); return 0; }",
        "int a[5000], b[5000]; int main(void) { int i; for (i = 0; i < 5000; i++) a[i] = nondet_int();
         for (i = 0; i < 5000; i++) b[i] = a[i]; for (i = 0; i < 5000; i++) if (a[i] != b[i]) reach_error(); return 0; }",
    ] {
        assert!(proved(text).is_some_and(|n| n >= 2), "{text}");
    }
}

#[test]
fn programs_that_fail_are_not_proved() {
    for text in [
        // One element of many, one input of many, the last element, a bound that is off by one.
        "int a[9999]; int main(void) { int i; for (i = 0; i < 9999; i++) a[i] = 0; a[7777] = 1;
         for (i = 0; i < 9999; i++) if (a[i]) reach_error(); return 0; }",
        "int a[9999]; int main(void) { int i, k = nondet_int(); for (i = 0; i < 9999; i++) a[i] = 0;
         if (k == 5432) a[k] = 1; for (i = 0; i < 9999; i++) if (a[i]) reach_error(); return 0; }",
        "int a[9999]; int main(void) { int i; for (i = 0; i < 9998; i++) a[i] = 3;
         for (i = 0; i < 9999; i++) if (a[i] != 3) reach_error(); return 0; }",
        "int a[9999]; int main(void) { int i; for (i = 0; i < 9999; i++) a[i] = i % 7000;
         for (i = 0; i < 9999; i++) if (a[i] > 6998) reach_error(); return 0; }",
        // What runs before `main`, and what is called through a pointer.
        "int a[9999]; __attribute__((constructor)) void first(void) { if (nondet_int() == 99) reach_error(); }
         int main(void) { int i; for (i = 0; i < 9999; i++) a[i] = 0; for (i = 0; i < 9999; i++) if (a[i]) reach_error(); return 0; }",
        "int a[9999]; void f(int x) { if (x == 99) reach_error(); } void (*p)(int) = f;
         int main(void) { int i; for (i = 0; i < 9999; i++) a[i] = 0; for (i = 0; i < 9999; i++) if (a[i]) reach_error(); p(nondet_int()); return 0; }",
    ] {
        assert_eq!(proved(text), None, "{text}");
    }
}
