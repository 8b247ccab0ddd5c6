//! The formats: exact texts, errors with their lines, round trips, and answers to any bytes.

use idiolect_automata::formats::dot::{self, DotAutomaton, DotProblem, Missing};
use idiolect_automata::formats::json::{self, Automaton, JsonAutomaton, JsonProblem, Part};
use idiolect_automata::{Alphabet, Dfa, Letter, Mealy, Moore, Nfa, Pfsa, StateId, Trimmed};
use proptest::prelude::*;

/// The displayed form of the example of *Learning the Language of Software Errors*, Figure 6.
fn example() -> (Trimmed, Alphabet) {
    let dfa = Dfa::from_fn(3, &[false, false, true, false], |q, a| {
        match (q, a.index()) {
            (0, 0) => 0,
            (0, 1) => 1,
            (1, 2) => 2,
            _ => 3,
        }
    });
    (dfa.trim(), Alphabet::new(["g", "f", "assert"]))
}

#[test]
fn the_example_as_json() {
    let (trimmed, alphabet) = example();
    let json = JsonAutomaton::from_trimmed(&trimmed, &alphabet, Some(&trimmed.marks()));
    assert_eq!(
        json.write(),
        r#"{"kind":"dfa","alphabet":["g","f","assert"],
 "states":[
  {"id":0,"initial":true,"accepting":false,"doomed":false},
  {"id":1,"initial":false,"accepting":false,"doomed":true},
  {"id":2,"initial":false,"accepting":true,"doomed":true}],
 "transitions":[
  {"from":0,"to":0,"letter":"g","dominating":false},
  {"from":0,"to":1,"letter":"f","dominating":true},
  {"from":1,"to":2,"letter":"assert","dominating":true}]}
"#
    );
}

#[test]
fn the_example_as_dot() {
    let (trimmed, alphabet) = example();
    let marks = trimmed.marks();
    assert_eq!(
        dot::write_trimmed(&trimmed, &alphabet, Some(&marks)),
        r#"digraph g {

	s0 [shape="circle" label="s0"];
	s1 [shape="circle" label="s1" style="filled" fillcolor="lightgray"];
	s2 [shape="doublecircle" label="s2" style="filled" fillcolor="lightgray"];

	s0 -> s0 [label="g"];
	s0 -> s1 [label="f" style="bold"];
	s1 -> s2 [label="assert" style="bold"];

	__start0 [label="" shape="none" width="0" height="0"];
	__start0 -> s0;

}
"#
    );
}

#[test]
fn other_kinds_as_dot() {
    let alphabet = Alphabet::new(["a\"b\\"]);
    let moore = Moore::new(1, vec!["x|{y}".to_owned()]);
    assert_eq!(
        dot::write_moore(&moore, &alphabet),
        r#"digraph g {

	s0 [shape="record" label="s0|x\|\{y\}" style="rounded"];

	s0 -> s0 [label="a\"b\\"];

	__start0 [label="" shape="none" width="0" height="0"];
	__start0 -> s0;

}
"#
    );
    let mut pfsa = Pfsa::new(1);
    let q = pfsa.add_state(2.0);
    pfsa.add_transition(q, Letter(0), q, 0.5);
    assert_eq!(
        dot::write_pfsa(&pfsa, &Alphabet::new(["a"])),
        r#"digraph g {

	s0 [shape="doublecircle" label="s0 : 2"];

	s0 -> s0 [label="a : 0.5"];

	__start0 [label="" shape="none" width="0" height="0"];
	__start0 -> s0;

}
"#
    );
}

