//! Counts as a file, version 2: a line that says what was counted and how, one line for each record in
//! a fixed order, and a line that says how many there were.
//!
//! Counts can only be added if they were made in the same way. So the first line has a *fingerprint* of
//! all that decides what a scenario or a life is: calls, attributes, what they do to which kind of
//! object, seeds, values that name nothing, and the size of scenarios. Each line ends with a check sum,
//! so that a file that was damaged on its way is refused with the line.
//!
//! Records are sorted, so files are merged by reading each once from front to back
//! ([`crate::counts_merge`]).

use crate::counts::CountedScenarios;
use crate::lives::{Candidate, OfProgram, Tally, Template};
use crate::scenario::Scenario;
use crate::types::Typing;
use crate::vocabulary::{ApiVocabulary, AttributeId, KindId};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::io::{self, BufRead, Write};

const FORMAT: &str = "idiolect-counts";
const VERSION: u32 = 2;

/// Why a file of counts cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CountsError {
    #[error("this is not a file of counts: {reason}")]
    NotCounts { line: u32, reason: String },
    #[error("`{format}` version {version} is not `{FORMAT}` version {VERSION}")]
    Version { format: String, version: u32 },
    #[error("these counts were made in another way: theirs are {theirs}, ours would be {ours}")]
    Stranger { theirs: String, ours: String },
    #[error("line {line} is damaged")]
    Damaged { line: u32 },
    #[error("the file ends too early")]
    Cut { line: u32 },
    #[error("cannot be read: {reason}")]
    Unreadable { line: u32, reason: String },
}

