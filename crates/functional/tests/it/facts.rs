//! What functions do: it is proved of those that do it, and of none that do not. Each wrong variant is one that a
//! compiled program shows to be wrong (`docs` of the test have the input), so that nothing rests on our own engines.

use crate::support;

use idiolect_base::Budget;
use idiolect_functional::{self as functional, FunctionalFact};
use idiolect_invariants::proof::{self, Verdict};
use idiolect_invariants::{refine, session, shapes};
use idiolect_ir::Program;

struct Proved {
    facts: Vec<String>,
    is_adequate: bool,
    n_faults: u64,
}

fn prove(text: &str, function: &str) -> Proved {
    prove_with(text, function, (4, 2))
}

/// With arrays of up to so many elements, and so many quantified variables.
fn prove_with(text: &str, function: &str, (length, max_quantified): (u64, usize)) -> Proved {
    let program: Program = support::program(text, function);
    let id = program.function_named(function).expect("it is there");
    let program = shapes::shaped(&program, id).unwrap_or(program);
    let config = session::Config {
        lengths: 0..=length,
        max_quantified,
        n_threads: 1,
        ..session::Config::default()
    };
    let budget = Budget::unlimited();
    let outcome = session::run(&program, id, &config, &budget).expect("it runs");
    let learn = |wish: refine::Wish<'_>| {
        let config = session::Config {
            for_proof: true,
            helpers: wish.helpers,
            flags: wish.flags,
            ..config.clone()
        };
        session::run_with(&program, id, &config, wish.more, &budget)
    };
    let refined = refine::prove(&program, outcome, &proof::Config::default(), &budget, learn);
    let (outcome, proof) = (refined.outcome, refined.proof);
    let plain = proof::Config::default();
    let (outcome, proof) =
        match refine::without_what_fails(&program, &outcome, &proof, &plain, &budget) {
            Some((outcome, proof, _)) => (outcome, proof),
            None => (outcome, proof),
        };
    let facts = functional::find(&program, &outcome, &proof, &config, &budget);
    let is_adequate = |p: &proof::PointProof| p.verdict == Verdict::Adequate;
    Proved {
        facts: facts.iter().map(FunctionalFact::text).collect(),
        is_adequate: proof.points.iter().all(is_adequate),
        n_faults: outcome.runs.faults.n,
    }
}

/// The fact is proved of the function, and of no variant of it.
#[track_caller]
fn check(file: &str, function: &str, fact: &str, wrong: &[(&str, &str)]) {
    let text = support::text(&format!("textbook/{file}.c"));
    let proved = prove(&text, function);
    assert!(proved.is_adequate, "{file}");
    assert!(
        proved.facts.iter().any(|f| f == fact),
        "{file}: {:#?}",
        proved.facts
    );
    for (from, to) in wrong {
        assert!(text.contains(from), "{file}: {from}");
        let variant = text.replacen(from, to, 1);
        let proved = prove(&variant, function);
        assert!(
            !proved.facts.iter().any(|f| f == fact),
            "{file}: {from} -> {to}: {:#?}",
            proved.facts
        );
    }
}

#[test]
fn sorting_keeps_the_elements() {
    let fact = "a[0..n) is a permutation of old(a[0..n))";
    // {1, 0}: the last one stays twice; the key is lost; one more than the key.
    let wrong = [
        ("a[j] = key;", "a[j] = a[i];"),
        ("a[j] = key;", ";"),
        ("int key = a[i];", "int key = a[i] + 1;"),
    ];
    check("insertion-sort", "insertion_sort", fact, &wrong);
    let wrong = [
        ("a[least] = t;", ""),
        ("a[i] = a[least];", "a[i] = a[i];"),
        ("a[least] = t;", "a[least] = 0;"),
    ];
    check("selection-sort", "selection_sort", fact, &wrong);
}

#[test]
fn moving_keeps_the_elements() {
    let fact = "a[0..n) is a permutation of old(a[0..n))";
    let wrong = [
        ("a[n - 1] = first;", ";"),
        ("a[n - 1] = first;", "a[0] = first;"),
        ("a[i - 1] = a[i];", "a[i - 1] = a[0];"),
    ];
    check("rotate", "rotate_left", fact, &wrong);
    let wrong = [("a[j] = t;", "a[j] = a[i];"), ("a[i] = a[j];", "a[i] = t;")];
    check("reverse", "reverse", fact, &wrong[..1]);
    check(
        "partition",
        "partition",
        fact,
        &[("a[k] = t;", "a[k] = pivot;")],
    );
}

#[test]
fn what_was_found_is_there() {
    let fact = "0 < n ⇒ ∃ y. 0 ≤ y < n ∧ a[y] = result";
    let wrong = [
        ("least = a[0];", "least = 1;"),
        ("return least;", "return least - 1;"),
        ("least = a[i];", "least = a[i] - 1;"),
    ];
    check("min-value", "min_value", fact, &wrong);
    let fact = "result ≠ 0 ⇒ ∃ y. 0 ≤ y < n ∧ a[y] = x";
    let wrong = [
        ("has_x = 0", "has_x = 1"),
        ("a[i] == x", "a[i] != x"),
        ("has_x && has_y", "has_x || has_y"),
    ];
    check("two-sum", "two_present", fact, &wrong);
}

