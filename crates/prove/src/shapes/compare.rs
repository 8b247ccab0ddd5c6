//! Whether the state in which a piece of a run arrives is one that a shape describes.
//!
//! Statements look at the state: they follow pointers from registers and objects, and take each heap block of the piece for
//! one place of the shape, and for no other. What does not fit goes on with the next shape. Lists are followed block
//! by block, at most as many as there can be; a spare is taken as a whole, if all of its blocks may be blocks of the
//! list at hand.

use super::build::{Piece, Spare, mask};
use super::{HeapShape, ShapeCell, ShapeObject, ShapePlace, ShapeRest, ShapeValue};
use idiolect_ir::{
    BinaryOp, BlockId, ConvertOp, ExprId, ExprKind, GlobalTarget, LocalId, LocalStorage,
    TerminatorKind, Ty, UnaryOp,
};

/// Bytes that are compared with those of the text.
const MAX_BYTES: u64 = 256;
/// Blocks of one list that are followed.
const MAX_LEVELS: usize = 14;

/// What is known so far of the state as the target describes it.
struct Taken<'s> {
    target: &'s HeapShape,
    address: Vec<[Option<LocalId>; 2]>,
    unknowns: Vec<Option<LocalId>>,
    /// Of each known block, whether it has its place.
    has_place: Vec<LocalId>,
    /// Objects whose contents are still to be looked at.
    todo: Vec<usize>,
    /// Where it goes on if the state is another one.
    otherwise: BlockId,
}

/// How a list is followed: from its first block to its last, or back.
#[derive(Clone, Copy)]
struct Direction {
    /// 0 from the first block, 1 from the last.
    from: usize,
    next: u64,
    entry: i64,
    back: Option<(u64, i64)>,
}

impl Direction {
    fn to(self) -> usize {
        1 - self.from
    }
}

impl Piece {
    /// From the block at hand on: the run ends if the state is described by one of the targets, and is an error if not.
    pub fn arrive(
        &mut self,
        source: Option<&HeapShape>,
        targets: &[&HeapShape],
        keeps_blocks: bool,
    ) -> Option<()> {
        for target in targets {
            let otherwise = self.writer.block();
            let mut has_place = Vec::new();
            for _ in 0..self.known.len() {
                let no = self.writer.constant(0, Ty::BOOL);
                has_place.push(self.writer.keep(no));
            }
            let mut taken = Taken {
                target,
                address: vec![[None, None]; target.objects.len()],
                unknowns: vec![None; target.unknowns.len()],
                has_place,
                todo: Vec::new(),
                otherwise,
            };
            self.state(&mut taken, source)?;
            if keeps_blocks && !target.is_lost {
                self.nothing_is_left(&taken);
            }
            self.writer.end(TerminatorKind::Abort);
            self.writer.at = otherwise;
        }
        self.writer
            .error("a state at a loop that the proof does not describe");
        Some(())
    }

    fn require(&mut self, taken: &Taken<'_>, condition: ExprId) {
        self.writer.require(condition, taken.otherwise);
    }

    fn state(&mut self, taken: &mut Taken<'_>, source: Option<&HeapShape>) -> Option<()> {
        let target = taken.target;
        for &(local, value) in &target.registers {
            let LocalStorage::Register(_) = self.writer.f().local(local).storage else {
                return None;
            };
            let actual = self.writer.read(local);
            self.expect(taken, value, actual)?;
        }
        for object in &target.objects {
            let start = match object.place {
                ShapePlace::Global(g) => ExprKind::GlobalAddress(g),
                ShapePlace::Local(l) => ExprKind::LocalAddress(l),
                ShapePlace::Heap => continue,
            };
            let start = self.writer.expr(start, Ty::Ptr);
            let start = self.writer.keep(start);
            for cell in &object.cells {
                self.cell(taken, start, cell)?;
            }
            self.rest(taken, start, object)?;
        }
        // Lists come after what else is known, and those first of which it is known where they end.
        loop {
            let todo = taken.todo.iter();
            let mut order =
                todo.map(|&o| (target.objects[o].list.is_some(), !taken.is_end_known(o)));
            let Some(least) = order.clone().min() else {
                break;
            };
            let at = order.position(|o| o == least)?;
            let number = taken.todo.remove(at);
            let object = &target.objects[number];
            if object.list.is_some() {
                self.walk(taken, source, number)?;
                continue;
            }
            let start = taken.address[number][0]?;
            self.take(taken, start, object.size);
            for cell in &object.cells {
                self.cell(taken, start, cell)?;
            }
            self.rest(taken, start, object)?;
        }
        Some(())
    }