#[test]
fn other_kinds_as_json() {
    let alphabet = Alphabet::new(["a"]);
    let mut pfsa = Pfsa::new(1);
    let q = pfsa.add_state(2.0);
    pfsa.add_transition(q, Letter(0), q, 6.0);
    assert_eq!(
        JsonAutomaton::from_pfsa(&pfsa, &alphabet, Some(&[0.75])).write(),
        r#"{"kind":"pfsa","alphabet":["a"],
 "states":[
  {"id":0,"initial":true,"accepting":true,"final_weight":2}],
 "transitions":[
  {"from":0,"to":0,"letter":"a","weight":6,"heat":0.75}]}
"#
    );
    let mut nfa = Nfa::new(1);
    let q = nfa.add_state(true);
    nfa.add_transition(q, None, q);
    assert_eq!(
        JsonAutomaton::from_nfa(&nfa, &alphabet).write(),
        r#"{"kind":"nfa","alphabet":["a"],
 "states":[
  {"id":0,"initial":false,"accepting":true}],
 "transitions":[
  {"from":0,"to":0,"letter":null}]}
"#
    );
    assert_eq!(
        JsonAutomaton::from_moore(&Moore::new(1, vec![7]), &alphabet).write(),
        r#"{"kind":"moore","alphabet":["a"],
 "states":[
  {"id":0,"initial":true,"output":"7"}],
 "transitions":[
  {"from":0,"to":0,"letter":"a"}]}
"#
    );
}

/// As pydot writes it for AALpy: no quotes where none are needed, the start marker last.
#[test]
fn a_dfa_of_aalpy() {
    let file = b"digraph learnedModel {\n\
        s0 [label=s0];\ns1 [label=s1, shape=doublecircle];\n\
        s0 -> s1 [label=1];\ns0 -> s0 [label=0];\ns1 -> s1 [label=0];\ns1 -> s0 [label=1];\n\
        __start0 [label=\"\", shape=none];\n__start0 -> s0 [label=\"\"];\n}\n";
    let (dfa, alphabet) = dot::read_dfa(file, Missing::Refuse).unwrap();
    assert_eq!(alphabet.names(), ["1", "0"]);
    let odd = Dfa::from_fn(
        2,
        &[false, true],
        |q, a| if a.index() == 0 { 1 - q } else { q },
    );
    assert_eq!(dfa, odd);
}

/// A start marker, a state, and these lines.
fn dot_of(lines: &str) -> String {
    format!("digraph g {{\n__start0 -> s0;\n{lines}\n}}\n")
}

