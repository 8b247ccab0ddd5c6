//! A trace folded to what matters: statements that are not relevant become a count, and repeated
//! rounds of a loop are shown once.

/// One line of a folded trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FoldedLine {
    /// The statement with this number in the trace.
    Statement(usize),
    /// So many statements that do not matter.
    Others(usize),
    /// The next `lines` lines stand for `rounds` rounds.
    Repeat { lines: usize, rounds: usize },
}

/// Longer rounds are not looked for.
const MAX_PERIOD: usize = 60;

/// Folds statements `0..n`: `matters` says which are shown, and `key` which look the same.
pub fn fold<K: PartialEq>(
    n: usize,
    matters: impl Fn(usize) -> bool,
    key: impl Fn(usize) -> K,
) -> Vec<FoldedLine> {
    let mut lines: Vec<(FoldedLine, Option<K>)> = Vec::new();
    // To say that one is left out takes as much room as to show it.
    let is_alone = |i: usize| (i == 0 || matters(i - 1)) && (i + 1 == n || matters(i + 1));
    for i in 0..n {
        match (matters(i) || is_alone(i), lines.last_mut()) {
            (true, _) => lines.push((FoldedLine::Statement(i), Some(key(i)))),
            (false, Some((FoldedLine::Others(count), _))) => *count += 1,
            (false, _) => lines.push((FoldedLine::Others(1), None)),
        }
    }
    let same = |a: &(FoldedLine, Option<K>), b: &(FoldedLine, Option<K>)| match (&a.1, &b.1) {
        (Some(a), Some(b)) => a == b,
        (None, None) => a.0 == b.0,
        _ => false,
    };
    let mut folded = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let mut best = (1, 1);
        for period in 1..=MAX_PERIOD.min((lines.len() - at) / 2) {
            let mut rounds = 1;
            while at + (rounds + 1) * period <= lines.len()
                && (0..period).all(|i| same(&lines[at + i], &lines[at + rounds * period + i]))
            {
                rounds += 1;
            }
            // The shortest round that saves the most.
            if rounds > 1 && (rounds - 1) * period > (best.1 - 1) * best.0 {
                best = (period, rounds);
            }
        }
        let (period, rounds) = best;
        if rounds > 1 {
            folded.push(FoldedLine::Repeat {
                lines: period,
                rounds,
            });
        }
        folded.extend(lines[at..at + period].iter().map(|l| l.0.clone()));
        at += period * rounds;
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_counted_and_the_rest_stays() {
        let text = "a b c d x x c d x x c d x x e x f";
        let words: Vec<&str> = text.split(' ').collect();
        let lines = fold(words.len(), |i| words[i] != "x", |i| words[i]);
        assert_eq!(
            lines,
            [
                FoldedLine::Statement(0),
                FoldedLine::Statement(1),
                FoldedLine::Repeat {
                    lines: 3,
                    rounds: 3
                },
                FoldedLine::Statement(2),
                FoldedLine::Statement(3),
                FoldedLine::Others(2),
                FoldedLine::Statement(14),
                FoldedLine::Statement(15),
                FoldedLine::Statement(16),
            ]
        );
    }

    #[test]
    fn what_does_not_matter_is_one_line() {
        assert_eq!(fold(5, |_| false, |i| i), [FoldedLine::Others(5)]);
        assert!(fold(0, |_| true, |i| i).is_empty());
    }
}
