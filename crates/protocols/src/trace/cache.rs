//! Compiled recorders, kept by what they were made from: text, compiler and folders of headers.

use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the recorder with this text belongs. `None` if there is no place to keep it.
pub fn path(text: &str, cc: &str, include: &[PathBuf]) -> Option<PathBuf> {
    let home = || {
        Some(PathBuf::from(
            std::env::var_os("HOME").filter(|h| !h.is_empty())?,
        ))
    };
    let given = std::env::var_os("XDG_CACHE_HOME").filter(|folder| !folder.is_empty());
    let caches = given
        .map(PathBuf::from)
        .or_else(|| Some(home()?.join(".cache")))?;
    let mut hash = Sha256::new();
    let mut add = |bytes: &[u8]| {
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    add(text.as_bytes());
    add(cc.as_bytes());
    // The same name may be another compiler tomorrow.
    let mut words = cc.split_whitespace();
    let version = Command::new(words.next()?).arg("--version").output().ok()?;
    add(&version.stdout);
    for folder in include {
        add(folder.as_os_str().as_encoded_bytes());
    }
    let name: String = (hash.finalize().iter().take(16))
        .map(|byte| format!("{byte:02x}"))
        .collect();
    Some(caches.join("idiolect").join(format!("recorder-{name}.so")))
}

/// Keeps a recorder. It appears under its name as a whole or not at all, because others may be looking
/// for it. `None` if it could not be kept, which does no harm.
pub fn keep(library: &Path, path: PathBuf) -> Option<PathBuf> {
    let folder = path.parent()?;
    std::fs::create_dir_all(folder).ok()?;
    let file = tempfile::Builder::new()
        .prefix(".recorder-")
        .tempfile_in(folder)
        .ok()?;
    std::fs::copy(library, file.path()).ok()?;
    file.persist(&path).ok()?;
    Some(path)
}
