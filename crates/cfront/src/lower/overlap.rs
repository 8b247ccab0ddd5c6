//! `memcpy` wants ranges that do not overlap; `memmove` does not mind. Where faults are errors, the
//! difference between the two is a check in front of the copy.

use super::Lowerer;
use idiolect_base::Span;
use idiolect_ir::{Builtin, ExprId};

impl Lowerer<'_> {
    /// Before a call of `memcpy`: a fault unless the ranges `values[0]` and `values[1]` of `values[2]` bytes are apart or the same.
    pub fn no_overlap(&mut self, name: &str, values: &[ExprId], span: Span) {
        if name.contains("memcpy") && self.options.faults_count && self.unevaluated == 0 {
            let void = self.common.void;
            self.builtin_call(Builtin::CheckOverlap, values.to_vec(), void, span, false);
        }
    }
}
