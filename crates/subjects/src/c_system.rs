//! Running a C program in the interpreter, one word after the other or on several cores: each word is
//! one run of the driver of [`c_program`](super::c_program), or the rest of one from a snapshot on.

use super::c_paths::Paths;
use super::c_program::{END, ENDED, LETTER, ReturnedValue, VALUE};
use crate::traces::Shared;
use idiolect_automata::{Letter, Word};
use idiolect_base::{Budget, StopReason};
use idiolect_interp::{
    Compiled, InputRequest, InputSource, Machine, NoObserver, Outcome, RunOptions,
};
use idiolect_ir::{InputKind, Program};
use idiolect_learn::{MembershipOracle, Trace};

/// The program as an oracle, on several cores.
pub struct CSystem<'a> {
    workers: Vec<Worker<'a>>,
    budget: &'a Budget,
}

/// What runs brought to light.
#[derive(Clone, Default)]
pub struct Seen {
    /// Why the program cannot be learned.
    pub failure: Option<String>,
    /// Of all runs from their start on, snapshots or not.
    pub steps: u64,
    pub runs: u64,
    pub own_inputs: Option<String>,
    /// Whether a step printed something.
    pub prints: bool,
}

impl<'a> CSystem<'a> {
    /// One interpreter for each thread.
    pub fn new(
        compiled: &'a Compiled,
        options: &RunOptions,
        value: &ReturnedValue,
        n_threads: usize,
        snapshots: bool,
        budget: &'a Budget,
    ) -> Self {
        let worker = |_| Worker {
            machine: Machine::new(compiled, *options),
            program: compiled.program(),
            value: value.clone(),
            paths: Paths::new(snapshots),
            seen: Seen::default(),
        };
        Self {
            workers: (0..n_threads.max(1)).map(worker).collect(),
            budget,
        }
    }

    /// Of all threads together.
    pub fn seen(&self) -> Seen {
        let mut all = Seen::default();
        for Worker { seen, .. } in &self.workers {
            all.failure = all.failure.or_else(|| seen.failure.clone());
            all.own_inputs = all.own_inputs.or_else(|| seen.own_inputs.clone());
            all.steps += seen.steps;
            all.runs += seen.runs;
            all.prints |= seen.prints;
        }
        all
    }

    /// The outputs of each word, in their order.
    fn all_outputs(&mut self, words: &[Word]) -> Result<Vec<Vec<String>>, StopReason> {
        let n = self.workers.len();
        if n == 1 || words.len() < 2 * n {
            let worker = &mut self.workers[0];
            let run = |word: &Word| worker.outputs(word, self.budget);
            return words.iter().map(run).collect();
        }
        let shared = Shared::new(self.budget);
        let shared = &shared;
        let parts: Vec<Result<Vec<Vec<String>>, StopReason>> = std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for (i, worker) in self.workers.iter_mut().enumerate() {
                // The words are sorted, so that neighbours begin alike.
                let mine = &words[words.len() * i / n..words.len() * (i + 1) / n];
                threads.push(scope.spawn(move || {
                    let budget = shared.budget();
                    let run = |word: &Word| worker.outputs(word, &budget);
                    mine.iter().map(run).collect()
                }));
            }
            let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
                let lost = |panic| std::panic::resume_unwind(panic);
                thread.join().unwrap_or_else(lost)
            };
            threads.into_iter().map(join).collect()
        });
        let parts: Vec<Vec<Vec<String>>> = parts.into_iter().collect::<Result<_, _>>()?;
        Ok(parts.concat())
    }
}

/// One interpreter.
struct Worker<'a> {
    machine: Machine<'a>,
    program: &'a Program,
    value: ReturnedValue,
    paths: Paths,
    seen: Seen,
}

/// One letter or none, then nothing: the run waits there. Other inputs are 0.
struct OneLetter {
    letter: Option<Letter>,
    other: Option<String>,
}

impl InputSource for OneLetter {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        match request.kind() {
            Some(InputKind::Nondet(name)) if name == LETTER => {
                self.letter.take().map(|a| u128::from(a.0))
            }
            kind => {
                let shown = || kind.map_or("unwritten memory".to_owned(), |k| format!("{k:?}"));
                self.other.get_or_insert_with(shown);
                Some(0)
            }
        }
    }
}

