//! Files that people look at: automata as SVG, and where a page was written.

use crate::failure::CommandFailure;
use crate::sink;
use idiolect_report::automaton_svg;
use serde_json::Value;
use std::path::Path;

/// Writes the automaton of an outcome as an SVG file.
pub fn write_svg(path: &Path, automaton: &Value) -> Result<(), CommandFailure> {
    match automaton_svg(automaton) {
        Ok(svg) => sink::deliver(path, svg.as_bytes()),
        Err(error) => sink::note(&CommandFailure::BadFile {
            code: "automaton::cannot-draw",
            message: error.to_string(),
            place: None,
            help: "`--dot` and `--json` write it without a layout".to_owned(),
        }),
    }
    Ok(())
}

/// A link that terminals open on a click.
pub fn link(path: &Path) -> String {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    format!("file://{}", whole.display())
}
