//! What was mined, as text and as JSON.

use super::Outcome;
use crate::output::{self, Envelope, Timing, counted};
use idiolect_automata::formats::json::JsonAutomaton;
use idiolect_automata::{Alphabet, Letter, Nfa, Word};
use idiolect_mine::{
    ApiVocabulary, LifeCounts, LifeRule, LifeRules, Mined, Removed, Seed, Vote, Voters,
    life_automaton,
};
use idiolect_outcome::results::{
    InferredApi, InferredAttribute, LifeAutomatonRow, LifeRuleRow, LivesResult, MineResult,
    MineStatistics, ProgramVote, RemovedEdge, ScenarioCounts, ScenarioString,
};
use serde_json::Value;
use std::fmt::Write as _;

/// Votes of a rule in the JSON.
const MOST_VOTES: usize = 100;

/// Lines of lists in the text; the JSON has all of them.
const MOST_SHOWN: usize = 20;

fn guarantee(outcome: &Outcome<'_>) -> String {
    let seeds: Vec<String> = (outcome.vocabulary.seeds().iter())
        .map(Seed::to_string)
        .collect();
    let total = outcome.mined.strings.total();
    if total == 0 {
        return format!(
            "No call {}; learned from the lives of {} only. What is common is taken to be correct.",
            seeds.join(" and no call "),
            counted(outcome.mined.lives.lives, "object"),
        );
    }
    format!(
        "Learned from {} around {} in {}; what is common is taken to be correct.",
        counted(total, "scenario"),
        seeds.join(", "),
        counted(outcome.counts.runs, "run"),
    )
}

/// The outcome as JSON.
pub fn to_json(outcome: &Outcome<'_>, timing: Option<&Timing>) -> Value {
    let Outcome {
        mined,
        counts,
        read,
        args,
        ..
    } = outcome;
    let text = guarantee(outcome);
    let alphabet = &mined.strings.alphabet;
    let statistics = MineStatistics {
        traces: args.traces.len(),
        runs: counts.runs,
        calls: counts.calls,
        interactions: counts.interactions,
        unknown_calls: counts.unknown_calls,
        skipped_lines: counts.skipped_lines,
        letters: alphabet.len(),
        pfsa_states: mined.pfsa.n_states(),
        specification_states: mined.specification.n_states(),
        specification_edges: mined.specification.n_transitions(),
    };
    let envelope = Envelope {
        command: "mine",
        verdict: "mined",
        guarantee_kind: "learned",
        guarantee_text: &text,
        statistics: output::json_of(&statistics),
        warnings: &read.warnings,
    };
    let pfsa = JsonAutomaton::from_pfsa(&mined.pfsa, alphabet, Some(&mined.heat.edges));
    let specification = JsonAutomaton::from_nfa(&mined.specification, alphabet);
    let strings = mined.strings.strings.iter();
    let types = mined.types.list(&outcome.vocabulary).into_iter();
    let result = MineResult {
        scenarios: ScenarioCounts {
            count: mined.strings.total(),
            distinct: mined.strings.strings.len(),
            censored: counts.censored,
            strings: args.strings.then(|| {
                strings
                    .map(|(word, count)| ScenarioString {
                        letters: names(word, alphabet),
                        count: *count,
                    })
                    .collect()
            }),
        },
        types: types
            .map(|(name, kind)| (name, format!("T{kind}")))
            .collect(),
        pfsa: output::json_of(&pfsa),
        specification: output::json_of(&specification),
        lives: lives(&mined.lives, &outcome.vocabulary, Some(&counts.lives)),
        removed: mined
            .removed
            .iter()
            .map(|r| removed_edge(r, alphabet))
            .collect(),
        learner: args.learner.name(),
        size: args.size,
        cut: args.cut,
        inferred: outcome.inferred.as_ref().map(|inferred| InferredApi {
            api: outcome.api.to_toml(),
            attributes: (inferred.reasons.iter())
                .map(|(name, why)| InferredAttribute {
                    attribute: name.clone(),
                    reason: why.clone(),
                })
                .collect(),
        }),
    };
    envelope.with(timing, result)
}

