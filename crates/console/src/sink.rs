//! Where bytes go: standard output, and files that are written whole or not at all.
//!
//! A path that names a device, a pipe or a link is written through and never replaced. What cannot
//! be written is said at once and costs nothing else: the answer is still printed, and the exit code
//! says in the end that something is missing.

use crate::failure::CommandFailure;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// What comes piece by piece goes out in larger ones.
const PIECE: usize = 1 << 16;

/// Something was asked for and could not be written.
static IS_INCOMPLETE: AtomicBool = AtomicBool::new(false);
/// Held while standard output is written; whether anything was.
static PRINTING: Mutex<bool> = Mutex::new(false);

/// Standard output, for one who prints.
pub struct Printing(MutexGuard<'static, bool>);

impl Printing {
    /// Whether something was printed already.
    pub fn has_printed(&self) -> bool {
        *self.0
    }

    /// A closed pipe (`idiolect … | head`) is not an error; whatever else is wrong is.
    pub fn print(&mut self, bytes: &[u8]) {
        *self.0 = true;
        let mut out = anstream::stdout().lock();
        let written = out.write_all(bytes).and_then(|()| out.flush());
        drop(out);
        Self::note_unless_closed(written);
    }

    /// The same for what comes piece by piece.
    pub fn print_pieces(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
        *self.0 = true;
        let mut out = io::BufWriter::with_capacity(PIECE, anstream::stdout().lock());
        let written = write(&mut out).and_then(|()| out.flush());
        // What is left of it after an error must not be tried again.
        let (inner, _) = out.into_parts();
        drop(inner);
        Self::note_unless_closed(written);
    }

    fn note_unless_closed(written: io::Result<()>) {
        if let Err(source) = written
            && source.kind() != io::ErrorKind::BrokenPipe
        {
            note(&CommandFailure::CannotWrite {
                path: "<stdout>".into(),
                source,
            });
        }
    }
}

/// Waits until nobody prints.
pub fn hold() -> Printing {
    Printing(PRINTING.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Nothing if somebody prints just now.
pub fn try_hold() -> Option<Printing> {
    match PRINTING.try_lock() {
        Ok(guard) => Some(Printing(guard)),
        Err(TryLockError::Poisoned(guard)) => Some(Printing(guard.into_inner())),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Whether everything that was asked for was written.
pub fn is_complete() -> bool {
    !IS_INCOMPLETE.load(Ordering::Relaxed)
}

/// Whether a path is that of a file, which need not exist.
pub fn is_file(path: &Path) -> bool {
    matches!(Target::of(path), Target::File(_))
}

/// Says that an output is missing. The command goes on.
pub fn note(failure: &CommandFailure) {
    IS_INCOMPLETE.store(true, Ordering::Relaxed);
    crate::output::print_error(&failure.to_text());
}

/// Writes a file that the user asked for; one that cannot be written is noted.
pub fn deliver(path: &Path, bytes: &[u8]) {
    if let Err(failure) = write(path, bytes) {
        note(&failure);
    }
}

/// Writes a file, or through whatever else is at its path.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), CommandFailure> {
    match Target::of(path) {
        Target::Stdout => {
            hold().print(bytes);
            Ok(())
        }
        Target::Through => through(path, bytes).map_err(|source| cannot_write(path, source)),
        Target::File(place) => whole(&place, bytes).map_err(|source| cannot_write(path, source)),
    }
}

/// A file for an output that comes piece by piece.
pub enum Pieces {
    Stdout,
    Through(File),
    /// Beside its place, so that nobody sees half of it.
    Beside(tempfile::NamedTempFile, PathBuf),
}

/// Opens an output for pieces.
pub fn open(path: &Path) -> Result<Pieces, CommandFailure> {
    let opened = match Target::of(path) {
        Target::Stdout => Ok(Pieces::Stdout),
        Target::Through => open_through(path).map(Pieces::Through),
        Target::File(place) => beside(&place).map(|file| Pieces::Beside(file, place)),
    };
    opened.map_err(|source| cannot_write(path, source))
}

impl Pieces {
    /// Puts the file in its place.
    pub fn finish(self, path: &Path) -> Result<(), CommandFailure> {
        let done = match self {
            Pieces::Stdout => Ok(()),
            Pieces::Through(mut file) => file.flush(),
            Pieces::Beside(file, place) => put(file, &place),
        };
        done.map_err(|source| cannot_write(path, source))
    }
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Pieces::Stdout => io::stdout().write(bytes),
            Pieces::Through(file) => file.write(bytes),
            Pieces::Beside(file, _) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Pieces::Stdout => io::stdout().flush(),
            Pieces::Through(file) => file.flush(),
            Pieces::Beside(file, _) => file.flush(),
        }
    }
}

/// What a path stands for.
#[derive(PartialEq, Eq, Debug)]
enum Target {
    Stdout,
    /// A device, a pipe, or a link to nowhere yet.
    Through,
    /// A file here, which need not exist; links are followed.
    File(PathBuf),
}

/// Standard output may be a file: opened by its name it would be written from its start again.
const STDOUT: &[&str] = &["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
const DESCRIPTORS: &[&str] = &["/dev/stderr", "/dev/fd", "/proc/self/fd"];

impl Target {
    fn of(path: &Path) -> Self {
        if STDOUT.iter().any(|name| path == Path::new(name)) {
            return Target::Stdout;
        }
        if DESCRIPTORS.iter().any(|name| path.starts_with(name)) {
            return Target::Through;
        }
        let is_link = std::fs::symlink_metadata(path).is_ok_and(|data| data.is_symlink());
        match std::fs::metadata(path) {
            Ok(data) if !data.is_file() => Target::Through,
            Ok(_) if is_link => match std::fs::canonicalize(path) {
                Ok(place) => Target::File(place),
                Err(_) => Target::Through,
            },
            Err(_) if is_link => Target::Through,
            _ => Target::File(path.to_owned()),
        }
    }
}

fn through(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = open_through(path)?;
    file.write_all(bytes)?;
    file.flush()
}

fn open_through(path: &Path) -> io::Result<File> {
    // A link to nowhere makes a file there; on devices and pipes `truncate` means nothing.
    let is_descriptor = DESCRIPTORS.iter().any(|name| path.starts_with(name));
    let is_there = std::fs::metadata(path).is_ok();
    OpenOptions::new()
        .write(true)
        .append(is_descriptor)
        .create(!is_there)
        .open(path)
}

fn whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = match beside(path) {
        Ok(file) => file,
        // The folder is closed, but the file may be open.
        Err(refused) => {
            let in_place = OpenOptions::new().write(true).truncate(true).open(path);
            let mut file = in_place.map_err(|_| refused)?;
            file.write_all(bytes)?;
            return file.flush();
        }
    };
    file.write_all(bytes)?;
    put(file, path)
}

fn beside(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".idiolect-");
    // As any new file: what the user's mask leaves of this.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

fn put(file: tempfile::NamedTempFile, path: &Path) -> io::Result<()> {
    file.as_file().sync_all()?;
    // A file that is replaced keeps its mode. If it cannot, it has that of a new one.
    if let Ok(old) = std::fs::metadata(path) {
        let _ = file.as_file().set_permissions(old.permissions());
    }
    file.persist(path).map_err(|e| e.error)?;
    Ok(())
}

fn cannot_write(path: &Path, source: io::Error) -> CommandFailure {
    // The name of a temporary file is nothing to the user.
    let inner = source.get_ref().and_then(|e| e.source());
    let code = inner.and_then(|e| e.downcast_ref::<io::Error>()?.raw_os_error());
    let source = code.map_or(source, io::Error::from_raw_os_error);
    CommandFailure::CannotWrite {
        path: path.to_path_buf(),
        source,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn links_and_modes_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("file"), "old").expect("a file");
        let mode = |name: &str| {
            let data = std::fs::metadata(at(name)).expect("it exists");
            data.permissions().mode() & 0o777
        };
        std::fs::set_permissions(at("file"), std::fs::Permissions::from_mode(0o640)).expect("mode");
        symlink("file", at("link")).expect("a link");
        symlink("nowhere", at("dangling")).expect("a link");
        write(&at("link"), b"new").expect("through a link");
        write(&at("dangling"), b"made").expect("through a link to nowhere");
        for (link, file, content) in [("link", "file", "new"), ("dangling", "nowhere", "made")] {
            let data = std::fs::symlink_metadata(at(link)).expect("it exists");
            assert!(data.is_symlink(), "{link} is still one");
            let text = std::fs::read_to_string(at(file)).expect("its target");
            assert_eq!(text, content);
        }
        assert_eq!(mode("file"), 0o640);
        // The mask of whoever runs this test, as any other file sees it.
        File::create(at("plain")).expect("a file");
        write(&at("ours"), b"").expect("a new file");
        assert_eq!(mode("ours"), mode("plain"));
    }

    #[test]
    fn devices_are_written_through() {
        assert_eq!(Target::of(Path::new("/dev/null")), Target::Through);
        assert_eq!(Target::of(Path::new("-")), Target::Stdout);
        assert_eq!(Target::of(Path::new("/dev/stdout")), Target::Stdout);
        write(Path::new("/dev/null"), b"x").expect("it takes everything");
        let data = std::fs::symlink_metadata("/dev/null").expect("it is still there");
        assert!(!data.is_file());
        assert!(write(Path::new("/dev/full"), b"x").is_err());
    }
}
