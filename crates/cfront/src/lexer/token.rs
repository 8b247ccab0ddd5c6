//! The kinds of tokens, and which words are keywords.

use crate::symbols::Symbol;

/// What a token is. Alternate spellings (`__const__`, `<:`) are one kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(crate) enum Tok {
    Eof,
    Ident,
    Number,
    Char,
    String,

    LParen,
    RParen,
    LBrace,
    RBrace,
    LBracket,
    RBracket,
    Semi,
    Comma,
    Dot,
    Arrow,
    Ellipsis,
    Colon,
    Question,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Amp,
    Pipe,
    Caret,
    Tilde,
    Bang,
    Shl,
    Shr,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    EqualEqual,
    NotEqual,
    AndAnd,
    OrOr,
    PlusPlus,
    MinusMinus,
    Assign,
    AddAssign,
    SubAssign,
    MulAssign,
    DivAssign,
    RemAssign,
    ShlAssign,
    ShrAssign,
    AndAssign,
    OrAssign,
    XorAssign,

    // Statements.
    Break,
    Case,
    Continue,
    Default,
    Do,
    Else,
    For,
    Goto,
    If,
    Return,
    Switch,
    While,
    Asm,
    LocalLabel,

    // Words of expressions.
    Sizeof,
    Alignof,
    Generic,
    VaArg,
    Offsetof,
    TypesCompatible,
    ChooseExpr,
    Real,
    Imag,

    // Words that start or continue a declaration: keep them together, from `Auto` on.
    Auto,
    Extern,
    Register,
    Static,
    ThreadLocal,
    Typedef,
    Inline,
    Noreturn,
    Const,
    Volatile,
    Restrict,
    Atomic,
    Alignas,
    Attribute,
    Void,
    Bool,
    CharType,
    Short,
    Int,
    Long,
    Float,
    Double,
    Signed,
    Unsigned,
    Complex,
    Int128,
    Int128Typedef,
    Uint128Typedef,
    /// `_Float32`
    Float32,
    /// `_Float64`, `_Float32x`
    Float64,
    /// `_Float64x`, `__float80`
    Float80,
    /// `_Float128`, and floating types of other widths that no other word comes near.
    Float128,
    VaList,
    AutoType,
    Typeof,
    Struct,
    Union,
    Enum,

    StaticAssert,
    Extension,
    Pragma,
}

impl Tok {
    /// A word that can only be part of a declaration's specifiers.
    pub(crate) fn is_specifier(self) -> bool {
        (Tok::Auto..=Tok::Enum).contains(&self)
    }

    /// A word that starts a type name, as after `(` of a cast.
    pub(crate) fn starts_type(self) -> bool {
        (Tok::Const..=Tok::Enum).contains(&self) && self != Tok::Alignas
    }

    /// A word that is a type or a part of one, and no qualifier.
    pub(crate) fn is_type_word(self) -> bool {
        (Tok::Void..=Tok::Enum).contains(&self)
    }

    pub(crate) fn is_keyword(self) -> bool {
        self >= Tok::Break
    }

    /// A word that starts a statement and cannot be inside of one.
    pub(crate) fn starts_keyword_statement(self) -> bool {
        (Tok::Break..=Tok::While).contains(&self) && self != Tok::Else
    }
}

/// A token: 16 bytes, so that a million lines of C take some hundred megabytes at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Tok,
    /// The name of an identifier or keyword; of no meaning for others.
    pub(crate) symbol: Symbol,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// Every spelling of every keyword. C23's `bool`, `true`, `static_assert` and the like are not
