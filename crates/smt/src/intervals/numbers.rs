//! Sets of floats under operations of floats.
//!
//! Every operation here is monotone in each operand, and so is rounding: the ends of a result are the results of ends, as
//! the machine computes them, without a last place lost. Only rounding to nearest even is the machine's.

use super::values::{Values, half, integers};
use crate::float::{FloatOp, Format, Mode};

/// Numbers between two, infinities included, and whether there may be a NaN.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    /// `None` if there is NaN alone.
    range: Option<(f64, f64)>,
    may_be_nan: bool,
}

/// A format that the machine computes in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Machine {
    Single,
    Double,
}

impl Machine {
    fn of(format: Format) -> Option<Self> {
        match format {
            Format::BINARY32 => Some(Self::Single),
            Format::BINARY64 => Some(Self::Double),
            _ => None,
        }
    }

    fn number(self, bits: u128) -> f64 {
        match self {
            Self::Single => f64::from(f32::from_bits(bits as u32)),
            Self::Double => f64::from_bits(bits as u64),
        }
    }

    /// Without the sign.
    fn magnitude(self, x: f64) -> u128 {
        match self {
            Self::Single => u128::from((x as f32).abs().to_bits()),
            Self::Double => u128::from(x.abs().to_bits()),
        }
    }

    /// Both operands are of this format, and so is the result.
    fn compute(self, op: FloatOp, [a, b, c]: [f64; 3]) -> f64 {
        macro_rules! in_format {
            ($t:ty) => {{
                let (a, b, c) = (a as $t, b as $t, c as $t);
                (match op {
                    FloatOp::Add => a + b,
                    FloatOp::Subtract => a - b,
                    FloatOp::Multiply => a * b,
                    FloatOp::Divide => a / b,
                    FloatOp::Fma => a.mul_add(b, c),
                    FloatOp::SquareRoot => a.sqrt(),
                    _ => <$t>::NAN,
                }) as f64
            }};
        }
        match self {
            Self::Single => in_format!(f32),
            Self::Double => in_format!(f64),
        }
    }
}

fn numbers(values: Values, format: Format, machine: Machine) -> Numbers {
    let infinity = format.infinity();
    let mut found = Numbers {
        range: None,
        may_be_nan: false,
    };
    for (side, sign) in [(values.low, 1.0), (values.high, -1.0)] {
        let Some((from, to)) = side else { continue };
        found.may_be_nan |= to > infinity;
        if from <= infinity {
            let (x, y) = (machine.number(from), machine.number(to.min(infinity)));
            let (x, y) = if sign > 0.0 { (x, y) } else { (-y, -x) };
            found.range = Some(found.range.map_or((x, y), |(p, q)| (p.min(x), q.max(y))));
        }
    }
    found
}

/// The bits of numbers. A range that touches zero has both zeros.
fn bits(own: Numbers, format: Format, machine: Machine) -> Values {
    let mut values = Values {
        low: None,
        high: None,
    };
    if let Some((from, to)) = own.range {
        if to >= 0.0 {
            values.low = Some((machine.magnitude(from.max(0.0)), machine.magnitude(to)));
        }
        if from <= 0.0 {
            values.high = Some((machine.magnitude(to.min(0.0)), machine.magnitude(from)));
        }
    }
    if own.may_be_nan {
        let nan = Some((format.infinity() + 1, half(format.width())));
        values = values.join(Values {
            low: nan,
            high: nan,
        });
    }
    values
}

/// The values of an operation whose operands have these, with their widths; all there are where nothing better is known.
pub(crate) fn apply(
    op: FloatOp,
    (format, mode): (Format, Mode),
    operands: &[(Values, u32)],
    are_same: bool,
) -> Values {
    let width = match op {
        FloatOp::Equal
        | FloatOp::Less
        | FloatOp::LessOrEqual
        | FloatOp::IsNan
        | FloatOp::IsInfinite
        | FloatOp::IsZero => 1,
        _ => format.width(),
    };
    known(op, (format, mode), operands, are_same).unwrap_or(Values::all(width))
}