    /// All blocks that were allocated and not freed have their places.
    fn nothing_is_left(&mut self, taken: &Taken<'_>) {
        for (known, &has_place) in self.known.clone().iter().zip(&taken.has_place) {
            let block = self.writer.read(known.block);
            let null = self.writer.constant(0, Ty::Ptr);
            let is_none = self.writer.binary(BinaryOp::Eq, block, null);
            let is_freed = self.writer.read(known.is_freed);
            let has_place = self.writer.read(has_place);
            let or = self
                .writer
                .expr(ExprKind::Or(is_freed, has_place), Ty::BOOL);
            let or = self.writer.expr(ExprKind::Or(is_none, or), Ty::BOOL);
            self.require(taken, or);
        }
    }

    /// A value is what the target says.
    fn expect(&mut self, taken: &mut Taken<'_>, value: ShapeValue, actual: ExprId) -> Option<()> {
        let ty = self.writer.f().expr(actual).ty;
        let width = self.writer.pointer_width();
        let is_address = ty == Ty::Ptr || ty == Ty::Int(width);
        match value {
            ShapeValue::Any => {}
            ShapeValue::Const(bits) => {
                if ty.is_float() {
                    return None;
                }
                let constant = self.writer.constant(bits, ty);
                let is_equal = self.writer.binary(BinaryOp::Eq, actual, constant);
                self.require(taken, is_equal);
            }
            ShapeValue::Unknown { number, add } => {
                let known = taken.target.unknowns.get(number)?;
                let own = match ty {
                    Ty::Ptr => width,
                    Ty::Int(own) => own,
                    _ => return None,
                };
                if own != known.width {
                    return None;
                }
                let int = Ty::Int(own);
                let mut found = match ty {
                    Ty::Ptr => self.writer.convert(ConvertOp::PtrToInt, actual, int),
                    _ => actual,
                };
                if add != 0 {
                    let add = self.writer.constant(add & mask(own), int);
                    found = self
                        .writer
                        .binary(BinaryOp::Sub { signed: false }, found, add);
                }
                match taken.unknowns[number] {
                    Some(other) => {
                        let other = self.writer.read(other);
                        let is_equal = self.writer.binary(BinaryOp::Eq, found, other);
                        self.require(taken, is_equal);
                    }
                    None => {
                        let local = self.writer.keep(found);
                        taken.unknowns[number] = Some(local);
                        let found = self.writer.read(local);
                        if let Some(condition) = self.is_allowed(found, known) {
                            self.require(taken, condition);
                        }
                    }
                }
            }
            ShapeValue::Function(function) => {
                if !is_address {
                    return None;
                }
                let pointer = self.as_pointer(actual, ty);
                let function = ExprKind::FunctionAddress(function);
                let function = self.writer.expr(function, Ty::Ptr);
                let is_equal = self.writer.binary(BinaryOp::Eq, pointer, function);
                self.require(taken, is_equal);
            }
            ShapeValue::At {
                object,
                is_last,
                offset,
            } => {
                let list = taken.target.objects.get(object)?.list;
                let has_last = list.is_some_and(|l| l.back.is_some());
                if !is_address || is_last && !has_last {
                    return None;
                }
                let pointer = self.as_pointer(actual, ty);
                let start = match taken.target.objects.get(object)?.place {
                    ShapePlace::Global(g) => {
                        Some(self.writer.expr(ExprKind::GlobalAddress(g), Ty::Ptr))
                    }
                    ShapePlace::Local(l) => {
                        Some(self.writer.expr(ExprKind::LocalAddress(l), Ty::Ptr))
                    }
                    ShapePlace::Heap => {
                        let known = taken.address[object][usize::from(is_last)];
                        known.map(|local| self.writer.read(local))
                    }
                };
                match start {
                    Some(start) => {
                        let wanted = self.writer.moved(start, offset);
                        let is_equal = self.writer.binary(BinaryOp::Eq, pointer, wanted);
                        self.require(taken, is_equal);
                    }
                    None => {
                        let start = self.writer.moved(pointer, -offset);
                        let start = self.writer.keep(start);
                        taken.finds(object, usize::from(is_last), start);
                    }
                }
            }
        }
        Some(())
    }

