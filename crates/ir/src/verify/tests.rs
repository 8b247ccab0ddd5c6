use super::*;
use crate::text::parse;
use crate::{BlockId, ExprId, FuncId, LocalId, Stmt, StmtKind, TerminatorKind};
use idiolect_base::Span;

/// A program around the text of a body of `f(n: i32, p: ptr) -> i32` with some locals.
fn program(body: &str) -> Program {
    let text = format!(
        r#"program lp64 start %start entry f
type t0 = int
type t1 = void
type t2 = pointer t1
type t3 = fn(t0, t2) -> t0
type t4 = fn() -> t1
type t5 = record r0
type t6 = fn(t5, ...) -> t5
struct r0 "pair" size 8 align 4 {{
  field "a": t0 at 0
  field "b": t0 at 4
}}
global g: t0 size 16 align 4
input i0 nondet "nondet_int": t0
mark m0 label "L"
assumption u0 unmodelled "inline assembly"
fn f(n, p) -> i32 : t3 user {{
  param n: t0 i32
  param p: t2 ptr
  local x: t0 i32
  local c: t0 i1
  local q: t0 i64
  local d: t0 f64
  local a: t0 memory size 16 align 4
  local v: t0 dynamic
{body}
}}
fn pair(out, from, rest) : t6 variadic_or_not {{
  param out: t2 ptr
  param from: t5 ptr
  param rest: t2 ptr
b0:
  return
}}
fn %start() : t4 synthetic {{
b0:
  exit 0:i32
}}
"#
    )
    .replace("variadic_or_not", "user variadic");
    parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn complaints(program: &Program) -> String {
    match verify(program) {
        Ok(()) => "fine".into(),
        Err(errors) => {
            let lines: Vec<String> = errors.iter().map(Malformed::to_string).collect();
            lines.join("\n")
        }
    }
}

#[track_caller]
fn check(stmts: &str, expected: &str) {
    let body = format!("b0:\n  {stmts}\n  return n");
    assert_eq!(complaints(&program(&body)), expected);
}

#[test]
fn well_typed_statements_are_fine() {
    for stmt in [
        "x := add(x, n)",
        "c := and(slt(x, n), not(c))",
        "p := ptradd(p, q, 4)",
        "q := ptrdiff(p, &a)",
        "q := ptoi.i64(p)",
        "declare v, q",
        "declare a",
        "mem.i32[p] := x",
        "bits.i32[p, 27, 5] := trunc.i5(x)",
        "havoc x from i0",
        "x := call f(x, p)",
        "call pair(p, &a, null)",
        "x := call (p: t3)(x, p)",
        "call (p: t6)(p, p, p)",
        "p := call builtin malloc(q)",
        "call builtin printf.bounded(p, q, p, x, d)",
        "d := call builtin pow(d, d)",
        "mark m0 if c",
    ] {
        check(stmt, "fine");
    }
}

#[test]
fn operands_have_the_types_that_operations_ask_for() {
    check(
        "x := add(x, q)",
        "in `f`: e2: the right operand is Int(64), not Int(32)",
    );
    check("x := fadd(x, x)", "in `f`: e2: FAdd of Int(32)");
    check("c := slt(p, p)", "in `f`: e2: SLt of Ptr");
    check("c := feq(x, x)", "in `f`: e2: FEq of Int(32)");
    check(
        "c := and(x, c)",
        "in `f`: e2: the left operand is Int(32), not Int(1)",
    );
    check(
        "x := select(c, x, q)",
        "in `f`: e3: the value if it does not hold is Int(64), not Int(32)",
    );
    check(
        "p := ptradd(p, x, 4)",
        "in `f`: e2: the index is Int(32), not Int(64)",
    );
    check("c := load.i1(p)", "in `f`: e1: Int(1) cannot be in memory");
    check(
        "x := load.i32(x)",
        "in `f`: e1: the address is Int(32), not Ptr",
    );
    check(
        "d := fneg(x)",
        "in `f`: e1: FNeg of Int(32)\nin `f`, b0, statement 0: the value is Int(32), not F64",
    );
    check(
        "x := trunc.i32(x)",
        "in `f`: e1: Truncate from Int(32) to Int(32)",
    );
    check(
        "q := zext.i64(q)",
        "in `f`: e1: ZeroExtend from Int(64) to Int(64)",
    );
    check(
        "x := ptoi.i32(p)",
        "in `f`: e1: PtrToInt from Ptr to Int(32)",
    );
    check("p := itop(x)", "in `f`: e1: IntToPtr from Int(32) to Ptr");
    check(
        "x := 0x100000000:i32",
        "in `f`: e0: the constant 0x100000000 does not fit in Int(32)",
    );
}

#[test]
fn registers_have_no_address_and_memory_has_no_value() {
    check(
        "p := &x",
        "in `f`: e0: takes the address of local 2, which is a register",
    );
    check("p := a", "in `f`: e0: reads local 6, which is in memory");
    check(
        "a := x",
        "in `f`, b0, statement 0: assigns to local 6, which is in memory",
    );
}

#[test]
fn statements_match_what_they_speak_about() {
    let at = "in `f`, b0, statement 0: ";
    for (stmt, expected) in [
        ("x := q", "the value is Int(64), not Int(32)"),
        ("assume x", "the condition is Int(32), not Int(1)"),
        ("mark m0 if x", "the condition is Int(32), not Int(1)"),
        ("havoc q from i0", "the input is Int(32), not Int(64)"),
        ("copy p, x, 4", "the source is Int(32), not Ptr"),
        ("zero x, 4", "the destination is Int(32), not Ptr"),
        (
            "zero p, 2147483648",
            "2147483648 bytes are more than an object can have",
        ),
        ("declare x", "declares local 2, which is a register"),
        ("declare v", "gives no size to local 7"),
        (
            "declare a, q",
            "gives a size to local 6, which has a fixed one",
        ),
        ("declare v, x", "the size is Int(32), not Int(64)"),
        ("mem.i32[x] := x", "the address is Int(32), not Ptr"),
        (
            "bits.i32[p, 28, 5] := trunc.i5(x)",
            "5 bits from bit 28 are not in a unit of 32 bits",
        ),
        (
            "bits.f64[p, 0, 5] := trunc.i5(x)",
            "F64 cannot be the unit of a bit-field",
        ),
        ("call f(x)", "`f` takes [Int(32), Ptr] but gets [Int(32)]"),
        (
            "q := call f(x, p)",
            "the result of the call is Int(32), not Int(64)",
        ),
        (
            "p := call pair(p, p, p)",
            "takes a result from a call that has none",
        ),
        (
            "call (p: t6)(p, p)",
            "the called type takes [Ptr, Ptr, Ptr] but gets [Ptr, Ptr]",
        ),
        ("call (p: t0)(p)", "type 0 is no function type"),
        ("call (x: t4)()", "the function pointer is Int(32), not Ptr"),
        (
            "p := call builtin malloc(x)",
            "Malloc takes [Int(64)] but gets [Int(32)]",
        ),
        (
            "call builtin printf.stdout(x)",
            "Printf(Stdout) takes [Ptr] but gets [Int(32)]",
        ),
        (
            "call builtin vprintf.stdout(p)",
            "VPrintf(Stdout) takes [Ptr, Ptr] but gets [Ptr]",
        ),
    ] {
        check(stmt, &format!("{at}{expected}"));
    }
}

#[test]
fn terminators_match_the_function() {
    let at = "in `f`, b0, terminator: ";
    for (terminator, expected) in [
        ("return", "returns nothing where Int(32) is due"),
        ("return q", "the returned value is Int(64), not Int(32)"),
        ("branch x b0 b0", "the condition is Int(32), not Int(1)"),
        ("exit c", "the status is Int(1), not Int(32)"),
    ] {
        assert_eq!(
            complaints(&program(&format!("b0:\n  {terminator}"))),
            format!("{at}{expected}")
        );
    }
}

/// What the text form cannot say.
#[test]
fn ids_are_in_range() {
    let fine = || program("b0:\n  x := add(x, n)\n  return n");
    let broken = |change: &dyn Fn(&mut Program)| {
        let mut program = fine();
        change(&mut program);
        complaints(&program)
    };
    assert_eq!(complaints(&fine()), "fine");
    assert_eq!(
        broken(&|p| p.functions[0].blocks[0].terminator.kind = TerminatorKind::Goto(BlockId(7))),
        "in `f`, b0, terminator: block b7 does not exist"
    );
    assert_eq!(
        broken(&|p| p.functions[0].blocks[0].terminator.kind = TerminatorKind::Trap(3)),
        "in `f`, b0, terminator: assumption 3 does not exist"
    );
    assert_eq!(
        broken(&|p| {
            p.functions[0].blocks[0].stmts.push(Stmt {
                kind: StmtKind::Assume {
                    condition: ExprId(99),
                },
                span: Span::NOWHERE,
            });
        }),
        "in `f`, b0, statement 1: expression e99 does not exist"
    );
    assert_eq!(
        broken(&|p| {
            p.functions[0].exprs[2].kind = crate::ExprKind::Unary(crate::UnaryOp::Not, ExprId(2));
        }),
        "in `f`: e2 uses e2, which is not before it"
    );
    assert_eq!(
        broken(&|p| p.functions[0].exprs[0].kind = crate::ExprKind::Local(LocalId(99))),
        "in `f`: e0: local 99 does not exist"
    );
    assert_eq!(
        broken(&|p| p.functions[0].exprs[0].ty = Ty::Int(0)),
        "in `f`: e0 has type Int(0)\nin `f`: e2: the right operand is Int(32), not Int(0)"
    );
    assert_eq!(
        broken(&|p| p.start = FuncId(0)),
        "in `f`: a run starts here, but the function has parameters\n\
         in `f`: a run starts here, but the function is not synthetic"
    );
    assert_eq!(
        broken(&|p| p.entry = FuncId(9)),
        "the entry is function 9, which does not exist"
    );
    assert_eq!(
        broken(&|p| p.functions[0].params.swap(0, 1)),
        "in `f`: takes [Ptr, Int(32)], but its C type asks for [Int(32), Ptr]"
    );
    assert_eq!(
        broken(&|p| p.functions[0].ret = None),
        "in `f`: returns None, but its C type asks for Some(Int(32))"
    );
    assert_eq!(
        broken(&|p| p.functions[0].blocks.clear()),
        "in `f`: has no block"
    );
    assert_eq!(
        broken(&|p| p.functions[0].locals[0].ty = TypeId(77)),
        "in `f`: local 0 `n` has type 77, which does not exist"
    );
    assert_eq!(
        broken(&|p| {
            p.types.intern(CType::Pointer(TypeId(55)));
        }),
        "type 7 refers to type 55, which is not before it"
    );
}

#[test]
fn initial_values_fit_their_globals() {
    use crate::{GlobalId, Relocation};
    let broken = |bytes: &[u8], relocations: &[(u64, u32)]| {
        let mut program = program("b0:\n  return n");
        program.globals[0].bytes = bytes.to_vec();
        program.globals[0].relocations = relocations
            .iter()
            .map(|&(offset, target)| Relocation {
                offset,
                target: GlobalTarget::Global(GlobalId(target)),
                addend: 0,
            })
            .collect();
        complaints(&program)
    };
    assert_eq!(broken(&[0; 16], &[(0, 0), (8, 0)]), "fine");
    assert_eq!(
        broken(&[0; 17], &[]),
        "global `g` has 16 bytes but 17 initial ones"
    );
    assert_eq!(
        broken(&[], &[(9, 0)]),
        "global `g` has an address at 9, which is beyond its end"
    );
    assert_eq!(
        broken(&[], &[(u64::MAX, 0)]),
        format!(
            "global `g` has an address at {}, which is beyond its end",
            u64::MAX
        )
    );
    assert_eq!(
        broken(&[], &[(0, 0), (4, 0)]),
        "global `g` has an address at 4 that overlaps or precedes the one before it"
    );
    assert_eq!(
        broken(&[1], &[(0, 0)]),
        "global `g` has initial bytes under the address at 0"
    );
    assert_eq!(
        broken(&[], &[(0, 4)]),
        "global `g` has the address of something that does not exist at 0"
    );
}
