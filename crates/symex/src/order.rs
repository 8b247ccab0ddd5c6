//! In which order the blocks of a function are visited.
//!
//! A weak topological order after F. Bourdoncle, *Efficient chaotic iteration strategies with
//! widenings* (1993): every loop is one piece, its heads first, and all edges but back edges go
//! forward. So all paths to a block have come in before it is left, and a loop is done with an
//! iteration before the next one begins, and done altogether before what follows it.

use idiolect_ir::graph::{Cfg, LoopId, Loops};
use idiolect_ir::{BlockId, Function};
use std::collections::{BTreeMap, BTreeSet};

/// A block, or a loop as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    Block(BlockId),
    Loop { id: LoopId, items: Vec<Item> },
}

pub(crate) struct Order {
    pub(crate) items: Vec<Item>,
    pub(crate) loops: Loops,
}

impl Order {
    pub(crate) fn new(function: &Function) -> Self {
        let cfg = Cfg::new(function);
        let loops = Loops::new(&cfg);
        let all: Vec<BlockId> = cfg.reverse_postorder().to_vec();
        let items = order_region(&cfg, &loops, None, &all);
        Self { items, loops }
    }
}

/// The child of `region` that a block is in: the block itself or a loop directly inside.
fn child_of(loops: &Loops, region: Option<LoopId>, block: BlockId) -> Option<LoopId> {
    let mut inner = loops.innermost(block);
    while let Some(id) = inner {
        if Some(id) == region {
            return None;
        }
        let parent = loops.get(id).parent;
        if parent == region {
            return Some(id);
        }
        inner = parent;
    }
    None
}

fn order_region(cfg: &Cfg, loops: &Loops, region: Option<LoopId>, blocks: &[BlockId]) -> Vec<Item> {
    // A node is named by its loop or its block; heads of the region itself come without edges in.
    let name = |b: BlockId| child_of(loops, region, b).map_or((1, b.0), |l| (0, l.0));
    let mut names: Vec<(u32, u32)> = Vec::new();
    let mut members: BTreeMap<(u32, u32), Vec<BlockId>> = BTreeMap::new();
    for &b in blocks {
        let key = name(b);
        let list = members.entry(key).or_default();
        if list.is_empty() {
            names.push(key);
        }
        list.push(b);
    }
    let is_head = |b: BlockId| region.is_some_and(|id| loops.get(id).heads.contains(&b));
    let inside = |b: BlockId| region.is_none_or(|id| loops.get(id).contains(b));
    // `names` is in reverse postorder; taking the first ready one keeps close to it.
    let position: BTreeMap<(u32, u32), usize> = names.iter().copied().zip(0..).collect();
    let edges = |key: (u32, u32)| -> Vec<usize> {
        let mut list: Vec<usize> = members[&key]
            .iter()
            .flat_map(|&b| cfg.successors(b))
            .filter(|&to| inside(to) && !is_head(to))
            .map(name)
            .filter(|&to| to != key)
            .filter_map(|to| position.get(&to).copied())
            .collect();
        list.sort_unstable();
        list.dedup();
        list
    };
    let mut incoming = vec![0_usize; names.len()];
    for &key in &names {
        for to in edges(key) {
            incoming[to] += 1;
        }
    }
    let mut result = Vec::new();
    let mut waiting: BTreeSet<usize> = (0..names.len()).collect();
    let mut ready: BTreeSet<usize> = (waiting.iter().copied())
        .filter(|&i| incoming[i] == 0)
        .collect();
    while let Some(at) = ready.pop_first().or_else(|| waiting.first().copied()) {
        waiting.remove(&at);
        let key = names[at];
        for to in edges(key) {
            incoming[to] = incoming[to].saturating_sub(1);
            if incoming[to] == 0 && waiting.contains(&to) {
                ready.insert(to);
            }
        }
        let list = &members[&key];
        if key.0 == 0 {
            let id = LoopId(key.1);
            let items = order_region(cfg, loops, Some(id), list);
            result.push(Item::Loop { id, items });
        } else {
            result.push(Item::Block(list[0]));
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use idiolect_ir::text::parse;

    fn shown(items: &[Item]) -> String {
        let parts: Vec<String> = items
            .iter()
            .map(|item| match item {
                Item::Block(b) => b.0.to_string(),
                Item::Loop { items, .. } => format!("({})", shown(items)),
            })
            .collect();
        parts.join(" ")
    }

    #[test]
    fn loops_are_contiguous_and_before_their_exits() {
        let program = parse(
            r#"program lp64 start f entry f
type t0 = void
type t1 = fn() -> t0
fn f() : t1 synthetic {
  local x: t0 i32
b0:
  goto b1
b1:
  branch slt(x, 10:i32) b2 b5
b2:
  branch slt(x, 5:i32) b3 b4
b3:
  branch slt(x, 3:i32) b2 b1
b4:
  branch slt(x, 4:i32) b1 b5
b5:
  return
}"#,
        )
        .unwrap();
        let order = Order::new(&program.functions[0]);
        assert_eq!(shown(&order.items), "0 (1 (2 3) 4) 5");
    }
}