    fn as_pointer(&mut self, actual: ExprId, ty: Ty) -> ExprId {
        match ty {
            Ty::Ptr => actual,
            _ => self.writer.convert(ConvertOp::IntToPtr, actual, Ty::Ptr),
        }
    }

    /// A cell of a block holds what the target says; of each block of a list, where it has a value of its own, what is
    /// known of all.
    fn cell(&mut self, taken: &mut Taken<'_>, start: LocalId, cell: &ShapeCell) -> Option<()> {
        if cell.value == ShapeValue::Any {
            return Some(());
        }
        let pointer = self.writer.read(start);
        if let (ShapeValue::Const(0), 9..) = (cell.value, cell.size) {
            return self.bytes(taken, start, cell.offset, &vec![0; cell.size as usize]);
        }
        let ty = self.cell_type(cell.value, cell.size)?;
        let actual = self.writer.load(pointer, cell.offset, ty);
        let actual = self.writer.keep(actual);
        let actual = self.writer.read(actual);
        match cell.value {
            ShapeValue::Unknown { number, add: 0 } if cell.is_own => {
                let known = taken.target.unknowns.get(number)?;
                if Ty::Int(known.width) != ty {
                    return None;
                }
                if let Some(condition) = self.is_allowed(actual, known) {
                    self.require(taken, condition);
                }
                Some(())
            }
            _ if cell.is_own => None,
            value => self.expect(taken, value, actual),
        }
    }

    fn bytes(&mut self, taken: &Taken<'_>, start: LocalId, at: u64, bytes: &[u8]) -> Option<()> {
        if bytes.len() as u64 > MAX_BYTES {
            return None;
        }
        let mut i = 0;
        while i < bytes.len() {
            let n = [8, 4, 2, 1]
                .into_iter()
                .find(|n| (at + i as u64).is_multiple_of(*n as u64) && i + n <= bytes.len())?;
            let number = (0..n).fold(0, |all, k| all | u128::from(bytes[i + k]) << (8 * k));
            let ty = Ty::Int(8 * n as u8);
            let pointer = self.writer.read(start);
            let actual = self.writer.load(pointer, at + i as u64, ty);
            let wanted = self.writer.constant(number, ty);
            let is_equal = self.writer.binary(BinaryOp::Eq, actual, wanted);
            self.require(taken, is_equal);
            i += n;
        }
        Some(())
    }

    /// What no cell is about.
    fn rest(&mut self, taken: &mut Taken<'_>, start: LocalId, object: &ShapeObject) -> Option<()> {
        let global = match (object.rest, object.place) {
            (ShapeRest::Any, _) => return Some(()),
            (ShapeRest::Zero, _) => None,
            (ShapeRest::Initial, ShapePlace::Global(g)) => {
                Some(self.writer.program.global(g).clone())
            }
            (ShapeRest::Initial, _) => return None,
        };
        let pointer_size = u64::from(self.writer.pointer_width()) / 8;
        let relocations = global.iter().flat_map(|g| &g.relocations);
        let relocations: Vec<_> = relocations.cloned().collect();
        let mut at = 0;
        while at < object.size {
            let cell = object
                .cells
                .iter()
                .find(|c| c.offset <= at && at < c.offset + c.size);
            if let Some(cell) = cell {
                at = cell.offset + cell.size;
                continue;
            }
            if let Some(pointer) = relocations.iter().find(|r| r.offset == at) {
                let target = match pointer.target {
                    GlobalTarget::Global(g) => ExprKind::GlobalAddress(g),
                    GlobalTarget::Function(f) => ExprKind::FunctionAddress(f),
                };
                let addend = pointer.addend;
                let wanted = self.writer.expr(target, Ty::Ptr);
                let wanted = self.writer.moved(wanted, addend);
                let block = self.writer.read(start);
                let actual = self.writer.load(block, at, Ty::Ptr);
                let is_equal = self.writer.binary(BinaryOp::Eq, actual, wanted);
                self.require(taken, is_equal);
                at += pointer_size;
                continue;
            }
            let starts = object.cells.iter().map(|c| c.offset);
            let starts = starts.chain(relocations.iter().map(|r| r.offset));
            let end = starts
                .filter(|s| *s > at)
                .min()
                .unwrap_or(object.size)
                .min(object.size);
            let byte = |i: u64| {
                let bytes = global.as_ref().map(|g| &g.bytes);
                bytes.and_then(|b| b.get(i as usize)).copied().unwrap_or(0)
            };
            if end - at > MAX_BYTES {
                return None;
            }
            let bytes: Vec<u8> = (at..end).map(byte).collect();
            self.bytes(taken, start, at, &bytes)?;
            at = end;
        }
        Some(())
    }

