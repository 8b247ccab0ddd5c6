use super::{LifeChecker, LifeCounter, LifeCounts, LifeRules, RuleConfig, life_automaton};
use crate::api::Api;
use crate::source::{CallOrEnd, for_each_item};
use crate::trace::TraceFormat;
use crate::vocabulary::ApiVocabulary;
use idiolect_base::Budget;
use proptest::prelude::*;

const FILES: &str = r#"
null = ["-1"]
[kinds.descriptor]
validated = true
[calls.open]
defines = ["return"]
kinds = { return = "descriptor" }
success = "return >= 0"
[calls.read]
uses = ["fd"]
kinds = { fd = "descriptor" }
success = "return >= 0"
[calls.send]
uses = ["fd"]
kinds = { fd = "descriptor" }
success = "return >= 0"
[calls.shutdown]
defines = ["fd"]
uses = ["fd"]
kinds = { fd = "descriptor" }
[calls.fdopen]
uses = ["fd"]
defines = ["return"]
hands_over = ["fd"]
kinds = { fd = "descriptor" }
[calls.dup2]
uses = ["fd"]
defines = ["to"]
stays = ["to <= 2"]
kinds = { fd = "descriptor", to = "descriptor" }
success = "return >= 0"
[calls.close]
defines = ["fd"]
uses = ["fd"]
ends = ["fd"]
kinds = { fd = "descriptor" }
success = "return >= 0"
"#;

const LOCKS: &str = r#"
[kinds.mutex]
each = "by"
[calls.init]
defines = ["m"]
kinds = { m = "mutex" }
[calls.lock]
defines = ["m"]
uses = ["m"]
kinds = { m = "mutex" }
[calls.trylock]
defines = ["m"]
uses = ["m"]
kinds = { m = "mutex" }
success = "return == 0"
like = "lock"
[calls.unlock]
defines = ["m"]
uses = ["m"]
kinds = { m = "mutex" }
[calls.destroy]
defines = ["m"]
uses = ["m"]
ends = ["m"]
kinds = { m = "mutex" }
"#;

fn vocabulary(api: &str) -> ApiVocabulary {
    ApiVocabulary::new(&Api::parse(api).expect("an API"), &[])
}

fn for_each(vocabulary: &ApiVocabulary, text: &str, with: impl FnMut(CallOrEnd)) {
    let budget = Budget::unlimited();
    for_each_item(
        vocabulary,
        text.as_bytes(),
        TraceFormat::Text,
        &budget,
        with,
    )
    .expect("reading memory does not fail");
}

fn count(vocabulary: &ApiVocabulary, programs: &[(&str, &str)]) -> LifeCounts {
    let mut all = LifeCounts::default();
    for (name, text) in programs {
        let mut counter = LifeCounter::new(vocabulary);
        for_each(vocabulary, text, |item| match item {
            CallOrEnd::Interaction(interaction) => counter.add(&interaction),
            CallOrEnd::EndOfRun(notes) => {
                counter.end_run(notes.program.as_deref().unwrap_or(name), notes.is_cut);
            }
        });
        all.merge(counter.finish());
    }
    all
}

fn rules(vocabulary: &ApiVocabulary, programs: &[(&str, &str)]) -> LifeRules {
    LifeRules::mine(&count(vocabulary, programs), &RuleConfig::default())
}

fn shown(vocabulary: &ApiVocabulary, rules: &LifeRules) -> Vec<String> {
    let rules = rules.rules.iter();
    rules
        .map(|r| {
            format!(
                "{}: {:.2} of {}",
                r.text(vocabulary),
                r.confidence,
                r.support
            )
        })
        .collect()
}

fn violations(vocabulary: &ApiVocabulary, rules: &LifeRules, text: &str) -> Vec<String> {
    let mut checker = LifeChecker::new(vocabulary, rules);
    for_each(vocabulary, text, |item| match item {
        CallOrEnd::Interaction(interaction) => checker.add(&interaction),
        CallOrEnd::EndOfRun(notes) => checker.end_run(notes.is_cut),
    });
    let found = checker.finish().violations;
    found
        .iter()
        .map(|v| format!("{} {} {}: {}", v.line, v.kind.name(), v.object, v.what))
        .collect()
}

