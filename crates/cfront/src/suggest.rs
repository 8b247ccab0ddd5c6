//! A contract that nobody wrote: what the code of a function relies on without checking it.
//!
//! Looked at are the accesses that the function and those that it calls make through its pointer parameters, and
//! through pointers in the records behind them: how far constants reach, which variables index them and what those
//! are compared with, which pointer they are compared with, whether a character is compared with nul, whether the
//! pointer is compared with null. Assertions say nothing here: what a function checks it does not rely on. Nothing
//! depends on the answer being right. Each precondition is an assumption that is told, and that can be taken away.

mod locals;
mod survey;

use crate::contract::{Clause, Precondition, plain};
use idiolect_ir::ctype::{CType, IntKind};
use idiolect_ir::{Function, Program, Ty, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// A pointer that is found from the parameters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Root {
    parameter: usize,
    /// Loaded from the record behind the parameter at the first offset, from the one behind that at the second.
    path: Vec<u64>,
}

/// A number that is found from the parameters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Amount {
    Parameter(usize),
    Field { parameter: usize, offset: u64 },
}

/// A number of elements: an amount, and one more if the comparison lets the index be equal.
type Count = (Amount, bool);

/// What is done with a pointer.
#[derive(Clone, Default, Debug)]
struct Facts {
    is_accessed: bool,
    is_written: bool,
    is_called: bool,
    is_compared_with_null: bool,
    /// A character is compared with nul, where nothing else says that there is one.
    ends_with_nul: bool,
    /// The same, in a function of the library.
    library_wants_nul: bool,
    /// A character is compared with nul before the end.
    stops_at_nul: bool,
    /// It is moved along.
    moves: bool,
    is_indexed: bool,
    /// Bytes that are reached by constants.
    extent: u64,
    /// With the size of the elements.
    counts: BTreeSet<(Count, u64)>,
    /// Pointers to the end, by which it is bounded.
    ends: BTreeSet<Root>,
    /// Pointers to the start, down to which it is moved.
    starts: BTreeSet<Root>,
}

/// What a parameter of a called function stands for.
#[derive(Clone, PartialEq, Eq, Default)]
struct Bound {
    roots: BTreeSet<Root>,
    amount: Option<Amount>,
    /// The pointer is so many elements of this size after a root.
    ends: BTreeSet<End>,
}

/// A pointer to the end: so many elements of this size after a root.
type End = (Root, Amount, u64);

/// The preconditions of the entry function, in ACSL.
pub fn suggest(program: &Program) -> Vec<Precondition> {
    let entry = program.function(program.entry);
    let bound: Vec<Bound> = (entry.params.iter().enumerate())
        .map(|(i, &param)| {
            let local = entry.local(param);
            if local.name.starts_with('%') {
                Bound::default()
            } else if program.types.scalar(local.ty) == Some(Ty::Ptr) {
                let root = Root {
                    parameter: i,
                    path: Vec::new(),
                };
                Bound {
                    roots: BTreeSet::from([root]),
                    ..Bound::default()
                }
            } else {
                Bound {
                    amount: Some(Amount::Parameter(i)),
                    ..Bound::default()
                }
            }
        })
        .collect();
    let (facts, indices) = survey::survey(program, &bound);
    let mut texts = Vec::new();
    for (root, known) in &facts {
        texts.extend(clause(program, entry, root, known, &facts));
    }
    texts.extend(
        indices
            .iter()
            .filter_map(|&i| from_zero(program, entry, i, &facts)),
    );
    texts.extend(separated(program, entry, &facts));
    let mut list = Vec::new();
    for text in texts {
        if let Ok(mut precondition) = Precondition::read(&text) {
            precondition.is_suggested = true;
            list.push(precondition);
        }
    }
    list
}

/// What is suggested beside a contract that was given: nothing about pointers that it speaks of.
pub fn beside(given: &[Precondition], suggested: Vec<Precondition>) -> Vec<Precondition> {
    let shaped: BTreeSet<String> = (given.iter().flat_map(|p| &p.clauses))
        .filter_map(|clause| match clause {
            Clause::Valid { pointer, .. } | Clause::Text { pointer, .. } => Some(plain(pointer)),
            _ => None,
        })
        .collect();
    let says_separated = given
        .iter()
        .flat_map(|p| &p.clauses)
        .any(|c| matches!(c, Clause::Separated(_)));
    // An end that is known by its beginning is said with that.
    let mentions = |text: &str| {
        shaped
            .iter()
            .any(|name| plain(text).contains(name.as_str()))
    };
    (suggested.into_iter())
        .filter(|p| {
            p.clauses.iter().all(|clause| match clause {
                Clause::Valid { pointer, count, .. } => {
                    !shaped.contains(&plain(pointer)) && !mentions(count)
                }
                Clause::Text { pointer, .. } => !shaped.contains(&plain(pointer)),
                Clause::Separated(_) => !says_separated,
                Clause::Condition(_) => true,
            })
        })
        .collect()
}

