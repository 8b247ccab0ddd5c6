//! What a function's parameters are, which globals it works on, and so which inputs it wants.

use crate::records::record_of;
use crate::shapes::{self, Added};
use idiolect_ir::ctype::{ArrayLength, CType};
use idiolect_ir::memory::MAX_OBJECT_SIZE;
use idiolect_ir::{
    Callee, FuncId, Function, FunctionOrigin, GlobalId, LocalId, Program, StmtKind, Ty, TypeId,
};
use idiolect_quantified::globals;
use idiolect_quantified::linear::{self, Element, NotAList};
use idiolect_quantified::point::ListShape;
use idiolect_quantified::roles::{Holder, Roles};

/// One parameter, or a global variable that is as good as one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    pub site: Site,
    pub name: String,
    pub ty: TypeId,
    pub kind: ParameterKind,
}

/// Where an input goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Site {
    Local(LocalId),
    Global(GlobalId),
}

/// How many elements an array has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// As many as the parameter at this position says.
    Parameter(usize),
    Known(u64),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParameterKind {
    List(ListShape),
    /// A pointer to a variable that holds the head of a list, which the function may change.
    Head(ListShape),
    Array {
        element: Element,
        length: Length,
    },
    /// A pointer to one integer.
    Cell {
        element: Ty,
        signed: bool,
    },
    /// The number of elements of at least one array.
    Length {
        ty: Ty,
    },
    /// The sum of the parameters at these positions, which no caller passes ([`crate::shapes`]).
    Total {
        ty: Ty,
        parts: (usize, usize),
    },
    /// A position in an array of this length.
    Index {
        ty: Ty,
        length: Length,
    },
    /// Data.
    Scalar {
        ty: Ty,
        signed: bool,
    },
}

/// The parameter that counts the elements of an array, and the most of them that it has here, where callers may
/// have more: objects have less than 2 GiB.
pub fn most_elements(parameters: &[Parameter], array: &Parameter) -> Option<(usize, u64)> {
    let (element, count) = match &array.kind {
        ParameterKind::Array {
            element,
            length: Length::Parameter(i),
        } => (element, *i),
        _ => return None,
    };
    let most = (MAX_OBJECT_SIZE - 1) / element.size.max(1);
    let width = match parameters.get(count)?.kind {
        ParameterKind::Length { ty } | ParameterKind::Total { ty, .. } => ty.int_width()?,
        _ => return None,
    };
    // A number of elements is not negative, and signed as a rule.
    ((1u64 << (width - 1).min(63)) - 1 > most).then_some((count, most))
}

impl Parameter {
    /// The parameter itself, if it is one.
    pub fn local(&self) -> Option<LocalId> {
        match self.site {
            Site::Local(local) => Some(local),
            Site::Global(_) => None,
        }
    }

    fn holder(&self, function: FuncId) -> Holder {
        match self.site {
            Site::Local(local) => Holder::Local(function, local),
            Site::Global(global) => Holder::Global(global),
        }
    }
}

/// A parameter that no input can be built for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SignatureError {
    #[error(
        "parameter `{name}` of `{function}` has the type `{ty}`, for which no inputs can be built"
    )]
    Unsupported {
        function: String,
        name: String,
        ty: String,
    },
    #[error("parameter `{name}` of `{function}`: {reason}")]
    NotLinear {
        function: String,
        name: String,
        reason: NotAList,
    },
    #[error("no parameter of `{function}` says how long the array `{name}` is")]
    NoLength { function: String, name: String },
    #[error("`{function}` has a variable number of arguments, or returns a record")]
    Hidden { function: String },
}

