//! A mined specification and C source: the monitor that is read with the program, and what a run that breaks it
//! did, judged by its trace as `check` judges it.

pub mod lives;

use crate::args::CArgs;
use crate::failure::CommandFailure;
use idiolect_base::{Budget, Place, SourceId, SourceMap, Span};
use idiolect_cfront::ast::Item as SourceItem;
use idiolect_cfront::parser;
use idiolect_cfront::symbols::Symbols;
use idiolect_interp::{
    CompileOptions, Compiled, DrawnInput, FixedInputs, Machine, Observer, RunOptions, Value, View,
    ZeroInputs,
};
use idiolect_ir::{Assumption, AssumptionKind, FuncId, LocalKind, Program, Ty};
use idiolect_mine::trace::TraceFormat;
use idiolect_mine::{
    CallOrEnd, LifeChecker, LifeViolation, MinedSpecification, MonitorConfig, ProgramMonitor,
    SpecificationError, for_each_item, for_program,
};
use idiolect_outcome::results::{BrokenLife, CheckedSpecification};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

/// Before the names of functions that stand in for those of the API.
const MONITORED: &str = "__idiolect_spec_";
const SEEN: &str = "__idiolect_spec__seen_";
const END: &str = "__idiolect_spec__end";
const BROKEN: &str = "__idiolect_spec__broken";

/// The monitor of `--spec` for these sources, not yet preprocessed.
pub fn monitor(
    args: &CArgs,
    path: &Path,
    sources: &SourceMap,
    ids: &[SourceId],
) -> Result<String, CommandFailure> {
    let spec = read(path)?;
    Ok(written(args, &spec, defined(sources, ids)).text)
}

/// A specification that `mine` wrote.
pub fn read_spec(path: &Path) -> Result<MinedSpecification, CommandFailure> {
    let bytes = crate::reading::bytes(path, crate::reading::LARGE)?;
    MinedSpecification::read(&String::from_utf8_lossy(&bytes)).map_err(|error| {
        let line = match error {
            SpecificationError::NotASpecification { line, .. } => line.max(1),
            _ => 1,
        };
        CommandFailure::BadFile {
            code: "check::bad-specification",
            message: error.to_string(),
            place: Some(Place {
                file: path.display().to_string(),
                line,
                column: 1,
            }),
            help: "give a file that `idiolect mine --spec` wrote".to_owned(),
        }
    })
}

/// A specification with rules about objects.
fn read(path: &Path) -> Result<MinedSpecification, CommandFailure> {
    let spec = read_spec(path)?;
    if !spec.lives.rules.is_empty() {
        Ok(spec)
    } else {
        Err(CommandFailure::usage(
            format!(
                "`--spec {}` has no rules about objects, so there is nothing to check",
                path.display()
            ),
            "mine more traces, with an API file that says which attributes are of which kind",
        ))
    }
}

fn written(args: &CArgs, spec: &MinedSpecification, defined: BTreeSet<String>) -> ProgramMonitor {
    let config = MonitorConfig {
        defined,
        checks_end: args.entry == "main",
        has_handlers: args.files.iter().any(|file| calls_at_exit(file)),
    };
    for_program(spec, &config)
}

fn calls_at_exit(file: &Path) -> bool {
    let bytes = std::fs::read(file).unwrap_or_default();
    let has = |word: &[u8]| bytes.windows(word.len()).any(|part| part == word);
    has(b"atexit") || has(b"on_exit")
}

/// The functions that the sources define.
fn defined(sources: &SourceMap, ids: &[SourceId]) -> BTreeSet<String> {
    let (sources, ids) = (sources.clone(), ids.to_vec());
    parser::with_big_stack(move || {
        let mut symbols = Symbols::new();
        let mut names = BTreeSet::new();
        for id in ids {
            let parsed = parser::parse(&sources, id, &mut symbols);
            for item in &parsed.unit.items {
                if let SourceItem::Function(function) = item
                    && let Some(name) = &function.declarator.name
                    && !sources.in_system_header(name.span)
                {
                    names.insert(symbols.name(name.symbol).to_owned());
                }
            }
        }
        names
    })
}

