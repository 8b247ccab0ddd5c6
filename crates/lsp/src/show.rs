//! From an outcome, as `--json` prints it, to what an editor shows.

use super::{DIFF, EXPLAIN, REPAIR, REPORT};
use lsp_types::{
    CodeLens, Command, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Hover,
    HoverContents, Location, MarkupContent, MarkupKind, NumberOrString, Position, Range, Uri,
};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use std::str::FromStr as _;

/// Steps before an error that are shown with it.
const STEPS: usize = 8;

fn words(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Whether an outcome's file is this one.
fn is_file(named: &Value, path: &Path, root: &Path) -> bool {
    named
        .as_str()
        .is_some_and(|named| root.join(named) == *path)
}

/// A whole line; editors count from zero.
fn line_range(line: &Value, column: &Value) -> Range {
    let line = line.as_u64().unwrap_or(1).saturating_sub(1) as u32;
    let column = column.as_u64().unwrap_or(1).saturating_sub(1) as u32;
    Range::new(Position::new(line, column), Position::new(line, 1000))
}

fn diagnostic(
    severity: DiagnosticSeverity,
    range: Range,
    code: &str,
    message: String,
) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(severity),
        code: Some(NumberOrString::String(code.to_owned())),
        source: Some("idiolect".to_owned()),
        message,
        ..Diagnostic::default()
    }
}

/// What is wrong in a file, and what an answer about it rests on.
pub fn diagnostics(outcome: &Value, path: &Path, root: &Path) -> Vec<Diagnostic> {
    let mut list = Vec::new();
    // The C cannot be used: what stands in the way, at its place.
    for found in outcome["diagnostics"].as_array().into_iter().flatten() {
        if !is_file(&found["file"], path, root) {
            continue;
        }
        let severity = match found["severity"].as_str() {
            Some("warning") => DiagnosticSeverity::WARNING,
            _ => DiagnosticSeverity::ERROR,
        };
        let mut message = words(&found["message"]);
        if let Some(help) = found["help"].as_str() {
            let _ = write!(message, "\nhelp: {help}");
        }
        let range = line_range(&found["line"], &found["column"]);
        list.push(diagnostic(severity, range, &words(&found["code"]), message));
    }
    let error = &outcome["error"];
    if outcome["verdict"] == "error" && is_file(&error["file"], path, root) {
        list.push(failing(outcome, root));
    }
    let assumed = outcome["guarantee"]["assumptions"].as_array();
    for found in assumed.into_iter().flatten() {
        if is_file(&found["file"], path, root) {
            let mut message = format!(
                "assumed ({}): {}",
                words(&found["kind"]),
                words(&found["text"])
            );
            if let Some(option) = found["option"].as_str() {
                let _ = write!(message, " [{option}]");
            }
            let range = line_range(&found["line"], &Value::Null);
            list.push(diagnostic(
                DiagnosticSeverity::HINT,
                range,
                "assumption",
                message,
            ));
        }
    }
    list
}

/// An error that was replayed, with its inputs and the last steps before it.
fn failing(outcome: &Value, root: &Path) -> Diagnostic {
    let error = &outcome["error"];
    let mut message = words(&error["message"]);
    let inputs = inputs_of(error);
    if !inputs.is_empty() {
        let _ = write!(message, ", with inputs {}", inputs.join(", "));
    }
    let range = line_range(&error["line"], &error["column"]);
    let mut shown = diagnostic(
        DiagnosticSeverity::ERROR,
        range,
        &words(&error["kind"]),
        message,
    );
    let steps = error["trace"].as_array().map_or(&[][..], Vec::as_slice);
    let related = steps[steps.len().saturating_sub(STEPS)..]
        .iter()
        .filter_map(|step| {
            let uri = Uri::from_str(&address(&root.join(step["file"].as_str()?))).ok()?;
            let values = step["values"].as_object();
            let values = values
                .into_iter()
                .flatten()
                .map(|(name, value)| match value {
                    Value::String(text) => format!("{name} = {text}"),
                    other => format!("{name} = {other}"),
                });
            let values: Vec<String> = values.collect();
            let mut message = words(&step["text"]);
            if !values.is_empty() {
                let _ = write!(message, "  →  {}", values.join(", "));
            }
            Some(DiagnosticRelatedInformation {
                location: Location::new(uri, line_range(&step["line"], &Value::Null)),
                message,
            })
        });
    shown.related_information = Some(related.collect());
    shown
}

/// The inputs of a run, with their names where they have some.
fn inputs_of(run: &Value) -> Vec<String> {
    let named = run["named_inputs"].as_array().filter(|n| !n.is_empty());
    let Some(named) = named else {
        let inputs = run["inputs"].as_array().into_iter().flatten();
        return inputs.map(Value::to_string).collect();
    };
    let one = |input: &Value| format!("{} = {}", words(&input["name"]), words(&input["value"]));
    named.iter().map(one).collect()
}

/// The `file:` address of a path.
fn address(path: &Path) -> String {
    let mut text = String::from("file://");
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                text.push(char::from(byte));
            }
            _ => {
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    text
}

/// What holds at a line, or is assumed there.
pub fn hover(outcome: &Value, path: &Path, root: &Path, line: u32) -> Option<Hover> {
    let is_here = |found: &&Value| {
        found["line"].as_u64() == Some(u64::from(line) + 1) && is_file(&found["file"], path, root)
    };
    let mut text = String::new();
    let invariants = outcome["proof"]["invariants"].as_array();
    for found in invariants.into_iter().flatten().filter(is_here) {
        let said = found["acsl"].as_str().or(found["formula"].as_str());
        let _ = writeln!(text, "{}", said.unwrap_or_default());
    }
    if !text.is_empty() {
        text = format!("**proved here**\n```c\n{text}```\n");
    }
    let assumed = outcome["guarantee"]["assumptions"].as_array();
    for found in assumed.into_iter().flatten().filter(is_here) {
        let _ = writeln!(
            text,
            "*assumed ({})*: {}\n",
            words(&found["kind"]),
            words(&found["text"])
        );
    }
    (!text.is_empty()).then_some(Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: text,
        }),
        range: None,
    })
}

