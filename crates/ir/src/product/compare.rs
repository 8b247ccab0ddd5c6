//! The function that runs both programs and compares what is seen of them.
//!
//! All parts are compared at once, so that there is one condition to refute. Only where they are not all the same,
//! the first part that differs is printed with its values, for whoever runs the combined program.

use super::edit::Editor;
use super::leaves::{Leaf, leaves};
use super::pointers::ELSEWHERE;
use super::{CALLED, DIFFERENT, EVENTS, MARK, PRINTED, Seen, Shared, variable};
use crate::ctype::{CType, IntKind, TypeId};
use crate::expr::{BinaryOp, ExprId, ExprKind, Ty};
use crate::program::{FuncId, Function, FunctionOrigin, GlobalId, Program};
use crate::property::FaultKind;
use crate::stmt::{
    BlockId, Builtin, Callee, ErrorKind, Place, PrintfTarget, StmtKind, TerminatorKind,
};
use idiolect_base::Span;

/// Something that is compared.
struct Part {
    same: ExprId,
    name: String,
    /// What to show of it.
    values: Option<[ExprId; 2]>,
    is_signed: bool,
}

/// A pointer that may point to memory of which nobody knows whether it is the same.
struct Loose {
    raw: [(GlobalId, u64); 2],
    class: (GlobalId, u64, Ty),
    to: Option<TypeId>,
}

struct Driver<'a> {
    edit: Editor<'a>,
    parts: Vec<Part>,
    loose: Vec<Loose>,
}

impl Driver<'_> {
    fn scalar(&mut self, places: [GlobalId; 2], leaf: &Leaf, name: String) {
        let bits = leaf.bits();
        let [a, b] = places.map(|global| self.edit.load(global, leaf.offset, bits));
        let same = self.edit.binary(BinaryOp::Eq, a, b, Ty::BOOL);
        let values = matches!(leaf.ty, Ty::Int(width) if width <= 64).then_some([a, b]);
        self.parts.push(Part {
            same,
            name,
            values,
            is_signed: leaf.is_signed,
        });
    }

    fn word(&mut self, places: [GlobalId; 2], ty: Ty, mask: u128, name: &str) {
        let mask = self.edit.constant(mask, ty);
        let [a, b] = places.map(|global| {
            let value = self.edit.load(global, 0, ty);
            self.edit.binary(BinaryOp::BitAnd, value, mask, ty)
        });
        let same = self.edit.binary(BinaryOp::Eq, a, b, Ty::BOOL);
        self.parts.push(Part {
            same,
            name: name.to_owned(),
            values: None,
            is_signed: false,
        });
    }

    fn all_of(&mut self, conditions: Vec<ExprId>, name: &str) {
        self.parts.extend(conditions.into_iter().map(|same| Part {
            same,
            name: name.to_owned(),
            values: None,
            is_signed: false,
        }));
    }

    /// Pointers are the same if they are equal or point to the same place of what both programs have.
    fn pointer(
        &mut self,
        raw: [(GlobalId, u64); 2],
        class: [GlobalId; 2],
        ty: Ty,
        to: Option<TypeId>,
        name: String,
    ) {
        let at = raw[0].1;
        let [a, b] = raw.map(|(global, at)| self.edit.load(global, at, Ty::Ptr));
        let is_equal = self.edit.binary(BinaryOp::Eq, a, b, Ty::BOOL);
        let [c, d] = class.map(|global| self.edit.load(global, at, ty));
        let same_place = self.edit.binary(BinaryOp::Eq, c, d, Ty::BOOL);
        let same = (self.edit).push(ExprKind::Or(is_equal, same_place), Ty::BOOL);
        self.parts.push(Part {
            same,
            name,
            values: None,
            is_signed: false,
        });
        let class = (class[0], at, ty);
        self.loose.push(Loose { raw, class, to });
    }

    fn collect(&mut self, shared: &Shared, seen: &Seen<'_>) {
        if seen.observed.result {
            self.word(shared.ended, Ty::Int(32), u32::MAX.into(), "how it ends");
            self.word(shared.status, Ty::Int(32), seen.mask.into(), "the status");
        }
        if let Some(returned) = &seen.returned {
            let name = "what is returned".to_owned();
            if let Some((raw, to)) = &returned.pointer {
                let raw = raw.map(|global| (global, 0));
                self.pointer(raw, returned.value, Ty::Int(64), Some(*to), name);
            } else if let Some((ty, is_signed)) = returned.ty.filter(|(ty, _)| *ty != Ty::F80) {
                let leaf = Leaf {
                    offset: 0,
                    ty,
                    is_signed,
                    name: String::new(),
                };
                self.scalar(returned.value, &leaf, name);
            }
            if let Some((kept, list)) = &returned.record {
                for leaf in list {
                    self.scalar(*kept, leaf, format!("what is returned, `{}`", leaf.name));
                }
            }
        }
        if seen.observed.stdout {
            let same = shared.outputs.same(&mut self.edit);
            self.all_of(same, PRINTED);
        }
        let same = shared.calls.same(&mut self.edit);
        self.all_of(same, CALLED);
        if seen.observed.has_words() {
            let same = shared.words.same(&mut self.edit);
            self.all_of(same, EVENTS);
        }
        for kept in &seen.behind {
            let name = format!("`{}`", kept.name);
            if kept.leaf.ty == Ty::Ptr {
                let raw = kept.after.map(|global| (global, kept.leaf.offset));
                let size = self.edit.size();
                self.pointer(raw, kept.class, size, None, name);
            } else {
                self.scalar(kept.after, &kept.leaf, name);
            }
        }
        for (places, leaf, name) in &seen.globals {
            self.scalar(*places, leaf, format!("`{name}`"));
        }
    }
}

