//! A recorder for the calls of an API, as C text: it is compiled, preloaded into a program, and
//! stands in for each function of the API.
//!
//! What is the same for every API is `shim.c`. Here a wrapper is written for each call, which decides
//! by its caller's module whether the call is recorded, calls the real function, and writes one line:
//! arguments, extra attributes, result.
//!
//! A wrapper has its own C name and the function's name for the linker alone, so that it can never
//! contradict the header that declares the function. Extra attributes are read after the call, and
//! left out if a pointer they mention is null.
//!
//! A callback is recorded by a function of ours that the API is given in its place, together with a
//! closure that says which function and closure were meant. The same pair always has the same closure,
//! so that handlers can be found again and removed.
//!
//! The order of lines: what a call does to its objects happens somewhere between entry and return. A
//! call that creates an object has done so when it returns; any other is placed where it was entered,
//! so that `close` comes before the `accept` of another thread that gets the same descriptor, and an
//! event's dispatch before what its handlers do. Where that is wrong, as for `lock`, which may wait for
//! another thread's `unlock`, the API file says `order = "return"`.

mod names;

use crate::api::{Api, ApiError, Call, CallOrder};
use crate::declaration::{Parameter, Prototype, prototype};
use names::{FORTIFIED, SAME, UNWRAPPABLE, WITH_LIST, WITHOUT_REST};
use std::fmt::Write as _;

/// Whose calls are recorded.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Callers {
    /// Those of the program itself.
    #[default]
    Program,
    All,
    /// Those of a library, by the beginning of its file's name: `libXt`.
    Module(String),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShimConfig {
    pub from: Callers,
    /// Whether each line has a time.
    pub times: bool,
    /// Strings are cut after so many bytes.
    pub longest_string: usize,
}

/// Words handed on for `...`, where they are integers or pointers (`open`, `fcntl`, `ioctl`).
const REST: usize = 6;

/// The recorder of an API.
pub fn shim(api: &Api, config: &ShimConfig) -> Result<String, ApiError> {
    let (all, module) = match &config.from {
        Callers::Program => (0, ""),
        Callers::All => (1, ""),
        Callers::Module(name) => (0, name.as_str()),
    };
    let mut text = String::from("#define _GNU_SOURCE 1\n");
    let _ = writeln!(text, "#define IDIOLECT_FROM {}", c_string(module));
    let _ = writeln!(text, "#define IDIOLECT_FROM_ALL {all}");
    let _ = writeln!(text, "#define IDIOLECT_TIMES {}", u8::from(config.times));
    let _ = writeln!(text, "#define IDIOLECT_LONGEST {}", config.longest_string);
    for header in &api.include {
        let quoted = header.starts_with(['<', '"']);
        let _ = if quoted {
            writeln!(text, "#include {header}")
        } else {
            writeln!(text, "#include {}", c_string(header))
        };
    }
    text.push_str(include_str!("shim.c"));
    let mut declared = Vec::new();
    for call in &api.calls {
        let Some(declare) = &call.declare else {
            continue;
        };
        let prototype = prototype(declare, &call.name).ok_or_else(|| {
            bad(
                call,
                "its declaration is not a prototype",
                "write one line of C",
            )
        })?;
        if UNWRAPPABLE.contains(&call.name.as_str()) {
            return Err(bad(
                call,
                "it cannot be recorded, because it does not return like a function",
                "leave it out",
            ));
        }
        if let Some(parameter) = prototype.parameters.iter().find(|p| !p.has_name) {
            let what = format!("its parameter `{}` has no name", parameter.text);
            return Err(bad(call, &what, "name all parameters"));
        }
        if prototype.is_variadic && prototype.parameters.is_empty() {
            return Err(bad(
                call,
                "it has no parameter before `...`",
                "leave it out",
            ));
        }
        declared.push((call, prototype));
    }
    // Callbacks first: the calls that register them mention them.
    for (call, prototype) in declared.iter().filter(|(call, _)| is_callback(call)) {
        callback(call, prototype, &mut text);
    }
    for (call, prototype) in declared.iter().filter(|(call, _)| !is_callback(call)) {
        for wrapper in wrappers(call, prototype) {
            wrapper.write(api, &mut text);
        }
    }
    if declared.is_empty() {
        return Err(ApiError {
            code: "trace::nothing-declared",
            message: "no call of the API is declared, so there is nothing to record".to_owned(),
            place: None,
            help: "add `declare = \"int close(int fd)\"` to the calls".to_owned(),
        });
    }
    Ok(text)
}

