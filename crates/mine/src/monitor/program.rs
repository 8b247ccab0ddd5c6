//! The specification for a program that is looked at without being run.
//!
//! One object is followed. Which one it is, an input decides: a number is set aside for it, or a place that pointers
//! name, and a call that makes an object may give it out once. Objects that no call makes, such as mutexes in
//! static memory, are followed from the first call on them or never.

use super::model::{is_real, model, placed_at};
use super::{
    Followed, Identity, Machines, PREFIX, as_argument, identity, includes, nothing, parameters,
    prototype, results, value,
};
use crate::api::Call;
use crate::declaration::Prototype;
use crate::specification::MinedSpecification;
use crate::vocabulary::KindId;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What is known of the program.
#[derive(Clone, Debug, Default)]
pub struct MonitorConfig {
    /// Functions that it defines itself.
    pub defined: BTreeSet<String>,
    /// Objects have to have ended when the run does.
    pub checks_end: bool,
    /// Functions are called at exit.
    pub has_handlers: bool,
}

/// C text, and what there is to say about it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProgramMonitor {
    pub text: String,
    /// Calls that are followed.
    pub calls: Vec<String>,
    /// Calls that are not, although rules are about their objects, and why.
    pub left_out: Vec<(String, &'static str)>,
}

/// Numbers of objects that are not followed begin here, past those that programs choose themselves: what
/// `dup2(fd, 10)` makes must not be taken for what an `open` gave out, which in a real run has the least free number.
const OTHERS: u32 = 256;

/// Objects in static memory that may be passed over before one is followed.
const PASSED_OVER: usize = 6;

struct Kinds {
    identity: BTreeMap<KindId, Identity>,
    /// Kinds of numbers of which every one is given out by a model.
    reserved: BTreeMap<KindId, bool>,
}

/// Writes the monitor of a specification.
pub fn for_program(spec: &MinedSpecification, config: &MonitorConfig) -> ProgramMonitor {
    let machines = Machines::new(spec);
    let vocabulary = &machines.vocabulary;
    let mut text = String::from(HEAD);
    includes(&spec.api, &mut text);
    text.push_str(GHOST);
    machines.write_steps(spec, &mut text);
    let mut kinds = Kinds {
        identity: BTreeMap::new(),
        reserved: BTreeMap::new(),
    };
    for kind in (0..vocabulary.n_kinds()).map(KindId::new) {
        kinds
            .identity
            .insert(kind, identity(&spec.api, vocabulary, kind));
        let made_really = spec.api.calls.iter().any(|call| {
            let makes = machines.followed(call);
            let mut makes = makes.filter(|f| f.kind == kind && vocabulary.creates(f.id));
            is_given(call, config) && makes.next().is_some()
        });
        kinds.reserved.insert(kind, !made_really);
    }
    for machine in &machines.machines {
        let nothing = nothing(&spec.api, vocabulary, machine.kind);
        write_kind(&kinds, machine.kind, &nothing, &mut text);
    }
    let mut monitor = ProgramMonitor::default();
    for call in &spec.api.calls {
        let followed: Vec<Followed> = machines.followed(call).collect();
        if followed.is_empty() {
            continue;
        }
        match wrapper(&machines, &kinds, call, &followed, config) {
            Ok(wrapper) => {
                text.push_str(&wrapper);
                monitor.calls.push(call.name.clone());
            }
            Err(why) => monitor.left_out.push((call.name.clone(), why)),
        }
    }
    write_ends(&machines, config, &mut text);
    monitor.text = text;
    monitor
}

const HEAD: &str = "#define _GNU_SOURCE 1\n";

