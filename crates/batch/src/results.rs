//! Files of results: a line for each job, whole lines only.

use crate::failure::CommandFailure;
use idiolect_base::Place;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file that results are added to. Nobody else adds to it meanwhile.
pub struct ResultSink {
    file: File,
    path: PathBuf,
}

impl ResultSink {
    /// Opens it, and says which jobs have results there. Half a line at the end, of a batch that was
    /// killed while it wrote, is taken away.
    pub fn open(path: &Path, resume: bool) -> Result<(Self, BTreeSet<String>), CommandFailure> {
        let cannot = |source| CommandFailure::CannotWrite {
            path: path.to_owned(),
            source,
        };
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        if resume {
            options.create(true)
        } else {
            options.create_new(true)
        };
        let mut file = match options.open(path) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                return Err(CommandFailure::usage(
                    format!("`{}` is there already", path.display()),
                    "`--resume` goes on with it; or choose another name",
                ));
            }
            opened => opened.map_err(cannot)?,
        };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(CommandFailure::usage(
                    format!("another batch writes to `{}`", path.display()),
                    "wait for it, or choose another name",
                ));
            }
            // Some file systems have no locks.
            Err(TryLockError::Error(_)) => {}
        }
        let mut done = BTreeSet::new();
        let end = read(path, &file, |result| {
            done.insert(result.id);
            Ok(())
        })?;
        file.set_len(end).map_err(cannot)?;
        file.seek(SeekFrom::Start(end)).map_err(cannot)?;
        let path = path.to_owned();
        Ok((Self { file, path }, done))
    }

    /// Adds a line, in one piece.
    pub fn write(&mut self, line: &Value) -> Result<(), CommandFailure> {
        let text = format!("{line}\n");
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|source| CommandFailure::CannotWrite {
            path: self.path.clone(),
            source,
        })
    }
}

/// A line of a file of results.
pub struct RecordedJob {
    pub id: String,
    pub value: Value,
}

/// Reads whole lines, one after the other, and says where the last one ends.
pub fn read(
    path: &Path,
    file: &File,
    mut each: impl FnMut(RecordedJob) -> Result<(), CommandFailure>,
) -> Result<u64, CommandFailure> {
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut line = Vec::new();
    let (mut end, mut number) = (0, 0);
    loop {
        line.clear();
        let n =
            reader
                .read_until(b'\n', &mut line)
                .map_err(|source| CommandFailure::CannotRead {
                    path: path.to_owned(),
                    source,
                })?;
        number += 1;
        if line.last() != Some(&b'\n') {
            return Ok(end);
        }
        let value: Option<Value> = serde_json::from_slice(&line).ok();
        let id = value
            .as_ref()
            .and_then(|v| v["id"].as_str().map(str::to_owned));
        let (Some(value), Some(id)) = (value, id) else {
            return Err(CommandFailure::BadFile {
                code: "batch::results",
                message: "no result of a job".to_owned(),
                place: Some(Place {
                    file: path.display().to_string(),
                    line: number,
                    column: 1,
                }),
                help: "the file is damaged: take the line away, and `--resume` does its job again"
                    .to_owned(),
            });
        };
        each(RecordedJob { id, value })?;
        end += n as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn half_a_line_is_taken_away_and_a_damaged_one_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("results");
        let (mut sink, done) = ResultSink::open(&path, false).expect("a new file");
        assert!(done.is_empty());
        sink.write(&json!({ "id": "a" })).expect("a line");
        assert!(ResultSink::open(&path, true).is_err(), "it is locked");
        drop(sink);
        assert!(
            ResultSink::open(&path, false).is_err(),
            "nothing is overwritten"
        );
        let append = |text: &str| {
            let mut file = OpenOptions::new().append(true).open(&path).expect("a file");
            file.write_all(text.as_bytes()).expect("written");
        };
        append("{\"id\": \"b");
        let (mut sink, done) = ResultSink::open(&path, true).expect("it can go on");
        assert_eq!(done.into_iter().collect::<Vec<_>>(), ["a"]);
        sink.write(&json!({ "id": "b" })).expect("a line");
        drop(sink);
        let text = std::fs::read_to_string(&path).expect("text");
        assert_eq!(text, "{\"id\":\"a\"}\n{\"id\":\"b\"}\n");
        append("{\"id\": 7}\n");
        match ResultSink::open(&path, true) {
            Err(CommandFailure::BadFile {
                place: Some(place), ..
            }) => assert_eq!(place.line, 3),
            _ => panic!("a damaged line has a place"),
        }
    }
}
