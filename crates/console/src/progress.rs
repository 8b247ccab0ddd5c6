//! A line on standard error while long work goes on, if somebody is there to see it: what is done,
//! how fast it goes, and how long it takes yet.

use crate::args::CommonArgs;
use crate::clock;
use crate::live;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::io::IsTerminal;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A line that shows itself after a moment and goes away when the work is done.
pub struct ProgressLine {
    /// Keeps the rate also where it is not drawn.
    bar: ProgressBar,
    is_drawn: bool,
    what: String,
    /// When the time that the user gave is over.
    deadline: Option<Instant>,
    counted: Arc<Mutex<Counted>>,
}

/// What was counted last.
#[derive(Default)]
struct Counted {
    unit: &'static str,
    of: Option<u64>,
    shown: Option<Instant>,
}

const A_GLANCE: Duration = Duration::from_millis(50);

impl ProgressLine {
    /// Quiet runs and pipes get none.
    pub fn start(common: &CommonArgs, what: &str) -> Self {
        live::say(what, "");
        let deadline = common.timeout.and_then(|t| clock::began().checked_add(t));
        let is_drawn = !common.quiet && std::io::stderr().is_terminal();
        let bar = ProgressBar::no_length();
        if !is_drawn {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let counted = Arc::<Mutex<Counted>>::default();
        let for_line = Arc::clone(&counted);
        let template = "{spinner} {prefix}{msg}{pace} ({elapsed})";
        if let Ok(style) = ProgressStyle::with_template(template) {
            // Asked for at every tick, so the time left goes down also while the work says nothing.
            bar.set_style(style.with_key(
                "pace",
                move |state: &ProgressState, line: &mut dyn std::fmt::Write| {
                    let rate = Rate {
                        unit: unit(&for_line),
                        per_second: state.per_sec(),
                        left: state.len().map(|_| state.eta()),
                    };
                    // A line cannot fail to take it; there would be nobody to tell.
                    let _ = line.write_str(&rate.told(state.pos(), time_left(deadline)));
                },
            ));
        }
        bar.set_prefix(what.to_owned());
        if is_drawn {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Self {
            bar,
            is_drawn,
            what: what.to_owned(),
            deadline,
            counted,
        }
    }

    /// Work that is over at this moment at the latest.
    pub fn ends_within(mut self, limit: Option<Duration>) -> Self {
        let end = limit.and_then(|limit| Instant::now().checked_add(limit));
        self.deadline = self.deadline.into_iter().chain(end).min();
        self
    }

    /// Says what is being done. The text is made only if it is shown.
    pub fn say(&self, text: impl FnOnce() -> String) {
        if !self.is_seen() {
            return;
        }
        *lock(&self.counted) = Counted::default();
        self.bar.unset_length();
        self.bar.set_position(0);
        self.bar.reset_eta();
        self.show(text());
    }

    /// Says how much of it is done: `12 of 40 runs`, then its rate and the time left. This may come
    /// by the thousand; nobody reads so fast.
    pub fn count(&self, done: u64, of: Option<u64>, unit: &'static str) {
        self.count_of("", done, of, unit);
    }

    /// As [`Self::count`], after a few words on what it is.
    pub fn count_of(&self, what: &str, done: u64, of: Option<u64>, unit: &'static str) {
        if !self.is_seen() || is_just_shown(&self.counted) {
            return;
        }
        self.count_and_say(done, of, unit, || {
            let of = of.map_or_else(String::new, |of| format!(" of {}", HumanCount(of)));
            let colon = if what.is_empty() { "" } else { ": " };
            format!("{what}{colon}{}{of} {unit}", HumanCount(done))
        });
    }

    /// As [`Self::count`], where more is to be said than the numbers.
    pub fn count_and_say(
        &self,
        done: u64,
        of: Option<u64>,
        unit: &'static str,
        text: impl FnOnce() -> String,
    ) {
        if !self.is_seen() {
            return;
        }
        let now = Counted {
            unit,
            of,
            shown: Some(Instant::now()),
        };
        // Not while it is locked: what follows may draw the line, which asks for the unit.
        let before = std::mem::replace(&mut *lock(&self.counted), now);
        if (before.unit, before.of) != (unit, of) {
            match of {
                Some(of) => self.bar.set_length(of),
                None => self.bar.unset_length(),
            }
            self.bar.set_position(0);
            self.bar.reset_eta();
        }
        self.bar.set_position(done);
        self.show(text());
    }

    fn is_seen(&self) -> bool {
        self.is_drawn || live::is_shown()
    }

    fn show(&self, text: String) {
        let rate = Rate {
            unit: unit(&self.counted),
            per_second: self.bar.per_sec(),
            left: self.bar.length().map(|_| self.bar.eta()),
        };
        let pace = rate.told(self.bar.position(), time_left(self.deadline));
        live::say(&self.what, &format!("{text}{pace}"));
        self.bar.set_message(format!(": {text}"));
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn lock(counted: &Mutex<Counted>) -> MutexGuard<'_, Counted> {
    counted.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unit(counted: &Mutex<Counted>) -> &'static str {
    lock(counted).unit
}

fn is_just_shown(counted: &Mutex<Counted>) -> bool {
    (lock(counted).shown).is_some_and(|at| at.elapsed() < A_GLANCE)
}

fn time_left(deadline: Option<Instant>) -> Option<Duration> {
    deadline.map(|end| end.saturating_duration_since(Instant::now()))
}

struct Rate {
    unit: &'static str,
    per_second: f64,
    /// Until all is done, if it is known how much there is.
    left: Option<Duration>,
}

impl Rate {
    /// What is known of speed and end; nothing is said of what is not.
    fn told(&self, done: u64, limit: Option<Duration>) -> String {
        let is_moving = done > 0 && self.per_second.is_finite() && self.per_second > 0.0;
        let mut text = String::new();
        if is_moving {
            text = match self.per_second {
                many if many >= 10.0 => {
                    format!(" · {} {}/s", HumanCount(many as u64), self.unit)
                }
                few if few >= 0.1 => format!(" · {few:.1} {}/s", self.unit),
                rare => format!(" · 1 in {:.0} s", 1.0 / rare),
            };
        }
        let left = self.left.filter(|_| is_moving);
        match (left, limit) {
            (Some(left), Some(limit)) if left > limit => {
                text += &format!(" · at most {} left", in_words(limit));
            }
            (Some(left), _) => text += &format!(" · {} left", in_words(left)),
            (None, Some(limit)) => text += &format!(" · at most {} left", in_words(limit)),
            (None, None) => {}
        }
        text
    }
}

fn in_words(time: Duration) -> String {
    let seconds = time.as_secs_f64().round() as u64;
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{} h", seconds.div_ceil(3600)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(per_second: f64, left: Option<u64>, limit: Option<u64>, expected: &str) {
        let left = left.map(Duration::from_secs);
        let rate = Rate {
            unit: "runs",
            per_second,
            left,
        };
        let told = rate.told(7, limit.map(Duration::from_secs));
        assert_eq!(told, expected);
    }

    #[test]
    fn speed_and_end_are_said_where_they_are_known() {
        check(0.0, None, None, "");
        check(65_123.4, Some(3), None, " · 65,123 runs/s · 3 s left");
        check(2.25, None, None, " · 2.2 runs/s");
        check(0.05, Some(700), None, " · 1 in 20 s · 12 min left");
        check(0.0, Some(0), Some(30), " · at most 30 s left");
        check(1.0, Some(50), Some(30), " · 1.0 runs/s · at most 30 s left");
        check(1.0, Some(20), Some(30), " · 1.0 runs/s · 20 s left");
        check(f64::NAN, Some(20_000), None, "");
        let before = Rate {
            unit: "runs",
            per_second: 9.0,
            left: Some(Duration::ZERO),
        };
        assert_eq!(
            before.told(0, None),
            "",
            "before the first there is no end in sight"
        );
    }
}
