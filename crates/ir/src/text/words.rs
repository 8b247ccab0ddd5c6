//! The words of the text form, each given once for reading and for writing.

use crate::ctype::{DataModel, FloatKind, IntKind};
use crate::expr::{BinaryOp, ConvertOp, Ty, UnaryOp};
use crate::program::{AssumptionKind, FunctionOrigin, LocalKind, MarkKind};
use crate::property::FaultKind;
use crate::stmt::{Builtin, HostCall, MathFunction, PrintfTarget};

/// A two-way table of words.
pub(super) type Words<T> = &'static [(&'static str, T)];

pub(super) fn word_of<T: PartialEq>(table: Words<T>, value: &T) -> &'static str {
    table
        .iter()
        .find(|(_, v)| v == value)
        .map_or("?", |(word, _)| word)
}

pub(super) fn value_of<T: Copy>(table: Words<T>, word: &str) -> Option<T> {
    table.iter().find(|(w, _)| *w == word).map(|&(_, v)| v)
}

pub(super) const MODELS: Words<DataModel> =
    &[("lp64", DataModel::Lp64), ("ilp32", DataModel::Ilp32)];

pub(super) const ORIGINS: Words<FunctionOrigin> = &[
    ("user", FunctionOrigin::User),
    ("library", FunctionOrigin::Library),
    ("synthetic", FunctionOrigin::Synthetic),
];

pub(super) const LOCAL_KINDS: Words<LocalKind> = &[
    ("param", LocalKind::Parameter),
    ("local", LocalKind::Variable),
    ("temp", LocalKind::Temporary),
];

pub(super) const ASSUMPTION_KINDS: Words<AssumptionKind> = &[
    ("bound", AssumptionKind::Bound),
    ("convention", AssumptionKind::Convention),
    ("missing_body", AssumptionKind::MissingBody),
    ("contract", AssumptionKind::Contract),
    ("unmodelled", AssumptionKind::Unmodelled),
];

pub(super) const MARK_KINDS: Words<MarkKind> = &[
    ("label", MarkKind::Label),
    ("user", MarkKind::User),
    ("predicate", MarkKind::Predicate),
];

/// One word each, unlike in C.
pub(super) const INT_KINDS: Words<IntKind> = &[
    ("char", IntKind::Char),
    ("schar", IntKind::SChar),
    ("uchar", IntKind::UChar),
    ("short", IntKind::Short),
    ("ushort", IntKind::UShort),
    ("int", IntKind::Int),
    ("uint", IntKind::UInt),
    ("long", IntKind::Long),
    ("ulong", IntKind::ULong),
    ("llong", IntKind::LongLong),
    ("ullong", IntKind::ULongLong),
    ("int128", IntKind::Int128),
    ("uint128", IntKind::UInt128),
];

pub(super) const FLOAT_KINDS: Words<FloatKind> = &[
    ("float", FloatKind::Float),
    ("double", FloatKind::Double),
    ("ldouble", FloatKind::LongDouble),
];

pub(super) const UNARY: Words<UnaryOp> = &[
    ("neg", UnaryOp::Neg { signed: false }),
    ("neg.s", UnaryOp::Neg { signed: true }),
    ("not", UnaryOp::Not),
    ("fneg", UnaryOp::FNeg),
];

pub(super) const BINARY: Words<BinaryOp> = &[
    ("add", BinaryOp::Add { signed: false }),
    ("add.s", BinaryOp::Add { signed: true }),
    ("sub", BinaryOp::Sub { signed: false }),
    ("sub.s", BinaryOp::Sub { signed: true }),
    ("mul", BinaryOp::Mul { signed: false }),
    ("mul.s", BinaryOp::Mul { signed: true }),
    ("udiv", BinaryOp::UDiv),
    ("sdiv", BinaryOp::SDiv),
    ("urem", BinaryOp::URem),
    ("srem", BinaryOp::SRem),
    ("shl", BinaryOp::Shl { signed: false }),
    ("shl.s", BinaryOp::Shl { signed: true }),
    ("lshr", BinaryOp::LShr),
    ("ashr", BinaryOp::AShr),
    ("bitand", BinaryOp::BitAnd),
    ("bitor", BinaryOp::BitOr),
    ("bitxor", BinaryOp::BitXor),
    ("eq", BinaryOp::Eq),
    ("ne", BinaryOp::Ne),
    ("ult", BinaryOp::ULt),
    ("ule", BinaryOp::ULe),
    ("slt", BinaryOp::SLt),
    ("sle", BinaryOp::SLe),
    ("fadd", BinaryOp::FAdd),
    ("fsub", BinaryOp::FSub),
    ("fmul", BinaryOp::FMul),
    ("fdiv", BinaryOp::FDiv),
    ("feq", BinaryOp::FEq),
    ("fne", BinaryOp::FNe),
    ("flt", BinaryOp::FLt),
    ("fle", BinaryOp::FLe),
    ("ptrdiff", BinaryOp::PtrDiff),
];

