//! What has to hold for any bytes whatsoever. The fuzz targets call these with what they invent,
//! and a plain `cargo test` calls them with every input that ever broke one
//! (`fuzz/regressions/<check>/`).

mod differential;

pub use differential::{c_program, learners};
use idiolect_automata::formats::dot::{self, Missing};
use idiolect_automata::formats::{abbadingo, json};
use idiolect_base::{Budget, SourceMap};
use idiolect_cfront::preprocess::decode;
use idiolect_cfront::symbols::Symbols;
use idiolect_cfront::{Options, ast_dump, compile, parser};
use idiolect_interp::{CompileOptions, Compiled, Machine, NoObserver, RunOptions, ZeroInputs};
use idiolect_ir::{Program, text};
use idiolect_learn::Saved;
use idiolect_mine::trace::TraceFormat;
use idiolect_mine::{
    Api, ApiVocabulary, CheckConfig, Checker, MinedSpecification, MiningConfig, count_trace,
    for_each_run, mine,
};
use idiolect_verify::svcomp::{self, Violation, WitnessInputs};
use std::sync::{Arc, OnceLock};

/// A check of bytes that panics if something is wrong.
pub type Check = fn(&[u8]);

/// All checks, by the names of their folders.
pub const CHECKS: &[(&str, Check)] = &[
    ("c_parse", c_parse),
    ("c_source", c_source),
    ("ir_text", ir_text),
    ("dot", dot),
    ("automaton_json", automaton_json),
    ("abbadingo", abbadingo),
    ("learner_state", learner_state),
    ("trace", trace),
    ("api_file", api_file),
    ("specification", specification),
    ("c_program", c_program),
    ("learners", learners),
    ("task", task),
    ("witness", witness),
];

/// Any text has a syntax tree, which can be shown. Without the rest of the front end this is fast
/// enough to try many texts.
pub fn c_parse(bytes: &[u8]) {
    let mut sources = SourceMap::new();
    let id = sources.add("fuzz.c", decode(bytes.to_vec()));
    let mut symbols = Symbols::new();
    let parsed = parser::parse(&sources, id, &mut symbols);
    ast_dump::dump(&parsed.unit, &symbols);
    for diagnostic in &parsed.diagnostics {
        let place = sources.place(diagnostic.span);
        assert!(place.is_some_and(|p| p.line > 0 && p.column > 0));
    }
}

/// Any text is a program or gets at least one error; a program is well-formed and can be run.
pub fn c_source(bytes: &[u8]) {
    let mut sources = SourceMap::new();
    let id = sources.add("fuzz.c", decode(bytes.to_vec()));
    let lowered = compile(sources, &[id], &Options::default());
    match lowered.program {
        Some(program) => check_program(program),
        None => assert!(
            lowered.diagnostics.iter().any(|d| d.is_error()),
            "a refused program comes with an error"
        ),
    }
}

fn check_program(program: Program) {
    if let Err(problems) = idiolect_ir::verify(&program) {
        let all: Vec<String> = problems.iter().map(ToString::to_string).collect();
        panic!("the front end made a malformed program: {}", all.join("; "));
    }
    run(program);
}

/// Runs a program for a moment: any end will do.
fn run(program: Program) {
    let compiled = Compiled::new(Arc::new(program), &CompileOptions::default());
    let options = RunOptions {
        max_steps: 20_000,
        max_memory: 1 << 24,
        max_frames: 10_000,
        ..RunOptions::default()
    };
    Machine::new(&compiled, options).run(&mut ZeroInputs, &mut NoObserver, &Budget::unlimited());
}

/// What can be read is written and read again to the same text; what is well-formed runs.
pub fn ir_text(bytes: &[u8]) {
    let Ok(program) = text::parse(bytes) else {
        return;
    };
    let once = text::print(&program);
    let again = text::parse(&once).expect("what we write can be read");
    assert_eq!(once, text::print(&again));
    if idiolect_ir::verify(&program).is_ok() {
        run(program);
    }
}

/// Every reader of DOT answers, and what it reads survives writing.
pub fn dot(bytes: &[u8]) {
    let _ = dot::read_nfa(bytes);
    let _ = dot::read_pfsa(bytes);
    let _ = dot::read_moore(bytes);
    let _ = dot::read(bytes, Missing::Reject);
    if let Ok((machine, alphabet)) = dot::read_mealy(bytes) {
        let written = dot::write_mealy(&machine, &alphabet);
        let read = dot::read_mealy(written.as_bytes());
        assert_eq!(read, Ok((machine, alphabet)), "what we write can be read");
    }
    let _ = dot::read_dfa(bytes, Missing::Refuse);
    if let Ok((dfa, alphabet)) = dot::read_dfa(bytes, Missing::Reject) {
        let written = dot::write_dfa(&dfa, &alphabet);
        let (again, _) =
            dot::read_dfa(written.as_bytes(), Missing::Reject).expect("what we write can be read");
        assert_eq!(again.n_states(), dfa.n_states());
    }
}

