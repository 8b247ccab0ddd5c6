//! For tests: random conditions on two variables of 4 bits, which wrap round all the time, decided and
//! compared with trying all values.

use crate::ranges::RangeAnswer;
use idiolect_base::Rng;
use idiolect_smt::{Model, TermId, Terms};

/// How often each answer was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Answers {
    pub(crate) never: u32,
    pub(crate) holds: u32,
    pub(crate) unknown: u32,
}

/// Conjunctions of disjunctions of comparisons. `sides` gives the two sides of one from the variables
/// and a number that is the same for a whole disjunction.
pub(crate) fn compare(
    n_seeds: u64,
    mut sides: impl FnMut(&mut Terms, &mut Rng, [TermId; 2], u64) -> (TermId, TermId),
    decide: impl Fn(&Terms, &[TermId]) -> RangeAnswer,
) -> Answers {
    let mut answers = Answers::default();
    for seed in 0..n_seeds {
        let mut rng = Rng::new(seed, 0);
        let mut t = Terms::new();
        let vars = [t.bv_var("x", 4), t.bv_var("y", 4)];
        let mut all = t.tt();
        for _ in 0..1 + rng.below(6) {
            let mut part = t.ff();
            let which = rng.below(2);
            for _ in 0..1 + rng.below(2) {
                let (a, b) = sides(&mut t, &mut rng, vars, which);
                let atom = match rng.below(6) {
                    0 | 1 => t.eq(a, b),
                    2 => t.ult(a, b),
                    3 => t.ule(a, b),
                    4 => t.slt(a, b),
                    _ => t.sle(a, b),
                };
                let atom = if rng.chance(1, 3) { t.not(atom) } else { atom };
                part = t.or(part, atom);
            }
            all = t.and(all, part);
        }
        let is_possible = (0..256u128).any(|bits| {
            let mut model = Model::new();
            model.set_term(&t, vars[0], bits & 15);
            model.set_term(&t, vars[1], bits >> 4);
            model.eval_bool(&t, all)
        });
        match decide(&t, &[all]) {
            RangeAnswer::Never => {
                answers.never += 1;
                assert!(!is_possible, "seed {seed}");
            }
            RangeAnswer::Holds(model) => {
                answers.holds += 1;
                assert!(model.eval_bool(&t, all), "seed {seed}");
            }
            RangeAnswer::Unknown => answers.unknown += 1,
        }
    }
    answers
}
