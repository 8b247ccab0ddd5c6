//! Integer points of a convex part of the plane: cut by half-planes and lines, bounded, and found.
//!
//! A part is a polygon with rational corners or, once an equation has been met, the integer points of
//! a line. All arithmetic is exact; what does not fit into 128 bits is `None`, and nobody may conclude
//! anything from it. Every side is moved inward to the next line that has integer points, so that many
//! parts without any are seen to be empty at once.

/// `a·x + b·y + c`
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Form {
    pub a: i128,
    pub b: i128,
    pub c: i128,
}

impl Form {
    pub fn constant(c: i128) -> Self {
        Self { a: 0, b: 0, c }
    }

    pub fn plus(self, other: Self) -> Option<Self> {
        Some(Self {
            a: self.a.checked_add(other.a)?,
            b: self.b.checked_add(other.b)?,
            c: self.c.checked_add(other.c)?,
        })
    }

    pub fn times(self, k: i128) -> Option<Self> {
        Some(Self {
            a: self.a.checked_mul(k)?,
            b: self.b.checked_mul(k)?,
            c: self.c.checked_mul(k)?,
        })
    }

    pub fn minus(self, other: Self) -> Option<Self> {
        self.plus(other.times(-1)?)
    }

    pub fn at(self, x: i128, y: i128) -> Option<i128> {
        let ax = self.a.checked_mul(x)?;
        let by = self.b.checked_mul(y)?;
        ax.checked_add(by)?.checked_add(self.c)
    }

    /// The same half-plane `self >= 0` of integer points, with coefficients that have no common
    /// divisor.
    fn tight(self) -> Self {
        match gcd(self.a, self.b) {
            0 | 1 => self,
            g => Self {
                a: self.a / g,
                b: self.b / g,
                c: self.c.div_euclid(g),
            },
        }
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// `(x, y)` with `a·x + b·y = gcd(a, b)`, for a gcd of 1 or -1 with its sign put right.
fn bezout(a: i128, b: i128) -> Option<(i128, i128)> {
    let (mut r0, mut r1) = (a, b);
    let (mut x0, mut x1) = (1i128, 0i128);
    let (mut y0, mut y1) = (0i128, 1i128);
    while r1 != 0 {
        let q = r0 / r1;
        (r0, r1) = (r1, r0 - q * r1);
        (x0, x1) = (x1, x0.checked_sub(q.checked_mul(x1)?)?);
        (y0, y1) = (y1, y0.checked_sub(q.checked_mul(y1)?)?);
    }
    match r0 {
        1 => Some((x0, y0)),
        -1 => Some((-x0, -y0)),
        _ => None,
    }
}

/// The quotient rounded down, and up.
fn floor(n: i128, d: i128) -> i128 {
    let q = n / d;
    q - i128::from(n % d != 0 && (n < 0) != (d < 0))
}

fn ceil(n: i128, d: i128) -> i128 {
    let q = n / d;
    q + i128::from(n % d != 0 && (n < 0) == (d < 0))
}

/// The point (x/d, y/d) with d > 0, and the side on which the boundary goes on from there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Corner {
    x: i128,
    y: i128,
    d: i128,
    side: Form,
}

impl Corner {
    /// Where two sides meet.
    fn of(one: Form, other: Form, side: Form) -> Option<Self> {
        let cross = |a: i128, b: i128, c: i128, d: i128| {
            let left = a.checked_mul(d)?;
            left.checked_sub(b.checked_mul(c)?)
        };
        let d = cross(one.a, one.b, other.a, other.b)?;
        let x = cross(one.b, one.c, other.b, other.c)?;
        let y = cross(one.c, one.a, other.c, other.a)?;
        match d.signum() {
            0 => None,
            sign => Some(Self {
                x: x.checked_mul(sign)?,
                y: y.checked_mul(sign)?,
                d: d.checked_mul(sign)?,
                side,
            }),
        }
    }

    /// The value of a form, times `d`.
    fn value(&self, form: Form) -> Option<i128> {
        let ax = form.a.checked_mul(self.x)?;
        let by = form.b.checked_mul(self.y)?;
        let c = form.c.checked_mul(self.d)?;
        ax.checked_add(by)?.checked_add(c)
    }
}

/// The integer points `(x + t·dx, y + t·dy)` for `low <= t <= high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    x: i128,
    y: i128,
    dx: i128,
    dy: i128,
    low: i128,
    high: i128,
}

/// What is beyond every value that fits.
const FAR: i128 = 1 << 120;
/// Lines that are looked at from each end of a polygon in the search for a point.
const LINES: i128 = 24;

/// A convex part of the plane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Region {
    Empty,
    Line(Line),
    /// At least three corners, in order.
    Polygon(Corners),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Corners(Vec<Corner>);

impl Line {
    /// The form along the line: `slope·t + start`.
    fn along(&self, form: Form) -> Option<(i128, i128)> {
        let start = form.at(self.x, self.y)?;
        let slope = Form { c: 0, ..form }.at(self.dx, self.dy)?;
        Some((slope, start))
    }

