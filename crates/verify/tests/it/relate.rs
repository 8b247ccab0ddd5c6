//! Two versions on the same inputs, against all inputs of small programs.

use idiolect_base::{Budget, Rng, SourceMap};
use idiolect_cfront::{Options, compile};
use idiolect_interp::{
    CompileOptions, Compiled, FixedInputs, Listener, Machine, NoObserver, Observer, Outcome,
    RunOptions, ZeroInputs,
};
use idiolect_ir::Program;
use idiolect_ir::events::{EventKind, events};
use idiolect_ir::product::{Letters, Observed, product};
use idiolect_verify::{Related, relate};
use std::sync::Arc;

fn all() -> Observed {
    Observed {
        result: true,
        stdout: true,
        ..Observed::default()
    }
}

/// The number of the first pair, and how many there are.
fn range() -> (u64, u64) {
    let given = std::env::var("IDIOLECT_PAIRS").unwrap_or_default();
    let mut numbers = given.split(' ').filter_map(|n| n.parse().ok());
    match (numbers.next(), numbers.next()) {
        (Some(first), Some(count)) => (first, count),
        _ => (0, 500),
    }
}

fn program_of(text: &str) -> Arc<Program> {
    let mut sources = SourceMap::new();
    let id = sources.add("a.c", text.into());
    let compiled = compile(sources, &[id], &Options::default());
    Arc::new(compiled.program.expect("a test's program compiles"))
}

fn expression(rng: &mut Rng, depth: u32) -> String {
    let leaf = ["a", "b", "c", "g", "1", "2", "3", "in()"];
    if depth == 0 || rng.chance(1, 3) {
        return leaf[rng.below(8) as usize].to_owned();
    }
    let op = ["+", "-", "*", "&", "|", "^", "<", "==", ">="][rng.below(9) as usize];
    format!(
        "({} {op} {})",
        expression(rng, depth - 1),
        expression(rng, depth - 1)
    )
}

fn statement(rng: &mut Rng, depth: u32) -> String {
    let target = ["a", "b", "c", "g"][rng.below(4) as usize];
    match rng.below(if depth == 0 { 4 } else { 7 }) {
        0 | 1 => format!("{target} = {};", expression(rng, 2)),
        2 => format!("printf(\"%d\\n\", {});", expression(rng, 1)),
        3 => format!("if ({}) stop({});", expression(rng, 1), rng.below(4)),
        4 => format!(
            "for (int i = 0; i < {}; i++) {{ {} }}",
            rng.below(4),
            statement(rng, depth - 1)
        ),
        _ => format!(
            "if ({}) {{ {} }} else {{ {} }}",
            expression(rng, 2),
            statement(rng, depth - 1),
            statement(rng, depth - 1)
        ),
    }
}

/// A program with up to four inputs of two bits, and the same with one statement or none changed.
fn pair(seed: u64) -> [String; 2] {
    let mut rng = Rng::new(seed, 3);
    let n = 3 + rng.below(3) as usize;
    let mut body: Vec<String> = (0..n).map(|_| statement(&mut rng, 2)).collect();
    let text = |body: &[String]| {
        format!(
            "int printf(const char *, ...); void exit(int); extern unsigned char __VERIFIER_nondet_uchar(void);
             int g, left = 4;
             int in(void) {{ if (left == 0) return 1; left--; return __VERIFIER_nondet_uchar() & 3; }}
             void stop(int n) {{ if (n == 3) return; exit(n); }}
             int main(void) {{ int a = in(), b = in(), c = 0; {} return a & 15; }}",
            body.join("\n")
        )
    };
    let old = text(&body);
    let at = rng.below(n as u64) as usize;
    match rng.below(4) {
        0 => body.insert(at, "c = c + 0;".to_owned()),
        1 => body[at] = statement(&mut rng, 1),
        2 => body.swap(at, n - 1),
        _ => body[at] = body[at].replacen(['<', '1', '+'], "2 - ", 1),
    }
    [old, text(&body)]
}

fn run(compiled: &Compiled, inputs: u128) -> Outcome {
    run_with(compiled, inputs, &mut NoObserver)
}

fn run_with(compiled: &Compiled, inputs: u128, observer: &mut impl Observer) -> Outcome {
    let values = (0..4).map(|i| inputs >> (2 * i) & 3).collect();
    let mut source = FixedInputs::new(values, ZeroInputs);
    let budget = Budget::steps(100_000);
    Machine::new(compiled, RunOptions::default()).run(&mut source, observer, &budget)
}

