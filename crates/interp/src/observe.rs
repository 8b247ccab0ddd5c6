//! Looking at a run while it happens.
//!
//! An observer says by its constants what it wants to see. The program is compiled once more with
//! the hooks that it takes, so that a run without an observer pays nothing.

use crate::code::{Code, Slot, WINDOW};
use crate::compile;
use crate::input::ObjectKind;
use crate::memory::Memory;
use crate::outcome::CodePlace;
use idiolect_ir::FaultKind;
use idiolect_ir::ctype::DataModel;
use idiolect_ir::{
    BlockId, Builtin, FuncId, GlobalId, LocalId, LocalStorage, MarkId, Program, Ty, memory,
};
use std::ops::ControlFlow;

/// Hooks into a run. Every method does nothing unless it is written anew; those that return
/// [`ControlFlow::Break`] end the run with [`crate::End::Stopped`].
pub trait Observer {
    /// Wants [`Observer::decision`].
    const DECISIONS: bool = false;
    /// Wants [`Observer::entered`] and [`Observer::marked`].
    const EVENTS: bool = false;
    /// Wants [`Observer::called`], [`Observer::returned`] and [`Observer::built_in`].
    const CALLS: bool = false;
    /// Wants [`Observer::before`] and [`Observer::after`].
    const STATEMENTS: bool = false;

    /// A branch was taken: 1 (`true`) or 0.
    fn decision(&mut self, function: FuncId, block: BlockId, taken: bool) -> ControlFlow<()> {
        let _ = (function, block, taken);
        ControlFlow::Continue(())
    }

    /// A function starts; its parameters have their values.
    fn entered(&mut self, view: &View<'_>) -> ControlFlow<()> {
        let _ = view;
        ControlFlow::Continue(())
    }

    /// A mark was passed.
    fn marked(&mut self, view: &View<'_>, mark: MarkId) -> ControlFlow<()> {
        let _ = (view, mark);
        ControlFlow::Continue(())
    }

    /// The function that `view` shows calls another.
    fn called(&mut self, view: &View<'_>, callee: FuncId, arguments: &[Value]) {
        let _ = (view, callee, arguments);
    }

    /// The function that `view` shows returns to its caller.
    fn returned(&mut self, view: &View<'_>, result: Option<Value>) {
        let _ = (view, result);
    }

    /// Functions were left by a jump to one at this depth; none of them returns.
    fn unwound(&mut self, depth: usize) {
        let _ = depth;
    }

    /// A built-in was called and has returned.
    fn built_in(
        &mut self,
        view: &View<'_>,
        builtin: Builtin,
        arguments: &[Value],
        result: Option<Value>,
    ) {
        let _ = (view, builtin, arguments, result);
    }

    /// The statement or terminator at [`View::place`] is about to run.
    fn before(&mut self, view: &View<'_>) -> ControlFlow<()> {
        let _ = view;
        ControlFlow::Continue(())
    }

    /// The statement at [`View::place`] has run. Of terminators, `return` and `exit` are reported
    /// before they leave.
    fn after(&mut self, view: &View<'_>, effect: &Effect) {
        let _ = (view, effect);
    }

    /// The program wrote something.
    fn wrote(&mut self, stream: Stream, bytes: &[u8]) {
        let _ = (stream, bytes);
    }
}

/// Sees nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoObserver;

impl Observer for NoObserver {}

/// Hears what the program writes, and nothing else.
pub(crate) struct OutputOnly<'a>(pub(crate) &'a mut dyn FnMut(Stream, &[u8]));

impl Observer for OutputOnly<'_> {
    fn wrote(&mut self, stream: Stream, bytes: &[u8]) {
        (self.0)(stream, bytes);
    }
}

/// Collects decisions, and may cut the run after so many.
#[derive(Clone, Debug)]
pub struct Decisions {
    pub taken: Vec<bool>,
    pub limit: usize,
}

impl Default for Decisions {
    fn default() -> Self {
        Decisions {
            taken: Vec::new(),
            limit: usize::MAX,
        }
    }
}

impl Observer for Decisions {
    const DECISIONS: bool = true;

    fn decision(&mut self, _: FuncId, _: BlockId, taken: bool) -> ControlFlow<()> {
        self.taken.push(taken);
        if self.taken.len() >= self.limit {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stream {
    Stdout,
    Stderr,
}

/// A scalar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value {
    pub ty: Ty,
    /// Zero-extended.
    pub bits: u128,
}

/// What a statement did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing that is a value.
    None,
    /// A register local has a new value.
    Assigned { local: LocalId, value: Value },
    /// A scalar was stored.
    Stored { address: u64, value: Value },
    /// The value of a `return` or `exit`.
    Result(Value),
}

/// Why memory could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadError {
    Fault(FaultKind),
    /// Some of the bytes were never written.
    Unwritten,
}

