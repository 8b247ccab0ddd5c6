//! Verification tasks as SV-COMP writes them: task definitions (`.yml`) and property files (`.prp`).

use crate::args::{DataModelArg, PropertyArg};
use crate::failure::Failure;
use idiolect_base::Place;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The parts of a task definition that say how to read the program. Others are nothing to us.
#[derive(Deserialize)]
struct Definition {
    format_version: String,
    input_files: OneOrMany,
    #[serde(default)]
    properties: Vec<PropertyEntry>,
    #[serde(default)]
    options: TaskOptions,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(PathBuf),
    Many(Vec<PathBuf>),
}

#[derive(Deserialize)]
struct PropertyEntry {
    property_file: PathBuf,
}

#[derive(Deserialize, Default)]
struct TaskOptions {
    language: Option<String>,
    data_model: Option<String>,
}

/// A task definition, with paths as seen from here.
pub struct Task {
    pub files: Vec<PathBuf>,
    pub data_model: Option<DataModelArg>,
    property_files: Vec<PathBuf>,
}

/// What a property file asks for.
pub struct Specification {
    pub entry: String,
    pub properties: Vec<PropertyArg>,
}

impl Task {
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let text = read_text(path)?;
        let bad = |message: String, line: u64, help: &str| Failure::BadFile {
            code: "task::definition",
            message,
            place: (line > 0).then(|| Place {
                file: path.display().to_string(),
                line: u32::try_from(line).unwrap_or(u32::MAX),
                column: 1,
            }),
            help: help.to_owned(),
        };
        let definition: Definition = serde_saphyr::from_str(&text).map_err(|error| {
            let line = error.location().map_or(0, |l| l.line());
            bad(
                first_line(&error.to_string()),
                line,
                "a task definition has `format_version`, `input_files`, `properties` and `options`",
            )
        })?;
        if !definition.format_version.starts_with("2.") && definition.format_version != "1.0" {
            return Err(bad(
                format!(
                    "format version `{}` is not known",
                    definition.format_version
                ),
                0,
                "versions 1.0, 2.0 and 2.1 are read",
            ));
        }
        if let Some(language) = definition.options.language.as_deref().filter(|l| *l != "C") {
            return Err(bad(
                format!("the program is written in {language}"),
                0,
                "idiolect reads C",
            ));
        }
        let data_model = match definition.options.data_model.as_deref() {
            None => None,
            Some("LP64") => Some(DataModelArg::Lp64),
            Some("ILP32") => Some(DataModelArg::Ilp32),
            Some(other) => {
                let message = format!("data model `{other}` is not known");
                return Err(bad(message, 0, "LP64 and ILP32 are"));
            }
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let files = match definition.input_files {
            OneOrMany::One(file) => vec![folder.join(file)],
            OneOrMany::Many(files) => files.iter().map(|f| folder.join(f)).collect(),
        };
        if files.is_empty() {
            return Err(bad(
                "the task has no input files".to_owned(),
                0,
                "`input_files` is a path or a list of paths",
            ));
        }
        Ok(Self {
            files,
            data_model,
            property_files: definition
                .properties
                .iter()
                .map(|entry| folder.join(&entry.property_file))
                .collect(),
        })
    }

    /// The first of its properties that we check; if there is none, what is wrong with the first.
    pub fn property(&self) -> Result<Option<Specification>, Failure> {
        let mut complaint = None;
        for path in &self.property_files {
            match Specification::read(path) {
                Ok(specification) => return Ok(Some(specification)),
                Err(failure) => complaint = complaint.or(Some(failure)),
            }
        }
        complaint.map_or(Ok(None), Err)
    }
}

impl Specification {
    /// Reads lines of the form `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        Self::parse(&read_text(path)?, path)
    }

    fn parse(text: &str, path: &Path) -> Result<Self, Failure> {
        let mut entry = None;
        let mut properties = Vec::new();
        let lines = text.lines().enumerate();
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let bad = |message: String| Failure::BadFile {
                code: "task::property",
                message,
                place: Some(Place {
                    file: path.display().to_string(),
                    line: u32::try_from(number + 1).unwrap_or(u32::MAX),
                    column: 1,
                }),
                help: "these are checked: `G ! call(reach_error())`, `G valid-deref`, \
                       `G valid-free`, `G ! overflow`"
                    .to_owned(),
            };
            let compact: String = line.chars().filter(|c| !c.is_whitespace()).collect();
            let parts = compact
                .strip_prefix("CHECK(init(")
                .and_then(|rest| rest.strip_suffix("))"))
                .and_then(|rest| rest.split_once("()),LTL("));
            let Some((function, formula)) = parts else {
                return Err(bad(
                    "expected `CHECK( init(FUNCTION()), LTL(FORMULA) )`".to_owned()
                ));
            };
            if entry.get_or_insert_with(|| function.to_owned()) != function {
                return Err(bad("two lines start in different functions".to_owned()));
            }
            properties.push(match formula {
                "G!call(reach_error())"
                | "G!call(__VERIFIER_error())"
                | "G!call(__assert_fail())" => PropertyArg::Assert,
                "Gvalid-deref" | "Gvalid-free" => PropertyArg::Memory,
                "G!overflow" => PropertyArg::Overflow,
                "Gvalid-memtrack" | "Gvalid-memcleanup" => {
                    return Err(bad(
                        "memory that is never freed is not looked for".to_owned()
                    ));
                }
                _ => return Err(bad(format!("`{formula}` is not checked"))),
            });
        }
        let Some(entry) = entry else {
            return Err(Failure::BadFile {
                code: "task::property",
                message: format!("`{}` has no property", path.display()),
                place: None,
                help: "it should hold a line such as \
                       `CHECK( init(main()), LTL(G ! call(reach_error())) )`"
                    .to_owned(),
            });
        };
        properties.dedup();
        Ok(Self { entry, properties })
    }
}

fn read_text(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|source| Failure::CannotRead {
        path: path.to_owned(),
        source,
    })
}

/// The place is told apart from the message.
fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    let line = line.trim_start_matches("error: ");
    match line.split_once(": ") {
        Some((place, message)) if place.starts_with("line ") => message.to_owned(),
        _ => line.to_owned(),
    }
}
