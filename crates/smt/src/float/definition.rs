//! What a term was made as: the operation of floats that its bits write out.
//!
//! The bits are all that counts. Who reasons about numbers, as [`crate::intervals`] does, or prints them for others, would
//! not find the addition again in some hundred gates, so each constructor notes it.

use super::{Format, Mode};
use crate::term::{TermId, Terms};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    SquareRoot,
    /// `a * b + c`, rounded once.
    Fma,
    ToIntegral,
    Negate,
    Absolute,
    /// From a float of this format.
    FromFormat(Format),
    FromInteger {
        is_signed: bool,
    },
    Equal,
    Less,
    LessOrEqual,
    IsNan,
    IsInfinite,
    IsZero,
}

/// A term as an operation; `format` is that of the result, or, where that is a Bool, of the operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Definition {
    pub op: FloatOp,
    pub format: Format,
    pub mode: Mode,
    operands: [TermId; 3],
    arity: u8,
}

impl Definition {
    pub fn operands(&self) -> &[TermId] {
        &self.operands[..usize::from(self.arity)]
    }
}

/// Notes what `term` is, unless it is older than its operands or became one of them.
pub(super) fn defined(
    t: &mut Terms,
    term: TermId,
    op: FloatOp,
    (format, mode): (Format, Mode),
    own: &[TermId],
) -> TermId {
    let is_new = own.iter().all(|&operand| operand < term);
    if let (true, None, Some(&first)) = (is_new, t.as_const(term), own.first()) {
        let mut operands = [first; 3];
        for (to, &from) in operands.iter_mut().zip(own) {
            *to = from;
        }
        let definition = Definition {
            op,
            format,
            mode,
            operands,
            arity: own.len().min(3) as u8,
        };
        t.define_float(term, definition);
    }
    term
}
