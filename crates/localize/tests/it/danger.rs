//! Danger automata and Floyd–Hoare automata of systems over a few bits, against the paper's figures and
//! against going through all states.

use idiolect_base::{Budget, Rng};
use idiolect_localize::all_traces::by_location::ByLocation;
use idiolect_localize::all_traces::danger::{Annotated, Canonical, Judgement, Possibly};
use idiolect_localize::all_traces::floyd_hoare::{Feasibility, FloydHoare, judge};
use idiolect_localize::all_traces::language::Language;
use idiolect_localize::all_traces::prover::{Holds, Prover};
use idiolect_localize::all_traces::system::{Step, System};
use idiolect_smt::{Evaluator, Model, TermId};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn plainly(body: TermId) -> Possibly {
    Possibly {
        body,
        bound: Vec::new(),
    }
}

fn is_danger(system: &mut System, automaton: &Annotated) -> Judgement {
    automaton
        .is_danger(system, &mut Prover::new(), &Budget::unlimited())
        .unwrap()
}

/// Figure 7, with the predicates of its locations.
fn figure_7() -> (System, Annotated) {
    let mut system = System::new();
    let x = system.terms.bv_var("x", 32);
    let constant = |system: &mut System, n| system.terms.bv(n, 32);
    let (zero, one) = (constant(&mut system, 0), constant(&mut system, 1));
    let thousand = constant(&mut system, 1000);
    let below = system.terms.slt(x, thousand);
    let at_most = system.terms.sle(x, thousand);
    let at_least = system.terms.not(below);
    let equal = system.terms.eq(x, thousand);
    let other = system.terms.not(equal);
    let more = system.terms.add(x, one);
    let init = system.add(vec![Step::assign(x, zero)], vec![]);
    let enter = system.add(vec![Step::Assume(below)], vec![]);
    let count = system.add(vec![Step::assign(x, more)], vec![]);
    let leave = system.add(vec![Step::Assume(at_least)], vec![]);
    let fails = system.add(vec![Step::Assume(equal)], vec![]);
    let passes = system.add(vec![Step::Assume(other)], vec![]);
    let (tt, ff) = (system.terms.tt(), system.terms.ff());
    // l0 -x:=0-> l1 -x<1000-> l2 -x++-> l1 -x>=1000-> l3 -x=1000-> l_err, -x!=1000-> l_exit
    let automaton = Annotated {
        initial: vec![0],
        accepting: vec![false, false, false, false, true, false],
        edges: vec![
            (0, init, 1),
            (1, enter, 2),
            (2, count, 1),
            (1, leave, 3),
            (3, fails, 4),
            (3, passes, 5),
        ],
        predicates: [tt, at_most, below, equal, tt, ff].map(plainly).to_vec(),
    };
    (system, automaton)
}

#[test]
fn figure_7_is_a_danger_automaton() {
    let (mut system, automaton) = figure_7();
    assert_eq!(is_danger(&mut system, &automaton), Judgement::Danger);
}

#[test]
fn a_dead_end_has_the_predicate_false_or_accepts() {
    let (mut system, mut automaton) = figure_7();
    automaton.predicates[5] = automaton.predicates[4].clone();
    assert_eq!(is_danger(&mut system, &automaton), Judgement::Leaves(5));
    automaton.accepting[5] = true;
    assert_eq!(is_danger(&mut system, &automaton), Judgement::Danger);
}

#[test]
fn larger_and_smaller_predicates_are_refused() {
    let (mut system, mut automaton) = figure_7();
    let whole = automaton.predicates[0].clone();
    automaton.predicates[1] = whole;
    // From x = 1001 the loop is left, and the assertion holds.
    assert_eq!(is_danger(&mut system, &automaton), Judgement::Leaves(1));
    let (mut system, mut automaton) = figure_7();
    automaton.predicates[0] = automaton.predicates[5].clone();
    assert_eq!(is_danger(&mut system, &automaton), Judgement::NoStart);
}

#[test]
fn the_language_of_figure_7_contains_infeasible_traces() {
    let (mut system, _) = figure_7();
    let feasible = |system: &mut System, word: &[usize]| {
        let answer = judge(system, word, 24, &mut Prover::new(), &Budget::unlimited()).unwrap();
        matches!(answer, Feasibility::Possible)
    };
    assert!(!feasible(&mut system, &[0, 3, 4]));
    let mut word = vec![0];
    word.extend([1, 2].repeat(1000));
    word.extend([3, 4]);
    assert!(feasible(&mut system, &word));
}

