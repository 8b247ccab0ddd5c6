//! Kinds of objects from the types of a header: what a function gives or takes by a pointer to one record is an object
//! of a kind if some function makes such objects and some function ends them. Names are the prior for which of them do:
//! `open`, `new`, `init`; `close`, `free`, `destroy`. A person may correct the file.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A function of the header, on the way to an API file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prototype {
    pub name: String,
    /// The type of its result, with stars.
    pub result: String,
    /// Parameters with their names.
    pub parameters: Vec<String>,
}

/// What typedef names stand for: text and stars.
pub type Typedefs = BTreeMap<String, (String, usize)>;

/// What a function does to objects, as lines of its table in an API file.
pub struct KindLines {
    pub kinds: Vec<String>,
    /// By function.
    pub lines: BTreeMap<String, String>,
    /// Calls that make objects.
    pub seeds: Vec<String>,
}

/// A function with these in its name makes what it gives.
const MAKING: [&str; 19] = [
    "new", "open", "create", "init", "alloc", "dup", "copy", "clone", "parse", "read", "load",
    "make", "connect", "prepare", "start", "begin", "compile", "build", "from",
];

/// A function with these in its name gives what somebody else has.
const BORROWING: [&str; 12] = [
    "get", "next", "prev", "parent", "first", "last", "find", "child", "root", "current", "handle",
    "lookup",
];

/// A function with these in its name ends its argument.
const ENDING: [&str; 7] = [
    "free", "destroy", "finalize", "cleanup", "delete", "dispose", "unref",
];

/// The same, unless there is one of the others for the kind.
const CLOSING: [&str; 4] = ["close", "end", "release", "term"];

