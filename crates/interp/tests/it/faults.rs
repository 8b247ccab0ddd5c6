//! Each kind of fault, where it happens, and what looks like one and is none.

use crate::common;

use common::{compile, compile_with, run, run_with};
use idiolect_base::{Budget, StopReason};
use idiolect_interp::{End, Machine, NoInputs, NoObserver, RunOptions};
use idiolect_ir::ErrorKind;
use idiolect_ir::ctype::DataModel;
use idiolect_ir::{FaultKind, Property};

const HEAD: &str = "typedef unsigned long size_t;
    void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t);
    void free(void *); void abort(void); void exit(int); void reach_error(void);
    int __VERIFIER_nondet_int(void);\n";

#[track_caller]
fn fault(body: &str, expected: FaultKind) {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let head = match model {
            DataModel::Lp64 => HEAD.to_owned(),
            DataModel::Ilp32 => HEAD.replace("unsigned long", "unsigned int"),
        };
        let compiled = compile_with(&format!("{head}{body}"), model, false);
        let mut machine = Machine::new(&compiled, RunOptions::default());
        let outcome = machine.run(&mut NoInputs, &mut NoObserver, &Budget::unlimited());
        match outcome.end {
            End::Fault(fault) => assert_eq!(fault.kind, expected, "{body} {model:?}"),
            end => panic!("{end:?} instead of {expected:?} of {body} {model:?}"),
        }
    }
}

#[test]
fn memory_faults_are_told_apart() {
    use FaultKind::*;
    fault("int main() { int *p = 0; return *p; }", NullDereference);
    fault(
        "struct s { int a, b; }; int main() { struct s *p = 0; p->b = 1; return 0; }",
        NullDereference,
    );
    fault(
        "int main() { int a[3] = {0}; int i = 3; return a[i]; }",
        OutOfBounds,
    );
    fault(
        "int main() { int a[3] = {0}; int i = -1; a[i] = 2; return 0; }",
        OutOfBounds,
    );
    fault(
        "int a[3]; int main() { int i = 2000000000; return a[i]; }",
        OutOfBounds,
    );
    fault(
        "int a[3]; int main() { int *p = a + 3; return *p; }",
        OutOfBounds,
    );
    fault(
        "char a[3]; int main() { return *(short *)(a + 2); }",
        OutOfBounds,
    );
    fault(
        "int main() { int *p = malloc(8); free(p); return *p; }",
        UseAfterFree,
    );
    fault(
        "int main() { int *p = malloc(8); p[0] = 1; p = realloc(p, 16); int *q = p; p = realloc(p, 4); return q[0]; }",
        UseAfterFree,
    );
    fault(
        "int *f() { int x = 1; return &x; } int main() { return *f(); }",
        UseAfterReturn,
    );
    fault(
        "int main() { int *p = malloc(8); free(p); free(p); return 0; }",
        DoubleFree,
    );
    fault(
        "int main() { int *p = malloc(8); free(p + 1); return 0; }",
        InvalidFree,
    );
    fault("int g; int main() { free(&g); return 0; }", InvalidFree);
    fault(
        "int main() { char *s = \"text\"; s[0] = 'T'; return 0; }",
        WriteToReadOnly,
    );
    fault(
        "int main() { int (*f)(int) = 0; return f(1); }",
        BadFunctionPointer,
    );
    fault(
        "int g; int main() { int (*f)(int) = (int (*)(int))&g; return f(1); }",
        BadFunctionPointer,
    );
    fault(
        "int f(int a) { return a; } int main() { int (*p)(int, int) = (int (*)(int, int))f; return p(1, 2); }",
        WrongArguments,
    );
    fault("int main() { __builtin_unreachable(); }", Unreachable);
}

#[test]
fn dangling_pointers_are_found_even_after_many_other_objects() {
    fault(
        "int *f() { int x = 1; return &x; } int g() { int y = 2; int *p = &y; return *p; }
         int main() { int *p = f(); for (int i = 0; i < 100000; i++) g(); return *p; }",
        FaultKind::UseAfterReturn,
    );
    fault(
        "int main() { int *p = malloc(4); free(p);
         for (int i = 0; i < 100000; i++) { int *q = malloc(4); *q = i; free(q); } return *p; }",
        FaultKind::UseAfterFree,
    );
}

