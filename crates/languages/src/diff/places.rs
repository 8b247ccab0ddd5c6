//! Places of events: the user gives them as they are in the first program, and the others have them elsewhere.

use super::LanguageArgs;
use crate::args::CArgs;
use std::path::Path;

/// The events of the first program in another version of it.
pub fn events_of(learning: &LanguageArgs, first: &CArgs, other: &CArgs) -> LanguageArgs {
    learning.in_version(|file, line| {
        let is_meant = |path: &Path| path.ends_with(file);
        let number = first.files.iter().position(|path| is_meant(path))?;
        let [old, new] = [first.files.get(number)?, other.files.get(number)?];
        let name = new.file_name()?.to_str()?.to_owned();
        let [before, after] = [old, new].map(|path| std::fs::read_to_string(path).ok());
        let line = moved(&lines(&before?), &lines(&after?), line as usize)?;
        Some((name, line as u32))
    })
}

/// Without what a change of layout changes.
fn lines(text: &str) -> Vec<String> {
    let plain = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    text.lines().map(plain).collect()
}

/// Where a line is in another version, counted from 1: the line with the same text, and of several the one that is
/// nearest to where it would be if nothing had changed since the last line that each version has once.
fn moved(before: &[String], after: &[String], line: usize) -> Option<usize> {
    let at = line.checked_sub(1)?;
    let text = before.get(at)?;
    let places = |list: &[String], wanted: &str| -> Vec<usize> {
        (0..list.len()).filter(|&i| list[i] == wanted).collect()
    };
    let expected = (0..at)
        .rev()
        .find_map(|i| match places(after, &before[i])[..] {
            [there] if places(before, &before[i]).len() == 1 => Some(there + (at - i)),
            _ => None,
        })
        .unwrap_or(at);
    let same = places(after, text).into_iter();
    let nearest = same.min_by_key(|&i| i.abs_diff(expected));
    Some(nearest.unwrap_or(expected.min(after.len().saturating_sub(1))) + 1)
}

#[cfg(test)]
mod tests {
    use super::{lines, moved};

    #[test]
    fn lines_are_found_again() {
        let before = lines("int f(int n)\n{\n  if (n)\n    g();\n  h();\n  if (n)\n    g();\n}\n");
        let after = lines("\nint f(int n) {\n  if (n) \n    g();\n\n  h();\n  if (n)\n    g();\n}");
        assert_eq!(moved(&before, &after, 4), Some(4));
        assert_eq!(moved(&before, &after, 5), Some(6));
        assert_eq!(moved(&before, &after, 7), Some(8));
        assert_eq!(moved(&before, &before, 7), Some(7));
        assert_eq!(moved(&before, &after, 100), None);
    }
}
