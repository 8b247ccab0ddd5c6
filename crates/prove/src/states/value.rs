//! Values of abstract states, and what is known of symbols.

use idiolect_ir::{FuncId, Ty};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// The bits of an integer, a float or a pointer to nothing.
    Const(u128),
    /// The symbol and a constant, modulo its width.
    Symbol {
        id: u32,
        add: u128,
    },
    /// A place in an object. An offset between the two, if they differ.
    Pointer {
        object: u32,
        low: i64,
        high: i64,
    },
    Function(FuncId),
}

/// What is known of a symbol: its value, signed, is between these two and none of the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    pub width: u8,
    pub low: i128,
    pub high: i128,
    pub not: Vec<i128>,
}

/// More excluded values are forgotten.
const MAX_NOT: usize = 8;

impl Facts {
    pub fn any(width: u8) -> Self {
        let half = 1i128 << (width.clamp(1, 127) - 1);
        let (low, high) = match width {
            128 => (i128::MIN, i128::MAX),
            _ => (-half, half - 1),
        };
        Self {
            width,
            low,
            high,
            not: Vec::new(),
        }
    }

    pub fn between(width: u8, low: i128, high: i128) -> Self {
        let any = Self::any(width);
        Self {
            low: low.max(any.low),
            high: high.min(any.high),
            ..any
        }
    }

    pub fn is_empty(&self) -> bool {
        self.low > self.high
    }

    /// What holds of the values of both.
    pub fn join(&self, other: &Self) -> Self {
        let mut joined = Self {
            width: self.width,
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            not: Vec::new(),
        };
        for &value in self.not.iter().chain(&other.not) {
            if !self.may_be(value) && !other.may_be(value) {
                joined.exclude(value);
            }
        }
        joined
    }

    pub fn may_be(&self, value: i128) -> bool {
        self.low <= value && value <= self.high && !self.not.contains(&value)
    }

    pub fn at_least(&mut self, low: i128) {
        self.low = self.low.max(low);
        self.tidy();
    }

    pub fn at_most(&mut self, high: i128) {
        self.high = self.high.min(high);
        self.tidy();
    }

    pub fn exclude(&mut self, value: i128) {
        if self.may_be(value) && self.not.len() < MAX_NOT {
            self.not.push(value);
            self.not.sort_unstable();
        }
        self.tidy();
    }

    /// Excluded values at the ends make the interval smaller.
    fn tidy(&mut self) {
        while self.low <= self.high && self.not.contains(&self.low) {
            self.low += 1;
        }
        while self.low <= self.high && self.not.contains(&self.high) {
            self.high -= 1;
        }
        let (low, high) = (self.low, self.high);
        self.not.retain(|v| low < *v && *v < high);
    }
}

/// The bits of a type that values are kept for; floats have theirs.
pub fn width(ty: Ty, pointer: u8) -> u8 {
    match ty {
        Ty::Int(width) => width,
        Ty::F32 => 32,
        Ty::F64 => 64,
        Ty::F80 => 80,
        Ty::Ptr => pointer,
    }
}
