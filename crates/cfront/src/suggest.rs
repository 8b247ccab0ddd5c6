//! A contract that nobody wrote: what the code of a function relies on without checking it.
//!
//! Looked at are the accesses that the function and those that it calls make through its pointer parameters, and
//! through pointers in the records behind them: how far constants reach, which variables index them and what those
//! are compared with, whether a character is compared with nul, whether the pointer is compared with null. Assertions
//! say nothing here: what a function checks it does not rely on. Nothing depends on the answer being right. Each
//! precondition is an assumption that is told, and that can be taken away.

use crate::contract::Precondition;
use idiolect_ir::ctype::CType;
use idiolect_ir::{
    BinaryOp, Builtin, Callee, ExprId, ExprKind, FuncId, Function, FunctionOrigin, LocalId, Place,
    Program, StmtKind, Ty, TypeId,
};
use std::collections::{BTreeMap, BTreeSet};

/// A pointer that is found from the parameters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Root {
    parameter: usize,
    /// Loaded from the record behind the parameter, at this offset.
    field: Option<u64>,
}

/// A number that is found from the parameters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Amount {
    Parameter(usize),
    Field { parameter: usize, offset: u64 },
}

/// A number of elements: an amount, and one more if the comparison lets the index be equal.
type Count = (Amount, bool);

/// What is done with a pointer.
#[derive(Clone, Default, Debug)]
struct Facts {
    is_accessed: bool,
    is_compared_with_null: bool,
    is_compared_with_nul: bool,
    /// It is moved along.
    moves: bool,
    is_indexed: bool,
    /// Bytes that are reached by constants.
    extent: u64,
    /// With the size of the elements.
    counts: BTreeSet<(Count, u64)>,
}

/// What a parameter of a called function stands for.
#[derive(Clone, PartialEq, Eq, Default)]
struct Bound {
    roots: BTreeSet<Root>,
    amount: Option<Amount>,
}

/// Calls are followed so deep.
const MAX_DEPTH: u32 = 5;
/// Functions that are looked at, at most.
const MAX_VISITS: u32 = 300;

/// The preconditions of the entry function, in ACSL.
pub fn suggest(program: &Program) -> Vec<Precondition> {
    let entry = program.function(program.entry);
    let bound: Vec<Bound> = (entry.params.iter().enumerate())
        .map(
            |(i, &param)| match entry.local(param).name.starts_with('%') {
                true => Bound::default(),
                false if program.types.scalar(entry.local(param).ty) == Some(Ty::Ptr) => Bound {
                    roots: BTreeSet::from([Root {
                        parameter: i,
                        field: None,
                    }]),
                    amount: None,
                },
                false => Bound {
                    roots: BTreeSet::new(),
                    amount: Some(Amount::Parameter(i)),
                },
            },
        )
        .collect();
    let mut survey = Survey {
        program,
        facts: BTreeMap::new(),
        n_visits: 0,
    };
    survey.visit(program.entry, &bound, 0);
    let mut list = Vec::new();
    for (root, facts) in &survey.facts {
        if let Some(text) = clause(program, entry, *root, facts)
            && let Ok(mut precondition) = Precondition::read(&text)
        {
            precondition.is_suggested = true;
            list.push(precondition);
        }
    }
    list
}

/// The contract as ACSL, to be put before the function.
pub fn acsl(preconditions: &[Precondition]) -> String {
    let lines: Vec<String> = (preconditions.iter())
        .map(|p| format!("requires {};", p.text))
        .collect();
    format!("/*@ {} */\n", lines.join("\n  @ "))
}

struct Survey<'p> {
    program: &'p Program,
    facts: BTreeMap<Root, Facts>,
    n_visits: u32,
}

