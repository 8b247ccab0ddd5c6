//! Macros that are defined as one number, in the user's own text.

/// The line that defines a macro, and its text.
pub(crate) fn definition_line(original: &str, name: &str) -> Option<(u32, String)> {
    let mut lines = original.lines().enumerate();
    let (i, text) = lines.find(|(_, line)| {
        let mut words = line.trim_start().trim_start_matches('#').split_whitespace();
        line.trim_start().starts_with('#')
            && words.next() == Some("define")
            && words.next() == Some(name)
    })?;
    let words: Vec<&str> = text.split_whitespace().take(3).collect();
    Some((i as u32 + 1, words.join(" ")))
}

/// Macros that are one number.
pub(crate) fn macros(original: &str) -> Vec<(String, i128)> {
    let mut list = Vec::new();
    for line in original.lines() {
        let Some(rest) = line.trim_start().strip_prefix('#') else {
            continue;
        };
        let Some(rest) = rest.trim_start().strip_prefix("define") else {
            continue;
        };
        let rest = rest.split("/*").next().unwrap_or("");
        let words: Vec<&str> = rest
            .split("//")
            .next()
            .unwrap_or("")
            .split_whitespace()
            .collect();
        if let [name, value] = words[..]
            && !name.contains('(')
            && let Ok(number) = value.trim_matches(['(', ')']).parse()
        {
            list.push((name.to_owned(), number));
        }
    }
    list
}

/// The text in which a macro has another number.
pub(crate) fn with_definition(original: &str, name: &str, value: &str) -> Option<String> {
    let mut at = 0;
    for line in original.split_inclusive('\n') {
        let is_define = line.trim_start().strip_prefix('#');
        let is_define = is_define.and_then(|l| l.trim_start().strip_prefix("define"));
        if let Some(rest) = is_define {
            let words = crate::tokens::tokens(rest);
            if let [first, second, ..] = words[..]
                && &rest[first.start..first.end] == name
            {
                let offset = at + line.len() - rest.len();
                let mut text = original.to_owned();
                text.replace_range(offset + second.start..offset + second.end, value);
                return Some(text);
            }
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_keeps_its_comment() {
        let text = "#define N 3 /* three */\nint a[N];\n";
        let new = with_definition(text, "N", "4");
        assert_eq!(new.as_deref(), Some("#define N 4 /* three */\nint a[N];\n"));
    }

    #[test]
    fn macros_are_found_where_they_are_numbers() {
        let text = "#define A 1\n# define B (20) // twenty\n#define C x\n#define D(y) 3\n";
        assert_eq!(macros(text), [("A".to_owned(), 1), ("B".to_owned(), 20)]);
    }
}