impl Worker<'_> {
    /// The outputs of a word, as many as it has letters.
    fn outputs(&mut self, word: &Word, budget: &Budget) -> Result<Vec<String>, StopReason> {
        let mut way = self.paths.begin(&mut self.machine, word);
        self.seen.runs += 1;
        let mut steps = way.steps;
        // The first piece of a run is the reset, without a letter.
        let is_new = way.outputs.is_empty() && !self.machine.waits();
        let first = is_new.then_some(None);
        let letters = word[way.outputs.len()..].iter().copied().map(Some);
        for letter in first.into_iter().chain(letters) {
            let mut source = OneLetter {
                letter,
                other: None,
            };
            let outcome = self.machine.go_on(&mut source, &mut NoObserver, budget);
            steps = outcome.steps;
            self.seen.own_inputs = self.seen.own_inputs.take().or(source.other);
            way.printed.extend_from_slice(&outcome.stdout);
            if letter.is_some() && way.printed.last() == Some(&(END as u8)) {
                let text = String::from_utf8_lossy(&way.printed).into_owned();
                way.printed.clear();
                let part = text.strip_suffix(END).unwrap_or(&text);
                self.seen.prints |= !part.starts_with(VALUE);
                way.outputs.push(self.output(part));
            }
            if !self.machine.waits() {
                let printed = String::from_utf8_lossy(&way.printed).into_owned();
                self.seen.prints |= !printed.is_empty();
                let how = self.how_it_ended(&outcome, budget)?;
                let printed = printed.trim();
                way.outputs.push(if printed.is_empty() {
                    how
                } else {
                    format!("{printed} {how}")
                });
                break;
            }
            if letter.is_some() && !way.printed.is_empty() {
                self.seen.failure = Some("a step prints more than can be kept".to_owned());
                return Err(StopReason::Interrupted);
            }
            self.paths.pass(&self.machine, &mut way, steps);
        }
        self.seen.steps += steps;
        let mut outputs = way.outputs;
        outputs.resize(word.len(), ENDED.to_owned());
        Ok(outputs)
    }

    /// What a step printed, and the value that it returned.
    fn output(&self, part: &str) -> String {
        let (printed, value) = part.split_once(VALUE).unwrap_or((part, ""));
        let name = match &self.value {
            ReturnedValue::Enum(names) => {
                let number: Option<i128> = value.parse().ok();
                let named = names.iter().find(|(_, n)| Some(*n) == number);
                named.map(|(name, _)| name.as_str())
            }
            _ => None,
        };
        let parts = [printed.trim(), name.unwrap_or(value)];
        let parts: Vec<&str> = parts.into_iter().filter(|p| !p.is_empty()).collect();
        if parts.is_empty() {
            "-".to_owned()
        } else {
            parts.join(" ").replace('\n', " ")
        }
    }

    /// A run that ended within a step: as its output, or as a reason to give up.
    fn how_it_ended(&mut self, outcome: &Outcome, budget: &Budget) -> Result<String, StopReason> {
        use idiolect_interp::End as E;
        let place = self.program.sources.place(outcome.place.span);
        let place = place.map_or(String::new(), |p| format!("{}:{}: ", p.file, p.line));
        match &outcome.end {
            E::Exit(code) => Ok(format!("(exit {code})")),
            E::Abort => Ok("(abort)".to_owned()),
            E::Error(_) => Ok("(assertion fails)".to_owned()),
            E::Fault(fault) => Ok(format!("({})", fault.kind)),
            E::AssumeEnded => Ok("(assumption fails)".to_owned()),
            E::Limit(reason) => {
                // The budget of the whole run is looked at first.
                budget.look()?;
                self.seen.failure = Some(format!("{place}a step does not end: {reason}"));
                Err(*reason)
            }
            E::Trap(gap) => {
                let gap = self.program.assumptions.get(*gap as usize);
                let construct = gap.map_or("C that is not modelled", |gap| gap.text.as_str());
                self.seen.failure = Some(format!("{place}not modelled: {construct}"));
                Err(StopReason::Interrupted)
            }
            E::InputsEnded | E::Stopped => Err(StopReason::Interrupted),
        }
    }
}

impl MembershipOracle for CSystem<'_> {
    type Answer = String;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<String>, StopReason> {
        let last = |mut outputs: Vec<String>| outputs.pop().ok_or(StopReason::Interrupted);
        let outputs = self.all_outputs(words)?;
        outputs.into_iter().map(last).collect()
    }

    fn ask_traces(&mut self, words: &[Word]) -> Result<Vec<Trace<String>>, StopReason> {
        let trace = |outputs: Vec<String>| {
            let outputs = outputs.into_iter().map(Some);
            std::iter::once(None).chain(outputs).collect()
        };
        Ok(self.all_outputs(words)?.into_iter().map(trace).collect())
    }

    fn gives_prefixes(&self) -> bool {
        true
    }
}
