//! Instructions that do the work of several: runs are the same as one by one, to the step.

use crate::common;

use common::compile;
use idiolect_base::{Budget, StopReason};
use idiolect_interp::{
    Compiled, End, FixedInputs, Machine, NoObserver, Observer, Outcome, RunOptions, ZeroInputs,
};

/// Nothing is fused across statements for this one.
struct Statements;

impl Observer for Statements {
    const STATEMENTS: bool = true;
}

/// Every call is made for this one.
struct Calls;

impl Observer for Calls {
    const CALLS: bool = true;
}

fn run<O: Observer>(compiled: &Compiled, options: RunOptions, observer: &mut O) -> Outcome {
    let mut source = FixedInputs::new(vec![7, 3, 9, 3], ZeroInputs);
    Machine::new(compiled, options).run(&mut source, observer, &Budget::unlimited())
}

fn assert_same(one: &Outcome, other: &Outcome, what: &str) {
    assert_eq!(one.end, other.end, "{what}");
    assert_eq!(one.place, other.place, "{what}");
    assert_eq!(one.steps, other.steps, "{what}");
    assert_eq!(one.inputs, other.inputs, "{what}");
}

/// A program is made of what must be there for the test to test anything.
fn compile_to(text: &str, instructions: &[&str]) -> Compiled {
    let compiled = compile(text);
    let listing = compiled.listing();
    for instruction in instructions {
        assert!(listing.contains(instruction), "{instruction}\n{listing}");
    }
    compiled
}

const SORTS: &str = "
static void sift(int *v, int root, int n) {
  int value = v[root], child;
  while ((child = 2 * root + 1) < n) {
    if (child + 1 < n && v[child] < v[child + 1])
      child++;
    if (value >= v[child])
      break;
    v[root] = v[child];
    root = child;
  }
  v[root] = value;
}
static void insert(int *v, int from, int n) {
  int i, j;
  for (i = from; i < n; i++) {
    int x = v[i];
    for (j = i - 1; j >= from && v[j] > x; j--)
      v[j + 1] = v[j];
    v[j + 1] = x;
  }
}
";

#[test]
fn moved_elements_fail_where_they_would_one_by_one() {
    let mut n_ends = [0; 2];
    let arrays = [
        "static int v[9] = {3, 1, 4, 1, 5, 9, 2, 6, 5};",
        "static const int c[9] = {3, 1, 4, 1, 5, 9, 2, 6, 5}; static int *v = (int *)c;",
        "static int v[9];",
    ];
    for array in arrays {
        for (from, n) in [(0, 9), (0, 10), (-1, 8), (4, 9), (8, 12), (3, 3)] {
            let text = format!(
                "{SORTS}{array}
                int main() {{ int i; for (i = {n} / 2 - 1; i >= {from}; i--) sift(v, i, {n});
                  insert(v, {from}, {n}); return v[0] + 8 * v[3]; }}"
            );
            let compiled = compile_to(&text, &["IncIfNextSLt32", "LoadCopySGt32", "MoveMulAdd"]);
            let fused = run(&compiled, RunOptions::default(), &mut NoObserver);
            let single = run(&compiled, RunOptions::default(), &mut Statements);
            assert_same(&fused, &single, &text);
            n_ends[usize::from(matches!(fused.end, End::Exit(_)))] += 1;
        }
    }
    assert!(n_ends.iter().all(|&n| n >= 5), "{n_ends:?}");
}

#[test]
fn elements_without_a_value_are_drawn_once() {
    let text = format!(
        "{SORTS}int main() {{ int v[6]; v[4] = 5; sift(v, 0, 6); insert(v, 0, 5); return v[0]; }}"
    );
    let compiled = compile_to(&text, &["IncIfNextSLt32", "LoadCopySGt32"]);
    let fused = run(&compiled, RunOptions::default(), &mut NoObserver);
    assert_same(
        &fused,
        &run(&compiled, RunOptions::default(), &mut Statements),
        &text,
    );
    assert_eq!(fused.inputs.len(), 5);
}

