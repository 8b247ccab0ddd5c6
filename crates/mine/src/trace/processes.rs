//! Where a run ends in what a tracer wrote: nothing says so, but processes end.
//!
//! Without `-f` a tracer follows one process and writes no numbers; its end is the end of the run. With
//! `-f` a run is over when all its processes have ended *and* the next line is how a program starts:
//! a trace of a few chosen calls need not show that a process was forked, and then the end of those
//! that were seen is not the end of all.

use super::tracer::{base_name, split_prefix};
use std::collections::BTreeSet;

/// The processes of a run that were seen and have not ended.
#[derive(Default, Debug)]
pub(super) struct Processes {
    alive: BTreeSet<u64>,
    /// All have ended.
    is_idle: bool,
}

/// Whether a run ends at a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Boundary {
    Before,
    After,
}

/// What is known of a line.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Seen {
    pub boundary: Option<Boundary>,
    /// A process was killed.
    pub is_killed: bool,
}

impl Processes {
    /// Looks at the next line, without blanks around it.
    pub(super) fn read(&mut self, line: &[u8]) -> Seen {
        let (process, rest) = split_prefix(line);
        if let Some(end) = rest.strip_prefix(b"+++ ") {
            let is_killed = end.starts_with(b"killed by");
            if !is_killed && !end.starts_with(b"exited") && !end.starts_with(b"superseded") {
                return Seen::default();
            }
            self.alive.remove(&process);
            // Numbers are left out where there is only one process.
            let is_alone = process == 0;
            self.is_idle = !is_alone && self.alive.is_empty();
            return Seen {
                boundary: is_alone.then_some(Boundary::After),
                is_killed,
            };
        }
        let mut boundary = None;
        if std::mem::take(&mut self.is_idle) && starts(rest) {
            boundary = Some(Boundary::Before);
            self.alive.clear();
        }
        if self.alive.last() != Some(&process) {
            self.alive.insert(process);
        }
        // Who follows one process does not see what it forks.
        if process != 0 {
            self.alive.extend(forked(rest));
        }
        Seen {
            boundary,
            is_killed: false,
        }
    }

    /// The run is over.
    pub(super) fn clear(&mut self) {
        self.alive.clear();
        self.is_idle = false;
    }
}

/// Whether a program starts with this call.
fn starts(call: &[u8]) -> bool {
    let open = call.iter().position(|&b| b == b'(');
    let name = open.map_or(&b""[..], |open| base_name(&call[..open]));
    matches!(name, b"execve" | b"execveat" | b"__libc_start_main")
}

/// The process that this call made, if it made one.
fn forked(call: &[u8]) -> Option<u64> {
    let call = call.strip_prefix(b"<... ").unwrap_or(call);
    let end = call.iter().position(|&b| matches!(b, b'(' | b' '))?;
    match base_name(&call[..end]) {
        b"fork" | b"vfork" | b"clone" | b"clone3" => {}
        _ => return None,
    }
    let result = call.rsplitn(2, |&b| b == b'=').next()?.trim_ascii();
    let digits = result.iter().take_while(|b| b.is_ascii_digit()).count();
    let number: u64 = std::str::from_utf8(&result[..digits]).ok()?.parse().ok()?;
    (number > 0).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::super::{TraceFormat, TraceItem, TraceReader, TraceRecord};
    use crate::pieces::tracer_pieces;

    /// The calls of each run.
    fn runs(text: &str) -> Vec<String> {
        let mut reader = TraceReader::new(text.as_bytes(), TraceFormat::Strace);
        let mut record = TraceRecord::default();
        let mut runs = vec![String::new()];
        loop {
            match reader.read(&mut record).expect("memory can be read") {
                TraceItem::EndOfTrace => break,
                TraceItem::EndOfRun => runs.push(String::new()),
                TraceItem::Interaction => {
                    let last = runs.len() - 1;
                    runs[last] += &String::from_utf8_lossy(record.call());
                    runs[last] += " ";
                }
            }
        }
        runs.retain(|run| !run.is_empty());
        // Cut into as many pieces as there may be, the runs are the same.
        let pieces = tracer_pieces(text.as_bytes(), text.len() as u64, 1);
        let pieces = pieces.expect("memory can be read");
        assert_eq!(pieces.last().map(|p| p.end), Some(text.len() as u64));
        if pieces.len() > 1 {
            let part =
                |p: std::ops::Range<u64>| self::runs(&text[p.start as usize..p.end as usize]);
            let parts: Vec<String> = pieces.into_iter().flat_map(part).collect();
            assert_eq!(parts, runs);
        }
        runs
    }

    #[test]
    fn one_process_after_the_other() {
        let text = "execve(\"a\") = 0\nopen() = 3\n+++ exited with 0 +++\nread(3) = 1\n+++ killed by SIGKILL +++\nclose(3) = 0\n";
        assert_eq!(runs(text), ["execve open ", "read ", "close "]);
        let text = "fork() = 9\n+++ exited with 0 +++\nread(3) = 1\n";
        assert_eq!(runs(text), ["fork ", "read "]);
    }

    #[test]
    fn a_run_is_over_with_its_last_process() {
        let text = "7 execve(\"a\") = 0\n7 clone(child_stack=NULL) = 8\n7 +++ exited with 0 +++\n\
                    8 read(3) = 1\n8 +++ exited with 0 +++\n# next\n9 execve(\"b\") = 0\n9 close(3) = 0\n";
        assert_eq!(runs(text), ["execve clone read ", "execve close "]);
        // The child is not in the trace yet, and nothing said that there is one.
        let text =
            "7 socket() = 3\n7 +++ exited with 0 +++\n8 accept(3) = 4\n8 +++ exited with 0 +++\n";
        assert_eq!(runs(text), ["socket accept "]);
        let text = "[pid 7] fork( <unfinished ...>\n[pid 7] <... fork resumed> ) = 8\n[pid 7] +++ exited (status 0) +++\n\
                    [pid 8] __libc_start_main(1) = 0\n[pid 8] +++ exited (status 0) +++\n[pid 9] __libc_start_main(1) = 0\n";
        assert_eq!(
            runs(text),
            ["fork __libc_start_main ", "__libc_start_main "]
        );
    }

    #[test]
    fn marks_of_people_count_as_well() {
        let text = "7 socket() = 3\n--\n8 socket() = 3\n8 --- SIGCHLD {} ---\n--\n";
        assert_eq!(runs(text), ["socket ", "socket "]);
    }
}
