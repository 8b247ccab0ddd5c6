//! Parameters that point to one record: `struct vec { int len; int *data; } *v`.
//!
//! A function that only reads and writes members of the record is looked at as one that has the members: `v->len` and
//! `v->data` are parameters, whose values may change, and an array inside of the record is a variable of its own. So
//! the length of `v->data` is found where lengths of arrays are found. What that rests on is that the record is there,
//! and that it is apart from all arrays ([`opened_names`] says of which parameters).

use crate::proof::modified;
use crate::shapes;
use idiolect_base::Span;
use idiolect_ir::ctype::{ArrayLength, CType, Field, FunctionType};
use idiolect_ir::{
    BinaryOp, Callee, Expr, ExprId, ExprKind, FuncId, Function, FunctionOrigin, Global, GlobalId,
    Local, LocalId, LocalKind, LocalStorage, Place, Program, StmtKind, Ty, TypeId, Types,
};
use idiolect_quantified::linear;
use std::collections::BTreeMap;

/// Between a parameter and its member.
const ARROW: &str = "->";

/// The parameter that a member belongs to, by name.
pub fn record_of(name: &str) -> Option<&str> {
    name.split_once(ARROW).map(|(record, _)| record)
}

/// The parameters of a function that were opened, in order.
pub fn opened_names(program: &Program, id: FuncId) -> Vec<String> {
    let function = program.function(id);
    let params = function.params.iter().map(|&p| &function.local(p).name);
    let globals = idiolect_quantified::globals::mentioned(program, id).into_iter();
    let globals = globals.map(|g| &program.global(g).name);
    let mut found: Vec<String> = Vec::new();
    for name in params.chain(globals) {
        if let Some(record) = record_of(name)
            && !found.iter().any(|n| n == record)
        {
            found.push(record.to_owned());
        }
    }
    found
}

/// The program in which the function has members for parameters, if there are such parameters.
pub fn opened(program: &Program, id: FuncId) -> Option<Program> {
    let function = program.function(id);
    let is_called = program.functions.iter().any(|f| {
        let calls = |s: &idiolect_ir::Stmt| matches!(s.kind, StmtKind::Call { callee: Callee::Function(c), .. } if c == id);
        f.origin == FunctionOrigin::User && f.blocks.iter().flat_map(|b| &b.stmts).any(calls)
    });
    // Whoever calls it passes a pointer, and would have to be looked at with it.
    if is_called {
        return None;
    }
    let modified = modified(function);
    let records: Vec<LocalId> = (function.params.iter().copied())
        .filter(|&p| !modified[p.index()])
        .filter(|&p| Opening::new(&program.types, function, p).is_some())
        .collect();
    if records.is_empty() {
        return None;
    }
    let mut program = program.clone();
    for p in records {
        let function = program.function(id).clone();
        let opening = Opening::new(&program.types, &function, p)?;
        let opened = opening.rewrite(&function, &mut program);
        program.functions[id.index()] = opened;
    }
    // The start function calls it, and nobody runs that.
    let n_params = program.function(id).params.len();
    for stmt in (program.functions.iter_mut())
        .flat_map(|f| f.blocks.iter_mut())
        .flat_map(|b| &mut b.stmts)
    {
        if let StmtKind::Call {
            callee: Callee::Function(f),
            args,
            ..
        } = &mut stmt.kind
            && *f == id
        {
            args.truncate(n_params);
        }
    }
    shapes::retype_calls(&mut program, id);
    shapes::pad_calls(&mut program, id);
    Some(program)
}

/// A member that the function uses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Member {
    /// A number or a pointer, by its position among the fields.
    Scalar(usize),
    /// An array of numbers inside of the record.
    Array(usize),
}

/// How a parameter is used.
struct Opening {
    param: LocalId,
    fields: Vec<Field>,
    /// By expression: so many bytes behind the parameter.
    offsets: Vec<Option<u64>>,
    used: Vec<Member>,
}

impl Opening {
    /// Nothing if the parameter is used for anything but its members.
    fn new(types: &Types, function: &Function, param: LocalId) -> Option<Self> {
        let local = function.local(param);
        let (CType::Pointer(to), LocalStorage::Register(Ty::Ptr)) =
            (types.get(local.ty), local.storage)
        else {
            return None;
        };
        let CType::Record(record) = *types.get(*to) else {
            return None;
        };
        let record = types.record(record);
        // Cells of lists and trees are another matter.
        if record.is_union
            || !matches!(
                linear::list_shape(types, *to),
                Err(linear::NotAList::NoPointer(_))
            )
        {
            return None;
        }
        let mut opening = Self {
            param,
            fields: record.layout.as_ref()?.fields.clone(),
            offsets: offsets(function, param),
            used: Vec::new(),
        };
        opening.look(types, function)?;
        (!opening.used.is_empty()).then_some(opening)
    }

