//! A `main` in C that calls a function on random inputs and checks what is said of its exit.
//!
//! Inputs are those that the contract allows: arrays of the lengths that the signature says, strings, lists, and
//! integers of which most are small. What is not as the formula at the entry says is not called with. It stands behind
//! `#ifdef IDIOLECT_RUN` in the file of the checks.

use crate::FunctionalFact;
use crate::c_check::{c_name, identifier as id};
use idiolect_invariants::pointers::{self, distance};
use idiolect_invariants::records::{opened_names, record_of};
use idiolect_invariants::signature::{Length, Parameter, ParameterKind, Site};
use idiolect_ir::{CType, FuncId, Program, TypeId, Types};
use idiolect_quantified::point::{Binding, Point};
use std::fmt::Write as _;

/// What the driver needs of a function.
pub struct Called<'a> {
    pub program: &'a Program,
    pub function: FuncId,
    pub parameters: &'a [Parameter],
    /// The entry and the exit, with the names of their checks, where something is said of them.
    pub entry: Option<(&'a Point, String)>,
    pub exit: Option<(&'a Point, String)>,
    /// What holds at the exit.
    pub facts: Vec<&'a FunctionalFact>,
}

/// What all drivers share.
const COMMON: &str = r#"#ifdef IDIOLECT_RUN
/* Built with -DIDIOLECT_RUN, this file calls the functions on random inputs: ./a.out RUNS SEED.
   It exits with 1 and says which formula is broken, if one is. */
#include <stdio.h>
#include <stdlib.h>
static unsigned long long idiolect_state = 1;
static unsigned long idiolect_random(unsigned long n)
{
    idiolect_state ^= idiolect_state << 13;
    idiolect_state ^= idiolect_state >> 7;
    idiolect_state ^= idiolect_state << 17;
    return (unsigned long)((idiolect_state >> 11) % n);
}
/* Most numbers are near zero, so that some of them are equal. */
static long long idiolect_number(void)
{
    switch (idiolect_random(8)) {
    case 0: return (long long)idiolect_random(201) - 100;
    case 1: return (long long)idiolect_random(0xffffffffUL) - 0x7fffffffL;
    case 2: return -(long long)idiolect_random(3);
    default: return (long long)idiolect_random(4);
    }
}
static void *idiolect_memory(unsigned long n)
{
    void *p = malloc(n);
    if (p == 0)
        exit(2);
    return p;
}
"#;

/// The driver of these functions, or nothing if there are none.
pub fn driver(called: &[Called<'_>]) -> String {
    let mut bodies = String::new();
    let mut names = Vec::new();
    for one in called {
        if let Some((text, name)) = one.text() {
            bodies += &text;
            names.push(name);
        }
    }
    if names.is_empty() {
        return String::new();
    }
    let mut text = format!("{COMMON}{bodies}");
    text += "int main(int argc, char **argv)\n{\n    \
             unsigned long runs = argc > 1 ? strtoul(argv[1], 0, 10) : 10000, done = 0;\n    \
             idiolect_state = argc > 2 ? strtoull(argv[2], 0, 10) * 2 + 1 : 1;\n    \
             for (unsigned long run = 0; run < runs; run++) {\n        int called;\n";
    for name in &names {
        let _ = write!(
            text,
            "        called = {name}();\n        if (called < 0) {{\n            \
             printf(\"run %lu of {name}: %s\\n\", run, idiolect_broken ? idiolect_broken : \"broken\");\n            \
             return 1;\n        }}\n        done += (unsigned long)called;\n"
        );
    }
    text +=
        "    }\n    printf(\"%lu calls, nothing broken\\n\", done);\n    return 0;\n}\n#endif\n";
    text
}

impl Called<'_> {
    /// A function that calls it once, and the name of that. It gives 1 if the call was made, 0 if the entry's formula
    /// does not allow it, -1 if the exit's formula is broken.
    fn text(&self) -> Option<(String, String)> {
        let (exit, check) = self.exit.as_ref()?;
        let code = self.program.function(self.function);
        let types = &self.program.types;
        let name = format!("idiolect_call_{}", code.name);
        let mut before = String::new();
        let mut after = String::new();
        // Lengths come first.
        let is_length = |p: &&Parameter| matches!(p.kind, ParameterKind::Length { .. });
        for p in self.parameters.iter().filter(is_length) {
            let low = u32::from(p.name.starts_with("size("));
            let _ = writeln!(
                before,
                "    {} = {low} + idiolect_random(9);",
                types.declaration(p.ty, &id(&p.name))
            );
        }
        self.records(&mut before)?;
        for p in self.parameters.iter().filter(|p| !is_length(p)) {
            self.parameter(p, &mut before, &mut after)?;
        }
        for p in self.parameters.iter().filter(|p| p.local().is_some()) {
            if record_of(&p.name).is_some() {
                let _ = writeln!(before, "    {} = {};", p.name, id(&p.name));
            }
        }
        let mut text = format!("static int {name}(void)\n{{\n    int answer = 1;\n{before}");
        if let Some((entry, check)) = &self.entry {
            let arguments = self.arguments(entry)?;
            let _ = writeln!(
                text,
                "    if (!{check}({}))\n        answer = 0;",
                arguments.join(", ")
            );
        }
        text += "    if (answer) {\n";
        self.old_values(&mut text)?;
        let mut passed_record = None;
        let passed = code.params.iter().filter_map(|&l| {
            let p = self.parameters.iter().find(|p| p.local() == Some(l))?;
            // A record is passed in the place of its members.
            let record = record_of(&p.name);
            let is_passed =
                record.is_some() && std::mem::replace(&mut passed_record, record) == record;
            if let Some(record) = record {
                return (!is_passed).then(|| record.to_owned());
            }
            let is_added = idiolect_invariants::shapes::added(code, &p.name).is_some();
            (!is_added).then(|| match p.kind {
                _ if distance(&p.name).is_some() => {
                    let base = distance(&p.name).map_or("", |d| d.1);
                    format!("{base} + {}", id(&p.name))
                }
                ParameterKind::Cell { .. } | ParameterKind::Head(_) => format!("&{}", id(&p.name)),
                _ => id(&p.name),
            })
        });
        let passed: Vec<String> = passed.collect();
        let call = format!("{}({});", code.name, passed.join(", "));
        let call = match pointers::result_name(code).and_then(distance) {
            Some((_, base)) => call.replace(";", &format!(" - {base};")),
            None => call,
        };
        let returned = match types.get(code.ty) {
            CType::Function(ty) if !matches!(types.get(ty.ret), CType::Void) => {
                format!("{} = {call}", types.declaration(ty.ret, "result"))
            }
            _ => call,
        };
        let _ = writeln!(text, "        {returned}");
        if returned.contains(" = ") {
            text += "        (void)result;\n";
        }
        let arguments = self.arguments(exit)?;
        let _ = writeln!(
            text,
            "        if (!{check}({}))\n            answer = -1;",
            arguments.join(", ")
        );
        for fact in &self.facts {
            let arrays = fact.compared_arrays();
            let size = arrays.first().map(|(_, size)| at_call(size));
            let size = size.unwrap_or_default();
            if let (true, Some(kept)) = (fact.is_about_old(), fact.old_check(check, &size)) {
                let said = fact.text();
                let _ = writeln!(
                    text,
                    "        {{\n            int is_kept = 1;\n            {kept}\n            \
                     if (!is_kept) {{\n                idiolect_broken = {said:?};\n                \
                     answer = -1;\n            }}\n        }}"
                );
            }
        }
        for (array, _) in self.compared() {
            let _ = writeln!(text, "        free(old_{array});");
        }
        let _ = write!(text, "    }}\n{after}    return answer;\n}}\n");
        Some((text, name))
    }

    /// Makes a value for a parameter or global, and what frees it.
    fn parameter(&self, p: &Parameter, before: &mut String, after: &mut String) -> Option<()> {
        let types = &self.program.types;
        let name = id(&p.name);
        let is_global = matches!(p.site, Site::Global(_));
        // An array inside of a record is where it is.
        let is_inside = is_global && record_of(&p.name).is_some();
        let name = if is_inside { p.name.clone() } else { name };
        let declared = if is_global {
            name.clone()
        } else {
            types.declaration(p.ty, &name)
        };
        match &p.kind {
            ParameterKind::Length { .. } => return None,
            ParameterKind::Total { parts, .. } => {
                let part = |i: usize| id(&self.parameters[i].name);
                let _ = writeln!(
                    before,
                    "    {declared} = {} + {};",
                    part(parts.0),
                    part(parts.1)
                );
            }
            ParameterKind::Index { length, .. } => {
                let n = self.length(*length);
                let _ = writeln!(
                    before,
                    "    {declared} = (long)idiolect_random({n} + 2) - 1;"
                );
            }
            ParameterKind::Scalar { .. } => {
                let _ = writeln!(before, "    {declared} = idiolect_number();");
            }
            ParameterKind::Cell { .. } => {
                let to = behind(types, p.ty)?;
                let declared = types.declaration(to, &name);
                let _ = writeln!(before, "    {declared} = (long)idiolect_random(10) - 1;");
            }
            ParameterKind::Array { element, length } => {
                let n = self.length(*length);
                if !is_global {
                    let to = behind(types, p.ty)?;
                    let ty = types.name(to);
                    let _ = writeln!(
                        before,
                        "    {ty} *{name} = idiolect_memory(({n}) * sizeof({ty}) + ({n} == 0));"
                    );
                    let _ = writeln!(after, "    free({name});");
                }
                let is_string = p.local().is_some() && n == id(&format!("size({})", p.name));
                let _ = writeln!(before, "    for (long y = 0; y < (long)({n}); y++) {{");
                for field in &element.fields {
                    let place = field.element(&name, "y");
                    let value = if is_string {
                        format!(
                            "y == (long)({n}) - 1 ? 0 : 1 + idiolect_random(idiolect_random(2) ? 3 : 120)"
                        )
                    } else {
                        "idiolect_number()".to_owned()
                    };
                    let _ = writeln!(before, "        {place} = {value};");
                }
                *before += "    }\n";
                // Some functions want what is sorted.
                if let ([field], false) = (&element.fields[..], is_string) {
                    let (here, left) = (field.element(&name, "y"), field.element(&name, "y - 1"));
                    let _ = writeln!(
                        before,
                        "    if (idiolect_random(2))\n        \
                         for (long y = 1; y < (long)({n}); y++)\n            \
                         if ({here} < {left})\n                {here} = {left};"
                    );
                }
            }
            ParameterKind::List(shape) | ParameterKind::Head(shape) => {
                let (ty, next) = (&shape.type_name, &shape.next);
                let start = if is_global {
                    format!("    {name} = 0;\n")
                } else {
                    format!("    {ty} *{name} = 0;\n")
                };
                *before += &start;
                let _ = writeln!(
                    before,
                    "    for (unsigned long y = idiolect_random(6); y > 0; y--) {{\n        \
                     {ty} *cell = idiolect_memory(sizeof *cell);"
                );
                for field in &shape.fields {
                    let _ = writeln!(before, "        cell->{} = idiolect_number();", field.name);
                }
                if let [field, ..] = &shape.fields[..] {
                    let key = &field.name;
                    let _ = writeln!(
                        before,
                        "        if ({name} != 0 && cell->{key} > {name}->{key} && idiolect_random(4))\n            \
                         cell->{key} = {name}->{key};"
                    );
                }
                if let Some((back, _)) = &shape.back {
                    let _ = writeln!(
                        before,
                        "        cell->{back} = 0;\n        if ({name} != 0)\n            {name}->{back} = cell;"
                    );
                }
                let _ = writeln!(
                    before,
                    "        cell->{next} = {name};\n        {name} = cell;\n    }}"
                );
            }
        }
        Some(())
    }

    /// The records that parameters point to.
    fn records(&self, before: &mut String) -> Option<()> {
        let (code, types) = (self.program.function(self.function), &self.program.types);
        let arrays = self.facts.iter().flat_map(|f| f.compared_arrays());
        let names: Vec<&str> = arrays.map(|(array, _)| array).collect();
        for record in opened_names(self.program, self.function) {
            let is_member = |p: &&Parameter| record_of(&p.name) == Some(record.as_str());
            let is_inside = |p: &Parameter| p.local().is_none() && names.contains(&p.name.as_str());
            let mut members = self.parameters.iter().filter(is_member);
            // Where it is passed, and how old values are kept, is known of members that are parameters.
            if self.parameters.iter().filter(is_member).any(is_inside)
                || !members.any(|p| p.local().is_some())
            {
                return None;
            }
            let pointer = code.locals.iter().find(|l| l.name == record)?;
            let ty = types.name(behind(types, pointer.ty)?);
            let _ = writeln!(
                before,
                "    {ty} {record}_record = {{0}};\n    {ty} *const {record} = &{record}_record;"
            );
        }
        Some(())
    }

    fn length(&self, length: Length) -> String {
        match length {
            Length::Parameter(i) => id(&self.parameters[i].name),
            Length::Known(n) => n.to_string(),
        }
    }

    /// Keeps what the exit's formula says of old values.
    fn old_values(&self, text: &mut String) -> Option<()> {
        let types = &self.program.types;
        let (exit, _) = self.exit.as_ref()?;
        let code = self.program.function(self.function);
        for v in &exit.variables {
            if let Binding::BehindEntry(l) = v.binding {
                let name = id(&code.local(l).name);
                let declared = types.declaration(v.ty, &c_name(v));
                let _ = writeln!(text, "        {declared} = {name};");
            }
        }
        let mut cells: Vec<&String> = self.facts.iter().flat_map(|f| f.compared_cells()).collect();
        cells.sort_unstable();
        cells.dedup();
        for cell in cells {
            let cell = id(cell);
            let _ = writeln!(text, "        __typeof__({cell}) old_cell_{cell} = {cell};");
        }
        for (array, size) in self.compared() {
            let _ = writeln!(
                text,
                "        __typeof__({array}) old_{array} = idiolect_memory(({size}) * sizeof *{array} + 1);\n        \
                 for (unsigned long y = 0; y < ({size}) * sizeof *{array}; y++)\n            \
                 ((char *)old_{array})[y] = ((char *){array})[y];"
            );
        }
        Some(())
    }

    /// Arrays that are compared with what they were, with their sizes.
    fn compared(&self) -> Vec<(String, String)> {
        let all = self.facts.iter().flat_map(|f| f.compared_arrays());
        let mut all: Vec<(String, String)> = all.map(|(a, n)| (id(a), at_call(n))).collect();
        all.sort();
        all.dedup();
        all
    }

    /// What a check is called with.
    fn arguments(&self, point: &Point) -> Option<Vec<String>> {
        let code = self.program.function(self.function);
        let is_passed_by_name = |name: &str| {
            let p = self.parameters.iter().find(|p| p.name == name);
            p.is_some_and(|p| matches!(p.kind, ParameterKind::Cell { .. } | ParameterKind::Head(_)))
        };
        let one = |v: &idiolect_quantified::point::Variable| match v.binding {
            Binding::Local(_) | Binding::Global(_) if record_of(&v.name).is_some() => {
                Some(v.name.clone())
            }
            Binding::Local(l) | Binding::AtEntry(l) => {
                let name = &code.local(l).name;
                Some(if is_passed_by_name(name) {
                    format!("&{}", id(name))
                } else {
                    id(name)
                })
            }
            Binding::Behind(l) => Some(id(&code.local(l).name)),
            Binding::BehindEntry(_) => Some(c_name(v)),
            Binding::Global(g) => Some(self.program.global(g).name.clone()),
            Binding::Result => Some("result".to_owned()),
        };
        point.variables.iter().map(one).collect()
    }
}

/// What was passed, of a value that a fact names: `\at(n, Pre)`.
fn at_call(name: &str) -> String {
    match name.strip_prefix("\\at(").and_then(|n| n.split_once(',')) {
        Some((inner, _)) => id(inner.trim()),
        None => id(name),
    }
}

fn behind(types: &Types, ty: TypeId) -> Option<TypeId> {
    match *types.get(ty) {
        CType::Pointer(to) => Some(to),
        _ => None,
    }
}
