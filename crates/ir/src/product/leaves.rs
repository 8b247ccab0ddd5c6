//! The scalars that an object consists of.

use crate::ctype::{ArrayLength, CType, TypeId, Types};
use crate::expr::Ty;

/// A scalar in an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    pub offset: u64,
    pub ty: Ty,
    pub is_signed: bool,
    /// How it is found from the object: `[2].x`.
    pub name: String,
}

impl Leaf {
    /// What takes as much room, and is compared bit by bit.
    pub fn bits(&self) -> Ty {
        match self.ty {
            Ty::F32 => Ty::Int(32),
            Ty::F64 => Ty::Int(64),
            ty => ty,
        }
    }
}

/// Objects of more scalars are not looked at.
const MOST: usize = 512;

/// All scalars, without padding; `None` if there are too many, or some that cannot be compared.
pub fn leaves(types: &Types, ty: TypeId) -> Option<Vec<Leaf>> {
    let mut list = Vec::new();
    collect(types, ty, 0, String::new(), &mut list).then_some(list)
}

fn collect(types: &Types, ty: TypeId, at: u64, name: String, list: &mut Vec<Leaf>) -> bool {
    if list.len() >= MOST {
        return false;
    }
    match types.get(ty) {
        CType::Array {
            element,
            length: ArrayLength::Known(n),
        } => {
            let Some(size) = types.size_of(*element) else {
                return false;
            };
            (0..*n).all(|k| collect(types, *element, at + k * size, format!("{name}[{k}]"), list))
        }
        CType::Record(id) => {
            let record = types.record(*id);
            let Some(layout) = &record.layout else {
                return false;
            };
            if record.is_union {
                bytes(at, layout.size, &name, list);
                return list.len() <= MOST;
            }
            layout.fields.iter().all(|field| {
                let own = match &field.name {
                    Some(field) => format!("{name}.{field}"),
                    None => name.clone(),
                };
                let from = at + field.offset;
                match field.bits {
                    Some(bits) => {
                        let n = u64::from(bits.offset) + u64::from(bits.width);
                        bytes(from, n.div_ceil(8), &own, list);
                        list.len() <= MOST
                    }
                    None => collect(types, field.ty, from, own, list),
                }
            })
        }
        CType::Void | CType::Function(_) | CType::VaList | CType::Array { .. } => false,
        _ => match types.scalar(ty) {
            None | Some(Ty::F80) => false,
            Some(scalar) => {
                list.push(Leaf {
                    offset: at,
                    ty: scalar,
                    is_signed: types.is_signed(ty),
                    name,
                });
                true
            }
        },
    }
}

/// Where types do not say what is in them. Bit-fields may share a byte.
fn bytes(at: u64, n: u64, name: &str, list: &mut Vec<Leaf>) {
    for offset in at..at + n {
        if !list.iter().any(|leaf| leaf.offset == offset) {
            list.push(Leaf {
                offset,
                ty: Ty::Int(8),
                is_signed: false,
                name: name.to_owned(),
            });
        }
    }
}
