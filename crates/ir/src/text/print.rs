//! Programs to text.

use super::MAX_DEPTH;
use super::names::{Handles, quoted};
use super::words::{
    BINARY, BUILTINS, CONVERT, FLOAT_KINDS, INT_KINDS, LOCAL_KINDS, MARK_KINDS, MODELS, ORIGINS,
    UNARY, ty_word, word_of,
};
use crate::ctype::{ArrayLength, CType, EnumId, RecordId, TypeId};
use crate::expr::{ConvertOp, ExprId, ExprKind, Ty};
use crate::program::{
    FuncId, Function, Global, GlobalTarget, InputKind, InputSite, LocalStorage, Program,
};
use crate::stmt::{Callee, ErrorKind, Place, StmtKind, TerminatorKind};
use idiolect_base::Span;
use std::cell::OnceCell;
use std::fmt::Write as _;

/// Shared expressions of at least this many nodes are written once.
const LET_SIZE: u32 = 32;

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
        for (i, unmodelled) in program.unmodelled.iter().enumerate() {
            let construct = quoted(unmodelled.construct.as_bytes());
            let _ = write!(out, "unmodelled u{i} {construct}");
            self.end_line(out, unmodelled.span);
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
            InputKind::ArgumentByte => ("argv", None),
        };
        let _ = write!(out, "input i{index} {kind}");
        if let Some(name) = name {
            let _ = write!(out, " {}", quoted(name.as_bytes()));
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

/// Single statements and expressions of one function as text. Expressions that the text of the
/// whole function has in a `let` are shown by the name that they have there.
pub struct FunctionText<'a> {
    printer: Printer<'a>,
    id: FuncId,
    names: BodyNames,
}

impl<'a> FunctionText<'a> {
    /// For statements of this function. Takes time linear in the function, and once in the program
    /// if a statement needs it: make one for many.
    pub fn new(program: &'a Program, id: FuncId) -> Self {
        Self {
            printer: Printer::new(program, PrintOptions::default()),
            names: BodyNames::new(program.function(id)),
            id,
        }
    }

    pub fn program(&self) -> &'a Program {
        self.printer.program
    }

    pub fn function(&self) -> &'a Function {
        self.printer.program.function(self.id)
    }

    pub fn expr(&self, id: ExprId) -> String {
        let mut out = String::new();
        self.body().expr(&mut out, id);
        out
    }

    pub fn stmt(&self, kind: &StmtKind) -> String {
        let mut out = String::new();
        self.body().stmt(&mut out, kind);
        out
    }

    pub fn terminator(&self, kind: &TerminatorKind) -> String {
        let mut out = String::new();
        self.body().terminator(&mut out, kind);
        out
    }

    fn body(&self) -> BodyPrinter<'_> {
        BodyPrinter {
            printer: &self.printer,
            function: self.function(),
            names: &self.names,
        }
    }
}

/// How the text of a function calls its parts.
struct BodyNames {
    locals: Handles,
    /// The number of the `let` of each expression that has one.
    named: Vec<Option<u32>>,
}

impl BodyNames {
    fn new(function: &Function) -> Self {
        Self {
            locals: Handles::new(function.locals.iter().map(|l| l.name.as_str())),
            named: named_exprs(function),
        }
    }
}

/// Writes the statements and expressions of one function.
struct BodyPrinter<'a> {
    printer: &'a Printer<'a>,
    function: &'a Function,
    names: &'a BodyNames,
}

