//! Preconditions of the entry function, in ACSL's words.
//!
//! A precondition is a conjunction. What it says of memory (`\valid(a + (0 .. n-1))`, `valid_string(s)`,
//! `\separated(p, q)`) becomes the shape of the objects that the function is given; everything else is a condition
//! in C, which is assumed.

/// One conjunct of a precondition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Clause {
    /// A condition in C.
    Condition(String),
    /// The pointer points to this many elements, and no more are there.
    Valid {
        pointer: String,
        /// A number of elements, in C.
        count: String,
        /// Of bytes and not of elements.
        in_bytes: bool,
        may_be_null: bool,
    },
    /// The pointer points to characters with a nul among them.
    Text { pointer: String, may_be_null: bool },
    /// The pointers point to memory of their own.
    Separated(Vec<String>),
}

/// A precondition and what it says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Precondition {
    /// As it was written.
    pub text: String,
    pub clauses: Vec<Clause>,
    /// Nobody wrote it: the code relies on it.
    pub is_suggested: bool,
}

impl Precondition {
    /// Reads a precondition, or says what of it cannot be read.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut clauses = Vec::new();
        for part in split_top(text, "&&") {
            clauses.push(clause(part.trim())?);
        }
        Ok(Self {
            text: text.trim().to_owned(),
            clauses,
            is_suggested: false,
        })
    }
}

fn clause(text: &str) -> Result<Clause, String> {
    let text = unwrapped(text);
    let choices = split_top(text, "||");
    if let [first, second] = choices.as_slice()
        && let Some(pointer) = null_test(first.trim())
    {
        let inner = clause(second.trim())?;
        let is_same = |other: &str| plain(other) == plain(pointer);
        match inner {
            Clause::Valid {
                pointer,
                count,
                in_bytes,
                ..
            } if is_same(&pointer) => {
                return Ok(Clause::Valid {
                    pointer,
                    count,
                    in_bytes,
                    may_be_null: true,
                });
            }
            Clause::Text { pointer, .. } if is_same(&pointer) => {
                return Ok(Clause::Text {
                    pointer,
                    may_be_null: true,
                });
            }
            _ => {}
        }
    }
    if let Some((name, arguments)) = application(text)
        && let Some(clause) = predicate(name, &arguments)?
    {
        return Ok(clause);
    }
    condition(text).map(Clause::Condition)
}

/// A predicate about memory, if the name is one.
fn predicate(name: &str, arguments: &[&str]) -> Result<Option<Clause>, String> {
    let one = || match arguments {
        [argument] => Ok(*argument),
        _ => Err(format!("`{name}` takes one argument")),
    };
    Ok(Some(match name {
        "\\valid" | "\\valid_read" | "\\valid_function" => valid(one()?)?,
        "valid_string" | "valid_read_string" | "\\valid_string" => Clause::Text {
            pointer: one()?.trim().to_owned(),
            may_be_null: false,
        },
        "\\separated" => Clause::Separated(
            (arguments.iter())
                .map(|a| range(a).map(|(pointer, _)| pointer))
                .collect::<Result<_, _>>()?,
        ),
        "__CPROVER_is_fresh" | "__CPROVER_r_ok" | "__CPROVER_w_ok" | "__CPROVER_rw_ok" => {
            match arguments {
                [pointer] => valid(pointer)?,
                [pointer, size] => Clause::Valid {
                    pointer: pointer.trim().to_owned(),
                    count: condition(size)?,
                    in_bytes: true,
                    may_be_null: false,
                },
                _ => return Err(format!("`{name}` takes a pointer and a size")),
            }
        }
        _ => return Ok(None),
    }))
}

fn valid(text: &str) -> Result<Clause, String> {
    let (pointer, count) = range(text)?;
    // A cast to characters counts bytes.
    let bytes = [
        "(char*)",
        "(unsigned char*)",
        "(char *)",
        "(unsigned char *)",
    ];
    let cast = bytes.iter().find_map(|cast| pointer.strip_prefix(cast));
    let (pointer, in_bytes) = match cast {
        Some(rest) => (rest.trim().to_owned(), true),
        None => (pointer, false),
    };
    Ok(Clause::Valid {
        pointer,
        count,
        in_bytes,
        may_be_null: false,
    })
}

