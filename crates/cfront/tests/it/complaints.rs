//! What the parser says about broken programs: all that is wrong, once each, in the right place.

use crate::support;

fn check(text: &str, expected: &[&str]) {
    let (_, complaints) = support::parsed(text);
    assert_eq!(complaints, expected, "for {text}");
}

#[test]
fn a_missing_semicolon_is_behind_the_previous_token() {
    check(
        "int f(void) {\n  int x = 3\n  return x\n}\n",
        &[
            "2:12 c::expected-semicolon: expected `;`, found the keyword `return` (put a `;` behind this)",
            "3:11 c::expected-semicolon: expected `;`, found `}` (put a `;` behind this)",
        ],
    );
    check(
        "struct s { int a; struct { int b; }\n int c }\nint f(void) { return 0; }",
        &[
            "1:36 c::expected-semicolon: expected `;`, found the keyword `int` (put a `;` behind this)",
            "warning 2:7 c::expected-semicolon: no `;` after the last field (put a `;` behind this)",
            "2:9 c::expected-semicolon: expected `;`, found the keyword `int` (put a `;` behind this)",
        ],
    );
    check(
        "void v",
        &[
            "1:7 c::expected-semicolon: expected `;`, found the end of the file (put a `;` behind this)",
        ],
    );
}

#[test]
fn an_unknown_type_is_reported_once_with_a_way_out() {
    check(
        "typedef int number; numbr a; numbr b; struct { uint8_t c; }; int f(foo d) { return (bar *)d; }",
        &[
            "1:21 c::unknown-type: unknown type name `numbr` (did you mean `number`?)",
            "1:48 c::unknown-type: unknown type name `uint8_t` (add `#include <stdint.h>`)",
            "1:68 c::unknown-type: unknown type name `foo` (declare it with `typedef`, or include the header that does)",
            "1:85 c::unknown-type: unknown type name `bar` (declare it with `typedef`, or include the header that does)",
        ],
    );
    check(
        "int x; x y; void f(void) { FILE *f; size_t n; baz z; x w; }",
        &[
            "1:8 c::unknown-type: `x` is not a type here (declare it with `typedef`, or include the header that does)",
            "1:28 c::unknown-type: unknown type name `FILE` (add `#include <stdio.h>`)",
            "1:37 c::unknown-type: unknown type name `size_t` (add `#include <stddef.h>`)",
            "1:47 c::unknown-type: unknown type name `baz` (declare it with `typedef`, or include the header that does)",
            "1:55 c::expected-semicolon: expected `;`, found `w` (put a `;` behind this)",
        ],
    );
}

#[test]
fn brackets_point_at_their_partner() {
    check(
        "int f(void) {\n  if (1) {\n    return 1;\n}\n\nint g(void) {\n  return 2;\n}\n",
        &[
            "1:13 c::unclosed: `{` is never closed (is a `}` missing before the function in line 6?)",
        ],
    );
    check(
        "int f(void) { ",
        &["1:13 c::unclosed: `{` is never closed (add the `}` that belongs to it)"],
    );
    check(
        "} int f(void) { g(1, 2; }",
        &[
            "1:1 c::syntax: `}` without a `{` (remove it, or look for a `}` too many before it)",
            "1:23 c::syntax: expected `)`, found `;` (to close the `(` of t.c:1:18)",
        ],
    );
}