/// The parameters of a function in order.
pub fn signature(
    program: &Program,
    roles: &Roles,
    id: FuncId,
) -> Result<Vec<Parameter>, SignatureError> {
    let function = program.function(id);
    let types = &program.types;
    let idiolect_ir::CType::Function(ty) = types.get(function.ty) else {
        return Err(SignatureError::Hidden {
            function: function.name.clone(),
        });
    };
    if function.variadic || function.params.len() != ty.params.len() && ty.prototype {
        return Err(SignatureError::Hidden {
            function: function.name.clone(),
        });
    }
    let is_index = |p: LocalId| roles.is_index(Holder::Local(id, p));
    let integers: Vec<usize> = (0..function.params.len())
        .filter(|&i| linear::integer(types, function.local(function.params[i]).ty).is_some())
        .collect();
    let is_called = program.functions.iter().enumerate().any(|(f, other)| {
        f != id.index() && other.origin == FunctionOrigin::User && calls(other, id)
    });
    // The length of an array is what its subscripts are compared with. Among several, and where there is none, it
    // is the first index-like parameter behind it, or one in front.
    let length_of = |array: usize| {
        if let Some(length) = shapes::added_length(function, array) {
            return Some(length);
        }
        let is_own =
            |i: usize| shapes::added(function, &function.local(function.params[i]).name).is_none();
        // Callers of a function inside the program know more of its arrays than it asks for itself.
        let bounds = if is_called {
            Vec::new()
        } else {
            shapes::bounds(function, function.params[array])
        };
        let counts = |within: &[usize]| -> Vec<usize> {
            (integers.iter().copied())
                .filter(|&i| is_index(function.params[i]) && is_own(i))
                .filter(|i| within.is_empty() || within.contains(i))
                .collect()
        };
        let mut found = counts(&bounds);
        if found.is_empty() {
            found = counts(&[]);
        }
        let counts = members_first(function, array, found);
        let after = counts.iter().copied().find(|&i| i > array);
        after.or_else(|| counts.first().copied())
    };
    let mut parameters = Vec::new();
    for (i, &local) in function.params.iter().enumerate() {
        let variable = function.local(local);
        let unsupported = || SignatureError::Unsupported {
            function: function.name.clone(),
            name: variable.name.clone(),
            ty: types.name(variable.ty),
        };
        let not_linear = |reason| match reason {
            NotAList::Incomplete(_) => unsupported(),
            reason => SignatureError::NotLinear {
                function: function.name.clone(),
                name: variable.name.clone(),
                reason,
            },
        };
        let array = |element| match length_of(i) {
            Some(length) => Ok(ParameterKind::Array {
                element,
                length: Length::Parameter(length),
            }),
            None => Err(SignatureError::NoLength {
                function: function.name.clone(),
                name: variable.name.clone(),
            }),
        };
        let kind = if let Some(shape) = linear::list_behind(types, variable.ty) {
            match shape {
                Ok(shape) => ParameterKind::List(shape),
                Err(NotAList::NoPointer(_)) => match linear::element_behind(types, variable.ty) {
                    Some(element) if roles.is_array(id, local) => array(element)?,
                    _ => return Err(unsupported()),
                },
                Err(reason) => return Err(not_linear(reason)),
            }
        } else if let Some(shape) = linear::head_behind(types, variable.ty) {
            match shape {
                // More than one head would be an array of lists.
                Ok(shape) if !roles.is_array(id, local) => ParameterKind::Head(shape),
                Err(reason) if reason.has_links() => return Err(not_linear(reason)),
                _ => return Err(unsupported()),
            }
        } else if let (Some(element), true) = (
            linear::element_behind(types, variable.ty),
            roles.is_array(id, local),
        ) {
            array(element)?
        } else if let Some((element, signed)) = linear::integer_behind(types, variable.ty) {
            ParameterKind::Cell { element, signed }
        } else if let Some((ty, signed)) = linear::integer(types, variable.ty) {
            match shapes::added(function, &variable.name) {
                Some(Added::Total(n, m)) => ParameterKind::Total { ty, parts: (n, m) },
                _ => ParameterKind::Scalar { ty, signed },
            }
        } else {
            return Err(unsupported());
        };
        parameters.push(Parameter {
            site: Site::Local(local),
            name: variable.name.clone(),
            ty: variable.ty,
            kind,
        });
    }
    give_lengths(&mut parameters, roles, id);
    Ok(parameters)
}

/// The parameters, and then the globals that the function and those that it calls work on: lists,
/// arrays, and integers that are compared with data or are positions. Other globals have the values
/// that the program gives them.
pub fn inputs(
    program: &Program,
    roles: &Roles,
    id: FuncId,
) -> Result<Vec<Parameter>, SignatureError> {
    let mut parameters = signature(program, roles, id)?;
    let types = &program.types;
    for global in globals::reached(program, id) {
        let variable = program.global(global);
        let holder = Holder::Global(global);
        let counts = roles.is_index(holder) || roles.is_data(holder);
        let kind = match *types.get(variable.ty) {
            CType::Array {
                element,
                length: ArrayLength::Known(n),
            } => linear::element(types, element).map(|element| ParameterKind::Array {
                element,
                length: Length::Known(n),
            }),
            CType::Pointer(_) => match linear::list_behind(types, variable.ty) {
                Some(Ok(shape)) => Some(ParameterKind::List(shape)),
                _ => None,
            },
            _ => linear::integer(types, variable.ty)
                .filter(|_| counts)
                .map(|(ty, signed)| ParameterKind::Scalar { ty, signed }),
        };
        parameters.extend(kind.map(|kind| Parameter {
            site: Site::Global(global),
            name: variable.name.clone(),
            ty: variable.ty,
            kind,
        }));
    }
    give_lengths(&mut parameters, roles, id);
    Ok(parameters)
}

/// Scalars that are lengths or positions become so.
fn give_lengths(parameters: &mut [Parameter], roles: &Roles, id: FuncId) {
    let lengths: Vec<Length> = parameters
        .iter()
        .filter_map(|p| match p.kind {
            ParameterKind::Array { length, .. } => Some(length),
            _ => None,
        })
        .collect();
    for (i, parameter) in parameters.iter_mut().enumerate() {
        let ParameterKind::Scalar { ty, .. } = parameter.kind else {
            continue;
        };
        if lengths.contains(&Length::Parameter(i)) {
            parameter.kind = ParameterKind::Length { ty };
        } else if let (true, Some(&length)) =
            (roles.is_index(parameter.holder(id)), lengths.first())
        {
            parameter.kind = ParameterKind::Index { ty, length };
        }
    }
}

/// The length of an array that a record has is another member of it.
fn members_first(function: &Function, array: usize, found: Vec<usize>) -> Vec<usize> {
    let name = |i: usize| function.local(function.params[i]).name.as_str();
    let Some(record) = record_of(name(array)) else {
        return found;
    };
    let is_member = |i: &usize| record_of(name(*i)) == Some(record);
    let members: Vec<usize> = found.iter().copied().filter(is_member).collect();
    if members.is_empty() { found } else { members }
}

/// Whether a function calls another one by its name.
fn calls(function: &Function, callee: FuncId) -> bool {
    let statements = function.blocks.iter().flat_map(|block| &block.stmts);
    let mut called = statements.filter_map(|stmt| match stmt.kind {
        StmtKind::Call {
            callee: Callee::Function(f),
            ..
        } => Some(f),
        _ => None,
    });
    called.any(|f| f == callee)
}