fn known(
    op: FloatOp,
    (format, mode): (Format, Mode),
    operands: &[(Values, u32)],
    are_same: bool,
) -> Option<Values> {
    let machine = Machine::of(format)?;
    let &(first, first_width) = operands.first()?;
    let second = operands.get(1).map(|own| own.0);
    let infinity = format.infinity();
    let a = || numbers(first, format, machine);
    Some(match op {
        FloatOp::Negate => Values {
            low: first.high,
            high: first.low,
        },
        FloatOp::Absolute => Values {
            high: None,
            low: Values {
                low: first.low,
                high: None,
            }
            .join(Values {
                low: first.high,
                high: None,
            })
            .low,
        },
        FloatOp::IsNan | FloatOp::IsInfinite | FloatOp::IsZero => {
            let of = |from: u128, to: u128| match op {
                FloatOp::IsNan => (from <= infinity, to > infinity),
                FloatOp::IsInfinite => (
                    from < infinity || to > infinity,
                    from <= infinity && infinity <= to,
                ),
                _ => (to > 0, from == 0),
            };
            let sides = [first.low, first.high].into_iter().flatten();
            let all = sides.map(|(from, to)| of(from, to));
            let (no, yes) = all.fold((false, false), |x, y| (x.0 || y.0, x.1 || y.1));
            Values::bools(no, yes)
        }
        FloatOp::Equal | FloatOp::Less | FloatOp::LessOrEqual => {
            compared(op, a(), numbers(second?, format, machine))
        }
        _ if mode != Mode::NearestEven && !matches!(op, FloatOp::ToIntegral) => return None,
        FloatOp::FromFormat(from) => {
            let own = numbers(first, from, Machine::of(from)?);
            let rounded = |x: f64| match machine {
                Machine::Single => f64::from(x as f32),
                Machine::Double => x,
            };
            let range = own.range.map(|(x, y)| (rounded(x), rounded(y)));
            bits(Numbers { range, ..own }, format, machine)
        }
        FloatOp::FromInteger { is_signed } => {
            let (x, y) = integers(first, first_width, is_signed)?;
            let of = |x: i128| match machine {
                Machine::Single => f64::from(x as f32),
                Machine::Double => x as f64,
            };
            let own = Numbers {
                range: Some((of(x), of(y))),
                may_be_nan: false,
            };
            bits(own, format, machine)
        }
        FloatOp::ToIntegral => {
            let of = |x: f64| match mode {
                Mode::TowardNegative => x.floor(),
                Mode::TowardPositive => x.ceil(),
                Mode::TowardZero => x.trunc(),
                Mode::NearestEven => x.round_ties_even(),
                Mode::NearestAway => x.round(),
            };
            let own = a();
            let range = own.range.map(|(x, y)| (of(x), of(y)));
            bits(Numbers { range, ..own }, format, machine)
        }
        FloatOp::SquareRoot => {
            let own = a();
            let may_be_nan = own.may_be_nan || own.range.is_some_and(|(x, _)| x < 0.0);
            let range = own.range.filter(|&(_, y)| y >= 0.0).map(|(x, y)| {
                let root = |x: f64| machine.compute(op, [x, x, x]);
                (root(x.max(0.0)), root(y))
            });
            bits(Numbers { range, may_be_nan }, format, machine)
        }
        FloatOp::Add | FloatOp::Subtract | FloatOp::Multiply | FloatOp::Divide | FloatOp::Fma => {
            let b = numbers(second?, format, machine);
            let c = match operands.get(2) {
                Some(&(third, _)) if op == FloatOp::Fma => numbers(third, format, machine),
                _ => Numbers {
                    range: Some((0.0, 0.0)),
                    may_be_nan: false,
                },
            };
            bits(
                combined(machine, op, [a(), b, c], are_same),
                format,
                machine,
            )
        }
    })
}

fn compared(op: FloatOp, a: Numbers, b: Numbers) -> Values {
    let (mut no, mut yes) = (a.may_be_nan || b.may_be_nan, false);
    if let (Some((p, q)), Some((r, s))) = (a.range, b.range) {
        let (never, always) = match op {
            FloatOp::Less => (p >= s, q < r),
            FloatOp::LessOrEqual => (p > s, q <= r),
            _ => (q < r || s < p, p == q && r == s && p == r),
        };
        yes |= !never;
        no |= !always;
    } else {
        no = true;
    }
    Values::bools(no, yes)
}

