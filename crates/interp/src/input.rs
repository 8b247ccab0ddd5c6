//! Where a run's inputs come from.

use idiolect_base::Rng;
use idiolect_ir::{CType, InputId, InputKind, Program, Ty};

/// What a run wants to know.
#[derive(Clone, Copy, Debug)]
pub struct InputRequest<'a> {
    pub program: &'a Program,
    pub origin: InputOrigin,
    pub ty: Ty,
    /// Whether C reads the value as signed.
    pub signed: bool,
}

impl InputRequest<'_> {
    /// The kind of the place in the program, unless unwritten memory is read.
    pub fn kind(&self) -> Option<&InputKind> {
        match self.origin {
            InputOrigin::Site(id) => Some(&self.program.inputs[id.index()].kind),
            InputOrigin::Unwritten(_) => None,
        }
    }
}

/// Why a value was needed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InputOrigin {
    Site(InputId),
    /// Memory was read that nobody wrote.
    Unwritten(Unwritten),
}

/// A piece of unwritten memory, told in a way that does not depend on object numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Unwritten {
    pub object: ObjectKind,
    pub offset: u32,
    pub size: u32,
}

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ObjectKind {
    Global(idiolect_ir::GlobalId),
    Function(idiolect_ir::FuncId),
    Local {
        function: idiolect_ir::FuncId,
        local: idiolect_ir::LocalId,
    },
    /// The n-th block that the run took from the heap, counted from 0.
    Heap {
        number: u32,
    },
    /// The n-th piece of `alloca` memory, counted from 0.
    Alloca {
        number: u32,
    },
}

/// A value that a run used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DrawnInput {
    pub origin: InputOrigin,
    pub ty: Ty,
    pub signed: bool,
    /// The bits, zero-extended.
    pub bits: u128,
}

impl DrawnInput {
    /// An integer as C reads it. Floats and pointers give their bits.
    pub fn as_integer(&self) -> i128 {
        match self.ty {
            Ty::Int(width) if self.signed => sign_extend(self.bits, width),
            _ => self.bits as i128,
        }
    }
}

/// A value of `width` bits as a signed number.
pub(crate) fn sign_extend(bits: u128, width: u8) -> i128 {
    let shift = 128 - u32::from(width);
    ((bits << shift) as i128) >> shift
}

/// Gives inputs, one at a time.
pub trait InputSource {
    /// The bits of the next input; bits beyond the type's width are ignored. `None` ends the run.
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128>;
}

impl<S: InputSource + ?Sized> InputSource for &mut S {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        (**self).next(request)
    }
}

impl<S: InputSource + ?Sized> InputSource for Box<S> {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        (**self).next(request)
    }
}

/// The run ends at the first input.
#[derive(Clone, Copy, Debug)]
pub struct NoInputs;

impl InputSource for NoInputs {
    fn next(&mut self, _: &InputRequest<'_>) -> Option<u128> {
        None
    }
}

/// Every input is zero, except that standard input is at its end.
#[derive(Clone, Copy, Debug)]
pub struct ZeroInputs;

impl InputSource for ZeroInputs {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        Some(match request.kind() {
            Some(InputKind::Stdin) => u128::MAX,
            _ => 0,
        })
    }
}

/// A list, then another source.
#[derive(Clone, Debug)]
pub struct FixedInputs<S> {
    values: std::vec::IntoIter<u128>,
    rest: S,
}

impl<S: InputSource> FixedInputs<S> {
    pub fn new(values: Vec<u128>, rest: S) -> Self {
        Self {
            values: values.into_iter(),
            rest,
        }
    }
}

impl<S: InputSource> InputSource for FixedInputs<S> {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        match self.values.next() {
            Some(value) => Some(value),
            None => self.rest.next(request),
        }
    }
}

/// Bytes for standard input, then -1; all other inputs come from another source.
#[derive(Clone, Debug)]
pub struct StdinInputs<S> {
    bytes: std::vec::IntoIter<u8>,
    rest: S,
}

impl<S: InputSource> StdinInputs<S> {
    pub fn new(bytes: Vec<u8>, rest: S) -> Self {
        Self {
            bytes: bytes.into_iter(),
            rest,
        }
    }
}

