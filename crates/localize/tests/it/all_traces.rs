//! The search over whole programs, against running them on all inputs.

use idiolect_base::{Budget, Rng, SourceMap};
use idiolect_cfront::{Options, compile};
use idiolect_interp::{
    CompileOptions, Compiled, Decisions, FixedInputs, Machine, RunOptions, ZeroInputs,
};
use idiolect_ir::{Program, Property};
use idiolect_localize::all_traces::graph::Cut;
use idiolect_localize::all_traces::{Config, Coverage, Gap, all_traces, trace_of_run};
use idiolect_localize::violates;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

fn program_of(text: &str) -> Arc<Program> {
    let mut sources = SourceMap::new();
    let id = sources.add("a.c", text.into());
    let compiled = compile(sources, &[id], &Options::default());
    assert!(compiled.diagnostics.iter().all(|d| !d.is_error()), "{text}");
    Arc::new(compiled.program.unwrap())
}

/// Writes programs over bytes of two bits, with at most three inputs.
struct Writer {
    rng: Rng,
    text: String,
    n_inputs: u32,
    has_loops: bool,
    has_faults: bool,
}

impl Writer {
    fn pick<'p>(&mut self, list: &[&'p str]) -> &'p str {
        list[self.rng.below(list.len() as u64) as usize]
    }

    fn variable(&mut self) -> &'static str {
        self.pick(&["x", "y", "z", "g", "h.a", "t[1]"])
    }

    fn value(&mut self) -> String {
        match self.rng.below(8) {
            0..3 => self.rng.below(4).to_string(),
            3 => format!("({} + 1 & 3)", self.variable()),
            4 => format!("({} ^ {})", self.variable(), self.variable()),
            5 => format!("t[{} & 1]", self.variable()),
            _ => self.variable().to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        let op = self.pick(&["<", "==", "!=", "<="]);
        format!("{} {op} {}", self.variable(), self.value())
    }

    fn block(&mut self, nesting: u32) {
        for _ in 0..1 + self.rng.below(3) {
            self.statement(nesting);
        }
    }

    fn statement(&mut self, nesting: u32) {
        let target = self.variable();
        match self.rng.below(12) {
            0 if self.n_inputs < 3 => {
                self.n_inputs += 1;
                let _ = writeln!(self.text, "{target} = __VERIFIER_nondet_uchar() & 3;");
            }
            1 | 2 if nesting < 2 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "if ({condition}) {{");
                self.block(nesting + 1);
                self.text.push_str("} else {\n");
                self.block(nesting + 1);
                self.text.push_str("}\n");
            }
            3 if nesting < 2 && self.has_loops => {
                let inputs = std::mem::replace(&mut self.n_inputs, 3);
                let i = format!("i{nesting}");
                let times = self.value();
                let _ = writeln!(self.text, "for ({i} = 0; {i} < {times}; {i}++) {{");
                self.block(nesting + 1);
                self.text.push_str("}\n");
                self.n_inputs = inputs;
            }
            4 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "if ({condition}) __VERIFIER_error();");
            }
            5 | 6 if self.has_faults => {
                let (a, b) = (self.value(), self.variable());
                let _ = match self.rng.below(3) {
                    0 => writeln!(self.text, "{target} = {a} / {b};"),
                    1 => writeln!(self.text, "{target} = t[{b}];"),
                    _ => writeln!(self.text, "t[{b}] = {a};"),
                };
            }
            5 => {
                let (a, b) = (self.pick(&["&x", "&g", "&h.a"]), self.value());
                let _ = writeln!(self.text, "put({a}, {b});");
            }
            6 => {
                let value = self.value();
                let _ = writeln!(self.text, "{target} = twice({value});");
            }
            7 => {
                let (i, value) = (self.variable(), self.value());
                let _ = writeln!(self.text, "t[{i} & 1] = {value};");
            }
            _ => {
                let value = self.value();
                let _ = writeln!(self.text, "{target} = {value};");
            }
        }
    }
}

fn random_program(seed: u64, has_loops: bool, has_faults: bool) -> String {
    let mut writer = Writer {
        rng: Rng::new(seed, 1),
        text: String::new(),
        n_inputs: 0,
        has_loops,
        has_faults,
    };
    writer.block(0);
    writer.block(0);
    let condition = writer.condition();
    format!(
        "extern void __VERIFIER_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
typedef unsigned char u;
u g = 1;
u t[2] = {{2, 1}};
struct {{ u a, b; }} h;
void put(u *p, u v) {{ *p = v; }}
u twice(u v) {{ if (v > 2) return 1; return v + v & 3; }}
int main(void) {{
u x = 0, y = 1, z = 2, i0, i1;
{}
if ({condition}) __VERIFIER_error();
return 0;
}}
",
        writer.text
    )
}

type Statement = (u32, u32, String);

/// Decisions, and where they lead.
type Key = (Vec<bool>, (u32, u32, u32));

