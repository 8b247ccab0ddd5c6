//! Texts that a preprocessor would leave as they are.
//!
//! Starting a compiler takes longer than to find an error in a small program. Much generated C has no
//! directives at all, and where nothing in a text can be the name of a macro, there is nothing to expand. Comments,
//! line splices and line markers are for the lexer.

/// Names that compilers define by themselves and that look like those of a program.
const PREDEFINED: [&str; 18] = [
    "linux",
    "unix",
    "i386",
    "arm",
    "mips",
    "sparc",
    "sun",
    "vax",
    "hpux",
    "m68k",
    "PPC",
    "R3000",
    "__x86_64",
    "__gnu_linux",
    "__seg_fs",
    "__seg_gs",
    "_cdecl",
    "_declspec",
];

/// Names like those of macros that are keywords, attributes and functions everywhere.
const KNOWN: [&str; 27] = [
    "__attribute__",
    "__attribute",
    "__extension__",
    "__inline__",
    "__inline",
    "__const__",
    "__const",
    "__restrict__",
    "__restrict",
    "__asm__",
    "__asm",
    "__volatile__",
    "__volatile",
    "__signed__",
    "__signed",
    "__noreturn__",
    "__nothrow__",
    "__leaf__",
    "__nonnull__",
    "__malloc__",
    "__gnu_inline__",
    "__always_inline__",
    "__noinline__",
    "__unused__",
    "__func__",
    "__FUNCTION__",
    "__PRETTY_FUNCTION__",
];

/// Whether preprocessing would change nothing that matters.
pub fn is_plain(text: &[u8]) -> bool {
    let mut at = 0;
    let mut is_line_start = true;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\n' => is_line_start = true,
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {}
            // A marker stays as it is; whatever else begins so, also in a comment or a string, is not for us.
            b'#' if is_line_start && is_marker(&text[at..]) => {
                let end = text[at..].iter().position(|&b| b == b'\n');
                at = end.map_or(text.len(), |n| at + n);
                continue;
            }
            // Digraphs and trigraphs spell `#`, too; a splice may cut a name in two.
            b'#' | b'\\' if byte == b'#' || is_splice(&text[at..]) => return false,
            b'%' if text.get(at + 1) == Some(&b':') => return false,
            b'?' if text.get(at + 1) == Some(&b'?') => return false,
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => {
                let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
                let length = text[at..].iter().take_while(|b| is_part(b)).count();
                let name = str::from_utf8(&text[at..at + length]);
                if name.map_or(true, may_be_macro) {
                    return false;
                }
                at += length;
                is_line_start = false;
                continue;
            }
            _ => is_line_start = false,
        }
        at += 1;
    }
    true
}

/// `# 12 "file.c"` or `#line 12 "file.c"`.
fn is_marker(text: &[u8]) -> bool {
    let line = text.split(|&b| b == b'\n').next().unwrap_or_default();
    str::from_utf8(line).is_ok_and(|line| idiolect_base::parse_line_marker(line).is_some())
}

fn is_splice(text: &[u8]) -> bool {
    let rest = text.get(1..).unwrap_or_default();
    rest.trim_ascii_start().len() < rest.len() && {
        let blank = rest.iter().take_while(|b| b.is_ascii_whitespace());
        blank.into_iter().any(|&b| b == b'\n')
    }
}

/// Whether a compiler may have defined it. Its macros are `__LIKE_THIS__`, `__like_this__`, `__this` and `_THIS`; and
/// a program may have names such as `__like_this` and `_this`.
fn may_be_macro(name: &str) -> bool {
    if PREDEFINED.contains(&name) {
        return true;
    }
    let has_lower = name.bytes().any(|b| b.is_ascii_lowercase());
    if let Some(rest) = name.strip_prefix("__") {
        let is_word = !rest.contains('_') && !rest.starts_with("retres");
        let may_be = !has_lower || is_word || name.ends_with("__") || rest.starts_with("has_");
        return may_be && !KNOWN.contains(&name);
    }
    match name.strip_prefix('_') {
        Some(rest) => {
            let is_call = name.ends_with("call");
            let is_letter = rest.len() < 2 || rest[1..].starts_with('_');
            is_call || rest == "Pragma" || !has_lower && !is_letter
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn text_without_directives_is_plain() {
        for text in [
            "int main() { return 0; }",
            "# 1 \"a.c\"\nint x;\n  # 7 \"b.c\" 2\nint y; // a comment\n",
            "extern int __VERIFIER_nondet_int(void) __attribute__((__noreturn__));",
            "char *s = \"a\\n\"; int _x, __cil_tmp10, _L___0; __inline static void __f_g(int n);",
        ] {
            assert!(is_plain(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn what_may_be_expanded_is_not() {
        for text in [
            "#include <stdio.h>\n",
            "int x;\n  #define X 1\n",
            "#pragma pack(1)\n",
            "int y = __LINE__;",
            "int z = __INT_MAX__ + __CHAR_BIT__;",
            "int linux;",
            "long w = _LP64;",
            "int u\\\nnix = 1;",
            "%:include <stdio.h>\n",
            "char *s = \"??/\";",
            "int a = sizeof(__SIZE_TYPE__);",
            "_Pragma(\"pack(1)\") int b;",
            "/* a */ #define Y 2\n",
            "int c = __i386 + __k8 + __GNUC__;",
            "int d = __has_include(<a.h>);",
        ] {
            assert!(!is_plain(text.as_bytes()), "{text}");
        }
    }

    /// Every macro that the compiler of this machine defines by itself.
    #[test]
    fn the_macros_of_the_compiler_are_known() {
        let made = std::process::Command::new("cc")
            .args(["-dM", "-E", "-x", "c", "/dev/null"])
            .output();
        // Without a compiler there is nothing to compare with.
        let made = made.map(|made| made.stdout).unwrap_or_default();
        for line in String::from_utf8_lossy(&made).lines() {
            let name = line.split([' ', '(']).nth(1).unwrap_or_default();
            let text = format!("int x = {name};");
            assert!(!is_plain(text.as_bytes()), "{name}");
        }
    }
}
