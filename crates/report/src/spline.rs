//! Curves: B-splines along a route, loops at a state, and the arrow heads at their ends.

use crate::layout::Point;
use std::fmt::Write as _;

impl Point {
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// `self` moved by `by` times the vector `along`.
    pub fn moved(self, along: Self, by: f64) -> Self {
        Self::new(self.x + along.x * by, self.y + along.y * by)
    }

    /// The unit vector from here to there; to the right if they are the same point.
    pub fn towards(self, to: Self) -> Self {
        let (dx, dy) = (to.x - self.x, to.y - self.y);
        let length = dx.hypot(dy);
        match length > 1e-9 {
            true => Self::new(dx / length, dy / length),
            false => Self::new(1.0, 0.0),
        }
    }
}

/// How far an arrow head reaches back from its tip.
const HEAD: f64 = 9.0;

/// A drawn line with an arrow head.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Curve {
    /// SVG path data of the line.
    pub line: String,
    /// SVG path data of the head.
    pub head: String,
}

/// A uniform cubic B-spline with the route's points as its control points: it starts at the first,
/// ends at the last, and stays inside of their hull, so it never swings out further than the route.
pub fn along(points: &[Point]) -> Curve {
    let [first, .., before, tip] = points else {
        let (from, to) = match points {
            [] => return Curve::default(),
            [only] => (*only, *only),
            [from, .., to] => (*from, *to),
        };
        return straight(from, to);
    };
    let direction = before.towards(*tip);
    let end = tip.moved(direction, -HEAD + 1.0);
    let mut line = format!("M{}", show(*first));
    let inner = &points[1..points.len() - 1];
    // The spline's knots lie between control points; the first and last are met by lines.
    let mut all = vec![*first];
    all.extend_from_slice(inner);
    all.push(end);
    let third = |a: Point, b: Point| Point::new((2.0 * a.x + b.x) / 3.0, (2.0 * a.y + b.y) / 3.0);
    let knot = |a: Point, b: Point, c: Point| {
        Point::new((a.x + 4.0 * b.x + c.x) / 6.0, (a.y + 4.0 * b.y + c.y) / 6.0)
    };
    let start_knot = Point::new(
        (5.0 * all[0].x + all[1].x) / 6.0,
        (5.0 * all[0].y + all[1].y) / 6.0,
    );
    let _ = write!(line, "L{}", show(start_knot));
    for i in 0..all.len() - 1 {
        let (a, b) = (all[i], all[i + 1]);
        let after = all.get(i + 2).copied().unwrap_or(b);
        let _ = write!(
            line,
            "C{} {} {}",
            show(third(a, b)),
            show(third(b, a)),
            show(knot(a, b, after))
        );
    }
    let _ = write!(line, "L{}", show(end));
    Curve {
        line,
        head: head(*tip, direction),
    }
}

pub fn straight(from: Point, to: Point) -> Curve {
    let direction = from.towards(to);
    let end = to.moved(direction, -HEAD + 1.0);
    Curve {
        line: format!("M{}L{}", show(from), show(end)),
        head: head(to, direction),
    }
}

/// A loop that leaves a state at `from` and comes back at `to`, reaching out along `out`.
pub fn loop_at(from: Point, to: Point, out: Point, reach: f64) -> Curve {
    let side = from.towards(to);
    let first = from.moved(out, reach).moved(side, -reach * 0.25);
    let second = to.moved(out, reach).moved(side, reach * 0.25);
    let direction = second.towards(to);
    let end = to.moved(direction, -HEAD + 1.0);
    Curve {
        line: format!(
            "M{}C{} {} {}",
            show(from),
            show(first),
            show(second),
            show(end)
        ),
        head: head(to, direction),
    }
}

fn head(tip: Point, direction: Point) -> String {
    let across = Point::new(-direction.y, direction.x);
    let base = tip.moved(direction, -HEAD);
    format!(
        "M{}L{}L{}Z",
        show(tip),
        show(base.moved(across, 3.6)),
        show(base.moved(across, -3.6))
    )
}

/// A tenth of a pixel is enough.
pub fn show(point: Point) -> String {
    format!("{},{}", tenth(point.x), tenth(point.y))
}

pub fn tenth(number: f64) -> f64 {
    // Adding zero turns -0.0, which would be written with its sign, into 0.
    (number * 10.0).round() / 10.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spline_starts_and_ends_where_the_route_does() {
        let points = [(0.0, 0.0), (50.0, 0.0), (50.0, 80.0), (100.0, 80.0)];
        let points = points.map(|(x, y)| Point::new(x, y));
        let curve = along(&points);
        assert!(curve.line.starts_with("M0,0L"), "{}", curve.line);
        assert!(curve.line.ends_with("L92,80"), "{}", curve.line);
        assert_eq!(curve.head, "M100,80L91,83.6L91,76.4Z");
    }

    #[test]
    fn degenerate_routes_do_not_divide_by_zero() {
        let same = [Point::new(3.0, 3.0); 3];
        for n in 0..=3 {
            assert!(!along(&same[..n]).line.contains("NaN"));
        }
    }
}
