//! `setjmp` and `longjmp`. Runs jump; for everybody else [`unwind`](super::unwind) makes returns of them, and the trap
//! after a jump goes.

use super::Lowerer;
use super::convert::Value;
use crate::ast::Expr;
use idiolect_base::Span;
use idiolect_ir::{AssumptionKind, Builtin, LONGJMP, Place, Ty, TypeId};

impl<'a> Lowerer<'a> {
    /// The buffer is written here, so that everybody sees a fault there; what runs find in it is theirs.
    pub fn setjmp(&mut self, arguments: &'a [Expr], span: Span) -> Value {
        let buffer = self.builtin_arguments("p>i", arguments, span)[0];
        let buffer = self.body.save(buffer, self.common.void_pointer);
        let ty = Ty::Int(32);
        let zero = self.body.constant(0, ty, span);
        let address = buffer;
        self.body.assign(Place::Memory { address, ty }, zero, span);
        self.builtin_call(Builtin::Setjmp, vec![buffer], self.common.int, span, true)
    }

    pub fn longjmp(
        &mut self,
        arguments: &'a [Expr],
        declared: Option<TypeId>,
        span: Span,
    ) -> Value {
        let values = self.builtin_arguments("pi>v", arguments, span);
        if !self.options.is_process {
            let text = "variables that change between `setjmp` and a jump back keep their values";
            self.assume(AssumptionKind::Convention, text, span, None);
        }
        let void = self.common.void;
        self.builtin_call(Builtin::Longjmp, values, void, span, false);
        self.unmodelled(LONGJMP, span);
        self.dummy(declared.unwrap_or(void), span)
    }
}
