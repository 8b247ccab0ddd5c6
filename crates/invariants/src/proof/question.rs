//! One segment, encoded once and asked as often as the set of conjuncts changes.

use super::bound::NoBound;
use super::countermodel;
use super::segment::{Derived, Task, derive};
use super::{Config, Doubt};
use idiolect_base::{Budget, Span};
use idiolect_ir::{FaultKind, Location};
use idiolect_smt::{Model, Outcome, Session, TermId};
use idiolect_symex::{Encoding, EndKind, InputOrigin, encode};

pub(super) struct Question {
    /// Whether hypotheses were assumed at all indices that may matter.
    pub is_wide: bool,
    pub derived: Derived,
    pub encoding: Encoding,
    session: Session,
    /// Claims that may be assumed: each by its number and conjunct.
    switches: Vec<(usize, usize, TermId)>,
    bound: Vec<TermId>,
    /// With these conjuncts of what is assumed, nothing in the code goes wrong.
    safe_with: Option<Vec<bool>>,
    /// Something does, whatever is assumed of it is asked later.
    is_unsafe: bool,
    /// The most cells.
    pub cells: usize,
}

impl Question {
    pub fn new(
        task: &Task<'_>,
        from: usize,
        wide: bool,
        config: &Config,
        budget: &Budget,
    ) -> Result<Self, Doubt> {
        let name = |id| task.program.function(id).name.clone();
        let derived = derive(task, from, wide).map_err(|e| match e {
            NoBound::Distance => Doubt::Distance,
            NoBound::Link => Doubt::Link,
            NoBound::Pointer(name) => Doubt::Pointer(name),
            NoBound::Code(u) => match u.function {
                Some(id) => Doubt::Callee(name(id)),
                None => Doubt::PointerCall,
            },
            NoBound::TooMany(n) => Doubt::Cells(n),
        })?;
        if cfg!(debug_assertions)
            && let Err(errors) = idiolect_ir::verify(&derived.program)
        {
            let list: Vec<String> = errors.iter().take(5).map(ToString::to_string).collect();
            panic!("an obligation should be well-formed: {}", list.join("; "));
        }
        let symex = idiolect_symex::Config {
            unwind: config.unwind,
            unwritten_arrays: true,
            ..idiolect_symex::Config::default()
        };
        let mut encoding = encode(&derived.program, &symex, budget).map_err(Doubt::Stopped)?;
        let mut switches = Vec::new();
        for switch in &derived.switches {
            let site = InputOrigin::Site(switch.input);
            let is_it = |i: &&idiolect_symex::InputRecord| i.origin == site;
            // A switch that nothing depends on was never drawn.
            let on = match encoding.inputs.iter().find(is_it).map(|i| i.value) {
                Some(value) => encoding.terms.is_nonzero(value),
                None => encoding.terms.tt(),
            };
            switches.push((switch.claim, switch.conjunct, on));
        }
        let bound = encoding.bound(config.unwind);
        let cells = derived.n_cells.iter().copied().max().unwrap_or(0);
        let has_arrays =
            |p: &&idiolect_quantified::point::Point| p.structures.iter().any(|s| !s.is_list());
        let is_wide = wide || !task.own_points().iter().any(has_arrays);
        Ok(Question {
            is_wide,
            derived,
            encoding,
            session: Session::for_refuting(),
            switches,
            bound,
            safe_with: None,
            is_unsafe: false,
            cells,
        })
    }

    pub fn solver_calls(&self) -> u64 {
        self.session.statistics().solver_calls
    }

    fn check(
        &mut self,
        kept: &[Vec<bool>],
        wanted: TermId,
        budget: &Budget,
    ) -> Result<Option<Model>, Doubt> {
        if self.encoding.terms.known_false(wanted) {
            return Ok(None);
        }
        let mut all = self.bound.clone();
        for &(claim, conjunct, on) in &self.switches {
            if kept[claim][conjunct] {
                all.push(on);
            }
        }
        all.push(wanted);
        match self.session.check(&self.encoding.terms, &all, budget) {
            Outcome::Sat(model) => Ok(Some(model)),
            Outcome::Unsat(_) => Ok(None),
            Outcome::Unknown(reason) => Err(Doubt::Stopped(reason)),
        }
    }

    /// Whether runs of this segment, from states with these conjuncts, come to something that is
    /// not modelled or not looked at.
    pub fn doubt(&mut self, kept: &[Vec<bool>], budget: &Budget) -> Option<Doubt> {
        let exceeds = self.encoding.exceeds(self.bound.len());
        match self.check(kept, exceeds, budget) {
            Err(doubt) => return Some(doubt),
            Ok(Some(_)) => return Some(Doubt::Unwinding),
            Ok(None) => {}
        }
        if self.derived.may_be_stale {
            let stale =
                (self.encoding).any_end(|k| matches!(k, EndKind::Fault(FaultKind::UseAfterFree)));
            match self.check(kept, stale, budget) {
                Err(doubt) => return Some(doubt),
                Ok(Some(_)) => return Some(Doubt::Stale),
                Ok(None) => {}
            }
        }
        let trap = self.encoding.any_end(|k| matches!(k, EndKind::Trap(_)));
        match self.check(kept, trap, budget) {
            Err(doubt) => Some(doubt),
            Ok(None) => None,
            Ok(Some(model)) => {
                let end = self.encoding.end_of(&model).map(|e| e.kind.clone());
                Some(match end {
                    Some(EndKind::Trap(gap)) => Doubt::Trap(gap.text),
                    _ => Doubt::Trap("something".to_owned()),
                })
            }
        }
    }

    fn place(&self, end: usize) -> Location {
        self.encoding.ends[end].place
    }

