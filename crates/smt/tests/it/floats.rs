//! Floats as bit-vector terms: every value of small formats in every rounding mode against another
//! implementation, and binary32 and binary64 against the machine on special and random values.

use idiolect_base::Budget;
use idiolect_smt::float::{self, Format, Mode};
use idiolect_smt::semantics::{apply_binary, apply_extract, apply_unary};
use idiolect_smt::{Node, Outcome, Solver, Sort, TermId, Terms, mask};
use rustc_apfloat::ieee::{IeeeFloat, Semantics};
use rustc_apfloat::{Float, FloatConvert, Round};
use rustc_hash::FxHashMap;

/// A term over a few variables as a list of steps, for evaluating it very often.
struct Circuit {
    steps: Vec<(Node, u32, [usize; 3], [u32; 3])>,
    n_inputs: usize,
    values: Vec<u128>,
    outputs: Vec<usize>,
}

impl Circuit {
    fn new(t: &Terms, inputs: &[TermId], outputs: &[TermId]) -> Self {
        let mut place: FxHashMap<TermId, usize> = FxHashMap::default();
        let mut values = vec![0; inputs.len()];
        for (i, &input) in inputs.iter().enumerate() {
            place.insert(input, i);
        }
        let mut needed: Vec<TermId> = outputs.to_vec();
        let mut all = std::collections::BTreeSet::new();
        while let Some(term) = needed.pop() {
            if all.insert(term) {
                needed.extend(t.children(term));
            }
        }
        let mut steps = Vec::new();
        for term in all {
            if place.contains_key(&term) {
                continue;
            }
            let (mut from, mut widths) = ([0; 3], [0; 3]);
            for (i, child) in t.children(term).enumerate() {
                from[i] = place[&child];
                widths[i] = t.width(child);
            }
            place.insert(term, values.len());
            values.push(0);
            steps.push((t.node(term), t.width(term), from, widths));
        }
        Self {
            steps,
            n_inputs: inputs.len(),
            values,
            outputs: outputs.iter().map(|o| place[o]).collect(),
        }
    }

    fn eval(&mut self, inputs: &[u128]) -> Vec<u128> {
        self.values[..self.n_inputs].copy_from_slice(inputs);
        for (i, &(node, width, [a, b, c], [wa, wb, _])) in self.steps.iter().enumerate() {
            let v = &self.values;
            let value = match node {
                Node::Const(value) => value,
                Node::Unary(op, _) => apply_unary(op, v[a], wa, width),
                Node::Binary(op, ..) => apply_binary(op, v[a], v[b], wa, wb),
                Node::Ite(..) => v[if v[a] == 1 { b } else { c }],
                Node::Extract { hi, lo, .. } => apply_extract(hi, lo, v[a]),
                Node::Var(_) | Node::Select(..) => panic!("not an input"),
            };
            self.values[self.n_inputs + i] = value;
        }
        self.outputs.iter().map(|&o| self.values[o]).collect()
    }
}

fn circuit(widths: &[u32], build: impl FnOnce(&mut Terms, &[TermId]) -> Vec<TermId>) -> Circuit {
    let mut t = Terms::new();
    let inputs: Vec<TermId> = widths.iter().map(|&w| t.bv_var("x", w)).collect();
    let outputs = build(&mut t, &inputs);
    Circuit::new(&t, &inputs, &outputs)
}

/// 3 bits of exponent, 3 of stored significand.
struct Toy;
impl Semantics for Toy {
    const BITS: usize = 7;
    const EXP_BITS: usize = 3;
}
const TOY: Format = Format {
    exponent: 3,
    precision: 4,
};
type ToyFloat = IeeeFloat<Toy>;

/// 4 bits of exponent, 2 of stored significand.
struct Other;
impl Semantics for Other {
    const BITS: usize = 7;
    const EXP_BITS: usize = 4;
}
const OTHER: Format = Format {
    exponent: 4,
    precision: 3,
};
type OtherFloat = IeeeFloat<Other>;

fn rounding(mode: Mode) -> Round {
    match mode {
        Mode::NearestEven => Round::NearestTiesToEven,
        Mode::NearestAway => Round::NearestTiesToAway,
        Mode::TowardPositive => Round::TowardPositive,
        Mode::TowardNegative => Round::TowardNegative,
        Mode::TowardZero => Round::TowardZero,
    }
}

