//! What traced processes left behind, put together as a trace.
//!
//! Each thread of each process wrote a file `START-PROCESS-THREAD` of lines `KEY TIME SITE call(…)`,
//! in windows that end in zero bytes; the thread 0 holds what is known about the process. The lines of
//! a process are one run, in the order of their keys. A call that never returned ends in `?`; it is
//! written with `return = ?`, as strace does.
//!
//! The site is the address to which the call returned. Which file and line that is, only the debug
//! information of the module tells; who collects a trace may look it up ([`Sites`]).
//!
//! A line stands in its file where the call returned, its key is often that of its entry. So lines are
//! put into order with a look ahead of [`AHEAD`] lines, which keeps memory bounded; a call that was
//! open for longer stands where it returned, and is counted.
//!
//! The run of a child of `fork` begins with what made the objects that it has from its parent, see
//! [`crate::inherited`].

use crate::inherited::{History, OpenUses};
use crate::trace::{TraceFormat, TraceItem, TraceReader, TraceRecord};
use crate::value::Value;
use crate::vocabulary::ApiVocabulary;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value as Json, json};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

/// Lines held back to find their order.
const AHEAD: usize = 1 << 18;

/// One process that was traced.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecordedRun {
    pub process: u64,
    pub parent: Option<u64>,
    pub command: String,
    pub calls: u64,
}

/// Says where calls were made.
pub trait Sites {
    /// The place of the call that returned to this offset of a module, such as `main.c:12`.
    fn place(&mut self, module: &str, offset: u64) -> Option<String>;
}

/// Nobody asks where calls were made.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSites;

impl Sites for NoSites {
    fn place(&mut self, _module: &str, _offset: u64) -> Option<String> {
        None
    }
}

/// How processes ended that did not end by themselves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ends {
    /// A process, and what ended it, such as `signal 11`.
    pub cut: Option<(u64, String)>,
}

/// What came of a recording.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recorded {
    /// In the order in which they began.
    pub runs: Vec<RecordedRun>,
    /// Lines that could not be written, or were being written when their process ended.
    pub lost: u64,
    /// Calls that returned too late to stand where they began.
    pub displaced: u64,
    /// Calls that never returned.
    pub unreturned: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceStyle {
    Text,
    /// With process, thread and, if they were recorded, times.
    JsonLines,
}

/// Writes the trace of everything in a folder. The vocabulary says which calls make objects that
/// children may use.
pub fn collect(
    folder: &Path,
    style: TraceStyle,
    vocabulary: &ApiVocabulary,
    sites: &mut dyn Sites,
    ends: &Ends,
    mut to: impl Write,
) -> io::Result<Recorded> {
    let mut recorded = Recorded::default();
    let mut processes = processes(folder, &mut recorded.lost)?;
    inherit(&mut processes, vocabulary)?;
    let mut is_first = true;
    // A process whose number is used again went on as another program.
    let numbers: Vec<u64> = processes.iter().map(|p| p.run.process).collect();
    for (at, mut process) in processes.into_iter().enumerate() {
        let cut = match &ends.cut {
            _ if numbers[at + 1..].contains(&process.run.process) => Some("another program"),
            Some((number, how)) if *number == process.run.process => Some(how.as_str()),
            _ => None,
        };
        let mut known: FxHashMap<u64, Site> = FxHashMap::default();
        let modules = std::mem::take(&mut process.modules);
        let mut began = false;
        let run = &process.run;
        let mut write = |to: &mut dyn Write, line: &Line<'_>, thread: Option<u64>| {
            let nowhere = Site::default();
            let site = match line.site {
                0 => &nowhere,
                site => (known.entry(site)).or_insert_with(|| find_site(&modules, site, sites)),
            };
            match style {
                TraceStyle::Text => write_text(to, line, site),
                TraceStyle::JsonLines => {
                    let value = to_json(line, run.process, thread, site);
                    writeln!(to, "{value}")
                }
            }
        };
        let mut calls = 0;
        merge(
            sources(&process.threads)?,
            &mut recorded,
            |_, line, thread| {
                if !std::mem::replace(&mut began, true) {
                    if !std::mem::replace(&mut is_first, false) {
                        writeln!(to, "--")?;
                    }
                    writeln!(to, "# process {}: {}", run.process, run.command)?;
                    if let (Some(parent), [_, ..]) = (run.parent, &process.inherited[..]) {
                        writeln!(to, "# from its parent, process {parent}")?;
                        for call in &process.inherited {
                            let (time, site) = (0, 0);
                            write(&mut to, &Line { time, site, call }, None)?;
                        }
                        writeln!(to, "# its own")?;
                    }
                }
                calls += 1;
                write(&mut to, &line, Some(thread))
            },
        )?;
        if let (Some(how), true) = (cut, began) {
            writeln!(to, "# cut off by {how}")?;
        }
        process.run.calls = calls;
        recorded.runs.push(process.run);
    }
    to.flush()?;
    Ok(recorded)
}

