//! Programs to text.

mod body;

pub use body::FunctionText;

use super::names::{Handles, quoted};
use super::words::{
    ASSUMPTION_KINDS, FLOAT_KINDS, INT_KINDS, LOCAL_KINDS, MARK_KINDS, MODELS, ORIGINS, ty_word,
    word_of,
};
use crate::ctype::{ArrayLength, CType, EnumId, RecordId, TypeId};
use crate::expr::ExprId;
use crate::program::{FuncId, Global, GlobalTarget, InputKind, InputSite, LocalStorage, Program};
use body::{BodyNames, BodyPrinter};
use idiolect_base::Span;
use std::cell::OnceCell;
use std::fmt::Write as _;

/// What to write beside the program itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PrintOptions {
    /// Comments with file and line of statements.
    pub places: bool,
}

/// The whole program as text that [`parse`](super::parse()) reads.
pub fn print(program: &Program) -> String {
    print_with(program, PrintOptions::default())
}

/// As [`print()`], with comments as asked for.
pub fn print_with(program: &Program, options: PrintOptions) -> String {
    let mut out = String::new();
    let printer = Printer::new(program, options);
    printer.header(&mut out);
    for id in program.function_ids() {
        out.push('\n');
        printer.function(&mut out, id);
    }
    out
}

/// One function as text. Its types are numbers, whose meaning the whole program's text gives.
pub fn print_function(program: &Program, function: FuncId, options: PrintOptions) -> String {
    let mut out = String::new();
    if function.index() < program.functions.len() {
        Printer::new(program, options).function(&mut out, function);
    }
    out
}

/// Some functions as text, one after the other: names are made once for all of them.
pub fn print_functions(
    program: &Program,
    functions: &[FuncId],
    options: PrintOptions,
    mut tell: impl FnMut(&str),
) {
    let printer = Printer::new(program, options);
    for &function in functions {
        let mut out = String::new();
        printer.function(&mut out, function);
        tell(&out);
    }
}

struct Printer<'a> {
    program: &'a Program,
    options: PrintOptions,
    /// Made when first asked for: the text of a single statement seldom needs them.
    functions: OnceCell<Handles>,
    globals: OnceCell<Handles>,
}

impl<'a> Printer<'a> {
    fn new(program: &'a Program, options: PrintOptions) -> Self {
        Self {
            program,
            options,
            functions: OnceCell::new(),
            globals: OnceCell::new(),
        }
    }

    fn functions(&self) -> &Handles {
        self.functions
            .get_or_init(|| Handles::new(self.program.functions.iter().map(|f| f.name.as_str())))
    }

    fn globals(&self) -> &Handles {
        self.globals
            .get_or_init(|| Handles::new(self.program.globals.iter().map(|g| g.name.as_str())))
    }

    fn header(&self, out: &mut String) {
        let program = self.program;
        let types = &program.types;
        let _ = writeln!(
            out,
            "program {} start {} entry {}",
            word_of(MODELS, &types.model),
            self.functions().get(program.start.index()),
            self.functions().get(program.entry.index())
        );
        for i in 0..types.len() {
            let _ = writeln!(out, "type t{i} = {}", self.ctype(types.get(TypeId::new(i))));
        }
        for i in 0..types.n_enums() {
            self.enumeration(out, EnumId::new(i));
        }
        for i in 0..types.n_records() {
            self.record(out, RecordId::new(i));
        }
        for (i, global) in program.globals.iter().enumerate() {
            self.global(out, i, global);
        }
        for (i, input) in program.inputs.iter().enumerate() {
            self.input(out, i, input);
        }
        for (i, mark) in program.marks.iter().enumerate() {
            let kind = word_of(MARK_KINDS, &mark.kind);
            let _ = write!(out, "mark m{i} {kind} {}", quoted(mark.name.as_bytes()));
            self.end_line(out, mark.span);
        }
        for (i, assumption) in program.assumptions.iter().enumerate() {
            let kind = word_of(ASSUMPTION_KINDS, &assumption.kind);
            let text = quoted(assumption.text.as_bytes());
            let _ = write!(out, "assumption u{i} {kind} {text}");
            if let Some(option) = &assumption.option {
                let _ = write!(out, " option {}", quoted(option.as_bytes()));
            }
            self.end_line(out, assumption.span);
        }
    }

