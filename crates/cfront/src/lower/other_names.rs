//! Other names of variables and functions, `__attribute__((alias("x")))` and `asm("x")`, which are the same object; and
//! objects whose initial value is not modelled.

use super::Lowerer;
use super::link::{External, Object};
use super::scope::{Entry, ObjectId, SubprogramId};
use crate::ast::{Attribute, Declarator, ExprKind, Specifiers};
use idiolect_base::Span;
use idiolect_ir::GlobalTarget;

/// What a declaration gives its name to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OtherName {
    /// The unit in which the name is known.
    unit: usize,
    target: String,
}

impl<'a> Lowerer<'a> {
    /// The name that an attribute or the assembler's name of a declaration says.
    pub(super) fn other_name(
        &self,
        specifiers: &Specifiers,
        declarator: &Declarator,
    ) -> Option<OtherName> {
        let lists = [&specifiers.attributes, &declarator.attributes];
        let is_wanted = |a: &&Attribute| matches!(self.name(a.name.symbol), "alias" | "asm");
        let attribute = lists.into_iter().flatten().find(is_wanted)?;
        let ExprKind::String { units, .. } = &attribute.arguments.first()?.kind else {
            return None;
        };
        let target: String = units.iter().filter_map(|&u| char::from_u32(u)).collect();
        let unit = self.unit;
        Some(OtherName { unit, target })
    }

    /// When everything is declared: what has another name is one object with it.
    pub(super) fn settle_other_names(&mut self) {
        for i in 0..self.objects.len() {
            self.settle_object(ObjectId::new(i));
        }
        for i in 0..self.subprograms.len() {
            self.settle_subprogram(SubprogramId::new(i));
        }
    }

    fn entry_of(&self, name: &OtherName) -> Option<Entry> {
        let symbol = self.symbols.get(&name.target)?;
        let known = self.units[name.unit].scope.names.get(&symbol).copied();
        known.or_else(|| {
            Some(match *self.externals.get(&symbol)? {
                External::Object(object) => Entry::Object {
                    object,
                    ty: self.objects[object.index()].ty,
                },
                External::Function(function) => Entry::Function {
                    function,
                    ty: self.subprograms[function.index()].ty,
                },
            })
        })
    }

    /// Makes the object the one that its declaration names, if the program defines that.
    pub(super) fn settle_object(&mut self, object: ObjectId) {
        let known = &self.objects[object.index()];
        let Some(name) = known.other_name.as_ref().filter(|_| !known.is_defined) else {
            return;
        };
        let target = match self.entry_of(name) {
            Some(Entry::Object { object, .. }) => Some(object),
            _ => self.labelled(&name.target),
        };
        // An alias of an alias is settled first, if it comes first.
        let is_own = |o: ObjectId| {
            let found = &self.objects[o.index()];
            (found.is_defined || found.is_same) && !self.units[found.unit].is_library
        };
        let Some(target) = target.filter(|&t| t != object && is_own(t)) else {
            return;
        };
        let new = self.global_of(target);
        if let Some(old) = self.objects[object.index()].global {
            self.retarget(GlobalTarget::Global(old), GlobalTarget::Global(new));
        }
        let doubt = self.objects[target.index()].doubt.clone();
        let known = &mut self.objects[object.index()];
        known.global = Some(new);
        known.is_same = true;
        known.doubt = doubt;
    }

    /// The object of the program that has this name for the assembler.
    fn labelled(&self, target: &str) -> Option<ObjectId> {
        let has_label = |o: &Object<'a>| {
            o.is_defined && (o.other_name.as_ref()).is_some_and(|n| n.target == target)
        };
        self.objects.iter().position(has_label).map(ObjectId::new)
    }

    fn settle_subprogram(&mut self, function: SubprogramId) {
        let known = &self.subprograms[function.index()];
        let is_declared = known.definition.is_none();
        let name = known.other_name.as_ref().filter(|_| is_declared);
        let Some(Entry::Function {
            function: target, ..
        }) = name.and_then(|name| self.entry_of(name))
        else {
            return;
        };
        let definition = self.subprograms[target.index()].definition;
        let is_own = definition.is_some_and(|d| !self.units[d.unit].is_library);
        if target == function || !is_own {
            return;
        }
        self.subprograms[function.index()].definition = definition;
        self.subprograms[function.index()].same_as = Some(target);
        if let Some(old) = self.subprograms[function.index()].id {
            let new = self.function_id(target);
            self.retarget(GlobalTarget::Function(old), GlobalTarget::Function(new));
        }
    }

    /// Initial values that hold one address hold another one.
    fn retarget(&mut self, old: GlobalTarget, new: GlobalTarget) {
        for relocation in self.globals.iter_mut().flat_map(|g| &mut g.relocations) {
            if relocation.target == old {
                relocation.target = new;
            }
        }
    }

    /// An object that points to one whose initial value is not modelled leads to it.
    pub(super) fn spread_doubts(&mut self) {
        let mut open: Vec<usize> = (0..self.objects.len())
            .filter(|&i| self.objects[i].doubt.is_some())
            .collect();
        while let Some(i) = open.pop() {
            let Some(global) = self.objects[i].global else {
                continue;
            };
            let doubt = self.objects[i].doubt.clone();
            for j in 0..self.objects.len() {
                let other = &self.objects[j];
                let leads = other.global.is_some_and(|g| {
                    let mut relocations = self.globals[g.index()].relocations.iter();
                    relocations.any(|r| r.target == GlobalTarget::Global(global))
                });
                if leads && other.doubt.is_none() {
                    self.objects[j].doubt.clone_from(&doubt);
                    open.push(j);
                }
            }
        }
    }

    /// A run gives up where it names an object whose initial value is not modelled.
    pub(super) fn named_in_doubt(&mut self, object: ObjectId, span: Span) {
        let known = &self.objects[object.index()];
        if let Some(construct) = &known.doubt {
            let text = format!("{construct}, in the initial value of `{}`", known.name);
            self.unmodelled(&text, span);
        }
    }
}
