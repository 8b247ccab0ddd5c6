//! Is there a word that a pushdown automaton and a DFA both accept, and which is shortest?
//!
//! The product is never unfolded. A *fact* `(e, y)` says that a run which entered at the product
//! state `e` can be in `y` with the stack as high as at `e`, never having been lower, and carries
//! the least number of letters read on the way: a procedure summary (M. Sharir and A. Pnueli, *Two
//! approaches to interprocedural data flow analysis*, 1981), weighted. Rules:
//!
//! * `(e, e)` with length 0, as soon as some push leads to `e`;
//! * `(e, y)` and a move `y -[a]-> z` give `(e, z)`;
//! * `(e, x)`, a push of `c` from `x` to `f`, `(f, y)`, and a pop of `c` from `y` to `z` give
//!   `(e, z)`.
//!
//! One more entry stands for "whatever is below is never popped": from it a push is a plain move.
//! The first accepting fact there is the answer.
//!
//! Facts are taken in the order of their lengths, as in D. Knuth, *A generalization of Dijkstra's
//! algorithm*, 1977. An entry may be discovered late, when longer facts were already taken, and
//! starts again from 0. Lengths are least all the same: were a fact taken with more than its least
//! length, then along its least derivation some other fact, not taken yet, would have all its
//! premises taken, and be in the queue with a smaller length.

use crate::backward::Backward;
use crate::pda::{Pda, PdaError, StackSymbol};
use crate::{Dfa, Letter, StateId, Word};
use idiolect_base::Budget;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub(crate) struct Search<'a> {
    pda: &'a Pda,
    dfa: &'a Dfa,
    /// Moves by source state. A transition that pops and pushes is two moves with a state of its
    /// own in between, numbered from `pda.n_states()` on.
    moves: Vec<Moves>,
    /// From dead states of either side no common word is accepted, so they are not entered.
    pda_live: Vec<bool>,
    dfa_live: Vec<bool>,
    facts: Vec<Fact>,
    fact_of: FxHashMap<(Entry, Place), u32>,
    queue: BinaryHeap<Reverse<(u64, u32)>>,
    /// Whether a fact of the entry has been made.
    entered: rustc_hash::FxHashSet<Place>,
    callers: FxHashMap<(Place, StackSymbol), Vec<Caller>>,
    exits: FxHashMap<(Place, StackSymbol), Vec<Exit>>,
}

#[derive(Default)]
struct Moves {
    plain: Vec<(Option<Letter>, usize)>,
    push: Vec<(Option<Letter>, StackSymbol, usize)>,
    pop: Vec<(Option<Letter>, StackSymbol, usize)>,
}

/// A state of the product.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Place {
    pda: u32,
    dfa: StateId,
}

/// Where a level of the stack was entered; `None` is the level that is never left.
type Entry = Option<Place>;

struct Fact {
    entry: Entry,
    place: Place,
    length: u64,
    done: bool,
    why: Why,
}

#[derive(Clone, Copy)]
enum Why {
    Start,
    Move {
        before: u32,
        letter: Option<Letter>,
    },
    Call {
        before: u32,
        push: Option<Letter>,
        body: u32,
        pop: Option<Letter>,
    },
}

#[derive(Clone, Copy)]
struct Caller {
    fact: u32,
    letter: Option<Letter>,
}

#[derive(Clone, Copy)]
struct Exit {
    fact: u32,
    letter: Option<Letter>,
    to: Place,
}

impl<'a> Search<'a> {
    pub(crate) fn new(pda: &'a Pda, dfa: &'a Dfa) -> Self {
        let mut moves: Vec<Moves> = Vec::new();
        moves.resize_with(pda.n_states(), Moves::default);
        for t in pda.transitions() {
            let (from, to) = (t.from.index(), t.to.index());
            match (t.pop, t.push) {
                (None, None) => moves[from].plain.push((t.letter, to)),
                (None, Some(c)) => moves[from].push.push((t.letter, c, to)),
                (Some(b), None) => moves[from].pop.push((t.letter, b, to)),
                (Some(b), Some(c)) => {
                    let middle = moves.len();
                    moves[from].pop.push((t.letter, b, middle));
                    moves.push(Moves {
                        push: vec![(None, c, to)],
                        ..Moves::default()
                    });
                }
            }
        }
        let pda_live = live_states(pda, &moves);
        Self {
            pda,
            dfa,
            moves,
            pda_live,
            dfa_live: dfa.live_states(),
            facts: Vec::new(),
            fact_of: FxHashMap::default(),
            queue: BinaryHeap::new(),
            entered: Default::default(),
            callers: FxHashMap::default(),
            exits: FxHashMap::default(),
        }
    }

    pub(crate) fn run(mut self, budget: &Budget) -> Result<Option<Word>, PdaError> {
        let start = Place {
            pda: self.pda.initial().0,
            dfa: self.dfa.initial(),
        };
        if self.pda_live[start.pda as usize] && self.dfa_live[start.dfa.index()] {
            self.relax(None, start, 0, Why::Start);
        }
        while let Some(Reverse((length, id))) = self.queue.pop() {
            let fact = &mut self.facts[id as usize];
            if fact.done || fact.length != length {
                continue;
            }
            fact.done = true;
            budget.spend(1)?;
            let (entry, place) = (fact.entry, fact.place);
            if entry.is_none() && self.accepts(place) {
                return self.word(id).map(Some);
            }
            self.follow(id, entry, place, length);
        }
        Ok(None)
    }

