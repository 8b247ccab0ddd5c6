//! Findings as SARIF 2.1.0, which code-review tools read: what is wrong, where, and for errors the
//! runs that reach them, step by step with the values that changed.
//!
//! Made of the same JSON that `--json` prints. An outcome without a finding gives a log without
//! results, which is how SARIF says that nothing was found.

mod rules;

use rules::{DIFFERENT, Level, RELEVANT, REPAIR, RULES, Rule, VIOLATION, WAYS_TO_FAIL};
use serde::Serialize;
use serde_json::{Map, Value};

/// Steps of a run that are written. GitHub shows a thousand and refuses ten thousand.
const MOST_STEPS: usize = 1000;
/// Of these, so many from the beginning of a run that is longer; the end matters more.
const FIRST_STEPS: usize = 250;
const MOST_RUNS: usize = 10;
const MOST_RESULTS: usize = 5000;

/// The findings of an outcome as a SARIF log. `command` is what made it.
pub fn sarif(outcome: &Value, command: &str) -> Value {
    let mut results = findings(outcome);
    number_twins(&mut results);
    let left_out = results.len().saturating_sub(MOST_RESULTS);
    results.truncate(MOST_RESULTS);
    let warnings = outcome["warnings"].as_array().into_iter().flatten();
    let mut notifications: Vec<Notification> = warnings
        .filter_map(Value::as_str)
        .map(|text| Notification {
            level: Level::Warning,
            message: Message::new(text),
        })
        .collect();
    if left_out > 0 {
        notifications.push(Notification {
            level: Level::Warning,
            message: Message::new(format!("{left_out} more findings are not in this file")),
        });
    }
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "idiolect",
                    version: outcome["version"].as_str().map(str::to_owned),
                    rules: RULES,
                },
            },
            invocations: [Invocation {
                command_line: command.to_owned(),
                // An undecided outcome is an answer, too: the tool did its work.
                execution_successful: true,
                tool_execution_notifications: notifications,
            }],
            column_kind: "unicodeCodePoints",
            results,
        }],
    };
    serde_json::to_value(log).unwrap_or(Value::Null)
}