/// Names in lower case, by underscores and capital letters: `xmlFreeDoc` is `xml`, `free`, `doc`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        let begins = c == '_' || c.is_ascii_uppercase() && was_lower || c.is_ascii_digit();
        if begins && words.last().is_some_and(|w| !w.is_empty()) {
            words.push(String::new());
        }
        was_lower = c.is_ascii_lowercase();
        if c != '_'
            && let Some(word) = words.last_mut()
        {
            word.push(c.to_ascii_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a name has one of these words. `gzopen` has `open`: a word may end with it, but `append` is no `end`.
fn has(name: &str, list: &[&str]) -> bool {
    let words = words(name);
    words.iter().any(|word| {
        list.iter()
            .any(|w| word == w || w.len() > 3 && word.ends_with(w) && word.len() <= w.len() + 3)
    })
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The record that a type names, with how many stars are before it: `const sqlite3_stmt *` is `sqlite3_stmt` and one.
fn record(text: &str, typedefs: &Typedefs) -> Option<(String, usize)> {
    if text.contains(['(', '[']) {
        return None;
    }
    let mut stars = text.matches('*').count();
    let plain = ["const", "volatile", "struct", "union", "extern"];
    let is_tagged = text.split(|c| !is_word(c)).any(|w| w == "struct");
    let mut names = (text.split(|c| !is_word(c))).filter(|w| !w.is_empty() && !plain.contains(w));
    let mut base = names.next()?.to_owned();
    if names.next().is_some() {
        return None;
    }
    if is_tagged {
        base = format!("struct {base}");
    }
    for _ in 0..8 {
        let Some((text, more)) = typedefs.get(&base) else {
            break;
        };
        // `typedef void CURL` has a name of its own.
        if text == "void" && *more == 0 {
            return Some((base, stars));
        }
        let tagged = text.strip_prefix("struct ");
        stars += more;
        if tagged.is_some() {
            return Some((text.clone(), stars));
        }
        base.clone_from(text);
    }
    base.starts_with("struct ").then_some((base, stars))
}

/// The type and the name of a parameter.
fn parameter(text: &str) -> (&str, &str) {
    let end = text.trim_end();
    let at = end.rfind(|c| !is_word(c)).map_or(0, |at| at + 1);
    (&end[..at], &end[at..])
}

/// A name for a kind: `struct _xmlDoc` is `xmldoc`.
fn kind_name(record: &str) -> String {
    let plain = record.trim_start_matches("struct ").trim_matches('_');
    let plain = plain.strip_suffix("_s").unwrap_or(plain);
    plain.to_ascii_lowercase()
}

/// How a function has to do with objects of one record.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Role<'a> {
    function: &'a Prototype,
    /// The name of the parameter, or `return`.
    attribute: &'a str,
    stars: usize,
}

/// The kinds that a header's functions make and end.
pub fn find(functions: &[Prototype], typedefs: &Typedefs) -> KindLines {
    let mut roles: BTreeMap<String, Vec<Role<'_>>> = BTreeMap::new();
    for function in functions {
        let mut add = |text: &str, attribute, extra: usize| {
            if let Some((record, stars)) = record(text, typedefs)
                && (1..=2).contains(&(stars + extra))
                && record != "struct _IO_FILE"
            {
                roles.entry(record).or_default().push(Role {
                    function,
                    attribute,
                    stars,
                });
            }
        };
        for text in &function.parameters {
            let (ty, name) = parameter(text);
            if !ty.contains("const") || !ty.contains("**") {
                add(ty, name, 0);
            }
        }
        add(&function.result, "return", 0);
    }
    let mut found = KindLines {
        kinds: Vec::new(),
        lines: BTreeMap::new(),
        seeds: Vec::new(),
    };
    let mut tables: BTreeMap<&str, Table> = BTreeMap::new();
    for (record, roles) in &roles {
        let kind = kind_name(record);
        let ends = |list: &[&str]| -> Vec<&Role<'_>> {
            (roles.iter())
                .filter(|r| r.stars == 1 && r.attribute != "return" && has(&r.function.name, list))
                .filter(|r| is_first(r, typedefs))
                .collect()
        };
        let mut enders = ends(&ENDING);
        if enders.is_empty() {
            enders = ends(&CLOSING);
        }
        let gives = |r: &&Role<'_>| {
            let name = &r.function.name;
            let is_result = r.attribute == "return" && r.stars == 1;
            let is_constant = r.function.result.contains("const");
            let is_given = r.attribute != "return" && r.stars == 2;
            (is_result && !is_constant || is_given) && has(name, &MAKING) && !has(name, &BORROWING)
        };
        let mut makers: Vec<&Role<'_>> = roles.iter().filter(gives).collect();
        if makers.is_empty() {
            // `inflateInit_(z_streamp strm, …)`: the program has the memory.
            let begins = |r: &&Role<'_>| {
                r.stars == 1 && r.attribute != "return" && has_prefix(&r.function.name, "init")
            };
            makers = roles
                .iter()
                .filter(begins)
                .filter(|r| is_first(r, typedefs))
                .collect();
        }
        if enders.is_empty() || makers.is_empty() || found.kinds.contains(&kind) {
            continue;
        }
        found.kinds.push(kind.clone());
        for role in roles {
            let table = tables.entry(&role.function.name).or_default();
            let makes = makers.contains(&role);
            if !makes && (role.stars == 2 || role.attribute == "return") {
                continue;
            }
            let attribute = if role.stars == 2 {
                let name = format!("made_{}", role.attribute);
                table
                    .extra
                    .push(format!("{name} = \"*{}\"", role.attribute));
                name
            } else {
                role.attribute.to_owned()
            };
            let ending = enders.contains(&role);
            if makes || ending {
                table.defines.push(attribute.clone());
            }
            if !makes {
                table.uses.push(attribute.clone());
            }
            if ending {
                table.ends.push(attribute.clone());
            }
            if makes {
                found
                    .seeds
                    .push(format!("{}({attribute})", role.function.name));
                table.success = match (role.attribute, role.stars) {
                    ("return", _) => Some("return != 0"),
                    (_, 1) if role.function.result.trim() == "int" => Some("return == 0"),
                    _ => None,
                };
            }
            table.kinds.push(format!("{attribute} = \"{kind}\""));
        }
    }
    for (name, table) in tables {
        found.lines.insert(name.to_owned(), table.to_text());
    }
    found
}

