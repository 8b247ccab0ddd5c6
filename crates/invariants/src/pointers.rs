//! Functions that walk an array with pointers, as functions that count.
//!
//! `begin` and `end`, `p != end`, `*p++`: a pointer that only ever is a parameter moved by some elements becomes how
//! far it was moved. A register `p` that starts as `begin` becomes the integer `p - begin`, `*p` becomes
//! `begin[p - begin]`, `p != end` compares two integers, and a parameter `end` is replaced by the integer
//! `end - begin`, which is the length of the array. What is learned and proved of the integers is so said of the
//! pointers, under the contract that they point into one array, which C asks for where they are compared.
//!
//! A parameter that is moved itself (`while (*s) s++`) keeps its place in the counting function, and how far it was
//! moved is called `s - s`: at loops, this is shown as `s - \at(s, Pre)` ([`at_loop`]).

use crate::proof::modified;
use idiolect_ir::ctype::{CType, FunctionType, IntKind};
use idiolect_ir::{
    BinaryOp, BlockId, Expr, ExprId, ExprKind, FuncId, Function, Local, LocalId, LocalKind,
    LocalStorage, Place, Program, Stmt, StmtKind, TerminatorKind, Ty, Types,
};
use idiolect_quantified::linear;

/// The separator of the names of distances.
const MINUS: &str = " - ";
/// What the name of a result that is a distance begins with.
const RESULT: &str = "\\result - ";

/// What a register may point to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Root {
    /// Nothing that was looked at yet.
    Open,
    /// Elements of the array that this parameter, by position, points to.
    Array(usize),
    Other,
}

impl Root {
    fn join(self, other: Root) -> Root {
        match (self, other) {
            (Root::Open, r) | (r, Root::Open) => r,
            (a, b) if a == b => a,
            _ => Root::Other,
        }
    }
}

/// How far something moves.
enum Step {
    By(ExprId),
    /// So many elements.
    Const(i64),
}

/// A pointer and the array it moves in, of a name such as `end - begin`.
pub fn distance(name: &str) -> Option<(&str, &str)> {
    name.split_once(MINUS)
}

/// The array that the result points into, if the function gives a distance instead.
pub fn result_name(function: &Function) -> Option<&str> {
    let mut names = function.locals.iter().map(|l| l.name.as_str());
    names.find(|n| n.starts_with(RESULT))
}

/// What a name is called inside of loops: a parameter that moves is what it was there.
pub fn at_loop(function: &Function, name: &str) -> String {
    let moves = |base: &str| {
        let distance = format!("{base}{MINUS}{base}");
        function.locals.iter().any(|l| l.name == distance)
    };
    match distance(name) {
        Some((pointer, base)) if moves(base) => format!("{pointer}{MINUS}\\at({base}, Pre)"),
        None if moves(name) => format!("\\at({name}, Pre)"),
        _ => name.to_owned(),
    }
}

/// The program in which the function counts, if it moves pointers. Calls of it pass something: nobody runs them.
pub fn counting(program: &Program, id: FuncId) -> Option<Program> {
    let walk = Walk::new(program, id)?;
    let mut program = program.clone();
    let function = walk.rewrite(&mut program.types)?;
    program.functions[id.index()] = function;
    crate::shapes::retype_calls(&mut program, id);
    Some(program)
}

/// Which registers move in which array.
struct Walk<'a> {
    types: &'a Types,
    function: &'a Function,
    /// By local.
    roots: Vec<Root>,
    /// By position of a parameter: the one that its array is called after.
    base: Vec<usize>,
    modified: Vec<bool>,
}

