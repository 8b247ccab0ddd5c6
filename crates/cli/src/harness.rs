//! A run's inputs as a C file that the system compiler links with the original program to the
//! same outcome.

use idiolect_cfront::ARGUMENT_LENGTH;
use idiolect_interp::{DrawnInput, InputOrigin};
use idiolect_ir::{InputKind, MarkKind, Program, Ty, TypeId};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The command that builds and runs a harness. Where the command line is an input, the program's
/// `main` gets another name, and the harness calls it.
pub fn command(program: &Program, inputs: &[DrawnInput], files: &[PathBuf], path: &Path) -> String {
    let files: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
    let rename = match command_line(program, inputs).is_some() {
        true => "-Dmain=program_main ",
        false => "",
    };
    // Marks of our header are nothing elsewhere, but here the assertion has to fail.
    let is_marked = program.marks.iter().any(|m| m.kind == MarkKind::User);
    let marks = if is_marked { "-DIDIOLECT_REPLAY " } else { "" };
    format!(
        "cc {rename}{marks}{} {} -o replay && ./replay",
        files.join(" "),
        path.display()
    )
}

/// `argc` and the bytes of the arguments, if the run depends on them.
fn command_line(program: &Program, inputs: &[DrawnInput]) -> Option<(i128, Vec<u8>)> {
    let mut count = None;
    let mut bytes = Vec::new();
    for input in inputs {
        let InputOrigin::Site(id) = input.origin else {
            continue;
        };
        match program.inputs[id.index()].kind {
            InputKind::ArgumentCount => count = Some(input.as_integer()),
            InputKind::ArgumentByte => bytes.push(input.bits as u8),
            _ => {}
        }
    }
    count.map(|count| (count, bytes))
}

/// A `main` that calls the program's with these arguments. Bytes come in equal parts, one for each
/// argument that there could be.
fn main_function(text: &mut String, count: i128, bytes: &[u8], length: usize) {
    text.push_str("#undef main\nint program_main();\nint main(void) {\n");
    let strings: Vec<String> = bytes
        .chunks(length.max(1))
        .take(usize::try_from(count).unwrap_or(0))
        .map(|chunk| {
            let escaped: String = chunk.iter().map(|b| format!("\\x{b:02x}\"\"")).collect();
            format!("\"{escaped}\"")
        })
        .collect();
    let list: String = strings.iter().map(|s| format!("{s}, ")).collect();
    let _ = writeln!(
        text,
        "    char *arguments[] = {{ {list}0, 0 }};\n    return program_main({count}, arguments);\n}}\n"
    );
}

/// Writes the harness of a run. `how` says what the run does, for the comment on top.
/// Inputs that no other file can set, such as uninitialised locals, are named in that comment.
pub fn write(program: &Program, inputs: &[DrawnInput], how: &str) -> String {
    let mut by_function: BTreeMap<&str, (TypeId, Vec<&DrawnInput>)> = BTreeMap::new();
    let mut out_of_reach = Vec::new();
    for input in inputs {
        let InputOrigin::Site(id) = input.origin else {
            out_of_reach.push("memory that is read before it is written".to_owned());
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
            InputKind::Parameter(name) => out_of_reach.push(format!("the parameter `{name}`")),
            InputKind::Stdin => out_of_reach.push("standard input".to_owned()),
            InputKind::ArgumentCount | InputKind::ArgumentByte => {}
            InputKind::Environment(name) => out_of_reach.push(format!("the result of `{name}`")),
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
    text.push_str("*/\n#include <stdlib.h>\n\n");
    for (name, (ty, values)) in &by_function {
        function(program, &mut text, name, *ty, values);
    }
    if let Some((count, bytes)) = command_line(program, inputs) {
        main_function(&mut text, count, &bytes, ARGUMENT_LENGTH as usize);
    }
    text.push_str(CONVENTIONS);
    text
}

/// What programs written for verifiers expect from their environment. Weak, so that a program's
/// own definition wins. 107 is the status by which such harnesses report a violation.
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

fn float_literal(value: f64) -> String {
    match value {
        v if v.is_nan() => "0.0 / 0.0".to_owned(),
        v if v.is_infinite() => format!("{}1.0 / 0.0", if v < 0.0 { "-" } else { "" }),
        v => format!("{v:e}"),
    }
}
