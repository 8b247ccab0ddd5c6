//! The loop that executes instructions.

mod meter;
mod wide;
mod window;

pub(crate) use meter::{Ended, Meter};
pub(crate) use window::Frame;

use crate::code::{Code, Instr, WINDOW};
use crate::context::{Context, Halt, POINTER};
use crate::jump::Jump;
use crate::memory::displaced;
use crate::observe::{Observer, View, value_of};
use crate::ops::{self, is_wide, is_wide_ty};
use crate::outcome::Fault;
use idiolect_ir::{FaultKind, MarkId};
use meter::{look, next_check};
use std::ops::ControlFlow;
use window::{first_leak, grown, more_frames, window};

/// Runs from an instruction until something ends it. The meter says how far the run has come.
#[rustfmt::skip]
pub(crate) fn execute<O: Observer>(
    cx: &mut Context<'_>,
    stack: &mut Vec<u64>,
    frames: &mut Vec<Frame>,
    observer: &mut O,
    start: usize,
) -> Ended {
    let code: &Code = cx.code;
    let instrs: &[Instr] = &code.instrs;
    let mut next: std::slice::Iter<'_, Instr> = instrs[start..].iter();
    cx.meter.set_check(next_check(cx));
    let mut frame: &mut [u64; WINDOW] = window(stack, cx.meter.fp);

    // The reason to stop goes to memory: as a value of the loop it would be prepared before each
    // instruction, in case that one stops.
    macro_rules! stop {
        ($halt:expr) => {{
            cx.halt = $halt;
            break;
        }};
    }
    // The instruction that is executed; what is kept is the rest of the code behind it.
    macro_rules! pc {
        () => {
            instrs.len() - next.len() - 1
        };
    }
    macro_rules! goto {
        ($target:expr) => {
            next = instrs[$target as usize..].iter()
        };
    }
    macro_rules! r {
        ($reg:expr) => {
            frame[usize::from($reg)]
        };
    }
    macro_rules! fault {
        ($kind:expr, $address:expr) => {
            stop!(Halt::Fault(Fault {
                kind: $kind,
                address: $address,
            }))
        };
    }
    macro_rules! attempt {
        ($result:expr) => {
            match $result {
                Ok(value) => value,
                Err(halt) => stop!(halt),
            }
        };
    }
    macro_rules! view {
        () => {
            View {
                program: cx.program,
                code,
                memory: &cx.parts.memory,
                window: frame,
                far: cx.parts.far.get(cx.parts.far_base..).unwrap_or(&[]),
                pc: pc!(),
                depth: frames.len(),
            }
        };
    }
    macro_rules! notify {
        ($flow:expr) => {
            if $flow == ControlFlow::Break(()) {
                stop!(Halt::Stopped);
            }
        };
    }
    macro_rules! check {
        () => {
            if cx.meter.left <= 0 {
                cx.meter.is_counted = true;
                attempt!(look(cx));
                cx.meter.is_counted = false;
            }
        };
    }
    macro_rules! jump_if {
        ($condition:expr, $n:expr, $target:expr) => {{
            cx.meter.left -= i64::from($n);
            if $condition {
                goto!($target);
                check!();
                continue;
            }
        }};
    }
    // As above, to the next instruction.
    macro_rules! go_on_if {
        ($condition:expr, $n:expr) => {{
            cx.meter.left -= i64::from($n);
            if $condition {
                check!();
                continue;
            }
        }};
    }
    macro_rules! switch {
        ($number:expr, $table:expr) => {{
            let (target, n) = code.tables[$table as usize].get($number);
            cx.meter.left -= i64::from(n);
            goto!(target);
            check!();
            continue;
        }};
    }
    macro_rules! turn {
        () => {{
            goto!(attempt!(cx.switch(stack, frames, pc!() + 1)));
            frame = window(stack, cx.meter.fp);
            continue;
        }};
    }
    // Without a jump: whether elements are in order is what no processor can guess.
    macro_rules! inc_if {
        ($condition:expr, $d:expr, $inc:expr, $n:expr, $more:expr) => {{
            let holds = $condition;
            int32!($d, plus32!($d, i32::from($inc) & -i32::from(holds)));
            cx.meter.left -= i64::from($n) + (i64::from($more) & -i64::from(holds));
            // Where there would be a jump, the budget is asked as it would be after that.
            if cx.meter.left <= 0 && !holds {
                check!();
                continue;
            }
        }};
    }
    macro_rules! load {
        ($n:literal, $base:expr, $delta:expr) => {{
            let (base, delta): (u64, i64) = ($base, $delta);
            match cx.parts.memory.read::<$n>(base, delta) {
                Some(bits) => bits,
                None => attempt!(cx.load_slow(base, delta, $n, pc!())),
            }
        }};
    }
    // The type of what is read is not that of the instruction.
    macro_rules! load_pointer {
        ($a:expr, $offset:expr) => {{
            let (base, delta) = (r!($a), i64::from($offset));
            match cx.parts.memory.read::<8>(base, delta) {
                Some(bits) => bits,
                None => attempt!(cx.load_slow(base, delta, 8, POINTER)),
            }
        }};
    }
    macro_rules! store {
        ($n:literal, $int:ty, $base:expr, $delta:expr, $value:expr) => {{
            let (base, delta): (u64, i64) = ($base, $delta);
            let bytes = ($value as $int).to_le_bytes();
            if !cx.parts.memory.write::<$n>(base, delta, bytes) {
                attempt!(cx.store_slow(base, delta, &bytes));
            }
        }};
    }
    macro_rules! load2 {
        ($n:literal, $a:expr, $b:expr, $c:expr, $scale:expr, $offset:expr) => {{
            let (base, first) = (r!($a), index32!($b, $scale, 0));
            let second = index32!($c, $n, $offset);
            match cx.parts.memory.read_twice::<$n>(base, first, second) {
                Some(bits) => bits,
                None => load!($n, displaced(base, first), second),
            }
        }};
    }
    macro_rules! store2 {
        ($n:literal, $int:ty, $a:expr, $b:expr, $c:expr, $scale:expr, $offset:expr, $v:expr) => {{
            let (base, first) = (r!($a), index32!($b, $scale, 0));
            let second = index32!($c, $n, $offset);
            let bytes = (r!($v) as $int).to_le_bytes();
            if !cx.parts.memory.write_twice::<$n>(base, first, second, bytes) {
                store!($n, $int, displaced(base, first), second, r!($v));
            }
        }};
    }
    macro_rules! load_jump {
        ($op:tt, $a:expr, $b:expr, $c:expr, $n:expr, $add:expr, $offset:expr, $target:expr) => {{
            let x = load!(4, r!($a), index_plus!($b, i32::from($add), 4, $offset));
            jump_if!((x as i32) $op r!($c) as i32, $n, $target);
        }};
    }
    macro_rules! sum_jump {
        ($op:tt, $d:expr, $add:expr, $other:expr, $n:expr, $target:expr) => {{
            let x = plus32!($d, $add);
            int32!($d, x);
            jump_if!(x $op $other, $n, $target);
        }};
    }
    macro_rules! test_jump {
        ($size:literal, $op:tt, $a:expr, $offset:expr, $imm:expr, $n:expr, $target:expr) => {{
            let x = load!($size, r!($a), i64::from($offset));
            jump_if!(x $op i64::from($imm) as u64, $n, $target);
        }};
    }
    macro_rules! bits_jump {
        ($size:literal, $op:tt, $a:expr, $offset:expr, $imm:expr, $n:expr, $target:expr) => {{
            let x = load!($size, r!($a), i64::from($offset));
            jump_if!(x & u64::from($imm) $op 0, $n, $target);
        }};
    }
    macro_rules! load_copy {
        ($op:tt, $a:expr, $b:expr, $c:expr, $e:expr, $n:expr, $add:expr, $to_add:expr, $offset:expr, $target:expr) => {{
            let x = load!(4, r!($a), index_plus!($b, i32::from($add), 4, $offset));
            cx.meter.left -= i64::from($n);
            if (x as i32) $op r!($c) as i32 {
                goto!($target);
                check!();
                // What could not be written here is written, or fails, there.
                let to = index_plus!($e, i32::from($to_add), 4, $offset);
                if cx.parts.memory.write::<4>(r!($a), to, (x as u32).to_le_bytes()) {
                    next.next();
                }
                continue;
            }
        }};
    }
    macro_rules! two {
        ($op:tt, $a:expr, $b:expr, $offset:expr, $c:expr, $e:expr, $add:expr, $second:expr) => {{
            let x = load!(4, r!($a), index32!($b, 4, $offset));
            let y = load!(4, r!($c), index_plus!($e, i32::from($add), 4, $second));
            (x as i32) $op y as i32
        }};
    }
    // Neighbors are nearly always found together.
    macro_rules! next_two {
        ($a:expr, $i:expr, $add:expr, $offset:expr) => {{
            let base = r!($a);
            let first = index32!($i, 4, $offset);
            let second = index_plus!($i, i32::from($add), 4, $offset);
            match cx.parts.memory.read_both::<4>(base, first, second) {
                Some((x, y)) => (i32::from_le_bytes(x), i32::from_le_bytes(y)),
                None => (load!(4, base, first) as i32, load!(4, base, second) as i32),
            }
        }};
    }
    macro_rules! constant {
        ($low:expr, $high:expr) => {
            u64::from($high) << 32 | u64::from($low)
        };
    }
    macro_rules! plus32 {
        ($b:expr, $add:expr) => {
            (r!($b) as i32).wrapping_add($add)
        };
    }
    macro_rules! index_plus {
        ($b:expr, $add:expr, $scale:expr, $offset:expr) => {
            i64::from(plus32!($b, $add))
                .wrapping_mul(i64::from($scale))
                .wrapping_add(i64::from($offset))
        };
    }
    macro_rules! index64 {
        ($b:expr, $scale:expr, $offset:expr) => {
            (r!($b) as i64)
                .wrapping_mul(i64::from($scale))
                .wrapping_add(i64::from($offset))
        };
    }
    macro_rules! index32 {
        ($b:expr, $scale:expr, $offset:expr) => {
            i64::from(r!($b) as i32)
                .wrapping_mul(i64::from($scale))
                .wrapping_add(i64::from($offset))
        };
    }
    macro_rules! int32 {
        ($d:expr, $value:expr) => {
            r!($d) = u64::from($value as u32)
        };
    }
    macro_rules! pair {
        ($a:expr) => {
            u128::from(r!($a.wrapping_add(1))) << 64 | u128::from(r!($a))
        };
    }
    macro_rules! set_pair {
        ($d:expr, $value:expr) => {{
            let value: u128 = $value;
            r!($d) = value as u64;
            r!($d.wrapping_add(1)) = (value >> 64) as u64;
        }};
    }
    macro_rules! enter {
        ($base:expr, $d:expr, $target:expr) => {{
            if frames.len() == frames.capacity() {
                attempt!(more_frames(frames, cx.options.max_frames));
            }
            frames.push(Frame {
                pc: pc!() as u32 + 1,
                base: $base,
                d: $d,
            });
            cx.meter.fp += u32::from($base);
            let range = cx.meter.fp as usize..cx.meter.fp as usize + WINDOW;
            frame = match stack.get_mut(range).and_then(|w| w.try_into().ok()) {
                Some(window) => window,
                None => grown(stack, cx.meter.fp),
            };
            goto!($target);
        }};
    }
    macro_rules! called {
        ($base:expr, $callee:expr) => {
            if O::CALLS {
                let callee = $callee;
                let arguments = cx.arguments_of(callee, &frame[usize::from($base)..]);
                observer.called(&view!(), callee, &arguments);
            }
        };
    }
    macro_rules! call {
        ($base:expr, $d:expr, $target:expr) => {{
            called!($base, code.function_at($target as usize));
            enter!($base, $d, $target);
            continue;
        }};
    }
    macro_rules! sum_argument {
        ($t:expr, $a:expr, $add:expr) => {{
            int32!($t, plus32!($a, i32::from($add)));
            r!($t)
        }};
    }
    // If `$enters` does not hold, the first instruction at the target would return `$v`.
    macro_rules! call_unless {
        ($enters:expr, $base:expr, $d:expr, $v:expr, $n:expr, $more:expr, $target:expr) => {{
            if O::CALLS {
                called!($base, code.function_at($target as usize));
            } else if $enters {
                enter!($base, $d, $target + 1);
                cx.meter.left -= i64::from($n);
                check!();
                continue;
            } else {
                let left = cx.meter.left - i64::from($n) - i64::from($more);
                // With a frame to spare and steps left, nobody would have noticed the call.
                if left > 0 && frames.len() < frames.capacity() {
                    cx.meter.left = left;
                    r!($d) = r!($v);
                    continue;
                }
            }
            enter!($base, $d, $target);
            continue;
        }};
    }
    macro_rules! leave {
        ($n:expr, $low:expr, $high:expr, $wide:expr, $status:expr) => {{
            let (low, high) = ($low, $high);
            if O::CALLS {
                let ret = cx.program.function(code.function_at(pc!())).ret;
                observer.returned(&view!(), ret.map(|ty| value_of(ty, low, high)));
            }
            cx.meter.left -= i64::from($n);
            // Calls need not ask: whoever calls without end runs out of frames.
            if cx.meter.left <= 0 && !frames.is_empty() {
                // It ends here if it does, not behind.
                goto!(pc!());
                check!();
            }
            match frames.pop() {
                Some(caller) => {
                    cx.meter.fp -= u32::from(caller.base);
                    frame = window(stack, cx.meter.fp);
                    goto!(caller.pc);
                    if $wide {
                        r!(caller.d.wrapping_add(1)) = high;
                    }
                    if $status.is_some() {
                        r!(caller.d) = low;
                    }
                    continue;
                }
                // Steps have been counted already.
                None => {
                    cx.meter.left += i64::from($n);
                    stop!(Halt::Exit($status.unwrap_or(0)));
                }
            }
        }};
    }
    macro_rules! return_unless {
        ($condition:expr, $v:expr, $n:expr, $more:expr) => {{
            go_on_if!($condition, $n);
            leave!($more, r!($v), 0, false, Some(r!($v) as i32));
        }};
    }

    // By reference: a copy would be taken apart before it is known which parts are needed.
    while let Some(instr) = next.next() {
        match *instr {
            Instr::Move { d, a } => r!(d) = r!(a),
            Instr::Move2 { d, a } => set_pair!(d, pair!(a)),
            Instr::Const { d, low, high } => r!(d) = constant!(low, high),
            Instr::Consts { d, n, first } => {
                let constants = code.constants[first as usize..].iter().take(usize::from(n));
                for (register, &constant) in frame[usize::from(d)..].iter_mut().zip(constants) {
                    *register = constant;
                }
            }
            Instr::Move2x { d, a, d2, a2 } => { r!(d) = r!(a); r!(d2) = r!(a2); }
            Instr::MoveConst { d, a, d2, low, high } => { r!(d) = r!(a); r!(d2) = constant!(low, high); }
            Instr::LoadFar { d, slot } => r!(d) = cx.parts.far[cx.parts.far_base + slot as usize],
            Instr::StoreFar { a, slot } => {
                let at = cx.parts.far_base + slot as usize;
                cx.parts.far[at] = r!(a);
            }

            Instr::Add32 { d, a, b } => int32!(d, r!(a).wrapping_add(r!(b))),
            Instr::Sub32 { d, a, b } => int32!(d, r!(a).wrapping_sub(r!(b))),
            Instr::Mul32 { d, a, b } => int32!(d, r!(a).wrapping_mul(r!(b))),
            Instr::SDiv32 { d, a, b } => {
                let (x, y) = (r!(a) as i32, r!(b) as i32);
                match x.checked_div(y) {
                    Some(value) => int32!(d, value),
                    None if y == 0 => fault!(FaultKind::DivisionByZero, 0),
                    None => fault!(FaultKind::DivisionOverflow, 0),
                }
            }
            Instr::SRem32 { d, a, b } => {
                let (x, y) = (r!(a) as i32, r!(b) as i32);
                match x.checked_rem(y) {
                    Some(value) => int32!(d, value),
                    None if y == 0 => fault!(FaultKind::DivisionByZero, 0),
                    None => fault!(FaultKind::DivisionOverflow, 0),
                }
            }
            Instr::UDiv32 { d, a, b } => match (r!(a) as u32).checked_div(r!(b) as u32) {
                Some(value) => int32!(d, value),
                None => fault!(FaultKind::DivisionByZero, 0),
            },
            Instr::URem32 { d, a, b } => match (r!(a) as u32).checked_rem(r!(b) as u32) {
                Some(value) => int32!(d, value),
                None => fault!(FaultKind::DivisionByZero, 0),
            },
            Instr::Shl32 { d, a, b } => int32!(d, (r!(a) as u32).wrapping_shl(r!(b) as u32)),
            Instr::LShr32 { d, a, b } => int32!(d, (r!(a) as u32).wrapping_shr(r!(b) as u32)),
            Instr::AShr32 { d, a, b } => int32!(d, (r!(a) as i32).wrapping_shr(r!(b) as u32)),
            Instr::Add32I { d, a, imm } => int32!(d, (r!(a) as u32).wrapping_add(imm as u32)),
            Instr::Mul32I { d, a, imm } => int32!(d, (r!(a) as u32).wrapping_mul(imm as u32)),
            Instr::SDiv32I { d, a, imm } => int32!(d, (r!(a) as i32).wrapping_div(imm)),
            Instr::SRem32I { d, a, imm } => int32!(d, (r!(a) as i32).wrapping_rem(imm)),
            Instr::Shl32I { d, a, imm } => int32!(d, (r!(a) as u32).wrapping_shl(imm as u32)),
            Instr::AShr32I { d, a, imm } => int32!(d, (r!(a) as i32).wrapping_shr(imm as u32)),
            Instr::MulAdd32 { d, a, b, c } => int32!(d, r!(a).wrapping_mul(r!(b)).wrapping_add(r!(c))),
            Instr::MulIAdd32 { d, a, c, imm } => int32!(d, (r!(a) as u32).wrapping_mul(imm as u32).wrapping_add(r!(c) as u32)),
            Instr::MulIAdd32I { d, a, imm, add } => int32!(d, (r!(a) as u32).wrapping_mul(imm as u32).wrapping_add(add as u32)),
            Instr::Add64 { d, a, b } => r!(d) = r!(a).wrapping_add(r!(b)),
            Instr::Sub64 { d, a, b } => r!(d) = r!(a).wrapping_sub(r!(b)),
            Instr::Mul64 { d, a, b } => r!(d) = r!(a).wrapping_mul(r!(b)),
            Instr::Add64I { d, a, imm } => r!(d) = r!(a).wrapping_add(imm as i64 as u64),
            Instr::Mul64I { d, a, imm } => r!(d) = r!(a).wrapping_mul(imm as i64 as u64),
            Instr::Shl64I { d, a, imm } => r!(d) = r!(a).wrapping_shl(imm as u32),
            Instr::AShr64I { d, a, imm } => r!(d) = (r!(a) as i64).wrapping_shr(imm as u32) as u64,
            Instr::And { d, a, b } => r!(d) = r!(a) & r!(b),
            Instr::Or { d, a, b } => r!(d) = r!(a) | r!(b),
            Instr::Xor { d, a, b } => r!(d) = r!(a) ^ r!(b),
            Instr::AndI { d, a, imm } => r!(d) = r!(a) & u64::from(imm),
            Instr::AndC { d, a, low, high } => r!(d) = r!(a) & constant!(low, high),
            Instr::OrI { d, a, imm } => r!(d) = r!(a) | u64::from(imm),
            Instr::XorI { d, a, imm } => r!(d) = r!(a) ^ u64::from(imm),
            Instr::LShrI { d, a, imm } => r!(d) = r!(a).wrapping_shr(imm),
            Instr::Eq { d, a, b } => r!(d) = u64::from(r!(a) == r!(b)),
            Instr::Ne { d, a, b } => r!(d) = u64::from(r!(a) != r!(b)),
            Instr::ULt { d, a, b } => r!(d) = u64::from(r!(a) < r!(b)),
            Instr::ULe { d, a, b } => r!(d) = u64::from(r!(a) <= r!(b)),
            Instr::SLt32 { d, a, b } => r!(d) = u64::from((r!(a) as i32) < r!(b) as i32),
            Instr::SLe32 { d, a, b } => r!(d) = u64::from(r!(a) as i32 <= r!(b) as i32),
            Instr::SLt64 { d, a, b } => r!(d) = u64::from((r!(a) as i64) < r!(b) as i64),
            Instr::SLe64 { d, a, b } => r!(d) = u64::from(r!(a) as i64 <= r!(b) as i64),
            Instr::EqI { d, a, imm } => r!(d) = u64::from(r!(a) == imm as i64 as u64),
            Instr::NeI { d, a, imm } => r!(d) = u64::from(r!(a) != imm as i64 as u64),
            Instr::Sext32To64 { d, a } => r!(d) = r!(a) as i32 as i64 as u64,
            Instr::Sext8To32 { d, a } => int32!(d, r!(a) as i8 as i32),
            Instr::Sext16To32 { d, a } => int32!(d, r!(a) as i16 as i32),
            Instr::Sext { d, a, from, to } => {
                r!(d) = ops::sext64(r!(a), from) as u64 & ops::mask64(to as u8);
            }
            Instr::AddF64 { d, a, b } => r!(d) = (f64::from_bits(r!(a)) + f64::from_bits(r!(b))).to_bits(),
            Instr::SubF64 { d, a, b } => r!(d) = (f64::from_bits(r!(a)) - f64::from_bits(r!(b))).to_bits(),
            Instr::MulF64 { d, a, b } => r!(d) = (f64::from_bits(r!(a)) * f64::from_bits(r!(b))).to_bits(),
            Instr::DivF64 { d, a, b } => r!(d) = (f64::from_bits(r!(a)) / f64::from_bits(r!(b))).to_bits(),
            Instr::Binary { d, a, b, op, width } => match ops::binary(op, width, r!(a), r!(b)) {
                Ok(value) => r!(d) = value,
                Err(kind) => fault!(kind, 0),
            },
            Instr::Checked { d, a, b, op, width } => attempt!(wide::checked(frame, d, (a, b), op, width)),
            Instr::Binary2 { d, a, b, op, width } => attempt!(wide::binary(frame, d, (a, b), op, width)),
            Instr::Checked2 { d, a, b, op, width } => attempt!(wide::checked2(frame, d, (a, b), op, width)),
            Instr::Convert { d, a, op, from, to } => attempt!(wide::convert(cx, frame, (d, a), op, from, to)),
            Instr::ToAddress { d, a } => r!(d) = cx.parts.memory.flatten_wide(r!(a)),
            Instr::ToPointer { d, a } => r!(d) = cx.parts.memory.unflatten_wide(r!(a)),
            Instr::Index { d, a, b, scale, offset } => r!(d) = displaced(r!(a), index64!(b, scale, offset)),
            Instr::Index32 { d, a, b, scale, offset } => r!(d) = displaced(r!(a), index32!(b, scale, offset)),
            Instr::FlatDiff { d, a, b } => {
                let difference = attempt!(cx.flat_difference(r!(a), r!(b)));
                int32!(d, difference);
            }

            Instr::Load8 { d, a, offset } => r!(d) = load!(1, r!(a), i64::from(offset)),
            Instr::Load16 { d, a, offset } => r!(d) = load!(2, r!(a), i64::from(offset)),
            Instr::Load32 { d, a, offset } => r!(d) = load!(4, r!(a), i64::from(offset)),
            Instr::Load64 { d, a, offset } => r!(d) = load!(8, r!(a), i64::from(offset)),
            Instr::Load8S { d, a, offset } => int32!(d, load!(1, r!(a), i64::from(offset)) as i8 as i32),
            Instr::Load8SX { d, a, b, scale, offset } => int32!(d, load!(1, r!(a), index64!(b, scale, offset)) as i8 as i32),
            Instr::Load8SY { d, a, b, scale, offset } => int32!(d, load!(1, r!(a), index32!(b, scale, offset)) as i8 as i32),
            Instr::LoadLoad8 { d, a, first, offset } => r!(d) = load!(1, load_pointer!(a, first), i64::from(offset)),
            Instr::LoadLoad16 { d, a, first, offset } => r!(d) = load!(2, load_pointer!(a, first), i64::from(offset)),
            Instr::LoadLoad32 { d, a, first, offset } => r!(d) = load!(4, load_pointer!(a, first), i64::from(offset)),
            Instr::LoadLoad64 { d, a, first, offset } => r!(d) = load!(8, load_pointer!(a, first), i64::from(offset)),
            Instr::Load16X { d, a, b, scale, offset } => r!(d) = load!(2, r!(a), index64!(b, scale, offset)),
            Instr::Load16Y { d, a, b, scale, offset } => r!(d) = load!(2, r!(a), index32!(b, scale, offset)),
            Instr::Load8X { d, a, b, scale, offset } => r!(d) = load!(1, r!(a), index64!(b, scale, offset)),
            Instr::Load32X { d, a, b, scale, offset } => r!(d) = load!(4, r!(a), index64!(b, scale, offset)),
            Instr::Load64X { d, a, b, scale, offset } => r!(d) = load!(8, r!(a), index64!(b, scale, offset)),
            Instr::Load8Y { d, a, b, scale, offset } => r!(d) = load!(1, r!(a), index32!(b, scale, offset)),
            Instr::Load32Y { d, a, b, scale, offset } => r!(d) = load!(4, r!(a), index32!(b, scale, offset)),
            Instr::Load64Y { d, a, b, scale, offset } => r!(d) = load!(8, r!(a), index32!(b, scale, offset)),
            Instr::Load8YY { d, a, b, c, scale, offset } => r!(d) = load2!(1, a, b, c, scale, offset),
            Instr::Load8YI { d, a, b, add, scale, offset } => r!(d) = load!(1, r!(a), index_plus!(b, add, scale, offset)),
            Instr::Load32YY { d, a, b, c, scale, offset } => r!(d) = load2!(4, a, b, c, scale, offset),
            Instr::Load32YI { d, a, b, add, scale, offset } => r!(d) = load!(4, r!(a), index_plus!(b, add, scale, offset)),
            Instr::Load64YY { d, a, b, c, scale, offset } => r!(d) = load2!(8, a, b, c, scale, offset),
            Instr::Load64YI { d, a, b, add, scale, offset } => r!(d) = load!(8, r!(a), index_plus!(b, add, scale, offset)),
            Instr::Load32At { d, offset, object } => r!(d) = load!(4, u64::from(object) << 32, i64::from(offset)),
            Instr::Load64At { d, offset, object } => r!(d) = load!(8, u64::from(object) << 32, i64::from(offset)),
            Instr::LoadAny { d, a, access, offset } => {
                let (low, high) = attempt!(cx.load_any(r!(a), offset, access, pc!()));
                r!(d) = low;
                if let Some(high) = high {
                    r!(d.wrapping_add(1)) = high;
                }
            }
            Instr::Store8 { v, a, offset } => store!(1, u8, r!(a), i64::from(offset), r!(v)),
            Instr::Store16 { v, a, offset } => store!(2, u16, r!(a), i64::from(offset), r!(v)),
            Instr::Store32 { v, a, offset } => store!(4, u32, r!(a), i64::from(offset), r!(v)),
            Instr::Store64 { v, a, offset } => store!(8, u64, r!(a), i64::from(offset), r!(v)),
            Instr::Store32C { a, offset, low } => store!(4, u32, r!(a), i64::from(offset), low),
            Instr::Store64C { a, offset, low, high } => store!(8, u64, r!(a), i64::from(offset), constant!(low, high)),
            Instr::Store8X { v, a, b, scale, offset } => store!(1, u8, r!(a), index64!(b, scale, offset), r!(v)),
            Instr::Store32X { v, a, b, scale, offset } => store!(4, u32, r!(a), index64!(b, scale, offset), r!(v)),
            Instr::Store64X { v, a, b, scale, offset } => store!(8, u64, r!(a), index64!(b, scale, offset), r!(v)),
            Instr::Store8Y { v, a, b, scale, offset } => store!(1, u8, r!(a), index32!(b, scale, offset), r!(v)),
            Instr::Store32Y { v, a, b, scale, offset } => store!(4, u32, r!(a), index32!(b, scale, offset), r!(v)),
            Instr::Store64Y { v, a, b, scale, offset } => store!(8, u64, r!(a), index32!(b, scale, offset), r!(v)),
            Instr::Store8YY { v, a, b, c, scale, offset } => store2!(1, u8, a, b, c, scale, offset, v),
            Instr::Store8YI { v, a, b, add, scale, offset } => store!(1, u8, r!(a), index_plus!(b, add, scale, offset), r!(v)),
            Instr::Store32YY { v, a, b, c, scale, offset } => store2!(4, u32, a, b, c, scale, offset, v),
            Instr::Store32YI { v, a, b, add, scale, offset } => store!(4, u32, r!(a), index_plus!(b, add, scale, offset), r!(v)),
            Instr::Store64YY { v, a, b, c, scale, offset } => store2!(8, u64, a, b, c, scale, offset, v),
            Instr::Store64YI { v, a, b, add, scale, offset } => store!(8, u64, r!(a), index_plus!(b, add, scale, offset), r!(v)),
            Instr::Store32At { v, offset, object } => store!(4, u32, u64::from(object) << 32, i64::from(offset), r!(v)),
            Instr::Store64At { v, offset, object } => store!(8, u64, u64::from(object) << 32, i64::from(offset), r!(v)),
            Instr::Copy32Y { a, b, to, c, add, to_add, offset, to_offset } => {
                let x = load!(4, r!(a), index_plus!(b, i32::from(add), 4, offset));
                store!(4, u32, r!(to), index_plus!(c, i32::from(to_add), 4, to_offset), x);
            }
            Instr::MulAddLoad32YY { d, m, a, b, c, scale, offset } => {
                let x = load2!(4, a, b, c, scale, offset);
                int32!(d, r!(m).wrapping_mul(x).wrapping_add(r!(d)));
            }
            Instr::StoreAny { v, a, access, offset } => {
                attempt!(cx.store_any(r!(a), offset, access, pair!(v)));
            }
            Instr::StoreBits { v, a, access, shift, width } => attempt!(cx.store_bits(r!(a), access, shift, width, pair!(v))),
            Instr::Copy { to, from, low, high } => attempt!(cx.copy(r!(to), r!(from), u64::from(high) << 32 | u64::from(low))),
            Instr::Zero { to, low, high } => {
                attempt!(cx.fill(r!(to), 0, u64::from(high) << 32 | u64::from(low)));
            }

            Instr::Jump { steps: n, target } => jump_if!(true, n, target),
            Instr::Steps { n } => cx.meter.left -= i64::from(n),
            Instr::IncSteps { d, add, n } => {
                int32!(d, plus32!(d, add));
                cx.meter.left -= i64::from(n);
            }
            Instr::JumpEq { a, b, steps: n, target } => jump_if!(r!(a) == r!(b), n, target),
            Instr::JumpNe { a, b, steps: n, target } => jump_if!(r!(a) != r!(b), n, target),
            Instr::JumpULt { a, b, steps: n, target } => jump_if!(r!(a) < r!(b), n, target),
            Instr::JumpULe { a, b, steps: n, target } => jump_if!(r!(a) <= r!(b), n, target),
            Instr::JumpSLt32 { a, b, steps: n, target } => jump_if!((r!(a) as i32) < r!(b) as i32, n, target),
            Instr::JumpSLe32 { a, b, steps: n, target } => jump_if!(r!(a) as i32 <= r!(b) as i32, n, target),
            Instr::JumpSLt64 { a, b, steps: n, target } => jump_if!((r!(a) as i64) < r!(b) as i64, n, target),
            Instr::JumpSLe64 { a, b, steps: n, target } => jump_if!(r!(a) as i64 <= r!(b) as i64, n, target),
            Instr::JumpEqI { a, steps: n, imm, target } => jump_if!(r!(a) == imm as i64 as u64, n, target),
            Instr::JumpNeI { a, steps: n, imm, target } => jump_if!(r!(a) != imm as i64 as u64, n, target),
            Instr::JumpEqC { a, steps: n, low, high, target } => jump_if!(r!(a) == constant!(low, high), n, target),
            Instr::JumpNeC { a, steps: n, low, high, target } => jump_if!(r!(a) != constant!(low, high), n, target),
            Instr::JumpNone { a, steps: n, imm, target } => jump_if!(r!(a) & u64::from(imm) == 0, n, target),
            Instr::JumpAny { a, steps: n, imm, target } => jump_if!(r!(a) & u64::from(imm) != 0, n, target),
            Instr::JumpSLt32I { a, steps: n, imm, target } => jump_if!((r!(a) as i32) < imm, n, target),
            Instr::JumpSGt32I { a, steps: n, imm, target } => jump_if!(r!(a) as i32 > imm, n, target),
            Instr::JumpSLt64I { a, steps: n, imm, target } => jump_if!((r!(a) as i64) < i64::from(imm), n, target),
            Instr::JumpSGt64I { a, steps: n, imm, target } => jump_if!(r!(a) as i64 > i64::from(imm), n, target),
            Instr::JumpULtI { a, steps: n, imm, target } => jump_if!(r!(a) < imm as u64, n, target),
            Instr::JumpUGtI { a, steps: n, imm, target } => jump_if!(r!(a) > imm as u64, n, target),
            Instr::IncJumpSLt32I { d, steps: n, add, imm, target } => sum_jump!(<, d, add, imm, n, target),
            Instr::IncJumpSGt32I { d, steps: n, add, imm, target } => sum_jump!(>, d, add, imm, n, target),
            Instr::IncJumpSLt32 { d, b, steps: n, add, target } => sum_jump!(<, d, add, r!(b) as i32, n, target),
            Instr::IncJumpSLe32 { d, b, steps: n, add, target } => sum_jump!(<=, d, add, r!(b) as i32, n, target),
            Instr::AddJumpSLt32I { d, b, steps: n, imm, target } => sum_jump!(<, d, r!(b) as i32, imm, n, target),
            Instr::AddJumpSLt32 { d, b, c, steps: n, target } => sum_jump!(<, d, r!(b) as i32, r!(c) as i32, n, target),
            Instr::MulAddJumpSLt32 { d, a, b, steps: n, imm, add, target } => {
                let x = (r!(a) as i32).wrapping_mul(i32::from(imm)).wrapping_add(i32::from(add));
                int32!(d, x);
                jump_if!(x < r!(b) as i32, n, target);
            }
            Instr::MoveMulAddJumpSLt32 { d, s, m, b, steps: n, imm, add, target } => {
                let index = r!(m);
                r!(s) = index;
                let x = (index as i32).wrapping_mul(i32::from(imm)).wrapping_add(i32::from(add));
                int32!(d, x);
                jump_if!(x < r!(b) as i32, n, target);
            }
            Instr::JumpSLe32Plus { a, b, steps: n, add, target } => jump_if!(r!(a) as i32 <= plus32!(b, add), n, target),
            Instr::JumpPlusSLt32 { a, b, steps: n, add, target } => jump_if!(plus32!(a, add) < r!(b) as i32, n, target),
            Instr::MoveJumpNz { d, a, steps: n, target } => {
                r!(d) = r!(a);
                jump_if!(r!(d) != 0, n, target);
            }
            Instr::MoveJumpZ { d, a, steps: n, target } => {
                r!(d) = r!(a);
                jump_if!(r!(d) == 0, n, target);
            }
            Instr::LoadJumpSLt32 { a, b, c, steps: n, add, offset, target } => load_jump!(<, a, b, c, n, add, offset, target),
            Instr::LoadJumpSLe32 { a, b, c, steps: n, add, offset, target } => load_jump!(<=, a, b, c, n, add, offset, target),
            Instr::LoadJumpSGt32 { a, b, c, steps: n, add, offset, target } => load_jump!(>, a, b, c, n, add, offset, target),
            Instr::LoadJumpSGe32 { a, b, c, steps: n, add, offset, target } => load_jump!(>=, a, b, c, n, add, offset, target),
            Instr::LoadCopySLt32 { a, b, c, e, steps: n, add, to_add, offset, target } => load_copy!(<, a, b, c, e, n, add, to_add, offset, target),
            Instr::LoadCopySLe32 { a, b, c, e, steps: n, add, to_add, offset, target } => load_copy!(<=, a, b, c, e, n, add, to_add, offset, target),
            Instr::LoadCopySGt32 { a, b, c, e, steps: n, add, to_add, offset, target } => load_copy!(>, a, b, c, e, n, add, to_add, offset, target),
            Instr::LoadCopySGe32 { a, b, c, e, steps: n, add, to_add, offset, target } => load_copy!(>=, a, b, c, e, n, add, to_add, offset, target),
            Instr::LoadsJumpSLt32 { a, b, c, e, steps: n, add, offset, second, target } => jump_if!(two!(<, a, b, offset, c, e, add, second), n, target),
            Instr::LoadsJumpSLe32 { a, b, c, e, steps: n, add, offset, second, target } => jump_if!(two!(<=, a, b, offset, c, e, add, second), n, target),
            Instr::LoadsJumpSGt32 { a, b, c, e, steps: n, add, offset, second, target } => jump_if!(two!(>, a, b, offset, c, e, add, second), n, target),
            Instr::LoadsJumpSGe32 { a, b, c, e, steps: n, add, offset, second, target } => jump_if!(two!(>=, a, b, offset, c, e, add, second), n, target),
            Instr::IncIfSLt32 { a, b, c, e, steps: n, add, offset, second, d, inc, more } => inc_if!(two!(<, a, b, offset, c, e, add, second), d, inc, n, more),
            Instr::IncIfSLe32 { a, b, c, e, steps: n, add, offset, second, d, inc, more } => inc_if!(two!(<=, a, b, offset, c, e, add, second), d, inc, n, more),
            Instr::IncIfSGt32 { a, b, c, e, steps: n, add, offset, second, d, inc, more } => inc_if!(two!(>, a, b, offset, c, e, add, second), d, inc, n, more),
            Instr::IncIfSGe32 { a, b, c, e, steps: n, add, offset, second, d, inc, more } => inc_if!(two!(>=, a, b, offset, c, e, add, second), d, inc, n, more),
            Instr::IncIfNextSLt32 { a, i, n, steps, inner, add, inc, more, offset } => {
                go_on_if!(r!(n) as i32 <= plus32!(i, i32::from(add)), steps);
                let (x, y) = next_two!(a, i, add, offset);
                inc_if!(x < y, i, inc, inner, more);
            }
            Instr::IncIfNextSLe32 { a, i, n, steps, inner, add, inc, more, offset } => {
                go_on_if!(r!(n) as i32 <= plus32!(i, i32::from(add)), steps);
                let (x, y) = next_two!(a, i, add, offset);
                inc_if!(x <= y, i, inc, inner, more);
            }
            Instr::LoadJumpEqI8 { a, steps: n, offset, imm, target } => test_jump!(1, ==, a, offset, imm, n, target),
            Instr::LoadJumpNeI8 { a, steps: n, offset, imm, target } => test_jump!(1, !=, a, offset, imm, n, target),
            Instr::LoadJumpEqI16 { a, steps: n, offset, imm, target } => test_jump!(2, ==, a, offset, imm, n, target),
            Instr::LoadJumpNeI16 { a, steps: n, offset, imm, target } => test_jump!(2, !=, a, offset, imm, n, target),
            Instr::LoadJumpEqI32 { a, steps: n, offset, imm, target } => test_jump!(4, ==, a, offset, imm, n, target),
            Instr::LoadJumpNeI32 { a, steps: n, offset, imm, target } => test_jump!(4, !=, a, offset, imm, n, target),
            Instr::LoadJumpEqI64 { a, steps: n, offset, imm, target } => test_jump!(8, ==, a, offset, imm, n, target),
            Instr::LoadJumpNeI64 { a, steps: n, offset, imm, target } => test_jump!(8, !=, a, offset, imm, n, target),
            Instr::LoadJumpNone8 { a, steps: n, offset, imm, target } => bits_jump!(1, ==, a, offset, imm, n, target),
            Instr::LoadJumpAny8 { a, steps: n, offset, imm, target } => bits_jump!(1, !=, a, offset, imm, n, target),
            Instr::LoadJumpNone16 { a, steps: n, offset, imm, target } => bits_jump!(2, ==, a, offset, imm, n, target),
            Instr::LoadJumpAny16 { a, steps: n, offset, imm, target } => bits_jump!(2, !=, a, offset, imm, n, target),
            Instr::LoadJumpNone32 { a, steps: n, offset, imm, target } => bits_jump!(4, ==, a, offset, imm, n, target),
            Instr::LoadJumpAny32 { a, steps: n, offset, imm, target } => bits_jump!(4, !=, a, offset, imm, n, target),
            Instr::LoadJumpEqI8X { a, b, steps: n, imm, offset, target } => jump_if!(load!(1, r!(a), index64!(b, 1, offset)) == i64::from(imm) as u64, n, target),
            Instr::LoadJumpNeI8X { a, b, steps: n, imm, offset, target } => jump_if!(load!(1, r!(a), index64!(b, 1, offset)) != i64::from(imm) as u64, n, target),
            Instr::LoadJumpZ8 { a, b, steps: n, offset, target } => jump_if!(load!(1, r!(a), index32!(b, 1, offset)) == 0, n, target),
            Instr::LoadJumpNz8 { a, b, steps: n, offset, target } => jump_if!(load!(1, r!(a), index32!(b, 1, offset)) != 0, n, target),

            Instr::Call { base, d, target } => call!(base, d, target),
            Instr::CallAdd32I { base, d, t, a, add, target } => {
                int32!(t, plus32!(a, add));
                call!(base, d, target);
            }
            Instr::CallUnlessSGt32I { base, d, t, a, v, steps: n, more, add, imm, target } => {
                let x = sum_argument!(t, a, add);
                call_unless!(x as i32 > i32::from(imm), base, d, v, n, more, target);
            }
            Instr::CallUnlessSLt32I { base, d, t, a, v, steps: n, more, add, imm, target } => {
                let x = sum_argument!(t, a, add);
                call_unless!((x as i32) < i32::from(imm), base, d, v, n, more, target);
            }
            Instr::CallUnlessNeI { base, d, t, a, v, steps: n, more, add, imm, target } => {
                let x = sum_argument!(t, a, add);
                call_unless!(x != i64::from(imm) as u64, base, d, v, n, more, target);
            }
            Instr::CallUnlessEqI { base, d, t, a, v, steps: n, more, add, imm, target } => {
                let x = sum_argument!(t, a, add);
                call_unless!(x == i64::from(imm) as u64, base, d, v, n, more, target);
            }
            Instr::CallMove { base, d, t, a, target } => {
                r!(t) = r!(a);
                call!(base, d, target);
            }
            Instr::CallMove2x { base, d, t, a, t2, a2, target } => {
                r!(t2) = r!(a2);
                r!(t) = r!(a);
                call!(base, d, target);
            }
            Instr::CallConst { base, d, t, low, high, target } => {
                r!(t) = constant!(low, high);
                call!(base, d, target);
            }
            Instr::CallPointer { base, d, a, call } => {
                let pointer = r!(a);
                let registers = &mut frame[usize::from(base)..];
                let callee = attempt!(cx.resolve_call(pointer, call, registers));
                called!(base, callee);
                enter!(base, d, code.functions[callee.index()].start);
                continue;
            }
            Instr::CallBuiltin { base, d, call } => {
                let result = attempt!(cx.builtin(call, frame, base, pc!(), frames.len(), observer));
                if let Some(value) = result {
                    let site = &code.calls[call as usize];
                    if site.result.is_some_and(is_wide_ty) {
                        set_pair!(d, value);
                    } else {
                        r!(d) = value as u64;
                    }
                }
            }
            Instr::PushArgument { a } => cx.parts.arguments.push(r!(a)),
            Instr::TakeArgument { d, index } => {
                let value = cx.parts.arguments.get(index as usize).copied();
                r!(d) = value.unwrap_or(0);
            }
            Instr::DropArguments => cx.parts.arguments.clear(),
            Instr::Return { a, steps: n } => {
                leave!(n, r!(a), 0, false, Some(r!(a) as i32));
            }
            Instr::ReturnC { steps: n, low, high } => {
                let value = constant!(low, high);
                leave!(n, value, 0, false, Some(value as i32));
            }
            Instr::Return2 { a, steps: n } => {
                leave!(n, r!(a), r!(a.wrapping_add(1)), true, Some(0));
            }
            Instr::ReturnVoid { steps: n } => leave!(n, 0, 0, false, None::<i32>),
            Instr::ReturnAdd32 { a, b, steps: n } => {
                let sum = u64::from((r!(a) as u32).wrapping_add(r!(b) as u32));
                leave!(n, sum, 0, false, Some(sum as i32));
            }
            Instr::ReturnUnlessSGt32I { a, v, steps: n, more, imm } => return_unless!(r!(a) as i32 > imm, v, n, more),
            Instr::ReturnUnlessSLt32I { a, v, steps: n, more, imm } => return_unless!((r!(a) as i32) < imm, v, n, more),
            Instr::ReturnUnlessNeI { a, v, steps: n, more, imm } => return_unless!(r!(a) != imm as i64 as u64, v, n, more),
            Instr::ReturnUnlessEqI { a, v, steps: n, more, imm } => return_unless!(r!(a) == imm as i64 as u64, v, n, more),
            Instr::Malloc { d, a } => r!(d) = attempt!(cx.malloc(r!(a), pc!())),
            Instr::Free { a } => {
                let pointer = r!(a);
                if pointer != 0 && let Err(kind) = cx.parts.memory.free(pointer) {
                    fault!(kind, pointer);
                }
            }
            Instr::Switch32 { a, table } => switch!(i64::from(r!(a) as i32), table),
            Instr::Switch64 { a, table } => switch!(r!(a) as i64, table),
            Instr::Setjmp { d, a } => {
                attempt!(cx.set_jump(r!(a), Jump::new(pc!(), d, frames.len(), cx)));
                r!(d) = 0;
            }
            Instr::Longjmp { a, v } => {
                let jump = attempt!(cx.jump_back(r!(a), pc!()));
                let value = r!(v) as u32;
                frames.truncate(jump.depth);
                if O::CALLS {
                    observer.unwound(jump.depth);
                }
                frame = window(stack, cx.meter.fp);
                r!(jump.register) = u64::from(value.max(1));
                goto!(jump.pc + 1);
                check!();
                continue;
            }
            Instr::Yield => if cx.is_due() { turn!(); },
            Instr::Thread { op, d, a, v } => {
                r!(d) = attempt!(cx.thread_call(op, r!(a), r!(v), d));
                if cx.gives_way(op) { turn!(); }
            }
            Instr::Clear { from, to } => frame[usize::from(from)..to as usize].fill(0),
            Instr::EnterFar { size } => attempt!(cx.enter_far(size as usize)),
            Instr::LeaveFar { .. } => cx.leave_far(),
            Instr::EnterLocals { function } => {
                attempt!(cx.enter_locals(function as usize, frame, pc!()));
            }
            Instr::LeaveLocals => cx.leave_locals(),
            Instr::Renew { d } => r!(d) = cx.parts.memory.renew(r!(d)),
            Instr::End { d } => r!(d) = cx.parts.memory.restart(r!(d)),
            Instr::EndDynamic { d } => r!(d) = cx.end_dynamic(r!(d)),
            Instr::Dynamic { d, a, local } => {
                let size = r!(a);
                r!(d) = attempt!(cx.dynamic_local(local, r!(d), size, pc!()));
            }

            Instr::Input { d, input, ty } => {
                let (low, high) = attempt!(cx.input(input, ty));
                r!(d) = low;
                if is_wide(ty) {
                    r!(d.wrapping_add(1)) = high;
                }
            }
            Instr::AssumeFails => stop!(Halt::AssumeEnded),
            Instr::Exit { a } => {
                let status = r!(a) as i32;
                if cx.options.check_leaks
                    && let Some((lost, made_at)) = first_leak(cx, code, stack, frames, pc!())
                {
                    goto!(made_at + 1);
                    stop!(Halt::Fault(lost));
                }
                stop!(Halt::Exit(status));
            }
            Instr::Abort => stop!(Halt::Abort),
            Instr::Error { block } => stop!(Halt::Error(block)),
            Instr::Trap { index } => stop!(Halt::Trap(index)),
            Instr::Fault { kind } => fault!(kind, 0),
            Instr::CheckLeaks => {
                if let Some((lost, made_at)) = first_leak(cx, code, stack, frames, pc!()) {
                    goto!(made_at + 1);
                    stop!(Halt::Fault(lost));
                }
                frame = window(stack, cx.meter.fp);
            }

            Instr::Decision { taken, function, block } => {
                if O::DECISIONS {
                    notify!(observer.decision(function, block, taken));
                }
            }
            Instr::Before => {
                if O::STATEMENTS {
                    notify!(observer.before(&view!()));
                }
            }
            Instr::After { effect } => {
                if O::STATEMENTS {
                    let view = view!();
                    let effect = cx.effect(effect, &view);
                    observer.after(&view, &effect);
                }
            }
            Instr::Mark { mark } => {
                if O::EVENTS {
                    notify!(observer.marked(&view!(), MarkId(mark)));
                }
            }
            Instr::Enter => {
                if O::EVENTS {
                    notify!(observer.entered(&view!()));
                }
            }
        }
    }
    let steps = cx.meter.steps();
    let Meter {
        spent,
        is_counted,
        ..
    } = cx.meter;
    if steps > spent {
        // The run is over whatever this says; the next one will hear of it.
        let _ = cx.budget.spend(steps - spent);
        cx.meter.spent = steps;
    }
    Ended {
        halt: cx.halt,
        pc: instrs.len() - next.len() - usize::from(!is_counted),
        steps,
        is_counted,
    }
}
