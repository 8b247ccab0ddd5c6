//! Path conditions as a tree: each guard is its parent and one more literal.
//!
//! Two paths that meet again share the beginning of their guards. The literals after it tell them
//! apart, so they alone are the selector of merged values, and their disjunction, usually plain
//! truth, is all that a join adds to the beginning. Every guard also knows the literals that hold
//! along it, which settles conditions that were tested before without asking anyone.

use crate::persistent::PersistentMap;
use idiolect_smt::{BinaryOp, Node, TermId, Terms, UnaryOp};

idiolect_base::index_type!(
    /// A path condition.
    GuardId
);

impl GuardId {
    /// The guard of nothing: a path that cannot be taken.
    pub(crate) const DEAD: GuardId = GuardId(u32::MAX);
    pub(crate) const ROOT: GuardId = GuardId(0);

    pub(crate) fn is_dead(self) -> bool {
        self == Self::DEAD
    }
}

struct GuardNode {
    parent: GuardId,
    depth: u32,
    literal: TermId,
    /// The conjunction of all literals up to the root.
    term: TermId,
    /// By term: whether it holds along this guard.
    known: PersistentMap<bool>,
}

pub(crate) struct Guards {
    nodes: Vec<GuardNode>,
}

/// How far conditions are taken apart to see what is known of them.
const MAX_NESTING: u32 = 12;

impl Guards {
    pub(crate) fn new(terms: &mut Terms) -> Self {
        let truth = terms.tt();
        Self {
            nodes: vec![GuardNode {
                parent: GuardId::ROOT,
                depth: 0,
                literal: truth,
                term: truth,
                known: PersistentMap::default(),
            }],
        }
    }

    /// Guards made so far.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The guard as one term.
    pub(crate) fn term(&self, terms: &mut Terms, guard: GuardId) -> TermId {
        if guard.is_dead() {
            return terms.ff();
        }
        self.nodes[guard.index()].term
    }

    /// The literals of a guard, the oldest first.
    pub(crate) fn literals(&self, guard: GuardId) -> Vec<TermId> {
        let mut list = Vec::new();
        let mut at = guard;
        while at != GuardId::ROOT && !at.is_dead() {
            let node = &self.nodes[at.index()];
            list.push(node.literal);
            at = node.parent;
        }
        list.reverse();
        list
    }

    /// The guard with one more literal; dead if that cannot hold here.
    pub(crate) fn push(&mut self, terms: &mut Terms, guard: GuardId, literal: TermId) -> GuardId {
        if guard.is_dead() {
            return guard;
        }
        match self.value(terms, guard, literal) {
            Some(true) => return guard,
            Some(false) => return GuardId::DEAD,
            None => {}
        }
        let node = &self.nodes[guard.index()];
        let (depth, above) = (node.depth + 1, node.term);
        let mut known = node.known.clone();
        let term = terms.and(above, literal);
        if terms.known_false(term) {
            return GuardId::DEAD;
        }
        learn(terms, &mut known, literal, true, 0);
        self.nodes.push(GuardNode {
            parent: guard,
            depth,
            literal,
            term,
            known,
        });
        GuardId::new(self.nodes.len() - 1)
    }

    /// What a condition comes to along this guard, as far as that was seen before.
    pub(crate) fn value(&self, terms: &Terms, guard: GuardId, condition: TermId) -> Option<bool> {
        let known = &self.nodes[guard.index()].known;
        value(terms, known, condition, 0)
    }

    /// The guard of runs that come along either, and a condition that, along it, tells the first
    /// from the second.
    pub(crate) fn join(&mut self, terms: &mut Terms, a: GuardId, b: GuardId) -> (GuardId, TermId) {
        let (mut up_a, mut up_b) = (a, b);
        let (mut own_a, mut own_b) = (Vec::new(), Vec::new());
        while up_a != up_b {
            let (node_a, node_b) = (&self.nodes[up_a.index()], &self.nodes[up_b.index()]);
            if node_a.depth >= node_b.depth {
                own_a.push(node_a.literal);
                up_a = node_a.parent;
            } else {
                own_b.push(node_b.literal);
                up_b = node_b.parent;
            }
        }
        own_a.reverse();
        own_b.reverse();
        let truth = terms.tt();
        let conjunction = |terms: &mut Terms, list: &[TermId]| {
            list.iter().fold(truth, |all, &t| terms.and(all, t))
        };
        // The usual case: the two sides of one decision, which then is the selector.
        if let (Some(&first_a), Some(&first_b)) = (own_a.first(), own_b.first())
            && terms.not(first_a) == first_b
        {
            let rest_a = conjunction(terms, &own_a[1..]);
            let rest_b = conjunction(terms, &own_b[1..]);
            let either = terms.ite(first_a, rest_a, rest_b);
            return (self.push(terms, up_a, either), first_a);
        }
        let all_a = conjunction(terms, &own_a);
        let all_b = conjunction(terms, &own_b);
        let either = terms.or(all_a, all_b);
        let selector = if own_a.len() <= own_b.len() {
            all_a
        } else {
            terms.not(all_b)
        };
        (self.push(terms, up_a, either), selector)
    }
}

fn learn(
    terms: &Terms,
    known: &mut PersistentMap<bool>,
    literal: TermId,
    holds: bool,
    nesting: u32,
) {
    match terms.node(literal) {
        Node::Unary(UnaryOp::Not, inner) => {
            return learn(terms, known, inner, !holds, nesting + 1);
        }
        Node::Binary(BinaryOp::And, a, b) if holds && nesting < MAX_NESTING => {
            learn(terms, known, a, true, nesting + 1);
            learn(terms, known, b, true, nesting + 1);
        }
        _ => {}
    }
    known.insert(literal.0, holds);
}

fn value(
    terms: &Terms,
    known: &PersistentMap<bool>,
    condition: TermId,
    nesting: u32,
) -> Option<bool> {
    if let Some(constant) = terms.as_const(condition) {
        return Some(constant != 0);
    }
    if let Node::Unary(UnaryOp::Not, inner) = terms.node(condition) {
        return value(terms, known, inner, nesting).map(|v| !v);
    }
    if let Some(&found) = known.get(condition.0) {
        return Some(found);
    }
    if nesting < MAX_NESTING
        && let Node::Binary(BinaryOp::And, a, b) = terms.node(condition)
    {
        let left = value(terms, known, a, nesting + 1);
        if left == Some(false) {
            return Some(false);
        }
        let right = value(terms, known, b, nesting + 1);
        return match (left, right) {
            (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_sides_of_a_decision_join_to_what_was_before() {
        let mut terms = Terms::new();
        let mut guards = Guards::new(&mut terms);
        let (p, c) = (terms.bool_var("p"), terms.bool_var("c"));
        let not_c = terms.not(c);
        let before = guards.push(&mut terms, GuardId::ROOT, p);
        let then = guards.push(&mut terms, before, c);
        let otherwise = guards.push(&mut terms, before, not_c);
        assert_eq!(guards.join(&mut terms, then, otherwise), (before, c));
    }

    #[test]
    fn what_was_tested_is_known() {
        let mut terms = Terms::new();
        let mut guards = Guards::new(&mut terms);
        let (p, c) = (terms.bool_var("p"), terms.bool_var("c"));
        let both = terms.and(p, c);
        let guard = guards.push(&mut terms, GuardId::ROOT, both);
        assert_eq!(guards.value(&terms, guard, c), Some(true));
        let not_p = terms.not(p);
        assert!(guards.push(&mut terms, guard, not_p).is_dead());
        assert_eq!(guards.push(&mut terms, guard, p), guard);
    }
}
