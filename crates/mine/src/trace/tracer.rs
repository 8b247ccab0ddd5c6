//! What `strace -f -ttt` and `ltrace -f` write. A call that another one interrupts is written in
//! two lines, `read(3, <unfinished ...>` and `<... read resumed> "", 5) = 0`; they are joined.

use super::text::{is_name, next_argument, trim};
use super::{AttributeName, Bad, TraceRecord};
use std::collections::BTreeMap;

/// The calls that have not returned, by process and, since calls nest in `ltrace`, innermost last.
#[derive(Default, Debug)]
pub(super) struct Unfinished(BTreeMap<u64, Vec<(u64, Vec<u8>)>>);

const UNFINISHED: &[u8] = b"<unfinished ...>";

impl Unfinished {
    /// Reads a line; `Ok(false)` if it is none that ends a call.
    pub(super) fn parse(&mut self, line: &[u8], record: &mut TraceRecord) -> Result<bool, Bad> {
        let (process, line) = split_prefix(line);
        if line.is_empty() || line.starts_with(b"+++") || line.starts_with(b"---") {
            return Ok(false);
        }
        if let Some(front) = line.strip_suffix(UNFINISHED) {
            let open = self.0.entry(process).or_default();
            // A trace cut in the middle may leave calls open for ever; memory stays bounded.
            if open.len() >= 1000 {
                open.remove(0);
            }
            open.push((record.line, front.trim_ascii_end().to_vec()));
            return Ok(false);
        }
        if let Some(rest) = line.strip_prefix(b"<... ") {
            let end = find(rest, b"resumed>").ok_or("`<...` without `resumed>`")?;
            let name = base_name(rest[..end].trim_ascii());
            let open = self.0.get_mut(&process);
            let open = open.ok_or("a call is resumed that never began")?;
            let at = (open
                .iter()
                .rposition(|(_, front)| call_name(front) == Some(name)))
            .ok_or("a call is resumed that never began")?;
            let (line, mut whole) = open.remove(at);
            whole.extend_from_slice(&rest[end + b"resumed>".len()..]);
            record.line = line;
            return parse_call(&whole, record).map(|()| true);
        }
        parse_call(line, record).map(|()| true)
    }

    /// Forgets the open calls; the lines where they began.
    pub(super) fn drain(&mut self) -> Vec<u64> {
        let open = std::mem::take(&mut self.0).into_values().flatten();
        let mut lines: Vec<u64> = open.map(|(line, _)| line).collect();
        lines.sort_unstable();
        lines
    }
}

/// The process number, if there is one, and the line without it and without a time.
pub(super) fn split_prefix(line: &[u8]) -> (u64, &[u8]) {
    let mut process = 0;
    let mut rest = line;
    if let Some(after) = rest.strip_prefix(b"[pid") {
        if let Some(close) = after.iter().position(|&b| b == b']') {
            process = number(after[..close].trim_ascii()).unwrap_or(0);
            rest = after[close + 1..].trim_ascii_start();
        }
    } else if let Some((word, after)) = split_word(rest)
        && let Some(n) = number(word)
    {
        process = n;
        rest = after;
    }
    if let Some((word, after)) = split_word(rest) {
        let is_time = word[0].is_ascii_digit()
            && (word.iter()).all(|b| b.is_ascii_digit() || *b == b'.' || *b == b':');
        if is_time {
            rest = after;
        }
    }
    (process, rest)
}

fn split_word(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = text.iter().position(|b| b.is_ascii_whitespace())?;
    (end > 0).then(|| (&text[..end], text[end..].trim_ascii_start()))
}

fn number(text: &[u8]) -> Option<u64> {
    let is_number = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    (is_number.then(|| std::str::from_utf8(text).ok()?.parse().ok()))?
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|w| w == part)
}

/// `ltrace` writes `libc.so.6->malloc` or `malloc@libc.so.6`, depending on its version.
pub(super) fn base_name(name: &[u8]) -> &[u8] {
    let name = find(name, b"->").map_or(name, |at| &name[at + 2..]);
    let end = name.iter().position(|&b| b == b'@').unwrap_or(name.len());
    name[..end].trim_ascii()
}

fn call_name(front: &[u8]) -> Option<&[u8]> {
    let open = front.iter().position(|&b| b == b'(')?;
    Some(base_name(&front[..open]))
}

