//! Files that are read whole. A path may name a device that never ends, or a file that nobody meant.

use crate::failure::CommandFailure;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// For what people write: tasks, properties, API files.
pub const SMALL: u64 = 1 << 26;
/// For what programs write: automata, counts, specifications, standard input.
pub const LARGE: u64 = 1 << 30;

/// All bytes of a file that has at most so many.
pub fn bytes(path: &Path, limit: u64) -> Result<Vec<u8>, CommandFailure> {
    let cannot = |source| CommandFailure::CannotRead {
        path: path.to_path_buf(),
        source,
    };
    let file = File::open(path).map_err(cannot)?;
    from(file, path, limit)
}

/// The same of something that is open already; the path is for messages.
pub fn from(reader: impl Read, path: &Path, limit: u64) -> Result<Vec<u8>, CommandFailure> {
    let mut bytes = Vec::new();
    let read = reader.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|source| CommandFailure::CannotRead {
        path: path.to_path_buf(),
        source,
    })?;
    if bytes.len() as u64 > limit {
        return Err(CommandFailure::BadFile {
            code: "cli::too-large",
            message: format!("`{}` has more than {limit} bytes", path.display()),
            place: None,
            help: "is it the right file?".to_owned(),
        });
    }
    Ok(bytes)
}

/// The text of a file that has at most so many bytes.
pub fn text(path: &Path, limit: u64) -> Result<String, CommandFailure> {
    String::from_utf8(bytes(path, limit)?).map_err(|_| CommandFailure::CannotRead {
        path: path.to_path_buf(),
        source: std::io::ErrorKind::InvalidData.into(),
    })
}
