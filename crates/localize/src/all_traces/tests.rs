use super::graph::Cut;
use super::*;
use idiolect_base::{Budget, SourceMap};
use idiolect_cfront::{Options, compile};
use idiolect_ir::Property;
use std::sync::Arc;

fn program_of(text: &str) -> Arc<idiolect_ir::Program> {
    let mut sources = SourceMap::new();
    let id = sources.add("a.c", text.into());
    let compiled = compile(sources, &[id], &Options::default());
    Arc::new(compiled.program.expect("a test's program compiles"))
}

fn found(text: &str) -> Outcome<SourceStatement, LocalizedTrace> {
    found_of(text, &[Property::Assert])
}

fn found_of(text: &str, properties: &[Property]) -> Outcome<SourceStatement, LocalizedTrace> {
    let program = program_of(text);
    all_traces(
        &program,
        properties,
        &Config::default(),
        &crate::LocalizeConfig::default(),
        &Budget::unlimited(),
        &mut |_, _| {},
    )
}

fn relevant(outcome: &Outcome<SourceStatement, LocalizedTrace>) -> Vec<String> {
    let mut list: Vec<String> = outcome
        .relevant()
        .map(|r| r.statement.text.clone())
        .collect();
    list.sort();
    list
}

/// Figure 1(a) of the paper.
const FIGURE_1: &str = r#"
extern void abort(void);
void reach_error() {}
void *make(void);
int main(void) {
  int p1, p2, i;
  p1 = 0;
  p2 = 0;
  i = 1;
  while (i < 10) {
    if (i == 0) {
      p1 = 1;
      p2 = 1;
    }
    if (p1 == 0 || p2 == 0) { __VERIFIER_error(); }
    i = i + 1;
  }
  return 0;
}
"#;

/// Figure 2.
const FIGURE_2: &str = r#"
extern void __VERIFIER_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int p1, p2, i;
  _Bool stopOnRequest, stopRequested;
  p1 = 0;
  p2 = 0;
  i = 1;
  while (i < 10) {
    if (i == 0) {
      p1 = 1;
      p2 = 1;
    }
    stopOnRequest = 0;
    stopRequested = __VERIFIER_nondet_bool();
    if (stopRequested) {
      if (stopOnRequest) {
        return 0;
      }
    }
    if (p1 == 0 || p2 == 0) { __VERIFIER_error(); }
    i = i + 1;
  }
  return 0;
}
"#;

#[test]
fn figure_1() {
    let outcome = found(FIGURE_1);
    assert_eq!(relevant(&outcome), ["i = 1"]);
    assert_eq!(outcome.traces.len(), 1);
    assert_eq!(outcome.coverage, Coverage::EveryTrace);
}

#[test]
fn figure_2() {
    let outcome = found(FIGURE_2);
    assert_eq!(
        relevant(&outcome),
        ["i = 1", "stopRequested = __VERIFIER_nondet_bool()"]
    );
    assert_eq!(outcome.traces.len(), 2);
    assert_eq!(outcome.coverage, Coverage::EveryTrace);
    // A-FL-11: after two feasible traces nothing remained. That every trace looked at was taken from
    // what remains is asserted where it is done.
    assert!(outcome.counts.danger + outcome.counts.alone <= 2);
    assert!(outcome.counts.iterations < 10);
}

#[test]
fn loops_of_any_length_are_proved() {
    let outcome = found(
        r#"
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 0, n = __VERIFIER_nondet_int();
  while (x < n) { if (x > 1000000) break; x++; }
  if (x < 0) __VERIFIER_error();
  return 0;
}
"#,
    );
    assert!(outcome.is_proved(), "{:?}", outcome.coverage);
}

#[test]
fn a_possible_fault_forbids_a_proof() {
    let text = r#"
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), a[4] = {0}, y = 0;
  if (GUARD) y = a[x] * 0;
  if (y != 0) __VERIFIER_error();
  return 0;
}
"#;
    let outcome = found(&text.replace("GUARD", "x >= 0 && x < 4"));
    assert!(outcome.is_proved(), "{:?}", outcome.coverage);
    let outcome = found(&text.replace("GUARD", "x >= 0 && x <= 4"));
    let Coverage::Partial(gaps) = &outcome.coverage else {
        panic!("proved");
    };
    assert!(matches!(gaps[..], [Gap::Cut(Cut::Fault(_))]), "{gaps:?}");
}

