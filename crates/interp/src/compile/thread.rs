//! Threads: what they ask for, and where others may take over.

use super::FunctionCompiler;
use crate::code::{EffectCode, Instr, Reg, Slot, ThreadOp};
use idiolect_ir::{
    Builtin, Callee, ExprId, ExprKind, Function, FunctionOrigin, HostCall, Place, Program, Stmt,
    StmtKind,
};

/// Whether a program may start threads.
pub(crate) fn has_threads(program: &Program) -> bool {
    let create = Callee::Builtin(Builtin::Host(HostCall::ThreadCreate));
    let mut blocks = program.functions.iter().flat_map(|f| &f.blocks);
    blocks.any(|block| {
        let mut stmts = block.stmts.iter();
        stmts.any(|s| matches!(&s.kind, StmtKind::Call { callee, .. } if *callee == create))
    })
}

/// Whether memory is read for a value.
pub(super) fn reads(function: &Function, at: ExprId) -> bool {
    let mut open = vec![at];
    while let Some(at) = open.pop() {
        match function.expr(at).kind {
            ExprKind::Load { .. } => return true,
            ExprKind::Unary(_, a) | ExprKind::Convert(_, a) => open.push(a),
            ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                open.extend([a, b]);
            }
            ExprKind::Select {
                condition,
                then,
                otherwise,
            } => open.extend([condition, then, otherwise]),
            ExprKind::PtrAdd { base, index, .. } => open.extend([base, index]),
            _ => {}
        }
    }
    false
}

impl FunctionCompiler<'_> {
    /// Functions of the library are never interrupted.
    pub(super) fn may_yield(&self) -> bool {
        self.hooks.threads && self.function.origin == FunctionOrigin::User
    }

    pub(super) fn uses_memory(&self, stmt: &Stmt) -> bool {
        let is_memory = |place: &Place| !matches!(place, Place::Local(_));
        match &stmt.kind {
            StmtKind::Assign { place, value } => is_memory(place) || reads(self.function, *value),
            StmtKind::Copy { .. } | StmtKind::Zero { .. } => true,
            StmtKind::Call { args, .. } => args.iter().any(|&arg| reads(self.function, arg)),
            _ => false,
        }
    }

    /// What a thread asks for is an instruction of its own: others may go on then.
    pub(super) fn call_thread(
        &mut self,
        dest: Option<Place>,
        builtin: Builtin,
        args: &[ExprId],
    ) -> bool {
        let Builtin::Host(call) = builtin else {
            return false;
        };
        let op = match call {
            HostCall::ThreadCreate => ThreadOp::Create,
            HostCall::ThreadWait => ThreadOp::Wait,
            HostCall::ThreadWake => ThreadOp::Wake,
            HostCall::ThreadSelf => ThreadOp::This,
            HostCall::ThreadExit => ThreadOp::Exit,
            HostCall::ThreadYield => ThreadOp::Yield,
            HostCall::ThreadHold => ThreadOp::Hold,
            _ => return false,
        };
        let registers: Vec<Reg> = args.iter().map(|&arg| self.value(arg)).collect();
        let register = |i: usize| registers.get(i).or(registers.first()).copied();
        let (a, v) = (register(0).unwrap_or(0), register(1).unwrap_or(0));
        let d = match dest {
            Some(Place::Local(l)) if let Slot::Near(reg) = self.layout.slots[l.index()] => reg,
            _ => self.temp(1),
        };
        self.emit(Instr::Thread { op, d, a, v });
        match dest {
            Some(place) => {
                let ty = self.place_ty(place);
                self.store(place, d, ty);
            }
            None => self.after(EffectCode::None),
        }
        true
    }
}
