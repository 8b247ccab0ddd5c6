//! A `main` that calls the entry function with the arguments of a run: numbers as they are, and blocks of memory of
//! exactly the sizes that the run had, so that a sanitizer sees what the interpreter saw.

use super::literal;
use idiolect_base::Budget;
use idiolect_interp::{
    CompileOptions, Compiled, DrawnInput, End, FixedInputs, InputOrigin, Machine, NoObserver,
    ObjectKind, Observer, Outcome, RunOptions, Value, View, ZeroInputs,
};
use idiolect_ir::{CType, FunctionOrigin, LocalId, Program, Ty};
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Objects with more bytes are not written out.
const MAX_SIZE: u32 = 1 << 16;
const MAX_OBJECTS: usize = 64;
const MAX_STEPS: u64 = 10_000_000;

/// A block of memory behind an argument.
struct Block {
    object: u32,
    kind: ObjectKind,
    /// `None` where nobody has written anything.
    bytes: Vec<Option<u8>>,
    /// Everything in it was written before the call.
    is_known: bool,
    /// Where pointers are in it, and what to.
    pointers: Vec<(usize, Target)>,
    /// Where pointers to functions are in it.
    functions: Vec<(usize, String)>,
}

/// A place in a block.
#[derive(Clone, Copy)]
struct Target {
    block: usize,
    offset: i32,
}

/// The arguments at the moment of the call.
#[derive(Default)]
struct AtEntry {
    arguments: Vec<(LocalId, Value)>,
    /// Arguments that are functions.
    functions: Vec<(LocalId, String)>,
    blocks: Vec<Block>,
}

impl Observer for AtEntry {
    const EVENTS: bool = true;

    fn entered(&mut self, view: &View<'_>) -> ControlFlow<()> {
        let program = view.program();
        if view.function() != program.entry {
            return ControlFlow::Continue(());
        }
        let params = program.function(program.entry).params.clone();
        for param in params {
            if let Some(value) = view.local(param) {
                self.arguments.push((param, value));
                if value.ty == Ty::Ptr {
                    let pointer = value.bits as u64;
                    self.functions
                        .extend(function_at(view, pointer).map(|name| (param, name)));
                    self.block_at(view, pointer);
                }
            }
        }
        ControlFlow::Break(())
    }
}

/// The function that a pointer points to.
fn function_at(view: &View<'_>, pointer: u64) -> Option<String> {
    match view.pointee(pointer)?.kind {
        ObjectKind::Function(id) => Some(view.program().function(id).name.clone()),
        _ => None,
    }
}

impl AtEntry {
    /// The block that a pointer points into, taken up if it is new.
    fn block_at(&mut self, view: &View<'_>, pointer: u64) -> Option<Target> {
        let pointee = view.pointee(pointer)?;
        if matches!(pointee.kind, ObjectKind::Function(_)) || pointee.size > MAX_SIZE {
            return None;
        }
        let offset = pointee.offset;
        if let Some(block) = self.blocks.iter().position(|b| b.object == pointee.object) {
            return Some(Target { block, offset });
        }
        if self.blocks.len() >= MAX_OBJECTS {
            return None;
        }
        let start = pointer.wrapping_sub(offset as i64 as u64);
        let byte = |i: u64| view.bytes(start.wrapping_add(i), 1).ok().map(|b| b[0]);
        let block = self.blocks.len();
        let bytes: Vec<Option<u8>> = (0..u64::from(pointee.size)).map(byte).collect();
        self.blocks.push(Block {
            object: pointee.object,
            kind: pointee.kind,
            is_known: bytes.iter().all(Option::is_some),
            bytes,
            pointers: Vec::new(),
            functions: Vec::new(),
        });
        let width = view.program().types.model.pointer_size();
        for at in (0..u64::from(pointee.size)).step_by(width as usize) {
            let Ok(value) = view.load(start.wrapping_add(at), Ty::Ptr) else {
                continue;
            };
            if let Some(name) = function_at(view, value.bits as u64) {
                self.blocks[block].functions.push((at as usize, name));
                continue;
            }
            if let Some(target) = self.block_at(view, value.bits as u64) {
                self.blocks[block].pointers.push((at as usize, target));
            }
        }
        Some(Target { block, offset })
    }