#[test]
fn divisions_fault_at_every_width() {
    for ty in ["char", "short", "int", "long", "long long"] {
        let zero = format!("int main() {{ {ty} x = 5, y = 0; return (int)(x / y); }}");
        fault(&zero, FaultKind::DivisionByZero);
        fault(&zero.replace('/', "%"), FaultKind::DivisionByZero);
    }
    for (ty, min) in [
        ("int", "(-2147483647 - 1)"),
        ("long long", "(-9223372036854775807LL - 1)"),
    ] {
        let text = format!("int main() {{ {ty} x = {min}, y = -1; return (int)(x / y); }}");
        fault(&text, FaultKind::DivisionOverflow);
        fault(&text.replace("x / y", "x % y"), FaultKind::DivisionOverflow);
    }
    assert_eq!(
        FaultKind::DivisionByZero.property(),
        Some(Property::Division)
    );
}

#[test]
fn overflow_is_a_fault_only_if_asked_for() {
    let cases = [
        ("int x = 2147483647; x + 1;", FaultKind::SignedOverflow),
        ("int x = -2147483647 - 1; -x;", FaultKind::SignedOverflow),
        ("int x = 65536; x * x;", FaultKind::SignedOverflow),
        (
            "long long x = 9223372036854775807LL; x + x;",
            FaultKind::SignedOverflow,
        ),
        ("int x = -2147483647; x - 2;", FaultKind::SignedOverflow),
        ("int x = 1; x << 32;", FaultKind::ShiftOverflow),
        ("int x = 1, n = 31; x << n;", FaultKind::ShiftOverflow),
        ("int x = -1; x << 1;", FaultKind::ShiftOverflow),
    ];
    for (body, kind) in cases {
        let (declaration, expression) = body.split_once("; ").unwrap();
        let expression = expression.trim_end_matches(';');
        let text = format!("int main() {{ {declaration}; return ({expression}) == 77; }}");
        for checked in [false, true] {
            let compiled = compile_with(&text, DataModel::Lp64, checked);
            let mut machine = Machine::new(&compiled, RunOptions::default());
            let end = machine
                .run(&mut NoInputs, &mut NoObserver, &Budget::unlimited())
                .end;
            match (checked, end) {
                (false, End::Exit(0)) => {}
                (true, End::Fault(fault)) => assert_eq!(fault.kind, kind, "{text}"),
                (_, end) => panic!("{end:?} of {text}"),
            }
        }
    }
    let fine = "int main() { unsigned x = 4294967295u; int y = 2147483646; x = x * x + x; return y + 1 == 77; }";
    let compiled = compile_with(fine, DataModel::Lp64, true);
    let mut machine = Machine::new(&compiled, RunOptions::default());
    let outcome = machine.run(&mut NoInputs, &mut NoObserver, &Budget::unlimited());
    assert_eq!(outcome.end, End::Exit(0));
}

#[test]
fn a_fault_has_a_place() {
    let text = "int f(int *p) {\n  int x = 1;\n  return x + *p;\n}\nint main() { return f(0); }";
    let compiled = compile(text);
    let outcome = common::run_with(&compiled, &[], &mut NoObserver);
    let program = compiled.program();
    assert_eq!(program.function(outcome.place.function).name, "f");
    let place = program.sources.place(outcome.place.span).unwrap();
    assert_eq!(place.line, 3);
}

#[test]
fn leaks_are_blocks_that_nothing_points_to() {
    let options = RunOptions {
        check_leaks: true,
        ..RunOptions::default()
    };
    let end = |body: &str| {
        let compiled = compile(&format!("{HEAD}{body}"));
        Machine::new(&compiled, options)
            .run(&mut NoInputs, &mut NoObserver, &Budget::unlimited())
            .end
    };
    let lost = end("void f() { int *p = malloc(4); *p = 1; } int main() { f(); return 0; }");
    assert!(
        matches!(lost, End::Fault(f) if f.kind == FaultKind::Leak),
        "{lost:?}"
    );
    let kept = "struct n { struct n *next; } *g;
        int main() { g = malloc(8); g->next = malloc(8); g->next->next = 0; return 0; }";
    assert_eq!(end(kept), End::Exit(0));
    let freed = "int main() { int *p = malloc(4); free(p); return 0; }";
    assert_eq!(end(freed), End::Exit(0));
}