/// Letters for calls, for marks, and for the outcomes of branches in the order of the program.
fn letters(program: &Program) -> Letters {
    let mut letters = Letters::default();
    let mut n_branches = 0;
    for event in events(program) {
        let number = match (event.kind, event.name.as_str()) {
            (EventKind::Call, "in") => 0,
            (EventKind::Call, _) => 1,
            (EventKind::Branch, _) => {
                n_branches += 1;
                100 + n_branches
            }
            _ => 2,
        };
        letters.extend(event.sites.iter().map(|&site| (site, number)));
    }
    letters
}

/// The same languages are not enough: each input has to have the same word in both versions.
#[test]
fn words_differ_exactly_if_some_input_shows_it() {
    let (mut n_same, mut n_different, mut n_unknown) = (0, 0, 0);
    for seed in 0..120 {
        let texts = pair(seed).map(|text| text.replace("c = 0;", "c = 0; again:"));
        let mut sources = SourceMap::new();
        let id = sources.add("a.c", texts[1].clone());
        if compile(sources, &[id], &Options::default())
            .program
            .is_none()
        {
            continue;
        }
        let [old, new] = [0, 1].map(|i| program_of(&texts[i]));
        let observed = Observed {
            letters: [&old, &new].map(|program| letters(program)),
            ..Observed::default()
        };
        let combined = product(&old, &new, &observed).program;
        idiolect_ir::verify(&combined).expect("a well-formed program");
        let compiled = [&old, &new].map(|p| Compiled::new(p.clone(), &CompileOptions::default()));
        let word = |i: usize, inputs: u128| {
            let mut listener = Listener::new(&observed.letters[i]);
            run_with(&compiled[i], inputs, &mut listener);
            listener.word
        };
        let differs = (0..256).any(|inputs| word(0, inputs) != word(1, inputs));
        match relate(&old, &new, &observed, 0, &Budget::unlimited(), &mut |_| {}) {
            Related::Different(pair) => {
                assert!(differs, "seed {seed}: {texts:?}");
                assert_ne!(pair.words[0], pair.words[1], "seed {seed}");
                n_different += 1;
            }
            Related::Equivalent(_) | Related::Identical => {
                assert!(!differs, "seed {seed}: {texts:?}");
                n_same += 1;
            }
            Related::Unknown { .. } => n_unknown += 1,
            Related::OtherSignature(_) => panic!("seed {seed}: both start with main"),
        }
    }
    assert!(n_same >= 20, "{n_same} equivalent");
    assert!(n_different >= 20, "{n_different} different");
    assert!(n_unknown <= 10, "{n_unknown} unknown");
}

#[test]
fn versions_differ_exactly_if_some_input_shows_it() {
    let (mut n_same, mut n_different, mut n_unknown) = (0, 0, 0);
    let (first, count) = range();
    for seed in first..first + count {
        let texts = pair(seed);
        let mut sources = SourceMap::new();
        let id = sources.add("a.c", texts[1].clone());
        if compile(sources, &[id], &Options::default())
            .program
            .is_none()
        {
            continue;
        }
        let [old, new] = [0, 1].map(|i| program_of(&texts[i]));
        idiolect_ir::verify(&product(&old, &new, &all()).program).expect("a well-formed program");
        let compiled = [&old, &new].map(|p| Compiled::new(p.clone(), &CompileOptions::default()));
        let differs = (0..256).any(|inputs| {
            let [a, b] = [0, 1].map(|i| run(&compiled[i], inputs));
            a.end != b.end || a.stdout != b.stdout
        });
        let found = relate(&old, &new, &all(), 0, &Budget::unlimited(), &mut |_| {});
        match found {
            Related::Different(pair) => {
                assert!(differs, "seed {seed}: {texts:?}");
                assert!(pair.old.end != pair.new.end || pair.old.stdout != pair.new.stdout);
                n_different += 1;
            }
            Related::Equivalent(_) | Related::Identical => {
                assert!(!differs, "seed {seed}: {texts:?}");
                n_same += 1;
            }
            Related::Unknown { .. } => n_unknown += 1,
            Related::OtherSignature(_) => panic!("seed {seed}: both start with main"),
        }
    }
    assert!(6 * n_same >= count, "{n_same} of {count} equivalent");
    assert!(
        4 * n_different >= count,
        "{n_different} of {count} different"
    );
    assert!(25 * n_unknown <= count, "{n_unknown} of {count} unknown");
}

