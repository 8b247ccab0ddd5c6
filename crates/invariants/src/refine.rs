//! Learning, proving, and learning again from the runs that refute what was learned.
//!
//! The seed guesses and checks. Where a counter-model of the proof turns out to be a real run that
//! violates a formula, the samples were too few: the run's input joins them, with all inputs that
//! are obtained from it by leaving out cells. One input alone would be learned as an exception for
//! words of its length; the smaller ones tell what it is about it that matters.

use crate::inputs::{Input, InputSpace};
use crate::proof::{self, Claim};
use crate::session::{InvariantsError, NotLearned, Outcome, PointOutcome};
use crate::shapes;
use crate::signature;
use idiolect_base::Budget;
use idiolect_ir::Program;
use idiolect_quantified::formula::{Arrangement, Conjunct, Constraint, Formula, says_something};
use idiolect_quantified::implied;
use idiolect_quantified::point::PointKind;
use idiolect_quantified::roles::Roles;
use idiolect_quantified::show;

/// After so many rounds what is refuted stays refuted.
pub const MAX_ROUNDS: usize = 8;
/// Not more smaller inputs than this for each one.
const MAX_SMALLER: usize = 1 << 8;
/// So many conjuncts of an entry are tried one by one.
const MAX_GUESSES: usize = 6;

/// What is learned, and the proof of it.
#[derive(Clone, Debug)]
pub struct Refined {
    pub outcome: Outcome,
    pub proof: proof::Outcome,
    /// Inputs that were learned from because they refuted something.
    pub more: Vec<Input>,
    pub rounds: usize,
}

/// What is to be learned from, and what for.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'a> {
    /// Inputs beside those of the session.
    pub more: &'a [Input],
    /// Look for what helps a proof beside what automata say.
    pub helpers: bool,
    /// Look at the cases of flags and at computed places and values.
    pub flags: bool,
    /// Relate at most so many elements with each other, and not more than the user wants.
    pub quantified: usize,
}

impl<'a> Wish<'a> {
    pub fn more(more: &'a [Input]) -> Self {
        Wish {
            more,
            helpers: false,
            flags: false,
            quantified: usize::MAX,
        }
    }
}