#[test]
fn other_ends() {
    let end = |body: &str| run(&format!("{HEAD}{body}"), &[5]).end;
    assert_eq!(end("int main() { return 300; }"), End::Exit(300));
    assert_eq!(end("int main() { exit(-1); }"), End::Exit(-1));
    assert_eq!(end("int main() { abort(); }"), End::Abort);
    assert_eq!(
        end("int main() { reach_error(); }"),
        End::Error(ErrorKind::ReachError)
    );
    let two = "int main() { __VERIFIER_nondet_int(); return __VERIFIER_nondet_int(); }";
    assert_eq!(end(two), End::InputsEnded);
    let assume = "void __VERIFIER_assume(int);
        int main() { __VERIFIER_assume(__VERIFIER_nondet_int() > 5); return 1; }";
    assert_eq!(end(assume), End::AssumeEnded);
    assert_eq!(
        end("int main() { for (;;); }"),
        End::Limit(StopReason::Steps)
    );
    assert_eq!(
        end("int f(int n) { return f(n + 1) + 1; } int main() { return f(0); }"),
        End::Limit(StopReason::Memory)
    );
    assert_eq!(
        end("int main() { for (;;) { char *p = malloc(1000000); *p = 1; } }"),
        End::Limit(StopReason::Memory)
    );
    // Sizes that no object can have.
    assert_eq!(
        end("int main() { return malloc(3000000000u) == 0; }"),
        End::Exit(1)
    );
    assert_eq!(
        end("int main() { return calloc(1ul << 40, 1ul << 40) == 0; }"),
        End::Exit(1)
    );
}

/// Where elements are compared and counted in one instruction, the comparison is what fails, and
/// steps are what they are one by one.
#[test]
fn comparisons_of_elements_fail_at_their_own_place() {
    let text = |i: i32| {
        format!(
            "int v[4] = {{1, 2, 3, 4}};
int main() {{ int i = {i};
  while (i < 9) {{
    if (v[i] < v[i + 1])
      i++;
  }}
  return i; }}"
        )
    };
    for (i, line) in [(0, 4), (3, 4), (-1, 4)] {
        let text = text(i);
        let outcome = run(&text, &[]);
        match &outcome.end {
            End::Fault(fault) => assert_eq!(fault.kind, FaultKind::OutOfBounds),
            end => panic!("{end:?}"),
        }
        let at = outcome.place.span.start as usize;
        assert_eq!(text[..at].lines().count(), line, "{:?}", outcome.place);
    }
}

/// However often a function was called since, a pointer to a local of its first call is not taken for one to
/// a local of the last.
#[test]
fn pointers_to_locals_dangle_after_any_number_of_calls() {
    let compiled = compile(
        "static int *first; int __VERIFIER_nondet_int(void);
        static int deep(int n, int *sum) {
          int here = n;
          if (!first) first = &here;
          *sum += here;
          return n ? deep(n - 1, &here) : here;
        }
        int main(void) {
          int sum = 0, depth = __VERIFIER_nondet_int();
          for (int i = __VERIFIER_nondet_int(); i > 0; i--) deep(depth, &sum);
          return *first;
        }",
    );
    for depth in [0, 1, 5] {
        for calls in [
            1, 2, 3, 63, 64, 127, 128, 129, 255, 256, 257, 1000, 1024, 5000, 16384,
        ] {
            let outcome = run_with(&compiled, &[depth, calls], &mut NoObserver);
            let End::Fault(fault) = outcome.end else {
                panic!("{depth} {calls}: {:?}", outcome.end);
            };
            assert_eq!(fault.kind, FaultKind::UseAfterReturn, "{depth} {calls}");
        }
    }
}
