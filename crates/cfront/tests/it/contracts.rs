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
    let last = function.lines().last().unwrap_or_default();
    let name = last.split('(').next().unwrap_or_default();
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
    // A member that is an index with an upper end only is not negative.
    check(
        "int f(struct s *s, int cap) { if (s->n >= cap) return -1; s->data[s->n++] = 0; return 0; }",
        "\\valid(s); \\valid(s->data + (0 .. cap - 1)); s->n >= 0",
    );
    check(
        "int f(struct s *s, int cap) { if (s->n < 0 || s->n >= cap) return -1; s->data[s->n] = 0; return 0; }",
        "\\valid(s); \\valid(s->data + (0 .. cap - 1))",
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
    // Whatever else the file calls.
    let text = "int elsewhere(int); int g(int x) { return elsewhere(x); }
                int f(int *a) { return a[3]; }";
    let program = self::program(text, "f", &["\\valid(a + (0 .. 3))"]).expect("it compiles");
    let of_caller = |a: &&idiolect_ir::Assumption| a.kind == AssumptionKind::Contract;
    assert_eq!(program.assumptions.iter().filter(of_caller).count(), 1);
}

#[test]
fn a_cast_may_name_a_type_of_the_program() {
    let text = "typedef unsigned char byte; int f(int x) { return x; }";
    assert!(program(text, "f", &["(byte)x > 3"]).is_ok());
    assert!(program(text, "f", &["(bite)x > 3"]).is_err());
    // A parameter may have the name of a type.
    let text = "typedef int n; int f(int n) { return n; }";
    assert!(program(text, "f", &["n > 0"]).is_ok());
}

#[test]
fn a_precondition_about_nothing_is_a_complaint() {
    let text = "int f(int n) { return n; }";
    assert!(program(text, "f", &["m > 0"]).is_err_and(|e| e.contains("`m` is not declared")));
    assert!(program(text, "f", &["n >"]).is_err());
    assert!(program(text, "f", &["\\valid(n + (1 .. 2))"]).is_err());
}

#[test]
fn an_end_is_a_length_or_another_parameter() {
    check(
        "int f(const char *p, size_t n) { const char *end = p + n; int s = 0; while (p != end) s += *p++; return s; }",
        "\\valid(p + (0 .. n - 1))",
    );
    check(
        "int f(const char *p, const char *end) { int s = 0; while (p < end) s += *p++; return s; }",
        "\\valid(p + (0 .. end - p - 1))",
    );
    // Whoever walks down starts at the end.
    check(
        "char *f(char *s, char *end) { while (end > s && *--end == ' ') *end = 0; return s; }",
        "\\valid(s + (0 .. end - s - 1))",
    );
    // A nul that is looked for only before the end is a character like others.
    check(
        "int f(const char *s, size_t n) { size_t i = 0; while (i < n && s[i] != 0) i++; return i; }",
        "\\valid(s + (0 .. n - 1))",
    );
    // It is the size of the other one.
    check(
        "void f(char *to, size_t n, const char *s) { size_t i = 0; while (i < n && s[i] != 0) { to[i] = s[i]; i++; } }",
        "\\valid(to + (0 .. n - 1)); valid_string(s)",
    );
    check(
        "int f(const char *s, size_t n) { size_t i = 0; while (s[i] != 0 && i < n) i++; return i; }",
        "valid_string(s)",
    );
    check(
        "int f(struct s *s, const int *a) { while (s->n < 8) if (a[s->n++]) return 1; return 0; }",
        "\\valid(s)",
    );
}

#[test]
fn null_that_comes_from_elsewhere_says_nothing_of_a_parameter() {
    check(
        "static const char *skip(const char *p) { return *p == ' ' ? p + 1 : 0; }\n\
         int f(const char *q) { const char *p = q; if ((p = skip(p)) == 0) return 0; return *p; }",
        "\\valid(q)",
    );
}

#[test]
fn memory_of_other_types_is_separate() {
    check(
        "int f(const char *s, size_t *n) { *n = 1; return s[0]; }",
        "\\valid(s); \\valid(n); \\separated(s, n)",
    );
    // Two of the same type may be the same.
    check(
        "void f(int *a, int *b) { *a = *b; }",
        "\\valid(a); \\valid(b)",
    );
}

#[test]
fn functions_are_called_and_lists_go_on() {
    check(
        "int f(int (*g)(int), int x) { return g(x); }",
        "\\valid_function(g)",
    );
    check(
        "int f(int (*g)(int), int x) { return g ? g(x) : 0; }",
        "g == \\null || \\valid_function(g)",
    );
    let list = "struct node { int v; struct node *next; };\n\
        int f(struct node *l) { int s = 0; for (; l; l = l->next) s += l->v; return s; }";
    let program = program(list, "f", &[]).expect("it compiles");
    let shown: Vec<String> = (suggest::suggest(&program).iter())
        .map(|p| p.text.clone())
        .collect();
    assert_eq!(shown, ["l == \\null || \\valid(l)"]);
}

#[test]
fn what_was_given_counts_before_what_is_suggested() {
    let text = "int f(const int *a, int n, const char *s) { int t = 0; for (int i = 0; i < n; i++) t += a[i]; return t + s[0]; }";
    let program = program(text, "f", &[]).expect("it compiles");
    let given = [Precondition::read("\\valid(s + (0 .. 3))").expect("it can be read")];
    let more = suggest::beside(&given, suggest::suggest(&program));
    let shown: Vec<&str> = more.iter().map(|p| p.text.as_str()).collect();
    assert_eq!(shown, ["\\valid(a + (0 .. n - 1))"]);
}

#[test]
fn sizes_may_be_behind_other_pointers() {
    let text = "int f(int *a, unsigned *n) { return *n ? a[*n - 1] : 0; }";
    assert!(program(text, "f", &["\\valid(a + (0 .. *n - 1))", "\\valid(n)"]).is_ok());
    let ends = "int f(const char **from, const char *end) { return *from < end ? **from : 0; }";
    let contract = "\\valid(from) && \\valid_read(*from + (0 .. end - *from - 1))";
    assert!(program(ends, "f", &[contract]).is_ok());
}

/// What is summed up is no length, wherever it stands.
#[test]
fn a_length_is_counted_down() {
    check(
        "unsigned f(unsigned sum, const unsigned char *p, size_t n) { sum &= 0xff; while (n--) sum += *p++; return sum; }",
        "\\valid(p + (0 .. n - 1))",
    );
    check(
        "unsigned f(unsigned sum, const unsigned char *p, unsigned n) { sum = ~sum; while (n > 3) { sum ^= *p++; n -= 1; } return sum; }",
        "\\valid(p + (0 .. n - 1))",
    );
}
