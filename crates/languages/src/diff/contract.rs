//! One contract for both versions of an entry function: what each of them suggests of its own would let them be
//! called with other arguments.

use crate::args::CArgs;
use crate::c_input;
use crate::failure::CommandFailure;
use idiolect_ir::product::{renamed, replace_names};

/// Gives all versions the contract of the first one, or, if that has none, of the first that has one. Parameters
/// may have other names; a function with another signature keeps its own.
pub fn share(inputs: &mut [CArgs]) -> Result<(), CommandFailure> {
    let is_needed = |input: &CArgs| input.entry != "main" && input.conditions().is_empty();
    if !inputs.iter().all(is_needed) || inputs.iter().any(CArgs::assumes_nothing) {
        return Ok(());
    }
    let mut loaded = Vec::new();
    for input in inputs.iter() {
        loaded.push(c_input::load(input, Vec::new())?);
    }
    let Some(from) = loaded.iter().find(|l| !l.contract.is_empty()) else {
        return Ok(());
    };
    for (input, own) in inputs.iter_mut().zip(&loaded) {
        if own.contract == from.contract {
            continue;
        }
        // From the names of the one that has the contract to those of this one.
        if let Some(names) = renamed(&own.program, &from.program) {
            let texts = from.contract.iter();
            input.assume = texts.map(|text| replace_names(text, &names)).collect();
        }
    }
    Ok(())
}
