//! From a file to preprocessed text: runs the system compiler's preprocessor, or takes a `.i` file
//! as it is.
//!
//! C's preprocessor is not ours: what a program means depends on the headers of the system that it
//! is for, and its compiler knows those best.

mod plain;

use idiolect_base::{Budget, StopReason, parse_line_marker};
use idiolect_ir::ctype::DataModel;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Larger texts are refused: tokens and tree take about 45 times as much memory.
pub const MAX_BYTES: u64 = 1 << 27;

/// Processor seconds for the compiler. Headers take a fraction of one; macros that expand to each
/// other forty times over would take years.
pub const MAX_SECONDS: u32 = 60;

/// Address space of the compiler, in KiB. A header that never ends (`/dev/zero`) would take all the
/// memory of the machine.
const MAX_KIB: u64 = 4 << 20;

/// How to preprocess.
#[derive(Clone, Debug)]
pub struct PreprocessOptions {
    /// The compiler and perhaps first arguments, as in `CC="ccache gcc"`.
    pub cc: String,
    /// For `-I`.
    pub include_dirs: Vec<PathBuf>,
    /// For `-D`: `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Further arguments, as they are, after those.
    pub flags: Vec<String>,
    pub data_model: DataModel,
    /// A folder for a short-lived file, needed only if the headers of another data model are
    /// incomplete.
    pub scratch_dir: PathBuf,
    /// Bytes of text, at most.
    pub max_bytes: u64,
    /// Processor seconds of the compiler, at most; on Unix only.
    pub max_seconds: u32,
    /// When this ends, so does the compiler.
    pub budget: Budget,
}

impl PreprocessOptions {
    /// `cc` without special arguments, for LP64.
    pub fn new(scratch_dir: impl Into<PathBuf>) -> Self {
        Self {
            cc: "cc".to_owned(),
            include_dirs: Vec::new(),
            defines: Vec::new(),
            flags: Vec::new(),
            data_model: DataModel::Lp64,
            scratch_dir: scratch_dir.into(),
            max_bytes: MAX_BYTES,
            max_seconds: MAX_SECONDS,
            budget: Budget::unlimited(),
        }
    }
}

impl PreprocessOptions {
    /// The compiler has no macros but those that it has by itself.
    fn defines_nothing(&self) -> bool {
        let is_usual = ["cc", "gcc", "clang"].contains(&self.cc.as_str());
        is_usual && self.defines.is_empty() && self.flags.is_empty()
    }
}

/// One line of what the compiler said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompilerMessage {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub message: String,
}

#[derive(Debug, thiserror::Error)]
pub enum PreprocessError {
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("`{name}` has {bytes} bytes, more than the {limit} that are read")]
    TooLarge {
        name: String,
        bytes: u64,
        limit: u64,
    },
    #[error("preprocessing makes more than {limit} bytes of `{name}`")]
    Swollen { name: String, limit: u64 },
    #[error("`{cc} -E` timed out on `{name}` after {seconds} s")]
    TooSlow {
        cc: String,
        name: String,
        seconds: u32,
    },
    #[error("`{cc} -E` was not finished with `{name}`: {reason}")]
    Stopped {
        cc: String,
        name: String,
        reason: StopReason,
    },
    #[error("`{name}` is not a text")]
    Binary { name: String },
    #[error("cannot run the C compiler `{cc}`: {source}")]
    NoCompiler { cc: String, source: std::io::Error },
    #[error("`{cc} -E` failed on `{name}`{}", first_message(messages, output))]
    Failed {
        cc: String,
        name: String,
        /// What could be understood of its output, errors only.
        messages: Vec<CompilerMessage>,
        /// All that it wrote.
        output: String,
    },
}

fn first_message(messages: &[CompilerMessage], output: &str) -> String {
    let first = match messages.first() {
        Some(first) => &first.message,
        None => output.lines().next().unwrap_or("without a message"),
    };
    format!(": {first}")
}

