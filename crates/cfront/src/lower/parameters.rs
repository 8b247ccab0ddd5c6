//! Arguments of an entry function other than `main`.
//!
//! Scalars are inputs. A pointer points to an object of which the first elements are looked at, or to
//! an element of the object behind an earlier pointer of a compatible type; with
//! [`assume_nothing`](crate::Options::assume_nothing) it may be null. What is taken for granted is a
//! contract in the ledger.

use super::Lowerer;
use super::aliases::Alias;
use crate::ast::{Derivation, Parameters};
use idiolect_base::Span;
use idiolect_ir::ctype::{CType, IntKind};
use idiolect_ir::{AssumptionKind, BinaryOp, ExprId, FuncId, InputKind, Ty, TypeId};

/// Objects behind pointer parameters have no more bytes than this, unless one element has.
const MOST_BYTES: u64 = 4096;

/// A pointer parameter that later ones may point into.
pub(super) struct Pointed {
    pub name: String,
    pub element: TypeId,
    pub address: ExprId,
    pub n_elements: u64,
    /// How many there are at least, where a contract says so.
    pub count: Option<ExprId>,
    pub is_restrict: bool,
    /// A global variable and no parameter.
    pub is_global: bool,
    /// Whether pointers into it are looked at, or ruled out by a contract.
    pub is_looked_into: bool,
}

impl Pointed {
    pub fn new(name: &str, element: TypeId, address: ExprId, is_restrict: bool) -> Self {
        Self {
            name: name.to_owned(),
            element,
            address,
            n_elements: 0,
            count: None,
            is_restrict,
            is_global: false,
            is_looked_into: true,
        }
    }
}

