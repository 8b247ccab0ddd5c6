//! From one state to the next.

use super::NotProved;
use super::evaluate::{Evaluator, Halt, at, size};
use super::memory::{Background, Object, ObjectKind};
use super::state::State;
use super::value::Value;
use idiolect_ir::{
    BlockId, Builtin, Callee, ExprId, ExprKind, LocalStorage, Location, Place, PrintfTarget,
    Program, Property, Stmt, StmtKind, TerminatorKind, Ty,
};

/// A state, and how the comparisons of its next statement go.
pub struct Work {
    state: State,
    choices: Vec<bool>,
}

impl Work {
    pub fn new(state: State) -> Self {
        Self {
            state,
            choices: Vec::new(),
        }
    }

    /// How many calls are open.
    pub fn depth(&self) -> usize {
        self.state.frames.len()
    }

    /// What is next, if it is the end of a block, and where that is.
    pub fn terminator<'p>(&self, program: &'p Program) -> Option<(Location, &'p TerminatorKind)> {
        let frame = self.state.frame();
        let block = program.function(frame.function).block(frame.block);
        let at = Location {
            function: frame.function,
            block: frame.block,
            index: frame.index,
        };
        (frame.index == block.stmts.len()).then_some((at, &block.terminator.kind))
    }
}

pub enum Stepped {
    /// At the start of a block, or behind a statement.
    On(State),
    Fork(Box<Work>, Box<Work>),
    /// The run is over, without an error.
    Ended,
}

/// More activations at once are not looked at.
const MAX_DEPTH: usize = 100;
/// More undecided comparisons in one statement are not looked at.
const MAX_CHOICES: usize = 12;

/// One statement, or the end of a block.
pub fn step(program: &Program, properties: &[Property], work: Work) -> Result<Stepped, NotProved> {
    let Work { state, choices } = work;
    let before = may_choose(program, &state).then(|| state.clone());
    let mut e = Evaluator::new(program, properties, state, &choices);
    match one(&mut e) {
        Ok(true) => Ok(Stepped::On(e.state)),
        Ok(false) | Err(Halt::Impossible) => Ok(Stepped::Ended),
        Err(Halt::GaveUp(why)) => Err(NotProved::GaveUp(why)),
        Err(Halt::Choose) if choices.len() >= MAX_CHOICES => Err(NotProved::GaveUp(
            "a statement has many undecided conditions",
        )),
        Err(Halt::Choose) => {
            let Some(before) = before else {
                return Err(NotProved::GaveUp("a choice where there is none"));
            };
            let with = |choice: bool| {
                let mut choices = choices.clone();
                choices.push(choice);
                Box::new(Work {
                    state: before.clone(),
                    choices,
                })
            };
            Ok(Stepped::Fork(with(true), with(false)))
        }
    }
    .and_then(|stepped| match stepped {
        Stepped::On(state) if state.frames.len() > MAX_DEPTH => {
            Err(NotProved::GaveUp("calls nest deeply"))
        }
        other => Ok(other),
    })
}

/// Whether the next statement compares something, or takes a cell out of a list.
fn may_choose(program: &Program, state: &State) -> bool {
    if state.objects.values().any(|o| o.segment.is_some()) {
        return true;
    }
    let frame = state.frame();
    let function = program.function(frame.function);
    let block = function.block(frame.block);
    let mut open = Vec::new();
    match block.stmts.get(frame.index) {
        Some(stmt) => {
            if matches!(stmt.kind, StmtKind::Assume { .. } | StmtKind::Mark { .. }) {
                return true;
            }
            stmt.kind.for_each_expr(|e| open.push(e));
        }
        None => match block.terminator.kind {
            TerminatorKind::Branch { .. } => return true,
            ref kind => open.extend(kind.expr()),
        },
    }
    while let Some(id) = open.pop() {
        match &function.expr(id).kind {
            ExprKind::Binary(op, ..) if op.is_comparison() => return true,
            ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Select { .. } => return true,
            kind => kind.for_each_operand(|operand| open.push(operand)),
        }
    }
    false
}