/// What every answer about the program rests on.
pub fn conventions(args: &CArgs, path: &Path) -> Vec<Assumption> {
    let convention = |text: String| Assumption {
        kind: AssumptionKind::Convention,
        text,
        span: Span::NOWHERE,
        option: Some("--spec".to_owned()),
    };
    let mut all = vec![convention(format!(
        "functions of the API in `{}` do what its declarations say: calls that make or use an object may fail, \
         calls that end one succeed, and no object has the name of an earlier one or a number that the program \
         chose itself (others have 256 and more)",
        path.display()
    ))];
    if args.entry != "main" {
        all.push(convention(format!(
            "objects that are there when `{}` returns are ended later",
            args.entry
        )));
    }
    all
}

/// What is there to say about the specification and the program.
pub struct SpecificationNote {
    pub warnings: Vec<String>,
    /// One line.
    pub text: String,
    pub checked: CheckedSpecification,
}

/// What of a specification is checked in this program.
pub fn about(
    args: &CArgs,
    path: &Path,
    program: &Program,
) -> Result<SpecificationNote, CommandFailure> {
    let spec = read(path)?;
    let functions = || program.functions.iter().map(|f| f.name.as_str());
    let calls: Vec<&str> = functions()
        .filter(|name| !name.starts_with("__idiolect_spec__"))
        .filter_map(|name| name.strip_prefix(MONITORED))
        .filter(|name| *name != "exit")
        .collect();
    let own = functions().filter(|name| !name.starts_with(MONITORED));
    let own: BTreeSet<String> = own.map(str::to_owned).collect();
    let mut warnings = Vec::new();
    if calls.is_empty() {
        warnings.push(
            "the program calls no function that a rule is about: the specification is kept by doing nothing"
                .to_owned(),
        );
    }
    for (name, why) in written(args, &spec, BTreeSet::new()).left_out {
        if own.contains(&name) {
            warnings.push(format!("calls of `{name}` are not followed: {why}"));
        }
    }
    let rules = spec.lives.rules.len();
    let text = format!(
        "specification: {rules} rules about the lives of objects, in every run and for every object; calls of {}",
        if calls.is_empty() {
            "nothing".to_owned()
        } else {
            calls.join(", ")
        }
    );
    let checked = CheckedSpecification {
        file: path.display().to_string(),
        rules,
        calls: calls.into_iter().map(str::to_owned).collect(),
    };
    Ok(SpecificationNote {
        warnings,
        text,
        checked,
    })
}

/// A run that breaks the specification.
pub struct Broken {
    pub message: String,
    pub place: Option<Place>,
    pub text: String,
    pub lives: Vec<BrokenLife>,
}

/// Whether a run ended because it breaks the specification.
pub fn is_break(program: &Program, function: FuncId) -> bool {
    program.function(function).name == BROKEN
}

