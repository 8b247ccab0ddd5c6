//! Our own form, that of *Mining Specifications*: `name(attribute = value, …)`.

use super::{AttributeName, Bad, TraceRecord};
use std::ops::Range;

pub(super) fn parse(line: &[u8], record: &mut TraceRecord) -> Result<(), Bad> {
    let open = (line.iter().position(|&b| b == b'(')).ok_or("the line has no `(`")?;
    if line.last() != Some(&b')') {
        return Err("the line has no `)` at its end");
    }
    let name = line[..open].trim_ascii_end();
    if !is_name(name) {
        return Err("there is no name before `(`");
    }
    record.text.extend_from_slice(line);
    record.call = 0..name.len();
    let end = line.len() - 1;
    let mut at = open + 1;
    while let Some(argument) = next_argument(line, &mut at, end)? {
        let equals = (line[argument.clone()].iter().position(|&b| b == b'='))
            .ok_or("an attribute has no `=`")?;
        let name = trim(line, argument.start..argument.start + equals);
        if !is_name(&line[name.clone()]) {
            return Err("an attribute has no name before `=`");
        }
        let value = trim(line, argument.start + equals + 1..argument.end);
        let attribute = (AttributeName::Written(name), value);
        record.attributes.push(attribute);
    }
    Ok(())
}

/// The next part between commas before `end`, trimmed; commas in quotes and brackets separate
/// nothing.
pub(super) fn next_argument(
    line: &[u8],
    at: &mut usize,
    end: usize,
) -> Result<Option<Range<usize>>, Bad> {
    while *at < end && line[*at].is_ascii_whitespace() {
        *at += 1;
    }
    if *at >= end {
        return Ok(None);
    }
    let start = *at;
    let mut depth = 0usize;
    let mut i = start;
    while i < end {
        match line[i] {
            b',' if depth == 0 => break,
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.checked_sub(1).ok_or("a bracket is never opened")?
            }
            b'"' => {
                i += 1;
                while i < end && line[i] != b'"' {
                    i += if line[i] == b'\\' { 2 } else { 1 };
                }
                if i >= end {
                    return Err("a quote is never closed");
                }
            }
            _ => {}
        }
        i += 1;
    }
    if depth > 0 {
        return Err("a bracket is never closed");
    }
    *at = i + 1;
    Ok(Some(trim(line, start..i)))
}

pub(super) fn trim(line: &[u8], mut range: Range<usize>) -> Range<usize> {
    while !range.is_empty() && line[range.start].is_ascii_whitespace() {
        range.start += 1;
    }
    while !range.is_empty() && line[range.end - 1].is_ascii_whitespace() {
        range.end -= 1;
    }
    range
}

/// Names of functions and attributes: those of C, C++ and assembly, and flattened fields.
pub(super) fn is_name(name: &[u8]) -> bool {
    !name.is_empty()
        && (name.iter()).all(|b| b.is_ascii_alphanumeric() || b"_.:$@~<>-*[]".contains(b))
}
