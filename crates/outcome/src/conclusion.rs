//! From a claim and its ledger to what is said.

use crate::assumption::{AssumptionKind, Ledger};
use crate::exit::{Exit, Requirement};
use crate::verdict::{GuaranteeKind, Verdict};

/// How an outcome looks: the colour of its badge, and its level in SARIF.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// Red; `error`.
    Finding,
    /// Green.
    Promise,
    /// Amber: a promise in numbers, not a proof.
    Bet,
    /// Gray.
    Nothing,
}

impl Class {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Finding => "finding",
            Self::Promise => "promise",
            Self::Bet => "bet",
            Self::Nothing => "nothing",
        }
    }
}

/// What a command says at last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conclusion {
    pub verdict: Verdict,
    pub kind: GuaranteeKind,
    /// The guarantee in a sentence or two.
    pub text: String,
    pub assumptions: Ledger,
}

impl Conclusion {
    /// What may be said of a claim, given what it rests on.
    pub fn new(
        verdict: Verdict,
        kind: GuaranteeKind,
        text: impl Into<String>,
        ledger: &Ledger,
    ) -> Self {
        let (verdict, kind) = settle(verdict, kind, ledger);
        Self {
            verdict,
            kind,
            text: text.into(),
            assumptions: ledger.clone(),
        }
    }

    /// Nothing is promised, for this reason.
    pub fn undecided(text: impl Into<String>, ledger: &Ledger) -> Self {
        Self::new(Verdict::Undecided, GuaranteeKind::None, text, ledger)
    }

    /// How it looks.
    pub fn class(&self) -> Class {
        class(self.verdict, self.kind)
    }

    /// How a command exits that concludes it.
    pub fn exit(&self) -> Exit {
        match self.class() {
            Class::Finding => Exit::Finding,
            Class::Promise | Class::Bet => Exit::Clean,
            Class::Nothing if self.assumptions.bug().is_some() => Exit::OurBug,
            Class::Nothing => Exit::Undecided,
        }
    }

    /// The exit code where at least this much has to be promised.
    pub fn exit_requiring(&self, requirement: Option<Requirement>) -> Exit {
        match (self.exit(), requirement) {
            (Exit::Clean, Some(least)) if !least.is_met_by(self.kind) => Exit::Undecided,
            (exit, _) => exit,
        }
    }

    /// The verdict line, and the assumptions under it.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}: {}\n", self.verdict.word(), self.text);
        text.push_str(&self.assumption_lines());
        text
    }

    /// A line for each assumption, indented.
    pub fn assumption_lines(&self) -> String {
        let entries = self.assumptions.entries().iter();
        entries
            .map(|a| format!("  assuming {}\n", a.line_text()))
            .collect()
    }
}

/// The decision table, first half: which claim a ledger carries.
///
/// | claim | with a bound | with unmodelled C |
/// |---|---|---|
/// | a finding | stays: it was replayed | stays |
/// | proved, no-error | undecided, bounded | undecided, none |
/// | pac | stays, and the bound is listed | undecided, none |
/// | exact, paper (a language, same) | stays, and the bound is listed | undecided, none |
/// | recorded, learned, checked | stays | stays: it speaks of what was seen |
///
/// `proved` and `no-error` need the guarantee `proved`: anything less becomes `undecided`.
fn settle(verdict: Verdict, kind: GuaranteeKind, ledger: &Ledger) -> (Verdict, GuaranteeKind) {
    use GuaranteeKind as Kind;
    let is_unmodelled = ledger.has(AssumptionKind::Unmodelled);
    let is_bounded = ledger.has(AssumptionKind::Bound);
    if verdict.is_finding() {
        // A language may be exact within its bounds; it is not if runs came to C that is not modelled.
        return match kind {
            Kind::Proved | Kind::Exact | Kind::Paper if is_unmodelled => (verdict, Kind::Replayed),
            Kind::Proved if is_bounded => (verdict, Kind::Exact),
            Kind::None | Kind::Bounded => (verdict, Kind::Replayed),
            kind => (verdict, kind),
        };
    }
    if verdict.promises_nothing() {
        return match kind {
            Kind::Bounded => (verdict, Kind::Bounded),
            _ => (verdict, Kind::None),
        };
    }
    if verdict.is_about_all_runs() {
        return match (kind, is_unmodelled, is_bounded) {
            (Kind::Proved, false, false) => (verdict, Kind::Proved),
            (Kind::Proved | Kind::Bounded | Kind::Exact | Kind::Paper, false, _) => {
                (Verdict::Undecided, Kind::Bounded)
            }
            _ => (Verdict::Undecided, Kind::None),
        };
    }
    match kind {
        Kind::None => (Verdict::Undecided, Kind::None),
        Kind::Bounded => (Verdict::Undecided, Kind::Bounded),
        Kind::Replayed => (Verdict::Undecided, Kind::None),
        Kind::Recorded | Kind::Learned | Kind::Checked => (verdict, kind),
        Kind::Pac | Kind::Exact | Kind::Paper | Kind::Proved if is_unmodelled => {
            (Verdict::Undecided, Kind::None)
        }
        Kind::Proved if is_bounded => (verdict, Kind::Exact),
        kind => (verdict, kind),
    }
}

/// The decision table, second half: how what is said looks and exits.
fn class(verdict: Verdict, kind: GuaranteeKind) -> Class {
    if verdict.is_finding() {
        return Class::Finding;
    }
    match kind {
        _ if verdict.promises_nothing() => Class::Nothing,
        GuaranteeKind::None | GuaranteeKind::Bounded => Class::Nothing,
        GuaranteeKind::Pac => Class::Bet,
        _ => Class::Promise,
    }
}

