//! A few curves on logarithmic axes, as SVG.

use std::fmt::Write as _;

/// Points of one curve, and what it is called.
#[derive(Clone, Debug)]
pub struct Series {
    pub name: String,
    /// Both above 0, else they are not drawn.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// The slope of the line of least squares through the logarithms: `y` grows like `x` to this
    /// power.
    pub fn exponent(&self) -> f64 {
        let logs: Vec<(f64, f64)> = self.drawn().map(|(x, y)| (x.ln(), y.ln())).collect();
        let n = logs.len() as f64;
        let mean = |f: &dyn Fn(&(f64, f64)) -> f64| logs.iter().map(f).sum::<f64>() / n;
        let (mx, my) = (mean(&|p| p.0), mean(&|p| p.1));
        let covariance: f64 = logs.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
        let variance: f64 = logs.iter().map(|p| (p.0 - mx).powi(2)).sum();
        covariance / variance
    }

    fn drawn(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let points = self.points.iter().copied();
        points.filter(|&(x, y)| x > 0.0 && y > 0.0)
    }
}

/// One pair of axes.
#[derive(Clone, Debug)]
pub struct Panel {
    pub title: String,
    pub x: String,
    pub y: String,
    pub series: Vec<Series>,
}

const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 330.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 15.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 48.0;
const COLORS: [&str; 4] = ["#1b6ca8", "#c2410c", "#2e7d32", "#6a1b9a"];

/// The panels in rows of two.
pub fn svg(panels: &[Panel]) -> String {
    let rows = panels.len().div_ceil(2);
    let (width, height) = (2.0 * WIDTH, rows as f64 * HEIGHT);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (i, panel) in panels.iter().enumerate() {
        let (x, y) = ((i % 2) as f64 * WIDTH, (i / 2) as f64 * HEIGHT);
        let _ = writeln!(text, "<g transform=\"translate({x} {y})\">");
        draw(&mut text, panel);
        text.push_str("</g>\n");
    }
    text.push_str("</svg>\n");
    text
}

/// Powers of ten around all values.
fn decades(values: impl Iterator<Item = f64>) -> Option<(i32, i32)> {
    let logs: Vec<f64> = values.map(f64::log10).collect();
    let low = logs.iter().copied().reduce(f64::min)?;
    let high = logs.iter().copied().reduce(f64::max)?;
    let low = (low + 1e-9).floor() as i32;
    Some((low, ((high - 1e-9).ceil() as i32).max(low + 1)))
}

fn draw(text: &mut String, panel: &Panel) {
    let all = || panel.series.iter().flat_map(Series::drawn);
    let ranges = (decades(all().map(|p| p.0)), decades(all().map(|p| p.1)));
    let (Some((x0, x1)), Some((y0, y1))) = ranges else {
        return;
    };
    let right = WIDTH - RIGHT;
    let bottom = HEIGHT - BOTTOM;
    let place = |v: f64, low: i32, high: i32, from: f64, to: f64| {
        from + (v.log10() - f64::from(low)) / f64::from(high - low) * (to - from)
    };
    let at = |(x, y): (f64, f64)| (place(x, x0, x1, LEFT, right), place(y, y0, y1, bottom, TOP));
    let _ = writeln!(
        text,
        "<text x=\"{LEFT}\" y=\"18\" font-weight=\"bold\">{}</text>",
        escape(&panel.title)
    );
    for decade in x0..=x1 {
        let x = place(10f64.powi(decade), x0, x1, LEFT, right);
        let _ = writeln!(
            text,
            "<path d=\"M{x:.1} {TOP}V{bottom}\" stroke=\"#ddd\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            bottom + 16.0,
            power(decade)
        );
    }
    for decade in y0..=y1 {
        let y = place(10f64.powi(decade), y0, y1, bottom, TOP);
        let _ = writeln!(
            text,
            "<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 6.0,
            y + 4.0,
            power(decade)
        );
    }
    let _ = writeln!(
        text,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
         <text transform=\"translate(14 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        f64::midpoint(LEFT, right),
        HEIGHT - 12.0,
        escape(&panel.x),
        f64::midpoint(TOP, bottom),
        escape(&panel.y)
    );
    for (i, series) in panel.series.iter().enumerate() {
        let color = COLORS[i % COLORS.len()];
        let points: Vec<(f64, f64)> = series.drawn().map(at).collect();
        let line: Vec<String> = points
            .iter()
            .map(|p| format!("{:.1},{:.1}", p.0, p.1))
            .collect();
        let _ = writeln!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\"/>",
            line.join(" ")
        );
        for (x, y) in points {
            let _ = writeln!(
                text,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"{color}\"/>"
            );
        }
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{color}\">{}: exponent {:.2}</text>",
            LEFT + 8.0,
            TOP + 14.0 + 15.0 * i as f64,
            escape(&series.name),
            series.exponent()
        );
    }
}

/// Large powers as such, small ones as numbers.
fn power(decade: i32) -> String {
    match decade {
        0..=4 => 10i32.pow(decade as u32).to_string(),
        -4..0 => format!("{:.*}", decade.unsigned_abs() as usize, 10f64.powi(decade)),
        _ => format!("1e{decade}"),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(f: impl Fn(f64) -> f64) -> Series {
        Series {
            name: "a < b".to_owned(),
            points: [1.0, 10.0, 50.0, 1000.0].map(|x| (x, f(x))).to_vec(),
        }
    }

    #[test]
    fn the_exponent_is_that_of_the_power() {
        assert!((series(|x| 3.0 * x * x).exponent() - 2.0).abs() < 1e-9);
        assert!((series(|x| x.sqrt() / 7.0).exponent() - 0.5).abs() < 1e-9);
        // What cannot be drawn does not count.
        let mut odd = series(|x| x);
        odd.points.push((5.0, 0.0));
        assert!((odd.exponent() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_drawing_has_its_points_inside() {
        let panel = Panel {
            title: "t".to_owned(),
            x: "x".to_owned(),
            y: "y".to_owned(),
            series: vec![series(|x| x)],
        };
        let text = svg(&[panel]);
        assert_eq!(text.matches("<circle").count(), 4);
        assert!(text.contains("cx=\"70.0\" cy=\"282.0\""), "{text}");
        assert!(text.contains("cx=\"445.0\" cy=\"34.0\""), "{text}");
        assert!(text.contains("a &lt; b: exponent 1.00"));
    }
}
