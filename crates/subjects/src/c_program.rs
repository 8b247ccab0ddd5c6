//! Learning a C program in the interpreter: a step function, a reset function, and the inputs.
//!
//! A driver is added to the program that resets it and then calls the step function with one input
//! after the other. Each word is one run of the interpreter, which begins with fresh memory or with a snapshot
//! of what it was after the first letters of the word, so a reset that forgets something is no trouble here. What a step prints and returns is its output; a
//! fault is an output too, and nothing comes after it.

use super::active::{ComparisonMethod, LearningEnd, Watched, comparison, drive, only_dfa};
use super::c_solver::{BySolver, Check, DEPTH, Solved};
use super::c_system::CSystem;
use super::earlier::Earlier;
use super::model::LearnedMachine;
use super::show::{LearningEffort, Learnt};
use super::system::alphabet_of;
use super::{CProgramArgs, LearnArgs};
use crate::c_input::{c_compiler, preprocess_failure};
use crate::failure::CommandFailure;
use crate::progress::ProgressLine;
use idiolect_automata::{Alphabet, Mealy};
use idiolect_base::{Budget, Bug, SourceMap, StopReason, nearest};
use idiolect_cfront::preprocess::{self, PreprocessOptions};
use idiolect_cfront::{Options, compile};
use idiolect_interp::{CompileOptions, Compiled, RunOptions};
use idiolect_ir::Program;
use idiolect_ir::ctype::{CType, DataModel, IntKind, Types};
use idiolect_learn::sul::RunCache;
use idiolect_learn::{Counts, EquivalenceOracle, Learner, LearnerKind, StartFrom, WpMethod};
use idiolect_outcome::results::CProgramStatistics;
use std::cell::RefCell;
use std::path::PathBuf;

/// The function that the interpreter starts with.
pub const DRIVER: &str = "idiolect_learn_driver";
/// The input that says which letter comes next.
pub const LETTER: &str = "__VERIFIER_nondet_idiolect_letter";
/// What ends a step, and what comes before the value that it returns.
pub const END: char = '\u{1}';
pub const VALUE: char = '\u{2}';
/// What every step after the last one answers.
pub const ENDED: &str = "(ended)";

/// Learns a C program: each letter is a call of its step function.
pub fn learn(
    args: &LearnArgs,
    kind: LearnerKind,
    budget: &Budget,
) -> Result<Learnt, CommandFailure> {
    only_dfa(kind)?;
    let mut alphabet = alphabet_of(&args.system.alphabet)?;
    let earlier = Earlier::read(args, &mut alphabet)?.map(|(earlier, _)| earlier);
    let old = earlier.as_ref().map(Earlier::mealy).transpose()?;
    let c = &args.c_program;
    let files = read(c)?;
    let functions = Functions::find(c, &files)?;
    let program = build(&files, &functions.driver(&alphabet))?;
    let compiled = Compiled::new(program.into(), &CompileOptions::default());
    let options = RunOptions {
        max_steps: c.max_steps,
        ..RunOptions::default()
    };
    let progress = ProgressLine::start(&args.common, "learning");
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    let system = CSystem::new(
        &compiled,
        &options,
        &functions.value,
        n_threads,
        !c.no_snapshots,
        budget,
    );
    let mq = RefCell::new(Watched {
        inner: RunCache::new(system, alphabet.len()).in_batches(),
        budget,
        progress: &progress,
        queries: 0,
    });
    let solved = RefCell::new(Solved::default());
    let by_solver = args.equivalence == Some(ComparisonMethod::Solver);
    let mut eq: Box<dyn EquivalenceOracle<String, Mealy<String>>> = if by_solver {
        let depth = args.word_length.unwrap_or(DEPTH);
        let check = Check::new(&files, &functions, &alphabet, depth);
        let wp = WpMethod::new(&mq, args.extra_states);
        let prints = || mq.borrow().inner.inner().seen().prints;
        Box::new(BySolver::new(check, wp, &mq, prints, budget, &solved))
    } else {
        comparison::<Mealy<String>, _>(args, ComparisonMethod::Wp, None, &mq, alphabet.len())?
    };
    if let Some(old) = old {
        eq = Box::new(StartFrom::new(old, &mq, eq));
    }
    let counts = || mq.borrow().inner.counts();
    let (machine, end) = match kind.start_mealy(alphabet.len(), &mut &mq) {
        Ok(Some(mut learner)) => {
            let end = drive(
                &mut learner,
                &mut &mq,
                eq.as_mut(),
                &counts,
                budget,
                &progress,
            );
            (Some(learner.hypothesis().clone()), end)
        }
        // The one learner without Mealy machines was refused above.
        Ok(None) => (None, stopped(StopReason::Internal(Bug::RuledOut))),
        Err(reason) => (None, stopped(reason)),
    };
    drop(eq);
    let cache = mq.into_inner().inner;
    let seen = cache.inner().seen();
    if let Some(failure) = &seen.failure {
        return Err(CommandFailure::BadFile {
            code: "c::cannot-learn",
            message: failure.clone(),
            place: None,
            help: "every step has to come to an end within the C that is modelled; `--max-steps` gives it more time".to_owned(),
        });
    }
    let machine =
        machine.unwrap_or_else(|| Mealy::from_fn(alphabet.len(), 1, |_, _| (0, "?".to_owned())));
    let asked = LearningEffort::new(end, cache.counts(), None);
    let (runs, steps) = (seen.runs, seen.steps);
    let mut warnings = Vec::new();
    if let Some(input) = &seen.own_inputs {
        warnings.push(format!(
            "the program has an input of its own, {input}: it is 0"
        ));
    }
    let solved = solved.into_inner();
    warnings.extend(solved.doubt);
    let machine = LearnedMachine::Mealy(machine);
    let mut learnt = Learnt::by_queries(kind, machine, alphabet, asked, "program");
    if let Some(statistics) = learnt.queries() {
        statistics.program = Some(CProgramStatistics {
            runs,
            statements: steps,
            solver_checks: (solved.calls > 0).then_some(solved.calls),
        });
    }
    learnt.effort += &format!(", {runs} runs of {steps} statements together");
    learnt.warnings = warnings;
    if let Some(earlier) = &earlier {
        earlier.compare(&mut learnt);
    }
    Ok(learnt)
}