impl<S: InputSource> InputSource for StdinInputs<S> {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        match request.kind() {
            Some(InputKind::Stdin) => Some(self.bytes.next().map_or(u128::MAX, u128::from)),
            _ => self.rest.next(request),
        }
    }
}

/// How random integers are spread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Spread {
    /// Every value of the type is as likely as any other.
    Uniform,
    /// Half of them within 16 of zero, a quarter of any number of bits, an eighth at the ends of
    /// the type's range, the rest uniform.
    #[default]
    Mixed,
}

/// Random values. Pointers are null, since no other address means anything to the program.
#[derive(Clone, Debug)]
pub struct RandomInputs {
    rng: Rng,
    spread: Spread,
}

impl RandomInputs {
    pub fn new(rng: Rng, spread: Spread) -> Self {
        Self { rng, spread }
    }

    fn uniform(&mut self) -> u128 {
        u128::from(self.rng.next_u64()) << 64 | u128::from(self.rng.next_u64())
    }

    fn integer(&mut self, width: u8, signed: bool) -> u128 {
        if self.spread == Spread::Uniform {
            return self.uniform();
        }
        match self.rng.below(8) {
            0..4 if signed => (self.rng.below(33) as i128 - 16) as u128,
            0..4 => u128::from(self.rng.below(17)),
            4..6 => {
                let bits = self.rng.below(u64::from(width)) as u32 + 1;
                let value = self.uniform() >> (128 - bits);
                if signed && self.rng.chance(1, 2) {
                    value.wrapping_neg()
                } else {
                    value
                }
            }
            6 => {
                let low = if signed { 1u128 << (width - 1) } else { 0 };
                let delta = u128::from(self.rng.below(3));
                if self.rng.chance(1, 2) {
                    low.wrapping_add(delta)
                } else {
                    low.wrapping_sub(1).wrapping_sub(delta)
                }
            }
            _ => self.uniform(),
        }
    }

    fn float(&mut self) -> f64 {
        match self.rng.below(8) {
            0..4 => self.rng.below(33) as f64 - 16.0,
            4..6 => (self.rng.unit() - 0.5) * 2000.0,
            6 => [
                0.0,
                -0.0,
                f64::INFINITY,
                f64::NAN,
                f64::MIN_POSITIVE,
                f64::MAX,
            ][self.rng.below(6) as usize],
            _ => f64::from_bits(self.rng.next_u64()),
        }
    }
}

impl InputSource for RandomInputs {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        match request.kind() {
            // Texts: mostly printable, with an end now and then.
            Some(InputKind::Stdin) => {
                return Some(match self.rng.below(16) {
                    0 => u128::MAX,
                    1 => 10,
                    2 => u128::from(self.rng.below(256)),
                    3..6 => u128::from(b'0') + u128::from(self.rng.below(10)),
                    _ => 32 + u128::from(self.rng.below(95)),
                });
            }
            Some(InputKind::ArgumentByte { .. } | InputKind::VariableByte { .. }) => {
                return Some(match self.rng.below(4) {
                    0 => 0,
                    _ => 32 + u128::from(self.rng.below(95)),
                });
            }
            Some(InputKind::ArgumentCount) => return Some(u128::from(self.rng.below(5))),
            Some(InputKind::Variable(_)) => return Some(u128::from(self.rng.below(2))),
            // What is not modelled would only end the run.
            Some(InputKind::Effect(_)) => return Some(0),
            _ => {}
        }
        if let InputOrigin::Site(id) = request.origin {
            let ty = request.program.inputs[id.index()].ty;
            if *request.program.types.get(ty) == CType::Bool {
                return Some(u128::from(self.rng.below(2)));
            }
        }
        Some(match request.ty {
            Ty::Int(width) => self.integer(width, request.signed),
            Ty::Ptr => 0,
            Ty::F32 => u128::from((self.float() as f32).to_bits()),
            Ty::F64 => u128::from(self.float().to_bits()),
            Ty::F80 => {
                let value = self.float();
                crate::float80::from_f64(value)
            }
        })
    }
}
