//! C text to IR, and every complaint that a user may hear about their source.
//!
//! ```
//! use idiolect_base::SourceMap;
//! use idiolect_cfront::{Options, compile};
//! let mut sources = SourceMap::new();
//! let id = sources.add("a.c", "int main(void) { return 6 * 7; }".into());
//! let compiled = compile(sources, &[id], &Options::default());
//! assert!(compiled.diagnostics.is_empty());
//! assert!(compiled.program.is_some());
//! ```

pub mod ast;
pub mod ast_dump;
mod builtins;
pub mod contract;
mod lexer;
mod library;
mod lower;
pub mod parser;
pub mod preprocess;
pub mod suggest;
pub mod symbols;

use ast::TranslationUnit;
use contract::Precondition;
use idiolect_base::{Diagnostic, SourceId, SourceMap};
use idiolect_ir::Program;
use idiolect_ir::ctype::DataModel;
use symbols::Symbols;

/// How a program is read.
#[derive(Clone, Debug)]
pub struct Options {
    pub data_model: DataModel,
    /// The function that a run starts with.
    pub entry: String,
    /// Where there is no such function, another one will do: somebody only wants to look at the program.
    pub any_entry: bool,
    /// Predicates that are events.
    pub probes: Vec<LineProbe>,
    /// Calls that are events.
    pub calls: Vec<CallProbe>,
    /// So many arguments of `main` are looked at; there may be more.
    pub argc_max: u32,
    /// So many bytes of each argument, and of each value of the environment, are looked at.
    pub argument_length: u32,
    /// So many elements behind a pointer parameter of the entry function are looked at.
    pub pointer_elements: u32,
    /// Nothing is assumed of the entry function's pointers: they may be null.
    pub assume_nothing: bool,
    /// The program is made to be run, within a system that has files, an environment and clocks; no proof can
    /// be made of it.
    pub is_process: bool,
    /// Variables of static lifetime have any values when an entry function other than `main` starts.
    pub free_globals: bool,
    /// What holds of the arguments of an entry function other than `main`.
    pub preconditions: Vec<Precondition>,
    /// `malloc` and its relatives may return null.
    pub malloc_may_fail: bool,
    pub missing: MissingBodies,
    /// Faults are errors, too: a function that may fault is not called back unnoticed.
    pub faults_count: bool,
    /// Shifts that go too far are errors, so nothing needs to be assumed about them.
    pub shifts_are_checked: bool,
    /// C text, preprocessed, that is read like a part of the library. A function `__idiolect_spec_f` of it
    /// is called wherever the program calls `f`; constructors and destructors of it are run.
    pub monitor: Option<String>,
}

/// What functions without a body do beside returning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MissingBodies {
    /// They write what they can reach and call back, except for these, which only return.
    Anything { except: Vec<String> },
    /// All of them only return, by the convention of SV-COMP.
    OnlyReturn,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            data_model: DataModel::Lp64,
            entry: "main".to_owned(),
            any_entry: false,
            probes: Vec::new(),
            calls: Vec::new(),
            argc_max: 3,
            argument_length: 8,
            pointer_elements: 8,
            assume_nothing: false,
            is_process: false,
            free_globals: false,
            preconditions: Vec::new(),
            malloc_may_fail: false,
            missing: MissingBodies::Anything { except: Vec::new() },
            faults_count: false,
            shifts_are_checked: false,
            monitor: None,
        }
    }
}

/// A predicate at a line: `text` is a C expression in the scope of the first statement that starts
/// at this line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineProbe {
    pub file: String,
    pub line: u32,
    pub text: String,
}

/// Calls of a function by name; see [`CallProbe::parse`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallProbe {
    pub function: String,
    /// Of each argument that matters.
    pub arguments: Vec<Option<ValueClass>>,
    /// The event comes after the call, if it returned such a value.
    pub result: Option<ValueClass>,
}

/// A set of numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueClass {
    pub relation: Relation,
    pub value: i128,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    Equal,
    NotEqual,
    Less,
    Greater,
    /// One of the bits is set.
    HasBits,
}

/// A program, if there were no errors, and all complaints.
#[derive(Clone, Debug)]
pub struct Lowered {
    pub program: Option<Program>,
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that the complaints are about, if there is no program to hold them.
    pub sources: Option<SourceMap>,
}

impl Lowered {
    fn with_sources(mut self, sources: SourceMap) -> Self {
        match &mut self.program {
            Some(program) => program.sources = sources,
            None => self.sources = Some(sources),
        }
        self
    }
}

