//! Programs that passes made do what the programs did.

use crate::support;
use idiolect_base::Budget;
use idiolect_interp::{
    CompileOptions, Compiled, End, FixedInputs, Machine, NoInputs, NoObserver, RunOptions,
};
use idiolect_invariants::session::{self, Config};
use idiolect_invariants::{pointers, shapes};
use idiolect_ir::Program;
use idiolect_ir::transform::inline::inline;
use idiolect_ir::transform::scale::Scale;
use idiolect_ir::verify;
use idiolect_quantified::point::PointKind;
use idiolect_quantified::show;

const CALLS: &str = "
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int c) { if (!c) { __VERIFIER_error: ; int *p = 0; *p = 1; } }
static int least(int *a, int n) {
    int i, m = a[0];
    for (i = 1; i < n; i++)
        if (a[i] < m)
            m = a[i];
    return m;
}
static void fill(int *a, int n) {
    int i;
    for (i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
}
static int deep(int n) { return n <= 0 ? 0 : 1 + deep(n - 1); }
int main(void) {
    int a[4], m;
    fill(a, 4);
    m = least(a, 4);
    __VERIFIER_assert(m != 2);
    return m + 10 * deep(m) + (a[1] == m ? 100 : 0);
}
";

/// How a run ends, places left out, and after how many inputs.
fn end(program: &Program, inputs: &[u128]) -> (String, usize) {
    let compiled = Compiled::new(program.clone().into(), &CompileOptions::default());
    let mut machine = Machine::new(&compiled, RunOptions::default());
    let mut source = FixedInputs::new(inputs.to_vec(), NoInputs);
    let outcome = machine.run(&mut source, &mut NoObserver, &Budget::steps(100_000));
    let kind = match outcome.end {
        End::Exit(code) => format!("exit {code}"),
        End::Fault(_) => "fault".to_owned(),
        End::Error(_) => "error".to_owned(),
        other => format!("{other:?}"),
    };
    (kind, outcome.inputs.len())
}

fn all_inputs() -> impl Iterator<Item = Vec<u128>> {
    (0..4u128.pow(4)).map(|n| (0..4).map(|d| n / 4u128.pow(d) % 4).collect())
}

#[test]
fn a_program_written_out_has_the_runs_that_it_had() {
    let program = support::program(CALLS, "main");
    let main = program.function_named("main").expect("it is there");
    let mut written_out = program.clone();
    inline(&mut written_out, main);
    assert_eq!(verify(&written_out), Ok(()));
    let n = |p: &Program| p.function(main).blocks.len();
    assert!(n(&written_out) > n(&program));
    let mut kinds = std::collections::BTreeSet::new();
    for inputs in all_inputs() {
        let seen = end(&program, &inputs);
        assert_eq!(end(&written_out, &inputs), seen, "{inputs:?}");
        kinds.insert(seen.0);
    }
    assert!(kinds.len() > 3, "{kinds:?}");
}

/// A size that no array has changes nothing; one that arrays have makes a program that is well-formed.
#[test]
fn a_program_scaled_by_another_size_has_the_runs_that_it_had() {
    let program = support::program(CALLS, "main");
    let same = Scale::new(&[5_000], 3).program(&program);
    for inputs in all_inputs().step_by(7) {
        assert_eq!(end(&same, &inputs), end(&program, &inputs), "{inputs:?}");
    }
    let small = Scale::new(&[4], 2).program(&program);
    assert_eq!(verify(&small), Ok(()));
}

/// What is learned at the exit of the function as it is looked at.
fn at_exit(text: &str, function: &str) -> Vec<String> {
    let program = support::program(text, function);
    let id = program.function_named(function).expect("it is there");
    let shaped = shapes::shaped(&program, id).unwrap_or(program);
    assert_eq!(verify(&shaped), Ok(()));
    let config = Config {
        lengths: 0..=3,
        ..Config::default()
    };
    let found = session::run(&shaped, id, &config, &Budget::unlimited()).expect("it runs");
    assert_eq!(found.runs.faults.n, 0, "{:?}", found.runs.faults);
    let exit = found
        .points
        .iter()
        .find(|p| p.point.kind == PointKind::Exit);
    let exit = exit.expect("it is there");
    let formula = &exit.learned.as_ref().expect("it was learned").formula;
    let lines = show::lines(&exit.point, formula);
    let renamed = lines.iter().map(|l| l.replace("result - begin", "result"));
    let mut lines: Vec<String> = renamed.map(|l| l.replace("end - begin", "n")).collect();
    lines.sort();
    lines
}

/// Pointers that walk say what indices say.
#[test]
fn functions_that_walk_are_functions_that_count() {
    let pairs = [
        (
            "const int *find(const int *begin, const int *end, int x) {\n\
             const int *p; for (p = begin; p != end; ++p) if (*p == x) return p; return end; }",
            "long find(const int *begin, long n, int x) {\n\
             long p; for (p = 0; p != n; ++p) if (begin[p] == x) return p; return n; }",
        ),
        (
            "void find(int *begin, int *end, int x) { while (begin < end) *begin++ = x; }",
            "void find(int *begin, long n, int x) { long i = 0; while (i < n) begin[i++] = x; }",
        ),
        (
            "void find(int *begin, int *end) { while (end > begin) { end--; *end = 0; } }",
            "void find(int *begin, long n) { long i = n; while (i > 0) { i--; begin[i] = 0; } }",
        ),
        (
            "long find(const int *begin, const int *end, int x) {\n\
             const int *p = begin; while (p < end && *p < x) p = p + 1; return p - begin; }",
            "long find(const int *begin, long n, int x) {\n\
             long p = 0; while (p < n && begin[p] < x) p = p + 1; return p; }",
        ),
    ];
    for (walks, counts) in pairs {
        let walked = at_exit(walks, "find");
        assert_eq!(walked, at_exit(counts, "find"), "{walks}");
        assert!(walked.iter().any(|l| l.contains("begin[y1]")), "{walked:?}");
    }
}

/// Two arrays of which a number says how long they are stay two.
#[test]
fn arrays_with_lengths_are_not_united() {
    let text = "void copy(int *to, const int *from, int n) {\n\
                int i; if (to == from) return; for (i = 0; i < n; i++) to[i] = from[i]; }";
    let program = support::program(text, "copy");
    let id = program.function_named("copy").expect("it is there");
    assert!(pointers::counting(&program, id).is_none());
}
