//! Two versions on the same inputs, against all inputs of small programs.

use idiolect_base::{Budget, Rng, SourceMap};
use idiolect_cfront::{Options, compile};
use idiolect_interp::{
    CompileOptions, Compiled, FixedInputs, Machine, NoObserver, Outcome, RunOptions, ZeroInputs,
};
use idiolect_ir::Program;
use idiolect_ir::product::{Observed, product};
use idiolect_verify::{Related, relate};
use std::sync::Arc;

const ALL: Observed = Observed {
    result: true,
    stdout: true,
    globals: false,
};

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
    let values = (0..4).map(|i| inputs >> (2 * i) & 3).collect();
    let mut source = FixedInputs::new(values, ZeroInputs);
    let budget = Budget::steps(100_000);
    Machine::new(compiled, RunOptions::default()).run(&mut source, &mut NoObserver, &budget)
}

#[test]
fn versions_differ_exactly_if_some_input_shows_it() {
    let (mut n_same, mut n_different, mut n_unknown) = (0, 0, 0);
    for seed in 0..500 {
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
        idiolect_ir::verify(&product(&old, &new, ALL).program).expect("a well-formed program");
        let compiled = [&old, &new].map(|p| Compiled::new(p.clone(), &CompileOptions::default()));
        let differs = (0..256).any(|inputs| {
            let [a, b] = [0, 1].map(|i| run(&compiled[i], inputs));
            a.end != b.end || a.stdout != b.stdout
        });
        let found = relate(&old, &new, ALL, 0, &Budget::unlimited(), &mut |_| {});
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
        }
    }
    assert!(n_same >= 80, "{n_same} equivalent");
    assert!(n_different >= 120, "{n_different} different");
    assert!(n_unknown <= 20, "{n_unknown} unknown");
}