#[test]
fn in_figure_8_an_execution_leaves_the_predicates() {
    let mut system = System::new();
    let x = system.terms.bv_var("x", 8);
    let (zero, one) = (system.terms.bv(0, 8), system.terms.bv(1, 8));
    let is_zero = system.terms.eq(x, zero);
    let is_one = system.terms.eq(x, one);
    let either = system.terms.or(is_zero, is_one);
    let edge = system.add(vec![Step::Assume(either)], vec![]);
    let tt = system.terms.tt();
    let automaton = Annotated {
        initial: vec![0],
        accepting: vec![false, true],
        edges: vec![(0, edge, 1)],
        predicates: vec![plainly(is_zero), plainly(tt)],
    };
    assert_eq!(is_danger(&mut system, &automaton), Judgement::Danger);
    let mut prover = Prover::new();
    let budget = Budget::unlimited();
    let mut ask = |parts: &[TermId]| prover.ask(&system.terms, parts, &budget).unwrap();
    assert!(matches!(ask(&[is_one, either]), Holds::Together(_)));
    assert_eq!(ask(&[is_one, is_zero]), Holds::Never);
}

#[test]
fn counting_down_while_positive_ends() {
    // (x >= 1, x--)^omega: over 8 bits, 127 rounds can be run and 128 cannot.
    let mut system = System::new();
    let x = system.terms.bv_var("x", 8);
    let one = system.terms.bv(1, 8);
    let positive = system.terms.sle(one, x);
    let less = system.terms.sub(x, one);
    system.add(vec![Step::Assume(positive)], vec![]);
    system.add(vec![Step::assign(x, less)], vec![]);
    let mut feasible = |rounds| {
        let word = [0, 1].repeat(rounds);
        let budget = Budget::unlimited();
        let answer = judge(&mut system, &word, 24, &mut Prover::new(), &budget).unwrap();
        matches!(answer, Feasibility::Possible)
    };
    assert!(feasible(127));
    assert!(!feasible(128));
}

#[test]
fn a_loop_takes_one_trace_around_it_and_one_through_it() {
    // x := *; y := x + 1; while (x < 100) { x++; y++ } assert (x == y), over 8 bits.
    let mut system = System::new();
    let (x, y) = (system.terms.bv_var("x", 8), system.terms.bv_var("y", 8));
    let any = system.terms.bv_var("any", 8);
    let (one, hundred) = (system.terms.bv(1, 8), system.terms.bv(100, 8));
    let next = |system: &mut System, v| system.terms.add(v, one);
    let (x_next, y_next, any_next) = (
        next(&mut system, x),
        next(&mut system, y),
        next(&mut system, any),
    );
    let below = system.terms.ult(x, hundred);
    let other = system.terms.not(below);
    let same = system.terms.eq(x, y);
    let differ = system.terms.not(same);
    let start = vec![Step::assign(x, any), Step::assign(y, any_next)];
    system.add(start, vec![any]);
    let round = vec![Step::assign(x, x_next), Step::assign(y, y_next)];
    system.add([vec![Step::Assume(below)], round].concat(), vec![]);
    system.add(vec![Step::Assume(other), Step::Assume(differ)], vec![]);
    let language = Language::new(
        vec![vec![(0, 1)], vec![(1, 1), (2, 2)], vec![]],
        vec![false, false, true],
        &Budget::unlimited(),
    )
    .unwrap();
    let (mut prover, budget) = (Prover::new(), Budget::unlimited());
    let mut danger = ByLocation::new(&mut system, &language);
    let mut add = |danger: &mut ByLocation, system: &mut System, word: &[usize]| {
        let added = danger.add(system, &mut prover, &language, word, u64::MAX, &budget);
        assert!(added.unwrap());
        let automaton = danger.annotated(&language);
        assert_eq!(is_danger(system, &automaton), Judgement::Danger);
    };
    add(&mut danger, &mut system, &[0, 2]);
    assert!(danger.accepts(&[0, 2]) && !danger.covers(1));
    add(&mut danger, &mut system, &[0, 1, 2]);
    assert!((0..3).all(|letter| danger.covers(letter)));
}

const BITS: u32 = 2;
const N_VARIABLES: usize = 2;
type State = [u8; N_VARIABLES];

/// A random system, the language of a random graph over its letters, and what the letters do.
struct Random {
    system: System,
    variables: Vec<TermId>,
    language: Language,
}

