//! A state that a shape describes, made by statements of the program itself.
//!
//! Everything that the shape leaves open is an input. Of a list, a few blocks at its start and its end are there; what may lie
//! between them is a *spare*: blocks of no size that stand for one block or more, or for two or more where
//! blocks point back. A piece of the program that looks into a spare has a fault, and one that frees it an error.

use super::writer::Writer;
use super::{
    HeapShape, ShapeCell, ShapeList, ShapeObject, ShapePlace, ShapeRest, ShapeUnknown, ShapeValue,
};
use idiolect_ir::{
    BinaryOp, Builtin, ConvertOp, ExprId, ExprKind, LocalId, LocalStorage, Place, StmtKind, Ty,
};

/// Blocks at the start of a list before a spare.
const FRONT: usize = 3;
/// The same where blocks point back, and as many come behind it.
const FRONT_BOTH_WAYS: usize = 3;

/// A heap block that may have been allocated in this piece of a run.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// Null until then.
    pub block: LocalId,
    pub is_freed: LocalId,
    pub size: u64,
}

/// What stands for the middle of a list.
#[derive(Clone, Copy)]
pub(super) struct Spare {
    /// The list.
    pub object: usize,
    /// By numbers of known blocks: what stands for the first block of the middle, and for the last.
    pub ends: [usize; 2],
    /// What the pointer to the next block holds in the last one, and that to the block before in the first.
    pub beyond: [LocalId; 2],
}

/// The program with the state before it.
pub(super) struct Piece {
    pub writer: Writer,
    pub known: Vec<Known>,
    pub spares: Vec<Spare>,
    /// Of each object: its first block, and its last.
    pub address: Vec<[Option<LocalId>; 2]>,
    pub unknowns: Vec<LocalId>,
}

/// All bits of so many.
pub(super) fn mask(width: u8) -> u128 {
    u128::MAX >> (128 - u32::from(width.clamp(1, 128)))
}

impl Piece {
    pub fn new(writer: Writer) -> Self {
        Self {
            writer,
            known: Vec::new(),
            spares: Vec::new(),
            address: Vec::new(),
            unknowns: Vec::new(),
        }
    }

    /// Registers for a block of this size.
    pub fn knows(&mut self, size: u64) -> usize {
        let block = self.writer.register(Ty::Ptr);
        let is_freed = self.writer.register(Ty::BOOL);
        self.known.push(Known {
            block,
            is_freed,
            size,
        });
        self.known.len() - 1
    }

    fn allocate(&mut self, size: u64, rest: ShapeRest) -> usize {
        let number = self.knows(size);
        let block = self.known[number].block;
        let word = Ty::Int(self.writer.pointer_width());
        let size = self.writer.constant(size.into(), word);
        if rest == ShapeRest::Zero {
            let one = self.writer.constant(1, word);
            self.writer
                .call(Some(block), Builtin::Calloc, vec![one, size]);
        } else {
            self.writer.call(Some(block), Builtin::Malloc, vec![size]);
        }
        number
    }

    /// Whether what is known of a number holds of it.
    pub fn is_allowed(&mut self, number: ExprId, known: &ShapeUnknown) -> Option<ExprId> {
        let writer = &mut self.writer;
        let ty = Ty::Int(known.width);
        let least = -(1i128 << (known.width.clamp(1, 127) - 1));
        let mut all: Option<ExprId> = None;
        let mut also = |writer: &mut Writer, condition: ExprId| {
            all = Some(match all {
                Some(before) => writer.expr(ExprKind::And(before, condition), Ty::BOOL),
                None => condition,
            });
        };
        let bits = |n: i128| n as u128 & mask(known.width);
        if known.low > least {
            let low = writer.constant(bits(known.low), ty);
            let condition = writer.binary(BinaryOp::SLe, low, number);
            also(writer, condition);
        }
        if known.high < -(least + 1) {
            let high = writer.constant(bits(known.high), ty);
            let condition = writer.binary(BinaryOp::SLe, number, high);
            also(writer, condition);
        }
        for &n in &known.not {
            let n = writer.constant(bits(n), ty);
            let condition = writer.binary(BinaryOp::Ne, number, n);
            also(writer, condition);
        }
        all
    }

