//! One small change to a C program: a comparison, an operator or a number is another one.

use idiolect_base::Rng;

/// What is replaced by what; longer operators stand first.
const CHANGES: &[(&str, &str)] = &[
    ("<=", "<"),
    (">=", ">"),
    ("==", "!="),
    ("!=", "=="),
    ("&&", "||"),
    ("||", "&&"),
    ("<", "<="),
    (">", ">="),
    ("+", "-"),
    ("*", "+"),
];

/// Operators that contain one of [`CHANGES`] and mean something else.
const OTHERS: &[&str] = &[
    "<<", ">>", "++", "--", "->", "+=", "-=", "*=", "/*", "//", "*)",
];

/// The program with one change inside a function, or nothing if there is nothing to change. Whether the
/// result is C is for the compiler to say.
pub fn mutant(text: &str, seed: u64) -> Option<String> {
    let places = places(text);
    let rng = &mut Rng::new(seed, text.len() as u64);
    let count = u64::try_from(places.len()).ok().filter(|n| *n > 0)?;
    let (at, old, new) = places.get(usize::try_from(rng.below(count)).ok()?)?;
    let mut changed = text.to_owned();
    changed.replace_range(*at..at + old.len(), new);
    Some(changed)
}

fn places(text: &str) -> Vec<(usize, String, String)> {
    let mut found = Vec::new();
    let (mut depth, mut at, mut is_line_start) = (0_i64, 0, true);
    let mut before = ' ';
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let skipped = skipped(rest, is_line_start);
        is_line_start = c == '\n' || is_line_start && c.is_whitespace();
        if skipped > 0 {
            at += skipped;
            continue;
        }
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if let Some(other) = OTHERS.iter().find(|o| rest.starts_with(**o)) {
            at += other.len();
            continue;
        }
        let is_word = before.is_alphanumeric() || before == '_' || before == '.';
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let step = if digits > 0 {
            let number = &rest[..digits];
            if let (true, false, Ok(value)) = (depth > 0, is_word, number.parse::<u32>()) {
                let next = u64::from(value) + 1;
                found.push((at, number.to_owned(), next.to_string()));
            }
            digits
        } else if let Some((old, new)) = CHANGES.iter().find(|(old, _)| rest.starts_with(old)) {
            if depth > 0 {
                found.push((at, (*old).to_owned(), (*new).to_owned()));
            }
            old.len()
        } else {
            c.len_utf8()
        };
        before = rest[..step].chars().next_back().unwrap_or(' ');
        at += step;
    }
    found
}

/// How long the comment, text or directive is that begins here.
fn skipped(rest: &str, is_line_start: bool) -> usize {
    let until = |end: &str| rest.find(end).map_or(rest.len(), |n| n + end.len());
    match rest.as_bytes() {
        [b'/', b'*', ..] => until("*/"),
        [b'/', b'/', ..] => until("\n"),
        [b'#', ..] if is_line_start => until("\n"),
        [quote @ (b'"' | b'\''), ..] => {
            let mut is_escaped = false;
            let end = rest.bytes().skip(1).position(|b| {
                let is_end = b == *quote && !is_escaped;
                is_escaped = b == b'\\' && !is_escaped;
                is_end
            });
            end.map_or(rest.len(), |n| n + 2)
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_inside_functions_changes() {
        let text =
            "#define N 3\nint k = 1;\nint f(int n) { /* 1 < 2 */ return n->x + \"a<b\"[4]; }\n";
        let found: Vec<String> = places(text).into_iter().map(|p| p.1).collect();
        assert_eq!(found, ["+", "4"]);
        assert_eq!(mutant("int k = 1;", 1), None);
    }
}
