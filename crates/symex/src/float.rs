//! Arithmetic on constant `float`s and `double`s. Other floats are not modelled: `None`.

use idiolect_ir::{BinaryOp, ConvertOp, Ty};

pub(crate) fn binary(op: BinaryOp, ty: Ty, a: u128, b: u128) -> Option<u128> {
    macro_rules! compute {
        ($float:ident, $bits:ident) => {{
            let (x, y) = ($float::from_bits(a as $bits), $float::from_bits(b as $bits));
            match op {
                BinaryOp::FAdd => u128::from((x + y).to_bits()),
                BinaryOp::FSub => u128::from((x - y).to_bits()),
                BinaryOp::FMul => u128::from((x * y).to_bits()),
                BinaryOp::FDiv => u128::from((x / y).to_bits()),
                BinaryOp::FEq => u128::from(x == y),
                BinaryOp::FNe => u128::from(x != y),
                BinaryOp::FLt => u128::from(x < y),
                BinaryOp::FLe => u128::from(x <= y),
                _ => return None,
            }
        }};
    }
    match ty {
        Ty::F32 => Some(compute!(f32, u32)),
        Ty::F64 => Some(compute!(f64, u64)),
        _ => None,
    }
}

pub(crate) fn convert(op: ConvertOp, from: Ty, to: Ty, a: u128) -> Option<u128> {
    match (op, from, to) {
        (ConvertOp::IntToFloat { signed }, Ty::Int(width), Ty::F32 | Ty::F64) => {
            let shift = 128 - u32::from(width);
            let value = ((a << shift) as i128) >> shift;
            Some(match (signed, to) {
                (true, Ty::F32) => u128::from((value as f32).to_bits()),
                (true, _) => u128::from((value as f64).to_bits()),
                (false, Ty::F32) => u128::from((a as f32).to_bits()),
                (false, _) => u128::from((a as f64).to_bits()),
            })
        }
        (ConvertOp::FloatToFloat, Ty::F32, Ty::F64) => {
            Some(u128::from(f64::from(f32::from_bits(a as u32)).to_bits()))
        }
        (ConvertOp::FloatToFloat, Ty::F64, Ty::F32) => {
            Some(u128::from((f64::from_bits(a as u64) as f32).to_bits()))
        }
        (ConvertOp::FloatToInt { signed }, Ty::F32 | Ty::F64, Ty::Int(width)) => {
            let value = match from {
                Ty::F32 => f64::from(f32::from_bits(a as u32)),
                _ => f64::from_bits(a as u64),
            };
            // Only where every machine agrees; what is out of range is left alone.
            let width = u32::from(width);
            let whole = value.trunc();
            let (low, high) = match signed {
                true => (-(2f64.powi(width as i32 - 1)), 2f64.powi(width as i32 - 1)),
                false => (0.0, 2f64.powi(width as i32)),
            };
            let fits = whole >= low && whole < high && width <= 64;
            fits.then(|| (whole as i128 as u128) & (u128::MAX >> (128 - width)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_computed_as_machines_do() {
        let bits = |x: f64| u128::from(x.to_bits());
        assert_eq!(
            binary(BinaryOp::FAdd, Ty::F64, bits(1.5), bits(2.25)),
            Some(bits(3.75))
        );
        let to_int = ConvertOp::FloatToInt { signed: true };
        assert_eq!(
            convert(to_int, Ty::F64, Ty::Int(32), bits(-2.9)),
            Some(0xffff_fffe)
        );
        assert_eq!(convert(to_int, Ty::F64, Ty::Int(32), bits(3e9)), None);
    }
}