/// `name(argument, …) = result …`.
pub(super) fn parse_call(line: &[u8], record: &mut TraceRecord) -> Result<(), Bad> {
    let open = (line.iter().position(|&b| b == b'(')).ok_or("the line has no `(`")?;
    let name = base_name(&line[..open]);
    if !is_name(name) {
        return Err("there is no name before `(`");
    }
    // The last `) = ` separates the arguments from the result; arguments are balanced, so another
    // one further left would be inside a quote.
    let (close, result) = (close_of(line, open + 1)).ok_or("the arguments are never closed")?;
    record.text.extend_from_slice(line);
    let start = name.as_ptr() as usize - line.as_ptr() as usize;
    record.call = start..start + name.len();
    let mut at = open + 1;
    let mut position = 0;
    while let Some(argument) = next_argument(line, &mut at, close)? {
        let value = without_path(line, argument);
        let attribute = (AttributeName::Argument(position), value);
        record.attributes.push(attribute);
        position += 1;
    }
    let rest = trim(line, result..line.len());
    if let Some(text) = line[rest.clone()].strip_prefix(b"=") {
        let start = rest.end - text.len();
        let value = trim(line, start..rest.end);
        // `-1 ENOENT (No such file or directory)`: the number is the result.
        let end = (line[value.clone()]
            .iter()
            .position(|b| b.is_ascii_whitespace()))
        .map_or(value.end, |at| value.start + at);
        let value = without_path(line, value.start..end);
        // `?` is a call that did not return, `<void>` one without a result.
        if !matches!(&line[value.clone()], b"" | b"?" | b"<void>") {
            record.attributes.push((AttributeName::Return, value));
        }
    }
    Ok(())
}

/// Where the bracket closes that is open at `start`, and where the rest of the line begins.
fn close_of(line: &[u8], start: usize) -> Option<(usize, usize)> {
    let mut depth = 0usize;
    let mut i = start;
    while i < line.len() {
        match line[i] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' if depth == 0 => return Some((i, i + 1)),
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'"' => {
                i += 1;
                while i < line.len() && line[i] != b'"' {
                    i += if line[i] == b'\\' { 2 } else { 1 };
                }
            }
            _ => {}
        }
        i += 1;
    }
    None
}

/// `strace -y` writes `3</dev/null>` for a descriptor; the number is the value.
fn without_path(line: &[u8], value: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let text = &line[value.clone()];
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    match text.get(digits) {
        Some(b'<') if digits > 0 && text.last() == Some(&b'>') => value.start..value.start + digits,
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{TraceFormat, tests::read_all};

    #[test]
    fn strace_lines() {
        let text = br#"12 1700000000.100000 socket(AF_INET, SOCK_STREAM, IPPROTO_IP) = 3
12 1700000000.200000 bind(3<socket:[8]>, {sa_family=AF_INET, sin_port=htons(80)}, 16) = 0
12 1700000000.300000 accept(3, NULL, NULL <unfinished ...>
13 1700000000.310000 write(1, "a) = 7, b\n", 10) = 10
12 1700000000.400000 <... accept resumed>) = 4</x>
12 1700000000.500000 read(4, 0x7ffe, 5) = -1 EAGAIN (Resource temporarily unavailable)
12 1700000000.600000 --- SIGCHLD {si_signo=SIGCHLD} ---
12 1700000000.700000 exit_group(0) = ?
12 1700000000.800000 +++ exited with 0 +++
"#;
        let (found, skipped) = read_all(text, TraceFormat::Auto);
        assert_eq!(
            found,
            [
                "1: socket arg0=AF_INET arg1=SOCK_STREAM arg2=IPPROTO_IP return=3",
                "2: bind arg0=3 arg1={sa_family=AF_INET, sin_port=htons(80)} arg2=16 return=0",
                "4: write arg0=1 arg1=\"a) = 7, b\\n\" arg2=10 return=10",
                "3: accept arg0=3 arg1=NULL arg2=NULL return=4",
                "6: read arg0=4 arg1=0x7ffe arg2=5 return=-1",
                "8: exit_group arg0=0",
            ]
        );
        assert_eq!(skipped, []);
    }

    #[test]
    fn ltrace_lines() {
        let text = b"[pid 7] libc.so.6->malloc(32) = 0x55aa
[pid 7] qsort(0x1, 2 <unfinished ...>
[pid 8] free@libc.so.6(0x55aa) = <void>
[pid 7] strcmp(\"a\", \"b\") = -1
[pid 7] <... qsort resumed> ) = <void>
[pid 7] <... puts resumed> ) = 3
[pid 7] pause( <unfinished ...>
[pid 7] +++ exited (status 0) +++
";
        let (found, skipped) = read_all(text, TraceFormat::Auto);
        assert_eq!(
            found,
            [
                "1: malloc arg0=32 return=0x55aa",
                "3: free arg0=0x55aa",
                "4: strcmp arg0=\"a\" arg1=\"b\" return=-1",
                "2: qsort arg0=0x1 arg1=2",
            ]
        );
        let lines: Vec<u64> = skipped.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [6, 7]);
    }
}
