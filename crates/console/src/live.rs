//! Runs in progress, for `idiolect serve`: while a report is being made, a small hidden file beside
//! its place says how far the work is.

use crate::{output, sink};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// What the file says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Status {
    pub command: String,
    /// The report that will be there.
    pub report: String,
    /// Seconds since the start.
    pub seconds: u64,
    pub phase: String,
    pub message: String,
}

const SUFFIX: &str = ".running";
/// How often a change is written, and how often it is said that nothing changed.
const CHANGE: Duration = Duration::from_millis(400);
const HEARTBEAT: Duration = Duration::from_secs(3);
/// A file that was not written for so long belongs to a run that was killed.
const STALE: Duration = Duration::from_secs(12);

#[derive(Default)]
struct Shared {
    phase: String,
    message: String,
    is_over: bool,
}

#[derive(Default)]
struct Board {
    shared: Mutex<Shared>,
    changed: Condvar,
}

/// The one run of this process, if it makes a report.
static BOARD: OnceLock<Arc<Board>> = OnceLock::new();

/// Shows the run until it is dropped.
pub struct Live {
    board: Arc<Board>,
    writer: Option<std::thread::JoinHandle<()>>,
}

impl Live {
    /// Nothing for a report that goes to a device or a pipe: its folder is not ours.
    pub fn start(report: &Path) -> Option<Self> {
        if !sink::is_file(report) {
            return None;
        }
        let board = Arc::clone(BOARD.get_or_init(Arc::default));
        let file = status_file(report);
        let mut status = Status {
            command: output::command_line(),
            report: report
                .file_name()
                .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
            seconds: 0,
            phase: String::new(),
            message: String::new(),
        };
        let for_writer = Arc::clone(&board);
        let writer = std::thread::spawn(move || {
            let start = Instant::now();
            let mut written: Option<Instant> = None;
            // Most runs are over before anybody could look.
            let mut shared = for_writer.lock();
            loop {
                (shared, _) = for_writer
                    .changed
                    .wait_timeout_while(shared, CHANGE, |s| !s.is_over)
                    .unwrap_or_else(PoisonError::into_inner);
                if shared.is_over {
                    break;
                }
                let is_new = (&shared.phase, &shared.message) != (&status.phase, &status.message);
                if is_new || written.is_none_or(|at| at.elapsed() >= HEARTBEAT) {
                    status.phase.clone_from(&shared.phase);
                    status.message.clone_from(&shared.message);
                    status.seconds = start.elapsed().as_secs();
                    let text = serde_json::to_vec(&status).unwrap_or_default();
                    drop(shared);
                    // Nobody depends on this file.
                    let _ = sink::write(&file, &text);
                    written = Some(Instant::now());
                    shared = for_writer.lock();
                }
            }
            drop(shared);
            if written.is_some() {
                let _ = std::fs::remove_file(&file);
            }
        });
        Some(Self {
            board,
            writer: Some(writer),
        })
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.board.lock().is_over = true;
        self.board.changed.notify_all();
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

impl Board {
    fn lock(&self) -> std::sync::MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether anybody could see what is said.
pub fn is_shown() -> bool {
    BOARD.get().is_some()
}

/// Says how far the work is.
pub fn say(phase: &str, message: &str) {
    if let Some(board) = BOARD.get() {
        let mut shared = board.lock();
        phase.clone_into(&mut shared.phase);
        message.clone_into(&mut shared.message);
    }
}

fn status_file(report: &Path) -> PathBuf {
    let name = report.file_name().unwrap_or_default().to_string_lossy();
    report.with_file_name(format!(".{name}{SUFFIX}"))
}

/// The status that a file of this name holds, if it is one of a run that goes on.
pub fn read(path: &Path) -> Option<Status> {
    let name = path.file_name()?.to_str()?;
    if !name.starts_with('.') || !name.ends_with(SUFFIX) {
        return None;
    }
    let data = std::fs::metadata(path).ok()?;
    let age = SystemTime::now().duration_since(data.modified().ok()?);
    let is_alive = age.map_or(true, |age| age < STALE);
    if !is_alive || data.len() > 1 << 16 {
        return None;
    }
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}
