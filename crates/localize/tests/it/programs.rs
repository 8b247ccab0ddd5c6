//! C programs: calls, heap, arrays, bit-fields, inputs, static objects, long traces.

use crate::common;

use common::{error_of, on, program, relevant, shown};
use idiolect_base::{Budget, Canceller};
use idiolect_ir::Property;
use idiolect_localize::{AssignmentKind, LocalizeConfig, Relevance, decide_run, follow, localize};

const HEAD: &str = "extern int nondet(void); extern void reach_error(void); \
                    void *malloc(unsigned long); void free(void *); \
                    unsigned long strlen(const char *);\n";

fn with_head(text: &str) -> String {
    format!("{HEAD}{text}")
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(relevant(&with_head(text)), expected, "{text}");
}

/// A-FL-14: the paper's tool could not do procedure calls.
#[test]
fn figure_1_with_calls() {
    let text = "int *get(unsigned long n) { int *p = malloc(n); return p; }
int main(void) { int *p1 = 0, *p2 = 0;
  int i = 1;
  while (i < 10) {
    if (i == 0) { p1 = get(4); p2 = get(4); }
    if (!(p1 != 0 && p2 != 0)) reach_error();
    i = i + 1; }
  return 0; }";
    check(text, &["4: i = 1 <- 0"]);
}

#[test]
fn arguments_results_and_locals_of_calls() {
    let text = "int twice(int x) {
  int y = x + x;
  return y; }
int main(void) {
  int a = 3;
  int unused = twice(1);
  int b = twice(a);
  if (b == 6) reach_error();
  return unused; }";
    check(
        text,
        &[
            "3: y = x + x <- 0",
            "6: a = 3 <- 0",
            "8: b = twice(a) <- 0",
            "8: twice(a) <- 0",
        ],
    );
}

#[test]
fn a_pointer_that_is_followed_is_blocked_by_null() {
    let text = "struct n { struct n *next; int v; };
int main(void) {
  struct n *a = malloc(sizeof *a);
  struct n *b = malloc(sizeof *b);
  struct n *c = malloc(sizeof *c);
  a->next = b;
  a->v = 1;
  b->v = 2;
  c->v = 9;
  if (a->next->v == 2) reach_error();
  return 0; }";
    check(
        text,
        &[
            "4: a = malloc(sizeof *a) <- NULL",
            "5: b = malloc(sizeof *b) <- NULL",
            "6: c = malloc(sizeof *c) <- NULL",
            "7: a->next = b <- NULL",
            "9: b->v = 2 <- 0",
        ],
    );
}

#[test]
fn a_null_pointer_is_blocked_by_any_other() {
    let text = "int main(void) {
  int *p = 0;
  int *q = 0;
  if (p == 0) reach_error();
  return q != 0; }";
    check(text, &["3: p = 0 <- another address"]);
}

/// An assignment through a pointer or an index assigns the cell that it names on this trace.
#[test]
fn cells_bit_fields_and_bytes() {
    let text = "struct b { unsigned m : 3, n : 5; };
int main(void) {
  int a[4] = {0, 0, 0, 0};
  int i = nondet();
  if (i < 0 || i > 3) return 0;
  a[i] = 7;
  a[2] = 5;
  struct b f;
  f.m = 2;
  f.n = 3;
  char s[4] = \"ab\";
  s[1] = 0;
  if (a[i] == 7 && f.n == 3 && strlen(s) == 1) reach_error();
  return 0; }";
    let found = relevant(&with_head(text));
    let lines: Vec<&str> = found.iter().filter_map(|s| s.split(':').next()).collect();
    // The index by going out of bounds, `a[2] = 5` only if it is the same cell, which this trace
    // excludes; the other field of `f` never.
    for line in ["5", "7", "11", "13"] {
        assert!(lines.contains(&line), "{line}: {found:?}");
    }
    for line in ["8", "10"] {
        assert!(!lines.contains(&line), "{line}: {found:?}");
    }
}

#[test]
fn inputs_and_what_nobody_wrote_are_havocs() {
    let text = with_head(
        "extern int sensor(void);
int main(void) {
  int u, a[2];
  int x = nondet();
  int y = sensor();
  if (x == 1 && y == 2 && u == 3 && a[1] == 4) reach_error();
  return 0; }",
    );
    let program = program(&text);
    let found = on(&program, &error_of(&program)).unwrap();
    let havocs: Vec<u32> = found
        .relevant
        .iter()
        .filter(|s| s.kind == AssignmentKind::Havoc)
        .map(|s| s.line)
        .collect();
    assert_eq!(found.relevant.len(), havocs.len(), "{:?}", found.relevant);
    for line in [4, 5, 6, 7] {
        assert!(havocs.contains(&line), "{line}: {:#?}", found.relevant);
    }
}