    fn look(&mut self, types: &Types, function: &Function) -> Option<()> {
        for (i, expr) in function.exprs.iter().enumerate() {
            if self.offsets[i].is_some() {
                continue;
            }
            match expr.kind {
                ExprKind::Load { address } => {
                    if let Some(at) = self.offsets[address.index()] {
                        self.use_at(types, at, expr.ty)?;
                    }
                }
                ExprKind::PtrAdd { base, index, scale } => {
                    if let Some(at) = self.offsets[base.index()] {
                        let field = self.array_at(types, at)?;
                        let (element, _) = array(types, self.fields[field].ty)?;
                        if self.fields[field].offset != at || types.size_of(element) != Some(scale)
                        {
                            return None;
                        }
                        self.add(Member::Array(field));
                    }
                    if self.offsets[index.index()].is_some() {
                        return None;
                    }
                }
                ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, left, right) => {
                    for (one, other) in [(left, right), (right, left)] {
                        match self.offsets[one.index()] {
                            Some(0) if function.expr(other).kind == ExprKind::Const(0) => {}
                            Some(_) => return None,
                            None => {}
                        }
                    }
                }
                ref kind => {
                    let mut is_used = false;
                    kind.for_each_operand(|e| is_used |= self.offsets[e.index()].is_some());
                    if is_used {
                        return None;
                    }
                }
            }
        }
        for block in &function.blocks {
            for stmt in &block.stmts {
                if let StmtKind::Assign {
                    place: Place::Memory { address, ty },
                    value,
                } = stmt.kind
                    && let Some(at) = self.offsets[address.index()]
                    && self.offsets[value.index()].is_none()
                {
                    self.use_at(types, at, ty)?;
                    continue;
                }
                let mut is_used = false;
                (stmt.kind).for_each_expr(|e| is_used |= self.offsets[e.index()].is_some());
                if is_used {
                    return None;
                }
            }
            let last = block.terminator.kind.expr();
            if last.is_some_and(|e| self.offsets[e.index()].is_some()) {
                return None;
            }
        }
        Some(())
    }

    /// A number or pointer of this type is read or written there.
    fn use_at(&mut self, types: &Types, at: u64, ty: Ty) -> Option<()> {
        let is_it = |f: &Field| f.offset == at && f.bits.is_none() && f.name.is_some();
        let scalar = (self.fields.iter()).position(|f| is_it(f) && types.scalar(f.ty) == Some(ty));
        let member = match scalar {
            Some(field) => Member::Scalar(field),
            None => {
                let field = self.array_at(types, at)?;
                let (element, _) = array(types, self.fields[field].ty)?;
                let behind = at - self.fields[field].offset;
                let is_whole = behind.is_multiple_of(types.size_of(element)?);
                if !is_whole || types.scalar(element) != Some(ty) {
                    return None;
                }
                Member::Array(field)
            }
        };
        self.add(member);
        Some(())
    }

    /// The array of numbers that this byte is in.
    fn array_at(&self, types: &Types, at: u64) -> Option<usize> {
        self.fields.iter().position(|f| {
            let size = types.size_of(f.ty).unwrap_or(0);
            let is_inside = f.offset <= at && at < f.offset + size;
            is_inside && f.name.is_some() && array(types, f.ty).is_some()
        })
    }

    fn add(&mut self, member: Member) {
        if !self.used.contains(&member) {
            self.used.push(member);
            self.used.sort_unstable();
        }
    }

    fn rewrite(&self, function: &Function, program: &mut Program) -> Function {
        let mut new = function.clone();
        let owner = function.local(self.param).clone();
        let name = |field: &Field| {
            format!(
                "{}{ARROW}{}",
                owner.name,
                field.name.as_deref().unwrap_or("")
            )
        };
        let mut locals: BTreeMap<usize, LocalId> = BTreeMap::new();
        let mut globals: BTreeMap<usize, GlobalId> = BTreeMap::new();
        for &member in &self.used {
            match member {
                Member::Scalar(i) => {
                    let field = &self.fields[i];
                    let ty = program.types.scalar(field.ty).unwrap_or(Ty::Ptr);
                    new.locals.push(Local {
                        name: name(field),
                        ty: field.ty,
                        kind: LocalKind::Parameter,
                        storage: LocalStorage::Register(ty),
                        ..owner.clone()
                    });
                    locals.insert(i, LocalId::new(new.locals.len() - 1));
                }
                Member::Array(i) => {
                    let field = &self.fields[i];
                    program.globals.push(Global {
                        name: name(field),
                        ty: field.ty,
                        size: program.types.size_of(field.ty).unwrap_or(1),
                        align: program.types.align_of(field.ty).unwrap_or(1),
                        bytes: Vec::new(),
                        relocations: Vec::new(),
                        read_only: false,
                        is_unwritten: false,
                        is_library: false,
                        function: None,
                        span: owner.span,
                    });
                    globals.insert(i, GlobalId::new(program.globals.len() - 1));
                }
            }
        }
        self.replace(&mut new, &program.types, &locals, &globals);
        let position = new.params.iter().position(|&p| p == self.param);
        let position = position.unwrap_or(new.params.len());
        new.params
            .splice(position..=position, locals.values().copied());
        new.locals[self.param.index()].kind = LocalKind::Temporary;
        retype(&mut new, &mut program.types);
        new
    }

    fn replace(
        &self,
        new: &mut Function,
        types: &Types,
        locals: &BTreeMap<usize, LocalId>,
        globals: &BTreeMap<usize, GlobalId>,
    ) {
        let scalar = |at: u64, ty: Ty| {
            let is_it = |i: &usize| {
                self.fields[*i].offset == at && types.scalar(self.fields[*i].ty) == Some(ty)
            };
            locals.keys().find(|i| is_it(i)).map(|i| locals[i])
        };
        // What elements of arrays need stands in front of everything that is there.
        let mut front = Vec::new();
        let mut kinds: Vec<(usize, ExprKind)> = Vec::new();
        for (i, expr) in new.exprs.iter().enumerate() {
            let replaced = match expr.kind {
                ExprKind::Load { address } => (self.offsets[address.index()])
                    .and_then(|at| scalar(at, expr.ty))
                    .map(ExprKind::Local),
                ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), left, right)
                    if self.offsets[left.index()].is_some()
                        || self.offsets[right.index()].is_some() =>
                {
                    Some(ExprKind::Const(u128::from(op == BinaryOp::Ne)))
                }
                // What is left of addresses is in arrays.
                _ => (self.offsets[i])
                    .and_then(|at| self.in_array(types, globals, at, expr.span, &mut front)),
            };
            kinds.extend(replaced.map(|kind| (i, kind)));
        }
        for stmt in new.blocks.iter_mut().flat_map(|b| &mut b.stmts) {
            if let StmtKind::Assign { place, .. } = &mut stmt.kind
                && let Place::Memory { address, ty } = *place
                && let Some(at) = self.offsets[address.index()]
                && let Some(local) = scalar(at, ty)
            {
                *place = Place::Local(local);
            }
        }
        let by = front.len();
        shift(new, by);
        new.exprs.splice(0..0, front);
        for (i, kind) in kinds {
            new.exprs[i + by].kind = kind;
        }
    }

    /// An address inside of the record, as one in the variable that an array has become.
    fn in_array(
        &self,
        types: &Types,
        globals: &BTreeMap<usize, GlobalId>,
        at: u64,
        span: Span,
        front: &mut Vec<Expr>,
    ) -> Option<ExprKind> {
        let field = self.array_at(types, at)?;
        let start = ExprKind::GlobalAddress(*globals.get(&field)?);
        let behind = at - self.fields[field].offset;
        if behind == 0 {
            return Some(start);
        }
        let (element, _) = array(types, self.fields[field].ty)?;
        let scale = types.size_of(element)?;
        let mut add = |kind: ExprKind, ty: Ty| {
            front.push(Expr { kind, ty, span });
            ExprId::new(front.len() - 1)
        };
        let base = add(start, Ty::Ptr);
        let word = Ty::Int(types.model.pointer_width());
        let index = add(ExprKind::Const((behind / scale).into()), word);
        Some(ExprKind::PtrAdd { base, index, scale })
    }
}