#[test]
fn the_kind_is_read_from_the_file() {
    let kind = |lines: &str| match dot::read(dot_of(lines).as_bytes(), Missing::Reject) {
        Ok((DotAutomaton::Dfa(_), _)) => "dfa".to_owned(),
        Ok((DotAutomaton::Moore(_), _)) => "moore".to_owned(),
        Ok((DotAutomaton::Mealy(_), _)) => "mealy".to_owned(),
        Err(error) => {
            assert!(!error.help().is_empty());
            error.to_string()
        }
    };
    for (lines, expected) in [
        ("s0 [shape=doublecircle]\ns0 -> s0 [label=a]", "dfa"),
        // The letters of a DFA may have slashes.
        ("s0 [shape=doublecircle]\ns0 -> s0 [label=\"a/b\"]", "dfa"),
        ("s0 [shape=circle]\ns0 -> s0 [label=a]", "dfa"),
        ("s0 [label=\"s0|x\"]\ns0 -> s0 [label=a]", "moore"),
        ("s0 [label=s0]\ns0 -> s0 [label=\"a/x\"]", "mealy"),
        ("s0 [shape=circle]\ns0 -> s0 [label=\"a / x/y\"]", "mealy"),
        ("s0\ns0 -> s0 [label=<a<br />x>]", "mealy"),
        (
            "s0\ns0 -> s0 [label=<<table><tr><td>a</td><td>/</td><td>x</td></tr></table>>]",
            "mealy",
        ),
        (
            "s0 [label=N]\ns0 -> s0 [label=a]",
            "line 3: no state accepts, and neither states nor transitions have an output",
        ),
        (
            "s0\ns0 -> s0 [label=\"a/x\"]\ns0 -> s0 [label=b]",
            "line 5: the transition `b` has no output, and others have one",
        ),
        (
            "s0\ns0 -> s0 [label=\"a/x/y\"]",
            "line 4: it is not clear where the output begins in `a/x/y`",
        ),
        (
            "s0 [shape=doublecircle]\ns0 -> s0 [label=\"( / push(()\"]",
            "line 4: `( / push(()` is a transition of a pushdown automaton",
        ),
        (
            "s0 [shape=doublecircle label=L0]\ns0 -> s0 [label=a]\ns0 -> s0 [label=\"r/(L0,c)\"]",
            "line 5: `r/(L0,c)` is a transition of a pushdown automaton",
        ),
        (
            "s0 [shape=doublecircle label=L0]\ns0 -> s0 [label=\"f/(x,y)\"]",
            "dfa",
        ),
        (
            "s0 [label=N]\ns0 -> s0 [label=\"a:1.0\"]",
            "line 4: `a:1.0` is a transition with a probability",
        ),
        (
            "s0 [label=N]\ns0 -> s0 [label=\"a/x:0.5\"]",
            "line 4: `a/x:0.5` is a transition with a probability",
        ),
        (
            "s0\ns0 -> s0 [label=\"a/x\"]\ns0 -> s0 [label=\"a/y\"]",
            "line 5: `s0` has two transitions for `a`",
        ),
        (
            "s0\ns0 -> s1 [label=\"a/x\"]\ns1 [label=s1]",
            "line 5: `s1` has no transition for `a`",
        ),
        (
            "s0 [label=\"s0|x\"]\ns1 [label=s1]\ns0 -> s1 [label=a]",
            "line 4: the state `s1` has no output",
        ),
    ] {
        assert_eq!(kind(lines), expected, "{lines}");
    }
}

#[test]
fn outputs_are_told_from_inputs() {
    for (label, input, output) in [
        ("\"coin/ beep\"", "coin", "beep"),
        ("\"a / x\"", "a", "x"),
        ("\"GET /x / 200 OK\"", "GET /x", "200 OK"),
        ("\"a/\"", "a", ""),
        ("\"a / b / x\" output=\"b / x\"", "a", "b / x"),
        ("<a &amp; b<br/>x>", "a & b", "x"),
    ] {
        let file = dot_of(&format!("s0\ns0 -> s0 [label={label}]"));
        let (machine, alphabet) = dot::read_mealy(file.as_bytes()).unwrap();
        assert_eq!(alphabet.names(), [input]);
        assert_eq!(machine.output(StateId(0), Letter(0)), output);
    }
}

#[test]
fn moore_labels_of_three_tools() {
    for label in ["s0|out put", "{ s0 | out put }", "s0 / out put"] {
        let file = format!(
            "digraph {{ s0 [shape=\"record\" label=\"{label}\"]; s0 -> s0 [label=a]; __start0 -> s0 }}"
        );
        let (machine, _) = dot::read_moore(file.as_bytes()).unwrap();
        assert_eq!(machine.output(StateId(0)), "out put");
    }
}

#[test]
fn the_whole_of_the_language_of_dot() {
    let file = br##"# 1 "from a preprocessor"
        /* a comment
           of two lines */ strict DIGRAPH "a graph" { // another
        rankdir=LR; graph [bgcolor=white] node [shape = doublecircle; color=red,]
        edge [label=a]
        p -> "q \"r\"":n -> p [color="blue"][penwidth=2]
        p:port:sw -> p [label=<<b>bold</b>>];
        "q \"r\"" -> p [label="b\\c\nd"];;
        start [shape=point]; start -> p [label=ignored]
        -1.5 [shape=circle label="joined \
line"];
        }"##;
    let (dfa, alphabet) = dot::read_dfa(file, Missing::Reject).unwrap();
    assert_eq!(alphabet.names(), ["a", "bold", "b\\c\nd"]);
    // p, q "r", -1.5 and a sink.
    assert_eq!((dfa.n_states(), dfa.initial()), (4, StateId(0)));
    let accepting: Vec<bool> = dfa.states().map(|q| dfa.is_accepting(q)).collect();
    assert_eq!(accepting, [true, true, false, false]);
    assert!(dfa.accepts(&[0, 2, 1].map(Letter)));
}

