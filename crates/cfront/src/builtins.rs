//! The names that mean something to us without a body: verification primitives, what compilers
//! build in, and the parts of libc that both engines know.

use idiolect_ir::{Builtin, HostCall, MathFunction, PrintfTarget};

/// What a call of a known name becomes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Intrinsic {
    /// `__VERIFIER_nondet_X`: the part after `nondet_`.
    Nondet,
    Assume,
    ReachError,
    /// `__assert_fail("text", …)`
    AssertFail,
    /// `assert(c)` without a macro; the condition is this argument.
    Assert,
    Abort,
    Exit,
    Unreachable,
    /// Arguments and result by class: `p` pointer, `z` `size_t`, `i` `int`, `l` `long`, `d`
    /// `double`, `v` nothing; `.` stands for variable arguments. The result comes after `>`.
    Builtin(Builtin, &'static str),
    /// `memcpy` and the like, whose result is their first argument.
    Filling(Builtin, &'static str),
    /// A printing function that takes a `va_list` last.
    WithList(Builtin, &'static str),
    Math(MathFunction),
    /// The value is the first argument.
    Identity,
    ConstantP,
    ObjectSize,
    /// Evaluates its arguments and gives 0.
    Nothing,
    /// A place on the machine's stack, which programs have none of here.
    StackAddress,
    /// `__builtin_classify_type`: which kind of type its argument has.
    ClassifyType,
    /// `__builtin_add_overflow` and its typed relatives: `+`, `-` or `*`.
    Overflow(char),
    OverflowPredicate(char),
    VaStart,
    VaEnd,
    VaCopy,
    Learn,
    Stdin,
    /// The type of the input that the prelude asks for.
    Environment(char),
    /// Whether something happens that is not modelled.
    Effect,
    IsNan,
    IsInf,
    IsFinite,
    SignBit,
    IsNormal,
    /// `__builtin_fpclassify`: five values to choose from, and the number.
    FloatClass,
    /// `__builtin_isgreater` and the like: the comparison.
    FloatCompare(&'static str),
    /// A floating constant: infinity or NaN of type `f`, `d` or `l`.
    FloatConstant {
        nan: bool,
        ty: char,
    },
    Atomic(Atomic),
    Setjmp,
    Longjmp,
    Unmodelled(&'static str),
}

/// Atomic operations, which one thread does as plain ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Atomic {
    LoadN,
    StoreN,
    Load,
    Store,
    ExchangeN,
    /// With what is behind two more pointers.
    Exchange,
    /// The operator; whether the new value is the result.
    Fetch(char, bool),
    CompareExchangeN,
    /// With what is behind the third pointer.
    CompareExchange,
    /// `__sync_*_compare_and_swap`: whether the result is a truth value.
    CompareSwap(bool),
    TestAndSet,
    Clear,
    Fence,
}

/// Functions that write to a stream, and say whether they could.
pub(crate) fn prints(name: &str) -> bool {
    let to_stream = ["printf", "vprintf", "fprintf", "vfprintf"];
    to_stream.contains(&name) || ["puts", "putchar", "fputs", "fputc", "putc"].contains(&name)
}

/// Whether a user's definition of the name is put aside.
pub(crate) fn overrides_user(name: &str) -> bool {
    matches!(
        name,
        "reach_error" | "__VERIFIER_error" | "__VERIFIER_assume" | "__CPROVER_assume"
    )
}

/// Functions without a body that have no effect worth a warning.
pub(crate) fn is_harmless(name: &str) -> bool {
    matches!(
        name,
        "fflush"
            | "setbuf"
            | "setvbuf"
            | "setlocale"
            | "signal"
            | "srand"
            | "srandom"
            | "usleep"
            | "sleep"
            | "perror"
            | "fclose"
            | "tzset"
    ) || name.starts_with("nondet")
}

/// Whether only a program that is made to be run has a body for it.
pub(crate) fn is_of_process(name: &str) -> bool {
    matches!(name, "pthread_create" | "thrd_create")
}

pub(crate) fn intrinsic(name: &str) -> Option<Intrinsic> {
    use Intrinsic as I;
    if name == "__VERIFIER_nondet_memory" {
        return None;
    }
    if let Some(rest) = name.strip_prefix("__VERIFIER_nondet_")
        && !rest.is_empty()
    {
        return Some(I::Nondet);
    }
    if name.starts_with("nondet_") || name == "__VERIFIER_nondet" || name == "nondet" {
        return Some(I::Nondet);
    }
    if let Some(request) = name.strip_prefix("__idiolect_host_") {
        return host(request);
    }
    ending(name)
        .or_else(|| memory(name))
        .or_else(|| printing(name))
        .or_else(|| of_compiler(name))
        .or_else(|| floating(name))
        .or_else(|| beyond(name))
        .or_else(|| math(name))
        .or_else(|| atomic(name))
}

/// What verification tasks say, inputs, and what ends a run.
fn ending(name: &str) -> Option<Intrinsic> {
    use Intrinsic as I;
    Some(match name {
        "__VERIFIER_assume" | "__CPROVER_assume" | "assume" | "__builtin_assume"
        | "__idiolect_assume" => I::Assume,
        "reach_error" | "__VERIFIER_error" => I::ReachError,
        "__assert_fail" | "__assert" | "__assert_rtn" | "__assert_perror_fail" => I::AssertFail,
        "assert" | "__CPROVER_assert" | "__VERIFIER_assert" | "Learn_Assert" | "_Learn_assert"
        | "_Learn_Assert" | "static_assert" => I::Assert,
        "abort" | "__builtin_abort" | "__builtin_trap" | "__idiolect_abort" => I::Abort,
        "_exit" | "_Exit" | "__idiolect_exit" => I::Exit,
        "__builtin_unreachable" => I::Unreachable,
        "Learn" | "_Learn" => I::Learn,
        "__idiolect_stdin" => I::Stdin,
        "__idiolect_env_int" => I::Environment('i'),
        "__idiolect_env_uint" => I::Environment('u'),
        "__idiolect_env_long" => I::Environment('l'),
        "__idiolect_env_ulong" => I::Environment('z'),
        "__idiolect_env_double" => I::Environment('d'),
        _ => return None,
    })
}

/// Memory that is asked for, given back and filled.
fn memory(name: &str) -> Option<Intrinsic> {
    use Intrinsic as I;
    Some(match name {
        "malloc" | "__builtin_malloc" => I::Builtin(Builtin::Malloc, "z>p"),
        "calloc" | "__builtin_calloc" => I::Builtin(Builtin::Calloc, "zz>p"),
        "realloc" | "__builtin_realloc" => I::Builtin(Builtin::Realloc, "pz>p"),
        "free" | "__builtin_free" | "cfree" => I::Builtin(Builtin::Free, "p>v"),
        "alloca" | "__builtin_alloca" | "__builtin_alloca_with_align" => {
            I::Builtin(Builtin::Alloca, "z>p")
        }
        "memcpy"
        | "memmove"
        | "__builtin_memcpy"
        | "__builtin_memmove"
        | "__builtin___memcpy_chk"
        | "__builtin___memmove_chk"
        | "__memcpy_chk"
        | "__memmove_chk" => I::Filling(Builtin::Memmove, "ppz"),
        "memset" | "__builtin_memset" | "__builtin___memset_chk" | "__memset_chk" => {
            I::Filling(Builtin::Memset, "piz")
        }
        _ => return None,
    })
}

/// Formatted texts.
fn printing(name: &str) -> Option<Intrinsic> {
    use Intrinsic as I;
    Some(match name {
        "printf" | "__builtin_printf" | "__idiolect_printf_stdout" => {
            I::Builtin(Builtin::Printf(PrintfTarget::Stdout), "p.>i")
        }
        "__idiolect_printf_stderr" => I::Builtin(Builtin::Printf(PrintfTarget::Stderr), "p.>i"),
        "__idiolect_printf_elsewhere" => {
            I::Builtin(Builtin::Printf(PrintfTarget::Elsewhere), "p.>i")
        }
        "sprintf" | "__builtin_sprintf" => {
            I::Builtin(Builtin::Printf(PrintfTarget::Buffer), "pp.>i")
        }
        "snprintf" | "__builtin_snprintf" => {
            I::Builtin(Builtin::Printf(PrintfTarget::BoundedBuffer), "pzp.>i")
        }
        "vprintf" | "__builtin_vprintf" | "__idiolect_vprintf_stdout" => {
            I::WithList(Builtin::VPrintf(PrintfTarget::Stdout), "p")
        }
        "__idiolect_vprintf_stderr" => I::WithList(Builtin::VPrintf(PrintfTarget::Stderr), "p"),
        "__idiolect_vprintf_elsewhere" => {
            I::WithList(Builtin::VPrintf(PrintfTarget::Elsewhere), "p")
        }
        "vsprintf" | "__builtin_vsprintf" | "__idiolect_vsprintf" => {
            I::WithList(Builtin::VPrintf(PrintfTarget::Buffer), "pp")
        }
        "vsnprintf" | "__builtin_vsnprintf" | "__idiolect_vsnprintf" => {
            I::WithList(Builtin::VPrintf(PrintfTarget::BoundedBuffer), "pzp")
        }
        "putchar" | "__builtin_putchar" | "__idiolect_putchar" => {
            I::Builtin(Builtin::Putchar, "i>i")
        }
        "__idiolect_parse_double" => I::Builtin(Builtin::ParseDouble, "pp0>i"),
        _ => return None,
    })
}

/// What compilers have of their own, and lists of arguments.
fn of_compiler(name: &str) -> Option<Intrinsic> {
    use Intrinsic as I;
    Some(match name {
        "__builtin_expect"
        | "__builtin_expect_with_probability"
        | "__builtin_assume_aligned"
        | "__builtin_launder"
        | "__builtin_extract_return_addr" => I::Identity,
        "__builtin_constant_p" => I::ConstantP,
        "__builtin_object_size" | "__builtin_dynamic_object_size" => I::ObjectSize,
        "__builtin_frame_address" | "__builtin_return_address" => I::StackAddress,
        "__builtin_prefetch"
        | "__builtin_cpu_init"
        | "__builtin_cpu_supports"
        | "__builtin___clear_cache"
        | "__builtin_stack_save"
        | "__builtin_stack_restore"
        | "__builtin_ia32_pause"
        | "__builtin_is_constant_evaluated" => I::Nothing,
        "__builtin_classify_type" => I::ClassifyType,
        "__builtin_add_overflow"
        | "__builtin_sadd_overflow"
        | "__builtin_saddl_overflow"
        | "__builtin_saddll_overflow"
        | "__builtin_uadd_overflow"
        | "__builtin_uaddl_overflow"
        | "__builtin_uaddll_overflow" => I::Overflow('+'),
        "__builtin_sub_overflow"
        | "__builtin_ssub_overflow"
        | "__builtin_ssubl_overflow"
        | "__builtin_ssubll_overflow"
        | "__builtin_usub_overflow"
        | "__builtin_usubl_overflow"
        | "__builtin_usubll_overflow" => I::Overflow('-'),
        "__builtin_mul_overflow"
        | "__builtin_smul_overflow"
        | "__builtin_smull_overflow"
        | "__builtin_smulll_overflow"
        | "__builtin_umul_overflow"
        | "__builtin_umull_overflow"
        | "__builtin_umulll_overflow" => I::Overflow('*'),
        "__builtin_add_overflow_p" => I::OverflowPredicate('+'),
        "__builtin_sub_overflow_p" => I::OverflowPredicate('-'),
        "__builtin_mul_overflow_p" => I::OverflowPredicate('*'),
        "__builtin_va_start" | "va_start" | "__builtin_stdarg_start" | "__builtin_c23_va_start" => {
            I::VaStart
        }
        "__builtin_va_end" | "va_end" => I::VaEnd,
        "__builtin_va_copy" | "va_copy" | "__va_copy" => I::VaCopy,
        _ => return None,
    })
}

/// Classes and constants of floating-point numbers.
fn floating(name: &str) -> Option<Intrinsic> {
    use Intrinsic as I;
    Some(match name {
        "__builtin_isnan" | "__builtin_isnanf" | "__builtin_isnanl" | "isnan" | "__isnan"
        | "__isnanf" | "__isnanl" | "isnanf" | "isnanl" => I::IsNan,
        "__builtin_isinf"
        | "__builtin_isinff"
        | "__builtin_isinfl"
        | "__builtin_isinf_sign"
        | "isinf"
        | "__isinf"
        | "__isinff"
        | "__isinfl"
        | "isinff"
        | "isinfl" => I::IsInf,
        "__builtin_isfinite" | "__builtin_finite" | "isfinite" | "finite" | "__finite"
        | "__finitef" | "__finitel" | "finitef" | "finitel" => I::IsFinite,
        "__builtin_signbit" | "__builtin_signbitf" | "__builtin_signbitl" | "signbit"
        | "__signbit" | "__signbitf" | "__signbitl" => I::SignBit,
        "__builtin_isnormal" | "isnormal" => I::IsNormal,
        "__builtin_fpclassify" => I::FloatClass,
        "__builtin_isgreater" => I::FloatCompare(">"),
        "__builtin_isgreaterequal" => I::FloatCompare(">="),
        "__builtin_isless" => I::FloatCompare("<"),
        "__builtin_islessequal" => I::FloatCompare("<="),
        "__builtin_islessgreater" => I::FloatCompare("<>"),
        "__builtin_isunordered" => I::FloatCompare("?"),
        "__builtin_inf" | "__builtin_huge_val" => I::FloatConstant {
            nan: false,
            ty: 'd',
        },
        "__builtin_inff" | "__builtin_huge_valf" => I::FloatConstant {
            nan: false,
            ty: 'f',
        },
        "__builtin_infl" | "__builtin_huge_vall" => I::FloatConstant {
            nan: false,
            ty: 'l',
        },
        "__builtin_nan" | "__builtin_nans" => I::FloatConstant { nan: true, ty: 'd' },
        "__builtin_nanf" | "__builtin_nansf" => I::FloatConstant { nan: true, ty: 'f' },
        "__builtin_nanl" | "__builtin_nansl" => I::FloatConstant { nan: true, ty: 'l' },
        _ => return None,
    })
}

/// Jumps, and what is not modelled.
fn beyond(name: &str) -> Option<Intrinsic> {
    use Intrinsic as I;
    Some(match name {
        "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" | "__builtin_setjmp" => I::Setjmp,
        "longjmp" | "_longjmp" | "siglongjmp" | "__builtin_longjmp" | "__longjmp_chk" => I::Longjmp,
        "pthread_create" | "thrd_create" => {
            I::Unmodelled("threads (`idiolect run --schedules 1000` tries orders of them)")
        }
        "__idiolect_many_objects" => I::Unmodelled("more than six objects that no call makes"),
        "__idiolect_no_threads" => I::Unmodelled("waiting for another thread"),
        "__builtin_va_arg_pack" | "__builtin_va_arg_pack_len" => {
            I::Unmodelled("handing on all further arguments (`__builtin_va_arg_pack`)")
        }
        "fork" | "vfork" => I::Unmodelled("processes"),
        "__idiolect_changed_environment" => {
            I::Unmodelled("reading an environment that the program has changed")
        }
        "__idiolect_computed_variable" => {
            I::Unmodelled("an environment variable whose name is computed")
        }
        "__idiolect_fcntl_command" => I::Unmodelled("this command of `fcntl`"),
        "__idiolect_effect" => I::Effect,
        "__idiolect_forget" => I::Builtin(Builtin::Forget, "p>v"),
        "fesetround" | "fesetenv" | "feupdateenv" => I::Unmodelled("a change of the rounding mode"),
        _ => return None,
    })
}

/// What the texts of a process ask of the system around it.
fn host(name: &str) -> Option<Intrinsic> {
    use HostCall as H;
    let (call, signature) = match name {
        "open" => (H::Open, "pi>i"),
        "close" => (H::Close, "i>i"),
        "read" => (H::Read, "ipz>l"),
        "write" => (H::Write, "ipz>l"),
        "seek" => (H::Seek, "ili>l"),
        "resize" => (H::Resize, "il>i"),
        "redirect" => (H::Redirect, "ii>i"),
        "remove" => (H::Remove, "p>i"),
        "rename" => (H::Rename, "pp>i"),
        "mkdir" => (H::MakeDirectory, "p>i"),
        "rmdir" => (H::RemoveDirectory, "p>i"),
        "stat" => (H::Status, "pp>i"),
        "fstat" => (H::StatusOf, "ip>i"),
        "entry" => (H::Entry, "pip>i"),
        "variable" => (H::Variable, "ppz>l"),
        "variable_at" => (H::VariableAt, "ipz>l"),
        "clock" => (H::Clock, "i>l"),
        "thread_create" => (H::ThreadCreate, "pp>l"),
        "thread_wait" => (H::ThreadWait, "pi>i"),
        "thread_wake" => (H::ThreadWake, "pi>i"),
        "thread_self" => (H::ThreadSelf, "i>l"),
        "thread_exit" => (H::ThreadExit, "i>i"),
        "thread_yield" => (H::ThreadYield, "i>i"),
        "thread_hold" => (H::ThreadHold, "i>i"),
        "sleep" => (H::Sleep, "l>i"),
        "align" => (H::Align, "pz>i"),
        _ => return None,
    };
    Some(Intrinsic::Builtin(Builtin::Host(call), signature))
}

fn math(name: &str) -> Option<Intrinsic> {
    use MathFunction::*;
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    // `fmaf` rounds once to `float`, which `fma` does not.
    if name == "fma" {
        return Some(Intrinsic::Math(Fma));
    }
    let find = |name: &str| {
        Some(match name {
            "sqrt" => Sqrt,
            "sin" => Sin,
            "cos" => Cos,
            "tan" => Tan,
            "asin" => Asin,
            "acos" => Acos,
            "atan" => Atan,
            "atan2" => Atan2,
            "sinh" => Sinh,
            "cosh" => Cosh,
            "tanh" => Tanh,
            "exp" => Exp,
            "exp2" => Exp2,
            "log" => Log,
            "log2" => Log2,
            "log10" => Log10,
            "pow" => Pow,
            "fmod" => Fmod,
            "floor" => Floor,
            "ceil" => Ceil,
            "round" => Round,
            "trunc" => Trunc,
            "rint" | "nearbyint" => Rint,
            "cbrt" => Cbrt,
            "hypot" => Hypot,
            "fabs" => Fabs,
            "copysign" => Copysign,
            _ => return None,
        })
    };
    let function = find(name).or_else(|| find(name.strip_suffix(['f', 'l'])?))?;
    Some(Intrinsic::Math(function))
}

/// The floating type that a mathematical function works on: `f`, `d` or `l`.
pub(crate) fn math_type(name: &str) -> char {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    // `ceil` ends in an `l` of its own.
    if matches!(name, "ceil") {
        return 'd';
    }
    match name.chars().last() {
        Some('f') => 'f',
        Some('l') => 'l',
        _ => 'd',
    }
}

fn atomic(name: &str) -> Option<Intrinsic> {
    use Atomic::*;
    let operator = |word: &str| {
        Some(match word {
            "add" => '+',
            "sub" => '-',
            "and" => '&',
            "or" => '|',
            "xor" => '^',
            "nand" => 'n',
            _ => return None,
        })
    };
    let atomic = if let Some(rest) = name.strip_prefix("__atomic_") {
        match rest {
            "load_n" => LoadN,
            "store_n" => StoreN,
            "load" => Load,
            "store" => Store,
            "exchange_n" => ExchangeN,
            "exchange" => Exchange,
            "compare_exchange_n" => CompareExchangeN,
            "compare_exchange" => CompareExchange,
            "test_and_set" => TestAndSet,
            "clear" => Clear,
            "thread_fence" | "signal_fence" => Fence,
            _ => match (rest.strip_prefix("fetch_"), rest.strip_suffix("_fetch")) {
                (Some(word), _) => Fetch(operator(word)?, false),
                (_, Some(word)) => Fetch(operator(word)?, true),
                _ => return None,
            },
        }
    } else {
        let rest = name.strip_prefix("__sync_")?;
        match rest {
            "bool_compare_and_swap" => CompareSwap(true),
            "val_compare_and_swap" => CompareSwap(false),
            "lock_test_and_set" => ExchangeN,
            "lock_release" => Clear,
            "synchronize" => Fence,
            _ => match (
                rest.strip_prefix("fetch_and_"),
                rest.strip_suffix("_and_fetch"),
            ) {
                (Some(word), _) => Fetch(operator(word)?, false),
                (_, Some(word)) => Fetch(operator(word)?, true),
                _ => return None,
            },
        }
    };
    Some(Intrinsic::Atomic(atomic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_by_family() {
        assert_eq!(intrinsic("__VERIFIER_nondet_uint"), Some(Intrinsic::Nondet));
        assert_eq!(
            intrinsic("__sync_fetch_and_add"),
            Some(Intrinsic::Atomic(Atomic::Fetch('+', false)))
        );
        assert_eq!(
            intrinsic("sqrtf"),
            Some(Intrinsic::Math(MathFunction::Sqrt))
        );
        assert_eq!(
            (math_type("ceil"), math_type("ceilf"), math_type("sinl")),
            ('d', 'f', 'l')
        );
        assert_eq!(intrinsic("strlen"), None);
    }
}
