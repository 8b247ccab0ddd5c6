//! What a child of `fork` has from its parent.
//!
//! A process is a run of its own, but a server that accepts a connection, forks, and lets the child
//! talk has one protocol in two processes. So the run of the child begins with the calls of its
//! parent that made the objects which the child uses without having made them: the last definers of
//! each before the fork, [`MOST`] at most. Others of its parent's calls are none of its business.

use crate::reaching::Definitions;
use crate::trace::{TraceFormat, TraceItem, TraceReader, TraceRecord};
use crate::value::Value;
use crate::vocabulary::{ApiVocabulary, Interaction};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::rc::Rc;

/// So many calls are inherited for one object: enough for `socket`, `bind`, `listen`, `accept`, and
/// few for a lock that was taken a thousand times before.
const MOST: usize = 8;

/// The call of one line; `None` if the API does not have it.
fn interaction(vocabulary: &ApiVocabulary, line: &[u8]) -> Option<Interaction> {
    let mut reader = TraceReader::new(line, TraceFormat::Text);
    let mut record = TraceRecord::default();
    match reader.read(&mut record) {
        Ok(TraceItem::Interaction) => vocabulary.interaction(&record),
        _ => None,
    }
}

/// The values that a run uses before it has defined them.
#[derive(Default)]
pub(crate) struct OpenUses {
    own: FxHashSet<Value>,
    pub(crate) values: FxHashSet<Value>,
}

impl OpenUses {
    pub(crate) fn add(&mut self, vocabulary: &ApiVocabulary, line: &[u8]) {
        let Some(interaction) = interaction(vocabulary, line) else {
            return;
        };
        let pairs = || (vocabulary.attributes(interaction.skeleton)).zip(&interaction.values);
        for (attribute, value) in pairs() {
            if vocabulary.uses(attribute) && *value != Value::NOTHING && !self.own.contains(value) {
                self.values.insert(*value);
            }
        }
        for (attribute, value) in pairs() {
            if vocabulary.defines(attribute) {
                self.own.insert(*value);
            }
        }
    }
}

struct Call {
    position: u64,
    text: Vec<u8>,
}

struct Definition {
    call: Rc<Call>,
    /// The last ones, latest first.
    ancestors: Vec<Rc<Call>>,
}

/// The objects of a process, with the calls that made them what they are.
#[derive(Default)]
pub(crate) struct History {
    definitions: Definitions<Rc<Definition>>,
    position: u64,
}

impl History {
    pub(crate) fn add(&mut self, vocabulary: &ApiVocabulary, line: &[u8]) {
        let Some(interaction) = interaction(vocabulary, line) else {
            return;
        };
        if !vocabulary.may_define(interaction.skeleton) {
            return;
        }
        self.position += 1;
        let mut definers: SmallVec<[Rc<Definition>; 2]> = SmallVec::new();
        (self.definitions).reaching(vocabulary, &interaction, |definer, _, _| {
            definers.push(definer.clone());
        });
        let definition = Rc::new(Definition {
            call: Rc::new(Call {
                position: self.position,
                text: line.to_vec(),
            }),
            ancestors: last(definers.iter(), MOST - 1),
        });
        (self.definitions).define(vocabulary, &interaction, || definition.clone());
    }

    /// The calls that made these objects, in their order.
    pub(crate) fn behind(&self, values: &FxHashSet<Value>) -> Vec<Vec<u8>> {
        let definers = values.iter().filter_map(|v| self.definitions.definer(v));
        let mut calls = last(definers, usize::MAX);
        calls.reverse();
        calls.iter().map(|call| call.text.clone()).collect()
    }
}

/// The last calls of some definitions and before them, latest first, each once.
fn last<'d>(definitions: impl Iterator<Item = &'d Rc<Definition>>, most: usize) -> Vec<Rc<Call>> {
    let mut all: Vec<Rc<Call>> = definitions
        .flat_map(|d| std::iter::once(&d.call).chain(&d.ancestors))
        .cloned()
        .collect();
    all.sort_unstable_by_key(|call| std::cmp::Reverse(call.position));
    all.dedup_by_key(|call| call.position);
    all.truncate(most);
    all
}

#[cfg(test)]
mod tests {
    use super::{History, OpenUses};
    use crate::testing::socket;

    #[test]
    fn what_a_child_uses_comes_with_what_made_it() {
        let vocabulary = socket("accept(so, return)");
        let mut uses = OpenUses::default();
        let child = "close(fd = 3)\nread(fd = 5)\nsocket(return = 9)\nwrite(fd = 9)\n";
        for line in child.lines() {
            uses.add(&vocabulary, line.as_bytes());
        }
        assert_eq!(uses.values.len(), 2);
        let mut history = History::default();
        let parent = "socket(return = 3)\nbind(so = 3)\nlisten(so = 3)\naccept(so = 3, return = 4)\n\
                      read(fd = 4)\nclose(fd = 4)\naccept(so = 3, return = 5)\n";
        for line in parent.lines() {
            history.add(&vocabulary, line.as_bytes());
        }
        let lines: Vec<String> = (history.behind(&uses.values).iter())
            .map(|line| String::from_utf8_lossy(line).into_owned())
            .collect();
        assert_eq!(
            lines,
            [
                "socket(return = 3)",
                "bind(so = 3)",
                "listen(so = 3)",
                "accept(so = 3, return = 5)"
            ]
        );
    }

    #[test]
    fn a_long_history_is_cut() {
        let vocabulary = socket("accept(so, return)");
        let mut history = History::default();
        for _ in 0..100 {
            history.add(&vocabulary, b"listen(so = 3)");
        }
        let mut uses = OpenUses::default();
        uses.add(&vocabulary, b"close(fd = 3)");
        assert_eq!(history.behind(&uses.values).len(), super::MOST);
    }
}
