//! Figure 21: seeds that fail, and the search against trying all subsets.

use super::{CheckConfig, CheckedScenarios, Checker};
use crate::api::Api;
use crate::mining::{MiningConfig, PassiveLearner, mine};
use crate::run::Run;
use crate::scenario::Scenario;
use crate::specification::MinedSpecification;
use crate::testing::{FIGURE_2, count_text, runs, vocabulary};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn specification(
    api: &Api,
    seeds: &str,
    training: &str,
    config: &MiningConfig,
) -> MinedSpecification {
    let vocabulary = vocabulary(api, seeds);
    let mut counts = count_text(&vocabulary, training, 10);
    let mined = mine(&vocabulary, &mut counts, config);
    let written = MinedSpecification::new(api, &vocabulary, &mined, 10, config.cut).write();
    // Through the file, so that every test here is one of the file, too.
    MinedSpecification::read(&written).expect("our own file")
}

fn check(specification: &MinedSpecification, text: &str) -> CheckedScenarios {
    let mut checker = Checker::new(specification, CheckConfig::default());
    let mut all = CheckedScenarios::default();
    for run in runs(&checker.vocabulary().clone(), text) {
        let checked = checker.check(run);
        all.seeds += checked.seeds;
        all.violations.extend(checked.violations);
        all.scenarios_tried += checked.scenarios_tried;
    }
    all
}

/// The program of Figure 1: connections with their numbers of rounds; the early return leaves the
/// last one open, and the listening socket, too.
fn figure_1(rounds: &[usize], returns_early: bool) -> String {
    let mut text = "socket(return = 7)\nbind(so = 7)\nlisten(so = 7)\n".to_owned();
    for (i, &n) in rounds.iter().enumerate() {
        text += "accept(so = 7, return = 8)\n";
        text += &"read(fd = 8)\nwrite(fd = 8)\n".repeat(n);
        if returns_early && i + 1 == rounds.len() {
            return text;
        }
        text += "close(fd = 8)\n";
    }
    text + "close(fd = 7)\n"
}

fn training() -> String {
    let runs: Vec<String> = (1..=4).map(|n| figure_1(&[n, 1, 2], false)).collect();
    format!("{FIGURE_2}--\n{}", runs.join("--\n"))
}

#[test]
fn training_runs_satisfy_and_the_early_return_does_not() {
    let api = Api::shipped("socket").expect("it is shipped");
    let spec = specification(
        &api,
        "accept(so, return)",
        &training(),
        &MiningConfig::default(),
    );
    let good = check(&spec, &training());
    assert_eq!((good.seeds, good.violations), (14, vec![]));
    let bad = check(&spec, &figure_1(&[1, 2], true));
    assert_eq!((bad.seeds, bad.violations.len()), (2, 1));
    let violation = &bad.violations[0];
    assert_eq!(
        (violation.line, violation.seed.as_str()),
        (8, "accept(so = 7, return = 8)")
    );
    assert!(violation.is_certain);
    let missing: Vec<&str> = (violation.nearest.iter())
        .filter(|line| line.is_missing)
        .map(|line| line.letter.as_str())
        .collect();
    assert_eq!(missing, ["close(fd = x1:T0)"]);
    let lines: Vec<u64> = violation.scenario.iter().map(|line| line.line).collect();
    assert_eq!(lines, [1, 2, 3, 8, 9, 11, 10, 12]);
}

#[test]
fn the_listening_socket_has_to_be_closed_if_the_specification_says_so() {
    // Around `socket`, with servers that stop after one connection.
    let api = Api::shipped("socket").expect("it is shipped");
    let training: Vec<String> = (1..=2).map(|n| figure_1(&[n], false)).collect();
    let training = training.join("--\n");
    let spec = specification(&api, "socket(return)", &training, &MiningConfig::default());
    assert_eq!(check(&spec, &training).violations, []);
    let bad = check(&spec, &figure_1(&[1], true));
    assert_eq!(bad.violations.len(), 1);
    let violation = &bad.violations[0];
    assert_eq!(
        (violation.line, violation.seed.as_str()),
        (1, "socket(return = 7)")
    );
    let missing = violation.nearest.iter().filter(|line| line.is_missing);
    let missing: BTreeSet<&str> = missing.map(|line| line.letter.as_str()).collect();
    assert!(missing.contains("close(fd = x0:T0)"), "{missing:?}");
}

