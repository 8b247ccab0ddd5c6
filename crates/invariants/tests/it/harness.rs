//! Programs that run by themselves, with arrays that are made small for the runs.

use crate::support;

use idiolect_base::Budget;
use idiolect_invariants::proof::{self, Verdict};
use idiolect_invariants::refine::{Refined, prove_harness};
use idiolect_invariants::session::{Config, run_harness};
use idiolect_ir::Program;
use idiolect_quantified::show;

/// What `--harness --function main` does.
fn prove(program: &Program) -> Refined {
    let main = program.function_named("main").expect("it is there");
    let budget = Budget::unlimited();
    let config = Config {
        n_threads: 1,
        ..Config::default()
    };
    let outcome = run_harness(program, main, &config, &budget).expect("it runs");
    prove_harness(
        program,
        outcome,
        &proof::Config::default(),
        &budget,
        |wish| {
            let config = Config {
                for_proof: true,
                helpers: wish.helpers,
                flags: wish.flags,
                max_quantified: config.max_quantified.min(wish.quantified),
                ..config.clone()
            };
            run_harness(program, main, &config, &budget)
        },
    )
}

fn of_corpus(name: &str) -> (Program, Refined) {
    let text = support::text(name);
    let program = support::program(&text, "main");
    let found = prove(&program);
    (program, found)
}

/// The lines of assertions, and whether they are proved.
fn assertions(program: &Program, found: &Refined) -> Vec<(u32, bool)> {
    let line = |span| program.sources.place(span).map_or(0, |at| at.line);
    let all = found.proof.assertions.iter();
    all.map(|a| (line(a.span), a.is_proved)).collect()
}

fn is_adequate(found: &Refined) -> bool {
    let points = &found.proof.points;
    !points.is_empty() && points.iter().all(|p| p.verdict == Verdict::Adequate)
}

fn formulas(found: &Refined) -> String {
    let learned = found.outcome.points.iter();
    let texts =
        learned.filter_map(|p| Some(show::formula(&p.point, &p.learned.as_ref().ok()?.formula)));
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_large_array_is_learned_small_and_proved_large() {
    let (program, found) = of_corpus("large-clip.c");
    assert_eq!(found.outcome.made_small, [20000]);
    assert_eq!(assertions(&program, &found), [(15, true)]);
    assert!(is_adequate(&found), "{:#?}", found.proof);
    let wanted = "∀ y1. 0 ≤ y1 < i ⇒ reading[y1] ≤ limit";
    assert!(formulas(&found).contains(wanted), "{}", formulas(&found));
}

#[test]
fn places_are_counted_from_the_end() {
    let (program, found) = of_corpus("large-mirror.c");
    // The assertion is named by the line that calls it.
    assert_eq!(assertions(&program, &found), [(19, true)]);
    assert!(is_adequate(&found), "{:#?}", found.proof);
    let wanted = "row[y1] = mirrored[4096 - y1 - 1]";
    assert!(formulas(&found).contains(wanted), "{}", formulas(&found));
}

#[test]
fn places_are_multiples_of_others() {
    let (program, found) = of_corpus("large-stride.c");
    assert_eq!(assertions(&program, &found), [(19, true)]);
    assert!(is_adequate(&found), "{:#?}", found.proof);
    let all = formulas(&found);
    assert!(all.contains("from = 4 * to + 2"), "{all}");
    assert!(all.contains("channel[y1] = sound[4 * y1 + 2]"), "{all}");
}

#[test]
fn a_flag_says_which_case_it_is() {
    let (program, found) = of_corpus("large-flag.c");
    assert_eq!(assertions(&program, &found), [(21, true)]);
    assert!(is_adequate(&found), "{:#?}", found.proof);
    // The loop of the function that is written out is there for the proof alone.
    assert_eq!(found.outcome.for_proof.len(), 1);
}

#[test]
fn what_fails_is_not_proved() {
    let (program, found) = of_corpus("large-gap.c");
    assert_eq!(assertions(&program, &found), [(12, false)]);
    assert!(!is_adequate(&found));
    // Runs of the small program fail, too, which proves nothing and is told.
    assert!(found.outcome.runs.errors.n > 0);
}

/// A constant that is equal to the size for another reason is scaled as well: what is learned is wrong
/// of the real program, and the proof says so.
#[test]
fn a_constant_that_is_a_size_by_accident_proves_nothing() {
    let text = "
        extern void __VERIFIER_error(void);
        int main(void) {
            int a[1000];
            int most;
            for (int i = 0; i < 1000; i++) a[i] = 1000;
            for (int k = 0; k < 1000; k++) if (a[k] > 5) __VERIFIER_error();
            return 0;
        }";
    let program = support::program(text, "main");
    let found = prove(&program);
    assert_eq!(assertions(&program, &found), [(7, false)]);
    assert!(!is_adequate(&found));
    // No run of the small program fails.
    assert_eq!(found.outcome.runs.errors.n, 0);
}

/// Wrapping around is part of what a program does: a sum need not be above its parts.
#[test]
fn sums_wrap_in_proofs() {
    let text = |check: &str| {
        format!(
            "extern void __VERIFIER_error(void);
            int main(void) {{
                int a[500];
                int step;
                for (int i = 0; i < 500; i++) a[i] = 9;
                for (int j = 0; j < 500; j++) a[j] = a[j] + step;
                for (int k = 0; k < 500; k++) if (!({check})) __VERIFIER_error();
                return 0;
            }}"
        )
    };
    let program = support::program(&text("a[k] == 9 + step"), "main");
    assert!(is_adequate(&prove(&program)));
    // So it is for the small numbers of the runs.
    let program = support::program(&text("a[k] >= step"), "main");
    assert!(!is_adequate(&prove(&program)));
}
