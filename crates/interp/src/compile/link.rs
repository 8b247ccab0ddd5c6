//! What can be known once every function has its place: where calls go, and what runs first there.
//!
//! An instruction may do the work of the one it jumps to, because that one stays where it is for
//! everybody else. Whatever is not the usual case is left to it: a fault, a limit, a write that
//! someone has to hear of. So nothing has to be told here but how the usual case goes.

use crate::code::{Code, Instr};

/// Calls go to functions by number until now.
pub(super) fn link(code: &mut Code) {
    for instr in &mut code.instrs {
        if let Instr::Call { target, .. }
        | Instr::CallAdd32I { target, .. }
        | Instr::CallMove { target, .. }
        | Instr::CallMove2x { target, .. }
        | Instr::CallConst { target, .. } = instr
        {
            *target = code.functions[*target as usize].start;
        }
    }
    // Labels of cases that fall into each other are counts in a row, which the table can add up.
    for table in &mut code.tables {
        for (target, steps) in table.entries.iter_mut().chain([&mut table.otherwise]) {
            while let Some(&Instr::Steps { n }) = code.instrs.get(*target as usize) {
                *steps += n;
                *target += 1;
            }
        }
    }
    for i in 0..code.instrs.len() {
        let instr = code.instrs[i];
        if let Some(target) = lookahead(instr)
            && let Some(&next) = code.instrs.get(target as usize)
            && let Some(both) = call_unless(instr, next).or_else(|| load_copy(instr, next))
        {
            code.instrs[i] = both;
        }
    }
}

/// Where the next instruction is that may be worth looking at.
fn lookahead(instr: Instr) -> Option<u32> {
    use Instr::*;
    match instr {
        CallAdd32I { target, .. }
        | LoadJumpSLt32 { target, .. }
        | LoadJumpSLe32 { target, .. }
        | LoadJumpSGt32 { target, .. }
        | LoadJumpSGe32 { target, .. } => Some(target),
        _ => None,
    }
}

/// A call of a function that returns at once, depending on its argument. Half of the calls of a
/// recursion with two branches are of this kind.
#[rustfmt::skip]
fn call_unless(call: Instr, first: Instr) -> Option<Instr> {
    use Instr::*;
    let CallAdd32I { base, d, t, a, add, target } = call else {
        return None;
    };
    let add = i16::try_from(add).ok()?;
    macro_rules! unless {
        ($x:ident, $v:ident, $steps:ident, $more:ident, $imm:ident, $fused:ident) => {{
            let v = base.checked_add($v)?;
            let imm = i16::try_from($imm).ok()?;
            (base.checked_add($x) == Some(t))
                .then_some($fused { base, d, t, a, v, steps: $steps, more: $more, add, imm, target })
        }};
    }
    match first {
        ReturnUnlessSGt32I { a: x, v, steps, more, imm } => unless!(x, v, steps, more, imm, CallUnlessSGt32I),
        ReturnUnlessSLt32I { a: x, v, steps, more, imm } => unless!(x, v, steps, more, imm, CallUnlessSLt32I),
        ReturnUnlessNeI { a: x, v, steps, more, imm } => unless!(x, v, steps, more, imm, CallUnlessNeI),
        ReturnUnlessEqI { a: x, v, steps, more, imm } => unless!(x, v, steps, more, imm, CallUnlessEqI),
        _ => None,
    }
}

/// An element that is moved inside its array if it is less, greater, and so on.
#[rustfmt::skip]
fn load_copy(jump: Instr, copy: Instr) -> Option<Instr> {
    use Instr::*;
    let Copy32Y { a: from, b: index, to, c: e, add: copy_add, to_add, offset: copy_offset, to_offset } = copy else {
        return None;
    };
    macro_rules! both {
        ($a:ident, $b:ident, $c:ident, $steps:ident, $add:ident, $offset:ident, $target:ident, $fused:ident) => {{
            let is_same = (from, index, copy_add, copy_offset) == ($a, $b, $add, i32::from($offset));
            (is_same && (to, to_offset) == (from, copy_offset))
                .then_some($fused { a: $a, b: $b, c: $c, e, steps: $steps, add: $add, to_add, offset: $offset, target: $target })
        }};
    }
    match jump {
        LoadJumpSLt32 { a, b, c, steps, add, offset, target } => both!(a, b, c, steps, add, offset, target, LoadCopySLt32),
        LoadJumpSLe32 { a, b, c, steps, add, offset, target } => both!(a, b, c, steps, add, offset, target, LoadCopySLe32),
        LoadJumpSGt32 { a, b, c, steps, add, offset, target } => both!(a, b, c, steps, add, offset, target, LoadCopySGt32),
        LoadJumpSGe32 { a, b, c, steps, add, offset, target } => both!(a, b, c, steps, add, offset, target, LoadCopySGe32),
        _ => None,
    }
}

