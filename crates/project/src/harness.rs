//! A run's inputs as a C file that the system compiler links with the original program to the
//! same outcome.

mod entry;

pub use entry::is_entry;

use crate::args::CArgs;
use crate::claim;
use idiolect_base::{Budget, Rng, Span};
use idiolect_interp::{
    CompileOptions, Compiled, DrawnInput, End, InputOrigin, InputRequest, InputSource, Machine,
    NoObserver, RandomInputs, RunOptions, Spread,
};
use idiolect_ir::{
    AssumptionKind, CType, Function, FunctionOrigin, InputKind, MarkKind, Program, Property, Ty,
    TypeId,
};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

/// Runs among which one is chosen where none fails, and the steps of each.
const RUNS: u64 = 64;
const MOST_STEPS: u64 = 1_000_000;

/// More runs, of inputs that a contract is likely to allow.
const MORE_RUNS: u64 = 8192;

/// The inputs of a run that ends by itself: of some random ones, that with the most steps.
pub fn run_that_ends(program: &Arc<Program>, seed: u64) -> Option<Vec<DrawnInput>> {
    let compiled = Compiled::new(program.clone(), &CompileOptions::default());
    let mut machine = Machine::new(&compiled, RunOptions::default());
    let mut run = |source: &mut dyn InputSource| {
        let budget = Budget::steps(MOST_STEPS);
        machine.run(source, &mut NoObserver, &budget)
    };
    let runs = (0..RUNS).map(|i| run(&mut RandomInputs::new(Rng::new(seed, i), Spread::Mixed)));
    let ended = runs.filter(|run| matches!(run.end, End::Exit(_)));
    if let Some(longest) = ended.max_by_key(|run| run.steps) {
        return Some(longest.inputs);
    }
    let mut runs = (0..MORE_RUNS).map(|i| run(&mut NearZero(Rng::new(seed, i))));
    runs.find(|run| matches!(run.end, End::Exit(_)))
        .map(|run| run.inputs)
}

/// Mostly zeros and other small numbers.
struct NearZero(Rng);

impl InputSource for NearZero {
    fn next(&mut self, _: &InputRequest<'_>) -> Option<u128> {
        Some(match self.0.below(8) {
            0..4 => 0,
            4 => 1,
            5 => u128::MAX,
            6 => self.0.below(8).into(),
            _ => self.0.below(256).into(),
        })
    }
}

/// The command that builds and runs a harness. Where the command line is an input, the program's
/// `main` gets another name, and the harness calls it.
pub fn command(program: &Program, inputs: &[DrawnInput], args: &CArgs, path: &Path) -> String {
    let given: String = (args.files.first())
        .map(|file| args.build.flags_for(file))
        .into_iter()
        .flatten()
        .map(|flag| shlex::try_quote(&flag).unwrap_or_default().into_owned() + " ")
        .collect();
    if entry::is_entry(program) {
        let files: String = (entry::other_files(program, &args.files).iter())
            .map(|file| format!(" {file}"))
            .collect();
        return format!(
            "cc {SANITIZERS} {UNUSED} {given}{}{files} -lm -o replay && ./replay",
            path.display()
        );
    }
    let files: Vec<String> = args.files.iter().map(|f| f.display().to_string()).collect();
    let flags: String = (flags(program, inputs).into_iter())
        .map(|flag| flag + " ")
        .collect();
    let sanitizers = if has_faults(args) {
        format!("{SANITIZERS} ")
    } else {
        String::new()
    };
    format!(
        "cc {sanitizers}{given}{flags}{} {} -lm -o replay && ./replay",
        files.join(" "),
        path.display()
    )
}

/// With these, the compiled program notices the faults that the interpreter notices.
const SANITIZERS: &str = "-g -fsanitize=address,undefined -fno-sanitize-recover=all";

/// Functions of the file that the one under test does not call need not be linked, nor what they call.
const UNUSED: &str = "-ffunction-sections -fdata-sections -Wl,--gc-sections";

/// Whether faults count, which a program that is compiled in the usual way survives.
fn has_faults(args: &CArgs) -> bool {
    args.properties().iter().any(|p| *p != Property::Assert)
}

/// What the compiler has to be told.
pub fn flags(program: &Program, inputs: &[DrawnInput]) -> Vec<String> {
    let mut flags = Vec::new();
    if command_line(program, inputs).is_some() {
        flags.push("-Dmain=program_main".to_owned());
    }
    // Marks of our header are nothing elsewhere, but here the assertion has to fail.
    if program.marks.iter().any(|m| m.kind == MarkKind::User) {
        flags.push("-DIDIOLECT_REPLAY".to_owned());
    }
    flags
}

