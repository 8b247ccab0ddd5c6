//! Finding an error or proving that there is none, for analyses that need no more than that.

use crate::portfolio::slice;
use idiolect_base::Budget;
use idiolect_ir::Program;
use idiolect_prove::{induction, states};
use idiolect_search::{Doubt, FindOptions, Found, Proof, find_error};
use std::sync::Arc;

/// Work of one engine, as that of `verify`.
const WORK: u64 = 1_500_000;

/// As [`find_error`]; where that finds nothing, the engines for runs of any length are asked.
pub fn find_error_or_proof(
    program: &Arc<Program>,
    options: &FindOptions,
    budget: &Budget,
    say: &mut dyn FnMut(&str),
) -> Found {
    let found = find_error(program, options, budget, say);
    let is_open = match &found {
        Found::Nothing { doubt, .. } => !matches!(
            doubt,
            Some(
                Doubt::Trap { .. }
                    | Doubt::Fault(_)
                    | Doubt::FoundFault(_)
                    | Doubt::Disagreement { .. }
            )
        ),
        _ => false,
    };
    if !is_open {
        return found;
    }
    say("abstract states");
    let config = states::Config {
        properties: options.properties.clone(),
        ..states::Config::default()
    };
    if let Ok(states) = states::prove(program, &config, &slice(budget, WORK, 3)).result {
        return Found::Proved(Proof::States { states });
    }
    say("induction");
    let config = induction::Config {
        properties: options.properties.clone(),
        seed: options.seed,
        ..induction::Config::default()
    };
    if let Ok(certificate) = induction::prove(program, &config, &slice(budget, WORK, 3)).result {
        let facts = certificate.claims.iter().map(|c| c.formulas.len() as u64);
        return Found::Proved(Proof::Induction { facts: facts.sum() });
    }
    found
}
