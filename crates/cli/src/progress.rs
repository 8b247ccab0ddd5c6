//! A line on standard error while long work goes on, if somebody is there to see it.

use crate::live;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

/// A line that shows itself after a moment and goes away when the work is done.
pub struct Progress {
    bar: Option<ProgressBar>,
    what: String,
}

impl Progress {
    /// Quiet runs and pipes get none.
    pub fn start(quiet: bool, what: &str) -> Self {
        live::say(what, "");
        if quiet || !std::io::stderr().is_terminal() {
            return Self {
                bar: None,
                what: what.to_owned(),
            };
        }
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix}: {msg} ({elapsed})") {
            bar.set_style(style);
        }
        bar.set_prefix(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
        Self {
            bar: Some(bar),
            what: what.to_owned(),
        }
    }

    /// Says how far the work is. The text is made only if it is shown.
    pub fn say(&self, text: impl FnOnce() -> String) {
        if self.bar.is_none() && !live::is_shown() {
            return;
        }
        let text = text();
        live::say(&self.what, &text);
        if let Some(bar) = &self.bar {
            bar.set_message(text);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
