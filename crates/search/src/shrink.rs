//! Making the inputs of a failing run small: as few, as near to zero, as readable as still fail in the same way.
//!
//! Deterministic and greedy: the end of the list is cut off (inputs that are not given are zero), then each
//! input in turn is replaced by simpler values, until nothing changes or the budget is used up.

use idiolect_base::Budget;
use idiolect_interp::{DrawnInput, InputOrigin};
use idiolect_ir::{InputKind, Program, Ty};

/// So many runs are tried at most.
const MAX_TRIES: u32 = 3_000;
/// Longer lists are only cut.
const MAX_EACH: usize = 400;

/// Smaller inputs of a run of the program. `try_run` runs the program on a list of bits, zeros after it, and gives the inputs that
/// were drawn if the run still fails in the same way. It is given no more runs than a fixed number.
pub fn shrink(
    program: &Program,
    inputs: &[DrawnInput],
    budget: &Budget,
    mut try_run: impl FnMut(&[u128]) -> Option<Vec<DrawnInput>>,
) -> Vec<DrawnInput> {
    let mut shrinker = Shrinker {
        program,
        best: inputs.to_vec(),
        tries: 0,
        budget,
        try_run: &mut try_run,
    };
    shrinker.cut();
    for _ in 0..4 {
        let before = shrinker.best.clone();
        shrinker.each();
        if shrinker.best == before || shrinker.is_over() {
            break;
        }
    }
    shrinker.best
}

struct Shrinker<'a> {
    program: &'a Program,
    best: Vec<DrawnInput>,
    tries: u32,
    budget: &'a Budget,
    try_run: &'a mut dyn FnMut(&[u128]) -> Option<Vec<DrawnInput>>,
}

impl Shrinker<'_> {
    fn is_over(&self) -> bool {
        self.tries >= MAX_TRIES || self.budget.look().is_err()
    }

    /// Takes the candidate if its run fails in the same way with simpler inputs.
    fn accept(&mut self, candidate: &[u128]) -> bool {
        if self.is_over() {
            return false;
        }
        self.tries += 1;
        match (self.try_run)(candidate) {
            Some(drawn) if cost(self.program, &drawn) < cost(self.program, &self.best) => {
                self.best = drawn;
                true
            }
            _ => false,
        }
    }

    fn bits(&self) -> Vec<u128> {
        self.best.iter().map(|i| i.bits).collect()
    }

    /// All zeros, then halves and quarters of the list.
    fn cut(&mut self) {
        let mut step = self.best.len();
        while step > 0 {
            let bits = self.bits();
            let keep = bits.len().saturating_sub(step);
            if !self.accept(&bits[..keep]) {
                step /= 2;
            } else {
                step = step.min(self.best.len());
            }
            if self.is_over() {
                return;
            }
        }
    }

    fn each(&mut self) {
        if self.best.len() > MAX_EACH {
            return;
        }
        let mut i = 0;
        while i < self.best.len() && !self.is_over() {
            let input = self.best[i];
            // Without the input, those after it move up; a list that is used so gets shorter.
            let mut bits = self.bits();
            bits.remove(i);
            if self.accept(&bits) {
                continue;
            }
            for value in simpler(self.program, &input) {
                let mut bits = self.bits();
                if bits.get(i) == Some(&value) {
                    break;
                }
                bits[i] = value;
                if self.accept(&bits) {
                    break;
                }
            }
            if let Some(&now) = self.best.get(i)
                && now.bits != 0
            {
                self.halve(i);
            }
            i += 1;
        }
    }

    /// Toward zero by halves, then by single steps near the place where it stops failing.
    fn halve(&mut self, i: usize) {
        for _ in 0..130 {
            let Some(input) = self.best.get(i).copied() else {
                return;
            };
            let Ty::Int(width) = input.ty else {
                return;
            };
            let value = input.as_integer();
            let mut changed = false;
            // A half, three quarters, one less: all of smaller magnitude.
            for smaller in [value / 2, value - value / 4, value - value.signum()] {
                if smaller == value || smaller.unsigned_abs() >= value.unsigned_abs() {
                    continue;
                }
                let mut bits = self.bits();
                bits[i] = smaller as u128 & mask(width);
                if self.accept(&bits) {
                    changed = true;
                    break;
                }
            }
            if !changed || self.is_over() {
                return;
            }
        }
    }
}

fn mask(width: u8) -> u128 {
    if width >= 128 {
        u128::MAX
    } else {
        (1 << width) - 1
    }
}

