//! The syntax tree as compact s-expressions, for `idiolect debug ast` and for tests.
//!
//! One statement or declaration a line. A declarator is its name and, from the name outward, what
//! is built around it: `(a [3] *)` is an array of three pointers. Derivations are `*`, `[…]` and
//! `(fn …)`; `implicit-int` marks a type that was not written.

use crate::ast::{
    Alignment, ArrayLength, Attribute, BinaryOp, Block, Declaration, Declarator, Derivation,
    Designator, EnumSpecifier, Expr, ExprKind, FieldDeclaration, FloatSuffix, ForInit,
    FunctionDefinition, Initializer, InitializerList, Item, Label, LiteralEncoding, Parameters,
    Qualifiers, RecordKind, RecordSpecifier, Specifiers, StaticAssert, Stmt, StmtKind, Storage,
    TranslationUnit, TypeName, TypeSpecifier, UnaryOp,
};
use crate::symbols::{Symbol, Symbols};
use std::fmt::Write as _;

/// Writes a whole file. Recurses as deep as the tree is: call it within
/// [`with_big_stack`](crate::parser::with_big_stack).
pub fn dump(unit: &TranslationUnit, symbols: &Symbols) -> String {
    let mut dumper = Dumper {
        symbols,
        out: String::new(),
        indent: 0,
    };
    for item in &unit.items {
        match item {
            Item::Function(function) => dumper.function("function", function),
            Item::Declaration(declaration) => dumper.declaration(declaration),
            Item::Asm(_) => dumper.put("(asm)"),
        }
        dumper.out.push('\n');
    }
    dumper.out
}

struct Dumper<'a> {
    symbols: &'a Symbols,
    out: String,
    indent: usize,
}