    /// Ends the line, with the place as a comment if asked for.
    fn end_line(&self, out: &mut String, span: Span) {
        if self.options.places
            && let Some(place) = self.program.sources.place(span)
        {
            // File names may contain anything, line breaks too.
            let file = quoted(place.file.as_bytes());
            let _ = write!(out, "  ; {}:{}", file.trim_matches('"'), place.line);
        }
        out.push('\n');
    }

    fn ctype(&self, ty: &CType) -> String {
        match ty {
            CType::Void => "void".into(),
            CType::Bool => "bool".into(),
            CType::Int(kind) => word_of(INT_KINDS, kind).into(),
            CType::Float(kind) => word_of(FLOAT_KINDS, kind).into(),
            CType::Enum(id) => format!("enum e{}", id.0),
            CType::Record(id) => format!("record r{}", id.0),
            CType::Pointer(to) => format!("pointer t{}", to.0),
            CType::Array { element, length } => match length {
                ArrayLength::Known(n) => format!("array t{} {n}", element.0),
                ArrayLength::Unknown => format!("array t{}", element.0),
                ArrayLength::Variable(local) => {
                    format!("array t{} in #{}", element.0, local.0)
                }
            },
            CType::Function(f) => {
                let mut params: Vec<String> =
                    f.params.iter().map(|p| format!("t{}", p.0)).collect();
                if f.variadic {
                    params.push("...".into());
                }
                let keyword = if f.prototype { "fn" } else { "oldfn" };
                format!("{keyword}({}) -> t{}", params.join(", "), f.ret.0)
            }
            CType::VaList => "va_list".into(),
        }
    }

    fn enumeration(&self, out: &mut String, id: EnumId) {
        let e = self.program.types.enumeration(id);
        let _ = write!(out, "enum e{}", id.0);
        if let Some(tag) = &e.tag {
            let _ = write!(out, " {}", quoted(tag.as_bytes()));
        }
        let _ = write!(out, " {}", word_of(INT_KINDS, &e.underlying));
        if !e.complete {
            out.push_str(" incomplete");
        }
        out.push_str(" {");
        for (name, value) in &e.enumerators {
            let _ = write!(out, " {} = {value}", quoted(name.as_bytes()));
        }
        out.push_str(" }\n");
    }

    fn record(&self, out: &mut String, id: RecordId) {
        let record = self.program.types.record(id);
        let keyword = if record.is_union { "union" } else { "struct" };
        let _ = write!(out, "{keyword} r{}", id.0);
        if let Some(tag) = &record.tag {
            let _ = write!(out, " {}", quoted(tag.as_bytes()));
        }
        let Some(layout) = &record.layout else {
            out.push_str(" incomplete\n");
            return;
        };
        let _ = writeln!(out, " size {} align {} {{", layout.size, layout.align);
        for field in &layout.fields {
            out.push_str("  field");
            if let Some(name) = &field.name {
                let _ = write!(out, " {}", quoted(name.as_bytes()));
            }
            let _ = write!(out, ": t{} at {}", field.ty.0, field.offset);
            if let Some(bits) = field.bits {
                let _ = write!(out, " bits {} {}", bits.offset, bits.width);
            }
            out.push('\n');
        }
        out.push_str("}\n");
    }

