//! What is proved is true: of wrong formulas, of wrong programs, and on every run.

use crate::support;

use idiolect_base::Budget;
use idiolect_interp::{
    CompileOptions, Compiled, InputOrigin, InputRequest, InputSource, Machine, Observer,
    RunOptions, View,
};
use idiolect_invariants::assume::Assumption;
use idiolect_invariants::builder;
use idiolect_invariants::inputs::InputSpace;
use idiolect_invariants::points::{self, Wanted};
use idiolect_invariants::proof::{Claim, Config, Goal, Outcome, Verdict, prove};
use idiolect_invariants::session;
use idiolect_invariants::signature;
use idiolect_ir::{InputId, MarkId, Program};
use idiolect_quantified::formula::{Conclusion, Conjunct, Formula, Orders, Relation};
use idiolect_quantified::instrument::Instrumented;
use idiolect_quantified::point::{Point, PointKind, Snapshot};
use idiolect_quantified::roles::Roles;
use idiolect_quantified::{show, snapshot};
use std::ops::ControlFlow;
use std::sync::Arc;

struct Case {
    text: &'static str,
    function: &'static str,
    assume: &'static [&'static str],
}

const NODE: &str = "struct node { int key; struct node *next; };\n";

const ARRAY_FIND: Case = Case {
    text: "int find(int a[], int n, int key) {
  int i;
  for (i = 0; i < n; i++)
    if (a[i] == key) return i;
  return -1;
}",
    function: "find",
    assume: &[],
};

const ARRAY_COPY: Case = Case {
    text: "void copy(int a[], int b[], int n) {
  int i;
  for (i = 0; i < n; i++) b[i] = a[i];
}",
    function: "copy",
    assume: &[],
};

const SORTED_FIND: Case = Case {
    text: "struct node { int key; struct node *next; };
struct node *find(struct node *head, int k) {
  struct node *cur = head;
  while (cur && cur->key < k) cur = cur->next;
  return cur;
}",
    function: "find",
    assume: &["sorted(head)"],
};

const REVERSE: Case = Case {
    text: "struct node { int key; struct node *next; };
struct node *reverse(struct node *head) {
  struct node *prev = 0;
  struct node *next;
  while (head != 0) { next = head->next; head->next = prev; prev = head; head = next; }
  return prev;
}",
    function: "reverse",
    assume: &["sorted(head)"],
};

const LIST_INIT: Case = Case {
    text: "struct node { int key; struct node *next; };
void init(struct node *head, int k) {
  struct node *cur = head;
  while (cur) { cur->key = k; cur = cur->next; }
}",
    function: "init",
    assume: &[],
};

const ALL: [&Case; 5] = [&ARRAY_FIND, &ARRAY_COPY, &SORTED_FIND, &REVERSE, &LIST_INIT];

impl Case {
    fn config(&self) -> session::Config {
        session::Config {
            lengths: 0..=4,
            assumptions: self.assume.iter().map(|a| (*a).to_owned()).collect(),
            n_threads: 1,
            ..session::Config::default()
        }
    }

    fn program(&self) -> Program {
        support::program(self.text, self.function)
    }

    /// The points with what is learned at them.
    fn learned(&self) -> Vec<(Point, Formula)> {
        let outcome = support::learn(self.text, self.function, &self.config()).expect("it runs");
        let formula = |p: &session::PointOutcome| match &p.learned {
            Ok(learned) => learned.formula.clone(),
            Err(reason) => panic!("{}: {reason}", self.function),
        };
        let points = outcome.points.iter();
        points.map(|p| (p.point.clone(), formula(p))).collect()
    }

    fn prove(&self, claims: &[(Point, Formula)]) -> Outcome {
        let program = self.program();
        let function = program.function_named(self.function).expect("it is there");
        let claims: Vec<Claim<'_>> = (claims.iter())
            .map(|(point, formula)| Claim { point, formula })
            .collect();
        prove(
            &program,
            function,
            &claims,
            &Config::default(),
            &Budget::unlimited(),
        )
    }

    /// Everything that is seen at the points, by point.
    fn snapshots(&self) -> Vec<Vec<Snapshot>> {
        let program = self.program();
        let function = program.function_named(self.function).expect("it is there");
        let roles = Roles::new(&program);
        let parameters = signature::signature(&program, &roles, function).expect("supported");
        let points = points::points(&program, &roles, function, Some(&parameters), Wanted::ALL);
        let assumptions: Vec<Assumption> = (self.assume.iter())
            .map(|text| Assumption::parse(text, &parameters).expect("it parses"))
            .collect();
        let space = InputSpace::new(&parameters, 0..=4, vec![-1, 0, 2]);
        let mut instrumented = Instrumented::new(&program, &points);
        let first = builder::start_with(&mut instrumented.program, function, &parameters);
        let compiled = Compiled::new(
            Arc::new(instrumented.program.clone()),
            &CompileOptions::default(),
        );
        let mut machine = Machine::new(&compiled, RunOptions::default());
        let mut watcher = Watcher {
            points: &points,
            instrumented: &instrumented,
            seen: vec![Vec::new(); points.len()],
        };
        for i in 0..space.count() {
            let input = space.nth(i);
            if space.is_assumed(&input, &assumptions) {
                let draws = space.draws(&input).into_iter();
                let mut source = Built { first, draws };
                machine.run(&mut source, &mut watcher, &Budget::steps(100_000));
            }
        }
        watcher.seen
    }
}

