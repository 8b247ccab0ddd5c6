//! The shape of lowered functions.

use idiolect_base::{Diagnostic, SourceMap};
use idiolect_cfront::{LineProbe, Options, compile};
use idiolect_ir::text::{PrintOptions, print_function};
use idiolect_ir::{InputKind, MarkKind, Program};

fn program_with(text: &str, options: &Options) -> Program {
    let mut sources = SourceMap::new();
    let id = sources.add("a.c", text.to_owned());
    let compiled = compile(sources, &[id], options);
    let errors: Vec<&Diagnostic> = compiled
        .diagnostics
        .iter()
        .filter(|d| d.is_error())
        .collect();
    compiled.program.unwrap_or_else(|| panic!("{errors:#?}"))
}

fn program(text: &str) -> Program {
    program_with(text, &Options::default())
}

/// The blocks of a function as text, without its head.
fn blocks_of(program: &Program, function: &str) -> String {
    let id = program
        .function_named(function)
        .expect("the function is there");
    let text = print_function(program, id, PrintOptions::default());
    let blocks = text.lines().skip_while(|l| !l.starts_with("b0:"));
    let blocks: Vec<&str> = blocks.take_while(|l| *l != "}").map(str::trim).collect();
    blocks.join("\n")
}

/// Lowers `f` (with an empty `main` beside it) and compares its blocks.
fn check(text: &str, expected: &str) {
    let program = program(&format!("{text}\nint main(void) {{ return 0; }}\n"));
    let expected: Vec<&str> = expected.trim().lines().map(str::trim).collect();
    assert_eq!(blocks_of(&program, "f"), expected.join("\n"), "{text}");
}

#[test]
fn a_condition_is_one_decision() {
    check(
        "int f(int x, int y) { if (x > 0 && y < 3 || !x) return 1; return 2; }",
        "b0:
         branch or(and(slt(0:i32, x), slt(y, 3:i32)), eq(x, 0:i32)) b1 b2
         b1:
         return 1:i32
         b2:
         return 2:i32",
    );
}

#[test]
fn a_side_effect_makes_decisions_of_its_own() {
    check(
        "int g(void); int f(int x) { if (x && g()) return 1; return 2; }",
        "b0:
         branch ne(x, 0:i32) b1 b3
         b1:
         %0 := call g()
         branch ne(%0, 0:i32) b2 b3
         b2:
         return 1:i32
         b3:
         return 2:i32",
    );
}

#[test]
fn constant_conditions_are_no_decisions() {
    check(
        "int f(int x) { do { x++; } while (0); if (sizeof x == 4) x--; while (1) { if (x) return 3; } }",
        "b0:
         x := add.s(x, 1:i32)
         x := sub.s(x, 1:i32)
         goto b1
         b1:
         branch ne(x, 0:i32) b2 b1
         b2:
         return 3:i32",
    );
}

#[test]
fn a_switch_is_a_chain_in_the_order_of_its_labels() {
    check(
        "int f(int x) { switch (x) { case 7: x = 1; default: return x; case 2 ... 4: return 0; } }",
        "b0:
         %0 := x
         branch eq(%0, 7:i32) b1 b2
         b1:
         x := 1:i32
         goto b4
         b2:
         branch and(sle(2:i32, %0), sle(%0, 4:i32)) b3 b4
         b3:
         return 0:i32
         b4:
         return x",
    );
}

#[test]
fn values_are_saved_before_what_may_change_them() {
    check(
        "int g(void); int v; int f(int i) { return v + g() + i++ * i; }",
        "b0:
         %1 := load.i32(@v)
         %0 := call g()
         %3 := add.s(%1, %0)
         %2 := i
         i := add.s(%2, 1:i32)
         return add.s(%3, mul.s(%2, i))",
    );
}

