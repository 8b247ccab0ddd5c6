//! A run's inputs as a C file that the system compiler links with the original program to the
//! same outcome.

use idiolect_interp::{DrawnInput, InputOrigin};
use idiolect_ir::{InputKind, Program, Ty, TypeId};
use std::collections::BTreeMap;
use std::fmt::Write as _;

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
            InputKind::ArgumentCount | InputKind::ArgumentByte => {
                out_of_reach.push("the command line".to_owned());
            }
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
    text.push_str(CONVENTIONS);
    text
}

/// What programs written for verifiers expect from their environment. Weak, so that a program's
/// own definition wins. 107 is the status by which such harnesses report a violation.
const CONVENTIONS: &str = "\
__attribute__((weak)) void reach_error(void) { exit(107); }
__attribute__((weak)) void __VERIFIER_error(void) { exit(107); }
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