/// Proves what was learned, and learns again as long as runs refute it. `learn` is given the inputs
/// to learn from beside its own ones, and learns at all points that a proof needs.
pub fn prove(
    program: &Program,
    mut outcome: Outcome,
    config: &proof::Config,
    budget: &Budget,
    mut learn: impl FnMut(Wish<'_>) -> Result<Outcome, InvariantsError>,
) -> Refined {
    // Without a signature there are no inputs to learn from, and the proof makes none.
    let parameters = signature::inputs(program, &Roles::new(program), outcome.function);
    let space = InputSpace::new(&parameters.unwrap_or_default(), 0..=0, vec![0]);
    let mut more: Vec<Input> = Vec::new();
    if outcome.for_proof.is_empty() && !proof::needed(program, outcome.function).is_empty() {
        // Without contracts there is only less to prove.
        outcome = learn(Wish::more(&more)).unwrap_or(outcome);
    }
    let has_arrays = |p: &PointOutcome| p.point.structures.iter().any(|s| !s.is_list());
    // What a contract has to say of an array is mostly said of ranges.
    let mut are_helpers_tried = outcome.for_proof.iter().any(has_arrays);
    if are_helpers_tried {
        let wish = Wish {
            helpers: true,
            ..Wish::more(&[])
        };
        let found = learn(wish).ok();
        // Nobody is told what is claimed in functions that are called: helpers alone are proved
        // sooner there, where they are enough.
        let helped = found.and_then(|o| {
            with_helpers(program, o.clone(), true, config, budget)
                .or_else(|| with_helpers(program, o, false, config, budget))
        });
        if let Some((outcome, proof)) = helped {
            return Refined {
                outcome,
                proof,
                more,
                rounds: 0,
            };
        }
    }
    let mut rounds = 0;
    loop {
        let quick = proof::Config {
            stop_when_refuted: rounds < MAX_ROUNDS,
            ..*config
        };
        let mut proof = prove_once(program, &outcome, &quick, budget);
        let mut new = Vec::new();
        for failure in proof.points.iter().flat_map(|p| &p.failures) {
            for input in failure.input.iter().flat_map(|i| with_smaller(&space, i)) {
                if !more.contains(&input) && !new.contains(&input) {
                    new.push(input);
                }
            }
        }
        let mut again = None;
        if !new.is_empty() && rounds < MAX_ROUNDS {
            more.extend(new);
            // What cannot be learned again, for want of time, stays as it is.
            again = learn(Wish::more(&more)).ok();
        }
        let Some(again) = again else {
            if proof.is_cut_short {
                proof = prove_once(program, &outcome, config, budget);
            }
            let mut refined = Refined {
                outcome,
                proof,
                more,
                rounds,
            };
            if !std::mem::replace(&mut are_helpers_tried, true) && may_need_helpers(&refined) {
                let wish = Wish {
                    helpers: true,
                    ..Wish::more(&refined.more)
                };
                let helped = learn(wish).ok();
                let helped = helped.and_then(|o| with_helpers(program, o, false, config, budget));
                if let Some((outcome, proof)) = helped {
                    (refined.outcome, refined.proof) = (outcome, proof);
                }
            }
            return refined;
        };
        outcome = again;
        rounds += 1;
    }
}

/// Proves what was learned from runs of the program itself, whose inputs are not ours to choose: what
/// a run refutes stays refuted. Where a proof fails, `learn` learns more: at all points that a proof
/// needs, in the cases of flags, and at last with helpers.
pub fn prove_harness(
    program: &Program,
    mut outcome: Outcome,
    config: &proof::Config,
    budget: &Budget,
    mut learn: impl FnMut(Wish<'_>) -> Result<Outcome, InvariantsError>,
) -> Refined {
    if outcome.for_proof.is_empty() && !proof::needed(program, outcome.function).is_empty() {
        outcome = learn(Wish::more(&[])).unwrap_or(outcome);
    }
    // Few conjuncts are proved sooner, and are often enough.
    if has_arrays(&outcome) {
        let wish = Wish {
            quantified: 1,
            ..Wish::more(&[])
        };
        outcome = learn(wish).unwrap_or(outcome);
    }
    let proof = prove_once(program, &outcome, config, budget);
    let mut refined = Refined {
        outcome,
        proof,
        more: Vec::new(),
        rounds: 0,
    };
    for (quantified, flags, helpers) in [
        (1, true, false),
        (usize::MAX, true, false),
        (usize::MAX, true, true),
    ] {
        if !may_need_helpers(&refined) || budget.look().is_err() {
            break;
        }
        let wish = Wish {
            more: &[],
            helpers,
            flags,
            quantified,
        };
        let Ok(outcome) = learn(wish) else {
            break;
        };
        let found = if helpers {
            with_helpers(program, outcome, false, config, budget)
        } else {
            let proof = prove_once(program, &outcome, config, budget);
            let mut found = (outcome, proof);
            leave_out_what_failed(&mut found.0, &mut found.1);
            is_better(&found.1, &refined.proof).then_some(found)
        };
        if let Some((outcome, proof)) = found {
            (refined.outcome, refined.proof) = (outcome, proof);
        }
    }
    refined
}

/// What was seen at a point, by position, and is not proved.
pub type Open = (usize, Conjunct);

/// The proof of what is left when everything that failed is left out, if that is enough: what runs suggested and
/// no proof confirms need not stand in the way of what is true.
pub fn without_what_fails(
    program: &Program,
    outcome: &Outcome,
    proof: &proof::Outcome,
    config: &proof::Config,
    budget: &Budget,
) -> Option<(Outcome, proof::Outcome, Vec<Open>)> {
    if is_adequate(proof) || budget.look().is_err() {
        return None;
    }
    let mut outcome = outcome.clone();
    let mut open = Vec::new();
    let n_own = outcome.points.len();
    let mut proofs = proof.points.iter();
    let all = outcome.points.iter_mut().chain(&mut outcome.for_proof);
    for (i, p) in all.enumerate() {
        let Ok(learned) = &mut p.learned else {
            continue;
        };
        let proof = proofs.next()?;
        let mut kept = proof.kept.iter();
        learned.formula.conjuncts.retain(|c| {
            let is_kept = kept.next() == Some(&true) || p.point.kind == PointKind::Entry;
            if !is_kept && i < n_own {
                open.push((i, c.clone()));
            }
            is_kept
        });
    }
    let proof = prove_once(program, &outcome, config, budget);
    (!open.is_empty() && is_adequate(&proof)).then_some((outcome, proof, open))
}

/// Proves what can be proved of what was learned. That nothing comes to a loop that no run came to is
/// claimed as well, though nobody is told: what follows such a loop may need it.
pub fn prove_once(
    program: &Program,
    outcome: &Outcome,
    config: &proof::Config,
    budget: &Budget,
) -> proof::Outcome {
    let all = || outcome.points.iter().chain(&outcome.for_proof);
    let mut claims: Vec<Claim<'_>> = all()
        .filter_map(|p| {
            Some(Claim {
                point: &p.point,
                formula: &p.learned.as_ref().ok()?.formula,
            })
        })
        .collect();
    let n_learned = claims.len();
    let never = Formula {
        conjuncts: vec![Conjunct::OneOf(Vec::new())],
    };
    let is_never_reached = |p: &&PointOutcome| {
        p.point.kind == PointKind::Loop && matches!(p.learned, Err(NotLearned::NotReached))
    };
    claims.extend(all().filter(is_never_reached).map(|p| Claim {
        point: &p.point,
        formula: &never,
    }));
    let mut proof = proof::prove(program, outcome.function, &claims, config, budget);
    proof.points.truncate(n_learned);
    proof
}

fn is_adequate(proof: &proof::Outcome) -> bool {
    let is_adequate = |p: &proof::PointProof| p.verdict == proof::Verdict::Adequate;
    proof.points.iter().all(is_adequate)
}

/// Whether more is proved than before.
fn is_better(new: &proof::Outcome, old: &proof::Outcome) -> bool {
    let proved = |p: &proof::Outcome| p.assertions.iter().filter(|a| a.is_proved).count();
    is_adequate(new) || proved(new) > proved(old)
}

fn has_arrays(outcome: &Outcome) -> bool {
    let mut points = outcome.points.iter().chain(&outcome.for_proof);
    points.any(|p| p.point.structures.iter().any(|s| !s.is_list()))
}

/// Whether the proof failed at arrays, and nothing is refuted.
fn may_need_helpers(refined: &Refined) -> bool {
    let is_refuted = |p: &proof::PointProof| p.verdict == proof::Verdict::Refuted;
    has_arrays(&refined.outcome)
        && !is_adequate(&refined.proof)
        && !refined.proof.points.iter().any(is_refuted)
}

/// The proof with helpers, if there are any and they help: those that were needed are then part of
/// the formulas. `alone`, they are all that is claimed in functions that are called.
fn with_helpers(
    program: &Program,
    mut outcome: Outcome,
    alone: bool,
    config: &proof::Config,
    budget: &Budget,
) -> Option<(Outcome, proof::Outcome)> {
    let mut n_learned = Vec::new();
    let mut is_helped = false;
    let n_own = outcome.points.len();
    let all = outcome.points.iter_mut().chain(&mut outcome.for_proof);
    for (i, p) in all.enumerate() {
        let Ok(learned) = &mut p.learned else {
            continue;
        };
        let conjuncts = &mut learned.formula.conjuncts;
        if alone && i >= n_own && !p.helpers.is_empty() {
            conjuncts.clear();
        }
        n_learned.push(conjuncts.len());
        if i < n_own && p.point.kind == PointKind::Entry {
            continue; // It is what callers have to see to, and no more is asked of them.
        }
        let mut said: Vec<String> = (conjuncts.iter())
            .map(|c| show::conjunct(&p.point, c))
            .collect();
        for helper in std::mem::take(&mut p.helpers) {
            let text = show::conjunct(&p.point, &helper);
            if !said.contains(&text) {
                said.push(text);
                conjuncts.push(helper);
                is_helped = true;
            }
        }
    }
    if !is_helped {
        return None;
    }
    // There are many helpers, and most questions need few of their instances.
    let narrow = proof::Config {
        widen: false,
        ..*config
    };
    let mut proof = prove_once(program, &outcome, &narrow, budget);
    if !is_adequate(&proof) && config.widen {
        proof = prove_once(program, &outcome, config, budget);
    }
    if !is_adequate(&proof) {
        return None;
    }
    keep(&mut outcome, &mut proof, |i, number| i < n_learned[number]);
    Some((outcome, proof))
}

/// Leaves out conjuncts that are not proved, where something is.
fn leave_out_what_failed(outcome: &mut Outcome, proof: &mut proof::Outcome) {
    keep(outcome, proof, |_, _| false);
}

/// Conjuncts that are not inductive were only tried, and what another one says is not said again,
/// except where `is_shown` says so of a conjunct and the number of its formula.
fn keep(
    outcome: &mut Outcome,
    proof: &mut proof::Outcome,
    is_shown: impl Fn(usize, usize) -> bool,
) {
    let learned = outcome.points.iter_mut().chain(&mut outcome.for_proof);
    let formulas = learned.filter_map(|p| Some(&mut p.learned.as_mut().ok()?.formula));
    let mut numbers_of: Vec<Vec<Option<usize>>> = Vec::new();
    for (f, (formula, p)) in formulas.zip(&mut proof.points).enumerate() {
        let kept = std::mem::take(&mut p.kept);
        let worth_saying = implied::worth_saying(&formula.conjuncts, &kept);
        let is_shown = |i: usize| worth_saying[i] || (!kept[i] && is_shown(i, f));
        let mut numbers = 0..kept.len();
        let mut is_next_shown = || numbers.next().is_some_and(is_shown);
        formula.conjuncts.retain(|_| is_next_shown());
        let mut number = vec![None; kept.len()];
        for (i, &is_kept) in kept.iter().enumerate() {
            if is_shown(i) {
                number[i] = Some(p.kept.len());
                p.kept.push(is_kept);
            }
        }
        numbers_of.push(number);
    }
    // A conjunct is one of the claim at the end of its segment, wherever its failure is told.
    for (own, p) in proof.points.iter_mut().enumerate() {
        p.failures.retain_mut(|f| {
            let numbers = numbers_of.get(f.to.unwrap_or(own));
            match (&mut f.goal, numbers) {
                (proof::Goal::Conjunct(c), Some(numbers)) => {
                    let new = numbers.get(*c).copied().flatten();
                    *c = new.unwrap_or(*c);
                    new.is_some()
                }
                _ => true,
            }
        });
    }
}

/// An input and those with fewer cells, the largest ones first.
fn with_smaller(space: &InputSpace, input: &Input) -> Vec<Input> {
    let mut all = vec![input.clone()];
    let mut next = 0;
    while next < all.len() && all.len() < MAX_SMALLER {
        for smaller in space.smaller(&all[next]) {
            if !all.contains(&smaller) {
                all.push(smaller);
            }
        }
        next += 1;
    }
    all
}

/// What held of all inputs at the entry only because of how they were made, and is not needed: the proof without it, if
/// nothing that is said of data at the exit is lost. What was asked for (`--assume`) and what added parameters
/// mean stay.
pub fn asking_less(
    program: &Program,
    outcome: &Outcome,
    proof: &proof::Outcome,
    config: &proof::Config,
    budget: &Budget,
) -> Option<(Outcome, proof::Outcome)> {
    let entry = (outcome.points.iter()).position(|p| p.point.kind == PointKind::Entry)?;
    let of = |o: &Outcome| -> Vec<Conjunct> {
        let learned = o.points[entry].learned.as_ref();
        learned.map_or_else(|_| Vec::new(), |l| l.formula.conjuncts.clone())
    };
    let meant = shapes::definitions(program, &outcome.points[entry].point);
    let is_guess = |c: &Conjunct| !meant.contains(c);
    let own = of(outcome);
    if !own.iter().any(is_guess) || !is_adequate(proof) {
        return None;
    }
    let split = in_parts(outcome);
    let guesses: Vec<Conjunct> = of(&split).into_iter().filter(is_guess).collect();
    let without = |o: &Outcome, dropped: &[Conjunct]| -> Option<(Outcome, proof::Outcome)> {
        budget.look().ok()?;
        let mut less = o.clone();
        let learned = less.points[entry].learned.as_mut().ok()?;
        (learned.formula.conjuncts).retain(|c| !dropped.contains(c));
        let mut proof = prove_once(program, &less, config, budget);
        if !is_adequate(&proof) {
            let (o, p, _) = without_what_fails(program, &less, &proof, config, budget)?;
            (less, proof) = (o, p);
        }
        (says_of_data(&less) >= says_of_data(o)).then_some((less, proof))
    };
    let mut found = without(&split, &guesses);
    if found.is_none() {
        for guess in guesses
            .iter()
            .take(MAX_GUESSES)
            .filter(|_| guesses.len() > 1)
        {
            let now = found.as_ref().map_or(&split, |f| &f.0);
            if let Some(less) = without(now, std::slice::from_ref(guess)) {
                found = Some(less);
            }
        }
    }
    let less = joined(&found?.0);
    let proof = prove_once(program, &less, config, budget);
    is_adequate(&proof).then_some((less, proof))
}

/// Changes the conjuncts of all points.
fn with_conjuncts(outcome: &Outcome, f: impl Fn(Vec<Conjunct>) -> Vec<Conjunct>) -> Outcome {
    let mut outcome = outcome.clone();
    for p in outcome.points.iter_mut().chain(&mut outcome.for_proof) {
        if let Ok(learned) = &mut p.learned {
            let conjuncts = std::mem::take(&mut learned.formula.conjuncts);
            learned.formula.conjuncts = f(conjuncts);
        }
    }
    outcome
}

/// The same formulas, where each constraint that holds by itself is a conjunct of its own.
fn in_parts(outcome: &Outcome) -> Outcome {
    let parts = |conjunct: Conjunct| match &conjunct {
        Conjunct::OneOf(all) => match &all[..] {
            [one] if one.comparisons.is_empty() && one.constraints.len() > 1 => {
                let alone = |c: &Constraint| {
                    Conjunct::OneOf(vec![Arrangement {
                        constraints: vec![*c],
                        comparisons: Vec::new(),
                    }])
                };
                one.constraints.iter().map(alone).collect()
            }
            _ => vec![conjunct],
        },
        Conjunct::ForAll(_) => vec![conjunct],
    };
    with_conjuncts(outcome, |all| all.into_iter().flat_map(parts).collect())
}

/// The same formulas, where such constraints are one conjunct, the first.
fn joined(outcome: &Outcome) -> Outcome {
    with_conjuncts(outcome, |all| {
        let mut constraints: Vec<Constraint> = Vec::new();
        let mut others = Vec::new();
        for conjunct in all {
            match &conjunct {
                Conjunct::OneOf(list) if list.len() == 1 && list[0].comparisons.is_empty() => {
                    constraints.extend(&list[0].constraints);
                }
                _ => others.push(conjunct),
            }
        }
        if !constraints.is_empty() {
            let one = Arrangement {
                constraints,
                comparisons: Vec::new(),
            };
            others.insert(0, Conjunct::OneOf(vec![one]));
        }
        others
    })
}

/// How many conjuncts at the exit are about data.
fn says_of_data(outcome: &Outcome) -> usize {
    let exits = (outcome.points.iter()).filter(|p| p.point.kind == PointKind::Exit);
    let learned = exits.filter_map(|p| Some((&p.point, p.learned.as_ref().ok()?)));
    learned
        .flat_map(|(point, l)| l.formula.conjuncts.iter().map(move |c| (point, c)))
        .filter(|(point, c)| says_something(point, c))
        .count()
}
