//! The word of a run: its events, as letters.

use crate::observe::{Observer, View};
use idiolect_ir::events::EventSite;
use idiolect_ir::{BlockId, FuncId, MarkId};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;

/// Writes down the letters of the events that have one.
pub struct Listener<'a, L> {
    letters: &'a FxHashMap<EventSite, L>,
    pub word: Vec<L>,
}

impl<'a, L> Listener<'a, L> {
    pub fn new(letters: &'a FxHashMap<EventSite, L>) -> Self {
        let word = Vec::new();
        Self { letters, word }
    }
}

impl<L: Copy> Listener<'_, L> {
    fn hear(&mut self, site: EventSite) -> ControlFlow<()> {
        self.word.extend(self.letters.get(&site).copied());
        ControlFlow::Continue(())
    }
}

impl<L: Copy> Observer for Listener<'_, L> {
    const DECISIONS: bool = true;
    const EVENTS: bool = true;

    fn decision(&mut self, function: FuncId, block: BlockId, outcome: bool) -> ControlFlow<()> {
        self.hear(EventSite::Decision {
            function,
            block,
            outcome,
        })
    }

    fn entered(&mut self, view: &View<'_>) -> ControlFlow<()> {
        self.hear(EventSite::Entry(view.function()))
    }

    fn marked(&mut self, _: &View<'_>, mark: MarkId) -> ControlFlow<()> {
        self.hear(EventSite::Mark(mark))
    }
}
