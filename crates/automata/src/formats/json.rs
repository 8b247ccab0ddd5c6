//! Our own form, for programs that read results:
//!
//! ```json
//! {"kind": "dfa", "alphabet": ["g", "f", "assert"],
//!  "states": [{"id": 0, "initial": true, "accepting": false, "doomed": false}],
//!  "transitions": [{"from": 0, "to": 0, "letter": "g", "dominating": false}]}
//! ```
//!
//! `kind` is `dfa`, `nfa`, `moore` (states have an `output`), `mealy` (transitions have one) or `pfsa` (transitions have a
//! `weight`, and a `heat` if one was computed; states a `final_weight`). DFAs are written without
//! their rejecting sink: a missing transition rejects. The `letter` of a λ-move is `null`.
//!
//! [`JsonAutomaton`] implements serde's traits, so that it can be part of larger values; [`read`]
//! reads a whole file and knows its lines.

pub use super::json_pieces::JsonPieces;
use super::{Help, ReadError, line_of, text};
use crate::pfsa::is_weight;
use crate::{Alphabet, Dfa, Letter, Marks, Mealy, Moore, Nfa, Pfsa, StateId, Trimmed};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fmt::Display;

/// An automaton as it is in a file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JsonAutomaton {
    pub kind: Kind,
    pub alphabet: Vec<String>,
    pub states: Vec<JsonState>,
    pub transitions: Vec<JsonTransition>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Dfa,
    Nfa,
    Moore,
    Mealy,
    Pfsa,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct JsonState {
    pub id: u64,
    #[serde(default)]
    pub initial: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepting: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doomed: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "number"
    )]
    pub final_weight: Option<f64>,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct JsonTransition {
    pub from: u64,
    pub to: u64,
    /// `None` is a λ-move.
    pub letter: Option<String>,
    /// Of a Mealy machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dominating: Option<bool>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "number"
    )]
    pub weight: Option<f64>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "number"
    )]
    pub heat: Option<f64>,
    /// The share of the statements on this edge's runs that are relevant for the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relevance: Option<f64>,
}

/// Counts are written as `3`, not `3.0`.
fn number<S: serde::Serializer>(number: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
    match *number {
        Some(whole) if whole.fract() == 0.0 && whole.abs() < 9e15 => to.serialize_i64(whole as i64),
        Some(other) => to.serialize_f64(other),
        None => to.serialize_none(),
    }
}

/// An automaton of whichever kind a file holds.
#[derive(Clone, PartialEq, Debug)]
pub enum Automaton {
    Dfa(Dfa),
    Nfa(Nfa),
    Moore(Moore<String>),
    Mealy(Mealy<String>),
    Pfsa(Pfsa),
}

/// What is wrong with a JSON automaton, and where.
pub type JsonError = ReadError<JsonProblem>;

/// A part of a JSON automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Whole,
    /// By position in the list.
    State(usize),
    Transition(usize),
}

impl Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole => f.write_str("the automaton"),
            Self::State(i) => write!(f, "states[{i}]"),
            Self::Transition(i) => write!(f, "transitions[{i}]"),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum JsonProblem {
    #[error("the file is not UTF-8 from here on")]
    Encoding,
    #[error("{message}")]
    Syntax { message: String },
    #[error("{part}: the id {id} is used twice")]
    DuplicateId { part: Part, id: u64 },
    #[error("the alphabet has the letter `{letter}` twice")]
    DuplicateLetter { letter: String },
    #[error("{part}: there is no state {id}")]
    UnknownState { part: Part, id: u64 },
    #[error("{part}: `{letter}` is not in the alphabet")]
    UnknownLetter { part: Part, letter: String },
    #[error("{part}: only an NFA may have transitions without a letter")]
    NoLetter { part: Part },
    #[error("no state is initial")]
    NoInitial,
    #[error("{part}: there is an initial state already")]
    TwoInitial { part: Part },
    #[error("{part}: the state has another transition for `{letter}`")]
    Nondeterministic { part: Part, letter: String },
    #[error("{part}: the state has no transition for `{letter}`")]
    MissingTransition { part: Part, letter: String },
    #[error("{part}: no output")]
    NoOutput { part: Part },
    #[error("{part}: no weight, or a negative one")]
    NoWeight { part: Part },
    #[error("a table of {n_states} states and {n_letters} letters is too large")]
    TooLarge { n_states: usize, n_letters: usize },
    #[error("expected an automaton of kind {expected:?}, found {found:?}")]
    WrongKind { expected: Kind, found: Kind },
}

