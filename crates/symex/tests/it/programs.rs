//! Small programs, one feature each. Every error that is found is replayed by `interp`.

use crate::common;

use common::{program, verdict};
use idiolect_ir::Property;
use idiolect_ir::ctype::DataModel;
use idiolect_symex::bmc::{BmcOutcome, find_error};

const PRELUDE: &str = "
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long); void free(void *);
void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long);
unsigned long strlen(const char *); int strcmp(const char *, const char *);
int printf(const char *, ...);
#define nondet __VERIFIER_nondet_int
#define uchar __VERIFIER_nondet_uchar
#define assume __VERIFIER_assume
#define check(c) do { if (!(c)) reach_error(); } while (0)
";

fn text(body: &str) -> String {
    // The front end takes preprocessed text.
    let mut lines: Vec<String> = Vec::new();
    let mut macros: Vec<(&str, &str)> = Vec::new();
    for line in PRELUDE.lines() {
        match line.strip_prefix("#define ") {
            Some(rest) if !rest.starts_with("check(") => {
                macros.push(rest.split_once(' ').unwrap());
            }
            Some(_) => {}
            None => lines.push(line.into()),
        }
    }
    let mut body = body.to_owned();
    for (name, meaning) in macros {
        body = body.replace(&format!("{name}("), &format!("{meaning}("));
    }
    lines.push("static void check(int c) { if (!c) reach_error(); }".into());
    lines.push(body);
    lines.join("\n")
}

#[track_caller]
fn check_with(
    body: &str,
    properties: &[Property],
    unwind: usize,
    model: DataModel,
    expected: &str,
) {
    let text = match model {
        DataModel::Lp64 => text(body),
        DataModel::Ilp32 => text(body).replace("unsigned long", "unsigned int"),
    };
    let program = program(&text, model);
    assert_eq!(verdict(&program, properties, unwind), expected, "{text}");
}

#[track_caller]
fn check(body: &str, expected: &str) {
    check_with(body, &[Property::Assert], 16, DataModel::Lp64, expected);
}

#[track_caller]
fn check_all(body: &str, expected: &str) {
    let properties = [
        Property::Assert,
        Property::Memory,
        Property::Free,
        Property::Division,
    ];
    check_with(body, &properties, 16, DataModel::Lp64, expected);
}

#[test]
fn straight_code() {
    check(
        "int main(void) { int x = nondet(); check(x * x != 49 || x > 0); return 0; }",
        "error",
    );
    check(
        "int main(void) { unsigned x = nondet(); check((x ^ x) == 0); return 0; }",
        "proved",
    );
    check(
        "int main(void) { int x = nondet(); assume(x > 3); check(x > 2); return 0; }",
        "proved",
    );
}

#[test]
fn loops() {
    check(
        "int main(void) { int n = nondet(), s = 0; assume(n >= 0 && n < 10);
         for (int i = 0; i < n; i++) s += i; check(s != 21); return 0; }",
        "error",
    );
    check(
        "int main(void) { int n = nondet(), s = 0; assume(n >= 0 && n < 10);
         for (int i = 0; i < n; i++) s += i; check(s != 22); return 0; }",
        "proved",
    );
    check(
        "int main(void) { int n = nondet(), i = 0; while (i != n) i++; check(i == n); return 0; }",
        "none up to 16",
    );
    check(
        "int main(void) { int s = 0; for (int i = 0; i < 500; i++) for (int j = 0; j < 3; j++) s += j;
         check(s == 1500); return 0; }",
        "proved",
    );
    check(
        "int main(void) { int i, j, n = 0; int m = nondet();
         for (i = 0; i < 4; i++) { for (j = 0; j < 4; j++) { if (m == i * j) goto next; n++; } next:; }
         check(n != 11); return 0; }",
        "error",
    );
}

