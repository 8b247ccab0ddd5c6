//! A program whose assertions lie behind C that is not modelled: nothing is left that could fail, and nothing
//! is known either.

use super::ExplainArgs;
use crate::exit::Exit;
use crate::output::{self, Timing};
use crate::{claim, looks};
use idiolect_explain::LanguageTarget;
use idiolect_ir::{AssumptionKind, Program, Property};
use idiolect_outcome::Conclusion;
use serde_json::json;

/// The answer about such a program; `None` if it is another.
pub fn answer(
    args: &ExplainArgs,
    program: &Program,
    properties: &[Property],
    warnings: &[String],
    timing: &Timing,
) -> Option<Exit> {
    let LanguageTarget::Error { places, .. } = LanguageTarget::errors(program, properties) else {
        return None;
    };
    let mut ledger = claim::ledger(program);
    let gaps = (program.assumptions.iter().enumerate())
        .filter(|(_, a)| a.kind == AssumptionKind::Unmodelled)
        .map(|(index, _)| claim::trap(program, index as u32));
    ledger.extend(gaps);
    if !places.is_empty() || !ledger.has(idiolect_outcome::AssumptionKind::Unmodelled) {
        return None;
    }
    let text = "No assertion can be reached before C that is not modelled, so nothing is known of any behind it.";
    let said = Conclusion::undecided(text, &ledger);
    let shown_timing = (!args.common.no_timing).then_some(timing);
    let value = output::outcome_json("explain", &said, json!({}), warnings, shown_timing);
    let format = args.format.chosen(&args.common);
    looks::answer(&args.common, format, &value, || looks::conclusion(&said));
    Some(args.common.exit(&said))
}