    fn unknown(&mut self, known: &ShapeUnknown) -> LocalId {
        let local = self.writer.any(Ty::Int(known.width));
        let number = self.writer.read(local);
        if let Some(condition) = self.is_allowed(number, known) {
            self.writer.assume(condition);
        }
        local
    }

    /// A value of this type. None if there is no such thing, and the checker does not know what to do.
    pub fn value(&mut self, value: ShapeValue, shape: &HeapShape, ty: Ty) -> Option<ExprId> {
        let width = self.writer.pointer_width();
        let writer = &mut self.writer;
        let pointer = match value {
            ShapeValue::Any => {
                let local = writer.any(ty);
                return Some(writer.read(local));
            }
            ShapeValue::Const(bits) => return Some(writer.constant(bits, ty)),
            ShapeValue::Unknown { number, add } => {
                let own = shape.unknowns.get(number)?.width;
                let wanted = match ty {
                    Ty::Int(width) => width,
                    Ty::Ptr => width,
                    _ => return None,
                };
                if own != wanted {
                    return None;
                }
                let local = *self.unknowns.get(number)?;
                let mut sum = writer.read(local);
                if add != 0 {
                    let add = writer.constant(add & mask(own), Ty::Int(own));
                    sum = writer.binary(BinaryOp::Add { signed: false }, sum, add);
                }
                return Some(match ty {
                    Ty::Ptr => writer.convert(ConvertOp::IntToPtr, sum, Ty::Ptr),
                    _ => sum,
                });
            }
            ShapeValue::At {
                object,
                is_last,
                offset,
            } => {
                let start = self.start(shape, object, is_last)?;
                self.writer.moved(start, offset)
            }
            ShapeValue::Function(function) => {
                writer.expr(ExprKind::FunctionAddress(function), Ty::Ptr)
            }
        };
        match ty {
            Ty::Ptr => Some(pointer),
            Ty::Int(w) if w == width => Some(self.writer.convert(
                ConvertOp::PtrToInt,
                pointer,
                Ty::Int(w),
            )),
            _ => None,
        }
    }

    /// Where an object begins, or the last block of a list.
    fn start(&mut self, shape: &HeapShape, object: usize, is_last: bool) -> Option<ExprId> {
        match shape.objects.get(object)?.place {
            ShapePlace::Global(g) => Some(self.writer.expr(ExprKind::GlobalAddress(g), Ty::Ptr)),
            ShapePlace::Local(l) => Some(self.writer.expr(ExprKind::LocalAddress(l), Ty::Ptr)),
            ShapePlace::Heap => {
                let local = self.address.get(object)?[usize::from(is_last)]?;
                Some(self.writer.read(local))
            }
        }
    }

    /// The type by which a cell is written and read.
    pub fn cell_type(&self, value: ShapeValue, size: u64) -> Option<Ty> {
        match value {
            ShapeValue::At { .. } | ShapeValue::Function(_) => {
                (8 * size == u64::from(self.writer.pointer_width())).then_some(Ty::Ptr)
            }
            _ => (1..=8)
                .contains(&size)
                .then(|| Ty::Int((8 * size) as u8))
                .filter(|_| size.is_power_of_two()),
        }
    }

