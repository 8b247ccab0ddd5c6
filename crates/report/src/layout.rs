//! Where things go: boxes and labelled links in, positions and routes out. The engine is behind a
//! trait, so that another one can take its place.

mod dagre;

pub use self::dagre::Dagre;
use crate::graph::DrawError;

/// A point of a drawing.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct DrawingPoint {
    pub x: f64,
    pub y: f64,
}

/// Width and height.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Size {
    pub width: f64,
    pub height: f64,
}

/// A link between two different boxes, by their positions in the list of boxes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Link {
    pub from: usize,
    pub to: usize,
    pub label: Size,
}

/// Which way the links run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Right,
    Down,
}

/// Centres of boxes and labels, and the points that guide each link.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Placement {
    pub size: Size,
    pub boxes: Vec<DrawingPoint>,
    pub routes: Vec<Route>,
}

/// The way of an edge.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Route {
    /// From the border of the first box to the border of the second.
    pub points: Vec<DrawingPoint>,
    pub label: DrawingPoint,
}

/// A layout engine. The same input gives the same output, and neither boxes nor labels overlap.
pub trait Layout {
    /// One place per box and one route per link, in their order. There is at most one link from a
    /// box to another, and none from a box to itself.
    fn place(
        &self,
        boxes: &[Size],
        links: &[Link],
        direction: Direction,
    ) -> Result<Placement, DrawError>;
}
