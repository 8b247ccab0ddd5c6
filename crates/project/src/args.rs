//! Options of all commands that read C.

pub use idiolect_console::args::*;

use crate::build::BuildArgs;
use crate::build::database::WantedUnits;
use crate::failure::CommandFailure;
use crate::task::{PropertyFile, TaskDefinition};
use crate::tests_file;
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use idiolect_ir::checks::CheckOptions;
use idiolect_ir::ctype::DataModel;
use idiolect_ir::property::{PropertyName, error_locations};
use idiolect_ir::{AssumptionKind, Program, Property};
use idiolect_localize::RunCase;
use idiolect_smt::smtlib::FloatText;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// What every command that reads C takes.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "C input")]
pub struct CArgs {
    /// The `.c` or already preprocessed `.i` files of one program; `-` reads standard input; a `.yml`
    /// file is a task definition as SV-COMP has them
    #[arg(required_unless_present = "database", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Sizes of C types [default: that of the task definition, or LP64]
    #[arg(long, value_name = "MODEL")]
    data_model: Option<DataModelArg>,

    /// Ask this program instead of our own solver: a command that reads SMT-LIB 2 from its standard
    /// input, with its arguments, such as `z3 -in`
    #[arg(long, value_name = "COMMAND")]
    pub solver: Option<String>,

    /// Write every question to a solver as SMT-LIB 2, with the answer it got as its status
    #[arg(long, value_name = "FILE.smt2", value_parser = output_file())]
    pub dump_smt2: Option<PathBuf>,

    /// How `--solver` and `--dump-smt2` have arithmetic of floats: as bits, which all solvers read, or in the theory FloatingPoint
    #[arg(long, value_name = "HOW", default_value = "bits")]
    smt_floats: FloatTextArg,

    /// Start here instead of `main`; its parameters are inputs
    #[arg(long, value_name = "FUNCTION", default_value = "main")]
    pub entry: String,

    /// Consider at most this many arguments of `main`, the program's name included; there may be more
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(0..=255))]
    pub max_argc: u32,

    /// Consider at most this many bytes of each argument of `main` and of each environment variable
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=255))]
    pub max_argument_length: u32,

    /// Consider at most this many elements behind each pointer parameter of the entry function
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=255))]
    pub max_elements: u32,

    /// A precondition of the entry function, as ACSL has them: `n >= 0`, `\\valid(a + (0 .. n-1))`, `valid_string(s)`;
    /// repeatable. `nothing` lets pointers be null. For `invariants` conditions on inputs, such as `sorted(a, n)`
    #[arg(long, value_name = "WHAT")]
    pub assume: Vec<String>,

    /// Global variables have any values when the entry function starts, instead of their initial ones
    #[arg(long)]
    pub free_globals: bool,

    /// Print the preconditions that the code of the entry function relies on, as ACSL, and nothing else
    #[arg(long)]
    pub suggest_contract: bool,

    /// This function without a body only returns; `all`: each of them
    #[arg(long = "pure", value_name = "FUNCTION")]
    pub pure_functions: Vec<String>,

    /// C for functions that have no body elsewhere (`.c` or `.i`); repeatable. A file of another kind is where
    /// `verify` writes its learned model
    #[arg(long = "model", value_name = "FILE")]
    pub models: Vec<PathBuf>,

    /// A specification that `mine --spec` wrote: a run whose calls break a rule about the life of an object has an error.
    /// Functions of its API get models
    #[arg(long, value_name = "SPEC")]
    pub spec: Option<PathBuf>,

    /// `malloc` and its relatives may return null
    #[arg(long)]
    pub malloc_may_fail: bool,

    /// The entry function may have a contract.
    #[arg(skip)]
    pub takes_contract: bool,

    /// Suggested preconditions are shown with what happens without them.
    #[arg(skip)]
    pub explains_contract: bool,

    /// Nothing is run: where there is no entry function, another one will do.
    #[arg(skip)]
    pub any_entry: bool,

    /// The program is to run within a system that has files and clocks.
    #[arg(skip)]
    pub is_process: bool,

    /// The conventions of SV-COMP hold: there is a task definition or a property file.
    #[arg(skip)]
    pub is_sv_comp: bool,

    /// What counts as an error, separated by commas [default: that of the task definition, or assert]
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        conflicts_with = "property_file"
    )]
    property: Vec<PropertyArg>,

    /// What counts as an error, as a property file of SV-COMP
    #[arg(long, value_name = "FILE.prp")]
    property_file: Option<PathBuf>,

    /// Bytes that open calls may take together, for `--property stack`
    #[arg(long, value_name = "BYTES", default_value_t = CheckOptions::default().stack_size)]
    pub stack_size: u64,

    #[command(flatten)]
    pub build: BuildArgs,

    /// Show every warning about the source, with its line
    #[arg(long)]
    pub warnings: bool,
}