    fn cut(mut self, form: Form) -> Option<Region> {
        let (slope, start) = self.along(form)?;
        match slope.signum() {
            0 if start < 0 => return Some(Region::Empty),
            0 => {}
            1 => self.low = self.low.max(ceil(start.checked_neg()?, slope)),
            _ => self.high = self.high.min(floor(start, slope.checked_neg()?)),
        }
        Some(if self.low <= self.high {
            Region::Line(self)
        } else {
            Region::Empty
        })
    }

    /// The point that is nearest to zero, or near to it.
    fn point(&self) -> Option<(i128, i128)> {
        let mut best: Option<(i128, i128)> = None;
        let mut candidates = vec![self.low, self.high];
        for (at, step) in [(self.x, self.dx), (self.y, self.dy)] {
            if step != 0 {
                let t = floor(at.checked_neg()?, step);
                candidates.extend([t, t + 1]);
            }
        }
        for t in candidates {
            let t = t.clamp(self.low, self.high);
            let x = self.x.checked_add(t.checked_mul(self.dx)?)?;
            let y = self.y.checked_add(t.checked_mul(self.dy)?)?;
            if best.is_none_or(|(p, q)| x.abs().max(y.abs()) < p.abs().max(q.abs())) {
                best = Some((x, y));
            }
        }
        best
    }
}

impl Region {
    /// Values of one variable, the first.
    pub fn interval(low: i128, high: i128) -> Self {
        Self::Line(Line {
            x: 0,
            y: 0,
            dx: 1,
            dy: 0,
            low,
            high,
        })
    }

    /// Values of two variables; there has to be more than one of each.
    pub fn rectangle(x: (i128, i128), y: (i128, i128)) -> Option<Self> {
        let side = |a, b, c| Form { a, b, c };
        let sides = [
            side(0, 1, -y.0),
            side(-1, 0, x.1),
            side(0, -1, y.1),
            side(1, 0, -x.0),
        ];
        let mut corners = Vec::new();
        for i in 0..4 {
            corners.push(Corner::of(sides[(i + 3) % 4], sides[i], sides[i])?);
        }
        Some(Self::Polygon(Corners(corners)))
    }

    /// The part where the form is not negative.
    pub fn cut(&self, form: Form) -> Option<Self> {
        let form = form.tight();
        if form.a == 0 && form.b == 0 {
            return Some(if form.c >= 0 {
                self.clone()
            } else {
                Self::Empty
            });
        }
        match self {
            Self::Empty => Some(Self::Empty),
            Self::Line(line) => line.cut(form),
            Self::Polygon(polygon) => polygon.cut(form),
        }
    }

    /// The part where the form is zero.
    pub fn on(&self, form: Form) -> Option<Self> {
        let g = gcd(form.a, form.b);
        if g == 0 {
            return self.cut(Form::constant(-form.c.abs()));
        }
        if form.c % g != 0 {
            return Some(Self::Empty);
        }
        let form = form.tight();
        match self {
            Self::Empty => Some(Self::Empty),
            Self::Line(line) => match line.cut(form)? {
                Self::Line(line) => line.cut(form.times(-1)?),
                other => Some(other),
            },
            Self::Polygon(polygon) => polygon.on(form),
        }
    }

    /// Between which integers the values of the form at points of the region are; `None` too if the
    /// region is empty.
    pub fn bounds(&self, form: Form) -> Option<(i128, i128)> {
        match self {
            Self::Empty => None,
            Self::Line(line) => {
                let (slope, start) = line.along(form)?;
                let one = slope.checked_mul(line.low)?.checked_add(start)?;
                let other = slope.checked_mul(line.high)?.checked_add(start)?;
                Some((one.min(other), one.max(other)))
            }
            Self::Polygon(polygon) => {
                let mut ends: Option<(i128, i128)> = None;
                for corner in &polygon.0 {
                    let value = corner.value(form)?;
                    let (up, down) = (ceil(value, corner.d), floor(value, corner.d));
                    ends = Some(match ends {
                        None => (up, down),
                        Some((low, high)) => (low.min(up), high.max(down)),
                    });
                }
                ends
            }
        }
    }

    /// An integer point, a small one if that is easy; `Err` if there is none, `None` if it was not
    /// found out.
    pub fn point(&self) -> Option<Result<(i128, i128), NoPoint>> {
        match self {
            Self::Empty => Some(Err(NoPoint)),
            Self::Line(line) => line.point().map(Ok),
            Self::Polygon(polygon) => polygon.point(),
        }
    }
}

/// The region has no integer point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoPoint;

impl Corners {
    fn cut(&self, form: Form) -> Option<Region> {
        let n = self.0.len();
        let values: Vec<i128> = (self.0.iter())
            .map(|c| c.value(form))
            .collect::<Option<_>>()?;
        if values.iter().all(|&v| v >= 0) {
            return Some(Region::Polygon(self.clone()));
        }
        let mut left: Vec<Corner> = Vec::with_capacity(n + 1);
        for (i, &corner) in self.0.iter().enumerate() {
            let (here, next) = (values[i], values[(i + 1) % n]);
            if here >= 0 {
                left.push(corner);
                if next < 0 {
                    match (here, left.last_mut()) {
                        (0, Some(last)) => last.side = form,
                        _ => left.push(Corner::of(corner.side, form, form)?),
                    }
                }
            } else if next > 0 {
                left.push(Corner::of(corner.side, form, corner.side)?);
            }
        }
        match left.len() {
            0 => Some(Region::Empty),
            // What is left of it lies on the form's line.
            1 | 2 => self.on(form),
            _ => Some(Region::Polygon(Self(left))),
        }
    }

