//! What the code of a function relies on, and what becomes of preconditions.

use idiolect_base::SourceMap;
use idiolect_cfront::contract::Precondition;
use idiolect_cfront::{Options, compile, suggest};
use idiolect_ir::{AssumptionKind, Program};

fn program(text: &str, entry: &str, preconditions: &[&str]) -> Result<Program, String> {
    let mut sources = SourceMap::new();
    let id = sources.add("a.c", text.to_owned());
    let read = |text: &&str| Precondition::read(text);
    let options = Options {
        entry: entry.to_owned(),
        preconditions: preconditions.iter().map(read).collect::<Result<_, _>>()?,
        ..Options::default()
    };
    let lowered = compile(sources, &[id], &options);
    let complaint = lowered.diagnostics.iter().find(|d| d.is_error());
    let complaint = complaint.map_or(String::new(), |d| d.message.clone());
    lowered.program.ok_or(complaint)
}

fn check(function: &str, expected: &str) {
    let name = function.split('(').next().unwrap_or_default();
    let name = name.rsplit([' ', '*']).next().unwrap_or_default();
    let text = format!(
        "typedef unsigned long size_t; size_t strlen(const char *); void *memcpy(void *, const void *, size_t);\n\
         struct s {{ int n; char *data; const char *name; }};\n{function}\n"
    );
    let program = program(&text, name, &[]).unwrap_or_else(|e| panic!("{function}: {e}"));
    let suggested = suggest::suggest(&program);
    let shown: Vec<&str> = suggested.iter().map(|p| p.text.as_str()).collect();
    assert_eq!(shown.join("; "), expected, "{function}");
}

#[test]
fn accesses_tell_what_a_function_relies_on() {
    check("int f(int *p) { return *p; }", "\\valid(p)");
    check(
        "int f(int *p) { return p[0] + p[3]; }",
        "\\valid(p + (0 .. 3))",
    );
    check(
        "int f(int *p) { if (!p) return 0; return *p; }",
        "p == \\null || \\valid(p)",
    );
    check(
        "int f(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }",
        "\\valid(a + (0 .. n - 1))",
    );
    check(
        "int f(int *a, int n) { int s = 0; for (int i = 0; i <= n; i++) s += a[i]; return s; }",
        "\\valid(a + (0 .. n))",
    );
    check(
        "void f(int *p, int n) { while (n-- > 0) *p++ = 0; }",
        "\\valid(p + (0 .. n - 1))",
    );
    check(
        "int f(const char *s) { int n = 0; while (*s) { n++; s++; } return n; }",
        "valid_string(s)",
    );
    check(
        "size_t f(const char *s) { return strlen(s); }",
        "valid_string(s)",
    );
    check(
        "void f(char *d, size_t n) { char c[4]; memcpy(d, c, n); }",
        "\\valid(d + (0 .. n - 1))",
    );
    check(
        "int f(struct s *s) { int t = 0; for (int i = 0; i < s->n; i++) t += s->data[i]; return t; }",
        "\\valid(s); \\valid(s->data + (0 .. s->n - 1))",
    );
    check(
        "size_t f(const struct s *s) { return strlen(s->name); }",
        "\\valid(s); valid_string(s->name)",
    );
    // What is never accessed, and what an assertion says, is nothing to rely on.
    check("int f(int *p) { return p != 0; }", "");
    check("int f(int n) { return n; }", "");
}

#[test]
fn preconditions_are_in_the_ledger() {
    let text = "int f(int *a, int n) { return a[n - 1]; }";
    let program = program(text, "f", &["n > 0", "\\valid(a + (0 .. n-1))"]).expect("it compiles");
    let contracts: Vec<&str> = (program.assumptions.iter())
        .filter(|a| a.kind == AssumptionKind::Contract)
        .map(|a| a.text.as_str())
        .collect();
    assert_eq!(
        contracts,
        ["requires n > 0", "requires \\valid(a + (0 .. n-1))"]
    );
    assert!(
        program
            .assumptions
            .iter()
            .any(|a| a.kind == AssumptionKind::Bound)
    );
}

#[test]
fn a_precondition_about_nothing_is_a_complaint() {
    let text = "int f(int n) { return n; }";
    assert!(program(text, "f", &["m > 0"]).is_err_and(|e| e.contains("`m` is not declared")));
    assert!(program(text, "f", &["n >"]).is_err());
    assert!(program(text, "f", &["\\valid(n + (1 .. 2))"]).is_err());
}