impl PreprocessError {
    /// A way out.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            PreprocessError::Unreadable { .. } => None,
            PreprocessError::Stopped { .. } => Some("give it more time"),
            PreprocessError::TooLarge { .. } => Some("split the program, or leave headers out"),
            PreprocessError::Swollen { .. } | PreprocessError::TooSlow { .. } => Some(
                "look for macros that expand to each other many times over, \
                 or give a file that is already preprocessed and ends in `.i`",
            ),
            PreprocessError::Binary { .. } => Some("give C source, not a compiled program"),
            PreprocessError::NoCompiler { .. } => Some(
                "install a C compiler such as gcc, name another one, or give a file that is \
                 already preprocessed and ends in `.i`",
            ),
            PreprocessError::Failed { messages, .. } => messages
                .iter()
                .any(|m| m.message.contains("No such file or directory"))
                .then_some("add the folder of the header with `-I`"),
        }
    }
}

/// Preprocesses a file; one whose name ends in `.i` already is.
pub fn preprocess(path: &Path, options: &PreprocessOptions) -> Result<String, PreprocessError> {
    let unreadable = |source| PreprocessError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let name = path.display().to_string();
    let metadata = std::fs::metadata(path).map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(unreadable(std::io::ErrorKind::IsADirectory.into()));
    }
    check_size(&name, metadata.len(), options)?;
    // Read even if the compiler will do so again: its message for unreadable files is worse.
    // No further than one byte beyond the limit: devices have no size and no end.
    let file = File::open(path).map_err(unreadable)?;
    let bytes = read(Some(file), options.max_bytes.saturating_add(1)).map_err(unreadable)?;
    check_size(&name, bytes.len() as u64, options)?;
    check_text(&name, &bytes)?;
    if path.extension().is_some_and(|extension| extension == "i") {
        return Ok(decode(bytes));
    }
    let edited = without_lost_lines(path, &bytes);
    if options.defines_nothing() && plain::is_plain(edited.as_ref().unwrap_or(&bytes)) {
        return match options.budget.look() {
            Ok(()) => Ok(decode(edited.unwrap_or(bytes))),
            Err(reason) => Err(PreprocessError::Stopped {
                cc: options.cc.clone(),
                name,
                reason,
            }),
        };
    }
    match edited {
        Some(text) => run(&name, Input::Edited(path, &text), options),
        None => run(&name, Input::File(path), options),
    }
}

