//! What the edges of a program do, as commands over state variables.
//!
//! The variables are the registers of every activation (by call string) and the cells of memory
//! ([`cells`](super::cells)). What is beyond that (pointers that are not known without a trace, the
//! heap, floating point, most built-ins) is taken to do anything that it could: its command is not
//! exact. A fault ends a run, so it is an assumption here. Expressions have the terms that `symex`
//! gives them: 1 bit is a Bool, everything else a bit vector.

mod access;
mod eval;

use super::cells::{Cells, Extent, Object, Target};
use super::graph::{Cut, Goal, Op, ProgramGraph};
use super::system::{Command, Step, System};
use idiolect_ir::{
    Builtin, Callee, ExprId, Function, GlobalTarget, LocalId, LocalStorage, Location, Place,
    PrintfTarget, Program, Property, StmtKind, TerminatorKind, Ty,
};
use idiolect_smt::{Sort, TermId, Terms};
use idiolect_symex::walker::WalkDomain;
use rustc_hash::{FxHashMap, FxHashSet};

/// The commands of the graph's edges, by number. Where an edge may fault, the graph gets another edge
/// that does: to an error if the fault violates one of the properties, else to a cut.
pub fn system_of(program: &Program, graph: &mut ProgramGraph, properties: &[Property]) -> System {
    let mut found: Vec<(usize, Fault)> = Vec::new();
    let mut effects = Effects {
        program,
        cells: Cells::new(program, graph),
        check_overflow: properties.contains(&Property::Overflow),
        at: None,
        faults: Vec::new(),
        terms: Terms::new(),
        registers: FxHashMap::default(),
        memory: FxHashMap::default(),
        addresses: FxHashMap::default(),
        // Functions lie below.
        next_address: 1 << 28,
        steps: Vec::new(),
        drawn: Vec::new(),
        is_exact: true,
        lazies: Vec::new(),
    };
    let mut commands = Vec::new();
    for (number, edge) in graph.edges.iter().enumerate() {
        for (i, &op) in edge.ops.iter().enumerate() {
            effects.at = op.location().map(|at| (at, i));
            effects.op(op);
        }
        found.extend(effects.faults.drain(..).map(|fault| (number, fault)));
        let steps = std::mem::take(&mut effects.steps);
        let drawn = std::mem::take(&mut effects.drawn);
        let is_exact = std::mem::replace(&mut effects.is_exact, true);
        commands.push(Command::new(&mut effects.terms, steps, drawn, is_exact));
    }
    let mut terms = effects.terms;
    let mut merged: Vec<(usize, Fault)> = Vec::new();
    for (number, fault) in found {
        let is_asked = |f: &Fault| properties.contains(&f.property);
        let same = |m: &&mut (usize, Fault)| {
            let of_one_operation = m.0 == number && m.1.n_ops == fault.n_ops;
            of_one_operation && is_asked(&m.1) == is_asked(&fault)
        };
        let earlier = merged.iter_mut().rev().take(8).find(same);
        let joined = earlier.is_some_and(|earlier| {
            let steps = &commands[number].steps;
            earlier.1.join(&fault, steps, &mut terms)
        });
        if !joined {
            merged.push((number, fault));
        }
    }
    // Two edges with the same beginning have the same faults in it.
    let mut known: FxHashSet<(usize, Goal, Vec<Op>)> = FxHashSet::default();
    for (number, fault) in merged {
        let goal = if properties.contains(&fault.property) {
            Goal::Error(fault.at)
        } else {
            Goal::Cut(Cut::Fault(fault.at))
        };
        let edge = &graph.edges[number];
        let (from, ops) = (edge.from, edge.ops[..fault.n_ops].to_vec());
        if !known.insert((from, goal, ops.clone())) {
            continue;
        }
        let command: &Command = &commands[number];
        let mut steps = command.steps[..fault.n_steps].to_vec();
        steps.push(Step::Assume(fault.condition));
        let drawn = command.drawn.clone();
        commands.push(Command::new(&mut terms, steps, drawn, fault.is_exact));
        graph.add_goal(from, goal, ops);
    }
    System { terms, commands }
}

