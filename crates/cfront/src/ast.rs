//! The abstract syntax of C11 with the GNU forms that real programs and headers use.
//!
//! The tree says what was written, not what it means: names are not resolved (except that the
//! parser had to know which of them are typedefs) and expressions have no types.

use crate::symbols::Symbol;
use idiolect_base::Span;

/// One preprocessed file.
#[derive(Clone, Debug, Default)]
pub struct TranslationUnit {
    pub items: Vec<Item>,
}

/// A declaration at file level.
#[derive(Clone, Debug)]
pub enum Item {
    Function(FunctionDefinition),
    Declaration(Declaration),
    /// `asm("…");` at file level.
    Asm(Span),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ident {
    pub symbol: Symbol,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct FunctionDefinition {
    pub specifiers: Specifiers,
    /// Its first derivation from the name outward is [`Derivation::Function`].
    pub declarator: Declarator,
    /// The declarations between `)` and `{` of a K&R definition.
    pub kr_declarations: Vec<Declaration>,
    pub body: Block,
    pub span: Span,
}

/// `int a = 1, *b;`, `typedef …;`, `struct s { … };` or `_Static_assert(…);`.
#[derive(Clone, Debug)]
pub struct Declaration {
    pub specifiers: Specifiers,
    pub declarators: Vec<InitDeclarator>,
    /// The declaration is a static assertion; then it has no declarators.
    pub static_assert: Option<Box<StaticAssert>>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct StaticAssert {
    pub condition: Expr,
    pub message: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct InitDeclarator {
    pub declarator: Declarator,
    pub initializer: Option<Initializer>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Qualifiers {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    pub is_atomic: bool,
}

/// Everything before the first declarator.
#[derive(Clone, Debug)]
pub struct Specifiers {
    pub storage: Option<Storage>,
    pub thread_local: bool,
    pub inline: bool,
    pub noreturn: bool,
    pub ty: TypeSpecifier,
    pub qualifiers: Qualifiers,
    pub alignas: Vec<Alignment>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Alignment {
    Type(TypeName),
    Expr(Expr),
}

/// `__attribute__((name(args)))` or `[[name(args)]]`; `__name__` is written `name`.
#[derive(Clone, Debug)]
pub struct Attribute {
    pub name: Ident,
    /// Arguments that parse as expressions; others are skipped.
    pub arguments: Vec<Expr>,
}

/// The type that a list of specifiers stands for, words in any order already combined.
#[derive(Clone, Debug)]
pub enum TypeSpecifier {
    Void,
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
    Float,
    Double,
    LongDouble,
    /// `_Float128` and other floating types that only `long double` comes near.
    Float128,
    /// `_Complex` of these numbers.
    Complex(Box<TypeSpecifier>),
    Record(RecordSpecifier),
    Enum(EnumSpecifier),
    TypedefName(Ident),
    TypeofExpr(Box<Expr>),
    TypeofType(Box<TypeName>),
    /// `__auto_type`, and C23 `auto`.
    AutoType,
    /// `_Atomic(type)`.
    Atomic(Box<TypeName>),
    /// `__builtin_va_list`.
    VaList,
    /// No type at all was written: C89's implicit `int`.
    ImplicitInt,
    /// Was reported; stands for `int`.
    Error,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RecordKind {
    Struct,
    Union,
}

#[derive(Clone, Debug)]
pub struct RecordSpecifier {
    pub kind: RecordKind,
    pub tag: Option<Ident>,
    /// `None` for a mere mention, `struct s`.
    pub fields: Option<Vec<FieldDeclaration>>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

/// One line of a record: `int a : 3, b;`, an anonymous `union { … };`, or a static assertion.
#[derive(Clone, Debug)]
pub struct FieldDeclaration {
    pub specifiers: Specifiers,
    pub declarators: Vec<FieldDeclarator>,
    pub static_assert: Option<Box<StaticAssert>>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct FieldDeclarator {
    /// Without a name for unnamed bit-fields.
    pub declarator: Declarator,
    pub width: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct EnumSpecifier {
    pub tag: Option<Ident>,
    pub enumerators: Option<Vec<Enumerator>>,
    /// C23 `enum e : type`.
    pub underlying: Option<Box<TypeName>>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Enumerator {
    pub name: Ident,
    pub value: Option<Expr>,
}

/// A name and what is built around it.
///
/// `derivations` go from the name outward: `*a[3]` is `[Array, Pointer]` (an array of pointers),
/// `(*f)(void)` is `[Pointer, Function]` (a pointer to a function). Applying them from the last to
/// the first to the specifiers' type gives the type of the name.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// `None` in an abstract declarator.
    pub name: Option<Ident>,
    pub derivations: Vec<Derivation>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Derivation {
    Pointer(Qualifiers),
    Array {
        length: ArrayLength,
        qualifiers: Qualifiers,
    },
    Function(Parameters),
}

#[derive(Clone, Debug)]
pub enum ArrayLength {
    /// `[]`
    Unknown,
    /// `[*]`
    Star,
    /// `[n]`, `[static n]`
    Expr(Box<Expr>),
}

#[derive(Clone, Debug)]
pub enum Parameters {
    /// `()`: nothing is known of the parameters (before C23).
    Unspecified,
    /// `(void)` is an empty list.
    Prototype {
        parameters: Vec<ParameterDeclaration>,
        variadic: bool,
    },
    /// `(a, b)` of a K&R definition.
    Names(Vec<Ident>),
}

#[derive(Clone, Debug)]
pub struct ParameterDeclaration {
    pub specifiers: Specifiers,
    pub declarator: Declarator,
    pub span: Span,
}

/// A type without a name, as in casts and `sizeof`.
#[derive(Clone, Debug)]
pub struct TypeName {
    pub specifiers: Specifiers,
    pub declarator: Declarator,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Initializer {
    Expr(Expr),
    List(InitializerList),
}

#[derive(Clone, Debug)]
pub struct InitializerList {
    pub items: Vec<InitializerItem>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct InitializerItem {
    /// Empty when the item follows its predecessor. The old GNU `name: value` is a field.
    pub designators: Vec<Designator>,
    pub value: Initializer,
}

#[derive(Clone, Debug)]
pub enum Designator {
    Field(Ident),
    Index(Expr),
    /// GNU `[first ... last]`.
    Range(Expr, Expr),
}

#[derive(Clone, Debug)]
pub struct Block {
    pub statements: Vec<Stmt>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `;`
    Empty,
    Expr(Expr),
    Declaration(Declaration),
    Block(Block),
    /// Labels in a row, and the statement they are on. A label before `}` or before a
    /// declaration has an empty statement, the declaration then being the next statement.
    Labeled {
        labels: Vec<Label>,
        body: Box<Stmt>,
    },
    If {
        condition: Expr,
        then: Box<Stmt>,
        otherwise: Option<Box<Stmt>>,
    },
    Switch {
        value: Expr,
        body: Box<Stmt>,
    },
    While {
        condition: Expr,
        body: Box<Stmt>,
    },
    DoWhile {
        body: Box<Stmt>,
        condition: Expr,
    },
    For {
        init: Option<Box<ForInit>>,
        condition: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    Goto(Ident),
    /// GNU `goto *expr;`
    GotoComputed(Expr),
    Continue,
    Break,
    Return(Option<Expr>),
    /// Inline assembly.
    Asm(AsmStmt),
    /// GNU nested function.
    NestedFunction(Box<FunctionDefinition>),
    /// Was reported.
    Error,
}

#[derive(Clone, Debug)]
pub struct AsmStmt {
    /// The template, for messages. An empty template with operands is a mere barrier.
    pub template: String,
    pub outputs: Vec<AsmOperand>,
    pub inputs: Vec<AsmOperand>,
}

/// `[name] "constraint" (expression)`
#[derive(Clone, Debug)]
pub struct AsmOperand {
    pub name: Option<Ident>,
    pub constraint: String,
    pub expr: Expr,
}

#[derive(Clone, Debug)]
pub enum ForInit {
    Declaration(Declaration),
    Expr(Expr),
}

#[derive(Clone, Debug)]
pub enum Label {
    Named(Ident),
    Case {
        low: Expr,
        /// GNU `case low ... high:`
        high: Option<Expr>,
        span: Span,
    },
    Default(Span),
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Ident(Symbol),
    Int {
        value: u128,
        suffix: IntSuffix,
        /// Decimal constants never become unsigned by themselves.
        decimal: bool,
    },
    /// The digits as written, without suffix: each engine rounds them itself.
    Float {
        digits: String,
        suffix: FloatSuffix,
    },
    /// `'a'` (an `int`), `L'a'`. Multi-character constants are already combined as GCC does.
    Char {
        value: i64,
        encoding: LiteralEncoding,
    },
    /// Adjacent literals are joined; the terminating 0 is not included. Code units of `encoding`.
    String {
        units: Vec<u32>,
        encoding: LiteralEncoding,
    },
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a = b`, or `a += b` with the operator.
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    /// `a ? b : c`; GNU `a ?: c` has no second operand.
    Conditional(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    Call(Box<Expr>, Vec<Expr>),
    Index(Box<Expr>, Box<Expr>),
    Member {
        base: Box<Expr>,
        field: Ident,
        arrow: bool,
    },
    Cast(Box<TypeName>, Box<Expr>),
    CompoundLiteral(Box<TypeName>, InitializerList),
    SizeofExpr(Box<Expr>),
    SizeofType(Box<TypeName>),
    AlignofExpr(Box<Expr>),
    AlignofType(Box<TypeName>),
    /// GNU `({ … })`
    Block(Block),
    /// GNU `&&label`
    LabelAddress(Ident),
    Generic {
        control: Box<Expr>,
        /// `None` is `default`.
        arms: Vec<(Option<TypeName>, Expr)>,
    },
    /// `__builtin_va_arg(list, type)`
    VaArg(Box<Expr>, Box<TypeName>),
    /// `__builtin_offsetof(type, member…)`; the path starts with a field.
    Offsetof(Box<TypeName>, Vec<Designator>),
    /// `__builtin_types_compatible_p(a, b)`
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    /// `__builtin_choose_expr(c, a, b)`
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Was reported.
    Error,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct IntSuffix {
    pub unsigned: bool,
    /// 0, 1 (`l`) or 2 (`ll`).
    pub longs: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatSuffix {
    None,
    Float,
    LongDouble,
    Float128,
    /// `i`, `j`: an imaginary constant.
    Imaginary,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LiteralEncoding {
    /// `"…"` and `u8"…"`: bytes.
    Char,
    /// `L"…"`: `wchar_t`, 32 bits.
    Wide,
    /// `u"…"`
    Utf16,
    /// `U"…"`
    Utf32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    Plus,
    Minus,
    /// `~`
    BitNot,
    /// `!`
    Not,
    Deref,
    AddressOf,
    PreIncrement,
    PreDecrement,
    PostIncrement,
    PostDecrement,
    /// `__real__`
    Real,
    /// `__imag__`
    Imag,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
}