const GOOD: &str = "open(return = 3)\nread(fd = 3, return = 1)\nclose(fd = 3, return = 0)\n\
                    open(return = 3)\nclose(fd = 3, return = 0)\n";

const TALK: &str = "open(return = 4)\nsend(fd = 4, return = 1)\nshutdown(fd = 4, return = 0)\n\
                    read(fd = 4, return = 0)\nclose(fd = 4, return = 0)\n";

#[test]
fn a_value_that_is_made_again_is_another_object() {
    let vocabulary = vocabulary(FILES);
    let rules = rules(&vocabulary, &[("a", GOOD), ("b", GOOD)]);
    assert_eq!(
        shown(&vocabulary, &rules),
        [
            "a descriptor made by open.return ends: 1.00 of 2",
            "a descriptor is not used after its end: 1.00 of 2",
        ]
    );
    let check = |text: &str| violations(&vocabulary, &rules, text);
    assert_eq!(check(GOOD), [] as [&str; 0]);
    assert_eq!(
        check("open(return = 3)\nclose(fd = 3, return = 0)\nclose(fd = 3, return = -1)\n"),
        ["3 forbidden descriptor 3: close.fd after close.fd"]
    );
    assert_eq!(
        check("open(return = 3)\nclose(fd = 3, return = 0)\nopen(return = 5)\nread(fd = 3)\n"),
        [
            "3 missing descriptor 5: the descriptor is never ended",
            "4 forbidden descriptor 3: read.fd after close.fd"
        ]
    );
    // A call that failed has made nothing, and another object has this one now.
    assert_eq!(check("open(return = -1)\n"), [] as [&str; 0]);
    let handed = "open(return = 3)\nfdopen(fd = 3, return = 0x55)\n";
    assert_eq!(check(handed), [] as [&str; 0]);
    // A descriptor on which a call succeeds is there: it was made by a call that is not in the trace.
    let unseen = "open(return = 3)\nclose(fd = 3, return = 0)\nread(fd = 3, return = 8)\n";
    assert_eq!(check(unseen), [] as [&str; 0]);
}

#[test]
fn what_stays_need_not_end_and_has_an_end_if_it_ends() {
    let vocabulary = vocabulary(FILES);
    let tidy = "open(return = 3)\ndup2(fd = 3, to = 9, return = 9)\nclose(fd = 3, return = 0)\n\
                read(fd = 9, return = 0)\nclose(fd = 9, return = 0)\n";
    let rules = rules(&vocabulary, &[("a", tidy), ("b", tidy)]);
    assert_eq!(
        shown(&vocabulary, &rules),
        [
            "a descriptor made by dup2.to ends: 1.00 of 2",
            "a descriptor made by open.return ends: 1.00 of 2",
            "a descriptor is not used after its end: 1.00 of 2",
        ]
    );
    let check = |text: &str| violations(&vocabulary, &rules, text);
    let leak = "open(return = 3)\ndup2(fd = 3, to = 9, return = 9)\nclose(fd = 3, return = 0)\n";
    let missing = "2 missing descriptor 9: the descriptor is never ended";
    assert_eq!(check(leak), [missing]);
    // Whoever puts one in the place of standard output leaves it there.
    let left = "open(return = 3)\ndup2(fd = 3, to = 1, return = 1)\nclose(fd = 3, return = 0)\n";
    assert_eq!(check(left), [] as [&str; 0]);
    let twice = format!("{left}close(fd = 1, return = 0)\nread(fd = 1, return = -1)\n");
    let after = "5 forbidden descriptor 1: read.fd after close.fd";
    assert_eq!(check(&twice), [after]);
}

