//! How the process ends: decided with everything else that is claimed, in `idiolect_outcome`.

use idiolect_base::StopReason;

pub use idiolect_outcome::Exit;

/// The end of a command that stopped: a bug of ours is more than a doubt.
pub fn of_stop(reason: StopReason) -> Exit {
    match reason.is_our_bug() {
        true => Exit::OurBug,
        false => Exit::Undecided,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_is_more_than_a_doubt() {
        let bug = StopReason::Internal(idiolect_base::Bug::NoAnswer);
        assert_eq!(of_stop(bug), Exit::OurBug);
        assert_eq!(of_stop(StopReason::Interrupted), Exit::Undecided);
    }
}