    /// The integer points where the form, whose coefficients have no common divisor, is zero.
    fn on(&self, form: Form) -> Option<Region> {
        let (u, v) = bezout(form.a, form.b)?;
        let k = form.c.checked_neg()?;
        let mut region = Region::Line(Line {
            x: u.checked_mul(k)?,
            y: v.checked_mul(k)?,
            dx: form.b,
            dy: form.a.checked_neg()?,
            low: -FAR,
            high: FAR,
        });
        for corner in &self.0 {
            region = region.cut(corner.side)?;
        }
        Some(region)
    }

    fn point(&self) -> Option<Result<(i128, i128), NoPoint>> {
        let axes = [(1, 0), (0, 1)];
        let sides = self.0.iter().map(|c| (c.side.a, c.side.b));
        let directions: Vec<(i128, i128)> = axes.into_iter().chain(sides).collect();
        let region = Region::Polygon(self.clone());
        for (i, (a, b)) in directions.into_iter().enumerate() {
            let (low, high) = region.bounds(Form { a, b, c: 0 })?;
            let mut tried = 0;
            let mut candidates = Vec::new();
            if i < axes.len() {
                let start = 0.clamp(low, high.max(low));
                candidates.push(start);
                for step in 1..LINES {
                    candidates.extend([start + step, start - step]);
                }
            } else {
                for step in 0..LINES {
                    candidates.extend([low + step, high - step]);
                }
            }
            candidates.retain(|k| (low..=high).contains(k));
            if i >= axes.len() {
                candidates.sort_unstable();
                candidates.dedup();
            }
            for k in candidates {
                tried += 1;
                if let Region::Line(line) = self.on(Form { a, b, c: -k })? {
                    return line.point().map(Ok);
                }
            }
            if tried > high - low {
                return Some(Err(NoPoint));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use idiolect_base::Rng;

    /// Random cuts of a small square against all its points.
    #[test]
    fn regions_have_the_points_they_should_have() {
        let (mut empty, mut lines, mut polygons) = (0, 0, 0);
        for seed in 0..6_000 {
            let mut rng = Rng::new(seed, 0);
            let (low, high) = (-8i128, 7i128);
            let mut region = Region::rectangle((low, high), (low, high)).unwrap();
            let mut points: Vec<(i128, i128)> = (low..=high)
                .flat_map(|x| (low..=high).map(move |y| (x, y)))
                .collect();
            for _ in 0..1 + rng.below(5) {
                let mut number = |n: i128| i128::from(rng.below(2 * n as u64 + 1)) - n;
                let form = Form {
                    a: number(4),
                    b: number(4),
                    c: number(12),
                };
                if rng.chance(1, 5) {
                    region = region.on(form).unwrap();
                    points.retain(|&(x, y)| form.at(x, y) == Some(0));
                } else {
                    region = region.cut(form).unwrap();
                    points.retain(|&(x, y)| form.at(x, y).unwrap() >= 0);
                }
            }
            match region.point() {
                Some(Ok(point)) => assert!(points.contains(&point), "seed {seed}"),
                Some(Err(NoPoint)) => assert!(points.is_empty(), "seed {seed}"),
                None => panic!("seed {seed}: the square is small enough"),
            }
            match &region {
                Region::Empty => empty += 1,
                Region::Line(_) => lines += 1,
                Region::Polygon(_) => polygons += 1,
            }
            let form = Form { a: 3, b: -2, c: 5 };
            if let Some((least, most)) = region.bounds(form) {
                for &(x, y) in &points {
                    let value = form.at(x, y).unwrap();
                    assert!(least <= value && value <= most, "seed {seed}");
                }
            }
        }
        assert!(
            empty > 500 && lines > 500 && polygons > 500,
            "{empty} {lines} {polygons}"
        );
    }

    #[test]
    fn a_thin_wedge_has_a_point_far_away() {
        // 55/34 < y/x < 89/55: the first integer point is (89, 144).
        let side = 1 << 31;
        let region = Region::rectangle((1, side), (1, side)).unwrap();
        let above = Form {
            a: -55,
            b: 34,
            c: -1,
        };
        let below = Form {
            a: 89,
            b: -55,
            c: -1,
        };
        let wedge = region.cut(above).unwrap().cut(below).unwrap();
        let (x, y) = wedge.point().unwrap().unwrap();
        assert!(34 * y > 55 * x && 55 * y < 89 * x, "{x} {y}");
        let none = wedge.cut(Form { a: -1, b: 0, c: 88 }).unwrap();
        assert_eq!(none.point(), Some(Err(NoPoint)));
    }
}