/// The bits agree, or both are NaN.
fn same<S: Semantics>(bits: u128, wanted: IeeeFloat<S>) -> bool {
    let own = IeeeFloat::<S>::from_bits(bits);
    (own.is_nan() && wanted.is_nan()) || bits == wanted.to_bits()
}

/// The value of a small float, which binary64 has exactly.
fn number(format: Format, bits: u128) -> f64 {
    let fraction = bits & mask(format.precision - 1);
    let field = (bits >> (format.precision - 1) & mask(format.exponent)) as i32;
    let bias = format.bias() as i32;
    let place = 1 - format.precision as i32;
    let size = if field == mask(format.exponent) as i32 {
        if fraction == 0 {
            f64::INFINITY
        } else {
            f64::NAN
        }
    } else if field == 0 {
        fraction as f64 * 2f64.powi(1 - bias + place)
    } else {
        (fraction | 1 << (format.precision - 1)) as f64 * 2f64.powi(field - bias + place)
    };
    if bits >> (format.width() - 1) == 1 {
        -size
    } else {
        size
    }
}

fn whole(mode: Mode, x: f64) -> f64 {
    match mode {
        Mode::NearestEven => x.round_ties_even(),
        Mode::NearestAway => x.round(),
        Mode::TowardPositive => x.ceil(),
        Mode::TowardNegative => x.floor(),
        Mode::TowardZero => x.trunc(),
    }
}

type Operation = fn(&mut Terms, Format, Mode, TermId, TermId) -> TermId;

fn all_pairs<S: Semantics>(
    format: Format,
    operation: Operation,
    reference: impl Fn(IeeeFloat<S>, IeeeFloat<S>, Round) -> IeeeFloat<S>,
) {
    for mode in Mode::ALL {
        let mut c = circuit(&[format.width(); 2], |t, x| {
            vec![operation(t, format, mode, x[0], x[1])]
        });
        for a in 0..=mask(format.width()) {
            for b in 0..=mask(format.width()) {
                let found = c.eval(&[a, b])[0];
                let (x, y) = (IeeeFloat::from_bits(a), IeeeFloat::from_bits(b));
                let wanted = reference(x, y, rounding(mode));
                assert!(
                    same(found, wanted),
                    "{x:?} and {y:?} in {mode:?}: {found:#x}, not {wanted:?}"
                );
            }
        }
    }
}

#[test]
fn sums_of_all_small_floats() {
    all_pairs::<Toy>(TOY, float::add, |x, y, r| x.add_r(y, r).value);
    all_pairs::<Other>(OTHER, float::add, |x, y, r| x.add_r(y, r).value);
    all_pairs::<Toy>(TOY, float::subtract, |x, y, r| x.sub_r(y, r).value);
}

#[test]
fn products_of_all_small_floats() {
    all_pairs::<Toy>(TOY, float::multiply, |x, y, r| x.mul_r(y, r).value);
    all_pairs::<Other>(OTHER, float::multiply, |x, y, r| x.mul_r(y, r).value);
}

#[test]
fn quotients_of_all_small_floats() {
    all_pairs::<Toy>(TOY, float::divide, |x, y, r| x.div_r(y, r).value);
    all_pairs::<Other>(OTHER, float::divide, |x, y, r| x.div_r(y, r).value);
}

#[test]
fn remainders_of_all_small_floats() {
    let whole: Operation = |t, format, _, a, b| {
        let (value, beyond) = float::remainder(t, format, u32::MAX, a, b);
        let never = t.not(beyond);
        let bad = t.bv(1, format.width());
        t.ite(never, value, bad)
    };
    all_pairs::<Toy>(TOY, whole, |x, y, _| {
        if x.is_finite() && y.is_infinite() {
            x
        } else {
            x.c_fmod(y).value
        }
    });
    // With fewer steps the answer is right wherever it is given.
    let mut c = circuit(&[7, 7], |t, x| {
        let (value, beyond) = float::remainder(t, TOY, 2, x[0], x[1]);
        let beyond = t.bool_to_bv(beyond, 1);
        vec![value, beyond]
    });
    let mut n_beyond = 0;
    for a in 0..128 {
        for b in 0..128 {
            let [value, beyond] = c.eval(&[a, b])[..] else {
                panic!()
            };
            let (x, y) = (ToyFloat::from_bits(a), ToyFloat::from_bits(b));
            n_beyond += beyond;
            let wanted = if x.is_finite() && y.is_infinite() {
                x
            } else {
                x.c_fmod(y).value
            };
            assert!(beyond == 1 || same(value, wanted), "{x:?} by {y:?}");
        }
    }
    assert!((1..6000).contains(&n_beyond), "{n_beyond}");
}

