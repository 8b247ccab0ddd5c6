//! The checker of proofs by induction. It knows nothing of how claims were found.
//!
//! It writes the claims into the program: where control comes to a claim, a violation is an error; then
//! whatever the loop or function might change takes any value, and the claim is assumed. Recursive
//! calls become their contracts, and the bodies are run on their own. The program that comes out has
//! neither the loops nor the recursion that claims are about, and plain bounded model checking has to
//! find that no run of it has an error or a fault, that all C in it is modelled, and that
//! every run ends within the bound.
//!
//! It shares with the search for proofs what formulas mean ([`Formula::expr`]), and nothing else: the
//! bodies of loops are found by dominators, and what they change is read off the statements, without
//! following pointers. A write through a pointer changes everything whose address is used for more
//! than an access; where that is more than a function can name, the proof is not accepted.

use super::certificate::{Certificate, Claim};
use super::check_rounds::trusting;
use super::cut::PointKind;
use super::formula::{Formula, Reading};
use super::old::with_old_values;
use super::variable::{Base, address_of, fixed, push};
use idiolect_base::{Budget, StopReason};
use idiolect_ir::callgraph::CallGraph;
use idiolect_ir::ctype::{CType, IntKind};
use idiolect_ir::{
    Block, BlockId, Builtin, Callee, ErrorKind, ExprId, ExprKind, FuncId, Function, Global,
    GlobalId, InputId, InputKind, InputSite, Local, LocalId, LocalKind, LocalStorage, Place,
    PrintfTarget, Program, Property, Stmt, StmtKind, Terminator, TerminatorKind, Ty, UnaryOp,
    verify,
};
use idiolect_symex::bmc::{BmcOutcome, Undecided, find_error};
use std::collections::BTreeSet;

/// Larger objects are not given any contents.
const MAX_SIZE: u64 = 1 << 12;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checked {
    Accepted,
    /// For this reason.
    Rejected(String),
    Stopped(StopReason),
}

/// Whether the claims prove that no run has an error or a fault.
pub fn check(
    program: &Program,
    certificate: &Certificate,
    properties: &[Property],
    budget: &Budget,
) -> Checked {
    let with_old;
    let program = if certificate.has_old_values {
        match with_old_values(program) {
            Some(changed) => {
                with_old = changed;
                &with_old
            }
            None => return Checked::Rejected("there are no old values".to_owned()),
        }
    } else {
        program
    };
    let annotated = match annotate(program, certificate, properties) {
        Ok(annotated) => annotated,
        Err(why) => return Checked::Rejected(why.to_owned()),
    };
    if let Err(malformed) = verify(&annotated) {
        return Checked::Rejected(format!("{malformed:?}"));
    }
    let mut properties = properties.to_vec();
    if !properties.contains(&Property::Assert) {
        properties.push(Property::Assert);
    }
    match find_error(&annotated, &properties, certificate.unwind.max(1), budget) {
        BmcOutcome::Proved { faults, .. } if faults.is_empty() => Checked::Accepted,
        BmcOutcome::Proved { .. } => Checked::Rejected("a fault is possible".to_owned()),
        BmcOutcome::Error { kind, .. } => Checked::Rejected(match kind {
            idiolect_symex::EndKind::Error(ErrorKind::Assert(text)) => text,
            kind => format!("{kind:?}"),
        }),
        BmcOutcome::NoErrorUpTo { .. } => {
            Checked::Rejected("a loop without a claim has no bound".to_owned())
        }
        BmcOutcome::Undecided(Undecided::Stopped(reason)) => Checked::Stopped(reason),
        BmcOutcome::Undecided(_) => Checked::Rejected("C that is not modelled".to_owned()),
    }
}

/// What code may change.
#[derive(Clone, Default)]
pub(super) struct Changes {
    registers: BTreeSet<LocalId>,
    objects: BTreeSet<Base>,
    /// Something through a pointer.
    is_wild: bool,
}