fn bad(call: &Call, what: &str, help: &str) -> ApiError {
    ApiError {
        code: "trace::cannot-record",
        message: format!("`{}` cannot be recorded: {what}", call.name),
        place: None,
        help: help.to_owned(),
    }
}

/// One function that stands in for another.
struct Wrapper<'a> {
    call: &'a Call,
    /// The name for the linker.
    symbol: String,
    prototype: Prototype,
    /// Parameters that are handed on but not recorded.
    hidden: Vec<String>,
}

fn wrappers<'a>(call: &'a Call, own: &Prototype) -> Vec<Wrapper<'a>> {
    let plain = |symbol: &str, prototype: Prototype| Wrapper {
        call,
        symbol: symbol.to_owned(),
        prototype,
        hidden: Vec::new(),
    };
    let mut all = vec![plain(&call.name, own.clone())];
    for (_, aliases) in SAME.iter().filter(|(name, _)| *name == call.name) {
        all.extend(aliases.iter().map(|alias| plain(alias, own.clone())));
    }
    for (_, alias, at, kind) in FORTIFIED.iter().filter(|(name, ..)| *name == call.name) {
        let hidden = "idiolect_room".to_owned();
        let mut prototype = own.clone();
        let at = (*at).min(prototype.parameters.len());
        prototype.parameters.insert(
            at,
            Parameter {
                text: format!("{kind} {hidden}"),
                name: hidden.clone(),
                has_name: true,
            },
        );
        all.push(Wrapper {
            hidden: vec![hidden],
            ..plain(alias, prototype)
        });
    }
    for (_, alias) in WITHOUT_REST.iter().filter(|(name, _)| *name == call.name) {
        let prototype = Prototype {
            is_variadic: false,
            ..own.clone()
        };
        all.push(plain(alias, prototype));
    }
    all
}

