//! A trace cut where a run ends, so that the runs of one file are read in parallel.
//!
//! Where a file is cut depends on the file alone and never on the number of threads; what is found in
//! the pieces is put together by operations that do not care for their number either
//! ([`CountedScenarios::merge`](crate::CountedScenarios::merge), [`Summary::append`](crate::Summary::append)).

use crate::trace::{TraceFormat, TraceItem, TraceReader, TraceRecord, tracer_boundaries};
use std::io::{self, BufRead, Seek, SeekFrom};
use std::ops::Range;

/// The ranges of bytes of a trace of this length. Each but the last one ends with a line `--` and
/// has at least `least` bytes. Where no run ends for long, there is nothing to cut.
pub fn pieces(
    mut reader: impl BufRead + Seek,
    length: u64,
    least: u64,
) -> io::Result<Vec<Range<u64>>> {
    let least = least.max(1);
    // Looking for ends of runs may take an eighth of the time of reading, no more.
    let look = (least / 8).max(1 << 12);
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut from = least;
    let mut line = Vec::new();
    while from < length {
        reader.seek(SeekFrom::Start(from - 1))?;
        let mut at = from - 1;
        let until = from.saturating_add(look).min(length);
        // The line that the first byte is in is not seen as a whole.
        let mut is_whole = false;
        let mut end = None;
        while at < until {
            line.clear();
            let n = (&mut reader).take_line(until - at, &mut line)?;
            if n == 0 {
                break;
            }
            at += n;
            if is_whole && line.last() == Some(&b'\n') && line.trim_ascii() == b"--" {
                end = Some(at);
                break;
            }
            is_whole = line.last() == Some(&b'\n');
        }
        match end {
            Some(end) if end < length => {
                pieces.push(start..end);
                start = end;
                from = end + least;
            }
            _ => from += least,
        }
    }
    pieces.push(start..length);
    Ok(pieces)
}

/// The same of what a tracer wrote: where its runs end is known only to one who reads it all, which is a
/// small part of the work.
pub fn tracer_pieces(reader: impl BufRead, length: u64, least: u64) -> io::Result<Vec<Range<u64>>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    tracer_boundaries(reader, |end| {
        if end - start >= least.max(1) && end < length {
            pieces.push(start..end);
            start = end;
        }
    })?;
    pieces.push(start..length);
    Ok(pieces)
}

trait TakeLine {
    /// One line with its end, or the first `most` bytes of it.
    fn take_line(self, most: u64, line: &mut Vec<u8>) -> io::Result<u64>;
}

impl<R: BufRead> TakeLine for &mut R {
    fn take_line(self, most: u64, line: &mut Vec<u8>) -> io::Result<u64> {
        let mut part = io::Read::take(self, most);
        Ok(part.read_until(b'\n', line)? as u64)
    }
}

/// The format that is meant by [`TraceFormat::Auto`] for a trace that begins like this.
pub fn settle_format(reader: impl BufRead, format: TraceFormat) -> io::Result<TraceFormat> {
    if format != TraceFormat::Auto {
        return Ok(format);
    }
    let mut trace = TraceReader::new(reader, format);
    let mut record = TraceRecord::default();
    while trace.format() == TraceFormat::Auto {
        if trace.read(&mut record)? == TraceItem::EndOfTrace {
            break;
        }
    }
    Ok(trace.format())
}

#[cfg(test)]
mod tests {
    use super::{pieces, settle_format};
    use crate::counts::CountedScenarios;
    use crate::source::{Summary, count_trace, in_parallel};
    use crate::testing::{FIGURE_2, socket};
    use crate::trace::TraceFormat;
    use idiolect_base::Budget;
    use std::io::Cursor;

    fn cut(text: &str, least: u64) -> Vec<String> {
        let ranges = pieces(Cursor::new(text), text.len() as u64, least);
        let ranges = ranges.expect("reading memory does not fail");
        let part = |r: std::ops::Range<u64>| text[r.start as usize..r.end as usize].to_owned();
        ranges.into_iter().map(part).collect()
    }

    #[test]
    fn cuts_are_behind_the_ends_of_runs() {
        let text = "f()\n--\ng(x = \"\n--\n\")\n  -- \r\nh()\n--x\n--\n";
        for least in 1..60 {
            let parts = cut(text, least);
            assert_eq!(parts.concat(), text);
            for part in &parts[..parts.len() - 1] {
                assert!(part.len() as u64 >= least);
                assert_eq!(part.lines().last().map(str::trim), Some("--"));
            }
        }
        assert_eq!(
            cut(text, 1),
            [
                "f()\n--\n",
                "g(x = \"\n--\n",
                "\")\n  -- \r\n",
                "h()\n--x\n--\n"
            ]
        );
        assert_eq!(cut("", 1), [""]);
        assert_eq!(cut("f()\n", 1), ["f()\n"]);
    }

    #[test]
    fn a_long_run_is_not_looked_through() {
        let text = format!("{}--\nf()\n", "f()\n".repeat(10_000));
        assert_eq!(cut(&text, 1000).len(), 2);
        assert_eq!(cut(&text, 60_000).len(), 1);
    }

    #[test]
    fn pieces_count_as_the_whole_does() {
        let vocabulary = socket("accept(so, return)");
        let mut text = String::new();
        for i in 0..60 {
            let lines = FIGURE_2.lines().take(i % 17).map(|l| format!("{l}\n"));
            text.extend(lines);
            if i % 5 == 0 {
                text += "not a call\nunheard_of(x = 1)\n";
            }
            if i % 3 == 0 {
                text += &format!("name_{i}(x = 1)\n");
            }
            text += ["--\n", "\n--\n--\n", " -- \n"][i % 3];
        }
        let budget = Budget::unlimited();
        let count = |part: &str| {
            let counted = count_trace(
                &vocabulary,
                10,
                part.as_bytes(),
                TraceFormat::Text,
                "test",
                &budget,
            );
            counted.expect("reading memory does not fail")
        };
        let (mut whole, summary) = count(&text);
        let whole = whole.write(&vocabulary, 10);
        for (least, threads) in [(1, 1), (1, 4), (100, 2), (1000, 3), (100_000, 2)] {
            let parts = cut(&text, least);
            let one = |part: &String| {
                let budget = Budget::unlimited();
                let counted = count_trace(
                    &vocabulary,
                    10,
                    part.as_bytes(),
                    TraceFormat::Text,
                    "test",
                    &budget,
                );
                counted.expect("reading memory does not fail")
            };
            let mut merged = CountedScenarios::new(&vocabulary);
            let mut all = Summary::default();
            for (counts, more) in in_parallel(&parts, threads, one) {
                merged.merge(counts, &vocabulary);
                all.append(more);
            }
            assert_eq!(merged.write(&vocabulary, 10), whole);
            assert_eq!(all, summary);
        }
    }

    #[test]
    fn the_first_line_decides_for_all_pieces() {
        let settled = |text: &str, format| settle_format(text.as_bytes(), format).ok();
        assert_eq!(
            settled("# c\n--\n{\"call\":\"f\"}\n", TraceFormat::Auto),
            Some(TraceFormat::JsonLines)
        );
        assert_eq!(
            settled("f()\n", TraceFormat::Strace),
            Some(TraceFormat::Strace)
        );
        assert_eq!(
            settled("# nothing\n", TraceFormat::Auto),
            Some(TraceFormat::Auto)
        );
    }
}
