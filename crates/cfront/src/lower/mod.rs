//! From syntax to IR, with C's types and conversions.
//!
//! One [`Lowerer`] takes all units of a program. First every unit's file-level declarations are
//! entered (types, variables with their initial bytes, functions by name), the library's last;
//! then bodies are lowered, the user's all, the library's as they are referred to.
//!
//! | file | idea |
//! |---|---|
//! | `scope` | names and what they stand for |
//! | `types`, `layout`, `pack`, `generic` | types from specifiers and declarators, records |
//! | `body`, `fold` | a function under construction, expressions made small |
//! | `convert`, `operators`, `expr`, `condition`, `lvalue`, `member_bounds` | expressions |
//! | `constant`, `init`, `float` | constants and initializers |
//! | `call`, `intrinsics`, `missing` | calls |
//! | `stmt`, `decl`, `ends`, `function` | statements, local declarations, ends of blocks, bodies |
//! | `ledger` | what the program rests on |
//! | `finish`, `assigned` | from a body to blocks in order; variables read before written |
//! | `link`, `probe`, `prune` | whole programs |
//! | `start`, `parameters`, `environment` | what a program is started with |

mod aliases;
mod assigned;
mod atomics;
mod body;
mod call;
mod call_probe;
mod condition;
mod constant;
pub(crate) mod contract;
mod convert;
mod decl;
mod ends;
mod environment;
mod expr;
mod finish;
mod float;
mod fold;
mod function;
mod generic;
mod init;
mod intrinsics;
mod jumps;
mod layout;
mod ledger;
mod link;
mod lvalue;
mod member_bounds;
mod missing;
mod operators;
mod other_names;
mod overlap;
mod pack;
mod parameters;
pub(crate) mod probe;
mod prune;
mod scope;
mod start;
mod stmt;
mod structures;
mod types;
mod unsequenced;
mod unwind;

use crate::Options;
use crate::ast::TranslationUnit;
use crate::symbols::{Symbol, Symbols};
use body::Body;
use idiolect_base::{Diagnostic, SourceMap};
use idiolect_ir::ctype::{FunctionType, RecordId, Types};
use idiolect_ir::{FuncId, Function, Global, GlobalId, InputSite, Mark, Program, TypeId};
use layout::FoundField;
use link::{External, Object, Subprogram};
use probe::ActiveProbe;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{Scope, SubprogramId};
use types::Common;

struct Unit {
    scope: Scope,
    is_library: bool,
}

/// The state of lowering one program.
struct Lowerer<'a> {
    options: &'a Options,
    sources: &'a SourceMap,
    symbols: &'a Symbols,
    types: Types,
    common: Common,
    diagnostics: Vec<Diagnostic>,
    /// Undeclared names already complained about, by function.
    reported: FxHashSet<(String, Symbol)>,
    units: Vec<Unit>,
    /// The unit whose text is being lowered.
    unit: usize,
    /// Block scopes of the current function.
    scopes: Vec<Scope>,
    body: Body,
    /// More than 0 inside `sizeof` and the like.
    unevaluated: u32,
    /// Compound literals are static here.
    in_static_initializer: bool,
    externals: FxHashMap<Symbol, External>,
    objects: Vec<Object<'a>>,
    subprograms: Vec<Subprogram<'a>>,
    old_style: FxHashMap<SubprogramId, FunctionType>,
    /// Functions that are part of the program, in the order of their ids.
    pending: Vec<SubprogramId>,
    next_pending: usize,
    functions: Vec<Option<Function>>,
    function_of: Vec<Option<SubprogramId>>,
    globals: Vec<Global>,
    strings: FxHashMap<(Vec<u8>, TypeId), GlobalId>,
    /// Some string literal occurs more than once.
    has_equal_literals: bool,
    /// Where the addresses of texts are first compared.
    texts_compared: Option<(idiolect_base::Span, Option<FuncId>)>,
    /// Where `errno` is first looked at, and whether a function of `math.h` may set it.
    errno_used: Option<(idiolect_base::Span, Option<FuncId>)>,
    has_math: bool,
    /// Where addresses of unknown objects are first compared.
    addresses_compared: Option<(idiolect_base::Span, Option<FuncId>)>,
    field_cache: FxHashMap<(RecordId, Symbol), FoundField>,
    /// Complex types, with what their parts are.
    complex_elements: FxHashMap<RecordId, TypeId>,
    /// Traps so far in code that is evaluated.
    n_unmodelled: usize,
    /// The first thing in the initial value of the current static object that is not modelled.
    static_doubt: Option<String>,
    packing: pack::Packing,
    inputs: Vec<InputSite>,
    marks: Vec<Mark>,
    ledger: Vec<ledger::Entry>,
    /// The function that is being lowered.
    current: Option<FuncId>,
    /// Calls of functions so far.
    n_calls: u64,
    probes: Vec<ActiveProbe<'a>>,
    preconditions: Vec<contract::ActivePrecondition<'a>>,
    /// The place whose address is about to be taken.
    pointing_at: Option<idiolect_base::Span>,
    /// Functions that are called and have no body, and what they are called with.
    undefined: Vec<SubprogramId>,
    missing_calls: Vec<missing::MissingCall>,
    /// Some member of a record is `_Atomic`.
    has_atomic_members: bool,
    /// Some variable of the program is `_Thread_local`.
    has_thread_locals: bool,
    /// Variables of the environment that the program asks for, with the pointer to the value of each.
    variables: Vec<(String, GlobalId)>,
}

