//! Diagnostics as text with source snippets, and as JSON.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use idiolect_base::{Diagnostic, Severity, SourceMap};
use idiolect_outcome::results::Complaint;
use std::fmt::Write as _;

/// All diagnostics, each with the line it is about, and a closing count.
pub fn diagnostics(sources: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics.iter().take(MOST) {
        text.push_str(&one(sources, diagnostic));
        text.push_str("\n\n");
    }
    let errors = diagnostics.iter().filter(|d| d.is_error()).count();
    if diagnostics.len() > MOST {
        let more = diagnostics.len() - MOST;
        let _ = writeln!(
            text,
            "{errors} errors in all; {more} more messages are not shown"
        );
    } else if errors > 1 {
        let _ = writeln!(text, "{errors} errors");
    }
    text
}

/// Nobody reads more messages than this, and most of them follow from the first ones.
pub const MOST: usize = 50;

fn one(sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = level
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code)
        .elements(Vec::<annotate_snippets::Element<'_>>::new());
    let place = sources.place(diagnostic.span);
    let line_text = sources.line_text(diagnostic.span).unwrap_or("");
    if let Some(place) = &place {
        let range = annotated_range(line_text, place.column, sources.slice(diagnostic.span));
        group = group.element(
            Snippet::source(line_text)
                .line_start(place.line as usize)
                .path(place.file.as_str())
                .annotation(AnnotationKind::Primary.span(range)),
        );
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    Renderer::styled().render(&[group])
}

/// The bytes of the line to underline: the span as far as it is on this line, at least one
/// character where there is one.
fn annotated_range(line: &str, column: u32, slice: &str) -> std::ops::Range<usize> {
    let mut start = (column as usize - 1).min(line.len());
    while !line.is_char_boundary(start) {
        start -= 1;
    }
    let on_line = slice.split('\n').next().unwrap_or("").trim_end();
    let mut end = if line[start..].starts_with(on_line) {
        start + on_line.len()
    } else {
        let rest = &line[start..];
        let name = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        start + name.unwrap_or(rest.len())
    };
    if end == start {
        end += line[start..].chars().next().map_or(0, char::len_utf8);
    }
    start..end
}

/// An error that is not about C source.
pub fn plain_error(code: &str, message: &str, help: &str) -> String {
    let mut group = Level::ERROR
        .primary_title(message)
        .id(code)
        .elements(Vec::<annotate_snippets::Element<'_>>::new());
    if !help.is_empty() {
        group = group.element(Level::HELP.message(help));
    }
    let mut text = Renderer::styled().render(&[group]);
    text.push('\n');
    text
}

/// One line for lists of warnings: `file:line: message (help)`.
pub fn one_line(sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    let place = sources.place(diagnostic.span);
    let place = place.map_or(String::new(), |p| format!("{}:{}: ", p.file, p.line));
    let help = diagnostic.help.as_deref();
    let help = help.map_or(String::new(), |h| format!(" ({h})"));
    format!("{place}{}{help}", diagnostic.message)
}

/// A complaint about a source, for readers of JSON.
pub fn complaint(sources: &SourceMap, diagnostic: &Diagnostic) -> Complaint {
    let place = sources.place(diagnostic.span);
    Complaint {
        severity: Some(match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }),
        code: diagnostic.code.to_string(),
        message: diagnostic.message.clone(),
        file: place.as_ref().map(|p| p.file.clone()),
        line: place.as_ref().map(|p| p.line),
        column: place.as_ref().map(|p| p.column),
        help: diagnostic.help.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::annotated_range;

    #[test]
    fn underlines_stay_on_the_line_and_on_character_borders() {
        assert_eq!(annotated_range("x = é;", 5, "é"), 4..6);
        assert_eq!(annotated_range("x = é;", 6, ""), 4..6);
        assert_eq!(annotated_range("int f(", 5, "f(\nint a)"), 4..6);
        assert_eq!(annotated_range("  MACRO(x);", 3, "((void)0)"), 2..7);
        assert_eq!(annotated_range("", 1, ""), 0..0);
    }
}
