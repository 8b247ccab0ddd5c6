//! A map from words to answers that is built for tens of millions of words.
//!
//! A hash table of whole words in a few flat arrays: no allocation per word, 12 bytes a word, 8 bytes
//! a slot of the table, and one byte a letter (four if some letter is above 255). A word that is new
//! is one access to memory that is not near the last one; a tree of letters takes one or two for
//! each letter, and its nodes take more than the letters that they share. Prefixes that come one
//! after another, as those of a trace do, share their letters.
//!
//! Ten million random words of length 20 over 10 letters take 0.6 GiB, growth of the arrays
//! included.

use idiolect_automata::{Letter, Word};

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Where the letters of the word are.
    start: u32,
    len: u32,
    answer: u32,
}

/// A word by its hash, of which some bits are kept: only a word that has them is looked at.
#[derive(Clone, Copy, Debug)]
struct Slot {
    tag: u32,
    entry: u32,
}

/// Letters, narrow as long as they can be.
#[derive(Clone, Debug)]
enum Letters {
    Narrow(Vec<u8>),
    Wide(Vec<u32>),
}

impl Letters {
    fn len(&self) -> usize {
        match self {
            Letters::Narrow(letters) => letters.len(),
            Letters::Wide(letters) => letters.len(),
        }
    }

    /// How many letters from a position on are those of a word.
    fn in_common(&self, start: usize, word: &[Letter]) -> usize {
        fn count<T: Copy + Into<u32>>(letters: &[T], word: &[Letter]) -> usize {
            let pairs = letters.iter().zip(word);
            pairs.take_while(|(a, b)| (**a).into() == b.0).count()
        }
        match self {
            Letters::Narrow(letters) => count(&letters[start..], word),
            Letters::Wide(letters) => count(&letters[start..], word),
        }
    }

    fn hash(&self, entry: Entry) -> u64 {
        let range = entry.start as usize..(entry.start + entry.len) as usize;
        match self {
            Letters::Narrow(letters) => hash_letters(letters[range].iter().map(|&a| a.into())),
            Letters::Wide(letters) => hash_letters(letters[range].iter().copied()),
        }
    }

    fn word(&self, entry: Entry) -> Word {
        let range = entry.start as usize..(entry.start + entry.len) as usize;
        match self {
            Letters::Narrow(letters) => letters[range]
                .iter()
                .map(|&a| Letter(u32::from(a)))
                .collect(),
            Letters::Wide(letters) => letters[range].iter().map(|&a| Letter(a)).collect(),
        }
    }

    fn extend(&mut self, word: &[Letter]) {
        if let Letters::Narrow(letters) = self
            && word.iter().any(|a| a.0 > 255)
        {
            *self = Letters::Wide(letters.iter().map(|&a| u32::from(a)).collect());
        }
        match self {
            Letters::Narrow(letters) => letters.extend(word.iter().map(|a| a.0 as u8)),
            Letters::Wide(letters) => letters.extend(word.iter().map(|a| a.0)),
        }
    }
}

/// Words and their answers.
#[derive(Clone, Debug)]
pub struct WordMap<A> {
    entries: Vec<Entry>,
    /// Entries by hash: open addressing, a power of two of slots.
    slots: Vec<Slot>,
    letters: Letters,
    answers: Vec<A>,
}

/// There is no room for another word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the table of words is full")]
pub struct Full;

impl<A: Clone + Eq> Default for WordMap<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Clone + Eq> WordMap<A> {
    pub fn new() -> Self {
        Self {
            entries: Vec::new(),
            slots: vec![EMPTY; 16],
            letters: Letters::Narrow(Vec::new()),
            answers: Vec::new(),
        }
    }

    /// The number of words with an answer.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The memory that the map has reserved, without what the answers own themselves.
    pub fn reserved_bytes(&self) -> usize {
        let letters = match &self.letters {
            Letters::Narrow(letters) => letters.capacity(),
            Letters::Wide(letters) => letters.capacity() * size_of::<u32>(),
        };
        let slots = self.slots.capacity() * size_of::<Slot>();
        letters + slots + self.entries.capacity() * size_of::<Entry>()
    }

    pub fn get(&self, word: &[Letter]) -> Option<&A> {
        let slot = self.slots[self.find(word, hash(word))];
        let entry = self.entries.get(slot.entry as usize)?;
        self.answers.get(entry.answer as usize)
    }

    /// Sets the answer of a word.
    pub fn insert(&mut self, word: &[Letter], answer: &A) -> Result<(), Full> {
        let id = match self.answers.iter().position(|a| a == answer) {
            Some(id) => id as u32,
            None => {
                self.answers.push(answer.clone());
                self.answers.len() as u32 - 1
            }
        };
        let hash = hash(word);
        let mut slot = self.find(word, hash);
        if let Some(entry) = self.entries.get_mut(self.slots[slot].entry as usize) {
            entry.answer = id;
            return Ok(());
        }
        // Offsets are 32 bits wide.
        if self.entries.len() + 1 >= NONE as usize
            || self.letters.len() + word.len() >= NONE as usize
        {
            return Err(Full);
        }
        if self.entries.len() + 1 > self.slots.len() / 4 * 3 {
            self.grow();
            slot = self.find(word, hash);
        }
        self.slots[slot] = Slot {
            tag: tag(hash),
            entry: self.entries.len() as u32,
        };
        let start = self.store(word);
        self.entries.push(Entry {
            start,
            len: word.len() as u32,
            answer: id,
        });
        Ok(())
    }

