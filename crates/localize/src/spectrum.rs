//! Which statements and lines runs come to, and how often.

use idiolect_base::Span;
use idiolect_interp::{Effect, Observer, View};
use idiolect_ir::{FuncId, FunctionOrigin, Location, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// How many runs come to a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineRuns {
    pub file: String,
    pub line: u32,
    pub failing: u32,
    pub passing: u32,
}

/// A line of the user's functions.
pub(crate) struct Line {
    pub(crate) runs: LineRuns,
    /// The run that is being counted comes to it.
    is_here: bool,
    /// Its first statement.
    pub(crate) at: Location,
    pub(crate) span: Span,
}

/// Which statements runs come to.
pub(crate) struct Spectrum {
    pub(crate) n_statements: usize,
    /// By function and block: the number of its first statement.
    pub(crate) first: Vec<Vec<usize>>,
    /// By statement: its line's number in `lines`, if it is the user's.
    line_of: Vec<Option<u32>>,
    pub(crate) lines: Vec<Line>,
    pub(crate) failing: Vec<u32>,
    pub(crate) passing: Vec<u32>,
    pub(crate) n_failing: u32,
    pub(crate) n_passing: u32,
}

/// The statements of one run: how often, and when last.
pub(crate) struct Covered<'a> {
    first: &'a [Vec<usize>],
    pub(crate) counts: Vec<u32>,
    pub(crate) last: Vec<u32>,
    now: u32,
    /// What a statement assigned when it was executed last.
    pub(crate) assigned: FxHashMap<usize, u128>,
}

pub(crate) fn number_of(first: &[Vec<usize>], at: Location) -> usize {
    first[at.function.index()][at.block.index()] + at.index
}

impl Observer for Covered<'_> {
    const STATEMENTS: bool = true;

    fn before(&mut self, view: &View<'_>) -> ControlFlow<()> {
        let place = view.place();
        let number = self.first[place.function.index()][place.block.index()] + place.stmt as usize;
        self.counts[number] += 1;
        self.now += 1;
        self.last[number] = self.now;
        ControlFlow::Continue(())
    }

    fn after(&mut self, view: &View<'_>, effect: &Effect) {
        let value = match effect {
            Effect::Assigned { value, .. } | Effect::Stored { value, .. } => value,
            Effect::Result(value) => value,
            Effect::None => return,
        };
        let place = view.place();
        let number = self.first[place.function.index()][place.block.index()] + place.stmt as usize;
        self.assigned.insert(number, value.bits);
    }
}

impl Spectrum {
    /// Of the statements, and of so many other things that runs may come to.
    pub(crate) fn new(program: &Program, n_others: usize) -> Self {
        let mut n = 0;
        let mut first = Vec::new();
        for function in &program.functions {
            let mut own = Vec::with_capacity(function.blocks.len());
            for block in &function.blocks {
                own.push(n);
                n += block.stmts.len() + 1;
            }
            first.push(own);
        }
        let (line_of, lines) = lines_of(program, n);
        Self {
            first,
            line_of,
            lines,
            n_statements: n,
            failing: vec![0; n + n_others],
            passing: vec![0; n + n_others],
            n_failing: 0,
            n_passing: 0,
        }
    }

    pub(crate) fn covered(&self) -> Covered<'_> {
        Covered {
            first: &self.first,
            counts: vec![0; self.failing.len()],
            last: vec![0; self.failing.len()],
            now: 0,
            assigned: FxHashMap::default(),
        }
    }

    pub(crate) fn add(&mut self, counts: &[u32], passes: bool) {
        let (list, n) = if passes {
            (&mut self.passing, &mut self.n_passing)
        } else {
            (&mut self.failing, &mut self.n_failing)
        };
        *n += 1;
        for (own, &count) in list.iter_mut().zip(counts) {
            *own += u32::from(count > 0);
        }
        for (line, _) in self.line_of.iter().zip(counts).filter(|(_, c)| **c > 0) {
            if let Some(line) = line {
                self.lines[*line as usize].is_here = true;
            }
        }
        for line in &mut self.lines {
            let n = u32::from(std::mem::take(&mut line.is_here));
            if passes {
                line.runs.passing += n
            } else {
                line.runs.failing += n
            }
        }
    }

    pub(crate) fn ochiai(&self, number: usize) -> f64 {
        self.ochiai_of(self.failing[number], self.passing[number])
    }

    pub(crate) fn part_of_failing(&self, failing: u32) -> f64 {
        f64::from(failing) / f64::from(self.n_failing.max(1))
    }

    pub(crate) fn ochiai_of(&self, failing: u32, passing: u32) -> f64 {
        let failing = f64::from(failing);
        let all = failing + f64::from(passing);
        let root = (f64::from(self.n_failing) * all).sqrt();
        if root > 0.0 { failing / root } else { 0.0 }
    }
}

/// The lines of the user's functions, in order, and by statement its line.
fn lines_of(program: &Program, n: usize) -> (Vec<Option<u32>>, Vec<Line>) {
    let mut at: Vec<Option<(String, u32)>> = Vec::with_capacity(n);
    let mut first: BTreeMap<(String, u32), (Location, Span)> = BTreeMap::new();
    for (number, function) in program.functions.iter().enumerate() {
        let is_own = function.origin == FunctionOrigin::User;
        for block in function.block_ids() {
            let body = function.block(block);
            let spans = body.stmts.iter().map(|s| s.span);
            for (index, span) in spans.chain([body.terminator.span]).enumerate() {
                let place = is_own.then(|| program.sources.place(span)).flatten();
                let place = place.map(|p| (p.file, p.line));
                if let Some(place) = &place {
                    let location = Location {
                        function: FuncId::new(number),
                        block,
                        index,
                    };
                    first.entry(place.clone()).or_insert((location, span));
                }
                at.push(place);
            }
        }
    }
    let all: Vec<&(String, u32)> = first.keys().collect();
    let number = |p: &(String, u32)| all.binary_search(&p).ok().map(|i| i as u32);
    let line_of = at.iter().map(|p| p.as_ref().and_then(number)).collect();
    let lines = first.into_iter().map(|((file, line), (at, span))| Line {
        runs: LineRuns {
            file,
            line,
            failing: 0,
            passing: 0,
        },
        is_here: false,
        at,
        span,
    });
    (line_of, lines.collect())
}