    /// The goal that an end violates, if it lies in the blocks that look at a state.
    fn goal_of(&self, end: usize) -> Option<usize> {
        let place = self.place(end);
        if place.function != self.derived.program.start {
            return None;
        }
        let goals = &self.derived.goals;
        // Looking at the state is not possible: it is no list.
        let looking = (self.derived.looking.iter()).find(|(block, _)| *block == place.block);
        match self.encoding.ends[end].kind {
            EndKind::Error(_) => goals.iter().position(|g| g.error == place.block),
            EndKind::Fault(_) => looking.map(|(_, shape)| *shape),
            _ => None,
        }
    }

    /// A state from which one of these goals fails, by position, and which one.
    pub fn failing_goal(
        &mut self,
        kept: &[Vec<bool>],
        goals: &[usize],
        budget: &Budget,
    ) -> Result<Option<(usize, Model)>, Doubt> {
        let mut guards: Vec<(usize, TermId)> = Vec::new();
        for (i, end) in self.encoding.ends.iter().enumerate() {
            if let Some(goal) = self.goal_of(i)
                && goals.contains(&goal)
            {
                guards.push((goal, end.guard));
            }
        }
        // Mostly all is well, and one question for both costs less than two.
        if !self.is_unsafe {
            let n_goals = self.derived.goals.len();
            let mut both = guards.clone();
            both.extend(self.bad_ends().into_iter().map(|(i, g)| (n_goals + i, g)));
            match self.first_of(kept, both, budget)? {
                None => {
                    self.safe_with = Some(self.assumed(kept));
                    return Ok(None);
                }
                Some((goal, model)) if goal < n_goals => return Ok(Some((goal, model))),
                Some(_) => self.is_unsafe = true,
            }
        }
        self.first_of(kept, guards, budget)
    }

    /// Which of the switches are on.
    fn assumed(&self, kept: &[Vec<bool>]) -> Vec<bool> {
        let of = |&(claim, conjunct, _): &(usize, usize, TermId)| kept[claim][conjunct];
        self.switches.iter().map(of).collect()
    }

    /// Ends of the code itself that are errors or faults.
    fn bad_ends(&self) -> Vec<(usize, TermId)> {
        let mut guards = Vec::new();
        for (i, end) in self.encoding.ends.iter().enumerate() {
            let is_bad = matches!(end.kind, EndKind::Error(_) | EndKind::Fault(_));
            if is_bad && self.goal_of(i).is_none() {
                guards.push((i, end.guard));
            }
        }
        guards
    }

    pub fn has_assertions(&self) -> bool {
        let is_error = |i: usize| matches!(self.encoding.ends[i].kind, EndKind::Error(_));
        self.bad_ends().into_iter().any(|(i, _)| is_error(i))
    }

    /// Where the code has assertions, and whether each of them holds.
    pub fn assertions(&mut self, kept: &[Vec<bool>], budget: &Budget) -> Vec<(Span, bool)> {
        let mut found: Vec<(Span, Vec<TermId>)> = Vec::new();
        for (i, guard) in self.bad_ends() {
            let end = &self.encoding.ends[i];
            let is_error = matches!(end.kind, EndKind::Error(_));
            let span = countermodel::span_of(&self.derived.program, end.place);
            let (true, Some(span)) = (is_error, span) else {
                continue;
            };
            match found.iter_mut().find(|f| f.0 == span) {
                Some((_, guards)) => guards.push(guard),
                None => found.push((span, vec![guard])),
            }
        }
        let is_safe = self.safe_with.as_ref() == Some(&self.assumed(kept));
        let mut holds = |guards: &[TermId]| {
            let any = self.encoding.terms.or_all(guards);
            is_safe || matches!(self.check(kept, any, budget), Ok(None))
        };
        let all = found.iter().map(|(span, guards)| (*span, holds(guards)));
        all.collect()
    }

    /// The goals that a model violates which violates one of them: those of the same look.
    pub fn violated(&self, goal: usize, model: &Model) -> Vec<usize> {
        let goals = &self.derived.goals;
        let is_shown_false = |g: &super::segment::Goal| {
            let site = InputOrigin::Site(g.shown);
            let mut inputs = self.encoding.inputs.iter();
            let value = inputs.find(|i| i.origin == site).map(|i| i.value);
            value.is_some_and(|v| model.eval(&self.encoding.terms, v) == 0)
        };
        (0..goals.len())
            .filter(|&i| {
                i == goal || goals[i].look == goals[goal].look && is_shown_false(&goals[i])
            })
            .collect()
    }

    /// A state from which the function itself goes wrong, beside the ends that are known already.
    pub fn failing_end(
        &mut self,
        kept: &[Vec<bool>],
        budget: &Budget,
    ) -> Result<Option<(usize, Model)>, Doubt> {
        if self.safe_with.as_ref() == Some(&self.assumed(kept)) {
            return Ok(None);
        }
        let guards = self.bad_ends();
        self.first_of(kept, guards, budget)
    }

    fn first_of(
        &mut self,
        kept: &[Vec<bool>],
        guards: Vec<(usize, TermId)>,
        budget: &Budget,
    ) -> Result<Option<(usize, Model)>, Doubt> {
        let all: Vec<TermId> = guards.iter().map(|g| g.1).collect();
        let any = self.encoding.terms.or_all(&all);
        let Some(model) = self.check(kept, any, budget)? else {
            return Ok(None);
        };
        let holds = |g: &&(usize, TermId)| model.eval_bool(&self.encoding.terms, g.1);
        let which = guards.iter().find(holds).map(|g| g.0);
        Ok(which.map(|w| (w, model)))
    }
}