/// One process, before its lines are read.
struct Process {
    run: RecordedRun,
    threads: Threads,
    /// The numbers that its parent had drawn when it forked.
    forked: Option<u64>,
    /// Calls of its parent.
    inherited: Vec<Vec<u8>>,
    modules: Vec<Module>,
}

/// A piece of code in the address space of a process.
struct Module {
    low: u64,
    high: u64,
    bias: u64,
    path: String,
}

impl Module {
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.splitn(4, ' ');
        let mut number = || parts.next()?.parse::<u64>().ok();
        let (low, high, bias) = (number()?, number()?, number()?);
        Some(Self {
            low,
            high,
            bias,
            path: parts.next()?.to_owned(),
        })
    }
}

/// Where a call was made.
#[derive(Default)]
struct Site {
    place: Option<String>,
    /// The name of the library that made it, unless it was the program.
    caller: Option<String>,
}

/// Where a call was made that returned to this address.
fn find_site(modules: &[Module], site: u64, sites: &mut dyn Sites) -> Site {
    // What was loaded last is what is there.
    let Some(module) = (modules.iter().rev()).find(|m| (m.low..m.high).contains(&site)) else {
        return Site::default();
    };
    // The dynamic linker lists the program first.
    let is_program = modules
        .first()
        .is_some_and(|first| first.path == module.path);
    let name = module.path.rsplit('/').next().unwrap_or(&module.path);
    Site {
        place: sites.place(&module.path, site - module.bias),
        caller: (!is_program).then(|| name.to_owned()),
    }
}

fn write_text(to: &mut dyn Write, line: &Line<'_>, site: &Site) -> io::Result<()> {
    let (call, is_open) = match line.call {
        [call @ .., b'?'] => (call, true),
        [call @ .., b')'] => (call, false),
        call => (call, false),
    };
    to.write_all(call)?;
    let mut comma = if call.last() == Some(&b'(') { "" } else { ", " };
    if is_open {
        write!(to, "{comma}return = ?")?;
        comma = ", ";
    }
    for (name, value) in [("at", &site.place), ("caller", &site.caller)] {
        if let Some(value) = value {
            let value = value.replace(['"', '\\', '\n'], "_");
            write!(to, "{comma}{name} = \"{value}\"")?;
            comma = ", ";
        }
    }
    to.write_all(b")\n")
}

/// In the order in which they began.
fn processes(folder: &Path, lost: &mut u64) -> io::Result<Vec<Process>> {
    let mut list = Vec::new();
    for ((_, number), threads) in files(folder)? {
        let mut process = Process {
            run: RecordedRun {
                process: number,
                ..RecordedRun::default()
            },
            threads: Vec::new(),
            forked: None,
            inherited: Vec::new(),
            modules: Vec::new(),
        };
        for (thread, path) in threads {
            match thread {
                0 => read_header(BufReader::new(File::open(path)?), &mut process, lost)?,
                thread => process.threads.push((thread, path)),
            }
        }
        list.push(process);
    }
    Ok(list)
}

fn sources(threads: &Threads) -> io::Result<Vec<(u64, BufReader<File>)>> {
    let open = |(thread, path): &(u64, PathBuf)| {
        Ok((
            *thread,
            BufReader::with_capacity(1 << 16, File::open(path)?),
        ))
    };
    threads.iter().map(open).collect()
}