impl JsonProblem {
    fn part(&self) -> Part {
        match self {
            Self::DuplicateId { part, .. }
            | Self::UnknownState { part, .. }
            | Self::UnknownLetter { part, .. }
            | Self::NoLetter { part }
            | Self::TwoInitial { part }
            | Self::Nondeterministic { part, .. }
            | Self::MissingTransition { part, .. }
            | Self::NoOutput { part }
            | Self::NoWeight { part } => *part,
            _ => Part::Whole,
        }
    }
}

impl Help for JsonProblem {
    fn help(&self) -> &'static str {
        match self {
            Self::Encoding => "save the file as UTF-8",
            Self::Syntax { .. } => {
                "an automaton has \"kind\", \"alphabet\", \"states\" and \"transitions\""
            }
            Self::DuplicateId { .. } => "give every state its own id",
            Self::DuplicateLetter { .. } => "name every letter once",
            Self::UnknownState { .. } => "use the id of one of the states",
            Self::UnknownLetter { .. } => "add the letter to \"alphabet\"",
            Self::NoLetter { .. } => "add a letter, or set \"kind\" to \"nfa\"",
            Self::NoInitial => "set \"initial\" to true for one state",
            Self::TwoInitial { .. } => "only an NFA may have several initial states",
            Self::Nondeterministic { .. } => "remove one of the two, or set \"kind\" to \"nfa\"",
            Self::MissingTransition { .. } => {
                "Moore and Mealy machines have one for each state and letter"
            }
            Self::NoOutput { .. } => {
                "states of a Moore machine and transitions of a Mealy machine have an \"output\""
            }
            Self::NoWeight { .. } => "transitions of a pfsa have a \"weight\" that is not negative",
            Self::TooLarge { .. } => "set \"kind\" to \"nfa\", which needs no table",
            Self::WrongKind { .. } => "use a file with an automaton of the expected kind",
        }
    }
}

/// See [`super::dot`]: a short file must not ask for a table of any size.
const MAX_TABLE: usize = 1 << 28;

/// Reads a file with one automaton.
///
/// ```
/// use idiolect_automata::formats::json::{self, Automaton};
/// let file = br#"{"kind": "dfa", "alphabet": ["f"], "transitions": [],
///   "states": [{"id": 7, "initial": true, "accepting": true}]}"#;
/// let Ok((Automaton::Dfa(dfa), _)) = json::read(file) else { panic!() };
/// assert_eq!(dfa.n_states(), 2); // There is a sink for the missing transition.
/// ```
pub fn read(bytes: &[u8]) -> Result<(Automaton, Alphabet), JsonError> {
    let text = text(bytes).map_err(|line| ReadError {
        line,
        problem: JsonProblem::Encoding,
    })?;
    let automaton: JsonAutomaton = serde_json::from_str(text).map_err(|error| ReadError {
        line: error.line().max(1),
        problem: JsonProblem::Syntax {
            message: error.to_string(),
        },
    })?;
    automaton.build().map_err(|problem| ReadError {
        line: line_of_part(text, problem.part()),
        problem,
    })
}

/// Positions are not kept while reading; for an error message the file is read once more.
fn line_of_part(text: &str, part: Part) -> usize {
    #[derive(Deserialize)]
    struct Raw<'a> {
        #[serde(borrow)]
        states: Vec<&'a serde_json::value::RawValue>,
        #[serde(borrow)]
        transitions: Vec<&'a serde_json::value::RawValue>,
    }
    let Ok(raw) = serde_json::from_str::<Raw<'_>>(text) else {
        return 1;
    };
    let value = match part {
        Part::Whole => None,
        Part::State(i) => raw.states.get(i),
        Part::Transition(i) => raw.transitions.get(i),
    };
    value.map_or(1, |value| {
        let position = value.get().as_ptr() as usize - text.as_ptr() as usize;
        line_of(text.as_bytes(), position)
    })
}

impl JsonAutomaton {
    /// A DFA as people see it: without its sink and other states that lead nowhere.
    pub fn from_dfa(dfa: &Dfa, alphabet: &Alphabet) -> Self {
        Self::from_trimmed(&dfa.trim(), alphabet, None)
    }

