//! Pointers that are copied from several sources, in one piece or in parts. Every error that is found
//! is replayed by `interp`; a pointer that was lost on the way is a doubt and never a fault.

use crate::common;

use common::{program, verdict};
use idiolect_ir::Property;
use idiolect_ir::ctype::DataModel;

const PRELUDE: &str = "
extern int nondet(void);
extern unsigned long nondet_long(void);
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);
static void check(int c) { if (!c) reach_error(); }
int x, y;
struct one { char k; int *p; };
struct two { char k; int (*f)(int); short tail; };
int twice(int a) { return 2 * a; }
int next(int a) { return a + 1; }
";

fn found(data_model: DataModel, body: &str) -> String {
    let text = format!("{PRELUDE}int main(void) {{ {body} return 0; }}");
    let properties = [Property::Assert, Property::Memory];
    verdict(&program(&text, data_model), &properties, 9)
}

fn check(body: &str, expected: &str) {
    for data_model in [DataModel::Lp64, DataModel::Ilp32] {
        assert_eq!(found(data_model, body), expected, "{body}");
    }
}

#[test]
fn pointers_survive_a_choice_of_structures() {
    let body =
        "struct one s = {'s', &x}, t = {'t', &y}; int c = nondet(); struct one j = c ? s : t;
         *j.p = 5;";
    check(
        &format!("{body} check(c ? x == 5 && y == 0 && j.k == 's' : y == 5);"),
        "proved",
    );
    check(&format!("{body} check(x == 5);"), "error");
}

#[test]
fn sources_of_different_shape() {
    // One source was written as a whole, the other member by member, the third not at all.
    let body = "static struct one zero; struct one s; s.k = 1; s.p = &x; struct one t = {2, &y};
         int c = nondet(); struct one *from = c > 0 ? &s : c < 0 ? &t : &zero; struct one j; j = *from;";
    check(
        &format!("{body} if (c) *j.p = 3; check(c ? x + y == 3 : j.p == 0);"),
        "proved",
    );
    check(&format!("{body} *j.p = 3;"), "NullDereference");
}

#[test]
fn functions_in_structures() {
    let body = "struct two s[2] = {{1, twice, 7}, {2, next, 8}}; unsigned i = nondet(); if (i > 1) return 0;
         struct two j = s[i]; int r = j.f(10);";
    check(
        &format!("{body} check(i ? r == 11 && j.tail == 8 : r == 20 && j.tail == 7);"),
        "proved",
    );
    check(&format!("{body} check(r == 20);"), "error");
}

#[test]
fn pointers_survive_a_loop_over_their_bytes() {
    let body = "int *s = nondet() ? &x : &y, *t;
         for (unsigned i = 0; i < sizeof s; i++) ((char *)&t)[i] = ((char *)&s)[i];
         *t = 4;";
    check(&format!("{body} check(x + y == 4);"), "proved");
    check(&format!("{body} check(x == 4);"), "error");
}

/// Each byte has a condition of its own: what is left is a number. It may be a valid pointer, so that
/// nothing may be said of the runs that use it.
#[test]
fn a_pointer_that_is_lost_is_a_doubt() {
    for body in [
        "int *s = &x, *t = &y; unsigned n = nondet();
         for (unsigned i = 0; i < sizeof s; i++) if (i < n) ((char *)&t)[i] = ((char *)&s)[i];
         *t = 4;",
        "unsigned long key = nondet_long(), v = (unsigned long)&x ^ key; *(int *)(v ^ key) = 4; check(1);",
    ] {
        let verdict = found(DataModel::Lp64, body);
        assert!(
            verdict == "proved" || verdict.contains("taken apart"),
            "{body}: {verdict}"
        );
    }
}

#[test]
fn numbers_that_inputs_determine_are_no_pointers() {
    let dereferenced = found(DataModel::Lp64, "int *p = (int *)nondet_long(); *p = 1;");
    assert!(
        ["InvalidPointer", "NullDereference"].contains(&dereferenced.as_str()),
        "{dereferenced}"
    );
}