fn has_prefix(name: &str, part: &str) -> bool {
    words(name).iter().any(|word| word.starts_with(part))
}

/// Whether it is the function's first object of any record.
fn is_first(role: &Role<'_>, typedefs: &Typedefs) -> bool {
    let mut all = role.function.parameters.iter().map(|text| parameter(text));
    all.find(|(ty, _)| record(ty, typedefs).is_some_and(|(_, stars)| stars == 1))
        .is_some_and(|(_, name)| name == role.attribute)
}

#[derive(Default)]
struct Table {
    extra: Vec<String>,
    defines: Vec<String>,
    uses: Vec<String>,
    ends: Vec<String>,
    kinds: Vec<String>,
    success: Option<&'static str>,
}

impl Table {
    fn to_text(&self) -> String {
        let mut text = String::new();
        if !self.extra.is_empty() {
            let _ = writeln!(text, "extra = {{ {} }}", self.extra.join(", "));
        }
        for (name, list) in [
            ("defines", &self.defines),
            ("uses", &self.uses),
            ("ends", &self.ends),
        ] {
            if !list.is_empty() {
                let quoted: Vec<String> = list.iter().map(|n| format!("\"{n}\"")).collect();
                let _ = writeln!(text, "{name} = [{}]", quoted.join(", "));
            }
        }
        if !self.kinds.is_empty() {
            let _ = writeln!(text, "kinds = {{ {} }}", self.kinds.join(", "));
        }
        if let Some(success) = self.success {
            let _ = writeln!(text, "success = \"{success}\"");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{Prototype, Typedefs, find, has, words};

    #[test]
    fn names_have_words() {
        assert_eq!(words("xmlFreeDoc"), ["xml", "free", "doc"]);
        assert_eq!(words("sqlite3_open_v2"), ["sqlite", "3", "open", "v", "2"]);
        assert!(has("gzopen", &["open"]) && has("inflateEnd", &["end"]));
        assert!(!has("archive_append", &["end"]) && !has("gzsetparams", &["end"]));
    }

    #[test]
    fn out_parameters_and_results_are_made() {
        let function = |name: &str, result: &str, parameters: &[&str]| Prototype {
            name: name.to_owned(),
            result: result.to_owned(),
            parameters: parameters.iter().map(|p| (*p).to_owned()).collect(),
        };
        let functions = [
            function("db_open", "int", &["const char *name", "db **out"]),
            function("db_exec", "int", &["db *d", "const char *text"]),
            function("db_close", "int", &["db *d"]),
            function("doc_get_parent", "docPtr", &["docPtr d"]),
            function("doc_new", "docPtr", &["void"]),
            function("doc_free", "void", &["docPtr d"]),
            function("other", "void", &["struct tm *t"]),
        ];
        let mut typedefs = Typedefs::new();
        typedefs.insert("db".to_owned(), ("struct db_s".to_owned(), 0));
        typedefs.insert("docPtr".to_owned(), ("doc".to_owned(), 1));
        typedefs.insert("doc".to_owned(), ("struct _doc".to_owned(), 0));
        let found = find(&functions, &typedefs);
        assert_eq!(found.kinds, ["doc", "db"]);
        assert_eq!(found.seeds, ["doc_new(return)", "db_open(made_out)"]);
        assert_eq!(
            found.lines["db_open"],
            "extra = { made_out = \"*out\" }\ndefines = [\"made_out\"]\nkinds = { made_out = \"db\" }\n"
        );
        assert_eq!(
            found.lines["db_close"],
            "defines = [\"d\"]\nuses = [\"d\"]\nends = [\"d\"]\nkinds = { d = \"db\" }\n"
        );
        // What is borrowed is nobody's to end.
        assert_eq!(
            found.lines["doc_get_parent"],
            "uses = [\"d\"]\nkinds = { d = \"doc\" }\n"
        );
        assert!(!found.lines.contains_key("other"));
    }
}
