//! Regular expressions, to show small languages in one line, such as `g* f assert`.
//!
//! A DFA is turned into an expression by state elimination. The result depends much on the order;
//! we always eliminate the state that lengthens the expressions least, as in M. Delgado and J.
//! Morais, *Approximation to the smallest regular expression for a given regular language*, 2004.
//! Expressions are simplified as they are built (units, repeated alternatives, common beginnings
//! and ends, `x x*` as `x+`), and beyond a size limit we give up: a long expression explains
//! nothing.

use crate::{Alphabet, Dfa, Letter, Nfa, StateId};
use std::fmt::Write;

/// A regular expression. The functions of this type keep it simplified.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Regex {
    /// No word.
    Nothing,
    /// The empty word.
    Epsilon,
    Letter(Letter),
    /// At least two, none of them itself a concatenation.
    Concat(Vec<Regex>),
    /// At least two, none of them itself an alternative, sorted.
    Either(Vec<Regex>),
    /// Once or not at all.
    Maybe(Box<Regex>),
    /// Any number of times.
    Star(Box<Regex>),
    /// Once or more.
    Plus(Box<Regex>),
}

impl Regex {
    /// An expression of at most `limit` signs for the language of a DFA, `None` if there seems to
    /// be none. Deterministic.
    ///
    /// ```
    /// use idiolect_automata::{Alphabet, Dfa, formats::regex::Regex};
    /// let alphabet = Alphabet::new(["g", "f", "assert"]);
    /// let dfa = Dfa::from_fn(3, &[false, false, true, false], |q, a| match (q, a.index()) {
    ///     (0, 0) => 0,
    ///     (0, 1) => 1,
    ///     (1, 2) => 2,
    ///     _ => 3,
    /// });
    /// let regex = Regex::from_dfa(&dfa, 100).unwrap();
    /// assert_eq!(regex.show(&alphabet), "g* f assert");
    /// ```
    pub fn from_dfa(dfa: &Dfa, limit: usize) -> Option<Self> {
        let trimmed = dfa.minimize().trim();
        // Every state but the initial one is at the end of some edge with a letter.
        let n = trimmed.n_states();
        if n > limit.min(MAX_STATES) {
            return None;
        }
        // Two more states: a start without ways in, an end without ways out.
        let (start, end) = (n, n + 1);
        let mut edges = vec![vec![Self::Nothing; n + 2]; n + 2];
        edges[start][trimmed.initial().index()] = Self::Epsilon;
        for q in trimmed.states().filter(|&q| trimmed.is_accepting(q)) {
            edges[q.index()][end] = Self::Epsilon;
        }
        for (from, a, to) in trimmed.edges() {
            let edge = &mut edges[from.index()][to.index()];
            let before = std::mem::replace(edge, Self::Nothing);
            *edge = Self::either([before, Self::Letter(a)]);
        }
        let mut left: Vec<usize> = (0..n).collect();
        while let Some(at) = (0..left.len()).min_by_key(|&i| weight(&edges, left[i])) {
            let q = left.remove(at);
            let around = std::mem::replace(&mut edges[q][q], Self::Nothing).star();
            let ways =
                |list: &[usize]| list.iter().copied().chain([start, end]).collect::<Vec<_>>();
            for from in ways(&left) {
                let into = std::mem::replace(&mut edges[from][q], Self::Nothing);
                if into == Self::Nothing {
                    continue;
                }
                for to in ways(&left) {
                    if edges[q][to] == Self::Nothing {
                        continue;
                    }
                    let by_q = Self::concat([into.clone(), around.clone(), edges[q][to].clone()]);
                    let direct = std::mem::replace(&mut edges[from][to], Self::Nothing);
                    let both = Self::either([direct, by_q]);
                    if both.size() > limit {
                        return None;
                    }
                    edges[from][to] = both;
                }
            }
        }
        Some(std::mem::replace(&mut edges[start][end], Self::Nothing))
    }

