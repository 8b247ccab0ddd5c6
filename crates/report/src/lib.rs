//! Outcomes for people to look at: one HTML page that works from disk, can be mailed and archived,
//! automata as SVG, and findings as SARIF.
//!
//! A page is made of the same JSON that `--json` prints, so there is one description of an outcome
//! and two ways to read it. What is not here: how an outcome came about.
//!
//! ```
//! use idiolect_report::{Page, SourceText};
//! let page = Page {
//!     title: "run sort.c",
//!     command: "idiolect run sort.c",
//!     outcome: &serde_json::json!({ "verdict": "exit" }),
//!     sources: &[SourceText { file: "sort.c".into(), text: "int main(void) {}".into() }],
//! };
//! assert!(page.to_html().starts_with("<!DOCTYPE html>"));
//! ```

mod annotations;
mod collapse;
mod draw;
mod graph;
mod label;
pub mod layout;
mod packed;
mod page;
mod sarif;
mod scenes;
mod spline;
mod summary;
mod svg;
mod views;

pub use annotations::{github, github_complaints};
pub use collapse::{GraphPart, PartKind};
pub use draw::{Drawing, NodeShape, Rect};
pub use graph::{DrawError, Graph};
pub use page::{POLICY, Page, SourceText};
pub use sarif::sarif;
pub use summary::{PageSummary, read_summary};
pub use svg::{automaton_svg, escape};
pub use views::{GraphView, single_view, views};