/// False if the run ends.
fn one(e: &mut Evaluator<'_>) -> Result<bool, Halt> {
    let program = e.program;
    let frame = e.state.frame();
    let block = program.function(frame.function).block(frame.block);
    let Some(stmt) = block.stmts.get(frame.index) else {
        return terminator(e, &block.terminator.kind);
    };
    if let Some(returned) = e.state.returned.take() {
        if let (
            StmtKind::Call {
                dest: Some(dest), ..
            },
            Some(value),
        ) = (&stmt.kind, returned)
        {
            assign(e, *dest, value)?;
        }
        e.state.frame_mut().index += 1;
        return Ok(true);
    }
    if statement(e, stmt)? {
        e.state.frame_mut().index += 1;
    }
    Ok(true)
}

fn go(e: &mut Evaluator<'_>, to: BlockId) -> bool {
    let frame = e.state.frame_mut();
    frame.block = to;
    frame.index = 0;
    true
}

fn terminator(e: &mut Evaluator<'_>, kind: &TerminatorKind) -> Result<bool, Halt> {
    match *kind {
        TerminatorKind::Goto(to) => Ok(go(e, to)),
        TerminatorKind::Branch {
            condition,
            then,
            otherwise,
        } => {
            let to = if e.truth(condition)? { then } else { otherwise };
            Ok(go(e, to))
        }
        TerminatorKind::Return(value) => {
            let value = match value {
                Some(value) => Some(e.value(value)?),
                None => None,
            };
            e.state.leave();
            e.state.returned = Some(value);
            Ok(!e.state.frames.is_empty())
        }
        TerminatorKind::Exit(status) => {
            e.value(status)?;
            Ok(false)
        }
        TerminatorKind::Abort => Ok(false),
        TerminatorKind::Error(_) => {
            if e.properties.contains(&Property::Assert) {
                Err(Halt::GaveUp(AT_ERROR))
            } else {
                Ok(false)
            }
        }
        TerminatorKind::Fault(kind) if kind.violates(e.properties) => Err(Halt::GaveUp(AT_ERROR)),
        TerminatorKind::Trap(_) => Err(Halt::GaveUp("C that is not modelled is reached")),
        TerminatorKind::Fault(_) => Err(Halt::GaveUp("unreachable code is reached")),
    }
}

/// An abstract state is at an error, which does not say that a run is.
const AT_ERROR: &str = "an abstract state is at an error";

/// False if the next statement is not the one behind this.
fn statement(e: &mut Evaluator<'_>, stmt: &Stmt) -> Result<bool, Halt> {
    let program = e.program;
    match &stmt.kind {
        &StmtKind::Assign { place, value } => {
            let value = e.value(value)?;
            assign(e, place, value)?;
        }
        &StmtKind::Havoc { place, .. } => {
            let value = match place_ty(e, place) {
                Ty::F80 => e.any(Ty::Int(80)),
                ty => e.any(ty),
            };
            assign(e, place, value)?;
        }
        &StmtKind::Assume { condition } => {
            if !e.truth(condition)? {
                return Err(Halt::Impossible);
            }
        }
        &StmtKind::Copy { to, from, size } => {
            let (to, from) = (e.value(to)?, e.value(from)?);
            copy(e, to, from, size)?;
        }
        &StmtKind::Zero { to, size } => {
            let to = e.value(to)?;
            fill(e, to, size, Some(0))?;
        }
        &StmtKind::Declare { local, size } => {
            let storage = program
                .function(e.state.frame().function)
                .local(local)
                .storage;
            let size = match (storage, size) {
                (LocalStorage::Register(_), _) => return Ok(true),
                (LocalStorage::Memory { size, .. }, _) => Some(size),
                (LocalStorage::Dynamic, Some(size)) => constant(e, size)?,
                (LocalStorage::Dynamic, None) => None,
            };
            e.state.declare(local, size);
        }
        &StmtKind::End { local } => {
            let function = program.function(e.state.frame().function);
            if let LocalStorage::Memory { size, .. } = function.local(local).storage {
                e.state.declare(local, Some(size));
            } else {
                e.state.end(local);
            }
        }
        StmtKind::Mark { condition, .. } => {
            if let Some(condition) = condition {
                e.truth(*condition)?;
            }
        }
        StmtKind::Call { dest, callee, args } => return call(e, *dest, *callee, args),
    }
    Ok(true)
}

