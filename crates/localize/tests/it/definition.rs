//! Theorem 3.2: what the algorithm calls relevant is what Definition 3.1 calls so, on random traces
//! over variables of a few bits, where the definition can be checked by going through everything.

use idiolect_base::Budget;
use idiolect_ir::{BlockId, FuncId, LocalId, Location};
use idiolect_localize::{LocalizeConfig, Relevance, decide_run};
use idiolect_smt::{Model, TermId, Terms};
use idiolect_symex::EndKind;
use idiolect_symex::rerun::{Assigned, AssignedKind, Condition, Drawn, Role, RunTrace, Statement};
use idiolect_symex::trace::{StatePlace, Update};
use proptest::prelude::*;

const WIDTHS: [u32; 3] = [2, 3, 2];
type State = [u8; 3];

#[derive(Clone, Debug)]
enum Expr {
    Variable(usize),
    Constant(u8),
    Sum(Box<Expr>, Box<Expr>),
    Product(Box<Expr>, Box<Expr>),
    Xor(Box<Expr>, Box<Expr>),
    Choice(Box<Cond>, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Debug)]
enum Cond {
    Less(Expr, Expr),
    Same(Expr, Expr),
    Not(Box<Cond>),
    Or(Box<Cond>, Box<Cond>),
}

#[derive(Clone, Debug)]
enum Step {
    Assign(usize, Expr),
    Havoc(usize),
    Assume(Cond),
}

/// All arithmetic is on three bits; a variable takes what fits.
fn value(e: &Expr, s: &State) -> u8 {
    7 & match e {
        Expr::Variable(i) => s[*i],
        Expr::Constant(c) => *c,
        Expr::Sum(a, b) => value(a, s) + value(b, s),
        Expr::Product(a, b) => value(a, s) * value(b, s),
        Expr::Xor(a, b) => value(a, s) ^ value(b, s),
        Expr::Choice(c, a, b) => {
            if holds(c, s) {
                value(a, s)
            } else {
                value(b, s)
            }
        }
    }
}

fn holds(c: &Cond, s: &State) -> bool {
    match c {
        Cond::Less(a, b) => value(a, s) < value(b, s),
        Cond::Same(a, b) => value(a, s) == value(b, s),
        Cond::Not(c) => !holds(c, s),
        Cond::Or(a, b) => holds(a, s) || holds(b, s),
    }
}

fn put(s: &State, x: usize, v: u8) -> State {
    let mut s = *s;
    s[x] = v & ((1 << WIDTHS[x]) - 1);
    s
}

fn domain(x: usize) -> std::ops::Range<u8> {
    0..1 << WIDTHS[x]
}

/// An execution of the steps from a state: what the havocs drew, if there is one.
fn execution(steps: &[Step], s: &State) -> Option<Vec<u8>> {
    let Some((first, rest)) = steps.split_first() else {
        return Some(Vec::new());
    };
    match first {
        Step::Assume(c) => holds(c, s).then(|| execution(rest, s)).flatten(),
        Step::Assign(x, e) => execution(rest, &put(s, *x, value(e, s))),
        Step::Havoc(x) => domain(*x).find_map(|v| {
            let mut drawn = execution(rest, &put(s, *x, v))?;
            drawn.insert(0, v);
            Some(drawn)
        }),
    }
}

fn states() -> impl Iterator<Item = State> {
    domain(0).flat_map(|a| domain(1).flat_map(move |b| domain(2).map(move |c| [a, b, c])))
}

/// The states before each step that some execution of the whole trace passes.
fn bireachable(steps: &[Step]) -> Vec<Vec<State>> {
    let mut now: Vec<State> = states().collect();
    let mut list = Vec::new();
    for i in 0..=steps.len() {
        now.retain(|s| execution(&steps[i..], s).is_some());
        list.push(now.clone());
        let Some(step) = steps.get(i) else { break };
        let mut next = Vec::new();
        for s in &now {
            match step {
                Step::Assume(c) if holds(c, s) => next.push(*s),
                Step::Assume(_) => {}
                Step::Assign(x, e) => next.push(put(s, *x, value(e, s))),
                Step::Havoc(x) => next.extend(domain(*x).map(|v| put(s, *x, v))),
            }
        }
        next.sort_unstable();
        next.dedup();
        now = next;
    }
    list
}

