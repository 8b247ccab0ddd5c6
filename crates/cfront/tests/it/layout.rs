//! Sizes, alignments and offsets against the system compiler, on records made at random.
//!
//! The compiler checks our numbers as static assertions, which works for both data models without
//! running anything. Where bit-fields lie shows only at run time: a program writes ones into each
//! and prints the bytes.

use idiolect_base::{Rng, SourceMap};
use idiolect_cfront::{Options, compile};
use idiolect_ir::Program;
use idiolect_ir::ctype::{CType, DataModel, Record};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

const N_RECORDS: usize = 300;

const TYPES: &[&str] = &[
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "float",
    "double",
    "long double",
    "char *",
    "_Bool",
    "enum e",
];

/// Types for bit-fields with their widths under LP64 and ILP32.
const BIT_TYPES: &[(&str, u64, u64)] = &[
    ("_Bool", 1, 1),
    ("char", 8, 8),
    ("unsigned char", 8, 8),
    ("short", 16, 16),
    ("int", 32, 32),
    ("unsigned", 32, 32),
    ("long", 64, 32),
    ("unsigned long long", 64, 64),
    ("enum e", 32, 32),
];

fn field(rng: &mut Rng, record: usize, n: usize, model: DataModel) -> String {
    let pick = |rng: &mut Rng| TYPES[rng.below(TYPES.len() as u64) as usize];
    let attribute = match rng.below(20) {
        0 => " __attribute__((packed))",
        1 => " __attribute__((aligned(8)))",
        2 => " __attribute__((aligned(32)))",
        _ => "",
    };
    match rng.below(12) {
        0..=4 => {
            let (ty, wide, narrow) = BIT_TYPES[rng.below(BIT_TYPES.len() as u64) as usize];
            let most = if model == DataModel::Lp64 {
                wide
            } else {
                narrow
            };
            match rng.below(8) {
                0 => format!("{ty} : 0;"),
                1 => format!("{ty} : {};", rng.below(most + 1)),
                _ => format!("{ty} b{n} : {};", rng.below(most) + 1),
            }
        }
        5 => format!("{} f{n}[{}]{attribute};", pick(rng), 1 + rng.below(3)),
        6 if record > 0 => format!("struct r{} f{n}{attribute};", rng.below(record as u64)),
        7 => format!(
            "union {{ {} u{n}; struct {{ {} v{n}; {} w{n} : 3; }}; }};",
            pick(rng),
            pick(rng),
            "unsigned"
        ),
        _ => format!("{} f{n}{attribute};", pick(rng)),
    }
}

fn records(seed: u64, model: DataModel) -> String {
    let mut text = "enum e { E0, E1 };\n".to_owned();
    for record in 0..N_RECORDS {
        let rng = &mut Rng::new(seed, record as u64);
        let mut fields = String::new();
        for n in 0..1 + rng.below(6) {
            fields.push_str(&field(rng, record, n as usize, model));
            fields.push(' ');
        }
        let attribute = match rng.below(8) {
            0 => " __attribute__((packed))",
            1 => " __attribute__((aligned(16)))",
            2 => " __attribute__((packed, aligned(4)))",
            _ => "",
        };
        let keyword = if rng.chance(1, 5) { "union" } else { "struct" };
        let pack = match rng.below(6) {
            0 => "#pragma pack(push, 1)\n",
            1 => "#pragma pack(push, 2)\n",
            2 => "#pragma pack(push, 4)\n",
            _ => "#pragma pack(push)\n",
        };
        text.push_str(pack);
        let _ = writeln!(text, "{keyword} x{record} {{ {fields} }}{attribute};");
        text.push_str("#pragma pack(pop)\n");
        // Nested records are always structs, so that they can be named without their kind.
        let _ = writeln!(
            text,
            "struct r{record} {{ {keyword} x{record} in; char t; }} v{record};"
        );
    }
    text
}

fn compiled(text: &str, model: DataModel) -> Program {
    let mut sources = SourceMap::new();
    let id = sources.add(
        "records.c",
        format!("{text}int main(void) {{ return 0; }}\n"),
    );
    let options = Options {
        data_model: model,
        ..Options::default()
    };
    let compiled = compile(sources, &[id], &options);
    compiled
        .program
        .unwrap_or_else(|| panic!("{:#?}", compiled.diagnostics))
}

