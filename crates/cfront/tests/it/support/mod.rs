//! One way into the parser for all tests.

use idiolect_base::{Severity, SourceMap};
use idiolect_cfront::ast_dump::dump;
use idiolect_cfront::parser::{parse, with_big_stack};
use idiolect_cfront::symbols::Symbols;

/// The tree as text, and each complaint as `line:column code: message (help)`.
pub fn parsed(text: &str) -> (String, Vec<String>) {
    with_big_stack(|| {
        let mut map = SourceMap::new();
        let id = map.add("t.c", text.to_owned());
        let mut symbols = Symbols::new();
        let parsed = parse(&map, id, &mut symbols);
        let complaints = parsed.diagnostics.iter().map(|d| {
            let place = map.place(d.span).map_or_else(
                || "nowhere".to_owned(),
                |place| format!("{}:{}", place.line, place.column),
            );
            let kind = match d.severity {
                Severity::Error => "",
                Severity::Warning => "warning ",
            };
            let help = d
                .help
                .as_ref()
                .map_or_else(String::new, |h| format!(" ({h})"));
            format!("{kind}{place} {}: {}{help}", d.code, d.message)
        });
        let complaints = complaints.collect();
        (dump(&parsed.unit, &symbols), complaints)
    })
}
