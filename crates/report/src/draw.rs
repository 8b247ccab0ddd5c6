//! From a graph to a drawing: how large each part is, where the layout puts it, and what lines
//! join them.

use crate::collapse::{GraphPart, PartKind};
use crate::graph::{DrawError, EdgeLetter, Graph, GroupedEdge};
use crate::label::{EdgeLabel, LETTER_SIZE, LINE, shorten, text_width};
use crate::layout::{Direction, DrawingPoint, Layout, Link, Placement, Size};
use crate::spline::{self, Curve};
use std::collections::BTreeMap;

/// A drawing in its own coordinates, from (0, 0) to `size`.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawing {
    pub size: Size,
    pub nodes: Vec<DrawnNode>,
    pub edges: Vec<DrawnLine>,
}

/// A state, or a box that stands for several.
#[derive(Clone, PartialEq, Debug)]
pub struct DrawnNode {
    pub part: GraphPart,
    /// The numbers of the states.
    pub ids: Vec<u64>,
    pub center: DrawingPoint,
    pub shape: NodeShape,
    pub lines: Vec<String>,
    pub initial: bool,
    pub accepting: bool,
    pub doomed: bool,
    /// Drawn to show where edges lead, but not part of what is shown.
    pub outside: bool,
    /// The arrow into an initial state.
    pub start: Option<Curve>,
}

/// The outline of a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum NodeShape {
    Circle(f64),
    Box(Size),
}

/// All transitions from one node to another.
#[derive(Clone, PartialEq, Debug)]
pub struct DrawnLine {
    /// Numbers of the states that it joins.
    pub pairs: Vec<(u64, u64)>,
    pub letters: Vec<EdgeLetter>,
    pub curve: Curve,
    pub label: EdgeLabel,
    pub label_center: DrawingPoint,
}

/// A rectangle by its corners.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rect {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Rect {
    fn around(center: DrawingPoint, size: Size) -> Self {
        Self {
            left: center.x - size.width / 2.0,
            top: center.y - size.height / 2.0,
            right: center.x + size.width / 2.0,
            bottom: center.y + size.height / 2.0,
        }
    }

    /// Whether two rectangles share a point.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

impl Drawing {
    /// What must not overlap: nodes and labels, each with a name for messages.
    pub fn rectangles(&self) -> Vec<(String, Rect)> {
        let nodes = self.nodes.iter().map(|node| {
            let rect = Rect::around(node.center, node.shape.size());
            (node.lines.join(" "), rect)
        });
        let labels = self.edges.iter().map(|edge| {
            let rect = Rect::around(edge.label_center, edge.label.size);
            (format!("label of {:?}", edge.pairs), rect)
        });
        nodes.chain(labels).collect()
    }
}

impl NodeShape {
    fn size(self) -> Size {
        match self {
            Self::Circle(radius) => Size {
                width: 2.0 * radius,
                height: 2.0 * radius,
            },
            Self::Box(size) => size,
        }
    }

    /// Where a line from the center to `to` leaves the shape.
    fn border(self, center: DrawingPoint, to: DrawingPoint) -> DrawingPoint {
        let direction = center.towards(to);
        match self {
            Self::Circle(radius) => center.moved(direction, radius),
            Self::Box(size) => {
                let x = size.width / 2.0 / direction.x.abs().max(1e-9);
                let y = size.height / 2.0 / direction.y.abs().max(1e-9);
                center.moved(direction, x.min(y))
            }
        }
    }
}

const RADIUS: f64 = 18.0;
/// Between the outer and the inner ring of an accepting state.
pub const RING: f64 = 3.5;
const LOOP_REACH: f64 = 34.0;
/// A cubic curve reaches three quarters of the way to its control points.
const LOOP_HEIGHT: f64 = LOOP_REACH * 0.75 + 3.0;
const START_ARROW: f64 = 26.0;

/// Which parts of a graph are drawn.
pub struct DrawnChoice<'a> {
    pub graph: &'a Graph,
    pub parts: &'a [GraphPart],
    /// For each part whether it is drawn as being outside.
    pub outside: &'a [bool],
}

/// Draws it to the right, or downwards if that fits a screen much better.
pub fn draw(choice: &DrawnChoice<'_>, layout: &dyn Layout) -> Result<Drawing, DrawError> {
    let right = draw_in(choice, layout, Direction::Right)?;
    // The second try is not worth its time where neither will fit.
    if choice.parts.len() > 40 || fit(right.size) > 0.9 {
        return Ok(right);
    }
    let down = draw_in(choice, layout, Direction::Down)?;
    Ok(if fit(down.size) > 1.25 * fit(right.size) {
        down
    } else {
        right
    })
}

/// How much a drawing has to shrink to fit a usual pane.
fn fit(size: Size) -> f64 {
    (760.0 / size.width).min(560.0 / size.height).min(1.0)
}

