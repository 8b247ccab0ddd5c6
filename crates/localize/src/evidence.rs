//! What speaks for a place, and how much.

use crate::places::SuspectPlace;
use crate::sites::SiteKind;

/// What it counts that a value at one execution lets a run pass, and that nothing is known.
const ONE_EXECUTION: f64 = 0.6;
const UNKNOWN: f64 = 0.1;

/// What speaks for a place, each from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PlaceEvidence {
    /// Failing runs pass with another value here.
    pub helped: f64,
    /// Ochiai's number in proportion to the largest: how large they are depends on how many runs fail, and only
    /// their proportions say something. One half if no run passes.
    pub spectrum: f64,
    /// How near the end of a failing run it was executed last.
    pub near: f64,
    /// How often a place of this kind is at fault.
    pub kind: f64,
    /// What small edits of the line do to the runs.
    pub edits: f64,
}

impl PlaceEvidence {
    pub(crate) fn new(place: &SuspectPlace, near: f64, best: f64) -> Self {
        let is_every = place.value.as_ref().is_some_and(|v| v.execution.is_none());
        let helped = match (place.passes, place.n_failing) {
            (Some(true), n) if n > 0 => {
                // One execution of many can be made to do almost anything.
                let weight = if is_every { 1.0 } else { ONE_EXECUTION };
                weight * place.in_failing * place.n_passing_with as f64 / n as f64
            }
            _ => UNKNOWN,
        };
        let kind = match place.kind {
            SiteKind::Condition => 1.0,
            SiteKind::Assign | SiteKind::Return => 0.8,
            SiteKind::Constant => 0.7,
            SiteKind::Index | SiteKind::Size => 0.6,
            SiteKind::Statement => 0.4,
        };
        let spectrum = match place.spectrum {
            Some(own) if best > 0.0 => own / best,
            _ => 0.5,
        };
        Self {
            helped,
            spectrum,
            near,
            kind,
            edits: 0.0,
        }
    }

    /// One number of all that is known.
    pub fn score(&self) -> f64 {
        let sum = 0.22 * self.helped
            + 0.22 * self.spectrum.powi(2)
            + 0.055 * self.near
            + 0.055 * self.kind
            + 0.45 * self.edits;
        sum.clamp(0.0, 1.0)
    }
}