/// Runs both, and compares.
pub fn driver(program: &mut Program, shared: &Shared, seen: &Seen<'_>) -> FuncId {
    let model = program.function(seen.starts[0]).clone();
    let mut function = Function {
        name: "%compare".to_owned(),
        origin: FunctionOrigin::Synthetic,
        params: Vec::new(),
        locals: Vec::new(),
        exprs: Vec::new(),
        blocks: Vec::new(),
        ..model
    };
    let pointer = program.types.model.pointer_width();
    let mut driver = Driver {
        edit: Editor::new(&mut function, pointer),
        parts: Vec::new(),
        loose: Vec::new(),
    };
    driver.collect(shared, seen);
    let Driver {
        mut edit,
        parts,
        loose,
    } = driver;
    let first = new_block(&mut edit);
    let error = new_block(&mut edit);
    let kind = ErrorKind::Assert(DIFFERENT.to_owned());
    edit.go(error, TerminatorKind::Error(kind));
    let good = new_block(&mut edit);
    let zero = edit.constant(0, Ty::Int(32));
    edit.go(good, TerminatorKind::Exit(zero));
    // Objects that are defined elsewhere have the same in them.
    for (places, leaf) in &seen.elsewhere {
        let value = edit.load(places[0], leaf.offset, leaf.ty);
        let copy = edit.store(places[1], leaf.offset, leaf.ty, value);
        edit.add(first, copy, Span::NOWHERE);
    }
    for start in seen.starts {
        let call = StmtKind::Call {
            dest: None,
            callee: Callee::Function(start),
            args: Vec::new(),
        };
        edit.add(first, call, Span::NOWHERE);
    }
    let mut all = edit.constant(1, Ty::BOOL);
    for part in &parts {
        all = edit.push(ExprKind::And(all, part.same), Ty::BOOL);
    }
    let say = new_block(&mut edit);
    let unsure = new_block(&mut edit);
    branch(&mut edit, first, all, unsure, say);
    let ways = Ways {
        good,
        error,
        bound: seen.bound,
    };
    chase(program, &mut edit, unsure, &ways, &loose);
    name_parts(program, &mut edit, say, error, &parts);
    program.functions.push(function);
    FuncId::new(program.functions.len() - 1)
}

/// Where the comparison goes on.
struct Ways {
    good: BlockId,
    error: BlockId,
    /// What cannot be compared.
    bound: u32,
}

fn new_block(edit: &mut Editor<'_>) -> BlockId {
    let end = edit.end(TerminatorKind::Fault(FaultKind::Unreachable), Span::NOWHERE);
    edit.block(Vec::new(), end)
}

fn branch(
    edit: &mut Editor<'_>,
    from: BlockId,
    condition: ExprId,
    then: BlockId,
    otherwise: BlockId,
) {
    let kind = TerminatorKind::Branch {
        condition,
        then,
        otherwise,
    };
    edit.go(from, kind);
}

