//! What was found in a part of the traces, as a file: a line that says of what and by which rules it is, a
//! line for each record, and a line that says how many there were. Every line has a check sum.

use crate::counts_file::{hash, read_line, write_line};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::BufRead;

const FORMAT: &str = "idiolect-part";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Head {
    format: String,
    version: u32,
    what: String,
    fingerprint: String,
}

#[derive(Serialize, Deserialize)]
struct End {
    end: u64,
}

/// Why a file of a part cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PartError {
    #[error("this is not a part of `{what}`: {reason}")]
    NotAPart { what: String, reason: String },
    #[error("this part was made in another way: its fingerprint is {theirs}, ours is {ours}")]
    Stranger { theirs: String, ours: String },
    #[error("line {line} is damaged")]
    Damaged { line: u32 },
    #[error("the file ends too early")]
    Cut { line: u32 },
}

impl PartError {
    /// Where it is, from 1.
    pub fn line(&self) -> u32 {
        match self {
            Self::Damaged { line } | Self::Cut { line } => (*line).max(1),
            Self::NotAPart { .. } | Self::Stranger { .. } => 1,
        }
    }
}

/// A text in a few digits, against accidents.
pub fn fingerprint_of(text: &str) -> String {
    format!("{:016x}", hash(text.as_bytes()))
}

/// Records of this sort as a file.
pub fn write_part<T: Serialize>(what: &str, fingerprint: &str, records: &[T]) -> String {
    let mut bytes = Vec::new();
    let head = Head {
        format: FORMAT.to_owned(),
        version: VERSION,
        what: what.to_owned(),
        fingerprint: fingerprint.to_owned(),
    };
    // Memory takes what it is given.
    let _ = write_line(&mut bytes, &head);
    for record in records {
        let _ = write_line(&mut bytes, record);
    }
    let end = records.len() as u64;
    let _ = write_line(&mut bytes, &End { end });
    String::from_utf8(bytes).unwrap_or_default()
}

/// The fingerprint and the records of a file that [`write_part`] wrote. If a fingerprint is given, others
/// are refused.
pub fn read_part<T: DeserializeOwned>(
    mut reader: impl BufRead,
    what: &str,
    fingerprint: Option<&str>,
) -> Result<(String, Vec<T>), PartError> {
    let not = |reason: String| PartError::NotAPart {
        what: what.to_owned(),
        reason,
    };
    let mut line = Vec::new();
    let mut number = 0;
    let mut read = |number: &mut u32| -> Result<Option<Vec<u8>>, PartError> {
        line.clear();
        let n = reader.read_until(b'\n', &mut line);
        let n = n.map_err(|_| PartError::Cut { line: *number })?;
        *number = number.saturating_add(u32::from(n > 0));
        Ok((n > 0).then(|| line.clone()))
    };
    let first = read(&mut number)?.ok_or_else(|| not("it is empty".to_owned()))?;
    let text = String::from_utf8_lossy(&first);
    let json = text.trim_end().rsplit_once(' ').map_or(&*text, |(j, _)| j);
    let head: Head = serde_json::from_str(json).map_err(|e| not(e.to_string()))?;
    read_line(&first).ok_or(PartError::Damaged { line: 1 })?;
    if head.format != FORMAT || head.version != VERSION || head.what != what {
        let found = format!(
            "`{}` version {} of `{}`",
            head.format, head.version, head.what
        );
        return Err(not(found));
    }
    if let Some(ours) = fingerprint
        && head.fingerprint != ours
    {
        return Err(PartError::Stranger {
            theirs: head.fingerprint,
            ours: ours.to_owned(),
        });
    }
    let mut records = Vec::new();
    loop {
        let Some(bytes) = read(&mut number)? else {
            return Err(PartError::Cut { line: number });
        };
        let damaged = PartError::Damaged { line: number };
        let Some(json) = read_line(&bytes) else {
            return Err(damaged);
        };
        if let Ok(End { end }) = serde_json::from_str(json) {
            let is_last = end == records.len() as u64 && read(&mut number)?.is_none();
            return if is_last {
                Ok((head.fingerprint, records))
            } else {
                Err(damaged)
            };
        }
        records.push(serde_json::from_str(json).map_err(|_| damaged)?);
    }
}

#[cfg(test)]
mod tests {
    use super::{PartError, read_part, write_part};

    #[test]
    fn a_part_survives_its_file_and_nothing_else_does() {
        let records = vec!["a".to_owned(), "b c".to_owned()];
        let text = write_part("check", "f1", &records);
        let read = |text: &str| read_part::<String>(text.as_bytes(), "check", Some("f1"));
        assert_eq!(read(&text), Ok(("f1".to_owned(), records.clone())));
        assert!(matches!(
            read(&write_part("infer", "f1", &records)),
            Err(PartError::NotAPart { .. })
        ));
        assert!(matches!(
            read(&write_part("check", "f2", &records)),
            Err(PartError::Stranger { .. })
        ));
        let lines: Vec<&str> = text.lines().collect();
        for at in 0..lines.len() {
            assert!(read(&lines[..at].join("\n")).is_err(), "{at}");
            let mut bytes = lines.join("\n").into_bytes();
            let place =
                lines[..at].iter().map(|l| l.len() + 1).sum::<usize>() + lines[at].len() / 2;
            bytes[place] ^= 4;
            let damaged = String::from_utf8_lossy(&bytes).into_owned();
            assert!(read(&damaged).is_err(), "{at}");
        }
        assert!(read(&format!("{text}x")).is_err());
    }
}
