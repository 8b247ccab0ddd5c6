//! What both programs print, compared as it comes.
//!
//! A format and the values that it shows are words, one after the other. A text that the program has is its
//! fingerprint; where some text is computed, all texts that `%s` shows are compared character by character.

use super::edit::Editor;
use super::tape::{Tape, Way};
use super::variable;
use crate::ctype::{IntKind, TypeId};
use crate::expr::{BinaryOp, ExprId, ExprKind, Ty};
use crate::program::{FuncId, Function, GlobalId, Program};
use crate::property::FaultKind;
use crate::stmt::{BlockId, Builtin, Callee, Place, PrintfTarget, Stmt, StmtKind, TerminatorKind};

/// What both programs print.
pub struct Log {
    tape: Tape,
    /// Where a float becomes its bits.
    bits: GlobalId,
    texts: Texts,
    /// The types of an index and a text.
    types: [TypeId; 2],
}

/// How texts are compared that `%s` shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Texts {
    Whole,
    ByCharacter,
}

impl Texts {
    /// By what they say, unless one of the programs computes some.
    pub fn of(programs: [&Program; 2]) -> Self {
        let computes = |program: &Program| {
            program.functions.iter().any(|f| {
                let stmts = f.blocks.iter().flat_map(|b| &b.stmts);
                stmts.into_iter().any(|stmt| has_computed(program, f, stmt))
            })
        };
        if programs.into_iter().any(computes) {
            Self::ByCharacter
        } else {
            Self::Whole
        }
    }
}

/// Whether `%s` shows a text that is none of the program's own.
fn has_computed(program: &Program, function: &Function, stmt: &Stmt) -> bool {
    let Some(printed) = printed(&stmt.kind) else {
        return false;
    };
    let shown = conversions(function, &printed, &program.globals);
    let is_known = |value: ExprId| is_own_text(function, value, &program.globals);
    shown
        .iter()
        .any(|(value, conversion)| matches!(conversion, Conversion::Text(_)) && !is_known(*value))
}

fn is_own_text(function: &Function, value: ExprId, globals: &[crate::program::Global]) -> bool {
    match function.expr(value).kind {
        ExprKind::GlobalAddress(g) => globals[g.index()].read_only,
        ExprKind::Select {
            then, otherwise, ..
        } => is_own_text(function, then, globals) && is_own_text(function, otherwise, globals),
        _ => false,
    }
}

/// What becomes of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Conversion {
    /// `%s`, with what follows the point.
    Text(Precision),
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Precision {
    None,
    Constant(u64),
    Argument(ExprId),
}

/// The arguments of a call that prints, and what becomes of each. Of a format that is not known, nothing is.
fn conversions(
    function: &Function,
    printed: &Printed,
    globals: &[crate::program::Global],
) -> Vec<(ExprId, Conversion)> {
    let args = &printed.args;
    let plain = || args.iter().map(|&a| (a, Conversion::Other)).collect();
    let format = args.first().and_then(|&a| match function.expr(a).kind {
        ExprKind::GlobalAddress(g) => Some(&globals[g.index()]),
        _ => None,
    });
    let Some(format) = format.filter(|g| g.read_only && printed.has_format) else {
        return plain();
    };
    let mut list = vec![(args[0], Conversion::Other)];
    let mut rest = args[1..].iter().copied();
    let mut bytes = format.bytes.iter().copied().take_while(|&b| b != 0);
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            continue;
        }
        let mut precision = Precision::None;
        let mut has_point = false;
        for byte in bytes.by_ref() {
            match byte {
                b'%' => break,
                b'.' => {
                    has_point = true;
                    precision = Precision::Constant(0);
                }
                b'*' => {
                    let Some(value) = rest.next() else {
                        return plain();
                    };
                    list.push((value, Conversion::Other));
                    if has_point {
                        precision = Precision::Argument(value);
                    }
                }
                b'0'..=b'9' if has_point => {
                    if let Precision::Constant(n) = precision {
                        let digit = u64::from(byte - b'0');
                        precision = Precision::Constant(n.saturating_mul(10) + digit);
                    }
                }
                b'0'..=b'9' | b'-' | b'+' | b' ' | b'#' | b'\'' => {}
                b'h' | b'l' | b'L' | b'j' | b'z' | b't' | b'q' => {}
                conversion => {
                    let Some(value) = rest.next() else {
                        return plain();
                    };
                    list.push(match conversion {
                        b's' => (value, Conversion::Text(precision)),
                        _ => (value, Conversion::Other),
                    });
                    break;
                }
            }
        }
    }
    match rest.next() {
        None => list,
        Some(_) => plain(),
    }
}

