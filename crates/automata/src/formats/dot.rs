//! DOT, the language of Graphviz, as LearnLib and AALpy use it for automata:
//!
//! ```text
//! digraph g {
//!     s0 [shape="circle" label="s0"];
//!     s1 [shape="doublecircle" label="s1"];
//!     s0 -> s1 [label="f"];
//!     __start0 [label="" shape="none"];
//!     __start0 -> s0;
//! }
//! ```
//!
//! * A node whose name begins with `__start`, or one of shape `none` or `point` that no edge
//!   enters, is no state; its edges go to the initial states.
//! * `doublecircle` accepts.
//! * A Mealy machine's transition is `input / output` (LearnLib) or `input/output` (AALpy); an
//!   attribute `output` says where the output begins in labels with several slashes.
//! * A Moore state's label is `state|output` (AALpy, also in braces) or `state / output`
//!   (LearnLib).
//! * Weights of a probabilistic automaton follow a colon: an edge is `letter : weight`, and a
//!   state where words may end is `state : weight`.
//! * An edge has one letter; several letters between the same states are several edges. For NFA,
//!   an edge with an empty label or none is a λ-move.
//!
//! States are numbered, and letters listed, in the order in which the file first names them.
//! Subgraphs are refused. Attributes that say nothing about the automaton are ignored.

pub use super::dot_mealy::{DotAutomaton, read, read_mealy};
pub use super::dot_write::{
    write_colored, write_dfa, write_mealy, write_moore, write_nfa, write_pfsa, write_trimmed,
};

use super::dot_lexer::{label, split_raw};
use super::dot_parser::{Edge, Node, parse};
use super::{Help, ReadError, text};
use crate::pfsa::is_weight;
use crate::{Alphabet, Dfa, Letter, Moore, Nfa, Pfsa, StateId};
use std::borrow::Cow;

/// What is wrong with a DOT file.
pub type DotError = ReadError<DotProblem>;

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DotProblem {
    #[error("the file is not UTF-8 from here on")]
    Encoding,
    #[error("`{sign}` means nothing in DOT outside of quotes")]
    Character { sign: char },
    #[error("this {what} is not closed")]
    Unclosed { what: &'static str },
    #[error("expected {expected}, found {found}")]
    Syntax {
        expected: &'static str,
        found: String,
    },
    #[error("subgraphs are not part of an automaton")]
    Subgraph,
    #[error("the graph is undirected")]
    UndirectedGraph,
    #[error("`{shape}` is not a shape of a state")]
    UnknownShape { shape: String },
    #[error("no initial state is marked")]
    NoInitial,
    #[error("`{first}` and `{second}` are both initial")]
    TwoInitial { first: String, second: String },
    #[error("an edge leads to the start marker `{marker}`")]
    EdgeToMarker { marker: String },
    #[error("the edge from `{from}` has no label")]
    NoLabel { from: String },
    #[error("`{state}` has two transitions for `{letter}`")]
    Nondeterministic { state: String, letter: String },
    #[error("`{state}` has no transition for `{letter}`")]
    MissingTransition { state: String, letter: String },
    #[error("the state `{state}` has no output")]
    NoOutput { state: String },
    #[error("the transition `{label}` has no output, and others have one")]
    NoTransitionOutput { label: String },
    #[error("it is not clear where the output begins in `{label}`")]
    AmbiguousLabel { label: String },
    #[error("no state accepts, and neither states nor transitions have an output")]
    UnknownKind,
    #[error("`{label}` is a transition of a pushdown automaton")]
    Pushdown { label: String },
    #[error("`{label}` is a transition with a probability")]
    Probabilistic { label: String },
    #[error("`{label}` does not end in a weight")]
    NoWeight { label: String },
    #[error("a table of {n_states} states and {n_letters} letters is too large")]
    TooLarge { n_states: usize, n_letters: usize },
}

impl Help for DotProblem {
    fn help(&self) -> &'static str {
        match self {
            Self::Encoding => "save the file as UTF-8",
            Self::Character { .. } => "put names and labels in double quotes",
            Self::Unclosed { .. } => "close it; a quote within a string is written \\\"",
            Self::Syntax { .. } => {
                "an automaton is `digraph g { s0 [shape=\"circle\"]; s0 -> s1 [label=\"a\"]; }`"
            }
            Self::Subgraph => "write the nodes and edges of the subgraph at the top level",
            Self::UndirectedGraph => "write `digraph` and `->`",
            Self::UnknownShape { .. } => {
                "use \"circle\", or \"doublecircle\" for a state that accepts"
            }
            Self::NoInitial => {
                "mark the initial state: `__start0 [label=\"\" shape=\"none\"]; __start0 -> s0;`"
            }
            Self::TwoInitial { .. } => {
                "a deterministic automaton starts in one state; remove the other edge from the start marker"
            }
            Self::EdgeToMarker { .. } => "give the state a name that does not begin with `__start`",
            Self::NoLabel { .. } => "write the letter as `[label=\"a\"]`",
            Self::Nondeterministic { .. } => {
                "remove one of them, or read the file as a nondeterministic automaton"
            }
            Self::MissingTransition { .. } => {
                "add the transition; only a DFA may leave some out, which then reject"
            }
            Self::NoOutput { .. } => "write the label of a Moore state as \"state|output\"",
            Self::NoTransitionOutput { .. } => {
                "write every transition of a Mealy machine as \"input/output\""
            }
            Self::AmbiguousLabel { .. } => {
                "write \"input / output\" with one slash between spaces, or add the attribute output=\"…\""
            }
            Self::UnknownKind => {
                "mark accepting states of a DFA with shape=\"doublecircle\" (or all others with shape=\"circle\"), label Moore states \"state|output\", or Mealy transitions \"input/output\""
            }
            Self::Pushdown { .. } => "only DFA, Moore and Mealy machines can be read here",
            Self::Probabilistic { .. } => {
                "only deterministic automata can be read here: DFA, Moore and Mealy machines"
            }
            Self::NoWeight { .. } => "write labels as \"letter : 12\"; weights are not negative",
            Self::TooLarge { .. } => {
                "read it as a nondeterministic automaton, which needs no table"
            }
        }
    }
}

