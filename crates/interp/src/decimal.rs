//! Floats as decimal digits, exactly.
//!
//! `printf` may ask for any number of digits, and glibc gives all of them right, so the value
//! `mantissa * 2^exponent` is written out as a whole number: for a negative exponent by
//! multiplying with `5^-exponent`, which moves the decimal point by `-exponent` places.

/// A finite number, without its sign.
pub(crate) struct Binary {
    pub(crate) mantissa: u64,
    pub(crate) exponent: i32,
}

/// `0.d1 d2 d3 … * 10^point`, without leading or trailing zeros; no digits for zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Decimal {
    pub(crate) digits: Vec<u8>,
    pub(crate) point: i32,
}

const BASE: u64 = 1_000_000_000;

/// A whole number in base 10^9, the lowest part first.
struct Big(Vec<u32>);

impl Big {
    fn new(mut value: u64) -> Self {
        let mut parts = Vec::new();
        while value > 0 {
            parts.push((value % BASE) as u32);
            value /= BASE;
        }
        Big(parts)
    }

    fn multiply(&mut self, factor: u32) {
        let mut carry = 0;
        for part in &mut self.0 {
            let product = u64::from(*part) * u64::from(factor) + carry;
            *part = (product % BASE) as u32;
            carry = product / BASE;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    fn multiply_power(&mut self, base: u32, step: u32, mut exponent: u32) {
        while exponent >= step {
            self.multiply(base.pow(step));
            exponent -= step;
        }
        self.multiply(base.pow(exponent));
    }

    fn digits(&self) -> Vec<u8> {
        let mut digits = Vec::new();
        for (i, part) in self.0.iter().rev().enumerate() {
            let text = if i == 0 {
                part.to_string()
            } else {
                format!("{part:09}")
            };
            digits.extend(text.bytes().map(|b| b - b'0'));
        }
        digits
    }
}

impl Decimal {
    pub(crate) fn new(value: &Binary) -> Self {
        let mut mantissa = value.mantissa;
        let mut exponent = value.exponent;
        if mantissa == 0 {
            return Decimal {
                digits: Vec::new(),
                point: 0,
            };
        }
        let zeros = mantissa.trailing_zeros();
        mantissa >>= zeros;
        exponent += zeros as i32;
        let mut big = Big::new(mantissa);
        let shift = match exponent {
            0.. => {
                big.multiply_power(2, 29, exponent as u32);
                0
            }
            _ => {
                big.multiply_power(5, 12, exponent.unsigned_abs());
                exponent
            }
        };
        let mut digits = big.digits();
        let point = digits.len() as i32 + shift;
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Decimal { digits, point }
    }

    /// Keeps `n` digits, rounding to nearest and halves to even, as glibc does. `n` may be
    /// negative: then even the first digit is too far right to matter.
    pub(crate) fn round(&mut self, n: i64) {
        if n >= self.digits.len() as i64 {
            return;
        }
        if n < 0 {
            self.digits.clear();
            return;
        }
        let n = n as usize;
        let last_is_odd = n > 0 && self.digits[n - 1] % 2 == 1;
        let up = match self.digits[n].cmp(&5) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Equal => self.digits.len() > n + 1 || last_is_odd,
        };
        self.digits.truncate(n);
        if up {
            loop {
                match self.digits.pop() {
                    Some(9) => {}
                    Some(digit) => {
                        self.digits.push(digit + 1);
                        break;
                    }
                    None => {
                        self.digits.push(1);
                        self.point += 1;
                        break;
                    }
                }
            }
        }
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
    }

    /// The digit at a place: 0 is the first one.
    pub(crate) fn digit(&self, place: i64) -> u8 {
        let digit = usize::try_from(place).ok().and_then(|i| self.digits.get(i));
        b'0' + digit.copied().unwrap_or(0)
    }
}
