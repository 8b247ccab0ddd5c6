//! Abstract states.

use super::SlotKind;
use super::canonical::Canon;
use super::integer::{mask, signed};
use super::memory::{Background, Object, ObjectKind};
use super::value::{Facts, Value};
use idiolect_ir::{
    BinaryOp, BlockId, FuncId, Function, GlobalId, LocalId, LocalStorage, Program, Ty,
};
use std::collections::BTreeMap;
use std::rc::Rc;

/// One activation of a function.
#[derive(Clone, Debug)]
pub struct Frame {
    pub function: FuncId,
    pub block: BlockId,
    pub index: usize,
    /// Nothing known where there is none.
    pub locals: Vec<Option<Value>>,
    /// The objects of locals that live in memory.
    pub objects: BTreeMap<LocalId, u32>,
}

#[derive(Clone, Debug)]
pub struct State {
    pub frames: Vec<Rc<Frame>>,
    pub objects: BTreeMap<u32, Rc<Object>>,
    pub facts: BTreeMap<u32, Facts>,
    /// Symbols that turned out to be something else; what they are is never one of these.
    bound: BTreeMap<u32, Value>,
    /// Results of operations on symbols, so that the same operation has the same result. Forgotten
    /// where paths meet.
    pub derived: BTreeMap<Operation, Value>,
    pub next_symbol: u32,
    next_object: u32,
    /// A heap block that nobody can name any more was forgotten.
    pub is_lost: bool,
    /// The call at the end of the last frame has just returned this.
    pub returned: Option<Option<Value>>,
}

/// An operation on values, by a number of ours, with the width of its result.
pub type Operation = (u32, [u128; 4], u8);

impl State {
    /// Before the first statement of this function.
    pub fn new(program: &Program, function: FuncId) -> Self {
        let mut state = Self {
            frames: Vec::new(),
            objects: BTreeMap::new(),
            facts: BTreeMap::new(),
            bound: BTreeMap::new(),
            derived: BTreeMap::new(),
            next_symbol: 0,
            next_object: program.globals.len() as u32,
            is_lost: false,
            returned: None,
        };
        state.enter(program, function, &[]);
        state
    }

    pub fn frame(&self) -> &Frame {
        &self.frames[self.frames.len() - 1]
    }

    pub fn frame_mut(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        Rc::make_mut(&mut self.frames[last])
    }

    /// Calls a function.
    pub fn enter(&mut self, program: &Program, function: FuncId, args: &[Value]) {
        let body = program.function(function);
        let mut frame = Frame {
            function,
            block: Function::ENTRY,
            index: 0,
            locals: vec![None; body.locals.len()],
            objects: BTreeMap::new(),
        };
        for (param, value) in body.params.iter().zip(args) {
            frame.locals[param.index()] = Some(*value);
        }
        for (i, local) in body.locals.iter().enumerate() {
            if let LocalStorage::Memory { size, .. } = local.storage {
                let object = self.allocate(Object::new(ObjectKind::Local, Some(size)));
                frame.objects.insert(LocalId::new(i), object);
            }
        }
        self.frames.push(Rc::new(frame));
    }