impl CountsError {
    /// Where it is, from 1.
    pub fn line(&self) -> u32 {
        match self {
            Self::NotCounts { line, .. }
            | Self::Damaged { line }
            | Self::Cut { line }
            | Self::Unreadable { line, .. } => (*line).max(1),
            Self::Version { .. } | Self::Stranger { .. } => 1,
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Head {
    format: String,
    version: u32,
    fingerprint: String,
    size: usize,
    seeds: Vec<String>,
    #[serde(flatten)]
    totals: Totals,
}

/// What is counted once for all records.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Totals {
    runs: u64,
    calls: u64,
    skipped_lines: u64,
    interactions: u64,
    unknown_calls: u64,
    cut_closures: u64,
    censored: u64,
}

impl Totals {
    pub(crate) fn add(&mut self, other: Self) {
        self.runs = self.runs.saturating_add(other.runs);
        self.calls = self.calls.saturating_add(other.calls);
        self.skipped_lines = self.skipped_lines.saturating_add(other.skipped_lines);
        self.interactions = self.interactions.saturating_add(other.interactions);
        self.unknown_calls = self.unknown_calls.saturating_add(other.unknown_calls);
        self.cut_closures = self.cut_closures.saturating_add(other.cut_closures);
        self.censored = self.censored.saturating_add(other.censored);
    }
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Line {
    /// Two attributes of one type.
    Type(u32, u32),
    /// Two attributes that used one object in this order.
    Order(u32, u32),
    /// A program, its runs and its objects.
    Program(String, u64, u64),
    /// Program, template, kind, and letters; then lives, kept, runs, kept.
    Rule(String, Template, u32, [u32; 3], [u64; 4]),
    Scenario(Vec<u32>, u64),
    /// How many lines there were between the first and this one.
    End(u64),
}

/// What decides what is counted, in a few digits.
pub fn fingerprint(vocabulary: &ApiVocabulary, size: usize) -> String {
    let mut text = format!("size {size}\n");
    for seed in vocabulary.seeds() {
        let _ = writeln!(text, "seed {seed}");
    }
    for call in vocabulary.call_names() {
        let _ = writeln!(text, "call {call}");
    }
    for attribute in (0..vocabulary.n_attributes()).map(AttributeId::new) {
        let _ = writeln!(text, "{}", vocabulary.describe(attribute));
    }
    format!("{:016x}", hash(text.as_bytes()))
}

/// FNV-1a: this is against accidents, not against people.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

pub(crate) fn write_line(out: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    // Only maps with odd keys make this an error.
    let json = serde_json::to_string(line).unwrap_or_default();
    writeln!(out, "{json} {:08x}", hash(json.as_bytes()) as u32)
}

/// The JSON of a line whose sum is right.
pub(crate) fn read_line(line: &[u8]) -> Option<&str> {
    let line = std::str::from_utf8(line).ok()?;
    let line = line.strip_suffix('\n').unwrap_or(line);
    let (json, sum) = line.rsplit_once(' ')?;
    (sum.len() == 8 && u32::from_str_radix(sum, 16).ok()? == hash(json.as_bytes()) as u32)
        .then_some(json)
}

/// Writes a file of counts, a record at a time.
pub(crate) struct CountsWriter<W> {
    out: W,
    n: u64,
}

impl<W: Write> CountsWriter<W> {
    pub(crate) fn new(
        mut out: W,
        vocabulary: &ApiVocabulary,
        size: usize,
        totals: Totals,
    ) -> io::Result<Self> {
        let head = Head {
            format: FORMAT.to_owned(),
            version: VERSION,
            fingerprint: fingerprint(vocabulary, size),
            size,
            seeds: vocabulary.seeds().iter().map(ToString::to_string).collect(),
            totals,
        };
        write_line(&mut out, &head)?;
        Ok(Self { out, n: 0 })
    }

    pub(crate) fn add(&mut self, line: &Line) -> io::Result<()> {
        self.n += 1;
        write_line(&mut self.out, line)
    }

    pub(crate) fn typing(&mut self, typing: &Typing) -> io::Result<()> {
        for (a, b) in typing.pairs() {
            self.add(&Line::Type(a, b))?;
        }
        for (a, b) in typing.orders().pairs() {
            self.add(&Line::Order(a, b))?;
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        write_line(&mut self.out, &Line::End(self.n))?;
        self.out.flush()
    }
}

/// Reads a file of counts, a record at a time: it needs the memory of one.
pub struct CountsReader<R> {
    reader: R,
    line: Vec<u8>,
    number: u32,
    n: u64,
    /// What the record before was, so that those in a wrong place are found.
    last: Option<Line>,
    pub(crate) totals: Totals,
}

impl<R: BufRead> CountsReader<R> {
    /// Reads the first line and refuses counts that were made in another way.
    pub fn open(reader: R, vocabulary: &ApiVocabulary, size: usize) -> Result<Self, CountsError> {
        let mut counts = Self {
            reader,
            line: Vec::new(),
            number: 0,
            n: 0,
            last: None,
            totals: Totals::default(),
        };
        counts.read_bytes()?;
        let first = String::from_utf8_lossy(&counts.line);
        let json = first
            .trim_end()
            .rsplit_once(' ')
            .map_or(&*first, |(j, _)| j);
        let head: Head = serde_json::from_str(json).map_err(|e| CountsError::NotCounts {
            line: 1,
            reason: e.to_string(),
        })?;
        if head.format != FORMAT || head.version != VERSION {
            return Err(CountsError::Version {
                format: head.format,
                version: head.version,
            });
        }
        read_line(&counts.line).ok_or(CountsError::Damaged { line: 1 })?;
        let ours = fingerprint(vocabulary, size);
        if head.fingerprint != ours {
            let seeds = vocabulary.seeds().iter().map(ToString::to_string);
            let shown = |fingerprint: &str, size: usize, seeds: &[String]| {
                format!("{fingerprint} (size {size}, seeds {})", seeds.join("; "))
            };
            return Err(CountsError::Stranger {
                theirs: shown(&head.fingerprint, head.size, &head.seeds),
                ours: shown(&ours, size, &seeds.collect::<Vec<_>>()),
            });
        }
        counts.totals = head.totals;
        Ok(counts)
    }

    /// The next line as it is; false at the end of the file.
    fn read_bytes(&mut self) -> Result<bool, CountsError> {
        self.line.clear();
        let mut limited = io::Read::take(&mut self.reader, LONGEST_LINE);
        let n = limited.read_until(b'\n', &mut self.line);
        let n = n.map_err(|e| CountsError::Unreadable {
            line: self.number + 1,
            reason: e.to_string(),
        })?;
        self.number += u32::from(n > 0);
        Ok(n > 0)
    }

    /// The next record, all of which are of this API; nothing after the last one.
    pub(crate) fn next(&mut self, vocabulary: &ApiVocabulary) -> Result<Option<Line>, CountsError> {
        if !self.read_bytes()? {
            return Err(CountsError::Cut { line: self.number });
        }
        let damaged = CountsError::Damaged { line: self.number };
        let line = read_line(&self.line).and_then(|json| serde_json::from_str(json).ok());
        let Some(line) = line.filter(|line: &Line| line.is_of(vocabulary)) else {
            return Err(damaged);
        };
        if let Line::End(expected) = line {
            let is_last = expected == self.n && !self.read_bytes()?;
            return if is_last { Ok(None) } else { Err(damaged) };
        }
        if self
            .last
            .as_ref()
            .is_some_and(|last| !line.may_follow(last))
        {
            return Err(damaged);
        }
        self.last = Some(line.clone());
        self.n += 1;
        Ok(Some(line))
    }
}

/// A record of a scenario of a thousand calls is far shorter.
const LONGEST_LINE: u64 = 1 << 26;

impl Line {
    /// Whether it speaks of what the API has.
    fn is_of(&self, vocabulary: &ApiVocabulary) -> bool {
        let n = vocabulary.n_attributes() as u32;
        let known = |letter: u32| letter < n || letter == u32::MAX;
        match self {
            Self::Type(a, b) | Self::Order(a, b) => *a.max(b) < n,
            Self::Rule(_, _, kind, letters, _) => {
                (*kind as usize) < vocabulary.n_kinds() && letters.iter().copied().all(known)
            }
            Self::Scenario(packed, _) => Scenario::unpack(packed, vocabulary).is_some(),
            Self::Program(..) | Self::End(_) => true,
        }
    }

    /// Its place in a file.
    fn section(&self) -> u8 {
        match self {
            Self::Type(..) => 0,
            Self::Order(..) => 1,
            Self::Program(..) | Self::Rule(..) => 2,
            Self::Scenario(..) => 3,
            Self::End(_) => 4,
        }
    }

    /// The order of programs and of what is known about each.
    pub(crate) fn life_key(&self) -> Option<(&str, Option<Candidate>)> {
        match self {
            Self::Program(name, ..) => Some((name, None)),
            Self::Rule(name, template, kind, [birth, a, b], _) => {
                let candidate = Candidate {
                    template: *template,
                    kind: KindId(*kind),
                    birth: *birth,
                    a: *a,
                    b: *b,
                };
                Some((name, Some(candidate)))
            }
            _ => None,
        }
    }

    /// Adds another record of the same program and rule.
    pub(crate) fn add(&mut self, other: &Self) {
        match (self, other) {
            (Self::Program(_, runs, lives), Self::Program(_, more_runs, more_lives)) => {
                *runs = runs.saturating_add(*more_runs);
                *lives = lives.saturating_add(*more_lives);
            }
            (Self::Rule(.., own), Self::Rule(.., more)) => {
                own.iter_mut()
                    .zip(more)
                    .for_each(|(a, b)| *a = a.saturating_add(*b));
            }
            _ => {}
        }
    }

    fn may_follow(&self, last: &Self) -> bool {
        match (last, self) {
            (Self::Scenario(before, _), Self::Scenario(own, _)) => before < own,
            (last, own) if last.section() == 2 && own.section() == 2 => {
                last.life_key() < own.life_key()
            }
            (last, own) => last.section() <= own.section(),
        }
    }
}

impl CountedScenarios {
    fn totals(&self) -> Totals {
        Totals {
            runs: self.runs,
            calls: self.calls,
            skipped_lines: self.skipped_lines,
            interactions: self.interactions,
            unknown_calls: self.unknown_calls,
            cut_closures: self.cut_closures,
            censored: self.censored,
        }
    }

    /// As a file: see [`CountedScenarios::read`]. Scenarios are of this size.
    pub fn write(&mut self, vocabulary: &ApiVocabulary, size: usize) -> String {
        let mut bytes = Vec::new();
        // Memory takes what it is given.
        let _ = self.write_to(&mut bytes, vocabulary, size);
        String::from_utf8(bytes).unwrap_or_default()
    }

    /// Writes a file, a record at a time.
    pub fn write_to(
        &mut self,
        out: impl Write,
        vocabulary: &ApiVocabulary,
        size: usize,
    ) -> io::Result<()> {
        self.settle_all(vocabulary);
        let mut out = CountsWriter::new(out, vocabulary, size, self.totals())?;
        out.typing(self.typing())?;
        for (name, program) in &self.lives.programs {
            out.add(&Line::Program(name.clone(), program.runs, program.lives))?;
            for (candidate, tally) in &program.tallies {
                out.add(&Line::Rule(
                    name.clone(),
                    candidate.template,
                    candidate.kind.0,
                    [candidate.birth, candidate.a, candidate.b],
                    [tally.lives, tally.kept, tally.runs, tally.runs_kept],
                ))?;
            }
        }
        for (packed, count) in self.packed() {
            out.add(&Line::Scenario(packed, count))?;
        }
        out.finish()
    }

    /// Reads what [`CountedScenarios::write`] wrote with the same API, seeds and size.
    pub fn read(
        reader: impl BufRead,
        vocabulary: &ApiVocabulary,
        size: usize,
    ) -> Result<Self, CountsError> {
        let mut reader = CountsReader::open(reader, vocabulary, size)?;
        let mut counts = Self::new(vocabulary);
        let totals = reader.totals;
        counts.runs = totals.runs;
        counts.calls = totals.calls;
        counts.skipped_lines = totals.skipped_lines;
        counts.interactions = totals.interactions;
        counts.unknown_calls = totals.unknown_calls;
        counts.cut_closures = totals.cut_closures;
        counts.censored = totals.censored;
        while let Some(line) = reader.next(vocabulary)? {
            counts.add_line(line);
        }
        Ok(counts)
    }

    fn add_line(&mut self, line: Line) {
        if let Some((name, Some(candidate))) = line.life_key()
            && let Line::Rule(.., [lives, kept, runs, runs_kept]) = line
        {
            let program: &mut OfProgram = self.lives.programs.entry(name.to_owned()).or_default();
            program.tallies.entry(candidate).or_default().add(Tally {
                lives,
                kept,
                runs,
                runs_kept,
            });
            return;
        }
        match line {
            Line::Type(a, b) => self.typing_mut().unite(AttributeId(a), AttributeId(b)),
            Line::Order(a, b) => self.typing_mut().orders_mut().insert(a, b),
            Line::Program(name, runs, lives) => {
                let program: &mut OfProgram = self.lives.programs.entry(name).or_default();
                program.runs = program.runs.saturating_add(runs);
                program.lives = program.lives.saturating_add(lives);
            }
            Line::Scenario(packed, count) => self.add_packed(packed, count),
            Line::Rule(..) | Line::End(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CountsError;
    use crate::counts::CountedScenarios;
    use crate::testing::{FIGURE_2, count_all, socket};

    #[test]
    fn counts_survive_a_file_and_merge_in_any_order() {
        let vocabulary = socket("accept(so, return)");
        let parts = [
            ("a", FIGURE_2),
            ("b", "socket(return = 1)\naccept(so = 1, return = 2)\n"),
            ("a", "read(fd = 9)\n"),
        ];
        let count = |(name, text): &(&str, &str)| count_all(&vocabulary, name, text, 10);
        let mut forward = CountedScenarios::new(&vocabulary);
        let mut backward = CountedScenarios::new(&vocabulary);
        for part in &parts {
            forward.merge(count(part), &vocabulary);
        }
        for part in parts.iter().rev() {
            let mut fresh = count(part);
            fresh.merge(backward, &vocabulary);
            backward = fresh;
        }
        let text = forward.write(&vocabulary, 10);
        assert_eq!(text, backward.write(&vocabulary, 10));
        let mut again =
            CountedScenarios::read(text.as_bytes(), &vocabulary, 10).expect("our own file");
        assert_eq!(again.write(&vocabulary, 10), text);
        assert_eq!(again.lives, forward.lives);
        assert_eq!((again.total(), again.lives.n_programs()), (3, 2));
    }

    /// Cut anywhere, or with any byte changed in one bit.
    #[test]
    fn damaged_files_are_refused_wherever_the_damage_is() {
        let vocabulary = socket("accept(so, return)");
        let counts = &mut count_all(&vocabulary, "a", FIGURE_2, 10);
        let bytes = counts.write(&vocabulary, 10).into_bytes();
        let read = |bytes: &[u8]| CountedScenarios::read(bytes, &vocabulary, 10).is_ok();
        assert!(read(&bytes));
        for at in 0..bytes.len() {
            // The last byte is the end of the last line.
            assert!(at + 1 == bytes.len() || !read(&bytes[..at]), "cut at {at}");
            let mut damaged = bytes.clone();
            // Not the bit of the case: check sums may be written in capitals.
            damaged[at] ^= 1 << (at % 5);
            assert!(!read(&damaged) || at + 1 == bytes.len(), "changed at {at}");
        }
    }

    #[test]
    fn files_of_others_are_refused() {
        let vocabulary = socket("accept(so, return)");
        let text = CountedScenarios::new(&vocabulary).write(&vocabulary, 10);
        let read =
            |text: &str| CountedScenarios::read(text.as_bytes(), &vocabulary, 10).map(|_| ());
        assert!(matches!(
            read("{"),
            Err(CountsError::NotCounts { line: 1, .. })
        ));
        assert!(matches!(
            read(""),
            Err(CountsError::NotCounts { line: 1, .. })
        ));
        assert!(matches!(
            read(&text.replace("\"version\":2", "\"version\":9")),
            Err(CountsError::Version { version: 9, .. })
        ));
        let others = [
            CountedScenarios::new(&vocabulary).write(&vocabulary, 11),
            CountedScenarios::new(&vocabulary).write(&socket("listen(so)"), 10),
        ];
        for other in others {
            let Err(CountsError::Stranger { theirs, ours }) = read(&other) else {
                panic!("counts of strangers are refused");
            };
            assert_ne!(theirs, ours);
        }
    }

    #[test]
    fn damage_is_found_where_it_is() {
        let vocabulary = socket("accept(so, return)");
        let text = count_all(&vocabulary, "a", FIGURE_2, 10).write(&vocabulary, 10);
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            // Half a file.
            let half: String = lines[..at].iter().map(|l| format!("{l}\n")).collect();
            assert!(CountedScenarios::read(half.as_bytes(), &vocabulary, 10).is_err());
            // One bit in the middle of a line.
            let mut bytes = line.as_bytes().to_vec();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            let flipped = String::from_utf8_lossy(&bytes).into_owned();
            let mut damaged = lines.clone();
            damaged[at] = &flipped;
            let read = CountedScenarios::read(damaged.join("\n").as_bytes(), &vocabulary, 10);
            assert_eq!(read.map(|_| ()).map_err(|e| e.line()), Err(at as u32 + 1));
        }
    }
}
