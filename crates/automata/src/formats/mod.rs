//! Reading and writing automata.
//!
//! | module | what |
//! |---|---|
//! | `json` (feature `serde`) | our own form, with marks for display; reads back what it writes |
//! | `dot` (feature `dot`) | Graphviz, as LearnLib and AALpy write and read it |
//! | [`abbadingo`] | lists of labeled words |
//! | [`words`] | those, or one word a line |
//! | [`regex`] | regular expressions, to show small languages |
//!
//! Every reader takes bytes and answers each of them with an automaton or with a [`ReadError`]
//! that names a line and a way out.

pub mod abbadingo;
#[cfg(feature = "dot")]
pub mod dot;
#[cfg(feature = "dot")]
mod dot_lexer;
#[cfg(feature = "dot")]
mod dot_mealy;
#[cfg(feature = "dot")]
mod dot_parser;
#[cfg(feature = "dot")]
mod dot_write;
#[cfg(feature = "serde")]
pub mod json;
#[cfg(feature = "serde")]
mod json_pieces;
pub mod regex;
pub mod words;

/// What is wrong with a file, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ReadError<P: std::error::Error> {
    /// Counted from 1.
    pub line: usize,
    pub problem: P,
}

/// A problem that knows what to do about it.
pub trait Help {
    /// One sentence for the user.
    fn help(&self) -> &'static str;
}

impl<P: std::error::Error + Help> ReadError<P> {
    /// What to do about it.
    pub fn help(&self) -> &'static str {
        self.problem.help()
    }
}

/// The text of a file, or the line of the first byte that is not UTF-8.
fn text(bytes: &[u8]) -> Result<&str, usize> {
    std::str::from_utf8(bytes).map_err(|error| line_of(bytes, error.valid_up_to()))
}

/// The line, counted from 1, of a position in a file.
fn line_of(bytes: &[u8], position: usize) -> usize {
    let before = &bytes[..position.min(bytes.len())];
    1 + before.iter().filter(|&&byte| byte == b'\n').count()
}