    /// Writes the state, from which the program goes on.
    pub fn build(&mut self, shape: &HeapShape, n_locals: usize) -> Option<()> {
        // Whatever is not told may be anything.
        for local in (0..n_locals).map(LocalId::new) {
            let storage = self.writer.f().local(local).storage;
            let is_told = shape.registers.iter().any(|r| r.0 == local);
            if matches!(storage, LocalStorage::Register(_)) && !is_told {
                self.writer.havoc(Place::Local(local));
            }
        }
        for known in &shape.unknowns {
            let local = self.unknown(known);
            self.unknowns.push(local);
        }
        for object in &shape.objects {
            let address = match (object.place, &object.list) {
                (ShapePlace::Heap, list) => {
                    let first = self.allocate(object.size, object.rest);
                    let last = match list.and_then(|l| l.back) {
                        Some(_) => self.allocate(object.size, object.rest),
                        None => first,
                    };
                    [first, last].map(|n| Some(self.known[n].block))
                }
                _ => [None, None],
            };
            self.address.push(address);
        }
        if shape.is_lost {
            // Something that nobody has.
            self.allocate(1, ShapeRest::Any);
        }
        for (number, object) in shape.objects.iter().enumerate() {
            match &object.list {
                None => {
                    if object.rest == ShapeRest::Any
                        && matches!(object.place, ShapePlace::Global(_))
                    {
                        self.forget(object)?;
                    }
                    let start = self.start(shape, number, false)?;
                    let start = self.writer.keep(start);
                    for cell in &object.cells {
                        self.write(start, cell, object, shape)?;
                    }
                }
                Some(list) => self.make_list(number, object, list, shape)?,
            }
        }
        for &(local, value) in &shape.registers {
            let LocalStorage::Register(ty) = self.writer.f().local(local).storage else {
                return None;
            };
            if value == ShapeValue::Any {
                self.writer.havoc(Place::Local(local));
                continue;
            }
            let value = self.value(value, shape, ty)?;
            self.writer.set(local, value);
        }
        Some(())
    }

    /// Gives a global any contents, byte by byte.
    fn forget(&mut self, object: &ShapeObject) -> Option<()> {
        const MOST: u64 = 64;
        let ShapePlace::Global(global) = object.place else {
            return None;
        };
        if object.size > MOST {
            return None;
        }
        for i in 0..object.size {
            let start = self.writer.expr(ExprKind::GlobalAddress(global), Ty::Ptr);
            let address = self.writer.moved(start, i as i64);
            let ty = Ty::Int(8);
            self.writer.havoc(Place::Memory { address, ty });
        }
        Some(())
    }

    fn write(
        &mut self,
        start: LocalId,
        cell: &ShapeCell,
        object: &ShapeObject,
        shape: &HeapShape,
    ) -> Option<()> {
        let pointer = self.writer.read(start);
        if let (ShapeValue::Const(0), 9..) = (cell.value, cell.size) {
            let to = self.writer.moved(pointer, cell.offset as i64);
            let size = cell.size;
            self.writer.stmt(StmtKind::Zero { to, size });
            return Some(());
        }
        let is_global = matches!(object.place, ShapePlace::Global(_));
        if cell.value == ShapeValue::Any && object.rest == ShapeRest::Any && !is_global {
            // Nobody wrote it here.
            return Some(());
        }
        if cell.value == ShapeValue::Any {
            for i in 0..cell.size.min(64) {
                let address = self.writer.moved(pointer, (cell.offset + i) as i64);
                let ty = Ty::Int(8);
                self.writer.havoc(Place::Memory { address, ty });
            }
            return (cell.size <= 64).then_some(());
        }
        let ty = self.cell_type(cell.value, cell.size)?;
        let value = match cell.value {
            ShapeValue::Unknown { number, add: 0 } if cell.is_own => {
                let known = shape.unknowns.get(number)?.clone();
                let own = self.unknown(&known);
                self.writer.read(own)
            }
            _ if cell.is_own => return None,
            value => self.value(value, shape, ty)?,
        };
        self.writer.store(pointer, cell.offset, value);
        Some(())
    }

    fn content(&mut self, block: LocalId, object: &ShapeObject, shape: &HeapShape) -> Option<()> {
        for cell in object.content() {
            self.write(block, cell, object, shape)?;
        }
        Some(())
    }

    /// One block points to another, or to nowhere.
    fn link(&mut self, from: LocalId, at: u64, to: LocalId, entry: i64) {
        let to = self.writer.read(to);
        let to = self.writer.moved(to, entry);
        let from = self.writer.read(from);
        self.writer.store(from, at, to);
    }

