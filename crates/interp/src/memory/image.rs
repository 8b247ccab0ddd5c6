//! The static objects, as they are when a run starts.

use super::flat::FlatSpace;
use super::{Info, Object};
use crate::input::ObjectKind;
use std::ops::Range;

/// A static object before any run.
pub(crate) struct StaticObject {
    pub(crate) kind: ObjectKind,
    pub(crate) size: u32,
    pub(crate) bytes: Vec<u8>,
    pub(crate) is_read_only: bool,
    pub(crate) is_unwritten: bool,
}

/// Memory as it is when a run starts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Image {
    pub(super) bytes: Vec<u8>,
    /// Where the program gives values; everything else is zero.
    given: Vec<Range<usize>>,
    pub(super) objects: Vec<Object>,
    pub(super) infos: Vec<Info>,
    pub(super) flat: FlatSpace,
}

impl Object {
    fn empty() -> Self {
        Object {
            base: 0,
            written: 0,
            id: 0,
            readable: 0,
            writable: 0,
            size: 0,
        }
    }
}

impl Image {
    /// The objects get the numbers 1, 2, … in order.
    pub(crate) fn new(statics: Vec<StaticObject>) -> Self {
        let place = |end: usize, size: usize| end.next_multiple_of(16) + size;
        let total = (statics.iter()).fold(0, |end, object| place(end, object.size as usize));
        let mut image = Image {
            // Fresh pages are zero and cost nothing, so gigabytes of them are not cleared.
            bytes: vec![0; total.next_multiple_of(16)],
            given: Vec::new(),
            objects: vec![Object::empty()],
            infos: vec![Info {
                kind: ObjectKind::Heap { number: 0 },
                is_live: false,
                is_read_only: true,
                is_worn: false,
                is_dirty: false,
                made_at: 0,
                flat: 0,
                truncated: None,
                is_forgotten: false,
            }],
            flat: FlatSpace::default(),
        };
        let mut end = 0;
        for object in statics {
            let id = image.objects.len() as u32;
            let base = place(end, 0);
            end = base + object.size as usize;
            let n_given = object.bytes.len().min(object.size as usize);
            let given = base..base + n_given;
            image.bytes[given.clone()].copy_from_slice(&object.bytes[..n_given]);
            if !given.is_empty() {
                image.given.push(given);
            }
            image.objects.push(Object {
                base,
                written: 0,
                id,
                readable: if object.is_unwritten { 0 } else { object.size },
                writable: 0,
                size: object.size,
            });
            let flat = image.flat.place(id, object.size).unwrap_or(0);
            image.infos.push(Info {
                kind: object.kind,
                is_live: true,
                is_read_only: object.is_read_only,
                is_worn: false,
                is_dirty: false,
                made_at: 0,
                flat,
                truncated: None,
                is_forgotten: false,
            });
        }
        image
    }

    /// The bytes, with pages that are zero left as the system gives them.
    pub(super) fn fresh(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.bytes.len()];
        for range in &self.given {
            bytes[range.clone()].copy_from_slice(&self.bytes[range.clone()]);
        }
        bytes
    }

    /// The ILP32 address of a static object.
    pub(crate) fn flat_of(&self, id: u32) -> u32 {
        self.infos[id as usize].flat
    }

    /// Overwrites bytes of a static object; for relocations.
    pub(crate) fn patch(&mut self, id: u32, offset: u64, bytes: &[u8]) {
        let object = &self.objects[id as usize];
        if offset + bytes.len() as u64 <= u64::from(object.size) {
            let at = object.base + offset as usize;
            self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
            self.given.push(at..at + bytes.len());
        }
    }
}
