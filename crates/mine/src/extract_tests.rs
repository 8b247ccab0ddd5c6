//! Figures 2 to 10 of the paper, and the streaming extractor against the paper's definition.

use super::Extractor;
use crate::api::Api;
use crate::counts::CountedScenarios;
use crate::run::Run;
use crate::testing::{FIGURE_2, run, runs, socket, vocabulary};
use crate::vocabulary::{ApiVocabulary, Interaction};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// The lines of each scenario, in the order of seeds.
fn streamed(
    vocabulary: &ApiVocabulary,
    interactions: &[Interaction],
    size: usize,
) -> Vec<Vec<u64>> {
    let mut counts = CountedScenarios::new(vocabulary);
    let mut extractor = Extractor::new(vocabulary, size).keeping();
    for interaction in interactions {
        extractor.add(interaction.clone(), &mut counts);
    }
    extractor.end_run(&mut counts);
    let mut found = extractor.take();
    assert_eq!(found.len() as u64, counts.total());
    found.sort_by_key(|f| f.interactions[f.seed].line);
    let lines = found
        .iter()
        .map(|f| f.interactions.iter().map(|i| i.line).collect());
    lines.collect()
}

/// Section 4.1 word for word: worklists, then searches for S_ar and S_dr.
fn by_definition(vocabulary: &ApiVocabulary, run: &Run, size: usize) -> Vec<Vec<u64>> {
    let nearest = |seed: usize, edges: &[Vec<u32>]| -> BTreeSet<usize> {
        let mut worklist: BTreeSet<usize> = edges[seed].iter().map(|&i| i as usize).collect();
        let mut found = BTreeSet::new();
        while let Some(&next) = worklist.iter().min_by_key(|i| i.abs_diff(seed)) {
            if found.len() == size {
                break;
            }
            worklist.remove(&next);
            found.insert(next);
            worklist.extend(edges[next].iter().map(|&i| i as usize));
        }
        found
    };
    let reachable = |from: &BTreeSet<usize>, edges: &[Vec<u32>]| -> BTreeSet<usize> {
        let mut seen = from.clone();
        let mut stack: Vec<usize> = from.iter().copied().collect();
        while let Some(at) = stack.pop() {
            let next = edges[at].iter().map(|&i| i as usize);
            stack.extend(next.filter(|&i| seen.insert(i)));
        }
        seen
    };
    let scenario = |seed: usize| -> Vec<u64> {
        let ancestors = nearest(seed, &run.definers);
        let descendants = nearest(seed, &run.users);
        let mut all: BTreeSet<usize> = ancestors.union(&descendants).copied().collect();
        all.insert(seed);
        let (first, last) = (
            *all.first().expect("the seed"),
            *all.last().expect("the seed"),
        );
        let from_ancestors = reachable(&ancestors, &run.users);
        let to_descendants = reachable(&descendants, &run.definers);
        let between = from_ancestors.intersection(&to_descendants);
        all.extend(between.copied().filter(|i| (first..=last).contains(i)));
        all.iter().map(|&i| run.interactions[i].line).collect()
    };
    run.seeds(vocabulary).into_iter().map(scenario).collect()
}

#[test]
fn flow_dependences_of_figure_2() {
    let vocabulary = socket("accept(so, return)");
    let run = run(&vocabulary, FIGURE_2);
    let lines: Vec<(usize, usize)> = run.flows.iter().map(|f| (f.from + 1, f.to + 1)).collect();
    let expected = [
        (1, 2),
        (2, 3),
        (3, 4),
        (4, 5),
        (4, 6),
        (4, 7),
        (4, 8),
        (4, 9),
        (3, 10),
        (10, 11),
        (10, 12),
        (10, 13),
        (3, 14),
    ];
    assert_eq!(lines, expected);
}

#[test]
fn figure_8_has_one_type() {
    let vocabulary = socket("accept(so, return)");
    let counts = crate::testing::count_text(&vocabulary, FIGURE_2, 10);
    let types = counts.typing().types(&vocabulary).list(&vocabulary);
    let expected = [
        "accept.return",
        "accept.so",
        "bind.so",
        "close.fd",
        "listen.so",
        "read.fd",
        "socket.return",
        "write.fd",
    ];
    assert_eq!(types, expected.map(|name| (name.to_owned(), 0)));
}

#[test]
fn figure_10_and_the_second_scenario() {
    let vocabulary = socket("accept(so, return)");
    let interactions = runs(&vocabulary, FIGURE_2).remove(0);
    let expected = [(1..=9).collect::<Vec<u64>>(), vec![1, 2, 3, 10, 11, 12, 13]];
    assert_eq!(streamed(&vocabulary, &interactions, 10), expected);
    // With N = 2, the nearest ones.
    let expected = [[2, 3, 4, 5, 6], [2, 3, 10, 11, 12]];
    assert_eq!(streamed(&vocabulary, &interactions, 2), expected);
}

