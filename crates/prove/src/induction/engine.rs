//! The search for a proof.

use super::candidates::{candidates, thresholds};
use super::certificate::{Certificate, Claim};
use super::check::{Checked, check};
use super::cut::{Cut, Plan, ProbeKind, Refused};
use super::fact::{Fact, FactKind, Scale};
use super::formula::{Formula, Reading};
use super::idle::idle_parameters;
use super::old::with_old_values;
use super::samples;
use idiolect_base::{Budget, StopReason};
use idiolect_ir::{FuncId, Program, Property};
use idiolect_smt::{Evaluator, Model, Outcome as Answer, Session, TermId};
use idiolect_symex::{Config as Encoded, Encoding, EndKind, InputOrigin, encode};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    pub properties: Vec<Property>,
    pub seed: u64,
    /// Loops that cannot be cut are unrolled so often.
    pub unwind: usize,
    /// Questions to the solver.
    pub max_questions: u64,
    /// Facts and assertions follow from so many rounds of loops together: these numbers are tried in turn.
    pub rounds: Vec<usize>,
}

/// Conflicts for one question, and what one costs beside a term or a statement.
const CONFLICTS: u64 = 200_000;
/// The same for questions about all facts together, and for those about some of them.
const CONFLICTS_TOGETHER: u64 = 20_000;
const CONFLICTS_APART: u64 = 3_000;
const WORK_PER_CONFLICT: u64 = 50;
/// So many clauses cost as much as a statement in each question.
const CLAUSES_PER_WORK: u64 = 20;
/// The same for each conflict.
const CLAUSES_PER_CONFLICT: u64 = 1_500;