/// `argc` and the bytes of the arguments that were looked at, if the run depends on them.
fn command_line(program: &Program, inputs: &[DrawnInput]) -> Option<(i128, Vec<Vec<u8>>)> {
    let mut count = None;
    let mut arguments: Vec<Vec<u8>> = Vec::new();
    for input in inputs {
        let InputOrigin::Site(id) = input.origin else {
            continue;
        };
        match program.inputs[id.index()].kind {
            InputKind::ArgumentCount => count = Some(input.as_integer()),
            InputKind::ArgumentByte { argument, .. } => {
                let n = argument as usize + 1;
                arguments.resize(n.max(arguments.len()), Vec::new());
                arguments[argument as usize].push(input.bits as u8);
            }
            // The third argument of `main` is the environment's list.
            InputKind::Variable(ref name) if is_listed(name) => {
                count = count.or(Some(1));
            }
            _ => {}
        }
    }
    count.map(|count| (count, arguments))
}

/// Whether a variable is an entry of the environment's list and has no name of its own.
fn is_listed(name: &str) -> bool {
    name.starts_with("environ[")
}

/// Variables of the environment that the run asks for: their values, or `None` where they are not set.
fn variables(program: &Program, inputs: &[DrawnInput]) -> BTreeMap<String, Option<Vec<u8>>> {
    let mut variables: BTreeMap<String, Option<Vec<u8>>> = BTreeMap::new();
    for input in inputs {
        let InputOrigin::Site(id) = input.origin else {
            continue;
        };
        match &program.inputs[id.index()].kind {
            InputKind::Variable(name) => {
                let value = (input.bits != 0).then(Vec::new);
                variables.insert(name.clone(), value);
            }
            InputKind::VariableByte { variable, .. } => {
                if let Some(Some(value)) = variables.get_mut(variable) {
                    value.push(input.bits as u8);
                }
            }
            _ => {}
        }
    }
    variables
}

fn c_string(bytes: &[u8]) -> String {
    let escaped: String = bytes.iter().map(|b| format!("\\x{b:02x}\"\"")).collect();
    format!("\"{escaped}\"")
}

/// Arguments beyond those that the run looked at are there as well, as far as it makes sense.
const MORE_ARGUMENTS: usize = 16;

/// A `main` that calls the program's with these arguments.
fn main_function(text: &mut String, count: i128, arguments: &[Vec<u8>]) {
    text.push_str("#undef main\nint program_main();\nint main(void) {\n");
    let n = usize::try_from(count).unwrap_or(0);
    let n = n.min(arguments.len() + MORE_ARGUMENTS);
    let list: String = (0..n)
        .map(|i| c_string(arguments.get(i).map_or(b"", Vec::as_slice)) + ", ")
        .collect();
    let _ = writeln!(
        text,
        "    extern char **environ;\n    char *arguments[] = {{ {list}0, 0 }};\n    \
         return program_main({count}, arguments, environ);\n}}\n"
    );
}

/// Sets the environment before anything else happens.
fn environment(text: &mut String, variables: &BTreeMap<String, Option<Vec<u8>>>) {
    text.push_str("__attribute__((constructor)) static void set_environment(void) {\n");
    let listed = |name: &String| is_listed(name);
    if variables.keys().any(listed) {
        let set = variables.iter().filter(|(name, _)| listed(name));
        let list: String = set
            .map_while(|(_, value)| value.as_ref())
            .map(|value| c_string(value) + ", ")
            .collect();
        let _ = writeln!(
            text,
            "    extern char **environ;\n    static char *list[] = {{ {list}0 }};\n    environ = list;"
        );
    }
    for (name, value) in variables.iter().filter(|(name, _)| !listed(name)) {
        let name = c_string(name.as_bytes());
        let _ = match value {
            Some(value) => writeln!(text, "    setenv({name}, {}, 1);", c_string(value)),
            None => writeln!(text, "    unsetenv({name});"),
        };
    }
    text.push_str("}\n\n");
}

/// Functions that are called and defined nowhere.
fn without_body(program: &Program) -> impl Iterator<Item = &Function> {
    let is_missing = |span: Span| {
        let mut assumptions = program.assumptions.iter();
        assumptions.any(|a| a.kind == AssumptionKind::MissingBody && a.span == span)
    };
    (program.functions.iter())
        .filter(move |f| f.origin == FunctionOrigin::Synthetic && is_missing(f.span))
}

