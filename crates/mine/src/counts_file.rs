//! Counts as a file, version 2: a line that says what was counted and how, one line for each record in
//! a fixed order, and a line that says how many there were.
//!
//! Counts can only be added if they were made in the same way. So the first line has a *fingerprint* of
//! all that decides what a scenario or a life is: calls, attributes, what they do to which kind of
//! object, seeds, values that name nothing, and the size of scenarios. Each line ends with a check sum,
//! so that a file that was damaged on its way is refused with the line.

use crate::counts::Counts;
use crate::lives::{Candidate, OfProgram, Tally, Template};
use crate::scenario::Scenario;
use crate::vocabulary::{AttributeId, KindId, Vocabulary};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

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
}

impl CountsError {
    /// Where it is, from 1.
    pub fn line(&self) -> u32 {
        match self {
            Self::NotCounts { line, .. } | Self::Damaged { line } | Self::Cut { line } => {
                (*line).max(1)
            }
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
    interactions: u64,
    unknown_calls: u64,
    cut_closures: u64,
    censored: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
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
pub fn fingerprint(vocabulary: &Vocabulary, size: usize) -> String {
    let mut text = format!("size {size}\n");
    for seed in vocabulary.seeds() {
        let _ = writeln!(text, "seed {seed}");
    }
    for attribute in (0..vocabulary.n_attributes()).map(AttributeId::new) {
        let _ = writeln!(text, "{}", vocabulary.describe(attribute));
    }
    format!("{:016x}", hash(text.as_bytes()))
}

/// FNV-1a: this is against accidents, not against people.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn write_line(text: &mut String, line: &impl Serialize) {
    // Only maps with odd keys make this an error.
    let json = serde_json::to_string(line).unwrap_or_default();
    let _ = writeln!(text, "{json} {:08x}", hash(json.as_bytes()) as u32);
}

/// The JSON of a line whose sum is right.
fn read_line(line: &str) -> Option<&str> {
    let (json, sum) = line.rsplit_once(' ')?;
    (sum.len() == 8 && u32::from_str_radix(sum, 16).ok()? == hash(json.as_bytes()) as u32)
        .then_some(json)
}

impl Counts {
    /// As a file: see [`Counts::read`]. Scenarios are of this size.
    pub fn write(&mut self, vocabulary: &Vocabulary, size: usize) -> String {
        self.settle_all(vocabulary);
        let head = Head {
            format: FORMAT.to_owned(),
            version: VERSION,
            fingerprint: fingerprint(vocabulary, size),
            size,
            seeds: vocabulary.seeds().iter().map(ToString::to_string).collect(),
            interactions: self.interactions,
            unknown_calls: self.unknown_calls,
            cut_closures: self.cut_closures,
            censored: self.censored,
        };
        let mut text = String::new();
        write_line(&mut text, &head);
        let mut n = 0;
        let mut add = |line: Line| {
            n += 1;
            write_line(&mut text, &line);
        };
        for (a, b) in self.typing().pairs() {
            add(Line::Type(a, b));
        }
        for (a, b) in self.typing().orders().pairs() {
            add(Line::Order(a, b));
        }
        for (name, program) in &self.lives.programs {
            add(Line::Program(name.clone(), program.runs, program.lives));
            for (candidate, tally) in &program.tallies {
                add(Line::Rule(
                    name.clone(),
                    candidate.template,
                    candidate.kind.0,
                    [candidate.birth, candidate.a, candidate.b],
                    [tally.lives, tally.kept, tally.runs, tally.runs_kept],
                ));
            }
        }
        for (packed, count) in self.packed() {
            add(Line::Scenario(packed, count));
        }
        write_line(&mut text, &Line::End(n));
        text
    }

    /// Reads what [`Counts::write`] wrote with the same API, seeds and size.
    pub fn read(text: &str, vocabulary: &Vocabulary, size: usize) -> Result<Self, CountsError> {
        let mut lines = text.lines().zip(1u32..);
        let (first, _) = lines.next().unwrap_or(("", 1));
        let json = first.rsplit_once(' ').map_or(first, |(json, _)| json);
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
        read_line(first).ok_or(CountsError::Damaged { line: 1 })?;
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
        let mut counts = Self::new(vocabulary);
        counts.interactions = head.interactions;
        counts.unknown_calls = head.unknown_calls;
        counts.cut_closures = head.cut_closures;
        counts.censored = head.censored;
        let mut n = 0;
        let mut last = 1;
        for (line, number) in lines {
            last = number;
            let damaged = || CountsError::Damaged { line: number };
            let json = read_line(line).ok_or_else(damaged)?;
            let line: Line = serde_json::from_str(json).map_err(|_| damaged())?;
            match line {
                Line::End(expected) if expected == n => return Ok(counts),
                Line::End(_) => return Err(damaged()),
                line => counts.add_line(line, vocabulary).ok_or_else(damaged)?,
            }
            n += 1;
        }
        Err(CountsError::Cut { line: last })
    }

    /// `None` if the line speaks of what the API does not have.
    fn add_line(&mut self, line: Line, vocabulary: &Vocabulary) -> Option<()> {
        let n = vocabulary.n_attributes() as u32;
        match line {
            Line::Type(a, b) => {
                (a.max(b) < n).then_some(())?;
                self.typing_mut().unite(AttributeId(a), AttributeId(b));
            }
            Line::Order(a, b) => {
                (a.max(b) < n).then_some(())?;
                self.typing_mut().orders_mut().insert(a, b);
            }
            Line::Program(name, runs, lives) => {
                let program: &mut OfProgram = self.lives.programs.entry(name).or_default();
                program.runs += runs;
                program.lives += lives;
            }
            Line::Rule(name, template, kind, [birth, a, b], [lives, kept, runs, runs_kept]) => {
                let known = |letter: u32| letter < n || letter == u32::MAX;
                ((kind as usize) < vocabulary.n_kinds() && [birth, a, b].into_iter().all(known))
                    .then_some(())?;
                let candidate = Candidate {
                    template,
                    kind: KindId(kind),
                    birth,
                    a,
                    b,
                };
                let program = self.lives.programs.entry(name).or_default();
                program.tallies.entry(candidate).or_default().add(Tally {
                    lives,
                    kept,
                    runs,
                    runs_kept,
                });
            }
            Line::Scenario(packed, count) => {
                Scenario::unpack(&packed, vocabulary)?;
                self.add_packed(packed, count);
            }
            Line::End(_) => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::CountsError;
    use crate::counts::Counts;
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
        let mut forward = Counts::new(&vocabulary);
        let mut backward = Counts::new(&vocabulary);
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
        let mut again = Counts::read(&text, &vocabulary, 10).expect("our own file");
        assert_eq!(again.write(&vocabulary, 10), text);
        assert_eq!(again.lives, forward.lives);
        assert_eq!((again.total(), again.lives.n_programs()), (3, 2));
    }

    #[test]
    fn files_of_others_are_refused() {
        let vocabulary = socket("accept(so, return)");
        let text = Counts::new(&vocabulary).write(&vocabulary, 10);
        let read = |text: &str| Counts::read(text, &vocabulary, 10).map(|_| ());
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
            Counts::new(&vocabulary).write(&vocabulary, 11),
            Counts::new(&vocabulary).write(&socket("listen(so)"), 10),
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
            assert!(Counts::read(&half, &vocabulary, 10).is_err());
            // One bit in the middle of a line.
            let mut bytes = line.as_bytes().to_vec();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            let flipped = String::from_utf8_lossy(&bytes).into_owned();
            let mut damaged = lines.clone();
            damaged[at] = &flipped;
            let read = Counts::read(&damaged.join("\n"), &vocabulary, 10);
            assert_eq!(read.map(|_| ()).map_err(|e| e.line()), Err(at as u32 + 1));
        }
    }
}
