//! What all runs of a system have shown.

#[cfg(feature = "serde")]
use super::{LogError, RunLog};
use crate::{Counts, MembershipOracle, Trace};
use idiolect_automata::{Letter, Word};
use idiolect_base::{Bug, StopReason};
use rustc_hash::FxHashMap;

/// Two runs with the same inputs whose last outputs differ: the system is not deterministic, or its
/// reset does not reset everything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contradiction<A> {
    pub word: Word,
    /// The outputs of an earlier run.
    pub first: Vec<A>,
    /// The outputs now.
    pub second: Vec<A>,
}

/// Remembers every run of a system, asks for a word only if some answer on its way is not known, and
/// compares each new run with all earlier ones.
pub struct RunCache<M: MembershipOracle> {
    inner: M,
    n_letters: usize,
    /// For each node and letter the next node and the output.
    steps: FxHashMap<(u32, Letter), (u32, M::Answer)>,
    n_nodes: u32,
    counts: Counts,
    in_batches: bool,
    contradiction: Option<Contradiction<M::Answer>>,
    #[cfg(feature = "serde")]
    log: Option<Log<M::Answer>>,
    #[cfg(feature = "serde")]
    log_error: Option<LogError>,
}

/// Where a run is written to.
#[cfg(feature = "serde")]
type Log<A> = Box<dyn FnMut(&[Letter], &[A]) -> Result<(), LogError>>;

impl<M: MembershipOracle> RunCache<M> {
    pub fn new(inner: M, n_letters: usize) -> Self {
        Self {
            inner,
            n_letters,
            steps: FxHashMap::default(),
            n_nodes: 1,
            counts: Counts::default(),
            in_batches: false,
            contradiction: None,
            #[cfg(feature = "serde")]
            log: None,
            #[cfg(feature = "serde")]
            log_error: None,
        }
    }

    /// Hands all words of a batch on at once, for an oracle that runs them side by side. If a log is
    /// kept, a kill then costs the batch.
    #[must_use]
    pub fn in_batches(mut self) -> Self {
        self.in_batches = true;
        self
    }

    pub fn inner(&self) -> &M {
        &self.inner
    }

    /// What went on to the inner oracle.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The steps that are remembered.
    pub fn n_steps(&self) -> usize {
        self.steps.len()
    }

    /// Why learning stopped, if the system contradicted itself.
    pub fn contradiction(&self) -> Option<&Contradiction<M::Answer>> {
        self.contradiction.as_ref()
    }

    /// Why learning stopped, if the log could not be written.
    #[cfg(feature = "serde")]
    pub fn take_log_error(&mut self) -> Option<LogError> {
        self.log_error.take()
    }

    /// The outputs of a word, as far as they are known.
    pub fn known(&self, word: &[Letter]) -> Vec<&M::Answer> {
        let mut at = 0;
        let outputs = word.iter().map_while(|&a| {
            let (next, output) = self.steps.get(&(at, a))?;
            at = *next;
            Some(output)
        });
        outputs.collect()
    }

    /// Remembers a run. Whether it agrees with all others; if not, the contradiction is kept.
    pub fn remember(&mut self, word: &[Letter], outputs: &[M::Answer]) -> bool {
        let mut at = 0;
        for (i, (&a, output)) in word.iter().zip(outputs).enumerate() {
            let fresh = self.n_nodes;
            let (next, known) = (self.steps)
                .entry((at, a))
                .or_insert_with(|| (fresh, output.clone()));
            if *next == fresh {
                self.n_nodes += 1;
            }
            if known != output {
                let first = self.known(&word[..=i]).into_iter().cloned().collect();
                self.contradiction = Some(Contradiction {
                    word: word[..=i].to_vec(),
                    first,
                    second: outputs[..=i].to_vec(),
                });
                return false;
            }
            at = *next;
        }
        true
    }

    fn still_good(&self) -> Result<(), StopReason> {
        #[cfg(feature = "serde")]
        if self.log_error.is_some() {
            return Err(StopReason::Interrupted);
        }
        match self.contradiction {
            Some(_) => Err(StopReason::Interrupted),
            None => Ok(()),
        }
    }

    /// Asks for those words of a batch that are not known, nor the beginning of another.
    fn ask_batch(&mut self, words: &[Word]) -> Result<(), StopReason> {
        let is_open = |word: &&Word| {
            let in_alphabet = word.iter().all(|a| a.index() < self.n_letters);
            in_alphabet && self.known(word).len() < word.len()
        };
        let mut open: Vec<Word> = words.iter().filter(is_open).cloned().collect();
        // The words that begin with a word come right after it.
        open.sort_unstable();
        open.dedup();
        let next: Vec<Word> = open.iter().skip(1).cloned().collect();
        let mut next = next.iter();
        open.retain(|word| next.next().is_none_or(|after| !after.starts_with(word)));
        if open.is_empty() {
            return Ok(());
        }
        let traces = self.inner.ask_traces(&open)?;
        for (word, trace) in open.iter().zip(traces) {
            let outputs: Option<Vec<M::Answer>> = trace.into_iter().skip(1).collect();
            let outputs = outputs.ok_or(StopReason::Internal(Bug::NoAnswer))?;
            self.note(word, &outputs)?;
        }
        Ok(())
    }

