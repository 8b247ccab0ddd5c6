//! The difference of two texts as `diff -u` writes it.

use std::fmt::Write as _;

/// Lines around a change.
const CONTEXT: usize = 3;

/// One hunk from the first to the last line that differs.
pub fn unified(file: &str, old: &str, new: &str) -> String {
    let (a, b): (Vec<&str>, Vec<&str>) = (
        old.split_inclusive('\n').collect(),
        new.split_inclusive('\n').collect(),
    );
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let most = a.len().min(b.len()) - same;
    let back = a.iter().rev().zip(b.iter().rev());
    let tail = back.take(most).take_while(|(x, y)| x == y).count();
    let start = same.saturating_sub(CONTEXT);
    let (end_a, end_b) = (a.len() - tail, b.len() - tail);
    let after = tail.min(CONTEXT);
    let mut text = format!("--- a/{file}\n+++ b/{file}\n");
    let (n_a, n_b) = (end_a + after - start, end_b + after - start);
    let first = |n: usize| if n == 0 { start } else { start + 1 };
    let _ = writeln!(text, "@@ -{},{n_a} +{},{n_b} @@", first(n_a), first(n_b));
    let mut line = |sign: char, content: &str| {
        text.push(sign);
        text.push_str(content);
        if !content.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    };
    a[start..same].iter().for_each(|l| line(' ', l));
    a[same..end_a].iter().for_each(|l| line('-', l));
    b[same..end_b].iter().for_each(|l| line('+', l));
    a[end_a..end_a + after].iter().for_each(|l| line(' ', l));
    text
}

/// The first line that differs, how many of the old lines do, and the new ones in their place.
pub fn replacement(old: &str, new: &str) -> (usize, usize, String) {
    let (a, b): (Vec<&str>, Vec<&str>) = (
        old.split_inclusive('\n').collect(),
        new.split_inclusive('\n').collect(),
    );
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let most = a.len().min(b.len()) - same;
    let back = a.iter().rev().zip(b.iter().rev());
    let tail = back.take(most).take_while(|(x, y)| x == y).count();
    let text = b[same..b.len() - tail].concat();
    (same + 1, a.len() - tail - same, text)
}

/// The lines that differ, before and after, without the space around them.
pub fn changed(old: &str, new: &str) -> (usize, String, String) {
    let (a, b): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let most = a.len().min(b.len()) - same;
    let back = a.iter().rev().zip(b.iter().rev());
    let tail = back.take(most).take_while(|(x, y)| x == y).count();
    let text = |lines: &[&str]| {
        let list: Vec<&str> = lines.iter().map(|l| l.trim()).collect();
        list.join("\n")
    };
    (
        same + 1,
        text(&a[same..a.len() - tail]),
        text(&b[same..b.len() - tail]),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_with_its_surroundings() {
        let old = "a\nb\nc\nd\ne\nf\n";
        let new = "a\nb\nc\nD\ne\nf\n";
        let expected = "--- a/x.c\n+++ b/x.c\n@@ -1,6 +1,6 @@\n a\n b\n c\n-d\n+D\n e\n f\n";
        assert_eq!(unified("x.c", old, new), expected);
        assert_eq!(changed(old, new), (4, "d".to_owned(), "D".to_owned()));
    }

    #[test]
    fn a_file_without_a_last_newline() {
        let expected = "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n";
        assert_eq!(unified("x", "a", "b"), expected);
    }
}