    /// All words with their answers, in the order of letters.
    pub fn iter(&self) -> impl Iterator<Item = (Word, &A)> {
        let mut order: Vec<u32> = (0..self.entries.len() as u32).collect();
        order.sort_by(|&x, &y| {
            let (x, y) = (self.entries[x as usize], self.entries[y as usize]);
            self.letters.word(x).cmp(&self.letters.word(y))
        });
        order.into_iter().filter_map(|i| {
            let entry = self.entries[i as usize];
            let answer = self.answers.get(entry.answer as usize)?;
            Some((self.letters.word(entry), answer))
        })
    }

    /// The slot of a word, or the empty slot where it would be.
    #[inline]
    fn find(&self, word: &[Letter], hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let Slot { tag: found, entry } = self.slots[slot];
            if entry == NONE {
                return slot;
            }
            if found == tag(hash) {
                let Entry { start, len, .. } = self.entries[entry as usize];
                if len as usize == word.len()
                    && self.letters.in_common(start as usize, word) == word.len()
                {
                    return slot;
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Where the letters of a new word are. If it goes on where the word before ends, or is a
    /// prefix of it, the two share their letters.
    fn store(&mut self, word: &[Letter]) -> u32 {
        if let Some(&Entry { start, len, .. }) = self.entries.last() {
            let same = self.letters.in_common(start as usize, word);
            let is_last = (start + len) as usize == self.letters.len();
            if same == word.len() || (is_last && same == len as usize) {
                self.letters.extend(&word[same..]);
                return start;
            }
        }
        let start = self.letters.len() as u32;
        self.letters.extend(word);
        start
    }

    /// Doubles the table and enters all words anew.
    fn grow(&mut self) {
        let n = self.slots.len() * 2;
        // The old table goes first, so that there are never two.
        self.slots = Vec::new();
        self.slots.resize(n, EMPTY);
        let mask = n - 1;
        for (i, &entry) in self.entries.iter().enumerate() {
            let hash = self.letters.hash(entry);
            let mut slot = hash as usize & mask;
            while self.slots[slot].entry != NONE {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = Slot {
                tag: tag(hash),
                entry: i as u32,
            };
        }
    }
}

const EMPTY: Slot = Slot {
    tag: 0,
    entry: NONE,
};

/// The high bits of a hash; the low ones choose the slot.
fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

fn hash(word: &[Letter]) -> u64 {
    hash_letters(word.iter().map(|a| a.0))
}

fn hash_letters(letters: impl Iterator<Item = u32>) -> u64 {
    let mix = |hash: u64, a: u32| {
        (hash ^ u64::from(a).wrapping_add(1))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(29)
    };
    let hash = letters.fold(0, mix);
    // The last letters have to reach all bits.
    let hash = (hash ^ hash >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    hash ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn prefixes_share_their_letters() {
        let word: Word = (0..1000).map(|i| Letter(i % 7)).collect();
        let mut up = WordMap::new();
        let mut down = WordMap::new();
        for i in 0..=word.len() {
            up.insert(&word[..i], &(i % 3)).unwrap();
            let i = word.len() - i;
            down.insert(&word[..i], &(i % 3)).unwrap();
        }
        for map in [up, down] {
            assert_eq!(map.letters.len(), word.len());
            assert!((0..=word.len()).all(|i| map.get(&word[..i]) == Some(&(i % 3))));
            assert_eq!(map.get(&word[1..]), None);
        }
    }

    proptest! {
        #[test]
        fn behaves_like_a_map(
            entries in proptest::collection::vec(
                (proptest::collection::vec(0u32..3, 0..6), 0u8..3), 0..60),
            wide in any::<bool>(),
        ) {
            let letter = |a: u32| Letter(if wide && a == 2 { 1000 } else { a });
            let mut map = WordMap::new();
            let mut model: BTreeMap<Word, u8> = BTreeMap::new();
            for (word, answer) in entries {
                let word: Word = word.into_iter().map(letter).collect();
                map.insert(&word, &answer).unwrap();
                model.insert(word, answer);
            }
            prop_assert_eq!(map.len(), model.len());
            let listed: Vec<(Word, u8)> = map.iter().map(|(w, a)| (w, *a)).collect();
            let expected: Vec<(Word, u8)> = model.clone().into_iter().collect();
            prop_assert_eq!(listed, expected);
            for len in 0..5usize {
                for code in 0..3usize.pow(len as u32) {
                    let word: Word =
                        (0..len).map(|i| letter((code / 3usize.pow(i as u32) % 3) as u32)).collect();
                    prop_assert_eq!(map.get(&word), model.get(&word));
                }
            }
        }
    }
}