/// A byte of standard input; -1 is its end.
fn is_stdin(program: &Program, input: &DrawnInput) -> bool {
    let InputOrigin::Site(site) = input.origin else {
        return false;
    };
    let site = program.inputs.get(site.index());
    site.is_some_and(|site| site.kind == InputKind::Stdin)
}

/// Values that people find simpler, the simplest first.
fn simpler(program: &Program, input: &DrawnInput) -> Vec<u128> {
    match input.ty {
        Ty::Int(width) if is_stdin(program, input) => {
            let readable = [b'a', b'0', b' ', b'x', b'\n'].map(u128::from);
            let end = [mask(width)].into_iter();
            end.chain(readable).chain(narrower(input, width)).collect()
        }
        Ty::Int(8) => {
            let mut values = vec![0, b'a', b'0', b' ', b'x'];
            // What nobody can read becomes something that one can, if anything will do.
            if !matches!(input.bits as u8, b' '..=b'~') {
                let mut readable: Vec<u8> = (b' '..=b'~').collect();
                readable.sort_by_key(|&byte| cost_of_byte(byte));
                values.extend(readable);
            }
            values.push(1);
            values.into_iter().map(u128::from).collect()
        }
        Ty::Int(width) => {
            let mut values: Vec<u128> = vec![0, 1];
            if input.signed {
                values.push(mask(width));
            }
            values.extend([2, 3, 4, 5, 8, 10, 100]);
            values.extend(narrower(input, width));
            values
        }
        Ty::F32 => vec![0, u128::from(1f32.to_bits())],
        Ty::F64 => vec![0, u128::from(1f64.to_bits())],
        _ => vec![0],
    }
}

/// The value cut to its lowest bytes: most code that looks at a part of a number looks at these.
fn narrower(input: &DrawnInput, width: u8) -> Vec<u128> {
    let mut values = Vec::new();
    for part in [8u8, 16, 32].into_iter().filter(|&part| part < width) {
        let low = input.bits & mask(part);
        values.push(low);
        if input.signed && low >> (part - 1) == 1 {
            values.push(low | (mask(width) & !mask(part)));
        }
    }
    values.retain(|&value| value != input.bits);
    values
}

/// How far a character is from what people like to read.
fn cost_of_byte(byte: u8) -> u128 {
    let from = |first: u8| u128::from(byte - first);
    match byte {
        b'a'..=b'z' => 10 + from(b'a'),
        b'0'..=b'9' | b'A'..=b'Z' => 40 + from(b'0'),
        b' '..=b'~' => 100 + from(0),
        _ => 300 + from(0),
    }
}

/// Fewer inputs first, then those near zero; printable characters before other bytes.
fn cost(program: &Program, inputs: &[DrawnInput]) -> (usize, u128) {
    let total = inputs.iter().fold(0u128, |sum, input| {
        let own = match input.ty {
            Ty::Int(_) if is_stdin(program, input) => match u8::try_from(input.as_integer()) {
                Ok(byte) => cost_of_byte(byte),
                Err(_) if input.as_integer() == -1 => 0,
                Err(_) => 1_000 + input.as_integer().unsigned_abs(),
            },
            Ty::Int(8) => match input.bits as u8 {
                0 => 0,
                byte => cost_of_byte(byte),
            },
            Ty::Int(_) => {
                let value = input.as_integer();
                2 * value.unsigned_abs() + u128::from(value < 0)
            }
            _ => input.bits,
        };
        sum.saturating_add(own)
    });
    (inputs.len(), total)
}

#[cfg(test)]
mod tests {
    use super::shrink;
    use idiolect_base::{Budget, SourceMap};
    use idiolect_interp::{DrawnInput, InputOrigin};
    use idiolect_ir::{InputId, InputKind, Program, Ty};

    fn program_of(text: &str) -> Program {
        let mut sources = SourceMap::new();
        let id = sources.add("a.i", text.to_owned());
        let compiled = idiolect_cfront::compile(sources, &[id], &Default::default());
        compiled.program.expect("a program")
    }

    /// It takes numbers, and no characters.
    fn program() -> Program {
        program_of("int nondet_int(void); int main(void) { return nondet_int(); }")
    }

