//! The cells of a kind of list at one moment, as conditions: who points where, what follows what.

use super::segment::any_datum;
use idiolect_ir::build::Builder;
use idiolect_ir::{ExprId, LocalId, Ty};
use idiolect_quantified::point::ListShape;

/// The cells of all lists of one record type.
pub(super) struct Cells {
    /// Where the cells are.
    pub addresses: Vec<ExprId>,
    /// Cell, successor: `after[i][j]` holds if `j` comes immediately after `i`.
    pub after: Vec<Vec<ExprId>>,
    /// Nothing comes after this cell.
    pub is_last: Vec<ExprId>,
    /// `reach[i][j]`: one comes from `i` to `j` in no or some steps.
    pub reach: Vec<Vec<ExprId>>,
    /// Cell, field.
    pub data: Vec<Vec<ExprId>>,
    /// In doubly linked lists: what each cell leads back to.
    pub back: Option<Vec<ExprId>>,
    /// Some variable of the point reaches this cell. Quantified variables range over these.
    pub visible: Vec<ExprId>,
}

/// Where a pointer points to: at most one of these holds.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// By cell.
    pub at: Vec<ExprId>,
    pub is_nil: ExprId,
}

impl Place {
    pub fn cell(b: &Builder, n: usize, cell: usize) -> Self {
        Place {
            at: (0..n).map(|i| b.boolean(i == cell)).collect(),
            is_nil: b.falsity(),
        }
    }
}

/// Any number of disjoint lists with so many cells together.
///
/// Up to the names of cells, all of them are found by putting the lists one after the other: each
/// cell is followed by the one with the next number, or by nothing. Cells that no variable reaches
/// are garbage, so fewer cells are covered, too. Returns the choices made, by cell and then by cell
/// and field.
pub(super) fn make(
    b: &mut Builder,
    shape: &ListShape,
    n: usize,
    data_bits: Option<u8>,
) -> (
    Cells,
    Vec<idiolect_ir::InputId>,
    Vec<Vec<idiolect_ir::InputId>>,
) {
    let size = b.program.types.record(shape.record).layout.as_ref();
    let size = size.map_or(0, |l| l.size);
    let size_ty = Ty::Int(b.pointer_bits());
    let size = b.constant(u128::from(size), size_ty);
    let locals: Vec<LocalId> = (0..n).map(|_| b.malloc("cell", size)).collect();
    let addresses: Vec<ExprId> = locals.iter().map(|&l| b.read(l)).collect();
    let (mut data, mut data_inputs) = (Vec::new(), Vec::new());
    for &address in &addresses {
        let (mut row, mut inputs) = (Vec::new(), Vec::new());
        for field in &shape.fields {
            let (value, input) = any_datum(b, data_bits, "datum", field.ty, field.signed);
            let at = b.field(address, field.offset);
            b.store(at, field.ty, value);
            row.push(value);
            inputs.push(input);
        }
        data.push(row);
        data_inputs.push(inputs);
    }
    let (truth, falsity) = (b.truth(), b.falsity());
    let mut after = vec![vec![falsity; n]; n];
    let mut is_last = vec![truth; n];
    let mut goes_on = Vec::new();
    for i in 0..n {
        let at = b.field(addresses[i], shape.next_offset);
        let mut next = b.null();
        if i + 1 < n {
            let (choice, input) = b.any("next", Ty::Int(8));
            goes_on.push(input);
            let (choice, zero) = (b.read(choice), b.constant(0, Ty::Int(8)));
            let has_next = b.binary(idiolect_ir::BinaryOp::Ne, choice, zero);
            let has_next = b.keep(has_next);
            next = b.select(has_next, addresses[i + 1], next);
            after[i][i + 1] = has_next;
            let last = b.not(has_next);
            is_last[i] = b.keep(last);
        }
        b.store(at, Ty::Ptr, next);
    }
    let back = shape.back.as_ref().map(|(_, offset)| {
        let mut all = Vec::new();
        for i in 0..n {
            let at = b.field(addresses[i], *offset);
            let mut before = b.null();
            if i > 0 {
                before = b.select(after[i - 1][i], addresses[i - 1], before);
            }
            b.store(at, Ty::Ptr, before);
            all.push(b.keep(before));
        }
        all
    });
    let mut reach = vec![vec![falsity; n]; n];
    for (i, row) in reach.iter_mut().enumerate() {
        row[i] = truth;
        for j in i + 1..n {
            let step = b.and(row[j - 1], after[j - 1][j]);
            row[j] = b.keep(step);
        }
    }
    let cells = Cells {
        addresses,
        after,
        is_last,
        reach,
        data,
        back,
        visible: vec![falsity; n],
    };
    (cells, goes_on, data_inputs)
}

