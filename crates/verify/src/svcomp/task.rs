//! Task definitions (`.yml`) and property files (`.prp`).

use super::FormatError;
use idiolect_ir::Property;
use idiolect_ir::ctype::DataModel;
use serde::Deserialize;
use std::path::PathBuf;

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

/// A task definition. Its paths are seen from its own folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    pub files: Vec<PathBuf>,
    pub data_model: Option<DataModel>,
    pub property_files: Vec<PathBuf>,
}

/// What a property file asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Specification {
    pub entry: String,
    pub properties: Vec<Property>,
}

impl Task {
    pub fn parse(text: &str) -> Result<Self, FormatError> {
        let bad = |message: String, help: &str| Err(FormatError::new(message, None, help));
        let definition: Definition = serde_saphyr::from_str(text).map_err(|error| {
            FormatError::of_yaml(
                &error,
                "a task definition has `format_version`, `input_files`, `properties` and `options`",
            )
        })?;
        let version = &definition.format_version;
        if !version.starts_with("2.") && version != "1.0" {
            return bad(
                format!("format version `{version}` is not known"),
                "versions 1.0, 2.0 and 2.1 are read",
            );
        }
        if let Some(language) = definition.options.language.as_deref().filter(|l| *l != "C") {
            return bad(
                format!("the program is written in {language}"),
                "idiolect reads C",
            );
        }
        let data_model = match definition.options.data_model.as_deref() {
            None => None,
            Some("LP64") => Some(DataModel::Lp64),
            Some("ILP32") => Some(DataModel::Ilp32),
            Some(other) => {
                let message = format!("data model `{other}` is not known");
                return bad(message, "LP64 and ILP32 are");
            }
        };
        let files = match definition.input_files {
            OneOrMany::One(file) => vec![file],
            OneOrMany::Many(files) => files,
        };
        if files.is_empty() {
            return bad(
                "the task has no input files".to_owned(),
                "`input_files` is a path or a list of paths",
            );
        }
        let properties = definition.properties.into_iter();
        Ok(Self {
            files,
            data_model,
            property_files: properties.map(|entry| entry.property_file).collect(),
        })
    }
}

impl Specification {
    /// Reads lines of the form `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
    pub fn parse(text: &str) -> Result<Self, FormatError> {
        let mut entry = None;
        let mut properties = Vec::new();
        let lines = text.lines().zip(1..);
        for (line, number) in lines.filter(|(line, _)| !line.trim().is_empty()) {
            let bad = |message: String| {
                FormatError::new(
                    message,
                    Some(number),
                    "these are checked: `G ! call(reach_error())`, `G valid-deref`, \
                     `G valid-free`, `G valid-memtrack`, `G ! overflow`",
                )
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
                | "G!call(__assert_fail())" => Property::Assert,
                "Gvalid-deref" => Property::Memory,
                "Gvalid-free" => Property::Free,
                "Gvalid-memtrack" => Property::Leak,
                "G!overflow" => Property::Overflow,
                "Gvalid-memcleanup" => {
                    return Err(bad(
                        "memory that is in use when the program ends is not looked for".to_owned(),
                    ));
                }
                _ => return Err(bad(format!("`{formula}` is not checked"))),
            });
        }
        let Some(entry) = entry else {
            return Err(FormatError::new(
                "it has no property",
                None,
                "it should hold a line such as \
                 `CHECK( init(main()), LTL(G ! call(reach_error())) )`",
            ));
        };
        properties.dedup();
        Ok(Self { entry, properties })
    }
}