    /// The number of letters and operators.
    pub fn size(&self) -> usize {
        match self {
            Self::Nothing | Self::Epsilon | Self::Letter(_) => 1,
            Self::Concat(parts) | Self::Either(parts) => {
                parts.iter().map(Self::size).sum::<usize>() + parts.len() - 1
            }
            Self::Maybe(inner) | Self::Star(inner) | Self::Plus(inner) => inner.size() + 1,
        }
    }

    /// Whether the empty word is in the language.
    pub fn is_nullable(&self) -> bool {
        match self {
            Self::Nothing | Self::Letter(_) => false,
            Self::Epsilon | Self::Maybe(_) | Self::Star(_) => true,
            Self::Concat(parts) => parts.iter().all(Self::is_nullable),
            Self::Either(parts) => parts.iter().any(Self::is_nullable),
            Self::Plus(inner) => inner.is_nullable(),
        }
    }

    /// One after the other.
    pub fn concat(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut flat: Vec<Self> = Vec::new();
        for part in parts {
            match part {
                Self::Nothing => return Self::Nothing,
                Self::Epsilon => {}
                Self::Concat(inner) => inner.into_iter().for_each(|part| append(&mut flat, part)),
                part => append(&mut flat, part),
            }
        }
        match flat.len() {
            0 => Self::Epsilon,
            1 => flat.swap_remove(0),
            _ => Self::Concat(flat),
        }
    }

    /// One or the other.
    pub fn either(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut flat = Vec::new();
        let mut epsilon = false;
        for part in parts {
            match part {
                Self::Nothing => {}
                Self::Epsilon => epsilon = true,
                Self::Maybe(inner) => {
                    epsilon = true;
                    flatten(&mut flat, *inner);
                }
                part => flatten(&mut flat, part),
            }
        }
        flat.sort_by_cached_key(|part| (part.size(), part.clone()));
        flat.dedup();
        let either = factor(flat);
        match (epsilon, either) {
            (true, Self::Nothing) => Self::Epsilon,
            (true, either) => either.maybe(),
            (false, either) => either,
        }
    }

    /// Once or not at all.
    #[must_use]
    pub fn maybe(self) -> Self {
        match self {
            Self::Nothing => Self::Epsilon,
            Self::Plus(inner) => inner.star(),
            nullable if nullable.is_nullable() => nullable,
            other => Self::Maybe(Box::new(other)),
        }
    }

    /// Any number of times.
    #[must_use]
    pub fn star(self) -> Self {
        match self {
            Self::Nothing | Self::Epsilon => Self::Epsilon,
            Self::Star(_) => self,
            Self::Maybe(inner) | Self::Plus(inner) => inner.star(),
            // Within a repetition, repetitions of alternatives are superfluous: (x* | y)* is
            // (x | y)*.
            Self::Either(parts) if parts.iter().any(Self::repeats) => {
                let bare = parts.into_iter().map(|part| match part {
                    Self::Star(inner) | Self::Plus(inner) | Self::Maybe(inner) => *inner,
                    other => other,
                });
                Self::either(bare).star()
            }
            other => Self::Star(Box::new(other)),
        }
    }

    fn repeats(&self) -> bool {
        matches!(self, Self::Star(_) | Self::Plus(_) | Self::Maybe(_))
    }

    /// The expression as text: letters are separated by spaces, and quoted if their names could
    /// be mistaken for operators.
    pub fn show(&self, alphabet: &Alphabet) -> String {
        let mut out = String::new();
        self.write(alphabet, 0, &mut out);
        out
    }