fn constant(e: &mut Evaluator<'_>, id: ExprId) -> Result<Option<u64>, Halt> {
    Ok(match e.value(id)? {
        Value::Const(bits) => u64::try_from(bits).ok(),
        _ => None,
    })
}

fn place_ty(e: &Evaluator<'_>, place: Place) -> Ty {
    let function = e.program.function(e.state.frame().function);
    match place {
        Place::Local(l) => match function.local(l).storage {
            LocalStorage::Register(ty) => ty,
            _ => Ty::Ptr,
        },
        Place::Memory { ty, .. } => ty,
        Place::Bits { width, .. } => Ty::Int(width),
    }
}

fn assign(e: &mut Evaluator<'_>, place: Place, value: Value) -> Result<(), Halt> {
    match place {
        Place::Local(l) => {
            e.state.frame_mut().locals[l.index()] = Some(value);
            Ok(())
        }
        Place::Memory { address, ty } => {
            let address = e.value(address)?;
            store(e, address, ty, Some(value))
        }
        Place::Bits {
            address,
            unit,
            offset,
            width: bits,
        } => {
            let address = e.value(address)?;
            let old = e.load(address, unit)?;
            let whole = match (old, value) {
                (Value::Const(old), Value::Const(new)) => {
                    let mask = super::integer::mask(bits) << offset;
                    Some(Value::Const(old & !mask | (new << offset) & mask))
                }
                _ => None,
            };
            store(e, address, unit, whole)
        }
    }
}

fn pointer_width(e: &Evaluator<'_>) -> u8 {
    e.program.types.model.pointer_width()
}

/// The object and the offsets that a pointer names, where so many bytes are.
fn target(
    e: &mut Evaluator<'_>,
    address: Value,
    n: u64,
    is_write: bool,
) -> Result<(u32, i64, i64), Halt> {
    let Value::Pointer { object, low, high } = e.state.resolve(address) else {
        return Err(Halt::GaveUp("a pointer that names no object is used"));
    };
    e.unfold(object)?;
    let Some(content) = e.state.object(e.program, object) else {
        return Err(Halt::GaveUp("an object is used after its life"));
    };
    if !content.holds(low, high, n) {
        return Err(Halt::GaveUp("an access may be out of bounds"));
    }
    let global = e.program.globals.get(object as usize);
    if is_write && global.is_some_and(|g| g.read_only) {
        return Err(Halt::GaveUp("a constant is written"));
    }
    Ok((object, low, high))
}

fn store(e: &mut Evaluator<'_>, address: Value, ty: Ty, value: Option<Value>) -> Result<(), Halt> {
    let n = size(ty, pointer_width(e));
    let (object, low, high) = target(e, address, n, true)?;
    let program = e.program;
    e.state.change(program, object, |content| match value {
        _ if low != high => content.forget_all(),
        Some(value) if ty != Ty::F80 => content.write(program, low as u64, n, value),
        _ => content.forget(program, low as u64, n),
    });
    Ok(())
}