/// An operation may end the run.
struct Fault {
    at: Location,
    /// Of the edge, before it.
    n_ops: usize,
    n_steps: usize,
    /// Where it does not hold, there is no fault.
    condition: TermId,
    /// Where it holds, there is one.
    is_exact: bool,
    property: Property,
}

impl Fault {
    /// Both as one, as they are one error of one statement. False if they cannot be.
    fn join(&mut self, later: &Fault, steps: &[Step], terms: &mut Terms) -> bool {
        let mut condition = later.condition;
        for step in &steps[self.n_steps..later.n_steps] {
            match step {
                Step::Assume(assumed) => condition = terms.and(*assumed, condition),
                Step::Assign(_) => return false,
            }
        }
        self.condition = terms.or(self.condition, condition);
        self.is_exact &= later.is_exact;
        true
    }
}

struct Effects<'a> {
    program: &'a Program,
    cells: Cells<'a>,
    terms: Terms,
    registers: FxHashMap<(usize, LocalId), TermId>,
    memory: FxHashMap<(Object, u64), TermId>,
    addresses: FxHashMap<Object, u64>,
    next_address: u64,
    /// Signed overflow is a fault.
    check_overflow: bool,
    /// The operation at hand, and its number on its edge.
    at: Option<(Location, usize)>,
    /// Of the edge at hand.
    faults: Vec<Fault>,
    steps: Vec<Step>,
    drawn: Vec<TermId>,
    is_exact: bool,
    /// Conditions under which the expression at hand counts.
    lazies: Vec<TermId>,
}

impl<'a> Effects<'a> {
    /// Of a register.
    fn variable(&mut self, context: usize, local: LocalId) -> TermId {
        if let Some(&known) = self.registers.get(&(context, local)) {
            return known;
        }
        let declared = self.cells.function(context).local(local);
        let sort = match declared.storage {
            LocalStorage::Register(ty) => self.sort_of(ty),
            _ => Sort::BitVec(self.pointer_width()),
        };
        let variable = self.terms.var(&declared.name, sort);
        self.registers.insert((context, local), variable);
        variable
    }

    fn cell(&mut self, object: Object, extent: Extent) -> TermId {
        if let Some(&known) = self.memory.get(&(object, extent.offset)) {
            return known;
        }
        let name = match object {
            Object::Global(global) => &self.program.global(global).name,
            Object::Local { context, local } => &self.cells.function(context).local(local).name,
        };
        let variable = self.terms.bv_var(name, 8 * extent.size as u32);
        self.memory.insert((object, extent.offset), variable);
        variable
    }

    /// Any value.
    fn draw(&mut self, sort: Sort) -> TermId {
        let variable = self.terms.var("drawn", sort);
        self.drawn.push(variable);
        variable
    }

    /// Any value, where we know no better.
    fn guess(&mut self, sort: Sort) -> TermId {
        self.is_exact = false;
        self.draw(sort)
    }

    fn goes_on_if(&mut self, condition: TermId) {
        if !self.terms.known_true(condition) {
            self.steps.push(Step::Assume(condition));
        }
    }

    /// The condition, where the expression at hand counts.
    fn if_counts(&mut self, condition: TermId) -> TermId {
        let mut all = condition;
        for i in 0..self.lazies.len() {
            all = self.terms.and(self.lazies[i], all);
        }
        all
    }

    /// The run ends with a fault where the expression counts and this holds.
    fn ends(&mut self, property: Property, condition: TermId) {
        let all = self.if_counts(condition);
        self.note_fault(property, all, self.is_exact);
        let goes_on = self.terms.not(all);
        self.goes_on_if(goes_on);
    }

    /// Nobody knows whether the expression at hand ends the run with a fault, of memory.
    fn may_fault(&mut self) {
        self.may_violate(Property::Memory);
    }

    fn may_violate(&mut self, property: Property) {
        let truth = self.terms.tt();
        let all = self.if_counts(truth);
        self.note_fault(property, all, false);
    }

    fn note_fault(&mut self, property: Property, condition: TermId, is_exact: bool) {
        if let Some((at, n_ops)) = self.at
            && !self.terms.known_false(condition)
        {
            self.faults.push(Fault {
                at,
                n_ops,
                n_steps: self.steps.len(),
                condition,
                is_exact,
                property,
            });
        }
    }

