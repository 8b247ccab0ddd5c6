//! Small programs with loops over small domains: what is proved has no error with any input.

use crate::common::with_prelude;
use idiolect_base::{Budget, Rng};
use idiolect_interp::{
    CompileOptions, Compiled, End, FixedInputs, Machine, NoObserver, RunOptions, ZeroInputs,
};
use idiolect_prove::induction::{Config, prove};
use std::sync::Arc;

/// The seed of the first program, and how many there are: `cargo xtask proofs` wants more of them.
fn range() -> (u64, u64) {
    let given = std::env::var("IDIOLECT_PROOFS").unwrap_or_default();
    let mut numbers = given.split(' ').filter_map(|n| n.parse().ok());
    match (numbers.next(), numbers.next()) {
        (Some(first), Some(count)) => (first, count),
        _ => (0, 200),
    }
}

/// Work for one program: most proofs take little, and products of bytes could take for ever.
const EFFORT: u64 = 400_000;

const NAMES: [&str; 4] = ["a", "b", "c", "n"];

fn operand(rng: &mut Rng) -> String {
    if rng.chance(1, 2) {
        NAMES[rng.below(4) as usize].to_owned()
    } else {
        rng.below(7).to_string()
    }
}

fn expression(rng: &mut Rng) -> String {
    let op = ["+", "-", "*", "+", "-"][rng.below(5) as usize];
    match rng.below(4) {
        0 => operand(rng),
        _ => format!("{} {op} {}", operand(rng), operand(rng)),
    }
}

fn condition(rng: &mut Rng) -> String {
    let op = ["<", "<=", "==", "!=", ">", ">="][rng.below(6) as usize];
    let left = NAMES[rng.below(4) as usize];
    format!("{left} {op} {}", operand(rng))
}

fn statement(rng: &mut Rng, depth: u32) -> String {
    let target = NAMES[rng.below(3) as usize];
    match rng.below(if depth == 0 { 3 } else { 5 }) {
        0 => format!("{target} = {};", expression(rng)),
        1 => format!("{target}++;"),
        2 => format!("{target}--;"),
        3 => format!(
            "if ({}) {{ {} }} else {{ {} }}",
            condition(rng),
            statement(rng, depth - 1),
            statement(rng, depth - 1)
        ),
        _ => format!("while ({}) {{ {} }}", condition(rng), body(rng, depth - 1)),
    }
}

fn body(rng: &mut Rng, depth: u32) -> String {
    let n = 1 + rng.below(3);
    let all: Vec<String> = (0..n).map(|_| statement(rng, depth)).collect();
    all.join(" ")
}

/// A program over bytes that wrap around, whose only input is a byte.
fn generated(seed: u64) -> String {
    let mut rng = Rng::new(seed, 7);
    let rng = &mut rng;
    let types = ["unsigned char", "signed char", "unsigned char", "int"];
    let mut ty = || types[rng.below(4) as usize];
    let (a, b, c) = (ty(), ty(), ty());
    format!(
        "{a} a = {}; int main(void) {{ unsigned char n = __VERIFIER_nondet_uchar(); {b} b = {}; \
         {c} c = {}; while ({}) {{ {} }} check({}); return 0; }}",
        rng.below(5),
        rng.below(5),
        rng.below(5),
        condition(rng),
        body(rng, 2),
        condition(rng),
    )
}

/// The same with assertions in loops, which is what several rounds are about.
fn with_assertions_inside(seed: u64) -> String {
    let mut rng = Rng::new(seed, 11);
    let rng = &mut rng;
    let types = ["unsigned char", "signed char", "unsigned char", "int"];
    let mut ty = || types[rng.below(4) as usize];
    let (a, b, c) = (ty(), ty(), ty());
    let inner = [
        String::new(),
        format!("while ({}) {{ {} }}", condition(rng), body(rng, 0)),
        format!("if ({}) break;", condition(rng)),
        format!("if ({}) continue;", condition(rng)),
    ];
    let inner = &inner[rng.below(4) as usize];
    format!(
        "{a} a = {}; int main(void) {{ unsigned char n = __VERIFIER_nondet_uchar(); {b} b = {}; \
         {c} c = {}; while ({}) {{ {} {inner} check({}); {} }} check({}); return 0; }}",
        rng.below(3),
        rng.below(3),
        rng.below(3),
        condition(rng),
        body(rng, 1),
        condition(rng),
        body(rng, 1),
        condition(rng),
    )
}

#[test]
fn what_is_proved_has_no_error_with_any_input() {
    let proved = compare(generated, &[vec![1, 2, 3]]);
    assert!(proved[0] > 0);
}

#[test]
fn what_follows_from_several_rounds_has_no_error_with_any_input() {
    let proved = compare(with_assertions_inside, &[vec![1], vec![2], vec![3]]);
    // Two rounds prove more than one; otherwise nothing is tested here.
    assert!(proved[1] > proved[0], "{proved:?}");
}

/// Proves programs by so many rounds, and runs them; how many are proved by each.
#[allow(clippy::print_stdout)]
fn compare(generated: fn(u64) -> String, rounds: &[Vec<usize>]) -> Vec<u64> {
    let (first, count) = range();
    let count = count.div_ceil(rounds.len() as u64);
    let (mut n_proved, mut n_wrong) = (0, 0);
    let mut proved = vec![0; rounds.len()];
    for seed in first..first + count {
        let text = generated(seed);
        let program = with_prelude(&text);
        let mut is_proved = false;
        for (n, rounds) in proved.iter_mut().zip(rounds) {
            let config = Config {
                rounds: rounds.clone(),
                ..Config::default()
            };
            let proof = prove(&program, &config, &Budget::steps(EFFORT));
            *n += u64::from(proof.result.is_ok());
            is_proved |= proof.result.is_ok();
        }
        let compiled = Compiled::new(Arc::new(program), &CompileOptions::default());
        let mut machine = Machine::new(&compiled, RunOptions::default());
        let has_error = (0..256).any(|n| {
            let mut inputs = FixedInputs::new(vec![n], ZeroInputs);
            let outcome = machine.run(&mut inputs, &mut NoObserver, &Budget::steps(20_000));
            matches!(outcome.end, End::Error(_) | End::Fault(_))
        });
        assert!(!(is_proved && has_error), "seed {seed}: {text}");
        n_proved += u64::from(is_proved);
        n_wrong += u64::from(has_error);
    }
    println!(
        "{count} programs from {first} on: {n_proved} proved, {n_wrong} with an error, {proved:?}"
    );
    // Otherwise the test would say nothing.
    assert!(n_proved >= count / 20, "{n_proved} proved");
    assert!(n_wrong >= count / 20, "{n_wrong} with an error");
    proved
}