#[test]
fn a_variable_whose_address_is_taken_lives_in_memory() {
    check(
        "void g(int *); int f(int x) { int y = x; g(&y); g(&x); return x + y; }",
        "b0:
         declare x#0
         mem.i32[&x#0] := x#2
         declare y
         mem.i32[&y] := load.i32(&x#0)
         call g(&y)
         call g(&x#0)
         return add.s(load.i32(&x#0), load.i32(&y))",
    );
}

#[test]
fn only_what_may_be_read_unwritten_is_an_input() {
    let text = "int f(int c) { int a, b, d; if (c) { a = 1; d = 2; } else d = 3; b = 4; return a + b + d; }
                int main(void) { return f(0); }";
    let program = program(text);
    let names: Vec<&InputKind> = program.inputs.iter().map(|i| &i.kind).collect();
    assert_eq!(names, [&InputKind::Uninitialized("a".into())]);
}

#[test]
fn a_declaration_that_can_be_jumped_over_is_an_input_at_the_start_too() {
    check(
        "int f(int c) { if (c) goto in; { int x; x = 1; in: return x; } }",
        "b0:
         havoc x from i0
         branch ne(c, 0:i32) b2 b1
         b1:
         havoc x from i1
         x := 1:i32
         goto b2
         b2:
         mark m0
         return x",
    );
}

#[test]
fn bit_fields_are_read_and_written_in_their_bytes() {
    check(
        "struct s { unsigned a : 3; int b : 7; }; int f(struct s *p) { p->b = 5; return p->a; }",
        "b0:
         bits.i16[p, 3, 7] := 5:i7
         return zext.i32(trunc.i3(load.i8(p)))",
    );
}

#[test]
fn records_are_passed_and_returned_by_copies() {
    check(
        "struct s { int a, b; }; struct s g(struct s); int f(struct s x) { x = g(x); return x.b; }",
        "b0:
         declare %0
         copy &%0, x, 8
         declare %1
         call g(&%1, &%0)
         copy x, &%1, 8
         return load.i32(ptradd(x, 4:i64, 1))",
    );
}

#[test]
fn variable_arguments_have_slots() {
    check(
        "int g(int, ...); int f(char c) { return g(1, c, 2.5f); }",
        "b0:
         declare %0
         mem.i32[&%0] := sext.i32(c)
         mem.f64[ptradd(&%0, 16:i64, 1)] := 2.5:f64
         %1 := call g(1:i32, &%0)
         return %1",
    );
}

#[test]
fn verification_primitives_are_statements() {
    check(
        "extern int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int); void reach_error() {}
         void f(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 2); if (x == 9) reach_error(); }",
        "b0:
         havoc x from i0
         assume slt(2:i32, x)
         branch eq(x, 9:i32) b1 b2
         b1:
         error reach
         b2:
         return",
    );
}

#[test]
fn computed_gotos_compare_numbers_of_labels() {
    check(
        "int f(int i) { static void *t[] = { &&a, &&b }; goto *t[i]; a: return 1; b: return 2; }",
        "b0:
         %0 := ptoi.i64(load.ptr(ptradd(@t, sext.i64(i), 8)))
         branch eq(%0, 1:i64) b1 b2
         b1:
         mark m0
         return 1:i32
         b2:
         branch eq(%0, 2:i64) b3 b4
         b3:
         mark m1
         return 2:i32
         b4:
         unreachable",
    );
}

#[test]
fn initializers_zero_only_what_they_leave_out() {
    check(
        "int f(void) { int a[2] = { 1, 2 }; struct { int x, y[2]; } s = { .y = { [1] = 3 } }; char t[4] = \"ab\"; return a[0]; }",
        "b0:
         declare a
         mem.i32[&a] := 1:i32
         mem.i32[ptradd(&a, 4:i64, 1)] := 2:i32
         declare s
         zero &s, 12
         mem.i32[ptradd(&s, 8:i64, 1)] := 3:i32
         declare t
         copy &t, @#0, 3
         zero ptradd(&t, 3:i64, 1), 1
         return load.i32(&a)",
    );
}

#[test]
fn variable_lengths_are_computed_once() {
    check(
        "unsigned long f(int n) { int a[n][2]; n = 0; return sizeof a; }",
        "b0:
         %0 := sext.i64(n)
         declare a, mul(%0, 8:i64)
         n := 0:i32
         return mul(%0, 8:i64)",
    );
}

#[test]
fn predicates_are_marks_in_the_scope_of_their_line() {
    let options = Options {
        probes: vec![LineProbe {
            file: "a.c".into(),
            line: 3,
            text: "x > 1".into(),
        }],
        ..Options::default()
    };
    let text = "int main(void) {\nint x = 0;\nx++; x--;\nreturn x; }\n";
    let program = program_with(text, &options);
    assert_eq!(program.marks.len(), 1);
    assert_eq!(program.marks[0].kind, MarkKind::Predicate);
    let expected = "b0:\nx := 0:i32\nmark m0 if slt(1:i32, x)\n";
    assert!(blocks_of(&program, "main").starts_with(expected));
}

#[test]
fn marks_and_labels_keep_their_names() {
    let program = program("int main(void) { Learn(a.b); Learn(\"two words\"); end: return 0; }");
    let names: Vec<&str> = program.marks.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["a.b", "two words", "end"]);
}

#[test]
fn an_entry_function_gets_inputs_and_fresh_objects() {
    let options = Options {
        entry: "f".into(),
        ..Options::default()
    };
    let text = "struct s { int a; }; int f(int n, char *t, struct s *p, void (*g)(void), int *unused) { return n + *t + p->a; }";
    let program = program_with(text, &options);
    assert_eq!(
        blocks_of(&program, "__start"),
        "b0:\nhavoc %0 from i0\n\
         declare #1\ncall builtin truncate u0 (&#1, true)\n\
         declare #2\ncall builtin truncate u2 (&#2, true)\nhavoc %3 from i1\n\
         %4 := select(ult(sub(%3, 1:i8), 8:i8), ptradd(&#1, zext.i64(sub(%3, 1:i8)), 1), &#2)\n\
         declare #5\n%6 := call f(%0, &#1, %4, null, &#5)\nexit %6"
    );
    assert_eq!(program.inputs[0].kind, InputKind::Parameter("n".into()));
}

#[test]
fn arguments_of_main_are_inputs_only_if_they_are_used() {
    let unused = program("int main(int argc, char **argv) { return 0; }");
    assert!(unused.inputs.is_empty());
    let used = program("int main(int argc, char **argv) { return argv[argc] != 0; }");
    assert_eq!(used.inputs[0].kind, InputKind::ArgumentCount);
    assert_eq!(used.inputs.len(), 1 + 3 * 8);
}

#[test]
fn units_are_linked_by_name() {
    let mut sources = SourceMap::new();
    let a = sources.add(
        "a.c",
        "int v; static int s = 1; int g(void); int main(void) { return g() + v + s; }".into(),
    );
    let b = sources.add(
        "b.c",
        "int v = 4; static int s = 2; int g(void) { return s; }".into(),
    );
    let compiled = compile(sources, &[a, b], &Options::default());
    assert!(
        compiled.diagnostics.is_empty(),
        "{:?}",
        compiled.diagnostics
    );
    let program = compiled.program.expect("it links");
    let globals: Vec<(&str, &[u8])> = program
        .globals
        .iter()
        .map(|g| (g.name.as_str(), &g.bytes[..]))
        .collect();
    assert_eq!(globals, [("s", &[1][..]), ("v", &[4][..]), ("s", &[2][..])]);
}

#[test]
fn a_library_function_comes_only_with_who_needs_it() {
    let with =
        program("unsigned long strlen(const char *); int main(void) { return strlen(\"abc\"); }");
    assert!(with.function_named("strlen").is_some());
    let without = program("int main(void) { return 0; }");
    assert_eq!(without.functions.len(), 2);
    let own = program(
        "unsigned long strlen(const char *s) { return 7; } int main(void) { return strlen(\"\"); }",
    );
    let strlen = own.function_named("strlen").expect("defined");
    assert_eq!(
        own.function(strlen).origin,
        idiolect_ir::FunctionOrigin::User
    );
}

#[test]
fn long_chains_do_not_overflow_the_stack() {
    let mut text = "int f(int x) { return x".to_owned();
    text.push_str(&" + x".repeat(50_000));
    text.push_str("; } int main(void) { int x = 1; if (x");
    text.push_str(&" && x".repeat(50_000));
    text.push_str(") return f(1); return 0; }");
    assert!(!program(&text).functions.is_empty());
}

#[test]
fn bit_fields_wider_than_int_keep_their_width() {
    check(
        "struct s { unsigned long a : 40; }; unsigned long f(struct s *p) { return p->a + 1; }",
        "b0:
         return zext.i64(trunc.i40(add(zext.i64(load.i40(p)), 1:i64)))",
    );
}

/// The little-endian value of a global, and where its first address points.
fn initial(program: &Program, name: &str) -> (i64, Option<i64>) {
    let global = program
        .globals
        .iter()
        .find(|g| g.name == name)
        .expect("a global");
    let mut bytes = [0; 8];
    bytes[..global.bytes.len()].copy_from_slice(&global.bytes);
    let address = global.relocations.first().map(|r| r.addend);
    (i64::from_le_bytes(bytes), address)
}

#[test]
fn initial_values_are_computed() {
    let program = program(
        "struct s { int a; long f[3]; }; int v[9]; int main(void) { return 0; }
         long offset = (long)&((struct s *)0)->f[1];
         long size = sizeof(struct s) * 2 - _Alignof(long);
         int folded = (7 / 2 * 3 ^ 0x10) << (1 ? 2 : 99) | !!5;
         unsigned char narrow = 300;
         long distance = &v[7] - &v[2];
         int *inside = &v[2] + 1;
         char *text = \"abc\" + 1;
         double quarter = 1.0 / 4;
         float third = 1 / 3.0f;
         _Bool truth = &v;
         enum { A = 5, B, C = B * A } constant = C;
         int chosen = _Generic(1.0, int: 1, double: 2);",
    );
    let expected = [
        ("offset", 16),
        ("size", 56),
        ("folded", (9 ^ 0x10) << 2 | 1),
        ("narrow", 44),
        ("distance", 5),
        ("quarter", 0.25f64.to_bits() as i64),
        ("third", i64::from((1.0f32 / 3.0).to_bits())),
        ("truth", 1),
        ("constant", 30),
        ("chosen", 2),
    ];
    for (name, value) in expected {
        assert_eq!(initial(&program, name), (value, None), "{name}");
    }
    assert_eq!(initial(&program, "inside"), (0, Some(12)));
    assert_eq!(initial(&program, "text"), (0, Some(1)));
}

#[test]
fn the_32_bit_model_has_its_own_sizes() {
    let options = Options {
        data_model: idiolect_ir::ctype::DataModel::Ilp32,
        ..Options::default()
    };
    let text = "int main(void) { return 0; } int s = sizeof(long) + sizeof(void *) * 10 + sizeof(long long) * 100 \
                + sizeof(long double) * 1000; struct { char c; double d; } r; int a = sizeof r;";
    let program = program_with(text, &options);
    assert_eq!(initial(&program, "s"), (12844, None));
    assert_eq!(initial(&program, "a"), (12, None));
}

fn listed(program: &idiolect_ir::Program) -> Vec<(&'static str, String)> {
    let list = program.assumptions.iter();
    list.map(|a| (a.kind.name(), a.text.clone())).collect()
}

#[test]
fn what_unused_functions_rest_on_is_not_listed() {
    let text = "void *malloc(unsigned long); void gone(void);
        static void unused(void) { malloc(4); gone(); }
        int main(void) { return 0; }";
    assert_eq!(listed(&program(text)), []);
    let text = "void *malloc(unsigned long); void gone(void);
        static void used(void) { malloc(4); malloc(5); gone(); gone(); }
        int main(void) { void (*f)(void) = used; f(); return 0; }";
    let program = program(text);
    let kinds: Vec<&str> = listed(&program).iter().map(|entry| entry.0).collect();
    // `gone` may call `used`.
    assert_eq!(kinds, ["convention", "missing-body", "unmodelled"]);
}

#[test]
fn what_c_leaves_open_is_listed_where_it_is_used() {
    for (text, expected) in [
        ("int f(int), g(int); int h(void) { return f(1) + g(2); }", 1),
        ("int f(int); int h(void) { return f(1) + 2; }", 0),
        ("int h(int *p, int *q) { return p < q; }", 1),
        ("int h(int *p) { int a[3]; return p < a + 3; }", 1),
        (
            "int h(void) { int a[3] = {0}, s = 0; for (int *p = a; p < a + 3; p++) s += *p; return s; }",
            0,
        ),
        ("int *k; int h(void) { int x; return &x == k; }", 1),
        ("int h(int i) { int a[3]; a[i] = i++; return a[0]; }", 1),
        ("int h(int i) { return i + i++; }", 1),
        ("int h(int *p) { return *(float *)p > 0; }", 1),
        (
            "int h(int *p) { return *(unsigned *)p > *(unsigned char *)p; }",
            0,
        ),
        ("int h(int i) { i = i++; return i; }", 1),
        ("int g(int, int); int h(int i) { return g(i, ++i); }", 1),
        ("int h(int i) { int j; return (j = i) + (i = 2); }", 1),
        ("int h(int i) { i = i + 1; i += i; return i++ && i; }", 0),
        ("int h(int i, int j) { return (i++, i) + (j = 1); }", 0),
        ("int h(char *p, char *q) { *p++ = *q++; return 0; }", 0),
        (
            "void free(void *); int h(int **p) { free(p[0]); return p[0] == p[1]; }",
            1,
        ),
        ("int h(int **p) { return p[0] == p[1]; }", 0),
        ("int a[2], b[2]; int h(void) { return a + 2 == b; }", 1),
        ("int a[2]; int h(int *p) { return p == a + 2; }", 1),
        ("int h(int *p) { return p + 2 == p; }", 0),
        (
            "int h(void) { int a[3] = {0}, s = 0; for (int *p = a; p != a + 3; p++) s += *p; return s; }",
            0,
        ),
        (
            "int h(void) { char *p = \"x\", *q = \"y\"; return p + 2 == q; }",
            1,
        ),
        ("int h(void) { return (signed char)200.0; }", 1),
        ("int h(void) { return (unsigned char)200.0; }", 0),
        (
            "int h(void) { char *p = \"x\", *q = \"x\"; return p == q; }",
            1,
        ),
        (
            "int h(void) { char *p = \"x\", *q = \"y\"; return p == q; }",
            0,
        ),
        (
            "int h(void) { char *p = \"x\", *q = \"x\"; return p && q; }",
            0,
        ),
        ("int h(unsigned x, unsigned n) { return x << n; }", 1),
        ("int h(unsigned x, unsigned n) { return x << (n & 31); }", 0),
    ] {
        let options = Options {
            entry: "h".into(),
            ..Options::default()
        };
        let program = program_with(text, &options);
        let list = listed(&program);
        let n = list.iter().filter(|entry| entry.0 == "convention").count();
        assert_eq!(n, expected, "{text}: {list:?}");
    }
}

#[test]
fn functions_without_a_body_do_what_can_be_done() {
    use idiolect_cfront::MissingBodies;
    let traps = |text: &str, missing: MissingBodies| {
        let options = Options {
            missing,
            ..Options::default()
        };
        let program = program_with(text, &options);
        let list = listed(&program);
        list.iter().filter(|e| e.0 == "unmodelled").count()
    };
    let anything = || MissingBodies::Anything { except: Vec::new() };
    for (text, expected) in [
        (
            "void f(int *p); int main(void) { int x; f(&x); return x; }",
            0,
        ),
        (
            "void f(int *p); int main(void) { int x[3]; f(x + 1); return x[0]; }",
            0,
        ),
        (
            "void f(int **p); int main(void) { int *x; f(&x); return *x; }",
            1,
        ),
        (
            "void f(int *p); int main(void) { int x; int *p = &x; f(p + x); return x; }",
            1,
        ),
        (
            "void f(const int *p); int main(void) { int x; int *p = &x; f(p); return x; }",
            0,
        ),
        (
            "void f(char *t, ...); int main(void) { int x; f(\"a\", 3); return x; }",
            0,
        ),
        (
            "void f(char *t, ...); int main(void) { int x; f(\"a\", &x); return x; }",
            1,
        ),
        (
            "void f(void); int g; void h(void) { g = 1; } int main(void) { f(); return g; }",
            1,
        ),
        (
            "void f(void); int g; int h(void) { return 1; } int main(void) { f(); return g; }",
            0,
        ),
        (
            "void f(void); int *g; int main(void) { f(); return *g; }",
            1,
        ),
        (
            "void f(int *p); int main(void) { int x, y; f(&x); f(&y); return x; }",
            1,
        ),
        ("int *f(void); int main(void) { return *f(); }", 2),
    ] {
        assert_eq!(traps(text, anything()), expected, "{text}");
        assert_eq!(traps(text, MissingBodies::OnlyReturn), 0, "{text}");
        let except = vec!["f".to_owned()];
        assert_eq!(traps(text, MissingBodies::Anything { except }), 0, "{text}");
    }
}
