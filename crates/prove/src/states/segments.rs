//! Lists of any length: cells of the heap that follow one another and hold alike values become one object.
//!
//! A *segment* is an object that stands for one cell or more, each of which links to the next; the link that the object
//! has is that of the last one. A pointer to it points to the first cell. What the cells hold is the same value in
//! all of them, or each has a number of its own of which the same is known. Only what nothing else points to is
//! joined with the cell before it, so the first cell is the only one that the rest of the state can name. Before
//! a segment is read or written its first cell is taken out; whether it is the last one is a choice.

use super::live::Liveness;
use super::memory::{Cell, Object, ObjectKind};
use super::state::State;
use super::value::{Facts, Value};
use idiolect_ir::{FuncId, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What makes an object a segment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    /// Where in a cell the link to the next one is, and where in the next one it points to.
    pub link: u64,
    pub target: i64,
    /// What is known of numbers that each cell has for itself, by their offsets.
    pub own: BTreeMap<u64, Facts>,
}

/// With more cells than this, numbers that differ are joined as well.
const MANY: usize = 10;

/// Who points to an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Referrer {
    /// The one link of this object, at this offset, to this offset of the object.
    Link {
        from: u32,
        at: u64,
        to: i64,
    },
    Others,
}

/// What cells hold at one place.
enum Content {
    Same(Value),
    Own(Facts),
    Any,
}

impl State {
    /// Takes the first cell out of a segment; it is the last one, or there are more.
    pub fn unfold(&mut self, program: &Program, id: u32, is_last: bool) {
        let Some(whole) = self.objects.get(&id).cloned() else {
            return;
        };
        let Some(segment) = &whole.segment else {
            return;
        };
        let mut first = Object {
            segment: None,
            ..(*whole).clone()
        };
        for (&offset, facts) in &segment.own {
            let value = self.symbol(facts.clone());
            first.write(program, offset, u64::from(facts.width) / 8, value);
        }
        if !is_last {
            let rest = self.allocate((*whole).clone());
            let (low, high) = (segment.target, segment.target);
            let to = Value::Pointer {
                object: rest,
                low,
                high,
            };
            first.write(
                program,
                segment.link,
                program.types.model.pointer_size(),
                to,
            );
        }
        self.objects.insert(id, Rc::new(first));
    }

    pub fn is_segment(&self, id: u32) -> bool {
        (self.objects.get(&id)).is_some_and(|o| o.segment.is_some())
    }

