//! Outcomes as the commands print them, small enough to be written by hand.

use serde_json::{Value, json};

/// A proof that rests on two assumptions, with an invariant at its loop.
pub fn proved() -> Value {
    json!({
        "command": "verify", "version": "0.1.0", "verdict": "proved",
        "guarantee": {
            "kind": "proved", "class": "promise", "text": "No run has an error (checked: assert).",
            "assumptions": [
                {"kind": "missing-body", "text": "`clock` has no body", "file": "log.c", "line": 12,
                 "option": "--pure clock"},
                {"kind": "convention", "text": "`malloc` succeeds", "file": null, "line": null,
                 "option": "--malloc-may-fail"},
            ],
        },
        "proof": {
            "method": "induction", "checked_by": "a second encoding",
            "invariants": [{"file": "log.c", "line": 37, "function": "main", "formula": "i <= count",
                            "acsl": "loop invariant i <= count;"}],
        },
        "statistics": {"solver_calls": 14, "samples": 0, "engines": {"states": 3, "traces": {"traces": 0, "solver_calls": 0}}},
        "warnings": [],
    })
}

/// A run of so many rounds, three steps each.
pub fn long_run(rounds: u64) -> Value {
    let mut trace = Vec::new();
    for i in 0..rounds {
        trace.push(decision(37, "main", 0, "i < count", 1));
        trace.push(step(
            18,
            "log_write",
            1,
            "buf[n++] = value;",
            json!({"n": i % 64, "buf[0]": i}),
        ));
        // Now and then another way, so that not everything is one fold.
        if i % 1000 == 7 {
            trace.push(step(24, "main", 0, "odd = i;", json!({"odd": i})));
        }
        trace.push(step(37, "main", 0, "i++", json!({"i": i + 1})));
    }
    trace.push(step(43, "main", 0, "return 0;", json!({})));
    json!({
        "command": "run", "verdict": "exit", "exit_code": 0,
        "guarantee": {"kind": "replayed", "text": "This run happened."},
        "inputs": [rounds], "trace": trace, "statistics": {}, "warnings": [],
    })
}

/// A run that leaves its specification.
pub fn violated() -> Value {
    json!({
        "command": "check", "verdict": "violates",
        "guarantee": {"kind": "replayed", "class": "finding", "text": "1 violation.", "assumptions": []},
        "violations": [{"file": "a.trace", "line": 3, "seed": "open(return)", "kind": "forbidden",
                        "scenario": ["open", "read", "read"], "nearest": ["open", "read", "close"]}],
        "statistics": {}, "warnings": [],
    })
}

pub const LOG_C: &str = include_str!("log.c");

fn step(line: u64, function: &str, depth: u64, text: &str, values: Value) -> Value {
    json!({"file": "log.c", "line": line, "function": function, "depth": depth, "text": text,
           "values": values})
}

fn decision(line: u64, function: &str, depth: u64, text: &str, taken: u64) -> Value {
    let mut step = step(line, function, depth, text, json!({}));
    step["decision"] = json!(taken);
    step
}

