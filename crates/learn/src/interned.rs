//! Values as small numbers, in the order in which they were first seen.
//!
//! An answer may be of any type that can be compared, so a new one is compared with all that are known. A
//! target with hundreds of different outputs would make that the most expensive part of learning. But whoever
//! answers from a table gives out the same places of memory again and again: where a value was found is a hint
//! what it is, and one comparison shows whether the hint is right.

use rustc_hash::FxHashMap;

/// With fewer values than this, all of them are compared as quickly as a hint is looked up.
const FEW: usize = 4;
/// Hints are forgotten when there are so many: a table of answers has fewer entries.
const MANY_HINTS: usize = 1 << 16;

/// So many values are compared in one go.
const PIECE: usize = 32;

/// A list of different values.
#[derive(Clone, Debug)]
pub(crate) struct Interned<O> {
    values: Vec<O>,
    /// The number of the value that was last seen at an address.
    hints: FxHashMap<usize, usize>,
}

impl<O> Default for Interned<O> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            hints: FxHashMap::default(),
        }
    }
}

impl<O: Clone + Eq> Interned<O> {
    pub(crate) fn values(&self) -> &[O] {
        &self.values
    }

    /// The number of a value, new if need be.
    #[inline]
    pub(crate) fn number(&mut self, value: &O) -> usize {
        if self.values.len() < FEW {
            return self.search(value);
        }
        let address = std::ptr::from_ref(value).addr();
        let hint = self.hints.get(&address).copied();
        if let Some(hint) = hint.filter(|&hint| self.values[hint] == *value) {
            return hint;
        }
        let number = self.search(value);
        if self.hints.len() >= MANY_HINTS {
            self.hints.clear();
        }
        self.hints.insert(address, number);
        number
    }

    fn search(&mut self, value: &O) -> usize {
        // Small values are compared several at once, if the comparison does not stop inside a piece.
        let found = |piece: &[O]| piece.iter().fold(false, |found, v| found | (v == value));
        let mut pieces = self.values.chunks(PIECE).enumerate();
        let known = pieces.find(|(_, piece)| found(piece));
        let known = known.and_then(|(i, piece)| {
            let at = piece.iter().position(|known| known == value)?;
            Some(i * PIECE + at)
        });
        known.unwrap_or_else(|| {
            self.values.push(value.clone());
            self.values.len() - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_at_an_address_that_held_another_is_not_taken_for_it() {
        let mut interned = Interned::default();
        let mut place = 0;
        let mut numbers = Vec::new();
        for value in [7, 3, 9, 1, 5, 8, 3, 7, 5, 9, 8, 5, 1] {
            place = value;
            numbers.push(interned.number(&place));
        }
        assert_eq!(place, 1);
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 1, 0, 4, 2, 5, 4, 3]);
        assert_eq!(interned.values(), [7, 3, 9, 1, 5, 8]);
    }

    #[test]
    fn many_values_have_the_numbers_of_their_first_sight() {
        let mut interned = Interned::default();
        let values: Vec<u32> = (0..200).map(|i| i * 7 % 101).collect();
        let first = |value: &u32| values.iter().position(|v| v == value);
        for value in &values {
            // Its place in memory is no hint here.
            let copies = [*value];
            assert_eq!(Some(interned.number(&copies[0])), first(value));
        }
        assert_eq!(interned.values(), &values[..101]);
    }
}