/// What a pointer points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointee {
    pub kind: ObjectKind,
    /// The object's number, which no other live object has.
    pub object: u32,
    pub offset: i32,
    pub size: u32,
}

/// A look at the state of a run. Pointers are LP64 bits, whatever the data model.
pub struct View<'a> {
    pub(crate) program: &'a Program,
    pub(crate) code: &'a Code,
    pub(crate) memory: &'a Memory,
    pub(crate) window: &'a [u64; WINDOW],
    pub(crate) far: &'a [u64],
    pub(crate) pc: usize,
    pub(crate) depth: usize,
}

impl View<'_> {
    pub fn program(&self) -> &Program {
        self.program
    }

    /// The function that is running.
    pub fn function(&self) -> FuncId {
        self.code.function_at(self.pc)
    }

    pub fn place(&self) -> CodePlace {
        let site = self.code.site_at(self.pc);
        CodePlace {
            function: self.function(),
            block: site.block,
            stmt: site.stmt,
            span: site.span,
        }
    }

    /// How many calls are open; 0 in the start function.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// A register local of the running function; `None` for one in memory. One that has no value
    /// yet is 0.
    pub fn local(&self, local: LocalId) -> Option<Value> {
        let function = self.program.function(self.function());
        match function.locals.get(local.index())?.storage {
            LocalStorage::Register(ty) => Some(self.in_slot(local, ty)),
            _ => None,
        }
    }

    /// The address of a memory local of the running function.
    pub fn local_address(&self, local: LocalId) -> Option<u64> {
        let function = self.program.function(self.function());
        match function.locals.get(local.index())?.storage {
            LocalStorage::Register(_) => None,
            _ => Some(self.in_slot(local, Ty::Ptr).bits as u64),
        }
    }

    fn in_slot(&self, local: LocalId, ty: Ty) -> Value {
        let slot = self.code.functions[self.function().index()].slots[local.index()];
        let (low, high) = match slot {
            Slot::Near(reg) => (
                self.window[usize::from(reg)],
                self.window.get(usize::from(reg) + 1).copied().unwrap_or(0),
            ),
            Slot::Far(slot) => (
                self.far.get(slot as usize).copied().unwrap_or(0),
                self.far.get(slot as usize + 1).copied().unwrap_or(0),
            ),
        };
        value_of(ty, low, high)
    }

    pub fn global_address(&self, global: GlobalId) -> u64 {
        memory::address(compile::global_object(self.program, global), 0)
    }

    /// The live object that a pointer points to or near.
    pub fn pointee(&self, pointer: u64) -> Option<Pointee> {
        let (info, size) = self.memory.object(pointer)?;
        Some(Pointee {
            kind: info.kind,
            object: memory::object_of(pointer),
            offset: memory::offset_of(pointer),
            size,
        })
    }

    /// Reads a scalar; a pointer comes as LP64 bits.
    pub fn load(&self, pointer: u64, ty: Ty) -> Result<Value, ReadError> {
        let size = match ty {
            Ty::F80 => 10,
            _ => self.program.types.scalar_size(ty),
        };
        let bytes = self.bytes(pointer, size)?;
        let mut wide = [0; 16];
        wide[..bytes.len()].copy_from_slice(bytes);
        let bits = u128::from_le_bytes(wide);
        let bits = match (ty, self.program.types.model) {
            (Ty::Ptr, DataModel::Ilp32) => u128::from(self.memory.unflatten(bits as u32)),
            _ => bits,
        };
        Ok(Value { ty, bits })
    }

    /// Reads bytes.
    pub fn bytes(&self, pointer: u64, size: u64) -> Result<&[u8], ReadError> {
        let (index, offset) = self
            .memory
            .locate(pointer, size)
            .map_err(ReadError::Fault)?;
        if !self.memory.all_written(index, offset, size) {
            return Err(ReadError::Unwritten);
        }
        Ok(self.memory.bytes_at(index, offset, size))
    }

    /// Reads a string of C, without its end and up to `limit` bytes.
    pub fn c_string(&self, pointer: u64, limit: usize) -> Result<Vec<u8>, ReadError> {
        let mut text = Vec::new();
        while text.len() < limit {
            match self.bytes(pointer.wrapping_add(text.len() as u64), 1)?[0] {
                0 => break,
                byte => text.push(byte),
            }
        }
        Ok(text)
    }
}

/// A value from one or two registers.
pub(crate) fn value_of(ty: Ty, low: u64, high: u64) -> Value {
    let bits = match ty {
        Ty::Int(65..) | Ty::F80 => u128::from(high) << 64 | u128::from(low),
        _ => u128::from(low),
    };
    Value { ty, bits }
}
