//! `printf`: nothing it prints matters here, but what it reads does. A text that is not there is a
//! fault, and memory that nobody wrote is an input for every byte that is printed, in the order in
//! which `interp` draws them.

use crate::encoder::Encoder;
use crate::format::{Amount, Piece, pieces};
use crate::state::State;
use crate::walker::WalkDomain;
use idiolect_base::StopReason;
use idiolect_ir::{FaultKind, Ty, ctype::DataModel};
use idiolect_smt::TermId;

type Step<T> = Result<T, StopReason>;

/// Texts are followed so far where their bytes are not known, and so far where they are.
const MAX_UNKNOWN: u32 = 256;
const MAX_KNOWN: u32 = 1 << 16;

/// What a format does with the next argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Use {
    /// Prints it.
    Value(Ty),
    /// Prints the text there, at most so many bytes.
    Text(Option<u64>),
    /// The same, where the precision is an argument before it.
    TextOfPrecision,
}

/// Where arguments are.
#[derive(Clone, Copy)]
pub(crate) enum Arguments<'a> {
    Values(&'a [TermId]),
    /// The address of the first slot of 16 bytes.
    Slots(TermId),
}

impl Encoder<'_> {
    /// Everything that printing may do to a run.
    pub(crate) fn print(
        &mut self,
        s: &mut State,
        format: TermId,
        arguments: Arguments<'_>,
    ) -> Step<()> {
        let n = self.infos.len();
        let targets = self.addresses.targets(&mut self.terms, format, n);
        for &t in targets.iter() {
            if self.is_excluded(s, t.condition) {
                continue;
            }
            let info = &self.infos[t.object as usize];
            let bytes = match (&info.initial, self.terms.as_const(t.offset)) {
                (Some(bytes), Some(offset)) if info.is_read_only => bytes.get(offset as usize..),
                _ => None,
            };
            let uses = bytes.and_then(|bytes| uses(bytes, self.program.types.model));
            let Some(uses) = uses else {
                self.trap(s, "`%n` or an unknown format of printf", t.condition);
                continue;
            };
            self.lazies.push(t.condition);
            let done = self.print_all(s, &uses, arguments);
            self.lazies.pop();
            done?;
        }
        Ok(())
    }

    fn print_all(&mut self, s: &mut State, uses: &[Use], arguments: Arguments<'_>) -> Step<()> {
        let mut n_taken = 0;
        for &what in uses {
            let first = match what {
                Use::Value(ty) => ty,
                Use::Text(_) => Ty::Ptr,
                Use::TextOfPrecision => Ty::Int(32),
            };
            let Some(value) = self.take(s, &mut n_taken, first, arguments)? else {
                return Ok(());
            };
            match what {
                Use::Value(_) => {}
                Use::Text(most) => {
                    let most = most.map(|most| self.terms.bv(u128::from(most), 64));
                    self.print_text(s, value, most)?;
                }
                Use::TextOfPrecision => {
                    let Some(text) = self.take(s, &mut n_taken, Ty::Ptr, arguments)? else {
                        return Ok(());
                    };
                    // A negative precision counts as none, and so does a huge one.
                    let precision = self.fit(value, 32);
                    let most = self.terms.sext(precision, 64);
                    self.print_text(s, text, Some(most))?;
                }
            }
        }
        Ok(())
    }

    /// The next argument, or `None` if no run goes on.
    pub(crate) fn take(
        &mut self,
        s: &mut State,
        n_taken: &mut usize,
        ty: Ty,
        arguments: Arguments<'_>,
    ) -> Step<Option<TermId>> {
        let index = *n_taken;
        *n_taken += 1;
        let value = match arguments {
            Arguments::Values(values) => match values.get(index) {
                Some(&value) => value,
                None => {
                    let truth = self.terms.tt();
                    self.fault(s, FaultKind::WrongArguments, truth);
                    return Ok(None);
                }
            },
            Arguments::Slots(first) => {
                let width = self.addresses.width();
                let distance = self.terms.bv(16 * index as u128, width);
                let slot = self.terms.add(first, distance);
                let size = self.program.types.scalar_size(ty) as u32;
                let size = if ty == Ty::F80 { 10 } else { size };
                self.load(s, slot, size, size, ty)?
            }
        };
        Ok((!s.is_dead()).then_some(value))
    }

    /// Reads a text up to its end, or as many bytes as `most`, of 64 bits, says. Each byte with what holds
    /// of the runs in which it is one of the text.
    pub(crate) fn print_text(
        &mut self,
        s: &mut State,
        pointer: TermId,
        most: Option<TermId>,
    ) -> Step<Vec<(TermId, TermId)>> {
        let width = self.addresses.width();
        let pointer = self.fit(pointer, width);
        let null = self.terms.bv(0, width);
        // Runs that still read; glibc prints null as a text of its own.
        let mut reads = self.terms.ne(pointer, null);
        let mut n_unknown = 0;
        let mut bytes = Vec::new();
        for i in 0..MAX_KNOWN {
            if let Some(most) = most {
                let own = self.terms.bv(u128::from(i), 64);
                let more = self.terms.ult(own, most);
                reads = self.terms.and(reads, more);
            }
            if self.is_excluded(s, reads) {
                return Ok(bytes);
            }
            if n_unknown >= MAX_UNKNOWN {
                break;
            }
            let distance = self.terms.bv(u128::from(i), width);
            let at = self.terms.add(pointer, distance);
            self.lazies.push(reads);
            let byte = self.load(s, at, 1, 1, Ty::Int(8));
            self.lazies.pop();
            let byte = byte?;
            let goes_on = self.terms.is_nonzero(byte);
            n_unknown += u32::from(self.terms.as_const(goes_on).is_none());
            reads = self.terms.and(reads, goes_on);
            bytes.push((byte, reads));
            self.charge(1)?;
        }
        self.trap(s, "a long text in printf", reads);
        Ok(bytes)
    }
}

/// What the arguments of a format are for, in order; `None` for formats that are not modelled.
fn uses(format: &[u8], model: DataModel) -> Option<Vec<Use>> {
    let mut list = Vec::new();
    for piece in pieces(format, model)? {
        let Piece::Conversion(spec) = piece else {
            continue;
        };
        if spec.width == Some(Amount::Argument) {
            list.push(Use::Value(Ty::Int(32)));
        }
        let what = match (spec.letter, spec.precision) {
            (b's', Some(Amount::Argument)) => Use::TextOfPrecision,
            (b's', Some(Amount::Constant(most))) => Use::Text(Some(most)),
            (b's', None) => Use::Text(None),
            (_, precision) => {
                if precision == Some(Amount::Argument) {
                    list.push(Use::Value(Ty::Int(32)));
                }
                Use::Value(spec.ty())
            }
        };
        list.push(what);
    }
    Some(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: &str, expected: Option<&[Use]>) {
        let found = uses(format.as_bytes(), DataModel::Lp64);
        assert_eq!(found.as_deref(), expected, "{format}");
    }

    #[test]
    fn formats_are_taken_apart() {
        let int = Use::Value(Ty::Int(32));
        check("no %% argument\0%d", Some(&[]));
        check("%5d %-3.2ld|", Some(&[int, Use::Value(Ty::Int(64))]));
        check("%*.*f", Some(&[int, int, Use::Value(Ty::F64)]));
        check(
            "%s %.7s %.*s",
            Some(&[Use::Text(None), Use::Text(Some(7)), Use::TextOfPrecision]),
        );
        check("%n", None);
        check("%1$s", None);
        check("%ls", None);
        check("%", None);
    }
}