fn findings(outcome: &Value) -> Vec<SarifResult> {
    let list = |name: &str| outcome[name].as_array().into_iter().flatten();
    let mut results = Vec::new();
    let error = &outcome["error"];
    if error.is_object() && matches!(outcome["verdict"].as_str(), Some("error" | "fault")) {
        let message = text_of(error, "message").or_else(|| text_of(error, "kind"));
        let index = usize::from(outcome["verdict"] == "fault");
        let mut result = SarifResult::new(index, message.unwrap_or("an error is reached"), error);
        let trace = if error["trace"].is_array() {
            &error["trace"]
        } else {
            &outcome["trace"]
        };
        result
            .code_flows
            .extend(code_flow(trace, inputs_text(error, outcome)));
        results.push(result);
    }
    if outcome["verdict"] == "error-language" {
        results.push(ways_to_fail(outcome));
    }
    for found in list("relevant").filter(|f| f["shown"] != false) {
        let text = text_of(found, "text").unwrap_or("this statement");
        let then = if found["passes"] == true {
            "this run passes"
        } else {
            "this error trace is blocked"
        };
        let message = match shown(&found["blocking_value"]) {
            Some(value) => {
                format!("`{text}` is relevant: with the value {value} here, {then}.")
            }
            None => format!("`{text}` is relevant: changed alone, it blocks this error trace."),
        };
        results.push(SarifResult::new(RELEVANT, &message, found));
    }
    if let Some(best) = list("repairs").next() {
        let error = &outcome["error"];
        let what = text_of(error, "message").unwrap_or("a test fails");
        let after = text_of(best, "after").unwrap_or("");
        let message = format!("{what}; it passes with `{after}` here.");
        let mut place = best.clone();
        place["column"] = column_of_edit(best).into();
        let mut result = SarifResult::new(REPAIR, &message, &place);
        result.fixes = list("repairs").filter_map(Fix::of).collect();
        results.push(result);
    }
    results.extend(parted(outcome));
    for found in list("violations") {
        let words = |name: &str| -> String {
            let letters = found[name].as_array().into_iter().flatten();
            letters
                .filter_map(Value::as_str)
                .collect::<Vec<_>>()
                .join(" ")
        };
        let mut message = format!(
            "This scenario breaks the specification: {}.",
            words("scenario")
        );
        let nearest = words("nearest");
        if !nearest.is_empty() {
            message.push_str(&format!(" The nearest that is allowed: {nearest}."));
        }
        // What is known about an object says more than its scenario, and the source more than a trace.
        if let (Some(what), Some(object)) = (found["what"].as_str(), found["object"].as_str()) {
            let rule = found["rule"].as_str().unwrap_or("");
            message = format!("{object}: {what}. Programs keep to this: {rule}.");
        }
        let place = match &found["source"] {
            source if source.is_object() => source,
            _ => found,
        };
        results.push(SarifResult::new(VIOLATION, &message, place));
    }
    for (name, which) in [
        ("gained", "Only the new version does this"),
        ("lost", "Only the old version did this"),
        ("in_neither", "The merge does this, and neither branch did"),
    ] {
        let side = &outcome[name];
        let witnesses = if side["witnesses"].is_array() {
            &side["witnesses"]
        } else {
            &Value::Null
        };
        for witness in witnesses.as_array().into_iter().flatten().take(MOST_RUNS) {
            let letters = witness["word"].as_array().into_iter().flatten();
            let word: Vec<&str> = letters.filter_map(Value::as_str).collect();
            let steps = witness["trace"].as_array();
            // The file's own last statement; the end of a run may be in a header.
            let place = steps.and_then(|steps| steps.iter().rfind(|step| step["line"].is_u64()));
            let message = format!("{which}: {}.", word.join(" "));
            let mut result = SarifResult::new(DIFFERENT, &message, place.unwrap_or(&Value::Null));
            let said = inputs_text(witness, &Value::Null);
            result.code_flows.extend(code_flow(&witness["trace"], said));
            results.push(result);
        }
    }
    results
}

/// The one finding of an assertion that can fail, with the runs that show how.
fn ways_to_fail(outcome: &Value) -> SarifResult {
    let list = |name: &str| outcome[name].as_array().into_iter().flatten();
    let witnesses: Vec<&Value> = list("witnesses").collect();
    let failing = witnesses
        .iter()
        .filter_map(|w| w["trace"].as_array()?.last())
        .next();
    let letters = list("letters").find(|letter| letter["name"] == "assert");
    // A run that fails says its place to the column.
    let exact = witnesses.iter().copied().find(|w| w["column"].is_u64());
    let place = letters
        .filter(|letter| letter["file"].is_string() && letter["column"].is_u64())
        .or(exact.filter(|witness| witness["file"].is_string()))
        .or(letters.filter(|letter| letter["file"].is_string()))
        .or(failing)
        .unwrap_or(&Value::Null);
    let n = witnesses.len();
    let message = match text_of(&outcome["guarantee"], "text") {
        Some(guarantee) => format!("The assertion can fail; {n} runs show how. {guarantee}"),
        None => format!("The assertion can fail; {n} runs show how."),
    };
    let mut result = SarifResult::new(WAYS_TO_FAIL, &message, place);
    for witness in witnesses.into_iter().take(MOST_RUNS) {
        let said = inputs_text(witness, &Value::Null);
        result.code_flows.extend(code_flow(&witness["trace"], said));
    }
    result
}

/// Where what is replaced begins in its line, as the patch shows it.
fn column_of_edit(repair: &Value) -> Option<u64> {
    let before = text_of(repair, "before")?;
    let removed = repair["patch"].as_str()?.lines();
    let mut removed = removed.filter(|line| line.starts_with('-') && !line.starts_with("---"));
    let line = removed.find_map(|line| Some(&line[1..][..line[1..].find(before)?]))?;
    Some(line.chars().count() as u64 + 1)
}

