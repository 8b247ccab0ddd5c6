//! What a function of the API may do, as far as its declaration says: results, and what it writes.

use super::{PREFIX, is_number, results, words};
use crate::api::{ApiAttribute, Call};
use crate::declaration::{Parameter, Prototype};
use std::fmt::Write as _;

/// Functions that are modelled elsewhere, exactly.
const REAL: [&str; 20] = [
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "aligned_alloc",
    "memalign",
    "posix_memalign",
    "free",
    "memset",
    "memcpy",
    "memmove",
    "strcpy",
    "strcat",
    "strlen",
    "strcmp",
    "puts",
    "mmap",
    "munmap",
    "pthread_create",
    "setvbuf",
];

/// Records that are complete where their header is included, and hold no pointers.
const RECORDS: [&str; 8] = [
    "stat",
    "sockaddr",
    "sockaddr_in",
    "sockaddr_storage",
    "timeval",
    "timespec",
    "tm",
    "dirent",
];

/// What a call does to one of its parameters.
enum Effect {
    None,
    /// So many bytes, by the expression, become unknown.
    Bytes(String),
    /// So many characters at most, and a nul.
    Text(String),
    /// It becomes a number.
    Number,
    /// Each of so many elements becomes a number.
    Numbers(usize),
    Record,
    /// It becomes a handle that the call makes.
    Handle,
}

/// Why there is no model.
struct Unknown;

/// Whether the function's own body, or what others say of it, is better than a model of ours.
pub(super) fn is_real(name: &str) -> bool {
    REAL.contains(&name)
}

fn is_buffer(text: &str) -> bool {
    let plain: Vec<&str> = words(text).collect();
    let is_bytes = plain.first().is_some_and(|w| {
        ["void", "char", "unsigned", "uint8_t", "Bytef", "Byte"].contains(w)
            && (*w != "unsigned" || plain.get(1) == Some(&"char"))
    });
    is_bytes && text.matches('*').count() == 1 && !text.contains('[')
}

/// An array parameter's length: `int ends[2]`.
fn array_length(text: &str) -> Option<usize> {
    let (_, rest) = text.split_once('[')?;
    let (length, rest) = rest.split_once(']')?;
    (rest.trim().is_empty())
        .then(|| length.trim().parse().ok())
        .flatten()
        .filter(|n| (1..=16).contains(n))
}

fn effect(call: &Call, prototype: &Prototype, at: usize) -> Result<Effect, Unknown> {
    let Parameter { text, name, .. } = &prototype.parameters[at];
    if text.contains("(*") {
        return Err(Unknown);
    }
    let is_object = (call.attributes.iter()).any(|a| a.name == *name && a.kind.is_some());
    if !text.contains(['*', '[']) || is_object {
        return Ok(Effect::None);
    }
    let stars = text.matches('*').count();
    if let Some(n) = array_length(text).filter(|_| stars == 0) {
        return Ok(Effect::Numbers(n));
    }
    if stars == 2 {
        let makes = call.attributes.iter().filter(|a| a.creates());
        let mut own = makes.filter_map(|a| call.extra.iter().find(|(n, _)| *n == a.name));
        return if own.any(|(_, expression)| expression.contains(&format!("*{name}"))) {
            Ok(Effect::Handle)
        } else {
            Err(Unknown)
        };
    }
    if words(text).next() == Some("const") || text.contains("const ") {
        return Ok(Effect::None);
    }
    if is_buffer(text) {
        let length = |at: usize| {
            let next = prototype.parameters.get(at)?;
            is_number(&next.text).then(|| next.name.clone())
        };
        let (Some(first), second) = (length(at + 1), length(at + 2)) else {
            return Err(Unknown);
        };
        // `fread(buffer, size, count, stream)`
        let is_product = first == "size" && second.as_deref() == Some("count");
        let bytes = if is_product {
            format!("(unsigned long)({first}) * (unsigned long)(count)")
        } else {
            format!("(unsigned long)({first})")
        };
        return Ok(if text.trim_start().starts_with("char") {
            Effect::Text(bytes)
        } else {
            Effect::Bytes(bytes)
        });
    }
    let pointee = text.split('*').next().unwrap_or_default();
    if is_number(pointee) {
        return Ok(Effect::Number);
    }
    let mut parts = words(pointee);
    match (parts.next(), parts.next()) {
        (Some("struct"), Some(tag)) if RECORDS.contains(&tag) => Ok(Effect::Record),
        _ => Err(Unknown),
    }
}

