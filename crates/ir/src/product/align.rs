//! Two versions of an entry function: whether they can be called alike, and by which names.

use crate::ctype::CType;
use crate::program::{BEHIND, Function, FunctionOrigin, InputKind, Program};

/// A function of which the two versions have other signatures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    pub name: String,
    pub old: String,
    pub new: String,
}

/// The user's functions that both programs have, with other signatures.
pub fn signatures(old: &Program, new: &Program) -> Vec<Signature> {
    let is_own = |f: &&Function| f.origin == FunctionOrigin::User;
    let mut list: Vec<Signature> = Vec::new();
    for function in old.functions.iter().filter(is_own) {
        let mut others = new.functions.iter().filter(is_own);
        let Some(other) = others.find(|f| f.name == function.name) else {
            continue;
        };
        let [before, after] = [(old, function), (new, other)]
            .map(|(program, f)| program.types.declaration(f.ty, &f.name));
        if before != after && !list.iter().any(|s| s.name == function.name) {
            list.push(Signature {
                name: function.name.clone(),
                old: before,
                new: after,
            });
        }
    }
    list
}

/// Parameters of the entry function that have other names in the new program, the new name first. `None` if the
/// functions take other things.
pub fn renamed(old: &Program, new: &Program) -> Option<Vec<(String, String)>> {
    let [a, b] = [old, new].map(|program| program.function(program.entry));
    if a.params.len() != b.params.len() {
        return None;
    }
    let is_alike = (a.params.iter().zip(&b.params)).all(|(&p, &q)| {
        let [p, q] = [(old, a.local(p)), (new, b.local(q))]
            .map(|(program, local)| program.types.name(local.ty));
        p == q
    });
    let returns = [(old, a), (new, b)].map(|(program, f)| match program.types.get(f.ty) {
        CType::Function(signature) => program.types.name(signature.ret),
        _ => String::new(),
    });
    if !is_alike || returns[0] != returns[1] {
        return None;
    }
    let names = (a.params.iter().zip(&b.params)).map(|(&p, &q)| (b.local(q), a.local(p)));
    Some(
        names
            .filter(|(new, old)| new.name != old.name)
            .map(|(new, old)| (new.name.clone(), old.name.clone()))
            .collect(),
    )
}

/// The new program with its entry function's parameters called as in the old one.
pub fn align(new: &Program, names: &[(String, String)]) -> Program {
    let mut program = new.clone();
    for site in &mut program.inputs {
        if let InputKind::Parameter(name) = &mut site.kind {
            *name = replace_names(name, names);
        }
    }
    let start = program.start.index();
    for local in &mut program.functions[start].locals {
        if let Some(name) = local.name.strip_prefix(BEHIND) {
            local.name = format!("{BEHIND}{}", replace_names(name, names));
        }
    }
    program
}

/// Replaces whole identifiers.
pub fn replace_names(text: &str, names: &[(String, String)]) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut result = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let n = if is_part(first) {
            rest.find(|c| !is_part(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (word, after) = rest.split_at(n);
        let known = names.iter().find(|(from, _)| from == word);
        result.push_str(known.map_or(word, |(_, to)| to.as_str()));
        rest = after;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::replace_names;

    #[test]
    fn whole_names_are_replaced() {
        let names = [("n".to_owned(), "count".to_owned())];
        assert_eq!(replace_names("length of n", &names), "length of count");
        assert_eq!(replace_names("nn[n - 1]", &names), "nn[count - 1]");
    }
}
