//! Heap blocks that nobody can free any more.

use super::{INDEX_MASK, Memory};
use crate::input::ObjectKind;
use idiolect_ir::memory::{address, object_of};

impl Memory {
    /// Heap blocks that no chain of pointers reaches from `roots`, the globals and live locals;
    /// by ascending number, with the place where each was made.
    pub(crate) fn leaks(&self, roots: &[u64], pointer_size: usize) -> Vec<(u64, u32)> {
        let mut reached = vec![false; self.objects.len()];
        let mut todo: Vec<usize> = Vec::new();
        let visit = |pointer: u64, reached: &mut Vec<bool>, todo: &mut Vec<usize>| {
            let id = object_of(pointer);
            let index = (id & INDEX_MASK) as usize;
            if index != 0
                && let (Some(object), Some(info)) = (self.objects.get(index), self.infos.get(index))
                && object.id == id
                && info.is_live
                && !reached[index]
            {
                reached[index] = true;
                todo.push(index);
            }
        };
        for (index, info) in self.infos.iter().enumerate() {
            if info.is_live && !matches!(info.kind, ObjectKind::Heap { .. }) && index != 0 {
                reached[index] = true;
                todo.push(index);
            }
        }
        for &root in roots {
            visit(root, &mut reached, &mut todo);
        }
        while let Some(index) = todo.pop() {
            let size = self.objects[index].size;
            let bytes = self.bytes_at(index, 0, u64::from(size));
            // Pointers may lie anywhere in packed records, so every byte is a possible start.
            for (offset, window) in bytes.windows(pointer_size).enumerate() {
                if !self.is_written(index, offset as u32) {
                    continue;
                }
                let pointer = match <[u8; 8]>::try_from(window) {
                    Ok(bytes) => u64::from_le_bytes(bytes),
                    Err(_) => match <[u8; 4]>::try_from(window) {
                        Ok(bytes) => self.unflatten(u32::from_le_bytes(bytes)),
                        Err(_) => continue,
                    },
                };
                visit(pointer, &mut reached, &mut todo);
            }
        }
        let mut leaks: Vec<(u32, u64, u32)> = Vec::new();
        for (index, info) in self.infos.iter().enumerate() {
            if let ObjectKind::Heap { number } = info.kind
                && info.is_live
                && !reached[index]
            {
                leaks.push((number, address(self.objects[index].id, 0), info.made_at));
            }
        }
        leaks.sort_unstable();
        leaks.into_iter().map(|(_, p, at)| (p, at)).collect()
    }
}