#[test]
fn comparisons_of_all_small_floats() {
    let mut c = circuit(&[7, 7], |t, x| {
        let list = [
            float::equal(t, TOY, x[0], x[1]),
            float::less(t, TOY, x[0], x[1]),
            float::less_or_equal(t, TOY, x[0], x[1]),
        ];
        list.map(|b| t.bool_to_bv(b, 1)).to_vec()
    });
    for a in 0..128 {
        for b in 0..128 {
            let (x, y) = (ToyFloat::from_bits(a), ToyFloat::from_bits(b));
            let wanted = [x == y, x < y, x <= y].map(u128::from);
            assert_eq!(c.eval(&[a, b]), wanted, "{x:?} and {y:?}");
        }
    }
}

/// Constants on either side take shorter ways.
#[test]
fn operations_with_a_constant() {
    type Reference = fn(ToyFloat, ToyFloat) -> ToyFloat;
    let operations: [(Operation, Reference); 4] = [
        (float::add, |x, y| {
            x.add_r(y, Round::NearestTiesToEven).value
        }),
        (float::subtract, |x, y| {
            x.sub_r(y, Round::NearestTiesToEven).value
        }),
        (float::multiply, |x, y| {
            x.mul_r(y, Round::NearestTiesToEven).value
        }),
        (float::divide, |x, y| {
            x.div_r(y, Round::NearestTiesToEven).value
        }),
    ];
    for (operation, reference) in operations {
        for b in 0..128 {
            let mut c = circuit(&[7], |t, x| {
                let constant = t.bv(b, 7);
                let mode = Mode::NearestEven;
                vec![
                    operation(t, TOY, mode, x[0], constant),
                    operation(t, TOY, mode, constant, x[0]),
                ]
            });
            for a in 0..128 {
                let (x, y) = (ToyFloat::from_bits(a), ToyFloat::from_bits(b));
                let [left, right] = c.eval(&[a])[..] else {
                    panic!()
                };
                assert!(same(left, reference(x, y)), "{x:?} and {y:?}");
                assert!(same(right, reference(y, x)), "{y:?} and {x:?}");
            }
        }
    }
}

#[test]
fn fused_products_of_all_small_floats() {
    // 3 and 2 bits: 262,144 triples in each mode.
    struct Tiny;
    impl Semantics for Tiny {
        const BITS: usize = 6;
        const EXP_BITS: usize = 3;
    }
    let format = Format {
        exponent: 3,
        precision: 3,
    };
    for mode in Mode::ALL {
        let mut c = circuit(&[6; 3], |t, x| {
            vec![float::fma(t, format, mode, x[0], x[1], x[2])]
        });
        for bits in 0..1u128 << 18 {
            let (a, b, d) = (bits & 63, bits >> 6 & 63, bits >> 12);
            let [x, y, z] = [a, b, d].map(IeeeFloat::<Tiny>::from_bits);
            let wanted = x.mul_add_r(y, z, rounding(mode)).value;
            let found = c.eval(&[a, b, d])[0];
            assert!(
                same(found, wanted),
                "{x:?} * {y:?} + {z:?} in {mode:?}: {found:#x}, not {wanted:?}"
            );
        }
    }
}

#[test]
fn roots_of_all_small_floats() {
    for mode in Mode::ALL {
        for format in [TOY, OTHER] {
            let mut c = circuit(&[7], |t, x| vec![float::sqrt(t, format, mode, x[0])]);
            for a in 0..128 {
                let found = c.eval(&[a])[0];
                check_root(format, a, found, mode);
            }
        }
    }
}

