//! Where it is said that no value makes a run pass, none of all 256 does; where one is shown, it does.

use crate::common::program as compile;
use idiolect_base::{Budget, Rng};
use idiolect_interp::{CompileOptions, Compiled, NoObserver};
use idiolect_ir::Property;
use idiolect_localize::{JudgedCase, PlaceKind, PlacesConfig, RunCase, places};
use std::fmt::Write as _;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];
const HEAD: &str = "void __VERIFIER_error(void); unsigned char __VERIFIER_nondet_uchar(void);\n";

/// A program without inputs over bytes, one statement a line.
fn program(rng: &mut Rng) -> String {
    let mut text = format!("{HEAD}int main(void) {{\n");
    for name in NAMES {
        let _ = writeln!(text, "unsigned char {name};\n{name} = {};", rng.below(256));
    }
    let name = |rng: &mut Rng| NAMES[rng.below(4) as usize];
    for _ in 0..2 + rng.below(4) {
        let (x, y, z) = (name(rng), name(rng), name(rng));
        let op = ["+", "^", "&", "*"][rng.below(4) as usize];
        let bound = rng.below(256);
        let _ = match rng.below(3) {
            0 => writeln!(text, "{x} = {y} {op} {z};"),
            1 => writeln!(text, "if ({y} < {bound})\n{x} = {x} {op} {z};"),
            _ => writeln!(text, "if ({y} == {z})\n{x} = {bound};"),
        };
    }
    let (x, y) = (name(rng), name(rng));
    let (low, high) = (rng.below(200), rng.below(256));
    let _ = writeln!(
        text,
        "if (!({x} > {low} && {y} < {high}))\n__VERIFIER_error();\nreturn 0;\n}}"
    );
    text
}

fn run(text: &str, inputs: Vec<u128>) -> JudgedCase {
    let compiled = Compiled::new(compile(text), &CompileOptions::default());
    judged(&compiled, inputs)
}

fn judged(compiled: &Compiled, inputs: Vec<u128>) -> JudgedCase {
    let case = RunCase::of_inputs(inputs);
    let outcome = case.run(compiled, 10_000, &mut NoObserver, &Budget::unlimited());
    case.judge(&outcome, &[Property::Assert])
}

#[test]
fn a_value_that_passes_is_shown_exactly_where_there_is_one() {
    let (mut n_programs, mut n_refuted, mut n_shown) = (0, 0, 0);
    for number in 0..900 {
        let text = program(&mut Rng::new(7, number));
        if n_programs == 300 {
            break;
        }
        if run(&text, Vec::new()) != JudgedCase::Fails {
            continue;
        }
        n_programs += 1;
        let compiled = compile(&text);
        let failing = [RunCase::of_inputs(Vec::new())];
        let (config, budget) = (PlacesConfig::default(), Budget::unlimited());
        let found = places(
            &compiled,
            &[Property::Assert],
            &failing,
            &[],
            &config,
            &budget,
        );
        for place in found.list.iter().chain(&found.refuted) {
            if place.kind != PlaceKind::Assign {
                continue;
            }
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let line = &mut lines[place.line as usize - 1];
            let name = line.split(' ').next().expect("a name").to_owned();
            *line = format!("{name} = __VERIFIER_nondet_uchar();");
            let open = compile(&lines.join("\n"));
            let open = Compiled::new(open, &CompileOptions::default());
            let passes = |v: u128| judged(&open, vec![v]) == JudgedCase::Passes;
            match place.passes {
                Some(false) => {
                    n_refuted += 1;
                    let value = (0..256).find(|&v| passes(v));
                    assert_eq!(value, None, "line {} of\n{text}", place.line);
                }
                Some(true) => {
                    n_shown += 1;
                    let value = place.value.as_ref().expect("a value").number;
                    assert!(
                        passes(value as u128 & 255),
                        "{value}: line {} of\n{text}",
                        place.line
                    );
                }
                None => {}
            }
        }
    }
    assert_eq!(n_programs, 300);
    assert!(n_refuted > 100 && n_shown > 100, "{n_refuted} {n_shown}");
}