#[test]
fn one_complaint_for_each_broken_statement() {
    check(
        "int f(void) { if (x y) { a b; } else { c = ; } for (int i = 0, i < 3; i++) { } d(+); }\n\
         int a[] = {1 2, 3}; int b = ; int c;",
        &[
            "1:21 c::syntax: expected `)`, found `y` (to close the `(` of t.c:1:18)",
            "1:26 c::unknown-type: unknown type name `a` (declare it with `typedef`, or include the header that does)",
            "1:44 c::syntax: expected an expression, found `;`",
            "1:65 c::expected-semicolon: expected `;`, found `<` (put a `;` behind this)",
            "1:83 c::syntax: expected an expression, found `)`",
            "2:14 c::syntax: expected `}`, found `2` (to close the `{` of t.c:2:11)",
            "2:29 c::syntax: expected an expression, found `;`",
        ],
    );
    check(
        "void f() { switch (x) { case 1 y; } do x; until (1); goto 3; else z; if (a) int q; }",
        &[
            "1:32 c::syntax: expected `:` after the value of `case`, found `y`",
            "1:43 c::syntax: expected `while` of this `do`, found `until`",
            "1:59 c::syntax: expected a label, found `3`",
            "1:77 c::syntax: a declaration cannot stand here (put it into braces: `{ … }`)",
        ],
    );
    check(
        "void f() { else z; }",
        &["1:12 c::syntax: `else` without an `if` (two statements before an `else` need braces)"],
    );
}

#[test]
fn types_that_do_not_go_together() {
    check(
        "typedef int T; int f(int x) { x = T; return sizeof(T) + (T)x; }",
        &["1:35 c::syntax: expected an expression, found the type `T`"],
    );
    check(
        "struct s { static int a; int b; }; int f(void) __attribute__((pure noreturn));",
        &[
            "1:12 c::storage: a field cannot be `typedef`, `static`, `extern`, `auto` or `register`",
            "1:68 c::syntax: expected `)`, found `noreturn` (to close the `(` of t.c:1:62)",
        ],
    );
    check(
        "short long x; unsigned float y; static extern int z; enum { }; int struct s { int a; } w;",
        &[
            "1:1 c::type-words: `short long` is not a type",
            "1:15 c::type-words: `unsigned float` is not a type",
            "1:40 c::storage: a declaration has at most one of `typedef`, `extern`, `static`, `auto` and `register`",
            "1:61 c::empty-enum: an enumeration has at least one name",
            "1:64 c::two-types: two types in one declaration (is a `;` missing after a `struct`, `union` or `enum` before this?)",
        ],
    );
}

#[test]
fn literals_and_characters() {
    check(
        "int x = 099; char *s = \"abc;\nchar c = 'ab; int y = 1;\nint z = ''; char *t = \"\\q\"; @ # “ /* abc",
        &[
            "1:9 c::invalid-number: `9` is not an octal digit in `099`",
            "1:24 c::unterminated-string: unterminated string literal (close it with `\"` on the same line)",
            "2:10 c::unterminated-character: unterminated character constant (close it with `'` on the same line)",
            "3:9 c::empty-character: empty character constant",
            "warning 3:23 c::unknown-escape: unknown escape sequence `\\q`, taken for `q`",
            "3:29 c::stray-character: `@` is not part of C",
            "3:31 c::stray-character: `#` is not part of C (a directive has to be at the start of its line)",
            "3:33 c::stray-character: `“` is not part of C (a typographic quotation mark: write `\"`)",
            "3:37 c::unterminated-comment: unterminated comment (close it with `*/`)",
        ],
    );
    check(
        "__int128 a = 18446744073709551616; int b = 340282366920938463463374607431768211456;",
        &[
            "warning 1:14 c::large-integer: `18446744073709551616` does not fit into 64 bits",
            "1:44 c::invalid-number: `340282366920938463463374607431768211456` does not fit into any integer type",
        ],
    );
}

#[test]
fn unpreprocessed_text_says_so_once() {
    check(
        "#include <stdio.h>\n#ifdef X\nint x;\n#endif\n",
        &[
            "1:1 c::not-preprocessed: `#include` in a text that should already be preprocessed (give the file a name that ends in `.c`, so that it is preprocessed)",
        ],
    );
}

#[test]
fn after_a_hundred_errors_it_is_enough() {
    let (_, complaints) = support::parsed(&"int f( { ; }\n".repeat(500));
    assert_eq!(complaints.len(), 101);
    assert_eq!(
        complaints[100],
        "warning 100:8 c::too-many-errors: stopped after 100 errors"
    );
}
