//! Records behind parameters: which are looked at by their members, and which are not.

use crate::support;
use idiolect_invariants::{records, shapes};

const VECTOR: &str = "struct vector { int len; int *data; int room[4]; };\n";

/// The parameters of the function as it is looked at.
fn parameters(text: &str) -> Vec<String> {
    let program = support::program(&format!("{VECTOR}{text}"), "f");
    let id = program.function_named("f").expect("it is there");
    let program = shapes::shaped(&program, id).unwrap_or(program);
    assert_eq!(idiolect_ir::verify(&program), Ok(()), "{text}");
    let function = program.function(id);
    let names = function
        .params
        .iter()
        .map(|&p| function.local(p).name.clone());
    let mut names: Vec<String> = names.collect();
    names.extend(records::opened_names(&program, id));
    names
}

#[test]
fn members_are_parameters_where_only_members_are_used() {
    for (text, expected) in [
        (
            "int f(struct vector *v, int i) { return v->data[i]; }",
            &["v->data", "i", "v"][..],
        ),
        (
            "void f(int x, struct vector *v) { for (int i = 0; i < v->len; i++) v->data[i] = x; }",
            &["x", "v->len", "v->data", "v"],
        ),
        (
            "int f(struct vector *v) { if (!v) return 0; v->len++; return v->room[v->len & 3] + v->room[2]; }",
            &["v->len", "v"],
        ),
        (
            "int f(struct vector *a, struct vector *b) { return a->len - b->len; }",
            &["a->len", "b->len", "a", "b"],
        ),
        // Two of them one behind the other, an address that goes on, a copy, another type.
        (
            "int f(struct vector *v, int i) { return v[i].len; }",
            &["v", "i"],
        ),
        ("int f(struct vector *v) { return v[1].len; }", &["v"]),
        ("int *f(struct vector *v) { return &v->len; }", &["v"]),
        (
            "int g(int *); int f(struct vector *v) { return g(&v->len) + v->len; }",
            &["v"],
        ),
        (
            "struct vector k; void f(struct vector *v) { k = *v; }",
            &["v"],
        ),
        ("int f(struct vector *v) { return *(short *)v; }", &["v"]),
        (
            "int f(struct vector *v) { struct vector *w = v; w++; return v->len; }",
            &["v"],
        ),
        // Whoever calls it has the record.
        (
            "int f(struct vector *v) { return v->len; } int g(struct vector *v) { return f(v); } int (*h)(struct vector *) = g;",
            &["v"],
        ),
    ] {
        assert_eq!(parameters(text), expected, "{text}");
    }
}

/// The array has as many elements as its record says, whatever else its subscript is compared with.
#[test]
fn the_length_of_an_array_is_a_member_of_its_record() {
    use idiolect_invariants::signature::{Length, ParameterKind, signature};
    let text = format!(
        "{VECTOR}int f(struct vector *v, int i) {{ if (i < 0 || i >= v->len) return 0; return v->data[i]; }}"
    );
    let program = support::program(&text, "f");
    let id = program.function_named("f").expect("it is there");
    let program = shapes::shaped(&program, id).expect("it has a record");
    let roles = idiolect_quantified::roles::Roles::new(&program);
    let parameters = signature(&program, &roles, id).expect("inputs can be built");
    let of_data = parameters.iter().find(|p| p.name == "v->data");
    let Some(ParameterKind::Array {
        length: Length::Parameter(length),
        ..
    }) = of_data.map(|p| &p.kind)
    else {
        panic!("{parameters:?}");
    };
    assert_eq!(parameters[*length].name, "v->len");
}
