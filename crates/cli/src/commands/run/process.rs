//! The process that a program runs as: arguments, environment, files, clocks, and where its output goes.

use super::RunArgs;
use crate::failure::CommandFailure;
use crate::output;
use crate::progress::ProgressLine;
use clap::{Args, ValueEnum};
use idiolect_interp::{Clock, Disk, Host, InputRequest, InputSource, NodeKind, Stream};
use idiolect_ir::InputKind;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// The surroundings of a run.
#[derive(Args, Debug)]
#[command(next_help_heading = "Process")]
pub struct ProcessArgs {
    /// Arguments of the program, after `--`
    #[arg(last = true, value_name = "ARG")]
    pub arguments: Vec<OsString>,

    /// Set a variable of the program's environment, which is empty otherwise; repeatable
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    pub env: Vec<(String, String)>,

    /// Start from the environment of this process
    #[arg(long)]
    pub env_from_host: bool,

    /// What the program may open: a folder that is its current one. It is copied on write, and nothing on disk
    /// is changed [default: no files but those that the program makes]
    #[arg(long = "files", value_name = "DIR")]
    pub folder: Option<PathBuf>,

    /// What clocks show
    #[arg(long, value_name = "CLOCK", default_value = "logical")]
    pub clock: ClockArg,

    /// In which order threads take turns: the same number, the same order
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub schedule: u64,

    /// Try this many orders of threads, from `--schedule` on; the outcome is that of the first one that fails
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub schedules: u32,

    /// Exit with the program's own status
    #[arg(long)]
    pub pass_exit_code: bool,

    /// Also give the program such surroundings with `--input`
    #[arg(long, hide = true)]
    pub process: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockArg {
    /// A clock that every look moves on, and that shows the same in each run
    Logical,
    /// The clocks of this machine
    Real,
}

fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

impl ProcessArgs {
    /// Something about the surroundings was asked for.
    fn is_asked(&self) -> bool {
        self.process
            || !self.arguments.is_empty()
            || !self.env.is_empty()
            || self.env_from_host
            || self.folder.is_some()
            || self.clock != ClockArg::Logical
            || self.schedule != 0
            || self.schedules != 1
    }

    /// The system around the program.
    pub fn host(&self) -> Result<Host, CommandFailure> {
        let disk = match &self.folder {
            Some(folder) => Some(Arc::new(Folder::new(folder)?) as Arc<dyn Disk>),
            None => None,
        };
        let mut variables: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
        if self.env_from_host {
            let own = std::env::vars_os();
            variables.extend(own.map(|(n, v)| (n.as_bytes().to_vec(), v.as_bytes().to_vec())));
        }
        let given = self.env.iter().cloned();
        variables.extend(given.map(|(name, value)| (name.into_bytes(), value.into_bytes())));
        let clock = match self.clock {
            ClockArg::Logical => Clock::Logical,
            ClockArg::Real => real_clock(),
        };
        let host = Host::new(disk, variables.into_iter().collect(), clock);
        Ok(host.with_schedule(self.schedule))
    }
}

/// A single run is one of a process, unless inputs were found by an analysis, for which files are unknowns.
pub fn is_process(args: &RunArgs) -> bool {
    args.runs == 1 && args.witness.is_none() && (args.given.is_none() || args.process.is_asked())
}

fn real_clock() -> Clock {
    let start = Instant::now();
    let nanoseconds = |n: u128| i64::try_from(n).unwrap_or(i64::MAX);
    Clock::Real(Arc::new(move |which| match which {
        0 => {
            let now = SystemTime::now().duration_since(UNIX_EPOCH);
            nanoseconds(now.map_or(0, |now| now.as_nanos()))
        }
        // What the run took so far is the nearest to its processor time.
        _ => nanoseconds(start.elapsed().as_nanos()),
    }))
}

/// A folder on disk, of which nothing outside can be reached.
struct Folder {
    path: PathBuf,
}

/// Larger files are not opened.
const MAX_FILE: u64 = 1 << 30;

impl Folder {
    fn new(path: &Path) -> Result<Self, CommandFailure> {
        let cannot = |source| CommandFailure::CannotRead {
            path: path.to_owned(),
            source,
        };
        let whole = std::fs::canonicalize(path).map_err(cannot)?;
        if !whole.is_dir() {
            return Err(cannot(std::io::ErrorKind::NotADirectory.into()));
        }
        Ok(Self { path: whole })
    }