/// How floats are written for other solvers.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum FloatTextArg {
    Bits,
    Theory,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataModelArg {
    /// 64-bit `long` and pointers
    #[value(name = "LP64", alias = "lp64")]
    Lp64,
    /// 32-bit `int`, `long` and pointers
    #[value(name = "ILP32", alias = "ilp32")]
    Ilp32,
}

impl From<DataModelArg> for DataModel {
    fn from(arg: DataModelArg) -> DataModel {
        match arg {
            DataModelArg::Lp64 => DataModel::Lp64,
            DataModelArg::Ilp32 => DataModel::Ilp32,
        }
    }
}

impl From<DataModel> for DataModelArg {
    fn from(model: DataModel) -> Self {
        match model {
            DataModel::Lp64 => Self::Lp64,
            DataModel::Ilp32 => Self::Ilp32,
        }
    }
}

/// A value of `--property`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PropertyArg(&'static PropertyName);

impl ValueEnum for PropertyArg {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: OnceLock<Vec<PropertyArg>> = OnceLock::new();
        ALL.get_or_init(|| PropertyName::ALL.iter().map(PropertyArg).collect())
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let value = PossibleValue::new(self.0.name).help(self.0.about);
        Some(value.aliases(self.0.alias))
    }
}

impl PropertyArg {
    fn properties(self) -> Vec<Property> {
        self.0.properties.to_vec()
    }

    /// The name of this property alone.
    pub fn of(property: Property) -> Option<Self> {
        let mut names = PropertyName::ALL.iter();
        names.find(|n| n.properties == [property]).map(PropertyArg)
    }
}

/// The assumption that there is none.
const NOTHING: &str = "nothing";

impl CArgs {
    /// How floats are written for other solvers.
    pub fn smt_floats(&self) -> FloatText {
        match self.smt_floats {
            FloatTextArg::Bits => FloatText::Bits,
            FloatTextArg::Theory => FloatText::Theory,
        }
    }

    /// The same with as many arguments of `main`, and as long ones, as these tests need.
    pub fn with_arguments(&self, tests: &[RunCase]) -> CArgs {
        let (most, longest) = tests_file::sizes(tests);
        let mut own = self.clone();
        own.max_argc = own.max_argc.max(most);
        own.max_argument_length = own.max_argument_length.max(longest);
        own
    }

    /// Pointers of the entry function may be null.
    pub fn assumes_nothing(&self) -> bool {
        self.assume.iter().any(|what| what == NOTHING)
    }

    /// What is assumed beside that.
    pub fn conditions(&self) -> Vec<String> {
        let all = self.assume.iter().filter(|what| *what != NOTHING);
        all.cloned().collect()
    }

    /// The properties that are checked of this program. One without any assertion is looked at for faults,
    /// unless something else was asked for; the second part says so.
    pub fn properties_of(&self, program: &Program) -> (Vec<Property>, Option<String>) {
        let is_plain = self.property.is_empty();
        if !is_plain || !error_locations(program, Property::Assert).is_empty() {
            return (self.properties(), None);
        }
        let is_cut = (program.assumptions.iter()).any(|a| a.kind == AssumptionKind::Unmodelled);
        let note = if is_cut {
            "no assertion can be reached before C that is not modelled; what comes before it is \
             looked at for memory and division faults (`--property`)"
        } else {
            "the program has no assertion that could fail, so it is looked at for memory and division faults \
             (`--property`)"
        };
        let properties = vec![
            Property::Assert,
            Property::Memory,
            Property::Free,
            Property::Division,
        ];
        (properties, Some(note.to_owned()))
    }

