//! What the variables of one function stand for.

use super::{Amount, Bound, Count, End, Root};
use idiolect_ir::{
    BinaryOp, ExprId, ExprKind, Function, LocalId, Place, Program, StmtKind, Ty, UnaryOp,
};
use std::collections::{BTreeMap, BTreeSet};

/// Pointers in records behind records are followed so deep.
const MAX_PATH: usize = 2;

/// What indices are: variables, or numbers behind parameters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Index {
    Local(LocalId),
    Amount(Amount),
}

/// An index or a pointer is below its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Guard {
    Index(Index),
    Pointer(Root),
}

impl Guard {
    pub(super) fn is_of(&self, address: &Address, locals: &Locals<'_>) -> bool {
        match self {
            Guard::Index(index) => (address.index)
                .is_some_and(|(at, _)| locals.indices(at).iter().flatten().any(|i| i == index)),
            Guard::Pointer(root) => address.roots.contains(root),
        }
    }
}

pub(super) struct Locals<'p> {
    program: &'p Program,
    pub(super) function: &'p Function,
    roots: Vec<BTreeSet<Root>>,
    amounts: Vec<Option<Amount>>,
    ends: Vec<BTreeSet<End>>,
    /// Of which variables each is a plain copy.
    copies: Vec<BTreeSet<LocalId>>,
    /// Pointers that are added to.
    moves: BTreeSet<LocalId>,
    /// Pointers that are stepped up, and down.
    rises: BTreeSet<LocalId>,
    falls: BTreeSet<LocalId>,
    /// Pointers that come from elsewhere, too: what they are compared with says little of the parameters.
    mixed: BTreeSet<LocalId>,
    /// Numbers that are counted down or up.
    changes: BTreeSet<LocalId>,
    /// Those of them that are more than counted down: sums, checks, states.
    computed: BTreeSet<LocalId>,
    /// What indices are compared with.
    bounds: BTreeMap<Index, BTreeSet<Count>>,
}

/// An address, taken apart.
pub(super) struct Address {
    pub(super) roots: BTreeSet<Root>,
    pub(super) offset: u64,
    pub(super) index: Option<(ExprId, u64)>,
    pub(super) moves: bool,
}

impl<'p> Locals<'p> {
    pub(super) fn new(program: &'p Program, function: &'p Function, bound: &[Bound]) -> Self {
        let n = function.locals.len();
        let mut locals = Self {
            program,
            function,
            roots: vec![BTreeSet::new(); n],
            amounts: vec![None; n],
            ends: vec![BTreeSet::new(); n],
            copies: vec![BTreeSet::new(); n],
            moves: BTreeSet::new(),
            rises: BTreeSet::new(),
            falls: BTreeSet::new(),
            mixed: BTreeSet::new(),
            changes: BTreeSet::new(),
            computed: BTreeSet::new(),
            bounds: BTreeMap::new(),
        };
        for (&param, bound) in function.params.iter().zip(bound) {
            locals.roots[param.index()].clone_from(&bound.roots);
            locals.amounts[param.index()] = bound.amount;
            locals.ends[param.index()].clone_from(&bound.ends);
        }
        locals
    }

