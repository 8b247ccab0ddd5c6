//! Reading DOT without being told what kind of automaton it is, and Mealy machines.
//!
//! A file is a Moore machine if every state has an output; a DFA if some state accepts
//! (`doublecircle`), or if every state says that it does not (`circle`) and no transition has an
//! output; a Mealy machine if every transition has an output. Whatever is none of these, or half of
//! one, is refused with the line that decides it: a model that was read as something else would be
//! learned without a complaint.

use super::dot::{DotError, DotProblem, Graph, Missing, at, weighted};
use super::dot_parser::{Edge, Node};
use crate::{Alphabet, Dfa, Mealy, Moore};
use std::borrow::Cow;

/// A deterministic automaton of whichever kind a DOT file holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DotAutomaton {
    Dfa(Dfa),
    Moore(Moore<String>),
    Mealy(Mealy<String>),
}

/// Reads a deterministic automaton of any kind.
///
/// ```
/// use idiolect_automata::formats::dot::{self, DotAutomaton, Missing};
/// let file = b"digraph { s0; __start0 -> s0; s0 -> s0 [label=\"coin / beep\"]; }";
/// let (DotAutomaton::Mealy(machine), alphabet) = dot::read(file, Missing::Reject).unwrap() else {
///     panic!()
/// };
/// let coin = alphabet.letter("coin").unwrap();
/// assert_eq!(machine.output_of(&[coin]).unwrap(), "beep");
/// ```
pub fn read(bytes: &[u8], missing: Missing) -> Result<(DotAutomaton, Alphabet), DotError> {
    let graph = Graph::read(bytes)?;
    graph.initial()?;
    Ok(match kind(&graph)? {
        Kind::Dfa => {
            let (dfa, alphabet) = graph.dfa(missing)?;
            (DotAutomaton::Dfa(dfa), alphabet)
        }
        Kind::Moore => {
            let (machine, alphabet) = graph.moore()?;
            (DotAutomaton::Moore(machine), alphabet)
        }
        Kind::Mealy => {
            let (machine, alphabet) = mealy(&graph)?;
            (DotAutomaton::Mealy(machine), alphabet)
        }
    })
}

/// Reads a Mealy machine, which has to be complete. Labels are `input/output` or `input / output`.
pub fn read_mealy(bytes: &[u8]) -> Result<(Mealy<String>, Alphabet), DotError> {
    mealy(&Graph::read(bytes)?)
}

enum Kind {
    Dfa,
    Moore,
    Mealy,
}

fn kind(graph: &Graph<'_>) -> Result<Kind, DotError> {
    if graph.states().all(|node| node.output().is_ok()) {
        return Ok(Kind::Moore);
    }
    for edge in graph.transitions() {
        let label = graph.label_of(edge)?;
        let label = if edge.output.is_some() { "" } else { label };
        let action = label.split_once(" / ").map(|(_, action)| action);
        let is_action = |action: &str| action.starts_with("push(") || action.starts_with("pop(");
        if action.is_some_and(is_action) || is_return(graph, label) {
            let label = label.to_owned();
            return Err(at(edge.line, DotProblem::Pushdown { label }));
        }
    }
    if graph.states().any(|node| node.accepting) {
        return Ok(Kind::Dfa);
    }
    let with_output = |edge: &&Edge<'_>| matches!(split(edge), Ok(Some(_)));
    if let Some(edge) = graph.transitions().find(with_output) {
        for edge in graph.transitions() {
            parts(graph, edge)?;
        }
        if graph.transitions().all(is_stochastic) {
            let label = graph.label_of(edge)?.to_owned();
            return Err(at(edge.line, DotProblem::Probabilistic { label }));
        }
        return Ok(Kind::Mealy);
    }
    // A label such as `a/b/c` is an output that cannot be told from its input.
    for edge in graph.transitions() {
        split(edge)?;
    }
    let weighted_edge = |edge: &Edge<'_>| edge.label.as_deref().is_some_and(is_probability);
    if let Some(edge) = graph.transitions().next()
        && graph.transitions().all(weighted_edge)
    {
        let label = graph.label_of(edge)?.to_owned();
        return Err(at(edge.line, DotProblem::Probabilistic { label }));
    }
    // Some state has an output, and another has none.
    if graph.states().any(|node| node.output().is_ok())
        && let Some(error) = graph.states().find_map(|node| node.output().err())
    {
        return Err(error);
    }
    let says_that_it_rejects = |node: &Node<'_>| node.shape.as_deref() == Some("circle");
    match graph.states().find(|node| !says_that_it_rejects(node)) {
        Some(node) => Err(at(node.line, DotProblem::UnknownKind)),
        None => Ok(Kind::Dfa),
    }
}