impl Default for Config {
    fn default() -> Self {
        Self {
            properties: vec![Property::Assert],
            seed: 0,
            unwind: 8,
            max_questions: 2_000,
            rounds: vec![1, 2, 3],
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    pub points: u64,
    pub states: u64,
    pub candidates: u64,
    pub questions: u64,
    /// Facts of the proof.
    pub facts: u64,
}

/// Why there is no proof.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotProved {
    #[error("{0}")]
    Refused(Refused),
    #[error("{0}")]
    Stopped(StopReason),
    #[error("the facts that are inductive leave room for an error")]
    TooWeak,
    /// The checker did not accept what the engine took for a proof.
    #[error("the proof was not accepted: {0}")]
    NotAccepted(String),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    pub result: Result<Certificate, NotProved>,
    pub statistics: Statistics,
}

impl From<StopReason> for NotProved {
    fn from(reason: StopReason) -> Self {
        NotProved::Stopped(reason)
    }
}

/// Looks for a proof that no run has an error, a fault, or comes to C that is not modelled.
pub fn prove(program: &Program, config: &Config, budget: &Budget) -> Outcome {
    let mut statistics = Statistics::default();
    let mut result = Err(NotProved::TooWeak);
    for &rounds in &config.rounds {
        if result != Err(NotProved::TooWeak) {
            break;
        }
        result = search(program, config, rounds, budget, &mut statistics);
        // What functions do to globals is not looked at before it has to be.
        if rounds == 1
            && result == Err(NotProved::TooWeak)
            && let Some(with_old) = with_old_values(program)
        {
            result = search(&with_old, config, rounds, budget, &mut statistics);
            if let Ok(certificate) = &mut result {
                certificate.has_old_values = true;
            }
        }
    }
    let result = result.and_then(|certificate| {
        match check(program, &certificate, &config.properties, budget) {
            Checked::Accepted => Ok(certificate),
            Checked::Stopped(reason) => Err(reason.into()),
            Checked::Rejected(why) => Err(NotProved::NotAccepted(why)),
        }
    });
    Outcome { result, statistics }
}

fn search(
    program: &Program,
    config: &Config,
    rounds: usize,
    budget: &Budget,
    statistics: &mut Statistics,
) -> Result<Certificate, NotProved> {
    let plan = Plan::new(program).map_err(NotProved::Refused)?;
    if rounds > 1 && plan.loops.is_empty() {
        return Err(NotProved::TooWeak);
    }
    let cut = plan.cut(program, rounds);
    #[cfg(debug_assertions)]
    debug_assert_eq!(idiolect_ir::verify(&cut.program), Ok(()));
    statistics.points = cut.points.len() as u64;
    let states = samples::collect(program, &cut.points, config.seed, budget)?;
    statistics.states = states.iter().map(|s| s.len() as u64).sum();
    let encoding_config = Encoded {
        unwind: config.unwind,
        check_overflow: config.properties.contains(&Property::Overflow),
        constant_unwindings: 256,
        max_terms: 3_000_000,
        ..Encoded::default()
    };
    let encoding = encode(&cut.program, &encoding_config, budget)?;
    let instances = instances(&cut, &encoding);
    let constants = thresholds(program);
    let idle = idle_parameters(program);
    let mut points = Vec::new();
    for (point, states) in cut.points.iter().zip(&states) {
        let scale = Scale {
            readings: point.variables.iter().map(|v| v.reading).collect(),
            thresholds: constants.clone(),
        };
        let facts = candidates(program, point, states, &idle);
        statistics.candidates += facts.len() as u64;
        let is_reached = !states.is_empty();
        points.push(Knowledge {
            scale,
            all: facts,
            is_sampled: is_reached,
            facts: Vec::new(),
            is_reached,
        });
    }
    let mut engine = Engine {
        program,
        cut: &cut.points,
        encoding,
        instances,
        points,
        session: Session::for_refuting(),
        known: FxHashMap::default(),
        budget,
        left: config.max_questions,
        asked: 0,
        kind: FactKind::Single,
        constants,
        idle,
    };
    let result = engine.prove(config);
    statistics.questions += engine.asked;
    let needed = result?;
    statistics.facts = needed.len() as u64;
    let claims = (cut.points.iter().enumerate()).map(|(p, point)| {
        let own = needed.iter().filter(|n| n.0 == p);
        let mut formulas: Vec<Formula> = own
            .map(|&(p, f)| engine.points[p].facts[f].formula())
            .collect();
        formulas.sort();
        formulas.dedup();
        Claim {
            function: point.function,
            kind: point.kind,
            variables: point.variables.clone(),
            result: point.result,
            formulas,
        }
    });
    Ok(Certificate {
        claims: claims.collect(),
        unwind: config.unwind,
        has_old_values: false,
        rounds,
    })
}

/// A probe as the encoding has it, in one calling context.
struct Instance {
    point: usize,
    kind: ProbeKind,
    /// Holds in runs that come here, with the values below.
    guard: TermId,
    values: Vec<TermId>,
}

fn instances(cut: &Cut, encoding: &Encoding) -> Vec<Instance> {
    let mut found = Vec::new();
    let mut inputs = encoding.inputs.iter().peekable();
    while let Some(input) = inputs.next() {
        let InputOrigin::Site(first) = input.origin else {
            continue;
        };
        let Some(probe) = cut.probes.iter().find(|p| p.first == first) else {
            continue;
        };
        let mut values = Vec::new();
        let mut guard = None;
        let mut current = Some(input);
        for i in 0..=probe.n {
            let expected = InputOrigin::Site(idiolect_ir::InputId::new(first.index() + i));
            // Memory that nobody wrote is an input, too, when a probe reads it.
            while current.is_some_and(|c| c.origin != expected) {
                let next = inputs.peek().filter(|n| {
                    n.origin == expected || matches!(n.origin, InputOrigin::Unwritten { .. })
                });
                current = next.copied();
                if current.is_some() {
                    inputs.next();
                }
            }
            let Some(this) = current else {
                break;
            };
            if i == probe.n {
                guard = Some(this.guard);
                break;
            }
            values.push(this.value);
            current = match inputs.peek() {
                Some(_) => inputs.next(),
                None => None,
            };
        }
        if let Some(guard) = guard {
            found.push(Instance {
                point: probe.point,
                kind: probe.kind,
                guard,
                values,
            });
        }
    }
    found
}

/// What is known at a point.
struct Knowledge {
    scale: Scale,
    /// What runs suggest, and whether runs come here.
    all: Vec<Fact>,
    is_sampled: bool,
    /// Those that are looked at now.
    facts: Vec<Fact>,
    /// Runs or pieces of runs come here.
    is_reached: bool,
}

struct Engine<'b> {
    program: &'b Program,
    cut: &'b [super::cut::Point],
    encoding: Encoding,
    instances: Vec<Instance>,
    points: Vec<Knowledge>,
    session: Session,
    /// Terms of formulas at instances.
    known: FxHashMap<(usize, Formula), Option<TermId>>,
    budget: &'b Budget,
    left: u64,
    asked: u64,
    /// Facts up to this kind are looked at.
    kind: FactKind,
    /// Of the program.
    constants: Vec<i128>,
    idle: BTreeSet<(FuncId, usize)>,
}