    fn global(&self, out: &mut String, index: usize, global: &Global) {
        let _ = write!(
            out,
            "global {}: t{} size {} align {}",
            self.globals().introduction(index, &global.name),
            global.ty.0,
            global.size,
            global.align
        );
        if global.read_only {
            out.push_str(" readonly");
        }
        if global.is_unwritten {
            out.push_str(" unwritten");
        }
        if global.is_library {
            out.push_str(" library");
        }
        if let Some(function) = &global.function {
            let _ = write!(out, " in {}", quoted(function.as_bytes()));
        }
        if !global.bytes.is_empty() {
            let _ = write!(out, " bytes {}", quoted(&global.bytes));
        }
        for relocation in &global.relocations {
            let target = match relocation.target {
                GlobalTarget::Global(id) => format!("@{}", self.globals().get(id.index())),
                GlobalTarget::Function(id) => format!("&{}()", self.functions().get(id.index())),
            };
            let _ = write!(out, " at {} {target}", relocation.offset);
            if relocation.addend != 0 {
                let _ = write!(out, " plus {}", relocation.addend);
            }
        }
        self.end_line(out, global.span);
    }

    fn input(&self, out: &mut String, index: usize, input: &InputSite) {
        let (kind, name) = match &input.kind {
            InputKind::Nondet(name) => ("nondet", Some(name)),
            InputKind::Parameter(name) => ("parameter", Some(name)),
            InputKind::Uninitialized(name) => ("uninitialized", Some(name)),
            InputKind::External(name) => ("external", Some(name)),
            InputKind::Environment(name) => ("environment", Some(name)),
            InputKind::Stdin => ("stdin", None),
            InputKind::ArgumentCount => ("argc", None),
            InputKind::ArgumentByte { .. } => ("argv", None),
            InputKind::Variable(name) => ("variable", Some(name)),
            InputKind::VariableByte { variable, .. } => ("value", Some(variable)),
            InputKind::Effect(name) => ("effect", Some(name)),
        };
        let _ = write!(out, "input i{index} {kind}");
        if let Some(name) = name {
            let _ = write!(out, " {}", quoted(name.as_bytes()));
        }
        match &input.kind {
            InputKind::ArgumentByte { argument, byte } => {
                let _ = write!(out, " {argument} {byte}");
            }
            InputKind::VariableByte { byte, .. } => {
                let _ = write!(out, " {byte}");
            }
            _ => {}
        }
        let _ = write!(out, ": t{}", input.ty.0);
        self.end_line(out, input.span);
    }

    fn function(&self, out: &mut String, id: FuncId) {
        let function = self.program.function(id);
        let names = BodyNames::new(function);
        let body = BodyPrinter {
            printer: self,
            function,
            names: &names,
        };
        let params: Vec<&str> = function
            .params
            .iter()
            .map(|p| names.locals.get(p.index()))
            .collect();
        let _ = write!(
            out,
            "fn {}({})",
            self.functions().introduction(id.index(), &function.name),
            params.join(", ")
        );
        if let Some(ty) = function.ret {
            let _ = write!(out, " -> {}", ty_word(ty));
        }
        let _ = write!(
            out,
            " : t{} {}",
            function.ty.0,
            word_of(ORIGINS, &function.origin)
        );
        if function.variadic {
            out.push_str(" variadic");
        }
        out.push_str(" {");
        self.end_line(out, function.span);
        for (i, local) in function.locals.iter().enumerate() {
            let _ = write!(
                out,
                "  {} {}: t{} ",
                word_of(LOCAL_KINDS, &local.kind),
                names.locals.introduction(i, &local.name),
                local.ty.0
            );
            let _ = match local.storage {
                LocalStorage::Register(ty) => write!(out, "{}", ty_word(ty)),
                LocalStorage::Memory { size, align } => {
                    write!(out, "memory size {size} align {align}")
                }
                LocalStorage::Dynamic => write!(out, "dynamic"),
            };
            self.end_line(out, local.span);
        }
        for (i, named) in names.named.iter().enumerate() {
            if let Some(number) = named {
                let _ = write!(out, "  let !{number} = ");
                body.node(out, ExprId::new(i));
                out.push('\n');
            }
        }
        for (i, block) in function.blocks.iter().enumerate() {
            let _ = writeln!(out, "b{i}:");
            for stmt in &block.stmts {
                out.push_str("  ");
                body.stmt(out, &stmt.kind);
                self.end_line(out, stmt.span);
            }
            out.push_str("  ");
            body.terminator(out, &block.terminator.kind);
            self.end_line(out, block.terminator.span);
        }
        out.push_str("}\n");
    }
}
