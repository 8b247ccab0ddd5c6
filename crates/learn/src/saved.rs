//! A learner's state in a file.
//!
//! Learners are deterministic: what they were told is their whole state. So a saved learner is its
//! name, the answers it got and its counterexamples, and restoring it is learning once more from
//! these, without asking anybody. That holds for a learner that was stopped midway as well: it
//! stops at the same question again. A file that was tampered with gives an error or a learner
//! that has other answers, never a broken one.

use crate::answer_tree::ROOT;
use crate::cache_file::{CacheFileError, write_beside};
use crate::{
    AnswerTree, Counterexample, DfaLearner, Learner, LearnerKind, MembershipOracle, MooreLearner,
    RefineError, Trace,
};
use idiolect_automata::{Letter, Word};
use idiolect_base::{Bug, StopReason};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::path::Path;

const FORMAT: &str = "idiolect-learner";
const VERSION: u32 = 1;
/// A damaged number of letters must not make us reserve all memory.
const MAX_LETTERS: usize = 1 << 20;

/// What is written to a file for a learner.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Saved<O> {
    format: String,
    version: u32,
    learner: String,
    letters: usize,
    /// Whether the answers of prefixes came for free.
    prefixes: bool,
    answers: Vec<O>,
    /// Words with the positions of their answers in `answers`.
    words: Vec<(Vec<u32>, u32)>,
    /// The same for the counterexamples, in the order in which they came.
    counterexamples: Vec<(Vec<u32>, u32)>,
}

/// Why a learner could not be restored.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    #[error(transparent)]
    File(#[from] CacheFileError),
    #[error("not a saved learner: {0}")]
    Syntax(#[from] serde_json::Error),
    #[error("not a learner of version {VERSION}")]
    Version,
    #[error("there is no learner `{name}` for these answers")]
    UnknownLearner { name: String },
    #[error("the saved learner contradicts itself")]
    Inconsistent,
}

impl<O: Clone + Eq> Saved<O> {
    fn of(kind: LearnerKind, learner: &dyn Learner<O>) -> Self {
        let notes = learner.notes();
        let tree = &notes.answers;
        let plain = |word: &[Letter]| word.iter().map(|a| a.0).collect::<Vec<u32>>();
        let mut answers = tree.values().to_vec();
        let counterexamples = notes
            .counterexamples
            .iter()
            .map(|cex| {
                let at = answers.iter().position(|a| *a == cex.answer);
                let at = at.unwrap_or_else(|| {
                    answers.push(cex.answer.clone());
                    answers.len() - 1
                });
                (plain(&cex.word), at as u32)
            })
            .collect();
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            learner: kind.name().to_owned(),
            letters: tree.n_letters(),
            prefixes: tree.uses_traces(),
            words: tree
                .entries()
                .map(|(word, answer)| (plain(&word), answer.0))
                .collect(),
            answers,
            counterexamples,
        }
    }

    /// The state of a learner.
    pub fn of_moore(learner: &MooreLearner<O>) -> Self {
        Self::of(learner.kind(), learner)
    }

    /// The learner as it was, without asking a question.
    pub fn restore_moore(&self) -> Result<MooreLearner<O>, RestoreError> {
        let (kind, mut replay) = self.open()?;
        let learner = kind.start_moore(self.letters, &mut replay);
        let learner = learner.map_err(|_| RestoreError::Inconsistent)?;
        let mut learner = learner.ok_or_else(|| self.unknown())?;
        self.replay(&mut learner, &mut replay)?;
        Ok(learner)
    }

    /// The letters of the alphabet.
    pub fn n_letters(&self) -> usize {
        self.letters
    }

    fn unknown(&self) -> RestoreError {
        RestoreError::UnknownLearner {
            name: self.learner.clone(),
        }
    }

    fn open(&self) -> Result<(LearnerKind, Replay<O>), RestoreError> {
        if self.format != FORMAT || self.version != VERSION {
            return Err(RestoreError::Version);
        }
        if self.letters > MAX_LETTERS {
            return Err(RestoreError::Inconsistent);
        }
        let kind = LearnerKind::from_name(&self.learner).ok_or_else(|| self.unknown())?;
        let mut known = AnswerTree::new(self.letters);
        for (word, answer) in &self.words {
            let word = self.word(word)?;
            let node = known.extend_by(ROOT, &word);
            let recorded = known.record(node, self.answer(*answer)?);
            recorded.map_err(|_| RestoreError::Inconsistent)?;
        }
        let prefixes = self.prefixes;
        Ok((kind, Replay { known, prefixes }))
    }

    fn replay(
        &self,
        learner: &mut dyn Learner<O>,
        replay: &mut Replay<O>,
    ) -> Result<(), RestoreError> {
        // A stop is fine: the learner had not been told more.
        let _ = learner.complete(replay);
        for (word, answer) in &self.counterexamples {
            let cex = Counterexample {
                word: self.word(word)?,
                answer: self.answer(*answer)?.clone(),
            };
            match learner.refine(&cex, replay) {
                // A word that came while others were waiting may have been learned with them.
                Ok(()) | Err(RefineError::Stopped(_) | RefineError::NotACounterexample { .. }) => {}
                Err(_) => return Err(RestoreError::Inconsistent),
            }
        }
        Ok(())
    }

    fn word(&self, word: &[u32]) -> Result<Word, RestoreError> {
        let known = word.iter().all(|&a| (a as usize) < self.letters);
        known
            .then(|| word.iter().map(|&a| Letter(a)).collect())
            .ok_or(RestoreError::Inconsistent)
    }

    fn answer(&self, at: u32) -> Result<&O, RestoreError> {
        self.answers
            .get(at as usize)
            .ok_or(RestoreError::Inconsistent)
    }
}

