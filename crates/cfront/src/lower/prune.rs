//! Leaves only the types that the program uses: headers and the library declare hundreds more.

use idiolect_ir::ctype::{EnumId, FunctionType, Record, RecordId, Types};
use idiolect_ir::{CType, Callee, Program, StmtKind, TypeId};

struct Pruner<'t> {
    old: &'t Types,
    new: Types,
    types: Vec<Option<TypeId>>,
    records: Vec<Option<RecordId>>,
    enums: Vec<Option<EnumId>>,
    /// Records whose fields are still to be taken over.
    open: Vec<(RecordId, RecordId)>,
}

/// Numbers the used types anew, in the order of their first use.
pub(crate) fn prune_types(program: &mut Program) {
    let model = program.types.model;
    let old = std::mem::replace(&mut program.types, Types::new(model));
    let mut pruner = Pruner {
        types: vec![None; old.len()],
        records: vec![None; old.n_records()],
        enums: vec![None; old.n_enums()],
        new: Types::new(model),
        old: &old,
        open: Vec::new(),
    };
    for global in &mut program.globals {
        pruner.keep(&mut global.ty);
    }
    for function in &mut program.functions {
        pruner.keep(&mut function.ty);
        for local in &mut function.locals {
            pruner.keep(&mut local.ty);
        }
        for block in &mut function.blocks {
            for stmt in &mut block.stmts {
                if let StmtKind::Call {
                    callee: Callee::Pointer { ty, .. },
                    ..
                } = &mut stmt.kind
                {
                    pruner.keep(ty);
                }
            }
        }
    }
    for input in &mut program.inputs {
        pruner.keep(&mut input.ty);
    }
    pruner.fill_records();
    program.types = pruner.new;
}

impl Pruner<'_> {
    fn keep(&mut self, ty: &mut TypeId) {
        *ty = self.kept(*ty);
    }

    fn kept(&mut self, ty: TypeId) -> TypeId {
        if let Some(new) = self.types[ty.index()] {
            return new;
        }
        let kept = match self.old.get(ty) {
            CType::Pointer(to) => CType::Pointer(self.kept(*to)),
            CType::Array { element, length } => CType::Array {
                element: self.kept(*element),
                length: *length,
            },
            CType::Function(f) => CType::Function(FunctionType {
                ret: self.kept(f.ret),
                params: f.params.iter().map(|&p| self.kept(p)).collect(),
                variadic: f.variadic,
                prototype: f.prototype,
            }),
            CType::Record(record) => CType::Record(self.record(*record)),
            CType::Enum(id) => CType::Enum(self.enumeration(*id)),
            simple => simple.clone(),
        };
        let new = self.new.intern(kept);
        self.types[ty.index()] = Some(new);
        new
    }

    fn record(&mut self, id: RecordId) -> RecordId {
        if let Some(new) = self.records[id.index()] {
            return new;
        }
        let record = self.old.record(id);
        let new = self.new.add_record(Record {
            is_union: record.is_union,
            tag: record.tag.clone(),
            layout: None,
        });
        self.records[id.index()] = Some(new);
        self.open.push((id, new));
        new
    }

    fn enumeration(&mut self, id: EnumId) -> EnumId {
        if let Some(new) = self.enums[id.index()] {
            return new;
        }
        let new = self.new.add_enum(self.old.enumeration(id).clone());
        self.enums[id.index()] = Some(new);
        new
    }

    /// Fields may lead to further records.
    fn fill_records(&mut self) {
        while let Some((id, new)) = self.open.pop() {
            let mut layout = self.old.record(id).layout.clone();
            for field in layout.iter_mut().flat_map(|l| &mut l.fields) {
                self.keep(&mut field.ty);
            }
            self.new.record_mut(new).layout = layout;
        }
    }
}
