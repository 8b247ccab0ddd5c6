//! Letters are small numbers; an [`Alphabet`] gives them names.

use idiolect_base::index_type;
use rustc_hash::FxHashMap;

index_type!(
    /// A letter, as its position in an alphabet.
    Letter
);

/// A finite sequence of letters.
pub type Word = Vec<Letter>;

/// The names of letters `0..len`. No two letters have the same name.
#[derive(Clone, Default)]
pub struct Alphabet {
    names: Vec<String>,
    /// Files may bring alphabets of many thousand names, so a name is not searched for.
    index: FxHashMap<String, Letter>,
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

    /// The alphabet whose letters are called `0`, `1`, … up to `n_letters - 1`.
    pub fn numbered(n_letters: usize) -> Self {
        Self::new((0..n_letters).map(|a| a.to_string()))
    }

    /// The letter of this name, added if it is new.
    pub fn intern(&mut self, name: &str) -> Letter {
        if let Some(letter) = self.letter(name) {
            return letter;
        }
        let letter = Letter::new(self.names.len());
        self.names.push(name.to_owned());
        self.index.insert(name.to_owned(), letter);
        letter
    }

    pub fn letter(&self, name: &str) -> Option<Letter> {
        self.index.get(name).copied()
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

    /// The word of these names, or the first name that is no letter.
    pub fn word<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Result<Word, &'a str> {
        (names.into_iter())
            .map(|name| self.letter(name).ok_or(name))
            .collect()
    }

    /// The names of a word's letters, separated by spaces; the empty word is `ε`.
    ///
    /// ```
    /// use idiolect_automata::Alphabet;
    /// let alphabet = Alphabet::new(["f", "assert"]);
    /// assert_eq!(alphabet.show(&alphabet.word(["f", "assert"]).unwrap()), "f assert");
    /// ```
    pub fn show(&self, word: &[Letter]) -> String {
        if word.is_empty() {
            return "ε".to_owned();
        }
        let names: Vec<&str> = word.iter().map(|&a| self.name(a)).collect();
        names.join(" ")
    }

    /// The alphabet with the letters of both, those of `self` first and unchanged, and the letter
    /// there of each letter of `other`. This is how two automata with their own alphabets become
    /// comparable:
    ///
    /// ```
    /// use idiolect_automata::{Alphabet, Dfa, Letter};
    /// let (old, new) = (Alphabet::new(["f", "g"]), Alphabet::new(["g", "h"]));
    /// let (both, map) = old.unite(&new);
    /// assert_eq!(both.names(), ["f", "g", "h"]);
    /// let anything = Dfa::new(new.len(), vec![true]);
    /// // Letters that the new automaton does not know are rejected.
    /// assert!(!anything.translate(both.len(), &map).accepts(&[Letter(0)]));
    /// ```
    #[must_use]
    pub fn unite(&self, other: &Self) -> (Self, Vec<Letter>) {
        let mut both = self.clone();
        let map = other.names.iter().map(|name| both.intern(name)).collect();
        (both, map)
    }
}

impl PartialEq for Alphabet {
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names
    }
}

impl Eq for Alphabet {}

impl std::fmt::Debug for Alphabet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Alphabet").field(&self.names).finish()
    }
}
