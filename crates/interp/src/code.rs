//! The compact form that runs: instructions over a window of registers.
//!
//! A function's registers are `u64`s in a window of [`WINDOW`] entries, so that an 8-bit register
//! number can never be out of range and needs no check. Integers of up to 64 bits are kept
//! zero-extended; wider ones and `long double` take two registers, the lower half first. A
//! function with more variables keeps the others in *far* slots, beside the window.
//!
//! The window of a called function starts at the caller's first argument: passing arguments
//! copies nothing.

use crate::input::ObjectKind;
use crate::outcome::CodePlace;
use idiolect_base::Span;
use idiolect_ir::{BinaryOp, BlockId, ConvertOp, FaultKind, FuncId, InputId, LocalId, Ty, TypeId};

pub(crate) const WINDOW: usize = 256;

pub(crate) type Reg = u8;

/// One instruction, of 16 bytes. `steps` counts the statements and terminators that end with it, `target` is
/// a position in the code, `offset` a number of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ThreadOp {
    Create,
    Wait,
    Wake,
    This,
    Exit,
    Yield,
    Hold,
}

#[derive(Clone, Copy, Debug)]
#[rustfmt::skip]
pub(crate) enum Instr {
    Move { d: Reg, a: Reg },
    Move2 { d: Reg, a: Reg },
    Const { d: Reg, low: u32, high: u32 },
    /// `n` constants in a row.
    Consts { d: Reg, n: u8, first: u32 },
    Move2x { d: Reg, a: Reg, d2: Reg, a2: Reg },
    MoveConst { d: Reg, a: Reg, d2: Reg, low: u32, high: u32 },
    LoadFar { d: Reg, slot: u32 },
    StoreFar { a: Reg, slot: u32 },

