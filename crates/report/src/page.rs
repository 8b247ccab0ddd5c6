//! One self-contained page: our own style and script, the data as one JSON element, and the
//! drawings, which were made when the page was written.

use crate::packed::pack;
use crate::scenes::scenes;
use crate::svg::escape;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A file that the page shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceText {
    pub file: String,
    pub text: String,
}

/// What goes on a page.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    pub title: &'a str,
    /// The command that reproduces the outcome.
    pub command: &'a str,
    /// The outcome as `--json` prints it.
    pub outcome: &'a Value,
    pub sources: &'a [SourceText],
}

/// Around the data, where [`crate::read_summary`] finds it again.
pub(crate) const DATA_START: &str = "<script type=\"application/json\" id=\"data\">";
pub(crate) const DATA_END: &str = "</script>";

/// Nothing may be loaded from anywhere: the page is what it is.
pub const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      img-src data:";

const STYLE: &[&str] = &[
    include_str!("../assets/css/colors.css"),
    include_str!("../assets/css/page.css"),
    include_str!("../assets/css/drawing.css"),
    include_str!("../assets/css/automaton.css"),
    include_str!("../assets/css/source.css"),
    include_str!("../assets/css/run.css"),
    include_str!("../assets/css/facts.css"),
    include_str!("../assets/css/print.css"),
];

/// In the order in which they need each other.
const SCRIPT: &[&str] = &[
    include_str!("../assets/js/dom.js"),
    include_str!("../assets/js/steps.js"),
    include_str!("../assets/js/data.js"),
    include_str!("../assets/js/c_lexer.js"),
    include_str!("../assets/js/compare.js"),
    include_str!("../assets/js/source.js"),
    include_str!("../assets/js/fold.js"),
    include_str!("../assets/js/run.js"),
    include_str!("../assets/js/watch.js"),
    include_str!("../assets/js/find.js"),
    include_str!("../assets/js/pan_zoom.js"),
    include_str!("../assets/js/automaton.js"),
    include_str!("../assets/js/neighbours.js"),
    include_str!("../assets/js/states.js"),
    include_str!("../assets/js/words.js"),
    include_str!("../assets/js/facts.js"),
    include_str!("../assets/js/findings.js"),
    include_str!("../assets/js/player.js"),
    include_str!("../assets/js/head.js"),
    include_str!("../assets/js/address.js"),
    include_str!("../assets/js/main.js"),
];

impl Page<'_> {
    /// One file with everything in it.
    pub fn to_html(&self) -> String {
        let sources: Vec<Value> = self
            .sources
            .iter()
            .map(|s| json!({ "file": s.file, "text": s.text }))
            .collect();
        let scenes = scenes(self.outcome);
        let (outcome, pieces) = pack(self.outcome);
        let data = json!({
            "title": self.title,
            "command": self.command,
            "outcome": outcome,
            "sources": sources,
            "scenes": scenes.iter().map(|scene| scene.to_json()).collect::<Vec<Value>>(),
        });
        let mut traces = String::new();
        for (number, text) in pieces.iter().enumerate() {
            let _ = writeln!(
                traces,
                "<script type=\"text/plain\" id=\"trace-{number}\">{text}{DATA_END}"
            );
        }
        let mut drawings = String::new();
        for (index, scene) in scenes.iter().enumerate() {
            let _ = writeln!(
                drawings,
                "<div class=\"drawings\" data-scene=\"{index}\">\n{}</div>",
                scene.svg()
            );
        }
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n\
             <noscript><style>#drawings {{ display: block; }}</style>This page draws itself with a \
             script of its own; nothing is loaded.</noscript>\n<main id=\"page\"></main>\n\
             <div id=\"drawings\" hidden>\n{drawings}</div>\n\
             {DATA_START}{data}{DATA_END}\n{traces}\
             <script>\n\"use strict\";\n{script}</script>\n</body>\n</html>\n",
            title = escape(self.title),
            style = STYLE.concat(),
            data = script_safe(&data),
            script = SCRIPT.concat(),
        )
    }
}

/// JSON inside of a script element: `</script>` and `<!--` in a string must not end or change it.
pub(crate) fn script_safe(data: &Value) -> String {
    data.to_string().replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_text_cannot_break_out_of_the_page() {
        let page = Page {
            title: "<b>&",
            command: "",
            outcome: &json!({ "stdout": "</script><script>alert(1)</script><!--" }),
            sources: &[],
        };
        let html = page.to_html();
        assert_eq!(html.matches("</script>").count(), 2);
        assert!(!html.contains("<!--"));
        assert!(html.contains("<title>&lt;b&gt;&amp;</title>"));
    }

    #[test]
    fn nothing_is_loaded_from_the_network() {
        let page = Page {
            title: "t",
            command: "c",
            outcome: &Value::Null,
            sources: &[],
        };
        let html = page.to_html();
        assert!(html.contains("default-src 'none'"));
        assert!(!html.contains("http://") && !html.contains("https://"));
        assert!(html.len() < 148_000, "{} bytes", html.len());
    }
}