/// Every error trace, with what is relevant in it. Inputs count modulo 4.
fn by_running(
    program: &Arc<Program>,
    properties: &[Property],
) -> BTreeMap<Key, BTreeSet<Statement>> {
    let compiled = Compiled::new(program.clone(), &CompileOptions::default());
    let mut all = BTreeMap::new();
    for inputs in 0..64u128 {
        let inputs = [inputs & 3, inputs >> 2 & 3, inputs >> 4];
        let mut decisions = Decisions::default();
        let outcome = Machine::new(&compiled, RunOptions::default()).run(
            &mut FixedInputs::new(inputs.to_vec(), ZeroInputs),
            &mut decisions,
            &Budget::unlimited(),
        );
        let place = outcome.place;
        let key = (
            decisions.taken,
            (place.function.0, place.block.0, place.stmt),
        );
        if !violates(&outcome.end, properties) || all.contains_key(&key) {
            continue;
        }
        let localization = idiolect_localize::localize(
            program,
            properties,
            &inputs,
            &idiolect_localize::LocalizeConfig::default(),
            &Budget::unlimited(),
        )
        .unwrap();
        assert_eq!(localization.n_unknown(), 0);
        let relevant = (localization.relevant.iter())
            .map(|r| (r.line, r.column, r.text.clone()))
            .collect();
        all.insert(key, relevant);
    }
    all
}

fn check(text: &str, properties: &[Property], one_by_one: u64) -> Result<Coverage, TestCaseError> {
    let program = program_of(text);
    let expected = by_running(&program, properties);
    let config = Config {
        one_by_one,
        // Half of them with abstract states first, which take away what cannot happen.
        abstract_states: (text.len() as u64 % 2) * 2_000,
        ..Config::default()
    };
    // A few programs with loops go on for ever, as trace abstraction may.
    let budget = Budget::steps(20_000);
    let outcome = all_traces(
        &program,
        properties,
        &config,
        &idiolect_localize::LocalizeConfig::default(),
        &budget,
        &mut |_, _| {},
    );
    for trace in &outcome.traces {
        let at = trace.error;
        let place = (at.function.0, at.block.0, at.index as u32);
        let key = (trace.decisions.clone(), place);
        prop_assert!(expected.contains_key(&key), "{:?}\n{}", key, text);
    }
    match &outcome.coverage {
        Coverage::Partial(gaps) => {
            // A fault that nobody asked for forbids a proof.
            let is_fine = |g: &Gap| matches!(g, Gap::Budget(_) | Gap::Cut(Cut::Fault(_)));
            prop_assert!(gaps.iter().all(is_fine), "{:?}\n{}", gaps, text);
            if gaps.iter().any(|g| matches!(g, Gap::Cut(_))) {
                let is_narrow = properties.len() == 1 && properties[0] != Property::Assert;
                prop_assert!(expected.is_empty() && is_narrow, "{}", text);
            }
            return Ok(outcome.coverage);
        }
        _ => prop_assert_eq!(outcome.is_proved(), expected.is_empty(), "{}", text),
    }
    if outcome.coverage == Coverage::EveryTrace {
        prop_assert_eq!(outcome.traces.len(), expected.len(), "{}", text);
        let mut sets = expected.into_values();
        let mut common = sets.next().unwrap_or_default();
        sets.for_each(|set| common.retain(|s| set.contains(s)));
        let found: BTreeSet<Statement> = outcome
            .relevant()
            .map(|r| {
                (
                    r.statement.line,
                    r.statement.column,
                    r.statement.text.clone(),
                )
            })
            .collect();
        prop_assert_eq!(found, common, "{}", text);
    }
    Ok(outcome.coverage)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn without_loops_the_answer_is_the_intersection_over_all_error_traces(seed: u64) {
        let text = random_program(seed, false, false);
        let coverage = check(&text, &[Property::Assert], 1000)?;
        prop_assert_eq!(coverage, Coverage::EveryTrace, "{}", text);
    }

    #[test]
    fn with_loops_the_verdict_is_that_of_all_runs(seed: u64) {
        check(&random_program(seed, true, false), &[Property::Assert], 8)?;
    }

    #[test]
    fn faults_are_errors_where_they_are_asked_for(seed: u64, which in 0..3usize) {
        let all = [Property::Assert, Property::Memory, Property::Free, Property::Division];
        let properties = match which {
            0 => &all[..],
            1 => &all[1..2],
            _ => &all[3..],
        };
        let text = random_program(seed, false, true);
        let coverage = check(&text, properties, 1000)?;
        prop_assert!(!matches!(coverage, Coverage::EveryKind), "{}", text);
    }
}

#[test]
fn a_run_that_was_found_elsewhere_is_a_trace_like_others() {
    let text = "int __VERIFIER_nondet_int(void); void __VERIFIER_error(void);
        int main(void) {
            int x = __VERIFIER_nondet_int();
            int y = 1;
            if (x > 10)
                y = 0;
            if (y == 0) __VERIFIER_error();
            return 0;
        }";
    let program = program_of(text);
    let (properties, budget) = ([Property::Assert], Budget::unlimited());
    let one = idiolect_localize::LocalizeConfig::default();
    let of = |input| trace_of_run(&program, &properties, &[input], &one, &budget);
    assert!(of(3).is_none(), "this run does not fail");
    let trace = of(11).expect("this one does");
    let config = Config::default();
    let mut found = all_traces(
        &program,
        &properties,
        &config,
        &one,
        &budget,
        &mut |_, _| (),
    );
    assert_eq!(found.traces.len(), 1);
    let own = &found.traces[0];
    assert_eq!((&own.decisions, own.error), (&trace.decisions, trace.error));
    assert_eq!(own.assigning, trace.assigning);
    let before = found.statements.clone();
    found.add(trace);
    let relevant_in: Vec<usize> = found
        .statements
        .iter()
        .map(|s| s.relevant_in.len())
        .collect();
    let twice: Vec<usize> = before.iter().map(|s| 2 * s.relevant_in.len()).collect();
    assert_eq!(relevant_in, twice);
}
