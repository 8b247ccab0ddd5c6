//! What users hear about their source: every complaint, with its place and a way out.

use idiolect_base::SourceMap;
use idiolect_cfront::{Options, compile};

/// One line for each diagnostic: line:column, code, message, help.
fn complaints(text: &str) -> Vec<String> {
    let mut sources = SourceMap::new();
    let id = sources.add("a.c", text.to_owned());
    let places = sources.clone();
    let compiled = compile(sources, &[id], &Options::default());
    let errors = compiled.diagnostics.iter().any(|d| d.is_error());
    assert_eq!(compiled.program.is_none(), errors);
    let line = |d: &idiolect_base::Diagnostic| {
        let place = places.place(d.span);
        let place = place.map_or("-".to_owned(), |p| format!("{}:{}", p.line, p.column));
        let help = d.help.as_ref().map_or(String::new(), |h| format!(" ({h})"));
        format!("{place} {}: {}{help}", d.code, d.message)
    };
    compiled.diagnostics.iter().map(line).collect()
}

/// The complaints about the body of `main`, after declarations that are fine.
fn check(before: &str, body: &str, expected: &[&str]) {
    let text = format!("{before}\nint main(void) {{\n{body}\n}}\n");
    assert_eq!(complaints(&text), expected, "{text}");
}

#[test]
fn names_that_are_not_declared() {
    check(
        "int counter;",
        "conter = 1; return quux(counter);",
        &[
            "3:1 c::undeclared: `conter` is not declared (did you mean `counter`?)",
            "3:20 c::implicit-function: function `quux` is called without a declaration",
            "3:20 c::no-body: function `quux` has no body, so its result is an input (give the file that defines it, or a model of it in C)",
        ],
    );
}

#[test]
fn members_that_do_not_exist() {
    check(
        "struct s { int length, other; } v; struct t;",
        "struct t *p = 0; v.lenght = v.zzz; return p->a;",
        &[
            "3:20 c::no-field: `struct s` has no field `lenght` (did you mean `length`?)",
            "3:31 c::no-field: `struct s` has no field `zzz` (its fields are: length, other)",
            "3:46 c::incomplete-type: `struct t` is never defined, so it has no field `a`",
        ],
    );
}

#[test]
fn types_that_do_not_fit() {
    check(
        "struct a { int x; } u; struct b { int y; } v; int n;",
        "u = v; n(); n.x = 1; *n = 2; return u + 1;",
        &[
            "3:1 c::conversion: `struct b` cannot become `struct a`",
            "3:8 c::not-a-function: `int` is not a function",
            "3:13 c::not-a-record: `int` has no members",
            "3:22 c::not-a-pointer: only pointers can be dereferenced, not `int`",
            "3:37 c::operand: this operator does not take `struct a` and `int`",
        ],
    );
}

#[test]
fn jumps_to_nowhere() {
    check(
        "",
        "int x = 0; finish: switch (x) { case 1: case 1: continue; } goto finsh; break;",
        &[
            "3:41 c::duplicate-case: a second `case 1`",
            "3:49 c::continue: `continue` outside a loop",
            "3:73 c::break: `break` outside a loop or `switch`",
            "3:66 c::unknown-label: no label `finsh` in this function (did you mean `finish`?)",
        ],
    );
}

#[test]
fn values_that_are_not_constant() {
    check(
        "int n; int m = n; int a[n];",
        "return m;",
        &[
            "1:16 c::not-constant: the initial value of a static object has to be a constant (it reads a variable; use a macro or an enumerator)",
            "1:25 c::array-length: the length of this array is not a constant",
        ],
    );
}

#[test]
fn things_defined_twice() {
    check(
        "int f(void) { return 1; }\nint f(void) { return 2; }\nint v = 1;\nint v = 2;",
        "int x, x; return v;",
        &[
            "2:5 c::redefinition: `f` is defined twice (the other definition is at a.c:1:5)",
            "4:5 c::redefinition: `v` is defined twice (the other definition is at a.c:3:5)",
            "6:8 c::redefinition: `x` is declared twice in this block",
        ],
    );
}

#[test]
fn things_defined_nowhere_are_inputs() {
    check(
        "extern int v; int f(int);",
        "return f(v);",
        &[
            "1:19 c::no-body: function `f` has no body, so its result is an input (give the file that defines it, or a model of it in C)",
            "1:12 c::no-definition: variable `v` is defined nowhere, so its value is an input",
        ],
    );
}

#[test]
fn a_wrong_number_of_arguments_is_a_warning() {
    check(
        "int f(int a, int b) { return a; }",
        "return f(1) + f(1, 2, 3);",
        &[
            "3:8 c::argument-count: `f` takes 2 arguments, but 1 are given",
            "3:15 c::argument-count: `f` takes 2 arguments, but 3 are given",
        ],
    );
}

#[test]
fn a_missing_entry_names_near_functions() {
    assert_eq!(
        complaints("int mian(void) { return 0; }"),
        ["- c::no-entry: there is no function `main` to start from (did you mean `mian`?)"]
    );
    assert_eq!(
        complaints(""),
        [
            "- c::no-entry: there is no function `main` to start from (no function is defined at all)"
        ]
    );
}

#[test]
fn arrays_too_large_and_assertions_too_strong() {
    check(
        "char big[3000000000]; _Static_assert(sizeof(int) == 2, \"small\");",
        "return 0;",
        &[
            "1:6 c::array-size: an array of 3000000000 elements is too large (objects have less than 2 GiB)",
            "1:38 c::static-assert: a static assertion fails: small",
        ],
    );
}

#[test]
fn dubious_but_compilable_is_accepted_in_silence() {
    let fine = "int *p; long l; char c; enum e { A } e; unsigned u;
        int main(void) { p = l; l = p; c = 1000; e = 7; u = -1; p = &c; if (p == l) return p; return (int)(long)&p; }";
    assert_eq!(complaints(fine), Vec::<String>::new());
}
