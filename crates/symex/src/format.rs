//! What formats of `printf` say: texts and conversions, in order.

use idiolect_ir::{Ty, ctype::DataModel};

/// A part of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Piece {
    Literal(Vec<u8>),
    Conversion(Spec),
}

/// `%[flags][width][.precision][length]letter`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Spec {
    pub(crate) left: bool,
    pub(crate) plus: bool,
    pub(crate) space: bool,
    pub(crate) alternate: bool,
    pub(crate) zero: bool,
    pub(crate) width: Option<Amount>,
    pub(crate) precision: Option<Amount>,
    /// Bits of an integer.
    pub(crate) bits: u8,
    pub(crate) is_long_double: bool,
    pub(crate) letter: u8,
}

/// A number in a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Amount {
    Constant(u64),
    /// `*`: the next argument says it.
    Argument,
}

impl Spec {
    /// The type of the argument that is printed.
    pub(crate) fn ty(&self) -> Ty {
        match self.letter {
            b's' | b'p' => Ty::Ptr,
            b'c' | b'C' => Ty::Int(32),
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                if self.is_long_double {
                    Ty::F80
                } else {
                    Ty::F64
                }
            }
            _ => Ty::Int(self.bits.max(32)),
        }
    }
}

/// The parts of a zero-terminated format; `None` for formats that are not modelled: `%n`, wide texts,
/// positions, and what glibc does not know either.
pub(crate) fn pieces(format: &[u8], model: DataModel) -> Option<Vec<Piece>> {
    let mut list = Vec::new();
    let mut literal = Vec::new();
    let end = format.iter().position(|&b| b == 0);
    let mut rest = Rest(&format[..end.unwrap_or(format.len())]);
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            literal.push(byte);
            continue;
        }
        let spec = conversion(&mut rest, model)?;
        match spec.letter {
            b'%' => literal.push(b'%'),
            // What `errno` says where nothing went wrong.
            b'm' if spec.width.is_none() => literal.extend_from_slice(b"Success"),
            b'm' => return None,
            _ => {
                if !literal.is_empty() {
                    list.push(Piece::Literal(std::mem::take(&mut literal)));
                }
                list.push(Piece::Conversion(spec));
            }
        }
    }
    if !literal.is_empty() {
        list.push(Piece::Literal(literal));
    }
    Some(list)
}

struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn next_if(&mut self, is_wanted: impl FnOnce(u8) -> bool) -> Option<u8> {
        let &first = self.0.first()?;
        if is_wanted(first) { self.next() } else { None }
    }

    fn number(&mut self) -> Option<u64> {
        let mut value: Option<u64> = None;
        while let Some(digit) = self.next_if(|b| b.is_ascii_digit()) {
            let before = value.unwrap_or(0).saturating_mul(10);
            value = Some(before.saturating_add(u64::from(digit - b'0')));
        }
        value
    }
}

fn conversion(rest: &mut Rest<'_>, model: DataModel) -> Option<Spec> {
    let mut spec = Spec {
        left: false,
        plus: false,
        space: false,
        alternate: false,
        zero: false,
        width: None,
        precision: None,
        bits: 32,
        is_long_double: false,
        letter: 0,
    };
    while let Some(flag) = rest.next_if(|b| b"-+ #0'I".contains(&b)) {
        match flag {
            b'-' => spec.left = true,
            b'+' => spec.plus = true,
            b' ' => spec.space = true,
            b'#' => spec.alternate = true,
            b'0' => spec.zero = true,
            // Grouping: the C locale has none.
            _ => {}
        }
    }
    spec.width = match rest.next_if(|b| b == b'*') {
        Some(_) => Some(Amount::Argument),
        None => rest.number().map(Amount::Constant),
    };
    if rest.next_if(|b| b == b'.').is_some() {
        spec.precision = if rest.next_if(|b| b == b'*').is_some() {
            Some(Amount::Argument)
        } else if rest.next_if(|b| b == b'-').is_some() {
            // A negative precision counts as none.
            rest.number();
            None
        } else {
            Some(Amount::Constant(rest.number().unwrap_or(0)))
        };
    }
    let n_long = length(rest, &mut spec, model);
    spec.letter = rest.next()?;
    let is_known = match spec.letter {
        b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'c' | b'C' | b'p' => true,
        b's' => n_long == 0,
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' | b'm' | b'%' => true,
        _ => false,
    };
    is_known.then_some(spec)
}

/// Reads length modifiers; how many of them say `long`.
fn length(rest: &mut Rest<'_>, spec: &mut Spec, model: DataModel) -> u32 {
    let long = match model {
        DataModel::Lp64 => 64,
        DataModel::Ilp32 => 32,
    };
    let mut n_long = 0;
    while let Some(modifier) = rest.next_if(|b| b"hlzZtjqL".contains(&b)) {
        match modifier {
            b'h' => spec.bits = if spec.bits == 16 { 8 } else { 16 },
            b'l' | b'z' | b'Z' | b't' => {
                n_long += 1;
                spec.bits = if n_long > 1 { 64 } else { long };
            }
            b'L' => (spec.bits, spec.is_long_double) = (64, true),
            _ => spec.bits = 64,
        }
    }
    n_long
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(format: &str) -> Option<String> {
        let list = pieces(format.as_bytes(), DataModel::Lp64)?;
        let shown = list.iter().map(|piece| match piece {
            Piece::Literal(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            Piece::Conversion(spec) => format!("<{}{}>", spec.letter as char, spec.bits),
        });
        Some(shown.collect())
    }

    #[test]
    fn formats_are_taken_apart() {
        assert_eq!(letters("a%% b").as_deref(), Some("a% b"));
        assert_eq!(
            letters("%hhd,%hx,%lu\0%d").as_deref(),
            Some("<d8>,<x16>,<u64>")
        );
        assert_eq!(letters("%-5.3s|%*.*f").as_deref(), Some("<s32>|<f32>"));
        for format in ["%n", "%1$s", "%ls", "%"] {
            assert_eq!(letters(format), None, "{format}");
        }
    }
}