/// By the definition: no other value of the format is nearer, or on the right side.
fn check_root(format: Format, a: u128, found: u128, mode: Mode) {
    let number = |bits: u128| number(format, bits);
    let (x, root) = (number(a), number(found));
    if x.is_nan() || x < 0.0 {
        assert!(root.is_nan(), "{x}");
        return;
    }
    if x == 0.0 || x.is_infinite() {
        assert_eq!(a, found, "{x}");
        return;
    }
    // Squares of values and of midpoints of two are exact in binary64.
    let (below, above) = (number(found - 1), number(found + 1));
    let (low, high) = ((below + root) / 2.0, (root + above) / 2.0);
    let fits = match mode {
        Mode::NearestEven | Mode::NearestAway => low * low <= x && x <= high * high,
        Mode::TowardPositive => root * root >= x && (found == 1 || below * below < x),
        Mode::TowardNegative | Mode::TowardZero => root * root <= x && above * above > x,
    };
    assert!(fits, "sqrt {x} is not {root} in {mode:?}");
}

#[test]
fn whole_numbers_near_all_small_floats() {
    for mode in Mode::ALL {
        for format in [TOY, OTHER] {
            let mut c = circuit(&[7], |t, x| vec![float::to_integral(t, format, mode, x[0])]);
            for a in 0..128 {
                let (x, found) = (number(format, a), number(format, c.eval(&[a])[0]));
                let wanted = whole(mode, x);
                // The sign of zero is that of the operand.
                assert!(
                    found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan(),
                    "{x} in {mode:?}: {found}, not {wanted}"
                );
            }
        }
    }
}

#[test]
fn integers_of_all_small_floats_and_back() {
    for mode in Mode::ALL {
        for width in 1..=9 {
            for is_signed in [false, true] {
                let mut c = circuit(&[7], |t, x| {
                    let found = float::to_integer(t, OTHER, mode, x[0], width, is_signed).unwrap();
                    vec![found.value, t.bool_to_bv(found.fits, 1)]
                });
                for a in 0..128 {
                    let x = number(OTHER, a);
                    let value = whole(mode, x);
                    let (low, high) = if is_signed {
                        (-(2f64.powi(width as i32 - 1)), 2f64.powi(width as i32 - 1))
                    } else {
                        (0.0, 2f64.powi(width as i32))
                    };
                    let invalid = !(value >= low && value < high);
                    let value = value as i128 as u128 & mask(width);
                    let [found, fits] = c.eval(&[a])[..] else {
                        panic!()
                    };
                    assert_eq!(
                        fits == 0,
                        invalid,
                        "{x:?} to {width} bits, {is_signed}, {mode:?}"
                    );
                    assert!(
                        invalid || found == value,
                        "{x:?} to {width} bits: {found}, not {value}"
                    );
                }
                let mut c = circuit(&[width], |t, x| {
                    vec![float::from_integer(t, TOY, mode, x[0], is_signed)]
                });
                for a in 0..=mask(width) {
                    let wanted: ToyFloat = if is_signed {
                        let a = idiolect_smt::semantics::to_signed(a, width);
                        ToyFloat::from_i128_r(a, rounding(mode)).value
                    } else {
                        ToyFloat::from_u128_r(a, rounding(mode)).value
                    };
                    let found = c.eval(&[a])[0];
                    assert!(
                        same(found, wanted),
                        "{a} of {width} bits, {is_signed}, {mode:?}: {found:#x}"
                    );
                }
            }
        }
    }
}

#[test]
fn small_floats_in_the_other_format() {
    for mode in Mode::ALL {
        let mut c = circuit(&[7], |t, x| {
            vec![
                float::to_format(t, TOY, OTHER, mode, x[0]),
                float::to_format(t, OTHER, TOY, mode, x[0]),
            ]
        });
        for a in 0..128 {
            let [there, back] = c.eval(&[a])[..] else {
                panic!()
            };
            let mut loses = false;
            let wanted: OtherFloat = ToyFloat::from_bits(a)
                .convert_r(rounding(mode), &mut loses)
                .value;
            assert!(
                same(there, wanted),
                "{a:#x} in {mode:?}: {there:#x}, not {wanted:?}"
            );
            let wanted: ToyFloat = OtherFloat::from_bits(a)
                .convert_r(rounding(mode), &mut loses)
                .value;
            assert!(
                same(back, wanted),
                "{a:#x} in {mode:?}: {back:#x}, not {wanted:?}"
            );
        }
    }
}

