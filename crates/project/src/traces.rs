//! What `trace`, `mine` and `check` share: API files by name or path, and traces from files.

use crate::args::CommonArgs;
use crate::failure::CommandFailure;
use crate::output;
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use idiolect_base::{Budget, Canceller, Place, nearest};
use idiolect_mine::api::SHIPPED;
use idiolect_mine::trace::{Skipped, TraceFormat};
use idiolect_mine::{Api, ApiError, Seed, Summary, pieces, settle_format, tracer_pieces};
use idiolect_report::{Page, SourceText, automaton_svg};
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatArg {
    /// Decided by the first line
    Auto,
    /// `accept(so = 7, return = 8)`
    Text,
    /// `{"call":"accept","args":{"so":7},"return":8}`
    Jsonl,
    /// As `strace -f -ttt` writes it
    Strace,
    /// As `ltrace -f` writes it
    Ltrace,
    /// As `uftrace replay` writes it, of a recording with arguments (`uftrace record -a`)
    Uftrace,
}

impl From<FormatArg> for TraceFormat {
    fn from(arg: FormatArg) -> TraceFormat {
        match arg {
            FormatArg::Auto => TraceFormat::Auto,
            FormatArg::Text => TraceFormat::Text,
            FormatArg::Jsonl => TraceFormat::JsonLines,
            FormatArg::Strace => TraceFormat::Strace,
            FormatArg::Ltrace => TraceFormat::Ltrace,
            FormatArg::Uftrace => TraceFormat::Uftrace,
        }
    }
}

/// `--format` of these commands says how traces are written, that of others how findings are; here both
/// can be said.
#[derive(Args, Clone, Debug)]
pub struct TraceFormatArgs {
    /// How traces are written, and, with `github` (after a comma or alone), that findings are printed as
    /// annotations
    #[arg(
        long,
        value_name = "FORMAT",
        value_delimiter = ',',
        default_value = "auto"
    )]
    format: Vec<TraceOrFindings>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TraceOrFindings {
    Trace(FormatArg),
    Github,
}

impl ValueEnum for TraceOrFindings {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self::Trace(FormatArg::Auto),
            Self::Trace(FormatArg::Text),
            Self::Trace(FormatArg::Jsonl),
            Self::Trace(FormatArg::Strace),
            Self::Trace(FormatArg::Ltrace),
            Self::Trace(FormatArg::Uftrace),
            Self::Github,
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Trace(format) => format.to_possible_value(),
            Self::Github => {
                let help = "Findings as annotations of GitHub Actions";
                Some(PossibleValue::new("github").help(help))
            }
        }
    }
}

impl TraceFormatArgs {
    /// How traces are written.
    pub fn of_traces(&self) -> TraceFormat {
        let mut formats = self.format.iter().filter_map(|format| match format {
            TraceOrFindings::Trace(format) => Some(*format),
            TraceOrFindings::Github => None,
        });
        formats.next_back().unwrap_or(FormatArg::Auto).into()
    }

    /// How the outcome is printed.
    pub fn chosen(&self, common: &CommonArgs) -> crate::args::OutputFormat {
        if common.json {
            crate::args::OutputFormat::Json
        } else if self.format.contains(&TraceOrFindings::Github) {
            crate::args::OutputFormat::Github
        } else {
            crate::args::OutputFormat::Text
        }
    }
}

/// The API file of this path, or the one of this name that comes with the program.
pub fn load_api(name: &str) -> Result<Api, CommandFailure> {
    if let Some((_, text)) = SHIPPED.iter().find(|(known, _)| *known == name) {
        return Api::parse(text).map_err(|e| bad_api(name, &e));
    }
    let path = Path::new(name);
    let text = match crate::reading::bytes(path, crate::reading::SMALL) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        // A word without a dot or slash was meant as a name.
        Err(_) if !name.contains(['.', '/']) => {
            let names: Vec<&str> = SHIPPED.iter().map(|(name, _)| *name).collect();
            let near = nearest(name, names.iter().copied());
            let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
            return Err(CommandFailure::usage(
                format!("there is no API `{name}`"),
                format!("{near}those that come with idiolect: {}", names.join(", ")),
            ));
        }
        Err(failure) => return Err(failure),
    };
    Api::parse(&text).map_err(|e| bad_api(name, &e))
}