#[test]
fn linked_list_gives_one_scenario_for_each_object() {
    let api = Api::shipped("malloc").expect("it is shipped");
    let vocabulary = vocabulary(&api, "malloc(return)");
    let mut text = String::new();
    for i in 1..=50 {
        text += &format!("malloc(size = 16, return = {:#x})\n", 0x5000 + 16 * i);
    }
    for i in (1..=50).rev() {
        text += &format!("free(block = {:#x})\n", 0x5000 + 16 * i);
    }
    let mut counts = crate::testing::count_text(&vocabulary, &text, 10);
    let scenarios = counts.scenarios(&vocabulary);
    assert_eq!(scenarios.len(), 1);
    let (scenario, count) = &scenarios[0];
    let calls: Vec<&str> = scenario
        .steps
        .iter()
        .map(|s| vocabulary.call_name(s.skeleton))
        .collect();
    assert_eq!((calls, *count), (vec!["malloc", "free"], 50));
}

#[test]
fn chains_beside_the_seed_are_found_once() {
    let vocabulary = small_api();
    let text = "change(a = 2)\njoin(a = 0, b = 2)\nseed(a = 2, return = 2)\njoin(a = 2, b = 0)\n\
                change(a = 0)\nuse(a = 0)\njoin(a = 0, b = 2)\n";
    let interactions = runs(&vocabulary, text).remove(0);
    let expected = [vec![1, 2, 3, 4, 5, 7], vec![2, 5, 6]];
    assert_eq!(streamed(&vocabulary, &interactions, 2), expected);
}

/// Calls that define, use, or do both, with one or two objects.
fn small_api() -> ApiVocabulary {
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
    vocabulary(&Api::parse(api).expect("an API file"), "seed;use(a)")
}

prop_compose! {
    fn any_trace()(steps in prop::collection::vec((0..6usize, 0..4u32, 0..4u32), 0..40)) -> String {
        let line = |&(call, a, b): &(usize, u32, u32)| match call {
            0 => format!("make(return = {a})\n"),
            1 => format!("use(a = {a})\n"),
            2 => format!("change(a = {a})\n"),
            3 => format!("join(a = {a}, b = {b})\n"),
            4 => format!("seed(a = {a}, return = {b})\n"),
            _ => "other(a = 1)\n".to_owned(),
        };
        steps.iter().map(line).collect()
    }
}

proptest! {
    #[test]
    fn streaming_finds_what_the_definition_says(text in any_trace(), size in 0..6usize) {
        let vocabulary = small_api();
        let interactions = runs(&vocabulary, &text).remove(0);
        let run = Run::new(&vocabulary, interactions.clone());
        let expected = by_definition(&vocabulary, &run, size);
        prop_assert_eq!(streamed(&vocabulary, &interactions, size), expected);
    }
}

/// Blocks that come and go, with an address that is never used again.
fn blocks(n: u64) -> String {
    let one = |i: u64| format!("malloc(size = 8, return = {0})\nfree(block = {0})\n", i + 1);
    (0..n).map(one).collect()
}

fn malloc() -> ApiVocabulary {
    ApiVocabulary::new(&Api::shipped("malloc").expect("it is shipped"), &[])
}

#[test]
fn ended_objects_are_forgotten_after_a_while() {
    let vocabulary = malloc();
    let mut extractor = Extractor::new(&vocabulary, 10);
    extractor.grace = 100;
    let mut counts = CountedScenarios::new(&vocabulary);
    for interaction in run(&vocabulary, &blocks(5000)).interactions {
        extractor.add(interaction, &mut counts);
        assert!(extractor.definitions.len() <= 60);
    }
    // A seed is complete as soon as nothing can descend from it.
    assert!(counts.total() >= 4900);
    extractor.end_run(&mut counts);
    assert_eq!(counts.total(), 5000);
    let found = counts.scenarios(&vocabulary);
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn a_use_shortly_after_the_end_is_seen() {
    let vocabulary = malloc();
    let text = |n: u64| format!("{}free(block = 1)\n", blocks(n));
    // Not those that stand alone: the block and both calls that free it.
    let longest = |n: u64, grace: u64| {
        let mut counts = CountedScenarios::new(&vocabulary);
        let mut extractor = Extractor::new(&vocabulary, 10).keeping();
        extractor.grace = grace;
        for interaction in run(&vocabulary, &text(n)).interactions {
            extractor.add(interaction, &mut counts);
        }
        extractor.end_run(&mut counts);
        let found = extractor.take();
        found.iter().map(|f| f.interactions.len()).max()
    };
    assert_eq!(longest(20, 100), Some(3));
    assert_eq!(longest(200, 100), Some(2));
}

#[test]
fn a_block_that_realloc_gives_again_lives_on() {
    let vocabulary = malloc();
    let text = format!(
        "malloc(size = 8, return = 0xffff)\nrealloc(block = 0xffff, size = 9, return = 0xffff)\n{}\
         free(block = 0xffff)\n",
        blocks(200)
    );
    let mut counts = CountedScenarios::new(&vocabulary);
    let mut extractor = Extractor::new(&vocabulary, 10).keeping();
    extractor.grace = 100;
    for interaction in run(&vocabulary, &text).interactions {
        extractor.add(interaction, &mut counts);
    }
    extractor.end_run(&mut counts);
    let found = extractor.take();
    let longest = found.iter().map(|f| f.interactions.len()).max();
    assert_eq!(longest, Some(3));
}