/// Where to begin, and the pairs that are drawn for each operation on binary32 and binary64:
/// `IDIOLECT_FLOATS='1 10000000'` draws others, and more of them.
fn range() -> (u64, u64) {
    let given = std::env::var("IDIOLECT_FLOATS").unwrap_or_default();
    let mut numbers = given.split(' ').filter_map(|n| n.parse().ok());
    match (numbers.next(), numbers.next()) {
        (Some(first), Some(count)) => (first, count),
        _ => (0, 20_000),
    }
}

/// Bits of all kinds: uniform ones are nearly all far apart in size, so that most sums are trivial.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn value(&mut self, format: Format) -> u128 {
        let special = specials(format);
        let bits = u128::from(self.next()) & mask(format.width());
        let fraction = mask(format.precision - 1);
        let one = (mask(format.exponent) >> 1) << (format.precision - 1);
        match self.next() % 8 {
            0 => special[self.next() as usize % special.len()],
            1 | 2 => bits,
            // Near each other in size, some with few bits set.
            3 | 4 => {
                let near = one + (u128::from(self.next() % 8) << (format.precision - 1));
                let sign = 1 << (format.width() - 1);
                near | (bits & (fraction | sign))
            }
            5 => one | (bits & fraction) & (u128::from(self.next()) & u128::from(self.next())),
            // Subnormal and just above.
            6 => bits & (fraction << 1 | 1),
            _ => {
                let small = f64::from(self.next() as i16);
                match format {
                    Format::BINARY32 => u128::from((small as f32).to_bits()),
                    _ => u128::from(small.to_bits()),
                }
            }
        }
    }
}

fn specials(format: Format) -> Vec<u128> {
    let hidden = 1 << (format.precision - 1);
    let infinity = mask(format.exponent) << (format.precision - 1);
    let one = (mask(format.exponent) >> 1) << (format.precision - 1);
    let positive = [
        0,
        1,
        2,
        hidden - 1,
        hidden,
        hidden + 1,
        one - 1,
        one,
        one + 1,
        one + hidden,
        one + hidden / 2,
        infinity - 1,
        infinity - hidden,
        infinity,
        infinity + 1,
        infinity + hidden / 2,
    ];
    let sign = 1 << (format.width() - 1);
    positive.iter().flat_map(|&p| [p, p | sign]).collect()
}

/// All pairs of special values, and random ones.
fn samples(format: Format) -> impl Iterator<Item = (u128, u128)> {
    let special = specials(format);
    let mut list: Vec<(u128, u128)> = Vec::new();
    for &a in &special {
        list.extend(special.iter().map(|&b| (a, b)));
    }
    let (first, count) = range();
    let mut draw = Draw(u64::from(format.width()) + (first << 32));
    let random = (0..count).map(move |_| (draw.value(format), draw.value(format)));
    list.into_iter().chain(random)
}

/// The same bits, or both NaN.
fn agree(format: Format, found: u128, wanted: u128) -> bool {
    let is_nan = |bits: u128| bits & mask(format.width() - 1) > format.infinity();
    found == wanted || (is_nan(found) && is_nan(wanted))
}

macro_rules! against_machine {
    ($name:ident, $float:ident, $bits:ident, $format:expr) => {
        #[test]
        fn $name() {
            let format = $format;
            let width = format.width();
            let mode = Mode::NearestEven;
            let mut c = circuit(&[width; 2], |t, x| {
                let (a, b) = (x[0], x[1]);
                let (fmod, beyond) = float::remainder(t, format, 40, a, b);
                let compared = [
                    float::equal(t, format, a, b),
                    float::less(t, format, a, b),
                    float::less_or_equal(t, format, a, b),
                    beyond,
                ];
                let compared = compared.map(|c| t.bool_to_bv(c, 1));
                let mut outputs = vec![
                    float::add(t, format, mode, a, b),
                    float::subtract(t, format, mode, a, b),
                    float::multiply(t, format, mode, a, b),
                    float::divide(t, format, mode, a, b),
                    float::sqrt(t, format, mode, a),
                    float::fma(t, format, mode, a, b, a),
                    float::to_integral(t, format, Mode::TowardNegative, a),
                    float::to_integral(t, format, Mode::TowardPositive, a),
                    float::to_integral(t, format, Mode::TowardZero, a),
                    float::to_integral(t, format, Mode::NearestAway, a),
                    float::to_integral(t, format, Mode::NearestEven, a),
                    fmod,
                ];
                outputs.extend(compared);
                outputs
            });
            for (a, b) in samples(format) {
                let (x, y) = ($float::from_bits(a as $bits), $float::from_bits(b as $bits));
                let wanted = [
                    x + y,
                    x - y,
                    x * y,
                    x / y,
                    x.sqrt(),
                    x.mul_add(y, x),
                    x.floor(),
                    x.ceil(),
                    x.trunc(),
                    x.round(),
                    x.round_ties_even(),
                    x % y,
                ];
                let found = c.eval(&[a, b]);
                let beyond = found[15] == 1;
                for (i, wanted) in wanted.iter().enumerate() {
                    assert!(
                        agree(format, found[i], u128::from(wanted.to_bits())) || i == 11 && beyond,
                        "operation {i} on {x:e} and {y:e}: {:#x}, not {wanted:e}",
                        found[i]
                    );
                }
                let wanted = [x == y, x < y, x <= y].map(u128::from);
                assert_eq!(found[12..15], wanted, "{x:e} and {y:e}");
            }
        }
    };
}

