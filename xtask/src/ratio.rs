//! Side by side: ours and another tool on the same work, interleaved in one run, medians with
//! their spread, our losses included.

pub mod cbmc;
pub mod interp;
pub mod learn;
pub mod mine;
pub mod parsers;
pub mod symex;

use crate::stats::{geometric_mean, median, quartiles};
use std::fmt::Write as _;

/// Times of both sides on one case, in seconds.
#[derive(Clone, Debug, Default)]
pub struct Pair {
    pub case: String,
    pub ours: Vec<f64>,
    pub theirs: Vec<f64>,
    /// What else is worth a column, such as numbers of queries.
    pub note: String,
}

impl Pair {
    /// How many times faster we are; below 1 we are slower.
    pub fn factor(&self) -> f64 {
        median(&self.theirs) / median(&self.ours)
    }
}

/// Runs both sides alternately, so that whatever else the machine does hits both.
pub fn interleave<E>(
    repetitions: usize,
    mut ours: impl FnMut() -> Result<f64, E>,
    mut theirs: impl FnMut() -> Result<f64, E>,
) -> Result<(Vec<f64>, Vec<f64>), E> {
    let mut times = (Vec::new(), Vec::new());
    for _ in 0..repetitions {
        times.0.push(ours()?);
        times.1.push(theirs()?);
    }
    Ok(times)
}

/// One line per case and the geometric mean.
pub fn table(other: &str, pairs: &[Pair]) -> String {
    let mut text = format!(
        "{:<28} {:>12} {:>12} {:>19} {:>9}  notes\n",
        "case", "ours s", "theirs s", "quartiles of ours", "factor"
    );
    for pair in pairs {
        let (low, high) = quartiles(&pair.ours);
        let _ = writeln!(
            text,
            "{:<28} {:>12.6} {:>12.6} {low:>9.6}-{high:<9.6} {:>9.2}  {}",
            pair.case,
            median(&pair.ours),
            median(&pair.theirs),
            pair.factor(),
            pair.note
        );
    }
    let factors: Vec<f64> = pairs.iter().map(Pair::factor).collect();
    let least = factors.iter().copied().fold(f64::INFINITY, f64::min);
    let _ = writeln!(
        text,
        "against {other}: geometric mean {:.2} times faster, least {least:.2}",
        geometric_mean(&factors)
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_shows_losses_too() {
        let pair = |case: &str, ours, theirs| Pair {
            case: case.to_owned(),
            ours: vec![ours],
            theirs: vec![theirs],
            note: String::new(),
        };
        let text = table("peer", &[pair("won", 1.0, 8.0), pair("lost", 2.0, 1.0)]);
        assert!(
            text.contains("geometric mean 2.00 times faster, least 0.50"),
            "{text}"
        );
    }
}