/// Inputs on which two versions part: in the new one, at the last step of its own file.
fn parted(outcome: &Value) -> Vec<SarifResult> {
    let list = outcome["different_for"].as_array().into_iter().flatten();
    // Words that one version has and the other has not are findings of their own.
    let has_words = ["gained", "lost"].iter().any(|side| {
        outcome[*side]["witnesses"]
            .as_array()
            .is_some_and(|w| !w.is_empty())
    });
    let list = list.filter(|found| !has_words || found["old"]["word"] == found["new"]["word"]);
    let one = |found: &Value| {
        let end = |side: &Value| {
            let printed = text_of(side, "stdout").map(|text| format!(", prints {text:?}"));
            let result = shown(&side["result"]).unwrap_or_default();
            format!("{result}{}", printed.unwrap_or_default())
        };
        let what = &found["what"];
        let mut message = match (
            text_of(what, "name"),
            shown(&what["old"]),
            shown(&what["new"]),
        ) {
            (Some(name), Some(old), Some(new)) => {
                format!("On the same inputs {name} was {old} and is {new}.")
            }
            (Some(name), ..) => format!("On the same inputs this differs: {name}."),
            _ => format!(
                "On the same inputs the result was {} and is {}.",
                end(&found["old"]),
                end(&found["new"])
            ),
        };
        message.push_str(&format!(" {}", inputs_text(found, &Value::Null)));
        let steps = found["new"]["trace"].as_array();
        let place = steps.and_then(|steps| steps.iter().rfind(|step| step["line"].is_u64()));
        let mut result = SarifResult::new(DIFFERENT, &message, place.unwrap_or(&Value::Null));
        let said = inputs_text(found, &Value::Null);
        result
            .code_flows
            .extend(code_flow(&found["new"]["trace"], said));
        result
    };
    list.map(one).collect()
}

