//! Which states are kept apart where paths meet.
//!
//! Merged states are small formulas for the encoder and hard ones for the solver where what was merged says where a
//! parser is: `text[at]` is then any byte of the text. If states with different constants in such a place stay apart, the
//! place is a constant in each of them, and with it the byte that is read, the end of the loop, and which token is
//! written. After V. Kuznetsov, J. Kinder, S. Bucur and G. Candea, *Efficient State Merging in Symbolic Execution* (2012),
//! where it is estimated beforehand which places those are; here it is seen while encoding: what addresses are made of,
//! and what ends loops.

use crate::encoder::Encoder;
use crate::expr::Body;
use crate::memory::{Cell, ObjectKind};
use crate::persistent::PersistentMap;
use crate::state::State;
use crate::walker::WalkDomain;
use idiolect_base::StopReason;
use idiolect_ir::live::Liveness;
use idiolect_ir::{BlockId, ExprId, FuncId, LocalId};
use idiolect_smt::TermId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What decides where runs go and what they touch.
#[derive(Clone, Default, Debug)]
pub(crate) struct Places {
    registers: FxHashSet<(FuncId, LocalId)>,
    cells: FxHashSet<(ObjectKind, u32)>,
    /// Functions whose results do.
    results: FxHashSet<FuncId>,
}

pub(crate) struct Apart {
    /// At most so many states of one block.
    most: usize,
    pub(crate) places: Places,
    live: FxHashMap<FuncId, Rc<Liveness>>,
    /// What is evaluated now is a part of an address or ends a loop.
    is_deciding: bool,
}

impl Apart {
    pub(crate) fn new(most: usize, places: Places) -> Self {
        Self {
            most,
            places,
            live: FxHashMap::default(),
            is_deciding: false,
        }
    }
}

/// Where states meet.
#[derive(Clone, Copy)]
pub(crate) enum Meeting {
    Block(FuncId, BlockId),
    /// After a return: the one register is the result.
    Return(FuncId),
}

impl Encoder<'_> {
    /// The states in which runs go on: all of them as one, or a few that differ in what decides.
    pub(crate) fn merge_at(
        &mut self,
        states: Vec<State>,
        meeting: Meeting,
    ) -> Result<Vec<State>, StopReason> {
        let most = self.apart.as_ref().map_or(1, |apart| apart.most);
        if most <= 1 || states.len() <= 1 {
            return Ok(self.merge_all(states)?.into_iter().collect());
        }
        if let Meeting::Block(function, _) = meeting {
            self.note_live(function);
        }
        let mut groups: Vec<Vec<State>> = Vec::new();
        let mut known: FxHashMap<Vec<(u32, u32, Option<TermId>)>, usize> = FxHashMap::default();
        for state in states {
            let key = match groups.first() {
                Some(group) => self.differences(&group[0], &state, meeting),
                None => Vec::new(),
            };
            let group = *known.entry(key).or_insert(groups.len());
            match groups.get_mut(group) {
                Some(group) => group.push(state),
                None => groups.push(vec![state]),
            }
            self.budget.look()?;
        }
        while groups.len() > most {
            let last = groups.pop().unwrap_or_default();
            if let Some(group) = groups.last_mut() {
                group.extend(last);
            }
        }
        self.statistics.kept_apart += groups.len() as u64 - 1;
        let mut merged = Vec::with_capacity(groups.len());
        for group in groups {
            merged.extend(self.merge_all(group)?);
        }
        Ok(merged)
    }

    fn note_live(&mut self, function: FuncId) {
        let program = self.program;
        if let Some(apart) = &mut self.apart {
            let of = || Rc::new(Liveness::new(program, program.function(function)));
            apart.live.entry(function).or_insert_with(of);
        }
    }

    /// Where constants that decide where runs go are not those of `base`, and what they are instead: the register, or the
    /// object and the place in it. Two states with the same list may be merged.
    fn differences(
        &self,
        base: &State,
        state: &State,
        meeting: Meeting,
    ) -> Vec<(u32, u32, Option<TermId>)> {
        let mut list = Vec::new();
        let Some(apart) = &self.apart else {
            return list;
        };
        // Blocks of the heap are others on every path, so pointers to them say nothing.
        let constant = |term: TermId| {
            let bits = self.terms.as_const(term)?;
            let is_address = self.terms.width(term) == self.addresses.width();
            let is_heap = is_address && {
                let (object, _) = self.addresses.find(bits as u64, self.infos.len());
                object != 0 && self.infos[object as usize].kind == ObjectKind::Heap
            };
            (!is_heap).then_some(term)
        };
        for (i, (&x, &y)) in base.registers.iter().zip(&state.registers).enumerate() {
            let (x, y) = (constant(x), constant(y));
            if x == y {
                continue;
            }
            let is_deciding = match meeting {
                Meeting::Return(function) => apart.places.results.contains(&function),
                Meeting::Block(function, block) => {
                    (apart.places.registers).contains(&(function, LocalId::new(i)))
                        && (apart.live.get(&function)).is_none_or(|live| live.is_live(block, 0, i))
                }
            };
            if is_deciding {
                list.push((0, i as u32, y));
            }
        }
        let (before, after) = (&base.memory.objects, &state.memory.objects);
        for object in before.differences(after) {
            let (Some(left), Some(right)) = (before.get(object), after.get(object)) else {
                continue;
            };
            let kind = self.infos[object as usize].kind;
            for at in left.cells.differences(&right.cells) {
                if !apart.places.cells.contains(&(kind, at)) {
                    continue;
                }
                let value = |cells: &PersistentMap<Cell>| {
                    let cell = cells.get(at)?;
                    let is_written = self.terms.known_false(cell.unwritten);
                    constant(cell.value).filter(|_| is_written)
                };
                let (x, y) = (value(&left.cells), value(&right.cells));
                if x != y {
                    list.push((object, at, y));
                }
            }
        }
        list
    }

    /// Evaluates what decides where runs go, or, if not, what is a part of that already.
    pub(crate) fn eval_deciding(
        &mut self,
        s: &mut State,
        body: Body<'_>,
        id: ExprId,
        decides: bool,
    ) -> Result<TermId, StopReason> {
        let Some(apart) = &mut self.apart else {
            return self.eval(s, body, id);
        };
        let before = apart.is_deciding;
        apart.is_deciding |= decides;
        let value = self.eval(s, body, id);
        if let Some(apart) = &mut self.apart {
            apart.is_deciding = before;
        }
        value
    }

    /// Whether the value of this register decides.
    pub(crate) fn decides(&self, function: FuncId, local: LocalId) -> bool {
        (self.apart.as_ref())
            .is_some_and(|apart| apart.places.registers.contains(&(function, local)))
    }

    /// Whether the result of this function decides.
    pub(crate) fn result_decides(&self, function: FuncId) -> bool {
        (self.apart.as_ref()).is_some_and(|apart| apart.places.results.contains(&function))
    }

    pub(crate) fn note_result_decides(&mut self, function: FuncId) {
        if let Some(apart) = &mut self.apart {
            apart.places.results.insert(function);
        }
    }

    pub(crate) fn note_register(&mut self, local: LocalId) {
        let function = self.location.function;
        if let Some(apart) = &mut self.apart
            && apart.is_deciding
        {
            apart.places.registers.insert((function, local));
        }
    }

    /// The value of this cell was read.
    pub(crate) fn note_cell(&mut self, kind: ObjectKind, at: u32) {
        if let Some(apart) = &mut self.apart
            && apart.is_deciding
        {
            apart.places.cells.insert((kind, at));
        }
    }
}
