//! From files on the command line to one program.

use crate::args::CArgs;
use crate::build::BuildArgs;
use crate::clock;
use crate::contracts;
use crate::failure::{CommandFailure, reading_help};
use crate::reading;
use crate::render;
use crate::spec;
use idiolect_base::{Diagnostic, Place, SourceId, SourceMap, Span, nearest};
use idiolect_cfront::ast::Item;
use idiolect_cfront::contract::{self, Precondition};
use idiolect_cfront::preprocess::{MAX_BYTES, PreprocessError, PreprocessOptions, decode};
use idiolect_cfront::symbols::Symbols;
use idiolect_cfront::{
    CallProbe, LineProbe, MissingBodies, Options, compile, parser, preprocess, suggest,
};
use idiolect_ir::checks::{CheckOptions, instrument};
use idiolect_ir::ctype::DataModel;
use idiolect_ir::{AssumptionKind, LONGJMP, Program, Property};
use idiolect_repair::{FrontEnd, Unit};
use std::path::{Path, PathBuf};

/// A program and what there is to say about its source.
pub struct Loaded {
    pub program: Program,
    pub diagnostics: Vec<Diagnostic>,
    /// What holds of the entry function's arguments: given, written in the source, or relied on by the code.
    pub contract: Vec<String>,
}

impl Loaded {
    /// The warnings, one line each: about the user's source, and about C that we do not model.
    pub fn warnings(&self) -> Vec<String> {
        self.warnings_except("")
    }

    /// The same for one who runs the program, and so can follow more.
    pub fn warnings_of_run(&self) -> Vec<String> {
        self.warnings_except(LONGJMP)
    }