#[test]
fn static_objects_are_assigned_where_they_are_declared() {
    let text = "int limit = 3;
int other = 4;
int table[3] = {1, 2, 3};
static int never;
int main(void) {
  static int calls = 0;
  calls++;
  if (calls < limit && table[2] == 3 && other > -1000) reach_error();
  return never; }";
    let found = relevant(&with_head(text));
    let lines: Vec<&str> = found.iter().filter_map(|s| s.split(':').next()).collect();
    assert_eq!(lines, ["2", "3", "4", "7", "8"], "{found:?}");
}

#[test]
fn faults_are_errors_too() {
    let text = "int main(void) {
  int n = 4;
  int a[4];
  int i = 0;
  while (i <= n) { a[i] = i; i++; }
  return a[0]; }";
    check(text, &["3: n = 4 <- 0", "5: i = 0 <- 5", "6: i++ <- 5"]);
}

/// Another number of rounds blocks the trace, but only what has to do with the error lets the run pass.
#[test]
fn counters_of_other_loops_are_relevant_and_not_shown_first() {
    let text = with_head(
        "int main(void) { int sum = 0;
  int wrong = 3;
  for (int i = 0; i < 2; i++) sum += 1;
  if (wrong != 2) reach_error();
  return sum; }",
    );
    let program = program(&text);
    let found = on(&program, &[]).unwrap();
    let first = |s: &idiolect_localize::RelevantStatement| found.is_first(s.blocking.as_ref());
    let said: Vec<(&str, bool)> = (found.relevant.iter())
        .map(|s| (s.text.as_str(), first(s)))
        .collect();
    assert_eq!(
        said,
        [("wrong = 3", true), ("i++", false), ("i = 0", false)]
    );
    let value = found.relevant[0].blocking.as_ref().unwrap();
    assert_eq!((value.text.as_str(), value.passes), ("2", Some(true)));
    // Without an assignment that lets the run pass, nothing is left out.
    let hopeless = text.replace("wrong != 2", "wrong != wrong + 1");
    let found = on(&common::program(&hopeless), &[]).unwrap();
    assert!(found.relevant.len() >= 2);
    assert!((found.relevant.iter()).all(|s| found.is_first(s.blocking.as_ref())));
}

/// A-FL-13: what is not finished is unknown.
#[test]
fn unfinished_is_unknown() {
    let text = with_head(
        "int main(void) {
  int x = 5, z = 1;
  int y = x * x * x;
  if (x != 12345) if (z == 1) reach_error();
  return y; }",
    );
    let program = program(&text);
    let budget = Budget::unlimited();
    let trace = follow(&program, &[Property::Assert], &[], &budget).unwrap();
    let done = decide_run(&trace, &LocalizeConfig::default(), &budget);
    assert_eq!(done.counts.asked, 1);
    let all = |d: &idiolect_localize::Decided| -> Vec<Option<bool>> {
        d.answers().map(|a| a.2.known()).collect()
    };
    assert!(all(&done).iter().all(Option::is_some));
    let canceller = Canceller::new();
    canceller.cancel();
    let none = Budget::unlimited().cancelled_by(&canceller);
    let stopped = decide_run(&trace, &LocalizeConfig::default(), &none);
    for (answer, known) in all(&stopped).iter().zip(all(&done)) {
        assert!(answer.is_none() || *answer == known);
    }
    let unknown = stopped.answers();
    let unknown = unknown.filter(|a| matches!(a.2, Relevance::Unknown(_)));
    assert!(unknown.count() >= 1);
}

