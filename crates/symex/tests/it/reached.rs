//! Bounds and effects that are not modelled: both engines come to the same ones in the same runs.

use crate::common::{agrees, model_of, program};
use idiolect_base::{Budget, Rng, SourceMap};
use idiolect_cfront::{Options, compile};
use idiolect_interp::{
    CompileOptions, Compiled, End, Machine, NoObserver, RandomInputs, RunOptions, Spread,
};
use idiolect_ir::ctype::DataModel;
use idiolect_ir::{AssumptionKind, Program};
use idiolect_symex::{Config, EndKind, encode};

/// Random runs, each compared with what the formulas say of its inputs; how many of them came to an
/// assumption, and how many did not.
fn check(program: &Program, n_runs: u64) -> (u32, u32) {
    let config = Config {
        unwind: 12,
        ..Config::default()
    };
    let encoding = encode(program, &config, &Budget::unlimited()).expect("no limit");
    let compiled = Compiled::new(program.clone().into(), &CompileOptions::default());
    let mut machine = Machine::new(&compiled, RunOptions::default());
    let (mut n_reached, mut n_others) = (0, 0);
    for seed in 0..n_runs {
        let mut source = RandomInputs::new(Rng::new(seed, 1), Spread::Mixed);
        let outcome = machine.run(&mut source, &mut NoObserver, &Budget::steps(100_000));
        let inputs: Vec<u128> = outcome.inputs.iter().map(|i| i.bits).collect();
        let (model, n_left) = model_of(&encoding, &inputs).expect("as many inputs");
        let end = encoding.end_of(&model).expect("an end");
        let same = match (&end.kind, &outcome.end) {
            (EndKind::Exit(code), End::Exit(status)) => {
                model.eval(&encoding.terms, *code) as u32 as i32 == *status
            }
            (EndKind::Trap(gap), End::Trap(index)) => gap.assumption == Some(*index),
            (kind, end) => agrees(kind, end),
        };
        assert!(same, "{:?} and {:?} for {inputs:?}", end.kind, outcome.end);
        assert_eq!(n_left, 0, "for {inputs:?}");
        match outcome.end {
            End::Trap(_) => n_reached += 1,
            _ => n_others += 1,
        }
    }
    (n_reached, n_others)
}

fn entry(text: &str, entry: &str, assume_nothing: bool) -> Program {
    let mut sources = SourceMap::new();
    let id = sources.add("test.c", text.into());
    let options = Options {
        entry: entry.to_owned(),
        assume_nothing,
        ..Options::default()
    };
    compile(sources, &[id], &options)
        .program
        .expect("a program without errors")
}

#[test]
fn arguments_end_where_they_end() {
    let text = "unsigned long strlen(const char *s);
        int main(int argc, char **argv) {
            if (argc > 0 && argv[argc] != 0) return 1;
            if (argc > 1) return strlen(argv[1]) + 2;
            return argv[1] == 0;
        }";
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let (n_reached, n_others) = check(&program(text, model), 300);
        assert!(n_reached > 20 && n_others > 100, "{n_reached} {n_others}");
    }
}

#[test]
fn the_list_of_the_environment_ends_where_it_ends() {
    let text = "int main(int argc, char **argv, char **list) {
            int n = 0;
            for (; list[n]; n++)
                if (list[n][0] == 'x') return 50 + n;
            return n;
        }";
    let (n_reached, n_others) = check(&program(text, DataModel::Lp64), 300);
    assert!(n_reached > 5 && n_others > 100, "{n_reached} {n_others}");
}

#[test]
fn the_environment_is_the_same_for_all_who_ask() {
    let text = "char *getenv(const char *);
        int main(void) {
            char *a = getenv(\"HOME\"), *b = getenv(\"HOME\"), *c = getenv(\"PATH\");
            if (a != b) return 100;
            if (!a || !c) return 1;
            int n = 0;
            while (a[n] && c[n] && n < 9) n++;
            return n + 2;
        }";
    let (n_reached, n_others) = check(&program(text, DataModel::Lp64), 300);
    // Both strings have to be long.
    assert!(n_reached > 0 && n_others > 100, "{n_reached} {n_others}");
}

#[test]
fn functions_without_bodies_write_what_they_are_given() {
    let text = "int g = 3; struct s { char a; short b[3]; } s; void f(int *p, struct s *q);
        int h(void);
        int main(void) {
            int x[4] = {1, 2, 3, 4};
            s.b[1] = 7;
            f(x + 1, &s);
            int sum = x[0] + x[3] + s.b[1] + s.a;
            if (h() > 0) return sum + g;
            return g;
        }";
    let program = program(text, DataModel::Lp64);
    let kinds: Vec<AssumptionKind> = program.assumptions.iter().map(|a| a.kind).collect();
    assert!(kinds.contains(&AssumptionKind::MissingBody), "{kinds:?}");
    let (n_reached, n_others) = check(&program, 200);
    assert!(n_reached == 0 && n_others == 200, "{n_reached} {n_others}");
}

#[test]
fn pointers_that_functions_without_bodies_return_lead_nowhere() {
    let text = "struct node { int value; struct node *next; }; struct node *f(void); int *g(void);
        int main(void) { int *p = g(); int n = *p; if (n > 3) return f()->value; return p[1]; }";
    let (n_reached, n_others) = check(&program(text, DataModel::Lp64), 100);
    assert!(n_reached == 100 && n_others == 0, "{n_reached} {n_others}");
}

#[test]
fn parameters_may_overlap() {
    let text = "int f(int *a, int *b, int n) {
            a[0] = 1; b[0] = 2;
            if (n >= 0 && n < 12) b[n] = 5;
            return a[0] + a[3];
        }";
    let (n_reached, n_others) = check(&entry(text, "f", false), 400);
    assert!(n_reached > 10 && n_others > 100, "{n_reached} {n_others}");
    // Most pointers are null here, which is a fault in both engines.
    let (_, n_others) = check(&entry(text, "f", true), 400);
    assert!(n_others > 100, "{n_others}");
}