/// A fact, by its point and its number there.
type FactId = (usize, usize);

impl Engine<'_> {
    /// Simple facts first: most proofs need no others, and the more there are, the more counterexamples to
    /// induction it takes until they hold together.
    fn prove(&mut self, config: &Config) -> Result<Vec<FactId>, NotProved> {
        let mut n_before = 0;
        for kind in FactKind::ALL {
            self.kind = kind;
            let has = |kind: FactKind| {
                let is_there = |p: &Knowledge| p.all.iter().any(|f| f.kind() == kind);
                self.points.iter().any(is_there)
            };
            // With powers there are all the others, too, and more numbers at which a bound stops.
            if kind.has_powers() && !has(kind) || kind.with_powers().is_some_and(has) {
                continue;
            }
            for point in &mut self.points {
                point.scale.stop_at(&self.constants, kind.has_powers());
            }
            for point in &mut self.points {
                let own = point.all.iter().filter(|f| f.kind() <= kind);
                point.facts = own.cloned().collect();
                point.is_reached = point.is_sampled;
            }
            let n = self.points.iter().map(|p| p.facts.len()).sum();
            if n == n_before {
                continue;
            }
            n_before = n;
            match self.attempt(config) {
                Err(NotProved::TooWeak) => {}
                other => return other,
            }
        }
        Err(NotProved::TooWeak)
    }

    fn attempt(&mut self, config: &Config) -> Result<Vec<FactId>, NotProved> {
        self.weaken()?;
        let bad = self.bad(config);
        let hypotheses = self.hypotheses();
        let terms: Vec<TermId> = hypotheses.iter().map(|h| h.1).collect();
        match self.ask(&terms, bad, CONFLICTS)? {
            Some(Ok(_)) | None => Err(NotProved::TooWeak),
            Some(Err(core)) => self.needed(&hypotheses, &core),
        }
    }

    /// Ends that no run may have.
    fn bad(&mut self, config: &Config) -> TermId {
        let has_assertions = config.properties.contains(&Property::Assert);
        self.encoding.any_end(|kind| match kind {
            EndKind::Error(_) => has_assertions,
            EndKind::Fault(_) | EndKind::Trap(_) => true,
            EndKind::Bound(..) | EndKind::OwnBound(_) => true,
            EndKind::Exit(_) | EndKind::Abort | EndKind::AssumeEnded | EndKind::OutOfMemory => {
                false
            }
        })
    }

    /// The term of a formula at an instance.
    fn at(&mut self, instance: usize, formula: &Formula) -> Option<TermId> {
        let key = (instance, formula.clone());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let own = &self.instances[instance];
        let readings: &[Reading] = &self.points[own.point].scale.readings;
        let term = formula.term(&mut self.encoding.terms, &own.values, readings);
        self.known.insert(key, term);
        term
    }

    /// By fact and hypothesis: that the fact holds there.
    fn hypotheses(&mut self) -> Vec<(FactId, TermId)> {
        let mut list = Vec::new();
        for i in 0..self.instances.len() {
            if self.instances[i].kind != ProbeKind::Hypothesis {
                continue;
            }
            let (point, guard) = (self.instances[i].point, self.instances[i].guard);
            for f in 0..self.points[point].facts.len() {
                let fact = &self.points[point].facts[f];
                if fact.is_gone {
                    continue;
                }
                let formula = fact.formula();
                match self.at(i, &formula) {
                    Some(term) => {
                        let holds = self.encoding.terms.implies(guard, term);
                        list.push(((point, f), holds));
                    }
                    None => self.points[point].facts[f].is_gone = true,
                }
            }
        }
        list
    }

    /// That a run arrives somewhere with a state that one of these facts excludes.
    fn violated(&mut self, wanted: impl Fn(FactId) -> bool) -> TermId {
        let mut list = Vec::new();
        for i in 0..self.instances.len() {
            if self.instances[i].kind != ProbeKind::Arrival {
                continue;
            }
            let (point, guard) = (self.instances[i].point, self.instances[i].guard);
            let mut all = Vec::new();
            for f in 0..self.points[point].facts.len() {
                let fact = &self.points[point].facts[f];
                if fact.is_gone || !wanted((point, f)) {
                    continue;
                }
                let formula = fact.formula();
                match self.at(i, &formula) {
                    Some(term) => all.push(term),
                    None => self.points[point].facts[f].is_gone = true,
                }
            }
            let terms = &mut self.encoding.terms;
            let holds = terms.and_all(&all);
            let fails = terms.not(holds);
            list.push(terms.and(guard, fails));
        }
        self.encoding.terms.or_all(&list)
    }

    /// A model, or the assumptions that exclude one; nothing if so many conflicts do not decide it.
    fn ask(
        &mut self,
        assumptions: &[TermId],
        question: TermId,
        conflicts: u64,
    ) -> Result<Option<Result<Model, Vec<TermId>>>, NotProved> {
        if self.encoding.terms.known_false(question) {
            return Ok(Some(Err(Vec::new())));
        }
        if self.left == 0 {
            return Err(StopReason::Steps.into());
        }
        self.left -= 1;
        self.asked += 1;
        // A question costs the solver something even without conflicts: it looks at every term.
        self.budget.spend(self.encoding.terms.len() as u64 / 4)?;
        self.budget.look()?;
        let mut bound = self.encoding.unwind.clone();
        bound.extend_from_slice(assumptions);
        bound.push(question);
        // No question takes more than there is.
        let affordable = self.budget.steps_left() / WORK_PER_CONFLICT + 1;
        let own = self.budget.share(conflicts.min(affordable));
        let most = own.steps_left();
        let answer = self.session.check(&self.encoding.terms, &bound, &own);
        let n_conflicts = most - own.steps_left();
        // The more there is to look at, the longer a conflict takes, and so does a question without any.
        let clauses = self.session.statistics().own.map_or(0, |own| own.clauses);
        let per_conflict = WORK_PER_CONFLICT + clauses / CLAUSES_PER_CONFLICT;
        self.budget
            .spend(n_conflicts * per_conflict + clauses / CLAUSES_PER_WORK)?;
        match answer {
            Answer::Sat(model) => Ok(Some(Ok(model))),
            Answer::Unsat(core) => Ok(Some(Err(core.to_vec()))),
            Answer::Unknown(StopReason::Steps) if conflicts < affordable => Ok(None),
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }

    /// Until what is assumed is found again wherever runs arrive.
    fn weaken(&mut self) -> Result<(), NotProved> {
        let mut groups = vec![self.alive()];
        loop {
            let (settled, has_changed) = self.settle(groups)?;
            groups = settled;
            // Facts of points that no run was known to reach.
            let known: BTreeSet<FactId> = groups.iter().flatten().copied().collect();
            let mut new = self.alive();
            new.retain(|f| !known.contains(f));
            if new.is_empty() && !has_changed {
                return Ok(());
            }
            if !new.is_empty() {
                groups.push(new);
            }
        }
    }

    /// The facts that are left.
    fn alive(&self) -> Vec<FactId> {
        let points = self.points.iter().enumerate();
        points
            .flat_map(|(p, own)| {
                let facts = own.facts.iter().enumerate();
                facts.filter(|f| !f.1.is_gone).map(move |f| (p, f.0))
            })
            .collect()
    }

    /// Until each of these groups of facts is found again wherever runs arrive; whether facts became weaker after others had been
    /// found. A group of which that cannot be decided is looked at in halves, and a fact of
    /// which it cannot be decided alone is dropped: nothing rests on it then.
    fn settle(&mut self, groups: Vec<Vec<FactId>>) -> Result<(Vec<Vec<FactId>>, bool), NotProved> {
        let mut has_changed = false;
        let mut settled: Vec<Vec<FactId>> = Vec::new();
        let mut todo: Vec<Vec<FactId>> = groups.into_iter().rev().collect();
        // One group is all there is, also what comes in later.
        let mut is_all = todo.len() == 1;
        while let Some(mut own) = todo.pop() {
            // A point that is reached for the first time has other facts from then on.
            own.retain(|&(p, f)| (self.points[p].facts.get(f)).is_some_and(|f| !f.is_gone));
            let hypotheses: Vec<TermId> = self.hypotheses().into_iter().map(|h| h.1).collect();
            let violated = self.violated(|f| is_all || own.binary_search(&f).is_ok());
            let conflicts = if is_all {
                CONFLICTS_TOGETHER
            } else {
                CONFLICTS_APART
            };
            match self.ask(&hypotheses, violated, conflicts)? {
                Some(Ok(model)) => {
                    has_changed |= !settled.is_empty();
                    self.learn(&model)?;
                    todo.push(own);
                }
                Some(Err(_)) if is_all => settled.push(self.alive()),
                Some(Err(_)) => settled.push(own),
                None if own.len() > 1 => {
                    is_all = false;
                    let right = own.split_off(own.len() / 2);
                    todo.extend([right, own]);
                }
                None => {
                    has_changed |= !settled.is_empty();
                    for (point, fact) in own {
                        self.points[point].facts[fact].is_gone = true;
                    }
                }
            }
        }
        Ok((settled, has_changed))
    }

    /// Makes facts weaker by the states in which a model arrives somewhere.
    fn learn(&mut self, model: &Model) -> Result<(), NotProved> {
        let mut arrived = Vec::new();
        {
            let mut evaluator = Evaluator::new(&self.encoding.terms, model);
            for own in &self.instances {
                if own.kind == ProbeKind::Arrival && evaluator.eval_bool(own.guard) {
                    let readings = &self.points[own.point].scale.readings;
                    let values = own.values.iter().zip(readings);
                    let state: Vec<i128> =
                        values.map(|(&v, r)| r.value(evaluator.eval(v))).collect();
                    arrived.push((own.point, state));
                }
            }
        }
        let mut has_learned = false;
        for (point, state) in arrived {
            let own = &mut self.points[point];
            if !own.is_reached {
                own.is_reached = true;
                own.facts = candidates(self.program, &self.cut[point], &[state], &self.idle);
                own.facts.retain(|f| f.kind() <= self.kind);
                has_learned = true;
                continue;
            }
            for fact in &mut own.facts {
                has_learned |= fact.learn(&state, &own.scale);
            }
        }
        if has_learned {
            Ok(())
        } else {
            // A model that shows nothing new would be shown again for ever.
            Err(NotProved::TooWeak)
        }
    }

    /// The facts that a proof needs, and those that these need in turn.
    fn needed(
        &mut self,
        hypotheses: &[(FactId, TermId)],
        core: &[TermId],
    ) -> Result<Vec<FactId>, NotProved> {
        let of_core = |core: &[TermId]| -> Vec<FactId> {
            let own = hypotheses.iter().filter(|h| core.contains(&h.1));
            own.map(|h| h.0).collect()
        };
        let mut needed = of_core(core);
        let terms: Vec<TermId> = hypotheses.iter().map(|h| h.1).collect();
        loop {
            needed.sort_unstable();
            needed.dedup();
            let now = needed.clone();
            let violated = self.violated(|f| now.binary_search(&f).is_ok());
            match self.ask(&terms, violated, CONFLICTS_TOGETHER)? {
                Some(Ok(_)) => return Err(NotProved::TooWeak),
                Some(Err(core)) => needed.extend(of_core(&core)),
                None => {
                    for &fact in &now {
                        let violated = self.violated(|f| f == fact);
                        match self.ask(&terms, violated, CONFLICTS)? {
                            Some(Err(core)) => needed.extend(of_core(&core)),
                            Some(Ok(_)) | None => return Err(NotProved::TooWeak),
                        }
                    }
                }
            }
            needed.sort_unstable();
            needed.dedup();
            if needed == now {
                return Ok(needed);
            }
        }
    }
}