/// What lowering made of a program; `sources` is left to the caller to move in.
pub(crate) struct Outcome {
    pub program: Option<Program>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Lowers and links all units: the user's, then the library's.
pub(crate) fn lower_program<'a>(
    sources: &'a SourceMap,
    user: &'a [TranslationUnit],
    library: &'a [TranslationUnit],
    symbols: &'a Symbols,
    options: &'a Options,
    probes: Vec<ActiveProbe<'a>>,
    preconditions: Vec<contract::ActivePrecondition<'a>>,
) -> Outcome {
    let mut types = Types::new(options.data_model);
    let common = Common::new(&mut types);
    let units = user
        .iter()
        .map(|_| false)
        .chain(library.iter().map(|_| true));
    let mut lowerer = Lowerer {
        options,
        sources,
        symbols,
        types,
        common,
        diagnostics: Vec::new(),
        reported: FxHashSet::default(),
        units: units
            .map(|is_library| Unit {
                scope: Scope::default(),
                is_library,
            })
            .collect(),
        unit: 0,
        scopes: Vec::new(),
        body: Body::new(),
        unevaluated: 0,
        in_static_initializer: false,
        externals: FxHashMap::default(),
        objects: Vec::new(),
        subprograms: Vec::new(),
        old_style: FxHashMap::default(),
        pending: Vec::new(),
        next_pending: 0,
        functions: Vec::new(),
        function_of: Vec::new(),
        globals: Vec::new(),
        strings: FxHashMap::default(),
        has_equal_literals: false,
        texts_compared: None,
        errno_used: None,
        has_math: false,
        addresses_compared: None,
        field_cache: FxHashMap::default(),
        complex_elements: FxHashMap::default(),
        n_unmodelled: 0,
        static_doubt: None,
        packing: pack::Packing::default(),
        inputs: Vec::new(),
        marks: Vec::new(),
        ledger: Vec::new(),
        current: None,
        n_calls: 0,
        probes,
        preconditions,
        pointing_at: None,
        undefined: Vec::new(),
        missing_calls: Vec::new(),
        has_atomic_members: false,
        has_thread_locals: false,
        variables: Vec::new(),
    };
    for (i, unit) in user.iter().chain(library).enumerate() {
        lowerer.unit = i;
        lowerer.body = Body::new();
        lowerer.declare_unit(&unit.items);
    }
    lowerer.settle_other_names();
    lowerer.spread_doubts();
    lowerer.lower_user_functions();
    lowerer.finish()
}

impl Lowerer<'_> {
    /// All of the user's functions, in the order of the text; then what they refer to.
    fn lower_user_functions(&mut self) {
        for i in 0..self.subprograms.len() {
            let subprogram = &self.subprograms[i];
            let is_marked = subprogram.is_constructor || subprogram.is_destructor;
            let is_wanted = (subprogram.definition).is_some_and(|d| !d.on_demand || is_marked);
            if is_wanted {
                self.function_id(SubprogramId::new(i));
            }
        }
        self.lower_pending();
    }

    fn finish(mut self) -> Outcome {
        let entry = self.find_entry();
        let mut program = None;
        if let Some(entry) = entry {
            let entry = self.function_id(entry);
            self.lower_pending();
            let start = self.start_function(entry);
            self.lower_pending();
            self.lower_undefined(entry);
            self.settle_environment();
            self.settle_literals();
            self.settle_addresses();
            self.settle_errno();
            self.finish_objects();
            self.unplaced_probes();
            program = self.assemble(start, entry);
        } else {
            self.finish_objects();
        }
        if self.diagnostics.iter().any(Diagnostic::is_error) {
            program = None;
        }
        Outcome {
            program,
            diagnostics: self.diagnostics,
        }
    }

    fn unplaced_probes(&mut self) {
        for probe in std::mem::take(&mut self.probes) {
            if !probe.is_placed {
                let message = format!("no statement starts at {}:{}", probe.file, probe.line);
                let help = "a predicate is looked at before the first statement that starts on its \
                            line; give the line and the file of one";
                let span = idiolect_base::Span::NOWHERE;
                let diagnostic = Diagnostic::error("c::no-statement", span, message);
                self.diagnostics.push(diagnostic.with_help(help));
            }
        }
    }

    fn assemble(&mut self, start: FuncId, entry: FuncId) -> Option<Program> {
        let functions: Option<Vec<Function>> =
            std::mem::take(&mut self.functions).into_iter().collect();
        let mut program = Program {
            sources: SourceMap::new(),
            types: std::mem::replace(&mut self.types, Types::new(self.options.data_model)),
            globals: std::mem::take(&mut self.globals),
            functions: functions?,
            inputs: std::mem::take(&mut self.inputs),
            marks: std::mem::take(&mut self.marks),
            assumptions: Vec::new(),
            start,
            entry,
        };
        if !self.options.is_process {
            unwind::eliminate(&mut program);
        }
        ledger::settle(&mut program, std::mem::take(&mut self.ledger));
        if !self.options.free_globals {
            ledger::initial_values(&mut program);
        }
        prune::prune_types(&mut program);
        Some(program)
    }
}
