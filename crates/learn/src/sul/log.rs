//! A file with every run of a system, one a line, written as they come.
//!
//! The first line says what the runs are of; each other line is a run: its inputs, a tab, and as many
//! outputs, as JSON lists. A line is written whole before the next run begins, and a last line
//! without its end, which a process that was killed leaves behind, is cut off. So a learning run of
//! hours can be ended at any moment and goes on where it was.

use idiolect_automata::{Alphabet, Letter, Word};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const FORMAT: &str = "idiolect-runs-1";

/// What is wrong with a log.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    #[error("`{}`: {source}", path.display())]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("`{}` is not a log of runs", path.display())]
    NotALog { path: PathBuf },
    #[error("`{}` has the runs of another system or alphabet", path.display())]
    OtherSystem { path: PathBuf },
    #[error("`{}`, line {line}: not a run over this alphabet", path.display())]
    BadLine { path: PathBuf, line: usize },
}

#[derive(PartialEq, Serialize, Deserialize)]
struct Header {
    format: String,
    /// What was run; two systems are the same if this is.
    system: String,
    alphabet: Vec<String>,
}

/// A log that is open for more runs.
#[derive(Debug)]
pub struct RunLog {
    path: PathBuf,
    file: File,
    alphabet: Alphabet,
}

impl RunLog {
    /// Opens the log of a system, or begins one. The runs that it has, each with its outputs.
    #[allow(clippy::type_complexity)]
    pub fn open(
        path: &Path,
        system: &str,
        alphabet: &Alphabet,
    ) -> Result<(Self, Vec<(Word, Vec<String>)>), LogError> {
        let io = |source| LogError::Io {
            path: path.to_owned(),
            source,
        };
        let header = Header {
            format: FORMAT.to_owned(),
            system: system.to_owned(),
            alphabet: alphabet.names().to_vec(),
        };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).map_err(io)?;
        let mut log = Self {
            path: path.to_owned(),
            file,
            alphabet: alphabet.clone(),
        };
        let runs = log.read(&header)?;
        Ok((log, runs))
    }

    fn io(&self, source: std::io::Error) -> LogError {
        LogError::Io {
            path: self.path.clone(),
            source,
        }
    }

    /// Reads what is there and cuts off what is not whole.
    fn read(&mut self, header: &Header) -> Result<Vec<(Word, Vec<String>)>, LogError> {
        let file = self.file.try_clone().map_err(|e| self.io(e))?;
        let mut reader = BufReader::new(file);
        let (mut whole, mut runs, mut number) = (0u64, Vec::new(), 0);
        let mut line = Vec::new();
        loop {
            line.clear();
            let length = reader.read_until(b'\n', &mut line);
            let length = length.map_err(|e| self.io(e))?;
            if length == 0 || line.last() != Some(&b'\n') {
                break;
            }
            number += 1;
            if number == 1 {
                let path = || self.path.clone();
                let found: Header = serde_json::from_slice(&line)
                    .map_err(|_| LogError::NotALog { path: path() })?;
                if found.format != header.format {
                    return Err(LogError::NotALog { path: path() });
                }
                if found != *header {
                    return Err(LogError::OtherSystem { path: path() });
                }
            } else {
                let run = self.run_of(&line).ok_or_else(|| LogError::BadLine {
                    path: self.path.clone(),
                    line: number,
                })?;
                runs.push(run);
            }
            whole += length as u64;
        }
        if number == 0 && !line.is_empty() && !line.starts_with(b"{\"format\":\"idiolect-runs") {
            // Not half of a log of ours: it is not ours to cut.
            let path = self.path.clone();
            return Err(LogError::NotALog { path });
        }
        self.file.set_len(whole).map_err(|e| self.io(e))?;
        let end = self.file.seek(SeekFrom::Start(whole));
        end.map_err(|e| self.io(e))?;
        if number == 0 {
            let mut text = serde_json::to_string(header).unwrap_or_default();
            text.push('\n');
            let written = self.file.write_all(text.as_bytes());
            written.map_err(|e| self.io(e))?;
        }
        Ok(runs)
    }

    fn run_of(&self, line: &[u8]) -> Option<(Word, Vec<String>)> {
        let line = std::str::from_utf8(line).ok()?;
        let (inputs, outputs) = line.trim_end().split_once('\t')?;
        let inputs: Vec<String> = serde_json::from_str(inputs).ok()?;
        let outputs: Vec<String> = serde_json::from_str(outputs).ok()?;
        let word = self.alphabet.word(inputs.iter().map(String::as_str)).ok()?;
        (word.len() == outputs.len()).then_some((word, outputs))
    }

    /// Adds a run.
    pub fn add(&mut self, word: &[Letter], outputs: &[String]) -> Result<(), LogError> {
        let inputs: Vec<&str> = word.iter().map(|&a| self.alphabet.name(a)).collect();
        let mut line = serde_json::to_string(&inputs).unwrap_or_default();
        line.push('\t');
        line.push_str(&serde_json::to_string(outputs).unwrap_or_default());
        line.push('\n');
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|e| self.io(e))
    }
}
