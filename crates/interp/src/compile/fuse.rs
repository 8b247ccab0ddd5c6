//! Instructions that often follow each other, made one.
//!
//! Decoding an instruction and finding its code costs more than what most of them do, so half as
//! many instructions run nearly twice as fast. Each rule looks at an instruction and the one or two
//! before it in the same straight line. It may drop what computes a temporary, because every
//! temporary is read once, and has to keep whatever goes to a variable.

use super::link::target_mut;
use super::steps;
use crate::code::{Instr, PTR, Reg, Site, Table, TyCode};

/// A function before it has a place in the code.
pub(super) struct Body<'a> {
    pub(super) instrs: &'a mut [Instr],
    pub(super) sites: &'a mut [Site],
    pub(super) types: &'a mut [TyCode],
    /// What was dropped stays where it is, and is not kept.
    pub(super) keep: &'a mut [bool],
}

/// `labels` are the positions that the targets of jumps stand for. Registers from `first_temp` on are temporaries. If
/// `variables_die`, nobody asks for the variables of a function that has returned its value.
pub(super) fn fuse(
    body: Body<'_>,
    labels: &[Option<u32>],
    tables: &[Table],
    first_temp: u32,
    variables_die: bool,
) {
    let Body {
        instrs,
        sites,
        types,
        keep,
    } = body;
    let is_target = targets(instrs, labels, tables);
    steps::gather(instrs, sites, keep, &is_target);
    let is_temp = |reg: Reg| u32::from(reg) >= first_temp;
    // The kept instructions before this one, as far as nothing jumps in between.
    let mut line: Vec<usize> = Vec::new();
    for i in 0..instrs.len() {
        if is_target[i] {
            line.clear();
        }
        if !keep[i] {
            continue;
        }
        // What two have become may be fused with what is before them.
        while let Some(l) = line.pop() {
            let (first, second) = (instrs[l], instrs[i]);
            let fused = if sites[l] == sites[i] {
                if types[l] == PTR
                    && let Some(instr) = fuse_loads(first, second, &is_temp)
                {
                    instrs[i] = instr;
                    keep[l] = false;
                    continue;
                }
                fuse_access(first, second, &is_temp)
            } else {
                None
            };
            let fused = fused
                .or_else(|| fuse_pure(first, second, &is_temp))
                .or_else(|| fuse_return(first, second, variables_die));
            if let Some(instr) = fused {
                instrs[i] = instr;
                keep[l] = false;
                // Of the two, one at most loads what is no integer.
                if types[i] == 0 {
                    types[i] = types[l];
                }
                continue;
            }
            let is_behind = |label: u32| labels[label as usize] == Some(i as u32 + 1);
            if let Some(instr) = fuse_skip(first, second, is_behind) {
                instrs[i] = instr;
                // The elements may fail, the increment may not.
                sites[i] = sites[l];
                keep[l] = false;
                continue;
            }
            if let Some(instr) = fuse_early_return(first, second, is_behind)
                .or_else(|| fuse_bounded_skip(first, second, is_behind))
            {
                instrs[i] = instr;
                keep[l] = false;
                continue;
            }
            let around = match line.last() {
                Some(&b) => fuse_around(instrs[b], first, second, &is_temp),
                None => None,
            };
            if let (Some(instr), Some(b)) = (around, line.last().copied()) {
                instrs[i] = instr;
                keep[b] = false;
                line.pop();
                line.push(l);
                continue;
            }
            line.push(l);
            break;
        }
        line.push(i);
    }
    fuse_moves(instrs, keep, &is_target, &is_temp);
}

/// By instruction, and one more: whether anything jumps there. Blocks that are fallen into have a label, too, which
/// nothing jumps to.
fn targets(instrs: &mut [Instr], labels: &[Option<u32>], tables: &[Table]) -> Vec<bool> {
    let mut is_target = vec![false; instrs.len() + 1];
    let mut note = |target: u32| {
        if let Some(at) = labels[target as usize] {
            is_target[at as usize] = true;
        }
    };
    for instr in instrs {
        if let Some(target) = target_mut(instr) {
            note(*target);
        }
    }
    for table in tables {
        for (target, _) in table.entries.iter().chain([&table.otherwise]) {
            note(*target);
        }
    }
    is_target
}