impl Dumper<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn name(&mut self, symbol: Symbol) {
        self.out.push_str(self.symbols.name(symbol));
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        // Deeper than this nobody counts, and blanks must not be most of the text.
        for _ in 0..self.indent.min(100) {
            self.out.push_str("  ");
        }
    }

    /// `(head …)` with the rest written by `f`.
    fn list(&mut self, head: &str, f: impl FnOnce(&mut Self)) {
        self.out.push('(');
        self.out.push_str(head);
        f(self);
        self.out.push(')');
    }

    fn function(&mut self, head: &str, function: &FunctionDefinition) {
        self.list(head, |d| {
            d.put(" ");
            d.specifiers(&function.specifiers);
            d.put(" ");
            d.declarator(&function.declarator);
            d.indent += 1;
            for declaration in &function.kr_declarations {
                d.new_line();
                d.put("parameter ");
                d.declaration(declaration);
            }
            d.statements(&function.body);
            d.indent -= 1;
        });
    }

    fn declaration(&mut self, declaration: &Declaration) {
        if let Some(assertion) = &declaration.static_assert {
            return self.static_assert(assertion);
        }
        self.list("declare ", |d| {
            d.specifiers(&declaration.specifiers);
            for declarator in &declaration.declarators {
                d.put(" ");
                d.declarator(&declarator.declarator);
                if let Some(initializer) = &declarator.initializer {
                    d.put(" = ");
                    d.initializer(initializer);
                }
            }
        });
    }

    fn static_assert(&mut self, assertion: &StaticAssert) {
        self.list("static-assert ", |d| {
            d.expr(&assertion.condition);
            if let Some(message) = &assertion.message {
                d.put(" ");
                d.expr(message);
            }
        });
    }

    fn specifiers(&mut self, specifiers: &Specifiers) {
        self.put("(");
        match specifiers.storage {
            Some(Storage::Typedef) => self.put("typedef "),
            Some(Storage::Extern) => self.put("extern "),
            Some(Storage::Static) => self.put("static "),
            Some(Storage::Auto) => self.put("auto "),
            Some(Storage::Register) => self.put("register "),
            None => {}
        }
        for (set, word) in [
            (specifiers.thread_local, "thread-local "),
            (specifiers.inline, "inline "),
            (specifiers.noreturn, "noreturn "),
        ] {
            if set {
                self.put(word);
            }
        }
        for alignment in &specifiers.alignas {
            self.list("alignas ", |d| match alignment {
                Alignment::Type(ty) => d.type_name(ty),
                Alignment::Expr(expr) => d.expr(expr),
            });
            self.put(" ");
        }
        self.qualifiers(specifiers.qualifiers);
        self.type_specifier(&specifiers.ty);
        self.attributes(&specifiers.attributes);
        self.put(")");
    }

    fn qualifiers(&mut self, qualifiers: Qualifiers) {
        for (set, word) in [
            (qualifiers.is_const, "const "),
            (qualifiers.is_volatile, "volatile "),
            (qualifiers.is_restrict, "restrict "),
            (qualifiers.is_atomic, "atomic "),
        ] {
            if set {
                self.put(word);
            }
        }
    }

    fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            self.put(" @");
            self.name(attribute.name.symbol);
            for argument in &attribute.arguments {
                self.put(":");
                self.expr(argument);
            }
        }
    }

    fn type_specifier(&mut self, ty: &TypeSpecifier) {
        let word = match ty {
            TypeSpecifier::Void => "void",
            TypeSpecifier::Bool => "bool",
            TypeSpecifier::Char => "char",
            TypeSpecifier::SignedChar => "signed-char",
            TypeSpecifier::UnsignedChar => "unsigned-char",
            TypeSpecifier::Short => "short",
            TypeSpecifier::UnsignedShort => "unsigned-short",
            TypeSpecifier::Int => "int",
            TypeSpecifier::UnsignedInt => "unsigned",
            TypeSpecifier::Long => "long",
            TypeSpecifier::UnsignedLong => "unsigned-long",
            TypeSpecifier::LongLong => "long-long",
            TypeSpecifier::UnsignedLongLong => "unsigned-long-long",
            TypeSpecifier::Int128 => "int128",
            TypeSpecifier::UnsignedInt128 => "unsigned-int128",
            TypeSpecifier::Float => "float",
            TypeSpecifier::Double => "double",
            TypeSpecifier::LongDouble => "long-double",
            TypeSpecifier::Float128 => "float128",
            TypeSpecifier::Complex(_) => "complex",
            TypeSpecifier::AutoType => "auto-type",
            TypeSpecifier::VaList => "va-list",
            TypeSpecifier::ImplicitInt => "implicit-int",
            TypeSpecifier::Error => "error",
            TypeSpecifier::TypedefName(name) => return self.name(name.symbol),
            TypeSpecifier::Record(record) => return self.record(record),
            TypeSpecifier::Enum(enumeration) => return self.enumeration(enumeration),
            TypeSpecifier::TypeofExpr(expr) => return self.list("typeof ", |d| d.expr(expr)),
            TypeSpecifier::TypeofType(ty) => return self.list("typeof-type ", |d| d.type_name(ty)),
            TypeSpecifier::Atomic(ty) => return self.list("atomic ", |d| d.type_name(ty)),
        };
        self.put(word);
    }

    fn record(&mut self, record: &RecordSpecifier) {
        self.put(match record.kind {
            RecordKind::Struct => "struct",
            RecordKind::Union => "union",
        });
        if let Some(tag) = record.tag {
            self.put(" ");
            self.name(tag.symbol);
        }
        if let Some(fields) = &record.fields {
            self.put(" {");
            for (i, field) in fields.iter().enumerate() {
                if i > 0 {
                    self.put(" ");
                }
                self.field(field);
            }
            self.put("}");
        }
        self.attributes(&record.attributes);
    }

    fn field(&mut self, field: &FieldDeclaration) {
        if let Some(assertion) = &field.static_assert {
            return self.static_assert(assertion);
        }
        self.list("", |d| {
            d.specifiers(&field.specifiers);
            for declarator in &field.declarators {
                d.put(" ");
                d.declarator(&declarator.declarator);
                if let Some(width) = &declarator.width {
                    d.put(":");
                    d.expr(width);
                }
            }
        });
    }

    fn enumeration(&mut self, enumeration: &EnumSpecifier) {
        self.put("enum");
        if let Some(tag) = enumeration.tag {
            self.put(" ");
            self.name(tag.symbol);
        }
        if let Some(underlying) = &enumeration.underlying {
            self.put(" : ");
            self.type_name(underlying);
        }
        if let Some(enumerators) = &enumeration.enumerators {
            self.put(" {");
            for (i, enumerator) in enumerators.iter().enumerate() {
                if i > 0 {
                    self.put(" ");
                }
                self.name(enumerator.name.symbol);
                if let Some(value) = &enumerator.value {
                    self.put("=");
                    self.expr(value);
                }
            }
            self.put("}");
        }
        self.attributes(&enumeration.attributes);
    }

    fn declarator(&mut self, declarator: &Declarator) {
        self.put("(");
        match declarator.name {
            Some(name) => self.name(name.symbol),
            None => self.put("_"),
        }
        self.derivations(&declarator.derivations);
        self.attributes(&declarator.attributes);
        self.put(")");
    }

    fn derivations(&mut self, derivations: &[Derivation]) {
        for derivation in derivations {
            self.put(" ");
            match derivation {
                Derivation::Pointer(qualifiers) => {
                    self.put("*");
                    if *qualifiers != Qualifiers::default() {
                        self.qualifiers(*qualifiers);
                        let trimmed = self.out.trim_end().len();
                        self.out.truncate(trimmed);
                    }
                }
                Derivation::Array { length, qualifiers } => {
                    self.put("[");
                    self.qualifiers(*qualifiers);
                    match length {
                        ArrayLength::Unknown => {}
                        ArrayLength::Star => self.put("*"),
                        ArrayLength::Expr(expr) => self.expr(expr),
                    }
                    self.put("]");
                }
                Derivation::Function(parameters) => self.parameters(parameters),
            }
        }
    }

    fn parameters(&mut self, parameters: &Parameters) {
        match parameters {
            Parameters::Unspecified => self.put("(fn ?)"),
            Parameters::Names(names) => self.list("fn", |d| {
                for name in names {
                    d.put(" ");
                    d.name(name.symbol);
                }
            }),
            Parameters::Prototype {
                parameters,
                variadic,
            } => self.list("fn", |d| {
                for parameter in parameters {
                    d.put(" ");
                    d.specifiers(&parameter.specifiers);
                    d.declarator(&parameter.declarator);
                }
                if *variadic {
                    d.put(" ...");
                }
            }),
        }
    }

    fn type_name(&mut self, ty: &TypeName) {
        self.specifiers(&ty.specifiers);
        self.derivations(&ty.declarator.derivations);
        self.attributes(&ty.declarator.attributes);
    }

    fn initializer(&mut self, initializer: &Initializer) {
        match initializer {
            Initializer::Expr(expr) => self.expr(expr),
            Initializer::List(list) => self.initializer_list(list),
        }
    }

    fn initializer_list(&mut self, list: &InitializerList) {
        self.put("{");
        for (i, item) in list.items.iter().enumerate() {
            if i > 0 {
                self.put(" ");
            }
            if !item.designators.is_empty() {
                self.designators(&item.designators);
                self.put("=");
            }
            self.initializer(&item.value);
        }
        self.put("}");
    }

    fn designators(&mut self, designators: &[Designator]) {
        for designator in designators {
            match designator {
                Designator::Field(name) => {
                    self.put(".");
                    self.name(name.symbol);
                }
                Designator::Index(index) => {
                    self.put("[");
                    self.expr(index);
                    self.put("]");
                }
                Designator::Range(first, last) => {
                    self.put("[");
                    self.expr(first);
                    self.put(" ... ");
                    self.expr(last);
                    self.put("]");
                }
            }
        }
    }

    fn statements(&mut self, block: &Block) {
        for statement in &block.statements {
            self.new_line();
            self.statement(statement);
        }
    }

    /// A statement on a line of its own, below the one it belongs to.
    fn body(&mut self, statement: &Stmt) {
        self.indent += 1;
        self.new_line();
        self.statement(statement);
        self.indent -= 1;
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Empty => self.put("(empty)"),
            StmtKind::Expr(expr) => self.expr(expr),
            StmtKind::Declaration(declaration) => self.declaration(declaration),
            StmtKind::Block(block) => self.block(block),
            StmtKind::Labeled { labels, body } => self.list("labeled", |d| {
                for label in labels {
                    d.put(" ");
                    d.label(label);
                }
                d.body(body);
            }),
            StmtKind::If { .. } => self.list("", |d| d.if_chain(statement)),
            StmtKind::Switch { value, body } => self.list("switch ", |d| {
                d.expr(value);
                d.body(body);
            }),
            StmtKind::While { condition, body } => self.list("while ", |d| {
                d.expr(condition);
                d.body(body);
            }),
            StmtKind::DoWhile { body, condition } => self.list("do-while ", |d| {
                d.expr(condition);
                d.body(body);
            }),
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => self.list("for ", |d| {
                match init.as_deref() {
                    Some(ForInit::Declaration(declaration)) => d.declaration(declaration),
                    Some(ForInit::Expr(expr)) => d.expr(expr),
                    None => d.put("-"),
                }
                d.put(" ");
                d.optional(condition.as_ref());
                d.put(" ");
                d.optional(step.as_ref());
                d.body(body);
            }),
            StmtKind::Goto(label) => self.list("goto ", |d| d.name(label.symbol)),
            StmtKind::GotoComputed(expr) => self.list("goto* ", |d| d.expr(expr)),
            StmtKind::Continue => self.put("(continue)"),
            StmtKind::Break => self.put("(break)"),
            StmtKind::Return(value) => self.list("return", |d| {
                if let Some(value) = value {
                    d.put(" ");
                    d.expr(value);
                }
            }),
            StmtKind::Asm(asm) => self.list("asm ", |d| {
                let _ = write!(d.out, "{:?}", asm.template);
                for (head, operands) in [(" (out", &asm.outputs), (" (in", &asm.inputs)] {
                    d.put(head);
                    for operand in operands {
                        d.put(" ");
                        d.expr(&operand.expr);
                    }
                    d.put(")");
                }
            }),
            StmtKind::NestedFunction(function) => self.function("nested-function", function),
            StmtKind::Error => self.put("(error)"),
        }
    }

    /// `else if` goes on at the same indentation, however many there are.
    fn if_chain(&mut self, mut statement: &Stmt) {
        let mut head = "if ";
        while let StmtKind::If {
            condition,
            then,
            otherwise,
        } = &statement.kind
        {
            self.put(head);
            self.expr(condition);
            self.body(then);
            let Some(next) = otherwise else { return };
            statement = next;
            head = "else-if ";
            self.new_line();
        }
        self.put("else");
        self.body(statement);
    }

    fn optional(&mut self, expr: Option<&Expr>) {
        match expr {
            Some(expr) => self.expr(expr),
            None => self.put("-"),
        }
    }

    fn block(&mut self, block: &Block) {
        self.list("block", |d| {
            d.indent += 1;
            d.statements(block);
            d.indent -= 1;
        });
    }

    fn label(&mut self, label: &Label) {
        match label {
            Label::Named(name) => self.name(name.symbol),
            Label::Case { low, high, .. } => self.list("case ", |d| {
                d.expr(low);
                if let Some(high) = high {
                    d.put(" ... ");
                    d.expr(high);
                }
            }),
            Label::Default(_) => self.put("default"),
        }
    }

    /// `(head a b …)`
    fn operation(&mut self, head: &str, operands: &[&Expr]) {
        self.list(head, |d| {
            for operand in operands {
                d.put(" ");
                d.expr(operand);
            }
        });
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Ident(symbol) => self.name(*symbol),
            ExprKind::Int {
                value,
                suffix,
                decimal,
            } => {
                let _ = if *decimal {
                    write!(self.out, "{value}")
                } else {
                    write!(self.out, "{value:#x}")
                };
                self.put(if suffix.unsigned { "u" } else { "" });
                self.put(["", "l", "ll"][usize::from(suffix.longs.min(2))]);
            }
            ExprKind::Float { digits, suffix } => {
                self.put(digits);
                self.put(match suffix {
                    FloatSuffix::None => "",
                    FloatSuffix::Float => "f",
                    FloatSuffix::LongDouble => "l",
                    FloatSuffix::Float128 => "q",
                    FloatSuffix::Imaginary => "i",
                });
            }
            ExprKind::Char { value, encoding } => {
                let _ = write!(self.out, "{}'{value}'", prefix(*encoding));
            }
            ExprKind::String { units, encoding } => self.string(units, *encoding),
            ExprKind::Unary(op, operand) => self.operation(unary(*op), &[operand]),
            ExprKind::Binary(op, left, right) => self.operation(binary(*op), &[left, right]),
            ExprKind::Assign(op, left, right) => {
                let head = format!("{}=", op.map_or("", binary));
                self.operation(&head, &[left, right]);
            }
            ExprKind::Conditional(condition, Some(then), otherwise) => {
                self.operation("?", &[condition, then, otherwise]);
            }
            ExprKind::Conditional(condition, None, otherwise) => {
                self.operation("?:", &[condition, otherwise]);
            }
            ExprKind::Comma(left, right) => self.operation(",", &[left, right]),
            ExprKind::Call(function, arguments) => self.list("call ", |d| {
                d.expr(function);
                for argument in arguments {
                    d.put(" ");
                    d.expr(argument);
                }
            }),
            ExprKind::Index(base, index) => self.operation("index", &[base, index]),
            ExprKind::Member { base, field, arrow } => {
                self.list(if *arrow { "-> " } else { ". " }, |d| {
                    d.expr(base);
                    d.put(" ");
                    d.name(field.symbol);
                });
            }
            ExprKind::Cast(ty, operand) => self.list("cast ", |d| {
                d.type_name(ty);
                d.put(" ");
                d.expr(operand);
            }),
            ExprKind::CompoundLiteral(ty, list) => self.list("compound ", |d| {
                d.type_name(ty);
                d.put(" ");
                d.initializer_list(list);
            }),
            ExprKind::SizeofExpr(operand) => self.operation("sizeof", &[operand]),
            ExprKind::SizeofType(ty) => self.list("sizeof-type ", |d| d.type_name(ty)),
            ExprKind::AlignofExpr(operand) => self.operation("alignof", &[operand]),
            ExprKind::AlignofType(ty) => self.list("alignof-type ", |d| d.type_name(ty)),
            ExprKind::Block(block) => self.block(block),
            ExprKind::LabelAddress(label) => self.list("&& ", |d| d.name(label.symbol)),
            ExprKind::Generic { control, arms } => self.list("generic ", |d| {
                d.expr(control);
                for (ty, value) in arms {
                    d.put(" [");
                    match ty {
                        Some(ty) => d.type_name(ty),
                        None => d.put("default"),
                    }
                    d.put(" ");
                    d.expr(value);
                    d.put("]");
                }
            }),
            ExprKind::VaArg(list, ty) => self.list("va-arg ", |d| {
                d.expr(list);
                d.put(" ");
                d.type_name(ty);
            }),
            ExprKind::Offsetof(ty, path) => self.list("offsetof ", |d| {
                d.type_name(ty);
                d.put(" ");
                d.designators(path);
            }),
            ExprKind::TypesCompatible(first, second) => self.list("types-compatible ", |d| {
                d.type_name(first);
                d.put(" ");
                d.type_name(second);
            }),
            ExprKind::Choose(condition, then, otherwise) => {
                self.operation("choose", &[condition, then, otherwise]);
            }
            ExprKind::Error => self.put("(error)"),
        }
    }

    fn string(&mut self, units: &[u32], encoding: LiteralEncoding) {
        self.put(prefix(encoding));
        self.put("\"");
        for &unit in units {
            match u8::try_from(unit) {
                Ok(byte) => {
                    let _ = write!(self.out, "{}", byte.escape_ascii());
                }
                Err(_) => {
                    let _ = write!(self.out, "\\u{{{unit:x}}}");
                }
            }
        }
        self.put("\"");
    }
}

fn prefix(encoding: LiteralEncoding) -> &'static str {
    match encoding {
        LiteralEncoding::Char => "",
        LiteralEncoding::Wide => "L",
        LiteralEncoding::Utf16 => "u",
        LiteralEncoding::Utf32 => "U",
    }
}

fn unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "+",
        UnaryOp::Minus => "-",
        UnaryOp::BitNot => "~",
        UnaryOp::Not => "!",
        UnaryOp::Deref => "*",
        UnaryOp::AddressOf => "&",
        UnaryOp::PreIncrement => "++",
        UnaryOp::PreDecrement => "--",
        UnaryOp::PostIncrement => "post++",
        UnaryOp::PostDecrement => "post--",
        UnaryOp::Real => "real",
        UnaryOp::Imag => "imag",
    }
}

fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
    }
}