/// `p`, `p + (0 .. n-1)` or `p[0 .. n-1]`: the pointer and the number of elements.
fn range(text: &str) -> Result<(String, String), String> {
    let text = unwrapped(text.trim());
    let Some(dots) = text.find("..") else {
        if text.contains('+') || text.contains('[') {
            return Err(format!(
                "the elements of `{text}` are not a range from 0 on"
            ));
        }
        return Ok((text.to_owned(), "1".to_owned()));
    };
    let bad = || format!("`{text}` is not of the form `p + (0 .. n-1)`");
    let open = text[..dots].rfind(['(', '[']).ok_or_else(bad)?;
    let (pointer, low) = (text[..open].trim(), text[open + 1..dots].trim());
    let high = text[dots + 2..].trim();
    let high = high.strip_suffix([')', ']']).ok_or_else(bad)?.trim();
    let pointer = pointer.strip_suffix('+').unwrap_or(pointer).trim();
    if low != "0" || pointer.is_empty() || high.is_empty() {
        return Err(bad());
    }
    // `n-1` is the usual last one.
    let count = match high.strip_suffix("1").map(str::trim_end) {
        Some(rest) if rest.ends_with('-') => rest.trim_end_matches('-').trim().to_owned(),
        // ACSL's numbers have no end.
        _ => format!("1LL + ({high})"),
    };
    Ok((pointer.to_owned(), condition(&count)?))
}

/// ACSL as C: chains of comparisons, implications, and its own words.
fn condition(text: &str) -> Result<String, String> {
    let text = text.trim();
    let implied = split_top(text, "==>");
    if let [premise, conclusion] = implied.as_slice() {
        let (premise, conclusion) = (condition(premise)?, condition(conclusion)?);
        return Ok(format!("(!({premise}) || ({conclusion}))"));
    }
    let text = text
        .replace("\\null", "0")
        .replace("\\true", "1")
        .replace("\\false", "0");
    let text = replaced_word(&text, "NULL", "0");
    if let Some(at) = text.find('\\') {
        let word: String = text[at + 1..]
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        return Err(format!("`\\{word}` is not known in a condition"));
    }
    if text.is_empty() {
        return Err("a condition is empty".to_owned());
    }
    Ok(chained(&text).unwrap_or(text))
}

/// `0 <= i < n` as `0 <= i && i < n`, if the text is such a chain.
fn chained(text: &str) -> Option<String> {
    if !split_top(text, "&&")
        .iter()
        .zip(split_top(text, "||"))
        .all(|(a, b)| *a == b)
    {
        return None;
    }
    let mut parts = Vec::new();
    let mut depth = 0;
    let (bytes, mut start, mut i) = (text.as_bytes(), 0, 0);
    while i < bytes.len() {
        match bytes[i] {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b'<' | b'>' if depth == 0 => {
                // Neither a shift nor an arrow.
                let is_shift =
                    bytes.get(i + 1) == Some(&bytes[i]) || i > 0 && bytes[i - 1] == bytes[i];
                let is_arrow = bytes[i] == b'>' && i > 0 && bytes[i - 1] == b'-';
                if is_shift {
                    return None;
                }
                if !is_arrow {
                    let width = 1 + usize::from(bytes.get(i + 1) == Some(&b'='));
                    parts.push((&text[start..i], &text[i..i + width]));
                    start = i + width;
                    i += width;
                    continue;
                }
            }
            _ => {}
        }
        i += 1;
    }
    if parts.len() < 2 {
        return None;
    }
    let mut out = Vec::new();
    for (k, (left, op)) in parts.iter().enumerate() {
        let right = parts.get(k + 1).map_or(&text[start..], |(next, _)| next);
        out.push(format!("({}) {op} ({})", left.trim(), right.trim()));
    }
    Some(out.join(" && "))
}

/// The pointer that is compared with null, in `p == \null` and the like.
fn null_test(text: &str) -> Option<&str> {
    let text = unwrapped(text);
    if let Some(rest) = text.strip_prefix('!') {
        return Some(unwrapped(rest.trim()));
    }
    let (left, right) = text.split_once("==")?;
    let (left, right) = (left.trim(), right.trim());
    let is_null = |t: &str| matches!(t, "\\null" | "NULL" | "0");
    match (is_null(left), is_null(right)) {
        (false, true) => Some(left),
        (true, false) => Some(right),
        _ => None,
    }
}

/// `name(a, b)` and nothing around it.
fn application(text: &str) -> Option<(&str, Vec<&str>)> {
    let open = text.find('(')?;
    let name = text[..open].trim();
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '\\';
    if name.is_empty() || !name.chars().all(is_name) || !text.ends_with(')') {
        return None;
    }
    let inner = &text[open + 1..text.len() - 1];
    is_balanced(inner).then(|| (name, split_top(inner, ",")))
}

/// Without parentheses around the whole.
fn unwrapped(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'))
        && is_balanced(inner)
    {
        text = inner.trim();
    }
    text
}

fn is_balanced(text: &str) -> bool {
    let mut depth = 0i32;
    for c in text.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// The parts between separators that are in no parentheses.
fn split_top<'t>(text: &'t str, separator: &str) -> Vec<&'t str> {
    let mut parts = Vec::new();
    let (mut depth, mut start, mut i) = (0i32, 0, 0);
    let bytes = text.as_bytes();
    while i < bytes.len() {
        match bytes[i] {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            _ if depth == 0 && text[i..].starts_with(separator) => {
                parts.push(&text[start..i]);
                i += separator.len();
                start = i;
                continue;
            }
            _ => {}
        }
        // Texts of users may have other letters than ASCII's.
        i += text[i..].chars().next().map_or(1, char::len_utf8);
    }
    parts.push(&text[start..]);
    parts
}