against_machine!(binary32_as_the_machine_has_it, f32, u32, Format::BINARY32);
against_machine!(binary64_as_the_machine_has_it, f64, u64, Format::BINARY64);

#[test]
fn conversions_as_the_machine_has_them() {
    let (single, double) = (Format::BINARY32, Format::BINARY64);
    let mode = Mode::NearestEven;
    let mut c = circuit(&[64], |t, x| {
        let low = t.extract(31, 0, x[0]);
        let word = float::to_integer(t, double, Mode::TowardZero, x[0], 64, true).unwrap();
        let unsigned = float::to_integer(t, double, Mode::TowardZero, x[0], 64, false).unwrap();
        let half = float::to_integer(t, single, Mode::TowardZero, low, 32, true).unwrap();
        vec![
            float::from_integer(t, double, mode, x[0], true),
            float::from_integer(t, double, mode, x[0], false),
            float::from_integer(t, single, mode, x[0], true),
            float::from_integer(t, single, mode, low, false),
            float::to_format(t, double, single, mode, x[0]),
            float::to_format(t, single, double, mode, low),
            word.value,
            t.bool_to_bv(word.fits, 1),
            unsigned.value,
            t.bool_to_bv(unsigned.fits, 1),
            half.value,
            t.bool_to_bv(half.fits, 1),
        ]
    });
    for (a, b) in samples(double) {
        for bits in [a, b, a >> 12, a ^ b >> 32] {
            let word = bits as u64;
            let low = f32::from_bits(word as u32);
            let x = f64::from_bits(word);
            let found = c.eval(&[u128::from(word)]);
            assert_eq!(found[0], u128::from((word as i64 as f64).to_bits()));
            assert_eq!(found[1], u128::from((word as f64).to_bits()));
            assert_eq!(found[2], u128::from((word as i64 as f32).to_bits()));
            assert_eq!(found[3], u128::from((word as u32 as f32).to_bits()));
            assert!(
                agree(single, found[4], u128::from((x as f32).to_bits())),
                "{x:e}"
            );
            assert!(
                agree(double, found[5], u128::from(f64::from(low).to_bits())),
                "{low:e}"
            );
            // Rust saturates, so a value that fits is one that is not at the end, or is exact.
            let fits = x.trunc() >= -(2f64.powi(63)) && x.trunc() < 2f64.powi(63);
            assert_eq!(found[7], u128::from(fits), "{x:e}");
            assert!(!fits || found[6] == u128::from(x as i64 as u64), "{x:e}");
            let fits = x.trunc() >= 0.0 && x.trunc() < 2f64.powi(64);
            assert_eq!(found[9], u128::from(fits), "{x:e}");
            assert!(!fits || found[8] == u128::from(x as u64), "{x:e}");
            let fits = low.trunc() >= -(2f32.powi(31)) && low.trunc() < 2f32.powi(31);
            assert_eq!(found[11], u128::from(fits), "{low:e}");
            assert!(
                !fits || found[10] == u128::from(low as i32 as u32),
                "{low:e}"
            );
        }
    }
}