    /// `level` is how tightly the surroundings bind: 0 not at all, 1 within a concatenation, 3
    /// under a repetition.
    fn write(&self, alphabet: &Alphabet, level: u8, out: &mut String) {
        let (own, separator) = match self {
            Self::Either(_) => (0, " | "),
            Self::Concat(_) => (1, " "),
            Self::Maybe(_) | Self::Star(_) | Self::Plus(_) => (2, ""),
            Self::Nothing | Self::Epsilon | Self::Letter(_) => (3, ""),
        };
        let bracket = own < level;
        if bracket {
            out.push('(');
        }
        match self {
            Self::Nothing => out.push('∅'),
            Self::Epsilon => out.push('ε'),
            Self::Letter(a) => write_name(alphabet.name(*a), out),
            Self::Concat(parts) | Self::Either(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    out.push_str(if i == 0 { "" } else { separator });
                    part.write(alphabet, own, out);
                }
            }
            Self::Maybe(inner) | Self::Star(inner) | Self::Plus(inner) => {
                inner.write(alphabet, 3, out);
                out.push(match self {
                    Self::Maybe(_) => '?',
                    Self::Star(_) => '*',
                    _ => '+',
                });
            }
        }
        if bracket {
            out.push(')');
        }
    }

    /// An NFA of the same language (K. Thompson, 1968).
    pub fn to_nfa(&self, n_letters: usize) -> Nfa {
        let mut nfa = Nfa::new(n_letters);
        let (start, end) = (nfa.add_state(false), nfa.add_state(true));
        nfa.add_initial(start);
        self.build(&mut nfa, start, end);
        nfa
    }

    fn build(&self, nfa: &mut Nfa, from: StateId, to: StateId) {
        match self {
            Self::Nothing => {}
            Self::Epsilon => nfa.add_transition(from, None, to),
            Self::Letter(a) => nfa.add_transition(from, Some(*a), to),
            Self::Either(parts) => parts.iter().for_each(|part| part.build(nfa, from, to)),
            Self::Concat(parts) => {
                let mut at = from;
                for part in parts {
                    let next = nfa.add_state(false);
                    part.build(nfa, at, next);
                    at = next;
                }
                nfa.add_transition(at, None, to);
            }
            Self::Maybe(inner) => {
                nfa.add_transition(from, None, to);
                inner.build(nfa, from, to);
            }
            Self::Star(inner) | Self::Plus(inner) => {
                let (first, last) = (nfa.add_state(false), nfa.add_state(false));
                nfa.add_transition(from, None, first);
                nfa.add_transition(last, None, first);
                nfa.add_transition(last, None, to);
                inner.build(nfa, first, last);
                if matches!(self, Self::Star(_)) {
                    nfa.add_transition(from, None, to);
                }
            }
        }
    }
}

/// Elimination is cubic, and nobody reads an expression of so many states.
const MAX_STATES: usize = 200;

/// By how much eliminating a state lengthens the expressions.
fn weight(edges: &[Vec<Regex>], q: usize) -> usize {
    let (mut n_in, mut n_out, mut size_in, mut size_out) = (0usize, 0usize, 0, 0);
    for other in (0..edges.len()).filter(|&other| other != q) {
        if edges[other][q] != Regex::Nothing {
            n_in += 1;
            size_in += edges[other][q].size();
        }
        if edges[q][other] != Regex::Nothing {
            n_out += 1;
            size_out += edges[q][other].size();
        }
    }
    let around = match &edges[q][q] {
        Regex::Nothing => 0,
        expression => expression.size() + 1,
    };
    size_in * n_out + size_out * n_in + around * n_in * n_out
}

fn append(flat: &mut Vec<Regex>, part: Regex) {
    use Regex::{Plus, Star};
    let Some(last) = flat.last() else {
        flat.push(part);
        return;
    };
    match (last, &part) {
        // x* x* = x*, x+ x* = x* x+ = x+, x* x = x x* = x+.
        (Star(a) | Plus(a), Star(b)) if a == b => {}
        (Star(a), Plus(b)) if a == b => {
            flat.pop();
            flat.push(part);
        }
        (Star(a), b) if **a == *b => {
            flat.pop();
            flat.push(Plus(Box::new(part)));
        }
        (a, Star(b)) if *a == **b => {
            let a = flat.pop().unwrap_or(Regex::Epsilon);
            flat.push(Plus(Box::new(a)));
        }
        (_, Star(inner)) => {
            // a b (a b)* is (a b)+, where the concatenation has been flattened.
            if let Regex::Concat(body) = &**inner
                && flat.ends_with(body)
            {
                flat.truncate(flat.len() - body.len());
                flat.push(Plus(inner.clone()));
            } else {
                flat.push(part);
            }
        }
        _ => flat.push(part),
    }
}