const GHOST: &str = r#"
int __idiolect_env_int(const char *);
unsigned __idiolect_env_uint(const char *);
long __idiolect_env_long(const char *);
void __idiolect_forget(void *);
void __VERIFIER_error(void);
int *__errno_location(void);
void *memcpy(void *, const void *, unsigned long);
void exit(int);
int atexit(void (*)(void));
/* The kind of the object that is followed, from 1; 0 as long as there is none, -1 if it is gone. */
static int __idiolect_spec__kind;
static int __idiolect_spec__state;
/* It has been given out. */
static int __idiolect_spec__given;
static int __idiolect_spec__number = 3;
static void *__idiolect_spec__pointer;
static int __idiolect_spec__over;
static unsigned char __idiolect_spec__data[4096];
int __idiolect_many_objects(void);
static void __idiolect_spec__too_many(void) { __idiolect_many_objects(); }
static void __idiolect_spec__broken(int rule) { (void)rule; __VERIFIER_error(); }
static void __idiolect_spec__error(void) { *__errno_location() = 1 + (__idiolect_env_int("errno") & 127); }
static void __idiolect_spec__fill(void *to, unsigned long n) {
    unsigned char *at = to;
    __idiolect_forget(__idiolect_spec__data);
    while (n > sizeof __idiolect_spec__data) {
        memcpy(at, __idiolect_spec__data, sizeof __idiolect_spec__data);
        at += sizeof __idiolect_spec__data;
        n -= sizeof __idiolect_spec__data;
    }
    memcpy(at, __idiolect_spec__data, n);
}
static void __idiolect_spec__write(char *to, unsigned long n) {
    unsigned long length;
    if (n == 0) return;
    length = __idiolect_env_uint("length of a text");
    if (length >= n) length = n - 1;
    __idiolect_spec__fill(to, n);
    to[length] = 0;
}
__attribute__((constructor)) static void __idiolect_spec__begin_number(void) {
    if (__idiolect_env_int("number of the object that is followed") & 1) __idiolect_spec__number = 700;
}
"#;

/// Whether the function does what a body of its own says.
fn is_given(call: &Call, config: &MonitorConfig) -> bool {
    is_real(&call.name) || config.defined.contains(&call.name)
}

/// Functions of a kind: a new object, whether a value is the one that is followed, and the same for calls that show
/// that there is an object.
fn write_kind(kinds: &Kinds, kind: KindId, nothing: &[i64], text: &mut String) {
    let k = kind.index();
    let one = k + 1;
    let identity = kinds.identity[&kind];
    let is_number = matches!(identity, Identity::Number | Identity::Wide);
    let (ty, variable) = match identity {
        Identity::Number => ("int", "__idiolect_spec__number"),
        Identity::Wide => ("long", "__idiolect_spec__number"),
        _ => ("void *", "__idiolect_spec__pointer"),
    };
    let is_nothing: Vec<String> = match identity {
        _ if is_number => nothing.iter().map(|n| format!("value == {n}")).collect(),
        _ => vec!["!value".to_owned()],
    };
    let is_nothing = if is_nothing.is_empty() {
        "0".to_owned()
    } else {
        is_nothing.join(" || ")
    };
    let is_reserved = kinds.reserved[&kind];
    let _ = match identity {
        _ if is_number => writeln!(
            text,
            "static {ty} {PREFIX}_fresh_{k}(void) {{
    int r;
    if ({PREFIX}_kind == 0 && !{PREFIX}_given && (__idiolect_env_int(\"follow this one\") & 1)) {{
        {PREFIX}_given = 1;
        return {PREFIX}_number;
    }}
    r = {OTHERS} + (__idiolect_env_int(\"number of another object\") & 1023);
    if (r >= {PREFIX}_number) r = r + 1;
    return r;
}}"
        ),
        _ => writeln!(
            text,
            "static char {PREFIX}_own_{k}[512] __attribute__((aligned(16)));
static char {PREFIX}_other_{k}[512] __attribute__((aligned(16)));
static void *{PREFIX}_fresh_{k}(void) {{
    if ({PREFIX}_kind == 0 && !{PREFIX}_given && (__idiolect_env_int(\"follow this one\") & 1)) {{
        {PREFIX}_given = 1;
        return {PREFIX}_own_{k};
    }}
    return {PREFIX}_other_{k};
}}"
        ),
    };
    let _ = writeln!(
        text,
        "static int {PREFIX}_is_{k}({ty} value) {{ return {PREFIX}_kind == {one} && value == {variable}; }}"
    );
    let chosen = "(__idiolect_env_int(\"follow this one\") & 1)";
    let begins = match (identity, is_reserved) {
        (Identity::Number | Identity::Wide, true) => format!("value == {variable}"),
        (Identity::Handle, true) => format!("value == (void *){PREFIX}_own_{k}"),
        (Identity::Number | Identity::Wide | Identity::Handle, false) => chosen.to_owned(),
        (Identity::Address, _) => format!("{PREFIX}_first_{k}(value)"),
    };
    if identity == Identity::Address {
        write_first(k, text);
    }
    // An object that no call made is met when a call changes or ends it.
    let meets = match (identity, is_reserved) {
        (Identity::Number | Identity::Wide, true) | (Identity::Address, _) => begins.as_str(),
        _ => "0",
    };
    let value = match identity {
        Identity::Wide => "(int)value",
        _ => "value",
    };
    // Where the program says which one is made, it may be any.
    for (name, begins, anew) in [
        ("meets", meets, "1"),
        ("made", begins.as_str(), "2"),
        ("placed", chosen, "2"),
    ] {
        let _ = writeln!(
            text,
            "static int {PREFIX}_{name}_{k}({ty} value) {{
    if ({is_nothing}) return 0;
    if ({PREFIX}_kind == {one} && value == {variable}) return {anew};
    if ({PREFIX}_kind == 0 && {begins}) {{
        {PREFIX}_kind = {one};
        {PREFIX}_given = 1;
        {variable} = {value};
        {PREFIX}_state = 0;
        return 1;
    }}
    return 0;
}}"
        );
    }
}

