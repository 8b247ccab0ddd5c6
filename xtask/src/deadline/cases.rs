//! The hostile inputs. Each is written by a few lines here, as some have megabytes.

use std::fmt::Write as _;
use std::path::Path;

/// An input and what is done with it.
pub struct Case {
    pub name: &'static str,
    kind: Kind,
}

enum Kind {
    /// A C file: every command that reads C.
    Program(String),
    /// These command lines, each with a name.
    Commands(Vec<(&'static str, Vec<String>)>),
}

/// Commands that read one C program; `@` is the file.
const ON_PROGRAMS: &[(&str, &str)] = &[
    ("run", "run @ --json"),
    ("run trace", "run @ --trace"),
    ("runs", "run @ --runs 100000 --report runs.html"),
    ("explain", "explain @ --json"),
    (
        "explain branches",
        "explain @ --events branches --report explain.html",
    ),
    ("explain program", "explain @ --program --svg explain.svg"),
    ("verify", "verify @ --json --property assert,memory"),
    (
        "verify learn",
        "verify @ --engine learn --report verify.html",
    ),
    ("verify bmc", "verify @ --engine bmc --unwind 100000 --json"),
    ("localize", "localize @ --json"),
    (
        "localize all",
        "localize @ --all-traces --report localize.html",
    ),
    ("invariants", "invariants @ --json"),
    ("diff", "diff @ @ --json"),
    ("debug cfg", "debug cfg @"),
    (
        "debug paths",
        "debug paths @ --depth 60 --max-paths 1000000000",
    ),
    ("debug cnf", "debug cnf @ --unwind 1000"),
];

impl Case {
    fn program(name: &'static str, text: String) -> Self {
        Self {
            name,
            kind: Kind::Program(text),
        }
    }

    fn commands(name: &'static str, lines: &[(&'static str, &str)]) -> Self {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect();
        Self {
            name,
            kind: Kind::Commands(lines.iter().map(|(n, l)| (*n, words(l))).collect()),
        }
    }

    /// Every command line, with a name.
    pub fn command_lines(&self) -> Vec<(String, Vec<String>)> {
        match &self.kind {
            Kind::Program(_) => {
                let file = format!("{}.c", self.name);
                let words = |line: &str| {
                    let put = |word: &str| {
                        if word == "@" {
                            file.clone()
                        } else {
                            word.to_owned()
                        }
                    };
                    line.split(' ').map(put).collect()
                };
                let all = ON_PROGRAMS.iter();
                all.map(|(name, line)| ((*name).to_owned(), words(line)))
                    .collect()
            }
            Kind::Commands(lines) => {
                let own = |(name, line): &(&str, Vec<String>)| ((*name).to_owned(), line.clone());
                lines.iter().map(own).collect()
            }
        }
    }
}

/// Whether a limit can be added to this command line.
pub fn takes_timeout(args: &[String]) -> bool {
    let is = |i: usize, word: &str| args.get(i).is_some_and(|a| a == word);
    let prints_only = is(0, "debug") && (is(1, "cfg") || is(1, "ast"));
    !prints_only && !args.iter().any(|a| a == "--timeout")
}

/// Writes the inputs and gives the cases.
pub fn all(folder: &Path) -> std::io::Result<Vec<Case>> {
    std::fs::create_dir_all(folder)?;
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        // Megabytes need not be written each time.
        match std::fs::read(&path) {
            Ok(bytes) if bytes == text.as_bytes() => Ok(()),
            _ => std::fs::write(path, text),
        }
    };
    let mut cases = preprocessing();
    cases.extend(large_sources());
    cases.extend(long_runs());
    cases.extend(hard_questions());
    for case in &cases {
        if let Kind::Program(text) = &case.kind {
            write(&format!("{}.c", case.name), text)?;
        }
    }
    write("small.c", SMALL)?;
    write("array.c", ARRAY)?;
    write("giant.dot", &giant_automaton(20_000, 4))?;
    write("letters.dot", &giant_automaton(200, 400))?;
    write("counter.dot", &giant_automaton(60, 2))?;
    write("objects.trace", &giant_trace(200_000, true))?;
    write("one-object.trace", &giant_trace(200_000, false))?;
    write(
        "one-line.trace",
        &format!("accept(so = {}, return = 2)\n", "7".repeat(20_000_000)),
    )?;
    cases.extend(options());
    cases.extend(automata());
    cases.extend(traces());
    cases.extend(endless_files());
    Ok(cases)
}

