//! What a flag of a C compiler means for an analysis.
//!
//! Most say nothing about what the program does and are dropped: optimisation, debug information,
//! warnings, libraries. Some are for the preprocessor. A few change what C means; those that we follow are
//! followed, the others are refused, because a program read with the wrong sizes is another program.

use crate::failure::CommandFailure;
use idiolect_ir::ctype::DataModel;
use std::path::{Component, Path, PathBuf};

/// What is left of a row of flags.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flags {
    /// For the preprocessor, in order.
    pub preprocessor: Vec<String>,
    pub data_model: Option<DataModel>,
}

/// How a flag is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlagShape {
    /// One word.
    Alone,
    /// The next word belongs to it.
    WithNext,
}

/// Flags of the preprocessor whose value may be the next word; the value of those marked is a path.
const VALUED: &[(&str, bool)] = &[
    ("-D", false),
    ("-U", false),
    ("-I", true),
    ("-include", true),
    ("-imacros", true),
    ("-isystem", true),
    ("-iquote", true),
    ("-idirafter", true),
    ("-iprefix", true),
    ("-isysroot", true),
    ("-Xpreprocessor", false),
];

/// Dropped together with the next word.
const DROPPED_WITH_NEXT: &[&str] = &[
    "-o",
    "-x",
    "-MF",
    "-MT",
    "-MQ",
    "-L",
    "-l",
    "-T",
    "-u",
    "-z",
    "-Xlinker",
    "-Xassembler",
    "-arch",
    "-target",
    "--param",
];

/// Dropped, if a flag is exactly this.
const DROPPED: &[&str] = &[
    "-c",
    "-S",
    "-s",
    "-w",
    "-pipe",
    "-pg",
    "-p",
    "-static",
    "-shared",
    "-rdynamic",
    "-pie",
    "-no-pie",
    "-v",
    "-nostdlib",
    "-nodefaultlibs",
    "-nostartfiles",
    "-coverage",
    "--coverage",
];

/// Dropped, if a flag starts with this.
const DROPPED_PREFIXES: &[&str] = &[
    "-O",
    "-g",
    "-W",
    "-f",
    "-l",
    "-L",
    "-M",
    "-pedantic",
    "--pedantic",
    "-static-",
    "-shared-",
    "-save-temps",
    "-B",
    "-specs=",
    "-fuse-ld",
    "-dump",
    "-time",
    "-Qunused",
];

/// Handed to the preprocessor as they are, if a flag starts with this.
const KEPT_PREFIXES: &[&str] = &["-std=", "--std=", "-Wp,", "-m", "--sysroot="];

/// The same, if it is exactly this.
const KEPT: &[&str] = &[
    "-ansi",
    "-pthread",
    "-pthreads",
    "-nostdinc",
    "-undef",
    "-trigraphs",
    "-traditional",
    "-traditional-cpp",
    "-fopenmp",
    "-ffreestanding",
    "-fno-builtin",
    "-fgnu89-inline",
];

/// Flags after which C means something that we do not follow, with what that is.
const REFUSED: &[(&str, &str)] = &[
    ("-funsigned-char", "`char` is unsigned"),
    ("-fno-signed-char", "`char` is unsigned"),
    ("-fshort-enums", "enumerations are as small as they can be"),
    ("-fshort-wchar", "`wchar_t` has 16 bits"),
    ("-fpack-struct", "structures have no padding"),
    ("-funsigned-bitfields", "plain bit-fields are unsigned"),
    ("-mlong-double-64", "`long double` is `double`"),
    ("-mlong-double-128", "`long double` has 128 bits"),
    ("-m16", "the program has 16-bit code"),
    ("-mx32", "pointers have 32 bits and `long long` registers"),
    ("-std=c++", "the program is C++"),
    ("-std=gnu++", "the program is C++"),
];

/// Whether a word is a flag of a compiler that we take, and whether the next one belongs to it. `-D` and `-I` have
/// options of their own and are not among them.
pub fn shape(word: &str) -> Option<FlagShape> {
    if let Some((flag, _)) = VALUED.iter().find(|(flag, _)| word == *flag) {
        return (!matches!(*flag, "-D" | "-I")).then_some(FlagShape::WithNext);
    }
    if DROPPED_WITH_NEXT.contains(&word) {
        return Some(FlagShape::WithNext);
    }
    let is_valued =
        (VALUED.iter()).any(|(flag, _)| word.starts_with(flag) && !matches!(*flag, "-D" | "-I"));
    let is_known = is_valued
        || KEPT.contains(&word)
        || DROPPED.contains(&word)
        || KEPT_PREFIXES.iter().any(|p| word.starts_with(p))
        || DROPPED_PREFIXES.iter().any(|p| word.starts_with(p));
    is_known.then_some(FlagShape::Alone)
}

