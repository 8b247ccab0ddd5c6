//! Figures 11 to 13, and `Standardize` against `Better` and `Naive` of Figures 16 and 17.

use super::{compare, names, permute, standardize};
use crate::api::Api;
use crate::scenario::{NOTHING, Scenario, Step};
use crate::testing::{FIGURE_2, count_text, runs, socket, vocabulary};
use crate::types::AttributeTypes;
use crate::vocabulary::{ApiVocabulary, AttributeId};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// All permutations that keep the order of dependent interactions.
fn permutations(
    vocabulary: &ApiVocabulary,
    types: &AttributeTypes,
    scenario: &Scenario,
) -> Vec<Vec<usize>> {
    fn extend(needs: &[Vec<u32>], chosen: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
        if chosen.len() == needs.len() {
            all.push(chosen.clone());
        }
        for i in 0..needs.len() {
            let is_ready = needs[i].iter().all(|&n| chosen.contains(&(n as usize)));
            if is_ready && !chosen.contains(&i) {
                chosen.push(i);
                extend(needs, chosen, all);
                chosen.pop();
            }
        }
    }
    let needs = scenario.dependences(vocabulary, Some(types), types.orders());
    let needs: Vec<Vec<u32>> = needs.iter().map(|n| n.to_vec()).collect();
    let mut all = Vec::new();
    extend(&needs, &mut Vec::new(), &mut all);
    all
}

/// Figure 17.
fn better(vocabulary: &ApiVocabulary, types: &AttributeTypes, scenario: &Scenario) -> Scenario {
    let all = permutations(vocabulary, types, scenario);
    let named = all
        .iter()
        .map(|order| names(vocabulary, Some(types), &permute(scenario, order)));
    named
        .min_by(|a, b| compare(vocabulary, a, b))
        .expect("there is a permutation")
}

/// Figure 16: all namings, too.
fn naive(vocabulary: &ApiVocabulary, types: &AttributeTypes, scenario: &Scenario) -> Scenario {
    let objects: BTreeSet<(u32, u32)> = (scenario.steps.iter())
        .flat_map(|step| vocabulary.attributes(step.skeleton).zip(&step.values))
        .filter(|(_, value)| **value != NOTHING)
        .map(|(a, value)| (types.of(a).expect("it is simplified"), *value))
        .collect();
    let objects: Vec<(u32, u32)> = objects.into_iter().collect();
    // Injective for each type; more names than objects would never be smallest.
    fn namings(objects: &[(u32, u32)], given: &mut Vec<u32>, all: &mut Vec<Vec<u32>>) {
        let Some((kind, _)) = objects.get(given.len()) else {
            all.push(given.clone());
            return;
        };
        for name in 0..objects.len() as u32 {
            let taken = objects
                .iter()
                .zip(given.iter())
                .any(|((k, _), n)| k == kind && *n == name);
            if !taken {
                given.push(name);
                namings(objects, given, all);
                given.pop();
            }
        }
    }
    let mut all = Vec::new();
    namings(&objects, &mut Vec::new(), &mut all);
    let orders = permutations(vocabulary, types, scenario);
    let strings = orders.iter().flat_map(|order| {
        let permuted = permute(scenario, order);
        let (all, objects) = (&all, &objects);
        all.iter().map(move |naming| {
            let mut named = permuted.clone();
            for step in &mut named.steps {
                for (a, value) in vocabulary.attributes(step.skeleton).zip(&mut step.values) {
                    let object = (types.of(a).expect("it is simplified"), *value);
                    if let Ok(at) = objects.binary_search(&object) {
                        *value = naming[at];
                    }
                }
            }
            named
        })
    });
    strings
        .min_by(|a, b| compare(vocabulary, a, b))
        .expect("there is a string")
}

fn shown(vocabulary: &ApiVocabulary, types: &AttributeTypes, scenario: &Scenario) -> Vec<String> {
    scenario
        .steps
        .iter()
        .map(|step| crate::strings::letter_name(vocabulary, types, step))
        .collect()
}