/// The solver, on questions with known answers.
#[test]
fn the_solver_knows_floats() {
    let format = Format::BINARY32;
    let mode = Mode::NearestEven;
    let mut t = Terms::new();
    let mut solver = Solver::new();
    let (x, y) = (t.bv_var("x", 32), t.bv_var("y", 32));
    let budget = Budget::unlimited();
    // Addition commutes, NaN aside; it is not associative.
    let (xy, yx) = (
        float::add(&mut t, format, mode, x, y),
        float::add(&mut t, format, mode, y, x),
    );
    let same = t.eq(xy, yx);
    let nan = float::is_nan(&mut t, format, xy);
    let fine = t.or(same, nan);
    let wrong = t.not(fine);
    assert!(solver.check(&t, &[wrong], &budget).is_unsat());
    let back = float::subtract(&mut t, format, mode, xy, y);
    let lost = float::equal(&mut t, format, back, x);
    let lost = t.not(lost);
    let nan = float::is_nan(&mut t, format, back);
    let number = t.not(nan);
    let found = solver.check(&t, &[lost, number], &budget);
    let idiolect_smt::Outcome::Sat(model) = found else {
        panic!("some sum loses bits");
    };
    let (a, b) = (model.eval(&t, x) as u32, model.eval(&t, y) as u32);
    let (a, b) = (f32::from_bits(a), f32::from_bits(b));
    assert!(a + b - b != a, "{a:e} {b:e}");
    assert_eq!(t.sort(lost), Sort::Bool);
}

/// `x - x³/6 + x⁵/120` for x between -1 and 1, above `bound`, asked with so few conflicts that gates alone do not settle it.
fn series_above(bound: f32) -> Outcome {
    let mut t = Terms::new();
    let (format, mode) = (Format::BINARY32, Mode::NearestEven);
    let x = t.bv_var("x", 32);
    let mut constant = |c: f32| t.bv(u128::from(c.to_bits()), 32);
    let (least, most) = (constant(-1.0), constant(1.0));
    let (six, many, bound) = (constant(6.0), constant(120.0), constant(bound));
    let inside = [
        float::less_or_equal(&mut t, format, least, x),
        float::less_or_equal(&mut t, format, x, most),
    ];
    let square = float::multiply(&mut t, format, mode, x, x);
    let cube = float::multiply(&mut t, format, mode, square, x);
    let fifth = float::multiply(&mut t, format, mode, cube, square);
    let (second, third) = (
        float::divide(&mut t, format, mode, cube, six),
        float::divide(&mut t, format, mode, fifth, many),
    );
    let sum = float::subtract(&mut t, format, mode, x, second);
    let sum = float::add(&mut t, format, mode, sum, third);
    let above = float::less(&mut t, format, bound, sum);
    let mut solver = Solver::new();
    for condition in inside {
        solver.assert(&t, condition);
    }
    let outcome = solver.check(&t, &[above], &Budget::steps(20_000));
    if let Outcome::Sat(model) = &outcome {
        assert!(model.eval_bool(&t, above) && model.eval_bool(&t, inside[1]));
    }
    outcome
}

#[test]
fn series_are_settled_by_intervals() {
    // Its largest value is 0.841666…
    assert!(series_above(0.8420).is_unsat());
    assert!(series_above(0.8417).is_unsat());
    assert!(series_above(0.8416).is_sat());
}

#[test]
fn numbers_of_both_signs_have_squares_that_are_not_negative() {
    let mut t = Terms::new();
    let (format, mode) = (Format::BINARY64, Mode::NearestEven);
    let (x, y) = (t.bv_var("x", 64), t.bv_var("y", 64));
    let one = t.bv(u128::from(1.0f64.to_bits()), 64);
    let zero = t.bv(0, 64);
    let squares = [x, y].map(|v| float::multiply(&mut t, format, mode, v, v));
    let sum = float::add(&mut t, format, mode, squares[0], squares[1]);
    let sum = float::add(&mut t, format, mode, sum, one);
    let root = float::sqrt(&mut t, format, mode, sum);
    let below = float::less(&mut t, format, root, one);
    let mut solver = Solver::new();
    let outcome = solver.check(&t, &[below], &Budget::steps(20_000));
    assert!(outcome.is_unsat());
    // But not a number is not one.
    let not = float::less_or_equal(&mut t, format, zero, squares[0]);
    let not = t.not(not);
    assert!(solver.check(&t, &[not], &Budget::steps(20_000)).is_sat());
}
