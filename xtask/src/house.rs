//! `cargo xtask house`: the house in numbers. Crates and what they see, lines of library code, long files and
//! functions, public items without a word, names that stand for several types, and words that we do not use.
//! A test keeps to [`LIMITS`]; they may only go down.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is counted, the most that is allowed, and what is wanted in the end.
pub const LIMITS: &[Limit] = &[
    limit("lines of the longest file", 900, 900),
    limit("functions over 120 lines", 1, 1),
    limit("lines of `invariants`", 12_000, 12_000),
    limit("lines of `cli`", 9_000, 9_000),
    limit("type names for several things", 69, 0),
    limit("public items without docs", 870, 0),
    limit("words that we do not use", 0, 0),
    limit("`match` on a boolean", 0, 0),
];

/// Wordings that we replaced, and by what. The glossary has one word for each thing.
const WORDS: &[(&str, &str)] = &[
    ("how manieth", "its n-th execution"),
    (
        "memory that there is was nearly used up",
        "nearly out of memory",
    ),
    ("is not done with", "timed out on"),
    ("writes out what", "inlines the functions that"),
    (
        "decisions that were taken for infeasible",
        "say what is not modelled",
    ),
    ("comes right after it\"", "the formula is not elastic"),
];

#[derive(Clone, Copy, Debug)]
pub struct Limit {
    pub what: &'static str,
    pub most: usize,
    pub wanted: usize,
}

const fn limit(what: &'static str, most: usize, wanted: usize) -> Limit {
    Limit { what, most, wanted }
}

/// A function and its length.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Long {
    pub lines: usize,
    pub place: String,
}

/// Everything that is counted.
#[derive(Clone, Default, Debug)]
pub struct House {
    /// Each crate with those it sees.
    pub edges: BTreeMap<String, Vec<String>>,
    pub lines: BTreeMap<String, usize>,
    pub files: Vec<Long>,
    pub functions: Vec<Long>,
    pub undocumented: Vec<String>,
    pub types: BTreeMap<String, Vec<String>>,
    pub words: Vec<String>,
    pub boolean_matches: usize,
}

impl House {
    pub fn read() -> Result<Self, Box<dyn std::error::Error>> {
        let mut house = Self {
            edges: edges()?,
            ..Self::default()
        };
        let root = crate::root();
        let mut files = Vec::new();
        for folder in std::fs::read_dir(root.join("crates"))? {
            rust_files(&folder?.path().join("src"), &mut files)?;
        }
        files.sort();
        for file in &files {
            let text = std::fs::read_to_string(file)?;
            let name = file.strip_prefix(&root).unwrap_or(file);
            house.add(&name.display().to_string(), &text);
        }
        house.look_for_words(&root)?;
        house.files.sort_by(|a, b| b.cmp(a));
        house.functions.sort_by(|a, b| b.cmp(a));
        house.types.retain(|_, places| places.len() > 1);
        Ok(house)
    }

    /// Library code of a file, without its tests.
    fn add(&mut self, file: &str, text: &str) {
        let lines: Vec<&str> = text.lines().collect();
        self.files.push(Long {
            lines: lines.len(),
            place: file.to_owned(),
        });
        let tests = lines
            .windows(2)
            .position(|two| two[0] == "#[cfg(test)]" && two[1].starts_with("mod tests"));
        let own = &lines[..tests.unwrap_or(lines.len())];
        let owner = file.split('/').nth(1).unwrap_or("").to_owned();
        *self.lines.entry(owner).or_default() += own.len();
        for (at, line) in own.iter().enumerate() {
            let item = item(line);
            match item {
                Some((_, "fn", name)) => {
                    let length = length_of(&lines, at);
                    if length > 80 {
                        self.functions.push(Long {
                            lines: length,
                            place: format!("{file}:{} {name}", at + 1),
                        });
                    }
                }
                Some((true, _, name)) => {
                    let place = format!("{file}:{}", at + 1);
                    self.types.entry(name.to_owned()).or_default().push(place);
                }
                _ => {}
            }
            if matches!(item, Some((true, ..))) && !is_documented(own, at) {
                self.undocumented.push(format!("{file}:{}", at + 1));
            }
            self.boolean_matches += usize::from(line.trim_start().starts_with("true => "));
        }
    }