fn replaced_word(text: &str, word: &str, by: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let (before, after) = (&rest[..at], &rest[at + word.len()..]);
        out.push_str(before);
        let stays = is_part(before.chars().next_back()) || is_part(after.chars().next());
        out.push_str(if stays { word } else { by });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Without blanks, to compare.
pub(crate) fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The preconditions that a C text has for a function: `requires` clauses of an ACSL comment before its definition,
/// and `__CPROVER_requires` after its parameters.
pub fn written(source: &str, function: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = source[from..].find(function).map(|at| from + at) {
        let end = at + function.len();
        from = end;
        let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let rest = source[end..].trim_start();
        if is_part(source[..at].chars().next_back()) || !rest.starts_with('(') {
            continue;
        }
        let Some(close) = closing(rest) else { continue };
        let Some(brace) = rest.find(['{', ';']) else {
            continue;
        };
        // A call has a semicolon after it, or is inside a body; a definition has a type before the name.
        let head_start = source[..at].rfind([';', '}', '{']).map_or(0, |i| i + 1);
        let head = &source[head_start..at];
        if brace < close || !rest[brace..].starts_with('{') || head.trim().is_empty() {
            continue;
        }
        let comment = source[..at].rfind("/*@").map(|start| &source[start..at]);
        if let Some((comment, after)) = comment.and_then(|c| c.split_once("*/"))
            && !after.contains([';', '}'])
        {
            found.extend(requires(comment.trim_start_matches("/*@")));
        }
        let mut contracts = &rest[close..brace];
        while let Some(at) = contracts.find("__CPROVER_requires") {
            let inner = contracts[at + "__CPROVER_requires".len()..].trim_start();
            let Some(end) = closing(inner) else { break };
            found.push(inner[1..end - 1].trim().to_owned());
            contracts = &inner[end..];
        }
    }
    found
}

/// The end of a text that starts with a parenthesis, after the one that closes it.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(i + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The `requires` clauses of an ACSL contract.
fn requires(comment: &str) -> Vec<String> {
    let lines = comment
        .lines()
        .map(|line| line.trim().trim_start_matches('@'));
    let text = lines.collect::<Vec<_>>().join(" ");
    (text.split(';'))
        .filter_map(|part| part.trim().strip_prefix("requires"))
        .map(|part| part.trim().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let shown = match Precondition::read(text) {
            Ok(read) => format!("{:?}", read.clauses),
            Err(message) => message,
        };
        assert!(shown.contains(expected), "{text}: {shown}");
    }

    #[test]
    fn memory_becomes_a_shape_and_the_rest_a_condition() {
        check("n >= 0", "[Condition(\"n >= 0\")]");
        check(
            "\\valid(a + (0 .. n-1))",
            "pointer: \"a\", count: \"n\", in_bytes: false",
        );
        check("\\valid_read(a + (0 .. 7))", "count: \"1LL + (7)\"");
        check(
            "\\valid(p)",
            "count: \"1\", in_bytes: false, may_be_null: false",
        );
        check("p == \\null || \\valid(p)", "may_be_null: true");
        check(
            "valid_string(s) && n < 3",
            "Text { pointer: \"s\", may_be_null: false }, Condition",
        );
        check(
            "\\separated(p, q + (0 .. n-1))",
            "Separated([\"p\", \"q\"])",
        );
        check(
            "__CPROVER_is_fresh(p, n * 4)",
            "count: \"n * 4\", in_bytes: true",
        );
        check(
            "\\valid(s->data + (0 .. s->len - 1))",
            "pointer: \"s->data\", count: \"s->len\"",
        );
    }

    #[test]
    fn conditions_are_turned_into_c() {
        check("0 <= i < n", "(0) <= (i) && (i) < (n)");
        check("p != \\null ==> n > 0", "(!(p != 0) || (n > 0))");
        check("p->n < m", "p->n < m");
        check("x << 2 < y", "x << 2 < y");
        check("\\forall integer i; x", "`\\forall` is not known");
        check("\\valid(a + (1 .. n))", "not of the form");
    }

    #[test]
    fn contracts_are_found_in_the_source() {
        let text = "/*@ requires n >= 0;\n  @ requires \\valid(a + (0 .. n-1));\n  @ ensures \\result > 0; */\n\
                    int f(int *a, int n) { return g(a); }\n\
                    int g(int *a) __CPROVER_requires(a != NULL) __CPROVER_ensures(1) { f(a, 1); return 0; }";
        assert_eq!(written(text, "f"), ["n >= 0", "\\valid(a + (0 .. n-1))"]);
        assert_eq!(written(text, "g"), ["a != NULL"]);
        assert!(written(text, "h").is_empty());
    }
}