/// Generated C names the file that it was made from, by `#line`. Where that is not there, places in it
/// would lead nowhere: this is the text without such lines, if there are any, with as many lines. A text that
/// asks for its line or file itself is left as it is.
fn without_lost_lines(path: &Path, bytes: &[u8]) -> Option<Vec<u8>> {
    // What such a line says may be printed by the program.
    let prints = |name: &[u8]| bytes.windows(name.len()).any(|part| part == name);
    if prints(b"__LINE__") || prints(b"__FILE__") {
        return None;
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let is_there = |name: &str| {
        let as_file = |path: &Path| std::fs::metadata(path).is_ok_and(|data| data.is_file());
        as_file(Path::new(name)) || as_file(&folder.join(name))
    };
    let mut known: BTreeMap<String, bool> = BTreeMap::new();
    let mut is_lost = |line: &[u8]| {
        // Most lines are seen at a glance.
        if line.trim_ascii_start().first() != Some(&b'#') {
            return false;
        }
        match str::from_utf8(line).ok().and_then(parse_line_marker) {
            Some((_, Some(name), _)) => {
                !*known.entry(name).or_insert_with_key(|name| is_there(name))
            }
            // Another number for a line of this very file.
            Some((_, None, _)) => true,
            None => false,
        }
    };
    let mut edited: Option<Vec<u8>> = None;
    let mut start = 0;
    for line in bytes.split_inclusive(|&b| b == b'\n') {
        let end = start + line.len();
        if is_lost(line) {
            let text = edited.get_or_insert_with(|| bytes.to_vec());
            let content = line.trim_ascii_end().len();
            text[start..start + content].fill(b' ');
        }
        start = end;
    }
    edited
}

/// Preprocesses text that has no file, such as standard input. `#include "…"` looks in the
/// current folder.
pub fn preprocess_text(
    name: &str,
    text: &[u8],
    options: &PreprocessOptions,
) -> Result<String, PreprocessError> {
    check_size(name, text.len() as u64, options)?;
    check_text(name, text)?;
    run(name, Input::Text(text), options)
}

fn check_size(name: &str, bytes: u64, options: &PreprocessOptions) -> Result<(), PreprocessError> {
    let limit = options.max_bytes;
    if bytes > limit {
        let name = name.to_owned();
        return Err(PreprocessError::TooLarge { name, bytes, limit });
    }
    Ok(())
}

fn check_text(name: &str, bytes: &[u8]) -> Result<(), PreprocessError> {
    // No C text has a null byte; programs and archives have some right at the start.
    if bytes.iter().take(4096).any(|&b| b == 0) {
        let name = name.to_owned();
        return Err(PreprocessError::Binary { name });
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Input<'a> {
    File(&'a Path),
    Text(&'a [u8]),
    /// The text of a file, changed.
    Edited(&'a Path, &'a [u8]),
}

impl<'a> Input<'a> {
    /// What goes to the compiler's standard input.
    fn text(self) -> Option<&'a [u8]> {
        match self {
            Input::File(_) => None,
            Input::Text(text) | Input::Edited(_, text) => Some(text),
        }
    }
}

fn run(
    name: &str,
    input: Input<'_>,
    options: &PreprocessOptions,
) -> Result<String, PreprocessError> {
    let mut output = run_compiler(name, input, options, native_flags(options.data_model))?;
    if !output.status.success() && options.data_model == DataModel::Ilp32 {
        // A failure may be due to missing 32-bit headers and not to the program. If it is the
        // program's fault, the other ways fail as well, and the first failure is reported.
        for way in [Way::ForeignHeaders, Way::DefinesOnly] {
            if let Some(second) = run_other_way(name, input, options, way)?
                && second.status.success()
            {
                output = second;
                break;
            }
        }
    }
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(PreprocessError::Failed {
            cc: options.cc.clone(),
            name: name.to_owned(),
            messages: text.lines().filter_map(parse_message).collect(),
            output: text,
        });
    }
    Ok(decode(output.stdout))
}

fn native_flags(data_model: DataModel) -> Vec<String> {
    match data_model {
        DataModel::Lp64 => Vec::new(),
        DataModel::Ilp32 => vec!["-m32".to_owned()],
    }
}

/// How to get at 32-bit declarations on a system without 32-bit headers.
#[derive(Clone, Copy)]
enum Way {
    /// The compiler knows 32 bits, and glibc's headers are the same for both, but they are in the
    /// folder of the other architecture and one generated file, `gnu/stubs-32.h`, is missing. An
    /// empty one will do: it only lists functions that the library lacks.
    ForeignHeaders,
    /// The compiler has no `-m32`: tell its own headers what they would see.
    DefinesOnly,
}

fn run_other_way(
    name: &str,
    input: Input<'_>,
    options: &PreprocessOptions,
    way: Way,
) -> Result<Option<Output>, PreprocessError> {
    let mut flags = Vec::new();
    let scratch = Scratch::new(&options.scratch_dir);
    match way {
        Way::ForeignHeaders => {
            flags.push("-m32".to_owned());
            let (program, arguments) = split_command(&options.cc);
            let multiarch = Command::new(program)
                .args(arguments)
                .arg("-print-multiarch")
                .stdin(Stdio::null())
                .output();
            let multiarch = multiarch.map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
            let multiarch = multiarch.unwrap_or_default();
            if multiarch.trim().is_empty() {
                return Ok(None);
            }
            flags.push("-idirafter".to_owned());
            flags.push(format!("/usr/include/{}", multiarch.trim()));
        }
        Way::DefinesOnly => {
            flags.extend(ILP32_UNDEFINES.iter().map(|name| format!("-U{name}")));
            flags.extend(ILP32_DEFINES.iter().map(|define| format!("-D{define}")));
        }
    }
    if let Some(scratch) = &scratch {
        flags.push("-idirafter".to_owned());
        flags.push(scratch.0.display().to_string());
    }
    run_compiler(name, input, options, flags).map(Some)
}

const ILP32_UNDEFINES: &[&str] = &[
    "__LP64__",
    "_LP64",
    "__x86_64__",
    "__x86_64",
    "__amd64__",
    "__amd64",
    "__SIZEOF_INT128__",
];

const ILP32_DEFINES: &[&str] = &[
    "__ILP32__=1",
    "_ILP32=1",
    "__i386__=1",
    "__SIZEOF_POINTER__=4",
    "__SIZEOF_LONG__=4",
    "__SIZEOF_SIZE_T__=4",
    "__SIZEOF_PTRDIFF_T__=4",
    "__LONG_MAX__=0x7fffffffL",
    "__LONG_WIDTH__=32",
    "__SIZE_TYPE__=unsigned int",
    "__SIZE_MAX__=0xffffffffU",
    "__SIZE_WIDTH__=32",
    "__PTRDIFF_TYPE__=int",
    "__PTRDIFF_MAX__=0x7fffffff",
    "__PTRDIFF_WIDTH__=32",
    "__INTPTR_TYPE__=int",
    "__INTPTR_MAX__=0x7fffffff",
    "__INTPTR_WIDTH__=32",
    "__UINTPTR_TYPE__=unsigned int",
    "__UINTPTR_MAX__=0xffffffffU",
    "__INT64_TYPE__=long long int",
    "__INT64_MAX__=0x7fffffffffffffffLL",
    "__UINT64_TYPE__=long long unsigned int",
    "__UINT64_MAX__=0xffffffffffffffffULL",
    "__INTMAX_TYPE__=long long int",
    "__INTMAX_MAX__=0x7fffffffffffffffLL",
    "__UINTMAX_TYPE__=long long unsigned int",
    "__UINTMAX_MAX__=0xffffffffffffffffULL",
    "__INT_LEAST64_TYPE__=long long int",
    "__UINT_LEAST64_TYPE__=long long unsigned int",
    "__INT_FAST16_TYPE__=int",
    "__INT_FAST32_TYPE__=int",
    "__INT_FAST64_TYPE__=long long int",
    "__UINT_FAST16_TYPE__=unsigned int",
    "__UINT_FAST32_TYPE__=unsigned int",
    "__UINT_FAST64_TYPE__=long long unsigned int",
];

/// A folder with an empty `gnu/stubs-32.h`, removed when dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new(parent: &Path) -> Option<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("idiolect-headers-{}-{n}", std::process::id()));
        // Not `create_dir_all`: a folder that somebody else made is not ours to use.
        std::fs::create_dir(&path).ok()?;
        let scratch = Self(path);
        std::fs::create_dir(scratch.0.join("gnu")).ok()?;
        std::fs::write(scratch.0.join("gnu/stubs-32.h"), "").ok()?;
        Some(scratch)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // If it cannot be removed, an empty header is left behind; nothing depends on it.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn split_command(cc: &str) -> (&str, impl Iterator<Item = &str>) {
    let mut words = cc.split_whitespace();
    (words.next().unwrap_or("cc"), words)
}

/// What CBMC writes between a function's parameters and its body.
const CONTRACT_WORDS: [&str; 4] = ["requires", "ensures", "assigns", "frees"];

/// Whether the command or its flags say which C it is.
fn names_standard(options: &PreprocessOptions) -> bool {
    let (_, arguments) = split_command(&options.cc);
    let flags = options.flags.iter().map(String::as_str);
    (arguments.chain(flags))
        .any(|word| word.starts_with("-std=") || word.starts_with("--std=") || word == "-ansi")
}

/// What a shell does before it becomes the compiler: the limit holds for the compiler proper too,
/// which is a child of the command. A signal to the command alone would leave that one running.
const LIMITED: &str =
    "ulimit -S -t \"$0\" 2>/dev/null; ulimit -S -v \"$1\" 2>/dev/null; shift; exec \"$@\"";

/// The command that preprocesses this input.
fn compiler_command(input: Input<'_>, options: &PreprocessOptions, flags: Vec<String>) -> Command {
    let (program, arguments) = split_command(&options.cc);
    let standard = if names_standard(options) {
        None
    } else {
        Some("-std=gnu11")
    };
    let mut command = if cfg!(unix) {
        let mut shell = Command::new("/bin/sh");
        shell.arg("-c").arg(LIMITED);
        shell.arg(options.max_seconds.to_string());
        shell.arg(MAX_KIB.to_string()).arg(program);
        // Its own children end with it when the budget ends.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        shell
    } else {
        Command::new(program)
    };
    command
        .args(arguments)
        .args(["-E", "-w", "-D__IDIOLECT__"])
        .args(standard)
        // Contracts are read from the file itself.
        .args(CONTRACT_WORDS.map(|word| format!("-D__CPROVER_{word}(...)=")))
        .args(flags)
        .args(options.defines.iter().map(|define| format!("-D{define}")));
    for dir in &options.include_dirs {
        command.arg("-I").arg(dir);
    }
    command.args(&options.flags);
    // Messages in English, so that they can be parsed.
    command.env("LC_ALL", "C").args(["-x", "c"]);
    match input {
        // A name that starts with `-` must not be taken for an option.
        Input::File(path) if path.as_os_str().as_encoded_bytes().starts_with(b"-") => {
            command.arg(Path::new(".").join(path));
        }
        Input::File(path) => {
            command.arg(path);
        }
        Input::Text(_) => {
            command.arg("-");
        }
        Input::Edited(path, _) => {
            let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
            command.arg("-iquote").arg(folder.unwrap_or(Path::new(".")));
            command.arg("-");
        }
    }
    command
}

fn run_compiler(
    name: &str,
    input: Input<'_>,
    options: &PreprocessOptions,
    flags: Vec<String>,
) -> Result<Output, PreprocessError> {
    let mut command = compiler_command(input, options, flags);
    let stdin = match input {
        Input::File(_) => Stdio::null(),
        Input::Text(_) | Input::Edited(..) => Stdio::piped(),
    };
    let no_compiler = |source| PreprocessError::NoCompiler {
        cc: options.cc.clone(),
        source,
    };
    let mut child = command
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(no_compiler)?;
    let (to_child, from_child) = (child.stdin.take(), child.stdout.take());
    let messages = child.stderr.take();
    let (status, text, messages) = std::thread::scope(|scope| {
        if let (Some(mut to_child), Some(text)) = (to_child, input.text()) {
            // On a thread of its own: the compiler writes before it has read everything. If it
            // stops reading, its own exit says why.
            scope.spawn(move || {
                if let Input::Edited(path, _) = input {
                    // Under its own name.
                    let name = path.display().to_string().replace(['\\', '"'], "?");
                    let _ = writeln!(to_child, "# 1 \"{name}\"");
                }
                let _ = to_child.write_all(text);
            });
        }
        let messages = scope.spawn(move || read(messages, MOST_MESSAGES));
        // Closed when enough was read, which ends the compiler.
        let most = options.max_bytes.saturating_add(1);
        let text = scope.spawn(move || read(from_child, most));
        let status = wait(&mut child, &options.budget);
        let none = |_| Ok(Vec::new());
        let text = text.join().unwrap_or_else(none);
        let messages = messages.join().unwrap_or_else(none);
        (status, text, messages)
    });
    let status = status.map_err(no_compiler)?;
    let status = status.map_err(|reason| PreprocessError::Stopped {
        cc: options.cc.clone(),
        name: name.to_owned(),
        reason,
    })?;
    let output = Output {
        status,
        stdout: text.map_err(no_compiler)?,
        stderr: messages.map_err(no_compiler)?,
    };
    judged(name, options, output)
}

/// What the compiler wrote, unless it was stopped by a limit or there is none.
fn judged(
    name: &str,
    options: &PreprocessOptions,
    output: Output,
) -> Result<Output, PreprocessError> {
    if output.stdout.len() as u64 > options.max_bytes {
        return Err(PreprocessError::Swollen {
            name: name.to_owned(),
            limit: options.max_bytes,
        });
    }
    if cfg!(unix) && !output.status.success() {
        let said = |words: &str| String::from_utf8_lossy(&output.stderr).contains(words);
        // The shell's own word for a command that it cannot find or start.
        if matches!(output.status.code(), Some(126 | 127)) && output.stdout.is_empty() {
            const ENOENT: i32 = 2;
            return Err(PreprocessError::NoCompiler {
                cc: options.cc.clone(),
                source: std::io::Error::from_raw_os_error(ENOENT),
            });
        }
        // 152 is what shells make of the signal; compilers tell how their child ended.
        if output.status.code() == Some(152) || said("CPU time limit") || said("signal 24") {
            return Err(PreprocessError::TooSlow {
                cc: options.cc.clone(),
                name: name.to_owned(),
                seconds: options.max_seconds,
            });
        }
    }
    Ok(output)
}

/// More complaints than this nobody reads.
const MOST_MESSAGES: u64 = 1 << 24;

/// Waits for the end of a child, or ends it and its children with the budget.
fn wait(child: &mut Child, budget: &Budget) -> std::io::Result<Result<ExitStatus, StopReason>> {
    // Short ones are seen at once, long ones do not cost a core to watch.
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Ok(status));
        }
        if let Err(reason) = budget.look() {
            end(child)?;
            return Ok(Err(reason));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

/// Ends a child with all that it started.
fn end(child: &mut Child) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use nix::sys::signal::{Signal, killpg};
        // The group may be gone already.
        let _ = killpg(
            nix::unistd::Pid::from_raw(child.id() as i32),
            Signal::SIGKILL,
        );
    }
    #[cfg(not(unix))]
    child.kill()?;
    child.wait()?;
    Ok(())
}

