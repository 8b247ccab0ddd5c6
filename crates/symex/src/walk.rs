//! The walk through the program: calls are inlined, loops unrolled, and states merged where they meet.

use crate::apart::Meeting;
use crate::encoder::{Encoder, UnwindSite};
use crate::guard::GuardId;
use crate::memory::{ObjectInfo, ObjectKind};
use crate::order::{Item, Order};
use crate::record::{DecisionRecord, EndKind, Gap};
use crate::recorder::Written;
use crate::state::State;
use crate::variables::Inside;
use crate::walker::WalkDomain;
use idiolect_base::StopReason;
use idiolect_ir::events::EventSite;
use idiolect_ir::graph::LoopId;
use idiolect_ir::{
    BlockId, Callee, ErrorKind, FuncId, Function, FunctionOrigin, LocalStorage, Location, StmtKind,
    TerminatorKind,
};
use idiolect_smt::TermId;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Recursive calls nest on our own stack too.
const MAX_CALL_DEPTH: usize = 10_000;

/// States on their way to blocks of the running activation, in the order in which they came.
///
/// They are merged when the block's turn has come, as a balanced tree. The states that leave a loop
/// of n rounds, one after each, share what happened before the earlier one left; neighbours differ
/// in what one round has changed, so all merges together touch n log n values. Merging them one by
/// one would look at everything that all rounds have written, each time: n² (a loop that fills an
/// array, 800 rounds: 340,000 terms that way).
#[derive(Default)]
struct Pending {
    now: BTreeMap<BlockId, Vec<State>>,
    /// By loop: what its next round starts with.
    next: FxHashMap<LoopId, BTreeMap<BlockId, Vec<State>>>,
    returned: Vec<State>,
}