/// Every automaton in JSON answers.
pub fn automaton_json(bytes: &[u8]) {
    let _ = json::read(bytes);
    let _ = json::read_dfa(bytes);
}

/// Word lists survive writing.
pub fn abbadingo(bytes: &[u8]) {
    if let Ok((words, alphabet)) = abbadingo::read(bytes) {
        let written = abbadingo::write(&words, alphabet.len());
        assert!(abbadingo::read(written.as_bytes()).is_ok());
    }
}

/// A saved learner is restored or refused.
pub fn learner_state(bytes: &[u8]) {
    if let Ok(saved) = serde_json::from_slice::<Saved<bool>>(bytes) {
        let _ = saved.restore_dfa();
    }
}

/// Any bytes are a trace in every format; what is mined from it without a cut is satisfied by it.
pub fn trace(bytes: &[u8]) {
    let api = Api::shipped("socket").expect("it is shipped");
    let vocabulary = ApiVocabulary::new(&api, &[]);
    let config = MiningConfig {
        cut: 0.0,
        ..MiningConfig::default()
    };
    let unlimited = Budget::unlimited();
    for format in [
        TraceFormat::Auto,
        TraceFormat::Text,
        TraceFormat::JsonLines,
        TraceFormat::Strace,
        TraceFormat::Ltrace,
    ] {
        let counted = count_trace(&vocabulary, 4, bytes, format, "p", &unlimited);
        let (mut counts, summary) = counted.expect("reading memory does not fail");
        let n_lines = bytes.iter().filter(|&&b| b == b'\n').count() as u64 + 1;
        assert!(summary.calls + summary.skipped.count <= 2 * n_lines);
        assert_eq!(
            counts.interactions + summary.unknown_calls,
            summary.calls,
            "nothing is lost silently"
        );
        let mined = mine(&vocabulary, &mut counts, &config);
        let spec = MinedSpecification::new(&api, &vocabulary, &mined, 4, 0.0);
        let spec = MinedSpecification::read(&spec.write()).expect("our own file");
        let mut checker = Checker::new(&spec, CheckConfig::default());
        for_each_run(&vocabulary, bytes, format, &unlimited, |run| {
            let checked = checker.check(run);
            assert!(
                checked.violations.iter().all(|v| !v.is_certain),
                "a run violates what was mined from it"
            );
        })
        .expect("reading memory does not fail");
    }
}

/// A specification that can be read is written to the same text again, and any trace can be checked
/// against it.
pub fn specification(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(spec) = MinedSpecification::read(text) else {
        return;
    };
    let written = spec.write();
    let again = MinedSpecification::read(&written).expect("what we write can be read");
    assert_eq!(written, again.write());
    let mut checker = Checker::new(&spec, CheckConfig::default());
    // Runs are read in the specification's own terms.
    let vocabulary = checker.vocabulary().clone();
    let trace: &[u8] = include_bytes!("../../regressions/trace/seed.trace");
    let unlimited = Budget::unlimited();
    for_each_run(&vocabulary, trace, TraceFormat::Auto, &unlimited, |run| {
        checker.check(run);
    })
    .expect("reading memory does not fail");
}

/// An API file that can be read is written so that it can be read again.
pub fn api_file(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match Api::parse(text) {
        Ok(api) => assert_eq!(Api::parse(&api.to_toml()), Ok(api)),
        Err(error) => assert!(!error.message.is_empty() && !error.help.is_empty()),
    }
}

/// A task definition, or the property file of one, is read or refused with a way out.
pub fn task(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    // YAML has more line breaks than most.
    let n_lines = text
        .split(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'])
        .count();
    let refused = [
        svcomp::Task::parse(text).err(),
        svcomp::Specification::parse(text).err(),
    ];
    for error in refused.into_iter().flatten() {
        assert!(!error.message.is_empty() && !error.help.is_empty());
        assert!(
            error
                .line
                .is_none_or(|line| line >= 1 && line as usize <= n_lines + 1)
        );
    }
}

/// A witness that can be read can be followed, wherever it leads.
pub fn witness(bytes: &[u8]) {
    static PROGRAM: OnceLock<Compiled> = OnceLock::new();
    let compiled = PROGRAM.get_or_init(|| {
        let mut sources = SourceMap::new();
        let text = include_str!("../../regressions/c_source/sum.c");
        let id = sources.add("sum.c", text.into());
        let program = compile(sources, &[id], &Options::default()).program;
        let program = program.expect("the seed is a program");
        Compiled::new(Arc::new(program), &CompileOptions::default())
    });
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(violation) = Violation::parse(text) else {
        return;
    };
    let mut inputs = WitnessInputs::new(compiled.program(), &violation, ZeroInputs);
    let options = RunOptions {
        max_steps: 20_000,
        ..RunOptions::default()
    };
    let outcome =
        Machine::new(compiled, options).run(&mut inputs, &mut NoObserver, &Budget::unlimited());
    let used = violation.n_values() - inputs.n_missed();
    assert!(used <= outcome.inputs.len());
}