fn draw_in(
    choice: &DrawnChoice<'_>,
    layout: &dyn Layout,
    direction: Direction,
) -> Result<Drawing, DrawError> {
    let graph = choice.graph;
    let mut nodes: Vec<DrawnNode> = choice
        .parts
        .iter()
        .zip(choice.outside)
        .map(|(part, &outside)| node(graph, part, outside))
        .collect();
    let mut lines = lines(choice);
    // An initial state first: layers start where the layout engine starts to break circles.
    let mut order: Vec<usize> = (0..nodes.len()).collect();
    order.sort_by_key(|&i| (!nodes[i].initial, i));
    let mut place_of = vec![0; nodes.len()];
    for (place, &index) in order.iter().enumerate() {
        place_of[index] = place;
    }
    let loops: BTreeMap<usize, Size> = lines
        .iter()
        .filter(|line| line.from == line.to)
        .map(|line| (line.from, line.label.size))
        .collect();
    let sizes: Vec<Size> = order
        .iter()
        .map(|&index| room(&nodes[index], loops.get(&index).copied(), direction))
        .collect();
    let straight: Vec<usize> = (0..lines.len())
        .filter(|&i| lines[i].from != lines[i].to)
        .collect();
    let links: Vec<Link> = straight
        .iter()
        .map(|&i| Link {
            from: place_of[lines[i].from],
            to: place_of[lines[i].to],
            label: lines[i].label.size,
        })
        .collect();
    let Placement {
        size,
        boxes,
        routes,
    } = layout.place(&sizes, &links, direction)?;
    for (index, node) in nodes.iter_mut().enumerate() {
        node.center = *boxes.get(place_of[index]).ok_or(DrawError::NoPlace)?;
        if node.initial {
            let tip = match direction {
                Direction::Right => DrawingPoint::new(-1.0, 0.0),
                Direction::Down => DrawingPoint::new(0.0, -1.0),
            };
            let at = node
                .shape
                .border(node.center, node.center.moved(tip, 1000.0));
            node.start = Some(spline::straight(at.moved(tip, START_ARROW - 4.0), at));
        }
    }
    for (&index, route) in straight.iter().zip(&routes) {
        let line = &mut lines[index];
        let (from, to) = (&nodes[line.from], &nodes[line.to]);
        let inner = match route.points.len() {
            0..=2 => &[][..],
            n => &route.points[1..n - 1],
        };
        let first = *inner.first().unwrap_or(&to.center);
        let last = *inner.last().unwrap_or(&from.center);
        let mut points = vec![from.shape.border(from.center, first)];
        points.extend_from_slice(inner);
        points.push(to.shape.border(to.center, last));
        line.curve = spline::along(&points, direction);
        line.label_center = route.label;
    }
    for line in lines.iter_mut().filter(|line| line.from == line.to) {
        (line.curve, line.label_center) = self_loop(&nodes[line.from], &line.label, direction);
    }
    Ok(Drawing {
        size,
        nodes,
        edges: lines.into_iter().map(Draft::finish).collect(),
    })
}

/// A loop above the state, or to its right where lines run downwards.
fn self_loop(node: &DrawnNode, label: &EdgeLabel, direction: Direction) -> (Curve, DrawingPoint) {
    let (out, side, far, extent) = match direction {
        Direction::Right => {
            let far = node.shape.size().height / 2.0;
            (
                DrawingPoint::new(0.0, -1.0),
                DrawingPoint::new(1.0, 0.0),
                far,
                label.size.height,
            )
        }
        Direction::Down => {
            let far = node.shape.size().width / 2.0;
            (
                DrawingPoint::new(1.0, 0.0),
                DrawingPoint::new(0.0, 1.0),
                far,
                label.size.width,
            )
        }
    };
    // On a circle the loop starts beside the top, a little below it.
    let (aside, sunk) = match node.shape {
        NodeShape::Circle(radius) => (radius * 0.56, radius * 0.17),
        NodeShape::Box(_) => (9.0, 0.0),
    };
    let base = node.center.moved(out, far - sunk);
    let curve = spline::loop_at(
        base.moved(side, -aside),
        base.moved(side, aside),
        out,
        LOOP_REACH,
    );
    let label_center = node.center.moved(out, far + LOOP_HEIGHT + extent / 2.0);
    (curve, label_center)
}

/// The room that a node needs around its center, with its loop and its arrow. It is the same on
/// both sides, so that centers line up.
fn room(node: &DrawnNode, loop_label: Option<Size>, direction: Direction) -> Size {
    let mut size = node.shape.size();
    if let Some(label) = loop_label {
        match direction {
            Direction::Right => {
                size.height += 2.0 * (LOOP_HEIGHT + label.height);
                size.width = size.width.max(label.width).max(LOOP_REACH * 1.5);
            }
            Direction::Down => {
                size.width += 2.0 * (LOOP_HEIGHT + label.width);
                size.height = size.height.max(label.height).max(LOOP_REACH * 1.5);
            }
        }
    }
    if node.initial {
        match direction {
            Direction::Right => {
                size.width = size.width.max(node.shape.size().width + 2.0 * START_ARROW)
            }
            Direction::Down => {
                size.height = size
                    .height
                    .max(node.shape.size().height + 2.0 * START_ARROW);
            }
        }
    }
    size
}