pub(super) struct Annotator<'p> {
    original: &'p Program,
    pub(super) program: Program,
    /// In how many loops a round goes on in which everything is taken to be right.
    pub(super) trusting: GlobalId,
    /// Blocks that were put in beside one of a loop.
    pub(super) doors: Vec<(FuncId, BlockId, BlockId)>,
    calls: CallGraph,
    /// Objects whose address is used for more than an access, locals with their function.
    escaping: BTreeSet<(Option<FuncId>, Base)>,
    anything: GlobalId,
}

pub(super) type Refusal = &'static str;

fn annotate(
    program: &Program,
    certificate: &Certificate,
    properties: &[Property],
) -> Result<Program, Refusal> {
    if idiolect_ir::checks::looks_at_bytes(program) {
        return Err("what a loop writes is not followed byte by byte");
    }
    let mut new = program.clone();
    if !properties.contains(&Property::Assert) {
        // Errors that nobody asked about end a run, as they do otherwise.
        for block in new.functions.iter_mut().flat_map(|f| &mut f.blocks) {
            if matches!(block.terminator.kind, TerminatorKind::Error(_)) {
                block.terminator.kind = TerminatorKind::Abort;
            }
        }
    }
    let byte = new.types.int(IntKind::UChar);
    new.globals.push(Global {
        name: "%any".to_owned(),
        ty: byte,
        size: MAX_SIZE,
        align: 16,
        bytes: Vec::new(),
        relocations: Vec::new(),
        read_only: false,
        is_unwritten: true,
        is_library: true,
        function: None,
        span: program.function(program.start).span,
    });
    let anything = GlobalId::new(new.globals.len() - 1);
    let trusting = trusting(&mut new);
    let mut annotator = Annotator {
        original: program,
        calls: CallGraph::new(program),
        escaping: escaping(program),
        program: new,
        trusting,
        doors: Vec::new(),
        anything,
    };
    annotator.loops(certificate)?;
    let mut bodies = Vec::new();
    for claim in certificate
        .claims
        .iter()
        .filter(|c| c.kind == PointKind::Entry)
    {
        let is_exit = |c: &&Claim| c.kind == PointKind::Exit && c.function == claim.function;
        let mut exits = certificate.claims.iter().filter(is_exit);
        let exit = exits.next().ok_or("a contract without an exit")?;
        let body = annotator.body(claim, exit)?;
        let contract = annotator.contract(claim, exit)?;
        bodies.push((claim.function, body, contract));
    }
    for &(function, _, contract) in &bodies {
        for (i, f) in annotator.program.functions.iter_mut().enumerate() {
            if bodies.iter().any(|b| b.1.index() == i) {
                continue;
            }
            for stmt in f.blocks.iter_mut().flat_map(|b| &mut b.stmts) {
                if let StmtKind::Call { callee, .. } = &mut stmt.kind
                    && *callee == Callee::Function(function)
                {
                    *callee = Callee::Function(contract);
                }
            }
        }
    }
    for &(_, body, _) in &bodies {
        annotator.also_start(body);
    }
    if certificate.rounds > 1 {
        annotator.trust_errors();
    }
    Ok(annotator.program)
}

/// Objects whose address is used for more than the place of an access.
fn escaping(program: &Program) -> BTreeSet<(Option<FuncId>, Base)> {
    let mut found = BTreeSet::new();
    for global in &program.globals {
        for relocation in &global.relocations {
            if let idiolect_ir::GlobalTarget::Global(to) = relocation.target {
                found.insert((None, Base::Global(to)));
            }
        }
    }
    for id in program.function_ids() {
        let function = program.function(id);
        let mut used = |e: ExprId| {
            for base in bases(function, e) {
                found.insert(match base {
                    Base::Global(_) => (None, base),
                    Base::Local(_) => (Some(id), base),
                });
            }
        };
        // A place's address is an access; what is inside it and everything else is a use.
        let mut visit = |root: ExprId, is_place: bool| {
            let mut todo = vec![(root, is_place)];
            while let Some((e, is_place)) = todo.pop() {
                let kind = &function.expr(e).kind;
                match *kind {
                    ExprKind::Load { address } => todo.push((address, true)),
                    ExprKind::PtrAdd { base, index, .. } if is_place => {
                        todo.push((base, true));
                        todo.push((index, false));
                    }
                    ExprKind::LocalAddress(_) | ExprKind::GlobalAddress(_) => {
                        if !is_place {
                            used(e);
                        }
                    }
                    _ => kind.for_each_operand(|inner| todo.push((inner, false))),
                }
            }
        };
        for block in &function.blocks {
            for stmt in &block.stmts {
                let place = written(&stmt.kind).and_then(|p| p.address());
                match &stmt.kind {
                    StmtKind::Copy { to, from, .. } => {
                        visit(*to, true);
                        visit(*from, true);
                    }
                    StmtKind::Zero { to, .. } => visit(*to, true),
                    kind => kind.for_each_expr(|e| visit(e, Some(e) == place)),
                }
            }
            if let Some(e) = block.terminator.kind.expr() {
                visit(e, false);
            }
        }
    }
    found
}

