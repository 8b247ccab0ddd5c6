//! The words of the command line before they are read: response files are opened, and what is meant for a
//! compiler becomes an option of ours.

use super::flags::{FlagShape, shape};
use crate::failure::CommandFailure;
use crate::reading;
use std::ffi::OsString;
use std::path::Path;

/// The option that holds a flag of a compiler.
pub const OPTION: &str = "compiler_flag";

/// Response files within response files, at most.
const MAX_DEPTH: u32 = 16;

/// Short options that every command has, or may have, for itself.
const OURS: &[&str] = &["-v", "-p", "-o"];

/// Puts in order what a command gets that reads C; the words of others are as they were.
pub fn prepare(
    words: Vec<OsString>,
    command: &clap::Command,
) -> Result<Vec<OsString>, CommandFailure> {
    let Some(reader) = reads_c(&words, command) else {
        return Ok(words);
    };
    let has_output = reader.get_arguments().any(|a| a.get_short() == Some('o'));
    let has_database = reader.get_arguments().any(|a| a.get_short() == Some('p'));
    let mut opened = Vec::with_capacity(words.len());
    open_files(words, 0, &mut opened)?;
    let mut out = Vec::with_capacity(opened.len());
    let mut undefined: Vec<String> = Vec::new();
    let mut rest = opened.into_iter();
    while let Some(word) = rest.next() {
        if word == "--" {
            out.push(word);
            out.extend(rest);
            break;
        }
        let Some(text) = word.to_str() else {
            out.push(word);
            continue;
        };
        let is_ours = OURS.contains(&text)
            && (text == "-v" || text == "-o" && has_output || text == "-p" && has_database);
        let found = if is_ours { None } else { shape(text) };
        match found {
            None => {
                let again = redefinition(text, &undefined);
                out.push(word);
                out.extend(again);
            }
            Some(found) => {
                out.push(as_option(text));
                let mut value = None;
                if found == FlagShape::WithNext
                    && let Some(next) = rest.next()
                {
                    let next = next.to_string_lossy().into_owned();
                    out.push(as_option(&next));
                    value = Some(next);
                }
                if let Some(name) = text.strip_prefix("-U") {
                    undefined.push(value.unwrap_or_else(|| name.to_owned()));
                }
            }
        }
    }
    Ok(out)
}

fn as_option(flag: &str) -> OsString {
    OsString::from(format!("--compiler-flag={flag}"))
}

/// `-D` has its own option and is read before all flags; after a `-U` of the same name it has to count once more.
fn redefinition(word: &str, undefined: &[String]) -> Option<OsString> {
    let definition = word.strip_prefix("-D")?;
    let name = definition.split('=').next().unwrap_or(definition);
    (undefined.iter().any(|u| u == name)).then(|| as_option(word))
}

/// The innermost command that is named, if it reads C.
fn reads_c<'c>(words: &[OsString], command: &'c clap::Command) -> Option<&'c clap::Command> {
    let mut current = command;
    for word in words.iter().skip(1) {
        let Some(text) = word.to_str() else { break };
        if text.starts_with('-') {
            continue;
        }
        match current.find_subcommand(text) {
            Some(inner) => current = inner,
            None => break,
        }
    }
    (current.get_arguments())
        .any(|a| a.get_id() == OPTION)
        .then_some(current)
}

/// Puts the words of `@file` in its place, as compilers do; a name that is no file is left as it is.
fn open_files(
    words: Vec<OsString>,
    depth: u32,
    out: &mut Vec<OsString>,
) -> Result<(), CommandFailure> {
    let mut is_open = true;
    for word in words {
        is_open &= word != "--";
        let path = word.to_str().and_then(|text| text.strip_prefix('@'));
        match path {
            Some(path) if is_open && Path::new(path).is_file() => {
                if depth >= MAX_DEPTH {
                    return Err(CommandFailure::usage(
                        format!("`@{path}` leads to more than {MAX_DEPTH} response files"),
                        "does one of them name itself?",
                    ));
                }
                let text = reading::text(Path::new(path), reading::SMALL)?;
                let inner = shlex::split(&text).ok_or_else(|| CommandFailure::BadFile {
                    code: "cli::response-file",
                    message: format!("`{path}` has a quote that is not closed"),
                    place: None,
                    help: "a response file has words as a shell reads them".to_owned(),
                })?;
                let inner = inner.into_iter().map(OsString::from).collect();
                open_files(inner, depth + 1, out)?;
            }
            _ => out.push(word),
        }
    }
    Ok(())
}
