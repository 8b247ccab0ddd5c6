//! `#pragma pack`: the parser skips it, so the text is asked again, by place.

use idiolect_base::{SourceId, SourceMap, Span};
use rustc_hash::FxHashMap;

/// By source: from which byte on which largest alignment of fields holds.
#[derive(Debug, Default)]
pub(crate) struct Packing {
    changes: FxHashMap<SourceId, Vec<(u32, Option<u64>)>>,
}

impl Packing {
    /// The largest alignment of fields for a record that is defined here.
    pub fn at(&mut self, sources: &SourceMap, span: Span) -> Option<u64> {
        let changes = self
            .changes
            .entry(span.source)
            .or_insert_with(|| changes_in(sources.source(span.source).text()));
        let after = changes.partition_point(|c| c.0 <= span.start);
        changes[..after].last().and_then(|c| c.1)
    }
}

fn changes_in(text: &str) -> Vec<(u32, Option<u64>)> {
    let mut changes = Vec::new();
    if !text.contains("pack") {
        return changes;
    }
    let mut current = None;
    let mut saved: Vec<Option<u64>> = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        if let Some(arguments) = arguments_of(line) {
            let words: Vec<&str> = arguments.split(',').map(str::trim).collect();
            let number = words.iter().find_map(|w| w.parse::<u64>().ok());
            match words[0] {
                "push" => {
                    saved.push(current);
                    current = number.or(current);
                }
                "pop" => current = number.or(saved.pop().flatten()),
                _ => current = number,
            }
            current = current.filter(|n| n.is_power_of_two() && *n <= 16);
            changes.push((offset, current));
        }
        offset += line.len() as u32;
    }
    changes
}

/// What is between the parentheses of `#pragma pack(…)`.
fn arguments_of(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("pragma")?.trim_start();
    let rest = rest.strip_prefix("pack")?.trim_start();
    let rest = rest.strip_prefix('(')?;
    rest.split(')').next()
}

#[cfg(test)]
mod tests {
    use super::changes_in;

    #[test]
    fn pushes_and_pops_are_followed() {
        let text = "a\n#pragma pack(2)\n#pragma pack(push, 1)\nb\n # pragma pack ( pop )\n#pragma pack()\n";
        let values: Vec<Option<u64>> = changes_in(text).into_iter().map(|c| c.1).collect();
        assert_eq!(values, [Some(2), Some(1), Some(2), None]);
    }
}