fn bases(function: &Function, e: ExprId) -> Vec<Base> {
    match function.expr(e).kind {
        ExprKind::LocalAddress(local) => vec![Base::Local(local)],
        ExprKind::GlobalAddress(global) => vec![Base::Global(global)],
        _ => Vec::new(),
    }
}

fn written(kind: &StmtKind) -> Option<Place> {
    match kind {
        StmtKind::Assign { place, .. } | StmtKind::Havoc { place, .. } => Some(*place),
        StmtKind::Call { dest, .. } => *dest,
        _ => None,
    }
}

/// The object that an address is in, however far from its start.
fn object_of(function: &Function, address: ExprId) -> Option<Base> {
    if let Some((base, _)) = fixed(function, address) {
        return Some(base);
    }
    match function.expr(address).kind {
        ExprKind::PtrAdd { base, .. } => object_of(function, base),
        ExprKind::LocalAddress(local) => Some(Base::Local(local)),
        ExprKind::GlobalAddress(global) => Some(Base::Global(global)),
        _ => None,
    }
}

/// The blocks from which control comes back to a head without passing it, the head included. Empty if
/// control can come to one of them without passing the head.
fn body_of(function: &Function, head: BlockId) -> Result<BTreeSet<BlockId>, Refusal> {
    // What is reached without the head is not dominated by it.
    let mut without = BTreeSet::new();
    let mut todo = vec![Function::ENTRY];
    while let Some(block) = todo.pop() {
        if block != head && without.insert(block) {
            todo.extend(function.block(block).terminator.kind.successors());
        }
    }
    let mut body = BTreeSet::from([head]);
    let mut todo: Vec<BlockId> = (function.block_ids())
        .filter(|&b| {
            let kind = &function.block(b).terminator.kind;
            !without.contains(&b) && kind.successors().any(|s| s == head)
        })
        .collect();
    while let Some(block) = todo.pop() {
        if body.insert(block) {
            for b in function.block_ids() {
                let kind = &function.block(b).terminator.kind;
                if kind.successors().any(|s| s == block) {
                    todo.push(b);
                }
            }
        }
    }
    if body.iter().any(|b| without.contains(b)) {
        return Err("a loop that is entered in several places");
    }
    Ok(body)
}