/// Sorts flags. Paths in them are as seen from `folder`.
pub fn read(words: &[String], folder: &Path) -> Result<Flags, CommandFailure> {
    let mut flags = Flags::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if let Some((_, meaning)) = REFUSED.iter().find(|(flag, _)| word.starts_with(flag)) {
            return Err(CommandFailure::usage(
                format!("`{word}` is not modelled: with it, {meaning}"),
                "leave the flag out if the program does not depend on it",
            ));
        }
        match word.as_str() {
            "-m32" => flags.data_model = Some(DataModel::Ilp32),
            "-m64" => flags.data_model = Some(DataModel::Lp64),
            _ => keep(word, &mut words, folder, &mut flags.preprocessor),
        }
    }
    Ok(flags)
}

/// Keeps a flag if it is for the preprocessor.
fn keep<'a>(
    word: &str,
    rest: &mut impl Iterator<Item = &'a String>,
    folder: &Path,
    kept: &mut Vec<String>,
) {
    // The longest name first: `-isystem` is not `-I`, but `-include` and `-imacros` share letters.
    let valued = VALUED.iter().find(|(flag, _)| word.starts_with(flag));
    if let Some((flag, is_path)) = valued {
        let joined = word[flag.len()..].to_owned();
        let value = if joined.is_empty() {
            rest.next().cloned().unwrap_or_default()
        } else {
            joined
        };
        // `-include` looks like `#include "…"`: in the folder, and then on the search path.
        let may_be_elsewhere = matches!(*flag, "-include" | "-imacros");
        let there = seen_from(folder, Path::new(&value));
        let value = if *is_path && (!may_be_elsewhere || there.is_file()) {
            there.display().to_string()
        } else {
            value
        };
        kept.extend([(*flag).to_owned(), value]);
    } else if DROPPED_WITH_NEXT.contains(&word) {
        rest.next();
    } else if KEPT.contains(&word) || KEPT_PREFIXES.iter().any(|p| word.starts_with(p)) {
        kept.push(word.to_owned());
    }
}

/// A path that is written as seen from a folder, as seen from here.
pub fn seen_from(folder: &Path, path: &Path) -> PathBuf {
    // `-I=DIR` and `-I-` are left to the compiler.
    if path.is_absolute() || path.as_os_str().as_encoded_bytes().starts_with(b"=") {
        return simple(path);
    }
    simple(&folder.join(path))
}

/// Without `.`, and without `x/..`.
fn simple(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(out.components().next_back(), Some(Component::Normal(_))) =>
            {
                out.pop();
            }
            _ => out.push(part),
        }
    }
    if out.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(line: &str, folder: &str) -> String {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        match read(&words, Path::new(folder)) {
            Ok(flags) => flags.preprocessor.join(" "),
            Err(failure) => failure.to_string(),
        }
    }

    #[test]
    fn only_what_the_preprocessor_needs_is_kept() {
        let line = "-std=c99 -O2 -g3 -Wall -Wextra -fPIC -lm -L lib -DX=1 -U Y -isystem sys -MD -MF x.d \
                    -pthread -o a.o -c";
        assert_eq!(
            kept(line, "."),
            "-std=c99 -D X=1 -U Y -isystem sys -pthread"
        );
    }

    #[test]
    fn paths_are_seen_from_here() {
        assert_eq!(
            kept("-I../include -iquote .", "build"),
            "-I include -iquote build"
        );
        assert_eq!(kept("-I/usr/x", "build"), "-I /usr/x");
    }

    #[test]
    fn what_changes_the_language_is_refused() {
        assert!(kept("-funsigned-char", ".").contains("is unsigned"));
        assert!(kept("-std=c++17", ".").contains("C++"));
        assert_eq!(kept("-fwrapv", "."), "");
    }

    #[test]
    fn short_options_of_ours_are_not_flags() {
        for ours in ["-I", "-Idir", "-DX", "-q", "-1,2", "-"] {
            assert_eq!(shape(ours), None, "{ours}");
        }
        assert_eq!(shape("-include"), Some(FlagShape::WithNext));
        assert_eq!(shape("-pthread"), Some(FlagShape::Alone));
        assert_eq!(shape("-lm"), Some(FlagShape::Alone));
    }
}
