use super::*;
use crate::program::FunctionOrigin;
use crate::stmt::{Block, Terminator, TerminatorKind};
use crate::{Expr, ExprId, ExprKind, Ty, TypeId};
use idiolect_base::Span;
use proptest::prelude::*;

/// A function with these successors of each block: none returns, one goes on, two branch.
fn function(successors: &[Vec<u32>]) -> Function {
    let block = |to: &Vec<u32>| {
        let kind = match to[..] {
            [] => TerminatorKind::Return(None),
            [a] => TerminatorKind::Goto(BlockId(a)),
            [a, b, ..] => TerminatorKind::Branch {
                condition: ExprId(0),
                then: BlockId(a),
                otherwise: BlockId(b),
            },
        };
        Block {
            stmts: Vec::new(),
            terminator: Terminator {
                kind,
                span: Span::NOWHERE,
            },
        }
    };
    Function {
        name: "f".into(),
        origin: FunctionOrigin::User,
        ty: TypeId(0),
        params: Vec::new(),
        ret: None,
        variadic: false,
        locals: Vec::new(),
        exprs: vec![Expr {
            kind: ExprKind::Const(1),
            ty: Ty::BOOL,
            span: Span::NOWHERE,
        }],
        blocks: successors.iter().map(block).collect(),
        span: Span::NOWHERE,
    }
}

fn any_edges() -> impl Strategy<Value = Vec<Vec<u32>>> {
    (1u32..9).prop_flat_map(|n| {
        let targets = proptest::collection::vec(0..n, 0..=2);
        proptest::collection::vec(targets, n as usize)
    })
}

/// The blocks that the entry reaches without going through `avoid`.
fn reached(edges: &[Vec<u32>], avoid: Option<u32>) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut todo = vec![0u32];
    while let Some(b) = todo.pop() {
        if Some(b) != avoid && !std::mem::replace(&mut seen[b as usize], true) {
            todo.extend(&edges[b as usize]);
        }
    }
    seen
}

/// Whether taking away self-loops and merging blocks into their only predecessor leaves one
/// block (M. S. Hecht, J. D. Ullman, *Flow Graph Reducibility*, 1972).
fn is_reducible(edges: &[Vec<u32>]) -> bool {
    let seen = reached(edges, None);
    let mut edges: std::collections::BTreeSet<(u32, u32)> = (0u32..)
        .zip(edges)
        .filter(|(b, _)| seen[*b as usize])
        .flat_map(|(b, to)| to.iter().map(move |&t| (b, t)))
        .collect();
    loop {
        edges.retain(|(a, b)| a != b);
        let only = edges
            .iter()
            .copied()
            .find(|&(_, b)| b != 0 && edges.iter().filter(|&&(_, c)| c == b).count() == 1);
        match only {
            None => return edges.is_empty(),
            Some((a, b)) => {
                edges.remove(&(a, b));
                edges = edges
                    .into_iter()
                    .map(|(x, y)| (if x == b { a } else { x }, y))
                    .collect();
            }
        }
    }
}