#[test]
fn arrays() {
    check(
        "int main(void) { int a[8]; for (int i = 0; i < 8; i++) a[i] = i * i;
         int k = nondet(); assume(k >= 0 && k < 8); check(a[k] != 25); return 0; }",
        "error",
    );
    check(
        "int main(void) { int a[8]; for (int i = 0; i < 8; i++) a[i] = 0;
         int k = nondet(); assume(k >= 0 && k < 8); a[k] = 3; int s = 0;
         for (int i = 0; i < 8; i++) s += a[i]; check(s == 3); return 0; }",
        "proved",
    );
    check_all(
        "int main(void) { int a[4] = {0}; int k = nondet(); return a[k]; }",
        "OutOfBounds",
    );
    check_all(
        "int main(void) { int a[4] = {0}; unsigned k = nondet(); return a[k & 3]; }",
        "proved",
    );
    check(
        "int g[3] = {1, 2, 3}; int main(void) { check(g[0] + g[1] + g[2] == 6); return 0; }",
        "proved",
    );
}

#[test]
fn sorting() {
    let sort = |bug: &str| {
        format!(
            "int main(void) {{ int a[4]; for (int i = 0; i < 4; i++) a[i] = nondet();
             for (int i = 0; i < 3; i++) for (int j = 0; j < 3 - i{bug}; j++)
             if (a[j] > a[j + 1]) {{ int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }}
             for (int i = 0; i < 3; i++) check(a[i] <= a[i + 1]); return 0; }}"
        )
    };
    check(&sort(""), "proved");
    check(&sort(" - 1"), "error");
}

#[test]
fn uninitialized_memory_is_input() {
    check(
        "int main(void) { int a[2]; check(a[0] != 7 || a[1] != 8); return 0; }",
        "error",
    );
    check(
        "int main(void) { int x; int *p = &x; check(*p == *p); return 0; }",
        "proved",
    );
    check(
        "int main(void) { int x, *p = &x; if (nondet()) x = 1; int y = *p; check(y != 5); check(*p == y);
         return 0; }",
        "error",
    );
    check(
        "union u { int i; char c[4]; }; int main(void) { union u u; u.c[1] = 3; int k = u.i;
         check(k != 0x05040302); return 0; }",
        "error",
    );
    check(
        "union u { int i; char c[4]; }; int main(void) { union u u; u.c[1] = 3; int k = u.i;
         check(k != 0x05040202); return 0; }",
        "proved",
    );
    check(
        "int main(void) { int *p = malloc(12); int k = nondet(); assume(k >= 0 && k < 3);
         check(p[k] != 9 || p[2] != 9 || k == 2); return 0; }",
        "error",
    );
    check(
        "struct s { int a; int b; }; int main(void) { struct s x, y; x.a = 1; y = x;
         check(y.b == x.b || y.b == 4); return 0; }",
        "error",
    );
}

#[test]
fn structs_unions_and_bit_fields() {
    check(
        "struct s { int a; struct { char b, c; } in; }; int main(void) { struct s x = {1, {2, 3}}, y = x;
         y.in.c = nondet(); check(x.in.c + y.in.b == 5); check(y.in.c != 77); return 0; }",
        "error",
    );
    check(
        "struct b { unsigned x : 3, y : 5; int z : 4; }; int main(void) { struct b b = {0};
         b.x = nondet(); b.y = 9; b.z = b.x; check(b.y == 9); check(b.z >= 0); return 0; }",
        "proved",
    );
    check(
        "struct b { unsigned x : 3, y : 5; int z : 4; }; int main(void) { struct b b = {0};
         b.x = nondet(); b.z = b.x + 2; check(b.z >= 0); return 0; }",
        "error",
    );
    check(
        "union u { unsigned i; unsigned char c[4]; }; int main(void) { union u u; u.i = nondet();
         check(u.c[0] + 256u * u.c[1] + 65536u * u.c[2] + 16777216u * u.c[3] == u.i); return 0; }",
        "proved",
    );
    check(
        "struct p { int x, y, z; }; int main(void) { struct p a[5]; for (int i = 0; i < 5; i++) {
         a[i].x = i; a[i].y = 2 * i; a[i].z = 3 * i; } int k = nondet(); assume(k >= 0 && k < 5);
         a[k].y = 100; check(a[k].x + a[k].z == 4 * k); check(a[3].y == 6); return 0; }",
        "error",
    );
}

