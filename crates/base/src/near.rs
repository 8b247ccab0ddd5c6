//! Names that a user may have meant.

/// The name that takes the fewest slips to become `name`, if they are few: a wrong, missing or
/// superfluous letter, or two letters in the wrong order. Of equally near ones the first in
/// alphabetic order, so that the order of `names` is of no matter.
pub fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    // Two wrong letters in a long word are a slip, in a short one another word.
    let most = (name.chars().count() / 3).min(3);
    names
        .filter(|n| n.len().abs_diff(name.len()) <= most && !n.starts_with("__builtin"))
        .map(|n| (slips(name, n), n))
        .filter(|&(d, _)| d <= most)
        .min()
        .map(|(_, n)| n)
}

/// The optimal string alignment distance.
fn slips(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let change = last[j] + usize::from(a[i] != b[j]);
            let mut least = change.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let names = ["counter", "count", "x", "main"];
        assert_eq!(nearest("conter", names.into_iter()), Some("counter"));
        assert_eq!(nearest("mian", names.into_iter()), Some("main"));
        assert_eq!(nearest("quux", names.into_iter()), None);
        assert_eq!(nearest("y", names.into_iter()), None);
    }

    #[test]
    fn slips_are_counted() {
        assert_eq!(slips("", "abc"), 3);
        assert_eq!(slips("abcd", "abdc"), 1);
        assert_eq!(slips("kitten", "sitting"), 3);
    }
}