#[test]
fn other_orders_move_elements_too() {
    // What is greater than the next element is told by what the next one is less than.
    for (order, instructions) in [
        ("<", &["IncIfNextSLt32", "LoadCopySLt32"][..]),
        ("<=", &["IncIfNextSLe32", "LoadCopySLe32"]),
        (">", &["LoadCopySGt32"]),
        (">=", &["LoadCopySGe32"]),
    ] {
        let text = format!(
            "int v[8] = {{4, 2, 7, 1, 7, 3, 3, 5}};
            int main() {{ int i, j, n = 8, sum = 0;
              for (i = 1; i < n; i++) {{ int x = v[i];
                for (j = i - 1; j >= 0 && v[j] {order} x; j--) v[j + 1] = v[j];
                v[j + 1] = x; }}
              for (i = 0; i < n; i++) {{
                if (i + 1 < n && v[i] {order} v[i + 1]) i++;
                sum = sum * 3 + v[i]; }}
              return sum % 251; }}"
        );
        let compiled = compile_to(&text, instructions);
        let fused = run(&compiled, RunOptions::default(), &mut NoObserver);
        let single = run(&compiled, RunOptions::default(), &mut Statements);
        assert!(matches!(fused.end, End::Exit(_)));
        assert_same(&fused, &single, &text);
    }
}

#[test]
fn leaves_of_recursions_count_as_calls() {
    let programs = [
        (
            "int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); } int main() { return f(7); }",
            "CallUnlessSGt32I",
        ),
        (
            "int f(int n) { return n > -2 ? n : f(n + 1) + f(n + 2); } int main() { return -f(-7); }",
            "CallUnlessSLt32I",
        ),
        (
            "int f(int k, int n) { if (n == 0) return k; return f(k, n - 1) + 1; } int main() { return f(3, 9); }",
            "CallUnlessNeI",
        ),
        (
            "int f(int n) { if (n != 9) return n; return f(n - 1) + f(n + 1); } int main() { return f(9); }",
            "CallUnlessEqI",
        ),
    ];
    for (text, instruction) in programs {
        let compiled = compile_to(text, &[instruction]);
        let all = run(&compiled, RunOptions::default(), &mut NoObserver);
        assert!(matches!(all.end, End::Exit(_)), "{text}");
        assert_same(
            &all,
            &run(&compiled, RunOptions::default(), &mut Calls),
            text,
        );
        let mut n_limited = 0;
        for max_frames in 0..12 {
            for max_steps in 1..all.steps + 2 {
                let options = RunOptions {
                    max_steps,
                    max_frames,
                    ..RunOptions::default()
                };
                let fused = run(&compiled, options, &mut NoObserver);
                assert_same(&fused, &run(&compiled, options, &mut Calls), text);
                n_limited += usize::from(fused.end == End::Limit(StopReason::Memory));
            }
        }
        assert!(n_limited > 0, "{text}");
    }
}

#[test]
fn globals_are_read_and_written_in_their_bounds() {
    for (text, instruction) in [
        (
            "int g = 4; long h; int main() { g += 2; h = g; h++; return g + (int)h; }",
            "Store64At",
        ),
        (
            "static const int g = 4; int main() { *(int *)&g = 5; return g; }",
            "Store32At",
        ),
        (
            "int g[2]; int main() { return *(&g[0] + 2); }",
            "Load32At { d: 0, offset: 8",
        ),
        (
            "int g[2]; int main() { g[0] = 1; return *(int *)((char *)g + 6); }",
            "Load32At { d: 0, offset: 6",
        ),
        ("int main() { return *(int *)16; }", "Load32At"),
    ] {
        let compiled = compile_to(text, &[instruction]);
        let fused = run(&compiled, RunOptions::default(), &mut NoObserver);
        assert_same(
            &fused,
            &run(&compiled, RunOptions::default(), &mut Statements),
            text,
        );
    }
}