/// Several APIs as one.
pub fn load_apis(names: &[String]) -> Result<Api, CommandFailure> {
    let mut all = Api::default();
    for (at, name) in names.iter().enumerate() {
        let api = load_api(name)?;
        if at == 0 {
            all = api;
        } else {
            all.join(api);
        }
    }
    Ok(all)
}

/// What the user is told about an API file that cannot be used.
pub fn bad_api(file: &str, error: &ApiError) -> CommandFailure {
    CommandFailure::BadFile {
        code: error.code,
        message: error.message.clone(),
        place: error.place.map(|(line, column)| Place {
            file: file.to_owned(),
            line,
            column,
        }),
        help: error.help.clone(),
    }
}

/// The seeds of the command line, which have to be of the API.
pub fn seeds(api: &Api, texts: &[String]) -> Result<Vec<Seed>, CommandFailure> {
    let seed = |text: &String| {
        let seed = Seed::parse(text)?;
        api.check_seed(&seed)?;
        Ok(seed)
    };
    let seeds: Result<Vec<Seed>, ApiError> = texts.iter().map(seed).collect();
    seeds.map_err(|e| CommandFailure::usage(e.message, e.help))
}

/// A file, unpacked; `-` is standard input.
pub fn opened(path: &Path) -> Result<Box<dyn BufRead>, CommandFailure> {
    let reader = if path.as_os_str() == "-" {
        unpacked(BufReader::new(io::stdin()))
    } else {
        File::open(path).and_then(|file| unpacked(BufReader::new(file)))
    };
    reader.map_err(|source| cannot_read(path, source))
}

/// All of it.
pub fn read_whole(path: &Path) -> Result<Vec<u8>, CommandFailure> {
    crate::reading::from(opened(path)?, path, crate::reading::LARGE)
}

/// Paths, one a line.
pub fn listed(list: &Path) -> Result<Vec<PathBuf>, CommandFailure> {
    let bytes = read_whole(list)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    Ok(lines.map(PathBuf::from).collect())
}

const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// What gzip and zstd have packed is unpacked; it is known by its first bytes, whatever its name.
pub fn unpacked<'r>(mut reader: impl BufRead + 'r) -> io::Result<Box<dyn BufRead + 'r>> {
    let head = reader.fill_buf()?;
    if head.starts_with(&GZIP) {
        let unpacked = flate2::bufread::MultiGzDecoder::new(reader);
        return Ok(Box::new(BufReader::with_capacity(1 << 16, unpacked)));
    }
    if head.starts_with(&ZSTD) {
        let unpacked = ruzstd::decoding::StreamingDecoder::new(reader);
        let unpacked = unpacked.map_err(|e| io::Error::other(e.to_string()))?;
        return Ok(Box::new(BufReader::with_capacity(1 << 16, unpacked)));
    }
    Ok(Box::new(reader))
}

/// A trace that can be read more than once.
pub enum StoredTrace {
    File(PathBuf),
    /// Standard input, kept.
    Text(Vec<u8>),
}

impl StoredTrace {
    /// The traces of the command line; `-` is standard input.
    pub fn all(paths: &[PathBuf]) -> Result<Vec<Self>, CommandFailure> {
        let mut traces = Vec::with_capacity(paths.len());
        for path in paths {
            let trace = if path.as_os_str() != "-" {
                Self::File(path.clone())
            } else {
                let name = Path::new("<stdin>");
                let bytes = crate::reading::from(io::stdin().lock(), name, u64::MAX)?;
                Self::Text(bytes)
            };
            // A missing file is better known before the others have been read.
            trace.open().map_err(|source| cannot_read(path, source))?;
            traces.push(trace);
        }
        Ok(traces)
    }