fn flatten(flat: &mut Vec<Regex>, part: Regex) {
    match part {
        Regex::Either(parts) => flat.extend(parts),
        part => flat.push(part),
    }
}

/// Alternatives, sorted and without duplicates, with common beginnings and ends taken out.
fn factor(mut parts: Vec<Regex>) -> Regex {
    // x | x* = x*, x | x+ = x+, and a bit more: what some repetition of its own contains goes.
    let repeated: Vec<Regex> = (parts.iter())
        .filter_map(|part| match part {
            Regex::Star(inner) => Some([Regex::Plus(inner.clone()), (**inner).clone()].to_vec()),
            Regex::Plus(inner) => Some([(**inner).clone()].to_vec()),
            _ => None,
        })
        .flatten()
        .collect();
    parts.retain(|part| !repeated.contains(part));
    match parts.len() {
        0 => return Regex::Nothing,
        1 => return parts.swap_remove(0),
        _ => {}
    }
    for from_end in [false, true] {
        for i in 0..parts.len() {
            let edge = edge_of(&parts[i], from_end).clone();
            let (same, other): (Vec<Regex>, Vec<Regex>) =
                (parts.iter().cloned()).partition(|part| *edge_of(part, from_end) == edge);
            if same.len() > 1 {
                let rests = same.into_iter().map(|part| without_edge(part, from_end));
                let rest = Regex::either(rests);
                let factored = if !from_end {
                    Regex::concat([edge, rest])
                } else {
                    Regex::concat([rest, edge])
                };
                return Regex::either(other.into_iter().chain([factored]));
            }
        }
    }
    Regex::Either(parts)
}

/// The first or last factor.
fn edge_of(regex: &Regex, from_end: bool) -> &Regex {
    match regex {
        Regex::Concat(parts) if from_end => parts.last().unwrap_or(regex),
        Regex::Concat(parts) => parts.first().unwrap_or(regex),
        other => other,
    }
}

fn without_edge(regex: Regex, from_end: bool) -> Regex {
    match regex {
        Regex::Concat(mut parts) => {
            parts.remove(if from_end { parts.len() - 1 } else { 0 });
            Regex::concat(parts)
        }
        _ => Regex::Epsilon,
    }
}

