//! Inputs by the names that people know: `argv[1] = "x"` instead of nine numbers.

pub use idiolect_outcome::results::NamedInput;

use idiolect_interp::{DrawnInput, InputOrigin, ObjectKind};
use idiolect_ir::{BEHIND, CType, InputKind, Program, Ty, TypeId};

/// An element of the object behind a parameter of the entry function.
fn behind_parameter(program: &Program, input: &DrawnInput) -> String {
    let unknown = || "unwritten memory".to_owned();
    let InputOrigin::Unwritten(unwritten) = input.origin else {
        return unknown();
    };
    let ObjectKind::Local { function, local } = unwritten.object else {
        return unknown();
    };
    let local = program.function(function).local(local);
    let Some(name) = local.name.strip_prefix(BEHIND) else {
        return unknown();
    };
    let CType::Array { element, .. } = *program.types.get(local.ty) else {
        return unknown();
    };
    let size = program
        .types
        .size_of(element)
        .filter(|&size| size > 0)
        .unwrap_or(1);
    let offset = u64::from(unwritten.offset);
    let (index, inner) = (offset / size, offset % size);
    match (program.types.get(element), inner) {
        (CType::Record(_), inner) => match member_at(program, element, inner) {
            Some(member) if index == 0 => format!("{name}->{member}"),
            Some(member) => format!("{name}[{index}].{member}"),
            None => format!("{name}[{index}], byte {inner}"),
        },
        (_, 0) => format!("{name}[{index}]"),
        (_, inner) => format!("{name}[{index}], byte {inner}"),
    }
}

/// The scalar that begins at an offset into a value of this type, as it is written after the value's name and a dot.
fn member_at(program: &Program, ty: TypeId, offset: u64) -> Option<String> {
    let CType::Record(id) = program.types.get(ty) else {
        return None;
    };
    let record = program.types.record(*id);
    let layout = record.layout.as_ref().filter(|_| !record.is_union)?;
    layout.fields.iter().find_map(|field| {
        let size = program.types.size_of(field.ty)?;
        let is_inside = (field.offset..field.offset + size).contains(&offset);
        let name = field
            .name
            .as_ref()
            .filter(|_| is_inside && field.bits.is_none())?;
        Some(format!(
            "{name}{}",
            part_at(program, field.ty, offset - field.offset)?
        ))
    })
}

/// The rest of such a name, from the value on.
fn part_at(program: &Program, ty: TypeId, offset: u64) -> Option<String> {
    match *program.types.get(ty) {
        CType::Array { element, .. } => {
            let size = program.types.size_of(element).filter(|&size| size > 0)?;
            let rest = part_at(program, element, offset % size)?;
            Some(format!("[{}]{rest}", offset / size))
        }
        CType::Record(_) => Some(format!(".{}", member_at(program, ty, offset)?)),
        _ => (offset == 0).then(String::new),
    }
}

/// How the input is called that says whether a pointer parameter is null.
const IS_NULL: &str = " is null";

