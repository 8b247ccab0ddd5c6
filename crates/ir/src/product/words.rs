//! The events of both programs, compared as they come.

use super::Letters;
use super::edit::Editor;
use super::tape::{Tape, Way};
use crate::events::EventSite;
use crate::expr::{ExprId, Ty};
use crate::program::{FuncId, Function, MarkId, Program};
use crate::property::FaultKind;
use crate::stmt::{BlockId, StmtKind, TerminatorKind};
use idiolect_base::Span;

/// What both programs do, in letters.
pub struct ProductWords {
    tape: Tape,
    /// By program, with the numbers that functions and marks have in the combined one.
    letters: [Letters; 2],
}

impl ProductWords {
    /// Functions and marks of the new program come after those of the old one.
    pub fn new(
        program: &mut Program,
        letters: &[Letters; 2],
        n_functions: usize,
        n_marks: usize,
    ) -> Self {
        let moved = |site: &EventSite| match *site {
            EventSite::Entry(f) => EventSite::Entry(FuncId::new(f.index() + n_functions)),
            EventSite::Decision {
                function,
                block,
                outcome,
            } => EventSite::Decision {
                function: FuncId::new(function.index() + n_functions),
                block,
                outcome,
            },
            EventSite::Mark(mark) => EventSite::Mark(MarkId::new(mark.index() + n_marks)),
        };
        let [old, new] = letters;
        let new = new.iter().map(|(site, &letter)| (moved(site), letter));
        Self {
            tape: Tape::new(program, "%word"),
            letters: [old.clone(), new.collect()],
        }
    }

    /// The words are the same.
    pub fn same(&self, edit: &mut Editor<'_>) -> Vec<ExprId> {
        self.tape.same(edit)
    }

    /// To be called before anything else changes the blocks of the function.
    pub fn instrument(&self, program: &mut Program, function: FuncId, side: usize, bound: u32) {
        let pointer = program.types.model.pointer_width();
        let mut body = Body {
            edit: Editor::new(&mut program.functions[function.index()], pointer),
            tape: &self.tape,
            letters: &self.letters[side],
            side,
            bound,
        };
        body.decisions(function);
        body.marks();
        body.entry(function);
    }
}

/// A function that gets to say what it does.
struct Body<'a> {
    edit: Editor<'a>,
    tape: &'a Tape,
    letters: &'a Letters,
    side: usize,
    bound: u32,
}

impl Body<'_> {
    fn put(&mut self, letter: u32, from: BlockId, to: BlockId, span: Span) {
        let way = Way {
            from,
            to,
            side: self.side,
            bound: self.bound,
            span,
        };
        let value = self.edit.constant(letter.into(), Ty::Int(64));
        self.tape.put(&mut self.edit, &way, value);
    }

    /// A block that says a letter and goes on to another one.
    fn saying(&mut self, letter: u32, to: BlockId, span: Span) -> BlockId {
        let open = TerminatorKind::Fault(FaultKind::Unreachable);
        let end = self.edit.end(open, span);
        let block = self.edit.block(Vec::new(), end);
        self.put(letter, block, to, span);
        block
    }

    fn decisions(&mut self, function: FuncId) {
        for number in 0..self.edit.function.blocks.len() {
            let block = BlockId::new(number);
            let terminator = &self.edit.function.blocks[number].terminator;
            let span = terminator.span;
            let TerminatorKind::Branch {
                condition,
                then,
                otherwise,
            } = terminator.kind
            else {
                continue;
            };
            let [then, otherwise] = [(true, then), (false, otherwise)].map(|(outcome, to)| {
                let site = EventSite::Decision {
                    function,
                    block,
                    outcome,
                };
                match self.letters.get(&site) {
                    Some(&letter) => self.saying(letter, to, span),
                    None => to,
                }
            });
            let kind = TerminatorKind::Branch {
                condition,
                then,
                otherwise,
            };
            self.edit.go(block, kind);
        }
    }

    fn marks(&mut self) {
        let mut number = 0;
        while number < self.edit.function.blocks.len() {
            let block = BlockId::new(number);
            number += 1;
            let stmts = self.edit.function.blocks[block.index()].stmts.iter();
            let found = stmts.enumerate().find_map(|(index, stmt)| match stmt.kind {
                StmtKind::Mark { mark, condition } => {
                    let letter = self.letters.get(&EventSite::Mark(mark))?;
                    Some((index, *letter, condition, stmt.span))
                }
                _ => None,
            });
            let Some((index, letter, condition, span)) = found else {
                continue;
            };
            // What comes after the mark is a block of its own, and is looked at when it is its turn.
            let rest = self.edit.split(block, index + 1);
            let Some(condition) = condition else {
                self.put(letter, block, rest, span);
                continue;
            };
            let says = self.saying(letter, rest, span);
            let kind = TerminatorKind::Branch {
                condition,
                then: says,
                otherwise: rest,
            };
            self.edit.go(block, kind);
        }
    }

    fn entry(&mut self, function: FuncId) {
        let Some(&letter) = self.letters.get(&EventSite::Entry(function)) else {
            return;
        };
        let span = self.edit.function.span;
        let rest = self.edit.split(Function::ENTRY, 0);
        // Who goes back to the first block does not enter the function again.
        for block in &mut self.edit.function.blocks {
            let to = |target: &mut BlockId| {
                if *target == Function::ENTRY {
                    *target = rest;
                }
            };
            match &mut block.terminator.kind {
                TerminatorKind::Goto(target) => to(target),
                TerminatorKind::Branch {
                    then, otherwise, ..
                } => {
                    to(then);
                    to(otherwise);
                }
                _ => {}
            }
        }
        self.put(letter, Function::ENTRY, rest, span);
    }
}