impl Wrapper<'_> {
    fn write(&self, api: &Api, text: &mut String) {
        let Self {
            call,
            symbol,
            prototype,
            ..
        } = self;
        let own = format!("idiolect_call_{symbol}");
        let is_void = prototype.result == "void";
        let mut parameters: Vec<&str> = (prototype.parameters.iter())
            .map(|p| p.text.as_str())
            .collect();
        if prototype.is_variadic {
            parameters.push("...");
        }
        if parameters.is_empty() {
            parameters.push("void");
        }
        let head = format!("{} {own}({})", prototype.result, parameters.join(", "));
        // So that the compiler names the call it complains about.
        let _ = writeln!(text, "#line 1 \"calls.{}\"", call.name);
        let _ = writeln!(text, "{head} __asm__(\"{symbol}\");");
        let _ = writeln!(text, "{head} {{");
        let _ = writeln!(text, "    static __typeof__(&{own}) idiolect_real;");
        let find = match self.while_finding() {
            None => "idiolect_find",
            Some(line) => {
                let _ = writeln!(text, "    {line}");
                "idiolect_find_allocator"
            }
        };
        let _ = writeln!(
            text,
            "    if (!idiolect_real) idiolect_real = (__typeof__(&{own})){find}(\"{symbol}\", \
             (void *)&{own});"
        );
        let rest = self.rest(text);
        let real = match &rest {
            Rest::List(function, arguments) => format!("{function}({arguments})"),
            Rest::None => format!("idiolect_real({})", self.arguments_for(api).join(", ")),
            Rest::Words => {
                let mut arguments = self.arguments_for(api);
                arguments.extend((0..REST).map(|i| format!("idiolect_rest[{i}]")));
                format!("idiolect_real({})", arguments.join(", "))
            }
        };
        let (result, give) = if is_void {
            (String::new(), "return;".to_owned())
        } else {
            (
                format!("{} idiolect_result = ", prototype.result),
                "return idiolect_result;".to_owned(),
            )
        };
        let _ = writeln!(
            text,
            "    if (!idiolect_wanted(__builtin_return_address(0))) {{ {result}{real}; {} {give} }}",
            rest.end()
        );
        text.push_str("    int idiolect_errno = errno;\n    struct idiolect_line idiolect_l;\n");
        text.push_str("    idiolect_begin(&idiolect_l, __builtin_return_address(0));\n");
        let _ = writeln!(text, "    idiolect_text(&idiolect_l, \"{}(\");", call.name);
        let comma = self.parameters(text);
        text.push_str("    idiolect_enter(&idiolect_l); errno = idiolect_errno;\n");
        let _ = writeln!(text, "    {result}{real};");
        let _ = writeln!(text, "    idiolect_errno = errno; {}", rest.end());
        if takes_effect_late(call) {
            text.push_str("    idiolect_set_key(&idiolect_l, idiolect_next());\n");
        }
        self.results(comma, is_void, text);
        let _ = writeln!(
            text,
            "    idiolect_finish(&idiolect_l); errno = idiolect_errno; {give}\n}}"
        );
    }

    /// What an allocator does while the real one is being looked up, which may allocate memory.
    fn while_finding(&self) -> Option<String> {
        let names = self.arguments();
        let first = names.first()?;
        let second = names.get(1);
        let finding = "if (!idiolect_real && idiolect_finding)";
        Some(match (self.symbol.as_str(), second) {
            ("malloc", _) => format!("{finding} return idiolect_from_arena(16, {first});"),
            ("calloc", Some(size)) => {
                format!("{finding} return idiolect_from_arena(16, {first} * {size});")
            }
            ("aligned_alloc" | "memalign", Some(size)) => {
                format!("{finding} return idiolect_from_arena({first}, {size});")
            }
            ("realloc", Some(size)) => format!(
                "if (idiolect_in_arena({first}) || !idiolect_real && idiolect_finding) return \
                 idiolect_arena_again({first}, idiolect_from_arena(16, {size}), {size});"
            ),
            ("free", _) => format!("if (idiolect_in_arena({first})) return;"),
            _ => return None,
        })
    }

    fn arguments(&self) -> Vec<String> {
        (self.prototype.parameters.iter())
            .map(|p| p.name.clone())
            .collect()
    }

    /// The arguments, callbacks replaced by what records them.
    fn arguments_for(&self, api: &Api) -> Vec<String> {
        let mut arguments = self.arguments();
        for callback in api.calls.iter().filter(|c| c.declare.is_some()) {
            let registrations = callback.callback_of.iter();
            for registration in registrations.filter(|r| r.call == self.call.name) {
                let (function, closure) = (&registration.function, &registration.closure);
                for argument in &mut arguments {
                    if argument == function {
                        *argument = format!(
                            "({function} ? (__typeof__({function}))&idiolect_back_{} : {function})",
                            callback.name
                        );
                    } else if argument == closure {
                        *argument = format!(
                            "({function} ? (__typeof__({closure}))idiolect_closure((void \
                             *){function}, (void *){closure}) : {closure})"
                        );
                    }
                }
            }
        }
        arguments
    }

    /// Takes what follows the named parameters.
    fn rest(&self, text: &mut String) -> Rest {
        if !self.prototype.is_variadic {
            return Rest::None;
        }
        let Some(last) = self.prototype.parameters.last() else {
            return Rest::None;
        };
        let _ = writeln!(
            text,
            "    va_list idiolect_list; va_start(idiolect_list, {});",
            last.name
        );
        if WITH_LIST.contains(&self.call.name.as_str()) {
            let mut arguments = self.arguments();
            arguments.retain(|a| !self.hidden.contains(a));
            arguments.push("idiolect_list".to_owned());
            return Rest::List(format!("v{}", self.call.name), arguments.join(", "));
        }
        let _ = writeln!(
            text,
            "    long idiolect_rest[{REST}];\n    for (int i = 0; i < {REST}; i++) idiolect_rest[i] = \
             va_arg(idiolect_list, long);"
        );
        Rest::Words
    }

    /// Writes the arguments, which are known before the call. What stands before the next attribute
    /// is returned.
    fn parameters(&self, text: &mut String) -> &'static str {
        let mut comma = "";
        for parameter in &self.prototype.parameters {
            let name = &parameter.name;
            if self.hidden.contains(name) {
                continue;
            }
            // An array parameter is a pointer, and a function is its address.
            let _ = writeln!(
                text,
                "    IDIOLECT_PUT(&idiolect_l, \"{comma}{name} = \", {name});"
            );
            comma = ", ";
        }
        comma
    }

    /// Writes what is known after the call.
    fn results(&self, mut comma: &'static str, is_void: bool, text: &mut String) {
        for (name, expression) in &self.call.extra {
            let pointers: Vec<String> = (self.prototype.parameters.iter())
                .filter(|p| mentions(expression, &p.name))
                .map(|p| format!("IDIOLECT_PRESENT({})", p.name))
                .collect();
            let guard = if pointers.is_empty() {
                "1".to_owned()
            } else {
                pointers.join(" && ")
            };
            let _ = writeln!(
                text,
                "    if ({guard}) {{ __auto_type idiolect_extra = ({expression}); \
                 IDIOLECT_PUT(&idiolect_l, \"{comma}{name} = \", idiolect_extra); }}"
            );
            comma = ", ";
        }
        if !is_void {
            let _ = writeln!(
                text,
                "    IDIOLECT_PUT(&idiolect_l, \"{comma}return = \", idiolect_result);"
            );
        }
    }
}