/// Arguments and other values that are moved one after the other, as far as nothing else could use the moves.
fn fuse_moves(
    instrs: &mut [Instr],
    keep: &mut [bool],
    is_target: &[bool],
    is_temp: &impl Fn(Reg) -> bool,
) {
    let mut last: Option<usize> = None;
    for i in 0..instrs.len() {
        if is_target[i] {
            last = None;
        }
        if !keep[i] {
            continue;
        }
        if let Some(l) = last
            && let Some(instr) = fuse_move(instrs[l], instrs[i], is_temp)
        {
            instrs[i] = instr;
            keep[l] = false;
        }
        last = Some(i);
    }
}

#[rustfmt::skip]
fn fuse_move(first: Instr, second: Instr, is_temp: &impl Fn(Reg) -> bool) -> Option<Instr> {
    use Instr::*;
    match (first, second) {
        (Move { d, a }, Move { d: d2, a: a2 }) => Some(Move2x { d, a, d2, a2 }),
        (Move { d, a }, Const { d: d2, low, high }) => Some(MoveConst { d, a, d2, low, high }),
        (Const { d: d2, low, high }, Move { d, a }) if a != d2 && d != d2 => Some(MoveConst { d, a, d2, low, high }),
        (Move { d: t2, a: a2 }, CallMove { base, d, t, a, target }) => Some(CallMove2x { base, d, t, a, t2, a2, target }),
        (Move2x { d: t2, a: a2, d2: t, a2: a }, Call { base, d, target }) => Some(CallMove2x { base, d, t, a, t2, a2, target }),
        (Const { d: t, low, high }, Call { base, d, target }) if is_temp(t) => Some(CallConst { base, d, t, low, high, target }),
        _ => None,
    }
}

/// A pointer and what is behind it. The first load is one of a pointer, whatever the second one is.
#[rustfmt::skip]
fn fuse_loads(first: Instr, second: Instr, is_temp: &impl Fn(Reg) -> bool) -> Option<Instr> {
    use Instr::*;
    let Load64 { d: t, a, offset: first } = first else {
        return None;
    };
    if !is_temp(t) {
        return None;
    }
    match second {
        Load8 { d, a: x, offset } if x == t => Some(LoadLoad8 { d, a, first, offset }),
        Load16 { d, a: x, offset } if x == t => Some(LoadLoad16 { d, a, first, offset }),
        Load32 { d, a: x, offset } if x == t => Some(LoadLoad32 { d, a, first, offset }),
        Load64 { d, a: x, offset } if x == t => Some(LoadLoad64 { d, a, first, offset }),
        _ => None,
    }
}

