//! Drawings as SVG: for a page, which brings its own style, or as a file of its own.

use crate::draw::{Drawing, DrawnLine, DrawnNode, NodeShape, RING};
use crate::graph::{DrawError, Graph};
use crate::label::{LETTER_SIZE, LINE, LabelPiece, line_text, text_width};
use crate::layout::Dagre;
use crate::spline::tenth;
use crate::views::single_view;
use serde_json::Value;
use std::fmt::Write as _;

/// The automaton of an outcome as an SVG file.
pub fn automaton_svg(automaton: &Value) -> Result<String, DrawError> {
    let graph = Graph::from_json(automaton)?;
    let drawing = single_view(&graph, &Dagre)?;
    Ok(file(&drawing, &graph))
}

/// A file of its own: with a name space and a style.
pub fn file(drawing: &Drawing, graph: &Graph) -> String {
    let (width, height) = (tenth(drawing.size.width), tenth(drawing.size.height));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"automaton\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n<style>\n{}{}</style>\n\
         <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n",
        include_str!("../assets/css/colors.css"),
        include_str!("../assets/css/drawing.css"),
    );
    body(drawing, graph, &mut svg);
    svg.push_str("</svg>\n");
    svg
}

/// For a page.
pub fn inline(drawing: &Drawing, graph: &Graph, name: &str) -> String {
    let (width, height) = (tenth(drawing.size.width), tenth(drawing.size.height));
    let mut svg = format!(
        "<svg class=\"automaton\" role=\"img\" aria-label=\"automaton\" data-view=\"{name}\" \
         width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n",
    );
    body(drawing, graph, &mut svg);
    svg.push_str("</svg>\n");
    svg
}

fn body(drawing: &Drawing, graph: &Graph, svg: &mut String) {
    svg.push_str("<g class=\"world\">\n");
    // Lines first: labels and states lie on top of them.
    let hottest = drawing.edges.iter().filter_map(heat).fold(0.0, f64::max);
    for line in &drawing.edges {
        edge(line, graph, hottest, svg);
    }
    for one in &drawing.nodes {
        node(one, graph, svg);
    }
    svg.push_str("</g>\n");
}

/// The heat of the hottest letter of a line.
fn heat(line: &DrawnLine) -> Option<f64> {
    let heats = line.letters.iter().filter_map(|l| l.heat.or(l.weight));
    heats.filter(|h| h.is_finite()).reduce(f64::max)
}