/// Followed by the target type: `zext.i64`.
pub(super) const CONVERT: Words<ConvertOp> = &[
    ("zext", ConvertOp::ZeroExtend),
    ("sext", ConvertOp::SignExtend),
    ("trunc", ConvertOp::Truncate),
    ("utof", ConvertOp::IntToFloat { signed: false }),
    ("stof", ConvertOp::IntToFloat { signed: true }),
    ("ftou", ConvertOp::FloatToInt { signed: false }),
    ("ftos", ConvertOp::FloatToInt { signed: true }),
    ("ftof", ConvertOp::FloatToFloat),
    ("ptoi", ConvertOp::PtrToInt),
    ("itop", ConvertOp::IntToPtr),
];

pub(super) const BUILTINS: Words<Builtin> = &[
    ("malloc", Builtin::Malloc),
    ("calloc", Builtin::Calloc),
    ("realloc", Builtin::Realloc),
    ("free", Builtin::Free),
    ("alloca", Builtin::Alloca),
    ("memmove", Builtin::Memmove),
    ("memset", Builtin::Memset),
    ("printf.stdout", Builtin::Printf(PrintfTarget::Stdout)),
    ("printf.stderr", Builtin::Printf(PrintfTarget::Stderr)),
    ("printf.elsewhere", Builtin::Printf(PrintfTarget::Elsewhere)),
    ("printf.buffer", Builtin::Printf(PrintfTarget::Buffer)),
    (
        "printf.bounded",
        Builtin::Printf(PrintfTarget::BoundedBuffer),
    ),
    ("vprintf.stdout", Builtin::VPrintf(PrintfTarget::Stdout)),
    ("vprintf.stderr", Builtin::VPrintf(PrintfTarget::Stderr)),
    (
        "vprintf.elsewhere",
        Builtin::VPrintf(PrintfTarget::Elsewhere),
    ),
    ("vprintf.buffer", Builtin::VPrintf(PrintfTarget::Buffer)),
    (
        "vprintf.bounded",
        Builtin::VPrintf(PrintfTarget::BoundedBuffer),
    ),
    ("putchar", Builtin::Putchar),
    ("parse_double", Builtin::ParseDouble),
    ("forget", Builtin::Forget),
    ("check.overlap", Builtin::CheckOverlap),
    ("check.written", Builtin::CheckWritten),
    ("check.leaks", Builtin::CheckLeaks),
    ("setjmp", Builtin::Setjmp),
    ("longjmp", Builtin::Longjmp),
    ("host.open", Builtin::Host(HostCall::Open)),
    ("host.close", Builtin::Host(HostCall::Close)),
    ("host.read", Builtin::Host(HostCall::Read)),
    ("host.write", Builtin::Host(HostCall::Write)),
    ("host.seek", Builtin::Host(HostCall::Seek)),
    ("host.resize", Builtin::Host(HostCall::Resize)),
    ("host.redirect", Builtin::Host(HostCall::Redirect)),
    ("host.remove", Builtin::Host(HostCall::Remove)),
    ("host.rename", Builtin::Host(HostCall::Rename)),
    ("host.mkdir", Builtin::Host(HostCall::MakeDirectory)),
    ("host.rmdir", Builtin::Host(HostCall::RemoveDirectory)),
    ("host.stat", Builtin::Host(HostCall::Status)),
    ("host.fstat", Builtin::Host(HostCall::StatusOf)),
    ("host.entry", Builtin::Host(HostCall::Entry)),
    ("host.variable", Builtin::Host(HostCall::Variable)),
    ("host.variable_at", Builtin::Host(HostCall::VariableAt)),
    ("host.clock", Builtin::Host(HostCall::Clock)),
    ("host.thread_create", Builtin::Host(HostCall::ThreadCreate)),
    ("host.thread_wait", Builtin::Host(HostCall::ThreadWait)),
    ("host.thread_wake", Builtin::Host(HostCall::ThreadWake)),
    ("host.thread_self", Builtin::Host(HostCall::ThreadSelf)),
    ("host.thread_exit", Builtin::Host(HostCall::ThreadExit)),
    ("host.thread_yield", Builtin::Host(HostCall::ThreadYield)),
    ("host.thread_hold", Builtin::Host(HostCall::ThreadHold)),
    ("host.sleep", Builtin::Host(HostCall::Sleep)),
    ("host.align", Builtin::Host(HostCall::Align)),
    ("sqrt", Builtin::Math(MathFunction::Sqrt)),
    ("sin", Builtin::Math(MathFunction::Sin)),
    ("cos", Builtin::Math(MathFunction::Cos)),
    ("tan", Builtin::Math(MathFunction::Tan)),
    ("asin", Builtin::Math(MathFunction::Asin)),
    ("acos", Builtin::Math(MathFunction::Acos)),
    ("atan", Builtin::Math(MathFunction::Atan)),
    ("atan2", Builtin::Math(MathFunction::Atan2)),
    ("sinh", Builtin::Math(MathFunction::Sinh)),
    ("cosh", Builtin::Math(MathFunction::Cosh)),
    ("tanh", Builtin::Math(MathFunction::Tanh)),
    ("exp", Builtin::Math(MathFunction::Exp)),
    ("exp2", Builtin::Math(MathFunction::Exp2)),
    ("log", Builtin::Math(MathFunction::Log)),
    ("log2", Builtin::Math(MathFunction::Log2)),
    ("log10", Builtin::Math(MathFunction::Log10)),
    ("pow", Builtin::Math(MathFunction::Pow)),
    ("fmod", Builtin::Math(MathFunction::Fmod)),
    ("floor", Builtin::Math(MathFunction::Floor)),
    ("ceil", Builtin::Math(MathFunction::Ceil)),
    ("round", Builtin::Math(MathFunction::Round)),
    ("trunc", Builtin::Math(MathFunction::Trunc)),
    ("rint", Builtin::Math(MathFunction::Rint)),
    ("cbrt", Builtin::Math(MathFunction::Cbrt)),
    ("hypot", Builtin::Math(MathFunction::Hypot)),
    ("fabs", Builtin::Math(MathFunction::Fabs)),
    ("copysign", Builtin::Math(MathFunction::Copysign)),
    ("fma", Builtin::Math(MathFunction::Fma)),
];

