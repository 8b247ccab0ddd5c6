//! Traces: text in, one interaction at a time. Nothing is kept but the current line and, for
//! tracers that split a call in two lines, the calls that have not returned.
//!
//! | format | a line |
//! |---|---|
//! | [`TraceFormat::Text`] | `accept(so = 7, addr = 0x400200, return = 8)`, `#` comments, `--` ends a run |
//! | [`TraceFormat::JsonLines`] | `{"call":"accept","args":{"so":7},"return":8}` |
//! | [`TraceFormat::Strace`] | `4711 1700000000.1 accept(7, {…}, [16]) = 8`, as `strace -f -ttt` writes it |
//! | [`TraceFormat::Ltrace`] | `[pid 4711] malloc(32) = 0x55…`, as `ltrace -f` writes it |
//!
//! Tracers do not say where a run ends, but when processes do ([`processes`]). They do not name arguments; the API file's declarations do. A line that cannot be read is
//! skipped and counted, with its number and a reason.

mod json_lines;
mod line;
mod processes;
mod text;
mod tracer;
mod uftrace;

use line::LineReader;
use processes::{Boundary, Processes};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io::{self, BufRead};
use std::ops::Range;

/// How a trace is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceFormat {
    /// Decided by the first line that is not a comment.
    Auto,
    Text,
    JsonLines,
    Strace,
    Ltrace,
    /// As `uftrace replay` shows it.
    Uftrace,
}

/// What comes next in a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceItem {
    /// The record holds an interaction.
    Interaction,
    /// A run ends; what follows is independent of what came before.
    EndOfRun,
    EndOfTrace,
}

/// The name of an attribute, as far as the format knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
enum AttributeName {
    Written(Range<usize>),
    /// An argument by its position.
    Argument(usize),
    Return,
}

/// One interaction as it was written. Reused from line to line, so that reading allocates nothing.
#[derive(Clone, Default, Debug)]
pub struct TraceRecord {
    /// The line where the call began, from 1.
    pub line: u64,
    text: Vec<u8>,
    call: Range<usize>,
    attributes: Vec<(AttributeName, Range<usize>)>,
}

impl TraceRecord {
    pub fn call(&self) -> &[u8] {
        &self.text[self.call.clone()]
    }

    pub fn n_attributes(&self) -> usize {
        self.attributes.len()
    }

    pub fn value(&self, attribute: usize) -> &[u8] {
        &self.text[self.attributes[attribute].1.clone()]
    }

    /// The attribute's name; an argument that has none is called by its position.
    pub fn name(&self, attribute: usize) -> Cow<'_, [u8]> {
        match &self.attributes[attribute].0 {
            AttributeName::Written(range) => Cow::Borrowed(&self.text[range.clone()]),
            AttributeName::Argument(position) => Cow::Owned(format!("arg{position}").into_bytes()),
            AttributeName::Return => Cow::Borrowed(b"return"),
        }
    }

    /// Whether the attribute is what the call returned.
    pub(crate) fn is_return(&self, attribute: usize) -> bool {
        match &self.attributes[attribute].0 {
            AttributeName::Written(range) => &self.text[range.clone()] == b"return",
            AttributeName::Argument(_) => false,
            AttributeName::Return => true,
        }
    }

    /// Whether the attribute was written with this name.
    pub(crate) fn is_named(&self, attribute: usize, name: &[u8]) -> bool {
        match &self.attributes[attribute].0 {
            AttributeName::Written(range) => &self.text[range.clone()] == name,
            _ => false,
        }
    }

    /// The value of the attribute of this name, if the call has it.
    pub fn value_of(&self, name: &[u8]) -> Option<&[u8]> {
        let mut all = 0..self.attributes.len();
        let at = all.find(|&i| self.name(i).as_ref() == name)?;
        Some(self.value(at))
    }

    /// The position of an argument that has no name.
    pub(crate) fn position(&self, attribute: usize) -> Option<usize> {
        match self.attributes[attribute].0 {
            AttributeName::Argument(position) => Some(position),
            _ => None,
        }
    }

    fn clear(&mut self, line: u64) {
        self.line = line;
        self.text.clear();
        self.call = 0..0;
        self.attributes.clear();
    }
}