    /// Where pointers and numbers go by assignments, as far as three rounds tell.
    pub(super) fn follow_assignments(&mut self) {
        for _ in 0..3 {
            for stmt in self.function.blocks.iter().flat_map(|b| &b.stmts) {
                let (place, value) = match stmt.kind {
                    StmtKind::Assign { place, value } => (place, value),
                    StmtKind::Call {
                        dest: Some(place), ..
                    } => {
                        let local = match place {
                            Place::Local(local) => Some(local),
                            Place::Memory { address, .. } => self.variable(address),
                            Place::Bits { .. } => None,
                        };
                        self.mixed.extend(local);
                        continue;
                    }
                    _ => continue,
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
            if let ExprKind::PtrAdd { index, .. } = expr.kind
                && self.mentions(value, local)
            {
                let is_down = self.is_negative(index);
                let steps = if is_down {
                    &mut self.falls
                } else {
                    &mut self.rises
                };
                steps.insert(local);
            }
            let is_null = expr.kind == ExprKind::Const(0);
            if address.roots.is_empty() && !is_null || self.is_mixed(value) {
                self.mixed.insert(local);
            }
            let ends = self.ends_of(value);
            self.ends[local.index()].extend(ends);
            self.roots[local.index()].extend(address.roots);
            return;
        }
        if self.local(value).is_none() && self.mentions(value, local) {
            self.changes.insert(local);
            if !self.is_less(value, local) {
                self.computed.insert(local);
            }
        } else if self.amounts[local.index()].is_none() {
            self.amounts[local.index()] = self.amount(value);
        }
    }

    /// Whether a value is a variable minus something.
    fn is_less(&self, value: ExprId, local: LocalId) -> bool {
        let value = self.stripped(value);
        let ExprKind::Binary(op, a, b) = self.function.expr(value).kind else {
            return false;
        };
        let is_smaller = match op {
            BinaryOp::Sub { .. } => true,
            BinaryOp::Add { .. } => self.is_negative(b),
            _ => false,
        };
        is_smaller && self.mentions(a, local)
    }

    fn is_negative(&self, at: ExprId) -> bool {
        let expr = self.function.expr(at);
        match (&expr.kind, expr.ty) {
            (ExprKind::Const(bits), Ty::Int(width)) => bits >> (width - 1) & 1 == 1,
            _ => false,
        }
    }

    /// Whether a pointer walks from the end to the start.
    pub(super) fn walks_down(&self, at: ExprId) -> bool {
        self.local(at)
            .is_some_and(|l| self.falls.contains(&l) && !self.rises.contains(&l))
    }

    /// Whether a pointer may come from elsewhere.
    pub(super) fn is_mixed(&self, at: ExprId) -> bool {
        self.local(at).is_some_and(|l| self.mixed.contains(&l))
    }

    /// What a pointer is the end of.
    pub(super) fn ends_of(&self, at: ExprId) -> BTreeSet<End> {
        if let Some(local) = self.local(at) {
            return self.ends[local.index()].clone();
        }
        let ExprKind::PtrAdd { base, index, scale } = self.function.expr(at).kind else {
            return BTreeSet::new();
        };
        let Some(amount) = self.amount(index) else {
            return BTreeSet::new();
        };
        let start = self.address(base);
        if start.index.is_some() || start.moves || start.offset != 0 {
            return BTreeSet::new();
        }
        (start.roots.into_iter())
            .map(|root| (root, amount, scale))
            .collect()
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
            ExprKind::LocalAddress(local) => {
                let ty = self.function.local(local).ty;
                self.program.types.scalar(ty).map(|_| local)
            }
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
    pub(super) fn stripped(&self, mut at: ExprId) -> ExprId {
        while let ExprKind::Convert(_, inner) = self.function.expr(at).kind {
            at = inner;
        }
        at
    }

    pub(super) fn address(&self, at: ExprId) -> Address {
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
                let above = (behind.roots.iter()).filter(|r| r.path.len() < MAX_PATH && is_plain);
                let roots = above.map(|root| {
                    let mut root = root.clone();
                    root.path.push(behind.offset);
                    root
                });
                Address {
                    roots: roots.collect(),
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
    pub(super) fn amount(&self, at: ExprId) -> Option<Amount> {
        let at = self.stripped(at);
        if let Some(local) = self.local(at) {
            return self.amounts[local.index()];
        }
        let ExprKind::Load { address } = self.function.expr(at).kind else {
            return None;
        };
        let address = self.address(address);
        let root = address.roots.first().filter(|_| address.roots.len() == 1)?;
        let is_field = root.path.is_empty() && address.index.is_none() && !address.moves;
        is_field.then_some(Amount::Field {
            parameter: root.parameter,
            offset: address.offset,
        })
    }

    pub(super) fn bound(&self, at: ExprId) -> Bound {
        if self.function.expr(at).ty == Ty::Ptr {
            return Bound {
                roots: self.address(at).roots,
                amount: None,
                ends: self.ends_of(at),
            };
        }
        Bound {
            amount: self.amount(at),
            ..Bound::default()
        }
    }

    /// An index as a variable, and as the number behind a parameter that it is.
    pub(super) fn indices(&self, at: ExprId) -> [Option<Index>; 2] {
        let at = self.stripped(at);
        let local = self.local(at);
        let changes = local.is_some_and(|l| self.changes.contains(&l));
        let amount = self.amount(at).filter(|_| !changes);
        [
            local.map(Index::Local),
            amount
                .filter(|a| matches!(a, Amount::Field { .. }))
                .map(Index::Amount),
        ]
    }

    /// A comparison as `index < amount`, and whether it is that if it is true or if it is false.
    fn below(&self, op: BinaryOp, a: ExprId, b: ExprId) -> Vec<(Index, Count, bool)> {
        let mut found = Vec::new();
        let mut add = |index: ExprId, amount: ExprId, is_equal_too: bool, truth: bool| {
            let Some(amount) = self.amount(amount) else {
                return;
            };
            for index in self.indices(index).into_iter().flatten() {
                if index != Index::Amount(amount) {
                    found.push((index, (amount, is_equal_too), truth));
                }
            }
        };
        match op {
            BinaryOp::ULt | BinaryOp::SLt => add(a, b, false, true),
            BinaryOp::Ne => add(a, b, false, true),
            BinaryOp::ULe | BinaryOp::SLe => {
                add(a, b, true, true);
                // `n <= i` leaves what is below.
                add(b, a, false, false);
            }
            _ => {}
        }
        found
    }

    /// What indices are compared with.
    pub(super) fn collect_bounds(&mut self) {
        for expr in &self.function.exprs {
            let ExprKind::Binary(op, a, b) = expr.kind else {
                continue;
            };
            for (index, count, truth) in self.below(op, a, b) {
                let is_count = |index: Index| match index {
                    // A number that stays as it was given is a limit, not an index.
                    Index::Local(local) => {
                        truth
                            || self.amounts[local.index()].is_none()
                            || self.changes.contains(&local)
                    }
                    Index::Amount(_) => true,
                };
                if is_count(index) {
                    self.bounds.entry(index).or_default().insert(count);
                }
            }
        }
    }

    pub(super) fn bounds_of(&self, index: ExprId) -> Vec<Count> {
        let known = self.indices(index).into_iter().flatten();
        known
            .filter_map(|index| self.bounds.get(&index))
            .flatten()
            .copied()
            .collect()
    }

    /// The number behind a parameter that an index is, if it is compared with its end.
    pub(super) fn bounded_field(&self, index: ExprId) -> Option<Amount> {
        let mut known = self.indices(index).into_iter().flatten();
        known.find_map(|index| match index {
            Index::Amount(amount) if self.bounds.contains_key(&Index::Amount(amount)) => {
                Some(amount)
            }
            _ => None,
        })
    }

    /// What is below its end if a condition is true, or if it is false.
    pub(super) fn implied(&self, condition: ExprId, truth: bool) -> Vec<Guard> {
        match self.function.expr(condition).kind {
            ExprKind::And(a, b) if truth => self.both(a, b, truth),
            ExprKind::Or(a, b) if !truth => self.both(a, b, truth),
            ExprKind::Unary(UnaryOp::Not, a) => self.implied(a, !truth),
            ExprKind::Binary(op, a, b) => {
                let mut guards: Vec<Guard> = (self.below(op, a, b).into_iter())
                    .filter(|(_, _, when)| *when == truth)
                    .map(|(index, _, _)| Guard::Index(index))
                    .collect();
                guards.extend(self.before_end(op, a, b, truth));
                guards
            }
            _ => Vec::new(),
        }
    }

    fn both(&self, a: ExprId, b: ExprId, truth: bool) -> Vec<Guard> {
        let mut guards = self.implied(a, truth);
        guards.extend(self.implied(b, truth));
        guards
    }

    /// Pointers that are not at the end then.
    fn before_end(&self, op: BinaryOp, a: ExprId, b: ExprId, truth: bool) -> Vec<Guard> {
        let is_pointer = |at| self.function.expr(at).ty == Ty::Ptr;
        if !is_pointer(a) || !is_pointer(b) {
            return Vec::new();
        }
        let sides: &[(ExprId, ExprId)] = match (op, truth) {
            (BinaryOp::Eq, false) | (BinaryOp::Ne, true) => &[(a, b), (b, a)],
            (BinaryOp::ULt | BinaryOp::SLt, true) => &[(a, b)],
            (BinaryOp::ULe | BinaryOp::SLe, false) => &[(b, a)],
            _ => &[],
        };
        let mut guards = Vec::new();
        for &(walker, end) in sides {
            let ends = self.ends_of(end);
            let others = self.address(end).roots;
            for root in self.address(walker).roots {
                let is_end = ends.iter().any(|(of, _, _)| *of == root);
                if is_end || !others.is_empty() && !others.contains(&root) {
                    guards.push(Guard::Pointer(root));
                }
            }
        }
        guards
    }

    /// A parameter that is counted, and so says how often a pointer moves.
    pub(super) fn counted_down(&self) -> Option<Count> {
        self.function.params.iter().find_map(|param| {
            let is_counted = self.changes.contains(param) && !self.computed.contains(param);
            let amount = self.amounts[param.index()].filter(|_| is_counted)?;
            Some((amount, false))
        })
    }
}
