//! Analyses for an editor: each in a process of its own, so that a newer version of a file ends the
//! work on an older one, and nothing that goes wrong there costs the session.

use super::show;
use lsp_server::{ErrorCode, Message, Notification, RequestId, Response};
use lsp_types::Uri;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a process is looked at.
const LOOK: Duration = Duration::from_millis(20);
/// Longer outcomes are not read.
const LONGEST: u64 = 64 << 20;

/// Something that a person asked for. Lines begin with 1.
pub enum FileCheck {
    Explain(PathBuf, u64),
    Diff(PathBuf),
    Report(PathBuf),
    /// The file, and its address.
    Repair(PathBuf, String),
}

/// The last outcome of each file.
type Outcomes = Arc<Mutex<BTreeMap<String, Arc<Value>>>>;
/// Whoever sends to the editor.
pub type EditorSide = Arc<dyn Fn(Message) + Send + Sync>;

/// Who looks at files, one after the other.
pub struct Analyst {
    editor: EditorSide,
    seconds: u64,
    outcomes: Outcomes,
    /// What `repair` said about the version that was saved last.
    repairs: Outcomes,
    /// By file: set when its analysis is no longer wanted.
    running: BTreeMap<String, Arc<AtomicBool>>,
    /// Reports are for as long as the session.
    folder: Option<Arc<tempfile::TempDir>>,
    n_reports: usize,
    is_over: Arc<AtomicBool>,
}

impl Analyst {
    /// Starts with no file.
    pub fn new(editor: EditorSide, seconds: u64) -> Self {
        Self {
            editor,
            seconds,
            outcomes: Outcomes::default(),
            repairs: Outcomes::default(),
            running: BTreeMap::new(),
            folder: tempfile::tempdir().ok().map(Arc::new),
            n_reports: 0,
            is_over: Arc::default(),
        }
    }

    /// What was said of a file last.
    pub fn known(&self, address: &str) -> Option<Arc<Value>> {
        lock(&self.outcomes).get(address).cloned()
    }

    /// The changes that were found for it.
    pub fn repairs(&self, address: &str) -> Option<Arc<Value>> {
        lock(&self.repairs).get(address).cloned()
    }

    /// Ends the process that is at work.
    pub fn stop(&self) {
        self.is_over.store(true, Ordering::Relaxed);
        for unwanted in self.running.values() {
            unwanted.store(true, Ordering::Relaxed);
        }
    }

    /// Ends the work on a file, and what was said about it.
    pub fn forget(&mut self, address: &str) {
        if let Some(unwanted) = self.running.remove(address) {
            unwanted.store(true, Ordering::Relaxed);
        }
        lock(&self.outcomes).remove(address);
        lock(&self.repairs).remove(address);
        let nothing = json!({ "uri": address, "diagnostics": [] });
        tell(&self.editor, "textDocument/publishDiagnostics", nothing);
    }

    /// Looks at a file that was opened or saved.
    pub fn verify(&mut self, uri: &Uri, path: &Path, root: &Path) {
        let address = uri.as_str().to_owned();
        let unwanted = Arc::new(AtomicBool::new(false));
        if let Some(old) = self.running.insert(address.clone(), Arc::clone(&unwanted)) {
            old.store(true, Ordering::Relaxed);
        }
        lock(&self.repairs).remove(&address);
        let mut command = own(root);
        command
            .args(["verify", "--json", "--no-timing", "--timeout"])
            .arg(self.seconds.to_string())
            .arg("--")
            .arg(path);
        let (editor, outcomes) = (self.editor.clone(), Arc::clone(&self.outcomes));
        let (path, root) = (path.to_owned(), root.to_owned());
        std::thread::spawn(move || {
            let Ok(Some(said)) = finish(&mut command, &unwanted) else {
                return;
            };
            let outcome: Value = serde_json::from_slice(&said).unwrap_or(Value::Null);
            let mut outcomes = lock(&outcomes);
            // A newer one is on its way.
            if unwanted.load(Ordering::Relaxed) {
                return;
            }
            let by_file = show::diagnostics(&outcome, &path, &root);
            outcomes.insert(address.clone(), Arc::new(outcome));
            drop(outcomes);
            let params = json!({ "uri": address, "diagnostics": by_file });
            tell(&editor, "textDocument/publishDiagnostics", params);
            // Lenses show the verdict.
            let refresh = lsp_server::Request::new(
                RequestId::from(format!("lens {address}")),
                "workspace/codeLens/refresh".to_owned(),
                Value::Null,
            );
            editor(Message::Request(refresh));
        });
    }