    /// How it is called in messages.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Text(_) => "<stdin>".to_owned(),
        }
    }

    /// From its beginning.
    pub fn open(&self) -> io::Result<Box<dyn BufRead + '_>> {
        Ok(match self {
            Self::File(path) => {
                let file = File::open(path)?;
                // Opening a folder works, reading it does not.
                if file.metadata()?.is_dir() {
                    return Err(io::Error::from(io::ErrorKind::IsADirectory));
                }
                unpacked(BufReader::with_capacity(1 << 16, file))?
            }
            Self::Text(bytes) => unpacked(Cursor::new(bytes))?,
        })
    }

    /// How many bytes it has, as far as that is known.
    pub fn length(&self) -> Option<u64> {
        match self {
            Self::File(path) => std::fs::metadata(path).ok().map(|data| data.len()),
            Self::Text(bytes) => Some(bytes.len() as u64),
        }
    }

    /// Ranges of bytes that end where a run does, at most so many. What is packed is one.
    pub fn cuts(&self, n: u64, format: TraceFormat) -> io::Result<Vec<Range<u64>>> {
        let length = match self {
            Self::File(path) => std::fs::metadata(path)?.len(),
            Self::Text(bytes) => bytes.len() as u64,
        };
        if self.is_packed()? {
            return Ok(std::iter::once(0..length).collect());
        }
        let least = length.div_ceil(n.max(1)).max(1);
        if matches!(
            settle_format(self.open()?, format)?,
            TraceFormat::Strace | TraceFormat::Ltrace
        ) {
            return tracer_pieces(self.open()?, length, least);
        }
        match self {
            Self::File(path) => pieces(BufReader::new(File::open(path)?), length, least),
            Self::Text(bytes) => pieces(Cursor::new(bytes), length, least),
        }
    }

    /// Whether it has to be unpacked, and so cannot be read from the middle.
    fn is_packed(&self) -> io::Result<bool> {
        let mut head = Vec::new();
        match self {
            Self::File(path) => File::open(path)?.take(4).read_to_end(&mut head)?,
            Self::Text(bytes) => Cursor::new(bytes).take(4).read_to_end(&mut head)?,
        };
        Ok(head.starts_with(&GZIP) || head.starts_with(&ZSTD))
    }

    /// The trace in pieces that can be read in parallel. What is no regular file is one piece.
    pub fn pieces(&self, format: TraceFormat) -> io::Result<Vec<Piece<'_>>> {
        let length = match self {
            Self::File(path) => match std::fs::metadata(path)? {
                metadata if metadata.is_file() => Some(metadata.len()),
                _ => None,
            },
            Self::Text(bytes) => Some(bytes.len() as u64),
        };
        let piece = |range: Option<Range<u64>>, format: TraceFormat| Piece {
            trace: self,
            range,
            format,
        };
        let length = match length {
            Some(n) if n > LEAST_PIECE && !self.is_packed()? => Some(n),
            _ => None,
        };
        let Some(length) = length else {
            return Ok(vec![piece(None, format)]);
        };
        let format = settle_format(self.open()?, format)?;
        let ranges = match self {
            Self::File(path) => pieces(BufReader::new(File::open(path)?), length, LEAST_PIECE)?,
            Self::Text(bytes) => pieces(Cursor::new(bytes), length, LEAST_PIECE)?,
        };
        Ok((ranges.into_iter())
            .map(|range| piece(Some(range), format))
            .collect())
    }

    /// What the user is told when reading fails.
    pub fn cannot_read(&self, source: io::Error) -> CommandFailure {
        cannot_read(Path::new(&self.name()), source)
    }
}

/// A shorter piece is not worth a thread.
const LEAST_PIECE: u64 = 8 << 20;