/// Whether a label is a return of a visibly pushdown automaton as LearnLib writes it, `letter/(state,symbol)`:
/// the state is the one that the call left.
fn is_return(graph: &Graph<'_>, label: &str) -> bool {
    let Some((_, stack)) = label.split_once("/(") else {
        return false;
    };
    let called = stack
        .strip_suffix(')')
        .and_then(|pair| pair.split_once(','));
    called.is_some_and(|(state, _)| {
        let is_state = |node: &Node<'_>| node.name == state || node.label == Some(state);
        graph.states().any(is_state)
    })
}

fn is_stochastic(edge: &Edge<'_>) -> bool {
    let plain = edge.output.is_none();
    plain && matches!(split(edge), Ok(Some((_, output))) if is_probability(&output))
}

/// Whether a label ends in `: p` with p between 0 and 1.
fn is_probability(label: &str) -> bool {
    weighted(label).is_some_and(|(_, weight)| weight <= 1.0)
}

/// Input and output of a transition.
type Parts<'e> = (Cow<'e, str>, Cow<'e, str>);

/// Input and output of a transition; `None` if it has no output.
fn split<'e>(edge: &'e Edge<'_>) -> Result<Option<Parts<'e>>, DotError> {
    let label = edge.label.as_deref().unwrap_or_default();
    if let Some(output) = edge.output.as_deref() {
        let input = label.strip_suffix(output);
        let input = input.and_then(|input| input.strip_suffix(" / "));
        return Ok(input.map(|input| (input.into(), output.into())));
    }
    let separator = ["\n", " / ", "/"]
        .into_iter()
        .find(|separator| label.contains(separator));
    let Some((input, output)) = separator.and_then(|separator| {
        let (input, output) = label.split_once(separator)?;
        Some((input, (!output.contains(separator)).then_some(output)))
    }) else {
        return Ok(None);
    };
    match output {
        Some(output) => Ok(Some((input.trim().into(), output.trim().into()))),
        None => {
            let label = label.to_owned();
            Err(at(edge.line, DotProblem::AmbiguousLabel { label }))
        }
    }
}

/// Input and output of a transition that must have both.
fn parts<'e>(
    graph: &Graph<'_>,
    edge: &'e Edge<'_>,
) -> Result<(Cow<'e, str>, Cow<'e, str>), DotError> {
    let label = graph.label_of(edge)?;
    split(edge)?.ok_or_else(|| {
        let label = label.to_owned();
        at(edge.line, DotProblem::NoTransitionOutput { label })
    })
}

fn mealy(graph: &Graph<'_>) -> Result<(Mealy<String>, Alphabet), DotError> {
    let (table, alphabet, initial) =
        graph.table(true, |edge| parts(graph, edge).map(|(input, _)| input))?;
    let k = alphabet.len();
    let mut outputs: Vec<Option<String>> = vec![None; table.len()];
    for edge in graph.transitions() {
        let (input, output) = parts(graph, edge)?;
        let (Some(from), Some(letter)) = (graph.state[edge.from], alphabet.letter(&input)) else {
            continue;
        };
        let slot = &mut outputs[from.index() * k + letter.index()];
        if slot.as_deref().is_some_and(|before| before != output) {
            let state = graph.nodes[edge.from].name.clone().into_owned();
            let letter = input.into_owned();
            return Err(at(
                edge.line,
                DotProblem::Nondeterministic { state, letter },
            ));
        }
        *slot = Some(output.into_owned());
    }
    // The table is complete, so both have no gaps.
    let delta = table.into_iter().flatten().collect();
    let outputs = outputs.into_iter().flatten().collect();
    let mut machine = Mealy::from_table(k, graph.n_states, delta, outputs);
    machine.set_initial(initial);
    Ok((machine, alphabet))
}
