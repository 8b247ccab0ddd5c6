//! Lines of bytes, with numbers, in one reused buffer of limited size.

use std::io::{self, BufRead};

/// A line longer than this is skipped; nobody wrote it on purpose.
const LONGEST: usize = 64 << 20;

#[derive(Debug)]
pub(super) struct LineReader<R> {
    reader: R,
    buffer: Vec<u8>,
    number: u64,
    /// Bytes read so far, ends of lines included.
    position: u64,
    is_held: bool,
}

pub(super) enum Next<'a> {
    Line(u64, &'a [u8]),
    TooLong(u64),
    End,
}

impl<R: BufRead> LineReader<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            reader,
            buffer: Vec::new(),
            number: 0,
            position: 0,
            is_held: false,
        }
    }

    /// Where the line that was read last ends.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// The line that was read last comes again.
    pub(super) fn hold(&mut self) {
        self.is_held = true;
    }

    /// Of the line that was read last.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn next(&mut self) -> io::Result<Next<'_>> {
        if std::mem::take(&mut self.is_held) {
            return Ok(Next::Line(self.number, &self.buffer));
        }
        self.buffer.clear();
        let mut too_long = false;
        loop {
            let available = match self.reader.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if available.is_empty() {
                if self.buffer.is_empty() && !too_long {
                    return Ok(Next::End);
                }
                break;
            }
            let end = available.iter().position(|&b| b == b'\n');
            let (part, used) = match end {
                Some(at) => (&available[..at], at + 1),
                None => (available, available.len()),
            };
            if self.buffer.len() + part.len() > LONGEST {
                too_long = true;
                self.buffer.clear();
            }
            if !too_long {
                self.buffer.extend_from_slice(part);
            }
            self.reader.consume(used);
            self.position += used as u64;
            if end.is_some() {
                break;
            }
        }
        self.number += 1;
        Ok(if too_long {
            Next::TooLong(self.number)
        } else {
            Next::Line(self.number, &self.buffer)
        })
    }
}
