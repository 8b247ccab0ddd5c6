//! Calls of functions that neither program has a body of, compared as they come: which function, and what it is
//! given. Whatever such a function does, it may do something else if it is called otherwise.

use super::edit::Editor;
use super::tape::{Tape, Way};
use super::{outputs, variable};
use crate::expr::{ExprId, ExprKind, Ty};
use crate::program::{FuncId, FunctionOrigin, GlobalId, LocalStorage, Program};
use crate::property::FaultKind;
use crate::stmt::{BlockId, TerminatorKind};

/// What both programs call.
pub struct Calls {
    tape: Tape,
    /// Where a float becomes its bits.
    bits: GlobalId,
}

impl Calls {
    pub fn new(program: &mut Program) -> Self {
        Self {
            tape: Tape::new(program, "%called"),
            bits: variable(program, "%argument", 16),
        }
    }

    /// The same calls, and as many.
    pub fn same(&self, edit: &mut Editor<'_>) -> Vec<ExprId> {
        self.tape.same(edit)
    }

    /// What is handed to the function and cannot be compared, if there is something.
    pub fn instrument(
        &self,
        program: &mut Program,
        function: FuncId,
        side: usize,
        bound: u32,
    ) -> Option<String> {
        let pointer = program.types.model.pointer_width();
        let body = &mut program.functions[function.index()];
        if body.origin != FunctionOrigin::Synthetic {
            return None;
        }
        let name = body.name.clone();
        let params = body.params.clone();
        let span = body.span;
        let mut edit = Editor::new(body, pointer);
        let mut at = BlockId::new(0);
        let rest = edit.split(at, 0);
        let mut is_open = false;
        let word = Ty::Int(64);
        let own = edit.constant(outputs::fingerprint(name.as_bytes()).into(), word);
        let mut values = vec![Some(own)];
        for param in params {
            let LocalStorage::Register(ty) = edit.function.local(param).storage else {
                values.push(None);
                continue;
            };
            let value = edit.push(ExprKind::Local(param), ty);
            values.push(match ty {
                Ty::Int(width) if width <= 64 => Some(edit.widen(value, word, true)),
                Ty::F32 | Ty::F64 => {
                    let keep = edit.store(self.bits, 0, ty, value);
                    edit.add(at, keep, span);
                    let bits = if ty == Ty::F64 { word } else { Ty::Int(32) };
                    let raw = edit.load(self.bits, 0, bits);
                    Some(edit.widen(raw, word, true))
                }
                _ => None,
            });
            // One float at a time is in its place.
            at = self.flush(&mut edit, &mut values, &mut is_open, at, side, bound);
        }
        at = self.flush(&mut edit, &mut values, &mut is_open, at, side, bound);
        edit.go(at, TerminatorKind::Goto(rest));
        is_open.then(|| format!("what `{name}` is given through pointers"))
    }

    /// Puts the values down, each in a block of its own.
    fn flush(
        &self,
        edit: &mut Editor<'_>,
        values: &mut Vec<Option<ExprId>>,
        is_open: &mut bool,
        mut at: BlockId,
        side: usize,
        bound: u32,
    ) -> BlockId {
        for value in values.drain(..) {
            let Some(value) = value else {
                *is_open = true;
                continue;
            };
            let span = edit.function.span;
            let end = edit.end(TerminatorKind::Fault(FaultKind::Unreachable), span);
            let next = edit.block(Vec::new(), end);
            let way = Way {
                from: at,
                to: next,
                side,
                bound,
                span,
            };
            self.tape.put(edit, &way, value);
            at = next;
        }
        at
    }
}
