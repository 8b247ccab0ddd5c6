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
//! The order of lines: what a call does to its objects happens somewhere between entry and return. A
//! call that creates an object has done so when it returns; any other is placed where it was entered,
//! so that `close` comes before the `accept` of another thread that gets the same descriptor, and an
//! event's dispatch before what its handlers do.

use crate::api::{Api, ApiError, Call};
use crate::declaration::{Parameter, Prototype, prototype};
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
    /// An existing folder, where the traced processes leave what they record.
    pub folder: String,
    pub from: Callers,
    /// Whether each line has a time.
    pub times: bool,
    /// Strings are cut after so many bytes.
    pub longest_string: usize,
}

/// Functions that no wrapper can stand in for: they return twice, or never to their caller.
const UNWRAPPABLE: [&str; 9] = [
    "setjmp",
    "_setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "longjmp",
    "siglongjmp",
    "vfork",
    "getcontext",
    "swapcontext",
];

/// Variadic functions that have a sibling with a `va_list`.
const WITH_LIST: [&str; 9] = [
    "printf", "fprintf", "dprintf", "sprintf", "snprintf", "asprintf", "scanf", "fscanf", "sscanf",
];

/// Other names by which compiled programs call a function, with the same parameters.
const SAME: &[(&str, &[&str])] = &[
    ("open", &["open64"]),
    ("openat", &["openat64"]),
    ("creat", &["creat64"]),
    ("pread", &["pread64"]),
    ("pwrite", &["pwrite64"]),
    ("lseek", &["lseek64"]),
    ("ftruncate", &["ftruncate64"]),
    ("mmap", &["mmap64"]),
    ("fstat", &["fstat64"]),
    ("readdir", &["readdir64"]),
    ("fopen", &["fopen64"]),
    ("freopen", &["freopen64"]),
    ("tmpfile", &["tmpfile64"]),
    (
        "fgetc",
        &["getc", "_IO_getc", "fgetc_unlocked", "getc_unlocked"],
    ),
    (
        "fputc",
        &["putc", "_IO_putc", "fputc_unlocked", "putc_unlocked"],
    ),
    ("fgets", &["fgets_unlocked"]),
    ("fputs", &["fputs_unlocked"]),
    ("fread", &["fread_unlocked"]),
    ("fwrite", &["fwrite_unlocked"]),
    ("fflush", &["fflush_unlocked"]),
    ("feof", &["feof_unlocked"]),
    ("ferror", &["ferror_unlocked"]),
    ("fileno", &["fileno_unlocked"]),
    ("fcntl", &["fcntl64"]),
];

/// What `_FORTIFY_SOURCE` makes of a function: one more parameter at this position.
const FORTIFIED: &[(&str, &str, usize, &str)] = &[
    ("read", "__read_chk", 3, "size_t"),
    ("pread", "__pread_chk", 4, "size_t"),
    ("pread", "__pread64_chk", 4, "size_t"),
    ("recv", "__recv_chk", 3, "size_t"),
    ("recvfrom", "__recvfrom_chk", 3, "size_t"),
    ("fgets", "__fgets_chk", 1, "size_t"),
    ("fgets", "__fgets_unlocked_chk", 1, "size_t"),
    ("fread", "__fread_chk", 1, "size_t"),
    ("fread", "__fread_unlocked_chk", 1, "size_t"),
    ("fprintf", "__fprintf_chk", 1, "int"),
    ("printf", "__printf_chk", 0, "int"),
    ("dprintf", "__dprintf_chk", 1, "int"),
];

