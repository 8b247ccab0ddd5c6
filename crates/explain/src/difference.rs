//! What one program can do that another cannot.
//!
//! Two learned automata agree with their programs up to bounds; beyond them each generalises as it
//! likes, so their difference may have words that tell nothing. Every word of a difference is
//! therefore asked of both programs before it counts.

use crate::session::{LearnedLanguage, Session};
use crate::witness::WordWitness;
use idiolect_automata::{Alphabet, Dfa, Letter, Trimmed, Word};
use idiolect_base::StopReason;

/// So many words of a difference are asked about.
const MAX_WORDS: usize = 2_000;

/// A program with the language that was learned from it.
pub struct Side<'a> {
    pub session: Session<'a>,
    pub language: LearnedLanguage,
}

/// Words of one side that the other side has not.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The letters of both.
    pub alphabet: Alphabet,
    pub shown: Trimmed,
    /// Runs of the side that has the words, the shortest ones.
    pub witnesses: Vec<WordWitness>,
    /// Words that were asked of both sides.
    pub confirmed: usize,
    pub stopped: Option<StopReason>,
}

impl Side<'_> {
    /// The words of this side that none of the others has, in the given alphabet, which has all
    /// letters of all sides.
    pub fn without(
        &mut self,
        others: &mut [&mut Side<'_>],
        alphabet: &Alphabet,
        n_witnesses: usize,
    ) -> Difference {
        let mut dfa = self.translated(alphabet);
        for other in others.iter() {
            dfa = dfa.difference(&other.translated(alphabet));
        }
        let dfa = dfa.minimize();
        let max_length = self.session.options().max_word_length;
        let mut confirmed: Vec<Word> = Vec::new();
        let (mut has_artefacts, mut stopped) = (false, None);
        for (i, word) in dfa.accepted_words().enumerate() {
            if word.len() > max_length || i == MAX_WORDS {
                break;
            }
            match self.has_alone(others, alphabet, &word) {
                Ok(true) => confirmed.push(word),
                Ok(false) => has_artefacts = true,
                Err(reason) => {
                    stopped = Some(reason);
                    break;
                }
            }
        }
        let shown = if !(has_artefacts || confirmed.is_empty()) {
            dfa.trim()
        } else {
            finite(alphabet.len(), &confirmed).minimize().trim()
        };
        let witnesses = confirmed
            .iter()
            .take(n_witnesses)
            .filter_map(|word| {
                let own = own_word(alphabet, self.session.vocabulary().alphabet(), word)?;
                let witness = self.session.witness(&own)?;
                let word = word.clone();
                Some(WordWitness { word, ..witness })
            })
            .collect();
        Difference {
            alphabet: alphabet.clone(),
            shown,
            witnesses,
            confirmed: confirmed.len(),
            stopped,
        }
    }

    fn translated(&self, alphabet: &Alphabet) -> Dfa {
        let own = self.session.vocabulary().alphabet();
        let map: Vec<Letter> = own
            .names()
            .iter()
            .filter_map(|name| alphabet.letter(name))
            .collect();
        self.language
            .shown
            .complete()
            .translate(alphabet.len(), &map)
    }

    fn has_alone(
        &mut self,
        others: &mut [&mut Side<'_>],
        alphabet: &Alphabet,
        word: &[Letter],
    ) -> Result<bool, StopReason> {
        if !self.has(alphabet, word)? {
            return Ok(false);
        }
        for other in others {
            if other.has(alphabet, word)? || self.runs_alike(other, alphabet, word) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the other side, on the inputs that give this side the word, has it too. It may take more rounds of
    /// a loop for that than the bounds allow.
    fn runs_alike(&self, other: &Side<'_>, alphabet: &Alphabet, word: &[Letter]) -> bool {
        let own = own_word(alphabet, self.session.vocabulary().alphabet(), word);
        let member = own.and_then(|own| self.session.teacher.member(&own));
        let Some(member) = member else {
            return false;
        };
        let replay = other.session.replay(&member.inputs);
        let letters = other.session.vocabulary().alphabet();
        let theirs = replay
            .word
            .iter()
            .map(|&a| alphabet.letter(letters.name(a)));
        replay.is_wanted && theirs.eq(word.iter().map(|&a| Some(a)))
    }

    /// Whether some run of this side has the word, with the largest bound.
    fn has(&mut self, alphabet: &Alphabet, word: &[Letter]) -> Result<bool, StopReason> {
        let Some(own) = own_word(alphabet, self.session.vocabulary().alphabet(), word) else {
            return Ok(false);
        };
        let unwind = self.session.options().max_unwind;
        self.session.teacher.set_unwind(unwind);
        self.session.teacher.is_member(&own)
    }
}

/// The same word in a side's own letters, if it has them.
fn own_word(all: &Alphabet, own: &Alphabet, word: &[Letter]) -> Option<Word> {
    word.iter().map(|&a| own.letter(all.name(a))).collect()
}

fn finite(n_letters: usize, words: &[Word]) -> Dfa {
    let dfa: Dfa = words.iter().cloned().collect();
    let same: Vec<Letter> = dfa.letters().collect();
    dfa.translate(n_letters, &same)
}
