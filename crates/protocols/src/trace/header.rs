//! `--api-from HEADER`: the functions of a header as an API, by our own C parser.

mod kinds;

use crate::c_input::{c_compiler, preprocess_failure};
use crate::failure::CommandFailure;
use idiolect_base::SourceMap;
use idiolect_cfront::ast::{
    Declaration, Declarator, Derivation, Item, ParameterDeclaration, Parameters, Storage,
};
use idiolect_cfront::parser::{parse, with_big_stack};
use idiolect_cfront::preprocess::{self, PreprocessOptions};
use idiolect_cfront::symbols::Symbols;
use idiolect_mine::Api;
use kinds::{Prototype, Typedefs};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The API of the functions whose names match one of the patterns; of all, if there are none.
pub fn api(header: &str, only: &[String], include: &[PathBuf]) -> Result<Api, CommandFailure> {
    let options = PreprocessOptions {
        cc: c_compiler(),
        include_dirs: include.to_vec(),
        ..PreprocessOptions::new(std::env::temp_dir())
    };
    // A file of this path, or a header as the compiler finds it.
    let included = if Path::new(header).is_file() {
        let path = std::fs::canonicalize(header).unwrap_or_else(|_| header.into());
        format!("\"{}\"", path.display())
    } else {
        format!("<{}>", header.trim_matches(['<', '>', '"']))
    };
    let text = format!("#define _GNU_SOURCE 1\n#include {included}\n");
    let text = preprocess::preprocess_text(header, text.as_bytes(), &options)
        .map_err(|error| preprocess_failure(&error))?;
    let mut sources = SourceMap::new();
    let id = sources.add(header, text);
    let (declared, types) = with_big_stack(|| {
        let mut symbols = Symbols::new();
        let parsed = parse(&sources, id, &mut symbols);
        let mut declared: BTreeMap<String, (String, Prototype)> = BTreeMap::new();
        let mut types = Typedefs::new();
        for item in &parsed.unit.items {
            let Item::Declaration(declaration) = item else {
                continue;
            };
            typedefs(declaration, &sources, &symbols, &mut types);
            let is_own = is_own(&sources, declaration, header);
            for (text, function) in functions(declaration, &sources, &symbols) {
                let is_wanted = if only.is_empty() {
                    is_own
                } else {
                    only.iter().any(|pattern| matches(pattern, &function.name))
                };
                if is_wanted {
                    let name = function.name.clone();
                    declared.entry(name).or_insert((text, function));
                }
            }
        }
        (declared, types)
    });
    if declared.is_empty() {
        return Err(CommandFailure::usage(
            format!("`{header}` declares no function of these names"),
            "check `--only`; it takes `*` and `?`, such as `--only 'gz*'`",
        ));
    }
    let all: Vec<Prototype> = declared.values().map(|(_, f)| f.clone()).collect();
    let found = kinds::find(&all, &types);
    let seeds: Vec<String> = found.seeds.iter().map(|seed| quote(seed)).collect();
    let mut toml = format!(
        "seeds = [{}]\ninclude = [{}]\nnull = [\"0\"]\n",
        seeds.join(", "),
        quote(&included)
    );
    for kind in &found.kinds {
        let _ = write!(toml, "[kinds.{}]\nnull = [\"0\"]\n", quote(kind));
    }
    for (name, (text, _)) in &declared {
        let _ = write!(toml, "[calls.{name}]\ndeclare = {}\n", quote(text));
        toml.push_str(found.lines.get(name).map_or("", String::as_str));
    }
    Api::parse(&toml).map_err(|e| crate::traces::bad_api(header, &e))
}

/// Whether a declaration is in the header itself, or in one beside it in a folder of its own.
fn is_own(sources: &SourceMap, declaration: &Declaration, header: &str) -> bool {
    let Some(place) = sources.place(declaration.specifiers.span) else {
        return false;
    };
    let name = |path: &Path| path.file_name().map(std::ffi::OsStr::to_owned);
    let (file, header) = (
        Path::new(&place.file),
        Path::new(header.trim_matches(['<', '>', '"'])),
    );
    if name(file) == name(header) {
        return true;
    }
    // `curl/curl.h` includes `curl/easy.h`; `zlib.h` is beside everybody else's headers.
    let folder = header.parent().and_then(name);
    folder.is_some() && file.parent().and_then(name) == folder
}

/// What typedef names stand for.
fn typedefs(
    declaration: &Declaration,
    sources: &SourceMap,
    symbols: &Symbols,
    into: &mut Typedefs,
) {
    if declaration.specifiers.storage != Some(Storage::Typedef) {
        return;
    }
    let text = clean(sources.slice(declaration.specifiers.span));
    let text = text
        .trim_start_matches("typedef ")
        .trim_start_matches("const ");
    // `typedef struct tag { … } name`, or without a tag.
    let base = text.split('{').next().unwrap_or_default().trim();
    for declared in &declaration.declarators {
        let declarator = &declared.declarator;
        let Some(name) = declarator.name else {
            continue;
        };
        let is_plain = |d: &Derivation| matches!(d, Derivation::Pointer(_));
        if declarator.derivations.iter().all(is_plain) {
            let name = symbols.name(name.symbol).to_owned();
            let base = match base {
                "struct" | "union" => format!("struct {name}"),
                base => base.to_owned(),
            };
            into.insert(name, (base, declarator.derivations.len()));
        }
    }
}