fn preprocessing() -> Vec<Case> {
    let mut bomb = String::from("#define A0 x +\n");
    for i in 1..=40 {
        let _ = writeln!(bomb, "#define A{i} A{j} A{j}", j = i - 1);
    }
    let main = |sum: &str| format!("int main(void) {{ int x = 1; return {sum} 0; }}\n");
    let twice =
        "#if __INCLUDE_LEVEL__ < 40\n#include __FILE__\n#include __FILE__\n#endif\nint x;\n";
    vec![
        Case::program("macro-bomb", bomb.clone() + &main("A40")),
        Case::program("macro-sum", bomb + &main("A17")),
        Case::program(
            "include-tree",
            twice.to_owned() + "int main(void) { return 0; }\n",
        ),
        Case::program(
            "include-device",
            "#include \"/dev/zero\"\nint main(void) { return 0; }\n".to_owned(),
        ),
    ]
}

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\n\
                    extern unsigned long __VERIFIER_nondet_ulong(void);\nextern void reach_error(void);\n\
                    #include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n";

fn c(text: &str) -> String {
    format!("{HEAD}{text}\n")
}

/// Text that is long, wide or deep.
fn large_sources() -> Vec<Case> {
    let repeat = |n: usize, line: &dyn Fn(usize) -> String| (0..n).map(line).collect::<String>();
    let functions = repeat(100_000, &|i| {
        format!("int f{i}(int x) {{ return x > {i} ? x - {i} : x; }}\n")
    });
    let calls = repeat(100_000, &|i| format!("x = f{i}(x);\n"));
    let numbers = repeat(1_000_000, &|i| format!("{},", i % 1000));
    let statements = repeat(200_000, &|i| format!("x = x * 3 + {i}; if (x > y) y++;\n"));
    let cases = repeat(100_000, &|i| format!("case {i}: y += {}; break;\n", i % 7));
    let chain = repeat(20_000, &|i| format!("else if (x == {i}) y = {};\n", i % 13));
    let loops = repeat(200, &|i| {
        format!("for (int i{i} = 0; i{i} < n; i{i}++) {{\n")
    });
    let labels = repeat(3_000, &|i| {
        let (a, b) = ((i * 7919) % 3_000, (i * 104_729) % 3_000);
        format!("L{i}: if (__VERIFIER_nondet_int()) goto L{a}; if (x++ > 5) goto L{b};\n")
    });
    let structs = repeat(2_000, &|i| match i {
        0 => "struct s0 { int a; };\n".to_owned(),
        i => format!("struct s{i} {{ struct s{} a; char b; }};\n", i - 1),
    });
    vec![
        Case::program(
            "100000-functions",
            c(&format!(
                "{functions}int main(void) {{ int x = __VERIFIER_nondet_int();\n{calls} assert(x != 77); return x; }}"
            )),
        ),
        Case::program(
            "million-numbers",
            c(&format!(
                "int a[] = {{{numbers}}};\nint main(void) {{ int i = __VERIFIER_nondet_int(); if (i < 0 || i >= 1000000) return 0; assert(a[i] != 999); return 0; }}"
            )),
        ),
        Case::program(
            "parentheses",
            c(&format!(
                "int main(void) {{ return {}0{}; }}",
                "(".repeat(300_000),
                ")".repeat(300_000)
            )),
        ),
        Case::program(
            "minus-minus",
            c(&format!(
                "int main(void) {{ int x = 1; return {}x; }}",
                "- ".repeat(900)
            )),
        ),
        Case::program(
            "straight-line",
            c(&format!(
                "int main(void) {{ unsigned x = __VERIFIER_nondet_int(), y = 0;\n{statements} assert(y != 5); return 0; }}"
            )),
        ),
        Case::program(
            "wide-switch",
            c(&format!(
                "int main(void) {{ int y = 0; for (;;) {{ switch (__VERIFIER_nondet_int()) {{ {cases} }} assert(y != 100); }} }}"
            )),
        ),
        Case::program(
            "else-if",
            c(&format!(
                "int main(void) {{ int x = __VERIFIER_nondet_int(), y = 0; if (x < 0) return 0; {chain} assert(y != 12); return 0; }}"
            )),
        ),
        Case::program(
            "nested-loops",
            c(&format!(
                "int main(void) {{ int n = __VERIFIER_nondet_int(), x = 0; {loops} x++; {} assert(x != 3); return 0; }}",
                "}".repeat(200)
            )),
        ),
        Case::program(
            "gotos",
            c(&format!(
                "int main(void) {{ int x = 0;\n{labels} assert(x == 3); return 0; }}"
            )),
        ),
        Case::program(
            "nested-structs",
            c(&format!(
                "{structs}struct s1999 g, h; int main(void) {{ h = g; struct s1999 k = h; assert(k.b == __VERIFIER_nondet_int()); return 0; }}"
            )),
        ),
        Case::program(
            "long-string",
            c(&format!(
                "char s[] = \"{}\"; int main(void) {{ assert(strlen(s) != 3); return 0; }}",
                "ab".repeat(5_000_000)
            )),
        ),
        Case::program(
            "static-terabyte",
            c(
                "static char a[1UL << 40]; int main(void) { unsigned long i = __VERIFIER_nondet_ulong(); if (i < sizeof a) a[i] = 1; assert(a[3] == 0); return 0; }",
            ),
        ),
        Case::program(
            "static-gigabytes",
            c(
                "static int a[1 << 29], b[1 << 29]; int main(void) { int i = __VERIFIER_nondet_int() & 0xffffff; a[i] = 1; b[a[i + 1]] = i; assert(b[0] == 0); return 0; }",
            ),
        ),
    ]
}