    /// Does what was asked for, and answers when it is done: one line, and a page.
    pub fn start(&mut self, id: RequestId, job: FileCheck, root: &Path) {
        let Some(folder) = self.folder.clone() else {
            let code = ErrorCode::InternalError as i32;
            let why = "there is no folder for the report".to_owned();
            (self.editor)(Message::Response(Response::new_err(id, code, why)));
            return;
        };
        self.n_reports += 1;
        let report = folder
            .path()
            .join(format!("report-{}.html", self.n_reports));
        let mut command = own(root);
        let seconds = (4 * self.seconds).to_string();
        match &job {
            FileCheck::Explain(path, line) => {
                let place = format!("{}:{line}", path.display());
                command.args(["explain", "--assertion", &place]);
            }
            FileCheck::Diff(_) => {
                command.arg("diff");
            }
            FileCheck::Report(_) => {
                command.arg("verify");
            }
            FileCheck::Repair(..) => {
                command.args(["repair", "--json"]);
            }
        }
        command.args(["--quiet", "--timeout", &seconds, "--report"]);
        command.arg(&report);
        match &job {
            FileCheck::Explain(path, _) | FileCheck::Report(path) | FileCheck::Repair(path, _) => {
                command.arg("--").arg(path)
            }
            FileCheck::Diff(path) => {
                let old = report.with_extension("old.c");
                if let Err(why) = write_committed(path, &old) {
                    let code = ErrorCode::RequestFailed as i32;
                    (self.editor)(Message::Response(Response::new_err(id, code, why)));
                    return;
                }
                // What it includes is where the newer one is.
                let beside = path.parent().unwrap_or(Path::new("."));
                command.arg("-I").arg(beside).arg("--").arg(old).arg(path)
            }
        };
        let (editor, is_over) = (self.editor.clone(), Arc::clone(&self.is_over));
        let repairs = Arc::clone(&self.repairs);
        let mended = match job {
            FileCheck::Repair(_, address) => Some(address),
            _ => None,
        };
        std::thread::spawn(move || {
            let _kept = folder;
            let response = match finish(&mut command, &is_over) {
                Ok(Some(said)) => {
                    let mut said = String::from_utf8_lossy(&said).trim().to_owned();
                    // Repairs that were found are offered where the error is.
                    if let Some(address) = mended
                        && let Ok(outcome) = serde_json::from_str::<Value>(&said)
                    {
                        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                        let guarantee = word(&outcome["guarantee"]["text"]);
                        said = format!("{}: {guarantee}", word(&outcome["verdict"]));
                        lock(&repairs).insert(address, Arc::new(outcome));
                    }
                    let page = report.exists().then(|| report.display().to_string());
                    Response::new_ok(id, json!({ "text": said, "report": page }))
                }
                Ok(None) => return,
                Err(why) => Response::new_err(id, ErrorCode::InternalError as i32, why.to_string()),
            };
            editor(Message::Response(response));
        });
    }
}

/// The version of a file that was committed last.
fn write_committed(path: &Path, to: &Path) -> Result<(), String> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err("the file has no name".to_owned());
    };
    let shown = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(["show", "--end-of-options"])
        .arg(format!("HEAD:./{}", name.to_string_lossy()))
        .output()
        .map_err(|error| format!("git cannot be started: {error}"))?;
    if !shown.status.success() {
        let why = String::from_utf8_lossy(&shown.stderr);
        return Err(why.lines().next().unwrap_or("git failed").to_owned());
    }
    std::fs::write(to, shown.stdout).map_err(|error| error.to_string())
}

/// This program once more, where the project is.
fn own(root: &Path) -> Command {
    let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("idiolect"));
    let mut command = Command::new(program);
    command.current_dir(root).stdin(Stdio::null());
    command
}

/// What it printed; nothing if it was no longer wanted.
fn finish(command: &mut Command, unwanted: &AtomicBool) -> std::io::Result<Option<Vec<u8>>> {
    let mut printed = tempfile::tempfile()?;
    let mut complaints = tempfile::tempfile()?;
    let mut child: Child = command
        .stdout(printed.try_clone()?)
        .stderr(complaints.try_clone()?)
        .spawn()?;
    loop {
        if unwanted.load(Ordering::Relaxed) {
            let _ = child.kill();
            let _ = child.wait();
            return Ok(None);
        }
        if child.try_wait()?.is_some() {
            break;
        }
        std::thread::sleep(LOOK);
    }
    let mut said = Vec::new();
    printed.rewind()?;
    printed.take(LONGEST).read_to_end(&mut said)?;
    if said.is_empty() {
        complaints.rewind()?;
        complaints.take(LONGEST).read_to_end(&mut said)?;
    }
    Ok(Some(said))
}

fn tell(editor: &EditorSide, method: &str, params: Value) {
    let notification = Notification::new(method.to_owned(), params);
    editor(Message::Notification(notification));
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