/// A number in memory that is compared with a constant, or made wider once more.
#[rustfmt::skip]
fn test_jump(load: Instr, jump: Instr, is_temp: &impl Fn(Reg) -> bool) -> Option<Instr> {
    use Instr::*;
    macro_rules! test {
        ($t:ident, $a:ident, $offset:ident, $eq:ident, $ne:ident) => {
            match jump {
                JumpEqI { a: x, steps, imm, target } if x == $t => Some($eq { a: $a, steps, offset: $offset, imm, target }),
                JumpNeI { a: x, steps, imm, target } if x == $t => Some($ne { a: $a, steps, offset: $offset, imm, target }),
                _ => None,
            }
        };
    }
    macro_rules! bits {
        ($t:ident, $a:ident, $offset:ident, $none:ident, $any:ident) => {
            match jump {
                JumpNone { a: x, steps, imm, target } if x == $t => Some($none { a: $a, steps, offset: $offset, imm, target }),
                JumpAny { a: x, steps, imm, target } if x == $t => Some($any { a: $a, steps, offset: $offset, imm, target }),
                _ => None,
            }
        };
    }
    match load {
        Load8S { d: t, a, offset } if is_temp(t) => match jump {
            Sext8To32 { d, a: x } if x == t => Some(Load8S { d, a, offset }),
            _ => None,
        },
        Load8SX { d: t, a, b, scale, offset } if is_temp(t) => match jump {
            Sext8To32 { d, a: x } if x == t => Some(Load8SX { d, a, b, scale, offset }),
            _ => None,
        },
        Load8SY { d: t, a, b, scale, offset } if is_temp(t) => match jump {
            Sext8To32 { d, a: x } if x == t => Some(Load8SY { d, a, b, scale, offset }),
            _ => None,
        },
        Load8 { d, a, offset } if is_temp(d) => test!(d, a, offset, LoadJumpEqI8, LoadJumpNeI8).or_else(|| bits!(d, a, offset, LoadJumpNone8, LoadJumpAny8)),
        Load16 { d, a, offset } if is_temp(d) => test!(d, a, offset, LoadJumpEqI16, LoadJumpNeI16).or_else(|| bits!(d, a, offset, LoadJumpNone16, LoadJumpAny16)),
        Load32 { d, a, offset } if is_temp(d) => test!(d, a, offset, LoadJumpEqI32, LoadJumpNeI32).or_else(|| bits!(d, a, offset, LoadJumpNone32, LoadJumpAny32)),
        Load64 { d, a, offset } if is_temp(d) => test!(d, a, offset, LoadJumpEqI64, LoadJumpNeI64),
        Load8X { d, a, b, scale: 1, offset } if is_temp(d) => match jump {
            JumpEqI { a: x, steps, imm, target } if x == d => Some(LoadJumpEqI8X { a, b, steps, imm: i16::try_from(imm).ok()?, offset, target }),
            JumpNeI { a: x, steps, imm, target } if x == d => Some(LoadJumpNeI8X { a, b, steps, imm: i16::try_from(imm).ok()?, offset, target }),
            _ => None,
        },
        _ => None,
    }
}

/// Loads with the computation of their address or the jump that depends on them. Both are of one
/// statement, so faults and inputs keep their place.
#[rustfmt::skip]
fn fuse_access(first: Instr, second: Instr, is_temp: &impl Fn(Reg) -> bool) -> Option<Instr> {
    use Instr::*;
    // The address of a row and the access to its element.
    if let Index32 {
        d: t,
        a,
        b,
        scale,
        offset: 0,
    } = first
        && is_temp(t)
    {
        macro_rules! element {
            ($r:ident, $c:ident, $offset:ident, $fused:ident) => {
                Some($fused {
                    $r,
                    a,
                    b,
                    c: $c,
                    scale,
                    offset: $offset,
                })
            };
        }
        return match second {
            Load8Y { d, a: x, b: c, scale: 1, offset } if x == t && c != t => element!(d, c, offset, Load8YY),
            Load32Y { d, a: x, b: c, scale: 4, offset } if x == t && c != t => element!(d, c, offset, Load32YY),
            Load64Y { d, a: x, b: c, scale: 8, offset } if x == t && c != t => element!(d, c, offset, Load64YY),
            Store8Y { v, a: x, b: c, scale: 1, offset } if x == t && c != t && v != t => element!(v, c, offset, Store8YY),
            Store32Y { v, a: x, b: c, scale: 4, offset } if x == t && c != t && v != t => element!(v, c, offset, Store32YY),
            Store64Y { v, a: x, b: c, scale: 8, offset } if x == t && c != t && v != t => element!(v, c, offset, Store64YY),
            _ => None,
        };
    }
    // An index that is a sum.
    if let Add32I { d: t, a: index, imm: add } = first
        && is_temp(t)
    {
        macro_rules! access {
            ($r:ident, $a:ident, $scale:ident, $offset:ident, $fused:ident) => {
                Some($fused {
                    $r,
                    a: $a,
                    b: index,
                    add,
                    scale: $scale,
                    offset: $offset,
                })
            };
        }
        return match second {
            Load8Y { d, a, b, scale, offset } if b == t && a != t => access!(d, a, scale, offset, Load8YI),
            Load32Y { d, a, b, scale, offset } if b == t && a != t => access!(d, a, scale, offset, Load32YI),
            Load64Y { d, a, b, scale, offset } if b == t && a != t => access!(d, a, scale, offset, Load64YI),
            Store8Y { v, a, b, scale, offset } if b == t && a != t && v != t => access!(v, a, scale, offset, Store8YI),
            Store32Y { v, a, b, scale, offset } if b == t && a != t && v != t => access!(v, a, scale, offset, Store32YI),
            Store64Y { v, a, b, scale, offset } if b == t && a != t && v != t => access!(v, a, scale, offset, Store64YI),
            _ => None,
        };
    }
    if let Some(instr) = test_jump(first, second, is_temp) {
        return Some(instr);
    }
    // An element and its comparison.
    match first {
        Load32Y { d: t, a, b, scale: 4, offset } if is_temp(t) => loads_jump(t, (a, b, offset), second)
            .or_else(|| element_copy(t, (a, b, 0, offset), second))
            .or_else(|| load_jump(t, (a, b, 0, offset), second)),
        Load32YI { d: t, a, b, add, scale: 4, offset } if is_temp(t) => element_copy(t, (a, b, add, offset), second)
            .or_else(|| load_jump(t, (a, b, add, offset), second)),
        // A sum of products.
        Load32YY { d: t, a, b, c, scale, offset } if is_temp(t) => match second {
            MulAdd32 { d, a: x, b: y, c: z } if z == d && d != t && (x == t) != (y == t) => {
                let m = if x == t { y } else { x };
                Some(MulAddLoad32YY { d, m, a, b, c, scale, offset })
            }
            _ => None,
        },
        Load8Y { d: t, a, b, scale: 1, offset } if is_temp(t) => match second {
            JumpEqI { a: x, steps, imm: 0, target } if x == t => Some(LoadJumpZ8 { a, b, steps, offset, target }),
            JumpNeI { a: x, steps, imm: 0, target } if x == t => Some(LoadJumpNz8 { a, b, steps, offset, target }),
            _ => None,
        },
        _ => None,
    }
}

