//! Which outcomes of decisions runs have come to, and how often in one run.

use idiolect_interp::Observer;
use idiolect_ir::{BlockId, FuncId, Program};
use std::ops::ControlFlow;

/// Decisions of a run that are kept; those behind them still count as seen.
const MAX_KEPT: usize = 600;

/// A set of outcomes, each with the orders of magnitude in which runs came to it.
pub(super) struct Coverage {
    /// Where the outcomes of a function begin.
    first: Vec<u32>,
    /// By outcome: a bit for 1 to 8 times each, and for each range beyond, see [`magnitude`].
    seen: Vec<u16>,
    /// Of the present run.
    counts: Vec<u8>,
    touched: Vec<u32>,
}

impl Coverage {
    pub(super) fn new(program: &Program) -> Self {
        let mut first = Vec::new();
        let mut n = 0;
        for function in &program.functions {
            first.push(n as u32);
            n += 2 * function.blocks.len();
        }
        Self {
            first,
            seen: vec![0; n],
            counts: vec![0; n],
            touched: Vec::new(),
        }
    }

    fn index(&self, function: FuncId, block: BlockId, taken: bool) -> usize {
        self.first[function.index()] as usize + 2 * block.index() + usize::from(taken)
    }

    /// Whether some run came to this outcome.
    pub(super) fn has_seen(&self, function: FuncId, block: BlockId, taken: bool) -> bool {
        self.seen[self.index(function, block, taken)] != 0
    }

    /// Takes the present run into account: what it came to that no other did, outcomes counting for more
    /// than how often.
    pub(super) fn take(&mut self) -> News {
        let mut news = News::default();
        for &index in &self.touched {
            let at = index as usize;
            let bit = 1u16 << magnitude(self.counts[at]);
            news.outcomes += u32::from(self.seen[at] == 0);
            news.counts += u32::from(self.seen[at] & bit == 0);
            self.seen[at] |= bit;
            self.counts[at] = 0;
        }
        self.touched.clear();
        news
    }

    pub(super) fn n_outcomes(&self) -> usize {
        self.seen.iter().filter(|&&s| s != 0).count()
    }
}

/// How much a run added.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct News {
    pub(super) outcomes: u32,
    pub(super) counts: u32,
}

/// Small numbers are told apart: a round more of a loop that compares two texts is a letter more.
fn magnitude(count: u8) -> u32 {
    match count {
        0..=8 => u32::from(count.saturating_sub(1)),
        9..=12 => 8,
        13..=16 => 9,
        17..=24 => 10,
        25..=32 => 11,
        33..=64 => 12,
        65..=128 => 13,
        129..=254 => 14,
        255 => 15,
    }
}

/// Watches one run.
pub(super) struct Watch<'a> {
    pub(super) coverage: &'a mut Coverage,
    pub(super) decisions: Vec<(FuncId, BlockId, bool)>,
}

impl Observer for Watch<'_> {
    const DECISIONS: bool = true;

    fn decision(&mut self, function: FuncId, block: BlockId, taken: bool) -> ControlFlow<()> {
        let index = self.coverage.index(function, block, taken);
        let count = &mut self.coverage.counts[index];
        if *count == 0 {
            self.coverage.touched.push(index as u32);
        }
        *count = count.saturating_add(1);
        if self.decisions.len() < MAX_KEPT {
            self.decisions.push((function, block, taken));
        }
        ControlFlow::Continue(())
    }
}