/// Parses preprocessed texts, lowers and links them to one program, with what they use of libc.
pub fn compile(mut sources: SourceMap, ids: &[SourceId], options: &Options) -> Lowered {
    parser::with_big_stack(move || {
        let mut symbols = Symbols::new();
        let mut diagnostics = Vec::new();
        let mut units = Vec::with_capacity(ids.len());
        for &id in ids {
            let parsed = parser::parse(&sources, id, &mut symbols);
            diagnostics.extend(parsed.diagnostics);
            units.push(parsed.unit);
        }
        if diagnostics.iter().any(Diagnostic::is_error) {
            return Lowered {
                program: None,
                diagnostics,
                sources: Some(sources),
            };
        }
        let mut lowered = lower_units(&mut sources, &units, &mut symbols, options);
        lowered.diagnostics.splice(0..0, diagnostics);
        lowered.with_sources(sources)
    })
}

/// Lowers and links parsed units. Call it within [`parser::with_big_stack`].
pub fn lower(
    mut sources: SourceMap,
    units: &[TranslationUnit],
    symbols: &mut Symbols,
    options: &Options,
) -> Lowered {
    lower_units(&mut sources, units, symbols, options).with_sources(sources)
}

/// Preconditions with their parsed texts, in order.
fn active<'a>(
    preconditions: &'a [Precondition],
    units: &'a [TranslationUnit],
) -> Vec<lower::contract::ActivePrecondition<'a>> {
    let mut units = units.iter();
    let mut next = |text: Option<&str>| match text {
        Some(_) => units.next().and_then(lower::probe::unwrap),
        None => None,
    };
    let mut all = Vec::with_capacity(preconditions.len());
    for precondition in preconditions {
        let mut clauses = Vec::with_capacity(precondition.clauses.len());
        for clause in &precondition.clauses {
            let (first, second) = lower::contract::texts(clause);
            let (first, second) = (next(first), next(second));
            clauses.push(lower::contract::ActiveClause {
                clause,
                first,
                second,
            });
        }
        all.push(lower::contract::ActivePrecondition {
            precondition,
            clauses,
        });
    }
    all
}

/// What the files declare by `typedef`.
fn type_names(units: &[TranslationUnit]) -> Vec<symbols::Symbol> {
    let items = units.iter().flat_map(|unit| &unit.items);
    let declarations = items.filter_map(|item| match item {
        ast::Item::Declaration(d) if d.specifiers.storage == Some(ast::Storage::Typedef) => Some(d),
        _ => None,
    });
    let declarators = declarations.flat_map(|d| &d.declarators);
    let names = declarators.filter_map(|d| d.declarator.name);
    names.map(|name| name.symbol).collect()
}

fn lower_units(
    sources: &mut SourceMap,
    units: &[TranslationUnit],
    symbols: &mut Symbols,
    options: &Options,
) -> Lowered {
    let mut diagnostics = Vec::new();
    let mut library = library::parse(sources, symbols, options.is_process, &mut diagnostics);
    if let Some(text) = &options.monitor {
        let id = sources.add("<specification>", text.clone());
        let parsed = parser::parse(sources, id, symbols);
        diagnostics.extend(parsed.diagnostics);
        library.push(parsed.unit);
    }
    let mut probe_units = Vec::with_capacity(options.probes.len());
    for probe in &options.probes {
        let id = sources.add("--event", lower::probe::wrap(&probe.text));
        let parsed = parser::parse(sources, id, symbols);
        diagnostics.extend(parsed.diagnostics);
        probe_units.push(parsed.unit);
    }
    let mut clause_units = Vec::new();
    for clause in options.preconditions.iter().flat_map(|p| &p.clauses) {
        let (first, second) = lower::contract::texts(clause);
        for text in [first, second].into_iter().flatten() {
            let id = sources.add("--assume", lower::probe::wrap_as("--assume", text));
            let mut parsed = parser::parse(sources, id, symbols);
            if parsed.diagnostics.iter().any(Diagnostic::is_error) {
                // A cast may name a type of the program; a parameter may have the name of one.
                let again = parser::parse_knowing(sources, id, symbols, &type_names(units));
                if !again.diagnostics.iter().any(Diagnostic::is_error) {
                    parsed = again;
                }
            }
            diagnostics.extend(parsed.diagnostics);
            clause_units.push(parsed.unit);
        }
    }
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Lowered {
            program: None,
            diagnostics,
            sources: None,
        };
    }
    let probes = options.probes.iter().zip(&probe_units);
    let probes = probes.map(|(probe, unit)| lower::probe::ActiveProbe {
        file: &probe.file,
        line: probe.line,
        text: &probe.text,
        expr: lower::probe::unwrap(unit),
        is_placed: false,
    });
    let preconditions = active(&options.preconditions, &clause_units);
    let outcome = lower::lower_program(
        sources,
        units,
        &library,
        symbols,
        options,
        probes.collect(),
        preconditions,
    );
    diagnostics.extend(outcome.diagnostics);
    if cfg!(debug_assertions)
        && let Some(Err(errors)) = outcome.program.as_ref().map(idiolect_ir::verify)
    {
        let list: Vec<String> = errors.iter().take(5).map(ToString::to_string).collect();
        panic!(
            "lowering made a program that is not well-formed: {}",
            list.join("; ")
        );
    }
    Lowered {
        program: outcome.program,
        diagnostics,
        sources: None,
    }
}