/// Definition 3.1: the values that block, from some bireachable state.
fn blocking(steps: &[Step], i: usize, before: &[State]) -> Vec<u8> {
    let (Step::Assign(x, _) | Step::Havoc(x)) = steps[i] else {
        return Vec::new();
    };
    let blocks = |&v: &u8| {
        before
            .iter()
            .any(|s| execution(&steps[i + 1..], &put(s, x, v)).is_none())
    };
    domain(x).filter(blocks).collect()
}

fn term(t: &mut Terms, vars: &[TermId], e: &Expr) -> TermId {
    match e {
        Expr::Variable(i) => t.zext(vars[*i], 3),
        Expr::Constant(c) => t.bv(u128::from(*c), 3),
        Expr::Sum(a, b) => {
            let (a, b) = (term(t, vars, a), term(t, vars, b));
            t.add(a, b)
        }
        Expr::Product(a, b) => {
            let (a, b) = (term(t, vars, a), term(t, vars, b));
            t.mul(a, b)
        }
        Expr::Xor(a, b) => {
            let (a, b) = (term(t, vars, a), term(t, vars, b));
            t.xor(a, b)
        }
        Expr::Choice(c, a, b) => {
            let c = condition(t, vars, c);
            let (a, b) = (term(t, vars, a), term(t, vars, b));
            t.ite(c, a, b)
        }
    }
}

fn condition(t: &mut Terms, vars: &[TermId], c: &Cond) -> TermId {
    match c {
        Cond::Less(a, b) => {
            let (a, b) = (term(t, vars, a), term(t, vars, b));
            t.ult(a, b)
        }
        Cond::Same(a, b) => {
            let (a, b) = (term(t, vars, a), term(t, vars, b));
            t.eq(a, b)
        }
        Cond::Not(c) => {
            let c = condition(t, vars, c);
            t.not(c)
        }
        Cond::Or(a, b) => {
            let (a, b) = (condition(t, vars, a), condition(t, vars, b));
            t.or(a, b)
        }
    }
}

fn trace(steps: &[Step], start: &State, drawn: &[u8]) -> RunTrace {
    let mut t = Terms::new();
    let vars: Vec<TermId> = WIDTHS.iter().map(|&w| t.bv_var("x", w)).collect();
    let mut values = Model::new();
    for (&v, &value) in vars.iter().zip(start) {
        values.set_term(&t, v, u128::from(value));
    }
    let mut drawn = drawn.iter();
    let place = Location::start_of(FuncId(0), BlockId(0));
    let mut statements = Vec::new();
    for step in steps {
        let mut own = Statement {
            place,
            role: Role::Plain,
            decision: None,
            event: None,
            depth: 0,
            activation: 0,
            drawn: Vec::new(),
            definitions: Vec::new(),
            conditions: Vec::new(),
            updates: Vec::new(),
            assigned: Vec::new(),
            assigns_more: false,
        };
        let update = match step {
            Step::Assume(c) => {
                let term = condition(&mut t, &vars, c);
                own.conditions.push(Condition {
                    term,
                    is_exact: true,
                });
                None
            }
            Step::Assign(x, e) => {
                let value = term(&mut t, &vars, e);
                Some((*x, t.extract(WIDTHS[*x] - 1, 0, value)))
            }
            Step::Havoc(x) => {
                let input = t.bv_var("input", WIDTHS[*x]);
                let value = drawn.next().copied().unwrap_or(0);
                values.set_term(&t, input, u128::from(value));
                own.drawn.push(Drawn {
                    variable: input,
                    origin: None,
                    in_this_run: true,
                });
                Some((*x, input))
            }
        };
        if let Some((x, value)) = update {
            own.updates.push(Update {
                place: StatePlace::Local {
                    activation: 0,
                    function: FuncId(0),
                    local: LocalId::new(x),
                },
                variable: vars[x],
                value,
                is_followed: false,
            });
            own.assigned.push(Assigned {
                variable: vars[x],
                kind: AssignedKind::Value,
                value: 0,
                width: WIDTHS[x],
            });
        }
        statements.push(own);
    }
    RunTrace {
        terms: t,
        statements,
        end: (EndKind::Abort, place),
        values,
    }
}

