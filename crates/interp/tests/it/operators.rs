//! Every operator at every kind of width, in every form that has an instruction of its own,
//! against Rust's arithmetic on 128 bits.

use idiolect_base::Budget;
use idiolect_interp::{
    CompileOptions, Compiled, End, FixedInputs, Machine, NoInputs, NoObserver, RunOptions,
};
use idiolect_ir::{FaultKind, text, verify};
use proptest::prelude::*;

const WIDTHS: [u8; 12] = [1, 5, 8, 16, 24, 32, 33, 63, 64, 65, 100, 128];

fn mask(width: u8) -> u128 {
    u128::MAX >> (128 - width)
}

fn signed(bits: u128, width: u8) -> i128 {
    ((bits << (128 - width)) as i128) >> (128 - width)
}

/// A program that takes two inputs, computes `expression` of `x` and `y`, and gives the result
/// back through memory in bytes of output.
fn program(width: u8, result: u8, expression: &str) -> Compiled {
    let text = format!(
        r#"program lp64 start %start entry %start
type t0 = uint128
type t1 = void
type t2 = fn() -> t1
type t3 = int
global out#0: t0 size 16 align 16
input i0 nondet "x": t0
input i1 nondet "y": t0

fn %start() : t2 synthetic {{
  local wx: t0 i128
  local wy: t0 i128
  local x: t0 i{width}
  local y: t0 i{width}
  local z: t0 i{result}
  local w: t0 i128
  local i: t0 i64
  temp r: t3 i32
b0:
  havoc wx from i0
  havoc wy from i1
  {truncate_x}
  {truncate_y}
  z := {expression}
  {widen}
  mem.i128[@out#0] := w
  i := 0:i64
  goto b1
b1:
  branch ult(i, 16:i64) b2 b3
b2:
  r := call builtin putchar(zext.i32(load.i8(ptradd(@out#0, i, 1))))
  i := add(i, 1:i64)
  goto b1
b3:
  exit 0:i32
}}
"#,
        truncate_x = match width {
            128 => "x := wx".to_owned(),
            _ => format!("x := trunc.i{width}(wx)"),
        },
        truncate_y = match width {
            128 => "y := wy".to_owned(),
            _ => format!("y := trunc.i{width}(wy)"),
        },
        widen = match result {
            128 => "w := z",
            _ => "w := zext.i128(z)",
        },
    );
    let program = text::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(verify(&program), Ok(()), "{text}");
    Compiled::new(program.into(), &CompileOptions::default())
}

fn run(compiled: &Compiled, x: u128, y: u128) -> Result<u128, FaultKind> {
    let mut machine = Machine::new(compiled, RunOptions::default());
    let mut source = FixedInputs::new(vec![x, y], NoInputs);
    let outcome = machine.run(&mut source, &mut NoObserver, &Budget::unlimited());
    match outcome.end {
        End::Exit(0) => Ok(u128::from_le_bytes(outcome.stdout.try_into().unwrap())),
        End::Fault(fault) => Err(fault.kind),
        end => panic!("{end:?}"),
    }
}

type Native = fn(u8, u128, u128) -> Result<u128, FaultKind>;

fn division(w: u8, x: u128, y: u128, f: fn(i128, i128) -> i128) -> Result<u128, FaultKind> {
    match (signed(x, w), signed(y, w)) {
        (_, 0) => Err(FaultKind::DivisionByZero),
        (a, -1) if a == signed(1 << (w - 1), w) => Err(FaultKind::DivisionOverflow),
        (a, b) => Ok(f(a, b) as u128),
    }
}

/// Operators with what they mean; comparisons yield one bit.
const OPERATORS: [(&str, bool, Native); 19] = [
    ("add", false, |_, x, y| Ok(x.wrapping_add(y))),
    ("sub", false, |_, x, y| Ok(x.wrapping_sub(y))),
    ("mul", false, |_, x, y| Ok(x.wrapping_mul(y))),
    ("udiv", false, |_, x, y| {
        x.checked_div(y).ok_or(FaultKind::DivisionByZero)
    }),
    ("urem", false, |_, x, y| {
        x.checked_rem(y).ok_or(FaultKind::DivisionByZero)
    }),
    ("sdiv", false, |w, x, y| {
        division(w, x, y, i128::wrapping_div)
    }),
    ("srem", false, |w, x, y| {
        division(w, x, y, i128::wrapping_rem)
    }),
    ("shl", false, |w, x, y| Ok(x << (y % u128::from(w)))),
    ("lshr", false, |w, x, y| Ok(x >> (y % u128::from(w)))),
    ("ashr", false, |w, x, y| {
        Ok((signed(x, w) >> (y % u128::from(w))) as u128)
    }),
    ("and", false, |_, x, y| Ok(x & y)),
    ("or", false, |_, x, y| Ok(x | y)),
    ("xor", false, |_, x, y| Ok(x ^ y)),
    ("eq", true, |_, x, y| Ok(u128::from(x == y))),
    ("ne", true, |_, x, y| Ok(u128::from(x != y))),
    ("ult", true, |_, x, y| Ok(u128::from(x < y))),
    ("ule", true, |_, x, y| Ok(u128::from(x <= y))),
    ("slt", true, |w, x, y| {
        Ok(u128::from(signed(x, w) < signed(y, w)))
    }),
    ("sle", true, |w, x, y| {
        Ok(u128::from(signed(x, w) <= signed(y, w)))
    }),
];

fn interesting() -> impl Strategy<Value = u128> {
    prop_oneof![
        any::<u128>(),
        (0u128..70),
        (0u128..70).prop_map(|x| x.wrapping_neg()),
        (0u32..128, 0u128..3).prop_map(|(shift, d)| (1u128 << shift).wrapping_sub(d)),
    ]
}

fn check(
    width: u8,
    result: u8,
    expression: &str,
    x: u128,
    y: u128,
    expected: Result<u128, FaultKind>,
) {
    let compiled = program(width, result, expression);
    let expected = expected.map(|bits| bits & mask(result));
    assert_eq!(
        run(&compiled, x, y),
        expected,
        "{expression} i{width} {x:#x} {y:#x}"
    );
}

/// The names that the text form has for and, or, xor.
fn name(op: &str) -> &str {
    match op {
        "and" => "bitand",
        "or" => "bitor",
        "xor" => "bitxor",
        _ => op,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn operators_agree_with_native_arithmetic(
        op in 0usize..19, width in 0usize..12, x in interesting(), y in interesting(),
    ) {
        let (op, is_comparison, native) = OPERATORS[op];
        let width = WIDTHS[width];
        let (a, b) = (x & mask(width), y & mask(width));
        let result = if is_comparison { 1 } else { width };
        let expected = native(width, a, b);
        let op = name(op);
        check(width, result, &format!("{op}(x, y)"), a, b, expected);
        // Constants on either side.
        let (ca, cb) = (signed(a, width), signed(b, width));
        check(width, result, &format!("{op}(x, {})", constant(cb, width)), a, b, expected);
        check(width, result, &format!("{op}({}, y)", constant(ca, width)), a, b, expected);
        // As a condition, straight and turned around.
        if is_comparison {
            for (left, right) in [("x".to_owned(), "y".to_owned()), ("x".to_owned(), constant(cb, width)), (constant(ca, width), "y".to_owned())] {
                let test = format!("{op}({left}, {right})");
                check(width, 8, &format!("select({test}, 7:i8, 9:i8)"), a, b, expected.map(|t| 9 - 2 * t));
                check(width, 8, &format!("select(not({test}), 7:i8, 9:i8)"), a, b, expected.map(|t| 7 + 2 * t));
                check(width, 1, &format!("and({test}, or({test}, false))"), a, b, expected);
            }
        }
    }

    #[test]
    fn conversions_agree_with_native_arithmetic(
        from in 0usize..12, to in 0usize..12, x in interesting(),
    ) {
        let (from, to) = (WIDTHS[from], WIDTHS[to]);
        let a = x & mask(from);
        if to > from {
            check(from, to, &format!("zext.i{to}(x)"), a, 0, Ok(a));
            check(from, to, &format!("sext.i{to}(x)"), a, 0, Ok(signed(a, from) as u128));
        } else if to < from {
            check(from, to, &format!("trunc.i{to}(x)"), a, 0, Ok(a));
        }
        check(from, from, "neg(x)", a, 0, Ok(a.wrapping_neg()));
        check(from, from, "not(x)", a, 0, Ok(!a));
        let float = signed(a, from) as f64;
        if float.abs() < 9e18 {
            check(from, 64, "ftos.i64(stof.f64(x))", a, 0, Ok(float as i64 as u128));
            check(from, 64, "ftos.i64(stof.f80(x))", a, 0, Ok(signed(a, from) as u128));
        }
    }
}

fn constant(value: i128, width: u8) -> String {
    match width {
        1 => (value & 1 == 1).to_string(),
        _ => format!("{value}:i{width}"),
    }
}