struct Watcher<'a> {
    points: &'a [Point],
    instrumented: &'a Instrumented,
    seen: Vec<Vec<Snapshot>>,
}

impl Observer for Watcher<'_> {
    const EVENTS: bool = true;

    fn marked(&mut self, view: &View<'_>, mark: MarkId) -> ControlFlow<()> {
        if let Some(p) = mark.index().checked_sub(self.instrumented.first_mark)
            && let Ok(s) = snapshot::read(view, &self.points[p], &self.instrumented.sources[p])
        {
            self.seen[p].push(s);
        }
        ControlFlow::Continue(())
    }
}

struct Built {
    first: InputId,
    draws: std::vec::IntoIter<u128>,
}

impl InputSource for Built {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        match request.origin {
            InputOrigin::Site(id) if id >= self.first => self.draws.next().or(Some(0)),
            _ => Some(0),
        }
    }
}

/// Conjuncts that say more than, or something else than, this one.
fn mutants(conjunct: &Conjunct) -> Vec<Conjunct> {
    let mut found = Vec::new();
    match conjunct {
        Conjunct::OneOf(list) => {
            // One arrangement less, and each relation made stricter.
            for i in 0..list.len() {
                let mut fewer = list.clone();
                fewer.remove(i);
                found.push(Conjunct::OneOf(fewer));
                for c in 0..list[i].constraints.len() {
                    let mut other = list.clone();
                    let relation = &mut other[i].constraints[c].relation;
                    *relation = match *relation {
                        Relation::AtMost => Relation::Less,
                        Relation::Reaches => Relation::ReachesStrictly,
                        Relation::ReachesStrictly => Relation::Next,
                        _ => Relation::Same,
                    };
                    found.push(Conjunct::OneOf(other));
                }
            }
        }
        Conjunct::ForAll(all) => {
            for c in 0..all.guard.len() {
                let mut wider = all.clone();
                wider.guard.remove(c);
                found.push(Conjunct::ForAll(wider));
                let mut wider = all.clone();
                let relation = &mut wider.guard[c].relation;
                *relation = match *relation {
                    Relation::Less => Relation::AtMost,
                    Relation::ReachesStrictly => Relation::Reaches,
                    other => other,
                };
                found.push(Conjunct::ForAll(wider));
            }
            if let Conclusion::All(list) = &all.conclusion {
                for c in 0..list.len() {
                    for orders in [Orders::LESS, Orders::EQUAL, Orders::GREATER] {
                        let mut list = list.clone();
                        list[c].orders = orders;
                        let conclusion = Conclusion::All(list);
                        found.push(Conjunct::ForAll(idiolect_quantified::formula::ForAll {
                            conclusion,
                            ..all.clone()
                        }));
                    }
                }
            }
        }
    }
    found.retain(|m| m != conjunct);
    found
}

#[test]
fn learned_formulas_are_proved_adequate() {
    for case in ALL {
        let claims = case.learned();
        let proof = case.prove(&claims);
        for (p, (point, formula)) in proof.points.iter().zip(&claims) {
            let text = show::formula(point, formula);
            assert_eq!(
                p.verdict,
                Verdict::Adequate,
                "{} {:?}: {text}\n{:?}",
                case.function,
                point.kind,
                p.failures
            );
            assert!(p.kept.iter().all(|&k| k), "{text}");
        }
    }
}

#[test]
fn what_a_run_violates_is_never_kept() {
    let (mut n_wrong, mut n_mutants) = (0, 0);
    for case in ALL {
        let claims = case.learned();
        let seen = case.snapshots();
        for p in 0..claims.len() {
            if claims[p].0.kind == PointKind::Entry {
                continue;
            }
            // All mutants of a point at once: those that are wrong have to be told from the others.
            let mut all = claims.clone();
            let own: Vec<Conjunct> = claims[p].1.conjuncts.iter().flat_map(mutants).collect();
            all[p].1.conjuncts.extend(own);
            n_mutants += all[p].1.conjuncts.len() - claims[p].1.conjuncts.len();
            let proof = case.prove(&all);
            for (c, conjunct) in all[p].1.conjuncts.iter().enumerate() {
                let violated = |s: &Snapshot| conjunct.violation(&all[p].0, s).is_some();
                if seen[p].iter().any(violated) {
                    n_wrong += 1;
                    assert!(
                        !proof.points[p].kept[c],
                        "{} {:?}: {}",
                        case.function,
                        all[p].0.kind,
                        show::conjunct(&all[p].0, conjunct)
                    );
                }
            }
        }
    }
    assert!(n_mutants > 50 && n_wrong > 30, "{n_wrong} of {n_mutants}");
}