#[test]
fn figures_11_and_12() {
    let vocabulary = socket("accept(so, return)");
    let counts = count_text(&vocabulary, FIGURE_2, 10);
    let types = counts.typing().types(&vocabulary);
    let run = runs(&vocabulary, FIGURE_2).remove(0);
    let lines: Vec<String> = run[..9]
        .iter()
        .map(|i| vocabulary.show_interaction(i))
        .collect();
    let figure_11 = [
        "socket(return = 7)",
        "bind(so = 7)",
        "listen(so = 7)",
        "accept(so = 7, return = 8)",
        "read(fd = 8)",
        "write(fd = 8)",
        "read(fd = 8)",
        "write(fd = 8)",
        "close(fd = 8)",
    ];
    assert_eq!(lines, figure_11);
    let scenario = Scenario::new(&run[..9], 3).simplify(&vocabulary, &types);
    let standard = standardize(&vocabulary, Some(&types), &scenario);
    let order: Vec<usize> = standard.order.iter().map(|i| i + 1).collect();
    assert_eq!(order, [1, 2, 3, 4, 5, 7, 6, 8, 9]);
    let figure_12 = [
        "socket(return = x0:T0)",
        "bind(so = x0:T0)",
        "listen(so = x0:T0)",
        "accept(so = x0:T0, return = x1:T0)",
        "read(fd = x1:T0)",
        "read(fd = x1:T0)",
        "write(fd = x1:T0)",
        "write(fd = x1:T0)",
        "close(fd = x1:T0)",
    ];
    assert_eq!(shown(&vocabulary, &types, &standard.scenario), figure_12);
}

