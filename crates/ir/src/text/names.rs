//! How things are called in the text: by their own names if these are plain and unique.

use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// Names that expressions read as something else.
const RESERVED: [&str; 3] = ["true", "false", "null"];

/// Whether a name can stand in the text as it is.
pub(super) fn is_plain(name: &str) -> bool {
    let mut chars = name.chars();
    let first = chars.next();
    first.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '$' | '%'))
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%' | '.'))
}

/// The handles of a table of named things.
pub(super) struct Handles(Vec<String>);

impl Handles {
    pub fn new<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Self {
        let mut count: FxHashMap<&str, u32> = FxHashMap::default();
        for name in names.clone() {
            *count.entry(name).or_default() += 1;
        }
        let handles = names.enumerate().map(|(i, name)| {
            if !is_plain(name) {
                format!("#{i}")
            } else if count[name] > 1 || RESERVED.contains(&name) {
                format!("{name}#{i}")
            } else {
                name.to_owned()
            }
        });
        Handles(handles.collect())
    }

    pub fn get(&self, index: usize) -> &str {
        self.0.get(index).map_or("?", String::as_str)
    }

    /// The handle where the thing is introduced: with its name, if that cannot be told from it.
    pub fn introduction(&self, index: usize, name: &str) -> String {
        if is_plain(name) {
            self.get(index).to_owned()
        } else {
            format!("{} {}", self.get(index), quoted(name.as_bytes()))
        }
    }
}

/// Text in quotes. Bytes that are not printable ASCII or part of valid UTF-8 are escaped.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 2);
    out.push('"');
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                ' '..='~' => out.push(c),
                // Only letters, so that no direction mark or other invisible sign gets through.
                _ if c.is_alphanumeric() => out.push(c),
                _ => {
                    let mut buffer = [0; 4];
                    for b in c.encode_utf8(&mut buffer).bytes() {
                        let _ = write!(out, "\\x{b:02x}");
                    }
                }
            }
        }
        for b in chunk.invalid() {
            let _ = write!(out, "\\x{b:02x}");
        }
    }
    out.push('"');
    out
}