/// Proves the formulas of the right program of a wrong one with the same variables and loops.
fn prove_wrong(case: &Case, from: &str, to: &str) -> (Vec<(Point, Formula)>, Outcome) {
    let text = case.text.replacen(from, to, 1);
    assert_ne!(text, case.text, "{from}");
    let wrong = Case {
        text: text.leak(),
        ..*case
    };
    let right = case.learned();
    let program = wrong.program();
    let function = program.function_named(case.function).expect("it is there");
    let roles = Roles::new(&program);
    let parameters = signature::signature(&program, &roles, function).expect("supported");
    let points = points::points(&program, &roles, function, Some(&parameters), Wanted::ALL);
    assert_eq!(points.len(), right.len());
    let mut claims = Vec::new();
    for (point, (old, formula)) in points.into_iter().zip(right) {
        let names = |p: &Point| {
            p.variables
                .iter()
                .map(|v| v.name.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(names(&point), names(&old));
        claims.push((point, formula));
    }
    let proof = wrong.prove(&claims);
    (claims, proof)
}

#[test]
fn a_wrong_program_is_never_adequate() {
    let wrong = [
        (&ARRAY_FIND, "i < n", "i <= n"),
        (&ARRAY_FIND, "i = 0", "i = 1"),
        (&ARRAY_FIND, "a[i] == key", "a[i] != key"),
        (&ARRAY_FIND, "return -1", "return 0"),
        (&ARRAY_COPY, "b[i] = a[i]", "b[i] = a[i] + 1"),
        (&ARRAY_COPY, "i++", "i += 2"),
        (&SORTED_FIND, "cur->key < k", "cur->key <= k"),
        (&SORTED_FIND, "while (cur && cur->key", "while (cur->key"),
        (&REVERSE, "head->next = prev;", "head->next = next;"),
        (&LIST_INIT, "cur->key = k;", "cur->key = 0;"),
        (
            &LIST_INIT,
            "struct node *cur = head;",
            "struct node *cur = head ? head->next : head;",
        ),
    ];
    for (case, from, to) in wrong {
        let (_, proof) = prove_wrong(case, from, to);
        let is_adequate = proof.points.iter().any(|p| p.verdict == Verdict::Adequate);
        assert!(!is_adequate, "{from} -> {to}: {:?}", proof.points);
    }
}

#[test]
fn a_fault_has_a_model() {
    let (_, proof) = prove_wrong(&SORTED_FIND, "while (cur && cur->key", "while (cur->key");
    let failures = proof.points.iter().flat_map(|p| &p.failures);
    let mut faults = failures.filter(|f| matches!(f.goal, Goal::Safety(_)));
    let fault = faults.next().expect("a null pointer is read");
    assert!(fault.model.is_some());
}

/// A violation right after the entry is a run, and the state it starts from is shown.
#[test]
fn what_the_first_state_violates_is_refuted() {
    let mut claims = LIST_INIT.learned();
    let (point, formula) = &mut claims[1];
    let (head, cur) = (point.variable_named("head"), point.variable_named("cur"));
    let reaches = idiolect_quantified::formula::Constraint {
        left: idiolect_quantified::formula::Term::Variable(head.expect("head")),
        relation: Relation::ReachesStrictly,
        right: idiolect_quantified::formula::Term::Variable(cur.expect("cur")),
    };
    let arrangement = idiolect_quantified::formula::Arrangement {
        constraints: vec![reaches],
        comparisons: Vec::new(),
    };
    formula.conjuncts.push(Conjunct::OneOf(vec![arrangement]));
    let last = formula.conjuncts.len() - 1;
    let proof = LIST_INIT.prove(&claims);
    assert_eq!(proof.points[1].verdict, Verdict::Refuted);
    assert!(!proof.points[1].kept[last]);
    let failure = &proof.points[1].failures[0];
    assert!(failure.is_run && failure.model.is_some(), "{failure:?}");
}

/// A callee that loops has no bound on what it touches: no proof, and the reason.
#[test]
fn doubt_is_no_proof() {
    let text = format!(
        "{NODE}static struct node *last(struct node *l) {{ while (l && l->next) l = l->next; return l; }}
struct node *f(struct node *head) {{ struct node *p = last(head); return p; }}"
    );
    let case = Case {
        text: text.leak(),
        function: "f",
        assume: &[],
    };
    let proof = case.prove(&case.learned());
    assert!(proof.points.iter().all(|p| p.verdict != Verdict::Adequate));
    let doubts = proof.points.iter().flat_map(|p| &p.failures);
    assert!(
        doubts
            .into_iter()
            .any(|f| matches!(&f.goal, Goal::Doubt(d) if d.to_string().contains("last"))),
    );
}

#[test]
fn the_same_question_gets_the_same_answer() {
    let claims = REVERSE.learned();
    assert_eq!(REVERSE.prove(&claims), REVERSE.prove(&claims));
}