fn dot_error(body: &str) -> (usize, String) {
    let error = dot::read_dfa(body.as_bytes(), Missing::Refuse).unwrap_err();
    assert!(!error.help().is_empty());
    (error.line, error.problem.to_string())
}

#[test]
fn errors_of_dot_name_line_and_cause() {
    let start = "__start0 -> s0;\n";
    let cases = [
        (
            format!("digraph {{\n{start}s0 -> s1 [label=a]\n}}"),
            3,
            "`s1` has no transition for `a`",
        ),
        (
            format!("digraph {{\n{start}s0 [shape=circle]\ns1\n__start1 -> s1\n}}"),
            5,
            "`s0` and `s1` are both initial",
        ),
        (
            format!("digraph {{\n{start}s0 [shape=hexagon]\n}}"),
            3,
            "`hexagon` is not a shape of a state",
        ),
        (
            format!("digraph {{\n{start}s0 -> s0 [label=a]\ns1 s0 -> s1 [label=a]\n}}"),
            4,
            "`s0` has two transitions for `a`",
        ),
        ("digraph {\ns0\n}".into(), 1, "no initial state is marked"),
        (
            format!("digraph {{\n{start}s0 -> s0\n}}"),
            3,
            "the edge from `s0` has no label",
        ),
        (
            format!("digraph {{\n{start}s0 -> __start0 [label=a]\n}}"),
            3,
            "an edge leads to the start marker `__start0`",
        ),
        (
            "digraph {\nsubgraph { s0 }\n}".into(),
            2,
            "subgraphs are not part of an automaton",
        ),
        ("graph {\n}".into(), 1, "the graph is undirected"),
        (
            "digraph {\ns0 -- s1\n}".into(),
            2,
            "the graph is undirected",
        ),
        ("digraph {\n\n\"s0\n".into(), 3, "this string is not closed"),
        ("/* digraph {\n".into(), 1, "this comment is not closed"),
        (
            "digraph {\ns0 [label=<a\n".into(),
            2,
            "this HTML string is not closed",
        ),
        (
            "digraph {\n\n?\n}".into(),
            3,
            "`?` means nothing in DOT outside of quotes",
        ),
        (
            "digraph {\ns0".into(),
            2,
            "expected a node, an edge or `}`, found the end of the file",
        ),
        (
            "digraph {} {".into(),
            1,
            "expected the end of the file, found `{`",
        ),
        (
            "automaton {\n}".into(),
            1,
            "expected `digraph`, found `automaton`",
        ),
    ];
    for (file, line, message) in cases {
        assert_eq!(dot_error(&file), (line, message.to_owned()), "{file}");
    }
    let error = dot::read_dfa(b"digraph {\n\xff}", Missing::Reject).unwrap_err();
    assert_eq!((error.line, error.problem), (2, DotProblem::Encoding));
    let file = format!("digraph {{\n{start}s0 [label=x]\n}}");
    let error = dot::read_moore(file.as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), "line 3: the state `s0` has no output");
    let file = format!("digraph {{\n{start}s0 -> s0 [label=\"a : -1\"]\n}}");
    let error = dot::read_pfsa(file.as_bytes()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 3: `a : -1` does not end in a weight"
    );
}