/// here: programs older than C23 declare them, so the parser decides by what is in scope.
pub(crate) const KEYWORDS: &[(&str, Tok)] = &[
    ("break", Tok::Break),
    ("case", Tok::Case),
    ("continue", Tok::Continue),
    ("default", Tok::Default),
    ("do", Tok::Do),
    ("else", Tok::Else),
    ("for", Tok::For),
    ("goto", Tok::Goto),
    ("if", Tok::If),
    ("return", Tok::Return),
    ("switch", Tok::Switch),
    ("while", Tok::While),
    ("asm", Tok::Asm),
    ("__asm", Tok::Asm),
    ("__asm__", Tok::Asm),
    ("__label__", Tok::LocalLabel),
    ("sizeof", Tok::Sizeof),
    ("_Alignof", Tok::Alignof),
    ("__alignof", Tok::Alignof),
    ("__alignof__", Tok::Alignof),
    ("_Generic", Tok::Generic),
    ("__builtin_va_arg", Tok::VaArg),
    ("__builtin_offsetof", Tok::Offsetof),
    ("__builtin_types_compatible_p", Tok::TypesCompatible),
    ("__builtin_choose_expr", Tok::ChooseExpr),
    ("__real", Tok::Real),
    ("__real__", Tok::Real),
    ("__imag", Tok::Imag),
    ("__imag__", Tok::Imag),
    ("auto", Tok::Auto),
    ("extern", Tok::Extern),
    ("register", Tok::Register),
    ("static", Tok::Static),
    ("_Thread_local", Tok::ThreadLocal),
    ("__thread", Tok::ThreadLocal),
    ("typedef", Tok::Typedef),
    ("inline", Tok::Inline),
    ("__inline", Tok::Inline),
    ("__inline__", Tok::Inline),
    ("_Noreturn", Tok::Noreturn),
    ("const", Tok::Const),
    ("__const", Tok::Const),
    ("__const__", Tok::Const),
    ("volatile", Tok::Volatile),
    ("__volatile", Tok::Volatile),
    ("__volatile__", Tok::Volatile),
    ("restrict", Tok::Restrict),
    ("__restrict", Tok::Restrict),
    ("__restrict__", Tok::Restrict),
    ("_Atomic", Tok::Atomic),
    ("_Alignas", Tok::Alignas),
    ("__attribute", Tok::Attribute),
    ("__attribute__", Tok::Attribute),
    ("void", Tok::Void),
    ("_Bool", Tok::Bool),
    ("char", Tok::CharType),
    ("short", Tok::Short),
    ("int", Tok::Int),
    ("long", Tok::Long),
    ("float", Tok::Float),
    ("double", Tok::Double),
    ("signed", Tok::Signed),
    ("__signed", Tok::Signed),
    ("__signed__", Tok::Signed),
    ("unsigned", Tok::Unsigned),
    ("_Complex", Tok::Complex),
    ("__complex", Tok::Complex),
    ("__complex__", Tok::Complex),
    ("_Imaginary", Tok::Complex),
    ("__int128", Tok::Int128),
    ("__int128_t", Tok::Int128Typedef),
    ("__uint128_t", Tok::Uint128Typedef),
    ("_Float32", Tok::Float32),
    ("_Float64", Tok::Float64),
    ("_Float32x", Tok::Float64),
    ("_Float64x", Tok::Float80),
    ("__float80", Tok::Float80),
    ("_Float128", Tok::Float128),
    ("__float128", Tok::Float128),
    ("_Float16", Tok::Float128),
    ("__bf16", Tok::Float128),
    ("_Decimal32", Tok::Float128),
    ("_Decimal64", Tok::Float128),
    ("_Decimal128", Tok::Float128),
    ("__builtin_va_list", Tok::VaList),
    ("__auto_type", Tok::AutoType),
    ("typeof", Tok::Typeof),
    ("__typeof", Tok::Typeof),
    ("__typeof__", Tok::Typeof),
    ("typeof_unqual", Tok::Typeof),
    ("__typeof_unqual", Tok::Typeof),
    ("__typeof_unqual__", Tok::Typeof),
    ("struct", Tok::Struct),
    ("union", Tok::Union),
    ("enum", Tok::Enum),
    ("_Static_assert", Tok::StaticAssert),
    ("__extension__", Tok::Extension),
    ("_Pragma", Tok::Pragma),
];