/// Everything that a child writes, up to a limit.
fn read(from: Option<impl Read>, limit: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(from) = from {
        from.take(limit).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Reads `file:line:column: error: message`, as GCC and Clang write it.
fn parse_message(line: &str) -> Option<CompilerMessage> {
    let (place, message) = line
        .split_once(": error: ")
        .or_else(|| line.split_once(": fatal error: "))?;
    let mut parts = place.rsplitn(3, ':');
    let last = parts.next()?;
    let middle = parts.next();
    let file = parts.next();
    let (file, line, column) = match (file, middle, last.parse()) {
        (Some(file), Some(line), Ok(column)) if line.parse::<u32>().is_ok() => {
            (file.to_owned(), line.parse().unwrap_or(0), column)
        }
        // Without a column.
        (file, Some(middle), Ok(line)) => {
            let file = file.map_or_else(|| middle.to_owned(), |file| format!("{file}:{middle}"));
            (file, line, 1)
        }
        // Not about a place: `cc: error: …`.
        _ => (place.to_owned(), 0, 0),
    };
    Some(CompilerMessage {
        file,
        line,
        column,
        message: message.to_owned(),
    })
}

/// Bytes to text.
///
/// C does not care about the encoding of comments, and programs older than UTF-8 have Latin-1 in
/// them. In string and character literals each byte that is not UTF-8 becomes an octal escape, so
/// that the program sees the same bytes; elsewhere it becomes the Latin-1 character, which can
/// only matter to a reader. A byte order mark is dropped.
pub fn decode(bytes: Vec<u8>) -> String {
    let mut text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => decode_latin(error.as_bytes()),
    };
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    text
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Code,
    Quoted(u8),
    LineComment,
    BlockComment,
}

impl Context {
    /// The context after `byte`, whose predecessor is `before`. An escaped character in quotes
    /// has to be given with a predecessor other than a backslash's.
    fn after(self, before: u8, byte: u8) -> Context {
        match (self, before, byte) {
            (Context::Code, b'/', b'/') => Context::LineComment,
            (Context::Code, b'/', b'*') => Context::BlockComment,
            (Context::Code, _, b'"' | b'\'') => Context::Quoted(byte),
            (Context::Quoted(quote), _, _) if byte == quote => Context::Code,
            (Context::Quoted(_) | Context::LineComment, _, b'\n') => Context::Code,
            (Context::BlockComment, b'*', b'/') => Context::Code,
            _ => self,
        }
    }
}

fn decode_latin(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + bytes.len() / 16);
    let mut context = Context::Code;
    let mut before = 0;
    let mut escaped = false;
    for chunk in bytes.utf8_chunks() {
        for &byte in chunk.valid().as_bytes() {
            if escaped {
                escaped = false;
            } else if matches!(context, Context::Quoted(_)) && byte == b'\\' {
                escaped = true;
            } else {
                let was = context;
                context = context.after(before, byte);
                // `/*/` does not close itself, and a comment's end does not start another.
                before = if was == context { byte } else { 0 };
                continue;
            }
            before = 0;
        }
        out.push_str(chunk.valid());
        for &byte in chunk.invalid() {
            if matches!(context, Context::Quoted(_)) {
                if std::mem::take(&mut escaped) {
                    // The backslash would be taken together with that of the octal escape.
                    out.pop();
                }
                out.push_str(&format!("\\{byte:03o}"));
            } else {
                out.push(char::from(byte));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests;