    fn set(&mut self, variable: TermId, value: TermId) {
        self.steps.push(Step::assign(variable, value));
    }

    fn op(&mut self, op: Op) {
        match op {
            Op::Start => self.start(),
            Op::Stmt { context, at } => {
                if let Some(stmt) = at.stmt(self.program) {
                    let Ok(()) = self.statement(&mut (), context, &stmt.kind);
                }
            }
            Op::Decision {
                context,
                at,
                outcome,
            } => {
                let block = self.cells.function(context).block(at.block);
                if let TerminatorKind::Branch { condition, .. } = block.terminator.kind {
                    let taken = self.value(context, condition);
                    let chosen = if outcome {
                        taken
                    } else {
                        self.terms.not(taken)
                    };
                    self.goes_on_if(chosen);
                }
            }
            Op::Enter {
                context,
                at,
                callee,
            } => {
                if let Some(StmtKind::Call {
                    callee: how, args, ..
                }) = at.stmt(self.program).map(|s| &s.kind)
                {
                    self.enter(context, *how, args, callee);
                }
            }
            Op::Leave { context, at } => {
                let block = self.cells.function(context).block(at.block);
                let value = match block.terminator.kind {
                    TerminatorKind::Return(Some(value)) => Some(self.value(context, value)),
                    _ => None,
                };
                if let Some((caller, call)) = self.cells.contexts()[context].caller
                    && let Some(&StmtKind::Call {
                        dest: Some(dest), ..
                    }) = call.stmt(self.program).map(|s| &s.kind)
                {
                    let value = match value {
                        Some(value) => value,
                        None => {
                            let sort = self.sort_of(self.place_type(caller, &dest));
                            self.guess(sort)
                        }
                    };
                    let Ok(()) = self.assign(&mut (), caller, &dest, value);
                }
            }
        }
    }

    /// Globals that are defined start with their bytes.
    fn start(&mut self) {
        let globals: Vec<(Object, Vec<Extent>)> = (self.cells.objects())
            .filter(|(o, _)| matches!(o, Object::Global(_)))
            .map(|(o, list)| (o, list.to_vec()))
            .collect();
        for (object, extents) in globals {
            let Object::Global(id) = object else { continue };
            let global = self.program.global(id);
            if global.is_unwritten {
                continue;
            }
            for extent in extents {
                let variable = self.cell(object, extent);
                let range = extent.offset..extent.offset + extent.size;
                let relocation = (global.relocations.iter()).find(|r| {
                    r.offset < range.end
                        && r.offset + u64::from(self.pointer_width() / 8) > range.start
                });
                let value = match relocation {
                    Some(r)
                        if r.offset == range.start
                            && 8 * extent.size as u32 == self.pointer_width() =>
                    {
                        match (r.target, r.addend) {
                            (GlobalTarget::Function(f), 0) => self.function_address(f),
                            (GlobalTarget::Function(_), _) => self.some_address(),
                            (GlobalTarget::Global(g), offset) => {
                                let target = Target {
                                    object: Object::Global(g),
                                    offset,
                                    index: None,
                                };
                                match self.address_of(&target) {
                                    Some(address) => address,
                                    None => self.some_address(),
                                }
                            }
                        }
                    }
                    Some(_) => self.guess(Sort::BitVec(8 * extent.size as u32)),
                    None => {
                        let mut bits = 0u128;
                        for (i, at) in range.enumerate() {
                            let byte = global.bytes.get(at as usize).copied().unwrap_or(0);
                            bits |= u128::from(byte) << (8 * i);
                        }
                        self.terms.bv(bits, 8 * extent.size as u32)
                    }
                };
                self.set(variable, value);
            }
        }
    }

