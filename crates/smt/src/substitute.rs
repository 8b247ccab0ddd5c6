//! Replacing variables by terms, and finding the variables of a term. Both keep their own stack.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::array::ArrayNode;
use crate::term::{ArrayId, Node, TermId, Terms, VarId};

/// What stands in for what: terms for terms, usually variables, and arrays for arrays.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    pub terms: FxHashMap<TermId, TermId>,
    pub arrays: FxHashMap<ArrayId, ArrayId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Item {
    Term(TermId),
    Array(ArrayId),
}

/// The operands of a term or array, arrays among them.
pub(crate) fn operands(t: &Terms, item: Item, mut visit: impl FnMut(Item)) {
    match item {
        Item::Term(term) => {
            if let Node::Select(array, _) = t.node(term) {
                visit(Item::Array(array));
            }
            t.children(term).for_each(|c| visit(Item::Term(c)));
        }
        Item::Array(array) => match t.array_node(array) {
            ArrayNode::Var(_) => {}
            ArrayNode::Const(element, _) => visit(Item::Term(element)),
            ArrayNode::Store(below, index, element) => {
                visit(Item::Array(below));
                visit(Item::Term(index));
                visit(Item::Term(element));
            }
            ArrayNode::Ite(c, a, b) => {
                visit(Item::Term(c));
                visit(Item::Array(a));
                visit(Item::Array(b));
            }
        },
    }
}

/// Everything below `roots`, operands before those who use them, each once.
pub(crate) fn post_order(t: &Terms, roots: &[TermId]) -> Vec<Item> {
    post_order_by(roots, |item, visit| operands(t, item, visit))
}

/// The same, with operands as the caller sees them.
pub(crate) fn post_order_by(
    roots: &[TermId],
    operands: impl Fn(Item, &mut dyn FnMut(Item)),
) -> Vec<Item> {
    let mut order = Vec::new();
    let (mut terms, mut arrays) = (FxHashSet::default(), FxHashSet::default());
    // The flag says that the operands are done.
    let mut stack: Vec<(Item, bool)> = roots
        .iter()
        .rev()
        .map(|&r| (Item::Term(r), false))
        .collect();
    while let Some((item, ready)) = stack.pop() {
        if ready {
            order.push(item);
            continue;
        }
        let new = match item {
            Item::Term(term) => terms.insert(term),
            Item::Array(array) => arrays.insert(array),
        };
        if new {
            stack.push((item, true));
            let from = stack.len();
            operands(item, &mut |o| stack.push((o, false)));
            stack[from..].reverse();
        }
    }
    order
}

impl Terms {
    /// `term` with everything in `map` replaced, rebuilt by the constructors and so simplified.
    /// `map` also remembers what was rebuilt, and may be used for further terms.
    pub fn substitute(&mut self, term: TermId, map: &mut Substitution) -> TermId {
        // Not `post_order`: below what is replaced there is nothing to do.
        let mut stack = vec![Item::Term(term)];
        while let Some(&top) = stack.last() {
            let done = match top {
                Item::Term(t) => map.terms.contains_key(&t),
                Item::Array(a) => map.arrays.contains_key(&a),
            };
            if done {
                stack.pop();
                continue;
            }
            let before = stack.len();
            operands(self, top, |o| {
                let missing = match o {
                    Item::Term(t) => !map.terms.contains_key(&t),
                    Item::Array(a) => !map.arrays.contains_key(&a),
                };
                if missing {
                    stack.push(o);
                }
            });
            if stack.len() > before {
                continue;
            }
            stack.pop();
            match top {
                Item::Term(t) => {
                    let new = self.rebuild(t, map);
                    map.terms.insert(t, new);
                }
                Item::Array(a) => {
                    let new = self.rebuild_array(a, map);
                    map.arrays.insert(a, new);
                }
            }
        }
        map.terms[&term]
    }

    fn rebuild(&mut self, term: TermId, map: &Substitution) -> TermId {
        let m = &map.terms;
        match self.node(term) {
            Node::Const(_) | Node::Var(_) => term,
            Node::Unary(op, a) => {
                let width = self.width(term);
                self.unary(op, m[&a], width)
            }
            Node::Binary(op, a, b) => self.binary(op, m[&a], m[&b]),
            Node::Ite(c, a, b) => self.ite(m[&c], m[&a], m[&b]),
            Node::Extract { hi, lo, arg } => self.extract(hi, lo, m[&arg]),
            Node::Select(array, index) => self.select(map.arrays[&array], m[&index]),
        }
    }

    fn rebuild_array(&mut self, array: ArrayId, map: &Substitution) -> ArrayId {
        let (m, arrays) = (&map.terms, &map.arrays);
        match self.array_node(array) {
            ArrayNode::Var(_) => array,
            ArrayNode::Const(element, index_width) => self.array_const(m[&element], index_width),
            ArrayNode::Store(below, i, e) => self.store(arrays[&below], m[&i], m[&e]),
            ArrayNode::Ite(c, a, b) => self.array_ite(m[&c], arrays[&a], arrays[&b]),
        }
    }

    /// The variables and array variables below `roots`, each once, in order.
    pub fn variables_of(&self, roots: &[TermId]) -> (Vec<VarId>, Vec<ArrayId>) {
        let (mut variables, mut arrays) = (Vec::new(), Vec::new());
        for item in post_order(self, roots) {
            match item {
                Item::Term(term) => {
                    if let Node::Var(v) = self.node(term) {
                        variables.push(v);
                    }
                }
                Item::Array(array) => {
                    if let ArrayNode::Var(_) = self.array_node(array) {
                        arrays.push(array);
                    }
                }
            }
        }
        variables.sort_unstable();
        arrays.sort_unstable();
        (variables, arrays)
    }
}
