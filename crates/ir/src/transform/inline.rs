//! `main` with the functions that it calls written out.
//!
//! A program that runs by itself mostly has its loops in `main` and in functions that are called once,
//! with arrays of `main` as their arguments. Written out, these are loops like any other, and nobody
//! has to find out what the lengths of parameters are. What is written out takes the place of the call
//! in the text: an assertion in a function without loops is named by the line that calls it.
//!
//! Functions that call themselves stay calls, and so do library functions.

use crate::transform::reads_memory;
use crate::{
    Block, BlockId, CType, Callee, Expr, ExprId, ExprKind, FuncId, Function, FunctionOrigin, Local,
    LocalId, LocalKind, LocalStorage, Place, Program, Stmt, StmtKind, Terminator, TerminatorKind,
    Ty,
};

/// Functions do not grow beyond so many blocks.
const MAX_BLOCKS: usize = 2_000;

/// Writes out what a function without parameters calls. Its blocks keep their numbers, and what is
/// written out comes behind them.
pub fn inline(program: &mut Program, id: FuncId) {
    let mut function = program.functions[id.index()].clone();
    let may_be_inlined: Vec<bool> = (program.function_ids())
        .map(|callee| callee != id && is_simple(program, callee) && !calls_itself(program, callee))
        .collect();
    let mut block = 0;
    while block < function.blocks.len() {
        let is_wanted = |kind: &StmtKind| match kind {
            StmtKind::Call {
                dest,
                callee: Callee::Function(callee),
                args,
            } => {
                may_be_inlined[callee.index()]
                    && args.len() == program.function(*callee).params.len()
                    && match *dest {
                        None | Some(Place::Local(_)) => true,
                        Some(Place::Memory { address, .. }) => !reads_memory(&function, address),
                        Some(Place::Bits { .. }) => false,
                    }
            }
            _ => false,
        };
        let stmts = &function.blocks[block].stmts;
        if function.blocks.len() < MAX_BLOCKS
            && let Some(at) = stmts.iter().position(|s| is_wanted(&s.kind))
        {
            write_out(program, &mut function, BlockId::new(block), at);
        }
        block += 1;
    }
    program.functions[id.index()] = function;
}

/// A function of the user whose locals can be those of another one. All are registers: an object
/// would live on when the function has returned, and a pointer to it would be none to freed memory.
fn is_simple(program: &Program, id: FuncId) -> bool {
    let function = program.function(id);
    let is_register = |l: &Local| matches!(l.storage, LocalStorage::Register(_));
    function.origin == FunctionOrigin::User
        && !function.variadic
        && !function.blocks.is_empty()
        && function.locals.iter().all(is_register)
        && matches!(program.types.get(function.ty), CType::Function(_))
}

fn is_modified(function: &Function, local: LocalId) -> bool {
    let mut stmts = function.blocks.iter().flat_map(|b| &b.stmts);
    stmts.any(|s| match s.kind {
        StmtKind::Assign { place, .. } | StmtKind::Havoc { place, .. } => {
            place == Place::Local(local)
        }
        StmtKind::Call { dest, .. } => dest == Some(Place::Local(local)),
        _ => false,
    })
}

fn calls_itself(program: &Program, id: FuncId) -> bool {
    let mut seen = vec![false; program.functions.len()];
    let mut open = vec![id];
    while let Some(next) = open.pop() {
        for stmt in program.function(next).blocks.iter().flat_map(|b| &b.stmts) {
            match stmt.kind {
                StmtKind::Call {
                    callee: Callee::Function(callee),
                    ..
                } => {
                    if callee == id {
                        return true;
                    }
                    if !std::mem::replace(&mut seen[callee.index()], true) {
                        open.push(callee);
                    }
                }
                StmtKind::Call {
                    callee: Callee::Pointer { .. },
                    ..
                } => return true,
                _ => {}
            }
        }
    }
    false
}

