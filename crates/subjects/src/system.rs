//! Learning a running system: a process or a server on this machine.

use super::active::{ComparisonMethod, Watched, comparison, drive, only_dfa};
use super::earlier::Earlier;
use super::model::{LearnedMachine, names};
use super::show::{LearningEffort, Learnt};
use super::{LearnArgs, SystemArgs};
use crate::failure::CommandFailure;
use crate::progress::ProgressLine;
use idiolect_automata::{Alphabet, Mealy, Word};
use idiolect_base::{Budget, Bug, StopReason};
use idiolect_learn::sul::{
    LineError, LineProcess, LineSocket, LogError, RunCache, RunLog, Silence, Sul, SulOracle, Voting,
};
use idiolect_learn::{Counts, Learner, LearnerKind, StartFrom};
use idiolect_outcome::Ledger;
use idiolect_outcome::results::{ContradictingRuns, SystemStatistics};
use std::cell::RefCell;

type System = Box<dyn Sul<Output = String, Error = LineError>>;
type Cache = RunCache<Voting<SulOracle<System>>>;

/// Learns a running system.
pub fn learn(
    args: &LearnArgs,
    kind: LearnerKind,
    budget: &Budget,
) -> Result<Learnt, CommandFailure> {
    only_dfa(kind)?;
    let mut alphabet = alphabet_of(&args.system.alphabet)?;
    let earlier = Earlier::read(args, &mut alphabet)?.map(|(earlier, _)| earlier);
    let old = earlier.as_ref().map(Earlier::mealy).transpose()?;
    let progress = ProgressLine::start(&args.common, "learning");
    let votes = Voting::new(
        SulOracle::new(system(&args.system, &alphabet)?),
        args.system.repeat as usize,
    );
    let mut cache = RunCache::new(votes, alphabet.len());
    if let Some(path) = &args.system.cache {
        let log = RunLog::open(path, &identity(&args.system), &alphabet);
        let (log, runs) = log.map_err(|error| log_failure(&error))?;
        cache = cache.with_log(log, &runs);
    }
    let remembered = cache.n_steps();
    let mq = RefCell::new(Watched {
        inner: cache,
        budget,
        progress: &progress,
        queries: 0,
    });
    let mut eq =
        comparison::<Mealy<String>, _>(args, ComparisonMethod::Wp, None, &mq, alphabet.len())?;
    if let Some(old) = old {
        eq = Box::new(StartFrom::new(old, &mq, eq));
    }
    let counts = || mq.borrow().inner.counts();
    let started = kind.start_mealy(alphabet.len(), &mut &mq);
    let (machine, end) = match started {
        Ok(Some(mut learner)) => {
            let end = drive(
                &mut learner,
                &mut &mq,
                eq.as_mut(),
                &counts,
                budget,
                &progress,
            );
            (Some(learner.hypothesis().clone()), end)
        }
        // The one learner without Mealy machines was refused above.
        Ok(None) => (None, stopped(StopReason::Internal(Bug::RuledOut))),
        Err(reason) => (None, stopped(reason)),
    };
    drop(eq);
    let mut cache = mq.into_inner().inner;
    if let Some(error) = cache.take_log_error() {
        return Err(log_failure(&error));
    }
    let oracle = cache.inner().inner();
    if let Some(error) = oracle.failure() {
        return Err(system_failure(error));
    }
    let machine = machine.unwrap_or_else(|| nothing_known(&cache, &alphabet));
    let system = oracle.counts();
    let disagreements = cache.inner().disagreements();
    let asked = LearningEffort::new(end, cache.counts(), None);
    let machine = LearnedMachine::Mealy(machine);
    let mut learnt = Learnt::by_queries(kind, machine, alphabet, asked, "system");
    if let Some(statistics) = learnt.queries() {
        statistics.system = Some(SystemStatistics {
            resets: system.resets,
            steps: system.steps,
            remembered_steps: remembered as u64,
        });
    }
    learnt.effort += &format!(", {} resets, {} steps", system.resets, system.steps);
    if disagreements > 0 {
        learnt.warnings.push(format!(
            "the runs of {disagreements} words did not all agree; the majority was taken"
        ));
    }
    if let Some(earlier) = &earlier {
        earlier.compare(&mut learnt);
    }
    evidence(&cache, &mut learnt);
    Ok(learnt)
}

fn stopped(reason: StopReason) -> super::active::LearningEnd {
    super::active::LearningEnd {
        rounds: 0,
        guarantee: Err(reason),
        tests: Counts::default(),
    }
}

/// A machine of one state, for runs that stopped before there was any.
fn nothing_known(cache: &Cache, alphabet: &Alphabet) -> Mealy<String> {
    Mealy::from_fn(alphabet.len(), 1, |_, a| {
        let known = cache.known(&[a]);
        (
            0,
            known
                .first()
                .map_or("?".to_owned(), |output| (*output).clone()),
        )
    })
}

