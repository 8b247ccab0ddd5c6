//! Well-formedness of programs: what every consumer of the IR may take for granted.
//!
//! [`verify`] checks that every id is in range and that every node has the types that its
//! documentation promises, and reports all violations, not only the first. It runs in time linear
//! in the program, and it panics on no [`Program`], however broken.
//!
//! What it does not check is what programs may do wrong when they run: reads of registers that
//! were never written, bounds of accesses, whether blocks are reachable.

mod body;

use crate::ctype::{ArrayLength, CType, FunctionType, TypeId, Types};
use crate::expr::Ty;
use crate::memory::MAX_OBJECT_SIZE;
use crate::program::{Function, FunctionOrigin, Global, GlobalTarget, LocalStorage, Program};
use crate::stmt::BlockId;
use std::fmt;

/// One thing that is wrong with a program. It is always a bug of whoever built the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Malformed {
    /// The name of the function, unless it is about the program as a whole.
    pub function: Option<String>,
    pub block: Option<BlockId>,
    /// The position of the statement in the block; `None` for its terminator.
    pub statement: Option<usize>,
    pub message: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(function) = &self.function {
            write!(f, "in `{function}`")?;
            match (self.block, self.statement) {
                (Some(block), Some(statement)) => {
                    write!(f, ", b{}, statement {statement}", block.0)?;
                }
                (Some(block), None) => write!(f, ", b{}, terminator", block.0)?,
                (None, _) => {}
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.message)
    }
}

