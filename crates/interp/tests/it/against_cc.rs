//! The same C program, run by us and by the system's compiler, prints the same.

use crate::common;

use idiolect_base::Rng;
use idiolect_interp::{End, NoObserver};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Command;

/// What the program prints when `cc` builds it; `None` if there is no `cc`.
fn output_of_cc(name: &str, text: &str) -> Option<Vec<u8>> {
    let folder = std::env::temp_dir();
    let stem = folder.join(format!("idiolect-interp-{name}-{}", std::process::id()));
    let source = stem.with_extension("c");
    std::fs::write(&source, text).unwrap();
    let built = Command::new("cc")
        .args(["-w", "-O0", "-fwrapv", "-o"])
        .arg(&stem)
        .arg(&source)
        .arg("-lm")
        .status();
    let _ = std::fs::remove_file(&source);
    let Ok(status) = built else {
        let _ = writeln!(
            std::io::stderr(),
            "skipped {name}: there is no C compiler `cc`"
        );
        return None;
    };
    assert!(status.success(), "cc refuses {name}:\n{text}");
    let output = Command::new(&stem).output().unwrap();
    let _ = std::fs::remove_file(&stem);
    Some(output.stdout)
}

fn same_output(name: &str, text: &str) {
    let Some(expected) = output_of_cc(name, text) else {
        return;
    };
    let outcome = common::run_with(&common::compile(text), &[], &mut NoObserver);
    assert_eq!(outcome.end, End::Exit(0));
    let ours = String::from_utf8_lossy(&outcome.stdout).into_owned();
    let theirs = String::from_utf8_lossy(&expected).into_owned();
    for (i, (a, b)) in ours.lines().zip(theirs.lines()).enumerate() {
        let source = text.lines().find(|l| l.contains(&format!("/* {i} */")));
        assert_eq!(a, b, "line {i}: {source:?}");
    }
    assert_eq!(ours.lines().count(), theirs.lines().count());
}

#[test]
fn printf_formats_as_the_system_does() {
    let mut rng = Rng::new(2024, 0);
    let mut pick = |items: &[&str]| items[rng.below(items.len() as u64) as usize].to_owned();
    let mut text = String::from("int printf(const char *, ...);\nint main(void) {\n");
    for i in 0..1500 {
        let flags = pick(&[
            "", "", "-", "+", " ", "#", "0", "-+", "#0", "+0", " 0", "-#", "+#0",
        ]);
        let width = pick(&["", "", "1", "5", "12", "30", "*"]);
        let precision = pick(&["", "", ".", ".0", ".1", ".3", ".8", ".25", ".*"]);
        let mut arguments = String::new();
        if width == "*" {
            arguments += &format!("{}, ", pick(&["7", "-9", "0"]));
        }
        if precision == ".*" {
            arguments += &format!("{}, ", pick(&["2", "0", "-1", "11"]));
        }
        let (conversion, value) = match i % 5 {
            0 | 1 => {
                let length = pick(&["", "", "hh", "h", "l", "ll", "z", "j", "t"]);
                let letter = pick(&["d", "i", "u", "o", "x", "X"]);
                let value = pick(&[
                    "0",
                    "1",
                    "-1",
                    "42",
                    "255",
                    "-128",
                    "32767",
                    "65536",
                    "2147483647",
                    "(-2147483647-1)",
                    "123456789",
                ]);
                let wide = matches!(length.as_str(), "l" | "ll" | "z" | "j" | "t");
                let value = if wide {
                    format!("(long){value} * {}L", pick(&["1", "1000003", "4294967297"]))
                } else {
                    value
                };
                (length + &letter, value)
            }
            2 | 3 => {
                let letter = pick(&["f", "F", "e", "E", "g", "G", "a", "A"]);
                let value = pick(&[
                    "0.0",
                    "-0.0",
                    "1.0",
                    "-1.5",
                    "0.1",
                    "2.5",
                    "0.5",
                    "1e10",
                    "123456.789",
                    "9.9999999",
                    "99999.95",
                    "0.0001",
                    "0.00001234",
                    "1e100",
                    "1.7976931348623157e308",
                    "5e-324",
                    "2.2250738585072014e-308",
                    "1.0/0.0",
                    "-1.0/0.0",
                    "0.125",
                    "1048576.0",
                    "3.14159265358979",
                    "0.999999999999",
                ]);
                match pick(&["", "", "L"]).as_str() {
                    "L" => (
                        "L".to_owned() + &letter,
                        format!("(long double)({value}) / {}", pick(&["1", "3", "7"])),
                    ),
                    _ => (letter, format!("{value} / {}", pick(&["1", "1", "3"]))),
                }
            }
            _ => match pick(&["s", "s", "c", "%", "p"]).as_str() {
                "c" => ("c".to_owned(), pick(&["'a'", "'0'"])),
                "%" => ("%".to_owned(), "0".to_owned()),
                "p" => ("p".to_owned(), "(void *)0".to_owned()),
                _ => (
                    "s".to_owned(),
                    pick(&["\"\"", "\"a\"", "\"some text\"", "(char *)0"]),
                ),
            },
        };
        // Flags that C does not define for a conversion stay away from it.
        let (flags, precision) = match conversion.as_str() {
            "s" => (flags.replace(['#', '0', '+', ' '], ""), precision),
            "c" | "p" => (
                flags.replace(['#', '0', '+', ' '], ""),
                precision.replace(|_| true, ""),
            ),
            "%" => (String::new(), String::new()),
            _ => (flags, precision),
        };
        let (width, arguments) = match conversion.as_str() {
            "%" => (String::new(), String::new()),
            "c" | "p"
                if arguments.matches(',').count() == 2
                    || (width != "*" && !arguments.is_empty()) =>
            {
                (width.replace('*', ""), String::new())
            }
            _ => (width, arguments),
        };
        let _ = writeln!(
            text,
            "  /* {i} */ printf(\"[%{flags}{width}{precision}{conversion}]\\n\", {arguments}{value});"
        );
    }
    text.push_str("  return 0;\n}\n");
    same_output("printf", &text);
}

