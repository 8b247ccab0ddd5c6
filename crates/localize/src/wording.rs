//! How statements and values are written for a user.

use crate::relevance::Blocking;
use crate::source::BlockingValue;
use idiolect_ir::{CType, ExprKind, Function, LocalId, Place, Program, TypeId};
use idiolect_symex::rerun::AssignedKind;

/// The local that a place is, in a register or in memory.
pub(crate) fn local_of(function: &Function, place: &Place) -> Option<LocalId> {
    match *place {
        Place::Local(local) => Some(local),
        Place::Memory { address, .. } => match function.expr(address).kind {
            ExprKind::LocalAddress(local) => Some(local),
            _ => None,
        },
        Place::Bits { .. } => None,
    }
}

/// The statement with the name of what it assigns: the text of a declaration begins with whatever is
/// before the name (`*p = 0`), that of a call with its function.
pub(crate) fn with_name(text: String, name: &str, is_call: bool) -> String {
    if name.is_empty() || text.starts_with(name) {
        return text;
    }
    let left = assigned_text(&text);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let declares = left.split(|c| !is_word(c)).any(|word| word == name);
    match text.split_once('=') {
        Some((_, value)) if declares && left != name => {
            format!("{name} = {}", value.trim().trim_end_matches(';'))
        }
        _ if is_call => format!("{name} = {text}"),
        _ => text,
    }
}

/// The left side of an assignment, as it is written.
pub(crate) fn assigned_text(text: &str) -> String {
    let Some((left, right)) = text.split_once('=') else {
        return String::new();
    };
    if right.starts_with('=') {
        return String::new();
    }
    let left = left.trim_end_matches(['+', '-', '*', '/', '%', '|', '&', '^', '<', '>']);
    left.trim().to_owned()
}

/// A value as C writes it.
pub(crate) fn value_of(
    program: &Program,
    ty: Option<TypeId>,
    blocking: &Blocking,
) -> BlockingValue {
    let mut texts = Vec::new();
    let mut number = None;
    for &(kind, value, width) in &blocking.values {
        texts.push(match kind {
            AssignedKind::Pointer if value == 1 => "NULL".to_owned(),
            AssignedKind::Pointer if value == 0 => "the same".to_owned(),
            AssignedKind::Pointer => "another address".to_owned(),
            AssignedKind::Value => {
                let is_signed = width > 1 && is_signed(program, ty);
                let shift = 128 - width.min(128);
                let signed = if is_signed {
                    ((value << shift) as i128) >> shift
                } else {
                    value as i128
                };
                number = Some(signed);
                signed.to_string()
            }
        });
    }
    let is_single = texts.len() == 1;
    texts.dedup();
    let text = match (is_single, &texts[..]) {
        (_, [one]) => one.clone(),
        _ => {
            let cut = texts.len() > 6;
            texts.truncate(6);
            let more = if cut { ", …" } else { "" };
            format!("{{{}{more}}}", texts.join(", "))
        }
    };
    BlockingValue {
        text,
        number: number.filter(|_| is_single),
        in_this_run: blocking.in_this_run,
        passes: blocking.passes,
    }
}

fn is_signed(program: &Program, ty: Option<TypeId>) -> bool {
    match ty.map(|ty| program.types.get(ty)) {
        Some(CType::Int(kind)) => kind.is_signed(),
        Some(CType::Bool) => false,
        Some(CType::Array { element, .. }) => is_signed(program, Some(*element)),
        _ => true,
    }
}