/// The contract as ACSL, to be put before the function.
pub fn acsl(preconditions: &[Precondition]) -> String {
    let lines: Vec<String> = (preconditions.iter())
        .map(|p| format!("requires {};", p.text))
        .collect();
    format!("/*@ {} */\n", lines.join("\n  @ "))
}

fn clause(
    program: &Program,
    entry: &Function,
    root: &Root,
    facts: &Facts,
    all: &BTreeMap<Root, Facts>,
) -> Option<String> {
    if !facts.is_accessed {
        return None;
    }
    let (name, to) = pointer_name(program, entry, root)?;
    // The rest of a list or a tree is there anyway, or is not.
    if facts.is_compared_with_null && is_recursive(program, entry, root, to) {
        return None;
    }
    let shape = if facts.is_called {
        format!("\\valid_function({name})")
    } else {
        shape(program, entry, root, facts, all, (&name, to))?
    };
    Some(if facts.is_compared_with_null {
        format!("{name} == \\null || {shape}")
    } else {
        shape
    })
}

fn shape(
    program: &Program,
    entry: &Function,
    root: &Root,
    facts: &Facts,
    all: &BTreeMap<Root, Facts>,
    (name, to): (&str, TypeId),
) -> Option<String> {
    let size = program.types.size_of(to).filter(|&size| size > 0);
    let is_char = size == Some(1) && matches!(program.types.get(to), CType::Int(_));
    let walks = facts.moves || facts.is_indexed;
    let of_same_type = |other: &Root| {
        let is_accessed = all.get(other).is_some_and(|f| f.is_accessed);
        pointer_name(program, entry, other)
            .filter(|(_, ty)| *ty == to && other != root && !is_accessed)
    };
    if let Some((start, _)) = facts.starts.iter().find_map(of_same_type) {
        return Some(format!("\\valid({start} + (0 .. {name} - {start} - 1))"));
    }
    let end = facts.ends.iter().find_map(of_same_type);
    let is_bounded = end.is_some() || !facts.counts.is_empty();
    // Where the same number is the size of what is written, it says nothing of the text that is read.
    let is_size_of_other = |amount: Amount| {
        (all.iter()).any(|(other, f)| {
            other != root && f.is_written && f.counts.iter().any(|((a, _), _)| *a == amount)
        })
    };
    let is_limited = !facts.is_written
        && end.is_none()
        && facts
            .counts
            .iter()
            .all(|((amount, _), _)| is_size_of_other(*amount));
    let is_text = facts.ends_with_nul
        || facts.library_wants_nul && !is_bounded
        || facts.stops_at_nul && is_limited;
    // A text ends at its nul, whatever its characters are counted with.
    if is_char && is_text && walks {
        return Some(format!("valid_string({name})"));
    }
    if let Some((end, _)) = end {
        return Some(format!("\\valid({name} + (0 .. {end} - {name} - 1))"));
    }
    // An index into an array that is a member says nothing of how many records there are.
    let is_record = matches!(program.types.get(to), CType::Record(_));
    let counts_members = |scale: &u64| is_record && size != Some(*scale);
    if !facts.counts.is_empty() && facts.counts.iter().all(|(_, scale)| counts_members(scale)) {
        return Some(format!("\\valid({name})"));
    }
    if let Some(((amount, is_equal_too), scale)) = facts.counts.first() {
        let amount = amount_name(program, entry, *amount)?;
        // What is behind the pointer cannot say how much there is of it.
        if amount.starts_with(&format!("{name}->")) {
            return None;
        }
        let last = if *is_equal_too {
            amount
        } else {
            format!("{amount} - 1")
        };
        return Some(if size == Some(*scale) {
            format!("\\valid({name} + (0 .. {last}))")
        } else {
            format!("\\valid((char *){name} + (0 .. {last}))")
        });
    }
    if walks {
        // How many there have to be, the code does not say.
        return None;
    }
    let size = size.unwrap_or(1);
    Some(match facts.extent.div_ceil(size).max(1) {
        1 => format!("\\valid({name})"),
        n => format!("\\valid({name} + (0 .. {}))", n - 1),
    })
}

