//! A program in which one execution of one statement can be told to assign another value.
//!
//! It is a copy that reads a few numbers before anything else: which site, its n-th execution, and
//! what it assigns instead. So it is compiled once, and every question is a run with other inputs.

use idiolect_base::Span;
use idiolect_ir::ctype::{DataModel, IntKind};
use idiolect_ir::{
    BinaryOp, Block, CType, Callee, ConvertOp, Expr, ExprId, ExprKind, Function, Global, GlobalId,
    InputId, InputKind, InputSite, LocalStorage, Location, Place, Program, Stmt, StmtKind,
    TerminatorKind, Ty, TypeId,
};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Values that one site can take instead of its own: the arguments of a call have one each.
pub(crate) const MAX_VALUES: usize = 4;

/// Numbers that a run draws before its own inputs: the site, the execution, which of the values are
/// replaced (by bit), and the values.
pub(crate) const N_NUMBERS: usize = 3 + MAX_VALUES;

/// Whether an input of this kind is one of these numbers.
pub(crate) fn is_number(kind: Option<&InputKind>) -> bool {
    matches!(kind, Some(InputKind::Parameter(name)) if name == "%replaced")
}

/// What is replaced.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Site {
    /// What the statement assigns.
    Assigned(Location),
    /// The arguments of the call, by position.
    Arguments(Location),
    /// The first value of a static object, or of the number at this offset in it.
    Initial(GlobalId, u64),
    /// A part of what the statement, or the end of the block, reads.
    Part(Location, ExprId),
}

/// With this bit among those that are replaced, every execution of the site is.
pub(crate) const EVERY: u32 = 62;

/// The copy, and of each site whether it could be made replaceable. Sites have numbers from 1 on. What a `const` object starts with is
/// replaceable only in a copy in which nothing says that it must not be written.
pub(crate) fn replaceable(
    program: &Program,
    sites: &[Site],
    has_constants: bool,
) -> (Program, Vec<bool>) {
    let mut copy = program.clone();
    let control = GlobalId::new(copy.globals.len());
    let ty = copy.types.int(IntKind::ULongLong);
    copy.globals.push(Global {
        name: "%replaced".to_owned(),
        ty,
        size: 8 * N_NUMBERS as u64,
        align: 8,
        bytes: Vec::new(),
        relocations: Vec::new(),
        read_only: false,
        is_unwritten: false,
        is_library: true,
        function: None,
        span: Span::NOWHERE,
    });
    let mut done = vec![false; sites.len()];
    // The last first, and of a call what comes after it first, so that the places of the others
    // stay what they are.
    let mut order: Vec<usize> = (0..sites.len()).collect();
    order.sort_by_key(|&i| match sites[i] {
        Site::Assigned(at) => (Some(Reverse(at)), 0),
        // Of nested parts the outer one first.
        Site::Part(at, part) => (Some(Reverse(at)), usize::MAX - part.index()),
        Site::Arguments(at) => (Some(Reverse(at)), 1),
        Site::Initial(..) => (None, 0),
    });
    let model = copy.types.model;
    let mut first = Vec::new();
    // Statements that were put before this one.
    let mut before: (Option<Location>, usize) = (None, 0);
    for i in order {
        let number = i as u64 + 1;
        done[i] = match sites[i] {
            Site::Initial(global, offset) => {
                let declared = &program.globals[global.index()];
                let ty = number_type(program, declared.ty);
                let start = &mut copy.functions[program.start.index()];
                let mut editor = Editor {
                    f: start,
                    control,
                    model,
                };
                let may_be = has_constants || !declared.read_only;
                match ty.filter(|ty| is_replaceable(*ty) && may_be) {
                    Some(ty) => {
                        copy.globals[global.index()].read_only = false;
                        first.extend(editor.initial((global, offset), ty, number));
                        true
                    }
                    None => false,
                }
            }
            Site::Assigned(at) | Site::Arguments(at) | Site::Part(at, _) => {
                if before.0 != Some(at) {
                    before = (Some(at), 0);
                }
                let now = Location {
                    index: at.index + before.1,
                    ..at
                };
                let f = &mut copy.functions[at.function.index()];
                let is_assign = f.blocks[at.block.index()].stmts.get(now.index);
                let is_assign = is_assign.map(|s| matches!(s.kind, StmtKind::Assign { .. }));
                let mut editor = Editor { f, control, model };
                let (done, is_before) = match sites[i] {
                    Site::Part(_, part) => (editor.part(now, part, number), true),
                    Site::Arguments(_) => (editor.arguments(now, number), true),
                    _ => (editor.assigned(now, number), is_assign == Some(true)),
                };
                before.1 += usize::from(done && is_before);
                done
            }
        };
    }
    let input = InputId::new(copy.inputs.len());
    copy.inputs.push(InputSite {
        kind: InputKind::Parameter("%replaced".to_owned()),
        ty,
        span: Span::NOWHERE,
    });
    let start = &mut copy.functions[program.start.index()];
    let mut editor = Editor {
        f: start,
        control,
        model,
    };
    let mut stmts: Vec<Stmt> = (0..N_NUMBERS)
        .map(|i| {
            let place = editor.number_place(i);
            stmt(StmtKind::Havoc { place, input })
        })
        .collect();
    stmts.extend(first);
    let block: &mut Block = &mut editor.f.blocks[0];
    stmts.append(&mut block.stmts);
    block.stmts = stmts;
    (copy, done)
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt {
        kind,
        span: Span::NOWHERE,
    }
}

