//! Reading the data at a point out of a running program.

use crate::instrument::ValueSource;
use crate::point::{ArraySize, Chain, Datum, ListShape, Point, Role, Snapshot, Structure};
use idiolect_interp::{ReadError, View};
use idiolect_ir::Ty;

/// Why the data at a point is no word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum NotAWord {
    /// Two cells have the same next cell.
    Shared,
    Cyclic,
    /// A pointer to memory that is not a cell.
    Dangling,
    /// The pointer to the next cell was never written.
    UnwrittenNext,
    /// More cells than words are made of.
    TooLong,
    /// In a doubly linked list, a cell does not lead back to the one before it.
    Back,
}

impl std::fmt::Display for NotAWord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NotAWord::Shared => "two lists share their last cells",
            NotAWord::Cyclic => "a list leads back into itself",
            NotAWord::Dangling => "a pointer leads to memory that is no cell",
            NotAWord::UnwrittenNext => "the pointer to a next cell has no value yet",
            NotAWord::Back => "a cell does not lead back to the one before it",
            NotAWord::TooLong => "a structure is too long to be read as a word",
        })
    }
}

/// Longer structures are not read: formula words grow with the square of their length.
pub const MAX_CELLS: usize = 64;

/// Where each list pointer of a snapshot leads, while it is read.
#[derive(Default)]
struct Cells {
    addresses: Vec<u64>,
    next: Vec<Option<usize>>,
    has_previous: Vec<bool>,
}

/// The data at a point.
pub fn read(view: &View<'_>, point: &Point, sources: &[ValueSource]) -> Result<Snapshot, NotAWord> {
    let mut snapshot = Snapshot {
        chains: Vec::new(),
        values: Vec::with_capacity(point.variables.len()),
    };
    let mut addresses = vec![0; point.variables.len()];
    for (v, variable) in point.variables.iter().enumerate() {
        let datum = match variable.role {
            Role::Pointer { .. } => {
                addresses[v] = word(view, sources[v], Ty::Ptr)?;
                Datum::Nil
            }
            Role::Base { .. } => {
                addresses[v] = base(view, point, v, sources[v])?;
                Datum::Base
            }
            _ => {
                let ty = view.program().types.scalar(variable.ty);
                let ty = ty.unwrap_or(Ty::Int(32));
                let bits = word(view, sources[v], ty)?;
                Datum::Number(integer(u128::from(bits), ty, variable.signed))
            }
        };
        snapshot.values.push(datum);
    }
    for (s, structure) in point.structures.iter().enumerate() {
        match structure {
            Structure::Array(group) => {
                let n_cells = match group.size {
                    ArraySize::Constant(n) => n as i64,
                    ArraySize::Variable(v) => match snapshot.values[v] {
                        Datum::Number(n) => n,
                        _ => 0,
                    },
                };
                let n_cells = usize::try_from(n_cells).unwrap_or(0);
                let chain = array(view, point, s, &addresses, n_cells)?;
                snapshot.chains.push(chain);
            }
            Structure::List(shape) => lists(view, point, s, shape, &addresses, &mut snapshot)?,
        }
    }
    Ok(snapshot)
}

fn word(view: &View<'_>, source: ValueSource, ty: Ty) -> Result<u64, NotAWord> {
    let value = match source {
        ValueSource::Register(local) => view.local(local),
        ValueSource::Address(local) => {
            let address = view.local_address(local).ok_or(NotAWord::Dangling)?;
            view.load(address, ty).ok()
        }
        ValueSource::Behind(local) => {
            let pointer = view.local(local).ok_or(NotAWord::Dangling)?;
            view.load(pointer.bits as u64, ty).ok()
        }
        ValueSource::Global(global) => view.load(view.global_address(global), ty).ok(),
    };
    value.map(|v| v.bits as u64).ok_or(NotAWord::Dangling)
}

/// The address of an array: that of the object, or the value of the pointer.
fn base(view: &View<'_>, point: &Point, v: usize, source: ValueSource) -> Result<u64, NotAWord> {
    let types = &view.program().types;
    let is_object = matches!(
        types.get(point.variables[v].ty),
        idiolect_ir::CType::Array { .. }
    );
    match source {
        ValueSource::Address(local) if is_object => {
            view.local_address(local).ok_or(NotAWord::Dangling)
        }
        ValueSource::Global(global) if is_object => Ok(view.global_address(global)),
        _ => word(view, source, Ty::Ptr),
    }
}

fn integer(bits: u128, ty: Ty, signed: bool) -> i64 {
    let Ty::Int(width) = ty else {
        return bits as i64;
    };
    let shift = 64 - u32::from(width.clamp(1, 64));
    if signed {
        ((bits as u64) << shift) as i64 >> shift
    } else {
        bits as i64
    }
}

/// Reads an integer; one that was never written goes to the list of those.
fn datum(
    view: &View<'_>,
    address: u64,
    field: &crate::point::DataField,
    chain: &mut Chain,
) -> Result<(), NotAWord> {
    match view.load(address, field.ty) {
        Ok(value) => chain.data.push(integer(value.bits, field.ty, field.signed)),
        Err(ReadError::Unwritten) => {
            chain.unwritten.push(chain.data.len());
            chain.data.push(0);
        }
        Err(ReadError::Fault(_)) => return Err(NotAWord::Dangling),
    }
    Ok(())
}