/// What locals of one function stand for.
struct Locals<'p> {
    function: &'p Function,
    roots: Vec<BTreeSet<Root>>,
    amounts: Vec<Option<Amount>>,
    /// Of which variables each is a plain copy.
    copies: Vec<BTreeSet<LocalId>>,
    /// Pointers that are added to.
    moves: BTreeSet<LocalId>,
    /// Numbers that are counted down or up.
    changes: BTreeSet<LocalId>,
    /// What indices are compared with.
    bounds: BTreeMap<LocalId, BTreeSet<Count>>,
}

/// An address, taken apart.
struct Address {
    roots: BTreeSet<Root>,
    offset: u64,
    index: Option<(ExprId, u64)>,
    moves: bool,
}

impl<'p> Survey<'p> {
    fn visit(&mut self, id: FuncId, bound: &[Bound], depth: u32) {
        if depth > MAX_DEPTH || self.n_visits >= MAX_VISITS {
            return;
        }
        self.n_visits += 1;
        let function = self.program.function(id);
        let mut locals = Locals::new(function, bound);
        locals.follow_assignments();
        locals.collect_bounds();
        let is_users = function.origin == FunctionOrigin::User;
        for i in 0..function.exprs.len() {
            match function.exprs[i].kind {
                ExprKind::Load { address } => {
                    let size = self.program.types.scalar_size(function.exprs[i].ty);
                    self.access(&locals, address, size);
                }
                ExprKind::Binary(op, a, b) => self.comparison(&locals, op, a, b, is_users),
                _ => {}
            }
        }
        for stmt in function.blocks.iter().flat_map(|b| &b.stmts) {
            match &stmt.kind {
                StmtKind::Assign {
                    place: Place::Memory { address, ty },
                    ..
                } => self.access(&locals, *address, self.program.types.scalar_size(*ty)),
                StmtKind::Copy { to, from, size } => {
                    self.access(&locals, *to, *size);
                    self.access(&locals, *from, *size);
                }
                StmtKind::Zero { to, size } => self.access(&locals, *to, *size),
                StmtKind::Call { callee, args, .. } => self.call(&locals, *callee, args, depth),
                _ => {}
            }
        }
    }

    fn call(&mut self, locals: &Locals<'_>, callee: Callee, args: &[ExprId], depth: u32) {
        match callee {
            Callee::Function(id) => {
                let bound: Vec<Bound> = args.iter().map(|&arg| locals.bound(arg)).collect();
                if bound.iter().any(|b| !b.roots.is_empty()) {
                    self.visit(id, &bound, depth + 1);
                }
            }
            Callee::Builtin(Builtin::Memmove) => {
                for pointer in args.iter().take(2) {
                    self.bulk(locals, *pointer, args.get(2).copied());
                }
            }
            Callee::Builtin(Builtin::Memset) => {
                if let Some(&pointer) = args.first() {
                    self.bulk(locals, pointer, args.get(2).copied());
                }
            }
            _ => {}
        }
    }

    /// So many bytes behind a pointer are read or written.
    fn bulk(&mut self, locals: &Locals<'_>, pointer: ExprId, size: Option<ExprId>) {
        let address = locals.address(pointer);
        let amount = size.and_then(|size| locals.amount(size));
        let constant = size.and_then(|size| match locals.function.expr(size).kind {
            ExprKind::Const(n) => u64::try_from(n).ok(),
            _ => None,
        });
        for root in address.roots {
            let facts = self.facts.entry(root).or_default();
            facts.is_accessed = true;
            if let Some(amount) = amount {
                facts.counts.insert(((amount, false), 1));
            }
            if let Some(n) = constant.filter(|&n| n < 1 << 16) {
                facts.extent = facts.extent.max(address.offset + n);
            }
        }
    }

