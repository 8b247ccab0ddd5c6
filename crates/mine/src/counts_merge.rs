//! Files of counts merged as streams: each is read once from front to back, and what is in memory is
//! one record of each.
//!
//! Records are sorted, so equal ones meet. Scenarios are the exception: those of one file are in the
//! standard order that this file's traces allow, and others may show that two calls change places. A file
//! that did not know all of that is brought into the order of all: its scenarios are standardized
//! again, sorted in pieces of bounded size ([`MOST_SORTED`]) and kept aside ([`Scratch`]) until they are merged
//! like the rest. What comes out are the bytes that counting all traces at once gives.

use crate::counts_file::{CountsError, CountsReader, CountsWriter, Line};
use crate::scenario::{Packed, Scenario};
use crate::standardize::standardize_in;
use crate::types::{ObjectOrders, Typing};
use crate::vocabulary::{ApiVocabulary, AttributeId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

/// So many numbers of scenarios are sorted in memory (64 MiB).
const MOST_SORTED: usize = 1 << 24;

/// Bytes kept aside, to be read again from their start.
pub trait Scratch: Read + Write + Seek {}

impl<T: Read + Write + Seek> Scratch for T {}

/// Why files of counts cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// Which of the files, and what is wrong with it.
    #[error("{error}")]
    File { file: usize, error: CountsError },
    #[error("the merged counts cannot be written: {0}")]
    Write(#[source] io::Error),
    #[error("counts cannot be kept aside: {0}")]
    Scratch(#[source] io::Error),
}

type Records = Vec<(Packed, u64)>;

/// Merges files of counts that were made with this API, seeds and size.
pub fn merge_counts<R: BufRead>(
    files: Vec<R>,
    vocabulary: &ApiVocabulary,
    size: usize,
    out: impl Write,
    scratch: impl FnMut() -> io::Result<Box<dyn Scratch>>,
) -> Result<(), MergeError> {
    Merger::new(files, vocabulary, size)?.run(out, scratch, MOST_SORTED)
}

struct Merger<'v, R> {
    vocabulary: &'v ApiVocabulary,
    size: usize,
    files: Vec<Source<R>>,
    typing: Typing,
}

/// A file of which one record has been looked at.
struct Source<R> {
    reader: CountsReader<R>,
    next: Option<Line>,
    /// Pairs of calls that may change places, as far as this file knows.
    commuting: Vec<(u32, u32)>,
}

impl<'v, R: BufRead> Merger<'v, R> {
    /// Reads what all scenarios depend on, which is at the beginning of each file.
    fn new(files: Vec<R>, vocabulary: &'v ApiVocabulary, size: usize) -> Result<Self, MergeError> {
        let mut typing = Typing::new(vocabulary.n_attributes());
        let mut sources = Vec::with_capacity(files.len());
        for (file, reader) in files.into_iter().enumerate() {
            let wrong = |error| MergeError::File { file, error };
            let mut reader = CountsReader::open(reader, vocabulary, size).map_err(wrong)?;
            let mut orders = ObjectOrders::default();
            let next = loop {
                match reader.next(vocabulary).map_err(wrong)? {
                    Some(Line::Type(a, b)) => typing.unite(AttributeId(a), AttributeId(b)),
                    Some(Line::Order(a, b)) => {
                        orders.insert(a, b);
                        typing.orders_mut().insert(a, b);
                    }
                    other => break other,
                }
            };
            sources.push(Source {
                reader,
                next,
                commuting: orders.commuting().collect(),
            });
        }
        Ok(Self {
            vocabulary,
            size,
            files: sources,
            typing,
        })
    }

    fn run(
        mut self,
        out: impl Write,
        scratch: impl FnMut() -> io::Result<Box<dyn Scratch>>,
        most_sorted: usize,
    ) -> Result<(), MergeError> {
        let mut totals = crate::counts_file::Totals::default();
        for source in &self.files {
            totals.add(source.reader.totals);
        }
        let out = BufWriter::new(out);
        let mut out = CountsWriter::new(out, self.vocabulary, self.size, totals)
            .map_err(MergeError::Write)?;
        out.typing(&self.typing).map_err(MergeError::Write)?;
        self.merge_lives(&mut out)?;
        self.merge_scenarios(&mut out, scratch, most_sorted)?;
        out.finish().map_err(MergeError::Write)
    }

    /// Gives the record that a file is at, and goes on to the next.
    fn step(&mut self, file: usize) -> Result<Option<Line>, MergeError> {
        let source = &mut self.files[file];
        if source.next.is_none() {
            return Ok(None);
        }
        let next = source.reader.next(self.vocabulary);
        let next = next.map_err(|error| MergeError::File { file, error })?;
        Ok(std::mem::replace(&mut source.next, next))
    }

    fn merge_lives(&mut self, out: &mut CountsWriter<impl Write>) -> Result<(), MergeError> {
        let key = |source: &Source<R>| {
            let (name, candidate) = source.next.as_ref()?.life_key()?;
            Some((name.to_owned(), candidate))
        };
        let mut heap: BinaryHeap<_> = (self.files.iter().enumerate())
            .filter_map(|(i, source)| Some(Reverse((key(source)?, i))))
            .collect();
        let mut open: Option<Line> = None;
        while let Some(Reverse((_, file))) = heap.pop() {
            let Some(line) = self.step(file)? else {
                continue;
            };
            if let Some(next) = key(&self.files[file]) {
                heap.push(Reverse((next, file)));
            }
            open = match open {
                Some(mut sum) if sum.life_key() == line.life_key() => {
                    sum.add(&line);
                    Some(sum)
                }
                before => {
                    if let Some(before) = before {
                        out.add(&before).map_err(MergeError::Write)?;
                    }
                    Some(line)
                }
            };
        }
        match open {
            Some(last) => out.add(&last).map_err(MergeError::Write),
            None => Ok(()),
        }
    }

    fn merge_scenarios(
        &mut self,
        out: &mut CountsWriter<impl Write>,
        mut scratch: impl FnMut() -> io::Result<Box<dyn Scratch>>,
        most_sorted: usize,
    ) -> Result<(), MergeError> {
        let known: Vec<(u32, u32)> = self.typing.orders().commuting().collect();
        let (direct, foreign): (Vec<usize>, Vec<usize>) =
            (0..self.files.len()).partition(|&i| self.files[i].commuting == known);
        let mut kept = Kept::default();
        for file in foreign {
            while let Some(Line::Scenario(packed, count)) = self.step(file)? {
                if let Some(scenario) = Scenario::unpack(&packed, self.vocabulary) {
                    let orders = Some(self.typing.orders());
                    let standard = standardize_in(self.vocabulary, None, orders, &scenario);
                    kept.add(standard.scenario.pack(), count);
                }
                if kept.numbers >= most_sorted {
                    kept.put_aside(&mut scratch).map_err(MergeError::Scratch)?;
                }
            }
        }
        let (mut aside, rest) = kept.sorted().map_err(MergeError::Scratch)?;
        let mut rest = rest.into_iter();
        let n_files = self.files.len();
        let n_aside = aside.len();
        // Sources by number: the files, what was kept aside, and what is in memory.
        let mut pull =
            |merger: &mut Self, source: usize| -> Result<Option<(Packed, u64)>, MergeError> {
                if source < n_files {
                    return Ok(match merger.step(source)? {
                        Some(Line::Scenario(packed, count)) => Some((packed.into(), count)),
                        _ => None,
                    });
                }
                match aside.get_mut(source - n_files) {
                    Some(run) => read_record(run).map_err(MergeError::Scratch),
                    None => Ok(rest.next()),
                }
            };
        let mut heap = BinaryHeap::new();
        for source in direct.into_iter().chain(n_files..=n_files + n_aside) {
            let first = pull(self, source)?;
            heap.extend(first.map(|(packed, count)| Reverse((packed, source, count))));
        }
        let mut open: Option<(Packed, u64)> = None;
        let mut write = |record: Option<(Packed, u64)>| match record {
            Some((packed, count)) => {
                (out.add(&Line::Scenario(packed.to_vec(), count))).map_err(MergeError::Write)
            }
            None => Ok(()),
        };
        while let Some(Reverse((packed, source, count))) = heap.pop() {
            let next = pull(self, source)?;
            heap.extend(next.map(|(packed, count)| Reverse((packed, source, count))));
            match &mut open {
                Some((own, sum)) if *own == packed => *sum = sum.saturating_add(count),
                _ => write(open.replace((packed, count)))?,
            }
        }
        write(open)
    }
}

/// Scenarios in an order of their own.
#[derive(Default)]
struct Kept {
    records: Records,
    numbers: usize,
    aside: Vec<Box<dyn Scratch>>,
}

type Aside = Vec<BufReader<Box<dyn Scratch>>>;

impl Kept {
    fn add(&mut self, packed: Packed, count: u64) {
        self.numbers += packed.len() + 3;
        self.records.push((packed, count));
    }

    fn put_aside(
        &mut self,
        scratch: &mut impl FnMut() -> io::Result<Box<dyn Scratch>>,
    ) -> io::Result<()> {
        let mut file = BufWriter::new(scratch()?);
        for (packed, count) in sorted(std::mem::take(&mut self.records)) {
            file.write_all(&(packed.len() as u32).to_le_bytes())?;
            file.write_all(&count.to_le_bytes())?;
            for number in packed {
                file.write_all(&number.to_le_bytes())?;
            }
        }
        self.numbers = 0;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        self.aside.push(file);
        Ok(())
    }

    /// What was kept aside, each from its start, and what is in memory.
    fn sorted(self) -> io::Result<(Aside, Records)> {
        let mut aside = Vec::with_capacity(self.aside.len());
        for mut file in self.aside {
            file.seek(SeekFrom::Start(0))?;
            aside.push(BufReader::new(file));
        }
        Ok((aside, sorted(self.records)))
    }
}

/// Sorted, each scenario once.
fn sorted(mut records: Records) -> Records {
    records.sort_unstable();
    records.dedup_by(|next, own| {
        let is_same = next.0 == own.0;
        if is_same {
            own.1 = own.1.saturating_add(next.1);
        }
        is_same
    });
    records
}

fn read_record(run: &mut impl BufRead) -> io::Result<Option<(Packed, u64)>> {
    if run.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let (mut four, mut eight) = ([0; 4], [0; 8]);
    run.read_exact(&mut four)?;
    run.read_exact(&mut eight)?;
    let mut packed = Packed::new();
    for _ in 0..u32::from_le_bytes(four) {
        let mut number = [0; 4];
        run.read_exact(&mut number)?;
        packed.push(u32::from_le_bytes(number));
    }
    Ok(Some((packed, u64::from_le_bytes(eight))))
}

#[cfg(test)]
mod tests {
    use super::{MOST_SORTED, MergeError, Merger, Scratch, merge_counts};
    use crate::counts::CountedScenarios;
    use crate::testing::{FIGURE_2, count_all, socket};
    use crate::vocabulary::ApiVocabulary;
    use std::io::Cursor;

    fn aside() -> std::io::Result<Box<dyn Scratch>> {
        Ok(Box::new(Cursor::new(Vec::new())))
    }

    fn merged(vocabulary: &ApiVocabulary, files: &[String], most: usize) -> String {
        let files: Vec<&[u8]> = files.iter().map(String::as_bytes).collect();
        let mut out = Vec::new();
        let merger = Merger::new(files, vocabulary, 10).expect("our own files");
        merger.run(&mut out, aside, most).expect("memory is enough");
        String::from_utf8(out).expect("text")
    }

    /// Parts that know different orders of uses, and so write the same scenario in different ways.
    fn parts() -> Vec<(&'static str, String)> {
        let uses = ["read(fd = 8)\n", "write(fd = 8)\n", "getsockname(so = 8)\n"];
        let mut parts = vec![("figure", FIGURE_2.to_owned()), ("empty", String::new())];
        for i in 0..24 {
            let mut text = "socket(return = 7)\naccept(so = 7, return = 8)\n".to_owned();
            for j in 0..1 + i % 5 {
                text += uses[(i * 7 + j * (1 + i % 3)) % 3];
            }
            text += ["close(fd = 8)\n", ""][i % 2];
            parts.push((["a", "b", "c"][i % 3], text));
        }
        parts
    }

    #[test]
    fn streams_merge_to_what_one_machine_counts() {
        let vocabulary = socket("accept(so, return)");
        let mut whole = CountedScenarios::new(&vocabulary);
        let mut files = Vec::new();
        for (name, text) in parts() {
            whole.merge(count_all(&vocabulary, name, &text, 10), &vocabulary);
            files.push(count_all(&vocabulary, name, &text, 10).write(&vocabulary, 10));
        }
        let whole = whole.write(&vocabulary, 10);
        // With next to no memory, too.
        for most in [1, 100, MOST_SORTED] {
            assert_eq!(merged(&vocabulary, &files, most), whole, "{most}");
            files.rotate_left(7);
        }
        // In trees of any shape.
        for groups in [2, 3, 5, 11] {
            let mut level = files.clone();
            while level.len() > 1 {
                let groups = level.chunks(groups);
                level = groups.map(|g| merged(&vocabulary, g, 50)).collect();
                level.reverse();
            }
            assert!(level.len() == 1 && level[0] == whole);
        }
        assert_eq!(
            merged(&vocabulary, &[], 1),
            CountedScenarios::new(&vocabulary).write(&vocabulary, 10)
        );
    }

    #[test]
    fn the_file_that_is_wrong_is_named() {
        let vocabulary = socket("accept(so, return)");
        let good = count_all(&vocabulary, "a", FIGURE_2, 10).write(&vocabulary, 10);
        let merge = |bad: &str| {
            let files = vec![good.as_bytes(), bad.as_bytes(), good.as_bytes()];
            merge_counts(files, &vocabulary, 10, std::io::sink(), aside)
        };
        assert!(merge(&good).is_ok());
        let lines: Vec<&str> = good.lines().collect();
        for at in 0..lines.len() {
            let half = lines[..at].join("\n");
            assert!(matches!(
                merge(&half),
                Err(MergeError::File { file: 1, .. })
            ));
            let mut swapped = lines.clone();
            swapped.swap(at, at.saturating_sub(1));
            let wrong = merge(&swapped.join("\n"));
            let is_typing =
                |i: usize| lines[i].contains("\"type\"") || lines[i].contains("\"order\"");
            assert!(at == 0 || is_typing(at) || wrong.is_err(), "{at}");
        }
        assert!(merge(&format!("{good}{good}")).is_err());
    }
}