impl Saved<bool> {
    /// The state of a learner.
    pub fn of_dfa(learner: &DfaLearner) -> Self {
        Self::of(learner.kind(), learner)
    }

    /// The learner as it was, without asking a question.
    pub fn restore_dfa(&self) -> Result<DfaLearner, RestoreError> {
        let (kind, mut replay) = self.open()?;
        let learner = kind.start_dfa(self.letters, &mut replay);
        let mut learner = learner.map_err(|_| RestoreError::Inconsistent)?;
        self.replay(&mut learner, &mut replay)?;
        Ok(learner)
    }
}

impl<O: Serialize + DeserializeOwned> Saved<O> {
    /// Writes the file beside `path` and renames it.
    pub fn write(&self, path: &Path) -> Result<(), CacheFileError> {
        write_beside(path, |out| Ok(serde_json::to_writer(out, self)?))
    }

    pub fn read(path: &Path) -> Result<Self, RestoreError> {
        let text = std::fs::read(path).map_err(|source| CacheFileError::Io {
            path: path.to_owned(),
            source,
        })?;
        Ok(serde_json::from_slice(&text)?)
    }
}

/// Answers what was answered before, and stops at anything else.
struct Replay<O> {
    known: AnswerTree<O>,
    prefixes: bool,
}

impl<O: Clone + Eq> Replay<O> {
    fn known(&self, word: &[Letter]) -> Option<O> {
        let node = self.known.find(ROOT, word)?;
        self.known.answer(node).map(|a| self.known.value(a).clone())
    }
}

impl<O: Clone + Eq> MembershipOracle for Replay<O> {
    type Answer = O;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<O>, StopReason> {
        let answers: Option<Vec<O>> = words.iter().map(|w| self.known(w)).collect();
        answers.ok_or(StopReason::Internal(Bug::NoAnswer))
    }

    fn ask_traces(&mut self, words: &[Word]) -> Result<Vec<Trace<O>>, StopReason> {
        let trace = |word: &Word| {
            self.known(word)?;
            Some((0..=word.len()).map(|i| self.known(&word[..i])).collect())
        };
        let traces: Option<Vec<Trace<O>>> = words.iter().map(trace).collect();
        traces.ok_or(StopReason::Internal(Bug::NoAnswer))
    }

    fn gives_prefixes(&self) -> bool {
        self.prefixes
    }
}
