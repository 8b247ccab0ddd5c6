//! Lists of words: Abbadingo's format, or plainly one word a line.
//!
//! ```text
//! + open read close
//! - read
//! ```
//!
//! In a plain list letters are separated by spaces, `#` begins a comment line, and a line that is
//! empty is left out. If every line begins with `+` or `-`, that says whether the word is in the
//! language, and the sign alone is the empty word; otherwise all words are.
//!
//! In a list of input/output words, for Mealy machines, each letter is `input/output`.

use super::abbadingo::{self, LabeledWord};
use super::{Help, ReadError, text};
use crate::{Alphabet, Word};

/// What is wrong with a list of words, and where.
pub type WordsError = ReadError<WordsProblem>;

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WordsProblem {
    #[error("the file is not UTF-8 from here on")]
    Encoding,
    #[error("there is no word in the file")]
    Empty,
    #[error("this line begins with neither `+` nor `-`, and others do")]
    NoSign,
    #[error("`{letter}` is not an input and an output")]
    NoOutput { letter: String },
    #[error(transparent)]
    Abbadingo(abbadingo::AbbadingoProblem),
}

impl Help for WordsProblem {
    fn help(&self) -> &'static str {
        match self {
            Self::Encoding => "save the file as UTF-8",
            Self::Empty => "write one word a line, letters separated by spaces",
            Self::NoSign => "begin every line with a sign, or none",
            Self::NoOutput { .. } => "write `input/output` for every step",
            Self::Abbadingo(problem) => problem.help(),
        }
    }
}

/// The inputs of a word, and one output for each.
pub type InputOutputWord = (Word, Vec<String>);

/// Whether every letter of a list is written `input/output`.
pub fn has_outputs(bytes: &[u8]) -> bool {
    let is_pair = |letter: &str| {
        let pair = letter.split_once('/');
        pair.is_some_and(|(input, output)| !input.is_empty() && !output.is_empty())
    };
    let mut letters = std::str::from_utf8(bytes)
        .unwrap_or_default()
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .flat_map(str::split_whitespace)
        .peekable();
    letters.peek().is_some() && letters.all(is_pair)
}

/// Reads a list of input/output words, one a line. An input ends at the first `/`.
///
/// ```
/// use idiolect_automata::formats::words;
/// let (list, inputs) = words::read_outputs(b"coin/ok button/coffee\nbutton/-\n").unwrap();
/// assert_eq!(inputs.show(&list[0].0), "coin button");
/// assert_eq!(list[0].1, ["ok", "coffee"]);
/// ```
pub fn read_outputs(bytes: &[u8]) -> Result<(Vec<InputOutputWord>, Alphabet), WordsError> {
    let error = |line, problem| ReadError { line, problem };
    let text = text(bytes).map_err(|line| error(line, WordsProblem::Encoding))?;
    let mut alphabet = Alphabet::default();
    let mut list = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if line.trim_start().starts_with('#') || line.trim().is_empty() {
            continue;
        }
        let (mut word, mut outputs) = (Word::new(), Vec::new());
        for letter in line.split_whitespace() {
            let pair = letter.split_once('/');
            let Some((input, output)) = pair.filter(|(i, o)| !i.is_empty() && !o.is_empty()) else {
                let letter = letter.to_owned();
                return Err(error(i + 1, WordsProblem::NoOutput { letter }));
            };
            word.push(alphabet.intern(input));
            outputs.push(output.to_owned());
        }
        list.push((word, outputs));
    }
    if list.is_empty() {
        Err(error(1, WordsProblem::Empty))
    } else {
        Ok((list, alphabet))
    }
}

/// Reads a list. It is in Abbadingo's format if the first line has two numbers and the second begins
/// with a label and the length of its word.
///
/// ```
/// use idiolect_automata::formats::words;
/// let (list, alphabet) = words::read(b"+ open close\n- close\n").unwrap();
/// assert_eq!(alphabet.show(&list[0].word), "open close");
/// assert_eq!(list[1].label, Some(false));
/// ```
pub fn read(bytes: &[u8]) -> Result<(Vec<LabeledWord>, Alphabet), WordsError> {
    let error = |line, problem| ReadError { line, problem };
    let text = text(bytes).map_err(|line| error(line, WordsProblem::Encoding))?;
    let lines: Vec<(usize, Vec<&str>)> = (text.lines().enumerate())
        .map(|(i, line)| (i + 1, line.split_whitespace().collect::<Vec<_>>()))
        .filter(|(_, parts)| parts.first().is_some_and(|first| !first.starts_with('#')))
        .collect();
    if is_abbadingo(&lines) {
        return abbadingo::read(bytes)
            .map_err(|e| error(e.line, WordsProblem::Abbadingo(e.problem)));
    }
    if lines.is_empty() {
        return Err(error(1, WordsProblem::Empty));
    }
    let sign = |parts: &[&str]| matches!(parts.first(), Some(&("+" | "-")));
    let signed = lines.iter().any(|(_, parts)| sign(parts));
    let mut alphabet = Alphabet::default();
    let mut list = Vec::with_capacity(lines.len());
    for (line, parts) in lines {
        if signed && !sign(&parts) {
            return Err(error(line, WordsProblem::NoSign));
        }
        let (label, names) = if signed {
            (parts[0] == "+", &parts[1..])
        } else {
            (true, &parts[..])
        };
        let word: Word = names.iter().map(|name| alphabet.intern(name)).collect();
        list.push(LabeledWord {
            word,
            label: Some(label),
        });
    }
    Ok((list, alphabet))
}

fn is_abbadingo(lines: &[(usize, Vec<&str>)]) -> bool {
    let number = |text: &&str| text.parse::<usize>().is_ok();
    let header = lines
        .first()
        .is_some_and(|(_, p)| p.len() == 2 && p.iter().all(number));
    let second = lines.get(1).is_none_or(|(_, parts)| {
        let labeled = matches!(parts[0], "0" | "1" | "-1");
        let length = parts.get(1).and_then(|n| n.parse::<usize>().ok());
        labeled && length == Some(parts.len() - 2)
    });
    header && second && lines.len() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_formats_are_told_apart() {
        let labels = |file: &str| -> Vec<(usize, Option<bool>)> {
            let (list, _) = read(file.as_bytes()).unwrap();
            list.iter().map(|w| (w.word.len(), w.label)).collect()
        };
        let (yes, no) = (Some(true), Some(false));
        assert_eq!(labels("2 2\n1 2 0 1\n0 0\n"), [(2, yes), (0, no)]);
        assert_eq!(
            labels("# words\n0 1\n1 0 0\n\n0\n"),
            [(2, yes), (3, yes), (1, yes)]
        );
        assert_eq!(labels("+ a b\n-\n- b\n"), [(2, yes), (0, no), (1, no)]);
    }

    #[test]
    fn errors_name_the_line() {
        let problem = |file: &[u8]| {
            let error = read(file).unwrap_err();
            assert!(!error.help().is_empty());
            (error.line, error.problem)
        };
        assert_eq!(problem(b"\n# nothing\n"), (1, WordsProblem::Empty));
        assert_eq!(problem(b"+ a\n\nb\n"), (3, WordsProblem::NoSign));
        assert_eq!(problem(b"a\n\xff"), (2, WordsProblem::Encoding));
        assert_eq!(read_outputs(b"a/x\nb\n").unwrap_err().line, 2);
        assert_eq!(
            read_outputs(b"\n").unwrap_err().problem,
            WordsProblem::Empty
        );
        let (line, _) = problem(b"2 2\n1 2 0 1\n0 3 1\n");
        assert_eq!(line, 3);
    }
}
