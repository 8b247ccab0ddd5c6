//! Word lists in the format of the Abbadingo One learning competition (K. Lang, B. Pearlmutter and
//! R. Price, 1998), which most passive learners read:
//!
//! ```text
//! 3 2
//! 1 3 0 1 0
//! 0 2 1 1
//! -1 0
//! ```
//!
//! The first line has the number of words and of letters. Every other line has a label (1 in the
//! language, 0 not, -1 unknown), the length, and the letters. Letters are numbers below the size
//! of the alphabet or, in files of later tools, any names without spaces.

use super::{Help, ReadError, text};
use crate::{Alphabet, Word};
use std::fmt::Write;

/// A word and whether it is in the language, if that is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabeledWord {
    pub word: Word,
    pub label: Option<bool>,
}

/// What is wrong with a word list, and where.
pub type AbbadingoError = ReadError<AbbadingoProblem>;

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AbbadingoProblem {
    #[error("the file is not UTF-8 from here on")]
    Encoding,
    #[error("the first line should be two numbers, of words and of letters")]
    Header,
    #[error("an alphabet of {n_letters} letters is too large")]
    HugeAlphabet { n_letters: usize },
    #[error("`{found}` is not a label")]
    Label { found: String },
    #[error("`{found}` is not a length")]
    Length { found: String },
    #[error("the line says {said} letters and has {found}")]
    WrongLength { said: usize, found: usize },
    #[error("`{letter}` is one letter more than the {n_letters} of the first line")]
    TooManyLetters { letter: String, n_letters: usize },
    #[error("the first line says {said} words, the file has {found}")]
    WrongCount { said: usize, found: usize },
}

impl Help for AbbadingoProblem {
    fn help(&self) -> &'static str {
        match self {
            Self::Encoding => "save the file as UTF-8",
            Self::Header => "begin the file with a line such as `100 2`",
            Self::HugeAlphabet { .. } => "give the number of letters that the words use",
            Self::Label { .. } => {
                "begin the line with 1 (in the language), 0 (not) or -1 (unknown)"
            }
            Self::Length { .. } => "the second number of a line is the length of its word",
            Self::WrongLength { .. } => "make the second number of the line the number of letters",
            Self::TooManyLetters { .. } => "make the second number of the first line larger",
            Self::WrongCount { .. } => "make the first number of the file the number of words",
        }
    }
}

/// Every letter gets a name, so the first line must not ask for any number of them.
const MAX_LETTERS: usize = 1 << 16;

/// Reads a word list. If all letters are numbers below the size of the alphabet, these are the
/// letters; otherwise letters are numbered as they first occur.
///
/// ```
/// use idiolect_automata::formats::abbadingo;
/// let (words, alphabet) = abbadingo::read(b"2 2\n1 2 open close\n0 1 close\n").unwrap();
/// assert_eq!(alphabet.names(), ["open", "close"]);
/// assert_eq!(words[0].label, Some(true));
/// ```
pub fn read(bytes: &[u8]) -> Result<(Vec<LabeledWord>, Alphabet), AbbadingoError> {
    let error = |line, problem| ReadError { line, problem };
    let text = text(bytes).map_err(|line| error(line, AbbadingoProblem::Encoding))?;
    let mut lines = (text.lines().enumerate())
        .map(|(i, line)| (i + 1, line.split_whitespace()))
        .filter(|(_, parts)| parts.clone().next().is_some());

    let (header_line, header) = lines.next().ok_or(error(1, AbbadingoProblem::Header))?;
    let header: Option<Vec<usize>> = header.map(|number| number.parse().ok()).collect();
    let Some(&[n_words, n_letters]) = header.as_deref() else {
        return Err(error(header_line, AbbadingoProblem::Header));
    };
    if n_letters > MAX_LETTERS {
        return Err(error(
            header_line,
            AbbadingoProblem::HugeAlphabet { n_letters },
        ));
    }

    let mut labels = Vec::new();
    let mut names = Vec::new();
    for (line, parts) in lines {
        let (label, name_list) = read_line(parts).map_err(|problem| error(line, problem))?;
        labels.push(label);
        names.push((line, name_list));
    }
    if labels.len() != n_words {
        let (said, found) = (n_words, labels.len());
        return Err(error(
            header_line,
            AbbadingoProblem::WrongCount { said, found },
        ));
    }

    let numbers = Alphabet::numbered(n_letters);
    let mut all_names = names.iter().flat_map(|(_, list)| list);
    let mut alphabet = if all_names.all(|name| numbers.letter(name).is_some()) {
        numbers
    } else {
        Alphabet::default()
    };
    let mut words = Vec::with_capacity(labels.len());
    for (label, (line, list)) in labels.into_iter().zip(names) {
        let mut word = Word::with_capacity(list.len());
        for name in list {
            if alphabet.len() == n_letters && alphabet.letter(name).is_none() {
                let letter = name.to_owned();
                return Err(error(
                    line,
                    AbbadingoProblem::TooManyLetters { letter, n_letters },
                ));
            }
            word.push(alphabet.intern(name));
        }
        words.push(LabeledWord { word, label });
    }
    Ok((words, alphabet))
}