impl Log {
    pub fn new(program: &mut Program, texts: Texts) -> Self {
        let char_ = program.types.int(IntKind::Char);
        let types = [
            program.types.int(IntKind::ULong),
            program.types.pointer_to(char_),
        ];
        Self {
            texts,
            types,
            tape: Tape::new(program, "%printed"),
            bits: variable(program, "%bits", 16),
        }
    }

    /// Nothing else was printed, and as much.
    pub fn same(&self, edit: &mut Editor<'_>) -> Vec<ExprId> {
        self.tape.same(edit)
    }

    /// False if something that is printed cannot be compared.
    pub fn instrument(
        &self,
        program: &mut Program,
        function: FuncId,
        side: usize,
        bound: u32,
    ) -> bool {
        let pointer = program.types.model.pointer_width();
        let texts: Vec<Option<u64>> = (program.globals.iter())
            .map(|g| g.read_only.then(|| fingerprint(&g.bytes)))
            .collect();
        let globals = &program.globals;
        let body = &mut program.functions[function.index()];
        let mut edit = Editor::new(body, pointer);
        let mut block = 0;
        let mut done: Vec<(usize, usize)> = Vec::new();
        let mut sees_all = true;
        while block < edit.function.blocks.len() {
            let id = BlockId::new(block);
            let own = &edit.function.blocks[block];
            let found = own
                .stmts
                .iter()
                .enumerate()
                .position(|(i, s)| !done.contains(&(block, i)) && printed(&s.kind).is_some());
            let Some(index) = found else {
                block += 1;
                continue;
            };
            let stmt = own.stmts[index].clone();
            let Some(values) = printed(&stmt.kind) else {
                block += 1;
                continue;
            };
            // Each value in a block of its own, in front of the call.
            let rest = edit.split(id, index);
            done.push((rest.index(), 0));
            let mut at = id;
            for (value, conversion) in conversions(edit.function, &values, globals) {
                let next = edit.block(
                    Vec::new(),
                    crate::stmt::Terminator {
                        kind: TerminatorKind::Fault(FaultKind::Unreachable),
                        span: stmt.span,
                    },
                );
                if let (Texts::ByCharacter, Conversion::Text(precision)) = (self.texts, conversion)
                    && edit.function.expr(value).ty == Ty::Ptr
                {
                    let way = Way {
                        from: at,
                        to: next,
                        side,
                        bound,
                        span: stmt.span,
                    };
                    self.put_text(&mut edit, &way, value, precision);
                    at = next;
                    continue;
                }
                let word = match edit.function.expr(value).ty {
                    Ty::F64 => {
                        let keep = edit.store(self.bits, 0, Ty::F64, value);
                        edit.add(at, keep, stmt.span);
                        Some(edit.load(self.bits, 0, Ty::Int(64)))
                    }
                    _ => known(&mut edit, value, &texts),
                };
                let Some(value) = word else {
                    sees_all = false;
                    edit.go(at, TerminatorKind::Goto(next));
                    at = next;
                    continue;
                };
                let way = Way {
                    from: at,
                    to: next,
                    side,
                    bound,
                    span: stmt.span,
                };
                self.tape.put(&mut edit, &way, value);
                at = next;
            }
            edit.go(at, TerminatorKind::Goto(rest));
            block += 1;
        }
        sees_all
    }