    fn warnings_except(&self, modelled: &str) -> Vec<String> {
        let sources = &self.program.sources;
        let about_source = self.diagnostics.iter().filter(|d| !d.is_error());
        let unmodelled = (self.program.assumptions.iter())
            .filter(|a| a.kind == AssumptionKind::Unmodelled && a.text != modelled)
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
pub fn read_sources(args: &CArgs) -> Result<(SourceMap, Vec<SourceId>), CommandFailure> {
    read_files(&args.sources(), &args.build, args.data_model())
}

/// The same, without the other options.
pub fn read_files(
    files: &[PathBuf],
    build: &BuildArgs,
    data_model: DataModel,
) -> Result<(SourceMap, Vec<SourceId>), CommandFailure> {
    clock::stage(READING);
    let mut options = preprocess_options(build, data_model);
    let mut sources = SourceMap::new();
    let mut ids = Vec::with_capacity(files.len());
    for path in files {
        options.flags = build.flags_for(path);
        let (name, text) = if path.as_os_str() == "-" {
            ("<stdin>".to_owned(), from_stdin(&options)?)
        } else {
            (path.display().to_string(), from_file(path, &options)?)
        };
        let is_preprocessed = path.extension().is_some_and(|e| e == "i");
        ids.push(if is_preprocessed {
            sources.add_file(&name, text)
        } else {
            sources.add(&name, text)
        });
    }
    add_originals(&mut sources);
    Ok((sources, ids))
}

/// How the program of the command line is read.
fn front_end_options(
    args: &CArgs,
    probes: Vec<LineProbe>,
    preconditions: Vec<Precondition>,
) -> Options {
    Options {
        data_model: args.data_model(),
        entry: args.entry.clone(),
        any_entry: args.any_entry,
        is_process: args.is_process,
        free_globals: args.free_globals,
        preconditions,
        probes,
        calls: Vec::new(),
        argc_max: args.max_argc,
        argument_length: args.max_argument_length,
        pointer_elements: args.max_elements,
        assume_nothing: args.assumes_nothing(),
        malloc_may_fail: args.malloc_may_fail,
        missing: if args.is_sv_comp {
            MissingBodies::OnlyReturn
        } else {
            MissingBodies::Anything {
                except: args.pure_functions.clone(),
            }
        },
        monitor: None,
        faults_count: args.properties().iter().any(|p| *p != Property::Assert),
        shifts_are_checked: args.properties().contains(&Property::Shift),
    }
}

fn preprocess_options(build: &BuildArgs, data_model: DataModel) -> PreprocessOptions {
    PreprocessOptions {
        cc: build.cc.clone().unwrap_or_else(c_compiler),
        data_model,
        budget: clock::budget(),
        ..PreprocessOptions::new(std::env::temp_dir())
    }
}

/// Reads, preprocesses, parses and lowers the program of the command line.
pub fn load(args: &CArgs, probes: Vec<LineProbe>) -> Result<Loaded, CommandFailure> {
    load_listening(args, probes, Vec::new())
}

/// The same with calls that are events.
pub fn load_listening(
    args: &CArgs,
    probes: Vec<LineProbe>,
    calls: Vec<CallProbe>,
) -> Result<Loaded, CommandFailure> {
    let (sources, ids) = read_sources(args)?;
    let preconditions = preconditions(args, &sources)?;
    let mut options = front_end_options(args, probes, preconditions);
    options.calls = calls;
    options.monitor = monitor(args, &sources, &ids)?;
    lowered(args, sources, &ids, &mut options)
}

fn lowered(
    args: &CArgs,
    sources: SourceMap,
    ids: &[SourceId],
    options: &mut Options,
) -> Result<Loaded, CommandFailure> {
    let may_suggest = args.takes_contract && args.entry != "main" && !args.assumes_nothing();
    let again = may_suggest.then(|| sources.clone());
    let mut lowered = compile(sources, ids, options);
    // Where no contract speaks of a pointer, one that the code relies on.
    if let (Some(program), Some(sources)) = (&lowered.program, again) {
        let more = suggest::beside(&options.preconditions, suggest::suggest(program));
        if !more.is_empty() {
            options.preconditions.extend(more);
            lowered = compile(sources.clone(), ids, options);
        }
        if let Some(program) = &mut lowered.program
            && args.explains_contract
        {
            contracts::add_examples(program, &sources, ids, options);
        }
    }
    clock::stage("");
    match lowered.program {
        Some(mut program) => {
            let models = args.sources().split_off(args.files.len());
            program
                .assumptions
                .extend(models.iter().map(|m| modelled(m)));
            if let Some(path) = &args.spec {
                program.assumptions.extend(spec::conventions(args, path));
            }
            let checks = CheckOptions {
                stack_size: args.stack_size,
            };
            instrument(&mut program, &args.properties(), checks);
            let texts = options.preconditions.iter().map(|p| p.text.clone());
            let mut diagnostics = lowered.diagnostics;
            diagnostics.extend(unknown_pure(&program, &args.pure_functions));
            Ok(Loaded {
                program,
                diagnostics,
                contract: texts.collect(),
            })
        }
        None => Err(CommandFailure::Source {
            sources: Box::new(lowered.sources.unwrap_or_default()),
            diagnostics: lowered.diagnostics,
        }),
    }
}

/// Names of `--pure` that the program has not: most likely slips.
fn unknown_pure(program: &Program, names: &[String]) -> Vec<Diagnostic> {
    let known = || program.functions.iter().map(|f| f.name.as_str());
    let unknown = (names.iter()).filter(|name| *name != "all" && !known().any(|own| own == *name));
    let say = |name: &String| {
        let near = nearest(name, known().filter(|own| !own.starts_with("__")));
        let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        let text = format!("`--pure {name}`: the program calls no function `{name}`{near}");
        Diagnostic::warning("cli::pure", Span::NOWHERE, text)
    };
    unknown.map(say).collect()
}

/// What `--spec` adds to the program, preprocessed like its files.
fn monitor(
    args: &CArgs,
    sources: &SourceMap,
    ids: &[SourceId],
) -> Result<Option<String>, CommandFailure> {
    let Some(path) = &args.spec else {
        return Ok(None);
    };
    let text = spec::monitor(args, path, sources, ids)?;
    let mut options = preprocess_options(&args.build, args.data_model());
    if let Some(first) = args.files.first() {
        options.flags = args.build.flags_for(first);
        let folder = first.parent().filter(|f| !f.as_os_str().is_empty());
        options
            .include_dirs
            .insert(0, folder.unwrap_or(Path::new(".")).to_path_buf());
    }
    preprocess::preprocess_text("<specification>", text.as_bytes(), &options)
        .map(Some)
        .map_err(|error| preprocess_failure(&error))
}

/// Functions without a body are what a file says.
fn modelled(path: &Path) -> idiolect_ir::Assumption {
    idiolect_ir::Assumption {
        kind: idiolect_ir::AssumptionKind::MissingBody,
        text: format!(
            "functions without a body do what `{}` has them do",
            path.display()
        ),
        span: idiolect_base::Span::NOWHERE,
        option: Some("--model".to_owned()),
    }
}

/// What holds of the entry function's arguments, by `--assume` or by the source.
fn preconditions(args: &CArgs, sources: &SourceMap) -> Result<Vec<Precondition>, CommandFailure> {
    if !args.takes_contract {
        return Ok(Vec::new());
    }
    let mut texts = args.conditions();
    if args.entry == "main" {
        return match texts.first() {
            None => Ok(Vec::new()),
            Some(text) => Err(CommandFailure::usage(
                format!("`--assume {text}` has no function to be about"),
                "preconditions are of the function that `--entry` names",
            )),
        };
    }
    if texts.is_empty() && !args.assumes_nothing() {
        let originals = (args.files.iter())
            .filter_map(|file| sources.original_text(&file.display().to_string()));
        texts = originals
            .flat_map(|text| contract::written(&text, &args.entry))
            .collect();
    }
    (texts.iter())
        .map(|text| {
            Precondition::read(text).map_err(|message| CommandFailure::BadFile {
                code: "c::contract",
                message: format!("`{text}`: {message}"),
                place: None,
                help: "known are C conditions, `\\valid(a + (0 .. n-1))`, `valid_string(s)`, `\\separated(p, q)` and \
                       `p == \\null || \\valid(p)`"
                    .to_owned(),
            })
        })
        .collect()
}

/// The contract that the code of the entry function relies on.
pub fn suggested_contract(args: &CArgs) -> Result<String, CommandFailure> {
    let mut bare = args.clone();
    bare.takes_contract = false;
    let loaded = load(&bare, Vec::new())?;
    Ok(suggest::acsl(&suggest::suggest(&loaded.program)))
}

/// The files of a program, which can be compiled again with other texts.
pub struct Units {
    units: Vec<Unit>,
    options: Options,
    preprocess: PreprocessOptions,
    build: BuildArgs,
}

impl Units {
    /// The files as they are after preprocessing.
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
        options.flags = self.build.flags_for(Path::new(file));
        let folder = Path::new(file).parent().map(Path::to_path_buf);
        let folder = folder.filter(|f| !f.as_os_str().is_empty());
        options
            .include_dirs
            .insert(0, folder.unwrap_or_else(|| ".".into()));
        let text = preprocess::preprocess_text(file, text.as_bytes(), &options).ok()?;
        Some(with_name(&text, file))
    }
}

/// The preprocessor read a text, and calls it `<stdin>`; people know it by the name of its file.
fn with_name(preprocessed: &str, file: &str) -> String {
    let name = file.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = String::with_capacity(preprocessed.len());
    for line in preprocessed.split_inclusive('\n') {
        if line.starts_with("# ") {
            text.push_str(&line.replacen("\"<stdin>\"", &format!("\"{name}\""), 1));
        } else {
            text.push_str(line);
        }
    }
    text
}

/// As [`load`], with what is needed to do it again. Standard input and texts that are not UTF-8 cannot
/// be edited, and have no units.
pub fn load_units(args: &CArgs) -> Result<(Loaded, Units), CommandFailure> {
    let (sources, ids) = read_sources(args)?;
    let mut units = Vec::with_capacity(ids.len());
    for (path, &id) in args.sources().iter().zip(&ids) {
        let original = if path.as_os_str() == "-" {
            None
        } else {
            String::from_utf8(reading::bytes(path, MAX_BYTES)?).ok()
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
    let preconditions = preconditions(args, &sources)?;
    let mut options = front_end_options(args, Vec::new(), preconditions);
    options.monitor = monitor(args, &sources, &ids)?;
    let loaded = lowered(args, sources, &ids, &mut options)?;
    let units = Units {
        units,
        options,
        preprocess: preprocess_options(&args.build, args.data_model()),
        build: args.build.clone(),
    };
    Ok((loaded, units))
}

/// What a macro stands for after the text of the first file that defines it or includes what does; `None` if none
/// does.
pub fn expansion(args: &CArgs, name: &str) -> Result<Option<String>, CommandFailure> {
    const MARK: &str = "__idiolect_expansion__";
    let mut options = preprocess_options(&args.build, args.data_model());
    for path in args.sources() {
        let is_preprocessed = path.extension().is_some_and(|e| e == "i");
        if is_preprocessed || path.as_os_str() == "-" {
            continue;
        }
        let mut text = reading::bytes(&path, MAX_BYTES)?;
        text.extend(format!("\n{MARK} {name}\n").into_bytes());
        options.flags = args.build.flags_for(&path);
        let folder = path.parent().map(Path::to_path_buf);
        let folder = folder.filter(|f| !f.as_os_str().is_empty());
        options.include_dirs = vec![folder.unwrap_or_else(|| ".".into())];
        let file = path.display().to_string();
        let read = preprocess::preprocess_text(&file, &text, &options);
        let read = read.map_err(|error| preprocess_failure(&error))?;
        // What comes from a system header stands behind a line that says so.
        let found = read.rfind(MARK).map(|at| {
            let rest = read[at + MARK.len()..].lines();
            let own: Vec<&str> = rest.filter(|line| !line.starts_with('#')).collect();
            own.join(" ").trim().to_owned()
        });
        if let Some(found) = found.filter(|found| *found != name) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The functions that the files define, in order. What cannot be parsed is left to [`load`] to
/// complain about.
pub fn function_names(args: &CArgs) -> Result<Vec<String>, CommandFailure> {
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

fn from_file(path: &Path, options: &PreprocessOptions) -> Result<String, CommandFailure> {
    preprocess::preprocess(path, options).map_err(|error| preprocess_failure(&error))
}

fn from_stdin(options: &PreprocessOptions) -> Result<String, CommandFailure> {
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

/// What the user is told when preprocessing fails.
pub fn preprocess_failure(error: &PreprocessError) -> CommandFailure {
    if let PreprocessError::Stopped { reason, .. } = error {
        return CommandFailure::Stopped {
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
    CommandFailure::BadFile {
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
        help: match error {
            PreprocessError::Unreadable { path, .. } => reading_help(path),
            _ => (error.help())
                .unwrap_or("check the path and its permissions")
                .to_owned(),
        },
    }
}
