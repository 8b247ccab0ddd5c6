//! Loops by their lines, so that a user can name one.
//!
//! Lowering leaves blocks and no statements of loops, so a loop is known by the lines of its head and
//! of its back edges: for `while` and `for` these are the line of the keyword and of the condition,
//! for `do` the line of the condition and of the first statement inside. The line of the word `do`
//! is looked up in the source text.

use crate::graph::{Cfg, Loops};
use crate::locations::Location;
use crate::program::{FuncId, Program};
use crate::stmt::BlockId;
use idiolect_base::Place;
use std::collections::BTreeMap;

/// A loop, and where a reader sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopPlace {
    pub function: FuncId,
    /// One block, unless the loop is entered in several places.
    pub heads: Vec<BlockId>,
    /// Where it starts.
    pub start: Place,
    /// All the lines it is known by, in this file, ascending.
    pub lines: Vec<u32>,
}

/// The loops of a program that have a place in its source text, in the order of their functions,
/// outer before inner.
pub fn loop_places(program: &Program) -> Vec<LoopPlace> {
    let (mut list, mut texts) = (Vec::new(), Texts::new());
    for function in program.function_ids() {
        let body = program.function(function);
        if body.blocks.is_empty() {
            continue;
        }
        for own in Loops::new(&Cfg::new(body)).all() {
            let end_of = |block: BlockId| Location {
                function,
                block,
                index: body.block(block).stmts.len(),
            };
            let starts = own.heads.iter().map(|&b| Location::start_of(function, b));
            let ends = own.back_edges.iter().map(|&(from, _)| end_of(from));
            let places: Vec<Place> = (starts.chain(ends))
                .filter_map(|at| program.sources.place(at.span(program)))
                .collect();
            let Some(first) = places.iter().min_by_key(|p| (p.line, p.column)) else {
                continue;
            };
            let mut start = first.clone();
            let mut lines: Vec<u32> = (places.iter())
                .filter(|p| p.file == start.file)
                .map(|p| p.line)
                .collect();
            if let Some(line) = line_of_do(program, &mut texts, &start) {
                (start.line, start.column) = (line, 1);
                lines.push(line);
            }
            lines.sort_unstable();
            lines.dedup();
            list.push(LoopPlace {
                function,
                heads: own.heads.clone(),
                start,
                lines,
            });
        }
    }
    list
}

/// The lines of the files that loops are in.
type Texts = BTreeMap<String, Vec<String>>;

/// The line of a `do` that stands alone before what seems to be the start of a loop.
fn line_of_do(program: &Program, texts: &mut Texts, start: &Place) -> Option<u32> {
    if !texts.contains_key(&start.file) {
        let text = program.sources.original_text(&start.file);
        let lines = text
            .unwrap_or_default()
            .lines()
            .map(str::to_owned)
            .collect();
        texts.insert(start.file.clone(), lines);
    }
    let above = texts[&start.file].get(..start.line as usize - 1)?;
    let last = above.iter().rposition(|l| !l.trim().is_empty())?;
    let words = above[last].trim().trim_end_matches('{').trim_end();
    let is_do = words == "do" || words.ends_with(" do") || words.ends_with(":do");
    is_do.then_some(last as u32 + 1)
}
