//! What runs of a C program have in common: those that begin with the same letters go on from a snapshot
//! of memory instead of from the reset.

use idiolect_automata::{Letter, Word};
use idiolect_interp::{Machine, Snapshot};
use std::collections::HashMap;

/// Memory for the snapshots of one thread. When it is full, all of them are dropped: those that are still
/// wanted will be taken again.
const MOST_BYTES: usize = 64 << 20;
/// Words whose visits are counted, in letters.
const MOST_NODES: usize = 1 << 20;
/// A beginning is kept when it comes up for so many times.
const VISITS: u32 = 2;
/// Coming back to a snapshot takes as long as about so many statements, and one more for so many bytes.
const LEAST_STEPS: u64 = 60;
const BYTES_A_STEP: u64 = 32;

/// A run that waits for its next letter.
struct Kept {
    snapshot: Snapshot,
    /// Statements so far.
    steps: u64,
    /// The outputs so far.
    outputs: Vec<String>,
    /// What was printed before the first letter.
    printed: Vec<u8>,
}

#[derive(Default)]
struct Node {
    visits: u32,
    kept: Option<Box<Kept>>,
    /// It is not worth keeping.
    is_cheap: bool,
}

/// The words that were run, as a tree, with snapshots at some of its nodes.
pub struct Paths {
    children: HashMap<(u32, Letter), u32>,
    nodes: Vec<Node>,
    bytes: usize,
    is_on: bool,
}

/// A word on its way through the tree.
pub struct WordWay {
    /// The nodes after each letter, the root first.
    nodes: Vec<u32>,
    /// The letters that are done, with their outputs.
    pub outputs: Vec<String>,
    pub printed: Vec<u8>,
    /// Statements at the last snapshot on the way.
    pub steps: u64,
}

impl Paths {
    /// No words yet; snapshots are kept if it is on.
    pub fn new(is_on: bool) -> Self {
        Self {
            children: HashMap::new(),
            nodes: vec![Node::default()],
            bytes: 0,
            is_on,
        }
    }

    /// Brings the machine as far along the word as a snapshot reaches, or to the start.
    pub fn begin(&mut self, machine: &mut Machine<'_>, word: &Word) -> WordWay {
        machine.give_up();
        let mut way = WordWay {
            nodes: Vec::new(),
            outputs: Vec::new(),
            printed: Vec::new(),
            steps: 0,
        };
        if !self.is_on {
            return way;
        }
        if self.nodes.len() > MOST_NODES {
            *self = Self::new(true);
        }
        let mut at = 0u32;
        let mut deepest = None;
        for next in word.iter().map(Some).chain([None]) {
            let node = &mut self.nodes[at as usize];
            node.visits = node.visits.saturating_add(1);
            way.nodes.push(at);
            if node.kept.is_some() {
                deepest = Some(at);
            }
            let Some(&letter) = next else { break };
            let fresh = self.nodes.len() as u32;
            at = *self.children.entry((at, letter)).or_insert(fresh);
            if at == fresh {
                self.nodes.push(Node::default());
            }
        }
        if let Some(kept) = deepest.and_then(|node| self.nodes[node as usize].kept.as_ref()) {
            machine.restore(&kept.snapshot);
            way.outputs.clone_from(&kept.outputs);
            way.printed.clone_from(&kept.printed);
            way.steps = kept.steps;
        }
        way
    }

    /// The run waits after some letters of its word: keeps it if others will come this way.
    pub fn pass(&mut self, machine: &Machine<'_>, way: &mut WordWay, steps: u64) {
        let done = way.outputs.len();
        // The last letter of a word is the beginning of no other, as far as anybody knows.
        if done + 1 >= way.nodes.len() {
            return;
        }
        let node = &mut self.nodes[way.nodes[done] as usize];
        let is_wanted = node.visits >= VISITS && node.kept.is_none() && !node.is_cheap;
        if !is_wanted || steps < way.steps + LEAST_STEPS {
            return;
        }
        let Some(snapshot) = machine.snapshot() else {
            return;
        };
        let bytes = snapshot.bytes();
        if steps < way.steps + LEAST_STEPS + bytes as u64 / BYTES_A_STEP {
            node.is_cheap = true;
            return;
        }
        way.steps = steps;
        node.kept = Some(Box::new(Kept {
            snapshot,
            steps,
            outputs: way.outputs.clone(),
            printed: way.printed.clone(),
        }));
        self.bytes += bytes;
        if self.bytes > MOST_BYTES {
            self.bytes = 0;
            for node in &mut self.nodes {
                node.kept = None;
                node.visits = 0;
            }
        }
    }
}
