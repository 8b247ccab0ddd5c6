//! Suffixes (columns, discriminators) as chains: the first letter and the rest.
//!
//! The suffixes of a word of length m share their ends, so all m of them take m links.

use idiolect_automata::{Letter, Word};
use idiolect_base::index_type;
use rustc_hash::FxHashMap;

index_type!(
    /// A suffix of a [`SuffixPool`].
    SuffixId
);

/// The empty suffix.
pub const EMPTY: SuffixId = SuffixId(0);

/// The suffixes in use. Equal suffixes have equal ids.
#[derive(Clone, Debug)]
pub struct SuffixPool {
    /// First letter, rest, length.
    links: Vec<(Letter, SuffixId, u32)>,
    known: FxHashMap<(Letter, SuffixId), SuffixId>,
}

impl Default for SuffixPool {
    fn default() -> Self {
        Self {
            links: vec![(Letter(u32::MAX), EMPTY, 0)],
            known: FxHashMap::default(),
        }
    }
}

impl SuffixPool {
    /// `letter` followed by `rest`.
    pub fn prepend(&mut self, letter: Letter, rest: SuffixId) -> SuffixId {
        let Self { links, known } = self;
        *known.entry((letter, rest)).or_insert_with(|| {
            let length = links[rest.index()].2 + 1;
            links.push((letter, rest, length));
            SuffixId::new(links.len() - 1)
        })
    }

    pub fn insert(&mut self, word: &[Letter]) -> SuffixId {
        word.iter()
            .rev()
            .fold(EMPTY, |rest, &a| self.prepend(a, rest))
    }

    pub fn first(&self, suffix: SuffixId) -> Option<(Letter, SuffixId)> {
        let (letter, rest, length) = self.links[suffix.index()];
        (length > 0).then_some((letter, rest))
    }

    pub fn length(&self, suffix: SuffixId) -> usize {
        self.links[suffix.index()].2 as usize
    }

    /// The letters, first to last.
    pub fn letters(&self, suffix: SuffixId) -> impl Iterator<Item = Letter> + '_ {
        let mut at = suffix;
        std::iter::from_fn(move || {
            let (letter, rest) = self.first(at)?;
            at = rest;
            Some(letter)
        })
    }

    pub fn word(&self, suffix: SuffixId) -> Word {
        self.letters(suffix).collect()
    }
}
