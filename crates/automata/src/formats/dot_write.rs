//! Writing DOT. Every name and label is quoted and escaped.

use super::dot::weighted;
use crate::{Alphabet, Dfa, Letter, Marks, Mealy, Moore, Nfa, Pfsa, StateId, Trimmed};
use std::fmt::{Display, Write};

/// A complete DFA, with its sink if it has one, as LearnLib writes and AALpy reads it.
///
/// ```
/// use idiolect_automata::{Alphabet, Dfa, formats::dot};
/// let dfa = Dfa::from_fn(1, &[false, true], |q, _| 1 - q);
/// let text = dot::write_dfa(&dfa, &Alphabet::new(["tick"]));
/// assert!(text.contains(r#"s1 [shape="doublecircle" label="s1"];"#));
/// assert!(text.contains(r#"s0 -> s1 [label="tick"];"#));
/// ```
pub fn write_dfa(dfa: &Dfa, alphabet: &Alphabet) -> String {
    let mut out = Writer::new();
    for q in dfa.states() {
        out.state(q, shape(dfa.is_accepting(q)), "", "");
    }
    out.text.push('\n');
    for q in dfa.states() {
        for a in dfa.letters() {
            out.edge(q, dfa.step(q, a), alphabet.name(a), "", "");
        }
    }
    out.finish([dfa.initial()])
}

/// A DFA without its sink, and with the marks of an explanation: doomed states are filled,
/// dominating letters bold.
pub fn write_trimmed(dfa: &Trimmed, alphabet: &Alphabet, marks: Option<&Marks>) -> String {
    write_colored(dfa, alphabet, marks, |_, _| None)
}