    /// A trimmed DFA, with the marks of an explanation if there are any.
    pub fn from_trimmed(dfa: &Trimmed, alphabet: &Alphabet, marks: Option<&Marks>) -> Self {
        let states = dfa.states().map(|q| JsonState {
            accepting: Some(dfa.is_accepting(q)),
            doomed: marks.map(|marks| marks.doomed[q.index()]),
            ..state(q, q == dfa.initial())
        });
        let transitions = dfa.edges().map(|(from, a, to)| JsonTransition {
            dominating: marks.map(|marks| marks.dominating[a.index()]),
            ..transition(from, Some(a), to, alphabet)
        });
        Self::new(Kind::Dfa, alphabet, states, transitions)
    }

    /// A DFA with all its states and transitions.
    pub fn from_complete_dfa(dfa: &Dfa, alphabet: &Alphabet) -> Self {
        JsonPieces::of_complete_dfa(dfa, alphabet).collect()
    }

    pub fn from_moore<O: Display>(machine: &Moore<O>, alphabet: &Alphabet) -> Self {
        JsonPieces::of_moore(machine, alphabet).collect()
    }

    pub fn from_mealy<O: Display>(machine: &Mealy<O>, alphabet: &Alphabet) -> Self {
        JsonPieces::of_mealy(machine, alphabet).collect()
    }

    pub fn from_nfa(nfa: &Nfa, alphabet: &Alphabet) -> Self {
        let states = nfa.states().map(|q| JsonState {
            accepting: Some(nfa.is_accepting(q)),
            ..state(q, nfa.initial().binary_search(&q).is_ok())
        });
        let transitions =
            (nfa.transitions()).map(|(from, a, to)| transition(from, a, to, alphabet));
        Self::new(Kind::Nfa, alphabet, states, transitions)
    }

    /// A probabilistic automaton; `heat` has one number for each transition, in their order.
    pub fn from_pfsa(pfsa: &Pfsa, alphabet: &Alphabet, heat: Option<&[f64]>) -> Self {
        JsonPieces::of_pfsa(pfsa, alphabet, heat).collect()
    }

    fn new(
        kind: Kind,
        alphabet: &Alphabet,
        states: impl Iterator<Item = JsonState>,
        transitions: impl Iterator<Item = JsonTransition>,
    ) -> Self {
        Self {
            kind,
            alphabet: alphabet.names().to_vec(),
            states: states.collect(),
            transitions: transitions.collect(),
        }
    }

    /// The file as text, a state or transition a line.
    pub fn write(&self) -> String {
        fn line<T: Serialize>(item: &T) -> String {
            // Only maps with odd keys and failing writers make this an error.
            serde_json::to_string(item).unwrap_or_default()
        }
        fn list<T: Serialize>(items: &[T]) -> String {
            let lines: Vec<String> = items
                .iter()
                .map(|item| format!("\n  {}", line(item)))
                .collect();
            lines.join(",")
        }
        format!(
            "{{\"kind\":{},\"alphabet\":{},\n \"states\":[{}],\n \"transitions\":[{}]}}\n",
            line(&self.kind),
            line(&self.alphabet),
            list(&self.states),
            list(&self.transitions),
        )
    }

    /// The automaton that this describes, states numbered in the order of the list.
    pub fn build(&self) -> Result<(Automaton, Alphabet), JsonProblem> {
        let parts = Parts::new(self)?;
        let automaton = match self.kind {
            Kind::Dfa => Automaton::Dfa(parts.dfa()?),
            Kind::Nfa => Automaton::Nfa(parts.nfa()?),
            Kind::Moore => Automaton::Moore(parts.moore()?),
            Kind::Mealy => Automaton::Mealy(parts.mealy()?),
            Kind::Pfsa => Automaton::Pfsa(parts.pfsa()?),
        };
        Ok((automaton, parts.alphabet))
    }
}

/// Reads a file that has to hold a DFA.
pub fn read_dfa(bytes: &[u8]) -> Result<(Dfa, Alphabet), JsonError> {
    let wrong = |found| ReadError {
        line: 1,
        problem: JsonProblem::WrongKind {
            expected: Kind::Dfa,
            found,
        },
    };
    match read(bytes)? {
        (Automaton::Dfa(dfa), alphabet) => Ok((dfa, alphabet)),
        (Automaton::Nfa(_), _) => Err(wrong(Kind::Nfa)),
        (Automaton::Moore(_), _) => Err(wrong(Kind::Moore)),
        (Automaton::Mealy(_), _) => Err(wrong(Kind::Mealy)),
        (Automaton::Pfsa(_), _) => Err(wrong(Kind::Pfsa)),
    }
}

