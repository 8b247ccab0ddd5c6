//! Long traces, packed for the page: each different statement once, which of them each step is as one
//! array of numbers, and the values in pieces with what was known before each. The script decodes a
//! piece when somebody looks at it, so that a run of a million steps opens at once.

use crate::page::script_safe;
use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Shorter traces stay as they are.
const LONG: usize = 2_000;
/// Steps in a piece; the script has the same number.
const PIECE: usize = 1_024;
/// Names whose last values are told before a piece.
const MOST_KNOWN: usize = 48;

/// The outcome with its long traces packed, and the texts of their pieces in order.
pub fn pack(outcome: &Value) -> (Value, Vec<String>) {
    let mut pieces = Vec::new();
    (thin(outcome, &mut pieces), pieces)
}

fn thin(value: &Value, pieces: &mut Vec<String>) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, inner)| {
                let trace = inner.as_array().filter(|steps| {
                    let is_trace = name == "trace" || name == "statements";
                    is_trace && steps.len() > LONG && steps.iter().all(Value::is_object)
                });
                let inner = match trace {
                    Some(steps) => pack_one(steps, pieces),
                    None => thin(inner, pieces),
                };
                (name.clone(), inner)
            });
            Value::Object(fields.collect())
        }
        Value::Array(items) => items.iter().map(|item| thin(item, pieces)).collect(),
        plain => plain.clone(),
    }
}

fn pack_one(steps: &[Value], pieces: &mut Vec<String>) -> Value {
    let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
    let mut sites = Vec::new();
    let mut ids = Vec::with_capacity(steps.len());
    let mut known = Known::default();
    let mut lines = Vec::new();
    for (number, piece) in steps.chunks(PIECE).enumerate() {
        let before = known.to_json();
        let mut values = Vec::new();
        for (offset, step) in piece.iter().enumerate() {
            let (site, own) = split(step);
            let next = sites.len() as u32;
            let id = *numbers.entry(site.to_string()).or_insert_with(|| {
                sites.push(site);
                next
            });
            ids.push(id);
            if let Some(own) = own.filter(|own| !own.is_empty()) {
                known.note(own, number * PIECE + offset);
                values.push(json!([offset, own]));
            }
        }
        lines.push(script_safe(&json!({ "v": values, "k": before })));
    }
    let wide = sites.len() > usize::from(u16::MAX);
    let bytes: Vec<u8> = if wide {
        ids.iter().flat_map(|id| id.to_le_bytes()).collect()
    } else {
        ids.iter()
            .flat_map(|&id| (id as u16).to_le_bytes())
            .collect()
    };
    pieces.push(lines.join("\n"));
    json!({
        "packed": pieces.len() - 1,
        "sites": sites,
        "ids": base64(&bytes),
        "wide": wide,
    })
}

/// A step without its values, and those.
fn split(step: &Value) -> (Value, Option<&Map<String, Value>>) {
    let Some(fields) = step.as_object() else {
        return (step.clone(), None);
    };
    let site = fields
        .iter()
        .filter(|(name, value)| *name != "values" && !value.is_null())
        .map(|(name, value)| (name.clone(), value.clone()));
    let values = fields.get("values").and_then(Value::as_object);
    (Value::Object(site.collect()), values)
}

/// The last values of names, those that changed last first to be told.
#[derive(Default)]
struct Known {
    values: FxHashMap<String, (Value, usize)>,
    by_time: BTreeMap<(usize, String), ()>,
}

impl Known {
    fn note(&mut self, values: &Map<String, Value>, at: usize) {
        for (name, value) in values {
            let old = self.values.insert(name.clone(), (value.clone(), at));
            if let Some((_, before)) = old {
                self.by_time.remove(&(before, name.clone()));
            }
            self.by_time.insert((at, name.clone()), ());
        }
    }

    /// `[name, value, step]`, the oldest first, and only the newest of many.
    fn to_json(&self) -> Value {
        let mut list: Vec<Value> = (self.by_time.keys().rev().take(MOST_KNOWN))
            .filter_map(|(at, name)| Some(json!([name, self.values.get(name)?.0, at])))
            .collect();
        list.reverse();
        Value::Array(list)
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let part = |i: usize| u32::from(three.get(i).copied().unwrap_or(0));
        let bits = part(0) << 16 | part(1) << 8 | part(2);
        for i in 0..4 {
            if i <= three.len() {
                text.push(char::from(DIGITS[(bits >> (18 - 6 * i) & 63) as usize]))
            } else {
                text.push('=')
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_as_everywhere() {
        let coded = ["", "f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes()));
        assert_eq!(coded, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]);
    }

    #[test]
    fn only_long_traces_are_packed_and_each_statement_is_told_once() {
        let step = |i: usize| {
            json!({"file": "a.c", "line": i % 3, "decision": null,
                   "values": if i.is_multiple_of(3) { json!({"i": i, "</script>": 1}) } else { json!({}) }})
        };
        let short: Vec<Value> = (0..LONG).map(step).collect();
        let long: Vec<Value> = (0..5_000).map(step).collect();
        let outcome = json!({"trace": short, "witnesses": [{"word": [], "trace": long}]});
        let (packed, pieces) = pack(&outcome);
        assert_eq!(packed["trace"], outcome["trace"]);
        let trace = &packed["witnesses"][0]["trace"];
        assert_eq!(trace["packed"], 0);
        assert_eq!(trace["sites"].as_array().map(Vec::len), Some(3));
        assert_eq!(trace["wide"], false);
        assert_eq!(pieces.len(), 1);
        let lines: Vec<&str> = pieces[0].split('\n').collect();
        assert_eq!(lines.len(), 5);
        assert!(!pieces[0].contains('<'));
        let second: Value = serde_json::from_str(lines[1]).unwrap();
        // Step 1023 was the last one before it with values.
        assert_eq!(
            second["k"],
            json!([["</script>", 1, 1023], ["i", 1023, 1023]])
        );
        assert_eq!(second["v"][0], json!([2, {"</script>": 1, "i": 1026}]));
    }
}
