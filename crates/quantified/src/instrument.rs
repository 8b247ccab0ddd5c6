//! A copy of the program with a mark at each point, so that a run stops by there and nowhere else.
//!
//! Beside the marks the copy has a few more locals: what parameters were at entry, and what a
//! `return` returns. Blocks keep their numbers, except that block 0 becomes one that goes to the
//! old one: a function whose first block is the head of a loop is entered once all the same.

use crate::point::{Binding, Point, PointKind};
use idiolect_ir::{
    Block, BlockId, CType, Expr, ExprId, ExprKind, FuncId, Function, Local, LocalId, LocalKind,
    LocalStorage, Mark, MarkId, MarkKind, Place, Program, Stmt, StmtKind, Terminator,
    TerminatorKind, Ty,
};

/// Where a snapshot finds the value of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueSource {
    Register(LocalId),
    /// A local that lives in memory.
    Address(LocalId),
    /// What lies where a register points to.
    Behind(LocalId),
    Global(idiolect_ir::GlobalId),
}

/// The program that is run, and how its marks and locals correspond to points.
#[derive(Clone, Debug)]
pub struct Instrumented {
    pub program: Program,
    /// The first mark of ours; the mark of point `p` is this plus `p`.
    pub first_mark: usize,
    /// For each point and each of its variables.
    pub sources: Vec<Vec<ValueSource>>,
}

impl Instrumented {
    pub fn new(program: &Program, points: &[Point]) -> Self {
        let mut copy = program.clone();
        let first_mark = copy.marks.len();
        for (i, point) in points.iter().enumerate() {
            copy.marks.push(Mark {
                kind: MarkKind::User,
                name: format!("point {i}"),
                span: point.span,
            });
        }
        let mut sources = vec![Vec::new(); points.len()];
        let mut functions: Vec<FuncId> = points.iter().map(|p| p.function).collect();
        functions.sort_unstable();
        functions.dedup();
        for id in functions {
            let mut editor = Editor {
                function: copy.functions[id.index()].clone(),
                at_entry: Vec::new(),
                result: None,
            };
            for (i, point) in points.iter().enumerate() {
                if point.function == id {
                    sources[i] = editor.sources(&copy, point);
                }
            }
            editor.marks(points, id, first_mark);
            copy.functions[id.index()] = editor.function;
        }
        Instrumented {
            program: copy,
            first_mark,
            sources,
        }
    }
}

struct Editor {
    function: Function,
    /// Parameters and the locals that keep their first values.
    at_entry: Vec<(LocalId, LocalId)>,
    result: Option<LocalId>,
}

impl Editor {
    fn sources(&mut self, program: &Program, point: &Point) -> Vec<ValueSource> {
        let of = |editor: &mut Self, binding: Binding| match binding {
            Binding::Global(global) => ValueSource::Global(global),
            Binding::Local(local) => match editor.function.local(local).storage {
                LocalStorage::Register(_) => ValueSource::Register(local),
                _ => ValueSource::Address(local),
            },
            Binding::AtEntry(local) => ValueSource::Register(editor.ghost(local)),
            Binding::Behind(local) => ValueSource::Behind(local),
            Binding::BehindEntry(local) => ValueSource::Behind(editor.ghost(local)),
            Binding::Result => ValueSource::Register(editor.result(program)),
        };
        let bindings: Vec<Binding> = point.variables.iter().map(|v| v.binding).collect();
        bindings.into_iter().map(|b| of(self, b)).collect()
    }

    /// The local that keeps what a parameter was at entry.
    fn ghost(&mut self, parameter: LocalId) -> LocalId {
        if let Some(&(_, ghost)) = self.at_entry.iter().find(|(p, _)| *p == parameter) {
            return ghost;
        }
        let mut local = self.function.local(parameter).clone();
        local.name = format!("%entry.{}", local.name);
        local.kind = LocalKind::Temporary;
        let ghost = self.add(local);
        self.at_entry.push((parameter, ghost));
        ghost
    }