/// A run of `log.c` that writes so often and then fails; with a flush in between if asked.
fn log_trace(writes: u64, flush: bool) -> Vec<Value> {
    let mut trace = vec![
        step(
            35,
            "main",
            0,
            "int count = __VERIFIER_nondet_int();",
            json!({"count": writes}),
        ),
        step(36, "main", 0, "log_open();", json!({})),
        step(
            12,
            "log_open",
            1,
            "buf = malloc(64 * sizeof *buf);",
            json!({"buf": "&heap1"}),
        ),
        step(13, "log_open", 1, "is_open = 1;", json!({"is_open": 1})),
        step(37, "main", 0, "int i = 0", json!({"i": 0})),
    ];
    for i in 0..writes {
        trace.extend([
            decision(37, "main", 0, "i < count", 1),
            step(38, "main", 0, "log_write(i * 3);", json!({"value": i * 3})),
            decision(17, "log_write", 1, "n < 64", 1),
            step(
                18,
                "log_write",
                1,
                "buf[n++] = value;",
                json!({"n": i + 1, (format!("buf[{i}]")): i * 3}),
            ),
            step(19, "log_write", 1, "dirty = 1;", json!({"dirty": 1})),
            step(37, "main", 0, "i++", json!({"i": i + 1})),
        ]);
    }
    trace.push(decision(37, "main", 0, "i < count", 0));
    trace.push(decision(
        39,
        "main",
        0,
        "__VERIFIER_nondet_int() > 7",
        u64::from(flush),
    ));
    if flush {
        trace.push(step(40, "main", 0, "log_flush();", json!({})));
        trace.push(decision(29, "log_flush", 1, "dirty", u64::from(writes > 0)));
        trace.push(step(31, "log_flush", 1, "dirty = 0;", json!({"dirty": 0})));
    }
    trace.extend([
        step(41, "main", 0, "log_close();", json!({})),
        step(24, "log_close", 1, "is_open = 0;", json!({"is_open": 0})),
        step(25, "log_close", 1, "free(buf);", json!({})),
        step(42, "main", 0, "log_flush();", json!({})),
        decision(29, "log_flush", 1, "dirty", 1),
        step(30, "log_flush", 1, "assert(is_open);", json!({})),
    ]);
    trace
}

fn log_word(writes: usize) -> Vec<&'static str> {
    let mut word = vec!["log_open"];
    word.extend(vec!["log_write"; writes]);
    word.extend(["log_close", "log_flush", "assert"]);
    word
}

fn envelope(command: &str, verdict: &str, kind: &str, text: &str) -> Value {
    json!({"command": command, "version": "0.1.0", "verdict": verdict,
           "guarantee": {"kind": kind, "text": text}, "warnings": [],
           "statistics": {"membership_queries": 1204, "conjectures": 3, "solver_calls": 96}})
}

fn log_automaton() -> Value {
    json!({
        "kind": "dfa",
        "alphabet": ["log_open", "log_write", "log_close", "log_flush", "assert"],
        "states": [
            {"id": 0, "initial": true, "accepting": false, "doomed": false},
            {"id": 1, "accepting": false, "doomed": false},
            {"id": 2, "accepting": false, "doomed": false},
            {"id": 3, "accepting": false, "doomed": true},
            {"id": 4, "accepting": false, "doomed": true},
            {"id": 5, "accepting": true, "doomed": true}],
        "transitions": [
            {"from": 0, "to": 1, "letter": "log_open", "dominating": true},
            {"from": 1, "to": 2, "letter": "log_write", "dominating": true},
            {"from": 2, "to": 2, "letter": "log_write", "dominating": false},
            {"from": 2, "to": 1, "letter": "log_flush", "dominating": false},
            {"from": 2, "to": 3, "letter": "log_close", "dominating": true},
            {"from": 3, "to": 4, "letter": "log_flush", "dominating": true},
            {"from": 4, "to": 5, "letter": "assert", "dominating": true}],
    })
}

/// `idiolect explain log.c`.
pub fn explain() -> Value {
    let mut outcome = envelope(
        "explain",
        "error-language",
        "exact",
        "Every accepted word is a failing run and every failing run is accepted, for runs with at \
         most 4 loop iterations and words of at most 12 events.",
    );
    outcome["automaton"] = log_automaton();
    outcome["bounds"] = json!({"unwind": 4, "word_length": 12, "converged": true});
    outcome["letters"] = json!([
        {"name": "log_open", "kind": "call", "file": "log.c", "line": 11},
        {"name": "log_write", "kind": "call", "file": "log.c", "line": 16},
        {"name": "log_close", "kind": "call", "file": "log.c", "line": 23},
        {"name": "log_flush", "kind": "call", "file": "log.c", "line": 28},
        {"name": "assert", "kind": "assert", "file": "log.c", "line": 30}]);
    outcome["witnesses"] = json!([
        {"word": log_word(1), "inputs": [1, 0], "trace": log_trace(1, false)},
        {"word": log_word(2), "inputs": [2, 0], "trace": log_trace(2, false)},
        {"word": log_word(9), "inputs": [9, 0], "trace": log_trace(9, false)}]);
    outcome["statistics"]["answered_by"] =
        json!({"shape": 640, "cfg": 201, "cache": 155, "core": 98, "guess": 14, "solver": 96});
    outcome["timing"] = json!({"total": 2.81, "encode": 0.4, "learn": 2.3,
                               "peak_memory_bytes": 48_000_000});
    outcome
}