/// The label and the letters' names of one line.
fn read_line<'a>(
    mut parts: impl Iterator<Item = &'a str>,
) -> Result<(Option<bool>, Vec<&'a str>), AbbadingoProblem> {
    let label = match parts.next().unwrap_or_default() {
        "1" => Some(true),
        "0" => Some(false),
        "-1" => None,
        other => {
            let found = other.to_owned();
            return Err(AbbadingoProblem::Label { found });
        }
    };
    let length = parts.next().unwrap_or_default();
    let Ok(said) = length.parse::<usize>() else {
        let found = length.to_owned();
        return Err(AbbadingoProblem::Length { found });
    };
    let names: Vec<&str> = parts.collect();
    match names.len() {
        found if found == said => Ok((label, names)),
        found => Err(AbbadingoProblem::WrongLength { said, found }),
    }
}

/// Writes a word list, letters as numbers.
pub fn write(words: &[LabeledWord], n_letters: usize) -> String {
    let mut out = format!("{} {n_letters}\n", words.len());
    for LabeledWord { word, label } in words {
        out.push_str(match label {
            Some(true) => "1",
            Some(false) => "0",
            None => "-1",
        });
        // Writing to a string cannot fail.
        let _ = write!(out, " {}", word.len());
        for letter in word {
            let _ = write!(out, " {}", letter.0);
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Letter;
    use proptest::prelude::*;

    fn problem(file: &str) -> (usize, AbbadingoProblem) {
        let error = read(file.as_bytes()).unwrap_err();
        assert!(!error.help().is_empty());
        (error.line, error.problem)
    }

    #[test]
    fn the_example_of_the_module() {
        let file = "3 2\n1 3 0 1 0\n0 2 1 1\n-1 0\n";
        let (words, alphabet) = read(file.as_bytes()).unwrap();
        assert_eq!(alphabet, Alphabet::numbered(2));
        assert_eq!(words[0].word, [0, 1, 0].map(Letter));
        assert_eq!((words[1].label, words[2].label), (Some(false), None));
        assert_eq!(write(&words, 2), file);
    }

    #[test]
    fn errors_name_the_line() {
        use AbbadingoProblem as P;
        assert_eq!(problem(""), (1, P::Header));
        assert_eq!(problem("\n1\n"), (2, P::Header));
        assert_eq!(
            problem("1 99999999"),
            (
                1,
                P::HugeAlphabet {
                    n_letters: 99_999_999
                }
            )
        );
        assert_eq!(
            problem("1 2\n\nyes 0"),
            (
                3,
                P::Label {
                    found: "yes".into()
                }
            )
        );
        assert_eq!(
            problem("1 2\n1"),
            (
                2,
                P::Length {
                    found: String::new()
                }
            )
        );
        assert_eq!(
            problem("1 2\n1 2 0"),
            (2, P::WrongLength { said: 2, found: 1 })
        );
        let (letter, n_letters) = ("c".into(), 2);
        assert_eq!(
            problem("1 2\n1 3 a b c"),
            (2, P::TooManyLetters { letter, n_letters })
        );
        assert_eq!(
            problem("2 2\n1 0"),
            (1, P::WrongCount { said: 2, found: 1 })
        );
        assert_eq!(read(b"1 2\n1 1 \xff").unwrap_err().line, 2);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            words in proptest::collection::vec(
                (proptest::collection::vec((0u32..3).prop_map(Letter), 0..5), any::<Option<bool>>()),
                0..9),
        ) {
            let words: Vec<LabeledWord> = words.into_iter()
                .map(|(word, label)| LabeledWord { word, label }).collect();
            let (read_back, alphabet) = read(write(&words, 3).as_bytes()).unwrap();
            prop_assert_eq!(read_back, words);
            prop_assert_eq!(alphabet.len(), 3);
        }

        #[test]
        fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = read(&bytes);
        }

        #[test]
        fn anything_like_a_word_list_is_answered(
            parts in proptest::collection::vec("[0-3a-]{1,2}|\n|[ \t]", 0..40),
        ) {
            let _ = read(parts.concat().as_bytes());
        }
    }
}