/// The element `t` at base, index, what is added to the index, and offset goes to another place.
#[rustfmt::skip]
fn element_copy(t: Reg, (a, b, add, offset): (Reg, Reg, i32, i32), store: Instr) -> Option<Instr> {
    use Instr::*;
    let add = i8::try_from(add).ok()?;
    let (to, c, to_add, to_offset) = match store {
        Store32Y { v, a: to, b: c, scale: 4, offset } if v == t => (to, c, 0, offset),
        Store32YI { v, a: to, b: c, add, scale: 4, offset } if v == t => (to, c, i8::try_from(add).ok()?, offset),
        _ => return None,
    };
    (to != t && c != t).then_some(Copy32Y { a, b, to, c, add, to_add, offset, to_offset })
}

/// Two elements and their comparison: the second one, which is compared with `t`, is read later.
#[rustfmt::skip]
fn loads_jump(t: Reg, (a, b, offset): (Reg, Reg, i32), jump: Instr) -> Option<Instr> {
    use Instr::*;
    let offset = i16::try_from(offset).ok()?;
    macro_rules! jump_on {
        ($c:ident, $e:ident, $steps:ident, $add:ident, $second:ident, $target:ident, $fused:ident) => {
            Some($fused { a, b, c: $c, e: $e, steps: $steps, add: $add, offset, second: $second, target: $target })
        };
    }
    // The second is less than the first if the first is greater, and so on.
    match jump {
        LoadJumpSLt32 { a: c, b: e, c: x, steps, add, offset: second, target } if x == t && c != t && e != t => jump_on!(c, e, steps, add, second, target, LoadsJumpSGt32),
        LoadJumpSLe32 { a: c, b: e, c: x, steps, add, offset: second, target } if x == t && c != t && e != t => jump_on!(c, e, steps, add, second, target, LoadsJumpSGe32),
        LoadJumpSGt32 { a: c, b: e, c: x, steps, add, offset: second, target } if x == t && c != t && e != t => jump_on!(c, e, steps, add, second, target, LoadsJumpSLt32),
        LoadJumpSGe32 { a: c, b: e, c: x, steps, add, offset: second, target } if x == t && c != t && e != t => jump_on!(c, e, steps, add, second, target, LoadsJumpSLe32),
        _ => None,
    }
}

