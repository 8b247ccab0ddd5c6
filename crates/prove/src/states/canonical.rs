//! Two states are the same if they differ only in the names of symbols and objects.

use super::memory::{Background, Object, ObjectKind};
use super::state::State;
use super::value::Value;
use idiolect_ir::live::Liveness;
use idiolect_ir::{FuncId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::{DefaultHasher, Hasher};
use std::rc::Rc;

/// A state without names.
pub struct Canon {
    pub hash: u128,
    /// How much there was to look at.
    pub length: u64,
    /// What is in use, by the names in the state.
    pub symbols: FxHashSet<u32>,
    pub objects: FxHashSet<u32>,
    pub n_globals: u32,
}

struct Writer<'a> {
    program: &'a Program,
    state: &'a State,
    text: Vec<u64>,
    symbols: FxHashMap<u32, u64>,
    raw: FxHashSet<u32>,
    objects: FxHashMap<u32, u64>,
    /// Objects that have a number and are not written yet.
    open: Vec<u32>,
}

impl Canon {
    pub fn of<'l>(program: &Program, state: &State, live: impl Fn(FuncId) -> &'l Liveness) -> Self {
        let mut writer = Writer {
            program,
            state,
            text: Vec::with_capacity(256),
            symbols: FxHashMap::default(),
            raw: FxHashSet::default(),
            objects: FxHashMap::default(),
            open: Vec::new(),
        };
        let last = state.frames.len() - 1;
        for (depth, frame) in state.frames.iter().enumerate() {
            let (function, block, index) = (frame.function, frame.block, frame.index);
            writer
                .text
                .extend([u64::from(function.0), u64::from(block.0), index as u64]);
            // A caller goes on behind the call, and assigns what it returned.
            let from = if depth == last { index } else { index + 1 };
            let live = live(function);
            for (local, value) in frame.locals.iter().enumerate() {
                if !live.is_live(block, from, local) {
                    continue;
                }
                match value {
                    Some(value) => {
                        writer.text.push(local as u64);
                        writer.value(*value);
                    }
                    None => writer.text.push(u64::MAX),
                }
            }
            for (local, object) in &frame.objects {
                writer.text.push(u64::from(local.0));
                writer.reference(*object);
            }
        }
        let n_globals = program.globals.len() as u32;
        for (&id, object) in state.objects.range(..n_globals) {
            writer.text.extend([u64::MAX - 1, u64::from(id)]);
            let object = object.clone();
            writer.object(&object);
        }
        while let Some(id) = writer.open.pop() {
            if let Some(object) = state.objects.get(&id) {
                let object: Rc<Object> = object.clone();
                writer.text.push(writer.objects[&id]);
                writer.object(&object);
            }
        }
        let mut symbols = writer.raw;
        symbols.extend(writer.symbols.keys());
        Self {
            hash: hash(&writer.text),
            length: writer.text.len() as u64,
            symbols,
            objects: writer.objects.keys().copied().collect(),
            n_globals,
        }
    }
}

fn hash(text: &[u64]) -> u128 {
    let half = |salt: u64| {
        let mut hasher = DefaultHasher::new();
        hasher.write_u64(salt);
        for word in text {
            hasher.write_u64(*word);
        }
        hasher.finish()
    };
    u128::from(half(1)) << 64 | u128::from(half(2))
}

impl Writer<'_> {
    fn wide(&mut self, bits: u128) {
        self.text.extend([bits as u64, (bits >> 64) as u64]);
    }

    fn value(&mut self, value: Value) {
        if let Value::Symbol { id, .. } = value {
            self.raw.insert(id);
        }
        match self.state.resolve(value) {
            Value::Const(bits) => {
                self.text.push(1);
                self.wide(bits);
            }
            Value::Symbol { id, add } => {
                let next = self.symbols.len() as u64;
                let is_new = !self.symbols.contains_key(&id);
                let number = *self.symbols.entry(id).or_insert(next);
                self.text.extend([2, number]);
                self.wide(add);
                if is_new && let Some(facts) = self.state.facts.get(&id) {
                    self.text.push(u64::from(facts.width));
                    self.wide(facts.low as u128);
                    self.wide(facts.high as u128);
                    self.text.push(facts.not.len() as u64);
                    facts.not.iter().for_each(|v| self.wide(*v as u128));
                }
            }
            Value::Pointer { object, low, high } => {
                self.text.extend([3, low as u64, high as u64]);
                self.reference(object);
            }
            Value::Function(function) => self.text.extend([4, u64::from(function.0)]),
        }
    }

    fn reference(&mut self, object: u32) {
        if (object as usize) < self.program.globals.len() {
            self.text.extend([5, u64::from(object)]);
            return;
        }
        if !self.state.objects.contains_key(&object) {
            self.text.push(6);
            return;
        }
        let next = self.objects.len() as u64;
        let number = *self.objects.entry(object).or_insert_with(|| {
            self.open.push(object);
            next
        });
        self.text.extend([7, number]);
    }

    fn object(&mut self, object: &Object) {
        let kind = match object.kind {
            ObjectKind::Global => 0,
            ObjectKind::Local => 1,
            ObjectKind::Heap => 2,
        };
        let background = match object.background {
            Background::Zero => 0,
            Background::Unwritten => 1,
            Background::Initial(_) => 2,
        };
        let size = object.size.unwrap_or(u64::MAX);
        self.text
            .extend([kind, size, background, object.cells.len() as u64]);
        if let Some(chain) = &object.chain {
            self.text
                .extend([u64::MAX - 2, chain.link, chain.entry as u64]);
            self.text.push(chain.own.len() as u64);
            self.text.extend(&chain.own);
            if let Some(back) = chain.back {
                self.text
                    .extend([u64::MAX - 3, back.link, back.entry as u64]);
                self.reference(back.last);
            }
        }
        if let Some(first) = object.last_of {
            self.text.push(u64::MAX - 4);
            self.reference(first);
        }
        for (&offset, cell) in &object.cells {
            self.text.extend([offset, cell.size]);
            if cell.is_any {
                self.text.push(8);
            } else {
                self.value(cell.value);
            }
        }
    }
}