    /// Each character, and the end.
    fn put_text(&self, edit: &mut Editor<'_>, way: &Way, text: ExprId, precision: Precision) {
        let span = way.span;
        let size = edit.size();
        let index = edit.register("%index", self.types[0], size);
        let start = edit.register("%text", self.types[1], Ty::Ptr);
        let zero = edit.constant(0, size);
        for (local, value) in [(start, text), (index, zero)] {
            let place = Place::Local(local);
            edit.add(way.from, StmtKind::Assign { place, value }, span);
        }
        let new_block = |edit: &mut Editor<'_>| {
            let end = edit.end(TerminatorKind::Fault(FaultKind::Unreachable), span);
            edit.block(Vec::new(), end)
        };
        let [head, body, shown, more] = [(); 4].map(|()| new_block(edit));
        edit.go(way.from, TerminatorKind::Goto(head));
        let at = edit.push(ExprKind::Local(index), size);
        let limit = match precision {
            Precision::None => None,
            Precision::Constant(n) => Some(edit.constant(n.into(), size)),
            // A negative one is none.
            Precision::Argument(value) => Some(edit.widen(value, size, true)),
        };
        match limit {
            None => edit.go(head, TerminatorKind::Goto(body)),
            Some(limit) => {
                let over = new_block(edit);
                let condition = edit.binary(BinaryOp::ULt, at, limit, Ty::BOOL);
                let kind = TerminatorKind::Branch {
                    condition,
                    then: body,
                    otherwise: over,
                };
                edit.go(head, kind);
                let nul = edit.constant(0, Ty::Int(64));
                self.tape.put(edit, &Way { from: over, ..*way }, nul);
            }
        }
        let base = edit.push(ExprKind::Local(start), Ty::Ptr);
        let kind = ExprKind::PtrAdd {
            base,
            index: at,
            scale: 1,
        };
        let address = edit.push(kind, Ty::Ptr);
        let char_ = edit.push(ExprKind::Load { address }, Ty::Int(8));
        let word = edit.widen(char_, Ty::Int(64), false);
        let shows = Way {
            from: body,
            to: shown,
            ..*way
        };
        self.tape.put(edit, &shows, word);
        let nul = edit.constant(0, Ty::Int(8));
        let condition = edit.binary(BinaryOp::Eq, char_, nul, Ty::BOOL);
        let kind = TerminatorKind::Branch {
            condition,
            then: way.to,
            otherwise: more,
        };
        edit.go(shown, kind);
        let one = edit.constant(1, size);
        let value = edit.binary(BinaryOp::Add { signed: false }, at, one, size);
        let place = Place::Local(index);
        edit.add(more, StmtKind::Assign { place, value }, span);
        edit.go(more, TerminatorKind::Goto(head));
    }
}

/// What a statement prints.
struct Printed {
    args: Vec<ExprId>,
    /// The first one is a format, and the others are what it shows.
    has_format: bool,
}

fn printed(stmt: &StmtKind) -> Option<Printed> {
    let StmtKind::Call {
        callee: Callee::Builtin(builtin),
        args,
        ..
    } = stmt
    else {
        return None;
    };
    let has_format = match builtin {
        Builtin::Printf(PrintfTarget::Stdout) => true,
        Builtin::VPrintf(PrintfTarget::Stdout) | Builtin::Putchar => false,
        _ => return None,
    };
    Some(Printed {
        args: args.clone(),
        has_format,
    })
}

/// A value as a word that can be compared: texts of the program by what they say, other pointers not at all.
fn known(edit: &mut Editor<'_>, value: ExprId, texts: &[Option<u64>]) -> Option<ExprId> {
    let expr = edit.function.expr(value).clone();
    let word = Ty::Int(64);
    Some(match (expr.ty, expr.kind) {
        (Ty::Ptr, ExprKind::GlobalAddress(g)) => {
            let text = (*texts.get(g.index())?)?;
            edit.constant(text.into(), word)
        }
        (
            Ty::Ptr,
            ExprKind::Select {
                condition,
                then,
                otherwise,
            },
        ) => {
            let then = known(edit, then, texts)?;
            let otherwise = known(edit, otherwise, texts)?;
            let kind = ExprKind::Select {
                condition,
                then,
                otherwise,
            };
            edit.push(kind, word)
        }
        (Ty::Int(64), _) => value,
        (Ty::Int(width), _) if width < 64 => edit.push(
            ExprKind::Convert(crate::expr::ConvertOp::SignExtend, value),
            word,
        ),
        _ => return None,
    })
}

pub(super) fn fingerprint(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for byte in bytes {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}
