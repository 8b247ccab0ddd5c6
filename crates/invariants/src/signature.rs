//! What a function's parameters are, and so which inputs it wants.

use crate::linear::{self, NotAList};
use crate::point::ListShape;
use crate::roles::{Holder, Roles};
use idiolect_ir::{FuncId, LocalId, Program, Ty, TypeId};

/// One parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    pub local: LocalId,
    pub name: String,
    pub ty: TypeId,
    pub kind: ParameterKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParameterKind {
    List(ListShape),
    /// An array, with the position of the parameter that is its length.
    Array {
        element: Ty,
        signed: bool,
        length: usize,
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
    /// A position in an array, given the parameter that is the length.
    Index {
        ty: Ty,
        length: usize,
    },
    /// Data.
    Scalar {
        ty: Ty,
        signed: bool,
    },
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
    // The length of an array is the first index-like parameter behind it, or one in front.
    let length_of = |array: usize| {
        let counts: Vec<usize> = (integers.iter().copied())
            .filter(|&i| is_index(function.params[i]))
            .collect();
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
        let kind = if let Some(shape) = linear::list_behind(types, variable.ty) {
            match shape {
                Ok(shape) => ParameterKind::List(shape),
                Err(NotAList::NoPointer(_) | NotAList::Incomplete(_)) => return Err(unsupported()),
                Err(reason) => {
                    return Err(SignatureError::NotLinear {
                        function: function.name.clone(),
                        name: variable.name.clone(),
                        reason,
                    });
                }
            }
        } else if let Some((element, signed)) = linear::integer_behind(types, variable.ty) {
            match (roles.is_array(id, local), length_of(i)) {
                (true, Some(length)) => ParameterKind::Array {
                    element,
                    signed,
                    length,
                },
                (true, None) => {
                    return Err(SignatureError::NoLength {
                        function: function.name.clone(),
                        name: variable.name.clone(),
                    });
                }
                (false, _) => ParameterKind::Cell { element, signed },
            }
        } else if let Some((ty, signed)) = linear::integer(types, variable.ty) {
            ParameterKind::Scalar { ty, signed }
        } else {
            return Err(unsupported());
        };
        parameters.push(Parameter {
            local,
            name: variable.name.clone(),
            ty: variable.ty,
            kind,
        });
    }
    give_lengths(&mut parameters, &integers, is_index);
    Ok(parameters)
}

/// Scalars that are lengths or positions become so.
fn give_lengths(
    parameters: &mut [Parameter],
    integers: &[usize],
    is_index: impl Fn(LocalId) -> bool,
) {
    let lengths: Vec<usize> = parameters
        .iter()
        .filter_map(|p| match p.kind {
            ParameterKind::Array { length, .. } => Some(length),
            _ => None,
        })
        .collect();
    for &i in integers {
        let ParameterKind::Scalar { ty, .. } = parameters[i].kind else {
            continue;
        };
        if lengths.contains(&i) {
            parameters[i].kind = ParameterKind::Length { ty };
        } else if let (true, Some(&length)) = (is_index(parameters[i].local), lengths.first()) {
            parameters[i].kind = ParameterKind::Index { ty, length };
        }
    }
}