/// Lines that were skipped: how many, and the first of them.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Skipped {
    pub count: u64,
    /// Line number and reason of the first ten.
    pub first: Vec<(u64, Cow<'static, str>)>,
}

const MOST_SHOWN: usize = 10;

impl Skipped {
    fn add(&mut self, line: u64, reason: &'static str) {
        self.count += 1;
        if self.first.len() < MOST_SHOWN {
            self.first.push((line, Cow::Borrowed(reason)));
        }
    }

    /// Adds those of what follows `lines` lines later.
    pub(crate) fn append(&mut self, next: Self, lines: u64) {
        self.count = self.count.saturating_add(next.count);
        let room = MOST_SHOWN.saturating_sub(self.first.len());
        let shifted = next
            .first
            .into_iter()
            .map(|(line, why)| (line.saturating_add(lines), why));
        self.first.extend(shifted.take(room));
    }
}

/// Why a line is not an interaction.
type Bad = &'static str;

/// What the comments of a recorded trace say about the run that is being read.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct RunNotes {
    /// The program, without its folder and its arguments.
    pub program: Option<String>,
    /// The calls that follow were made by the parent.
    pub is_inherited: bool,
    /// The process was killed, or went on as another program: what is open was not left open.
    pub is_cut: bool,
}

impl RunNotes {
    fn read(&mut self, comment: &[u8]) {
        let text = comment.strip_prefix(b"#").unwrap_or(comment).trim_ascii();
        if let Some(rest) = text.strip_prefix(b"process ") {
            let command = rest.splitn(2, |&b| b == b':').nth(1).unwrap_or(b"");
            let mut words = command.split(|&b| b == b' ').filter(|w| !w.is_empty());
            let path = words.next().unwrap_or(b"");
            let name = path.rsplit(|&b| b == b'/').next().unwrap_or(path);
            self.program = (!name.is_empty()).then(|| String::from_utf8_lossy(name).into_owned());
        } else if text.starts_with(b"from its parent") {
            self.is_inherited = true;
        } else if text == b"its own" {
            self.is_inherited = false;
        } else if text.starts_with(b"cut off") {
            self.is_cut = true;
        }
    }
}

/// Reads a trace.
///
/// ```
/// use idiolect_mine::trace::{TraceFormat, TraceItem, TraceReader, TraceRecord};
/// let text = "socket(domain = 2, return = 7)\nclose(fd = 7\n";
/// let mut reader = TraceReader::new(text.as_bytes(), TraceFormat::Auto);
/// let mut record = TraceRecord::default();
/// assert_eq!(reader.read(&mut record)?, TraceItem::Interaction);
/// assert_eq!((record.call(), record.value(1)), (&b"socket"[..], &b"7"[..]));
/// assert_eq!(reader.read(&mut record)?, TraceItem::EndOfTrace);
/// assert_eq!(reader.skipped().first, [(2, "the line has no `)` at its end".into())]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct TraceReader<R> {
    lines: LineReader<R>,
    format: TraceFormat,
    skipped: Skipped,
    unfinished: tracer::Unfinished,
    nested: uftrace::Nested,
    processes: Processes,
    notes: RunNotes,
    is_new_run: bool,
}

impl<R: BufRead> TraceReader<R> {
    pub fn new(reader: R, format: TraceFormat) -> Self {
        Self {
            lines: LineReader::new(reader),
            format,
            skipped: Skipped::default(),
            unfinished: tracer::Unfinished::default(),
            nested: uftrace::Nested::default(),
            processes: Processes::default(),
            notes: RunNotes::default(),
            is_new_run: false,
        }
    }

    /// What is known of the run of the last event.
    pub fn notes(&self) -> &RunNotes {
        &self.notes
    }

