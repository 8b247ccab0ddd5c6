//! Values and addresses as a C programmer writes them.

use crate::input::ObjectKind;
use crate::observe::{Pointee, Value, View};
use idiolect_ir::ctype::{ArrayLength, CType};
use idiolect_ir::{BEHIND, Program, Ty, TypeId};

/// The C type of an object, where the program declares one.
pub fn object_type(program: &Program, object: ObjectKind) -> Option<TypeId> {
    match object {
        ObjectKind::Global(id) => Some(program.global(id).ty),
        ObjectKind::Local { function, local } => Some(program.function(function).local(local).ty),
        ObjectKind::Function(_) | ObjectKind::Heap { .. } | ObjectKind::Alloca { .. } => None,
    }
}

/// The name of an object. Heap blocks are numbered in the order in which the run took them.
pub fn object_name(program: &Program, object: ObjectKind) -> String {
    match object {
        ObjectKind::Global(id) => program.global(id).name.clone(),
        ObjectKind::Function(id) => program.function(id).name.clone(),
        ObjectKind::Local { function, local } => {
            let name = &program.function(function).local(local).name;
            name.strip_prefix(BEHIND).unwrap_or(name).to_owned()
        }
        ObjectKind::Heap { number } => format!("heap#{number}"),
        ObjectKind::Alloca { number } => format!("alloca#{number}"),
    }
}

/// The piece of an object that an address names, as an lvalue (`a[2].next`), and its C type if
/// the address is that of a declared scalar.
pub fn lvalue(program: &Program, pointee: &Pointee) -> (String, Option<TypeId>) {
    let mut name = object_name(program, pointee.kind);
    let Some(mut ty) = object_type(program, pointee.kind) else {
        name.push_str(&format!("{:+}", pointee.offset));
        return (name, None);
    };
    let Ok(mut offset) = u64::try_from(pointee.offset) else {
        return (format!("{name}{:+}", pointee.offset), None);
    };
    // Each round enters one array or record, so the depth of the type bounds the loop.
    loop {
        match program.types.get(ty) {
            CType::Array { element, length } => {
                let Some(size) = program.types.size_of(*element).filter(|&s| s > 0) else {
                    break;
                };
                if matches!(length, ArrayLength::Known(n) if offset / size >= *n) {
                    break;
                }
                name.push_str(&format!("[{}]", offset / size));
                offset %= size;
                ty = *element;
            }
            CType::Record(id) => {
                let layout = program.types.record(*id).layout.as_ref();
                let field = layout.and_then(|layout| {
                    layout.fields.iter().find(|f| {
                        let size = program.types.size_of(f.ty).unwrap_or(0);
                        f.bits.is_none() && (f.offset..f.offset + size).contains(&offset)
                    })
                });
                let Some(field) = field else { break };
                if let Some(field_name) = &field.name {
                    name.push('.');
                    name.push_str(field_name);
                }
                offset -= field.offset;
                ty = field.ty;
            }
            _ if offset == 0 => return (name, Some(ty)),
            _ => break,
        }
    }
    if offset > 0 {
        name.push_str(&format!("+{offset}"));
    }
    (name, None)
}

/// A value as C would write it, by its C type if that is known.
pub fn value(view: &View<'_>, ty: Option<TypeId>, value: Value) -> String {
    let program = view.program();
    match value.ty {
        Ty::Ptr => pointer(view, value.bits as u64),
        Ty::F32 => f32::from_bits(value.bits as u32).to_string(),
        Ty::F64 => f64::from_bits(value.bits as u64).to_string(),
        Ty::F80 => format!("{:#x}", value.bits),
        Ty::Int(width) => integer(program, ty, width, value.bits),
    }
}

/// An integer as C reads it: signed unless its type says otherwise, enumerators by name.
pub fn integer(program: &Program, ty: Option<TypeId>, width: u8, bits: u128) -> String {
    let signed = ty.is_none_or(|ty| program.types.is_signed(ty));
    let number = if signed {
        crate::input::sign_extend(bits, width)
    } else {
        bits as i128
    };
    if let Some(CType::Enum(id)) = ty.map(|ty| program.types.get(ty)) {
        let known = &program.types.enumeration(*id).enumerators;
        if let Some((name, _)) = known.iter().find(|(_, value)| *value == number) {
            return name.clone();
        }
    }
    if signed {
        number.to_string()
    } else {
        bits.to_string()
    }
}

fn pointer(view: &View<'_>, bits: u64) -> String {
    if bits == 0 {
        return "NULL".to_owned();
    }
    match view.pointee(bits) {
        Some(Pointee {
            kind: ObjectKind::Function(id),
            ..
        }) => view.program().function(id).name.clone(),
        Some(pointee) if pointee.offset == 0 => {
            format!("&{}", object_name(view.program(), pointee.kind))
        }
        Some(pointee) => format!("&{}", lvalue(view.program(), &pointee).0),
        None => format!("{bits:#x}"),
    }
}
