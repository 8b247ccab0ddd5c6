//! The functions of `math.h` that no C text defines.
//!
//! Those that IEEE 754 defines are exact. Of the others only the range is known: their result is left
//! open, and a model that depends on it may fail to be a run.

use crate::encoder::Encoder;
use crate::state::State;
use idiolect_ir::MathFunction;
use idiolect_smt::float::{self, Format, Mode};
use idiolect_smt::{TermId, Terms};

const FORMAT: Format = Format::BINARY64;

/// `fmod` of numbers whose exponents differ by more than this is not modelled: each step is a
/// subtraction, and up to 2,098 could be needed.
const FMOD_STEPS: u32 = 64;

impl Encoder<'_> {
    pub(crate) fn math(
        &mut self,
        s: &mut State,
        function: MathFunction,
        [x, y, z]: [TermId; 3],
    ) -> TermId {
        use MathFunction::*;
        let is_unary = function.arity() == 1;
        let constants = (self.terms.as_const(x), self.terms.as_const(y));
        if let (Some(a), Some(b)) = constants
            && let Some(value) = of_constants(function, a as u64, b as u64)
        {
            return self.terms.bv(u128::from(value), 64);
        }
        if let (Some(a), true) = (constants.0, is_unary)
            && let Some(value) = of_constants(function, a as u64, 0)
        {
            return self.terms.bv(u128::from(value), 64);
        }
        let t = &mut self.terms;
        match function {
            Sqrt => float::sqrt(t, FORMAT, Mode::NearestEven, x),
            Fabs => float::absolute(t, FORMAT, x),
            Fma => float::fma(t, FORMAT, Mode::NearestEven, x, y, z),
            Copysign => float::copy_sign(t, FORMAT, x, y),
            Floor => float::to_integral(t, FORMAT, Mode::TowardNegative, x),
            Ceil => float::to_integral(t, FORMAT, Mode::TowardPositive, x),
            Trunc => float::to_integral(t, FORMAT, Mode::TowardZero, x),
            Rint => float::to_integral(t, FORMAT, Mode::NearestEven, x),
            Round => float::to_integral(t, FORMAT, Mode::NearestAway, x),
            Fmod => {
                let (value, beyond) = float::remainder(t, FORMAT, FMOD_STEPS, x, y);
                self.trap(s, "`fmod` of numbers that are far apart in size", beyond);
                value
            }
            _ => {
                let value = self.fresh("math", 64);
                let guard = self.guards.term(&mut self.terms, s.guard);
                self.approximations.push((guard, value));
                if let (Some(a), Some(b)) = (self.in_run(x), self.in_run(y))
                    && let Some(own) = of_constants(function, a as u64, b as u64)
                {
                    self.set_in_run(value, u128::from(own));
                }
                within_range(&mut self.terms, function, x, value)
            }
        }
    }
}

/// The value if it is one that the function can have, else one of those.
fn within_range(t: &mut Terms, function: MathFunction, x: TermId, value: TermId) -> TermId {
    use MathFunction::*;
    let mut constant = |x: f64| t.bv(u128::from(x.to_bits()), 64);
    // A little more than the range, for implementations that are off by the last place.
    let (low, high) = match function {
        Sin | Cos | Tanh => (constant(-1.0), constant(1.0)),
        Asin | Atan => (constant(-1.6), constant(1.6)),
        Acos => (constant(0.0), constant(3.2)),
        Atan2 => (constant(-3.2), constant(3.2)),
        Exp | Exp2 | Hypot => (constant(0.0), constant(f64::INFINITY)),
        Cosh => (constant(1.0), constant(f64::INFINITY)),
        _ => return value,
    };
    let (above, below) = (
        float::less_or_equal(t, FORMAT, low, value),
        float::less_or_equal(t, FORMAT, value, high),
    );
    let inside = t.and(above, below);
    // NaN comes from NaN, and from what the function has no value for.
    let may_be_nan = match function {
        Exp | Exp2 | Cosh | Tanh | Atan => float::is_nan(t, FORMAT, x),
        Sin | Cos => {
            let (nan, infinite) = (
                float::is_nan(t, FORMAT, x),
                float::is_infinite(t, FORMAT, x),
            );
            t.or(nan, infinite)
        }
        _ => t.tt(),
    };
    let nan = float::is_nan(t, FORMAT, value);
    let nan = t.and(nan, may_be_nan);
    let fine = t.or(inside, nan);
    t.ite(fine, value, low)
}

fn of_constants(function: MathFunction, x: u64, y: u64) -> Option<u64> {
    use MathFunction::*;
    let (x, y) = (f64::from_bits(x), f64::from_bits(y));
    let value = match function {
        Sqrt => x.sqrt(),
        Sin => x.sin(),
        Cos => x.cos(),
        Tan => x.tan(),
        Asin => x.asin(),
        Acos => x.acos(),
        Atan => x.atan(),
        Atan2 => x.atan2(y),
        Sinh => x.sinh(),
        Cosh => x.cosh(),
        Tanh => x.tanh(),
        Exp => x.exp(),
        Exp2 => x.exp2(),
        Log => x.ln(),
        Log2 => x.log2(),
        Log10 => x.log10(),
        Pow => x.powf(y),
        Fmod => x % y,
        Cbrt => x.cbrt(),
        Hypot => x.hypot(y),
        // Written out below as cheaply.
        Floor | Ceil | Round | Trunc | Rint | Fabs | Copysign | Fma => return None,
    };
    Some(value.to_bits())
}
