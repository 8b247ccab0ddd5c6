//! What can be named at a place: variables of a type, functions of a type.

use idiolect_ir::{CType, Function, FunctionOrigin, LocalKind, Program, TypeId};

/// Names of the program, by what the compiled one knows of them.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) program: &'a Program,
}

impl<'a> Scope<'a> {
    fn function(&self, name: &str) -> Option<&'a Function> {
        let mut own = self.program.functions.iter();
        own.find(|f| f.name == name && f.origin == FunctionOrigin::User)
    }

    /// Everything that has a name here, inner names first, each once.
    fn visible(&self, function: &str, at: usize) -> Vec<(&'a str, TypeId)> {
        let mut list: Vec<(&str, TypeId)> = Vec::new();
        if let Some(f) = self.function(function) {
            for local in f.locals.iter().rev() {
                let scope = local.scope;
                let is_here = scope.start as usize <= at && at <= scope.end as usize;
                let is_declared = (local.span.end as usize) < at;
                if local.kind != LocalKind::Temporary && is_here && is_declared {
                    list.push((&local.name, local.ty));
                }
            }
        }
        for global in &self.program.globals {
            let is_plain = !global.is_library
                && global.function.is_none()
                && global
                    .name
                    .starts_with(|c: char| c.is_alphabetic() || c == '_');
            if is_plain && (global.span.end as usize) < at {
                list.push((&global.name, global.ty));
            }
        }
        let mut seen = rustc_hash::FxHashSet::default();
        list.retain(|(name, _)| seen.insert(*name));
        list
    }

    /// Other variables of the same type.
    pub(crate) fn like(&self, function: &str, name: &str, at: usize) -> Vec<String> {
        let visible = self.visible(function, at);
        let Some(&(_, ty)) = visible.iter().find(|v| v.0 == name) else {
            return Vec::new();
        };
        let others = visible.iter().filter(|v| v.1 == ty && v.0 != name);
        others.map(|v| v.0.to_owned()).collect()
    }

    /// Integer variables.
    pub(crate) fn numbers_at(&self, function: &str, at: usize) -> Vec<String> {
        let types = &self.program.types;
        let list = self.visible(function, at).into_iter();
        let numbers = list.filter(|v| matches!(types.get(v.1), CType::Int(_) | CType::Bool));
        numbers.map(|v| v.0.to_owned()).collect()
    }

    pub(crate) fn pointers_at(&self, function: &str, at: usize) -> Vec<String> {
        let types = &self.program.types;
        let list = self.visible(function, at).into_iter();
        let pointers = list.filter(|v| matches!(types.get(v.1), CType::Pointer(_)));
        pointers.map(|v| v.0.to_owned()).collect()
    }

    /// Whether all names in a text are visible here.
    pub(crate) fn is_known(&self, function: &str, text: &str, at: usize) -> bool {
        let visible = self.visible(function, at);
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let mut names = words.filter(|w| w.starts_with(|c: char| c.is_alphabetic() || c == '_'));
        names.all(|name| visible.iter().any(|v| v.0 == name))
    }

    /// Other functions of the user with the same type.
    pub(crate) fn functions_like(&self, name: &str) -> Vec<String> {
        let Some(own) = self.function(name) else {
            return Vec::new();
        };
        let list = self.program.functions.iter();
        let same = list.filter(|f| {
            f.origin == FunctionOrigin::User && f.ty == own.ty && f.name != name && f.name != "main"
        });
        same.map(|f| f.name.clone()).collect()
    }

    /// Functions of the user that take nothing and return an integer, other than this one.
    pub(crate) fn asked_without_arguments(&self, function: &str) -> Vec<String> {
        let types = &self.program.types;
        let is_integer = |f: &Function| match types.get(f.ty) {
            CType::Function(ty) => matches!(types.get(ty.ret), CType::Int(_) | CType::Bool),
            _ => false,
        };
        let list = self.program.functions.iter();
        let own = list.filter(|f| {
            f.origin == FunctionOrigin::User
                && f.params.is_empty()
                && f.name != function
                && f.name != "main"
                && is_integer(f)
        });
        own.map(|f| f.name.clone()).collect()
    }

    /// Whether two parameters of a function have the same type, as far as is known.
    pub(crate) fn same_parameters(&self, name: &str, a: usize, b: usize) -> bool {
        let Some(f) = self.program.functions.iter().find(|f| f.name == name) else {
            return false;
        };
        let ty = |i: usize| f.params.get(i).map(|&p| f.local(p).ty);
        ty(a).is_some() && ty(a) == ty(b)
    }
}
