//! The variables that an invariant may speak of at a point of a function.

use super::formula::Reading;
use idiolect_ir::ctype::CType;
use idiolect_ir::{
    BinaryOp, ConvertOp, Expr, ExprId, ExprKind, Function, GlobalId, LocalId, LocalKind,
    LocalStorage, Place, Program, StmtKind, Ty, TypeId,
};
use std::collections::BTreeMap;

/// An object that code can name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Base {
    Global(GlobalId),
    /// Of the function at hand.
    Local(LocalId),
}

/// Where a variable is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Site {
    Register(LocalId),
    Cell { base: Base, offset: u64 },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// As in C.
    pub name: String,
    pub site: Site,
    pub reading: Reading,
    /// The name is one that a reader knows.
    pub is_named: bool,
}

impl Variable {
    pub fn ty(&self) -> Ty {
        Ty::Int(self.reading.width as u8)
    }

    /// Its value, as an expression of the function.
    pub fn read(&self, function: &mut Function, pointer_width: u8) -> ExprId {
        match self.site {
            Site::Register(local) => push(function, ExprKind::Local(local), self.ty()),
            Site::Cell { base, offset } => {
                let address = address_of(function, base, offset, pointer_width);
                push(function, ExprKind::Load { address }, self.ty())
            }
        }
    }
}

pub fn push(function: &mut Function, kind: ExprKind, ty: Ty) -> ExprId {
    let span = function.span;
    function.exprs.push(Expr { kind, ty, span });
    ExprId::new(function.exprs.len() - 1)
}

pub fn address_of(function: &mut Function, base: Base, offset: u64, pointer_width: u8) -> ExprId {
    let start = match base {
        Base::Global(global) => ExprKind::GlobalAddress(global),
        Base::Local(local) => ExprKind::LocalAddress(local),
    };
    let start = push(function, start, Ty::Ptr);
    if offset == 0 {
        return start;
    }
    let index = push(
        function,
        ExprKind::Const(u128::from(offset)),
        Ty::Int(pointer_width),
    );
    let add = ExprKind::PtrAdd {
        base: start,
        index,
        scale: 1,
    };
    push(function, add, Ty::Ptr)
}