    fn access(&mut self, locals: &Locals<'_>, address: ExprId, size: u64) {
        let address = locals.address(address);
        for root in &address.roots {
            let facts = self.facts.entry(*root).or_default();
            facts.is_accessed = true;
            facts.moves |= address.moves;
            let Some((index, scale)) = address.index else {
                if !address.moves {
                    facts.extent = facts.extent.max(address.offset.saturating_add(size));
                } else if let Some(count) = locals.counted_down() {
                    facts.counts.insert((count, size));
                }
                continue;
            };
            facts.is_indexed = true;
            for count in locals.bounds_of(index) {
                facts.counts.insert((count, scale));
            }
        }
    }

    fn comparison(
        &mut self,
        locals: &Locals<'_>,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
        is_users: bool,
    ) {
        if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            return;
        }
        let function = locals.function;
        for (value, other) in [(a, b), (b, a)] {
            if function.expr(other).kind != ExprKind::Const(0) {
                continue;
            }
            if function.expr(value).ty == Ty::Ptr {
                let address = locals.address(value);
                for root in address.roots.iter().filter(|_| is_users && !address.moves) {
                    self.facts.entry(*root).or_default().is_compared_with_null = true;
                }
            }
            let value = locals.stripped(value);
            if let ExprKind::Load { address } = function.expr(value).kind
                && self.program.types.scalar_size(function.expr(value).ty) == 1
            {
                for root in locals.address(address).roots {
                    self.facts.entry(root).or_default().is_compared_with_nul = true;
                }
            }
        }
    }
}

impl<'p> Locals<'p> {
    fn new(function: &'p Function, bound: &[Bound]) -> Self {
        let n = function.locals.len();
        let mut locals = Self {
            function,
            roots: vec![BTreeSet::new(); n],
            amounts: vec![None; n],
            copies: vec![BTreeSet::new(); n],
            moves: BTreeSet::new(),
            changes: BTreeSet::new(),
            bounds: BTreeMap::new(),
        };
        for (&param, bound) in function.params.iter().zip(bound) {
            locals.roots[param.index()].clone_from(&bound.roots);
            locals.amounts[param.index()] = bound.amount;
        }
        locals
    }

    /// Where pointers and numbers go by assignments, as far as three rounds tell.
    fn follow_assignments(&mut self) {
        for _ in 0..3 {
            for stmt in self.function.blocks.iter().flat_map(|b| &b.stmts) {
                let StmtKind::Assign { place, value } = stmt.kind else {
                    continue;
                };
                let local = match place {
                    Place::Local(local) => Some(local),
                    Place::Memory { address, .. } => self.variable(address),
                    Place::Bits { .. } => None,
                };
                if let Some(local) = local {
                    self.assigned(local, value);
                }
            }
        }
    }

    fn assigned(&mut self, local: LocalId, value: ExprId) {
        let expr = self.function.expr(value);
        if let Some(from) = self.local(value) {
            self.copies[local.index()].insert(from);
        }
        if expr.ty == Ty::Ptr {
            let address = self.address(value);
            let is_step = matches!(expr.kind, ExprKind::PtrAdd { .. });
            if address.moves || is_step && self.mentions(value, local) {
                self.moves.insert(local);
            }
            self.roots[local.index()].extend(address.roots);
            return;
        }
        if self.local(value).is_none() && self.mentions(value, local) {
            self.changes.insert(local);
        } else if self.amounts[local.index()].is_none() {
            self.amounts[local.index()] = self.amount(value);
        }
    }

    fn mentions(&self, at: ExprId, local: LocalId) -> bool {
        match self.function.expr(at).kind {
            // `p++` is a copy of `p`, and one more than that.
            ExprKind::Local(l) => l == local || self.copies[l.index()].contains(&local),
            ExprKind::Load { address } => self.variable(address) == Some(local),
            ExprKind::PtrAdd { base, index, .. } => {
                self.mentions(base, local) || self.mentions(index, local)
            }
            ExprKind::Binary(_, a, b) => self.mentions(a, local) || self.mentions(b, local),
            ExprKind::Convert(_, a) => self.mentions(a, local),
            _ => false,
        }
    }

