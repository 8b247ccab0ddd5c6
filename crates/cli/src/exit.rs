//! How the process ends. Scripts rely on these numbers.

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
    /// The program that we ran for the user was ended by this signal (`trace`).
    Signal(u8),
}

impl Exit {
    pub fn code(self) -> u8 {
        match self {
            Exit::Clean => 0,
            Exit::Finding => 1,
            Exit::BadInput => 2,
            Exit::Undecided => 3,
            Exit::OurBug => 101,
            Exit::Signal(number) => 128_u8.saturating_add(number),
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
        assert_eq!(Exit::Signal(11).code(), 139);
        assert_eq!(Exit::Finding.forgiving(true), Exit::Clean);
        assert_eq!(Exit::Undecided.forgiving(true), Exit::Undecided);
    }
}