    fn result(&mut self, program: &Program) -> LocalId {
        if let Some(result) = self.result {
            return result;
        }
        let ret = match program.types.get(self.function.ty) {
            CType::Function(f) => f.ret,
            _ => self.function.ty,
        };
        let result = self.add(Local {
            name: "%result".to_owned(),
            ty: ret,
            kind: LocalKind::Temporary,
            storage: LocalStorage::Register(self.function.ret.unwrap_or(Ty::Int(32))),
            span: self.function.span,
            scope: self.function.span,
        });
        self.result = Some(result);
        result
    }

    fn add(&mut self, local: Local) -> LocalId {
        self.function.locals.push(local);
        LocalId::new(self.function.locals.len() - 1)
    }

    fn marks(&mut self, points: &[Point], id: FuncId, first_mark: usize) {
        let span = self.function.span;
        let mark = |point: usize| Stmt {
            kind: StmtKind::Mark {
                mark: MarkId::new(first_mark + point),
                condition: None,
            },
            span,
        };
        let mut entry = Vec::new();
        for (parameter, ghost) in self.at_entry.clone() {
            entry.push(self.copy(parameter, ghost));
        }
        for (i, point) in points.iter().enumerate().filter(|(_, p)| p.function == id) {
            match point.kind {
                PointKind::Entry => entry.push(mark(i)),
                PointKind::Loop => {
                    let block = &mut self.function.blocks[point.block.index()];
                    block.stmts.insert(0, mark(i));
                }
                PointKind::Exit => self.at_exits(&mark(i)),
            }
        }
        self.enter_by(entry);
    }

    fn copy(&mut self, from: LocalId, to: LocalId) -> Stmt {
        let span = self.function.span;
        let ty = match self.function.local(from).storage {
            LocalStorage::Register(ty) => ty,
            _ => Ty::Ptr,
        };
        let value = self.expr(ExprKind::Local(from), ty);
        Stmt {
            kind: StmtKind::Assign {
                place: Place::Local(to),
                value,
            },
            span,
        }
    }

    fn expr(&mut self, kind: ExprKind, ty: Ty) -> ExprId {
        let span = self.function.span;
        self.function.exprs.push(Expr { kind, ty, span });
        ExprId::new(self.function.exprs.len() - 1)
    }

    fn at_exits(&mut self, mark: &Stmt) {
        for b in 0..self.function.blocks.len() {
            let TerminatorKind::Return(value) = self.function.blocks[b].terminator.kind else {
                continue;
            };
            if let (Some(value), Some(result)) = (value, self.result) {
                let ty = self.function.expr(value).ty;
                let read = self.expr(ExprKind::Local(result), ty);
                let block = &mut self.function.blocks[b];
                block.stmts.push(Stmt {
                    kind: StmtKind::Assign {
                        place: Place::Local(result),
                        value,
                    },
                    span: block.terminator.span,
                });
                block.terminator.kind = TerminatorKind::Return(Some(read));
            }
            self.function.blocks[b].stmts.push(mark.clone());
        }
    }

    /// Makes these statements the new first block.
    fn enter_by(&mut self, stmts: Vec<Stmt>) {
        if stmts.is_empty() {
            return;
        }
        let moved = BlockId::new(self.function.blocks.len());
        let first = Block {
            stmts,
            terminator: Terminator {
                kind: TerminatorKind::Goto(moved),
                span: self.function.span,
            },
        };
        let old = std::mem::replace(&mut self.function.blocks[0], first);
        self.function.blocks.push(old);
        let redirect = |to: &mut BlockId| {
            if *to == Function::ENTRY {
                *to = moved;
            }
        };
        for block in &mut self.function.blocks {
            match &mut block.terminator.kind {
                TerminatorKind::Goto(to) => redirect(to),
                TerminatorKind::Branch {
                    then, otherwise, ..
                } => {
                    redirect(then);
                    redirect(otherwise);
                }
                _ => {}
            }
        }
    }
}
