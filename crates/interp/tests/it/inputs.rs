//! Where inputs come from, and that they are written down.

use crate::common;

use common::{compile, compile_with, run, run_with};
use idiolect_base::{Budget, Rng};
use idiolect_interp::{
    Compiled, End, FixedInputs, InputOrigin, Machine, NoInputs, NoObserver, ObjectKind,
    RandomInputs, RunOptions, Spread, StdinInputs, ZeroInputs, run_many,
};
use idiolect_ir::ctype::DataModel;
use idiolect_ir::{InputKind, Ty};

const HEAD: &str = "int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void);
    _Bool __VERIFIER_nondet_bool(void); long __VERIFIER_nondet_long(void);
    void *malloc(unsigned long); void *memcpy(void *, const void *, unsigned long);
    int getchar(void);\n";

#[test]
fn inputs_are_used_and_recorded_in_order() {
    let text = format!(
        "{HEAD} int main() {{ int a = __VERIFIER_nondet_int();
         unsigned char b = __VERIFIER_nondet_uchar(); long c = __VERIFIER_nondet_long();
         return a == -3 && b == 200 && c == -1; }}"
    );
    let outcome = run(&text, &[-3, 200, -1]);
    assert_eq!(outcome.end, End::Exit(1));
    let values: Vec<i128> = outcome.inputs.iter().map(|i| i.as_integer()).collect();
    assert_eq!(values, [-3, 200, -1]);
    let types: Vec<Ty> = outcome.inputs.iter().map(|i| i.ty).collect();
    assert_eq!(types, [Ty::Int(32), Ty::Int(8), Ty::Int(64)]);
}

#[test]
fn a_bool_is_0_or_1() {
    let text = format!("{HEAD} int main() {{ return __VERIFIER_nondet_bool(); }}");
    let outcome = run(&text, &[7]);
    assert_eq!((outcome.end, outcome.inputs[0].bits), (End::Exit(1), 1));
}

#[test]
fn unwritten_memory_is_an_input_once() {
    let text = format!(
        "{HEAD} struct s {{ char c; int x; long l[2]; }};
         int main() {{ struct s a, b; a.c = 1; b = a;
           int *h = malloc(8); h[1] = 4;
           return b.x + b.x + a.x + (int)b.l[1] + h[0] + h[0] + h[1] + b.c; }}"
    );
    // b.x, a.x (another copy of nothing), b.l[1], h[0].
    let outcome = run(&text, &[10, 20, -5, 100]);
    assert_eq!(outcome.end, End::Exit(10 + 10 + 20 - 5 + 100 + 100 + 4 + 1));
    let origins: Vec<_> = outcome
        .inputs
        .iter()
        .map(|i| match i.origin {
            InputOrigin::Unwritten(u) => (u.object, u.offset, u.size, i.signed),
            InputOrigin::Site(_) => panic!("{i:?}"),
        })
        .collect();
    assert!(matches!(origins[0], (ObjectKind::Local { .. }, 4, 4, true)));
    assert!(matches!(origins[1], (ObjectKind::Local { .. }, 4, 4, true)));
    assert!(matches!(
        origins[2],
        (ObjectKind::Local { .. }, 16, 8, true)
    ));
    assert!(matches!(
        origins[3],
        (ObjectKind::Heap { number: 0 }, 0, 4, true)
    ));
}

#[test]
fn copied_bytes_bring_their_state_along() {
    for size in [65, 200] {
        let text = format!(
            "{HEAD} int main() {{ char a[{size}], b[{size}]; int i;
               for (i = 0; i < {size}; i++) b[i] = 1;
               a[3] = 7; a[5] = 9; memcpy(b, a, {size});
               return b[3] + b[5] + b[4]; }}"
        );
        let outcome = run(&text, &[50]);
        assert_eq!(outcome.end, End::Exit(66), "{size}");
        assert_eq!(outcome.inputs.len(), 1);
    }
}

/// The padding of a record is read when it is copied, so that both sides keep it.
#[test]
fn small_copies_read_what_they_copy() {
    let text = format!(
        "{HEAD} int memcmp(const void *, const void *, unsigned long);
         struct s {{ char c; int x; }};
         int main() {{ struct s a, b; a.c = 1; a.x = 2; memcpy(&b, &a, sizeof a);
           return memcmp(&a, &b, sizeof a) == 0 && ((char *)&b)[2] == 5; }}"
    );
    let outcome = run(&text, &[4, 5, 6]);
    assert_eq!(outcome.end, End::Exit(1));
    assert_eq!(outcome.inputs.len(), 3);
}

#[test]
fn partly_written_scalars_ask_for_the_missing_bytes() {
    let text = format!(
        "{HEAD} int main() {{ unsigned char *p = malloc(4); p[0] = 1; p[2] = 3;
           return *(int *)p; }}"
    );
    let outcome = run(&text, &[2, 4]);
    assert_eq!(outcome.end, End::Exit(0x04030201));
    assert!(outcome.inputs.iter().all(|i| i.ty == Ty::Int(8)));
}