/// Whether this is the first call on an object, and it is to be followed. Those that are not are remembered.
fn write_first(k: usize, text: &mut String) {
    let _ = writeln!(
        text,
        "static void *{PREFIX}_passed_{k}[{PASSED_OVER}];\nstatic int {PREFIX}_first_{k}(void *value) {{"
    );
    for i in 0..PASSED_OVER {
        let _ = writeln!(
            text,
            "    if ({PREFIX}_passed_{k}[{i}] == value) return 0;
    if (!{PREFIX}_passed_{k}[{i}]) {{
        if (__idiolect_env_int(\"follow this one\") & 1) return 1;
        {PREFIX}_passed_{k}[{i}] = value;
        return 0;
    }}"
        );
    }
    let _ = writeln!(text, "    {PREFIX}_too_many();\n    return 0;\n}}");
}

/// The function that stands in for one of the API.
fn wrapper(
    machines: &Machines,
    kinds: &Kinds,
    call: &Call,
    followed: &[Followed],
    config: &MonitorConfig,
) -> Result<String, &'static str> {
    let prototype = prototype(call).ok_or("its API file does not declare it")?;
    if prototype.parameters.iter().any(|p| !p.has_name) {
        return Err("a parameter has no name");
    }
    if !call.callback_of.is_empty() {
        return Err("it is a function of the program");
    }
    let is_void = prototype.result == "void";
    let vocabulary = &machines.vocabulary;
    let name = &call.name;
    let mut text = String::new();
    let head = format!(
        "{} {PREFIX}{name}({})",
        prototype.result,
        parameters(&prototype, true)
    );
    write_seen(kinds, call, &prototype, followed, &mut text);
    let _ = writeln!(
        text,
        "{head} {{\n    int idiolect_bad = 0, idiolect_ok = 1;"
    );
    if !is_void {
        let _ = writeln!(text, "    {} idiolect_result;", prototype.result);
    }
    let old: Vec<&Followed> = followed
        .iter()
        .filter(|f| !vocabulary.creates(f.id))
        .collect();
    let (before, after): (Vec<&Followed>, Vec<&Followed>) =
        (old.iter()).partition(|f| prototype.parameters.iter().any(|p| p.name == f.name));
    for one in &before {
        write_meeting(machines, kinds, call, one, &mut text);
    }
    let early: Vec<&&Followed> = (before.iter())
        .filter(|one| !vocabulary.is_validated(one.kind) && is_given(call, config))
        .filter(|one| call.success.is_none() || vocabulary.ends(one.id))
        .collect();
    for one in early {
        // The function itself would fault.
        let letter = vocabulary.like(one.id).0;
        let _ = writeln!(
            text,
            "    if (idiolect_own_{} && {PREFIX}_on_{letter}({PREFIX}_state) < 0) {{",
            one.id.0
        );
        if !is_void {
            let succeeded = call.success.map_or(0, |success| results(success).1);
            let _ = writeln!(
                text,
                "        idiolect_result = ({}){succeeded};",
                prototype.result
            );
        }
        write_seen_call(call, &prototype, followed, kinds, &mut text);
        let _ = writeln!(
            text,
            "        {PREFIX}_broken(-1 - {PREFIX}_on_{letter}({PREFIX}_state));\n    }}"
        );
    }
    text.push_str(&body(kinds, machines, call, &prototype, config)?);
    if let Some(success) = call.success.filter(|_| !is_void) {
        let condition = success
            .to_string()
            .replacen("return", "(long)idiolect_result", 1);
        let _ = writeln!(text, "    idiolect_ok = {condition};");
    }
    for one in after {
        write_meeting(machines, kinds, call, one, &mut text);
    }
    write_seen_call(call, &prototype, followed, kinds, &mut text);
    for one in &old {
        let letter = vocabulary.like(one.id).0;
        let broken = format!("if (idiolect_next < 0) {PREFIX}_broken(-1 - idiolect_next);");
        let (first, second) = if vocabulary.is_validated(one.kind) {
            (
                broken,
                format!("if (idiolect_ok) {PREFIX}_state = idiolect_next;"),
            )
        } else {
            (
                format!("if (idiolect_ok) {{ {broken}"),
                format!("{PREFIX}_state = idiolect_next; }}"),
            )
        };
        let _ = writeln!(
            text,
            "    if (idiolect_own_{}) {{\n        int idiolect_next = {PREFIX}_on_{letter}({PREFIX}_state);\n        \
             {first} {second}\n    }}",
            one.id.0
        );
    }
    for one in followed.iter().filter(|f| vocabulary.creates(f.id)) {
        write_made(machines, kinds, call, &prototype, one, &mut text);
    }
    let give = if is_void {
        ""
    } else {
        "    return idiolect_result;\n"
    };
    let _ = writeln!(text, "{give}}}");
    Ok(text)
}

/// From here on the object that the call made is followed.
fn write_made(
    machines: &Machines,
    kinds: &Kinds,
    call: &Call,
    prototype: &Prototype,
    one: &Followed,
    text: &mut String,
) {
    let vocabulary = &machines.vocabulary;
    let letter = vocabulary.like(one.id).0;
    let expression = value(call, &one.name);
    let argument = as_argument(kinds.identity[&one.kind], &expression);
    let function = match placed_at(call, prototype, &one.name) {
        Some(_) => "placed",
        None => "made",
    };
    // What stays is followed like an object whose making was not seen.
    let unless = match vocabulary.stays(one.id) {
        Some(stay) => format!("({}) ? 0 : ", stay.condition(&expression)),
        None => String::new(),
    };
    let _ = writeln!(
        text,
        "    if (idiolect_ok && {PREFIX}_{function}_{}({argument})) {PREFIX}_state = {unless}{PREFIX}_on_{letter}(0);",
        one.kind.index(),
    );
}

/// Whether an argument is the object that is followed, and the call must not come here.
fn write_meeting(
    machines: &Machines,
    kinds: &Kinds,
    call: &Call,
    one: &Followed,
    text: &mut String,
) {
    let vocabulary = &machines.vocabulary;
    let shows = vocabulary.changes(one.id) || vocabulary.ends(one.id);
    let function = if shows { "meets" } else { "is" };
    let argument = as_argument(kinds.identity[&one.kind], &value(call, &one.name));
    let id = one.id.0;
    let _ = writeln!(
        text,
        "    int idiolect_own_{id} = {PREFIX}_{function}_{}({argument});",
        one.kind.index(),
    );
    if vocabulary.is_validated(one.kind) {
        let letter = vocabulary.like(one.id).0;
        let _ = writeln!(
            text,
            "    if (idiolect_own_{id} && {PREFIX}_on_{letter}({PREFIX}_state) < 0) idiolect_bad = 1;"
        );
    }
}

/// The call itself: a model, or the function as it is.
fn body(
    kinds: &Kinds,
    machines: &Machines,
    call: &Call,
    prototype: &Prototype,
    config: &MonitorConfig,
) -> Result<String, &'static str> {
    if !is_given(call, config) {
        let fresh = |attribute: &str| {
            let id = machines
                .vocabulary
                .attribute(&format!("{}.{attribute}", call.name))?;
            let kind = machines.vocabulary.kind(id);
            machines.of(kind)?;
            Some(format!("{PREFIX}_fresh_{}()", kind.index()))
        };
        let makes: Vec<&str> = (call.attributes.iter())
            .filter(|a| a.creates())
            .map(|a| a.name.as_str())
            .collect();
        let given = call.extra.iter().find(|(name, expression)| {
            makes.contains(&name.as_str()) && expression.contains("? idiolect_result")
        });
        let result = (makes.iter().find(|name| **name == "return").copied())
            .or(given.map(|(name, _)| name.as_str()));
        let part = (makes.iter()).find(|name| call.extra.iter().any(|(n, _)| n == *name));
        let result = result.and_then(fresh);
        let part = part.and_then(|name| fresh(name));
        let is_number = |name: &str| {
            let id = machines
                .vocabulary
                .attribute(&format!("{}.{name}", call.name));
            id.and_then(|id| kinds.identity.get(&machines.vocabulary.kind(id)))
                .is_none_or(|i| matches!(i, Identity::Number | Identity::Wide))
        };
        let is_known = makes
            .iter()
            .all(|m| *m != "return" || result.is_some() || is_number(m));
        if is_known && let Some(model) = model(call, prototype, result.as_deref(), part.as_deref())
        {
            return Ok(model);
        }
    }
    if prototype.is_variadic {
        return Err("it takes any number of arguments, and there is no model of it");
    }
    let arguments: Vec<&str> = (prototype.parameters.iter())
        .map(|p| p.name.as_str())
        .collect();
    let result = if prototype.result == "void" {
        ""
    } else {
        "idiolect_result = "
    };
    Ok(format!(
        "    {result}{}({});\n",
        call.name,
        arguments.join(", ")
    ))
}