/// Runs that do not end, or want everything.
fn long_runs() -> Vec<Case> {
    vec![
        Case::program(
            "endless",
            c("int main(void) { int x = 0; for (;;) x++; assert(x == 1); }"),
        ),
        Case::program(
            "billion-rounds",
            c(
                "int main(void) { unsigned long s = 0; for (int i = 0; i < 1000000000; i++) s += i; assert(s == 499999999500000000UL); return 0; }",
            ),
        ),
        Case::program(
            "malloc-any-size",
            c(
                "int main(void) { unsigned long n = __VERIFIER_nondet_ulong(); char *p = malloc(n); if (!p) return 0; memset(p, 1, n); for (unsigned long i = 0; i < n; i++) p[i] = 2; assert(n < 7 || p[6] == 2); return 0; }",
            ),
        ),
        Case::program(
            "malloc-gigabytes",
            c(
                "int main(void) { long s = 0; for (;;) { char *p = calloc(1 << 30, 1); if (p) { p[s & 0xffff] = 1; s += p[__VERIFIER_nondet_uchar()]; } assert(s < 1000); } }",
            ),
        ),
        Case::program(
            "fill-gigabytes",
            c(
                "int main(void) { for (;;) { char *p = malloc(1 << 30); if (p) memset(p, __VERIFIER_nondet_uchar(), 1 << 30); assert(p); } }",
            ),
        ),
        Case::program(
            "vla-any-size",
            c(
                "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1) return 0; int a[n]; for (int i = 0; i < n; i++) a[i] = i; assert(a[n - 1] != 8); return 0; }",
            ),
        ),
        Case::program(
            "endless-recursion",
            c(
                "int f(int x) { char pad[4096]; pad[x & 4095] = 1; return f(x + pad[0]) + 1; } int main(void) { assert(f(__VERIFIER_nondet_int()) == 3); return 0; }",
            ),
        ),
        Case::program(
            "endless-list",
            c(
                "struct n { struct n *next; int v; }; int main(void) { struct n *h = 0; for (;;) { struct n *p = malloc(sizeof *p); if (!p) return 0; p->next = h; p->v = __VERIFIER_nondet_int(); h = p; assert(p->v != 12345); } }",
            ),
        ),
        Case::program(
            "endless-output",
            c(
                "int main(void) { for (int i = 0;; i++) printf(\"%d this line is written again and again and again %s\\n\", i, \"and again\"); assert(0); }",
            ),
        ),
        Case::program(
            "endless-input",
            c(
                "int main(void) { int s = 0; for (;;) { s += __VERIFIER_nondet_uchar() == 'a' ? 1 : -s; assert(s < 9); } }",
            ),
        ),
        Case::program(
            "big-copies",
            c(
                "static char a[1 << 26], b[1 << 26]; int main(void) { for (;;) { a[__VERIFIER_nondet_uchar()] = 1; memcpy(b, a, sizeof a); memmove(a + 1, b, sizeof a - 1); assert(strlen(b) < 77); } }",
            ),
        ),
        Case::program(
            "ackermann",
            c(
                "int A(int m, int n) { return m == 0 ? n + 1 : n == 0 ? A(m - 1, 1) : A(m - 1, A(m, n - 1)); } int main(void) { int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int(); if (m < 0 || n < 0) return 0; assert(A(m, n) != 61); return 0; }",
            ),
        ),
    ]
}

