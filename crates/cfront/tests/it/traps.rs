//! C that is not modelled is a trap at its place; the rest of the program is there.

use idiolect_base::SourceMap;
use idiolect_cfront::{Options, compile};
use idiolect_ir::{AssumptionKind, TerminatorKind};

/// What is not modelled, by function: the text of each trap in it.
fn traps(text: &str) -> Vec<(String, String)> {
    let mut sources = SourceMap::new();
    let id = sources.add("a.c", text.to_owned());
    let compiled = compile(sources, &[id], &Options::default());
    let program = (compiled.program).unwrap_or_else(|| panic!("{:#?}", compiled.diagnostics));
    let mut found = Vec::new();
    for function in &program.functions {
        for block in &function.blocks {
            if let TerminatorKind::Trap(index) = block.terminator.kind {
                let assumption = &program.assumptions[index as usize];
                assert_eq!(assumption.kind, AssumptionKind::Unmodelled);
                found.push((function.name.clone(), assumption.text.clone()));
            }
        }
    }
    found
}

fn check(text: &str, expected: &[(&str, &str)]) {
    let found = traps(text);
    let found: Vec<(&str, &str)> = (found.iter())
        .map(|(f, text)| (f.as_str(), text.as_str()))
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn members_of_variable_length() {
    let variable = "records with members of variable length";
    check(
        "int f(int n) { struct s { char a[n]; int b; } x; return sizeof x; }
         int main(void) { return 0; }",
        &[("f", variable)],
    );
    // A size that looks like a constant is none.
    check(
        "int f(int n) { int a[sizeof(struct { char b[n]; })]; return sizeof a; }
         int main(void) { return 0; }",
        &[("f", variable)],
    );
    check(
        "int f(int n) { typedef int row[n]; struct { int a; row b[3]; } x; return x.b[1][2]; }
         int main(void) { return 0; }",
        &[("f", variable)],
    );
}

#[test]
fn initial_values_that_are_not_modelled() {
    let of = |name: &str| format!("complex numbers, in the initial value of `{name}`");
    // Where it is named, and nowhere else; `sizeof` does not look at it.
    check(
        "_Complex double z = 1.0 + 2.0i; int n = sizeof z; int other = 3;
         int f(void) { return __real__ z; } int g(void) { return other + n + sizeof z; }
         int main(void) { return 0; }",
        &[("f", &of("z"))],
    );
    // What points to it leads to it, whichever comes first.
    check(
        "struct s { int a; _Complex float z; }; extern struct s late;
         struct s *first = &late; struct s **second = &first; struct s late = {1, 2.0f};
         int f(void) { return (*second)->a; } int main(void) { return 0; }",
        &[("f", &of("second"))],
    );
    check(
        "int f(void) { static _Complex int z = 3; return __imag__ z; } int main(void) { return 0; }",
        &[("f", &of("z"))],
    );
}

#[test]
fn arguments_that_are_handed_on() {
    check(
        "int g(int, ...);
         static inline __attribute__((always_inline)) int f(int n, ...)
         { return g(n, __builtin_va_arg_pack()); }
         int main(void) { return 0; }",
        &[(
            "f",
            "handing on all further arguments (`__builtin_va_arg_pack`)",
        )],
    );
}