    /// What the run read of memory that nobody had written was there from the start.
    fn fill(&mut self, inputs: &[DrawnInput]) {
        for input in inputs {
            let InputOrigin::Unwritten(unwritten) = input.origin else {
                continue;
            };
            let block = self.blocks.iter_mut().find(|b| b.kind == unwritten.object);
            let Some(block) = block else { continue };
            let bytes = input.bits.to_le_bytes();
            let end = unwritten.size.min(16) as usize;
            for (i, byte) in bytes[..end].iter().enumerate() {
                if let Some(slot @ None) = block.bytes.get_mut(unwritten.offset as usize + i) {
                    *slot = Some(*byte);
                }
            }
        }
    }
}

/// The name of an object that is a variable of the program's text, outside of functions.
fn variable(program: &Program, kind: ObjectKind) -> Option<&str> {
    let ObjectKind::Global(global) = kind else {
        return None;
    };
    let name = program.global(global).name.as_str();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (!name.is_empty() && name.chars().all(is_plain)).then_some(name)
}

/// The file that defines the entry function, as the place says it.
pub fn defining_file(program: &Program, files: &[PathBuf]) -> Option<PathBuf> {
    let place = program.sources.place(program.function(program.entry).span);
    let file = place.map(|p| PathBuf::from(p.file));
    let found = file.and_then(|file| files.iter().find(|f| **f == file).cloned());
    found.or_else(|| files.first().cloned())
}

/// The text of the harness before other functions: the program's own text, of which a `main` gets another name.
pub fn include(program: &Program, files: &[PathBuf]) -> String {
    let Some(file) = defining_file(program, files) else {
        return String::new();
    };
    let whole = std::fs::canonicalize(&file).unwrap_or(file);
    // Contracts are no C.
    let contracts: String = ["requires", "ensures", "assigns", "frees"]
        .map(|word| format!("#define __CPROVER_{word}(...)\n"))
        .concat();
    format!(
        "{contracts}#define main program_main\n#include \"{}\"\n#undef main\n#include <string.h>\n\n",
        whole.display()
    )
}

/// The `main` that calls the entry function as the run did.
pub fn main_function(program: &Program, inputs: &[DrawnInput]) -> String {
    let mut seen = arguments(program, inputs);
    seen.fill(inputs);
    let (before, allocate) = if fails_in_library(program, inputs) {
        (GUARDED, "guarded")
    } else {
        ("", "malloc")
    };
    let mut text = format!("{before}int main(void) {{\n");
    for (i, block) in seen.blocks.iter().enumerate() {
        let n = block.bytes.len();
        let own = variable(program, block.kind);
        let _ = match own {
            Some(name) => writeln!(text, "    char *block{i} = (char *)&{name};"),
            None => writeln!(text, "    char *block{i} = {allocate}({n});"),
        };
        if own.is_some() && block.is_known {
            // The program's own text says what is in it.
            continue;
        }
        let bytes: Vec<String> = (block.bytes.iter())
            .map(|byte| format!("\\x{:02x}", byte.unwrap_or(0)))
            .collect();
        if !bytes.is_empty() {
            let content = bytes.concat();
            let _ = writeln!(
                text,
                "    memcpy(block{i}, \"{content}\", {});",
                block.bytes.len()
            );
        }
    }
    for (i, block) in seen.blocks.iter().enumerate() {
        for (at, target) in &block.pointers {
            let _ = writeln!(
                text,
                "    *(void **)(block{i} + {at}) = block{} + {};",
                target.block, target.offset
            );
        }
    }
    for (i, block) in seen.blocks.iter().enumerate() {
        for (at, name) in &block.functions {
            let _ = writeln!(text, "    *(void **)(block{i} + {at}) = (void *){name};");
        }
    }
    let entry = program.function(program.entry);
    let argument_of = |(param, value): &(LocalId, Value)| {
        let function = seen.functions.iter().find(|(of, _)| of == param);
        match function {
            Some((_, name)) => format!("(void *){name}"),
            None => argument(program, *param, *value, &seen.blocks),
        }
    };
    let list: Vec<String> = (seen.arguments.iter())
        .filter(|(param, _)| !entry.local(*param).name.starts_with('%'))
        .map(argument_of)
        .collect();
    let _ = writeln!(
        text,
        "    {}({});\n    return 0;\n}}\n",
        entry.name,
        list.join(", ")
    );
    text
}