/// Replaces a call by the code of what it calls.
fn write_out(program: &Program, function: &mut Function, block: BlockId, at: usize) {
    let here = &mut function.blocks[block.index()];
    let rest = here.stmts.split_off(at + 1);
    let Some(Stmt {
        kind:
            StmtKind::Call {
                dest,
                callee: Callee::Function(callee),
                args,
            },
        span,
    }) = here.stmts.pop()
    else {
        return;
    };
    let code = program.function(callee);
    let first = function.blocks.len();
    let after = BlockId::new(first + code.blocks.len());
    let goto = |to: BlockId| Terminator {
        kind: TerminatorKind::Goto(to),
        span,
    };
    let here = &mut function.blocks[block.index()];
    let end = std::mem::replace(&mut here.terminator, goto(BlockId::new(first)));
    let copy = Copier {
        n_locals: function.locals.len(),
        n_exprs: function.exprs.len(),
        n_blocks: first,
    };
    // A parameter that stays an address or a constant is one. One that stays a pointer of the caller is that: what is
    // called does not know the caller's registers.
    let stays = |param: LocalId, arg: ExprId| {
        let arg = function.expr(arg);
        let kind = &arg.kind;
        let is_fixed = match kind {
            ExprKind::LocalAddress(_) | ExprKind::GlobalAddress(_) | ExprKind::Const(_) => true,
            ExprKind::Local(_) => arg.ty == Ty::Ptr,
            _ => false,
        };
        (is_fixed && !is_modified(code, param)).then(|| kind.clone())
    };
    let fixed: Vec<(LocalId, ExprKind)> = (code.params.iter().zip(&args))
        .filter_map(|(&p, &a)| Some((p, stays(p, a)?)))
        .collect();
    for expr in &code.exprs {
        let known = match expr.kind {
            ExprKind::Local(l) => fixed.iter().find(|f| f.0 == l),
            _ => None,
        };
        let kind = match known {
            Some((_, kind)) => kind.clone(),
            None => copy.expr_kind(&expr.kind),
        };
        function.exprs.push(Expr {
            kind,
            ty: expr.ty,
            span,
        });
    }
    for (&param, &arg) in code.params.iter().zip(&args) {
        if !fixed.iter().any(|f| f.0 == param) {
            function.blocks[block.index()].stmts.push(Stmt {
                kind: StmtKind::Assign {
                    place: Place::Local(copy.local(param)),
                    value: arg,
                },
                span,
            });
        }
    }
    for local in &code.locals {
        let is_parameter = local.kind == LocalKind::Parameter;
        function.locals.push(Local {
            kind: if is_parameter {
                LocalKind::Variable
            } else {
                local.kind
            },
            span,
            scope: span,
            ..local.clone()
        });
    }
    for old in &code.blocks {
        let mut stmts: Vec<Stmt> = (old.stmts.iter())
            .map(|s| Stmt {
                kind: copy.stmt(&s.kind),
                span,
            })
            .collect();
        let kind = match &old.terminator.kind {
            TerminatorKind::Return(value) => {
                if let (Some(place), Some(value)) = (dest, value) {
                    stmts.push(Stmt {
                        kind: StmtKind::Assign {
                            place,
                            value: copy.expr(*value),
                        },
                        span,
                    });
                }
                TerminatorKind::Goto(after)
            }
            other => copy.terminator(other),
        };
        function.blocks.push(Block {
            stmts,
            terminator: Terminator { kind, span },
        });
    }
    function.blocks.push(Block {
        stmts: rest,
        terminator: end,
    });
}

/// Gives what is copied new numbers.
struct Copier {
    n_locals: usize,
    n_exprs: usize,
    n_blocks: usize,
}

impl Copier {
    fn local(&self, id: LocalId) -> LocalId {
        LocalId::new(self.n_locals + id.index())
    }

    fn expr(&self, id: ExprId) -> ExprId {
        ExprId::new(self.n_exprs + id.index())
    }

