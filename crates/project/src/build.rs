//! How a program is built: what people type for their compiler, and compilation databases.

pub mod database;
pub mod flags;
pub mod words;

use crate::failure::CommandFailure;
use clap::Args;
use database::WantedUnits;
use idiolect_ir::ctype::DataModel;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How the files of a program are compiled.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "C input")]
pub struct BuildArgs {
    /// Also look for included files here
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,

    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,

    /// Take files and flags from a compilation database: `compile_commands.json`, or a folder that has one
    #[arg(short = 'p', value_name = "PATH")]
    pub database: Option<PathBuf>,

    /// The files of the database that are compiled for this program or library
    #[arg(long, value_name = "NAME", requires = "database")]
    pub target: Option<String>,

    /// The C compiler that preprocesses, with flags if need be [default: `$CC`, or cc]
    #[arg(long, value_name = "COMMAND")]
    pub cc: Option<String>,

    /// A flag of the compiler. `-std=…`, `-U`, `-include`, `-isystem`, `-iquote`, `-m32`, `-pthread`, `-O…`, `-g`,
    /// `-W…`, `-f…`, `-l…`, `-L…` and `@file` may be written as they are
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    pub compiler_flag: Vec<String>,

    /// Flags of single files, from the compilation database.
    #[arg(skip)]
    pub flags_of: BTreeMap<PathBuf, Vec<String>>,
}

impl BuildArgs {
    /// Reads the flags, and the database if there is one; without names, all of its files are meant. Gives the
    /// data model that they ask for.
    pub fn read(
        &mut self,
        files: &mut Vec<PathBuf>,
        wanted: WantedUnits,
    ) -> Result<Option<DataModel>, CommandFailure> {
        let mut flags = flags::read(&self.compiler_flag, Path::new(""))?;
        if let Some(path) = &self.database {
            let units = database::read(path)?;
            let chosen = database::choose(units, self.target.as_deref(), files, wanted)?;
            for (path, of_file) in chosen {
                flags.data_model = flags.data_model.or(of_file.data_model);
                let named = files.iter().find(|f| database::same_file(f, &path));
                let path = named.cloned().unwrap_or(path);
                self.flags_of.insert(path, of_file.preprocessor);
            }
            if files.is_empty() {
                *files = self.flags_of.keys().cloned().collect();
            }
        }
        self.compiler_flag = flags.preprocessor;
        Ok(flags.data_model)
    }

    /// All flags for the preprocessor that a file gets: the database's first, so that the command line can
    /// say otherwise.
    pub fn flags_for(&self, file: &Path) -> Vec<String> {
        let of_file = self.flags_of.get(file).into_iter().flatten().cloned();
        let defines = self.define.iter().map(|define| format!("-D{define}"));
        let folders = (self.include.iter())
            .flat_map(|folder| ["-I".to_owned(), folder.display().to_string()]);
        (of_file.chain(defines).chain(folders))
            .chain(self.compiler_flag.iter().cloned())
            .collect()
    }
}