#[test]
fn figure_13_typed_and_untyped() {
    let api = "
[calls.A]
uses = [\"x\", \"y\"]
[calls.B]
uses = [\"x\", \"y\"]
[calls.C]
uses = [\"x\", \"y\"]
[calls.E]
uses = [\"x\", \"v\"]
";
    let vocabulary = vocabulary(&Api::parse(api).expect("an API file"), "A;E");
    let of_name = |kind: fn(&str) -> u32| {
        let all = (0..vocabulary.n_attributes()).map(AttributeId::new);
        AttributeTypes::new(
            all.map(|a| Some(kind(vocabulary.attribute_name(a))))
                .collect(),
            None,
        )
    };
    let untyped = of_name(|_| 0);
    let typed = of_name(|name| match name {
        "x" => 0,
        "y" => 1,
        _ => 2,
    });
    let check = |text: &str, types: &AttributeTypes, expected: [&str; 3]| {
        let interactions = runs(&vocabulary, text).remove(0);
        let named = names(&vocabulary, Some(types), &Scenario::new(&interactions, 0));
        assert_eq!(shown(&vocabulary, types, &named), expected);
    };
    let s0 = "A(x = o, y = 0)\nB(x = o, y = 0)\nC(x = o, y = 0)\n";
    let s1 = "E(x = o, v = 1)\nB(x = o, y = 0)\nC(x = o, y = 0)\n";
    check(
        s0,
        &untyped,
        [
            "A(x = x0:T0, y = x1:T0)",
            "B(x = x0:T0, y = x1:T0)",
            "C(x = x0:T0, y = x1:T0)",
        ],
    );
    check(
        s1,
        &untyped,
        [
            "E(x = x0:T0, v = x1:T0)",
            "B(x = x0:T0, y = x2:T0)",
            "C(x = x0:T0, y = x2:T0)",
        ],
    );
    check(
        s0,
        &typed,
        [
            "A(x = x0:T0, y = x0:T1)",
            "B(x = x0:T0, y = x0:T1)",
            "C(x = x0:T0, y = x0:T1)",
        ],
    );
    check(
        s1,
        &typed,
        [
            "E(x = x0:T0, v = x0:T2)",
            "B(x = x0:T0, y = x0:T1)",
            "C(x = x0:T0, y = x0:T1)",
        ],
    );
}

#[test]
fn many_alike_interactions_are_no_explosion() {
    let vocabulary = small_api();
    let types = small_types(&vocabulary);
    let skeleton = |call: &str, attributes: &[&str]| {
        vocabulary.skeleton(call, attributes).expect("it is there")
    };
    // Twelve objects, each made, used twice and changed: alike, but not interchangeable.
    let mut steps = vec![Step {
        skeleton: skeleton("seed", &["a"]),
        values: [0].as_slice().into(),
    }];
    for object in 1..=12 {
        for call in ["use", "change", "use"] {
            steps.push(Step {
                skeleton: skeleton(call, &["a"]),
                values: [object].as_slice().into(),
            });
        }
    }
    let scenario = Scenario { seed: 0, steps };
    let standard = standardize(&vocabulary, Some(&types), &scenario);
    // The same with the objects the other way around and interleaved.
    let mut other = scenario.clone();
    other.steps[1..].sort_by_key(|s| std::cmp::Reverse(s.values[0]));
    let again = standardize(&vocabulary, Some(&types), &other);
    assert_eq!(standard.scenario, again.scenario);
}

fn small_api() -> ApiVocabulary {
    let api = "
[calls.use]
uses = [\"a\"]
[calls.change]
defines = [\"a\"]
uses = [\"a\"]
[calls.both]
defines = [\"b\"]
uses = [\"a\", \"c\"]
[calls.seed]
uses = [\"a\"]
";
    vocabulary(&Api::parse(api).expect("an API file"), "seed")
}

/// `a` and `b` are of one type, `c` of another.
fn small_types(vocabulary: &ApiVocabulary) -> AttributeTypes {
    let all = (0..vocabulary.n_attributes()).map(AttributeId::new);
    AttributeTypes::new(
        all.map(|a| Some(u32::from(vocabulary.attribute_name(a) == "c")))
            .collect(),
        None,
    )
}

prop_compose! {
    /// One seed, and up to four other interactions with up to three objects.
    fn any_scenario()(
        steps in prop::collection::vec((0..3usize, 0..3u32, 0..3u32, 0..3u32), 0..5),
        at in 0..5usize,
        object in 0..3u32,
    ) -> Scenario {
        let vocabulary = small_api();
        let step = |call: &str, attributes: &[&str], values: &[u32]| Step {
            skeleton: vocabulary.skeleton(call, attributes).expect("it is there"),
            values: values.into(),
        };
        let mut all: Vec<Step> = steps.iter().map(|&(call, a, b, c)| match call {
            0 => step("use", &["a"], &[a]),
            1 => step("change", &["a"], &[a]),
            _ => step("both", &["a", "b", "c"], &[a, c, b]),
        }).collect();
        let seed = at.min(all.len());
        all.insert(seed, step("seed", &["a"], &[object]));
        Scenario { seed, steps: all }
    }
}

/// Another scenario that is equivalent: reordered as the numbers say, with other values.
fn equivalent(
    vocabulary: &ApiVocabulary,
    types: &AttributeTypes,
    scenario: &Scenario,
    choice: usize,
) -> Scenario {
    let orders = permutations(vocabulary, types, scenario);
    let mut other = permute(scenario, &orders[choice % orders.len()]);
    for value in other.steps.iter_mut().flat_map(|s| &mut s.values) {
        *value = (*value + choice as u32) % 7;
    }
    other
}

proptest! {
    #[test]
    fn standardize_is_better(scenario in any_scenario()) {
        let vocabulary = small_api();
        let types = small_types(&vocabulary);
        let found = standardize(&vocabulary, Some(&types), &scenario);
        prop_assert_eq!(found.scenario, better(&vocabulary, &types, &scenario));
    }

    #[test]
    fn equivalent_scenarios_become_the_same_string(
        scenario in any_scenario(),
        choice in 0..1000usize,
    ) {
        let vocabulary = small_api();
        let types = small_types(&vocabulary);
        let other = equivalent(&vocabulary, &types, &scenario, choice);
        let standard = |s: &Scenario| standardize(&vocabulary, Some(&types), s).scenario;
        prop_assert_eq!(standard(&scenario), standard(&other));
        prop_assert_eq!(naive(&vocabulary, &types, &scenario), naive(&vocabulary, &types, &other));
    }

    #[test]
    fn naive_is_a_renaming_with_the_same_skeletons(scenario in any_scenario()) {
        let vocabulary = small_api();
        let types = small_types(&vocabulary);
        let standard = standardize(&vocabulary, Some(&types), &scenario).scenario;
        let least = naive(&vocabulary, &types, &scenario);
        let skeletons = |s: &Scenario| s.steps.iter().map(|s| s.skeleton).collect::<Vec<_>>();
        prop_assert_eq!(skeletons(&standard), skeletons(&least));
        // Each is a string of the other's class.
        prop_assert_eq!(&naive(&vocabulary, &types, &standard), &least);
        prop_assert_eq!(&standardize(&vocabulary, Some(&types), &least).scenario, &standard);
    }

    #[test]
    fn the_three_distinguish_the_same_scenarios(left in any_scenario(), right in any_scenario()) {
        let vocabulary = small_api();
        let types = small_types(&vocabulary);
        let standard = |s: &Scenario| standardize(&vocabulary, Some(&types), s).scenario;
        let by_standard = standard(&left) == standard(&right);
        let by_naive = naive(&vocabulary, &types, &left) == naive(&vocabulary, &types, &right);
        prop_assert_eq!(by_standard, by_naive);
    }

    #[test]
    fn packed_scenarios_come_back(scenario in any_scenario()) {
        let vocabulary = small_api();
        let again = Scenario::unpack(&scenario.pack(), &vocabulary);
        prop_assert_eq!(again, Some(scenario));
    }
}