#[test]
fn pointers() {
    check(
        "int main(void) { int x = 1, y = 2; int *p = nondet() ? &x : &y; *p = 5;
         check(x + y == 7 || x + y == 6); return 0; }",
        "proved",
    );
    check(
        "int main(void) { int x = 1, y = 2; int *p = nondet() ? &x : &y; *p = 5;
         check(x + y == 7); return 0; }",
        "error",
    );
    check_all(
        "int main(void) { int *p = nondet() ? (int *)0 : (int *)malloc(4); *p = 1; return 0; }",
        "NullDereference",
    );
    check_all(
        "int main(void) { int x = 0; int *p = nondet() ? (int *)0 : &x; if (p && *p == 0) return 1; return 0; }",
        "proved",
    );
    check(
        "int main(void) { int a[4] = {1, 2, 3, 4}; int *p = a, s = 0; while (p < a + 4) s += *p++;
         check(s == 10 && p - a == 4); return 0; }",
        "proved",
    );
    check(
        "int main(void) { int x = 3; unsigned long u = (unsigned long)&x; u |= 1; int *p = (int *)(u & ~1ul);
         check(*p == 3); return 0; }",
        "proved",
    );
    check_all(
        "int *f(void) { int x = 1; int *p = &x; return p; } int main(void) { return *f(); }",
        "UseAfterReturn",
    );
}

#[test]
fn heap() {
    check(
        "struct n { int v; struct n *next; }; int main(void) { struct n *head = 0; int k = nondet();
         assume(k >= 0 && k <= 4); for (int i = 0; i < k; i++) { struct n *x = malloc(sizeof *x);
         x->v = i; x->next = head; head = x; } int s = 0; for (struct n *p = head; p; p = p->next) s += p->v;
         check(s != 6); return 0; }",
        "error",
    );
    check_all(
        "int main(void) { int *p = malloc(8); free(p); return p[0]; }",
        "UseAfterFree",
    );
    check_all(
        "int main(void) { int *p = malloc(8); if (nondet()) free(p); free(p); return 0; }",
        "DoubleFree",
    );
    check_all(
        "int main(void) { int x; free(&x); return 0; }",
        "InvalidFree",
    );
    check_all(
        "int main(void) { char *p = malloc(4); p[4] = 1; return 0; }",
        "OutOfBounds",
    );
    check_all(
        "int main(void) { unsigned n = nondet(); assume(n > 0 && n < 6); char *p = malloc(n); p[n - 1] = 1;
         free(p); return 0; }",
        "proved",
    );
    check_all(
        "int main(void) { unsigned n = nondet(); assume(n < 6); char *p = malloc(n); p[3] = 1; return 0; }",
        "OutOfBounds",
    );
    check(
        "int main(void) { int *p = calloc(3, 4); check(p[1] == 0); p = realloc(p, 20); p[4] = 7;
         check(p[2] == 0 && p[4] == 7); return 0; }",
        "proved",
    );
    check(
        "int main(void) { int *p = malloc(8); p[0] = nondet(); p[1] = 2; int *q = realloc(p, 16);
         check(q[0] != 12345 || q[1] != 2); return 0; }",
        "error",
    );
}

#[test]
fn lazy_operators() {
    check_all(
        "int main(void) { int x = nondet(); return x != 0 && 10 / x > 2; }",
        "proved",
    );
    check_all(
        "int main(void) { int x = nondet(); return x == 0 || 10 / x > 2; }",
        "proved",
    );
    check_all(
        "int main(void) { int x = nondet(); return x ? 10 / x : 0; }",
        "proved",
    );
    check_all(
        "int main(void) { int x = nondet(); return x != 1 && 10 / x > 2; }",
        "DivisionByZero",
    );
    check_all(
        "int main(void) { int x = nondet(), y = nondet(); assume(y != 0); return x / y; }",
        "DivisionOverflow",
    );
}