/// A cell as it may be found after some code has run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub address: ExprId,
    /// It is there, and no other one of the list has this address.
    pub exists: ExprId,
}

/// The cells among `known` as memory has them now. What a cell that does not exist says does not
/// matter. The last value holds where a cell that exists has a successor that is none of them.
pub(super) fn look(b: &mut Builder, shape: &ListShape, known: &[Known]) -> (Cells, Vec<ExprId>) {
    let n = known.len();
    let falsity = b.falsity();
    let mut after = vec![vec![falsity; n]; n];
    let (mut is_last, mut is_lost, mut data) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..n {
        let Known { address, exists } = known[i];
        let null = b.null();
        let at = b.field(address, shape.next_offset);
        let loaded = b.load(at, Ty::Ptr);
        let next = b.select(exists, loaded, null);
        let next = b.keep(next);
        let last = b.same_pointer(next, null);
        is_last.push(b.keep(last));
        let mut found = is_last[i];
        for j in 0..n {
            let same = b.same_pointer(next, known[j].address);
            let both = b.and(same, known[j].exists);
            after[i][j] = b.keep(both);
            found = b.or(found, after[i][j]);
        }
        let lost = b.not(found);
        is_lost.push(b.keep(lost));
        let mut row = Vec::new();
        for field in &shape.fields {
            let at = b.field(address, field.offset);
            let loaded = b.load(at, field.ty);
            let zero = b.constant(0, field.ty);
            let value = b.select(exists, loaded, zero);
            row.push(b.keep(value));
        }
        data.push(row);
    }
    let back = shape.back.as_ref().map(|(_, offset)| {
        let mut all = Vec::new();
        for &Known { address, exists } in known {
            let at = b.field(address, *offset);
            let (loaded, null) = (b.load(at, Ty::Ptr), b.null());
            let value = b.select(exists, loaded, null);
            all.push(b.keep(value));
        }
        all
    });
    // Warshall: with all ways over the cells below `k`, those over `k` are found in one step.
    let mut reach = after.clone();
    for (i, row) in reach.iter_mut().enumerate() {
        row[i] = b.truth();
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                if i == k || j == k || i == j {
                    continue;
                }
                let over = b.and(reach[i][k], reach[k][j]);
                let either = b.or(reach[i][j], over);
                reach[i][j] = b.keep(either);
            }
        }
    }
    let cells = Cells {
        addresses: known.iter().map(|k| k.address).collect(),
        after,
        is_last,
        reach,
        data,
        back,
        visible: vec![falsity; n],
    };
    (cells, is_lost)
}

impl Cells {
    pub fn n(&self) -> usize {
        self.addresses.len()
    }

    /// Notes that variables which may point here reach what they reach.
    pub fn see_from(&mut self, b: &mut Builder, places: &[Place]) {
        let n = self.n();
        let mut pointed = Vec::new();
        for i in 0..n {
            pointed.push(b.one_of(places.iter().map(|p| p.at[i])));
        }
        for j in 0..n {
            let mut seen = b.falsity();
            for (i, &from) in pointed.iter().enumerate() {
                let way = b.and(from, self.reach[i][j]);
                seen = b.or(seen, way);
            }
            self.visible[j] = b.keep(seen);
        }
    }