pub(super) fn state(q: StateId, initial: bool) -> JsonState {
    JsonState {
        id: u64::from(q.0),
        initial,
        ..JsonState::default()
    }
}

pub(super) fn transition(
    from: StateId,
    letter: Option<Letter>,
    to: StateId,
    alphabet: &Alphabet,
) -> JsonTransition {
    JsonTransition {
        from: u64::from(from.0),
        to: u64::from(to.0),
        letter: letter.map(|a| alphabet.name(a).to_owned()),
        ..JsonTransition::default()
    }
}

/// A file with its names resolved.
struct Parts<'a> {
    file: &'a JsonAutomaton,
    alphabet: Alphabet,
    transitions: Vec<(StateId, Option<Letter>, StateId)>,
}

impl<'a> Parts<'a> {
    fn new(file: &'a JsonAutomaton) -> Result<Self, JsonProblem> {
        let mut alphabet = Alphabet::default();
        for letter in &file.alphabet {
            if alphabet.letter(letter).is_some() {
                let letter = letter.clone();
                return Err(JsonProblem::DuplicateLetter { letter });
            }
            alphabet.intern(letter);
        }
        let mut number = FxHashMap::default();
        for (i, state) in file.states.iter().enumerate() {
            if number.insert(state.id, StateId::new(i)).is_some() {
                let part = Part::State(i);
                return Err(JsonProblem::DuplicateId { part, id: state.id });
            }
        }
        let mut transitions = Vec::with_capacity(file.transitions.len());
        for (i, transition) in file.transitions.iter().enumerate() {
            let part = Part::Transition(i);
            let state = |id: u64| match number.get(&id) {
                Some(&q) => Ok(q),
                None => Err(JsonProblem::UnknownState { part, id }),
            };
            let letter = match &transition.letter {
                None => None,
                Some(name) => match alphabet.letter(name) {
                    Some(letter) => Some(letter),
                    None => {
                        let letter = name.clone();
                        return Err(JsonProblem::UnknownLetter { part, letter });
                    }
                },
            };
            transitions.push((state(transition.from)?, letter, state(transition.to)?));
        }
        Ok(Self {
            file,
            alphabet,
            transitions,
        })
    }

    fn initial(&self) -> Result<StateId, JsonProblem> {
        let mut initial = (self.file.states.iter().enumerate()).filter(|(_, state)| state.initial);
        let first = initial.next().ok_or(JsonProblem::NoInitial)?.0;
        match initial.next() {
            Some((second, _)) => Err(JsonProblem::TwoInitial {
                part: Part::State(second),
            }),
            None => Ok(StateId::new(first)),
        }
    }