    fn accepts(&self, place: Place) -> bool {
        (place.pda as usize) < self.pda.n_states()
            && self.pda.is_accepting(StateId(place.pda))
            && self.dfa.is_accepting(place.dfa)
    }

    /// The product state after a move, unless it is dead.
    fn step(&self, from: Place, letter: Option<Letter>, to: usize) -> Option<Place> {
        let dfa = letter.map_or(from.dfa, |a| self.dfa.step(from.dfa, a));
        (self.pda_live[to] && self.dfa_live[dfa.index()]).then_some(Place {
            pda: to as u32,
            dfa,
        })
    }

    fn relax(&mut self, entry: Entry, place: Place, length: u64, why: Why) {
        let fresh = self.facts.len() as u32;
        let id = *self.fact_of.entry((entry, place)).or_insert(fresh);
        if id == fresh {
            self.facts.push(Fact {
                entry,
                place,
                length,
                done: false,
                why,
            });
        } else {
            let fact = &mut self.facts[id as usize];
            if fact.done || fact.length <= length {
                return;
            }
            (fact.length, fact.why) = (length, why);
        }
        self.queue.push(Reverse((length, id)));
    }

    /// All that a fact whose length is settled brings.
    fn follow(&mut self, id: u32, entry: Entry, place: Place, length: u64) {
        let moves = std::mem::take(&mut self.moves[place.pda as usize]);
        for &(letter, to) in &moves.plain {
            if let Some(to) = self.step(place, letter, to) {
                let why = Why::Move { before: id, letter };
                self.relax(entry, to, length.saturating_add(cost(letter)), why);
            }
        }
        for &(letter, symbol, to) in &moves.push {
            let Some(body) = self.step(place, letter, to) else {
                continue;
            };
            if entry.is_none() {
                let why = Why::Move { before: id, letter };
                self.relax(None, body, length.saturating_add(cost(letter)), why);
            }
            if self.entered.insert(body) {
                self.relax(Some(body), body, 0, Why::Start);
            }
            let caller = Caller { fact: id, letter };
            let key = (body, symbol);
            self.callers.entry(key).or_default().push(caller);
            // No exit is added while the loop runs, so looking it up again each time is safe.
            let n_exits = self.exits.get(&key).map_or(0, Vec::len);
            for i in 0..n_exits {
                let exit = self.exits[&key][i];
                self.come_back(caller, exit);
            }
        }
        if let Some(body) = entry {
            for &(letter, symbol, to) in &moves.pop {
                let Some(to) = self.step(place, letter, to) else {
                    continue;
                };
                let exit = Exit {
                    fact: id,
                    letter,
                    to,
                };
                let key = (body, symbol);
                self.exits.entry(key).or_default().push(exit);
                let n_callers = self.callers.get(&key).map_or(0, Vec::len);
                for i in 0..n_callers {
                    let caller = self.callers[&key][i];
                    self.come_back(caller, exit);
                }
            }
        }
        self.moves[place.pda as usize] = moves;
    }

    fn come_back(&mut self, caller: Caller, exit: Exit) {
        let (before, body) = (
            &self.facts[caller.fact as usize],
            &self.facts[exit.fact as usize],
        );
        let length = (before.length)
            .saturating_add(body.length)
            .saturating_add(cost(caller.letter) + cost(exit.letter));
        let why = Why::Call {
            before: caller.fact,
            push: caller.letter,
            body: exit.fact,
            pop: exit.letter,
        };
        self.relax(before.entry, exit.to, length, why);
    }

    /// The word of a fact, from its derivation, from back to front and without recursion.
    fn word(&self, fact: u32) -> Result<Word, PdaError> {
        let length = self.facts[fact as usize].length;
        if length > Pda::MAX_WITNESS {
            return Err(PdaError::WitnessTooLong { length });
        }
        enum Todo {
            Fact(u32),
            Letter(Option<Letter>),
        }
        let mut word = Word::with_capacity(length as usize);
        let mut todo = vec![Todo::Fact(fact)];
        while let Some(next) = todo.pop() {
            match next {
                Todo::Letter(letter) => word.extend(letter),
                Todo::Fact(fact) => match self.facts[fact as usize].why {
                    Why::Start => {}
                    Why::Move { before, letter } => {
                        todo.extend([Todo::Fact(before), Todo::Letter(letter)]);
                    }
                    Why::Call {
                        before,
                        push,
                        body,
                        pop,
                    } => todo.extend([
                        Todo::Fact(before),
                        Todo::Letter(push),
                        Todo::Fact(body),
                        Todo::Letter(pop),
                    ]),
                },
            }
        }
        word.reverse();
        Ok(word)
    }
}

fn cost(letter: Option<Letter>) -> u64 {
    u64::from(letter.is_some())
}

/// The states from which an accepting one could be reached if the stack did not matter.
fn live_states(pda: &Pda, moves: &[Moves]) -> Vec<bool> {
    let edges = (moves.iter().enumerate()).flat_map(|(from, moves)| {
        let plain = moves.plain.iter().map(|m| m.1);
        let stack = moves.push.iter().chain(&moves.pop).map(|m| m.2);
        plain.chain(stack).map(move |to| (from, to))
    });
    let accepting = (0..moves.len())
        .map(|q| q < pda.n_states() && pda.is_accepting(StateId::new(q)))
        .collect();
    Backward::new(moves.len(), edges).closure(accepting)
}