/// Who kept a rule and who did not, by name; the sums are the rule's own.
#[test]
fn votes_are_told_by_program() {
    let vocabulary = vocabulary(FILES);
    let leaky = "open(return = 3)\nopen(return = 4)\nclose(fd = 4, return = 0)\n";
    let counts = count(&vocabulary, &[("good", GOOD), ("leaky", leaky)]);
    let config = RuleConfig {
        confidence: 0.5,
        ..RuleConfig::default()
    };
    let rules = LifeRules::mine(&counts, &config);
    let ends = "a descriptor made by open.return ends";
    let rule = (rules.rules.iter())
        .find(|rule| rule.text(&vocabulary) == ends)
        .expect("half of leaky's descriptors end");
    let votes = counts.votes(rule);
    let names: Vec<&str> = votes.iter().map(|vote| vote.program).collect();
    assert_eq!(names, ["good", "leaky"]);
    assert_eq!((votes[1].kept, votes[1].lives), (1, 2));
    assert_eq!(votes.iter().map(|vote| vote.kept).sum::<u64>(), rule.kept);
    assert_eq!(votes.iter().map(|vote| vote.lives).sum::<u64>(), rule.lives);
}

#[test]
fn runs_that_were_cut_off_and_parents_objects_are_not_left_open() {
    let vocabulary = vocabulary(FILES);
    let rules = rules(&vocabulary, &[("a", GOOD), ("b", GOOD)]);
    let check = |text: &str| violations(&vocabulary, &rules, text);
    assert_eq!(check("open(return = 3)\n").len(), 1);
    assert_eq!(
        check("open(return = 3)\n# cut off by signal 11\n"),
        [] as [&str; 0]
    );
    let child = "# from its parent, process 5\nopen(return = 3)\n# its own\nopen(return = 4)\n";
    assert_eq!(
        check(child),
        ["4 missing descriptor 4: the descriptor is never ended"]
    );
    let cut = [
        ("a", GOOD),
        ("b", GOOD),
        ("c", "open(return = 3)\n# cut off by signal 9\n"),
    ];
    assert_eq!(
        shown(&vocabulary, &super::tests::rules(&vocabulary, &cut)).len(),
        2
    );
}

#[test]
fn order_needs_three_programs_and_a_call_that_fails() {
    let vocabulary = vocabulary(FILES);
    let two = rules(&vocabulary, &[("a", TALK), ("b", TALK)]);
    let bad = "open(return = 4)\nsend(fd = 4, return = 1)\nshutdown(fd = 4, return = 0)\n\
               send(fd = 4, return = -1)\nclose(fd = 4, return = 0)\n";
    assert_eq!(violations(&vocabulary, &two, bad), [] as [&str; 0]);
    let three = rules(&vocabulary, &[("a", TALK), ("b", TALK), ("c", TALK)]);
    assert_eq!(
        violations(&vocabulary, &three, bad),
        ["4 forbidden descriptor 4: send.fd after shutdown.fd"]
    );
    assert_eq!(
        violations(&vocabulary, &three, &bad.replace("-1", "?")),
        ["4 forbidden descriptor 4: send.fd after shutdown.fd"]
    );
    assert_eq!(
        violations(&vocabulary, &three, &bad.replace("-1", "1")),
        [] as [&str; 0]
    );
}

#[test]
fn one_vote_a_program() {
    let vocabulary = vocabulary(FILES);
    let chatty = "open(return = 3)\n--\n".repeat(500);
    let mut programs: Vec<(String, &str)> = (0..10).map(|i| (format!("p{i}"), GOOD)).collect();
    programs.push(("chatty".to_owned(), &chatty));
    let named: Vec<(&str, &str)> = programs.iter().map(|(n, t)| (n.as_str(), *t)).collect();
    let found = rules(&vocabulary, &named);
    assert_eq!(
        shown(&vocabulary, &found)[0],
        "a descriptor made by open.return ends: 0.91 of 11"
    );
    // Where all is one program, its runs vote.
    let one: Vec<(&str, &str)> = named.iter().map(|(_, text)| ("one", *text)).collect();
    let found = rules(&vocabulary, &one);
    assert_eq!(
        shown(&vocabulary, &found),
        ["a descriptor is not used after its end: 1.00 of 10"]
    );
}

