//! A proof as evidence: what it rests on, at its lines.

use idiolect_base::Budget;
use idiolect_ir::Program;
use idiolect_prove::induction::check::{Checked, check};
use idiolect_prove::induction::cut::PointKind;
use idiolect_prove::induction::{Certificate, Claim};
use idiolect_search::Proof;
use idiolect_verify::Config;
use serde_json::{Value, json};

fn where_of(program: &Program, claim: &Claim) -> String {
    let place = claim.place(program);
    let place = place.map_or(String::new(), |p| format!("{}:{}: ", p.file, p.line));
    let name = &program.function(claim.function).name;
    match claim.kind {
        PointKind::Loop(_) => format!("{place}loop in `{name}`"),
        PointKind::Entry => format!("{place}entry of `{name}`"),
        PointKind::Exit => format!("{place}exit of `{name}`"),
    }
}

/// One line for each invariant, and for each part of a contract.
pub fn lines(program: &Program, certificate: &Certificate) -> Vec<String> {
    let mut lines = Vec::new();
    for claim in &certificate.claims {
        for text in claim.texts() {
            lines.push(format!("{}: {text}", where_of(program, claim)));
        }
    }
    lines
}

pub fn json(program: &Program, proof: Proof, certificate: Option<&Certificate>) -> Value {
    let mut invariants = Vec::new();
    for claim in certificate.iter().flat_map(|c| &c.claims) {
        let place = claim.place(program);
        let names = claim.names();
        for formula in &claim.formulas {
            let text = formula.text(&names);
            let acsl = match claim.kind {
                PointKind::Loop(_) => format!("loop invariant {text};"),
                PointKind::Entry => format!("requires {text};"),
                PointKind::Exit => format!("ensures {text};"),
            };
            invariants.push(json!({
                "file": place.as_ref().map(|p| p.file.as_str()),
                "line": place.as_ref().map(|p| p.line),
                "function": program.function(claim.function).name,
                "formula": text,
                // Null where it speaks of a value that C has no name for.
                "acsl": claim.is_readable(formula).then_some(acsl),
            }));
        }
    }
    json!({
        "method": proof.method(),
        "invariants": invariants,
        "checked_by": certificate.map(|_| "a second cut and encoding, bounded model checking"),
    })
}

/// What the checker says when it is asked once more, and whether that leaves the proof as it is.
pub fn check_again(
    program: &Program,
    config: &Config,
    certificate: Option<&Certificate>,
    budget: &Budget,
) -> (String, bool) {
    let Some(certificate) = certificate else {
        let text = "the proof was not checked again: it has no invariants";
        return (text.to_owned(), true);
    };
    match check(program, certificate, &config.properties, budget) {
        Checked::Accepted => ("the proof was checked again and accepted".to_owned(), true),
        Checked::Rejected(why) => (
            format!("the proof was checked again and refused: {why}"),
            false,
        ),
        Checked::Stopped(reason) => {
            let text = format!("the proof was not checked again to the end: {reason}");
            (text, true)
        }
    }
}
