//! Which drawings show an automaton: all of it while that can be read, then boxes that open, then
//! the surroundings of chosen words.

use crate::collapse::{GraphPart, PartKind, parts};
use crate::draw::{Drawing, DrawnChoice, draw};
use crate::graph::{DrawError, Graph};
use crate::layout::Layout;

/// Up to so many states, everything is drawn at once.
pub const ALL_AT_ONCE: usize = 60;
/// Up to so many, boxes stand for parts; beyond, only surroundings of words are drawn.
pub const IN_BOXES: usize = 300;

/// Up to so many edges; a layout of more takes long, and nobody could follow them.
pub const MOST_EDGES: usize = 450;
/// Of a dense automaton, so many edges are drawn around a word.
const EDGES_AROUND: usize = 200;

/// One drawing of several that belong together.
#[derive(Clone, PartialEq, Debug)]
pub struct GraphView {
    /// `all`, `boxes`, `part-N` for box N of `boxes`, or `word-N` for the N-th word.
    pub name: String,
    pub title: String,
    pub drawing: Drawing,
}

/// The drawings of an automaton. `ways` are the words worth looking at, as states on their way.
pub fn views(
    graph: &Graph,
    ways: &[Vec<usize>],
    layout: &dyn Layout,
) -> Result<Vec<GraphView>, DrawError> {
    match graph.states.len() {
        n if n <= ALL_AT_ONCE && can_draw(graph) => Ok(vec![everything(graph, layout)?]),
        n if n <= IN_BOXES && can_draw(graph) => in_boxes(graph, layout),
        _ => {
            let typical = [graph.typical_way()];
            let ways = if ways.is_empty() { &typical } else { ways };
            let views = ways.iter().enumerate().map(|(number, way)| {
                let drawing = around(graph, way, layout)?;
                let (shown, all) = (drawing.nodes.len(), graph.states.len());
                Ok(GraphView {
                    name: format!("word-{number}"),
                    title: format!("{shown} of {all} states: around this word"),
                    drawing,
                })
            });
            views.collect()
        }
    }
}

/// One drawing that stands for all: everything up to [`IN_BOXES`] states, and beyond that the
/// surroundings of a typical word.
pub fn single_view(graph: &Graph, layout: &dyn Layout) -> Result<Drawing, DrawError> {
    if graph.states.len() <= IN_BOXES && can_draw(graph) {
        Ok(everything(graph, layout)?.drawing)
    } else {
        around(graph, &graph.typical_way(), layout)
    }
}

fn can_draw(graph: &Graph) -> bool {
    graph.edges.len() <= MOST_EDGES
}

fn singles(states: impl IntoIterator<Item = usize>) -> Vec<GraphPart> {
    let part = |state| GraphPart {
        kind: PartKind::Single,
        members: vec![state],
    };
    states.into_iter().map(part).collect()
}

fn everything(graph: &Graph, layout: &dyn Layout) -> Result<GraphView, DrawError> {
    let parts = singles(0..graph.states.len());
    let drawing = draw(
        &DrawnChoice {
            graph,
            parts: &parts,
            outside: &vec![false; parts.len()],
        },
        layout,
    )?;
    Ok(GraphView {
        name: "all".to_owned(),
        title: format!("all {} states", parts.len()),
        drawing,
    })
}

fn in_boxes(graph: &Graph, layout: &dyn Layout) -> Result<Vec<GraphView>, DrawError> {
    let parts = parts(graph);
    let all = everything(graph, layout)?;
    let drawing = draw(
        &DrawnChoice {
            graph,
            parts: &parts,
            outside: &vec![false; parts.len()],
        },
        layout,
    )?;
    let mut views = vec![GraphView {
        name: "boxes".to_owned(),
        title: format!(
            "{} states in {} parts; a box opens on a click",
            graph.states.len(),
            parts.len()
        ),
        drawing,
    }];
    for (number, part) in parts.iter().enumerate() {
        // A larger box would open onto a hairball: a click on it leads to all states.
        if part.kind != PartKind::Single && part.members.len() <= ALL_AT_ONCE {
            views.push(GraphView {
                name: format!("part-{number}"),
                title: format!("inside of a box: {} states", part.members.len()),
                drawing: inside(graph, &parts, number, layout)?,
            });
        }
    }
    views.push(all);
    Ok(views)
}

/// The states of one part, and where its edges come from and lead to.
fn inside(
    graph: &Graph,
    parts: &[GraphPart],
    number: usize,
    layout: &dyn Layout,
) -> Result<Drawing, DrawError> {
    const MOST_NEIGHBOURS: usize = 24;
    let mut part_of = vec![0; graph.states.len()];
    for (index, part) in parts.iter().enumerate() {
        for &member in &part.members {
            part_of[member] = index;
        }
    }
    let mut neighbours: Vec<usize> = graph
        .edges
        .iter()
        .flat_map(|edge| {
            let (from, to) = (part_of[edge.from], part_of[edge.to]);
            [(from, to), (to, from)]
        })
        .filter(|&(one, other)| one == number && other != number)
        .map(|(_, other)| other)
        .collect();
    neighbours.sort_unstable();
    neighbours.dedup();
    neighbours.truncate(MOST_NEIGHBOURS);
    let mut shown = singles(parts[number].members.iter().copied());
    let mut outside = vec![false; shown.len()];
    for neighbour in neighbours {
        shown.push(parts[neighbour].clone());
        outside.push(true);
    }
    draw(
        &DrawnChoice {
            graph,
            parts: &shown,
            outside: &outside,
        },
        layout,
    )
}

/// The states on a way and the nearest others, not more than can be read.
fn around(graph: &Graph, way: &[usize], layout: &dyn Layout) -> Result<Drawing, DrawError> {
    let mut chosen = vec![false; graph.states.len()];
    let mut queue: Vec<usize> = Vec::new();
    for &state in way {
        if !std::mem::replace(&mut chosen[state], true) {
            queue.push(state);
        }
    }
    queue.truncate(ALL_AT_ONCE);
    let mut degree = vec![0; graph.states.len()];
    for edge in &graph.edges {
        degree[edge.from] += 1;
        degree[edge.to] += 1;
    }
    // Each state brings at most its edges; a few states are always shown.
    let mut n_edges = 0;
    let mut has_room = |state: usize, n: usize| {
        n_edges += degree[state];
        n < 6 || n_edges / 2 <= EDGES_AROUND
    };
    let on_way = (queue.iter().enumerate())
        .position(|(n, &state)| !has_room(state, n))
        .unwrap_or(queue.len());
    for &state in &queue[on_way..] {
        chosen[state] = false;
    }
    queue.truncate(on_way);
    let successors = graph.successors();
    for index in 0..on_way {
        for &next in &successors[queue[index]] {
            if queue.len() < ALL_AT_ONCE && !chosen[next] && has_room(next, queue.len()) {
                chosen[next] = true;
                queue.push(next);
            }
        }
    }
    let outside: Vec<bool> = (0..queue.len()).map(|index| index >= on_way).collect();
    let parts = singles(queue);
    draw(
        &DrawnChoice {
            graph,
            parts: &parts,
            outside: &outside,
        },
        layout,
    )
}
