//! Whether a program can be recorded at all: the dynamic linker has to load it, for us.

use crate::failure::CommandFailure;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Refuses programs that ignore what is preloaded. The rest may still have something said about it.
pub fn check(program: &str) -> Result<Vec<String>, CommandFailure> {
    let Some(path) = find(program) else {
        return Err(CommandFailure::usage(
            format!("there is no program `{program}`"),
            "give its path, or a name that `PATH` has",
        ));
    };
    let mut warnings = Vec::new();
    let special = std::fs::metadata(&path).map(|m| m.permissions().mode() & 0o6000 != 0);
    if special.unwrap_or(false) {
        warnings.push(format!(
            "`{}` is setuid or setgid; unless you are its owner it is not recorded",
            path.display()
        ));
    }
    let mut head = Vec::new();
    let read = std::fs::File::open(&path).map(|file| file.take(1 << 16).read_to_end(&mut head));
    // What cannot be read may still be run.
    if read.is_ok() && head.starts_with(b"\x7fELF") {
        let refuse = |what: &str| {
            CommandFailure::usage(
                format!(
                    "`{}` {what}, so its calls cannot be recorded",
                    path.display()
                ),
                "use `strace -f -ttt -o FILE`, then `idiolect mine FILE --format strace`",
            )
        };
        if head.get(4) != Some(&2) {
            return Err(refuse("is not a 64-bit program"));
        }
        if has_interpreter(&head) == Some(false) {
            return Err(refuse("is statically linked"));
        }
    }
    Ok(warnings)
}

fn find(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(PathBuf::from(program)).filter(|p| p.is_file());
    }
    let path = std::env::var_os("PATH")?;
    let mut folders = std::env::split_paths(&path);
    folders.find_map(|folder| {
        let path = folder.join(program);
        is_executable(&path).then_some(path)
    })
}

fn is_executable(path: &Path) -> bool {
    let found = std::fs::metadata(path);
    found.is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

/// Whether the program headers of a 64-bit little-endian ELF file name a dynamic linker. `None` if
/// they cannot be read.
fn has_interpreter(elf: &[u8]) -> Option<bool> {
    const INTERPRETER: u32 = 3;
    let number = |at: usize, n: usize| -> Option<u64> {
        let bytes = elf.get(at..at + n)?;
        let value = bytes.iter().rev();
        Some(value.fold(0, |sum, &b| sum << 8 | u64::from(b)))
    };
    let table = usize::try_from(number(0x20, 8)?).ok()?;
    let size = number(0x36, 2)? as usize;
    let count = number(0x38, 2)? as usize;
    for i in 0..count {
        let at = table.checked_add(i.checked_mul(size)?)?;
        if number(at, 4)? as u32 == INTERPRETER {
            return Some(true);
        }
    }
    Some(false)
}

#[cfg(test)]
mod tests {
    use super::has_interpreter;

    #[test]
    fn headers_of_elf_files() {
        let own = std::env::current_exe().expect("a test is a program");
        let bytes = std::fs::read(own).expect("it can be read");
        assert_eq!(has_interpreter(&bytes), Some(true));
        assert_eq!(has_interpreter(&bytes[..100]), None);
        assert_eq!(has_interpreter(b"\x7fELF"), None);
    }
}