/// An index into many cells is taken as it was, so nobody knows what another one would do.
#[test]
fn what_rests_on_a_large_array_is_unknown_and_never_false() {
    let text = with_head(
        "int a[1000];
int main(void) {
  int i = nondet();
  int k = 17;
  if (i < 0 || i > 999) return 0;
  a[i] = 4;
  if (a[k] == 0) reach_error();
  return 0; }",
    );
    let program = program(&text);
    let found = on(&program, &[3]).unwrap();
    let of = |line: u32| {
        found
            .trace
            .iter()
            .find(|s| s.line == line && s.is_assigning())
    };
    assert_eq!(of(4).unwrap().relevant, Some(true), "out of bounds");
    assert_eq!(of(5).unwrap().relevant, Some(true), "out of bounds");
    assert_ne!(
        of(7).unwrap().relevant,
        Some(true),
        "the cell that is not read"
    );
    // Here it is read in another run along this trace, the one with 17.
    let text = text.replace("a[i] = 4", "a[i] = 0");
    let found = on(&common::program(&text), &[3]).unwrap();
    let assigned = found.trace.iter().find(|s| s.text == "a[i] = 0");
    assert_eq!(assigned.unwrap().relevant, None);
}

/// What `malloc` returns is null for a size that no run along the trace asks for; with an index that is an address that nobody knows.
#[test]
fn memory_of_an_unknown_size_is_followed() {
    let text = with_head(
        "int main(void) {
  int n = nondet();
  if (n < 1 || n > 10) return 0;
  int *r = malloc(n * sizeof(int));
  for (int i = 0; i < n; i++)
    r[i] = i * 2;
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += r[i];
  if (sum != n * (n - 1) / 2) reach_error();
  return 0; }",
    );
    let program = program(&text);
    let found = on(&program, &[3]).unwrap();
    let of = |line: u32| {
        let mut own = found.trace.iter().filter(|s| s.line == line);
        own.find(|s| s.is_assigning()).map(|s| s.relevant)
    };
    // The pointer, what is written, and what is read.
    for line in [5, 7, 10] {
        assert_eq!(of(line), Some(Some(true)), "{line}");
    }
}

/// The answers are the same whatever the number of threads, and twice.
#[test]
fn threads_do_not_matter() {
    let text = with_head(
        "int main(void) { int s = 0;
  for (int i = 0; i < 20; i++) { int x = nondet(); if (x == 7 * i + 1000) s += x; }
  if (s != 4242 && s != 123456) reach_error();
  return 0; }",
    );
    let program = program(&text);
    let config = |threads| LocalizeConfig {
        threads,
        ..LocalizeConfig::default()
    };
    let shown_with = |threads| {
        let budget = Budget::unlimited();
        let found = localize(
            &program,
            &[Property::Assert],
            &[1000],
            &config(threads),
            &budget,
        );
        let found = found.unwrap();
        (shown(&found), found.counts, format!("{:?}", found.trace))
    };
    let one = shown_with(1);
    assert!(one.1.asked > 10, "{:?}", one.1);
    assert_eq!(one, shown_with(3));
    assert_eq!(one, shown_with(1));
}

/// A trace of a hundred thousand statements: the work grows with what reads what, not with the
/// square of the length.
#[test]
fn long_traces() {
    let text = with_head(
        "int main(void) { unsigned s = 0, t = 0;
  for (int i = 0; i < 10000; i++) { t = t + 3; s = s ^ t; }
  if (t == 30000) reach_error();
  return s; }",
    );
    let program = program(&text);
    let budget = Budget::steps(400_000_000);
    let config = LocalizeConfig::default();
    let found = localize(&program, &[Property::Assert], &[], &config, &budget).unwrap();
    assert!(found.trace.len() > 30_000);
    assert_eq!(found.n_unknown(), 0);
    let lines: Vec<&str> = found.relevant.iter().map(|s| s.text.as_str()).collect();
    assert!(lines.contains(&"t = t + 3") && !lines.contains(&"s = s ^ t"));
}

/// What decides whether a statement is reached belongs to the slice, and where its value comes from; so
/// does the call that leads there. What has nothing to do with it does not.
#[test]
fn a_slice_follows_data_and_control() {
    let text = with_head(
        "int flag;
void set(int by) {
  if (by > 3)
    flag = 1; }
int main(void) {
  int x = nondet();
  int far = x + 1;
  int other = 7;
  set(far);
  if (flag == 1) reach_error();
  return other; }",
    );
    let program = program(&text);
    let found = on(&program, &error_of(&program)).expect("a localization");
    let mut lines: Vec<u32> = (found.trace.iter().zip(&found.in_slice))
        .filter(|(_, is_in)| **is_in)
        .map(|(s, _)| s.line)
        .collect();
    lines.sort_unstable();
    lines.dedup();
    // The first line is the head.
    assert_eq!(lines, [4, 5, 7, 8, 10, 11], "{:#?}", found.trace);
}