/// A function that does nothing: whoever watches a run sees the call there, as it is in a trace.
fn write_seen(
    kinds: &Kinds,
    call: &Call,
    prototype: &Prototype,
    followed: &[Followed],
    text: &mut String,
) {
    let mut list: Vec<String> = prototype
        .parameters
        .iter()
        .map(|p| p.text.clone())
        .collect();
    for one in followed.iter().filter(|f| is_extra(call, f)) {
        let ty = match kinds.identity[&one.kind] {
            Identity::Number => "int ",
            Identity::Wide => "long ",
            _ => "void *",
        };
        list.push(format!("{ty}{}", one.name));
    }
    if prototype.result != "void" {
        list.push(format!("{} idiolect_result", prototype.result));
    }
    if list.is_empty() {
        list.push("void".to_owned());
    }
    let _ = writeln!(
        text,
        "static void {PREFIX}_seen_{}({}) {{ }}",
        call.name,
        list.join(", ")
    );
}

fn is_extra(call: &Call, one: &Followed) -> bool {
    call.extra.iter().any(|(name, _)| *name == one.name)
}

fn write_seen_call(
    call: &Call,
    prototype: &Prototype,
    followed: &[Followed],
    kinds: &Kinds,
    text: &mut String,
) {
    let mut list: Vec<String> = prototype
        .parameters
        .iter()
        .map(|p| p.name.clone())
        .collect();
    for one in followed.iter().filter(|f| is_extra(call, f)) {
        list.push(as_argument(
            kinds.identity[&one.kind],
            &value(call, &one.name),
        ));
    }
    if prototype.result != "void" {
        list.push("idiolect_result".to_owned());
    }
    let _ = writeln!(
        text,
        "    {PREFIX}_seen_{}({});",
        call.name,
        list.join(", ")
    );
}

/// What holds when the run ends.
fn write_ends(machines: &Machines, config: &MonitorConfig, text: &mut String) {
    if !config.checks_end {
        return;
    }
    let marked = if config.has_handlers {
        ""
    } else {
        "__attribute__((destructor)) "
    };
    let _ = writeln!(
        text,
        "{marked}static void {PREFIX}_end(void) {{\n    if ({PREFIX}_over) return;\n    {PREFIX}_over = 1;"
    );
    for machine in &machines.machines {
        for (state, rule) in machine.at_end.iter().enumerate() {
            if let Some(rule) = rule {
                let _ = writeln!(
                    text,
                    "    if ({PREFIX}_kind == {} && {PREFIX}_state == {state}) {PREFIX}_broken({rule});",
                    machine.kind.index() + 1
                );
            }
        }
    }
    text.push_str("}\n");
    let _ = if config.has_handlers {
        writeln!(
            text,
            "__attribute__((constructor)) static void {PREFIX}_begin(void) {{ atexit({PREFIX}_end); }}"
        )
    } else {
        writeln!(
            text,
            "void {PREFIX}exit(int status) {{ {PREFIX}_end(); exit(status); }}"
        )
    };
}