fn stopped(reason: StopReason) -> LearningEnd {
    LearningEnd {
        rounds: 0,
        guarantee: Err(reason),
        tests: Counts::default(),
    }
}

/// The preprocessed files, the last one with what was added to it.
fn read(args: &CProgramArgs) -> Result<Vec<(String, String)>, CommandFailure> {
    let options = PreprocessOptions {
        cc: c_compiler(),
        include_dirs: args.include.clone(),
        defines: args.define.clone(),
        data_model: DataModel::Lp64,
        ..PreprocessOptions::new(std::env::temp_dir())
    };
    let one = |path: &PathBuf| {
        let text = preprocess::preprocess(path, &options);
        let text = text.map_err(|error| preprocess_failure(&error))?;
        Ok((path.display().to_string(), text))
    };
    args.c.iter().map(one).collect()
}

/// The program of these files with some C added to the end of the last one.
pub fn build(files: &[(String, String)], added: &str) -> Result<Program, CommandFailure> {
    let mut sources = SourceMap::new();
    let mut ids = Vec::new();
    for (i, (name, text)) in files.iter().enumerate() {
        let last = i + 1 == files.len();
        let text = if last {
            format!("{text}\n# 1 \"<driver>\"\n{added}")
        } else {
            text.clone()
        };
        ids.push(sources.add(name, text));
    }
    let options = Options {
        data_model: DataModel::Lp64,
        entry: DRIVER.to_owned(),
        ..Options::default()
    };
    let lowered = compile(sources, &ids, &options);
    lowered.program.ok_or_else(|| CommandFailure::Source {
        sources: Box::new(lowered.sources.unwrap_or_default()),
        diagnostics: lowered.diagnostics,
    })
}

/// What a step returns.
#[derive(Clone, PartialEq, Debug)]
pub enum ReturnedValue {
    Nothing,
    Text,
    Number,
    /// With the names of its values.
    Enum(Vec<(String, i128)>),
}

/// The two functions of the program, as C has them.
pub struct Functions {
    pub step: String,
    pub reset: Option<String>,
    /// Whether a step takes its input as text.
    takes_text: bool,
    pub value: ReturnedValue,
}

