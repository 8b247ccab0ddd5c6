//! From files on the command line to one program.

use crate::args::CArgs;
use crate::clock;
use crate::failure::Failure;
use crate::reading;
use crate::render;
use idiolect_base::{Diagnostic, Place, SourceId, SourceMap};
use idiolect_cfront::ast::Item;
use idiolect_cfront::preprocess::{MAX_BYTES, PreprocessError, PreprocessOptions, decode};
use idiolect_cfront::symbols::Symbols;
use idiolect_cfront::{MissingBodies, Options, Probe, compile, parser, preprocess};
use idiolect_ir::{AssumptionKind, Program, Property};
use idiolect_repair::{FrontEnd, Unit};
use std::path::Path;

/// A program and what there is to say about its source.
pub struct Loaded {
    pub program: Program,
    pub diagnostics: Vec<Diagnostic>,
}

impl Loaded {
    /// The warnings, one line each: about the user's source, and about C that we do not model.
    pub fn warnings(&self) -> Vec<String> {
        let sources = &self.program.sources;
        let about_source = self.diagnostics.iter().filter(|d| !d.is_error());
        let unmodelled = (self.program.assumptions.iter())
            .filter(|a| a.kind == AssumptionKind::Unmodelled)
            .map(|gap| {
                let place = sources.place(gap.span);
                let place = place.map_or(String::new(), |p| format!("{}:{}: ", p.file, p.line));
                format!("{place}not modelled: {}", gap.text)
            });
        about_source
            .map(|diagnostic| render::one_line(sources, diagnostic))
            .chain(unmodelled)
            .collect()
    }
}

/// What runs do that come to an assumption of this kind.
pub fn reach(kind: AssumptionKind) -> &'static str {
    match kind {
        AssumptionKind::Bound => "go beyond a bound",
        _ => "reach C that is not modelled",
    }
}

/// The C compiler that preprocesses: `$CC`, or `cc`.
pub fn c_compiler() -> String {
    match std::env::var("CC") {
        Ok(cc) if !cc.trim().is_empty() => cc,
        _ => "cc".to_owned(),
    }
}

const READING: &str = "reading the program";

/// Preprocesses the files and gives their texts, with the originals beside them.
pub fn read_sources(args: &CArgs) -> Result<(SourceMap, Vec<SourceId>), Failure> {
    clock::stage(READING);
    let options = preprocess_options(args);
    let mut sources = SourceMap::new();
    let mut ids = Vec::with_capacity(args.files.len());
    for path in &args.files {
        let (name, text) = match path.as_os_str() == "-" {
            true => ("<stdin>".to_owned(), from_stdin(&options)?),
            false => (path.display().to_string(), from_file(path, &options)?),
        };
        let is_preprocessed = path.extension().is_some_and(|e| e == "i");
        ids.push(match is_preprocessed {
            true => sources.add_file(&name, text),
            false => sources.add(&name, text),
        });
    }
    add_originals(&mut sources);
    Ok((sources, ids))
}

/// How the program of the command line is read.
fn front_end_options(args: &CArgs, probes: Vec<Probe>) -> Options {
    Options {
        data_model: args.data_model(),
        entry: args.entry.clone(),
        probes,
        argc_max: args.max_argc,
        argument_length: args.max_argument_length,
        pointer_elements: args.max_elements,
        assume_nothing: args.assumes_nothing(),
        malloc_may_fail: args.malloc_may_fail,
        missing: match args.is_sv_comp {
            true => MissingBodies::OnlyReturn,
            false => MissingBodies::Anything {
                except: args.pure_functions.clone(),
            },
        },
        faults_count: args.properties().iter().any(|p| *p != Property::Assert),
    }
}

fn preprocess_options(args: &CArgs) -> PreprocessOptions {
    PreprocessOptions {
        cc: c_compiler(),
        include_dirs: args.include.clone(),
        defines: args.define.clone(),
        data_model: args.data_model(),
        budget: clock::budget(),
        ..PreprocessOptions::new(std::env::temp_dir())
    }
}

/// Reads, preprocesses, parses and lowers the program of the command line.
pub fn load(args: &CArgs, probes: Vec<Probe>) -> Result<Loaded, Failure> {
    let (sources, ids) = read_sources(args)?;
    lowered(sources, &ids, &front_end_options(args, probes))
}

fn lowered(sources: SourceMap, ids: &[SourceId], options: &Options) -> Result<Loaded, Failure> {
    let lowered = compile(sources, ids, options);
    clock::stage("");
    match lowered.program {
        Some(program) => Ok(Loaded {
            program,
            diagnostics: lowered.diagnostics,
        }),
        None => Err(Failure::Source {
            sources: Box::new(lowered.sources.unwrap_or_default()),
            diagnostics: lowered.diagnostics,
        }),
    }
}

/// The files of a program, which can be compiled again with other texts.
pub struct Units {
    units: Vec<Unit>,
    options: Options,
    preprocess: PreprocessOptions,
}

impl Units {
    pub fn units(&self) -> &[Unit] {
        &self.units
    }
}

