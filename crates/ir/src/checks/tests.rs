use super::*;
use crate::property::error_ends;
use crate::text::{self, parse};

const PROGRAM: &str = r#"program lp64 start f entry g
type t0 = int
type t1 = void
type t2 = fn() -> t1
type t3 = fn(t0) -> t0
input i0 uninitialized "x": t0
fn f() : t2 synthetic {
b0:
  call g(40:i32)
  exit 0:i32
}
fn g(n) -> i32 : t3 user {
  param n: t0 i32
  local x: t0 i32
  local p: t0 ptr
b0:
  havoc x from i0
  goto b1
b1:
  branch and(slt(n, 32:i32), ne(shl.s(1:i32, n), 0:i32)) b0 b2
b2:
  p := call builtin malloc(4:i64)
  x := call g(x)
  return load.i32(p)
}
"#;

#[test]
fn what_is_put_in_is_well_formed_and_stands_where_it_counts() {
    let mut program = parse(PROGRAM).unwrap();
    let before = program.clone();
    instrument(&mut program, &[Property::Assert], CheckOptions::default());
    assert_eq!(text::print(&program), text::print(&before), "nothing to do");
    instrument(&mut program, &Property::ALL, CheckOptions::default());
    assert_eq!(crate::verify(&program), Ok(()));
    for (property, n) in [
        (Property::Shift, 1),
        (Property::Uninitialised, 1),
        (Property::Stack, 1),
        (Property::Leak, 0),
    ] {
        assert_eq!(error_ends(&program, &[property]).len(), n, "{property}");
    }
    // The shift is looked at only where C does it: behind a branch on `n < 32`.
    let g = program.function(program.entry);
    let is_guard = |b: &Block| match b.terminator.kind {
        TerminatorKind::Branch { condition, .. } => {
            matches!(g.expr(condition).kind, ExprKind::Binary(BinaryOp::SLt, ..))
        }
        _ => false,
    };
    assert_eq!(g.blocks.iter().filter(|b| is_guard(b)).count(), 1);
    assert!(looks_at_bytes(&program) && !looks_at_bytes(&before));
    let again = parse(text::print(&program)).unwrap();
    assert_eq!(text::print(&again), text::print(&program));
}

#[test]
fn any_program_can_be_instrumented() {
    for seed in 0..300 {
        let mut program = crate::testing::any_program(seed);
        instrument(&mut program, &Property::ALL, CheckOptions::default());
        assert_eq!(crate::verify(&program), Ok(()), "seed {seed}");
    }
}

/// What may be too large for the model is checked, and what a constant size excludes is not.
#[test]
fn memory_that_the_model_has_not_is_a_fault() {
    let faults = |size: &str| {
        let text = PROGRAM.replace("malloc(4:i64)", &format!("malloc({size})"));
        let mut program = parse(&text).unwrap();
        let is_any = large_objects(&mut program);
        let n = error_ends(&program, &[Property::Stack]).len();
        assert_eq!(is_any, n > 0);
        n
    };
    assert_eq!(faults("4:i64"), 0);
    assert_eq!(faults("2147483647:i64"), 0);
    assert_eq!(faults("2147483648:i64"), 1);
    assert_eq!(faults("sext.i64(n)"), 1);
}