    /// Where a path leads, if that is inside.
    fn find(&self, path: &[u8]) -> Option<PathBuf> {
        let whole = self.path.join(std::ffi::OsStr::from_bytes(path));
        let whole = std::fs::canonicalize(whole).ok()?;
        whole.starts_with(&self.path).then_some(whole)
    }
}

impl Disk for Folder {
    fn kind(&self, path: &[u8]) -> Option<NodeKind> {
        let data = std::fs::metadata(self.find(path)?).ok()?;
        match (data.is_file(), data.is_dir()) {
            (true, _) => Some(NodeKind::File),
            (_, true) => Some(NodeKind::Directory),
            _ => None,
        }
    }

    fn read(&self, path: &[u8]) -> Option<Vec<u8>> {
        crate::reading::bytes(&self.find(path)?, MAX_FILE).ok()
    }

    fn list(&self, path: &[u8]) -> Vec<Vec<u8>> {
        let entries = self
            .find(path)
            .and_then(|whole| std::fs::read_dir(whole).ok());
        let names = entries.into_iter().flatten().flatten();
        let mut names: Vec<Vec<u8>> = names.map(|e| e.file_name().as_bytes().to_vec()).collect();
        names.sort();
        names
    }

    fn root(&self) -> &[u8] {
        self.path.as_os_str().as_bytes()
    }
}

/// Arguments as given: `argc` and the bytes of the strings. All other inputs come from another source.
pub struct Arguments<S> {
    strings: Vec<Vec<u8>>,
    rest: S,
}

impl<S: InputSource> Arguments<S> {
    /// Without arguments the program has an empty name and nothing else.
    pub fn new(args: &RunArgs, rest: S) -> Self {
        let mut strings = vec![Vec::new()];
        if !args.process.arguments.is_empty() {
            let file = args.input.files.first();
            let name = file.and_then(|f| f.file_stem()).unwrap_or_default();
            strings[0] = name.as_bytes().to_vec();
        }
        strings.extend(args.process.arguments.iter().map(|a| a.as_bytes().to_vec()));
        Self { strings, rest }
    }
}

impl<S: InputSource> InputSource for Arguments<S> {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        match request.kind() {
            Some(InputKind::ArgumentCount) => Some(self.strings.len() as u128),
            Some(InputKind::ArgumentByte { argument, byte }) => {
                let string = self.strings.get(*argument as usize);
                let byte = string.and_then(|string| string.get(*byte as usize));
                Some(u128::from(byte.copied().unwrap_or(0)))
            }
            Some(
                InputKind::Variable(_) | InputKind::VariableByte { .. } | InputKind::Effect(_),
            ) => Some(0),
            _ => self.rest.next(request),
        }
    }
}

/// Passes the program's output on as it comes.
pub struct Passing {
    is_on: bool,
    pending: Vec<u8>,
    /// The last byte that was passed on.
    pub last: Option<u8>,
    /// Shown until the program says something itself.
    pub progress: Option<ProgressLine>,
}

/// More bytes than this do not wait for the end of a line.
const MAX_PENDING: usize = 1 << 13;

impl Passing {
    /// Passes output on, if it is on.
    pub fn new(is_on: bool) -> Self {
        Self {
            is_on,
            pending: Vec::new(),
            last: None,
            progress: None,
        }
    }

    /// Passes on what is left.
    pub fn finish(&mut self) {
        if !self.pending.is_empty() {
            output::pass_on(&self.pending);
            self.pending.clear();
        }
    }

    /// The program wrote something.
    pub fn write(&mut self, stream: Stream, bytes: &[u8]) {
        if !self.is_on || bytes.is_empty() {
            return;
        }
        self.progress = None;
        match stream {
            Stream::Stdout => {
                self.last = bytes.last().copied();
                self.pending.extend_from_slice(bytes);
                if self.pending.len() > MAX_PENDING || bytes.contains(&b'\n') {
                    self.finish();
                }
            }
            Stream::Stderr => {
                self.finish();
                let mut err = std::io::stderr().lock();
                // Nobody can be told where even this cannot be written.
                let _ = err.write_all(bytes);
            }
        }
    }
}