#[cfg(test)]
mod tests {
    use super::{Class, Conclusion};
    use crate::assumption::{Assumption, AssumptionKind as What, Ledger};
    use crate::exit::{Exit, Requirement};
    use crate::verdict::{GuaranteeKind as Kind, Verdict};

    fn ledger(kinds: &[What]) -> Ledger {
        let mut ledger = Ledger::default();
        ledger.extend(kinds.iter().map(|&kind| Assumption::new(kind, "x")));
        ledger
    }

    /// Every set of assumption kinds.
    fn ledgers() -> Vec<Vec<What>> {
        (0..1u32 << What::ALL.len())
            .map(|set| {
                let of = What::ALL.iter().enumerate();
                of.filter(|(i, _)| set >> i & 1 == 1)
                    .map(|(_, &k)| k)
                    .collect()
            })
            .collect()
    }

    #[test]
    fn nothing_is_proved_on_a_bound_or_on_c_that_is_not_modelled() {
        let mut n = 0;
        for verdict in Verdict::ALL {
            for kind in Kind::ALL {
                for kinds in ledgers() {
                    let said = Conclusion::new(verdict, kind, "", &ledger(&kinds));
                    let forbidden = kinds.iter().any(|k| k.forbids_proof());
                    if said.kind == Kind::Proved {
                        assert!(!forbidden, "{verdict:?} {kind:?} {kinds:?}");
                    }
                    if matches!(said.verdict, Verdict::Proved | Verdict::NoError) {
                        assert_eq!(said.kind, Kind::Proved);
                    }
                    // A claim never gets stronger, and a finding stays one.
                    assert!(said.kind <= kind || said.kind == Kind::Replayed);
                    assert_eq!(said.verdict.is_finding(), verdict.is_finding());
                    n += 1;
                }
            }
        }
        assert_eq!(n, 23 * 10 * 32);
    }

    #[test]
    fn a_bug_of_ours_is_never_an_undecided_answer() {
        let mut ledger = Ledger::default();
        ledger.stopped(idiolect_base::StopReason::Time);
        let exit = |ledger: &Ledger| Conclusion::undecided("", ledger).exit();
        assert_eq!(exit(&ledger), Exit::Undecided);
        ledger.stopped(idiolect_base::StopReason::Internal(
            idiolect_base::Bug::RuledOut,
        ));
        assert_eq!(exit(&ledger), Exit::OurBug);
        // A finding was replayed, whatever happened beside it.
        let found = Conclusion::new(Verdict::Error, Kind::Replayed, "", &ledger);
        assert_eq!(found.exit(), Exit::Finding);
    }

    /// The table of the contract, row by row.
    #[test]
    fn exit_codes_follow_from_verdict_and_kind() {
        let none = Ledger::default();
        let exit = |verdict, kind| Conclusion::new(verdict, kind, "", &none).exit().code();
        for verdict in Verdict::ALL {
            let codes = Kind::ALL.map(|kind| exit(verdict, kind));
            let expected = match verdict {
                v if v.is_finding() => [1; 10],
                v if v.promises_nothing() => [3; 10],
                Verdict::Proved | Verdict::NoError => [3, 3, 3, 3, 3, 3, 3, 3, 3, 0],
                _ => [3, 3, 3, 0, 0, 0, 0, 0, 0, 0],
            };
            assert_eq!(codes, expected, "{verdict:?}");
        }
    }

    #[test]
    fn a_bound_turns_a_proof_into_a_bounded_answer_and_leaves_a_bet() {
        let bounded = ledger(&[What::Bound]);
        let said = Conclusion::new(Verdict::NoError, Kind::Proved, "", &bounded);
        assert_eq!(
            (said.verdict, said.kind),
            (Verdict::Undecided, Kind::Bounded)
        );
        let said = Conclusion::new(Verdict::Pac, Kind::Pac, "", &bounded);
        assert_eq!((said.verdict, said.class()), (Verdict::Pac, Class::Bet));
        let gap = ledger(&[What::Unmodelled]);
        let said = Conclusion::new(Verdict::Pac, Kind::Pac, "", &gap);
        assert_eq!(
            (said.verdict, said.class()),
            (Verdict::Undecided, Class::Nothing)
        );
    }

    #[test]
    fn a_weaker_promise_than_required_is_none() {
        let none = Ledger::default();
        let bet = Conclusion::new(Verdict::Pac, Kind::Pac, "", &none);
        assert_eq!(bet.exit_requiring(None), Exit::Clean);
        assert_eq!(
            bet.exit_requiring(Some(Requirement::Proved)),
            Exit::Undecided
        );
        let found = Conclusion::new(Verdict::Error, Kind::Replayed, "", &none);
        assert_eq!(
            found.exit_requiring(Some(Requirement::Proved)),
            Exit::Finding
        );
    }

    #[test]
    fn assumptions_are_listed_once_and_in_order() {
        let mut ledger = ledger(&[What::Convention, What::Bound, What::Bound]);
        ledger.add(
            Assumption::new(What::Bound, "at most 3 arguments")
                .at("a.c", 3)
                .with_option("--max-argc"),
        );
        let said = Conclusion::undecided("Why.", &ledger);
        assert_eq!(
            said.to_text(),
            "undecided: Why.\n  assuming bound: at most 3 arguments, at a.c:3 [--max-argc]\n  \
             assuming bound: x\n  assuming convention: x\n"
        );
    }
}
