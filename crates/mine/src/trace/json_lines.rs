//! JSON lines: `{"call":"accept","args":{"so":7},"return":8,"pid":1,"time":0.1}`.

use super::{AttributeName, Bad, TraceRecord};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Line {
    call: String,
    #[serde(default)]
    args: BTreeMap<String, Value>,
    #[serde(default, rename = "return")]
    result: Option<Value>,
    #[serde(default)]
    at: Option<Value>,
    #[serde(default)]
    caller: Option<Value>,
}

pub(super) fn parse(line: &[u8], record: &mut TraceRecord) -> Result<(), Bad> {
    let line: Line = serde_json::from_slice(line)
        .map_err(|_| "the line is not an object with a `call` and `args`")?;
    record.text.extend_from_slice(line.call.as_bytes());
    record.call = 0..record.text.len();
    for (name, value) in &line.args {
        let start = record.text.len();
        record.text.extend_from_slice(name.as_bytes());
        let name = AttributeName::Written(start..record.text.len());
        push_value(record, name, value);
    }
    if let Some(value) = &line.result {
        push_value(record, AttributeName::Return, value);
    }
    for (name, value) in [("at", &line.at), ("caller", &line.caller)] {
        if let Some(value) = value {
            let start = record.text.len();
            record.text.extend_from_slice(name.as_bytes());
            let name = AttributeName::Written(start..record.text.len());
            push_value(record, name, value);
        }
    }
    Ok(())
}

/// Numbers and strings are written as they are, so that `"0x7"` is the number 7.
fn push_value(record: &mut TraceRecord, name: AttributeName, value: &Value) {
    let start = record.text.len();
    match value {
        Value::String(text) => record.text.extend_from_slice(text.as_bytes()),
        other => record.text.extend_from_slice(other.to_string().as_bytes()),
    }
    record.attributes.push((name, start..record.text.len()));
}

#[cfg(test)]
mod tests {
    use super::super::{TraceFormat, tests::read_all};

    #[test]
    fn json_lines() {
        let text =
            br#"{"call":"accept","args":{"so":7,"addr":"0x40"},"return":8,"pid":1,"time":0.1}
{"call":"f"}
{"args":{}}
{"call":"g","args":[1]}
"#;
        let (found, skipped) = read_all(text, TraceFormat::Auto);
        assert_eq!(found, ["1: accept addr=0x40 so=7 return=8", "2: f"]);
        assert_eq!(skipped.len(), 2);
    }
}