    /// A heap block of this size, which has no place yet, has one now.
    fn take(&mut self, taken: &Taken<'_>, start: LocalId, size: u64) {
        let mut found = self.writer.constant(0, Ty::BOOL);
        let null = self.writer.constant(0, Ty::Ptr);
        for (i, known) in self.known.clone().iter().enumerate() {
            if known.size != size {
                continue;
            }
            let writer = &mut self.writer;
            let (address, block) = (writer.read(start), writer.read(known.block));
            let is_it = writer.binary(BinaryOp::Eq, address, block);
            let is_there = writer.binary(BinaryOp::Ne, block, null);
            let (is_freed, has_place) =
                (writer.read(known.is_freed), writer.read(taken.has_place[i]));
            let is_gone = writer.expr(ExprKind::Or(is_freed, has_place), Ty::BOOL);
            let is_open = writer.expr(ExprKind::Unary(UnaryOp::Not, is_gone), Ty::BOOL);
            let is_there = writer.expr(ExprKind::And(is_there, is_open), Ty::BOOL);
            let hit = writer.expr(ExprKind::And(is_it, is_there), Ty::BOOL);
            let hit = writer.keep(hit);
            let (hit, has_place) = (writer.read(hit), writer.read(taken.has_place[i]));
            let now = writer.expr(ExprKind::Or(has_place, hit), Ty::BOOL);
            writer.set(taken.has_place[i], now);
            found = writer.expr(ExprKind::Or(found, hit), Ty::BOOL);
        }
        self.require(taken, found);
    }

    /// A list, from the end that is known.
    fn walk(
        &mut self,
        taken: &mut Taken<'_>,
        source: Option<&HeapShape>,
        number: usize,
    ) -> Option<()> {
        let target = taken.target;
        let object = &target.objects[number];
        let list = object.list?;
        let way = match (taken.address[number], list.back) {
            ([Some(_), _], back) => Direction {
                from: 0,
                next: list.next,
                entry: list.entry,
                back,
            },
            ([None, Some(_)], Some((back, entry))) => Direction {
                from: 1,
                next: back,
                entry,
                back: Some((list.next, list.entry)),
            },
            _ => return None,
        };
        let block = taken.address[number][way.from]?;
        // The block at hand, what it points to, and where that points back to.
        let start = self.writer.read(block);
        let block = self.writer.keep(start);
        let before = self.writer.keep(start);
        self.take(taken, block, object.size);
        if let Some((back, _)) = way.back {
            self.cell(taken, block, object.cell(back)?)?;
        }
        for cell in object.content() {
            self.cell(taken, block, cell)?;
        }
        self.rest(taken, block, object)?;
        let end = object.cell(way.next)?.value;
        let pointer = self.writer.read(block);
        let link = self.writer.load(pointer, way.next, Ty::Ptr);
        let link = self.writer.keep(link);
        let done = self.writer.block();
        let levels = self.known.len().min(MAX_LEVELS);
        for level in 1..=levels {
            if level > 1 || way.back.is_none() {
                self.branch_at_end(taken, (number, way), (block, link, end), done)?;
            }
            for spare in self.spares.clone() {
                self.branch_at_spare(taken, source, (spare, number, way), (block, link, before))?;
            }
            if way.back.is_none() && !self.spares.is_empty() {
                // It may end with a spare.
                self.branch_at_end(taken, (number, way), (block, link, end), done)?;
            }
            if level == levels {
                self.writer.goto(taken.otherwise);
                break;
            }
            // One block more.
            let to = self.writer.read(link);
            let to = self.writer.moved(to, -way.entry);
            self.writer.set(block, to);
            self.take(taken, block, object.size);
            let now = self.writer.read(block);
            if let Some((back, entry)) = way.back {
                let actual = self.writer.load(now, back, Ty::Ptr);
                let wanted = self.writer.read(before);
                let wanted = self.writer.moved(wanted, entry);
                let is_equal = self.writer.binary(BinaryOp::Eq, actual, wanted);
                self.require(taken, is_equal);
            }
            for cell in object.content() {
                self.cell(taken, block, cell)?;
            }
            self.rest(taken, block, object)?;
            self.writer.set(before, now);
            let next = self.writer.load(now, way.next, Ty::Ptr);
            self.writer.set(link, next);
        }
        self.writer.at = done;
        let link = self.writer.read(link);
        self.expect(taken, end, link)?;
        if way.back.is_some() && taken.address[number][way.to()].is_none() {
            taken.address[number][way.to()] = Some(block);
        }
        Some(())
    }