    Add32 { d: Reg, a: Reg, b: Reg },
    Sub32 { d: Reg, a: Reg, b: Reg },
    Mul32 { d: Reg, a: Reg, b: Reg },
    SDiv32 { d: Reg, a: Reg, b: Reg },
    UDiv32 { d: Reg, a: Reg, b: Reg },
    SRem32 { d: Reg, a: Reg, b: Reg },
    URem32 { d: Reg, a: Reg, b: Reg },
    Shl32 { d: Reg, a: Reg, b: Reg },
    LShr32 { d: Reg, a: Reg, b: Reg },
    AShr32 { d: Reg, a: Reg, b: Reg },
    Add32I { d: Reg, a: Reg, imm: i32 },
    Mul32I { d: Reg, a: Reg, imm: i32 },
    /// The divisor is neither 0 nor -1.
    SDiv32I { d: Reg, a: Reg, imm: i32 },
    SRem32I { d: Reg, a: Reg, imm: i32 },
    Shl32I { d: Reg, a: Reg, imm: i32 },
    AShr32I { d: Reg, a: Reg, imm: i32 },
    /// `d = a * b + c`
    MulAdd32 { d: Reg, a: Reg, b: Reg, c: Reg },
    MulIAdd32 { d: Reg, a: Reg, c: Reg, imm: i32 },
    MulIAdd32I { d: Reg, a: Reg, imm: i32, add: i32 },
    Add64 { d: Reg, a: Reg, b: Reg },
    Sub64 { d: Reg, a: Reg, b: Reg },
    Mul64 { d: Reg, a: Reg, b: Reg },
    Add64I { d: Reg, a: Reg, imm: i32 },
    Mul64I { d: Reg, a: Reg, imm: i32 },
    Shl64I { d: Reg, a: Reg, imm: i32 },
    AShr64I { d: Reg, a: Reg, imm: i32 },
    /// For every width up to 64.
    And { d: Reg, a: Reg, b: Reg },
    Or { d: Reg, a: Reg, b: Reg },
    Xor { d: Reg, a: Reg, b: Reg },
    AndI { d: Reg, a: Reg, imm: u32 },
    AndC { d: Reg, a: Reg, low: u32, high: u32 },
    OrI { d: Reg, a: Reg, imm: u32 },
    XorI { d: Reg, a: Reg, imm: u32 },
    LShrI { d: Reg, a: Reg, imm: u32 },
    Eq { d: Reg, a: Reg, b: Reg },
    Ne { d: Reg, a: Reg, b: Reg },
    ULt { d: Reg, a: Reg, b: Reg },
    ULe { d: Reg, a: Reg, b: Reg },
    SLt32 { d: Reg, a: Reg, b: Reg },
    SLe32 { d: Reg, a: Reg, b: Reg },
    SLt64 { d: Reg, a: Reg, b: Reg },
    SLe64 { d: Reg, a: Reg, b: Reg },
    EqI { d: Reg, a: Reg, imm: i32 },
    NeI { d: Reg, a: Reg, imm: i32 },
    Sext32To64 { d: Reg, a: Reg },
    Sext8To32 { d: Reg, a: Reg },
    Sext16To32 { d: Reg, a: Reg },
    /// Any widths up to 64.
    Sext { d: Reg, a: Reg, from: u8, to: u32 },
    AddF64 { d: Reg, a: Reg, b: Reg },
    SubF64 { d: Reg, a: Reg, b: Reg },
    MulF64 { d: Reg, a: Reg, b: Reg },
    DivF64 { d: Reg, a: Reg, b: Reg },
    /// Operators of any width up to 64, and of `float`.
    Binary { d: Reg, a: Reg, b: Reg, op: Op, width: Width },
    /// The same where overflow is a fault.
    Checked { d: Reg, a: Reg, b: Reg, op: Op, width: Width },
    /// Operands of two registers. Comparisons yield one.
    Binary2 { d: Reg, a: Reg, b: Reg, op: Op, width: Width },
    Checked2 { d: Reg, a: Reg, b: Reg, op: Op, width: Width },
    /// Any conversion, between any types.
    Convert { d: Reg, a: Reg, op: Conv, from: Width, to: Width },
    /// Pointers to addresses of 64 bits, and back.
    ToAddress { d: Reg, a: Reg },
    ToPointer { d: Reg, a: Reg },
    /// `d = a + index * scale + offset`
    Index { d: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    /// The index is a signed 32-bit number.
    Index32 { d: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    /// The difference of ILP32 pointers.
    FlatDiff { d: Reg, a: Reg, b: Reg },

    Load8 { d: Reg, a: Reg, offset: i32 },
    Load16 { d: Reg, a: Reg, offset: i32 },
    Load32 { d: Reg, a: Reg, offset: i32 },
    Load64 { d: Reg, a: Reg, offset: i32 },
    /// Sign-extended to 32 bits.
    Load8S { d: Reg, a: Reg, offset: i32 },
    Load8SX { d: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    Load8SY { d: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    /// At `offset` behind the pointer at `a + first`.
    LoadLoad8 { d: Reg, a: Reg, first: i32, offset: i32 },
    LoadLoad16 { d: Reg, a: Reg, first: i32, offset: i32 },
    LoadLoad32 { d: Reg, a: Reg, first: i32, offset: i32 },
    LoadLoad64 { d: Reg, a: Reg, first: i32, offset: i32 },
    Load8X { d: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    Load16X { d: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    Load32X { d: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    Load64X { d: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    /// Indexed by a signed 32-bit number.
    Load8Y { d: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    Load16Y { d: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    Load32Y { d: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    Load64Y { d: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    /// At `a + b * scale + offset + c * size`, both indices signed 32-bit numbers: `x[i][j]`.
    Load8YY { d: Reg, a: Reg, b: Reg, c: Reg, scale: i32, offset: i32 },
    Load32YY { d: Reg, a: Reg, b: Reg, c: Reg, scale: i32, offset: i32 },
    Load64YY { d: Reg, a: Reg, b: Reg, c: Reg, scale: i32, offset: i32 },
    /// Indexed by the 32-bit number `b + add`, which wraps.
    Load8YI { d: Reg, a: Reg, b: Reg, add: i32, scale: i32, offset: i32 },
    Load32YI { d: Reg, a: Reg, b: Reg, add: i32, scale: i32, offset: i32 },
    Load64YI { d: Reg, a: Reg, b: Reg, add: i32, scale: i32, offset: i32 },
    /// At a constant address: an object that is there from the start, and an offset.
    Load32At { d: Reg, offset: u32, object: u32 },
    Load64At { d: Reg, offset: u32, object: u32 },
    /// Any other type, told by its access.
    LoadAny { d: Reg, a: Reg, access: u32, offset: i32 },
    Store8 { v: Reg, a: Reg, offset: i32 },
    Store16 { v: Reg, a: Reg, offset: i32 },
    Store32 { v: Reg, a: Reg, offset: i32 },
    Store64 { v: Reg, a: Reg, offset: i32 },
    Store32C { a: Reg, offset: i32, low: u32 },
    Store64C { a: Reg, offset: i32, low: u32, high: u32 },
    Store8X { v: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    Store32X { v: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    Store64X { v: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    Store8Y { v: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    Store32Y { v: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    Store64Y { v: Reg, a: Reg, b: Reg, scale: i32, offset: i32 },
    Store8YY { v: Reg, a: Reg, b: Reg, c: Reg, scale: i32, offset: i32 },
    Store32YY { v: Reg, a: Reg, b: Reg, c: Reg, scale: i32, offset: i32 },
    Store64YY { v: Reg, a: Reg, b: Reg, c: Reg, scale: i32, offset: i32 },
    Store8YI { v: Reg, a: Reg, b: Reg, add: i32, scale: i32, offset: i32 },
    Store32YI { v: Reg, a: Reg, b: Reg, add: i32, scale: i32, offset: i32 },
    Store64YI { v: Reg, a: Reg, b: Reg, add: i32, scale: i32, offset: i32 },
    Store32At { v: Reg, offset: u32, object: u32 },
    Store64At { v: Reg, offset: u32, object: u32 },
    /// The 32-bit number at `a + (b + add) * 4 + offset` goes to `to + (c + to_add) * 4 + to_offset`.
    Copy32Y { a: Reg, b: Reg, to: Reg, c: Reg, add: i8, to_add: i8, offset: i32, to_offset: i32 },
    /// `d += m * x`, where `x` is what [`Instr::Load32YY`] loads.
    MulAddLoad32YY { d: Reg, m: Reg, a: Reg, b: Reg, c: Reg, scale: i32, offset: i32 },
    StoreAny { v: Reg, a: Reg, access: u32, offset: i32 },
    StoreBits { v: Reg, a: Reg, access: u32, shift: u8, width: u8 },
    Copy { to: Reg, from: Reg, low: u32, high: u32 },
    Zero { to: Reg, low: u32, high: u32 },

    /// A place to come back to is kept in the buffer at `a`; `d` is 0 now.
    Setjmp { d: Reg, a: Reg },
    Longjmp { a: Reg, v: Reg },
    /// Another thread may take over here.
    Yield,
    /// What a thread asks for.
    Thread { op: ThreadOp, d: Reg, a: Reg, v: Reg },

    /// A jump through a table, by a number of 32 or 64 bits.
    Switch32 { a: Reg, table: u32 },
    Switch64 { a: Reg, table: u32 },
    Jump { steps: u8, target: u32 },
    Steps { n: u32 },
    /// `d += add`
    IncSteps { d: Reg, add: i32, n: u32 },
    JumpEq { a: Reg, b: Reg, steps: u8, target: u32 },
    JumpNe { a: Reg, b: Reg, steps: u8, target: u32 },
    JumpULt { a: Reg, b: Reg, steps: u8, target: u32 },
    JumpULe { a: Reg, b: Reg, steps: u8, target: u32 },
    JumpSLt32 { a: Reg, b: Reg, steps: u8, target: u32 },
    JumpSLe32 { a: Reg, b: Reg, steps: u8, target: u32 },
    JumpSLt64 { a: Reg, b: Reg, steps: u8, target: u32 },
    JumpSLe64 { a: Reg, b: Reg, steps: u8, target: u32 },
    JumpEqI { a: Reg, steps: u8, imm: i32, target: u32 },
    JumpNeI { a: Reg, steps: u8, imm: i32, target: u32 },
    JumpEqC { a: Reg, steps: u8, low: u32, high: u32, target: u32 },
    JumpNeC { a: Reg, steps: u8, low: u32, high: u32, target: u32 },
    /// Jumps if `a & imm` is 0.
    JumpNone { a: Reg, steps: u8, imm: u32, target: u32 },
    JumpAny { a: Reg, steps: u8, imm: u32, target: u32 },
    JumpSLt32I { a: Reg, steps: u8, imm: i32, target: u32 },
    JumpSGt32I { a: Reg, steps: u8, imm: i32, target: u32 },
    JumpSLt64I { a: Reg, steps: u8, imm: i32, target: u32 },
    JumpSGt64I { a: Reg, steps: u8, imm: i32, target: u32 },
    JumpULtI { a: Reg, steps: u8, imm: i32, target: u32 },
    JumpUGtI { a: Reg, steps: u8, imm: i32, target: u32 },

    /// `d += add`, then a jump if `d < imm`; and so on.
    IncJumpSLt32I { d: Reg, steps: u8, add: i32, imm: i32, target: u32 },
    IncJumpSGt32I { d: Reg, steps: u8, add: i32, imm: i32, target: u32 },
    IncJumpSLt32 { d: Reg, b: Reg, steps: u8, add: i32, target: u32 },
    IncJumpSLe32 { d: Reg, b: Reg, steps: u8, add: i32, target: u32 },
    /// `d += b`, then a jump.
    AddJumpSLt32I { d: Reg, b: Reg, steps: u8, imm: i32, target: u32 },
    AddJumpSLt32 { d: Reg, b: Reg, c: Reg, steps: u8, target: u32 },
    /// `d = a * imm + add`, then a jump if `d < b`.
    MulAddJumpSLt32 { d: Reg, a: Reg, b: Reg, steps: u8, imm: i8, add: i16, target: u32 },
    /// `s = m` before.
    MoveMulAddJumpSLt32 { d: Reg, s: Reg, m: Reg, b: Reg, steps: u8, imm: i8, add: i16, target: u32 },
    /// `a <= b + add`
    JumpSLe32Plus { a: Reg, b: Reg, steps: u8, add: i32, target: u32 },
    /// `a + add < b`
    JumpPlusSLt32 { a: Reg, b: Reg, steps: u8, add: i32, target: u32 },
    /// `d = a`, then a jump if that is not 0.
    MoveJumpNz { d: Reg, a: Reg, steps: u8, target: u32 },
    MoveJumpZ { d: Reg, a: Reg, steps: u8, target: u32 },
    /// Jumps if the 32-bit number at `a + (b + add) * 4 + offset` is less than `c`; and so on.
    LoadJumpSLt32 { a: Reg, b: Reg, c: Reg, steps: u8, add: i8, offset: i16, target: u32 },
    LoadJumpSLe32 { a: Reg, b: Reg, c: Reg, steps: u8, add: i8, offset: i16, target: u32 },
    LoadJumpSGt32 { a: Reg, b: Reg, c: Reg, steps: u8, add: i8, offset: i16, target: u32 },
    LoadJumpSGe32 { a: Reg, b: Reg, c: Reg, steps: u8, add: i8, offset: i16, target: u32 },
    /// As [`Instr::LoadJumpSLt32`], where the target begins with an [`Instr::Copy32Y`] of the same
    /// element to `a + (e + to_add) * 4 + offset`: goes on behind it if nothing stands in the way.
    LoadCopySLt32 { a: Reg, b: Reg, c: Reg, e: Reg, steps: u8, add: i8, to_add: i8, offset: i16, target: u32 },
    LoadCopySLe32 { a: Reg, b: Reg, c: Reg, e: Reg, steps: u8, add: i8, to_add: i8, offset: i16, target: u32 },
    LoadCopySGt32 { a: Reg, b: Reg, c: Reg, e: Reg, steps: u8, add: i8, to_add: i8, offset: i16, target: u32 },
    LoadCopySGe32 { a: Reg, b: Reg, c: Reg, e: Reg, steps: u8, add: i8, to_add: i8, offset: i16, target: u32 },
    /// Jumps if the 32-bit number at `a + b * 4 + offset` is less than the one at
    /// `c + (e + add) * 4 + second`, which is read after it; and so on.
    LoadsJumpSLt32 { a: Reg, b: Reg, c: Reg, e: Reg, steps: u8, add: i8, offset: i16, second: i16, target: u32 },
    LoadsJumpSLe32 { a: Reg, b: Reg, c: Reg, e: Reg, steps: u8, add: i8, offset: i16, second: i16, target: u32 },
    LoadsJumpSGt32 { a: Reg, b: Reg, c: Reg, e: Reg, steps: u8, add: i8, offset: i16, second: i16, target: u32 },
    LoadsJumpSGe32 { a: Reg, b: Reg, c: Reg, e: Reg, steps: u8, add: i8, offset: i16, second: i16, target: u32 },
    /// `d += inc` and `more` steps, if the first number is less than the second one; and so on.
    IncIfSLt32 { a: Reg, b: Reg, c: Reg, e: Reg, steps: u8, add: i8, offset: i16, second: i16, d: Reg, inc: i8, more: u8 },
    IncIfSLe32 { a: Reg, b: Reg, c: Reg, e: Reg, steps: u8, add: i8, offset: i16, second: i16, d: Reg, inc: i8, more: u8 },
    IncIfSGt32 { a: Reg, b: Reg, c: Reg, e: Reg, steps: u8, add: i8, offset: i16, second: i16, d: Reg, inc: i8, more: u8 },
    IncIfSGe32 { a: Reg, b: Reg, c: Reg, e: Reg, steps: u8, add: i8, offset: i16, second: i16, d: Reg, inc: i8, more: u8 },
    /// `i += inc` if `i + add < n` and then the number at `a + i * 4 + offset` is less than the one
    /// at `a + (i + add) * 4 + offset`; and so on. The tests count `steps` and `inner`, the
    /// increment `more`.
    IncIfNextSLt32 { a: Reg, i: Reg, n: Reg, steps: u8, inner: u8, add: i8, inc: i8, more: u8, offset: i16 },
    IncIfNextSLe32 { a: Reg, i: Reg, n: Reg, steps: u8, inner: u8, add: i8, inc: i8, more: u8, offset: i16 },
    /// Jumps if the number at `a + offset` is `imm`; and so on.
    LoadJumpEqI8 { a: Reg, steps: u8, offset: i32, imm: i32, target: u32 },
    LoadJumpNeI8 { a: Reg, steps: u8, offset: i32, imm: i32, target: u32 },
    LoadJumpEqI16 { a: Reg, steps: u8, offset: i32, imm: i32, target: u32 },
    LoadJumpNeI16 { a: Reg, steps: u8, offset: i32, imm: i32, target: u32 },
    LoadJumpEqI32 { a: Reg, steps: u8, offset: i32, imm: i32, target: u32 },
    LoadJumpNeI32 { a: Reg, steps: u8, offset: i32, imm: i32, target: u32 },
    LoadJumpEqI64 { a: Reg, steps: u8, offset: i32, imm: i32, target: u32 },
    LoadJumpNeI64 { a: Reg, steps: u8, offset: i32, imm: i32, target: u32 },
    /// Jumps if none of the bits `imm` are set at `a + offset`; and so on.
    LoadJumpNone8 { a: Reg, steps: u8, offset: i32, imm: u32, target: u32 },
    LoadJumpAny8 { a: Reg, steps: u8, offset: i32, imm: u32, target: u32 },
    LoadJumpNone16 { a: Reg, steps: u8, offset: i32, imm: u32, target: u32 },
    LoadJumpAny16 { a: Reg, steps: u8, offset: i32, imm: u32, target: u32 },
    LoadJumpNone32 { a: Reg, steps: u8, offset: i32, imm: u32, target: u32 },
    LoadJumpAny32 { a: Reg, steps: u8, offset: i32, imm: u32, target: u32 },
    /// Jumps if the byte at `a + b + offset` is `imm`.
    LoadJumpEqI8X { a: Reg, b: Reg, steps: u8, imm: i16, offset: i32, target: u32 },
    LoadJumpNeI8X { a: Reg, b: Reg, steps: u8, imm: i16, offset: i32, target: u32 },
    /// Jumps if the byte at `a + b + offset` is 0; `b` is a signed 32-bit number.
    LoadJumpZ8 { a: Reg, b: Reg, steps: u8, offset: i32, target: u32 },
    LoadJumpNz8 { a: Reg, b: Reg, steps: u8, offset: i32, target: u32 },

    /// The arguments are in the registers from `base` on; the result goes to `d`.
    Call { base: Reg, d: Reg, target: u32 },
    /// With `t = a + add`, of 32 bits, before.
    CallAdd32I { base: Reg, d: Reg, t: Reg, a: Reg, add: i32, target: u32 },
    /// With `t = a` before.
    CallMove { base: Reg, d: Reg, t: Reg, a: Reg, target: u32 },
    /// With `t2 = a2` and then `t = a` before.
    CallMove2x { base: Reg, d: Reg, t: Reg, a: Reg, t2: Reg, a2: Reg, target: u32 },
    CallConst { base: Reg, d: Reg, t: Reg, low: u32, high: u32, target: u32 },
    /// As [`Instr::CallAdd32I`] of a function that begins with [`Instr::ReturnUnlessSGt32I`] for this
    /// argument. Where that returns, the result is here without a call: `v` is its register in
    /// this window.
    CallUnlessSGt32I { base: Reg, d: Reg, t: Reg, a: Reg, v: Reg, steps: u8, more: u8, add: i16, imm: i16, target: u32 },
    CallUnlessSLt32I { base: Reg, d: Reg, t: Reg, a: Reg, v: Reg, steps: u8, more: u8, add: i16, imm: i16, target: u32 },
    CallUnlessNeI { base: Reg, d: Reg, t: Reg, a: Reg, v: Reg, steps: u8, more: u8, add: i16, imm: i16, target: u32 },
    CallUnlessEqI { base: Reg, d: Reg, t: Reg, a: Reg, v: Reg, steps: u8, more: u8, add: i16, imm: i16, target: u32 },
    CallPointer { base: Reg, d: Reg, a: Reg, call: u32 },
    CallBuiltin { base: Reg, d: Reg, call: u32 },
    /// Passes one more argument, beside the registers.
    PushArgument { a: Reg },
    TakeArgument { d: Reg, index: u32 },
    DropArguments,
    Return { a: Reg, steps: u8 },
    ReturnC { steps: u8, low: u32, high: u32 },
    Return2 { a: Reg, steps: u8 },
    ReturnVoid { steps: u8 },
    /// Returns the 32-bit sum.
    ReturnAdd32 { a: Reg, b: Reg, steps: u8 },
    /// Returns `v` and counts `more`, unless `a > imm`; and so on. Leaves of recursions do this.
    ReturnUnlessSGt32I { a: Reg, v: Reg, steps: u8, more: u8, imm: i32 },
    ReturnUnlessSLt32I { a: Reg, v: Reg, steps: u8, more: u8, imm: i32 },
    ReturnUnlessNeI { a: Reg, v: Reg, steps: u8, more: u8, imm: i32 },
    ReturnUnlessEqI { a: Reg, v: Reg, steps: u8, more: u8, imm: i32 },
    /// The two built-ins that are worth an instruction.
    Malloc { d: Reg, a: Reg },
    Free { a: Reg },
    /// Zeros the registers `from..to`: reading a variable too early gives the same in every run.
    /// Left out where nobody can read one too early.
    Clear { from: Reg, to: u32 },
    EnterFar { size: u32 },
    LeaveFar { size: u32 },
    /// Makes the memory locals of a function.
    EnterLocals { function: u32 },
    LeaveLocals,
    /// A memory local starts anew; its pointer is in a register or far slot.
    Renew { d: Reg },
    /// The block of a memory local ends; its pointer is in a register or far slot.
    End { d: Reg },
    /// The block of a variable-length array ends.
    EndDynamic { d: Reg },
    /// A variable-length array of `a` bytes.
    Dynamic { d: Reg, a: Reg, local: LocalId },

    Input { d: Reg, input: InputId, ty: TyCode },
    AssumeFails,
    Exit { a: Reg },
    Abort,
    Error { block: BlockId },
    Trap { index: u32 },
    Fault { kind: FaultKind },
    CheckLeaks,

    /// Only in code for observers.
    Decision { taken: bool, function: FuncId, block: BlockId },
    Before,
    After { effect: u32 },
    Mark { mark: u32 },
    Enter,
}

/// The width of an operand: bits of an integer, or a float.
pub(crate) type Width = u8;
pub(crate) const F32: Width = 132;
pub(crate) const F64: Width = 164;
pub(crate) const F80: Width = 180;

/// The code of [`Ty::Ptr`] among the widths.
pub(crate) const PTR: Width = 200;
/// A type in one byte: a [`Width`] or [`PTR`].
pub(crate) type TyCode = u8;

pub(crate) fn ty_code(ty: Ty) -> TyCode {
    match ty {
        Ty::Int(width) => width,
        Ty::F32 => F32,
        Ty::F64 => F64,
        Ty::F80 => F80,
        Ty::Ptr => PTR,
    }
}

pub(crate) fn ty_of(code: TyCode) -> Ty {
    match code {
        F32 => Ty::F32,
        F64 => Ty::F64,
        F80 => Ty::F80,
        PTR => Ty::Ptr,
        width => Ty::Int(width),
    }
}

/// [`BinaryOp`] without the question of overflow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Op {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    Eq,
    Ne,
    ULt,
    ULe,
    SLt,
    SLe,
}

/// An operator, and whether overflow is what C calls undefined.
pub(crate) fn op_of(op: BinaryOp) -> (Op, bool) {
    match op {
        BinaryOp::Add { signed } => (Op::Add, signed),
        BinaryOp::Sub { signed } => (Op::Sub, signed),
        BinaryOp::Mul { signed } => (Op::Mul, signed),
        BinaryOp::Shl { signed } => (Op::Shl, signed),
        BinaryOp::UDiv => (Op::UDiv, false),
        BinaryOp::SDiv => (Op::SDiv, false),
        BinaryOp::URem => (Op::URem, false),
        BinaryOp::SRem => (Op::SRem, false),
        BinaryOp::LShr => (Op::LShr, false),
        BinaryOp::AShr => (Op::AShr, false),
        BinaryOp::BitAnd => (Op::And, false),
        BinaryOp::BitOr => (Op::Or, false),
        BinaryOp::BitXor => (Op::Xor, false),
        BinaryOp::Eq | BinaryOp::FEq => (Op::Eq, false),
        BinaryOp::Ne | BinaryOp::FNe => (Op::Ne, false),
        BinaryOp::ULt => (Op::ULt, false),
        BinaryOp::ULe => (Op::ULe, false),
        BinaryOp::SLt | BinaryOp::FLt => (Op::SLt, false),
        BinaryOp::SLe | BinaryOp::FLe => (Op::SLe, false),
        BinaryOp::FAdd => (Op::Add, false),
        BinaryOp::FSub => (Op::Sub, false),
        BinaryOp::FMul => (Op::Mul, false),
        BinaryOp::FDiv => (Op::UDiv, false),
        BinaryOp::PtrDiff => (Op::Sub, false),
    }
}

/// [`ConvertOp`] in one byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Conv {
    ZeroExtend,
    SignExtend,
    Truncate,
    SignedToFloat,
    UnsignedToFloat,
    FloatToSigned,
    FloatToUnsigned,
    FloatToFloat,
    Flatten,
    Unflatten,
    FNeg,
}

pub(crate) fn conv_of(op: ConvertOp) -> Conv {
    match op {
        ConvertOp::ZeroExtend => Conv::ZeroExtend,
        ConvertOp::SignExtend => Conv::SignExtend,
        ConvertOp::Truncate => Conv::Truncate,
        ConvertOp::IntToFloat { signed: true } => Conv::SignedToFloat,
        ConvertOp::IntToFloat { signed: false } => Conv::UnsignedToFloat,
        ConvertOp::FloatToInt { signed: true } => Conv::FloatToSigned,
        ConvertOp::FloatToInt { signed: false } => Conv::FloatToUnsigned,
        ConvertOp::FloatToFloat => Conv::FloatToFloat,
        ConvertOp::PtrToInt => Conv::Flatten,
        ConvertOp::IntToPtr => Conv::Unflatten,
    }
}

/// How [`Instr::LoadAny`] and [`Instr::StoreAny`] access memory, packed into 32 bits: the number
/// of bytes, and what they hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Access {
    pub(crate) size: u8,
    pub(crate) form: AccessForm,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AccessForm {
    /// An integer of up to 8 bytes, or a float of 4 or 8.
    Plain,
    /// Two registers.
    Wide,
    /// An ILP32 pointer.
    Flat,
    /// 10 bytes, and padding up to the size.
    Float80,
}

impl Access {
    pub(crate) fn pack(self) -> u32 {
        let form = match self.form {
            AccessForm::Plain => 0,
            AccessForm::Wide => 1,
            AccessForm::Flat => 2,
            AccessForm::Float80 => 3,
        };
        u32::from(self.size) | form << 8
    }

    pub(crate) fn unpack(bits: u32) -> Self {
        Access {
            size: bits as u8,
            form: match bits >> 8 {
                0 => AccessForm::Plain,
                1 => AccessForm::Wide,
                2 => AccessForm::Flat,
                _ => AccessForm::Float80,
            },
        }
    }
}

/// A place in a function that instructions come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Site {
    pub(crate) block: BlockId,
    pub(crate) stmt: u32,
    pub(crate) span: Span,
    /// Steps that were begun, this one included, and not yet counted by an instruction.
    pub(crate) uncounted: u32,
}

/// What a statement did, for observers: which registers hold what was assigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EffectCode {
    None,
    /// The variable itself can be asked.
    Local(LocalId),
    /// A value of type code [`Width`] in a register was stored at the address in another one.
    Memory {
        address: Reg,
        value: Reg,
        ty: Ty,
    },
    /// A `return` or `exit` value.
    Value {
        value: Reg,
        ty: Ty,
    },
}

/// A call through a pointer or of a built-in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CallSite {
    /// The types of the arguments.
    pub(crate) args: Vec<Ty>,
    /// Of the call through a pointer.
    pub(crate) ty: Option<TypeId>,
    pub(crate) builtin: Option<idiolect_ir::Builtin>,
    pub(crate) result: Option<Ty>,
    /// It is a copy that makes inputs of unwritten bytes.
    pub(crate) reads: bool,
}

/// Where a variable is while its function runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slot {
    Near(Reg),
    Far(u32),
}

/// A local in memory, its place in the block of its function, and where its pointer goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryLocal {
    pub(crate) kind: ObjectKind,
    pub(crate) offset: usize,
    pub(crate) size: u32,
    pub(crate) slot: Slot,
}

#[derive(Clone, Debug)]
pub(crate) struct FunctionCode {
    pub(crate) start: u32,
    /// By local: where its value, or a memory local's pointer, is.
    pub(crate) slots: Vec<Slot>,
    /// All of them have one block, of this class and size.
    pub(crate) memory_locals: Vec<MemoryLocal>,
    pub(crate) block: (u8, usize),
    /// Registers that hold variables.
    pub(crate) n_registers: u32,
}

/// A program as instructions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) instrs: Vec<Instr>,
    /// By instruction, an index into `sites`.
    pub(crate) site_of: Vec<u32>,
    pub(crate) sites: Vec<Site>,
    /// By instruction: the type of a load that is no integer, else 0.
    pub(crate) types: Vec<TyCode>,
    pub(crate) functions: Vec<FunctionCode>,
    pub(crate) calls: Vec<CallSite>,
    pub(crate) effects: Vec<EffectCode>,
    pub(crate) tables: Vec<Table>,
    /// What [`Instr::Consts`] takes.
    pub(crate) constants: Vec<u64>,
}

/// Where to go by a number, and how many steps that counts.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// The number of the first entry.
    pub(crate) low: i64,
    pub(crate) entries: Vec<(u32, u32)>,
    pub(crate) otherwise: (u32, u32),
}

impl Table {
    #[inline(always)]
    pub(crate) fn get(&self, number: i64) -> (u32, u32) {
        let index = number.wrapping_sub(self.low) as u64 as usize;
        *self.entries.get(index).unwrap_or(&self.otherwise)
    }
}

impl Code {
    /// The function of a position in the code.
    pub(crate) fn function_at(&self, pc: usize) -> FuncId {
        let after = self.functions.partition_point(|f| f.start as usize <= pc);
        FuncId::new(after.saturating_sub(1))
    }

    pub(crate) fn site_at(&self, pc: usize) -> Site {
        self.sites[self.site_of[pc] as usize]
    }

    pub(crate) fn place_at(&self, pc: usize) -> CodePlace {
        let site = self.site_at(pc);
        CodePlace {
            function: self.function_at(pc),
            block: site.block,
            stmt: site.stmt,
            span: site.span,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_keep_to_their_size() {
        assert_eq!(size_of::<Instr>(), 16);
    }
}
