//! Curves: smooth lines along a route, loops at a state, and the arrow heads at their ends.

use crate::layout::{Direction, DrawingPoint};
use std::fmt::Write as _;

impl DrawingPoint {
    /// A point.
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
        if length > 1e-9 {
            Self::new(dx / length, dy / length)
        } else {
            Self::new(1.0, 0.0)
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

/// A smooth curve through all points of a route, whose steps all go the same way (to the right or to
/// the left, or downwards or upwards). Between two points it never swings out beyond them
/// [Steffen 1990], and it goes through the middle of its label.
pub fn along(points: &[DrawingPoint], direction: Direction) -> Curve {
    let [.., _, _, tip] = points else {
        let (from, to) = match points {
            [] => return Curve::default(),
            [only] => (*only, *only),
            [from, .., to] => (*from, *to),
        };
        return straight(from, to);
    };
    // With x along the layers; turned back when written.
    let turn = |p: DrawingPoint| match direction {
        Direction::Right => p,
        Direction::Down => DrawingPoint::new(p.y, p.x),
    };
    let mut turned: Vec<DrawingPoint> = points.iter().map(|&p| turn(p)).collect();
    let n = turned.len();
    let first_slopes = slopes(&turned);
    // The head takes the last bit of the way, in the direction in which the curve arrives.
    let ahead = (turned[n - 1].x - turned[n - 2].x).signum();
    let arrival = turn(
        DrawingPoint::default().towards(DrawingPoint::new(ahead, ahead * first_slopes[n - 1])),
    );
    let end = tip.moved(arrival, -HEAD + 1.0);
    turned[n - 1] = turn(end);
    let slopes = slopes(&turned);
    let mut line = format!("M{}", show(points[0]));
    for i in 0..n - 1 {
        let (a, b) = (turned[i], turned[i + 1]);
        let third = (b.x - a.x) / 3.0;
        let _ = write!(
            line,
            "C{} {} {}",
            show(turn(DrawingPoint::new(
                a.x + third,
                a.y + third * slopes[i]
            ))),
            show(turn(DrawingPoint::new(
                b.x - third,
                b.y - third * slopes[i + 1]
            ))),
            show(turn(b))
        );
    }
    Curve {
        line,
        head: head(*tip, arrival),
    }
}

/// The slope of the curve at each of at least three points.
fn slopes(points: &[DrawingPoint]) -> Vec<f64> {
    let n = points.len();
    let steps: Vec<(f64, f64)> = points
        .windows(2)
        .map(|pair| {
            let (dx, dy) = (pair[1].x - pair[0].x, pair[1].y - pair[0].y);
            // Never quite upright: the slope stays finite.
            let dx = if dx.abs() < 0.5 {
                0.5_f64.copysign(dx)
            } else {
                dx
            };
            (dx, dy / dx)
        })
        .collect();
    let mut slopes = vec![0.0; n];
    for i in 1..n - 1 {
        let ((h0, s0), (h1, s1)) = (steps[i - 1], steps[i]);
        let mean = (s0 * h1 + s1 * h0) / (h0 + h1);
        slopes[i] = if s0 * s1 > 0.0 && h0 * h1 > 0.0 {
            s0.signum() * s0.abs().min(s1.abs()).min(0.5 * mean.abs()) * 2.0
        } else {
            0.0
        };
    }
    slopes[0] = 1.5 * steps[0].1 - 0.5 * slopes[1];
    slopes[n - 1] = 1.5 * steps[n - 2].1 - 0.5 * slopes[n - 2];
    slopes
}

/// A straight line as a curve.
pub fn straight(from: DrawingPoint, to: DrawingPoint) -> Curve {
    let direction = from.towards(to);
    let end = to.moved(direction, -HEAD + 1.0);
    Curve {
        line: format!("M{}L{}", show(from), show(end)),
        head: head(to, direction),
    }
}

/// A loop that leaves a state at `from` and comes back at `to`, reaching out along `out`.
pub fn loop_at(from: DrawingPoint, to: DrawingPoint, out: DrawingPoint, reach: f64) -> Curve {
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

fn head(tip: DrawingPoint, direction: DrawingPoint) -> String {
    let across = DrawingPoint::new(-direction.y, direction.x);
    let base = tip.moved(direction, -HEAD);
    format!(
        "M{}L{}L{}Z",
        show(tip),
        show(base.moved(across, 3.6)),
        show(base.moved(across, -3.6))
    )
}

/// A tenth of a pixel is enough.
pub fn show(point: DrawingPoint) -> String {
    format!("{},{}", tenth(point.x), tenth(point.y))
}

/// A number to one decimal place.
pub fn tenth(number: f64) -> f64 {
    // Adding zero turns -0.0, which would be written with its sign, into 0.
    (number * 10.0).round() / 10.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_goes_through_its_points() {
        let points = [(0.0, 0.0), (50.0, 0.0), (70.0, 80.0), (120.0, 80.0)];
        let points = points.map(|(x, y)| DrawingPoint::new(x, y));
        let curve = along(&points, Direction::Right);
        assert_eq!(
            curve.line,
            "M0,0C16.7,0 33.3,0 50,0C56.7,0 63.3,80 70,80C84,80 98,80 112,80"
        );
        assert_eq!(curve.head, "M120,80L111,83.6L111,76.4Z");
        let turned = points.map(|p| DrawingPoint::new(p.y, p.x));
        assert!(
            along(&turned, Direction::Down)
                .line
                .starts_with("M0,0C0,16.7 0,33.3 0,50")
        );
    }

    #[test]
    fn degenerate_routes_do_not_divide_by_zero() {
        let same = [DrawingPoint::new(3.0, 3.0); 3];
        for n in 0..=3 {
            for direction in [Direction::Right, Direction::Down] {
                let curve = along(&same[..n], direction);
                assert!(!(curve.line + &curve.head).contains("NaN"));
            }
        }
    }
}