/// Follows pointers to memory that is not the same object for both: texts are compared to their ends, other
/// things for their first element, and what is beyond that is a bound.
fn chase(
    program: &mut Program,
    edit: &mut Editor<'_>,
    mut at: BlockId,
    ways: &Ways,
    list: &[Loose],
) {
    for loose in list {
        let (class, offset, ty) = loose.class;
        let class = edit.load(class, offset, ty);
        let elsewhere = edit.constant(ELSEWHERE, ty);
        let is_elsewhere = edit.binary(BinaryOp::Eq, class, elsewhere, Ty::BOOL);
        let [a, b] = (loose.raw).map(|(global, at)| edit.load(global, at, Ty::Ptr));
        let differs = edit.binary(BinaryOp::Ne, a, b, Ty::BOOL);
        let follow = edit.push(ExprKind::And(is_elsewhere, differs), Ty::BOOL);
        let (inside, next) = (new_block(edit), new_block(edit));
        branch(edit, at, follow, inside, next);
        at = next;
        let is_text =
            (loose.to).is_some_and(|to| matches!(program.types.get(to), CType::Int(IntKind::Char)));
        if is_text {
            same_text(program, edit, inside, next, ways.error, [a, b]);
            continue;
        }
        let pointed = loose.to.and_then(|to| leaves(&program.types, to));
        let beyond = new_block(edit);
        edit.go(beyond, TerminatorKind::Trap(ways.bound));
        let Some(pointed) = pointed else {
            edit.go(inside, TerminatorKind::Goto(beyond));
            continue;
        };
        let mut all = edit.constant(1, Ty::BOOL);
        for leaf in pointed.iter().filter(|leaf| leaf.ty != Ty::Ptr) {
            let [a, b] = [a, b].map(|base| {
                let address = edit.offset(base, leaf.offset);
                edit.push(ExprKind::Load { address }, leaf.bits())
            });
            let same = edit.binary(BinaryOp::Eq, a, b, Ty::BOOL);
            all = edit.push(ExprKind::And(all, same), Ty::BOOL);
        }
        let say = new_block(edit);
        branch(edit, inside, all, beyond, say);
        print(
            program,
            edit,
            say,
            "what is behind the returned pointer",
            None,
            false,
        );
        edit.go(say, TerminatorKind::Goto(ways.error));
    }
    edit.go(at, TerminatorKind::Goto(ways.good));
}

/// Compares two texts, character by character.
fn same_text(
    program: &mut Program,
    edit: &mut Editor<'_>,
    from: BlockId,
    to: BlockId,
    error: BlockId,
    texts: [ExprId; 2],
) {
    let size = edit.size();
    let ty = program.types.int(IntKind::ULong);
    let index = edit.register("%index", ty, size);
    let zero = edit.constant(0, size);
    let start = StmtKind::Assign {
        place: Place::Local(index),
        value: zero,
    };
    edit.add(from, start, Span::NOWHERE);
    let head = new_block(edit);
    edit.go(from, TerminatorKind::Goto(head));
    let at = edit.push(ExprKind::Local(index), size);
    let [a, b] = texts.map(|base| {
        let kind = ExprKind::PtrAdd {
            base,
            index: at,
            scale: 1,
        };
        let address = edit.push(kind, Ty::Ptr);
        edit.push(ExprKind::Load { address }, Ty::Int(8))
    });
    let same = edit.binary(BinaryOp::Eq, a, b, Ty::BOOL);
    let (body, more, say) = (new_block(edit), new_block(edit), new_block(edit));
    branch(edit, head, same, body, say);
    print(program, edit, say, "the text that is returned", None, false);
    edit.go(say, TerminatorKind::Goto(error));
    let nul = edit.constant(0, Ty::Int(8));
    let is_over = edit.binary(BinaryOp::Eq, a, nul, Ty::BOOL);
    branch(edit, body, is_over, to, more);
    let one = edit.constant(1, size);
    let value = edit.binary(BinaryOp::Add { signed: false }, at, one, size);
    let step = StmtKind::Assign {
        place: Place::Local(index),
        value,
    };
    edit.add(more, step, Span::NOWHERE);
    edit.go(more, TerminatorKind::Goto(head));
}

/// Says which part differs first.
fn name_parts(
    program: &mut Program,
    edit: &mut Editor<'_>,
    mut at: BlockId,
    error: BlockId,
    parts: &[Part],
) {
    for part in parts {
        let (say, next) = (new_block(edit), new_block(edit));
        branch(edit, at, part.same, next, say);
        print(program, edit, say, &part.name, part.values, part.is_signed);
        edit.go(say, TerminatorKind::Goto(error));
        at = next;
    }
    edit.go(at, TerminatorKind::Goto(error));
}

/// Prints what differs, between marks.
fn print(
    program: &mut Program,
    edit: &mut Editor<'_>,
    block: BlockId,
    name: &str,
    values: Option<[ExprId; 2]>,
    is_signed: bool,
) {
    let number = match (values.is_some(), is_signed) {
        (false, _) => "",
        (true, true) => "%lld",
        (true, false) => "%llu",
    };
    let name = name.replace('%', "%%");
    let text = format!("{MARK}{name}{MARK}{number}{MARK}{number}{MARK}\0");
    let format = variable(
        program,
        &format!("%says {}", program.globals.len()),
        text.len() as u64,
    );
    let global = &mut program.globals[format.index()];
    global.bytes = text.into_bytes();
    global.read_only = true;
    let mut args = vec![edit.address(format, 0)];
    for value in values.into_iter().flatten() {
        args.push(edit.widen(value, Ty::Int(64), is_signed));
    }
    let call = StmtKind::Call {
        dest: None,
        callee: Callee::Builtin(Builtin::Printf(PrintfTarget::Stdout)),
        args,
    };
    edit.add(block, call, Span::NOWHERE);
}