/// The statements of a model: what is written, and `idiolect_result`. `fresh` are the expressions that give a new
/// number, or a new handle, of the kinds that the call makes. `None` if its declaration says too little.
pub(super) fn model(
    call: &Call,
    prototype: &Prototype,
    fresh_result: Option<&str>,
    fresh_parts: Option<&str>,
) -> Option<String> {
    let mut effects = Vec::new();
    for at in 0..prototype.parameters.len() {
        effects.push(effect(call, prototype, at).ok()?);
    }
    let mut text = String::new();
    let result = result(call, prototype, &effects, fresh_result)?;
    text.push_str(&result);
    let happens = match call.success {
        Some(success) if prototype.result != "void" => {
            let condition = success.to_string().replacen("return", "idiolect_result", 1);
            format!("if ({condition}) ")
        }
        _ => String::new(),
    };
    for (effect, Parameter { name, .. }) in effects.iter().zip(&prototype.parameters) {
        let (call, guard) = (&call.name, format!("    {happens}if ({name}) "));
        let _ = match effect {
            Effect::None => Ok(()),
            Effect::Bytes(n) => writeln!(text, "{guard}{PREFIX}_fill({name}, {n});"),
            Effect::Text(n) => writeln!(text, "{guard}{PREFIX}_write({name}, {n});"),
            Effect::Number => writeln!(
                text,
                "{guard}*{name} = (__typeof__(*{name}))__idiolect_env_long(\"{call}: {name}\");"
            ),
            Effect::Numbers(n) => (0..*n).try_for_each(|i| match fresh_parts {
                Some(fresh) => writeln!(text, "{guard}{name}[{i}] = {fresh};"),
                None => writeln!(
                    text,
                    "{guard}{name}[{i}] = __idiolect_env_int(\"{call}: {name}[{i}]\");"
                ),
            }),
            Effect::Record => writeln!(text, "{guard}{PREFIX}_fill({name}, sizeof *{name});"),
            Effect::Handle => {
                let fresh = fresh_parts?;
                writeln!(text, "{guard}*{name} = {fresh};")
            }
        };
    }
    Some(text)
}

/// The parameter that says which object a call makes: the number that `dup2` is given, or the stream that `freopen`
/// closes and gives back.
pub(super) fn placed_at<'a>(
    call: &Call,
    prototype: &'a Prototype,
    made: &str,
) -> Option<&'a Parameter> {
    let parameter = |name: &str| prototype.parameters.iter().find(|p| p.name == name);
    if let Some(own) = parameter(made) {
        return is_number(&own.text).then_some(own);
    }
    let own = call.attributes.iter().find(|a| a.name == made)?;
    let is_reopened = |a: &&ApiAttribute| a.ends && a.kind == own.kind;
    let reopened = call.attributes.iter().find(is_reopened)?;
    let reopened = parameter(&reopened.name)?;
    let same_type = reopened.text.starts_with(prototype.result.as_str());
    (made == "return" && same_type).then_some(reopened)
}

/// Whether a call of the model may fail. What ends an object, or changes one that cannot object, does not.
fn may_fail(call: &Call) -> bool {
    let ends = call.attributes.iter().any(|a| a.ends);
    let ends = ends && !call.attributes.iter().any(ApiAttribute::creates);
    let changes = (call.attributes.iter()).any(|a| a.defines && a.uses && !a.ends);
    let tries = call.name.contains("try") || call.name.contains("timed");
    let is_checked = call.success.is_some_and(|s| s.holds(0) && !s.holds(-1));
    !ends && (!changes || tries || is_checked && !call.name.starts_with("pthread_"))
}

