//! What the ranked list says of runs that fail for different reasons.

use crate::common::program as compile;
use idiolect_base::Budget;
use idiolect_ir::Property;
use idiolect_localize::{
    PlaceKind, Places, PlacesConfig, RunCase, near, places, specification_functions,
};

/// Two faults: one of two lines is right, and each failing run comes to one wrong line.
const TWO: &str = "void __VERIFIER_error(void); int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = 0;
  if (x > 20)
    y = x - 1;
  else if (x > 10)
    y = x + 2;
  else
    y = x + 1;
  if (y != x + 1)
    __VERIFIER_error();
  return 0;
}
";

fn found(failing: &[u128], passing: &[u128]) -> Places {
    let cases = |list: &[u128]| -> Vec<RunCase> {
        let inputs = list.iter().map(|&n| RunCase::of_inputs(vec![n]));
        inputs.collect()
    };
    places(
        &compile(TWO),
        &[Property::Assert],
        &cases(failing),
        &cases(passing),
        &PlacesConfig::default(),
        &Budget::unlimited(),
    )
}

#[test]
fn a_fault_that_some_failing_runs_do_not_come_to_is_listed() {
    let found = found(&[30, 31, 40, 15], &[1, 2, 3, 4, 5]);
    let place = |line: u32| found.list.iter().find(|p| p.line == line);
    let (often, seldom) = (place(6).expect("listed"), place(8).expect("listed"));
    assert_eq!((often.in_failing, seldom.in_failing), (0.75, 0.25));
    assert_eq!((often.passes, seldom.passes), (Some(true), Some(true)));
    // What explains more failing runs is better, and what no failing run comes to is not there.
    assert!(often.score > seldom.score);
    assert!(place(10).is_none());
}

#[test]
fn runs_that_do_not_come_to_a_place_are_not_asked_about_it() {
    let found = found(&[30, 15], &[]);
    for line in [6, 8] {
        let place = found.list.iter().find(|p| p.line == line).expect("listed");
        assert_eq!((place.n_failing, place.n_passing_with), (1, 1));
    }
    // Both come to the first condition, and neither passes with another value of it.
    let mut refuted = found.refuted.iter();
    let first = refuted.find(|p| p.line == 5).expect("refuted");
    assert_eq!((first.n_failing, first.in_failing), (2, 1.0));
}

#[test]
fn the_score_is_made_of_the_evidence() {
    let found = found(&[30, 31], &[1, 2]);
    for place in &found.list {
        assert_eq!(place.score, place.evidence.score());
        assert_eq!(place.evidence.edits, 0.0);
    }
    let mut better = found.list[0].evidence;
    better.edits = 1.0;
    assert!(better.score() > found.list[0].score);
}

/// The places of the only run of a program.
fn of_only_run(text: &str) -> Places {
    places(
        &compile(text),
        &[Property::Assert],
        &[RunCase::of_inputs(Vec::new())],
        &[],
        &PlacesConfig::default(),
        &Budget::unlimited(),
    )
}

/// What an assertion compares is tested; what it asks for without comparing says what is right.
#[test]
fn a_tested_function_is_a_suspect_and_a_predicate_is_none() {
    let text = "void __VERIFIER_error(void);
static int convert(int celsius) {
  int offset = 23;
  return celsius * 9 / 5 + offset;
}
static int is_warm(int degrees) {
  return degrees > 70;
}
static int is_small(int n) {
  return n < 5;
}
int main(void) {
  int boiling = convert(100);
  if (boiling != 212)
    __VERIFIER_error();
  if (!is_warm(boiling))
    __VERIFIER_error();
  if (!is_small(3))
    __VERIFIER_error();
  return 0;
}
";
    assert_eq!(specification_functions(&compile(text)), ["is_warm"]);
    let found = of_only_run(text);
    let offset = found.list.iter().find(|p| p.line == 3).expect("listed");
    let value = offset.value.as_ref().expect("a value passes");
    assert_eq!((value.number, offset.passes), (32, Some(true)));
}