/// Does the run again, and lets its calls be judged by the rules. `None` if the rules do not object.
pub fn judge(
    path: &Path,
    program: &Arc<Program>,
    inputs: &[DrawnInput],
    budget: &Budget,
) -> Result<Option<Broken>, CommandFailure> {
    let spec = read(path)?;
    let compiled = Compiled::new(program.clone(), &CompileOptions::default());
    let mut seen = Seen::default();
    let values = inputs.iter().map(|input| input.bits).collect();
    Machine::new(&compiled, RunOptions::default()).run(
        &mut FixedInputs::new(values, ZeroInputs),
        &mut seen,
        budget,
    );
    let vocabulary = spec.vocabulary();
    let mut checker = LifeChecker::new(&vocabulary, &spec.lives);
    let text = seen.lines.join("\n");
    let is_cut = !seen.is_over;
    let read = for_each_item(
        &vocabulary,
        text.as_bytes(),
        TraceFormat::Text,
        budget,
        |item| match item {
            CallOrEnd::Interaction(interaction) => checker.add(&interaction),
            CallOrEnd::EndOfRun(_) => checker.end_run(is_cut),
        },
    );
    if read.is_err() {
        return Ok(None);
    }
    let violations = checker.finish().violations;
    // What was forbidden ended the run; at the end, every object that is left over counts.
    let Some(first) = violations.last().filter(|_| is_cut).or(violations.first()) else {
        return Ok(None);
    };
    let places: BTreeMap<u64, String> = (seen.places.iter().enumerate())
        .filter_map(|(at, place)| Some((at as u64 + 1, place.as_ref()?.clone())))
        .collect();
    let shown: Vec<(String, LifeViolation, _)> = (violations.iter())
        .filter(|v| !is_cut || *v == first)
        .map(|v| ("run".to_owned(), v.clone(), places.clone()))
        .collect();
    let place = (first.line.checked_sub(1)).and_then(|at| seen.exact.get(at as usize)?.clone());
    let message = format!("{}: {}: {}", first.kind.name(), first.object, first.what);
    let mut text = String::new();
    for (file, violation, places) in &shown {
        text.push_str(&lives::violation_text(&spec, file, violation, places));
    }
    text.push_str("the calls of this run:\n");
    for (line, place) in seen.lines.iter().zip(&seen.places) {
        let place = place.as_deref().unwrap_or("?");
        let _ = writeln!(text, "  {place}: {line}");
    }
    Ok(Some(Broken {
        message,
        place,
        text,
        lives: lives::broken_lives(&spec, &shown),
    }))
}

/// The calls of the API in a run.
#[derive(Default)]
struct Seen {
    lines: Vec<String>,
    places: Vec<Option<String>>,
    exact: Vec<Option<Place>>,
    /// Where each call that has not returned was made, if it is one of the API.
    open: Vec<Option<Place>>,
    is_over: bool,
}

impl Observer for Seen {
    const CALLS: bool = true;

    fn called(&mut self, view: &View<'_>, callee: FuncId, arguments: &[Value]) {
        let program = view.program();
        let name = &program.function(callee).name;
        self.is_over |= name == END;
        let mut place = None;
        if let Some(call) = name.strip_prefix(SEEN) {
            self.lines.push(line(program, callee, call, arguments));
            let site = self.open.iter().rev().find_map(Clone::clone);
            let text = site
                .as_ref()
                .map(|p: &Place| format!("{}:{}", p.file, p.line));
            self.places.push(text);
            self.exact.push(site);
        } else if name.starts_with(MONITORED) {
            place = program.sources.place(view.place().span);
            // A call of one of these by another is no call of the program.
            place = place.filter(|place| !place.file.starts_with('<'));
        }
        self.open.push(place);
    }

    fn returned(&mut self, _: &View<'_>, _: Option<Value>) {
        self.open.pop();
    }

    fn unwound(&mut self, depth: usize) {
        self.open.truncate(depth);
    }
}

/// A call as it is in a trace.
fn line(program: &Program, function: FuncId, name: &str, arguments: &[Value]) -> String {
    let function = program.function(function);
    let mut text = format!("{name}(");
    let mut comma = "";
    for (&parameter, &value) in function.params.iter().zip(arguments) {
        let local = function.local(parameter);
        if local.kind != LocalKind::Parameter {
            continue;
        }
        let shown = match local.name.as_str() {
            "idiolect_result" => "return",
            name => name,
        };
        let _ = write!(text, "{comma}{shown} = {}", show(value));
        comma = ", ";
    }
    text.push(')');
    text
}

fn show(value: Value) -> String {
    match value.ty {
        Ty::Ptr if value.bits == 0 => "0".to_owned(),
        Ty::Int(width) => {
            let shift = 128 - u32::from(width);
            (((value.bits << shift) as i128) >> shift).to_string()
        }
        _ => format!("{:#x}", value.bits),
    }
}