fn any_expr() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        3 => (0usize..3).prop_map(Expr::Variable),
        1 => (0u8..8).prop_map(Expr::Constant),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            pair.clone()
                .prop_map(|(a, b)| Expr::Sum(a.into(), b.into())),
            pair.clone()
                .prop_map(|(a, b)| Expr::Product(a.into(), b.into())),
            pair.clone()
                .prop_map(|(a, b)| Expr::Xor(a.into(), b.into())),
            (inner.clone(), pair).prop_map(|(c, (a, b))| {
                let c = Cond::Less(c, Expr::Constant(3));
                Expr::Choice(c.into(), a.into(), b.into())
            }),
        ]
    })
}

fn any_cond() -> impl Strategy<Value = Cond> {
    let leaf = prop_oneof![
        (any_expr(), any_expr()).prop_map(|(a, b)| Cond::Less(a, b)),
        (any_expr(), any_expr()).prop_map(|(a, b)| Cond::Same(a, b)),
    ];
    leaf.prop_recursive(1, 3, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|c| Cond::Not(c.into())),
            (inner.clone(), inner).prop_map(|(a, b)| Cond::Or(a.into(), b.into())),
        ]
    })
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0usize..3, any_expr()).prop_map(|(x, e)| Step::Assign(x, e)),
        2 => (0usize..3).prop_map(Step::Havoc),
        3 => any_cond().prop_map(Step::Assume),
    ]
}

/// So many feasible traces, and among their assignments at least so many of each kind, so that
/// agreement says something.
#[test]
fn relevance_is_what_the_definition_says() {
    use proptest::test_runner::{Config as Runner, RngAlgorithm, TestRng, TestRunner};
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Runner::default(), rng);
    let strategy = proptest::collection::vec(any_step(), 2..9);
    let (mut n_traces, mut n_relevant, mut n_not, mut n_asked) = (0, 0, 0, 0);
    while n_traces < 2_500 {
        let tree = strategy.new_tree(&mut runner).expect("no filters");
        let steps = proptest::strategy::ValueTree::current(&tree);
        let found = states().find_map(|s| Some((s, execution(&steps, &s)?)));
        let Some((start, drawn)) = found else {
            continue;
        };
        n_traces += 1;
        let trace = trace(&steps, &start, &drawn);
        let config = LocalizeConfig {
            threads: 1 + n_traces % 3,
            ..LocalizeConfig::default()
        };
        let decided = decide_run(&trace, &config, &Budget::unlimited());
        assert!(decided.is_feasible(), "{steps:?}");
        n_asked += decided.counts.asked;
        let before = bireachable(&steps);
        let mut answers = decided.answers();
        for (i, step) in steps.iter().enumerate() {
            if matches!(step, Step::Assume(_)) {
                continue;
            }
            let (at, _, answer) = answers.next().expect("an answer for each assignment");
            assert_eq!(at, i);
            let values = blocking(&steps, i, &before[i]);
            match answer {
                Relevance::Relevant(found) => {
                    let value = found.values[0].1 as u8;
                    assert!(values.contains(&value), "{steps:?}: step {i}, {value}");
                    n_relevant += 1;
                }
                Relevance::NotRelevant => {
                    assert_eq!(values, Vec::<u8>::new(), "{steps:?}: step {i}");
                    n_not += 1;
                }
                Relevance::Unknown(doubt) => panic!("{doubt:?}: {steps:?}, step {i}"),
            }
        }
        assert!(answers.next().is_none());
    }
    assert!(
        n_relevant > 1_000 && n_not > 1_000 && n_asked > 500,
        "{n_relevant} relevant, {n_not} not, {n_asked} by the solver"
    );
}