/// Rules and automata about the lives of objects.
pub fn lives_json(
    rules: &LifeRules,
    vocabulary: &ApiVocabulary,
    counts: Option<&LifeCounts>,
) -> Value {
    output::json_of(&lives(rules, vocabulary, counts))
}

fn lives(
    rules: &LifeRules,
    vocabulary: &ApiVocabulary,
    counts: Option<&LifeCounts>,
) -> LivesResult {
    let rule = |rule: &LifeRule| {
        let name = |letter: Option<_>| letter.map(|l| vocabulary.full_name(l));
        // Who voted, where programs do: those that broke it most often first.
        let votes = match (rules.voters, counts) {
            (Voters::Programs, Some(counts)) => {
                let mut votes = counts.votes(rule);
                votes.sort_by_key(|vote| std::cmp::Reverse(vote.lives - vote.kept));
                let vote = |vote: &Vote<'_>| ProgramVote {
                    program: vote.program.to_owned(),
                    kept: vote.kept,
                    objects: vote.lives,
                };
                Some(votes.iter().take(MOST_VOTES).map(vote).collect())
            }
            _ => None,
        };
        LifeRuleRow {
            template: output::json_of(&rule.template),
            kind: vocabulary.kind_name(rule.kind).to_owned(),
            birth: name(rule.birth),
            a: name(rule.a),
            b: name(rule.b),
            text: rule.text(vocabulary),
            objects: rule.lives,
            kept: rule.kept,
            support: rule.support,
            confidence: rule.confidence,
            votes,
        }
    };
    let automata = rules.kinds().into_iter().filter_map(|kind| {
        let found = life_automaton(vocabulary, rules, kind)?;
        let automaton = JsonAutomaton::from_nfa(&found.automaton, &found.alphabet);
        Some(LifeAutomatonRow {
            kind: vocabulary.kind_name(kind).to_owned(),
            automaton: output::json_of(&automaton),
        })
    });
    LivesResult {
        objects: rules.lives,
        voters: output::json_of(&rules.voters),
        n_voters: rules.n_voters,
        rules: rules.rules.iter().map(rule).collect(),
        automata: automata.collect(),
    }
}

fn lives_text(outcome: &Outcome<'_>, text: &mut String) {
    let (rules, vocabulary) = (&outcome.mined.lives, &outcome.vocabulary);
    if rules.lives == 0 {
        return;
    }
    let voters = match rules.voters {
        Voters::Programs => "program",
        Voters::Runs => "run",
        Voters::Objects => "object",
    };
    let objects = counted(rules.lives, "object");
    if rules.rules.is_empty() {
        let _ = writeln!(text, "no rule about the lives of {objects}");
        return;
    }
    let _ = writeln!(
        text,
        "rules about the lives of {objects}, one vote {} {voters}:",
        if rules.voters == Voters::Objects {
            "an"
        } else {
            "a"
        },
    );
    for rule in &rules.rules {
        let _ = writeln!(
            text,
            "  {}: {:.0} % of {}",
            rule.text(vocabulary),
            (rule.confidence * 100.0).floor(),
            counted(rule.support, voters),
        );
    }
}

fn removed_edge(removed: &Removed, alphabet: &Alphabet) -> RemovedEdge {
    let (letter, to) = removed.edge.unzip();
    RemovedEdge {
        from: removed.from.index(),
        letter: letter.map(|letter| alphabet.name(letter).to_owned()),
        to: to.map(|to| to.index()),
        weight: removed.weight,
        heat: removed.heat,
        scenarios: removed.scenarios,
    }
}

fn names(word: &Word, alphabet: &Alphabet) -> Vec<String> {
    word.iter().map(|&a| alphabet.name(a).to_owned()).collect()
}

