//! One program that holds many edits beside the original: a number chooses which of them is done.
//!
//! So hundreds of edits are compiled once, and each is a run with another number. What comes through
//! is compiled on its own before anything is said of it.

use crate::candidates::{Candidate, Form};
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// The variable that chooses; it is declared and defined nowhere, so its value is an input.
pub(crate) const CHOICE: &str = "__idiolect_choice";

/// A piece of the text with what may stand there.
struct Wrap {
    start: usize,
    end: usize,
    /// Choices and texts of an expression.
    values: Vec<(usize, String)>,
    /// Choices and conditions under which the statement is done.
    only: Vec<(usize, String)>,
    /// Choices and statements before it.
    before: Vec<(usize, String)>,
    /// And behind it.
    behind: Vec<(usize, String)>,
    /// Choices and statements that are done the first time.
    once: Vec<(usize, String)>,
}

/// The text with all of these edits; the edit with number n is chosen by n + 1.
pub(crate) fn text(preprocessed: &str, list: &[(usize, &Candidate)]) -> String {
    let mut wraps: Vec<Wrap> = Vec::new();
    // By range and whether it is an expression: its wrap.
    let mut known: FxHashMap<(usize, usize, bool), usize> = FxHashMap::default();
    let mut wrap_of = |wraps: &mut Vec<Wrap>, start: usize, end: usize, is_value: bool| {
        *known.entry((start, end, is_value)).or_insert_with(|| {
            wraps.push(Wrap {
                start,
                end,
                values: Vec::new(),
                only: Vec::new(),
                before: Vec::new(),
                behind: Vec::new(),
                once: Vec::new(),
            });
            wraps.len() - 1
        })
    };
    let mut constants = Vec::new();
    for &(number, candidate) in list {
        let choice = number + 1;
        match &candidate.form {
            Form::Value { start, end, text } => {
                let i = wrap_of(&mut wraps, *start, *end, true);
                wraps[i].values.push((choice, text.clone()));
            }
            Form::Values(list) => {
                for (start, end, text) in list {
                    let i = wrap_of(&mut wraps, *start, *end, true);
                    wraps[i].values.push((choice, text.clone()));
                }
            }
            Form::Only {
                start,
                end,
                condition,
            } => {
                let i = wrap_of(&mut wraps, *start, *end, false);
                wraps[i].only.push((choice, condition.clone()));
            }
            Form::Behind { start, end, text } => {
                let i = wrap_of(&mut wraps, *start, *end, false);
                wraps[i].behind.push((choice, text.clone()));
            }
            Form::Start {
                at,
                is_local,
                constant,
                text,
            } => {
                let i = wrap_of(&mut wraps, *at, *at, false);
                let list = if *is_local {
                    &mut wraps[i].once
                } else {
                    &mut wraps[i].before
                };
                list.push((choice, text.clone()));
                constants.extend(*constant);
            }
            Form::Before { start, end, text } => {
                let i = wrap_of(&mut wraps, *start, *end, false);
                wraps[i].before.push((choice, text.clone()));
            }
        }
    }
    // The outer one first; a statement is outside of an expression with the same text.
    wraps.sort_by_key(|w| (w.start, std::cmp::Reverse(w.end), !w.values.is_empty()));
    let mut out = format!("extern int {CHOICE};\n");
    let mut text = preprocessed.to_owned();
    for (start, end) in constants {
        text.replace_range(start..end, &" ".repeat(end - start));
    }
    render(&text, 0, text.len(), &wraps, &mut out);
    out
}

fn render(text: &str, start: usize, end: usize, wraps: &[Wrap], out: &mut String) {
    let (mut at, mut i) = (start, 0);
    while let Some(wrap) = wraps.get(i) {
        let inside = wraps[i + 1..].iter().take_while(|w| w.start < wrap.end);
        let next = i + 1 + inside.count();
        if wrap.start < at || wrap.end > end {
            i += 1;
            continue;
        }
        out.push_str(&text[at..wrap.start]);
        let mut inner = String::new();
        render(text, wrap.start, wrap.end, &wraps[i + 1..next], &mut inner);
        wrap.write(&inner, out);
        at = wrap.end;
        i = next;
    }
    out.push_str(&text[at..end]);
}

impl Wrap {
    fn write(&self, inner: &str, out: &mut String) {
        if let (Some((low, _)), Some((high, last))) = (self.values.first(), self.values.last()) {
            let most = self.values.len() - 1;
            // Where the choices are a range, one look at it is enough for all others.
            let is_range = high - low == most;
            if is_range {
                let _ = write!(out, "({CHOICE} < {low} || {CHOICE} > {high} ? ({inner}) : ");
            } else {
                out.push('(');
            }
            for (choice, text) in &self.values[..most] {
                let _ = write!(out, "{CHOICE} == {choice} ? ({text}) : ");
            }
            let _ = if is_range {
                write!(out, "({last}))")
            } else {
                write!(out, "{CHOICE} == {high} ? ({last}) : ({inner}))")
            };
            return;
        }
        if !self.once.is_empty() {
            let flag = format!("{CHOICE}_{}", self.start);
            let _ = write!(out, " static int {flag}; if (!{flag}) {{ {flag} = 1; ");
            for (choice, text) in &self.once {
                let _ = write!(out, "if ({CHOICE} == {choice}) {{ {text} }} ");
            }
            out.push_str("} ");
            return;
        }
        out.push_str("{ ");
        for (choice, text) in &self.before {
            let _ = write!(out, "if ({CHOICE} == {choice}) {{ {text} }} ");
        }
        for (choice, condition) in &self.only {
            let _ = write!(out, "if ({CHOICE} != {choice} || ({condition})) ");
        }
        out.push_str(inner);
        for (choice, text) in &self.behind {
            let _ = write!(out, " if ({CHOICE} == {choice}) {{ {text} }}");
        }
        out.push_str(" }");
    }
}