fn node(graph: &Graph, part: &GraphPart, outside: bool) -> DrawnNode {
    let members = || part.members.iter().map(|&m| &graph.states[m]);
    let ids: Vec<u64> = members().map(|s| s.id).collect();
    let lines = match (part.kind, &ids[..]) {
        (PartKind::Single, [id]) => {
            let mut lines = vec![format!("q{id}")];
            if let Some(output) = &graph.states[part.members[0]].output {
                lines.extend(wrap(output));
            }
            lines
        }
        (kind, ids) => {
            let what = match kind {
                PartKind::Doomed => "⊘ doomed".to_owned(),
                PartKind::Cycle => "⟳ in circles".to_owned(),
                PartKind::Region => format!("⁂ from q{}", ids[0]),
                _ => "⋯ chain".to_owned(),
            };
            vec![what, format!("{} states", ids.len())]
        }
    };
    let shape = match part.kind {
        PartKind::Single if lines.len() == 1 && lines[0].chars().count() <= 4 => {
            NodeShape::Circle(RADIUS)
        }
        _ => {
            let widths = lines.iter().map(|line| text_width(line, LETTER_SIZE));
            NodeShape::Box(Size {
                width: (widths.fold(0.0, f64::max) + 20.0).max(2.0 * RADIUS),
                height: lines.len() as f64 * LINE + 14.0,
            })
        }
    };
    DrawnNode {
        initial: members().any(|s| s.initial),
        accepting: members().any(|s| s.accepting),
        doomed: members().all(|s| s.doomed),
        part: part.clone(),
        ids,
        center: DrawingPoint::default(),
        shape,
        lines,
        outside,
        start: None,
    }
}

/// An output of a Moore state, which may be a formula, in lines of about thirty characters.
fn wrap(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < 30 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(shorten(word, 40)),
        }
    }
    if lines.len() > 6 {
        lines.truncate(5);
        lines.push("…".to_owned());
    }
    lines
}

/// A line before it has its place; nodes by their positions.
struct Draft {
    from: usize,
    to: usize,
    pairs: Vec<(u64, u64)>,
    letters: Vec<EdgeLetter>,
    label: EdgeLabel,
    curve: Curve,
    label_center: DrawingPoint,
}

impl Draft {
    fn finish(self) -> DrawnLine {
        DrawnLine {
            pairs: self.pairs,
            letters: self.letters,
            curve: self.curve,
            label: self.label,
            label_center: self.label_center,
        }
    }
}

/// One line for all transitions between two parts. What happens inside of a box is not drawn, and
/// neither is what happens among the parts outside.
fn lines(choice: &DrawnChoice<'_>) -> Vec<Draft> {
    let graph = choice.graph;
    let mut part_of = vec![None; graph.states.len()];
    for (index, part) in choice.parts.iter().enumerate() {
        for &member in &part.members {
            part_of[member] = Some(index);
        }
    }
    let mut between: BTreeMap<(usize, usize), Vec<&GroupedEdge>> = BTreeMap::new();
    for edge in &graph.edges {
        let (Some(from), Some(to)) = (part_of[edge.from], part_of[edge.to]) else {
            continue;
        };
        let inside_of_box = from == to && choice.parts[from].kind != PartKind::Single;
        if inside_of_box || (choice.outside[from] && choice.outside[to]) {
            continue;
        }
        between.entry((from, to)).or_default().push(edge);
    }
    let drafts = between.into_iter().map(|((from, to), edges)| {
        let mut by_letter: BTreeMap<Option<usize>, EdgeLetter> = BTreeMap::new();
        for letter in edges.iter().flat_map(|edge| &edge.letters) {
            by_letter
                .entry(letter.letter)
                .and_modify(|known| join(known, letter))
                .or_insert_with(|| letter.clone());
        }
        let letters: Vec<EdgeLetter> = by_letter.into_values().collect();
        let merged = GroupedEdge { from, to, letters };
        let label = EdgeLabel::new(&merged, &graph.alphabet);
        Draft {
            from,
            to,
            pairs: edges
                .iter()
                .map(|e| (graph.states[e.from].id, graph.states[e.to].id))
                .collect(),
            letters: merged.letters,
            label,
            curve: Curve::default(),
            label_center: DrawingPoint::default(),
        }
    });
    drafts.collect()
}

/// One letter at several edges between two boxes.
fn join(known: &mut EdgeLetter, other: &EdgeLetter) {
    known.dominating |= other.dominating;
    known.weight = match (known.weight, other.weight) {
        (Some(a), Some(b)) => Some(a + b),
        (a, b) => a.or(b),
    };
    known.heat = match (known.heat, other.heat) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    };
}