impl<'a> Walk<'a> {
    /// Nothing if there is nothing to do, or if it is not understood.
    fn new(program: &'a Program, id: FuncId) -> Option<Self> {
        let function = program.function(id);
        let types = &program.types;
        let mut walk = Walk {
            types,
            function,
            roots: vec![Root::Open; function.locals.len()],
            base: (0..function.params.len()).collect(),
            modified: modified(function),
        };
        for (i, &p) in function.params.iter().enumerate() {
            let is_array = walk.element_size(p).is_some();
            walk.roots[p.index()] = if is_array {
                Root::Array(i)
            } else {
                Root::Other
            };
        }
        walk.follow();
        if walk.unite() {
            walk.follow();
        }
        let moves = |l: usize| {
            let local = &function.locals[l];
            match walk.roots[l] {
                Root::Array(of) => match local.kind {
                    LocalKind::Variable => true,
                    LocalKind::Parameter => {
                        walk.modified[l] || walk.base[of] != of || function.params[of].index() != l
                    }
                    _ => false,
                },
                _ => false,
            }
        };
        let enters_again = (function.blocks.iter()).any(|b| match b.terminator.kind {
            TerminatorKind::Goto(to) => to == Function::ENTRY,
            TerminatorKind::Branch {
                then, otherwise, ..
            } => then == Function::ENTRY || otherwise == Function::ENTRY,
            _ => false,
        });
        let calls_itself = (function.blocks.iter().flat_map(|b| &b.stmts)).any(|s| {
            matches!(s.kind, StmtKind::Call { callee: idiolect_ir::Callee::Function(f), .. } if f == id)
        });
        let has_work = (0..function.locals.len()).any(moves);
        (has_work && !enters_again && !calls_itself).then_some(walk)
    }

    /// The size of the integers behind a pointer that is a register.
    fn element_size(&self, local: LocalId) -> Option<u64> {
        let local = self.function.local(local);
        if local.storage != LocalStorage::Register(Ty::Ptr) {
            return None;
        }
        let (ty, _) = linear::integer_behind(self.types, local.ty)?;
        Some(self.types.scalar_size(ty))
    }

    /// Where every register comes from.
    fn follow(&mut self) {
        let function = self.function;
        loop {
            let before = self.roots.clone();
            for stmt in function.blocks.iter().flat_map(|b| &b.stmts) {
                let Some(to) = crate::proof::written(&stmt.kind) else {
                    continue;
                };
                let from = match stmt.kind {
                    StmtKind::Assign { value, .. } if self.element_size(to).is_some() => {
                        self.root(value)
                    }
                    _ => Root::Other,
                };
                self.roots[to.index()] = self.roots[to.index()].join(from);
            }
            if self.roots == before {
                return;
            }
        }
    }

    fn root(&self, expr: ExprId) -> Root {
        match self.function.expr(expr).kind {
            ExprKind::Local(l) => match self.roots[l.index()] {
                Root::Array(i) => Root::Array(self.base[i]),
                other => other,
            },
            ExprKind::PtrAdd { base, index, scale } => match self.root(base) {
                Root::Array(i) if self.step(i, index, scale).is_none() => Root::Other,
                root => root,
            },
            ExprKind::Select {
                then, otherwise, ..
            } => self.root(then).join(self.root(otherwise)),
            _ => Root::Other,
        }
    }

    /// By how many elements of the array of a parameter something moves.
    fn step(&self, array: usize, index: ExprId, scale: u64) -> Option<Step> {
        let size = self.element_size(self.function.params[array])?;
        if scale == size {
            return Some(Step::By(index));
        }
        let e = self.function.expr(index);
        let (ExprKind::Const(bits), Ty::Int(width @ 1..=64)) = (&e.kind, e.ty) else {
            return None;
        };
        let shift = 128 - u32::from(width);
        let number = ((*bits << shift) as i128) >> shift;
        let bytes = number.checked_mul(i128::from(scale))?;
        let n = i64::try_from(bytes / i128::from(size)).ok()?;
        (bytes % i128::from(size) == 0).then_some(Step::Const(n))
    }

    /// Parameters that are compared with each other point into one array, unless some number says how long their
    /// arrays are: then they may be two.
    fn unite(&mut self) -> bool {
        let function = self.function;
        let mut is_changed = false;
        for e in &function.exprs {
            let ExprKind::Binary(op, left, right) = e.kind else {
                continue;
            };
            if !matches!(
                op,
                BinaryOp::Eq | BinaryOp::Ne | BinaryOp::ULt | BinaryOp::ULe | BinaryOp::PtrDiff
            ) {
                continue;
            }
            let (Root::Array(a), Root::Array(b)) = (self.root(left), self.root(right)) else {
                continue;
            };
            let has_length =
                |i: usize| !crate::shapes::bounds(function, function.params[i]).is_empty();
            let ty = |i: usize| function.local(function.params[i]).ty;
            if a == b || ty(a) != ty(b) || has_length(a) || has_length(b) {
                continue;
            }
            let (first, other) = (a.min(b), a.max(b));
            for base in &mut self.base {
                if *base == other {
                    *base = first;
                }
            }
            is_changed = true;
        }
        if is_changed {
            for (i, &p) in function.params.iter().enumerate() {
                if let Root::Array(_) | Root::Other = self.roots[p.index()]
                    && self.base[i] != i
                {
                    self.roots[p.index()] = Root::Array(self.base[i]);
                }
            }
            // What came from two of them was said to come from something else.
            for (l, local) in function.locals.iter().enumerate() {
                if local.kind != LocalKind::Parameter {
                    self.roots[l] = Root::Open;
                }
            }
            for (i, &p) in function.params.iter().enumerate() {
                if self.element_size(p).is_some() {
                    self.roots[p.index()] = Root::Array(self.base[i]);
                }
            }
        }
        is_changed
    }