    fn block(&self, id: BlockId) -> BlockId {
        BlockId::new(self.n_blocks + id.index())
    }

    fn expr_kind(&self, kind: &ExprKind) -> ExprKind {
        let e = |id: &ExprId| self.expr(*id);
        match kind {
            ExprKind::Const(_) | ExprKind::GlobalAddress(_) | ExprKind::FunctionAddress(_) => {
                kind.clone()
            }
            ExprKind::Local(l) => ExprKind::Local(self.local(*l)),
            ExprKind::LocalAddress(l) => ExprKind::LocalAddress(self.local(*l)),
            ExprKind::Load { address } => ExprKind::Load {
                address: e(address),
            },
            ExprKind::Unary(op, a) => ExprKind::Unary(*op, e(a)),
            ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, e(a), e(b)),
            ExprKind::Convert(op, a) => ExprKind::Convert(*op, e(a)),
            ExprKind::And(a, b) => ExprKind::And(e(a), e(b)),
            ExprKind::Or(a, b) => ExprKind::Or(e(a), e(b)),
            ExprKind::Select {
                condition,
                then,
                otherwise,
            } => ExprKind::Select {
                condition: e(condition),
                then: e(then),
                otherwise: e(otherwise),
            },
            ExprKind::PtrAdd { base, index, scale } => ExprKind::PtrAdd {
                base: e(base),
                index: e(index),
                scale: *scale,
            },
        }
    }

    fn place(&self, place: Place) -> Place {
        match place {
            Place::Local(l) => Place::Local(self.local(l)),
            Place::Memory { address, ty } => Place::Memory {
                address: self.expr(address),
                ty,
            },
            Place::Bits {
                address,
                unit,
                offset,
                width,
            } => Place::Bits {
                address: self.expr(address),
                unit,
                offset,
                width,
            },
        }
    }

    fn stmt(&self, kind: &StmtKind) -> StmtKind {
        match kind {
            StmtKind::Assign { place, value } => StmtKind::Assign {
                place: self.place(*place),
                value: self.expr(*value),
            },
            StmtKind::Havoc { place, input } => StmtKind::Havoc {
                place: self.place(*place),
                input: *input,
            },
            StmtKind::Assume { condition } => StmtKind::Assume {
                condition: self.expr(*condition),
            },
            StmtKind::Copy { to, from, size } => StmtKind::Copy {
                to: self.expr(*to),
                from: self.expr(*from),
                size: *size,
            },
            StmtKind::Zero { to, size } => StmtKind::Zero {
                to: self.expr(*to),
                size: *size,
            },
            StmtKind::Declare { local, size } => StmtKind::Declare {
                local: self.local(*local),
                size: size.map(|s| self.expr(s)),
            },
            StmtKind::End { local } => StmtKind::End {
                local: self.local(*local),
            },
            StmtKind::Call { dest, callee, args } => StmtKind::Call {
                dest: dest.map(|d| self.place(d)),
                callee: match *callee {
                    Callee::Pointer { target, ty } => Callee::Pointer {
                        target: self.expr(target),
                        ty,
                    },
                    other => other,
                },
                args: args.iter().map(|&a| self.expr(a)).collect(),
            },
            StmtKind::Mark { mark, condition } => StmtKind::Mark {
                mark: *mark,
                condition: condition.map(|c| self.expr(c)),
            },
        }
    }

    fn terminator(&self, kind: &TerminatorKind) -> TerminatorKind {
        let mut kind = kind.clone();
        match &mut kind {
            TerminatorKind::Goto(to) => *to = self.block(*to),
            TerminatorKind::Branch {
                condition,
                then,
                otherwise,
            } => {
                *condition = self.expr(*condition);
                *then = self.block(*then);
                *otherwise = self.block(*otherwise);
            }
            TerminatorKind::Return(value) => *value = value.map(|v| self.expr(v)),
            TerminatorKind::Exit(status) => *status = self.expr(*status),
            _ => {}
        }
        kind
    }
}
