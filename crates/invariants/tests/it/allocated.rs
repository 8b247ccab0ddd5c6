//! Arrays that a program allocates for its variables, and arrays of variable length.

use crate::support;

use idiolect_base::Budget;
use idiolect_invariants::whole;

const NAMES: &str = "int __VERIFIER_nondet_int(void); void *malloc(unsigned long);\n\
    void *calloc(unsigned long, unsigned long); void free(void *); void abort(void);\n\
    void reach_error(void) { abort(); }\n\
    int draw(int most) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > most) abort(); return n; }\n";

/// Whether all assertions of a program are proved by formulas about its arrays.
fn is_proved(body: &str) -> bool {
    let text = format!("{NAMES}{body}");
    let program = support::program(&text, "main");
    whole::by_formulas(&program, &Budget::unlimited()).is_some()
}

/// `main` with a length `n` and what follows.
fn main_with(body: &str) -> String {
    format!(
        "int main(void) {{ int n = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int(), i;\n\
         if (n < 1 || n > 1000) return 0;\n{body}\nreturn 0; }}"
    )
}

const FILL: &str = "for (i = 0; i < n; i++) a[i] = 7;";
const CHECK: &str = "for (i = 0; i < n; i++) if (a[i] != 7) reach_error();";

#[test]
fn arrays_of_variable_length_are_looked_at() {
    let text = main_with(&format!("int a[n]; {FILL} {CHECK}"));
    assert!(is_proved(&text));
    let text = main_with(
        "int a[n], b[n]; for (i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();\n\
         for (i = 0; i < n; i++) b[i] = a[i];\n\
         for (i = 0; i < n; i++) if (a[i] != b[i]) reach_error();",
    );
    assert!(is_proved(&text));
}

#[test]
fn arrays_that_are_allocated_are_looked_at() {
    for allocation in ["malloc(n * sizeof *a)", "malloc(sizeof(int) * n)"] {
        let text = main_with(&format!(
            "int *a = {allocation}; if (!a) return 1; {FILL} {CHECK} free(a);"
        ));
        assert!(is_proved(&text), "{allocation}");
    }
    let text = main_with(
        "int *a = calloc(n, sizeof *a); if (!a) return 1;\n\
         for (i = 0; i < n; i++) if (a[i] != 0) reach_error(); free(a);",
    );
    assert!(is_proved(&text));
}

/// Each of these leaves an array, or fails an assertion, as a compiler with a sanitizer shows.
#[test]
fn what_is_wrong_with_an_allocated_array_is_not_proved() {
    let array = "int *a = malloc(n * sizeof *a);";
    let wrong = [
        // One too many.
        format!("{array} n++; {FILL} {CHECK}"),
        format!("{array} {FILL} if (x == 77777) n++; {CHECK}"),
        // It is gone, or one of two.
        format!("{array} {FILL} if (x == 77777) free(a); {CHECK}"),
        format!(
            "{array} int *b = malloc(n * sizeof *b); if (x == 77777) b = a; {FILL}\n\
                 for (i = 0; i < n; i++) b[i] = 8; {CHECK}"
        ),
        // Smaller than it seems.
        format!("int *a = malloc((unsigned char)(n * sizeof *a)); {FILL} {CHECK}"),
        // One element is not what the others are.
        format!("int a[n]; {FILL} a[n - 1] = 8; {CHECK}"),
        format!("{array} for (i = 0; i < n; i++) if (i != 500) a[i] = 7; {CHECK}"),
    ];
    for body in wrong {
        assert!(!is_proved(&main_with(&body)), "{body}");
    }
    // Freed where nobody looks.
    let text = format!(
        "static void drop(int *p, int x) {{ if (x == 77777) free(p); }}\n{}",
        main_with(&format!("{array} {FILL} drop(a, x); {CHECK}"))
    );
    assert!(!is_proved(&text));
}

/// The array of the round before is gone.
#[test]
fn an_array_of_variable_length_ends_with_its_block() {
    let text = main_with(
        "int r, *old = 0; for (r = 0; r < 3; r++) { int a[n]; for (i = 0; i < n; i++) a[i] = 7;\n\
         if (old) *old = 3; old = a; for (i = 0; i < n; i++) if (a[i] != 7) reach_error(); }",
    );
    assert!(!is_proved(&text));
}