    /// The function that counts.
    fn rewrite(&self, types: &mut Types) -> Option<Function> {
        let mut new = self.function.clone();
        let long = types.int(IntKind::Long);
        let wide = types.scalar(long)?;
        let name = |l: LocalId| self.function.local(l).name.clone();
        // The register that says how far a pointer was moved.
        let mut counts: Vec<Option<LocalId>> = vec![None; self.function.locals.len()];
        let mut first: Vec<LocalId> = Vec::new();
        for (l, root) in self.roots.iter().enumerate() {
            let local = LocalId::new(l);
            let Root::Array(of) = *root else {
                continue;
            };
            let base = self.function.params[self.base[of]];
            let distance = format!("{}{MINUS}{}", name(local), name(base));
            let info = self.function.local(local);
            let is_parameter = info.kind == LocalKind::Parameter;
            if is_parameter && local == base && !self.modified[l] {
                continue;
            }
            let counter = Local {
                name: distance,
                ty: long,
                kind: match info.kind {
                    LocalKind::Parameter if local == base => LocalKind::Variable,
                    kind => kind,
                },
                storage: LocalStorage::Register(wide),
                ..info.clone()
            };
            if is_parameter && local != base {
                // It takes the place of the pointer.
                new.locals[l] = counter;
                counts[l] = Some(local);
                continue;
            }
            new.locals.push(counter);
            let id = LocalId::new(new.locals.len() - 1);
            counts[l] = Some(id);
            if local == base {
                first.push(id);
            }
        }
        let mut rewriter = Rewriter {
            walk: self,
            new,
            counts,
            wide,
        };
        rewriter.expressions();
        rewriter.statements();
        let mut new = rewriter.new;
        for id in first {
            let span = new.span;
            new.exprs.push(Expr {
                kind: ExprKind::Const(0),
                ty: wide,
                span,
            });
            let value = ExprId::new(new.exprs.len() - 1);
            let kind = StmtKind::Assign {
                place: Place::Local(id),
                value,
            };
            new.blocks[0].stmts.insert(0, Stmt { kind, span });
        }
        self.result(&mut new, types, long, wide);
        let CType::Function(old) = types.get(new.ty).clone() else {
            return None;
        };
        in_order(&mut new);
        let params = new.params.iter().map(|&p| new.local(p).ty).collect();
        new.ty = types.intern(CType::Function(FunctionType {
            params,
            prototype: true,
            ..old
        }));
        Some(new)
    }

    /// Returns a distance, if every value that is returned is a pointer into one array.
    fn result(&self, new: &mut Function, types: &mut Types, long: idiolect_ir::TypeId, wide: Ty) {
        let returned: Vec<(BlockId, ExprId)> = (self.function.block_ids())
            .filter_map(|b| match self.function.block(b).terminator.kind {
                TerminatorKind::Return(Some(value)) => Some((b, value)),
                _ => None,
            })
            .collect();
        let root = returned
            .iter()
            .fold(Root::Open, |r, (_, v)| r.join(self.root(*v)));
        let (Root::Array(of), CType::Function(old)) = (root, types.get(new.ty).clone()) else {
            return;
        };
        let base = self.function.params[self.base[of]];
        let name = format!("{RESULT}{}", self.function.local(base).name);
        let span = new.span;
        // It only keeps the name.
        new.locals.push(Local {
            name,
            ty: long,
            kind: LocalKind::Temporary,
            storage: LocalStorage::Register(wide),
            span,
            scope: span,
        });
        // The expressions were rewritten in place: a pointer is `base + count`.
        for (b, value) in returned {
            let count = match new.expr(value).kind {
                ExprKind::PtrAdd {
                    base: at, index, ..
                } if new.expr(at).kind == ExprKind::Local(base) => index,
                _ => {
                    let size = self.element_size(base).unwrap_or(1);
                    let mut expr = |kind, ty| {
                        new.exprs.push(Expr { kind, ty, span });
                        ExprId::new(new.exprs.len() - 1)
                    };
                    let at = expr(ExprKind::Local(base), Ty::Ptr);
                    let bytes = expr(ExprKind::Binary(BinaryOp::PtrDiff, value, at), wide);
                    let size = expr(ExprKind::Const(u128::from(size)), wide);
                    expr(ExprKind::Binary(BinaryOp::SDiv, bytes, size), wide)
                }
            };
            new.blocks[b.index()].terminator.kind = TerminatorKind::Return(Some(count));
        }
        new.ret = Some(wide);
        new.ty = types.intern(CType::Function(FunctionType { ret: long, ..old }));
    }
}