/// Few lines, much to compute for a solver or a learner.
fn hard_questions() -> Vec<Case> {
    let letters: String = (0..300)
        .map(|i| format!("void e{i}(void) {{}}\n"))
        .collect();
    let switch: String = (0..300)
        .map(|i| format!("case {i}: e{i}(); break;\n"))
        .collect();
    let branches: String = (0..64)
        .map(|i| {
            format!(
                "if (x & (1UL << {i})) s += {}; else s ^= {};\n",
                i * i + 1,
                i + 3
            )
        })
        .collect();
    vec![
        Case::program(
            "factors",
            c(
                "int main(void) { unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong(); if (a < 2 || b < 2 || a > 4294967295UL || b > 4294967295UL) return 0; assert(a * b != 18446743979220271189UL); return 0; }",
            ),
        ),
        Case::program(
            "remainders",
            c(
                "int main(void) { unsigned long x = __VERIFIER_nondet_ulong(), y = __VERIFIER_nondet_ulong() | 1, s = 0; for (int i = 0; i < 40; i++) { s += x % y; x = x / 3 * y + s; y = (y * y + x) | 1; } assert(s != 1234567); return 0; }",
            ),
        ),
        Case::program(
            "64-branches",
            c(&format!(
                "int main(void) {{ unsigned long x = __VERIFIER_nondet_ulong(), s = 0;\n{branches} assert(s != 4242); return 0; }}"
            )),
        ),
        Case::program(
            "symbolic-indices",
            c(
                "int a[100000]; int main(void) { for (int i = 0; i < 100000; i++) { unsigned k = __VERIFIER_nondet_int(); if (k < 100000) a[k] = a[(k * 31) % 100000] + i; } assert(a[5] != 99999); return 0; }",
            ),
        ),
        Case::program(
            "five-loops",
            c(
                "int main(void) { int n = __VERIFIER_nondet_int(); long s = 0; for (int i = 0; i < n; i++) for (int j = i; j < n; j++) for (int k = j; k < n; k++) for (int l = 0; l < k; l++) for (int m = 0; m < l; m++) s += i ^ j ^ k ^ l ^ m; assert(s != 31337); return 0; }",
            ),
        ),
        Case::program(
            "300-letters",
            c(&format!(
                "{letters}int main(void) {{ int s = 0; for (int i = 0; i < 50; i++) switch (__VERIFIER_nondet_int()) {{ {switch} default: s++; }} assert(s != 9); return 0; }}"
            )),
        ),
        Case::program(
            "strings",
            c(
                "int main(void) { char a[200], b[200]; for (int i = 0; i < 199; i++) { a[i] = __VERIFIER_nondet_uchar(); b[i] = __VERIFIER_nondet_uchar(); } a[199] = b[199] = 0; char d[400]; strcpy(d, a); strcat(d, b); assert(strstr(d, \"needle\") == 0 || strcmp(a, b) >= 0); return 0; }",
            ),
        ),
        Case::program(
            "floats",
            c(
                "#include <math.h>\nint main(void) { double x = __VERIFIER_nondet_int(), s = 0; for (int i = 1; i < 1000000; i++) s += x / i - (float)(s / 3); assert(s < 1e6); return 0; }",
            ),
        ),
        Case::program(
            "sorting",
            c(
                "int a[40]; int main(void) { for (int i = 0; i < 40; i++) a[i] = __VERIFIER_nondet_int(); for (int i = 0; i < 40; i++) for (int j = 0; j + 1 < 40; j++) if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; } for (int i = 1; i < 40; i++) assert(a[i - 1] <= a[i]); return 0; }",
            ),
        ),
    ]
}