fn random(seed: u64, is_program: bool) -> Random {
    let mut rng = Rng::new(seed, 0);
    let mut system = System::new();
    let variables: Vec<TermId> = (0..N_VARIABLES)
        .map(|i| system.terms.bv_var(["x", "y"][i], BITS))
        .collect();
    let n_letters = 4 + rng.below(4) as usize;
    let n_states = 3 + rng.below(3) as usize;
    // As in a program, where a letter says where it starts; or any number of letters anywhere.
    let n_letters = if is_program {
        n_letters + n_states
    } else {
        n_letters
    };
    for _ in 0..n_letters {
        let (mut steps, mut drawn) = (Vec::new(), Vec::new());
        for _ in 0..1 + rng.below(2) {
            let x = variables[rng.below(2) as usize];
            let y = variables[rng.below(2) as usize];
            let c = system.terms.bv(u128::from(rng.below(4)), BITS);
            steps.push(match rng.below(7) {
                0 => Step::assign(x, c),
                1 => Step::assign(x, y),
                2 => Step::assign(x, system.terms.add(y, c)),
                3 => {
                    let any = system.terms.bv_var("any", BITS);
                    drawn.push(any);
                    Step::assign(x, any)
                }
                4 => Step::Assume(system.terms.ult(x, c)),
                5 => Step::Assume(system.terms.ule(x, y)),
                _ => {
                    let same = system.terms.eq(x, c);
                    Step::Assume(system.terms.not(same))
                }
            });
        }
        system.add(steps, drawn);
    }
    let mut edges = vec![Vec::new(); n_states];
    for (q, row) in edges.iter_mut().enumerate() {
        for letter in 0..n_letters as u32 {
            let is_own = if is_program {
                letter as usize % (n_states - 1) == q
            } else {
                rng.chance(1, 2)
            };
            if is_own {
                row.push((letter, rng.below(n_states as u64) as u32));
            }
        }
    }
    let accepting = (0..n_states).map(|q| q + 1 == n_states).collect();
    edges[n_states - 1].clear();
    Random {
        language: Language::new(edges, accepting, &Budget::unlimited()).unwrap(),
        system,
        variables,
    }
}

impl Random {
    /// All states after a letter from one of these.
    fn after(&self, states: &BTreeSet<State>, letter: usize) -> BTreeSet<State> {
        let command = &self.system.commands[letter];
        let mut result = BTreeSet::new();
        for state in states {
            for choice in 0..1u32 << (BITS as usize * command.drawn.len()) {
                let mut model = Model::new();
                for (&v, &value) in self.variables.iter().zip(state) {
                    model.set_term(&self.system.terms, v, u128::from(value));
                }
                for (i, &d) in command.drawn.iter().enumerate() {
                    let value = choice >> (BITS as usize * i) & 3;
                    model.set_term(&self.system.terms, d, u128::from(value));
                }
                let mut evaluator = Evaluator::new(&self.system.terms, &model);
                if evaluator.eval_bool(command.condition()) {
                    let mut next = *state;
                    for &(v, value) in command.updates() {
                        let i = self.variables.iter().position(|&w| w == v).unwrap();
                        next[i] = evaluator.eval(value) as u8;
                    }
                    result.insert(next);
                }
            }
        }
        result
    }

    fn all_states() -> BTreeSet<State> {
        (0..16u8).map(|i| [i & 3, i >> 2]).collect()
    }

    fn is_feasible(&self, word: &[usize]) -> bool {
        let mut states = Self::all_states();
        for &letter in word {
            states = self.after(&states, letter);
        }
        !states.is_empty()
    }

    /// The words of the language with at most this many letters.
    fn words(&self, most: usize) -> Vec<Vec<usize>> {
        let mut found = Vec::new();
        if self.language.is_empty() {
            return found;
        }
        let mut open = vec![(0usize, Vec::new())];
        while let Some((q, word)) = open.pop() {
            if self.language.is_accepting(q) {
                found.push(word.clone());
            }
            if word.len() < most {
                for edge in self.language.edges(q) {
                    let mut longer: Vec<usize> = word.clone();
                    longer.push(edge.letter);
                    open.push((edge.to, longer));
                }
            }
        }
        found
    }
}