impl BodyPrinter<'_> {
    /// An expression where it is used: itself or the name of its `let`.
    fn expr(&self, out: &mut String, id: ExprId) {
        match self.names.named.get(id.index()) {
            Some(Some(number)) => {
                let _ = write!(out, "!{number}");
            }
            Some(None) => self.node(out, id),
            None => out.push('?'),
        }
    }

    /// An expression in full. Recursion is at most `MAX_DEPTH` deep because deeper operands are
    /// named; in a malformed function operands may have larger ids, where it stops.
    fn node(&self, out: &mut String, id: ExprId) {
        let expr = self.function.expr(id);
        let operand = |out: &mut String, operand: ExprId| {
            if operand < id {
                self.expr(out, operand);
            } else {
                out.push('?');
            }
        };
        let list = |out: &mut String, operands: &[ExprId]| {
            out.push('(');
            for (i, &o) in operands.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                operand(out, o);
            }
            out.push(')');
        };
        match expr.kind {
            ExprKind::Const(bits) => out.push_str(&constant(bits, expr.ty)),
            ExprKind::Local(local) => out.push_str(self.names.locals.get(local.index())),
            ExprKind::LocalAddress(local) => {
                out.push('&');
                out.push_str(self.names.locals.get(local.index()));
            }
            ExprKind::GlobalAddress(global) => {
                out.push('@');
                out.push_str(self.printer.globals().get(global.index()));
            }
            ExprKind::FunctionAddress(function) => {
                let name = self.printer.functions().get(function.index());
                let _ = write!(out, "&{name}()");
            }
            ExprKind::Load { address } => {
                let _ = write!(out, "load.{}", ty_word(expr.ty));
                list(out, &[address]);
            }
            ExprKind::Unary(op, a) => {
                out.push_str(word_of(UNARY, &op));
                list(out, &[a]);
            }
            ExprKind::Binary(op, a, b) => {
                out.push_str(word_of(BINARY, &op));
                list(out, &[a, b]);
            }
            ExprKind::Convert(op, a) => {
                out.push_str(word_of(CONVERT, &op));
                // The other pointer conversion has one target only.
                if op != ConvertOp::IntToPtr {
                    let _ = write!(out, ".{}", ty_word(expr.ty));
                }
                list(out, &[a]);
            }
            ExprKind::And(a, b) => {
                out.push_str("and");
                list(out, &[a, b]);
            }
            ExprKind::Or(a, b) => {
                out.push_str("or");
                list(out, &[a, b]);
            }
            ExprKind::Select {
                condition,
                then,
                otherwise,
            } => {
                out.push_str("select");
                list(out, &[condition, then, otherwise]);
            }
            ExprKind::PtrAdd { base, index, scale } => {
                out.push_str("ptradd(");
                operand(out, base);
                out.push_str(", ");
                operand(out, index);
                let _ = write!(out, ", {scale})");
            }
        }
    }

    fn place(&self, out: &mut String, place: Place) {
        match place {
            Place::Local(local) => out.push_str(self.names.locals.get(local.index())),
            Place::Memory { address, ty } => {
                let _ = write!(out, "mem.{}[", ty_word(ty));
                self.expr(out, address);
                out.push(']');
            }
            Place::Bits {
                address,
                unit,
                offset,
                width,
            } => {
                let _ = write!(out, "bits.{}[", ty_word(unit));
                self.expr(out, address);
                let _ = write!(out, ", {offset}, {width}]");
            }
        }
    }

    /// One statement, without a line break.
    fn stmt(&self, out: &mut String, kind: &StmtKind) {
        match kind {
            StmtKind::Assign { place, value } => {
                self.place(out, *place);
                out.push_str(" := ");
                self.expr(out, *value);
            }
            StmtKind::Havoc { place, input } => {
                out.push_str("havoc ");
                self.place(out, *place);
                let _ = write!(out, " from i{}", input.0);
            }
            StmtKind::Assume { condition } => {
                out.push_str("assume ");
                self.expr(out, *condition);
            }
            StmtKind::Copy { to, from, size } => {
                out.push_str("copy ");
                self.expr(out, *to);
                out.push_str(", ");
                self.expr(out, *from);
                let _ = write!(out, ", {size}");
            }
            StmtKind::Zero { to, size } => {
                out.push_str("zero ");
                self.expr(out, *to);
                let _ = write!(out, ", {size}");
            }
            StmtKind::Declare { local, size } => {
                out.push_str("declare ");
                out.push_str(self.names.locals.get(local.index()));
                if let Some(size) = size {
                    out.push_str(", ");
                    self.expr(out, *size);
                }
            }
            StmtKind::Call { dest, callee, args } => {
                if let Some(place) = dest {
                    self.place(out, *place);
                    out.push_str(" := ");
                }
                out.push_str("call ");
                match callee {
                    Callee::Function(id) => {
                        out.push_str(self.printer.functions().get(id.index()));
                    }
                    Callee::Pointer { target, ty } => {
                        out.push('(');
                        self.expr(out, *target);
                        let _ = write!(out, ": t{})", ty.0);
                    }
                    Callee::Builtin(builtin) => {
                        out.push_str("builtin ");
                        out.push_str(word_of(BUILTINS, builtin));
                    }
                }
                out.push('(');
                for (i, &arg) in args.iter().enumerate() {
                    if i > 0 {
                        out.push_str(", ");
                    }
                    self.expr(out, arg);
                }
                out.push(')');
            }
            StmtKind::Mark { mark, condition } => {
                let _ = write!(out, "mark m{}", mark.0);
                if let Some(condition) = condition {
                    out.push_str(" if ");
                    self.expr(out, *condition);
                }
            }
        }
    }

    /// How a block ends, without a line break.
    fn terminator(&self, out: &mut String, kind: &TerminatorKind) {
        match kind {
            TerminatorKind::Goto(to) => {
                let _ = write!(out, "goto b{}", to.0);
            }
            TerminatorKind::Branch {
                condition,
                then,
                otherwise,
            } => {
                out.push_str("branch ");
                self.expr(out, *condition);
                let _ = write!(out, " b{} b{}", then.0, otherwise.0);
            }
            TerminatorKind::Return(None) => out.push_str("return"),
            TerminatorKind::Return(Some(value)) => {
                out.push_str("return ");
                self.expr(out, *value);
            }
            TerminatorKind::Exit(status) => {
                out.push_str("exit ");
                self.expr(out, *status);
            }
            TerminatorKind::Abort => out.push_str("abort"),
            TerminatorKind::Error(ErrorKind::Assert(text)) => {
                let _ = write!(out, "error assert {}", quoted(text.as_bytes()));
            }
            TerminatorKind::Error(ErrorKind::ReachError) => out.push_str("error reach"),
            TerminatorKind::Trap(index) => {
                let _ = write!(out, "trap u{index}");
            }
            TerminatorKind::Unreachable => out.push_str("unreachable"),
        }
    }
}