/// No sanitizer sees what the C library does by itself. There, blocks end where the memory ends.
const GUARDED: &str = "\
#include <sys/mman.h>
static char *guarded(size_t size) {
    size_t room = (size + 4095) / 4096 * 4096;
    char *start = mmap(0, room + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED || mprotect(start + room, 4096, PROT_NONE) != 0)
        exit(2);
    return start + room - size;
}

";

/// Whether the run ends with an access that the C library makes.
fn fails_in_library(program: &Program, inputs: &[DrawnInput]) -> bool {
    let outcome = run(program, inputs, &mut NoObserver);
    let function = program.function(outcome.place.function);
    matches!(outcome.end, End::Fault(_)) && function.origin == FunctionOrigin::Library
}

fn arguments(program: &Program, inputs: &[DrawnInput]) -> AtEntry {
    let mut seen = AtEntry::default();
    run(program, inputs, &mut seen);
    seen
}

fn run<O: Observer>(program: &Program, inputs: &[DrawnInput], observer: &mut O) -> Outcome {
    let compiled = Compiled::new(Arc::new(program.clone()), &CompileOptions::default());
    let options = RunOptions {
        max_steps: MAX_STEPS,
        ..RunOptions::default()
    };
    let bits = inputs.iter().map(|input| input.bits).collect();
    let mut source = FixedInputs::new(bits, ZeroInputs);
    Machine::new(&compiled, options).run(&mut source, observer, &Budget::unlimited())
}

fn argument(program: &Program, param: LocalId, value: Value, blocks: &[Block]) -> String {
    let ty = program.function(program.entry).local(param).ty;
    if value.ty != Ty::Ptr {
        let drawn = DrawnInput {
            origin: InputOrigin::Site(idiolect_ir::InputId(0)),
            ty: value.ty,
            signed: false,
            bits: value.bits,
        };
        // A type without a name cannot be written down; C converts to it by itself.
        let name = program.types.name(ty);
        let cast = if name.contains('<') {
            String::new()
        } else {
            format!("({name})")
        };
        return format!("{cast}{}", literal(&drawn));
    }
    let object = idiolect_ir::memory::object_of(value.bits as u64);
    let offset = idiolect_ir::memory::offset_of(value.bits as u64);
    let pointer = match blocks.iter().position(|b| b.object == object) {
        Some(block) => format!("(void *)(block{block} + {offset})"),
        None => format!("(void *){:#x}", value.bits),
    };
    match program.types.get(ty) {
        CType::Record(_) => format!("*({} *){pointer}", program.types.name(ty)),
        _ => pointer,
    }
}

/// Whether the program starts at a function other than `main`.
pub fn is_entry(program: &Program) -> bool {
    program.function(program.entry).name != "main"
}

/// The files that are compiled beside the harness, which has the text of one already.
pub fn other_files(program: &Program, files: &[PathBuf]) -> Vec<String> {
    let own = defining_file(program, files);
    let others = files
        .iter()
        .filter(|f| own.as_deref() != Some(Path::new(f)));
    others.map(|f| f.display().to_string()).collect()
}