/// Puts operands before what they are operands of.
fn in_order(function: &mut Function) {
    let old = std::mem::take(&mut function.exprs);
    let mut places: Vec<Option<ExprId>> = vec![None; old.len()];
    for e in 0..old.len() {
        emit(ExprId::new(e), &old, &mut places, &mut function.exprs);
    }
    let place = |e: &mut ExprId| *e = places[e.index()].unwrap_or(*e);
    for block in &mut function.blocks {
        for stmt in &mut block.stmts {
            stmt.kind.for_each_expr_mut(place);
        }
        match &mut block.terminator.kind {
            TerminatorKind::Branch { condition, .. } => place(condition),
            TerminatorKind::Return(Some(value)) => place(value),
            TerminatorKind::Exit(status) => place(status),
            _ => {}
        }
    }
}

fn emit(e: ExprId, old: &[Expr], places: &mut [Option<ExprId>], new: &mut Vec<Expr>) -> ExprId {
    if let Some(place) = places[e.index()] {
        return place;
    }
    let mut expr = old[e.index()].clone();
    (expr.kind).for_each_operand_mut(|operand| *operand = emit(*operand, old, places, new));
    new.push(expr);
    let place = ExprId::new(new.len() - 1);
    places[e.index()] = Some(place);
    place
}

struct Rewriter<'w, 'a> {
    walk: &'w Walk<'a>,
    new: Function,
    counts: Vec<Option<LocalId>>,
    wide: Ty,
}

impl Rewriter<'_, '_> {
    fn push(&mut self, kind: ExprKind, ty: Ty) -> ExprId {
        let span = self.new.span;
        self.new.exprs.push(Expr { kind, ty, span });
        ExprId::new(self.new.exprs.len() - 1)
    }

    /// How far a pointer of the original is from the start of its array.
    fn count(&mut self, expr: ExprId) -> Option<ExprId> {
        let wide = self.wide;
        match self.walk.function.expr(expr).kind {
            ExprKind::Local(l) => Some(match self.counts[l.index()] {
                Some(count) => self.push(ExprKind::Local(count), wide),
                None => self.push(ExprKind::Const(0), wide),
            }),
            ExprKind::PtrAdd { base, index, scale } => {
                let Root::Array(of) = self.walk.root(base) else {
                    return None;
                };
                let index = match self.walk.step(of, index, scale)? {
                    Step::By(index) => index,
                    Step::Const(n) => {
                        let width = wide.int_width().unwrap_or(64);
                        let bits = n as i128 as u128 & ((1u128 << width) - 1);
                        self.push(ExprKind::Const(bits), wide)
                    }
                };
                let base = self.count(base)?;
                if self.new.expr(base).kind == ExprKind::Const(0) {
                    return Some(index);
                }
                let add = BinaryOp::Add { signed: false };
                Some(self.push(ExprKind::Binary(add, base, index), wide))
            }
            ExprKind::Select {
                condition,
                then,
                otherwise,
            } => {
                let (then, otherwise) = (self.count(then)?, self.count(otherwise)?);
                let kind = ExprKind::Select {
                    condition,
                    then,
                    otherwise,
                };
                Some(self.push(kind, wide))
            }
            _ => None,
        }
    }

    fn array(&self, expr: ExprId) -> Option<LocalId> {
        match self.walk.root(expr) {
            Root::Array(of) => Some(self.walk.function.params[self.walk.base[of]]),
            _ => None,
        }
    }