    fn look_for_words(&mut self, root: &Path) -> std::io::Result<()> {
        let mut files = Vec::new();
        for folder in ["crates", "docs"] {
            text_files(&root.join(folder), &mut files)?;
        }
        files.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|f| root.join(f)));
        files.sort();
        for file in files {
            let Ok(text) = std::fs::read_to_string(&file) else {
                continue;
            };
            let name = file.strip_prefix(root).unwrap_or(&file).display();
            for (number, line) in text.lines().enumerate() {
                for (word, instead) in WORDS {
                    if line.contains(word) {
                        let place = format!("{name}:{}: `{word}`: {instead}", number + 1);
                        self.words.push(place);
                    }
                }
            }
        }
        Ok(())
    }

    /// What a limit counts.
    pub fn count(&self, what: &str) -> usize {
        let lines = |name: &str| self.lines.get(name).copied().unwrap_or(0);
        match what {
            "lines of the longest file" => self.files.first().map_or(0, |file| file.lines),
            "functions over 120 lines" => self.functions.iter().filter(|f| f.lines > 120).count(),
            "lines of `invariants`" => lines("invariants"),
            "lines of `cli`" => lines("cli"),
            "type names for several things" => self.types.len(),
            "public items without docs" => self.undocumented.len(),
            "words that we do not use" => self.words.len(),
            "`match` on a boolean" => self.boolean_matches,
            _ => usize::MAX,
        }
    }

    pub fn to_text(&self, everything: bool) -> String {
        let mut text = String::new();
        for (name, sees) in &self.edges {
            let lines = self.lines.get(name).copied().unwrap_or(0);
            let _ = writeln!(text, "{name:<12} {lines:>6} lines  sees {}", sees.join(" "));
        }
        let mut list = |title: &str, rows: Vec<String>| {
            let most = if everything { usize::MAX } else { 12 };
            let _ = writeln!(text, "\n{title}: {}", rows.len());
            for row in rows.iter().take(most) {
                let _ = writeln!(text, "  {row}");
            }
            if rows.len() > most {
                let _ = writeln!(text, "  … {} more (--all)", rows.len() - most);
            }
        };
        let long = |long: &Long| format!("{:>4} {}", long.lines, long.place);
        let files = self.files.iter().filter(|f| f.lines > 600);
        list("files over 600 lines", files.map(long).collect());
        list(
            "functions over 80 lines",
            self.functions.iter().map(long).collect(),
        );
        list("public items without docs", self.undocumented.clone());
        let types = self.types.iter();
        list(
            "type names for several things",
            types
                .map(|(name, places)| format!("{name}: {}", places.join(", ")))
                .collect(),
        );
        list("words that we do not use", self.words.clone());
        let _ = writeln!(text, "\nlimits:");
        for limit in LIMITS {
            let now = self.count(limit.what);
            let mark = if now > limit.most { "  TOO MUCH" } else { "" };
            let _ = writeln!(
                text,
                "  {:<32} {now:>6} of {:>6}, {:>6} wanted{mark}",
                limit.what, limit.most, limit.wanted
            );
        }
        text
    }

    /// The limits that do not hold.
    pub fn troubles(&self) -> Vec<String> {
        let over = LIMITS.iter().filter(|l| self.count(l.what) > l.most);
        over.map(|l| format!("{}: {} of {}", l.what, self.count(l.what), l.most))
            .collect()
    }
}

/// Prints it, and says whether the limits hold.
#[allow(clippy::print_stdout)]
pub fn run(everything: bool) -> Result<bool, Box<dyn std::error::Error>> {
    let house = House::read()?;
    println!("{}", house.to_text(everything));
    Ok(house.troubles().is_empty())
}