impl Encoder<'_> {
    /// How the decision at hand comes out on the one path that is followed; `None` where that path
    /// is left.
    fn scripted(&mut self, taken: TermId) -> Option<bool> {
        let script = self.script.as_ref()?;
        let number = self.decisions.len() - 1;
        if number >= script.max_decisions {
            return None;
        }
        if let Some(&outcome) = script.decisions.get(number) {
            return Some(outcome);
        }
        if let Some(constant) = self.terms.as_const(taken) {
            return Some(constant != 0);
        }
        let model = script.then.as_ref()?;
        Some(model.eval_bool(&self.terms, taken))
    }

    fn order(&mut self, function: FuncId) -> Rc<Order> {
        let program = self.program;
        self.orders
            .entry(function)
            .or_insert_with(|| Rc::new(Order::new(program.function(function))))
            .clone()
    }

    /// Calls a function; afterwards `s` is the state after all returns, or dead.
    pub(crate) fn call(
        &mut self,
        s: &mut State,
        id: FuncId,
        args: Vec<TermId>,
    ) -> Result<Option<TermId>, StopReason> {
        if s.is_dead() {
            return Ok(None);
        }
        let mut outer = Vec::new();
        let returned = self.call_apart(s, id, args, &mut outer)?;
        let Some(mut after) = self.merge_all(returned)? else {
            return Ok(None);
        };
        let value = after.registers.first().copied();
        after.registers = outer;
        *s = after;
        Ok(value)
    }

    /// Calls a function: the states after its returns, each with the result as its one register. Those of the caller are
    /// put into `outer`. Afterwards `s` is dead.
    pub(crate) fn call_apart(
        &mut self,
        s: &mut State,
        id: FuncId,
        args: Vec<TermId>,
        outer: &mut Vec<TermId>,
    ) -> Result<Vec<State>, StopReason> {
        if s.is_dead() {
            return Ok(Vec::new());
        }
        let function = self.program.function(id);
        let depth = self.active.iter().filter(|(f, _)| *f == id).count();
        if depth > 0 {
            let latest = self.active.iter().rev().find(|(f, _)| *f == id);
            let since = latest.map_or(GuardId::ROOT, |&(_, guard)| guard);
            let is_certain = since == s.guard && depth <= self.config.constant_unwindings as usize;
            let site = UnwindSite::Recursion(id);
            let counts_all = self.counts_all(site);
            let is_free = is_certain && !counts_all && self.active.len() <= MAX_CALL_DEPTH;
            // Activations that were certain count no more than rounds that were.
            let level = if counts_all {
                depth as u32 - 1
            } else {
                self.counted_activations(id)
            };
            if !is_free {
                if self.is_impossible(s.guard)? {
                    s.guard = GuardId::DEAD;
                    return Ok(Vec::new());
                }
                self.unwind_once(s, site, level);
            }
            let rounds = self.rounds.entry(site).or_default();
            if is_free {
                rounds.certain = rounds.certain.max(depth as u32 - level);
            } else {
                rounds.is_counted = true;
                rounds.is_cut |= is_certain && s.is_dead();
            }
            if s.is_dead() {
                return Ok(Vec::new());
            }
        }
        self.statistics.calls += 1;
        let truth = self.terms.tt();
        self.event(s, EventSite::Entry(id), truth);
        let outer_location = self.location;
        let (outer_context, outer_nth) = (self.context, self.nth);
        let (block, index) = (outer_location.block, outer_location.index);
        let call = Inside::Call(block, index, id);
        self.context = self.variables.inside(outer_context, call);
        *outer = std::mem::take(&mut s.registers);
        self.active.push((id, s.guard));
        self.created.push(Vec::new());
        self.enter(s, id, function, args);
        self.note_entry(s, id, function);
        let order = self.order(id);
        let mut pending = Pending::default();
        let moved = std::mem::replace(s, dead_state());
        pending.now.insert(Function::ENTRY, vec![moved]);
        let result = self.run_items(id, &order, &order.items, &mut pending);
        self.active.pop();
        self.note_return();
        let created = self.created.pop().unwrap_or_default();
        self.location = outer_location;
        (self.context, self.nth) = (outer_context, outer_nth);
        result?;
        let mut returned = self.merge_at(pending.returned, Meeting::Return(id))?;
        for after in &mut returned {
            for &object in &created {
                after.memory.objects.remove(object);
                after.memory.dead.remove(object);
            }
        }
        Ok(returned)
    }

    /// How often the function was entered again, not counting calls that were certain.
    fn counted_activations(&self, id: FuncId) -> u32 {
        let mut count = 0;
        let mut latest: Option<GuardId> = None;
        for &(f, guard) in &self.active {
            if f == id {
                if latest.is_some_and(|before| before != guard) {
                    count += 1;
                }
                latest = Some(guard);
            }
        }
        count
    }

    fn enter(&mut self, s: &mut State, id: FuncId, function: &Function, args: Vec<TermId>) {
        let width = self.addresses.width();
        let made = self.guards.term(&mut self.terms, s.guard);
        for (i, local) in function.locals.iter().enumerate() {
            let value = match local.storage {
                LocalStorage::Register(ty) => {
                    let sort = self.sort_of(ty);
                    self.terms.constant(0, sort)
                }
                LocalStorage::Dynamic => self.terms.bv(0, width),
                LocalStorage::Memory { size, .. } => {
                    let info = ObjectInfo {
                        kind: ObjectKind::Local {
                            function: id,
                            local: idiolect_ir::LocalId::new(i),
                        },
                        size: self.terms.bv(u128::from(size), width),
                        max_size: size,
                        is_read_only: false,
                        initial: None,
                        stride: self.stride_of(local.ty),
                        made,
                        truncated: None,
                        is_forgotten: false,
                    };
                    let object = self.make_object(s, info);
                    self.pointer_term(object)
                }
            };
            s.registers.push(value);
        }
        for (&param, arg) in function.params.iter().zip(args) {
            s.registers[param.index()] = arg;
        }
    }

    /// Whether certain rounds count as well.
    fn counts_all(&self, site: UnwindSite) -> bool {
        let (UnwindSite::Loop { function, .. } | UnwindSite::Recursion(function)) = site;
        self.config.own_bounds.contains_key(&site)
            || (self.config.count_certain
                && self.program.function(function).origin == FunctionOrigin::User)
    }

    /// Runs that go on from here unwind a loop or recursion for the `level + 1`-st time.
    fn unwind_once(&mut self, s: &mut State, site: UnwindSite, level: u32) {
        if self.script.is_some() {
            return;
        }
        let own = self.config.own_bounds.get(&site);
        let (allowed, kind) = match own {
            Some(&most) if (level as usize) < most => return,
            Some(_) => (self.terms.ff(), EndKind::OwnBound(site)),
            None => match self.unwind.get(level as usize) {
                Some(&literal) => (literal, EndKind::Bound(level, site)),
                None => (self.terms.ff(), EndKind::Bound(level, site)),
            },
        };
        let guard = self.guards.term(&mut self.terms, s.guard);
        let not_allowed = self.terms.not(allowed);
        let ends = self.terms.and(guard, not_allowed);
        if !self.terms.known_false(ends) {
            self.record_end(s, ends, kind);
        }
        s.guard = self.guards.push(&mut self.terms, s.guard, allowed);
    }

    pub(crate) fn merge_all(
        &mut self,
        mut states: Vec<State>,
    ) -> Result<Option<State>, StopReason> {
        while states.len() > 1 {
            let mut merged = Vec::with_capacity(states.len().div_ceil(2));
            let mut rest = states.into_iter();
            while let Some(first) = rest.next() {
                merged.push(match rest.next() {
                    Some(second) => self.merge(first, second)?,
                    None => first,
                });
            }
            states = merged;
        }
        Ok(states.pop())
    }

    pub(crate) fn merge(&mut self, a: State, b: State) -> Result<State, StopReason> {
        self.statistics.merges += 1;
        let merged = State::merge(&mut self.terms, &mut self.guards, &self.infos, a, b);
        self.charge(1)?;
        Ok(merged)
    }

    fn run_items(
        &mut self,
        id: FuncId,
        order: &Order,
        items: &[Item],
        pending: &mut Pending,
    ) -> Result<(), StopReason> {
        for item in items {
            match item {
                Item::Block(block) => {
                    let states = pending.now.remove(block).unwrap_or_default();
                    for s in self.merge_at(states, Meeting::Block(id, *block))? {
                        self.run_block(id, order, *block, 0, s, pending)?;
                    }
                }
                Item::Loop { id: inner, items } => {
                    self.run_loop(id, order, *inner, items, pending)?;
                }
            }
        }
        Ok(())
    }

    fn run_loop(
        &mut self,
        id: FuncId,
        order: &Order,
        own: LoopId,
        items: &[Item],
        pending: &mut Pending,
    ) -> Result<(), StopReason> {
        let heads = order.loops.get(own).heads.clone();
        let (mut counted, mut certain) = (0, 0);
        // How many rounds had counted when it was asked whether a run goes on from there.
        let mut asked = 0;
        let outer = self.context;
        loop {
            let round = Inside::Round(own.0, counted + certain);
            self.context = self.variables.inside(outer, round);
            let mut before = Vec::new();
            for &head in &heads {
                let states = pending.now.remove(&head).unwrap_or_default();
                let states = self.merge_at(states, Meeting::Block(id, head))?;
                before.extend(states.iter().map(|s| s.guard));
                if !states.is_empty() {
                    pending.now.insert(head, states);
                }
            }
            if before.is_empty() {
                self.context = outer;
                return Ok(());
            }
            self.run_items(id, order, items, pending)?;
            let mut next = Vec::new();
            for (head, states) in pending.next.remove(&own).unwrap_or_default() {
                let states = self.merge_at(states, Meeting::Block(id, head))?;
                next.extend(states.into_iter().map(|s| (head, s)));
            }
            let is_same = match (&next[..], &before[..]) {
                ([(_, s)], [guard]) => s.guard == *guard,
                (_, [_]) | ([], _) => false,
                _ => next.iter().all(|(_, s)| before.contains(&s.guard)),
            };
            let is_certain = is_same && certain < self.config.constant_unwindings;
            // After rounds that depended on input, a loop that is certain to go on is often in a state that no run has:
            // `while (n--)` past what `n` can be. It would go on for ever.
            if is_certain && counted > asked {
                asked = counted;
                let mut reached = Vec::new();
                for (head, s) in next {
                    if !self.never_comes(s.guard)? {
                        reached.push((head, s));
                    }
                }
                next = reached;
            }
            let first = heads.first().copied().unwrap_or(Function::ENTRY);
            let is_free = is_certain
                && !self.counts_all(UnwindSite::Loop {
                    function: id,
                    head: first,
                });
            let place = self.location;
            for (head, mut s) in next {
                let site = UnwindSite::Loop { function: id, head };
                if !is_free {
                    if self.is_impossible(s.guard)? {
                        continue;
                    }
                    self.location = Location::start_of(id, head);
                    self.unwind_once(&mut s, site, counted);
                }
                let rounds = self.rounds.entry(site).or_default();
                if is_free {
                    rounds.certain = rounds.certain.max(certain + 1);
                } else {
                    rounds.is_counted = true;
                    rounds.is_cut |= is_certain && s.is_dead();
                }
                if !s.is_dead() {
                    pending.now.entry(head).or_default().push(s);
                }
            }
            self.location = place;
            if is_free {
                certain += 1;
            } else {
                counted += 1;
            }
        }
    }

    fn run_block(
        &mut self,
        id: FuncId,
        order: &Order,
        block: BlockId,
        from: usize,
        mut s: State,
        pending: &mut Pending,
    ) -> Result<(), StopReason> {
        let function = self.program.function(id);
        let body = function.block(block);
        if s.is_dead() {
            return Ok(());
        }
        for (index, stmt) in body.stmts.iter().enumerate().skip(from) {
            self.location = Location {
                function: id,
                block,
                index,
            };
            self.step()?;
            if self.apart.is_some()
                && let StmtKind::Call {
                    dest,
                    callee: Callee::Function(callee),
                    args,
                } = &stmt.kind
            {
                let call = (*callee, args.as_slice(), dest.as_ref());
                for s in self.call_statement_apart(s, (id, function), call)? {
                    self.run_block(id, order, block, index + 1, s, pending)?;
                }
                return Ok(());
            }
            self.statement(&mut s, (id, function), &stmt.kind)?;
            self.note(&mut s, Written::by(stmt));
            if s.is_dead() {
                return Ok(());
            }
        }
        self.location = Location {
            function: id,
            block,
            index: body.stmts.len(),
        };
        self.step()?;
        match &body.terminator.kind {
            &TerminatorKind::Goto(to) => self.go(order, block, to, s, pending),
            &TerminatorKind::Branch {
                condition,
                then,
                otherwise,
            } => {
                let ends_loop = order.loops.innermost(block).is_some_and(|own| {
                    let own = order.loops.get(own);
                    !own.contains(then) || !own.contains(otherwise)
                });
                let taken = self.eval_deciding(&mut s, (id, function), condition, ends_loop)?;
                if s.is_dead() {
                    self.note(&mut s, Written::default());
                    return Ok(());
                }
                let taken = self.relaxed(taken);
                let guard = self.guards.term(&mut self.terms, s.guard);
                self.decisions.push(DecisionRecord {
                    guard,
                    taken,
                    function: id,
                    block,
                });
                if self.script.is_some() {
                    match self.scripted(taken) {
                        Some(outcome) => self.decide(s, id, order, block, taken, outcome, pending),
                        None => {
                            self.note(&mut s, Written::default());
                            self.note_left();
                            self.is_left = true;
                        }
                    }
                    return Ok(());
                }
                let other = s.clone();
                self.decide(s, id, order, block, taken, true, pending);
                self.decide(other, id, order, block, taken, false, pending);
            }
            &TerminatorKind::Return(value) => {
                let value = match value {
                    Some(value) => {
                        let decides = self.result_decides(id);
                        Some(self.eval_deciding(&mut s, (id, function), value, decides)?)
                    }
                    None => None,
                };
                self.note(&mut s, Written::default());
                if !s.is_dead() {
                    s.registers = value.into_iter().collect();
                    pending.returned.push(s);
                }
            }
            &TerminatorKind::Exit(status) => {
                let status = self.eval(&mut s, (id, function), status)?;
                self.end(&mut s, EndKind::Exit(status));
            }
            TerminatorKind::Abort => self.end(&mut s, EndKind::Abort),
            TerminatorKind::Error(kind) => {
                let kind: ErrorKind = kind.clone();
                self.end(&mut s, EndKind::Error(kind));
            }
            &TerminatorKind::Trap(index) => {
                let gap = Gap::assumption(self.program, index);
                self.end(&mut s, EndKind::Trap(gap));
            }
            &TerminatorKind::Fault(kind) => self.end(&mut s, EndKind::Fault(kind)),
        }
        Ok(())
    }

    /// Goes on along one side of a decision.
    #[expect(clippy::too_many_arguments)]
    fn decide(
        &mut self,
        mut s: State,
        id: FuncId,
        order: &Order,
        block: BlockId,
        taken: TermId,
        outcome: bool,
        pending: &mut Pending,
    ) {
        let body = self.program.function(id).block(block);
        let TerminatorKind::Branch {
            then, otherwise, ..
        } = body.terminator.kind
        else {
            return;
        };
        let (literal, to) = if outcome {
            (taken, then)
        } else {
            (self.terms.not(taken), otherwise)
        };
        s.guard = self.guards.push(&mut self.terms, s.guard, literal);
        let site = EventSite::Decision {
            function: id,
            block,
            outcome,
        };
        self.note_decision(outcome);
        let truth = self.terms.tt();
        self.note_event(site, truth);
        self.note(&mut s, Written::default());
        if s.is_dead() {
            return;
        }
        if self.stops_here() {
            self.is_left = true;
            self.note_left();
            return;
        }
        self.event(&mut s, site, truth);
        self.go(order, block, to, s, pending);
    }

    fn go(&mut self, order: &Order, from: BlockId, to: BlockId, s: State, pending: &mut Pending) {
        let map = match order.loops.headed_by(to) {
            Some(id) if order.loops.is_back_edge(from, to) => pending.next.entry(id).or_default(),
            _ => &mut pending.now,
        };
        map.entry(to).or_default().push(s);
    }
}

fn dead_state() -> State {
    State {
        guard: GuardId::DEAD,
        registers: Vec::new(),
        memory: Default::default(),
        position: Rc::new(Vec::new()),
    }
}