impl Annotator<'_> {
    /// What these blocks change, with all functions that they may call.
    fn changes(
        &self,
        id: FuncId,
        blocks: impl Iterator<Item = BlockId>,
    ) -> Result<Changes, Refusal> {
        let mut all = Changes::default();
        let function = self.original.function(id);
        let mut called = Vec::new();
        for block in blocks {
            for (index, stmt) in function.block(block).stmts.iter().enumerate() {
                self.statement(&mut all, id, &stmt.kind, true)?;
                called.extend(self.callees(id, block, index, &stmt.kind)?);
            }
        }
        let mut seen = BTreeSet::new();
        while let Some(callee) = called.pop() {
            if !seen.insert(callee) {
                continue;
            }
            let function = self.original.function(callee);
            for block in function.block_ids() {
                for (index, stmt) in function.block(block).stmts.iter().enumerate() {
                    self.statement(&mut all, callee, &stmt.kind, false)?;
                    called.extend(self.callees(callee, block, index, &stmt.kind)?);
                }
            }
        }
        if all.is_wild {
            for &(owner, base) in &self.escaping {
                match owner {
                    None => {
                        all.objects.insert(base);
                    }
                    Some(f) if f == id => {
                        all.objects.insert(base);
                    }
                    // A local of a function that is called and does not call back is gone at the head.
                    Some(f) if seen.contains(&f) && !seen.contains(&id) => {}
                    Some(_) => return Err("a write through a pointer to what cannot be named"),
                }
            }
            if self.has_heap() || seen.contains(&id) {
                return Err("a write through a pointer to what cannot be named");
            }
        }
        Ok(all)
    }

    fn has_heap(&self) -> bool {
        let mut all = self
            .original
            .function_ids()
            .filter(|&f| self.calls.is_reachable(f));
        all.any(|f| {
            let blocks = &self.original.function(f).blocks;
            blocks.iter().flat_map(|b| &b.stmts).any(|s| {
                let allocates = |callee: &Callee| {
                    matches!(
                        callee,
                        Callee::Builtin(
                            Builtin::Malloc | Builtin::Calloc | Builtin::Realloc | Builtin::Alloca
                        )
                    )
                };
                let is_dynamic = matches!(&s.kind, StmtKind::Declare { size: Some(_), .. });
                let is_call = |k: &StmtKind| match k {
                    StmtKind::Call { callee, .. } => allocates(callee),
                    _ => false,
                };
                is_dynamic || is_call(&s.kind)
            })
        })
    }

    fn callees(
        &self,
        id: FuncId,
        block: BlockId,
        index: usize,
        kind: &StmtKind,
    ) -> Result<Vec<FuncId>, Refusal> {
        match kind {
            StmtKind::Call {
                callee: Callee::Function(f),
                ..
            } => Ok(vec![*f]),
            StmtKind::Call {
                callee: Callee::Pointer { .. },
                ..
            } => {
                let mut sites = self.calls.sites(id).iter();
                let site = sites.find(|s| s.block == block && s.index == index);
                match site.map(|s| s.callees.clone()) {
                    Some(callees) if !callees.is_empty() => Ok(callees),
                    _ => Err("a call of nobody knows what"),
                }
            }
            _ => Ok(Vec::new()),
        }
    }

    /// What one statement changes; registers and locals count in the function of the loop alone.
    fn statement(
        &self,
        all: &mut Changes,
        id: FuncId,
        kind: &StmtKind,
        is_own: bool,
    ) -> Result<(), Refusal> {
        let function = self.original.function(id);
        let mut to = |address: ExprId| match object_of(function, address) {
            Some(base @ Base::Global(_)) => {
                all.objects.insert(base);
            }
            Some(base @ Base::Local(_)) => {
                if is_own {
                    all.objects.insert(base);
                }
            }
            None => all.is_wild = true,
        };
        match kind {
            StmtKind::Copy { to: address, .. } | StmtKind::Zero { to: address, .. } => to(*address),
            StmtKind::Declare { size: Some(_), .. } => {
                return Err("an array whose length depends on the run");
            }
            StmtKind::Declare { local, .. } | StmtKind::End { local } if is_own => {
                all.objects.insert(Base::Local(*local));
            }
            StmtKind::Call {
                callee: Callee::Builtin(builtin),
                args,
                ..
            } => match builtin {
                Builtin::Free | Builtin::Realloc => return Err("memory is freed in a loop"),
                Builtin::Host(_) => return Err("the system around the program is asked"),
                Builtin::Memmove | Builtin::Memset | Builtin::Forget => {
                    args.first().copied().into_iter().for_each(to)
                }
                Builtin::Printf(target) | Builtin::VPrintf(target) => {
                    if matches!(target, PrintfTarget::Buffer | PrintfTarget::BoundedBuffer) {
                        args.first().copied().into_iter().for_each(to);
                    }
                }
                Builtin::ParseDouble => args.get(1).copied().into_iter().for_each(to),
                Builtin::Malloc
                | Builtin::Calloc
                | Builtin::Alloca
                | Builtin::Putchar
                | Builtin::CheckOverlap
                | Builtin::CheckWritten
                | Builtin::CheckLeaks
                | Builtin::Truncate(_)
                | Builtin::Setjmp
                | Builtin::Longjmp
                | Builtin::Math(_) => {}
            },
            _ => {}
        }
        match written(kind) {
            Some(Place::Local(local)) if is_own => {
                all.registers.insert(local);
            }
            Some(Place::Local(_)) => {}
            Some(Place::Memory { address, .. } | Place::Bits { address, .. }) => {
                match object_of(function, address) {
                    Some(Base::Local(_)) if !is_own => {}
                    Some(base) => {
                        all.objects.insert(base);
                    }
                    None => all.is_wild = true,
                }
            }
            None => {}
        }
        Ok(())
    }

    pub(super) fn f(&mut self, id: FuncId) -> &mut Function {
        &mut self.program.functions[id.index()]
    }

    pub(super) fn add_block(
        &mut self,
        id: FuncId,
        stmts: Vec<StmtKind>,
        kind: TerminatorKind,
    ) -> BlockId {
        let function = self.f(id);
        let span = function.span;
        let stmts = stmts.into_iter().map(|kind| Stmt { kind, span }).collect();
        let terminator = Terminator { kind, span };
        function.blocks.push(Block { stmts, terminator });
        BlockId::new(function.blocks.len() - 1)
    }

    fn input(&mut self) -> InputId {
        // One of no scalar type is for places of all types.
        let ty = self.program.types.intern(CType::Void);
        let span = self.program.function(self.program.start).span;
        let kind = InputKind::Nondet("any".to_owned());
        self.program.inputs.push(InputSite { kind, ty, span });
        InputId::new(self.program.inputs.len() - 1)
    }

    /// The conjunction of a claim's formulas, as an expression of the function.
    pub(super) fn claimed(&mut self, id: FuncId, claim: &Claim) -> Result<ExprId, Refusal> {
        let width = self.program.types.model.pointer_width();
        let readings: Vec<Reading> = claim.variables.iter().map(|v| v.reading).collect();
        let function = self.f(id);
        let values: Vec<ExprId> = (claim.variables.iter())
            .map(|v| v.read(function, width))
            .collect();
        let all = Formula::All(claim.formulas.clone());
        all.expr(function, &values, &readings)
            .ok_or("a formula with numbers that are too large")
    }

    /// Blocks after which the claim holds: a run that violates it comes to an error.
    pub(super) fn asserting(
        &mut self,
        id: FuncId,
        claim: &Claim,
        what: &str,
        then: BlockId,
    ) -> Result<BlockId, Refusal> {
        let condition = self.claimed(id, claim)?;
        let kind = ErrorKind::Assert(what.to_owned());
        let error = self.add_block(id, Vec::new(), TerminatorKind::Error(kind));
        let branch = TerminatorKind::Branch {
            condition,
            then,
            otherwise: error,
        };
        Ok(self.add_block(id, Vec::new(), branch))
    }

    pub(super) fn anything_goes(
        &mut self,
        id: FuncId,
        changes: &Changes,
    ) -> Result<Vec<StmtKind>, Refusal> {
        let width = self.program.types.model.pointer_width();
        let mut stmts = Vec::new();
        for &local in &changes.registers {
            let (place, input) = (Place::Local(local), self.input());
            stmts.push(StmtKind::Havoc { place, input });
        }
        for &base in &changes.objects {
            let size = match base {
                Base::Global(global) => self.program.global(global).size,
                Base::Local(local) => match self.program.function(id).local(local).storage {
                    LocalStorage::Memory { size, .. } => size,
                    _ => return Err("an array whose length depends on the run"),
                },
            };
            if size > MAX_SIZE {
                return Err("a large object changes in a loop");
            }
            let anything = self.anything;
            let function = self.f(id);
            let to = address_of(function, base, 0, width);
            let from = push(function, ExprKind::GlobalAddress(anything), Ty::Ptr);
            stmts.push(StmtKind::Copy { to, from, size });
        }
        Ok(stmts)
    }

    pub(super) fn stop(&mut self, id: FuncId) -> BlockId {
        let condition = push(self.f(id), ExprKind::Const(0), Ty::BOOL);
        let stmts = vec![StmtKind::Assume { condition }];
        self.add_block(id, stmts, TerminatorKind::Abort)
    }

    /// Cuts every loop with a claim; one inside another comes first.
    fn loops(&mut self, certificate: &Certificate) -> Result<(), Refusal> {
        let mut all = Vec::new();
        for claim in &certificate.claims {
            let PointKind::Loop(head) = claim.kind else {
                continue;
            };
            let function = self.original.function(claim.function);
            if head == Function::ENTRY || head.index() >= function.blocks.len() {
                return Err("a claim where no loop begins");
            }
            let body = body_of(function, head)?;
            let changes = self.changes(claim.function, body.iter().copied())?;
            all.push((claim, head, body, changes));
        }
        all.sort_by_key(|l| l.2.len());
        for (claim, head, body, changes) in &all {
            if certificate.rounds > 1 {
                self.cut_rounds(claim, *head, body, changes, certificate.rounds)?;
            } else {
                self.cut(claim, *head, body, changes)?;
            }
        }
        Ok(())
    }

    fn cut(
        &mut self,
        claim: &Claim,
        head: BlockId,
        body: &BTreeSet<BlockId>,
        changes: &Changes,
    ) -> Result<(), Refusal> {
        let id = claim.function;
        let mut stmts = self.anything_goes(id, changes)?;
        let condition = self.claimed(id, claim)?;
        stmts.push(StmtKind::Assume { condition });
        let any = self.add_block(id, stmts, TerminatorKind::Goto(head));
        let first = self.asserting(id, claim, "the claim holds when the loop is entered", any)?;
        let stop = self.stop(id);
        let again = self.asserting(id, claim, "the claim holds after each round", stop)?;
        // Every edge to the head but the one from `any`; other claims' blocks lead to other heads.
        for i in 0..self.program.function(id).blocks.len() {
            let block = BlockId::new(i);
            if block == any {
                continue;
            }
            let to = if body.contains(&block) { again } else { first };
            match &mut self.f(id).blocks[i].terminator.kind {
                TerminatorKind::Goto(target) if *target == head => *target = to,
                TerminatorKind::Branch {
                    then, otherwise, ..
                } => {
                    for target in [then, otherwise] {
                        if *target == head {
                            *target = to;
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A function with registers for the parameters and the result of another, in this order.
    fn registers_of(&mut self, id: FuncId, name: &str, like: FuncId) -> Result<FuncId, Refusal> {
        let model = self.original.function(id).clone();
        let int = self.program.types.int(IntKind::Int);
        let mut new = self.original.function(like).clone();
        new.name = format!("{}%{name}", model.name);
        (new.params, new.locals) = (Vec::new(), Vec::new());
        (new.exprs, new.blocks) = (Vec::new(), Vec::new());
        (new.span, new.variadic) = (model.span, false);
        for &param in &model.params {
            if !matches!(
                model.local(param).storage,
                LocalStorage::Register(Ty::Int(_))
            ) {
                return Err("a contract about something that is no integer");
            }
            new.locals.push(model.local(param).clone());
        }
        if let Some(ty) = model.ret {
            new.locals.push(Local {
                name: "%result".to_owned(),
                ty: int,
                kind: LocalKind::Temporary,
                storage: LocalStorage::Register(ty),
                span: model.span,
                scope: model.span,
            });
        }
        self.program.functions.push(new);
        Ok(FuncId::new(self.program.functions.len() - 1))
    }

    /// What a call does: the claim at the entry has to hold, and that at the exit does.
    fn contract(&mut self, entry: &Claim, exit: &Claim) -> Result<FuncId, Refusal> {
        let id = entry.function;
        let model = self.original.function(id).clone();
        let blocks = model.block_ids();
        let mut changes = self.changes(id, blocks)?;
        // Its own activation is not there before the call, and gone after it.
        changes.registers.clear();
        changes.objects.retain(|b| matches!(b, Base::Global(_)));
        let new = self.registers_of(id, "contract", id)?;
        self.f(new).params = (0..model.params.len()).map(LocalId::new).collect();
        let result = LocalId::new(model.params.len());
        if model.ret.is_some() {
            changes.registers.insert(result);
        }
        // Block 0 is where it starts, and asks for the claim at the entry.
        self.add_block(new, Vec::new(), TerminatorKind::Abort);
        let mut stmts = self.anything_goes(new, &changes)?;
        let condition = self.claimed(new, exit)?;
        stmts.push(StmtKind::Assume { condition });
        let value = model
            .ret
            .map(|ty| push(self.f(new), ExprKind::Local(result), ty));
        let done = self.add_block(new, stmts, TerminatorKind::Return(value));
        let start = self.asserting(new, entry, "the claim holds at the entry", done)?;
        self.f(new).blocks[0].terminator.kind = TerminatorKind::Goto(start);
        Ok(new)
    }

    /// The function, called in any state in which its entry's claim holds.
    fn body(&mut self, entry: &Claim, exit: &Claim) -> Result<FuncId, Refusal> {
        let id = entry.function;
        let model = self.original.function(id).clone();
        let start = self.original.start;
        let new = self.registers_of(id, "body", start)?;
        let all = self.original.function(start).block_ids();
        let mut changes = self.changes(start, all)?;
        changes.objects.retain(|b| matches!(b, Base::Global(_)));
        changes.registers = (0..model.params.len()).map(LocalId::new).collect();
        let mut stmts = self.anything_goes(new, &changes)?;
        let condition = self.claimed(new, entry)?;
        stmts.push(StmtKind::Assume { condition });
        let mut args = Vec::new();
        for (i, &param) in model.params.iter().enumerate() {
            if let LocalStorage::Register(ty) = model.local(param).storage {
                args.push(push(self.f(new), ExprKind::Local(LocalId::new(i)), ty));
            }
        }
        let result = LocalId::new(model.params.len());
        let dest = model.ret.map(|_| Place::Local(result));
        let callee = Callee::Function(id);
        stmts.push(StmtKind::Call { dest, callee, args });
        let first = self.add_block(new, stmts, TerminatorKind::Abort);
        let stop = self.stop(new);
        let last = self.asserting(new, exit, "the claim holds at the exit", stop)?;
        self.f(new).blocks[first.index()].terminator.kind = TerminatorKind::Goto(last);
        Ok(new)
    }

    /// Runs begin here or where they began before.
    fn also_start(&mut self, other: FuncId) {
        let before = self.program.start;
        let mut new = self.original.function(self.original.start).clone();
        (new.locals, new.exprs, new.blocks) = (Vec::new(), Vec::new(), Vec::new());
        let int = self.program.types.int(IntKind::Int);
        new.locals.push(Local {
            name: "%which".to_owned(),
            ty: int,
            kind: LocalKind::Temporary,
            storage: LocalStorage::Register(Ty::BOOL),
            span: new.span,
            scope: new.span,
        });
        self.program.functions.push(new);
        let id = FuncId::new(self.program.functions.len() - 1);
        let which = LocalId::new(0);
        let condition = push(self.f(id), ExprKind::Local(which), Ty::BOOL);
        let not = ExprKind::Unary(UnaryOp::Not, condition);
        let condition = push(self.f(id), not, Ty::BOOL);
        let (place, input) = (Place::Local(which), self.input());
        let branch = TerminatorKind::Branch {
            condition,
            then: BlockId::new(1),
            otherwise: BlockId::new(2),
        };
        self.add_block(id, vec![StmtKind::Havoc { place, input }], branch);
        for callee in [before, other] {
            let call = StmtKind::Call {
                dest: None,
                callee: Callee::Function(callee),
                args: Vec::new(),
            };
            self.add_block(id, vec![call], TerminatorKind::Abort);
        }
        self.program.start = id;
    }
}
