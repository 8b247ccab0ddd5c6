//! A specification as C text.
//!
//! *Question*: which runs of a C program break the rules about the lives of objects? [`for_program`] writes what stands
//! in for the functions of the API when the program is looked at without being run: a model of what each of them
//! may do, and a ghost that follows one object of the run, any one, through the states of its kind. Whatever
//! looks for runs with an error then looks for runs that break the specification, and a proof that there is none is one for
//! every object, since the run decides which one is followed. [`for_process`] writes a library that follows all
//! objects of a real run.
//!
//! *Limits*: what is known of the API is what its file says. Calls that have neither a model nor a body do what
//! any unknown function does.

mod model;
mod process;
mod program;

pub use process::for_process;
pub use program::{MonitorConfig, ProgramMonitor, for_program};

use crate::api::{Api, Call, Success};
use crate::declaration::Prototype;
use crate::lives::{LifeMachine, Next};
use crate::specification::MinedSpecification;
use crate::vocabulary::{ApiVocabulary, AttributeId, KindId};
use std::fmt::Write as _;

/// The machines of all kinds that have rules.
struct Machines {
    vocabulary: ApiVocabulary,
    machines: Vec<LifeMachine>,
}

impl Machines {
    fn new(spec: &MinedSpecification) -> Self {
        let vocabulary = spec.vocabulary();
        let kinds = spec.lives.kinds();
        let machines = (kinds.into_iter())
            .filter_map(|kind| LifeMachine::new(&vocabulary, &spec.lives, kind))
            .collect();
        Self {
            vocabulary,
            machines,
        }
    }

    fn of(&self, kind: KindId) -> Option<&LifeMachine> {
        self.machines.iter().find(|machine| machine.kind == kind)
    }

    /// The attributes of a call whose objects are followed, with what follows them.
    fn followed<'a>(&'a self, call: &'a Call) -> impl Iterator<Item = Followed> + use<'a> {
        call.attributes.iter().filter_map(move |own| {
            let full_name = format!("{}.{}", call.name, own.name);
            let id = self.vocabulary.attribute(&full_name)?;
            let kind = self.vocabulary.kind(id);
            self.of(kind)?;
            Some(Followed {
                id,
                kind,
                name: own.name.clone(),
            })
        })
    }

    /// A function for each letter: the state after it, or -1 and less for a rule that is broken.
    fn write_steps(&self, spec: &MinedSpecification, text: &mut String) {
        for machine in &self.machines {
            for (letter, row) in &machine.steps {
                let name = self.vocabulary.full_name(*letter);
                let _ = writeln!(
                    text,
                    "/* {name} */\nstatic int {PREFIX}_on_{}(int state) {{",
                    letter.0
                );
                for (state, next) in row.iter().enumerate() {
                    let _ = match next {
                        Next::State(to) if *to == state => continue,
                        Next::State(to) => writeln!(text, "    if (state == {state}) return {to};"),
                        Next::Breaks(rule) => {
                            let why = spec.lives.rules.get(*rule);
                            let why = why.map_or(String::new(), |r| r.text(&self.vocabulary));
                            let code = -1 - *rule as i64;
                            writeln!(text, "    if (state == {state}) return {code}; /* {why} */")
                        }
                    };
                }
                text.push_str("    return state;\n}\n");
            }
        }
    }
}

/// Before the names of everything that is not a function of the API.
const PREFIX: &str = "__idiolect_spec_";

/// An attribute that names an object of a kind with rules.
struct Followed {
    id: AttributeId,
    kind: KindId,
    name: String,
}

/// How objects of a kind are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Identity {
    /// An `int`.
    Number,
    /// A number of another type.
    Wide,
    /// A pointer that a call gives.
    Handle,
    /// A pointer to something that the program has.
    Address,
}

/// Types that are numbers.
const NUMBERS: [&str; 36] = [
    "int",
    "long",
    "short",
    "unsigned",
    "signed",
    "char",
    "size_t",
    "ssize_t",
    "off_t",
    "off64_t",
    "pid_t",
    "uid_t",
    "gid_t",
    "mode_t",
    "socklen_t",
    "pthread_t",
    "pthread_key_t",
    "key_t",
    "mqd_t",
    "clockid_t",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "intptr_t",
    "uintptr_t",
    "Window",
    "Atom",
    "Time",
    "XID",
    "Pixmap",
    "la_int64_t",
];

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