/// The same finding keeps its print when lines above it come and go: of its rule, file, function and
/// words, and not of its line.
fn fingerprint(rule: &str, message: &str, place: &Value) -> String {
    // FNV-1a, 64 bits: the same everywhere and for ever.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let said = text_of(place, "text").unwrap_or(message);
    for part in [
        rule,
        text_of(place, "file").unwrap_or(""),
        text_of(place, "function").unwrap_or(""),
        said,
    ] {
        for byte in part.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

/// Findings that look the same are told apart by their number.
fn number_twins(results: &mut [SarifResult]) {
    let mut seen: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    for result in results {
        let print = &mut result.partial_fingerprints.print;
        let n = seen.entry(print.clone()).or_default();
        *n += 1;
        print.push_str(&format!(":{n}"));
    }
}

fn inputs_text(run: &Value, otherwise: &Value) -> String {
    let of = |value: &Value| {
        value["named_inputs"]
            .as_array()
            .filter(|n| !n.is_empty())
            .cloned()
    };
    let inputs = of(run).or_else(|| of(otherwise).filter(|_| !run["inputs"].is_array()));
    if let Some(named) = inputs {
        let named = named.iter().filter_map(|input| {
            Some(format!(
                "{} = {}",
                input["name"].as_str()?,
                shown(&input["value"])?
            ))
        });
        return format!("Inputs: {}.", named.collect::<Vec<_>>().join(", "));
    }
    let inputs = run["inputs"].as_array().or(otherwise["inputs"].as_array());
    let inputs: Vec<String> = inputs.into_iter().flatten().filter_map(shown).collect();
    if inputs.is_empty() {
        "The run takes no inputs.".to_owned()
    } else {
        format!("Inputs: {}.", inputs.join(", "))
    }
}

fn text_of<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value[name].as_str().filter(|text| !text.is_empty())
}

/// Text as it is, anything else as JSON.
fn shown(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// A run as a code flow; none if there is no step with a place.
fn code_flow(trace: &Value, said: String) -> Option<CodeFlow> {
    let steps = trace.as_array()?;
    let left_out = steps.len().saturating_sub(MOST_STEPS);
    let mut locations = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        if left_out > 0 && (FIRST_STEPS..FIRST_STEPS + left_out).contains(&index) {
            continue;
        }
        let Some(location) = Location::of(step) else {
            continue;
        };
        let mut text = text_of(step, "text").unwrap_or("a step").to_owned();
        if let Some(taken) = step["decision"].as_u64() {
            text.push_str(if taken == 1 { " → yes" } else { " → no" });
        }
        let values = step["values"].as_object().into_iter().flatten();
        let state: Map<String, Value> = values
            .filter_map(|(name, value)| {
                let message = Message::new(shown(value)?);
                Some((name.clone(), serde_json::to_value(message).ok()?))
            })
            .collect();
        let is_last = index + 1 == steps.len();
        locations.push(FlowLocation {
            location: Location {
                message: Some(Message::new(text)),
                ..location
            },
            state,
            nesting_level: step["depth"].as_u64().unwrap_or(0),
            execution_order: index as u64 + 1,
            importance: if is_last { "essential" } else { "important" },
        });
    }
    let message = match left_out {
        0 => said,
        n => format!("{said} {n} steps in the middle are left out."),
    };
    (!locations.is_empty()).then(|| CodeFlow {
        message: Message::new(message),
        thread_flows: [ThreadFlow { locations }],
    })
}

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    results: Vec<SarifResult>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
struct Driver {
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    rules: &'static [Rule],
}

#[derive(Serialize)]
struct Message {
    text: String,
}

impl Message {
    fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    command_line: String,
    execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: Level,
    message: Message,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: &'static str,
    rule_index: usize,
    level: Level,
    message: Message,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location>,
    partial_fingerprints: Fingerprints,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    code_flows: Vec<CodeFlow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Fix>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Fix {
    description: Message,
    artifact_changes: [ArtifactChange; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange {
    artifact_location: ArtifactLocation,
    replacements: [Replacement; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: DeletedRegion,
    inserted_content: Message,
}

/// Whole lines: from the start of the first to the start of the one behind the last.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DeletedRegion {
    start_line: u64,
    start_column: u64,
    end_line: u64,
    end_column: u64,
}

impl Fix {
    /// A repair as a fix that a tool can make.
    fn of(repair: &Value) -> Option<Self> {
        let replacement = &repair["replacement"];
        let first = replacement["first_line"].as_u64()?;
        let lines = replacement["lines"].as_u64()?;
        let kind = text_of(repair, "kind").unwrap_or("change");
        let after = text_of(repair, "after").unwrap_or("");
        Some(Self {
            description: Message::new(format!("{kind}: `{after}`")),
            artifact_changes: [ArtifactChange {
                artifact_location: ArtifactLocation {
                    uri: uri(text_of(repair, "file")?),
                },
                replacements: [Replacement {
                    deleted_region: DeletedRegion {
                        start_line: first,
                        start_column: 1,
                        end_line: first + lines,
                        end_column: 1,
                    },
                    inserted_content: Message::new(replacement["text"].as_str()?),
                }],
            }],
        })
    }
}

#[derive(Serialize)]
struct Fingerprints {
    #[serde(rename = "idiolect/v1")]
    print: String,
}

impl SarifResult {
    fn new(rule_index: usize, message: &str, place: &Value) -> Self {
        let rule = &RULES[rule_index];
        Self {
            rule_id: rule.id,
            rule_index,
            level: rule.default_configuration.level,
            message: Message::new(message),
            locations: Location::of(place).into_iter().collect(),
            partial_fingerprints: Fingerprints {
                print: fingerprint(rule.id, message, place),
            },
            code_flows: Vec::new(),
            fixes: Vec::new(),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CodeFlow {
    message: Message,
    thread_flows: [ThreadFlow; 1],
}

#[derive(Serialize)]
struct ThreadFlow {
    locations: Vec<FlowLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FlowLocation {
    location: Location,
    #[serde(skip_serializing_if = "Map::is_empty")]
    state: Map<String, Value>,
    nesting_level: u64,
    execution_order: u64,
    importance: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<LogicalLocation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

impl Location {
    /// The place of anything that has a `file` and a `line`.
    fn of(value: &Value) -> Option<Self> {
        let function = text_of(value, "function").map(|name| LogicalLocation {
            name: name.to_owned(),
            kind: "function",
        });
        Some(Self {
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation {
                    uri: uri(text_of(value, "file")?),
                },
                region: Region {
                    start_line: value["line"].as_u64().filter(|&line| line > 0)?,
                    start_column: value["column"].as_u64().filter(|&column| column > 0),
                },
            },
            logical_locations: function.into_iter().collect(),
            message: None,
        })
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<u64>,
}

#[derive(Serialize)]
struct LogicalLocation {
    name: String,
    kind: &'static str,
}

/// A path as a URI reference: relative ones stay relative, which is what reviewers' tools expect.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.strip_prefix("./").unwrap_or(path).bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The rules of the standard that a schema states, for the parts that we write.
    fn check(log: &Value) {
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        assert!(!run["tool"]["driver"]["name"].as_str().unwrap().is_empty());
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        let level =
            |value: &Value| ["none", "note", "warning", "error"].contains(&value.as_str().unwrap());
        for rule in rules {
            assert!(level(&rule["defaultConfiguration"]["level"]));
            assert!(
                !rule["shortDescription"]["text"]
                    .as_str()
                    .unwrap()
                    .is_empty()
            );
        }
        for result in run["results"].as_array().unwrap() {
            assert!(level(&result["level"]));
            assert!(!result["message"]["text"].as_str().unwrap().is_empty());
            let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
            assert_eq!(rule["id"], result["ruleId"]);
            let mut locations: Vec<&Value> = result["locations"]
                .as_array()
                .into_iter()
                .flatten()
                .collect();
            for flow in result["codeFlows"].as_array().into_iter().flatten() {
                let steps = flow["threadFlows"][0]["locations"].as_array().unwrap();
                assert!(!steps.is_empty() && steps.len() <= 1000);
                for step in steps {
                    let importance = step["importance"].as_str().unwrap();
                    assert!(["important", "essential", "unimportant"].contains(&importance));
                    assert!(step["nestingLevel"].is_u64() && step["executionOrder"].is_u64());
                    for value in step["state"].as_object().into_iter().flat_map(Map::values) {
                        assert!(value["text"].is_string());
                    }
                    locations.push(&step["location"]);
                }
            }
            for location in locations {
                let place = &location["physicalLocation"];
                assert!(place["region"]["startLine"].as_u64().unwrap() >= 1);
                let uri = place["artifactLocation"]["uri"].as_str().unwrap();
                assert!(
                    uri.is_ascii() && !uri.contains([' ', '"', '<', '\\']),
                    "{uri}"
                );
            }
        }
    }

    #[test]
    fn an_error_has_its_run_with_values() {
        let step = |line: u64| {
            json!({"file": "a b/ü.c", "line": line, "function": "f", "depth": 2,
                                      "text": "x = 1;", "values": {"x": 1}})
        };
        let trace: Vec<Value> = (1..=2500).map(step).collect();
        let log = sarif(
            &json!({"verdict": "error", "version": "0.1.0", "warnings": ["careful"],
                    "error": {"message": "assertion `x` failed", "file": "a b/ü.c", "line": 7,
                              "function": "f", "inputs": [3, "18446744073709551616"],
                              "trace": trace}}),
            "idiolect verify 'a b/ü.c'",
        );
        check(&log);
        let result = &log["runs"][0]["results"][0];
        assert_eq!(result["ruleId"], "idiolect/error");
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "a%20b/%C3%BC.c");
        let flow = &result["codeFlows"][0];
        assert_eq!(
            flow["message"]["text"],
            "Inputs: 3, 18446744073709551616. 1500 steps in the middle are left out."
        );
        let steps = flow["threadFlows"][0]["locations"].as_array().unwrap();
        assert_eq!(steps.len(), 1000);
        assert_eq!(steps[0]["state"]["x"]["text"], "1");
        assert_eq!(steps[999]["executionOrder"], 2500);
        assert_eq!(steps[999]["importance"], "essential");
    }

    /// Where a finding is known to the column, that is said; inputs have names.
    #[test]
    fn findings_have_columns_and_inputs_have_names() {
        let first = |outcome: Value| {
            let log = sarif(&outcome, "idiolect");
            check(&log);
            log["runs"][0]["results"][0].clone()
        };
        let region = |result: &Value| result["locations"][0]["physicalLocation"]["region"].clone();
        let named = json!([{"name": "n", "value": "4"}]);
        let step = json!({"file": "a.c", "line": 3, "column": 9, "text": "n = 4", "values": {}});
        let explain = first(json!({"verdict": "error-language",
            "letters": [{"name": "assert", "file": null, "line": null}],
            "witnesses": [{"file": "a.c", "line": 7, "column": 5, "inputs": [4], "named_inputs": named, "trace": [step]}]}));
        assert_eq!(region(&explain), json!({"startLine": 7, "startColumn": 5}));
        let flow = &explain["codeFlows"][0];
        assert_eq!(flow["message"]["text"], "Inputs: n = 4.");
        let place = &flow["threadFlows"][0]["locations"][0]["location"]["physicalLocation"];
        assert_eq!(place["region"]["startColumn"], 9);
        let repair = first(
            json!({"verdict": "repaired", "repairs": [{"file": "a.c", "line": 2, "kind": "constant",
            "before": "n > 0", "after": "n >= 0",
            "patch": "--- a.c\n+++ a.c\n@@ -2 +2 @@\n-  while (n > 0)\n+  while (n >= 0)\n"}]}),
        );
        assert_eq!(region(&repair), json!({"startLine": 2, "startColumn": 10}));
        // Results that differ are findings, also where the words are the same.
        let side =
            |result: u64| json!({"result": result, "stdout": "", "word": [], "trace": [step]});
        let parted = first(json!({"verdict": "different", "different_for": [
            {"inputs": [4], "named_inputs": named, "old": side(0), "new": side(1)}]}));
        assert_eq!(parted["ruleId"], "idiolect/different");
        assert_eq!(
            parted["message"]["text"],
            "On the same inputs the result was 0 and is 1. Inputs: n = 4."
        );
        assert_eq!(region(&parted), json!({"startLine": 3, "startColumn": 9}));
    }

    #[test]
    fn every_kind_of_finding_keeps_to_the_rules() {
        let outcomes = [
            json!({"verdict": "fault", "error": {"kind": "null", "file": "/t/x.c", "line": 1},
                   "trace": [{"file": "/t/x.c", "line": 1, "text": "*p", "decision": 1}]}),
            json!({"verdict": "error-language", "guarantee": {"text": "Exact."},
                   "letters": [{"name": "assert", "file": "x.c", "line": 4}],
                   "witnesses": [{"word": ["f"], "trace": [{"file": "x.c", "line": 3}]}, {}]}),
            json!({"verdict": "relevant", "relevant": [
                {"file": "x.c", "line": 3, "text": "y = 0;", "blocking_value": 1}, {"line": 0},
                {"file": "x.c", "line": 4, "text": "i++", "passes": false, "shown": false}]}),
            json!({"verdict": "violates", "violations": [
                {"file": "t.trace", "line": 9, "scenario": ["open"], "nearest": ["open", "close"]}]}),
            json!({"verdict": "different", "gained": {"witnesses": [
                {"word": ["f"], "trace": [{"file": "x.c", "line": 3}]}]}}),
            json!({"verdict": "repaired", "repairs": [
                {"file": "x.c", "line": 3, "before": "i < n", "after": "i <= n",
                 "replacement": {"first_line": 3, "lines": 1, "text": "i <= n\n"}}]}),
        ];
        let rules = outcomes.map(|outcome| {
            let log = sarif(&outcome, "idiolect");
            check(&log);
            let results = log["runs"][0]["results"].as_array().unwrap().clone();
            let rules = results
                .iter()
                .map(|r| r["ruleId"].as_str().unwrap().to_owned());
            rules.collect::<Vec<_>>().join(" ")
        });
        assert_eq!(
            rules,
            [
                "idiolect/fault",
                "idiolect/ways-to-fail",
                "idiolect/relevant idiolect/relevant",
                "idiolect/violation",
                "idiolect/different",
                "idiolect/repair"
            ]
        );
    }

    /// A line that moves is the same finding; the same statement twice is two.
    #[test]
    fn fingerprints_stay_when_lines_move() {
        let prints = |outcome: Value| -> Vec<String> {
            let log = sarif(&outcome, "idiolect");
            check(&log);
            let results = log["runs"][0]["results"].as_array().unwrap().clone();
            let print = |r: &Value| {
                r["partialFingerprints"]["idiolect/v1"]
                    .as_str()
                    .map(str::to_owned)
            };
            results.iter().filter_map(print).collect()
        };
        let error = |line: u64, function: &str| {
            json!({"verdict": "error", "error": {"message": "assertion `x` failed", "file": "a.c",
                   "line": line, "column": 5, "function": function}})
        };
        assert_eq!(prints(error(7, "f")), prints(error(90, "f")));
        assert_ne!(prints(error(7, "f")), prints(error(7, "g")));
        let twins = json!({"relevant": [{"file": "a.c", "line": 1, "text": "i++"},
                                        {"file": "a.c", "line": 2, "text": "i++"}]});
        let found = prints(twins);
        assert!(
            found[0].ends_with(":1") && found[1].ends_with(":2"),
            "{found:?}"
        );
        let log = sarif(&error(7, "f"), "idiolect");
        let region = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
        assert_eq!(region, &json!({"startLine": 7, "startColumn": 5}));
        assert!(log["runs"][0]["tool"]["driver"]["rules"][5]["help"]["text"].is_string());
    }

    #[test]
    fn a_difference_is_where_its_run_ends() {
        let outcome = json!({"verdict": "different", "gained": {"witnesses": [
            {"word": ["f", "g"], "inputs": [1], "trace": [{"file": "n.c", "line": 3}, {"file": null}]}]},
            "lost": {"states": []}});
        let log = sarif(&outcome, "idiolect");
        check(&log);
        let result = &log["runs"][0]["results"][0];
        assert_eq!(
            result["message"]["text"],
            "Only the new version does this: f g."
        );
        assert_eq!(
            result["locations"][0]["physicalLocation"]["region"]["startLine"],
            3
        );
    }

    /// A finding without a place cannot be shown beside the code.
    #[test]
    fn ways_to_fail_are_where_the_runs_end() {
        let outcome = json!({"verdict": "error-language", "letters": [{"name": "assert"}],
            "witnesses": [{"trace": [{"file": "x.c", "line": 3}, {"file": "x.c", "line": 9}]}]});
        let log = sarif(&outcome, "idiolect");
        let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(place["region"]["startLine"], 9);
    }

    #[test]
    fn nothing_found_is_a_log_without_results() {
        for outcome in [
            json!({"verdict": "proved"}),
            Value::Null,
            json!({"error": 3}),
        ] {
            let log = sarif(&outcome, "idiolect");
            check(&log);
            assert_eq!(log["runs"][0]["results"], json!([]));
        }
    }
}