    /// Joins cells, if more of them than this are in use. Whether there were some to join.
    pub fn fold<'l>(
        &mut self,
        program: &Program,
        above: usize,
        live: impl Fn(FuncId) -> &'l Liveness,
    ) -> bool {
        let mut is_folded = false;
        loop {
            let referrers = self.referrers(program, &live);
            let is_cell = |id: &&u32| self.is_heap(**id);
            let n_cells = referrers.keys().filter(is_cell).count();
            if n_cells <= above && !is_folded {
                return false;
            }
            let is_rough = n_cells > MANY;
            let joined = referrers.iter().find_map(|(&id, &referrer)| {
                let Referrer::Link { from, at, to } = referrer else {
                    return None;
                };
                let object = self.joined(program, (from, id), (at, to), is_rough)?;
                Some((from, id, object))
            });
            let Some((from, id, object)) = joined else {
                return is_folded;
            };
            self.objects.insert(from, Rc::new(object));
            self.objects.remove(&id);
            is_folded = true;
        }
    }

    fn is_heap(&self, id: u32) -> bool {
        (self.objects.get(&id)).is_some_and(|o| o.kind == ObjectKind::Heap)
    }

    /// Every object that is in use, with who points to it.
    fn referrers<'l>(
        &self,
        program: &Program,
        live: impl Fn(FuncId) -> &'l Liveness,
    ) -> BTreeMap<u32, Referrer> {
        let mut open: Vec<u32> = Vec::new();
        let mut found: BTreeMap<u32, Referrer> = BTreeMap::new();
        let last = self.frames.len() - 1;
        for (depth, frame) in self.frames.iter().enumerate() {
            let from = frame.index + usize::from(depth != last);
            let live = live(frame.function);
            open.extend(frame.objects.values());
            for (local, value) in frame.locals.iter().enumerate() {
                if let Some(value) = value
                    && live.is_live(frame.block, from, local)
                    && let Value::Pointer { object, .. } = self.resolve(*value)
                {
                    open.push(object);
                }
            }
        }
        let n_globals = program.globals.len() as u32;
        open.extend(self.objects.range(..n_globals).map(|(&id, _)| id));
        found.extend(open.iter().map(|&id| (id, Referrer::Others)));
        let mut seen: BTreeSet<u32> = open.iter().copied().collect();
        while let Some(from) = open.pop() {
            let Some(object) = self.objects.get(&from) else {
                continue;
            };
            for (&at, cell) in &object.cells {
                let Value::Pointer {
                    object: to,
                    low,
                    high,
                } = self.resolve(cell.value)
                else {
                    continue;
                };
                if cell.is_any {
                    continue;
                }
                let link = if low == high {
                    Referrer::Link { from, at, to: low }
                } else {
                    Referrer::Others
                };
                let known = found.entry(to);
                known.and_modify(|r| *r = Referrer::Others).or_insert(link);
                if seen.insert(to) {
                    open.push(to);
                }
            }
        }
        found
    }

    /// Both objects as one segment, if they are alike.
    fn joined(
        &self,
        program: &Program,
        (first, second): (u32, u32),
        (link, target): (u64, i64),
        is_rough: bool,
    ) -> Option<Object> {
        if first == second || !self.is_heap(first) || !self.is_heap(second) {
            return None;
        }
        let (a, b) = (self.objects.get(&first)?, self.objects.get(&second)?);
        let links_so =
            |o: &Object| (o.segment.as_ref()).is_none_or(|s| s.link == link && s.target == target);
        let size = program.types.model.pointer_size();
        if a.size != b.size || a.background != b.background || !links_so(a) || !links_so(b) {
            return None;
        }
        let end = *b.cells.get(&link).filter(|c| c.size == size && !c.is_any)?;
        let places: BTreeSet<(u64, u64)> = (a.cells.iter().chain(&b.cells))
            .map(|(&offset, cell)| (offset, cell.size))
            .filter(|&(offset, _)| offset != link)
            .collect();
        let mut whole = Object {
            cells: BTreeMap::new(),
            ..(**a).clone()
        };
        let mut own = BTreeMap::new();
        let mut last_end = 0;
        for (offset, size) in places {
            // Places that overlap.
            if offset < last_end {
                return None;
            }
            last_end = offset + size;
            let both = (
                self.content(program, a, offset, size),
                self.content(program, b, offset, size),
            );
            let is_segment = a.segment.is_some() || b.segment.is_some();
            let mut cell = Cell {
                size,
                value: Value::Const(0),
                is_any: true,
            };
            match self.alike(both, size, is_rough, is_segment)? {
                Content::Same(value) => {
                    cell.value = value;
                    cell.is_any = false;
                }
                Content::Own(facts) => {
                    own.insert(offset, facts);
                }
                Content::Any => {}
            }
            whole.cells.insert(offset, cell);
        }
        if whole
            .cells
            .range(..link)
            .next_back()
            .is_some_and(|(o, c)| o + c.size > link)
            || whole.cells.range(link..link + size).next().is_some()
        {
            return None;
        }
        whole.cells.insert(link, end);
        whole.segment = Some(Rc::new(Segment { link, target, own }));
        Some(whole)
    }

    fn content(&self, program: &Program, object: &Object, offset: u64, size: u64) -> Content {
        let own = object.segment.as_ref().and_then(|s| s.own.get(&offset));
        if let Some(facts) = own {
            return Content::Own(facts.clone());
        }
        match object.read(program, offset, size) {
            Some(value) => Content::Same(self.resolve(value)),
            None => Content::Any,
        }
    }

    /// What two contents have in common; nothing if they should rather stay apart.
    fn alike(
        &self,
        both: (Content, Content),
        size: u64,
        is_rough: bool,
        is_segment: bool,
    ) -> Option<Content> {
        let (a, b) = match both {
            (Content::Any, Content::Any) => return Some(Content::Any),
            (Content::Same(a), Content::Same(b)) if a == b => return Some(Content::Same(a)),
            (Content::Any, Content::Own(_)) | (Content::Own(_), Content::Any) if is_rough => {
                return Some(Content::Any);
            }
            both => both,
        };
        let width = u8::try_from(8 * size).ok().filter(|w| *w <= 64)?;
        let is_constant = |c: &Content| matches!(c, Content::Same(Value::Const(_)));
        let may_join = is_rough || is_constant(&a) == is_constant(&b) && !is_constant(&a);
        let (a, b) = (self.numbers(a, width)?, self.numbers(b, width)?);
        let mut joined = a.join(&b);
        // What grew once does not grow again and again.
        if is_segment && joined != a && joined != b {
            joined = Facts::any(width);
        }
        (may_join || joined == a || joined == b).then_some(Content::Own(joined))
    }

    fn numbers(&self, content: Content, width: u8) -> Option<Facts> {
        match content {
            Content::Own(facts) => (facts.width == width).then_some(facts),
            Content::Same(Value::Symbol { id, add: 0 }) => {
                (self.facts.get(&id)).filter(|f| f.width == width).cloned()
            }
            Content::Same(value @ (Value::Const(_) | Value::Symbol { .. })) => {
                let (low, high) = self.range(value, width);
                Some(Facts::between(width, low, high))
            }
            _ => None,
        }
    }
}
