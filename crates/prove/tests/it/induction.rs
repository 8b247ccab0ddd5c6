use crate::common::{proof_of, proof_with, with_prelude};
use idiolect_base::Budget;
use idiolect_ir::Property;
use idiolect_prove::induction::cut::{Plan, PointKind};
use idiolect_prove::induction::{NotProved, samples};

#[track_caller]
fn is_proved(text: &str) {
    let outcome = proof_of(&with_prelude(text));
    assert!(outcome.result.is_ok(), "{outcome:?}");
}

#[track_caller]
fn is_not_proved(text: &str) {
    let outcome = proof_of(&with_prelude(text));
    assert!(outcome.result.is_err(), "{outcome:?}");
}

#[test]
fn a_bound_of_a_loop() {
    is_proved(
        "int main(void) { int n = __VERIFIER_nondet_int(); int i = 0;
         if (n < 0) return 0;
         while (i < n) i++;
         check(i == n); return 0; }",
    );
    is_not_proved(
        "int main(void) { int n = __VERIFIER_nondet_int(); int i = 0;
         while (i < n) i++;
         check(i == n); return 0; }",
    );
}

#[test]
fn an_affine_relation() {
    is_proved(
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(), x = n, y = 0;
         while (x > 0) { x--; y++; }
         check(y == n); return 0; }",
    );
}

/// The sum wraps around, and with it the relation: as integers it would be wrong.
#[test]
fn wrap_around_is_respected() {
    is_proved(
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(), i = 0, s = 0;
         while (i < n) { i++; s += 3; }
         check(s == 3 * n); return 0; }",
    );
    is_not_proved(
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(), i = 0, s = 0;
         while (i < n) { i++; s += 3; }
         check(s >= n); return 0; }",
    );
    // The counter comes to zero by wrapping around.
    is_not_proved(
        "int main(void) { unsigned char i = 1;
         while (i != 0) { i += 2; if (i == 255) i++; }
         check(i == 1); return 0; }",
    );
}

#[test]
fn a_remainder() {
    is_proved(
        "int main(void) { unsigned x = 0;
         while (__VERIFIER_nondet_int()) x += 2;
         check(x % 2 == 0); return 0; }",
    );
    // Three does not divide 2 to the power of 32.
    is_not_proved(
        "int main(void) { unsigned x = 0;
         while (__VERIFIER_nondet_int()) x += 3;
         check(x % 3 == 0); return 0; }",
    );
}

#[test]
fn states_of_a_machine() {
    is_proved(
        "int main(void) { int state = 1, lock = 0;
         while (1) {
           if (state == 1) { check(lock == 0); lock = 1; state = 2; }
           else if (state == 2) { if (__VERIFIER_nondet_int()) state = 3; }
           else if (state == 3) { check(lock == 1); lock = 0; state = 1; }
           else check(0);
         } }",
    );
    is_not_proved(
        "int main(void) { int state = 1, lock = 0;
         while (1) {
           if (state == 1) { check(lock == 0); lock = 1; state = 2; }
           else if (state == 2) { if (__VERIFIER_nondet_int() == 77777) state = 1; }
           else check(0);
         } }",
    );
}

#[test]
fn loops_in_loops_and_globals_in_functions() {
    is_proved(
        "int total, rounds;
         void work(int n) { int j; for (j = 0; j < n; j++) { total++; check(total >= 0); total--; } }
         int main(void) { int i;
         for (i = 0; i < 1000000; i++) { work(i); rounds = i; check(rounds >= 0); }
         check(total == 0); return 0; }",
    );
}

#[test]
fn what_a_loop_writes_through_a_pointer_changes() {
    is_not_proved(
        "int main(void) { int x = 0; int *p = &x; int i;
         for (i = 0; i < 1000000; i++) *p = i;
         check(x == 0); return 0; }",
    );
    is_not_proved(
        "int a[4];
         int main(void) { unsigned i;
         for (i = 0; i < 1000000; i++) a[i % 4] = i;
         check(a[2] == 0); return 0; }",
    );
    is_not_proved(
        "struct pair { int a, b; }; struct pair g;
         void put(struct pair *p, int v) { p->b = v; }
         int main(void) { int i;
         for (i = 0; i < 1000000; i++) put(&g, i);
         check(g.b == 0); return 0; }",
    );
}

#[test]
fn contracts_of_recursive_functions() {
    is_proved(
        "int sum(int n, int m) { if (n <= 0) return m; return sum(n - 1, m + 1); }
         int main(void) { int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
         if (n < 0 || n > 1000000 || m < 0 || m > 1000000) return 0;
         check(sum(n, m) == n + m); return 0; }",
    );
    is_proved(
        "int f(int x) { if (x > 100) return x - 10; return f(f(x + 11)); }
         int main(void) { int x = __VERIFIER_nondet_int(); int r = f(x);
         check(r == 91 || x > 100 && r == x - 10); return 0; }",
    );
    is_not_proved(
        "int f(int x) { if (x > 100) return x - 10; return f(f(x + 11)); }
         int main(void) { int x = __VERIFIER_nondet_int(); int r = f(x);
         check(r == 91 || x > 102 && r == x - 10); return 0; }",
    );
    is_not_proved(
        "int depth;
         void down(int n) { depth++; if (n > 0) down(n - 1); }
         int main(void) { down(__VERIFIER_nondet_int()); check(depth <= 1000); return 0; }",
    );
}

