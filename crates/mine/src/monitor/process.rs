//! The specification for a real run: a C file that is linked with a program, or preloaded into it.
//!
//! Every function of the API is stood in for by one that calls the real one and follows the object. All objects are
//! followed, each by what names it. As in a check of a trace, a call that succeeds on an object of a validated kind breaks
//! nothing. What breaks a rule is written to standard error at once, with the place of the call, before the
//! call is made where the object cannot say so itself.

use super::{Followed, Machines, PREFIX, includes, nothing, parameters, prototype, value};
use crate::api::{Api, Call};
use crate::declaration::Prototype;
use crate::lives::Template;
use crate::specification::MinedSpecification;
use std::fmt::Write as _;

/// Functions of which a wrapper cannot hand on the rest of the arguments, but those that take a list.
const WITH_LIST: [(&str, &str); 3] = [
    ("fprintf", "vfprintf"),
    ("fscanf", "vfscanf"),
    ("dprintf", "vdprintf"),
];

/// The C text, and the calls that it leaves out, with the reason.
pub fn for_process(spec: &MinedSpecification) -> (String, Vec<(String, &'static str)>) {
    let machines = Machines::new(spec);
    let mut text = String::from(HEAD);
    includes(&spec.api, &mut text);
    text.push_str(include_str!("process.c"));
    machines.write_steps(spec, &mut text);
    write_names(spec, &machines, &mut text);
    let mut left_out = Vec::new();
    for call in &spec.api.calls {
        let followed: Vec<Followed> = machines.followed(call).collect();
        if followed.is_empty() {
            continue;
        }
        match wrapper(spec, &machines, call, &followed) {
            Ok(wrapper) => text.push_str(&wrapper),
            Err(why) => left_out.push((call.name.clone(), why)),
        }
    }
    write_end(spec, &machines, &mut text);
    (text, left_out)
}

const HEAD: &str = "/* A monitor of calls, written by idiolect from a mined specification.

   Link it with a program:       cc -o program program.c monitor.c -ldl
   or preload it:                cc -shared -fPIC -o monitor.so monitor.c -ldl
                                 LD_PRELOAD=./monitor.so ./program
   IDIOLECT_ON_BREAK=abort stops the program where it breaks a rule, IDIOLECT_ON_BREAK=exit lets it end with 1. */
#define _GNU_SOURCE 1
";

/// A C string.
fn quoted(text: &str) -> String {
    let plain: String = (text.chars())
        .map(|c| {
            if c == '"' || c == '\\' || c.is_control() {
                '\''
            } else {
                c
            }
        })
        .collect();
    format!("\"{plain}\"")
}

fn write_names(spec: &MinedSpecification, machines: &Machines, text: &mut String) {
    text.push_str("static const char *idiolect_rule(int rule) {\n");
    for (number, rule) in spec.lives.rules.iter().enumerate() {
        let words = quoted(&rule.text(&machines.vocabulary));
        let _ = writeln!(text, "    if (rule == {number}) return {words};");
    }
    text.push_str("    return \"?\";\n}\nstatic const char *idiolect_kind(int kind) {\n");
    for machine in &machines.machines {
        let name = quoted(machines.vocabulary.kind_name(machine.kind));
        let _ = writeln!(
            text,
            "    if (kind == {}) return {name};",
            machine.kind.index() + 1
        );
    }
    text.push_str("    return \"object\";\n}\n");
}

fn wrapper(
    spec: &MinedSpecification,
    machines: &Machines,
    call: &Call,
    followed: &[Followed],
) -> Result<String, &'static str> {
    let prototype = prototype(call).ok_or("its API file does not declare it")?;
    if prototype.parameters.iter().any(|p| !p.has_name) {
        return Err("a parameter has no name");
    }
    if !call.callback_of.is_empty() {
        return Err("it is a function of the program");
    }
    let vocabulary = &machines.vocabulary;
    let is_void = prototype.result == "void";
    let name = &call.name;
    let own = format!("idiolect_call_{name}");
    let head = format!(
        "{} {own}({})",
        prototype.result,
        parameters(&prototype, true)
    );
    let mut text = String::new();
    let _ = writeln!(text, "{head} __asm__(\"{name}\");\n{head} {{");
    let real = real_call(call, &prototype, &mut text)?;
    let (result, give) = if is_void {
        (String::new(), "return;")
    } else {
        (
            format!("{} idiolect_result = ", prototype.result),
            "return idiolect_result;",
        )
    };
    let _ = writeln!(
        text,
        "    void *idiolect_site = __builtin_return_address(0);\n    if (idiolect_inside) {{ {result}{real}; {give} }}"
    );
    let success = call.success.filter(|_| !is_void);
    let (old, made): (Vec<&Followed>, Vec<&Followed>) =
        (followed.iter()).partition(|f| !vocabulary.creates(f.id));
    // Where nothing is known of success, or the object is gone at once, the event comes before the call.
    let is_early = |one: &Followed| {
        let is_argument = prototype.parameters.iter().any(|p| p.name == one.name);
        is_argument
            && !vocabulary.is_validated(one.kind)
            && (success.is_none() || vocabulary.ends(one.id))
    };
    text.push_str("    idiolect_inside++;\n    int idiolect_errno = errno;\n");
    for one in old.iter().filter(|one| is_early(one)) {
        write_event(&spec.api, machines, call, one, "2", &mut text);
    }
    let _ = writeln!(
        text,
        "    errno = idiolect_errno;\n    idiolect_inside--;\n    {result}{real};\n    \
         idiolect_inside++;\n    idiolect_errno = errno;"
    );
    let ok = success.map_or("2".to_owned(), |success| {
        success
            .to_string()
            .replacen("return", "(long)idiolect_result", 1)
    });
    let _ = writeln!(text, "    int idiolect_ok = {ok};\n    (void)idiolect_ok;");
    for one in old.iter().filter(|one| !is_early(one)) {
        write_event(&spec.api, machines, call, one, "idiolect_ok", &mut text);
    }
    for one in made {
        let (test, owner) = (
            test(&spec.api, machines, one),
            owner(&spec.api, machines, call, one),
        );
        // What stays is followed like an object whose making was not seen.
        let expression = value(call, &one.name);
        let step = format!("{PREFIX}_on_{}", vocabulary.like(one.id).0);
        let step = match vocabulary.stays(one.id) {
            Some(stay) => format!("({}) ? 0 : {step}", stay.condition(&expression)),
            None => step,
        };
        let _ = writeln!(
            text,
            "    if (idiolect_ok) {{ unsigned long idiolect_value = (unsigned long)({expression}); if ({test}) \
             idiolect_made({}, idiolect_value, {owner}, {step}, idiolect_site); }}",
            one.kind.index() + 1,
        );
    }
    let _ = writeln!(
        text,
        "    errno = idiolect_errno;\n    idiolect_inside--;\n    {give}\n}}"
    );
    Ok(text)
}