/// A comparison of the element `t` at base, index, what is added to the index, and offset.
#[rustfmt::skip]
fn load_jump(t: Reg, (a, b, add, offset): (Reg, Reg, i32, i32), jump: Instr) -> Option<Instr> {
    use Instr::*;
    let (add, offset) = (i8::try_from(add).ok()?, i16::try_from(offset).ok()?);
    match jump {
        JumpSLt32 { a: x, b: c, steps, target } if x == t && c != t => Some(LoadJumpSLt32 { a, b, c, steps, add, offset, target }),
        JumpSLe32 { a: x, b: c, steps, target } if x == t && c != t => Some(LoadJumpSLe32 { a, b, c, steps, add, offset, target }),
        JumpSLt32 { a: c, b: x, steps, target } if x == t && c != t => Some(LoadJumpSGt32 { a, b, c, steps, add, offset, target }),
        JumpSLe32 { a: c, b: x, steps, target } if x == t && c != t => Some(LoadJumpSGe32 { a, b, c, steps, add, offset, target }),
        _ => None,
    }
}

/// Pairs of which the first cannot fail.
#[rustfmt::skip]
fn fuse_pure(first: Instr, second: Instr, is_temp: &impl Fn(Reg) -> bool) -> Option<Instr> {
    use Instr::*;
    match first {
        // The step of a loop and its test.
        Add32I { d, a, imm: add } if d == a => match second {
            Steps { n } => Some(IncSteps { d, add, n }),
            JumpSLt32I { a: x, steps, imm, target } if x == d => Some(IncJumpSLt32I { d, steps, add, imm, target }),
            JumpSGt32I { a: x, steps, imm, target } if x == d => Some(IncJumpSGt32I { d, steps, add, imm, target }),
            JumpSLt32 { a: x, b, steps, target } if x == d && b != d => Some(IncJumpSLt32 { d, b, steps, add, target }),
            JumpSLe32 { a: x, b, steps, target } if x == d && b != d => Some(IncJumpSLe32 { d, b, steps, add, target }),
            _ => None,
        },
        Add32I { d: t, a: b, imm: add } if is_temp(t) => match second {
            JumpSLe32 { a, b: x, steps, target } if x == t && a != t => Some(JumpSLe32Plus { a, b, steps, add, target }),
            JumpSLt32 { a: x, b: c, steps, target } if x == t && c != t => Some(JumpPlusSLt32 { a: b, b: c, steps, add, target }),
            // The last argument.
            Call { base, d, target } => Some(CallAdd32I { base, d, t, a: b, add, target }),
            _ => None,
        },
        // The next index into a heap and its test.
        MulIAdd32I { d, a, imm, add } => match second {
            JumpSLt32 { a: x, b, steps, target } if x == d && b != d => {
                let (imm, add) = (i8::try_from(imm).ok()?, i16::try_from(add).ok()?);
                Some(MulAddJumpSLt32 { d, a, b, steps, imm, add, target })
            }
            _ => None,
        },
        // The element that is left and the next one.
        Move { d: s, a: m } if let MulAddJumpSLt32 { d, a, b, steps, imm, add, target } = second => {
            (a == s && b != s).then_some(MoveMulAddJumpSLt32 { d, s, m, b, steps, imm, add, target })
        }
        // A global.
        Const { d: t, low, high } if is_temp(t) => {
            let at = |offset: i32| match (low as i32, offset) {
                (0.., 0..) => low.checked_add(offset as u32).filter(|&sum| sum <= i32::MAX as u32),
                _ => None,
            };
            match second {
                Load32 { d, a, offset } if a == t => Some(Load32At { d, offset: at(offset)?, object: high }),
                Load64 { d, a, offset } if a == t => Some(Load64At { d, offset: at(offset)?, object: high }),
                Store32 { v, a, offset } if a == t && v != t => Some(Store32At { v, offset: at(offset)?, object: high }),
                Store64 { v, a, offset } if a == t && v != t => Some(Store64At { v, offset: at(offset)?, object: high }),
                // Any other constant.
                Store32 { v, a, offset } if v == t && a != t => Some(Store32C { a, offset, low }),
                Store64 { v, a, offset } if v == t && a != t => Some(Store64C { a, offset, low, high }),
                JumpEq { a, b, steps, target } if (a == t) != (b == t) => Some(JumpEqC { a: if a == t { b } else { a }, steps, low, high, target }),
                JumpNe { a, b, steps, target } if (a == t) != (b == t) => Some(JumpNeC { a: if a == t { b } else { a }, steps, low, high, target }),
                And { d, a, b } if (a == t) != (b == t) => Some(AndC { d, a: if a == t { b } else { a }, low, high }),
                Return { a, steps } if a == t => Some(ReturnC { steps, low, high }),
                _ => None,
            }
        }
        // Flags.
        AndI { d: t, a, imm } if is_temp(t) => match second {
            JumpEqI { a: x, steps, imm: 0, target } if x == t => Some(JumpNone { a, steps, imm, target }),
            JumpNeI { a: x, steps, imm: 0, target } if x == t => Some(JumpAny { a, steps, imm, target }),
            // What is stored is truncated anyway.
            Store8 { v, a: to, offset } if v == t && to != t && imm & 0xff == 0xff => Some(Store8 { v: a, a: to, offset }),
            Store16 { v, a: to, offset } if v == t && to != t && imm & 0xffff == 0xffff => Some(Store16 { v: a, a: to, offset }),
            _ => None,
        },
        Add32 { d, a, b } if d == a && b != d || d == b && a != d => {
            let b = if d == a { b } else { a };
            match second {
                JumpSLt32I { a: x, steps, imm, target } if x == d => Some(AddJumpSLt32I { d, b, steps, imm, target }),
                JumpSLt32 { a: x, b: c, steps, target } if x == d && c != d => Some(AddJumpSLt32 { d, b, c, steps, target }),
                _ => None,
            }
        }
        Move { d, a } => match second {
            Call { base, d: to, target } if is_temp(d) => Some(CallMove { base, d: to, t: d, a, target }),
            JumpNeI { a: x, steps, imm: 0, target } if x == d => Some(MoveJumpNz { d, a, steps, target }),
            JumpEqI { a: x, steps, imm: 0, target } if x == d => Some(MoveJumpZ { d, a, steps, target }),
            _ => None,
        },
        Mul32 { d: t, a, b } if is_temp(t) => match second {
            Add32 { d, a: x, b: y } if (x == t) != (y == t) => {
                let c = if x == t { y } else { x };
                Some(MulAdd32 { d, a, b, c })
            }
            _ => None,
        },
        Mul32I { d: t, a, imm } if is_temp(t) => match second {
            Add32 { d, a: x, b: y } if (x == t) != (y == t) => {
                let c = if x == t { y } else { x };
                Some(MulIAdd32 { d, a, c, imm })
            }
            Add32I { d, a: x, imm: add } if x == t => Some(MulIAdd32I { d, a, imm, add }),
            _ => None,
        },
        _ => None,
    }
}