#[test]
fn scenarios_may_be_smaller_than_the_extracted_one() {
    let api = Api::shipped("socket").expect("it is shipped");
    let config = MiningConfig {
        learner: PassiveLearner::KTails { k: 20 },
        cut: 0.0,
        ..MiningConfig::default()
    };
    // Nothing is generalized: only one round is accepted. A connection with nine rounds has a
    // scenario with one, so it satisfies the specification as the paper defines it.
    let spec = specification(&api, "accept(so, return)", &figure_1(&[1], false), &config);
    let checked = check(&spec, &figure_1(&[9], false));
    assert_eq!(checked.violations, []);
    assert!(checked.scenarios_tried > 1 && checked.scenarios_tried < 200);
    // Without listening there is none.
    let text = figure_1(&[1], false).replace("listen(so = 7)\n", "");
    assert_eq!(check(&spec, &text).violations.len(), 1);
}

#[test]
fn a_trace_without_seeds_satisfies() {
    let api = Api::shipped("socket").expect("it is shipped");
    let spec = specification(
        &api,
        "accept(so, return)",
        FIGURE_2,
        &MiningConfig::default(),
    );
    assert_eq!(check(&spec, "read(fd = 3)\n"), CheckedScenarios::default());
}

fn small_api() -> Api {
    let api = "
[calls.make]
defines = [\"return\"]
[calls.use]
uses = [\"a\"]
[calls.change]
defines = [\"a\"]
uses = [\"a\"]
[calls.join]
defines = [\"a\"]
uses = [\"a\", \"b\"]
[calls.seed]
defines = [\"return\"]
uses = [\"a\"]
";
    Api::parse(api).expect("an API file")
}

prop_compose! {
    fn any_trace()(steps in prop::collection::vec((0..5usize, 0..3u32, 0..3u32), 1..10)) -> String {
        let line = |&(call, a, b): &(usize, u32, u32)| match call {
            0 => format!("make(return = {a})\n"),
            1 => format!("use(a = {a})\n"),
            2 => format!("change(a = {a})\n"),
            3 => format!("join(a = {a}, b = {b})\n"),
            _ => format!("seed(a = {a}, return = {b})\n"),
        };
        steps.iter().map(line).collect()
    }
}

/// The definition: some set around the seed with whole chains is accepted.
fn by_definition(spec: &MinedSpecification, run: &Run, seed: usize) -> bool {
    let checker = Checker::new(spec, CheckConfig::default());
    let n = run.interactions.len();
    let mut reach = vec![vec![false; n]; n];
    for from in (0..n).rev() {
        for &to in &run.users[from] {
            let to = to as usize;
            reach[from][to] = true;
            let beyond = reach[to].clone();
            for (known, more) in reach[from].iter_mut().zip(beyond) {
                *known |= more;
            }
        }
    }
    (0..1u32 << n).any(|set| {
        let has = |i: usize| set & 1 << i != 0;
        let related = |i: usize| i == seed || reach[i][seed] || reach[seed][i];
        let on_chain = |i: usize| {
            (0..n).any(|a| has(a) && reach[a][i]) && (0..n).any(|d| has(d) && reach[i][d])
        };
        // Members are the seed, relatives of it, and what lies on chains between those.
        let closed = (0..n).all(|i| has(i) || !on_chain(i));
        let justified = (0..n).filter(|&i| has(i)).all(|i| {
            let from = (0..n).any(|a| has(a) && related(a) && reach[a][i]);
            let to = (0..n).any(|d| has(d) && related(d) && reach[i][d]);
            related(i) || from && to
        });
        if !has(seed) || !closed || !justified {
            return false;
        }
        let members: Vec<usize> = (0..n).filter(|&i| has(i)).collect();
        let position = members.binary_search(&seed).expect("the seed is there");
        let interactions = members.iter().map(|&i| &run.interactions[i]);
        let scenario = Scenario::new(interactions, position);
        checker.accepts(&scenario, &mut CheckedScenarios::default())
    })
}

proptest! {
    #[test]
    fn seeds_fail_exactly_when_no_scenario_is_accepted(
        training in any_trace(),
        text in any_trace(),
        k in 0..3usize,
    ) {
        let config = MiningConfig {
            learner: PassiveLearner::KTails { k },
            cut: 0.0,
            ..MiningConfig::default()
        };
        let spec = specification(&small_api(), "seed(a)", &training, &config);
        let vocabulary = spec.vocabulary();
        let run = Run::new(&vocabulary, runs(&vocabulary, &text).remove(0));
        let seeds = run.seeds(&vocabulary);
        let failing = seeds.iter().filter(|&&seed| !by_definition(&spec, &run, seed));
        let expected: Vec<u64> = failing.map(|&seed| run.interactions[seed].line).collect();
        let checked = check(&spec, &text);
        let found: Vec<u64> = checked.violations.iter().map(|v| v.line).collect();
        prop_assert_eq!(found, expected);
        prop_assert!(checked.violations.iter().all(|v| v.is_certain));
    }
}