    /// Comparisons and differences are of distances, and every other use is of `array + distance`.
    fn expressions(&mut self) {
        for e in 0..self.walk.function.exprs.len() {
            let id = ExprId::new(e);
            match self.walk.function.exprs[e].kind {
                ExprKind::Binary(op, left, right) => {
                    let (a, b) = (self.array(left), self.array(right));
                    if a.is_some() && a == b {
                        self.compare(id, op, left, right);
                    } else if matches!(op, BinaryOp::SDiv) {
                        self.divide(id, left, right);
                    }
                }
                ExprKind::Local(l) => {
                    if let (Some(count), Some(array)) = (self.counts[l.index()], self.array(id)) {
                        let size = self.walk.element_size(array).unwrap_or(1);
                        let base = self.push(ExprKind::Local(array), Ty::Ptr);
                        let index = self.push(ExprKind::Local(count), self.wide);
                        self.new.exprs[e].kind = ExprKind::PtrAdd {
                            base,
                            index,
                            scale: size,
                        };
                    }
                }
                ExprKind::PtrAdd { base, .. } => {
                    // `p + 1` with a `p` that moves: one addition of counts.
                    let moves = !matches!(self.walk.function.expr(base).kind,
                        ExprKind::Local(l) if self.counts[l.index()].is_none());
                    if let (true, Some(array)) = (moves, self.array(id))
                        && let Some(index) = self.count(id)
                    {
                        let scale = self.walk.element_size(array).unwrap_or(1);
                        let base = self.push(ExprKind::Local(array), Ty::Ptr);
                        self.new.exprs[e].kind = ExprKind::PtrAdd { base, index, scale };
                    }
                }
                _ => {}
            }
        }
    }

    fn compare(&mut self, id: ExprId, op: BinaryOp, left: ExprId, right: ExprId) {
        let (Some(left_count), Some(right_count)) = (self.count(left), self.count(right)) else {
            return;
        };
        let op = match op {
            BinaryOp::ULt => BinaryOp::SLt,
            BinaryOp::ULe => BinaryOp::SLe,
            BinaryOp::Eq | BinaryOp::Ne => op,
            BinaryOp::PtrDiff => {
                let array = self.array(left);
                let size = array.and_then(|a| self.walk.element_size(a)).unwrap_or(1);
                let sub = BinaryOp::Sub { signed: false };
                let wide = self.wide;
                let kind = ExprKind::Binary(sub, left_count, right_count);
                if size == 1 {
                    self.new.exprs[id.index()].kind = kind;
                    return;
                }
                let count = self.push(kind, wide);
                let size = self.push(ExprKind::Const(u128::from(size)), wide);
                let mul = BinaryOp::Mul { signed: false };
                self.new.exprs[id.index()].kind = ExprKind::Binary(mul, count, size);
                return;
            }
            _ => return,
        };
        self.new.exprs[id.index()].kind = ExprKind::Binary(op, left_count, right_count);
    }

    /// `(p - q) / size`, as C counts elements.
    fn divide(&mut self, id: ExprId, left: ExprId, right: ExprId) {
        let old = self.walk.function;
        let ExprKind::Binary(BinaryOp::PtrDiff, p, q) = old.expr(left).kind else {
            return;
        };
        let (a, b) = (self.array(p), self.array(q));
        let size = a.and_then(|a| self.walk.element_size(a));
        let is_size = |s: u64| old.expr(right).kind == ExprKind::Const(u128::from(s));
        if a != b || !size.is_some_and(is_size) {
            return;
        }
        if let (Some(p), Some(q)) = (self.count(p), self.count(q)) {
            let sub = BinaryOp::Sub { signed: false };
            self.new.exprs[id.index()].kind = match self.new.expr(q).kind {
                ExprKind::Const(0) => self.new.expr(p).kind.clone(),
                _ => ExprKind::Binary(sub, p, q),
            };
        }
    }

    fn statements(&mut self) {
        for b in 0..self.walk.function.blocks.len() {
            for s in 0..self.walk.function.blocks[b].stmts.len() {
                let StmtKind::Assign {
                    place: Place::Local(to),
                    value,
                } = self.walk.function.blocks[b].stmts[s].kind
                else {
                    continue;
                };
                if let (Some(count), Some(value)) = (self.counts[to.index()], self.count(value)) {
                    self.new.blocks[b].stmts[s].kind = StmtKind::Assign {
                        place: Place::Local(count),
                        value,
                    };
                }
            }
        }
    }
}
