//! Our model of libc: C texts that are part of this crate.

use crate::ast::TranslationUnit;
use crate::parser;
use crate::symbols::Symbols;
use idiolect_base::{Diagnostic, SourceMap};

macro_rules! texts {
    ($($name:literal),* $(,)?) => {
        &[$((concat!("<libc>/", $name), include_str!(concat!("../libc/", $name)))),*]
    };
}

/// Each text is a unit of its own, named as it appears in places.
const TEXTS: &[(&str, &str)] = texts![
    "bits.c",
    "ctype.c",
    "errno.c",
    "fortify.c",
    "getopt.c",
    "math.c",
    "math_types.c",
    "paths.c",
    "scanf.c",
    "stdio.c",
    "stdlib.c",
    "string.c",
    "threads.c",
    "time.c",
    "unistd.c",
    "verifier.c",
    "wchar.c",
];

/// What takes the place of some of it in a program that is made to be run.
const PROCESS: &[(&str, &str)] = texts![
    "process.c",
    "process_system.c",
    "process_host.c",
    "process_threads.c"
];

/// Parses the library. Its own mistakes would be bugs of ours; they show as diagnostics.
pub(crate) fn parse(
    sources: &mut SourceMap,
    symbols: &mut Symbols,
    is_process: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<TranslationUnit> {
    let more = if is_process { PROCESS } else { &[] };
    let mut units = Vec::with_capacity(TEXTS.len() + more.len());
    // Of two definitions, the later one counts.
    for (name, text) in TEXTS.iter().chain(more) {
        let id = sources.add(name, (*text).to_owned());
        let parsed = parser::parse(sources, id, symbols);
        diagnostics.extend(parsed.diagnostics);
        units.push(parsed.unit);
    }
    units
}