const SMALL: &str = "extern int __VERIFIER_nondet_int(void);\nvoid f(void) {}\nvoid g(void) {}\n\
#include <assert.h>\nint main(void) {\n  int n = __VERIFIER_nondet_int(), s = 0;\n  for (int i = 0; i < n; i++) {\n    \
if (__VERIFIER_nondet_int()) { f(); s++; } else { g(); s = 0; }\n    assert(s != 7);\n  }\n  return 0;\n}\n";

const ARRAY: &str = "void fill(int a[], int n, int v) {\n  for (int i = 0; i < n; i++)\n    if (a[i] < v) a[i] = v;\n}\n";

/// Numbers that nobody means. Each is refused, or the limit holds.
fn options() -> Vec<Case> {
    let max = "18446744073709551615";
    let most = "4294967295";
    let lines = |list: &[(&'static str, &str)]| {
        let all = list.iter().map(|(name, line)| {
            let line = line.replace("MAX", max).replace("MOST", most);
            (*name, line.split(' ').map(str::to_owned).collect())
        });
        Kind::Commands(all.collect())
    };
    vec![Case {
        name: "numbers",
        kind: lines(&[
            ("runs", "run small.c --runs MOST --json"),
            ("max-steps", "run small.c --max-steps MAX --runs 1000000"),
            (
                "inputs",
                "run small.c --input 99999999999999999999999999999999999999999,1",
            ),
            (
                "unwind",
                "explain small.c --unwind MOST --word-length MOST --json",
            ),
            (
                "word-length",
                "explain small.c --unwind 3 --word-length MOST",
            ),
            (
                "max-unwind",
                "explain small.c --max-unwind MOST --max-word-length MOST",
            ),
            ("witnesses", "explain small.c --witnesses MOST --json"),
            (
                "diff",
                "diff small.c small.c --witnesses MOST --max-unwind MOST --max-word-length MOST",
            ),
            ("bmc", "verify small.c --engine bmc --unwind MOST"),
            ("batch", "verify small.c --batch MOST --json"),
            ("batch-64", "verify small.c --batch MAX"),
            (
                "epsilon",
                "verify small.c --epsilon 1e-300 --delta 0.9999999999999999",
            ),
            (
                "decisions",
                "verify small.c --max-decisions MOST --max-steps MAX --engine learn",
            ),
            (
                "traces",
                "localize small.c --all-traces --max-traces MAX --json",
            ),
            (
                "conflicts",
                "localize small.c --conflicts MAX --unwind MOST",
            ),
            ("length", "invariants array.c --length MOST --json"),
            (
                "values",
                "invariants array.c --values -9223372036854775808..9223372036854775807",
            ),
            (
                "quantified",
                "invariants array.c --quantified 3 --length 200 --values 0..1000 --max-runs MAX",
            ),
            ("arguments", "verify small.c --max-argc 255 --json"),
            ("depth", "debug paths small.c --depth MOST --max-paths MAX"),
            ("terms", "debug terms small.c --unwind MOST"),
            ("cnf", "debug cnf small.c --unwind MOST"),
            ("timeout", "verify small.c --timeout 1e18"),
            ("timeout-0", "verify small.c --timeout 0 --json"),
            ("seed", "run small.c --seed MAX"),
        ]),
    }]
}

/// A cycle with jumps, of which no two states are the same.
fn giant_automaton(states: usize, letters: usize) -> String {
    let mut text = String::from("digraph g {\n__start0 [label=\"\" shape=\"none\"];\n");
    for s in 0..states {
        let shape = if (s * s + 3 * s) % 7 < 3 {
            "doublecircle"
        } else {
            "circle"
        };
        let _ = writeln!(text, "s{s} [shape=\"{shape}\" label=\"{s}\"];");
    }
    for s in 0..states {
        for l in 0..letters {
            let to = (s * (2 * l + 3) + l + 1) % states;
            let _ = writeln!(text, "s{s} -> s{to} [label=\"l{l}\"];");
        }
    }
    text + "__start0 -> s0;\n}\n"
}

fn automata() -> Vec<Case> {
    vec![Case::commands(
        "automata",
        &[
            ("giant", "learn giant.dot --learner lstar --json"),
            ("giant ttt", "learn giant.dot --learner ttt --svg giant.svg"),
            ("giant nlstar", "learn counter.dot --learner nlstar"),
            (
                "giant wp",
                "learn giant.dot --equivalence wp --extra-states 4294967295",
            ),
            (
                "counter wp",
                "learn counter.dot --equivalence wp --extra-states 30 --json",
            ),
            (
                "letters",
                "learn letters.dot --learner lstar --report letters.html",
            ),
            (
                "letters wp",
                "learn letters.dot --equivalence wp --extra-states 3",
            ),
            (
                "pac",
                "learn counter.dot --equivalence pac --epsilon 1e-300",
            ),
            (
                "random",
                "learn counter.dot --equivalence random --word-length 4294967295 --json",
            ),
            (
                "random 64",
                "learn counter.dot --equivalence pac --word-length 18446744073709551615",
            ),
        ],
    )]
}

fn giant_trace(lines: usize, many_objects: bool) -> String {
    let mut text = String::new();
    for i in 0..lines {
        let so = if many_objects { i / 5 } else { 7 };
        let _ = match i % 5 {
            0 => writeln!(text, "socket(return = {so})"),
            1 => writeln!(text, "bind(so = {so}, return = 0)"),
            2 => writeln!(text, "listen(so = {so}, return = 0)"),
            3 => writeln!(text, "accept(so = {so}, return = {})", so + 1),
            _ => writeln!(text, "close(so = {})", so + i % 2),
        };
    }
    text
}

fn traces() -> Vec<Case> {
    vec![Case::commands(
        "traces",
        &[
            ("many objects", "mine objects.trace --api socket --json"),
            (
                "one object",
                "mine one-object.trace --api socket --report mine.html",
            ),
            (
                "size",
                "mine one-object.trace --api socket --size 4294967295 --json",
            ),
            (
                "k",
                "mine objects.trace --api socket --k 4294967295 --jobs 4294967295",
            ),
            (
                "k-tails",
                "mine objects.trace --api socket --size 60 --learner k-tails --k 30",
            ),
            ("infer", "mine objects.trace --infer --json"),
            ("infer one", "mine one-object.trace --infer"),
            ("one line", "mine one-line.trace --api socket"),
        ],
    )]
}

/// Files that never end.
fn endless_files() -> Vec<Case> {
    vec![Case::commands(
        "endless-files",
        &[
            ("run", "run /dev/zero"),
            ("verify", "verify /dev/zero --json"),
            ("stdin", "run small.c --stdin /dev/zero"),
            ("dot", "learn /dev/zero"),
            ("trace", "mine /dev/zero --api socket"),
            ("trace infer", "mine /dev/zero --infer --json"),
            ("check", "check --spec /dev/zero one-object.trace"),
            ("api", "mine one-object.trace --api /dev/zero"),
            ("counts", "mine --add-counts /dev/zero --api socket"),
            ("model", "verify small.c --reuse /dev/zero"),
            ("monitor", "verify small.c --monitor /dev/zero"),
            ("witness", "run small.c --witness /dev/zero"),
            ("property", "verify small.c --property-file /dev/zero"),
            ("solver", "verify small.c --engine bmc --solver yes"),
        ],
    )]
}