/// The ends of a result are among the results of ends, where operands do not pass a zero that is divided by.
fn combined(machine: Machine, op: FloatOp, [a, b, c]: [Numbers; 3], are_same: bool) -> Numbers {
    let mut may_be_nan = a.may_be_nan || b.may_be_nan || c.may_be_nan;
    let (Some((p, q)), Some((r, s)), Some((u, v))) = (a.range, b.range, c.range) else {
        return Numbers {
            range: None,
            may_be_nan: true,
        };
    };
    let everything = Some((f64::NEG_INFINITY, f64::INFINITY));
    if op == FloatOp::Divide && r <= 0.0 && s >= 0.0 {
        return Numbers {
            range: everything,
            may_be_nan: true,
        };
    }
    if op == FloatOp::Fma && [p, q, r, s, u, v].iter().any(|x| x.is_infinite()) {
        return Numbers {
            range: everything,
            may_be_nan: true,
        };
    }
    let infinite = |x: f64, y: f64| x.is_infinite() || y.is_infinite();
    may_be_nan |= match op {
        FloatOp::Add | FloatOp::Subtract | FloatOp::Divide => infinite(p, q) && infinite(r, s),
        _ => {
            let with_zero = |x: f64, y: f64| x <= 0.0 && y >= 0.0;
            (infinite(p, q) && with_zero(r, s)) || (infinite(r, s) && with_zero(p, q))
        }
    };
    let mut range: Option<(f64, f64)> = None;
    for x in [p, q] {
        for y in [r, s] {
            // A factor is the same number on both sides.
            if are_same && op == FloatOp::Multiply && x != y {
                continue;
            }
            for z in [u, v] {
                let mut value = machine.compute(op, [x, y, z]);
                if value.is_nan() {
                    may_be_nan = true;
                    if op != FloatOp::Multiply {
                        return Numbers {
                            range: everything,
                            may_be_nan: true,
                        };
                    }
                    // Zero times infinity: its neighbours are zeros, or come with the other ends.
                    value = 0.0;
                }
                range = Some(range.map_or((value, value), |(x, y)| (x.min(value), y.max(value))));
            }
        }
    }
    if are_same && op == FloatOp::Multiply && p < 0.0 && q > 0.0 {
        range = range.map(|(_, y)| (0.0, y));
    }
    Numbers { range, may_be_nan }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::float;
    use crate::model::Evaluator;
    use crate::{Model, TermId, Terms};
    use idiolect_base::Rng;

    fn holds(a: Values, value: u128, width: u32) -> bool {
        let top = half(width) + 1;
        let (side, value) = if value < top {
            (a.low, value)
        } else {
            (a.high, value - top)
        };
        side.is_some_and(|(x, y)| x <= value && value <= y)
    }

    /// Bits of numbers that matter: near each other, near the ends, special ones.
    fn draw(random: &mut Rng, format: Format) -> u128 {
        let any = u128::from(random.next_u64()) & (2 * half(format.width()) + 1);
        let sign = any & (half(format.width()) + 1);
        match random.below(6) {
            0 => sign,
            1 => sign | (format.infinity() - u128::from(random.below(3))),
            2 => sign | (format.infinity() + u128::from(random.below(3))),
            3 => sign | u128::from(random.below(4)),
            4 => sign | ((any & 0xff) + ((format.bias() as u128) << (format.precision - 1))),
            _ => any,
        }
    }

    fn set_around(random: &mut Rng, value: u128, format: Format) -> Values {
        let width = format.width();
        let wide = random.below(u64::from(width)) as u32;
        let by = |r: &mut Rng| u128::from(r.next_u64()) & (half(width) >> wide);
        let (top, inner) = (half(width) + 1, value & half(width));
        let (down, up) = (by(random), by(random));
        let side = Some((inner.saturating_sub(down), (inner + up).min(half(width))));
        let other = random.chance(1, 3).then(|| (0, by(random)));
        if value < top {
            Values {
                low: side,
                high: other,
            }
        } else {
            Values {
                low: other,
                high: side,
            }
        }
    }

    fn build(t: &mut Terms, op: FloatOp, format: Format, mode: Mode, v: &[TermId]) -> TermId {
        match op {
            FloatOp::Add => float::add(t, format, mode, v[0], v[1]),
            FloatOp::Subtract => float::subtract(t, format, mode, v[0], v[1]),
            FloatOp::Multiply => float::multiply(t, format, mode, v[0], v[1]),
            FloatOp::Divide => float::divide(t, format, mode, v[0], v[1]),
            FloatOp::SquareRoot => float::sqrt(t, format, mode, v[0]),
            FloatOp::Fma => float::fma(t, format, mode, v[0], v[1], v[2]),
            FloatOp::ToIntegral => float::to_integral(t, format, mode, v[0]),
            FloatOp::Negate => float::negate(t, format, v[0]),
            FloatOp::Absolute => float::absolute(t, format, v[0]),
            FloatOp::FromFormat(from) => float::to_format(t, from, format, mode, v[0]),
            FloatOp::FromInteger { is_signed } => {
                float::from_integer(t, format, mode, v[0], is_signed)
            }
            FloatOp::Equal => float::equal(t, format, v[0], v[1]),
            FloatOp::Less => float::less(t, format, v[0], v[1]),
            FloatOp::LessOrEqual => float::less_or_equal(t, format, v[0], v[1]),
            FloatOp::IsNan => float::is_nan(t, format, v[0]),
            FloatOp::IsInfinite => float::is_infinite(t, format, v[0]),
            FloatOp::IsZero => float::is_zero(t, format, v[0]),
        }
    }

    /// The bits of the terms are the truth: whatever values of the operands a set has, it has their result.
    #[test]
    fn sets_have_what_the_bits_give() {
        let mut random = Rng::new(20, 0);
        let ops = [
            FloatOp::Add,
            FloatOp::Subtract,
            FloatOp::Multiply,
            FloatOp::Divide,
            FloatOp::SquareRoot,
            FloatOp::Fma,
            FloatOp::ToIntegral,
            FloatOp::Negate,
            FloatOp::Absolute,
            FloatOp::FromFormat(Format::BINARY32),
            FloatOp::FromFormat(Format::BINARY64),
            FloatOp::FromInteger { is_signed: true },
            FloatOp::FromInteger { is_signed: false },
            FloatOp::Equal,
            FloatOp::Less,
            FloatOp::LessOrEqual,
            FloatOp::IsNan,
            FloatOp::IsInfinite,
            FloatOp::IsZero,
        ];
        for format in [Format::BINARY32, Format::BINARY64] {
            for op in ops {
                let modes: &[Mode] = match op {
                    FloatOp::ToIntegral | FloatOp::Add => &Mode::ALL,
                    _ => &[Mode::NearestEven],
                };
                for &mode in modes {
                    compare(&mut random, op, format, mode);
                }
            }
        }
    }

    fn compare(random: &mut Rng, op: FloatOp, format: Format, mode: Mode) {
        let own = match op {
            FloatOp::FromFormat(from) => from,
            _ => format,
        };
        let mut t = Terms::new();
        let variables: Vec<TermId> = (0..3).map(|_| t.bv_var("x", own.width())).collect();
        let term = build(&mut t, op, format, mode, &variables);
        let twice = build(&mut t, op, format, mode, &[variables[0]; 3]);
        let width = t.width(term);
        for _ in 0..400 {
            let bits: Vec<u128> = (0..3).map(|_| draw(random, own)).collect();
            let sets: Vec<(Values, u32)> = (bits.iter())
                .map(|&b| (set_around(random, b, own), own.width()))
                .collect();
            let mut model = Model::new();
            for (&variable, &b) in variables.iter().zip(&bits) {
                model.set_term(&t, variable, b);
            }
            let mut evaluator = Evaluator::new(&t, &model);
            let found = apply(op, (format, mode), &sets, false);
            let value = evaluator.eval(term);
            assert!(
                holds(found, value, width),
                "{op:?} {mode:?} {bits:x?} {sets:x?}: {value:x} is not in {found:x?}"
            );
            let value = evaluator.eval(twice);
            let found = apply(op, (format, mode), &[sets[0]; 3], true);
            assert!(
                holds(found, value, width),
                "{op:?} {mode:?} {bits:x?} {sets:x?}: {value:x} is not in {found:x?}"
            );
        }
    }
}