/// Finds what children of `fork` have from their parents.
fn inherit(processes: &mut [Process], vocabulary: &ApiVocabulary) -> io::Result<()> {
    // The parent is the last process of that number that began before.
    let parent_of = |processes: &[Process], child: usize| {
        processes[child].forked?;
        let parent = processes[child].run.parent?;
        let mut before = processes[..child].iter();
        before.rposition(|p| p.run.process == parent)
    };
    let parents: Vec<Option<usize>> = (0..processes.len())
        .map(|child| parent_of(processes, child))
        .collect();
    // A child may hand on to its own children what it has from its parent.
    let mut uses: Vec<FxHashSet<Value>> = vec![FxHashSet::default(); processes.len()];
    for child in (0..processes.len()).rev() {
        let Some(parent) = parents[child] else {
            continue;
        };
        let mut open = OpenUses::default();
        let mut ignored = Recorded::default();
        merge(
            sources(&processes[child].threads)?,
            &mut ignored,
            |_, line, _| {
                open.add(vocabulary, line.call);
                Ok(())
            },
        )?;
        uses[child].extend(open.values);
        if parents[parent].is_some() {
            let more = uses[child].clone();
            uses[parent].extend(more);
        }
    }
    for parent in 0..processes.len() {
        let mut children: Vec<(u64, usize)> = (parent + 1..processes.len())
            .filter(|&child| parents[child] == Some(parent) && !uses[child].is_empty())
            .map(|child| (processes[child].forked.unwrap_or(0), child))
            .collect();
        if children.is_empty() {
            continue;
        }
        children.sort_unstable();
        let mut history = History::default();
        for line in &processes[parent].inherited {
            history.add(vocabulary, line);
        }
        let mut next = children.into_iter().peekable();
        let mut found = Vec::new();
        let mut ignored = Recorded::default();
        merge(
            sources(&processes[parent].threads)?,
            &mut ignored,
            |key, line, _| {
                while let Some((_, child)) = next.next_if(|(forked, _)| *forked < key) {
                    found.push((child, history.behind(&uses[child])));
                }
                history.add(vocabulary, line.call);
                Ok(())
            },
        )?;
        for (_, child) in next {
            found.push((child, history.behind(&uses[child])));
        }
        for (child, lines) in found {
            processes[child].inherited = lines;
        }
    }
    Ok(())
}

type Threads = Vec<(u64, PathBuf)>;

/// By the time when a process began, and its number.
fn files(folder: &Path) -> io::Result<BTreeMap<(u64, u64), Threads>> {
    let mut found: BTreeMap<(u64, u64), Threads> = BTreeMap::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("");
        let parts: Option<Vec<u64>> = name.split('-').map(|part| part.parse().ok()).collect();
        if let Some([start, process, thread]) = parts.as_deref() {
            let threads = found.entry((*start, *process)).or_default();
            threads.push((*thread, path.clone()));
        }
    }
    for threads in found.values_mut() {
        threads.sort();
    }
    Ok(found)
}

fn read_header(mut reader: impl BufRead, process: &mut Process, lost: &mut u64) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if reader.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end();
        match text.split_once(' ') {
            None if text == "lost" => *lost += 1,
            Some(("forked", number)) => process.forked = number.parse().ok(),
            Some(("module", rest)) => process.modules.extend(Module::read(rest)),
            Some((parent, command)) => {
                process.run.parent = parent.parse().ok();
                process.run.command = command.trim().to_owned();
            }
            None => {}
        }
    }
}

struct Line<'a> {
    time: u64,
    /// The address that the call returned to, or 0.
    site: u64,
    call: &'a [u8],
}

/// A line that waits for its turn: by key, then as it came.
type Waiting = Reverse<(u64, u64, usize, Vec<u8>)>;