fn result(
    call: &Call,
    prototype: &Prototype,
    effects: &[Effect],
    fresh: Option<&str>,
) -> Option<String> {
    let name = &call.name;
    let of = &prototype.result;
    if of == "void" {
        return Some(String::new());
    }
    let fails = if may_fail(call) {
        format!("idiolect_bad || (__idiolect_env_int(\"{name}: fails\") & 1)")
    } else {
        "idiolect_bad".to_owned()
    };
    let chosen = |failed: &str, succeeded: &str| {
        Some(format!(
            "    if ({fails}) {{ idiolect_result = ({of}){failed}; {PREFIX}_error(); }} else idiolect_result = \
             ({of}){succeeded};\n"
        ))
    };
    let bounds = call.success.map(results);
    let makes = call.attributes.iter().filter(|a| a.creates());
    let mut placed = makes.filter_map(|a| placed_at(call, prototype, &a.name));
    let tells = |p: &Parameter| p.text.starts_with(of.as_str());
    let any_succeeds = call.success.is_none_or(|s| s.holds(0) && s.holds(1));
    if let Some(placed) = placed.next().filter(|p| tells(p) && any_succeeds)
        && (call.success.is_some() || of.contains('*'))
    {
        let failed = bounds.map_or(0, |(failed, _)| failed).to_string();
        return chosen(&failed, &placed.name);
    }
    if let Some(fresh) = fresh {
        let failed = bounds.map_or(0, |(failed, _)| failed).to_string();
        return chosen(&failed, fresh);
    }
    if of.contains('*') {
        let buffers = effects.iter().zip(&prototype.parameters);
        let mut buffers = buffers.filter(|(e, _)| matches!(e, Effect::Text(_) | Effect::Bytes(_)));
        if let Some((_, parameter)) = buffers.next() {
            return chosen("0", &parameter.name);
        }
        let mut parts = words(of).filter(|w| *w != "const");
        return match (parts.next(), parts.next()) {
            (Some("struct"), Some(tag)) if RECORDS.contains(&tag) => {
                let object = format!("{PREFIX}_object_{name}");
                let made = chosen("0", &format!("&{object}"))?;
                Some(format!(
                    "    static struct {tag} {object};\n    __idiolect_forget(&{object});\n{made}"
                ))
            }
            (Some("char"), None) => {
                let object = format!("{PREFIX}_text_{name}");
                let made = chosen("0", &object)?;
                Some(format!(
                    "    static char {object}[64];\n    {PREFIX}_write({object}, 64);\n{made}"
                ))
            }
            _ => None,
        };
    }
    if !is_number(of) {
        return None;
    }
    let length = effects.iter().find_map(|e| match e {
        Effect::Bytes(n) | Effect::Text(n) => Some(n.clone()),
        _ => None,
    });
    // What is sent has a length, too.
    let length = length.or_else(|| {
        let all = &prototype.parameters;
        let at =
            (all.iter()).position(|p| p.text.contains("const void") && p.text.contains('*'))?;
        let next = all.get(at + 1).filter(|p| is_number(&p.text))?;
        let is_product = next.name == "size" && all.get(at + 2).is_some_and(|p| p.name == "count");
        Some(if is_product {
            "(unsigned long)(count)".to_owned()
        } else {
            format!("(unsigned long)({})", next.name)
        })
    });
    let size = ["size_t", "ssize_t"].contains(&of.as_str());
    if let (true, Some(length)) = (size, length) {
        let least = i64::from(of == "ssize_t");
        return Some(format!(
            "    {{ long idiolect_n = idiolect_bad ? -{least} : __idiolect_env_long(\"{name}: result\");\n      \
             if (idiolect_n < -{least}) idiolect_n = -{least};\n      \
             if (idiolect_n > 0 && (unsigned long)idiolect_n > {length}) idiolect_n = (long)({length});\n      \
             if (idiolect_n < 0) {PREFIX}_error();\n      idiolect_result = ({of})idiolect_n; }}\n"
        ));
    }
    match bounds {
        // 0 and a number of an error, or any number that is not negative.
        Some((failed, succeeded)) => {
            let any = call.success.is_some_and(|s| s.holds(1)) && may_fail(call) && of != "int";
            if any {
                chosen(
                    &failed.to_string(),
                    &format!("(__idiolect_env_long(\"{name}: result\") & 0x7fffffffffffffffL)"),
                )
            } else {
                chosen(&failed.to_string(), &succeeded.to_string())
            }
        }
        None if call.attributes.iter().any(|a| a.ends) => {
            Some("    idiolect_result = 0;\n".to_owned())
        }
        None => Some(format!(
            "    idiolect_result = ({of})__idiolect_env_long(\"{name}: result\");\n"
        )),
    }
}