/// Whether a declaration is that of a number. The name in it does not matter: it comes last.
fn is_number(declaration: &str) -> bool {
    !declaration.contains(['*', '[', '('])
        && words(declaration)
            .find(|word| !["const", "volatile", "extern"].contains(word))
            .is_some_and(|first| NUMBERS.contains(&first))
}

/// What is written for the type of an attribute; `None` for those that are computed.
fn declared<'a>(prototype: &'a Prototype, attribute: &str) -> Option<&'a str> {
    if attribute == "return" {
        return Some(&prototype.result);
    }
    let own = prototype.parameters.iter().find(|p| p.name == attribute)?;
    Some(&own.text)
}

fn identity(api: &Api, vocabulary: &ApiVocabulary, kind: KindId) -> Identity {
    let (mut numbers, mut are_int) = (true, true);
    let mut is_given = false;
    for call in &api.calls {
        let Some(prototype) = prototype(call) else {
            continue;
        };
        for attribute in &call.attributes {
            let full_name = format!("{}.{}", call.name, attribute.name);
            if vocabulary
                .attribute(&full_name)
                .map(|id| vocabulary.kind(id))
                != Some(kind)
            {
                continue;
            }
            match declared(&prototype, &attribute.name) {
                Some(text) => {
                    numbers &= is_number(text);
                    are_int &= words(text).next() == Some("int");
                }
                None => is_given |= attribute.creates(),
            }
            is_given |= attribute.creates() && attribute.name == "return";
        }
    }
    if numbers && are_int {
        Identity::Number
    } else if numbers {
        Identity::Wide
    } else if is_given {
        Identity::Handle
    } else {
        Identity::Address
    }
}

fn prototype(call: &Call) -> Option<Prototype> {
    crate::declaration::prototype(call.declare.as_ref()?, &call.name)
}

/// Values that name no object of the kind.
fn nothing(api: &Api, vocabulary: &ApiVocabulary, kind: KindId) -> Vec<i64> {
    let name = vocabulary.kind_name(kind);
    let own = api.kinds.iter().find(|k| k.name == name).map(|k| &k.null);
    let texts = own.filter(|own| !own.is_empty()).unwrap_or(&api.null);
    texts.iter().filter_map(|text| text.parse().ok()).collect()
}

/// The expression of an attribute after the call.
fn value(call: &Call, attribute: &str) -> String {
    if attribute == "return" {
        return "idiolect_result".to_owned();
    }
    let extra = call.extra.iter().find(|(name, _)| name == attribute);
    match extra {
        Some((_, expression)) => format!("({expression})"),
        None => attribute.to_owned(),
    }
}

/// As an argument of the functions of its kind.
fn as_argument(identity: Identity, expression: &str) -> String {
    match identity {
        Identity::Number => format!("(int)({expression})"),
        Identity::Wide => format!("(long)({expression})"),
        Identity::Handle | Identity::Address => format!("(void *)({expression})"),
    }
}

/// A result of a call that failed, and one of a call that succeeded.
fn results(success: Success) -> (i64, i64) {
    let failed = [-1, 0, 1].into_iter().find(|n| !success.holds(*n));
    let succeeded = [0, 1, -1].into_iter().find(|n| success.holds(*n));
    (failed.unwrap_or(-1), succeeded.unwrap_or(0))
}

fn includes(api: &Api, text: &mut String) {
    for header in &api.include {
        let _ = if header.starts_with(['<', '"']) {
            writeln!(text, "#include {header}")
        } else {
            writeln!(text, "#include \"{header}\"")
        };
    }
}

fn parameters(prototype: &Prototype, has_rest: bool) -> String {
    let mut list: Vec<&str> = (prototype.parameters.iter())
        .map(|p| p.text.as_str())
        .collect();
    if has_rest && prototype.is_variadic {
        list.push("...");
    }
    if list.is_empty() {
        list.push("void");
    }
    list.join(", ")
}

#[cfg(test)]
mod tests;