fn is_callback(call: &Call) -> bool {
    !call.callback_of.is_empty()
}

/// A function that the API is given in place of one of the program's. Its closure says which one that
/// was, and what its closure was.
fn callback(call: &Call, prototype: &Prototype, text: &mut String) {
    let Some(closure) = call.callback_of.first().map(|r| &r.closure) else {
        return;
    };
    let wrapper = Wrapper {
        call,
        symbol: call.name.clone(),
        prototype: prototype.clone(),
        hidden: Vec::new(),
    };
    let parameters: Vec<&str> = (prototype.parameters.iter())
        .map(|p| p.text.as_str())
        .collect();
    let own = format!("idiolect_back_{}", call.name);
    let is_void = prototype.result == "void";
    let (result, give) = if is_void {
        (String::new(), "return;".to_owned())
    } else {
        (
            format!("{} idiolect_result = ", prototype.result),
            "return idiolect_result;".to_owned(),
        )
    };
    let _ = writeln!(text, "#line 1 \"calls.{}\"", call.name);
    let _ = writeln!(
        text,
        "static {} {own}({}) {{",
        prototype.result,
        parameters.join(", ")
    );
    let _ = writeln!(
        text,
        "    struct idiolect_closure *idiolect_c = (void *){closure};\n    \
         __typeof__(&{own}) idiolect_real = (__typeof__(&{own}))idiolect_c->function;\n    \
         {closure} = (__typeof__({closure}))idiolect_c->closure;\n    \
         int idiolect_errno = errno;\n    struct idiolect_line idiolect_l;\n    \
         int idiolect_want = idiolect_wanted(idiolect_c->function);\n    \
         idiolect_begin(&idiolect_l, idiolect_c->function);\n    \
         idiolect_text(&idiolect_l, \"{}(\");",
        call.name
    );
    let comma = wrapper.parameters(text);
    let _ = writeln!(
        text,
        "    if (idiolect_want) idiolect_enter(&idiolect_l);\n    errno = idiolect_errno;\n    \
         {result}idiolect_real({});\n    \
         if (!idiolect_want) {give}\n    \
         idiolect_errno = errno;",
        wrapper.arguments().join(", "),
    );
    wrapper.results(comma, is_void, text);
    let _ = writeln!(
        text,
        "    idiolect_finish(&idiolect_l); errno = idiolect_errno; {give}\n}}"
    );
}

enum Rest {
    None,
    /// As a `va_list`: the function that takes it, and its arguments.
    List(String, String),
    Words,
}

impl Rest {
    fn end(&self) -> &'static str {
        match self {
            Rest::None => "",
            _ => "va_end(idiolect_list);",
        }
    }
}

/// Whether a call takes effect when it returns: because the API says so, or because it creates an
/// object that it did not have before.
fn takes_effect_late(call: &Call) -> bool {
    if let Some(order) = call.order {
        return order == CallOrder::Return;
    }
    let is_late =
        |name: &str| name == "return" || call.extra.iter().any(|(extra, _)| extra == name);
    (call.attributes.iter()).any(|a| a.defines && !a.uses && is_late(&a.name))
}