impl Functions {
    fn find(args: &CProgramArgs, files: &[(String, String)]) -> Result<Self, CommandFailure> {
        let bad = |message: String| {
            let help = "a step function takes one input, as text or as a number, such as `const char *step(const char *in)`; a reset function takes nothing";
            Err(CommandFailure::usage(message, help))
        };
        let step = args.step.clone().unwrap_or_default();
        let is_name = |name: &str| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        let none = format!("int {DRIVER}(void) {{ return 0; }}\n");
        let plain = build(files, &none)?;
        let mut used = String::new();
        for name in [Some(&step), args.reset.as_ref()].into_iter().flatten() {
            if !is_name(name) {
                return bad(format!("`{name}` is not the name of a function"));
            }
            if plain.function_named(name).is_none() && !is_written(files, name) {
                let known = plain.functions.iter().map(|f| f.name.as_str());
                let known: Vec<&str> = known.filter(|name| *name != DRIVER).collect();
                return Err(no_function(name, &known));
            }
            used += &format!("(void)&{name}; ");
        }
        let program = build(
            files,
            &format!("int {DRIVER}(void) {{ {used} return 0; }}\n"),
        )?;
        let types = &program.types;
        let signature = |name: &str| {
            let id = program.function_named(name)?;
            match types.get(program.function(id).ty) {
                CType::Function(function) => Some(function.clone()),
                _ => None,
            }
        };
        let Some(of_step) = signature(&step) else {
            return bad(format!("there is no function `{step}` with a body"));
        };
        let [input] = of_step.params[..] else {
            return bad(format!("`{step}` does not take one input"));
        };
        if let Some(reset) = &args.reset {
            match signature(reset) {
                None => return bad(format!("there is no function `{reset}` with a body")),
                Some(of_reset) if !of_reset.params.is_empty() => {
                    return bad(format!("`{reset}` takes arguments"));
                }
                Some(_) => {}
            }
        }
        let Some(value) = returned(types, of_step.ret) else {
            return bad(format!("`{step}` returns neither text nor a number"));
        };
        Ok(Self {
            step,
            reset: args.reset.clone(),
            takes_text: is_text(types, input),
            value,
        })
    }

    /// A letter as C has it.
    pub fn input(&self, name: &str) -> String {
        if self.takes_text {
            c_string(name)
        } else {
            name.to_owned()
        }
    }

    /// The C that runs the letters.
    fn driver(&self, alphabet: &Alphabet) -> String {
        let step = &self.step;
        let mut text = format!(
            "unsigned {LETTER}(void);\nint putchar(int);\nint printf(const char *, ...);\n\
             int {DRIVER}(void) {{\n"
        );
        if let Some(reset) = &self.reset {
            text += &format!("  {reset}();\n");
        }
        text += "  for (;;) {\n    switch (";
        text += LETTER;
        text += "()) {\n";
        for (i, name) in alphabet.names().iter().enumerate() {
            let input = self.input(name);
            let (end, value) = (END as u32, VALUE as u32);
            let call = format!("{step}({input})");
            let run = match self.value {
                ReturnedValue::Nothing => format!("{call}; putchar({value});"),
                ReturnedValue::Text => format!(
                    "{{ const char *text = {call}; putchar({value}); printf(\"%s\", text ? text : \"NULL\"); }}"
                ),
                ReturnedValue::Number | ReturnedValue::Enum(_) => format!(
                    "{{ long long number = (long long)({call}); putchar({value}); printf(\"%lld\", number); }}"
                ),
            };
            text += &format!("    case {i}: {run} putchar({end}); break;\n");
        }
        text + "    default: return 0;\n    }\n  }\n}\n"
    }
}

/// Whether a name stands anywhere in the text: then the compiler knows best what is wrong with it.
fn is_written(files: &[(String, String)], name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut words = files
        .iter()
        .flat_map(|(_, text)| text.split(|c| !is_part(c)));
    words.any(|word| word == name)
}

/// A function that the program has not, and what it has.
fn no_function(name: &str, known: &[&str]) -> CommandFailure {
    const SHOWN: usize = 8;
    let own: Vec<&str> = (known.iter().copied())
        .filter(|name| !name.starts_with("__"))
        .collect();
    let help = match nearest(name, own.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if own.is_empty() => "the program has no functions".to_owned(),
        None => format!("the program has {}", own[..own.len().min(SHOWN)].join(", ")),
    };
    CommandFailure::usage(format!("the program has no function `{name}`"), help)
}

/// A name as a C string.
pub fn c_string(name: &str) -> String {
    let bytes = name.bytes().map(|byte| match byte {
        b'"' | b'\\' => format!("\\{}", byte as char),
        b' '..=b'~' => (byte as char).to_string(),
        other => format!("\\{other:03o}"),
    });
    format!("\"{}\"", bytes.collect::<String>())
}

fn is_text(types: &Types, ty: idiolect_ir::ctype::TypeId) -> bool {
    let CType::Pointer(to) = types.get(ty) else {
        return false;
    };
    matches!(
        types.get(*to),
        CType::Int(IntKind::Char | IntKind::SChar | IntKind::UChar)
    )
}

fn returned(types: &Types, ty: idiolect_ir::ctype::TypeId) -> Option<ReturnedValue> {
    Some(match types.get(ty) {
        CType::Void => ReturnedValue::Nothing,
        CType::Bool | CType::Int(_) => ReturnedValue::Number,
        CType::Enum(id) => ReturnedValue::Enum(types.enumeration(*id).enumerators.clone()),
        CType::Pointer(_) if is_text(types, ty) => ReturnedValue::Text,
        _ => return None,
    })
}
