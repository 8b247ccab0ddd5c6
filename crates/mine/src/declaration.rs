//! C prototypes, as API files have them. Not a C parser: a prototype on one line, function pointers
//! and arrays included.

/// A function's prototype, taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Prototype {
    /// The type of its result, as it is written.
    pub result: String,
    pub parameters: Vec<Parameter>,
    /// Whether `...` follows.
    pub is_variadic: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Parameter {
    pub name: String,
    /// The whole declaration.
    pub text: String,
    pub has_name: bool,
}

/// The prototype of the function `name`; `None` if this is not one. A parameter without a name is
/// called by its position.
pub(crate) fn prototype(declaration: &str, name: &str) -> Option<Prototype> {
    let text = declaration.trim().trim_end_matches(';').trim_end();
    let open = find_call(text, name)?;
    let inside = text[open + 1..].trim_end().strip_suffix(')')?;
    let before = text[..open].trim_end().strip_suffix(name)?;
    let mut found = Prototype {
        result: before.trim().to_owned(),
        parameters: Vec::new(),
        is_variadic: false,
    };
    for part in split(inside)? {
        let part = part.trim();
        if part.is_empty() || part == "void" {
            continue;
        }
        if part == "..." {
            found.is_variadic = true;
            continue;
        }
        let position = found.parameters.len();
        let given = name_of(part);
        found.parameters.push(Parameter {
            has_name: given.is_some(),
            name: given.unwrap_or_else(|| format!("arg{position}")),
            text: part.to_owned(),
        });
    }
    Some(found)
}

/// The names of the parameters of the function `name`.
pub(crate) fn parameters(declaration: &str, name: &str) -> Option<Vec<String>> {
    let found = prototype(declaration, name)?;
    Some(found.parameters.into_iter().map(|p| p.name).collect())
}

/// Where the parameter list begins: the first `(` after the name as a whole word.
fn find_call(text: &str, name: &str) -> Option<usize> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name).find_map(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = &text[at + name.len()..];
        let rest = after.trim_start();
        let whole = !before.is_some_and(is_word) && before.is_some() && rest.starts_with('(');
        whole.then(|| text.len() - rest.len())
    })
}

/// Parts between commas outside brackets.
fn split(text: &str) -> Option<Vec<&str>> {
    let mut depth = 0i32;
    let mut start = 0;
    let mut parts = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    parts.push(&text[start..]);
    (depth == 0).then_some(parts)
}

fn name_of(parameter: &str) -> Option<String> {
    // In `void (*handler)(int)` the name follows the star, in `int a[3]` it precedes the bracket.
    let declarator = match parameter.find("(*") {
        Some(at) => parameter[at + 2..].split(')').next()?,
        None => parameter.split('[').next()?,
    };
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let declarator = declarator.trim_end();
    let before = declarator.trim_end_matches(is_word);
    let word = &declarator[before.len()..];
    // A single word is a type.
    let is_name = !before.is_empty() || parameter.contains("(*");
    let keyword = [
        "int", "char", "long", "short", "unsigned", "signed", "double", "float",
    ];
    (is_name && !word.is_empty() && !keyword.contains(&word)).then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::parameters;

    fn check(declaration: &str, name: &str, expected: &[&str]) {
        let found = parameters(declaration, name);
        assert_eq!(
            found,
            Some(expected.iter().map(|s| (*s).to_owned()).collect()),
            "{declaration}"
        );
    }

    #[test]
    fn prototypes() {
        check("int close(int fd)", "close", &["fd"]);
        check("int getpid(void);", "getpid", &[]);
        check(
            "int open(const char *path, int flags, ...)",
            "open",
            &["path", "flags"],
        );
        check("struct close *close (struct close *x[3])", "close", &["x"]);
        check(
            "void qsort(void *b, size_t, size_t s, int (*cmp)(const void *, const void *))",
            "qsort",
            &["b", "arg1", "s", "cmp"],
        );
        check("unsigned f(unsigned int, char *)", "f", &["arg0", "arg1"]);
        // No C, but no reason to fall over either.
        check("int f(size_t Ϟlen)", "f", &["len"]);
    }

    #[test]
    fn what_is_no_prototype() {
        for text in [
            "",
            "close",
            "int close",
            "int close(int fd",
            "int xclose(int fd)",
            "close(1)",
        ] {
            assert_eq!(parameters(text, "close"), None, "{text}");
        }
    }
}
