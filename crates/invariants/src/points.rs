//! Finding the points of a function, and what is visible there.

use crate::pointers;
use crate::records;
use crate::signature::{Length, Parameter, ParameterKind, Site};
use idiolect_base::Span;
use idiolect_ir::ctype::{ArrayLength, CType};
use idiolect_ir::graph::{Cfg, Loops};
use idiolect_ir::{
    BlockId, FuncId, Function, GlobalId, LocalId, LocalKind, LocalStorage, Place, Program,
    StmtKind, Ty, TypeId,
};
use idiolect_quantified::allocated::{Allocated, AllocatedLength, allocated};
use idiolect_quantified::globals;
use idiolect_quantified::linear;
use idiolect_quantified::point::{
    ArrayGroup, ArraySize, Binding, DataField, Point, PointKind, Role, Structure, Variable,
};
use idiolect_quantified::roles::{Holder, Roles};
use idiolect_quantified::scope::Scope;

/// The name of what a function returns.
pub const RESULT: &str = "\\result";

/// Which points are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    pub loops: bool,
    pub entry: bool,
    pub exit: bool,
}

impl Wanted {
    pub const ALL: Wanted = Wanted {
        loops: true,
        entry: true,
        exit: true,
    };
}

/// The points of a function: its entry, its loops by their place in the text, its exit. Loops with
/// more than one head (a `goto` into a loop) are left out.
///
/// `parameters` are what is known of them; without, arrays that are parameters are not looked at.
pub fn points(
    program: &Program,
    roles: &Roles,
    id: FuncId,
    parameters: Option<&[Parameter]>,
    wanted: Wanted,
) -> Vec<Point> {
    let function = program.function(id);
    let cfg = Cfg::new(function);
    let finder = Finder {
        program,
        roles,
        id,
        function,
        scope: Scope::new(program, function, &cfg),
        parameters: parameters.unwrap_or_default(),
        allocated: allocated(program, function),
        has_temporaries: false,
    };
    let mut found = Vec::new();
    if wanted.entry {
        found.push(finder.point(PointKind::Entry, Function::ENTRY, function.span));
    }
    if wanted.loops {
        let mut heads: Vec<(Span, BlockId)> = Loops::new(&cfg)
            .all()
            .iter()
            .filter_map(|l| match l.heads.as_slice() {
                [head] => Some((finder.span_of(*head), *head)),
                _ => None,
            })
            .collect();
        heads.sort_unstable();
        for (span, head) in heads {
            found.push(finder.point(PointKind::Loop, head, span));
        }
    }
    if wanted.exit {
        found.push(finder.point(PointKind::Exit, Function::ENTRY, function.span));
    }
    found
}

/// Points at the starts of these blocks, in the manner of loops. Temporaries of the compiler count as
/// variables: a call may stand in an expression.
pub fn at_blocks(
    program: &Program,
    roles: &Roles,
    id: FuncId,
    parameters: Option<&[Parameter]>,
    blocks: &[BlockId],
) -> Vec<Point> {
    let function = program.function(id);
    let finder = Finder {
        program,
        roles,
        id,
        function,
        scope: Scope::new(program, function, &Cfg::new(function)),
        parameters: parameters.unwrap_or_default(),
        allocated: allocated(program, function),
        has_temporaries: true,
    };
    let one = |&b: &BlockId| finder.point(PointKind::Loop, b, finder.span_of(b));
    blocks.iter().map(one).collect()
}

struct Finder<'a> {
    program: &'a Program,
    roles: &'a Roles,
    id: FuncId,
    function: &'a Function,
    scope: Scope,
    parameters: &'a [Parameter],
    /// The arrays that the function makes itself.
    allocated: Vec<Allocated>,
    has_temporaries: bool,
}

/// A point in the making.
#[derive(Default)]
struct Draft {
    variables: Vec<Variable>,
    structures: Vec<Structure>,
}