    /// Leaves the list where it ends.
    fn branch_at_end(
        &mut self,
        taken: &mut Taken<'_>,
        (number, way): (usize, Direction),
        (block, link, end): (LocalId, LocalId, ShapeValue),
        done: BlockId,
    ) -> Option<()> {
        let other = way.back.and(taken.address[number][way.to()]);
        let is_end = if let Some(other) = other {
            let (block, other) = (self.writer.read(block), self.writer.read(other));
            self.writer.binary(BinaryOp::Eq, block, other)
        } else {
            let wanted = match end {
                ShapeValue::Const(bits) => self.writer.constant(bits, Ty::Ptr),
                ShapeValue::At {
                    object,
                    is_last,
                    offset,
                } => {
                    let start = match taken.target.objects.get(object)?.place {
                        ShapePlace::Global(g) => ExprKind::GlobalAddress(g),
                        ShapePlace::Local(l) => ExprKind::LocalAddress(l),
                        ShapePlace::Heap => {
                            ExprKind::Local(taken.address[object][usize::from(is_last)]?)
                        }
                    };
                    let start = self.writer.expr(start, Ty::Ptr);
                    self.writer.moved(start, offset)
                }
                _ => return None,
            };
            let link = self.writer.read(link);
            self.writer.binary(BinaryOp::Eq, link, wanted)
        };
        let more = self.writer.block();
        self.writer.branch(is_end, done, more);
        self.writer.at = more;
        Some(())
    }