#[test]
fn floats_convert_as_the_system_does() {
    let values = [
        "0.0",
        "-0.0",
        "0.5",
        "-0.5",
        "0.9999",
        "1.5",
        "-1.5",
        "255.7",
        "-129.0",
        "65536.5",
        "2147483647.0",
        "2147483648.0",
        "-2147483649.0",
        "4294967295.5",
        "4294967296.0",
        "9223372036854775807.0",
        "9223372036854775808.0",
        "-9223372036854775809.0",
        "1.8446744073709550e19",
        "1e30",
        "-1e30",
        "1.0/zero",
        "-1.0/zero",
        "zero/zero",
    ];
    let mut text = String::from(
        "int printf(const char *, ...);
         double zero; int line;
         void show(double d) {
           float f = (float)d; long double l = d;
           printf(\"%d %d %d \", (int)d, (int)f, (int)l);
           printf(\"%ld %ld %ld \", (long)d, (long)f, (long)l);
           if (d > -1) printf(\"%u %lu %u %lu \", (unsigned)d, (unsigned long)d, (unsigned)f, (unsigned long)f);
           printf(\"%a %a %La \", (double)f, (double)(f * 3.0f), l * 3 / 7 - 1);
           printf(\"%d%d%d%d%d%d \", d < 1, d <= 1, d == d, d != d, f > 1, l >= 1);
           printf(\"%a %La %d\\n\", -d, -l, !d);
         }
         void integers(long x) {
           unsigned long u = (unsigned long)x;
           printf(\"%a %a %La \", (double)x, (double)(float)x, (long double)x);
           printf(\"%a %a %La \", (double)u, (double)(float)u, (long double)u);
           printf(\"%a %a\\n\", (double)(int)x, (double)(unsigned)x);
         }
         int main(void) {\n",
    );
    for value in values {
        let _ = writeln!(text, "show({value});");
    }
    for value in [
        "0",
        "1",
        "-1",
        "16777217",
        "9007199254740993",
        "-9007199254740993",
        "9223372036854775807",
        "(-9223372036854775807 - 1)",
        "4294967295",
        "123456789123456789",
    ] {
        let _ = writeln!(text, "integers({value});");
    }
    text.push_str("return 0; }\n");
    same_output("floats", &text);
}

#[test]
fn wide_integers_compute_as_the_system_does() {
    let text = "int printf(const char *, ...);
        typedef __int128 i128; typedef unsigned __int128 u128;
        void show(u128 x) { printf(\"%lx:%lx \", (unsigned long)(x >> 64), (unsigned long)x); }
        i128 f(i128 a, u128 b, int n) { return a * (i128)b + (a >> n) - (i128)(b >> n) + (a << n); }
        struct s { u128 x : 100; i128 y : 27; };
        int main(void) {
          u128 a = 1; struct s s; int i;
          for (i = 0; i < 40; i++) {
            a = a * 1000003u + i; show(a); show(a / (i + 3)); show(a % 1000000007u);
            show((u128)((i128)a / -17)); show((u128)((i128)a % -17)); show((u128)f((i128)a, a ^ 99, i));
            s.x = a; s.y = (i128)a; show(s.x); show((u128)s.y);
            printf(\"%d%d%d%d\\n\", a < 5, (i128)a < 5, a == a, (i128)a >= (i128)-a);
          }
          return 0; }";
    same_output("int128", text);
}

#[test]
fn many_variables_and_arguments_find_room() {
    let mut text = String::from("int printf(const char *, ...);\nlong f(");
    let names: Vec<String> = (0..60).map(|i| format!("a{i}")).collect();
    text += &names
        .iter()
        .map(|n| format!("long {n}"))
        .collect::<Vec<_>>()
        .join(", ");
    text += ") { long s = 0;";
    for name in &names {
        let _ = write!(text, " s = s * 31 + {name};");
    }
    text += " return s; }\nint main(void) {\n  long t = 1;\n";
    for i in 0..400 {
        let _ = writeln!(text, "  long v{i} = t * {i} + 7; t = t * 3 + v{i};");
    }
    let nested = (0..300)
        .rev()
        .fold("t".to_owned(), |inner, i| format!("(v{i} * {i} - {inner})"));
    let _ = writeln!(text, "  printf(\"%ld\\n\", {nested});");
    let arguments: Vec<String> = (0..60).map(|i| format!("v{}", i * 5)).collect();
    let _ = writeln!(text, "  printf(\"%ld\\n\", f({}));", arguments.join(", "));
    let formats = "%ld ".repeat(60);
    let _ = writeln!(
        text,
        "  printf(\"{formats}\\n\", {});",
        arguments.join(", ")
    );
    text += "  long sum = 0;\n";
    for i in 0..400 {
        let _ = writeln!(text, "  sum ^= v{i} << ({i} % 40);");
    }
    text += "  printf(\"%ld\\n\", sum);\n  return 0;\n}\n";
    same_output("variables", &text);
}

/// Accesses to elements that are compared, copied and counted, each with indices, sums of indices
/// and constants on both sides, so that every instruction that does several things at once runs.
#[test]
fn elements_are_compared_and_copied_as_compiled_code_does() {
    let mut text = String::from(
        "int printf(const char *, ...);
         int v[40], w[40], m[6][7], n[7][6]; float f[40];
         int main(void) {
           int i, j, k = 0, s = 0;
           for (i = 0; i < 40; i++) { v[i] = (i * 37 + 11) % 41 - 20; w[i] = (i * 23 + 5) % 43 - 21; f[i] = i / 4.0f; }
           for (i = 0; i < 6; i++) for (j = 0; j < 7; j++) { m[i][j] = v[i + j] * 70001; n[j][i] = w[i * j]; }
           for (i = 2; i < 37; i++) {
             j = 39 - i;\n",
    );
    for comparison in ["<", "<=", ">", ">=", "==", "!="] {
        for (a, b) in [
            ("v[i]", "v[j]"),
            ("v[i]", "w[j + 1]"),
            ("v[i - 1]", "w[j]"),
            ("v[i + 2]", "v[j - 2]"),
            ("v[i]", "s"),
            ("s", "w[j + 2]"),
        ] {
            let _ = writeln!(text, "if ({a} {comparison} {b}) k++;");
            let _ = writeln!(text, "if ({a} {comparison} {b}) k += 3; else s ^= k;");
            let _ = writeln!(text, "if (k % 3 && {a} {comparison} {b}) k--;");
        }
    }
    for (to, from) in [
        ("v[i]", "v[j]"),
        ("v[i + 1]", "v[i]"),
        ("w[j]", "w[j + 1]"),
        ("w[j - 2]", "v[i + 2]"),
        ("f[i + 1]", "f[j]"),
        ("f[i]", "f[j - 1]"),
    ] {
        let _ = writeln!(text, "{to} = {from};");
    }
    text += "  printf(\"%d %d\\n\", k, s);
           }
           for (i = 0; i < 6; i++) for (j = 0; j < 6; j++) {
             int d = 1;
             for (k = 0; k < 7; k++) d += m[i][k] * n[k][j];
             for (k = 0; k < 7; k++) d = d * m[i][k] + n[k][j];
             printf(\"%d %d\\n\", d, s);
           }
           for (i = 0; i < 40; i++) printf(\"%d %d %g\\n\", v[i], w[i], f[i]);
           for (i = 0, j = 1; (j = 2 * i + 1) < 30; i = j) printf(\"%d\\n\", j);
           return 0;
         }\n";
    same_output("elements", &text);
}

/// Functions that return early, by each comparison with a constant.
#[test]
fn early_returns_are_taken_as_in_compiled_code() {
    let mut text = String::from("int printf(const char *, ...);\n");
    let mut calls = String::new();
    for (i, comparison) in ["<", "<=", ">", ">=", "==", "!="].into_iter().enumerate() {
        for (j, constant) in [0, 2, -1].into_iter().enumerate() {
            let _ = writeln!(
                text,
                "int f{i}{j}(int n, int d) {{ if (n {comparison} {constant}) return n; \
                 return d == 0 ? 7 : f{i}{j}(n - 1, d - 1) + 2 * f{i}{j}(n + 2, d - 1); }}
                 long g{i}{j}(long n, int d) {{ if (n {comparison} {constant}) return n; \
                 if (d == 0) return d; return g{i}{j}(n + 1, d - 1) * 3 - n; }}"
            );
            for n in -3..5 {
                let _ = writeln!(
                    calls,
                    "printf(\"%d %ld\\n\", f{i}{j}({n}, 4), g{i}{j}({n}, 5));"
                );
            }
        }
    }
    let _ = writeln!(text, "int main(void) {{\n{calls}return 0; }}");
    same_output("early", &text);
}

/// Integer promotions and the usual arithmetic conversions: for every two types the size of a sum, and
/// whether it can be negative; the same for shifts and for bit-fields, which promote by their width.
#[test]
fn types_meet_as_the_system_has_it() {
    let types = [
        "_Bool",
        "char",
        "signed char",
        "unsigned char",
        "short",
        "unsigned short",
        "int",
        "unsigned",
        "long",
        "unsigned long",
        "long long",
        "unsigned long long",
        "enum e",
    ];
    let mut text = String::from(
        "int printf(const char *, ...);\nenum e { A, B };\n\
         struct { unsigned a : 31; unsigned b : 32; int c : 7; unsigned long d : 33; } s;\n\
         int main(void) {\n",
    );
    let mut n_lines = 0;
    let mut say = |text: &mut String, expression: String| {
        let _ = writeln!(
            text,
            "    printf(\"%d %d\\n\", (int)sizeof({expression}), {expression} - 1 < 0); /* {n_lines} */"
        );
        n_lines += 1;
    };
    for x in types {
        say(&mut text, format!("(+({x})0)"));
        for y in types {
            say(&mut text, format!("(({x})0 + ({y})0)"));
            say(&mut text, format!("(1 ? ({x})0 : ({y})0)"));
            say(&mut text, format!("(({x})0 << ({y})0)"));
        }
        // `sizeof` cannot look at a bit-field itself.
        for field in ["s.a", "s.b", "s.c"] {
            say(&mut text, format!("(({x})0 + {field})"));
        }
    }
    text += "    return 0;\n}\n";
    same_output("conversions", &text);
}