    /// The chosen properties.
    pub fn properties(&self) -> Vec<Property> {
        if self.property.is_empty() {
            return vec![Property::Assert];
        }
        let mut chosen = Vec::new();
        for property in self.property.iter().flat_map(|arg| arg.properties()) {
            if !chosen.contains(&property) {
                chosen.push(property);
            }
        }
        chosen
    }

    /// The same where memory faults count.
    pub fn with_memory_faults(&self) -> Self {
        let mut other = self.clone();
        other.property = PropertyArg::of(Property::Memory).into_iter().collect();
        other
    }

    /// The same options for another file.
    pub fn with_file(&self, file: PathBuf) -> Self {
        let mut other = self.clone();
        other.files = vec![file];
        other
    }

    /// Sizes of C types.
    pub fn data_model(&self) -> DataModel {
        self.data_model.map_or(DataModel::Lp64, DataModel::from)
    }

    /// The files of the program with those that model what it lacks.
    pub fn sources(&self) -> Vec<PathBuf> {
        let models = self.models.iter().filter(|path| is_c(path));
        self.files.iter().chain(models).cloned().collect()
    }

    /// Where the learned model is written, for the command that learns one.
    pub fn saved_model(&self) -> Option<&PathBuf> {
        self.models.iter().find(|path| !is_c(path))
    }

    /// Refuses files of models that this command can do nothing with.
    pub fn check_models(&self, learns: bool) -> Result<(), CommandFailure> {
        let others: Vec<&PathBuf> = self.models.iter().filter(|path| !is_c(path)).collect();
        let Some(path) = others.first() else {
            return Ok(());
        };
        let message = format!("`--model {}` is no C file", path.display());
        refuse(
            !learns,
            &message,
            "a model of functions without a body is a `.c` or `.i` file",
        )?;
        refuse(
            others.len() > 1,
            &message,
            "the learned model is written to one file",
        )?;
        writable((*path).clone()).map(drop).map_err(|why| {
            let message = format!("`--model {}`: {why}", path.display());
            CommandFailure::usage(message, "give another name")
        })
    }

    /// Reads the flags of the compiler, and the compilation database if there is one.
    pub fn read_build(&mut self) -> Result<(), CommandFailure> {
        let model = self.build.read(&mut self.files, WantedUnits::OneProgram)?;
        self.data_model = self.data_model.or(model.map(DataModelArg::from));
        Ok(())
    }

    /// Puts what a task definition and a property file say in the place of their names. What the
    /// command line says itself goes before.
    pub fn read_task(&mut self) -> Result<(), CommandFailure> {
        let is_task = |path: &PathBuf| path.extension().is_some_and(|e| e == "yml" || e == "yaml");
        let mut task = None;
        if self.files.iter().any(is_task) {
            refuse(
                self.files.len() > 1,
                "a task definition names all files of its program",
                "give the `.yml` file alone, or the C files without it",
            )?;
            let read = TaskDefinition::read(&self.files[0])?;
            self.files.clone_from(&read.files);
            self.data_model = self.data_model.or(read.data_model);
            task = Some(read);
        }
        self.is_sv_comp = task.is_some() || self.property_file.is_some();
        let specification = match (&self.property_file, task) {
            _ if !self.property.is_empty() => None,
            (Some(path), _) => Some(PropertyFile::read(path)?),
            (None, Some(task)) => task.property()?,
            (None, None) => None,
        };
        if let Some(specification) = specification {
            self.property = specification.properties;
            if self.entry == "main" {
                self.entry = specification.entry;
            }
        }
        Ok(())
    }
}

fn is_c(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "c" || e == "i")
}
