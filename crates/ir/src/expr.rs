//! Expressions: pure, typed, possibly reading memory.

use crate::program::{FuncId, GlobalId, LocalId};
use idiolect_base::{Span, index_type};

index_type!(
    /// An expression of one function.
    ExprId
);

/// What a register or a memory access holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Ty {
    /// A bit-vector of 1 to 128 bits. Conditions have 1 bit. In memory only multiples of 8 occur.
    Int(u8),
    F32,
    F64,
    /// `long double`: 80 bits, 16 bytes in memory (12 under ILP32).
    F80,
    Ptr,
}

impl Ty {
    pub const BOOL: Ty = Ty::Int(1);

    /// The bits of an integer type.
    pub fn int_width(self) -> Option<u8> {
        match self {
            Ty::Int(width) => Some(width),
            _ => None,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Ty::F32 | Ty::F64 | Ty::F80)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Ty,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// The bits of a constant of any type, zero-extended: integers in two's complement, floats in
    /// their IEEE (or x87) format, pointers as integers (0 is null).
    Const(u128),
    /// The value of a register local.
    Local(LocalId),
    /// The address of a local that lives in memory.
    LocalAddress(LocalId),
    GlobalAddress(GlobalId),
    FunctionAddress(FuncId),
    /// Reads memory. Reading bytes that were never written yields an input.
    Load {
        address: ExprId,
    },
    Unary(UnaryOp, ExprId),
    Binary(BinaryOp, ExprId, ExprId),
    Convert(ConvertOp, ExprId),
    /// Lazy conjunction of 1-bit values: the right side counts only if the left one is 1.
    And(ExprId, ExprId),
    /// Lazy disjunction of 1-bit values: the right side counts only if the left one is 0.
    Or(ExprId, ExprId),
    /// `condition ? then : otherwise`; only the chosen side counts.
    Select {
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    /// `base + index * scale` bytes. The index has the width of a pointer and is signed.
    PtrAdd {
        base: ExprId,
        index: ExprId,
        scale: u64,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// Two's complement negation; `signed` as in [`BinaryOp::Add`].
    Neg {
        signed: bool,
    },
    /// All bits flipped; on 1 bit this is logical negation.
    Not,
    FNeg,
}

/// Operands have the same type, and so has the result, unless stated otherwise. Comparisons yield
/// [`Ty::BOOL`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// Wraps around. `signed` says that C calls an overflow undefined here, which is a fault when
    /// the property `overflow` is asked for.
    Add {
        signed: bool,
    },
    Sub {
        signed: bool,
    },
    Mul {
        signed: bool,
    },
    /// Division by zero is a fault.
    UDiv,
    /// Rounds toward zero. Division by zero is a fault, and so is the smallest value by -1, which
    /// stops a real machine just the same.
    SDiv,
    URem,
    /// Has the sign of the dividend; faults as [`BinaryOp::SDiv`].
    SRem,
    /// The amount has the same type as the value and counts modulo the width, as machines do it.
    /// For `signed`, an amount of the width or more, or bits shifted out, are an `overflow` fault.
    Shl {
        signed: bool,
    },
    LShr,
    AShr,
    BitAnd,
    BitOr,
    BitXor,
    /// Integers and pointers.
    Eq,
    Ne,
    /// Unsigned, and pointers.
    ULt,
    ULe,
    SLt,
    SLe,
    FAdd,
    FSub,
    FMul,
    FDiv,
    /// False if an operand is NaN.
    FEq,
    /// True if an operand is NaN.
    FNe,
    FLt,
    FLe,
    /// Pointers; the difference in bytes, an integer of pointer width.
    PtrDiff,
}

impl BinaryOp {
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(
            self,
            Eq | Ne | ULt | ULe | SLt | SLe | FEq | FNe | FLt | FLe
        )
    }
}

/// The target type is the type of the expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ConvertOp {
    ZeroExtend,
    SignExtend,
    Truncate,
    IntToFloat {
        signed: bool,
    },
    /// Toward zero. Out of range: the bits that x86-64 gives (the smallest value).
    FloatToInt {
        signed: bool,
    },
    FloatToFloat,
    /// To an integer of pointer width.
    PtrToInt,
    /// From an integer of pointer width.
    IntToPtr,
}