/// Whole runs of a trace.
pub struct Piece<'t> {
    pub trace: &'t StoredTrace,
    /// All of it if there is none.
    range: Option<Range<u64>>,
    pub format: TraceFormat,
}

impl<'t> Piece<'t> {
    /// From its beginning.
    pub fn open(&self) -> io::Result<Box<dyn BufRead + 't>> {
        let Some(range) = &self.range else {
            return self.trace.open();
        };
        let length = range.end - range.start;
        Ok(match self.trace {
            StoredTrace::File(path) => {
                let mut file = File::open(path)?;
                file.seek(SeekFrom::Start(range.start))?;
                Box::new(BufReader::with_capacity(1 << 16, file).take(length))
            }
            StoredTrace::Text(bytes) => {
                let (start, end) = (range.start as usize, range.end as usize);
                Box::new(Cursor::new(bytes.get(start..end).unwrap_or(&[])))
            }
        })
    }

    /// The bytes that it has of its trace, if not all.
    pub fn range(&self) -> Option<&Range<u64>> {
        self.range.as_ref()
    }

    /// These bytes of a trace, `A..B`.
    pub fn of_range(
        trace: &'t StoredTrace,
        range: &str,
        format: TraceFormat,
    ) -> Result<Self, CommandFailure> {
        let ends = range.split_once("..");
        let ends = ends.and_then(|(a, b)| Some(a.parse::<u64>().ok()?..b.parse::<u64>().ok()?));
        let Some(range) = ends.filter(|range| range.start <= range.end) else {
            return Err(CommandFailure::usage(
                format!("`{range}` is not a range of bytes"),
                "write what `idiolect mine --cuts N TRACE` prints, such as `0..8388608`",
            ));
        };
        let settled = (trace.is_packed()).and_then(|packed| {
            if packed {
                Err(io::Error::other(
                    "a packed trace cannot be read from the middle",
                ))
            } else {
                settle_format(trace.open()?, format)
            }
        });
        if let Some(length) = trace.length().filter(|length| *length < range.end) {
            return Err(CommandFailure::usage(
                format!("`{}` has only {length} bytes", trace.name()),
                "write what `idiolect mine --cuts N TRACE` prints for this trace",
            ));
        }
        Ok(Self {
            trace,
            range: Some(range),
            format: settled.map_err(|source| trace.cannot_read(source))?,
        })
    }

    /// All pieces of all traces.
    pub fn all(
        traces: &'t [StoredTrace],
        format: TraceFormat,
    ) -> Result<Vec<Self>, CommandFailure> {
        let mut all = Vec::new();
        for trace in traces {
            let own = trace.pieces(format);
            all.extend(own.map_err(|source| trace.cannot_read(source))?);
        }
        Ok(all)
    }
}

fn cannot_read(path: &Path, source: io::Error) -> CommandFailure {
    CommandFailure::CannotRead {
        path: path.to_path_buf(),
        source,
    }
}

/// Writes an automaton as a drawing.
pub fn write_svg(path: &Path, automaton: &Value) -> Result<(), CommandFailure> {
    match automaton_svg(automaton) {
        Ok(drawing) => output::deliver(path, drawing.as_bytes()),
        Err(error) => crate::sink::note(&CommandFailure::BadFile {
            code: "mine::nothing-to-draw",
            message: format!("the specification cannot be drawn: {error}"),
            place: None,
            help: "lower `--cut`, so that something is left".to_owned(),
        }),
    }
    Ok(())
}

/// What a page about traces is called: its command, and the first of them.
pub fn title(command: &str, traces: &[StoredTrace]) -> String {
    const MOST: usize = 3;
    let names: Vec<String> = traces.iter().take(MOST).map(StoredTrace::name).collect();
    let more = match traces.len().saturating_sub(MOST) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    format!("{command} {}{more}", names.join(" "))
}

