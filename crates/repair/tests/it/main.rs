//! A repair that is said to hold for all runs does so on every input, on programs with few of them.

use idiolect_base::{Budget, Rng, SourceMap};
use idiolect_cfront::{Options, compile};
use idiolect_interp::{CompileOptions, Compiled, NoObserver};
use idiolect_ir::{Program, Property};
use idiolect_localize::{JudgedCase, PlacesConfig, RunCase, near, places};
use idiolect_repair::{FrontEnd, RepairConfig, RepairOutcome, RepairTask, Unit, repair};
use std::sync::Arc;

const HEAD: &str = "void __VERIFIER_error(void); unsigned char __VERIFIER_nondet_uchar(void);\n";

struct Plain;

impl FrontEnd for Plain {
    fn compile(&self, texts: &[&str]) -> Option<Program> {
        let mut sources = SourceMap::new();
        let id = sources.add("a.c", texts[0].to_owned());
        compile(sources, &[id], &Options::default()).program
    }

    fn preprocess(&self, _: usize, text: &str) -> Option<String> {
        Some(text.to_owned())
    }
}

/// One input, a function with one fault, and what is right.
fn program(rng: &mut Rng) -> String {
    let mut number = |most: u64| rng.below(most);
    let (bound, step) = (10 + number(200), 1 + number(9));
    let (low, high) = (1 + number(14), 1 + number(14));
    let near = [bound - 1, bound + 1, bound + 2][number(3) as usize];
    let other = ["<=", ">", ">=", "=="][number(4) as usize];
    let (body, right) = match number(8) {
        0 => (
            format!("  if (x < {near})\n    return {step};\n  return 0;"),
            format!("x < {bound} ? {step} : 0"),
        ),
        1 => (
            format!("  if (x {other} {bound})\n    return {step};\n  return 0;"),
            format!("x < {bound} ? {step} : 0"),
        ),
        2 => (
            format!("  if (x > {bound})\n    return {};\n  return x;", step + 1),
            format!("x > {bound} ? {step} : x"),
        ),
        3 => (
            format!(
                "  int sum = 0;\n  for (int i = 1; i < {low}; i++)\n    sum += {step};\n  return sum + x;"
            ),
            format!("{low} * {step} + x"),
        ),
        4 => (
            "  int a = x & 15;\n  int b = x >> 4;\n  return a + a;".to_owned(),
            "(x & 15) + (x >> 4)".to_owned(),
        ),
        5 => (
            format!(
                "  int a = x & 15;\n  int b = x >> 4;\n  if (a < {low} || b < {high})\n    return {step};\n  return 0;"
            ),
            format!("(x & 15) < {low} && (x >> 4) < {high} ? {step} : 0"),
        ),
        6 => (
            format!(
                "  int a = x & 15;\n  int b = x >> 4;\n  if (a > b)\n    return b - a;\n  return {step} - {step};"
            ),
            "(x & 15) > (x >> 4) ? (x & 15) - (x >> 4) : 0".to_owned(),
        ),
        _ => (
            format!("  if (!(x < {bound}))\n    return x - {step};\n  return x + {step};"),
            format!("x < {bound} ? x - {step} : x + {step}"),
        ),
    };
    format!(
        "{HEAD}static int f(int x) {{\n{body}\n}}\n\
         int main(void) {{\n  int x = __VERIFIER_nondet_uchar();\n  int y = f(x);\n  \
         if (y != ({right}))\n    __VERIFIER_error();\n  return 0;\n}}\n"
    )
}

fn judged(program: &Arc<Program>, input: u128) -> JudgedCase {
    let compiled = Compiled::new(program.clone(), &CompileOptions::default());
    let case = RunCase::of_inputs(vec![input]);
    let outcome = case.run(&compiled, 10_000, &mut NoObserver, &Budget::unlimited());
    case.judge(&outcome, &[Property::Assert])
}

