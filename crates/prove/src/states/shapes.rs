//! What the states at the heads of loops are, for those who check it ([`crate::shapes`]).
//!
//! What a shape cannot say is left out of it: it then describes more states than there are.

use super::memory::{Background, Cell, Object, ObjectKind};
use super::state::State;
use super::value::Value;
use super::{Config, Explorer, attempts};
use crate::shapes::{
    HeapShape, ShapeCell, ShapeList, ShapeObject, ShapePlace, ShapeRest, ShapeUnknown, ShapeValue,
    named_globals,
};
use idiolect_base::Budget;
use idiolect_ir::transform::inline::inline;
use idiolect_ir::{GlobalId, LocalId, LocalStorage, Program};
use rustc_hash::FxHashMap;

/// More shapes are not written down.
const MAX_SHAPES: usize = 400;

/// Proves the program once more, with what `main` calls written out, and says which states there are at its loops.
pub fn shapes(
    program: &Program,
    config: &Config,
    budget: &Budget,
) -> Option<(Program, Vec<HeapShape>)> {
    let mut program = program.clone();
    let start = program.start;
    inline(&mut program, start);
    for attempt in attempts(config) {
        let mut explorer = Explorer::new(&program, &attempt, budget);
        explorer.drawn = Some(Vec::new());
        let is_proved = explorer.explore().is_ok();
        let is_without = attempt.folding == super::Folding::Never && !explorer.has_many_blocks;
        if is_proved {
            let found = explorer.drawn.take()?;
            return (found.len() <= MAX_SHAPES).then_some((program, found));
        }
        if is_without {
            break;
        }
    }
    None
}

impl Explorer<'_> {
    /// A new state at the head of a loop of the function with which runs begin.
    pub(super) fn draw(&mut self, state: &State) {
        let frame = state.frame();
        if state.frames.len() != 1 || self.drawn.as_ref().is_none_or(|d| d.len() > MAX_SHAPES) {
            return;
        }
        let live = self.shapes.get(&frame.function).map(|s| &s.live);
        let is_live = |local: usize| live.is_none_or(|l| l.is_live(frame.block, 0, local));
        let shape = Drawing::new(self.program, state).shape(is_live);
        match (shape, &mut self.drawn) {
            (Some(shape), Some(all)) => all.push(shape),
            _ => self.drawn = None,
        }
    }
}

struct Drawing<'s> {
    program: &'s Program,
    state: &'s State,
    /// Objects by their names in the state.
    numbers: FxHashMap<u32, usize>,
    unknowns: FxHashMap<u32, usize>,
    known: Vec<ShapeUnknown>,
}

impl<'s> Drawing<'s> {
    fn new(program: &'s Program, state: &'s State) -> Self {
        Self {
            program,
            state,
            numbers: FxHashMap::default(),
            unknowns: FxHashMap::default(),
            known: Vec::new(),
        }
    }

    /// Nothing if there is an object that is no block, global or local of a known size.
    fn shape(mut self, is_live: impl Fn(usize) -> bool) -> Option<HeapShape> {
        let frame = self.state.frame();
        let locals: FxHashMap<u32, LocalId> =
            frame.objects.iter().map(|(&l, &id)| (id, l)).collect();
        let n_globals = self.program.globals.len() as u32;
        let named = named_globals(self.program);
        // Globals that nobody changed yet are as the text says.
        let mut ids: Vec<u32> = (0..n_globals)
            .filter(|&g| {
                named.contains(&GlobalId::new(g as usize)) || self.state.objects.contains_key(&g)
            })
            .filter(|&g| !self.program.globals[g as usize].read_only)
            .collect();
        let rest = self.state.objects.range(n_globals..);
        ids.extend(rest.filter(|(_, o)| o.last_of.is_none()).map(|o| *o.0));
        for (number, id) in ids.iter().enumerate() {
            self.numbers.insert(*id, number);
        }
        let registers = frame.locals.iter().enumerate();
        let registers: Vec<(LocalId, Value)> = (registers.filter(|r| is_live(r.0)))
            .filter_map(|(l, v)| Some((LocalId::new(l), (*v)?)))
            .collect();
        let body = self.program.function(frame.function);
        let registers: Vec<(LocalId, ShapeValue)> = (registers.into_iter())
            .filter(|(l, _)| matches!(body.local(*l).storage, LocalStorage::Register(_)))
            .map(|(l, v)| (l, self.value(v)))
            .collect();
        let mut objects = Vec::new();
        for id in ids {
            let object = self.state.object(self.program, id)?;
            let place = match object.kind {
                ObjectKind::Global => ShapePlace::Global(GlobalId::new(id as usize)),
                ObjectKind::Heap => ShapePlace::Heap,
                ObjectKind::Local => ShapePlace::Local(*locals.get(&id)?),
            };
            let drawn = self.object(place, &object)?;
            objects.push(drawn);
        }
        Some(HeapShape {
            head: frame.block,
            registers,
            unknowns: self.known,
            objects,
            is_lost: self.state.is_lost,
        })
    }

    fn value(&mut self, value: Value) -> ShapeValue {
        match self.state.resolve(value) {
            Value::Const(bits) => ShapeValue::Const(bits),
            Value::Function(function) => ShapeValue::Function(function),
            Value::Symbol { id, add } => {
                let Some(facts) = self.state.facts.get(&id) else {
                    return ShapeValue::Any;
                };
                let next = self.known.len();
                let number = *self.unknowns.entry(id).or_insert(next);
                if number == next {
                    self.known.push(ShapeUnknown {
                        width: facts.width,
                        low: facts.low,
                        high: facts.high,
                        not: facts.not.clone(),
                    });
                }
                ShapeValue::Unknown { number, add }
            }
            Value::Pointer { object, low, high } if low == high => self.at(object, low),
            Value::Pointer { .. } => ShapeValue::Any,
        }
    }

    fn at(&self, object: u32, offset: i64) -> ShapeValue {
        let last_of = self.state.objects.get(&object).and_then(|o| o.last_of);
        match self.numbers.get(&last_of.unwrap_or(object)) {
            Some(&number) => ShapeValue::At {
                object: number,
                is_last: last_of.is_some(),
                offset,
            },
            // A constant of the program, or something that is gone.
            None => ShapeValue::Any,
        }
    }

    fn object(&mut self, place: ShapePlace, object: &Object) -> Option<ShapeObject> {
        let own = |at: &u64| object.chain.as_ref().is_some_and(|c| c.own.contains(at));
        let cells = object.cells.iter().map(|(&offset, cell)| {
            let Cell {
                size,
                value,
                is_any,
            } = *cell;
            let value = if is_any {
                ShapeValue::Any
            } else {
                self.value(value)
            };
            let is_own = own(&offset) && value != ShapeValue::Any;
            ShapeCell {
                offset,
                size,
                value,
                is_own,
            }
        });
        Some(ShapeObject {
            place,
            cells: cells.collect(),
            size: object.size?,
            rest: match object.background {
                Background::Zero => ShapeRest::Zero,
                Background::Unwritten => ShapeRest::Any,
                Background::Initial(_) => ShapeRest::Initial,
            },
            list: object.chain.as_ref().map(|c| ShapeList {
                next: c.link,
                entry: c.entry,
                back: c.back.map(|b| (b.link, b.entry)),
            }),
        })
    }
}