/// What a missing transition means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Missing {
    /// The word is rejected: a sink is added if one is needed.
    #[default]
    Reject,
    /// The file is refused.
    Refuse,
}

/// Tables beyond this many transitions (1 GiB) are refused: a short file can ask for a table of
/// quadratic size.
const MAX_TABLE: usize = 1 << 28;

/// Reads a DFA.
///
/// ```
/// use idiolect_automata::formats::dot::{self, Missing};
/// let file = b"digraph { s0; s1 [shape=doublecircle]; s0 -> s1 [label=f]; __start0 -> s0 }";
/// let (dfa, alphabet) = dot::read_dfa(file, Missing::Reject).unwrap();
/// assert!(dfa.accepts(&alphabet.word(["f"]).unwrap()));
/// let error = dot::read_dfa(file, Missing::Refuse).unwrap_err();
/// assert_eq!(error.to_string(), "line 1: `s1` has no transition for `f`");
/// ```
pub fn read_dfa(bytes: &[u8], missing: Missing) -> Result<(Dfa, Alphabet), DotError> {
    Graph::read(bytes)?.dfa(missing)
}

/// Reads a Moore machine, which has to be complete.
pub fn read_moore(bytes: &[u8]) -> Result<(Moore<String>, Alphabet), DotError> {
    Graph::read(bytes)?.moore()
}

/// Reads an NFA.
pub fn read_nfa(bytes: &[u8]) -> Result<(Nfa, Alphabet), DotError> {
    let graph = Graph::read(bytes)?;
    let mut alphabet = Alphabet::default();
    let mut transitions = Vec::with_capacity(graph.edges.len());
    let mut initial = Vec::new();
    for edge in &graph.edges {
        let to = graph.target(edge)?;
        match graph.state[edge.from] {
            None => initial.push(to),
            Some(from) => {
                let name = edge.label.as_deref().filter(|name| !name.is_empty());
                transitions.push((from, name.map(|name| alphabet.intern(name)), to));
            }
        }
    }
    let mut nfa = Nfa::new(alphabet.len());
    for node in graph.states() {
        nfa.add_state(node.accepting);
    }
    initial.sort_unstable();
    for q in initial {
        nfa.add_initial(q);
    }
    nfa.add_transitions(transitions);
    Ok((nfa, alphabet))
}