/// Makes room for so many expressions in front.
fn shift(function: &mut Function, by: usize) {
    let later = |e: &mut ExprId| *e = ExprId::new(e.index() + by);
    for expr in &mut function.exprs {
        expr.kind.for_each_operand_mut(later);
    }
    for block in &mut function.blocks {
        for stmt in &mut block.stmts {
            stmt.kind.for_each_expr_mut(later);
        }
        if let Some(e) = block.terminator.kind.expr_mut() {
            later(e);
        }
    }
}

/// By expression: how many bytes it is behind a parameter, if it is an address inside of what that points to.
fn offsets(function: &Function, param: LocalId) -> Vec<Option<u64>> {
    let mut found: Vec<Option<u64>> = vec![None; function.exprs.len()];
    for (i, expr) in function.exprs.iter().enumerate() {
        found[i] = match expr.kind {
            ExprKind::Local(l) if l == param => Some(0),
            ExprKind::PtrAdd { base, index, scale } if base.index() < i => {
                match (found[base.index()], &function.expr(index).kind) {
                    (Some(at), &ExprKind::Const(n)) => {
                        let n = u64::try_from(n).ok().and_then(|n| n.checked_mul(scale));
                        n.and_then(|n| at.checked_add(n)).filter(|&at| at < 1 << 20)
                    }
                    _ => None,
                }
            }
            _ => None,
        };
    }
    found
}

/// The elements of an array of numbers, and how many there are.
fn array(types: &Types, ty: TypeId) -> Option<(TypeId, u64)> {
    match *types.get(ty) {
        CType::Array {
            element,
            length: ArrayLength::Known(n),
        } => linear::integer(types, element).map(|_| (element, n)),
        _ => None,
    }
}

/// The function's type says what its parameters are.
fn retype(function: &mut Function, types: &mut Types) {
    if let CType::Function(old) = types.get(function.ty).clone() {
        let params = function.params.iter().map(|&p| function.local(p).ty);
        function.ty = types.intern(CType::Function(FunctionType {
            params: params.collect(),
            prototype: true,
            ..old
        }));
    }
}
