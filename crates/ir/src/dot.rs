//! Control-flow graphs as pictures, in the DOT language of Graphviz.
//!
//! Blocks are boxes with their statements as the source has them, or as IR where there is no
//! source. Decisions are edges labelled 1 and 0. Heads of loops have a double border and say how
//! deep they are nested, back edges are dashed, error locations are red, traps orange, and blocks
//! that nothing leads to are gray.

use crate::graph::{Cfg, Loops};
use crate::locations::{Action, Edge, Location, edge_text};
use crate::program::{FuncId, Program};
use crate::stmt::{BlockId, TerminatorKind};
use crate::text::FunctionText;
use std::fmt::Write as _;

/// Lines are cut at this many characters.
const MAX_LINE: usize = 80;

/// The control-flow graph of one function of a well-formed program.
pub fn draw_function(program: &Program, id: FuncId) -> String {
    let function = program.function(id);
    let text = FunctionText::new(program, id);
    let cfg = Cfg::new(function);
    let loops = Loops::new(&cfg);
    let mut out = String::new();
    let _ = writeln!(out, "digraph {} {{", quoted(&function.name));
    out.push_str("  node [shape=box, fontname=\"monospace\"];\n");
    out.push_str("  edge [fontname=\"monospace\"];\n");
    for block in function.block_ids() {
        let label = block_label(program, &text, &loops, id, block);
        let mut attributes = format!("label={label}");
        match &function.block(block).terminator.kind {
            TerminatorKind::Error(_) => {
                attributes.push_str(", color=\"red\", fontcolor=\"red\"");
            }
            TerminatorKind::Trap(_) | TerminatorKind::Fault(_) => {
                attributes.push_str(", color=\"orange\"");
            }
            _ if !cfg.is_reachable(block) => attributes.push_str(", color=\"gray\""),
            _ => {}
        }
        if loops.headed_by(block).is_some() {
            attributes.push_str(", peripheries=2");
        }
        let _ = writeln!(out, "  b{} [{attributes}];", block.0);
    }
    for block in function.block_ids() {
        let terminator = &function.block(block).terminator.kind;
        let is_branch = matches!(terminator, TerminatorKind::Branch { .. });
        for (i, to) in terminator.successors().enumerate() {
            let mut attributes = Vec::new();
            if is_branch {
                attributes.push(format!("label=\"{}\"", 1 - i));
            }
            if loops.is_back_edge(block, to) {
                attributes.push("style=\"dashed\"".to_owned());
            }
            let _ = write!(out, "  b{} -> b{}", block.0, to.0);
            if !attributes.is_empty() {
                let _ = write!(out, " [{}]", attributes.join(", "));
            }
            out.push_str(";\n");
        }
    }
    out.push_str("}\n");
    out
}

fn block_label(
    program: &Program,
    text: &FunctionText<'_>,
    loops: &Loops,
    function: FuncId,
    block: BlockId,
) -> String {
    let body = program.function(function).block(block);
    let mut first = format!("b{}", block.0);
    if let Some(id) = loops.headed_by(block) {
        let found = loops.get(id);
        let several = if found.is_irreducible() {
            ", several entries"
        } else {
            ""
        };
        let _ = write!(first, " (loop, depth {}{several})", found.depth);
    }
    let mut lines = vec![first];
    let mut from = Location::start_of(function, block);
    for stmt in &body.stmts {
        let edge = Edge {
            from,
            to: from.next(),
            action: Action::Stmt(stmt),
        };
        let line = edge_text(text, &edge);
        // Several statements of one source line are shown once.
        if lines.last() != Some(&line) {
            lines.push(line);
        }
        from = from.next();
    }
    match body.terminator.kind {
        TerminatorKind::Goto(_) => {}
        TerminatorKind::Branch { condition, .. } => {
            let edge = Edge {
                from,
                to: from,
                action: Action::Decision {
                    condition,
                    outcome: true,
                },
            };
            lines.push(edge_text(text, &edge));
        }
        ref other => lines.push(text.terminator(other)),
    }
    let mut label = String::from("\"");
    for line in lines {
        escape_into(&mut label, &cut(&line));
        // Left-aligned, with a line break.
        label.push_str("\\l");
    }
    label.push('"');
    label
}

fn cut(line: &str) -> String {
    if line.chars().count() <= MAX_LINE {
        return line.to_owned();
    }
    let mut shown: String = line.chars().take(MAX_LINE - 1).collect();
    shown.push('…');
    shown
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    escape_into(&mut out, text);
    out.push('"');
    out
}

/// DOT reads `\l`, `\N` and the like in labels, so backslashes are doubled.
fn escape_into(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            _ if c.is_control() => out.push(' '),
            _ => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::any_program;
    use crate::text::parse;
    use proptest::prelude::*;

    #[test]
    fn a_loop_with_an_assertion() {
        let program = parse(
            r#"program lp64 start f entry f
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
  error assert "x == \"3\""
b4:
  return
}
"#,
        )
        .unwrap();
        insta::assert_snapshot!(draw_function(&program, FuncId(0)), @r#"
        digraph "f" {
          node [shape=box, fontname="monospace"];
          edge [fontname="monospace"];
          b0 [label="b0\lx := 0:i32\l"];
          b1 [label="b1 (loop, depth 1)\l[slt(x, 3:i32)]\l", peripheries=2];
          b2 [label="b2\lx := add.s(x, 1:i32)\l"];
          b3 [label="b3\lerror assert \"x == \\\"3\\\"\"\l", color="red", fontcolor="red"];
          b4 [label="b4\lreturn\l", color="gray"];
          b0 -> b1;
          b1 -> b2 [label="1"];
          b1 -> b3 [label="0"];
          b2 -> b1 [style="dashed"];
        }
        "#);
    }

    /// The length of the quoted string that the text starts with.
    fn quoted_length(text: &str) -> Option<usize> {
        let mut escaped = false;
        for (i, c) in text.char_indices().skip(1) {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => return Some(i + 1),
                '\n' => return None,
                _ => {}
            }
        }
        None
    }

    proptest! {
        /// Outside of quotes there is nothing but what we write ourselves.
        #[test]
        fn names_cannot_break_out_of_their_quotes(seed: u64) {
            let program = any_program(seed);
            for id in program.function_ids() {
                let picture = draw_function(&program, id);
                let mut rest = picture.as_str();
                let mut plain = String::new();
                while let Some(at) = rest.find('"') {
                    plain.push_str(&rest[..at]);
                    let length = quoted_length(&rest[at..]);
                    prop_assert!(length.is_some(), "{}", picture);
                    rest = &rest[at + length.unwrap_or(1)..];
                }
                plain.push_str(rest);
                let allowed = |c: char| c.is_ascii_alphanumeric() || " \n{}[]=->,;".contains(c);
                prop_assert!(plain.chars().all(allowed), "{}", plain);
            }
        }
    }
}