#[test]
fn standard_input_ends_with_minus_one() {
    let text = format!(
        "{HEAD} int main() {{ int n = 0, c; while ((c = getchar()) != -1) n += c; return n; }}"
    );
    let compiled = compile(&text);
    let mut machine = Machine::new(&compiled, RunOptions::default());
    let mut source = StdinInputs::new(b"ab".to_vec(), ZeroInputs);
    let outcome = machine.run(&mut source, &mut NoObserver, &Budget::unlimited());
    assert_eq!(outcome.end, End::Exit(97 + 98));
    let is_stdin = |i: &idiolect_interp::DrawnInput| match i.origin {
        InputOrigin::Site(id) => compiled.program().inputs[id.index()].kind == InputKind::Stdin,
        InputOrigin::Unwritten(_) => false,
    };
    assert!(outcome.inputs.iter().all(is_stdin));
}

/// A program with branches on inputs, memory and output.
fn busy() -> Compiled {
    compile(&format!(
        "{HEAD} int putchar(int);
         int main() {{ int i, s = 0; int *a = malloc(40);
           for (i = 0; i < 10; i++) a[i] = __VERIFIER_nondet_int();
           for (i = 0; i < 10; i++) if (a[i] > 3) s += a[i]; else putchar('a' + i);
           return s; }}"
    ))
}

#[test]
fn runs_can_be_replayed_and_do_not_depend_on_threads() {
    let compiled = busy();
    let budget = Budget::unlimited();
    let options = RunOptions::default();
    let many = run_many(&compiled, options, 300, &budget, |i| {
        let rng = Rng::new(3, i as u64);
        (RandomInputs::new(rng, Spread::Mixed), NoObserver)
    });
    assert_eq!(many.len(), 300);
    let mut machine = Machine::new(&compiled, options);
    for (i, (outcome, _)) in many.iter().enumerate() {
        let rng = Rng::new(3, i as u64);
        let mut random = RandomInputs::new(rng, Spread::Mixed);
        let alone = machine.run(&mut random, &mut NoObserver, &budget);
        assert_eq!(*outcome, alone);
        let bits = outcome.inputs.iter().map(|i| i.bits).collect();
        let mut fixed = FixedInputs::new(bits, NoInputs);
        assert_eq!(*outcome, machine.run(&mut fixed, &mut NoObserver, &budget));
    }
}

#[test]
fn random_integers_reach_small_and_extreme_values() {
    let compiled = compile(&format!(
        "{HEAD} int main() {{ return __VERIFIER_nondet_int(); }}"
    ));
    let budget = Budget::unlimited();
    for (spread, expects) in [(Spread::Mixed, true), (Spread::Uniform, false)] {
        let runs = run_many(&compiled, RunOptions::default(), 2000, &budget, |i| {
            (RandomInputs::new(Rng::new(1, i as u64), spread), NoObserver)
        });
        let found = |value| runs.iter().any(|(o, _)| o.end == End::Exit(value));
        assert_eq!(found(0), expects);
        assert_eq!(found(i32::MIN), expects);
        assert_eq!(found(i32::MAX), expects);
    }
}

#[test]
fn thirty_two_bit_pointers_survive_memory_and_integers() {
    let text = "void *malloc(unsigned int); struct n { struct n *next; int v; };
        int f(int x) { return x + 1; } int (*table[2])(int) = { 0, f }; int g[4] = {1, 2, 3, 4};
        int *mid = &g[2];
        int main() { struct n *head = 0; int i, s = 0;
          for (i = 0; i < 5; i++) { struct n *p = malloc(sizeof *p); p->next = head; p->v = i; head = p; }
          for (struct n *p = head; p; p = p->next) s = s * 10 + p->v;
          unsigned int bits = (unsigned int)head; struct n *again = (struct n *)bits;
          if (again != head || sizeof(void *) != 4) return -1;
          if (mid - g != 2 || &g[3] - mid != 1 || mid[-1] != 2) return -2;
          return s + table[1](0) * 100000 + *mid; }";
    let compiled = compile_with(text, DataModel::Ilp32, false);
    let outcome = run_with(&compiled, &[], &mut NoObserver);
    assert_eq!(outcome.end, End::Exit(43210 + 100000 + 3));
}

/// Also where reading and writing are one instruction.
#[test]
fn unwritten_elements_that_are_copied_have_their_type() {
    let text = format!(
        "{HEAD} int main() {{ float *a = malloc(40); int *b = malloc(40); int i = 3;
           a[i] = a[i + 1]; b[i] = b[i + 1];
           return a[3] == 1.5f && b[3] == 7; }}"
    );
    let outcome = run(&text, &[0x3fc0_0000, 7]);
    assert_eq!(outcome.end, End::Exit(1));
    let types: Vec<Ty> = outcome.inputs.iter().map(|i| i.ty).collect();
    assert_eq!(types, [Ty::F32, Ty::Int(32)]);
}