/// Records with flags, pointers to pointers, constants that fill a register, text: each test is one instruction.
const RECORDS: &str = "
typedef unsigned long u64; typedef unsigned short u16; typedef unsigned char u8;
struct inner { u8 tag; u16 flags; unsigned bits; u64 box; };
struct outer { char pad; struct inner *in; struct outer *next; short table[4]; signed char text[6]; };
static int test(struct outer *o, int i, long j) {
  int n = 0;
  if (o->in->tag == 3) n += 1;
  if (o->in->flags & 0x10) n += 2;
  if (!(o->in->bits & 0x30)) n += 4;
  if (o->in->box == 0x7ffc000000000001) n += 8;
  if ((o->in->box & 0xfff8000000000000) != 0x7ff8000000000000) n += 16;
  if (o->text[j] == 'x') n += 32;
  do { do { if (o->table[i] < o->text[i]) n += 64; } while (0); } while (0);
  struct inner *in = o->in;
  if (in->tag != 4) n += 128;
  if (in->flags == 0x12) n += 256;
  if (in->bits == 7) n += 512;
  if (in->box) n += 1024;
  if (o->next) n += o->next->in->tag + o->next->in->flags + o->next->in->bits + (int)o->next->in->box;
  in->bits = 9; in->box = 0x7ffc000000000002;
  return n;
}
static u64 high(int i, long j) { if (i < j) return 0x7ff8000000000000; return 5; }
";

#[test]
fn records_are_tested_as_one_by_one() {
    let instructions = [
        "LoadLoad64",
        "LoadLoad16",
        "LoadLoad32",
        "JumpNone",
        "JumpEqC",
        "AndC",
        "Load16Y",
        "Load8SY",
        "LoadJumpEqI8 ",
        "LoadJumpNeI16",
        "LoadJumpNeI32",
        "LoadJumpEqI64",
        "Store32C",
        "Store64C",
        "ReturnC",
        "CallMove2x",
    ];
    let mut n_ends = [0; 2];
    for (set, call) in [
        ("a.in = &x; b.in = &y; a.next = &b;", "test(&a, i, j)"),
        ("a.in = &x; a.next = 0;", "test(&a, i, j)"),
        ("a.in = &x; a.next = &b;", "test(&a, i, j)"),
        ("a.in = 0;", "test(&a, i, j)"),
        ("", "test(&a, i, j)"),
        ("a.in = &x; a.next = 0;", "test(&a, i + 9, j)"),
        ("a.in = &x; a.next = 0;", "test(&a, i, j + 90)"),
    ] {
        for x in [
            "{3, 0x12, 7, 0}",
            "{4, 0, 0x20, 0x7ffc000000000001}",
            "{5, 2, 1, 0x7ff8000000000000}",
        ] {
            let text = format!(
                "{RECORDS} int main() {{ struct inner x = {x}, y = {{1, 2, 3, 4}}; struct outer a, b;
                  int i = 1; long j = 2; {set} a.table[1] = 4; a.text[1] = 'a'; a.text[2] = 'x';
                  return ({call} + (int)(high(i, j) >> 52)) % 251; }}"
            );
            let compiled = compile_to(&text, &instructions);
            let fused = run(&compiled, RunOptions::default(), &mut NoObserver);
            let single = run(&compiled, RunOptions::default(), &mut Statements);
            assert_same(&fused, &single, &text);
            n_ends[usize::from(matches!(fused.end, End::Exit(_)))] += 1;
            for max_steps in 1..fused.steps + 2 {
                let options = RunOptions {
                    max_steps,
                    ..RunOptions::default()
                };
                let fused = run(&compiled, options, &mut NoObserver);
                let single = run(&compiled, options, &mut Statements);
                assert_same(&fused, &single, &format!("{max_steps} steps of {text}"));
            }
        }
    }
    assert!(n_ends.iter().all(|&n| n >= 5), "{n_ends:?}");
}