/// What is computed only to be returned.
fn fuse_return(first: Instr, second: Instr, variables_die: bool) -> Option<Instr> {
    match (first, second) {
        (Instr::Move { d, a }, Instr::Return { a: x, steps }) if variables_die && x == d => {
            Some(Instr::Return { a, steps })
        }
        (Instr::Add32 { d, a, b }, Instr::Return { a: x, steps }) if variables_die && x == d => {
            Some(Instr::ReturnAdd32 { a, b, steps })
        }
        _ => None,
    }
}

/// A comparison of elements that jumps over an increment and nothing else.
#[rustfmt::skip]
fn fuse_skip(jump: Instr, skipped: Instr, is_behind: impl Fn(u32) -> bool) -> Option<Instr> {
    use Instr::*;
    let IncSteps { d, add: inc, n } = skipped else {
        return None;
    };
    let (inc, more) = (i8::try_from(inc).ok()?, u8::try_from(n).ok()?);
    match jump {
        LoadsJumpSGe32 { a, b, c, e, steps, add, offset, second, target } if is_behind(target) => Some(IncIfSLt32 { a, b, c, e, steps, add, offset, second, d, inc, more }),
        LoadsJumpSGt32 { a, b, c, e, steps, add, offset, second, target } if is_behind(target) => Some(IncIfSLe32 { a, b, c, e, steps, add, offset, second, d, inc, more }),
        LoadsJumpSLe32 { a, b, c, e, steps, add, offset, second, target } if is_behind(target) => Some(IncIfSGt32 { a, b, c, e, steps, add, offset, second, d, inc, more }),
        LoadsJumpSLt32 { a, b, c, e, steps, add, offset, second, target } if is_behind(target) => Some(IncIfSGe32 { a, b, c, e, steps, add, offset, second, d, inc, more }),
        _ => None,
    }
}

