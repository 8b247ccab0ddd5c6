//! Many questions to one encoding: prints counts and times for each kind.
//!
//! `cargo run --release -p idiolect-smt --example incremental`

#![allow(clippy::print_stdout)]

use std::time::Instant;

use idiolect_base::{Budget, Rng};
use idiolect_smt::{Outcome, Solver, TermId, Terms};

const ELEMENTS: usize = 6;
const WIDTH: u32 = 32;

/// Bubble sort of `ELEMENTS` words, unrolled: whether each comparison swapped, and the sorted words.
fn bubble_sort(t: &mut Terms) -> (Vec<TermId>, Vec<TermId>) {
    let mut words: Vec<TermId> = (0..ELEMENTS)
        .map(|i| t.bv_var(&format!("a{i}"), WIDTH))
        .collect();
    let mut swaps = Vec::new();
    for round in 0..ELEMENTS {
        for i in 0..ELEMENTS - 1 - round {
            let (a, b) = (words[i], words[i + 1]);
            let swap = t.slt(b, a);
            words[i] = t.ite(swap, b, a);
            words[i + 1] = t.ite(swap, a, b);
            swaps.push(swap);
        }
    }
    (swaps, words)
}

/// The decisions that the low bits of `word` stand for.
fn decisions(t: &mut Terms, swaps: &[TermId], word: u64) -> Vec<TermId> {
    let first = swaps.iter().enumerate().take(8);
    first
        .map(|(i, &s)| if word >> i & 1 == 1 { s } else { t.not(s) })
        .collect()
}

/// What a series of questions was answered, and since when it is asked.
struct Series {
    name: &'static str,
    start: Instant,
    sat: usize,
    unsat: usize,
    unknown: usize,
}

impl Series {
    fn new(name: &'static str) -> Self {
        Self {
            name,
            start: Instant::now(),
            sat: 0,
            unsat: 0,
            unknown: 0,
        }
    }

    fn count(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Sat(_) => self.sat += 1,
            Outcome::Unsat(_) => self.unsat += 1,
            Outcome::Unknown(_) => self.unknown += 1,
        }
    }

    fn report(&self, solver: &Solver) {
        let s = solver.statistics();
        println!(
            "{}: {} sat, {} unsat, {} unknown in {:.3} s; {} conflicts, {} variables, {} clauses",
            self.name,
            self.sat,
            self.unsat,
            self.unknown,
            self.start.elapsed().as_secs_f64(),
            s.conflicts,
            s.variables,
            s.clauses,
        );
    }
}

fn main() {
    let budget = Budget::unlimited();
    let mut rng = Rng::new(1, 0);
    let words: Vec<u64> = (0..1000).map(|_| rng.next_u64()).collect();

    let mut series = Series::new("sort, 1000 decision words, one encoding");
    let mut t = Terms::new();
    let (swaps, sorted) = bubble_sort(&mut t);
    let mut solver = Solver::new();
    for &word in &words {
        let question = decisions(&mut t, &swaps, word);
        series.count(&solver.check(&t, &question, &budget));
    }
    series.report(&solver);

    let mut series = Series::new("sort is right, each neighboring pair");
    for pair in sorted.windows(2) {
        let wrong = t.slt(pair[1], pair[0]);
        series.count(&solver.check(&t, &[wrong], &budget));
    }
    series.report(&solver);

    let mut series = Series::new("sort, 100 of the words, encoded anew each time");
    let mut solver = Solver::new();
    for &word in &words[..100] {
        let mut t = Terms::new();
        let (swaps, _) = bubble_sort(&mut t);
        solver = Solver::new();
        let question = decisions(&mut t, &swaps, word);
        series.count(&solver.check(&t, &question, &budget));
    }
    series.report(&solver);

    let mut series = Series::new("32-bit products, 200 undone with 22 bits of a factor known");
    let mut t = Terms::new();
    let (x, y) = (t.bv_var("x", 32), t.bv_var("y", 32));
    let product = t.mul(x, y);
    let mut solver = Solver::new();
    for _ in 0..200 {
        let (a, b) = (rng.next_u64() | 1, rng.next_u64());
        let wanted = t.bv(u128::from(a.wrapping_mul(b)), 32);
        let (low, known) = (t.extract(21, 0, x), t.bv(u128::from(a), 22));
        let question = [t.eq(product, wanted), t.eq(low, known)];
        series.count(&solver.check(&t, &question, &budget.share(20_000)));
    }
    series.report(&solver);

    let mut series = Series::new("64-bit division, 50 dividends");
    let mut t = Terms::new();
    let (x, y) = (t.bv_var("x", 64), t.bv_var("y", 64));
    let (q, r) = (t.udiv(x, y), t.urem(x, y));
    let mut solver = Solver::new();
    for _ in 0..50 {
        let divisor = t.bv(u128::from(rng.below(1 << 20) + 2), 64);
        let (quotient, rest) = (t.bv(u128::from(rng.below(1 << 30)), 64), t.bv(1, 64));
        let question = [t.eq(y, divisor), t.eq(q, quotient), t.eq(r, rest)];
        series.count(&solver.check(&t, &question, &budget.share(20_000)));
    }
    series.report(&solver);

    let mut series = Series::new("array of 1000 elements, written and read at variable indices");
    let mut t = Terms::new();
    let mut memory = t.array_var("memory", 32, 32);
    let indices: Vec<TermId> = (0..1000).map(|i| t.bv_var(&format!("i{i}"), 32)).collect();
    for (k, &i) in indices.iter().enumerate() {
        let value = t.bv(k as u128, 32);
        memory = t.store(memory, i, value);
    }
    let mut solver = Solver::new();
    for k in 0..20u128 {
        let (j, wanted) = (t.bv_var("j", 32), t.bv(k * 50, 32));
        let read = t.select(memory, j);
        let goal = t.eq(read, wanted);
        series.count(&solver.check(&t, &[goal], &budget));
    }
    series.report(&solver);
}
