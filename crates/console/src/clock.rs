//! The clock of a command: one deadline from its first moment on, Ctrl-C and SIGTERM, and a safety
//! net for stages that do not look at their budget often enough.
//!
//! Every stage gets a [`Budget`] from here and ends with its best result when that ends. Who is
//! still at work a moment later is not waited for: the answer is then that there is none.

use crate::args::OutputFormat;
use crate::child;
use crate::exit::Exit;
use crate::output;
use idiolect_base::{Budget, Canceller, StopReason};
use std::os::unix::process::parent_id;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// What the process was asked to do, and until when.
struct Clock {
    start: Instant,
    timeout: Option<Duration>,
    canceller: Canceller,
    /// For an answer that somebody else has to give.
    asked: AskedCommand,
}

/// The part of a command line that an answer depends on.
#[derive(Clone, Copy, Debug)]
pub struct AskedCommand {
    pub command: &'static str,
    pub format: OutputFormat,
    pub no_timing: bool,
}

static CLOCK: OnceLock<Clock> = OnceLock::new();
/// What is being done, for those who ask why it takes so long.
static STAGE: Mutex<&'static str> = Mutex::new("");

/// Starts the clock. Only the first call counts: a process has one command.
pub fn start(timeout: Option<Duration>, canceller: &Canceller, asked: AskedCommand) {
    let clock = Clock {
        start: Instant::now(),
        timeout,
        canceller: canceller.clone(),
        asked,
    };
    // These wait for others, and end by themselves when they are told to.
    let is_patient = matches!(asked.command, "serve" | "trace");
    if CLOCK.set(clock).is_ok() && !is_patient {
        // Without it the stages look at the clock by themselves.
        let _ = std::thread::Builder::new()
            .stack_size(1 << 20)
            .spawn(|| CLOCK.get().map(watch));
    }
}

/// When the command began.
pub fn began() -> Instant {
    CLOCK.get().map_or_else(Instant::now, |clock| clock.start)
}

/// What is left for any stage.
pub fn budget() -> Budget {
    let Some(clock) = CLOCK.get() else {
        return Budget::unlimited();
    };
    let budget = Budget::unlimited().cancelled_by(&clock.canceller);
    match clock.timeout.and_then(|t| clock.start.checked_add(t)) {
        Some(deadline) => budget.until(deadline),
        None => budget,
    }
}

/// Says what is done from now on.
pub fn stage(what: &'static str) {
    *STAGE.lock().unwrap_or_else(PoisonError::into_inner) = what;
}

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(20);
/// So long after its end the work is not waited for.
const GRACE: Duration = Duration::from_millis(750);
/// Of this, so much has to be its own: on a machine that others use as well, a stage that is about
/// to end may have got no processor yet.
const OWN: Duration = Duration::from_millis(450);
/// Then whatever the machine does.
const LATEST: Duration = Duration::from_secs(2);
/// Who has given the answer is about to leave, with the exit code that belongs to it.
const AFTER_ANSWER: Duration = Duration::from_secs(4);

fn watch(clock: &Clock) {
    let budget = budget();
    let mut over: Option<(StopReason, Instant, Load)> = None;
    let parent = batch_process();
    loop {
        std::thread::sleep(PAUSE);
        if parent.is_some_and(|pid| pid != parent_id()) {
            // The batch that wanted the answer is gone.
            leave(Exit::Undecided);
        }
        let Some((reason, since, load)) = over else {
            if let Err(reason) = budget.look() {
                over = Some((reason, Instant::now(), Load::now()));
            }
            continue;
        };
        let late = since.elapsed();
        if late < GRACE {
            continue;
        }
        let own = Load::now().since(load);
        let is_starved = own.waited > GRACE / 3 && own.ran < OWN;
        if is_starved && late < LATEST {
            continue;
        }
        end(clock, reason, late);
    }
}

/// Ends the process at once: there is no memory to go on with.
pub fn end_now(reason: StopReason) {
    if let Some(clock) = CLOCK.get() {
        end(clock, reason, AFTER_ANSWER);
    }
}

/// The batch that this process is a job of, if it is one.
fn batch_process() -> Option<u32> {
    let text = std::env::var(child::PARENT).ok()?;
    // A process that a job starts has another parent from the first.
    text.parse().ok().filter(|&pid| pid == parent_id())
}

/// Gives the answer in the place of the command, unless it is giving it itself.
fn end(clock: &Clock, reason: StopReason, late: Duration) {
    // Held to the end: two answers are none.
    let Some(mut printing) = output::try_hold() else {
        return;
    };
    if printing.has_printed() && late < AFTER_ANSWER {
        return;
    }
    let stage = *STAGE.lock().unwrap_or_else(PoisonError::into_inner);
    let exit = if printing.has_printed() {
        output::print_error(&format!(
            "error[cli::cannot-write]: {reason} before all files were written\n"
        ));
        Exit::BadInput
    } else {
        printing.print(answer(clock.asked, reason, stage).as_bytes());
        Exit::Undecided
    };
    leave(exit)
}

/// The answer of a command that has none, for standard output.
pub fn answer(asked: AskedCommand, reason: StopReason, doing: &str) -> String {
    let doing = match doing {
        "" => String::new(),
        doing => format!(" while {doing}"),
    };
    let text = format!("Not finished: {reason}{doing}.");
    let seconds = (!asked.no_timing).then(|| began().elapsed().as_secs_f64());
    output::unfinished(asked.command, &text, asked.format, seconds)
}

#[allow(clippy::exit)] // The work cannot be stopped in another way.
fn leave(exit: Exit) -> ! {
    std::process::exit(i32::from(exit.code()))
}

/// What the threads of this process had of the processors, and how long they waited for one.
#[derive(Clone, Copy, Default)]
struct Load {
    ran: Duration,
    waited: Duration,
}

impl Load {
    fn now() -> Self {
        let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten();
        let texts = tasks
            .flatten()
            .filter_map(|task| std::fs::read_to_string(task.path().join("schedstat")).ok());
        texts.fold(Self::default(), |sum, text| {
            let (ran, waited) = parse_schedstat(&text).unwrap_or_default();
            Self {
                ran: sum.ran + ran,
                waited: sum.waited + waited,
            }
        })
    }

    /// Threads that have ended are not counted any more, so a sum may go down.
    fn since(self, before: Self) -> Self {
        Self {
            ran: self.ran.saturating_sub(before.ran),
            waited: self.waited.saturating_sub(before.waited),
        }
    }
}

/// Nanoseconds on a processor and waiting for one.
fn parse_schedstat(text: &str) -> Option<(Duration, Duration)> {
    let mut numbers = text.split_whitespace().map(str::parse::<u64>);
    let ran = numbers.next()?.ok()?;
    let waited = numbers.next()?.ok()?;
    Some((Duration::from_nanos(ran), Duration::from_nanos(waited)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedstat_is_read() {
        let expected = (Duration::from_micros(12), Duration::from_millis(3));
        assert_eq!(parse_schedstat("12000 3000000 17\n"), Some(expected));
        assert_eq!(parse_schedstat(""), None);
    }
}
