//! Programs as graphs of locations with a statement on each edge, which is how papers see them:
//! a *trace* is the sequence of statements along a path.
//!
//! A location is a point before a statement or before the end of a block. Every statement is an
//! edge to the next location; `goto` and each outcome of a decision are edges between blocks. In
//! the terms of *Static fault localization for simple bugs* (2017, after R. Jhala, A. Podelski and
//! A. Rybalchenko): `Loc` is [`Location`], `δ` is [`edges`], an `assume` on an edge is
//! [`Action::Decision`], and `ℓ_err` is one of
//! [`error_locations`](crate::property::error_locations). We differ in that calls are statements
//! of their own and not edges into the callee; [`paths`](crate::paths) joins the functions.

use crate::expr::ExprId;
use crate::program::{FuncId, Function, Program};
use crate::stmt::{BlockId, Stmt, TerminatorKind};
use crate::text::FunctionText;
use idiolect_base::{Place, Span};
use std::fmt;

/// A point in a function: before statement `index` of the block, or, if that is the number of its
/// statements, before its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Location {
    pub function: FuncId,
    pub block: BlockId,
    pub index: usize,
}

impl Location {
    /// Where a block starts.
    pub fn start_of(function: FuncId, block: BlockId) -> Self {
        Self {
            function,
            block,
            index: 0,
        }
    }

    /// Where a function starts.
    pub fn entry(function: FuncId) -> Self {
        Self::start_of(function, Function::ENTRY)
    }

    /// The location after the statement here.
    #[must_use]
    pub fn next(self) -> Self {
        Self {
            index: self.index + 1,
            ..self
        }
    }

    /// The statement here, unless the block ends here.
    pub fn stmt(self, program: &Program) -> Option<&Stmt> {
        program
            .function(self.function)
            .block(self.block)
            .stmts
            .get(self.index)
    }

    /// The source text of what is done here: of the statement, or of how the block ends.
    pub fn span(self, program: &Program) -> Span {
        let block = program.function(self.function).block(self.block);
        block
            .stmts
            .get(self.index)
            .map_or(block.terminator.span, |s| s.span)
    }

    /// File, line and column of what is done here; those of the function if it has none itself.
    pub fn place(self, program: &Program) -> Option<Place> {
        let own = program.sources.place(self.span(program));
        own.or_else(|| program.sources.place(program.function(self.function).span))
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "f{} b{}.{}", self.function.0, self.block.0, self.index)
    }
}

/// What happens on an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action<'a> {
    Stmt(&'a Stmt),
    Goto,
    /// The condition was evaluated and this came out.
    Decision {
        condition: ExprId,
        outcome: bool,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge<'a> {
    pub from: Location,
    pub to: Location,
    pub action: Action<'a>,
}

/// The edges from a location: one for a statement or `goto`, two for a branch, outcome 1 first,
/// none where the block ends in another way.
pub fn edges_from(program: &Program, from: Location) -> impl Iterator<Item = Edge<'_>> {
    let block = program.function(from.function).block(from.block);
    let edge = move |to, action| Some(Edge { from, to, action });
    let target = |block| Location::start_of(from.function, block);
    let (first, second) = match (block.stmts.get(from.index), &block.terminator.kind) {
        (Some(stmt), _) => (edge(from.next(), Action::Stmt(stmt)), None),
        (None, &TerminatorKind::Goto(to)) => (edge(target(to), Action::Goto), None),
        (
            None,
            &TerminatorKind::Branch {
                condition,
                then,
                otherwise,
            },
        ) => {
            let decision = |outcome| Action::Decision { condition, outcome };
            (
                edge(target(then), decision(true)),
                edge(target(otherwise), decision(false)),
            )
        }
        (None, _) => (None, None),
    };
    first.into_iter().chain(second)
}

/// The locations of a function, block by block.
pub fn locations(program: &Program, function: FuncId) -> impl Iterator<Item = Location> + '_ {
    let body = program.function(function);
    body.block_ids().flat_map(move |block| {
        (0..=body.block(block).stmts.len()).map(move |index| Location {
            function,
            block,
            index,
        })
    })
}

/// All edges of a function, by location.
pub fn edges(program: &Program, function: FuncId) -> impl Iterator<Item = Edge<'_>> {
    locations(program, function).flat_map(move |from| edges_from(program, from))
}

