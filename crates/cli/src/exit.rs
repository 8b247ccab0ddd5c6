//! How the process ends. Scripts rely on these numbers.

use idiolect_base::StopReason;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Nothing wrong was found.
    Clean,
    /// An error, a violation, a difference.
    Finding,
    /// The command line or the input cannot be used.
    BadInput,
    /// Undecided within the budget, or beyond what we model.
    Undecided,
    /// We have a bug.
    OurBug,
}

impl Exit {
    pub fn code(self) -> u8 {
        match self {
            Exit::Clean => 0,
            Exit::Finding => 1,
            Exit::BadInput => 2,
            Exit::Undecided => 3,
            Exit::OurBug => 101,
        }
    }

    /// Of a command that stopped: a bug of ours is more than a doubt.
    pub fn of_stop(reason: StopReason) -> Exit {
        match reason.is_our_bug() {
            true => Exit::OurBug,
            false => Exit::Undecided,
        }
    }

    /// With `--exit-zero` a finding is not a failure.
    pub fn forgiving(self, exit_zero: bool) -> Exit {
        match self {
            Exit::Finding if exit_zero => Exit::Clean,
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;

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
}
