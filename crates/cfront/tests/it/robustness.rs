//! Whatever the text, the parser returns: no panic, no overflow of the stack, no endless loop.

use crate::support;

use proptest::prelude::*;

/// `prefix`, `n` times `open`, `middle`, `n` times `close`, `suffix`.
fn nest(n: usize, [prefix, open, middle, close, suffix]: [&str; 5]) -> String {
    [prefix, &open.repeat(n), middle, &close.repeat(n), suffix].concat()
}

#[test]
fn deep_nesting_is_reported_once_and_the_rest_is_read() {
    for shape in [
        ["int x = ", "(", "1", ")", ";"],
        ["void f() {", "{", "", "}", "}"],
        ["int x = ", "a[", "1", "]", ";"],
        ["int x = ", "f(", "1", ")", ";"],
        ["int x = ", "{", "1", "}", ";"],
        ["", "struct { ", "int x;", "} a;", ""],
        ["int ", "(", "x", ")", ";"],
        ["int x", "(int", "", ")", ";"],
        ["int x = ", "({", "1;", "});", ";"],
        ["void f() {", "while (a) ", ";", "", "}"],
        ["void f() {", "if (a) ", ";", "", "}"],
        ["void f() {", "void f() {", "", "}", "}"],
        ["int x = 0", "?1", "", ":1", ";"],
        ["", "typeof(", "1", ")", "x;"],
        [
            "int x = ",
            "1 || 1 && 1 | 1 ^ 1 & 1 == 1 < 1 << 1 + 1 * (",
            "1",
            ")",
            ";",
        ],
    ] {
        let text = nest(10_000, shape) + "\nint y;";
        let (tree, complaints) = support::parsed(&text);
        assert_eq!(complaints.len(), 1, "for {shape:?}");
        assert!(
            complaints[0].contains("c::nesting-too-deep"),
            "for {shape:?}"
        );
        assert!(tree.ends_with("(declare (int) (y))\n"), "for {shape:?}");
        let (_, complaints) = support::parsed(&nest(300, shape));
        assert_eq!(complaints, Vec::<String>::new(), "for {shape:?}");
    }
}

#[test]
fn long_chains_are_read() {
    for shape in [
        ["int x = ", "a + ", "1", "", ";"],
        ["int x = ", "- ", "1", "", ";"],
        ["int x = ", "!", "1", "", ";"],
        ["int x = ", "(int)", "1", "", ";"],
        ["int x = ", "sizeof ", "1", "", ";"],
        ["int x = ", "a ? b : ", "1", "", ";"],
        ["int x = ", "a = ", "1", "", ";"],
        ["int x = a", "[1]", "", "", ";"],
        ["int x = a", "()", "", "", ";"],
        ["int ", "*", "x", "", ";"],
        ["int x", "[1]", "", "", ";"],
        ["void f() { (", "a, ", "1", "", "); }"],
        ["void f() {", "if (a) ; else ", ";", "", "}"],
        ["void f() {", "a: ", ";", "", "}"],
        ["char *s = ", "\"a\" ", "\"b\"", "", ";"],
    ] {
        let text = nest(100_000, shape) + "int y;";
        let (tree, complaints) = support::parsed(&text);
        assert_eq!(complaints, Vec::<String>::new(), "for {shape:?}");
        assert!(tree.ends_with("(declare (int) (y))\n"), "for {shape:?}");
        let (_, complaints) = support::parsed(&text[..text.len() / 2]);
        assert!(!complaints.is_empty(), "half of {shape:?}");
    }
    // A deep chain within each of many levels is deeper than each alone.
    let level = format!("({}", "a + ".repeat(900));
    let (_, complaints) = support::parsed(&nest(900, ["int x = ", &level, "1", ")", ";"]));
    assert_eq!(complaints.len(), 1);
    assert!(complaints[0].contains("c::nesting-too-deep"));
}

