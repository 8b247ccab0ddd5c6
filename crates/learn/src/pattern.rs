//! Knowledge about many words at once: "these letters at these positions, therefore this answer".

use idiolect_automata::Letter;
use rustc_hash::FxHashMap;

/// All words with these letters at these positions (from 0), and of this length if one is given,
/// have this answer. An unsatisfiable core of a solver is one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern<A> {
    pub letters: Vec<(usize, Letter)>,
    pub length: Option<usize>,
    pub answer: A,
}

impl<A> Pattern<A> {
    pub fn matches(&self, word: &[Letter]) -> bool {
        self.length.is_none_or(|n| n == word.len())
            && self.letters.iter().all(|(i, a)| word.get(*i) == Some(a))
    }
}

/// Patterns, indexed by one of their letters.
#[derive(Clone, Debug)]
pub struct Patterns<A> {
    patterns: Vec<Pattern<A>>,
    /// By the last position and its letter: late letters vary most among the words of a learner.
    by_letter: FxHashMap<(usize, Letter), Vec<u32>>,
    without_letters: Vec<u32>,
}

impl<A> Default for Patterns<A> {
    fn default() -> Self {
        Self {
            patterns: Vec::new(),
            by_letter: FxHashMap::default(),
            without_letters: Vec::new(),
        }
    }
}

impl<A> Patterns<A> {
    pub fn add(&mut self, pattern: Pattern<A>) {
        let id = self.patterns.len() as u32;
        match pattern.letters.iter().max() {
            Some(&key) => self.by_letter.entry(key).or_default().push(id),
            None => self.without_letters.push(id),
        }
        self.patterns.push(pattern);
    }

    /// The answer of the first pattern added that matches.
    pub fn answer(&self, word: &[Letter]) -> Option<&A> {
        let keyed = word.iter().enumerate().filter_map(|(i, &a)| {
            let ids = self.by_letter.get(&(i, a))?;
            ids.iter().find(|&&id| self.get(id).matches(word))
        });
        let plain = self.without_letters.iter();
        let first = keyed
            .chain(plain.filter(|&&id| self.get(id).matches(word)))
            .min()?;
        Some(&self.get(*first).answer)
    }

    fn get(&self, id: u32) -> &Pattern<A> {
        &self.patterns[id as usize]
    }

    pub fn iter(&self) -> impl Iterator<Item = &Pattern<A>> {
        self.patterns.iter()
    }

    pub fn len(&self) -> usize {
        self.patterns.len()
    }

    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(letters: &[(usize, u32)], length: Option<usize>, answer: u8) -> Pattern<u8> {
        Pattern {
            letters: letters.iter().map(|&(i, a)| (i, Letter(a))).collect(),
            length,
            answer,
        }
    }

    #[test]
    fn the_first_pattern_that_matches_answers() {
        let mut patterns = Patterns::default();
        patterns.add(pattern(&[(0, 1), (2, 0)], None, 1));
        patterns.add(pattern(&[(0, 1)], Some(2), 2));
        patterns.add(pattern(&[], Some(0), 3));
        patterns.add(pattern(&[(2, 0)], None, 4));
        let check = |word: &[u32], expected: Option<u8>| {
            let word: Vec<Letter> = word.iter().map(|&a| Letter(a)).collect();
            assert_eq!(patterns.answer(&word).copied(), expected, "{word:?}");
        };
        check(&[], Some(3));
        check(&[1], None);
        check(&[1, 0], Some(2));
        check(&[1, 0, 0], Some(1));
        check(&[0, 0, 0], Some(4));
        check(&[1, 0, 1, 0], None);
    }
}
