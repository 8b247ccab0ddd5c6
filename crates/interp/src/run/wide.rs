//! Operators that are rare, or whose values take two registers. They are calls, which the loop around them need not be
//! optimized for.

use crate::code::{Conv, Op, Reg, WINDOW, Width};
use crate::context::{Context, Halt, fault};
use crate::ops::{self, is_comparison, is_wide};
use idiolect_ir::FaultKind;

type Window = [u64; WINDOW];

fn pair(frame: &Window, a: Reg) -> u128 {
    u128::from(frame[usize::from(a.wrapping_add(1))]) << 64 | u128::from(frame[usize::from(a)])
}

fn set_pair(frame: &mut Window, d: Reg, value: u128) {
    frame[usize::from(d)] = value as u64;
    frame[usize::from(d.wrapping_add(1))] = (value >> 64) as u64;
}

fn at_no_address(kind: FaultKind) -> Halt {
    fault(kind, 0)
}

#[inline(never)]
pub(super) fn checked(
    frame: &mut Window,
    d: Reg,
    (a, b): (Reg, Reg),
    op: Op,
    width: Width,
) -> Result<(), Halt> {
    let operand = |reg: Reg| u128::from(frame[usize::from(reg)]);
    let value = ops::checked(op, width, operand(a), operand(b)).map_err(at_no_address)?;
    frame[usize::from(d)] = value as u64;
    Ok(())
}

#[inline(never)]
pub(super) fn binary(
    frame: &mut Window,
    d: Reg,
    (a, b): (Reg, Reg),
    op: Op,
    width: Width,
) -> Result<(), Halt> {
    let value = ops::binary_wide(op, width, pair(frame, a), pair(frame, b));
    let value = value.map_err(at_no_address)?;
    if is_comparison(op) {
        frame[usize::from(d)] = value as u64;
    } else {
        set_pair(frame, d, value);
    }
    Ok(())
}

#[inline(never)]
pub(super) fn checked2(
    frame: &mut Window,
    d: Reg,
    (a, b): (Reg, Reg),
    op: Op,
    width: Width,
) -> Result<(), Halt> {
    let value = ops::checked(op, width, pair(frame, a), pair(frame, b));
    set_pair(frame, d, value.map_err(at_no_address)?);
    Ok(())
}

#[inline(never)]
pub(super) fn convert(
    cx: &mut Context<'_>,
    frame: &mut Window,
    (d, a): (Reg, Reg),
    op: Conv,
    from: Width,
    to: Width,
) -> Result<(), Halt> {
    let memory = &mut cx.parts.memory;
    let low = frame[usize::from(a)];
    let value = match op {
        Conv::Flatten => u128::from(memory.flatten(low).map_err(Halt::Limit)?),
        Conv::Unflatten => u128::from(memory.unflatten(low as u32)),
        _ if is_wide(from) => ops::convert(op, from, to, pair(frame, a)),
        _ => ops::convert(op, from, to, u128::from(low)),
    };
    if is_wide(to) {
        set_pair(frame, d, value);
    } else {
        frame[usize::from(d)] = value as u64;
    }
    Ok(())
}