/// `idiolect diff old.c new.c`.
pub fn diff() -> Value {
    let mut outcome = envelope(
        "diff",
        "different",
        "exact",
        "All differences of at most 12 events are here.",
    );
    let mut lost = log_automaton();
    lost["transitions"].as_array_mut().unwrap().truncate(5);
    lost["states"][3]["accepting"] = json!(true);
    lost["witnesses"] = json!([{"word": ["log_open", "log_write", "log_close"]}]);
    outcome["gained"] = json!({"automaton": log_automaton(), "witnesses": [
        {"word": log_word(1), "inputs": [1, 0], "trace": log_trace(1, false)}]});
    outcome["lost"] = lost;
    outcome
}

/// `idiolect mine`.
pub fn mine() -> Value {
    let mut outcome = envelope(
        "mine",
        "mined",
        "learned",
        "Learned from 412 scenarios; it says what happened in these runs.",
    );
    let edge = |from: u64, to: u64, letter: &str, weight: f64, heat: f64| {
        json!({"from": from,
        "to": to, "letter": letter, "weight": weight, "heat": heat})
    };
    outcome["pfsa"] = json!({
        "kind": "pfsa", "alphabet": ["socket", "bind", "listen", "accept", "read", "write", "close"],
        "states": [{"id": 0, "initial": true}, {"id": 1}, {"id": 2}, {"id": 3}, {"id": 4},
                   {"id": 5, "accepting": true}],
        "transitions": [
            edge(0, 1, "socket", 412.0, 1.0), edge(1, 2, "bind", 409.0, 0.99),
            edge(2, 3, "listen", 409.0, 0.99), edge(3, 4, "accept", 800.0, 0.97),
            edge(4, 4, "read", 2210.0, 0.93), edge(4, 4, "write", 1804.0, 0.91),
            edge(4, 3, "close", 391.0, 0.6), edge(4, 5, "close", 405.0, 0.95),
            edge(1, 3, "listen", 3.0, 0.01), edge(1, 5, "close", 4.0, 0.02)],
    });
    outcome["scenarios"] = json!({"count": 412, "distinct": 3, "strings": [
        {"letters": ["socket", "bind", "listen", "accept", "read", "write", "close"], "count": 300},
        {"letters": ["socket", "bind", "listen", "accept", "close"], "count": 108},
        {"letters": ["socket", "close"], "count": 4}]});
    outcome
}

/// `idiolect verify log.c`, with an error.
pub fn verify() -> Value {
    let mut outcome = envelope(
        "verify",
        "error",
        "replayed",
        "The failing run was replayed.",
    );
    outcome["error"] = json!({"kind": "assert", "message": "assertion `is_open` failed",
        "file": "log.c", "line": 30, "function": "log_flush", "decisions": "110011",
        "inputs": [1, 0], "trace": log_trace(1, false)});
    outcome
}