impl FrontEnd for Units {
    fn compile(&self, texts: &[&str]) -> Option<Program> {
        let mut sources = SourceMap::new();
        let pairs = self.units.iter().zip(texts);
        let ids: Vec<SourceId> = pairs
            .map(|(unit, text)| sources.add(&unit.file, (*text).to_owned()))
            .collect();
        compile(sources, &ids, &self.options).program
    }

    fn preprocess(&self, unit: usize, text: &str) -> Option<String> {
        let file = &self.units.get(unit)?.file;
        if file.ends_with(".i") {
            return Some(text.to_owned());
        }
        // The file's own folder is where the compiler looks first for `#include "…"`.
        let mut options = self.preprocess.clone();
        let folder = Path::new(file).parent().map(Path::to_path_buf);
        let folder = folder.filter(|f| !f.as_os_str().is_empty());
        options
            .include_dirs
            .insert(0, folder.unwrap_or_else(|| ".".into()));
        preprocess::preprocess_text(file, text.as_bytes(), &options).ok()
    }
}

/// As [`load`], with what is needed to do it again. Standard input and texts that are not UTF-8 cannot
/// be edited, and have no units.
pub fn load_units(args: &CArgs) -> Result<(Loaded, Units), Failure> {
    let (sources, ids) = read_sources(args)?;
    let mut units = Vec::with_capacity(ids.len());
    for (path, &id) in args.files.iter().zip(&ids) {
        let original = match path.as_os_str() == "-" {
            true => None,
            false => String::from_utf8(reading::bytes(path, MAX_BYTES)?).ok(),
        };
        let Some(original) = original else {
            units.clear();
            break;
        };
        units.push(Unit {
            file: path.display().to_string(),
            original,
            preprocessed: sources.source(id).text().to_owned(),
            id,
        });
    }
    let options = front_end_options(args, Vec::new());
    let loaded = lowered(sources, &ids, &options)?;
    let units = Units {
        units,
        options,
        preprocess: preprocess_options(args),
    };
    Ok((loaded, units))
}

/// The functions that the files define, in order. What cannot be parsed is left to [`load`] to
/// complain about.
pub fn function_names(args: &CArgs) -> Result<Vec<String>, Failure> {
    let (sources, ids) = read_sources(args)?;
    Ok(parser::with_big_stack(move || {
        let mut symbols = Symbols::new();
        let mut names = Vec::new();
        for id in ids {
            let parsed = parser::parse(&sources, id, &mut symbols);
            for item in &parsed.unit.items {
                if let Item::Function(function) = item
                    && let Some(name) = &function.declarator.name
                {
                    names.push(symbols.name(name.symbol).to_owned());
                }
            }
        }
        names
    }))
}

fn from_file(path: &Path, options: &PreprocessOptions) -> Result<String, Failure> {
    preprocess::preprocess(path, options).map_err(|error| preprocess_failure(&error))
}

fn from_stdin(options: &PreprocessOptions) -> Result<String, Failure> {
    let bytes = reading::from(
        std::io::stdin().lock(),
        Path::new("<stdin>"),
        options.max_bytes,
    )?;
    preprocess::preprocess_text("<stdin>", &bytes, options)
        .map_err(|error| preprocess_failure(&error))
}

/// Snippets and statements show the user's own lines where the files can still be read.
fn add_originals(sources: &mut SourceMap) {
    let names: Vec<String> = sources.original_names().map(str::to_owned).collect();
    for name in names {
        // `<built-in>` and the like are no files.
        if name.starts_with('<') || name.ends_with(".i") {
            continue;
        }
        // A marker may name anything, devices and pipes that nobody writes to included.
        let is_file = std::fs::metadata(&name).is_ok_and(|data| data.is_file());
        if is_file && let Ok(bytes) = reading::bytes(Path::new(&name), MAX_BYTES) {
            sources.set_original(&name, &decode(bytes));
        }
    }
}

pub fn preprocess_failure(error: &PreprocessError) -> Failure {
    if let PreprocessError::Stopped { reason, .. } = error {
        return Failure::Stopped {
            reason: *reason,
            doing: READING,
        };
    }
    let place = match error {
        PreprocessError::Failed { messages, .. } => messages.first().map(|first| Place {
            file: first.file.clone(),
            line: first.line,
            column: first.column,
        }),
        _ => None,
    };
    let message = match error {
        PreprocessError::Failed { messages, .. } if messages.len() > 1 => {
            let more = messages.len() - 1;
            format!("{error} (and {more} more)")
        }
        _ => error.to_string(),
    };
    Failure::BadFile {
        code: match error {
            PreprocessError::Unreadable { .. } => "cli::cannot-read",
            PreprocessError::NoCompiler { .. } => "c::no-compiler",
            PreprocessError::Failed { .. } => "c::preprocessor",
            PreprocessError::TooLarge { .. } | PreprocessError::Swollen { .. } => "c::too-large",
            PreprocessError::TooSlow { .. } | PreprocessError::Stopped { .. } => {
                "c::preprocessor-too-slow"
            }
            PreprocessError::Binary { .. } => "c::not-text",
        },
        message,
        place,
        help: error
            .help()
            .unwrap_or("check the path and its permissions")
            .to_owned(),
    }
}