/// Where an instruction jumps to inside its function.
pub(super) fn target_mut(instr: &mut Instr) -> Option<&mut u32> {
    use Instr::*;
    match instr {
        Jump { target, .. }
        | JumpEq { target, .. }
        | JumpNe { target, .. }
        | JumpULt { target, .. }
        | JumpULe { target, .. }
        | JumpSLt32 { target, .. }
        | JumpSLe32 { target, .. }
        | JumpSLt64 { target, .. }
        | JumpSLe64 { target, .. }
        | JumpEqI { target, .. }
        | JumpNeI { target, .. }
        | JumpSLt32I { target, .. }
        | JumpSGt32I { target, .. }
        | JumpSLt64I { target, .. }
        | JumpSGt64I { target, .. }
        | JumpULtI { target, .. }
        | JumpUGtI { target, .. }
        | IncJumpSLt32I { target, .. }
        | IncJumpSGt32I { target, .. }
        | IncJumpSLt32 { target, .. }
        | IncJumpSLe32 { target, .. }
        | AddJumpSLt32I { target, .. }
        | AddJumpSLt32 { target, .. }
        | JumpSLe32Plus { target, .. }
        | JumpPlusSLt32 { target, .. }
        | MoveJumpNz { target, .. }
        | MoveJumpZ { target, .. }
        | LoadJumpSLt32 { target, .. }
        | LoadJumpSLe32 { target, .. }
        | LoadJumpSGt32 { target, .. }
        | LoadJumpSGe32 { target, .. }
        | LoadsJumpSLt32 { target, .. }
        | LoadsJumpSLe32 { target, .. }
        | LoadsJumpSGt32 { target, .. }
        | LoadsJumpSGe32 { target, .. }
        | MulAddJumpSLt32 { target, .. }
        | MoveMulAddJumpSLt32 { target, .. }
        | JumpEqC { target, .. }
        | JumpNeC { target, .. }
        | JumpNone { target, .. }
        | JumpAny { target, .. }
        | LoadJumpEqI8 { target, .. }
        | LoadJumpNeI8 { target, .. }
        | LoadJumpEqI16 { target, .. }
        | LoadJumpNeI16 { target, .. }
        | LoadJumpEqI32 { target, .. }
        | LoadJumpNeI32 { target, .. }
        | LoadJumpEqI64 { target, .. }
        | LoadJumpNeI64 { target, .. }
        | LoadJumpNone8 { target, .. }
        | LoadJumpAny8 { target, .. }
        | LoadJumpNone16 { target, .. }
        | LoadJumpAny16 { target, .. }
        | LoadJumpNone32 { target, .. }
        | LoadJumpAny32 { target, .. }
        | LoadJumpEqI8X { target, .. }
        | LoadJumpNeI8X { target, .. }
        | LoadJumpZ8 { target, .. }
        | LoadJumpNz8 { target, .. } => Some(target),
        _ => None,
    }
}

/// The steps that a jump or a return counts, of those that there are before anything is fused.
pub(super) fn steps_mut(instr: &mut Instr) -> Option<&mut u8> {
    use Instr::*;
    match instr {
        Jump { steps, .. }
        | JumpEq { steps, .. }
        | JumpNe { steps, .. }
        | JumpULt { steps, .. }
        | JumpULe { steps, .. }
        | JumpSLt32 { steps, .. }
        | JumpSLe32 { steps, .. }
        | JumpSLt64 { steps, .. }
        | JumpSLe64 { steps, .. }
        | JumpEqI { steps, .. }
        | JumpNeI { steps, .. }
        | JumpSLt32I { steps, .. }
        | JumpSGt32I { steps, .. }
        | JumpSLt64I { steps, .. }
        | JumpSGt64I { steps, .. }
        | JumpULtI { steps, .. }
        | JumpUGtI { steps, .. }
        | Return { steps, .. }
        | Return2 { steps, .. }
        | ReturnVoid { steps, .. } => Some(steps),
        _ => None,
    }
}
