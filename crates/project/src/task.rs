//! Files of SV-COMP: task definitions, property files and witnesses, read from where they are.

use crate::args::{DataModelArg, PropertyArg};
use crate::failure::CommandFailure;
use crate::reading;
use idiolect_base::Place;
use idiolect_verify::svcomp::{self, FormatError, Violation};
use std::path::{Path, PathBuf};

/// A task definition, with paths as seen from here.
pub struct TaskDefinition {
    pub files: Vec<PathBuf>,
    pub data_model: Option<DataModelArg>,
    property_files: Vec<PathBuf>,
}

/// What a property file asks for.
pub struct PropertyFile {
    pub entry: String,
    pub properties: Vec<PropertyArg>,
}

impl TaskDefinition {
    /// Reads the file.
    pub fn read(path: &Path) -> Result<Self, CommandFailure> {
        let task = read(path, "task::definition", svcomp::Task::parse)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let here = |files: Vec<PathBuf>| files.iter().map(|f| folder.join(f)).collect();
        Ok(Self {
            files: here(task.files),
            data_model: task.data_model.map(DataModelArg::from),
            property_files: here(task.property_files),
        })
    }

    /// The first of its properties that we check; if there is none, what is wrong with the first.
    pub fn property(&self) -> Result<Option<PropertyFile>, CommandFailure> {
        let mut complaint = None;
        for path in &self.property_files {
            match PropertyFile::read(path) {
                Ok(specification) => return Ok(Some(specification)),
                Err(failure) => complaint = complaint.or(Some(failure)),
            }
        }
        complaint.map_or(Ok(None), Err)
    }
}

impl PropertyFile {
    /// Reads the file.
    pub fn read(path: &Path) -> Result<Self, CommandFailure> {
        let read = read(path, "task::property", svcomp::Specification::parse)?;
        Ok(Self {
            entry: read.entry,
            properties: read
                .properties
                .into_iter()
                .filter_map(PropertyArg::of)
                .collect(),
        })
    }
}

/// Reads a violation witness of SV-COMP.
pub fn read_violation(path: &Path) -> Result<Violation, CommandFailure> {
    read(path, "task::witness", Violation::parse)
}

fn read<T>(
    path: &Path,
    code: &'static str,
    parse: impl FnOnce(&str) -> Result<T, FormatError>,
) -> Result<T, CommandFailure> {
    let text = reading::text(path, reading::SMALL)?;
    let file = path.display().to_string();
    parse(&text).map_err(|error| CommandFailure::BadFile {
        code,
        message: match error.line {
            Some(_) => error.message,
            None => format!("`{file}`: {}", error.message),
        },
        place: error.line.map(|line| Place {
            file,
            line,
            column: 1,
        }),
        help: error.help,
    })
}
