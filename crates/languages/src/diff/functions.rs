//! Which functions changed, as text: what a reviewer looks at first.

use idiolect_ir::product::{Signature, shape, signatures};
use idiolect_ir::{FuncId, FunctionOrigin, Program};
use idiolect_outcome::results::{FunctionChanges, SignatureChange};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Functions of the user that are not the same in both versions.
#[derive(Default)]
pub struct Changes {
    signatures: Vec<Signature>,
    bodies: Vec<String>,
    added: Vec<String>,
    removed: Vec<String>,
}

impl Changes {
    /// Functions of two programs, compared by their text.
    pub fn of(old: &Program, new: &Program) -> Self {
        let [before, after] = [old, new].map(bodies);
        let signatures = signatures(old, new);
        let has_signature = |name: &str| signatures.iter().any(|s| s.name == name);
        let names = |list: Vec<&&str>| list.into_iter().map(|n| (*n).to_owned()).collect();
        let only = |a: &BTreeMap<&str, String>, b: &BTreeMap<&str, String>| {
            names(a.keys().filter(|name| !b.contains_key(*name)).collect())
        };
        let changed = before.iter().filter(|(name, text)| {
            after.get(*name).is_some_and(|other| other != *text) && !has_signature(name)
        });
        Self {
            bodies: changed.map(|(name, _)| (*name).to_owned()).collect(),
            added: only(&after, &before),
            removed: only(&before, &after),
            signatures,
        }
    }

    /// A line for each that is not the same.
    pub fn lines(&self) -> String {
        let mut text = String::new();
        for changed in &self.signatures {
            let _ = writeln!(
                text,
                "signature changed: `{}` was `{}`",
                changed.new, changed.old
            );
        }
        let lists = [
            ("changed", &self.bodies),
            ("new", &self.added),
            ("gone", &self.removed),
        ];
        let parts: Vec<String> = (lists.into_iter())
            .filter(|(_, names)| !names.is_empty())
            .map(|(what, names)| format!("{what} {}", shortened(names)))
            .collect();
        if !parts.is_empty() {
            let _ = writeln!(text, "functions: {}", parts.join("; "));
        }
        text
    }

    /// By name.
    pub fn to_result(&self) -> FunctionChanges {
        let signatures = self.signatures.iter().map(|s| SignatureChange {
            name: s.name.clone(),
            old: s.old.clone(),
            new: s.new.clone(),
        });
        FunctionChanges {
            signature: signatures.collect(),
            changed: self.bodies.clone(),
            added: self.added.clone(),
            removed: self.removed.clone(),
        }
    }
}

/// So many are named in a line.
const MOST: usize = 8;

fn shortened(names: &[String]) -> String {
    let shown = names[..names.len().min(MOST)].join(", ");
    match names.len().saturating_sub(MOST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The user's functions by name, and what they say.
fn bodies(program: &Program) -> BTreeMap<&str, String> {
    let own =
        (program.functions.iter().enumerate()).filter(|(_, f)| f.origin == FunctionOrigin::User);
    own.map(|(i, f)| (f.name.as_str(), shape(program, FuncId::new(i))))
        .collect()
}