/// `idiolect verify`, with a PAC guarantee and a model.
pub fn pac() -> Value {
    let mut outcome = envelope(
        "verify",
        "pac",
        "pac",
        "With confidence 0.9, at most a share of 0.1 \
        of runs, drawn by random branches, does something that the model does not.",
    );
    for (name, value) in [
        ("epsilon", json!(0.1)),
        ("delta", json!(0.9)),
        ("batch", json!(10)),
        ("seed", json!(0)),
        ("strategy", json!("rbs")),
        ("equivalence_queries", json!(4)),
        ("samples_last", json!(37)),
    ] {
        outcome["guarantee"][name] = value;
    }
    outcome["model"] = json!({"kind": "dfa", "alphabet": ["0", "1"],
        "states": [{"id": 0, "initial": true, "accepting": true}, {"id": 1, "accepting": true},
                   {"id": 2, "accepting": false}],
        "transitions": [{"from": 0, "to": 0, "letter": "1"}, {"from": 0, "to": 1, "letter": "0"},
                        {"from": 1, "to": 2, "letter": "0"}, {"from": 1, "to": 2, "letter": "1"},
                        {"from": 2, "to": 2, "letter": "0"}, {"from": 2, "to": 2, "letter": "1"}]});
    outcome
}

/// `idiolect localize log.c`.
pub fn localize() -> Value {
    let mut outcome = envelope("localize", "relevant", "exact", "For this error trace.");
    outcome["relevant"] = json!([
        {"file": "log.c", "line": 24, "function": "log_close", "text": "is_open = 0;",
         "kind": "assign", "blocking_value": "1"},
        {"file": "log.c", "line": 19, "function": "log_write", "text": "dirty = 1;",
         "kind": "assign", "blocking_value": "0"}]);
    let mut statements = log_trace(1, false);
    for statement in &mut statements {
        let is_relevant = statement["line"] == 24 || statement["line"] == 19;
        statement["relevant"] = json!(is_relevant);
        statement["assigning"] = json!(is_relevant || statement["decision"].is_null());
        if is_relevant {
            statement["blocking_value"] = json!(0);
        }
        if statement["line"] == 38 {
            statement["relevant"] = Value::Null;
        }
    }
    outcome["traces"] = json!([{"statements": statements}]);
    outcome
}

/// `idiolect localize log.c --all-traces`.
pub fn all_traces() -> Value {
    let mut outcome = localize();
    outcome["coverage"] = json!("every-trace");
    outcome["relevant"][0]["relevant_in"] = json!(2);
    outcome["relevant"][0]["in_every_trace"] = json!(true);
    outcome["relevant"][1]["relevant_in"] = json!(1);
    outcome["relevant"][1]["in_every_trace"] = json!(false);
    outcome
}

/// `idiolect repair log.c`.
pub fn repair() -> Value {
    let mut outcome = envelope("repair", "repaired", "tested", "1 repair found.");
    outcome["repairs"] = json!([{"file": "log.c", "line": 24, "kind": "constant", "before": "is_open = 0;",
        "after": "is_open = 1;", "holds": "makes this run pass", "run": {"inputs": [1, 0], "trace": log_trace(0, false)}}]);
    outcome["before"] = json!({"inputs": [1, 0], "trace": log_trace(1, false)});
    outcome
}

/// `idiolect invariants log.c`.
pub fn invariants() -> Value {
    let mut outcome = envelope(
        "invariants",
        "learned",
        "proved",
        "Proved for arrays of any length.",
    );
    outcome["points"] = json!([{"function": "main", "kind": "loop", "line": 37,
        "formula": "∀ y. 0 ≤ y < i → buf[y] = 3·y", "proof": "adequate",
        "acsl": "loop invariant \\forall integer y; 0 <= y < i ==> buf[y] == 3*y;",
        "automaton": {"kind": "moore", "alphabet": ["(b, *)", "(y, i)", "(b, y)"],
            "states": [{"id": 0, "initial": true, "output": "true"},
                       {"id": 1, "output": "d(y) = 3·y"}, {"id": 2, "output": "false"}],
            "transitions": [{"from": 0, "to": 0, "letter": "(b, *)"},
                            {"from": 0, "to": 1, "letter": "(b, y)"},
                            {"from": 1, "to": 1, "letter": "(b, *)"},
                            {"from": 1, "to": 2, "letter": "(y, i)"}]}}]);
    outcome
}