/// Writes the harness of a run, with the command that builds it in the comment on top.
/// Inputs that no other file can set, such as uninitialised locals, are named in that comment.
pub fn write(program: &Program, inputs: &[DrawnInput], args: &CArgs, path: &Path) -> String {
    let how = command(program, inputs, args, path);
    let is_entry = entry::is_entry(program);
    let mut by_function: BTreeMap<&str, (TypeId, Vec<&DrawnInput>)> = BTreeMap::new();
    let mut out_of_reach = Vec::new();
    for input in inputs {
        let InputOrigin::Site(id) = input.origin else {
            if !is_entry {
                out_of_reach.push("memory that is read before it is written".to_owned());
            }
            continue;
        };
        let site = &program.inputs[id.index()];
        match &site.kind {
            InputKind::Nondet(name) | InputKind::External(name) => {
                let entry = by_function.entry(name).or_insert((site.ty, Vec::new()));
                entry.1.push(input);
            }
            InputKind::Uninitialized(name) => {
                out_of_reach.push(format!("the uninitialised variable `{name}`"));
            }
            InputKind::Parameter(_) => {}
            InputKind::Stdin => out_of_reach.push("standard input".to_owned()),
            InputKind::ArgumentCount | InputKind::ArgumentByte { .. } => {}
            InputKind::Variable(_) | InputKind::VariableByte { .. } => {}
            InputKind::Effect(name) => out_of_reach.push(format!("what `{name}` does")),
            InputKind::Environment(name) => out_of_reach.push(format!("the result of `{name}`")),
        }
    }
    // The program does not link without those that this run did not come to.
    for site in &program.inputs {
        if let InputKind::Nondet(name) = &site.kind
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        {
            by_function.entry(name).or_insert((site.ty, Vec::new()));
        }
    }
    out_of_reach.dedup();
    let mut text = format!(
        "/* Written by idiolect {}. Compile it together with the program:\n   {how}\n",
        env!("CARGO_PKG_VERSION")
    );
    for missing in &out_of_reach {
        let _ = writeln!(text, "   Not set by this file: {missing}.");
    }
    text.push_str(&claim::in_comment(&claim::ledger(program)));
    text.push_str("*/\n#define _GNU_SOURCE\n#include <stdlib.h>\n\n");
    if !args.properties().contains(&Property::Leak) {
        text.push_str(NO_LEAKS);
    }
    if is_entry {
        text.push_str(&entry::include(program, &args.files));
    }
    let variables = variables(program, inputs);
    if !variables.is_empty() {
        environment(&mut text, &variables);
    }
    for (name, (ty, values)) in &by_function {
        function(program, &mut text, name, *ty, values);
    }
    for missing in without_body(program) {
        if !by_function.contains_key(missing.name.as_str())
            && let CType::Function(ty) = program.types.get(missing.ty)
        {
            let head = program
                .types
                .declaration(ty.ret, &format!("{}()", missing.name));
            let _ = writeln!(text, "__attribute__((weak)) {head} {{ }}\n");
        }
    }
    if is_entry {
        text.push_str(&entry::main_function(program, inputs));
    } else if let Some((count, arguments)) = command_line(program, inputs) {
        main_function(&mut text, count, &arguments);
    }
    text.push_str(CONVENTIONS);
    text
}

/// What programs written for verifiers expect from their environment. Weak, so that a program's
/// own definition wins. 107 is the status by which such harnesses report a violation.
const NO_LEAKS: &str = "\
/* Blocks that are lost are no error here. */
const char *__asan_default_options(void) { return \"detect_leaks=0\"; }

";
const CONVENTIONS: &str = "\
__attribute__((weak)) void reach_error(void) { exit(107); }
__attribute__((weak)) void __VERIFIER_error(void) { exit(107); }
__attribute__((weak)) void Learn(int id) { (void)id; }
__attribute__((weak)) void _Learn(int id) { (void)id; }
__attribute__((weak)) void Learn_Assert(int condition) { if (!condition) exit(107); }
__attribute__((weak)) void _Learn_assert(int condition) { if (!condition) exit(107); }
__attribute__((weak)) void __VERIFIER_assume(int condition) { if (!condition) exit(0); }
";

fn function(program: &Program, text: &mut String, name: &str, ty: TypeId, values: &[&DrawnInput]) {
    // Unsigned bits and a cast give every value of every type, the smallest `int` among them.
    let bits: Vec<String> = values.iter().map(|v| literal(v)).collect();
    let element = match values.first().map(|v| v.ty) {
        Some(Ty::F32) => "float",
        Some(Ty::F64 | Ty::F80) => "double",
        _ => "unsigned long long",
    };
    let result = program.types.declaration(ty, &format!("{name}(void)"));
    if values.is_empty() {
        let _ = writeln!(text, "{result} {{ abort(); /* the run used none */ }}\n");
        return;
    }
    let cast = program.types.name(ty);
    let _ = writeln!(
        text,
        "{result} {{\n    static const {element} values[] = {{ {} }};\n    \
         static unsigned next;\n    if (next >= {}) abort(); /* the run used no more */\n    \
         return ({cast})values[next++];\n}}\n",
        bits.join(", "),
        values.len()
    );
}

fn literal(input: &DrawnInput) -> String {
    match input.ty {
        Ty::F32 => float_literal(f64::from(f32::from_bits(input.bits as u32))),
        Ty::F64 => float_literal(f64::from_bits(input.bits as u64)),
        _ => format!("{}ULL", input.bits as u64),
    }
}

/// A NaN with these bits, for gcc and clang.
fn not_a_number(bits: u64) -> String {
    const QUIET: u64 = 1 << 51;
    let sign = if bits >> 63 == 1 { "-" } else { "" };
    let signalling = if bits & QUIET == 0 { "s" } else { "" };
    let payload = bits & (QUIET - 1);
    format!("{sign}__builtin_nan{signalling}(\"{payload:#x}\")")
}

fn float_literal(value: f64) -> String {
    match value {
        v if v.is_nan() => not_a_number(v.to_bits()),
        v if v.is_infinite() => format!("{}1.0 / 0.0", if v < 0.0 { "-" } else { "" }),
        v => format!("{v:e}"),
    }
}