    /// Transitions that all have letters.
    fn lettered(
        &self,
    ) -> impl Iterator<Item = Result<(usize, StateId, Letter, StateId), JsonProblem>> + '_ {
        (self.transitions.iter().enumerate()).map(|(i, &(from, letter, to))| match letter {
            Some(letter) => Ok((i, from, letter, to)),
            None => Err(JsonProblem::NoLetter {
                part: Part::Transition(i),
            }),
        })
    }

    fn table(&self) -> Result<Vec<Option<StateId>>, JsonProblem> {
        let (n_states, n_letters) = (self.file.states.len(), self.alphabet.len());
        if n_states.saturating_mul(n_letters) > MAX_TABLE {
            return Err(JsonProblem::TooLarge {
                n_states,
                n_letters,
            });
        }
        let mut table: Vec<Option<StateId>> = vec![None; n_states * n_letters];
        for transition in self.lettered() {
            let (i, from, letter, to) = transition?;
            let slot = &mut table[from.index() * n_letters + letter.index()];
            if slot.is_some_and(|before| before != to) {
                let letter = self.alphabet.name(letter).to_owned();
                let part = Part::Transition(i);
                return Err(JsonProblem::Nondeterministic { part, letter });
            }
            *slot = Some(to);
        }
        Ok(table)
    }

    fn dfa(&self) -> Result<Dfa, JsonProblem> {
        let initial = self.initial()?;
        let mut accepting: Vec<bool> = (self.file.states.iter())
            .map(|state| state.accepting.unwrap_or(false))
            .collect();
        let sink = StateId::new(accepting.len());
        let table = self.table()?;
        let mut delta: Vec<StateId> = table.into_iter().map(|to| to.unwrap_or(sink)).collect();
        if delta.contains(&sink) {
            accepting.push(false);
            delta.extend(std::iter::repeat_n(sink, self.alphabet.len()));
        }
        let mut dfa = Dfa::from_table(self.alphabet.len(), accepting, delta);
        dfa.set_initial(initial);
        Ok(dfa)
    }

    fn moore(&self) -> Result<Moore<String>, JsonProblem> {
        let initial = self.initial()?;
        let mut outputs = Vec::new();
        for (i, state) in self.file.states.iter().enumerate() {
            let part = Part::State(i);
            let output = state.output.clone();
            outputs.push(output.ok_or(JsonProblem::NoOutput { part })?);
        }
        let delta = self.complete_table()?;
        let mut machine = Moore::from_table(self.alphabet.len(), outputs, delta);
        machine.set_initial(initial);
        Ok(machine)
    }

    fn complete_table(&self) -> Result<Vec<StateId>, JsonProblem> {
        let table = self.table()?;
        if let Some(gap) = table.iter().position(Option::is_none) {
            let part = Part::State(gap / self.alphabet.len());
            let letter = Letter::new(gap % self.alphabet.len());
            let letter = self.alphabet.name(letter).to_owned();
            return Err(JsonProblem::MissingTransition { part, letter });
        }
        Ok(table.into_iter().flatten().collect())
    }

    fn mealy(&self) -> Result<Mealy<String>, JsonProblem> {
        let initial = self.initial()?;
        let delta = self.complete_table()?;
        let (n_states, k) = (self.file.states.len(), self.alphabet.len());
        let mut outputs: Vec<Option<&String>> = vec![None; delta.len()];
        for transition in self.lettered() {
            let (i, from, letter, _) = transition?;
            let part = Part::Transition(i);
            let output = self.file.transitions[i].output.as_ref();
            let output = output.ok_or(JsonProblem::NoOutput { part })?;
            let slot = &mut outputs[from.index() * k + letter.index()];
            if slot.is_some_and(|before| before != output) {
                let letter = self.alphabet.name(letter).to_owned();
                return Err(JsonProblem::Nondeterministic { part, letter });
            }
            *slot = Some(output);
        }
        // The table is complete, so every slot is filled.
        let outputs = outputs.into_iter().flatten().cloned().collect();
        let mut machine = Mealy::from_table(k, n_states, delta, outputs);
        machine.set_initial(initial);
        Ok(machine)
    }

    fn nfa(&self) -> Result<Nfa, JsonProblem> {
        let mut nfa = Nfa::new(self.alphabet.len());
        for state in &self.file.states {
            let q = nfa.add_state(state.accepting.unwrap_or(false));
            if state.initial {
                nfa.add_initial(q);
            }
        }
        nfa.add_transitions(self.transitions.iter().copied());
        Ok(nfa)
    }

    fn pfsa(&self) -> Result<Pfsa, JsonProblem> {
        let mut pfsa = Pfsa::new(self.alphabet.len());
        if self.file.states.is_empty() {
            return Ok(pfsa);
        }
        for (i, state) in self.file.states.iter().enumerate() {
            let weight = state.final_weight.unwrap_or(0.0);
            if !is_weight(weight) {
                let part = Part::State(i);
                return Err(JsonProblem::NoWeight { part });
            }
            pfsa.add_state(weight);
        }
        pfsa.set_initial(self.initial()?);
        let mut sorted = Vec::with_capacity(self.transitions.len());
        for transition in self.lettered() {
            let (i, from, letter, to) = transition?;
            let part = Part::Transition(i);
            let weight = (self.file.transitions[i].weight).filter(|&weight| is_weight(weight));
            let weight = weight.ok_or(JsonProblem::NoWeight { part })?;
            sorted.push((from, letter, to, weight));
        }
        // In order, each is added at the end of its list.
        sorted.sort_by_key(|&(from, letter, to, _)| (from, letter, to));
        for (from, letter, to, weight) in sorted {
            pfsa.add_transition(from, letter, to, weight);
        }
        Ok(pfsa)
    }
}
