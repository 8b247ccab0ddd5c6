//! How the process ends. Scripts rely on these numbers.

use crate::verdict::GuaranteeKind;
use idiolect_base::StopReason;

/// How a command ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// A promise was reached: nothing wrong, in the sense of the guarantee. Also: nothing was asked.
    Clean,
    /// An error, a violation, a difference.
    Finding,
    /// The command line or the input cannot be used, or an output cannot be written.
    BadInput,
    /// Nothing is promised: undecided, out of budget, bounded, or beyond what we model.
    Undecided,
    /// We have a bug.
    OurBug,
    /// The program that was run for the user was ended by this signal (`trace`).
    Signal(u8),
    /// The status of the program that was run for the user, who asked for it (`run --pass-exit-code`).
    Program(u8),
}

impl Exit {
    /// The number that the system sees.
    pub fn code(self) -> u8 {
        match self {
            Exit::Clean => 0,
            Exit::Finding => 1,
            Exit::BadInput => 2,
            Exit::Undecided => 3,
            Exit::OurBug => 101,
            Exit::Signal(number) => 128_u8.saturating_add(number),
            Exit::Program(status) => status,
        }
    }

    /// Of a command that stopped: a bug of ours is more than a doubt.
    pub fn of_stop(reason: StopReason) -> Exit {
        if reason.is_our_bug() {
            Exit::OurBug
        } else {
            Exit::Undecided
        }
    }

    /// With `--exit-zero` a finding is not a failure.
    #[must_use]
    pub fn forgiving(self, exit_zero: bool) -> Exit {
        match self {
            Exit::Finding if exit_zero => Exit::Clean,
            other => other,
        }
    }
}

/// The least promise that counts as one: `--require`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Requirement {
    Pac,
    Exact,
    Proved,
}

impl Requirement {
    /// Whether a guarantee of this kind is enough.
    pub fn is_met_by(self, kind: GuaranteeKind) -> bool {
        let least = match self {
            Self::Pac => GuaranteeKind::Pac,
            Self::Exact => GuaranteeKind::Exact,
            Self::Proved => GuaranteeKind::Proved,
        };
        kind >= least
    }
}

#[cfg(test)]
mod tests {
    use super::{Exit, Requirement};
    use crate::verdict::GuaranteeKind as Kind;
    use idiolect_base::StopReason;

    #[test]
    fn exit_codes_keep_their_numbers() {
        let all = [
            Exit::Clean,
            Exit::Finding,
            Exit::BadInput,
            Exit::Undecided,
            Exit::OurBug,
        ];
        assert_eq!(all.map(Exit::code), [0, 1, 2, 3, 101]);
        assert_eq!(Exit::Finding.forgiving(true), Exit::Clean);
        assert_eq!(Exit::Undecided.forgiving(true), Exit::Undecided);
        let bug = StopReason::Internal(idiolect_base::Bug::NoAnswer);
        assert_eq!(Exit::of_stop(bug), Exit::OurBug);
        assert_eq!(Exit::of_stop(StopReason::Interrupted), Exit::Undecided);
    }

    #[test]
    fn a_bet_is_no_proof() {
        let met = |r: Requirement| Kind::ALL.map(|k| r.is_met_by(k));
        let expected = |n_met: usize| std::array::from_fn(|i| i >= Kind::ALL.len() - n_met);
        assert_eq!(met(Requirement::Pac), expected(4));
        assert_eq!(met(Requirement::Exact), expected(2));
        assert_eq!(met(Requirement::Proved), expected(1));
    }
}