/// Writes an outcome as a page, with the traces it is about.
pub fn write_report(
    path: &Path,
    title: &str,
    outcome: &Value,
    traces: &[&StoredTrace],
    called_from: &[PathBuf],
) -> Result<(), CommandFailure> {
    let text = |trace: &&StoredTrace| {
        let mut bytes = Vec::new();
        let reader = trace.open().ok()?;
        let n = reader
            .take(LARGEST_SHOWN + 1)
            .read_to_end(&mut bytes)
            .ok()?;
        // A page with a gigabyte in it is of no use.
        (n as u64 <= LARGEST_SHOWN).then(|| SourceText {
            file: trace.name(),
            text: String::from_utf8_lossy(&bytes).into_owned(),
        })
    };
    let mut sources: Vec<SourceText> = traces.iter().filter_map(text).collect();
    // What is not here any more is not shown.
    for file in called_from {
        let is_small =
            std::fs::metadata(file).is_ok_and(|m| m.is_file() && m.len() <= LARGEST_SHOWN);
        if let (true, Ok(bytes)) = (is_small, std::fs::read(file)) {
            sources.push(SourceText {
                file: file.display().to_string(),
                text: String::from_utf8_lossy(&bytes).into_owned(),
            });
        }
    }
    let page = Page {
        title,
        command: &output::command_line(),
        outcome,
        sources: &sources,
    };
    output::write_whole(path, page.to_html().as_bytes())
}

/// Longer traces are not part of a page.
const LARGEST_SHOWN: u64 = 1 << 20;

/// What is left of a budget, for any number of threads: the time-out and Ctrl-C.
pub struct Shared {
    deadline: Option<Instant>,
    canceller: Canceller,
}

impl Shared {
    /// Shares what is left of a budget.
    pub fn new(budget: &Budget) -> Self {
        Self {
            deadline: budget.deadline(),
            canceller: budget.canceller().clone(),
        }
    }

    /// What is left.
    pub fn budget(&self) -> Budget {
        let budget = Budget::unlimited().cancelled_by(&self.canceller);
        match self.deadline {
            Some(deadline) => budget.until(deadline),
            None => budget,
        }
    }
}

/// What there is to say about one trace. A file in which no line is a call is no trace.
pub fn judge(name: &str, summary: &Summary) -> Result<Vec<String>, CommandFailure> {
    let Skipped { count, first } = &summary.skipped;
    if summary.calls == 0
        && let Some((line, reason)) = first.first()
    {
        return Err(CommandFailure::BadFile {
            code: "trace::not-a-trace",
            message: format!("no line of this trace is a call: {reason}"),
            place: Some(Place {
                file: name.to_owned(),
                line: u32::try_from(*line).unwrap_or(u32::MAX),
                column: 1,
            }),
            help: "write one call a line, such as `accept(so = 7, return = 8)`; for what a tracer \
                   wrote, say `--format strace` or `--format ltrace`"
                .to_owned(),
        });
    }
    let mut warnings = Vec::new();
    if *count > 0 {
        let shown: Vec<String> = (first.iter())
            .map(|(line, reason)| format!("line {line}: {reason}"))
            .collect();
        let more = count - first.len() as u64;
        let more = match more {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        let lines = if *count == 1 {
            "line was"
        } else {
            "lines were"
        };
        warnings.push(format!(
            "{name}: {count} {lines} skipped: {}{more}",
            shown.join("; ")
        ));
    }
    if summary.unknown_calls > 0 {
        let n = summary.unknown_calls;
        let calls = if n == 1 { "call is" } else { "calls are" };
        warnings.push(format!(
            "{name}: {n} {calls} not in the API and left out: {}",
            summary.unknown_names.join(", ")
        ));
    }
    if let Some(reason) = &summary.stopped {
        warnings.push(format!(
            "{name}: not read to the end: {reason}; {} calls were read",
            summary.calls
        ));
    }
    Ok(warnings)
}