/// Repairs of the run with these inputs.
fn repaired(text: &str, program: &Arc<Program>, inputs: Vec<u128>) -> RepairOutcome {
    let (properties, budget) = ([Property::Assert], Budget::unlimited());
    let passing = near(program, &properties, &inputs, 0, 1_000_000, &budget).passing;
    let failing = vec![RunCase::of_inputs(inputs)];
    let config = PlacesConfig::default();
    let found = places(program, &properties, &failing, &passing, &config, &budget);
    let unit = Unit {
        file: "a.c".to_owned(),
        original: text.to_owned(),
        preprocessed: text.to_owned(),
        id: program.function(program.entry).span.source,
    };
    let task = RepairTask {
        program,
        units: &[unit],
        failing,
        passing,
        places: &found,
        known_faults: Vec::new(),
        has_tests: false,
    };
    let config = RepairConfig {
        max_repairs: 3,
        max_proofs: 1,
        ..RepairConfig::default()
    };
    repair(&task, &Plain, &config, &budget)
}

#[test]
fn what_holds_for_all_runs_holds_for_every_input() {
    let (mut n_failing, mut n_repaired, mut n_claims) = (0, 0, 0);
    for number in 0..400 {
        if n_failing == 300 {
            break;
        }
        let text = program(&mut Rng::new(11, number));
        let program = Arc::new(Plain.compile(&[&text]).expect("it compiles"));
        let Some(input) = (0..256).find(|&v| judged(&program, v) == JudgedCase::Fails) else {
            continue;
        };
        n_failing += 1;
        let outcome = repaired(&text, &program, vec![input]);
        for own in &outcome.repairs {
            if own.holds.all_runs_within.is_none() && !own.holds.is_proved {
                continue;
            }
            n_claims += 1;
            let fixed = Arc::new(Plain.compile(&[&own.text]).expect("it compiles"));
            let wrong = (0..256).find(|&v| judged(&fixed, v) == JudgedCase::Fails);
            assert_eq!(wrong, None, "{}", own.patch);
        }
        n_repaired += usize::from(!outcome.repairs.is_empty());
    }
    assert_eq!(n_failing, 300);
    // Otherwise the test would say nothing.
    assert!(n_repaired >= 40, "{n_repaired} of {n_failing}");
    assert!(n_claims >= 30, "{n_claims}");
}

/// The numbers that `const` objects and static locals start with.
#[test]
fn what_constants_and_static_locals_start_with_is_repaired() {
    let table = "static int of(int month) {
  static const int days[] = {31, 28, 31, 30,
    31, 30, 31, 31, 30, 31, 30, 30};
  return days[month];
}
int main(void) {
  int days = 0;
  for (int i = 0; i < 12; i++)
    days += of(i);
  if (of(11) != of(0) || days != 365)
    __VERIFIER_error();
  return 0;
}
";
    let global = "static int const first = 2;
static int next(void) {
  static int calls;
  return first + calls++;
}
int main(void) {
  int a = next(), b = next();
  if (a != 1 || b != 2)
    __VERIFIER_error();
  return 0;
}
";
    let counter = "static int next(void) {
  static int last = 1;
  last++;
  return last;
}
int main(void) {
  int a = next(), b = next();
  if (a != 1 || b != 2)
    __VERIFIER_error();
  return 0;
}
";
    let cases = [
        (table, "31, 30, 31, 31, 30, 31, 30, 31};"),
        (global, "static int const first = 1;"),
        (counter, "static int last = 0;"),
    ];
    for (text, right) in cases {
        let text = format!("{HEAD}{text}");
        let program = Arc::new(Plain.compile(&[&text]).expect("it compiles"));
        let outcome = repaired(&text, &program, Vec::new());
        let lines = outcome.repairs.iter().map(|r| r.after.trim());
        let lines: Vec<&str> = lines.collect();
        assert!(lines.contains(&right), "{lines:?}, {}", outcome.n_tried);
    }
}