    pub fn skipped(&self) -> &Skipped {
        &self.skipped
    }

    /// Lines read so far.
    pub fn n_lines(&self) -> u64 {
        self.lines.number()
    }

    /// The format, once a line has been read.
    pub fn format(&self) -> TraceFormat {
        self.format
    }

    fn leave_open(&mut self) {
        for line in self.unfinished.drain() {
            self.skipped.add(line, "the call never returned");
        }
        // `main` never returns where the program calls `exit`, and is no call of an API.
        self.nested.drain();
    }

    /// The next event. After the end of the trace it is that for ever.
    pub fn read(&mut self, record: &mut TraceRecord) -> io::Result<TraceItem> {
        if std::mem::take(&mut self.is_new_run) {
            self.notes = RunNotes::default();
        }
        loop {
            let (number, line) = match self.lines.next()? {
                line::Next::Line(number, line) => (number, line),
                line::Next::TooLong(number) => {
                    self.skipped.add(number, "the line is longer than 64 MiB");
                    continue;
                }
                line::Next::End => {
                    self.leave_open();
                    return Ok(TraceItem::EndOfTrace);
                }
            };
            let line = line.trim_ascii();
            if line.is_empty() || line[0] == b'#' {
                if !line.is_empty() {
                    self.notes.read(line);
                }
                continue;
            }
            if self.format == TraceFormat::Auto && line != b"--" {
                self.format = guess(line);
            }
            let seen = match self.format {
                _ if line == b"--" => processes::Seen {
                    boundary: Some(Boundary::After),
                    is_killed: false,
                },
                TraceFormat::Strace | TraceFormat::Ltrace => self.processes.read(line),
                _ => processes::Seen::default(),
            };
            self.notes.is_cut |= seen.is_killed;
            if let Some(boundary) = seen.boundary {
                if boundary == Boundary::Before {
                    self.lines.hold();
                }
                self.processes.clear();
                self.leave_open();
                self.is_new_run = true;
                return Ok(TraceItem::EndOfRun);
            }
            record.clear(number);
            let parsed = match self.format {
                TraceFormat::Auto | TraceFormat::Text => text::parse(line, record).map(|()| true),
                TraceFormat::JsonLines => json_lines::parse(line, record).map(|()| true),
                TraceFormat::Strace | TraceFormat::Ltrace => self.unfinished.parse(line, record),
                TraceFormat::Uftrace => self.nested.parse(line, record),
            };
            match parsed {
                Ok(true) => return Ok(TraceItem::Interaction),
                Ok(false) => {}
                Err(reason) => self.skipped.add(number, reason),
            }
        }
    }
}

/// Where runs end in what a tracer wrote, in bytes from its start.
pub(crate) fn tracer_boundaries(
    reader: impl BufRead,
    mut found: impl FnMut(u64),
) -> io::Result<()> {
    let mut lines = LineReader::new(reader);
    let mut processes = Processes::default();
    loop {
        let start = lines.position();
        let boundary = match lines.next()? {
            line::Next::End => return Ok(()),
            line::Next::TooLong(_) => None,
            line::Next::Line(_, line) => match line.trim_ascii() {
                b"" | [b'#', ..] => None,
                b"--" => Some(Boundary::After),
                line => processes.read(line).boundary,
            },
        };
        match boundary {
            None => continue,
            Some(Boundary::Before) => {
                found(start);
                // It begins a run, which the reader of that run sees.
                processes.clear();
                lines.hold();
            }
            Some(Boundary::After) => {
                processes.clear();
                found(lines.position());
            }
        }
    }
}

/// The format of a trace that begins with this line.
fn guess(line: &[u8]) -> TraceFormat {
    if line[0] == b'{' {
        return TraceFormat::JsonLines;
    }
    if line.starts_with(b"[pid ") {
        return TraceFormat::Ltrace;
    }
    if uftrace::is_line(line) {
        return TraceFormat::Uftrace;
    }
    let mut record = TraceRecord::default();
    let is_text = text::parse(line, &mut record).is_ok();
    let ends_in_result = line.last() != Some(&b')') && line.windows(3).any(|w| w == b" = ");
    if !is_text && (line[0].is_ascii_digit() || ends_in_result) {
        return TraceFormat::Strace;
    }
    TraceFormat::Text
}