#[test]
fn pointers_and_bit_fields_are_suspects() {
    let text = "void __VERIFIER_error(void);
struct header { unsigned version : 4, length : 4; };
int main(void) {
  int a = 1, b = 2;
  int *first = &a;
  int *p = first;
  int *q = &b;
  struct header h;
  h.version = 6;
  h.length = 5;
  if (*p != *q || h.version != 6)
    __VERIFIER_error();
  return 0;
}
";
    let found = of_only_run(text);
    let line = |n: u32| found.list.iter().find(|p| p.line == n).expect("listed");
    let value = line(6).value.clone().expect("an address passes");
    assert_eq!(value.name.as_deref(), Some("&b"));
    let header = text.replace("h.version = 6;", "h.version = 4;");
    let found = of_only_run(&header.replace("*p != *q || ", ""));
    let version = found.list.iter().find(|p| p.line == 9).expect("listed");
    let value = version.value.as_ref().expect("a value passes");
    assert_eq!((value.number, version.passes), (6, Some(true)));
}

/// Runs that pass, and those that fail at the same place; a server that never ends is given up.
#[test]
fn runs_near_a_failing_one_pass_or_fail_alike() {
    let text = "void __VERIFIER_error(void); int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  while (x == 1)
    ;
  if (x > 5)
    __VERIFIER_error();
  if (x < -5)
    __VERIFIER_error();
  return 0;
}
";
    let program = compile(text);
    let (properties, budget) = ([Property::Assert], Budget::unlimited());
    let found = near(&program, &properties, &[7], 0, 20_000_000, &budget);
    let inputs = |list: &[RunCase]| -> Vec<i32> {
        let of = |case: &RunCase| match &case.inputs {
            idiolect_localize::CaseInputs::List(list) => list[0] as i32,
            idiolect_localize::CaseInputs::Process { .. } => panic!("a list"),
        };
        list.iter().map(of).collect()
    };
    let passes = |x: &i32| (-5..=5).contains(x) && *x != 1;
    assert!(inputs(&found.passing).iter().all(passes) && !found.passing.is_empty());
    // -7 fails elsewhere.
    assert!(inputs(&found.failing).iter().all(|x| *x > 5) && found.failing.len() > 1);
    let lost = near(&program, &properties, &[7], 0, 100, &budget);
    assert!(lost.passing.len() < found.passing.len());
}

/// The numbers that static objects start with have places of their own; what is no such number has none.
#[test]
fn initial_values_are_suspects() {
    let text = "void __VERIFIER_error(void);
static int base = 1, other = 7;
static short table[2][2] = {{1, 2},
                            {0x3, -4}};
static int mixed[3] = {1, 1 + 1, 3};
int main(void) {
  int sum = base + table[0][1] + table[1][0] + mixed[0];
  if (sum != 9)
    __VERIFIER_error();
  return 0;
}
";
    let found = of_only_run(text);
    let at = |line: u32, text: &str| {
        let place = found
            .list
            .iter()
            .find(|p| p.line == line && p.text == text)?;
        place.value.as_ref().map(|v| v.number)
    };
    assert_eq!(at(2, "1"), Some(3));
    assert_eq!(at(3, "2"), Some(4));
    assert_eq!(at(4, "0x3"), Some(5));
    // Nothing reads these, so no value there helps.
    assert_eq!((at(2, "7"), at(4, "-4")), (None, None));
    assert!(found.list.iter().all(|p| p.line != 5));
}

