//! Copies and fills of objects that are arrays of the solver. Every error that is found is replayed
//! by `interp`.

use crate::common;

use common::{program, verdict};
use idiolect_ir::Property;
use idiolect_ir::ctype::DataModel;

const PRELUDE: &str = "
extern unsigned nondet(void);
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long);
void *memmove(void *, const void *, unsigned long);
static void check(int c) { if (!c) reach_error(); }
int a[1000], b[1000];
";

fn found(body: &str) -> String {
    let text = format!("{PRELUDE}{body}");
    verdict(&program(&text, DataModel::Lp64), &[Property::Assert], 4)
}

#[test]
fn a_whole_array_is_copied() {
    let copied = "int main(void) { unsigned i = nondet() % 1000, j = nondet() % 1000; a[i] = 7;
         memcpy(b, a, sizeof a); a[i] = 8;";
    assert_eq!(
        found(&format!(
            "{copied} check(b[i] == 7 && (i == j || b[j] == 0)); return 0; }}"
        )),
        "proved"
    );
    assert_eq!(
        found(&format!(
            "{copied} check(!(b[j] == 7 && i == 998)); return 0; }}"
        )),
        "error"
    );
}

#[test]
fn parts_are_copied_between_arrays_and_other_objects() {
    let body = "int main(void) { unsigned i = nondet() % 1000, k = nondet() % 900; int few[3] = {1, 2, 3};
         a[i] = 7; memcpy(&a[k], few, sizeof few); int back[2]; memcpy(back, &a[k + 1], sizeof back);";
    assert_eq!(
        found(&format!(
            "{body} check(a[k] == 1 && back[0] == 2 && back[1] == 3); return 0; }}"
        )),
        "proved"
    );
    assert_eq!(
        found(&format!("{body} check(a[i] == 7); return 0; }}")),
        "error"
    );
}

#[test]
fn ranges_may_overlap() {
    assert_eq!(
        found(
            "int main(void) { unsigned i = nondet() % 1000; a[i] = 9; a[0] = 1; a[1] = 2; a[2] = 3;
             memmove(&a[1], &a[0], 3 * sizeof *a); check(a[1] == 1 && a[2] == 2 && a[3] == 3); return 0; }"
        ),
        "proved"
    );
}

#[test]
fn structs_in_a_large_array() {
    let body = "struct pair { int x, y; } ps[600]; int main(void) { unsigned i = nondet() % 600, j = nondet() % 600;
         struct pair p = {1, 2}, q; ps[i] = p; ps[j].y = 5; q = ps[i];";
    assert_eq!(
        found(&format!(
            "{body} check(q.x == 1 && (q.y == 2 || i == j)); return 0; }}"
        )),
        "proved"
    );
    assert_eq!(
        found(&format!("{body} check(q.y == 2); return 0; }}")),
        "error"
    );
}

#[test]
fn an_array_is_filled() {
    let body = "int main(void) { unsigned i = nondet() % 1000, j = nondet() % 1000; a[i] = 7;";
    assert_eq!(
        found(&format!(
            "{body} memset(a, 1, sizeof a); check(a[j] == 0x01010101); return 0; }}"
        )),
        "proved"
    );
    assert_eq!(
        found(&format!(
            "{body} memset(&a[1], 0, 10 * sizeof *a); check(a[i] == 7); return 0; }}"
        )),
        "error"
    );
}

#[test]
fn what_was_not_written_stays_so() {
    let body =
        "int main(void) { int from[700], to[700]; unsigned i = nondet() % 700, j = nondet() % 700;
         from[i] = 3; memcpy(to, from, sizeof from);";
    assert_eq!(
        found(&format!("{body} check(to[i] == 3); return 0; }}")),
        "proved"
    );
    assert_eq!(
        found(&format!("{body} check(to[j] != 44); return 0; }}")),
        "error"
    );
}

#[test]
fn what_is_not_modelled_is_named() {
    let cut = found(
        "int main(void) { unsigned i = nondet() % 1000; a[i] = 7; char c[6]; memcpy(c, a, 6);
         check(c[5] != 1); return 0; }",
    );
    assert!(
        cut.contains("a copy that cuts the elements of a large array"),
        "{cut}"
    );
    let open = found(
        "int main(void) { unsigned i = nondet() % 1000, n = nondet() % 40; a[i] = 7; memcpy(b, a, n);
         check(b[500] == 0); return 0; }",
    );
    assert!(
        open.contains("a copy of symbolic size in a large array"),
        "{open}"
    );
    // It does not matter where an error is found without it.
    let error = found(
        "int main(void) { unsigned i = nondet() % 1000; check(i != 5); a[i] = 7; char c[6]; memcpy(c, a, 6);
         return 0; }",
    );
    assert_eq!(error, "error");
}