    /// A choice: goes on in the second block, with the first one still to be written.
    fn either(&mut self) -> (idiolect_ir::BlockId, idiolect_ir::BlockId) {
        let choice = self.writer.any(Ty::BOOL);
        let condition = self.writer.read(choice);
        let (one, other) = (self.writer.block(), self.writer.block());
        self.writer.branch(condition, one, other);
        (one, other)
    }

    fn make_list(
        &mut self,
        number: usize,
        object: &ShapeObject,
        list: &ShapeList,
        shape: &HeapShape,
    ) -> Option<()> {
        let [first, last] = self.address[number];
        let (first, last) = (first?, last?);
        let pointer = Ty::Ptr;
        let end = self.value(object.cell(list.next)?.value, shape, pointer)?;
        let end = self.writer.keep(end);
        self.content(first, object, shape)?;
        let done = self.writer.block();
        let Some((back, back_entry)) = list.back else {
            let mut block = first;
            for n in 1.. {
                let (is_last, more) = self.either();
                self.writer.at = is_last;
                self.link(block, list.next, end, 0);
                self.writer.goto(done);
                self.writer.at = more;
                if n == FRONT {
                    let spare = self.allocate(0, ShapeRest::Any);
                    self.link(block, list.next, self.known[spare].block, list.entry);
                    self.spares.push(Spare {
                        object: number,
                        ends: [spare, spare],
                        beyond: [end, end],
                    });
                    self.writer.goto(done);
                    break;
                }
                let next = self.allocate(object.size, object.rest);
                let next = self.known[next].block;
                self.content(next, object, shape)?;
                self.link(block, list.next, next, list.entry);
                block = next;
            }
            self.writer.at = done;
            return Some(());
        };
        let before = self.value(object.cell(back)?.value, shape, pointer)?;
        let before = self.writer.keep(before);
        self.content(last, object, shape)?;
        self.link(first, back, before, 0);
        self.link(last, list.next, end, 0);
        let mut block = first;
        let join = |piece: &mut Self, block: LocalId, next: LocalId| {
            piece.link(block, list.next, next, list.entry);
            piece.link(next, back, block, back_entry);
        };
        // Two to seven blocks, or three, more than one, and three.
        for n in 1..=2 * FRONT_BOTH_WAYS {
            if n == 2 * FRONT_BOTH_WAYS {
                join(self, block, last);
                self.writer.goto(done);
                break;
            }
            let (is_next_last, more) = self.either();
            self.writer.at = is_next_last;
            join(self, block, last);
            self.writer.goto(done);
            self.writer.at = more;
            if n == FRONT_BOTH_WAYS {
                let (has_spare, more) = self.either();
                self.writer.at = has_spare;
                let ends = [0, 1].map(|_| self.allocate(0, ShapeRest::Any));
                let mut behind = last;
                for _ in 1..FRONT_BOTH_WAYS {
                    let one = self.allocate(object.size, object.rest);
                    let one = self.known[one].block;
                    self.content(one, object, shape)?;
                    join(self, one, behind);
                    behind = one;
                }
                self.link(block, list.next, self.known[ends[0]].block, list.entry);
                self.link(behind, back, self.known[ends[1]].block, back_entry);
                let to = self.writer.read(behind);
                let to = self.writer.moved(to, list.entry);
                let from = self.writer.read(block);
                let from = self.writer.moved(from, back_entry);
                let beyond = [to, from].map(|e| self.writer.keep(e));
                self.spares.push(Spare {
                    object: number,
                    ends,
                    beyond,
                });
                self.writer.goto(done);
                self.writer.at = more;
            }
            let next = self.allocate(object.size, object.rest);
            let next = self.known[next].block;
            self.content(next, object, shape)?;
            join(self, block, next);
            block = next;
        }
        self.writer.at = done;
        Some(())
    }
}
