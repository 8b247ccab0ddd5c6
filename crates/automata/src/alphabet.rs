//! Letters are small numbers; an [`Alphabet`] gives them names.

use idiolect_base::index_type;

index_type!(
    /// A letter, as its position in an alphabet.
    Letter
);

/// A finite sequence of letters.
pub type Word = Vec<Letter>;

/// The names of letters `0..len`. No two letters have the same name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Alphabet {
    names: Vec<String>,
}

impl Alphabet {
    /// The alphabet of these names, duplicates dropped, order kept.
    pub fn new<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Self {
        let mut alphabet = Self::default();
        for name in names {
            alphabet.intern(&name.into());
        }
        alphabet
    }

    /// The letter of this name, added if it is new.
    pub fn intern(&mut self, name: &str) -> Letter {
        self.letter(name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            Letter::new(self.names.len() - 1)
        })
    }

    pub fn letter(&self, name: &str) -> Option<Letter> {
        self.names.iter().position(|n| n == name).map(Letter::new)
    }

    pub fn name(&self, letter: Letter) -> &str {
        &self.names[letter.index()]
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    pub fn letters(&self) -> impl Iterator<Item = Letter> + use<> {
        (0..self.len()).map(Letter::new)
    }
}