/// A member with a sign that is an index below some end is not negative: nobody else looks.
fn from_zero(
    program: &Program,
    entry: &Function,
    amount: Amount,
    facts: &BTreeMap<Root, Facts>,
) -> Option<String> {
    let Amount::Field { parameter, offset } = amount else {
        return None;
    };
    let root = Root {
        parameter,
        path: Vec::new(),
    };
    // Where the record may be missing, so may the member.
    if facts.get(&root).is_none_or(|f| f.is_compared_with_null) {
        return None;
    }
    let (_, to) = pointer_name(program, entry, &root)?;
    let (_, ty) = field_at(program, to, offset)?;
    let name = amount_name(program, entry, amount)?;
    (program.types.is_signed(ty)).then(|| format!("{name} >= 0"))
}

/// Memory of different types that C lets overlap only because one of them is of characters: nobody means it.
fn separated(program: &Program, entry: &Function, facts: &BTreeMap<Root, Facts>) -> Option<String> {
    let is_any = |ty: TypeId| match program.types.get(ty) {
        CType::Int(kind) => matches!(kind, IntKind::Char | IntKind::SChar | IntKind::UChar),
        _ => false,
    };
    let accessed: Vec<(String, TypeId, bool)> = (facts.iter())
        .filter(|(root, facts)| root.path.is_empty() && facts.is_accessed && !facts.is_called)
        .filter_map(|(root, facts)| {
            let (name, to) = pointer_name(program, entry, root)?;
            Some((name, to, facts.is_written))
        })
        .collect();
    let mut pairs = Vec::new();
    for (i, (a, a_type, a_written)) in accessed.iter().enumerate() {
        for (b, b_type, b_written) in &accessed[i + 1..] {
            let is_mixed = is_any(*a_type) != is_any(*b_type)
                && ![a_type, b_type].iter().any(|ty| {
                    matches!(program.types.get(**ty), CType::Void)
                        || program.types.size_of(**ty).is_none()
                });
            if is_mixed && (*a_written || *b_written) {
                pairs.push(format!("\\separated({a}, {b})"));
            }
        }
    }
    (!pairs.is_empty()).then(|| pairs.join(" && "))
}

/// Whether the record behind a pointer is one that the path to it goes through.
fn is_recursive(program: &Program, entry: &Function, root: &Root, to: TypeId) -> bool {
    (0..root.path.len()).any(|n| {
        let above = Root {
            parameter: root.parameter,
            path: root.path[..n].to_vec(),
        };
        pointer_name(program, entry, &above).is_some_and(|(_, ty)| ty == to)
    })
}

/// The name of a pointer, and the type behind it.
fn pointer_name(program: &Program, entry: &Function, root: &Root) -> Option<(String, TypeId)> {
    let local = entry.local(*entry.params.get(root.parameter)?);
    let mut to = pointee(program, local.ty)?;
    let mut name = local.name.clone();
    for offset in &root.path {
        if *offset == 0 && matches!(program.types.get(to), CType::Pointer(_)) {
            name = format!("*{name}");
            to = pointee(program, to)?;
            continue;
        }
        let (field, ty) = field_at(program, to, *offset)?;
        let base = if name.starts_with('*') {
            format!("({name})")
        } else {
            name
        };
        name = format!("{base}->{field}");
        to = pointee(program, ty)?;
    }
    Some((name, to))
}

fn amount_name(program: &Program, entry: &Function, amount: Amount) -> Option<String> {
    match amount {
        Amount::Parameter(i) => Some(entry.local(*entry.params.get(i)?).name.clone()),
        Amount::Field { parameter, offset } => {
            let local = entry.local(*entry.params.get(parameter)?);
            let to = pointee(program, local.ty)?;
            if offset == 0 && matches!(program.types.get(to), CType::Int(_)) {
                return Some(format!("*{}", local.name));
            }
            let (field, _) = field_at(program, to, offset)?;
            Some(format!("{}->{field}", local.name))
        }
    }
}

fn pointee(program: &Program, ty: TypeId) -> Option<TypeId> {
    match program.types.get(ty) {
        CType::Pointer(to) => Some(*to),
        _ => None,
    }
}

fn field_at(program: &Program, ty: TypeId, offset: u64) -> Option<(String, TypeId)> {
    let CType::Record(id) = program.types.get(ty) else {
        return None;
    };
    let record = program.types.record(*id);
    let layout = record.layout.as_ref().filter(|_| !record.is_union)?;
    for field in &layout.fields {
        let size = program.types.size_of(field.ty).unwrap_or(0);
        if field.bits.is_some() || !(field.offset..field.offset + size).contains(&offset) {
            continue;
        }
        let name = field.name.clone()?;
        let inner = field_at(program, field.ty, offset - field.offset);
        return Some(match inner {
            Some((rest, ty)) => (format!("{name}.{rest}"), ty),
            None if field.offset == offset => (name, field.ty),
            None => return None,
        });
    }
    None
}
