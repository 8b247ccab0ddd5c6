//! How often a run goes round each loop: bounds that start from a found error hold it.

use idiolect_interp::{Observer, View};
use idiolect_ir::graph::{Cfg, LoopId, Loops};
use idiolect_ir::{BlockId, FuncId, FunctionOrigin, Program};
use idiolect_symex::UnwindSite;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Counts the rounds of each visit of a loop, and activations inside activations.
pub(crate) struct RoundCounter<'p> {
    program: &'p Program,
    loops: FxHashMap<FuncId, Loops>,
    /// Open activations.
    frames: Vec<Frame>,
    pub(crate) most: BTreeMap<UnwindSite, usize>,
}

struct Frame {
    function: FuncId,
    block: BlockId,
    stmt: u32,
    rounds: FxHashMap<LoopId, usize>,
}

impl<'p> RoundCounter<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        Self {
            program,
            loops: FxHashMap::default(),
            frames: Vec::new(),
            most: BTreeMap::new(),
        }
    }

    fn enter(&mut self, function: FuncId) {
        let is_own = |f: &&Frame| f.function == function;
        let depth = self.frames.iter().filter(is_own).count();
        if depth > 0 {
            let most = self
                .most
                .entry(UnwindSite::Recursion(function))
                .or_default();
            *most = depth.max(*most);
        }
        self.frames.push(Frame {
            function,
            block: BlockId(0),
            stmt: 0,
            rounds: FxHashMap::default(),
        });
    }

    fn go(&mut self, to: BlockId) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let function = frame.function;
        let program = self.program;
        let loops = (self.loops)
            .entry(function)
            .or_insert_with(|| Loops::new(&Cfg::new(program.function(function))));
        let Some(id) = loops.headed_by(to) else {
            return;
        };
        let rounds = frame.rounds.entry(id).or_default();
        if loops.get(id).contains(frame.block) {
            *rounds += 1;
            let site = UnwindSite::Loop { function, head: to };
            let most = self.most.entry(site).or_default();
            *most = (*rounds).max(*most);
        } else {
            *rounds = 0;
        }
    }
}

impl Observer for RoundCounter<'_> {
    const STATEMENTS: bool = true;

    fn before(&mut self, view: &View<'_>) -> ControlFlow<()> {
        let place = view.place();
        if self.program.function(place.function).origin != FunctionOrigin::User {
            return ControlFlow::Continue(());
        }
        let depth = view.depth();
        self.frames.truncate(depth + 1);
        while self.frames.len() <= depth {
            self.enter(place.function);
        }
        let same = self.frames.last().map(|f| (f.function, f.block, f.stmt));
        if let Some((function, block, stmt)) = same {
            if function != place.function {
                self.frames.pop();
                self.enter(place.function);
            }
            if block != place.block || (place.stmt == 0 && stmt > 0) {
                self.go(place.block);
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            (frame.block, frame.stmt) = (place.block, place.stmt);
        }
        ControlFlow::Continue(())
    }
}