/// Shows the two runs that contradict each other, if that is why learning stopped.
fn evidence(cache: &Cache, learnt: &mut Learnt) {
    let show = |outputs: &[Option<String>]| -> Vec<String> {
        let shown = outputs.iter().map(|o| o.clone().unwrap_or_default());
        shown.collect()
    };
    let (what, word, first, second): (String, &Word, Vec<String>, Vec<String>) =
        if let Some(found) = cache.contradiction() {
            (
                "the system contradicts itself".to_owned(),
                &found.word,
                found.first.clone(),
                found.second.clone(),
            )
        } else if let Some(found) = cache.inner().undecided() {
            (
                format!("no outputs have a majority after {} runs", found.runs),
                &found.word,
                show(&found.first),
                show(&found.second),
            )
        } else {
            return;
        };
    let inputs = names(&learnt.alphabet, word);
    learnt.conclusion = Learnt::undecided(what, &Ledger::default());
    learnt.notes = vec![
        format!("inputs:     {}", inputs.join(" ")),
        format!("first run:  {}", first.join(" ")),
        format!("second run: {}", second.join(" ")),
        "Is everything reset? `--restart` starts the process again, `--repeat N` votes.".to_owned(),
    ];
    learnt.contradiction = Some(ContradictingRuns {
        inputs,
        first,
        second,
    });
}

/// The inputs of `--alphabet`.
pub fn alphabet_of(names: &[String]) -> Result<Alphabet, CommandFailure> {
    let bad = |name: &String| name.is_empty() || name.contains('\n') || name == "RESET";
    if let Some(name) = names.iter().find(|name| bad(name)) {
        return Err(CommandFailure::usage(
            format!("`{name}` cannot be an input"),
            "inputs are lines that are not empty and not RESET",
        ));
    }
    let alphabet = Alphabet::new(names.iter().map(String::as_str));
    if alphabet.len() < names.len() {
        return Err(CommandFailure::usage(
            "an input is in the alphabet twice",
            "name every input once",
        ));
    }
    Ok(alphabet)
}

fn system(args: &SystemArgs, alphabet: &Alphabet) -> Result<System, CommandFailure> {
    let silence = match &args.timeout_as {
        Some(output) => Silence::Output(output.clone()),
        None => Silence::Error,
    };
    if let Some(address) = &args.tcp {
        let socket = LineSocket::new(address, alphabet.clone()).map_err(|e| system_failure(&e))?;
        let mut socket = socket.waiting(args.wait, silence);
        if let Some(command) = &args.sul {
            socket = socket.serving(command).map_err(|e| system_failure(&e))?;
        }
        return Ok(if args.restart {
            Box::new(socket.restarting())
        } else {
            Box::new(socket)
        });
    }
    let process = LineProcess::new(args.sul.clone().unwrap_or_default(), alphabet.clone());
    let process = process.waiting(args.wait, silence);
    Ok(if args.restart {
        Box::new(process.restarting())
    } else {
        Box::new(process)
    })
}

/// What has to be the same for two runs to be of the same system.
fn identity(args: &SystemArgs) -> String {
    let part = |name: &str, value: &Option<String>| {
        value
            .as_ref()
            .map_or(String::new(), |v| format!("{name} {v}\n"))
    };
    let mut text = part("sul", &args.sul) + &part("tcp", &args.tcp);
    text += &part("timeout-as", &args.timeout_as);
    if args.restart {
        text.push_str("restart\n");
    }
    text
}

fn system_failure(error: &LineError) -> CommandFailure {
    let (code, help) = match error {
        LineError::Start { .. } => ("sul::start", "check the command of `--sul`"),
        LineError::Ended { .. } => (
            "sul::ended",
            "a system answers every input with a line and goes on; use `--restart` if an input ends it for good",
        ),
        LineError::Silent { .. } => (
            "sul::silent",
            "a system answers every input with one line, and has to flush it; give it more time with `--wait`, or take silence as an output with `--timeout-as`",
        ),
        LineError::Unasked { .. } => (
            "sul::unasked",
            "a system answers every input with one line, RESET with none, and says nothing else; a few lines of Python in between can leave out greetings, or make one line of several",
        ),
        LineError::Connect { .. } => (
            "sul::connect",
            "start the server first, or give it with `--sul`",
        ),
        LineError::NotLocal { .. } => (
            "sul::not-local",
            "learning sends every input in every order: only systems on this machine are learned",
        ),
    };
    CommandFailure::BadFile {
        code,
        message: error.to_string(),
        place: None,
        help: help.to_owned(),
    }
}

fn log_failure(error: &LogError) -> CommandFailure {
    let help = match error {
        LogError::Io { .. } => "check that the file can be read and written",
        LogError::NotALog { .. } => "give `--cache` a new name, or the log of an earlier run",
        LogError::OtherSystem { .. } => {
            "runs are kept for one command and alphabet; give `--cache` another name"
        }
        LogError::BadLine { .. } => "remove the line, or begin anew with another file",
    };
    CommandFailure::BadFile {
        code: "sul::cache",
        message: error.to_string(),
        place: None,
        help: help.to_owned(),
    }
}