#[test]
fn recursion_beyond_the_bound_is_said() {
    let text = r#"
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
int down(int n) { if (n <= 0) return 0; return down(n - 1); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > LIMIT) return 0;
  if (down(n) != 0) __VERIFIER_error();
  return 0;
}
"#;
    // Within the bound it is proved, since runs do not get further.
    let outcome = found(&text.replace("LIMIT", "1"));
    assert!(outcome.is_proved(), "{:?}", outcome.coverage);
    let outcome = found(&text.replace("LIMIT", "9"));
    let Coverage::Partial(gaps) = &outcome.coverage else {
        panic!("proved");
    };
    let is_recursion = |g: &Gap| matches!(g, Gap::Cut(Cut::Recursion(_)));
    assert!(gaps.iter().any(is_recursion), "{gaps:?}");
}

#[test]
fn heap_and_unmodelled_pointers_are_decided_trace_by_trace() {
    let outcome = found(
        r#"
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
int main(void) {
  int *p = malloc(sizeof(int));
  *p = 1;
  if (__VERIFIER_nondet_int()) *p = *p + 1;
  if (*p == 2) __VERIFIER_error();
  return 0;
}
"#,
    );
    assert_eq!(outcome.traces.len(), 1);
    assert_eq!(outcome.coverage, Coverage::EveryTrace);
    // The other trace could only be refuted by following it.
    assert!(outcome.counts.alone >= 2, "{:?}", outcome.counts);
}

#[test]
fn as_many_traces_as_were_asked_for() {
    let program = program_of(FIGURE_2);
    let config = Config {
        max_traces: 1,
        ..Config::default()
    };
    let outcome = all_traces(
        &program,
        &[Property::Assert],
        &config,
        &crate::LocalizeConfig::default(),
        &Budget::unlimited(),
        &mut |_, _| {},
    );
    assert_eq!(outcome.traces.len(), 1);
    assert_eq!(outcome.coverage, Coverage::Partial(vec![Gap::MaxTraces]));
}

#[test]
fn a_division_by_zero_is_an_error_if_it_is_asked_for() {
    let text = r#"
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int d = 0;
  if (n > 3) d = n - 5;
  return 100 / d;
}
"#;
    let outcome = found_of(text, &[Property::Division]);
    assert_eq!(outcome.coverage, Coverage::EveryTrace);
    assert_eq!(outcome.traces.len(), 2);
    // Each trace has its own assignment of `d`; both need the input.
    assert_eq!(relevant(&outcome), ["n = __VERIFIER_nondet_int()"]);
    // Of memory there is no error; but a run that divides by zero may do anything.
    let outcome = found_of(text, &[Property::Memory]);
    assert!(outcome.traces.is_empty() && !outcome.is_proved());
}

#[test]
fn an_index_beyond_the_end_is_an_error_of_memory() {
    let text = r#"
extern int __VERIFIER_nondet_int(void);
int t[4];
int main(void) {
  int i = 0, last = 4;
  while (i <= last) { t[i] = i; i = i + 1; }
  return 0;
}
"#;
    let outcome = found_of(text, &[Property::Memory]);
    assert_eq!(outcome.coverage, Coverage::EveryTrace);
    assert_eq!(outcome.traces.len(), 1);
    assert!(relevant(&outcome).contains(&"last = 4".to_owned()));
    let right = text.replace("last = 4", "last = 3");
    assert!(found_of(&right, &[Property::Memory]).is_proved());
}

#[test]
fn overflow_is_found_and_its_absence_proved() {
    let text = r#"
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
  int next = n + 1;
  return next;
}
"#;
    let outcome = found_of(text, &[Property::Overflow]);
    assert_eq!(outcome.traces.len(), 1);
    assert_eq!(outcome.coverage, Coverage::EveryTrace);
    assert_eq!(relevant(&outcome), ["n = __VERIFIER_nondet_int()"]);
    let right = text.replace("n < 0", "n < 0 || n > 99");
    assert!(found_of(&right, &[Property::Overflow]).is_proved());
}

/// The smallest value divided by -1 has no result of its type.
#[test]
fn a_division_that_overflows_is_an_overflow() {
    let text = "int __VERIFIER_nondet_int(void);\n\
                int main(void) {\n\
                  int n = __VERIFIER_nondet_int(), d = __VERIFIER_nondet_int();\n\
                  if (d != -1) return 0;\n\
                  return n / d;\n\
                }\n";
    let outcome = found_of(text, &[Property::Overflow]);
    assert_eq!(outcome.traces.len(), 1);
    assert_eq!(outcome.coverage, Coverage::EveryTrace);
    let right = text.replace("n / d", "n == (-2147483647 - 1) ? 0 : n / d");
    assert!(found_of(&right, &[Property::Overflow]).is_proved());
}