#[test]
fn calls_recursion_and_function_pointers() {
    check(
        "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
         int main(void) { int n = nondet(); assume(n >= 0 && n < 7); check(fib(n) != 5); return 0; }",
        "error",
    );
    check(
        "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
         int main(void) { int n = nondet(); assume(n >= 0 && n < 7); check(fib(n) != 4); return 0; }",
        "proved",
    );
    check(
        "int f(int n) { if (n == 0) return 0; return 1 + f(n - 1); } int main(void) { check(f(200) == 200); return 0; }",
        "proved",
    );
    check(
        "int inc(int x) { return x + 1; } int twice(int x) { return 2 * x; }
         int (*table[2])(int) = { inc, twice };
         int main(void) { int k = nondet() & 1, x = nondet(); int (*f)(int) = table[k];
         check(f(x) != 77 || k == 0); return 0; }",
        "proved",
    );
    check(
        "int inc(int x) { return x + 1; } int twice(int x) { return 2 * x; }
         int main(void) { int k = nondet() & 1, x = nondet(); int (*f)(int) = k ? inc : twice;
         check(f(x) != 77 || k == 0); return 0; }",
        "error",
    );
    check_all(
        "int main(void) { int (*f)(int) = 0; return f(1); }",
        "BadFunctionPointer",
    );
    check(
        "struct s { int a, b; }; struct s mk(int x) { struct s s = {x, x + 1}; return s; }
         int main(void) { struct s s = mk(nondet()); check(s.b == s.a + 1); return 0; }",
        "proved",
    );
}

#[test]
fn library() {
    check(
        "int main(void) { char a[8] = \"abc\", b[8]; memcpy(b, a, 4); check(strlen(b) == 3 && strcmp(a, b) == 0);
         return 0; }",
        "proved",
    );
    check(
        "int main(void) { char b[6]; memset(b, 0, 6); int k = nondet(); assume(k >= 0 && k < 5); b[k] = 'x';
         check(strlen(b) != 1); return 0; }",
        "error",
    );
    check(
        "int main(void) { int a[6] = {0}, b[6]; unsigned n = nondet(); assume(n <= 6); for (int i = 0; i < 6; i++) b[i] = i + 1;
         memcpy(a, b, n * 4); check(a[3] != 4 || a[4] != 0); return 0; }",
        "error",
    );
    check(
        "int main(void) { printf(\"hello %d\\n\", nondet()); check(nondet() != 3); return 0; }",
        "error",
    );
}

#[test]
fn what_printf_reads_is_read() {
    // Each byte that nobody wrote is an input, so that the one of `nondet` comes after them.
    check(
        "int main(void) { char t[4]; t[3] = 0; printf(\"%d: %s\\n\", 1, t); check(nondet() != 3); return 0; }",
        "error",
    );
    check(
        "int main(void) { char *t = malloc(3); t[2] = 0; printf(\"%.1s\", t); check(t[0] != 'x' || nondet() != 3); return 0; }",
        "error",
    );
    check(
        "int main(void) { char t[3]; int n = nondet(); assume(n >= 0 && n < 3); printf(\"%.*s\", n, t);
         check(n != 2 || nondet() != 3); return 0; }",
        "error",
    );
    check(
        "int main(void) { char t[3]; printf(nondet() ? \"%s\" : \"%p\", nondet() ? t : 0); check(nondet() != 3); return 0; }",
        "error",
    );
    let memory = [Property::Memory];
    check_with(
        "int main(void) { char t[3]; t[0] = t[1] = t[2] = 'x'; printf(\"%s\", t); return 0; }",
        &memory,
        1,
        DataModel::Lp64,
        "OutOfBounds",
    );
    check_with(
        "int main(void) { printf(\"%d %d\", 1); return 0; }",
        &memory,
        1,
        DataModel::Lp64,
        "WrongArguments",
    );
    check_with(
        "int main(void) { printf(\"%s %.9s\", \"there\", (char *)0); return 0; }",
        &memory,
        1,
        DataModel::Lp64,
        "proved",
    );
}