/// Whether the automaton accepts the word.
fn accepts(automaton: &Annotated, word: &[usize]) -> bool {
    let mut set: BTreeSet<usize> = automaton.initial.iter().copied().collect();
    for &letter in word {
        set = (automaton.edges.iter())
            .filter(|e| e.1 == letter && set.contains(&e.0))
            .map(|e| e.2)
            .collect();
    }
    set.iter().any(|&q| automaton.accepting[q])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn traces_are_judged_as_going_through_all_states_does(seed: u64) {
        let mut random = random(seed, false);
        let budget = Budget::unlimited();
        for word in random.words(4).into_iter().take(40) {
            let answer = judge(&mut random.system, &word, 24, &mut Prover::new(), &budget).unwrap();
            let expected = random.is_feasible(&word);
            prop_assert_eq!(matches!(answer, Feasibility::Possible), expected);
        }
    }

    #[test]
    fn floyd_hoare_automata_accept_their_trace_and_no_feasible_one(seed: u64) {
        let mut random = random(seed, false);
        let budget = Budget::unlimited();
        let words = random.words(5);
        let Some(word) = words.iter().find(|w| !random.is_feasible(w)).cloned() else {
            return Ok(());
        };
        let mut prover = Prover::new();
        let answer = judge(&mut random.system, &word, 24, &mut prover, &budget).unwrap();
        let Feasibility::Infeasible(predicates) = answer else {
            panic!("it is infeasible");
        };
        let (language, before) = (random.language.clone(), words.clone());
        let feasible: Vec<bool> = words.iter().map(|w| random.is_feasible(w)).collect();
        let mut automaton =
            FloydHoare::new(&mut random.system, &mut prover, predicates, &budget).unwrap();
        prop_assert!(automaton.accepts(&word, &budget).unwrap());
        let left = language.minus(&mut automaton, &budget).unwrap();
        prop_assert!(!left.accepts(&word));
        for (word, is_feasible) in before.iter().zip(feasible) {
            prop_assert_eq!(automaton.accepts(word, &budget).unwrap(), !left.accepts(word));
            prop_assert!(left.accepts(word) || !is_feasible, "{:?} is feasible", word);
        }
    }

    #[test]
    fn canonical_danger_automata_are_danger_automata(seed: u64) {
        let mut random = random(seed, false);
        let budget = Budget::unlimited();
        let words = random.words(5);
        let Some(word) = words.iter().rfind(|w| random.is_feasible(w)).cloned() else {
            return Ok(());
        };
        let language = random.language.clone();
        let mut prover = Prover::new();
        let canonical = Canonical::new(
            &mut random.system,
            &mut prover,
            &language,
            &word,
            u64::MAX,
            &budget,
        );
        let mut canonical = canonical.unwrap().expect("all letters are exact");
        prop_assert!(canonical.is_complete);
        let automaton = canonical.annotated(&language, &budget).unwrap();
        let left = language.minus(&mut canonical, &budget).unwrap();
        prop_assert_eq!(is_danger(&mut random.system, &automaton), Judgement::Danger);
        // It accepts the trace, is contained in the language, and the difference is one.
        prop_assert!(accepts(&automaton, &word));
        prop_assert!(!left.accepts(&word));
        for word in &words {
            prop_assert_eq!(left.accepts(word), !accepts(&automaton, word));
        }
        for letters in 0..4096u32 {
            let n = random.system.commands.len() as u32;
            let word: Vec<usize> = (0..4).map(|i| (letters >> (3 * i) & 7) as usize).collect();
            if word.iter().all(|&a| (a as u32) < n) && accepts(&automaton, &word) {
                prop_assert!(language.accepts(&word));
            }
        }
    }

    #[test]
    fn one_automaton_for_all_traces_is_a_danger_automaton(seed: u64) {
        let mut random = random(seed, true);
        let budget = Budget::unlimited();
        let words = random.words(6);
        let feasible: Vec<&Vec<usize>> = words.iter().filter(|w| random.is_feasible(w)).collect();
        let feasible: Vec<Vec<usize>> = feasible.into_iter().rev().take(3).cloned().collect();
        let language = random.language.clone();
        let mut prover = Prover::new();
        let mut danger = ByLocation::new(&mut random.system, &language);
        for word in &feasible {
            let system = &mut random.system;
            let added = danger.add(system, &mut prover, &language, word, u64::MAX, &budget);
            prop_assert!(added.unwrap());
            let automaton = danger.annotated(&language);
            prop_assert_eq!(is_danger(system, &automaton), Judgement::Danger);
            prop_assert!(accepts(&automaton, word) && danger.accepts(word));
            for other in &words {
                prop_assert_eq!(danger.accepts(other), accepts(&automaton, other));
            }
        }
    }
}