    /// Whether a cell leads back to the one before it: to the visible one whose next it is, or to nothing.
    pub fn leads_back(&self, b: &mut Builder, cell: usize) -> ExprId {
        let Some(back) = &self.back else {
            return b.truth();
        };
        let back = back[cell];
        let (mut is_right, mut is_first) = (b.falsity(), b.truth());
        for before in 0..self.n() {
            let is_before = b.and(self.visible[before], self.after[before][cell]);
            let is_before = b.keep(is_before);
            let same = b.same_pointer(back, self.addresses[before]);
            let both = b.and(is_before, same);
            let either = b.or(is_right, both);
            is_right = b.keep(either);
            let other = b.not(is_before);
            let none = b.and(is_first, other);
            is_first = b.keep(none);
        }
        let null = b.null();
        let nothing = b.same_pointer(back, null);
        let first = b.and(is_first, nothing);
        let fine = b.or(is_right, first);
        b.keep(fine)
    }

    /// Whether this is the one way of many to number the cells that is looked at: lists come in the
    /// order of the first variable that points into them, lists that nothing points into come last,
    /// and something points to the first cell of each other list.
    ///
    /// Any state can be made so by numbering cells anew and leaving out cells that nothing reaches;
    /// neither changes what a formula says or what code does. It saves the solver the other
    /// numberings: with three lists there are six.
    pub fn is_canonical(&self, b: &mut Builder, places: &[Place]) -> ExprId {
        let n = self.n();
        let mut good = b.truth();
        for start in 0..n {
            let (mut is_start, mut before) = (b.truth(), None);
            if start > 0 {
                is_start = self.is_last[start - 1];
                before = Some(start - 1);
            }
            // Some earlier variable points into the list before.
            let mut earlier = b.boolean(start == 0);
            let mut is_used = b.falsity();
            let mut is_pointed = b.falsity();
            for place in places {
                let mut is_in = b.falsity();
                for (j, &at) in place.at.iter().enumerate() {
                    let way = b.and(at, self.reach[start][j]);
                    is_in = b.or(is_in, way);
                }
                let is_in = b.keep(is_in);
                let both = b.and(is_start, is_in);
                let fine = b.implies(both, earlier);
                let all = b.and(good, fine);
                good = b.keep(all);
                is_used = b.or(is_used, is_in);
                is_pointed = b.or(is_pointed, place.at[start]);
                if let Some(last) = before {
                    let mut is_there = b.falsity();
                    for (j, &at) in place.at.iter().enumerate() {
                        let way = b.and(at, self.reach[j][last]);
                        is_there = b.or(is_there, way);
                    }
                    let either = b.or(earlier, is_there);
                    earlier = b.keep(either);
                }
            }
            let is_used = b.keep(is_used);
            let both = b.and(is_start, is_used);
            let fine = b.implies(both, is_pointed);
            let all = b.and(good, fine);
            good = b.keep(all);
        }
        good
    }

    /// Whether for some cells `i` of `a` and `j` of `c` that these may be, `relation(i, j)` holds.
    pub fn related(
        &self,
        b: &mut Builder,
        a: &Place,
        c: &Place,
        relation: impl Fn(&mut Builder, usize, usize) -> ExprId,
    ) -> ExprId {
        let mut result = b.falsity();
        for i in 0..self.n() {
            if a.at[i] == b.falsity() {
                continue;
            }
            let mut row = b.falsity();
            for j in 0..self.n() {
                if c.at[j] == b.falsity() {
                    continue;
                }
                let holds = relation(b, i, j);
                let both = b.and(holds, c.at[j]);
                row = b.or(row, both);
            }
            let both = b.and(a.at[i], row);
            result = b.or(result, both);
        }
        b.keep(result)
    }
}
