//! Which arrays are too large for words, and points of programs in which they are small
//! ([`idiolect_ir::transform::scale`]).

use crate::point::{ArraySize, Point, Structure};
use crate::snapshot::MAX_CELLS;
use idiolect_ir::transform::scale::Scale;

/// The sizes of arrays at these points that are too large for words, ascending.
pub fn large_sizes(points: &[Point]) -> Vec<u64> {
    let mut found = Vec::new();
    for structure in points.iter().flat_map(|p| &p.structures) {
        if let Structure::Array(group) = structure
            && let ArraySize::Constant(n) = group.size
            && n > MAX_CELLS as u64
        {
            found.push(n);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// A point of the small program.
pub fn point(scale: &Scale, point: &Point) -> Point {
    let mut point = point.clone();
    for structure in &mut point.structures {
        if let Structure::Array(group) = structure
            && let ArraySize::Constant(n) = &mut group.size
        {
            *n = scale.size(*n).unwrap_or(*n);
        }
    }
    point
}
