//! A proof as evidence: what it rests on, at its lines.

use idiolect_base::Budget;
use idiolect_invariants::whole::KeptFormula;
use idiolect_ir::Program;
use idiolect_outcome::results::{ProofInvariant, ProofResult, SourceLine};
use idiolect_prove::induction::check::{Checked, check};
use idiolect_prove::induction::cut::PointKind;
use idiolect_prove::induction::{Certificate, Claim};
use idiolect_search::Proof;
use idiolect_verify::{Config, HeapCheck, Opinion, heap_is_checked, second_opinion};
use std::sync::Arc;

const CHECKER: &str = "a second cut and encoding, bounded model checking";
const HEAP_CHECKER: &str = "bounded model checking of each piece between two shapes of memory";

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
    if certificate.rounds > 1 {
        let n = certificate.rounds;
        lines.push(format!(
            "these and the assertions follow from {n} rounds of a loop together, not from one"
        ));
    }
    lines
}

/// The formulas about arrays and lists that a proof of `main` rests on.
pub fn formulas(program: &Program, kept: &[KeptFormula]) -> Vec<ProofInvariant> {
    let one = |kept: &KeptFormula| {
        let place = program.sources.place(kept.span);
        let keyword = match kept.kind {
            idiolect_quantified::point::PointKind::Loop => "loop invariant",
            idiolect_quantified::point::PointKind::Entry => "requires",
            idiolect_quantified::point::PointKind::Exit => "ensures",
        };
        ProofInvariant {
            at: SourceLine {
                file: place.as_ref().map(|p| p.file.clone()),
                line: place.as_ref().map(|p| p.line),
            },
            function: "main".to_owned(),
            formula: kept.text.clone(),
            acsl: Some(format!("{keyword} {};", kept.acsl)),
        }
    };
    kept.iter().map(one).collect()
}

/// The proof and what it rests on.
pub fn result(program: &Program, proof: Proof, certificate: Option<&Certificate>) -> ProofResult {
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
            invariants.push(ProofInvariant {
                at: SourceLine {
                    file: place.as_ref().map(|p| p.file.clone()),
                    line: place.as_ref().map(|p| p.line),
                },
                function: program.function(claim.function).name.clone(),
                formula: text,
                acsl: claim.is_readable(formula).then_some(acsl),
            });
        }
    }
    ProofResult {
        method: proof.method(),
        invariants,
        checked_by: certificate.map(|_| CHECKER.to_owned()),
    }
}

/// What somebody else says of a proof.
pub struct Again {
    pub text: String,
    /// Whether that leaves the proof as it is.
    pub stands: bool,
    /// Who says so, if the proof was checked.
    pub by: Option<String>,
}

impl Again {
    fn unchecked(why: &str) -> Self {
        Self {
            text: format!("the proof was not checked again: {why}"),
            stands: true,
            by: None,
        }
    }

    fn refused(why: &str) -> Self {
        Self {
            text: format!("the proof was checked again and refused: {why}"),
            stands: false,
            by: None,
        }
    }
}

/// Asks the checker of certificates once more; a proof without one has to be found by another engine, too.
pub fn check_again(
    program: &Arc<Program>,
    config: &Config,
    proof: Proof,
    certificate: Option<&Certificate>,
    budget: &Budget,
) -> Again {
    let Some(certificate) = certificate else {
        let properties = &config.properties;
        if let Proof::States { .. } = proof
            && let Some(found) = heap_is_checked(program, properties, budget)
        {
            let HeapCheck { shapes, pieces } = found;
            return Again {
                text: format!(
                    "the proof was checked again and accepted: {shapes} shapes of memory at loops, {pieces} pieces of the \
                     program between them"
                ),
                stands: true,
                by: Some(HEAP_CHECKER.to_owned()),
            };
        }
        return match second_opinion(program, properties, proof, config.seed, budget) {
            Opinion::Agrees(other) => Again {
                text: format!(
                    "the proof was checked by a second one, found by itself: {}",
                    other.method()
                ),
                stands: true,
                by: Some(format!("a second proof: {}", other.method())),
            },
            Opinion::Disagrees => Again::refused("another engine has found an error"),
            Opinion::None => Again::unchecked(&format!(
                "a proof by {} leaves no certificate, and no other engine finds one",
                proof.method()
            )),
        };
    };
    match check(program, certificate, &config.properties, budget) {
        Checked::Accepted => Again {
            text: "the proof was checked again and accepted".to_owned(),
            stands: true,
            by: Some(CHECKER.to_owned()),
        },
        Checked::Rejected(why) => Again::refused(&why),
        Checked::Stopped(reason) => Again::unchecked(&reason.to_string()),
    }
}