/// Checks a whole program.
pub fn verify(program: &Program) -> Result<(), Vec<Malformed>> {
    let mut errors = Vec::new();
    verify_types(&program.types, &mut errors);
    // Sizes of broken types cannot be computed, so there is nothing sensible to say beyond them.
    if errors.is_empty() {
        verify_roots(program, &mut errors);
        for global in &program.globals {
            verify_global(program, global, &mut errors);
        }
        for (i, input) in program.inputs.iter().enumerate() {
            if input.ty.index() >= program.types.len() {
                errors.push(of_program(format!(
                    "input {i} has type {}, which does not exist",
                    input.ty.0
                )));
            }
        }
        // Calls look at the signatures of other functions, so these are checked before bodies.
        let before = errors.len();
        for function in &program.functions {
            verify_signature(program, function, &mut errors);
        }
        if errors.len() == before {
            for function in &program.functions {
                body::verify_body(program, function, &mut errors);
            }
        }
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

/// The register types of a function's parameters, hidden ones included, as its C type asks for
/// them; `None` if the type says nothing about its parameters. See the crate's documentation.
pub fn parameter_types(types: &Types, function: &FunctionType) -> Option<Vec<Ty>> {
    if !function.prototype {
        return None;
    }
    let mut params = Vec::with_capacity(function.params.len() + 2);
    if returns_record(types, function) {
        params.push(Ty::Ptr);
    }
    // Records are passed by the address of a copy; arrays, functions and `va_list` as addresses.
    params.extend(
        function
            .params
            .iter()
            .map(|&p| types.scalar(p).unwrap_or(Ty::Ptr)),
    );
    if function.variadic {
        params.push(Ty::Ptr);
    }
    Some(params)
}

fn returns_record(types: &Types, function: &FunctionType) -> bool {
    matches!(types.get(function.ret), CType::Record(_) | CType::VaList)
}

fn of_program(message: String) -> Malformed {
    Malformed {
        function: None,
        block: None,
        statement: None,
        message,
    }
}

fn of_function(function: &Function, message: String) -> Malformed {
    Malformed {
        function: Some(function.name.clone()),
        ..of_program(message)
    }
}

fn verify_types(types: &Types, errors: &mut Vec<Malformed>) {
    for index in 0..types.len() {
        let id = TypeId::new(index);
        let mut refers = |to: TypeId| {
            // A type can only be built from types that are there, so references go down.
            if to >= id {
                errors.push(of_program(format!(
                    "type {index} refers to type {}, which is not before it",
                    to.0
                )));
            }
        };
        match types.get(id) {
            CType::Pointer(to) => refers(*to),
            CType::Array { element, .. } => refers(*element),
            CType::Function(f) => {
                refers(f.ret);
                f.params.iter().copied().for_each(refers);
            }
            CType::Enum(e) if e.index() >= types.n_enums() => {
                errors.push(of_program(format!(
                    "type {index} is enum {}, which does not exist",
                    e.0
                )));
            }
            CType::Record(r) if r.index() >= types.n_records() => {
                errors.push(of_program(format!(
                    "type {index} is record {}, which does not exist",
                    r.0
                )));
            }
            _ => {}
        }
    }
    if !errors.is_empty() {
        return;
    }
    for index in 0..types.n_records() {
        let record = types.record(crate::ctype::RecordId::new(index));
        let Some(layout) = &record.layout else {
            continue;
        };
        let name = record.tag.as_deref().unwrap_or("<anonymous>");
        if !layout.align.is_power_of_two() {
            errors.push(of_program(format!(
                "record `{name}` has alignment {}, which is no power of two",
                layout.align
            )));
        }
        for field in &layout.fields {
            let field_name = field.name.as_deref().unwrap_or("<anonymous>");
            if field.ty.index() >= types.len() {
                errors.push(of_program(format!(
                    "field `{field_name}` of record `{name}` has type {}, which does not exist",
                    field.ty.0
                )));
                continue;
            }
            let bytes = match field.bits {
                Some(bits) => Some((u64::from(bits.offset) + u64::from(bits.width)).div_ceil(8)),
                None => types.size_of(field.ty),
            };
            let end = field.offset.checked_add(bytes.unwrap_or(0));
            if end.is_none_or(|end| end > layout.size) {
                errors.push(of_program(format!(
                    "field `{field_name}` of record `{name}` ends beyond its {} bytes",
                    layout.size
                )));
            }
        }
    }
}

fn verify_roots(program: &Program, errors: &mut Vec<Malformed>) {
    let n = program.functions.len();
    if program.entry.index() >= n {
        errors.push(of_program(format!(
            "the entry is function {}, which does not exist",
            program.entry.0
        )));
    }
    let Some(start) = program.functions.get(program.start.index()) else {
        errors.push(of_program(format!(
            "the start is function {}, which does not exist",
            program.start.0
        )));
        return;
    };
    if !start.params.is_empty() {
        errors.push(of_function(
            start,
            "a run starts here, but the function has parameters".into(),
        ));
    }
    if start.origin != FunctionOrigin::Synthetic {
        errors.push(of_function(
            start,
            "a run starts here, but the function is not synthetic".into(),
        ));
    }
}

fn verify_global(program: &Program, global: &Global, errors: &mut Vec<Malformed>) {
    let mut complain = |message: String| {
        errors.push(of_program(format!("global `{}` {message}", global.name)));
    };
    if global.ty.index() >= program.types.len() {
        complain(format!("has type {}, which does not exist", global.ty.0));
    }
    if !global.align.is_power_of_two() {
        complain(format!(
            "has alignment {}, which is no power of two",
            global.align
        ));
    }
    if global.size >= MAX_OBJECT_SIZE {
        complain(format!("has {} bytes, which is too many", global.size));
    }
    if global.bytes.len() as u64 > global.size {
        complain(format!(
            "has {} bytes but {} initial ones",
            global.size,
            global.bytes.len()
        ));
    }
    let pointer_size = program.types.model.pointer_size();
    let mut free_from = 0;
    for relocation in &global.relocations {
        let at = relocation.offset;
        let exists = match relocation.target {
            GlobalTarget::Global(id) => id.index() < program.globals.len(),
            GlobalTarget::Function(id) => id.index() < program.functions.len(),
        };
        if !exists {
            complain(format!(
                "has the address of something that does not exist at {at}"
            ));
        }
        let Some(end) = at.checked_add(pointer_size).filter(|&e| e <= global.size) else {
            complain(format!("has an address at {at}, which is beyond its end"));
            continue;
        };
        if at < free_from {
            complain(format!(
                "has an address at {at} that overlaps or precedes the one before it"
            ));
        }
        free_from = end;
        let initial = global.bytes.len() as u64;
        let covered = &global.bytes[at.min(initial) as usize..end.min(initial) as usize];
        if covered.iter().any(|&b| b != 0) {
            complain(format!("has initial bytes under the address at {at}"));
        }
    }
}

fn verify_signature(program: &Program, function: &Function, errors: &mut Vec<Malformed>) {
    let types = &program.types;
    let mut complain = |message: String| errors.push(of_function(function, message));
    for (i, local) in function.locals.iter().enumerate() {
        let name = &local.name;
        if local.ty.index() >= types.len() {
            complain(format!(
                "local {i} `{name}` has type {}, which does not exist",
                local.ty.0
            ));
            continue;
        }
        match local.storage {
            LocalStorage::Register(ty) => {
                if !is_legal(ty) {
                    complain(format!("local {i} `{name}` is a register of {ty:?}"));
                }
            }
            LocalStorage::Memory { size, align } => {
                if size >= MAX_OBJECT_SIZE {
                    complain(format!(
                        "local {i} `{name}` has {size} bytes, which is too many"
                    ));
                }
                if !align.is_power_of_two() {
                    complain(format!(
                        "local {i} `{name}` has alignment {align}, which is no power of two"
                    ));
                }
            }
            LocalStorage::Dynamic => {}
        }
        if let Some(length) = length_local(types, local.ty)
            && local.kind != crate::program::LocalKind::Parameter
        {
            let holder = function.locals.get(length.index()).map(|l| l.storage);
            if !matches!(holder, Some(LocalStorage::Register(Ty::Int(_)))) {
                complain(format!(
                    "the length of local {i} `{name}` is in local {}, which is no integer register",
                    length.0
                ));
            }
        }
    }
    let mut seen = vec![false; function.locals.len()];
    let mut params = Vec::with_capacity(function.params.len());
    for &param in &function.params {
        let Some(local) = function.locals.get(param.index()) else {
            complain(format!("parameter local {} does not exist", param.0));
            continue;
        };
        if std::mem::replace(&mut seen[param.index()], true) {
            complain(format!("local `{}` is a parameter twice", local.name));
        }
        match local.storage {
            LocalStorage::Register(ty) => params.push(ty),
            _ => complain(format!("parameter `{}` is not a register", local.name)),
        }
    }
    if let Some(ty) = function.ret
        && !is_legal(ty)
    {
        complain(format!("returns {ty:?}"));
    }
    if function.blocks.is_empty() {
        complain("has no block".into());
    }
    let Some(CType::Function(ty)) =
        (function.ty.index() < types.len()).then(|| types.get(function.ty))
    else {
        complain(format!("type {} is no function type", function.ty.0));
        return;
    };
    let ret = types.scalar(ty.ret);
    if function.ret != ret {
        complain(format!(
            "returns {:?}, but its C type asks for {ret:?}",
            function.ret
        ));
    }
    if ty.prototype && function.variadic != ty.variadic {
        complain("its C type disagrees on variable arguments".into());
    }
    if let Some(expected) = parameter_types(types, ty)
        && expected != params
    {
        complain(format!(
            "takes {params:?}, but its C type asks for {expected:?}"
        ));
    }
}

/// The local that holds the length of a variable-length array in the type of a variable, if any.
fn length_local(types: &Types, mut id: TypeId) -> Option<crate::program::LocalId> {
    loop {
        match types.get(id) {
            CType::Pointer(to) => id = *to,
            CType::Array { element, length } => match length {
                ArrayLength::Variable(local) => return Some(*local),
                _ => id = *element,
            },
            _ => return None,
        }
    }
}

fn is_legal(ty: Ty) -> bool {
    !matches!(ty, Ty::Int(0) | Ty::Int(129..))
}

/// Whether memory can hold values of this type.
fn is_storable(ty: Ty) -> bool {
    is_legal(ty) && ty.int_width().is_none_or(|width| width % 8 == 0)
}

#[cfg(test)]
mod tests;
