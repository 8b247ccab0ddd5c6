//! Calls as events: of functions that are no functions of the program, and by classes of arguments and results.

use super::Lowerer;
use super::convert::Value;
use crate::{CallProbe, Relation, ValueClass};
use idiolect_base::Span;
use idiolect_ir::{BinaryOp, ExprId, MarkKind};

/// Calls of these end the run, so the event comes before.
const ENDS: [&str; 7] = [
    "exit",
    "_exit",
    "_Exit",
    "abort",
    "quick_exit",
    "longjmp",
    "siglongjmp",
];

impl Lowerer<'_> {
    /// Whether somebody wants to know what a call of this function returns.
    pub fn listens_to_result(&self, name: &str) -> bool {
        let mut calls = self.options.calls.iter();
        calls.any(|probe| probe.function == name && probe.result.is_some())
    }

    /// The events of a call whose arguments, as far as they are known one by one, are these.
    pub fn call_events(&mut self, name: &str, is_own: bool, arguments: &[ExprId], span: Span) {
        if self.options.calls.is_empty() || self.is_unheard() {
            return;
        }
        let options = self.options;
        for probe in options.calls.iter().filter(|p| p.function == name) {
            // Own functions have events of their own.
            let is_plain = probe.arguments.is_empty();
            if probe.result.is_some() || (is_plain && is_own) {
                continue;
            }
            let mut condition: Option<ExprId> = None;
            let mut is_known = true;
            for (i, class) in probe.arguments.iter().enumerate() {
                let Some(class) = class else { continue };
                let holds = arguments
                    .get(i)
                    .and_then(|&value| self.is_in(value, class, span));
                let Some(holds) = holds else {
                    is_known = false;
                    break;
                };
                condition = Some(match condition {
                    Some(before) => self.body.binary(BinaryOp::BitAnd, before, holds, span),
                    None => holds,
                });
            }
            if is_known {
                self.mark(MarkKind::Predicate, probe.name(), condition, span);
            }
        }
    }

    /// The events of what a call has returned.
    pub fn result_events(&mut self, name: &str, value: Value, span: Span) {
        if self.options.calls.is_empty() || self.is_unheard() {
            return;
        }
        let options = self.options;
        for probe in options.calls.iter().filter(|p| p.function == name) {
            let Some(class) = &probe.result else { continue };
            if self.types.scalar(value.ty).is_none() {
                continue;
            }
            if let Some(holds) = self.is_in(value.expr, class, span) {
                self.mark(MarkKind::Predicate, probe.name(), Some(holds), span);
            }
        }
    }

    /// Whether the event of a call of something built in comes before it.
    pub fn ends_the_run(name: &str) -> bool {
        ENDS.contains(&name)
    }

    fn is_unheard(&self) -> bool {
        self.unevaluated > 0 || self.units[self.unit].is_library
    }

    fn is_in(&mut self, value: ExprId, class: &ValueClass, span: Span) -> Option<ExprId> {
        let ty = self.body.ty(value);
        let is_null =
            class.value == 0 && matches!(class.relation, Relation::Equal | Relation::NotEqual);
        // Of pointers, one can ask whether they are null; of floating-point numbers, nothing.
        if ty.is_float() || (ty.int_width().is_none() && !is_null) {
            return None;
        }
        let constant = self.body.constant(class.value as u128, ty, span);
        let zero = self.body.constant(0, ty, span);
        Some(match class.relation {
            Relation::Equal => self.body.binary(BinaryOp::Eq, value, constant, span),
            Relation::NotEqual => self.body.binary(BinaryOp::Ne, value, constant, span),
            Relation::Less => self.body.binary(BinaryOp::SLt, value, constant, span),
            Relation::Greater => self.body.binary(BinaryOp::SLt, constant, value, span),
            Relation::HasBits => {
                let bits = self.body.binary(BinaryOp::BitAnd, value, constant, span);
                self.body.binary(BinaryOp::Ne, bits, zero, span)
            }
        })
    }
}

impl CallProbe {
    /// `free`, `open(_, &64)`, `read -> 0`, `read -> <0`: a function, classes of its arguments, and of what it
    /// returns. A class is a number or `NULL`, `<N`, `>N`, `!=N`, or `&N` for values that have one of the bits.
    pub fn parse(text: &str) -> Option<Self> {
        let (call, result) = match text.split_once("->").or_else(|| text.split_once('→')) {
            Some((call, class)) => (call.trim(), Some(ValueClass::parse(class)?)),
            None => (text.trim(), None),
        };
        let (function, arguments) = match call.split_once('(') {
            None => (call, Vec::new()),
            Some((function, rest)) => {
                let inside = rest.strip_suffix(')')?;
                let classes = inside.split(',').map(|class| match class.trim() {
                    "_" => Some(None),
                    class => ValueClass::parse(class).map(Some),
                });
                (function.trim(), classes.collect::<Option<Vec<_>>>()?)
            }
        };
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if function.is_empty() || !function.chars().all(is_letter) {
            return None;
        }
        Some(Self {
            function: function.to_owned(),
            arguments,
            result,
        })
    }

    /// As the event is called.
    pub fn name(&self) -> String {
        let mut name = format!("call:{}", self.function);
        if !self.arguments.is_empty() {
            let classes: Vec<String> = (self.arguments.iter())
                .map(|class| {
                    class
                        .as_ref()
                        .map_or_else(|| "_".to_owned(), ToString::to_string)
                })
                .collect();
            name.push_str(&format!("({})", classes.join(", ")));
        }
        if let Some(class) = &self.result {
            name.push_str(&format!(" → {class}"));
        }
        name
    }
}

impl ValueClass {
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let relations = [
            ("!=", Relation::NotEqual),
            ("<", Relation::Less),
            (">", Relation::Greater),
            ("&", Relation::HasBits),
            ("", Relation::Equal),
        ];
        let (rest, relation) = relations
            .into_iter()
            .find_map(|(sign, relation)| Some((text.strip_prefix(sign)?.trim(), relation)))?;
        let value = match (rest, rest.strip_prefix("0x")) {
            ("NULL", _) => 0,
            (_, Some(hex)) => i128::from_str_radix(hex, 16).ok()?,
            (number, None) => number.parse().ok()?,
        };
        Some(Self { relation, value })
    }
}

impl std::fmt::Display for ValueClass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = match self.relation {
            Relation::Equal => "",
            Relation::NotEqual => "!=",
            Relation::Less => "<",
            Relation::Greater => ">",
            Relation::HasBits => "&",
        };
        write!(f, "{sign}{}", self.value)
    }
}

#[cfg(test)]
mod tests {
    use crate::CallProbe;

    #[test]
    fn call_probes_are_read_and_shown() {
        for (text, name) in [
            ("free", "call:free"),
            ("open( _ ,&64)", "call:open(_, &64)"),
            ("read -> <0", "call:read → <0"),
            ("read→0", "call:read → 0"),
            ("f(NULL, 0x10) -> !=0", "call:f(0, 16) → !=0"),
        ] {
            assert_eq!(
                CallProbe::parse(text).map(|p| p.name()).as_deref(),
                Some(name)
            );
        }
        for wrong in ["", "f(", "f(x)", "a.b", "read -> big", "f()"] {
            assert_eq!(CallProbe::parse(wrong), None, "{wrong}");
        }
    }
}