/// The inputs of a run in order of use, bytes of texts put together. What is as if it were not there (arguments
/// beyond `argc`, variables of the environment that are not set) is left out.
pub fn named_inputs(program: &Program, inputs: &[DrawnInput]) -> Vec<NamedInput> {
    let mut list: Vec<Entry> = Vec::new();
    let count = inputs.iter().find_map(|input| {
        matches!(kind_of(program, input), Some(InputKind::ArgumentCount))
            .then(|| input.as_integer())
    });
    for input in inputs {
        let kind = kind_of(program, input);
        let (name, is_byte) = match kind {
            Some(InputKind::ArgumentByte { argument, .. }) => {
                if count.is_some_and(|n| i128::from(*argument) >= n) {
                    continue;
                }
                (format!("argv[{argument}]"), true)
            }
            Some(InputKind::VariableByte { variable, .. }) => {
                if !list.iter().any(|e| e.variable.as_ref() == Some(variable)) {
                    continue;
                }
                (format!("environment {variable}"), true)
            }
            Some(InputKind::Variable(variable)) => {
                if input.bits != 0 {
                    list.push(Entry {
                        name: format!("environment {variable}"),
                        variable: Some(variable.clone()),
                        ..Entry::of(program, input)
                    });
                }
                continue;
            }
            Some(InputKind::Effect(_)) if input.bits == 0 => continue,
            Some(InputKind::Effect(function)) => (format!("effect of {function}"), false),
            Some(InputKind::Stdin) => ("stdin".to_owned(), true),
            Some(InputKind::ArgumentCount) => ("argc".to_owned(), false),
            Some(InputKind::Parameter(name)) if name.ends_with(IS_NULL) => {
                if input.bits != 0 {
                    list.push(Entry {
                        name: name.trim_end_matches(IS_NULL).to_owned(),
                        value: Some("null".to_owned()),
                        ..Entry::of(program, input)
                    });
                }
                continue;
            }
            Some(InputKind::Parameter(name)) => (name.clone(), false),
            Some(InputKind::Uninitialized(name)) => (format!("{name} (uninitialised)"), false),
            Some(
                InputKind::Nondet(name) | InputKind::External(name) | InputKind::Environment(name),
            ) => (format!("{name}()"), false),
            None => (behind_parameter(program, input), false),
        };
        if !is_byte {
            list.push(Entry {
                name,
                value: Some(value(input)),
                ..Entry::of(program, input)
            });
            continue;
        }
        let known = list.iter_mut().find(|e| e.name == name);
        match known {
            Some(entry) => entry.bytes.push(input.as_integer()),
            None => {
                let mut entry = Entry {
                    name,
                    ..Entry::of(program, input)
                };
                entry.bytes.push(input.as_integer());
                list.push(entry);
            }
        }
    }
    list.into_iter().map(Entry::finish).collect()
}

/// Whether names say more than the numbers.
pub fn has_texts(program: &Program, inputs: &[DrawnInput]) -> bool {
    inputs.iter().any(|input| {
        matches!(
            kind_of(program, input),
            Some(
                InputKind::Parameter(_)
                    | InputKind::ArgumentByte { .. }
                    | InputKind::Variable(_)
                    | InputKind::VariableByte { .. }
                    | InputKind::Stdin
                    | InputKind::Effect(_)
            )
        )
    })
}

fn kind_of<'a>(program: &'a Program, input: &DrawnInput) -> Option<&'a InputKind> {
    match input.origin {
        InputOrigin::Site(id) => Some(&program.inputs[id.index()].kind),
        InputOrigin::Unwritten(_) => None,
    }
}

fn value(input: &DrawnInput) -> String {
    match input.ty {
        Ty::F32 => f32::from_bits(input.bits as u32).to_string(),
        Ty::F64 => f64::from_bits(input.bits as u64).to_string(),
        _ => input.as_integer().to_string(),
    }
}

#[derive(Default)]
struct Entry {
    name: String,
    value: Option<String>,
    bytes: Vec<i128>,
    variable: Option<String>,
    file: Option<String>,
    line: Option<u32>,
}

impl Entry {
    fn of(program: &Program, input: &DrawnInput) -> Self {
        let span = match input.origin {
            InputOrigin::Site(id) => Some(program.inputs[id.index()].span),
            InputOrigin::Unwritten(_) => None,
        };
        let place = span.and_then(|span| program.sources.place(span));
        Self {
            file: place.as_ref().map(|p| p.file.clone()),
            line: place.as_ref().map(|p| p.line),
            ..Self::default()
        }
    }

    fn finish(self) -> NamedInput {
        let value = self.value.unwrap_or_else(|| {
            let is_stdin = self.name == "stdin";
            // A string ends at its nul, standard input at its end.
            let text: Vec<u8> = (self.bytes.iter())
                .take_while(|&&b| if is_stdin { b >= 0 } else { b != 0 })
                .map(|&b| b as u8)
                .collect();
            let is_open = text.len() == self.bytes.len() && !text.is_empty() && !is_stdin;
            let more = if is_open { "…" } else { "" };
            format!("\"{}{more}\"", text.escape_ascii())
        });
        NamedInput {
            name: self.name,
            value,
            file: self.file,
            line: self.line,
        }
    }
}
