use super::*;
use idiolect_base::{Budget, SourceMap};
use idiolect_cfront::{Options, compile};
use std::sync::Arc;

fn program_of(text: &str) -> Arc<idiolect_ir::Program> {
    let mut sources = SourceMap::new();
    let id = sources.add("a.c", text.into());
    let compiled = compile(sources, &[id], &Options::default());
    Arc::new(compiled.program.expect("a test's program compiles"))
}

fn found(text: &str) -> Outcome<SourceStatement, LocalizedTrace> {
    let program = program_of(text);
    all_traces(
        &program,
        &Config::default(),
        &crate::Config::default(),
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

/// Figure 1(a) of the seed.
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
}