#[cfg(test)]
mod tests {
    use super::{TraceFormat, TraceItem, TraceReader, TraceRecord};

    /// The interactions as `line: call name=value …`, and what was skipped.
    pub(super) fn read_all(
        bytes: &[u8],
        format: TraceFormat,
    ) -> (Vec<String>, Vec<(u64, std::borrow::Cow<'static, str>)>) {
        let mut reader = TraceReader::new(bytes, format);
        let mut record = TraceRecord::default();
        let mut found = Vec::new();
        loop {
            match reader
                .read(&mut record)
                .expect("reading memory does not fail")
            {
                TraceItem::EndOfTrace => break,
                TraceItem::EndOfRun => found.push("--".to_owned()),
                TraceItem::Interaction => {
                    let lossy = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
                    let mut line = format!("{}: {}", record.line, lossy(record.call()));
                    for i in 0..record.n_attributes() {
                        line += &format!(" {}={}", lossy(&record.name(i)), lossy(record.value(i)));
                    }
                    found.push(line);
                }
            }
        }
        (found, reader.skipped().first.clone())
    }

    #[test]
    fn runs_comments_and_blank_lines() {
        let text = b"# a comment\n\nf(x = 1)\n--\ng()\r\n  h( a=2 ,return = 0x3 )\n";
        let (found, skipped) = read_all(text, TraceFormat::Auto);
        assert_eq!(found, ["3: f x=1", "--", "5: g", "6: h a=2 return=0x3"]);
        assert_eq!(skipped, []);
    }

    #[test]
    fn values_may_hold_commas_brackets_and_quotes() {
        let text = br#"open(path = "a, \"b\")", how = {x, [y, (z)]}, return = 3)"#;
        let (found, _) = read_all(text, TraceFormat::Text);
        assert_eq!(
            found,
            [r#"1: open path="a, \"b\")" how={x, [y, (z)]} return=3"#]
        );
    }

    #[test]
    fn bad_lines_are_counted_and_skipped() {
        let text = b"f(x = 1)\nf(x = 1\nnonsense\n(x = 1)\nf(x)\n\xff\xfe(\0 = 1)\nf(y = \xff)\nf(= 1)\nf(s = \"a)\n";
        let (found, skipped) = read_all(text, TraceFormat::Text);
        assert_eq!(found, ["1: f x=1", "7: f y=\u{fffd}"]);
        let lines: Vec<u64> = skipped.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [2, 3, 4, 5, 6, 8, 9]);
    }

    #[test]
    fn formats_are_recognized() {
        let check =
            |line: &str, format: TraceFormat| assert_eq!(super::guess(line.as_bytes()), format);
        check("f(x = 1)", TraceFormat::Text);
        check("f(x = \"a = b\", return = 1)", TraceFormat::Text);
        check("{\"call\":\"f\"}", TraceFormat::JsonLines);
        check("12 1700000000.1 read(3, \"\", 5) = 0", TraceFormat::Strace);
        check("read(3, \"\", 5) = 0", TraceFormat::Strace);
        check("[pid 7] malloc(3) = 0x55", TraceFormat::Ltrace);
        check("0.2 us [ 7] | free(0x55);", TraceFormat::Uftrace);
        check("f(x = \"a | b;\")", TraceFormat::Text);
        check("garbage", TraceFormat::Text);
    }

    #[test]
    fn a_megabyte_line_is_a_line() {
        let mut text = b"f(x = \"".to_vec();
        text.resize(1 << 20, b'a');
        text.extend(b"\", return = 1)\ng()\n");
        let (found, skipped) = read_all(&text, TraceFormat::Auto);
        assert_eq!((found.len(), skipped.len()), (2, 0));
    }
}