/// How the real function is called, after the lines that find it.
fn real_call(
    call: &Call,
    prototype: &Prototype,
    text: &mut String,
) -> Result<String, &'static str> {
    let name = &call.name;
    let arguments: Vec<&str> = (prototype.parameters.iter())
        .map(|p| p.name.as_str())
        .collect();
    if let Some((_, with_list)) = WITH_LIST.iter().find(|(n, _)| n == name) {
        let last = arguments.last().ok_or("it has no parameter")?;
        let _ = writeln!(
            text,
            "    va_list idiolect_list;\n    va_start(idiolect_list, {last});"
        );
        return Ok(format!(
            "{with_list}({}, idiolect_list)",
            arguments.join(", ")
        ));
    }
    let _ = writeln!(
        text,
        "    static __typeof__(&idiolect_call_{name}) idiolect_next;"
    );
    let first = arguments.first().copied().unwrap_or("0");
    let second = arguments.get(1).copied().unwrap_or("0");
    let finding = "if (!idiolect_next && idiolect_inside)";
    let _ = match name.as_str() {
        "malloc" => writeln!(text, "    {finding} return idiolect_from_arena({first});"),
        "calloc" => writeln!(
            text,
            "    {finding} return idiolect_from_arena({first} * {second});"
        ),
        "free" => writeln!(text, "    if (idiolect_in_arena({first})) return;"),
        "realloc" => writeln!(
            text,
            "    if (idiolect_in_arena({first})) {{ void *idiolect_new = malloc({second}); if (idiolect_new) \
             memcpy(idiolect_new, {first}, {second}); return idiolect_new; }}"
        ),
        _ => Ok(()),
    };
    let _ = writeln!(
        text,
        "    if (!idiolect_next) idiolect_next = (__typeof__(idiolect_next))idiolect_real(\"{name}\");"
    );
    if !prototype.is_variadic {
        return Ok(format!("idiolect_next({})", arguments.join(", ")));
    }
    let last = arguments.last().ok_or("it has no parameter")?;
    let _ = writeln!(
        text,
        "    va_list idiolect_list;\n    va_start(idiolect_list, {last});\n    long idiolect_rest[4];\n    \
         for (int i = 0; i < 4; i++) idiolect_rest[i] = va_arg(idiolect_list, long);"
    );
    let rest = (0..4).map(|i| format!("idiolect_rest[{i}]"));
    let all: Vec<String> = (arguments.iter().map(|a| (*a).to_owned()))
        .chain(rest)
        .collect();
    Ok(format!("idiolect_next({})", all.join(", ")))
}