/// TOML and JSON agree on such strings.
fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The functions of a declaration, each with a prototype of its own and its parts.
fn functions(
    declaration: &Declaration,
    sources: &SourceMap,
    symbols: &Symbols,
) -> Vec<(String, Prototype)> {
    if matches!(
        declaration.specifiers.storage,
        Some(Storage::Typedef | Storage::Static)
    ) {
        return Vec::new();
    }
    let result = clean(sources.slice(declaration.specifiers.span));
    let mut found = Vec::new();
    for declared in &declaration.declarators {
        let declarator = &declared.declarator;
        let (Some(name), Some(function)) = (declarator.name, function_of(declarator)) else {
            continue;
        };
        let (parameters, is_variadic) = function;
        let stars = stars(declarator);
        let mut list: Vec<String> = (parameters.iter().enumerate())
            .map(|(i, parameter)| parameter_text(parameter, i, sources, symbols))
            .collect();
        if list.len() == 1 && list[0] == "void" {
            list.clear();
        }
        let mut joined = list.join(", ");
        if is_variadic {
            joined.push_str(", ...");
        }
        if joined.is_empty() {
            joined.push_str("void");
        }
        let name = symbols.name(name.symbol).to_owned();
        let text = format!("{result} {stars}{name}({joined})");
        let function = Prototype {
            name,
            result: format!("{result} {stars}"),
            parameters: list,
        };
        found.push((text, function));
    }
    found
}

/// Its parameters, and whether more may follow. A function that returns a pointer to a function or to
/// an array is left out.
fn function_of(declarator: &Declarator) -> Option<(&[ParameterDeclaration], bool)> {
    let (first, rest) = declarator.derivations.split_first()?;
    if !rest.iter().all(|d| matches!(d, Derivation::Pointer(_))) {
        return None;
    }
    match first {
        Derivation::Function(Parameters::Prototype {
            parameters,
            variadic,
        }) => Some((parameters, *variadic)),
        _ => None,
    }
}

fn stars(declarator: &Declarator) -> String {
    let pointers = declarator.derivations.iter();
    pointers
        .filter(|d| matches!(d, Derivation::Pointer(_)))
        .map(|_| '*')
        .collect()
}

/// On one line, without what a prototype in an API file has no use for.
fn clean(text: &str) -> String {
    // The preprocessor's own lines may stand in the middle.
    let lines: Vec<&str> = (text.lines())
        .filter(|line| !line.trim_start().starts_with('#'))
        .collect();
    let text = lines.join(" ");
    let mut words = Vec::new();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, after) = match end {
            0 => rest.split_at(rest.chars().next().map_or(0, char::len_utf8)),
            end => rest.split_at(end),
        };
        rest = after;
        match word {
            "extern" | "inline" | "__inline" | "__inline__" | "__extension__" | "__restrict"
            | "__restrict__" | "restrict" | "_Noreturn" => {}
            "__attribute__" | "__attribute" | "__asm__" => rest = behind_brackets(rest),
            word if word.trim().is_empty() => {}
            word => words.push(word),
        }
    }
    let mut text = String::new();
    for (i, word) in words.iter().enumerate() {
        let opens_pointer = *word == "(" && words.get(i + 1) == Some(&"*");
        let joins = matches!(*word, ")" | "," | "]" | "[" | ";")
            || *word == "(" && (!opens_pointer || text.ends_with(')'))
            || text.ends_with(['(', '*', '[']);
        if !text.is_empty() && !joins {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

fn behind_brackets(text: &str) -> &str {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return &text[at + 1..],
            ')' => depth -= 1,
            _ => {}
        }
    }
    ""
}

/// A parameter with a name, without leading underscores: headers keep out of the user's way, an API
/// file is the user's.
fn parameter_text(
    parameter: &ParameterDeclaration,
    position: usize,
    sources: &SourceMap,
    symbols: &Symbols,
) -> String {
    let text = sources.slice(parameter.span);
    let Some(name) = parameter.declarator.name else {
        let text = clean(text);
        let name = format!("arg{position}");
        if text == "void" {
            return text;
        }
        if let Some(at) = text.find("(*)") {
            return format!("{}{name}{}", &text[..at + 2], &text[at + 2..]);
        }
        return match text.find('[') {
            Some(at) => format!("{} {name}{}", &text[..at], &text[at..]),
            None => format!("{text} {name}"),
        };
    };
    let own = symbols.name(name.symbol);
    let plain = own.trim_start_matches('_');
    let reserved = [
        "", "int", "char", "long", "short", "return", "default", "new",
    ];
    let new = if reserved.contains(&plain) || plain.starts_with(|c: char| c.is_ascii_digit()) {
        own
    } else {
        plain
    };
    let start = (name.span.start - parameter.span.start) as usize;
    let end = (start + own.len()).min(text.len());
    clean(&format!(
        "{}{new}{}",
        &text[..start.min(text.len())],
        &text[end..]
    ))
}

/// `*` is any text, `?` one character.
fn matches(pattern: &str, name: &str) -> bool {
    let mut pattern_chars = pattern.chars();
    match pattern_chars.next() {
        None => name.is_empty(),
        Some('*') => {
            let rest = pattern_chars.as_str();
            (0..=name.len())
                .filter(|&at| name.is_char_boundary(at))
                .any(|at| matches(rest, &name[at..]))
        }
        Some(c) => {
            let mut name_chars = name.chars();
            match name_chars.next() {
                Some(n) if c == '?' || c == n => {
                    matches(pattern_chars.as_str(), name_chars.as_str())
                }
                _ => false,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{clean, matches};

    #[test]
    fn patterns() {
        assert!(matches("gz*", "gzopen") && matches("*", "") && matches("g?o*n", "gzopen"));
        assert!(!matches("gz*", "zgz") && !matches("gz?", "gz"));
    }

    #[test]
    fn declarations_are_cleaned() {
        let text = "extern  int\n __attribute__ ((noreturn)) const char * __restrict p";
        assert_eq!(clean(text), "int const char *p");
    }
}