fn merge<R: BufRead>(
    mut sources: Vec<(u64, R)>,
    recorded: &mut Recorded,
    mut with: impl FnMut(u64, Line<'_>, u64) -> io::Result<()>,
) -> io::Result<()> {
    // The source that is furthest behind is read next.
    let mut behind: BinaryHeap<Reverse<(u64, usize)>> =
        (0..sources.len()).map(|i| Reverse((0, i))).collect();
    let mut waiting: BinaryHeap<Waiting> = BinaryHeap::new();
    let mut read = 0;
    let mut last = 0;
    let mut emit = |waiting: &mut BinaryHeap<Waiting>, displaced: &mut u64| -> io::Result<()> {
        let Some(Reverse((key, _, source, text))) = waiting.pop() else {
            return Ok(());
        };
        *displaced += u64::from(key < last);
        last = last.max(key);
        if let Some((time, site, call)) = split(&text) {
            with(key, Line { time, site, call }, source as u64)?;
        }
        Ok(())
    };
    while let Some(Reverse((_, source))) = behind.pop() {
        let mut text = Vec::new();
        let (thread, reader) = &mut sources[source];
        if reader.read_until(b'\n', &mut text)? == 0 {
            continue;
        }
        let is_whole = text.pop_if(|b| *b == b'\n').is_some();
        // The rest of a window is zero. What stands before that was never finished.
        if let Some(zero) = text.iter().rposition(|&b| b == 0) {
            recorded.lost += u64::from(text[..zero].iter().any(|&b| b != 0));
            text.drain(..=zero);
        }
        let key = is_whole.then(|| key_of(&mut text)).flatten();
        match key {
            Some(key) => {
                read += 1;
                recorded.unreturned += u64::from(text.last() == Some(&b'?'));
                waiting.push(Reverse((key, read, *thread as usize, text)));
                behind.push(Reverse((key, source)));
            }
            None => {
                recorded.lost += u64::from(!text.is_empty());
                behind.push(Reverse((last_key(&waiting), source)));
            }
        }
        if waiting.len() > AHEAD {
            emit(&mut waiting, &mut recorded.displaced)?;
        }
    }
    while !waiting.is_empty() {
        emit(&mut waiting, &mut recorded.displaced)?;
    }
    Ok(())
}

fn last_key(waiting: &BinaryHeap<Waiting>) -> u64 {
    waiting.peek().map_or(0, |Reverse((key, ..))| *key)
}

/// Takes the key from the beginning of a line.
fn key_of(text: &mut Vec<u8>) -> Option<u64> {
    let space = text.iter().position(|&b| b == b' ')?;
    let key = std::str::from_utf8(&text[..space]).ok()?.parse().ok()?;
    text.drain(..=space);
    split(text)?;
    Some(key)
}

/// The time, the site and the call.
fn split(text: &[u8]) -> Option<(u64, u64, &[u8])> {
    let mut parts = text.splitn(3, |&b| b == b' ');
    let mut number = || std::str::from_utf8(parts.next()?).ok()?.parse().ok();
    let (time, site) = (number()?, number()?);
    Some((time, site, parts.next()?))
}

fn to_json(line: &Line<'_>, process: u64, thread: Option<u64>, site: &Site) -> Json {
    let mut call = Vec::new();
    // Writing to memory does not fail.
    let _ = write_text(&mut call, line, site);
    let mut reader = TraceReader::new(&call[..], TraceFormat::Text);
    let mut record = TraceRecord::default();
    let mut value = match thread {
        Some(thread) => json!({ "pid": process, "thread": thread }),
        None => json!({ "pid": process, "inherited": true }),
    };
    if line.time > 0 {
        value["time"] = json!(line.time as f64 / 1e9);
    }
    if let Ok(TraceItem::Interaction) = reader.read(&mut record) {
        value["call"] = json!(String::from_utf8_lossy(record.call()));
        let mut arguments = serde_json::Map::new();
        for i in 0..record.n_attributes() {
            let text = String::from_utf8_lossy(record.value(i)).into_owned();
            let shown = match text.parse::<i64>() {
                Ok(number) => json!(number),
                Err(_) => json!(text),
            };
            match &*record.name(i) {
                b"return" => value["return"] = shown,
                b"at" => value["at"] = json!(text.trim_matches('"')),
                b"caller" => value["caller"] = json!(text.trim_matches('"')),
                name => {
                    arguments.insert(String::from_utf8_lossy(name).into_owned(), shown);
                }
            }
        }
        value["args"] = Json::Object(arguments);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::{Ends, Recorded, RecordedRun, Sites};
    use super::{TraceStyle, collect, merge};

    fn merged(threads: &[&[u8]]) -> (Vec<String>, Recorded) {
        let mut recorded = Recorded::default();
        let mut lines = Vec::new();
        let sources = threads.iter().zip(1..).map(|(bytes, n)| (n, *bytes));
        let sources: Vec<(u64, &[u8])> = sources.collect();
        merge(sources, &mut recorded, |_, line, thread| {
            let call = String::from_utf8_lossy(line.call).into_owned();
            lines.push(format!("{thread} {call}"));
            Ok(())
        })
        .expect("reading memory does not fail");
        (lines, recorded)
    }

    #[test]
    fn lines_of_threads_are_put_in_order() {
        let (lines, recorded) = merged(&[
            b"3 0 0 inner()\n2 0 0 outer()\n\0\0\0\0\x00",
            b"1 0 0 first()\n\0\0\x007 0 0 last(s = \"a b\")\n",
        ]);
        assert_eq!(
            lines,
            ["2 first()", "1 outer()", "1 inner()", "2 last(s = \"a b\")"]
        );
        assert_eq!((recorded.lost, recorded.displaced), (0, 0));
    }

    #[test]
    fn a_line_that_was_never_finished_is_counted() {
        let (lines, recorded) = merged(&[
            b"1 0 0 whole()\n2 0 0 par\0\0\0\x003 0 0 next()\n4 0 0 rest(\0\0",
            b"nonsense\n5 0 0 end()",
        ]);
        assert_eq!(lines, ["1 whole()", "1 next()"]);
        assert_eq!(recorded.lost, 4);
    }

    #[test]
    fn processes_are_runs() {
        let folder = std::env::temp_dir().join(format!("idiolect-collect-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("there is room for a folder");
        let write = |name: &str, text: &str| {
            std::fs::write(folder.join(name), text).expect("a file can be written");
        };
        write("20-7-0", "5 ./child x\n");
        write("20-7-7", "1 1500000000 0 close(fd = 3, return = 0)\n");
        write(
            "10-5-0",
            "1 ./parent\nlost\nmodule 100 110 50 /bin/parent\n",
        );
        write(
            "10-5-5",
            "1 0 105 open(path = \"a\", return = 3)\n2 0 0 read(fd = 3?\n",
        );
        write("30-8-0", "5 ./silent\n");
        write("recorder.c", "");
        let vocabulary = crate::testing::socket("accept(so, return)");
        let mut text = Vec::new();
        struct Lines;
        impl Sites for Lines {
            fn place(&mut self, module: &str, offset: u64) -> Option<String> {
                Some(format!("{module}.c:{offset}"))
            }
        }
        let ends = Ends {
            cut: Some((5, "signal 11".to_owned())),
        };
        let collected = |style, to: &mut Vec<u8>| {
            collect(&folder, style, &vocabulary, &mut Lines, &ends, to).expect("it is all there")
        };
        let recorded = collected(TraceStyle::Text, &mut text);
        let mut lines = Vec::new();
        collected(TraceStyle::JsonLines, &mut lines);
        std::fs::remove_dir_all(&folder).expect("it was ours");
        assert_eq!(
            String::from_utf8_lossy(&text),
            "# process 5: ./parent\nopen(path = \"a\", return = 3, at = \"/bin/parent.c:55\")\n\
             read(fd = 3, return = ?)\n# cut off by signal 11\n--\n# process 7: ./child x\n\
             close(fd = 3, return = 0)\n"
        );
        assert!(String::from_utf8_lossy(&lines).contains(
            "{\"args\":{\"fd\":3},\"call\":\"close\",\"pid\":7,\"return\":0,\"thread\":7,\"time\":1.5}"
        ));
        assert_eq!((recorded.lost, recorded.unreturned), (1, 1));
        assert_eq!(recorded.runs.len(), 3);
        let child = RecordedRun {
            process: 7,
            parent: Some(5),
            command: "./child x".to_owned(),
            calls: 1,
        };
        assert_eq!(recorded.runs[1], child);
    }
}