fn edges() -> Result<BTreeMap<String, Vec<String>>, Box<dyn std::error::Error>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(crate::root())
        .output()?;
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let short = |name: &Value| name.as_str()?.strip_prefix("idiolect-").map(str::to_owned);
    let mut edges = BTreeMap::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = if package["name"] == "idiolect" {
            "cli".to_owned()
        } else if let Some(name) = short(&package["name"]) {
            name
        } else {
            continue;
        };
        let all = package["dependencies"].as_array().into_iter().flatten();
        let normal = all.filter(|dependency| dependency["kind"].is_null());
        let mut sees: Vec<String> = normal.filter_map(|d| short(&d["name"])).collect();
        sees.sort();
        edges.insert(name, sees);
    }
    Ok(edges)
}

/// Whether it is public, what it is, and its name, if an item begins on this line.
fn item(line: &str) -> Option<(bool, &str, &str)> {
    let mut words = line.trim_start();
    let is_public = words.starts_with("pub ");
    words = words.strip_prefix("pub ").unwrap_or(words);
    for narrow in ["pub(crate) ", "pub(super) "] {
        words = words.strip_prefix(narrow).unwrap_or(words);
    }
    for qualifier in ["const ", "async ", "unsafe "] {
        let rest = words.strip_prefix(qualifier);
        words = rest.filter(|rest| rest.contains("fn ")).unwrap_or(words);
    }
    let (kind, rest) = words.split_once(' ')?;
    if !["fn", "struct", "enum", "trait", "type"].contains(&kind) {
        return None;
    }
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
    let name = &rest[..end.unwrap_or(rest.len())];
    (!name.is_empty()).then_some((is_public, kind, name))
}

/// To the brace that closes it: formatted code has it under the first letter.
fn length_of(lines: &[&str], at: usize) -> usize {
    let indent = &lines[at][..lines[at].len() - lines[at].trim_start().len()];
    let closing = format!("{indent}}}");
    for (after, line) in lines[at..].iter().enumerate() {
        let ends_here = after == 0 && (line.ends_with('}') || line.ends_with(';'));
        let is_declared = line.starts_with(&format!("{indent})")) && line.ends_with(';');
        if *line == closing || ends_here || is_declared {
            return after + 1;
        }
    }
    0
}

fn is_documented(lines: &[&str], at: usize) -> bool {
    let before = lines[..at].iter().rev().map(|line| line.trim_start());
    let mut before = before.skip_while(|line| {
        line.starts_with("#[") || line.starts_with(')') || line.starts_with(']')
    });
    before.next().is_some_and(|line| line.starts_with("///"))
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    files_below(folder, &["rs"], found)
}

fn text_files(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    files_below(folder, &["rs", "md"], found)
}

fn files_below(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files_below(&path, endings, found)?;
        } else if path
            .extension()
            .is_some_and(|e| endings.iter().any(|&w| e == w))
        {
            found.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_types_and_docs_are_seen() {
        let mut house = House::default();
        let body = "    work();\n".repeat(90);
        let text = format!(
            "/// Known.\n#[derive(Debug)]\npub struct A;\npub enum B {{}}\nimpl A {{\n    \
             pub const fn long(&self) {{\n{body}    }}\n    fn short() {{}}\n}}\n\
             #[cfg(test)]\nmod tests {{\n    pub struct C;\n}}\n"
        );
        house.add("crates/x/src/a.rs", &text);
        house.add("crates/x/src/b.rs", "pub struct A;\n");
        assert_eq!(house.functions.len(), 1);
        assert_eq!(house.functions[0].lines, 92);
        assert_eq!(house.functions[0].place, "crates/x/src/a.rs:6 long");
        assert_eq!(
            house.undocumented,
            [
                "crates/x/src/a.rs:4",
                "crates/x/src/a.rs:6",
                "crates/x/src/b.rs:1"
            ]
        );
        let twice: Vec<&String> = (house.types.iter().filter(|(_, p)| p.len() > 1))
            .map(|(name, _)| name)
            .collect();
        assert_eq!(twice, ["A"]);
        assert!(!house.types.contains_key("C"));
    }

    #[test]
    fn the_limits_hold() {
        let house = House::read().expect("the repository can be read");
        assert!(house.lines.len() > 15, "{:?}", house.lines);
        assert_eq!(house.troubles(), Vec::<String>::new());
    }
}