fn entry_of(text: &str, entry: &str) -> Arc<Program> {
    let mut sources = SourceMap::new();
    let id = sources.add("a.c", text.into());
    let options = Options {
        entry: entry.to_owned(),
        pointer_elements: 2,
        ..Options::default()
    };
    Arc::new((compile(sources, &[id], &options).program).expect("a test's program compiles"))
}

fn related(old: &str, new: &str, entry: &str) -> Related {
    let [old, new] = [old, new].map(|text| entry_of(text, entry));
    idiolect_ir::verify(&product(&old, &new, &all()).program).expect("a well-formed program");
    relate(&old, &new, &all(), 0, &Budget::unlimited(), &mut |_| {})
}

fn in_memory(rng: &mut Rng, depth: u32) -> String {
    let leaf = ["a[0]", "a[1]", "x", "a[x & 1]", "1", "2", "3"];
    if depth == 0 || rng.chance(1, 3) {
        return leaf[rng.below(7) as usize].to_owned();
    }
    let op = ["+", "-", "*", "&", "|", "^", "<", "=="][rng.below(8) as usize];
    format!(
        "({} {op} {})",
        in_memory(rng, depth - 1),
        in_memory(rng, depth - 1)
    )
}

/// A function that reads and writes what is behind its parameter, and the same with one statement changed.
fn memory_pair(seed: u64) -> [String; 2] {
    let mut rng = Rng::new(seed, 7);
    let statement = |rng: &mut Rng| {
        let to = ["a[0]", "a[1]", "a[x & 1]", "x"][rng.below(4) as usize];
        match rng.below(4) {
            0 | 1 => format!("{to} = {} & 3;", in_memory(rng, 2)),
            2 => format!("if ({}) return {};", in_memory(rng, 1), in_memory(rng, 1)),
            _ => format!(
                "if ({}) {to} = {} & 3;",
                in_memory(rng, 2),
                in_memory(rng, 1)
            ),
        }
    };
    let n = 2 + rng.below(3) as usize;
    let mut body: Vec<String> = (0..n).map(|_| statement(&mut rng)).collect();
    let text = |body: &[String]| {
        format!(
            "int printf(const char *, ...); extern unsigned char __VERIFIER_nondet_uchar(void);
             int f(unsigned char *a, int x) {{
               if (a[0] > 3 || a[1] > 3 || x < 0 || x > 3) return 0;
               {}
               return a[0] + x; }}
             int main(void) {{ unsigned char a[2]; a[0] = __VERIFIER_nondet_uchar() & 3;
               a[1] = __VERIFIER_nondet_uchar() & 3; int r = f(a, __VERIFIER_nondet_uchar() & 3);
               printf(\"%d %d %d\", r, a[0], a[1]); return 0; }}",
            body.join("\n")
        )
    };
    let old = text(&body);
    let at = rng.below(n as u64) as usize;
    match rng.below(3) {
        0 => body.insert(at, "a[1] = a[1] ^ 0;".to_owned()),
        1 => body[at] = statement(&mut rng),
        _ => body.swap(at, n - 1),
    }
    [old, text(&body)]
}

#[test]
fn memory_behind_parameters_is_compared() {
    let (mut n_same, mut n_different, mut n_unknown) = (0, 0, 0);
    for seed in 0..200 {
        let texts = memory_pair(seed);
        let compiled =
            [0, 1].map(|i| Compiled::new(program_of(&texts[i]), &CompileOptions::default()));
        let differs = (0..64).any(|inputs| {
            let [a, b] = [0, 1].map(|i| run(&compiled[i], inputs));
            a.stdout != b.stdout
        });
        match related(&texts[0], &texts[1], "f") {
            Related::Different(_) => {
                assert!(differs, "seed {seed}: {texts:?}");
                n_different += 1;
            }
            Related::Equivalent(_) | Related::Identical => {
                assert!(!differs, "seed {seed}: {texts:?}");
                n_same += 1;
            }
            Related::Unknown { .. } => n_unknown += 1,
            Related::OtherSignature(_) => panic!("seed {seed}: the signature is the same"),
        }
    }
    assert!(n_same >= 60, "{n_same} equivalent");
    assert!(n_different >= 60, "{n_different} different");
    assert!(n_unknown <= 10, "{n_unknown} unknown");
}

#[test]
fn what_differs_after_a_call_is_named_with_its_values() {
    let old = "struct p { int x; char c; }; void f(struct p *p) { p->x = p->c; }";
    let new = "struct p { int x; char c; };
               void f(struct p *p) { p->x = p->c; if (p->c == 77) p->x = 5; }";
    let Related::Different(pair) = related(old, new, "f") else {
        panic!("they differ");
    };
    let what = pair.what.expect("nothing else differs");
    assert_eq!(what.name, "`p[0].x`");
    assert_eq!(what.values, Some(["77".to_owned(), "5".to_owned()]));
}

#[test]
fn returned_pointers_are_compared_by_where_they_point() {
    let old = "char *f(char *s) { return s[0] ? s : s + 1; }";
    let same = "char *f(char *t) { if (!t[0]) return t + 1; return t; }";
    let other = "char *f(char *s) { return s[0] != 3 ? (s[0] ? s : s + 1) : 0; }";
    assert!(matches!(related(old, same, "f"), Related::Equivalent(_)));
    assert!(matches!(related(old, other, "f"), Related::Different(_)));
    // Texts are what they say, wherever they are.
    let text = |c: char| {
        format!(
            "void *malloc(unsigned long);
             char *f(int n) {{ char *p = malloc(4); p[0] = 'a'; p[1] = n == 70007 ? '{c}' : 'b'; p[2] = 0; return p; }}"
        )
    };
    let literal = "char *f(int n) { return \"ab\"; }";
    assert!(matches!(
        related(&text('b'), literal, "f"),
        Related::Equivalent(_)
    ));
    assert!(matches!(
        related(&text('c'), literal, "f"),
        Related::Different(_)
    ));
    // Of other memory the first element is compared, and no more is promised.
    let number = |n: &str| {
        format!(
            "void *malloc(unsigned long); int *f(int n) {{ int *p = malloc(8); *p = {n}; return p; }}"
        )
    };
    assert!(matches!(
        related(&number("n + n"), &number("2 * n"), "f"),
        Related::Unknown { .. }
    ));
    assert!(matches!(
        related(&number("n"), &number("n == 70007 ? 1 : n"), "f"),
        Related::Different(_)
    ));
}

#[test]
fn returned_records_are_compared() {
    let old = "struct r { int a; short b; };
               struct r f(int x) { struct r r = { x, 2 }; return r; }";
    let same = "struct r { int a; short b; };
                struct r f(int x) { struct r q; q.b = 1; q.b++; q.a = x; return q; }";
    let other = "struct r { int a; short b; };
                 struct r f(int x) { struct r r = { x, 2 }; if (x == 70007) r.b = 3; return r; }";
    assert!(matches!(related(old, same, "f"), Related::Equivalent(_)));
    assert!(matches!(related(old, other, "f"), Related::Different(_)));
}

#[test]
fn computed_texts_are_compared_character_by_character() {
    let text = |body: &str| {
        format!(
            "int printf(const char *, ...); extern int __VERIFIER_nondet_int(void);
             int main(void) {{ char b[4]; int v = __VERIFIER_nondet_int(), n = v & 1, i;
               {body} printf(\"<%s>\", b); return 0; }}"
        )
    };
    let old = text("for (i = 0; i < n; i++) b[i] = 'a'; b[n] = 0;");
    let same = text("b[0] = n ? 'a' : 0; b[1] = 0;");
    let other = text("b[0] = n ? 'a' : 0; b[1] = 0; if (v == 70007) b[0] = 'z';");
    assert!(matches!(
        related(&old, &same, "main"),
        Related::Equivalent(_)
    ));
    assert!(matches!(
        related(&old, &other, "main"),
        Related::Different(_)
    ));
    // Not more than the precision is shown.
    let [old, other] = [&old, &other].map(|text| text.replace("<%s>", "<%.0s>"));
    assert!(matches!(
        related(&old, &other, "main"),
        Related::Equivalent(_)
    ));
}

#[test]
fn another_signature_is_another_function() {
    let old = "int f(int a) { return a; }";
    let new = "int f(int a, int b) { return a; }";
    let Related::OtherSignature(signature) = related(old, new, "f") else {
        panic!("no call is one of both");
    };
    assert_eq!(signature.old, "int f(int)");
    assert_eq!(signature.new, "int f(int, int)");
    // Other names are the same.
    let renamed = "int f(int b) { return b; }";
    assert!(matches!(related(old, renamed, "f"), Related::Equivalent(_)));
}
