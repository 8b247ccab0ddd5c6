//! Answers in a file, so that the next run need not ask again.
//!
//! One JSON value a line: a header with format, version, a key that names the target and the
//! numbers of entries, then a line for each word and each pattern. A file that is cut short, of
//! another version or about another target is refused with an error; nothing of it is used.

use crate::{Pattern, Patterns, WordMap};
use idiolect_automata::Letter;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

const FORMAT: &str = "idiolect-answers";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    key: String,
    words: usize,
    patterns: usize,
}

#[derive(Serialize, Deserialize)]
struct PatternLine<A> {
    letters: Vec<(usize, u32)>,
    length: Option<usize>,
    answer: A,
}

/// Why a file of answers could not be written or used.
#[derive(Debug, thiserror::Error)]
pub enum CacheFileError {
    #[error("cannot access {}", path.display())]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{}:{line}: not a line of a file of answers: {source}", path.display())]
    Line {
        path: PathBuf,
        line: usize,
        source: serde_json::Error,
    },
    #[error("{} is not a file of answers of version {VERSION}", path.display())]
    Version { path: PathBuf },
    #[error("{} has answers about another target", path.display())]
    OtherTarget { path: PathBuf },
    #[error("{} is damaged: it should have {expected} entries, and has {found}", path.display())]
    Entries {
        path: PathBuf,
        expected: usize,
        found: usize,
    },
}

/// Writes answers to a file, beside it first and then renamed, so that there is a whole file at
/// `path` at all times.
pub fn write_answers<A: Clone + Eq + Serialize>(
    path: &Path,
    key: &str,
    words: &WordMap<A>,
    patterns: &Patterns<A>,
) -> Result<(), CacheFileError> {
    let header = Header {
        format: FORMAT.to_owned(),
        version: VERSION,
        key: key.to_owned(),
        words: words.len(),
        patterns: patterns.len(),
    };
    write_beside(path, |out| {
        line(out, &header)?;
        for (word, answer) in words.iter() {
            let word: Vec<u32> = word.iter().map(|a| a.0).collect();
            line(out, &(word, answer))?;
        }
        for pattern in patterns.iter() {
            let letters = pattern.letters.iter().map(|(i, a)| (*i, a.0)).collect();
            let (length, answer) = (pattern.length, &pattern.answer);
            line(
                out,
                &PatternLine {
                    letters,
                    length,
                    answer,
                },
            )?;
        }
        Ok(())
    })
}

/// Reads what [`write_answers`] wrote for the same key.
pub fn read_answers<A: Clone + Eq + DeserializeOwned>(
    path: &Path,
    key: &str,
) -> Result<(WordMap<A>, Patterns<A>), CacheFileError> {
    let io = |source| CacheFileError::Io {
        path: path.to_owned(),
        source,
    };
    let file = std::fs::File::open(path).map_err(io)?;
    let mut lines = BufReader::new(file).lines().enumerate();
    let bad = |line: usize, source| CacheFileError::Line {
        path: path.to_owned(),
        line: line + 1,
        source,
    };
    let version = || CacheFileError::Version {
        path: path.to_owned(),
    };
    let (_, first) = lines.next().ok_or_else(version)?;
    let header: Header = serde_json::from_str(&first.map_err(io)?).map_err(|_| version())?;
    if header.format != FORMAT || header.version != VERSION {
        return Err(version());
    }
    if header.key != key {
        return Err(CacheFileError::OtherTarget {
            path: path.to_owned(),
        });
    }
    let (mut words, mut patterns) = (WordMap::new(), Patterns::default());
    let expected = header.words.saturating_add(header.patterns);
    let mut found = 0;
    for (number, text) in lines {
        let text = text.map_err(io)?;
        if found < header.words {
            let (word, answer): (Vec<u32>, A) =
                serde_json::from_str(&text).map_err(|e| bad(number, e))?;
            let word: Vec<Letter> = word.into_iter().map(Letter).collect();
            if words.insert(&word, &answer).is_err() {
                break;
            }
        } else {
            let pattern: PatternLine<A> =
                serde_json::from_str(&text).map_err(|e| bad(number, e))?;
            patterns.add(Pattern {
                letters: pattern
                    .letters
                    .into_iter()
                    .map(|(i, a)| (i, Letter(a)))
                    .collect(),
                length: pattern.length,
                answer: pattern.answer,
            });
        }
        found += 1;
    }
    // A word that comes twice is damage too: the numbers no longer fit.
    if found != expected || words.len() != header.words {
        return Err(CacheFileError::Entries {
            path: path.to_owned(),
            expected,
            found,
        });
    }
    Ok((words, patterns))
}

/// Writes a file under another name in the same folder, then renames it.
pub(crate) fn write_beside(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), CacheFileError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let beside = path.with_file_name(name);
    let written = (|| {
        let mut out = BufWriter::new(std::fs::File::create(&beside)?);
        content(&mut out)?;
        out.flush()?;
        out.get_ref().sync_all()?;
        std::fs::rename(&beside, path)
    })();
    written.map_err(|source| {
        // The half-written file is of no use; if it cannot be removed either, so be it.
        let _ = std::fs::remove_file(&beside);
        CacheFileError::Io {
            path: path.to_owned(),
            source,
        }
    })
}

fn line(out: &mut dyn Write, value: &impl Serialize) -> std::io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}