/// Whether a C expression has this identifier.
fn mentions(expression: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut words = expression.split(|c| !is_word(c));
    words.any(|word| word == name)
}

fn c_string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if (c as u32) < 32 => {
                let _ = write!(quoted, "\\{:03o}", c as u32);
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::{Callers, ShimConfig, shim};
    use crate::api::{Api, SHIPPED};

    fn written(api: &str) -> Result<String, String> {
        let api = Api::parse(api).map_err(|e| e.message)?;
        let config = ShimConfig {
            from: Callers::Program,
            times: false,
            longest_string: 60,
        };
        shim(&api, &config).map_err(|e| e.message)
    }

    /// The lines of the function that stands in for a symbol.
    fn function(text: &str, symbol: &str) -> Vec<String> {
        let start = format!("__asm__(\"{symbol}\");");
        let lines = text.lines().skip_while(|line| !line.ends_with(&start));
        let body = lines.skip(1).take_while(|line| *line != "}");
        body.map(str::to_owned).collect()
    }

    #[test]
    fn creators_are_placed_at_their_return_and_others_at_their_entry() {
        let text = written(SHIPPED[0].1).expect("the API of sockets can be recorded");
        let key_before_call = |symbol: &str| {
            let lines = function(&text, symbol);
            !lines
                .iter()
                .any(|l| l.contains("idiolect_set_key(&idiolect_l, idiolect_next())"))
        };
        assert!(!key_before_call("accept") && !key_before_call("socket"));
        assert!(key_before_call("close") && key_before_call("read") && key_before_call("bind"));
        // What is written does not depend on where it is used.
        assert!(text.starts_with("#define _GNU_SOURCE 1\n#define IDIOLECT_FROM \"\"\n"));
    }

    #[test]
    fn other_names_of_a_function_are_recorded_as_it() {
        let text = written(
            "[calls.read]\ndeclare = \"ssize_t read(int fd, void *buf, size_t len)\"\n\
             [calls.open]\ndeclare = \"int open(const char *path, int flags, ...)\"\n",
        )
        .expect("an API");
        let checked = function(&text, "__read_chk");
        assert!(checked[0].contains("size_t len, size_t idiolect_room"));
        assert!(
            checked
                .iter()
                .any(|l| l.contains("idiolect_real(fd, buf, len, idiolect_room)"))
        );
        assert!(
            checked
                .iter()
                .any(|l| l.contains("idiolect_text(&idiolect_l, \"read(\")"))
        );
        assert!(!checked.iter().any(|l| l.contains("\"idiolect_room")));
        for symbol in ["open", "open64", "__open_2"] {
            assert!(!function(&text, symbol).is_empty(), "{symbol}");
        }
    }

    #[test]
    fn extra_attributes_are_guarded() {
        let text = written(
            "[calls.f]\ndeclare = \"void f(struct s *at, int n)\"\nextra = { x = \"at->x + 1\" }\n",
        )
        .expect("an API");
        let lines = function(&text, "f");
        let extra = lines.iter().find(|l| l.contains("(at->x + 1)"));
        assert!(extra.is_some_and(|l| l.trim().starts_with("if (IDIOLECT_PRESENT(at)) {")));
    }

    #[test]
    fn what_cannot_be_recorded_is_refused() {
        let refused = |api: &str, what: &str| {
            let message = written(api).expect_err("it cannot be recorded");
            assert!(message.contains(what), "{message}");
        };
        refused(
            "[calls.vfork]\ndeclare = \"int vfork(void)\"\n",
            "does not return like",
        );
        refused(
            "[calls.f]\ndeclare = \"int f(int, int x)\"\n",
            "`int` has no name",
        );
        refused("[calls.f]\nuses = [\"x\"]\n", "nothing to record");
        refused(
            "[calls.f]\ndeclare = \"void f(void *c)\"\ncallback_of = [\"g(h, c)\"]\n",
            "`g` has no parameters `h` and `c`",
        );
        refused(
            "[calls.f]\ndeclare = \"void f(void *c)\"\ncallback_of = [\"g(h)\"]\n",
            "does not register",
        );
    }

    #[test]
    fn every_shipped_api_can_be_written() {
        for (name, text) in SHIPPED {
            assert!(written(text).is_ok(), "{name}");
        }
    }
}
