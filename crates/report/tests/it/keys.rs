//! The page and SARIF read keys of the JSON that commands print. Each of them has to be one that
//! `docs/schema/outcome.schema.json` has, which is made from the types of the results: a renamed key breaks this
//! test, and not a page.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Automata are written by `idiolect_automata`, times by phase; neither is in the schema by name.
const BESIDE_THE_SCHEMA: &[&str] = &[
    "accepting",
    "dominating",
    "doomed",
    "final_weight",
    "initial",
    "peak_memory_bytes",
    "relevance",
    "total",
];

/// What the page is given beside the outcome: drawings, packed runs.
const OF_THE_PAGE: &[&str] = &[
    "dot", "graphviz", "high", "low", "n_states", "outcome", "packed", "piece", "problem", "sinks",
    "site", "sites", "title", "views", "wide",
];

/// Names that JavaScript and browsers bring.
const OF_THE_BROWSER: &str = "
    activeElement addEventListener altKey append assign blur buffer charCodeAt childNodes children classList clear click clientHeight
    clientWidth clientX clientY cloneNode closest concat contains createElement createElementNS createTreeWalker ctrlKey
    currentNode dataset defineProperty delete deltaY dispatchEvent entries every exp fill filter findIndex firstChild
    flatMap floor focus forEach get getAttribute getBBox getBoundingClientRect getElementById hasOwn hash highlights hinted
    hypot includes indexOf isArray isFinite isInteger join keys lastChild map matchAll metaKey nextNode offsetTop
    parse pointerId pop prepend preventDefault push querySelector querySelectorAll reduce remove replace replaceAll
    replaceChildren replaceState reverse round scrollHeight scrollIntoView serializeToString set setAttribute setEnd
    setPointerCapture setProperty setStart shiftKey some sort splice split startsWith target test toFixed toLocaleString
    toLowerCase toPrecision toggle trim trimEnd unshift";

/// Members of the scripts' own objects, and more that browsers bring.
const OWN: &str = "
    add apply around flexGrow isReadOff moved pairs view back body bringIntoView camera checkpoint className cls did done download eachValue edge
    edges event find fit fitAgain flat folded frame groups has height hidden href ids inStep index isAccepted
    isPlayable isReplayed isSameText isViolation key known lastKnown left length lineCounts made match max min
    next of onclick open pane parting partner path period pieces raw row scale scene scrollTop series sign
    start starts step style svg tabIndex taken textContent times top type unit watched whole width x y zoom";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Every name of a property in the schema.
fn known() -> BTreeSet<String> {
    fn collect(value: &Value, into: &mut BTreeSet<String>) {
        match value {
            Value::Object(map) => {
                if let Some(Value::Object(properties)) = map.get("properties") {
                    into.extend(properties.keys().cloned());
                }
                map.values().for_each(|v| collect(v, into));
            }
            Value::Array(list) => list.iter().for_each(|v| collect(v, into)),
            _ => {}
        }
    }
    let text = read(&root().join("docs/schema/outcome.schema.json"));
    let schema = serde_json::from_str(&text).expect("JSON");
    let mut names = BTreeSet::new();
    collect(&schema, &mut names);
    names.extend(BESIDE_THE_SCHEMA.iter().map(|&k| k.to_owned()));
    names
}

fn files_of(folder: &str, ending: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == ending));
    files.sort();
    files
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The words of a text, each with what stands right before and right after it.
fn words(text: &str) -> Vec<(&str, &str, &str)> {
    let mut list = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(is_word).map(|n| at + n) {
        let end = text[start..]
            .find(|c| !is_word(c))
            .map_or(text.len(), |n| start + n);
        list.push((&text[..start], &text[start..end], &text[end..]));
        at = end;
    }
    list
}

/// Members that scripts read and that are neither their own nor the browser's.
fn read_by_scripts() -> Vec<(String, String)> {
    let without_comments = |text: String| {
        let lines = text
            .lines()
            .map(|l| l.split("//").next().unwrap_or("").to_owned());
        lines.collect::<Vec<String>>().join("\n")
    };
    let scripts: Vec<(String, String)> = files_of("assets/js", "js")
        .iter()
        .map(|path| (path.display().to_string(), without_comments(read(path))))
        .collect();
    let mut own: BTreeSet<&str> = OF_THE_BROWSER.split_whitespace().collect();
    own.extend(OF_THE_PAGE);
    own.extend(OWN.split_whitespace());
    let mut list = Vec::new();
    for (path, text) in &scripts {
        for (before, word, _) in words(text) {
            let object = before
                .strip_suffix('.')
                .map(|b| b.strip_suffix('?').unwrap_or(b));
            let is_member = object.is_some_and(|o| o.ends_with(|c| is_word(c) || ")]".contains(c)));
            let is_name = word.starts_with(|c: char| c.is_ascii_lowercase());
            if is_member && is_name && !own.contains(word) {
                list.push((path.clone(), word.to_owned()));
            }
        }
    }
    list
}

#[test]
fn the_page_reads_what_outcomes_have() {
    let known = known();
    let read = read_by_scripts();
    let unknown: BTreeSet<_> = read.iter().filter(|(_, k)| !known.contains(k)).collect();
    assert!(unknown.is_empty(), "not in the schema: {unknown:#?}");
    // What is looked for is found: these are read by every page.
    for key in ["verdict", "guarantee", "assumptions", "trace", "witnesses"] {
        assert!(read.iter().any(|(_, k)| k == key), "{key}");
    }
}

/// The part of a file that is not its tests.
fn code(path: &Path) -> String {
    let text = read(path);
    let end = text.find("#[cfg(test)]").unwrap_or(text.len());
    text[..end].to_owned()
}

#[test]
fn sarif_reads_what_outcomes_have() {
    let known = known();
    let mut found = 0;
    for path in files_of("src", "rs") {
        // Made of SARIF, and not of outcomes.
        if path.ends_with("annotations.rs") {
            continue;
        }
        let text = code(&path);
        for (before, word, after) in words(&text) {
            let is_key = (before.ends_with("[\"") && after.starts_with("\"]"))
                || (before.ends_with("list(\"") && after.starts_with("\")"));
            if is_key && !OF_THE_PAGE.contains(&word) {
                found += 1;
                assert!(known.contains(word), "{}: {word}", path.display());
            }
        }
    }
    assert!(found > 30, "only {found} keys were seen");
}

/// What pages are tested with is what commands print.
#[test]
fn samples_have_keys_of_outcomes() {
    // Variables of the program in the samples, and a phase.
    let of_the_program = ["buf", "dirty", "encode", "i", "is_open", "n", "odd"];
    let known = known();
    let text = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/browser/samples.rs"));
    let mut found = 0;
    for (before, word, after) in words(&text) {
        if before.ends_with('"') && after.starts_with("\":") && !of_the_program.contains(&word) {
            found += 1;
            assert!(known.contains(word), "{word}");
        }
    }
    assert!(found > 100, "only {found} keys were seen");
}