fn fill(e: &mut Evaluator<'_>, to: Value, n: u64, byte: Option<u8>) -> Result<(), Halt> {
    if n == 0 {
        return Ok(());
    }
    let (object, low, high) = target(e, to, n, true)?;
    let program = e.program;
    e.state.change(program, object, |content| {
        if low != high {
            return content.forget_all();
        }
        let low = low as u64;
        match byte {
            Some(0) => content.write(program, low, n, Value::Const(0)),
            Some(byte) if n <= 64 => {
                for i in 0..n {
                    content.write(program, low + i, 1, Value::Const(byte.into()));
                }
            }
            _ => content.forget(program, low, n),
        }
    });
    Ok(())
}

fn copy(e: &mut Evaluator<'_>, to: Value, from: Value, n: u64) -> Result<(), Halt> {
    if n == 0 {
        return Ok(());
    }
    let (source, low, high) = target(e, from, n, false)?;
    let (object, to_low, to_high) = target(e, to, n, true)?;
    let program = e.program;
    let pieces = match (low == high, e.state.object(program, source)) {
        (true, Some(content)) => content.pieces(program, low as u64, n),
        _ => None,
    };
    e.state.change(program, object, |content| match pieces {
        Some(pieces) if to_low == to_high => content.paste(program, to_low as u64, pieces),
        None if to_low == to_high => content.forget(program, to_low as u64, n),
        _ => content.forget_all(),
    });
    Ok(())
}

fn call(
    e: &mut Evaluator<'_>,
    dest: Option<Place>,
    callee: Callee,
    args: &[ExprId],
) -> Result<bool, Halt> {
    let program = e.program;
    let function = match callee {
        Callee::Function(f) => f,
        Callee::Pointer { target, .. } => match e.value(target)? {
            Value::Function(f) => f,
            _ => return Err(Halt::GaveUp("it is not known what is called")),
        },
        Callee::Builtin(builtin) => {
            let mut values = Vec::new();
            for arg in args {
                values.push(e.value(*arg)?);
            }
            let result = built_in(e, builtin, &values)?;
            if let (Some(dest), Some(value)) = (dest, result) {
                assign(e, dest, value)?;
            }
            return Ok(true);
        }
    };
    let body = program.function(function);
    if body.params.len() != args.len() {
        return Err(Halt::GaveUp(
            "a call with other arguments than the function takes",
        ));
    }
    let caller = program.function(e.state.frame().function);
    let mut values = Vec::new();
    for (arg, param) in args.iter().zip(&body.params) {
        if LocalStorage::Register(caller.expr(*arg).ty) != body.local(*param).storage {
            return Err(Halt::GaveUp(
                "a call with other arguments than the function takes",
            ));
        }
        values.push(e.value(*arg)?);
    }
    if let (Some(dest), Some(ret)) = (dest, body.ret)
        && place_ty(e, dest) != ret
    {
        return Err(Halt::GaveUp(
            "a call with another result than the function has",
        ));
    }
    e.state.enter(program, function, &values);
    Ok(false)
}