    /// The end of the input where it may end, letters where it may not.
    #[test]
    fn standard_input_is_readable() {
        let program = program_of("int getchar(void); int main(void) { return getchar(); }");
        let site = program
            .inputs
            .iter()
            .position(|i| i.kind == InputKind::Stdin);
        let origin = InputOrigin::Site(InputId::new(site.expect("it reads")));
        let drawn = |bytes: &[i32]| -> Vec<DrawnInput> {
            let one = |&v: &i32| DrawnInput {
                origin,
                ty: Ty::Int(32),
                signed: true,
                bits: u128::from(v as u32),
            };
            bytes.iter().map(one).collect()
        };
        // It reads to the end, and fails on three characters.
        let small = shrink(
            &program,
            &drawn(&[1, 200, 0, -1]),
            &Budget::unlimited(),
            |bits| {
                let given = bits.iter().map(|&b| b as u32 as i32);
                let mut read: Vec<i32> = given.take_while(|&c| c != -1).collect();
                let fails = read.len() == 3;
                read.push(-1);
                fails.then(|| drawn(&read))
            },
        );
        assert_eq!(values(&small), [97, 97, 97, -1]);
    }

    /// A byte that nobody can read stays only where nothing that one can read will do.
    #[test]
    fn bytes_are_readable() {
        let drawn = |byte: u8| DrawnInput {
            origin: InputOrigin::Site(InputId::new(0)),
            ty: Ty::Int(8),
            signed: true,
            bits: u128::from(byte),
        };
        let of_byte = |from: u8, fails: &dyn Fn(u8) -> bool| {
            let small = shrink(&program(), &[drawn(from)], &Budget::unlimited(), |bits| {
                let byte = bits.first().map_or(0, |&b| b as u8);
                fails(byte).then(|| vec![drawn(byte)])
            });
            small[0].bits as u8
        };
        let is_tried_first = |b: u8| [0, b'a', b'0', b' ', b'x', 1].contains(&b);
        assert_eq!(of_byte(0x0f, &|b| !is_tried_first(b)), b'b');
        assert_eq!(of_byte(0x0f, &|b| b == 0x0f || b == b'7'), b'7');
        assert_eq!(of_byte(0xf0, &|b| b >= 0x80), 0xf0);
    }

    fn drawn(values: &[i64]) -> Vec<DrawnInput> {
        let one = |&v: &i64| DrawnInput {
            origin: InputOrigin::Site(InputId::new(0)),
            ty: Ty::Int(32),
            signed: true,
            bits: u128::from(v as u32),
        };
        values.iter().map(one).collect()
    }

    fn values(inputs: &[DrawnInput]) -> Vec<i128> {
        inputs.iter().map(DrawnInput::as_integer).collect()
    }

    /// A run that draws three inputs and fails if the condition holds.
    fn of_three(from: &[i64], fails: impl Fn(i128, i128, i128) -> bool) -> Vec<i128> {
        let small = shrink(&program(), &drawn(from), &Budget::unlimited(), |bits| {
            let mut all: Vec<i64> = bits.iter().map(|&b| i64::from(b as u32 as i32)).collect();
            all.resize(3, 0);
            let own = drawn(&all);
            let v = values(&own);
            fails(v[0], v[1], v[2]).then_some(own)
        });
        values(&small)
    }

    #[test]
    fn what_does_not_matter_becomes_zero() {
        assert_eq!(of_three(&[15, 2147483645, -15], |a, b, _| a < b), [0, 1, 0]);
        assert_eq!(of_three(&[7, 8, 9], |_, _, _| true), [0, 0, 0]);
    }

    /// Only the lowest byte of the first and the lowest 16 bits of the second matter.
    #[test]
    fn high_bits_that_do_not_matter_are_cleared() {
        let fails = |a: i128, b: i128, _| a as u8 == b'h' && b as i16 == -300;
        let small = of_three(&[0x7fff_ff68, 0x1234_fed4, 0], fails);
        assert_eq!(small, [104, -300, 0]);
    }

    #[test]
    fn a_threshold_is_found() {
        assert_eq!(of_three(&[99_999, 3, 4], |a, _, _| a > 1234), [1235, 0, 0]);
        assert_eq!(of_three(&[-99_999, 3, 4], |a, _, _| a < -77), [-78, 0, 0]);
        assert_eq!(of_three(&[999, 3, 4], |a, _, _| a == 999), [999, 0, 0]);
    }

    /// A run that reads until the first zero.
    #[test]
    fn lists_get_shorter() {
        let fails = |list: &[i64]| list.contains(&5);
        let small = shrink(
            &program(),
            &drawn(&[9, 9, 5, 9, 0]),
            &Budget::unlimited(),
            |bits| {
                let all = bits.iter().map(|&b| i64::from(b as u32 as i32));
                let mut read: Vec<i64> = all.take_while(|&v| v != 0).collect();
                read.push(0);
                fails(&read).then(|| drawn(&read))
            },
        );
        assert_eq!(values(&small), [5, 0]);
    }
}
