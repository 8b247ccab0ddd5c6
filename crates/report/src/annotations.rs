//! Findings as annotations of GitHub Actions: lines on standard output that it shows beside the code.

use crate::sarif;
use serde_json::Value;
use std::fmt::Write as _;

/// GitHub shows ten of each kind for a step; more are only in its log.
const MOST: usize = 50;

/// One line for each finding, and one for the outcome.
pub fn github(outcome: &Value) -> String {
    let log = sarif(outcome, "");
    let mut text = String::new();
    let results = log["runs"][0]["results"].as_array();
    for result in results.into_iter().flatten().take(MOST) {
        let kind = match result["level"].as_str() {
            Some("warning") => "warning",
            Some("note") => "notice",
            _ => "error",
        };
        let place = &result["locations"][0]["physicalLocation"];
        let mut properties = Vec::new();
        if let Some(file) = place["artifactLocation"]["uri"].as_str() {
            properties.push(format!("file={}", property(&path(file))));
        }
        for (name, value) in [
            ("line", &place["region"]["startLine"]),
            ("col", &place["region"]["startColumn"]),
        ] {
            if let Some(number) = value.as_u64() {
                properties.push(format!("{name}={number}"));
            }
        }
        if let Some(rule) = result["ruleId"].as_str() {
            properties.push(format!("title={}", property(rule)));
        }
        let message = result["message"]["text"].as_str().unwrap_or_default();
        let _ = writeln!(
            text,
            "::{kind} {}::{}",
            properties.join(","),
            escaped(message)
        );
    }
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let title = format!(
        "idiolect {}: {}",
        word(&outcome["command"]),
        word(&outcome["verdict"])
    );
    let guarantee = word(&outcome["guarantee"]["text"]);
    let _ = writeln!(
        text,
        "::notice title={}::{}",
        property(&title),
        escaped(&guarantee)
    );
    text
}

/// Why there is no outcome, as annotations: what `--json` prints then.
pub fn github_complaints(report: &Value) -> String {
    let mut text = String::new();
    let all = report["diagnostics"].as_array();
    let one = std::slice::from_ref(&report["error"]);
    for found in all.map_or(one, Vec::as_slice).iter().take(MOST) {
        let kind = match found["severity"].as_str() {
            Some("warning") => "warning",
            _ => "error",
        };
        let mut properties = Vec::new();
        if let Some(file) = found["file"].as_str() {
            properties.push(format!("file={}", property(file)));
        }
        for (name, key) in [("line", "line"), ("col", "column")] {
            if let Some(number) = found[key].as_u64() {
                properties.push(format!("{name}={number}"));
            }
        }
        if let Some(code) = found["code"].as_str() {
            properties.push(format!("title={}", property(code)));
        }
        let mut message = found["message"].as_str().unwrap_or_default().to_owned();
        if let Some(help) = found["help"].as_str().filter(|help| !help.is_empty()) {
            let _ = write!(message, " (help: {help})");
        }
        let _ = writeln!(
            text,
            "::{kind} {}::{}",
            properties.join(","),
            escaped(&message)
        );
    }
    text
}

/// The path that an address names.
fn path(uri: &str) -> String {
    let mut parts = uri.strip_prefix("file://").unwrap_or(uri).split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        bytes.extend(u8::from_str_radix(digits, 16));
        bytes.extend(rest.as_bytes());
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A message may have any characters but those that end it.
fn escaped(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// A property ends at a comma or a colon, too.
fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn findings_are_lines_that_cannot_be_broken() {
        let outcome = json!({
            "command": "verify",
            "verdict": "error",
            "guarantee": {"kind": "replayed", "text": "100 % sure\n"},
            "error": {
                "kind": "assert", "message": "assertion `a % b,\nc` failed",
                "file": "a,b:c.c", "line": 7,
            },
        });
        let text = github(&outcome);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(
            lines[0].starts_with("::error file=a%2Cb%3Ac.c,line=7,"),
            "{}",
            lines[0]
        );
        assert!(
            lines[0].ends_with("::assertion `a %25 b,%0Ac` failed"),
            "{}",
            lines[0]
        );
        assert_eq!(
            lines[1],
            "::notice title=idiolect verify%3A error::100 %25 sure%0A"
        );
    }

    #[test]
    fn what_stands_in_the_way_is_an_annotation() {
        let complaint = |severity: &str, line: u64| {
            json!({"severity": severity, "code": "c::syntax", "message": "a,\nb", "file": "a:b.c",
                "line": line, "column": 4, "help": "look"})
        };
        let report = json!({"error": complaint("error", 3),
            "diagnostics": [complaint("warning", 2), complaint("error", 3)]});
        assert_eq!(
            github_complaints(&report),
            "::warning file=a%3Ab.c,line=2,col=4,title=c%3A%3Asyntax::a,%0Ab (help: look)\n\
             ::error file=a%3Ab.c,line=3,col=4,title=c%3A%3Asyntax::a,%0Ab (help: look)\n"
        );
        let usage = json!({"error": {"code": "cli::usage", "message": "no", "help": ""}});
        assert_eq!(
            github_complaints(&usage),
            "::error title=cli%3A%3Ausage::no\n"
        );
    }
}