    /// Leaves the last function; its locals are gone.
    pub fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            for object in frame.objects.values() {
                self.objects.remove(object);
            }
        }
    }

    pub fn allocate(&mut self, object: Object) -> u32 {
        let id = self.next_object;
        self.next_object += 1;
        self.objects.insert(id, Rc::new(object));
        id
    }

    /// A local begins a new life.
    pub fn declare(&mut self, local: LocalId, size: Option<u64>) {
        let object = self.allocate(Object::new(ObjectKind::Local, size));
        if let Some(old) = self.frame_mut().objects.insert(local, object) {
            self.objects.remove(&old);
        }
    }

    pub fn end(&mut self, local: LocalId) {
        if let Some(old) = self.frame_mut().objects.remove(&local) {
            self.objects.remove(&old);
        }
    }

    pub fn symbol(&mut self, facts: Facts) -> Value {
        let id = self.next_symbol;
        self.next_symbol += 1;
        self.facts.insert(id, facts);
        Value::Symbol { id, add: 0 }
    }

    pub fn resolve(&self, value: Value) -> Value {
        let Value::Symbol { id, add } = value else {
            return value;
        };
        let Some(bound) = self.bound.get(&id) else {
            return value;
        };
        let all = self.facts.get(&id).map_or(u128::MAX, |f| mask(f.width));
        match *bound {
            Value::Const(bits) => Value::Const(bits.wrapping_add(add) & all),
            Value::Symbol { id, add: more } => Value::Symbol {
                id,
                add: more.wrapping_add(add) & all,
            },
            other => other,
        }
    }

    fn bind(&mut self, id: u32, to: Value) {
        let all = self.facts.get(&id).map_or(u128::MAX, |f| mask(f.width));
        for old in self.bound.values_mut() {
            if let Value::Symbol { id: other, add } = *old
                && other == id
            {
                *old = match to {
                    Value::Const(bits) => Value::Const(bits.wrapping_add(add) & all),
                    Value::Symbol { id, add: more } => Value::Symbol {
                        id,
                        add: more.wrapping_add(add) & all,
                    },
                    other => other,
                };
            }
        }
        self.bound.insert(id, to);
    }

    /// The numbers that a value can be, signed.
    pub fn range(&self, value: Value, width: u8) -> (i128, i128) {
        let any = Facts::any(width);
        match self.resolve(value) {
            Value::Const(bits) => (signed(bits, width), signed(bits, width)),
            Value::Symbol { id, add } => {
                let Some(facts) = self.facts.get(&id).filter(|f| f.width == width) else {
                    return (any.low, any.high);
                };
                let add = signed(add, width);
                match (facts.low.checked_add(add), facts.high.checked_add(add)) {
                    (Some(low), Some(high)) if low >= any.low && high <= any.high => (low, high),
                    _ => (any.low, any.high),
                }
            }
            _ => (any.low, any.high),
        }
    }

    /// What a comparison of two integers says, if that is known.
    pub fn decide(&self, op: BinaryOp, a: Value, b: Value, width: u8) -> Option<bool> {
        let (a, b) = (self.resolve(a), self.resolve(b));
        let ((a_low, a_high), (b_low, b_high)) = (self.range(a, width), self.range(b, width));
        match op {
            BinaryOp::Eq => self.is_same(a, b, width),
            BinaryOp::Ne => self.is_same(a, b, width).map(|same| !same),
            BinaryOp::SLt if a_high < b_low => Some(true),
            BinaryOp::SLt if a_low >= b_high || a == b => Some(false),
            BinaryOp::SLe if a_high <= b_low || a == b => Some(true),
            BinaryOp::SLe if a_low > b_high => Some(false),
            // Numbers that are negative as signed ones are larger than all others.
            BinaryOp::ULt | BinaryOp::ULe
                if (a_low >= 0) == (a_high >= 0) && (b_low >= 0) == (b_high >= 0) =>
            {
                match (a_low >= 0, b_low >= 0) {
                    (true, false) => Some(true),
                    (false, true) => Some(false),
                    _ => {
                        let signed = match op {
                            BinaryOp::ULt => BinaryOp::SLt,
                            _ => BinaryOp::SLe,
                        };
                        self.decide(signed, a, b, width)
                    }
                }
            }
            BinaryOp::ULt if b == Value::Const(0) || a == b => Some(false),
            BinaryOp::ULe if a == Value::Const(0) || a == b => Some(true),
            _ => None,
        }
    }

    fn is_same(&self, a: Value, b: Value, width: u8) -> Option<bool> {
        match (a, b) {
            (Value::Const(x), Value::Const(y)) => return Some(x == y),
            (
                Value::Symbol { id, add },
                Value::Symbol {
                    id: other,
                    add: more,
                },
            ) if id == other => {
                return Some(add == more);
            }
            (Value::Symbol { id, add }, Value::Const(bits))
            | (Value::Const(bits), Value::Symbol { id, add }) => {
                let facts = self.facts.get(&id).filter(|f| f.width == width)?;
                let value = signed(bits.wrapping_sub(add) & mask(width), width);
                return if !facts.may_be(value) {
                    Some(false)
                } else if facts.low == facts.high {
                    Some(true)
                } else {
                    None
                };
            }
            _ => {}
        }
        let ((a_low, a_high), (b_low, b_high)) = (self.range(a, width), self.range(b, width));
        (a_high < b_low || b_high < a_low).then_some(false)
    }

    /// A comparison of two integers has this answer. False if that cannot be.
    #[must_use]
    pub fn assume(&mut self, op: BinaryOp, a: Value, b: Value, width: u8, is_true: bool) -> bool {
        let (mut a, mut b) = (self.resolve(a), self.resolve(b));
        if let Some(known) = self.decide(op, a, b, width) {
            return known == is_true;
        }
        if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            a = self.rebased(a, width);
            b = self.rebased(b, width);
        }
        match (op, is_true) {
            (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => self.equate(a, b, width),
            (BinaryOp::Eq, false) | (BinaryOp::Ne, true) => {
                if let (Value::Symbol { id, add }, Value::Const(bits))
                | (Value::Const(bits), Value::Symbol { id, add }) = (a, b)
                {
                    let value = signed(bits.wrapping_sub(add) & mask(width), width);
                    return self.know(id, |f| f.exclude(value));
                }
                true
            }
            (BinaryOp::SLt, true) => self.order(a, b, 1, width),
            (BinaryOp::SLe, true) => self.order(a, b, 0, width),
            (BinaryOp::SLt, false) => self.order(b, a, 0, width),
            (BinaryOp::SLe, false) => self.order(b, a, 1, width),
            (BinaryOp::ULt | BinaryOp::ULe, _) => {
                let strict = u8::from((op == BinaryOp::ULt) == is_true);
                let (less, more) = if is_true { (a, b) } else { (b, a) };
                // What is below a number that is not negative is not negative either.
                if self.range(more, width).0 < 0 {
                    return true;
                }
                if let Value::Symbol { id, add: 0 } = less
                    && !self.know(id, |f| f.at_least(0))
                {
                    return false;
                }
                if self.range(less, width).0 >= 0 {
                    self.order(less, more, i128::from(strict), width)
                } else {
                    true
                }
            }
            _ => true,
        }
    }

    /// A sum of a constant and a symbol of which nothing is known is a symbol just as well, and then
    /// something can be known of it.
    fn rebased(&mut self, value: Value, width: u8) -> Value {
        let Value::Symbol { id, add } = self.resolve(value) else {
            return value;
        };
        if add == 0 || self.facts.get(&id) != Some(&Facts::any(width)) {
            return Value::Symbol { id, add };
        }
        let new = self.symbol(Facts::any(width));
        if let Value::Symbol { id: new, .. } = new {
            let back = add.wrapping_neg() & mask(width);
            self.bind(id, Value::Symbol { id: new, add: back });
        }
        new
    }

    /// `a + distance <= b`.
    fn order(&mut self, a: Value, b: Value, distance: i128, width: u8) -> bool {
        let (a, b) = (self.resolve(a), self.resolve(b));
        let any = Facts::any(width);
        let ((a_low, _), (_, b_high)) = (self.range(a, width), self.range(b, width));
        // A symbol and a constant: only where the sum does not wrap around.
        let of = |state: &Self, value: Value| match value {
            Value::Symbol { id, add } => {
                let facts = state.facts.get(&id).filter(|f| f.width == width)?;
                let add = signed(add, width);
                let fits = facts.low.checked_add(add)? >= any.low
                    && facts.high.checked_add(add)? <= any.high;
                fits.then_some((id, add))
            }
            _ => None,
        };
        if let Some((id, add)) = of(self, a) {
            let Some(high) = b_high
                .checked_sub(distance)
                .and_then(|h| h.checked_sub(add))
            else {
                return true;
            };
            if !self.know(id, |f| f.at_most(high)) {
                return false;
            }
        }
        let b = self.resolve(b);
        if let Some((id, add)) = of(self, b) {
            let Some(low) = a_low.checked_add(distance).and_then(|l| l.checked_sub(add)) else {
                return true;
            };
            return self.know(id, |f| f.at_least(low));
        }
        true
    }

    fn know(&mut self, id: u32, learn: impl FnOnce(&mut Facts)) -> bool {
        let Some(facts) = self.facts.get_mut(&id) else {
            return true;
        };
        learn(facts);
        if facts.is_empty() {
            return false;
        }
        if facts.low == facts.high {
            let bits = facts.low as u128 & mask(facts.width);
            self.bind(id, Value::Const(bits));
        }
        true
    }

    fn equate(&mut self, a: Value, b: Value, width: u8) -> bool {
        match (a, b) {
            (Value::Symbol { id, add }, Value::Const(bits))
            | (Value::Const(bits), Value::Symbol { id, add }) => {
                self.bind(id, Value::Const(bits.wrapping_sub(add) & mask(width)));
            }
            (
                Value::Symbol { id, add },
                Value::Symbol {
                    id: other,
                    add: more,
                },
            ) => {
                let is_like = |s: &Self, id| s.facts.get(&id).is_some_and(|f| f.width == width);
                if !is_like(self, id) || !is_like(self, other) {
                    return true;
                }
                if add == more
                    && let Some(facts) = self.facts.get(&id).cloned()
                {
                    let fits = self.know(other, |f| {
                        f.at_least(facts.low);
                        f.at_most(facts.high);
                        facts.not.iter().for_each(|v| f.exclude(*v));
                    });
                    if !fits {
                        return false;
                    }
                }
                let add = more.wrapping_sub(add) & mask(width);
                let to = self.resolve(Value::Symbol { id: other, add });
                self.bind(id, to);
            }
            _ => {}
        }
        true
    }

    /// The object behind a global, which is made when it is first changed.
    pub fn object(&self, program: &Program, id: u32) -> Option<Rc<Object>> {
        if let Some(object) = self.objects.get(&id) {
            return Some(object.clone());
        }
        let global = program.globals.get(id as usize)?;
        let mut object = Object::new(ObjectKind::Global, Some(global.size));
        object.background = if global.is_unwritten {
            Background::Unwritten
        } else {
            Background::Initial(GlobalId::new(id as usize))
        };
        Some(Rc::new(object))
    }

    /// Changes an object.
    pub fn change(&mut self, program: &Program, id: u32, change: impl FnOnce(&mut Object)) {
        if let Some(mut object) = self.object(program, id) {
            self.objects.remove(&id);
            change(Rc::make_mut(&mut object));
            self.objects.insert(id, object);
        }
    }

    /// Drops what nobody can name any more.
    pub fn keep(&mut self, canon: &Canon) {
        let is_global = |id: &u32| canon.n_globals > *id;
        let mut is_lost = self.is_lost;
        self.objects.retain(|id, object| {
            let is_kept = is_global(id) || canon.objects.contains(id);
            is_lost |= !is_kept && object.kind == ObjectKind::Heap;
            is_kept
        });
        self.is_lost = is_lost;
        self.facts.retain(|id, _| canon.symbols.contains(id));
        self.bound.retain(|id, _| canon.symbols.contains(id));
        self.derived.clear();
    }

    /// Constants of variables and memory that the caller calls wide become unknowns.
    pub fn forget_constants(
        &mut self,
        program: &Program,
        is_wide: &mut impl FnMut(SlotKind, u128) -> bool,
    ) {
        let tagged = |value: Value| match value {
            Value::Const(bits) => Some(bits),
            Value::Symbol { add, .. } if add != 0 => Some(!add),
            _ => None,
        };
        let frame = self.frame();
        let body = program.function(frame.function);
        let mut wide = Vec::new();
        for (i, value) in frame.locals.iter().enumerate() {
            let (LocalStorage::Register(Ty::Int(width @ 8..)), Some(value)) =
                (body.locals[i].storage, value)
            else {
                continue;
            };
            let value = self.resolve(*value);
            if tagged(value).is_some_and(|c| is_wide(SlotKind::Local(LocalId::new(i)), c)) {
                wide.push((i, width));
            }
        }
        for (i, width) in wide {
            let unknown = self.symbol(Facts::any(width));
            self.frame_mut().locals[i] = Some(unknown);
        }
        let mut names: Vec<(u32, u32)> = Vec::new();
        for &id in self.objects.keys() {
            if (id as usize) < program.globals.len() {
                names.push((id, id));
            }
        }
        for (depth, frame) in self.frames.iter().enumerate() {
            for (local, id) in &frame.objects {
                let name = 1 << 31 | (depth as u32) << 16 | local.0 & 0xffff;
                names.push((name, *id));
            }
        }
        for (name, id) in names {
            let Some(object) = self.objects.get(&id).cloned() else {
                continue;
            };
            let mut wide = Vec::new();
            for (&offset, cell) in &object.cells {
                let value = self.resolve(cell.value);
                if cell.size <= 8
                    && tagged(value).is_some_and(|c| is_wide(SlotKind::Memory(name, offset), c))
                {
                    wide.push((offset, cell.size));
                }
            }
            for (offset, size) in wide {
                let unknown = self.symbol(Facts::any(8 * size as u8));
                self.change(program, id, |o| o.write(program, offset, size, unknown));
            }
        }
    }
}