#[test]
fn overflow_is_asked_for() {
    let all = [Property::Overflow];
    let body = "int main(void) { int x = nondet(); return x + 1 > x; }";
    check_with(body, &all, 4, DataModel::Lp64, "SignedOverflow");
    check_with(
        "int main(void) { int x = nondet(); assume(x < 1000 && x > -1000); return x * x; }",
        &all,
        4,
        DataModel::Lp64,
        "proved",
    );
    check(
        "int main(void) { int x = nondet(); check(x + 1 > x); return 0; }",
        "error",
    );
}

#[test]
fn floats_are_computed_or_trapped() {
    check(
        "int main(void) { double d = 1.5; d = d * 2; check(d == 3.0 && (int)d == 3); return 0; }",
        "proved",
    );
    check(
        "int main(void) { double d = nondet(); check(d != 3.0); return 0; }",
        "error",
    );
    let program = program(
        &text("int main(void) { long double d = nondet(); check(d != 3.0L); return 0; }"),
        DataModel::Lp64,
    );
    let found = verdict(&program, &[Property::Assert], 4);
    assert!(found.contains("long double"), "{found}");
}

#[test]
fn ilp32() {
    let check = |body: &str, expected: &str| {
        let all = [Property::Assert, Property::Memory];
        check_with(body, &all, 16, DataModel::Ilp32, expected);
    };
    check(
        "int main(void) { long x = nondet(); check(sizeof x == 4 && x == (int)x); return 0; }",
        "proved",
    );
    check(
        "struct n { struct n *next; int v; }; int main(void) { struct n b = {0, 2}, a = {&b, 1};
         struct n *p = nondet() ? &a : &b; if (p->next) p = p->next; check(p->v == 2); return 0; }",
        "proved",
    );
    check(
        "int main(void) { int *p = malloc(nondet() ? 8 : 12); p[2] = 3; return 0; }",
        "OutOfBounds",
    );
    check(
        "int main(void) { int x = 3, y = 4; unsigned u = (unsigned)&x, w = (unsigned)&y; int k = nondet();
         int *p = (int *)(k ? u : w); check(*p == 3); return 0; }",
        "error",
    );
}

#[test]
fn faults_that_nobody_asked_for_are_told() {
    let program = program(
        &text(
            "int main(void) { int *p = nondet() ? (int *)malloc(4) : 0; *p = 10 / nondet(); return 0; }",
        ),
        DataModel::Lp64,
    );
    let budget = idiolect_base::Budget::unlimited();
    let found = find_error(&program, &[Property::Assert], 4, &budget);
    let BmcOutcome::Proved { faults, .. } = found else {
        panic!("{found:?}");
    };
    let mut kinds: Vec<String> = faults.iter().map(|f| format!("{:?}", f.kind)).collect();
    kinds.sort();
    assert_eq!(kinds, ["DivisionByZero", "NullDereference"]);
    for fault in &faults {
        let end = common::run(&program, &fault.inputs, false).end;
        assert!(common::agrees(
            &idiolect_symex::EndKind::Fault(fault.kind),
            &end
        ));
    }
}

#[test]
fn an_index_that_is_too_large_for_an_address_is_out_of_bounds() {
    check_with(
        "int main(void) { int a[4] = {0}; int k = nondet(); return a[k]; }",
        &[Property::Memory],
        1,
        DataModel::Ilp32,
        "OutOfBounds",
    );
    check_with(
        "int main(void) { int a[4] = {0}; int k = nondet(); assume(k > 1000000); a[k] = 1; check(0); return 0; }",
        &[Property::Assert],
        1,
        DataModel::Ilp32,
        "proved",
    );
}