/// Whether a value names an object.
fn test(api: &Api, machines: &Machines, one: &Followed) -> String {
    let nothing = nothing(api, &machines.vocabulary, one.kind);
    // A descriptor's `int` and a pointer's word both stand for -1.
    let tests: Vec<String> = (nothing.iter())
        .map(|n| format!("idiolect_value != (unsigned long){n}L"))
        .collect();
    if tests.is_empty() {
        "1".to_owned()
    } else {
        tests.join(" && ")
    }
}

/// What tells the lives of one object apart.
fn owner(api: &Api, machines: &Machines, call: &Call, one: &Followed) -> String {
    let name = machines.vocabulary.kind_name(one.kind);
    let each = api
        .kinds
        .iter()
        .find(|k| k.name == name)
        .and_then(|k| k.each.as_ref());
    match each.filter(|each| call.extra.iter().any(|(n, _)| n == *each)) {
        Some(each) => format!("(unsigned long)({})", value(call, each)),
        None => "0".to_owned(),
    }
}

fn write_event(
    api: &Api,
    machines: &Machines,
    call: &Call,
    one: &Followed,
    ok: &str,
    text: &mut String,
) {
    let vocabulary = &machines.vocabulary;
    let shows = vocabulary.changes(one.id) || vocabulary.ends(one.id);
    let (test, owner) = (test(api, machines, one), owner(api, machines, call, one));
    let _ = writeln!(
        text,
        "    {{ unsigned long idiolect_value = (unsigned long)({}); if ({test}) idiolect_event({}, idiolect_value, {owner}, \
         {}, {}, {PREFIX}_on_{}, {ok}, \"{}\", idiolect_site); }}",
        value(call, &one.name),
        one.kind.index() + 1,
        u8::from(shows),
        u8::from(vocabulary.is_validated(one.kind)),
        vocabulary.like(one.id).0,
        vocabulary.full_name(one.id),
    );
}

fn write_end(spec: &MinedSpecification, machines: &Machines, text: &mut String) {
    text.push_str(
        "__attribute__((destructor)) static void idiolect_end(void) {\n    idiolect_inside++;\n    for (int i = 0; i < \
         IDIOLECT_PLACES; i++) {\n        struct idiolect_object *object = &idiolect_objects[i];\n        int rule = -1, late = 0;\n",
    );
    for machine in &machines.machines {
        for (state, rule) in machine.at_end.iter().enumerate() {
            if let Some(rule) = rule {
                let template = spec.lives.rules.get(*rule).map(|r| r.template);
                let late = u8::from(template == Some(Template::Completes));
                let _ = writeln!(
                    text,
                    "        if (object->kind == {} && object->state == {state}) rule = {rule}, late = {late};",
                    machine.kind.index() + 1
                );
            }
        }
    }
    text.push_str(
        "        if (rule >= 0 && (object->own || !object->maker)) idiolect_tell(late ? \"unfinished\" : \"missing\", \
         object, \"at the end\", rule, late || !object->maker ? object->last : object->maker);\n    }\n    const char *wish = getenv(\"IDIOLECT_ON_BREAK\");\n    if (idiolect_broken && wish && \
         !strcmp(wish, \"exit\")) _exit(1);\n    idiolect_inside--;\n}\n",
    );
}
