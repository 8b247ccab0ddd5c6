//! Inputs given on the command line.

use idiolect_interp::{InputRequest, InputSource};
use idiolect_ir::Ty;

/// One given value. What its bits are depends on the type that the program wants.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Given {
    Integer(i128),
    Float(f64),
    /// The bits of a NaN: there are many, and functions tell some of them apart.
    NotANumber(u64),
}

impl std::str::FromStr for Given {
    type Err = String;

    fn from_str(text: &str) -> Result<Given, String> {
        let text = text.trim();
        if let Some(bits) = text.strip_prefix("nan:0x") {
            let bits = u64::from_str_radix(bits, 16);
            return bits
                .map(Given::NotANumber)
                .map_err(|_| format!("`{text}` has no bits of a NaN after `nan:0x`"));
        }
        let (sign, digits) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text),
        };
        let integer = match digits.strip_prefix("0x") {
            Some(hex) => i128::from_str_radix(hex, 16).ok(),
            None => digits.parse::<i128>().ok(),
        };
        if let Some(value) = integer {
            return Ok(Given::Integer(sign * value));
        }
        let float: Result<f64, _> = text.parse();
        float
            .map(Given::Float)
            .map_err(|_| format!("`{text}` is not a number"))
    }
}

impl Given {
    fn bits(self, ty: Ty) -> u128 {
        match (self, ty) {
            (Given::Integer(value), Ty::F32) => u128::from((value as f32).to_bits()),
            (Given::Integer(value), Ty::F64) => u128::from((value as f64).to_bits()),
            (Given::Integer(value), _) => value as u128,
            (Given::Float(value), Ty::F32) => u128::from((value as f32).to_bits()),
            (Given::Float(value), Ty::F64) => u128::from(value.to_bits()),
            (Given::Float(value), _) => value as i128 as u128,
            (Given::NotANumber(bits), Ty::F32 | Ty::F64) => u128::from(bits),
            (Given::NotANumber(_), _) => 0,
        }
    }
}

/// A list of values, then another source.
pub struct GivenInputs<'a, S> {
    values: std::slice::Iter<'a, Given>,
    /// Inputs that were wanted beyond the list.
    pub beyond: usize,
    rest: S,
}

impl<'a, S: InputSource> GivenInputs<'a, S> {
    /// These values first, then those of another source.
    pub fn new(values: &'a [Given], rest: S) -> Self {
        Self {
            values: values.iter(),
            beyond: 0,
            rest,
        }
    }

    /// Values that nobody drew.
    pub fn unused(&self) -> usize {
        self.values.len()
    }
}

impl<S: InputSource> InputSource for GivenInputs<'_, S> {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        match self.values.next() {
            Some(value) => Some(value.bits(request.ty)),
            None => {
                self.beyond += 1;
                self.rest.next(request)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_c_writes_them() {
        assert_eq!("-3".parse(), Ok(Given::Integer(-3)));
        assert_eq!(" 0xff".parse(), Ok(Given::Integer(255)));
        assert_eq!("1.5".parse(), Ok(Given::Float(1.5)));
        assert!("x".parse::<Given>().is_err());
        assert_eq!("inf".parse(), Ok(Given::Float(f64::INFINITY)));
        let signalling: Given = "nan:0x7ff0000000000001".parse().expect("a NaN");
        assert_eq!(signalling.bits(Ty::F64), 0x7ff0_0000_0000_0001);
        assert!("nan:0xy".parse::<Given>().is_err());
        assert_eq!(Given::Integer(-1).bits(Ty::Int(8)) as u8, 255);
        assert_eq!(Given::Integer(2).bits(Ty::F64), u128::from(2f64.to_bits()));
    }
}
