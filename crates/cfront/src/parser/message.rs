//! What the parser says when it cannot read on.

use super::{MAX_ERRORS, Parser, Reported};
use crate::lexer::{Tok, Token};
use idiolect_base::nearest;
use idiolect_base::{Diagnostic, Span};

impl Parser<'_> {
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if self.quiet > 0 || self.silent || self.n_errors >= MAX_ERRORS {
            return;
        }
        let (is_error, span) = (diagnostic.is_error(), diagnostic.span);
        self.diagnostics.push(diagnostic);
        if is_error {
            self.n_errors += 1;
            if self.n_errors == MAX_ERRORS {
                self.diagnostics.push(Diagnostic::warning(
                    "c::too-many-errors",
                    span,
                    format!("stopped after {MAX_ERRORS} errors"),
                ));
            }
        }
    }

    pub(super) fn error(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> Reported {
        self.report(Diagnostic::error(code, span, message));
        Reported
    }

    /// Reports that the current token is not `what`, which is text such as "`(`" or "a name".
    pub(super) fn expected(&mut self, what: &str) -> Reported {
        let token = self.token();
        let message = format!("expected {what}, found {}", self.described(token));
        let span = self.span(token);
        self.error("c::syntax", span, message)
    }

    /// A token as a message names it.
    pub(super) fn described(&self, token: Token) -> String {
        match token.kind {
            Tok::Eof => "the end of the file".to_owned(),
            Tok::String => "a string literal".to_owned(),
            kind => {
                let text = self.slice(token);
                let shown: String = text.chars().take(40).collect();
                let dots = if shown.len() < text.len() { "…" } else { "" };
                let word = if kind.is_keyword() {
                    "the keyword "
                } else {
                    ""
                };
                format!("{word}`{shown}{dots}`")
            }
        }
    }

    /// The `;` after a declaration or statement. A missing one is reported behind the previous
    /// token, where it belongs, and if the next token is on another line or closes the block, all
    /// goes on as if it were there.
    pub(super) fn expect_semicolon(&mut self) -> Result<(), Reported> {
        if self.eat(Tok::Semi) {
            return Ok(());
        }
        if self.quiet > 0 {
            return Err(Reported);
        }
        let found = self.token();
        let before = self.tokens[self.at.saturating_sub(1)];
        let open_literal = match before.kind {
            Tok::String => !self.slice(before).ends_with('"'),
            Tok::Char => !self.slice(before).ends_with('\''),
            _ => false,
        };
        if open_literal {
            // That it goes on to the end of its line was reported, and took the `;` with it.
            return Ok(());
        }
        let end = before.end;
        let message = format!("expected `;`, found {}", self.described(found));
        let span = Span {
            source: self.source,
            start: end,
            end,
        };
        self.report(
            Diagnostic::error("c::expected-semicolon", span, message)
                .with_help("put a `;` behind this"),
        );
        let gap = self.text.get(end as usize..found.start as usize);
        let new_line = gap.is_some_and(|gap| gap.contains('\n'));
        if new_line || found.kind == Tok::RBrace || found.kind.starts_keyword_statement() {
            Ok(())
        } else {
            Err(Reported)
        }
    }

    /// Reports that `open` has no closing bracket where one is due.
    pub(super) fn unclosed(&mut self, open: Token, close: Tok) -> Reported {
        let found = self.token();
        let (open_text, close_text) = match close {
            Tok::RParen => ("(", ")"),
            Tok::RBracket => ("[", "]"),
            _ => ("{", "}"),
        };
        let open_span = self.span(open);
        if found.kind == Tok::Eof {
            let message = format!("`{open_text}` is never closed");
            let help = match self.suspicious_function.filter(|f| f.start > open.start) {
                Some(function) if self.quiet == 0 => {
                    let line = self.map.place(function).map_or(0, |place| place.line);
                    format!("is a `{close_text}` missing before the function in line {line}?")
                }
                _ => format!("add the `{close_text}` that belongs to it"),
            };
            self.report(Diagnostic::error("c::unclosed", open_span, message).with_help(help));
            return Reported;
        }
        let message = format!("expected `{close_text}`, found {}", self.described(found));
        let mut diagnostic = Diagnostic::error("c::syntax", self.span(found), message);
        if self.quiet == 0
            && let Some(place) = self.map.place(open_span)
        {
            diagnostic = diagnostic.with_help(format!(
                "to close the `{open_text}` of {}:{}:{}",
                place.file, place.line, place.column
            ));
        }
        self.report(diagnostic);
        Reported
    }

    /// Reports a name that stands where only a type makes sense.
    pub(super) fn unknown_type(&mut self, token: Token) {
        if self.quiet > 0 {
            return;
        }
        let name = self.slice(token).to_owned();
        let message = if self.is_undeclared(token) {
            format!("unknown type name `{name}`")
        } else {
            format!("`{name}` is not a type here")
        };
        let mut diagnostic = Diagnostic::error("c::unknown-type", self.span(token), message);
        diagnostic.help = Some(match header_of(&name) {
            Some(header) => format!("add `#include <{header}>`"),
            None => match self.nearest_typedef(&name) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "declare it with `typedef`, or include the header that does".to_owned(),
            },
        });
        self.report(diagnostic);
    }

    /// The typedef name that differs from `name` in the fewest letters, if in few enough.
    fn nearest_typedef(&self, name: &str) -> Option<&str> {
        let typedefs = self.scopes.typedefs();
        nearest(name, typedefs.map(|symbol| self.symbols.name(symbol)))
    }
}

/// The header of the C library that declares a type.
fn header_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "size_t" | "ptrdiff_t" | "wchar_t" | "max_align_t" => "stddef.h",
        "FILE" | "fpos_t" => "stdio.h",
        "bool" => "stdbool.h",
        "va_list" => "stdarg.h",
        "time_t" | "clock_t" => "time.h",
        "ssize_t" | "pid_t" | "off_t" | "uid_t" | "gid_t" | "mode_t" | "u_int" | "u_char"
        | "u_long" | "uint" | "ulong" | "ushort" => "sys/types.h",
        "pthread_t" | "pthread_mutex_t" | "pthread_cond_t" | "pthread_attr_t" => "pthread.h",
        "sem_t" => "semaphore.h",
        "jmp_buf" | "sigjmp_buf" => "setjmp.h",
        "sigset_t" | "sig_atomic_t" => "signal.h",
        "wint_t" => "wchar.h",
        "div_t" | "ldiv_t" => "stdlib.h",
        "DIR" => "dirent.h",
        _ if name.ends_with("_t") && (name.starts_with("int") || name.starts_with("uint")) => {
            let bits = name.trim_start_matches('u').trim_start_matches("int");
            let bits = bits.trim_end_matches("_t");
            let bits = bits
                .trim_start_matches("_least")
                .trim_start_matches("_fast");
            if matches!(bits, "8" | "16" | "32" | "64" | "max" | "ptr") {
                "stdint.h"
            } else {
                return None;
            }
        }
        _ => return None,
    })
}