#[test]
fn faults_forbid_a_proof_and_can_be_what_is_proved() {
    let text = "int a[10];
         int main(void) { unsigned i, n = __VERIFIER_nondet_uint();
         for (i = 0; i < n && i < 10; i++) a[i] = 1;
         return 0; }";
    assert!(
        proof_with(&with_prelude(text), &[Property::Memory])
            .result
            .is_ok()
    );
    is_not_proved(
        "int a[10];
         int main(void) { unsigned i, n = __VERIFIER_nondet_uint();
         for (i = 0; i < n && i < 11; i++) a[i] = 1;
         check(i <= 11); return 0; }",
    );
}

#[test]
fn without_a_cycle_there_is_nothing_to_do() {
    let outcome = proof_of(&with_prelude("int main(void) { check(1); return 0; }"));
    assert!(matches!(outcome.result, Err(NotProved::Refused(_))));
}

#[test]
fn the_same_program_has_the_same_proof() {
    let text = "int main(void) { unsigned n = __VERIFIER_nondet_uint(), x = n, y = 0;
         while (x > 0) { x--; y++; } check(y == n); return 0; }";
    let program = with_prelude(text);
    assert_eq!(proof_of(&program), proof_of(&program));
}

/// Values that double.
#[test]
fn a_power_of_two() {
    let text = "
        static int moves(int n) { if (n == 1) return 1; return 2 * moves(n - 1) + 1; }
        int main(void) {
            int n = __VERIFIER_nondet_int();
            if (n < 1 || n > 31) return 0;
            check(moves(n) >= 0);
            return 0;
        }";
    let proof = proof_of(&with_prelude(text)).result.expect("a proof");
    let texts: Vec<String> = proof.claims.iter().flat_map(|c| c.texts()).collect();
    assert!(texts.iter().any(|t| t.contains("1LL << n")), "{texts:?}");
}

/// What a function does to a counter.
#[test]
fn powers_of_two_and_old_values() {
    let moves = "
        int made;
        static void tower(int n, int from, int to, int via) {
            if (n == 0) return;
            made++;
            tower(n - 1, from, via, to);
            tower(n - 1, via, to, from);
        }
        static int moves(int n) { if (n == 1) return 1; return 2 * moves(n - 1) + 1; }
        int main(void) {
            int n = __VERIFIER_nondet_int();
            if (n < 1 || n > 31) return 0;
            made = 0;
            tower(n, 1, 3, 2);
            check(moves(n) == made);
            return 0;
        }";
    let proof = proof_of(&with_prelude(moves)).result.expect("a proof");
    assert!(proof.has_old_values);
    let texts: Vec<String> = proof.claims.iter().flat_map(|c| c.texts()).collect();
    assert!(
        texts
            .iter()
            .any(|t| t.contains("\\old(made)") && t.contains("1LL << n")),
        "{texts:?}"
    );
    // For 31 discs the counter begins with one move too many.
    let wrong = moves.replace("made = 0", "made = n / 31");
    assert!(proof_of(&with_prelude(&wrong)).result.is_err());
}

#[test]
fn ackermann_stays_below_where_it_would_wrap() {
    let text = |most: &str| {
        format!(
            "static int a(int m, int n) {{
                if (m == 0) return n + 1;
                if (n == 0) return a(m - 1, 1);
                return a(m - 1, a(m, n - 1));
            }}
            int main(void) {{
                int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
                if (m < 0 || m > 3 || n < 0 || n > {most}) return 0;
                check(a(m, n) >= 0);
                return 0;
            }}"
        )
    };
    proof_of(&with_prelude(&text("23")))
        .result
        .expect("a proof");
    // From n = 29 on the value is 2 to the power of 32, and more, less 3: it wraps around.
    assert!(proof_of(&with_prelude(&text("29"))).result.is_err());
}

/// What a small argument does is seen whatever the seed; a contract of few samples is no contract.
#[test]
fn small_arguments_are_seen_with_any_seed() {
    let program = with_prelude(
        "int f(int m, int n) { return m <= 0 ? n : f(m - 1, n + 1); }
         int main(void) { int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
           if (m < 0 || n < 0 || m > 9 || n > 9) return 0;
           check(f(m, n) == m + n); return 0; }",
    );
    let points = Plan::new(&program).expect("a cycle").points;
    let entry = points.iter().position(|p| p.kind == PointKind::Entry);
    let entry = entry.expect("f calls itself");
    for seed in 0..5 {
        let states =
            samples::collect(&program, &points, seed, &Budget::unlimited()).expect("no limit");
        for m in 0..6 {
            for n in 0..6 {
                let is_it = |s: &Vec<i128>| s[..2] == [m, n];
                assert!(states[entry].iter().any(is_it), "{m}, {n} with seed {seed}");
            }
        }
    }
}
