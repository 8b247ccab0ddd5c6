//! Global variables that a caller may hand to the entry function: a pointer parameter may point into one.

use super::Lowerer;
use super::link::External;
use super::parameters::Pointed;
use idiolect_base::Span;
use idiolect_ir::ctype::{ArrayLength, CType};
use idiolect_ir::{AssumptionKind, Callee, ExprKind, FuncId, GlobalId, StmtKind, Ty, TypeId};
use std::collections::BTreeSet;

/// Pointers are looked at in so many globals; that they do not point into the others is a contract.
const MOST_GLOBALS: usize = 4;

/// Whether a pointer parameter may point to what is behind another one, or into a global variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Alias {
    /// C or a contract rules it out.
    No,
    /// It may, and it is looked at.
    Modelled,
    /// It may, and that it does not is a contract.
    Listed,
}

impl Lowerer<'_> {
    /// What is made of the possibility that a pointer of this name points into something earlier.
    pub(super) fn alias(&self, name: &str, to: TypeId, is_restrict: bool, old: &Pointed) -> Alias {
        if is_restrict || old.is_restrict || self.are_separated(name, &old.name) {
            return Alias::No;
        }
        if !old.is_global {
            return if self.may_overlap(old.element, to) {
                Alias::Modelled
            } else {
                Alias::No
            };
        }
        if old.is_looked_into && self.are_compatible(old.element, to) {
            Alias::Modelled
        } else if self.may_overlap(old.element, to) || self.holds(old.element, to) {
            Alias::Listed
        } else {
            Alias::No
        }
    }

    /// That a pointer does not point into a global variable, as a contract.
    pub(super) fn points_elsewhere(&mut self, name: &str, old: &Pointed, span: Span) {
        let into = if old.is_global {
            ""
        } else {
            "the memory behind "
        };
        let text = format!("`{name}` does not point into {into}`{}`", old.name);
        self.assume(AssumptionKind::Contract, &text, span, None);
    }

    /// Whether a record has a member of this type, however deep.
    fn holds(&self, record: TypeId, member: TypeId) -> bool {
        let (record, _) = self.elements(record);
        let CType::Record(id) = *self.types.get(record) else {
            return false;
        };
        let fields = self.types.record(id).layout.iter().flat_map(|l| &l.fields);
        fields.into_iter().any(|field| {
            let (ty, _) = self.elements(field.ty);
            self.are_compatible(ty, member) || self.holds(ty, member)
        })
    }

    /// Variables that the function or those that it calls use, as things that parameters may point into. One that only this
    /// file can name is a contract: its address may be handed out, but hardly ever is. A constant one is left out: it
    /// may be read twice and nobody notices.
    pub(super) fn globals_in_reach(&mut self, entry: FuncId, span: Span) -> Vec<Pointed> {
        let used = self.used_globals(entry);
        let external: BTreeSet<usize> = (self.externals.values())
            .filter_map(|external| match external {
                External::Object(object) => Some(object.index()),
                External::Function(_) => None,
            })
            .collect();
        let mut found: Vec<Pointed> = Vec::new();
        for index in 0..self.objects.len() {
            let object = &self.objects[index];
            let is_own =
                !self.units[object.unit].is_library && !object.constness.object && !object.is_same;
            let Some(global) = object.global.filter(|g| is_own && used.contains(g)) else {
                continue;
            };
            let (name, ty) = (object.name.clone(), object.ty);
            let (element, n_elements) = self.elements(ty);
            let address = (self.body).add(ExprKind::GlobalAddress(global), Ty::Ptr, span);
            let mut pointed = Pointed::new(&name, element, address, false);
            pointed.n_elements = n_elements;
            pointed.is_global = true;
            pointed.is_looked_into = external.contains(&index) && found.len() < MOST_GLOBALS;
            found.push(pointed);
        }
        found
    }

    /// The innermost elements of an array, and how many there are.
    fn elements(&self, mut ty: TypeId) -> (TypeId, u64) {
        let mut n = 1_u64;
        while let CType::Array {
            element,
            length: ArrayLength::Known(length),
        } = *self.types.get(ty)
        {
            n = n.saturating_mul(length);
            ty = element;
        }
        (ty, n)
    }

    /// Globals whose address occurs in a function or in one that it refers to.
    fn used_globals(&self, entry: FuncId) -> BTreeSet<GlobalId> {
        let mut used = BTreeSet::new();
        let mut seen = BTreeSet::from([entry]);
        let mut open = vec![entry];
        while let Some(id) = open.pop() {
            let Some(function) = self.functions.get(id.index()).and_then(Option::as_ref) else {
                continue;
            };
            let mut callees = Vec::new();
            for expr in &function.exprs {
                match expr.kind {
                    ExprKind::GlobalAddress(global) => {
                        used.insert(global);
                    }
                    ExprKind::FunctionAddress(f) => callees.push(f),
                    _ => {}
                }
            }
            for stmt in function.blocks.iter().flat_map(|b| &b.stmts) {
                if let StmtKind::Call {
                    callee: Callee::Function(f),
                    ..
                } = stmt.kind
                {
                    callees.push(f);
                }
            }
            open.extend(callees.into_iter().filter(|f| seen.insert(*f)));
        }
        used
    }
}