#[test]
fn an_ordinary_stack_is_enough_outside_of_the_big_one() {
    let text = nest(
        5_000,
        [
            "int x = ",
            "1 || 1 && 1 | 1 ^ 1 & 1 == 1 < 1 << 1 + 1 * (",
            "1",
            ")",
            ";",
        ],
    );
    let mut map = idiolect_base::SourceMap::new();
    let id = map.add(
        "t.c",
        text + &nest(50_000, ["int y = ", "1 + ", "1", "", ";"]),
    );
    let parsed = idiolect_cfront::parser::parse(&map, id, &mut Default::default());
    assert!(
        parsed
            .diagnostics
            .iter()
            .all(|d| d.code == "c::nesting-too-deep")
    );
    assert!(!parsed.diagnostics.is_empty());
}

/// Words that make the grammar's corners likely.
const WORDS: &[&str] = &[
    "int",
    "T",
    "x",
    "f",
    "typedef",
    "struct",
    "union",
    "enum",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "&&",
    "=",
    "+",
    "-",
    "++",
    ":",
    "?",
    "...",
    ".",
    "->",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "return",
    "goto",
    "break",
    "sizeof",
    "static",
    "const",
    "void",
    "char",
    "unsigned",
    "long",
    "__attribute__",
    "((",
    "))",
    "[[",
    "]]",
    "asm",
    "__extension__",
    "typeof",
    "_Generic",
    "_Static_assert",
    "_Alignas",
    "_Atomic",
    "__label__",
    "__builtin_offsetof",
    "__builtin_va_arg",
    "1",
    "1.5",
    "0x",
    "'a'",
    "\"s\"",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "\n",
    "\\\n",
    "\\",
    "#",
    "\n#include <a>\n",
    "\n# 1 \"x\"\n",
    "é",
    "“",
    "\u{0}",
    "_Pragma",
    "bool",
    "true",
    "static_assert",
    "<:",
    "%>",
    "L'",
    "u8\"",
    "\\u00e9",
    "@",
    "`",
];

fn soup() -> impl Strategy<Value = String> {
    let word = (0..WORDS.len(), any::<bool>());
    prop::collection::vec(word, 0..120).prop_map(|words| {
        let mut text = String::from("typedef int T;");
        for (word, blank) in words {
            text.push_str(WORDS[word]);
            text.push_str(if blank { " " } else { "" });
        }
        text
    })
}

const PROGRAM: &str = "typedef struct node { int key : 3; struct node *next; } node;\n\
    static int table[] = { [0 ... 3] = 1, 2 };\n\
    int f(a, b) char *b; { return a ?: *b; }\n\
    int main(void) {\n  node *n = (node *)0, m = { .key = 1 };\n\
    for (int i = 0; i < 3; i++) { if (n && n->next) n = n->next; else if (i) break; }\n\
    switch (m.key) { case 1 ... 2: L: m.key <<= 1; default: ; }\n\
    do { int T = ({ int t = sizeof(node); t; }); T++; } while (\"a\\n\" 'b' < 3);\n\
    return __builtin_offsetof(node, next) + _Generic(1, int: 2, default: 3);\n}\n";

fn mutated() -> impl Strategy<Value = String> {
    let edit = (0..PROGRAM.len(), 0..12usize, 0..WORDS.len());
    prop::collection::vec(edit, 1..6).prop_map(|edits| {
        let mut text = PROGRAM.to_owned();
        for (at, removed, word) in edits {
            let at = text.floor_char_boundary(at.min(text.len()));
            let end = text.floor_char_boundary((at + removed).min(text.len()));
            text.replace_range(at..end, WORDS[word]);
        }
        text
    })
}

/// Every complaint is about a place in the text, and there is one if the text is not C.
fn check_any(text: &str) {
    let (_, complaints) = support::parsed(text);
    assert!(complaints.len() <= 302, "{}", complaints.len());
    assert!(
        complaints.iter().all(|c| !c.contains("nowhere")),
        "{complaints:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn token_soup_is_survived(text in soup()) {
        check_any(&text);
    }

    #[test]
    fn broken_programs_are_survived(text in mutated()) {
        check_any(&text);
    }

    #[test]
    fn any_text_is_survived(text in "\\PC{0,200}") {
        check_any(&text);
    }
}