/// Which expressions get a `let`, numbered in order.
///
/// The choice survives reading the text back. Only expressions that statements reach count. One
/// that is shared and large is named whatever its users are, so it still has its two uses; an
/// unnamed large one has one user, which by the same argument is written once; small ones may be
/// written several times, but size and depth are those of their terms and do not change.
fn named_exprs(function: &Function) -> Vec<Option<u32>> {
    let n = function.exprs.len();
    let mut uses = vec![0u32; n];
    let mut count = |id: ExprId| {
        if let Some(uses) = uses.get_mut(id.index()) {
            *uses = uses.saturating_add(1);
        }
    };
    for block in &function.blocks {
        for stmt in &block.stmts {
            stmt.kind.for_each_expr(&mut count);
        }
        block
            .terminator
            .kind
            .expr()
            .into_iter()
            .for_each(&mut count);
    }
    for i in (0..n).rev() {
        if uses[i] > 0 {
            function.exprs[i].kind.for_each_operand(|operand| {
                if operand.index() < i {
                    uses[operand.index()] = uses[operand.index()].saturating_add(1);
                }
            });
        }
    }
    let mut named = vec![None; n];
    // Size and depth of what is written where the expression is used.
    let mut extent = vec![(1u32, 1u32); n];
    let mut n_named = 0;
    for i in 0..n {
        if uses[i] == 0 {
            continue;
        }
        let (mut size, mut depth) = (1u32, 1u32);
        function.exprs[i].kind.for_each_operand(|operand| {
            if let Some(&(s, d)) = extent.get(operand.index()) {
                size = size.saturating_add(s);
                depth = depth.max(d + 1);
            }
        });
        if depth >= MAX_DEPTH || (uses[i] > 1 && size >= LET_SIZE) {
            named[i] = Some(n_named);
            n_named += 1;
        } else {
            extent[i] = (size, depth);
        }
    }
    named
}

fn constant(bits: u128, ty: Ty) -> String {
    match ty {
        Ty::BOOL if bits < 2 => if bits == 1 { "true" } else { "false" }.into(),
        Ty::Int(width @ 1..=128) => {
            let unused = 128 - u32::from(width);
            if bits.leading_zeros() < unused {
                return format!("{bits:#x}:i{width}");
            }
            let value = ((bits << unused) as i128) >> unused;
            format!("{value}:i{width}")
        }
        Ty::Ptr if bits == 0 => "null".into(),
        Ty::F32
            if let Ok(bits) = u32::try_from(bits)
                && f32::from_bits(bits).is_finite() =>
        {
            format!("{:?}:f32", f32::from_bits(bits))
        }
        Ty::F64
            if let Ok(bits) = u64::try_from(bits)
                && f64::from_bits(bits).is_finite() =>
        {
            format!("{:?}:f64", f64::from_bits(bits))
        }
        _ => format!("{bits:#x}:{}", ty_word(ty)),
    }
}
