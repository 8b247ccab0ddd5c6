//! Running other programs with a time limit.

use nix::sys::resource::{UsageWho, getrusage};
use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// What a program did.
#[derive(Clone, Debug)]
pub struct Finished {
    /// `None` if it was ended by a signal or by us.
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub timed_out: bool,
    pub elapsed: Duration,
}

/// Runs a command to its end, or kills it at the limit.
pub fn run(command: &mut Command, stdin: &[u8], limit: Duration) -> io::Result<Finished> {
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    if let Some(mut pipe) = child.stdin.take() {
        // A program that does not read its input closes the pipe, which is its right.
        let _ = pipe.write_all(stdin);
    }
    let (code, timed_out) = wait(&mut child, start + limit)?;
    let elapsed = start.elapsed();
    Ok(Finished {
        code,
        stdout: stdout.join().unwrap_or_default(),
        stderr: stderr.join().unwrap_or_default(),
        timed_out,
        elapsed,
    })
}

/// The same without input, with the processor time (user and system) that it took. Nothing else may
/// be started meanwhile: children run one at a time, so what all of them have used so far grows by
/// just this one.
pub fn run_measured(command: &mut Command, limit: Duration) -> io::Result<(Finished, f64)> {
    let before = children_seconds()?;
    let finished = run(command, b"", limit)?;
    Ok((finished, children_seconds()? - before))
}

fn children_seconds() -> io::Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let times = [usage.user_time(), usage.system_time()];
    let seconds = times.map(|t| t.tv_sec() as f64 + t.tv_usec() as f64 / 1e6);
    Ok(seconds.iter().sum())
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

fn wait(child: &mut Child, deadline: Instant) -> io::Result<(Option<i32>, bool)> {
    // Short programs are seen at once, long ones do not cost a core to watch.
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((status.code(), false));
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            return Ok((None, true));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

/// Whether a program can be started at all.
pub fn is_installed(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        // Csmith leaves a note wherever it runs.
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok()
}

/// On CI nothing may be skipped: what a test needs is installed by `cargo xtask setup`.
///
/// Returns false, after saying so, when the test has to be skipped.
#[allow(clippy::print_stderr)]
pub fn available_or_skip(program: &str, test: &str) -> bool {
    if is_installed(program) {
        return true;
    }
    assert!(
        std::env::var_os("CI").is_none(),
        "{test} needs `{program}`, which `cargo xtask setup` installs"
    );
    eprintln!("SKIPPED {test}: `{program}` is not installed; `cargo xtask setup` installs it");
    false
}