fn rounds(n: usize) -> String {
    "lock(m = 0x1, by = 7)\nunlock(m = 0x1, by = 7)\n".repeat(n)
}

#[test]
fn locks_alternate_for_each_thread() {
    let vocabulary = vocabulary(LOCKS);
    let waiting = "lock(m = 0x1, by = 7)\ntrylock(m = 0x1, by = 8, return = 16)\n\
                   lock(m = 0x1, by = 8)\nunlock(m = 0x1, by = 8)\nunlock(m = 0x1, by = 7)\n\
                   trylock(m = 0x1, by = 7, return = 0)\nunlock(m = 0x1, by = 7)\n";
    let rules = rules(&vocabulary, &[("a", &rounds(3)), ("b", waiting)]);
    assert_eq!(
        shown(&vocabulary, &rules),
        [
            "lock.m and unlock.m alternate: 1.00 of 2",
            "lock.m is followed by unlock.m: 1.00 of 2"
        ]
    );
    let check = |text: &str| violations(&vocabulary, &rules, text);
    assert_eq!(check(&rounds(5)), [] as [&str; 0]);
    assert_eq!(
        check("unlock(m = 0x1, by = 7)\n"),
        ["1 forbidden mutex 1: unlock.m without lock.m before it"]
    );
    assert_eq!(
        check(&(rounds(2) + "unlock(m = 0x1, by = 7)\n")),
        ["5 forbidden mutex 1: unlock.m without lock.m before it"]
    );
    assert_eq!(
        check(&(rounds(2) + "lock(m = 0x1, by = 7)\n")),
        ["5 unfinished mutex 1: lock.m is not followed by unlock.m"]
    );
    // Two calls, once each, are no pair.
    let once = super::tests::rules(&vocabulary, &[("a", &rounds(1)), ("b", &rounds(1))]);
    assert!(once.rules.is_empty());
}

#[test]
fn counts_of_parts_are_those_of_the_whole() {
    let vocabulary = vocabulary(FILES);
    let parts = [("a", GOOD), ("b", TALK), ("a", TALK), ("c", GOOD)];
    let whole = count(&vocabulary, &parts);
    let mut backwards = LifeCounts::default();
    for part in parts.iter().rev() {
        backwards.merge(count(&vocabulary, std::slice::from_ref(part)));
    }
    assert_eq!(whole, backwards);
    assert_eq!(
        (whole.n_programs(), whole.n_runs(), whole.n_lives()),
        (3, 4, 6)
    );
}

proptest! {
    /// What the automaton of the rules accepts is what the checker finds nothing in.
    #[test]
    fn the_automaton_says_what_the_checker_says(
        letters in proptest::collection::vec(0usize..3, 0..8),
        is_made in any::<bool>(),
    ) {
        let vocabulary = vocabulary(LOCKS);
        let made = format!("init(m = 0x1, by = 7)\n{}destroy(m = 0x1, by = 7)\n", rounds(2));
        let rules = rules(&vocabulary, &[("a", &made), ("b", &made), ("c", &made)]);
        let kind = rules.kinds()[0];
        let found = life_automaton(&vocabulary, &rules, kind).expect("there are rules");
        let mut calls: Vec<&str> = letters.iter().map(|i| ["lock", "unlock", "destroy"][*i]).collect();
        if is_made {
            calls.insert(0, "init");
        }
        let text: String = calls.iter().map(|c| format!("{c}(m = 0x1, by = 7)\n")).collect();
        let word: Option<Vec<_>> =
            calls.iter().map(|c| found.alphabet.letter(&format!("{c}.m"))).collect();
        let accepts = found.automaton.accepts(&word.expect("all are letters"));
        let broken = violations(&vocabulary, &rules, &text);
        prop_assert_eq!(accepts, broken.is_empty(), "{}{:?}", text, broken);
    }
}
