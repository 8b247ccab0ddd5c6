use super::*;
use crate::testing::{Shape, any_program, any_program_of};
use crate::{Program, verify};
use idiolect_base::Rng;
use proptest::prelude::*;

const EXAMPLE: &str = r#"program lp64 start %start entry main
type t0 = int
type t1 = fn() -> t0
type t2 = void
type t3 = fn(t0) -> t2
type t4 = pointer t3
type t5 = array t0 4
type t6 = record r0
enum e0 "color" uint { "RED" = 0 "BLUE" = -7 }
struct r0 "list" size 16 align 8 {
  field "head": t0 at 0
  field "flags": t0 at 4 bits 3 5
}
global g#0: t0 size 16 align 8 readonly in "main" bytes "a\"\x00\xff" at 8 @g#1 plus -4
global g#1: t4 size 8 align 8 at 0 &f()
input i0 nondet "__VERIFIER_nondet_int": t0
input i1 stdin: t0
mark m0 label "again"
assumption u0 unmodelled "inline assembly"

fn main() -> i32 : t1 user {
  local x: t0 i32
  local a: t5 memory size 16 align 4
  temp %2: t0 i32
  local #3 "odd name": t0 f64
b0:
  declare a
  havoc x from i0
  mark m0 if slt(x, 3:i32)
  mem.i32[ptradd(&a, sext.i64(x), 4)] := add.s(x, -1:i32)
  bits.i32[&a, 3, 5] := trunc.i5(load.i32(@g#0))
  #3 := fadd(1.5:f64, 0x7ff8000000000001:f64)
  %2 := call builtin putchar(x)
  call (&f(): t3)(%2)
  call f(x)
  assume or(eq(x, 1:i32), not(false))
  branch ne(&a, null) b1 b2
b1:
  error assert "x > \"0\""
b2:
  return x
}

fn f(n) : t3 library {
  param n: t0 i32
b0:
  branch slt(n, 0:i32) b1 b2
b1:
  trap u0
b2:
  return
}

fn %start() -> i32 : t1 synthetic {
  temp r: t0 i32
b0:
  r := call main()
  exit r
}
"#;

fn parsed(text: &str) -> Program {
    parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn the_example_reads_and_writes_as_it_is() {
    let program = parsed(EXAMPLE);
    assert_eq!(verify(&program), Ok(()));
    assert_eq!(print(&program), EXAMPLE);
    assert_eq!(
        print_function(
            &program,
            program.function_named("%start").unwrap(),
            PrintOptions::default()
        ),
        &EXAMPLE[EXAMPLE.find("fn %start").unwrap()..]
    );
}

/// What reading back must keep, beside the text: everything but expression ids and spans.
fn assert_same(a: &Program, b: &Program) {
    assert_eq!(a.globals, b.globals);
    assert_eq!(a.inputs, b.inputs);
    assert_eq!(a.marks, b.marks);
    assert_eq!(a.assumptions, b.assumptions);
    assert_eq!((a.start, a.entry), (b.start, b.entry));
    assert_eq!(a.types.len(), b.types.len());
    for i in 0..a.types.len() {
        let id = crate::TypeId::new(i);
        assert_eq!(a.types.get(id), b.types.get(id));
    }
    assert_eq!(a.functions.len(), b.functions.len());
    for (f, g) in a.functions.iter().zip(&b.functions) {
        assert_eq!((&f.name, f.origin, f.ty), (&g.name, g.origin, g.ty));
        assert_eq!(
            (&f.params, f.ret, f.variadic),
            (&g.params, g.ret, g.variadic)
        );
        assert_eq!(f.locals, g.locals);
        assert_eq!(f.blocks.len(), g.blocks.len());
        for (b, c) in f.blocks.iter().zip(&g.blocks) {
            assert_eq!(b.stmts.len(), c.stmts.len());
        }
    }
}

fn check_round_trip(program: &Program) {
    let text = print(program);
    let again = parsed(&text);
    assert_same(program, &again);
    assert_eq!(verify(&again), Ok(()), "{text}");
    assert_eq!(print(&again), text);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn programs_survive_their_text(seed: u64) {
        let program = any_program(seed);
        prop_assert_eq!(verify(&program), Ok(()), "{}", print(&program));
        check_round_trip(&program);
    }

    #[test]
    fn large_shared_expressions_survive_too(seed: u64) {
        let shape = Shape { max_functions: 1, max_blocks: 2, max_stmts: 12, max_depth: 9 };
        check_round_trip(&any_program_of(seed, shape));
    }

    /// Changes of single bytes reach deep into the parser, unlike random bytes.
    #[test]
    fn broken_text_never_panics(seed: u64, changes in 1usize..6) {
        let mut text = print(&any_program(seed)).into_bytes();
        let mut rng = Rng::new(seed, 1);
        for _ in 0..changes {
            // Cut to its first byte and that removed: nothing is left to change.
            if text.is_empty() {
                break;
            }
            let at = rng.below(text.len() as u64) as usize;
            let other = text[rng.below(text.len() as u64) as usize];
            match rng.below(4) {
                0 => { text.remove(at); }
                1 => text.insert(at, other),
                2 => text[at] = rng.below(256) as u8,
                _ => text.truncate(at.max(1)),
            }
        }
        // What can be read can be checked and written, however broken it is.
        if let Ok(program) = parse(&text) {
            let _ = verify(&program);
            let text = print(&program);
            prop_assert_eq!(print(&parsed(&text)), text);
        }
    }

    #[test]
    fn random_bytes_never_panic(bytes: Vec<u8>) {
        let _ = parse(&bytes);
    }
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    assert_eq!(parse(text).unwrap_err().to_string(), expected);
}

#[test]
fn errors_have_a_line_and_say_what_is_wrong() {
    check_error("", "line 1: expected `program`, found the end");
    check_error(
        "program lp64 start f entry f\nfn f() : t0 user {}",
        "line 2: there is no type `t0`",
    );
    check_error(
        "program lp64 start f entry g\ntype t0 = void",
        "line 1: this function is defined nowhere",
    );
    let body = |stmts: &str| {
        format!(
            "program lp64 start f entry f\ntype t0 = void\ntype t1 = fn() -> t0\n\
             fn f() : t1 user {{\n  local x: t0 i8\nb0:\n  {stmts}\n}}"
        )
    };
    check_error(&body("goto b1"), "line 7: there is no block `b1`");
    check_error(
        &body("y := 1:i8"),
        "line 7: expected a local variable, found `y`",
    );
    check_error(
        &body("x := 256:i8"),
        "line 8: `256` is no constant of Int(8)",
    );
    check_error(&body("x := foo(x)"), "line 7: there is no operation `foo`");
    check_error(
        &body(&format!("x := {}x", "not(".repeat(100_000))),
        "line 7: nested too deeply; use `let`",
    );
    check_error(
        &body("error assert \"abc"),
        "line 7: a text without its closing quote",
    );
    check_error("program \u{e4}", "line 1: nothing starts with 'ä'");
    assert_eq!(parse(b"\n\xff").unwrap_err().line, 2);
}

#[test]
fn places_are_comments() {
    let mut program = parsed(EXAMPLE);
    let source = program
        .sources
        .add("odd;\n\"name\".c", "\n\nx = 1;\n".into());
    let span = idiolect_base::Span::new(source, 2, 3);
    let f = program.function_named("f").unwrap();
    program.functions[f.index()].blocks[0].terminator.span = span;
    let options = PrintOptions { places: true };
    let shown = print_function(&program, f, options);
    assert!(
        shown.contains("branch slt(n, 0:i32) b1 b2  ; odd;\\n\\\"name\\\".c:3\n"),
        "{shown}"
    );
    // Comments do not change what is read.
    assert_eq!(print(&parsed(&print_with(&program, options))), EXAMPLE);
}

/// Doubling 200 times: a tree of 2^200 nodes, and 10,000 levels of nesting.
#[test]
fn text_is_linear_however_much_is_shared() {
    let mut program = parsed(EXAMPLE);
    let main = &mut program.functions[0];
    let mut grow = |n: usize, double: bool| {
        let mut top = crate::ExprId::new(main.exprs.len());
        let push = |exprs: &mut Vec<crate::Expr>, kind| {
            exprs.push(crate::Expr {
                kind,
                ty: crate::Ty::Int(32),
                span: idiolect_base::Span::NOWHERE,
            });
            crate::ExprId::new(exprs.len() - 1)
        };
        push(&mut main.exprs, crate::ExprKind::Local(crate::LocalId(0)));
        for _ in 0..n {
            let kind = if double {
                crate::ExprKind::Binary(crate::BinaryOp::BitXor, top, top)
            } else {
                crate::ExprKind::Unary(crate::UnaryOp::Not, top)
            };
            top = push(&mut main.exprs, kind);
        }
        main.blocks[0].stmts.push(crate::Stmt {
            kind: crate::StmtKind::Assign {
                place: crate::Place::Local(crate::LocalId(0)),
                value: top,
            },
            span: idiolect_base::Span::NOWHERE,
        });
    };
    grow(200, true);
    grow(10_000, false);
    assert_eq!(verify(&program), Ok(()));
    let text = print(&program);
    assert!(text.len() < 100_000, "{}", text.len());
    check_round_trip(&program);
}