/// The type of an object, or of the numbers that it is an array of.
fn number_type(program: &Program, mut ty: TypeId) -> Option<Ty> {
    while let CType::Array { element, .. } = program.types.get(ty) {
        ty = *element;
    }
    program.types.scalar(ty)
}

fn is_replaceable(ty: Ty) -> bool {
    match ty {
        Ty::Int(width) => width <= 64,
        Ty::Ptr => true,
        Ty::F32 | Ty::F64 | Ty::F80 => false,
    }
}

struct Editor<'f> {
    f: &'f mut Function,
    control: GlobalId,
    model: DataModel,
}

impl Editor<'_> {
    fn expr(&mut self, kind: ExprKind, ty: Ty) -> ExprId {
        self.f.exprs.push(Expr {
            kind,
            ty,
            span: Span::NOWHERE,
        });
        ExprId::new(self.f.exprs.len() - 1)
    }

    fn constant(&mut self, bits: u64) -> ExprId {
        self.expr(ExprKind::Const(u128::from(bits)), Ty::Int(64))
    }

    fn number_address(&mut self, i: usize) -> ExprId {
        let base = self.expr(ExprKind::GlobalAddress(self.control), Ty::Ptr);
        let width = Ty::Int(self.model.pointer_width());
        let index = self.expr(ExprKind::Const(i as u128), width);
        let scale = 8;
        self.expr(ExprKind::PtrAdd { base, index, scale }, Ty::Ptr)
    }

    fn number_place(&mut self, i: usize) -> Place {
        Place::Memory {
            address: self.number_address(i),
            ty: Ty::Int(64),
        }
    }

    fn number(&mut self, i: usize) -> ExprId {
        let address = self.number_address(i);
        self.expr(ExprKind::Load { address }, Ty::Int(64))
    }

    fn is_equal(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.expr(ExprKind::Binary(BinaryOp::Eq, a, b), Ty::BOOL)
    }

    fn is_site(&mut self, number: u64) -> ExprId {
        let (chosen, own) = (self.number(0), self.constant(number));
        self.is_equal(chosen, own)
    }

    /// One execution of the site less to wait for.
    fn count_down(&mut self, number: u64) -> Stmt {
        let condition = self.is_site(number);
        let (now, one, otherwise) = (self.number(1), self.constant(1), self.number(1));
        let signed = false;
        let then = self.expr(
            ExprKind::Binary(BinaryOp::Sub { signed }, now, one),
            Ty::Int(64),
        );
        let select = ExprKind::Select {
            condition,
            then,
            otherwise,
        };
        let value = self.expr(select, Ty::Int(64));
        let place = self.number_place(1);
        stmt(StmtKind::Assign { place, value })
    }

    /// The value, or what it is replaced by.
    fn chosen(&mut self, number: u64, position: usize, value: ExprId) -> ExprId {
        let ty = self.f.expr(value).ty;
        let is_site = self.is_site(number);
        let (left, zero) = (self.number(1), self.constant(0));
        let is_now = self.is_equal(left, zero);
        let is_own = self.has_bit(position as u32);
        let is_every = self.has_bit(EVERY);
        let is_now = self.expr(ExprKind::Or(is_now, is_every), Ty::BOOL);
        let condition = self.expr(ExprKind::And(is_site, is_now), Ty::BOOL);
        let condition = self.expr(ExprKind::And(condition, is_own), Ty::BOOL);
        let other = self.number(3 + position);
        let pointer = Ty::Int(self.model.pointer_width());
        let then = match ty {
            Ty::Int(64) => other,
            Ty::Int(1) => self.expr(ExprKind::Binary(BinaryOp::Ne, other, zero), Ty::BOOL),
            Ty::Ptr => {
                let number = match pointer {
                    Ty::Int(64) => other,
                    _ => self.expr(ExprKind::Convert(ConvertOp::Truncate, other), pointer),
                };
                self.expr(ExprKind::Convert(ConvertOp::IntToPtr, number), Ty::Ptr)
            }
            _ => self.expr(ExprKind::Convert(ConvertOp::Truncate, other), ty),
        };
        let select = ExprKind::Select {
            condition,
            then,
            otherwise: value,
        };
        self.expr(select, ty)
    }

    /// Whether this bit of what is replaced is set.
    fn has_bit(&mut self, position: u32) -> ExprId {
        let (mask, bit) = (self.number(2), self.constant(1 << position));
        let is_set = self.expr(ExprKind::Binary(BinaryOp::BitAnd, mask, bit), Ty::Int(64));
        self.is_equal(is_set, bit)
    }

    /// A part of an expression, in all that the statement or the end of the block evaluates.
    fn part(&mut self, at: Location, part: ExprId, number: u64) -> bool {
        if !is_replaceable(self.f.expr(part).ty) {
            return false;
        }
        let chosen = self.chosen(number, 0, part);
        let mut known = FxHashMap::default();
        known.insert(part, chosen);
        let block = &self.f.blocks[at.block.index()];
        let mut roots = Vec::new();
        match block.stmts.get(at.index) {
            Some(stmt) => stmt.kind.for_each_expr(|root| roots.push(root)),
            None => roots.extend(block.terminator.kind.expr()),
        }
        let new: Vec<ExprId> = roots
            .iter()
            .map(|&root| self.with_part(root, &mut known))
            .collect();
        if new == roots {
            return false;
        }
        let by_root: FxHashMap<ExprId, ExprId> = roots.into_iter().zip(new).collect();
        let count = self.count_down(number);
        let block = &mut self.f.blocks[at.block.index()];
        let replace = |id: &mut ExprId| *id = by_root.get(id).copied().unwrap_or(*id);
        match block.stmts.get_mut(at.index) {
            Some(stmt) => stmt.kind.for_each_expr_mut(replace),
            None => match &mut block.terminator.kind {
                TerminatorKind::Branch { condition, .. } => replace(condition),
                TerminatorKind::Return(Some(value)) | TerminatorKind::Exit(value) => replace(value),
                _ => {}
            },
        }
        let index = at.index.min(block.stmts.len());
        block.stmts.insert(index, count);
        true
    }

    /// The expression with what is known of its parts in their place.
    fn with_part(&mut self, id: ExprId, known: &mut FxHashMap<ExprId, ExprId>) -> ExprId {
        if let Some(&new) = known.get(&id) {
            return new;
        }
        let Expr { mut kind, ty, span } = self.f.expr(id).clone();
        let mut is_other = false;
        kind.for_each_operand_mut(|operand| {
            let new = self.with_part(*operand, known);
            is_other |= new != *operand;
            *operand = new;
        });
        let new = if is_other {
            self.f.exprs.push(Expr { kind, ty, span });
            ExprId::new(self.f.exprs.len() - 1)
        } else {
            id
        };
        known.insert(id, new);
        new
    }

    fn initial(&mut self, (global, offset): (GlobalId, u64), ty: Ty, number: u64) -> [Stmt; 2] {
        let base = self.expr(ExprKind::GlobalAddress(global), Ty::Ptr);
        let address = if offset == 0 {
            base
        } else {
            let width = Ty::Int(self.model.pointer_width());
            let index = self.expr(ExprKind::Const(u128::from(offset)), width);
            let scale = 1;
            self.expr(ExprKind::PtrAdd { base, index, scale }, Ty::Ptr)
        };
        let own = self.expr(ExprKind::Load { address }, ty);
        let count = self.count_down(number);
        let value = self.chosen(number, 0, own);
        let place = Place::Memory { address, ty };
        [count, stmt(StmtKind::Assign { place, value })]
    }

    fn stmts(&mut self, at: Location) -> &mut Vec<Stmt> {
        &mut self.f.blocks[at.block.index()].stmts
    }

    fn arguments(&mut self, at: Location, number: u64) -> bool {
        let Some(StmtKind::Call { callee, args, .. }) =
            self.stmts(at).get(at.index).map(|s| s.kind.clone())
        else {
            return false;
        };
        if matches!(callee, Callee::Builtin(_)) {
            return false;
        }
        let mut chosen = args.clone();
        for (position, arg) in chosen.iter_mut().enumerate().take(MAX_VALUES) {
            if is_replaceable(self.f.expr(*arg).ty) {
                *arg = self.chosen(number, position, *arg);
            }
        }
        let count = self.count_down(number);
        let stmts = self.stmts(at);
        if let StmtKind::Call { args, .. } = &mut stmts[at.index].kind {
            *args = chosen;
        }
        stmts.insert(at.index, count);
        true
    }

    fn assigned(&mut self, at: Location, number: u64) -> bool {
        let Some(kind) = self.stmts(at).get(at.index).map(|s| s.kind.clone()) else {
            return false;
        };
        let place = match kind {
            StmtKind::Assign { place, .. } | StmtKind::Havoc { place, .. } => place,
            StmtKind::Call {
                dest: Some(place), ..
            } => place,
            _ => return false,
        };
        let ty = match place {
            Place::Local(local) => match self.f.local(local).storage {
                LocalStorage::Register(ty) => ty,
                _ => return false,
            },
            Place::Memory { ty, .. } => ty,
            Place::Bits { width, .. } => Ty::Int(width),
        };
        if !is_replaceable(ty) {
            return false;
        }
        let count = self.count_down(number);
        if let StmtKind::Assign { value, .. } = kind {
            let value = self.chosen(number, 0, value);
            let stmts = self.stmts(at);
            stmts[at.index].kind = StmtKind::Assign { place, value };
            stmts.insert(at.index, count);
            return true;
        }
        // What was drawn or returned is there already, and is overwritten.
        let own = match place {
            Place::Local(local) => ExprKind::Local(local),
            Place::Memory { address, .. } => ExprKind::Load { address },
            Place::Bits { .. } => return false,
        };
        let own = self.expr(own, ty);
        let value = self.chosen(number, 0, own);
        let stmts = self.stmts(at);
        stmts.insert(at.index + 1, stmt(StmtKind::Assign { place, value }));
        stmts.insert(at.index + 1, count);
        true
    }
}