#[test]
fn sizes_of_memory_are_suspects() {
    let text = "void *malloc(unsigned long); void free(void *);
int main(void) {
  unsigned long n = 3;
  char *p = malloc(n - 1);
  for (unsigned long i = 0; i < n; i++)
    p[i] = 'a';
  free(p);
  return 0;
}
";
    let found = places(
        &compile(text),
        &[Property::Memory],
        &[RunCase::of_inputs(Vec::new())],
        &[],
        &PlacesConfig::default(),
        &Budget::unlimited(),
    );
    let is_size = |p: &&idiolect_localize::SuspectPlace| p.kind == PlaceKind::Size;
    let size = found.list.iter().find(is_size).expect("listed");
    assert_eq!((size.line, size.passes), (4, Some(true)));
}

/// The condition that is asked about first has many executions, and runs with another value there take all steps; the place
/// that helps is asked about nevertheless.
#[test]
fn a_place_whose_runs_are_long_leaves_something_for_the_others() {
    let text = "void __VERIFIER_error(void); int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0;
  int wrong = x + 2;
  a = x; b = a; c = b; d = c; e = d; f = e; g = f;
  if (x > 5)
    for (int i = 0; i < 30; i++)
      if (i == 29)
        a += g;
  if (x > 0 && wrong != x + 1)
    __VERIFIER_error();
  return a == b;
}
";
    let cases = |list: &[u128]| -> Vec<RunCase> {
        (list.iter().map(|&n| RunCase::of_inputs(vec![n]))).collect()
    };
    let config = PlacesConfig {
        steps: 60_000,
        work: 0,
        ..PlacesConfig::default()
    };
    let found = places(
        &compile(text),
        &[Property::Assert],
        &cases(&[7, 8, 9]),
        // What comes to the loop is suspicious.
        &cases(&[0]),
        &config,
        &Budget::unlimited(),
    );
    let place = found.list.iter().find(|p| p.line == 5).expect("listed");
    assert_eq!(place.passes, Some(true));
}

/// Numbers of `const` tables and of static locals, also where the value has to be solved for.
#[test]
fn numbers_of_constant_tables_and_of_static_locals_are_suspects() {
    let text = "void __VERIFIER_error(void);
static const int days[13] = {0, 31, 28, 31, 30, 31,
                             30, 31, 31, 30, 31, 30, 4000};
static int of(int m) {
  static const int offset = 7;
  static int calls = 5;
  calls++;
  return days[m] * offset + calls;
}
int main(void) {
  int first = of(1);
  int last = of(12);
  if (first == 223 && last != 86597)
    __VERIFIER_error();
  return 0;
}
";
    let found = of_only_run(text);
    let place = |line: u32, text: &str| {
        let mut own = found.list.iter().filter(|p| p.kind == PlaceKind::Constant);
        own.find(|p| p.line == line && p.text == text)
    };
    let table = place(3, "4000").expect("listed");
    assert_eq!(table.passes, Some(true));
    let number = table.value.as_ref().map(|v| v.number);
    assert_eq!(number, Some((86_597 - 7) / 7));
    // With another number of calls the first comparison is not true.
    assert_eq!(place(6, "5").map(|p| p.passes), Some(Some(true)));
    // Nobody reads of February.
    assert!(place(2, "28").is_none());
}

/// A `const` object that the run writes is no reason to believe that it would pass if it had another value.
#[test]
fn that_a_constant_is_written_stays_a_fault() {
    let text = "static const int limit = 3;
int main(void) {
  int *p = (int *)&limit;
  int n = limit + 1;
  *p = n;
  return limit;
}
";
    let found = places(
        &compile(text),
        &[Property::Memory],
        &[RunCase::of_inputs(Vec::new())],
        &[],
        &PlacesConfig::default(),
        &Budget::unlimited(),
    );
    let passes = |p: &&idiolect_localize::SuspectPlace| p.passes == Some(true);
    let wrong: Vec<_> = found.list.iter().filter(passes).map(|p| &p.text).collect();
    assert!(
        wrong
            .iter()
            .all(|t| t.starts_with("int *p") || t.starts_with("p =")),
        "{wrong:?}"
    );
}