/// The natural loops by their definition: head, and the blocks that reach a back edge of it
/// without the head.
fn natural_loops(cfg: &Cfg, dominators: &Dominators) -> Vec<(BlockId, Vec<BlockId>)> {
    let mut loops = std::collections::BTreeMap::new();
    for &from in cfg.reverse_postorder() {
        for head in cfg.successors(from) {
            if !dominators.dominates(head, from) {
                continue;
            }
            let body: &mut std::collections::BTreeSet<BlockId> = loops.entry(head).or_default();
            body.insert(head);
            let mut todo = vec![from];
            while let Some(block) = todo.pop() {
                if body.insert(block) {
                    todo.extend(cfg.predecessors(block));
                }
            }
        }
    }
    loops
        .into_iter()
        .map(|(head, body)| (head, body.into_iter().collect()))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn dominators_are_what_no_path_avoids(edges in any_edges()) {
        let cfg = Cfg::new(&function(&edges));
        let dominators = Dominators::new(&cfg);
        let all = reached(&edges, None);
        for a in 0..edges.len() as u32 {
            prop_assert_eq!(cfg.is_reachable(BlockId(a)), all[a as usize]);
            let without = reached(&edges, Some(a));
            for b in 0..edges.len() as u32 {
                let expected = all[a as usize] && all[b as usize] && !without[b as usize];
                let found = dominators.dominates(BlockId(a), BlockId(b));
                prop_assert_eq!(found, expected, "b{} over b{}", a, b);
            }
            if let Some(above) = dominators.immediate(BlockId(a)) {
                // Every other dominator is above the immediate one.
                prop_assert!(above.0 != a && dominators.dominates(above, BlockId(a)));
                for b in cfg.reverse_postorder() {
                    if b.0 != a && dominators.dominates(*b, BlockId(a)) {
                        prop_assert!(dominators.dominates(*b, above));
                    }
                }
            } else {
                prop_assert!(a == 0 || !all[a as usize]);
            }
        }
    }

    #[test]
    fn loops_are_the_natural_ones_where_control_flow_is_reducible(edges in any_edges()) {
        let cfg = Cfg::new(&function(&edges));
        let loops = Loops::new(&cfg);
        prop_assert_eq!(loops.is_reducible(), is_reducible(&edges));
        if loops.is_reducible() {
            let mut found: Vec<(BlockId, Vec<BlockId>)> = loops
                .all()
                .iter()
                .map(|l| (l.heads[0], l.blocks.clone()))
                .collect();
            found.sort();
            prop_assert_eq!(found, natural_loops(&cfg, &Dominators::new(&cfg)));
        }
    }

    #[test]
    fn every_cycle_has_a_back_edge_and_loops_nest(edges in any_edges()) {
        let cfg = Cfg::new(&function(&edges));
        let loops = Loops::new(&cfg);
        for l in loops.all() {
            prop_assert!(!l.heads.is_empty() && !l.back_edges.is_empty());
            if let Some(parent) = l.parent {
                let parent = loops.get(parent);
                prop_assert_eq!(parent.depth + 1, l.depth);
                let within = |b: &BlockId| parent.contains(*b) && !parent.heads.contains(b);
                prop_assert!(l.blocks.iter().all(within));
            }
        }
        for &b in cfg.reverse_postorder() {
            let around = loops.all().iter().filter(|l| l.contains(b)).count();
            prop_assert_eq!(loops.depth(b) as usize, around);
        }
        // Without the back edges, what remains has an order.
        let forward: Vec<Vec<u32>> = (0u32..)
            .zip(&edges)
            .map(|(b, to)| {
                let keep = |t: &u32| !loops.is_back_edge(BlockId(b), BlockId(*t));
                to.iter().copied().filter(keep).collect()
            })
            .collect();
        let rest = Cfg::new(&function(&forward));
        prop_assert!(Loops::new(&rest).all().is_empty());
    }
}

#[test]
fn a_jump_into_a_loop_gives_two_heads() {
    // b0 enters the cycle b1 b2 at both ends; b3 is a loop of its own within nothing.
    let cfg = Cfg::new(&function(&[
        vec![1, 2],
        vec![2],
        vec![1, 3],
        vec![3, 4],
        vec![],
    ]));
    let loops = Loops::new(&cfg);
    let described: Vec<String> = loops
        .all()
        .iter()
        .map(|l| {
            format!(
                "heads {:?} blocks {:?} depth {}",
                l.heads, l.blocks, l.depth
            )
        })
        .collect();
    assert_eq!(
        described,
        [
            "heads [BlockId(1), BlockId(2)] blocks [BlockId(1), BlockId(2)] depth 1",
            "heads [BlockId(3)] blocks [BlockId(3)] depth 1",
        ]
    );
    assert!(!loops.is_reducible());
}

#[test]
fn deep_graphs_need_no_deep_stack() {
    let n = 200_000u32;
    let mut edges: Vec<Vec<u32>> = (1..n).map(|b| vec![b]).collect();
    edges.push(vec![0]);
    let cfg = Cfg::new(&function(&edges));
    assert!(Dominators::new(&cfg).dominates(BlockId(1), BlockId(n - 1)));
    assert_eq!(Loops::new(&cfg).all().len(), 1);
}
