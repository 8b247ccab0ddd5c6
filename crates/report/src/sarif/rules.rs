//! The kinds of findings, with what whoever sees one for the first time wants to know.

use serde::Serialize;

/// Where rules are in [`RULES`].
pub(super) const WAYS_TO_FAIL: usize = 2;
pub(super) const RELEVANT: usize = 3;
pub(super) const VIOLATION: usize = 4;
pub(super) const DIFFERENT: usize = 5;
pub(super) const REPAIR: usize = 6;

pub(super) const RULES: &[Rule] = &[
    rule(
        "idiolect/error",
        "ErrorReachable",
        "A run reaches an error.",
        Level::Error,
    ),
    rule(
        "idiolect/fault",
        "UndefinedBehaviour",
        "A run does something undefined.",
        Level::Error,
    ),
    rule(
        "idiolect/ways-to-fail",
        "WaysToFail",
        "An assertion can fail; the runs show how.",
        Level::Error,
    ),
    rule(
        "idiolect/relevant",
        "RelevantStatement",
        "This statement, changed alone, blocks the error trace.",
        Level::Note,
    ),
    rule(
        "idiolect/violation",
        "SpecificationViolated",
        "A run breaks the specification.",
        Level::Error,
    ),
    rule(
        "idiolect/different",
        "BehaviourDiffers",
        "One version does what the other does not.",
        Level::Warning,
    ),
    rule(
        "idiolect/repair",
        "RepairFound",
        "A failing run passes with a small change here.",
        Level::Error,
    ),
];

/// More about a rule, for those who see it for the first time.
fn help(id: &str) -> &'static str {
    match id {
        "idiolect/error" => {
            "This run was replayed by the interpreter before it was reported. Its steps are the code \
             flow; `idiolect run FILE --input … --trace` does it again, `idiolect localize FILE` says which assignment, \
             changed alone, lets it pass."
        }
        "idiolect/fault" => {
            "The run does what C leaves undefined (null, out of bounds, freed memory, division by zero, \
             overflow). It was replayed by the interpreter before it was reported."
        }
        "idiolect/ways-to-fail" => {
            "All the ways in which the assertion fails within the bounds of the guarantee, as an automaton over events; \
             each code flow is one of them. `idiolect explain FILE --report page.html` draws it."
        }
        "idiolect/relevant" => {
            "Another constant assigned here alone blocks the error trace. Other traces to the error may \
             remain, so no single fix is promised."
        }
        "idiolect/violation" => {
            "A recorded run leaves the protocol that was mined from other runs. What is common was taken to be \
             correct: the finding may also mean that the specification is too narrow."
        }
        "idiolect/repair" => {
            "The failing run passes with this change, and so do the runs that passed before. How much more is \
             known of it is in the message of `idiolect repair FILE`; `--apply 1` makes the change."
        }
        _ => {
            "A word of events with a run in one version and none in the other, within the bounds of the guarantee."
        }
    }
}

const fn rule(id: &'static str, name: &'static str, text: &'static str, level: Level) -> Rule {
    Rule {
        id,
        name,
        short_description: ConstMessage { text },
        help: HelpOf(id),
        help_uri: UriOf(id),
        default_configuration: Configuration { level },
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rule {
    pub(super) id: &'static str,
    name: &'static str,
    short_description: ConstMessage,
    help: HelpOf,
    #[serde(skip_serializing_if = "UriOf::is_unknown")]
    help_uri: UriOf,
    pub(super) default_configuration: Configuration,
}

/// The help of a rule, by its name.
pub(super) struct HelpOf(&'static str);

impl Serialize for HelpOf {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ConstMessage { text: help(self.0) }.serialize(serializer)
    }
}

#[derive(Serialize)]
pub(super) struct ConstMessage {
    text: &'static str,
}

#[derive(Serialize)]
pub(super) struct Configuration {
    pub(super) level: Level,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Level {
    Error,
    Warning,
    Note,
}

/// The chapter of the book about a rule, where the package says where its repository is. An address that leads
/// nowhere would be worse than none; the help itself is in the file.
struct UriOf(&'static str);

const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

impl UriOf {
    fn is_unknown(&self) -> bool {
        REPOSITORY.is_empty()
    }
}

impl Serialize for UriOf {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&uri(REPOSITORY, self.0))
    }
}

fn uri(repository: &str, id: &str) -> String {
    let chapter = match id {
        "idiolect/error" | "idiolect/fault" => "verify",
        "idiolect/ways-to-fail" => "explain",
        "idiolect/relevant" => "localize",
        "idiolect/violation" => "mine",
        "idiolect/repair" => "repair",
        _ => "diff",
    };
    format!(
        "{}/blob/HEAD/docs/book/src/{chapter}.md",
        repository.trim_end_matches('/')
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_rule_has_a_chapter_of_the_book() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for rule in RULES {
            let address = uri("https://example.org/idiolect/", rule.id);
            let path = address
                .strip_prefix("https://example.org/idiolect/blob/HEAD/")
                .expect("it is in the repository");
            assert!(root.join(path).is_file(), "{address}");
        }
    }
}
