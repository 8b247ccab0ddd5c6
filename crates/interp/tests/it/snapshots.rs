//! A run that goes on from a snapshot is the run that was never interrupted.

use crate::common::{compile_with, run_with};
use idiolect_base::{Budget, Rng};
use idiolect_interp::{
    Compiled, End, FixedInputs, Machine, NoInputs, NoObserver, Outcome, RunOptions, Snapshot,
};
use idiolect_ir::ctype::DataModel;

/// Globals, heap, recursion, locals of open calls, a place to jump back to, unwritten memory and faults.
const PROGRAM: &str = r#"
int __VERIFIER_nondet_int(void); void *malloc(unsigned long); void free(void *); int putchar(int);
int setjmp(long *); void longjmp(long *, int);
struct cell { struct cell *next; int value; };
static struct cell *list; static int count, table[300]; static long back[40];
static int deep(int n, int *sum) {
  int here[3] = {n, count, 7};
  if (n > 0) return deep(n - 1, sum) + here[n % 3];
  int x = __VERIFIER_nondet_int();
  *sum += x;
  if (x == 9) longjmp(back, 3);
  return here[0] + x;
}
int main(void) {
  int sum = 0, again = setjmp(back);
  if (again) putchar('!');
  for (;;) {
    int x = __VERIFIER_nondet_int();
    count++;
    table[(x & 255) + 3] += count;
    if (x == 0) break;
    if (x == 1) { struct cell *c = malloc(sizeof *c); c->next = list; c->value = count; list = c; }
    if (x == 2 && list) { struct cell *c = list; list = c->next; free(c); }
    if (x == 3) sum += deep(count % 5, &sum);
    if (x == 4) { int *h = malloc(24); sum += h[count % 6]; h[1] = sum; free(h); }
    if (x == 5 && list) { struct cell *c = list; free(c); sum += c->value; }
    putchar('a' + ((sum + table[4] + count) & 15));
  }
  for (struct cell *c = list; c; c = c->next) sum += c->value;
  return sum & 127;
}"#;

fn source(inputs: &[i128]) -> FixedInputs<NoInputs> {
    FixedInputs::new(inputs.iter().map(|&i| i as u128).collect(), NoInputs)
}

fn machine(compiled: &Compiled) -> Machine<'_> {
    let options = RunOptions {
        max_steps: 10_000_000,
        ..RunOptions::default()
    };
    Machine::new(compiled, options)
}

fn go_on(machine: &mut Machine<'_>, inputs: &[i128]) -> Outcome {
    machine.go_on(&mut source(inputs), &mut NoObserver, &Budget::unlimited())
}

/// What a run came to, with what was printed before the last pause.
fn told(printed: &[u8], outcome: &Outcome) -> (End, Vec<u8>, u64) {
    let text = [printed, &outcome.stdout].concat();
    (outcome.end.clone(), text, outcome.steps)
}

#[test]
fn going_on_from_a_snapshot_changes_nothing() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let compiled = compile_with(PROGRAM, model, false);
        let (mut first, mut other) = (machine(&compiled), machine(&compiled));
        let mut random = Rng::new(11, 0);
        let mut ends = Vec::new();
        // A snapshot of an earlier word, its inputs and what they had printed.
        let mut kept: Option<(Snapshot, Vec<i128>, Vec<u8>)> = None;
        for _ in 0..400 {
            let n = 1 + random.below(14);
            let mut rest: Vec<i128> = (0..n).map(|_| i128::from(random.below(11))).collect();
            let mut done = Vec::new();
            let mut printed = Vec::new();
            let machine = if random.chance(1, 2) {
                &mut first
            } else {
                &mut other
            };
            machine.give_up();
            if let Some((snapshot, inputs, text)) = &kept
                && random.chance(2, 3)
            {
                machine.restore(snapshot);
                assert!(machine.waits());
                (done, printed) = (inputs.clone(), text.clone());
            }
            while !rest.is_empty() {
                let piece: Vec<i128> = rest
                    .drain(..=random.below(rest.len() as u64) as usize)
                    .collect();
                done.extend(&piece);
                let outcome = go_on(machine, &piece);
                let whole = run_with(&compiled, &done, &mut NoObserver);
                assert_eq!(told(&printed, &outcome), told(&[], &whole), "{done:?}");
                ends.push(outcome.end.clone());
                if !machine.waits() {
                    assert!(machine.snapshot().is_none());
                    break;
                }
                printed.extend_from_slice(&outcome.stdout);
                if done.len() < 40 && random.chance(1, 3) {
                    let snapshot = machine.snapshot().expect("it waits");
                    kept = Some((snapshot, done.clone(), printed.clone()));
                }
                if done.len() > 40 {
                    kept = None;
                }
            }
        }
        let has = |wanted: fn(&End) -> bool| ends.iter().any(wanted);
        assert!(has(|end| matches!(end, End::Exit(_))));
        assert!(has(|end| matches!(end, End::Fault(_))));
        assert!(has(|end| matches!(end, End::InputsEnded)));
    }
}

#[test]
fn a_snapshot_has_what_was_changed_and_no_more() {
    let text = "int __VERIFIER_nondet_int(void); void *malloc(unsigned long);
        static char large[1 << 20]; static int touched;
        int main(void) { touched = 1; char *p = malloc(5000); p[0] = 1;
          for (;;) touched += __VERIFIER_nondet_int() + p[0] + large[7]; }";
    let compiled = compile_with(text, DataModel::Lp64, false);
    let mut machine = machine(&compiled);
    assert!(machine.snapshot().is_none(), "nothing runs");
    assert_eq!(go_on(&mut machine, &[]).end, End::InputsEnded);
    let bytes = machine.snapshot().expect("it waits").bytes();
    assert!((5000..50_000).contains(&bytes), "{bytes}");
    // A plain run begins anew.
    let outcome = machine.run(&mut source(&[1, 2]), &mut NoObserver, &Budget::unlimited());
    assert_eq!((outcome.end, outcome.inputs.len()), (End::InputsEnded, 2));
    assert!(!machine.waits());
}
