//! The objects that are there from the start: functions and globals.

use crate::input::ObjectKind;
use crate::memory::{Image, StaticObject};
use idiolect_ir::ctype::DataModel;
use idiolect_ir::{FuncId, GlobalId, GlobalTarget, Program, memory};

/// The object number of a function.
pub(crate) fn function_object(function: FuncId) -> u32 {
    function.0 + 1
}

/// The object number of a global.
pub(crate) fn global_object(program: &Program, global: GlobalId) -> u32 {
    program.functions.len() as u32 + global.0 + 1
}

/// The static objects: functions first, then globals.
pub(crate) fn image(program: &Program) -> Image {
    let mut statics: Vec<StaticObject> = program
        .function_ids()
        .map(|f| StaticObject {
            kind: ObjectKind::Function(f),
            size: 1,
            bytes: Vec::new(),
            is_read_only: true,
            is_unwritten: false,
        })
        .collect();
    for (i, global) in program.globals.iter().enumerate() {
        // Larger ones cannot exist; the front end complains about them.
        let size = global.size.min(memory::MAX_OBJECT_SIZE - 1) as u32;
        let mut bytes = global.bytes.clone();
        bytes.truncate(size as usize);
        statics.push(StaticObject {
            kind: ObjectKind::Global(GlobalId::new(i)),
            size,
            bytes,
            is_read_only: global.read_only,
            is_unwritten: global.is_unwritten,
        });
    }
    let mut image = Image::new(statics);
    for (i, global) in program.globals.iter().enumerate() {
        let object = global_object(program, GlobalId::new(i));
        for relocation in &global.relocations {
            let target = match relocation.target {
                GlobalTarget::Global(g) => global_object(program, g),
                GlobalTarget::Function(f) => function_object(f),
            };
            match program.types.model {
                DataModel::Lp64 => {
                    let pointer = memory::address(target, 0).wrapping_add(relocation.addend as u64);
                    image.patch(object, relocation.offset, &pointer.to_le_bytes());
                }
                DataModel::Ilp32 => {
                    let flat = image.flat_of(target).wrapping_add(relocation.addend as u32);
                    image.patch(object, relocation.offset, &flat.to_le_bytes());
                }
            }
        }
    }
    image
}
