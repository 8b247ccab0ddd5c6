//! How much a segment is looked at with: so many cells, so many bits of data.

use super::{Deriver, Pool};
use crate::proof::bound::{self, NoBound};
use crate::proof::cuts::Touches;
use crate::proof::domain::Uses;
use idiolect_ir::{LocalStorage, Ty};
use idiolect_quantified::point::{ListShape, Structure};

impl Deriver<'_> {
    /// Decides how many cells there are.
    pub(super) fn measure(&mut self) -> Result<(), NoBound> {
        let task = self.task;
        let aims = self.aims();
        let mut shapes: Vec<ListShape> = Vec::new();
        let mut all = aims.clone();
        all.extend(self.claim(self.from));
        all.extend(self.calls.iter().map(|c| self.numbered(c.exit.claim)));
        for (point, _) in all {
            for structure in &point.structures {
                if let Structure::List(shape) = structure
                    && !shapes.iter().any(|s| s.record == shape.record)
                {
                    shapes.push(shape.clone());
                }
            }
        }
        if shapes.is_empty() {
            return Ok(());
        }
        let mut touches = Touches::new(task.program, task.contracts);
        let mut weights = rustc_hash::FxHashMap::default();
        for &block in &self.segment {
            let n = touches
                .of_block(task.function, block)
                .map_err(NoBound::Code)?;
            weights.insert(block, n);
        }
        let touched = (task.cuts).longest(task.function, &self.segment, |block| weights[&block]);
        let mut named = 0;
        if let Some((point, formula)) = self.claim(self.from) {
            named += bound::named_by_hypotheses(point, &formula.conjuncts)?;
        }
        for call in &self.calls {
            let (point, formula) = self.numbered(call.exit.claim);
            named += bound::named_by_hypotheses(point, &formula.conjuncts)?;
        }
        for shape in shapes {
            let own = self
                .claim(self.from)
                .map_or(0, |(p, _)| bound::pointers(p, shape.record));
            let mut of_goal = 0;
            for (point, formula) in &aims {
                for c in &formula.conjuncts {
                    let names =
                        bound::quantified(point, c, shape.record) + bound::with_next(c).len();
                    of_goal = of_goal.max(names);
                }
            }
            // The cell that does not lead back, and the one that was before it.
            if shape.back.is_some() {
                of_goal = of_goal.max(2);
            }
            // Without a pointer to start from, no cell can be seen or touched.
            let n = match own {
                0 => 0,
                _ => own + touched + named + of_goal,
            };
            if n > task.max_cells {
                return Err(NoBound::TooMany(n));
            }
            self.pools.push(Pool {
                record: shape.record,
                shape,
                n,
                addresses: Vec::new(),
                freed: Vec::new(),
                captured: Vec::new(),
            });
        }
        Ok(())
    }

    /// Decides how many bits data has.
    pub(super) fn measure_data(&mut self) {
        let task = self.task;
        let mut uses = Uses::new(task.program, task.contracts);
        for &block in &self.segment {
            uses.look_at(task.function, block);
        }
        let mut signs: Vec<bool> = Vec::new();
        let is_integer =
            |l: &&idiolect_ir::Local| matches!(l.storage, LocalStorage::Register(Ty::Int(_)));
        let mut n = uses.n_values;
        n += task.function.locals.iter().filter(is_integer).count() as u64;
        let cuts = self.targets().into_iter().chain([self.from]);
        let Some(mut all) = cuts.map(|cut| self.claim(cut)).collect::<Option<Vec<_>>>() else {
            // Any value of any variable may come to a cut without a claim.
            return;
        };
        for call in &self.calls {
            all.extend([call.entry, call.exit].map(|side| self.numbered(side.claim)));
        }
        for (point, formula) in all {
            if point.structures.iter().any(|s| !s.is_list()) {
                return;
            }
            for v in &point.variables {
                if matches!(task.program.types.scalar(v.ty), Some(Ty::Int(_))) {
                    signs.push(v.signed);
                    n += 1;
                }
            }
            for field in point.structures.iter().flat_map(|s| s.fields()) {
                signs.push(field.signed);
            }
            for c in bound::constants(formula) {
                uses.constant = uses.constant.max(c.unsigned_abs());
            }
        }
        for pool in &self.pools {
            // Cells at the start; new ones draw what was not written when it is read.
            n += (pool.n * pool.shape.fields.len()) as u64;
            n += uses.n_calls * pool.shape.fields.len() as u64;
            // Calls that write data may write any.
            let written = self.calls.iter().filter(|c| c.writes_data).count();
            n += (written * (pool.n + uses.n_calls as usize) * pool.shape.fields.len()) as u64;
        }
        if uses.is_arithmetic || signs.iter().any(|&s| s != signs[0]) {
            return;
        }
        let most = n + uses.constant;
        let bits = 65 - most.leading_zeros();
        // Fields of a byte hold values of 8 bits.
        if bits <= 8 {
            self.data_bits = Some(bits as u8);
        }
    }
}