/// The records by their tags, in the order of their definition.
fn tagged(program: &Program) -> Vec<(String, &Record)> {
    (0..program.types.n_records())
        .map(|i| program.types.record(idiolect_ir::ctype::RecordId::new(i)))
        .filter_map(|record| {
            let tag = record.tag.as_deref().filter(|t| t.starts_with('x'))?;
            let keyword = if record.is_union { "union" } else { "struct" };
            Some((format!("{keyword} {tag}"), record))
        })
        .collect()
}

fn scratch(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    std::fs::create_dir_all(&dir).expect("the target folder is writable");
    dir.join(name)
}

/// Whether the system has a C compiler that takes these options.
fn has_compiler(options: &[&str]) -> bool {
    let file = scratch("empty.c");
    std::fs::write(&file, "int x;\n").expect("scratch file");
    let mut command = Command::new("cc");
    command.args(options).arg("-fsyntax-only").arg(&file);
    command.output().is_ok_and(|o| o.status.success())
}

#[allow(clippy::print_stderr)]
fn skipped(what: &str) {
    eprintln!("skipped: {what}");
}

fn check_sizes(model: DataModel, options: &[&str], name: &str) {
    if !has_compiler(options) {
        skipped("no C compiler for this data model");
        return;
    }
    let text = records(1, model);
    let program = compiled(&text, model);
    let mut checks = text;
    let mut n_checks = 0;
    for (record_name, record) in tagged(&program) {
        let layout = record.layout.as_ref().expect("complete");
        let mut check = |what: String, value: u64| {
            let _ = writeln!(checks, "_Static_assert({what} == {value}, \"{what}\");");
            n_checks += 1;
        };
        check(format!("sizeof({record_name})"), layout.size);
        check(format!("_Alignof({record_name})"), layout.align);
        for field in &layout.fields {
            if let (Some(field_name), None) = (&field.name, field.bits) {
                let what = format!("__builtin_offsetof({record_name}, {field_name})");
                check(what, field.offset);
            }
        }
    }
    assert!(n_checks > 2 * N_RECORDS, "only {n_checks} checks");
    let file = scratch(name);
    std::fs::write(&file, checks).expect("scratch file");
    let mut command = Command::new("cc");
    command
        .args(options)
        .args(["-fsyntax-only", "-w"])
        .arg(&file);
    let output = command.output().expect("the compiler runs");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{messages}");
}

#[test]
fn sizes_and_offsets_are_those_of_the_compiler_lp64() {
    check_sizes(DataModel::Lp64, &["-m64"], "lp64.c");
}

#[test]
fn sizes_and_offsets_are_those_of_the_compiler_ilp32() {
    check_sizes(DataModel::Ilp32, &["-m32"], "ilp32.c");
}

#[test]
fn bit_fields_lie_where_the_compiler_puts_them() {
    if !has_compiler(&[]) {
        skipped("no C compiler");
        return;
    }
    let text = records(2, DataModel::Lp64);
    let program = compiled(&text, DataModel::Lp64);
    let mut source = format!("#include <stdio.h>\n#include <string.h>\n{text}int main(void) {{\n");
    let mut expected = String::new();
    for (record_name, record) in tagged(&program) {
        let layout = record.layout.as_ref().expect("complete");
        for field in &layout.fields {
            let (Some(field_name), Some(bits)) = (&field.name, field.bits) else {
                continue;
            };
            let _ = writeln!(
                source,
                "{{ {record_name} r; memset(&r, 0, sizeof r); r.{field_name} = -1; \
                 unsigned char *p = (void *)&r; \
                 for (unsigned i = 0; i < sizeof r; i++) printf(\"%02x\", p[i]); puts(\"\"); }}"
            );
            let mut bytes = vec![0u8; layout.size as usize];
            // A `_Bool` of several bits is still 0 or 1.
            let is_bool = matches!(program.types.get(field.ty), CType::Bool);
            let width = if is_bool { 1 } else { u64::from(bits.width) };
            for bit in 0..width {
                let at = field.offset * 8 + u64::from(bits.offset) + bit;
                bytes[at as usize / 8] |= 1 << (at % 8);
            }
            for byte in bytes {
                let _ = write!(expected, "{byte:02x}");
            }
            expected.push('\n');
        }
    }
    source.push_str("return 0; }\n");
    let (file, binary) = (scratch("bits.c"), scratch("bits"));
    std::fs::write(&file, source).expect("scratch file");
    let mut command = Command::new("cc");
    command.arg("-w").arg(&file).arg("-o").arg(&binary);
    let output = command.output().expect("the compiler runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let output = Command::new(&binary).output().expect("the program runs");
    assert!(expected.lines().count() > 100);
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}