/// Each state has a letter of its own: a table of 2·10¹⁰ entries from 5 MB is refused.
#[test]
fn a_table_of_quadratic_size_is_refused() {
    let mut file = String::from("digraph { __start0 -> 0;");
    for i in 0..140_000 {
        file += &format!("{i}->0[label={i}];");
    }
    file.push('}');
    let error = dot::read_dfa(file.as_bytes(), Missing::Reject).unwrap_err();
    assert!(matches!(error.problem, DotProblem::TooLarge { .. }));
    assert_eq!(
        dot::read_nfa(file.as_bytes()).unwrap().0.n_states(),
        140_000
    );
}

#[test]
fn a_million_states_just_work() {
    let n = 1_000_000;
    let accepting: Vec<bool> = (0..n).map(|q| q % 7 == 0).collect();
    let dfa = Dfa::from_fn(2, &accepting, |q, a| (2 * q + a.index()) % n);
    let alphabet = Alphabet::new(["left", "right"]);
    let (back, names) =
        dot::read_dfa(dot::write_dfa(&dfa, &alphabet).as_bytes(), Missing::Refuse).unwrap();
    assert_eq!(names, alphabet);
    assert!(back == dfa);
}

#[test]
fn errors_of_json_name_line_and_cause() {
    let file = |kind: &str, states: &str, transitions: &str| {
        format!(
            "{{\"kind\": \"{kind}\", \"alphabet\": [\"a\"],\n\"states\": [\n{states}],\n\
             \"transitions\": [\n{transitions}]}}"
        )
    };
    let initial = r#"{"id": 0, "initial": true}"#;
    let two = format!("{initial},\n{{\"id\": 1}}");
    let moved = |to: u32| format!(r#"{{"from": 0, "to": {to}, "letter": "a"}}"#);
    let cases = [
        (
            file("dfa", &format!("{initial},\n{initial}"), ""),
            4,
            "states[1]: the id 0 is used twice",
        ),
        (
            file(
                "dfa",
                &format!("{initial},\n{{\"id\": 1, \"initial\": true}}"),
                "",
            ),
            4,
            "states[1]: there is an initial state already",
        ),
        (file("dfa", r#"{"id": 0}"#, ""), 1, "no state is initial"),
        (
            file("dfa", initial, &moved(5)),
            5,
            "transitions[0]: there is no state 5",
        ),
        (
            file("dfa", &two, &format!("{},\n{}", moved(0), moved(1))),
            7,
            "transitions[1]: the state has another transition for `a`",
        ),
        (
            file("dfa", initial, r#"{"from": 0, "to": 0, "letter": "b"}"#),
            5,
            "transitions[0]: `b` is not in the alphabet",
        ),
        (
            file("dfa", initial, r#"{"from": 0, "to": 0, "letter": null}"#),
            5,
            "transitions[0]: only an NFA may have transitions without a letter",
        ),
        (file("moore", initial, &moved(0)), 3, "states[0]: no output"),
        (
            file("moore", r#"{"id": 0, "initial": true, "output": "x"}"#, ""),
            3,
            "states[0]: the state has no transition for `a`",
        ),
        (
            file("pfsa", initial, &moved(0)),
            5,
            "transitions[0]: no weight, or a negative one",
        ),
        (
            r#"{"kind": "dfa", "alphabet": ["a", "a"], "states": [], "transitions": []}"#.into(),
            1,
            "the alphabet has the letter `a` twice",
        ),
    ];
    for (file, line, message) in cases {
        let error = json::read(file.as_bytes()).unwrap_err();
        assert_eq!(
            (error.line, error.problem.to_string().as_str()),
            (line, message),
            "{file}"
        );
        assert!(!error.help().is_empty());
    }
    assert_eq!(json::read(b"{\n\n\"kind\": \"dfb\"}").unwrap_err().line, 3);
    assert_eq!(json::read(b"\n\xff").unwrap_err().line, 2);
    let nfa = file("nfa", initial, "");
    let error = json::read_dfa(nfa.as_bytes()).unwrap_err();
    assert!(matches!(error.problem, JsonProblem::WrongKind { .. }));
    assert_eq!(Part::State(3).to_string(), "states[3]");
}

// Names that need every kind of escape.
fn any_alphabet(n: usize) -> impl Strategy<Value = Alphabet> {
    let name = prop_oneof![
        "[a-z]{1,3}",
        r#"[a"\\\n\r\t |{}<>:;,=/λ+*-]{1,4}"#,
        proptest::collection::vec(any::<char>(), 1..4)
            .prop_map(|chars| chars.into_iter().collect()),
    ];
    proptest::collection::hash_set(name, n..=n).prop_map(|names| {
        let mut names: Vec<String> = names.into_iter().collect();
        names.sort();
        Alphabet::new(names)
    })
}

fn any_dfa() -> impl Strategy<Value = Dfa> {
    (1usize..6).prop_flat_map(|n| {
        let outputs = proptest::collection::vec(any::<bool>(), n);
        let table = proptest::collection::vec(0..n, 2 * n);
        (outputs, table, 0..n).prop_map(|(outputs, table, initial)| {
            let mut dfa = Dfa::from_fn(2, &outputs, |q, a| table[2 * q + a.index()]);
            dfa.set_initial(StateId::new(initial));
            dfa
        })
    })
}

fn any_nfa() -> impl Strategy<Value = Nfa> {
    let accepting = proptest::collection::vec(any::<bool>(), 5);
    let initial = proptest::collection::vec(0u32..5, 0..3);
    let edges = proptest::collection::vec((0u32..5, proptest::option::of(0u32..2), 0u32..5), 0..12);
    (accepting, initial, edges).prop_map(|(accepting, initial, edges)| {
        let mut nfa = Nfa::new(2);
        for accepting in accepting {
            nfa.add_state(accepting);
        }
        initial
            .into_iter()
            .for_each(|q| nfa.add_initial(StateId(q)));
        for (from, a, to) in edges {
            nfa.add_transition(StateId(from), a.map(Letter), StateId(to));
        }
        nfa
    })
}

fn any_pfsa() -> impl Strategy<Value = Pfsa> {
    let weight = || prop_oneof![(0u32..100).prop_map(f64::from), 0.0f64..1e9];
    let finals = proptest::collection::vec(weight(), 4);
    let edges = proptest::collection::vec((0u32..4, 0u32..2, 0u32..4, weight()), 0..12);
    (finals, edges, 0u32..4).prop_map(|(finals, edges, initial)| {
        let mut pfsa = Pfsa::new(2);
        for weight in finals {
            pfsa.add_state(weight);
        }
        for (from, a, to, weight) in edges {
            pfsa.add_transition(StateId(from), Letter(a), StateId(to), weight);
        }
        pfsa.set_initial(StateId(initial));
        pfsa
    })
}

/// Reading may list the letters in another order and leave out those that do not occur; this
/// gives for each letter of the file the letter of the original.
fn letters_of(file: &Alphabet, original: &Alphabet) -> Vec<Letter> {
    file.names()
        .iter()
        .map(|name| original.letter(name).unwrap())
        .collect()
}

proptest! {
    #[test]
    fn a_dfa_comes_back(dfa in any_dfa(), alphabet in any_alphabet(2)) {
        let text = dot::write_dfa(&dfa, &alphabet);
        let (back, names) = dot::read_dfa(text.as_bytes(), Missing::Refuse).unwrap();
        prop_assert_eq!((&back, &names), (&dfa, &alphabet));
        let text = JsonAutomaton::from_complete_dfa(&dfa, &alphabet).write();
        prop_assert_eq!(json::read_dfa(text.as_bytes()).unwrap(), (back, names));
    }

    #[test]
    fn a_trimmed_dfa_keeps_its_language(dfa in any_dfa(), alphabet in any_alphabet(2)) {
        let text = JsonAutomaton::from_dfa(&dfa, &alphabet).write();
        let (back, names) = json::read_dfa(text.as_bytes()).unwrap();
        prop_assert_eq!(&names, &alphabet);
        prop_assert_eq!(back.distinguishing_word(&dfa), None);
        let trimmed = dfa.trim();
        let text = dot::write_trimmed(&trimmed, &alphabet, Some(&trimmed.marks()));
        let (back, names) = dot::read_dfa(text.as_bytes(), Missing::Reject).unwrap();
        let back = back.translate(2, &letters_of(&names, &alphabet));
        prop_assert_eq!(back.distinguishing_word(&dfa), None);
    }

    #[test]
    fn a_moore_machine_comes_back(dfa in any_dfa(), alphabet in any_alphabet(2), outputs in any_alphabet(2)) {
        let machine = dfa.map_outputs(|&o| outputs.name(Letter(u32::from(o))).to_owned());
        let text = dot::write_moore(&machine, &alphabet);
        let read = dot::read_moore(text.as_bytes()).unwrap();
        prop_assert_eq!(&read, &(machine.clone(), alphabet.clone()));
        let text = JsonAutomaton::from_moore(&machine, &alphabet).write();
        let (Automaton::Moore(back), names) = json::read(text.as_bytes()).unwrap() else {
            return Err(TestCaseError::fail("another kind"));
        };
        prop_assert_eq!((back, names), (machine, alphabet));
    }

    #[test]
    fn a_mealy_machine_comes_back(
        dfa in any_dfa(), alphabet in any_alphabet(2), outputs in any_alphabet(2), flip in any::<bool>(),
    ) {
        let machine = Mealy::from_fn(2, dfa.n_states(), |q, a| {
            let q = StateId::new(q);
            let output = dfa.is_accepting(q) != (flip && a.index() == 1);
            (dfa.step(q, a).index(), outputs.name(Letter(u32::from(output))).to_owned())
        });
        let text = dot::write_mealy(&machine, &alphabet);
        let read = dot::read_mealy(text.as_bytes()).unwrap();
        prop_assert_eq!(&read, &(machine.clone(), alphabet.clone()));
        let (DotAutomaton::Mealy(back), _) = dot::read(text.as_bytes(), Missing::Reject).unwrap()
        else {
            return Err(TestCaseError::fail("another kind"));
        };
        prop_assert_eq!(&back, &machine);
        let text = JsonAutomaton::from_mealy(&machine, &alphabet).write();
        let (Automaton::Mealy(back), names) = json::read(text.as_bytes()).unwrap() else {
            return Err(TestCaseError::fail("another kind"));
        };
        prop_assert_eq!((back, names), (machine, alphabet));
    }

    #[test]
    fn an_nfa_comes_back(nfa in any_nfa(), alphabet in any_alphabet(2)) {
        let text = JsonAutomaton::from_nfa(&nfa, &alphabet).write();
        let (Automaton::Nfa(back), names) = json::read(text.as_bytes()).unwrap() else {
            return Err(TestCaseError::fail("another kind"));
        };
        prop_assert_eq!((&back, &names), (&nfa, &alphabet));
        let (back, names) = dot::read_nfa(dot::write_nfa(&nfa, &alphabet).as_bytes()).unwrap();
        let map = letters_of(&names, &alphabet);
        prop_assert_eq!(back.initial(), nfa.initial());
        let mut renamed: Vec<_> = back.transitions()
            .map(|(from, a, to)| (from, a.map(|a| map[a.index()]), to)).collect();
        renamed.sort();
        prop_assert_eq!(renamed, nfa.transitions().collect::<Vec<_>>());
        prop_assert!(nfa.states().all(|q| nfa.is_accepting(q) == back.is_accepting(q)));
    }

    #[test]
    fn a_pfsa_comes_back(pfsa in any_pfsa(), alphabet in any_alphabet(2)) {
        let text = JsonAutomaton::from_pfsa(&pfsa, &alphabet, None).write();
        let (Automaton::Pfsa(back), names) = json::read(text.as_bytes()).unwrap() else {
            return Err(TestCaseError::fail("another kind"));
        };
        prop_assert_eq!((&back, &names), (&pfsa, &alphabet));
        let (back, names) = dot::read_pfsa(dot::write_pfsa(&pfsa, &alphabet).as_bytes()).unwrap();
        let map = letters_of(&names, &alphabet);
        let key = |&(q, a, to, _): &(StateId, Letter, StateId, f64)| (q, a, to);
        let mut renamed: Vec<_> = back.transitions()
            .map(|(q, edge)| (q, map[edge.letter.index()], edge.to, edge.weight)).collect();
        renamed.sort_by_key(key);
        let expected: Vec<_> = pfsa.transitions()
            .map(|(q, edge)| (q, edge.letter, edge.to, edge.weight)).collect();
        prop_assert_eq!(renamed, expected);
        prop_assert_eq!(back.initial(), pfsa.initial());
        prop_assert!(pfsa.states().all(|q| pfsa.final_weight(q) == back.final_weight(q)));
    }

    #[test]
    fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        read_all(&bytes);
        read_all(&[b"digraph{", &bytes[..], b"}"].concat());
    }

    #[test]
    fn anything_like_dot_is_answered(
        parts in proptest::collection::vec(
            prop_oneof![
                Just("__start0"), Just("s0"), Just("->"), Just("["), Just("]"), Just("label"),
                Just("shape"), Just("="), Just("\""), Just("\\"), Just("{"), Just("}"), Just(";"),
                Just("<"), Just(">"), Just("|"), Just(" : 1"), Just("\n"), Just("node"), Just("é"),
                Just("doublecircle"), Just(","), Just("/*"), Just("*/"), Just(":"), Just("+"),
                Just("s0 -> s0 [label=\"a|b : 2\"];"), Just("__start0 -> s0;"), Just(" "),
            ], 0..40),
    ) {
        read_all(format!("digraph {{ {} }}", parts.concat()).as_bytes());
    }

    #[test]
    fn anything_like_json_is_answered(
        kind in prop_oneof![
            Just("dfa"), Just("nfa"), Just("moore"), Just("mealy"), Just("pfsa")
        ],
        alphabet in proptest::collection::vec("[ab]", 0..3),
        states in proptest::collection::vec((0u8..4, any::<bool>(), -1.0f64..9.0), 0..4),
        transitions in proptest::collection::vec(
            (0u8..4, 0u8..4, proptest::option::of("[ab]"), proptest::option::of(-1.0f64..9.0)), 0..5),
    ) {
        let states: Vec<_> = states.into_iter().map(|(id, initial, weight)| serde_json::json!({
            "id": id, "initial": initial, "final_weight": weight, "output": "x",
        })).collect();
        let transitions: Vec<_> = transitions.into_iter().map(|(from, to, letter, weight)| {
            serde_json::json!({"from": from, "to": to, "letter": letter, "weight": weight})
        }).collect();
        let file = serde_json::json!({
            "kind": kind, "alphabet": alphabet, "states": states, "transitions": transitions,
        });
        read_all(file.to_string().as_bytes());
    }
}

/// Errors are written out, so that what makes their messages is tried too.
fn read_all(bytes: &[u8]) {
    let errors = [
        dot::read_dfa(bytes, Missing::Reject)
            .err()
            .map(|error| error.to_string()),
        dot::read_dfa(bytes, Missing::Refuse)
            .err()
            .map(|error| error.to_string()),
        dot::read_moore(bytes).err().map(|error| error.to_string()),
        dot::read_nfa(bytes).err().map(|error| error.to_string()),
        dot::read_pfsa(bytes).err().map(|error| error.to_string()),
        json::read(bytes).err().map(|error| error.to_string()),
    ];
    assert!(
        errors
            .iter()
            .flatten()
            .all(|message| message.starts_with("line "))
    );
}