pub(super) const FAULTS: Words<FaultKind> = &[
    ("null", FaultKind::NullDereference),
    ("pointer", FaultKind::InvalidPointer),
    ("bounds", FaultKind::OutOfBounds),
    ("freed", FaultKind::UseAfterFree),
    ("returned", FaultKind::UseAfterReturn),
    ("double_free", FaultKind::DoubleFree),
    ("free", FaultKind::InvalidFree),
    ("constant", FaultKind::WriteToReadOnly),
    ("division", FaultKind::DivisionByZero),
    ("quotient", FaultKind::DivisionOverflow),
    ("overflow", FaultKind::SignedOverflow),
    ("shift", FaultKind::ShiftOverflow),
    ("shift_amount", FaultKind::ShiftTooFar),
    ("function", FaultKind::BadFunctionPointer),
    ("arguments", FaultKind::WrongArguments),
    ("unreachable", FaultKind::Unreachable),
    ("leak", FaultKind::Leak),
    ("overlap", FaultKind::Overlap),
    ("uninitialised", FaultKind::Uninitialised),
    ("stack", FaultKind::StackExhausted),
    ("deadlock", FaultKind::Deadlock),
];

pub(super) fn ty_word(ty: Ty) -> String {
    match ty {
        Ty::Int(width) => format!("i{width}"),
        Ty::F32 => "f32".into(),
        Ty::F64 => "f64".into(),
        Ty::F80 => "f80".into(),
        Ty::Ptr => "ptr".into(),
    }
}

pub(super) fn parse_ty(word: &str) -> Option<Ty> {
    Some(match word {
        "f32" => Ty::F32,
        "f64" => Ty::F64,
        "f80" => Ty::F80,
        "ptr" => Ty::Ptr,
        _ => {
            let digits = word.strip_prefix('i')?;
            let width: u8 = digits.parse().ok()?;
            if !(1..=128).contains(&width) || digits.starts_with(['0', '+']) {
                return None;
            }
            Ty::Int(width)
        }
    })
}