/// An edge as a person would recognize it.
///
/// A statement whose source is on one line is shown as that line of the user's file, without
/// indentation; a longer one as its text, with runs of white space as one blank. A decision is
/// its condition in brackets, negated for outcome 0. What is in no source is shown as IR.
pub fn edge_text(text: &FunctionText<'_>, edge: &Edge<'_>) -> String {
    let sources = &text.program().sources;
    match edge.action {
        Action::Goto => "goto".into(),
        Action::Stmt(stmt) => {
            let slice = sources.slice(stmt.span);
            if slice.is_empty() {
                return text.stmt(&stmt.kind);
            }
            if !slice.contains('\n')
                && let Some(line) = sources.line_text(stmt.span)
            {
                return line.trim().to_owned();
            }
            flat(slice)
        }
        Action::Decision { condition, outcome } => {
            let mut shown = flat(sources.slice(text.function().expr(condition).span));
            if shown.is_empty() {
                shown = text.expr(condition);
            }
            if outcome {
                format!("[{shown}]")
            } else {
                format!("[!({shown})]")
            }
        }
    }
}

/// The text with runs of white space as one blank.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::any_program;
    use crate::text::parse;
    use proptest::prelude::*;

    const PROGRAM: &str = r#"program lp64 start f entry f
type t0 = int
type t1 = void
type t2 = fn() -> t1
fn f() : t2 synthetic {
  local x: t0 i32
b0:
  x := 0:i32
  goto b1
b1:
  branch slt(x, 3:i32) b2 b3
b2:
  x := add.s(x, 1:i32)
  goto b1
b3:
  return
}
"#;

    fn texts(program: &Program) -> Vec<String> {
        let text = FunctionText::new(program, FuncId(0));
        edges(program, FuncId(0))
            .map(|e| format!("{} -> {}: {}", e.from, e.to, edge_text(&text, &e)))
            .collect()
    }

    #[test]
    fn without_a_source_edges_show_the_program_itself() {
        assert_eq!(
            texts(&parse(PROGRAM).unwrap()),
            [
                "f0 b0.0 -> f0 b0.1: x := 0:i32",
                "f0 b0.1 -> f0 b1.0: goto",
                "f0 b1.0 -> f0 b2.0: [slt(x, 3:i32)]",
                "f0 b1.0 -> f0 b3.0: [!(slt(x, 3:i32))]",
                "f0 b2.0 -> f0 b2.1: x := add.s(x, 1:i32)",
                "f0 b2.1 -> f0 b1.0: goto",
            ]
        );
    }

    #[test]
    fn with_a_source_edges_show_what_the_user_wrote() {
        let mut program = parse(PROGRAM).unwrap();
        let text = "  int x = 0;\nwhile (x <\n  3)\n  x\n = x + 1;\n";
        let source = program.sources.add("f.c", text.into());
        program
            .sources
            .set_original("f.c", "  int x = ZERO;\nwhile (x <\n  3)\n  x\n = x + 1;\n");
        let span = |part: &str| {
            let at = text.find(part).unwrap();
            Span::new(source, at, at + part.len())
        };
        let f = &mut program.functions[0];
        f.blocks[0].stmts[0].span = span("x = 0");
        f.blocks[2].stmts[0].span = span("x\n = x + 1");
        let TerminatorKind::Branch { condition, .. } = f.blocks[1].terminator.kind else {
            unreachable!()
        };
        f.exprs[condition.index()].span = span("x <\n  3");
        f.blocks[1].terminator.span = span("while");
        assert_eq!(
            texts(&program),
            [
                "f0 b0.0 -> f0 b0.1: int x = ZERO;",
                "f0 b0.1 -> f0 b1.0: goto",
                "f0 b1.0 -> f0 b2.0: [x < 3]",
                "f0 b1.0 -> f0 b3.0: [!(x < 3)]",
                "f0 b2.0 -> f0 b2.1: x = x + 1",
                "f0 b2.1 -> f0 b1.0: goto",
            ]
        );
        let head = Location::start_of(FuncId(0), BlockId(1));
        assert_eq!(head.place(&program).unwrap().to_string(), "f.c:2:1");
    }

    proptest! {
        #[test]
        fn every_statement_and_decision_is_on_one_edge(seed: u64) {
            let program = any_program(seed);
            for id in program.function_ids() {
                let blocks = &program.function(id).blocks;
                let n_stmts: usize = blocks.iter().map(|b| b.stmts.len()).sum();
                let n_targets: usize =
                    blocks.iter().map(|b| b.terminator.kind.successors().count()).sum();
                prop_assert_eq!(edges(&program, id).count(), n_stmts + n_targets);
                let text = FunctionText::new(&program, id);
                for edge in edges(&program, id) {
                    prop_assert!(!edge_text(&text, &edge).is_empty());
                }
            }
        }
    }
}