fn array(
    view: &View<'_>,
    point: &Point,
    structure: usize,
    addresses: &[u64],
    n_cells: usize,
) -> Result<Chain, NotAWord> {
    if n_cells > MAX_CELLS {
        return Err(NotAWord::TooLong);
    }
    let fields = point.structures[structure].fields();
    let mut bases = vec![0; fields.len()];
    for (v, variable) in point.variables.iter().enumerate() {
        if let Role::Base {
            structure: s,
            field,
        } = variable.role
            && s == structure
            && let Structure::Array(group) = &point.structures[structure]
        {
            bases[group.fields_of(field)].fill(addresses[v]);
        }
    }
    let mut chain = Chain {
        structure,
        n_cells,
        data: Vec::with_capacity(n_cells * fields.len()),
        unwritten: Vec::new(),
    };
    for cell in 0..n_cells {
        for (field, &base) in fields.iter().zip(&bases) {
            let address = base.wrapping_add(cell as u64 * field.stride + field.offset);
            datum(view, address, field, &mut chain)?;
        }
    }
    Ok(chain)
}

fn lists(
    view: &View<'_>,
    point: &Point,
    structure: usize,
    shape: &ListShape,
    addresses: &[u64],
    snapshot: &mut Snapshot,
) -> Result<(), NotAWord> {
    let mut cells = Cells::default();
    let is_ours = |v: usize| point.variables[v].role == Role::Pointer { structure };
    for v in (0..point.variables.len()).filter(|&v| is_ours(v)) {
        cells.walk(view, shape, addresses[v])?;
    }
    // Chains in the order of the first variable in each.
    let starts: Vec<usize> = (0..cells.addresses.len())
        .filter(|&c| !cells.has_previous[c])
        .collect();
    let mut place = vec![None; cells.addresses.len()];
    for (number, &start) in starts.iter().enumerate() {
        let mut at = Some(start);
        let mut position = 0;
        while let Some(cell) = at {
            place[cell] = Some((number, position));
            position += 1;
            at = cells.next[cell];
        }
    }
    if place.iter().any(Option::is_none) {
        return Err(NotAWord::Cyclic);
    }
    if let Some((_, offset)) = shape.back {
        cells.lead_back(view, offset)?;
    }
    let mut order: Vec<Option<usize>> = vec![None; starts.len()];
    let mut sorted = Vec::new();
    for v in (0..point.variables.len()).filter(|&v| is_ours(v)) {
        let Some((number, cell)) = cells.find(addresses[v]).and_then(|c| place[c]) else {
            snapshot.values[v] = Datum::Nil;
            continue;
        };
        let chain = *order[number].get_or_insert_with(|| {
            sorted.push(starts[number]);
            sorted.len() - 1
        });
        snapshot.values[v] = Datum::Cell {
            chain: snapshot.chains.len() + chain,
            cell,
        };
    }
    for start in sorted {
        let mut chain = Chain {
            structure,
            n_cells: 0,
            data: Vec::new(),
            unwritten: Vec::new(),
        };
        let mut at = Some(start);
        while let Some(cell) = at {
            chain.n_cells += 1;
            for field in &shape.fields {
                let address = cells.addresses[cell].wrapping_add(field.offset);
                datum(view, address, field, &mut chain)?;
            }
            at = cells.next[cell];
        }
        snapshot.chains.push(chain);
    }
    Ok(())
}

impl Cells {
    fn find(&self, address: u64) -> Option<usize> {
        self.addresses.iter().position(|&a| a == address)
    }

    /// In a doubly linked list, each cell knows the one before it.
    fn lead_back(&self, view: &View<'_>, offset: u64) -> Result<(), NotAWord> {
        for (cell, &address) in self.addresses.iter().enumerate() {
            let before = self.next.iter().position(|&n| n == Some(cell));
            let wanted = before.map_or(0, |b| self.addresses[b]);
            match view.load(address.wrapping_add(offset), Ty::Ptr) {
                Ok(value) if value.bits as u64 == wanted => {}
                _ => return Err(NotAWord::Back),
            }
        }
        Ok(())
    }

    fn walk(&mut self, view: &View<'_>, shape: &ListShape, start: u64) -> Result<(), NotAWord> {
        let mut previous: Option<usize> = None;
        let mut address = start;
        while address != 0 {
            if let Some(known) = self.find(address) {
                if let Some(previous) = previous {
                    if self.has_previous[known] {
                        return Err(NotAWord::Shared);
                    }
                    self.has_previous[known] = true;
                    self.next[previous] = Some(known);
                }
                return Ok(());
            }
            if self.addresses.len() == MAX_CELLS {
                return Err(NotAWord::TooLong);
            }
            let cell = self.addresses.len();
            self.addresses.push(address);
            self.next.push(None);
            self.has_previous.push(previous.is_some());
            if let Some(previous) = previous {
                self.next[previous] = Some(cell);
            }
            previous = Some(cell);
            address = match view.load(address.wrapping_add(shape.next_offset), Ty::Ptr) {
                Ok(value) => value.bits as u64,
                Err(ReadError::Unwritten) => return Err(NotAWord::UnwrittenNext),
                Err(ReadError::Fault(_)) => return Err(NotAWord::Dangling),
            };
        }
        Ok(())
    }
}