    /// The variable in memory at this address.
    fn variable(&self, address: ExprId) -> Option<LocalId> {
        match self.function.expr(address).kind {
            ExprKind::LocalAddress(local) => Some(local),
            _ => None,
        }
    }

    fn local(&self, at: ExprId) -> Option<LocalId> {
        match self.function.expr(at).kind {
            ExprKind::Local(local) => Some(local),
            ExprKind::Load { address } => self.variable(address),
            _ => None,
        }
    }

    /// Without conversions.
    fn stripped(&self, mut at: ExprId) -> ExprId {
        while let ExprKind::Convert(_, inner) = self.function.expr(at).kind {
            at = inner;
        }
        at
    }

    fn address(&self, at: ExprId) -> Address {
        let none = Address {
            roots: BTreeSet::new(),
            offset: 0,
            index: None,
            moves: false,
        };
        if let Some(local) = self.local(at) {
            return Address {
                roots: self.roots[local.index()].clone(),
                moves: self.moves.contains(&local),
                ..none
            };
        }
        match self.function.expr(at).kind {
            ExprKind::PtrAdd { base, index, scale } => {
                let mut address = self.address(base);
                match self.function.expr(index).kind {
                    ExprKind::Const(n) => {
                        let step = u64::try_from(n).unwrap_or(0).saturating_mul(scale);
                        // A negative one is a very large one.
                        address.offset += if step < 1 << 20 { step } else { 0 };
                        address.moves |= step >= 1 << 20;
                    }
                    _ => address.index = Some((self.stripped(index), scale)),
                }
                address
            }
            ExprKind::Load { address } => {
                let behind = self.address(address);
                let is_plain = behind.index.is_none() && !behind.moves;
                let fields = behind
                    .roots
                    .iter()
                    .filter(|r| r.field.is_none() && is_plain);
                Address {
                    roots: fields
                        .map(|root| Root {
                            parameter: root.parameter,
                            field: Some(behind.offset),
                        })
                        .collect(),
                    ..none
                }
            }
            ExprKind::Select {
                then, otherwise, ..
            } => {
                let (mut a, b) = (self.address(then), self.address(otherwise));
                a.roots.extend(b.roots);
                a.moves |= b.moves;
                a
            }
            _ => none,
        }
    }

    /// The number of a parameter, or of a field behind one.
    fn amount(&self, at: ExprId) -> Option<Amount> {
        let at = self.stripped(at);
        if let Some(local) = self.local(at) {
            return self.amounts[local.index()];
        }
        let ExprKind::Load { address } = self.function.expr(at).kind else {
            return None;
        };
        let address = self.address(address);
        let root = address.roots.first().filter(|_| address.roots.len() == 1)?;
        let is_field = root.field.is_none() && address.index.is_none() && !address.moves;
        is_field.then_some(Amount::Field {
            parameter: root.parameter,
            offset: address.offset,
        })
    }

    fn bound(&self, at: ExprId) -> Bound {
        if self.function.expr(at).ty == Ty::Ptr {
            return Bound {
                roots: self.address(at).roots,
                amount: None,
            };
        }
        Bound {
            roots: BTreeSet::new(),
            amount: self.amount(at),
        }
    }

    /// What indices are compared with.
    fn collect_bounds(&mut self) {
        for expr in &self.function.exprs {
            let ExprKind::Binary(op, a, b) = expr.kind else {
                continue;
            };
            let is_equal_too = match op {
                BinaryOp::ULt | BinaryOp::SLt | BinaryOp::Ne => false,
                BinaryOp::ULe | BinaryOp::SLe => true,
                _ => continue,
            };
            let index = self.local(self.stripped(a));
            let Some((index, amount)) = index.zip(self.amount(b)) else {
                continue;
            };
            self.bounds
                .entry(index)
                .or_default()
                .insert((amount, is_equal_too));
        }
    }

