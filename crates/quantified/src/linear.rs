//! Which types are linear data structures.

use crate::point::{DataField, ListShape};
use idiolect_ir::ctype::{ArrayLength, RecordId};
use idiolect_ir::{CType, Ty, TypeId, Types};

/// Rows of matrices with more columns are not looked at: each column is compared with each.
const MAX_COLUMNS: u64 = 4;

/// Why a record is no cell of a singly linked list.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotAList {
    #[error("`{0}` has no pointer to its own type")]
    NoPointer(String),
    #[error(
        "`{record}` has the pointers `{}` to its own type: cells of a tree, which are no words (of a doubly linked \
         list, one of two would be called `prev…` or `back…`)", fields.join("`, `")
    )]
    SeveralPointers { record: String, fields: Vec<String> },
    #[error(
        "`{0}` has links and no data: what it is a part of, and whether it leads back to its head, is not known"
    )]
    OnlyLinks(String),
    #[error("`{0}` is not complete")]
    Incomplete(String),
}

/// Whether a pointer of this name leads to the cell before.
fn leads_back(name: &str) -> bool {
    let name = name.trim_start_matches('_').to_ascii_lowercase();
    let starts = ["prev", "prv", "pred", "back", "bk", "blink"];
    starts.iter().any(|s| name.starts_with(s))
}

impl NotAList {
    /// Whether the record has links that do not make a list.
    pub fn has_links(&self) -> bool {
        matches!(self, Self::SeveralPointers { .. } | Self::OnlyLinks(_))
    }
}

/// The shape of a list's cells. Of two pointers to the record's own type one is that to the cell before, by its name.
pub fn list_shape(types: &Types, ty: TypeId) -> Result<ListShape, NotAList> {
    let name = types.name(ty);
    let CType::Record(record) = *types.get(ty) else {
        return Err(NotAList::NoPointer(name));
    };
    let Some(layout) = &types.record(record).layout else {
        return Err(NotAList::Incomplete(name));
    };
    let mut pointers = Vec::new();
    let mut fields = Vec::new();
    for field in &layout.fields {
        let Some(field_name) = &field.name else {
            continue;
        };
        match *types.get(field.ty) {
            CType::Pointer(to) if is_record(types, to, record) => {
                pointers.push((field_name.clone(), field.offset));
            }
            CType::Int(_) | CType::Bool | CType::Enum(_) if field.bits.is_none() => {
                if let Some(ty @ Ty::Int(..=64)) = types.scalar(field.ty) {
                    fields.push(DataField {
                        name: field_name.clone(),
                        offset: field.offset,
                        ty,
                        signed: types.is_signed(field.ty),
                        stride: 0,
                        member: None,
                    });
                }
            }
            _ => {}
        }
    }
    let is_union = types.record(record).is_union;
    let shape = |(next, next_offset): &(String, u64), back: Option<(String, u64)>| ListShape {
        record,
        type_name: types.name(ty),
        next: next.clone(),
        next_offset: *next_offset,
        back,
        fields: fields.clone(),
    };
    match pointers.as_slice() {
        [next] if !is_union => Ok(shape(next, None)),
        [one, other] if leads_back(&one.0) != leads_back(&other.0) && fields.is_empty() => {
            Err(NotAList::OnlyLinks(name))
        }
        [one, other] if !is_union && leads_back(&one.0) != leads_back(&other.0) => {
            let (next, back) = if leads_back(&one.0) {
                (other, one)
            } else {
                (one, other)
            };
            Ok(shape(next, Some(back.clone())))
        }
        [] | [_] => Err(NotAList::NoPointer(name)),
        _ => Err(NotAList::SeveralPointers {
            record: name,
            fields: pointers.into_iter().map(|(name, _)| name).collect(),
        }),
    }
}

fn is_record(types: &Types, ty: TypeId, record: RecordId) -> bool {
    *types.get(ty) == CType::Record(record)
}

/// What a pointer type points to, for lists.
pub fn list_behind(types: &Types, ty: TypeId) -> Option<Result<ListShape, NotAList>> {
    match *types.get(ty) {
        CType::Pointer(to) if matches!(types.get(to), CType::Record(_)) => {
            Some(list_shape(types, to))
        }
        _ => None,
    }
}

/// What the elements of an array are: integers, records with at least one integer, or short rows of integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Element {
    /// In bytes.
    pub size: u64,
    /// One without a member, or one for each member that is an integer. They have no name.
    pub fields: Vec<DataField>,
}

/// The elements of arrays of this type.
pub fn element(types: &Types, ty: TypeId) -> Option<Element> {
    if let Some((scalar, signed)) = integer(types, ty) {
        let size = types.scalar_size(scalar);
        let field = DataField {
            name: String::new(),
            offset: 0,
            ty: scalar,
            signed,
            stride: size,
            member: None,
        };
        return Some(Element {
            size,
            fields: vec![field],
        });
    }
    if let CType::Array {
        element: column,
        length: ArrayLength::Known(width @ 1..=MAX_COLUMNS),
    } = *types.get(ty)
    {
        return row(types, column, width);
    }
    let CType::Record(record) = *types.get(ty) else {
        return None;
    };
    let record = types.record(record);
    let layout = record.layout.as_ref().filter(|_| !record.is_union)?;
    let mut fields = Vec::new();
    for field in layout.fields.iter().filter(|f| f.bits.is_none()) {
        if let (Some(member), Some((scalar, signed))) = (&field.name, integer(types, field.ty)) {
            fields.push(DataField {
                name: String::new(),
                offset: field.offset,
                ty: scalar,
                signed,
                stride: layout.size,
                member: Some(member.clone()),
            });
        }
    }
    (!fields.is_empty()).then_some(Element {
        size: layout.size,
        fields,
    })
}

/// A row of so many integers, each a field of its own.
fn row(types: &Types, ty: TypeId, width: u64) -> Option<Element> {
    let (scalar, signed) = integer(types, ty)?;
    let size = types.scalar_size(scalar);
    let stride = size.checked_mul(width)?;
    let fields = (0..width)
        .map(|column| DataField {
            name: String::new(),
            offset: column * size,
            ty: scalar,
            signed,
            stride,
            member: Some(format!("[{column}]")),
        })
        .collect();
    Some(Element {
        size: stride,
        fields,
    })
}

/// The elements of the array that a pointer may point to.
pub fn element_behind(types: &Types, ty: TypeId) -> Option<Element> {
    match *types.get(ty) {
        CType::Pointer(to) => element(types, to),
        _ => None,
    }
}

/// The list whose head a pointer points to.
pub fn head_behind(types: &Types, ty: TypeId) -> Option<Result<ListShape, NotAList>> {
    match *types.get(ty) {
        CType::Pointer(to) => list_behind(types, to),
        _ => None,
    }
}

/// An integer type of at most 64 bits.
pub fn integer(types: &Types, ty: TypeId) -> Option<(Ty, bool)> {
    match types.get(ty) {
        CType::Int(_) | CType::Bool | CType::Enum(_) => match types.scalar(ty)? {
            scalar @ Ty::Int(..=64) => Some((scalar, types.is_signed(ty))),
            _ => None,
        },
        _ => None,
    }
}

/// The integer that a pointer points to.
pub fn integer_behind(types: &Types, ty: TypeId) -> Option<(Ty, bool)> {
    match *types.get(ty) {
        CType::Pointer(to) => integer(types, to),
        _ => None,
    }
}