    /// The address of an object whose lifetime is the whole run: a number of our own, since nothing
    /// that we follow depends on which.
    fn address_of(&mut self, target: &Target) -> Option<TermId> {
        let lasts = match target.object {
            Object::Global(_) => true,
            // The start function and the entry function are entered once.
            Object::Local { context, .. } => context <= 1,
        };
        let size = self.cells.size(target.object);
        let inside = u64::try_from(target.offset).is_ok_and(|offset| offset <= size);
        if !lasts || !inside || target.index.is_some() {
            return None;
        }
        let width = self.pointer_width();
        let next = self.next_address;
        let base = match self.addresses.get(&target.object) {
            Some(&known) => known,
            None => {
                self.next_address = next.checked_add(size)?.checked_add(64)? & !15;
                if width < 64 && self.next_address >> width > 0 {
                    return None;
                }
                self.addresses.insert(target.object, next);
                next
            }
        };
        let address = u128::from(base) + target.offset as u128;
        Some(self.terms.bv(address, width))
    }

    /// The address of some object: not null, otherwise anything.
    fn some_address(&mut self) -> TermId {
        let width = self.pointer_width();
        let address = self.guess(Sort::BitVec(width));
        let zero = self.terms.bv(0, width);
        let null = self.terms.eq(address, zero);
        let null = self.if_counts(null);
        let is_some = self.terms.not(null);
        self.goes_on_if(is_some);
        address
    }

    fn enter(&mut self, context: usize, how: Callee, args: &[ExprId], callee: usize) {
        if let Callee::Pointer { target, .. } = how {
            let target = self.value(context, target);
            // Anything but a function that can be called so is a fault.
            self.may_fault();
            let function = self.cells.contexts()[callee].function;
            let address = self.function_address(function);
            let same = self.terms.eq(target, address);
            self.goes_on_if(same);
        }
        let values: Vec<TermId> = args.iter().map(|&a| self.value(context, a)).collect();
        let body: &Function = self.cells.function(callee);
        for (&param, value) in body.params.iter().zip(values) {
            self.set_register(&mut (), callee, param, value);
        }
        for (i, local) in body.locals.iter().enumerate() {
            if let LocalStorage::Memory { .. } = local.storage {
                let local = LocalId::new(i);
                self.forget(Object::Local {
                    context: callee,
                    local,
                });
            }
        }
    }

    /// New bytes, which no one has written: anything may be read there, but the same again.
    fn forget(&mut self, object: Object) {
        for extent in self.cells.of(object).to_vec() {
            let variable = self.cell(object, extent);
            let sort = self.terms.sort(variable);
            let value = self.draw(sort);
            self.set(variable, value);
        }
    }

    fn builtin(&mut self, context: usize, dest: Option<&Place>, builtin: Builtin, args: &[ExprId]) {
        for &arg in args {
            self.value(context, arg);
        }
        match builtin {
            // An access beyond the end may be a fault in any case, as far as is known here.
            Builtin::Truncate(_) => return,
            // Nobody follows here what is written and what is reached.
            Builtin::CheckOverlap => return self.may_fault(),
            Builtin::CheckWritten => return self.may_violate(Property::Uninitialised),
            Builtin::CheckLeaks => return self.may_violate(Property::Leak),
            Builtin::Free | Builtin::Realloc => self.may_violate(Property::Free),
            Builtin::Forget => {
                self.is_exact = false;
                self.clobber();
                return;
            }
            _ => {}
        }
        let allocates = matches!(builtin, Builtin::Malloc | Builtin::Calloc | Builtin::Alloca);
        let prints = match builtin {
            Builtin::Putchar => true,
            Builtin::Printf(target) => matches!(
                target,
                PrintfTarget::Stdout | PrintfTarget::Stderr | PrintfTarget::Elsewhere
            ),
            _ => false,
        };
        // Texts that are printed may be no texts; the format itself is one, as a rule of our front end.
        let function = self.cells.function(context);
        let has_text = (args.iter().skip(1)).any(|&a| function.expr(a).ty == Ty::Ptr);
        if !prints || has_text {
            self.is_exact = false;
            if !allocates && !matches!(builtin, Builtin::Math(_)) {
                self.may_fault();
            }
        }
        if !prints && !allocates && !matches!(builtin, Builtin::Free | Builtin::Math(_)) {
            self.clobber();
        }
        if let Some(dest) = dest {
            let sort = self.sort_of(self.place_type(context, dest));
            let value = if allocates {
                self.some_address()
            } else {
                self.guess(sort)
            };
            let Ok(()) = self.assign(&mut (), context, dest, value);
        }
    }
}