/// Reads a probabilistic automaton.
pub fn read_pfsa(bytes: &[u8]) -> Result<(Pfsa, Alphabet), DotError> {
    let graph = Graph::read(bytes)?;
    let initial = graph.initial()?;
    let mut alphabet = Alphabet::default();
    let mut transitions = Vec::new();
    for edge in &graph.edges {
        let to = graph.target(edge)?;
        if let Some(from) = graph.state[edge.from] {
            let name = graph.label_of(edge)?;
            let Some((letter, weight)) = weighted(name) else {
                let label = name.to_owned();
                return Err(at(edge.line, DotProblem::NoWeight { label }));
            };
            transitions.push((from, alphabet.intern(letter), to, weight));
        }
    }
    // In order, each is added at the end of its list.
    transitions.sort_by_key(|&(from, letter, to, _)| (from, letter, to));
    let mut pfsa = Pfsa::new(alphabet.len());
    for node in graph.states() {
        let shown = node.label.map(label);
        let weight = shown
            .as_deref()
            .and_then(weighted)
            .map(|(_, weight)| weight);
        pfsa.add_state(weight.unwrap_or(0.0));
    }
    for (from, letter, to, weight) in transitions {
        pfsa.add_transition(from, letter, to, weight);
    }
    pfsa.set_initial(initial);
    Ok((pfsa, alphabet))
}

/// The parts of `name : weight`.
pub(super) fn weighted(text: &str) -> Option<(&str, f64)> {
    let (name, weight) = text.rsplit_once(':')?;
    let weight: f64 = weight.trim().parse().ok()?;
    is_weight(weight).then(|| (name.strip_suffix(' ').unwrap_or(name), weight))
}

pub(super) fn at(line: usize, problem: DotProblem) -> DotError {
    ReadError { line, problem }
}

/// The graph of a file, of whichever kind of automaton.
pub(super) struct Graph<'a> {
    pub(super) nodes: Vec<Node<'a>>,
    edges: Vec<Edge<'a>>,
    /// The states among the nodes; the others are start markers.
    pub(super) state: Vec<Option<StateId>>,
    pub(super) n_states: usize,
}