/// What `_FORTIFY_SOURCE` makes of a call without its optional argument.
const WITHOUT_REST: &[(&str, &str)] = &[
    ("open", "__open_2"),
    ("open", "__open64_2"),
    ("openat", "__openat_2"),
    ("openat", "__openat64_2"),
];

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
    let _ = writeln!(text, "#define IDIOLECT_DIR {}", c_string(&config.folder));
    let _ = writeln!(text, "#define IDIOLECT_FROM {}", c_string(module));
    let _ = writeln!(text, "#define IDIOLECT_FROM_ALL {all}");
    let _ = writeln!(text, "#define IDIOLECT_TIMES {}", u8::from(config.times));
    let _ = writeln!(text, "#define IDIOLECT_LONGEST {}", config.longest_string);
    for header in &api.include {
        let quoted = header.starts_with(['<', '"']);
        let _ = match quoted {
            true => writeln!(text, "#include {header}"),
            false => writeln!(text, "#include {}", c_string(header)),
        };
    }
    text.push_str(include_str!("shim.c"));
    let mut n = 0;
    for call in &api.calls {
        let Some(declare) = &call.declare else {
            continue;
        };
        n += 1;
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
        for wrapper in wrappers(call, &prototype) {
            wrapper.write(&mut text);
        }
    }
    if n == 0 {
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
    fn write(&self, text: &mut String) {
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
        let early = match symbol.as_str() {
            "malloc" | "calloc" | "realloc" | "free" => format!("__libc_{symbol}"),
            "aligned_alloc" | "memalign" => "__libc_memalign".to_owned(),
            _ => String::new(),
        };
        let _ = writeln!(text, "    static __typeof__(&{own}) idiolect_real;");
        if !early.is_empty() {
            let _ = writeln!(
                text,
                "    if (!idiolect_real && {early}) idiolect_real = (void *){early};"
            );
        }
        let _ = writeln!(
            text,
            "    if (!idiolect_real) idiolect_real = (__typeof__(&{own}))idiolect_find(\"{symbol}\", \
             (void *)&{own});"
        );
        let rest = self.rest(text);
        let real = match &rest {
            Rest::List(function, arguments) => format!("{function}({arguments})"),
            Rest::None => format!("idiolect_real({})", self.arguments().join(", ")),
            Rest::Words => {
                let mut arguments = self.arguments();
                arguments.extend((0..REST).map(|i| format!("idiolect_rest[{i}]")));
                format!("idiolect_real({})", arguments.join(", "))
            }
        };
        let (result, give) = match is_void {
            true => (String::new(), "return;".to_owned()),
            false => (
                format!("{} idiolect_result = ", prototype.result),
                "return idiolect_result;".to_owned(),
            ),
        };
        let _ = writeln!(
            text,
            "    if (!idiolect_wanted(__builtin_return_address(0))) {{ {result}{real}; {} {give} }}",
            rest.end()
        );
        let entry = !creates_late(call);
        if entry {
            text.push_str("    uint64_t idiolect_key = idiolect_next();\n");
        }
        let _ = writeln!(text, "    {result}{real};");
        let _ = writeln!(text, "    int idiolect_errno = errno; {}", rest.end());
        if !entry {
            text.push_str("    uint64_t idiolect_key = idiolect_next();\n");
        }
        text.push_str("    struct idiolect_line idiolect_l;\n");
        text.push_str("    idiolect_begin(&idiolect_l, idiolect_key);\n");
        let _ = writeln!(text, "    idiolect_text(&idiolect_l, \"{}(\");", call.name);
        self.attributes(is_void, text);
        let _ = writeln!(
            text,
            "    idiolect_finish(&idiolect_l); errno = idiolect_errno; {give}\n}}"
        );
    }

    fn arguments(&self) -> Vec<String> {
        (self.prototype.parameters.iter())
            .map(|p| p.name.clone())
            .collect()
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

    fn attributes(&self, is_void: bool, text: &mut String) {
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
        for (name, expression) in &self.call.extra {
            let pointers: Vec<String> = (self.prototype.parameters.iter())
                .filter(|p| mentions(expression, &p.name))
                .map(|p| format!("IDIOLECT_PRESENT({})", p.name))
                .collect();
            let guard = match pointers.is_empty() {
                true => "1".to_owned(),
                false => pointers.join(" && "),
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

/// Whether a call creates an object that it did not have before.
fn creates_late(call: &Call) -> bool {
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
