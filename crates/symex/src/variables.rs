//! Which variable stands for which value that the program does not determine.
//!
//! A variable belongs to its place in the unrolled program: the calls that are open, the rounds of
//! the loops around, the statement, and how many it has drawn before. So an encoding with a larger
//! bound has the variables of a smaller one wherever it has the same code, and, since terms are
//! shared, the same terms there: a solver that knows them goes on with what it has learned.

use idiolect_ir::{BlockId, FuncId, Location};
use idiolect_smt::{TermId, Terms};
use rustc_hash::FxHashMap;

/// Open calls and rounds of loops, as one number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Context(u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Inside {
    Call(BlockId, usize, FuncId),
    Round(u32, u32),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Key {
    context: Context,
    block: BlockId,
    index: usize,
    nth: u32,
    width: u32,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Variables {
    contexts: FxHashMap<(Context, Inside), Context>,
    known: FxHashMap<Key, TermId>,
    unwind: Vec<TermId>,
}

impl Variables {
    pub(crate) fn inside(&mut self, outer: Context, what: Inside) -> Context {
        let new = Context(self.contexts.len() as u32 + 1);
        *self.contexts.entry((outer, what)).or_insert(new)
    }

    /// The variable number `nth` of a statement.
    pub(crate) fn at(
        &mut self,
        terms: &mut Terms,
        context: Context,
        place: Location,
        nth: u32,
        (name, width): (&str, u32),
    ) -> TermId {
        let key = Key {
            context,
            block: place.block,
            index: place.index,
            nth,
            width,
        };
        *self
            .known
            .entry(key)
            .or_insert_with(|| terms.bv_var(name, width))
    }

    /// The literals that allow the first `n` unwindings.
    pub(crate) fn unwind(&mut self, terms: &mut Terms, n: usize) -> Vec<TermId> {
        while self.unwind.len() < n {
            let name = format!("unwind[{}]", self.unwind.len());
            self.unwind.push(terms.bool_var(&name));
        }
        self.unwind[..n].to_vec()
    }
}
