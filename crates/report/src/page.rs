//! One self-contained page: our own style and script, and the data as one JSON element.

use serde_json::{Value, json};

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

/// Nothing may be loaded from anywhere: the page is what it is.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      img-src data:";

impl Page<'_> {
    pub fn to_html(&self) -> String {
        let sources: Vec<Value> = self
            .sources
            .iter()
            .map(|s| json!({ "file": s.file, "text": s.text }))
            .collect();
        let data = json!({
            "title": self.title,
            "command": self.command,
            "outcome": self.outcome,
            "sources": sources,
        });
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n\
             <noscript>This page draws itself with a script of its own; nothing is loaded.\
             </noscript>\n<main id=\"page\"></main>\n\
             <script type=\"application/json\" id=\"data\">{data}</script>\n\
             <script>\n{script}</script>\n</body>\n</html>\n",
            title = escape_text(self.title),
            style = include_str!("../assets/page.css"),
            data = script_safe(&data),
            script = include_str!("../assets/page.js"),
        )
    }
}

/// JSON inside of a script element: `</script>` and `<!--` in a string must not end or change it.
fn script_safe(data: &Value) -> String {
    data.to_string().replace('<', "\\u003c")
}

fn escape_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
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
        assert!(html.contains("<title>&lt;b>&amp;</title>"));
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
        assert!(html.len() < 40_000, "{} bytes", html.len());
    }
}