/// The verdict above the file, and what can be asked about each assertion.
pub fn lenses(outcome: Option<&Value>, uri: &Uri, text: &str) -> Vec<CodeLens> {
    let lens = |line: usize, title: String, command: &str, arguments: Vec<Value>| CodeLens {
        range: Range::new(Position::new(line as u32, 0), Position::new(line as u32, 0)),
        command: Some(Command::new(title, command.to_owned(), Some(arguments))),
        data: None,
    };
    let file = json!(uri.as_str());
    let lines = || text.lines().enumerate();
    let mut list = Vec::new();
    let main = lines().find(|(_, line)| has_call(line, "main") && !line.trim_end().ends_with(';'));
    let top = main.map_or(0, |(index, _)| index);
    if let Some(verdict) = outcome.and_then(|outcome| outcome["verdict"].as_str()) {
        let outcome = outcome.unwrap_or(&Value::Null);
        let sign = match outcome["guarantee"]["class"].as_str() {
            Some("finding") => "✖",
            Some("promise") => "✔",
            Some("bet") => "≈",
            _ => "?",
        };
        let assumed = outcome["guarantee"]["assumptions"].as_array();
        let rest = match (verdict, assumed.map_or(0, Vec::len)) {
            ("pac", _) => ", not a proof".to_owned(),
            (_, 0) => String::new(),
            (_, n) => format!(", {}", crate::output::counted(n, "assumption")),
        };
        list.push(lens(
            top,
            format!("{sign} {verdict}{rest}"),
            REPORT,
            vec![file.clone()],
        ));
    }
    list.push(lens(
        top,
        "what changed here since HEAD".to_owned(),
        DIFF,
        vec![file.clone()],
    ));
    for (index, line) in lines() {
        let is_assertion = ["assert", "reach_error", "__VERIFIER_assert"]
            .iter()
            .any(|name| has_call(line, name));
        let is_text = line.trim_start().starts_with(['#', '/', '*']) || line.starts_with("extern");
        if is_assertion && !is_text {
            let arguments = vec![file.clone(), json!(index + 1)];
            list.push(lens(
                index,
                "explain this assertion".to_owned(),
                EXPLAIN,
                arguments,
            ));
        }
    }
    list
}

/// A file as it is on disk.
pub struct File<'a> {
    pub uri: &'a Uri,
    pub path: &'a Path,
    pub root: &'a Path,
    pub text: &'a str,
}

/// What can be done about an error: look for a repair, and, when some were found, make one of them.
pub fn actions(
    outcome: &Value,
    repairs: Option<&Value>,
    file: &File<'_>,
    asked: Range,
) -> Vec<Value> {
    let error = &outcome["error"];
    if outcome["verdict"] != "error" || !is_file(&error["file"], file.path, file.root) {
        return Vec::new();
    }
    let is_asked = |line: &Value| {
        let line = line.as_u64().unwrap_or(0);
        (u64::from(asked.start.line)..=u64::from(asked.end.line)).contains(&line.saturating_sub(1))
    };
    let mut list = Vec::new();
    let found = repairs.and_then(|repairs| repairs["repairs"].as_array());
    for repair in found.into_iter().flatten() {
        if is_asked(&error["line"]) || is_asked(&repair["line"]) {
            list.extend(edit(repair, file));
        }
    }
    if repairs.is_none() && is_asked(&error["line"]) {
        let title = "idiolect: look for a repair";
        let command = Command::new(
            title.to_owned(),
            REPAIR.to_owned(),
            Some(vec![json!(file.uri.as_str())]),
        );
        list.push(json!({ "title": title, "kind": "quickfix", "command": command }));
    }
    list
}

/// A repair as an edit of its line; none if the line is another one by now.
fn edit(repair: &Value, file: &File<'_>) -> Option<Value> {
    if !is_file(&repair["file"], file.path, file.root) {
        return None;
    }
    let (before, after) = (repair["before"].as_str()?, repair["after"].as_str()?);
    let index = repair["line"].as_u64()?.checked_sub(1)?;
    let line = file.text.lines().nth(usize::try_from(index).ok()?)?;
    let start = line.find(before)?;
    let units = |text: &str| text.encode_utf16().count() as u32;
    let (from, length) = (units(&line[..start]), units(before));
    let at = |character| Position::new(index as u32, character);
    let edit = json!({ "range": Range::new(at(from), at(from + length)), "newText": after });
    let proved = match &repair["holds_for"]["proved"] {
        Value::Bool(true) => " (proved)",
        _ => "",
    };
    Some(json!({
        "title": format!("idiolect: repair line {}: {after}{proved}", index + 1),
        "kind": "quickfix",
        "edit": { "changes": { (file.uri.as_str()): [edit] } },
    }))
}

/// Whether a line has this name, as a whole word, before a parenthesis.
fn has_call(line: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(name).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + name.len()..].trim_start();
        !before.is_some_and(is_part) && after.starts_with('(')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_whole_words_before_a_parenthesis() {
        assert!(has_call("  assert (x);", "assert"));
        assert!(!has_call("  my_assert(x);", "assert"));
        assert!(!has_call("  assertion(x);", "assert"));
        assert!(has_call("int main(void)", "main"));
    }

    #[test]
    fn addresses_are_escaped() {
        assert_eq!(address(Path::new("/a b/ü.c")), "file:///a%20b/%C3%BC.c");
    }
}