/// The outcome in words.
pub fn to_text(outcome: &Outcome<'_>) -> String {
    let mined = &outcome.mined;
    let mut text = format!("{}\n", guarantee(outcome));
    if let Some(inferred) = &outcome.inferred {
        text.push_str("inferred, for review:\n");
        for (name, why) in &inferred.reasons {
            let _ = writeln!(text, "  {name} {why}");
        }
    }
    let (pfsa, spec) = (&mined.pfsa, &mined.specification);
    let _ = writeln!(
        text,
        "{}, {}, {} in the PFSA, {} and {} in the specification",
        counted(mined.strings.strings.len(), "distinct scenario"),
        counted(mined.strings.alphabet.len(), "letter"),
        counted(pfsa.n_states(), "state"),
        counted(spec.n_states(), "state"),
        counted(spec.n_transitions(), "edge"),
    );
    automaton(mined, &mut text);
    if outcome.args.strings {
        text.push_str("scenarios:\n");
        for (word, count) in mined.strings.strings.iter().take(MOST_SHOWN) {
            let letters: Vec<String> = word.iter().map(|&a| short(a)).collect();
            let _ = writeln!(text, "  {count} × {}", letters.join(" "));
        }
        more(mined.strings.strings.len(), &mut text);
    }
    removed(mined, outcome.args.cut, &mut text);
    lives_text(outcome, &mut text);
    for warning in &outcome.read.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    let args = outcome.args;
    let written = [
        ("specification", &args.spec),
        ("drawing", &args.dot),
        ("drawing", &args.svg),
        ("API", &args.write_api),
        ("report", &args.report),
    ];
    for (what, path) in written {
        if let Some(path) = path {
            let _ = writeln!(text, "{what}: {}", path.display());
        }
    }
    text
}

/// Letters of strings are long; in lists they are called A, B, …, Z, A1, ….
pub fn short(letter: Letter) -> String {
    let (number, name) = (letter.index() / 26, letter.index() % 26);
    let name = char::from(b'A' + name as u8);
    match number {
        0 => name.to_string(),
        number => format!("{name}{number}"),
    }
}

/// The letters, then one line per state.
fn automaton(mined: &Mined, text: &mut String) {
    let spec = &mined.specification;
    let used: std::collections::BTreeSet<Letter> =
        spec.transitions().filter_map(|(_, a, _)| a).collect();
    for &letter in &used {
        let name = mined.strings.alphabet.name(letter);
        let _ = writeln!(text, "  {} = {name}", short(letter));
    }
    states(spec, text);
}

fn states(spec: &Nfa, text: &mut String) {
    for q in spec.states() {
        let initial = if spec.initial().contains(&q) {
            "->"
        } else {
            "  "
        };
        let end = if spec.is_accepting(q) { " (end)" } else { "" };
        let _ = write!(text, "{initial} q{}{end}", q.index());
        // Letters that lead to the same state are one edge to the eye.
        let mut targets: std::collections::BTreeMap<usize, Vec<String>> = Default::default();
        for (letter, to) in spec.edges(q) {
            let name = letter.map_or("λ".to_owned(), short);
            targets.entry(to.index()).or_default().push(name);
        }
        for (to, letters) in targets {
            let _ = write!(text, "  {} -> q{to}", letters.join("|"));
        }
        text.push('\n');
    }
}

fn removed(mined: &Mined, cut: f64, text: &mut String) {
    if mined.removed.is_empty() {
        return;
    }
    let _ = writeln!(text, "removed by the cut-off {cut}:");
    for removed in mined.removed.iter().take(MOST_SHOWN) {
        let what = match removed.edge {
            Some((letter, to)) => format!(
                "s{} -> s{} {}",
                removed.from.index(),
                to.index(),
                mined.strings.alphabet.name(letter)
            ),
            None => format!("the end at s{}", removed.from.index()),
        };
        let _ = writeln!(
            text,
            "  {what}: heat {:.4}, explained {}",
            removed.heat,
            counted(removed.scenarios, "scenario")
        );
    }
    more(mined.removed.len(), text);
}

fn more(n: usize, text: &mut String) {
    if n > MOST_SHOWN {
        let _ = writeln!(text, "  … and {} more", n - MOST_SHOWN);
    }
}