impl Finder<'_> {
    /// The text of a loop's head: its condition, or its first statement.
    fn span_of(&self, head: BlockId) -> Span {
        let block = self.function.block(head);
        block
            .stmts
            .first()
            .map_or(block.terminator.span, |s| s.span)
    }

    fn point(&self, kind: PointKind, block: BlockId, span: Span) -> Point {
        let mut draft = Draft::default();
        let bindings = self.bindings(kind, block, span);
        // Arrays first, with their lengths, since indices refer to them.
        for &(binding, ref name, ty) in &bindings {
            self.arrays(&mut draft, &bindings, binding, name, ty);
        }
        for &(binding, ref name, ty) in &bindings {
            self.others(&mut draft, binding, name, ty);
        }
        Point {
            function: self.id,
            kind,
            block,
            span,
            variables: draft.variables,
            structures: draft.structures,
        }
    }

    /// What is in scope and has a value, parameters first.
    fn bindings(
        &self,
        kind: PointKind,
        block: BlockId,
        span: Span,
    ) -> Vec<(Binding, String, TypeId)> {
        let mut found = self.heads(kind, block);
        for (i, local) in self.function.locals.iter().enumerate() {
            let id = LocalId::new(i);
            let in_text = local.scope.source == span.source
                && local.scope.start <= span.start
                && span.end <= local.scope.end;
            match (kind, local.kind) {
                (PointKind::Entry, LocalKind::Parameter) => {
                    found.push((Binding::Local(id), local.name.clone(), local.ty));
                }
                // In a contract, a parameter's name means what the caller passed. A list pointer that
                // the function moved has done its work: callers write `head = sort(head)`.
                (PointKind::Exit, LocalKind::Parameter) => {
                    let is_list = linear::list_behind(&self.program.types, local.ty).is_some();
                    if is_list && self.scope.is_modified(id) {
                        continue;
                    }
                    let is_modified = self.scope.is_modified(id);
                    // A member is what it is after the call.
                    let is_member = records::record_of(&local.name).is_some();
                    if is_modified && is_member {
                        let name = format!("\\old({})", local.name);
                        found.push((Binding::AtEntry(id), name, local.ty));
                    }
                    let binding = if is_modified && !is_member {
                        Binding::AtEntry(id)
                    } else {
                        Binding::Local(id)
                    };
                    found.push((binding, local.name.clone(), local.ty));
                }
                (PointKind::Loop, LocalKind::Parameter) => {
                    let is_list = linear::list_behind(&self.program.types, local.ty).is_some();
                    let is_first_cell = !(is_list && self.relinks());
                    if self.scope.is_modified(id) && is_first_cell {
                        let name = format!("\\at({}, Pre)", local.name);
                        found.push((Binding::AtEntry(id), name, local.ty));
                    }
                    if self.scope.is_modified(id) && !self.scope.is_read_later(block, id) {
                        continue;
                    }
                    found.push((Binding::Local(id), local.name.clone(), local.ty));
                }
                (PointKind::Loop, LocalKind::Temporary) if self.has_temporaries => {
                    let is_register = matches!(local.storage, LocalStorage::Register(_));
                    let is_used =
                        self.scope.has_value(block, id) && self.scope.is_read_later(block, id);
                    if is_register && is_used {
                        found.push((Binding::Local(id), local.name.clone(), local.ty));
                    }
                }
                (PointKind::Loop, LocalKind::Variable) if in_text => {
                    let is_object = !matches!(local.storage, LocalStorage::Register(_));
                    let matters = self.scope.has_value(block, id)
                        && (self.scope.is_read_later(block, id)
                            || self.is_length(block, id)
                            || self.leads_back(local.ty));
                    if is_object || matters {
                        found.push((Binding::Local(id), local.name.clone(), local.ty));
                    }
                }
                _ => {}
            }
        }
        if kind == PointKind::Exit
            && let CType::Function(ty) = self.program.types.get(self.function.ty)
            && self.function.ret.is_some()
        {
            let name = pointers::result_name(self.function).unwrap_or(RESULT);
            found.push((Binding::Result, name.to_owned(), ty.ret));
        }
        if kind == PointKind::Loop {
            for (_, name, _) in &mut found {
                *name = pointers::at_loop(self.function, name);
            }
        }
        for global in self.globals() {
            let variable = self.program.global(global);
            found.push((Binding::Global(global), variable.name.clone(), variable.ty));
        }
        found
    }

    /// The lists whose heads parameters point to. A head is a variable like others: at the exit, and
    /// where the parameter moved, it is the one that the function was given.
    fn heads(&self, kind: PointKind, block: BlockId) -> Vec<(Binding, String, TypeId)> {
        let mut found = Vec::new();
        for &id in &self.function.params {
            let local = self.function.local(id);
            let is_head = matches!(
                linear::head_behind(&self.program.types, local.ty),
                Some(Ok(_))
            );
            let is_register = matches!(local.storage, LocalStorage::Register(_));
            let (CType::Pointer(to), true, true) =
                (self.program.types.get(local.ty), is_head, is_register)
            else {
                continue;
            };
            let is_modified = self.scope.is_modified(id);
            match (kind, is_modified) {
                (PointKind::Exit, true) => {
                    found.push((Binding::BehindEntry(id), format!("*{}", local.name), *to));
                }
                (PointKind::Loop, true) => {
                    let name = format!("*\\at({}, Pre)", local.name);
                    found.push((Binding::BehindEntry(id), name, *to));
                    if self.scope.is_read_later(block, id) {
                        found.push((Binding::Behind(id), format!("*{}", local.name), *to));
                    }
                }
                _ => found.push((Binding::Behind(id), format!("*{}", local.name), *to)),
            }
        }
        // Variables that parameters point to, as long as they do.
        for p in self.parameters {
            if let (ParameterKind::Cell { .. }, Some(id)) = (&p.kind, p.local())
                && !self.scope.is_modified(id)
                && let CType::Pointer(to) = *self.program.types.get(p.ty)
            {
                found.push((Binding::Behind(id), format!("*{}", p.name), to));
            }
        }
        found
    }

    /// Whether a variable says how long an array is that the function allocated and still reads.
    fn is_length(&self, block: BlockId, id: LocalId) -> bool {
        let is_it = |a: &&Allocated| a.length == AllocatedLength::Variable(id);
        let mut arrays = self.allocated.iter().filter(is_it);
        arrays.any(|a| {
            self.scope.has_value(block, a.array) && self.scope.is_read_later(block, a.array)
        })
    }

    /// Whether a pointer is one to a cell of a doubly linked list. What comes before the cells that are read later has
    /// to be known, too: the first one leads back to nothing.
    fn leads_back(&self, ty: TypeId) -> bool {
        let shape = linear::list_behind(&self.program.types, ty);
        matches!(shape, Some(Ok(shape)) if shape.back.is_some())
    }

    /// Whether the function writes pointers to memory. Then the cell that a list began with need not
    /// be its first one for long.
    fn relinks(&self) -> bool {
        let stmts = self.function.blocks.iter().flat_map(|b| &b.stmts);
        stmts.into_iter().any(|s| {
            matches!(
                s.kind,
                StmtKind::Assign {
                    place: Place::Memory { ty: Ty::Ptr, .. },
                    ..
                }
            )
        })
    }

    /// The user's globals that this function mentions, and those that inputs are built for.
    fn globals(&self) -> Vec<GlobalId> {
        let mut found = globals::mentioned(self.program, self.id);
        found.extend(self.parameters.iter().filter_map(|p| match p.site {
            Site::Global(global) => Some(global),
            Site::Local(_) => None,
        }));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Adds a variable that is an array, and its length.
    fn arrays(
        &self,
        draft: &mut Draft,
        bindings: &[(Binding, String, TypeId)],
        binding: Binding,
        name: &str,
        ty: TypeId,
    ) {
        let types = &self.program.types;
        let (element, size) = match (types.get(ty), binding) {
            (
                &CType::Array {
                    element,
                    length: ArrayLength::Known(n),
                },
                _,
            ) => (element, ArraySize::Constant(n)),
            (&CType::Pointer(to), Binding::Local(local))
                if self.allocated.iter().any(|a| a.array == local) =>
            {
                let own = self.allocated.iter().find(|a| a.array == local);
                match own.map(|a| a.length) {
                    Some(AllocatedLength::Known(n)) => (to, ArraySize::Constant(n)),
                    Some(AllocatedLength::Variable(n)) => match self.length(draft, bindings, n) {
                        Some(n) => (to, ArraySize::Variable(n)),
                        None => return,
                    },
                    None => return,
                }
            }
            (&CType::Pointer(to), Binding::Local(local) | Binding::AtEntry(local)) => {
                let parameter = self.parameters.iter().find(|p| p.local() == Some(local));
                let Some(ParameterKind::Array {
                    length: Length::Parameter(length),
                    ..
                }) = parameter.map(|p| &p.kind)
                else {
                    return;
                };
                if draft.variables.iter().any(|v| is_of(v, local)) {
                    return; // Its value at entry stands for it already.
                }
                let length = self.parameters[*length].local();
                let Some(length) = length.and_then(|l| self.length(draft, bindings, l)) else {
                    return;
                };
                (to, ArraySize::Variable(length))
            }
            _ => return,
        };
        let Some(element) = linear::element(types, element) else {
            return;
        };
        let same_size = |s: &Structure| matches!(s, Structure::Array(a) if a.size == size);
        let structure = match draft.structures.iter().position(same_size) {
            Some(structure) => structure,
            None => {
                draft.structures.push(Structure::Array(ArrayGroup {
                    fields: Vec::new(),
                    size,
                }));
                draft.structures.len() - 1
            }
        };
        let Structure::Array(group) = &mut draft.structures[structure] else {
            return;
        };
        let role = Role::Base {
            structure,
            field: group.fields.len(),
        };
        group
            .fields
            .extend(element.fields.into_iter().map(|f| DataField {
                name: name.to_owned(),
                ..f
            }));
        if let ArraySize::Variable(length) = size {
            draft.variables[length].role = Role::Length { structure };
        }
        draft.variables.push(Variable {
            name: name.to_owned(),
            binding,
            role,
            ty,
            signed: false,
        });
    }

    /// The variable that holds the length: the value at entry, if the parameter is modified.
    fn length(
        &self,
        draft: &mut Draft,
        bindings: &[(Binding, String, TypeId)],
        local: LocalId,
    ) -> Option<usize> {
        let wanted = |b: &Binding| {
            if self.scope.is_modified(local) {
                *b == Binding::AtEntry(local)
            } else {
                *b == Binding::Local(local)
            }
        };
        let (binding, name, ty) = bindings.iter().find(|(b, _, _)| wanted(b)).or_else(|| {
            bindings
                .iter()
                .find(|(b, _, _)| *b == Binding::Local(local))
        })?;
        if let Some(known) = draft.variables.iter().position(|v| v.binding == *binding) {
            return Some(known);
        }
        draft.variables.push(Variable {
            name: name.clone(),
            binding: *binding,
            role: Role::Scalar,
            ty: *ty,
            signed: self.program.types.is_signed(*ty),
        });
        Some(draft.variables.len() - 1)
    }

    /// Adds a variable that is a pointer to a list or an integer.
    fn others(&self, draft: &mut Draft, binding: Binding, name: &str, ty: TypeId) {
        if draft.variables.iter().any(|v| v.binding == binding) {
            return;
        }
        let types = &self.program.types;
        let role = if let Some(Ok(shape)) = linear::list_behind(types, ty) {
            let same = |s: &Structure| matches!(s, Structure::List(l) if l.record == shape.record);
            let structure = match draft.structures.iter().position(same) {
                Some(structure) => structure,
                None => {
                    draft.structures.push(Structure::List(shape));
                    draft.structures.len() - 1
                }
            };
            Role::Pointer { structure }
        } else if linear::integer(types, ty).is_some() {
            // The value at entry of a number is not interesting enough for a letter.
            if matches!(binding, Binding::AtEntry(_)) && name.starts_with("\\at(") {
                return;
            }
            let array = draft.structures.iter().position(|s| !s.is_list());
            match array {
                Some(structure) if self.roles.is_index(self.holder(binding)) => {
                    Role::Index { structure }
                }
                _ => Role::Scalar,
            }
        } else {
            return;
        };
        draft.variables.push(Variable {
            name: name.to_owned(),
            binding,
            role,
            ty,
            signed: types.is_signed(ty),
        });
    }

    fn holder(&self, binding: Binding) -> Holder {
        match binding {
            Binding::Local(local) | Binding::AtEntry(local) => Holder::Local(self.id, local),
            Binding::Global(global) => Holder::Global(global),
            Binding::Result => Holder::Result(self.id),
            // A pointer, which is neither index nor data.
            Binding::Behind(local) | Binding::BehindEntry(local) => Holder::Local(self.id, local),
        }
    }
}

fn is_of(variable: &Variable, local: LocalId) -> bool {
    matches!(variable.binding, Binding::Local(l) | Binding::AtEntry(l) if l == local)
}