/// A bound that is tested before the comparison with the next element. It cannot fail.
#[rustfmt::skip]
fn fuse_bounded_skip(jump: Instr, skipped: Instr, is_behind: impl Fn(u32) -> bool) -> Option<Instr> {
    use Instr::*;
    let JumpSLe32Plus { a: n, b: i, steps, add, target } = jump else {
        return None;
    };
    let add = i8::try_from(add).ok()?;
    macro_rules! next {
        ($a:ident, $b:ident, $c:ident, $e:ident, $inner:ident, $next:ident, $offset:ident, $second:ident, $d:ident, $inc:ident, $more:ident, $fused:ident) => {
            ($a == $c && [$b, $e, $d] == [i; 3] && n != i && $next == add && $offset == $second && is_behind(target))
                .then_some($fused { a: $a, i, n, steps, inner: $inner, add, inc: $inc, more: $more, offset: $offset })
        };
    }
    match skipped {
        IncIfSLt32 { a, b, c, e, steps, add, offset, second, d, inc, more } => next!(a, b, c, e, steps, add, offset, second, d, inc, more, IncIfNextSLt32),
        IncIfSLe32 { a, b, c, e, steps, add, offset, second, d, inc, more } => next!(a, b, c, e, steps, add, offset, second, d, inc, more, IncIfNextSLe32),
        _ => None,
    }
}

/// A test that jumps over a `return` and nothing else. Neither can fail.
#[rustfmt::skip]
fn fuse_early_return(jump: Instr, skipped: Instr, is_behind: impl Fn(u32) -> bool) -> Option<Instr> {
    use Instr::*;
    let Return { a: v, steps: more } = skipped else {
        return None;
    };
    match jump {
        JumpSGt32I { a, steps, imm, target } if is_behind(target) => Some(ReturnUnlessSGt32I { a, v, steps, more, imm }),
        JumpSLt32I { a, steps, imm, target } if is_behind(target) => Some(ReturnUnlessSLt32I { a, v, steps, more, imm }),
        JumpNeI { a, steps, imm, target } if is_behind(target) => Some(ReturnUnlessNeI { a, v, steps, more, imm }),
        JumpEqI { a, steps, imm, target } if is_behind(target) => Some(ReturnUnlessEqI { a, v, steps, more, imm }),
        _ => None,
    }
}

/// A product that waits for a load. Nobody can see whether it is computed before or after.
fn fuse_around(
    first: Instr,
    load: Instr,
    second: Instr,
    is_temp: &impl Fn(Reg) -> bool,
) -> Option<Instr> {
    use Instr::*;
    let (Mul32I { d: t, a, imm }, Add32 { d, a: x, b: y }) = (first, second) else {
        return None;
    };
    let (Load32 { d: u, .. } | Load32Y { d: u, .. } | Load32X { d: u, .. } | Load32YY { d: u, .. }) =
        load
    else {
        return None;
    };
    let sums_both = x == t && y == u || x == u && y == t;
    (is_temp(t) && sums_both && t != u && u != a).then_some(MulIAdd32 { d, a, c: u, imm })
}