    fn trace(&mut self, word: &Word) -> Result<Trace<M::Answer>, StopReason> {
        if word.iter().any(|a| a.index() >= self.n_letters) {
            return Err(StopReason::Interrupted);
        }
        let known = self.known(word);
        if known.len() == word.len() {
            let known = known.into_iter().map(|output| Some(output.clone()));
            return Ok(std::iter::once(None).chain(known).collect());
        }
        let mut traces = self.inner.ask_traces(std::slice::from_ref(word))?;
        let trace = traces.pop().ok_or(StopReason::Internal(Bug::NoAnswer))?;
        let outputs: Option<Vec<M::Answer>> = trace.iter().skip(1).cloned().collect();
        // An oracle that does not answer all prefixes is no running system.
        let outputs = outputs.ok_or(StopReason::Internal(Bug::NoAnswer))?;
        self.note(word, &outputs)?;
        Ok(trace)
    }

    /// Counts, remembers and writes down a new run.
    fn note(&mut self, word: &[Letter], outputs: &[M::Answer]) -> Result<(), StopReason> {
        self.counts.queries += 1;
        self.counts.batches += 1;
        self.counts.symbols += word.len() as u64;
        if outputs.len() != word.len() {
            return Err(StopReason::Internal(Bug::NoAnswer));
        }
        if !self.remember(word, outputs) {
            return Err(StopReason::Contradiction);
        }
        #[cfg(feature = "serde")]
        if let Some(log) = &mut self.log
            && let Err(error) = log(word, outputs)
        {
            self.log_error = Some(error);
            return Err(StopReason::Interrupted);
        }
        Ok(())
    }
}

#[cfg(feature = "serde")]
impl<M: MembershipOracle<Answer = String>> RunCache<M> {
    /// Writes every new run to a log, after what the log has is remembered.
    #[must_use]
    pub fn with_log(mut self, mut log: RunLog, runs: &[(Word, Vec<String>)]) -> Self {
        for (word, outputs) in runs {
            if !self.remember(word, outputs) {
                break;
            }
        }
        self.log = Some(Box::new(move |word, outputs| log.add(word, outputs)));
        self
    }
}

impl<M: MembershipOracle> MembershipOracle for RunCache<M> {
    type Answer = M::Answer;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<M::Answer>, StopReason> {
        let traces = self.ask_traces(words)?;
        let last = |mut trace: Trace<M::Answer>| trace.pop().flatten();
        let answers: Option<Vec<M::Answer>> = traces.into_iter().map(last).collect();
        answers.ok_or(StopReason::Internal(Bug::NoAnswer))
    }

    fn ask_traces(&mut self, words: &[Word]) -> Result<Vec<Trace<M::Answer>>, StopReason> {
        self.still_good()?;
        if self.in_batches && words.len() > 1 {
            self.ask_batch(words)?;
        }
        words.iter().map(|word| self.trace(word)).collect()
    }

    fn ask_stepwise(
        &mut self,
        front: &[Letter],
        next: &mut dyn FnMut(&[M::Answer]) -> Option<Letter>,
    ) -> Result<Option<(Word, Vec<M::Answer>)>, StopReason> {
        self.still_good()?;
        let mut word: Word = front.to_vec();
        let mut outputs: Vec<M::Answer> = self.known(front).into_iter().cloned().collect();
        // What is known is not run. The first letter beyond is part of the front then.
        while outputs.len() == word.len() {
            match next(&outputs) {
                None => return Ok(Some((word, outputs))),
                Some(letter) if letter.index() >= self.n_letters => {
                    return Err(StopReason::Interrupted);
                }
                Some(letter) => word.push(letter),
            }
            outputs = self.known(&word).into_iter().cloned().collect();
        }
        let run = self.inner.ask_stepwise(&word, next)?;
        match run {
            Some((word, outputs)) => {
                self.note(&word, &outputs)?;
                Ok(Some((word, outputs)))
            }
            // As far as the letters were chosen, this is a word like others.
            None => {
                let trace = self.trace(&word)?;
                let outputs: Vec<M::Answer> = trace.into_iter().flatten().collect();
                Ok(Some((word, outputs)))
            }
        }
    }

    fn gives_prefixes(&self) -> bool {
        true
    }
}