/// The value of an expression that is built of constants.
pub fn constant(function: &Function, id: ExprId) -> Option<i128> {
    let expr = function.expr(id);
    let width = u32::from(expr.ty.int_width()?);
    let signed = |bits: u128| {
        let shift = 128 - width;
        ((bits << shift) as i128) >> shift
    };
    match expr.kind {
        ExprKind::Const(bits) => Some(signed(bits)),
        ExprKind::Convert(ConvertOp::SignExtend, a) => constant(function, a),
        ExprKind::Convert(ConvertOp::ZeroExtend, a) => {
            let from = u32::from(function.expr(a).ty.int_width()?);
            Some(constant(function, a)? & ((1 << from.min(126)) - 1))
        }
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (constant(function, a)?, constant(function, b)?);
            match op {
                BinaryOp::Add { .. } => a.checked_add(b),
                BinaryOp::Sub { .. } => a.checked_sub(b),
                BinaryOp::Mul { .. } => a.checked_mul(b),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The object and offset of an address that does not depend on the run.
pub fn fixed(function: &Function, address: ExprId) -> Option<(Base, i128)> {
    match function.expr(address).kind {
        ExprKind::LocalAddress(local) => Some((Base::Local(local), 0)),
        ExprKind::GlobalAddress(global) => Some((Base::Global(global), 0)),
        ExprKind::PtrAdd { base, index, scale } => {
            let (object, offset) = fixed(function, base)?;
            let index = constant(function, index)?.checked_mul(i128::from(scale))?;
            Some((object, offset.checked_add(index)?))
        }
        _ => None,
    }
}

/// The C name and type of the scalar at an offset of an object.
fn member(program: &Program, ty: TypeId, offset: u64, name: &str) -> Option<(String, TypeId)> {
    match program.types.get(ty) {
        CType::Record(id) => {
            let layout = program.types.record(*id).layout.as_ref()?;
            for field in layout.fields.iter().filter(|f| f.bits.is_none()) {
                let size = program.types.size_of(field.ty).unwrap_or(0);
                if field.offset <= offset && offset < field.offset + size {
                    let name = match &field.name {
                        Some(own) => format!("{name}.{own}"),
                        None => name.to_owned(),
                    };
                    return member(program, field.ty, offset - field.offset, &name);
                }
            }
            None
        }
        CType::Array { element, .. } => {
            let size = program.types.size_of(*element).filter(|&s| s > 0)?;
            let name = format!("{name}[{}]", offset / size);
            member(program, *element, offset % size, &name)
        }
        _ if offset == 0 => Some((name.to_owned(), ty)),
        _ => None,
    }
}

/// The integers in memory that code accesses at fixed places, of all functions together.
pub struct Cells {
    /// By function, those that it names itself.
    pub of: Vec<BTreeMap<(Base, u64), u32>>,
}

impl Cells {
    pub fn new(program: &Program) -> Self {
        let all = program.functions.iter().map(|function| {
            let mut found = BTreeMap::new();
            let mut add = |address: ExprId, ty: Ty| {
                if let (Some((base, offset)), Some(width)) =
                    (fixed(function, address), ty.int_width())
                    && let Ok(offset) = u64::try_from(offset)
                {
                    found.insert((base, offset), u32::from(width));
                }
            };
            for expr in &function.exprs {
                if let ExprKind::Load { address } = expr.kind {
                    add(address, expr.ty);
                }
            }
            for stmt in function.blocks.iter().flat_map(|b| &b.stmts) {
                let place = match &stmt.kind {
                    StmtKind::Assign { place, .. } | StmtKind::Havoc { place, .. } => Some(place),
                    StmtKind::Call { dest, .. } => dest.as_ref(),
                    _ => None,
                };
                if let Some(&Place::Memory { address, ty }) = place {
                    add(address, ty);
                }
            }
            found
        });
        Self { of: all.collect() }
    }
}

/// A cell as a variable, if it is an integer of at most 64 bits.
pub fn cell(
    program: &Program,
    function: &Function,
    base: Base,
    offset: u64,
    width: u32,
) -> Option<Variable> {
    if !(8..=64).contains(&width) {
        return None;
    }
    let (name, ty, size) = match base {
        Base::Global(id) => {
            let global = program.global(id);
            if global.is_library || global.read_only {
                return None;
            }
            (global.name.as_str(), global.ty, global.size)
        }
        Base::Local(id) => {
            let local = function.local(id);
            match local.storage {
                LocalStorage::Memory { size, .. } => (local.name.as_str(), local.ty, size),
                _ => return None,
            }
        }
    };
    if offset + u64::from(width / 8) > size {
        return None;
    }
    let found = member(program, ty, offset, name)
        .filter(|(_, ty)| program.types.scalar(*ty) == Some(Ty::Int(width as u8)));
    let (name, is_signed, is_named) = match found {
        Some((name, ty)) => (
            name,
            program.types.is_signed(ty),
            !name_is_ours(function, base),
        ),
        None => (format!("{name}+{offset}"), true, false),
    };
    Some(Variable {
        name,
        site: Site::Cell { base, offset },
        reading: Reading { width, is_signed },
        is_named,
    })
}

fn name_is_ours(function: &Function, base: Base) -> bool {
    match base {
        Base::Global(_) => false,
        Base::Local(local) => function.local(local).kind == LocalKind::Temporary,
    }
}

/// A register as a variable, if it is an integer of at most 64 bits.
pub fn register(program: &Program, function: &Function, id: LocalId) -> Option<Variable> {
    let local = function.local(id);
    let LocalStorage::Register(Ty::Int(width)) = local.storage else {
        return None;
    };
    (8..=64).contains(&width).then(|| Variable {
        name: local.name.clone(),
        site: Site::Register(id),
        reading: Reading {
            width: u32::from(width),
            is_signed: program.types.is_signed(local.ty),
        },
        is_named: local.kind != LocalKind::Temporary,
    })
}

/// By block: the registers whose value at its start may be read later.
pub fn live_registers(function: &Function) -> Vec<Vec<bool>> {
    let n = function.locals.len();
    let mut live = vec![vec![false; n]; function.blocks.len()];
    let mut uses: Vec<Vec<LocalId>> = Vec::with_capacity(function.exprs.len());
    // Operands come before the expressions that use them, or at least each has its own list.
    for expr in &function.exprs {
        let mut own = Vec::new();
        collect(function, &expr.kind, &mut own);
        uses.push(own);
    }
    loop {
        let mut has_changed = false;
        for block in function.block_ids().collect::<Vec<_>>().into_iter().rev() {
            let body = function.block(block);
            let mut now = vec![false; n];
            for next in body.terminator.kind.successors() {
                for (a, b) in now.iter_mut().zip(&live[next.index()]) {
                    *a |= *b;
                }
            }
            let read = |now: &mut Vec<bool>, e: ExprId| {
                uses[e.index()].iter().for_each(|l| now[l.index()] = true);
            };
            if let Some(e) = body.terminator.kind.expr() {
                read(&mut now, e);
            }
            for stmt in body.stmts.iter().rev() {
                let written = match &stmt.kind {
                    StmtKind::Assign { place, .. } | StmtKind::Havoc { place, .. } => Some(place),
                    StmtKind::Call { dest, .. } => dest.as_ref(),
                    _ => None,
                };
                if let Some(&Place::Local(local)) = written {
                    now[local.index()] = false;
                }
                stmt.kind.for_each_expr(|e| read(&mut now, e));
            }
            if now != live[block.index()] {
                live[block.index()] = now;
                has_changed = true;
            }
        }
        if !has_changed {
            return live;
        }
    }
}

fn collect(function: &Function, kind: &ExprKind, found: &mut Vec<LocalId>) {
    if let ExprKind::Local(local) = kind {
        found.push(*local);
    }
    kind.for_each_operand(|e| collect(function, &function.expr(e).kind, found));
}
