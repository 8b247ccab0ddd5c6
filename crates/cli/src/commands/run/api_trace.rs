//! Calls of named functions, one line each, in the form that specification miners read:
//! `name(attribute = value, …, return = value)`.

use idiolect_interp::{Observer, Value, View};
use idiolect_ir::{Builtin, FuncId, LocalKind, Program, Ty};
use std::fmt::Write as _;

/// Collects the calls of a run. A call's line stands where it began, although its result is known
/// only when it returns.
pub struct ApiTrace<'a> {
    names: &'a [String],
    pub lines: Vec<String>,
    /// Calls that have not returned: the depth of the caller, and the line, if it is wanted.
    open: Vec<(usize, Option<usize>)>,
}

impl<'a> ApiTrace<'a> {
    /// Collects the calls of these functions.
    pub fn new(names: &'a [String]) -> Self {
        Self {
            names,
            lines: Vec::new(),
            open: Vec::new(),
        }
    }

    fn wants(&self, name: &str) -> bool {
        self.names.iter().any(|n| n == name)
    }

    /// Closes the lines of calls that never returned.
    pub fn finish(mut self) -> Vec<String> {
        for (_, line) in std::mem::take(&mut self.open) {
            if let Some(line) = line {
                self.lines[line].push(')');
            }
        }
        self.lines
    }
}

impl Observer for ApiTrace<'_> {
    const CALLS: bool = true;

    fn called(&mut self, view: &View<'_>, callee: FuncId, arguments: &[Value]) {
        let function = view.program().function(callee);
        let wanted = self.wants(&function.name).then(|| {
            let names: Vec<String> = parameter_names(view.program(), callee);
            self.lines.push(start(&function.name, &names, arguments));
            self.lines.len() - 1
        });
        self.open.push((view.depth(), wanted));
    }

    fn returned(&mut self, _: &View<'_>, result: Option<Value>) {
        if let Some((_, Some(line))) = self.open.pop() {
            end(&mut self.lines[line], result);
        }
    }

    fn unwound(&mut self, depth: usize) {
        while let Some(&(caller, line)) = self.open.last()
            && caller >= depth
        {
            self.open.pop();
            if let Some(line) = line {
                self.lines[line].push(')');
            }
        }
    }

    fn built_in(
        &mut self,
        _: &View<'_>,
        builtin: Builtin,
        arguments: &[Value],
        result: Option<Value>,
    ) {
        let Some((name, parameters)) = builtin_names(builtin) else {
            return;
        };
        if self.wants(name) {
            let parameters: Vec<String> = parameters.iter().map(|&p| p.to_owned()).collect();
            let mut line = start(name, &parameters, arguments);
            end(&mut line, result);
            self.lines.push(line);
        }
    }
}

fn start(name: &str, parameters: &[String], arguments: &[Value]) -> String {
    let mut line = format!("{name}(");
    for (i, value) in arguments.iter().enumerate() {
        let comma = if i > 0 { ", " } else { "" };
        let _ = match parameters.get(i) {
            Some(parameter) => write!(line, "{comma}{parameter} = {}", show(*value)),
            None => write!(line, "{comma}arg{} = {}", i + 1, show(*value)),
        };
    }
    line
}

fn end(line: &mut String, result: Option<Value>) {
    if let Some(value) = result {
        let comma = if line.ends_with('(') { "" } else { ", " };
        let _ = write!(line, "{comma}return = {}", show(value));
    }
    line.push(')');
}

/// Pointers in hexadecimal, so that equal ones are equal text; integers as signed numbers.
fn show(value: Value) -> String {
    match value.ty {
        Ty::Ptr => format!("{:#x}", value.bits),
        Ty::F32 => f32::from_bits(value.bits as u32).to_string(),
        Ty::F64 => f64::from_bits(value.bits as u64).to_string(),
        Ty::F80 => format!("{:#x}", value.bits),
        Ty::Int(width) => {
            let shift = 128 - u32::from(width);
            (((value.bits << shift) as i128) >> shift).to_string()
        }
    }
}

fn parameter_names(program: &Program, function: FuncId) -> Vec<String> {
    let function = program.function(function);
    let names = function.params.iter().enumerate().map(|(i, &local)| {
        let local = function.local(local);
        if local.kind == LocalKind::Parameter && !local.name.starts_with('%') {
            local.name.clone()
        } else {
            format!("arg{}", i + 1)
        }
    });
    names.collect()
}

fn builtin_names(builtin: Builtin) -> Option<(&'static str, &'static [&'static str])> {
    Some(match builtin {
        Builtin::Malloc => ("malloc", &["size"]),
        Builtin::Calloc => ("calloc", &["count", "size"]),
        Builtin::Realloc => ("realloc", &["block", "size"]),
        Builtin::Free => ("free", &["block"]),
        Builtin::Memmove => ("memcpy", &["to", "from", "size"]),
        Builtin::Memset => ("memset", &["to", "byte", "size"]),
        _ => return None,
    })
}