/// The same with edges the redder, the larger their share of something, between 0 and 1.
pub fn write_colored(
    dfa: &Trimmed,
    alphabet: &Alphabet,
    marks: Option<&Marks>,
    share: impl Fn(StateId, Letter) -> Option<f64>,
) -> String {
    let mut out = Writer::new();
    for q in dfa.states() {
        let doomed = marks.is_some_and(|marks| marks.doomed[q.index()]);
        let style = if doomed {
            r#" style="filled" fillcolor="lightgray""#
        } else {
            ""
        };
        out.state(q, shape(dfa.is_accepting(q)), "", style);
    }
    out.text.push('\n');
    for (from, a, to) in dfa.edges() {
        let dominating = marks.is_some_and(|marks| marks.dominating[a.index()]);
        let mut style = if dominating { r#" style="bold""# } else { "" }.to_owned();
        if let Some(share) = share(from, a) {
            // Hue, saturation, value: from black to red.
            style += &format!(r#" color="0.000 1.000 {share:.3}""#);
        }
        out.edge(from, to, alphabet.name(a), "", &style);
    }
    out.finish([dfa.initial()])
}

/// A Moore machine; the labels of its states are `state|output`.
pub fn write_moore<O: Display>(machine: &Moore<O>, alphabet: &Alphabet) -> String {
    let mut out = Writer::new();
    for q in machine.states() {
        let output = format!("|{}", record_escaped(&machine.output(q).to_string()));
        out.state(q, "record", &output, r#" style="rounded""#);
    }
    out.text.push('\n');
    for q in machine.states() {
        for a in machine.letters() {
            out.edge(q, machine.step(q, a), alphabet.name(a), "", "");
        }
    }
    out.finish([machine.initial()])
}

/// A Mealy machine; the labels of its transitions are `input / output`. Where that could be read in
/// two ways, an attribute `output` has the output once more.
///
/// ```
/// use idiolect_automata::{Alphabet, Mealy, formats::dot};
/// let machine = Mealy::from_fn(1, 1, |_, _| (0, "beep"));
/// let text = dot::write_mealy(&machine, &Alphabet::new(["coin"]));
/// assert!(text.contains(r#"s0 -> s0 [label="coin / beep"];"#));
/// ```
pub fn write_mealy<O: Display>(machine: &Mealy<O>, alphabet: &Alphabet) -> String {
    let mut out = Writer::new();
    for q in machine.states() {
        out.state(q, "circle", "", "");
    }
    out.text.push('\n');
    for q in machine.states() {
        for a in machine.letters() {
            let (input, output) = (alphabet.name(a), machine.output(q, a).to_string());
            let is_plain = |name: &str| {
                let slash = name.contains(" / ") || name.ends_with(" /") || name.starts_with("/ ");
                name.trim() == name && !slash && !name.contains('\n')
            };
            let stack = output.starts_with("push(") || output.starts_with("pop(");
            let other_kind = stack || weighted(&output).is_some();
            let style = if is_plain(input) && is_plain(&output) && !other_kind {
                String::new()
            } else {
                format!(" output=\"{}\"", escaped(&output))
            };
            let ending = format!(" / {}", escaped(&output));
            out.edge(q, machine.step(q, a), input, &ending, &style);
        }
    }
    out.finish([machine.initial()])
}

/// An NFA; λ-moves are dashed and have no label.
pub fn write_nfa(nfa: &Nfa, alphabet: &Alphabet) -> String {
    let mut out = Writer::new();
    for q in nfa.states() {
        out.state(q, shape(nfa.is_accepting(q)), "", "");
    }
    out.text.push('\n');
    for (from, letter, to) in nfa.transitions() {
        let name = |a: Letter| alphabet.name(a);
        let style = if letter.is_some() {
            ""
        } else {
            r#" style="dashed""#
        };
        out.edge(from, to, letter.map_or("", name), "", style);
    }
    out.finish(nfa.initial().iter().copied())
}

/// A probabilistic automaton; weights follow a colon.
pub fn write_pfsa(pfsa: &Pfsa, alphabet: &Alphabet) -> String {
    let mut out = Writer::new();
    for q in pfsa.states() {
        let weight = pfsa.final_weight(q);
        let ending = if weight > 0.0 {
            format!(" : {weight}")
        } else {
            String::new()
        };
        out.state(q, shape(weight > 0.0), &ending, "");
    }
    out.text.push('\n');
    for (from, edge) in pfsa.transitions() {
        let weight = format!(" : {}", edge.weight);
        out.edge(from, edge.to, alphabet.name(edge.letter), &weight, "");
    }
    out.finish((pfsa.n_states() > 0).then(|| pfsa.initial()))
}

fn shape(accepting: bool) -> &'static str {
    if accepting { "doublecircle" } else { "circle" }
}

struct Writer {
    text: String,
}

impl Writer {
    fn new() -> Self {
        Self {
            text: "digraph g {\n\n".to_owned(),
        }
    }

    /// `ending` is part of the label and has its escapes already.
    fn state(&mut self, q: StateId, shape: &str, ending: &str, style: &str) {
        let q = q.0;
        self.line(format_args!(
            "s{q} [shape=\"{shape}\" label=\"s{q}{ending}\"{style}];"
        ));
    }

    fn edge(&mut self, from: StateId, to: StateId, name: &str, ending: &str, style: &str) {
        let label = escaped(name);
        let (from, to) = (from.0, to.0);
        self.line(format_args!(
            "s{from} -> s{to} [label=\"{label}{ending}\"{style}];"
        ));
    }

    fn finish(mut self, initial: impl IntoIterator<Item = StateId>) -> String {
        for (i, q) in initial.into_iter().enumerate() {
            self.text.push('\n');
            self.line(format_args!(
                "__start{i} [label=\"\" shape=\"none\" width=\"0\" height=\"0\"];"
            ));
            self.line(format_args!("__start{i} -> s{};", q.0));
        }
        self.text.push_str("\n}\n");
        self.text
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "\t{line}");
    }
}

fn escaped(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.contains(['"', '\\', '\n']) {
        return text.into();
    }
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    text.replace('\n', "\\n").into()
}

/// In a record, signs that structure it are escaped too.
fn record_escaped(text: &str) -> String {
    let mut out = String::new();
    for c in escaped(text).chars() {
        if matches!(c, '|' | '{' | '}' | '<' | '>') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