/// What a call of a built-in function returns.
fn built_in(
    e: &mut Evaluator<'_>,
    builtin: Builtin,
    args: &[Value],
) -> Result<Option<Value>, Halt> {
    let number = |value: &Value| match value {
        Value::Const(bits) => u64::try_from(*bits).ok(),
        _ => None,
    };
    let known = |value: Option<u64>| value.ok_or(Halt::GaveUp("a size that is not known"));
    let heap = |size: u64, background| Object {
        background,
        ..Object::new(ObjectKind::Heap, Some(size))
    };
    Ok(match (builtin, args) {
        (Builtin::Malloc, [size]) => {
            let object = heap(known(number(size))?, Background::Unwritten);
            Some(at(e.state.allocate(object), 0))
        }
        (Builtin::Calloc, [count, size]) => {
            let size = known(number(count))?.checked_mul(known(number(size))?);
            let object = heap(known(size)?, Background::Zero);
            Some(at(e.state.allocate(object), 0))
        }
        (Builtin::Free, [Value::Const(0)]) => None,
        (Builtin::Free, [pointer]) => {
            let (object, low, high) = target(e, *pointer, 0, false)?;
            let is_heap =
                (e.state.objects.get(&object)).is_some_and(|o| o.kind == ObjectKind::Heap);
            if !is_heap || low != 0 || high != 0 {
                return Err(Halt::GaveUp("a free may be wrong"));
            }
            e.state.objects.remove(&object);
            None
        }
        (Builtin::Memmove, [to, from, size]) => {
            copy(e, *to, *from, known(number(size))?)?;
            None
        }
        (Builtin::Memset, [to, byte, size]) => {
            let byte = number(byte).map(|b| b as u8);
            fill(e, *to, known(number(size))?, byte)?;
            None
        }
        (Builtin::Printf(target), [Value::Pointer { object, low, high }, ..])
            if low == high
                && matches!(
                    target,
                    PrintfTarget::Stdout | PrintfTarget::Stderr | PrintfTarget::Elsewhere
                )
                && is_harmless(e, *object, *low) =>
        {
            Some(e.any(Ty::Int(32)))
        }
        (Builtin::Putchar, _) => Some(e.any(Ty::Int(32))),
        (Builtin::Math(_), _) => Some(e.any(Ty::F64)),
        (Builtin::CheckOverlap, [to, from, size]) => {
            check_overlap(e, *to, *from, known(number(size))?)?;
            None
        }
        (Builtin::CheckWritten, [pointer, size]) => {
            check_written(e, *pointer, known(number(size))?)?;
            None
        }
        (Builtin::Forget, [Value::Const(0)]) => None,
        (Builtin::Forget, [Value::Pointer { object, .. }]) => {
            let program = e.program;
            let global = program.globals.get(*object as usize);
            e.unfold(*object)?;
            if !global.is_some_and(|g| g.read_only) {
                e.state.change(program, *object, Object::forget_all);
            }
            None
        }
        _ => {
            return Err(Halt::GaveUp(
                "a function of the library that is not followed",
            ));
        }
    })
}

/// Ranges in different objects, or at offsets that are so far apart whatever they are.
fn check_overlap(e: &mut Evaluator<'_>, to: Value, from: Value, n: u64) -> Result<(), Halt> {
    if n == 0 {
        return Ok(());
    }
    let (object, low, high) = target(e, to, n, false)?;
    let (other, other_low, other_high) = target(e, from, n, false)?;
    let n = i64::try_from(n).unwrap_or(i64::MAX);
    let is_before = |high: i64, low: i64| high.saturating_add(n) <= low;
    let is_same = low == high && other_low == other_high && low == other_low;
    if object != other || is_same || is_before(high, other_low) || is_before(other_high, low) {
        Ok(())
    } else {
        Err(Halt::GaveUp("ranges that are copied may overlap"))
    }
}

/// All of these bytes of a local or of the heap have to be known to be written.
fn check_written(e: &mut Evaluator<'_>, pointer: Value, n: u64) -> Result<(), Halt> {
    let (object, low, high) = target(e, pointer, n, false)?;
    let Some(content) = e.state.object(e.program, object) else {
        return Err(Halt::GaveUp("an object is used after its life"));
    };
    let is_written = content.kind == ObjectKind::Global
        || low == high && content.is_written(low as u64, n)
        || content.is_written(0, content.size.unwrap_or(u64::MAX));
    if is_written {
        Ok(())
    } else {
        Err(Halt::GaveUp("bytes that are read may be unwritten"))
    }
}

/// Whether a format reads or writes no memory of the program.
fn is_harmless(e: &Evaluator<'_>, object: u32, offset: i64) -> bool {
    let Some(global) = e.program.globals.get(object as usize) else {
        return false;
    };
    let text = usize::try_from(offset)
        .ok()
        .and_then(|o| global.bytes.get(o..));
    global.read_only
        && text.is_some_and(|t| !t.contains(&b'%') || !t.iter().any(|b| b"sn".contains(b)))
}