#[test]
fn an_input_as_a_pointer_is_no_proof() {
    let text = text(
        "struct s { int *p; }; int main(void) { struct s *s = malloc(sizeof *s); *s->p = 1; return 0; }",
    );
    let program = program(&text, DataModel::Lp64);
    let found = verdict(&program, &[Property::Assert], 4);
    assert!(found.starts_with("UnknownPointer"), "{found}");
    let found = verdict(&program, &[Property::Memory], 4);
    assert!(
        ["InvalidPointer", "NullDereference"].contains(&&*found),
        "{found}"
    );
}

#[test]
fn large_arrays_at_symbolic_offsets() {
    check(
        "int a[100000]; int main(void) { unsigned i = nondet(), j = nondet(); assume(i < 100000 && j < 100000);
         a[i] = 7; a[5] = 3; check(!(a[j] == 7 && j == i && i == 99999)); return 0; }",
        "error",
    );
    check(
        "int a[100000]; int main(void) { unsigned i = nondet(), j = nondet(); assume(i < 100000 && j < 100000);
         a[i] = 7; if (nondet()) a[j] = 9; else a[i] = 8; check(a[i] >= 8 || a[i] == 7); check(a[j] <= 9); return 0; }",
        "proved",
    );
    // Written at two paths, and read where nobody wrote: an input, and the same one again.
    check(
        "int main(void) { int a[5000]; unsigned i = nondet(), j = nondet(); assume(i < 5000 && j < 5000);
         if (nondet()) a[i] = 1; check(a[j] == a[j]); check(!(a[j] == 77 && i != j && a[i] == 78)); return 0; }",
        "error",
    );
    check(
        "int main(void) { int a[5000]; unsigned i = nondet(), j = nondet(); assume(i < 5000 && j < 5000);
         int x = a[j]; a[i] = x; check(a[i] == a[j]); check(nondet() || a[j] == x); return 0; }",
        "proved",
    );
    check(
        "int main(void) { unsigned n = nondet(); assume(n > 100 && n < 1000); int *a = malloc(n * 4); unsigned i = nondet();
         assume(i < n); a[i] = 3; a[n - 1] = 4; check(i == 555 ? a[i] == 3 : 1); return 0; }",
        "error",
    );
    // A table with values from the start, a pointer to two objects, and elements of another size.
    check(
        "int t[600] = {1, 2, 3}; int u[600]; int main(void) { unsigned i = nondet(); assume(i < 600);
         int *p = nondet() ? t : u; p[i] = 5; check(t[2] == 3 || t[2] == 5); check(!(u[599] == 5 && t[0] == 1)); return 0; }",
        "error",
    );
    let memory = [Property::Memory];
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        check_with(
            "int a[1000]; int main(void) { unsigned i = nondet(); assume(i <= 1000); a[i] = 1; return 0; }",
            &memory,
            1,
            model,
            "OutOfBounds",
        );
    }
    let bytes = program(
        &text(
            "int a[1000]; int main(void) { unsigned i = nondet(); assume(i < 1000); a[i] = 1;
             ((char *)a)[2] = 1; check(a[0] != 77); return 0; }",
        ),
        DataModel::Lp64,
    );
    let found = verdict(&bytes, &[Property::Assert], 1);
    assert!(found.contains("Trap"), "{found}");
}

#[test]
fn runs_with_small_objects_are_shown_where_there_are_any() {
    let text = text(
        "int main(void) { unsigned n = nondet(); int *a = malloc(n * 4ul); if (n > 1000) reach_error(); return a == 0; }",
    );
    let program = program(&text, DataModel::Lp64);
    let budget = idiolect_base::Budget::unlimited();
    let found = find_error(&program, &[Property::Assert], 4, &budget);
    let BmcOutcome::Error { inputs, .. } = found else {
        panic!("{found:?}");
    };
    assert!((1001..=1 << 14).contains(&inputs[0].bits), "{inputs:?}");
}