    /// Goes beyond a spare, if that is where the list goes on and its blocks are as they have to be.
    fn branch_at_spare(
        &mut self,
        taken: &mut Taken<'_>,
        source: Option<&HeapShape>,
        (spare, number, way): (Spare, usize, Direction),
        (block, link, before): (LocalId, LocalId, LocalId),
    ) -> Option<()> {
        let (source, target) = (source?, taken.target);
        let (from, object) = (&source.objects[spare.object], &target.objects[number]);
        // The same way or the other one through the same links.
        let links = from.list?;
        let own = [Some((links.next, links.entry)), links.back];
        let is_like = own[way.from] == Some((way.next, way.entry)) && own[way.to()] == way.back;
        let has_like_rest = object.rest == ShapeRest::Any
            || object.rest == from.rest
                && object
                    .cells
                    .iter()
                    .map(|c| (c.offset, c.size))
                    .eq(from.cells.iter().map(|c| (c.offset, c.size)));
        if !is_like || object.size != from.size || !has_like_rest {
            return Some(());
        }
        let [near, far] = [spare.ends[way.from], spare.ends[way.to()]];
        let [beyond, behind] = [spare.beyond[way.from], spare.beyond[way.to()]];
        let entered = self.known[near].block;
        let (is_here, no, after) = (
            self.writer.block(),
            self.writer.block(),
            self.writer.block(),
        );
        let spare_block = self.writer.read(entered);
        let wanted = self.writer.moved(spare_block, way.entry);
        let actual = self.writer.read(link);
        let is_it = self.writer.binary(BinaryOp::Eq, actual, wanted);
        let null = self.writer.constant(0, Ty::Ptr);
        let is_there = self.writer.binary(BinaryOp::Ne, spare_block, null);
        let condition = self.writer.expr(ExprKind::And(is_there, is_it), Ty::BOOL);
        self.writer.branch(condition, is_here, no);
        self.writer.at = is_here;
        self.take(taken, entered, 0);
        if far != near {
            self.take(taken, self.known[far].block, 0);
        }
        for cell in object.content() {
            if !self.spare_cell(taken, source, cell, from.cell(cell.offset))? {
                self.writer.goto(taken.otherwise);
                self.writer.at = no;
                self.writer.goto(after);
                self.writer.at = after;
                return Some(());
            }
        }
        if let Some((_, entry)) = way.back {
            let last = self.writer.read(block);
            let wanted = self.writer.moved(last, entry);
            let actual = self.writer.read(behind);
            let is_equal = self.writer.binary(BinaryOp::Eq, actual, wanted);
            self.require(taken, is_equal);
            let far = self.writer.read(self.known[far].block);
            self.writer.set(before, far);
        }
        let to = self.writer.read(beyond);
        self.writer.set(link, to);
        self.writer.goto(after);
        self.writer.at = no;
        self.writer.goto(after);
        self.writer.at = after;
        Some(())
    }

    /// Whether this cell of all blocks of a spare may be as the target says.
    fn spare_cell(
        &mut self,
        taken: &mut Taken<'_>,
        source: &HeapShape,
        cell: &ShapeCell,
        from: Option<&ShapeCell>,
    ) -> Option<bool> {
        if cell.value == ShapeValue::Any {
            return Some(true);
        }
        let Some(from) = from.filter(|f| f.size == cell.size && f.value != ShapeValue::Any) else {
            return Some(false);
        };
        if !cell.is_own {
            if from.is_own {
                return Some(false);
            }
            let ty = self.cell_type(from.value, from.size)?;
            let value = self.value(from.value, source, ty)?;
            self.expect(taken, cell.value, value)?;
            return Some(true);
        }
        let ShapeValue::Unknown { number, add: 0 } = cell.value else {
            return None;
        };
        let known = taken.target.unknowns.get(number)?;
        if !from.is_own {
            let ty = self.cell_type(from.value, from.size)?;
            if ty != Ty::Int(known.width) {
                return Some(false);
            }
            let value = self.value(from.value, source, ty)?;
            if let Some(condition) = self.is_allowed(value, known) {
                self.require(taken, condition);
            }
            return Some(true);
        }
        let ShapeValue::Unknown { number, add: 0 } = from.value else {
            return None;
        };
        let own = source.unknowns.get(number)?;
        let is_excluded = |n: &i128| own.not.contains(n) || *n < own.low || own.high < *n;
        let is_inside = known.low <= own.low && own.high <= known.high;
        Some(own.width == known.width && is_inside && known.not.iter().all(is_excluded))
    }
}

impl Taken<'_> {
    /// Whether it is known where the last block of a list points to.
    fn is_end_known(&self, object: usize) -> bool {
        let own = &self.target.objects[object];
        let Some(end) = own.list.and_then(|l| own.cell(l.next)) else {
            return true;
        };
        match end.value {
            ShapeValue::At {
                object, is_last, ..
            } => {
                self.target
                    .objects
                    .get(object)
                    .is_some_and(|o| o.place != ShapePlace::Heap)
                    || self.address[object][usize::from(is_last)].is_some()
            }
            _ => true,
        }
    }

    fn finds(&mut self, object: usize, end: usize, start: LocalId) {
        let is_new = self.address[object] == [None, None];
        self.address[object][end] = Some(start);
        if is_new {
            self.todo.push(object);
        }
    }
}
