//! What a page says, read back from the page itself: reports list themselves.

use crate::page::{DATA_END, DATA_START};
use serde_json::Value;

/// The head of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageSummary {
    pub title: String,
    pub command: String,
    pub verdict: String,
    pub guarantee: String,
    /// `finding`, `promise`, `bet` or `nothing`; empty if the page does not say.
    pub class: String,
    /// How many things the guarantee rests on.
    pub assumptions: usize,
}

/// The head of a page of ours; `None` for any other file.
pub fn read_summary(html: &str) -> Option<PageSummary> {
    let start = html.find(DATA_START)? + DATA_START.len();
    let end = start + html[start..].find(DATA_END)?;
    let data: Value = serde_json::from_str(&html[start..end]).ok()?;
    let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
    Some(PageSummary {
        title: text(&data["title"]),
        command: text(&data["command"]),
        verdict: text(&data["outcome"]["verdict"]),
        guarantee: text(&data["outcome"]["guarantee"]["text"]),
        class: text(&data["outcome"]["guarantee"]["class"]),
        assumptions: data["outcome"]["guarantee"]["assumptions"]
            .as_array()
            .map_or(0, Vec::len),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;
    use serde_json::json;

    #[test]
    fn a_page_says_what_it_is() {
        let page = Page {
            title: "verify <x>.c",
            command: "idiolect verify '<x>.c'",
            outcome: &json!({"verdict": "proved", "guarantee": {"text": "No run fails."}}),
            sources: &[],
        };
        let summary = read_summary(&page.to_html()).unwrap();
        assert_eq!(summary.title, "verify <x>.c");
        assert_eq!(summary.command, "idiolect verify '<x>.c'");
        assert_eq!(summary.verdict, "proved");
        assert_eq!(summary.guarantee, "No run fails.");
        assert_eq!(read_summary("<html></html>"), None);
    }
}