fn edge(line: &DrawnLine, graph: &Graph, hottest: f64, svg: &mut String) {
    let dominating = line.letters.iter().any(|letter| letter.dominating);
    let pairs: Vec<String> = line.pairs.iter().map(|(a, b)| format!("{a}-{b}")).collect();
    // Heat without a weight is a share already: that of relevant statements.
    let is_share = line
        .letters
        .iter()
        .any(|l| l.heat.is_some() && l.weight.is_none());
    let _ = write!(
        svg,
        "<g class=\"edge{}{}\" data-pairs=\"{}\"",
        if dominating { " dominating" } else { "" },
        if is_share { " shared" } else { "" },
        pairs.join(" ")
    );
    if let Some(heat) = heat(line) {
        let whole = if is_share { 1.0 } else { hottest };
        let share = (heat / whole.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        let _ = write!(svg, " data-heat=\"{heat}\" style=\"--heat:{share:.3}\"");
    }
    let names: Vec<String> = line
        .letters
        .iter()
        .map(|letter| escape(letter.letter.map_or("λ", |l| &graph.alphabet[l])))
        .collect();
    let _ = writeln!(
        svg,
        "><title>{}</title><path class=\"reach\" d=\"{path}\"/><path class=\"line\" d=\"{path}\"/>\
         <path class=\"head\" d=\"{}\"/>",
        names.join(", "),
        line.curve.head,
        path = line.curve.line,
    );
    let lines = line.label.lines.len() as f64;
    let x = tenth(line.label_center.x);
    for (index, pieces) in line.label.lines.iter().enumerate() {
        let y = line.label_center.y + (index as f64 - (lines - 1.0) / 2.0) * LINE;
        // Paper behind the letters: the line does not strike them through.
        let width = text_width(&line_text(pieces), LETTER_SIZE) + 4.0;
        let _ = write!(
            svg,
            "<rect class=\"behind\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{LINE}\"/>\
             <text x=\"{x}\" y=\"{}\">",
            tenth(line.label_center.x - width / 2.0),
            tenth(y - LINE / 2.0),
            tenth(width),
            tenth(y + 4.0)
        );
        let spans: Vec<String> = pieces.iter().map(span).collect();
        svg.push_str(&spans.join(" "));
        svg.push_str("</text>\n");
    }
    svg.push_str("</g>\n");
}

/// Colours repeat after eight letters; names tell them apart.
const N_COLORS: usize = 8;

fn span(piece: &LabelPiece) -> String {
    let mut attributes = String::new();
    if let Some(letter) = piece.letter {
        let _ = write!(
            attributes,
            " class=\"letter c{}\" data-letter=\"{letter}\"",
            letter % N_COLORS
        );
    }
    if let Some(heat) = piece.heat {
        let _ = write!(attributes, " data-heat=\"{heat}\"");
    }
    format!("<tspan{attributes}>{}</tspan>", escape(&piece.text))
}

fn node(node: &DrawnNode, graph: &Graph, svg: &mut String) {
    let is_box = node.ids.len() > 1;
    let flags = [
        ("initial", node.initial),
        ("accepting", node.accepting),
        ("doomed", node.doomed),
        ("outside", node.outside),
        ("many", is_box),
    ];
    let classes: String = flags
        .iter()
        .filter(|(_, on)| *on)
        .map(|(name, _)| format!(" {name}"))
        .collect();
    let ids: Vec<String> = node.ids.iter().map(u64::to_string).collect();
    let _ = write!(
        svg,
        "<g class=\"state{classes}\" data-ids=\"{}\"><title>{}</title>",
        ids.join(" "),
        escape(&title(node, graph))
    );
    if let Some(start) = &node.start {
        let _ = write!(
            svg,
            "<path class=\"line\" d=\"{}\"/><path class=\"head\" d=\"{}\"/>",
            start.line, start.head
        );
    }
    let (x, y) = (tenth(node.center.x), tenth(node.center.y));
    let rings = if node.accepting && !is_box { 2 } else { 1 };
    for ring in 0..rings {
        let inset = f64::from(ring) * RING;
        let class = if ring == 0 { "outline" } else { "ring" };
        let _ = match node.shape {
            NodeShape::Circle(radius) => write!(
                svg,
                "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>",
                radius - inset
            ),
            NodeShape::Box(size) => write!(
                svg,
                "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>",
                tenth(node.center.x - size.width / 2.0 + inset),
                tenth(node.center.y - size.height / 2.0 + inset),
                tenth(size.width - 2.0 * inset),
                tenth(size.height - 2.0 * inset),
                9.0 - inset
            ),
        };
    }
    let lines = node.lines.len() as f64;
    for (index, text) in node.lines.iter().enumerate() {
        // The mark of doom stands below a single name.
        let lift = if node.doomed && !is_box && lines < 2.0 {
            -3.0
        } else {
            0.0
        };
        let y = node.center.y + (index as f64 - (lines - 1.0) / 2.0) * LINE + lift;
        let class = if index == 0 { "name" } else { "output" };
        let _ = write!(
            svg,
            "<text class=\"{class}\" x=\"{x}\" y=\"{}\">{}</text>",
            tenth(y + 4.0),
            escape(text)
        );
    }
    if node.doomed && !is_box {
        let below = match node.shape {
            NodeShape::Circle(_) => node.center.y + 12.0,
            NodeShape::Box(size) => node.center.y + size.height / 2.0 - 3.0,
        };
        let _ = write!(
            svg,
            "<text class=\"mark\" x=\"{x}\" y=\"{}\">⊘</text>",
            tenth(below)
        );
    }
    svg.push_str("</g>\n");
}

fn title(node: &DrawnNode, graph: &Graph) -> String {
    let mut parts: Vec<String> = vec![match node.ids[..] {
        [id] => format!("state q{id}"),
        _ => format!("{} states", node.ids.len()),
    }];
    if node.initial {
        parts.push("runs start here".to_owned());
    }
    if node.accepting {
        parts.push("accepting".to_owned());
    }
    if node.doomed {
        parts.push("failure is certain from here on".to_owned());
    }
    if let [member] = node.part.members[..]
        && let Some(output) = &graph.states[member].output
    {
        parts.push(output.clone());
    }
    parts.join(", ")
}

/// A text as HTML and SVG take it.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML has no way to write most control characters.
            c if c.is_control() && !matches!(c, '\n' | '\t') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}