impl<'a> Graph<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, DotError> {
        let text = text(bytes).map_err(|line| at(line, DotProblem::Encoding))?;
        let (mut nodes, edges) = parse(text)?;
        let mut entered = vec![false; nodes.len()];
        for edge in &edges {
            entered[edge.to] = true;
        }
        let mut state = Vec::with_capacity(nodes.len());
        let mut n_states = 0;
        for (node, entered) in nodes.iter_mut().zip(entered) {
            let shape = node.shape.as_deref().unwrap_or("ellipse");
            let is_marker =
                node.name.starts_with("__start") || (!entered && matches!(shape, "none" | "point"));
            if is_marker {
                state.push(None);
                continue;
            }
            node.accepting = match shape {
                "doublecircle" => true,
                "circle" | "ellipse" | "oval" | "box" | "rect" | "rectangle" | "square"
                | "record" | "Mrecord" | "plaintext" | "plain" | "none" | "point" => false,
                _ => {
                    let shape = node.shape.as_deref().unwrap_or_default().to_owned();
                    return Err(at(node.line, DotProblem::UnknownShape { shape }));
                }
            };
            state.push(Some(StateId::new(n_states)));
            n_states += 1;
        }
        Ok(Self {
            nodes,
            edges,
            state,
            n_states,
        })
    }

    pub(super) fn dfa(&self, missing: Missing) -> Result<(Dfa, Alphabet), DotError> {
        let mut outputs: Vec<bool> = self.states().map(|node| node.accepting).collect();
        let (table, alphabet, initial) =
            self.table(missing == Missing::Refuse, |edge| self.name_of(edge))?;
        let k = alphabet.len();
        let sink = StateId::new(outputs.len());
        let mut delta: Vec<StateId> = table.into_iter().map(|to| to.unwrap_or(sink)).collect();
        if delta.contains(&sink) {
            outputs.push(false);
            delta.extend(std::iter::repeat_n(sink, k));
        }
        let mut dfa = Dfa::from_table(k, outputs, delta);
        dfa.set_initial(initial);
        Ok((dfa, alphabet))
    }

    pub(super) fn moore(&self) -> Result<(Moore<String>, Alphabet), DotError> {
        let outputs: Vec<String> = self.states().map(Node::output).collect::<Result<_, _>>()?;
        let (table, alphabet, initial) = self.table(true, |edge| self.name_of(edge))?;
        let delta = table.into_iter().flatten().collect();
        let mut machine = Moore::from_table(alphabet.len(), outputs, delta);
        machine.set_initial(initial);
        Ok((machine, alphabet))
    }

    /// The nodes that are states, in order.
    pub(super) fn states(&self) -> impl Iterator<Item = &Node<'a>> {
        (self.nodes.iter().zip(&self.state)).filter_map(|(node, state)| state.map(|_| node))
    }

    /// The edges between states, without those of start markers.
    pub(super) fn transitions(&self) -> impl Iterator<Item = &Edge<'a>> {
        let edges = self.edges.iter();
        edges.filter(|edge| self.state[edge.from].is_some())
    }

    fn target(&self, edge: &Edge<'_>) -> Result<StateId, DotError> {
        self.state[edge.to].ok_or_else(|| {
            let marker = self.nodes[edge.to].name.clone().into_owned();
            at(edge.line, DotProblem::EdgeToMarker { marker })
        })
    }

    /// The whole label as the name of the letter.
    fn name_of<'e>(&self, edge: &'e Edge<'_>) -> Result<Cow<'e, str>, DotError> {
        self.label_of(edge).map(Cow::Borrowed)
    }

    pub(super) fn label_of<'e>(&self, edge: &'e Edge<'_>) -> Result<&'e str, DotError> {
        edge.label.as_deref().ok_or_else(|| {
            let from = self.nodes[edge.from].name.clone().into_owned();
            at(edge.line, DotProblem::NoLabel { from })
        })
    }

    /// The one initial state.
    pub(super) fn initial(&self) -> Result<StateId, DotError> {
        let mut initial: Option<&Edge<'_>> = None;
        for edge in self
            .edges
            .iter()
            .filter(|edge| self.state[edge.from].is_none())
        {
            self.target(edge)?;
            match initial {
                Some(first) if first.to != edge.to => {
                    let name = |edge: &Edge<'_>| self.nodes[edge.to].name.clone().into_owned();
                    let (first, second) = (name(first), name(edge));
                    return Err(at(edge.line, DotProblem::TwoInitial { first, second }));
                }
                _ => initial = Some(edge),
            }
        }
        match initial {
            Some(edge) => self.target(edge),
            None => Err(at(1, DotProblem::NoInitial)),
        }
    }

    /// The transition table of a deterministic automaton, its alphabet and its initial state.
    pub(super) fn table<'e>(
        &'e self,
        complete: bool,
        name: impl Fn(&'e Edge<'a>) -> Result<Cow<'e, str>, DotError>,
    ) -> Result<Table, DotError> {
        let initial = self.initial()?;
        let mut alphabet = Alphabet::default();
        let mut letters = Vec::with_capacity(self.edges.len());
        for edge in &self.edges {
            letters.push(match self.state[edge.from] {
                Some(_) => Some(alphabet.intern(&name(edge)?)),
                None => None,
            });
        }
        let (n_states, n_letters) = (self.n_states, alphabet.len());
        if n_states.saturating_mul(n_letters) > MAX_TABLE {
            return Err(at(
                1,
                DotProblem::TooLarge {
                    n_states,
                    n_letters,
                },
            ));
        }
        let mut table: Vec<Option<StateId>> = vec![None; n_states * n_letters];
        for (edge, letter) in self.edges.iter().zip(letters) {
            let to = self.target(edge)?;
            let (Some(from), Some(letter)) = (self.state[edge.from], letter) else {
                continue;
            };
            let slot = &mut table[from.index() * n_letters + letter.index()];
            if slot.is_some_and(|before| before != to) {
                let state = self.nodes[edge.from].name.clone().into_owned();
                let letter = alphabet.name(letter).to_owned();
                return Err(at(
                    edge.line,
                    DotProblem::Nondeterministic { state, letter },
                ));
            }
            *slot = Some(to);
        }
        let gap = table.iter().position(Option::is_none).filter(|_| complete);
        if let Some(gap) = gap
            && let Some(node) = self.states().nth(gap / n_letters)
        {
            let state = node.name.clone().into_owned();
            let letter = alphabet.name(Letter::new(gap % n_letters)).to_owned();
            return Err(at(
                node.line,
                DotProblem::MissingTransition { state, letter },
            ));
        }
        Ok((table, alphabet, initial))
    }
}

pub(super) type Table = (Vec<Option<StateId>>, Alphabet, StateId);

impl Node<'_> {
    /// The output in a label `state|output`, `{ state | output }` or `state / output`.
    pub(super) fn output(&self) -> Result<String, DotError> {
        let raw = self.label.unwrap_or_default();
        let inner = (raw.trim().strip_prefix('{')).and_then(|raw| raw.strip_suffix('}'));
        let parts = split_raw(inner.unwrap_or(raw), '|').or_else(|| raw.split_once(" / "));
        let Some((_, output)) = parts else {
            let state = self.name.clone().into_owned();
            return Err(at(self.line, DotProblem::NoOutput { state }));
        };
        // In braces, spaces are layout.
        let output = if inner.is_some() {
            output.trim()
        } else {
            output
        };
        Ok(label(output).into_owned())
    }
}