fn write_name(name: &str, out: &mut String) {
    let plain = |c: char| c.is_alphanumeric() || "_.:-=<>!/#".contains(c);
    if !name.is_empty() && name.chars().all(plain) && !["ε", "∅"].contains(&name) {
        out.push_str(name);
    } else {
        // Writing to a string cannot fail.
        let _ = write!(out, "{name:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::Regex;
    use crate::testing::any_dfa;
    use crate::{Alphabet, Dfa, Letter, Word};
    use proptest::prelude::*;

    fn check(words: &[&str], expected: &str) {
        let alphabet = Alphabet::new(["a", "b", "c"]);
        let dfa: Dfa = (words.iter())
            .map(|word| alphabet.word(word.split_terminator(' ')).unwrap())
            .collect();
        assert_eq!(
            Regex::from_dfa(&dfa, 100).unwrap().show(&alphabet),
            expected
        );
    }

    #[test]
    fn finite_languages() {
        check(&[], "∅");
        check(&[""], "ε");
        check(&["a"], "a");
        check(&["", "a"], "a?");
        check(&["a b", "a c"], "a (b | c)");
        check(&["a", "a b"], "a b?");
        check(&["a c", "b c"], "(a | b) c");
    }

    #[test]
    fn repetitions() {
        let alphabet = Alphabet::new(["a", "b"]);
        let show = |dfa: &Dfa| Regex::from_dfa(dfa, 100).unwrap().show(&alphabet);
        assert_eq!(show(&Dfa::all(2)), "(a | b)*");
        let even = Dfa::from_fn(1, &[true, false], |q, _| 1 - q);
        assert_eq!(show(&even), "(a a)*");
        let alternating = Dfa::from_fn(2, &[true, false, false], |q, a| match (q, a.index()) {
            (0, 0) => 1,
            (1, 1) => 0,
            _ => 2,
        });
        assert_eq!(show(&alternating), "(a b)*");
        let some = Dfa::from_fn(1, &[false, true], |_, _| 1);
        assert_eq!(show(&some), "a+");
    }

    #[test]
    fn odd_names_are_quoted() {
        let alphabet = Alphabet::new(["x y", "*", "", "f"]);
        let word: Word = alphabet.letters().collect();
        let regex = Regex::concat(word.iter().map(|&a| Regex::Letter(a)));
        assert_eq!(regex.show(&alphabet), r#""x y" "*" "" f"#);
    }

    #[test]
    fn too_large_to_show() {
        let word = vec![Letter(0); 60];
        assert_eq!(Regex::from_dfa(&Dfa::of_word(1, &word), 50), None);
        assert_eq!(
            Regex::from_dfa(&Dfa::of_word(1, &word), 119).map(|r| r.size()),
            Some(119)
        );
        assert_eq!(
            Regex::from_dfa(&Dfa::of_word(1, &[Letter(0); 5000]), 100_000),
            None
        );
    }

    fn any_regex() -> impl Strategy<Value = Regex> {
        let leaf = prop_oneof![
            Just(Regex::Nothing),
            Just(Regex::Epsilon),
            (0u32..2).prop_map(|a| Regex::Letter(Letter(a))),
        ];
        leaf.prop_recursive(4, 24, 3, |inner| {
            let several = proptest::collection::vec(inner.clone(), 0..4);
            prop_oneof![
                several.clone().prop_map(Regex::Concat),
                several.prop_map(Regex::Either),
                inner
                    .clone()
                    .prop_map(|inner| Regex::Maybe(Box::new(inner))),
                inner.clone().prop_map(|inner| Regex::Star(Box::new(inner))),
                inner.prop_map(|inner| Regex::Plus(Box::new(inner))),
            ]
        })
    }

    /// The same expression, built through the simplifying functions.
    fn simplified(regex: &Regex) -> Regex {
        match regex {
            Regex::Concat(parts) => Regex::concat(parts.iter().map(simplified)),
            Regex::Either(parts) => Regex::either(parts.iter().map(simplified)),
            Regex::Maybe(inner) => simplified(inner).maybe(),
            Regex::Star(inner) => simplified(inner).star(),
            Regex::Plus(inner) => {
                let inner = simplified(inner);
                Regex::concat([inner.clone(), inner.star()])
            }
            leaf => leaf.clone(),
        }
    }

    proptest! {
        #[test]
        fn the_expression_has_the_language(dfa in any_dfa(5, 2)) {
            let regex = Regex::from_dfa(&dfa, 100_000).unwrap();
            let back = regex.to_nfa(2).determinize(100_000).unwrap();
            prop_assert_eq!(back.distinguishing_word(&dfa), None, "{:?}", regex);
        }

        #[test]
        fn simplification_keeps_the_language(regex in any_regex()) {
            let simple = simplified(&regex);
            let [before, after] = [&regex, &simple]
                .map(|regex| regex.to_nfa(2).determinize(100_000).unwrap());
            prop_assert_eq!(before.distinguishing_word(&after), None, "{:?} {:?}", regex, simple);
            prop_assert_eq!(simple.is_nullable(), before.accepts(&[]));
        }
    }
}