/// A length bounds the sum of an index and a distance: `i + k ≤ n`.
#[test]
fn moving_by_a_distance_is_followed() {
    let fact = "∀ y. 0 ≤ k ∧ 0 ≤ y < n - k ⇒ a[y + k] = old(a[y])";
    let wrong = [
        ("a[i - 1 + k] = a[i - 1];", "a[i - 1 + k] = a[0];"),
        ("a[i - 1 + k] = a[i - 1];", "a[i - 1 + k] = a[i - 1] + 1;"),
        ("i > 0; i--", "i > 1; i--"),
    ];
    check("memmove", "move_right", fact, &wrong);
}

#[test]
fn what_was_stored_is_there() {
    let fact = "result ≠ 0 ⇒ ∃ y. 0 ≤ y < size ∧ ring[y] = value";
    // No room and yet 1; another number; a place that is written again.
    let wrong = [
        ("return 0;", "return 1;"),
        ("ring[at] = value;", "ring[at] = first;"),
        ("ring[at] = value;", "ring[at] = value; ring[at] = first;"),
    ];
    check("ring-push", "ring_push", fact, &wrong);
}

#[test]
fn sums_and_numbers_of_elements() {
    let fact = "result = #{ y | 0 ≤ y < n ∧ a[y] = x }";
    let wrong = [
        ("c = 0", "c = 1"),
        ("a[i] == x", "a[i] <= x"),
        ("i = 0", "i = 1"),
        ("c++", "c += 2"),
        ("return c;", "return c + (n > 100);"),
    ];
    check("count", "count", fact, &wrong);
    let fact = "result = Σ { a[y] | 0 ≤ y < n } (mod 2^32)";
    let wrong = [
        ("s = s + a[i];", "s = s + a[0];"),
        ("i = 0", "i = 1"),
        ("b[i] = s;", "b[i] = s; s = s + (i > 100);"),
    ];
    check("prefix-sums", "prefix_sums", fact, &wrong);
}

/// A merge of `n` and `m` elements has room for `n + m`, and a string ends at its nul: no run faults, and the
/// proof covers every length.
#[test]
fn bounds_come_from_the_code() {
    let text = support::text("textbook/merge.c");
    assert_eq!(prove_with(&text, "merge", (2, 1)).n_faults, 0);
    for (file, function) in [
        ("strlen", "length_of"),
        ("strchr", "find_byte"),
        ("strcpy", "copy_string"),
    ] {
        let text = support::text(&format!("textbook/{file}.c"));
        let proved = prove(&text, function);
        assert_eq!(proved.n_faults, 0, "{file}");
        assert!(proved.is_adequate, "{file}");
        let wrong = text.replacen("= 0;", "= 1;", 1);
        let proved = prove(&wrong, function);
        // Of an empty string, byte 1 is not there.
        assert!(!proved.is_adequate, "{file}");
    }
}

/// A function without loops is what it computes.
#[test]
fn functions_without_loops_are_expressions() {
    let fact = "0 ≤ bit ∧ bit / 32 < n ⇒ words[bit / 32] = (old(words[bit / 32]) | (unsigned int)(1 << (bit % 32)))";
    let wrong = [
        ("words[i] | (1u", "words[i] ^ (1u"),
        ("words[i] = words[i]", "words[0] = words[i]"),
        ("bit % 32));", "bit % 31));"),
    ];
    check("bitmap", "bitmap_set", fact, &wrong);
    let fact = "∀ y. 0 ≤ y < n ∧ y ≠ bit / 32 ⇒ words[y] = old(words[y])";
    let wrong = [("    return 1;", "    words[0] = 0; return 1;")];
    check("bitmap", "bitmap_set", fact, &wrong);
    let fact = "0 ≤ bit ∧ bit / 32 < n ⇒ result = ((old(words[bit / 32]) >> (bit % 32)) & 1)";
    let wrong = [(">> (bit % 32)", ">> (bit % 16)"), ("& 1u", "& 3u")];
    check("bitmap-test", "bitmap_test", fact, &wrong);
}

/// What a member was is not what it is.
#[test]
fn members_are_named_by_when_they_are_read() {
    let text = support::text("textbook/stack-push.c");
    let proved = prove(&text, "push");
    assert!(proved.is_adequate);
    let said = |f: &str| proved.facts.iter().any(|s| s.contains(f));
    assert!(said("s->data[old(s->len)] = x"), "{:#?}", proved.facts);
    assert!(!said("s->data[s->len] = x"), "{:#?}", proved.facts);
}

#[test]
fn doubly_linked_lists_are_left_as_such() {
    let fact = "∀ y. y→next ≠ nil ⇒ y→next→previous = y, and the first cell's previous is nil";
    // The second case is one that no small input shows.
    let wrong = [
        ("head->previous = new;", ";"),
        ("if (head != 0)", "if (head != 0 && head->key != 777)"),
        ("new->previous = 0;", "new->previous = new;"),
    ];
    check("dll-insert", "dll_push", fact, &wrong);
    let wrong = [
        ("cur->next->previous = cur->previous;", ";"),
        ("if (cur->next != 0)", "if (cur->next != 0 && key != 777)"),
        ("cur->previous->next = cur->next;", ";"),
    ];
    check("dll-delete", "dll_delete", fact, &wrong);
}