impl Lowerer<'_> {
    pub fn entry_arguments(&mut self, entry: FuncId, span: Span) -> Vec<ExprId> {
        if !self.preconditions.is_empty() {
            return self.contract_arguments(entry, span);
        }
        let types = self.parameter_types(entry);
        let restrict = self.restrict_parameters(entry);
        // The address of a returned record comes before the parameters of C.
        let n_hidden = usize::from(types.first().is_some_and(|(name, _)| name == "%result"));
        let mut earlier = self.globals_in_reach(entry, span);
        let mut args = Vec::new();
        for (i, (name, ty)) in types.into_iter().enumerate() {
            let expr = match *self.types.get(ty) {
                CType::Pointer(to) if i < n_hidden => self.memory_temporary(to, span),
                CType::Pointer(_) if name == "%arguments" => self.no_arguments(span),
                CType::Pointer(to) => {
                    let is_restrict = restrict.get(i - n_hidden) == Some(&true);
                    let is_used = self.uses_parameter(entry, i);
                    let null = self.body.constant(0, Ty::Ptr, span);
                    let new = Pointed::new(&name, to, null, is_restrict);
                    self.pointer_argument(new, is_used, &mut earlier, span)
                }
                _ if self.types.scalar(ty).is_some() => {
                    self.input_value(InputKind::Parameter(name), ty, span).expr
                }
                _ => self.memory_temporary(ty, span),
            };
            args.push(expr);
        }
        args
    }

    /// Which parameters of C are `restrict` pointers.
    pub(super) fn restrict_parameters(&self, entry: FuncId) -> Vec<bool> {
        let definition = (self.function_of.get(entry.index()).copied().flatten())
            .and_then(|function| self.subprograms[function.index()].definition);
        let Some(Derivation::Function(Parameters::Prototype { parameters, .. })) =
            definition.and_then(|d| d.ast.declarator.derivations.first())
        else {
            return Vec::new();
        };
        let is_restrict = |derivations: &[Derivation]| matches!(derivations.first(), Some(Derivation::Pointer(q)) if q.is_restrict);
        (parameters.iter())
            .map(|parameter| is_restrict(&parameter.declarator.derivations))
            .collect()
    }

    /// Variable arguments of the entry function: there are some, and nobody knows which.
    pub(super) fn no_arguments(&mut self, span: Span) -> ExprId {
        let text = "variable arguments of the entry function";
        let index = self.assume(AssumptionKind::Unmodelled, text, span, None);
        let nothing = self.array_of(self.common.char_, 0);
        let address = self.memory_temporary(nothing, span);
        let truth = self.body.constant(1, Ty::BOOL, span);
        self.truncate(address, truth, index, span);
        address
    }

    pub(super) fn pointer_argument(
        &mut self,
        mut new: Pointed,
        is_used: bool,
        earlier: &mut Vec<Pointed>,
        span: Span,
    ) -> ExprId {
        let name = new.name.clone();
        if let CType::Function(_) = self.types.get(new.element) {
            if !is_used {
                return self.body.constant(0, Ty::Ptr, span);
            }
            let function = self.some_function(&name, new.element, span);
            return if self.options.assume_nothing {
                self.or_null(&name, function, span)
            } else {
                function
            };
        }
        let wanted = u64::from(self.options.pointer_elements).max(1);
        let (element, n) = match self.types.size_of(new.element).filter(|&size| size > 0) {
            Some(size) => (new.element, wanted.min(MOST_BYTES / size).max(1)),
            // What cannot be seen from here.
            None => (self.common.char_, 8 * wanted),
        };
        new.n_elements = n;
        let array = self.array_of(element, n);
        new.address = self.memory_behind(&name, array, span);
        if !is_used {
            return new.address;
        }
        let text = format!("only {n} elements behind `{name}` are looked at");
        let index = self.assume(AssumptionKind::Bound, &text, span, Some("--max-elements"));
        let truth = self.body.constant(1, Ty::BOOL, span);
        self.truncate(new.address, truth, index, span);
        self.fill_pointers(&name, new.address, element, n, span);
        let mut pointer = new.address;
        for old in earlier.iter() {
            match self.alias(&name, new.element, new.is_restrict, old) {
                Alias::No => {}
                Alias::Modelled if old.count.is_none() => {
                    pointer = self.or_into(pointer, old, &name, span);
                }
                Alias::Modelled | Alias::Listed => self.points_elsewhere(&name, old, span),
            }
        }
        let elements = if n == 1 { "element" } else { "elements" };
        let text = if self.options.assume_nothing {
            format!("`{name}` is null or points to at least {n} {elements}")
        } else {
            format!("`{name}` is not null and points to at least {n} {elements}")
        };
        let option = (!self.options.assume_nothing).then_some("--assume nothing");
        self.assume(AssumptionKind::Contract, &text, span, option);
        if self.options.assume_nothing {
            pointer = self.or_null(&name, pointer, span);
        }
        earlier.push(new);
        self.body.save(pointer, self.common.void_pointer)
    }

    /// An input that is true or false.
    pub fn choice(&mut self, kind: InputKind, span: Span) -> ExprId {
        let byte = self.types.int(IntKind::UChar);
        let value = self.input_value(kind, byte, span);
        let zero = self.int_value(0, byte, span);
        self.body.binary(BinaryOp::Ne, value.expr, zero.expr, span)
    }

    /// Whether C lets pointers to these two types point to the same memory.
    pub(super) fn may_overlap(&self, a: TypeId, b: TypeId) -> bool {
        let is_any = |ty: TypeId| match self.types.get(ty) {
            CType::Void => true,
            CType::Int(kind) => {
                matches!(kind, IntKind::Char | IntKind::SChar | IntKind::UChar)
            }
            _ => self.types.size_of(ty).is_none(),
        };
        is_any(a) || is_any(b) || self.are_compatible(a, b)
    }

    /// What is not looked at where a pointer may point into something earlier.
    pub(super) fn points_at_or_after(&mut self, name: &str, old: &Pointed, span: Span) {
        let text = match (old.is_global, old.n_elements) {
            (true, 0..=255) => return,
            (true, _) => format!(
                "if `{name}` points into `{}`, it does so at one of the first 255 elements",
                old.name
            ),
            (false, _) => format!(
                "if `{name}` points to the object behind `{}`, it does so at or after it",
                old.name
            ),
        };
        self.assume(AssumptionKind::Contract, &text, span, None);
    }

    /// The pointer, or one to an element behind an earlier parameter: an input from 1 on says which.
    fn or_into(&mut self, pointer: ExprId, old: &Pointed, name: &str, span: Span) -> ExprId {
        self.points_at_or_after(name, old, span);
        let byte = self.types.int(IntKind::UChar);
        let kind = InputKind::Parameter(format!("{name} in {}", old.name));
        let place = self.input_value(kind, byte, span);
        let one = self.int_value(1, byte, span);
        let wrapping = BinaryOp::Sub { signed: false };
        let index = self.body.binary(wrapping, place.expr, one.expr, span);
        let n = self.int_value(i128::from(old.n_elements.min(255)), byte, span);
        let is_inside = self.body.binary(BinaryOp::ULt, index, n.expr, span);
        let width = self.pointer_width();
        let index = self.body.resize(index, false, width, span);
        let size = self.types.size_of(old.element).filter(|&s| s > 0);
        let address = (self.body).pointer_add(old.address, index, size.unwrap_or(1), span);
        self.body.select(is_inside, address, pointer, span)
    }
}