    fn bounds_of(&self, index: ExprId) -> Vec<Count> {
        let local = self.local(index);
        let bounds = local.and_then(|local| self.bounds.get(&local));
        bounds.into_iter().flatten().copied().collect()
    }

    /// A parameter that is counted, and so says how often a pointer moves.
    fn counted_down(&self) -> Option<Count> {
        self.function.params.iter().find_map(|param| {
            let is_counted = self.changes.contains(param);
            let amount = self.amounts[param.index()].filter(|_| is_counted)?;
            Some((amount, false))
        })
    }
}

fn clause(program: &Program, entry: &Function, root: Root, facts: &Facts) -> Option<String> {
    if !facts.is_accessed {
        return None;
    }
    let (name, to) = pointer_name(program, entry, root)?;
    let size = program.types.size_of(to).filter(|&size| size > 0);
    let is_char = size == Some(1) && matches!(program.types.get(to), CType::Int(_));
    let walks = facts.moves || facts.is_indexed;
    // A text ends at its nul, whatever its characters are counted with.
    let shape = if is_char && facts.is_compared_with_nul && walks {
        format!("valid_string({name})")
    } else if let Some(((amount, is_equal_too), scale)) = facts.counts.first() {
        let amount = amount_name(program, entry, *amount)?;
        let last = if *is_equal_too {
            amount
        } else {
            format!("{amount} - 1")
        };
        match size == Some(*scale) {
            true => format!("\\valid({name} + (0 .. {last}))"),
            false => format!("\\valid((char *){name} + (0 .. {last}))"),
        }
    } else if walks {
        // How many there have to be, the code does not say.
        return None;
    } else {
        let size = size.unwrap_or(1);
        match facts.extent.div_ceil(size).max(1) {
            1 => format!("\\valid({name})"),
            n => format!("\\valid({name} + (0 .. {}))", n - 1),
        }
    };
    Some(match facts.is_compared_with_null {
        true => format!("{name} == \\null || {shape}"),
        false => shape,
    })
}

/// The name of a pointer, and the type behind it.
fn pointer_name(program: &Program, entry: &Function, root: Root) -> Option<(String, TypeId)> {
    let local = entry.local(*entry.params.get(root.parameter)?);
    let to = pointee(program, local.ty)?;
    let Some(offset) = root.field else {
        return Some((local.name.clone(), to));
    };
    let (field, ty) = field_at(program, to, offset)?;
    Some((format!("{}->{field}", local.name), pointee(program, ty)?))
}

fn amount_name(program: &Program, entry: &Function, amount: Amount) -> Option<String> {
    match amount {
        Amount::Parameter(i) => Some(entry.local(*entry.params.get(i)?).name.clone()),
        Amount::Field { parameter, offset } => {
            let local = entry.local(*entry.params.get(parameter)?);
            let (field, _) = field_at(program, pointee(program, local.ty)?, offset)?;
            Some(format!("{}->{field}", local.name))
        }
    }
}

fn pointee(program: &Program, ty: TypeId) -> Option<TypeId> {
    match program.types.get(ty) {
        CType::Pointer(to) => Some(*to),
        _ => None,
    }
}

fn field_at(program: &Program, ty: TypeId, offset: u64) -> Option<(String, TypeId)> {
    let CType::Record(id) = program.types.get(ty) else {
        return None;
    };
    let record = program.types.record(*id);
    let layout = record.layout.as_ref().filter(|_| !record.is_union)?;
    for field in &layout.fields {
        let size = program.types.size_of(field.ty).unwrap_or(0);
        if field.bits.is_some() || !(field.offset..field.offset + size).contains(&offset) {
            continue;
        }
        let name = field.name.clone()?;
        let inner = field_at(program, field.ty, offset - field.offset);
        return Some(match inner {
            Some((rest, ty)) => (format!("{name}.{rest}"), ty),
            None if field.offset == offset => (name, field.ty),
            None => return None,
        });
    }
    None
}
